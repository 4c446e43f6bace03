/** The `/metrics` endpoint: metrics in the text format of Prometheus (0.0.4), and the check of its key. */
import { createHash, timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as MetricLabel from "effect/MetricLabel"
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { sample } from "./Metric.ts"

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const nameOf = (name: string): string => name.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_")
const labelOf = (name: string): string => name.replace(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=\d)/, "_")

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

const numberOf = (value: number | bigint): string =>
  value === Number.POSITIVE_INFINITY
    ? "+Inf"
    : value === Number.NEGATIVE_INFINITY
      ? "-Inf"
      : Number.isNaN(value)
        ? "NaN"
        : String(value)

type Labels = ReadonlyArray<readonly [name: string, value: string]>

const line = (name: string, labels: Labels, value: number | bigint): string => {
  const inside = labels.map(([label, text]) => `${labelOf(label)}="${escapeValue(text)}"`).join(",")
  return `${name}${inside === "" ? "" : `{${inside}}`} ${numberOf(value)}`
}

interface Family {
  readonly kind: "counter" | "gauge" | "histogram" | "summary"
  readonly help: string
  readonly lines: Array<string>
}

const kindOf = (pair: MetricPair.MetricPair.Untyped): Family["kind"] => {
  const { metricState } = pair
  if (MetricState.isGaugeState(metricState)) return "gauge"
  if (MetricState.isHistogramState(metricState)) return "histogram"
  if (MetricState.isSummaryState(metricState)) return "summary"
  const { keyType } = pair.metricKey as { readonly keyType: { readonly incremental?: boolean } }
  return keyType.incremental === false ? "gauge" : "counter"
}

const linesOf = (name: string, labels: Labels, state: MetricState.MetricState.Untyped): ReadonlyArray<string> => {
  if (MetricState.isCounterState(state)) return [line(name, labels, state.count)]
  if (MetricState.isGaugeState(state)) return [line(name, labels, state.value)]
  if (MetricState.isFrequencyState(state)) {
    return Array.from(state.occurrences, ([key, count]) => line(name, [...labels, ["key", key]], count))
  }
  if (MetricState.isHistogramState(state)) {
    return [
      ...Array.from(state.buckets, ([bound, count]) =>
        line(`${name}_bucket`, [...labels, ["le", numberOf(bound)]], count)
      ),
      line(`${name}_sum`, labels, state.sum),
      line(`${name}_count`, labels, state.count)
    ]
  }
  if (MetricState.isSummaryState(state)) {
    return [
      ...Array.from(state.quantiles, ([quantile, value]) =>
        line(
          name,
          [...labels, ["quantile", numberOf(quantile)]],
          Option.getOrElse(value, () => Number.NaN)
        )
      ),
      line(`${name}_sum`, labels, state.sum),
      line(`${name}_count`, labels, state.count)
    ]
  }
  return []
}

/** The metrics as text, grouped by name, each with its HELP and TYPE. */
export const render = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const families = new Map<string, Family>()
  for (const pair of pairs) {
    const { metricKey, metricState } = pair
    const name = nameOf(metricKey.name)
    const kind = kindOf(pair)
    const family = families.get(name) ?? { kind, help: Option.getOrElse(metricKey.description, () => ""), lines: [] }
    // A name has only one kind; series of another kind are left out.
    if (family.kind !== kind) continue
    families.set(name, family)
    const labels = Array.from(
      metricKey.tags as ReadonlyArray<MetricLabel.MetricLabel>,
      ({ key, value }) => [key, value] as const
    )
    family.lines.push(...linesOf(name, labels, metricState))
  }
  return [...families]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { help, kind, lines }]) =>
      [...(help === "" ? [] : [`# HELP ${name} ${escapeHelp(help)}`]), `# TYPE ${name} ${kind}`, ...lines, ""].join(
        "\n"
      )
    )
    .join("")
}

/** The current metrics of this process. */
export const text: Effect.Effect<string> = Effect.map(sample, () => render(Metric.unsafeSnapshot()))

const hash = (text: string) => createHash("sha256").update(text).digest()

/** Makes a check of the `Authorization` header whose time is the same for every wrong key. */
export const hasKey = (key: Redacted.Redacted): ((authorization: string | undefined) => boolean) => {
  const expected = hash(Redacted.value(key))
  return (authorization = "") => {
    const [, given] = /^Bearer\s+(.+)$/i.exec(authorization.trim()) ?? []
    return given !== undefined && timingSafeEqual(expected, hash(given))
  }
}
