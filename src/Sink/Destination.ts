/** Where a file goes: the user's text decides the folder, and nothing that a row says leads out of it. */
/** Output fields that all sinks share, and the rules between them. */
import * as NodePath from "node:path"
import * as Schema from "effect/Schema"
import { isBelow } from "../Permissions/Paths.ts"
import type { Expression } from "../Row/Expression.ts"
import { nearest } from "../Row/Nearest.ts"
import { SizeText } from "../Row/Size.ts"
import { ExpressionText } from "../Step/Field.ts"

const placeholder = /\{([A-Za-z]\w*)\}/g

/** Names that a run gives. */
export const runNames = ["runId", "date", "seq"] as const

/** The names that a template asks for. */
export const placeholdersOf = (template: string): ReadonlyArray<string> =>
  [...template.matchAll(placeholder)].map((match) => match[1] ?? "")

/** How files end that are not whole yet. */
const unfinished = /\.(partial|changed)$/i

const objection = (template: string): string | undefined => {
  if (template.trim() === "") return "a path is needed, like out/{runId}.jsonl"
  if (/[/\\]$/.test(template)) return `"${template}" names a folder: end it with a file name`
  if (template.includes("\0")) return "a path cannot contain a zero character"
  if (unfinished.test(template)) return `"${template}" ends like a file that is not whole yet: choose another ending`
  const stray = template.replace(placeholder, "").search(/[{}]/)
  if (stray !== -1) return `"${template}" has a brace that belongs to no {name}`
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
    "Path of the file, under the output folder unless it is absolute, or - for standard output; {runId}, {date} and {seq} stand for the run's, other names for what partitionBy says.",
  examples: ["out/pages-{runId}.jsonl"]
})

const reserved = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i

const cut = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text
  const shortened = Buffer.from(text).subarray(0, bytes).toString("utf8")
  return shortened.replace(/\ufffd+$/, "")
}

/**
 * A value as a harmless part of a file name: never empty, at most 100 bytes (or less on request), no separator, brace,
 * dot segment or control character. Values that come out the same share a file.
 */
export const sanitize = (value: string, most = 100): string => {
  const text = cut(
    value
      // What is far behind the cut need not be looked at.
      .slice(0, 1000)
      .replace(/\p{Cs}/gu, "_")
      .normalize("NFC")
      .replace(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
        /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|{}]+/g,
        "_"
      ),
    most
  ).replace(/^[.\s]+|[.\s]+$/g, "")
  return text === "" ? "_" : text
}

/** Names that mean a device on Windows, whatever their extension, and those of files that are not whole. */
const defuse = (segment: string): string => {
  const ended = unfinished.test(segment) ? `${segment}_` : segment
  return reserved.test(ended.split(".", 1)[0]?.trim() ?? "") ? `_${ended}` : ended
}

/** The folder that no value can lead out of: the template up to its first `{name}`, under `folder`. */
export const literalPrefix = (template: string, folder: string): string => {
  const first = template.search(/\{[A-Za-z]\w*\}/)
  const literal = first === -1 ? template : template.slice(0, first)
  return NodePath.resolve(folder, literal.slice(0, literal.search(/[^/\\]*$/)))
}

/** The folder that no value of `${{ }}` can lead out of: the text before the first of them, under `folder`; undefined without any. */
export const settledPrefix = (written: string, folder: string): string | undefined => {
  const first = written.indexOf("${{")
  return first === -1 ? undefined : literalPrefix(written.slice(0, first), folder)
}

/** Why a path that `${{ }}` has filled is refused: a value leads it out of the folder that the text names. */
export const whyOutside = (written: string, path: string, folder: string): string | undefined => {
  const prefix = settledPrefix(written, folder)
  return prefix === undefined || isBelow(literalPrefix(path, folder), prefix)
    ? undefined
    : `the input or variable in this path contains ${"`..`"} or an absolute path, and leads out of the folder that the path begins with: ${path}; write ${"`..`"} and absolute paths as text, or choose another folder with --out`
}

/** The template with its names filled, `{seq}` only where it is given. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template
    .split("/")
    .map((segment) => {
      const names = placeholdersOf(segment)
      // File systems allow 255 bytes, and the endings of partial files need their share.
      const most = Math.min(100, Math.floor(150 / Math.max(1, names.length)))
      const filled = segment.replace(placeholder, (whole, name: string) =>
        Object.hasOwn(values, name) ? sanitize(values[name] ?? "", most) : name === "seq" ? whole : "_"
      )
      return filled === segment ? segment : defuse(filled)
    })
    .join("/")

/** The number of a part as paths spell it. */
export const spellSeq = (seq: number): string => String(seq).padStart(5, "0")

/** The file of a filled template. */
export const resolve = (filled: string, folder: string, seq: number): string =>
  NodePath.resolve(folder, filled.replaceAll("{seq}", spellSeq(seq)))

/** Equal for paths that some file system takes for one: they differ in case, or in how an accent is made up. */
export const fold = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")

/** The template as it is written below a folder that it may not leave: `/data/x` as `_root/data/x`, `../x` as `_up/x`. */
export const below = (template: string): string => {
  const isAbsolute = NodePath.isAbsolute(template)
  const segments = template.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".")
  const kept = segments.map((segment) => (segment === ".." ? "_up" : segment.replace(/:$/, "")))
  return [...(isAbsolute ? ["_root"] : []), ...kept].join("/")
}

