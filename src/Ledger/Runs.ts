/**
 * Rows of the table `runs`, for runs and their parts, and the credits of each pipeline by quarter of an hour, for daily budgets.
 *
 * A run in a cluster has parts: one that reads the source, and its shards. When the run merges a part, it copies the part's pages and
 * rejects, and adds an offset to their numbers.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Dialect from "../Database/Dialect.ts"
import { JsonValue } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import { Output, Sealed, type TrialFile } from "../Step/Output.ts"
import {
  type Connection,
  decodeNullable,
  decoding,
  encodeOptional,
  fromText,
  numberOf,
  reading,
  toText
} from "./Connection.ts"
import { LedgerError } from "./LedgerErrors.ts"
import { finalReason, type RunRecord, type RunSpec, SavedOptions, SavedProgress, type Status } from "./Model.ts"

/** Position of a page or reject in a run or part. */
export interface Position {
  readonly of: string
  readonly number: number
}

/** Shard number padded to four digits: `0007`. */
export const padShard = (shard: number): string => String(shard).padStart(4, "0")

/** Id of the part that reads the source. */
export const splitOf = (run: string): string => `${run}.split`

/** Id of a shard; shards are numbered from 0. */
export const shardOf = (run: string, shard: number): string => `${run}.s${padShard(shard)}`

/** Numbers of a run's own rows are below this; each merged part has a range of this size. */
export const partOffset = 1_000_000_000

/** Offset of a merged part: index 0 is the part that reads the source, the shards follow. */
export const offsetOfPart = (index: number): number => (index + 1) * partOffset

/** Part that a merged page or reject comes from, and its number there before the merge. */
export const originOf = (run: string, number: number): Position => {
  const index = Math.floor(number / partOffset) - 1
  const of = index < 0 ? run : index === 0 ? splitOf(run) : shardOf(run, index - 1)
  return { of, number: number % partOffset }
}

/** True if `one` comes after `other` in the order in which rows of a run and its parts are read: by id of the part, then by number. */
export const isAfter = (one: Position, other: Position): boolean =>
  one.of === other.of ? one.number > other.number : one.of > other.of

/** Milliseconds of a slot. Midnight in every time zone is at the start of a slot. */
const slotDuration = 15 * 60_000

export const slotOf = (time: number): number => Math.floor(time / slotDuration) * slotDuration

export const addSpent = (sql: SqlClient.SqlClient, pipeline: string, now: number, credits: number, unpriced: number) =>
  credits === 0 && unpriced === 0
    ? Effect.void
    : sql`INSERT INTO spent ${sql.insert({ pipeline: Dialect.encodeText(pipeline), slot: slotOf(now), credits, unpriced })}
        ON CONFLICT (pipeline, slot) DO UPDATE
        SET credits = spent.credits + excluded.credits, unpriced = spent.unpriced + excluded.unpriced`

export const creditsSince = (sql: SqlClient.SqlClient, pipeline: string, since: number) =>
  Effect.map(
    sql<{ credits: number | null }>`SELECT sum(credits) AS credits FROM spent
      WHERE pipeline = ${Dialect.encodeText(pipeline)} AND slot >= ${slotOf(since)}`,
    ([row]) => Number(row?.credits ?? 0)
  )

export interface RunRow {
  readonly id: string
  readonly pipeline: string
  readonly file: string
  readonly definition: string
  readonly definition_hash: string
  readonly inputs: string
  readonly options: string
  readonly out_folder: string
  readonly folder: string
  readonly started_at: number
  readonly scheduled_for: number | null
  readonly state_key: string | null
  readonly group_id: string | null
  readonly status: Status
  readonly progress: string
  readonly bytes: number
  readonly row_count: number
  readonly reject_count: number
  readonly call_credits: number
  readonly call_unpriced: number
  readonly job_credits: number
  readonly job_unpriced: number
  readonly outputs: string | null
  readonly error: string | null
  readonly updated_at: number
  readonly ended_at: number | null
  /** Sums over the shards that are not merged yet (`part_…`). */
  readonly part_rows: number | null
  readonly part_rejects: number | null
  readonly part_credits: number | null
  readonly part_unpriced: number | null
}

type Place = Pick<Connection, "place">

const decodeJson = decoding(JsonValue)
const decodeSavedOptions = decoding(SavedOptions)
const decodeSavedProgress = decoding(SavedProgress)

export const decodeOptions = (place: Place, run: string, text: string) =>
  decodeSavedOptions(place, `the options of run ${run}`, text)

export const decodeProgress = (place: Place, run: string, text: string) =>
  decodeSavedProgress(place, `the progress of run ${run}`, text)

