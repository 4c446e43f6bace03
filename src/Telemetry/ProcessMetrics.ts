/** What the process itself says: memory, processor time, and how long the event loop keeps others waiting. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { counter, gauge, observe } from "./Metric.ts"

const memory = gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.", [])
const cpu = counter("process_cpu_seconds_total", "Processor time of the process, user and system.", [])
const begun = gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", [])
const delay = gauge(
  "sluice_event_loop_delay_seconds",
  "How late the event loop was since the last look, by quantile: above 0.2 everybody waits.",
  ["quantile"]
)

const nanos = 1e9

let watchers = 0

/** It takes time, a little: it begins when somebody looks for the first time. */
const late = monitorEventLoopDelay({ resolution: 20 })

/** Seconds of processor time that are counted already. */
let told = 0

const look = Effect.sync(() => {
  const { system, user } = process.cpuUsage()
  const used = (user + system) / 1e6
  cpu.add(used - told)
  told = used
  memory.set(process.memoryUsage.rss())
  begun.set(performance.timeOrigin / 1000)
  // The monitor counts from one tick to the next: what it waits for itself is no delay.
  for (const quantile of [50, 99]) {
    delay.set(Math.max(0, late.percentile(quantile) / nanos - 0.02), String(quantile / 100))
  }
  late.enable()
  late.reset()
})

/** Watches for as long as the scope is open; several in one process are one. */
export const watch: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    watchers++
  }),
  () =>
    Effect.sync(() => {
      if (--watchers === 0) late.disable()
    })
).pipe(Effect.zipRight(observe(look)))
