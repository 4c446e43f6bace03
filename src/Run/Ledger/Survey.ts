/** Queries of the dashboard: paged lists without long texts. */
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { Json } from "../../Row.ts"
import type { Status } from "../Status.ts"
import { type Connection, fromText, reading } from "./Connection.ts"
import type { LedgerError } from "./Errors.ts"
import * as SurveyPages from "./SurveyPages.ts"
import * as SurveyRejects from "./SurveyRejects.ts"

/** Run without its definition, inputs and outputs. */
export interface RunSummary {
  readonly id: string
  readonly pipeline: string
  readonly status: Status
  readonly startedAt: number
  readonly updatedAt: number
  readonly endedAt: number | undefined
  readonly scheduledFor: number | undefined
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly unpriced: number
  readonly error: string | undefined
  readonly group: string | undefined
  readonly replayOf: string | undefined
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

/** Progress of a run. */
export interface Pace extends RunSummary {
  readonly progress: Json
}

/** Credits of a pipeline in a month. */
export interface Spending {
  readonly pipeline: string
  readonly credits: number
  readonly unpriced: number
}

export interface Survey extends SurveyPages.SurveyPages, SurveyRejects.SurveyRejects {
  /** Newest first; shards are left out unless their group is asked for. */
  readonly runs: (filter: SummaryFilter) => Effect.Effect<ReadonlyArray<RunSummary>, LedgerError>
  /** Progress of runs, by id. */
  readonly paces: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Pace>, LedgerError>
  /** Names of pipelines that have run, at most 1,000. */
  readonly pipelines: Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Number of runs without shards. */
  readonly count: Effect.Effect<number, LedgerError>
  /** Returns the ids that are in the ledger. */
  readonly known: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Credits spent in a time range. */
  readonly spent: (from: number, to: number) => Effect.Effect<ReadonlyArray<Spending>, LedgerError>
  /** Version of the schedules' occurrences: changes with each of them. */
  readonly scheduleMark: Effect.Effect<string, LedgerError>
  /** Changes when another process has written. Undefined where only a query can find out. */
  readonly mark: Effect.Effect<number | undefined, LedgerError>
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
  readonly options: string | null
}

const numberOf = (value: number | null): number | undefined => (value === null ? undefined : Number(value))

const toSummary = (row: Row): RunSummary => ({
  id: row.id,
  pipeline: Text.decode(row.pipeline),
  status: row.status,
  startedAt: Number(row.started_at),
  updatedAt: Number(row.updated_at),
  endedAt: numberOf(row.ended_at),
  scheduledFor: numberOf(row.scheduled_for),
  rows: Number(row.rows_given),
  rejects: Number(row.rows_rejected),
  credits: Number(row.credits),
  unpriced: Number(row.unpriced),
  error: row.error === null ? undefined : Text.decode(row.error),
  group: row.group_id === null ? undefined : Text.decode(row.group_id),
  replayOf: row.options === null ? undefined : (fromText(row.options) as { readonly replayOf?: string }).replayOf
})

const conditions = (
  { sql }: Connection,
  { after, alive, group, pipeline, shared, status, text }: Omit<SummaryFilter, "limit">
): Statement.Fragment => {
  const like = SurveyPages.like(sql)
  const isAlive = (ids: ReadonlyArray<string>, is: boolean) =>
    ids.length === 0 ? sql.literal(is ? "1 = 0" : "1 = 1") : is ? sql.in("id", ids) : sql`NOT ${sql.in("id", ids)}`
  return sql.and([
    // Shards are shown with the run that they are shards of.
    group === undefined
      ? sql`(group_id IS NULL OR group_id = id)`
      : sql`group_id = ${Text.encode(group)} AND id <> ${group}`,
    ...(pipeline === undefined ? [] : [sql`pipeline = ${Text.encode(pipeline)}`]),
    ...(status === undefined ? [] : [sql.in("status", status)]),
    ...(alive === undefined ? [] : [isAlive(alive.ids, alive.is)]),
    ...(shared === undefined ? [] : [shared ? sql`group_id IS NOT NULL` : sql`group_id IS NULL`]),
    ...(text === undefined
      ? []
      : [sql.or(["id", "pipeline", "file", "coalesce(error, '')"].map((column) => like(column, Text.encode(text))))]),
    ...(after === undefined ? [] : [sql`(started_at, id) < (${after.startedAt}, ${after.id})`])
  ])
}

/** Values in one statement. */
const several = 500

export const make = (connection: Connection): Survey => {
  const { sql } = connection
  const listing = reading(connection, "listing runs")
  /** Includes the counts of shards. */
  const summed = (column: string, name: string) =>
    `${column} + CASE WHEN group_id = id THEN (SELECT coalesce(sum(${column}), 0) FROM runs AS part
      WHERE part.group_id = runs.id AND part.id <> runs.id) ELSE 0 END AS ${name}`
  const columns = sql.literal(`id, pipeline, status, started_at, updated_at, ended_at, scheduled_for,
    ${summed("row_count", "rows_given")}, ${summed("reject_count", "rows_rejected")},
    ${summed("call_credits + job_credits", "credits")}, ${summed("call_unpriced + job_unpriced", "unpriced")}, error,
    group_id, (SELECT options FROM run_texts WHERE run_id = id) AS options`)
  return {
    ...SurveyPages.make(connection),
    ...SurveyRejects.make(connection),
    runs: (filter) =>
      Effect.map(
        sql<Row>`SELECT ${columns} FROM runs WHERE ${conditions(connection, filter)}
          ORDER BY started_at DESC, id DESC LIMIT ${filter.limit}`,
        (rows) => rows.map(toSummary)
      ).pipe(listing),
    paces: (ids) =>
      ids.length === 0
        ? Effect.succeed([])
        : Effect.map(
            sql<Row & { readonly progress: string }>`SELECT ${columns}, progress FROM runs
              WHERE ${sql.in("id", ids.slice(0, several))}`,
            (rows) => rows.map((row) => ({ ...toSummary(row), progress: fromText(row.progress) }))
          ).pipe(listing),
    pipelines: Effect.map(
      sql<{ pipeline: string }>`SELECT DISTINCT pipeline FROM runs ORDER BY pipeline LIMIT 1000`,
      (rows) => rows.map(({ pipeline }) => Text.decode(pipeline))
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
            sql<{ id: string }>`SELECT id FROM runs WHERE ${sql.in("id", ids.slice(0, several))}`,
            (rows) => new Set(rows.map(({ id }) => id))
          ).pipe(listing),
    spent: (from, to) =>
      Effect.map(
        sql<{ pipeline: string; credits: number; unpriced: number }>`SELECT pipeline, sum(credits) AS credits,
          sum(unpriced) AS unpriced FROM spent WHERE slot >= ${from} AND slot < ${to}
          GROUP BY pipeline ORDER BY pipeline LIMIT 1000`,
        (rows) =>
          rows.map((row) => ({
            pipeline: Text.decode(row.pipeline),
            credits: Number(row.credits),
            unpriced: Number(row.unpriced)
          }))
      ).pipe(reading(connection, "adding up what was spent")),
    scheduleMark: Effect.map(
      sql<{ mark: string }>`SELECT count(*) || ' ' || coalesce(max(claimed_at), 0) || ' ' || coalesce(max(begun_at), 0)
        || ' ' || coalesce(max(ended_at), 0) || ' ' || coalesce(max(next_at), 0)
        || ' ' || (SELECT count(*) || ' ' || coalesce(max(paused_at), 0) || ' ' || count(paused_at) FROM schedules) AS mark
        FROM (SELECT * FROM instants ORDER BY instant DESC LIMIT 200) AS newest`,
      ([row]) => row?.mark ?? ""
    ).pipe(reading(connection, "looking at schedules")),
    mark: sql.onDialectOrElse({
      sqlite: () =>
        Effect.map(sql<{ data_version: number }>`PRAGMA data_version`, ([row]) => row?.data_version).pipe(
          reading(connection, "looking for changes")
        ),
      orElse: () => Effect.succeed(undefined)
    })
  }
}