const toRecord = (place: Place, row: RunRow): Either.Either<RunRecord, LedgerError> =>
  Either.map(
    Either.all({
      options: decodeOptions(place, row.id, row.options),
      progress: decodeProgress(place, row.id, row.progress),
      inputs: decodeJson(place, `the inputs of run ${row.id}`, row.inputs),
      outputs:
        row.outputs === null ? Either.right(undefined) : decodeJson(place, `the outputs of run ${row.id}`, row.outputs)
    }),
    ({ inputs, options, outputs, progress }): RunRecord => ({
      id: row.id,
      pipeline: Dialect.decodeText(row.pipeline),
      file: Dialect.decodeText(row.file),
      definition: Dialect.decodeText(row.definition),
      definitionHash: row.definition_hash,
      inputs,
      options,
      out: Dialect.decodeText(row.out_folder),
      folder: Dialect.decodeText(row.folder),
      startedAt: Number(row.started_at),
      scheduledFor: numberOf(row.scheduled_for),
      stateKey: decodeNullable(row.state_key),
      group: decodeNullable(row.group_id),
      status: row.status,
      progress,
      bytes: Number(row.bytes),
      credits: Number(row.call_credits) + Number(row.job_credits) + Number(row.part_credits ?? 0),
      unpriced: Number(row.call_unpriced) + Number(row.job_unpriced) + Number(row.part_unpriced ?? 0),
      rows: Number(row.row_count) + Number(row.part_rows ?? 0),
      rejects: Number(row.reject_count) + Number(row.part_rejects ?? 0),
      outputs,
      error: decodeNullable(row.error),
      updatedAt: Number(row.updated_at),
      endedAt: numberOf(row.ended_at)
    })
  )

/** Creates the run, or reopens it for a resume. A completed run cannot be reopened: its calls would be paid for again. */
export const start = ({ place, sql }: Pick<Connection, "place" | "sql">, run: RunSpec, isResume: boolean) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const created = yield* sql`INSERT INTO runs ${sql.insert({
      id: run.id,
      pipeline: Dialect.encodeText(run.pipeline),
      file: Dialect.encodeText(run.file),
      definition_hash: run.definitionHash,
      out_folder: Dialect.encodeText(run.out),
      folder: Dialect.encodeText(run.folder),
      started_at: run.startedAt,
      scheduled_for: run.scheduledFor ?? null,
      state_key: encodeOptional(run.stateKey),
      group_id: encodeOptional(run.group),
      status: "running",
      progress: "null",
      updated_at: now
    })} ON CONFLICT (id) DO NOTHING RETURNING id`
    if (isResume && created.length > 0) {
      const reason = "it was deleted a moment ago: start the pipeline again"
      return yield* new LedgerError({ place, doing: `resuming run ${run.id}`, reason })
    }
    const texts = {
      definition: Dialect.encodeText(run.definition),
      inputs: toText(run.inputs),
      options: toText(run.options)
    }
    if (created.length > 0) {
      yield* sql`INSERT INTO run_texts ${sql.insert({ run_id: run.id, ...texts })}`
      return
    }
    const [known] = yield* sql<{ status: Status; sealed: number; pipeline: string; started_at: number }>`
      SELECT runs.status AS status, CASE WHEN run_texts.sealed IS NULL THEN 0 ELSE 1 END AS sealed, pipeline, started_at
      FROM runs JOIN run_texts ON run_texts.run_id = runs.id WHERE runs.id = ${run.id}`
    // Ids are random: another run may have drawn the same id in the same second.
    if (
      known !== undefined &&
      !(known.pipeline === Dialect.encodeText(run.pipeline) && Number(known.started_at) === run.startedAt)
    ) {
      const reason =
        "a run with this id was started at another time, or by another pipeline: resume that run if it is yours, otherwise start this run with another id"
      return yield* new LedgerError({ place, doing: `starting run ${run.id}`, reason })
    }
    const reason = known && finalReason({ id: run.id, status: known.status })
    if (reason !== undefined) return yield* new LedgerError({ place, doing: `resuming run ${run.id}`, reason })
    const status = Number(known?.sealed) === 1 ? "publishing" : "running"
    // `sluice resume --with-current` uses a newer definition.
    yield* sql`UPDATE run_texts SET definition = ${texts.definition}, options = ${texts.options}
      WHERE run_id = ${run.id}`
    yield* sql`UPDATE runs SET status = ${status}, definition_hash = ${run.definitionHash}, error = NULL,
      ended_at = NULL, updated_at = ${now} WHERE id = ${run.id}`
  })

/** Query for the ids of a run and its shards. */
export const withShards = ({ sql }: Pick<Connection, "sql">, id: string) =>
  sql`SELECT id FROM runs WHERE id = ${id} OR (group_id = ${Dialect.encodeText(id)} AND group_id <> id)`

