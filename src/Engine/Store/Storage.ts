/**
 * Storage limits: bytes of one job's results, bytes of a team's data, and free space on the disk.
 *
 * - SQL triggers count the results, errors, addresses, options and webhooks of jobs, and stored answers of idempotent calls. They run in
 *   the transaction that inserts or deletes, so the count is exact for concurrent jobs and engines, and after a crash. Browser profiles are
 *   added when the count is read.
 * - The page cache and page versions are not counted, because they have their own limits and evict old entries. Also not counted: the
 *   search index, and rows without data from a caller.
 */
import * as Fs from "node:fs/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { InsufficientStorage } from "../../Api/Errors.ts"
import { type Migration, statements } from "../../Database/Migration.ts"
import type { Sql } from "./Sql.ts"

const gigabyte = 1024 * 1024 * 1024

/** Maximum bytes of one job's results, and of all data of a team. */
export interface Limits {
  readonly job: number
  readonly team: number
}

export const defaults: Limits = { job: 2 * gigabyte, team: 8 * gigabyte }

export class StorageLimits extends Context.Tag("sluice/Engine/Store/StorageLimits")<StorageLimits, Limits>() {}

/** Fraction of a team's limit above which it gets a warning, and fraction from which on it cannot start jobs. */
const [warningFraction, fullFraction] = [0.8, 0.99]

/**
 * Triggers that keep the bytes of a table's rows in `stored_bytes`, and a statement that adds those of its current rows. Rows whose job was
 * deleted do not count for any team.
 */
const countingTriggers = (table: string, teamOf: (row: string) => string, bytesOf: (row: string) => string) => [
  `CREATE TRIGGER ${table}_stored AFTER INSERT ON ${table} BEGIN
    INSERT INTO stored_bytes (team, bytes) SELECT ${teamOf("new")}, ${bytesOf("new")} WHERE ${teamOf("new")} IS NOT NULL
      ON CONFLICT (team) DO UPDATE SET bytes = bytes + excluded.bytes;
  END`,
  `CREATE TRIGGER ${table}_freed AFTER DELETE ON ${table} BEGIN
    UPDATE stored_bytes SET bytes = bytes - (${bytesOf("old")}) WHERE team = ${teamOf("old")};
  END`,
  `INSERT INTO stored_bytes (team, bytes) SELECT ${teamOf("row")}, sum(${bytesOf("row")}) FROM ${table} AS row
    WHERE ${teamOf("row")} IS NOT NULL GROUP BY 1
    ON CONFLICT (team) DO UPDATE SET bytes = bytes + excluded.bytes`
]

/** SQL for the bytes of a job's options. The two bytes of `{}`, which replaces them when the job expires, are not counted. */
const specBytes = (row: string) => `length(${row}.spec) - 2`

const teamOfJob = (row: string) => `(SELECT team FROM jobs WHERE id = ${row}.job_id)`

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "stored bytes",
    "CREATE TABLE stored_bytes (team TEXT PRIMARY KEY, bytes BIGINT NOT NULL) WITHOUT ROWID",
    ...countingTriggers("job_results", teamOfJob, (row) => `${row}.bytes`),
    ...countingTriggers("job_errors", teamOfJob, (row) => `length(${row}.url) + length(${row}.error)`),
    // The key of an address is stored twice: in the row and in the index.
    ...countingTriggers("job_pages", teamOfJob, (row) => `length(${row}.url) + 2 * length(${row}.url_key)`),
    ...countingTriggers(
      "paid_call_parts",
      (row) => `${row}.team`,
      (row) => `length(${row}.body)`
    )
  ),
  statements(
    2,
    "stored bytes of requests",
    ...countingTriggers("jobs", (row) => `${row}.team`, specBytes),
    `CREATE TRIGGER jobs_changed AFTER UPDATE OF spec ON jobs WHEN length(new.spec) <> length(old.spec) BEGIN
      UPDATE stored_bytes SET bytes = bytes + length(new.spec) - length(old.spec) WHERE team = new.team;
    END`,
    ...countingTriggers("webhooks", teamOfJob, (row) => `length(${row}.sealed)`)
  )
]

/** Stored bytes of a team, including what the current transaction has written. */
export const used = (sql: Sql, team: string) =>
  Effect.map(
    sql<{ bytes: number }>`SELECT coalesce((SELECT bytes FROM stored_bytes WHERE team = ${team}), 0)
      + coalesce((SELECT sum(bytes) FROM browser_profiles WHERE team = ${team}), 0) AS bytes`,
    (rows) => rows[0]?.bytes ?? 0
  )

const unit = (bytes: number, size: number, name: string) => `${Number((bytes / size).toFixed(1))} ${name}`

const sizeText = (bytes: number): string => {
  if (bytes >= gigabyte) return unit(bytes, gigabyte, "GB")
  return bytes >= 1024 * 1024 ? unit(bytes, 1024 * 1024, "MB") : unit(bytes, 1024, "KB")
}

/** Error codes by the limit that was reached. */
const codes = { job: "JOB_STORAGE_FULL", team: "TEAM_STORAGE_FULL", disk: "INSUFFICIENT_STORAGE" } as const

/** True for a job that ended because a storage limit was reached. */
export const isFull = ({ code }: { readonly code: string | null }): boolean => code === codes.job || code === codes.team

const grouped = (bytes: number): string => bytes.toLocaleString("en-US")

const usedOfLimit = (limits: Limits, bytes: number): string => `(${grouped(bytes)} of ${grouped(limits.team)} bytes)`

