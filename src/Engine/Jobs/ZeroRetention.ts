/**
 * Jobs with zero data retention: the same work over a store in memory. The store on disk only knows that such a job exists, its
 * team, and the engine that holds it.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Conflict, NotFound, RateLimited } from "../../Api/Errors.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import * as Storage from "../Store/Storage.ts"
import * as Store from "../Store.ts"
import { Usage } from "../Usage/Usage.ts"
import { ChangeSignal } from "./ChangeSignal.ts"
import { sending } from "./Janitor.ts"
import type { JobRow } from "./JobRecord.ts"
import type { Start } from "./JobStart.ts"
import * as Repeats from "./JobStart.ts"
import { Jobs } from "./Jobs.ts"
import * as Leases from "./Leases.ts"
import { Results } from "./Results.ts"
import * as Work from "./Work.ts"

export interface UnkeptOptions extends Work.WorkOptions {
  /** Bytes that all such jobs together may hold, what waits to be fetched included; 256 MB unless said otherwise. */
  readonly maxBytes?: number | undefined
}

/** Results are kept for their readers, not longer: memory is dear. After an hour they are gone. */
const longest = Duration.subtract(Duration.hours(1), Duration.sum(sending, Duration.minutes(1)))

/** What an address that waits takes in memory, with its places in indexes; to tell which job is the largest. */
const waitingBytes = 500

/** Nothing is searchable. */
const deaf = SearchIndex.of({ add: () => Effect.void, search: () => Effect.succeed({ data: {} }) })

