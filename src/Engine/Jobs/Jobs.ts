/**
 * Batch and crawl jobs, for the handlers: start, extend, find, cancel and remove.
 *
 * - A job belongs to a team. Other teams cannot see it.
 * - `start` and `append` are transactions: all pages are queued, or none. The worker pool picks the job up afterwards.
 * - A job runs (`scraping`) until it is `completed`, `failed` or `cancelled`. Results are removed some time after that (`expiresAt`).
 * - `ZeroRetention` provides the same service for jobs that must not be stored.
 *
 * Ports: the store (`Sql`), `Usage` for credits, `Storage` for limits, `Scraper`, `Robots` and `Sitemap` for pages, `SearchIndex` for their
 * text, `Webhooks` for deliveries. `ChangeSignal` connects its parts within a process; the store connects processes.
 */
import { randomUUID } from "node:crypto"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import {
  type BadRequest,
  Conflict,
  type InsufficientStorage,
  NotFound,
  type PaymentRequired,
  type RateLimited
} from "../../Api/Errors.ts"
import type { NotFollowed } from "../../Api/NotFollowed.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Sql } from "../Store/Sql.ts"
import { type Spender, Usage } from "../Usage/Usage.ts"
import { ChangeSignal, removed, work } from "./ChangeSignal.ts"
import { end, lock } from "./Counters.ts"
import * as JobCreation from "./JobCreation.ts"
import { claimable, type JobRow, type Kind, type LeftOut, leftOutOf, readSpec } from "./JobRecord.ts"
import type { AppendedPages, Start, Started } from "./JobStart.ts"
import { PendingResults } from "./ResultBuffer.ts"

/** Counts of a team's running and waiting pages, and the time at which its last job completed, in milliseconds since 1970. */
export interface Load {
  readonly active: number
  readonly waiting: number
  readonly mostRecentSuccess: number | undefined
}

type Lookup = Effect.Effect<JobRow, NotFound>

export class Jobs extends Context.Tag("sluice/Engine/Jobs/Jobs")<
  Jobs,
  {
    readonly start: (
      start: Start
    ) => Effect.Effect<Started, BadRequest | Conflict | InsufficientStorage | PaymentRequired | RateLimited>
    /** Adds pages to a batch. A finished batch resumes; a cancelled one is refused. */
    readonly append: (
      team: Spender,
      id: string,
      more: AppendedPages
    ) => Effect.Effect<Started, BadRequest | Conflict | InsufficientStorage | NotFound | PaymentRequired | RateLimited>
    /** Returns the team's job of this kind. */
    readonly find: (teamId: string, kind: Kind, id: string) => Lookup
    readonly cancel: (teamId: string, kind: Kind, id: string) => Effect.Effect<void, Conflict | NotFound>
    /** Removes a job and its data; cancels it first if it is running. */
    readonly remove: (teamId: string, kind: Kind, id: string) => Effect.Effect<void, NotFound>
    /** Ends a running job because of a fault in the engine. */
    readonly fail: (job: Pick<JobRow, "id">, reason: string) => Effect.Effect<void, Conflict | NotFound>
    /** Failed and forbidden pages, as the JSON of the response. */
    readonly errors: (job: JobRow) => Stream.Stream<string>
    readonly activeCrawls: (teamId: string) => Effect.Effect<ReadonlyArray<JobRow>>
    readonly load: (teamId: string) => Effect.Effect<Load>
    readonly expiresAt: (job: JobRow) => Date
  }
>() {}

export const notFound = new NotFound({ error: "Job not found" })
const expired = new NotFound({ error: "Job expired" })

