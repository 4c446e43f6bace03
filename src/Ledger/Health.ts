/**
 * Health of runs: for each sink of a run, the profile of its rows and the measured figures, and the verdicts on them. They are written
 * together with the sealed files, and later runs are compared with them once the run is published.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import { Profile, RunMetrics, SavedProfile, SinkMetrics } from "../Health/Profile.ts"
import { comparedTime, Verdict } from "../Health/Verdict.ts"
import { type Connection, decoding, reading } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"

type Sql = SqlClient.SqlClient

/** Figures of one sink of a run, or of the run as a whole. */
export interface HealthRecord<Metrics = SinkMetrics | RunMetrics> {
  readonly runId: string
  /** Empty string for the run as a whole. */
  readonly sink: string
  readonly pipeline: string
  /** Hash of the definitions of all steps up to the sink. */
  readonly steps: string
  /** Hash of the inputs. */
  readonly series: string
  /** Scheduled time of the run, or when it started: milliseconds since 1970. */
  readonly at: number
  /** True once the outputs are published; before that, no run is compared with this one. */
  readonly published: boolean
  /** True if the run was published by hand although it was broken. */
  readonly released: boolean
  readonly metrics: Metrics
  readonly verdicts: ReadonlyArray<Verdict>
}

/** Health of a run, written when its files are sealed. */
export interface SealedHealth {
  readonly profiles: ReadonlyMap<string, SavedProfile>
  readonly records: ReadonlyArray<Omit<HealthRecord, "published" | "released">>
  /** Reason why the outputs are held and not published. */
  readonly held?: string | undefined
}

/** Selects the runs that a run is compared with. */
interface Comparable {
  readonly pipeline: string
  readonly sink: string
  readonly steps: string
  /** Scheduled time of the run under comparison. */
  readonly at: number
}

/**
 * Maximum runs read from the last {@link comparedTime} (`runsOfTime`). If fewer than `runsInAll` are found, older runs are read as well.
 */
const runsOfTime = 400
const runsInAll = 60

export interface Health {
  /** Records of published runs, and of unpublished runs that are newer than the last published one. Newest first. */
  readonly recentSinks: (of: Comparable) => Effect.Effect<ReadonlyArray<HealthRecord<SinkMetrics>>, LedgerError>
  readonly recentRuns: (
    of: Omit<Comparable, "sink">
  ) => Effect.Effect<ReadonlyArray<HealthRecord<RunMetrics>>, LedgerError>
  /** Records of the sinks of a run. */
  readonly sinksOf: (run: string) => Effect.Effect<ReadonlyArray<HealthRecord<SinkMetrics>>, LedgerError>
  /** Record of a run as a whole; undefined if it was not measured. */
  readonly of: (run: string) => Effect.Effect<HealthRecord<RunMetrics> | undefined, LedgerError>
  /** Profiles of a run by sink. */
  readonly profiles: (run: string) => Effect.Effect<ReadonlyMap<string, SavedProfile>, LedgerError>
  /**
   * Number of pages of a run by status class: `2xx` and so on, `error` for those without a response; instead of these, `blocked` for block
   * pages and `unread` for files with a warning about their text.
   */
  readonly pageStatuses: (run: string) => Effect.Effect<Readonly<Record<string, number>>, LedgerError>
}

interface HealthRow {
  readonly run_id: string
  readonly sink: string
  readonly pipeline: string
  readonly steps: string
  readonly series: string
  readonly at: number
  readonly published: number
  readonly released: number
  readonly metrics: string
  readonly verdicts: string
}

const decodeVerdicts = decoding(Schema.Array(Verdict))
const decodeProfile = decoding(SavedProfile)

/** Records that this version can read. A run with any other record counts as not measured. */
const recordsOf = <Metrics, Encoded>(
  connection: Connection,
  schema: Schema.Schema<Metrics, Encoded>,
  rows: ReadonlyArray<HealthRow>
): ReadonlyArray<HealthRecord<Metrics>> => {
  const decodeMetrics = decoding(schema)
  return rows.flatMap((row): ReadonlyArray<HealthRecord<Metrics>> => {
    const what = `the health of run ${row.run_id}`
    const decoded = Either.all({
      metrics: decodeMetrics(connection, what, row.metrics),
      verdicts: decodeVerdicts(connection, what, row.verdicts)
    })
    if (Either.isLeft(decoded)) return []
    return [
      {
        runId: row.run_id,
        sink: Dialect.decodeText(row.sink),
        pipeline: Dialect.decodeText(row.pipeline),
        steps: row.steps,
        series: row.series,
        at: Number(row.at),
        published: Number(row.published) === 1,
        released: Number(row.released) === 1,
        ...decoded.right
      }
    ]
  })
}

const recent = ({ sql }: Connection, { at, pipeline, sink, steps }: Comparable) => {
  const those = sql`pipeline = ${Dialect.encodeText(pipeline)} AND sink = ${Dialect.encodeText(sink)} AND steps = ${steps}`
  return Effect.gen(function* () {
    const newestOf = (which: Statement.Fragment, limit: number) =>
      sql<HealthRow>`SELECT * FROM health WHERE ${those} AND ${which} ORDER BY at DESC, run_id DESC LIMIT ${limit}`
    const ofTime = yield* newestOf(sql`published = 1 AND at >= ${at - comparedTime}`, runsOfTime)
    const published = ofTime.length >= runsInAll ? ofTime : yield* newestOf(sql`published = 1`, runsInAll)
    const newest = published[0]?.at ?? 0
    const others = yield* newestOf(sql`published = 0 AND at > ${newest}`, runsInAll)
    return [...others, ...published]
  })
}

