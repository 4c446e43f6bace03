/** A definition as TypeScript, laid out as formatters leave it. */

const width = 120

/** Double quotes, unless single ones need fewer escapes. */
const quote = (text: string): string => {
  const count = (mark: string) => text.split(mark).length
  const double = JSON.stringify(text).replace(
    /[\u2028\u2029\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  return count('"') > count("'") ? `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : double
}

const key = (name: string): string => {
  // The one name that a literal would take for something else.
  if (name === "__proto__") return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

const number = (value: number): string => {
  if (Number.isNaN(value)) return "Number.NaN"
  if (!Number.isFinite(value)) return value > 0 ? "Number.POSITIVE_INFINITY" : "Number.NEGATIVE_INFINITY"
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e")
}

/** On one line. */
const flat = (value: unknown): string => {
  if (typeof value === "string") return quote(value)
  if (typeof value === "number") return number(value)
  if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`
  if (typeof value !== "object" || value === null) return String(value)
  const fields = Object.entries(value).map(([name, each]) => `${key(name)}: ${flat(each)}`)
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}

/** Broken where it is too long, or where a reader expects lines. `used` columns stand before the value, `behind` it a comma. */
const lay = (value: unknown, indent: string, used: number, open: boolean): string => {
  const line = flat(value)
  if (typeof value !== "object" || value === null) return line
  if (!open && used + line.length + 1 <= width) return line
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return line
    return `[\n${value.map((each) => `${deeper}${lay(each, deeper, deeper.length, false)}`).join(",\n")}\n${indent}]`
  }
  const fields = Object.entries(value).map(([name, each]) => {
    const start = `${deeper}${key(name)}: `
    const isSteps = indent === "" && name === "steps" && Array.isArray(each) && each.length > 0
    return start + lay(each, deeper, start.length, isSteps)
  })
  return fields.length === 0 ? "{}" : `{\n${fields.join(",\n")}\n${indent}}`
}

/** The module whose default export is the definition. */
export const typescript = (value: unknown): string =>
  `import { Pipeline } from "sluice"\n\nexport default Pipeline.make(${lay(value, "", 0, true)})\n`
