/**
 * Gives memory back after large pages and answers.
 *
 * V8 collects garbage when something is allocated. So an engine that has nothing more to do would keep what its last requests have left,
 * hundreds of megabytes, until somebody calls it. Once `least` bytes were released, and then none for `quiet`, a collection is begun here.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

const megabyte = 1024 * 1024

/** What became garbage while V8 was marking is found by a second collection. */
const [collections, between] = [2, Duration.seconds(2)]

/** Released bytes that are worth a collection, which takes about as long as a request. */
const least = 64 * megabyte
const quiet = Duration.seconds(5)

/** Bytes outside of its heap by which V8 begins to mark; blocks of this size are never kept by the allocator of the C library. */
const [blocks, blockBytes] = [3, 48 * megabyte]

/**
 * Makes V8 collect garbage, a step at a time as ever: for memory outside of its heap it counts what is reserved. Nothing is written to
 * these blocks, so they take no memory.
 */
export const collect = (): void => {
  for (let block = 0; block < blocks; block++) new ArrayBuffer(blockBytes)
}

export interface Garbage {
  /** Says that so many bytes are not needed any more. */
  readonly released: (bytes: number) => void
}

/** Collects for as long as the scope is open. */
export const make = (begin: () => void = collect): Effect.Effect<Garbage, never, Scope.Scope> =>
  Effect.gen(function* () {
    const enough = yield* Effect.makeLatch(false)
    // Where the address space is bounded (`ulimit -v`) a block may not fit.
    const attempt = Effect.ignoreLogged(Effect.try(begin))
    let released = 0
    const calm: Effect.Effect<void> = Effect.suspend(() => {
      const before = released
      return Effect.flatMap(Effect.sleep(quiet), () => (released === before ? Effect.void : calm))
    })
    yield* enough.await.pipe(
      Effect.zipRight(calm),
      Effect.tap(() => {
        enough.unsafeClose()
        released = 0
      }),
      Effect.zipRight(Effect.repeatN(Effect.zipRight(attempt, Effect.sleep(between)), collections - 1)),
      Effect.forever,
      Effect.forkScoped
    )
    return {
      released: (bytes) => {
        released += bytes
        if (released >= least) enough.unsafeOpen()
      }
    }
  })