/** The template with `{runId}` in the file's name, unless it is there already. */
export const perRun = (template: string): string => {
  if (placeholdersOf(template).includes("runId")) return template
  const start = template.search(/[^/\\]*$/)
  const dot = template.indexOf(".", start + 1)
  return dot === -1 ? `${template}-{runId}` : `${template.slice(0, dot)}-{runId}${template.slice(dot)}`
}

const Mode = Schema.Literal("replace", "append", "perRun").annotations({
  description:
    "replace: the new files take the old ones' place when the run has ended well, and of a partition all its parts; append: behind what is there, with {seq} as further parts; perRun: files of its own, with the run's id in their names."
})

const Roll = Schema.Struct({
  rows: Schema.optional(
    Schema.Int.pipe(Schema.positive()).annotations({ description: "Most rows of a part.", examples: [50000] })
  ),
  size: Schema.optional(
    SizeText.annotations({
      description: "a size like 64MB: most bytes of a part, before gzip; a larger row has its own"
    })
  )
}).annotations({
  description: "Begins a new part, the next {seq} of its partition, before the part has more than this."
})

/** The fields that stand beside the path. */
export const fields = {
  mode: Schema.optionalWith(Mode, { default: () => "replace" as const }),
  partitionBy: Schema.optional(
    Schema.Record({ key: Schema.String, value: ExpressionText }).annotations({
      description: "Names in the path, each with the expression whose value over the row stands there."
    })
  ),
  roll: Schema.optional(Roll),
  gzip: Schema.optional(
    Schema.Boolean.annotations({ description: "Compress the files; true by itself when the path ends in .gz." })
  ),
  order: Schema.optionalWith(
    Schema.Literal("completion", "input").annotations({
      description: "input: rows in the order in which they were read; completion: as soon as they are ready."
    }),
    { default: () => "completion" as const }
  )
}

/** The shared fields of a sink, decoded, and its path. */
export interface Settings {
  readonly path: string
  readonly mode: "replace" | "append" | "perRun"
  readonly partitionBy?: Readonly<Record<string, Expression>> | undefined
  readonly roll?: { readonly rows?: number | undefined; readonly size?: number | undefined } | undefined
  readonly gzip?: boolean | undefined
}

export const isZipped = (path: string): boolean => /\.gz$/i.test(path)

/** Whether the number of a part could be taken for another one, because of digits beside it or values around it. */
const isUnclear = (path: string, partitions: ReadonlyArray<string>): boolean =>
  path.split("/").some((segment) => {
    if (/[\d}]\{seq\}|\{seq\}[\d{]/.test(segment)) return true
    const hasValue = (text: string | undefined) => placeholdersOf(text ?? "").some((name) => partitions.includes(name))
    const [before, ...after] = segment.split("{seq}")
    return after.length > 0 && hasValue(before) && hasValue(after.join())
  })

/** Fields that say how files are made mean nothing for standard output. */
const objectionsToStdout = ({ gzip, mode, partitionBy, roll }: Settings): Array<Schema.FilterIssue> => {
  const issue = (field: string, hint: string) => ({
    path: [field],
    message: `"-" is standard output, which has no ${field}: ${hint}`
  })
  return [
    ...(mode === "replace" ? [] : [issue("mode", "leave it out, or name a file")]),
    ...(partitionBy === undefined ? [] : [issue("partitionBy", "leave it out, or name a file")]),
    ...(roll === undefined ? [] : [issue("roll", "leave it out, or name a file")]),
    ...(gzip === true ? [issue("gzip", "pipe it through gzip")] : [])
  ]
}

/** What in the fields does not fit together, each with the key that it is about; `key` is that of the path. */
export const objections = (key: string, settings: Settings): Array<Schema.FilterIssue> => {
  const { gzip, partitionBy = {}, path, roll } = settings
  if (path === "-") return objectionsToStdout(settings)
  const asked = placeholdersOf(path)
  const partitions = Object.keys(partitionBy)
  const known = [...new Set([...partitions, ...runNames])]
  const hint = (word: string, words: ReadonlyArray<string>) => {
    const near = nearest(word, words)
    return near === undefined ? "" : `; did you mean {${near}}?`
  }
  const strangers = [...new Set(asked)]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: [key],
      message: `{${name}} is not known in a path: there are {${known.join("}, {")}}, and what partitionBy names${hint(name, known)}`
    }))
  const idle = partitions
    .filter((name) => !asked.includes(name))
    .map((name) => ({
      path: ["partitionBy", name],
      message: `the path has no {${name}}: write it where the value shall stand${hint(
        name,
        asked.filter((each) => !partitions.includes(each))
      )}`
    }))
  const taken = partitions
    .filter((name) => name === "seq" || name === "runId")
    .map((name) => ({
      path: ["partitionBy", name],
      message: `{${name}} is the run's own: give the partition another name`
    }))
  return [
    ...strangers,
    ...idle,
    ...taken,
    ...(isUnclear(path, partitions)
      ? [
          {
            path: [key],
            message: `{seq} runs into what is beside it: write it at one end of the name, like part-{seq}`
          }
        ]
      : []),
    ...(roll !== undefined && !asked.includes("seq")
      ? [{ path: ["roll"], message: `the parts need names: write {seq} in the path, like part-{seq}.${key}` }]
      : []),
    ...(roll !== undefined && roll.rows === undefined && roll.size === undefined
      ? [{ path: ["roll"], message: "say how much is in a part: rows, size or both" }]
      : []),
    ...(gzip === false && isZipped(path)
      ? [{ path: ["gzip"], message: `"${path}" ends in .gz: leave gzip out, or end it otherwise` }]
      : [])
  ]
}
