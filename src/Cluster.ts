/** Runs on many machines that share a Postgres and a folder: handed in by anyone, carried out part by part by whichever workers live. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Board from "./Cluster/Board.ts"
import { cut } from "./Cluster/Partition.ts"
import { migrations } from "./Cluster/Tables.ts"
import type { Submission, Task } from "./Cluster/Task.ts"
import * as Postgres from "./Database/Postgres.ts"
import { notOpened } from "./Ledger/LedgerErrors.ts"
import * as Ledger from "./Ledger/Postgres.ts"
import * as Runs from "./Ledger/Runs.ts"
import { migrations as ledgerTables } from "./Ledger/Schema.ts"
import type { Checked } from "./Pipeline/Check.ts"
import { DefinitionInvalid } from "./Pipeline/Mistake.ts"
import { stateKey } from "./Pipeline/StateKey.ts"
import { describeRun } from "./Run/RunContext.ts"
import { makeRunSpec } from "./Run/RunSpec.ts"
import { newId } from "./Run.ts"
import { traceparent } from "./Telemetry/Trace.ts"

export type { WorkerRow } from "./Cluster/Board/Workers.ts"
export { Board } from "./Cluster/Board.ts"
export { revise } from "./Cluster/Partition.ts"
export * as RunStatus from "./Cluster/RunStatus.ts"
export { endedWell, over } from "./Cluster/RunStatus.ts"
export { foreign, wholeName } from "./Cluster/ShardPlan.ts"
export * as Stop from "./Cluster/Stop.ts"
export type { Standing, Submission } from "./Cluster/Task.ts"
export { run as work } from "./Cluster/Worker.ts"

/** Rows of a shard where nobody says how many. */
export const shardRows = 200

/** Milliseconds a process may be silent within a transaction. */
const silence = 4_000

/** The ledger and the board of a database. */
export const layer = (url: Redacted.Redacted, connections?: number) =>
  Layer.unwrapEffect(
    Effect.map(Postgres.addressOf(url, silence), ({ place }) =>
      Layer.merge(Ledger.over(place), Board.Board.Default).pipe(
        Layer.provideMerge(
          Postgres.layer({ url, parts: { ledger: ledgerTables, cluster: migrations }, connections, silence })
        )
      )
    )
  ).pipe(Layer.mapError(notOpened))

/** The instant that the run was to be for has gone to somebody else: nothing was handed in. */
class InstantRefused extends Data.TaggedError("InstantRefused")<{ readonly pipeline: string }> {
  override get message() {
    return `the instant of ${this.pipeline} is carried out by somebody else`
  }
}

/** Held until the run is handed in, so that nobody takes the instant over meanwhile and begins another. */
const require = ({ id, instantOf, scheduledFor }: Submission) =>
  Effect.gen(function* () {
    if (instantOf === undefined || id === undefined || scheduledFor === undefined) return
    const sql = yield* PgClient.PgClient
    const rows = yield* sql`SELECT 1 FROM instants WHERE pipeline = ${instantOf} AND instant = ${scheduledFor.getTime()}
      AND run_id = ${id} AND ended_at IS NULL AND replaced_by IS NULL FOR UPDATE`
    if (rows.length === 0) return yield* new InstantRefused({ pipeline: instantOf })
  })

/** Hands a run in. It is in the ledger at once, and begins when a worker has room. */
export const submit = Effect.fn("Cluster.submit")(function* (checked: Checked, options: Submission) {
  const program = checked.registry?.hash === undefined ? (checked.registry?.added ?? []) : []
  if (program.length > 0) {
    const message = `workers cannot load ${program.join(", ")}: they exist only in the program that made the definition. Move them to a file, and name it (extensions: ./steps.ts)`
    return yield* new DefinitionInvalid({ file: checked.source.file, mistakes: [{ path: ["extensions"], message }] })
  }
  const sql = yield* PgClient.PgClient
  const board = yield* Board.Board
  const startedAt = options.now?.getTime() ?? (yield* Clock.currentTimeMillis)
  const runId = options.id ?? (yield* newId(startedAt))
  const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => undefined) }
  const run = describeRun(checked, {
    id: runId,
    parentRun: undefined,
    scheduledFor: options.scheduledFor,
    site: undefined,
    startedAt: new Date(startedAt)
  })
  const key = yield* stateKey(checked, { ...scope, run })
  const dataDir = `${options.out}/.sluice`
  const beginning = makeRunSpec(
    checked,
    { ...options, dataDir, group: runId },
    { id: runId, startedAt },
    { key: typeof key === "string" ? key : undefined }
  )
  const parts = cut(checked, { limited: options.wanted !== undefined })
  const task: Task = {
    runId,
    pipeline: checked.frame.name,
    file: beginning.file,
    definition: beginning.definition,
    definitionHash: beginning.definitionHash,
    inputs: checked.inputs,
    out: options.out,
    startedAt,
    scheduledFor: beginning.scheduledFor,
    limit: options.wanted,
    backfill: options.backfill,
    allowCode: options.allowCode,
    stateKey: beginning.stateKey,
    shardRows: options.shardRows ?? shardRows,
    trace: yield* traceparent,
    whole: parts.kind === "whole" ? parts.why : undefined
  }
  yield* require(options).pipe(
    Effect.zipRight(Runs.start({ sql, place: "Postgres" }, beginning)),
    Effect.zipRight(board.submit(task)),
    sql.withTransaction
  )
  return task
})
