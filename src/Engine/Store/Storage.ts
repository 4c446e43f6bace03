/**
 * Bytes on disk that a team's data takes, and how many it may take.
 *
 * - Triggers of the store count results, errors, addresses, options and webhooks of jobs, and answers kept under an idempotency key, in the
 *   transaction that writes or removes them. So the count is exact for any number of jobs and engines at once, and after a restart.
 *   Browser profiles are added to it.
 * - Stored copies and page versions have a limit of their own for all teams, and make room by themselves; they do not count here. Nor do the
 *   search index, and rows without data of a caller.
 */
import * as Fs from "node:fs/promises"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { InsufficientStorage } from "../../Api/Errors.ts"
import { type Migration, statements } from "../../Database/Migration.ts"

const gigabyte = 1024 * 1024 * 1024

/** Bytes: of the results of one job, and of all that is kept for a team. */
export interface Limits {
  readonly job: number
  readonly team: number
}

export const defaults: Limits = { job: 2 * gigabyte, team: 8 * gigabyte }

export class StorageLimits extends Context.Reference<StorageLimits>()("sluice/Engine/StorageLimits", {
  defaultValue: (): Limits => defaults
}) {}

/** Share of its limit beyond which a team is warned, and beyond which it starts no job. */
const [warningShare, fullShare] = [0.8, 0.99]

/** Triggers that count what a table keeps, and the count of what it keeps already. Rows of a job that is gone are nobody's. */
const counted = (table: string, teamOf: (row: string) => string, bytesOf: (row: string) => string) => [
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

/** Options of a job; `{}` is what stays of them when it has expired. */
const specBytes = (row: string) => `length(${row}.spec) - 2`

const ofJob = (row: string) => `(SELECT team FROM jobs WHERE id = ${row}.job_id)`

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "stored bytes",
    "CREATE TABLE stored_bytes (team TEXT PRIMARY KEY, bytes BIGINT NOT NULL) WITHOUT ROWID",
    ...counted("job_results", ofJob, (row) => `${row}.bytes`),
    ...counted("job_errors", ofJob, (row) => `length(${row}.url) + length(${row}.error)`),
    // An address is kept once in its row, and its key there and in an index.
    ...counted("job_pages", ofJob, (row) => `length(${row}.url) + 2 * length(${row}.url_key)`),
    ...counted(
      "paid_call_parts",
      (row) => `${row}.team`,
      (row) => `length(${row}.body)`
    )
  ),
  statements(
    2,
    "stored bytes of requests",
    ...counted("jobs", (row) => `${row}.team`, specBytes),
    `CREATE TRIGGER jobs_changed AFTER UPDATE OF spec ON jobs WHEN length(new.spec) <> length(old.spec) BEGIN
      UPDATE stored_bytes SET bytes = bytes + length(new.spec) - length(old.spec) WHERE team = new.team;
    END`,
    ...counted("webhooks", ofJob, (row) => `length(${row}.sealed)`)
  )
]

/** Bytes that are kept for a team; inside a transaction those that it has written itself included. */
export const used = (sql: SqlClient.SqlClient, team: string) =>
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

/** Why a job ends or something is not kept: its own limit, that of its team, or the disk. */
const codes = { job: "JOB_STORAGE_FULL", team: "TEAM_STORAGE_FULL", disk: "INSUFFICIENT_STORAGE" } as const

/** True for a job that ended as there was no room for its pages. */
export const isFull = ({ code }: { readonly code: string | null }): boolean => code === codes.job || code === codes.team

const exactly = (bytes: number): string => bytes.toLocaleString("en-US")

const share = (limits: Limits, bytes: number): string => `(${exactly(bytes)} of ${exactly(limits.team)} bytes)`

const howToDelete = `Delete results: DELETE of a job with ?results=delete; or browser profiles: "sluice profile rm NAME". Or ask the engine's operator for a higher SLUICE_TEAM_BYTES.`

const teamFull = (limits: Limits, bytes: number) => `This team's data is full ${share(limits, bytes)}. ${howToDelete}`

/** The error of a request that the team has no room for. */
export const noRoom = (limits: Limits, bytes: number) =>
  new InsufficientStorage({
    error:
      bytes >= limits.team * fullShare
        ? teamFull(limits, bytes)
        : `The addresses of this job do not fit into this team's data ${share(limits, bytes)}. ${howToDelete}`,
    code: codes.team
  })

/** Why a job ends or a page is not kept. */
export interface Refusal {
  readonly code: string
  readonly error: string
}

