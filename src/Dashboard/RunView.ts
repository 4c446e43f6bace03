/** View of a run in lists, details and events: state, graph, progress, rates, budget, events and outputs. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as NotFollowed from "../Api/NotFollowed.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import type { PageRecord } from "../Ledger/Pages.ts"
import { Ledger } from "../Ledger.ts"
import { diagramOf } from "../Pipeline/Diagram.ts"
import { builtIn } from "../Pipeline/Extensions.ts"
import { link } from "../Pipeline/Graph.ts"
import { parseText } from "../Pipeline/Source.ts"
import type { Json } from "../Row.ts"
import { runStatus } from "../Run/RunResult.ts"
import * as Timeline from "../Run/Timeline.ts"
import { decodeOutputs } from "../Step/Output.ts"
import {
  type BudgetUse,
  type Graph,
  lively,
  type News,
  type OutputFile,
  type Progress,
  type RunLine,
  type State,
  type StepCount
} from "../Web/Dashboard/RunProtocol.ts"
import type { RunProgress, RunSummary } from "./Queries.ts"
import * as Queries from "./Queries.ts"

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, 500)

export const lineOf = (run: RunSummary, alive: boolean, now: number): RunLine => {
  const state: State = runStatus(run, alive)
  const end = run.endedAt ?? (lively.includes(state) ? now : run.updatedAt)
  return {
    id: run.id,
    pipeline: run.pipeline,
    state,
    startedAt: run.startedAt,
    updatedAt: run.updatedAt,
    endedAt: run.endedAt,
    rows: run.rows,
    written: run.written,
    rejects: run.rejects,
    credits: run.credits,
    unpriced: run.unpriced,
    duration: Math.max(0, end - run.startedAt),
    error: run.error === undefined ? undefined : firstLine(run.error),
    scheduledFor: run.scheduledFor,
    replayOf: run.replayOf,
    isGroup: run.group === run.id
  }
}

/** Schema of the graph that a run with steps from extensions has saved. */
const SavedGraph = Schema.Struct({
  graph: Schema.Struct({
    nodes: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        key: Schema.String,
        kind: Schema.Literal("source", "step", "value", "sink"),
        detail: Schema.String,
        announces: Schema.optionalWith(Schema.Literal(true), { exact: true })
      })
    ),
    edges: Schema.Array(
      Schema.Struct({ from: Schema.String, to: Schema.String, kind: Schema.Literal("rows", "after", "value") })
    )
  })
})
const decodeGraph = Schema.decodeUnknownOption(SavedGraph)

/**
 * Graph of the definition that the run began with; null if it cannot be read. With extensions, the graph that the run saved, because the
 * dashboard executes no code.
 */
export const graphOf = ({
  definition,
  file,
  options,
  pipeline
}: Pick<RunRecord, "definition" | "file" | "options" | "pipeline">) =>
  Effect.map(Effect.option(parseText(file, "/", definition)), (source): Graph | null => {
    const saved = decodeGraph(options)
    if (saved._tag === "Some") return saved.value.graph
    if (source._tag === "None") return null
    const { steps } = (source.value.value ?? {}) as { readonly steps?: unknown }
    const { nodes } = link(Array.isArray(steps) ? steps : [], builtIn)
    if (nodes.length === 0) return null
    // The diagram needs the steps and the name, so a frame without content is enough.
    const drawing = diagramOf({ nodes, frame: { version: 1, name: pipeline, steps: [{}] } })
    return { nodes: drawing.nodes, edges: drawing.edges }
  })

const budgetNames = ["credits", "pages", "calls", "rows", "bytes", "duration"] as const

/** Limits of the budget that the run began with, and how much of each is used. */
export const budgetOf = (
  run: RunRecord,
  { bytes = 0, calls = 0, pages }: Pick<Progress, "bytes" | "calls" | "pages">,
  now: number
): Effect.Effect<ReadonlyArray<BudgetUse>, LedgerError, Ledger> =>
  Effect.gen(function* () {
    const limits = ((run.options ?? {}) as { readonly budget?: Readonly<Record<string, unknown>> | null }).budget
    if (typeof limits !== "object" || limits === null) return []
    const per = limits.per === "day" ? ("day" as const) : ("run" as const)
    const { creditsSince } = yield* Ledger
    const credits =
      per === "day" ? yield* creditsSince(run.pipeline, Math.floor(now / 86_400_000) * 86_400_000) : run.credits
    // A budget counts rows that outputs have admitted; version 0.1 did not store them.
    const rows = run.progress?.outputRows ?? run.rows
    const used = { credits, pages, calls, rows, bytes, duration: (run.endedAt ?? now) - run.startedAt }
    return budgetNames.flatMap((name): ReadonlyArray<BudgetUse> => {
      const limit = limits[name]
      return typeof limit === "number" ? [{ name, used: used[name], limit, per }] : []
    })
  })

/** Maximum events of each kind. */
const maxNews = 20
/** Maximum latest attempts searched for failed pages. */
const maxAttempts = 200

const failureText = ({ error, key, status }: PageRecord): string => {
  const reason = firstLine(error ?? `status ${status}`)
  return reason.startsWith(key) ? reason : `${key.slice(0, 300)}: ${reason}`
}

const endings: Partial<Record<State, string>> = {
  completed: "completed",
  stopped: "stopped; it can be resumed",
  budget: "stopped at its budget; it can be resumed",
  failed: "failed",
  // The run's reason already says that its outputs are held.
  held: "ended",
  discarded: "ended; its outputs were discarded",
  crashed: "its process ended unexpectedly; it can be resumed"
}

