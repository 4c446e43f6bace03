/** Responses that batch and crawl jobs share, in either version of the API. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as SqlError from "@effect/sql/SqlError"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Team } from "../../Api/Auth.ts"
import { type CancelQuery, type PageQuery, pageSize } from "../../Api/JobStatus.ts"
import { Owner } from "../Shares.ts"
import { ChangeSignal } from "./ChangeSignal.ts"
import { type JobRow, type Kind, totalOf, type Version } from "./JobRecord.ts"
import type { Started } from "./JobStart.ts"
import { Jobs } from "./Jobs.ts"
import { Results } from "./Results.ts"

/** How long a reader who has everything is kept, in case there is more. */
const patience = Duration.seconds(1)

/** The store failing is nothing a caller can mend. */
export const orDie = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.catchTag(effect as Effect.Effect<A, E | SqlError.SqlError, R>, "SqlError", Effect.die)

/** The engine by the name that the caller used. */
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

/** A team's job at an address; clients of version 1 know batches by the address of crawls as well. */
export const lookup = (
  jobs: Context.Tag.Service<Jobs>,
  teamId: string,
  { id, kind, version }: { readonly kind: Kind; readonly version: Version; readonly id: string }
) => {
  const found = jobs.find(teamId, kind, id)
  if (version !== 1 || kind !== "crawl") return found
  return Effect.catchTag(found, "NotFound", (crawl) =>
    Effect.mapError(jobs.find(teamId, "batch", id), (batch) => (batch.message === "Job not found" ? crawl : batch))
  )
}

const find = (kind: Kind, version: Version, id: string) =>
  Effect.flatMap(Effect.all([Jobs, Team]), ([jobs, team]) => lookup(jobs, team.id, { id, kind, version }))

/** The job, once it has a document that the caller has not read; as it is when that takes too long. */
const awaited = (kind: Kind, version: Version, id: string, skip: number | undefined) =>
  Effect.gen(function* () {
    const bell = yield* ChangeSignal
    const found = find(kind, version, id)
    const news = (job: JobRow) => job.status !== "scraping" || skip === undefined || job.results > skip
    const first = yield* found
    if (news(first)) return first
    const wait: typeof found = Effect.gen(function* () {
      // Nobody rings for a job that is not there or has ended. What came before we listen is seen by looking again.
      const changed = yield* bell.listen(first.id)
      const job = yield* found
      return news(job) ? job : yield* Effect.zipRight(changed, wait)
    })
    const changed = yield* Effect.timeoutOption(wait, patience)
    return changed._tag === "Some" ? changed.value : yield* found
  })

const empty: Uint8Array = Buffer.alloc(0)

/** Stored bytes between an envelope and its end: nothing is parsed or serialized again. The version is that of the address, not of the job. */
export const status = (kind: Kind, version: Version, id: string, query: typeof PageQuery.Type) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const results = yield* Results
    // Before the job is looked up, and until the answer is sent: what a team removes meanwhile stays for this answer.
    yield* results.reading(id.toLowerCase())
    const job = yield* awaited(kind, version, id, query.skip)
    const skip = query.skip ?? 0
    const { count, length, slices } = yield* results
      .page(job.id, skip, query.limit ?? pageSize.default, version)
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
    // Most pages are small: they need no machinery.
    const [only = Effect.succeed(empty), ...more] = slices
    if (more.length === 0) {
      return HttpServerResponse.uint8Array(Buffer.concat([head, yield* only, tail]), { contentType })
    }
    const parts = [Effect.succeed<Uint8Array>(head), ...slices, Effect.succeed<Uint8Array>(tail)]
    const sent = Stream.mapEffect(Stream.fromIterable(parts), (part) => part)
    return HttpServerResponse.stream(sent, {
      contentType,
      contentLength: length === undefined ? undefined : head.byteLength + length + tail.byteLength
    })
  }).pipe(orDie)

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
  }).pipe(orDie)

export const errors = (kind: Kind, version: Version, id: string) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const results = yield* Results
    yield* results.reading(id.toLowerCase())
    const job = yield* find(kind, version, id)
    return HttpServerResponse.stream(Stream.encodeText(jobs.errors(job)), { contentType: "application/json" })
  }).pipe(orDie)

export const pathOf = (kind: Kind, version: Version): string =>
  `/v${version}/${kind === "crawl" ? "crawl" : "batch/scrape"}`

export interface Reader {
  readonly expiresAt: Date
  /** The job's own address, as the reader knows the engine. */
  readonly address: string
  /** What the reader will have read. */
  readonly position: number
  readonly limit?: number | undefined
}

/** A JSON object that is not closed yet: its documents follow. `next` is there until the reader has everything. */
export const envelopeOf = (job: JobRow, { address, expiresAt, limit, position }: Reader): string => {
  const more = job.status === "scraping" || position < job.results
  const next = `${address}?skip=${position}`
  return JSON.stringify({
    // The call succeeds also where the job has failed: clients that people have take anything else for a lost answer.
    success: true,
    status: job.status,
    total: totalOf(job),
    completed: job.completed,
    creditsUsed: job.credits,
    expiresAt: expiresAt.toISOString(),
    ...(more ? { next: limit === undefined ? next : `${next}&limit=${limit}` } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    ...(job.code === null ? {} : { code: job.code })
  }).slice(0, -1)
}
