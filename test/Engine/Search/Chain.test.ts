/** The chain of providers: order, fallbacks, warnings, and that no message contains a key. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as fc from "fast-check"
import { only, parse } from "../../../src/Engine/Search/ProviderSettings.ts"
import { describe, expect, it } from "../../It.ts"
import * as Local from "../../Local.ts"
import { fakeProvider, type Reply } from "./FakeProvider.ts"
import { ask, key } from "./ProviderSearch.ts"

const results = (...titles: ReadonlyArray<string>): Reply => ({
  json: {
    searchParameters: {},
    organic: titles.map((title) => ({ title, link: `https://found.example/${title}`, snippet: `about ${title}` }))
  }
})

describe("a chain of providers", () => {
  it.scoped.each<readonly [string, Reply, string]>([
    ["refuses the key", { status: 401, text: `bad key ${key}` }, "Brave: it refused the key (401)."],
    ["wants to be paid", { status: 402, text: key }, "Brave: its quota is used up (402)."],
    ["refuses the request", { status: 403, text: key }, "Brave: it refused the request (403)"],
    ["is asked too often", { status: 429, text: key }, "Brave: its quota is used up (429)."],
    ["is broken", { status: 503, text: `<h1>${key}</h1>` }, "Brave: it answered 503."],
    ["hangs up", "hang up", "Brave: it cannot be reached (UND_ERR_SOCKET)."],
    ["answers with a page", { status: 200, text: "<html>" }, "Brave: its answer is not JSON."],
    ["answers with something else", { json: { hello: key } }, "Brave: its answer does not match its API."],
    ["answers with a list", { json: [key] }, "Brave: its answer does not match its API."],
    ["answers without end", { status: 200, text: " ".repeat(9_000_000) }, "Brave: its answer is longer than"]
  ])("goes on to the next when one %s, and says who answered", function* ([, reply, words]) {
    const logged: Array<string> = []
    const logger = Logger.make(({ cause, message }) => void logged.push(`${String(message)} ${String(cause)}`))
    const { origin } = yield* fakeProvider(() => reply)
    const { data, warning } = yield* ask(`brave=${key}@${origin},local`, { query: "q" }).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    expect(data.web?.[0]?.title).toBe("Gathered")
    expect(warning).toContain(words)
    expect(warning).toContain("Local answered instead.")
    expect(logged.join()).toContain("A search provider failed")
    expect(JSON.stringify([data, warning, logged])).not.toContain(key)
  })

  it.scoped("sends no key after a redirect", function* () {
    const elsewhere = yield* fakeProvider(() => results("stolen"))
    const { origin } = yield* fakeProvider(() => ({ status: 302, headers: { location: `${elsewhere.origin}/x` } }))
    const { warning } = yield* ask(`serper=${key}@${origin},local`, { query: "q" })
    expect(warning).toContain("it redirects (302)")
    expect(elsewhere.asked).toHaveLength(0)
  })

  it.scoped("leaves time for the next provider when one hangs", function* () {
    const { asked, origin } = yield* fakeProvider(() => "silence")
    const search = yield* Effect.fork(ask(`brave=${key}@${origin},local`, { query: "q", timeout: 8000 }))
    while (asked.length === 0) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
    yield* TestClock.adjust("4 seconds")
    const { data, warning } = yield* Fiber.join(search)
    expect(data.web).toHaveLength(1)
    expect(warning).toBe("Brave: it did not answer within 4000 ms. Local answered instead.")
  })

  it.scoped("keeps earlier results when a later page fails", function* () {
    const { origin } = yield* fakeProvider((_, count) =>
      count === 1 ? results(..."abcdefghij") : { status: 429, text: key }
    )
    const { data, warning } = yield* ask(`serper=${key}@${origin},local`, { query: "q", limit: 20 })
    expect(data.web).toHaveLength(10)
    expect(warning).toBe("Serper: its quota is used up (429); the results are incomplete.")
  })

  it.scoped("stops asking a provider that returns the same page again and again", function* () {
    const { asked, origin } = yield* fakeProvider(() => results(..."abcdefa"))
    const { data } = yield* ask(`serper=${key}@${origin}`, { query: "q", limit: 100 })
    expect(data.web?.map(({ title }) => title)).toEqual([..."abcdef"])
    expect(asked).toHaveLength(2)
  })

  it.scoped("fails with the error of each provider when all fail, and with the shortest Retry-After", function* () {
    const one = yield* fakeProvider(() => ({ status: 429, headers: { "retry-after": "30" } }))
    const other = yield* fakeProvider(() => ({ status: 500 }))
    const failure = yield* Effect.flip(ask(`brave=${key}@${one.origin},exa=${key}@${other.origin}`, { query: "q" }))
    expect(failure).toMatchObject({ _tag: "Unavailable", code: "SEARCH_UNAVAILABLE", retryAfter: 30 })
    expect(failure.message).toContain("Brave: its quota is used up (429). Exa: it answered 500.")
  })

  it.scoped(
    "warns about a source that no provider has, and about one that failed while another succeeded",
    function* () {
      const { origin } = yield* fakeProvider(({ body }) =>
        body.category === "news" ? { status: 500 } : { json: { results: [] } }
      )
      const none = yield* ask(`exa=${key}@${origin}`, { query: "q", sources: ["images"] })
      expect(none).toEqual({ data: {}, warning: "No configured provider has results of type images." })
      const some = yield* ask(`exa=${key}@${origin}`, { query: "q", sources: ["web", "news"] })
      expect(some).toEqual({ data: {}, warning: "Exa: it answered 500." })
    }
  )

  it.scoped("queries only the local index with zero data retention, since providers may keep queries", function* () {
    const { asked, origin } = yield* fakeProvider(() => results("a"))
    const kept = yield* ask(`serper=${key}@${origin},local`, { query: "q", enterprise: ["zdr"] })
    expect(kept.data.web?.[0]?.title).toBe("Gathered")
    expect(kept.warning).toBe("Not queried, because zero retention is not guaranteed there: serper.")
    const failure = yield* Effect.flip(ask(`serper=${key}@${origin}`, { query: "q", enterprise: ["zdr"] }))
    expect(failure.message).toContain("Add local")
    expect(asked).toHaveLength(0)
  })

  it.scoped("never fails, whatever the query and the results", function* () {
    const { origin } = yield* fakeProvider(({ body }) => ({
      json: { organic: [{ title: body.q, link: "https://a.example/" }] }
    }))
    const queries = fc.sample(fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" }), 30)
    for (const query of [...queries, 'a" OR "b', "-", "site:", '-"', "inurl:%ff", "\ud800"]) {
      expect(yield* Effect.either(ask(`serper=${key}@${origin}`, { query }))).toMatchObject({ _tag: "Right" })
    }
  })
})

describe("SLUICE_SEARCH_PROVIDERS", () => {
  const read = (text: string) => parse(Redacted.make(text))

  it("lists providers in the order of the chain", () => {
    const chain = Either.getOrThrow(read(`brave=${key}, searxng=http://127.0.0.1:8080 google=k:cx,local`))
    expect(chain.map((link) => (link === "local" ? link : [link.name, link.base]))).toEqual([
      ["brave", "https://api.search.brave.com"],
      ["searxng", "http://127.0.0.1:8080"],
      ["google", "https://customsearch.googleapis.com"],
      "local"
    ])
    expect(Either.getOrThrow(read(" , "))).toEqual(["local"])
  })

  it("is refused with the position of the mistake, without its text", () => {
    for (const [text, words] of [
      [`${key}`, "entry 1 is not a search provider: write local, or NAME=VALUE with one of the names local, brave"],
      [`local,bing=${key}`, "entry 2 is not a search provider"],
      ["brave=", 'entry 1, "brave", has no value'],
      [`google=${key}`, 'entry 1, "google", is not google=KEY:CX'],
      [`searxng=${key}`, 'entry 1, "searxng", has no http:// or https:// address'],
      [`brave=${key}@http://`, 'entry 1, "brave"'],
      [`brave=${key},brave=other`, '"brave" is listed twice']
    ] as const) {
      const refused = read(text)
      expect(Either.isLeft(refused) && refused.left, text).toContain(words)
      expect(JSON.stringify(refused)).not.toContain(key)
    }
  })

  it("can be narrowed to some of the providers", () => {
    const setting = Redacted.make("brave=k, exa=l,local")
    expect(Either.map(only(setting, ["exa", "brave"]), Redacted.value)).toEqual(Either.right("exa=l,brave=k"))
    expect(Either.map(only(undefined, ["local"]), Redacted.value)).toEqual(Either.right("local"))
    expect(only(setting, ["local", "serper"])).toEqual(Either.left("serper"))
  })
})

describe("POST /v2/search with providers", () => {
  it.scopedLive("charges for all sources, scrapes web and news results, and explains a 503", function* () {
    const { url } = yield* Local.site((path) => (path === "/gone" ? undefined : Local.page(`Page ${path}`)))
    let broken = false
    const { origin } = yield* fakeProvider(({ path }) => {
      if (broken) return { status: 500 }
      if (path === "/search") {
        return { json: { organic: [1, 2].map((n) => ({ title: `W${n}`, link: `${url}/w${n}`, snippet: "s" })) } }
      }
      if (path === "/images") {
        const image = (n: number) => ({ title: `I${n}`, imageUrl: `${url}/${n}.png`, link: `${url}/i${n}` })
        return { json: { images: Array.from({ length: 9 }, (_, n) => image(n)) } }
      }
      return { json: { news: [{ title: "N", link: `${url}/n`, snippet: "s", date: "1 day ago" }] } }
    })
    const searchProviders = Redacted.make(`serper=${key}@${origin}`)
    const call = Local.caller((yield* Local.engine({ searchProviders })).baseUrl, Local.keys.first)
    const request = { query: "q", sources: ["web", "images", "news"], scrapeOptions: { formats: ["markdown"] } }
    const { json, status } = yield* call.post("/v2/search", request)
    expect(status).toBe(200)
    expect(json.data.web.map(({ markdown }: { readonly markdown: string }) => markdown)).toEqual([
      expect.stringContaining("Page /w1"),
      expect.stringContaining("Page /w2")
    ])
    expect(json.data.news).toMatchObject([
      { title: "N", snippet: "s", date: "1 day ago", position: 1, markdown: expect.stringContaining("Page /n") }
    ])
    expect(json.data.images).toHaveLength(9)
    // Twelve results, and three pages.
    expect(json.creditsUsed).toBe(2 * 2 + 3)
    broken = true
    const failed = yield* call.post("/v2/search", { query: "q" })
    expect(failed.status).toBe(503)
    expect(failed.json).toMatchObject({ success: false, code: "SEARCH_UNAVAILABLE" })
    expect(failed.json.error).toContain("Serper: it answered 500.")
    expect(failed.text).not.toContain(key)
  })
})
