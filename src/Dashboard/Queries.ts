/** Queries of the dashboard: paged lists of runs without the long texts, credits, and state. Includes the queries for pages and rejects. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Dialect from "../Database/Dialect.ts"
import { type Connection, decodeNullable, fromText, numberOf, reading } from "../Ledger/Connection.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { SavedProgress, Status } from "../Ledger/Model.ts"
import * as Runs from "../Ledger/Runs.ts"
import { type StateRow, type StateStep, toEntry } from "../Ledger/StateStore.ts"
import { Ledger } from "../Ledger.ts"
import type { OutputRows } from "../Row/Count.ts"
import { outputRows } from "../Run/Progress.ts"
import { historyOf, visitKey } from "../Step/ChangeHistory.ts"
import type { StateEntry } from "../Step.ts"
import type { State } from "../Web/Dashboard/RunProtocol.ts"
import * as PageQueries from "./PageQueries.ts"
import * as RejectQueries from "./RejectQueries.ts"

/** Run without its definition, inputs and outputs. */
export interface RunSummary {
  readonly id: string
  readonly pipeline: string
  readonly status: Status
  readonly startedAt: number
  readonly updatedAt: number
  readonly endedAt: number | undefined
  readonly scheduledFor: number | undefined
  /** Rows emitted by the last step. */
  readonly rows: number
  /** Rows of each output; undefined when no step writes. */
  readonly written: ReadonlyArray<OutputRows> | undefined
  readonly rejects: number
  readonly credits: number
  readonly unpriced: number
  readonly error: string | undefined
  readonly group: string | undefined
  readonly replayOf: string | undefined
  /** Hash of the definition that the run began with. */
  readonly definition: string
}

/** Number of runs of a pipeline that started in the same half hour and have the same state. */
export interface SlotCount {
  /** Start of the slot. */
  readonly at: number
  readonly state: State
  readonly runs: number
}

/** A run with the progress of its last checkpoint. */
export interface RunProgress extends RunSummary {
  readonly progress: SavedProgress
}

export interface CountedStateStep extends StateStep {
  readonly entries: number | undefined
}

/** A step that stores changes in its state. */
export interface WatchRow {
  /** State key. */
  readonly key: string
  /** Name in the state. */
  readonly step: string
  /** Number of stored changes. */
  readonly changes: number
  /** State entry of the latest change. */
  readonly latest: unknown
  /** State entry of the last run. */
  readonly visit: unknown
}

/** Credits of a pipeline in a time range. */
export interface Spending {
  /** Index of the range, from 0. */
  readonly range: number
  readonly pipeline: string
  readonly credits: number
  readonly unpriced: number
}

