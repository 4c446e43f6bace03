/** Deletes old runs with their data, and old pages of other runs (`sluice runs prune`). */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Dialect from "../Database/Dialect.ts"
import * as Database from "../Database.ts"
import type { Json } from "../Row.ts"
import { type Connection, fromText, reading, toText, writing } from "./Connection.ts"
import * as Health from "./Health.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import { isWindow, type Status } from "./Model.ts"
import * as Pages from "./Pages.ts"
import * as Runs from "./Runs.ts"
import * as SharedLimits from "./SharedLimits.ts"
import { deleteLeftovers } from "./StepState.ts"

/** A deleted run, with the files that the caller removes. */
export interface DeletedRun {
  readonly id: string
  readonly pipeline: string
  readonly status: Status
  /** Folder of the run's rejects. */
  readonly folder: string
  /** Output folder of a trial without `--out`; undefined for any other run. */
  readonly trial: string | undefined
  /** Folder in which a run in a cluster keeps the files of its parts. */
  readonly cluster: string | undefined
  /** Final paths of unpublished files. The partial files beside them can be removed. */
  readonly files: ReadonlyArray<string>
}

export interface Retention {
  /**
   * Deletes runs that were not updated since a time. Keeps the newest `keepLast` of each pipeline, running ones, and the completed
   * windows of a pipeline whose newest run has a `backfill` in its definition.
   * Returns the deleted runs; the caller removes their files.
   */
  readonly runs: (which: {
    readonly before: number
    readonly keepLast: number
  }) => Effect.Effect<ReadonlyArray<DeletedRun>, LedgerError>
  /** Deletes pages older than a time, except those of resumable runs. Returns their number. */
  readonly pages: (before: number) => Effect.Effect<number, LedgerError>
}

type Candidate = Pick<Runs.RunRow, "id" | "pipeline" | "status" | "folder" | "out_folder" | "updated_at" | "group_id">

/** True for a shard whose run still exists: it is deleted together with that run. Shards without a run are deleted alone. */
const isShard = ({ group_id, id }: Candidate, all: ReadonlySet<string>): boolean =>
  group_id !== null && Dialect.decodeText(group_id) !== id && all.has(Dialect.decodeText(group_id))

/** True for a folder that only this run writes to: the one of a trial, `…/trial/PIPELINE/RUN`. */
const isTrialFolder = (out: string, run: string): boolean =>
  /[/\\]trial[/\\][^/\\]+[/\\]([^/\\]+)$/.exec(out)?.[1] === run

/** Folder in which a run in a cluster keeps the files of its parts until it has published them. */
export const clusterFolder = (out: string, run: string): string => NodePath.join(out, ".sluice", "cluster", run)

/** Milliseconds for which credits are kept: longer than the period of any budget. */
const spentRetention = 400 * 24 * 60 * 60_000

/** Paths in the saved state of a sink, `{ path }`, or in sealed files, `{ files: [{ path }] }`. */
const pathsIn = (value: Json): ReadonlyArray<string> => {
  if (typeof value === "object" && value !== null && "path" in value && typeof value.path === "string")
    return [value.path]
  if (typeof value !== "object" || value === null || !("files" in value) || !Array.isArray(value.files)) return []
  return value.files.flatMap((file: Json) =>
    typeof file === "object" && file !== null && "path" in file && typeof file.path === "string" ? [file.path] : []
  )
}

/** Final paths of a run's unpublished files. */
export const unpublishedFiles = ({ sql }: Connection, run: string) =>
  Effect.gen(function* () {
    const kept = yield* sql<{ value: string }>`SELECT value FROM stations WHERE run_id = ${run} AND value IS NOT NULL
      UNION ALL SELECT entries.value FROM entries JOIN stations ON stations.id = entries.station
        WHERE stations.run_id = ${run} AND entries.key LIKE 'file %'
      UNION ALL SELECT sealed FROM run_texts WHERE run_id = ${run} AND sealed IS NOT NULL`
    // A value that cannot be read is treated as one without paths, because it must not prevent the deletion of its run.
    const values = kept.flatMap(({ value }) =>
      Either.match(
        Either.try(() => fromText(value)),
        { onLeft: () => [], onRight: (json) => [json] }
      )
    )
    return [...new Set(values.flatMap((value) => (Array.isArray(value) ? value : [value])).flatMap(pathsIn))]
  })

