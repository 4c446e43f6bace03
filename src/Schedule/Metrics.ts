/** Metrics of the scheduler. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { counter, gauge, histogram, observe } from "../Telemetry/Metric.ts"
import type { SchedulerEvent, SchedulerStatus } from "./Scheduler.ts"

const finished = counter("sluice_scheduled_times_total", "Finished scheduled times, by status.", ["pipeline", "status"])
const formerFinished = counter("sluice_schedule_instants_total", "Former name of sluice_scheduled_times_total.", [
  "pipeline",
  "status"
])
const lateness = histogram(
  "sluice_schedule_lateness_seconds",
  "Time from the scheduled time of a run to its start.",
  [],
  [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200]
)
const retries = counter("sluice_schedule_retries_total", "Retries of scheduled runs that failed.", ["pipeline"])
const troubles = counter(
  "sluice_schedule_troubles_total",
  "Failures to read the ledger or the folder of definitions.",
  []
)
const pipelines = gauge("sluice_schedule_pipelines", "Pipelines with a schedule, by state.", ["state"])
const running = gauge("sluice_schedule_running", "Active scheduled runs.", [])
const waiting = gauge("sluice_schedule_waiting", "Due scheduled times that wait for an earlier one or a free slot.", [])
const ticked = gauge(
  "sluice_schedule_last_tick_seconds",
  "When the scheduler last looked for due scheduled times, in seconds since 1970.",
  []
)

/** Updates the counters for an event. */
export const note = (event: SchedulerEvent, now: number): void => {
  if (event._tag === "Began") lateness.record(Math.max(0, now - event.scheduledTime) / 1000)
  if (event._tag === "Over") {
    for (const each of [finished, formerFinished]) each.add(1, event.record.pipeline, event.record.status)
  }
  if (event._tag === "Retrying") retries.add(1, event.pipeline)
  if (event._tag === "Trouble") troubles.add(1)
}

/** Updates the gauges whenever metrics are read, until the scope closes. */
export const watch = (status: Effect.Effect<SchedulerStatus | undefined>): Effect.Effect<void, never, Scope.Scope> =>
  observe(
    Effect.zipWith(status, Clock.currentTimeMillis, (status) => {
      if (status === undefined) return
      const paused = status.pipelines.filter(({ pausedAt }) => pausedAt !== undefined).length
      const broken = status.broken.length + status.pipelines.filter(({ broken }) => broken !== undefined).length
      pipelines.set(status.pipelines.length, "known")
      pipelines.set(paused, "paused")
      pipelines.set(broken, "broken")
      running.set(status.running.length)
      waiting.set(status.waiting)
      ticked.set(status.tickedAt / 1000)
    })
  )
