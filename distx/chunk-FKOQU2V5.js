import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  counter,
  gauge,
  observe
} from "./chunk-PGOM52WJ.js";
import {
  acquireRelease,
  isCounterState,
  isFrequencyState,
  isGaugeState,
  isHistogramState,
  isSummaryState,
  sync3 as sync,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";

// src/Telemetry/ProcessMetrics.ts
import { monitorEventLoopDelay } from "node:perf_hooks";
var memory = gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.", []), cpu = counter("process_cpu_seconds_total", "Processor time of the process, user and system.", []), begun = gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", []), delay = gauge(
  "sluice_event_loop_delay_seconds",
  "How late the event loop was since the last look, by quantile: above 0.2 everybody waits.",
  ["quantile"]
), nanos = 1e9, watchers = 0, late = monitorEventLoopDelay({ resolution: 20 }), told = 0, look = sync(() => {
  let { system, user } = process.cpuUsage(), used = (user + system) / 1e6;
  cpu.add(used - told), told = used, memory.set(process.memoryUsage.rss()), begun.set(performance.timeOrigin / 1e3);
  for (let quantile of [50, 99])
    delay.set(Math.max(0, late.percentile(quantile) / nanos - 0.02), String(quantile / 100));
  late.enable(), late.reset();
}), watch = acquireRelease(
  sync(() => {
    watchers++;
  }),
  () => sync(() => {
    --watchers === 0 && late.disable();
  })
).pipe(zipRight(observe(look)));

// node_modules/effect/dist/esm/MetricState.js
var isCounterState2 = isCounterState, isFrequencyState2 = isFrequencyState, isGaugeState2 = isGaugeState, isHistogramState2 = isHistogramState, isSummaryState2 = isSummaryState;

export {
  watch,
  isCounterState2 as isCounterState,
  isFrequencyState2 as isFrequencyState,
  isGaugeState2 as isGaugeState,
  isHistogramState2 as isHistogramState,
  isSummaryState2 as isSummaryState
};
