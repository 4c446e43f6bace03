/** A ledger that cannot be used says why, and what to do; an older one is brought up to date. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../src/Database.ts"
import { migrations } from "../../src/Ledger/Schema.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { behind, checkpoint, type Opened, run } from "./Ledgers.ts"

/** Opens the ledger of a folder, uses it, closes it. */
const withLedger = <A, E, R>(folder: string, use: (ledger: Opened) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Ledger, use).pipe(Effect.provide(Sqlite.layer(folder)), Effect.provide(NodeContext.layer))

const nothing = () => Effect.void

describe("opening the ledger", () => {
  scoped("creates a private folder, and a file whose commits have reached the disk", function* () {
    const folder = join(yield* tempDir, "deep", "data")
    yield* withLedger(folder, (ledger) => Effect.sync(() => expect(ledger.place).toBe(join(folder, "ledger.db"))))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(yield* behind(folder, (sql) => sql`PRAGMA auto_vacuum`)).toEqual([{ auto_vacuum: 2 }])
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`PRAGMA synchronous`).toEqual([{ synchronous: 2 }])
      expect(yield* sql`PRAGMA journal_mode`).toEqual([{ journal_mode: "wal" }])
    }).pipe(Effect.provide(Sqlite.database(join(folder, "ledger.db"))), Effect.provide(NodeContext.layer))
  })

  scoped("refuses a file of a newer version, and does not change it", function* () {
    const folder = yield* tempDir
    yield* withLedger(folder, nothing)
    yield* behind(folder, (sql) => sql`INSERT INTO migrations VALUES ('ledger', 999, 'future', 0)`)
    const error = yield* Effect.flip(withLedger(folder, nothing))
    expect(error._tag).toBe("LedgerError")
    expect(error.message).toContain(join(folder, "ledger.db"))
    expect(error.message).toContain('tables of "ledger" have version 999')
    expect(error.message).toContain("Update the program")
  })

  scoped("migrates a file that was created before it had a ledger", function* () {
    const folder = yield* tempDir
    yield* behind(folder, (sql) =>
      Effect.zipRight(
        sql`CREATE TABLE migrations (part TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL,
            applied_at BIGINT NOT NULL, PRIMARY KEY (part, version))`,
        sql`INSERT INTO migrations VALUES ('other', 1, 'first', 0)`
      )
    )
    yield* withLedger(folder, (ledger) => Effect.scoped(ledger.open(run("r1"))))
    yield* withLedger(folder, (ledger) => Effect.map(ledger.find("r1"), (found) => expect(found?.id).toBe("r1")))
  })

  scoped("reports a file that is not a database, and does not change it", function* () {
    const folder = yield* tempDir
    const text = "this is no database, and long enough to be looked at as one".repeat(20)
    writeFileSync(join(folder, "ledger.db"), text)
    const error = yield* Effect.flip(withLedger(folder, nothing))
    expect(error._tag).toBe("LedgerError")
    expect(error.message).toContain("the file is not a database of this program; move it away")
    expect(readFileSync(join(folder, "ledger.db"), "utf8")).toBe(text)
  })

  scoped("reports a folder that cannot be created or used", function* () {
    const folder = yield* tempDir
    writeFileSync(join(folder, "occupied"), "")
    const blocked = yield* Effect.flip(withLedger(join(folder, "occupied", "data"), nothing))
    expect(blocked).toMatchObject({ _tag: "LedgerError", doing: "being opened" })
    expect(blocked.message).toContain(join(folder, "occupied"))
    // The path of the file is taken by a folder.
    mkdirSync(join(folder, "ledger.db"))
    const taken = yield* Effect.flip(withLedger(folder, nothing))
    expect(taken.message).toContain("the file cannot be opened; is its folder writable?")
  })

  scoped("fails a run clearly when the disk is full, and lets it resume when there is space again", function* () {
    const file = join(yield* tempDir, "ledger.db")
    const options = { file, parts: { ledger: migrations }, pragmas: ["synchronous = FULL"] }
    const context = yield* Layer.build(
      Sqlite.over(file).pipe(Layer.provideMerge(Database.layer(options)), Layer.provideMerge(NodeContext.layer))
    )
    const sql = Context.get(context, SqlClient.SqlClient)
    const journal = yield* Context.get(context, Ledger).open(run("r1"))
    const entries = (n: number) => [[`k${n}`, "x".repeat(100_000)] as const]
    const step = (n: number) => checkpoint({ rows: n, steps: [{ step: "a", changes: { entries: entries(n) } }] })
    yield* journal.checkpoint(step(1))
    const [size] = yield* sql<{ page_count: number }>`PRAGMA page_count`
    yield* sql.unsafe(`PRAGMA max_page_count = ${(size?.page_count ?? 0) + 2}`)
    const error = yield* Effect.flip(journal.checkpoint(step(2)))
    expect(error._tag).toBe("LedgerError")
    expect(error.message).toContain("the disk is full; free some space, then continue")
    const call = { step: "a", mark: "1", answer: "x".repeat(100_000), credits: 1 }
    expect((yield* Effect.flip(journal.recordCall(call))).message).toContain("the disk is full")
    expect((yield* journal.savedState("a")).entries).toHaveLength(1)
    yield* sql.unsafe("PRAGMA max_page_count = 100000")
    yield* journal.recordCall(call)
    yield* journal.checkpoint(step(2))
    expect((yield* journal.savedState("a")).entries).toHaveLength(2)
    expect(yield* journal.booked).toMatchObject({ credits: 1 })
  })
})
