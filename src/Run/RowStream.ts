/** A run as a stream: the rows that reach an end of the pipeline, while its sinks write what they are to write. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"
import type { Row } from "../Row.ts"
import type { Capacity } from "./Operator.ts"
import type { Summary } from "./RunResult.ts"

/** Takes rows that leave the run; it waits in `room`, where nobody else is kept waiting. */
export interface Tap {
  readonly take: (rows: ReadonlyArray<Row>) => Effect.Effect<void>
  readonly capacity: Capacity
  /**
   * Waits until its reader has done with all that was taken: it has asked for more. False where it has gone before that,
   * and rows that it may not have had are in no commit.
   */
  readonly read: Effect.Effect<boolean>
  /** False once its reader has gone. */
  readonly isHere: () => boolean
}

/** Chunks that a reader may be behind. */
const maxChunksAhead = 4

/**
 * Carries out what `execute` makes of a tap, and gives the rows that it takes. A reader that has had enough stops the
 * run in order; one that is slow slows it down.
 */
export const makeRowStream = <E, R>(execute: (tap: Tap) => Effect.Effect<Summary, E, R>): Stream.Stream<Row, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<Take.Take<Row, E>>()
      const latch = yield* Effect.makeLatch(true)
      const quiet = yield* Effect.makeLatch(true)
      let isHere = true
      /** Chunks that were taken, given to the reader, and done with. */
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
      // Before the run is stopped: what waits for a reader who has gone would hold it up.
      yield* Effect.addFinalizer(() => {
        isHere = false
        return Effect.zipRight(latch.open, quiet.open)
      })
      /** Who asks for a chunk has done with those before it. */
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
