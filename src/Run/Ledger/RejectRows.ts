/** Rejects of a run, as rows: open until a replay has taken them up. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Text from "../../Database/Text.ts"
import type { TakenUp } from "../Ledger.ts"
import type { Reject } from "../Rejects.ts"
import type { Position } from "./Parts.ts"

type Sql = SqlClient.SqlClient

const insert = Batch.make({
  before:
    "INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, job_id, content, source, trace, status, attempts) VALUES ",
  row: (own) => `($1, ${own})`,
  after: "",
  shared: 1,
  width: 13
})

/** The part of a reject that the column `trace` keeps as JSON: its names in other places, and how it got its key. */
const traceOf = ({ isDerived = false, requestId, spanId, traceId }: Reject): string | null =>
  traceId === undefined && requestId === undefined && !isDerived
    ? null
    : JSON.stringify({ traceId, spanId, requestId, isDerived: isDerived || undefined })

/** Takes rejects down behind number `last` of their run. */
export const put = (sql: Sql, run: string, last: number, rejects: ReadonlyArray<Reject>) => {
  let seq = last
  return insert(sql, [run], rejects, (reject) => [
    ++seq,
    reject.step,
    Text.encode(reject.key),
    Text.encode(reject.definedAt),
    Text.encode(reject.error),
    Text.encode(reject.message),
    reject.at,
    reject.jobId === undefined ? null : Text.encode(reject.jobId),
    JSON.stringify(reject.row) ?? "null",
    reject.source === undefined ? null : JSON.stringify(reject.source),
    traceOf(reject),
    reject.status ?? null,
    reject.attempts ?? null
  ])
}

/** A reject with its number in the run. */
export interface RejectRecord extends Reject {
  readonly number: number
  /** The run that it is a reject of: the one that was asked for, or a shard that this one has not taken over yet. */
  readonly of: string
  /** The run that took it up again. */
  readonly replayedBy?: string | undefined
}

export interface RejectRow {
  readonly run_id: string
  readonly seq: number
  readonly step: string
  readonly key: string
  readonly defined_at: string
  readonly error: string
  readonly message: string
  readonly at: string
  readonly job_id: string | null
  readonly content: string
  readonly source: string | null
  readonly trace: string | null
  readonly status: number | null
  /** Null in rows of version 0.1. */
  readonly attempts: number | null
  readonly replayed_by: string | null
}

export const toRecord = (row: RejectRow): RejectRecord => ({
  number: Number(row.seq),
  of: row.run_id,
  key: Text.decode(row.key),
  step: row.step,
  definedAt: Text.decode(row.defined_at),
  error: Text.decode(row.error),
  message: Text.decode(row.message),
  ...(row.status === null ? {} : { status: Number(row.status) }),
  ...(row.attempts === null ? {} : { attempts: Number(row.attempts) }),
  at: row.at,
  jobId: row.job_id === null ? undefined : Text.decode(row.job_id),
  ...(row.trace === null
    ? {}
    : (JSON.parse(row.trace) as Pick<Reject, "traceId" | "spanId" | "requestId" | "isDerived">)),
  row: JSON.parse(row.content),
  source: row.source === null ? undefined : JSON.parse(row.source),
  replayedBy: row.replayed_by ?? undefined
})

/** Rejects of these runs behind a position, in their order. */
export const page = (
  sql: Sql,
  runs: Statement.Fragment,
  which: "open" | "replayed" | "all",
  after: Position,
  limit: number
) =>
  Effect.map(
    sql<RejectRow>`SELECT * FROM rejects WHERE ${sql.and([
      sql`run_id IN (${runs})`,
      sql`(run_id, seq) > (${after.of}, ${after.number})`,
      ...(which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`])
    ])} ORDER BY run_id, seq LIMIT ${limit}`,
    (rows) => rows.map(toRecord)
  )

const mark = Batch.make({
  before: "UPDATE rejects SET replayed_by = $1 WHERE run_id = $2 AND replayed_by IS NULL AND seq IN (",
  row: (own) => own,
  after: ")",
  shared: 2,
  width: 1
})

/** Rejects that another run has taken up are not open any more. */
export const replayed = (sql: Sql, run: string, by: string, numbers: ReadonlyArray<number>) =>
  mark(sql, [by, run], numbers, (number) => [number])

/** Gives these rejects to another run; true when all of them were still to be had. */
export const takeUp = (sql: Sql, { numbers, of }: TakenUp, by: string) =>
  Effect.gen(function* () {
    yield* replayed(sql, of, by, numbers)
    const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM rejects
      WHERE run_id = ${of} AND replayed_by = ${by}`
    return Number(row?.n) === numbers.length
  })

/** Rejects that a run took up and did not bring to its end are open once more. */
export const giveBack = (sql: Sql, of: string, by: string) =>
  sql`UPDATE rejects SET replayed_by = NULL WHERE run_id = ${of} AND replayed_by = ${by}`
