/** Quotas of the engine's teams: credits a month, and 402 when they are used up. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parse } from "../../../src/Engine/Usage/Quota.ts"
import { describe, expect, it } from "../../It.ts"
import { type Caller, caller, engine, keys, liveClock, page, site, tempDir } from "../../Local.ts"

const wide = { maxAge: 0 }

/** Looks at a job until it is over. */
const ended = (call: Caller, path: string) =>
  Effect.repeat(Effect.delay(call.get(path), 100), { until: ({ json }) => json.status !== "scraping" })

const remaining = (call: Caller) =>
  Effect.map(call.get("/v2/team/credit-usage"), ({ json }) => json.data.remainingCredits as number)

const pages = (count: number, url: string) => Array.from({ length: count }, (_, index) => `${url}/${index}`)

it("a quota is one number for every team, or one for each", () => {
  const quotas = Either.getOrThrow(parse("default=1000, other=5"))
  expect([...quotas.teams]).toEqual([
    ["default", 1000],
    ["other", 5]
  ])
  expect(Either.getOrThrow(parse("250")).every).toBe(250)
  for (const text of ["", "many", "-1", "default=", "=5", "a=1,a=2", "1.5"])
    expect(Either.isLeft(parse(text)), text).toBe(true)
})

describe("an engine with a quota", () => {
  it.scoped("says what is left, and answers 402 when too little is", liveClock, function* () {
    const { url } = yield* site(() => page("A page"))
    const { baseUrl } = yield* engine({ quota: "default=3,others=50" })
    const call = caller(baseUrl, keys.first)
    expect(yield* remaining(call)).toBe(3)
    expect((yield* call.post("/v2/scrape", { url, ...wide })).status).toBe(200)
    expect(yield* remaining(call)).toBe(2)
    // Calls at the same time share what is left: two more fit.
    const answers = yield* Effect.all(
      pages(12, url).map((url) => call.post("/v2/scrape", { url, ...wide })),
      { concurrency: "unbounded" }
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused).toMatchObject({
      status: 402,
      json: { success: false, error: expect.stringMatching(/1 credit needed, \d credits? left of 3 credits a month/) }
    })
    expect(yield* remaining(call)).toBe(0)
    for (const [path, body] of [
      ["/v2/map", { url }],
      ["/v2/search", { query: "page" }],
      ["/v2/crawl", { url }],
      ["/v1/scrape", { url }],
      ["/v2/batch/scrape", { urls: [url] }]
    ] as const) {
      expect((yield* call.post(path, body)).status, path).toBe(402)
    }
    expect(yield* remaining(caller(baseUrl, keys.stranger))).toBe(50)
  })

  it.scoped("ends a job where its credits end, and says so", liveClock, function* () {
    const started = yield* Deferred.make<void>()
    const isStarted = Effect.runPromise(Deferred.await(started))
    const { url } = yield* site((path) =>
      path === "/robots.txt" ? undefined : { body: page(path), behind: isStarted }
    )
    const { baseUrl } = yield* engine({ quota: "5" })
    const call = caller(baseUrl, keys.first)
    const both = yield* Effect.all(
      [20, 20].map((count) => call.post("/v2/batch/scrape", { urls: pages(count, url) })),
      { concurrency: "unbounded" }
    )
    yield* Deferred.succeed(started, undefined)
    const jobs = yield* Effect.forEach(both, ({ json }) => ended(call, `/v2/batch/scrape/${json.id}`))
    expect(jobs.reduce((sum, { json }) => sum + json.creditsUsed, 0)).toBe(5)
    for (const { json } of jobs) {
      expect(json).toMatchObject({
        status: "failed",
        error: expect.stringContaining("Insufficient credits"),
        code: "INSUFFICIENT_CREDITS"
      })
    }
    expect(yield* remaining(call)).toBe(0)
  })

  it.scoped("counts from its ledger when it is started again", liveClock, function* () {
    const { url } = yield* site(() => page("A page"))
    const dataDir = yield* tempDir
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl } = yield* engine({ quota: "9", dataDir })
        yield* caller(baseUrl, keys.first).post("/v2/scrape", { url, ...wide })
      })
    )
    const { baseUrl } = yield* engine({ quota: "9", dataDir })
    expect(yield* remaining(caller(baseUrl, keys.first))).toBe(8)
  })
})

it.scoped("a page that answers 404 costs the same in a scrape, a batch and a crawl", liveClock, function* () {
  const { url } = yield* site((path) => (path === "/" ? page("Home", ["/gone"]) : undefined))
  const { baseUrl } = yield* engine()
  const call = caller(baseUrl, keys.first)
  const before = yield* remaining(call)
  const scraped = yield* call.post("/v2/scrape", { url: `${url}/gone`, ...wide })
  expect(scraped.json.data.metadata).toMatchObject({ statusCode: 404, creditsUsed: 1 })
  const batch = yield* call.post("/v2/batch/scrape", { urls: [`${url}/gone`] })
  expect((yield* ended(call, `/v2/batch/scrape/${batch.json.id}`)).json.creditsUsed).toBe(1)
  const crawl = yield* call.post("/v2/crawl", { url })
  expect((yield* ended(call, `/v2/crawl/${crawl.json.id}`)).json.creditsUsed).toBe(2)
  expect(yield* remaining(call)).toBe(before - 4)
})
