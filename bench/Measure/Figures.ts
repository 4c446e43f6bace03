/** Figures of a benchmark, each with its target. */
export interface Figure {
  readonly metric: string
  readonly value: number
  readonly unit: string
  readonly target: string
  readonly reached: boolean
}

/** A module of `bench` exports one as `bench`; what it throws is a line of the table. */
export interface Bench {
  readonly name: string
  readonly run: () => Promise<ReadonlyArray<Figure>>
}

const spelled = (bound: number): string => bound.toLocaleString("en-US", { maximumFractionDigits: 2 })

export const atMost = (metric: string, value: number, unit: string, most: number): Figure => ({
  metric,
  value,
  unit,
  target: `≤ ${spelled(most)}`,
  reached: value <= most
})

export const atLeast = (metric: string, value: number, unit: string, least: number): Figure => ({
  metric,
  value,
  unit,
  target: `≥ ${spelled(least)}`,
  reached: value >= least
})

/** A figure without a target. */
export const noted = (metric: string, value: number, unit: string): Figure => ({
  metric,
  value,
  unit,
  target: "none",
  reached: true
})

/** The value below which that share of all others lies, from 0 to 1; 0 of none. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** The median over rounds of whatever figure of a round is named. */
export const medianOf =
  <Round>(rounds: ReadonlyArray<Round>) =>
  (figure: (round: Round) => number): number =>
    median(rounds.map(figure))
