/** Health of a run: each verdict with the figures of the good runs that it was compared with, and that of the run. */
import * as Effect from "effect/Effect"
import { comparable, comparedRuns, median, minimumRuns, rangeOf, rememberedRuns } from "../Health/Baseline.ts"
import type { FieldMetrics, RunMetrics, SinkMetrics } from "../Health/Profile.ts"
import {
  blockedShare,
  describeVerdict,
  failedShare,
  type Good,
  nameOf,
  noValues,
  unreadShare,
  type Verdict
} from "../Health/Verdict.ts"
import type { HealthRecord } from "../Ledger/Health.ts"
import { Ledger } from "../Ledger.ts"
import { goodOf, ofSeries } from "../Run/HealthCheck.ts"
import type { Comparison, HealthVerdict, RunHealth } from "../Web/Dashboard/RunProtocol.ts"
import * as Queries from "./Queries.ts"
import { noRun } from "./Request.ts"

/** Records of a run and their verdicts, broken ones first. */
const judged = (id: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const whole = yield* health.of(id)
    const sinks = yield* health.sinksOf(id)
    const found = [
      ...(whole === undefined ? [] : whole.verdicts.map((verdict) => ({ verdict, record: whole, sink: undefined }))),
      ...sinks.flatMap((record) => record.verdicts.map((verdict) => ({ verdict, record: undefined, sink: record })))
    ]
    return found.toSorted((a, b) => Number(b.verdict.level === "broken") - Number(a.verdict.level === "broken"))
  })

/** Verdicts of a run in words. */
export const verdictsOf = (id: string) =>
  Effect.map(judged(id), (found) =>
    found.map(({ verdict }): HealthVerdict => ({ level: verdict.level, text: describeVerdict(verdict) }))
  )

/** Good runs before a run, newest first, as its verdicts were made from them. */
const goodBefore = <Metrics>(
  records: ReadonlyArray<HealthRecord<Metrics>>,
  { at, series }: HealthRecord<unknown>
): ReadonlyArray<Good<Metrics> & { readonly run: string }> => {
  const before = ofSeries(
    records.filter((each) => each.at < at && each.published),
    series
  )
  return goodOf(before).map((good, index) => ({ ...good, run: before[index]?.runId ?? "" }))
}

type Run<Metrics> = Good<Metrics> & { readonly run: string }

/** Compares a figure with the same figure of the good runs. */
const history = <Metrics>(
  verdict: Verdict,
  unit: "rows" | "share" | "values",
  { at, metrics }: { readonly at: number; readonly metrics: Metrics },
  good: ReadonlyArray<Run<Metrics>>,
  figure: (metrics: Metrics) => number | undefined
): Comparison | undefined => {
  const name = nameOf(verdict)
  const past = good.flatMap(({ at, broken, metrics, run }) => {
    const value = figure(metrics)
    return value === undefined ? [] : [{ run, at, value, isTrusted: !broken.has(name) }]
  })
  // A weekly rhythm changes these figures only.
  const isVolume = verdict.metric === "rows" || verdict.metric === "unchanged"
  const times = new Set((isVolume ? comparable(past, at).past : past).slice(0, comparedRuns).map((each) => each.at))
  const compared = past.filter((each) => times.has(each.at))
  const came = figure(metrics)
  if (came === undefined || compared.length < minimumRuns) return undefined
  const [least, greatest] = rangeOf(compared)
  const shown = compared.map(({ at, run, value }) => ({ run, at, value })).reverse()
  return { kind: "history", unit, good: shown, least, greatest, came }
}

type Shares = Readonly<Record<string, number>>

const shareOf = (shares: Shares, name: string): number => (Object.hasOwn(shares, name) ? (shares[name] ?? 0) : 0)

/** Parts of a mix. */
const maxParts = 8

const mix = (now: Shares, good: ReadonlyArray<Shares>): Comparison | undefined => {
  const names = new Set([now, ...good].flatMap((shares) => Object.keys(shares)))
  if (good.length < minimumRuns || names.size === 0) return undefined
  const parts = Array.from(names, (name) => ({
    name,
    expected: median(good.map((shares) => shareOf(shares, name))),
    came: shareOf(now, name)
  }))
  return {
    kind: "mix",
    parts: parts.sort((a, b) => Math.max(b.expected, b.came) - Math.max(a.expected, a.came)).slice(0, maxParts)
  }
}

/** Values are known by their hashes only. */
const withNumbers = (comparison: Comparison | undefined): Comparison | undefined =>
  comparison?.kind === "mix"
    ? { ...comparison, parts: comparison.parts.map((part, index) => ({ ...part, name: `value ${index + 1}` })) }
    : comparison

