/**
 * Expected range of a figure, from the last good runs: median and MAD (median absolute deviation), with a smallest
 * spread and a smallest effect, so that a steady past makes no alarm of a small change.
 *
 * A figure is unusual or broken when it is far from the median in units of the spread, far in absolute terms, and far
 * from every trusted run: a level that was released once is known from then on.
 */

export type Level = "fine" | "unusual" | "broken"

/** A figure of a good run. */
export interface Past {
  readonly value: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** False if the run was published although this figure was broken: it moves the median, but allows nothing by itself. */
  readonly isTrusted: boolean
}

export interface Limits {
  /** Smallest spread: natural variation and the error of the measurement. */
  readonly spread: number
  /** Smallest distance from the median for each level; a level without one is never reached. */
  readonly unusual: number
  readonly broken?: number | undefined
}

/** Good runs that a comparison needs; with fewer nothing is judged. */
export const minimumRuns = 3
/** Good runs from which on a broken figure holds the outputs. */
export const runsToHold = 5
/** Good runs that are compared with. */
export const comparedRuns = 20
/** Good runs that are read: four weeks of a pipeline that runs twice a day. */
export const rememberedRuns = 60

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Standard deviation of normally distributed values, by their median absolute deviation. */
export const spreadOf = (values: ReadonlyArray<number>, center: number): number =>
  1.4826 * median(values.map((value) => Math.abs(value - center)))

const spreadsForUnusual = 4
const spreadsForBroken = 6
/** Share of a smallest effect that a figure must be away from every trusted run. */
const nearness = 0.6

/** Level of a figure at this distance from the median, and from the nearest trusted run. */
export const levelOf = (distance: number, nearest: number, { broken, spread, unusual }: Limits): Level => {
  const reaches = (effect: number | undefined, spreads: number) =>
    effect !== undefined && distance >= effect && distance >= spreads * spread && nearest >= nearness * effect
  if (reaches(broken, spreadsForBroken)) return "broken"
  return reaches(unusual, spreadsForUnusual) ? "unusual" : "fine"
}

/** Judges a figure by those of the last good runs, newest first. */
export const judge = (past: ReadonlyArray<Past>, value: number, limits: Limits): Level => {
  const compared = past.slice(0, comparedRuns)
  if (compared.length < minimumRuns) return "fine"
  const values = compared.map((each) => each.value)
  const center = median(values)
  const spread = Math.max(limits.spread, spreadOf(values, center))
  const nearest = Math.min(...compared.map((each) => (each.isTrusted ? Math.abs(value - each.value) : Infinity)))
  return levelOf(Math.abs(value - center), nearest, { ...limits, spread })
}

const day = 24 * 60 * 60_000
const weekdayOf = (at: number): number => new Date(at).getUTCDay()
const isWeekend = (at: number): boolean => weekdayOf(at) % 6 === 0

/** Runs of the same kind of day from which on only these are compared with. */
const runsOfKind = 5
/** Runs of the same weekday that make a season, within at least four weeks. */
const runsOfWeekday = 4
const season = 27 * day

/**
 * Good runs to compare a figure of volume with, which may have a weekly rhythm: those of the same weekday once there
 * are four weeks, before that those of the same kind of day (workday or weekend). `isNew` when no run was on such a
 * day: then only an extreme change is broken.
 */
export const comparable = (
  past: ReadonlyArray<Past>,
  at: number
): { readonly past: ReadonlyArray<Past>; readonly isNew: boolean } => {
  const sameWeekday = past.filter((each) => weekdayOf(each.at) === weekdayOf(at))
  const sameKind = past.filter((each) => isWeekend(each.at) === isWeekend(at))
  const oldest = past.at(-1)?.at ?? at
  if (at - oldest >= season && sameWeekday.length >= runsOfWeekday) return { past: sameWeekday, isNew: false }
  if (sameKind.length >= runsOfKind) return { past: sameKind, isNew: false }
  return { past, isNew: past.length > 0 && sameKind.length === 0 }
}

/** Smallest and largest figure of the trusted runs that are compared with. */
export const rangeOf = (past: ReadonlyArray<Past>): readonly [low: number, high: number] => {
  const compared = past.slice(0, comparedRuns)
  const trusted = compared.filter(({ isTrusted }) => isTrusted)
  const values = (trusted.length === 0 ? compared : trusted).map(({ value }) => value)
  return [Math.min(...values), Math.max(...values)]
}
