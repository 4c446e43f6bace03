/** Every endpoint of the contract, over HTTP, as a stranger's program would call it. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Good, Goods, RateClass } from "../../src/Api/Charges.ts"
import { ErrorBody } from "../../src/Api/Errors.ts"
import { Api } from "../../src/Api.ts"
import { Sql } from "../../src/Engine/Store/Sql.ts"
import * as Store from "../../src/Engine/Store/Store.ts"
import { prices } from "../../src/Engine/Usage/Usage.ts"
import { describe, expect, layer } from "../It.ts"
import {
  type Caller,
  caller,
  drain,
  engine,
  keys,
  Local,
  layer as local,
  page,
  type Reply,
  site,
  tempDir
} from "../Local.ts"
import { skipsLong } from "../Long.ts"

interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly success: Schema.Schema.All | undefined
  readonly annotations: Context.Context<Goods | RateClass>
}

const endpoints: Array<Endpoint> = []
HttpApi.reflect(Api as unknown as HttpApi.HttpApi.AnyWithProps, {
  onGroup: () => undefined,
  onEndpoint: ({ group, endpoint, successes }) => {
    endpoints.push({
      name: `${group.identifier}.${endpoint.name}`,
      method: endpoint.method,
      path: endpoint.path,
      annotations: endpoint.annotations as Context.Context<Goods | RateClass>,
      success: [...successes.values()].flatMap(({ ast }) => (ast._tag === "Some" ? [Schema.make(ast.value)] : []))[0]
    })
  }
})

/** Services that a call may use. */
interface World {
  readonly call: Caller
  /** The site's address. */
  readonly url: string
}

type Call = (world: World) => Effect.Effect<Reply>

const batch = (version: number) => (world: World) =>
  Effect.map(
    world.call.post(`/v${version}/batch/scrape`, { urls: [`${world.url}/a`, `${world.url}/gone`] }),
    ({ json }) => `/v${version}/batch/scrape/${json.id}`
  )
const crawl = (version: number) => (world: World) =>
  Effect.map(world.call.post(`/v${version}/crawl`, { url: world.url }), ({ json }) => `/v${version}/crawl/${json.id}`)

type Start = (world: World) => Effect.Effect<string>

const status = (start: Start) => (world: World) =>
  Effect.gen(function* () {
    const path = yield* start(world)
    yield* drain(world.call, path)
    return yield* world.call.get(path)
  })
const errors = (start: Start) => (world: World) =>
  Effect.gen(function* () {
    const path = yield* start(world)
    yield* drain(world.call, path)
    return yield* world.call.get(`${path}/errors`)
  })
/** A site that takes its time, so that there is something to cancel. */
const cancel = (version: number, kind: string) => (world: World) =>
  Effect.gen(function* () {
    const body = kind === "crawl" ? { url: `${world.url}/slow` } : { urls: [`${world.url}/slow`] }
    const { json } = yield* world.call.post(`/v${version}/${kind}`, body)
    return yield* world.call.del(`/v${version}/${kind}/${json.id}`)
  })
const get = (path: string) => (world: World) => world.call.get(path)
const post = (path: string, body: (world: World) => unknown) => (world: World) => world.call.post(path, body(world))

const upload = (world: World) => {
  const body = new FormData()
  body.append("options", JSON.stringify({ formats: ["markdown"] }))
  body.append("file", new Blob([page("Upload")], { type: "text/html" }), "upload.html")
  return world.call.send("/v2/parse", { method: "POST", body })
}

interface Case {
  readonly call: Call
  /** 200 unless it is said. */
  readonly status?: number
  readonly body: unknown
}

const started = {
  success: true,
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  url: expect.stringMatching(/^http:\/\/127/)
}
const finishedBatch = {
  success: true,
  status: "completed",
  total: 2,
  completed: 1,
  creditsUsed: 2,
  data: expect.any(Array)
}
const finishedCrawl = {
  success: true,
  status: "completed",
  total: 3,
  completed: 2,
  creditsUsed: 3,
  data: expect.any(Array)
}
const failures = { errors: [{ url: expect.stringMatching(/\/gone$/), code: "HTTP_404", error: expect.any(String) }] }
const cancelled = { success: true, status: "cancelled" }
const lastInstant = expect.stringMatching(/T23:59:59.999Z$/)
const periods = [
  {
    startDate: expect.stringMatching(/-01T00:00:00.000Z$/),
    endDate: lastInstant,
    totalTokens: expect.any(Number),
    tokensUsed: expect.any(Number)
  }
]
const noSession = { success: false, code: "SESSION_NOT_FOUND", error: "Browser session not found" }
const document = { success: true, data: { markdown: expect.stringContaining("# "), metadata: { statusCode: 200 } } }

