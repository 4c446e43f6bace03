/**
 * Verdicts on the figures of a run: a figure that is certainly broken holds the outputs of its run; any other deviation is only unusual.
 *
 * - A figure is compared with the same figure in each of the last good runs, not with an average: whatever one of them had is normal. Runs
 *   that were published with the figure broken do not count, unless they were released by hand.
 * - Each rule is one sentence of `docs/how-to/trust-the-data.md`. Its name, which the message shows, switches it off.
 */
import * as Schema from "effect/Schema"
import { withGot } from "../Row/SavedValue.ts"
import type * as HealthRules from "../Sink/HealthRules.ts"
import { matchText, type SavedMatches } from "../Step/Extract/FieldMatches.ts"
import type { FieldMetrics, RunMetrics, SinkMetrics } from "./Profile.ts"

/** Verdict on a figure that is not as expected. */
export const Verdict = withGot(
  Schema.Struct({
    /** Id of the step; empty for a figure of the whole run. */
    sink: Schema.String,
    /** Name of the file that the step writes. Verdicts of earlier versions have none. */
    output: Schema.optional(Schema.String),
    /** `contract`, a name from `Sink/HealthRules.ts`, or a name used by an earlier version. */
    metric: Schema.String,
    field: Schema.optional(Schema.String),
    level: Schema.Literal("unusual", "broken"),
    expected: Schema.String,
    got: Schema.String,
    /** True if a rule of the definition was violated, rather than a comparison with other runs. */
    isRule: Schema.optional(Schema.Literal(true)),
    /** Why the output has fewer rows than in other runs, if that is known. */
    cause: Schema.optional(Schema.String),
    /** Id of the first run in the unbroken series of runs with this verdict; undefined if the series begins with the run itself. */
    since: Schema.optional(Schema.String)
  })
)
export type Verdict = typeof Verdict.Type

/** Rules of the definition for one field. */
interface FieldRule {
  readonly ignore?: boolean | undefined
  /** Minimum share of the rows in which the field is filled. */
  readonly filled?: number | undefined
}

/** Rules of the definition for one output; they apply from the first run on. */
export interface Rules {
  readonly rows?: { readonly min?: number | string | undefined; readonly max?: number | undefined } | undefined
  readonly fields?: Readonly<Record<string, FieldRule>> | undefined
  /** Names of verdicts that are switched off: `rows`, `filled`, `price filled`. */
  readonly ignore?: ReadonlyArray<string> | undefined
  /** True for an output that contains only changes: a small number of rows is normal there. */
  readonly hasChanges?: boolean | undefined
}

/** Figures of a good run: one whose outputs were published. */
export interface Good<Metrics> {
  readonly runId: string
  /** Scheduled time of the run, or when it started: milliseconds since 1970. */
  readonly at: number
  readonly metrics: Metrics
  /** Names ({@link nameOf}) of figures that were broken when the run was published without being released by hand. */
  readonly broken: ReadonlySet<string>
}

/** Name of a figure, without its sink, as messages show it: `rows` or `price filled`. */
export const nameOf = ({ field, metric }: Pick<Verdict, "field" | "metric">): string =>
  field === undefined ? metric : `${field} ${metric}`

type Found = Omit<Verdict, "sink">

/** Minimum number of good runs for a comparison; with fewer, no figure is judged. */
export const minimumRuns = 3
/** Minimum number of good runs for a broken figure to hold the outputs. */
export const runsToHold = 5
/** Minimum number of good runs to compare with, if there are that many. */
const comparedRuns = 20
/** Milliseconds: all good runs of the last 31 days are compared too, which covers daily, weekly and monthly patterns. */
export const comparedTime = 31 * 24 * 60 * 60_000
/** With fewer rows, pages or values than this, no finding is certain. */
const fewestValues = 10
/** Like {@link fewestValues}, for findings that concern all of the rows, pages or values. */
const fewestOfAll = 5
/** If each good run had at least this many different values, a single one is certainly wrong. */
const manyValues = 5

const week = 7 * 24 * 60 * 60_000
const hour = 60 * 60_000

/** Reads a key that comes from data: a field may be called `constructor`, which every object inherits. */
export const valueOf = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

const percent = (share: number): string =>
  `${(share * 100).toLocaleString("en-US", { maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 })} %`
const amount = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 3 })
const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

