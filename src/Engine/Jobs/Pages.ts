/** Rows of a job's pages. A page is queued (state 0), leased (1), then done (2) or forbidden (3). */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { hostOf, type Task } from "../Fetch/FairScheduler.ts"
import type { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import { claimable, hasMaxDepth, type JobRow, readSpec } from "./JobRecord.ts"
import { duplicate, type Finished, type FoundPage } from "./PageOutcome.ts"

/** Rows per statement. */
const rowsAtOnce = 500

/** Splits rows into blocks, since a statement has a limited number of parameters. */
export const blocksOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const blocks: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < items.length; at += rowsAtOnce) blocks.push(items.slice(at, at + rowsAtOnce))
  return blocks
}

/** Maximum queued pages of a job, whatever its page limit. */
export const maxQueued = 250_000

/** Maximum known pages. More than the limit, to replace pages that robots.txt forbids. */
const frontierSize = ({ page_limit }: JobRow): number => page_limit * 2 + 1000

/** Number of pages that can still be added to the queue. */
const freeOf = (job: JobRow): number =>
  Math.max(0, Math.min(frontierSize(job) - job.queued - job.claimed - job.blocked, maxQueued - job.queued))

/** True when the queue has no room for all of these pages. */
export const isFull = (job: JobRow, found: ReadonlyArray<FoundPage>): boolean =>
  new Set(found.map(({ address }) => address.key)).size > freeOf(job)

/** Bytes of a queued page, counted like in the store's triggers. */
const sizeOf = ({ address }: FoundPage): number => address.href.length + 2 * address.key.length

/** Returns the leading pages that fit into `bytes`. */
const fitting = (pages: ReadonlyArray<FoundPage>, bytes: number): ReadonlyArray<FoundPage> => {
  let sum = 0
  const end = pages.findIndex((page) => {
    sum += sizeOf(page)
    return sum > bytes
  })
  return end === -1 ? pages : pages.slice(0, end)
}

const unknownOf = (sql: Sql, { id }: JobRow, pages: ReadonlyArray<FoundPage>) => {
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

const insert = (sql: Sql, job: JobRow, pages: ReadonlyArray<FoundPage>) =>
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
      // Yields between blocks: a page or a sitemap may have a hundred thousand links.
      at === 0 ? identity : (insertion) => Effect.zipRight(nextTurn, insertion)
    )
  ).pipe(Effect.map((counts) => counts.reduce((sum, count) => sum + count, 0)))

/** Lowers the depth of known pages to which a shorter path was found, unless they have been visited. */
const lower = Effect.fnUntraced(function* (sql: Sql, { id }: JobRow, found: ReadonlyArray<FoundPage>) {
  const depths = new Map<string, number>()
  for (const { address, depth } of found) depths.set(address.key, Math.min(depth, depths.get(address.key) ?? depth))
  for (const keys of blocksOf([...depths.keys()])) {
    yield* nextTurn
    const rows = yield* sql<{ id: number; url_key: string; depth: number }>`SELECT id, url_key, depth FROM job_pages
      WHERE job_id = ${id} AND state < 2 AND url_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`
    for (const row of rows) {
      const depth = depths.get(row.url_key) ?? row.depth
      if (depth < row.depth) yield* sql`UPDATE job_pages SET depth = ${depth} WHERE id = ${row.id}`
    }
  }
})

/**
 * Queues the pages that are new to the job, in order, until the team's storage is full. Returns the number of new pages; `isCut` is true if
 * some did not fit.
 */
export const enqueue = (
  sql: Sql,
  job: JobRow,
  found: ReadonlyArray<FoundPage>,
  limits: Storage.Limits
): Effect.Effect<{ readonly queued: number; readonly isCut: boolean }> =>
  Effect.gen(function* () {
    if (found.length === 0) return { queued: 0, isCut: false }
    const room = limits.team - (yield* Storage.used(sql, job.team))
    const unique = [...new Map(found.map((page) => [page.address.key, page])).values()].slice(0, freeOf(job))
    const isClose = unique.reduce((sum, page) => sum + sizeOf(page), 0) > room
    const wanted = isClose ? yield* unknownOf(sql, job, unique) : unique
    const pages = isClose ? fitting(wanted, room) : wanted
    const queued = yield* insert(sql, job, pages)
    if (queued < found.length && hasMaxDepth(readSpec(job))) yield* lower(sql, job, found)
    return { queued, isCut: pages.length < wanted.length }
  })

