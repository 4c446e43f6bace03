/** Segments of the page cache: bounded, evicted, checked. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as CacheSegments from "../../../src/Engine/PageCache/CacheSegments.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"

const page = (name: string, size: number, at = 0): readonly [string, CacheSegments.CachedPage] => [
  name,
  {
    url: `http://herons.test/${name}`,
    statusCode: 200,
    headers: { "content-type": "text/html" },
    body: Buffer.from(name.padEnd(size, ".")),
    coding: "",
    hash: "",
    at
  }
]

const any = () => true

/** A cache of 16 segments of 1,000 bytes by default, and its folder. */
const cacheOf = Effect.fnUntraced(function* (bytes: number) {
  const data = yield* tempDir
  const folder = join(data, "copies")
  const limits = { bytes, age: Duration.days(30) }
  const layer = Layer.provideMerge(Store.layer(data), NodeContext.layer)
  const context = yield* Layer.build(layer)
  const { add, confirm, peek, peekAll, read, readAll, sweep } = yield* Effect.provide(
    CacheSegments.make(folder, limits),
    context
  )
  const find = Effect.fnUntraced(function* (key: string, isRight: (at: number) => boolean) {
    const page = yield* peek(key)
    const body = page === undefined || !isRight(page.at) ? undefined : yield* read(key, page)
    return page === undefined || body === undefined ? undefined : { ...page, body }
  })
  const sql = yield* Effect.provide(Sql, context)
  const size = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  return { add, confirm, find, peek, peekAll, readAll, sweep, sql, folder, size }
})

const cache = cacheOf(16_000)

