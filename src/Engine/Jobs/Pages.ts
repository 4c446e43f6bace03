/** The frontier's rows: pages are queued once, leased, and in the end done or forbidden. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Storage from "../Store/Storage.ts"
import type { Task } from "./FairScheduler.ts"
import { claimable, type JobRow } from "./JobRecord.ts"
import { duplicate, type Finished, type Found } from "./PageOutcome.ts"

/** Rows of one statement. */
const rowsAtOnce = 500

/** A statement has only so many parameters. */
export const blocksOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const blocks: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < items.length; at += rowsAtOnce) blocks.push(items.slice(at, at + rowsAtOnce))
  return blocks
}

/** Pages of a job that may wait, whatever its limit. */
export const maxQueued = 250_000

/** The addresses known beyond the limit replace pages that robots.txt takes away; more would only fill the disk. */
const frontierSize = ({ page_limit }: JobRow): number => page_limit * 2 + 1000

/** Pages that may be queued besides those that are. */
const freeOf = (job: JobRow): number =>
  Math.max(0, Math.min(frontierSize(job) - job.queued - job.claimed - job.blocked, maxQueued - job.queued))

/** True when the queue has no room for all of these pages. */
export const isFull = (job: JobRow, found: ReadonlyArray<Found>): boolean =>
  new Set(found.map(({ address }) => address.key)).size > freeOf(job)

/** Bytes that an address takes, as the store's triggers count them. */
const sizeOf = ({ address }: Found): number => address.href.length + 2 * address.key.length

/** The first of some pages that so many bytes are enough for. */
const fitting = (pages: ReadonlyArray<Found>, bytes: number): ReadonlyArray<Found> => {
  let sum = 0
  const end = pages.findIndex((page) => {
    sum += sizeOf(page)
    return sum > bytes
  })
  return end === -1 ? pages : pages.slice(0, end)
}

const unknownOf = (sql: SqlClient.SqlClient, { id }: JobRow, pages: ReadonlyArray<Found>) => {
  const keys = JSON.stringify(pages.map(({ address }) => address.key))
  return Effect.map(
    sql<{ url_key: string }>`SELECT url_key FROM job_pages
      WHERE job_id = ${id} AND url_key IN (SELECT value FROM json_each(${keys}))`,
    (rows) => {
      const known = new Set(rows.map(({ url_key }) => url_key))
      return pages.filter(({ address }) => !known.has(address.key))
    }
  )
}

const insert = (sql: SqlClient.SqlClient, job: JobRow, pages: ReadonlyArray<Found>) =>
  Effect.forEach(blocksOf(pages), (block, at) =>
    sql`INSERT INTO job_pages ${sql.insert(
      block.map(({ address, depth }) => ({
        job_id: job.id,
        url: address.href,
        url_key: address.key,
        depth,
        queued_at: job.updated_at
      }))
    )} ON CONFLICT DO NOTHING RETURNING id`.pipe(
      Effect.map((rows) => rows.length),
      // A page may have a hundred thousand links, and a sitemap too.
      at === 0 ? identity : (insertion) => Effect.zipRight(nextTurn, insertion)
    )
  ).pipe(Effect.map((counts) => counts.reduce((sum, count) => sum + count, 0)))

/**
 * Queues pages that the job does not know yet, in order, until their addresses take the bytes that the team has left. Returns how many were
 * new, and whether some of them had no room.
 */
export const enqueue = (
  sql: SqlClient.SqlClient,
  job: JobRow,
  found: ReadonlyArray<Found>,
  limits: Storage.Limits
): Effect.Effect<{ readonly queued: number; readonly isCut: boolean }, SqlError.SqlError> =>
  Effect.gen(function* () {
    if (found.length === 0) return { queued: 0, isCut: false }
    const room = limits.team - (yield* Storage.used(sql, job.team))
    const unique = [...new Map(found.map((page) => [page.address.key, page])).values()].slice(0, freeOf(job))
    const isClose = unique.reduce((sum, page) => sum + sizeOf(page), 0) > room
    const wanted = isClose ? yield* unknownOf(sql, job, unique) : unique
    const pages = isClose ? fitting(wanted, room) : wanted
    return { queued: yield* insert(sql, job, pages), isCut: pages.length < wanted.length }
  })

/** Takes leased pages out of the frontier; gives those that were still ours. */
export const mark = (sql: SqlClient.SqlClient, owner: string, state: 2 | 3, finished: ReadonlyArray<Finished>) =>
  Effect.forEach(
    blocksOf(finished),
    (block) =>
      // As one value: the statement's text is the same for any number of pages, and prepared once.
      sql<{ id: number }>`UPDATE job_pages SET state = ${state}, owner = NULL
      WHERE state = 1 AND owner = ${owner}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(block.map(({ task }) => task.id))})) RETURNING id`
  ).pipe(Effect.map((rows) => new Set(rows.flat().map(({ id }) => id))))

/** Pages that are let go of before everybody else has a turn. */
const letGoAtOnce = 2_000

/** Takes all that a job has left out of the frontier; whoever still fetches its pages finds that they are no longer theirs. */
export const letGo = (sql: SqlClient.SqlClient, jobId: string) => {
  const some = sql`UPDATE job_pages SET state = 2 WHERE id IN (
    SELECT id FROM job_pages WHERE job_id = ${jobId} AND state = 0 ORDER BY id LIMIT ${letGoAtOnce}) RETURNING id`
  const all: Effect.Effect<void, SqlError.SqlError> = Effect.flatMap(some, (rows) =>
    rows.length < letGoAtOnce ? Effect.void : Effect.zipRight(nextTurn, all)
  )
  return all.pipe(
    // By the index of what is leased, whosesoever it is: there is much less of it than of the job.
    Effect.zipRight(sql`UPDATE job_pages SET state = 2, owner = NULL
      WHERE state = 1 AND owner IS NOT NULL AND +job_id = ${jobId}`)
  )
}

/** Where a page led to counts as visited; if it was known already, the document is there already. */
export const land = (sql: SqlClient.SqlClient, job: JobRow, finished: ReadonlyArray<Finished>) =>
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

/**
 * Pages leased ahead for one of so many jobs: for few of them more than are fetched while a commit waits, for many not more
 * than there is memory for.
 */
export const aheadOf = (jobs: number): number => Math.max(32, Math.min(192, Math.floor(2048 / Math.max(1, jobs))))

/** Leases the pages that come next, as far as the limit lets the job go. */
export const claim = (sql: SqlClient.SqlClient, owner: string, job: JobRow, room: number) => {
  const count = Math.min(room, claimable(job))
  if (count <= 0) return Effect.succeed<ReadonlyArray<Task>>([])
  return Effect.map(
    sql<Pick<Task, "id" | "url" | "depth" | "queued_at">>`UPDATE job_pages SET state = 1, owner = ${owner} WHERE id IN (
      SELECT id FROM job_pages WHERE job_id = ${job.id} AND state = 0 ORDER BY id LIMIT ${count}
    ) RETURNING id, url, depth, queued_at`,
    (rows) => [...rows].sort((a, b) => a.id - b.id).map((row) => ({ ...row, jobId: job.id }))
  )
}
