/** Stores the finished pages of a job: documents, errors, links, search index entries, and their cost. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as NotFollowed from "../../Api/NotFollowed.ts"
import * as BulkStatement from "../../Database/BulkStatement.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import { Usage } from "../Usage/Usage.ts"
import { addLeftOut, endpointOf, type JobRow, type LeftOut, priceOf, readSpec, writeSpec } from "./JobRecord.ts"
import { type Finished, type FoundPage, sizeOf } from "./PageOutcome.ts"
import * as Pages from "./Pages.ts"

const insertResults = BulkStatement.make({
  before: "INSERT INTO job_results (job_id, position, bytes, upto, body, content) VALUES ",
  row: (own) => `($1, ${own})`,
  after: "",
  shared: 1,
  width: 5
})

/** Updates the spec of the job from its finished pages: skipped pages, and the redirect of the start. */
const specAfter = (job: JobRow, accepted: ReadonlyArray<Finished>, found: ReadonlyArray<FoundPage>): string => {
  const start = accepted.find(
    ({ failure, landed, task }) =>
      task.depth === 0 && landed !== undefined && task.url === job.url && failure === undefined
  )
  const reasons: ReadonlyArray<LeftOut> = [
    ...(accepted.some(({ isDeep }) => isDeep === true) ? (["depth"] as const) : []),
    ...(Pages.isFull(job, found) ? (["limit"] as const) : [])
  ]
  const left = accepted.flatMap(({ notFollowed = {} }) => (Object.keys(notFollowed).length === 0 ? [] : notFollowed))
  if (start === undefined && reasons.length === 0 && left.length === 0) return job.spec
  const spec = addLeftOut({ ...readSpec(job), ...(start === undefined ? {} : { landed: start.url }) }, reasons)
  return writeSpec(
    left.length === 0 ? spec : { ...spec, notFollowed: left.reduce(NotFollowed.add, spec.notFollowed ?? {}) }
  )
}

export const make = Effect.gen(function* () {
  const sql = yield* Sql
  const usage = yield* Usage
  const index = yield* SearchIndex
  const limits = yield* Storage.StorageLimits

  const insertDocuments = (job: JobRow, finished: ReadonlyArray<Finished>) => {
    let { results: position, bytes: upto } = job
    const rows = finished.flatMap(({ body, content }) => {
      if (body === undefined) return []
      const bytes = sizeOf({ body, content })
      upto += bytes
      return [[position++, bytes, upto, body, content?.body ?? null]]
    })
    return Effect.as(
      insertResults(sql, [job.id], rows, (row) => row),
      { results: position, bytes: upto }
    )
  }

  const insertErrors = (job: JobRow, finished: ReadonlyArray<Finished>) => {
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
      Effect.forEach(Pages.blocksOf(rows), (block) => sql`INSERT INTO job_errors ${sql.insert(block)}`, {
        discard: true
      }),
      rows.length
    )
  }

  /** Records finished pages and returns those whose lease this owner still holds. A page whose lease was lost belongs to another owner. */
  const takeFinished = Effect.fnUntraced(function* (owner: string, job: JobRow, finished: ReadonlyArray<Finished>) {
    const done = yield* Pages.finish(
      sql,
      owner,
      2,
      finished.filter(({ blocked }) => !blocked)
    )
    const blocked = yield* Pages.finish(
      sql,
      owner,
      3,
      finished.filter(({ blocked }) => blocked)
    )
    const pages = yield* Pages.recordRedirects(
      sql,
      job,
      finished.filter(({ task }) => done.has(task.id) || blocked.has(task.id))
    )
    return { pages, done: done.size, blocked: blocked.size }
  })

  /**
   * Stores finished pages: documents, errors, links and credits. Returns the job with its new counts, which is not saved yet, and, if
   * something could not be stored, the page with which the job must end.
   */
  return Effect.fnUntraced(function* (owner: string, job: JobRow, finished: ReadonlyArray<Finished>) {
    const { blocked, done, pages: all } = yield* takeFinished(owner, job, finished)
    const { count, refusal } = Storage.fittingResults(all.map(sizeOf), {
      jobBytes: job.bytes,
      teamBytes: yield* Storage.used(sql, job.team),
      limits
    })
    // The job ends with the first page that does not fit. Later pages are neither stored nor charged.
    const accepted = all.slice(0, count)
    const inserted = yield* insertDocuments(job, accepted)
    const failures = yield* insertErrors(job, accepted)
    const documents = inserted.results - job.results
    // Charges every page that the site sent, whatever its status, as in a single scrape.
    const charged = accepted.filter(({ isCharged }) => isCharged).length
    const credits = accepted.reduce((sum, { credits: more = 0 }) => sum + more, charged * priceOf(job.kind))
    const found = accepted.flatMap((page) => page.found)
    const { isCut, queued } = yield* Pages.enqueue(sql, job, refusal === undefined ? found : [], limits)
    yield* usage.charge({ id: job.team, keyId: job.key_id }, endpointOf(job.kind), credits)
    const indexed = accepted.flatMap(({ indexed, url }) =>
      indexed === undefined ? [] : [{ teamId: job.team, url, ...indexed }]
    )
    // Never fails: a page that the index cannot take is stored anyway.
    yield* index.add(indexed)
    const counted: JobRow = {
      ...job,
      ...inserted,
      spec: specAfter(job, accepted, found),
      queued: job.queued + queued,
      active: job.active - done - blocked,
      // Forbidden pages and duplicates do not count against the limit.
      claimed: job.claimed - blocked - (done - documents),
      blocked: job.blocked + blocked,
      completed: job.completed + documents - failures,
      credits: job.credits + credits
    }
    if (refusal !== undefined) return { counted, refused: { url: all[count]?.task.url ?? job.url, refusal } }
    if (!isCut) return { counted, refused: undefined }
    const url = accepted.find((page) => page.found.length > 0)?.task.url ?? job.url
    return { counted, refused: { url, refusal: Storage.teamEnd(limits, yield* Storage.used(sql, job.team)) } }
  })
})
