/** Texts that Sluice prints: templates with named placeholders. */
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
 * Fills the placeholders `<name>` of a template, and returns its lines. A line is repeated for each item of an array value, and dropped if
 * the value is undefined; a line has at most one such placeholder.
 */
export const fill = (template: string, values: Values): ReadonlyArray<string> =>
  template.split("\n").flatMap((line) => fillLine(line, values))

/** Loads a file of templates in `Templates`: each template starts after a line `=== NAME`. */
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
