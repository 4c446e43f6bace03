/** Responses of batch and crawl jobs, in both versions of the API. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Team } from "../../Api/Auth.ts"
import { type CancelQuery, type PageQuery, pageSize } from "../../Api/JobStatus.ts"
import { ChangeSignal } from "../Jobs/ChangeSignal.ts"
import { failureCodeOf, type JobRow, type Kind, totalOf, type Version } from "../Jobs/JobRecord.ts"
import type { Started } from "../Jobs/JobStart.ts"
import { Jobs, notFound } from "../Jobs/Jobs.ts"
import { Results } from "../Jobs/Results.ts"
import { Owner } from "../Teams/FairQueue.ts"

/** Maximum time that a status request waits for new documents. */
const pollTimeout = Duration.seconds(1)

/** The engine's address as the caller wrote it. */
export const originOf = (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): string =>
  `http${headers["x-forwarded-proto"] === "https" ? "s" : ""}://${headers.host ?? "127.0.0.1"}`

export const origin = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => originOf(headers))

export const started = (kind: Kind, version: Version, { id, invalidURLs }: Started) =>
  Effect.map(origin, (origin) => ({
    success: true,
    id,
    url: `${origin}${pathOf(kind, version)}/${id}`,
    ...(kind === "batch" ? { invalidURLs } : {})
  }))

/** Finds a team's job. In v1, batches can also be queried under the path of crawls. */
export const lookup = (
  jobs: Context.Tag.Service<Jobs>,
  teamId: string,
  { id, kind, version }: { readonly kind: Kind; readonly version: Version; readonly id: string }
) => {
  const found = jobs.find(teamId, kind, id)
  if (version !== 1 || kind !== "crawl") return found
  return Effect.catchTag(found, "NotFound", (crawl) =>
    Effect.mapError(jobs.find(teamId, "batch", id), (batch) => (batch === notFound ? crawl : batch))
  )
}

const find = (kind: Kind, version: Version, id: string) =>
  Effect.flatMap(Effect.all([Jobs, Team]), ([jobs, team]) => lookup(jobs, team.id, { id, kind, version }))

/** Returns the job once it has a document that the caller has not read, or after `pollTimeout`. */
const waitForNews = (kind: Kind, version: Version, id: string, skip: number | undefined) =>
  Effect.gen(function* () {
    const changes = yield* ChangeSignal
    const found = find(kind, version, id)
    const hasNews = (job: JobRow) => job.status !== "scraping" || skip === undefined || job.results > skip
    const first = yield* found
    if (hasNews(first)) return first
    const wait: typeof found = Effect.gen(function* () {
      // Subscribe before reading, so that a change in between is not missed.
      const changed = yield* changes.listen(first.id)
      const job = yield* found
      return hasNews(job) ? job : yield* Effect.zipRight(changed, wait)
    })
    const changed = yield* Effect.timeoutOption(wait, pollTimeout)
    return changed._tag === "Some" ? changed.value : yield* found
  })

/** Maximum documents of an ended job in one answer. `pageSize.bytes` is the real limit: more documents do not fit into it. */
const maxDocuments = 100_000

const empty: Uint8Array = Buffer.alloc(0)

/**
 * Response to a status request: the stored documents as bytes, not parsed, inside a JSON object. The API version is that of the path, not
 * of the job.
 */
export const status = (kind: Kind, version: Version, id: string, query: typeof PageQuery.Type) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const results = yield* Results
    // Marks the job as being read, from before the lookup until the answer is sent, so that its results stay readable if the team removes
    // them meanwhile.
    yield* results.reading(id.toLowerCase())
    const job = yield* waitForNews(kind, version, id, query.skip)
    const skip = query.skip ?? 0
    const { count, length, slices } = yield* results
      .page(job.id, skip, query.limit ?? (job.status === "scraping" ? pageSize.default : maxDocuments), version)
      .pipe(Effect.provideService(Owner, job.team))
    const envelope = envelopeOf(job, {
      expiresAt: jobs.expiresAt(job),
      address: `${yield* origin}${pathOf(job.kind, version)}/${job.id}`,
      position: skip + count,
      limit: query.limit
    })
    const head = Buffer.from(`${envelope},"data":[`)
    const tail = Buffer.from("]}")
    const contentType = "application/json"
    // A single slice, the usual case, is sent without a stream.
    const [only = Effect.succeed(empty), ...more] = slices
    if (more.length === 0) {
      return HttpServerResponse.uint8Array(Buffer.concat([head, yield* only, tail]), { contentType })
    }
    const parts = [Effect.succeed<Uint8Array>(head), ...slices, Effect.succeed<Uint8Array>(tail)]
    const body = Stream.mapEffect(Stream.fromIterable(parts), (part) => part)
    return HttpServerResponse.stream(body, {
      contentType,
      contentLength: length === undefined ? undefined : head.byteLength + length + tail.byteLength
    })
  })

export const cancelled = (kind: Kind, version: Version, id: string, { results }: typeof CancelQuery.Type) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const team = yield* Team
    const job = yield* find(kind, version, id)
    if (results === "delete") {
      yield* jobs.remove(team.id, job.kind, id)
      return { success: true, status: "deleted" }
    }
    yield* jobs.cancel(team.id, job.kind, id)
    return { success: true, status: "cancelled" }
  })

export const errors = (kind: Kind, version: Version, id: string) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const results = yield* Results
    yield* results.reading(id.toLowerCase())
    const job = yield* find(kind, version, id)
    return HttpServerResponse.stream(Stream.encodeText(jobs.errors(job)), { contentType: "application/json" })
  })

export const pathOf = (kind: Kind, version: Version): string =>
  `/v${version}/${kind === "crawl" ? "crawl" : "batch/scrape"}`

export interface Reader {
  readonly expiresAt: Date
  /** URL of the job at the engine's address, as the reader wrote it. */
  readonly address: string
  /** Number of documents that the reader will have after this answer. */
  readonly position: number
  readonly limit?: number | undefined
}

/** Start of the JSON answer, left open: the documents follow. It contains `next` until the reader has all of them. */
export const envelopeOf = (job: JobRow, { address, expiresAt, limit, position }: Reader): string => {
  const more = job.status === "scraping" || position < job.results
  const next = `${address}?skip=${position}`
  const code = failureCodeOf(job)
  return JSON.stringify({
    // Also true for a failed job: existing clients treat `false` as a lost answer and retry.
    success: true,
    status: job.status,
    total: totalOf(job),
    completed: job.completed,
    creditsUsed: job.credits,
    expiresAt: expiresAt.toISOString(),
    ...(more ? { next: limit === undefined ? next : `${next}&limit=${limit}` } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    ...(code === undefined ? {} : { code })
  }).slice(0, -1)
}