const between = (values: ReadonlyArray<number>, format: (value: number) => string): string => {
  const [low, high] = [format(Math.min(...values)), format(Math.max(...values))]
  return low === high ? low : `${low} to ${high}`
}

/** The last good runs, newest first, that a figure is compared with. */
export const comparedWith = <Metrics, Run extends Good<Metrics>>(
  good: ReadonlyArray<Run>,
  name: string,
  at: number
): ReadonlyArray<Run> =>
  good
    .filter((each) => !each.broken.has(name))
    .filter((each, position) => position < comparedRuns || at - each.at <= comparedTime)

interface Judged {
  readonly isBroken: boolean
  readonly isUnusual: boolean
  readonly expected: string
  readonly got: string
}

/** The verdict on a figure; empty if the figure is fine, or if there are too few runs to judge it. */
const verdictOn = (
  figure: { readonly metric: string; readonly field?: string | undefined },
  runs: number,
  { got, expected, isBroken, isUnusual }: Judged
): ReadonlyArray<Found> => {
  if (runs < minimumRuns || !(isBroken || isUnusual)) return []
  return [{ ...figure, level: isBroken && runs >= runsToHold ? "broken" : "unusual", expected, got }]
}

/** Minimum rows in each good run for a broken verdict: `always`, or `steady` if the largest run has at most `spread` times the smallest. */
const rowsToHold = { always: 50, steady: 20, spread: 1.5 } as const

/**
 * Judges the number of rows: broken below 40 % of the smallest of the last good runs. Because the rows of a source may depend on the time,
 * the good runs must reach back a week, or enough of them must lie within the last hour.
 */
const judgeRows = (rows: number, good: ReadonlyArray<Good<SinkMetrics>>, at: number): ReadonlyArray<Found> => {
  const past = comparedWith(good, "rows", at)
  const values = past.map(({ metrics }) => metrics.rows)
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const { always, spread, steady } = rowsToHold
  const isEnough = least >= always || (least >= steady && greatest <= spread * least)
  const knowsRhythm =
    past.some((each) => at - each.at >= week) || past.filter((each) => at - each.at <= hour).length >= runsToHold
  return verdictOn({ metric: "rows" }, past.length, {
    isBroken: isEnough && knowsRhythm && rows < 0.4 * least,
    isUnusual: least >= fewestValues && (rows < 0.6 * least || rows > 3 * greatest),
    expected: between(values, whole),
    got: whole(rows)
  })
}

/**
 * Judges a share of the run's source rows or pages: broken if it stands for at least 5 of them, is at least 30 %, and is at least twice the
 * share in each of the last good runs.
 */
const judgeShare = (
  metric: (typeof HealthRules.runFigures)[number],
  share: (metrics: RunMetrics) => number,
  countOf: (metrics: RunMetrics) => number,
  now: RunMetrics,
  good: ReadonlyArray<Good<RunMetrics>>,
  at: number
): ReadonlyArray<Found> => {
  const past = comparedWith(good, metric, at).filter(({ metrics }) => countOf(metrics) > 0)
  const values = past.map(({ metrics }) => share(metrics))
  const greatest = Math.max(...values)
  const got = share(now)
  const isMany = got * countOf(now) >= 4.5
  return verdictOn({ metric }, past.length, {
    // Files without readable text are the owner's doing, so a high share of them is never broken, only unusual.
    isBroken: metric !== "unread files" && isMany && got >= 0.3 && got >= 2 * greatest,
    isUnusual: isMany && got >= 2 * greatest + 0.1,
    expected: between(values, percent),
    got: percent(got)
  })
}

/** Figures of a field that no row contains. */
export const noValues: FieldMetrics = {
  measured: 0,
  fill: 0,
  types: {},
  garbled: 0,
  distinct: 0,
  repeated: 0,
  lengths: [],
  numbers: []
}

export const fieldOf = ({ fields }: SinkMetrics, name: string): FieldMetrics => valueOf(fields, name) ?? noValues

/**
 * True if as many rows are right as ever: a share of the rows fell because others were added, like an import of rows without the field.
 * `past`: rows that were right in each good run.
 */
const areAllThere = (right: number, past: ReadonlyArray<number>): boolean =>
  right > 0 && right >= 0.9 * Math.max(...past)

/** Type of at least 95 % of a field's values, if there is one. */
const typeOf = ({ types }: FieldMetrics): string | undefined =>
  Object.entries(types).find(([, share]) => share >= 0.95)?.[0]