/** Over the jobs and results of the store on disk; gives both again, for jobs of either store. */
export const layer = ({ maxBytes = 256 * 1024 * 1024, ...work }: UnkeptOptions) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const disk = { sql: yield* SqlClient.SqlClient, jobs: yield* Jobs, results: yield* Results }
      const usage = yield* Usage
      const bell = yield* ChangeSignal
      const retention = Duration.min(work.retention, longest)
      const booked = Usage.of({
        ...usage,
        // The ledger is on disk, whoever's transaction this is called in.
        charge: (...charged) =>
          Effect.mapInputContext(usage.charge(...charged), (context: Context.Context<never>) =>
            Context.omit(SqlClient.TransactionConnection)(context as Context.Context<SqlClient.TransactionConnection>)
          )
      })
      const inside = Layer.mergeAll(
        Store.memory,
        Layer.succeed(Usage, booked),
        Layer.succeed(SearchIndex, deaf),
        // Their jobs start however full the disk is.
        Layer.succeed(Storage.FreeSpace, Effect.succeed(undefined)),
        Layer.succeed(ChangeSignal, bell)
      )
      // The store on disk knows of a job for as long as it keeps others; after that it has expired wherever one looks.
      const remembered = work.retention
      const built = yield* Layer.build(Work.layer({ ...work, retention, remembered }).pipe(Layer.provideMerge(inside)))
      const memory = {
        sql: Context.get(built, SqlClient.SqlClient),
        jobs: Context.get(built, Jobs),
        results: Context.get(built, Results)
      }
      const held = yield* make(disk.sql)
      const here = new Set<string>()
      const isHere = (id: string) => here.has(id.toLowerCase())
      const home = (id: string) => (isHere(id) ? memory : disk)

      // A key stands for one start, whichever store that went to.
      const keyed = new Map<string, Effect.Semaphore>()
      const keyedOf = (team: string): Effect.Semaphore => {
        const known = keyed.get(team) ?? Effect.unsafeMakeSemaphore(1)
        keyed.set(team, known)
        return known
      }
      const apart = <A, E>(
        { repeat, team }: Pick<Start, "repeat" | "team">,
        others: SqlClient.SqlClient,
        act: Effect.Effect<A, E>
      ) =>
        repeat === undefined
          ? act
          : keyedOf(team.id).withPermits(1)(Effect.zipRight(Repeats.refuseKnown(others, team.id, repeat), act))

      /** Bytes of the store in memory that are in use. */
      const used = Effect.map(
        memory.sql<{ bytes: number }>`SELECT (page_count - freelist_count) * page_size AS bytes
          FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
        (rows) => rows[0]?.bytes ?? 0
      )

      const startUnkept = (start: Start) =>
        Effect.gen(function* () {
          if ((yield* used) >= maxBytes) {
            return yield* new RateLimited({
              error:
                "Jobs with zeroDataRetention hold all the memory there is for them: read and leave them, or retry in 60 seconds.",
              code: "QUEUE_FULL",
              retryAfter: 60
            })
          }
          const started = yield* memory.jobs.start(start)
          here.add(started.id)
          yield* held.note(started.id, start)
          return started
        }).pipe(
          // A caller who leaves in the middle must not leave a job behind that nobody finds.
          Effect.uninterruptible
        )

      /** The job that is largest ends when all together are too large. */
      const bound = Effect.gen(function* () {
        if ((yield* used) < maxBytes) return
        const [largest] = yield* memory.sql<{
          id: string
          team: string
        }>`SELECT id, team FROM jobs WHERE status = 'scraping'
          ORDER BY bytes + ${waitingBytes} * queued DESC LIMIT 1`
        if (largest === undefined) return
        yield* memory.jobs.fail(
          largest,
          "Its results and what waits take more memory than jobs with zeroDataRetention may: start several smaller ones."
        )
        // What waited is nobody's any more, and may be most of the memory.
        yield* memory.sql`DELETE FROM job_pages WHERE job_id = ${largest.id} AND state = 2`
      })
      yield* bound.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("The size of unkept jobs could not be looked at", cause)),
        Effect.zipRight(Effect.sleep(Duration.millis(500))),
        Effect.forever,
        Effect.forkScoped
      )

      /** Jobs that the store in memory has forgotten are asked for on disk. */
      const forget = Effect.gen(function* () {
        const known = [...here]
        const rows = yield* memory.sql<{ id: string }>`SELECT id FROM jobs`
        const there = new Set(rows.map(({ id }) => id))
        for (const id of known) if (!there.has(id)) here.delete(id)
      })
      yield* forget.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Unkept jobs that are over could not be forgotten", cause)),
        Effect.delay(Duration.minutes(10)),
        Effect.forever,
        Effect.forkScoped
      )

      const both = <A, B, E>(f: (jobs: Context.Tag.Service<Jobs>) => Effect.Effect<A, E>, join: (a: A, b: A) => B) =>
        Effect.zipWith(f(disk.jobs), f(memory.jobs), join)

      const find: Context.Tag.Service<Jobs>["find"] = (teamId, kind, id) =>
        isHere(id) ? memory.jobs.find(teamId, kind, id) : Effect.flatMap(disk.jobs.find(teamId, kind, id), held.check)

      const jobs = Jobs.of({
        start: (start) =>
          start.spec.options.zeroDataRetention
            ? apart(start, disk.sql, startUnkept(start))
            : apart(start, memory.sql, disk.jobs.start(start)),
        append: (team, id, more) =>
          apart(
            { team, repeat: more.repeat },
            isHere(id) ? disk.sql : memory.sql,
            find(team.id, "batch", id).pipe(
              Effect.tap(held.refuseLost),
              Effect.zipRight(Effect.suspend(() => home(id).jobs.append(team, id, more)))
            )
          ),
        find,
        cancel: (teamId, kind, id) => Effect.zipRight(find(teamId, kind, id), home(id).jobs.cancel(teamId, kind, id)),
        remove: (teamId, kind, id) => Effect.zipRight(find(teamId, kind, id), home(id).jobs.remove(teamId, kind, id)),
        fail: (job, reason) => home(job.id).jobs.fail(job, reason),
        errors: (job) => home(job.id).jobs.errors(job),
        activeCrawls: (teamId) =>
          both(
            (jobs) => jobs.activeCrawls(teamId),
            (kept, unkept) => [...kept, ...unkept]
          ),
        load: (teamId) =>
          both(
            (jobs) => jobs.load(teamId),
            (kept, unkept) => ({
              active: kept.active + unkept.active,
              waiting: kept.waiting + unkept.waiting,
              mostRecentSuccess: Math.max(kept.mostRecentSuccess ?? 0, unkept.mostRecentSuccess ?? 0) || undefined
            })
          ),
        expiresAt: (job) => home(job.id).jobs.expiresAt(job)
      })
      const results = Results.make({
        page: (jobId, skip, limit, version) => home(jobId).results.page(jobId, skip, limit, version),
        some: (jobId, from, version) => home(jobId).results.some(jobId, from, version),
        reading: (jobId) => home(jobId).results.reading(jobId),
        isRead: (jobId) => home(jobId).results.isRead(jobId)
      })
      return Context.make(Jobs, jobs).pipe(Context.add(Results, results))
    })
  )

/** What is said of such a job once the engine that had it is gone. */
const lost =
  "The job was started with zeroDataRetention, and the engine has been restarted since: its data was not kept. Start it again."

const elsewhere = new NotFound({
  error:
    "The job was started with zeroDataRetention, and only the engine that it was started at has it: ask that engine, another one works on the same data folder."
})

/** The engine that has the job; undefined for jobs that are on disk. */
const holderOf = ({ spec }: JobRow): string | undefined =>
  (JSON.parse(spec) as { readonly heldBy?: string | undefined }).heldBy

/** Speaks for the jobs in memory of this engine for as long as the scope is open. */
export const make = (disk: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const owner = yield* Leases.make
    yield* Leases.renew(disk, owner).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("The lease on unkept jobs could not be renewed", cause)),
      Effect.delay(Duration.millis(Leases.leaseMillis / 3)),
      Effect.forever,
      Effect.forkScoped
    )

    /** All that is written down: whose it is, and when. It has failed for whoever finds nothing else. */
    const note = (id: string, { kind, team, version }: Start) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) =>
          disk`INSERT INTO jobs ${disk.insert({
            id,
            team: team.id,
            key_id: team.keyId,
            kind,
            version,
            url: "",
            spec: JSON.stringify({ heldBy: owner }),
            status: "failed",
            seeded: 1,
            error: lost,
            page_limit: 0,
            created_at: now,
            updated_at: now,
            finished_at: now
          })} ON CONFLICT DO NOTHING`
      )

    /** The job as it is on disk, unless another engine has it. */
    const check = (job: JobRow) => {
      const holder = holderOf(job)
      if (holder === undefined) return Effect.succeed(job)
      return Effect.flatMap(Leases.isAlive(disk, holder), (alive) => (alive ? elsewhere : Effect.succeed(job)))
    }
    /** There is nothing left that pages could be added to. */
    const refuseLost = (job: JobRow) =>
      holderOf(job) === undefined ? Effect.void : new Conflict({ error: lost, code: "JOB_NOT_KEPT" })

    return { note, check, refuseLost }
  })
