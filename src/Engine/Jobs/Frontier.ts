/** The crew's side of the store: leases on pages, and what came of them, a batch to a transaction. */
import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { Usage } from "../Usage/Usage.ts"
import { duplicate, type Finished, type Found } from "./Finished.ts"
import { claimable, endpointOf, type JobRow, outcomeOf, priceOf, readSpec, writeSpec } from "./Job.ts"
import type { Task } from "./Rota.ts"

/** What a job brings to the store, and how many new pages it wants for it. */
export interface Turnover {
  readonly jobId: string
  readonly finished: ReadonlyArray<Finished>
  readonly room: number
}

/** What it takes away. */
export interface Settlement {
  readonly job: JobRow | undefined
  /** Newly leased to us. */
  readonly tasks: ReadonlyArray<Task>
}

/** Rows of one statement. */
const rowsAtOnce = 500

const blocksOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const blocks: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < items.length; at += rowsAtOnce) blocks.push(items.slice(at, at + rowsAtOnce))
  return blocks
}

const counters = (job: JobRow) => ({
  status: job.status,
  seeded: job.seeded,
  error: job.error,
  spec: job.spec,
  page_limit: job.page_limit,
  queued: job.queued,
  active: job.active,
  claimed: job.claimed,
  results: job.results,
  completed: job.completed,
  blocked: job.blocked,
  bytes: job.bytes,
  credits: job.credits,
  updated_at: job.updated_at,
  finished_at: job.finished_at
})

/** The addresses known beyond the limit replace pages that robots.txt takes away; more would only fill the disk. */
const frontierSize = ({ page_limit }: JobRow): number => page_limit * 2 + 1000

/** Queues pages that the job does not know yet; gives how many were new. */
export const enqueue = (sql: SqlClient.SqlClient, job: JobRow, found: ReadonlyArray<Found>) => {
  const free = frontierSize(job) - job.queued - job.claimed - job.blocked
  const unique = [...new Map(found.map((page) => [page.address.key, page])).values()]
  return Effect.forEach(blocksOf(unique.slice(0, Math.max(0, free))), (block) =>
    Effect.map(
      sql`INSERT INTO job_pages ${sql.insert(
        block.map(({ address, depth }) => ({ job_id: job.id, url: address.href, url_key: address.key, depth }))
      )} ON CONFLICT DO NOTHING RETURNING id`,
      (rows) => rows.length
    )
  ).pipe(Effect.map((counts) => counts.reduce((sum, count) => sum + count, 0)))
}

/** The job as it is now, locked for this transaction. */
export const lock = (sql: SqlClient.SqlClient, jobId: string) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql<JobRow>`UPDATE jobs SET updated_at = ${now} WHERE id = ${jobId} RETURNING *`
    return rows[0]
  })

/** Writes the counters; a job with nothing left to do ends here. */
export const save = (sql: SqlClient.SqlClient, job: JobRow) =>
  Effect.gen(function* () {
    const status = outcomeOf(job)
    const first =
      status === "failed"
        ? yield* sql<{ error: string }>`SELECT error FROM job_errors WHERE job_id = ${job.id} ORDER BY at LIMIT 1`
        : []
    const reason =
      job.blocked > 0 ? `robots.txt allows none of the pages of ${job.url}` : `No page was found for ${job.url}`
    const saved: JobRow =
      status === undefined
        ? job
        : {
            ...job,
            status,
            finished_at: job.updated_at,
            error: status === "failed" ? (first[0]?.error ?? reason) : null
          }
    yield* sql`UPDATE jobs SET ${sql.update(counters(saved))} WHERE id = ${job.id}`
    return saved
  })

