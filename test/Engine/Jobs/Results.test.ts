/** Pages of results: large ones are read beside the server, and what is on its way is not removed under its reader. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { ChangeSignal } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import * as Janitor from "../../../src/Engine/Jobs/Janitor.ts"
import * as Errors from "../../../src/Engine/Jobs/Jobs.ts"
import { show } from "../../../src/Engine/Jobs/ResultSlice.ts"
import { Results } from "../../../src/Engine/Jobs/Results.ts"
import { packNow } from "../../../src/Engine/PageCache/Packing.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { Owner } from "../../../src/Engine/Teams/FairQueue.ts"
import { isAnswerKept } from "../../Html/Memory.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { alone } from "../Alone.ts"

const retention = Duration.minutes(10)
const [count, bytes] = [30, 100_000]

const onDisk = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    Results.Default.pipe(
      Layer.provide(ChangeSignal.Default),
      Layer.provideMerge(Store.layer(folder)),
      Layer.provide([alone, NodeContext.layer])
    )
  )
)
const inMemory = Layer.provideMerge(Layer.provide(Results.Default, [ChangeSignal.Default, alone]), Store.memory)

/** Compresses, but not to nothing. */
const text = Array.from({ length: 2_000 }, (_, at) => at * at).join(" ")
const documentAt = (position: number) => JSON.stringify({ markdown: `${position} `.padEnd(bytes, text) })

/** A job that has just ended, with results of 3 MB. */
const fill = Effect.gen(function* () {
  const sql = yield* Sql
  yield* sql`INSERT INTO jobs ${sql.insert({
    id: "a",
    team: "t",
    key_id: "k",
    kind: "batch",
    version: 2,
    url: "",
    spec: "{}",
    status: "completed",
    seeded: 1,
    page_limit: count,
    results: count,
    created_at: 0,
    updated_at: 0,
    finished_at: 0
  })}`
  for (let position = 0; position < count; position++) {
    const body = Buffer.from(documentAt(position))
    const upto = (position + 1) * body.byteLength
    yield* sql`INSERT INTO job_results ${sql.insert({ job_id: "a", position, bytes: body.byteLength, upto, body })}`
  }
})

const all = `[${Array.from({ length: count }, (_, position) => documentAt(position)).join(",")}]`

const read = (slices: ReadonlyArray<Effect.Effect<Uint8Array, unknown>>) =>
  Effect.map(
    Effect.forEach(slices, (slice) => slice),
    (parts) => Buffer.concat(parts).toString()
  )

