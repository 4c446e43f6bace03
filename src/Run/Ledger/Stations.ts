/** What the steps of a run keep between two checkpoints: a value that is replaced, and entries put one by one. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Text from "../../Database/Text.ts"
import type { Changes, Saved } from "../../Step.ts"
import { type Connection, fromText, reading, toText, writing } from "./Connection.ts"

type Sql = SqlClient.SqlClient

/** The number of a step of a run, which it gets when it first has something to keep. */
export const numberOf = (sql: Sql, run: string, step: string) =>
  Effect.gen(function* () {
    const find = sql<{ id: number }>`SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}`
    const [known] = yield* find
    if (known !== undefined) return Number(known.id)
    yield* sql.onDialectOrElse({
      // Its writers come one after the other; elsewhere the table counts.
      sqlite: () => sql`INSERT INTO stations (id, run_id, step)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step} FROM stations`,
      orElse: () => sql`INSERT INTO stations (run_id, step) VALUES (${run}, ${step})`
    })
    const [made] = yield* find
    return Number(made?.id)
  })

const put = Batch.make({
  before: "INSERT INTO entries (station, key, value) VALUES ",
  row: (own) => `($1, ${own})`,
  after: " ON CONFLICT (station, fingerprint(key)) DO UPDATE SET value = excluded.value",
  shared: 1,
  width: 2
})

const remove = Batch.make({
  before: "DELETE FROM entries WHERE station = $1 AND fingerprint(key) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 1,
  width: 1
})

/** Entries looked at together: only the last change of a key counts among them, so their order need not be kept. */
const slice = 4096

const applyEntries = (sql: Sql, station: number, entries: NonNullable<Changes["entries"]>) => {
  let at = 0
  return Effect.whileLoop({
    while: () => at < entries.length,
    body: () => {
      const last = new Map(entries.slice(at, at + slice))
      at += slice
      const gone: Array<string> = []
      const kept: Array<readonly [string, string]> = []
      for (const [key, value] of last) {
        if (value === undefined) gone.push(Text.encode(key))
        else kept.push([Text.encode(key), toText(value)])
      }
      return Effect.zipRight(
        remove(sql, [station], gone, (key) => [key]),
        put(sql, [station], kept, (entry) => entry)
      )
    },
    step: () => {}
  })
}

/** Takes down what has changed. */
export const apply = (sql: Sql, run: string, step: string, { entries = [], value }: Changes) =>
  Effect.gen(function* () {
    if (value === undefined && entries.length === 0) return
    const station = yield* numberOf(sql, run, step)
    if (value !== undefined) yield* sql`UPDATE stations SET value = ${toText(value)} WHERE id = ${station}`
    yield* applyEntries(sql, station, entries)
  })

export const saved = (sql: Sql, run: string, step: string) =>
  Effect.gen(function* () {
    const [station] = yield* sql<{ id: number; value: string | null }>`SELECT id, value FROM stations
      WHERE run_id = ${run} AND step = ${step}`
    if (station === undefined) return { value: undefined, entries: [] } satisfies Saved
    const rows = yield* sql<{ key: string; value: string }>`SELECT key, value FROM entries
      WHERE station = ${station.id} ORDER BY key`
    return {
      value: station.value === null ? undefined : fromText(station.value),
      entries: rows.map(({ key, value }) => [Text.decode(key), fromText(value)] as const)
    } satisfies Saved
  })

/** Rows that are dropped in one transaction: others who want to write wait no longer than that takes. */
const swept = 20_000

/** Drops what was kept by steps of runs that are completed or gone; also what a crash kept an earlier sweep from. */
export const sweep = (connection: Connection) =>
  Effect.gen(function* () {
    const { sql } = connection
    const sweeping = writing(connection, "dropping what nobody will resume")
    const over = sql<{ id: number }>`SELECT id FROM stations WHERE NOT EXISTS
      (SELECT 1 FROM runs WHERE runs.id = stations.run_id AND runs.status <> 'completed')`
    for (const { id } of yield* over) {
      // Numbers are given again: by now it may be the station of a run that lives.
      const isOver = sql`${id} NOT IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
        WHERE runs.status <> 'completed')`
      for (const table of [sql("entries"), sql("staged")]) {
        const some = sql`SELECT key FROM ${table} WHERE station = ${id} LIMIT ${swept}`
        while ((yield* sql`SELECT 1 AS one FROM ${table} WHERE station = ${id} AND ${isOver} LIMIT 1`).length > 0) {
          yield* sweeping(sql`DELETE FROM ${table} WHERE station = ${id} AND ${isOver} AND key IN (${some})`)
        }
      }
      yield* sweeping(sql`DELETE FROM stations WHERE id = ${id} AND ${isOver}`)
    }
  }).pipe(reading(connection, "looking for what nobody will resume"))
