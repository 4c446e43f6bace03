/**
 * A job whose pages a step reads, continuing after a resume.
 *
 * A run starts a job ({@link start}) only once, no matter how often the run is resumed. The job reserves credits of the budget until it has
 * been read completely. It is cancelled when it is no longer read, and when the budget is reached. A run that fails or is stopped leaves
 * its job running, because a resume continues with it. A job that was started elsewhere ({@link foreign}) costs this run nothing.
 */
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

export interface ResumableJob {
  readonly id: string
  /** True for a job that was started elsewhere: this run does not pay for its pages. */
  readonly isForeign: boolean
  /** True if the job was cancelled because nothing more may be spent. It will not get more pages. */
  readonly isCut: boolean
  /** Sets the credits charged and the documents read before a resume. Call it before reading pages. */
  restore(credits: number, documents: number): void
  /** Call when the job has ended, with its maximum number of pages, whether or not all of them have been read. */
  end(pages?: number): void
  /** Call when pages are booked, with the cost of the job so far and the number of pages. */
  book(credits: number, pages: number): void
  /** Call when all of the job has been read: it no longer reserves any of the budget. */
  release(): void
}

/** A job that was started elsewhere, which runs independently of this run. */
export const foreign = (id: string): ResumableJob => ({
  id,
  isForeign: true,
  isCut: false,
  restore: () => {},
  end: () => {},
  book: () => {},
  release: () => {}
})

/** Time limit for cancelling a job. */
const cancelTimeout = "5 seconds"

/** Interval between polls of a job that reserves credits which other calls wait for. */
const pollInterval = "1 second"

/** True if there is nothing left to cancel. */
const isOver = (error: unknown): boolean =>
  [JobNotFound, JobExpired, Conflict, Gone].some((jobEnded) => error instanceof jobEnded)

/** Job to be started at a service. */
export interface Starting {
  /** Starts the job, for at most `pages` pages. */
  readonly begin: (
    options: StartOptions & { readonly version?: "v2" | undefined },
    pages: number
  ) => Effect.Effect<JobStarted, ClientError>
  readonly cancel: (id: string) => Effect.Effect<unknown, ClientError>
  readonly status: (id: string) => Effect.Effect<JobEnvelope, ClientError>
  /** Upper bound of the cost of a page; `pages` is the number wanted. */
  readonly cost: Cost
  readonly pages: number
  readonly name?: string | undefined
}

/** Job that this run has started. */
class StartedJob implements ResumableJob {
  readonly isForeign = false
  readonly started: JobStarted
  /** Maximum pages of the job: fewer than wanted if the budget reduced it. */
  readonly pages: number
  /** Number of pages that were wanted. */
  readonly wanted: number
  isCut = false
  readonly #service: Starting
  readonly #context: Context
  readonly #reservation: Reservation
  #isOver = false
  #spent = 0
  #pagesRead = 0
  #maxPages: number | undefined

  constructor(
    service: Starting,
    context: Context,
    {
      pages,
      reservation,
      started,
      wanted
    }: Pick<StartedJob, "pages" | "started" | "wanted"> & {
      readonly reservation: Reservation
    }
  ) {
    this.#service = service
    this.#context = context
    this.#reservation = reservation
    this.started = started
    this.pages = pages
    this.wanted = wanted
  }

  get id(): string {
    return this.started.id
  }

  restore(credits: number, documents: number): void {
    this.#spent = credits
    this.#pagesRead = documents
  }

  end(pages?: number): void {
    this.#isOver = true
    this.#maxPages = pages ?? this.#maxPages
  }

