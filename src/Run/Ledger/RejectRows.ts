/** Rejects of a run, as rows: open until a replay has taken them up. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Text from "../../Database/Text.ts"
import type { Reject } from "../Rejects.ts"

type Sql = SqlClient.SqlClient

const insert = Batch.make({
  before: "INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, job_id, content) VALUES ",
  row: (own) => `($1, ${own})`,
  after: "",
  shared: 1,
  width: 9
})

/** Takes rejects down behind number `last` of their run. */
export const put = (sql: Sql, run: string, last: number, rejects: ReadonlyArray<Reject>) => {
  let seq = last
  return insert(sql, [run], rejects, (reject) => [
    ++seq,
    reject.step,
    Text.encode(reject.key),
    Text.encode(reject.definedAt),
    Text.encode(reject.error),
    Text.encode(reject.message),
    reject.at,
    reject.jobId ?? null,
    JSON.stringify(reject.row) ?? "null"
  ])
}

/** The number of a step's rejects. */
export const count = (sql: Sql, run: string, step: string) =>
  Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM rejects WHERE run_id = ${run} AND step = ${step}`, ([row]) =>
    Number(row?.n ?? 0)
  )
