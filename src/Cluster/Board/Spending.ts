/** What a run and its shards have used of their budget, for whoever goes on with it and brings a new one. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { Usage } from "../../Ledger/SharedLimits.ts"

export const nothing: Usage = { credits: 0, pages: 0, rows: 0, bytes: 0 }

/** Of shards that the run has taken over, all is the run's. */
export const used = (sql: PgClient.PgClient, runId: string) => {
  const group = Text.encode(runId)
  return Effect.map(
    sql<Usage>`SELECT coalesce(sum(call_credits + job_credits), 0) AS credits, coalesce(sum(output_rows), 0) AS rows,
        coalesce(sum(call_pages + job_pages), 0) AS pages, coalesce(sum(bytes), 0) AS bytes
      FROM runs WHERE group_id = ${group}`,
    // As they come from the database, numbers may be texts.
    ([row = nothing]): Usage => ({
      credits: Number(row.credits),
      pages: Number(row.pages),
      rows: Number(row.rows),
      bytes: Number(row.bytes)
    })
  )
}
