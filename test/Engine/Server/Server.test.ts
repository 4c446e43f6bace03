/** The engine as a server: whom it answers, what it says about itself, how it starts and stops. */

import * as Http from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Api } from "../../../src/Api.ts"
import * as Engine from "../../../src/Engine.ts"
import { expect, layer } from "../../It.ts"
import { caller, engine, keys, Local, layer as local, page, site, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

const endpoints = Object.values(Api.groups).flatMap((group) => Object.keys(group.endpoints)).length

const range = <A>(length: number, of: (at: number) => A): Array<A> => Array.from({ length }, (_, at) => of(at))

/** Asks with a Host header that `fetch` would not let us send. */
const askAs = (baseUrl: string, host: string) =>
  Effect.async<number>((resume) => {
    Http.get(`${baseUrl}/health`, { headers: { host }, agent: false }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode ?? 0))
    })
  })

layer(local, { excludeTestServices: true })("the server", (it) => {
  it.scoped("is ready when /health says so, without a key", function* () {
    const { baseUrl, key } = yield* Local
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(Redacted.value(key)).toBe(keys.first)
    const health = yield* caller(baseUrl, "").get("/health")
    expect(health).toMatchObject({ status: 200, json: { status: "ok", version: expect.any(String) } })
  })

  it.scoped("listens on the one address of this machine that it is given, where keys hold as well", function* () {
    const status = (url: string) =>
      Effect.promise(() =>
        fetch(url).then(
          (response) => response.status,
          () => "no connection"
        )
      )
    const own = new URL((yield* Local).baseUrl)
    expect(yield* status(`http://127.0.0.2:${own.port}/health`)).toBe("no connection")
    const other = new URL((yield* engine({ host: "127.0.0.2" })).baseUrl)
    expect(yield* status(`http://127.0.0.1:${other.port}/health`)).toBe("no connection")
    expect(yield* status(`http://127.0.0.2:${other.port}/v2/crawl/active`)).toBe(401)
  })

  it.scoped("keeps a key of its own in the data folder when it is given none", function* () {
    const dataDir = yield* tempDir
    const { baseUrl, key, keyFile } = yield* engine({ dataDir, keys: undefined })
    expect(keyFile).toBe(join(dataDir, "keys.json"))
    expect((yield* caller(baseUrl, Redacted.value(key)).get("/v2/crawl/active")).status).toBe(200)
  })

  it.scoped("answers on loopback only to names that no web page can take", function* () {
    const { baseUrl } = yield* Local
    const port = new URL(baseUrl).port
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST", `[::1]:${port}`, "sluice.localhost"]) {
      expect(yield* askAs(baseUrl, host), host).toBe(200)
    }
    for (const host of [
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      `10.0.0.1:${port}`
    ]) {
      expect(yield* askAs(baseUrl, host), host).toBe(403)
    }
  })

  it.scoped("writes addresses with the name that the caller used", function* () {
    const there = yield* site(() => page("x"))
    const { baseUrl } = yield* Local
    const named = baseUrl.replace("127.0.0.1", "localhost")
    const { json } = yield* caller(named, keys.first).post("/v2/batch/scrape", { urls: [there.url] })
    expect(json.url).toMatch(new RegExp(`^${named}/v2/batch/scrape/`))
  })

  it.scoped(
    "describes the API as it is: every operation needs the key, 400 has the one body of failures",
    function* () {
      const { baseUrl } = yield* Local
      const { json, text } = yield* caller(baseUrl, "").get("/openapi.json")
      expect(json.openapi).toMatch(/^3\./)
      expect(json).not.toHaveProperty("security")
      expect(json.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" })
      const operations = Object.values<Record<string, { security: unknown; responses: Record<string, unknown> }>>(
        json.paths
      ).flatMap((verbs) => Object.values(verbs))
      expect(operations).toHaveLength(endpoints)
      for (const { security, responses } of operations) {
        expect(security).toEqual([{ bearer: [] }])
        expect(responses["400"]).toMatchObject({
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
        })
        expect(responses).toHaveProperty("401")
      }
      expect(text).not.toMatch(/HttpApiDecodeError|PersistedFile/)
      const references = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name))
      expect(Object.keys(json.components.schemas)).toEqual(expect.arrayContaining([...references]))
    }
  )

  it.scoped("shows the same as a page that loads and runs nothing", function* () {
    const { baseUrl } = yield* Local
    const reply = yield* caller(baseUrl, "").get("/docs")
    expect(reply.headers.get("content-type")).toMatch(/^text\/html/)
    expect(reply.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(reply.text).toContain("/v2/crawl/params-preview")
    expect(reply.text).not.toMatch(/<script|<link|<img|src=|@import|url\(/)
    const targets = [...reply.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets).toHaveLength(endpoints)
    for (const id of targets) expect(reply.text).toContain(`id="${id}"`)
  })

  it.scoped(
    "refuses JSON of more objects or values than a moment reads, and takes as many addresses as fit",
    function* () {
      const { call } = yield* Local
      for (const [text, error] of [
        [`{"url":"http://a.example/","x":[${"{},".repeat(10_100)}1]}`, "10000 objects and arrays"],
        [`{"url":"http://a.example/","x":[${"1,".repeat(120_000)}1]}`, "110000 values"],
        [`{${Array.from({ length: 10_100 }, (_, n) => `"k${n}":1`).join(",")}}`, "10000 keys"],
        [
          `{"url":"http://a.example/","includeTags":[${"1,".repeat(2_100)}1]}`,
          "2000 values, not counting urls and schemas"
        ],
        [
          `{"url":"http://a.example/","formats":[${'"nonsense",'.repeat(2_100)}1]}`,
          "2000 values, not counting urls and schemas"
        ],
        [`{"urls":[${'"http://a.example/",'.repeat(10_100)}1]}`, "2000 values, not counting urls and schemas"],
        [
          `{"url":"http://a.example/","urls":{"urls":[${'"x",'.repeat(10_100)}1]}}`,
          "2000 values, not counting urls and schemas"
        ],
        [`[${"1,".repeat(2_100)}1]`, "2000 values, not counting urls and schemas"],
        [
          `{"url":"http://a.example/","headers":{"schema":[${"1,".repeat(2_100)}1]}}`,
          "2000 values, not counting urls and schemas"
        ],
        [`{"url":"http://a.example/","schema":[${"1,".repeat(2_100)}1]}`, "2000 values, not counting urls and schemas"]
      ] as const) {
        const { json, status } = yield* call.post("/v2/scrape", text)
        expect(status).toBe(400)
        expect(json).toMatchObject({ code: "BAD_REQUEST_INVALID_JSON", error: expect.stringContaining(error) })
      }
      const schema = { enum: Array.from({ length: 9_000 }, (_, at) => at) }
      const large = yield* call.post("/v2/scrape", { url: "http://127.0.0.1:1/", formats: [{ type: "json", schema }] })
      expect(large.json.error).not.toContain("values")
      for (const name of ["jsonOptions", "changeTrackingOptions"]) {
        const old = yield* call.post("/v1/scrape", { url: "http://127.0.0.1:1/", [name]: { schema } })
        expect(old.json.error).not.toContain("values")
      }
      // Not one is an address: all of them are read before that is said.
      const urls = Array.from({ length: 90_000 }, (_, at) => `x-${at}`)
      const { json, status } = yield* call.post("/v2/batch/scrape", { urls })
      expect(status).toBe(400)
      expect(json.error).toContain('"x-0" is not an absolute')
    }
  )

  it.scoped("describes no more of a hostile body than a moment formats, whatever type it claims to have", function* () {
    const { call } = yield* Local
    const megabyte = Buffer.alloc(1024 * 1024, " ")
    const send = (type: string, body: NonNullable<RequestInit["body"]>) =>
      call.send("/v2/batch/scrape", { method: "POST", headers: { "content-type": type }, body })
    for (const [type, body, error] of [
      ["*", megabyte, "This endpoint accepts JSON"],
      ["application/octet-stream", megabyte, "This endpoint accepts JSON"],
      ["text/plain", megabyte, "Expected an object, actual"],
      ["application/x-www-form-urlencoded", "a=1&".repeat(200_000), "more than 100 fields"],
      ["application/x-www-form-urlencoded", "a=1&b=2", "Unrecognized key"],
      ["application/json", JSON.stringify(Object.fromEntries(range(101, (n) => [`k${n}`, n]))), "100 fields"],
      ["application/json", JSON.stringify({ urls: range(100_001, (n) => `x-${n}`) }), "at most 100000"]
    ] as const) {
      const begun = process.cpuUsage()
      const { json, status } = yield* send(type, body)
      expect(status).toBe(400)
      expect(json.error).toContain(error)
      expect(JSON.stringify(json).length).toBeLessThan(5_000)
      // Bytes one by one, each described, took more than a minute of processor time.
      expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000)
    }
    const { json } = yield* call.post("/v2/search", { query: "x", sources: range(900, () => ({ type: "x" })) })
    expect(json.details.length).toBeLessThanOrEqual(100)
  })

  it.scoped("refuses JSON that is no JSON, or deeper than anybody reads it, as the caller's mistake", function* () {
    const { call } = yield* Local
    const nested = (depth: number) =>
      `{"url":"http://127.0.0.1:1/","formats":[{"type":"nonsense","x":${"[".repeat(depth)}${"]".repeat(depth)}}]}`
    const invalid = { status: 400, json: { success: false, code: "BAD_REQUEST_INVALID_JSON" } }
    for (const path of ["/v2/scrape", "/v1/scrape", "/v2/batch/scrape", "/v2/search"]) {
      expect(yield* call.post(path, nested(50_000))).toMatchObject(invalid)
      expect(yield* call.post(path, '{"url": maxBytes}')).toMatchObject(invalid)
    }
    const deep = yield* call.post("/v2/scrape", nested(100))
    expect(deep).toMatchObject({ status: 400, json: { code: "BAD_REQUEST" } })
    expect(deep.json.error).toContain("nonsense")
    expect((yield* call.post("/v2/scrape", `"${"x".repeat(11 * 1024 * 1024)}"`)).status).toBe(413)
  })

  it.scoped.skipIf(skipsLong)("stops promptly, though callers hold their connections and a reader waits", function* () {
    const there = yield* site(() => ({ body: page("slow"), delay: 120_000 }))
    const stopped = yield* Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl } = yield* engine()
        const call = caller(baseUrl, keys.first)
        const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url] })
        yield* Effect.fork(Effect.ignore(Effect.sandbox(call.get(`/v2/batch/scrape/${json.id}?skip=0`))))
        yield* Effect.sleep("50 millis")
        return Date.now()
      })
    )
    expect(Date.now() - stopped).toBeLessThan(60_000)
  })

  it.scoped("says that a port is taken, and which", function* () {
    const { baseUrl } = yield* Local
    const port = Number(new URL(baseUrl).port)
    const dataDir = yield* tempDir
    const error = yield* Effect.flip(Effect.scoped(Engine.start({ dataDir, port })))
    expect(error._tag).toBe("ListenError")
    expect(error.message).toContain(`127.0.0.1:${port}`)
  })

  it.scoped("refuses a network that is none", function* () {
    const dataDir = yield* tempDir
    const error = yield* Effect.flip(Effect.scoped(Engine.start({ dataDir, allowNetworks: ["10.0.0.0/99x"] })))
    expect(error.message).toContain("10.0.0.0/99x")
  })

  it.scoped("refuses private addresses, except allowed ones while they are allowed", function* () {
    const [open, closed, later] = [
      yield* site(() => page("open")),
      yield* site(() => page("closed")),
      yield* site(() => page("later"))
    ]
    const own = yield* engine({ allowNetworks: [], allowOrigins: [open.origin] })
    const call = caller(own.baseUrl, keys.first)
    const scrape = (url: string) => Effect.map(call.post("/v2/scrape", { url }), ({ status }) => status)
    expect(yield* scrape(open.url)).toBe(200)
    expect(yield* scrape(closed.url)).toBe(403)
    expect(yield* Effect.scoped(Effect.zipRight(own.allowOrigin(later.origin), scrape(later.url)))).toBe(200)
    expect(closed.requests).toEqual([])
  })
})