const cases: Readonly<Record<string, Case>> = {
  "scrape.scrape": { call: post("/v2/scrape", ({ url }) => ({ url: `${url}/a` })), body: document },
  "scrape.scrapeV1": { call: post("/v1/scrape", ({ url }) => ({ url: `${url}/a` })), body: document },
  "parse.parse": { call: upload, body: document },
  "search.search": {
    call: post("/v2/search", () => ({ query: "nothing has this zyzzyva", origin: "api" })),
    body: { success: true, data: { web: [] }, warning: expect.any(String), id: expect.any(String), creditsUsed: 0 }
  },
  "map.map": {
    call: post("/v2/map", ({ url }) => ({ url })),
    body: {
      success: true,
      links: expect.arrayContaining([expect.objectContaining({ url: expect.stringMatching(/\/a$/) })])
    }
  },
  "map.mapV1": {
    call: post("/v1/map", ({ url }) => ({ url })),
    body: { success: true, links: expect.arrayContaining([expect.stringMatching(/\/a$/)]) }
  },
  "crawlPreview.preview": {
    call: post("/v2/crawl/params-preview", ({ url }) => ({ url, prompt: "at most 5 pages" })),
    body: { success: true, data: { limit: 5 } }
  },
  "crawl.start": { call: post("/v2/crawl", ({ url }) => ({ url })), body: started },
  "crawl.startV1": { call: post("/v1/crawl", ({ url }) => ({ url, unknown: "ignored" })), body: started },
  "crawl.status": { call: status(crawl(2)), body: finishedCrawl },
  "crawl.statusV1": { call: status(crawl(1)), body: finishedCrawl },
  "crawl.cancel": { call: cancel(2, "crawl"), body: cancelled },
  "crawl.cancelV1": { call: cancel(1, "crawl"), body: cancelled },
  "crawl.errors": { call: errors(crawl(2)), body: failures },
  "crawl.errorsV1": { call: errors(crawl(1)), body: failures },
  "activeCrawls.active": { call: get("/v2/crawl/active"), body: { success: true, crawls: expect.any(Array) } },
  "activeCrawls.activeV1": { call: get("/v1/crawl/active"), body: { success: true, crawls: expect.any(Array) } },
  "batchScrape.start": { call: post("/v2/batch/scrape", ({ url }) => ({ urls: [url] })), body: started },
  "batchScrape.startV1": { call: post("/v1/batch/scrape", ({ url }) => ({ urls: [url] })), body: started },
  "batchScrape.status": { call: status(batch(2)), body: finishedBatch },
  "batchScrape.statusV1": { call: status(batch(1)), body: finishedBatch },
  "batchScrape.cancel": { call: cancel(2, "batch/scrape"), body: cancelled },
  "batchScrape.cancelV1": { call: cancel(1, "batch/scrape"), body: cancelled },
  "batchScrape.errors": { call: errors(batch(2)), body: failures },
  "batchScrape.errorsV1": { call: errors(batch(1)), body: failures },
  "browser.create": {
    call: post("/v2/browser", () => ({ ttl: 60 })),
    status: 503,
    body: { success: false, code: "BROWSER_UNAVAILABLE" }
  },
  "browser.list": { call: get("/v2/browser"), body: { success: true, sessions: [] } },
  "browser.delete": { call: ({ call }) => call.del("/v2/browser/x"), status: 404, body: noSession },
  "browser.execute": { call: post("/v2/browser/x/execute", () => ({ code: "1" })), status: 404, body: noSession },
  "browser.signIn": {
    call: post("/v2/browser/login", () => ({
      name: "shop",
      cookies: [{ name: "sid", value: "1", domain: "shop.example" }]
    })),
    body: { success: true, cookies: 1 }
  },
  "browser.signOut": {
    call: ({ call }) => call.del("/v2/browser/login/x"),
    body: { success: true }
  },
  "tokenUsage.historical": { call: get("/v2/team/token-usage/historical"), body: { success: true, periods } },
  "tokenUsage.historicalV1": {
    call: get("/v1/team/token-usage/historical?byApiKey=true"),
    body: { success: true, periods: [{ apiKey: "first" }] }
  },
  "tokenUsage.balance": {
    call: get("/v2/team/token-usage"),
    body: { success: true, data: { remainingTokens: expect.any(Number) } }
  },
  "tokenUsage.balanceV1": {
    call: get("/v1/team/token-usage"),
    body: { success: true, data: { remainingTokens: expect.any(Number), remaining_tokens: expect.any(Number) } }
  },
  "tokenUsage.credits": {
    call: get("/v2/team/credit-usage"),
    body: { success: true, data: { remainingCredits: expect.any(Number) } }
  },
  "tokenUsage.creditsV1": {
    call: get("/v1/team/credit-usage"),
    body: { success: true, data: { remainingCredits: expect.any(Number) } }
  },
  "tokenUsage.historicalCredits": {
    call: get("/v2/team/credit-usage/historical"),
    body: { success: true, periods: [{ endDate: lastInstant, totalCredits: expect.any(Number) }] }
  },
  "tokenUsage.historicalCreditsV1": {
    call: get("/v1/team/credit-usage/historical"),
    body: { success: true, periods: [{ endDate: lastInstant, creditsUsed: expect.any(Number) }] }
  },
  "tokenUsage.concurrency": {
    call: get("/v2/concurrency-check"),
    body: { success: true, concurrency: expect.any(Number), maxConcurrency: 32 }
  },
  "tokenUsage.queueStatus": {
    call: get("/v2/team/queue-status"),
    body: {
      success: true,
      jobsInQueue: expect.any(Number),
      activeJobsInQueue: expect.any(Number),
      waitingJobsInQueue: expect.any(Number),
      maxConcurrency: 32
    }
  },
  "tokenUsage.queueStatusV1": {
    call: get("/v1/team/queue-status"),
    body: { success: true, jobsInQueue: expect.any(Number), maxConcurrency: 32 }
  }
}

