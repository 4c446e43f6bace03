/**
 * Acquires resources that several requests share, or that outlive a request (such as a thread), without retaining the request.
 *
 * A fiber references the contexts of its ancestors, and a finalizer the context of the fiber that added it. A request's context references
 * its scope, and a closed scope keeps its exit value: a response of up to 50 MB would stay in memory while the thread lives.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"

/** Acquires in a fiber whose parent is the fiber that called `make`; releases there when the caller's scope closes. */
export type DetachedScope = <A, E>(acquire: Effect.Effect<A, E, Scope.Scope>) => Effect.Effect<A, E, Scope.Scope>

export const make: Effect.Effect<DetachedScope> = Effect.map(Effect.runtime<never>(), (runtime) => {
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
