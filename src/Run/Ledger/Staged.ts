/** Changes of the state across runs: staged while a run works, and taken over when it has published. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Text from "../../Database/Text.ts"
import type { StateChange } from "../../Step.ts"
import { toText } from "./Connection.ts"
import * as Shelves from "./Shelves.ts"
import * as Stations from "./Stations.ts"

type Sql = SqlClient.SqlClient

const insert = Batch.make({
  before: "INSERT INTO staged (station, at, seq, key, row_key, value) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 4
})

/** Stages changes behind number `last` of their run. */
export const put = (
  sql: Sql,
  run: string,
  last: number,
  changes: ReadonlyArray<{ readonly step: string; readonly change: StateChange }>,
  now: number
) => {
  const steps = new Map<string, Array<readonly [seq: number, change: StateChange]>>()
  for (const [index, { change, step }] of changes.entries()) {
    const known = steps.get(step) ?? []
    steps.set(step, known)
    known.push([last + index + 1, change])
  }
  return Effect.forEach(
    steps,
    ([step, all]) =>
      Effect.flatMap(Stations.numberOf(sql, run, step), (station) =>
        insert(sql, [station, now], all, ([seq, { key, rowKey, value }]) => [
          seq,
          Text.encode(key),
          Text.encode(rowKey),
          value === undefined ? null : toText(value)
        ])
      ),
    { discard: true }
  )
}

/** Staged changes of rows that were not rejected take effect; of two for one key, the later one. */
export const takeOver = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    const mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`
    yield* sql`DELETE FROM staged WHERE ${mine} AND row_key IN
      (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`
    yield* sql`DELETE FROM staged WHERE ${mine} AND seq <
      (SELECT max(later.seq) FROM staged AS later WHERE later.station = staged.station AND later.key = staged.key)`
    const steps = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM staged WHERE staged.station = stations.id)`
    for (const { id, step } of steps) {
      const shelf = yield* Shelves.shelfOf(sql, stateKey, step)
      yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
        SELECT ${shelf}, key, value, at, at FROM staged WHERE station = ${id} AND value IS NOT NULL
        ON CONFLICT (shelf, key) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen`
      yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND key IN
        (SELECT key FROM staged WHERE station = ${id} AND value IS NULL)`
    }
  })
