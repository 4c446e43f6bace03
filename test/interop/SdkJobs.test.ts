/** The public JavaScript client against our engine, unchanged: batches and crawls, from start to end. */

import { createHmac } from "node:crypto"
import { type Document, JobTimeoutError } from "@mendable/firecrawl-js"
import * as Effect from "effect/Effect"
import { receiver, waitForEvents } from "../Engine/Jobs/Receiver.ts"
import { expect, layer } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { ask, refused, World, webhookSecret, withWebSocket, layer as world } from "./World.ts"

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

/** A day from now, within a minute. */
const isTomorrow = (date = "") => Math.abs(Date.parse(date) - Date.now() - 86_400_000) < 60_000

const sources = (documents: ReadonlyArray<Document>) => documents.map(({ metadata }) => metadata?.sourceURL)

/** Asks until it is as it should be. */
const until = <A>(promise: () => Promise<A>, isSo: (value: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(ask(promise), (value) =>
    isSo(value) ? Effect.succeed(value) : Effect.delay(until(promise, isSo), "50 millis")
  )

const ended = ({ status }: { readonly status: string }) => status !== "scraping"

const many = 205

layer(world, { excludeTestServices: true })("jobs of the public client", (it) => {
  it.effect.skipIf(skipsLong)("are a batch that is started, waited for, and read with its errors", function* () {
    const { client, site } = yield* World
    const { url } = site
    const urls = [`${url}/a`, `${url}/gone`, "not an address"]
    const job = yield* ask(() =>
      client.batchScrape(urls, {
        options: { formats: ["markdown", { type: "links" }], onlyMainContent: true },
        ignoreInvalidURLs: true,
        maxConcurrency: 2,
        integration: "elsewhere",
        pollInterval: 1,
        timeout: 20
      })
    )
    expect(job).toMatchObject({ id: uuid, status: "completed", total: 2, completed: 1, creditsUsed: 2, next: null })
    expect(isTomorrow(job.expiresAt)).toBe(true)
    const byPath = new Map(job.data.map((document) => [document.metadata?.sourceURL, document]))
    expect(byPath.get(`${url}/a`)).toEqual({
      markdown: `# /a\n\nHerons have **two** legs, and stand on one of them for hours.\n\n![A heron](${url}/heron.png)[Go](${url}/go)`,
      links: [`${url}/go`],
      metadata: {
        title: "/a",
        language: "en",
        description: "About /a.",
        favicon: `${url}/icon.png`,
        sourceURL: `${url}/a`,
        url: `${url}/a`,
        statusCode: 200,
        contentType: "text/html; charset=utf-8",
        concurrencyLimited: expect.any(Boolean)
      }
    })
    expect(byPath.get(`${url}/gone`)?.metadata).toMatchObject({ statusCode: 404, error: "Not Found" })
    expect(yield* ask(() => client.getBatchScrapeErrors(job.id))).toEqual({
      errors: [
        {
          id: uuid,
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          url: `${url}/gone`,
          code: "HTTP_404",
          error: "Not Found"
        }
      ],
      robotsBlocked: []
    })
  })

  it.effect("list invalid addresses, are the same job under the same key, and can be extended", function* () {
    const { baseUrl, client, site } = yield* World
    const urls = [`${site.url}/1`, "nowhere"]
    const start = ask(() => client.startBatchScrape(urls, { idempotencyKey: "once", ignoreInvalidURLs: true }))
    const started = yield* start
    expect(started).toEqual({
      id: uuid,
      url: `${baseUrl}/v2/batch/scrape/${started.id}`,
      invalidURLs: ["nowhere"]
    })
    expect((yield* start).id).toBe(started.id)
    yield* until(() => client.getBatchScrapeStatus(started.id), ended)
    const more = yield* ask(() => client.startBatchScrape([`${site.url}/2`], { appendToId: started.id }))
    expect(more.id).toBe(started.id)
    const job = yield* until(() => client.getBatchScrapeStatus(started.id), ended)
    expect(job).toMatchObject({ status: "completed", total: 2, completed: 2, creditsUsed: 2 })
    expect(sources(job.data)).toEqual([`${site.url}/1`, `${site.url}/2`])
  })

  it.effect.skipIf(skipsLong)("are read in as many pages as the reader wants", function* () {
    const { client, site } = yield* World
    const urls = Array.from({ length: many }, (_, n) => `${site.url}/${n}`)
    const { id } = yield* ask(() => client.startBatchScrape(urls, { options: { formats: ["links"] } }))
    yield* until(
      () => client.getQueueStatus(),
      ({ jobsInQueue }) => jobsInQueue === 0
    )
    const read = (pagination?: Parameters<typeof client.getBatchScrapeStatus>[1]) =>
      ask(() => client.getBatchScrapeStatus(id, pagination))
    const all = yield* read()
    expect(all).toMatchObject({ status: "completed", total: many, completed: many, creditsUsed: many, next: null })
    expect(sources(all.data).sort()).toEqual([...urls].sort())
    // Small results of a job that has ended come in one answer.
    const first = yield* read({ autoPaginate: false })
    expect(first.next).toBeNull()
    expect(first.data).toEqual(all.data)
    expect((yield* read({ maxWaitTime: 60 })).data).toEqual(all.data)
  })

  it.effect.skipIf(skipsLong)(
    "are a crawl that is started, waited for, and read with what robots.txt forbids",
    function* () {
      const { client, site } = yield* World
      const { url } = site
      const job = yield* ask(() =>
        client.crawl(url, {
          limit: 20,
          maxDiscoveryDepth: 3,
          excludePaths: ["^/b$"],
          sitemap: "skip",
          ignoreQueryParameters: true,
          deduplicateSimilarURLs: true,
          crawlEntireDomain: true,
          allowExternalLinks: false,
          allowSubdomains: false,
          maxConcurrency: 2,
          scrapeOptions: { formats: ["links"] },
          pollInterval: 1,
          timeout: 20
        })
      )
      expect(job).toMatchObject({ id: uuid, status: "completed", total: 4, completed: 3, creditsUsed: 4, next: null })
      expect(isTomorrow(job.expiresAt)).toBe(true)
      expect(sources(job.data).sort()).toEqual(["/", "/a", "/go", "/gone"].map((path) => url + path))
      expect(job.data[0]?.links).toEqual(["/go", "/a", "/b", "/gone", "/private/x"].map((path) => url + path))
      const errors = yield* ask(() => client.getCrawlErrors(job.id))
      expect(errors).toMatchObject({ errors: [{ id: uuid, url: `${url}/gone`, code: "HTTP_404", error: "Not Found" }] })
      expect(errors.robotsBlocked).toEqual([`${url}/private/x`])
    }
  )

  it.effect("are listed while they run, counted, and cancelled once", function* () {
    const { baseUrl, client, site, stranger } = yield* World
    const scrapeOptions = { formats: ["markdown" as const], waitFor: 0, timeout: 9_000 }
    const started = yield* ask(() =>
      client.startCrawl(`${site.url}/slow`, { limit: 7, sitemap: "skip", scrapeOptions })
    )
    expect(started).toEqual({ id: uuid, url: `${baseUrl}/v2/crawl/${started.id}` })
    const queue = yield* until(
      () => client.getQueueStatus(),
      ({ activeJobsInQueue }) => activeJobsInQueue === 1
    )
    expect(queue).toEqual({
      success: true,
      jobsInQueue: 1,
      activeJobsInQueue: 1,
      waitingJobsInQueue: 0,
      maxConcurrency: 32,
      mostRecentSuccess: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      storage: { usedBytes: expect.any(Number), maxBytes: expect.any(Number) }
    })
    expect(yield* ask(() => client.getConcurrency())).toEqual({ concurrency: 1, maxConcurrency: 32 })
    const { crawls, success } = yield* ask(() => client.getActiveCrawls())
    expect(success).toBe(true)
    expect(crawls).toEqual([
      { id: started.id, teamId: expect.any(String), url: `${site.url}/slow`, options: expect.anything() }
    ])
    expect(crawls[0]?.options).toMatchObject({
      limit: 7,
      sitemap: "skip",
      scrapeOptions: { formats: ["markdown"], onlyMainContent: true, timeout: 9_000, blockAds: true }
    })
    expect(yield* ask(() => stranger.getActiveCrawls())).toEqual({ success: true, crawls: [] })
    expect(yield* ask(() => client.getCrawlStatus(started.id, { autoPaginate: false }))).toMatchObject({
      status: "scraping",
      total: 1,
      completed: 0,
      data: [],
      next: `${baseUrl}/v2/crawl/${started.id}?skip=0`
    })
    expect(yield* ask(() => client.cancelCrawl(started.id))).toBe(true)
    expect(yield* ask(() => client.getCrawlStatus(started.id))).toMatchObject({
      status: "cancelled",
      total: 0,
      next: null
    })
    expect(yield* refused(() => client.cancelCrawl(started.id))).toMatchObject({ status: 409 })
    const { id } = yield* ask(() => client.startBatchScrape([`${site.url}/slow`]))
    expect(yield* ask(() => client.cancelBatchScrape(id))).toBe(true)
  })

  it.effect(
    "end in the client's own error, with the job's id, when they take longer than the caller waits",
    function* () {
      const { client, site } = yield* World
      const error = yield* refused(() => client.batchScrape([`${site.url}/late`], { timeout: 0.5 }))
      expect(error).toBeInstanceOf(JobTimeoutError)
      expect(error).toMatchObject({ code: "JOB_TIMEOUT", jobId: uuid, timeoutSeconds: 0.5 })
    }
  )

  it.scoped("are watched over a WebSocket: every document once, then the end", function* () {
    const { client, site } = yield* World
    yield* withWebSocket
    const watch = (id: string, kind: "batch" | "crawl") =>
      ask(async () => {
        const documents: Array<Document> = []
        const snapshots: Array<string> = []
        const ends: Array<string> = []
        const watcher = client.watcher(id, { kind, timeout: 20 })
        watcher.on("document", (document) => documents.push(document))
        watcher.on("snapshot", ({ status }) => snapshots.push(status))
        watcher.on("done", ({ status }) => ends.push(status))
        await watcher.start()
        return { documents: sources(documents).sort(), first: snapshots[0], ends }
      })
    const urls = ["/1", "/2", "/3", "/gone"].map((path) => site.url + path)
    const before = site.requests.length
    const batch = yield* ask(() => client.startBatchScrape(urls, { options: { formats: ["links"] } }))
    expect(yield* watch(batch.id, "batch")).toMatchObject({ documents: urls, ends: ["completed"] })
    expect(site.requests.slice(before).sort()).toEqual(["/1", "/2", "/3", "/gone"])
    const crawl = yield* ask(() => client.startCrawl(`${site.url}/a`, { limit: 1 }))
    expect(yield* watch(crawl.id, "crawl")).toMatchObject({ documents: [`${site.url}/a`], ends: ["completed"] })
    // Of a job that has ended, and of one that has failed.
    expect(yield* watch(crawl.id, "crawl")).toMatchObject({ first: "completed", ends: ["completed"] })
    const lost = yield* ask(() => client.startCrawl(`${site.url}/gone`, { limit: 1, sitemap: "skip" }))
    yield* Effect.exit(until(() => client.getCrawlStatus(lost.id), ended).pipe(Effect.timeout("2 seconds")))
    expect(yield* watch(lost.id, "crawl")).toMatchObject({ first: "failed", ends: ["failed"] })
  })

  it.scoped("tell webhooks what the client's types promise, signed as its documentation says", function* () {
    const { client, site } = yield* World
    const { received, url } = yield* receiver()
    const webhook = { url, headers: { "x-run": "7" }, metadata: { run: "7" }, events: ["page", "completed"] as const }
    const { id } = yield* ask(() =>
      client.startCrawl(`${site.url}/a`, {
        limit: 1,
        scrapeOptions: { formats: ["links"] },
        webhook: { ...webhook, events: [...webhook.events] }
      })
    )
    yield* waitForEvents(received, 2)
    expect(received.map(({ json }) => json.type)).toEqual(["crawl.page", "crawl.completed"])
    expect(received[0]?.json).toMatchObject({
      success: true,
      id,
      metadata: { run: "7" },
      data: [{ links: [`${site.url}/go`], metadata: { sourceURL: `${site.url}/a`, statusCode: 200 } }]
    })
    for (const { headers, text } of received) {
      const secret = createHmac("sha256", webhookSecret).update("sluice webhook default").digest("hex")
      const signature = createHmac("sha256", secret).update(text).digest("hex")
      expect(headers).toMatchObject({ "x-run": "7", "x-firecrawl-signature": `sha256=${signature}` })
    }
  })
})
