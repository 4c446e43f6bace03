/** What is said of a job around its documents. */
import { type JobRow, type Kind, totalOf, type Version } from "./Job.ts"

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
