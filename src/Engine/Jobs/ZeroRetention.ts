/**
 * Jobs with zero data retention: the same services on an in-memory store, with nothing on disk. Such jobs have UUIDs of version 8 as ids,
 * so that a call finds the right store, and another or later engine can explain why it has no data.
 */

import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { NotFound, RateLimited } from "../../Api/Errors.ts"
import { repeatedly } from "../../Telemetry/Log.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import * as Store from "../Store/Store.ts"
import { Usage } from "../Usage/Usage.ts"
import { ChangeSignal } from "./ChangeSignal.ts"
import { resultsGrace } from "./Janitor.ts"
import * as JobServices from "./JobServices.ts"
import { refuseKnown, type Start } from "./JobStart.ts"
import { Jobs } from "./Jobs.ts"
import { Results } from "./Results.ts"

export interface ZeroRetentionOptions extends JobServices.JobServicesOptions {
  /** Maximum memory of all such jobs together, including queued pages; default 256 MB. */
  readonly maxBytes?: number | undefined
}

/** Maximum retention of results. Together with the grace time for readers, results are deleted within an hour. */
const maxRetention = Duration.subtract(Duration.hours(1), Duration.sum(resultsGrace, Duration.minutes(1)))

/** Approximate memory of a queued page with its index entries; used to find the largest job. */
const queuedPageBytes = 500

/** Search index that stores nothing of these jobs. */
const noIndex = SearchIndex.of({ add: () => Effect.void, search: () => Effect.succeed({ data: {} }) })

/** A store with the job services that use it. */
interface JobStore {
  readonly sql: Sql
  readonly jobs: Context.Tag.Service<Jobs>
  readonly results: Results
}

/** Creates a UUID of version 8, whose content the application defines. */
const newId = (): string => {
  const id = randomUUID()
  return `${id.slice(0, 14)}8${id.slice(15)}`
}

const isInMemory = (id: string): boolean => id[14] === "8"

