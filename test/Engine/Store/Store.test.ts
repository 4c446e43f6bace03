import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { migrate, statements } from "../../../src/Database/Migration.ts"
import { failing, Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { insertBesideRollbacks } from "../../Database/BesideRollbacks.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

const withStore = <A, E>(folder: string, use: (sql: Sql) => Effect.Effect<A, E>) =>
  Effect.flatMap(Sql, use).pipe(Effect.provide(Store.layer(folder)), Effect.provide(NodeContext.layer))

describe("the store", () => {
  it.scoped("makes a private folder, and opens what it made", function* () {
    const folder = join(yield* tempDir, "deep", "data")
    const tables = () =>
      withStore(folder, (sql) => sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`)
    const names = (yield* tables()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["jobs", "job_pages", "job_results", "usage_ledger", "migrations"]))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect((yield* tables()).map(({ name }) => name)).toEqual(names)
  })

  it.scoped("writes ahead, and waits for other processes", function* () {
    const folder = yield* tempDir
    yield* withStore(folder, (sql) =>
      Effect.gen(function* () {
        expect(yield* sql`PRAGMA journal_mode`).toEqual([{ journal_mode: "wal" }])
        expect(yield* sql`PRAGMA synchronous`).toEqual([{ synchronous: 1 }])
      })
    )
  })

  it.scoped(
    "dies of a failed statement with the file and the reason, leaves no transaction open, and goes on",
    function* () {
      const folder = yield* tempDir
      yield* withStore(folder, (sql) =>
        Effect.gen(function* () {
          yield* sql`CREATE TABLE kept (id INTEGER PRIMARY KEY)`
          const twice = Effect.zipRight(sql`INSERT INTO kept VALUES (1)`, sql`INSERT INTO kept VALUES (1)`)
          for (const work of [twice, sql.withTransaction(twice)]) {
            const error = yield* Effect.flip(failing(work))
            expect(error._tag).toBe("StoreError")
            expect(error.message).toMatch(/^Cannot use the store .*engine\.db: .*UNIQUE/)
            yield* sql`DELETE FROM kept`
          }
          expect(yield* sql`SELECT * FROM kept`).toEqual([])
        })
      )
    }
  )

  it.scoped.skipIf(skipsLong)(
    "keeps statements outside of transactions out of those of other fibers, wherever these yield",
    function* () {
      const kept = yield* withStore(yield* tempDir, (sql) => insertBesideRollbacks(sql, 500))
      expect(kept).toBe(500)
    }
  )

  it.scoped("refuses a file that a newer version wrote, and says what to do", function* () {
    const folder = yield* tempDir
    yield* withStore(folder, (sql) => sql`INSERT INTO migrations VALUES ('jobs', 999, 'future', 0)`)
    const error = yield* Effect.flip(withStore(folder, () => Effect.void))
    expect(error._tag).toBe("StoreError")
    expect(error.message).toContain('tables of "jobs" have version 999')
    expect(error.message).toContain("Update the program")
  })

  it.scoped("opens an older file with pages of a deleted job, and counts them for no team", function* () {
    const folder = yield* tempDir
    const orphan = (sql: Sql, name: string) =>
      sql`INSERT INTO job_pages ${sql.insert({ job_id: "gone", url: name, url_key: name, depth: 0 })}`
    yield* withStore(folder, (sql) =>
      Effect.gen(function* () {
        const triggers = yield* sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'trigger'
            AND sql LIKE '%stored_bytes%'`
        yield* Effect.forEach(triggers, ({ name }) => sql.unsafe(`DROP TRIGGER ${name}`))
        yield* sql`DROP TABLE stored_bytes`
        yield* sql`DELETE FROM migrations WHERE part = 'storage'`
        yield* orphan(sql, "old")
      })
    )
    yield* withStore(folder, (sql) =>
      Effect.gen(function* () {
        yield* orphan(sql, "new")
        yield* sql`DELETE FROM job_pages WHERE job_id = 'gone'`
        expect(yield* sql`SELECT * FROM stored_bytes`).toEqual([])
      })
    )
  })

  it.scoped("says which file it cannot open", function* () {
    const folder = yield* tempDir
    const file = join(folder, "engine.db")
    writeFileSync(file, "this is no database, and long enough to be looked at as one".repeat(20))
    const broken = yield* Effect.flip(withStore(folder, () => Effect.void))
    expect(broken.message).toContain(file)
    const occupied = join(folder, "occupied")
    writeFileSync(occupied, "")
    const blocked = yield* Effect.flip(withStore(join(occupied, "data"), () => Effect.void))
    expect(blocked.message).toContain(occupied)
  })

  it.scoped("applies each step once, in order, and the steps that are new later", function* () {
    const folder = yield* tempDir
    yield* withStore(folder, (sql) =>
      Effect.gen(function* () {
        const one = statements(1, "one", "CREATE TABLE growing (a INTEGER)")
        const two = statements(
          2,
          "two",
          "ALTER TABLE growing ADD COLUMN b INTEGER",
          "INSERT INTO growing VALUES (1, 2)"
        )
        yield* migrate(sql, { growing: [one] })
        yield* migrate(sql, { growing: [one, two] })
        yield* migrate(sql, { growing: [one, two] })
        expect(yield* sql`SELECT * FROM growing`).toEqual([{ a: 1, b: 2 }])
      })
    )
  })

  it.scoped("takes back a step that fails half-way", function* () {
    const folder = yield* tempDir
    yield* withStore(folder, (sql) =>
      Effect.gen(function* () {
        const wrong = statements(1, "wrong", "CREATE TABLE half (a INTEGER)", "CREATE NONSENSE")
        yield* Effect.flip(failing(migrate(sql, { half: [wrong] })))
        expect(yield* sql`SELECT name FROM sqlite_master WHERE name = 'half'`).toEqual([])
        expect(yield* sql`SELECT * FROM migrations WHERE part = 'half'`).toEqual([])
      })
    )
  })
})
