/** What a schedule counts and measures of itself. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { News, Status } from "../Schedule.ts"
import { counter, gauge, histogram, observe } from "../Telemetry/Metric.ts"

const instants = counter("sluice_schedule_instants_total", "Instants that are over, by what became of them.", [
  "pipeline",
  "status"
])
const lateness = histogram(
  "sluice_schedule_lateness_seconds",
  "From the instant that a run was due at to its beginning.",
  [],
  [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200]
)
const retries = counter("sluice_schedule_retries_total", "Instants whose run failed and is tried again.", ["pipeline"])
const troubles = counter("sluice_schedule_troubles_total", "Times that the ledger or the folder could not be read.", [])
const pipelines = gauge("sluice_schedule_pipelines", "Pipelines on schedule, by how they stand.", ["state"])
const running = gauge("sluice_schedule_running", "Runs of the schedule that are under way.", [])
const waiting = gauge(
  "sluice_schedule_waiting",
  "Instants that are due and wait for an earlier one, or for their turn.",
  []
)
const ticked = gauge(
  "sluice_schedule_last_tick_seconds",
  "When the clock was last looked at, in seconds since 1970.",
  []
)

/** Counts what is told. */
export const note = (news: News, now: number): void => {
  if (news._tag === "Began") lateness.record(Math.max(0, now - news.instant) / 1000)
  if (news._tag === "Over") instants.add(1, news.record.pipeline, news.record.status)
  if (news._tag === "Retrying") retries.add(1, news.pipeline)
  if (news._tag === "Trouble") troubles.add(1)
}

/** How it stands when somebody asks, for as long as the scope is open. */
export const watch = (status: Effect.Effect<Status | undefined>): Effect.Effect<void, never, Scope.Scope> =>
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
