/**
 * Store operations of the worker pool: leases pages and records their outcomes.
 *
 * `commit` is one transaction for several jobs: results, errors, found pages, credits, counters, and the next leases. After a crash a page
 * is either recorded and charged, or its lease belongs to a dead owner and it is queued again. Credits that a job holds in memory are
 * corrected when the transaction fails.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as NotFollowed from "../../Api/NotFollowed.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import { booking, onTransactionEnd, Usage } from "../Usage/Usage.ts"
import { end, lock, save } from "./Counters.ts"
import * as FinishedPages from "./FinishedPages.ts"
import { addLeftOut, claimable, type JobRow, type LeftOut, maxPricePerPage, readSpec, writeSpec } from "./JobRecord.ts"
import type { Finished, FoundPage } from "./PageOutcome.ts"
import * as Pages from "./Pages.ts"

/** Pages of the sitemaps; `isWhole` is false when a sitemap could not be read completely. */
export interface Seeds {
  readonly found: ReadonlyArray<FoundPage>
  readonly isWhole: boolean
  /** Sitemap pages left out, counted by reason; only with `sitemap: only`. */
  readonly notFollowed: NotFollowed.NotFollowed
  /** True if more pages of the sitemaps follow. */
  readonly hasMore?: boolean | undefined
  /** Address that the start redirects to, if the crawl does not visit the start. */
  readonly landed?: string | undefined
}

/** Commit input for one job: its finished pages, how many pages to lease next, and which ones not. */
export interface JobTurn {
  readonly jobId: string
  readonly finished: ReadonlyArray<Finished>
  readonly room: number
  readonly aside?: Pages.Aside | undefined
}

/** Commit result: the job afterwards, and the pages leased for it. */
export interface CommitResult extends Pages.Claimed {
  readonly job: JobRow | undefined
}

/** Key of a known page of a job, and its depth. */
export interface KnownPage {
  readonly url_key: string
  readonly depth: number
}

/** Reason why a job ends before all its pages are fetched. */
type Ending = Pick<JobRow, "error" | "code">

