/**
 * Queries of page attempts: by URL, by run, and by content. Where a comment says "encoded", keys are encoded as in `Database/Dialect.ts`.
 */
import type * as Statement from "@effect/sql/Statement"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Dialect from "../Database/Dialect.ts"
import { type Connection, reading } from "../Ledger/Connection.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { type PageRecord, type PageRow, type Sightings, toPage } from "../Ledger/Pages.ts"

/** A page with its newest attempt. */
export interface SeenPage extends Sightings {
  readonly key: string
  readonly last: PageRecord
}

/** Number of newest attempts at a page that are searched first for distinct contents. */
const recentAttempts = 1000

export interface PageQueries {
  /** Encoded keys after `after` that contain all words (ignoring case), sorted. */
  readonly search: (
    words: ReadonlyArray<string>,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Encoded keys after `after`, sorted. */
  readonly keys: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Encoded keys of a run's attempts after number `after`, ordered by number. */
  readonly keysOf: (
    run: string,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly number: number }>, LedgerError>
  /** Number of the newest attempt of each run. */
  readonly lastOf: (runs: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, LedgerError>
  /** Runs that are active or were updated after `since`. */
  readonly touched: (since: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Pages for encoded keys, sorted; skips keys without an attempt. */
  readonly pages: (stored: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SeenPage>, LedgerError>
  /**
   * The newest attempts at a page for each of its newest contents (by hash), newest first. If the last 1,000 attempts have at least two
   * contents, earlier attempts are not searched.
   */
  readonly attemptsByHash: (
    key: string,
    limits: { readonly hashes: number; readonly attempts: number }
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<PageRecord>>, LedgerError>
  /** Attempts at a page with this content hash, newest first. */
  readonly attemptsWith: (
    key: string,
    hash: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<PageRecord>, LedgerError>
  readonly attempt: (run: string, number: number) => Effect.Effect<PageRecord | undefined, LedgerError>
  /** Failed attempts among the newest attempts of a run, ordered by number. */
  readonly failures: (run: string, among: number) => Effect.Effect<ReadonlyArray<PageRecord>, LedgerError>
}

export const make = (connection: Connection): PageQueries => {
  const { sql } = connection
  const asking = reading(connection, "looking for pages")
  /** Characters of a key that Postgres's index `pages_order` contains. */
  const prefixLength = sql.literal("200")
  const keysAfter = (after: string, limit: number): Statement.Statement<{ key: string }> =>
    sql.onDialectOrElse({
      // Skips from one key prefix to the next: a page may have thousands of attempts.
      pg: () => sql`WITH RECURSIVE prefixes (prefix, place) AS (
          (SELECT left(key, ${prefixLength}), 0 FROM pages
            WHERE left(key, ${prefixLength}) >= left(${after}, ${prefixLength})
            ORDER BY left(key, ${prefixLength}) LIMIT 1)
          UNION ALL
          SELECT (SELECT left(key, ${prefixLength}) FROM pages
            WHERE left(key, ${prefixLength}) > prefix
            ORDER BY left(key, ${prefixLength}) LIMIT 1), place + 1
          FROM prefixes WHERE prefix IS NOT NULL AND place < ${sql.literal(String(Math.trunc(limit)))})
        SELECT found.key FROM prefixes CROSS JOIN LATERAL (
          SELECT prefix AS key WHERE char_length(prefix) < ${prefixLength}
          UNION ALL
          SELECT DISTINCT key FROM pages WHERE char_length(prefix) = ${prefixLength}
            AND left(key, ${prefixLength}) = prefix) AS found
        WHERE prefix IS NOT NULL AND found.key > ${after} ORDER BY 1 LIMIT ${limit}`,
      orElse: () => sql`SELECT DISTINCT key FROM pages WHERE key > ${after} ORDER BY key LIMIT ${limit}`
    })
  const keys: PageQueries["keys"] = (after, limit) =>
    Effect.map(keysAfter(after, limit), (rows) => rows.map(({ key }) => key)).pipe(asking)
  const searched: PageQueries["search"] = (words, after, limit) =>
    Effect.map(
      sql<{ key: string }>`SELECT DISTINCT key FROM pages WHERE ${sql.and([
        ...(after === "" ? [] : [sql`key > ${after}`]),
        ...words.map((word) => Dialect.contains(sql, "key", Dialect.encodeText(word)))
      ])} ORDER BY key LIMIT ${limit}`,
      (rows) => rows.map(({ key }) => key)
    ).pipe(asking)
  return {
    search: (words, after, limit) => (words.length === 0 ? keys(after, limit) : searched(words, after, limit)),
    keys,
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
    pages: (stored) =>
      stored.length === 0
        ? Effect.succeed([])
        : Effect.gen(function* () {
            const seen = yield* sql<{ key: string; n: number; first: number; last: number }>`
              SELECT key, count(*) AS n, min(at) AS first, max(at) AS last FROM pages WHERE ${sql.in("key", stored)}
              GROUP BY key ORDER BY key`
            const newest = yield* sql<PageRow>`SELECT pages.* FROM pages JOIN
              (SELECT key, max(at) AS at FROM pages WHERE ${sql.in("key", stored)} GROUP BY key) AS newest
              ON newest.key = pages.key AND newest.at = pages.at ORDER BY pages.run_id, pages.seq`
            const last = new Map(newest.map((row) => [row.key, toPage(row)]))
            return seen.flatMap((row): ReadonlyArray<SeenPage> => {
              const attempt = last.get(row.key)
              const counted = { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) }
              return attempt === undefined ? [] : [{ key: Dialect.decodeText(row.key), ...counted, last: attempt }]
            })
          }).pipe(asking),
    attemptsByHash: (key, { attempts, hashes }) => {
      const among = (most: Statement.Fragment) =>
        Effect.map(
          sql<PageRow>`SELECT * FROM (SELECT found.*, max(at) OVER (PARTITION BY hash) AS newest,
              row_number() OVER (PARTITION BY hash ORDER BY at DESC, run_id DESC, seq DESC) AS place
              FROM (SELECT * FROM pages WHERE key = ${Dialect.encodeText(key)} AND hash IS NOT NULL ${most}) AS found) AS placed
            WHERE place <= ${attempts} ORDER BY newest DESC, hash, place LIMIT ${hashes * attempts}`,
          (rows) => Object.values(Arr.groupBy(rows.map(toPage), ({ hash = "" }) => hash)).slice(0, hashes)
        )
      // First reads only the newest attempts: a page of a busy pipeline has thousands, each at a different place in the database file.
      return Effect.flatMap(among(sql`ORDER BY at DESC LIMIT ${recentAttempts}`), (recent) =>
        recent.length > 1 ? Effect.succeed(recent) : among(sql``)
      ).pipe(asking)
    },
    attemptsWith: (key, hash, limit) =>
      Effect.map(
        sql<PageRow>`SELECT * FROM pages WHERE key = ${Dialect.encodeText(key)} AND hash = ${hash}
          ORDER BY at DESC, run_id DESC, seq DESC LIMIT ${limit}`,
        (rows) => rows.map(toPage)
      ).pipe(asking),
    attempt: (run, number) =>
      Effect.map(sql<PageRow>`SELECT * FROM pages WHERE run_id = ${run} AND seq = ${number}`, ([row]) =>
        row === undefined ? undefined : toPage(row)
      ).pipe(asking),
    failures: (run, among) =>
      Effect.map(
        sql<PageRow>`SELECT * FROM (SELECT * FROM pages WHERE run_id = ${run} ORDER BY seq DESC LIMIT ${among})
          AS newest WHERE error IS NOT NULL OR status >= 400 ORDER BY seq`,
        (rows) => rows.map(toPage)
      ).pipe(asking)
  }
}
