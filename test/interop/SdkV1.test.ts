/** The old half of the public JavaScript client (its `v1`) against our engine, unchanged. */

import { describe, expect, layer } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { ask, refused, World, withWebSocket, layer as world } from "./World.ts"

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

// biome-ignore lint/suspicious/noExplicitAny: its answers are unions with errors in them
const sources = ({ data }: any) => data.map(({ metadata }: any) => metadata.sourceURL).sort()

layer(world, { excludeTestServices: true })("the old public client", (it) => {
  it.effect("gets a page, and what a model read out of it, in one flat answer", function* () {
    const { client, site } = yield* World
    const { url } = site
    const schema = { type: "object", properties: { legs: { type: "integer" } } }
    const answer = yield* ask(() =>
      // Its types want a schema of another library; what it sends is JSON Schema.
      client.v1.scrapeUrl(`${url}/a`, {
        formats: ["markdown", "links", "json"],
        jsonOptions: { prompt: "legs", schema: schema as never },
        parsePDF: true,
        onlyMainContent: true,
        timeout: 20_000
      })
    )
    expect(answer).toEqual({
      success: true,
      warning: undefined,
      error: undefined,
      markdown: `# /a\n\nHerons have **two** legs, and stand on one of them for hours.\n\n![A heron](${url}/heron.png)[Go](${url}/go)`,
      links: [`${url}/go`],
      json: { legs: 2 },
      metadata: expect.objectContaining({ title: "/a", sourceURL: `${url}/a`, statusCode: 200 })
    })
  })

  // The client looks at a job every two seconds at least: both wait at once.
  describe("waits for jobs", { concurrent: true }, () => {
    it.effect.skipIf(skipsLong)("of a crawl, in the words of that time", function* () {
      const { client, site } = yield* World
      const job = yield* ask(() =>
        client.v1.crawlUrl(
          site.url,
          { limit: 9, ignoreSitemap: true, allowBackwardLinks: true, scrapeOptions: { formats: ["links"] } },
          0
        )
      )
      expect(job).toMatchObject({ success: true, status: "completed", total: 5, completed: 4, creditsUsed: 5 })
      expect(job).not.toHaveProperty("next")
      expect(sources(job)).toEqual(["/", "/a", "/b", "/go", "/gone"].map((path) => site.url + path))
      for (const { metadata } of (job as { data: Array<{ metadata: object }> }).data) {
        expect(metadata).not.toHaveProperty("url")
      }
    })

    it.effect.skipIf(skipsLong)("of a batch, by the address of crawls, and finds them there", function* () {
      const { client, site, stranger } = yield* World
      const urls = ["/a", "/b"].map((path) => site.url + path)
      const job = yield* ask(() => client.v1.batchScrapeUrls(urls, { formats: ["links"] }, 0, "key-of-v1"))
      expect(job).toMatchObject({ success: true, status: "completed", total: 2, completed: 2, creditsUsed: 2 })
      expect(sources(job)).toEqual(urls)
      const again = yield* ask(() => client.v1.asyncBatchScrapeUrls(urls, { formats: ["links"] }, "key-of-v1"))
      const id = (again as { id: string }).id
      const status = yield* ask(() => client.v1.checkBatchScrapeStatus(id, true))
      expect(status).toMatchObject({ success: true, status: "completed", data: [{}, {}] })
      // Another team's job does not exist at either address.
      expect(yield* refused(() => stranger.v1.checkCrawlStatus(id))).toMatchObject({
        message: expect.stringContaining("404")
      })
    })
  })

  it.effect("cancels what it started, by the only address it knows for that", function* () {
    const { baseUrl, client, site } = yield* World
    const batch = yield* ask(() => client.v1.asyncBatchScrapeUrls([`${site.url}/slow`], { formats: ["markdown"] }))
    const { id } = batch as { id: string }
    expect(batch).toEqual({ success: true, id: uuid, url: `${baseUrl}/v1/batch/scrape/${id}`, invalidURLs: [] })
    const running = yield* ask(() => client.v1.checkCrawlStatus(id))
    expect(running).toMatchObject({
      status: "scraping",
      total: 1,
      completed: 0,
      next: `${baseUrl}/v1/batch/scrape/${id}?skip=0`
    })
    expect(yield* ask(() => client.v1.cancelCrawl(id))).toEqual({ success: true, status: "cancelled" })
    expect(yield* refused(() => client.v1.cancelCrawl(id))).toMatchObject({
      message: expect.stringContaining("409")
    })
    const crawl = yield* ask(() => client.v1.asyncCrawlUrl(`${site.url}/slow`, { limit: 1, ignoreSitemap: true }))
    expect(yield* ask(() => client.v1.cancelCrawl((crawl as { id: string }).id))).toMatchObject({
      status: "cancelled"
    })
  })

  it.scoped("watches crawls and batches by one address, and hears of their end", function* () {
    const { client, site } = yield* World
    yield* withWebSocket
    const urls = ["/1", "/2", "/3"].map((path) => site.url + path)
    const watched = yield* ask(async () => {
      const watcher = await client.v1.batchScrapeUrlsAndWatch(urls, { formats: ["links"] })
      const seen = new Set<string>()
      watcher.addEventListener("document", ({ detail }) => {
        // biome-ignore lint/suspicious/noExplicitAny: its types leave the document out
        seen.add((detail as any).metadata.sourceURL)
      })
      const status = await new Promise((resolve) =>
        watcher.addEventListener("done", ({ detail }) => resolve(detail.status))
      )
      return { status, seen: [...seen].sort() }
    })
    expect(watched).toEqual({ status: "completed", seen: urls })
    const failed = yield* ask(async () => {
      const watcher = await client.v1.crawlUrlAndWatch(`${site.url}/gone`, { limit: 1, ignoreSitemap: true })
      return new Promise((resolve) => watcher.addEventListener("error", ({ detail }) => resolve(detail)))
    })
    expect(failed).toMatchObject({ status: "failed", error: expect.stringMatching(/404|Not Found/) })
  })

  it.effect("maps a site with its sitemap alone, and without", function* () {
    const { client, site } = yield* World
    const { url } = site
    expect(yield* ask(() => client.v1.mapUrl(url, { ignoreSitemap: true, limit: 2 }))).toEqual({
      success: true,
      links: [`${url}/`, `${url}/go`]
    })
    const before = site.requests.length
    expect(yield* ask(() => client.v1.mapUrl(url, { sitemapOnly: true }))).toEqual({ success: true, links: [] })
    expect(site.requests.slice(before)).not.toContain("/")
  })

  it.effect("reads usage by the names of that time", function* () {
    const { site, stranger } = yield* World
    yield* ask(() => stranger.v1.scrapeUrl(`${site.url}/a`, {}))
    const none = { billing_period_start: null, billing_period_end: null }
    const [left, all] = [999_999_999, 1_000_000_000]
    expect(yield* ask(() => stranger.v1.getCreditUsage())).toMatchObject({
      success: true,
      data: { remaining_credits: left, plan_credits: all, ...none }
    })
    expect(yield* ask(() => stranger.v1.getTokenUsage())).toMatchObject({
      success: true,
      data: { remaining_tokens: 15 * left, plan_tokens: 15 * all, ...none }
    })
    expect(yield* ask(() => stranger.v1.getCreditUsageHistorical(true))).toMatchObject({
      periods: [{ endDate: expect.stringMatching(/T23:59:59.999Z$/), apiKey: "stranger", creditsUsed: 1 }]
    })
    expect(yield* ask(() => stranger.v1.getTokenUsageHistorical())).toMatchObject({
      periods: [{ endDate: expect.stringMatching(/T23:59:59.999Z$/), tokensUsed: 15 }]
    })
    expect(yield* ask(() => stranger.v1.getQueueStatus())).toEqual({
      success: true,
      jobsInQueue: 0,
      activeJobsInQueue: 0,
      waitingJobsInQueue: 0,
      maxConcurrency: 32,
      mostRecentSuccess: null,
      storage: { usedBytes: expect.any(Number), maxBytes: expect.any(Number) }
    })
  })
})
