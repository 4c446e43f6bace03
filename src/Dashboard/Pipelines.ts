/**
 * Data for the page of a pipeline: newest run, trends with the range of their normal values, runs by time, schedule, contract, state, and
 * differences between definitions.
 */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Contract from "../Contract/Contract.ts"
import type { SinkMetrics } from "../Health/Profile.ts"
import type { HealthRecord } from "../Ledger/Health.ts"
import { Ledger } from "../Ledger.ts"
import { rowsIn } from "../Row/Count.ts"
import { changeIn, isHistory } from "../Step/ChangeHistory.ts"
import type { StateEntry } from "../Step.ts"
import {
  type Band,
  type ChangeList,
  type ContractHistory,
  type DefinitionDiff,
  type FieldTrends,
  type PipelineDetail,
  page,
  type SinkTrends,
  type StateList
} from "../Web/Dashboard/Protocol.ts"
import { linesChanged } from "./PageVersions.ts"
import * as Queries from "./Queries.ts"
import { type Query, Refusal } from "./Request.ts"
import * as Runs from "./Runs.ts"
import * as RunView from "./RunView.ts"
import * as Schedules from "./Schedules.ts"
import { Setup } from "./Setup.ts"

/** Number of runs in the trends, maximum and minimum completed runs that a normal range is computed from, and days of the calendar. */
const limits = { runs: 60, band: 20, fewest: 5, days: 98 }
const aDay = 86_400_000

const medianOf = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Range of normal values: the median ± 3 robust standard deviations, and at least ± 10 %; undefined for too few values. */
export const bandOf = (values: ReadonlyArray<number>): Band | undefined => {
  if (values.length < limits.fewest) return undefined
  const median = medianOf(values)
  const spread = 1.4826 * medianOf(values.map((value) => Math.abs(value - median)))
  const half = Math.max(3 * spread, median * 0.1)
  return { least: Math.max(0, median - half), median, greatest: median + half }
}

/** Path relative to the folder of definitions; undefined for a definition elsewhere. */
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
    const steps = record?.stateKey === undefined ? [] : yield* queries.stateSteps(record.stateKey, false)
    const { versions, ...contracts } = yield* contract(pipeline)
    // A run that has just begun does not know its outputs yet.
    const outputs = runs.find(({ written }) => written !== undefined)?.written ?? [{ step: "", name: "" }]
    return {
      pipeline,
      file,
      startable: file === undefined ? undefined : yield* startable(file),
      graph,
      steps: progress === undefined ? [] : RunView.progressOf(progress, graph, undefined).steps,
      runs,
      bands: {
        duration: bandOf(normal.map(({ duration }) => duration)),
        credits: bandOf(normal.map(({ credits }) => credits)),
        rejects: bandOf(normal.map(({ rejects }) => rejects))
      },
      outputs: outputs.map(({ name, step }) => ({
        step,
        name,
        band: bandOf(normal.flatMap((run) => rowsIn(run, step, outputs.length === 1) ?? []))
      })),
      has: {
        changes: steps.some((each) => isHistory(each.step)),
        contract: versions.length > 0 || contracts.outputs !== null || "why" in contracts,
        state: record?.stateKey !== undefined
      },
      calendar: yield* queries.runsBySlot(pipeline, now - limits.days * aDay, [...alive]),
      schedule
    } satisfies PipelineDetail
  }).pipe(Effect.withSpan("Dashboard.pipeline"))

/** Maximum newest measured runs in the trends of fields, and maximum fields shown. */
const fieldLimits = { runs: 30, fields: 60 }

