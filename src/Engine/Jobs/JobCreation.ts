/** Starts jobs and extends batches, each in one transaction: all pages are queued, or none. */
import { isDeepStrictEqual } from "node:util"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { BadRequest, Conflict, InsufficientStorage, type NotFound, RateLimited } from "../../Api/Errors.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import { type Spender, Usage } from "../Usage/Usage.ts"
import { ChangeSignal, webhookDue, work } from "./ChangeSignal.ts"
import { save } from "./Counters.ts"
import { type JobRow, type Kind, maxPricePerPage, readSpec, writeSpec } from "./JobRecord.ts"
import type { AppendedPages, Start } from "./JobStart.ts"
import * as Repeats from "./JobStart.ts"
import { enqueue, maxQueued } from "./Pages.ts"

/** Returns the name of the first option whose value differs from the job's own. */
const firstDifference = (options: object, own: object): string | undefined =>
  Object.entries(options).find(([name, value]) => !isDeepStrictEqual(value, Reflect.get(own, name)))?.[0]

/** Maximum running jobs of a team. */
const maxUnfinished = 1000

/** Maximum characters of a stored spec. Every commit of the job reads and writes it. */
const maxSpec = 1024 * 1024

const queueFull = (what: string) =>
  new RateLimited({ error: `${what}: retry in 30 seconds.`, code: "QUEUE_FULL", retryAfter: 30 })

export interface JobLookup {
  readonly find: (teamId: string, kind: Kind, id: string) => Effect.Effect<JobRow, NotFound>
  /** Runs `f` on the locked row of a job, in a transaction. */
  readonly change: <A, E>(
    job: Pick<JobRow, "id">,
    f: (job: JobRow) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | NotFound>
  readonly newId: () => string
}

export const make = Effect.fnUntraced(function* ({ change, find, newId }: JobLookup) {
  const sql = yield* Sql
  const changes = yield* ChangeSignal
  const usage = yield* Usage
  const limits = yield* Storage.StorageLimits
  const space = yield* Storage.FreeSpace

  /** Fails if the disk or the team's storage is full, before pages are fetched in vain. */
  const ensureRoom = (team: string) =>
    Effect.zipRight(
      Effect.flatMap(space, (free) => (free === undefined ? Effect.void : (Storage.fullDisk(free) ?? Effect.void))),
      Storage.ensureRoom(sql, team, limits)
    )

  /** Queues all pages of a request, or fails. */
  const queue = (job: JobRow, pages: Start["pages"]) =>
    Effect.gen(function* () {
      const before = yield* Storage.used(sql, job.team)
      const { isCut, queued } = yield* enqueue(sql, job, pages, limits)
      return isCut ? yield* Storage.noRoom(limits, before) : queued
    })

  const create = Effect.fnUntraced(function* (start: Start) {
    const now = yield* Clock.currentTimeMillis
    const [unfinished] = yield* sql<{ count: number }>`SELECT count(*) AS count FROM
      (SELECT 1 FROM jobs WHERE team = ${start.team.id} AND status = 'scraping' LIMIT ${maxUnfinished})`
    if ((unfinished?.count ?? 0) >= maxUnfinished) {
      return yield* queueFull(`The team has ${maxUnfinished} unfinished jobs, which is the limit`)
    }
    yield* ensureRoom(start.team.id)
    const price = maxPricePerPage(start.kind, start.spec)
    if (!usage.quota.fits(start.team.id, now, price)) return yield* usage.quota.refusal(start.team.id, now, price)
    const id = newId()
    const trace = yield* Trace.traceparent
    const spec = writeSpec({ ...start.spec, trace, revisit: yield* Repeats.revisitOf(sql, start, now) })
    if (spec.length > maxSpec) {
      return yield* new BadRequest({
        error: `The options of the job have ${spec.length} characters of JSON; ${maxSpec} are allowed. Shorten headers, schemas or scripts.`,
        code: "BAD_REQUEST"
      })
    }
    yield* Trace.note({ "sluice.job.id": id, "sluice.job.kind": start.kind })
    const rows = yield* sql<JobRow>`INSERT INTO jobs ${sql.insert({
      id,
      team: start.team.id,
      key_id: start.team.keyId,
      kind: start.kind,
      version: start.version,
      url: start.url,
      spec,
      status: "scraping",
      seeded: start.seeded ? 1 : 0,
      page_limit: start.limit,
      created_at: now,
      updated_at: now
    })} RETURNING *`
    for (const job of rows) yield* save(sql, { ...job, queued: yield* queue(job, start.pages) })
    if (start.webhook !== undefined) {
      yield* sql`INSERT INTO webhooks ${sql.insert({ job_id: id, sealed: start.webhook })}`
    }
    return { id, invalidURLs: start.invalidURLs }
  })

  const start = Trace.fn("Jobs.start")((start: Start) => {
    const { repeat, team } = start
    const started = repeat === undefined ? create(start) : Repeats.once(sql, team.id, repeat, create(start))
    const calls =
      start.webhook === undefined
        ? changes.notify(work)
        : Effect.all([changes.notify(work), changes.notify(webhookDue)])
    return Effect.zipLeft(sql.withTransaction(started), calls)
  })

  const append = Trace.fn("Jobs.append")(function* (team: Spender, id: string, more: AppendedPages) {
    const { pages, invalidURLs, options, repeat } = more
    const found = yield* find(team.id, "batch", id)
    // The spec of a job that cannot be extended has no options left; `change` refuses the job below.
    const isOver = found.status === "cancelled" || Storage.isFull(found)
    const { maxConcurrency, options: own } = readSpec(found)
    const different = isOver ? undefined : firstDifference(options, { ...own, maxConcurrency })
    if (different !== undefined) {
      const message = "differs from the option of the job in appendToId: leave this option out, or start another job"
      return yield* new BadRequest({
        error: `${different}: ${message}`,
        code: "BAD_REQUEST",
        details: [{ path: [different], message, code: "invalid_value" }]
      })
    }
    const extended = change(found, (job) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (job.status === "cancelled") {
          return yield* new Conflict({ error: "The job was cancelled: start another one." })
        }
        if (Storage.isFull(job)) {
          // Added pages would be fetched, but neither stored nor charged.
          const error = `Nothing can be added to a job that ended because the storage was full: start another one. ${job.error}`
          return yield* new InsufficientStorage({ error, code: job.code ?? undefined })
        }
        yield* ensureRoom(team.id)
        const price = maxPricePerPage("batch", readSpec(job))
        if (!usage.quota.fits(team.id, now, price)) return yield* usage.quota.refusal(team.id, now, price)
        if (job.queued + pages.length > maxQueued) {
          return yield* queueFull(`The job has ${job.queued} queued pages, and at most ${maxQueued} are allowed`)
        }
        const longer = { ...job, page_limit: job.page_limit + pages.length, updated_at: now }
        const queued = job.queued + (yield* queue(longer, pages))
        yield* save(sql, { ...longer, status: "scraping", error: null, code: null, finished_at: null, queued })
        yield* sql`UPDATE webhooks SET open = 1 WHERE job_id = ${job.id}`
        return { id, invalidURLs }
      })
    )
    return yield* repeat === undefined
      ? extended
      : Effect.zipLeft(sql.withTransaction(Repeats.once(sql, team.id, repeat, extended)), changes.notify(work))
  })

  return { append, start }
})
