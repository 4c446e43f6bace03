/** Verdicts on the figures of a run, by those of the last good runs and by the rules of the definition. */
import * as Schema from "effect/Schema"
import {
  comparable,
  comparedRuns,
  judge,
  type Level,
  type Limits,
  levelOf,
  median,
  minimumRuns,
  type Past,
  rangeOf,
  runsToHold
} from "./Baseline.ts"
import type { FieldMetrics, RunMetrics, SinkMetrics } from "./Profile.ts"

/** A figure that is not as expected. */
export const Verdict = Schema.Struct({
  /** The step; empty for a figure of the whole run. */
  sink: Schema.String,
  /** `rows`, `repeated`, `unchanged`, `rejected`, `failed pages`, `blocked pages`, `unread files`, or of a field `contract`, `fill`, `types`, `values` and so on. */
  metric: Schema.String,
  field: Schema.optional(Schema.String),
  level: Schema.Literal("unusual", "broken"),
  expected: Schema.String,
  came: Schema.String,
  /** Known cause of fewer rows. */
  cause: Schema.optional(Schema.String),
  /** Id of the first of the last runs that had this verdict one after the other; undefined for the run itself. */
  since: Schema.optional(Schema.String)
})
export type Verdict = typeof Verdict.Type

/** Rules of the definition for one field. */
export interface FieldRule {
  readonly ignore?: boolean | undefined
  /** Smallest share of the rows in which it is filled. */
  readonly filled?: number | undefined
}

/** Rules of the definition; they hold from the first run on. */
export interface Rules {
  readonly rows?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
  readonly fields?: Readonly<Record<string, FieldRule>> | undefined
}

/** Figures of a good run. */
export interface Good<Metrics> {
  readonly at: number
  readonly metrics: Metrics
  /** Names of broken figures ({@link nameOf}) with which it was published without being released by hand. */
  readonly broken: ReadonlySet<string>
}

/** Name of a figure in its sink. */
export const nameOf = ({ field, metric }: Pick<Verdict, "field" | "metric">): string =>
  field === undefined ? metric : `${field}: ${metric}`

type Found = Omit<Verdict, "sink">

/** Value under a key that data has chosen: a field may be called `constructor`, as what every object inherits is. */
const valueOf = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

const percent = (share: number): string =>
  `${(share * 100).toLocaleString("en-US", { maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 })} %`
const amount = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 3 })
const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

const between = (past: ReadonlyArray<Past>, format: (value: number) => string): string => {
  const [low, high] = rangeOf(past).map(format)
  return low === high ? `${low}` : `${low} to ${high}`
}

/** Error of a share that was measured in `count` rows. */
const shareError = (share: number, count: number): number => {
  const smoothed = (share * count + 1) / (count + 2)
  return Math.sqrt((smoothed * (1 - smoothed)) / Math.max(1, count))
}

const cap = <Any extends Level>(level: Any, most: Level): Any | "unusual" =>
  level === "broken" && most === "unusual" ? "unusual" : level

const rowLimits: Limits = { spread: 0.075, unusual: Math.log(1.4), broken: Math.log(1.6) }
/** Fewer rows than ever on a kind of day that no good run was on. */
const newDayLimits: Limits = { spread: 0.1, unusual: Math.log(1.4), broken: Math.log(5) }

const judgeRows = (rows: number, past: ReadonlyArray<Past>, at: number): ReadonlyArray<Found> => {
  const days = comparable(past, at)
  const logs = days.past.map((each) => ({ ...each, value: Math.log1p(each.value) }))
  const value = Math.log1p(rows)
  const center = median(logs.map((each) => each.value))
  // Small numbers vary by chance; the spread of earlier runs shows how much.
  const spread = Math.max(rowLimits.spread, 0.75 / Math.sqrt(1 + Math.expm1(center)))
  const limits = { ...(days.isNew ? newDayLimits : rowLimits), spread }
  // More rows than usual are no loss: a source that was changed as a whole gives them, too.
  const level = cap(judge(logs, value, limits), value > center ? "unusual" : "broken")
  if (level === "fine") return []
  return [{ metric: "rows", level, expected: `${between(days.past, whole)} rows`, came: `${whole(rows)}` }]
}

/** Wording of a figure that is a share. */
interface ShareFigure {
  readonly metric: string
  readonly field?: string | undefined
  readonly what: string
  readonly unusual: number
  readonly broken: number
  /** Direction in which a change matters. */
  readonly side: "more" | "less" | "both"
}

