/** Runs on a cluster: machines that share a Postgres database and a folder. Any of them can submit a run, and workers execute its parts. */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as BossCarrier from "./Cluster/BossCarrier.ts"
import { partition } from "./Cluster/Partition.ts"
import { migrations, Submissions } from "./Cluster/Submissions.ts"
import { makeTask, type Submission, type Task } from "./Cluster/Task.ts"
import * as Postgres from "./Database/Postgres.ts"
import { notOpened } from "./Ledger/LedgerErrors.ts"
import * as Ledger from "./Ledger/Postgres.ts"
import * as Runs from "./Ledger/Runs.ts"
import { migrations as ledgerTables } from "./Ledger/Schema.ts"
import * as Service from "./Ledger/Service.ts"
import type { Checked } from "./Pipeline/Check.ts"
import { DefinitionInvalid } from "./Pipeline/Issue.ts"
import { newId } from "./Run.ts"
import * as Trace from "./Telemetry/Trace.ts"

export { Carrier } from "./Cluster/Carrier.ts"
export { revise } from "./Cluster/Revise.ts"
export * as RunStatus from "./Cluster/RunStatus.ts"
export { foreign, wholeName } from "./Cluster/ShardPlan.ts"
export { Submissions } from "./Cluster/Submissions.ts"
export type { Standing, Submission } from "./Cluster/Task.ts"
export { run as work } from "./Cluster/Worker.ts"
export * as Workers from "./Cluster/Workers.ts"

/** Default number of rows of a shard. */
const shardRows = 200

/** Milliseconds for which a process may be silent within a transaction. */
const transactionTimeout = 4_000

/** Ledger of a Postgres database, with the cluster's tables for runs and workers. Has no message queue and delivers no parts of runs. */
export const tables = (url: Redacted.Redacted, connections?: number) =>
  Layer.unwrapEffect(
    Effect.map(Postgres.addressOf(url, transactionTimeout), ({ place }) =>
      Ledger.over(place).pipe(
        Layer.provideMerge(
          Postgres.layer({
            url,
            parts: { ledger: ledgerTables, cluster: migrations },
            connections,
            idleTimeout: transactionTimeout
          })
        )
      )
    )
  ).pipe(Layer.mapError(notOpened))

/** Ledger of a Postgres database, its submitted runs, and the carrier that delivers their parts to workers. */
export const layer = (url: Redacted.Redacted, connections?: number) =>
  Submissions.Default.pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.map(Postgres.addressOf(url, transactionTimeout), ({ place, schema }) => BossCarrier.layer(place, schema))
      ).pipe(Layer.mapError(notOpened))
    ),
    Layer.provideMerge(tables(url, connections))
  )

/** Another run owns the occurrence of the schedule; nothing was submitted. */
class ScheduledTimeRefused extends Data.TaggedError("ScheduledTimeRefused")<{ readonly pipeline: string }> {
  override get message() {
    return `another run was already started for this scheduled time of ${this.pipeline}`
  }
}

/** Locks the occurrence of the schedule until the run is submitted, so that no other daemon takes it over meanwhile. */
const lockOccurrence = ({ id, scheduledPipeline, scheduledFor }: Submission) =>
  Effect.gen(function* () {
    if (scheduledPipeline === undefined || id === undefined || scheduledFor === undefined) return
    const sql = yield* Service.ledgerSql
    const rows =
      yield* sql`SELECT 1 FROM occurrences WHERE pipeline = ${scheduledPipeline} AND scheduled_time = ${scheduledFor.getTime()}
      AND run_id = ${id} AND ended_at IS NULL AND replaced_by IS NULL FOR UPDATE`
    if (rows.length === 0) return yield* new ScheduledTimeRefused({ pipeline: scheduledPipeline })
  })

/** Submits a run. It is in the ledger at once, and begins when a worker has room. */
export const submit = Trace.fn("Cluster.submit")(function* (checked: Checked, options: Submission) {
  const program = checked.registry?.hash === undefined ? (checked.registry?.added ?? []) : []
  if (program.length > 0) {
    const message = `workers cannot load ${program.join(", ")}: they exist only in the program that made the definition. Move them to a file, and name that file in the definition (extensions: ./steps.ts)`
    return yield* new DefinitionInvalid({ file: checked.source.file, issues: [{ path: ["extensions"], message }] })
  }
  const { connection } = yield* Service.Ledger
  const submissions = yield* Submissions
  const startedAt = options.now?.getTime() ?? (yield* Clock.currentTimeMillis)
  const runId = options.id ?? (yield* newId(startedAt))
  const made = yield* makeTask(
    checked,
    { id: runId, startedAt },
    { ...options, dataDir: `${options.out}/.sluice`, group: runId, shardRows: options.shardRows ?? shardRows }
  )
  const parts = partition(checked, { limited: options.wanted !== undefined })
  const task: Task = {
    ...made.task,
    priority: options.priority ?? checked.frame.priority,
    trace: yield* Trace.traceparent,
    whole: parts.kind === "whole" ? parts.why : undefined
  }
  yield* lockOccurrence(options).pipe(
    Effect.zipRight(Runs.start(connection, made.spec, false)),
    Effect.zipRight(submissions.submit(task)),
    connection.sql.withTransaction,
    Service.inLedger(`submitting run ${runId}`)
  )
  return task
})
