/** Decodes the state that a step saved with a checkpoint, and makes batches whose cursor is the number of rows returned. */

import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json, Row } from "../Row.ts"
import type { Batch, Begin, Context, Failure, Saved } from "../Step.ts"
import { StepError } from "./StepError.ts"

type Id = Pick<Context, "id">

/** Decodes the cursor of a source or the value of a step; undefined at the first start. */
export const decodeState = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeSaved(schema)
  return ({ id }: Id, value: Json | undefined): Either.Either<A | undefined, StepError> =>
    value === undefined
      ? Either.right(undefined)
      : Either.mapLeft(decode(`The state of step ${id}`, value), StepError.of)
}

/** Decodes the entries of a step, ordered by key. */
export const decodeEntries = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeSaved(schema)
  return (
    { id }: Id,
    { entries }: Saved
  ): Either.Either<ReadonlyArray<readonly [key: string, value: A]>, StepError> => {
    const decoded: Array<readonly [string, A]> = []
    for (const [key, json] of entries) {
      const value = decode(`Entry ${key} in the state of step ${id}`, json)
      if (Either.isLeft(value)) return Either.left(StepError.of(value.left))
      decoded.push([key, value.right])
    }
    return Either.right(decoded)
  }
}

/** A row or a failed row. */
export type SourceRow = Row | Failure

const isFailure = (made: SourceRow): made is Failure => Array.isArray(made)

/**
 * Batches of rows that come in the same order at each start: the cursor is their number, and a resumed run skips that many. The first batch
 * announces the total, if it is known.
 */
export const countedBatches = ({ from }: Begin, rows: Iterable<SourceRow>, total?: number): Stream.Stream<Batch> => {
  const done = typeof from === "number" ? from : 0
  return Stream.fromIterable(rows).pipe(
    Stream.drop(done),
    Stream.chunks,
    Stream.mapAccum(done, (count, chunk): readonly [number, Batch] => {
      const made = Chunk.toReadonlyArray(chunk)
      const cursor = count + made.length
      const expected = count === 0 ? total : undefined
      const failures = made.filter(isFailure)
      if (failures.length === 0) return [cursor, { rows: made as ReadonlyArray<Row>, cursor, expected }]
      return [cursor, { rows: made.filter((each): each is Row => !isFailure(each)), failures, cursor, expected }]
    })
  )
}

/** Maximum rows in a batch. */
const rowsPerBatch = 1000

/** Formats a number as the key of an entry: entries are sorted as strings. */
export const ordinal = (number: number): string => String(number).padStart(12, "0")

/** Rows in batches; the cursor is the number of rows returned. */
export const bufferedRows = (rows: ReadonlyArray<Row>, from: Json | undefined): Stream.Stream<Batch> =>
  Stream.unfold(typeof from === "number" ? from : 0, (given) => {
    const next = rows.slice(given, given + rowsPerBatch)
    const cursor = given + next.length
    return next.length === 0 ? Option.none() : Option.some([{ rows: next, cursor }, cursor])
  })
