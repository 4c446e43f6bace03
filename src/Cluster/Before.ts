/** What earlier runs of a pipeline have left where a run is about to put its files. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Text from "../Database/Text.ts"
import type { Output } from "../Step/Output.ts"

/** Runs that are looked at: those before have had their files removed by these. */
const most = 20

/** Paths of the files that the last runs of the pipeline have published, as the ledger knows them. */
export const outputsOf = (pipeline: string, except: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ outputs: string }>`SELECT t.outputs FROM runs r JOIN run_texts t ON t.run_id = r.id
        WHERE r.pipeline = ${Text.encode(pipeline)} AND r.status = 'completed' AND r.id <> ${except}
          AND t.outputs IS NOT NULL
        ORDER BY r.started_at DESC, r.id DESC LIMIT ${most}`,
      (rows): ReadonlySet<string> =>
        new Set(rows.flatMap(({ outputs }) => (JSON.parse(outputs) as ReadonlyArray<Output>).map(({ path }) => path)))
    )
  )
