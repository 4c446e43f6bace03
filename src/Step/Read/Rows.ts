/** Reads the rows of a file: determines its format, and returns batches from the beginning or from where an earlier run stopped. */

import type * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Reader } from "../../Contract/Reader.ts"
import { keysAsWritten } from "../../Row/FieldOrder.ts"
import { keptAsString } from "../../Row/Integers.ts"
import { type Batch, type Failure, StepError } from "../../Step.ts"
import { mapping } from "../Requirements.ts"
import { CellType, delimiterHint, HeaderInvalid, tableDecoder } from "./Csv.ts"
import {
  type Decoded,
  type Decoder,
  failedRow,
  LineSplitter,
  type Lines,
  LinesLost,
  lineDecoder,
  longestLine,
  Position,
  wholeDecoder
} from "./Decoder.ts"
import { Encoding, hasReplacement, isPlain, LineEnds, notUtf8In, Transcoder, toUtf8 } from "./Encoding.ts"
import { checkSame, drop, type Input, Stamp } from "./Input.ts"
import { jsonDecoder } from "./Jsonl.ts"

/** One ASCII character that may be a delimiter or a quote. */
const Mark = Schema.String.pipe(
  Schema.filter((text) => /^[\t\x20-\x7e]$/.test(text) || "expected one ASCII character, such as , or ; or a tab")
)

/** Fields besides the file's name, for every step that reads rows from a file. */
export const formatFields = {
  format: Schema.optional(Schema.Literal("jsonl", "csv")).annotations({
    description:
      "Format of the file; by default, the ending of its name decides (.jsonl .ndjson .csv .tsv, with or without .gz)."
  }),
  columns: Schema.optional(
    Schema.Record({ key: Schema.String, value: CellType }).annotations({
      description:
        "CSV: types of columns by name; string by default. An empty cell of another type is null. If the file has no header, list all columns in their order."
    })
  ),
  header: Schema.optional(Schema.Boolean).annotations({
    description: "CSV: the first record names the columns; true by default."
  }),
  delimiter: Schema.optional(Mark.annotations({ description: "one ASCII character" })).annotations({
    description: "CSV: character between cells; a comma by default, and a tab in .tsv files."
  }),
  quote: Schema.optional(Mark.annotations({ description: "one ASCII character" })).annotations({
    description: 'CSV: character around cells that need it; " by default.'
  }),
  integers: Schema.optional(
    Schema.Literal("string", "strict").annotations({
      description:
        "Integers beyond 2^53, which numbers cannot hold. string (the default): their digits are kept as a string, with a warning. strict: the line is a failed row."
    })
  ),
  nullText: Schema.optional(Schema.String).annotations({ description: "CSV: a cell with this text is null." }),
  encoding: Schema.optional(Encoding).annotations({
    description: "Encoding of the file, like windows-1252, iso-8859-15, utf-16le or shift_jis; utf-8 by default."
  })
} as const

const Fields = Schema.Struct(formatFields)

/** File and format. */
export type Format = typeof Fields.Type & {
  readonly file: string
  /** Names in `columns`, in definition order. */
  readonly order?: ReadonlyArray<string> | undefined
  /** Decodes the whole file, instead of a built-in format. */
  readonly decode?: Reader["decode"]
}

const bare = (file: string): string => file.replace(/\.gz$/i, "").toLowerCase()

const formatOf = ({ decode, file, format }: Format): "jsonl" | "csv" | "own" | undefined => {
  if (decode !== undefined) return "own"
  if (format !== undefined) return format
  if (file === "-" || /\.(jsonl|ndjson)$/.test(bare(file))) return "jsonl"
  return /\.(csv|tsv)$/.test(bare(file)) ? "csv" : undefined
}

/** Adds the reader of a sink in the definition, if the file extension is not that of a built-in format. */
export const withReader = <A extends Format>(format: A, readers: ReadonlyArray<Reader>): A => {
  if (formatOf(format) !== undefined) return format
  const reader = readers.find(({ extension }) => bare(format.file).endsWith(`.${extension.toLowerCase()}`))
  return reader === undefined ? format : { ...format, decode: reader.decode }
}

/** Adds the order of the columns, taken from the fields as written in the definition. */
export const withOrder = <A extends Format>(format: A, written: unknown): A =>
  format.columns === undefined ? format : { ...format, order: keysAsWritten(format.columns, mapping(written).columns) }

