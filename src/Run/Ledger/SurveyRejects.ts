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

/** A reject without its row: that is here as JSON, and no longer than it may be. */
export interface SeenReject extends Omit<RejectRecord, "row" | "source"> {
  readonly content: string
  readonly isCut: boolean
}

/** A reject as one line tells of it. */
export interface NewReject {
  readonly at: string
  readonly step: string
  readonly message: string
}

/** Characters of a row: many of them may be pages of several megabytes. */
const contentAtMost = 80_000

export interface RejectCount {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface SurveyRejects {
  /** In the order of the run. */
  readonly rejects: (filter: RejectFilter) => Effect.Effect<ReadonlyArray<SeenReject>, LedgerError>
  /** The newest, in the order of the run. */
  readonly newestRejects: (run: string, limit: number) => Effect.Effect<ReadonlyArray<NewReject>, LedgerError>
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
        sql<RejectRow>`SELECT run_id, seq, step, key, defined_at, error, message, at, job_id, trace, status, attempts, replayed_by,
          substr(content, 1, ${sql.literal(String(contentAtMost + 1))}) AS content FROM rejects WHERE ${sql.and([
            sql`run_id = ${run}`,
            sql`seq > ${after}`,
            ...(which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`]),
            ...(step === undefined ? [] : [sql`step = ${step}`]),
            ...(error === undefined ? [] : [sql`error = ${Text.encode(error)}`]),
            ...(text === undefined
              ? []
              : [sql.or(["key", "message"].map((column) => contains(column, Text.encode(text))))])
          ])} ORDER BY seq LIMIT ${limit}`,
        (rows) =>
          rows.map(({ content, ...row }): SeenReject => {
            const { row: _, source: __, ...seen } = toRecord({ ...row, content: "null", source: null })
            return { ...seen, content: content.slice(0, contentAtMost), isCut: content.length > contentAtMost }
          })
      ).pipe(asking(run)),
    newestRejects: (run, limit) =>
      Effect.map(
        sql<NewReject>`SELECT at, step, message FROM rejects WHERE run_id = ${run} ORDER BY seq DESC LIMIT ${limit}`,
        (rows) => rows.map((row) => ({ ...row, message: Text.decode(row.message) })).reverse()
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
