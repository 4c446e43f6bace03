/**
 * Path templates of outputs, the settings that all sinks share, and rules that combine them.
 *
 * The text of a template decides the folder. Values filled into a `{name}` become harmless parts of a file name and never lead out of that
 * folder.
 */
import * as NodePath from "node:path"
import * as Schema from "effect/Schema"
import { isBelow } from "../Permissions/Paths.ts"
import type { Expression } from "../Row/Expression.ts"
import { nearest } from "../Row/Nearest.ts"
import { SizeText } from "../Row/Size.ts"
import { ExpressionText } from "../Step/Field.ts"
import type { Destination, Output } from "../Step/Output.ts"
import { escapePattern } from "../Values/Text.ts"
import { OutputHealth } from "./HealthRules.ts"

const placeholder = /\{([A-Za-z]\w*)\}/g

/**
 * True for the formats that Sluice itself writes, which hold rows and are never source files. Code of the project makes all other formats.
 */
export const isDataFormat = (format: string): boolean => format === "jsonl" || format === "csv"

/** Placeholder names that the run fills in. */
export const runNames = ["runId", "date", "seq"] as const

/** Names of the placeholders in a template. */
export const placeholdersOf = (template: string): ReadonlyArray<string> =>
  [...template.matchAll(placeholder)].map((match) => match[1] ?? "")

/** Endings that mark partial files. */
const partialEnding = /\.(partial|changed)$/i

const templateError = (template: string): string | undefined => {
  if (template.trim() === "") return "a path is needed, like out/{runId}.jsonl"
  if (/[/\\]$/.test(template)) return `"${template}" names a folder: end the path with a file name`
  if (template.includes("\0")) return "a path cannot contain a zero character"
  if (partialEnding.test(template))
    return `"${template}" has an ending of unfinished files (.partial, .changed): choose another ending`
  const stray = template.replace(placeholder, "").search(/[{}]/)
  const [, double] = /\{\{\s*([A-Za-z]\w*)\s*\}\}/.exec(template) ?? []
  if (stray !== -1)
    return `"${template}" has a brace that is not part of a {name}${double === undefined ? "" : `: write {${double}}`}`
  const behind = template.slice(template.search(/\{[A-Za-z]/))
  if (placeholdersOf(template).length > 0 && /(^|[/\\])\.\.([/\\]|$)/.test(behind)) {
    return `"${template}" has .. after a {name}: write .. only before it`
  }
  return undefined
}

/** Text and `{name}` placeholders. Absolute paths and `..` are allowed only in the text before the first `{name}`. */
export const Template = Schema.String.pipe(Schema.filter((template) => templateError(template) ?? true)).annotations({
  identifier: "OutputPath",
  description:
    "Path of the file, under the output folder unless it is absolute, or - for standard output; the run fills in {runId}, {date} and {seq}, and partitionBy fills in other names.",
  examples: ["out/pages-{runId}.jsonl"]
})

const reserved = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i

const truncate = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text
  const shortened = Buffer.from(text).subarray(0, bytes).toString("utf8")
  return shortened.replace(/\ufffd+$/, "")
}

/**
 * Turns a value into a harmless part of a file name: never empty, at most `maxBytes`, without separators, braces, dot segments or control
 * characters. Values with the same result share a file.
 */
export const sanitize = (value: string, maxBytes = 100): string => {
  const text = truncate(
    value
      // Limits the work on long values.
      .slice(0, 1000)
      .replace(/\p{Cs}/gu, "_")
      .normalize("NFC")
      .replace(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
        /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|{}]+/g,
        "_"
      ),
    maxBytes
  ).replace(/^[.\s]+|[.\s]+$/g, "")
  return text === "" ? "_" : text
}

/** Renames Windows device names with any extension, and names of partial files. */
const escapeReserved = (segment: string): string => {
  const ended = partialEnding.test(segment) ? `${segment}_` : segment
  return reserved.test(ended.split(".", 1)[0]?.trim() ?? "") ? `_${ended}` : ended
}

/** Folder of the template's text before its first `{name}`; values cannot lead out of it. */
export const literalPrefix = (template: string, folder: string): string => {
  const first = template.search(/\{[A-Za-z]\w*\}/)
  const literal = first === -1 ? template : template.slice(0, first)
  return NodePath.resolve(folder, literal.slice(0, literal.search(/[^/\\]*$/)))
}

/** Folder of the path's text before its first `${{ }}`, whose value must not lead out of it; undefined without `${{ }}`. */
export const textPrefix = (written: string, folder: string): string | undefined => {
  const first = written.indexOf("${{")
  return first === -1 ? undefined : literalPrefix(written.slice(0, first), folder)
}

