/** Jobs of one daemon: starts one for each occurrence, and stops all of them when the daemon ends. */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Job from "./Job.ts"
import type { Occurrence } from "./Model.ts"

/** Milliseconds that stopped runs have for their last checkpoint. */
const stopTimeout = Duration.toMillis("1 minute")

export const keyOf = ({ scheduledTime, pipeline }: Pick<Occurrence, "scheduledTime" | "pipeline">): string =>
  `${pipeline} ${scheduledTime}`

export interface JobTable {
  /** Starts a job for an occurrence, unless it has one already or the table is closed. */
  readonly start: (record: Occurrence) => Effect.Effect<void>
  readonly find: (record: Occurrence) => Job.Job | undefined
  readonly all: () => ReadonlyArray<Job.Job>
  /** Jobs of the same pipeline for earlier times. */
  readonly earlier: (record: Occurrence) => ReadonlyArray<Job.Job>
  /** Refuses to start more jobs. */
  readonly close: () => void
  readonly isClosed: () => boolean
  /**
   * Waits up to `grace` milliseconds for active runs, stops the others at a checkpoint, and releases those that have not ended a minute
   * later.
   */
  readonly end: (grace: number) => Effect.Effect<void>
}

/** `snapshotOf`: current definition for the jobs of a pipeline; undefined if the definition was removed. */
export const make = (
  services: Omit<Job.JobContext, "earlier">,
  snapshotOf: (pipeline: string) => Job.PipelineSnapshot | undefined
): JobTable => {
  const jobs = new Map<string, Job.Job>()
  const byPipeline = new Map<string, Set<Job.Job>>()
  let closed = false

  const earlier = (record: Occurrence) =>
    [...(byPipeline.get(record.pipeline) ?? [])].filter((job) => job.record.scheduledTime < record.scheduledTime)
  const context: Job.JobContext = { ...services, earlier }

  const start = (record: Occurrence) =>
    Effect.gen(function* () {
      const key = keyOf(record)
      if (jobs.has(key) || closed) return
      const job = yield* Job.make(record)
      if (jobs.has(key)) return
      jobs.set(key, job)
      const others = byPipeline.get(record.pipeline) ?? new Set()
      byPipeline.set(record.pipeline, others.add(job))
      // Jobs of a removed definition keep its last version.
      let last: Job.PipelineSnapshot | undefined
      const snapshot = () => {
        last = snapshotOf(record.pipeline) ?? last
        return last ?? { checked: undefined, file: "", schedule: { overlap: "skip", retry: undefined } }
      }
      snapshot()
      const ended = Effect.sync(() => {
        jobs.delete(key)
        others.delete(job)
        if (others.size === 0 && byPipeline.get(record.pipeline) === others) byPipeline.delete(record.pipeline)
      })
      yield* Effect.forkDaemon(Effect.interruptible(Effect.ensuring(Job.execute(job, snapshot, context), ended)))
    })

  const releaseStuck = Effect.suspend(() => {
    const stuck = [...jobs.values()].map(({ record }) => record)
    if (stuck.length === 0) return Effect.void
    const names = stuck
      .slice(0, 5)
      .map(({ scheduledTime, pipeline }) => `${pipeline} for ${new Date(scheduledTime).toISOString()}`)
    const more = stuck.length > names.length ? ` and ${stuck.length - names.length} more` : ""
    const message = `not stopped within a minute, and released to other schedulers: ${names.join(", ")}${more}`
    services.onEvent({ _tag: "Trouble", message })
    return Effect.ignore(services.holder.release(stuck))
  })

  const end = (grace: number) =>
    Effect.gen(function* () {
      const all = [...jobs.values()]
      yield* Effect.forEach(
        all.filter(({ run }) => run === undefined),
        (job) => Job.stop(job, "released")
      )
      const ended = Effect.forEach(all, ({ done }) => Deferred.await(done), { discard: true })
      // Finalizers are uninterruptible, so the timeout needs its own fiber.
      const waitFor = (limit: number) =>
        Effect.flatMap(Effect.forkDaemon(Effect.interruptible(Effect.timeoutOption(ended, limit))), Fiber.await)
      yield* waitFor(grace)
      yield* Effect.forEach(all, (job) => Job.stop(job, "released"), { discard: true })
      yield* waitFor(stopTimeout)
      yield* releaseStuck
    })

  return {
    start,
    find: (record) => jobs.get(keyOf(record)),
    all: () => [...jobs.values()],
    earlier,
    close: () => {
      closed = true
    },
    isClosed: () => closed,
    end
  }
}