/** Query for runs with their texts and the sums over their shards, for one group or for all. */
const selectRuns = ({ sql }: Pick<Connection, "sql">, group?: string) =>
  sql`SELECT * FROM runs JOIN run_texts ON run_texts.run_id = runs.id LEFT JOIN (
      SELECT group_id AS part_of, sum(row_count) AS part_rows, sum(reject_count) AS part_rejects,
        sum(call_credits + job_credits) AS part_credits, sum(call_unpriced + job_unpriced) AS part_unpriced
      FROM runs WHERE group_id IS NOT NULL AND group_id <> id AND ${group === undefined ? sql`1 = 1` : sql`group_id = ${Dialect.encodeText(group)}`}
      GROUP BY group_id) AS parts ON part_of = runs.id`

export const find = (connection: Connection, id: string) =>
  Effect.flatMap(connection.sql<RunRow>`${selectRuns(connection, id)} WHERE runs.id = ${id}`, ([row]) =>
    row === undefined ? Effect.succeed(undefined) : toRecord(connection, row)
  )

/** Ids per statement: databases limit the number of values. */
const idsPerStatement = 500

/** Inputs by run id. Omits unknown and pruned runs. */
export const inputsOf = ({ sql }: Connection, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: Math.ceil(ids.length / idsPerStatement) }, (_, n) =>
        ids.slice(n * idsPerStatement, (n + 1) * idsPerStatement)
      ),
      (some) =>
        sql<Pick<RunRow, "inputs"> & { readonly run_id: string }>`SELECT run_id, inputs FROM run_texts
          WHERE ${sql.in("run_id", some)}`
    ),
    (rows): ReadonlyMap<string, Json> =>
      new Map(rows.flat().map(({ inputs, run_id }) => [run_id, fromText(inputs)] as const))
  )

/** Position after a run in the order of {@link list}. */
export interface RunPosition {
  readonly startedAt: number
  readonly id: string
}

/** Filter for runs. Undefined fields match everything. */
export interface RunFilter {
  readonly pipeline?: string | undefined
  readonly status?: ReadonlyArray<Status> | undefined
  /** Matches only shards of this run. Without it, shards are omitted: their run includes their sums. */
  readonly group?: string | undefined
  /** Matches runs that started at this time or later: milliseconds since 1970. */
  readonly since?: number | undefined
  /** Substring of id, pipeline, file or error; ignores case. */
  readonly text?: string | undefined
  /** Matches only runs with (`is: true`) or without a live process. */
  readonly alive?: { readonly ids: ReadonlyArray<string>; readonly is: boolean } | undefined
  /** Matches only runs on the cluster (true), or only other runs (false). */
  readonly shared?: boolean | undefined
  /** Matches only backfills, including their trials. */
  readonly backfill?: true | undefined
  readonly after?: RunPosition | undefined
}

/** Range of runs returned by {@link list}. */
export interface ListRange {
  readonly limit: number
  readonly offset?: number | undefined
}

/** SQL condition: the run has one of these ids, or none of them. */
export const isOneOf = (
  { sql }: Pick<Connection, "sql">,
  ids: ReadonlyArray<string>,
  is: boolean
): Statement.Fragment =>
  ids.length === 0 ? (is ? sql`1 = 0` : sql`1 = 1`) : is ? sql.in("id", ids) : sql`NOT ${sql.in("id", ids)}`

/** SQL condition for a query of the table `runs`. */
export const matches = (
  { sql }: Pick<Connection, "sql">,
  { after, alive, backfill, group, pipeline, shared, since, status, text }: RunFilter
): Statement.Fragment =>
  sql.and([
    group === undefined
      ? sql`(group_id IS NULL OR group_id = id)`
      : sql`group_id = ${Dialect.encodeText(group)} AND id <> ${group}`,
    ...(pipeline === undefined ? [] : [sql`pipeline = ${Dialect.encodeText(pipeline)}`]),
    ...(status === undefined ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)]),
    ...(since === undefined ? [] : [sql`started_at >= ${since}`]),
    ...(alive === undefined ? [] : [isOneOf({ sql }, alive.ids, alive.is)]),
    ...(shared === undefined ? [] : [shared ? sql`group_id IS NOT NULL` : sql`group_id IS NULL`]),
    ...(backfill === undefined
      ? []
      : [sql`id IN (SELECT run_id FROM run_texts WHERE ${Dialect.contains(sql, "options", '"backfill":true')})`]),
    ...(text === undefined
      ? []
      : [
          sql.or(
            ["id", "pipeline", "file", "coalesce(error, '')"].map((column) =>
              Dialect.contains(sql, column, Dialect.encodeText(text))
            )
          )
        ]),
    ...(after === undefined ? [] : [sql`(started_at, id) < (${after.startedAt}, ${after.id})`])
  ])

