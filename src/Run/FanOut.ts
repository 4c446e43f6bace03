/** One stream for several readers: every row to each, at the pace of the slowest that still reads. */
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"

/** Chunks that a reader may be behind. */
const slack = 4

/** Splits `rows`; the source is started by the first reader and stopped when the last has left. */
export const fanOut = <A, E, R>(
  rows: Stream.Stream<A, E, R>,
  readers: number
): Effect.Effect<ReadonlyArray<Stream.Stream<A, E, R>>, never, Scope.Scope | R> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const allGone = yield* Deferred.make<void>()
    const branches = yield* Effect.forEach(Array.from({ length: readers }), () =>
      Effect.map(Queue.bounded<Take.Take<A, E>>(slack), (queue) => ({ queue, gone: false }))
    )
    const send = (take: Take.Take<A, E>) =>
      Effect.forEach(branches, ({ queue, gone }) => (gone ? Effect.void : Queue.offer(queue, take)), {
        concurrency: "unbounded",
        discard: true
      })
    const pump = rows.pipe(
      Stream.interruptWhenDeferred(allGone),
      Stream.runForEachChunk((chunk) => (Chunk.isEmpty(chunk) ? Effect.void : send(Take.chunk(chunk)))),
      Effect.exit,
      Effect.flatMap((exit) => send(Exit.isSuccess(exit) ? Take.end : Take.failCause(exit.cause)))
    )
    const start = yield* Effect.once(Effect.forkIn(pump, scope))
    const leave = (branch: (typeof branches)[number]) =>
      Effect.gen(function* () {
        branch.gone = true
        // Frees a source that is waiting for this reader.
        yield* Queue.takeAll(branch.queue)
        if (branches.every(({ gone }) => gone)) yield* Deferred.succeed(allGone, undefined)
      })
    return branches.map((branch) =>
      Stream.unwrap(Effect.as(start, Stream.flattenTake(Stream.fromQueue(branch.queue, { maxChunkSize: 1 })))).pipe(
        Stream.ensuring(leave(branch))
      )
    )
  })