export const mixOf = (shares: Readonly<Record<string, number>>): string =>
  Object.entries(shares)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([key, share]) => (share > 0.995 ? key : `${key} ${percent(share)}`))
    .join(", ")

const isHolding = ({ level }: Pick<Verdict, "level">): boolean => level === "broken"

const isString = ({ types }: FieldMetrics): boolean =>
  (types.text ?? 0) + (types.link ?? 0) + (types.markup ?? 0) >= 0.5

const judgeField = (
  field: string,
  now: SinkMetrics,
  good: ReadonlyArray<Good<SinkMetrics>>,
  at: number
): ReadonlyArray<Found> => {
  const got = fieldOf(now, field)
  const ofMetric = (metric: (typeof HealthRules.fieldFigures)[number]) =>
    comparedWith(good, nameOf({ field, metric }), at).filter(({ metrics }) => metrics.measured >= fewestOfAll)
  const isEnough = now.measured >= fewestValues
  /** Rows that are right, of which `share` says the share among those with the field. */
  const rightRows = (metrics: SinkMetrics, share: (field: FieldMetrics) => number): number => {
    const measured = fieldOf(metrics, field)
    return metrics.rows * measured.fill * share(measured)
  }
  /** True if as many rows as ever are right, by the same share. */
  const isGrowth = (metric: (typeof HealthRules.fieldFigures)[number], share: (field: FieldMetrics) => number) =>
    areAllThere(
      rightRows(now, share),
      ofMetric(metric).map(({ metrics }) => rightRows(metrics, share))
    )
  const filled = ofMetric("filled").map(({ metrics }) => fieldOf(metrics, field).fill)
  const least = Math.min(...filled)
  const fill = verdictOn({ field, metric: "filled" }, filled.length, {
    isBroken:
      ((least >= 0.95 && got.fill < 0.5 && isEnough) || (least >= 0.8 && got.fill < 0.02)) &&
      !isGrowth("filled", () => 1),
    isUnusual: got.fill < least - 0.25 && isEnough,
    expected: between(filled, percent),
    got: percent(got.fill)
  })
  if (got.measured < fewestOfAll) return fill
  /** Figures of the field in those good runs that measured at least 5 of its values. */
  const values = (metric: (typeof HealthRules.fieldFigures)[number]): ReadonlyArray<FieldMetrics> =>
    ofMetric(metric)
      .map(({ metrics }) => fieldOf(metrics, field))
      .filter(({ measured }) => measured >= fewestOfAll)
  const typed = values("type")
  const usual = typed[0] && typeOf(typed[0])
  const isTyped = usual !== undefined && typed.every((each) => typeOf(each) === usual)
  const shareOf = ({ types }: FieldMetrics) => (usual === undefined ? 1 : (types[usual] ?? 0))
  const share = shareOf(got)
  const type = verdictOn({ field, metric: "type" }, typed.length, {
    isBroken: isTyped && (share === 0 || (share < 0.5 && got.measured >= fewestValues)) && !isGrowth("type", shareOf),
    isUnusual: isTyped && share < 0.75,
    expected: usual ?? "",
    got: mixOf(got.types)
  })
  const number = judgeMedian("number")
  if (got.measured < fewestValues) return [...fill, ...type, ...number.filter(isHolding)]
  const strings = values("repeated")
  const repeats = strings.map(({ repeated }) => repeated)
  const wereDistinct = strings.every(isString) && isString(got) && Math.max(...repeats) <= 0.1
  // On a release day all pages have the same date, so a single date is not suspicious.
  const isOneValue = got.distinct === 1 && typeOf(got) !== "date"
  const isOneOfMany = isOneValue && !type.some(isHolding) && strings.every(({ distinct }) => distinct >= manyValues)
  const repeated = verdictOn({ field, metric: "repeated" }, strings.length, {
    isBroken: (wereDistinct && got.repeated > 0.4 && !isGrowth("repeated", (each) => 1 - each.repeated)) || isOneOfMany,
    isUnusual: wereDistinct && got.repeated > 0.25,
    expected: isOneOfMany ? `${manyValues} different values or more` : `${between(repeats, percent)} of the values`,
    got: isOneOfMany ? "1 in all rows" : percent(got.repeated)
  })
  const garbled = values("encoding").map((each) => each.garbled)
  const encoding = verdictOn({ field, metric: "encoding" }, garbled.length, {
    isBroken: Math.max(...garbled) <= 0.01 && got.garbled >= 0.3,
    isUnusual: got.garbled > Math.max(...garbled) + 0.1,
    expected: `broken in ${between(garbled, percent)}`,
    got: percent(got.garbled)
  })
  return [...fill, ...type, ...repeated, ...encoding, ...judgeMedian("length"), ...number]

  /**
   * Judges the median length or number of a field: unusual if it is more than 3 times below or above the medians of the good runs. Numbers
   * are broken if it is more than 20 times, and the good medians are within a factor of 3.
   */
  function judgeMedian(metric: "length" | "number"): ReadonlyArray<Found> {
    const medianOf = ({ lengths, numbers }: FieldMetrics) => (metric === "length" ? lengths : numbers)[2]
    const medians = values(metric).flatMap((each) => medianOf(each) ?? [])
    const value = medianOf(got)
    const [low, high] = [Math.min(...medians), Math.max(...medians)]
    const isOutside = (factor: number) =>
      low > 0 && value !== undefined && (value < low / factor || value > factor * high)
    return verdictOn({ field, metric }, value === undefined ? 0 : medians.length, {
      isBroken: metric === "number" && high <= 3 * low && isOutside(20),
      isUnusual: isOutside(3),
      expected: `median ${between(medians, amount)}`,
      got: amount(value ?? 0)
    })
  }
}

