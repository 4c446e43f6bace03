/** What the runs of the parts have left in the ledger becomes the run's own: rejects, pages, calls and what they have cost. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Json } from "../Row.ts"
import { writeWhole } from "./Portions.ts"

/** What a run has counted, as its last checkpoint has it. */
export interface Counted {
  readonly rows: number
  readonly rejects: number
  readonly expected: number
  readonly jobCredits: number
  readonly jobUnpriced: number
  readonly jobPages: number
  readonly given: Readonly<Record<string, number>>
  readonly rejected: Readonly<Record<string, number>>
  readonly jobs: Readonly<Record<string, number>>
}

const numbers = ["rows", "rejects", "expected", "jobCredits", "jobUnpriced", "jobPages"] as const
const records = ["given", "rejected", "jobs"] as const

/** The sum. */
export const total = (all: ReadonlyArray<Partial<Counted>>): Counted => {
  const sum: Record<string, number> = {}
  const lists: Record<string, Record<string, number>> = { given: {}, rejected: {}, jobs: {} }
  for (const each of all) {
    for (const name of numbers) sum[name] = (sum[name] ?? 0) + (each[name] ?? 0)
    for (const name of records) {
      for (const [step, count] of Object.entries(each[name] ?? {})) {
        const list = lists[name]
        if (list !== undefined && !step.startsWith("~")) list[step] = (list[step] ?? 0) + count
      }
    }
  }
  return { ...Object.fromEntries(numbers.map((name) => [name, sum[name] ?? 0])), ...lists } as unknown as Counted
}

/** Parts of a run are this far apart in the numbers of its pages and rejects. */
const apart = 1_000_000_000

/**
 * Takes over what `runs` have left, in their order, and puts `counted` down as the progress of `runId`. All of it or
 * nothing, so that it happens once.
 */
export const adopt = (
  runId: string,
  runs: ReadonlyArray<{ readonly id: string; readonly rejectFile: string }>,
  counted: Counted,
  rejectFile: string
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const files = yield* FileSystem.FileSystem
    const [row] = yield* sql<{ adopted: boolean }>`SELECT adopted FROM submissions WHERE run_id = ${runId}`
    if (row?.adopted === true) return
    const texts = yield* Effect.forEach(runs, ({ rejectFile }) =>
      Effect.orElseSucceed(files.readFileString(rejectFile), () => "")
    )
    const text = texts.join("")
    if (text !== "") yield* writeWhole(rejectFile, text)
    const progress = {
      ...counted,
      over: false,
      incomplete: [],
      rejectBytes: Buffer.byteLength(text)
    } as unknown as Json
    yield* Effect.gen(function* () {
      yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`
      for (const [index, { id }] of runs.entries()) {
        const from = (index + 1) * apart
        yield* sql`UPDATE rejects SET run_id = ${runId}, seq = seq + ${from} WHERE run_id = ${id}`
        yield* sql`UPDATE pages SET run_id = ${runId}, seq = seq + ${from} WHERE run_id = ${id}`
        yield* sql`UPDATE calls SET run_id = ${runId}, mark = ${`${index}/`} || mark, answer = NULL WHERE run_id = ${id}`
      }
      const ids = runs.map(({ id }) => id)
      if (ids.length > 0) {
        yield* sql`UPDATE runs SET
          call_credits = runs.call_credits + s.call_credits, call_unpriced = runs.call_unpriced + s.call_unpriced,
          call_pages = runs.call_pages + s.call_pages, job_credits = runs.job_credits + s.job_credits,
          job_unpriced = runs.job_unpriced + s.job_unpriced, row_count = ${counted.rows},
          reject_count = ${counted.rejects}, progress = ${JSON.stringify(progress)}
          FROM (SELECT coalesce(sum(call_credits), 0) AS call_credits, coalesce(sum(call_unpriced), 0) AS call_unpriced,
            coalesce(sum(call_pages), 0) AS call_pages, coalesce(sum(job_credits), 0) AS job_credits,
            coalesce(sum(job_unpriced), 0) AS job_unpriced FROM runs WHERE ${sql.in("id", ids)}) AS s
          WHERE runs.id = ${runId}`
        yield* sql`DELETE FROM entries WHERE station IN (SELECT id FROM stations WHERE ${sql.in("run_id", ids)})`
        yield* sql`DELETE FROM stations WHERE ${sql.in("run_id", ids)}`
        yield* sql`DELETE FROM run_texts WHERE ${sql.in("run_id", ids)}`
        yield* sql`DELETE FROM runs WHERE ${sql.in("id", ids)}`
      }
      yield* sql`UPDATE submissions SET adopted = TRUE WHERE run_id = ${runId}`
    }).pipe(sql.withTransaction)
  })
