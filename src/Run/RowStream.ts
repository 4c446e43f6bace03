/**
 * A run as a stream of the rows that reach an end of the pipeline; its sinks write at the same time.
 *
 * - A slow reader slows the run down: the run is never more than a few chunks ahead. A reader that leaves stops the run
 *   cleanly.
 * - A checkpoint waits until the reader asks for more rows, because only then it has processed those before. Rows that
 *   it has not yet finished come again after a resume.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"
import type { Row } from "../Row.ts"
import type { Tap } from "./Operator.ts"
import type { Summary } from "./RunResult.ts"

/** Maximum chunks that the run may be ahead of its reader. */
const maxChunksAhead = 4

/** Executes a run with a `Tap`, which receives the rows that leave the run, and streams these rows. */
export const makeRowStream = <E, R>(execute: (tap: Tap) => Effect.Effect<Summary, E, R>): Stream.Stream<Row, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<Take.Take<Row, E>>()
      const latch = yield* Effect.makeLatch(true)
      const quiet = yield* Effect.makeLatch(true)
      let isHere = true
      /** Numbers of chunks: taken from the run, given to the reader, and finished by the reader. */
      const chunks = { taken: 0, given: 0, done: 0 }
      const isFree = () => !isHere || queue.unsafeSize().pipe(Option.getOrElse(() => 0)) <= maxChunksAhead
      const measure = Effect.suspend(() => (isFree() ? latch.open : latch.close))
      const tap: Tap = {
        take: (rows) =>
          Effect.suspend(() => {
            chunks.taken++
            if (isHere) quiet.unsafeClose()
            return Effect.zipRight(Queue.offer(queue, Take.chunk(Chunk.unsafeFromArray(rows))), measure)
          }),
        capacity: { isFree, wait: latch.await },
        read: Effect.map(quiet.await, () => chunks.done === chunks.taken),
        isHere: () => isHere
      }
      yield* execute(tap).pipe(
        Effect.exit,
        Effect.flatMap((exit) => Queue.offer(queue, Exit.isSuccess(exit) ? Take.end : Take.failCause(exit.cause))),
        Effect.forkScoped
      )
      // Release the operators before the run is stopped: waiting for a reader that has left would delay it.
      yield* Effect.addFinalizer(() => {
        isHere = false
        return Effect.zipRight(latch.open, quiet.open)
      })
      /** Asking for a chunk means that the reader has finished those before it. */
      const next = Effect.suspend(() => {
        chunks.done = chunks.given
        if (chunks.done === chunks.taken) quiet.unsafeOpen()
        return Queue.take(queue)
      }).pipe(
        Effect.tap(() => measure),
        Effect.flatMap(Take.done),
        Effect.tap(() => Effect.sync(() => chunks.given++))
      )
      return Stream.repeatEffectChunkOption(next)
    })
  )
