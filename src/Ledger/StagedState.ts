/**
 * Changes that a run makes to the state across runs: staged while it works, applied when it is completed. Changes for rejected rows are held
 * for a replay.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import { allRows, ofSource } from "../Row.ts"
import type { StateChange } from "../Step.ts"
import { fromText, toText } from "./Connection.ts"
import type { DeferredRows } from "./Model.ts"
import * as StateStore from "./StateStore.ts"
import { stepNumber } from "./StepState.ts"

type Sql = SqlClient.SqlClient

const insertStaged = BulkStatement.make({
  before: "INSERT INTO staged (station, at, seq, key, row_key, value) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 4
})

/** Stages entries that stay as they are, as one row of the database. */
const stageSeenAgain = (sql: Sql, station: number, now: number, all: ReadonlyArray<readonly [number, StateChange]>) => {
  const [[seq] = [0]] = all
  const keys = all.map(([, { key }]) => Dialect.encodeText(key))
  const differ = all.some(([, { key, rowKey }]) => rowKey !== key)
  const rowKeys = differ ? JSON.stringify(all.map(([, { rowKey }]) => Dialect.encodeText(rowKey))) : null
  return sql`INSERT INTO seen_again (station, seq, at, keys, row_keys)
    VALUES (${station}, ${seq}, ${now}, ${JSON.stringify(keys)}, ${rowKeys})`
}

/** Stages changes with numbers from `last + 1`. */
export const stage = (
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
      Effect.flatMap(stepNumber(sql, run, step), (station) => {
        // Sorted like the table, so that the database writes each of its disk pages once for all rows on it.
        all.sort(([, one], [, other]) => (one.key < other.key ? -1 : 1))
        const again = all.filter(([, { isSeenAgain }]) => isSeenAgain === true)
        const changed = again.length === 0 ? all : all.filter(([, { isSeenAgain }]) => isSeenAgain !== true)
        const staged = insertStaged(sql, [station, now], changed, ([seq, { key, rowKey, value }]) => [
          seq,
          Dialect.encodeText(key),
          Dialect.encodeText(rowKey),
          value === undefined ? null : toText(value)
        ])
        return again.length === 0 ? staged : Effect.zipRight(stageSeenAgain(sql, station, now, again), staged)
      }),
    { discard: true }
  )
}

/** Encoded texts, as `seen_again` has them. */
const textsIn = (json: string): ReadonlyArray<string> =>
  (fromText(json) as ReadonlyArray<string>).map(Dialect.decodeText)

/** Keys per statement. */
const keysPerStatement = 500

/**
 * Drops the changes of rows that the next run will process again. If a step has staged changes under none of a row's keys, it may have
 * stored the row under another key, so all of its changes are dropped.
 */
