/** What is of no use any more: workers that are long gone, and what is left of runs that the ledger has forgotten. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { folderOf, type Task } from "./Task.ts"

/** May be done by all workers at once, and again. */
export const sweep = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const files = yield* FileSystem.FileSystem
  yield* sql`DELETE FROM workers WHERE beat < now() - interval '1 day'`
  yield* sql`DELETE FROM parts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = parts.run_id)
    AND coalesce(ended_at, claimed_at, now()) < now() - interval '1 day'`
  const gone = yield* sql<{ run_id: string; task: string }>`SELECT run_id, task FROM submissions
    WHERE ended_at < now() - interval '1 day' AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = submissions.run_id)`
  for (const { run_id, task } of gone) {
    // What its parts have left to each other: of a run that came to its end they are gone already.
    yield* files.remove(folderOf(JSON.parse(task) as Task), { recursive: true, force: true })
    yield* sql`DELETE FROM submissions WHERE run_id = ${run_id}`
  }
})
