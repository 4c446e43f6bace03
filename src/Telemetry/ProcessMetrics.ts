/** Metrics of the process: memory, CPU time, and the delay of the event loop. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { counter, gauge, observe } from "./Metric.ts"

const memory = gauge("process_resident_memory_bytes", "Memory that the process uses in RAM.", [])
const cpu = counter("process_cpu_seconds_total", "Processor time of the process, user and system.", [])
const begun = gauge("process_start_time_seconds", "Start time of the process, in seconds since 1970.", [])
const delay = gauge(
  "sluice_event_loop_delay_seconds",
  "Seconds by which the event loop was late since the last measurement, by quantile: every request waits that long. Above 0.2, the process is overloaded.",
  ["quantile"]
)

const nanos = 1e9

let watchers = 0

/** Enabled by the first observation, because it takes some CPU time. */
const delayMonitor = monitorEventLoopDelay({ resolution: 20 })

/** CPU seconds already included in the counter. */
let counted = 0

const look = Effect.sync(() => {
  const { system, user } = process.cpuUsage()
  const used = (user + system) / 1e6
  cpu.add(used - counted)
  counted = used
  memory.set(process.memoryUsage.rss())
  begun.set(performance.timeOrigin / 1000)
  // The monitor measures from tick to tick, so its own interval of 20 ms does not count as delay.
  for (const quantile of [50, 99]) {
    delay.set(Math.max(0, delayMonitor.percentile(quantile) / nanos - 0.02), String(quantile / 100))
  }
  delayMonitor.enable()
  delayMonitor.reset()
})

/** Records the metrics while the scope is open. */
export const watch: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    watchers++
  }),
  () =>
    Effect.sync(() => {
      if (--watchers === 0) delayMonitor.disable()
    })
).pipe(Effect.zipRight(observe(look)))
