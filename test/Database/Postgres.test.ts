/** A Postgres that cannot be used says why, without its password; one that goes away for a while loses and doubles nothing. */

import { createConnection, createServer, type Socket } from "node:net"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { statements } from "../../src/Database/Migration.ts"
import * as Postgres from "../../src/Database/Postgres.ts"
import * as PostgresAddress from "../../src/Database/PostgresAddress.ts"
import { describing } from "../../src/Ledger/Connection.ts"
import { expect, it, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { client, place, server } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"

const parts = { notes: [statements(1, "notes", "CREATE TABLE notes (n BIGINT NOT NULL)")] }

const open = (address: string, more: Partial<Postgres.Options> = {}) =>
  Effect.map(Layer.build(Postgres.layer({ url: Redacted.make(address), parts, ...more })), (context) =>
    Context.get(context, SqlClient.SqlClient)
  )

const numbers = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ n: string }>`SELECT n FROM notes ORDER BY n`, (rows) => rows.map(({ n }) => Number(n)))

const withoutSchema = (bytes: Buffer) =>
  Buffer.from(
    bytes.toString("latin1").replace(/-c search_path=\S+/, (setting) => " ".repeat(setting.length)),
    "latin1"
  )

/**
 * A proxy in front of the server that loses the answer to the first commit, or never gives it, as many times as given. With `ofSchema`, it
 * leaves out the schema of new connections, as a pooler does that ignores `options`.
 */
const forgetful = Effect.gen(function* () {
  const folder = yield* tempDir
  const { url } = yield* server
  const name = ".s.PGSQL.5432"
  const target = join(new URLSearchParams(url.split("?")[1]).get("host") ?? "", name)
  const losses = { before: 0, after: 0, silent: 0, ofSchema: false }
  const sockets = new Set<Socket>()
  yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const proxy = createServer((near) => {
        const far = createConnection(target)
        sockets.add(near).add(far)
        let isDeaf = false
        let isSilent = false
        const end = () => {
          near.destroy()
          far.destroy()
        }
        near.on("data", (bytes) => {
          const isCommit = bytes.includes("COMMIT\0")
          if (isCommit && losses.silent > 0) {
            losses.silent--
            isSilent = true
          }
          if (isCommit && losses.before > 0) {
            losses.before--
            return end()
          }
          if (isCommit && losses.after > 0) {
            losses.after--
            isDeaf = true
          }
          far.write(losses.ofSchema ? withoutSchema(bytes) : bytes)
        })
        far.on("data", (bytes) => {
          if (isDeaf) end()
          else if (!isSilent) near.write(bytes)
        })
        for (const each of [near, far]) each.on("error", end).on("close", end)
      })
      proxy.listen(join(folder, name), () => resume(Effect.succeed(proxy)))
    }),
    (proxy) =>
      Effect.sync(() => {
        proxy.close()
        for (const socket of sockets) socket.destroy()
      })
  )
  const address = yield* place
  return { losses, address: address.replace(/host=[^&]*/, `host=${folder}`) }
})