const quantiles = (
  unit: "length" | "number",
  now: ReadonlyArray<number>,
  good: ReadonlyArray<ReadonlyArray<number>>
): Comparison | undefined => {
  const filled = good.filter((figures) => figures.length === now.length)
  if (now.length === 0 || filled.length < minimumRuns) return undefined
  const expected = now.map((_, at) => median(filled.map((figures) => figures[at] ?? 0)))
  return { kind: "quantiles", unit, expected, came: now }
}

const fieldOf = ({ fields }: SinkMetrics, name: string): FieldMetrics =>
  (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? noValues

const ofField = (
  verdict: Verdict,
  field: string,
  record: HealthRecord<SinkMetrics>,
  good: ReadonlyArray<Run<SinkMetrics>>
): Comparison | undefined => {
  const now = fieldOf(record.metrics, field)
  const compared = good.slice(0, comparedRuns)
  const past = compared.map(({ metrics }) => fieldOf(metrics, field))
  switch (verdict.metric) {
    case "fill":
    case "garbled":
    case "repeated": {
      const { metric } = verdict
      return history(verdict, "share", record, compared, (metrics) => fieldOf(metrics, field)[metric])
    }
    case "distinct":
      return history(verdict, "values", record, compared, (metrics) => fieldOf(metrics, field).distinct)
    case "types":
    case "languages": {
      const { metric } = verdict
      return mix(
        now[metric],
        past.map((each) => each[metric]).filter((shares) => Object.keys(shares).length > 0)
      )
    }
    case "values":
      return withNumbers(
        mix(
          now.values ?? {},
          past.flatMap(({ values }) => (values === undefined ? [] : [values]))
        )
      )
    case "lengths":
      return quantiles(
        "length",
        now.lengths,
        past.map(({ lengths }) => lengths)
      )
    case "numbers":
      return quantiles(
        "number",
        now.numbers,
        past.map(({ numbers }) => numbers)
      )
    default:
      return undefined
  }
}

const ofSink = (
  verdict: Verdict,
  record: HealthRecord<SinkMetrics>,
  good: ReadonlyArray<Run<SinkMetrics>>
): Comparison | undefined => {
  if (verdict.field !== undefined) return ofField(verdict, verdict.field, record, good)
  switch (verdict.metric) {
    case "rows":
      return history(verdict, "rows", record, good, ({ rows }) => rows)
    case "repeated":
      return history(verdict, "share", record, good, ({ repeated }) => repeated)
    case "unchanged":
      return history(verdict, "share", record, good, ({ unchanged }) => unchanged)
    default:
      return undefined
  }
}

const ofRun = (
  verdict: Verdict,
  record: HealthRecord<RunMetrics>,
  good: ReadonlyArray<Run<RunMetrics>>
): Comparison | undefined => {
  switch (verdict.metric) {
    case "rows":
      return history(verdict, "rows", record, good, ({ steps }) => shareOf(steps, verdict.sink))
    case "rejected":
      return history(verdict, "share", record, good, ({ rejected }) => rejected)
    case "failed pages":
      return history(verdict, "share", record, good, failedShare)
    case "blocked pages":
      return history(verdict, "share", record, good, blockedShare)
    case "unread files":
      return history(verdict, "share", record, good, unreadShare)
    default:
      return undefined
  }
}

export const health = (id: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const queries = yield* Queries.ofLedger
    if (!(yield* queries.known([id])).has(id)) return yield* noRun(id)
    const found = yield* judged(id)
    /** Earlier runs, read once for all verdicts on a sink. */
    const sinks = new Map<string, ReadonlyArray<Run<SinkMetrics>>>()
    let runs: ReadonlyArray<Run<RunMetrics>> | undefined
    const comparisonOf = ({ record, sink, verdict }: (typeof found)[number]) =>
      Effect.gen(function* () {
        if (sink !== undefined) {
          const known =
            sinks.get(sink.sink) ?? goodBefore(yield* health.recentSinks({ ...sink, limit: rememberedRuns }), sink)
          sinks.set(sink.sink, known)
          return ofSink(verdict, sink, known)
        }
        runs ??= goodBefore(yield* health.recentRuns({ ...record, limit: rememberedRuns }), record)
        return ofRun(verdict, record, runs)
      })
    const verdicts = yield* Effect.forEach(found, (each) =>
      Effect.map(comparisonOf(each), (comparison) => {
        const { verdict } = each
        return {
          level: verdict.level,
          text: describeVerdict(verdict),
          metric: verdict.metric,
          step: verdict.sink === "" ? undefined : verdict.sink,
          field: verdict.field,
          since: verdict.since,
          comparison
        }
      })
    )
    return { verdicts } satisfies RunHealth
  }).pipe(Effect.withSpan("Dashboard.health"))
