import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  isCounterState,
  isFrequencyState,
  isGaugeState,
  isHistogramState,
  isSummaryState
} from "./chunk-FKOQU2V5.js";
import {
  sample,
  unsafeSnapshot
} from "./chunk-PGOM52WJ.js";
import {
  value
} from "./chunk-PAQDWWDE.js";
import {
  map9 as map
} from "./chunk-JGKSI326.js";
import {
  getOrElse
} from "./chunk-ANBJACJV.js";

// src/Telemetry/Prometheus.ts
import { createHash, timingSafeEqual } from "node:crypto";
var contentType = "text/plain; version=0.0.4; charset=utf-8", nameOf = (name) => name.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_"), labelOf = (name) => name.replace(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=\d)/, "_"), escapeHelp = (text2) => text2.replaceAll("\\", "\\\\").replaceAll(`
`, "\\n"), escapeValue = (text2) => escapeHelp(text2).replaceAll('"', '\\"'), numberOf = (value2) => value2 === Number.POSITIVE_INFINITY ? "+Inf" : value2 === Number.NEGATIVE_INFINITY ? "-Inf" : Number.isNaN(value2) ? "NaN" : String(value2), line = (name, labels, value2) => {
  let inside = labels.map(([label, text2]) => `${labelOf(label)}="${escapeValue(text2)}"`).join(",");
  return `${name}${inside === "" ? "" : `{${inside}}`} ${numberOf(value2)}`;
}, kindOf = (pair) => {
  let { metricState } = pair;
  if (isGaugeState(metricState)) return "gauge";
  if (isHistogramState(metricState)) return "histogram";
  if (isSummaryState(metricState)) return "summary";
  let { keyType } = pair.metricKey;
  return keyType.incremental === !1 ? "gauge" : "counter";
}, linesOf = (name, labels, state) => isCounterState(state) ? [line(name, labels, state.count)] : isGaugeState(state) ? [line(name, labels, state.value)] : isFrequencyState(state) ? Array.from(state.occurrences, ([key, count]) => line(name, [...labels, ["key", key]], count)) : isHistogramState(state) ? [
  ...Array.from(
    state.buckets,
    ([bound, count]) => line(`${name}_bucket`, [...labels, ["le", numberOf(bound)]], count)
  ),
  line(`${name}_sum`, labels, state.sum),
  line(`${name}_count`, labels, state.count)
] : isSummaryState(state) ? [
  ...Array.from(
    state.quantiles,
    ([quantile, value2]) => line(
      name,
      [...labels, ["quantile", numberOf(quantile)]],
      getOrElse(value2, () => Number.NaN)
    )
  ),
  line(`${name}_sum`, labels, state.sum),
  line(`${name}_count`, labels, state.count)
] : [], render = (pairs) => {
  let families = /* @__PURE__ */ new Map();
  for (let pair of pairs) {
    let { metricKey, metricState } = pair, name = nameOf(metricKey.name), kind = kindOf(pair), family = families.get(name) ?? { kind, help: getOrElse(metricKey.description, () => ""), lines: [] };
    if (family.kind !== kind) continue;
    families.set(name, family);
    let labels = Array.from(
      metricKey.tags,
      ({ key, value: value2 }) => [key, value2]
    );
    family.lines.push(...linesOf(name, labels, metricState));
  }
  return [...families].sort(([one], [other]) => one < other ? -1 : 1).map(
    ([name, { help, kind, lines }]) => [...help === "" ? [] : [`# HELP ${name} ${escapeHelp(help)}`], `# TYPE ${name} ${kind}`, ...lines, ""].join(
      `
`
    )
  ).join("");
}, text = map(sample, () => render(unsafeSnapshot())), hash = (text2) => createHash("sha256").update(text2).digest(), hasKey = (key) => {
  let own = hash(value(key));
  return (authorization = "") => {
    let [, given] = /^Bearer\s+(.+)$/i.exec(authorization.trim()) ?? [];
    return given !== void 0 && timingSafeEqual(own, hash(given));
  };
};

export {
  contentType,
  text,
  hasKey
};
