/** Page of a pipeline: its newest run, trends with their normal band, runs by time, its schedule, and differences of definitions. */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Ledger } from "../Ledger.ts"
import type { Band, DefinitionDiff, PipelineDetail } from "../Web/Dashboard/Protocol.ts"
import { linesChanged } from "./PageVersions.ts"
import * as Queries from "./Queries.ts"
import { type Query, Refusal } from "./Request.ts"
import * as Runs from "./Runs.ts"
import * as RunView from "./RunView.ts"
import * as Schedules from "./Schedules.ts"
import { Setup } from "./Setup.ts"

/** Runs in the trends, completed runs behind a band and the fewest that make one, and days of the calendar. */
const limits = { runs: 60, band: 20, fewest: 5, days: 98 }
const aDay = 86_400_000

const medianOf = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const deviationScale = 1.4826

/** Normal values: the median ± 3 robust standard deviations, and at least ± 10 %; undefined for too few values. */
export const bandOf = (values: ReadonlyArray<number>): Band | undefined => {
  if (values.length < limits.fewest) return undefined
  const median = medianOf(values)
  const deviation = medianOf(values.map((value) => Math.abs(value - median))) * deviationScale
  const half = Math.max(3 * deviation, median * 0.1)
  return { least: Math.max(0, median - half), median, greatest: median + half }
}

/** Path of a definition below the folder of definitions; undefined elsewhere. */
const startable = (file: string) =>
  Effect.gen(function* () {
    const { definitions } = yield* Setup
    const paths = yield* Path.Path
    if (definitions === undefined) return undefined
    const inside = paths.relative(definitions, file)
    return inside.startsWith("..") || paths.isAbsolute(inside) ? undefined : inside
  })

export const detail = (pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const queries = yield* Queries.ofLedger
    const now = yield* Clock.currentTimeMillis
    const found = yield* queries.runs({ pipeline, limit: limits.runs })
    const schedule = yield* Schedules.ofPipeline(pipeline)
    const [newest] = found
    if (newest === undefined && schedule === undefined) {
      return yield* new Refusal({
        status: 404,
        reason: `the ledger has no run and no schedule of a pipeline ${pipeline}`
      })
    }
    const alive = yield* history.alive
    const runs = found.map((run) => ({ ...RunView.lineOf(run, alive.has(run.id), now), definition: run.definition }))
    const normal = runs
      .filter(({ replayOf, state }) => state === "completed" && replayOf === undefined)
      .slice(0, limits.band)
    const record = newest && (yield* Runs.find(newest.id))
    const graph = record === undefined ? null : yield* RunView.graphOf(record)
    const [progress] = newest === undefined ? [] : yield* queries.progress([newest.id])
    const file = record?.file ?? schedule?.file
    return {
      pipeline,
      file,
      startable: file === undefined ? undefined : yield* startable(file),
      graph,
      steps: progress === undefined ? [] : RunView.progressOf(progress, graph, undefined).steps,
      runs,
      bands: {
        rows: bandOf(normal.map(({ rows, written = rows }) => written)),
        duration: bandOf(normal.map(({ duration }) => duration)),
        credits: bandOf(normal.map(({ credits }) => credits)),
        rejects: bandOf(normal.map(({ rejects }) => rejects))
      },
      calendar: yield* queries.runsBySlot(pipeline, now - limits.days * aDay, [...alive]),
      schedule
    } satisfies PipelineDetail
  }).pipe(Effect.withSpan("Dashboard.pipeline"))

/** Difference of the definitions that two runs began with. */
export const diff = (query: Query) =>
  Effect.gen(function* () {
    const from = yield* Runs.find(query.text("from", 200) ?? "")
    const to = yield* Runs.find(query.text("to", 200) ?? "")
    return {
      from: { run: from.id, at: from.startedAt },
      to: { run: to.id, at: to.startedAt },
      parts: linesChanged(from.definition, to.definition) ?? null
    } satisfies DefinitionDiff
  })
