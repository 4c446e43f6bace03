/**
 * Pages and rejects of runs.
 *
 * A page has one row for each attempt, in the order in which a run recorded them. A reject is open until a replay takes it over.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import { JsonValue } from "../Row/SavedValue.ts"
import type { Page } from "../Step.ts"
import { type Connection, decodeNullable, decoding, encodeOptional, numberOf } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import type { ReplayClaim } from "./Model.ts"
import type { Reject } from "./RejectLine.ts"
import type { Position } from "./Runs.ts"
import * as Runs from "./Runs.ts"

type Sql = SqlClient.SqlClient
type Place = Pick<Connection, "place">

export interface StepPage {
  readonly step: string
  readonly page: Page
}

const insertPages = BulkStatement.make({
  before:
    "INSERT INTO pages (run_id, at, seq, step, key, status, error, blocked, unchanged, checked, warning, hash, job_id, credits, price) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 13
})

/** Inserts pages with numbers from `last + 1`. */
export const putPages = (sql: Sql, run: string, last: number, pages: ReadonlyArray<StepPage>, now: number) => {
  let seq = last
  return insertPages(sql, [run, now], pages, ({ page, step }) => [
    ++seq,
    step,
    Dialect.encodeText(page.key),
    page.status ?? null,
    encodeOptional(page.error),
    encodeOptional(page.blocked),
    encodeOptional(page.unchanged),
    encodeOptional(page.check),
    encodeOptional(page.warning),
    page.hash ?? null,
    encodeOptional(page.jobId),
    page.credits ?? null,
    page.price
  ])
}

/**
 * Keys of a run's pages that exist: at least one attempt got a status below 500 other than 404 and 410, or no attempt got
 * 404 or 410.
 */
export const presentPages = (sql: Sql, run: string) =>
  Effect.map(
    sql<{ key: string }>`SELECT key FROM pages WHERE run_id = ${run} GROUP BY key
      HAVING sum(CASE WHEN status < 500 AND status NOT IN (404, 410) THEN 1 ELSE 0 END) > 0
      OR sum(CASE WHEN status IN (404, 410) THEN 1 ELSE 0 END) = 0`,
    (rows) => new Set(rows.map(({ key }) => Dialect.decodeText(key)))
  )

/** Keys of a job's pages that had an error. */
export const failedPages = (sql: Sql, run: string, jobId: string) =>
  Effect.map(
    sql<{ key: string }>`SELECT DISTINCT key FROM pages
      WHERE run_id = ${run} AND job_id = ${Dialect.encodeText(jobId)} AND error IS NOT NULL`,
    (rows) => new Set(rows.map(({ key }) => Dialect.decodeText(key)))
  )

/** Keys per statement. */
const keysPerStatement = 500

/**
 * True if another run with this state key has one of these pages, or its state has one of them as a key. Also true if an entry of the state
 * was last seen before the first run whose pages are all present: earlier pages were pruned, so nothing is known about them.
 */
export const hasSeenAny = (sql: Sql, run: string, stateKey: string, keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const under = Dialect.encodeText(stateKey)
    const runs = sql`SELECT id FROM runs WHERE state_key = ${under} AND id <> ${run}`
    const shelves = sql`SELECT id FROM shelves WHERE state_key = ${under}`
    for (let at = 0; at < keys.length; at += keysPerStatement) {
      const some = keys.slice(at, at + keysPerStatement).map(Dialect.encodeText)
      const [known] = yield* sql`SELECT 1 AS known FROM pages WHERE ${sql.in("key", some)} AND run_id IN (${runs})
        UNION ALL SELECT 1 AS known FROM state WHERE shelf IN (${shelves})
          AND ${Dialect.fingerprintOf(sql, "key")} IN (${sql.join(", ", false)(some.map((key) => Dialect.fingerprintOfText(sql, key)))})
        LIMIT 1`
      if (known !== undefined) return true
    }
    // Pages of a run are numbered from 1; those of a merged part that read the source from `partOffset + 1`.
    const split = Runs.offsetOfPart(0)
    const first = sql`CASE WHEN EXISTS
      (SELECT 1 FROM pages AS parts WHERE parts.run_id = runs.id AND parts.seq > ${split}) THEN ${split + 1} ELSE 1 END`
    const [whole] = yield* sql<{ since: number | null }>`SELECT min(started_at) AS since FROM runs
      WHERE state_key = ${under} AND EXISTS (SELECT 1 FROM pages WHERE pages.run_id = runs.id AND pages.seq = ${first})`
    const isOld = whole == null || whole.since === null ? sql`1 = 1` : sql`last_seen < ${whole.since}`
    const [old] = yield* sql`SELECT 1 AS old FROM state WHERE shelf IN (${shelves}) AND ${isOld} LIMIT 1`
    return old !== undefined
  })

