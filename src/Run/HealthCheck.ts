/**
 * Health of a run: measures the rows that its sinks write, and compares them with the last good runs before publishing.
 *
 * - Each sink has a profile of the rows that it wrote. Checkpoints save the number of rows together with the lengths of
 *   the files, and the profile whenever the rows have doubled: a resumed run counts every row, but measures its fields
 *   in a smaller sample. The profiles of shards are merged with their run.
 * - An `extract` counts the matches of its fields. It saves the counts itself, so they are exact.
 * - Compares runs that have the same definition of the steps before the sink, and the same inputs; all such runs if the
 *   inputs change from run to run.
 * - Not measured: trials, backfills, replays and pipeline tests. Other runs cannot be compared with them.
 * - Drift for which a contract holds the outputs is `broken`, from the first run on, even in runs that are not measured.
 */
import * as NodePath from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scrape } from "../Client/Scrape.ts"
import { Profile, type RunMetrics, SavedProfile, type SinkMetrics } from "../Health/Profile.ts"
import * as Verdict from "../Health/Verdict.ts"
import { parsePage } from "../Html/Fields.ts"
import { nearestTo, nearText } from "../Html/Fingerprint.ts"
import type { HealthRecord, SealedHealth } from "../Ledger/Health.ts"
import { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import type { Node } from "../Pipeline/Node.ts"
import { sha256 } from "../Row/Hash.ts"
import type { Json } from "../Row.ts"
import { OutputHealth } from "../Sink/HealthRules.ts"
import type { FieldMatches, MatchesBefore, SavedMatches } from "../Step/Extract/FieldMatches.ts"
import { storedPage } from "../Step/Extract/StoredPage.ts"
import { causeOf } from "../Step/Incomplete.ts"
import type { Sealed } from "../Step/Output.ts"
import { mapping } from "../Step/Requirements.ts"
import type { Changes, OpenSink, Saved, StepError } from "../Step.ts"
import { type Counters, fileNames } from "./Progress.ts"
import { ledgerFailed } from "./RunErrors.ts"
import { isStateless, isTrial, type RunOptions } from "./RunSpec.ts"

export interface HealthCheck {
  /** Wraps the sink of a step, and profiles the rows that it writes. `saved`: state of the sink in the last checkpoint. */
  readonly measure: (step: string, sink: OpenSink, saved: Saved) => OpenSink
  /** Measures the matches of an `extract`'s fields. */
  readonly watch: (step: string, matches: FieldMatches) => void
  /** Matches of the fields in the last good run. */
  readonly matchesBefore: (step: string) => Effect.Effect<MatchesBefore | undefined>
  /** Profiles by step. */
  readonly profiles: ReadonlyMap<string, Profile>
}

/** Key of the profile among the saved entries of a sink. */
const profileKey = "profile"
const rowsKey = "profile rows"

/** Up to this many rows, every checkpoint saves the profile; beyond, only one whose rows have doubled since the last saved profile. */
const rowsSavedInFull = 2_000

const decodeProfile = Schema.decodeUnknownOption(SavedProfile)

/** Makes the health check; undefined if the run is not measured. */
export const make = (
  checked: Checked,
  options: RunOptions,
  { ledger, startedAt }: { readonly ledger: typeof Ledger.Service; readonly startedAt: Date }
): HealthCheck | undefined => {
  const { frame } = checked
  const isTest = options.instead !== undefined && options.parentRun === undefined
  if (frame.health === "off" || isStateless(options) || options.replay !== undefined || isTest) return undefined
  const profiles = new Map<string, Profile>()
  return {
    profiles,
    watch: (step, matches) => profiles.set(step, Profile.ofMatches(matches)),
    matchesBefore: (step) => readMatches(checked, step, scheduledTimeOf({ options, startedAt }), ledger),
    measure: (step, sink, { entries, value }) => {
      // Rows that shards keep for the final steps are not output, so they are not measured.
      if (step.startsWith("~")) return sink
      const saved = decodeProfile(entries.find(([key]) => key === profileKey)?.[1])
      // An earlier version wrote the rows so far without a profile: the rest alone would look like a loss.
      if (value !== undefined && Option.isNone(saved)) return sink
      const profile = Option.match(saved, { onNone: () => new Profile(), onSome: Profile.decode })
      const rows = entries.find(([key]) => key === rowsKey)?.[1]
      if (typeof rows === "number") profile.rows = rows
      const rules = rulesOf(checked, step)
      if (rules !== "off") profile.ruled = new Set([rules.common, rules.own].flatMap(Object.keys))
      profiles.set(step, profile)
      return measured(sink, profile)
    }
  }
}

/** Reads the matches of the last good run. They only improve messages, so a failure is ignored. */
const readMatches = (checked: Checked, step: string, at: number, { health }: typeof Ledger.Service) =>
  health.recentSinks({ pipeline: checked.frame.name, sink: step, steps: hashTo(checked, step), at }).pipe(
    Effect.map((recent): MatchesBefore | undefined => {
      const good = goodOf(ofSeries(recent, seriesOf(checked)))
      const [last] = good
      const matches = last?.metrics.matches
      if (last === undefined || matches === undefined) return undefined
      const rules = rulesOf(checked, step)
      const verdictsOn = (now: SavedMatches) =>
        rules === "off" || rules.onBroken === "off"
          ? []
          : Verdict.judgeSink(step, { ...last.metrics, matches: now }, good, {
              at,
              rules: { fields: fieldRules(rules.common), ignore: rules.ignore }
            })
      const judged = (now: SavedMatches) => new Set(verdictsOn(now).flatMap(({ field }) => field ?? []))
      return { runId: last.runId, matches, judged }
    }),
    Effect.orElseSucceed(() => undefined)
  )

const measured = (sink: OpenSink, profile: Profile): OpenSink => {
  /** Rows of the profile in the last checkpoint; -1 so that the first checkpoint saves a profile even without rows. */
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
      const isDue = savedRows <= rowsSavedInFull || savedRows >= 2 * profiledRows
      if (isDue) profiledRows = savedRows
      const entries: NonNullable<Changes["entries"]> = [
        [rowsKey, savedRows],
        ...(isDue ? [[profileKey, profile.encode() as Json] as const] : [])
      ]
      return { ...changes, entries: [...(changes.entries ?? []), ...entries] }
    })
  }
}