/** The end of a job whose team has no room left. */
export const teamEnd = (limits: Limits, bytes: number): Refusal => ({
  code: codes.team,
  error: `The job ended: its team's storage ${bytes >= limits.team * fullShare ? "is full" : "has no room for the next page"} ${share(limits, bytes)}. What was fetched before can be read. ${howToDelete}`
})

/** Fails when a team may begin nothing that is to be kept; `replaced` bytes of what it has make room for it. */
export const ensureRoom = (sql: SqlClient.SqlClient, team: string, limits: Limits, replaced = 0) =>
  Effect.flatMap(used(sql, team), (bytes) =>
    bytes - replaced >= limits.team * fullShare ? Effect.fail(noRoom(limits, bytes)) : Effect.void
  )

/** What is kept of a job, and why it ends here; undefined where all of it is kept. */
export interface Fit {
  readonly count: number
  readonly refusal: Refusal | undefined
}

/** How many of some results in order there is room for: those of the job are `jobBytes` so far, those of its team `teamBytes`. */
export const fit = (
  sizes: ReadonlyArray<number>,
  { jobBytes, limits, teamBytes }: { readonly jobBytes: number; readonly teamBytes: number; readonly limits: Limits }
): Fit => {
  let sum = 0
  for (const [count, size] of sizes.entries()) {
    sum += size
    if (jobBytes + sum > limits.job) {
      const error = `The results of this job reach the ${sizeText(limits.job)} that SLUICE_JOB_BYTES allows: a page of ${sizeText(size)} was not kept. What was fetched before can be read. Ask for fewer pages or formats in one job, or the engine's operator for a higher SLUICE_JOB_BYTES.`
      return { count, refusal: { code: codes.job, error } }
    }
    if (teamBytes + sum > limits.team) return { count, refusal: teamEnd(limits, teamBytes + sum - size) }
  }
  return { count: sizes.length, refusal: undefined }
}

/** What a team's clients are told of its data. */
export const report = (sql: SqlClient.SqlClient, team: string, limits: Limits) =>
  Effect.map(used(sql, team), (bytes) => ({
    usedBytes: bytes,
    maxBytes: limits.team,
    ...(bytes > limits.team * warningShare
      ? { warning: `This team's data is nearly full ${share(limits, bytes)}. ${howToDelete}` }
      : {})
  }))

/** How many teams are told to make room. */
export const warned = (sql: SqlClient.SqlClient, limits: Limits) =>
  Effect.map(
    sql<{ count: number }>`SELECT count(*) AS count FROM (SELECT team, sum(bytes) AS bytes FROM
      (SELECT team, bytes FROM stored_bytes UNION ALL SELECT team, bytes FROM browser_profiles) GROUP BY team)
      WHERE bytes > ${limits.team * warningShare}`,
    (rows) => rows[0]?.count ?? 0
  )

/** Space on the disk of the data folder, as the system tells it. */
export interface Space {
  /** Bytes that this user may still write, and those of the whole disk. */
  readonly free: number
  readonly total: number
}

/** Undefined where the system does not tell, and where nothing is kept on a disk. */
export class FreeSpace extends Context.Reference<FreeSpace>()("sluice/Engine/FreeSpace", {
  defaultValue: (): Effect.Effect<Space | undefined> => Effect.succeed(undefined)
}) {}

const freeSpaceOf = (folder: string): Effect.Effect<Space | undefined> =>
  Effect.tryPromise(() => Fs.statfs(folder)).pipe(
    Effect.map(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize })),
    Effect.orElseSucceed(() => undefined)
  )

/** Looks at the disk at most once in a second. */
export const freeSpace = (folder: string): Layer.Layer<never> =>
  Layer.effect(FreeSpace, Effect.cachedWithTTL(freeSpaceOf(folder), "1 second"))

/** Bytes on the disk below which no job starts: what runs already needs some to end in order. */
const reserve = 256 * 1024 * 1024

const diskText = ({ free, total }: Space): string =>
  `The disk of the data folder has ${sizeText(free)} of ${sizeText(total)} left. Free some space, or lower SLUICE_TEAM_BYTES and SLUICE_COPY_BYTES.`

/** What is said of a disk with little space: no job starts on it, or it has less than a tenth and less than 5 GB. */
export const lowDisk = (space: Space): string | undefined =>
  space.free < reserve || (space.free < space.total / 10 && space.free < 5 * gigabyte) ? diskText(space) : undefined

/** Why no job starts on this disk. */
export const fullDisk = (space: Space): InsufficientStorage | undefined =>
  space.free < reserve
    ? new InsufficientStorage({
        error: `No job starts below ${sizeText(reserve)}. ${diskText(space)}`,
        code: codes.disk
      })
    : undefined
