/** Write queue of the page cache. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import { layer as layerIn, type NewPage, PageCache } from "../../../src/Engine/PageCache/PageCache.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"

const entry = (bytes: number): NewPage => ({
  url: "http://herons.test/",
  statusCode: 200,
  headers: {},
  body: Buffer.alloc(bytes, "h"),
  coding: "",
  hash: ""
})

const any = () => true

const layer = (folder: string) =>
  layerIn(folder).pipe(Layer.provideMerge(Store.layer(folder)), Layer.provide(NodeContext.layer))

describe("queued pages", () => {
  it.scoped("are found at once, and dropped when too many arrive at once", function* () {
    const folder = yield* tempDir
    yield* Effect.gen(function* () {
      const cache = yield* PageCache
      for (let page = 0; page < 17; page++) cache.keep(`${page}`, entry(1024 * 1024))
      expect(yield* cache.find("0", any)).toMatchObject({ statusCode: 200 })
      expect(yield* cache.find("15", any)).toBeDefined()
      expect(yield* cache.find("16", any)).toBeUndefined()
    }).pipe(Effect.provide(layer(folder)))
    yield* Effect.gen(function* () {
      const cache = yield* PageCache
      expect((yield* cache.find("15", any))?.body.byteLength).toBe(1024 * 1024)
    }).pipe(Effect.provide(layer(folder)))
  })

  it.scoped("and written ones are not replaced by an older page that is confirmed late", function* () {
    const folder = yield* tempDir
    yield* Effect.gen(function* () {
      const cache = yield* PageCache
      const version = (hash: string) => cache.keep("page", { ...entry(10), hash })
      version("one")
      const queued = yield* cache.peek("page")
      version("two")
      yield* queued?.confirm({ date: "today" }) ?? Effect.void
      expect(yield* cache.peek("page")).toMatchObject({
        hash: "two",
        headers: expect.not.objectContaining({ date: "today" })
      })
    }).pipe(Effect.provide(layer(folder)))
    yield* Effect.gen(function* () {
      const cache = yield* PageCache
      const sql = yield* Sql
      const stored = yield* cache.peek("page")
      cache.keep("page", { ...entry(10), hash: "three" })
      yield* TestClock.adjust("2 seconds")
      const isWritten = Effect.map(sql`SELECT copy_key FROM copies WHERE hash = ${"three"}`, (rows) => rows.length > 0)
      while (!(yield* isWritten)) yield* Effect.promise(() => setImmediate())
      while ((yield* cache.peek("page"))?.hash !== "three") yield* Effect.promise(() => setImmediate())
      yield* stored?.confirm({ date: "today" }) ?? Effect.void
      expect(yield* cache.peek("page")).toMatchObject({
        hash: "three",
        headers: expect.not.objectContaining({ date: "today" })
      })
    }).pipe(Effect.provide(layer(folder)))
  })

  it.scoped("are confirmed also when they have been written meanwhile", function* () {
    const folder = yield* tempDir
    yield* Effect.gen(function* () {
      const cache = yield* PageCache
      cache.keep("page", { ...entry(10), hash: "one" })
      const queued = yield* cache.peek("page")
      yield* TestClock.adjust("2 seconds")
      // Stored pages name their file.
      while (!("file" in ((yield* cache.peek("page")) ?? {}))) yield* Effect.promise(() => setImmediate())
      yield* queued?.confirm({ date: "today" }) ?? Effect.void
      expect(yield* cache.peek("page")).toMatchObject({ hash: "one", headers: { date: "today" } })
    }).pipe(Effect.provide(layer(folder)))
  })

  it.scoped("are dropped when they cannot be written, without failing requests", function* () {
    const folder = yield* tempDir
    writeFileSync(join(folder, "copies"), "in the way")
    const rows = Effect.flatMap(Sql, (sql) => sql`SELECT id FROM copy_files`)
    const silent = Logger.remove(Logger.defaultLogger)
    yield* Effect.gen(function* () {
      const cache = yield* PageCache
      cache.keep("one", entry(10))
      expect(yield* cache.find("two", any)).toBeUndefined()
    }).pipe(Effect.provide(layer(folder)), Effect.provide(silent))
    yield* Effect.gen(function* () {
      expect(yield* rows).toEqual([])
      rmSync(join(folder, "copies"))
      mkdirSync(join(folder, "copies"))
      const cache = yield* PageCache
      expect(yield* cache.find("one", any)).toBeUndefined()
      cache.keep("one", entry(10))
    }).pipe(Effect.provide(layer(folder)))
    expect(readdirSync(join(folder, "copies")).length).toBe(1)
  })
})