/** The parts of a run needed to assess it. */
interface AssessedRun {
  readonly checked: Checked
  readonly options: RunOptions
  readonly id: string
  readonly startedAt: Date
  readonly counters: Counters
  /** Undefined if the run is not measured. */
  readonly check: HealthCheck | undefined
  readonly sealed: ReadonlyArray<Sealed>
  /** True if Sluice's own engine serves the run's requests. */
  readonly isOwnEngine: boolean
  /** True if the budget has cut the run: fewer rows than usual are normal then, and later runs are not compared with it. */
  readonly isCut: boolean
}

/** Figures, verdicts and profiles of a run for the ledger. If `held` is set, the verdicts hold its outputs. */
export interface Assessment extends SealedHealth {
  readonly verdicts: ReadonlyArray<Verdict.Verdict>
  /** Verdicts that neither `held` nor another verdict covers. */
  readonly warnings: ReadonlyArray<Verdict.Verdict>
}

const isSink = ({ id, step }: Node): boolean => step.behaviour.kind === "sink" && !id.startsWith("~")

/** The config without its health rules, which do not affect the rows. */
const withoutHealth = (config: unknown) => {
  const { health, ...rest } = mapping(config)
  return health === undefined ? config : rest
}

/**
 * Hash of everything that decides which rows reach a step. Ignores settings that only affect speed, or where on a page an `extract` finds
 * its values.
 */
