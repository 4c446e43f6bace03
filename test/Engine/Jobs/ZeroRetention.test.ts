/** Zero data retention: what a job fetches is read while the engine runs, and is nowhere else. */

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import * as Hosts from "../../../src/Engine/Fetch/FairScheduler.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import * as Webhook from "../../../src/Engine/Jobs/Webhook.ts"
import * as ZeroRetention from "../../../src/Engine/Jobs/ZeroRetention.ts"
import * as Keys from "../../../src/Engine/Teams/Keys.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, drain, engine, keys, page, site, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { guard } from "../Scrape/Site.ts"
import { receiver, waitForEvents } from "./Receiver.ts"
import * as Stage from "./Stage.ts"

const sentinel = "xylographer"

/** The files of a folder in which the sentinel is, in one encoding or the other. */
const traces = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name)
    if (!statSync(path).isFile()) return false
    const bytes = readFileSync(path)
    return bytes.includes(sentinel) || bytes.includes(Buffer.from(sentinel, "utf16le"))
  })

/** One page at once from a host; tells how many there were at most. */
const polite = (most: { pages: number }) =>
  Layer.unwrapScoped(
    Effect.map(tempDir, (folder) => {
      const pool = { workers: 8, perHost: 1, hosts: Hosts.makeHosts() }
      let pages = 0
      const scrape = (url: string) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            most.pages = Math.max(most.pages, ++pages)
          }),
          () => Effect.delay(Effect.succeed(Stage.pageOf(url)), "5 millis"),
          () => Effect.sync(() => pages--)
        )
      return ZeroRetention.layer({ ...pool, retention: Duration.hours(1) }).pipe(
        Layer.provideMerge(Stage.layers(scrape, pool)),
        Layer.provide(Webhook.layer(folder, undefined)),
        Layer.provide(guard("127.0.0.0/8")),
        Layer.provide(Keys.layer(folder, Redacted.make(`local:${keys.first}`))),
        Layer.provide([alone, NodeContext.layer])
      )
    })
  )

/** Three megabytes for all, and pages of a hundred kilobytes that take a moment. */
const bounded = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    ZeroRetention.layer({ workers: 8, perHost: 8, retention: Duration.hours(1), maxBytes: 3_000_000 }).pipe(
      Layer.provideMerge(
        Stage.layers((url) => Effect.delay(Effect.succeed(Stage.pageOf(url, "x".repeat(100_000))), "20 millis"))
      ),
      Layer.provide(Webhook.layer(folder, undefined)),
      Layer.provide(guard("127.0.0.0/8")),
      Layer.provide(Keys.layer(folder, Redacted.make(`local:${keys.first}`))),
      Layer.provide([alone, NodeContext.layer])
    )
  )
)

const setup = Effect.gen(function* () {
  const dataDir = yield* tempDir
  const logged: Array<unknown> = []
  const logger = Logger.make(({ cause, message }) => logged.push(message, cause))
  const there = yield* site((path) =>
    path.includes("gone")
      ? undefined
      : page(
          `${sentinel} at ${path}`,
          path === `/${sentinel}` ? [`/${sentinel}/1`, `/${sentinel}/gone`] : [],
          `A ${sentinel}.`
        )
  )
  const open = Effect.map(engine({ dataDir }), ({ baseUrl }) => caller(baseUrl, keys.first)).pipe(
    Effect.provide(Logger.replace(Logger.defaultLogger, logger))
  )
  return { dataDir, logged, open, there, url: `${there.url}/${sentinel}` }
})