/** Verdicts on violations of the definition's rules. */
const judgeRules = (
  now: SinkMetrics,
  { fields = {}, rows = {} }: Rules,
  past: ReadonlyArray<Good<SinkMetrics>>
): ReadonlyArray<Found> => {
  const { max, min = 0 } = rows
  const found: Array<Found> = []
  const got = whole(now.rows)
  // Without a good run there is nothing that a share could be of.
  const least = past.length === 0 ? 0 : Math.min(...past.map(({ metrics }) => metrics.rows))
  const [limit, ofLeast] =
    typeof min === "number" ? [min, ""] : [(Number.parseFloat(min) * least) / 100, `, ${min} of ${whole(least)}`]
  if (now.rows < limit) {
    const expected = `at least ${whole(Math.ceil(limit))}${ofLeast} (health.rows.min)`
    found.push({ metric: "rows", level: "broken", expected, got })
  }
  if (max !== undefined && now.rows > max) {
    found.push({ metric: "rows", level: "broken", expected: `at most ${whole(max)} (health.rows.max)`, got })
  }
  for (const [field, { filled }] of Object.entries(fields)) {
    const { fill } = fieldOf(now, field)
    if (filled !== undefined && now.rows > 0 && fill < filled) {
      const expected = `at least ${percent(filled)} (health.fields)`
      found.push({ metric: "filled", field, level: "broken", expected, got: percent(fill) })
    }
  }
  return found
}

const isOff = (found: Pick<Verdict, "field" | "metric">, { fields, ignore = [] }: Rules): boolean =>
  (found.field !== undefined && valueOf(fields, found.field)?.ignore === true) ||
  ignore.includes(found.metric) ||
  ignore.includes(nameOf(found))

/**
 * Broken when a field of an `extract` used to match in 95 % of the rows or more, and now matches in fewer than half. Names the run in which
 * it last matched, and the element that is now most similar.
 */
const judgeMatches = (
  matches: SavedMatches,
  good: ReadonlyArray<Good<SinkMetrics>>,
  at: number
): ReadonlyArray<Found> =>
  Object.entries(matches).flatMap(([field, now]) => {
    const figure = { field, metric: "matched" satisfies (typeof HealthRules.fieldFigures)[number] }
    const past = comparedWith(good, nameOf(figure), at).flatMap(({ metrics, runId }) => {
      const match = valueOf(metrics.matches, field)
      return match === undefined || match.asked < fewestOfAll
        ? []
        : [{ match, runId, share: match.matched / match.asked }]
    })
    const [last] = past.filter(({ match }) => match.matched > 0)
    if (last === undefined || now.asked < fewestOfAll) return []
    const share = now.matched / now.asked
    const least = Math.min(...past.map((each) => each.share))
    const matched = past.map(({ match }) => match.matched)
    return verdictOn(figure, past.length, {
      isBroken:
        least >= 0.95 &&
        share < 0.5 &&
        (now.asked >= fewestValues || share === 0) &&
        !areAllThere(now.matched, matched),
      isUnusual: share < least - 0.25 && now.asked >= fewestValues,
      expected: `${between(
        past.map((each) => each.share),
        percent
      )} (${matchText(last.match, field)} in run ${last.runId})`,
      got: `${percent(share)} (${matchText(now, field)})${now.nearest === undefined ? "" : `; nearest now: ${now.nearest}`}`
    })
  })