const judgeShare = (
  figure: ShareFigure,
  value: number,
  past: ReadonlyArray<Past>,
  count: number
): ReadonlyArray<Found> => {
  const { broken, field, metric, side, unusual, what } = figure
  const center = median(past.map((each) => each.value))
  if ((side === "more" && value < center) || (side === "less" && value > center)) return []
  const spread = Math.max(0.02, shareError(value, count), shareError(center, count))
  const level = judge(past, value, { spread, unusual, broken })
  return level === "fine"
    ? []
    : [{ metric, field, level, expected: `${what} ${between(past, percent)}`, came: percent(value) }]
}

/** Half of the sum of differences: 0 for the same shares, 1 for entirely other ones. */
const distance = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): number => {
  let sum = 0
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    sum += Math.abs((valueOf(one, key) ?? 0) - (valueOf(other, key) ?? 0))
  }
  return sum / 2
}

const mixOf = (shares: Readonly<Record<string, number>>): string =>
  Object.entries(shares)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .filter(([, share]) => share >= 0.01)
    .map(([key, share]) => `${key} ${percent(share)}`)
    .join(", ")

const medianMix = (all: ReadonlyArray<Readonly<Record<string, number>>>): Readonly<Record<string, number>> => {
  const keys = new Set(all.flatMap((shares) => Object.keys(shares)))
  return Object.fromEntries(Array.from(keys, (key) => [key, median(all.map((shares) => valueOf(shares, key) ?? 0))]))
}

type Fields = ReadonlyArray<Good<FieldMetrics>>

const pastOf = <Metrics>(good: ReadonlyArray<Good<Metrics>>, name: string, figure: (metrics: Metrics) => number) =>
  good.map(({ at, broken, metrics }): Past => ({ value: figure(metrics), at, isTrusted: !broken.has(name) }))

const judgeMix = (
  metric: "types" | "languages",
  what: string,
  field: string,
  now: FieldMetrics,
  good: Fields
): ReadonlyArray<Found> => {
  const filled = good.filter(({ metrics }) => Object.keys(metrics[metric]).length > 0)
  if (filled.length < minimumRuns || Object.keys(now[metric]).length === 0) return []
  const usual = medianMix(filled.map(({ metrics }) => metrics[metric]))
  const own = filled.map(({ metrics }) => distance(metrics[metric], usual))
  const spread = Math.max(0.04, 1 / Math.sqrt(Math.max(1, now.measured)), 1.4826 * median(own))
  const nearest = Math.min(
    ...filled.map(({ broken, metrics }) =>
      broken.has(nameOf({ field, metric })) ? Number.POSITIVE_INFINITY : distance(now[metric], metrics[metric])
    )
  )
  const level = levelOf(distance(now[metric], usual), nearest, { spread, unusual: 0.15, broken: 0.3 })
  return level === "fine"
    ? []
    : [{ metric, field, level, expected: `${what} ${mixOf(usual)}`, came: mixOf(now[metric]) }]
}

const judgeDistinct = (field: string, now: FieldMetrics, good: Fields): ReadonlyArray<Found> => {
  const filled = good.filter(({ metrics }) => metrics.measured > 0)
  if (filled.length < minimumRuns) return []
  const isKey = median(filled.map(({ metrics }) => metrics.repeated)) < 0.5
  if (isKey) {
    const past = pastOf(filled, nameOf({ field, metric: "repeated" }), ({ repeated }) => repeated)
    const figure = { metric: "repeated", field, what: "values that repeat another one:", unusual: 0.15, broken: 0.25 }
    return judgeShare({ ...figure, side: "more" }, now.repeated, past, now.measured)
  }
  const past = pastOf(filled, nameOf({ field, metric: "distinct" }), ({ distinct }) => distinct)
  const [least] = rangeOf(past)
  const usual = median(past.map(({ value }) => value))
  // Of few rows, several may have the same value by chance.
  if (now.distinct >= least / 3 || least < 3 || now.measured < 20 + 3 * usual) return []
  const logs = past.map((each) => ({ ...each, value: Math.log(Math.max(1, each.value)) }))
  const value = Math.log(Math.max(1, now.distinct))
  const level = judge(logs, value, { spread: 0.15, unusual: Math.log(3), broken: Math.log(3) })
  const expected = `${between(past, whole)} different values`
  return level === "fine" ? [] : [{ metric: "distinct", field, level, expected, came: whole(now.distinct) }]
}

/** Good runs from which on a value that came in each of them is expected. */
const runsToExpect = runsToHold
/** Rows that an expected value came in at least: chance does not lose as many. */
const minimumOfValue = 15

