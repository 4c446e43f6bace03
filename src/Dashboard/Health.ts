/** Health of a run: compares the figure behind each verdict with that of the good runs before. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { RunMetrics, SinkMetrics } from "../Health/Profile.ts"
import {
  blockedShare,
  comparedWith,
  describeVerdict,
  failedShare,
  fieldOf,
  type Good,
  minimumRuns,
  nameOf,
  unreadShare,
  type Verdict,
  valueOf
} from "../Health/Verdict.ts"
import type { HealthRecord } from "../Ledger/Health.ts"
import { Ledger } from "../Ledger.ts"
import { goodOf, ofSeries } from "../Run/HealthCheck.ts"
import type { Comparison, HealthVerdict, RunHealth } from "../Web/Dashboard/RunProtocol.ts"
import * as Queries from "./Queries.ts"
import { noRun } from "./Request.ts"

/** Verdicts of a run, broken ones first, each with the record that it is about. */
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

/** Verdicts of a run, described in words. */
export const verdictsOf = (id: string) =>
  Effect.map(judged(id), (found) =>
    found.map(({ verdict }): HealthVerdict => ({ level: verdict.level, text: describeVerdict(verdict) }))
  )

/** Good runs before a run, newest first: the same ones that its verdicts were computed from. */
const goodBefore = <Metrics>(
  records: ReadonlyArray<HealthRecord<Metrics>>,
  { at, series }: HealthRecord<unknown>
): ReadonlyArray<Good<Metrics>> => {
  return goodOf(
    ofSeries(
      records.filter((each) => each.at < at && each.published),
      series
    )
  )
}

/** Compares a figure with the same figure of the good runs. */
const history = <Metrics>(
  unit: "rows" | "share",
  metrics: Metrics,
  good: ReadonlyArray<Good<Metrics>>,
  figure: (metrics: Metrics) => number
): Comparison | undefined => {
  if (good.length < minimumRuns) return undefined
  const values = good.map(({ metrics }) => figure(metrics))
  const shown = good.map(({ at, metrics, runId }) => ({ run: runId, at, value: figure(metrics) })).reverse()
  return {
    kind: "history",
    unit,
    good: shown,
    least: Math.min(...values),
    greatest: Math.max(...values),
    got: figure(metrics)
  }
}

type Shares = Readonly<Record<string, number>>

const shareOf = (shares: Shares, name: string): number => valueOf(shares, name) ?? 0

/** The median of the values. */
const middleOf = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Maximum parts of a mix. */
const maxParts = 8

const mix = (now: Shares, good: ReadonlyArray<Shares>): Comparison | undefined => {
  const names = new Set([now, ...good].flatMap((shares) => Object.keys(shares)))
  if (good.length < minimumRuns || names.size === 0) return undefined
  const parts = Array.from(names, (name) => ({
    name,
    expected: middleOf(good.map((shares) => shareOf(shares, name))),
    got: shareOf(now, name)
  }))
  return {
    kind: "mix",
    parts: parts.sort((a, b) => Math.max(b.expected, b.got) - Math.max(a.expected, a.got)).slice(0, maxParts)
  }
}

const quantiles = (
  unit: "length" | "number",
  now: ReadonlyArray<number>,
  good: ReadonlyArray<ReadonlyArray<number>>
): Comparison | undefined => {
  const filled = good.filter((figures) => figures.length === now.length)
  if (now.length === 0 || filled.length < minimumRuns) return undefined
  const expected = now.map((_, at) => middleOf(filled.map((figures) => figures[at] ?? 0)))
  return { kind: "quantiles", unit, expected, got: now }
}

const ofField = (
  { metric }: Verdict,
  field: string,
  { metrics }: HealthRecord<SinkMetrics>,
  good: ReadonlyArray<Good<SinkMetrics>>
): Comparison | undefined => {
  const now = fieldOf(metrics, field)
  const past = good.map((each) => fieldOf(each.metrics, field))
  switch (metric) {
    case "matched":
      return history("share", metrics, good, (each) => {
        const { asked = 0, matched = 0 } = valueOf(each.matches, field) ?? {}
        return asked === 0 ? 0 : matched / asked
      })
    case "filled":
      return history("share", metrics, good, (each) => fieldOf(each, field).fill)
    case "repeated":
      return history("share", metrics, good, (each) => fieldOf(each, field).repeated)
    case "encoding":
      return history("share", metrics, good, (each) => fieldOf(each, field).garbled)
    case "type": {
      const typed = past.map(({ types }) => types).filter((shares) => Object.keys(shares).length > 0)
      return mix(now.types, typed)
    }
    case "length":
      return quantiles(
        "length",
        now.lengths,
        past.map(({ lengths }) => lengths)
      )
    case "number":
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
  good: ReadonlyArray<Good<SinkMetrics>>
): Comparison | undefined => {
  const compared = comparedWith<SinkMetrics, Good<SinkMetrics>>(good, nameOf(verdict), record.at)
  if (verdict.field !== undefined) return ofField(verdict, verdict.field, record, compared)
  return verdict.metric === "rows" ? history("rows", record.metrics, compared, ({ rows }) => rows) : undefined
}

const runShares: Readonly<Record<string, (metrics: RunMetrics) => number>> = {
  rejected: ({ rejected }) => rejected,
  "failed pages": failedShare,
  "blocked pages": blockedShare,
  "unread files": unreadShare
}

const ofRun = (
  verdict: Verdict,
  { at, metrics }: HealthRecord<RunMetrics>,
  good: ReadonlyArray<Good<RunMetrics>>
): Comparison | undefined => {
  const share = valueOf(runShares, verdict.metric)
  const compared = comparedWith<RunMetrics, Good<RunMetrics>>(good, nameOf(verdict), at)
  return share && history("share", metrics, compared, share)
}

export const health = (id: string) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const queries = yield* Queries.ofLedger
    if (!(yield* queries.known([id])).has(id)) return yield* noRun(id)
    const found = yield* judged(id)
    /** Earlier runs, read once for all verdicts on a sink. */
    const sinks = new Map<string, ReadonlyArray<Good<SinkMetrics>>>()
    let runs: ReadonlyArray<Good<RunMetrics>> | undefined
    const comparisonOf = ({ record, sink, verdict }: (typeof found)[number]) =>
      Effect.gen(function* () {
        if (sink !== undefined) {
          const known = sinks.get(sink.sink) ?? goodBefore(yield* health.recentSinks(sink), sink)
          sinks.set(sink.sink, known)
          return ofSink(verdict, sink, known)
        }
        runs ??= goodBefore(yield* health.recentRuns(record), record)
        return ofRun(verdict, record, runs)
      })
    const verdicts = yield* Effect.forEach(found, (each) =>
      Effect.map(comparisonOf(each), (comparison) => {
        const { verdict } = each
        return {
          ...Struct.pick(verdict, "level", "metric", "field", "since"),
          // The page shows the file name next to the text.
          text: describeVerdict({ ...verdict, sink: "", output: undefined }),
          step: verdict.sink === "" ? undefined : verdict.sink,
          isRule: verdict.isRule === true || verdict.metric === "contract",
          comparison
        }
      })
    )
    return { verdicts } satisfies RunHealth
  }).pipe(Effect.withSpan("Dashboard.health"))
