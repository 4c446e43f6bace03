/** Runs: one row each, with its shards, and the credits of each hour, from which budgets per day are summed up. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Text from "../Database/Text.ts"
import type { Json } from "../Row.ts"
import type { Output, Sealed, TrialFile } from "../Step/Output.ts"
import { type Connection, fromText, toText } from "./Connection.ts"
import { LedgerError } from "./LedgerErrors.ts"
import type { Beginning, RunRecord, Status } from "./Model.ts"

/** A row of a run, or of a part of one, by its number there. */
export interface Position {
  readonly of: string
  readonly number: number
}

/** `0007`. */
export const spell = (shard: number): string => String(shard).padStart(4, "0")

/** The part that reads the source. */
export const splitOf = (run: string): string => `${run}.split`

/** The part that works on a shard; shards count from 0. */
export const shardOf = (run: string, shard: number): string => `${run}.s${spell(shard)}`

/** The numbers of a run's own rows are below this, and each part that it has taken over has as many for itself. */
export const apart = 1_000_000_000

/** What a run adds to the numbers of a part that it takes over: first comes what read the source, then the shards. */
export const shiftOf = (index: number): number => (index + 1) * apart

/** Where a row of a run was before the run took it over. */
export const originOf = (run: string, number: number): Position => {
  const index = Math.floor(number / apart) - 1
  const of = index < 0 ? run : index === 0 ? splitOf(run) : shardOf(run, index - 1)
  return { of, number: number % apart }
}

/** In the order in which rows of a run and its parts are read: by the id of the part, and by their numbers there. */
export const isBehind = (one: Position, other: Position): boolean =>
  one.of === other.of ? one.number > other.number : one.of > other.of

/** Milliseconds of a slot: every time zone's midnight begins one. */
const slotMillis = 15 * 60_000

export const slotOf = (instant: number): number => Math.floor(instant / slotMillis) * slotMillis

export const add = (sql: SqlClient.SqlClient, pipeline: string, now: number, credits: number, unpriced: number) =>
  credits === 0 && unpriced === 0
    ? Effect.void
    : sql`INSERT INTO spent ${sql.insert({ pipeline: Text.encode(pipeline), slot: slotOf(now), credits, unpriced })}
        ON CONFLICT (pipeline, slot) DO UPDATE
        SET credits = spent.credits + excluded.credits, unpriced = spent.unpriced + excluded.unpriced`

export const since = (sql: SqlClient.SqlClient, pipeline: string, instant: number) =>
  Effect.map(
    sql<{ credits: number | null }>`SELECT sum(credits) AS credits FROM spent
      WHERE pipeline = ${Text.encode(pipeline)} AND slot >= ${slotOf(instant)}`,
    ([row]) => Number(row?.credits ?? 0)
  )

interface RunRow {
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
  /** What runs have come to that are shards of it and that it has not taken over yet. */
  readonly part_rows: number | null
  readonly part_rejects: number | null
  readonly part_credits: number | null
  readonly part_unpriced: number | null
}

const numberOf = (value: number | null): number | undefined => (value === null ? undefined : Number(value))

const toRecord = (row: RunRow): RunRecord => ({
  id: row.id,
  pipeline: Text.decode(row.pipeline),
  file: Text.decode(row.file),
  definition: Text.decode(row.definition),
  definitionHash: row.definition_hash,
  inputs: fromText(row.inputs),
  options: fromText(row.options),
  out: Text.decode(row.out_folder),
  folder: Text.decode(row.folder),
  startedAt: Number(row.started_at),
  scheduledFor: numberOf(row.scheduled_for),
  stateKey: row.state_key === null ? undefined : Text.decode(row.state_key),
  group: row.group_id === null ? undefined : Text.decode(row.group_id),
  status: row.status,
  progress: fromText(row.progress),
  bytes: Number(row.bytes),
  credits: Number(row.call_credits) + Number(row.job_credits) + Number(row.part_credits ?? 0),
  unpriced: Number(row.call_unpriced) + Number(row.job_unpriced) + Number(row.part_unpriced ?? 0),
  rows: Number(row.row_count) + Number(row.part_rows ?? 0),
  rejects: Number(row.reject_count) + Number(row.part_rejects ?? 0),
  outputs: row.outputs === null ? undefined : fromText(row.outputs),
  error: row.error === null ? undefined : Text.decode(row.error),
  updatedAt: Number(row.updated_at),
  endedAt: numberOf(row.ended_at)
})

