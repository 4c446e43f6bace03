/** Rejects of a run for somebody who looks on: by step and reason, a page of them at a time. */
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import { type Connection, reading } from "./Connection.ts"
import type { LedgerError } from "./Errors.ts"
import { type RejectRecord, type RejectRow, toRecord } from "./RejectRows.ts"
import { like } from "./SurveyPages.ts"

export interface RejectFilter {
  readonly run: string
  readonly which: "open" | "replayed" | "all"
  readonly step?: string | undefined
  readonly error?: string | undefined
  /** Part of its key or its message. */
  readonly text?: string | undefined
  /** Numbers behind this one, or the newest before the end. */
  readonly after: number
  readonly limit: number
}

export interface RejectCount {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface SurveyRejects {
  /** In the order of the run. */
  readonly rejects: (filter: RejectFilter) => Effect.Effect<ReadonlyArray<RejectRecord>, LedgerError>
  /** The newest, in the order of the run. */
  readonly newestRejects: (run: string, limit: number) => Effect.Effect<ReadonlyArray<RejectRecord>, LedgerError>
  /** Most frequent first. */
  readonly rejectCounts: (run: string, limit: number) => Effect.Effect<ReadonlyArray<RejectCount>, LedgerError>
}

export const make = (connection: Connection): SurveyRejects => {
  const { sql } = connection
  const contains = like(sql)
  const asking = (run: string) => reading(connection, `reading the rejects of run ${run}`)
  return {
    rejects: ({ after, error, limit, run, step, text, which }) =>
      Effect.map(
        sql<RejectRow>`SELECT * FROM rejects WHERE ${sql.and([
          sql`run_id = ${run}`,
          sql`seq > ${after}`,
          ...(which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`]),
          ...(step === undefined ? [] : [sql`step = ${step}`]),
          ...(error === undefined ? [] : [sql`error = ${Text.encode(error)}`]),
          ...(text === undefined
            ? []
            : [sql.or(["key", "message"].map((column) => contains(column, Text.encode(text))))])
        ])} ORDER BY seq LIMIT ${limit}`,
        (rows) => rows.map(toRecord)
      ).pipe(asking(run)),
    newestRejects: (run, limit) =>
      Effect.map(sql<RejectRow>`SELECT * FROM rejects WHERE run_id = ${run} ORDER BY seq DESC LIMIT ${limit}`, (rows) =>
        rows.map(toRecord).reverse()
      ).pipe(asking(run)),
    rejectCounts: (run, limit) =>
      Effect.map(
        sql<{ step: string; error: string; n: number; open: number }>`SELECT step, error, count(*) AS n,
          sum(CASE WHEN replayed_by IS NULL THEN 1 ELSE 0 END) AS open FROM rejects WHERE run_id = ${run}
          GROUP BY step, error ORDER BY n DESC, step, error LIMIT ${limit}`,
        (rows) =>
          rows.map(({ error, n, open, step }) => ({
            step,
            error: Text.decode(error),
            count: Number(n),
            open: Number(open)
          }))
      ).pipe(asking(run))
  }
}