const deleteRun = (connection: Connection, candidate: Candidate) =>
  Effect.gen(function* () {
    const { folder, group_id, id, out_folder, pipeline, status, updated_at } = candidate
    const { sql } = connection
    const isOfCluster = group_id !== null && Dialect.decodeText(group_id) === id
    const { fence } = yield* Locks.acquireRun(connection, id)
    return yield* Effect.gen(function* () {
      yield* fence
      // The run may have been resumed and stopped again since it was selected, so it must still have the same update time.
      const [still] = yield* sql`SELECT id FROM runs WHERE id = ${id} AND updated_at = ${updated_at}`
      if (still === undefined) return []
      const deleted: DeletedRun = {
        id,
        pipeline: Dialect.decodeText(pipeline),
        status,
        folder: Dialect.decodeText(folder),
        trial: isTrialFolder(Dialect.decodeText(out_folder), id) ? Dialect.decodeText(out_folder) : undefined,
        cluster: isOfCluster ? clusterFolder(Dialect.decodeText(out_folder), id) : undefined,
        files: yield* unpublishedFiles(connection, id)
      }
      const [begun] = yield* sql<{ options: string }>`SELECT options FROM run_texts WHERE run_id = ${id}`
      const options = begun && Runs.decodeOptions(connection, id, begun.options)
      // If the options cannot be read, the replayed run is unknown: reopen the rejects of any run.
      const replayOf = options && Either.getOrUndefined(options)?.replayOf
      const mayReplay = replayOf !== undefined || (options !== undefined && Either.isLeft(options))
      if (mayReplay && status !== "completed") yield* Pages.releaseRejects(sql, replayOf, id)
      for (const table of ["calls", "pages", "rejects", "held", "reservations", "run_logs", "run_texts"]) {
        yield* sql`DELETE FROM ${sql(table)} WHERE run_id = ${id}`
      }
      yield* Health.remove(sql, id)
      yield* sql`DELETE FROM runs WHERE id = ${id}`
      return [deleted]
    }).pipe(writing(connection, `deleting run ${id}`))
  }).pipe(
    Effect.scoped,
    Effect.catchTag("Locked", () => Effect.succeed([]))
  )

/** The newest completed run of each window that a schedule still uses: if it were deleted, the window would run again. */
const windowsInUse = (connection: Connection) =>
  Effect.gen(function* () {
    const list = (filter: Runs.RunFilter & Runs.ListRange) => Runs.list(connection, filter, new Set())
    const completed = yield* list({ backfill: true, status: ["completed"], limit: Number.MAX_SAFE_INTEGER })
    const inUse = new Map<string, boolean>()
    const newest = new Map<string, string>()
    for (const { id, inputs, options, pipeline } of completed) {
      if (!inUse.has(pipeline)) {
        const [last] = yield* list({ pipeline, limit: 1 })
        inUse.set(pipeline, last?.definition.includes("backfill") === true)
      }
      const window = `${pipeline}\n${toText(inputs)}`
      if (inUse.get(pipeline) === true && isWindow(options) && !newest.has(window)) newest.set(window, id)
    }
    return new Set(newest.values())
  }).pipe(reading(connection, "looking for windows of backfills"))

export const make = (connection: Connection): Retention => {
  const { sql } = connection
  const shrink = Database.shrink(sql).pipe(reading(connection, "returning free space"))
  return {
    runs: ({ before, keepLast }) =>
      Effect.gen(function* () {
        const all = yield* sql<Candidate>`SELECT id, pipeline, status, folder, out_folder, updated_at, group_id
          FROM runs
          ORDER BY started_at DESC, id DESC`.pipe(reading(connection, "looking for old runs"))
        const windows = yield* windowsInUse(connection)
        const newest = new Map<string, number>()
        const ids = new Set(all.map(({ id }) => id))
        const [runs, shards] = [all.filter((each) => !isShard(each, ids)), all.filter((each) => isShard(each, ids))]
        // A shard that was updated since `before` keeps its run.
        const alive = new Set(shards.flatMap((each) => (Number(each.updated_at) < before ? [] : [each.group_id])))
        const expired = runs.filter(({ id, pipeline, updated_at }) => {
          const rank = newest.get(pipeline) ?? 0
          newest.set(pipeline, rank + 1)
          const isOld = rank >= keepLast && Number(updated_at) < before
          return isOld && !alive.has(Dialect.encodeText(id)) && !windows.has(id)
        })
        const expiredIds = new Set(expired.map(({ id }) => id))
        const old = [...shards.filter(({ group_id }) => expiredIds.has(Dialect.decodeText(group_id ?? ""))), ...expired]
        const deleted = yield* Effect.forEach(old, (run) => deleteRun(connection, run))
        yield* sql`DELETE FROM spent WHERE slot < ${before - spentRetention}`.pipe(
          Effect.zipRight(SharedLimits.deleteUnusedRates(connection)),
          writing(connection, "deleting old credits")
        )
        yield* deleteLeftovers(connection)
        // A run stores the end of its log only after it has ended.
        yield* sql`DELETE FROM run_logs WHERE run_id NOT IN (SELECT id FROM runs)`.pipe(
          writing(connection, "deleting logs of deleted runs")
        )
        yield* shrink
        return deleted.flat()
      }),
    pages: (before) =>
      Effect.gen(function* () {
        const old = sql`at < ${before} AND run_id IN (SELECT id FROM runs WHERE status IN ('completed', 'discarded'))`
        const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM pages WHERE ${old}`
        yield* sql`DELETE FROM pages WHERE ${old}`
        return Number(row?.n ?? 0)
      }).pipe(writing(connection, "deleting old pages"), Effect.zipLeft(shrink))
  }
}