/** Makes the run's rows, or opens them again. A run that is done is not begun once more: that would pay for it again. */
export const begin = ({ place, sql }: Pick<Connection, "place" | "sql">, run: Beginning) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const made = yield* sql`INSERT INTO runs ${sql.insert({
      id: run.id,
      pipeline: Text.encode(run.pipeline),
      file: Text.encode(run.file),
      definition_hash: run.definitionHash,
      out_folder: Text.encode(run.out),
      folder: Text.encode(run.folder),
      started_at: run.startedAt,
      scheduled_for: run.scheduledFor ?? null,
      state_key: run.stateKey === undefined ? null : Text.encode(run.stateKey),
      group_id: run.group === undefined ? null : Text.encode(run.group),
      status: "running",
      progress: "null",
      updated_at: now
    })} ON CONFLICT (id) DO NOTHING RETURNING id`
    const texts = { definition: Text.encode(run.definition), inputs: toText(run.inputs), options: toText(run.options) }
    if (made.length > 0) {
      yield* sql`INSERT INTO run_texts ${sql.insert({ run_id: run.id, ...texts })}`
      return
    }
    const [known] = yield* sql<{ status: Status; sealed: number; pipeline: string; started_at: number }>`
      SELECT runs.status AS status, CASE WHEN run_texts.sealed IS NULL THEN 0 ELSE 1 END AS sealed, pipeline, started_at
      FROM runs JOIN run_texts ON run_texts.run_id = runs.id WHERE runs.id = ${run.id}`
    // Ids are drawn by lot: of two runs that begin in the same second, one may draw that of the other.
    if (
      known !== undefined &&
      !(known.pipeline === Text.encode(run.pipeline) && Number(known.started_at) === run.startedAt)
    ) {
      const reason =
        "a run with this id was begun at another time, or by another pipeline: resume that one if it is yours, else begin this one under another id"
      return yield* new LedgerError({ place, doing: `beginning run ${run.id}`, reason })
    }
    if (known?.status === "completed") {
      const reason = "it is completed, and there is nothing left to go on with"
      return yield* new LedgerError({ place, doing: `resuming run ${run.id}`, reason })
    }
    const status = Number(known?.sealed) === 1 ? "publishing" : "running"
    // It may go on with a newer definition than it was begun with, when its user says so.
    yield* sql`UPDATE run_texts SET definition = ${texts.definition} WHERE run_id = ${run.id}`
    yield* sql`UPDATE runs SET status = ${status}, definition_hash = ${run.definitionHash}, error = NULL,
      ended_at = NULL, updated_at = ${now} WHERE id = ${run.id}`
  })

/** Ids of a run and of those that are shards of it. */
export const family = ({ sql }: Pick<Connection, "sql">, id: string) =>
  sql`SELECT id FROM runs WHERE id = ${id} OR (group_id = ${Text.encode(id)} AND group_id <> id)`

/** Runs with their texts, and with what their shards have come to: those of all groups, or of one. */
const whole = ({ sql }: Pick<Connection, "sql">, group?: string) =>
  sql`SELECT * FROM runs JOIN run_texts ON run_texts.run_id = runs.id LEFT JOIN (
      SELECT group_id AS part_of, sum(row_count) AS part_rows, sum(reject_count) AS part_rejects,
        sum(call_credits + job_credits) AS part_credits, sum(call_unpriced + job_unpriced) AS part_unpriced
      FROM runs WHERE group_id IS NOT NULL AND group_id <> id AND ${group === undefined ? sql`1 = 1` : sql`group_id = ${Text.encode(group)}`}
      GROUP BY group_id) AS parts ON part_of = runs.id`