export interface DashboardQueries extends PageQueries.PageQueries, RejectQueries.RejectQueries {
  /** Runs, newest first; without shards unless their group is requested. */
  readonly runs: (filter: Runs.RunFilter & Runs.ListRange) => Effect.Effect<ReadonlyArray<RunSummary>, LedgerError>
  /** Runs with their progress, by id. */
  readonly progress: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<RunProgress>, LedgerError>
  /** Number of runs that started since a time, by half hour and state, without shards. `alive`: ids of the runs with a living process. */
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
  /** Credits by pipeline for each time range between neighbouring `starts`. */
  readonly spending: (starts: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Spending>, LedgerError>
  /** Sinks of a pipeline's newest measured run, with the hash of the steps that lead to them. */
  readonly measuredSinks: (
    pipeline: string
  ) => Effect.Effect<ReadonlyArray<{ readonly sink: string; readonly steps: string }>, LedgerError>
  /** Steps that store entries under a state key; with the number of entries if `isCounted`. */
  readonly stateSteps: (key: string, isCounted: boolean) => Effect.Effect<ReadonlyArray<CountedStateStep>, LedgerError>
  /** Last entries of one step, in descending order from `before` or from the end. */
  readonly lastStateEntries: (filter: {
    /** Id of the {@link StateStep}. */
    readonly step: number
    readonly before: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<StateEntry>, LedgerError>
  /** Steps that store changes, latest changes first. */
  readonly watches: (limit: number) => Effect.Effect<ReadonlyArray<WatchRow>, LedgerError>
  /** Runs by id; skips runs that are no longer in the ledger. */
  readonly runsOf: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<RunSummary>, LedgerError>
  /** Changes whenever one of the newest occurrences, or a pause, changes. */
  readonly scheduleVersion: Effect.Effect<string, LedgerError>
  /** Changes whenever another process has written to the ledger; undefined for Postgres, which has no such number. */
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
  readonly output_rows: string | null
}

/** Number of rows of each output; runs of an earlier version have only the sum. */
const writtenIn = ({ output_rows, rows_written }: Row): RunSummary["written"] =>
  output_rows === null
    ? rows_written === null
      ? undefined
      : [{ step: "", name: "", rows: Number(rows_written) }]
    : outputRows({ now: { outputs: fromText(output_rows) } })

const toSummary = (connection: Connection, row: Row): Either.Either<RunSummary, LedgerError> =>
  Either.map(
    row.options === null ? Either.right(undefined) : Runs.decodeOptions(connection, row.id, row.options),
    (options): RunSummary => ({
      id: row.id,
      pipeline: Dialect.decodeText(row.pipeline),
      status: row.status,
      startedAt: Number(row.started_at),
      updatedAt: Number(row.updated_at),
      endedAt: numberOf(row.ended_at),
      scheduledFor: numberOf(row.scheduled_for),
      rows: Number(row.rows_given),
      written: writtenIn(row),
      rejects: Number(row.rows_rejected),
      credits: Number(row.credits),
      unpriced: Number(row.unpriced),
      error: decodeNullable(row.error),
      group: decodeNullable(row.group_id),
      replayOf: options?.replayOf,
      definition: row.definition_hash
    })
  )

/** Milliseconds of a {@link SlotCount}: half an hour, because time zones differ by half hours. */
const slot = 1_800_000

/** SQL for the index of the range between neighbouring `starts` that contains a slot. */
const rangeOf = (sql: SqlClient.SqlClient, starts: ReadonlyArray<number>): Statement.Fragment =>
  sql.literal(
    `CASE ${starts
      .slice(1)
      .map((end, range) => `WHEN slot < ${Math.trunc(end)} THEN ${range}`)
      .join(" ")} END`
  )

/** Maximum values in one statement. */
const maxValues = 500

/** Columns of a `Row`, for runs without their shards. */
const summaryColumns = (sql: SqlClient.SqlClient) => {
  /** Adds the counts of shards to those of their run. */
  const summed = (column: string, name: string) =>
    `${column} + CASE WHEN group_id = id THEN (SELECT coalesce(sum(${column}), 0) FROM runs AS part
      WHERE part.group_id = runs.id AND part.id <> runs.id) ELSE 0 END AS ${name}`
  /** Rows in the files of a completed run; for other runs, rows that sinks have received so far. */
  const written = sql.onDialectOrElse({
    sqlite: () => `coalesce(CASE WHEN status = 'completed' THEN (SELECT sum(json_extract(value, '$.rows'))
      FROM run_texts, json_each(run_texts.outputs) WHERE run_id = runs.id) END, json_extract(progress, '$.now.rows'))`,
    orElse:
      () => `coalesce(CASE WHEN status = 'completed' THEN (SELECT sum((output ->> 'rows')::numeric) FROM run_texts,
      json_array_elements(CASE json_typeof(outputs::json) WHEN 'array' THEN outputs::json ELSE '[]' END) AS output
      WHERE run_id = runs.id) END, (progress::json #>> '{now,rows}')::numeric)`
  })
  const outputs = sql.onDialectOrElse({
    sqlite: () => "json_extract(progress, '$.now.outputs')",
    orElse: () => "progress::json #>> '{now,outputs}'"
  })
  return sql.literal(`id, pipeline, status, started_at, updated_at, ended_at, scheduled_for,
    ${summed("row_count", "rows_given")}, ${summed("reject_count", "rows_rejected")},
    ${summed("call_credits + job_credits", "credits")}, ${summed("call_unpriced + job_unpriced", "unpriced")}, error,
    group_id, definition_hash, (SELECT options FROM run_texts WHERE run_id = id) AS options,
    ${written} AS rows_written, ${outputs} AS output_rows`)
}

const make = (connection: Connection): DashboardQueries => {
  const { sql } = connection
  const listing = reading(connection, "listing runs")
  const columns = summaryColumns(sql)
  return {
    ...PageQueries.make(connection),
    ...RejectQueries.make(connection),
    runs: (filter) =>
      Effect.flatMap(
        // The inner query reads an index; the outer query reads only the listed rows.
        sql<Row>`SELECT ${columns} FROM runs WHERE id IN (SELECT id FROM runs WHERE ${Runs.matches(connection, filter)}
          ORDER BY started_at DESC, id DESC LIMIT ${filter.limit}) ORDER BY started_at DESC, id DESC`,
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
                    Runs.decodeProgress(connection, row.id, row.progress),
                    (summary, progress): RunProgress => ({ ...summary, progress })
                  )
                )
              )
          ).pipe(listing),
    runsBySlot: (pipeline, since, alive) =>
      Effect.map(
        sql<{ slot: number; state: State; n: number }>`SELECT started_at / ${sql.literal(String(slot))} AS slot,
          CASE WHEN status NOT IN ('running', 'publishing') OR ${Runs.isOneOf(connection, alive, true)} THEN status
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
    spending: (starts) =>
      Effect.map(
        sql<{
          part: number
          pipeline: string
          credits: number
          unpriced: number
        }>`SELECT ${rangeOf(sql, starts)} AS part,
          pipeline, sum(credits) AS credits, sum(unpriced) AS unpriced FROM spent
          WHERE slot >= ${starts[0] ?? 0} AND slot < ${starts.at(-1) ?? 0} GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 36000`,
        (rows) =>
          rows.map((row) => ({
            range: Number(row.part),
            pipeline: Dialect.decodeText(row.pipeline),
            credits: Number(row.credits),
            unpriced: Number(row.unpriced)
          }))
      ).pipe(reading(connection, "adding up what was spent")),
    measuredSinks: (pipeline) =>
      sql<{ sink: string; steps: string }>`SELECT sink, steps FROM health WHERE sink <> '' AND run_id = (
          SELECT run_id FROM health WHERE pipeline = ${Dialect.encodeText(pipeline)} AND sink <> ''
          ORDER BY at DESC LIMIT 1) ORDER BY sink`.pipe(
        Effect.map((rows) => rows.map(({ sink, steps }) => ({ sink: Dialect.decodeText(sink), steps }))),
        reading(connection, `looking for the health of ${pipeline}`)
      ),
    stateSteps: (key, isCounted) =>
      Effect.map(
        sql<{ id: number; step: string; n: number | null }>`SELECT id, step,
          ${sql.literal(isCounted ? "(SELECT count(*) FROM state WHERE shelf = shelves.id)" : "NULL")} AS n
          FROM shelves WHERE state_key = ${Dialect.encodeText(key)} ORDER BY step`,
        (rows) => rows.map(({ id, n, step }) => ({ id: Number(id), step, entries: numberOf(n) }))
      ).pipe(reading(connection, `looking for the state ${key}`)),
    lastStateEntries: ({ before, limit, step }) =>
      Effect.map(
        sql<StateRow>`SELECT * FROM state WHERE ${sql.and([
          sql`shelf = ${step}`,
          ...(before === undefined ? [] : [sql`key < ${Dialect.encodeText(before)}`])
        ])} ORDER BY key DESC LIMIT ${limit}`,
        (rows) => rows.map(toEntry)
      ).pipe(reading(connection, "looking for changes")),
    watches: (limit) =>
      Effect.map(
        // Looks up values only for the listed steps.
        sql<{ state_key: string; step: string; n: number; latest: string | null; visit: string | null }>`SELECT
          state_key, step, n, (SELECT value FROM state WHERE shelf = id AND key = newest) AS latest,
          (SELECT value FROM state WHERE shelf = id AND key = ${visitKey}) AS visit
          FROM (SELECT id, state_key, step, (SELECT count(*) FROM state WHERE shelf = shelves.id AND key > ${visitKey}) AS n,
              (SELECT max(key) FROM state WHERE shelf = shelves.id AND key > ${visitKey}) AS newest
            FROM shelves WHERE step LIKE ${`%${historyOf("")}`}
            ORDER BY coalesce((SELECT max(key) FROM state WHERE shelf = shelves.id AND key > ${visitKey}), '') DESC, state_key
            LIMIT ${limit}) AS listed ORDER BY coalesce(newest, '') DESC, state_key`,
        (rows) =>
          rows.map(({ latest, n, state_key, step, visit }) => ({
            key: Dialect.decodeText(state_key),
            step: Dialect.decodeText(step),
            changes: Number(n),
            latest: latest === null ? undefined : fromText(latest),
            visit: visit === null ? undefined : fromText(visit)
          }))
      ).pipe(reading(connection, "looking for watches")),
    runsOf: (ids) =>
      ids.length === 0
        ? Effect.succeed([])
        : Effect.flatMap(sql<Row>`SELECT ${columns} FROM runs WHERE ${sql.in("id", ids.slice(0, maxValues))}`, (rows) =>
            Either.all(rows.map((row) => toSummary(connection, row)))
          ).pipe(listing),
    scheduleVersion: Effect.map(
      sql<{ mark: string }>`SELECT count(*) || ' ' || coalesce(max(claimed_at), 0) || ' ' || coalesce(max(begun_at), 0)
        || ' ' || coalesce(max(ended_at), 0) || ' ' || coalesce(max(next_at), 0)
        || ' ' || (SELECT count(*) || ' ' || coalesce(max(paused_at), 0) || ' ' || count(paused_at)
          || ' ' || coalesce(sum(paused_until), 0) FROM schedules) AS mark
        FROM (SELECT * FROM occurrences ORDER BY scheduled_time DESC LIMIT 200) AS newest`,
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

/** Queries over the ledger in context. */
export const ofLedger: Effect.Effect<DashboardQueries, never, Ledger> = Effect.map(Ledger, ({ connection }) =>
  make(connection)
)
