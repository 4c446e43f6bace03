import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Api } from "../../src/Api.ts"
import { ActiveCrawls } from "../../src/Client/ActiveCrawls.ts"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Browser } from "../../src/Client/Browser.ts"
import type { ClientError } from "../../src/Client/ClientErrors.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { CrawlPreview } from "../../src/Client/CrawlPreview.ts"
import { SiteMap } from "../../src/Client/Map.ts"
import { Parse } from "../../src/Client/Parse.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { Search } from "../../src/Client/Search.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import * as Client from "../../src/Client.ts"
import * as Exports from "../../src/index.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { type Asked, serve } from "./Server.ts"

const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const url = "https://docs.example.com/"

/** Everything any answer of the service needs, in one. */
const anything = {
  success: true,
  id: "x",
  data: { remainingTokens: 15, remainingCredits: 1 },
  cookies: 1,
  periods: [],
  sessions: [],
  crawls: [],
  links: ["https://docs.example.com/a", { url: "https://docs.example.com/b" }],
  errors: [],
  status: "cancelled",
  concurrency: 1,
  maxConcurrency: 2,
  jobsInQueue: 0,
  activeJobsInQueue: 0,
  waitingJobsInQueue: 0
}
const jobStatus = { status: "completed", total: 1, completed: 1, data: [{ markdown: "a" }] }

const connect = (baseUrl: string) =>
  Layer.provide(Client.layer, Layer.orDie(Connection.layer({ baseUrl, apiKey: Redacted.make("fc-key") })))

type Case = readonly [expected: string, call: Effect.Effect<unknown, ClientError, Client.Client>, body?: unknown]

const from = <I extends Client.Client, S>(
  service: Effect.Effect<S, never, I>,
  use: (service: S) => Effect.Effect<unknown, ClientError>
) => Effect.flatMap(service, use)

const cases: ReadonlyArray<Case> = [
  ["GET /v2/team/token-usage/historical?byApiKey=true", from(TokenUsage, (_) => _.historical({ byApiKey: true }))],
  ["GET /v1/team/token-usage/historical?byApiKey=false", from(TokenUsage, (_) => _.historical({ version: "v1" }))],
  ["GET /v2/team/token-usage", from(TokenUsage, (_) => _.balance())],
  ["GET /v1/team/token-usage", from(TokenUsage, (_) => _.balance({ version: "v1" }))],
  ["GET /v2/team/credit-usage", from(TokenUsage, (_) => _.credits())],
  ["GET /v1/team/credit-usage", from(TokenUsage, (_) => _.credits({ version: "v1" }))],
  ["GET /v2/team/credit-usage/historical?byApiKey=false", from(TokenUsage, (_) => _.historicalCredits())],
  ["GET /v2/concurrency-check", from(TokenUsage, (_) => _.concurrency())],
  ["GET /v2/team/queue-status", from(TokenUsage, (_) => _.queueStatus())],
  ["POST /v2/browser", from(Browser, (_) => _.create({ ttl: 60 })), { ttl: 60 }],
  ["POST /v2/browser", from(Browser, (_) => _.create()), {}],
  ["GET /v2/browser", from(Browser, (_) => _.list())],
  [
    "POST /v2/browser/login",
    from(Browser, (_) => _.signIn({ name: "shop", cookies: [{ name: "sid", value: "1", domain: "shop.example" }] })),
    { name: "shop", cookies: [{ name: "sid", value: "1", domain: "shop.example" }] }
  ],
  ["DELETE /v2/browser/login/shop", from(Browser, (_) => _.signOut("shop"))],
  ["DELETE /v2/browser/a%2Fb", from(Browser, (_) => _.delete("a/b"))],
  ["POST /v2/browser/s-1/execute", from(Browser, (_) => _.execute("s-1", { code: "1" })), { code: "1" }],
  ["POST /v2/search", from(Search, (_) => _.run({ query: "etl" })), { query: "etl" }],
  ["POST /v2/crawl/params-preview", from(CrawlPreview, (_) => _.run({ url, prompt: "p" })), { url, prompt: "p" }],
  ["GET /v2/crawl/active", from(ActiveCrawls, (_) => _.list())],
  ["GET /v1/crawl/active", from(ActiveCrawls, (_) => _.list({ version: "v1" }))],
  ["POST /v2/scrape", from(Scrape, (_) => _.run({ url, formats: ["markdown"] })), { url, formats: ["markdown"] }],
  [
    "POST /v1/scrape",
    from(Scrape, (_) => _.run({ url, parsePDF: false }, { version: "v1" })),
    { url, parsePDF: false }
  ],
  ["POST /v2/map", from(SiteMap, (_) => _.run({ url })), { url }],
  ["POST /v1/map", from(SiteMap, (_) => _.run({ url, search: "x" }, { version: "v1" })), { url, search: "x" }],
  ["POST /v2/crawl", from(Crawl, (_) => _.start({ url, limit: 5 })), { url, limit: 5 }],
  [
    "POST /v1/crawl",
    from(Crawl, (_) => _.start({ url, ignoreSitemap: true }, { version: "v1" })),
    { url, ignoreSitemap: true }
  ],
  ["DELETE /v2/crawl/{id}", from(Crawl, (_) => _.cancel(id))],
  ["DELETE /v1/crawl/{id}", from(Crawl, (_) => _.cancel(id, { version: "v1" }))],
  ["GET /v2/crawl/{id}/errors", from(Crawl, (_) => _.errors(id))],
  ["GET /v1/crawl/{id}/errors", from(Crawl, (_) => _.errors(id, { version: "v1" }))],
  ["GET /v2/crawl/{id}", from(Crawl, (_) => _.status(id))],
  ["GET /v1/crawl/{id}?skip=5&limit=10", from(Crawl, (_) => _.status(id, { version: "v1", skip: 5, limit: 10 }))],
  ["POST /v2/batch/scrape", from(BatchScrape, (_) => _.start({ urls: [url] })), { urls: [url] }],
  ["POST /v1/batch/scrape", from(BatchScrape, (_) => _.start({ urls: [url] }, { version: "v1" })), { urls: [url] }],
  ["DELETE /v2/batch/scrape/{id}", from(BatchScrape, (_) => _.cancel(id))],
  ["DELETE /v1/batch/scrape/{id}", from(BatchScrape, (_) => _.cancel(id, { version: "v1" }))],
  ["GET /v1/batch/scrape/{id}/errors", from(BatchScrape, (_) => _.errors(id, { version: "v1" }))],
  ["GET /v2/batch/scrape/{id}/errors", from(BatchScrape, (_) => _.errors(id))],
  ["GET /v2/batch/scrape/{id}", from(BatchScrape, (_) => _.status(id))],
  ["GET /v1/batch/scrape/{id}", from(BatchScrape, (_) => _.status(id, { version: "v1" }))]
]