export const find = (connection: Connection, id: string) =>
  Effect.map(connection.sql<RunRow>`${whole(connection, id)} WHERE runs.id = ${id}`, ([row]) =>
    row === undefined ? undefined : toRecord(row)
  )

/** Runs in one statement: databases take a limited number of values. */
const atOnce = 500

/** Inputs of runs, by run id. Runs that are unknown or pruned are left out. */
export const inputsOf = ({ sql }: Connection, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, n) => ids.slice(n * atOnce, (n + 1) * atOnce)),
      (some) =>
        sql<Pick<RunRow, "inputs"> & { readonly run_id: string }>`SELECT run_id, inputs FROM run_texts
          WHERE ${sql.in("run_id", some)}`
    ),
    (rows): ReadonlyMap<string, Json> =>
      new Map(rows.flat().map(({ inputs, run_id }) => [run_id, fromText(inputs)] as const))
  )

/** Which runs are asked for; what is left out excludes none. */
export interface RunFilter {
  readonly pipeline?: string | undefined
  readonly status?: ReadonlyArray<Status> | undefined
  /** Shards of one. */
  readonly group?: string | undefined
  /** Begun at this instant or later, in milliseconds since 1970. */
  readonly since?: number | undefined
  readonly limit: number
  readonly offset?: number | undefined
}

/** Runs, newest first. */
export const list = (connection: Connection, { group, limit, offset = 0, pipeline, since, status }: RunFilter) => {
  const { sql } = connection
  return Effect.map(
    sql<RunRow>`${whole(connection)} WHERE ${sql.and([
      ...(pipeline === undefined ? [] : [sql`pipeline = ${Text.encode(pipeline)}`]),
      // Shards are shown with the run that they are shards of.
      group === undefined ? sql`(group_id IS NULL OR group_id = id)` : sql`group_id = ${Text.encode(group)}`,
      ...(status === undefined ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)]),
      ...(since === undefined ? [] : [sql`started_at >= ${since}`])
    ])} ORDER BY started_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
    (rows) => rows.map(toRecord)
  )
}

/**
 * Files whose last writer was a trial (`--limit`), by path: over all pipelines, as a run that is completed has left them, or as one that
 * is about to publish will leave them. Trials of older versions are left out: some of them appended to the files of real runs.
 */
export const trialOutputs = ({ sql }: Pick<Connection, "sql">) =>
  Effect.map(
    sql<{
      readonly options: string
      readonly outputs: string | null
      readonly sealed: string | null
    }>`SELECT options, outputs, sealed FROM runs
      JOIN run_texts ON run_texts.run_id = runs.id WHERE outputs IS NOT NULL OR sealed IS NOT NULL
      ORDER BY ended_at, started_at, id`,
    (rows): ReadonlyMap<string, ReadonlyArray<TrialFile>> => {
      const left = new Map<string, ReadonlyArray<TrialFile>>()
      const runs = rows.map(({ options, outputs, sealed }) => ({
        isTrial: (fromText(options) as { readonly limit?: number }).limit !== undefined,
        outputs: outputs === null ? [] : (fromText(outputs) as unknown as ReadonlyArray<Output>),
        sealed: sealed === null ? [] : (fromText(sealed) as unknown as ReadonlyArray<Sealed>)
      }))
      const trialFile = ({ bytes, modified }: Output): ReadonlyArray<TrialFile> =>
        modified === undefined ? [] : [{ bytes, modified, isClaimed: false }]
      for (const { isTrial, outputs } of runs) {
        for (const output of outputs) left.set(output.path, isTrial ? trialFile(output) : [])
      }
      for (const { isTrial, sealed } of runs) {
        if (!isTrial) continue
        for (const file of sealed.flatMap(({ files }) => files)) {
          left.set(file.path, [...(left.get(file.path) ?? []), ...trialFile(file)])
        }
      }
      for (const { isTrial, sealed } of runs) {
        if (isTrial) continue
        for (const { path } of sealed.flatMap(({ files }) => files)) {
          left.set(
            path,
            (left.get(path) ?? []).map((each) => ({ ...each, isClaimed: true }))
          )
        }
      }
      return left
    }
  )