/** An attempt at a page. */
export interface PageRecord extends Page {
  readonly runId: string
  /** Number of the attempt in its run. */
  readonly number: number
  readonly step: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Totals of the attempts at a page by all runs. */
export interface Sightings {
  readonly attempts: number
  readonly firstSeen: number
  readonly lastSeen: number
}

export interface PageRow {
  readonly run_id: string
  readonly seq: number
  readonly step: string
  readonly key: string
  readonly status: number | null
  readonly error: string | null
  /** Null in rows of version 0.1. */
  readonly blocked: string | null
  /** Null in rows of version 0.1. */
  readonly unchanged: string | null
  /** Null in rows of version 0.1. */
  readonly checked: string | null
  /** Null in rows of version 0.1. */
  readonly warning: string | null
  readonly hash: string | null
  readonly job_id: string | null
  readonly credits: number | null
  readonly price: Page["price"]
  readonly at: number
}

export const toPage = (row: PageRow): PageRecord => ({
  runId: row.run_id,
  number: Number(row.seq),
  step: row.step,
  key: Dialect.decodeText(row.key),
  status: numberOf(row.status),
  error: decodeNullable(row.error),
  blocked: decodeNullable(row.blocked),
  unchanged: decodeNullable(row.unchanged),
  check: decodeNullable(row.checked),
  warning: decodeNullable(row.warning),
  hash: row.hash ?? undefined,
  jobId: decodeNullable(row.job_id),
  credits: numberOf(row.credits),
  price: row.price,
  at: Number(row.at)
})

/** Attempts of a run in order, after a number. */
export const ofRun = (sql: Sql, run: string, { after = 0, limit }: PagesOfRun) =>
  Effect.map(
    sql<PageRow>`SELECT * FROM pages WHERE run_id = ${run} AND seq > ${after} ORDER BY seq LIMIT ${limit}`,
    (rows) => rows.map(toPage)
  )

export interface PagesOfRun {
  readonly limit: number
  readonly after?: number | undefined
}

/** Attempts at a page key, newest first. */
export const at = (sql: Sql, key: string, { limit, offset = 0 }: Runs.ListRange) =>
  Effect.map(
    sql<PageRow>`SELECT * FROM pages WHERE key = ${Dialect.encodeText(key)}
      ORDER BY at DESC, run_id DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`,
    (rows) => rows.map(toPage)
  )

export const sightings = (sql: Sql, key: string) =>
  Effect.map(
    sql<{
      n: number
      first: number | null
      last: number | null
    }>`SELECT count(*) AS n, min(at) AS first, max(at) AS last
      FROM pages WHERE key = ${Dialect.encodeText(key)}`,
    ([row]): Sightings | undefined =>
      row === undefined || row.first === null || row.last === null
        ? undefined
        : { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) }
  )

const insertRejects = BulkStatement.make({
  before:
    "INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, job_id, content, source, trace, status, attempts) VALUES ",
  row: (own) => `($1, ${own})`,
  after: "",
  shared: 1,
  width: 13
})

/** The fields of a reject that the column `trace` stores as JSON. */
const Trace = Schema.Struct({
  traceId: Schema.optional(Schema.String),
  spanId: Schema.optional(Schema.String),
  requestId: Schema.optional(Schema.String),
  isDerived: Schema.optional(Schema.Boolean)
})

const decodeTrace = decoding(Trace)
const decodeJson = decoding(JsonValue)

const traceOf = ({ isDerived = false, requestId, spanId, traceId }: Reject): string | null =>
  traceId === undefined && requestId === undefined && !isDerived
    ? null
    : JSON.stringify({ traceId, spanId, requestId, isDerived: isDerived || undefined })

/** Inserts rejects with numbers from `last + 1`. */
export const putRejects = (sql: Sql, run: string, last: number, rejects: ReadonlyArray<Reject>) => {
  let seq = last
  return insertRejects(sql, [run], rejects, (reject) => [
    ++seq,
    reject.step,
    Dialect.encodeText(reject.key),
    Dialect.encodeText(reject.definedAt),
    Dialect.encodeText(reject.error),
    Dialect.encodeText(reject.message),
    reject.at,
    encodeOptional(reject.jobId),
    JSON.stringify(reject.row) ?? "null",
    reject.source === undefined ? null : JSON.stringify(reject.source),
    traceOf(reject),
    reject.status ?? null,
    reject.attempts ?? null
  ])
}