/** Error in the format options, with the path of the field. */
export const formatIssue = (
  config: Format
): { readonly path: ReadonlyArray<string>; readonly message: string } | undefined => {
  const { columns, delimiter, file, format: _, header, nullText, quote } = config
  const format = formatOf(config)
  if (file === "") return { path: ["file"], message: "name a file, or - for standard input" }
  if (format === undefined) {
    return {
      path: ["file"],
      message: `the name of ${file} does not show its format: add format: jsonl or format: csv, or read a format of your own with the reader of its sink (extensions)`
    }
  }
  const options = { columns, header, delimiter, quote, nullText }
  const lone = Object.entries(options).find(([, value]) => value !== undefined)?.[0]
  if (format !== "csv" && lone !== undefined)
    return {
      path: [lone],
      message: `${lone} is only for the format csv, and this file is ${format === "own" ? "a format of your own" : format}`
    }
  if ((delimiter ?? ",") === (quote ?? '"')) return { path: ["delimiter"], message: "delimiter and quote must differ" }
  return undefined
}

/** Makes a decoder for the file, starting at a position. The decoder may throw `HeaderInvalid`. */
export const decoderOf = (config: Format, from: Position): Decoder => {
  const { columns, file, header = true, integers = "string", nullText, order, quote = '"' } = config
  if (config.decode !== undefined) return wholeDecoder(from, config.decode)
  if (formatOf(config) === "jsonl") return jsonDecoder(from, integers)
  const delimiter = config.delimiter ?? (bare(file).endsWith(".tsv") ? "\t" : ",")
  return tableDecoder({ columns, delimiter, header, integers, nullText, order, quote }, from)
}

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

type Pull = Effect.Effect<Chunk.Chunk<RowBatch>, Option.Option<StepError>, FileSystem.FileSystem>

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const utf16 = (file: string, [first]: Uint8Array) =>
  new StepError({
    reason: "FileUnreadable",
    message: `${file} is UTF-16: convert it to UTF-8, or set encoding: ${first === 0xff ? "utf-16le" : "utf-16be"}`
  })

/** Blocks of a file as UTF-8. Offsets count UTF-8 bytes, so a file in another encoding is transcoded from its beginning. */
const blocksFrom = (
  input: Input,
  encoding: string | undefined,
  offset: number,
  note: () => void,
  more: { readonly isOpen: (isSplit: () => boolean) => boolean; readonly seen: () => void }
) => {
  if (encoding === undefined || isPlain(encoding)) return input.blocks(offset, () => more.isOpen(() => false))
  const transcoder = new Transcoder(encoding, note)
  const blocks = Stream.map(
    input.blocks(0, () => more.isOpen(() => transcoder.isSplit())),
    (block) => {
      more.seen()
      return block
    }
  )
  return drop(offset)(toUtf8(transcoder)(blocks))
}

/**
 * Reads a file; a resumed run continues at the cursor of the last batch. `note` is called with each batch before it is emitted.
 *
 * Runs one effect per block, without stream operators: these cost as much as the decoder, and those that run effects (`tap`, `mapEffect`)
 * link each batch to the next, which keeps the rows of all batches alive in the young generation of the garbage collector.
 */
export const rowsOf = (
  input: Input,
  format: Format,
  from?: Cursor,
  note?: Note
): Stream.Stream<RowBatch, StepError, FileSystem.FileSystem> =>
  decodeRows(input, { make: (start) => decoderOf(format, start), ...format }, from, note)

/** Lines of a text file, as rows with the field `text`. */
export const linesOf = (input: Input, encoding: string | undefined, note?: Note) =>
  decodeRows(input, { make: lineDecoder, encoding, quote: "\n" }, undefined, note)

type Note = (batch: RowBatch) => Effect.Effect<void>

interface Decoding extends Pick<Format, "encoding" | "quote"> {
  /** Makes a decoder, which may throw `HeaderInvalid` or `LinesLost`. */
  readonly make: (start: Position) => Decoder
}

