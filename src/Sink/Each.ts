/** Work on several files at once, none of which goes on when one has failed and the caller has been told. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * On as many files at once as node has threads for, and without any ado on a single one. After a failure nothing more is
 * begun, and what has begun is waited for: `Effect.forEach` by itself may return while one of its fibers still runs.
 */
export const onEach = <A, E>(
  files: Iterable<A>,
  work: (file: A) => Effect.Effect<unknown, E>
): Effect.Effect<void, E> =>
  Effect.suspend(() => {
    const all = [...files]
    const [first] = all
    if (first === undefined) return Effect.void
    if (all.length === 1) return Effect.asVoid(work(first))
    let failed: Cause.Cause<E> = Cause.empty
    const attempt = (file: A) =>
      Cause.isEmpty(failed)
        ? Effect.catchAllCause(work(file), (cause) =>
            Effect.sync(() => {
              if (Cause.isEmpty(failed)) failed = cause
            })
          )
        : Effect.void
    return Effect.zipRight(
      Effect.forEach(all, attempt, { concurrency: 4, discard: true }),
      Effect.suspend(() => (Cause.isEmpty(failed) ? Effect.void : Effect.failCause(failed)))
    )
  })