describeWithPostgres("a Postgres database", () => {
  live("keeps one set of tables per schema, which one of several processes creates", function* () {
    const address = yield* place
    const [one, two] = yield* Effect.all(
      [1, 2, 3, 4].map(() => open(address)),
      { concurrency: "unbounded" }
    )
    if (one === undefined || two === undefined) return expect.unreachable()
    yield* one`INSERT INTO notes VALUES (1)`
    expect(yield* numbers(two)).toEqual([1])
    expect(yield* numbers(yield* open(yield* place))).toEqual([])
  })

  live("is refused behind a pooler that ignores the schema of a connection", function* () {
    const { address, losses } = yield* forgetful
    losses.ofSchema = true
    const { reason } = yield* Effect.flip(open(address))
    expect(reason).toMatch(
      /^a pooler ignores the settings of its connections, so tables would go to the schema public: /
    )
    losses.ofSchema = false
    expect(yield* numbers(yield* open(address))).toEqual([])
  })

  live("is refused where its user may not use the schema", function* () {
    const address = yield* place
    const sql = yield* open(address)
    const schema = new URLSearchParams(address.split("?")[1]).get("schema") ?? "sluice"
    const user = `guest_${schema}`.slice(0, 60)
    yield* sql`CREATE ROLE ${sql(user)} LOGIN`
    yield* Effect.addFinalizer(() => Effect.orDie(sql`DROP ROLE ${sql(user)}`))
    const { reason } = yield* Effect.flip(open(address.replace(/\/\/([^@/]*@)?/, `//${user}@`)))
    expect(reason).toBe(`its user may not use the schema: GRANT USAGE, CREATE ON SCHEMA ${schema} TO the user`)
  })

  for (const isDescribed of [false, true])
    live(
      `repeats a transaction after a lost connection, and commits it once${isDescribed ? ", also if its work says what failed" : ""}`,
      function* () {
        const sql = yield* open(yield* place)
        let attempts = 0
        const work = Effect.gen(function* () {
          yield* sql`INSERT INTO notes VALUES (1)`
          if (++attempts === 1) yield* sql`SELECT pg_terminate_backend(pg_backend_pid())`
        })
        yield* sql.withTransaction<never, unknown, void>(
          isDescribed ? describing({ place: "here" }, "adding a note")(work) : work
        )
        expect(attempts).toBe(2)
        expect(yield* numbers(sql)).toEqual([1])
      }
    )

  live("looks up the status of a commit without an answer, and does not repeat a successful one", function* () {
    const { address, losses } = yield* forgetful
    const sql = yield* open(address)
    for (const [n, loss] of (["after", "before", "after"] as const).entries()) {
      losses[loss]++
      yield* sql.withTransaction(sql`INSERT INTO notes VALUES (${n})`)
      expect(losses).toMatchObject({ before: 0, after: 0, silent: 0 })
    }
    expect(yield* numbers(sql)).toEqual([0, 1, 2])
  })

  live.skipIf(skipsLong)("repeats transactions after a deadlock", function* () {
    const sql = yield* open(yield* place)
    yield* sql`INSERT INTO notes VALUES (0), (100)`
    const raise = (n: number) => sql`UPDATE notes SET n = n + 1 WHERE n BETWEEN ${n} AND ${n + 50}`
    const both = (one: number, other: number) =>
      Effect.zipRight(Effect.zipRight(raise(one), Effect.sleep("20 millis")), raise(other)).pipe(sql.withTransaction)
    yield* Effect.all([both(0, 100), both(100, 0)], { concurrency: 2 })
    expect(yield* numbers(sql)).toEqual([2, 102])
  })

  live("gives up a connection whose server does not answer, and commits once all the same", function* () {
    const { address, losses } = yield* forgetful
    const sql = yield* open(address, { silence: 300 })
    losses.silent = 1
    yield* sql.withTransaction(sql`INSERT INTO notes VALUES (1)`)
    expect([losses.silent, yield* numbers(sql)]).toEqual([0, [1]])
  })

  live("does not give up the connection of a long migration, nor repeat it", function* () {
    const slow = statements(1, "notes", "SELECT pg_sleep(0.7)", "CREATE TABLE notes (n BIGINT NOT NULL)")
    const address = yield* place
    const both = yield* Effect.all(
      [1, 2].map(() => open(address, { silence: 200, parts: { notes: [slow] } })),
      {
        concurrency: 2
      }
    )
    for (const sql of both) expect(yield* numbers(sql)).toEqual([])
  })

  live("releases the locks of an idle process, which then repeats its transaction", function* () {
    const address = yield* place
    const [slow, other] = [yield* open(address, { idleTimeout: 50 }), yield* open(address)]
    yield* other`INSERT INTO notes VALUES (1)`
    let attempts = 0
    yield* Effect.gen(function* () {
      yield* slow`UPDATE notes SET n = n + 1`
      if (++attempts > 1) return
      // Another process, which waits for the row that the silent one holds.
      yield* Effect.promise(() => Effect.runPromise(other`UPDATE notes SET n = n * 10`))
    }).pipe(slow.withTransaction)
    expect([attempts, yield* numbers(other)]).toEqual([2, [11]])
  })

  live("fails to commit when a statement of the transaction has failed", function* () {
    const sql = yield* open(yield* place)
    const error = yield* Effect.flip(
      sql.withTransaction(Effect.zipRight(sql`INSERT INTO notes VALUES (1)`, Effect.ignore(sql`SELECT * FROM nowhere`)))
    )
    expect(error.message + String((error.cause as Error).message)).toContain(
      "a statement of the transaction had failed"
    )
    expect(yield* numbers(sql)).toEqual([])
  })

  live("explains failures with address and advice, without the password", function* () {
    const { url } = yield* server
    const wrong: ReadonlyArray<readonly [address: string, ...words: ReadonlyArray<string>]> = [
      ["postgres://me:hu@hush/x@db/base", "has characters that must be escaped: write @ as %40"],
      ["postgres://me:hush?@db/base", "has characters that must be escaped"],
      ["postgres://me:hush@db:99999/base", "has characters that must be escaped"],
      ["mysql://me:hush@h/d", "it is not an address of a Postgres database; expected postgres://"],
      [`${url}&schema=My-Schema`, 'the schema "My-Schema" is not a plain name'],
      ["postgres://me:hush@127.0.0.1:1/base", "postgres://me@127.0.0.1:1/base, schema sluice", "is the server running"],
      [
        url.replace("/postgres?", "/nothing?").replace("@", ":hush@"),
        "there is no such database; create it with CREATE DATABASE"
      ],
      [url.replace("host=", "host=/nowhere"), "there is no such folder or socket"]
    ]
    for (const [address, ...words] of wrong) {
      const error = yield* Effect.flip(Effect.scoped(open(address)))
      expect(error._tag).toBe("DatabaseError")
      for (const word of words) expect(error.message).toContain(word)
      expect(error.message).not.toContain("hush")
    }
  })

  live("is refused when a newer version wrote it, or when its encoding is not UTF-8", function* () {
    const address = yield* place
    const sql = yield* open(address)
    yield* sql`INSERT INTO migrations VALUES ('notes', 999, 'future', 0)`
    const newer = yield* Effect.flip(Effect.scoped(open(address)))
    expect(newer.message).toContain('tables of "notes" have version 999')
    const { url } = yield* server
    yield* PgClient.PgClient.pipe(
      Effect.flatMap((root) => root`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`),
      Effect.provide(client(url))
    )
    const latin = yield* Effect.flip(Effect.scoped(open(url.replace("/postgres?", "/latin?"))))
    expect(latin.message).toContain("its encoding is LATIN1; create a database with ENCODING 'UTF8'")
  })

  it("has an address for the driver with schema and timeouts, and one for messages without the password", () => {
    const timeouts = { lock: 1, statement: 2, idle: 3 }
    const read = (address: string) => Either.getOrThrow(PostgresAddress.read(Redacted.make(address), timeouts))
    const { place: shown, url } = read(
      "postgresql://me:a%40b%2Fc@db:5433/base?sslmode=require&options=-c%20jit%3Doff&schema=x"
    )
    expect(shown).toBe("postgres://me@db:5433/base, schema x")
    const [base, query] = Redacted.value(url).split("?")
    expect(base).toBe("postgresql://me:a%40b%2Fc@db:5433/base")
    const given = new URLSearchParams(query)
    expect(given.get("sslmode")).toBe("require")
    expect(given.get("options")).toBe(
      "-c jit=off -c search_path=x -c lock_timeout=1 -c statement_timeout=2 -c idle_in_transaction_session_timeout=3"
    )
    expect(given.has("schema")).toBe(false)
    expect(read("postgres://me@/base?host=/run/pg").place).toBe("postgres://me@/run/pg/base, schema sluice")
  })
})