/** Usual values that are missing. A value is usual if it came in each of the runs; the least of its shares counts. */
const judgeValues = (field: string, now: FieldMetrics, good: Fields): ReadonlyArray<Found> => {
  const compared = good
    .slice(0, comparedRuns)
    .flatMap(({ metrics: { measured, values } }) => (values === undefined || measured === 0 ? [] : [values]))
  if (now.values === undefined || compared.length < Math.max(runsToExpect, 0.9 * Math.min(good.length, comparedRuns)))
    return []
  const usual = Object.keys(compared[0] ?? {}).flatMap((value) => {
    const share = Math.min(...compared.map((values) => valueOf(values, value) ?? 0))
    return share * now.measured < minimumOfValue ? [] : [{ value, share }]
  })
  const missing = usual.filter(({ share, value }) => (valueOf(now.values, value) ?? 0) < share / 10)
  const lost = missing.reduce((sum, { share }) => sum + share, 0)
  // A field with one value may change to the next one at any time: an edition, a month.
  if (usual.length < 2 || lost < 0.1) return []
  return [
    {
      metric: "values",
      field,
      level: lost < 0.2 ? "unusual" : "broken",
      expected: `its ${usual.length} usual values`,
      came: `${usual.length - missing.length} of them: those of ${percent(lost)} of the rows are missing`
    }
  ]
}

/** Position of each quantile in the figures of lengths and numbers. */
const positions = [
  [2, "median"],
  [3, "90 % quantile"],
  [1, "10 % quantile"]
] as const

/** Distance of the outer quantiles. */
const widthOf = (figures: ReadonlyArray<number>): number => Math.abs((figures[3] ?? 0) - (figures[1] ?? 0))

/** Error of a quantile of `count` normally distributed values, from the distance of their outer quantiles. */
const quantileError = (width: number, at: number, count: number): number =>
  ((at === 2 ? 1.25 : 1.7) * width) / 2.56 / Math.sqrt(Math.max(1, count))

interface QuantileFigure {
  readonly metric: "lengths" | "numbers"
  readonly scale: (value: number) => number
  readonly unusual: number
  readonly less: number
  readonly more: number
}

const lengths: QuantileFigure = {
  metric: "lengths",
  scale: (length) => Math.log1p(length),
  unusual: Math.log(1.6),
  less: Math.log(2),
  more: Math.log(4)
}

const numbers: QuantileFigure = {
  metric: "numbers",
  scale: Math.asinh,
  unusual: Math.log(2),
  less: Math.log(4),
  more: Math.log(4)
}

const judgeQuantiles = (
  { less, metric, more, scale, unusual }: QuantileFigure,
  field: string,
  now: FieldMetrics,
  good: Fields
): ReadonlyArray<Found> => {
  const figures = now[metric]
  const filled = good.filter(({ metrics }) => metrics[metric].length > 0)
  if (figures.length === 0 || filled.length < minimumRuns) return []
  const scaled = figures.map(scale)
  // A few values are closer together than those that they were drawn from.
  const width = Math.max(widthOf(scaled), median(filled.map(({ metrics }) => widthOf(metrics[metric].map(scale)))))
  const found = positions.flatMap(([at, name]): ReadonlyArray<Found> => {
    const value = scaled[at] ?? 0
    const past = pastOf(filled, nameOf({ field, metric }), (metrics) => metrics[metric][at] ?? 0)
    const logs = past.map((each) => ({ ...each, value: scale(each.value) }))
    const isLess = value < median(logs.map((each) => each.value))
    const spread = Math.max(0.08, quantileError(width, at, now.measured))
    const level = judge(logs, value, { spread, unusual, broken: isLess ? less : more })
    const what = metric === "lengths" ? `length (${name})` : name
    return level === "fine"
      ? []
      : [{ metric, field, level, expected: `${what} ${between(past, amount)}`, came: amount(figures[at] ?? 0) }]
  })
  // One sentence is enough.
  return (
    found.some(({ level }) => level === "broken") ? found.filter(({ level }) => level === "broken") : found
  ).slice(0, 1)
}

/** Figures of a field that no row has. */
export const noValues: FieldMetrics = {
  measured: 0,
  fill: 0,
  types: {},
  languages: {},
  garbled: 0,
  distinct: 0,
  repeated: 0,
  lengths: [],
  numbers: []
}

