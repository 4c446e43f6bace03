/** A file as batches of rows, from its beginning or from where an earlier run stopped. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Row } from "../../Row.ts"
import { type Batch, StepError } from "../../Step.ts"
import { type Decoded, failedRow, type Malformed, type Position } from "./Decoder.ts"
import { decoderOf, type Format } from "./Format.ts"
import { checkSame, type Input, type Stamp } from "./Input.ts"
import { Cutter } from "./Lines.ts"
import { HeaderInvalid } from "./Table.ts"

/** Where reading goes on. Plain JSON. */
export type Cursor = Position & {
  /** Unpacked bytes before it. */
  readonly offset: number
  /** Rows given. */
  readonly rows: number
  readonly stamp?: Stamp | undefined
}

export interface RowBatch extends Batch {
  readonly cursor: Cursor
}

/** What becomes of a line that is no row: what is returned goes on in its place. */
type Settle = (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Reads a file; a resumed run gives the cursor of the last batch. */
export const rowsOf = (
  input: Input,
  format: Format,
  settle: Settle,
  from?: Cursor
): Stream.Stream<RowBatch, StepError, FileSystem.FileSystem> =>
  Stream.suspend(() => {
    const start: Cursor = from ?? { offset: 0, line: 0, rows: 0 }
    const decoder = decoderOf(format, start)
    const cutter = new Cutter()
    let read = start.offset
    let rows = start.rows

    /** What some lines came to; nothing when it is nothing. */
    const batch = (made: ReadonlyArray<Row>, failures: number): ReadonlyArray<RowBatch> => {
      if (made.length === 0 && failures === 0) return []
      rows += made.length
      const offset = read - cutter.open - decoder.held()
      return [{ rows: made, cursor: { ...decoder.state(), offset, rows, stamp: input.stamp } }]
    }

    /** What is malformed is settled in its place. */
    const settleAll = (decoded: Decoded): Effect.Effect<ReadonlyArray<RowBatch>, StepError> => {
      const failures = decoded.malformed
      if (failures.length === 0) return Effect.succeed(batch(decoded.rows, 0))
      const each = (failure: Malformed, index: number) =>
        Effect.map(settle(...failedRow(input.file, failure)), (instead) => [
          ...decoded.rows.slice(failures[index - 1]?.at ?? 0, failure.at),
          ...instead
        ])
      return Effect.map(Effect.forEach(failures, each), (parts) =>
        batch([...parts.flat(), ...decoded.rows.slice(failures.at(-1)?.at ?? 0)], failures.length)
      )
    }

    const decode = (decoded: () => Decoded): Effect.Effect<ReadonlyArray<RowBatch>, StepError> =>
      Either.try({
        try: decoded,
        catch: (cause) =>
          cause instanceof HeaderInvalid
            ? new StepError({ reason: "HeaderInvalid", message: `the header of ${input.file} ${cause.message}` })
            : new StepError({ reason: "FileUnreadable", message: `cannot read ${input.file}: ${String(cause)}`, cause })
      }).pipe(Effect.flatMap(settleAll))

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
    const all = Stream.flattenIterables(Stream.concat(blocks, rest))
    return from === undefined ? all : Stream.unwrap(Effect.as(checkSame(input, from.stamp), all))
  })