const decodeRows = (
  input: Input,
  { encoding, make, quote = '"' }: Decoding,
  from?: Cursor,
  note: Note = () => Effect.void
): Stream.Stream<RowBatch, StepError, FileSystem.FileSystem> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      if (from !== undefined) yield* checkSame(input, from.stamp)
      const start: Cursor = from ?? { offset: 0, line: 0, rows: 0 }
      const decoder = make(start)
      const lineEnds = new LineEnds(quote, from === undefined ? undefined : from.oldLineEnds === true)
      const cutter = new LineSplitter()
      let isStray = false
      /**
       * Where reading is beyond the size that the file had when it was opened; undefined before that. `open`: in the record that this size
       * cut off, which is completed. `split`: in the first character of a line, which is left out if the file has grown. `closed`: behind
       * the last record; what follows is not part of the input.
       */
      let past: "open" | "split" | "closed" | undefined
      let hasGrown = false
      /** True within a record. One beyond the limit is not completed: a file without line ends may grow as fast as it is read. */
      const isRecordOpen = (): boolean => {
        const held = decoder.held()
        const size = cutter.open + (Number.isFinite(held) ? held : 0)
        return size > 0 && size <= longestLine
      }
      /** True if more of the file is to be read beyond the size that it had when it was opened. */
      const isOpen = (isSplit: () => boolean): boolean => {
        if (past === "split") return false
        const isAtSize = past === undefined
        if ((isAtSize || past === "open") && isRecordOpen()) past = "open"
        else past = isAtSize && isSplit() ? "split" : "closed"
        return past !== "closed"
      }
      const noteStray = () => {
        isStray = true
      }
      const noteGrown = () => {
        hasGrown ||= past === "open" || past === "split"
      }
      const more = { isOpen, seen: noteGrown }
      const blocks = yield* Stream.toPull(blocksFrom(input, encoding, start.offset, noteStray, more))
      /** Bytes before the start, and those that `lineEnds` has returned since. */
      let read = start.offset
      let given = start.rows
      let isEnded = false
      let isEmpty = from === undefined
      let isEncodingNoted = false

      /** Warns about bytes that are invalid in the encoding, only once. */
      const encodingWarning = (parts: ReadonlyArray<Lines>): ReadonlyArray<Warning> => {
        if (isEncodingNoted) return []
        if (isStray && parts.some(hasReplacement)) {
          isEncodingNoted = true
          return [{ matter: "encoding", message: `${input.file} has bytes that are not ${encoding}: they became �` }]
        }
        if (!isPlain(encoding)) return []
        let before = decoder.state().line
        for (const part of parts) {
          const line = Option.getOrUndefined(notUtf8In(part, before))
          before += part.starts.length
          if (line === undefined) continue
          isEncodingNoted = true
          const message = `${input.file} has bytes that are not UTF-8, first in line ${line}: they became �. If the file comes from Excel or Windows, set encoding: windows-1252`
          return [{ matter: "encoding", message }]
        }
        return []
      }

      const warningsOf = ({ kept, loneReturn }: Decoded): ReadonlyArray<Warning> => [
        ...(kept === undefined ? [] : [{ matter: "integers" as const, message: keptAsString(input.file, kept) }]),
        ...(loneReturn === undefined
          ? []
          : [
              {
                matter: "lineEnds" as const,
                message: `${input.file}, line ${loneReturn} has a carriage return in the middle and no quotes around it: it is part of a cell. If it ends a line, convert the line ends of the file`
              }
            ])
      ]

      /** Position behind the last complete record. */
      const cursorNow = (): Cursor => {
        const offset = Math.max(0, read - cutter.open - decoder.held())
        return { ...decoder.state(), offset, rows: given, stamp: input.stamp, oldLineEnds: lineEnds.isOld || undefined }
      }

      /** A batch, if there is anything in the decoded lines. */
      const batch = (parts: ReadonlyArray<Lines>, decode: () => Decoded): ReadonlyArray<RowBatch> => {
        const strange = encodingWarning(parts)
        const decoded = decode()
        const { malformed, rows } = decoded
        const warnings = [...strange, ...warningsOf(decoded)]
        if (rows.length === 0 && malformed.length === 0 && warnings.length === 0) return []
        isEmpty &&= rows.length === 0 && malformed.length === 0
        given += rows.length
        const failures = malformed.map((each) => failedRow(input.file, each))
        return [{ rows, cursor: cursorNow(), failures, warnings }]
      }
      const decodeParts = (parts: ReadonlyArray<Lines>) => batch(parts, () => decoder.decode(parts))

      const decodeError = (cause: unknown): StepError =>
        cause instanceof HeaderInvalid
          ? new StepError({ reason: "HeaderInvalid", message: `the header of ${input.file} ${cause.message}` })
          : cause instanceof LinesLost
            ? new StepError({ reason: "LinesLost", message: `${input.file}: ${cause.message}` })
            : new StepError({ reason: "FileUnreadable", message: `cannot read ${input.file}: ${String(cause)}`, cause })

      const decodeBlock = (block: Uint8Array): ReadonlyArray<RowBatch> => {
        if (past === "closed" || (past === "split" && hasGrown)) return []
        const bytes = lineEnds.convert(block)
        if (past !== "open") {
          read += bytes.length
          return decodeParts(cutter.cut(bytes))
        }
        if (isPlain(encoding)) noteGrown()
        const batches: Array<RowBatch> = []
        for (let at = 0; at < bytes.length && isRecordOpen(); ) {
          const end = bytes.indexOf(0x0a, at)
          const line = bytes.subarray(at, end < 0 ? bytes.length : end + 1)
          at += line.length
          read += line.length
          batches.push(...decodeParts(cutter.cut(line)))
        }
        if (!isRecordOpen()) past = "closed"
        return batches
      }
      const decodeRest = (): ReadonlyArray<RowBatch> => {
        isEnded = true
        const last = past === "closed" && hasGrown ? new Uint8Array() : lineEnds.end()
        read += last.length
        const ended = cutter.cut(last)
        // The end of the file is not the end of the line if the line is still being written.
        const isTorn = hasGrown && cutter.open > 0 && cutter.open <= longestLine && Number.isFinite(decoder.held())
        const isUnfinished = hasGrown && (past === "split" || (isTorn && decoder.held() === 0))
        const rest = [...decodeParts(isTorn ? ended : [...ended, ...cutter.end()]), ...batch([], () => decoder.end())]
        if (isUnfinished) {
          const message = `${input.file}: its last line was still being written while it was read, and is left out: run the pipeline again when the file is complete`
          return [
            ...rest,
            { rows: [], cursor: cursorNow(), failures: [], warnings: [{ matter: "unfinished", message }] }
          ]
        }
        if (!isEmpty || rest.length > 0 || decoder.state().header !== undefined) return rest
        const warning = { matter: "empty" as const, message: `${input.file} is empty: not one line was read` }
        return [{ rows: [], cursor: { ...start, stamp: input.stamp }, failures: [], warnings: [warning] }]
      }

      let isLooked = from !== undefined
      /** Warns once if a table seems to use another delimiter: that does not make the file fail. */
      const look = Effect.suspend(() => {
        const { header } = decoder.state()
        if (isLooked || header === undefined) return Effect.void
        isLooked = true
        const hint = delimiterHint(header)
        return hint === undefined ? Effect.void : Effect.logWarning(`${input.file}: ${hint}`)
      })

      const decode = (decoded: () => ReadonlyArray<RowBatch>): Pull =>
        Effect.suspend(() => {
          const decodedBatches = Either.try({ try: decoded, catch: decodeError })
          if (Either.isLeft(decodedBatches)) return Effect.fail(Option.some(decodedBatches.left))
          const batches = decodedBatches.right
          const emitted = batches.length > 0 || isEnded ? Effect.succeed(Chunk.unsafeFromArray(batches)) : next
          return Effect.zipRight(Effect.zipRight(look, Effect.forEach(batches, note, { discard: true })), emitted)
        })
      const next: Pull = Effect.suspend(() =>
        isEnded
          ? Effect.fail(Option.none())
          : Effect.matchEffect(blocks, {
              onFailure: (end) => (Option.isNone(end) ? decode(decodeRest) : Effect.fail(end)),
              onSuccess: (more) => {
                const [first] = more
                return read === 0 && isPlain(encoding) && first !== undefined && isUtf16(first)
                  ? Effect.fail(Option.some(utf16(input.file, first)))
                  : decode(() => Chunk.toReadonlyArray(more).flatMap(decodeBlock))
              }
            })
      )
      return Stream.repeatEffectChunkOption(next)
    })
  )