/** Replaces `Jobs` and `Results` with services that also serve in-memory jobs. */
export const layer = ({ maxBytes = 256 * 1024 * 1024, ...work }: ZeroRetentionOptions) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const disk: JobStore = { sql: yield* Sql, jobs: yield* Jobs, results: yield* Results }
      const usage = yield* Usage
      const changes = yield* ChangeSignal
      const retention = Duration.min(work.retention, maxRetention)
      const usageOnDisk = Usage.of({
        ...usage,
        // The ledger is on disk, so the charge must not join a transaction of the store in memory.
        charge: (...charged) =>
          Effect.mapInputContext(usage.charge(...charged), (context: Context.Context<never>) =>
            Context.omit(SqlClient.TransactionConnection)(context as Context.Context<SqlClient.TransactionConnection>)
          )
      })
      const inside = Layer.mergeAll(
        Store.memory,
        Layer.succeed(Usage, usageOnDisk),
        Layer.succeed(SearchIndex, noIndex),
        // A full disk does not affect in-memory jobs.
        Layer.succeed(Storage.FreeSpace, Effect.succeed(undefined)),
        Layer.succeed(ChangeSignal, changes)
      )
      /** Undefined until the first such job: most engines never have one, and creating its tables takes a quarter of an engine's start. */
      let memory: JobStore | undefined
      const storeOf = (id: string): JobStore => (isInMemory(id) ? (memory ?? disk) : disk)

      const open = Effect.gen(function* () {
        // The rows of ended jobs are kept as long as the results of jobs on disk.
        const remembered = work.retention
        const services = JobServices.layer({ ...work, retention, remembered, newId })
        const built = yield* Layer.build(Layer.provideMerge(services, inside))
        const opened: JobStore = {
          sql: Context.get(built, Sql),
          jobs: Context.get(built, Jobs),
          results: Context.get(built, Results)
        }
        const warning = "The memory of jobs with zero data retention could not be measured"
        yield* repeatedly(endLargest(opened, maxBytes), "500 millis", warning)
        memory = opened
        return opened
      })
      const runtime = yield* Effect.runtime<Effect.Effect.Context<typeof open>>()
      // The fibers belong to the engine, so they must not inherit anything from the request that opens the store.
      const opened = yield* Effect.cached(
        Effect.orDie(Effect.suspend(() => Fiber.join(Runtime.runFork(runtime)(open))))
      )

      /** Fails if the other store knows the idempotency key, because a key stands for one start across both stores. */
      const unlessKnownTo = ({ repeat, team }: Pick<Start, "repeat" | "team">, other: JobStore | undefined) =>
        repeat === undefined || other === undefined ? Effect.void : refuseKnown(other.sql, team.id, repeat)

      const startInMemory = (start: Start) =>
        Effect.gen(function* () {
          const { jobs, sql } = yield* opened
          if ((yield* bytesIn(sql)) >= maxBytes) {
            return yield* new RateLimited({
              error:
                "Jobs with zeroDataRetention use all the memory that is reserved for them: delete finished ones, or retry in 60 seconds.",
              code: "QUEUE_FULL",
              retryAfter: 60
            })
          }
          return yield* jobs.start(start)
        })

      const both = <A, E>(f: (jobs: JobStore["jobs"]) => Effect.Effect<A, E>, join: (onDisk: A, inMemory: A) => A) =>
        Effect.suspend(() => (memory === undefined ? f(disk.jobs) : Effect.zipWith(f(disk.jobs), f(memory.jobs), join)))

      const find: Context.Tag.Service<Jobs>["find"] = Effect.fnUntraced(function* (teamId, kind, id) {
        const store = storeOf(id)
        if (isInMemory(id) && (yield* store.sql`SELECT 1 FROM jobs WHERE id = ${id.toLowerCase()}`).length === 0) {
          return yield* lost
        }
        return yield* store.jobs.find(teamId, kind, id)
      })

      const jobs = Jobs.of({
        start: (start) =>
          start.spec.options.zeroDataRetention
            ? Effect.zipRight(unlessKnownTo(start, disk), startInMemory(start))
            : Effect.zipRight(unlessKnownTo(start, memory), disk.jobs.start(start)),
        append: (team, id, more) =>
          find(team.id, "batch", id).pipe(
            Effect.zipRight(unlessKnownTo({ team, repeat: more.repeat }, isInMemory(id) ? disk : memory)),
            Effect.zipRight(Effect.suspend(() => storeOf(id).jobs.append(team, id, more)))
          ),
        find,
        cancel: (teamId, kind, id) =>
          Effect.zipRight(find(teamId, kind, id), storeOf(id).jobs.cancel(teamId, kind, id)),
        remove: (teamId, kind, id) =>
          Effect.zipRight(find(teamId, kind, id), storeOf(id).jobs.remove(teamId, kind, id)),
        fail: (job, reason) => storeOf(job.id).jobs.fail(job, reason),
        errors: (job) => storeOf(job.id).jobs.errors(job),
        activeCrawls: (teamId) =>
          both(
            (jobs) => jobs.activeCrawls(teamId),
            (onDisk, inMemory) => [...onDisk, ...inMemory]
          ),
        load: (teamId) =>
          both(
            (jobs) => jobs.load(teamId),
            (onDisk, inMemory) => ({
              active: onDisk.active + inMemory.active,
              waiting: onDisk.waiting + inMemory.waiting,
              mostRecentSuccess: Math.max(onDisk.mostRecentSuccess ?? 0, inMemory.mostRecentSuccess ?? 0) || undefined
            })
          ),
        expiresAt: (job) => storeOf(job.id).jobs.expiresAt(job)
      })
      const results = Results.make({
        page: (jobId, skip, limit, version) => storeOf(jobId).results.page(jobId, skip, limit, version),
        some: (jobId, from, version) => storeOf(jobId).results.some(jobId, from, version),
        reading: (jobId) => storeOf(jobId).results.reading(jobId),
        isRead: (jobId) => storeOf(jobId).results.isRead(jobId)
      })
      return Context.make(Jobs, jobs).pipe(Context.add(Results, results))
    })
  )

/** Bytes used by an in-memory store. */
const bytesIn = (sql: Sql) =>
  Effect.map(
    sql<{ bytes: number }>`SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    (rows) => rows[0]?.bytes ?? 0
  )

/** Ends the largest job while the memory limit is exceeded. */
const endLargest = ({ jobs, sql }: JobStore, maxBytes: number) =>
  Effect.gen(function* () {
    if ((yield* bytesIn(sql)) < maxBytes) return
    const [largest] = yield* sql<{
      id: string
      team: string
    }>`SELECT id, team FROM jobs WHERE status = 'scraping'
      ORDER BY bytes + ${queuedPageBytes} * queued DESC LIMIT 1`
    if (largest === undefined) return
    yield* jobs.fail(
      largest,
      "The results and queued pages of the job need more memory than jobs with zeroDataRetention may use: start several smaller jobs."
    )
    // Delete its queued pages, which may take most of the memory.
    yield* sql`DELETE FROM job_pages WHERE job_id = ${largest.id} AND state = 2`
  })

/** Error for a job with zero data retention that this engine does not hold. */
const lost = new NotFound({
  error:
    "The job was started with zeroDataRetention, so only the engine that started it has its data. This is another engine, or it has been restarted since, and its data was not kept. Send the request to the engine that started the job, or start the job again.",
  code: "JOB_NOT_KEPT"
})
