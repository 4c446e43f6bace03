/** Queries of the dashboard: runs, pages and rejects in paged lists, without the long texts. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Dialect from "../Database/Dialect.ts"
import { type Connection, decodeNullable, numberOf, reading } from "../Ledger/Connection.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { SavedProgress, Status } from "../Ledger/Model.ts"
import {
  type PageRecord,
  type PageRow,
  type RejectRecord,
  type RejectRow,
  type Sightings,
  toPage,
  toReject
} from "../Ledger/Pages.ts"
import { decodeOptions, decodeProgress } from "../Ledger/Runs.ts"
import { Ledger } from "../Ledger.ts"
import type { State } from "../Web/Dashboard/RunProtocol.ts"

export interface RejectFilter {
  readonly run: string
  readonly which: "open" | "replayed" | "all"
  readonly step?: string | undefined
  readonly error?: string | undefined
  /** Substring of the key or the message; ignores case. */
  readonly text?: string | undefined
  /** Only numbers after this one. */
  readonly after: number
  readonly limit: number
}

/** A reject whose row is JSON text, cut to {@link maxContent}. */
export interface StoredReject extends Omit<RejectRecord, "row" | "source"> {
  readonly content: string
  readonly isCut: boolean
}

/** A reject in the news of a run. */
export interface RejectSummary {
  readonly at: string
  readonly step: string
  readonly message: string
}

/** Characters of a row: rows may be pages of several megabytes. */
const maxContent = 80_000