/** Why a path is refused: a value of `${{ }}` leads out of the folder that the text names; undefined if the path is accepted. */
export const whyOutside = (written: string, path: string, folder: string): string | undefined => {
  const prefix = textPrefix(written, folder)
  return prefix === undefined || isBelow(literalPrefix(path, folder), prefix)
    ? undefined
    : `the value of an input or variable leads this path out of the folder that it begins with: ${path}; write ${"`..`"} or an absolute path in the definition itself, or choose another folder with --out`
}

/** Fills in the names of a template; leaves `{seq}` unless its value is given. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template
    .split("/")
    .map((segment) => {
      const names = placeholdersOf(segment)
      // File systems allow 255 bytes, including the endings of partial files.
      const maxBytes = Math.min(100, Math.floor(150 / Math.max(1, names.length)))
      const filled = segment.replace(placeholder, (whole, name: string) =>
        Object.hasOwn(values, name) ? sanitize(values[name] ?? "", maxBytes) : name === "seq" ? whole : "_"
      )
      return filled === segment ? segment : escapeReserved(filled)
    })
    .join("/")

/** Formats a part number for paths. */
export const formatSeq = (seq: number): string => String(seq).padStart(5, "0")

/** Path of the file for a filled template. */
export const resolve = (filled: string, folder: string, seq: number): string =>
  NodePath.resolve(folder, filled.replaceAll("{seq}", formatSeq(seq)))

/**
 * Folds a path so that paths which some file systems cannot tell apart become equal: they differ only in case or in the encoding of an
 * accent.
 */
export const foldCase = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")

/** Moves a template below a folder that it cannot leave: `/data/x` becomes `_root/data/x`, `../x` becomes `_up/x`. */
export const below = (template: string): string => {
  const isAbsolute = NodePath.isAbsolute(template)
  const segments = template.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".")
  const inner = segments.map((segment) => (segment === ".." ? "_up" : segment.replace(/:$/, "")))
  return [...(isAbsolute ? ["_root"] : []), ...inner].join("/")
}

/** Template with `{runId}` added to the file's name. */
export const perRun = (template: string): string => {
  if (placeholdersOf(template).includes("runId")) return template
  const start = template.search(/[^/\\]*$/)
  const dot = template.indexOf(".", start + 1)
  return dot === -1 ? `${template}-{runId}` : `${template.slice(0, dot)}-{runId}${template.slice(dot)}`
}

const Mode = Schema.Literal("replace", "append", "perRun").annotations({
  description:
    "replace: when the run has completed, its files replace the old ones, in a partition all of its old parts; append: rows are added to the end of the existing file or, with {seq} in the path, in new parts; perRun: each run writes its own files, with the run's id in their names."
})

const Roll = Schema.Struct({
  rows: Schema.optional(
    Schema.Int.pipe(Schema.positive()).annotations({
      description: "Maximum number of rows in a part, which is one file.",
      examples: [50000]
    })
  ),
  size: Schema.optional(SizeText.annotations({ description: "a size like 64MB" })).annotations({
    description: "Maximum size of a part before compression; a larger row gets a part of its own."
  })
}).annotations({
  description:
    "Divides the output into several files, its parts, numbered by {seq} in the path: a new part starts before one exceeds these limits."
})

/** Settings that all sinks share, besides the path. */
export const fields = {
  mode: Schema.optionalWith(Mode, { default: () => "replace" as const }),
  partitionBy: Schema.optional(
    Schema.Record({ key: Schema.String, value: ExpressionText }).annotations({
      description: "Names in the path, each with an expression over the row that gives its value."
    })
  ),
  roll: Schema.optional(Roll),
  gzip: Schema.optional(
    Schema.Boolean.annotations({ description: "Compress the files; true by default when the path ends in .gz." })
  ),
  manifest: Schema.optional(
    Schema.Boolean.annotations({
      description:
        "true: beside the files, `_manifest.json` lists them with rows, bytes and SHA-256. It appears once all files of the run have their final names. Each pipeline needs a folder of its own."
    })
  ),
  order: Schema.optionalWith(
    Schema.Literal("completion", "input").annotations({
      description: "input: rows in the order in which they were read; completion: as soon as they are ready."
    }),
    { default: () => "completion" as const }
  ),
  health: Schema.optional(OutputHealth).annotations({
    description:
      "Rules for the health of this output, in place of those of the pipeline; off: the output is not compared with earlier runs."
  })
}

