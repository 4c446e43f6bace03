/**
 * State across runs: entries with the times they were first and last seen, by state key and step.
 *
 * A run holds the lock of its state key while it is running, and applies its staged changes when it is completed. Changes by `sluice state`
 * take the same lock, and fail with `Locked` while a run holds it.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import { allRows, dependent, type Json } from "../Row.ts"
import type { StateEntry } from "../Step.ts"
import { type Connection, fromText, numberOf, reading, toText, writing } from "./Connection.ts"
import { LedgerError, type Locked } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"

type Sql = SqlClient.SqlClient

export interface StateRow {
  readonly key: string
  readonly value: string
  readonly first_seen: number
  readonly last_seen: number
}

type StateColumns = readonly [key: string, value: string, firstSeen: number, lastSeen: number]

const entryOf = ([key, value, firstSeen, lastSeen]: StateColumns): StateEntry => ({
  key: Dialect.decodeText(key),
  value: value === "null" ? null : fromText(value),
  firstSeen,
  lastSeen
})

export const toEntry = (row: StateRow): StateEntry =>
  entryOf([row.key, row.value, Number(row.first_seen), Number(row.last_seen)])

/** Ids of the steps with state under a key, or of the one named step. */
export const findShelves = (sql: Sql, stateKey: string, step?: string) =>
  Effect.map(
    sql<{
      id: number
      step: string
    }>`SELECT id, step FROM shelves WHERE state_key = ${Dialect.encodeText(stateKey)} ORDER BY step`,
    (rows) => rows.filter((row) => step === undefined || row.step === step)
  )

/** Id of a step under a state key; created if missing. */
export const shelfFor = (sql: Sql, stateKey: string, step: string) =>
  Effect.gen(function* () {
    const [known] = yield* findShelves(sql, stateKey, step)
    if (known !== undefined) return Number(known.id)
    yield* sql.onDialectOrElse({
      sqlite: () => sql`INSERT INTO shelves (id, state_key, step)
        SELECT coalesce(max(id), 0) + 1, ${Dialect.encodeText(stateKey)}, ${step} FROM shelves`,
      orElse: () => sql`INSERT INTO shelves (state_key, step) VALUES (${Dialect.encodeText(stateKey)}, ${step})`
    })
    const [made] = yield* findShelves(sql, stateKey, step)
    return Number(made?.id)
  })

/** A staged change of a run whose outputs are held. */
interface HeldChange {
  readonly key: string
  readonly value: string | null
  readonly at: number
}

/** Condition for other runs with a state key whose outputs are held, or released and not yet published. */
const ofHeldRun = (sql: Sql, run: string, stateKey: string) =>
  sql`runs.state_key = ${Dialect.encodeText(stateKey)} AND runs.id <> ${run}
    AND sealed IS NOT NULL AND (status = 'held' OR (status NOT IN ('completed', 'discarded')
      AND EXISTS (SELECT 1 FROM health WHERE health.run_id = runs.id AND released = 1)))`

/** Staged changes of held runs; oldest run first. */
export const loadHeld = (sql: Sql, run: string, stateKey: string, step: string) =>
  sql<HeldChange>`SELECT staged.key AS key, staged.value AS value, staged.at AS at FROM staged
    JOIN stations ON stations.id = staged.station JOIN runs ON runs.id = stations.run_id
    JOIN run_texts ON run_texts.run_id = runs.id
    WHERE stations.step = ${step} AND ${ofHeldRun(sql, run, stateKey)}
      AND staged.row_key <> ${Dialect.encodeText(allRows)} AND substr(staged.row_key, 1, 1) <> ${dependent}
      AND NOT EXISTS (SELECT 1 FROM rejects WHERE rejects.run_id = runs.id AND rejects.key = staged.row_key)
    ORDER BY runs.started_at, runs.id, staged.seq`

/** Entries per query or transaction. */
const entriesPerPage = 1000

/** Maximum characters of an entry that is read together with others. */
const smallEntry = 4096