/** Trends of the fields of a sink. Leaves out runs without rows, which have no fill rates. */
const fieldsOfSink = (
  { name, sink }: Pick<SinkTrends, "name" | "sink">,
  records: ReadonlyArray<HealthRecord<SinkMetrics>>
): SinkTrends => {
  const oldestFirst = records
    .filter(({ metrics }) => metrics.rows > 0)
    .toSorted((a, b) => a.at - b.at)
    .slice(-fieldLimits.runs)
  const names = new Set(oldestFirst.flatMap(({ metrics }) => Object.keys(metrics.fields)))
  const fillOf = ({ metrics }: HealthRecord<SinkMetrics>, name: string): number =>
    (Object.hasOwn(metrics.fields, name) ? metrics.fields[name]?.fill : undefined) ?? 0
  const fields = Array.from(names, (name) => {
    const fill = oldestFirst.map((record) => fillOf(record, name))
    const before = fill.filter((_, index) => index < fill.length - 1 && oldestFirst[index]?.published === true)
    const band = bandOf(before)
    const bounded = band && { ...band, greatest: Math.min(1, band.greatest) }
    const last = fill.at(-1) ?? 0
    const isUnusual = bounded !== undefined && (last < bounded.least || last > bounded.greatest)
    return { name, fill, band: bounded, order: (isUnusual ? 1 : 0) + Math.max(...fill) - Math.min(...fill) }
  })
  return {
    sink,
    name,
    runs: oldestFirst.map(({ at, published, runId }) => ({ run: runId, at, isPublished: published })),
    fields: fields
      .toSorted((a, b) => b.order - a.order || (a.name < b.name ? -1 : 1))
      .slice(0, fieldLimits.fields)
      .map(({ order: _, ...field }) => field),
    count: fields.length
  }
}

/** Fill rates of the fields, by output. */
export const fields = (pipeline: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const queries = yield* Queries.ofLedger
    // A run that has just begun does not know its outputs yet.
    const known = (yield* queries.runs({ pipeline, limit: 20 })).find(({ written }) => written !== undefined)
    const nameOf = (sink: string) => known?.written?.find(({ step }) => step === sink)?.name ?? sink
    const sinks = yield* Effect.forEach(yield* queries.measuredSinks(pipeline), ({ sink, steps }) =>
      Effect.map(health.recentSinks({ pipeline, sink, steps, at: Number.MAX_SAFE_INTEGER }), (records) =>
        fieldsOfSink({ sink, name: nameOf(sink) }, records.slice(0, fieldLimits.runs))
      )
    )
    return { sinks: sinks.filter((each) => each.fields.length > 0) } satisfies FieldTrends
  })

const newestOf = (pipeline: string) =>
  Effect.gen(function* () {
    const queries = yield* Queries.ofLedger
    const [newest] = yield* queries.runs({ pipeline, limit: 1 })
    return newest === undefined ? undefined : yield* Runs.find(newest.id)
  })

const maxVersions = 50

const outputsOf = (contract: Contract.Contract): NonNullable<ContractHistory["outputs"]> =>
  Object.keys(contract.outputs).flatMap((step) => {
    const output = Contract.outputOf(contract, step)
    if (output === undefined) return []
    const { columns, key, onMissing, onNew, onType } = output
    return [
      {
        step,
        policies: { onNew, onType, onMissing },
        columns: Object.entries(columns).map(([name, column]) => ({
          name,
          type: column.type,
          isNullable: column.nullable,
          isKey: key.includes(name),
          unit: column.unit,
          description: column.description,
          values: column.enum?.map((value) => JSON.stringify(value))
        }))
      }
    ]
  })

/** The current contract beside the definition, and the contracts that runs began with. */
export const contract = (pipeline: string) =>
  Effect.gen(function* () {
    const { contracts } = yield* Ledger
    const paths = yield* Path.Path
    const schedule = yield* Schedules.ofPipeline(pipeline)
    const file = (yield* newestOf(pipeline))?.file ?? schedule?.file
    const records = yield* contracts.of(pipeline, maxVersions + 1)
    const versions = records.slice(0, maxVersions).map(({ at, run, text }, index) => {
      const before = records[index + 1]
      return { run, at, parts: before === undefined ? null : (linesChanged(before.text, text) ?? null) }
    })
    if (file === undefined) return { outputs: null, versions } satisfies ContractHistory
    const source = { file, folder: paths.dirname(file) }
    const current = yield* Effect.either(Contract.load(source))
    const path = Contract.pathOf(source)
    if (current._tag === "Left") {
      return { path, outputs: null, why: current.left.message, versions } satisfies ContractHistory
    }
    const outputs = current.right === undefined ? null : outputsOf(current.right)
    return { path, outputs, versions } satisfies ContractHistory
  })