/** Endpoints that no method of the client calls, and why. */
const uncalled: Readonly<Record<string, string>> = {
  "POST /v2/parse": "an upload, tested below",
  "GET /v1/team/credit-usage/historical": "the same as in v2",
  "GET /v1/team/queue-status": "the same as in v2"
}

/** `GET /v2/crawl/:id`, for every endpoint of the API. */
const endpoints = Object.values(Api.groups).flatMap(({ endpoints }) =>
  Object.values(endpoints).map(({ method, path }) => `${method} ${path}`)
)

const isStatus = ({ method, path }: Asked) => method === "GET" && new RegExp(`${id}(\\?|$)`).test(path)

describe("every operation", () => {
  it("of the API has a method of the client, and a case here", () => {
    const called = cases.map(([expected]) => expected.replace("{id}", id).replace(/\?.*$/, ""))
    const isCalled = (endpoint: string) =>
      called.some((each) => new RegExp(`^${endpoint.replace(/:\w+/g, "[^/]+")}$`).test(each))
    expect(endpoints.filter((endpoint) => !isCalled(endpoint))).toEqual(
      endpoints.filter((endpoint) => endpoint in uncalled)
    )
  })

  it("belongs to a service that programs can import", () => {
    for (const group of Object.keys(Api.groups)) {
      expect(Exports).toHaveProperty(`${group[0]?.toUpperCase()}${group.slice(1)}`)
    }
  })

  it.scoped.each(cases)("%s", function* ([expected, call, body]) {
    const server = yield* serve((asked) => ({ body: isStatus(asked) ? jobStatus : anything }))
    yield* Effect.provide(call, connect(server.url))
    const [asked] = server.asked
    expect(`${asked?.method} ${asked?.path}`).toBe(expected.replace("{id}", id))
    expect(asked?.headers.authorization).toBe("Bearer fc-key")
    if (body !== undefined) expect(JSON.parse(asked?.body ?? "")).toEqual(body)
  })

  scoped("that starts a job sends its idempotency key", function* () {
    const server = yield* serve(() => ({ body: anything }))
    const crawl = from(Crawl, (_) => _.start({ url }, { idempotencyKey: "once" }))
    const batch = from(BatchScrape, (_) => _.start({ urls: [url] }, { idempotencyKey: "twice", version: "v1" }))
    yield* Effect.provide(Effect.all([crawl, batch, from(Crawl, (_) => _.start({ url }))]), connect(server.url))
    expect(server.asked.map(({ headers }) => headers["x-idempotency-key"])).toEqual(["once", "twice", undefined])
  })

  scoped("that violates the contract fails with a short message, and nothing is sent", function* () {
    const server = yield* serve(() => ({ body: anything }))
    const urls = Array.from({ length: 100_001 }, () => url)
    const error = yield* Effect.flip(from(BatchScrape, (_) => _.start({ urls }))).pipe(
      Effect.provide(connect(server.url))
    )
    expect(error._tag).toBe("InvalidRequest")
    expect(error.message).toMatch(
      /^The request is not valid \(POST \S+\): urls: Expected an array of at most 100000 item/
    )
    expect(error.message.length).toBeLessThan(500)
    expect(server.asked).toEqual([])
  })

  scoped("that fails has a typed error", function* () {
    const server = yield* serve(() => ({ status: 409, body: { success: false, error: "Job has ended" } }))
    const error = yield* Effect.flip(from(Crawl, (_) => _.cancel(id))).pipe(Effect.provide(connect(server.url)))
    expect(error).toMatchObject({ _tag: "Conflict", said: "Job has ended" })
  })
})

