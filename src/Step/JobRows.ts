/** The pages of a job as rows, while the job runs and after (spec 2.7). */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { JobErrors } from "../Api/JobStatus.ts"
import type { ClientError } from "../Client/Errors.ts"
import type { JobPage, JobStreamError } from "../Client/JobStream.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data, Row } from "../Row.ts"
import { type Context, type Services, StepError } from "../Step.ts"
import { addressOf, documentRow, failureOf, stepError } from "./Call.ts"

interface JobReader {
  readonly id: string
  readonly pages: Stream.Stream<JobPage, JobStreamError>
  readonly errors: Effect.Effect<JobErrors, ClientError>
  /** What a page was asked for by; `$source` of its row. */
  readonly sourceOf?: ((address: string) => Data | undefined) | undefined
}

/** Every document once, in the job's order; pages without an answer are settled by the step's `onError`. */
export const jobRows = (job: JobReader, context: Context): Stream.Stream<Row, StepError, Services> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const credits = yield* Ref.make(0)
      const expected = yield* Ref.make(0)
      /** Pages that came with an error: the job lists them a second time at its end. */
      const troubled = new Set<string>()

      const toRows = (page: JobPage): Effect.Effect<ReadonlyArray<Row>, StepError> =>
        Effect.gen(function* () {
          const used = page.creditsUsed ?? 0
          const before = yield* Ref.getAndSet(credits, used)
          if (used > before) yield* context.spend(used - before)
          const total = Math.min(page.total ?? 0, context.wanted ?? Number.POSITIVE_INFINITY)
          const known = yield* Ref.getAndUpdate(expected, (rows) => Math.max(rows, total))
          if (total > known) yield* context.expect(total - known)
          const rows: Array<Row> = []
          for (const [index, document] of page.documents.entries()) {
            const address = addressOf(document)
            const row = documentRow(document, {
              jobId: job.id,
              position: page.position + index,
              source: address === undefined ? undefined : job.sourceOf?.(address)
            })
            if (document.metadata?.error != null && address !== undefined)
              troubled.add(canonicalUrl(address) ?? address)
            const failure = failureOf(document)
            if (failure === undefined) rows.push(row)
            else rows.push(...(yield* context.failed(row, failure)))
          }
          return rows
        })

      /** Services that leave failed pages out of the data list them here. */
      const unlisted = Effect.gen(function* () {
        const { errors } = yield* Effect.mapError(job.errors, stepError)
        const rows: Array<Row> = []
        for (const { url, error, code } of errors) {
          const key = url == null ? undefined : (canonicalUrl(url) ?? url)
          if (key === undefined || troubled.has(key)) continue
          const failure = new StepError({
            reason: code ?? "PageFailed",
            message: `${url}: ${error ?? "no reason given"}`
          })
          rows.push(...(yield* context.failed({ data: { url }, key, jobId: job.id }, failure)))
        }
        return Chunk.unsafeFromArray(rows)
      })
      return job.pages.pipe(
        Stream.mapError(stepError),
        Stream.mapEffect(toRows),
        Stream.mapConcatChunk(Chunk.unsafeFromArray),
        context.wanted === undefined
          ? (rows) => Stream.concat(rows, Stream.fromIterableEffect(unlisted))
          : Stream.take(context.wanted)
      )
    })
  )
