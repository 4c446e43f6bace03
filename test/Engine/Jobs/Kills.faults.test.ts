/** Engines killed at random times: every page is stored exactly once, and the client reads all of them. */
import type { ChildProcess } from "node:child_process"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { BatchScrape } from "../../../src/Client/BatchScrape.ts"
import * as Connection from "../../../src/Client/Connection.ts"
import { Crawl } from "../../../src/Client/Crawl.ts"
import * as Retry from "../../../src/Client/Retry.ts"
import * as Sqlite from "../../../src/Database/Sqlite.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, engine, keys, page, site, tempDir } from "../../Local.ts"
import { receiver, waitForEvents } from "./Receiver.ts"
import { kill, spawnEngine } from "./Spawn.ts"

const store = (dataDir: string) =>
  Effect.map(Layer.build(Sqlite.layer(`${dataDir}/engine.db`)), (context) => Context.get(context, SqlClient.SqlClient))

const often = Schedule.spaced("20 millis")

/** Its retries are few: an engine that was killed comes back at another address. */
const client = (baseUrl: string) =>
  Layer.mergeAll(BatchScrape.Default, Crawl.Default).pipe(
    Layer.provide(Connection.layer({ baseUrl, apiKey: Redacted.make(keys.first) })),
    Layer.provide(
      Layer.succeed(Retry.RetryPolicy, { schedule: Schedule.intersect(often, Schedule.recurs(5)), when: Retry.isSafe })
    )
  )

const pages = 160
const kills = 2
/** Maximum pages of one process that are running, or fetched and not committed. */
const inHand = 32 + 96

/** Pages that link to four others; addresses of another kind are pages as well. */
const tree = (path: string) => {
  const n = path === "/" ? 0 : Number(path.slice(2))
  const children = [1, 2, 3, 4].map((k) => n * 4 + k).filter((child) => child < pages)
  const links = path.startsWith("/b") ? [] : children.map((child) => `/p${child}`)
  return { body: page(`Page ${path}`, links), delay: 10 }
}

describe("an engine that is killed at random", () => {
  it.scopedLive(
    "has every page of its jobs exactly once, and a reader that resumes has read exactly these",
    function* () {
      const there = yield* site(tree)
      const dataDir = yield* tempDir
      // Numbers of results, of both jobs together, at which a process is killed.
      const moments = fc.sample(fc.array(fc.integer({ min: 5, max: 280 }), { minLength: kills, maxLength: kills }), 1)
      const ordered = [...(moments[0] ?? [])].sort((a, b) => a - b)
      const address = yield* Ref.make("")
      const first = yield* spawnEngine(dataDir)
      yield* Ref.set(address, first.baseUrl)
      const call = caller(first.baseUrl, keys.first)
      const crawl = (yield* call.post("/v2/crawl", { url: there.url, sitemap: "skip", ignoreRobotsTxt: true })).json.id
      const urls = Array.from({ length: pages }, (_, n) => `${there.url}/b${n}`)
      const batch = (yield* call.post("/v2/batch/scrape", { urls })).json.id

      const read = (kind: "batch" | "crawl", id: string) =>
        Effect.gen(function* () {
          const documents: Array<unknown> = []
          yield* Effect.gen(function* () {
            const jobs = kind === "batch" ? yield* BatchScrape : yield* Crawl
            yield* Stream.runForEach(jobs.pages(id, { from: documents.length, limit: 7, poll: often }), (page) =>
              Effect.sync(() => documents.push(...page.documents))
            )
          }).pipe(
            (reading) => Effect.flatMap(Ref.get(address), (baseUrl) => Effect.provide(reading, client(baseUrl))),
            Effect.retry(often)
          )
          return documents
        })
      const reading = yield* Effect.fork(Effect.all([read("batch", batch), read("crawl", crawl)], { concurrency: 2 }))

      const sql = yield* store(dataDir)
      const reached = (results: number) =>
        Effect.repeat(Effect.delay(sql<{ n: number }>`SELECT sum(results) AS n FROM jobs`, "5 millis"), {
          until: ([row]) => (row?.n ?? 0) >= results
        })
      let running = first
      for (const moment of ordered) {
        yield* reached(moment)
        yield* kill(running.child)
        running = yield* spawnEngine(dataDir)
        yield* Ref.set(address, running.baseUrl)
      }
      const [fromBatch, fromCrawl] = yield* reading

      const rows = yield* sql<{ job_id: string; body: ArrayBuffer }>`SELECT job_id, body FROM job_results
          ORDER BY job_id, position`
      const stored = (id: string) =>
        rows.filter((row) => row.job_id === id).map(({ body }) => JSON.parse(Buffer.from(body).toString("utf8")))
      expect(fromBatch).toEqual(stored(batch))
      expect(fromCrawl).toEqual(stored(crawl))
      for (const documents of [stored(batch), stored(crawl)]) {
        expect(documents).toHaveLength(pages)
        expect(new Set(documents.map(({ metadata }) => metadata.sourceURL)).size).toBe(pages)
      }
      const jobs = yield* sql`SELECT status, completed, credits, active, queued FROM jobs`
      const done = { status: "completed", completed: pages, credits: pages, active: 0, queued: 0 }
      expect(jobs, `killed at ${ordered}`).toEqual([done, done])
      const again = there.requests.length - new Set(there.requests).size
      expect(again, `killed at ${ordered}`).toBeLessThanOrEqual(kills * inHand)
    },
    900_000
  )
})

