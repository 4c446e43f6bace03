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
import { StepError } from "../../Step.ts"
import { mapping } from "../Requirements.ts"
import { CellType, Character, delimiterHint, HeaderInvalid, tableDecoder } from "./Csv.ts"
import { type Decoder, LinesLost, lineDecoder, type Position, wholeDecoder } from "./Decoder.ts"
import { Encoding, isPlain, Transcoder, toUtf8 } from "./Encoding.ts"
import { checkSame, drop, type Input } from "./Input.ts"
import { jsonDecoder } from "./Jsonl.ts"
import { type Cursor, type Decoding, type RowBatch, RowReader } from "./RowReader.ts"

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
  delimiter: Schema.optional(Character.annotations({ description: "one ASCII character" })).annotations({
    description: "CSV: character between cells; a comma by default, and a tab in .tsv files."
  }),
  quote: Schema.optional(Character.annotations({ description: "one ASCII character" })).annotations({
    description: 'CSV: character around cells that need it; " by default.'
  }),
  integers: Schema.optional(
    Schema.Literal("string", "strict").annotations({
      description:
        "Integers beyond 2^53, which numbers cannot hold. string (the default): their digits are kept as a string, with a warning. strict: the line is a failed row. CSV columns of the type number are rounded."
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

type Pull = Effect.Effect<Chunk.Chunk<RowBatch>, Option.Option<StepError>, FileSystem.FileSystem>

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const utf16 = (file: string, [first]: Uint8Array) =>
  new StepError({
    reason: "FileUnreadable",
    message: `${file} is UTF-16: convert it to UTF-8, or set encoding: ${first === 0xff ? "utf-16le" : "utf-16be"}`
  })

/** Blocks of a file as UTF-8. Offsets count UTF-8 bytes, so a file in another encoding is transcoded from its beginning. */
const blocksFrom = (input: Input, encoding: string | undefined, offset: number, reader: RowReader) => {
  if (encoding === undefined || isPlain(encoding)) return input.blocks(offset, () => reader.isOpen(() => false))
  const transcoder = new Transcoder(encoding, () => reader.noteStray())
  const blocks = Stream.map(
    input.blocks(0, () => reader.isOpen(() => transcoder.isSplit())),
    (block) => {
      reader.noteGrown()
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

const decodeError = (file: string, cause: unknown): StepError =>
  cause instanceof HeaderInvalid
    ? new StepError({ reason: "HeaderInvalid", message: `the header of ${file} ${cause.message}` })
    : cause instanceof LinesLost
      ? new StepError({ reason: "LinesLost", message: `${file}: ${cause.message}` })
      : new StepError({ reason: "FileUnreadable", message: `cannot read ${file}: ${String(cause)}`, cause })

const decodeRows = (
  input: Input,
  decoding: Decoding,
  from?: Cursor,
  note: Note = () => Effect.void
): Stream.Stream<RowBatch, StepError, FileSystem.FileSystem> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      if (from !== undefined) yield* checkSame(input, from.stamp)
      const { encoding } = decoding
      const reader = new RowReader(input, decoding, from)
      const blocks = yield* Stream.toPull(blocksFrom(input, encoding, from?.offset ?? 0, reader))

      let isLooked = from !== undefined
      /** Warns once if a table seems to use another delimiter: that does not make the file fail. */
      const look = Effect.suspend(() => {
        const { header } = reader
        if (isLooked || header === undefined) return Effect.void
        isLooked = true
        const hint = delimiterHint(header)
        return hint === undefined ? Effect.void : Effect.logWarning(`${input.file}: ${hint}`)
      })

      const decode = (decoded: () => ReadonlyArray<RowBatch>): Pull =>
        Effect.suspend(() => {
          const decodedBatches = Either.try({ try: decoded, catch: (cause) => decodeError(input.file, cause) })
          if (Either.isLeft(decodedBatches)) return Effect.fail(Option.some(decodedBatches.left))
          const batches = decodedBatches.right
          const emitted = batches.length > 0 || reader.isEnded ? Effect.succeed(Chunk.unsafeFromArray(batches)) : next
          return Effect.zipRight(Effect.zipRight(look, Effect.forEach(batches, note, { discard: true })), emitted)
        })
      const next: Pull = Effect.suspend(() =>
        reader.isEnded
          ? Effect.fail(Option.none())
          : Effect.matchEffect(blocks, {
              onFailure: (end) => (Option.isNone(end) ? decode(() => reader.decodeRest()) : Effect.fail(end)),
              onSuccess: (more) => {
                const [first] = more
                return reader.isAtStart && isPlain(encoding) && first !== undefined && isUtf16(first)
                  ? Effect.fail(Option.some(utf16(input.file, first)))
                  : decode(() => Chunk.toReadonlyArray(more).flatMap((block) => reader.decodeBlock(block)))
              }
            })
      )
      return Stream.repeatEffectChunkOption(next)
    })
  )