/** The runs that one query selects, and the position after its last row. */
const page = (
  connection: Connection,
  { limit, offset = 0, ...filter }: RunFilter & ListRange,
  unreadable: Set<string>
) => {
  const { sql } = connection
  return Effect.flatMap(
    sql<RunRow>`${selectRuns(connection)} WHERE ${matches(connection, filter)}
      ORDER BY started_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
    (rows) =>
      Effect.gen(function* () {
        const records: Array<RunRecord> = []
        for (const row of rows) {
          const record = toRecord(connection, row)
          if (Either.isRight(record)) records.push(record.right)
          else if (!unreadable.has(row.id)) {
            unreadable.add(row.id)
            yield* Effect.logWarning(`run ${row.id} is left out: ${record.left.message}`)
          }
        }
        const last = rows.length < limit ? undefined : rows.at(-1)
        const next: RunPosition | undefined = last && { startedAt: Number(last.started_at), id: last.id }
        return { records, next }
      })
  )
}

/**
 * Runs, newest first. Omits runs that this version cannot read, so that one of them does not hide all others. Warns once about each, and
 * adds its id to `unreadable`.
 */
export const list = (connection: Connection, filter: RunFilter & ListRange, unreadable: Set<string>) =>
  Effect.map(page(connection, filter, unreadable), ({ records }) => records)

/** Runs per query of {@link stream}. */
const runsPerPage = 100

/** Like {@link list}, but without a limit. Omits runs that begin while the stream is read. */
export const stream = (
  connection: Connection,
  filter: RunFilter,
  unreadable: Set<string>
): Stream.Stream<RunRecord, LedgerError> =>
  Stream.paginateChunkEffect(undefined, (after: RunPosition | undefined) =>
    page(connection, { ...filter, after, limit: runsPerPage }, unreadable).pipe(
      Effect.map(({ next, records }) => [Chunk.fromIterable(records), Option.fromNullable(next)] as const),
      reading(connection, "listing runs")
    )
  )

export const decodeSealed = decoding(Schema.Array(Sealed))
const decodeFiles = decoding(Schema.Array(Output))

/** True if a completed run has written one of the files. */
export const hasWritten = ({ sql }: Pick<Connection, "sql">, paths: ReadonlyArray<string>) =>
  Effect.exists(paths, (path) =>
    Effect.map(
      sql`SELECT 1 AS one FROM run_texts JOIN runs ON runs.id = run_texts.run_id WHERE status = 'completed'
        AND ${Dialect.contains(sql, "outputs", `"path":${toText(path)}`)} LIMIT 1`,
      (rows) => rows.length > 0
    )
  )

/**
 * Files of all pipelines that were last written by a trial (`--limit`), by path. Includes files that a run is about to publish.
 * Omits trials of older versions, because some of them appended to files of real runs.
 */
export const trialOutputs = (connection: Pick<Connection, "place" | "sql">) =>
  Effect.flatMap(
    connection.sql<{
      readonly id: string
      readonly options: string
      readonly outputs: string | null
      readonly sealed: string | null
    }>`SELECT runs.id AS id, options, outputs, sealed FROM runs
      JOIN run_texts ON run_texts.run_id = runs.id WHERE outputs IS NOT NULL OR sealed IS NOT NULL
      ORDER BY ended_at, started_at, id`,
    Effect.fnUntraced(function* (rows) {
      const byPath = new Map<string, ReadonlyArray<TrialFile>>()
      const runs = yield* Effect.forEach(rows, ({ id, options, outputs, sealed }) =>
        Effect.all({
          // Files of a run that this version cannot read do not count as a trial's, so they stay protected.
          isTrial: Effect.orElseSucceed(
            Effect.map(decodeOptions(connection, id, options), ({ limit }) => limit !== undefined),
            () => false
          ),
          outputs: outputs === null ? Effect.succeed([]) : decodeFiles(connection, `the outputs of run ${id}`, outputs),
          sealed:
            sealed === null ? Effect.succeed([]) : decodeSealed(connection, `the sealed files of run ${id}`, sealed)
        })
      )
      const trialFile = ({ bytes, modified }: Output): ReadonlyArray<TrialFile> =>
        modified === undefined ? [] : [{ bytes, modified, isClaimed: false }]
      for (const { isTrial, outputs } of runs) {
        for (const output of outputs) byPath.set(output.path, isTrial ? trialFile(output) : [])
      }
      for (const { isTrial, sealed } of runs) {
        if (!isTrial) continue
        for (const file of sealed.flatMap(({ files }) => files)) {
          byPath.set(file.path, [...(byPath.get(file.path) ?? []), ...trialFile(file)])
        }
      }
      for (const { isTrial, sealed } of runs) {
        if (isTrial) continue
        for (const { path } of sealed.flatMap(({ files }) => files)) {
          byPath.set(
            path,
            (byPath.get(path) ?? []).map((each) => ({ ...each, isClaimed: true }))
          )
        }
      }
      return byPath as ReadonlyMap<string, ReadonlyArray<TrialFile>>
    })
  )