const judgeField = (field: string, now: FieldMetrics, good: Fields, rows: number): ReadonlyArray<Found> => {
  const fill = judgeShare(
    { metric: "fill", field, what: "filled in", unusual: 0.1, broken: 0.25, side: "both" },
    now.fill,
    pastOf(good, nameOf({ field, metric: "fill" }), (metrics) => metrics.fill),
    rows
  ).map((found) =>
    now.fill > median(good.map(({ metrics }) => metrics.fill)) ? { ...found, level: "unusual" as const } : found
  )
  if (now.measured === 0 || fill.some(({ level }) => level === "broken")) return fill
  const garbled = judgeShare(
    { metric: "garbled", field, what: "broken encoding in", unusual: 0.03, broken: 0.12, side: "more" },
    now.garbled,
    pastOf(good, nameOf({ field, metric: "garbled" }), (metrics) => metrics.garbled),
    now.measured
  )
  return [
    ...fill,
    ...judgeMix("types", "types", field, now, good),
    ...judgeMix("languages", "languages", field, now, good),
    ...garbled,
    ...judgeDistinct(field, now, good),
    ...judgeValues(field, now, good),
    ...judgeQuantiles(lengths, field, now, good),
    ...judgeQuantiles(numbers, field, now, good)
  ]
}

/** Rows from which on a run that is the same as the one before it tells something. */
const minimumUnchanged = 50

/** A source that always changes, and then not at all: a stale copy. */
const judgeUnchanged = (now: SinkMetrics, good: ReadonlyArray<Good<SinkMetrics>>, at: number): ReadonlyArray<Found> => {
  const past = good.flatMap(
    ({ at, broken, metrics: { unchanged } }): ReadonlyArray<Past> =>
      unchanged === undefined ? [] : [{ at, value: unchanged, isTrusted: !broken.has("unchanged") }]
  )
  const days = comparable(past, at)
  if (now.unchanged === undefined || now.rows < minimumUnchanged || days.past.length < minimumRuns) return []
  const [, high] = rangeOf(days.past)
  if (now.unchanged < 0.998 || high > 0.97 || median(days.past.map(({ value }) => value)) > 0.95) return []
  const level = days.isNew || past.length < 8 ? "unusual" : "broken"
  return [
    {
      metric: "unchanged",
      level,
      expected: `${between(days.past, percent)} of the rows as in the run before`,
      came: percent(now.unchanged)
    }
  ]
}

const judgeRules = (now: SinkMetrics, { fields = {}, rows = {} }: Rules): ReadonlyArray<Found> => {
  const { max, min } = rows
  const found: Array<Found> = []
  if (min !== undefined && now.rows < min) {
    found.push({
      metric: "rows",
      level: "broken",
      expected: `at least ${whole(min)} rows (health.rows.min)`,
      came: whole(now.rows)
    })
  }
  if (max !== undefined && now.rows > max) {
    found.push({
      metric: "rows",
      level: "broken",
      expected: `at most ${whole(max)} rows (health.rows.max)`,
      came: whole(now.rows)
    })
  }
  for (const [field, { filled }] of Object.entries(fields)) {
    const fill = valueOf(now.fields, field)?.fill ?? 0
    if (filled !== undefined && now.rows > 0 && fill < filled) {
      const expected = `filled in at least ${percent(filled)} (health.fields)`
      found.push({ metric: "fill", field, level: "broken", expected, came: percent(fill) })
    }
  }
  return found
}

/** Verdicts on what a sink has written, worst first. `good`: the last good runs of the same kind, newest first. */
export const judgeSink = (
  sink: string,
  now: SinkMetrics,
  good: ReadonlyArray<Good<SinkMetrics>>,
  { at, rules = {} }: { readonly at: number; readonly rules?: Rules | undefined }
): ReadonlyArray<Verdict> => {
  const byRule = judgeRules(now, rules)
  const ruled = new Set(byRule.map(nameOf))
  const isRowsRuled = rules.rows?.min !== undefined || rules.rows?.max !== undefined
  const names = new Set([...Object.keys(now.fields), ...good.flatMap(({ metrics }) => Object.keys(metrics.fields))])
  const fields = [...names].filter((name) => valueOf(rules.fields, name)?.ignore !== true)
  const isEnough = good.length >= minimumRuns
  const learned = !isEnough
    ? []
    : [
        ...(isRowsRuled
          ? []
          : judgeRows(
              now.rows,
              pastOf(good, "rows", ({ rows }) => rows),
              at
            )),
        ...(now.rows === 0 ? [] : judgeContent(now, good, fields, at))
      ]
  const most = good.length < runsToHold ? "unusual" : "broken"
  const all = [
    ...byRule,
    ...learned
      .filter((found) => !ruled.has(nameOf(found)))
      .map((found) => ({ ...found, level: cap(found.level, most) }))
  ]
  return all.map((found): Verdict => ({ sink, ...found })).sort(byLevel)
}

