/**
 * Health of a run: measures what its sinks write, and compares it with the last good runs before it is published.
 *
 * - Each sink has a profile of the rows that it wrote. Checkpoints save the number of rows together with the lengths of
 *   the files, and the profile whenever the rows have grown by a quarter: a resumed run counts every row, and its fields
 *   are measured in a somewhat smaller sample. The profiles of shards are merged when the run is.
 * - Runs are compared that have the same definition of the steps before the sink. Of those, runs with the same inputs;
 *   or all, if the inputs change from run to run.
 * - Not measured: trials, backfills, replays and pipeline tests. They are no measure for other runs.
 */
import * as Effect from "effect/Effect"
import { rememberedRuns, runsToHold } from "../Health/Baseline.ts"
import { Profile, type RunMetrics, SavedProfile, type SinkMetrics } from "../Health/Profile.ts"
import * as Verdict from "../Health/Verdict.ts"
import type { HealthRecord, SealedHealth } from "../Ledger/Health.ts"
import { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import type { Node } from "../Pipeline/Node.ts"
import { sha256 } from "../Row/Hash.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import { type Changes, type OpenSink, type Saved, StepError } from "../Step.ts"
import type { Counters } from "./Progress.ts"
import { ledgerFailed } from "./RunErrors.ts"
import { isStateless, type RunOptions } from "./RunSpec.ts"

export interface HealthCheck {
  /** The sink of a step, with a profile of the rows that it writes. `saved`: state of the sink in the last checkpoint. */
  readonly measure: (step: string, sink: OpenSink, saved: Saved) => Effect.Effect<OpenSink, StepError>
  /** By step. */
  readonly profiles: ReadonlyMap<string, Profile>
}

/** Key of the profile among the saved entries of a sink. */
const profileKey = "profile"
const rowsKey = "profile rows"

/** Rows up to which every checkpoint saves the profile. */
const rowsSavedInFull = 2_000

const decodeProfile = decodeSaved(SavedProfile)

/** Undefined for a run that is not measured. */
export const make = ({ frame }: Checked, options: RunOptions): HealthCheck | undefined => {
  const isTest = options.instead !== undefined && options.parentRun === undefined
  if (frame.health === "off" || isStateless(options) || options.replay !== undefined || isTest) return undefined
  const profiles = new Map<string, Profile>()
  return {
    profiles,
    measure: (step, sink, { entries, value }) =>
      Effect.gen(function* () {
        // Rows that shards keep for the finish are no output.
        if (step.startsWith("~")) return sink
        const saved = entries.find(([key]) => key === profileKey)?.[1]
        // An earlier version wrote the rows up to here: the rest alone would look like a loss.
        if (value !== undefined && saved === undefined) return sink
        const profile =
          saved === undefined
            ? new Profile()
            : Profile.decode(yield* Effect.mapError(decodeProfile(`the profile of ${step}`, saved), StepError.of))
        const rows = entries.find(([key]) => key === rowsKey)?.[1]
        if (typeof rows === "number") profile.rows = rows
        profiles.set(step, profile)
        return measured(sink, profile)
      })
  }
}

const measured = (sink: OpenSink, profile: Profile): OpenSink => {
  /** Rows of the profile in the last checkpoint; the first one has a profile without rows, too. */
  let savedRows = -1
  let profiledRows = 0
  return {
    ...sink,
    push: (rows) =>
      Effect.map(sink.push(rows), (written) => {
        for (const { data } of written) profile.add(data)
        return written
      }),
    save: Effect.map(sink.save, (changes): Changes => {
      if (profile.rows === savedRows) return changes
      savedRows = profile.rows
      const isDue = savedRows <= rowsSavedInFull || savedRows >= 1.25 * profiledRows
      if (isDue) profiledRows = savedRows
      const entries: NonNullable<Changes["entries"]> = [
        [rowsKey, savedRows],
        ...(isDue ? [[profileKey, profile.encode() as Json] as const] : [])
      ]
      return { ...changes, entries: [...(changes.entries ?? []), ...entries] }
    })
  }
}

/** Parts of a run that its assessment uses. */
interface AssessedRun {
  readonly checked: Checked
  readonly options: RunOptions
  readonly id: string
  readonly startedAt: Date
  readonly counters: Counters
  readonly check: HealthCheck
  readonly sealed: ReadonlyArray<Sealed>
  /** True when the budget has cut the run: less than usual is no fault, and it is no measure for others. */
  readonly isCut: boolean
}

/** Figures, verdicts and profiles of a run for the ledger; the verdicts hold its outputs if `held` is set. */
export interface Assessment extends SealedHealth {
  readonly verdicts: ReadonlyArray<Verdict.Verdict>
}

const isSink = ({ id, step }: Node): boolean => step.behaviour.kind === "sink" && !id.startsWith("~")

/** Hash of all that decides which rows reach a step. What decides only how fast they come does not count. */
const hashOfSteps = ({ all, nodes, registry }: Checked, steps: ReadonlyArray<string>): string => {
  const those = (all ?? nodes).filter(({ id }) => steps.includes(id))
  const isExtended = those.some(({ step }) => registry?.added.includes(step.key))
  const parts = those.map(({ common: { each, failOn, onError, when }, config, id, inputs, step }) => [
    ...[id, step.key, config, inputs],
    [each, failOn, onError, when]
  ])
  return sha256(JSON.stringify([parts, isExtended ? registry?.hash : undefined])).slice(0, 32)
}

/** Runs with the same inputs; all of them if the inputs usually change from run to run. */
const ofSeries = <Metrics>(
  records: ReadonlyArray<HealthRecord<Metrics>>,
  series: string
): ReadonlyArray<HealthRecord<Metrics>> => {
  const same = records.filter((each) => each.series === series)
  if (same.filter(({ published }) => published).length >= runsToHold) return same
  const distinct = new Set(records.map((each) => each.series)).size
  return distinct >= runsToHold && distinct > records.length / 2 ? records : same
}

/** Published runs, newest first, as the comparison takes them. */
const goodOf = <Metrics>(records: ReadonlyArray<HealthRecord<Metrics>>): ReadonlyArray<Verdict.Good<Metrics>> =>
  records
    .filter(({ published }) => published)
    .map(({ at, metrics, released, verdicts }) => ({
      at,
      metrics,
      broken: new Set(released ? [] : verdicts.filter(({ level }) => level === "broken").map(Verdict.nameOf))
    }))

/** Adds the first of the last runs in a row that had the same verdict. */
const withSince =
  <Metrics>(records: ReadonlyArray<HealthRecord<Metrics>>) =>
  (verdict: Verdict.Verdict): Verdict.Verdict => {
    const name = Verdict.nameOf(verdict)
    let since: string | undefined
    for (const { runId, verdicts } of records) {
      if (!verdicts.some((each) => Verdict.nameOf(each) === name)) break
      since = runId
    }
    return since === undefined ? verdict : { ...verdict, since }
  }

/** Fewer rows than usual are no fault of a run that the budget has cut. */
const isJudged =
  ({ isCut }: AssessedRun) =>
  ({ metric }: Verdict.Verdict): boolean =>
    !(isCut && metric === "rows")

/** Rules of the definition. */
const rulesOf = ({ frame: { health } }: Checked): Verdict.Rules => {
  if (health === undefined || health === "off") return {}
  const fields = Object.entries(health.fields ?? {}).map(([field, { filled, ignore }]) => [
    field,
    { ignore, filled: filled === undefined ? undefined : Number.parseFloat(filled) / 100 }
  ])
  return { rows: health.rows, fields: Object.fromEntries(fields) }
}

const whenDue = ({ options, startedAt }: AssessedRun): number => (options.scheduledFor ?? startedAt).getTime()

const assessSink = (run: AssessedRun, sink: string, profile: Profile, series: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const { checked } = run
    const steps = hashOfSteps(checked, before({ nodes: checked.all ?? checked.nodes }, sink))
    const pipeline = checked.frame.name
    const recent = ofSeries(yield* health.recentSinks({ pipeline, sink, steps, limit: rememberedRuns }), series)
    const previous = recent.find(({ published }) => published)
    const earlier = previous && (yield* health.profiles(previous.runId)).get(sink)
    const metrics: SinkMetrics = profile.metrics(earlier && Profile.decode(earlier))
    const at = whenDue(run)
    const good = goodOf(recent)
    const verdicts = Verdict.judgeSink(sink, metrics, good, { at, rules: rulesOf(checked) })
      .filter(isJudged(run))
      .map(withSince(recent))
    return { record: { runId: run.id, sink, pipeline, steps, series, at, metrics, verdicts }, verdicts }
  })