const hashOfSteps = ({ all, nodes, registry }: Checked, steps: ReadonlyArray<string>): string => {
  const those = (all ?? nodes).filter(({ id }) => steps.includes(id))
  const isExtended = those.some(({ step }) => registry?.added.includes(step.key))
  const parts = those.map(({ common: { each, failOn, onError, when }, config, id, inputs, step }) => [
    ...[id, step.key, step.comparedBy?.(mapping(config)) ?? withoutHealth(config), inputs],
    [each, failOn, onError, when]
  ])
  return sha256(JSON.stringify([parts, isExtended ? registry?.hash : undefined])).slice(0, 32)
}

/** Hash of a step and the steps before it, for an `extract`: its figures depend on its own fields, too. See {@link hashOfSteps}. */
const hashTo = (checked: Checked, step: string): string => hashOfSteps(checked, [...stepsBefore(checked, step), step])

const seriesOf = ({ inputs }: Checked): string => sha256(JSON.stringify(inputs)).slice(0, 32)

/** Runs with the same inputs; all runs if fewer than five of those were published and most runs have different inputs. */
export const ofSeries = <Metrics>(
  records: ReadonlyArray<HealthRecord<Metrics>>,
  series: string
): ReadonlyArray<HealthRecord<Metrics>> => {
  const same = records.filter((each) => each.series === series)
  if (same.filter(({ published }) => published).length >= Verdict.runsToHold) return same
  const distinct = new Set(records.map((each) => each.series)).size
  return distinct >= Verdict.runsToHold && distinct > records.length / 2 ? records : same
}

/** Published runs, newest first, in the form needed for comparison. */
export const goodOf = <Metrics>(records: ReadonlyArray<HealthRecord<Metrics>>): ReadonlyArray<Verdict.Good<Metrics>> =>
  records
    .filter(({ published }) => published)
    .map(({ at, metrics, released, runId, verdicts }) => ({
      runId,
      at,
      metrics,
      broken: new Set(released ? [] : verdicts.filter(({ level }) => level === "broken").map(Verdict.nameOf))
    }))

/** Adds to a verdict the first run of the unbroken series that had it. */
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

/** Adds the cause to a verdict of fewer rows: the reason why a step before the sink did not read its whole source. */
const withCause =
  ({ checked, counters }: AssessedRun) =>
  (verdict: Verdict.Verdict): Verdict.Verdict => {
    if (verdict.metric !== "rows") return verdict
    const [reasons] = stepsBefore(checked, verdict.sink).flatMap((step) => counters.incomplete.get(step) ?? [])
    return reasons === undefined || reasons.size === 0 ? verdict : { ...verdict, cause: causeOf(reasons) }
  }

/** Adds the name of the file that a verdict is about. */
const withOutput = ({ checked }: AssessedRun): ((verdict: Verdict.Verdict) => Verdict.Verdict) => {
  const names = fileNames(checked)
  return (verdict) => {
    const output = names.get(verdict.sink)
    return output === undefined ? verdict : { ...verdict, output }
  }
}

/** False for a verdict of fewer rows if the budget has cut the run: then it is normal. */
const isJudged =
  ({ isCut }: AssessedRun) =>
  ({ metric }: Verdict.Verdict): boolean =>
    !(isCut && metric === "rows")

const decodeRules = Schema.decodeUnknownOption(OutputHealth)

/** Health rules of an output: its own, on top of those of the pipeline; `off` if it has `health: off`. Without `sink`, those of the run. */
const rulesOf = ({ all, frame: { health }, nodes }: Checked, sink?: string) => {
  const config = (all ?? nodes).find(({ id }) => id === sink)?.config
  const common = health === "off" ? undefined : health
  const own = Option.getOrUndefined(decodeRules(mapping(config).health))
  if (own === "off") return "off"
  return {
    onBroken: own?.onBroken ?? common?.onBroken ?? "hold",
    rows: own?.rows ?? common?.rows,
    common: common?.fields ?? {},
    own: own?.fields ?? {},
    ignore: [...(common?.ignore ?? []), ...(own?.ignore ?? [])]
  }
}
type OutputRules = Exclude<ReturnType<typeof rulesOf>, "off">

