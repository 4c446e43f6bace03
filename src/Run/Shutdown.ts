/** How a run comes to a stop before its end: nothing new is begun, and what was begun is waited for. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { BudgetReached, Stopped } from "../Step/StepError.ts"

/** `budget`: what is paid for is read to its end. `stop`: somebody wants the run to end, or a part of it has failed. */
export type ShutdownReason = "budget" | "stop"

export interface ShutdownSignal {
  /** Why the run is coming to a stop; undefined while it is not. */
  readonly reason: () => ShutdownReason | undefined
  /** The first reason counts for what is told, `stop` also ends what drains. */
  readonly request: (reason: ShutdownReason) => Effect.Effect<void>
  /** Complete when somebody has asked. */
  readonly requested: Effect.Effect<void>
  readonly stopRequested: Effect.Effect<void>
  readonly budgetReached: Effect.Effect<void>
  /** Work that was not begun because the run comes to a stop is no failure: it is left for later. */
  readonly ignoreStopped: <E, R>(effect: Effect.Effect<void, E, R>) => Effect.Effect<void, E, R>
  /** Work that a stop waits for. */
  readonly track: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Completes when somebody has asked and no work is left. */
  readonly drained: Effect.Effect<void>
}

export const make: Effect.Effect<ShutdownSignal> = Effect.gen(function* () {
  const requested = yield* Deferred.make<void>()
  const stopRequested = yield* Deferred.make<void>()
  const budgetReached = yield* Deferred.make<void>()
  const drained = yield* Deferred.make<void>()
  let reason: ShutdownReason | undefined
  let working = 0
  const settle = Effect.suspend(() =>
    reason !== undefined && working === 0 ? Effect.asVoid(Deferred.succeed(drained, undefined)) : Effect.void
  )
  const request = (why: ShutdownReason) =>
    Effect.suspend(() => {
      reason ??= why
      return Deferred.succeed(requested, undefined).pipe(
        Effect.zipRight(Deferred.succeed(why === "stop" ? stopRequested : budgetReached, undefined)),
        Effect.zipRight(settle)
      )
    })
  return {
    reason: () => reason,
    request,
    requested: Deferred.await(requested),
    stopRequested: Deferred.await(stopRequested),
    budgetReached: Deferred.await(budgetReached),
    ignoreStopped: (effect) =>
      Effect.catchAll(effect, (error) => {
        if (error instanceof BudgetReached) return request("budget")
        return error instanceof Stopped ? Effect.void : Effect.fail(error)
      }),
    track: (effect) =>
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
    drained: Deferred.await(drained)
  }
})
