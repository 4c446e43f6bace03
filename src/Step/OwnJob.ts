/** A job that a step starts: once for each run, however often the run is resumed. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { ended, type JobEnvelope, type JobStarted } from "../Api/JobStatus.ts"
import { type ClientError, Conflict, Gone, JobExpired, JobNotFound } from "../Client/ClientErrors.ts"
import type { StartOptions } from "../Client/JobCalls.ts"
import type { Buying, Context, Reservation, StepError } from "../Step.ts"
import { call } from "./Call.ts"
import type { Cost } from "./Cost.ts"

/** A job while it is read. */
export interface Job {
  readonly id: string
  /** Called when the job is over, with the pages that it has at most, whether or not all of it has been read. */
  readonly ended: (pages?: number) => void
  /** True once the budget has cut it: cancelled when nothing more may be spent. What it has is all there will be. */
  readonly isCut: () => boolean
  /** Restores the credits charged and the documents read so far. Called before pages are read; both are 0 at first. */
  readonly restore: (credits: number, documents: number) => void
  /** Called when pages are booked, with what the job has cost so far and their number. */
  readonly booked: (credits: number, pages: number) => void
  /** Called when all of it has been read: it holds nothing of the budget any more. */
  readonly read: () => void
  /** True for a job that was started elsewhere: this run does not pay for its pages. */
  readonly isForeign: boolean
}

/** A job that was started elsewhere: it runs on without this run, and costs it nothing. */
export const foreign = (id: string): Job => ({
  id,
  ended: () => {},
  isCut: () => false,
  restore: () => {},
  booked: () => {},
  read: () => {},
  isForeign: true
})

/** Time limit for cancelling a job. */
const patience = "5 seconds"

/** Between two looks at a job that holds credits for which others wait. */
const look = "1 second"

/** True when there is nothing left to cancel. */
const isOver = (error: unknown): boolean =>
  [JobNotFound, JobExpired, Conflict, Gone].some((jobEnded) => error instanceof jobEnded)

type Begin = (
  options: StartOptions & { readonly version?: "v2" | undefined },
  pages: number
) => Effect.Effect<JobStarted, ClientError>

/** A job that a step starts at a service. */
export interface Starting {
  /** Starts it, for so many pages at most. */
  readonly begin: Begin
  readonly cancel: (id: string) => Effect.Effect<unknown, ClientError>
  readonly status: (id: string) => Effect.Effect<JobEnvelope, ClientError>
  /** Upper bound of the cost of a page; `pages` is the number wanted. */
  readonly cost: Cost
  readonly pages: number
  readonly name?: string | undefined
}

export interface Started extends Job {
  readonly started: JobStarted
  /** Pages that it may have at most: fewer than were wanted where the budget has cut it. */
  readonly pages: number
  /** Pages that were wanted. */
  readonly wanted: number
}

/** A start as it is kept: with the size that the budget left it. Infinity is no JSON. */
type Kept = JobStarted & { readonly granted?: number | null; readonly wanted?: number | null }

const finite = (count: number): number | null => (Number.isFinite(count) ? count : null)

/**
 * Starts a job, or finds the one that was started before a crash. It gets as many pages as the budget has credits for. It
 * is cancelled when it is no longer read, and when the budget is reached; a run that is interrupted leaves it alone,
 * because the job is what it will go on with.
 */
export const start = (
  { begin, cancel, cost, name = "job", pages, status }: Starting,
  context: Context
): Effect.Effect<Started, StepError, Scope.Scope> =>
  Effect.gen(function* () {
    const buying = (most: number): Buying => ({
      cost: (units) => cost.map(({ good, least, most }) => ({ good, least: least * units, most: most * units })),
      most,
      pages: (units) => units,
      isJob: true
    })
    let reservation: Reservation | undefined
    // The start itself is free; what the job costs is booked with its pages.
    const kept: Kept = yield* context.once({ name, book: () => ({ credits: 0 }) }, (idempotencyKey) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(context.reserve(name, buying(pages)), (granted) =>
          restore(call(begin({ idempotencyKey }, granted.units))).pipe(
            Effect.map((started): Kept => {
              reservation = granted
              return { ...started, granted: finite(granted.units), wanted: finite(pages) }
            }),
            Effect.onError(() => granted.release)
          )
        )
      )
    )
    const { granted, wanted, ...started } = kept
    const allowed = granted === undefined ? pages : (granted ?? Number.POSITIVE_INFINITY)
    const held = reservation ?? (yield* context.reserve(name, buying(allowed), true))
    let over = false
    let cut = false
    let spent = 0
    let pagesRead = 0
    let mostPages: number | undefined
    const end = cancel(started.id).pipe(
      Effect.interruptible,
      Effect.timeoutFail({ duration: patience, onTimeout: () => ({ message: `no answer in ${patience}` }) }),
      Effect.catchAll((error) =>
        isOver(error)
          ? Effect.void
          : Effect.logWarning(
              `${context.id}: job ${started.id} could not be cancelled and may go on, at its price: ${error.message}`
            )
      )
    )
    /** Books the cost of a cancelled job beyond the pages that were read of it. */
    const bookRest = status(started.id).pipe(
      Effect.interruptible,
      Effect.timeout(patience),
      Effect.flatMap(({ creditsUsed }) => context.spend(Math.max(0, (creditsUsed ?? 0) - spent))),
      Effect.ignore
    )
    // A failure is not for it to judge: the run may go on with the job when it has been mended, and with what it holds.
    yield* Effect.addFinalizer((exit) => {
      if (over || cut) return Effect.sync(held.end)
      const giveUp = end.pipe(Effect.zipRight(bookRest), Effect.zipRight(Effect.sync(held.end)), Effect.uninterruptible)
      if (Exit.isFailure(exit) || context.isStopped()) {
        return Effect.sync(() => context.leaveRunning(started.id, giveUp))
      }
      return giveUp
    })
    yield* context.stopping.pipe(
      Effect.zipRight(
        Effect.suspend(() => {
          cut = !over
          return over ? Effect.void : Effect.zipRight(context.cut, end)
        })
      ),
      Effect.forkScoped
    )
    // Its rows may wait for a step that waits for its credits: the end of the job is polled beside them.
    yield* held.wanted.pipe(
      Effect.zipRight(
        Effect.repeat(
          Effect.orElseSucceed(status(started.id), () => undefined),
          {
            schedule: Schedule.spaced(look),
            until: (found) => {
              if (found === undefined || !ended.has(found.status)) return over
              held.shrink(
                Math.max(0, (found.creditsUsed ?? 0) - spent),
                typeof found.total === "number" ? Math.max(0, found.total - pagesRead) : undefined
              )
              return true
            }
          }
        )
      ),
      Effect.forkScoped
    )
    return {
      started,
      id: started.id,
      pages: allowed,
      wanted: wanted === undefined ? pages : (wanted ?? Number.POSITIVE_INFINITY),
      isForeign: false,
      read: held.end,
      ended: (pages) => {
        over = true
        mostPages = pages ?? mostPages
      },
      isCut: () => cut,
      restore: (credits, documents) => {
        spent = credits
        pagesRead = documents
      },
      booked: (credits, pages) => {
        held.spend(Math.max(0, credits - spent), pages)
        spent = Math.max(spent, credits)
        pagesRead += pages
        // Its cost is reported as a whole; its pages may still be read.
        if (over) held.shrink(0, mostPages === undefined ? undefined : Math.max(0, mostPages - pagesRead))
      }
    }
  })
