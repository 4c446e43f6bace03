/** Decodes the blocks of one file to batches of rows, each with the position behind its last record. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { keptAsString } from "../../Row/Integers.ts"
import type { Batch, Failure } from "../../Step.ts"
import { type Decoded, type Decoder, failedRow, LineSplitter, type Lines, longestLine, Position } from "./Decoder.ts"
import { hasReplacement, isPlain, LineEnds, notUtf8In } from "./Encoding.ts"
import { type Input, Stamp } from "./Input.ts"

/** Position at which a resume continues. */
export const Cursor = Schema.Struct({
  ...Position.fields,
  /** Number of uncompressed bytes before it. */
  offset: Schema.Number,
  /** Number of rows emitted. */
  rows: Schema.Number,
  stamp: Schema.optional(Stamp),
  /** True if carriage returns end the lines of the file. */
  oldLineEnds: Schema.optional(Schema.Boolean)
})
export type Cursor = typeof Cursor.Type

export interface RowBatch extends Batch {
  readonly cursor: Cursor
  readonly failures: ReadonlyArray<Failure>
  /** Warnings about these rows, one of each kind. */
  readonly warnings: ReadonlyArray<Warning>
}

/** Warning about a file, and its subject. */
export interface Warning {
  readonly matter: "integers" | "encoding" | "lineEnds" | "empty" | "unfinished"
  readonly message: string
}

/** Why a file may have fewer rows than its source, for steps to mark themselves as incomplete: it was empty, or its last line was cut. */
export const gapIn = ({ warnings }: RowBatch): "blank" | "unread" | undefined =>
  warnings.some(({ matter }) => matter === "empty")
    ? "blank"
    : warnings.some(({ matter }) => matter === "unfinished")
      ? "unread"
      : undefined

export interface Decoding {
  /** Makes a decoder, which may throw `HeaderInvalid` or `LinesLost`. */
  readonly make: (start: Position) => Decoder
  readonly encoding?: string | undefined
  readonly quote?: string | undefined
}

/** Warnings about the numbers and line ends of decoded rows. */
const decodedWarnings = (file: string, { kept, loneReturn }: Decoded): ReadonlyArray<Warning> => [
  ...(kept === undefined ? [] : [{ matter: "integers" as const, message: keptAsString(file, kept) }]),
  ...(loneReturn === undefined
    ? []
    : [
        {
          matter: "lineEnds" as const,
          message: `${file}, line ${loneReturn} has a carriage return in the middle and no quotes around it: it is part of a cell. If it ends a line, convert the line ends of the file`
        }
      ])
]

/** A batch without rows. */
const warningOnly = (cursor: Cursor, warning: Warning): RowBatch => ({
  rows: [],
  cursor,
  failures: [],
  warnings: [warning]
})

/**
 * Takes the blocks of a file in order (`decodeBlock`), then `decodeRest` once.
 *
 * The input is what the file had when it was opened. If that ends in the middle of a record and the file grows, this record is completed:
 * `isOpen` says whether to read on.
 */
export class RowReader {
  readonly #input: Input
  readonly #encoding: string | undefined
  readonly #start: Cursor
  readonly #decoder: Decoder
  readonly #lineEnds: LineEnds
  readonly #cutter = new LineSplitter()
  /**
   * Where reading is beyond the size that the file had when it was opened; undefined before that. `open`: in the record that this size cut
   * off, which is completed. `split`: in the first character of a line, which is left out if the file has grown. `closed`: behind the last
   * record; what follows is not part of the input.
   */
  #past: "open" | "split" | "closed" | undefined
  #hasGrown = false
  /** Bytes before the start, and those that `#lineEnds` has returned since. */
  #read: number
  /** Rows before the start, and those decoded since. */
  #given: number
  #isEnded = false
  /** True until there is a row or a malformed line. */
  #isEmpty: boolean
  /** True once the transcoder has met bytes that are invalid in the encoding. */
  #isStray = false
  #isEncodingNoted = false

  constructor(input: Input, { encoding, make, quote = '"' }: Decoding, from: Cursor | undefined) {
    this.#input = input
    this.#encoding = encoding
    this.#start = from ?? { offset: 0, line: 0, rows: 0 }
    this.#decoder = make(this.#start)
    this.#lineEnds = new LineEnds(quote, from === undefined ? undefined : from.oldLineEnds === true)
    this.#read = this.#start.offset
    this.#given = this.#start.rows
    this.#isEmpty = from === undefined
  }

  /** True once `decodeRest` has been called. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** True before the first byte of the file. */
  get isAtStart(): boolean {
    return this.#read === 0
  }

  /** Column names of a table, once they are known. */
  get header(): ReadonlyArray<string> | undefined {
    return this.#decoder.state().header
  }

