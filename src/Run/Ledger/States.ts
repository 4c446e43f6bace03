/** The state across runs: what each step of a pipeline keeps under the pipeline's state key. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { StateEntry } from "../../Step.ts"
import { fromText } from "./Connection.ts"

type Sql = SqlClient.SqlClient

interface StateRow {
  readonly key: string
  readonly value: string
  readonly first_seen: number
  readonly last_seen: number
}

const toEntry = (row: StateRow): StateEntry => ({
  key: Text.decode(row.key),
  value: fromText(row.value),
  firstSeen: Number(row.first_seen),
  lastSeen: Number(row.last_seen)
})

/** All that a step has under a key, in the order of its keys. */
export const load = (sql: Sql, stateKey: string, step: string) =>
  Effect.map(
    sql<StateRow>`SELECT key, value, first_seen, last_seen FROM state WHERE shelf =
      (SELECT id FROM shelves WHERE state_key = ${Text.encode(stateKey)} AND step = ${step}) ORDER BY key`,
    (rows) => rows.map(toEntry)
  )
