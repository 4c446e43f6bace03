/** What services answered, kept until a checkpoint has what it led to: nothing that is paid for is asked for again. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Json } from "../Row.ts"
import { type Booking, StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Budget } from "./Budget.ts"
import type { Counters } from "./Counters.ts"
import type { Halt } from "./Halt.ts"
import type { LedgerError } from "./Ledger/Errors.ts"
import type { Journal } from "./Ledger.ts"

export interface Asked<A> {
  readonly step: string
  readonly mark: string
  readonly book: ((answer: A) => Booking) | undefined
  /** Called when the answer is the kept one. */
  readonly kept?: (() => void) | undefined
}

export interface Answers {
  /** The kept answer, or a new one, which is kept and booked before it is given. */
  readonly once: <A, R>(asked: Asked<A>, ask: Effect.Effect<A, StepError, R>) => Effect.Effect<A, StepError, R>
  /** These tasks are done: who gets their marks next asks for answers of their own. */
  readonly settle: (step: string, marks: ReadonlyArray<string>) => void
}

/** A failure of the ledger as the run's. */
export const ledgerFailed = (error: LedgerError | { readonly _tag: "Locked"; readonly message: string }): StepError =>
  new StepError({ reason: error._tag, message: error.message, cause: error })

export const make = (
  journal: Journal,
  counters: Counters,
  budget: Budget,
  halt: Halt
): Effect.Effect<Answers, StepError, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const before = yield* Effect.mapError(journal.answers, ledgerFailed)
    const kept = new Map(Array.from(before, ([step, answers]) => [step, new Map(answers)]))
    const begin = Effect.suspend(() =>
      halt.reason() === "stop" ? new StepError({ reason: "Stopped", message: "the run comes to a stop" }) : Effect.void
    )
    /** A call that is under way when its step is stopped is waited for by the run: its answer is paid for. */
    const outlive = <A, R>(call: Effect.Effect<A, StepError, R>): Effect.Effect<A, StepError, R> =>
      Effect.flatMap(Effect.forkIn(Effect.interruptible(halt.busy(call)), scope), (fiber) =>
        Effect.onInterrupt(Fiber.join(fiber), () =>
          halt.reason() === undefined ? Fiber.interrupt(fiber) : Effect.void
        )
      )
    return {
      settle: (step, marks) => {
        for (const mark of marks) kept.get(step)?.delete(mark)
      },
      once: <A, R>({ book, kept: isKept, mark, step }: Asked<A>, ask: Effect.Effect<A, StepError, R>) => {
        const known = kept.get(step)?.get(mark)
        if (known !== undefined) {
          return Effect.sync(() => {
            isKept?.()
            return known as A
          })
        }
        const keep = (answer: A) => {
          const booking = book?.(answer)
          const { page } = booking ?? {}
          const credits = booking === undefined ? undefined : (booking.credits ?? null)
          return journal.remember({ step, mark, answer: answer as Json, credits, page }).pipe(
            Effect.mapError(ledgerFailed),
            Effect.map(() => {
              if (credits === null) counters.callUnpriced++
              else counters.callCredits += credits ?? 0
              if (booking !== undefined) counters.answers++
              if (page !== undefined) counters.callPages++
              return answer
            }),
            Effect.zipLeft(Trace.note({ "sluice.credits": credits ?? undefined }))
          )
        }
        const asked = Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(ask), keep))
        return Effect.zipRight(Effect.zipRight(begin, budget.check), outlive(asked))
      }
    }
  })
