/** Batches of sources that are as easily begun again as continued. */
import * as Chunk from "effect/Chunk"
import * as Stream from "effect/Stream"
import type { Row } from "../Row.ts"
import type { Batch, Begin, Failure } from "../Step.ts"

/** A row, or one that failed. */
export type Made = Row | Failure

const isFailure = (made: Made): made is Failure => Array.isArray(made)

/**
 * The same rows in the same order at each start: the cursor is their number, and a resumed run drops as many. The first
 * of them announce them all, where it is known how many they are.
 */
export const counted =
  ({ from }: Begin, total?: number) =>
  <E, R>(rows: Stream.Stream<Made, E, R>): Stream.Stream<Batch, E, R> => {
    const done = typeof from === "number" ? from : 0
    return rows.pipe(
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
