/** The client of SQLite. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import * as Sqlite from "../../src/Database/Sqlite.ts"
import { insertBesideRollbacks } from "./BesideRollbacks.ts"

const within = <A, E>(body: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, body).pipe(Effect.provide(Sqlite.layer(":memory:")))

/** The connection of the transaction. */
const current = Effect.flatten(Effect.serviceOption(SqlClient.TransactionConnection)).pipe(Effect.orDie)

describe("the client of SQLite", () => {
  it.effect("stores and returns each type, also a buffer as the only parameter", () =>
    within((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE kept (bytes BLOB)`
        const bytes = Uint8Array.of(1, 2, 255)
        yield* sql`INSERT INTO kept VALUES (${bytes})`
        const [row] = yield* sql<{ bytes: ArrayBuffer | Uint8Array; one: number; text: string; none: null }>`
          SELECT bytes, 1.5 AS one, ${"ü"} AS text, NULL AS none FROM kept`
        expect(row).toMatchObject({ one: 1.5, text: "ü", none: null })
        expect([...new Uint8Array(row?.bytes as ArrayBuffer)]).toEqual([...bytes])
        expect(yield* sql`SELECT 1 AS a, 2 AS b`.values).toEqual([[1, 2]])
        expect(yield* sql`SELECT 1 AS a, 2 AS b`).toEqual([{ a: 1, b: 2 }])
      })
    )
  )

  it.effect("goes on after statements that fail, and after more of them than it keeps", () =>
    within((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE kept (id INTEGER PRIMARY KEY)`
        yield* sql`INSERT INTO kept VALUES (${1})`
        expect((yield* Effect.flip(sql`INSERT INTO kept VALUES (${1})`))._tag).toBe("SqlError")
        expect((yield* Effect.flip(sql`SELECT nothing FROM nowhere`))._tag).toBe("SqlError")
        yield* sql`INSERT INTO kept VALUES (${2})`
        for (let index = 0; index < 500; index++) yield* sql.unsafe(`SELECT ${index} AS count`)
        expect(yield* sql`SELECT id FROM kept`).toEqual([{ id: 1 }, { id: 2 }])
        yield* sql`ALTER TABLE kept ADD COLUMN name TEXT`
        expect(yield* sql`SELECT * FROM kept WHERE id = ${2}`).toEqual([{ id: 2, name: null }])
      })
    )
  )

  it.effect("stores nothing of a transaction that a failure within a savepoint has ended", () =>
    within((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE kept (id INTEGER PRIMARY KEY)`
        // As a full disk does, this ends the whole transaction.
        yield* sql`CREATE TRIGGER ending BEFORE INSERT ON kept WHEN new.id = 2 BEGIN SELECT RAISE(ROLLBACK, 'ended'); END`
        const insert = (id: number) => sql.withTransaction(sql`INSERT INTO kept VALUES (${id})`)
        const all = Effect.forEach([1, 2, 3], (id) => Effect.exit(insert(id))).pipe(sql.withTransaction)
        expect((yield* Effect.flip(all))._tag).toBe("SqlError")
        expect(yield* sql`SELECT id FROM kept`).toEqual([])
        yield* Effect.forEach([1, 3], insert).pipe(sql.withTransaction)
        expect(yield* sql`SELECT id FROM kept`).toEqual([{ id: 1 }, { id: 3 }])
      })
    )
  )

  it.effect("runs statements of a transaction in it, without a span for each", () =>
    within((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE kept (id INTEGER PRIMARY KEY)`
        const failing = sql.withTransaction(
          Effect.zipRight(sql.unsafe("INSERT INTO kept VALUES (?)", [1]), Effect.fail("undone"))
        )
        expect(yield* Effect.flip(failing)).toBe("undone")
        expect(yield* sql`SELECT id FROM kept`).toEqual([])
        const tracer = Tracer.make({
          context: (run) => run(),
          span: (name) => {
            throw new Error(`a span ${name}`)
          }
        })
        yield* sql.withTransaction(sql`INSERT INTO kept VALUES (${2})`).pipe(Effect.withTracer(tracer))
        expect(yield* Effect.withTracer(sql`SELECT id FROM kept`, tracer)).toEqual([{ id: 2 }])
      })
    )
  )

  it.effect("keeps statements outside of transactions out of those of other fibers, wherever these yield", () =>
    within((sql) =>
      Effect.gen(function* () {
        expect(yield* insertBesideRollbacks(sql, 1_000)).toBe(1_000)
      })
    )
  )

  it.effect("leaves the work of an earlier savepoint as it is when a later one does not begin", () =>
    within((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE kept (id INTEGER PRIMARY KEY)`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql.withTransaction(sql`INSERT INTO kept VALUES (1)`)
            const [connection] = yield* current
            const execute = connection.execute
            const broken = (text: string, ...rest: readonly [ReadonlyArray<unknown>, undefined]) =>
              text.startsWith("SAVEPOINT")
                ? Effect.fail(new SqlError({ cause: undefined, message: "no savepoint" }))
                : execute(text, ...rest)
            Object.assign(connection, { execute: broken })
            yield* Effect.flip(sql.withTransaction(sql`INSERT INTO kept VALUES (2)`))
            Object.assign(connection, { execute })
          })
        )
        expect(yield* sql`SELECT id FROM kept`).toEqual([{ id: 1 }])
      })
    )
  )

  it.effect("takes transactions again after a rollback that dies", () =>
    within((sql) =>
      Effect.gen(function* () {
        const broken = sql.withTransaction(
          Effect.gen(function* () {
            const [connection] = yield* current
            const { execute } = connection
            Object.assign(connection, {
              execute: (text: string) => {
                Object.assign(connection, { execute })
                return Effect.zipRight(execute(text, [], undefined), Effect.die("the driver is broken"))
              }
            })
            return yield* Effect.fail("undone")
          })
        )
        expect(Exit.isFailure(yield* Effect.exit(broken))).toBe(true)
        expect(yield* sql.withTransaction(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
      })
    )
  )
})
