/** Queries about runs: lists of runs, and totals, pages and rejects of one run. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Json } from "../Row.ts"
import type { TrialFile } from "../Step/Output.ts"
import { type Connection, reading, writing } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import type { RunRecord } from "./Model.ts"
import * as Pages from "./Pages.ts"
import * as Runs from "./Runs.ts"

/** Totals of a step in a run. A step without pages, calls and rejects has no record. */
export interface StepRecord {
  readonly step: string
  /**
   * Attempts at pages. `failedPages`: those with an error or a status of 400 or more. `unchangedPages`: those that the site did not
   * send again, because they had not changed. `leftOutPages`: unchanged pages that were not visited. `checkedPages`: those that were
   * visited although they could have been left out; `missedPages`: checked pages that had changed.
   */
  readonly pages: number
  readonly failedPages: number
  readonly unchangedPages: number
  readonly leftOutPages: number
  readonly checkedPages: number
  readonly missedPages: number
  /** Calls with a response. `credits`: known price of these calls and of the step's jobs. */
  readonly calls: number
  readonly credits: number
  readonly rejects: number
  readonly openRejects: number
}

export interface RunDetail {
  readonly run: RunRecord
  /** True if a live process is working on the run. */
  readonly alive: boolean
  readonly steps: ReadonlyArray<StepRecord>
}

export interface History {
  /** Runs, newest first. Omits runs that this version cannot read, with a warning. */
  readonly runs: (filter: Runs.RunFilter & Runs.ListRange) => Effect.Effect<ReadonlyArray<RunRecord>, LedgerError>
  /** Like `runs`, but without a limit; reads a hundred at a time. */
  readonly allRuns: (filter: Runs.RunFilter) => Stream.Stream<RunRecord, LedgerError>
  readonly run: (id: string) => Effect.Effect<RunDetail | undefined, LedgerError>
  /** Inputs by run id. Omits unknown runs. */
  readonly inputs: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Json>, LedgerError>
  /** Files last written by a trial, by path. */
  readonly trialOutputs: Effect.Effect<ReadonlyMap<string, ReadonlyArray<TrialFile>>, LedgerError>
  /** True if a completed run has written one of the files. */
  readonly hasWritten: (paths: ReadonlyArray<string>) => Effect.Effect<boolean, LedgerError>
  /** Ids of runs that a live process is working on. */
  readonly alive: Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Page attempts of a run, in order. */
  readonly pagesOf: (
    run: string,
    range: Pages.PagesOfRun
  ) => Effect.Effect<ReadonlyArray<Pages.PageRecord>, LedgerError>
  /** Attempts at one page in all runs, newest first. */
  readonly pagesAt: (key: string, range: Runs.ListRange) => Effect.Effect<ReadonlyArray<Pages.PageRecord>, LedgerError>
  readonly sightings: (key: string) => Effect.Effect<Pages.Sightings | undefined, LedgerError>
  /** Rejects in chunks of at most 1,000: first the run's own, in order, then those of shards that are not merged yet. */
  readonly rejects: (run: string, filter: Pages.RejectFilter) => Stream.Stream<Pages.RejectRecord, LedgerError>
  /** Marks rejects as replayed by another run. Does not change rejects that are already marked. */
  readonly markReplayed: (run: string, by: string, numbers: ReadonlyArray<number>) => Effect.Effect<void, LedgerError>
}

/** Rejects read by one query. */
const rejectsPerPage = 1000

/** Position up to which the rejects of a run and its parts have been read. */
interface RejectCursor {
  readonly after: Runs.Position
  /**
   * Set when the parts were merged while they were read: rejects up to this position, as numbered before the merge, were already returned.
   */
  readonly before?: Runs.Position | undefined
}

/** The next rejects, and the cursor after them; no cursor after the last ones. */
const readRejects = (
  { place, sql }: Connection,
  run: string,
  filter: Pages.RejectFilter,
  { after, before }: RejectCursor
) =>
  Effect.gen(function* () {
    const rows = yield* Pages.rejectsAfter({ place, sql }, Runs.withShards({ sql }, run), filter, after, rejectsPerPage)
    const isNew = ({ number }: Pages.RejectRecord) =>
      before === undefined || Runs.isAfter(Runs.originOf(run, number), before)
    const last = rows.length === rejectsPerPage ? rows.at(-1) : undefined
    let next: RejectCursor | undefined = last && { after: last, before }
    if (rows.length === 0 && before === undefined && after.of !== "" && after.of !== run) {
      const part = yield* sql`SELECT id FROM runs WHERE id = ${after.of}`
      // The part was merged: its remaining rejects, and those of later parts, are now rows of the run itself.
      if (part.length === 0) next = { after: { of: run, number: Runs.partOffset }, before: after }
    }
    return [Chunk.fromIterable(rows.filter(isNew)), Option.fromNullable(next)] as const
  })