/** Decoded path and shared settings. */
export interface OutputSettings {
  readonly path: string
  readonly mode: "replace" | "append" | "perRun"
  readonly partitionBy?: Readonly<Record<string, Expression>> | undefined
  readonly roll?: { readonly rows?: number | undefined; readonly size?: number | undefined } | undefined
  readonly gzip?: boolean | undefined
  readonly manifest?: boolean | undefined
}

/** Name of a manifest, which is in the folder of the path's text before its first `{name}`. */
export const manifestName = "_manifest.json"

export const isZipped = (path: string): boolean => /\.gz$/i.test(path)

/** True if a part number could be misread because digits or values are next to it. */
const isAmbiguous = (path: string, partitions: ReadonlyArray<string>): boolean =>
  path.split("/").some((segment) => {
    if (/[\d}]\{seq\}|\{seq\}[\d{]/.test(segment)) return true
    const hasValue = (text: string | undefined) => placeholdersOf(text ?? "").some((name) => partitions.includes(name))
    const [before, ...after] = segment.split("{seq}")
    return after.length > 0 && hasValue(before) && hasValue(after.join())
  })

const stdoutErrors = ({ gzip, manifest, mode, partitionBy, roll }: OutputSettings): Array<Schema.FilterIssue> => {
  const issue = (field: string, hint: string) => ({
    path: [field],
    message: `"-" is standard output, which has no ${field}: ${hint}`
  })
  return [
    ...(mode === "replace" ? [] : [issue("mode", "leave it out, or name a file")]),
    ...(partitionBy === undefined ? [] : [issue("partitionBy", "leave it out, or name a file")]),
    ...(roll === undefined ? [] : [issue("roll", "leave it out, or name a file")]),
    ...(gzip === true ? [issue("gzip", "pipe it through gzip")] : []),
    ...(manifest === true ? [issue("manifest", "leave it out, or name a file")] : [])
  ]
}

/** Errors where settings contradict each other or the path. `key` is the setting that holds the path. */
export const settingsErrors = (key: string, settings: OutputSettings): Array<Schema.FilterIssue> => {
  const { gzip, partitionBy = {}, path, roll } = settings
  if (path === "-") return stdoutErrors(settings)
  const asked = placeholdersOf(path)
  const partitions = Object.keys(partitionBy)
  const known = [...new Set([...partitions, ...runNames])]
  const hint = (word: string, words: ReadonlyArray<string>) => {
    const near = nearest(word, words)
    return near === undefined ? "" : `; did you mean {${near}}?`
  }
  const unknownNames = [...new Set(asked)]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: [key],
      message: `{${name}} is not known in a path: there are {${known.join("}, {")}}, and the names in partitionBy${hint(name, known)}`
    }))
  const unused = partitions
    .filter((name) => !asked.includes(name))
    .map((name) => ({
      path: ["partitionBy", name],
      message: `the path does not contain {${name}}: add it where its value belongs${hint(
        name,
        asked.filter((each) => !partitions.includes(each))
      )}`
    }))
  const taken = partitions
    .filter((name) => name === "seq" || name === "runId")
    .map((name) => ({
      path: ["partitionBy", name],
      message: `{${name}} is filled in by the run: give the partition another name`
    }))
  return [
    ...unknownNames,
    ...unused,
    ...taken,
    ...(isAmbiguous(path, partitions)
      ? [
          {
            path: [key],
            message: `{seq} is between values from which it cannot be told apart: write it at the start or the end of the name, like part-{seq}`
          }
        ]
      : []),
    ...(roll !== undefined && !asked.includes("seq")
      ? [
          {
            path: ["roll"],
            message: `each part needs a name of its own: write {seq} in the path, like part-{seq}.${key}`
          }
        ]
      : []),
    ...(roll !== undefined && roll.rows === undefined && roll.size === undefined
      ? [{ path: ["roll"], message: "set the limit of a part: rows, size or both" }]
      : []),
    ...(settings.manifest === true && NodePath.basename(path) === manifestName
      ? [{ path: [key], message: `${manifestName} is reserved for the manifest: choose another file name` }]
      : []),
    ...(gzip === false && isZipped(path)
      ? [{ path: ["gzip"], message: `"${path}" ends in .gz: leave gzip out, or choose a path without .gz` }]
      : [])
  ]
}

/** Part of a path: one character, a value that the run fills in equally in both paths, any text from a row, or digits of a part number. */
type Token = { readonly kind: "text" | "run"; readonly text: string } | { readonly kind: "row" | "digit" | "seq" }

const minSeqDigits = formatSeq(1).length

const placeholderOrValue = /\{([A-Za-z]\w*)\}|\$\{\{[\s\S]*?\}\}/g

