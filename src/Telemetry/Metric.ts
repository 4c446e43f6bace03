/** What is counted and measured: plain calls on Effect's own registry, with a bounded number of labels each. */
import * as Effect from "effect/Effect"
import * as EffectMetric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import type * as Scope from "effect/Scope"

/** A metric as it is written about. */
export interface Declared {
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly labels: ReadonlyArray<string>
}

const declared = new Map<string, Declared>()

/** All metrics of the modules that are loaded, by name. */
export const catalogue = (): ReadonlyArray<Declared> =>
  [...declared.values()].sort((one, other) => (one.name < other.name ? -1 : 1))

/** Series of one metric unless it says otherwise; what comes behind them is counted under `other`. */
export const mostSeries = 200

/** Characters of a label's value. */
const longest = 100

type Values<Labels extends ReadonlyArray<string>> = { readonly [K in keyof Labels]: string | number }

type Series = Pick<EffectMetric.Metric<unknown, number, unknown>, "unsafeModify" | "unsafeUpdate">

const none: ReadonlyArray<never> = []

/** A metric with its series by the values of their labels: who is told of the same again finds it at once. */
const make = <const Labels extends ReadonlyArray<string>, Type, Out>(
  declaration: Declared & { readonly labels: Labels },
  base: EffectMetric.Metric<Type, number, Out>,
  most = mostSeries
) => {
  declared.set(declaration.name, declaration)
  const { labels } = declaration
  const known = new Map<string, Series>()
  const tagged = (values: ReadonlyArray<string | number>): Series =>
    labels.length === 0
      ? base
      : EffectMetric.taggedWithLabels(
          base,
          labels.map((label, at) => MetricLabel.make(label, String(values[at] ?? "").slice(0, longest)))
        )
  return (values: ReadonlyArray<string | number>): Series => {
    const key = values.join("\u0000")
    let series = known.get(key)
    if (series === undefined) {
      const isFull = known.size >= most
      const place = isFull ? "\u0000other" : key
      series = known.get(place) ?? tagged(isFull ? labels.map(() => "other") : values)
      known.set(place, series)
    }
    return series
  }
}

/** Something that only grows; its name ends in `_total`. */
export const counter = <const Labels extends ReadonlyArray<string>>(
  name: string,
  help: string,
  labels: Labels,
  most?: number
) => {
  const find = make(
    { name, kind: "counter", help, labels },
    EffectMetric.counter(name, { description: help, incremental: true }),
    most
  )
  return { add: (amount: number, ...values: Values<Labels>): void => find(values).unsafeUpdate(amount, none) }
}

/** Something as it is now. */
export const gauge = <const Labels extends ReadonlyArray<string>>(name: string, help: string, labels: Labels) => {
  const find = make({ name, kind: "gauge", help, labels }, EffectMetric.gauge(name, { description: help }))
  return {
    set: (value: number, ...values: Values<Labels>): void => find(values).unsafeUpdate(value, none),
    /** For what begins and ends. */
    add: (amount: number, ...values: Values<Labels>): void => find(values).unsafeModify(amount, none)
  }
}

/** Seconds from a millisecond to two minutes. */
export const seconds = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120] as const

/** How often something took how long. */
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

/** Looks, and how many want each. */
const observers = new Map<Effect.Effect<void>, number>()

const want = (look: Effect.Effect<void>, more: 1 | -1) =>
  Effect.sync(() => {
    const count = (observers.get(look) ?? 0) + more
    if (count > 0) observers.set(look, count)
    else observers.delete(look)
  })

/**
 * Looked at before metrics are given away, for as long as the scope is open, and once where several want the same: what
 * nobody asks for costs nothing.
 */
export const observe = (look: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(want(look, 1), () => want(look, -1))

/** Brings every gauge up to date; one that cannot be looked at keeps nobody from the others. */
export const sample: Effect.Effect<void> = Effect.suspend(() =>
  Effect.forEach(
    [...observers.keys()],
    (look) => Effect.catchAllCause(Effect.timeoutOption(look, "2 seconds"), () => Effect.void),
    { discard: true, concurrency: 4 }
  )
)