export const newsOf = (line: RunLine, why: string | undefined) =>
  Effect.gen(function* () {
    const queries = yield* Queries.ofLedger
    const rejects = line.rejects === 0 ? [] : yield* queries.newestRejects(line.id, maxNews)
    const failures = (yield* queries.failures(line.id, maxAttempts)).slice(-maxNews)
    const end = endings[line.state]
    const news: ReadonlyArray<News> = [
      ...rejects.map((each) => ({
        at: Date.parse(each.at),
        kind: "reject" as const,
        step: each.step,
        text: firstLine(each.message)
      })),
      ...failures.map((each) => ({ at: each.at, kind: "page" as const, step: each.step, text: failureText(each) }))
    ].sort((a, b) => a.at - b.at)
    return [
      {
        at: line.startedAt,
        kind: "began",
        text: line.replayOf === undefined ? "began" : `began as a replay of ${line.replayOf}`
      },
      ...news,
      ...(end === undefined
        ? []
        : [
            {
              at: line.endedAt ?? line.updatedAt,
              kind: "ended" as const,
              text: why === undefined ? end : `${end}: ${firstLine(why)}`
            }
          ])
    ] satisfies ReadonlyArray<News>
  })

export const outputsOf = ({ outputs }: RunRecord): ReadonlyArray<OutputFile> =>
  Either.getOrElse(decodeOutputs("The outputs of the run", outputs ?? []), () => []).map(
    ({ bytes, format, path, rows }, number) => ({ number, path, format, rows, bytes })
  )

type Numbers = Readonly<Record<string, unknown>>

const numbersOf = (value: unknown): Numbers =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Numbers) : {}

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0)

/** Rows that each step has emitted, as of a checkpoint. */
const emittedOf = (progress: Json): Numbers => numbersOf(numbersOf(progress).given)

/** Buffer of a step, stored as `[held, room, busy, blocked]`; empty if the checkpoint has none. */
const loadOf = (load: unknown): Pick<StepCount, "blocked" | "busy" | "held" | "room"> => {
  if (!Array.isArray(load)) return {}
  const [held, room, busy, blocked] = load as ReadonlyArray<unknown>
  return { held: numberOf(held), room: numberOf(room), busy: numberOf(busy), blocked: blocked === true }
}

/** True for steps whose emitted rows count as read. */
const announcesRows = ({ announces, kind }: Graph["nodes"][number]): boolean => kind === "source" || announces === true

/** Progress of a run as of its last checkpoint. `rates`: rows per second, by step. */
export const progressOf = (
  { progress, updatedAt }: Pick<RunProgress, "progress" | "updatedAt">,
  graph: Graph | null,
  rates: ReadonlyMap<string, number> | undefined
): Progress => {
  const saved = numbersOf(progress)
  const emitted = emittedOf(progress)
  const rejected = numbersOf(saved.rejected)
  const now = numbersOf(saved.now)
  const loads = numbersOf(now.loads)
  const ids = graph?.nodes.filter(({ kind }) => kind !== "value").map(({ id }) => id) ?? Object.keys(emitted)
  /** Input rows of a step, over all branches that it merges. */
  const rowsInto = (step: string): number =>
    (graph?.edges ?? []).reduce(
      (sum, { from, kind, to }) => (kind === "rows" && to === step ? sum + numberOf(emitted[from]) : sum),
      0
    )
  return {
    at: updatedAt,
    expected: numberOf(saved.expected),
    read: (graph?.nodes ?? []).filter(announcesRows).reduce((sum, { id }) => sum + numberOf(emitted[id]), 0),
    pages: numberOf(now.pages),
    calls: numberOf(now.calls),
    bytes: numberOf(now.bytes),
    steps: ids.map((step) => ({
      step,
      in: rowsInto(step),
      out: numberOf(emitted[step]),
      rejects: numberOf(rejected[step]),
      rate: rates?.get(step),
      ...loadOf(loads[step])
    })),
    notFollowed: NotFollowed.describe(
      Object.fromEntries(
        Object.entries(numbersOf(saved.notFollowed)).map(([reason, links]) => [reason, numberOf(links)])
      )
    ),
    timeline: Timeline.decode(saved.timeline)
  }
}

/** Number of rows that each step had emitted at a checkpoint. */
interface Sample {
  readonly at: number
  readonly emitted: Numbers
}

/** Milliseconds over which rates are computed; without a checkpoint in this time, rates are 0. */
const rateWindow = 10_000

/** Rows per second of watched runs, from their checkpoints of the last seconds. */
export class Rates {
  readonly #samples = new Map<string, Array<Sample>>()

  /** Records a checkpoint. */
  note({ id, progress, updatedAt }: RunProgress): void {
    const samples = this.#samples.get(id) ?? []
    if (samples.at(-1)?.at === updatedAt) return
    samples.push({ at: updatedAt, emitted: emittedOf(progress) })
    while (samples.length > 2 && (samples[1]?.at ?? 0) < updatedAt - rateWindow) samples.shift()
    this.#samples.set(id, samples)
  }

  forget(id: string): void {
    this.#samples.delete(id)
  }

  /** Rates by step; undefined until there are two checkpoints. */
  of(id: string, now: number): ReadonlyMap<string, number> | undefined {
    const samples = this.#samples.get(id)
    const [first] = samples ?? []
    const last = samples?.at(-1)
    if (first === undefined || last === undefined || first === last) return undefined
    const seconds = Math.max(last.at, now - rateWindow) - first.at
    return new Map(
      Object.keys(last.emitted).map((step) => {
        const rows = numberOf(last.emitted[step]) - numberOf(first.emitted[step])
        return [step, now - last.at > rateWindow || seconds <= 0 ? 0 : Math.max(0, (rows * 1000) / seconds)]
      })
    )
  }
}