const runMetrics = ({ checked, counters, id }: AssessedRun) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const counts = yield* health.pageStatuses(id)
    const pages = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const sources = (checked.all ?? checked.nodes).filter(({ inputs }) => inputs.length === 0)
    const given = sources.reduce((sum, node) => sum + (counters.given.get(node.id) ?? 0), 0)
    const steps = [...counters.given].filter(([step]) => !step.startsWith("~"))
    const metrics: RunMetrics = {
      steps: Object.fromEntries(steps),
      rejected: counters.rejects === 0 ? 0 : Math.min(1, counters.rejects / Math.max(1, given)),
      pages,
      statuses: Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, count / pages]))
    }
    return metrics
  })

const assessRun = (run: AssessedRun, series: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const { checked } = run
    const all = (checked.all ?? checked.nodes).filter((node) => !isSink(node))
    const steps = hashOfSteps(
      checked,
      all.map(({ id }) => id)
    )
    const pipeline = checked.frame.name
    const recent = ofSeries(yield* health.recentRuns({ pipeline, steps, limit: rememberedRuns }), series)
    const metrics = yield* runMetrics(run)
    const at = whenDue(run)
    const verdicts = Verdict.judgeRun(metrics, goodOf(recent), at).filter(isJudged(run)).map(withSince(recent))
    return { record: { runId: run.id, sink: "", pipeline, steps, series, at, metrics, verdicts }, verdicts }
  })

