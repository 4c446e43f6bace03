/** Runs of a schedule on many machines: handed in here, awaited in the ledger, and left to the workers when nobody waits any more. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Cluster from "../../Cluster.ts"
import { retryLost } from "../../Database/ConnectionLoss.ts"
import { newId } from "../../Run.ts"
import * as Store from "../../Schedule/Store.ts"
import type { Task } from "../../Schedule.ts"
import { scopeOf } from "../Trust.ts"
import type { Conditions } from "./Runner.ts"

/** Connections to the database: looking takes a moment only. */
const connections = 4

/** What runs are handed in to; for as long as the scope is open. */
export const layer = (url: Parameters<typeof Cluster.layer>[0]) => Cluster.layer(url, connections)

/** Says it when nobody is there to work. */
export const greet = (context: Context.Context<Cluster.ShardQueue>) =>
  Effect.flatMap(Context.get(context, Cluster.ShardQueue).workers, (workers) =>
    workers.some(({ alive }) => alive)
      ? Effect.void
      : Effect.logWarning("no worker is there yet, and runs wait for one: sluice worker starts it")
  )

/** Carries a task out to its end, wherever workers are. Interrupting it leaves the run to them. */
export const carryOut = (task: Task, { allowCode, env, out }: Conditions) =>
  Effect.gen(function* () {
    const queue = yield* Cluster.ShardQueue
    const schedules = yield* Store.schedules
    const { begun, checked, instant, isReplaced, resume } = task
    const pipeline = checked.frame.name
    const now = yield* Clock.currentTimeMillis
    const runId = resume?.id ?? (yield* newId(now))
    yield* begun(runId).pipe(
      // Whoever had begun it is gone, and a later instant has taken its place meanwhile.
      Effect.tapError(() =>
        Effect.flatMap(schedules.find({ pipeline, instant }), (row) =>
          resume === undefined || row?.replacedBy === undefined ? Effect.void : queue.stop(runId)
        )
      )
    )
    const submission = {
      ...scopeOf(env),
      id: runId,
      instantOf: pipeline,
      scheduledFor: new Date(instant),
      now: new Date(now),
      out,
      allowCode
    }
    yield* Effect.gen(function* () {
      if (resume === undefined) {
        // Asked again after a loss it may be there already.
        const known = queue.task(runId)
        yield* retryLost(
          Effect.flatMap(known, (there) =>
            there === undefined ? Effect.asVoid(Cluster.submit(checked, submission)) : Effect.void
          )
        )
      } else if (task.again) yield* queue.reopen(runId)
      yield* Cluster.RunStatus.awaitEnd(runId)
    }).pipe(Effect.onInterrupt(() => (isReplaced() ? Effect.ignoreLogged(queue.stop(runId)) : Effect.void)))
    return yield* Cluster.RunStatus.summary(runId)
  })