/** Placeholder for the output folder, which is unknown before the run. */
const unknownFolder = `${NodePath.sep}{{out}}`

const tokensOf = (segment: string, partitions: ReadonlyArray<string>): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const literal = (text: string) => {
    for (const character of foldCase(text)) tokens.push({ kind: "text", text: character })
  }
  let end = 0
  for (const match of segment.matchAll(placeholderOrValue)) {
    literal(segment.slice(end, match.index))
    end = match.index + match[0].length
    const name = match[1]
    if (name === "seq") {
      for (let digit = 1; digit < minSeqDigits; digit++) tokens.push({ kind: "digit" })
      tokens.push({ kind: "seq" })
    } else if (name !== undefined && partitions.includes(name)) tokens.push({ kind: "row" })
    else tokens.push({ kind: "run", text: match[0] })
  }
  literal(segment.slice(end))
  return tokens
}

const isNumber = (token: Token): token is Extract<Token, { readonly kind: "digit" | "seq" | "row" }> =>
  token.kind === "digit" || token.kind === "seq"

/** True if both tokens can match the same part of a name. */
const agree = (a: Token, b: Token): boolean => {
  if (a.kind === "row" || b.kind === "row") return true
  if (isNumber(a)) return isNumber(b) || (b.kind === "text" && /\d/.test(b.text))
  if (isNumber(b)) return agree(b, a)
  return a.kind === b.kind && a.text === b.text
}

const repeats = ({ kind }: Token): boolean => kind === "row" || kind === "seq"

/** True if a name exists that matches both. Visits every pair of positions at most once. */
const overlap = (a: ReadonlyArray<Token>, b: ReadonlyArray<Token>): boolean => {
  const seen = new Set<number>()
  const queue: Array<readonly [number, number]> = [[0, 0]]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [i, j] = next
    if (i === a.length && j === b.length) return true
    const [one, other] = [a[i], b[j]]
    const pair = i * (b.length + 1) + j
    if (one === undefined || other === undefined || seen.has(pair) || !agree(one, other)) continue
    seen.add(pair)
    queue.push([i + 1, j + 1])
    if (repeats(one)) queue.push([i, j + 1])
    if (repeats(other)) queue.push([i + 1, j])
  }
  return false
}

const segmentsOf = ({ mode, partitions, path }: Destination): ReadonlyArray<ReadonlyArray<Token>> => {
  const template = mode === "perRun" ? perRun(path) : path
  // A slash inside ${{ }} does not separate folders.
  const values: Array<string> = []
  const named = template.replace(/\$\{\{[\s\S]*?\}\}/g, (value) => `\0${values.push(value) - 1}\0`)
  return NodePath.resolve(unknownFolder, named)
    .split(/[/\\]/)
    .map((segment) =>
      tokensOf(
        segment.replace(/\0(\d+)\0/g, (_, index: string) => values[Number(index)] ?? ""),
        partitions
      )
    )
}

/** True when two outputs of one pipeline can write the same file. */
export const collide = (one: Destination, other: Destination): boolean => {
  if (one.path === "-" || other.path === "-") return one.path === other.path
  const [a, b] = [segmentsOf(one), segmentsOf(other)]
  return a.length === b.length && a.every((segment, index) => overlap(segment, b[index] ?? []))
}

/** Path with `*` in place of everything that differs between files. */
export const globOf = ({ mode, path }: Destination): string =>
  (mode === "perRun" ? perRun(path) : path).replace(/\$\{\{.*?\}\}|\{\w+\}/g, "*")

/** Pattern that matches the files of a destination. */
const patternOf = ({ mode, path }: Destination, out: string): RegExp => {
  const marked = (mode === "perRun" ? perRun(path) : path)
    .replace(/\$\{\{.*?\}\}/g, "\u0002")
    .replace(/\{\w+\}/g, "\u0001")
  const escaped = escapePattern(NodePath.resolve(out, marked))
  return new RegExp(`^${escaped.replaceAll("\u0001", "[^/]+").replaceAll("\u0002", ".+")}$`)
}

/** Removes the shard number: in a cluster, `pages.0003.jsonl` is a part of `pages.jsonl`. */
const withoutShard = (path: string): string => path.replace(/\.\d{4,}((?:\.[^./]+)?(?:\.gz)?)$/, "$1")

/** True for a file that a sink with this destination has written. */
export const isFileOf = (
  destination: Destination,
  out: string,
  { format, path }: Pick<Output, "format" | "path">
): boolean => {
  const pattern = patternOf(destination, out)
  return format === destination.format && (pattern.test(path) || pattern.test(withoutShard(path)))
}
