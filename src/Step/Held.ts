/** Rows that a step holds until its input has ended. */
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Json, Row } from "../Row.ts"
import type { Batch } from "../Step.ts"

/** Rows given together. */
const together = 1000

/** A number as the key of an entry: entries are ordered by their texts. */
export const ordinal = (number: number): string => String(number).padStart(12, "0")

/** The rows in batches; the cursor is the number of rows given. */
export const giveAll = (rows: ReadonlyArray<Row>, from: Json | undefined): Stream.Stream<Batch> =>
  Stream.unfold(typeof from === "number" ? from : 0, (given) => {
    const next = rows.slice(given, given + together)
    const cursor = given + next.length
    return next.length === 0 ? Option.none() : Option.some([{ rows: next, cursor }, cursor])
  })
