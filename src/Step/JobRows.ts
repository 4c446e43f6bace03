/** The pages of a job as rows, while the job runs and after (spec 2.7). */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { JobErrors } from "../Api/JobStatus.ts"
import type { ClientError } from "../Client/Errors.ts"
import type { JobPage, JobStreamError } from "../Client/JobStream.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Row } from "../Row.ts"
import { type Context, type Services, StepError } from "../Step.ts"
import { addressOf, documentRow, failureOf, stepError } from "./Call.ts"
import type { Job } from "./OwnJob.ts"

interface JobReader extends Job {
  readonly pages: Stream.Stream<JobPage, JobStreamError>
  readonly errors: Effect.Effect<JobErrors, ClientError>
  /** The rows that asked for an address: its page is made once for each, and for nobody in particular when there are none. */
  readonly askedBy?: ((address: string) => ReadonlyArray<Row>) | undefined
}

type Failure = readonly [Row, StepError]

const ends: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"])

/** True when a service does not have what it was asked for; some say so with a page of HTML. */
const isAbsent = (error: ClientError): boolean =>
  error._tag === "UnexpectedResponse"
    ? error.status === 404 || error.status === 405
    : error._tag === "NotFound" || error._tag === "JobNotFound" || error._tag === "NotImplemented"

/** Every document in the job's order; pages without an answer are settled by the step's `onError`. */
export const jobRows = (job: JobReader, context: Context): Stream.Stream<Row, StepError, Services> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      let credits = 0
      let expected = 0
      let documents = 0
      /** Pages that came with an error: the job lists them a second time at its end. */
      const troubled = new Set<string>()
      yield* Effect.addFinalizer(() => (documents > 0 && credits === 0 ? context.spend(undefined) : Effect.void))

      const settle = (failures: ReadonlyArray<Failure>) =>
        Effect.map(
          Effect.forEach(failures, ([row, error]) => context.failed(row, error)),
          (settled) => Chunk.unsafeFromArray(settled.flat())
        )

      /** The good rows of a page first: failures are judged as a share of what went on. */
      const toRows = (page: JobPage) =>
        Effect.gen(function* () {
          if (ends.has(page.status)) job.ended()
          if (page.creditsUsed > credits) yield* context.spend(page.creditsUsed - credits)
          credits = Math.max(credits, page.creditsUsed)
          const total = Math.min(page.total, context.wanted ?? Number.POSITIVE_INFINITY)
          if (total > expected) yield* context.expect(total - expected)
          expected = Math.max(expected, total)
          documents += page.documents.length
          const rows: Array<Row> = []
          const failures: Array<Failure> = []
          for (const [index, document] of page.documents.entries()) {
            const address = addressOf(document)
            const failure = failureOf(document)
            if (document.metadata?.error != null && address !== undefined) {
              troubled.add(canonicalUrl(address) ?? address)
            }
            const asked = address === undefined ? [] : (job.askedBy?.(address) ?? [])
            for (const source of asked.length === 0 ? [undefined] : asked) {
              const row = documentRow(document, {
                jobId: job.id,
                position: page.position + index,
                source: source?.data
              })
              if (failure === undefined) rows.push(row)
              else failures.push([row, failure])
            }
          }
          return Stream.concat(Stream.fromIterable(rows), Stream.fromIterableEffect(settle(failures)))
        })

      /** Services that leave failed pages out of the data list them here; not every service has the list. */
      const unlisted = Effect.gen(function* () {
        const { errors } = yield* job.errors.pipe(
          Effect.catchIf(isAbsent, (error) =>
            Effect.as(
              Effect.logWarning(`${context.id}: the pages that failed are not known, if any did: ${error.message}`),
              { errors: [] }
            )
          ),
          Effect.mapError(stepError)
        )
        const failures: Array<Failure> = []
        for (const { url, error, code } of errors) {
          const key = url == null ? undefined : (canonicalUrl(url) ?? url)
          if (url == null || key === undefined || troubled.has(key)) continue
          const failure = new StepError({
            reason: code ?? "PageFailed",
            message: `${url}: ${error ?? "no reason given"}`
          })
          const asked = job.askedBy?.(url) ?? []
          for (const row of asked.length === 0 ? [{ data: { url }, key }] : asked) {
            failures.push([{ ...row, jobId: job.id }, failure])
          }
        }
        return yield* settle(failures)
      })

      return job.pages.pipe(
        // What was delivered is paid for: it goes on without the rest.
        Stream.catchAll((error) =>
          error._tag === "JobFailed" && documents > 0
            ? Stream.drain(Stream.fromEffect(Effect.logWarning(`${context.id}: ${error.message}`)))
            : Stream.fail(stepError(error))
        ),
        Stream.flatMap((page) => Stream.unwrap(toRows(page))),
        context.wanted === undefined
          ? (rows) => Stream.concat(rows, Stream.fromIterableEffect(unlisted))
          : Stream.take(context.wanted)
      )
    })
  )