export const dropStaged = (sql: Sql, run: string, deferred: ReadonlyArray<DeferredRows>) =>
  Effect.gen(function* () {
    const stations = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations WHERE run_id = ${run}`
    for (const { id, step } of stations) {
      const of = sql`station = ${id}`
      yield* sql`DELETE FROM staged WHERE ${of} AND row_key = ${Dialect.encodeText(allRows)}`
      // Parts of the state of one step are saved under `step~part`.
      const own = step.replace(/~.*/s, "")
      const rows = deferred.flatMap(({ rows, steps }) => (steps.includes(own) ? rows : []))
      const known = new Set<string>()
      const keys = [...new Set(rows.flat())].flatMap((key) => [key, ofSource(key)].map(Dialect.encodeText))
      for (let at = 0; at < keys.length; at += keysPerStatement) {
        const some = sql`${of} AND ${sql.in("row_key", keys.slice(at, at + keysPerStatement))}`
        const found = yield* sql<{ row_key: string }>`SELECT DISTINCT row_key FROM staged WHERE ${some}`
        for (const { row_key } of found) known.add(Dialect.decodeText(row_key))
        if (found.length > 0) yield* sql`DELETE FROM staged WHERE ${some}`
      }
      if (rows.length > 0) {
        const again = yield* sql<{ keys: string }>`SELECT coalesce(row_keys, keys) AS keys FROM seen_again WHERE ${of}`
        for (const { keys } of again) for (const key of textsIn(keys)) known.add(key)
      }
      const isKnown = (key: string) => known.has(key) || known.has(ofSource(key))
      if (rows.some((origins) => !origins.some(isKnown))) yield* sql`DELETE FROM staged WHERE ${of}`
    }
  })

/** Removes and returns the state changes of rejects that run `by` takes over from run `of`. */
export const takeReplayedState = (sql: Sql, by: string, of: string, stateKey: string) =>
  Effect.gen(function* () {
    const taken = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${of} AND replayed_by = ${by})`
    // The changes of a failed run are still in the table `staged`, so both tables are read.
    const staged = sql`${taken} AND station IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.id = ${of} AND runs.state_key = ${Dialect.encodeText(stateKey)})`
    const held = sql`${taken} AND run_id = ${of} AND state_key = ${Dialect.encodeText(stateKey)}`
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
        key: Dialect.decodeText(key),
        rowKey: Dialect.decodeText(row_key),
        value: value === null ? undefined : fromText(value)
      }
    }))
  })

/**
 * Applies staged changes of rows that were not rejected; the last change of a key wins. Changes of rejected rows are held for a replay,
 * unless a successful row has changed the same key.
 */
export const applyStaged = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    const mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`
    const rejected = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`
    yield* sql`INSERT INTO held (run_id, state_key, step, key, seq, row_key, value)
      SELECT ${run}, ${Dialect.encodeText(stateKey)}, stations.step, staged.key, staged.seq, staged.row_key, staged.value
      FROM staged JOIN stations ON stations.id = staged.station WHERE stations.run_id = ${run} AND ${rejected}`
    yield* sql`DELETE FROM staged WHERE ${mine} AND ${rejected}`
    yield* restageSeenAgain(sql, run, stateKey)
    yield* resolveRejects(sql, run, stateKey)
    yield* sql`DELETE FROM held WHERE state_key = ${Dialect.encodeText(stateKey)} AND EXISTS
      (SELECT 1 FROM staged JOIN stations ON stations.id = staged.station
        WHERE stations.run_id = ${run} AND stations.step = held.step AND staged.key = held.key)`
    yield* sql`DELETE FROM staged WHERE ${mine} AND seq <
      (SELECT max(later.seq) FROM staged AS later WHERE later.station = staged.station AND later.key = staged.key)`
    const steps = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM staged WHERE staged.station = stations.id)`
    const print = Dialect.fingerprintOf(sql, "key")
    for (const { id, step } of steps) {
      const shelf = yield* StateStore.shelfFor(sql, stateKey, step)
      yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
        SELECT ${shelf}, key, value, at, at FROM staged WHERE station = ${id} AND value IS NOT NULL
        ON CONFLICT (shelf, ${print}) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen
          WHERE excluded.last_seen >= state.last_seen`
      // A held run may be published after a later run that has staged the same entries: these stay.
      yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND ${print} IN
        (SELECT ${print} FROM staged WHERE station = ${id} AND value IS NULL)
        AND last_seen <= (SELECT max(at) FROM staged WHERE station = ${id})`
    }
    yield* applySeenAgain(sql, run, stateKey)
  })

/** Runs an effect for each step of a run that has seen entries again, with the entries' shelf. */
const forSeenAgain = <A, E>(
  sql: Sql,
  run: string,
  stateKey: string,
  each: (station: { readonly id: number; readonly step: string }, shelf: number) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const stations = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM seen_again WHERE seen_again.station = stations.id)`
    for (const station of stations) {
      // None if the state was cleared or moved while the run was held.
      const [shelf] = yield* StateStore.findShelves(sql, stateKey, station.step)
      if (shelf !== undefined) yield* each(station, shelf.id)
    }
  })

