/** Errors of the public JavaScript client when the engine refuses a call: status, code and reason. */

import { SdkError } from "@mendable/firecrawl-js"
import { expect, it, layer } from "../It.ts"
import { engine, keys } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { ask, clientOf, refused, World, layer as world } from "./World.ts"

const noJob = "00000000-0000-4000-8000-000000000000"

layer(world, { excludeTestServices: true })("the public client is refused", (it) => {
  it.effect.skipIf(skipsLong)(
    "with the status, the code, the text and the particulars that the engine sent",
    function* () {
      const { client, nobody, site, stranger } = yield* World
      const done = yield* ask(() => client.batchScrape([`${site.url}/a`], { pollInterval: 1, timeout: 20 }))
      const cases: ReadonlyArray<readonly [() => Promise<unknown>, object]> = [
        [
          () => client.scrape("no address"),
          {
            status: 400,
            code: "BAD_REQUEST",
            message: expect.stringMatching(/^url: Invalid URL/),
            details: [{ path: ["url"], message: expect.any(String), code: "invalid_value" }]
          }
        ],
        [
          () => client.scrape(site.url, { fastMode: true }),
          { status: 400, message: 'Unrecognized key "fastMode"', details: [{ path: ["fastMode"] }] }
        ],
        [
          () => client.getCrawlStatus("x"),
          { status: 400, message: "Invalid job ID format. Job ID must be a valid UUID." }
        ],
        [() => nobody.scrape(site.url), { status: 401, message: "Unauthorized: Invalid token" }],
        [() => nobody.getBatchScrapeStatus(done.id), { status: 401 }],
        [
          () => client.scrape("http://10.0.0.1/"),
          { status: 403, code: "SSRF_BLOCKED", message: expect.stringContaining("SLUICE_ALLOW_NETWORKS") }
        ],
        [() => client.getCrawlStatus(noJob), { status: 404, message: "Job not found" }],
        [() => stranger.getBatchScrapeStatus(done.id), { status: 404, message: "Job not found" }],
        [() => client.getCrawlErrors(done.id), { status: 404, message: "Job not found" }],
        [
          () => client.startExtract({ urls: [site.url], prompt: "legs" }),
          { status: 404, message: expect.stringContaining("No route for POST /v2/extract") }
        ],
        [
          () => client.scrape(`${site.url}/slow`, { timeout: 1_000 }),
          { status: 408, code: "SCRAPE_TIMEOUT", message: expect.stringContaining("1000 ms") }
        ],
        [() => client.cancelBatchScrape(done.id), { status: 409, message: expect.stringContaining("completed") }],
        [
          () => client.parse({ data: "MZ", filename: "virus.exe" }),
          { status: 415, code: "UNSUPPORTED_FILE_TYPE", message: expect.stringContaining(".exe") }
        ],
        [
          () => client.parse({ data: "%PDF-1.7 nothing more", filename: "broken.pdf" }),
          { status: 422, code: "FILE_CORRUPT", message: expect.stringContaining("broken.pdf") }
        ],
        [
          () => client.scrape(site.url, { formats: [{ type: "question", question: "How many?" }] }),
          { status: 501, code: "NOT_IMPLEMENTED", message: expect.stringContaining("question") }
        ],
        [
          () => client.scrape(site.url, { proxy: "stealth" }),
          { status: 501, code: "NOT_IMPLEMENTED", message: expect.stringContaining("SLUICE_PROXIES") }
        ]
      ]
      for (const [call, expected] of cases) {
        const error = yield* refused(call)
        expect(error).toBeInstanceOf(SdkError)
        expect(error).toMatchObject({ name: "FirecrawlSdkError", ...expected })
      }
    }
  )

  it.effect.skipIf(skipsLong)(
    "but receives the failure of a crawl without pages, at once and with the reason",
    function* () {
      const { client, site } = yield* World
      const crawl = yield* ask(() => client.crawl(`${site.url}/gone`, { limit: 1, sitemap: "skip", pollInterval: 1 }))
      expect(crawl).toMatchObject({ status: "failed", completed: 0, total: 1 })
      expect(crawl.data.map(({ metadata }) => metadata?.statusCode)).toEqual([404])
      expect(yield* ask(() => client.getCrawlErrors(crawl.id ?? ""))).toMatchObject({
        errors: [{ url: `${site.url}/gone`, code: "HTTP_404" }],
        robotsBlocked: []
      })
    }
  )
})

it.scopedLive("the public client receives how long to wait when it calls too often", function* () {
  const { baseUrl } = yield* engine({ rateLimit: 6 })
  const client = clientOf(baseUrl, keys.first)
  const errors: Array<unknown> = []
  while (errors.length === 0) {
    yield* ask(() => client.getConcurrency().catch((error: unknown) => errors.push(error)))
  }
  expect(errors[0]).toMatchObject({
    status: 429,
    code: "RATE_LIMITED",
    message: expect.stringMatching(/retry after \d+s/)
  })
})
