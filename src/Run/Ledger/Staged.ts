/** Changes of the state across runs: staged while a run works, and taken over when it has published. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Fingerprint from "../../Database/Fingerprint.ts"
import * as Text from "../../Database/Text.ts"
import type { StateChange } from "../../Step.ts"
import { fromText, toText } from "./Connection.ts"
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

/** What the rejects of another run would have put, now that this run takes them up: gone from there. */
export const heldOf = (sql: Sql, by: string, of: string, stateKey: string) =>
  Effect.gen(function* () {
    const taken = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${of} AND replayed_by = ${by})`
    // A run that has failed still has it staged.
    const staged = sql`${taken} AND station IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.id = ${of} AND runs.state_key = ${Text.encode(stateKey)})`
    const held = sql`${taken} AND run_id = ${of} AND state_key = ${Text.encode(stateKey)}`
    const rows = yield* sql<{ step: string; key: string; row_key: string; value: string | null }>`
      SELECT step, key, row_key, value FROM
        (SELECT step, key, row_key, value, seq FROM held WHERE ${held}
        UNION ALL SELECT stations.step, key, row_key, staged.value, seq
          FROM staged JOIN stations ON stations.id = staged.station WHERE ${staged}) AS theirs ORDER BY seq`
    yield* sql`DELETE FROM held WHERE ${held}`
    yield* sql`DELETE FROM staged WHERE ${staged}`
    return rows.map(({ key, row_key, step, value }) => ({
      step,
      change: {
        key: Text.decode(key),
        rowKey: Text.decode(row_key),
        value: value === null ? undefined : fromText(value)
      }
    }))
  })

/**
 * Rejects of earlier runs whose rows this run has brought to their end are this run's: a replay would report the same rows
 * as new once more. Only rows that the run has staged for the same key of the same step count.
 */
const resolve = (sql: Sql, run: string, stateKey: string) => {
  const key = Text.encode(stateKey)
  const mine = sql`JOIN stations ON stations.run_id = ${run} AND stations.step = theirs.step
    JOIN staged ON staged.station = stations.id AND staged.key = theirs.key`
  const held = sql`SELECT theirs.run_id, theirs.row_key FROM held AS theirs ${mine}
    WHERE theirs.state_key = ${key} AND theirs.run_id <> ${run}`
  // A run that failed has its changes staged still.
  const failed = sql`SELECT theirs.run_id, theirs.row_key FROM
    (SELECT runs.id AS run_id, own.step, changes.key, changes.row_key FROM runs
      JOIN stations AS own ON own.run_id = runs.id JOIN staged AS changes ON changes.station = own.id
      WHERE runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run}) AS theirs ${mine}`
  return sql`UPDATE rejects SET replayed_by = ${run} WHERE replayed_by IS NULL
    AND (run_id, key) IN (${held} UNION ALL ${failed})`
}

/** Rows of one statement. */
const dropsAtOnce = 500

/** Drops what rows have put that their run leaves to the next one. */
export const drop = (sql: Sql, run: string, rowKeys: ReadonlyArray<string>) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(rowKeys.length / dropsAtOnce) }, (_, block) =>
      rowKeys.slice(block * dropsAtOnce, (block + 1) * dropsAtOnce).map(Text.encode)
    ),
    (keys) => sql`DELETE FROM staged WHERE station IN (SELECT id FROM stations WHERE run_id = ${run})
      AND ${sql.in("row_key", keys)}`,
    { discard: true }
  )

/**
 * Staged changes of rows that were not rejected take effect; of two for one key, the later one. Those of rejected rows are
 * held for the run that takes these up, unless a row that went well knows better.
 */
export const takeOver = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    const mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`
    const rejected = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`
    yield* sql`INSERT INTO held (run_id, state_key, step, key, seq, row_key, value)
      SELECT ${run}, ${Text.encode(stateKey)}, stations.step, staged.key, staged.seq, staged.row_key, staged.value
      FROM staged JOIN stations ON stations.id = staged.station WHERE stations.run_id = ${run} AND ${rejected}`
    yield* sql`DELETE FROM staged WHERE ${mine} AND ${rejected}`
    yield* resolve(sql, run, stateKey)
    yield* sql`DELETE FROM held WHERE state_key = ${Text.encode(stateKey)} AND EXISTS
      (SELECT 1 FROM staged JOIN stations ON stations.id = staged.station
        WHERE stations.run_id = ${run} AND stations.step = held.step AND staged.key = held.key)`
    yield* sql`DELETE FROM staged WHERE ${mine} AND seq <
      (SELECT max(later.seq) FROM staged AS later WHERE later.station = staged.station AND later.key = staged.key)`
    const steps = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM staged WHERE staged.station = stations.id)`
    const print = Fingerprint.of(sql, "key")
    for (const { id, step } of steps) {
      const shelf = yield* Shelves.shelfOf(sql, stateKey, step)
      yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
        SELECT ${shelf}, key, value, at, at FROM staged WHERE station = ${id} AND value IS NOT NULL
        ON CONFLICT (shelf, ${print}) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen
          WHERE excluded.last_seen >= state.last_seen`
      yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND ${print} IN
        (SELECT ${print} FROM staged WHERE station = ${id} AND value IS NULL)`
    }
  })
