/** The rows of the state across runs. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Fingerprint from "../../Database/Fingerprint.ts"
import * as Text from "../../Database/Text.ts"
import type { StateEntry } from "../../Step.ts"
import { fromText, toText } from "./Connection.ts"
import type { StateRecord } from "./States.ts"

type Sql = SqlClient.SqlClient

export interface StateRow {
  readonly key: string
  readonly value: string
  readonly first_seen: number
  readonly last_seen: number
}

export const toEntry = (row: StateRow): StateEntry => ({
  key: Text.decode(row.key),
  value: fromText(row.value),
  firstSeen: Number(row.first_seen),
  lastSeen: Number(row.last_seen)
})

/** The numbers of the shelves under a state key, or of one step's there. */
export const find = (sql: Sql, stateKey: string, step?: string) =>
  Effect.map(
    sql<{
      id: number
      step: string
    }>`SELECT id, step FROM shelves WHERE state_key = ${Text.encode(stateKey)} ORDER BY step`,
    (rows) => rows.filter((row) => step === undefined || row.step === step)
  )

/** The number of a step's state, made when it is missing. */
export const shelfOf = (sql: Sql, stateKey: string, step: string) =>
  Effect.gen(function* () {
    const [known] = yield* find(sql, stateKey, step)
    if (known !== undefined) return Number(known.id)
    yield* sql.onDialectOrElse({
      sqlite: () => sql`INSERT INTO shelves (id, state_key, step)
        SELECT coalesce(max(id), 0) + 1, ${Text.encode(stateKey)}, ${step} FROM shelves`,
      orElse: () => sql`INSERT INTO shelves (state_key, step) VALUES (${Text.encode(stateKey)}, ${step})`
    })
    const [made] = yield* find(sql, stateKey, step)
    return Number(made?.id)
  })

/** All that a step has under a key, in the order of its keys. */
export const load = (sql: Sql, stateKey: string, step: string) =>
  Effect.map(
    sql<StateRow>`SELECT key, value, first_seen, last_seen FROM state WHERE shelf =
      (SELECT id FROM shelves WHERE state_key = ${Text.encode(stateKey)} AND step = ${step}) ORDER BY key`,
    (rows) => rows.map(toEntry)
  )

const upsert = Batch.make({
  before: "INSERT INTO state (shelf, key, value, first_seen, last_seen) VALUES ",
  row: (own) => `($1, ${own})`,
  after: ` ON CONFLICT (shelf, fingerprint(key)) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen,
    first_seen = CASE WHEN excluded.first_seen < state.first_seen THEN excluded.first_seen ELSE state.first_seen END`,
  shared: 1,
  width: 4
})

/** Puts entries with their own times; an entry that is known keeps its earliest first time. */
export const put = (sql: Sql, shelf: number, entries: ReadonlyArray<StateEntry>) =>
  upsert(sql, [shelf], [...new Map(entries.map((entry) => [entry.key, entry])).values()], (entry) => [
    Text.encode(entry.key),
    toText(entry.value),
    entry.firstSeen,
    entry.lastSeen
  ])

/** Puts entries of several steps. */
export const putAll = (sql: Sql, stateKey: string, entries: ReadonlyArray<StateRecord>) =>
  Effect.forEach(
    new Set(entries.map(({ step }) => step)),
    (step) =>
      Effect.flatMap(shelfOf(sql, stateKey, step), (shelf) =>
        put(
          sql,
          shelf,
          entries.filter((entry) => entry.step === step)
        )
      ),
    { discard: true }
  )

/** Removes shelves with nothing on them. */
const tidy = (sql: Sql, stateKey: string) => sql`DELETE FROM shelves WHERE state_key = ${Text.encode(stateKey)}
  AND NOT EXISTS (SELECT 1 FROM state WHERE state.shelf = shelves.id)`

export const remove = (sql: Sql, stateKey: string, step: string, key: string) =>
  Effect.gen(function* () {
    for (const { id } of yield* find(sql, stateKey, step)) {
      yield* sql`DELETE FROM state WHERE shelf = ${id}
        AND ${Fingerprint.of(sql, "key")} = ${Fingerprint.ofText(sql, Text.encode(key))}`
    }
    yield* tidy(sql, stateKey)
  })

/**
 * Removes entries of a step that no run has met since. Entries that this run has staged were met, however long it took;
 * those of rejected rows wait for their replay.
 */
export const forget = (sql: Sql, run: string, stateKey: string, step: string, lastSeenBefore: number) =>
  Effect.gen(function* () {
    for (const { id } of yield* find(sql, stateKey, step)) {
      yield* sql`DELETE FROM state WHERE shelf = ${id} AND last_seen < ${lastSeenBefore} AND key NOT IN
        (SELECT key FROM held WHERE state_key = ${Text.encode(stateKey)} AND step = ${step}
        UNION ALL SELECT key FROM staged WHERE station IN
          (SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}))`
    }
    yield* tidy(sql, stateKey)
  })

/** Removes entries of a state key; says how many. */
export const clear = (
  sql: Sql,
  stateKey: string,
  { lastSeenBefore, step }: { readonly step?: string | undefined; readonly lastSeenBefore?: number | undefined }
) =>
  Effect.gen(function* () {
    let removed = 0
    for (const { id } of yield* find(sql, stateKey, step)) {
      const old = lastSeenBefore === undefined ? sql`1 = 1` : sql`last_seen < ${lastSeenBefore}`
      const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM state WHERE shelf = ${id} AND ${old}`
      removed += Number(row?.n ?? 0)
      yield* sql`DELETE FROM state WHERE shelf = ${id} AND ${old}`
    }
    yield* tidy(sql, stateKey)
    return removed
  })