/** A reject with the id of its run and its number there. */
export interface RejectRecord extends Reject {
  readonly number: number
  /** Id of the run that has the reject: the requested run, or a shard that is not merged yet. */
  readonly of: string
  /** Id of the run that replays the reject. */
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

export const toReject = (place: Place, row: RejectRow): Either.Either<RejectRecord, LedgerError> => {
  const what = `reject ${row.seq} of run ${row.run_id}`
  return Either.map(
    Either.all({
      content: decodeJson(place, what, row.content),
      source: row.source === null ? Either.right(undefined) : decodeJson(place, what, row.source),
      trace: row.trace === null ? Either.right({}) : decodeTrace(place, what, row.trace)
    }),
    ({ content, source, trace }): RejectRecord => ({
      number: Number(row.seq),
      of: row.run_id,
      key: Dialect.decodeText(row.key),
      step: row.step,
      definedAt: Dialect.decodeText(row.defined_at),
      error: Dialect.decodeText(row.error),
      message: Dialect.decodeText(row.message),
      ...(row.status === null ? {} : { status: Number(row.status) }),
      ...(row.attempts === null ? {} : { attempts: Number(row.attempts) }),
      at: row.at,
      jobId: decodeNullable(row.job_id),
      ...trace,
      row: content,
      source,
      replayedBy: row.replayed_by ?? undefined
    })
  )
}

/** Filter for rejects. Undefined fields match everything. */
export interface RejectFilter {
  /** Selects rejects that no replay has taken over (`open`), those that one has (`replayed`), or all; default: `all`. */
  readonly which?: "open" | "replayed" | "all" | undefined
  readonly step?: string | undefined
  readonly error?: string | undefined
  /** Substring of the key or the message; ignores case. */
  readonly text?: string | undefined
}

/** Conditions for a query of the table `rejects`. */
export const rejectConditions = (
  sql: Sql,
  { error, step, text, which = "all" }: RejectFilter
): ReadonlyArray<Statement.Fragment> => [
  ...(which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`]),
  ...(step === undefined ? [] : [sql`step = ${step}`]),
  ...(error === undefined ? [] : [sql`error = ${Dialect.encodeText(error)}`]),
  ...(text === undefined
    ? []
    : [sql.or(["key", "message"].map((column) => Dialect.contains(sql, column, Dialect.encodeText(text))))])
]

/** Rejects of these runs after a position, in order. */
export const rejectsAfter = (
  { place, sql }: Place & { readonly sql: Sql },
  runs: Statement.Fragment,
  filter: RejectFilter,
  after: Position,
  limit: number
) =>
  Effect.flatMap(
    sql<RejectRow>`SELECT * FROM rejects WHERE ${sql.and([
      sql`run_id IN (${runs})`,
      sql`(run_id, seq) > (${after.of}, ${after.number})`,
      ...rejectConditions(sql, filter)
    ])} ORDER BY run_id, seq LIMIT ${limit}`,
    (rows) => Either.all(rows.map((row) => toReject({ place }, row)))
  )

const markRejects = BulkStatement.make({
  before: "UPDATE rejects SET replayed_by = $1 WHERE run_id = $2 AND replayed_by IS NULL AND seq IN (",
  row: (own) => own,
  after: ")",
  shared: 2,
  width: 1
})

/** Marks open rejects as replayed by another run. */
export const markReplayed = (sql: Sql, run: string, by: string, numbers: ReadonlyArray<number>) =>
  markRejects(sql, [by, run], numbers, (number) => [number])

/** Marks these rejects as replayed by run `by`. False if another run has already taken over one of them. */
export const claimRejects = (sql: Sql, { numbers, of }: ReplayClaim, by: string) =>
  Effect.gen(function* () {
    yield* markReplayed(sql, of, by, numbers)
    const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM rejects
      WHERE run_id = ${of} AND replayed_by = ${by}`
    return Number(row?.n) === numbers.length
  })

/** Reopens rejects that a run has taken over but not processed. */
export const releaseRejects = (sql: Sql, of: string | undefined, by: string) =>
  sql`UPDATE rejects SET replayed_by = NULL
    WHERE replayed_by = ${by} AND ${of === undefined ? sql`1 = 1` : sql`run_id = ${of}`}`
