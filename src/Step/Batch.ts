/** Batches of sources that are as easily begun again as continued. */
import * as Chunk from "effect/Chunk"
import * as Stream from "effect/Stream"
import type { Row } from "../Row.ts"
import type { Batch, Begin } from "../Step.ts"

/** The same rows in the same order at each start: the cursor is their number, and a resumed run drops as many. */
export const counted =
  ({ from }: Begin) =>
  <E, R>(rows: Stream.Stream<Row, E, R>): Stream.Stream<Batch, E, R> => {
    const done = typeof from === "number" ? from : 0
    return rows.pipe(
      Stream.drop(done),
      Stream.chunks,
      Stream.mapAccum(done, (count, chunk) => {
        const rows = Chunk.toReadonlyArray(chunk)
        const cursor = count + rows.length
        return [cursor, { rows, cursor }]
      })
    )
  }