/** Compares a run whose files are sealed with the last good ones. A shard is only measured. */
export const assess = (run: AssessedRun): Effect.Effect<Assessment, StepError, Ledger> =>
  Effect.gen(function* () {
    const { check, checked, id, options } = run
    const own = new Map(Array.from(check.profiles, ([sink, profile]) => [sink, profile.encode()]))
    if (options.parentRun !== undefined) return { profiles: own, records: [], verdicts: [] }
    const { health } = yield* Ledger
    // Those of the shards were merged into the run.
    const profiles = new Map([...(yield* health.profiles(id)), ...own])
    if (profiles.size === 0) return { profiles, records: [], verdicts: [] }
    const series = sha256(JSON.stringify(checked.inputs)).slice(0, 32)
    const sinks = yield* Effect.forEach(profiles, ([sink, saved]) =>
      assessSink(run, sink, check.profiles.get(sink) ?? Profile.decode(saved), series)
    )
    const all = [yield* assessRun(run, series), ...sinks]
    const onBroken = onBrokenOf(checked)
    const verdicts = onBroken === "off" ? [] : all.flatMap(({ verdicts }) => verdicts).sort(Verdict.byLevel)
    const isHeld = onBroken === "hold" && verdicts.some(({ level }) => level === "broken")
    return {
      profiles,
      records: all.map(({ record }) => record),
      verdicts,
      held: isHeld && mayHold(run.sealed) ? describeHeld(verdicts) : undefined
    }
  }).pipe(Effect.mapError(ledgerFailed))

const onBrokenOf = ({ frame: { health } }: Checked): "hold" | "warn" | "off" =>
  health === undefined || health === "off" ? "hold" : (health.onBroken ?? "hold")

/** True if anything waits for publication. What went to standard output is written already. */
const mayHold = (sealed: ReadonlyArray<Sealed>): boolean =>
  sealed.some(({ files, stale }) => files.length + stale.length > 0)

/** Verdicts that the reason of a held run names. */
const maxReasons = 3

const describeHeld = (verdicts: ReadonlyArray<Verdict.Verdict>): string => {
  const reasons = verdicts.filter(({ level }) => level === "broken").map(Verdict.describeVerdict)
  const rest = reasons.length - maxReasons
  return `the outputs are held: ${reasons.slice(0, maxReasons).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`
}

/** Verdicts that are written to the log, at most. */
const maxWarnings = 10

/** Warns of what is not as expected, and of rows that are written although the outputs are held. */
export const warn = ({ held, verdicts }: Assessment, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    for (const verdict of verdicts.slice(0, maxWarnings)) {
      yield* Effect.logWarning(`${verdict.level}: ${Verdict.describeVerdict(verdict)}`)
    }
    const rest = verdicts.length - maxWarnings
    if (rest > 0) yield* Effect.logWarning(`and ${rest} more like this: sluice show --health`)
    if (held !== undefined && sealed.some(({ streams = [] }) => streams.length > 0)) {
      yield* Effect.logWarning("rows on standard output cannot be held: they are written already")
    }
  })