export const layer = (retention: Duration.Duration, newId: () => string = randomUUID) =>
  Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const changes = yield* ChangeSignal
      const pendingResults = yield* PendingResults
      const usage = yield* Usage

      const expiresAt = ({ updated_at }: JobRow) => new Date(updated_at + Duration.toMillis(retention))

      const find = Trace.fn("Jobs.find")(function* (teamId: string, kind: Kind, id: string) {
        const now = yield* Clock.currentTimeMillis
        const rows = yield* sql<JobRow>`SELECT * FROM jobs WHERE id = ${id.toLowerCase()}`
        const job = rows[0]
        if (job === undefined || job.team !== teamId || job.kind !== kind) return yield* notFound
        const isExpired = job.status !== "scraping" && expiresAt(job).getTime() <= now
        return job.purged !== 0 || isExpired ? yield* expired : job
      })

      /** Runs `f` on the locked row of a job, in a transaction. */
      const change = <A, E>(job: Pick<JobRow, "id">, f: (job: JobRow) => Effect.Effect<A, E>) =>
        Effect.flatMap(lock(sql, job.id), (locked): Effect.Effect<A, E | NotFound> => {
          if (locked === undefined) return notFound
          return locked.purged === 0 ? f(locked) : expired
        }).pipe(sql.withTransaction, Effect.zipLeft(Effect.all([changes.notify(job.id), changes.notify(work)])))

      const { append, start } = yield* JobCreation.make({ find, change, newId })

      /** Ends a running job early. The job keeps its results so far. */
      const stop = (found: Pick<JobRow, "id">, status: "cancelled" | "failed", error: string | null) =>
        Effect.zipRight(
          pendingResults.flush,
          change(found, (job) =>
            Effect.gen(function* () {
              if (job.status !== "scraping") {
                return yield* new Conflict({ error: `The job cannot be cancelled: it is ${job.status} already.` })
              }
              yield* end(sql, job, { status, error, code: null })
            })
          )
        ).pipe(
          // After the commit, because a transaction may be rolled back or retried.
          Effect.tap(() => usage.quota.releasePages(found.id))
        )

      const cancel = Trace.fn("Jobs.cancel")(function* (teamId: string, kind: Kind, id: string) {
        const found = yield* find(teamId, kind, id)
        yield* stop(found, "cancelled", null)
      })

      const remove = Trace.fn("Jobs.remove")(function* (teamId: string, kind: Kind, id: string) {
        const found = yield* find(teamId, kind, id)
        yield* pendingResults.flush
        // One transaction, so the job cannot be extended between its end and its removal.
        yield* change(found, (job) =>
          Effect.gen(function* () {
            if (job.status === "scraping") yield* end(sql, job, { status: "cancelled", error: null, code: null })
            yield* sql`UPDATE jobs SET purged = 3, updated_at = ${yield* Clock.currentTimeMillis} WHERE id = ${job.id}`
          })
        )
        yield* Effect.sync(() => usage.quota.releasePages(found.id))
        yield* changes.notify(removed)
      })

      const fail = Trace.fn("Jobs.fail")((job: Pick<JobRow, "id">, reason: string) => stop(job, "failed", reason))

      const activeCrawls = Trace.fn("Jobs.activeCrawls")(
        (teamId: string) => sql<JobRow>`SELECT * FROM jobs
          WHERE team = ${teamId} AND status = 'scraping' AND kind = 'crawl' ORDER BY created_at`
      )

      const load = Trace.fn("Jobs.load")(function* (teamId: string) {
        const rows = yield* sql<JobRow>`SELECT active, claimed, queued, page_limit FROM jobs
          WHERE team = ${teamId} AND status = 'scraping'`
        const last = yield* sql<{ at: number | null }>`SELECT max(finished_at) AS at FROM jobs
          WHERE team = ${teamId} AND status = 'completed'`
        return {
          active: rows.reduce((sum, { active }) => sum + active, 0),
          waiting: rows.reduce((sum, job) => sum + claimable(job), 0),
          mostRecentSuccess: last[0]?.at ?? undefined
        }
      })

      const errors = (job: JobRow) =>
        errorsJson(sql, job.id, {
          leftOut: leftOutOf(job),
          notFollowed: job.kind === "crawl" ? readSpec(job).notFollowed : undefined
        })

      return { start, append, find, cancel, remove, fail, errors, activeCrawls, load, expiresAt }
    })
  ).pipe(Layer.provide(PendingResults.Default))

/** Rows read at once. */
const rowsAtOnce = 500

interface ErrorRow {
  readonly place: number
  readonly id: string
  readonly at: number
  readonly url: string
  readonly code: string | null
  readonly error: string
}

interface BlockedRow {
  readonly id: number
  readonly url: string
}

/** Streams the elements of a JSON array, read in portions; `read` returns the rows that follow the last one. */
const jsonElements = <Row>(
  read: (last: Row | undefined) => Effect.Effect<ReadonlyArray<Row>>,
  encode: (row: Row) => unknown
): Stream.Stream<string> =>
  Stream.paginateEffect<Row | undefined, string, never, never>(undefined, (last) =>
    Effect.map(Effect.zipRight(nextTurn, read(last)), (rows) => [
      (last === undefined || rows.length === 0 ? "" : ",") + rows.map((row) => JSON.stringify(encode(row))).join(","),
      rows.length < rowsAtOnce ? Option.none() : Arr.last(rows)
    ])
  )

const failureJson = ({ at, code, error, id, url }: ErrorRow) => ({
  id,
  timestamp: new Date(at).toISOString(),
  url,
  ...(code === null ? {} : { code }),
  error
})

/** Streams the errors in order of occurrence, then the forbidden pages, then the reasons for skipped pages. */
export const errorsJson = (
  sql: Sql,
  jobId: string,
  left: { readonly leftOut?: ReadonlyArray<LeftOut> | undefined; readonly notFollowed?: NotFollowed | undefined } = {}
): Stream.Stream<string> => {
  const failed = jsonElements<ErrorRow>(
    (last) => sql<ErrorRow>`SELECT rowid AS place, id, at, url, code, error FROM job_errors
      WHERE job_id = ${jobId} AND (at, rowid) > (${last?.at ?? -1}, ${last?.place ?? 0}) ORDER BY at, rowid LIMIT ${rowsAtOnce}`,
    failureJson
  )
  const blocked = jsonElements<BlockedRow>(
    (last) => sql<BlockedRow>`SELECT id, url FROM job_pages
      WHERE job_id = ${jobId} AND state = 3 AND id > ${last?.id ?? 0} ORDER BY id LIMIT ${rowsAtOnce}`,
    ({ url }) => url
  )
  const rest = Object.entries(left).flatMap(([name, value]) =>
    value === undefined ? [] : [`,"${name}":${JSON.stringify(value)}`]
  )
  return Stream.make('{"errors":[').pipe(
    Stream.concat(failed),
    Stream.concat(Stream.make('],"robotsBlocked":[')),
    Stream.concat(blocked),
    Stream.concat(Stream.make(`]${rest.join("")}}`))
  )
}