  book(credits: number, pages: number): void {
    this.#reservation.spend(Math.max(0, credits - this.#spent), pages)
    this.#spent = Math.max(this.#spent, credits)
    this.#pagesRead += pages
    // The job has reported its whole cost, so only pages that still have to be read stay reserved.
    if (this.#isOver) this.#reservation.shrink(0, this.#unreadOf(this.#maxPages))
  }

  release(): void {
    this.#reservation.end()
  }

  #unreadOf(pages: number | undefined): number | undefined {
    return pages === undefined ? undefined : Math.max(0, pages - this.#pagesRead)
  }

  get #cancel(): Effect.Effect<void> {
    return this.#service.cancel(this.id).pipe(
      Effect.interruptible,
      Effect.timeoutFail({ duration: cancelTimeout, onTimeout: () => ({ message: `no answer in ${cancelTimeout}` }) }),
      Effect.asVoid,
      Effect.catchAll((error) =>
        isOver(error)
          ? Effect.void
          : Effect.logWarning(
              `${this.#context.id}: job ${this.id} could not be cancelled: it may continue and cost credits: ${error.message}`
            )
      )
    )
  }

  /** Books the cost of a cancelled job that goes beyond the pages read. */
  get #bookRest(): Effect.Effect<void> {
    return this.#service.status(this.id).pipe(
      Effect.interruptible,
      Effect.timeout(cancelTimeout),
      Effect.flatMap(({ creditsUsed }) => this.#context.spend(Math.max(0, (creditsUsed ?? 0) - this.#spent))),
      Effect.ignore
    )
  }

  /** Cancels a job that is no longer read. After a failure, a resumed run may continue with it and its reserved credits. */
  leave(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> {
    const release = Effect.sync(() => this.release())
    if (this.#isOver || this.isCut) return release
    const giveUp = Effect.uninterruptible(Effect.all([this.#cancel, this.#bookRest, release], { discard: true }))
    if (!Exit.isFailure(exit) && !this.#context.isStopped()) return giveUp
    return Effect.sync(() => this.#context.leaveRunning(this.id, giveUp))
  }

  /** Cancels the job once the budget is reached. */
  get cutAtBudget(): Effect.Effect<void> {
    return Effect.zipRight(
      this.#context.stopping,
      Effect.suspend(() => {
        this.isCut = !this.#isOver
        return this.#isOver ? Effect.void : Effect.zipRight(this.#context.cut, this.#cancel)
      })
    )
  }

  /**
   * Polls for the end of the job, in parallel with its rows, once other calls wait for its credits: the rows may depend on one of those
   * calls.
   */
  get shrinkAtEnd(): Effect.Effect<unknown> {
    return Effect.zipRight(
      this.#reservation.wanted,
      Effect.repeat(
        Effect.orElseSucceed(this.#service.status(this.id), () => undefined),
        {
          schedule: Schedule.spaced(pollInterval),
          until: (found) => {
            if (found === undefined || !ended.has(found.status)) return this.#isOver
            this.#reservation.shrink(
              Math.max(0, (found.creditsUsed ?? 0) - this.#spent),
              this.#unreadOf(typeof found.total === "number" ? found.total : undefined)
            )
            return true
          }
        }
      )
    )
  }
}

/** Stored start of a job, with the number of pages that the budget granted. Infinity cannot be stored as JSON. */
type StoredStart = JobStarted & { readonly granted?: number | null; readonly wanted?: number | null }

const toStored = (count: number): number | null => (Number.isFinite(count) ? count : null)

const fromStored = (count: number | null | undefined, otherwise: number): number =>
  count === undefined ? otherwise : (count ?? Number.POSITIVE_INFINITY)

/** Starts a job with as many pages as the budget can pay for, or returns the one started before a crash. */
export const start = (service: Starting, context: Context): Effect.Effect<StartedJob, StepError, Scope.Scope> =>
  Effect.gen(function* () {
    const { begin, cost, name = "job", pages } = service
    const buying = (most: number): Buying => ({
      cost: (units) => cost.map(({ good, least, most }) => ({ good, least: least * units, most: most * units })),
      most,
      pages: (units) => units,
      isJob: true
    })
    let reservation: Reservation | undefined
    // Starting is free; the cost of the job is booked with its pages.
    const stored: StoredStart = yield* context.once({ name, book: () => ({ credits: 0 }) }, (idempotencyKey) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(context.reserve(name, buying(pages)), (granted) =>
          restore(call(begin({ idempotencyKey }, granted.units))).pipe(
            Effect.map((started): StoredStart => {
              reservation = granted
              return { ...started, granted: toStored(granted.units), wanted: toStored(pages) }
            }),
            Effect.onError(() => granted.release)
          )
        )
      )
    )
    reservation?.spend(0, 0)
    const { granted, wanted, ...started } = stored
    const allowed = fromStored(granted, pages)
    const job = new StartedJob(service, context, {
      started,
      pages: allowed,
      wanted: fromStored(wanted, pages),
      reservation: reservation ?? (yield* context.reserve(name, buying(allowed), true))
    })
    yield* Effect.addFinalizer((exit) => job.leave(exit))
    yield* Effect.forkScoped(job.cutAtBudget)
    yield* Effect.forkScoped(job.shrinkAtEnd)
    return job
  })