type FieldRules = OutputRules["own"]

const fieldRules = (fields: FieldRules): NonNullable<Verdict.Rules["fields"]> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, { filled, ignore }]) => [
      field,
      { ignore, filled: filled === undefined ? undefined : Number.parseFloat(filled) / 100 }
    ])
  )

/** Fields that the outputs have now, or had in the good runs. */
const fieldsOf = (metrics: ReadonlyArray<SinkMetrics>): ReadonlySet<string> =>
  new Set(metrics.flatMap(({ empty = [], fields }) => [...Object.keys(fields), ...empty]))

/** The pipeline's rules for fields that this output has, and for fields that no output has. An `extract` has those that it looks for. */
const commonFields = (common: FieldRules, own: ReadonlySet<string>, all: ReadonlySet<string>): FieldRules =>
  Object.fromEntries(Object.entries(common).filter(([field]) => own.has(field) || !all.has(field)))

const scheduledTimeOf = ({ options, startedAt }: Pick<AssessedRun, "options" | "startedAt">): number =>
  (options.scheduledFor ?? startedAt).getTime()

/** Verdicts on drift for which a contract holds its output. */
const driftIn = ({ sealed }: AssessedRun): ReadonlyArray<Verdict.Verdict> =>
  sealed.flatMap(({ drift = [] }) =>
    drift.map(({ got, column, expected, step }) => ({
      sink: step,
      metric: "contract",
      field: column,
      level: "broken" as const,
      expected,
      got
    }))
  )

const stepsBefore = ({ all, nodes }: Checked, step: string): ReadonlyArray<string> =>
  before({ nodes: all ?? nodes }, step)

/**
 * True for an output that contains only changes: a step before it remembers rows or files of earlier runs, or joins a file that
 * an earlier run has written.
 */
const hasChanges = ({ checked }: AssessedRun, sink: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const steps = stepsBefore(checked, sink)
    if (steps.some((step) => checked.remembering.includes(step))) return true
    const files = (checked.all ?? checked.nodes).flatMap(({ config, id, step }) => {
      const { file } = mapping(config)
      return step.key === "join" && steps.includes(id) && typeof file === "string" ? [file] : []
    })
    const paths = files.map((file) => NodePath.resolve(checked.source.folder, file))
    return paths.length > 0 && (yield* history.hasWritten(paths))
  })

/** Figures of a sink, with those of the runs that it is compared with. */
const compareSink = (run: AssessedRun, sink: string, profile: Profile, series: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const { checked } = run
    const steps =
      profile.matches === undefined ? hashOfSteps(checked, stepsBefore(checked, sink)) : hashTo(checked, sink)
    const pipeline = checked.frame.name
    const at = scheduledTimeOf(run)
    const recent = ofSeries(yield* health.recentSinks({ pipeline, sink, steps, at }), series)
    const good = goodOf(recent)
    profile.matches?.keep(good[0]?.metrics.matches)
    yield* searchNearest(run, profile, good)
    const metrics = profile.metrics()
    const fields = fieldsOf([metrics, ...good.map((each) => each.metrics)])
    return { at, pipeline, steps, recent, good, metrics, fields, sink }
  })

/** Time limit for searching pages in the cache. */
const searchTimeout = "5 seconds"

/**
 * For fields of an `extract` that match less often than before, finds the element that is now most similar. Uses the engine's stored copies
 * of the pages that it has read: no request is sent.
 */
const searchNearest = (run: AssessedRun, profile: Profile, good: ReadonlyArray<Verdict.Good<SinkMetrics>>) =>
  Effect.gen(function* () {
    const { matches } = profile
    const before = good[0]?.metrics.matches
    if (matches === undefined || before === undefined || !run.isOwnEngine) return
    for (const [name, { asked, matched, missedOn = [], nearest }] of matches.fields) {
      const known = Verdict.valueOf(before, name)
      const isLess = known !== undefined && matched / asked < (known.matched / known.asked) * 0.75
      if (!isLess || nearest !== undefined || known.fingerprint === undefined) continue
      for (const address of missedOn) {
        const page = yield* storedPage(address, (yield* Clock.currentTimeMillis) - run.startedAt.getTime())
        if (page !== undefined)
          matches.found(name, nearText(nearestTo(parsePage(page.html, page.url).tree.root, known.fingerprint)))
      }
    }
  }).pipe(Effect.timeoutOption(searchTimeout), Effect.asVoid)