/** Some entries of a step, ordered by key. */
const page = (sql: Sql, { after, limit, step, text }: StateRange & StateFilter) => {
  // Postgres indexes only the first 200 characters of a key, so the order begins with them.
  const isCut = Dialect.needsFingerprints(sql)
  const from = (after: string) => (isCut ? sql`AND left(key, 200) >= left(${after}, 200)` : sql.literal(""))
  const some = sql<StateRow>`SELECT key, value, first_seen, last_seen FROM state WHERE shelf = ${step}
      ${after === undefined ? sql.literal("") : sql`AND key > ${Dialect.encodeText(after)} ${from(Dialect.encodeText(after))}`}
      ${text === undefined ? sql.literal("") : sql`AND ${Dialect.contains(sql, "key", Dialect.encodeText(text))}`}
      ORDER BY ${sql.literal(isCut ? "left(key, 200), key" : "key")} LIMIT ${limit}`
  const byRow = Effect.map(some, (rows) => rows.map(toEntry))
  return sql.onDialectOrElse({
    // One text instead of an object for each row: the driver of SQLite takes four times as long for those. With large entries, the text
    // could be longer than the driver can read.
    sqlite: () =>
      Effect.flatMap(
        sql<{
          small: string
          n: number
        }>`SELECT count(*) AS n, json_group_array(json_array(key, value, first_seen, last_seen))
          FILTER (WHERE length(key) + length(value) <= ${smallEntry}) AS small FROM (${some})`,
        ([row]) => {
          const small = JSON.parse(row?.small ?? "[]") as ReadonlyArray<StateColumns>
          return small.length === row?.n ? Effect.succeed(small.map(entryOf)) : byRow
        }
      ),
    orElse: () => byRow
  })
}

/** An entry after a change of a held run; undefined if the run made and removed it. */
const withHeld = (key: string, before: StateEntry | undefined, { at, value }: HeldChange): StateEntry | undefined => {
  const lastSeen = Number(at)
  const isHeld = before?.isHeld === true
  // If a later run has published another value in the meantime, that value stays.
  if (!isHeld && before !== undefined && before.lastSeen > lastSeen) return before
  const published = isHeld ? before.published : before
  if (value === null && published === undefined) return undefined
  return {
    key,
    value: value === null ? null : fromText(value),
    firstSeen: before === undefined || before.isRemoved === true ? lastSeen : before.firstSeen,
    lastSeen,
    isHeld: true,
    ...(published === undefined ? {} : { published }),
    ...(value === null ? { isRemoved: true } : {})
  }
}

/**
 * Visits the state of a step by key, with the changes of held runs added, so that a later run does not write the rows of a held run again;
 * entries that only held runs have come last. The stored state contains no changes of a held run, so that the run can still be discarded.
 * Entries that a held run has removed stay, with a mark.
 */
export const each = (
  connection: Connection,
  run: string,
  stateKey: string,
  step: string,
  visit: (entry: StateEntry) => void
) =>
  Effect.gen(function* () {
    const { sql } = connection
    // Each page by itself, because a read is tried again after a lost connection.
    const read = reading(connection, `reading the state for step ${step} of run ${run}`)
    const held = new Map<string, Array<HeldChange>>()
    for (const change of yield* read(loadHeld(sql, run, stateKey, step))) {
      const key = Dialect.decodeText(change.key)
      const known = held.get(key)
      if (known === undefined) held.set(key, [change])
      else known.push(change)
    }
    const visitChanged = (key: string, published: StateEntry | undefined, changes: ReadonlyArray<HeldChange>) => {
      const entry = changes.reduce<StateEntry | undefined>((before, change) => withHeld(key, before, change), published)
      if (entry !== undefined) visit(entry)
    }
    const [shelf] = yield* read(findShelves(sql, stateKey, step))
    let after: string | undefined
    let isMore = shelf !== undefined
    while (shelf !== undefined && isMore) {
      const entries = yield* read(page(sql, { step: shelf.id, after, limit: entriesPerPage }))
      for (const entry of entries) {
        const changes = held.get(entry.key)
        if (changes === undefined) visit(entry)
        else {
          held.delete(entry.key)
          visitChanged(entry.key, entry, changes)
        }
      }
      after = entries.at(-1)?.key
      isMore = entries.length === entriesPerPage
    }
    for (const [key, changes] of held) visitChanged(key, undefined, changes)
  })

const upsert = BulkStatement.make({
  before: "INSERT INTO state (shelf, key, value, first_seen, last_seen) VALUES ",
  row: (own) => `($1, ${own})`,
  after: ` ON CONFLICT (shelf, fingerprint(key)) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen,
    first_seen = CASE WHEN excluded.first_seen < state.first_seen THEN excluded.first_seen ELSE state.first_seen END`,
  shared: 1,
  width: 4
})