/** Maximum characters of a state value. */
const maxValue = 2_000

/** Decodes the position after the previous page's last entry, `ID.KEY`: id of the step, key of the entry. */
const afterOf = (text: string | undefined): { readonly step: number; readonly key: string } => {
  const [, step, key] = /^(\d+)\.(.*)$/s.exec(text ?? "") ?? []
  return { step: Number(step ?? -1), key: key ?? "" }
}

/** Entries of the state that the newest run uses, ordered by step and key. */
export const state = (pipeline: string, query: Query) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const queries = yield* Queries.ofLedger
    const key = (yield* newestOf(pipeline))?.stateKey
    if (key === undefined) return { steps: [], entries: [], next: null } satisfies StateList
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const [text, only] = [query.text("text", 200), query.text("step")]
    const after = afterOf(query.text("after", 4_000))
    const steps = yield* queries.stateSteps(key, after.step < 0 && text === undefined)
    const entries: Array<StateEntry & { readonly id: number; readonly step: string }> = []
    for (const { id, step } of steps) {
      if ((only !== undefined && step !== only) || entries.length > limit) continue
      // Steps are ordered by name, so those before the step of `after` are done.
      if (after.step >= 0 && step < (steps.find((each) => each.id === after.step)?.step ?? "")) continue
      const behind = id === after.step && after.key !== "" ? after.key : undefined
      const found = yield* states.page({ step: id, text, after: behind, limit: limit + 1 - entries.length })
      entries.push(...found.map((entry) => ({ ...entry, id, step })))
    }
    const last = entries[limit - 1]
    return {
      key,
      steps: steps.map(({ entries, step }) => ({ step, entries })),
      entries: entries.slice(0, limit).map(({ firstSeen, key, lastSeen, step, value }) => {
        const shown = JSON.stringify(value) ?? ""
        return {
          step,
          key,
          value: shown.length > maxValue ? `${shown.slice(0, maxValue)}…` : shown,
          firstSeen,
          lastSeen
        }
      }),
      next: entries.length > limit && last !== undefined ? `${last.id}.${last.key}` : null
    } satisfies StateList
  })

/** Changes stored in the state that the newest run uses, newest first. */
export const changes = (pipeline: string, query: Query) =>
  Effect.gen(function* () {
    const queries = yield* Queries.ofLedger
    const key = (yield* newestOf(pipeline))?.stateKey
    if (key === undefined) return { changes: [], next: null } satisfies ChangeList
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const before = query.text("after", 4_000)
    const steps = (yield* queries.stateSteps(key, false)).filter(({ step }) => isHistory(step))
    const found = yield* Effect.forEach(steps, ({ id, step }) =>
      Effect.map(queries.lastStateEntries({ step: id, before, limit: limit + 1 }), (entries) =>
        entries.map((entry) => ({ id: entry.key, step, record: changeIn({ step, value: entry.value }) }))
      )
    )
    // Ids begin with the time of the change.
    const newest = found.flat().sort((one, other) => (one.id < other.id ? 1 : -1))
    const shown = newest.slice(0, limit)
    return {
      changes: shown.flatMap(({ id, record, step }) =>
        record._tag === "None" ? [] : [{ ...record.value, id: `${step} ${id}`, step: step.split("~", 1)[0] ?? step }]
      ),
      next: newest.length > limit ? (shown.at(-1)?.id ?? null) : null
    } satisfies ChangeList
  })

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
