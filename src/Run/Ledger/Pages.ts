/** Pages: one row for each attempt of a run at a page, in the order in which they were taken down. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Text from "../../Database/Text.ts"
import type { Page } from "../../Step.ts"

type Sql = SqlClient.SqlClient

export interface StepPage {
  readonly step: string
  readonly page: Page
}

const insert = Batch.make({
  before: "INSERT INTO pages (run_id, at, seq, step, key, status, error, hash, job_id, credits, price) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 9
})

/** Takes pages down behind number `last` of their run. */
export const put = (sql: Sql, run: string, last: number, pages: ReadonlyArray<StepPage>, now: number) => {
  let seq = last
  return insert(sql, [run, now], pages, ({ page, step }) => [
    ++seq,
    step,
    Text.encode(page.key),
    page.status ?? null,
    page.error === undefined ? null : Text.encode(page.error),
    page.hash ?? null,
    page.jobId ?? null,
    page.credits ?? null,
    page.price
  ])
}

/**
 * Keys of a run's pages that the site did not say are gone. A failure says nothing if the same page answered later; a page
 * that answered once, under one of its addresses, is there.
 */
export const met = (sql: Sql, run: string) =>
  Effect.map(
    sql<{ key: string }>`SELECT key FROM pages WHERE run_id = ${run} GROUP BY key
      HAVING sum(CASE WHEN status < 500 AND status NOT IN (404, 410) THEN 1 ELSE 0 END) > 0
      OR sum(CASE WHEN status IN (404, 410) THEN 1 ELSE 0 END) = 0`,
    (rows) => new Set(rows.map(({ key }) => Text.decode(key)))
  )