/** Inserts or updates entries with their own times. Keeps the earliest `firstSeen`. */
export const putEntries = (sql: Sql, shelf: number, entries: ReadonlyArray<StateEntry>) =>
  upsert(sql, [shelf], [...new Map(entries.map((entry) => [entry.key, entry])).values()], (entry) => [
    Dialect.encodeText(entry.key),
    toText(entry.value),
    entry.firstSeen,
    entry.lastSeen
  ])

export const putRecords = (sql: Sql, stateKey: string, entries: ReadonlyArray<StateRecord>) =>
  Effect.forEach(
    new Set(entries.map(({ step }) => step)),
    (step) =>
      Effect.flatMap(shelfFor(sql, stateKey, step), (shelf) =>
        putEntries(
          sql,
          shelf,
          entries.filter((entry) => entry.step === step)
        )
      ),
    { discard: true }
  )

const deleteEmptyShelves = (
  sql: Sql,
  stateKey: string
) => sql`DELETE FROM shelves WHERE state_key = ${Dialect.encodeText(stateKey)}
  AND NOT EXISTS (SELECT 1 FROM state WHERE state.shelf = shelves.id)`

export const removeEntry = (sql: Sql, stateKey: string, step: string, key: string) =>
  Effect.gen(function* () {
    for (const { id } of yield* findShelves(sql, stateKey, step)) {
      yield* sql`DELETE FROM state WHERE shelf = ${id}
        AND ${Dialect.fingerprintOf(sql, "key")} = ${Dialect.fingerprintOfText(sql, Dialect.encodeText(key))}`
    }
    yield* deleteEmptyShelves(sql, stateKey)
  })

/** Last time of the entries that a run has seen again, which all of them get when it completes; null without any. */
export const seenAgainAt = (sql: Sql, ofStation: Statement.Fragment) =>
  sql`(SELECT max(at) FROM seen_again WHERE ${ofStation})`

/** The staged changes in blocks, as rows. */
export const inBlocks = (sql: Sql, ofStation: Statement.Fragment) => {
  const json = sql.literal(sql.onDialectOrElse({ sqlite: () => "changes", orElse: () => "changes::json" }))
  return sql`(SELECT seq, at, one.key AS key, one.value ->> 0 AS value, coalesce(one.value ->> 1, one.key) AS row_key
    FROM staged_blocks, json_each(${json}) AS one WHERE ${ofStation}) AS blocks`
}

/** Last number of the staged changes of steps; 0 without any. */
export const lastNumber = (sql: Sql, ofStation: Statement.Fragment) =>
  sql`(SELECT coalesce(max(seq), 0) FROM (SELECT seq FROM staged WHERE ${ofStation}
    UNION ALL SELECT seq FROM staged_blocks WHERE ${ofStation}
    UNION ALL SELECT seq FROM seen_again WHERE ${ofStation}) AS numbers)`

/**
 * Deletes entries of a step that no run has seen since a time. Keeps entries that this run has staged or seen again, however long before
 * its end, those held for a replay, and those that a held run has changed.
 */
export const expire = (sql: Sql, run: string, stateKey: string, step: string, lastSeenBefore: number) =>
  Effect.gen(function* () {
    for (const { id } of yield* findShelves(sql, stateKey, step)) {
      const own = sql`SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}`
      const seenAt = seenAgainAt(sql, sql`station IN (${own})`)
      const since = sql`(SELECT min(at) FROM staged_blocks WHERE station IN (${own}))`
      yield* sql`DELETE FROM state WHERE shelf = ${id} AND last_seen < ${lastSeenBefore}
        AND last_seen < coalesce(${seenAt}, ${lastSeenBefore})
        AND (last_seen < coalesce(${since}, ${lastSeenBefore}) OR key NOT IN
          (SELECT key FROM ${inBlocks(sql, sql`station IN (${own})`)}))
        AND key NOT IN
        (SELECT key FROM held WHERE state_key = ${Dialect.encodeText(stateKey)} AND step = ${step}
        UNION ALL SELECT key FROM staged WHERE station IN (${own})
        UNION ALL SELECT staged.key FROM staged JOIN stations ON stations.id = staged.station
          JOIN runs ON runs.id = stations.run_id JOIN run_texts ON run_texts.run_id = runs.id
          WHERE stations.step = ${step} AND ${ofHeldRun(sql, run, stateKey)})`
    }
    yield* deleteEmptyShelves(sql, stateKey)
  })

