/**
 * Answers of paid calls: each is in the ledger, with its price, before a step may use it, so you never pay for the same
 * call twice.
 *
 * - An answer is found again by its step and mark, in every process that resumes the run, until the checkpoint that has
 *   its rows is committed. `release` says so, under the commit lock.
 * - A call in flight is not interrupted by a shutdown: the run waits for its answer, at most for the grace period.
 * - If the process dies before the answer is in the ledger, the call is made again, with the same idempotency key.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
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
  /** Called when the answer comes from the cache. */
  readonly onHit?: (() => void) | undefined
  readonly buys?: Buying | undefined
}

export interface CallCache {
  /** The stored answer, or a new one, which is stored and booked before it is returned. */
  readonly once: <A, R>(
    asked: CachedCall<A>,
    ask: (units: number) => Effect.Effect<A, StepError, R>
  ) => Effect.Effect<A, StepError, R>
  /**
   * Drops the answers of finished tasks: a task that gets one of these marks next calls again. Under the commit lock.
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

export const make = ({
  budget,
  buffer,
  counters,
  journal,
  shutdown
}: CallCacheOptions): Effect.Effect<CallCache, StepError, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const saved = yield* Effect.mapError(journal.answers, ledgerFailed)
    const stored = new Map(Array.from(saved, ([step, answers]) => [step, new Map(answers)]))
    const failIfStopped = Effect.suspend(() =>
      shutdown.reason() === "stop" ? new Stopped({ message: "the run comes to a stop" }) : Effect.void
    )
    /** Lets a call finish when its step is interrupted by a shutdown: its answer is paid for. */
    const finishInShutdown = <A, R>(
      call: Effect.Effect<A, StepError, R>,
      restore: <B, E, S>(effect: Effect.Effect<B, E, S>) => Effect.Effect<B, E, S>
    ): Effect.Effect<A, StepError, R> =>
      Effect.flatMap(Effect.forkIn(call, scope), (fiber) =>
        Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
          shutdown.reason() === undefined ? Fiber.interrupt(fiber) : Effect.void
        )
      )

    /** Stores an answer, and books its price in place of the reservation. */
    const store =
      <A>({ book, buys, mark, step }: CachedCall<A>, reservation: Reservation | undefined) =>
      (answer: A) => {
        const booking = book?.(answer)
        const { page, pages = page === undefined ? 0 : 1 } = booking ?? {}
        // The service did not report a price, but the price list has exactly one.
        const sure =
          buys === undefined || buys.isJob === true
            ? undefined
            : Cost.sureCredits(buys.cost(reservation?.units ?? 1), budget.rate)
        const credits = booking === undefined ? undefined : (booking.credits ?? sure ?? null)
        const warning =
          buys === undefined || credits === undefined ? undefined : budget.learn(step, credits ?? undefined)
        const call = { step, mark, answer: answer as Json, credits, page, pages, reservation: reservation?.id }
        return journal.recordCall(call).pipe(
          Effect.mapError(ledgerFailed),
          Effect.map(() => {
            if (credits === null) counters.callUnpriced++
            else counters.callCredits += credits ?? 0
            if (booking !== undefined) counters.answers++
            counters.callPages += pages
            reservation?.settle()
            return answer
          }),
          Effect.zipLeft(Trace.note({ "sluice.credits": credits ?? undefined })),
          Effect.zipLeft(warning === undefined ? Effect.void : Effect.logWarning(warning))
        )
      }

    return {
      release: (step, marks) => {
        buffer.resolveCalls(step, marks)
        for (const mark of marks) stored.get(step)?.delete(mark)
      },
      once: <A, R>(asked: CachedCall<A>, ask: (units: number) => Effect.Effect<A, StepError, R>) => {
        const { buys, onHit: isKept, mark, step } = asked
        const answer = stored.get(step)?.get(mark)
        if (answer !== undefined) {
          return Effect.sync(() => {
            isKept?.()
            return answer as A
          })
        }
        return Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* failIfStopped
            yield* budget.inTime
            const reservation = buys === undefined ? undefined : yield* paused(budget.reserve({ step, mark }, buys))
            const work = Effect.flatMap(
              Effect.interruptible(ask(reservation?.units ?? 1)),
              store(asked, reservation)
            ).pipe(Effect.ensuring(reservation?.release ?? Effect.void))
            return yield* finishInShutdown(shutdown.track(work), restore)
          })
        )
      }
    }
  })
