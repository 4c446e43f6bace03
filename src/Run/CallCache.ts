/**
 * Answers of paid calls: each is stored in the ledger, with its price, before a step may use it, so you never pay for the same
 * call twice.
 *
 * - An answer is found by its step and its mark (a key that identifies the call within the step), in every process that
 *   resumes the run, until the checkpoint with its rows is committed. `release` drops it then, under the commit lock.
 * - A shutdown does not interrupt a call in flight: the run waits for its answer, at most for the grace period.
 * - If the process dies before the answer is in the ledger, the call is made again, with the same idempotency key.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Restore } from "../Callback/Lean.ts"
import { mapError } from "../Callback/Lean.ts"
import { paused } from "../Client/TimeLimit.ts"
import type { Journal } from "../Ledger/Model.ts"
import type { Json } from "../Row.ts"
import * as Cost from "../Step/Cost.ts"
import { Stopped } from "../Step/StepError.ts"
import type { Booking, Buying, Reservation, StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Budget } from "./Budget.ts"
import type { CheckpointBuffer } from "./Checkpoint.ts"
import type { Counters } from "./Progress.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

export interface CachedCall<A> {
  readonly step: string
  readonly mark: string
  readonly book: ((answer: A) => Booking) | undefined
  /** Called if the answer comes from the cache. */
  readonly onHit?: (() => void) | undefined
  /** Run when the price of the new answer is unknown. */
  readonly whenUnpriced?: Effect.Effect<void> | undefined
  readonly buys?: Buying | undefined
}

export interface CallCache {
  /** Returns the stored answer, or makes the call, and stores and books its answer before returning it. */
  readonly once: <A, R>(
    asked: CachedCall<A>,
    ask: (units: number) => Effect.Effect<A, StepError, R>
  ) => Effect.Effect<A, StepError, R>
  /**
   * Drops the answers of finished tasks, by the marks of their calls: the next call with one of these marks is made again. Call it under
   * the commit lock.
   */
  readonly release: (step: string, marks: ReadonlyArray<string>) => void
}

interface CallCacheOptions {
  readonly journal: Pick<Journal, "answers" | "recordCall">
  readonly counters: Counters
  readonly budget: Pick<Budget, "inTime" | "learn" | "rate" | "reserve">
  readonly shutdown: ShutdownSignal
  readonly buffer: Pick<CheckpointBuffer, "resolveCalls">
}

type Answers = Map<string, unknown>

interface CacheState extends CallCacheOptions {
  /** Scope of the run, for calls that outlive their step. */
  readonly scope: Scope.Scope
  /** Answers from before the resume, by step and mark. */
  readonly stored: ReadonlyMap<string, Answers>
}

/** The exit of a fiber; its changes of fiber refs are not inherited. */
const answerOf = <A>(fiber: Fiber.RuntimeFiber<A, StepError>): Effect.Effect<A, StepError> =>
  Effect.async((resume) => {
    fiber.addObserver(resume)
    return Effect.sync(() => fiber.removeObserver(resume))
  })

/**
 * Runs a call in a fiber of the run, and waits for it. A shutdown that interrupts the step lets the call finish, because it is paid for.
 */
const finishInShutdown = <A, R>(
  { scope, shutdown }: CacheState,
  call: Effect.Effect<A, StepError, R>,
  restore: Restore
): Effect.Effect<A, StepError, R> =>
  Effect.flatMap(Effect.forkIn(call, scope), (fiber) =>
    Effect.matchCauseEffect(restore(answerOf(fiber)), {
      onFailure: (cause) => {
        const isLeft = shutdown.reason() !== undefined || !Cause.isInterrupted(cause)
        return isLeft ? Effect.failCause(cause) : Effect.zipRight(Fiber.interrupt(fiber), Effect.failCause(cause))
      },
      onSuccess: Effect.succeed
    })
  )

