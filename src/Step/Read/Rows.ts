/** Rows of a file: its format, and batches from its beginning or from where an earlier run stopped. */

import type * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Batch, type Failure, StepError } from "../../Step.ts"
import { CellType, delimiterHint, HeaderInvalid, tableDecoder } from "./Csv.ts"
import { type Decoded, type Decoder, failedRow, LineSplitter, Position } from "./Decoder.ts"
import { checkSame, type Input, Stamp } from "./Input.ts"
import { jsonDecoder } from "./Jsonl.ts"

/** One ASCII character that can stand between or around cells. */
const Mark = Schema.String.pipe(
  Schema.filter((text) => /^[\t\x20-\x7e]$/.test(text) || "expected one ASCII character, such as , or ; or a tab")
)

/** The fields beside the file's name, for every step that reads rows from a file. */
export const formatFields = {
  format: Schema.optional(Schema.Literal("jsonl", "csv")).annotations({
    description: "Format of the file; without it, by its name (.jsonl .ndjson .csv .tsv, with or without .gz)."
  }),
  columns: Schema.optional(
    Schema.Record({ key: Schema.String, value: CellType }).annotations({
      description:
        "CSV: types of columns by name; string by default. An empty cell of another type is null. Without a header, the columns in their order."
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
  nullText: Schema.optional(Schema.String).annotations({ description: "CSV: a cell with this text is null." })
} as const

const Fields = Schema.Struct(formatFields)

/** File and format. */
export type Format = typeof Fields.Type & { readonly file: string }

const bare = (file: string): string => file.replace(/\.gz$/i, "").toLowerCase()

const formatOf = ({ file, format }: Format): "jsonl" | "csv" | undefined => {
  if (format !== undefined) return format
  if (file === "-" || /\.(jsonl|ndjson)$/.test(bare(file))) return "jsonl"
  return /\.(csv|tsv)$/.test(bare(file)) ? "csv" : undefined
}

/** Error in the format options, with the path of the field. */
export const formatIssue = (
  config: Format
): { readonly path: ReadonlyArray<string>; readonly message: string } | undefined => {
  const { columns, delimiter, file, format: _, header, nullText, quote } = config
  const format = formatOf(config)
  if (file === "") return { path: ["file"], message: "name a file, or - for what is piped in" }
  if (format === undefined) {
    return { path: ["file"], message: `what is in ${file} is not told by its name: add format: jsonl or format: csv` }
  }
  const options = { columns, header, delimiter, quote, nullText }
  const lone = Object.entries(options).find(([, value]) => value !== undefined)?.[0]
  if (format === "jsonl" && lone !== undefined)
    return { path: [lone], message: `${lone} is for csv, and this is jsonl` }
  if ((delimiter ?? ",") === (quote ?? '"')) return { path: ["delimiter"], message: "delimiter and quote must differ" }
  return undefined
}

/** Makes a decoder of the file from a position. The decoder may throw `HeaderInvalid`. */
export const decoderOf = (config: Format, from: Position): Decoder => {
  const { columns, file, header = true, integers = "string", nullText, quote = '"' } = config
  if (formatOf(config) === "jsonl") return jsonDecoder(from, integers)
  const delimiter = config.delimiter ?? (bare(file).endsWith(".tsv") ? "\t" : ",")
  return tableDecoder({ columns, delimiter, header, integers, nullText, quote }, from)
}

/** Position at which a resume continues. */
export const Cursor = Schema.Struct({
  ...Position.fields,
  /** Unpacked bytes read before. */
  offset: Schema.Number,
  /** Rows emitted. */
  rows: Schema.Number,
  stamp: Schema.optional(Stamp)
})
export type Cursor = typeof Cursor.Type

export interface RowBatch extends Batch {
  readonly cursor: Cursor
  readonly failures: ReadonlyArray<Failure>
  /** An integer beyond 2^53 that was kept as a string, where there was one. */
  readonly kept?: string | undefined
}

type Pull = Effect.Effect<Chunk.Chunk<RowBatch>, Option.Option<StepError>, FileSystem.FileSystem>

const utf16 = (file: string) =>
  new StepError({ reason: "FileUnreadable", message: `${file} is UTF-16: convert it to UTF-8` })

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/**
 * Reads a file, in a resumed run from the cursor of the last batch. `note` is called with each batch before it is emitted.
 *
 * One effect per block, no operators of streams: they cost as much as the decoder, and those that run effects (`tap`, `mapEffect`) link each
 * batch to the next, so that the collector of young garbage keeps the rows of all of them.
 */
export const rowsOf = (
  input: Input,
  format: Format,
  from?: Cursor,
  note: (batch: RowBatch) => Effect.Effect<void> = () => Effect.void
): Stream.Stream<RowBatch, StepError, FileSystem.FileSystem> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      if (from !== undefined) yield* checkSame(input, from.stamp)
      const start: Cursor = from ?? { offset: 0, line: 0, rows: 0 }
      const decoder = decoderOf(format, start)
      const cutter = new LineSplitter()
      const blocks = yield* Stream.toPull(input.blocks(start.offset))
      let read = start.offset
      let given = start.rows
      let isEnded = false

      /** A batch, if there are decoded lines. */
      const batch = ({ kept, malformed, rows }: Decoded): ReadonlyArray<RowBatch> => {
        if (rows.length === 0 && malformed.length === 0) return []
        given += rows.length
        const offset = read - cutter.open - decoder.held()
        const cursor = { ...decoder.state(), offset, rows: given, stamp: input.stamp }
        return [{ rows, cursor, failures: malformed.map((each) => failedRow(input.file, each)), kept }]
      }

      const decodeError = (cause: unknown): StepError =>
        cause instanceof HeaderInvalid
          ? new StepError({ reason: "HeaderInvalid", message: `the header of ${input.file} ${cause.message}` })
          : new StepError({ reason: "FileUnreadable", message: `cannot read ${input.file}: ${String(cause)}`, cause })

      const decodeBlock = (block: Uint8Array): ReadonlyArray<RowBatch> => {
        read += block.length
        return batch(decoder.decode(cutter.cut(block)))
      }
      const decodeRest = (): ReadonlyArray<RowBatch> => {
        isEnded = true
        return [...batch(decoder.decode(cutter.end())), ...batch(decoder.end())]
      }

      let isLooked = from !== undefined
      /** A table with another separator is no failure of the file: it is warned of once. */
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
                return read === 0 && first !== undefined && isUtf16(first)
                  ? Effect.fail(Option.some(utf16(input.file)))
                  : decode(() => Chunk.toReadonlyArray(more).flatMap(decodeBlock))
              }
            })
      )
      return Stream.repeatEffectChunkOption(next)
    })
  )
