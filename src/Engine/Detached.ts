/**
 * Takes what several requests share and what outlives them, such as a thread, without keeping anything of a request.
 *
 * A fiber keeps the contexts of all fibers that it descends from, and a finalizer those of the fiber that added it. The context of a
 * request leads to its scope, and a closed scope keeps what it ended with: an answer of up to 50 MB, for as long as the thread is kept.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"

/** Acquires in fibers that descend from the one that made this, and releases there with the scope of the caller. */
export type Detached = <A, E>(acquire: Effect.Effect<A, E, Scope.Scope>) => Effect.Effect<A, E, Scope.Scope>

export const make: Effect.Effect<Detached> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const fork = Runtime.runFork(runtime)
  const apart = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.async((resume) => {
      const fiber = fork(effect)
      fiber.addObserver(resume)
      return Fiber.interrupt(fiber)
    })
  return (acquire) =>
    Effect.acquireRelease(Scope.make(), (scope) => apart(Scope.close(scope, Exit.void))).pipe(
      Effect.flatMap((scope) => apart(Scope.extend(acquire, scope)))
    )
})
