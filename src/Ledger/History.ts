/** What is asked of the ledger about runs that were: lists, one run by its steps, its pages, its rejects. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Json } from "../Row.ts"
import type { TrialFile } from "../Step/Output.ts"
import { type Connection, fromText, reading, writing } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import type { RunRecord } from "./Model.ts"
import * as Pages from "./Pages.ts"
import * as Runs from "./Runs.ts"

/** What a step of a run has done; a step that called nothing and rejected nothing has no such line. */
export interface StepRecord {
  readonly step: string
  /** Attempts at pages, and those among them that brought an error or a status from 400 on. */
  readonly pages: number
  readonly failedPages: number
  /** Calls that were answered; what they and the step's jobs have cost, as far as it is known. */
  readonly calls: number
  readonly credits: number
  readonly rejects: number
  readonly openRejects: number
}

export interface RunDetail {
  readonly run: RunRecord
  /** A living process works on it. */
  readonly alive: boolean
  readonly steps: ReadonlyArray<StepRecord>
}

type Range = { readonly limit: number; readonly offset?: number | undefined }

export interface History {
  /** Newest first. */
  readonly runs: (filter: Runs.RunFilter) => Effect.Effect<ReadonlyArray<RunRecord>, LedgerError>
  readonly run: (id: string) => Effect.Effect<RunDetail | undefined, LedgerError>
  /** Inputs of runs, by run id; runs that the ledger does not know are left out. */
  readonly inputs: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Json>, LedgerError>
  /** By path, files whose last writer was a trial. */
  readonly trialOutputs: Effect.Effect<ReadonlyMap<string, ReadonlyArray<TrialFile>>, LedgerError>
  /** Ids of runs that a living process works on. */
  readonly alive: Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Of a run, in the order of the run. */
  readonly pagesOf: (run: string, range: Range) => Effect.Effect<ReadonlyArray<Pages.PageRecord>, LedgerError>
  /** Of whichever run, newest first. */
  readonly pagesAt: (key: string, range: Range) => Effect.Effect<ReadonlyArray<Pages.PageRecord>, LedgerError>
  /** When a page was met; undefined if it never was. */
  readonly sightings: (key: string) => Effect.Effect<Pages.Sightings | undefined, LedgerError>
  /** In chunks of at most 1,000, in the order of the run; behind its own those of shards that it has not taken over. */
  readonly rejects: (run: string, which: "open" | "replayed" | "all") => Stream.Stream<Pages.RejectRecord, LedgerError>
  /** Marks rejects of a run, by their numbers, as taken up by another run; a mark that is there stays. */
  readonly replayed: (run: string, by: string, numbers: ReadonlyArray<number>) => Effect.Effect<void, LedgerError>
}

/** Rejects read at once. */
const block = 1000

/** How far somebody has come in the rejects of a run and its parts. */
interface Reading {
  readonly after: Runs.Position
  /** The same, from when the run took over what its parts had: those up to here are not read again. */
  readonly before?: Runs.Position | undefined
}

/** The next rejects, and how far it has come then, unless these are the last. */
const readOn = ({ sql }: Connection, run: string, which: "open" | "replayed" | "all", { after, before }: Reading) =>
  Effect.gen(function* () {
    const rows = yield* Pages.page(sql, Runs.family({ sql }, run), which, after, block)
    const isNew = ({ number }: Pages.RejectRecord) =>
      before === undefined || Runs.isBehind(Runs.originOf(run, number), before)
    const last = rows.length === block ? rows.at(-1) : undefined
    let next: Reading | undefined = last && { after: last, before }
    if (rows.length === 0 && before === undefined && after.of !== "" && after.of !== run) {
      const part = yield* sql`SELECT id FROM runs WHERE id = ${after.of}`
      // It was taken over: what is left of it, and of the parts behind it, is among the run's own rows now.
      if (part.length === 0) next = { after: { of: run, number: Runs.apart }, before: after }
    }
    return [Chunk.fromIterable(rows.filter(isNew)), Option.fromNullable(next)] as const
  })

const steps = (connection: Connection, run: string) => {
  const { sql } = connection
  const those = Runs.family(connection, run)
  return Effect.map(
    sql<Record<keyof StepRecord, number> & { readonly step: string }>`
      SELECT step, sum(pages) AS pages, sum(failed) AS "failedPages", sum(calls) AS calls, sum(credits) AS credits,
        sum(rejects) AS rejects, sum(opened) AS "openRejects"
      FROM (
        SELECT step, 1 AS pages, CASE WHEN error IS NOT NULL OR status >= 400 THEN 1 ELSE 0 END AS failed,
          0 AS calls, 0 AS credits, 0 AS rejects, 0 AS opened FROM pages WHERE run_id IN (${those})
        UNION ALL SELECT step, 0, 0, 1, coalesce(credits, 0), 0, 0 FROM calls WHERE run_id IN (${those})
        UNION ALL SELECT step, 0, 0, 0, 0, 1, CASE WHEN replayed_by IS NULL THEN 1 ELSE 0 END
          FROM rejects WHERE run_id IN (${those})
      ) AS lines GROUP BY step ORDER BY step`,
    (rows) =>
      rows.map(
        (row): StepRecord => ({
          step: row.step,
          pages: Number(row.pages),
          failedPages: Number(row.failedPages),
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
  Effect.map(
    connection.sql<{ progress: string }>`SELECT progress FROM runs WHERE id IN (${Runs.family(connection, run)})`,
    (rows) => {
      const sums = new Map<string, number>()
      for (const { progress } of rows) {
        const { jobs = {} } = (fromText(progress) ?? {}) as { readonly jobs?: Readonly<Record<string, number>> }
        for (const [step, credits] of Object.entries(jobs)) sums.set(step, (sums.get(step) ?? 0) + credits)
      }
      return sums
    }
  )

export const make = (connection: Connection): History => {
  const { sql } = connection
  const alive = Effect.map(
    Locks.held(connection),
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
    trialOutputs: Runs.trialOutputs(connection).pipe(reading(connection, "reading the outputs of trials")),
    runs: (filter) => Runs.list(connection, filter).pipe(reading(connection, "listing runs")),
    run: (id) =>
      Effect.gen(function* () {
        const run = yield* Runs.find(connection, id)
        if (run === undefined) return undefined
        const paid = yield* jobs(connection, id)
        const counted = yield* steps(connection, id)
        return {
          run,
          alive: (yield* alive).has(id),
          steps: counted.map((each) => ({ ...each, credits: each.credits + (paid.get(each.step) ?? 0) }))
        }
      }).pipe(reading(connection, `reading run ${id}`)),
    pagesOf: (run, range) =>
      Pages.list(sql, { run }, range).pipe(reading(connection, `reading the pages of run ${run}`)),
    pagesAt: (key, range) => Pages.list(sql, { key }, range).pipe(reading(connection, `reading the pages at ${key}`)),
    sightings: (key) => Pages.sightings(sql, key).pipe(reading(connection, `reading the pages at ${key}`)),
    rejects: (run, which) =>
      Stream.paginateChunkEffect({ after: { of: "", number: 0 } }, (at: Reading) =>
        readOn(connection, run, which, at).pipe(reading(connection, `reading the rejects of run ${run}`))
      ),
    replayed: (run, by, numbers) =>
      Pages.replayed(sql, run, by, numbers).pipe(writing(connection, `marking rejects of run ${run} as replayed`))
  }
}
