/** Reads the pages of a job as rows while the job runs, until it has ended. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ended, type JobErrors } from "../Api/JobStatus.ts"
import type { ClientError, JobFailed } from "../Client/ClientErrors.ts"
import type { JobPage, JobStreamError } from "../Client/JobStream.ts"
import type { Json, Row } from "../Row.ts"
import { type Batch, type Context, type Failure, type Page, type Services, StepError } from "../Step.ts"
import { addressOf, documentRow, failureOf, pageFailed, pageKey, pageOf, warnOfUnread } from "./Call.ts"
import * as Cost from "./Cost.ts"
import { reasonOf } from "./Incomplete.ts"
import { readLoaded } from "./LoadMore.ts"
import type { ResumableJob } from "./ResumableJob.ts"
import { decodeState } from "./SavedState.ts"

/** Limits of a job, as far as its request shows them; unknown for a job that was started elsewhere. */
export interface Bounds {
  /** Maximum pages. */
  readonly limit?: number | undefined
  readonly hasDepth?: boolean | undefined
  /** True if the request is unknown. */
  readonly isUnknown?: boolean | undefined
}

interface JobReader {
  readonly job: ResumableJob
  readonly pages: (from: number) => Stream.Stream<JobPage, JobStreamError>
  readonly errors: Effect.Effect<JobErrors, ClientError>
  /** Limits that may end the job before it has all pages. */
  readonly bounds: Bounds
  /** Rows that requested an address: its page is returned once for each of them, or once if there are none. */
  readonly askedBy?: ((address: string) => ReadonlyArray<Row>) | undefined
  /** Called with the addresses of a batch's pages once the batch has been committed. */
  readonly answered?: ((addresses: ReadonlyArray<string>) => void) | undefined
  /** Called if the service ended the job because the team's credits are used up: its pages are still read. */
  readonly usedUp?: ((error: StepError) => void) | undefined
}

/** Error that ends the run, because it would fail every job of the team; undefined if only this job fails. */
const runEndOf = (error: JobFailed): StepError | undefined =>
  error.teamError && new StepError({ reason: error.teamError, message: error.message, cause: error, scope: "run" })

const count = Schema.optionalWith(Schema.Number, { default: () => 0 })