const assessSink = (
  run: AssessedRun,
  { at, fields, good, metrics, pipeline, recent, sink, steps }: Effect.Effect.Success<ReturnType<typeof compareSink>>,
  all: ReadonlySet<string>,
  series: string
) =>
  Effect.gen(function* () {
    const rules = rulesOf(run.checked, sink)
    const judged =
      rules === "off"
        ? []
        : Verdict.judgeSink(sink, metrics, good, {
            at,
            rules: {
              rows: rules.rows,
              fields: fieldRules({
                ...commonFields(rules.common, new Set([...fields, ...Object.keys(metrics.matches ?? {})]), all),
                ...rules.own
              }),
              ignore: rules.ignore,
              hasChanges: yield* hasChanges(run, sink)
            }
          })
    const verdicts = [
      ...driftIn(run).filter((each) => each.sink === sink),
      ...judged.filter(isJudged(run)).map(withCause(run))
    ].map(withSince(recent))
    return { runId: run.id, sink, pipeline, steps, series, at, metrics, verdicts }
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
    const at = scheduledTimeOf(run)
    const recent = ofSeries(yield* health.recentRuns({ pipeline, steps, at }), series)
    const metrics = yield* runMetrics(run)
    const rules = rulesOf(checked)
    const judged = rules === "off" ? [] : Verdict.judgeRun(metrics, goodOf(recent), { at, rules })
    const verdicts = judged.map(withSince(recent))
    return { runId: run.id, sink: "", pipeline, steps, series, at, metrics, verdicts }
  })

/**
 * Health of a run that is not compared with others: only deviations for which its contracts hold the outputs, under a hash of steps that is
 * never used for comparison. Undefined if there are none.
 */
export const onlyDrift = (run: AssessedRun): Assessment | undefined => {
  const verdicts = driftIn(run).map(withOutput(run))
  if (verdicts.length === 0 || !mayHoldDrift(run)) return undefined
  const metrics: RunMetrics = { steps: Object.fromEntries(run.counters.given), rejected: 0, pages: 0, statuses: {} }
  const of = { runId: run.id, sink: "", pipeline: run.checked.frame.name, steps: `only ${run.id}`, series: "" }
  return {
    profiles: new Map(),
    records: [{ ...of, at: scheduledTimeOf(run), metrics, verdicts }],
    verdicts,
    ...reportOf(run, verdicts, verdicts)
  }
}

