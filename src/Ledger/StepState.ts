/** Saved state of the steps of a run: for each step one value, which is replaced, and entries, which are put and deleted one by one. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import type { Changes, Saved } from "../Step.ts"
import { type Connection, fromText, reading, toText, writing } from "./Connection.ts"

type Sql = SqlClient.SqlClient

/** Id of a step of a run; assigned when the step first saves something. */
export const stepNumber = (sql: Sql, run: string, step: string) =>
  Effect.gen(function* () {
    const find = sql<{ id: number }>`SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}`
    const [known] = yield* find
    if (known !== undefined) return Number(known.id)
    yield* sql.onDialectOrElse({
      // SQLite has one writer at a time, so max + 1 is safe. Postgres generates the number.
      sqlite: () => sql`INSERT INTO stations (id, run_id, step)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step} FROM stations`,
      orElse: () => sql`INSERT INTO stations (run_id, step) VALUES (${run}, ${step})`
    })
    const [made] = yield* find
    return Number(made?.id)
  })

/** Saves the value of a step; returns the step's id. */
const saveValue = (sql: Sql, run: string, step: string, value: string) => {
  const put = sql`ON CONFLICT (run_id, step) DO UPDATE SET value = excluded.value RETURNING id`
  const statement = sql.onDialectOrElse({
    sqlite: () => sql<{ id: number }>`INSERT INTO stations (id, run_id, step, value)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step}, ${value} FROM stations WHERE TRUE ${put}`,
    orElse: () =>
      sql<{ id: number }>`INSERT INTO stations (run_id, step, value) VALUES (${run}, ${step}, ${value}) ${put}`
  })
  return Effect.map(statement, ([row]) => Number(row?.id))
}

export const saveStep = (sql: Sql, run: string, step: string, { entries = [], value }: Changes) =>
  Effect.gen(function* () {
    if (value === undefined && entries.length === 0) return
    const station = yield* value === undefined ? stepNumber(sql, run, step) : saveValue(sql, run, step, toText(value))
    yield* applyEntries(sql, station, entries)
  })

const putEntries = BulkStatement.make({
  before: "INSERT INTO entries (station, key, value) VALUES ",
  row: (own) => `($1, ${own})`,
  after: " ON CONFLICT (station, fingerprint(key)) DO UPDATE SET value = excluded.value",
  shared: 1,
  width: 2
})

const deleteEntries = BulkStatement.make({
  before: "DELETE FROM entries WHERE station = $1 AND fingerprint(key) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 1,
  width: 1
})

/** Maximum entries written by one batch, which contains only the last change of each key. */
const entriesPerBatch = 4096

const applyEntries = (sql: Sql, station: number, entries: NonNullable<Changes["entries"]>) => {
  let at = 0
  return Effect.whileLoop({
    while: () => at < entries.length,
    body: () => {
      const last = new Map(entries.slice(at, at + entriesPerBatch))
      at += entriesPerBatch
      const deleted: Array<string> = []
      const updated: Array<readonly [string, string]> = []
      for (const [key, value] of last) {
        if (value === undefined) deleted.push(Dialect.encodeText(key))
        else updated.push([Dialect.encodeText(key), toText(value)])
      }
      return Effect.zipRight(
        deleteEntries(sql, [station], deleted, (key) => [key]),
        putEntries(sql, [station], updated, (entry) => entry)
      )
    },
    step: () => {}
  })
}

export const noState: Saved = { value: undefined, entries: [] }

export const loadStep = (sql: Sql, run: string, step: string) =>
  Effect.gen(function* () {
    const [station] = yield* sql<{ id: number; value: string | null }>`SELECT id, value FROM stations
      WHERE run_id = ${run} AND step = ${step}`
    if (station === undefined) return noState
    const rows = yield* sql<{ key: string; value: string }>`SELECT key, value FROM entries
      WHERE station = ${station.id} ORDER BY key`
    return {
      value: station.value === null ? undefined : fromText(station.value),
      entries: rows.map(({ key, value }) => [Dialect.decodeText(key), fromText(value)] as const)
    } satisfies Saved
  })

/**
 * Tables with saved state of a step, a column that tells their rows apart, and the number of rows deleted by one transaction; small, because
 * other writers wait for it.
 */
const deletedWithStep = [
  ["entries", "key", 20_000],
  ["staged", "key", 20_000],
  // A row has thousands of keys.
  ["staged_blocks", "seq", 50],
  ["seen_again", "seq", 50]
] as const

/**
 * Deletes saved state of runs that are completed or deleted, including leftovers of an earlier call that crashed, and of `forgotten`, a
 * discarded run whose files are removed. Keeps the state of other discarded runs: it names files that may still exist.
 */
export const deleteLeftovers = (connection: Connection, forgotten = "") =>
  Effect.gen(function* () {
    const { sql } = connection
    const looking = reading(connection, "looking for saved state of completed runs")
    const deleting = writing(connection, "deleting saved state of completed runs")
    const isNeeded = sql`runs.status <> 'completed' AND NOT (runs.status = 'discarded' AND runs.id = ${forgotten})`
    const over = sql<{ id: number }>`SELECT id FROM stations WHERE NOT EXISTS
      (SELECT 1 FROM runs WHERE runs.id = stations.run_id AND ${isNeeded})`
    for (const { id } of yield* looking(over)) {
      // SQLite reuses numbers: this one may belong to a step of an active run by now.
      const isOver = sql`${id} NOT IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
        WHERE ${isNeeded})`
      for (const [name, key, rowsPerDelete] of deletedWithStep) {
        const table = sql(name)
        const some = sql`SELECT ${sql(key)} FROM ${table} WHERE station = ${id} LIMIT ${rowsPerDelete}`
        const left = looking(sql`SELECT 1 AS one FROM ${table} WHERE station = ${id} AND ${isOver} LIMIT 1`)
        while ((yield* left).length > 0) {
          yield* deleting(sql`DELETE FROM ${table} WHERE station = ${id} AND ${isOver} AND ${sql(key)} IN (${some})`)
        }
      }
      yield* deleting(sql`DELETE FROM stations WHERE id = ${id} AND ${isOver}`)
    }
  })
