/** Decodes response bodies: JSON, JSON Lines, CSV and XML. */
import { isUtf8 } from "node:buffer"
import * as Either from "effect/Either"
import { deepest, isDeepJson } from "../../Api/Depth.ts"
import { iconv } from "../../Packages.ts"
import * as Large from "../../Row/Integers.ts"
import { scrub } from "../../Telemetry/Redaction.ts"
import { makeXmlReader } from "../../Xml.ts"
import { delimiterHint, HeaderInvalid, tableDecoder } from "../Read/Csv.ts"
import { type Decoder, LineSplitter, LinesLost, type Malformed } from "../Read/Decoder.ts"
import { jsonDecoder } from "../Read/Jsonl.ts"

export const formats = ["json", "jsonl", "csv", "xml"] as const
export type Format = (typeof formats)[number]

/**
 * Maximum bytes to hold in memory as a whole, after decompression: a response, one row of a large response, or everything around its rows.
 */
export const maxSize = 64 * 1024 * 1024

/** Value of a body, and the parts of it that could not be read. */
export interface Decoded {
  readonly value: unknown
  /** Lines that cannot be read as rows. */
  readonly malformed: ReadonlyArray<Malformed>
  /** A number that was too large and is kept as a string, if there was one. */
  readonly kept?: string | undefined
  /** Says that a table seems to use another delimiter. */
  readonly hint?: string | undefined
}

const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i

/** Encoding that a byte order mark indicates. */
const markedEncoding = ([first, second]: Uint8Array): string | undefined =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined

/** Text of a body, without a byte order mark. `stray` is true if it has bytes that are invalid in its encoding. */
export const textOf = (bytes: Buffer, contentType: string): { readonly text: string; readonly stray: boolean } => {
  const named = markedEncoding(bytes) ?? charset.exec(contentType)?.[1] ?? "utf-8"
  const isPlain = /^utf-?8$/i.test(named) || !iconv().encodingExists(named)
  const text = isPlain ? bytes.toString("utf8") : iconv().decode(bytes, named)
  return {
    text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text,
    stray: isPlain ? !isUtf8(bytes) : text.includes("\ufffd")
  }
}

/** True for a body in UTF-8, according to its first bytes and its content type. */
export const isUnicode = (head: Buffer, contentType: string): boolean =>
  /^utf-?8$/i.test(markedEncoding(head) ?? charset.exec(contentType)?.[1] ?? "utf-8")

/** Beginning of a response for messages, with secrets removed: APIs repeat keys in their errors. */
export const quoted = (text: string): string => scrub(text.slice(0, 16_384))

const byType: ReadonlyArray<readonly [RegExp, Format]> = [
  [/^(application|text)\/(x-)?(ndjson|jsonl|jsonlines|json-lines|json-seq)\b/i, "jsonl"],
  [/^(application|text)\/([\w.-]+\+)?json\b/i, "json"],
  [/^(text|application)\/(csv|x-csv|tab-separated-values)\b/i, "csv"],
  [/^(application|text)\/([\w.-]+\+)?xml\b/i, "xml"]
]

const isHtml = (contentType: string, text: string): boolean =>
  /^(text\/html|application\/xhtml)/i.test(contentType) || /^\s*(<!doctype html|<html[\s>])/i.test(text)

/**
 * Format of a body, by its content type, otherwise by its first character. Fails for a body that cannot have rows, such as an HTML page.
 */
export const formatOf = (contentType: string, text: string): Either.Either<Format, string> => {
  if (isHtml(contentType, text)) return Either.left("is an HTML page, not data")
  const named = byType.find(([type]) => type.test(contentType.trim()))?.[1]
  if (named !== undefined) return Either.right(named)
  if (/^\s*[[{]/.test(text)) return Either.right("json")
  if (/^\s*</.test(text)) return Either.right("xml")
  return Either.left(
    `is ${contentType === "" ? "of no type" : contentType}, which does not show its format: set format (${formats.join(", ")})`
  )
}

const decodeJson = (text: string): Either.Either<Decoded, string> => {
  if (text.trim() === "") return Either.right({ value: undefined, malformed: [] })
  if (isDeepJson(text, deepest)) return Either.left(`is nested more than ${deepest.toLocaleString("en")} levels deep`)
  return Either.try({
    try: (): Decoded => ({ ...Large.parse(text), malformed: [] }),
    catch: (cause) => `is not valid JSON: ${String((cause as Error).message).replaceAll(/\p{Cc}/gu, "·")}`
  })
}

/** Why lines could not be decoded, as the end of a sentence that begins with the body. */
export const problemOf = (cause: unknown): string => {
  if (cause instanceof HeaderInvalid) return cause.message
  return `cannot be read: ${cause instanceof LinesLost || cause instanceof Error ? cause.message : String(cause)}`
}

/** Says that the table of a decoder seems to use another delimiter: then it has a single column. */
export const hintOf = (decoder: Decoder): string | undefined => delimiterHint(decoder.state().header ?? [])

const decodeLines = (decoder: Decoder, text: string): Either.Either<Decoded, string> => {
  const lines = new LineSplitter()
  return Either.try({
    try: (): Decoded => {
      const parts = [...lines.cut(Buffer.from(text)), ...lines.end()]
      const [first, last] = [decoder.decode(parts), decoder.end()]
      return {
        value: [...first.rows, ...last.rows].map(({ data }) => data),
        malformed: [...first.malformed, ...last.malformed],
        kept: first.kept ?? last.kept,
        hint: hintOf(decoder)
      }
    },
    catch: problemOf
  })
}

/** Maximum levels of XML, and attributes of an element. */
const maxDepth = 256
const maxAttributes = 500

interface Open {
  readonly name: string
  readonly fields: Record<string, unknown>
  text: string
}

const add = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (Array.isArray(before)) before.push(value)
  else if (before === undefined)
    Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true })
  else fields[name] = [before, value]
}