/** Verdicts on the rows of a sink or the fields of an `extract`, worst first. `good`: the last good runs of the same kind, newest first. */
export const judgeSink = (
  sink: string,
  now: SinkMetrics,
  good: ReadonlyArray<Good<SinkMetrics>>,
  { at, rules = {} }: { readonly at: number; readonly rules?: Rules | undefined }
): ReadonlyArray<Verdict> => {
  if (now.matches !== undefined) return ranked(sink, judgeMatches(now.matches, good, at), rules)
  const byRule = judgeRules(now, rules, comparedWith(good, "rows", at)).map(
    (found): Found => ({ ...found, isRule: true })
  )
  const ruled = new Set(byRule.map(nameOf))
  const isRuled = rules.rows?.min !== undefined || rules.rows?.max !== undefined
  const names = new Set([...Object.keys(now.fields), ...good.flatMap(({ metrics }) => Object.keys(metrics.fields))])
  const learned = [
    ...(isRuled || rules.hasChanges === true ? [] : judgeRows(now.rows, good, at)),
    // Fewer than 5 measured rows are not enough to judge the fields.
    ...(now.measured < fewestOfAll ? [] : [...names].flatMap((field) => judgeField(field, now, good, at)))
  ].filter((found) => !ruled.has(nameOf(found)))
  return ranked(sink, [...byRule, ...learned], rules)
}

/** Comparator that puts broken verdicts first. */
export const byLevel = (one: Verdict, other: Verdict): number =>
  Number(other.level === "broken") - Number(one.level === "broken")

/** Verdicts that the rules have not switched off, worst first. */
const ranked = (sink: string, found: ReadonlyArray<Found>, rules: Rules): ReadonlyArray<Verdict> =>
  found
    .filter((each) => !isOff(each, rules))
    .map((each): Verdict => ({ sink, ...each }))
    .sort(byLevel)

/** Share of the pages with status 4xx or 5xx, or without a response. */
export const failedShare = ({ statuses }: RunMetrics): number =>
  (statuses["4xx"] ?? 0) + (statuses["5xx"] ?? 0) + (statuses.error ?? 0)

/** Share of the pages that the site blocked. */
export const blockedShare = ({ statuses }: RunMetrics): number => statuses.blocked ?? 0

/** Share of the files whose text could not be read. */
export const unreadShare = ({ statuses }: RunMetrics): number => statuses.unread ?? 0

const mostRows = ({ steps }: RunMetrics): number => Math.max(0, ...Object.values(steps))

/** Verdicts on a run as a whole, worst first. `good`: the last good runs of the same kind, newest first. */
export const judgeRun = (
  now: RunMetrics,
  good: ReadonlyArray<Good<RunMetrics>>,
  { at, rules = {} }: { readonly at: number; readonly rules?: Rules | undefined }
): ReadonlyArray<Verdict> => {
  const found = [
    ...judgeShare("rejected", ({ rejected }) => rejected, mostRows, now, good, at),
    ...judgeShare("failed pages", failedShare, ({ pages }) => pages, now, good, at),
    ...judgeShare("blocked pages", blockedShare, ({ pages }) => pages, now, good, at),
    ...judgeShare("unread files", unreadShare, ({ pages }) => pages, now, good, at)
  ]
  return ranked("", found, rules)
}

/** The verdict in one sentence, with the name that switches it off. */
export const describeVerdict = (verdict: Verdict): string => {
  const { got, cause, expected, field, metric, output = verdict.sink, since } = verdict
  const isOfContract = metric === "contract"
  const parts = isOfContract ? [[output, field].filter(Boolean).join(", ")] : [output, nameOf(verdict)]
  const place = parts.map((part) => (part === "" ? "" : `${part}: `)).join("")
  const why = cause === undefined ? "" : ` (${cause})`
  return `${place}expected ${expected}, got ${got}${why}${since === undefined ? "" : `, since run ${since}`}`
}
