/** Counters, gauges and histograms in Effect's registry, with a bounded number of series each. */
import * as Effect from "effect/Effect"
import * as EffectMetric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import type * as Scope from "effect/Scope"

/** Description of a metric. */
export interface Declared {
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly labels: ReadonlyArray<string>
}

const declared = new Map<string, Declared>()

/** The metrics of all loaded modules, sorted by name. */
export const catalogue = (): ReadonlyArray<Declared> =>
  [...declared.values()].sort((one, other) => (one.name < other.name ? -1 : 1))

/**
 * Default maximum of series per metric. Beyond it, the value of the first label becomes `other`, as in `pipeline="other", status="failed"`,
 * and after {@link maxOther} of these series all labels do. So a label with any number of values comes first.
 */
export const maxSeries = 200
const maxOther = 50

const maxLabelLength = 100

type Values<Labels extends ReadonlyArray<string>> = { readonly [K in keyof Labels]: string | number }

type Series = Pick<EffectMetric.Metric<unknown, number, unknown>, "unsafeModify" | "unsafeUpdate">

const none: ReadonlyArray<never> = []

/** Makes a function that finds the series of label values; a known series takes one lookup. */
const make = <const Labels extends ReadonlyArray<string>, Type, Out>(
  declaration: Declared & { readonly labels: Labels },
  base: EffectMetric.Metric<Type, number, Out>,
  limit = maxSeries
) => {
  declared.set(declaration.name, declaration)
  const { labels } = declaration
  const known = new Map<string, Series>()
  const others = new Map<string, Series>()
  const tagged = (values: ReadonlyArray<string | number>): Series =>
    labels.length === 0
      ? base
      : EffectMetric.taggedWithLabels(
          base,
          labels.map((label, at) => MetricLabel.make(label, String(values[at] ?? "").slice(0, maxLabelLength)))
        )
  const keyOf = (values: ReadonlyArray<string | number>): string => values.join("\u0000")
  const found = (among: Map<string, Series>, key: string, values: ReadonlyArray<string | number>): Series => {
    const series = among.get(key) ?? tagged(values)
    among.set(key, series)
    return series
  }
  const findOther = ([, ...rest]: ReadonlyArray<string | number>): Series => {
    const key = `rest ${keyOf(rest)}`
    return others.has(key) || others.size < maxOther
      ? found(others, key, ["other", ...rest])
      : found(
          others,
          "all",
          labels.map(() => "other")
        )
  }
  return (values: ReadonlyArray<string | number>): Series => {
    const key = keyOf(values)
    return known.get(key) ?? (known.size < limit ? found(known, key, values) : findOther(values))
  }
}

/** A value that only grows. Its name ends in `_total`. */
export const counter = <const Labels extends ReadonlyArray<string>>(
  name: string,
  help: string,
  labels: Labels,
  limit?: number
) => {
  const find = make(
    { name, kind: "counter", help, labels },
    EffectMetric.counter(name, { description: help, incremental: true }),
    limit
  )
  return { add: (amount: number, ...values: Values<Labels>): void => find(values).unsafeUpdate(amount, none) }
}

/** A current value. */
export const gauge = <const Labels extends ReadonlyArray<string>>(name: string, help: string, labels: Labels) => {
  const find = make({ name, kind: "gauge", help, labels }, EffectMetric.gauge(name, { description: help }))
  return {
    set: (value: number, ...values: Values<Labels>): void => find(values).unsafeUpdate(value, none),
    /** Adds to the value: 1 if something starts, -1 if it ends. */
    add: (amount: number, ...values: Values<Labels>): void => find(values).unsafeModify(amount, none)
  }
}

/** Bucket boundaries in seconds, from a millisecond to two minutes. */
export const seconds = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120] as const

/** A distribution, of durations in seconds by default. */
export const histogram = <const Labels extends ReadonlyArray<string>>(
  name: string,
  help: string,
  labels: Labels,
  boundaries: ReadonlyArray<number> = seconds
) => {
  const find = make(
    { name, kind: "histogram", help, labels },
    EffectMetric.histogram(name, MetricBoundaries.fromIterable(boundaries), help)
  )
  return { record: (value: number, ...values: Values<Labels>): void => find(values).unsafeUpdate(value, none) }
}

/** Observers (effects that update gauges), with the number of scopes that registered each. */
const observers = new Map<Effect.Effect<void>, number>()

const register = (look: Effect.Effect<void>, more: 1 | -1) =>
  Effect.sync(() => {
    const count = (observers.get(look) ?? 0) + more
    if (count > 0) observers.set(look, count)
    else observers.delete(look)
  })

/**
 * Registers an effect that updates gauges before the metrics are exported or scraped, while the scope is open. Registered twice, it runs
 * once.
 */
export const observe = (look: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(register(look, 1), () => register(look, -1))

/** Runs all observers. A failing or slow one does not affect the others. */
export const sample: Effect.Effect<void> = Effect.suspend(() =>
  Effect.forEach(
    [...observers.keys()],
    (look) => Effect.catchAllCause(Effect.timeoutOption(look, "2 seconds"), () => Effect.void),
    { discard: true, concurrency: 4 }
  )
)