export class Frontier extends Effect.Service<Frontier>()("sluice/Engine/Jobs/Frontier", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const usage = yield* Usage
    const index = yield* SearchIndex

    const mark = (owner: string, state: 2 | 3, finished: ReadonlyArray<Finished>) =>
      Effect.forEach(
        blocksOf(finished),
        (block) =>
          sql<{ id: number }>`UPDATE job_pages SET state = ${state}, owner = NULL
          WHERE state = 1 AND owner = ${owner} AND ${sql.in(
            "id",
            block.map(({ task }) => task.id)
          )} RETURNING id`
      ).pipe(Effect.map((rows) => new Set(rows.flat().map(({ id }) => id))))

    /** Where a page led to counts as visited; if it was known already, the document is there already. */
    const land = (job: JobRow, finished: ReadonlyArray<Finished>) =>
      Effect.forEach(finished, (page) => {
        const { landed, task } = page
        if (landed === undefined) return Effect.succeed(page)
        return Effect.map(
          sql`INSERT INTO job_pages ${sql.insert({
            job_id: job.id,
            url: landed.href,
            url_key: landed.key,
            depth: task.depth,
            state: 2
          })} ON CONFLICT DO NOTHING RETURNING id`,
          (rows) => (rows.length === 0 ? duplicate(page) : page)
        )
      })

    const keep = (job: JobRow, finished: ReadonlyArray<Finished>) => {
      let { results: position, bytes: upto } = job
      const rows = finished.flatMap(({ body }) => {
        if (body === undefined) return []
        upto += body.byteLength
        return [{ job_id: job.id, position: position++, bytes: body.byteLength, upto, body }]
      })
      return Effect.as(
        Effect.forEach(blocksOf(rows), (block) => sql`INSERT INTO job_results ${sql.insert(block)}`, { discard: true }),
        { results: position, bytes: upto }
      )
    }

    const blame = (job: JobRow, finished: ReadonlyArray<Finished>) => {
      const rows = finished.flatMap(({ failure, task }) =>
        failure === undefined
          ? []
          : [
              {
                id: randomUUID(),
                job_id: job.id,
                at: job.updated_at,
                url: task.url,
                code: failure.code ?? null,
                error: failure.error
              }
            ]
      )
      return Effect.as(
        Effect.forEach(blocksOf(rows), (block) => sql`INSERT INTO job_errors ${sql.insert(block)}`, { discard: true }),
        rows.length
      )
    }

    const claim = (owner: string, job: JobRow, room: number) => {
      const count = Math.min(room, claimable(job))
      if (count <= 0) return Effect.succeed<ReadonlyArray<Task>>([])
      return Effect.map(
        sql<{ id: number; url: string; depth: number }>`UPDATE job_pages SET state = 1, owner = ${owner} WHERE id IN (
          SELECT id FROM job_pages WHERE job_id = ${job.id} AND state = 0 ORDER BY id LIMIT ${count}
        ) RETURNING id, url, depth`,
        (rows) => [...rows].sort((a, b) => a.id - b.id).map((row) => ({ ...row, jobId: job.id }))
      )
    }

    const settleOne = Effect.fnUntraced(function* (owner: string, { jobId, finished, room }: Turnover) {
      const job = yield* lock(sql, jobId)
      if (job === undefined || job.status !== "scraping") return { job, tasks: [] } satisfies Settlement
      const done = yield* mark(
        owner,
        2,
        finished.filter(({ blocked }) => !blocked)
      )
      const blocked = yield* mark(
        owner,
        3,
        finished.filter(({ blocked }) => blocked)
      )
      // A page whose lease we lost while we fetched it is somebody else's now.
      const ours = yield* land(
        job,
        finished.filter(({ task }) => done.has(task.id))
      )
      const kept = yield* keep(job, ours)
      const failures = yield* blame(job, ours)
      const documents = kept.results - job.results
      const completed = documents - failures
      const credits = completed * priceOf(job.kind)
      const queued = yield* enqueue(
        sql,
        job,
        ours.flatMap(({ found }) => found)
      )
      yield* usage.charge({ id: job.team, keyId: job.key_id }, endpointOf(job.kind), credits)
      const indexed = ours.flatMap(({ indexed, url }) =>
        indexed === undefined ? [] : [{ teamId: job.team, url, ...indexed }]
      )
      if (indexed.length > 0) yield* index.add(indexed)
      const start = ours.find(({ task, landed }) => task.depth === 0 && landed !== undefined && task.url === job.url)
      const counted: JobRow = {
        ...job,
        ...kept,
        spec: start === undefined ? job.spec : writeSpec({ ...readSpec(job), landed: start.url }),
        queued: job.queued + queued,
        active: job.active - done.size - blocked.size,
        // What was forbidden or a duplicate does not count against the limit.
        claimed: job.claimed - blocked.size - (done.size - documents),
        blocked: job.blocked + blocked.size,
        completed: job.completed + completed,
        credits: job.credits + credits
      }
      const tasks = yield* claim(owner, counted, room)
      const saved = yield* save(sql, {
        ...counted,
        queued: counted.queued - tasks.length,
        active: counted.active + tasks.length,
        claimed: counted.claimed + tasks.length
      })
      return { job: saved, tasks } satisfies Settlement
    })

    /** Commits what was finished and leases what comes next, for several jobs at once. */
    const settle = Effect.fn("Frontier.settle")(
      (
        owner: string,
        turnovers: ReadonlyArray<Turnover>
      ): Effect.Effect<ReadonlyArray<Settlement>, SqlError.SqlError> =>
        sql.withTransaction(Effect.forEach(turnovers, (turnover) => settleOne(owner, turnover)))
    )

    /** Adds pages that were found elsewhere than on a page: the sitemap's. The job is complete as far as seeds go. */
    const seed = Effect.fn("Frontier.seed")((jobId: string, found: ReadonlyArray<Found>) =>
      Effect.gen(function* () {
        const job = yield* lock(sql, jobId)
        if (job === undefined || job.status !== "scraping") return
        const queued = yield* enqueue(sql, job, found)
        yield* save(sql, { ...job, seeded: 1, queued: job.queued + queued })
      }).pipe(sql.withTransaction)
    )

    /** Jobs that somebody has to work on. */
    const open = sql<JobRow>`SELECT * FROM jobs WHERE status = 'scraping'
      AND (seeded = 0 OR (queued > 0 AND claimed < page_limit)) ORDER BY created_at`

    /** Addresses that a job knows, so that most links need no look into the store. */
    const keys = (jobId: string) =>
      Effect.map(sql<{ url_key: string }>`SELECT url_key FROM job_pages WHERE job_id = ${jobId}`, (rows) =>
        rows.map(({ url_key }) => url_key)
      )

    return { settle, seed, open, keys }
  })
}) {}
