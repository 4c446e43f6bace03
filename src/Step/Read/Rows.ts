/** A file as batches of rows, from its beginning or from where an earlier run stopped. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Batch, type Failure, StepError } from "../../Step.ts"
import { type Decoded, failedRow, Position } from "./Decoder.ts"
import { decoderOf, type Format } from "./Format.ts"
import { checkSame, type Input, Stamp } from "./Input.ts"
import { Cutter } from "./Lines.ts"
import { delimiterHint, HeaderInvalid } from "./Table.ts"

/** Where reading goes on. */
export const Cursor = Schema.Struct({
  ...Position.fields,
  /** Unpacked bytes before it. */
  offset: Schema.Number,
  /** Rows given. */
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

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Reads a file; a resumed run gives the cursor of the last batch. */
export const rowsOf = (
  input: Input,
  format: Format,
  from?: Cursor
): Stream.Stream<RowBatch, StepError, FileSystem.FileSystem> =>
  Stream.suspend(() => {
    const start: Cursor = from ?? { offset: 0, line: 0, rows: 0 }
    const decoder = decoderOf(format, start)
    const cutter = new Cutter()
    let read = start.offset
    let given = start.rows

    /** What some lines came to; nothing when it is nothing. */
    const batch = ({ kept, malformed, rows }: Decoded): ReadonlyArray<RowBatch> => {
      if (rows.length === 0 && malformed.length === 0) return []
      given += rows.length
      const offset = read - cutter.open - decoder.held()
      const cursor = { ...decoder.state(), offset, rows: given, stamp: input.stamp }
      return [{ rows, cursor, failures: malformed.map((each) => failedRow(input.file, each)), kept }]
    }

    const decode = (decoded: () => Decoded): Either.Either<ReadonlyArray<RowBatch>, StepError> =>
      Either.try({
        try: () => batch(decoded()),
        catch: (cause) =>
          cause instanceof HeaderInvalid
            ? new StepError({ reason: "HeaderInvalid", message: `the header of ${input.file} ${cause.message}` })
            : new StepError({ reason: "FileUnreadable", message: `cannot read ${input.file}: ${String(cause)}`, cause })
      })

    let isLooked = from !== undefined
    /** A table with another separator is no failure of the file: it is warned of once. */
    const look = Effect.suspend(() => {
      const { header } = decoder.state()
      if (isLooked || header === undefined) return Effect.void
      isLooked = true
      const hint = delimiterHint(header)
      return hint === undefined ? Effect.void : Effect.logWarning(`${input.file}: ${hint}`)
    })

    const blocks = Stream.mapEffect(input.blocks(start.offset), (block) => {
      if (read === 0 && isUtf16(block)) {
        const message = `${input.file} is UTF-16: convert it to UTF-8`
        return new StepError({ reason: "FileUnreadable", message })
      }
      read += block.length
      return decode(() => decoder.decode(cutter.cut(block)))
    })
    const rest = Stream.mapEffect(
      Stream.make(() => decoder.decode(cutter.end()), decoder.end),
      decode
    )
    const all = Stream.flattenIterables(Stream.tap(Stream.concat(blocks, rest), () => look))
    return from === undefined ? all : Stream.unwrap(Effect.as(checkSame(input, from.stamp), all))
  })
