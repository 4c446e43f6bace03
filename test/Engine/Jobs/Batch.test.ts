/** A batch over HTTP, against a real site. */

import * as Effect from "effect/Effect"
import { describe, expect, it } from "../../It.ts"
import { caller, drain, engine, keys, page, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

const setup = (options: Parameters<typeof engine>[0] = {}) =>
  Effect.gen(function* () {
    const there = yield* site((path) => (path.startsWith("/gone") ? undefined : page(path)))
    const { baseUrl } = yield* engine(options)
    return { there, call: caller(baseUrl, keys.first), stranger: caller(baseUrl, keys.stranger) }
  })

describe("a batch", () => {
  it.scopedLive(
    "scrapes every address once, lists invalid ones, and charges the pages that were answered",
    function* () {
      const { there, call } = yield* setup()
      const urls = [`${there.url}/a`, `${there.url}/b#x`, `${there.url}/b`, "nonsense", `${there.url}/gone`]
      const { json } = yield* call.post("/v2/batch/scrape", { urls, formats: ["markdown", "links"] })
      expect(json).toMatchObject({ success: true, invalidURLs: ["nonsense"] })
      const { last, data } = yield* drain(call, `/v2/batch/scrape/${json.id}`)
      expect(last).toMatchObject({ status: "completed", total: 3, completed: 2, creditsUsed: 3 })
      expect(data.find(({ metadata }) => metadata.sourceURL === `${there.url}/a`)).toMatchObject({
        markdown: expect.stringContaining("# /a"),
        links: expect.any(Array),
        metadata: { statusCode: 200 }
      })
      const ends = Date.parse(last.expiresAt) - Date.now()
      expect(Math.abs(ends - 24 * 3600_000)).toBeLessThan(60_000)
      expect(there.requests).toHaveLength(3)
    }
  )

  it.scopedLive(
    "gives a page that could not be fetched its error code, in its document as in the list of errors",
    function* () {
      const { call } = yield* setup()
      const { url } = yield* Effect.scoped(site(() => undefined))
      const { json } = yield* call.post("/v2/batch/scrape", { urls: [url] })
      const [failed] = (yield* drain(call, `/v2/batch/scrape/${json.id}`)).data
      const [listed] = (yield* call.get(`/v2/batch/scrape/${json.id}/errors`)).json.errors
      expect(listed).toMatchObject({ code: "SCRAPE_CONNECTION_ERROR" })
      expect(failed.metadata).toMatchObject({ code: listed.code, error: listed.error })
    }
  )

  it.scopedLive("reports in v2 which pages waited because of its concurrency limit", function* () {
    const { there, call } = yield* setup()
    const urls = ["a", "b", "c"].map((path) => `${there.url}/${path}`)
    const said = (version: number) =>
      Effect.gen(function* () {
        const path = `/v${version}/batch/scrape`
        const { json } = yield* call.post(path, { urls, formats: ["markdown"], maxConcurrency: 1 })
        const { data } = yield* drain(call, `${path}/${json.id}`)
        return data.map(({ metadata }) => [metadata.concurrencyLimited, metadata.concurrencyQueueDurationMs])
      })
    const waited = expect.toSatisfy((millis) => Number.isInteger(millis) && millis >= 0)
    expect(yield* said(2)).toEqual([
      [false, undefined],
      [true, waited],
      [true, waited]
    ])
    expect((yield* said(1)).flat().filter((value) => value !== undefined)).toEqual([])
  })

  it.scopedLive.skipIf(skipsLong)(
    "of one page completes while pages of another team, which never end, hold all that one team may hold",
    function* () {
      const { baseUrl } = yield* engine()
      const [first, stranger] = [caller(baseUrl, keys.first), caller(baseUrl, keys.stranger)]
      const never = new Promise(() => undefined)
      const full = yield* Effect.makeLatch()
      let held = 0
      const there = yield* Effect.all(
        Array.from({ length: 5 }, () =>
          site((path) => {
            if (path !== "/hold") return page(path)
            held += 1
            if (held === 24) full.unsafeOpen()
            return { behind: never }
          })
        )
      )
      const urls = there.map(({ url }) => `${url}/hold`)
      for (let n = 0; n < 10; n++) yield* first.post("/v2/batch/scrape", { urls, timeout: 120_000 })
      yield* full.await
      for (const zeroDataRetention of [false, true]) {
        const body = { urls: [`${there[0]?.url}/fine`], zeroDataRetention }
        const { json } = yield* stranger.post("/v2/batch/scrape", body)
        const { last } = yield* drain(stranger, `/v2/batch/scrape/${json.id}`)
        expect(last).toMatchObject({ status: "completed", completed: 1 })
      }
      expect(held).toBe(24)
    }
  )

  it.scopedLive("is refused for an invalid address if ignoreInvalidURLs is false", function* () {
    const { there, call } = yield* setup()
    const strict = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/a`, "x"], ignoreInvalidURLs: false })
    expect(strict).toMatchObject({ status: 400, json: { code: "BAD_REQUEST", details: [{ path: ["urls", 1] }] } })
    expect((yield* call.post("/v2/batch/scrape", { urls: ["x", "y"] })).json.details).toHaveLength(2)
    expect((yield* call.post("/v2/batch/scrape", { urls: [] })).status).toBe(400)
  })

  it.scopedLive("refuses unsupported options before it starts", function* () {
    const { there, call } = yield* setup()
    const urls = [`${there.url}/a`]
    for (const wish of [{ formats: ["audio"] }, { onlyCleanContent: true, formats: ["audio", "markdown"] }]) {
      const reply = yield* call.post("/v2/batch/scrape", { urls, ...wish })
      expect(reply).toMatchObject({ status: 501, json: { success: false, code: "NOT_IMPLEMENTED" } })
    }
    expect(there.requests).toEqual([])
  })

  it.scopedLive("is extended by appendToId, also after it has completed", function* () {
    const { there, call, stranger } = yield* setup()
    const first = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/a`] })
    const path = `/v2/batch/scrape/${first.json.id}`
    expect((yield* drain(call, path)).last).toMatchObject({ status: "completed", total: 1 })
    const more = { urls: [`${there.url}/a`, `${there.url}/b`], appendToId: first.json.id }
    expect((yield* call.post("/v2/batch/scrape", more)).json.id).toBe(first.json.id)
    const { last, data } = yield* drain(call, path)
    expect(last).toMatchObject({ status: "completed", total: 2, completed: 2 })
    expect(data.map(({ metadata }) => metadata.sourceURL)).toEqual([`${there.url}/a`, `${there.url}/b`])
    expect((yield* stranger.post("/v2/batch/scrape", more)).status).toBe(404)
  })

  it.scopedLive("is extended with its own options only, and once for one idempotency key", function* () {
    const { there, call } = yield* setup()
    const first = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/a`], formats: ["html"] })
    const more = { urls: [`${there.url}/b`], appendToId: first.json.id }
    const other = yield* call.post("/v2/batch/scrape", { ...more, formats: ["markdown"] })
    expect(other).toMatchObject({ status: 400, json: { code: "BAD_REQUEST", details: [{ path: ["formats"] }] } })
    const headers = { "x-idempotency-key": "more" }
    for (const urls of [more.urls, more.urls]) {
      const reply = yield* call.post("/v2/batch/scrape", { ...more, urls, formats: ["html"] }, headers)
      expect(reply).toMatchObject({ status: 200, json: { id: first.json.id } })
    }
    expect((yield* call.post("/v2/batch/scrape", { ...more, urls: ["x:y"] }, headers)).status).toBe(400)
    const another = { ...more, urls: [`${there.url}/c`] }
    expect((yield* call.post("/v2/batch/scrape", another, headers)).status).toBe(409)
    expect((yield* drain(call, `/v2/batch/scrape/${first.json.id}`)).last).toMatchObject({ completed: 2 })
  })

  it.scopedLive("is extended only with its own maxConcurrency; another one is refused by name", function* () {
    const { there, call } = yield* setup()
    for (const version of ["v1", "v2"]) {
      const path = `/${version}/batch/scrape`
      const first = yield* call.post(path, { urls: [`${there.url}/a`], maxConcurrency: 2 })
      const more = { urls: [`${there.url}/b`], appendToId: first.json.id }
      expect(yield* call.post(path, { ...more, maxConcurrency: 3 })).toMatchObject({
        status: 400,
        json: {
          code: "BAD_REQUEST",
          error: expect.stringMatching(/^maxConcurrency: differs from the option of the job in appendToId/),
          details: [{ path: ["maxConcurrency"] }]
        }
      })
      expect((yield* call.post(path, { ...more, maxConcurrency: 2 })).status).toBe(200)
      expect((yield* call.post(path, { ...more, urls: [`${there.url}/c`] })).status).toBe(200)
      expect((yield* drain(call, `${path}/${first.json.id}`)).last).toMatchObject({ total: 3 })
    }
  })

  it.scopedLive("starts once for one idempotency key, and refuses the key to another request", function* () {
    const { there, call, stranger } = yield* setup()
    const headers = { "x-idempotency-key": "k1" }
    const start = { urls: [`${there.url}/a`, "nonsense"], onlyMainContent: false }
    const first = yield* call.post("/v2/batch/scrape", start, headers)
    const again = yield* call.post("/v2/batch/scrape", { onlyMainContent: false, urls: start.urls }, headers)
    expect(again).toMatchObject({ status: 200, json: first.json })
    const other = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/b`] }, headers)
    expect(other).toMatchObject({ status: 409, json: { code: "IDEMPOTENCY_KEY_REUSED" } })
    expect((yield* stranger.post("/v2/batch/scrape", start, headers)).json.id).not.toBe(first.json.id)
    yield* drain(call, `/v2/batch/scrape/${first.json.id}`)
  })

  it.scopedLive("does not exist for other teams, nor as another kind of job", function* () {
    const { there, call, stranger } = yield* setup()
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/a`] })
    const path = `/v2/batch/scrape/${json.id}`
    const absent = { status: 404, json: { success: false, error: "Job not found" } }
    expect(yield* stranger.get(path)).toMatchObject(absent)
    expect(yield* stranger.get(`${path}/errors`)).toMatchObject(absent)
    expect(yield* stranger.del(path)).toMatchObject(absent)
    expect(yield* call.get(`/v2/crawl/${json.id}`)).toMatchObject(absent)
    const colleague = caller(call.baseUrl, keys.second)
    expect((yield* colleague.get(path.toUpperCase().replace("/V2/BATCH/SCRAPE", "/v1/batch/scrape"))).status).toBe(200)
  })

  it.scopedLive("expires: its results are deleted, and the error says so", function* () {
    const { there, call } = yield* setup({ retention: "300 millis" })
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/a`] })
    const path = `/v2/batch/scrape/${json.id}`
    expect((yield* drain(call, path)).last).toMatchObject({ status: "completed" })
    yield* Effect.sleep("350 millis")
    expect(yield* call.get(path)).toMatchObject({ status: 404, json: { error: "Job expired" } })
  })

  it.scopedLive("keeps to maxConcurrency", function* () {
    let now = 0
    let most = 0
    const there = yield* site((path) => {
      most = Math.max(most, ++now)
      setTimeout(() => now--, 20)
      return { body: page(path), delay: 20 }
    })
    const call = caller((yield* engine()).baseUrl, keys.first)
    const urls = Array.from({ length: 10 }, (_, n) => `${there.url}/${n}`)
    const { json } = yield* call.post("/v1/batch/scrape", { urls, maxConcurrency: 2 })
    expect((yield* drain(call, `/v1/batch/scrape/${json.id}`)).data).toHaveLength(10)
    expect(most).toBeLessThanOrEqual(3)
  })
})