/** SQL for the keys of entries that a step has seen again, one a row, as they are compared with a key column. */
const keysSeenAgain = (sql: Sql, station: number) =>
  sql.onDialectOrElse({
    sqlite: () => sql`SELECT one.value FROM seen_again, json_each(seen_again.keys) AS one WHERE station = ${station}`,
    orElse: () =>
      sql`SELECT fingerprint(json_array_elements_text(keys::json)) FROM seen_again WHERE station = ${station}`
  })

/**
 * If a reject of an earlier run has a pending change for a key that this run saw unchanged, stages that key as a normal change:
 * {@link resolveRejects} then resolves the reject.
 */
const restageSeenAgain = (sql: Sql, run: string, stateKey: string) =>
  forSeenAgain(sql, run, stateKey, ({ id, step }, shelf) =>
    Effect.gen(function* () {
      const key = Dialect.encodeText(stateKey)
      const print = Dialect.fingerprintOf(sql, "key")
      const waiting = sql`SELECT key FROM held WHERE state_key = ${key} AND step = ${step} UNION
        SELECT staged.key FROM staged JOIN stations ON stations.id = staged.station JOIN runs ON runs.id = stations.run_id
          JOIN rejects ON rejects.run_id = runs.id AND rejects.key = staged.row_key AND rejects.replayed_by IS NULL
          WHERE runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run} AND stations.step = ${step}`
      if ((yield* sql`SELECT 1 AS one FROM (${waiting}) AS waiting LIMIT 1`).length === 0) return
      yield* sql`INSERT INTO staged (station, key, seq, row_key, value, at)
        SELECT ${id}, key, (SELECT max(seq) FROM seen_again WHERE station = ${id}), key, value,
          (SELECT max(at) FROM seen_again WHERE station = ${id})
        FROM state WHERE shelf = ${shelf} AND ${print} IN (SELECT ${print} FROM (${waiting}) AS waiting)
          AND ${print} IN (${keysSeenAgain(sql, id)})
          AND NOT EXISTS (SELECT 1 FROM staged WHERE staged.station = ${id} AND staged.key = state.key)`
    })
  )

/** Gives entries that were seen again their new time: all of a step at once, in the order of the table, so that each disk page is written once. */
const applySeenAgain = (sql: Sql, run: string, stateKey: string) =>
  forSeenAgain(sql, run, stateKey, ({ id }, shelf) => {
    const at = sql`(SELECT max(at) FROM seen_again WHERE station = ${id})`
    return sql`UPDATE state SET last_seen = ${at} WHERE shelf = ${shelf} AND last_seen < ${at}
      AND ${Dialect.fingerprintOf(sql, "key")} IN (${keysSeenAgain(sql, id)})`
  })

/**
 * Marks rejects of earlier runs as replayed if this run has staged a change for the same key of the same step: otherwise a replay would
 * report these rows as new once more.
 */
const resolveRejects = (sql: Sql, run: string, stateKey: string) => {
  const key = Dialect.encodeText(stateKey)
  const mine = sql`JOIN stations ON stations.run_id = ${run} AND stations.step = theirs.step
    JOIN staged ON staged.station = stations.id AND staged.key = theirs.key`
  const held = sql`SELECT theirs.run_id, theirs.row_key FROM held AS theirs ${mine}
    WHERE theirs.state_key = ${key} AND theirs.run_id <> ${run}`
  const failed = sql`SELECT theirs.run_id, theirs.row_key FROM
    (SELECT runs.id AS run_id, own.step, changes.key, changes.row_key FROM runs
      JOIN stations AS own ON own.run_id = runs.id JOIN staged AS changes ON changes.station = own.id
      WHERE runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run}) AS theirs ${mine}`
  return sql`UPDATE rejects SET replayed_by = ${run} WHERE replayed_by IS NULL
    AND (run_id, key) IN (${held} UNION ALL ${failed})`
}