describe("our client", () => {
  it.scopedLive("reads exactly what the engine has stored, for jobs and pages of every size", function* () {
    const dataDir = yield* tempDir
    const { baseUrl } = yield* engine({ dataDir })
    const sql = yield* store(dataDir)
    const text = fc.oneof(
      { arbitrary: fc.fullUnicodeString(), weight: 6 },
      { arbitrary: fc.constant('\u2028"\\'), weight: 2 },
      // Few of them fit into a page.
      { arbitrary: fc.constant("x".repeat(2_000_000)), weight: 1 }
    )
    const cases = fc.sample(
      fc.record({
        texts: fc.array(text, { maxLength: 40 }),
        from: fc.nat(45),
        limit: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        version: fc.constantFrom("v1" as const, "v2" as const)
      }),
      12
    )
    for (const { from, limit, texts, version } of cases) {
      const id = crypto.randomUUID()
      const documents = texts.map((markdown, n) => ({ markdown, metadata: { sourceURL: `http://a.example/${n}` } }))
      const now = Date.now()
      let upto = 0
      for (const [position, document] of documents.entries()) {
        const body = Buffer.from(JSON.stringify(document))
        upto += body.byteLength
        yield* sql`INSERT INTO job_results ${sql.insert({ job_id: id, position, bytes: body.byteLength, upto, body })}`
      }
      const count = documents.length
      yield* sql`INSERT INTO jobs ${sql.insert({
        id,
        team: "default",
        key_id: "first",
        kind: "batch",
        version: version === "v1" ? 1 : 2,
        url: "",
        spec: "{}",
        status: "completed",
        seeded: 1,
        page_limit: count,
        claimed: count,
        results: count,
        completed: count,
        created_at: now,
        updated_at: now,
        finished_at: now
      })}`
      const read = yield* Effect.flatMap(BatchScrape, (batch) =>
        Stream.runCollect(batch.stream(id, { from, limit, version }))
      ).pipe(Effect.provide(client(baseUrl)))
      expect([...read]).toEqual(documents.slice(from))
    }
  })
})

describe("an engine that is killed while it delivers a webhook", () => {
  it.scopedLive(
    "delivers every event in order, and repeats only those that were being delivered",
    function* () {
      const count = 12
      const running = yield* Ref.make<ChildProcess | undefined>(undefined)
      // Killed during the fifth delivery and during the ninth: the request was sent, and the response is lost.
      const fatal = new Set([4, 8])
      const { url, received } = yield* receiver((_, index) => (fatal.has(index) ? undefined : 200))
      const there = yield* site((path) => page(path))
      const dataDir = yield* tempDir
      const first = yield* spawnEngine(dataDir)
      yield* Ref.set(running, first.child)
      const urls = Array.from({ length: count }, (_, n) => `${there.url}/${n}`)
      const call = caller(first.baseUrl, keys.first)
      yield* call.post("/v2/batch/scrape", { urls, webhook: { url } })
      for (const moment of fatal) {
        yield* waitForEvents(received, moment + 1)
        yield* Effect.flatMap(Ref.get(running), (child) => (child === undefined ? Effect.void : kill(child)))
        yield* Ref.set(running, (yield* spawnEngine(dataDir)).child)
      }
      // The start, the pages and the end, and the two that came twice.
      yield* waitForEvents(received, count + 2 + fatal.size)
      const events = received.map(({ json }) => json.type)
      const ids = received.map(({ json }) => json.event)
      const once = ids.filter((id, at) => ids.indexOf(id) === at)
      expect(once).toHaveLength(count + 2)
      // In order: what comes again is the one that came last.
      expect(ids.filter((id, at) => id !== ids[at - 1])).toEqual(once)
      expect([events[0], events.at(-1)]).toEqual(["batch_scrape.started", "batch_scrape.completed"])
      const pagesTold = received.flatMap(({ json }) =>
        json.data.map((one: { readonly metadata: { readonly sourceURL: string } }) => one.metadata.sourceURL)
      )
      expect(new Set(pagesTold)).toEqual(new Set(urls))
    },
    900_000
  )
})
