/** Scheduled runs on the cluster: submitted and awaited here, and left to the workers when the scheduler stops. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Cluster from "../../Cluster.ts"
import { retryLost } from "../../Database/ConnectionLoss.ts"
import type { Ledger } from "../../Ledger.ts"
import { newId } from "../../Run.ts"
import * as Store from "../../Schedule/Store.ts"
import type { Task } from "../../Schedule.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"

/** Maximum connections to the database. */
const connections = 4

/** Connects to the cluster's database, until the scope closes. */
export const layer = (url: Parameters<typeof Cluster.layer>[0]) => Cluster.layer(url, connections)

/** Warns when no worker is running. */
export const greet = (context: Context.Context<Ledger>) =>
  Effect.flatMap(Effect.provide(Cluster.Workers.list, context), (workers) =>
    workers.some(({ alive }) => alive)
      ? Effect.void
      : Effect.logWarning("no worker is running, and runs wait for one: start it with sluice worker")
  )

interface ClusterConditions {
  readonly allowCode: boolean
  readonly env: Terminal["env"]
  /** Absolute path. */
  readonly out: string
}

/** Submits a task and awaits its end. After an interruption the workers continue the run. */
export const carryOut = (task: Task, { allowCode, env, out }: ClusterConditions) =>
  Effect.gen(function* () {
    const submissions = yield* Cluster.Submissions
    const schedules = yield* Store.schedules
    const { backfill, begun, checked, scheduledTime, isReplaced, resume } = task
    const pipeline = checked.frame.name
    const now = yield* Clock.currentTimeMillis
    const runId = resume?.id ?? (yield* newId(now))
    yield* begun(runId).pipe(
      // If a later scheduled time has replaced the run, after the scheduler that started it had ended, the run is stopped.
      Effect.tapError(() =>
        Effect.flatMap(schedules.find({ pipeline, scheduledTime }), (row) =>
          resume === undefined || row?.replacedBy === undefined ? Effect.void : submissions.stop(runId)
        )
      )
    )
    const submission = {
      ...scopeOf(env),
      id: runId,
      scheduledPipeline: pipeline,
      scheduledFor: new Date(scheduledTime),
      now: new Date(now),
      out,
      backfill,
      allowCode
    }
    yield* Effect.gen(function* () {
      if (resume === undefined) {
        // If the connection was lost during the submission, the run may have been submitted already.
        const known = submissions.isKnown(runId)
        yield* retryLost(
          Effect.flatMap(known, (there) => (there ? Effect.void : Effect.asVoid(Cluster.submit(checked, submission))))
        )
      } else if (task.again) yield* submissions.reopen(runId)
      yield* Cluster.RunStatus.awaitEnd(runId)
    }).pipe(Effect.onInterrupt(() => (isReplaced() ? Effect.ignoreLogged(submissions.stop(runId)) : Effect.void)))
    return yield* Cluster.RunStatus.summary(runId)
  })
