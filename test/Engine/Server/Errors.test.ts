/** Errors of the engine: always a code, 405 for other methods, words instead of schemas, whole characters. */

import * as Effect from "effect/Effect"
import { expect, layer } from "../../It.ts"
import { keys, Local, layer as local } from "../../Local.ts"

const ask = (baseUrl: string, method: string, path: string, body?: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${keys.first}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      allow: response.headers.get("allow"),
      body: text === "" ? undefined : JSON.parse(text)
    }
  })

layer(local, { excludeTestServices: true })("an error of the engine", (it) => {
  const methods = [
    ["GET", "/v2/scrape", "POST"],
    ["PUT", "/v2/scrape", "POST"],
    ["HEAD", "/v2/search", "POST"],
    ["OPTIONS", "/v2/map", "POST"],
    ["GET", "/v2/Scrape/", "POST"],
    ["PATCH", "/v2/crawl/1", "GET, HEAD, DELETE"],
    ["POST", "/v2/crawl/active", "GET, HEAD, DELETE"],
    ["GET", "/v1/scrape", "POST"],
    ["PUT", "/v1/crawl/1", "GET, HEAD, DELETE"],
    ["GET", "/v1/batch/scrape", "POST"],
    ["POST", "/v1/team/credit-usage", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
    ["DELETE", "/openapi.json", "GET, HEAD"]
  ] as const

  it.effect("is 405 with Allow for a method that the path does not have", function* () {
    const { baseUrl } = yield* Local
    for (const [method, path, allow] of methods) {
      const answer = yield* ask(baseUrl, method, path)
      expect(answer.status, `${method} ${path}`).toBe(405)
      expect(new Set(answer.allow?.split(", ")), `${method} ${path}`).toEqual(new Set(allow.split(", ")))
      if (method !== "HEAD") expect(answer.body).toMatchObject({ success: false, code: "METHOD_NOT_ALLOWED" })
    }
  })

  it.effect("has a code, whatever it is", function* () {
    const { baseUrl } = yield* Local
    const id = "00000000-0000-4000-8000-000000000000"
    const wrong = [
      yield* ask(baseUrl, "GET", "/nothing"),
      yield* ask(baseUrl, "GET", `/v2/crawl/${id}`),
      yield* ask(baseUrl, "GET", `/v1/batch/scrape/${id}`),
      yield* ask(baseUrl, "DELETE", `/v2/browser/${id}`),
      yield* ask(baseUrl, "POST", "/v2/scrape", { url: 5 }),
      yield* Effect.promise(async () => {
        const response = await fetch(`${baseUrl}/v2/team/credit-usage`)
        return { status: response.status, body: (await response.json()) as unknown }
      })
    ]
    for (const { body, status } of wrong) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(body).toMatchObject({
        success: false,
        error: expect.any(String),
        code: expect.stringMatching(/^[A-Z_]+$/)
      })
    }
  })

  const values: ReadonlyArray<readonly [path: string, field: string, value: unknown, words: RegExp]> = [
    ["/v2/scrape", "excludeTags", "a", /^excludeTags: Expected an array, actual "a"$/],
    ["/v2/scrape", "formats", {}, /array/],
    ["/v2/scrape", "headers", 5, /^headers: Expected an object, actual 5$/],
    ["/v2/scrape", "location", 5, /^location: Expected an object, actual 5$/],
    ["/v2/scrape", "location", "ReadonlyArray<x>, actual y", /^location: Expected an object, actual "Readonly/],
    ["/v1/scrape", "changeTrackingOptions", "x", /object/],
    ["/v2/batch/scrape", "webhook", 5, /./],
    ["/v2/crawl", "scrapeOptions", 5, /^scrapeOptions: Expected an object, actual 5$/],
    ["/v2/search", "sources", "web", /^sources: Expected an array/],
    ["/v2/search", "categories", 5, /^categories: Expected an array/],
    ["/v2/search", "excludeDomains", 5, /^excludeDomains: Expected an array/],
    ["/v1/scrape", "actions", [5], /object/],
    ["/v1/crawl", "zeroDataRetention", 5, /a boolean/]
  ]

  it.effect("says in words what was expected", function* () {
    const { baseUrl } = yield* Local
    for (const [path, field, value, words] of values) {
      const given = { url: "http://a.b", urls: ["http://a.b"], query: "q" }
      const needed = path.includes("search")
        ? { query: given.query }
        : path.includes("batch")
          ? { urls: given.urls }
          : { url: given.url }
      const { body, status } = yield* ask(baseUrl, "POST", path, { ...needed, [field]: value })
      expect(status, `${path} ${field}`).toBe(400)
      expect(body.error).toMatch(words)
      const told = JSON.stringify(body).replaceAll("ReadonlyArray<x>", "")
      expect(told, `${path} ${field}`).not.toMatch(/ReadonlyArray|readonly |max(?:Length|Items)\(|Int &/)
    }
  })

  it.effect("quotes a value without cutting inside a character", function* () {
    const { baseUrl } = yield* Local
    for (let shift = 0; shift < 2; shift++) {
      const value = `${"x".repeat(shift)}${"😀".repeat(2_000)}`
      for (const [path, field] of [
        ["/v2/search", "tbs"],
        ["/v2/search", "limit"],
        ["/v2/scrape", "url"],
        ["/v2/scrape", "formats"]
      ] as const) {
        const needed = path === "/v2/search" ? { query: "q" } : { url: "http://a.b" }
        const { body, status } = yield* ask(baseUrl, "POST", path, { ...needed, [field]: value })
        expect(status, field).toBe(400)
        // Half of a character would arrive as a replacement character, or as its escape.
        expect(JSON.stringify(body), field).not.toMatch(/\ufffd|\\\\?ud[89a-f]/i)
        expect(body.error.length, field).toBeLessThan(1_200)
      }
    }
  })
})