describe("a job with zero data retention", () => {
  it.scopedLive.skipIf(skipsLong)(
    "works like any other while the engine runs, and leaves nothing on disk",
    function* () {
      const { dataDir, logged, open, url } = yield* setup
      const hook = yield* receiver()
      const paths = yield* Effect.scoped(
        Effect.gen(function* () {
          const call = yield* open
          const ask = { zeroDataRetention: true, webhook: `${hook.url}/${sentinel}` }
          const crawl = yield* call.post("/v2/crawl", { url, crawlEntireDomain: true, ...ask })
          const path = `/v2/crawl/${crawl.json.id}`
          const { data, last } = yield* drain(call, path)
          expect(last).toMatchObject({ status: "completed", total: 3, completed: 2, creditsUsed: 3 })
          expect(data.filter(({ markdown }) => markdown?.includes(sentinel))).toHaveLength(2)
          expect((yield* call.get(`${path}/errors`)).json.errors).toMatchObject([{ url: `${url}/gone` }])
          const headers = { "x-idempotency-key": "k" }
          const start = { urls: [url], zeroDataRetention: true }
          const batch = yield* call.post("/v1/batch/scrape", start, headers)
          expect((yield* call.post("/v1/batch/scrape", start, headers)).json.id).toBe(batch.json.id)
          expect((yield* drain(call, `/v1/batch/scrape/${batch.json.id}`)).data).toHaveLength(1)
          yield* call.post("/v1/batch/scrape", { urls: [`${url}/1`], appendToId: batch.json.id })
          const inner = yield* call.post("/v2/crawl", { url, scrapeOptions: { zeroDataRetention: true } })
          expect((yield* call.get("/v2/crawl/active")).status).toBe(200)
          yield* drain(call, `/v2/crawl/${inner.json.id}`)
          const { last: more } = yield* drain(call, `/v1/batch/scrape/${batch.json.id}`)
          expect(more).toMatchObject({ total: 2, completed: 2 })
          yield* waitForEvents(hook.received, 5)
          expect(hook.received[1]?.text).toContain(sentinel)
          const usage = yield* call.get("/v2/team/credit-usage/historical")
          expect(usage.json.periods.at(-1).creditsUsed).toBeGreaterThanOrEqual(5)
          expect(traces(dataDir)).toEqual([])
          return [path, `/v1/batch/scrape/${batch.json.id}`]
        })
      )
      expect(traces(dataDir)).toEqual([])
      const call = yield* open
      for (const path of paths) {
        const { json, status } = yield* call.get(path)
        expect(status).toBe(404)
        expect(json).toMatchObject({ success: false, code: "JOB_NOT_KEPT" })
        expect(json.error).toContain("its data was not kept")
        expect((yield* call.del(path)).status).toBe(404)
        const more = yield* call.post("/v2/batch/scrape", { urls: [url], appendToId: path.split("/").at(-1) })
        expect(more.status).toBe(404)
        expect(yield* caller(call.baseUrl, keys.stranger).get(path)).toMatchObject({ status: 404 })
      }
      expect(String(JSON.stringify(logged))).not.toContain(sentinel)
    }
  )

  it.scopedLive("ends with an error when all of them together exceed their memory", bounded, function* () {
    const jobs = yield* Jobs
    const urls = Array.from({ length: 400 }, (_, n) => `http://a.example/${n}`)
    const spec = { options: { ...settle(ScrapeOptions.fields, {}), zeroDataRetention: true } }
    const { id } = yield* jobs.start(Stage.batch("t", urls, { spec }))
    const job = yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "20 millis"), {
      until: ({ status }) => status !== "scraping"
    })
    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining("more memory") })
    expect(job.results).toBeLessThan(400)
    expect(yield* Effect.flip(jobs.start(Stage.batch("t", urls, { spec })))).toMatchObject({ _tag: "RateLimited" })
    const kept = yield* jobs.start(Stage.batch("t", urls.slice(0, 2)))
    expect((yield* jobs.find("t", "batch", kept.id)).status).toBe("scraping")
  })

  it.scopedLive("leaves its pages out of the log, also after a defect", function* () {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ cause, message }) => logged.push(message, cause))
    const dying = Stage.layers((url) => Effect.die(new Error(`${sentinel} of ${url}`)))
    const job = yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const spec = { options: { ...settle(ScrapeOptions.fields, {}), zeroDataRetention: true } }
      const { id } = yield* jobs.start(Stage.batch("t", [`http://a.example/${sentinel}`], { spec }))
      return yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "10 millis"), {
        until: ({ status }) => status !== "scraping"
      })
    }).pipe(Effect.provide(dying), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    expect(job).toMatchObject({ status: "completed", results: 1, completed: 0 })
    expect(logged.length).toBeGreaterThan(0)
    expect(JSON.stringify(logged)).not.toContain(sentinel)
  })

  it.scopedLive("shares the limits of hosts with stored jobs", () => {
    const most = { pages: 0 }
    return Effect.gen(function* () {
      const jobs = yield* Jobs
      const urls = Array.from({ length: 8 }, (_, n) => `http://a.example/${n}`)
      const options = { ...settle(ScrapeOptions.fields, {}), zeroDataRetention: true }
      const started = [
        yield* jobs.start(Stage.batch("t", urls)),
        yield* jobs.start(Stage.batch("t", urls, { spec: { options } }))
      ]
      for (const { id } of started) {
        const ended = yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "5 millis"), {
          until: ({ status }) => status !== "scraping"
        })
        expect(ended).toMatchObject({ status: "completed", completed: 8 })
      }
      expect(most.pages).toBe(1)
    }).pipe(Effect.provide(polite(most)))
  })

  it.scopedLive("is cancelled like any other", function* () {
    const slow = yield* site(() => ({ body: "x", delay: 3_000 }))
    const { open } = yield* setup
    const call = yield* open
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [slow.url], zeroDataRetention: true })
    const path = `/v2/batch/scrape/${json.id}`
    expect((yield* call.get(path)).json.status).toBe("scraping")
    expect((yield* call.del(path)).json.status).toBe("cancelled")
    expect((yield* call.get(path)).json.status).toBe("cancelled")
  })

  it.scopedLive(
    "is not reported as failed by another engine on the same folder while its own engine runs",
    function* () {
      const { open, url } = yield* setup
      const first = yield* open
      const { json } = yield* first.post("/v2/batch/scrape", { urls: [url], zeroDataRetention: true })
      expect(json.id[14]).toBe("8")
      const path = `/v2/batch/scrape/${json.id}`
      const second = yield* open
      for (const answer of [yield* second.get(path), yield* second.get(`${path}/errors`), yield* second.del(path)]) {
        expect(answer.status).toBe(404)
        expect(answer.json.error).toContain("only the engine that started it has its data")
      }
      const { last } = yield* drain(first, path)
      expect(last).toMatchObject({ status: "completed", completed: 1 })
    }
  )

  it.scopedLive("shares idempotency keys with stored jobs: a key starts one job", function* () {
    const { open, url } = yield* setup
    const call = yield* open
    const start = (key: string, zeroDataRetention: boolean) =>
      call.post("/v2/batch/scrape", { urls: [url], zeroDataRetention }, { "x-idempotency-key": key })
    const [unkept, kept] = [yield* start("a", true), yield* start("b", false)]
    for (const refused of [yield* start("a", false), yield* start("b", true)]) {
      expect(refused.status).toBe(409)
      expect(refused.json.code).toBe("IDEMPOTENCY_KEY_REUSED")
    }
    expect((yield* start("a", true)).json.id).toBe(unkept.json.id)
    expect((yield* start("b", false)).json.id).toBe(kept.json.id)
  })
})
