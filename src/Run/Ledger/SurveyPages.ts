/** Pages for somebody who looks on: found by parts of their addresses, with all that was met of each. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import { type Connection, reading } from "./Connection.ts"
import type { LedgerError } from "./Errors.ts"
import { type PageRecord, type PageRow, type Sightings, toRecord } from "./Pages.ts"

/** An attempt at a page, with its number in the run. */
export interface Attempt extends PageRecord {
  readonly number: number
}

/** A page with its newest attempt. */
export interface Met extends Sightings {
  readonly key: string
  readonly last: Attempt
}

export interface SurveyPages {
  /** Keys in which all words occur, in whatever case; in their order, behind one. Stored keys: see `Database/Text.ts`. */
  readonly search: (
    words: ReadonlyArray<string>,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Stored keys in their order, behind one. */
  readonly keys: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Stored keys of a run, in its order, behind a number. */
  readonly keysOf: (
    run: string,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly number: number }>, LedgerError>
  /** Number of the last attempt of each of these runs. */
  readonly lastOf: (runs: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, LedgerError>
  /** Runs that go on, or in which something has happened since. */
  readonly touched: (since: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Keys are in order of what they are stored as; those that were never met are left out. */
  readonly met: (stored: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Met>, LedgerError>
  /** Attempts at a page, newest first. */
  readonly attempts: (
    key: string,
    range: { readonly limit: number; readonly offset: number }
  ) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
  readonly attempt: (run: string, number: number) => Effect.Effect<Attempt | undefined, LedgerError>
  /** Those that failed among the newest of a run, in its order. */
  readonly failures: (run: string, among: number) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
  /** Of a run, in its order, behind a number. */
  readonly attemptsOf: (run: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
}

/** That a column contains a text, in whatever case its letters from A to Z are. */
export const like =
  (sql: SqlClient.SqlClient) =>
  (column: string, text: string): Statement.Fragment => {
    const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`
    return sql.onDialectOrElse({
      pg: () => sql`${sql.literal(column)} ILIKE ${pattern}`,
      orElse: () => sql`${sql.literal(column)} LIKE ${pattern} ESCAPE '\\'`
    })
  }

interface AttemptRow extends PageRow {
  readonly seq: number
}

const toAttempt = (row: AttemptRow): Attempt => ({ ...toRecord(row), number: Number(row.seq) })

export const make = (connection: Connection): SurveyPages => {
  const { sql } = connection
  const contains = like(sql)
  const asking = reading(connection, "looking for pages")
  return {
    search: (words, after, limit) =>
      Effect.map(
        sql<{ key: string }>`SELECT DISTINCT key FROM pages WHERE ${sql.and([
          ...(after === "" ? [] : [sql`key > ${after}`]),
          ...words.map((word) => contains("key", Text.encode(word))),
          sql`1 = 1`
        ])} ORDER BY key LIMIT ${limit}`,
        (rows) => rows.map(({ key }) => key)
      ).pipe(asking),
    keys: (after, limit) =>
      Effect.map(
        sql<{ key: string }>`SELECT DISTINCT key FROM pages WHERE key > ${after} ORDER BY key LIMIT ${limit}`,
        (rows) => rows.map(({ key }) => key)
      ).pipe(asking),
    keysOf: (run, after, limit) =>
      Effect.map(
        sql<{ key: string; seq: number }>`SELECT key, seq FROM pages WHERE run_id = ${run} AND seq > ${after}
          ORDER BY seq LIMIT ${limit}`,
        (rows) => rows.map(({ key, seq }) => ({ key, number: Number(seq) }))
      ).pipe(asking),
    lastOf: (runs) =>
      Effect.map(
        Effect.forEach(runs, (run) =>
          Effect.map(sql<{ n: number | null }>`SELECT max(seq) AS n FROM pages WHERE run_id = ${run}`, ([row]) => {
            return [run, Number(row?.n ?? 0)] as const
          })
        ),
        (pairs) => new Map(pairs)
      ).pipe(asking),
    touched: (since) =>
      Effect.map(
        sql<{ id: string }>`SELECT id FROM runs WHERE status IN ('running', 'publishing') OR updated_at >= ${since}`,
        (rows) => rows.map(({ id }) => id)
      ).pipe(asking),
    met: (stored) =>
      stored.length === 0
        ? Effect.succeed([])
        : Effect.gen(function* () {
            const seen = yield* sql<{ key: string; n: number; first: number; last: number }>`
              SELECT key, count(*) AS n, min(at) AS first, max(at) AS last FROM pages WHERE ${sql.in("key", stored)}
              GROUP BY key ORDER BY key`
            const newest = yield* sql<AttemptRow>`SELECT pages.* FROM pages JOIN
              (SELECT key, max(at) AS at FROM pages WHERE ${sql.in("key", stored)} GROUP BY key) AS newest
              ON newest.key = pages.key AND newest.at = pages.at ORDER BY pages.run_id, pages.seq`
            const last = new Map(newest.map((row) => [row.key, toAttempt(row)]))
            return seen.flatMap((row): ReadonlyArray<Met> => {
              const attempt = last.get(row.key)
              const counted = { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) }
              return attempt === undefined ? [] : [{ key: Text.decode(row.key), ...counted, last: attempt }]
            })
          }).pipe(asking),
    attempts: (key, { limit, offset }) =>
      Effect.map(
        sql<AttemptRow>`SELECT * FROM pages WHERE key = ${Text.encode(key)}
          ORDER BY at DESC, run_id DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`,
        (rows) => rows.map(toAttempt)
      ).pipe(asking),
    attempt: (run, number) =>
      Effect.map(sql<AttemptRow>`SELECT * FROM pages WHERE run_id = ${run} AND seq = ${number}`, ([row]) =>
        row === undefined ? undefined : toAttempt(row)
      ).pipe(asking),
    failures: (run, among) =>
      Effect.map(
        sql<AttemptRow>`SELECT * FROM (SELECT * FROM pages WHERE run_id = ${run} ORDER BY seq DESC LIMIT ${among})
          AS newest WHERE error IS NOT NULL OR status >= 400 ORDER BY seq`,
        (rows) => rows.map(toAttempt)
      ).pipe(asking),
    attemptsOf: (run, after, limit) =>
      Effect.map(
        sql<AttemptRow>`SELECT * FROM pages WHERE run_id = ${run} AND seq > ${after} ORDER BY seq LIMIT ${limit}`,
        (rows) => rows.map(toAttempt)
      ).pipe(asking)
  }
}
