/** Indexing of pages: in the background, within transactions, of any size, and after failures. */

import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import { nextTurn } from "../../../src/Callback/EventLoop.ts"
import { migrate } from "../../../src/Database/Migration.ts"
import { layer, SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { searchTables } from "../../../src/Engine/Store/Schema.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { emptyStore, index, page, urls, web } from "./MemoryIndex.ts"

describe("pages for the local index", () => {
  it.effect("replace those with the same team and URL, and are invisible to other teams", index, function* () {
    const found = yield* SearchIndex
    yield* found.add([page("https://a.com/", "First", "alpha"), page("https://a.com/", "Second", "beta")])
    expect(yield* urls("alpha")).toEqual([])
    yield* found.add([page("https://a.com/", "Second", "beta")])
    yield* found.add([page("https://a.com/", "Third", "gamma"), page("https://a.com/", "X", "beta", { teamId: "b" })])
    expect(yield* urls("beta")).toEqual([])
    expect((yield* web({ query: "gamma" })).map(({ title }) => title)).toEqual(["Third"])
    expect((yield* web({ query: "beta" }, "b")).map(({ title }) => title)).toEqual(["X"])
    yield* found.add([])
  })

  it.effect(
    "of the searching team are indexed first; its search does not wait for those of other teams",
    index,
    function* () {
      const found = yield* SearchIndex
      const sql = yield* Sql
      const flood = Array.from({ length: 600 }, (_, n) => page(`https://a.com/${n}`, "A", "alpha"))
      yield* found.add([...flood, page("https://a.com/", "B", "alpha", { teamId: "b" })])
      expect((yield* web({ query: "alpha" }, "b")).map(({ title }) => title)).toEqual(["B"])
      const [waiting] = yield* sql<{ readonly pages: number }>`SELECT count(*) AS pages FROM search_pending`
      expect(waiting?.pages).toBe(600)
    }
  )

  it.effect("are looked up by a database index, however many pages other teams have", index, function* () {
    const sql = yield* Sql
    const plan = yield* sql<{ readonly detail: string }>`
        EXPLAIN QUERY PLAN SELECT id, size FROM search_pending WHERE team = ${"b"} ORDER BY id LIMIT 500`
    expect(plan.map(({ detail }) => detail)).toEqual(["SEARCH search_pending USING INDEX search_pending_team (team=?)"])
  })

  it.effect("left pending by a version without teams are found by their teams", emptyStore, function* () {
    const sql = yield* Sql
    yield* migrate(sql, { search: searchTables.filter(({ version }) => version < 4) })
    yield* Effect.forEach(["a", "b"], (team, at) =>
      Effect.zipRight(
        sql`INSERT INTO search_page ${sql.insert({
          id: at,
          team,
          url: "https://a.com/",
          host: "a.com",
          extension: "",
          kinds: 0,
          digest: "",
          first_seen: 0,
          last_seen: 0
        })}`,
        Effect.zipRight(
          sql`INSERT INTO search_text VALUES (${at}, ${team}, '', 'alpha')`,
          sql`INSERT INTO search_pending VALUES (${at}, 1, 0)`
        )
      )
    )
    yield* sql`INSERT INTO search_pending VALUES (99, 1, 0)`
    yield* migrate(sql, { search: searchTables })
    const found = Effect.flatMap(SearchIndex, () => web({ query: "alpha" }, "b"))
    expect((yield* Effect.provide(found, Layer.provide(layer, alone))).map(({ title }) => title)).toEqual(["b"])
  })

  it.effect("are searched in slices, so that many searches at once do not block other work", () =>
    Effect.gen(function* () {
      const found = yield* SearchIndex
      yield* found.add([page("https://a.com/", "A", "alpha")])
      yield* urls("alpha")
      let turns = 0
      const count = () => {
        turns += 1
        immediate = setImmediate(count)
      }
      let immediate = setImmediate(count)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearImmediate(immediate)))
      yield* Effect.forEach(Array.from({ length: 40 }), () => urls("alpha"), { concurrency: "unbounded" })
      expect(turns).toBeGreaterThanOrEqual(40)
    }).pipe(Effect.scoped, Effect.provide(index))
  )

  it.effect("join the transaction of their caller", index, function* () {
    const found = yield* SearchIndex
    const sql = yield* Sql
    yield* found
      .add([page("https://a.com/", "A", "alpha")])
      .pipe(Effect.zipRight(Effect.fail("stop")), sql.withTransaction, Effect.ignore)
    expect(yield* urls("alpha")).toEqual([])
  })

  it.effect.skipIf(skipsLong)("may have any size; a huge one is truncated", index, function* () {
    const found = yield* SearchIndex
    const escaped = `starfish 数 ${"\u0001".repeat(3_000_000)}`
    const giants = Array.from({ length: 6 }, (_, i) => page(`https://a.com/${i}`, "T".repeat(50_000), escaped))
    yield* found.add([...giants, page("https://a.com/small", "Small", "starfish")])
    expect(yield* urls("starfish")).toHaveLength(7)
    const sql = yield* Sql
    const longest = yield* sql<{
      n: number
      m: number
    }>`SELECT max(length(text)) n, max(length(title)) m FROM search_text`
    expect(longest[0]).toEqual({ n: 1_000_000, m: 10_000 })
  })

  it.effect("that cannot be queued do not fail the caller's transaction, and are logged", index, function* () {
    const found = yield* SearchIndex
    const sql = yield* Sql
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => logged.push(String(message)))
    yield* sql`CREATE TABLE work (done INTEGER)`
    yield* sql`DROP TABLE search_text`
    yield* sql`INSERT INTO work VALUES (1)`.pipe(
      Effect.zipRight(found.add([page("https://a.com/", "A", "alpha")])),
      sql.withTransaction,
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    expect(yield* sql`SELECT done FROM work`).toEqual([{ done: 1 }])
    expect(yield* sql`SELECT url FROM search_page`).toEqual([])
    expect(logged.join()).toContain("Pages could not be added to the search index: 1")
  })

  it.effect(
    "that cannot be indexed are logged, do not affect others, and are found once they can",
    index,
    function* () {
      const found = yield* SearchIndex
      const sql = yield* Sql
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => logged.push(String(message)))
      yield* found.add([page("https://a.com/", "A", "alpha")])
      expect(yield* urls("alpha")).toEqual(["https://a.com/"])
      yield* sql`CREATE TRIGGER stuck BEFORE DELETE ON search_pending BEGIN SELECT raise(ABORT, 'stuck'); END`
      yield* found.add([page("https://b.com/", "B", "alpha")])
      const stuck = Effect.provide(urls("alpha"), Logger.replace(Logger.defaultLogger, logger))
      expect(yield* stuck).toEqual(["https://a.com/"])
      expect(logged.join()).toContain("not in the search index yet")
      yield* sql`DROP TRIGGER stuck`
      expect(yield* urls("alpha")).toHaveLength(2)
    }
  )

  it.effect("are indexed within half a second without a search, and after a crash at the next start", () =>
    Effect.gen(function* () {
      const found = yield* SearchIndex
      const sql = yield* Sql
      const waiting = Effect.map(sql`SELECT id FROM search_pending`, (rows) => rows.length)
      yield* found.add([page("https://a.com/", "A", "alpha"), page("https://b.com/", "東京", "alpha")])
      expect(yield* waiting).toBe(2)
      yield* TestClock.adjust("500 millis")
      yield* Effect.repeat(nextTurn, { until: () => Effect.map(Effect.orDie(waiting), (left) => left === 0) })
      const words = yield* sql`SELECT rowid FROM search_word WHERE search_word MATCH 'alpha'`
      expect(words).toHaveLength(2)
      yield* sql`INSERT INTO search_pending (id, team, size, spaced) SELECT id, team, 1, 0 FROM search_page`
      yield* Layer.build(Layer.provide(layer, alone))
      yield* TestClock.adjust("500 millis")
      yield* Effect.repeat(nextTurn, { until: () => Effect.map(Effect.orDie(waiting), (left) => left === 0) })
      expect(yield* sql`SELECT rowid FROM search_word WHERE search_word MATCH 'alpha'`).toHaveLength(2)
    }).pipe(Effect.scoped, Effect.provide(index))
  )

  it.effect("delay a search by at most a second, however many are pending", index, function* () {
    const found = yield* SearchIndex
    const sql = yield* Sql
    yield* found.add(Array.from({ length: 3000 }, (_, at) => page(`https://a.com/${at}`, "", "alpha")))
    const clock = yield* Effect.clock
    let now = 0
    const later = Effect.sync(() => {
      now += 300
      return now
    })
    const hurrying: Clock.Clock = Object.assign(Object.create(clock), { currentTimeMillis: later })
    const search = Effect.withClock(urls("alpha", { limit: 1 }), hurrying)
    const waiting = Effect.map(sql`SELECT id FROM search_pending`, (rows) => rows.length)
    expect(yield* search).toHaveLength(1)
    const left = yield* waiting
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(3000)
    // Concurrent searches share the second instead of adding up.
    const more = yield* Effect.all([search, search, search, search, search], { concurrency: "unbounded" })
    expect(more.flat()).toHaveLength(5)
    expect(yield* waiting).toBeGreaterThan(0)
  })
})