/** XML elements at a path that are passed to `take` when they end, and left out of the resulting object. */
interface TakenElements {
  readonly path: ReadonlyArray<string>
  readonly take: (value: unknown) => void
}

const isAt = (open: ReadonlyArray<Open>, name: string, path: ReadonlyArray<string>): boolean =>
  open.length === path.length &&
  path.at(-1) === name &&
  open.every((each, index) => index === 0 || each.name === path[index - 1])

/**
 * XML as an object: `{ root: … }`. An element with only text becomes a string. Any other becomes an object with its attributes as `@name`,
 * its elements by name (an array if a name occurs several times), and its text as `#text`.
 */
export const xmlReaderOf = (
  taken?: TakenElements
): { readonly write: (text: string) => void; readonly end: () => Either.Either<Decoded, string> } => {
  const root: Open = { name: "", fields: {}, text: "" }
  const open: Array<Open> = [root]
  let isBounded = true
  const reader = makeXmlReader({
    isRoot: () => true,
    maxAttributes,
    overflow: () => {
      isBounded = false
      open.push({ name: "", fields: {}, text: "" })
    },
    open: (name, attributes) => {
      if (open.length > maxDepth) isBounded = false
      const fields: Record<string, unknown> = {}
      for (const [key, value] of Object.entries(attributes)) add(fields, `@${key}`, value)
      open.push({ name, fields, text: "" })
    },
    close: () => {
      const element = open.pop()
      const parent = open.at(-1)
      if (element === undefined || parent === undefined) return
      const own = element.text.trim()
      const isText = Object.keys(element.fields).length === 0
      if (!isText && own !== "") add(element.fields, "#text", own)
      if (!isBounded) return
      const value = isText ? own : element.fields
      if (taken !== undefined && isAt(open, element.name, taken.path)) taken.take(value)
      else add(parent.fields, element.name, value)
    },
    text: (piece) => {
      const element = open.at(-1)
      if (element !== undefined) element.text += piece
    }
  })
  return {
    write: (text) => reader.write(text),
    end: () => {
      const { hasRoot, isWhole } = reader.end()
      if (!hasRoot) return Either.left("is not valid XML")
      if (!isBounded) {
        const many = `with more than ${maxAttributes} attributes`
        return Either.left(`has elements more than ${maxDepth} levels deep, or ${many}`)
      }
      if (!isWhole) return Either.left("ends before its XML does")
      return Either.right({ value: root.fields, malformed: [] })
    }
  }
}

const decodeXml = (text: string): Either.Either<Decoded, string> => {
  const reader = xmlReaderOf()
  reader.write(text)
  return reader.end()
}

const isTabs = (contentType: string): boolean => /tab-separated/i.test(contentType)

/** Makes a decoder of JSON Lines or CSV. A delimiter that the step names precedes that of the content type. */
export const lineDecoderOf = (format: Format, contentType: string, delimiter: string | undefined): Decoder =>
  format === "jsonl"
    ? jsonDecoder({ line: 0 })
    : tableDecoder(
        {
          columns: undefined,
          delimiter: delimiter ?? (isTabs(contentType) ? "\t" : ","),
          header: true,
          integers: "string",
          nullText: undefined,
          order: undefined,
          quote: '"'
        },
        { line: 0 }
      )

/** Decodes a body. The error continues a sentence that begins with the body, like `is no XML`. */
export const decode = (
  format: Format,
  text: string,
  contentType: string,
  delimiter: string | undefined
): Either.Either<Decoded, string> => {
  switch (format) {
    case "json":
      return decodeJson(text)
    case "jsonl":
      return decodeLines(lineDecoderOf(format, contentType, delimiter), text.replaceAll("\u001e", ""))
    case "csv":
      return decodeLines(lineDecoderOf(format, contentType, delimiter), text)
    case "xml":
      return decodeXml(text)
  }
}