const steps = (connection: Connection, run: string) => {
  const { sql } = connection
  const those = Runs.withShards(connection, run)
  return Effect.map(
    sql<Record<keyof StepRecord, number> & { readonly step: string }>`
      SELECT step, sum(pages) AS pages, sum(failed) AS "failedPages", sum(unchanged) AS "unchangedPages",
        sum(left_out) AS "leftOutPages", sum(checked) AS "checkedPages", sum(missed) AS "missedPages", sum(calls) AS calls, sum(credits) AS credits, sum(rejects) AS rejects, sum(opened) AS "openRejects"
      FROM (
        SELECT step, 1 AS pages, CASE WHEN error IS NOT NULL OR status >= 400 THEN 1 ELSE 0 END AS failed,
          CASE WHEN unchanged IS NULL THEN 0 ELSE 1 END AS unchanged,
          CASE WHEN unchanged IN ('sitemap', 'notDue') THEN 1 ELSE 0 END AS left_out,
          CASE WHEN checked IS NULL THEN 0 ELSE 1 END AS checked,
          CASE WHEN checked = 'missed' THEN 1 ELSE 0 END AS missed, 0 AS calls, 0 AS credits, 0 AS rejects, 0 AS opened
          FROM pages WHERE run_id IN (${those})
        UNION ALL SELECT step, 0, 0, 0, 0, 0, 0, 1, coalesce(credits, 0), 0, 0 FROM calls WHERE run_id IN (${those})
        UNION ALL SELECT step, 0, 0, 0, 0, 0, 0, 0, 0, 1, CASE WHEN replayed_by IS NULL THEN 1 ELSE 0 END
          FROM rejects WHERE run_id IN (${those})
      ) AS lines GROUP BY step ORDER BY step`,
    (rows) =>
      rows.map(
        (row): StepRecord => ({
          step: row.step,
          pages: Number(row.pages),
          failedPages: Number(row.failedPages),
          unchangedPages: Number(row.unchangedPages),
          leftOutPages: Number(row.leftOutPages),
          checkedPages: Number(row.checkedPages),
          missedPages: Number(row.missedPages),
          calls: Number(row.calls),
          credits: Number(row.credits),
          rejects: Number(row.rejects),
          openRejects: Number(row.openRejects)
        })
      )
  )
}

/** Credits of jobs by step, of a run and its shards. */
const jobs = (connection: Connection, run: string) =>
  Effect.gen(function* () {
    const rows = yield* connection.sql<{
      id: string
      progress: string
    }>`SELECT id, progress FROM runs WHERE id IN (${Runs.withShards(connection, run)})`
    const sums = new Map<string, number>()
    for (const { id, progress } of rows) {
      const saved = yield* Runs.decodeProgress(connection, id, progress)
      for (const [step, credits] of Object.entries(saved?.jobs ?? {})) sums.set(step, (sums.get(step) ?? 0) + credits)
    }
    return sums
  })

export const make = (connection: Connection): History => {
  const { sql } = connection
  const unreadable = new Set<string>()
  const alive = Effect.map(
    Locks.heldNames(connection),
    (names) =>
      new Set(
        [...names].flatMap((name) =>
          name.startsWith("run ") ? [name.slice(4), name.slice(4).replace(/\..*$/, "")] : []
        )
      )
  )
  return {
    alive,
    inputs: (ids) => Runs.inputsOf(connection, ids).pipe(reading(connection, "reading the inputs of runs")),
    hasWritten: (paths) => Runs.hasWritten(connection, paths).pipe(reading(connection, "reading the outputs of runs")),
    trialOutputs: Runs.trialOutputs(connection).pipe(reading(connection, "reading the outputs of trials")),
    runs: (filter) => Runs.list(connection, filter, unreadable).pipe(reading(connection, "listing runs")),
    allRuns: (filter) => Runs.stream(connection, filter, unreadable),
    run: (id) =>
      Effect.gen(function* () {
        const run = yield* Runs.find(connection, id)
        if (run === undefined) return undefined
        const paid = yield* jobs(connection, id)
        const counted = yield* steps(connection, id)
        return { run, steps: counted.map((each) => ({ ...each, credits: each.credits + (paid.get(each.step) ?? 0) })) }
      }).pipe(
        reading(connection, `reading run ${id}`),
        Effect.flatMap((found) =>
          found === undefined
            ? Effect.succeed(undefined)
            : Effect.map(alive, (names) => ({ ...found, alive: names.has(id) }))
        )
      ),
    pagesOf: (run, range) => Pages.ofRun(sql, run, range).pipe(reading(connection, `reading the pages of run ${run}`)),
    pagesAt: (key, range) => Pages.at(sql, key, range).pipe(reading(connection, `reading the pages at ${key}`)),
    sightings: (key) => Pages.sightings(sql, key).pipe(reading(connection, `reading the pages at ${key}`)),
    rejects: (run, filter) =>
      Stream.paginateChunkEffect({ after: { of: "", number: 0 } }, (at: RejectCursor) =>
        readRejects(connection, run, filter, at).pipe(reading(connection, `reading the rejects of run ${run}`))
      ),
    markReplayed: (run, by, numbers) =>
      Pages.markReplayed(sql, run, by, numbers).pipe(writing(connection, `marking rejects of run ${run} as replayed`))
  }
}