const howToDelete = `Delete the results of a job (DELETE of its address with ?results=delete) or browser profiles ("sluice profile rm NAME"), or raise SLUICE_TEAM_BYTES.`

const teamFull = (limits: Limits, bytes: number) =>
  `This team's storage is full ${usedOfLimit(limits, bytes)}. ${howToDelete}`

/** Error of a request to start a job that does not fit. */
export const noRoom = (limits: Limits, bytes: number) =>
  new InsufficientStorage({
    error:
      bytes >= limits.team * fullFraction
        ? teamFull(limits, bytes)
        : `The addresses of this job do not fit into this team's storage ${usedOfLimit(limits, bytes)}. ${howToDelete}`,
    code: codes.team
  })

/** Error with which a job ends because a storage limit was reached. */
export interface Refusal {
  readonly code: string
  readonly error: string
}

/** Error with which a job ends because its team has reached its limit. */
export const teamEnd = (limits: Limits, bytes: number): Refusal => ({
  code: codes.team,
  error: `The job ended: its team's storage ${bytes >= limits.team * fullFraction ? "is full" : "has no room for the next page"} ${usedOfLimit(limits, bytes)}. The pages fetched before can still be read. ${howToDelete}`
})

/** Fails when a team may not store more. `replaced` is the number of stored bytes that the new data replaces. */
export const ensureRoom = (sql: Sql, team: string, limits: Limits, replaced = 0) =>
  Effect.flatMap(used(sql, team), (bytes) =>
    bytes - replaced >= limits.team * fullFraction ? Effect.fail(noRoom(limits, bytes)) : Effect.void
  )

export interface FittingResults {
  /** Number of leading results that fit. */
  readonly count: number
  /** Present when some results do not fit: the error with which the job ends. */
  readonly refusal: Refusal | undefined
}

/** Returns how many of the results, in order, fit into the limits. `jobBytes` and `teamBytes` are stored already. */
export const fittingResults = (
  sizes: ReadonlyArray<number>,
  { jobBytes, limits, teamBytes }: { readonly jobBytes: number; readonly teamBytes: number; readonly limits: Limits }
): FittingResults => {
  let sum = 0
  for (const [count, size] of sizes.entries()) {
    sum += size
    if (jobBytes + sum > limits.job) {
      const error = `The job ended: its results have reached the limit of ${sizeText(limits.job)} (SLUICE_JOB_BYTES), and a page of ${sizeText(size)} was not stored. The results stored before can still be read. Request fewer pages or formats per job, or raise SLUICE_JOB_BYTES.`
      return { count, refusal: { code: codes.job, error } }
    }
    if (teamBytes + sum > limits.team) return { count, refusal: teamEnd(limits, teamBytes + sum - size) }
  }
  return { count: sizes.length, refusal: undefined }
}

/** Report of a team's used and maximum storage for its clients, with a warning if it is nearly full. */
export const usageReport = (sql: Sql, team: string, limits: Limits) =>
  Effect.map(used(sql, team), (bytes) => ({
    usedBytes: bytes,
    maxBytes: limits.team,
    ...(bytes > limits.team * warningFraction
      ? { warning: `This team's data is nearly full ${usedOfLimit(limits, bytes)}. ${howToDelete}` }
      : {})
  }))

/** Number of teams that get the storage warning. */
export const teamsNearLimit = (sql: Sql, limits: Limits) =>
  Effect.map(
    sql<{ count: number }>`SELECT count(*) AS count FROM (SELECT team, sum(bytes) AS bytes FROM
      (SELECT team, bytes FROM stored_bytes UNION ALL SELECT team, bytes FROM browser_profiles) GROUP BY team)
      WHERE bytes > ${limits.team * warningFraction}`,
    (rows) => rows[0]?.count ?? 0
  )

/** Space in bytes on the disk of the data folder. */
export interface Space {
  /** Bytes that the user of this process may still write. */
  readonly free: number
  readonly total: number
}

/** Reads the free disk space. Undefined if the store is in memory, or if the system does not report it. */
export class FreeSpace extends Context.Tag("sluice/Engine/Store/FreeSpace")<
  FreeSpace,
  Effect.Effect<Space | undefined>
>() {}

const freeSpaceOf = (folder: string): Effect.Effect<Space | undefined> =>
  Effect.tryPromise(() => Fs.statfs(folder)).pipe(
    Effect.map(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize })),
    Effect.orElseSucceed(() => undefined)
  )

/** Reads the free space at most once a second. */
export const freeSpace = (folder: string): Layer.Layer<FreeSpace> =>
  Layer.effect(FreeSpace, Effect.cachedWithTTL(freeSpaceOf(folder), "1 second"))

/** Minimum free bytes to start a job, because running jobs need space to finish. */
const minFree = 256 * 1024 * 1024

const diskText = ({ free, total }: Space): string =>
  `The disk of the data folder has ${sizeText(free)} of ${sizeText(total)} left. Free some space, or lower SLUICE_TEAM_BYTES or SLUICE_COPY_BYTES.`

/** Warning for a disk with too little space to start jobs, or with less than a tenth and less than 5 GB free. */
export const lowDisk = (space: Space): string | undefined =>
  space.free < minFree || (space.free < space.total / 10 && space.free < 5 * gigabyte) ? diskText(space) : undefined

/** Error for a request to start a job while too little disk space is free. */
export const fullDisk = (space: Space): InsufficientStorage | undefined =>
  space.free < minFree
    ? new InsufficientStorage({
        error: `No job starts below ${sizeText(minFree)}. ${diskText(space)}`,
        code: codes.disk
      })
    : undefined
