/** What a worker counts of the parts that it carries out, and their place in the trace of their run. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { counter, gauge } from "../Telemetry/Metric.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Part } from "./Board/Part.ts"
import type { Task } from "./Task.ts"

const parts = counter("sluice_worker_parts_total", "Parts of runs that this worker has had, by how they ended here.", [
  "kind",
  "outcome"
])
const busy = gauge("sluice_worker_parts_busy", "Parts of runs that this worker carries out now.", [])
const room = gauge("sluice_worker_parts_room", "Parts that it carries out at once at most.", [])
export const lost = counter(
  "sluice_worker_parts_lost_total",
  "Parts that this worker took after another one was lost with them.",
  ["kind"]
)

const outcomeOf = (exit: Exit.Exit<unknown, { readonly status: string }>): string => {
  if (Exit.isSuccess(exit)) return "completed"
  if (Cause.isInterrupted(exit.cause)) return "given back"
  const failure = Cause.squash(exit.cause)
  return typeof failure === "object" && failure !== null && "status" in failure ? String(failure.status) : "failed"
}

/** One part, from its beginning here to its end here. */
export const carrying = <A, E extends { readonly status: string }, R>(
  carried: Effect.Effect<A, E, R>,
  { kind, part, runId }: Part,
  { pipeline, trace }: Task
): Effect.Effect<A, E, R> => {
  const attributes = {
    "sluice.run.id": runId,
    "sluice.pipeline": pipeline,
    "sluice.part": part,
    "sluice.part.kind": kind
  }
  const parent = Trace.parentOf(trace)
  const spanned = Effect.withSpan(carried, "Cluster.part", {
    captureStackTrace: false,
    attributes,
    ...(parent === undefined ? { root: true } : { parent })
  })
  return Effect.acquireUseRelease(
    Effect.sync(() => busy.add(1)),
    () => Effect.onExit(spanned, (exit) => Effect.sync(() => parts.add(1, kind, outcomeOf(exit)))),
    () => Effect.sync(() => busy.add(-1))
  )
}

export const begins = (concurrency: number): void => room.set(concurrency)
