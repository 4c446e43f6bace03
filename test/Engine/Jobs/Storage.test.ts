/** A job and a team keep so many bytes on disk: then their jobs end, and those of other teams go on. */

import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as CrawlParams from "../../../src/Api/CrawlParams.ts"
import { settle } from "../../../src/Api/Field.ts"
import { codeOf, innermost } from "../../../src/Database/DriverErrors.ts"
import { Frontier } from "../../../src/Engine/Jobs/Frontier.ts"
import * as Janitor from "../../../src/Engine/Jobs/Janitor.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import { failing, Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Storage from "../../../src/Engine/Store/Storage.ts"
import { describe, expect, it } from "../../It.ts"
import { type Caller, caller, engine, keys, liveClock, page, site, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import * as Stage from "./Stage.ts"

const kilobyte = 1024
const wide = { maxAge: 0 }

/** Looks at a job until it is over. */
const ended = (call: Caller, id: string, kind = "batch/scrape") =>
  Effect.repeat(Effect.delay(call.get(`/v2/${kind}/${id}`), 50), { until: ({ json }) => json.status !== "scraping" })

const batch = (call: Caller, urls: ReadonlyArray<string>, more: object = {}) =>
  call.post("/v2/batch/scrape", { urls, ...wide, ...more })

const pages = (url: string, count: number, from = 0) => Array.from({ length: count }, (_, at) => `${url}/${from + at}`)

/** A site whose pages have so many characters of text. */
const siteOf = (characters: number) => site((path) => page(path, [], "x".repeat(characters)))

const jobFull = { status: "failed", code: "JOB_STORAGE_FULL" }
const teamFull = { status: "failed", code: "TEAM_STORAGE_FULL" }

describe("a job that reaches its storage limit", () => {
  it.scoped.skipIf(skipsLong)(
    "ends with an error that says what to do; its stored results can be read, and only they are charged",
    liveClock,
    function* () {
      const { url } = yield* siteOf(10 * kilobyte)
      const { baseUrl } = yield* engine({ jobBytes: 64 * kilobyte })
      const call = caller(baseUrl, keys.first)
      const { json } = yield* batch(call, pages(url, 40))
      const { json: job } = yield* ended(call, json.id)
      expect(job).toMatchObject({ ...jobFull, error: expect.stringMatching(/limit of 64 KB .SLUICE_JOB_BYTES/) })
      expect(job.data.length).toBeGreaterThan(2)
      expect(job.data.length).toBeLessThan(8)
      expect(job.creditsUsed).toBe(job.data.length)
      expect(JSON.stringify(job.data).length).toBeLessThanOrEqual(64 * kilobyte)
      const { json: errors } = yield* call.get(`/v2/batch/scrape/${json.id}/errors`)
      expect(errors.errors).toMatchObject([{ code: "JOB_STORAGE_FULL", url: expect.stringContaining(url) }])
      // The limit is of one job: the team goes on, but not with this one.
      const again = yield* batch(call, pages(url, 1, 100))
      expect((yield* ended(call, again.json.id)).json).toMatchObject({ status: "completed" })
    }
  )

  it.scoped("does not store a page that is too large, and refuses to be extended", liveClock, function* () {
    const { requests, url } = yield* siteOf(300 * kilobyte)
    const { baseUrl } = yield* engine({ jobBytes: 100 * kilobyte })
    const call = caller(baseUrl, keys.first)
    const { json } = yield* batch(call, pages(url, 1), { formats: ["markdown", "html", "rawHtml"] })
    const { json: job } = yield* ended(call, json.id)
    expect(job).toMatchObject({ ...jobFull, data: [], creditsUsed: 0 })
    const asked = requests.length
    const more = yield* batch(call, pages(url, 1, 1), {
      formats: ["markdown", "html", "rawHtml"],
      appendToId: json.id
    })
    expect(more).toMatchObject({ status: 507, json: { success: false, code: "JOB_STORAGE_FULL" } })
    expect((yield* call.get(`/v2/batch/scrape/${json.id}`)).json).toMatchObject({ ...jobFull, total: 0 })
    expect(requests.length).toBe(asked)
  })
})

describe("a team that reaches its storage limit", () => {
  it.scoped.skipIf(skipsLong)("cannot start jobs, and another team can", liveClock, function* () {
    const large = yield* siteOf(10 * kilobyte)
    const { baseUrl } = yield* engine({ teamBytes: 64 * kilobyte })
    const call = caller(baseUrl, keys.first)
    const first = yield* batch(call, pages(large.url, 40))
    expect((yield* ended(call, first.json.id)).json).toMatchObject({
      ...teamFull,
      error: expect.stringMatching(/^The job ended: its team's storage .*results=delete.*SLUICE_TEAM_BYTES/)
    })
    // Less than a page is left: jobs with small pages fill it.
    const small = yield* siteOf(100)
    const one = Effect.gen(function* () {
      const { json, status } = yield* batch(call, pages(small.url, 1))
      if (status === 200) yield* ended(call, json.id)
      return status
    })
    yield* Effect.repeat(one, { until: (status) => status !== 200 })
    const asked = large.requests.length
    for (const [path, body] of [
      ["/v2/batch/scrape", { urls: pages(large.url, 1, 900) }],
      ["/v1/batch/scrape", { urls: pages(large.url, 1, 900) }],
      ["/v2/crawl", { url: large.url }]
    ] as const) {
      const { headers, json, status } = yield* call.post(path, body)
      expect(status, path).toBe(507)
      expect(headers.get("retry-after")).toBeNull()
      expect(json).toMatchObject({ success: false, code: "TEAM_STORAGE_FULL" })
      expect(json.error).toMatch(
        /^This team's storage is full \(6[45],\d{3} of 65,536 bytes\)\. Delete the results of a job /
      )
    }
    expect(large.requests.length).toBe(asked)
    // A single scrape keeps nothing.
    expect((yield* call.post("/v2/scrape", { url: `${large.url}/1`, ...wide })).status).toBe(200)
    const other = caller(baseUrl, keys.stranger)
    const theirs = yield* batch(other, pages(large.url, 2))
    expect((yield* ended(other, theirs.json.id)).json).toMatchObject({ status: "completed", completed: 2 })
  })

  it.scoped("is counted exactly when its jobs run at the same time, and after a restart", liveClock, function* () {
    const started = yield* Deferred.make<void>()
    const isStarted = Effect.runPromise(Deferred.await(started))
    const { url } = yield* site((path) => ({ body: page(path, [], "x".repeat(10 * kilobyte)), behind: isStarted }))
    const dataDir = yield* tempDir
    const teamBytes = 128 * kilobyte
    const kept = yield* Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl } = yield* engine({ teamBytes, dataDir })
        const call = caller(baseUrl, keys.first)
        const jobs = yield* Effect.forEach([0, 100, 200], (from) => batch(call, pages(url, 20, from)))
        yield* Deferred.succeed(started, undefined)
        const all = yield* Effect.forEach(jobs, ({ json }) => ended(call, json.id))
        for (const { json } of all) expect(json).toMatchObject(teamFull)
        const bytes = all.reduce((sum, { json }) => sum + JSON.stringify(json.data).length, 0)
        expect(bytes).toBeLessThanOrEqual(teamBytes)
        expect(bytes).toBeGreaterThan(teamBytes / 2)
        return (yield* call.get("/v2/team/queue-status")).json.storage
      })
    )
    const { baseUrl } = yield* engine({ teamBytes, dataDir })
    const call = caller(baseUrl, keys.first)
    const { json } = yield* call.get("/v2/team/queue-status")
    expect(json.storage).toEqual(kept)
    expect(json.storage).toMatchObject({ maxBytes: teamBytes, warning: expect.stringContaining("SLUICE_TEAM_BYTES") })
    const health = yield* call.get("/health")
    expect(health).toMatchObject({
      status: 200,
      json: { status: "ok", warnings: [expect.stringMatching(/^1 team .*80 %/)] }
    })
  })

  it.scoped("has room again after the results of a job were deleted", liveClock, function* () {
    const { url } = yield* siteOf(10 * kilobyte)
    const { baseUrl } = yield* engine({ teamBytes: 64 * kilobyte })
    const call = caller(baseUrl, keys.first)
    const stored = Effect.map(call.get("/v2/team/queue-status"), ({ json }) => json.storage.usedBytes as number)
    const { json } = yield* batch(call, pages(url, 40))
    yield* ended(call, json.id)
    expect(yield* stored).toBeGreaterThan(40 * kilobyte)
    // Another team does not find it.
    const path = `/v2/batch/scrape/${json.id}?results=delete`
    expect((yield* caller(baseUrl, keys.stranger).del(path)).status).toBe(404)
    expect(yield* call.del(path)).toMatchObject({ status: 200, json: { success: true } })
    expect((yield* call.get(`/v2/batch/scrape/${json.id}`)).json.error).toBe("Job expired")
    yield* Effect.repeat(Effect.delay(stored, 20), { until: (bytes) => bytes === 0 })
    const again = yield* batch(call, pages(url, 2))
    expect((yield* ended(call, again.json.id)).json).toMatchObject({ status: "completed", completed: 2 })
  })

  it.scoped.skipIf(skipsLong)(
    "keeps the results of a removed job until running answers are sent",
    liveClock,
    function* () {
      const { url } = yield* siteOf(3_000 * kilobyte)
      const { baseUrl } = yield* engine({ teamBytes: 64 * 1024 * kilobyte })
      const call = caller(baseUrl, keys.first)
      const { json } = yield* batch(call, pages(url, 4), { formats: ["markdown"] })
      yield* ended(call, json.id)
      const path = `/v2/batch/scrape/${json.id}`
      // Of an answer of 12 MB the kernel takes the beginning, and the rest waits until it is read.
      const answer = yield* Effect.promise(() =>
        fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${keys.first}` } })
      )
      const stored = Effect.map(call.get("/v2/team/queue-status"), ({ json }) => json.storage.usedBytes as number)
      expect((yield* call.del(`${path}?results=delete`)).status).toBe(200)
      yield* Effect.sleep("1 second")
      expect(yield* stored).toBeGreaterThan(10_000 * kilobyte)
      const text = yield* Effect.promise(() => answer.text())
      // One page of results has at most 10 MB.
      expect(JSON.parse(text).data).toHaveLength(3)
      yield* Effect.repeat(Effect.delay(stored, 20), { until: (bytes) => bytes === 0 })
    }
  )

  it.scoped(
    "does not store an answer that does not fit: a repeat is refused, not made for free",
    liveClock,
    function* () {
      const { requests, url } = yield* siteOf(40 * kilobyte)
      const { baseUrl } = yield* engine({ teamBytes: 64 * kilobyte })
      const call = caller(baseUrl, keys.first)
      const scrape = (key: string) => call.post("/v2/scrape", { url, ...wide }, { "x-idempotency-key": key })
      expect((yield* scrape("first")).status).toBe(200)
      expect((yield* scrape("second")).status).toBe(200)
      const asked = requests.length
      // A second fetch would be free, any number of times.
      const again = yield* scrape("second")
      expect(again).toMatchObject({ status: 409, json: { success: false, code: "ANSWER_NOT_KEPT" } })
      expect(again.json.error).toMatch(/was made and paid.*was not stored.*another idempotency key/)
      expect(requests.length).toBe(asked)
      expect((yield* scrape("first")).status).toBe(200)
      const { usedBytes } = (yield* call.get("/v2/team/queue-status")).json.storage
      expect(usedBytes).toBeGreaterThan(40 * kilobyte)
      expect(usedBytes).toBeLessThanOrEqual(64 * kilobyte)
    }
  )
})

describe("the stored bytes of a team", () => {
  const limited = (limits: Storage.Limits, scrape: Parameters<typeof Stage.layers>[0]) =>
    Stage.layers(scrape, undefined, limits)

  const page = (url: string) => Effect.succeed(Stage.pageOf(url, "x".repeat(1000)))
  const layers = Stage.layers(page)

  it.scopedLive("is the size of its rows, and zero once they have expired", layers, function* () {
    const sql = yield* Sql
    const jobs = yield* Jobs
    const { id } = yield* jobs.start(Stage.batch("t", pages("http://a.example", 30)))
    yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "5 millis"), {
      until: ({ status }) => status !== "scraping"
    })
    const [row] = yield* sql<{ bytes: number }>`SELECT
        (SELECT sum(length(body)) FROM job_results) + (SELECT sum(length(url) + 2 * length(url_key)) FROM job_pages)
        + (SELECT sum(length(spec)) - 2 FROM jobs) AS bytes`
    expect(yield* Storage.used(sql, "t")).toBe(row?.bytes)
    expect(row?.bytes).toBeGreaterThan(30_000)
    yield* sql`UPDATE jobs SET updated_at = 0`
    yield* Janitor.sweep(Duration.hours(1))
    expect(yield* Storage.used(sql, "t")).toBe(0)
  })

  const row = (id: string) =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const [found] = yield* sql<{ status: string; code: string | null; spec: string }>`SELECT status, code, spec
        FROM jobs WHERE id = ${id}`
      return found
    })

  it.scopedLive(
    "is limited for addresses of sitemaps: a running job ends there",
    limited({ job: 1e9, team: 1_000_000 }, () => Effect.never),
    function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs
      const frontier = yield* Frontier
      const url = "http://a.example/"
      const ids = yield* Effect.forEach([1, 2, 3, 4, 5], () =>
        Effect.map(jobs.start(Stage.batch("t", [url], { limit: 10_000, seeded: false })), ({ id }) => id)
      )
      const found = Array.from({ length: 2000 }, (_, at) => {
        const href = `${url}${at}${"x".repeat(2000)}`
        return { address: { url: new URL(href), href, key: href }, depth: 0 }
      })
      yield* Effect.forEach(ids, (id) => frontier.seed(id, { found, isWhole: true, notFollowed: {} }))
      expect(yield* Storage.used(sql, "t")).toBeLessThanOrEqual(1_000_000)
      for (const id of ids) expect(yield* row(id)).toMatchObject(teamFull)
    }
  )

  it.scopedLive(
    "is limited for links of pages",
    limited({ job: 1e9, team: 100_000 }, (url) =>
      Effect.succeed({
        ...Stage.pageOf(url),
        links: Array.from({ length: 200 }, (_, at) => `http://a.example/${at}${"x".repeat(1000)}`)
      })
    ),
    function* () {
      const sql = yield* Sql
      const { id } = yield* (yield* Jobs).start(
        Stage.batch("t", ["http://a.example/"], {
          kind: "crawl",
          limit: 10_000,
          spec: { options: Stage.batch("t", []).spec.options, params: settle(CrawlParams.fields, {}) }
        })
      )
      const ended = yield* Effect.repeat(Effect.delay(row(id), "5 millis"), {
        until: (job) => job?.status !== "scraping"
      })
      expect(ended).toMatchObject(teamFull)
      expect(yield* Storage.used(sql, "t")).toBeLessThanOrEqual(100_000)
    }
  )

  it.scopedLive(
    "is limited for the addresses of a new job, and for added ones",
    limited({ job: 1e9, team: 100_000 }, () => Effect.never),
    function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs
      const long = pages(`http://a.example/${"x".repeat(1000)}`, 100)
      expect(yield* Effect.flip(jobs.start(Stage.batch("t", long)))).toMatchObject({ code: "TEAM_STORAGE_FULL" })
      const { id } = yield* jobs.start(Stage.batch("t", pages("http://a.example", 1)))
      const more = { pages: Stage.batch("t", long).pages, invalidURLs: [], options: {} }
      expect(yield* Effect.flip(jobs.append({ id: "t", keyId: "k" }, id, more))).toMatchObject({
        code: "TEAM_STORAGE_FULL"
      })
      expect(yield* Storage.used(sql, "t")).toBeLessThan(10_000)
    }
  )

  it.scopedLive(
    "includes the options and the webhook of a job until they are no longer needed",
    Stage.layers(() => Effect.never),
    function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs
      const own = Stage.batch("t", ["http://a.example/"])
      const { id } = yield* jobs.start({
        ...own,
        spec: { options: { ...own.spec.options, headers: { "x-long": "x".repeat(500_000) } } },
        webhook: new Uint8Array(10_000)
      })
      expect(yield* Storage.used(sql, "t")).toBeGreaterThan(510_000)
      yield* jobs.cancel("t", "batch", id)
      expect(yield* Storage.used(sql, "t")).toBeLessThan(11_000)
      yield* jobs.remove("t", "batch", id)
      yield* sql`UPDATE webhooks SET open = 0`
      yield* Janitor.sweep(Duration.hours(1))
      expect(yield* Storage.used(sql, "t")).toBe(0)
    }
  )

  it.scopedLive(
    "ends a job of many small pages at the same limit as a large one",
    limited({ job: 100_000, team: 1e9 }, page),
    function* () {
      const jobs = yield* Jobs
      const { id } = yield* jobs.start(Stage.batch("t", pages("http://a.example", 2000)))
      const job = yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "5 millis"), {
        until: ({ status }) => status !== "scraping"
      })
      expect(job).toMatchObject(jobFull)
      expect(job.bytes).toBeLessThanOrEqual(100_000)
      expect(job.bytes).toBeGreaterThan(97_000)
    }
  )
})