/** Ends the leases of pages. Returns the ids of pages whose lease this owner still held. */
export const finish = (sql: Sql, owner: string, state: 2 | 3, finished: ReadonlyArray<Finished>) =>
  Effect.forEach(
    blocksOf(finished),
    (block) =>
      // All ids are in one JSON parameter, so that the statement is the same for any number of pages and is prepared only once.
      sql<{ id: number }>`UPDATE job_pages SET state = ${state}, owner = NULL
      WHERE state = 1 AND owner = ${owner}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(block.map(({ task }) => task.id))})) RETURNING id`
  ).pipe(Effect.map((rows) => new Set(rows.flat().map(({ id }) => id))))

/** Pages dropped before the fiber yields. */
const dropAtOnce = 2_000

/** Drops the queued pages of a job, and ends the leases of its running ones. */
export const dropQueued = (sql: Sql, jobId: string) => {
  const some = sql`UPDATE job_pages SET state = 2 WHERE id IN (
    SELECT id FROM job_pages WHERE job_id = ${jobId} AND state = 0 ORDER BY id LIMIT ${dropAtOnce}) RETURNING id`
  const all: Effect.Effect<void> = Effect.flatMap(some, (rows) =>
    rows.length < dropAtOnce ? Effect.void : Effect.zipRight(nextTurn, all)
  )
  return all.pipe(
    // `+job_id` makes SQLite use the index on leased pages: there are far fewer of them than pages of the job.
    Effect.zipRight(sql`UPDATE job_pages SET state = 2, owner = NULL
      WHERE state = 1 AND owner IS NOT NULL AND +job_id = ${jobId}`)
  )
}

/** Marks redirect targets as visited. A page whose target was known becomes a duplicate, unless the target is left out for the page. */
export const recordRedirects = (sql: Sql, job: JobRow, finished: ReadonlyArray<Finished>) =>
  Effect.forEach(finished, (page) => {
    const { isCanonical = false, landed, task } = page
    if (landed === undefined) return Effect.succeed(page)
    return Effect.map(
      sql`INSERT INTO job_pages ${sql.insert({
        job_id: job.id,
        url: landed.href,
        url_key: landed.key,
        depth: task.depth,
        state: 2
      })} ON CONFLICT DO NOTHING RETURNING id`,
      (rows) => (rows.length === 0 && !isCanonical ? duplicate(page) : page)
    )
  })

/**
 * Pages leased in advance per job: enough to bridge a commit when there are few jobs, and few enough to limit memory when there are many.
 */
export const aheadOf = (jobs: number): number => Math.max(32, Math.min(192, Math.floor(2048 / Math.max(1, jobs))))

/**
 * Queued pages to pass over: those of slow hosts with enough leased pages, and all up to the id `after`, which have been passed over since
 * the time `since`.
 */
export interface Aside {
  readonly hosts: ReadonlySet<string>
  readonly after: number
  readonly since: number
}

/** Leased pages; with {@link Aside}, also the id up to which no page is left to lease, and whether that is the last page. */
export interface Claimed {
  readonly tasks: ReadonlyArray<Task>
  readonly passed?: { readonly id: number; readonly isLast: boolean } | undefined
}

/** Queued pages of slow hosts that are passed over at once. */
const passedAtOnce = 1_000

/** Leases the next pages, within the job's limit. */
export const claim = Effect.fnUntraced(function* (
  sql: Sql,
  owner: string,
  job: JobRow,
  room: number,
  aside?: Aside
): Effect.fn.Return<Claimed> {
  const count = Math.min(room, claimable(job))
  if (count <= 0) return { tasks: [] }
  const seen =
    aside === undefined
      ? []
      : yield* sql<Pick<Task, "id" | "url">>`SELECT id, url FROM job_pages
          WHERE job_id = ${job.id} AND state = 0 AND id > ${aside.after} ORDER BY id LIMIT ${passedAtOnce}`
  const wanted = seen.filter(({ url }) => aside?.hosts.has(hostOf(url)) === false).slice(0, count)
  const which =
    aside === undefined
      ? sql`SELECT id FROM job_pages WHERE job_id = ${job.id} AND state = 0 ORDER BY id LIMIT ${count}`
      : sql`SELECT value FROM json_each(${JSON.stringify(wanted.map(({ id }) => id))})`
  const rows = yield* sql<Pick<Task, "id" | "url" | "depth" | "queued_at">>`UPDATE job_pages
    SET state = 1, owner = ${owner} WHERE id IN (${which}) RETURNING id, url, depth, queued_at`
  const tasks = [...rows].sort((a, b) => a.id - b.id).map((row) => ({ ...row, jobId: job.id }))
  if (aside === undefined) return { tasks }
  const isAll = wanted.length < count
  const id = (isAll ? seen : wanted).at(-1)?.id ?? aside.after
  return { tasks, passed: { id, isLast: isAll && seen.length < passedAtOnce } }
})