const profilesOf = (connection: Connection, run: string) =>
  Effect.map(
    connection.sql<{ sink: string; profile: string }>`SELECT sink, profile FROM profiles WHERE run_id = ${run}`,
    (rows) =>
      new Map(
        rows.flatMap(({ profile, sink }) => {
          const decoded = decodeProfile(connection, `the profile of run ${run}`, profile)
          return Either.isRight(decoded) ? [[Dialect.decodeText(sink), decoded.right] as const] : []
        })
      )
  )

/** Classes other than the first digit of a status. */
const otherClasses: ReadonlyMap<number, string> = new Map([
  [-1, "blocked"],
  [-2, "unread"]
])

export const make = (connection: Connection): Health => {
  const { sql } = connection
  const ofRun = (run: string, where: ReturnType<Sql["literal"]>) =>
    sql<HealthRow>`SELECT * FROM health WHERE run_id = ${run} AND ${where} ORDER BY sink`.pipe(
      reading(connection, `reading the health of run ${run}`)
    )
  const comparing = reading(connection, "reading the health of earlier runs")
  return {
    recentSinks: (of) =>
      Effect.map(comparing(recent(connection, of)), (rows) => recordsOf(connection, SinkMetrics, rows)),
    recentRuns: (of) =>
      Effect.map(comparing(recent(connection, { ...of, sink: "" })), (rows) => recordsOf(connection, RunMetrics, rows)),
    sinksOf: (run) =>
      Effect.map(ofRun(run, sql.literal("sink <> ''")), (rows) => recordsOf(connection, SinkMetrics, rows)),
    of: (run) => Effect.map(ofRun(run, sql.literal("sink = ''")), (rows) => recordsOf(connection, RunMetrics, rows)[0]),
    profiles: (run) => profilesOf(connection, run).pipe(reading(connection, `reading the profiles of run ${run}`)),
    pageStatuses: (run) =>
      Effect.map(
        sql<{ class: number | null; pages: number }>`SELECT CASE WHEN blocked IS NOT NULL THEN -1
            WHEN warning IS NOT NULL THEN -2 ELSE status / 100 END AS class, count(*) AS pages FROM pages WHERE run_id = ${run} GROUP BY 1`,
        (rows) =>
          Object.fromEntries(
            rows.map(({ class: digit, pages }) => [
              digit === null ? "error" : (otherClasses.get(Number(digit)) ?? `${digit}xx`),
              Number(pages)
            ])
          )
      ).pipe(reading(connection, `counting the pages of run ${run}`))
  }
}

const insertProfiles = BulkStatement.make({
  before: "INSERT INTO profiles (run_id, sink, profile) VALUES ",
  row: (own) => `($1, ${own})`,
  after: " ON CONFLICT (run_id, sink) DO UPDATE SET profile = excluded.profile",
  shared: 1,
  width: 2
})

/** Stores the profiles of a run, in place of those stored before. */
export const putProfiles = (sql: Sql, run: string, profiles: ReadonlyMap<string, SavedProfile>) =>
  insertProfiles(sql, [run], [...profiles], ([sink, profile]) => [Dialect.encodeText(sink), JSON.stringify(profile)])

const decodeText = Schema.decodeUnknownEither(Schema.parseJson(SavedProfile))

/**
 * Profiles of the sinks, merged over all shards. Omits a sink if any shard lacks its profile: a part of the rows would look
 * like a loss.
 */
export const mergedProfiles = (sql: Sql, shards: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const merged = new Map<string, { readonly profile: Profile; shards: number }>()
    for (const shard of shards) {
      const rows = yield* sql<{
        sink: string
        profile: string
      }>`SELECT sink, profile FROM profiles WHERE run_id = ${shard}`
      for (const { profile, sink } of rows) {
        const decoded = decodeText(profile)
        if (Either.isLeft(decoded)) continue
        const known = merged.get(sink) ?? { profile: new Profile(), shards: 0 }
        known.profile.merge(Profile.decode(decoded.right))
        known.shards++
        merged.set(sink, known)
      }
    }
    const whole = [...merged].filter(([, known]) => known.shards === shards.length)
    return new Map(whole.map(([sink, { profile }]) => [Dialect.decodeText(sink), profile.encode()]))
  })

/** Stores the health of a sealed run; it is not published yet. */
export const put = (sql: Sql, run: string, { profiles, records }: SealedHealth) =>
  Effect.gen(function* () {
    yield* putProfiles(sql, run, profiles)
    yield* sql`DELETE FROM health WHERE run_id = ${run}`
    for (const { at, metrics, pipeline, runId, series, sink, steps, verdicts } of records) {
      yield* sql`INSERT INTO health ${sql.insert({
        run_id: runId,
        sink: Dialect.encodeText(sink),
        pipeline: Dialect.encodeText(pipeline),
        steps,
        series,
        at,
        published: 0,
        released: 0,
        metrics: JSON.stringify(metrics),
        verdicts: JSON.stringify(verdicts)
      })}`
    }
  })

/** Marks a run as published, so that later runs are compared with it. */
export const publish = (sql: Sql, run: string) => sql`UPDATE health SET published = 1 WHERE run_id = ${run}`

/** Marks a broken run that `sluice publish` releases, so that later runs may look like it. */
export const release = (sql: Sql, run: string) => sql`UPDATE health SET released = 1 WHERE run_id = ${run}`

/** Deletes the health of a run from all tables. */
export const remove = (sql: Sql, run: string) =>
  Effect.zipRight(sql`DELETE FROM health WHERE run_id = ${run}`, sql`DELETE FROM profiles WHERE run_id = ${run}`)