  /** True if more of the file is to be read beyond the size that it had when it was opened. */
  isOpen(isSplit: () => boolean): boolean {
    if (this.#past === "split") return false
    const isAtSize = this.#past === undefined
    if ((isAtSize || this.#past === "open") && this.#isRecordOpen()) this.#past = "open"
    else this.#past = isAtSize && isSplit() ? "split" : "closed"
    return this.#past !== "closed"
  }

  /** Call when bytes were invalid in the encoding. */
  noteStray(): void {
    this.#isStray = true
  }

  /** Call with each block that the file still had. */
  noteGrown(): void {
    this.#hasGrown ||= this.#past === "open" || this.#past === "split"
  }

  decodeBlock(block: Uint8Array): ReadonlyArray<RowBatch> {
    if (this.#past === "closed" || (this.#past === "split" && this.#hasGrown)) return []
    const bytes = this.#lineEnds.convert(block)
    if (this.#past !== "open") {
      this.#read += bytes.length
      return this.#decodeParts(this.#cutter.cut(bytes))
    }
    if (isPlain(this.#encoding)) this.noteGrown()
    const batches: Array<RowBatch> = []
    for (let at = 0; at < bytes.length && this.#isRecordOpen(); ) {
      const end = bytes.indexOf(0x0a, at)
      const line = bytes.subarray(at, end < 0 ? bytes.length : end + 1)
      at += line.length
      this.#read += line.length
      batches.push(...this.#decodeParts(this.#cutter.cut(line)))
    }
    if (!this.#isRecordOpen()) this.#past = "closed"
    return batches
  }

  decodeRest(): ReadonlyArray<RowBatch> {
    this.#isEnded = true
    const { file, stamp } = this.#input
    const [cutter, decoder] = [this.#cutter, this.#decoder]
    const last = this.#past === "closed" && this.#hasGrown ? new Uint8Array() : this.#lineEnds.end()
    this.#read += last.length
    const ended = cutter.cut(last)
    // The end of the file is not the end of the line if the line is still being written.
    const isTorn = this.#hasGrown && cutter.open > 0 && cutter.open <= longestLine && Number.isFinite(decoder.held())
    const isUnfinished = this.#hasGrown && (this.#past === "split" || (isTorn && decoder.held() === 0))
    const parts = isTorn ? ended : [...ended, ...cutter.end()]
    const rest = [...this.#decodeParts(parts), ...this.#batch([], () => decoder.end())]
    if (isUnfinished) {
      const message = `${file}: its last line was still being written while it was read, and is left out: run the pipeline again when the file is complete`
      return [...rest, warningOnly(this.#cursor(), { matter: "unfinished", message })]
    }
    if (!this.#isEmpty || rest.length > 0 || this.header !== undefined) return rest
    const message = `${file} is empty: not one line was read`
    return [warningOnly({ ...this.#start, stamp }, { matter: "empty", message })]
  }

  /** True within a record. One beyond the limit is not completed: a file without line ends may grow as fast as it is read. */
  #isRecordOpen(): boolean {
    const held = this.#decoder.held()
    const size = this.#cutter.open + (Number.isFinite(held) ? held : 0)
    return size > 0 && size <= longestLine
  }

  /** Position behind the last complete record. */
  #cursor(): Cursor {
    const offset = Math.max(0, this.#read - this.#cutter.open - this.#decoder.held())
    const oldLineEnds = this.#lineEnds.isOld || undefined
    return { ...this.#decoder.state(), offset, rows: this.#given, stamp: this.#input.stamp, oldLineEnds }
  }

  #decodeParts(parts: ReadonlyArray<Lines>): ReadonlyArray<RowBatch> {
    return this.#batch(parts, () => this.#decoder.decode(parts))
  }

  /** A batch, if there is anything in the decoded lines. */
  #batch(parts: ReadonlyArray<Lines>, decode: () => Decoded): ReadonlyArray<RowBatch> {
    const { file } = this.#input
    const strange = this.#encodingWarning(parts)
    const decoded = decode()
    const { malformed, rows } = decoded
    const warnings = [...strange, ...decodedWarnings(file, decoded)]
    if (rows.length === 0 && malformed.length === 0 && warnings.length === 0) return []
    this.#isEmpty &&= rows.length === 0 && malformed.length === 0
    this.#given += rows.length
    return [{ rows, cursor: this.#cursor(), failures: malformed.map((each) => failedRow(file, each)), warnings }]
  }

  /** Warns about bytes that are invalid in the encoding, only once. */
  #encodingWarning(parts: ReadonlyArray<Lines>): ReadonlyArray<Warning> {
    if (this.#isEncodingNoted) return []
    const { file } = this.#input
    if (this.#isStray && parts.some(hasReplacement)) {
      this.#isEncodingNoted = true
      return [{ matter: "encoding", message: `${file} has bytes that are not ${this.#encoding}: they became �` }]
    }
    if (!isPlain(this.#encoding)) return []
    let before = this.#decoder.state().line
    for (const part of parts) {
      const line = Option.getOrUndefined(notUtf8In(part, before))
      before += part.starts.length
      if (line === undefined) continue
      this.#isEncodingNoted = true
      const message = `${file} has bytes that are not UTF-8, first in line ${line}: they became �. If the file comes from Excel or Windows, set encoding: windows-1252`
      return [{ matter: "encoding", message }]
    }
    return []
  }
}
