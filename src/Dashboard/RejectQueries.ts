/** Queries of the rejects of a run: filtered lists, the newest ones, and counts by step and error. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Dialect from "../Database/Dialect.ts"
import { type Connection, reading } from "../Ledger/Connection.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { type RejectFilter, type RejectRecord, type RejectRow, rejectConditions, toReject } from "../Ledger/Pages.ts"

/** Selects a part of the rejects of a run. */
export interface RejectRange {
  readonly run: string
  /** Only rejects after this number. */
  readonly after: number
  readonly limit: number
}

/** A reject with its row as JSON text, truncated to {@link maxContent}. */
export interface StoredReject extends Omit<RejectRecord, "row" | "source"> {
  readonly content: string
  readonly isCut: boolean
}

/** A reject as shown among the events of a run. */
export interface RejectSummary {
  readonly at: string
  readonly step: string
  readonly message: string
}

/** Maximum characters of a row: rows may be pages of several megabytes. */
const maxContent = 80_000

export interface RejectCount {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface RejectQueries {
  /** Rejects ordered by number. */
  readonly rejects: (filter: RejectFilter & RejectRange) => Effect.Effect<ReadonlyArray<StoredReject>, LedgerError>
  /** The newest rejects, ordered by number. */
  readonly newestRejects: (run: string, limit: number) => Effect.Effect<ReadonlyArray<RejectSummary>, LedgerError>
  /** Counts by step and error, most frequent first. */
  readonly rejectCounts: (run: string, limit: number) => Effect.Effect<ReadonlyArray<RejectCount>, LedgerError>
}

export const make = (connection: Connection): RejectQueries => {
  const { sql } = connection
  const asking = (run: string) => reading(connection, `reading the rejects of run ${run}`)
  return {
    rejects: ({ after, limit, run, ...filter }) =>
      Effect.flatMap(
        sql<RejectRow>`SELECT run_id, seq, step, key, defined_at, error, message, at, job_id, trace, status, attempts, replayed_by,
          substr(content, 1, ${sql.literal(String(maxContent + 1))}) AS content FROM rejects WHERE ${sql.and([
            sql`run_id = ${run}`,
            sql`seq > ${after}`,
            ...rejectConditions(sql, filter)
          ])} ORDER BY seq LIMIT ${limit}`,
        (rows) =>
          Either.all(
            rows.map(({ content, ...row }) =>
              Either.map(
                toReject(connection, { ...row, content: "null", source: null }),
                ({ row: _, source: __, ...stored }): StoredReject => ({
                  ...stored,
                  content: content.slice(0, maxContent),
                  isCut: content.length > maxContent
                })
              )
            )
          )
      ).pipe(asking(run)),
    newestRejects: (run, limit) =>
      Effect.map(
        sql<RejectSummary>`SELECT at, step, message FROM rejects WHERE run_id = ${run} ORDER BY seq DESC LIMIT ${limit}`,
        (rows) => rows.map((row) => ({ ...row, message: Dialect.decodeText(row.message) })).reverse()
      ).pipe(asking(run)),
    rejectCounts: (run, limit) =>
      Effect.map(
        sql<{ step: string; error: string; n: number; open: number }>`SELECT step, error, count(*) AS n,
          sum(CASE WHEN replayed_by IS NULL THEN 1 ELSE 0 END) AS open FROM rejects WHERE run_id = ${run}
          GROUP BY step, error ORDER BY n DESC, step, error LIMIT ${limit}`,
        (rows) =>
          rows.map(({ error, n, open, step }) => ({
            step,
            error: Dialect.decodeText(error),
            count: Number(n),
            open: Number(open)
          }))
      ).pipe(asking(run))
  }
}
