/** Where a file goes: the user's text decides the folder, and nothing that a row says leads out of it (pipelines 6). */
import * as NodePath from "node:path"
import * as Schema from "effect/Schema"
import { nearest } from "../Row/Nearest.ts"

const placeholder = /\{([A-Za-z]\w*)\}/g

/** Names that a run gives. */
export const runNames = ["runId", "date", "seq"] as const

/** The names that a template asks for. */
export const placeholdersOf = (template: string): ReadonlyArray<string> =>
  [...template.matchAll(placeholder)].map((match) => match[1] ?? "")

const objection = (template: string): string | undefined => {
  if (template.trim() === "") return "a path is needed, like out/{runId}.jsonl"
  if (/[/\\]$/.test(template)) return `"${template}" names a folder: end it with a file name`
  if (template.includes("\0")) return "a path cannot contain a zero character"
  const stray = template.replace(placeholder, "").search(/[{}]/)
  if (stray !== -1) return `"${template}" has a brace that belongs to no {name}`
  const stranger = placeholdersOf(template).find((name) => !runNames.some((known) => known === name))
  if (stranger !== undefined) {
    const near = nearest(stranger, runNames)
    return `{${stranger}} is not known in a path: there are {${runNames.join("}, {")}}${near === undefined ? "" : `; did you mean {${near}}?`}`
  }
  const behind = template.slice(template.search(/\{[A-Za-z]/))
  if (placeholdersOf(template).length > 0 && /(^|[/\\])\.\.([/\\]|$)/.test(behind)) {
    return `"${template}" goes up behind a {name}: write .. only before it`
  }
  return undefined
}

/** Literal text and `{name}`s. Absolute paths and `..` are the user's to write, before the first `{name}`. */
export const Template = Schema.String.pipe(Schema.filter((template) => objection(template) ?? true)).annotations({
  identifier: "OutputPath",
  description:
    "Path of the file, under the output folder unless it is absolute; {runId}, {date} and {seq} stand for the run's.",
  examples: ["out/pages-{runId}.jsonl"]
})

const reserved = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i

const cut = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text
  const shortened = Buffer.from(text).subarray(0, bytes).toString("utf8")
  return shortened.replace(/\ufffd+$/, "")
}

/** A value as a harmless part of a file name: never empty, at most 100 bytes, no separator, dot segment or control character. */
export const sanitize = (value: string): string => {
  const text = cut(
    value
      .replace(/\p{Cs}/gu, "_")
      .normalize("NFC")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|]+/g, "_"),
    100
  ).replace(/^[.\s]+|[.\s]+$/g, "")
  return text === "" ? "_" : text
}

/** Names that mean a device on Windows, whatever their extension. */
const defuse = (segment: string): string =>
  reserved.test(segment.split(".", 1)[0]?.trim() ?? "") ? `_${segment}` : segment

/** The folder that no value can lead out of: the template up to its first `{name}`, under `folder`. */
export const literalPrefix = (template: string, folder: string): string => {
  const first = template.search(/\{[A-Za-z]\w*\}/)
  const literal = first === -1 ? template : template.slice(0, first)
  return NodePath.resolve(folder, literal.slice(0, literal.search(/[^/\\]*$/)))
}

/** The file that a template means for these values. */
export const resolve = (template: string, folder: string, values: Readonly<Record<string, string>>): string => {
  const segments = template.split("/").map((segment) => {
    const filled = segment.replace(placeholder, (_, name: string) => sanitize(values[name] ?? ""))
    return filled === segment ? segment : defuse(filled)
  })
  return NodePath.resolve(folder, segments.join("/"))
}

/** The template with `{runId}` in the file's name, unless it is there already. */
export const perRun = (template: string): string => {
  if (placeholdersOf(template).includes("runId")) return template
  const start = template.search(/[^/\\]*$/)
  const dot = template.indexOf(".", start + 1)
  return dot === -1 ? `${template}-{runId}` : `${template.slice(0, dot)}-{runId}${template.slice(dot)}`
}
