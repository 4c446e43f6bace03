/**
 * Shutdown signal of a run: stops new work, and waits for work in flight.
 *
 * - States: running, requested, drained (requested, and no tracked work is left). A state is never left for an earlier one, and it is not
 *   saved: a resumed run starts with a new signal.
 * - `budget` still reads everything that is paid for; `stop` ends that, too. Only the first reason is reported.
 * - Any fiber may request a shutdown, as often as it likes.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ensuringWithin } from "../Callback/Lean.ts"
import { BudgetReached, Stopped } from "../Step/StepError.ts"

/** `budget`: the budget has reached a limit. `stop`: a user wants to end the run, or an operator has failed. */
export type ShutdownReason = "budget" | "stop"

/** Maximum wait for calls in flight when a run ends: their answers are paid for. */
export const gracePeriod = "5 seconds"

export interface ShutdownSignal {
  /** Undefined while the run is not shutting down. */
  readonly reason: () => ShutdownReason | undefined
  /** True once a stop is requested. */
  readonly isStopping: () => boolean
  readonly request: (reason: ShutdownReason) => Effect.Effect<void>
  /** Completes on the first request. */
  readonly requested: Effect.Effect<void>
  readonly stopRequested: Effect.Effect<void>
  readonly budgetReached: Effect.Effect<void>
  /** Publishes what is paid for: from now on, an operator that can pay for nothing more ends. */
  readonly publishPaid: Effect.Effect<void>
  readonly isPublishing: () => boolean
  /** Succeeds if work did not start because of the shutdown: it is left for later and has not failed. */
  readonly ignoreStopped: <E, R>(effect: Effect.Effect<void, E, R>) => Effect.Effect<void, E, R>
  /** Runs work that a shutdown waits for. */
  readonly track: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Completes when a shutdown is requested and no tracked work is left. */
  readonly drained: Effect.Effect<void>
  /**
   * Requests a stop, and waits until the run has drained or the grace period is over. An interrupt does not end the
   * wait.
   */
  readonly stopAndDrain: Effect.Effect<void>
}

export const make: Effect.Effect<ShutdownSignal> = Effect.gen(function* () {
  const requested = yield* Deferred.make<void>()
  const stopRequested = yield* Deferred.make<void>()
  const budgetReached = yield* Deferred.make<void>()
  const drained = yield* Deferred.make<void>()
  let reason: ShutdownReason | undefined
  let isStopping = false
  let inFlight = 0
  let isPublishing = false
  const checkDrained = () => {
    if (reason !== undefined && inFlight === 0) Deferred.unsafeDone(drained, Effect.void)
  }
  const request = (why: ShutdownReason) =>
    Effect.suspend(() => {
      reason ??= why
      isStopping ||= why === "stop"
      return Deferred.succeed(requested, undefined).pipe(
        Effect.zipRight(Deferred.succeed(why === "stop" ? stopRequested : budgetReached, undefined)),
        Effect.zipRight(Effect.sync(checkDrained))
      )
    })
  return {
    reason: () => reason,
    isStopping: () => isStopping,
    request,
    requested: Deferred.await(requested),
    stopRequested: Deferred.await(stopRequested),
    budgetReached: Deferred.await(budgetReached),
    publishPaid: Effect.sync(() => {
      isPublishing = true
    }),
    isPublishing: () => isPublishing,
    ignoreStopped: (effect) =>
      Effect.catchAll(effect, (error) => {
        if (error instanceof BudgetReached) return request("budget")
        return error instanceof Stopped ? Effect.void : Effect.fail(error)
      }),
    track: (effect) =>
      Effect.uninterruptibleMask((restore) => {
        inFlight++
        return ensuringWithin(restore(effect), () => {
          inFlight--
          checkDrained()
        })
      }),
    drained: Deferred.await(drained),
    stopAndDrain: Effect.zipRight(
      request("stop"),
      // On its own fiber: a caller that is interrupted now still waits, and the wait runs only once.
      Effect.fork(Effect.interruptible(Effect.timeout(Deferred.await(drained), gracePeriod))).pipe(
        Effect.flatMap(Fiber.await),
        Effect.asVoid
      )
    )
  }
})