/** Cursor of a job. */
const Place = Schema.Struct({
  position: Schema.Number,
  credits: count,
  documents: count,
  expected: count,
  /** True once the list of failed pages has been read too. */
  done: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type Place = typeof Place.Type

const decodePlace = decodeState(Place)

const beginning: Place = { position: 0, credits: 0, documents: 0, expected: 0, done: false }

/** Number of documents read before a cursor. */
export const documentsIn = (context: Context, from: Json | undefined): Either.Either<number, StepError> =>
  Either.map(decodePlace(context, from), (place = beginning) => place.documents)

/** True if a service does not have the requested resource; some services say so with an HTML page. */
const isAbsent = (error: ClientError): boolean =>
  error._tag === "UnexpectedResponse"
    ? error.status === 404 || error.status === 405
    : error._tag === "NotFound" || error._tag === "JobNotFound" || error._tag === "NotImplemented"

/** Reads one job. Its state is the cursor, and the job's latest counts and failures. */
class JobReading {
  readonly #context: Context
  readonly #reader: JobReader
  readonly #rate: Cost.PriceOf
  #place: Place
  /** Latest failure of a page, as long as no page has given a row. */
  #onlyFailure: string | undefined
  #hasRows = false
  /** Pages that came with an error: the job lists them again at its end. Those from before a resume are in the ledger. */
  readonly #troubled = new Set<string>()
  /** Pages that the job has tried or will try, according to its last status. */
  #pagesOfJob = 0

  constructor(reader: JobReader, context: Context, place: Place, rate: Cost.PriceOf) {
    this.#reader = reader
    this.#context = context
    this.#place = place
    this.#rate = rate
  }

  /** Makes a batch of a page of results, its good rows first: failures are judged as a share of the rows passed on. */
  take(page: JobPage): Effect.Effect<Batch> {
    const context = this.#context
    const { job } = this.#reader
    return Effect.gen(this, function* () {
      if (ended.has(page.status)) job.end(page.total)
      if (page.status === "failed" || page.status === "cancelled") yield* context.incomplete("job")
      this.#pagesOfJob = page.total
      if (ended.has(page.status) && page.next < page.completed) yield* context.incomplete("job")
      const total = Math.min(page.total, context.wanted ?? Number.POSITIVE_INFINITY)
      const expected = Math.max(0, total - this.#place.expected)
      const rows: Array<Row> = []
      const failures: Array<Failure> = []
      const pages: Array<Page> = []
      for (const [index, found] of page.documents.entries()) {
        const document = yield* readLoaded(found, context)
        const address = addressOf(document)
        const failure = failureOf(document, context)
        yield* warnOfUnread(document, context)
        if (address !== undefined) {
          const known = pageOf(document, pageKey(address), failure, job.id)
          const met: Page = job.isForeign ? { ...known, credits: 0, price: "known" } : known
          pages.push(met)
          if (met.error !== undefined) this.#troubled.add(met.key)
        }
        const asked = address === undefined ? [] : (this.#reader.askedBy?.(address) ?? [])
        for (const source of asked.length === 0 ? [undefined] : asked) {
          const position = page.position + index
          const row = documentRow(document, { jobId: job.id, position, source: source?.data })
          if (failure === undefined) rows.push(row)
          else failures.push([row, failure.with({ attempts: 1 })])
        }
        this.#hasRows ||= failure === undefined
        this.#onlyFailure = this.#hasRows ? undefined : failure?.message
      }
      const addresses = pages.map(({ key }) => key)
      const more = page.creditsUsed - this.#place.credits
      this.#place = {
        position: page.next,
        credits: Math.max(this.#place.credits, page.creditsUsed),
        documents: this.#place.documents + page.documents.length,
        expected: this.#place.expected + expected,
        done: false
      }
      const { credits } = this.#place
      const batch: Batch = {
        rows,
        failures,
        pages,
        expected,
        isForeign: job.isForeign,
        taken: () => {
          this.#reader.answered?.(addresses)
          job.book(credits, addresses.length)
        },
        credits: more > 0 && !job.isForeign ? more : undefined,
        cursor: this.#place
      }
      return batch
    })
  }

  /** Marks the step as incomplete for each reason why the job lacks pages. */
  #judge(
    { errors, leftOut, notFollowed, robotsBlocked }: Partial<JobErrors>,
    failures: number
  ): Effect.Effect<void, StepError> {
    const context = this.#context
    return Effect.gen(this, function* () {
      // If no run has ever read one of the pages that robots.txt forbids, no known row can come from them.
      const blocked = robotsBlocked ?? []
      if (blocked.length > 0 && (yield* context.state.knowsAny(blocked))) yield* context.incomplete("robots")
      // Pages that were neither delivered nor listed have failed, too.
      if (this.#pagesOfJob > this.#place.documents + failures)
        yield* context.incomplete(errors === undefined ? "failed" : "job")
      if (notFollowed !== undefined) yield* context.notFollowed(notFollowed)
      if ((notFollowed?.nextPages ?? 0) > 0) {
        yield* context.warnOnce("nextPages", "its lists have more pages than next follows: raise next.pages, or limit")
        yield* context.incomplete("limit")
      }
      const { hasDepth, isUnknown, limit } = this.#reader.bounds
      if (leftOut !== undefined) {
        yield* Effect.forEach(leftOut, (why) => context.incomplete(reasonOf(why)), { discard: true })
        return
      }
      if (limit !== undefined && Math.max(this.#pagesOfJob, this.#place.documents + failures) >= limit) {
        yield* context.incomplete("limit")
      }
      if (hasDepth === true) yield* context.incomplete("depth")
      if (isUnknown === true) yield* context.incomplete("unknown")
    })
  }

  /** Failed pages that the service lists separately instead of in the data; not every service has this list. */
  get unlisted(): Effect.Effect<Batch, StepError> {
    const context = this.#context
    const { job } = this.#reader
    return Effect.gen(this, function* () {
      const told = yield* this.#reader.errors.pipe(
        Effect.catchIf(isAbsent, (error) =>
          Effect.as(
            Effect.logWarning(`${context.id}: it is not known which pages failed, if any: ${error.message}`),
            undefined
          )
        ),
        Effect.mapError(StepError.of)
      )
      const errors = told?.errors ?? []
      const known = errors.length === 0 ? this.#troubled : yield* context.failedPages(job.id)
      const failures: Array<Failure> = []
      const pages: Array<Page> = []
      for (const { url, error, code } of errors) {
        if (url == null || known.has(pageKey(url)) || this.#troubled.has(pageKey(url))) continue
        const failure = pageFailed(url, error ?? "no reason given", code ?? undefined)
        pages.push({
          key: pageKey(url),
          status: failure.status,
          error: failure.message,
          // The list does not say what kind of page the site showed.
          blocked: failure.reason === "Blocked" ? "blocked" : undefined,
          jobId: job.id,
          ...(job.isForeign ? { credits: 0, price: "known" as const } : { price: "shared" as const })
        })
        const asked = this.#reader.askedBy?.(url) ?? []
        for (const row of asked.length === 0 ? [{ data: { url }, key: pageKey(url) }] : asked) {
          failures.push([{ ...row, jobId: job.id }, failure.with({ attempts: 1 })])
        }
      }
      yield* this.#judge(told ?? {}, pages.length)
      // A service with a known price list reports every credit, so a job without credits was free.
      const unpriced =
        this.#place.documents > 0 &&
        this.#place.credits === 0 &&
        !job.isForeign &&
        this.#rate("crawlPage") === undefined
      if (unpriced) yield* Cost.warnOfPrice(context.warnOnce)
      this.#place = { ...this.#place, done: true }
      const { credits } = this.#place
      const batch: Batch = {
        rows: [],
        failures,
        pages,
        isForeign: job.isForeign,
        taken: () => {
          this.#reader.answered?.(pages.map(({ key }) => key))
          job.book(credits, pages.length)
          job.release()
        },
        credits: unpriced ? "unknown" : undefined,
        cursor: this.#place
      }
      return batch
    })
  }

  /** Ends the stream after a failure. Pages that were delivered are paid for, so the run continues with them. */
  afterFailure(error: JobStreamError): Stream.Stream<never, StepError> {
    const { job } = this.#reader
    if (error._tag !== "JobFailed") return Stream.fail(StepError.of(error))
    const runEnd = runEndOf(error)
    if (this.#place.documents === 0 && !job.isCut) return Stream.fail(runEnd ?? StepError.of(error))
    job.end()
    if (runEnd !== undefined && this.#reader.usedUp !== undefined) {
      this.#reader.usedUp(runEnd)
      return Stream.empty
    }
    // If the only pages of the job failed, the job repeats their reason, which their rejects already report.
    const isReported = error.said !== undefined && this.#onlyFailure?.includes(error.said) === true
    return job.isCut || isReported
      ? Stream.empty
      : Stream.drain(Stream.fromEffect(Effect.logWarning(`${this.#context.id}: ${error.message}`)))
  }
}

/** Documents in the job's order, starting at the cursor; pages without an answer come as failures. */
export const jobRows = (
  reader: JobReader,
  context: Context,
  from: Json | undefined
): Stream.Stream<Batch, StepError, Services> =>
  Stream.unwrap(
    Effect.zipWith(decodePlace(context, from), Cost.Tariff, (place = beginning, { rate }) => {
      const { job } = reader
      job.restore(place.credits, place.documents)
      if (place.done) {
        // All of the job was read and booked before the run was interrupted.
        job.end()
        job.release()
        return Stream.empty
      }
      const reading = new JobReading(reader, context, place, rate)
      return reader.pages(place.position).pipe(
        Stream.catchAll((error) => reading.afterFailure(error)),
        Stream.mapEffect((page) => reading.take(page)),
        Stream.concat(Stream.fromEffect(reading.unlisted))
      )
    })
  )
