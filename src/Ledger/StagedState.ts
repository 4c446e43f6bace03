/**
 * Changes that a run makes to the state across runs: staged while it works, applied when it is completed. Changes for rejected rows are held
 * for a replay.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import { allRows, dependent, ofSource } from "../Row.ts"
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

/** Changes per row of the database. */
const changesPerBlock = 4096

/** JSON of a change in a block: its value, and the key of its row if that is another one. */
const inBlock = ({ key, rowKey, value }: StateChange): string => {
  const row = rowKey === key ? "" : `,${JSON.stringify(Dialect.encodeText(rowKey))}`
  return `${JSON.stringify(Dialect.encodeText(key))}:[${JSON.stringify(toText(value))}${row}]`
}

/** JSON of a block, with the last change of each key. */
const jsonOfBlock = (changes: ReadonlyArray<StateChange>): string => {
  const last = new Map(changes.map((change) => [change.key, change]))
  return `{${Array.from(last.values(), inBlock).join()}}`
}

/** Stages changes that no other change follows, thousands in a row of the database; its number is the last of theirs. */
const stageBlocks = (sql: Sql, station: number, now: number, first: number, changes: ReadonlyArray<StateChange>) =>
  Effect.forEach(
    Arr.chunksOf(changes, changesPerBlock),
    (block, index) => sql`INSERT INTO staged_blocks (station, seq, at, changes)
      VALUES (${station}, ${first + index * changesPerBlock + block.length - 1}, ${now}, ${jsonOfBlock(block)})`,
    { discard: true }
  )

/** Stages entries that stay as they are, as one row of the database. */
const stageSeenAgain = (sql: Sql, station: number, now: number, seq: number, changes: ReadonlyArray<StateChange>) => {
  if (changes.length === 0) return Effect.void
  const keys = changes.map(({ key }) => Dialect.encodeText(key))
  const differ = changes.some(({ key, rowKey }) => rowKey !== key)
  const rowKeys = differ ? JSON.stringify(changes.map(({ rowKey }) => Dialect.encodeText(rowKey))) : null
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
  type Kinds = Record<"single" | "final" | "again", Array<StateChange>>
  const steps = new Map<string, Kinds>()
  for (const { change, step } of changes) {
    const known = steps.get(step) ?? { single: [], final: [], again: [] }
    steps.set(step, known)
    const isFinal = change.isFinal === true && change.value !== undefined
    known[change.isSeenAgain === true ? "again" : isFinal ? "final" : "single"].push(change)
  }
  const stageStep = (station: number, first: number, { again, single, final }: Kinds) => {
    const numbered = single.map((change, index) => [first + index, change] as const)
    // Sorted like the table, so that the database writes each of its disk pages once for all rows on it.
    numbered.sort(([, one], [, other]) => (one.key < other.key ? -1 : 1))
    const staged = insertStaged(sql, [station, now], numbered, ([seq, { key, rowKey, value }]) => [
      seq,
      Dialect.encodeText(key),
      Dialect.encodeText(rowKey),
      value === undefined ? null : toText(value)
    ])
    const blocks = stageBlocks(sql, station, now, first + single.length, final)
    return Effect.all([staged, blocks, stageSeenAgain(sql, station, now, first + single.length + final.length, again)])
  }
  let next = last + 1
  const staged = [...steps].map(([step, kinds]) => {
    const first = next
    next += kinds.single.length + kinds.final.length + kinds.again.length
    return Effect.flatMap(stepNumber(sql, run, step), (station) => stageStep(station, first, kinds))
  })
  return Effect.all(staged, { discard: true })
}

/** Also copies changes of blocks to `staged`, each as a row. */
const copyFromBlocks = (sql: Sql, station: number, which: Statement.Fragment) =>
  sql`INSERT INTO staged (station, key, seq, row_key, value, at)
    SELECT ${station}, key, seq + 1 - row_number() OVER (PARTITION BY seq), row_key, value, at
    FROM ${StateStore.inBlocks(sql, sql`station = ${station}`)} WHERE ${which} ORDER BY key`

/** Moves the changes of steps from blocks to `staged`, where some of them have to be found. */
export const splitBlocks = (sql: Sql, stations: Statement.Fragment) =>
  Effect.gen(function* () {
    const found = yield* sql<{
      station: number
    }>`SELECT DISTINCT station FROM staged_blocks WHERE station IN (${stations})`
    for (const { station } of found) {
      yield* copyFromBlocks(sql, station, sql`1 = 1`)
      yield* sql`DELETE FROM staged_blocks WHERE station = ${station}`
    }
  })

/** Encoded texts, as `seen_again` has them. */
const textsIn = (json: string): ReadonlyArray<string> =>
  (fromText(json) as ReadonlyArray<string>).map(Dialect.decodeText)

/** Keys per statement. */
const keysPerStatement = 500

/**
 * Drops the staged changes of rows that the next run will process again. A step with no change under any key of such a row may have used
 * another key for it, so all changes of this step are dropped.
 */
