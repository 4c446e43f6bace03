/** Content of the databases of a killed process, read from copies, because opening the originals could repair them. */
import { copyFileSync, existsSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sqlite from "../../src/Database/Sqlite.ts"
import { tempDir } from "../Local.ts"

/** Reads a database as the last process has left it; undefined when there is none. */
export const look = <A>(
  file: string,
  read: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>
): Effect.Effect<A | undefined> =>
  Effect.gen(function* () {
    if (!existsSync(file)) return undefined
    const copy = `${yield* tempDir}/copy.db`
    for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
    const built = yield* Layer.build(Sqlite.layer(copy))
    return yield* read(Context.get(built, SqlClient.SqlClient))
  }).pipe(Effect.scoped, Effect.orDie)

/** Changes a database that no process has open. */
export const change = (file: string, statement: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const built = yield* Layer.build(Sqlite.layer(file))
    yield* Context.get(built, SqlClient.SqlClient).unsafe(statement)
  }).pipe(Effect.scoped, Effect.orDie)

const all = (sql: SqlClient.SqlClient, query: string) => sql.unsafe<Record<string, unknown>>(query)

/** A run as its ledger has it. */
export interface RunRow {
  readonly id: string
  readonly status: string
  readonly rows: number
  readonly rejects: number
  readonly checkpoints: boolean
}

/** The newest run; undefined before the first was opened. */
export const newestRun = (dataDir: string): Effect.Effect<RunRow | undefined> =>
  look(`${dataDir}/ledger.db`, (sql) =>
    Effect.gen(function* () {
      const tables = yield* all(sql, "SELECT name FROM sqlite_master WHERE name = 'runs'")
      if (tables.length === 0) return undefined
      const [row] = yield* all(
        sql,
        "SELECT id, status, row_count, reject_count, progress FROM runs ORDER BY started_at DESC LIMIT 1"
      )
      return row === undefined
        ? undefined
        : {
            id: String(row.id),
            status: String(row.status),
            rows: Number(row.row_count),
            rejects: Number(row.reject_count),
            checkpoints: row.progress !== "null"
          }
    })
  )

/** Everything in the ledger that must be the same however often a run was killed. */
const settled: Readonly<Record<string, string>> = {
  run: `SELECT status, error, row_count, reject_count, call_credits, call_unpriced, call_pages, job_credits,
    job_unpriced FROM runs`,
  pages: "SELECT step, key, status, error, hash, credits, price FROM pages",
  rejects: "SELECT step, key, defined_at, error, message FROM rejects",
  calls: "SELECT step, answer IS NULL AS settled, credits, price, page_key FROM calls",
  state: "SELECT state_key, step, key, value FROM state JOIN shelves ON shelves.id = state.shelf",
  spent: "SELECT sum(credits) AS credits, sum(unpriced) AS unpriced FROM spent",
  // A process that is killed after its last commit leaves its locks; other processes find that their owner is dead.
  "left over": `SELECT (SELECT count(*) FROM stations) + (SELECT count(*) FROM entries) + (SELECT count(*) FROM staged)
    + (SELECT count(*) FROM seen_again) + (SELECT count(*) FROM staged_blocks) AS rows`,
  locks: "SELECT name FROM locks"
}

/** The lines of each part, sorted. */
export const ledgerOf = (dataDir: string): Effect.Effect<Readonly<Record<string, ReadonlyArray<string>>>> =>
  Effect.map(
    look(`${dataDir}/ledger.db`, (sql) =>
      Effect.forEach(Object.entries(settled), ([name, query]) =>
        Effect.map(all(sql, query), (rows) => [name, rows.map((row) => JSON.stringify(row)).sort()] as const)
      )
    ),
    (parts) => Object.fromEntries(parts ?? [])
  )

/** Usage of an engine: credits by endpoint, calls where each is one charge, and jobs. */
export const usageOf = (dataDir: string): Effect.Effect<Readonly<Record<string, number>>> =>
  Effect.map(
    look(`${dataDir}/engine.db`, (sql) =>
      Effect.gen(function* () {
        const rows = yield* all(
          sql,
          "SELECT endpoint, count(*) AS calls, sum(credits) AS credits FROM usage_ledger GROUP BY endpoint"
        )
        const [jobs] = yield* all(sql, "SELECT count(*) AS jobs FROM jobs")
        return Object.fromEntries([
          ...rows.flatMap(({ calls, credits, endpoint }) => [
            [`${endpoint} credits`, Number(credits)],
            // Pages of a job that are done at the same time are charged at once.
            ...(endpoint === "batchPage" ? [] : [[`${endpoint} calls`, Number(calls)]])
          ]),
          ["jobs", Number(jobs?.jobs)]
        ])
      })
    ),
    (usage) => usage ?? {}
  )
