/** Status pages: whatever skip, limit and sizes are, every document is there once and in its place. */

import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { pageSize } from "../../../src/Api/JobStatus.ts"
import { countFitting } from "../../../src/Engine/Jobs/Results.ts"
import { describe, expect, it } from "../../It.ts"
import { type Caller, caller, engine, keys, page, type Reply, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

const count = 37

const finished = (answer: (path: string) => string, urls: number) =>
  Effect.gen(function* () {
    const there = yield* site(answer)
    const call = caller((yield* engine()).baseUrl, keys.first)
    const { json } = yield* call.post("/v2/batch/scrape", {
      urls: Array.from({ length: urls }, (_, n) => `${there.url}/${n}`),
      formats: ["rawHtml"]
    })
    const path = `/v2/batch/scrape/${json.id}`
    let status = yield* call.get(`${path}?skip=${urls}`)
    while (status.json.status === "scraping") status = yield* call.get(`${path}?skip=${urls}`)
    return { call, path }
  })

/** Follows `next` from a first address; gives every page. */
const follow = (call: Caller, path: string): Effect.Effect<ReadonlyArray<Reply>> =>
  Effect.flatMap(call.get(path), (reply) =>
    reply.json.next === undefined
      ? Effect.succeed([reply])
      : Effect.map(follow(call, reply.json.next), (rest) => [reply, ...rest])
  )

const documents = (pages: ReadonlyArray<Reply>) => pages.flatMap(({ json }) => json.data)

describe("a page of results", () => {
  it("stays below the limit of bytes, but is never empty", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 100 }),
        (sizes, max) => {
          const taken = countFitting(
            sizes.map((bytes) => ({ bytes })),
            max
          )
          const sum = (n: number) => sizes.slice(0, n).reduce((total, size) => total + size, 0)
          expect(taken).toBeGreaterThan(0)
          expect(taken === 1 || sum(taken) <= max).toBe(true)
          expect(taken === sizes.length || sum(taken + 1) > max).toBe(true)
        }
      )
    )
    expect(countFitting([])).toBe(0)
  })

  it.scopedLive.skipIf(skipsLong)("gives every document once and in order, for every skip and limit", function* () {
    const { call, path } = yield* finished((at) => page(at), count)
    const all = documents(yield* follow(call, path))
    expect(new Set(all.map(({ metadata }) => metadata.sourceURL)).size).toBe(count)
    const cases = fc.sample(
      fc.tuple(fc.integer({ min: 0, max: count + 3 }), fc.integer({ min: 1, max: count + 3 })),
      25
    )
    for (const [skip, limit] of cases) {
      const pages = yield* follow(call, `${path}?skip=${skip}&limit=${limit}`)
      expect(documents(pages)).toEqual(all.slice(skip))
      for (const { json, headers, text } of pages) {
        expect(json.data.length).toBeLessThanOrEqual(limit)
        expect(headers.get("content-type")).toBe("application/json")
        expect(Number(headers.get("content-length"))).toBe(Buffer.byteLength(text))
        if (json.next !== undefined)
          expect(json.next).toMatch(new RegExp(`^${call.baseUrl}${path}\\?skip=\\d+&limit=${limit}$`))
      }
    }
  })

  it.scopedLive.skipIf(skipsLong)(
    "stays within 10 MiB, and sends a document that is larger than that alone",
    function* () {
      const mebibyte = 1024 * 1024
      const size = (path: string) => (path === "/2" ? 11 * mebibyte : 3 * mebibyte)
      const { call, path } = yield* finished((at) => `<html><body>${"x".repeat(size(at))}</body></html>`, 6)
      const pages = yield* follow(call, path)
      expect(documents(pages)).toHaveLength(6)
      for (const { json } of pages) {
        const bytes = json.data.reduce((sum: number, item: unknown) => sum + Buffer.byteLength(JSON.stringify(item)), 0)
        expect(bytes <= pageSize.bytes || json.data.length === 1).toBe(true)
      }
      const largest = pages.find(({ json }) =>
        json.data.some(({ rawHtml }: { rawHtml: string }) => rawHtml.length > 11 * mebibyte)
      )
      expect(largest?.json.data).toHaveLength(1)
    }
  )

  it.scopedLive("is refused for an invalid skip or limit", function* () {
    const call = caller((yield* engine()).baseUrl, keys.first)
    const id = "00000000-0000-4000-8000-000000000000"
    for (const query of ["skip=-1", "skip=x", "limit=0", "limit=1001", "limit=1.5"]) {
      expect(yield* call.get(`/v2/crawl/${id}?${query}`)).toMatchObject({
        status: 400,
        json: { code: "BAD_REQUEST" }
      })
    }
  })

  it.scopedLive("waits for new results while the job runs", function* () {
    let release: () => void = () => undefined
    const there = yield* site((path) =>
      path.startsWith("/slow")
        ? { body: page(path), behind: new Promise<void>((resolve) => (release = resolve)) }
        : page(path)
    )
    const call = caller((yield* engine()).baseUrl, keys.first)
    let pages = 0
    const wait = Effect.gen(function* () {
      const path = `/slow${++pages}`
      const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url + path] })
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => there.requests.includes(path) })
      const before = Date.now()
      const reading = yield* Effect.fork(call.get(`/v2/batch/scrape/${json.id}?skip=0`))
      yield* Effect.sleep("400 millis")
      release()
      expect((yield* reading).json.data).toHaveLength(1)
      return Date.now() - before
    })
    // Without results it answers after a second. A busy machine may take as long, but not every time.
    expect(yield* Effect.repeat(wait, { until: (took) => took < 900, times: 9 })).toBeLessThan(900)
  })
})