const small = site((path) => {
  if (path === "/") return page("Start", ["/a", "/gone"])
  if (path === "/a") return page("A")
  return path === "/slow" ? { body: page("Slow"), delay: 2_000 } : undefined
})

const decode = (schema: Schema.Schema.All, value: unknown) =>
  Schema.decodeUnknownEither(schema as Schema.Schema.AnyNoContext)(value)

layer(local, { excludeTestServices: true })("the contract", (it) => {
  it.effect(
    "names the goods and the rate class of every endpoint: without them a call would be free and unlimited",
    () =>
      Effect.sync(() => {
        const without = endpoints.filter(
          ({ annotations }) =>
            Option.isNone(Context.getOption(annotations, Goods)) ||
            Option.isNone(Context.getOption(annotations, RateClass))
        )
        expect(without.map(({ name }) => name)).toEqual([])
        const waiting = endpoints.filter(({ annotations }) => Context.get(annotations, RateClass) === "work")
        expect(waiting.map(({ path }) => path).sort()).toEqual([
          "/v1/map",
          "/v1/scrape",
          "/v2/crawl/params-preview",
          "/v2/map",
          "/v2/parse",
          "/v2/scrape",
          "/v2/search"
        ])
      })
  )

  it.scoped.skipIf(skipsLong)(
    "books the goods that the endpoint declares, and no others",
    NodeContext.layer,
    function* () {
      const dataDir = yield* tempDir
      const { baseUrl } = yield* engine({ dataDir, browserSessions: 0 })
      const world = { call: caller(baseUrl, keys.first), url: (yield* small).url }
      const booked = Effect.provide(
        Effect.flatMap(
          Sql,
          (sql) => sql<{ readonly endpoint: Good }>`SELECT endpoint FROM usage_ledger ORDER BY rowid`
        ),
        Store.layer(dataDir)
      )
      // For a search that finds this page, and reads it.
      yield* world.call.post("/v2/scrape", { url: `${world.url}/a` })
      const search = post("/v2/search", () => ({ query: "know", scrapeOptions: { formats: ["markdown"] } }))
      let seen = 1
      for (const { annotations, name, path } of endpoints) {
        const goods = Context.get(annotations, Goods)
        const found = cases[name]
        if (goods.length === 0 || found === undefined) continue
        const { json } = yield* (name === "search.search" ? search : found.call)(world)
        if (name.includes(".start")) yield* drain(world.call, `${path}/${json.id}`)
        const names = (yield* booked).slice(seen).map(({ endpoint }) => endpoint)
        seen += names.length
        expect(goods, name).toEqual(expect.arrayContaining(names))
        const isFree = found.status !== undefined || goods.every((good) => prices[good] === 0)
        expect(names.length > 0, name).toBe(!isFree)
      }
    }
  )

  it.effect("has a case for every endpoint, and no case for what is none", () =>
    Effect.sync(() => expect(Object.keys(cases).sort()).toEqual(endpoints.map(({ name }) => name).sort()))
  )

  for (const { name, method, path, success } of endpoints) {
    const found = cases[name]
    if (found === undefined) continue
    const expected = found.status ?? 200

    it.scoped.skipIf(skipsLong)(`${name} answers ${method} ${path} with ${expected}`, function* () {
      const { call } = yield* Local
      const { url } = yield* small
      const reply = yield* found.call({ call, url })
      expect(reply.status, reply.text).toBe(expected)
      expect(reply.json).toMatchObject(found.body as object)
      expect(reply.headers.get("content-type")).toMatch(/^application\/json/)
      const decoded = decode(expected === 200 && success !== undefined ? success : ErrorBody, reply.json)
      expect(Either.isRight(decoded), Either.isLeft(decoded) ? String(decoded.left) : "").toBe(true)
    })

    it.effect(`${name} refuses a missing and a wrong key`, function* () {
      const { baseUrl } = yield* Local
      const at = path.replace(":id", "00000000-0000-4000-8000-000000000000")
      const body = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {}
      for (const [key, error] of [
        ["", "Unauthorized: Token missing"],
        [`fc-${"0".repeat(32)}`, "Unauthorized: Invalid token"]
      ] as const) {
        const reply = yield* caller(baseUrl, key).send(at, { method, ...body })
        expect(reply).toMatchObject({ status: 401, json: { success: false, error } })
      }
    })
  }

  it.effect("documents every endpoint with a summary, and every parameter with a description", function* () {
    const { call } = yield* Local
    const { paths } = (yield* call.get("/openapi.json")).json
    const undocumented = endpoints.flatMap(({ method, name, path }) => {
      const { parameters = [], summary } = paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()]
      const bare = parameters.filter(
        (each: { description?: string; in: string; schema: { description?: string } }) =>
          each.in !== "path" && (each.description ?? each.schema.description) === undefined
      )
      return [
        ...(summary === undefined ? [name] : []),
        ...bare.map((each: { readonly name: string }) => `${name}: ${each.name}`)
      ]
    })
    expect(undocumented).toEqual([])
  })

  it.effect("says in its document which calls may be repeated under a key, and what comes of it", function* () {
    const { call } = yield* Local
    const { paths } = (yield* call.get("/openapi.json")).json
    const keyed = endpoints.flatMap(({ method, path }) => {
      const { parameters = [] } = paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()]
      const found = parameters.find(({ name }: { readonly name: string }) => name === "x-idempotency-key")
      return found === undefined ? [] : [[path, found] as const]
    })
    const paid = ["/v2/scrape", "/v1/scrape", "/v2/parse", "/v2/search", "/v2/map", "/v1/map"]
    const starts = ["/v2/crawl", "/v1/crawl", "/v2/batch/scrape", "/v1/batch/scrape"]
    expect(keyed.map(([path]) => path).sort()).toEqual([...paid, ...starts].sort())
    for (const [path, header] of keyed) {
      expect(header).toMatchObject({ in: "header", required: false, schema: { type: "string", maxLength: 255 } })
      expect(header.description ?? header.schema.description, path).toContain(
        paid.includes(path) ? "byte for byte" : "the job of the first start"
      )
    }
  })

  describe("for requests that break it", () => {
    it.effect("names every fault, and the first of them in the text", function* () {
      const { call } = yield* Local
      const reply = yield* call.post("/v2/search", { query: "", limit: 101, sources: ["web", "books"], nonsense: 1 })
      expect(reply).toMatchObject({ status: 400, json: { success: false, code: "BAD_REQUEST" } })
      const named = new Set(reply.json.details.map(({ path }: { path: ReadonlyArray<unknown> }) => path[0]))
      expect([...named].sort()).toEqual(["limit", "nonsense", "query", "sources"])
      expect(reply.json.error).toContain(reply.json.details[0].message)
      for (const { message, code } of reply.json.details) expect(`${message}${code}`).not.toContain("undefined")
    })

    it.effect("says the rule that two fields break together", function* () {
      const { call } = yield* Local
      const both = { query: "x", includeDomains: ["a.example"], excludeDomains: ["b.example"] }
      expect((yield* call.post("/v2/search", both)).json.error).toBe(
        "includeDomains and excludeDomains cannot both be specified"
      )
    })

    it.effect("may have no body where every field has a default, whatever it says of its type", function* () {
      const { call } = yield* Local
      for (const [headers, body] of [
        [{}, undefined],
        [{ "content-type": "application/json" }, undefined],
        [{ "content-type": "application/json" }, ""],
        [{ "content-type": "application/json" }, " \r\n"],
        [{ "content-type": "application/json" }, "{}"],
        [{ "content-type": "text/plain" }, ""],
        [{ "content-type": "application/x-www-form-urlencoded" }, ""],
        [{ "content-type": "application/octet-stream" }, ""],
        [{ "content-type": "multipart/form-data; boundary=x" }, ""]
      ] as const) {
        for (const path of ["/v2/browser", "/v2/browser/", "/v2/browser?origin=x"]) {
          const reply = yield* call.send(path, {
            method: "POST",
            headers,
            ...(body === undefined ? {} : { body })
          })
          // The request is understood: this engine has no browser.
          const unavailable = { status: 503, json: { code: "BROWSER_UNAVAILABLE" } }
          expect(reply, `${path} ${JSON.stringify([headers, body])}`).toMatchObject(unavailable)
        }
      }
      for (const path of ["/v2/scrape", "/v2/browser/x/execute"]) {
        expect((yield* call.post(path, "")).status, path).toBe(400)
      }
      expect((yield* call.post("/v2/browser", "null")).status).toBe(400)
      expect((yield* call.post("/v2/browser", "{")).json.code).toBe("BAD_REQUEST_INVALID_JSON")
    })

    it.effect("tells malformed JSON, a body that is none, and a malformed job id apart", function* () {
      const { call } = yield* Local
      expect(yield* call.post("/v2/crawl", "{not json")).toMatchObject({
        status: 400,
        json: { code: "BAD_REQUEST_INVALID_JSON" }
      })
      expect(yield* call.post("/v2/crawl", "")).toMatchObject({ status: 400, json: { code: "BAD_REQUEST" } })
      for (const path of ["/v2/crawl/x", "/v1/batch/scrape/123/errors"]) {
        expect(yield* call.get(path)).toMatchObject({
          status: 400,
          json: { error: "Invalid job ID format. Job ID must be a valid UUID." }
        })
      }
    })

    it.effect("refuses a JSON body over 10 MB with 413", function* () {
      const { call } = yield* Local
      const reply = yield* call.post("/v2/crawl", { url: "http://a.example/", prompt: "x".repeat(10 * 1024 * 1024) })
      expect(reply).toMatchObject({ status: 413, json: { success: false, code: "REQUEST_TOO_LARGE" } })
    })

    it.effect("answers unknown routes with 404, and wrong methods with 405, as JSON with a code", function* () {
      const { call } = yield* Local
      expect(yield* call.get("/v3/scrape")).toMatchObject({
        status: 404,
        json: { success: false, code: "NOT_FOUND", error: expect.stringContaining("No route") }
      })
      for (const reply of [yield* call.get("/v2/scrape"), yield* call.del("/v2/map")]) {
        expect(reply).toMatchObject({
          status: 405,
          json: { success: false, code: "METHOD_NOT_ALLOWED", error: expect.stringContaining("accepts POST") }
        })
      }
    })
  })
})