export interface RejectCount {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface RejectQueries {
  /** Ordered by number. */
  readonly rejects: (filter: RejectFilter) => Effect.Effect<ReadonlyArray<StoredReject>, LedgerError>
  /** The newest ones, ordered by number. */
  readonly newestRejects: (run: string, limit: number) => Effect.Effect<ReadonlyArray<RejectSummary>, LedgerError>
  /** Most frequent first. */
  readonly rejectCounts: (run: string, limit: number) => Effect.Effect<ReadonlyArray<RejectCount>, LedgerError>
}

export const makeRejects = (connection: Connection): RejectQueries => {
  const { sql } = connection
  const contains = like(sql)
  const asking = (run: string) => reading(connection, `reading the rejects of run ${run}`)
  return {
    rejects: ({ after, error, limit, run, step, text, which }) =>
      Effect.flatMap(
        sql<RejectRow>`SELECT run_id, seq, step, key, defined_at, error, message, at, job_id, trace, status, attempts, replayed_by,
          substr(content, 1, ${sql.literal(String(maxContent + 1))}) AS content FROM rejects WHERE ${sql.and([
            sql`run_id = ${run}`,
            sql`seq > ${after}`,
            ...(which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`]),
            ...(step === undefined ? [] : [sql`step = ${step}`]),
            ...(error === undefined ? [] : [sql`error = ${Dialect.encodeText(error)}`]),
            ...(text === undefined
              ? []
              : [sql.or(["key", "message"].map((column) => contains(column, Dialect.encodeText(text))))])
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

/** An attempt at a page, with its number in the run. */
export interface Attempt extends PageRecord {
  readonly number: number
}

/** A page with its newest attempt. */
export interface SeenPage extends Sightings {
  readonly key: string
  readonly last: Attempt
}

export interface PageQueries {
  /** Keys that contain all words (ignoring case), sorted, after a key. Encoded keys: see `Database/Dialect.ts`. */
  readonly search: (
    words: ReadonlyArray<string>,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Encoded keys, sorted, after a key. */
  readonly keys: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Encoded keys of a run, ordered by number, after a number. */
  readonly keysOf: (
    run: string,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly number: number }>, LedgerError>
  /** Number of the last attempt, by run. */
  readonly lastOf: (runs: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, LedgerError>
  /** Runs that are active, or were updated since. */
  readonly touched: (since: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Pages of encoded keys, sorted; keys without an attempt are left out. */
  readonly pages: (stored: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SeenPage>, LedgerError>
  /** Attempts at a page, newest first. */
  readonly attempts: (
    key: string,
    range: { readonly limit: number; readonly offset: number }
  ) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
  /** Content hashes of a page over all attempts, newest first. */
  readonly hashes: (key: string, limit: number) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Attempts at a page with this content hash, newest first. */
  readonly attemptsWith: (
    key: string,
    hash: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
  readonly attempt: (run: string, number: number) => Effect.Effect<Attempt | undefined, LedgerError>
  /** Failed ones among the newest attempts of a run, ordered by number. */
  readonly failures: (run: string, among: number) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
  /** Attempts of a run, ordered by number, after a number. */
  readonly attemptsOf: (run: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<Attempt>, LedgerError>
}

/** Condition that a column contains a string, ignoring the case of A to Z. */
const like =
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

const toAttempt = (row: AttemptRow): Attempt => ({ ...toPage(row), number: Number(row.seq) })

export const makePages = (connection: Connection): PageQueries => {
  const { sql } = connection
  const contains = like(sql)
  const asking = reading(connection, "looking for pages")
  return {
    search: (words, after, limit) =>
      Effect.map(
        sql<{ key: string }>`SELECT DISTINCT key FROM pages WHERE ${sql.and([
          ...(after === "" ? [] : [sql`key > ${after}`]),
          ...words.map((word) => contains("key", Dialect.encodeText(word))),
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
    pages: (stored) =>
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
            return seen.flatMap((row): ReadonlyArray<SeenPage> => {
              const attempt = last.get(row.key)
              const counted = { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) }
              return attempt === undefined ? [] : [{ key: Dialect.decodeText(row.key), ...counted, last: attempt }]
            })
          }).pipe(asking),
    attempts: (key, { limit, offset }) =>
      Effect.map(
        sql<AttemptRow>`SELECT * FROM pages WHERE key = ${Dialect.encodeText(key)}
          ORDER BY at DESC, run_id DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`,
        (rows) => rows.map(toAttempt)
      ).pipe(asking),
    hashes: (key, limit) =>
      Effect.map(
        sql<{ hash: string }>`SELECT hash FROM pages WHERE key = ${Dialect.encodeText(key)} AND hash IS NOT NULL
          GROUP BY hash ORDER BY max(at) DESC, hash LIMIT ${limit}`,
        (rows) => rows.map(({ hash }) => hash)
      ).pipe(asking),
    attemptsWith: (key, hash, limit) =>
      Effect.map(
        sql<AttemptRow>`SELECT * FROM pages WHERE key = ${Dialect.encodeText(key)} AND hash = ${hash}
          ORDER BY at DESC, run_id DESC, seq DESC LIMIT ${limit}`,
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

/** Run without its definition, inputs and outputs. */
export interface RunSummary {
  readonly id: string
  readonly pipeline: string
  readonly status: Status
  readonly startedAt: number
  readonly updatedAt: number
  readonly endedAt: number | undefined
  readonly scheduledFor: number | undefined
  /** Rows that left the last step. */
  readonly rows: number
  /** Rows in the outputs; undefined when no step writes. */
  readonly written: number | undefined
  readonly rejects: number
  readonly credits: number
  readonly unpriced: number
  readonly error: string | undefined
  readonly group: string | undefined
  readonly replayOf: string | undefined
  /** Hash of the definition that it began with. */
  readonly definition: string
}

/** Runs of a pipeline that started in a slot of half an hour, and have the same state. */
export interface SlotCount {
  /** Start of the slot. */
  readonly at: number
  readonly state: State
  readonly runs: number
}

export interface SummaryFilter {
  readonly pipeline?: string | undefined
  readonly status?: ReadonlyArray<Status> | undefined
  /** Only runs with (`is`) or without a living process. */
  readonly alive?: { readonly ids: ReadonlyArray<string>; readonly is: boolean } | undefined
  /** Only runs on the cluster, or only the others. */
  readonly shared?: boolean | undefined
  /** Shards of this run. */
  readonly group?: string | undefined
  /** Substring of id, pipeline, file or error; ignores case. */
  readonly text?: string | undefined
  /** Runs after this one, newest first. */
  readonly after?: { readonly startedAt: number; readonly id: string } | undefined
  readonly limit: number
}

/** A run with the progress of its last checkpoint. */
export interface RunProgress extends RunSummary {
  readonly progress: SavedProgress
}

/** Credits of a pipeline in a month. */
export interface Spending {
  readonly pipeline: string
  readonly credits: number
  readonly unpriced: number
}

export interface DashboardQueries extends PageQueries, RejectQueries {
  /** Newest first; shards are left out unless their group is asked for. */
  readonly runs: (filter: SummaryFilter) => Effect.Effect<ReadonlyArray<RunSummary>, LedgerError>
  /** Runs with their progress, by id. */
  readonly progress: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<RunProgress>, LedgerError>
  /** Numbers of runs since a time, without shards; `alive` are the runs with a living process. */
  readonly runsBySlot: (
    pipeline: string,
    since: number,
    alive: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<SlotCount>, LedgerError>
  /** Names of pipelines that have run, at most 1,000. */
  readonly pipelines: Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Number of runs without shards. */
  readonly count: Effect.Effect<number, LedgerError>
  /** Returns the ids that are in the ledger. */
  readonly known: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Credits by pipeline in a time range. */
  readonly spending: (from: number, to: number) => Effect.Effect<ReadonlyArray<Spending>, LedgerError>
  /** Version of the schedules' occurrences: changes with each of them. */
  readonly scheduleVersion: Effect.Effect<string, LedgerError>
  /** Changes when another process has written to the ledger; undefined for Postgres, which has no such number. */
  readonly version: Effect.Effect<number | undefined, LedgerError>
}

interface Row {
  readonly id: string
  readonly pipeline: string
  readonly status: Status
  readonly started_at: number
  readonly updated_at: number
  readonly ended_at: number | null
  readonly scheduled_for: number | null
  readonly rows_given: number
  readonly rows_rejected: number
  readonly credits: number
  readonly unpriced: number
  readonly error: string | null
  readonly group_id: string | null
  readonly definition_hash: string
  readonly options: string | null
  readonly rows_written: number | null
}

const toSummary = (connection: Connection, row: Row): Either.Either<RunSummary, LedgerError> =>
  Either.map(
    row.options === null ? Either.right(undefined) : decodeOptions(connection, row.id, row.options),
    (options): RunSummary => ({
      id: row.id,
      pipeline: Dialect.decodeText(row.pipeline),
      status: row.status,
      startedAt: Number(row.started_at),
      updatedAt: Number(row.updated_at),
      endedAt: numberOf(row.ended_at),
      scheduledFor: numberOf(row.scheduled_for),
      rows: Number(row.rows_given),
      written: numberOf(row.rows_written),
      rejects: Number(row.rows_rejected),
      credits: Number(row.credits),
      unpriced: Number(row.unpriced),
      error: decodeNullable(row.error),
      group: decodeNullable(row.group_id),
      replayOf: options?.replayOf,
      definition: row.definition_hash
    })
  )

/** Milliseconds of a {@link SlotCount}: time zones differ by half hours. */
const slot = 1_800_000

const isAlive = ({ sql }: Connection, ids: ReadonlyArray<string>, is: boolean): Statement.Fragment =>
  ids.length === 0 ? (is ? sql`1 = 0` : sql`1 = 1`) : is ? sql.in("id", ids) : sql`NOT ${sql.in("id", ids)}`

const conditions = (
  connection: Connection,
  { after, alive, group, pipeline, shared, status, text }: Omit<SummaryFilter, "limit">
): Statement.Fragment => {
  const { sql } = connection
  const contains = like(sql)
  return sql.and([
    group === undefined
      ? sql`(group_id IS NULL OR group_id = id)`
      : sql`group_id = ${Dialect.encodeText(group)} AND id <> ${group}`,
    ...(pipeline === undefined ? [] : [sql`pipeline = ${Dialect.encodeText(pipeline)}`]),
    ...(status === undefined ? [] : [sql.in("status", status)]),
    ...(alive === undefined ? [] : [isAlive(connection, alive.ids, alive.is)]),
    ...(shared === undefined ? [] : [shared ? sql`group_id IS NOT NULL` : sql`group_id IS NULL`]),
    ...(text === undefined
      ? []
      : [
          sql.or(
            ["id", "pipeline", "file", "coalesce(error, '')"].map((column) =>
              contains(column, Dialect.encodeText(text))
            )
          )
        ]),
    ...(after === undefined ? [] : [sql`(started_at, id) < (${after.startedAt}, ${after.id})`])
  ])
}

/** Values in one statement. */
const maxValues = 500

const make = (connection: Connection): DashboardQueries => {
  const { sql } = connection
  const listing = reading(connection, "listing runs")
  /** Includes the counts of shards. */
  const summed = (column: string, name: string) =>
    `${column} + CASE WHEN group_id = id THEN (SELECT coalesce(sum(${column}), 0) FROM runs AS part
      WHERE part.group_id = runs.id AND part.id <> runs.id) ELSE 0 END AS ${name}`
  /** Rows in the files of a completed run; rows that sinks have received so far of any other. */
  const written = sql.onDialectOrElse({
    sqlite: () => `coalesce(CASE WHEN status = 'completed' THEN (SELECT sum(json_extract(value, '$.rows'))
      FROM run_texts, json_each(run_texts.outputs) WHERE run_id = runs.id) END, json_extract(progress, '$.now.rows'))`,
    orElse:
      () => `coalesce(CASE WHEN status = 'completed' THEN (SELECT sum((output ->> 'rows')::numeric) FROM run_texts,
      json_array_elements(CASE json_typeof(outputs::json) WHEN 'array' THEN outputs::json ELSE '[]' END) AS output
      WHERE run_id = runs.id) END, (progress::json #>> '{now,rows}')::numeric)`
  })
  const columns = sql.literal(`id, pipeline, status, started_at, updated_at, ended_at, scheduled_for,
    ${summed("row_count", "rows_given")}, ${summed("reject_count", "rows_rejected")},
    ${summed("call_credits + job_credits", "credits")}, ${summed("call_unpriced + job_unpriced", "unpriced")}, error,
    group_id, definition_hash, (SELECT options FROM run_texts WHERE run_id = id) AS options,
    ${written} AS rows_written`)
  return {
    ...makePages(connection),
    ...makeRejects(connection),
    runs: (filter) =>
      Effect.flatMap(
        sql<Row>`SELECT ${columns} FROM runs WHERE ${conditions(connection, filter)}
          ORDER BY started_at DESC, id DESC LIMIT ${filter.limit}`,
        (rows) => Either.all(rows.map((row) => toSummary(connection, row)))
      ).pipe(listing),
    progress: (ids) =>
      ids.length === 0
        ? Effect.succeed([])
        : Effect.flatMap(
            sql<Row & { readonly progress: string }>`SELECT ${columns}, progress FROM runs
              WHERE ${sql.in("id", ids.slice(0, maxValues))}`,
            (rows) =>
              Either.all(
                rows.map((row) =>
                  Either.zipWith(
                    toSummary(connection, row),
                    decodeProgress(connection, row.id, row.progress),
                    (summary, progress): RunProgress => ({ ...summary, progress })
                  )
                )
              )
          ).pipe(listing),
    runsBySlot: (pipeline, since, alive) =>
      Effect.map(
        sql<{ slot: number; state: State; n: number }>`SELECT started_at / ${sql.literal(String(slot))} AS slot,
          CASE WHEN status NOT IN ('running', 'publishing') OR ${isAlive(connection, alive, true)} THEN status
            WHEN group_id IS NULL THEN 'crashed' ELSE 'waiting' END AS state, count(*) AS n
          FROM runs WHERE pipeline = ${Dialect.encodeText(pipeline)} AND started_at >= ${since}
            AND (group_id IS NULL OR group_id = id) GROUP BY 1, 2 ORDER BY 1, 2`,
        (rows) => rows.map((row) => ({ at: Number(row.slot) * slot, state: row.state, runs: Number(row.n) }))
      ).pipe(listing),
    pipelines: Effect.map(
      sql<{ pipeline: string }>`SELECT DISTINCT pipeline FROM runs ORDER BY pipeline LIMIT 1000`,
      (rows) => rows.map(({ pipeline }) => Dialect.decodeText(pipeline))
    ).pipe(listing),
    count: Effect.map(
      sql<{ n: number }>`SELECT (SELECT count(*) FROM runs)
        - (SELECT count(*) FROM runs WHERE group_id IS NOT NULL AND group_id <> id) AS n`,
      ([row]) => Number(row?.n ?? 0)
    ).pipe(listing),
    known: (ids) =>
      ids.length === 0
        ? Effect.succeed(new Set())
        : Effect.map(
            sql<{ id: string }>`SELECT id FROM runs WHERE ${sql.in("id", ids.slice(0, maxValues))}`,
            (rows) => new Set(rows.map(({ id }) => id))
          ).pipe(listing),
    spending: (from, to) =>
      Effect.map(
        sql<{ pipeline: string; credits: number; unpriced: number }>`SELECT pipeline, sum(credits) AS credits,
          sum(unpriced) AS unpriced FROM spent WHERE slot >= ${from} AND slot < ${to}
          GROUP BY pipeline ORDER BY pipeline LIMIT 1000`,
        (rows) =>
          rows.map((row) => ({
            pipeline: Dialect.decodeText(row.pipeline),
            credits: Number(row.credits),
            unpriced: Number(row.unpriced)
          }))
      ).pipe(reading(connection, "adding up what was spent")),
    scheduleVersion: Effect.map(
      sql<{ mark: string }>`SELECT count(*) || ' ' || coalesce(max(claimed_at), 0) || ' ' || coalesce(max(begun_at), 0)
        || ' ' || coalesce(max(ended_at), 0) || ' ' || coalesce(max(next_at), 0)
        || ' ' || (SELECT count(*) || ' ' || coalesce(max(paused_at), 0) || ' ' || count(paused_at) FROM schedules) AS mark
        FROM (SELECT * FROM instants ORDER BY instant DESC LIMIT 200) AS newest`,
      ([row]) => row?.mark ?? ""
    ).pipe(reading(connection, "looking at schedules")),
    version: sql.onDialectOrElse({
      sqlite: () =>
        Effect.map(sql<{ data_version: number }>`PRAGMA data_version`, ([row]) => row?.data_version).pipe(
          reading(connection, "looking for changes")
        ),
      orElse: () => Effect.succeed(undefined)
    })
  }
}

/** The queries over the ledger of the context. */
export const ofLedger: Effect.Effect<DashboardQueries, never, Ledger> = Effect.map(Ledger, ({ connection }) =>
  make(connection)
)
