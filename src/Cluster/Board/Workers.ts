/** Who works on runs on many machines, and what workers are told. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { again } from "../../Database/Postgres/Lost.ts"
import { isAlive } from "./Signs.ts"

export interface WorkerRow {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly concurrency: number
  readonly draining: boolean
  readonly alive: boolean
  readonly working: number
}

export const make = (sql: PgClient.PgClient) => ({
  join: (worker: { readonly id: string; readonly host: string; readonly pid: number; readonly concurrency: number }) =>
    again(sql`INSERT INTO workers ${sql.insert({ ...worker, address: worker.id })} ON CONFLICT DO NOTHING`),
  /** A sign of life; gives what the worker was told meanwhile. */
  beat: (id: string) =>
    Effect.map(
      sql<{ draining: boolean }>`UPDATE workers SET beat = now() WHERE id = ${id} RETURNING draining`,
      ([row]) => row?.draining === true
    ),
  leave: (id: string) => sql`DELETE FROM workers WHERE id = ${id}`,
  /** Tells a worker to finish what it has and go; false when there is no such worker. */
  drain: (id: string) =>
    Effect.map(
      again(sql`UPDATE workers SET draining = TRUE WHERE id = ${id} OR host = ${id} RETURNING id`),
      (rows) => rows.length
    ),
  workers: Effect.map(
    again(sql<Omit<WorkerRow, "working"> & { readonly working: number }>`SELECT id, host, pid, concurrency, draining,
      ${isAlive(sql)} AS alive,
      (SELECT count(*) FROM parts WHERE worker = workers.id AND status = 'claimed') AS working
      FROM workers ORDER BY since`),
    (rows) => rows.map((row): WorkerRow => ({ ...row, pid: Number(row.pid), working: Number(row.working) }))
  )
})
