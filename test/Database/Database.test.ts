/** A database file: opened, refused with a reason, and never left with half a transaction. */
import { chmodSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import * as BulkStatement from "../../src/Database/BulkStatement.ts"
import * as Dialect from "../../src/Database/Dialect.ts"
import { reasonOf } from "../../src/Database/DriverErrors.ts"
import { statements } from "../../src/Database/Migration.ts"
import * as Database from "../../src/Database.ts"
import { scoped } from "../It.ts"
import { tempDir } from "../Local.ts"

const first = statements(1, "first", "CREATE TABLE things (name TEXT PRIMARY KEY, n INTEGER NOT NULL CHECK (n < 1000))")

const open = (
  file: string,
  parts: Database.Options["parts"] = { test: [first] },
  pragmas: ReadonlyArray<string> = [],
  busyTimeout?: number
) =>
  Effect.map(
    Layer.build(Layer.provide(Database.layer({ busyTimeout, file, parts, pragmas }), NodeContext.layer)),
    (context) => Context.get(context, SqlClient.SqlClient)
  )

const names = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM things ORDER BY name`, (rows) => rows.map(({ name }) => name))

describe("a database file", () => {
  scoped("is migrated by a newer program, and refused by an older one", function* () {
    const file = join(yield* tempDir, "test.db")
    yield* Effect.scoped(Effect.flatMap(open(file), (sql) => sql`INSERT INTO things VALUES ('a', 1)`))
    const second = statements(2, "second", "ALTER TABLE things ADD COLUMN more TEXT DEFAULT 'new'")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const sql = yield* open(file, { test: [first, second] })
        expect(yield* sql`SELECT * FROM things`).toEqual([{ name: "a", n: 1, more: "new" }])
      })
    )
    const error = yield* Effect.flip(open(file))
    expect(error._tag).toBe("DatabaseError")
    expect(error.message).toBe(
      `Cannot open the database ${file}: its tables of "test" have version 2, and this program knows only versions up to 1: a newer version of sluice wrote them. Update the program, or use another data folder.`
    )
  })

  scoped("is unchanged when a migration fails", function* () {
    const file = join(yield* tempDir, "test.db")
    const second = statements(2, "second", "CREATE TABLE more (n INTEGER)", "ALTER TABLE missing ADD COLUMN n INTEGER")
    const error = yield* Effect.flip(Effect.scoped(open(file, { test: [first, second] })))
    expect(error.message).toContain("no such table: missing")
    const tables = yield* Effect.flatMap(
      open(file, {}),
      (sql) => sql`SELECT name FROM sqlite_master WHERE type = 'table'`
    )
    expect(tables).toEqual([{ name: "migrations" }])
  })

  scoped("can be created by several processes at once", function* () {
    const file = join(yield* tempDir, "test.db")
    const all = yield* Effect.all(
      Array.from({ length: 4 }, () => open(file)),
      { concurrency: "unbounded" }
    )
    yield* Effect.forEach(all, (sql, n) => sql`INSERT INTO things VALUES (${`${n}`}, ${n})`)
    expect(yield* names(all[0] as SqlClient.SqlClient)).toEqual(["0", "1", "2", "3"])
  })

  scoped("is refused in a folder that all users share", function* () {
    const folder = yield* tempDir
    chmodSync(folder, 0o1777)
    // A mount of our own begins like that, and is empty.
    yield* Effect.scoped(open(join(folder, "test.db")))
    expect(statSync(folder).mode & 0o7777).toBe(0o700)
    chmodSync(folder, 0o1777)
    const error = yield* Effect.flip(open(join(folder, "test.db")))
    expect(error.message).toContain(`${folder} is shared by all users of this machine`)
    expect(statSync(folder).mode & 0o7777).toBe(0o1777)
  })

  scoped("that is damaged is refused with advice", function* () {
    const file = join(yield* tempDir, "test.db")
    writeFileSync(file, "no database".repeat(500))
    const error = yield* Effect.flip(open(file))
    expect(error.message).toContain("move it away, or use another data folder (file is not a database)")
  })
})

describe("a transaction", () => {
  scoped("is rolled back as a whole, or to the savepoint of the inner one", function* () {
    const sql = yield* open(join(yield* tempDir, "test.db"))
    const put = (name: string, n = 1) => sql`INSERT INTO things VALUES (${name}, ${n})`
    const failing = Effect.zipRight(put("lost"), put("too much", 1000))
    yield* Effect.flip(sql.withTransaction(failing))
    expect(yield* names(sql)).toEqual([])
    yield* sql.withTransaction(
      put("a").pipe(Effect.zipRight(Effect.flip(sql.withTransaction(failing))), Effect.zipRight(put("b")))
    )
    expect(yield* names(sql)).toEqual(["a", "b"])
  })

  scoped("fails when the disk is full, and the next one succeeds", function* () {
    const sql = yield* open(join(yield* tempDir, "test.db"))
    const many = Effect.forEach(
      Array.from({ length: 200 }, (_, n) => `${n}`.repeat(500)),
      (name) => sql`INSERT INTO things VALUES (${name}, 1)`
    )
    yield* sql.unsafe("PRAGMA max_page_count = 10")
    const error = yield* Effect.flip(sql.withTransaction(many))
    expect(reasonOf(error)).toContain("the disk is full; free some space, then continue")
    yield* sql.unsafe("PRAGMA max_page_count = 10000")
    yield* sql.withTransaction(sql`INSERT INTO things VALUES ('a', 1)`)
    expect(yield* names(sql)).toEqual(["a"])
  })

  scoped("whose commit fails is an error, and leaves no transaction open", function* () {
    const deferred = statements(
      2,
      "deferred",
      "CREATE TABLE parts (thing TEXT REFERENCES things (name) DEFERRABLE INITIALLY DEFERRED)"
    )
    const sql = yield* open(join(yield* tempDir, "test.db"), { test: [first, deferred] }, ["foreign_keys = ON"])
    // Only the commit sees that there is no such thing.
    const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO parts VALUES ('nothing')`))
    expect(error._tag).toBe("SqlError")
    expect(reasonOf(error)).toContain("FOREIGN KEY")
    yield* sql.withTransaction(sql`INSERT INTO things VALUES ('a', 1)`)
    expect(yield* names(sql)).toEqual(["a"])
    expect(yield* sql`SELECT * FROM parts`).toEqual([])
  })

  scoped("holds the write lock from its start, so that its reads are still true when it writes", function* () {
    const file = join(yield* tempDir, "test.db")
    const [one, two] = [yield* open(file), yield* open(file, undefined, undefined, 20)]
    yield* one`INSERT INTO things VALUES ('a', 0)`
    const raise = (sql: SqlClient.SqlClient, between: Effect.Effect<unknown, unknown>) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const [row] = yield* sql<{ n: number }>`SELECT n FROM things`
          yield* between
          yield* sql`UPDATE things SET n = ${(row?.n ?? 0) + 1}`
        })
      )
    const busy = Effect.flip(raise(two, Effect.void)).pipe(
      Effect.map((error) =>
        expect(reasonOf(error)).toContain("another process did not finish writing to the file in time")
      ),
      // As if in another process: not as a part of the transaction around it.
      Effect.mapInputContext((context: Context.Context<never>) =>
        Context.omit(SqlClient.TransactionConnection)(context as Context.Context<SqlClient.TransactionConnection>)
      )
    )
    yield* raise(one, busy)
    yield* raise(two, Effect.void)
    expect(yield* one`SELECT n FROM things`).toEqual([{ n: 2 }])
  })

  it.live("of another connection of this process is waited for, while the event loop runs", () =>
    Effect.gen(function* () {
      const file = join(yield* tempDir, "test.db")
      const all = yield* Effect.forEach([1, 2, 3], () => open(file))
      yield* (all[0] as SqlClient.SqlClient)`INSERT INTO things VALUES ('a', 0)`
      // Each transaction stays open over many turns of the event loop, and half of the writes are outside of transactions.
      const raise = (sql: SqlClient.SqlClient) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<{ n: number }>`SELECT n FROM things`
            yield* Effect.sleep("5 millis")
            yield* sql`UPDATE things SET n = ${(row?.n ?? 0) + 1}`
          })
        )
      const work = (sql: SqlClient.SqlClient) =>
        Effect.repeatN(Effect.zipRight(raise(sql), sql`UPDATE things SET n = n + 1`), 9)
      // Two fibers use each connection: a statement that waits for the file must not hinder a transaction of its own connection.
      yield* Effect.forEach([...all, ...all], work, { concurrency: "unbounded" })
      expect(yield* (all[1] as SqlClient.SqlClient)`SELECT n FROM things`).toEqual([{ n: 120 }])
    }).pipe(Effect.scoped)
  )
})

