/** Runs on many machines that version 0.1 began: today's workers go on with them, and count their budgets as their own. */
import { fileURLToPath } from "node:url"
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { migrations } from "../../src/Cluster/Submissions.ts"
import * as Cluster from "../../src/Cluster.ts"
import * as Postgres from "../../src/Database/Postgres.ts"
import { migrations as tables } from "../../src/Ledger/Schema.ts"
import { Ledger } from "../../src/Ledger.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { type Asked, type Reply, serve } from "../Client/Server.ts"
import * as Released from "../Ledger/Released.ts"
import { skipsLong } from "../Long.ts"
import { place, client as postgres, server } from "../Postgres.ts"
import { page } from "../Step/Odd.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { context, ended, folder, lines, worker } from "./Ground.ts"

const fixture = fileURLToPath(new URL("fixtures/version-0.1", import.meta.url))

const runs = { tail: "20241228T225603-9b36di", shards: "20241228T225621-1msvkq" }

const urlOf = ({ body }: Asked) => (JSON.parse(body) as { readonly url: string }).url

/** The site of the fixture: of page 5 there is nothing. */
const site = (asked: Asked): Reply => {
  const url = urlOf(asked)
  return url.endsWith("/5")
    ? { status: 400, body: { success: false, error: "the page has no content" } }
    : { body: { success: true, data: { ...page(url, { creditsUsed: 1 }), markdown: `the page ${url}` } } }
}

/** A schema and a shared folder as version 0.1 has left them. */
const released = Effect.gen(function* () {
  const out = yield* folder
  Released.unpack(fixture, out)
  const schema = /schema=(\w+)/.exec(yield* place)?.[1] ?? ""
  const at = `${(yield* server).url}&schema=${schema}`
  const sql = Released.statements(fixture, "/tmp/sluice-0.1-shared", out).replaceAll("sluice.", `${schema}.`)
  yield* Effect.flatMap(PgClient.PgClient, (each) =>
    each.unsafe(sql.replace("CREATE SCHEMA sluice", `CREATE SCHEMA ${schema}`))
  ).pipe(Effect.provide(postgres(at)))
  return { out, at, layer: Cluster.layer(Redacted.make(at)) }
})

/** Usage that counts against the budget of a run. */
const counted = (runId: string) => Effect.flatMap(Ledger, ({ sharedLimits }) => sharedLimits.used(runId))

const clientOf = (url: string) => Layer.orDie(Layer.provide(Client.layer, Connection.layer({ baseUrl: url })))

const address = (n: number) => `http://x.example/${n}`

/** The outputs of such a run, by the beginnings of their names: all pages but page 5, and four of them again. */
const outputs = {
  all: Array.from({ length: 24 }, (_, n) => n)
    .filter((n) => n !== 5)
    .map((n) => ({ url: address(n), text: `the page ${address(n)}` })),
  again: Array.from({ length: 4 }, (_, n) => ({ url: `${address(n)}/again` }))
}

describeWithPostgres("runs on many machines that version 0.1 began", () => {
  it.live("are refused to a worker of version 0.1 that starts once a newer one has opened the database", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* place)
      // Version 0.1 compared versions in the same way, and knew these.
      const open = Layer.build(
        Postgres.layer({ url, parts: { ledger: tables.slice(0, 5), cluster: migrations.slice(0, 3) } })
      )
      yield* open
      yield* Layer.build(Cluster.layer(url))
      expect((yield* Effect.flip(open)).message).toContain(
        `its tables of "ledger" have version ${tables.length}, and this program knows only versions up to 5: a newer version of sluice wrote them`
      )
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("keep the end of a paused schedule, and the former names of scheduled times", () =>
    Effect.gen(function* () {
      const { at, layer } = yield* released
      const until = "2999-01-01T00:00:00.000Z"
      const use = <A, E>(query: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
        Effect.provide(Effect.flatMap(PgClient.PgClient, query), postgres(at))
      yield* use(
        (sql) => sql`INSERT INTO schedules (pipeline, file, times, schedule, since, seen_at, paused_at, paused_why)
          VALUES ('w', '/w.yaml', '', '{}', 0, 0, 1, ${`until ${until}`})`
      )
      yield* use(
        (sql) => sql`INSERT INTO instants (pipeline, instant, due, cause, status, attempt, claimed_at)
          VALUES ('w', 7, 7, 'schedule', 'completed', 1, 7)`
      )
      const [schedule] = yield* Effect.provide(
        Effect.flatMap(Store.schedules, ({ list }) => list),
        layer
      )
      expect(schedule).toMatchObject({ pausedAt: 1, pausedWhy: undefined, pausedUntil: Date.parse(until) })
      const [seen] = yield* use((sql) => sql`SELECT * FROM instants`)
      expect(seen).toMatchObject({ pipeline: "w", status: "completed" })
      expect(Number(seen?.instant)).toBe(7)
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("continue with the files, calls and budget of an uninterrupted run", () =>
    Effect.gen(function* () {
      const { layer, out } = yield* released
      const { asked, url } = yield* serve(site)
      yield* Effect.gen(function* () {
        yield* worker(layer, "new", { client: clientOf(url) })
        for (const [name, runId] of Object.entries(runs)) {
          expect(yield* ended(runId)).toMatchObject({ status: "completed" })
          let bytes = 0
          for (const [file, rows] of Object.entries(outputs)) {
            const text = rows.map((row) => JSON.stringify(row))
            expect(lines(`${out}/out-${name}`, file), `${name}: ${file}`).toEqual(text)
            bytes += text.reduce((sum, line) => sum + line.length + 1, 0)
          }
          expect(yield* counted(runId), name).toMatchObject({ credits: 27, pages: 27, rows: 27, bytes })
        }
      }).pipe(Effect.provide(layer))
      // One run had three pages left to read; the other also had the pages that no shard had claimed.
      const again = outputs.again.map(({ url }) => url)
      const rest = Array.from({ length: 10 }, (_, n) => address(n + 14))
      expect(asked.map(urlOf).toSorted()).toEqual([...again.slice(1), ...again, ...rest].toSorted())
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
