/** Updates the row of a job: its counters, the status that follows from them, and its end. Only one transaction at a time changes it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as NotFollowed from "../../Api/NotFollowed.ts"
import type { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import { type JobRow, leftOutOf, outcomeOf, readSpec, writeSpec } from "./JobRecord.ts"
import { dropQueued } from "./Pages.ts"

const counters = (job: JobRow) => ({
  status: job.status,
  seeded: job.seeded,
  error: job.error,
  code: job.code,
  spec: specOf(job),
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

/** Returns the job, locked for this transaction. Updates `updated_at` unless the job has ended. */
export const lock = (sql: Sql, jobId: string) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql<JobRow>`UPDATE jobs
      SET updated_at = CASE status WHEN 'scraping' THEN ${now} ELSE updated_at END
      WHERE id = ${jobId} RETURNING *`
    return rows[0]
  })

/**
 * The part of the spec that is still needed: all of it while the job can continue, of an ended crawl the skipped pages and the reasons, and
 * nothing of a job that was cancelled or filled the storage.
 */
const specOf = (job: JobRow): string => {
  if (job.status === "scraping") return job.spec
  if (job.status === "cancelled" || Storage.isFull(job)) return writeSpec({})
  return job.kind === "crawl"
    ? writeSpec({ leftOut: leftOutOf(job), notFollowed: readSpec(job).notFollowed })
    : job.spec
}

/** Writes the counters, and ends the job when nothing is left to do. */
export const save = (sql: Sql, job: JobRow) =>
  Effect.gen(function* () {
    const status = outcomeOf(job)
    const first =
      status === "failed"
        ? yield* sql<{ error: string }>`SELECT error FROM job_errors WHERE job_id = ${job.id} ORDER BY at LIMIT 1`
        : []
    const reason =
      job.blocked === 0
        ? [`No page was found for ${job.url}`, NotFollowed.describe(readSpec(job).notFollowed) ?? []].flat().join("; ")
        : readSpec(job).params?.respectNoindex === true
          ? `robots.txt or noindex excludes all pages of ${job.url}`
          : `robots.txt allows none of the pages of ${job.url}`
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

/** Ends a job early. The job keeps its results so far and gets no more. */
export const end = (sql: Sql, job: JobRow, ending: Pick<JobRow, "status" | "error" | "code">) =>
  Effect.zipRight(
    dropQueued(sql, job.id),
    save(sql, { ...job, ...ending, finished_at: job.updated_at, queued: 0, active: 0, claimed: job.results })
  )
