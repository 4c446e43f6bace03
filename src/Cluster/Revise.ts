/** Going on with a run by a definition that has been mended since: where the parts that are done stay parts of it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Checked } from "../Pipeline/Check.ts"
import { isEqual } from "../Row/Difference.ts"
import type { Json } from "../Row.ts"
import type { RunOptions } from "../Run.ts"
import { cut, type Split } from "./Cut.ts"
import { checkedOf, type Task } from "./Task.ts"

/** The definition has become another one: what is done of the run is no part of it. */
export class CutDiffers extends Data.TaggedError("CutDiffers")<{ readonly run: string; readonly what: string }> {
  override get message() {
    return `run ${this.run} cannot go on with the definition as it is now: ${this.what}. Put it back, or run it anew.`
  }
}

const ids = ({ kept, root, shared, tail }: Split) => ({
  root: root.id,
  shared: shared.map(({ id }) => id),
  tail: tail.map(({ id }) => id),
  kept
})

/** The source, and the values that it asks for, as they are written. */
const readingOf = ({ source }: Checked, { reading }: Split): Json => {
  const { steps = [] } = source.value as { readonly steps?: ReadonlyArray<Json> }
  return reading.map(({ index }) => steps[index] ?? null)
}

/** What keeps the parts of one from being parts of the other. */
const difference = (before: Checked, now: Checked, limited: boolean): string | undefined => {
  const [old, fresh] = [cut(before, { limited }), cut(now, { limited })]
  if (old.kind === "whole" || fresh.kind === "whole") {
    return old.kind === fresh.kind
      ? undefined
      : "it is shared out among workers, and would not be now, or the other way round"
  }
  if (!isEqual(readingOf(before, old), readingOf(now, fresh))) return "its source reads something else"
  return isEqual(ids(old), ids(fresh)) ? undefined : "its steps are not the same any more"
}

/** From now on workers carry the run out by this definition. */
export const revise = (runId: string, checked: Checked, scope: Required<Pick<RunOptions, "env" | "secrets">>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ task: string }>`SELECT task FROM submissions WHERE run_id = ${runId} FOR UPDATE`
    if (row === undefined) return
    const task = JSON.parse(row.task) as Task
    const what = difference(yield* checkedOf(task, scope), checked, task.limit !== undefined)
    if (what !== undefined) return yield* new CutDiffers({ run: runId, what })
    yield* sql`UPDATE submissions SET task = ${JSON.stringify({ ...task, definition: checked.source.text })}
      WHERE run_id = ${runId}`
  }).pipe((whole) => Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(whole)))