/** Compares a run whose files are sealed with the last good runs. A shard is only measured. Undefined if there is nothing to report. */
export const assess = (run: AssessedRun): Effect.Effect<Assessment | undefined, StepError, Ledger | Scrape> =>
  Effect.gen(function* () {
    const { check, checked, id, options } = run
    if (check === undefined) return onlyDrift(run)
    if (options.parentRun !== undefined) {
      const own = new Map(Array.from(check.profiles, ([sink, profile]) => [sink, profile.encode()]))
      return { profiles: own, records: [], verdicts: [], warnings: [] }
    }
    const { health } = yield* Ledger
    // Profiles of the shards were merged into the run.
    const merged = Array.from(yield* health.profiles(id), ([sink, saved]) => [sink, Profile.decode(saved)] as const)
    const profiles = new Map([...merged, ...check.profiles])
    if (profiles.size === 0) return onlyDrift(run)
    const series = seriesOf(checked)
    const compared = yield* Effect.forEach(profiles, ([sink, profile]) => compareSink(run, sink, profile, series))
    const fields = new Set(compared.flatMap((each) => [...each.fields]))
    const sinks = yield* Effect.forEach(compared, (each) => assessSink(run, each, fields, series))
    const ofRun = yield* assessRun(run, series)
    // Drift of outputs whose rows were not measured.
    const others = driftIn(run).filter((each) => !profiles.has(each.sink))
    const whole = { ...ofRun, verdicts: [...others, ...ofRun.verdicts] }
    const named = withOutput(run)
    const records = [whole, ...sinks].map((record) => ({ ...record, verdicts: record.verdicts.map(named) }))
    const onBroken = (verdict: Verdict.Verdict) => {
      if (isOfContract(verdict)) return "hold"
      const rules = rulesOf(checked, verdict.sink)
      return rules === "off" ? "off" : rules.onBroken
    }
    const verdicts = records
      .flatMap((record) => record.verdicts)
      .filter((verdict) => onBroken(verdict) !== "off")
      .sort(Verdict.byLevel)
    const holding = verdicts.filter((verdict) => verdict.level === "broken" && onBroken(verdict) === "hold")
    return { profiles: new Map(), records, verdicts, ...reportOf(run, verdicts, mayHold(run.sealed) ? holding : []) }
  }).pipe(Effect.mapError(ledgerFailed))

const isOfContract = ({ metric }: Verdict.Verdict): boolean => metric === "contract"

/** False for a trial, whose purpose is to show rows; for a test, which has no outputs; and for a shard, whose run holds its files. */
const mayHoldDrift = ({ options, sealed }: AssessedRun): boolean =>
  mayHold(sealed) && !isTrial(options) && options.instead === undefined && options.parentRun === undefined

/** True if files wait for publication; rows on standard output are already written. */
const mayHold = (sealed: ReadonlyArray<Sealed>): boolean =>
  sealed.some(({ files, stale }) => files.length + stale.length > 0)

/** Leaves out, except for rules of the user, that an output lacks the values of a field that an `extract` before it does not find. */
const withoutRepeats = (
  { checked }: AssessedRun,
  verdicts: ReadonlyArray<Verdict.Verdict>
): ReadonlyArray<Verdict.Verdict> =>
  verdicts.filter(({ field, isRule, level, metric, sink }) => {
    const isSaidBy = (other: Verdict.Verdict) =>
      other.metric === "matched" && other.field === field && other.level === level
    const steps = metric !== "filled" || isRule === true ? [] : stepsBefore(checked, sink)
    return !verdicts.some((other) => isSaidBy(other) && steps.includes(other.sink))
  })

/** Maximum verdicts named in the reason of a held run. */
const maxReasons = 3

/** Reason why `holding` holds the outputs, if anything does, and the verdicts that it does not name. */
const reportOf = (
  run: AssessedRun,
  verdicts: ReadonlyArray<Verdict.Verdict>,
  holding: ReadonlyArray<Verdict.Verdict>
): Pick<Assessment, "held" | "warnings"> => {
  const broken = withoutRepeats(run, holding)
  const named = broken.slice(0, maxReasons)
  const rest = broken.length - named.length
  return {
    held:
      named.length === 0
        ? undefined
        : `the outputs are held: ${named.map(Verdict.describeVerdict).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`,
    warnings: withoutRepeats(run, verdicts).filter((verdict) => !named.includes(verdict))
  }
}

/** Maximum verdicts written to the log. */
const maxWarnings = 10

/** Warns about unexpected figures that the reason of a held run does not name, and about rows that cannot be held. */
export const warn = ({ held, warnings }: Assessment, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    for (const verdict of warnings.slice(0, maxWarnings))
      yield* Effect.logWarning(`${verdict.level}: ${Verdict.describeVerdict(verdict)}`)
    const rest = warnings.length - maxWarnings
    if (rest > 0) yield* Effect.logWarning(`and ${rest} more like this: sluice show --health`)
    if (held !== undefined && sealed.some(({ streams = [] }) => streams.length > 0)) {
      yield* Effect.logWarning("rows on standard output cannot be held: they are written already")
    }
  })
