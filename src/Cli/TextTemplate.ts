/** Texts that Sluice prints, as files with named places. */
import { readFileSync } from "node:fs"

type Values = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const fillLine = (line: string, values: Values): ReadonlyArray<string> => {
  const parts = line.split(/<(\w+)>/)
  const unknown = parts.find((part, index) => index % 2 === 1 && !Object.hasOwn(values, part))
  if (unknown !== undefined) throw new Error(`the place <${unknown}> of a template has no value`)
  const repeated = parts.find((part, index) => index % 2 === 1 && typeof values[part] !== "string")
  const items = repeated === undefined ? [""] : (values[repeated] ?? [])
  return [items]
    .flat()
    .map((item) =>
      parts.map((part, index) => (index % 2 === 0 ? part : part === repeated ? item : values[part])).join("")
    )
}

/**
 * Fills the places of a template, `<name>`, and returns its lines. A line whose value is an array is repeated for each item, and one whose
 * value is undefined is dropped; a line has at most one such place.
 */
export const fill = (template: string, values: Values): ReadonlyArray<string> =>
  template.split("\n").flatMap((line) => fillLine(line, values))

/** The templates of a file beside this one: each begins behind a line `=== NAME`. */
export const templatesOf = (file: `${string}.txt`) => {
  const text = readFileSync(new URL(`./Templates/${file}`, import.meta.url), "utf8")
  const templates = new Map(
    text.split(/^=== /m).map((each) => [each.slice(0, each.indexOf("\n")), each.slice(each.indexOf("\n") + 1, -1)])
  )
  return (name: string, values: Values = {}): ReadonlyArray<string> => {
    const template = templates.get(name)
    if (template === undefined) throw new Error(`${file} has no template ${name}`)
    return fill(template, values)
  }
}