export const dropStaged = (sql: Sql, run: string, deferred: ReadonlyArray<DeferredRows>) =>
  Effect.gen(function* () {
    const stations = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations WHERE run_id = ${run}`
    if (deferred.some(({ rows }) => rows.length > 0)) {
      yield* splitBlocks(sql, sql`SELECT id FROM stations WHERE run_id = ${run}`)
    }
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
    const stations = sql`SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.id = ${of} AND runs.state_key = ${Dialect.encodeText(stateKey)}`
    yield* splitBlocks(sql, sql`${stations} AND runs.status <> 'completed'`)
    const staged = sql`${taken} AND station IN (${stations})`
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

/** Drops changes made with `onlyWith` if the run has no change of the entry they depend on, or that change was dropped before. */
const dropDependent = (sql: Sql, ofRun: Statement.Fragment) =>
  sql`DELETE FROM staged WHERE ${ofRun} AND substr(row_key, 1, 1) = ${dependent} AND NOT EXISTS
    (SELECT 1 FROM staged AS needed WHERE needed.station = staged.station AND needed.key = substr(staged.row_key, 2))`

/**
 * Applies staged changes of rows that were not rejected; the last change of a key wins. Changes of rejected rows are held for a replay,
 * unless a successful row has changed the same key.
 */
export const applyStaged = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    const mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`
    const rejected = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`
    yield* splitBlocks(
      sql,
      sql`SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.state_key = ${Dialect.encodeText(stateKey)} AND runs.status = 'failed' AND runs.id <> ${run}
        AND EXISTS (SELECT 1 FROM rejects WHERE rejects.run_id = runs.id AND replayed_by IS NULL)`
    )
    yield* dropDependent(sql, mine)
    yield* applyBlocks(sql, run, stateKey)
    yield* sql`INSERT INTO held (run_id, state_key, step, key, seq, row_key, value)
      SELECT ${run}, ${Dialect.encodeText(stateKey)}, stations.step, staged.key, staged.seq, staged.row_key, staged.value
      FROM staged JOIN stations ON stations.id = staged.station WHERE stations.run_id = ${run} AND ${rejected}`
    yield* sql`DELETE FROM staged WHERE ${mine} AND ${rejected}`
    yield* applySeenAgain(sql, run, stateKey)
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
      // A held or failed run may be published after a later run that has staged the same entries: these stay.
      yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND ${print} IN
        (SELECT ${print} FROM staged WHERE station = ${id} AND value IS NULL)
        AND EXISTS (SELECT 1 FROM staged WHERE station = ${id} AND staged.key = state.key AND staged.at >= state.last_seen)`
    }
  })

/** The keys of entries that a step has seen again, as rows. */
const keysSeenAgain = (sql: Sql, station: number) => {
  const keys = sql.onDialectOrElse({
    sqlite: () => sql`SELECT one.value AS key FROM seen_again, json_each(keys) AS one WHERE station = ${station}`,
    orElse: () => sql`SELECT json_array_elements_text(keys::json) AS key FROM seen_again WHERE station = ${station}`
  })
  return sql`(${keys}) AS again`
}

const keysPerSample = 1000
const minSamplesPerRange = 250
const maxRanges = 16

/**
 * Conditions for ranges of about 250,000 keys each, because SQLite sorts in memory; larger ones of many keys, because each range reads all
 * of them. Postgres gets all keys at once.
 */
const keyRanges = (sql: Sql, keys: Statement.Fragment) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.map(
        // A condition without a column would be evaluated once for all rows.
        sql<{
          key: string
        }>`SELECT key FROM ${keys} WHERE (random() + length(key)) % ${keysPerSample} = 0 ORDER BY key`,
        (samples) => {
          const samplesPerRange = Math.max(minSamplesPerRange, Math.ceil(samples.length / maxRanges))
          const bounds = samples.filter((_, index) => index % samplesPerRange === 0 && index > 0).map(({ key }) => key)
          return [undefined, ...bounds].map((from, index) => {
            const to = bounds[index]
            const isFrom = from === undefined ? sql`1 = 1` : sql`key >= ${from}`
            return to === undefined ? isFrom : sql`${isFrom} AND key < ${to}`
          })
        }
      ),
    orElse: () => Effect.succeed([sql`1 = 1`])
  })

/** Changes that wait with the rejects of other runs for a replay, as rows. Collects the rejects once: failed runs may have staged a lot. */
const waitingChanges = (sql: Sql, run: string, stateKey: string) => {
  const key = Dialect.encodeText(stateKey)
  const failed = sql`runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run}`
  // Postgres makes a nested loop of an IN without IS TRUE, before it has statistics.
  return sql`(SELECT run_id, step, key, row_key FROM held WHERE state_key = ${key} AND run_id <> ${run}
    UNION ALL SELECT runs.id, stations.step, staged.key, staged.row_key
      FROM runs JOIN stations ON stations.run_id = runs.id JOIN staged ON staged.station = stations.id
      WHERE ${failed} AND ((runs.id, staged.row_key) IN (SELECT rejects.run_id, rejects.key
        FROM runs JOIN rejects ON rejects.run_id = runs.id WHERE ${failed} AND replayed_by IS NULL)) IS TRUE) AS waiting`
}