export class Frontier extends Effect.Service<Frontier>()("sluice/Engine/Jobs/Frontier", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const usage = yield* Usage
    const limits = yield* Storage.StorageLimits
    const storePages = yield* FinishedPages.make

    /** Releases credits that the job holds. They are held again if the transaction is rolled back. */
    const release = (jobId: string, credits?: number) =>
      Effect.suspend(() => {
        const holdAgain = usage.quota.releasePages(jobId, credits)
        return onTransactionEnd((isCommitted) => {
          if (!isCommitted) holdAgain()
        })
      })

    const insertRefusal = (job: JobRow, url: string, refusal: Storage.Refusal) =>
      sql`INSERT INTO job_errors ${sql.insert({ id: randomUUID(), job_id: job.id, at: job.updated_at, url, ...refusal })}`

    const endEarly = (job: JobRow, reason: Ending) =>
      Effect.zipLeft(end(sql, job, { ...reason, status: "failed" }), release(job.id))

    /** Ends the job because pages cannot be stored. */
    const refuse = (job: JobRow, url: string, refusal: Storage.Refusal) =>
      Effect.zipRight(insertRefusal(job, url, refusal), endEarly(job, refusal))

    /** Leases at most `room` pages, as far as the team's quota allows, and saves the job. Ends the job if the quota allows none. */
    const leasePages = Effect.fnUntraced(function* (
      owner: string,
      job: JobRow,
      { aside, room }: Pick<JobTurn, "aside" | "room">,
      price: number
    ) {
      const wanted = Math.min(room, claimable(job))
      const now = yield* Clock.currentTimeMillis
      const granted = usage.quota.holdPages({ id: job.id, team: job.team }, now, price, wanted)
      yield* onTransactionEnd((isCommitted) => {
        if (!isCommitted) usage.quota.releasePages(job.id, granted * price)
      })
      if (wanted > 0 && granted === 0 && job.active === 0 && !usage.quota.fits(job.team, now, price)) {
        const { code = null, error } = usage.quota.refusal(job.team, now, price)
        return { job: yield* endEarly(job, { error, code }), tasks: [] } satisfies CommitResult
      }
      const { passed, tasks } = yield* Pages.claim(sql, owner, job, granted, aside)
      yield* release(job.id, (granted - tasks.length) * price)
      const saved = yield* save(sql, {
        ...job,
        queued: job.queued - tasks.length,
        active: job.active + tasks.length,
        claimed: job.claimed + tasks.length
      })
      if (saved.status !== "scraping") yield* release(job.id)
      return { job: saved, tasks, passed } satisfies CommitResult
    })

    const commitJob = Effect.fnUntraced(function* (owner: string, { jobId, finished, ...lease }: JobTurn) {
      const job = yield* lock(sql, jobId)
      if (job === undefined || job.status !== "scraping") {
        yield* release(jobId)
        return { job, tasks: [] } satisfies CommitResult
      }
      const price = maxPricePerPage(job.kind, readSpec(job))
      const { counted, refused } = yield* storePages(owner, job, finished)
      if (refused !== undefined) {
        return { job: yield* refuse(counted, refused.url, refused.refusal), tasks: [] } satisfies CommitResult
      }
      yield* release(job.id, finished.length * price)
      return yield* leasePages(owner, counted, lease, price)
    })

    /** Commits finished pages and leases the next ones, for several jobs in one transaction. */
    const commit = Trace.fn("Frontier.commit")(
      (owner: string, turns: ReadonlyArray<JobTurn>): Effect.Effect<ReadonlyArray<CommitResult>> =>
        booking(sql.withTransaction(Effect.forEach(turns, (turn) => commitJob(owner, turn))))
    )

    /** Adds the pages of the sitemap, and marks the job as seeded unless more follow. */
    const seed = Trace.fn("Frontier.seed")((jobId: string, { found, hasMore, isWhole, landed, notFollowed }: Seeds) =>
      Effect.gen(function* () {
        const job = yield* lock(sql, jobId)
        if (job === undefined || job.status !== "scraping") return
        const { isCut, queued } = yield* Pages.enqueue(sql, job, found, limits)
        const reasons: ReadonlyArray<LeftOut> = [
          ...(isWhole ? [] : (["sitemap"] as const)),
          ...(Pages.isFull(job, found) ? (["limit"] as const) : [])
        ]
        const isLeft = Object.keys(notFollowed).length > 0
        const known = addLeftOut({ ...readSpec(job), ...(landed === undefined ? {} : { landed }) }, reasons)
        const spec = isLeft
          ? writeSpec({ ...known, notFollowed: NotFollowed.add(known.notFollowed ?? {}, notFollowed) })
          : reasons.length === 0 && landed === undefined
            ? job.spec
            : writeSpec(known)
        const seeded: JobRow = { ...job, spec, seeded: hasMore === true ? 0 : 1, queued: job.queued + queued }
        if (!isCut) return yield* save(sql, seeded)
        const refusal = Storage.teamEnd(limits, yield* Storage.used(sql, job.team))
        return yield* refuse(seeded, job.url, refusal)
      }).pipe(sql.withTransaction, booking)
    )

    /** Returns the jobs that have pages to lease or sitemaps to read. */
    const open = sql<Pick<JobRow, "id" | "claimed" | "queued" | "page_limit">>`
      SELECT id, claimed, queued, page_limit FROM jobs WHERE status = 'scraping'
      AND (seeded = 0 OR (queued > 0 AND claimed < page_limit)) ORDER BY created_at`

    /** Returns a running job; undefined when it has ended. */
    const find = (jobId: string) =>
      Effect.map(sql<JobRow>`SELECT * FROM jobs WHERE id = ${jobId} AND status = 'scraping'`, (rows) => rows[0])

    /** Returns whether the start of a crawl is still to be visited, and where it has landed. */
    const start = (jobId: string, key: string) =>
      Effect.map(
        sql<Pick<JobRow, "spec"> & { waiting: number }>`SELECT spec, EXISTS (SELECT 1 FROM job_pages
          WHERE job_id = ${jobId} AND url_key = ${key} AND state < 2) AS waiting FROM jobs WHERE id = ${jobId}`,
        ([job]) => ({ isOpen: job?.waiting === 1, landed: job === undefined ? undefined : readSpec(job).landed })
      )

    /** Returns keys of the job's known pages, which save looking up most links in the store; `withDepth`, where the depth matters. */
    const keys = (jobId: string, maxCount: number, withDepth = false): Effect.Effect<ReadonlyArray<KnownPage>> =>
      // Without the depth, the index has all that is read.
      sql<KnownPage>`SELECT url_key, ${sql.literal(withDepth ? "depth" : "0")} AS depth FROM job_pages
        WHERE job_id = ${jobId} LIMIT ${maxCount}`

    /** Returns which of the jobs have ended. */
    const ended = (jobIds: ReadonlyArray<string>) =>
      Effect.map(
        sql<{ id: string }>`SELECT id FROM jobs WHERE status <> 'scraping' AND ${sql.in("id", jobIds)}`,
        (rows) => rows.map(({ id }) => id)
      )

    return { commit, seed, open, find, start, keys, ended }
  })
}) {}