/** Price of an answer; null if unknown, undefined for an answer that is not booked. */
const creditsOf = (
  booking: Booking | undefined,
  { buys }: Pick<CachedCall<never>, "buys">,
  units: number,
  rate: Cost.PriceOf
): number | null | undefined => {
  if (booking === undefined) return undefined
  // If the service reported no price, the price list may still leave only one.
  const sure = buys === undefined || buys.isJob === true ? undefined : Cost.sureCredits(buys.cost(units), rate)
  return booking.credits ?? sure ?? null
}

/** Stores an answer, and books its price in place of the reservation. */
const store =
  <A>({ budget, counters, journal }: CacheState, asked: CachedCall<A>, reservation: Reservation | undefined) =>
  (answer: A) => {
    const { book, buys, mark, step, whenUnpriced = Effect.void } = asked
    const booking = book?.(answer)
    const { page, pages = page === undefined ? 0 : 1 } = booking ?? {}
    const credits = creditsOf(booking, asked, reservation?.units ?? 1, budget.rate)
    if (buys !== undefined && credits !== undefined) budget.learn(step, credits ?? undefined)
    const call = { step, mark, answer: answer as Json, credits, page, pages, reservation: reservation?.id }
    const recorded = mapError(journal.recordCall(call), ledgerFailed)
    return Effect.flatMap(recorded, () => {
      if (credits === null) counters.callUnpriced++
      else counters.callCredits += credits ?? 0
      if (booking !== undefined) {
        counters.answers++
        counters.calls++
      }
      counters.callPages += pages
      reservation?.settle()
      const noted = Trace.note({ "sluice.credits": credits ?? undefined })
      return Effect.as(credits === null ? Effect.zipRight(noted, whenUnpriced) : noted, answer)
    })
  }

/**
 * Reserves credits, makes the call and stores the answer. Releases the reservation however the call ends. Not a generator: see
 * `deliverBatch` in `Operator.ts`.
 */
const callService = <A, R>(
  state: CacheState,
  asked: CachedCall<A>,
  ask: (units: number) => Effect.Effect<A, StepError, R>
): Effect.Effect<A, StepError, R> =>
  Effect.uninterruptibleMask((restore) => {
    const { budget, shutdown } = state
    const { buys, mark, step } = asked
    if (shutdown.reason() === "stop") return new Stopped({ message: "the run is stopping" })
    const reserved: Effect.Effect<Reservation | undefined, StepError> =
      buys === undefined
        ? Effect.succeed(undefined)
        : Effect.suspend(() => paused(budget.reserve({ step, mark }, buys)))
    return Effect.flatMap(Effect.zipRight(budget.inTime, reserved), (reservation) => {
      const call = Effect.flatMap(Effect.interruptible(ask(reservation?.units ?? 1)), store(state, asked, reservation))
      const { release = Effect.void } = reservation ?? {}
      const released = release === Effect.void ? call : Effect.ensuring(call, release)
      return finishInShutdown(state, shutdown.track(released), restore)
    })
  })

/** Makes the cache of a run, with the answers stored in the ledger. */
export const make = (options: CallCacheOptions): Effect.Effect<CallCache, StepError, Scope.Scope> =>
  Effect.gen(function* () {
    const saved = yield* Effect.mapError(options.journal.answers, ledgerFailed)
    const stored = new Map(Array.from(saved, ([step, answers]): [string, Answers] => [step, new Map(answers)]))
    const state: CacheState = { ...options, scope: yield* Effect.scope, stored }
    return {
      release: (step, marks) => {
        options.buffer.resolveCalls(step, marks)
        for (const mark of marks) stored.get(step)?.delete(mark)
      },
      once: <A, R>(asked: CachedCall<A>, ask: (units: number) => Effect.Effect<A, StepError, R>) => {
        const answer = stored.get(asked.step)?.get(asked.mark)
        if (answer === undefined) return callService(state, asked, ask)
        return Effect.sync(() => {
          asked.onHit?.()
          return answer as A
        })
      }
    }
  })
