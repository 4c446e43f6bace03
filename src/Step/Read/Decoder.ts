/** Splits blocks of bytes into lines; also the contract of decoders, which turn lines into rows. */
import * as Schema from "effect/Schema"
import { largeNumber } from "../../Row/Integers.ts"
import type { Data, Row } from "../../Row.ts"
import { type Failure, StepError } from "../../Step.ts"

/** Maximum length of a line; a longer line cannot be a row. */
export const longestLine = 64 * 1024 * 1024

const newline = 0x0a

/** Lines in one buffer: from `starts[i]` to the newline at `ends[i]`, including a carriage return if there is one. */
export interface Lines {
  readonly bytes: Buffer
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

/** True for a line that was too long: it is represented by an end before its start. */
export const isTooLong = (start: number, end: number): boolean => end < start

const none = Buffer.alloc(0)
const tooLong: Lines = { bytes: none, starts: [0], ends: [-1] }

/** Splits one file into lines; takes its blocks one after the other. */
export class LineSplitter {
  #held: Array<Uint8Array> = []
  #size = 0
  readonly #limit: number

  constructor(limit = longestLine) {
    this.#limit = limit
  }

  /** Bytes of the incomplete line. */
  get open(): number {
    return this.#size
  }

  cut(block: Uint8Array): ReadonlyArray<Lines> {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
    const parts: Array<Lines> = []
    let at = 0
    if (this.#size > 0) {
      const end = bytes.indexOf(newline)
      this.#hold(end < 0 ? bytes : bytes.subarray(0, end))
      if (end < 0) return parts
      parts.push(this.#release())
      at = end + 1
    }
    const starts: Array<number> = []
    const ends: Array<number> = []
    for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, at)) {
      starts.push(at)
      ends.push(end - at > this.#limit ? at - 1 : end)
      at = end + 1
    }
    if (starts.length > 0) parts.push({ bytes, starts, ends })
    if (at < bytes.length) this.#hold(bytes.subarray(at))
    return parts
  }

  /** The last line, if no newline ends it. */
  end(): ReadonlyArray<Lines> {
    return this.#size > 0 ? [this.#release()] : []
  }

  #hold(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#limit) this.#held = []
    // Copied, because the next block is read into the same memory.
    else this.#held.push(Uint8Array.prototype.slice.call(bytes))
  }

  #release(): Lines {
    const size = this.#size
    const held = this.#held
    this.#held = []
    this.#size = 0
    return size > this.#limit ? tooLong : { bytes: Buffer.concat(held), starts: [0], ends: [size] }
  }
}

/** Thrown to end reading: one record has lost at least 10 lines and more than 5 % of all lines so far (`Csv.ts`). */
export class LinesLost {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** A line, or the record that begins there, that cannot be read as a row. */
export interface Malformed {
  /** Line number, from 1. */
  readonly line: number
  /** Number of lines lost with it; undefined for one. */
  readonly lines?: number | undefined
  readonly message: string
  /** First characters of the line. */
  readonly text: string
}

/** Rows and malformed lines of a block. */
export interface Decoded {
  readonly rows: ReadonlyArray<Row>
  readonly malformed: ReadonlyArray<Malformed>
  /** A number that was too large and is kept as a string, if there was one. */
  readonly kept?: string | undefined
  /** Number of a line with a carriage return in an unquoted cell. */
  readonly loneReturn?: number | undefined
}

/** `string`: integers beyond 2^53 are kept as strings. `strict`: they make the line malformed. */
export type Integers = "string" | "strict"

/** Why a line is malformed under `integers: strict`. */
export const tooLarge = (number: string): string => {
  const { isInteger, shown } = largeNumber(number)
  return isInteger
    ? `has the integer ${shown}, which is beyond 2^53 and not allowed with integers: strict`
    : `has the number ${shown}, which does not fit in a 64-bit float and is not allowed with integers: strict`
}

/** Decoder of one file; receives its lines in order. */
export interface Decoder {
  readonly decode: (parts: ReadonlyArray<Lines>) => Decoded
  /** Decodes the last record if no line break ends it. */
  readonly end: () => Decoded
  /** Position after the last complete record, from which a new decoder can continue. */
  readonly state: () => Position
  /** Bytes of the incomplete record; infinite if the file is decoded as a whole. */
  readonly held: () => number
}

/** Position in a file, for a decoder to start from. */
export const Position = Schema.Struct({
  /** Number of lines before the position. */
  line: Schema.Number,
  /** Column names of a table, once they are known. */
  header: Schema.optional(Schema.Array(Schema.String))
})
export type Position = typeof Position.Type

export const tooLongLine = `is longer than ${longestLine / 1024 / 1024} MiB`

/** Text of a line, without the byte order mark that a file may begin with. */
export const withoutMark = (text: string, line: number): string =>
  line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text

/** Maximum characters of a malformed line in an error. */
export const shown = 1000

export const malformed = (line: number, message: string, text: string, lines?: number): Malformed => ({
  line,
  lines,
  message,
  text: text.length > shown ? `${text.slice(0, shown)}…` : text
})

/** Makes a failed row from a malformed line. */
export const failedRow = (file: string, { line, lines, message, text }: Malformed): Failure => [
  { data: { file, line, text }, key: `${file}:${line}`, position: line },
  new StepError({ reason: "LineMalformed", message: `${file}, line ${line} ${message}`, rows: lines })
]

/**
 * Decoder for a file that is decoded as a whole, once it has been read completely: a resumed run reads it from the beginning. `decode` may
 * throw.
 */
export const wholeDecoder = (before: Position, decode: (text: string) => ReadonlyArray<Data>): Decoder => {
  let line = before.line
  let size = 0
  const texts: Array<string> = []
  return {
    decode: (parts) => {
      for (const { bytes, ends, starts } of parts) {
        const [first = 0, last = 0] = [starts[0], ends.at(-1)]
        line += starts.length
        size += last - first + 1
        if (size > longestLine || last < first) {
          throw new LinesLost(
            `it is larger than ${longestLine / 1024 / 1024} MiB, and its reader takes a whole file: write parts (roll)`
          )
        }
        texts.push(bytes.toString("utf8", first, last))
      }
      return { rows: [], malformed: [] }
    },
    end: () => {
      if (texts.length === 0) return { rows: [], malformed: [] }
      const decoded: unknown = decode(withoutMark(texts.splice(0).join("\n"), 1))
      if (!Array.isArray(decoded)) throw new Error("the reader of its sink did not return an array of rows")
      const wrong = decoded.findIndex((row) => typeof row !== "object" || row === null || Array.isArray(row))
      if (wrong !== -1) throw new Error(`row ${wrong + 1} is not an object`)
      return { rows: decoded.map((data: Data, index) => ({ data, position: index + 1 })), malformed: [] }
    },
    state: () => ({ line }),
    held: () => (texts.length === 0 ? 0 : Number.POSITIVE_INFINITY)
  }
}

/** Decoder for the lines of a text file, as rows with the field `text`. */
export const lineDecoder = (before: Position): Decoder => {
  let line = before.line
  return {
    decode: (parts) => {
      const rows: Array<Row> = []
      for (const { bytes, ends, starts } of parts) {
        for (const [index, start] of starts.entries()) {
          line++
          rows.push({ data: { text: withoutMark(bytes.toString("utf8", start, ends[index]), line) }, position: line })
        }
      }
      return { rows, malformed: [] }
    },
    end: () => ({ rows: [], malformed: [] }),
    state: () => ({ line }),
    held: () => 0
  }
}