describe("a page of several slices", () => {
  for (const [name, layer] of Object.entries({ "on disk": onDisk, "in memory": inMemory })) {
    it.scoped(`is the documents as they are stored, ${name}`, layer, function* () {
      yield* fill
      const { length, slices } = yield* (yield* Results).page("a", 0, 1000, 2)
      expect(slices.length).toBeGreaterThan(1)
      expect(`[${yield* read(slices)}]`).toBe(all)
      expect(length).toBe(all.length - 2)
    })
  }

  it.scoped("is read for a team next, however many pages of another team wait", onDisk, function* () {
    yield* fill
    const results = yield* Results
    const of = (team: string) => Effect.provideService(results.page("a", 0, 1000, 2), Owner, team)
    let done = 0
    const count = Effect.sync(() => {
      done += 1
    })
    for (let n = 0; n < 20; n++) {
      const { slices } = yield* of("a")
      for (const slice of slices) yield* Effect.fork(Effect.zipRight(slice, count))
    }
    yield* Effect.yieldNow({ priority: 1 })
    const { slices } = yield* of("b")
    yield* read(slices.slice(0, 1))
    expect(done).toBeLessThanOrEqual(2)
  })

  it.scoped("is sent completely when the team removes the job meanwhile, and then deleted", onDisk, function* () {
    yield* fill
    const sql = yield* Sql
    const results = yield* Results
    const sweep = Janitor.sweep(retention, undefined, results.isRead)
    const { slices } = yield* results.page("a", 0, 1000, 2)
    yield* sql`UPDATE jobs SET purged = 3, updated_at = 0 WHERE id = 'a'`
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* results.reading("a")
        const first = yield* read(slices.slice(0, 1))
        yield* sweep
        expect(`[${first}${yield* read(slices.slice(1))}]`).toBe(all)
      })
    )
    yield* sweep
    expect(yield* sql`SELECT count(*) AS count FROM job_results`).toEqual([{ count: 0 }])
  })

  it.scoped("is removed after its current readers are done, also when others ask for it later", onDisk, function* () {
    yield* fill
    const sql = yield* Sql
    const results = yield* Results
    const sweep = Janitor.sweep(retention, undefined, results.isRead)
    yield* sql`UPDATE jobs SET purged = 3, updated_at = 0 WHERE id = 'a'`
    yield* Effect.scoped(Effect.zipRight(results.reading("a"), sweep))
    expect(yield* sql`SELECT count(*) > 0 AS some FROM job_results`).toEqual([{ some: 1 }])
    const first = yield* Scope.make()
    yield* Scope.extend(results.reading("a"), first)
    yield* sweep
    // A client that polls: each request comes before the last one has ended.
    yield* results.reading("a")
    yield* Scope.close(first, Exit.void)
    yield* sweep
    expect(yield* sql`SELECT count(*) AS count FROM job_results`).toEqual([{ count: 0 }])
  })

  it.scoped("does not retain the request that read it", onDisk, function* () {
    yield* fill
    const results = yield* Results
    const request = Effect.flatMap(results.page("a", 0, 1000, 2), ({ slices }) => read(slices))
    expect(yield* isAnswerKept(request)).toBe(false)
  })

  it.scoped("sees a write of a moment ago, from any connection to the store", onDisk, function* () {
    const sql = yield* Sql
    const results = yield* Results
    yield* fill
    yield* read((yield* results.page("a", 0, 1000, 2)).slices)
    const body = Buffer.from('{"late":true}')
    yield* sql`INSERT INTO job_results ${sql.insert({ job_id: "a", position: count, bytes: 13, upto: 0, body })}`
    const again = yield* read((yield* results.page("a", 0, 1000, 2)).slices)
    expect(again.endsWith(',{"late":true}')).toBe(true)
  })

  for (const [name, layer] of Object.entries({ "on disk": onDisk, "in memory": inMemory })) {
    it.scoped(`leaves out what version 1 does not show, ${name}`, layer, function* () {
      const sql = yield* Sql
      yield* fill
      const end = `"metadata":{"sourceURL":"http://a.example/"`
      yield* sql`UPDATE job_results SET body = CAST(substr(body, 1, length(body) - 1)
          || ${`,${end},"url":"http://a.example/\\"\\\\","concurrencyLimited":true,"concurrencyQueueDurationMs":7}}`} AS BLOB)`
      yield* sql`UPDATE job_results SET bytes = length(body)`
      const results = yield* Results
      const { length, slices } = yield* results.page("a", 0, 1000, 1)
      const old = Array.from({ length: count }, (_, position) => `${documentAt(position).slice(0, -1)},${end}}}`)
      expect(`[${yield* read(slices)}]`).toBe(`[${old.join(",")}]`)
      // It is not known before the documents are read.
      expect(length).toBe(undefined)
      expect((yield* results.some("a", 3, 1)).map((body) => Buffer.from(body).toString())[0]).toBe(old[3])
    })
  }

  for (const [name, layer] of Object.entries({ "on disk": onDisk, "in memory": inMemory })) {
    it.scoped(`shows compressed results like the others, ${name}`, layer, function* () {
      const sql = yield* Sql
      yield* fill
      const end = (version: 1 | 2) =>
        `,"metadata":{"sourceURL":"x"${version === 2 ? ',"url":"y","concurrencyLimited":false' : ""}}}`
      for (let position = 0; position < count; position += 2) {
        const { body: content, coding, size } = packNow(Buffer.from(documentAt(position)))
        expect(coding).toBe("br")
        const body = Buffer.from(end(2))
        yield* sql`UPDATE job_results SET content = ${content}, body = ${body}, bytes = ${size - 1 + body.byteLength}
            WHERE position = ${position}`
      }
      const expected = (version: 1 | 2) =>
        Array.from({ length: count }, (_, position) =>
          position % 2 === 0 ? `${documentAt(position).slice(0, -1)}${end(version)}` : documentAt(position)
        )
      const results = yield* Results
      for (const version of [1, 2] as const) {
        const { length, slices } = yield* results.page("a", 0, 1000, version)
        expect(yield* read(slices)).toBe(expected(version).join(","))
        expect(length).toBe(version === 2 ? expected(2).join(",").length : undefined)
        const some = yield* results.some("a", 4, version)
        expect(Buffer.from(some[0] ?? []).toString()).toBe(expected(version)[4])
      }
    })
  }

  it.scoped("does not block other requests while it is read", onDisk, function* () {
    const sql = yield* Sql
    yield* fill
    const { slices } = yield* (yield* Results).page("a", 0, 1000, 2)
    // The transaction holds the server's only connection.
    const text = yield* sql.withTransaction(
      Effect.zipRight(sql`UPDATE jobs SET updated_at = 1`, Effect.forkDaemon(read(slices))).pipe(
        Effect.flatMap((reading) => reading.await)
      )
    )
    expect(Exit.map(text, (inside) => `[${inside}]`)).toEqual(Exit.succeed(all))
  })

  it.scoped("is sent completely when the job expires meanwhile", onDisk, function* () {
    const sql = yield* Sql
    yield* fill
    yield* TestClock.adjust(Duration.subtract(retention, "1 second"))
    const { slices } = yield* (yield* Results).page("a", 0, 1000, 2)
    const first = yield* read(slices.slice(0, 1))
    yield* TestClock.adjust("1 minute")
    yield* Janitor.sweep(retention)
    expect(`[${first}${yield* read(slices.slice(1))}]`).toBe(all)
    yield* TestClock.adjust(Janitor.resultsGrace)
    yield* Janitor.sweep(retention)
    expect(yield* sql`SELECT position FROM job_results`).toEqual([])
  })

  it.scoped("is cut off, not shortened, when its documents were deleted all the same", onDisk, function* () {
    const sql = yield* Sql
    yield* fill
    const { slices } = yield* (yield* Results).page("a", 0, 1000, 2)
    yield* read(slices.slice(0, 1))
    yield* sql`DELETE FROM job_results WHERE position > 25`
    const exit = yield* Effect.exit(read(slices.slice(1)))
    expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("Results were removed while they were sent")
  })
})