describe("cache segments", () => {
  it.scoped("return the newest entry of each key, unchanged", function* () {
    const { add, find } = yield* cache
    yield* add([page("one", 10), page("two", 0), page("three", 300)])
    yield* add([page("one", 20, 1)])
    for (const [name, expected] of [page("one", 20, 1), page("two", 0), page("three", 300)]) {
      const found = yield* find(name, any)
      expect(found).toMatchObject({ ...expected, body: expect.anything() })
      expect(Buffer.from(found?.body ?? []).toString()).toBe(Buffer.from(expected.body).toString())
    }
    expect(yield* find("four", any)).toBeUndefined()
    expect(yield* find("one", (at) => at > 1)).toBeUndefined()
  })

  it.scoped("store entries larger than one write", function* () {
    const { add, find, size } = yield* cacheOf(100_000_000)
    const sizes = [700_000, 2_500_000, 0, 3 * 1024 * 1024 - 700_000, 5]
    const copies = sizes.map((size, at) => page(`${at} `, size))
    yield* add(copies)
    expect(size()).toBe(copies.reduce((sum, [, { body }]) => sum + body.byteLength, 0))
    for (const [name, { body }] of copies) {
      const found = yield* find(name, any)
      expect(Buffer.compare(found?.body ?? Buffer.from("none"), body), name).toBe(0)
    }
  })

  it.scoped("respect the size limit: the oldest entries are deleted from the store and the disk", function* () {
    const { add, find, size, sql, folder } = yield* cache
    for (let at = 1; at <= 100; at++) yield* add([page(`page-${at}`, 600, at)])
    expect(size()).toBeLessThanOrEqual(16_000)
    expect(size()).toBeGreaterThan(5_000)
    expect(yield* find("page-1", any)).toBeUndefined()
    expect(yield* find("page-100", any)).toMatchObject({ at: 100 })
    const files = yield* sql<{ id: string }>`SELECT id FROM copy_files ORDER BY id`
    expect(files.map(({ id }) => `${id}.bin`)).toEqual(readdirSync(folder).sort())
    const [rows] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM copies`
    expect(rows?.n).toBeLessThan(20)
  })

  it.scoped("are deleted after a month", function* () {
    const { add, find, size, sweep } = yield* cache
    yield* add([page("old", 100, 0)])
    yield* TestClock.adjust("29 days")
    yield* sweep
    expect(yield* find("old", any)).toMatchObject({ at: 0 })
    yield* TestClock.adjust("1 day")
    expect(yield* find("old", any)).toBeUndefined()
    yield* sweep
    expect(size()).toBe(0)
  })

  it.scoped("renew an entry that is still there, and add none for one that is gone", function* () {
    const { add, confirm, peek, sql } = yield* cache
    yield* add([page("one", 10), page("two", 10)])
    const [one, two] = [yield* peek("one"), yield* peek("two")]
    if (one === undefined || two === undefined) throw new Error("The entries are missing")
    yield* sql`DELETE FROM copies WHERE copy_key = ${"two"}`
    yield* confirm([
      ["one", { ...one, headers: { date: "today" }, at: 5 }],
      ["two", { ...two, at: 5 }]
    ])
    expect(yield* peek("one")).toEqual({ ...one, headers: { date: "today" }, at: 5 })
    expect(yield* peek("two")).toBeUndefined()
  })

  it.scoped("survive a deleted file, and ignore a damaged one", function* () {
    const { add, find, folder, sql } = yield* cache
    yield* add([page("one", 100), page("two", 100)])
    const file = join(folder, readdirSync(folder)[0] ?? "")
    const bytes = readFileSync(file)
    bytes.fill(0, 100)
    writeFileSync(file, bytes)
    expect(yield* find("two", any)).toBeUndefined()
    expect(yield* find("one", any)).toMatchObject({ statusCode: 200 })
    rmSync(file)
    expect(yield* find("one", any)).toBeUndefined()
    expect(yield* sql`SELECT copy_key FROM copies`).toEqual([])
    yield* add([page("one", 100), page("three", 900)])
    yield* add([page("four", 50)])
    expect(yield* find("four", any)).toMatchObject({ url: "http://herons.test/four" })
  })

  it.scoped("are read in groups, without a damaged one", function* () {
    const { add, folder, peekAll, readAll } = yield* cache
    yield* add([page("one", 300), page("two", 300), page("three", 0), page("four", 300)])
    // Another segment, since the first one is full.
    yield* add([page("five", 300)])
    yield* add([page("six", 300)])
    expect(readdirSync(folder)).toHaveLength(2)
    const names = ["six", "four", "unknown", "three", "two", "one", "five"]
    const places = yield* peekAll(names)
    expect([...places.keys()].sort()).toEqual(["five", "four", "one", "six", "three", "two"])
    const text = (bodies: ReadonlyMap<string, Uint8Array | undefined>, name: string) =>
      bodies.get(name) && Buffer.from(bodies.get(name) ?? []).toString()
    const bodies = yield* readAll([...places])
    for (const name of ["one", "two", "four", "five", "six"]) expect(text(bodies, name)).toBe(name.padEnd(300, "."))
    expect(text(bodies, "three")).toBe("three")
    const file = join(folder, `${places.get("two")?.file}.bin`)
    const bytes = readFileSync(file)
    bytes.fill(0, 300, 600)
    writeFileSync(file, bytes)
    const again = yield* readAll([...places])
    expect(text(again, "one")).toBe("one".padEnd(300, "."))
    expect(again.get("two")).toBeUndefined()
    expect(text(again, "four")).toBe("four".padEnd(300, "."))
    expect([...(yield* peekAll(names)).keys()]).not.toContain("two")
  })

  it.scoped("start a new file when another process has deleted the current one", function* () {
    const { add, find, folder, sql } = yield* cache
    yield* add([page("one", 100)])
    yield* sql`DELETE FROM copy_files`
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    yield* add([page("two", 100)])
    expect(yield* find("two", any)).toMatchObject({ url: "http://herons.test/two" })
    expect((yield* sql<{ id: string }>`SELECT id FROM copy_files`).map(({ id }) => `${id}.bin`)).toEqual(
      readdirSync(folder)
    )
  })

  it.scoped("are readable by their owner only", function* () {
    const { add, folder } = yield* cache
    yield* add([page("one", 10)])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, readdirSync(folder)[0] ?? "")).mode & 0o777).toBe(0o600)
  })
})
