/** How a run comes to a stop before its end: nothing new is begun, and what was begun is waited for. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** `budget`: what is paid for is read to its end. `stop`: somebody wants the run to end, or a part of it has failed. */
export type Reason = "budget" | "stop"

export interface Halt {
  /** Why the run is coming to a stop; undefined while it is not. */
  readonly reason: () => Reason | undefined
  /** The first reason counts for what is told, `stop` also ends what drains. */
  readonly ask: (reason: Reason) => Effect.Effect<void>
  /** Complete when somebody has asked. */
  readonly asked: Effect.Effect<void>
  readonly stopped: Effect.Effect<void>
  readonly reached: Effect.Effect<void>
  /** Work that was not begun because the run comes to a stop is no failure: it is left for later. */
  readonly respect: <E extends { readonly reason?: unknown }, R>(
    effect: Effect.Effect<void, E, R>
  ) => Effect.Effect<void, E, R>
  /** Work that a stop waits for. */
  readonly busy: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Completes when somebody has asked and no work is left. */
  readonly quiet: Effect.Effect<void>
}

export const make: Effect.Effect<Halt> = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const stopped = yield* Deferred.make<void>()
  const reached = yield* Deferred.make<void>()
  const quiet = yield* Deferred.make<void>()
  let reason: Reason | undefined
  let working = 0
  const settle = Effect.suspend(() =>
    reason !== undefined && working === 0 ? Effect.asVoid(Deferred.succeed(quiet, undefined)) : Effect.void
  )
  const ask = (why: Reason) =>
    Effect.suspend(() => {
      reason ??= why
      return Deferred.succeed(asked, undefined).pipe(
        Effect.zipRight(Deferred.succeed(why === "stop" ? stopped : reached, undefined)),
        Effect.zipRight(settle)
      )
    })
  return {
    reason: () => reason,
    ask,
    asked: Deferred.await(asked),
    stopped: Deferred.await(stopped),
    reached: Deferred.await(reached),
    respect: (effect) =>
      Effect.catchAll(effect, (error) => {
        if (error.reason === "BudgetReached") return ask("budget")
        return error.reason === "Stopped" ? Effect.void : Effect.fail(error)
      }),
    busy: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          working++
        }),
        () => effect,
        () =>
          Effect.suspend(() => {
            working--
            return settle
          })
      ),
    quiet: Deferred.await(quiet)
  }
})