/** Worst first. */
export const byLevel = (one: Verdict, other: Verdict): number =>
  Number(other.level === "broken") - Number(one.level === "broken")

const judgeContent = (
  now: SinkMetrics,
  good: ReadonlyArray<Good<SinkMetrics>>,
  fields: ReadonlyArray<string>,
  at: number
): ReadonlyArray<Found> => {
  // A run without rows tells nothing of the fields.
  const withRows = good.filter(({ metrics }) => metrics.rows > 0)
  if (withRows.length < minimumRuns) return []
  const repeated = judgeShare(
    { metric: "repeated", what: "rows that repeat another one:", unusual: 0.1, broken: 0.25, side: "more" },
    now.repeated,
    pastOf(withRows, "repeated", (metrics) => metrics.repeated),
    now.rows
  )
  const perField = fields.flatMap((field) => {
    const past = withRows.map(({ metrics, ...each }) => ({
      ...each,
      metrics: valueOf(metrics.fields, field) ?? noValues
    }))
    return judgeField(field, valueOf(now.fields, field) ?? noValues, past, now.measured)
  })
  return [...repeated, ...judgeUnchanged(now, withRows, at), ...perField]
}

/** Share of the pages with status 4xx, 5xx or without an answer. */
export const failedShare = ({ statuses }: RunMetrics): number =>
  (statuses["4xx"] ?? 0) + (statuses["5xx"] ?? 0) + (statuses.error ?? 0)

/** Share of the pages that the site blocked. */
export const blockedShare = ({ statuses }: RunMetrics): number => statuses.blocked ?? 0

/** Share of the files whose text could not be read. */
export const unreadShare = ({ statuses }: RunMetrics): number => statuses.unread ?? 0

/** Rows of the first step that emits less than usual: the steps after it do, too. */
const judgeSteps = (
  now: RunMetrics,
  good: ReadonlyArray<Good<RunMetrics>>,
  at: number
): ReadonlyArray<Found & { readonly sink: string }> => {
  const found = Object.entries(now.steps).flatMap(([step, rows]) =>
    judgeRows(
      rows,
      pastOf(good, "rows", ({ steps }) => valueOf(steps, step) ?? 0),
      at
    ).map((each) => ({ ...each, sink: step }))
  )
  return (["broken", "unusual"] as const).flatMap((level) => found.filter((each) => each.level === level).slice(0, 1))
}

/** Verdicts on a run as a whole, worst first. `good`: the last good runs of the same kind, newest first. */
export const judgeRun = (
  now: RunMetrics,
  good: ReadonlyArray<Good<RunMetrics>>,
  at: number
): ReadonlyArray<Verdict> => {
  if (good.length < minimumRuns) return []
  const rows = Math.max(0, ...Object.values(now.steps))
  const rejected = judgeShare(
    { metric: "rejected", what: "rejected rows:", unusual: 0.1, broken: 0.25, side: "more" },
    now.rejected,
    pastOf(good, "rejected", (metrics) => metrics.rejected),
    rows
  )
  const pages = (metric: string, what: string, share: (metrics: RunMetrics) => number) =>
    now.pages === 0
      ? []
      : judgeShare(
          { metric, what, unusual: 0.1, broken: 0.25, side: "more" },
          share(now),
          pastOf(good, metric, share),
          now.pages
        )
  const most = good.length < runsToHold ? "unusual" : "broken"
  return [
    ...judgeSteps(now, good, at),
    ...rejected,
    ...pages("failed pages", "pages that failed:", failedShare),
    ...pages("blocked pages", "pages that the site blocked:", blockedShare),
    ...pages("unread files", "files whose text could not be read:", unreadShare)
  ]
    .map((found): Verdict => ({ sink: "", ...found, level: cap(found.level, most) }))
    .sort(byLevel)
}

/** The verdict in one sentence. */
export const describeVerdict = ({ came, cause, expected, field, metric, since, sink }: Verdict): string => {
  const what = [sink, field].filter((part) => part !== undefined && part !== "").join(", ")
  const place = what === "" ? "" : `${what}: `
  const known: Readonly<Record<string, string>> = {
    rows: came === "1" ? "row" : "rows",
    distinct: came === "1" ? "value" : "different values"
  }
  const now = metric in known ? `${came} ${known[metric]}` : came
  const why = cause === undefined ? "" : ` (${cause})`
  return `${place}expected ${expected}, came ${now}${why}${since === undefined ? "" : `, since run ${since}`}`
}
