/** Replaces the definition of a submitted run that is resumed. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { inLedger, ledgerSql } from "../Ledger/Service.ts"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { isEqual } from "../Row/Difference.ts"
import type { Json } from "../Row.ts"
import type { RunOptions } from "../Run.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { partition, type Split } from "./Partition.ts"
import { checkedOf, decodeTask, type Task } from "./Task.ts"

/** The new definition is partitioned differently, so the completed parts cannot be kept. */
export class PartitionDiffers extends Data.TaggedError("PartitionDiffers")<{
  readonly run: string
  readonly what: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `run ${this.run} cannot be resumed with the current definition: ${this.what}. Restore the definition, or start a new run.`
  }
}

const ids = ({ kept, root, shared, tail }: Split) => ({
  root: root.id,
  shared: shared.map(({ id }) => id),
  tail: tail.map(({ id }) => id),
  kept
})

/** The source and the value steps that it uses, as written in the definition. */
const readingOf = ({ source }: Checked, { reading }: Split): Json => {
  const { steps = [] } = source.value as { readonly steps?: ReadonlyArray<Json> }
  return reading.map(({ index }) => steps[index] ?? null)
}

/** Reason why completed parts of one definition do not fit the other; undefined if they do. */
const difference = (before: Checked, now: Checked, limited: boolean): string | undefined => {
  const [old, fresh] = [partition(before, { limited }), partition(now, { limited })]
  if (old.kind === "whole" || fresh.kind === "whole") {
    return old.kind === fresh.kind
      ? undefined
      : "one of the two definitions is split among workers and the other is not"
  }
  if (!isEqual(readingOf(before, old), readingOf(now, fresh))) return "its source reads something else"
  return isEqual(ids(old), ids(fresh)) ? undefined : "its steps have changed"
}

/** Replaces the definition of a run that is resumed. Fails if completed parts do not fit it. */
export const revise = (
  runId: string,
  { checked, ...given }: { readonly checked: Checked; readonly allowCode?: boolean | undefined },
  scope: Required<Pick<RunOptions, "env" | "secrets">>
) =>
  Effect.gen(function* () {
    const sql = yield* ledgerSql
    const [row] = yield* sql<{ task: string }>`SELECT task FROM submissions WHERE run_id = ${runId} FOR UPDATE`
    if (row === undefined) return
    const task = yield* decodeTask(runId, row.task)
    // The steps of the old definition come from the current version of its module, so its hash is not checked.
    const current: Task = { ...task, allowCode: task.allowCode === true || given.allowCode, definitionHash: undefined }
    const what = difference(yield* checkedOf(current, scope), checked, task.limit !== undefined)
    if (what !== undefined) return yield* new PartitionDiffers({ run: runId, what })
    const { allowCode } = current
    const revised = { allowCode, definition: checked.source.text, definitionHash: definitionHash(checked) }
    // Keeps fields of the submission that only a newer version knows.
    yield* sql`UPDATE submissions SET task = ${JSON.stringify({ ...JSON.parse(row.task), ...revised })}
      WHERE run_id = ${runId}`
  }).pipe(
    (whole) => Effect.flatMap(ledgerSql, (sql) => sql.withTransaction(whole)),
    inLedger(`changing the definition of run ${runId}`)
  )