describe("a stored document", () => {
  const shown = (text: string) => Buffer.from(show(Buffer.from(text), 1)).toString()

  it("is cut at its own fields only: not at text of the page that looks like them, and not in documents of older engines", () => {
    const tail = `,"url":"u","concurrencyLimited":false}}`
    expect(shown(`{"metadata":{"sourceURL":"s"${tail}`)).toBe(`{"metadata":{"sourceURL":"s"}}`)
    const text = JSON.stringify({ markdown: `{"metadata":{"a":1${tail}` }).slice(0, -1)
    expect(shown(`${text},"metadata":{"title":"t"${tail}`)).toBe(`${text},"metadata":{"title":"t"}}`)
    for (const older of [
      `{"metadata":{"url":"u","statusCode":200,"concurrencyLimited":false}}`,
      `{"metadata":{"title":"t","url":"u","statusCode":200,"concurrencyLimited":false}}`,
      `{"metadata":{"title":"t"},"markdown":"x"}`,
      `{"metadata":{"title":",\\"url\\":\\"u\\",\\"concurrencyLimited\\":false}}"}}`,
      `{"metadata":{"url":"u`,
      `{"metadata":{"title":"t","url":"\\`,
      ""
    ]) {
      expect(shown(older)).toBe(older)
    }
  })
})

describe("the errors of a job", () => {
  it.scoped(
    "lists thousands of failed pages in the order in which they failed, a slice at a time",
    Store.memory,
    function* () {
      const sql = yield* Sql
      yield* sql`INSERT INTO job_errors (id, job_id, at, url, code, error)
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
        SELECT 'e' || i, CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END, i / 700, 'http://a.example/' || i, NULL, 'gone' FROM n`
      yield* sql`INSERT INTO job_pages (job_id, url, url_key, depth, state)
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        SELECT 'a', 'http://b.example/' || i, i, 0, 3 FROM n`
      const slices = Array.from(yield* Stream.runCollect(Errors.errorsJson(sql, "a")))
      expect(slices.length).toBeGreaterThan(5)
      const { errors, robotsBlocked } = JSON.parse(slices.join(""))
      expect(errors.map(({ id }: { readonly id: string }) => id)).toEqual(
        Array.from({ length: 1000 }, (_, n) => `e${2 * n}`)
      )
      expect(errors[999]).toEqual({
        id: "e1998",
        timestamp: "1970-01-01T00:00:00.002Z",
        url: "http://a.example/1998",
        error: "gone"
      })
      expect([robotsBlocked.length, robotsBlocked.at(-1)]).toEqual([501, "http://b.example/500"])
      expect(JSON.parse(yield* Stream.mkString(Errors.errorsJson(sql, "none")))).toEqual({
        errors: [],
        robotsBlocked: []
      })
    }
  )
})