describe("a disk", () => {
  const gigabyte = 1024 * kilobyte * kilobyte

  it("is low below a tenth and 5 GB, and full for jobs below 256 MB", () => {
    expect(Storage.lowDisk({ free: 6 * gigabyte, total: 100 * gigabyte })).toBeUndefined()
    expect(Storage.lowDisk({ free: 4 * gigabyte, total: 10 * gigabyte })).toBeUndefined()
    expect(Storage.lowDisk({ free: 4 * gigabyte, total: 100 * gigabyte })).toMatch(/has 4 GB of 100 GB left/)
    expect(Storage.fullDisk({ free: gigabyte, total: 100 * gigabyte })).toBeUndefined()
    expect(Storage.fullDisk({ free: 0.1 * gigabyte, total: 100 * gigabyte })).toMatchObject({
      _tag: "InsufficientStorage",
      error: expect.stringContaining("No job starts")
    })
  })

  it.scopedLive("that is full refuses new jobs, and running jobs continue once it has room", function* () {
    const held = yield* Deferred.make<void>()
    const log: Array<string> = []
    const logger = Logger.make(({ message }) => log.push(String(message)))
    yield* Effect.gen(function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs
      const { id } = yield* jobs.start(Stage.batch("t", pages("http://a.example", 20)))
      const [size] = yield* sql<{ count: number }>`SELECT page_count AS count FROM pragma_page_count`
      yield* sql.unsafe(`PRAGMA max_page_count = ${(size?.count ?? 0) + 2}`)
      yield* Deferred.succeed(held, undefined)
      const isFull = () => log.some((line) => line.includes("The store did not accept a batch of results"))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: isFull })
      expect(yield* jobs.find("t", "batch", id)).toMatchObject({ status: "scraping", results: 0 })
      // The responses to callers are tested in `Server/Failures.test.ts`.
      const refused = yield* Effect.flip(failing(jobs.start(Stage.batch("t", pages("http://b.example", 2000)))))
      expect(codeOf(innermost(refused))).toBe("SQLITE_FULL")
      yield* sql.unsafe("PRAGMA max_page_count = 100000")
      const job = yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "5 millis"), {
        until: ({ status }) => status !== "scraping"
      })
      expect(job).toMatchObject({ status: "completed", results: 20, credits: 20 })
    }).pipe(
      Effect.provide(
        Stage.layers((url) => Effect.as(Deferred.await(held), Stage.pageOf(url, "x".repeat(10 * kilobyte)))).pipe(
          Layer.provide(Logger.replace(Logger.defaultLogger, logger))
        )
      )
    )
  })
})