describe("a statement for many rows", () => {
  const put = BulkStatement.make({
    before: "INSERT INTO things (n, name) VALUES ",
    row: (own) => `($1, ${own})`,
    after: "",
    shared: 1,
    width: 1
  })

  scoped("inserts any number of rows", function* () {
    const sql = yield* open(join(yield* tempDir, "test.db"))
    let put_ = 0
    for (const count of [0, 1, 2, 63, 64, 65, 200, 1000]) {
      yield* put(
        sql,
        [count - 1],
        Array.from({ length: count }, (_, n) => n),
        (n) => [`${count}/${n}`]
      )
      put_ += count
      const [row] = yield* sql<{ all: number; these: number }>`SELECT count(*) AS "all",
          coalesce(sum(CASE WHEN n = ${count - 1} THEN 1 ELSE 0 END), 0) AS these FROM things`
      expect(row).toEqual({ all: put_, these: count })
    }
  })
})

describe("strings as keys", () => {
  it.prop(
    "are the same when they come back, and different when they were",
    [fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\0", "\u001b", "\ud800", "\udc00", "0000")))],
    ([pieces]) => {
      const text = pieces.join("")
      const stored = Dialect.encodeText(text)
      expect(Dialect.decodeText(stored)).toBe(text)
      // UTF-8 and C strings can hold it.
      expect(Buffer.from(stored, "utf8").toString("utf8")).toBe(stored)
      expect(stored).not.toContain("\0")
    }
  )
})