const waitingKeys = (sql: Sql, run: string, stateKey: string, step: string) =>
  sql`SELECT key FROM ${waitingChanges(sql, run, stateKey)} WHERE step = ${step}`

const isAny = (sql: Sql, query: Statement.Fragment) =>
  Effect.map(sql`SELECT 1 AS one FROM (${query}) AS found LIMIT 1`, (rows) => rows.length > 0)

/** Steps of a run with rows in a table of staged changes. */
const stationsIn = (sql: Sql, run: string, table: "seen_again" | "staged_blocks") =>
  sql<{ id: number; step: string }>`SELECT id, step FROM stations
    WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM ${sql(table)} AS own WHERE own.station = stations.id)`

/**
 * Applies the changes of blocks: all of a step at once, in the order of the table, so that each disk page is written once. Copies changes
 * to `staged` instead if their rows were rejected, if this run has changed their keys once more, or if a reject of an earlier run waits
 * with a change of the same key ({@link resolveRejects}).
 */
const applyBlocks = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    for (const { id, step } of yield* stationsIn(sql, run, "staged_blocks")) {
      const shelf = yield* StateStore.shelfFor(sql, stateKey, step)
      const single = sql`SELECT key FROM staged WHERE station = ${id}`
      const waiting = waitingKeys(sql, run, stateKey, step)
      const rejected = sql`SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL`
      if (yield* isAny(sql, sql`${single} UNION ALL ${waiting} UNION ALL ${rejected}`)) {
        yield* copyFromBlocks(sql, id, sql`key IN (${single}) OR key IN (${waiting}) OR row_key IN (${rejected})`)
      }
      const blocks = StateStore.inBlocks(sql, sql`station = ${id}`)
      // The last of several changes of an entry. Unlike SQLite, Postgres does not update one twice in a statement.
      const [distinct, newest] = sql.onDialectOrElse({
        sqlite: () => ["", "seq"] as const,
        orElse: () => ["DISTINCT ON (key)", "seq DESC"] as const
      })
      for (const range of yield* keyRanges(sql, blocks)) {
        yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
          SELECT ${sql.literal(distinct)} ${shelf}, key, value, at, at
          FROM ${blocks} WHERE ${range} AND key NOT IN (${single}) ORDER BY key, ${sql.literal(newest)}
          ON CONFLICT (shelf, ${Dialect.fingerprintOf(sql, "key")}) DO UPDATE
            SET value = excluded.value, last_seen = excluded.last_seen WHERE excluded.last_seen >= state.last_seen`
      }
    }
  })

/** `first_seen` of entries that are deleted at once. */
const missing = Number.MIN_SAFE_INTEGER

/**
 * Gives entries that were seen again their new time: all of a step at once. Stages those as normal changes for which a reject of an earlier
 * run waits with a change.
 */
const applySeenAgain = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    for (const { id, step } of yield* stationsIn(sql, run, "seen_again")) {
      // None if the state was cleared or moved while the run was held.
      const [shelf] = yield* StateStore.findShelves(sql, stateKey, step)
      if (shelf === undefined) continue
      const at = StateStore.seenAgainAt(sql, sql`station = ${id}`)
      const again = keysSeenAgain(sql, id)
      const waiting = waitingKeys(sql, run, stateKey, step)
      if (yield* isAny(sql, waiting)) {
        yield* sql`INSERT INTO staged (station, key, seq, row_key, value, at)
          SELECT ${id}, key, ${StateStore.lastNumber(sql, sql`station = ${id}`)} + row_number() OVER (), key, value, ${at}
          FROM state WHERE shelf = ${shelf.id} AND key IN (${waiting}) AND key IN (SELECT key FROM ${again})
            AND key NOT IN (SELECT key FROM staged WHERE station = ${id})`
      }
      // Faster than an update, which looks every entry up twice. Entries that are no longer in the state are removed again.
      for (const range of yield* keyRanges(sql, again)) {
        yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
          SELECT ${shelf.id}, key, 'null', ${missing}, ${at} FROM ${again} WHERE ${range} GROUP BY key ORDER BY key
          ON CONFLICT (shelf, ${Dialect.fingerprintOf(sql, "key")}) DO UPDATE SET last_seen = excluded.last_seen
            WHERE excluded.last_seen > state.last_seen`
      }
      yield* sql`DELETE FROM state WHERE shelf = ${shelf.id} AND first_seen = ${missing}`
    }
  })

/**
 * Marks rejects of earlier runs as replayed if this run has staged a change for the same key of the same step: otherwise a replay would
 * report these rows as new once more.
 */
const resolveRejects = (sql: Sql, run: string, stateKey: string) =>
  // Otherwise Postgres collects the waiting changes again for each change of this run.
  sql`WITH waiting AS MATERIALIZED (SELECT * FROM ${waitingChanges(sql, run, stateKey)})
    UPDATE rejects SET replayed_by = ${run} WHERE replayed_by IS NULL AND (run_id, key) IN
    (SELECT waiting.run_id, waiting.row_key FROM waiting
      JOIN stations ON stations.run_id = ${run} AND stations.step = waiting.step
      JOIN staged ON staged.station = stations.id AND staged.key = waiting.key)`