/** Deletes entries of a state key. Returns their number. */
export const clearEntries = (
  sql: Sql,
  stateKey: string,
  { lastSeenBefore, step }: { readonly step?: string | undefined; readonly lastSeenBefore?: number | undefined }
) =>
  Effect.gen(function* () {
    let removed = 0
    for (const { id } of yield* findShelves(sql, stateKey, step)) {
      const old = lastSeenBefore === undefined ? sql`1 = 1` : sql`last_seen < ${lastSeenBefore}`
      const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM state WHERE shelf = ${id} AND ${old}`
      removed += Number(row?.n ?? 0)
      yield* sql`DELETE FROM state WHERE shelf = ${id} AND ${old}`
    }
    yield* deleteEmptyShelves(sql, stateKey)
    return removed
  })

/** An entry with its step: one line of an export. */
export interface StateRecord extends StateEntry {
  readonly step: string
}

/** Size and age of a step's state. */
export interface StepStateSummary {
  readonly stateKey: string
  readonly step: string
  readonly entries: number
  /** Milliseconds since 1970; undefined if there are no entries. */
  readonly firstSeen: number | undefined
  readonly lastSeen: number | undefined
}

/** A step with state under a key. */
export interface StateStep {
  readonly id: number
  readonly step: string
}

/** Part of the entries of a step, ordered by key. */
export interface StateRange {
  /** Id of the {@link StateStep}. */
  readonly step: number
  /** Only keys after this one. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Filter for entries. Undefined fields match everything. */
export interface StateFilter {
  /** Substring of the key; ignores case. */
  readonly text?: string | undefined
}

/** Inspects and changes state (`sluice state`). Changes fail with `Locked` while a run holds the state key. */
export interface States {
  /** Summaries, ordered by state key and step. */
  readonly list: Effect.Effect<ReadonlyArray<StepStateSummary>, LedgerError>
  /** Names of the steps with entries under a state key. */
  readonly steps: (stateKey: string) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** All entries of a state key, or of one of its steps, ordered by step and key. */
  readonly entries: (stateKey: string, step?: string, filter?: StateFilter) => Stream.Stream<StateRecord, LedgerError>
  readonly page: (range: StateRange & StateFilter) => Effect.Effect<ReadonlyArray<StateEntry>, LedgerError>
  readonly get: (stateKey: string, step: string, key: string) => Effect.Effect<StateEntry | undefined, LedgerError>
  /** Sets an entry and deletes others in the same transaction. Without a value, deletes the entry. */
  readonly set: (
    stateKey: string,
    step: string,
    key: string,
    value: Json | undefined,
    forgotten?: ReadonlyArray<string>
  ) => Effect.Effect<void, LedgerError | Locked>
  /** Deletes all entries, or those of one step, or those last seen before a time. Returns their number. */
  readonly clear: (
    stateKey: string,
    which?: { readonly step?: string | undefined; readonly lastSeenBefore?: number | undefined }
  ) => Effect.Effect<number, LedgerError | Locked>
  /** Renames a state key. The new key must not exist. */
  readonly move: (from: string, to: string) => Effect.Effect<void, LedgerError | Locked>
  /** Imports entries with their times, in one transaction per 1,000. Can be repeated after a failure. Returns their number. */
  readonly import: <E, R>(
    stateKey: string,
    entries: Stream.Stream<StateRecord, E, R>
  ) => Effect.Effect<number, LedgerError | Locked | E, R>
}

/** Name of the lock of a state key. */
export const lockName = (stateKey: string): string => `state ${stateKey}`

export const make = (connection: Connection): States => {
  const { place, sql } = connection

  const pageOf = (range: StateRange & StateFilter) => reading(connection, "reading the state")(page(sql, range))

  const entriesOf =
    (filter: StateFilter) =>
    ({ id, step }: StateStep) =>
      Stream.paginateChunkEffect(undefined, (after: string | undefined) =>
        Effect.map(pageOf({ ...filter, step: id, after, limit: entriesPerPage }), (entries) => [
          Chunk.unsafeFromArray(entries.map((entry): StateRecord => ({ step, ...entry }))),
          entries.length < entriesPerPage ? Option.none() : Option.fromNullable(entries.at(-1)?.key)
        ])
      )

  /** Changes state in one transaction while holding the locks of its keys. */
  const changing = <A, E>(keys: ReadonlyArray<string>, change: (now: number) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const { fence } = yield* Locks.acquire(connection, keys.map(lockName))
      return yield* Effect.zipRight(fence, Effect.flatMap(Clock.currentTimeMillis, change)).pipe(
        writing(connection, `changing the state ${keys.join(" and ")}`)
      )
    }).pipe(Effect.scoped)

  return {
    list: sql<{ state_key: string; step: string; entries: number; first: number | null; last: number | null }>`
      SELECT shelves.state_key AS state_key, shelves.step AS step, count(state.key) AS entries,
        min(state.first_seen) AS first, max(state.last_seen) AS last
      FROM shelves LEFT JOIN state ON state.shelf = shelves.id
      GROUP BY shelves.id, shelves.state_key, shelves.step ORDER BY shelves.state_key, shelves.step`.pipe(
      Effect.map((rows) =>
        rows.map((row) => ({
          stateKey: Dialect.decodeText(row.state_key),
          step: row.step,
          entries: Number(row.entries),
          firstSeen: numberOf(row.first),
          lastSeen: numberOf(row.last)
        }))
      ),
      reading(connection, "listing the state")
    ),
    steps: (stateKey) =>
      Effect.map(findShelves(sql, stateKey), (shelves) => shelves.map(({ step }) => step)).pipe(
        reading(connection, `reading the state ${stateKey}`)
      ),
    page: pageOf,
    entries: (stateKey, step, filter = {}) =>
      findShelves(sql, stateKey, step).pipe(
        reading(connection, `reading the state ${stateKey}`),
        Effect.map((shelves) => Stream.flatMap(Stream.fromIterable(shelves), entriesOf(filter))),
        Stream.unwrap
      ),
    get: (stateKey, step, key) =>
      Effect.gen(function* () {
        const [shelf] = yield* findShelves(sql, stateKey, step)
        if (shelf === undefined) return undefined
        const [row] = yield* sql<StateRow>`SELECT * FROM state
          WHERE shelf = ${shelf.id} AND ${Dialect.fingerprintOf(sql, "key")} = ${Dialect.fingerprintOfText(sql, Dialect.encodeText(key))}`
        return row === undefined ? undefined : toEntry(row)
      }).pipe(reading(connection, `reading the state ${stateKey}`)),
    set: (stateKey, step, key, value, forgotten = []) =>
      changing([stateKey], (now) =>
        Effect.gen(function* () {
          for (const each of forgotten) yield* removeEntry(sql, stateKey, step, each)
          if (value === undefined) return yield* removeEntry(sql, stateKey, step, key)
          const shelf = yield* shelfFor(sql, stateKey, step)
          yield* putEntries(sql, shelf, [{ key, value, firstSeen: now, lastSeen: now }])
        })
      ),
    clear: (stateKey, which = {}) => changing([stateKey], () => clearEntries(sql, stateKey, which)),
    move: (from, to) =>
      changing([from, to], () =>
        Effect.gen(function* () {
          const doing = `moving the state ${from} to ${to}`
          if ((yield* findShelves(sql, from)).length === 0) {
            return yield* new LedgerError({ place, doing, reason: `there is no state under ${from}` })
          }
          if ((yield* findShelves(sql, to)).length > 0) {
            return yield* new LedgerError({
              place,
              doing,
              reason: `there is already a state under ${to}; clear it first`
            })
          }
          yield* sql`UPDATE shelves SET state_key = ${Dialect.encodeText(to)} WHERE state_key = ${Dialect.encodeText(from)}`
        })
      ),
    import: (stateKey, entries) =>
      Effect.gen(function* () {
        const { fence } = yield* Locks.acquire(connection, [lockName(stateKey)])
        return yield* Stream.runFoldEffect(Stream.grouped(entries, entriesPerPage), 0, (sum, chunk) =>
          Effect.zipRight(fence, putRecords(sql, stateKey, Chunk.toReadonlyArray(chunk))).pipe(
            writing(connection, `importing into the state ${stateKey}`),
            Effect.as(sum + chunk.length)
          )
        )
      }).pipe(Effect.scoped)
  }
}