describe("parse", () => {
  const parse = (...args: Parameters<typeof Parse.Service.parse>) => Effect.flatMap(Parse, (_) => _.parse(...args))

  scoped("uploads a file, bytes and a blob with the given options", function* () {
    const server = yield* serve(() => ({ body: { success: true, data: { markdown: "# Hello" } } }))
    const file = join(yield* tempDir, "report.html")
    writeFileSync(file, "<h1>Hello</h1>")
    const bytes = new TextEncoder().encode("<h1>Bytes</h1>")
    yield* Effect.gen(function* () {
      const answer = yield* parse({ file }, { formats: ["markdown"], onlyMainContent: false })
      expect(answer.data.markdown).toBe("# Hello")
      yield* parse({ file: bytes, name: "b.htm" })
      yield* parse({ file: new Blob([bytes]), name: "c.HTML" })
      yield* parse({ file, name: "renamed.html" })
    }).pipe(Effect.provide(connect(server.url)))
    const [first, second, third, fourth] = server.asked
    expect(first?.headers["content-type"]).toContain("multipart/form-data; boundary=")
    expect(first?.headers["content-length"]).toBe(String(first?.body.length))
    expect(first?.body).toContain('name="file"; filename="report.html"')
    expect(first?.body).toContain("<h1>Hello</h1>")
    expect(first?.body).toContain('{"formats":["markdown"],"onlyMainContent":false}')
    expect(second?.body).toContain('filename="b.htm"')
    expect(second?.body).not.toContain('name="options"')
    expect(third?.body).toContain("<h1>Bytes</h1>")
    expect(fourth?.body).toContain('filename="renamed.html"')
  })

  scoped("refuses what the service would refuse, before anything is sent", function* () {
    const server = yield* serve(() => ({ body: {} }))
    const folder = yield* tempDir
    const large = join(folder, "large.pdf")
    writeFileSync(large, Buffer.alloc(50 * 1024 * 1024 + 1))
    const small = new Uint8Array([1])
    const fails = (...args: Parameters<typeof parse>) =>
      Effect.provide(Effect.flip(parse(...args)), connect(server.url))

    expect(yield* fails({ file: large })).toMatchObject({ _tag: "TooLarge" })
    expect(yield* fails({ file: new Uint8Array(50 * 1024 * 1024 + 1), name: "a.pdf" })).toMatchObject({
      _tag: "TooLarge"
    })
    expect(yield* fails({ file: small, name: "a.exe" })).toMatchObject({ _tag: "UnsupportedFile" })
    expect((yield* fails({ file: small, name: "a.exe" })).message).toContain(".docx")
    const missing = yield* fails({ file: join(folder, "missing.pdf") })
    expect(missing).toMatchObject({ _tag: "InvalidRequest" })
    expect(missing.message).toContain("missing.pdf")
    expect(yield* fails({ file: small, name: "a.pdf" }, { timeout: 5 })).toMatchObject({
      _tag: "InvalidRequest",
      details: [{ path: "timeout" }]
    })
    expect(server.asked).toEqual([])
  })

  scoped("handles a refusal that arrives before the upload has ended", function* () {
    const server = yield* serve(() => ({ status: 413, body: { success: false, error: "too large" } }))
    const error = yield* Effect.flip(parse({ file: new Uint8Array(20_000_000), name: "a.pdf" })).pipe(
      Effect.provide(connect(server.url))
    )
    expect(error).toMatchObject({ _tag: "TooLarge", said: "too large" })
  })
})
