/** Each provider by answers of its recorded shape: what it is asked, and what is made of what it says. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { ask, key } from "./Asking.ts"
import { fakeProvider } from "./FakeProvider.ts"

const numbered = <A>(count: number, make: (n: number) => A) => Array.from({ length: count }, (_, at) => make(at + 1))

const now = Date.UTC(2026, 2, 10, 12)

describe("Brave", () => {
  const page = (from: number, count: number, more: boolean) => ({
    type: "search",
    query: { original: "q", more_results_available: more },
    web: {
      type: "search",
      results: numbered(count, (n) => ({
        title: `Page ${from + n}`,
        url: `https://site.example/${from + n}`,
        description: "An <strong>R&amp;D</strong> page",
        page_age: "2026-03-09T08:00:00",
        age: "1 day ago"
      }))
    }
  })

  it.scoped(
    "is asked page by page until there are enough, with operators, country, place and time in its own words",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const { asked, origin } = yield* fakeProvider(({ query }) => ({
          json: page(Number(query.offset) * 20, 20, true)
        }))
        const { data, warning } = yield* ask(`brave=${key}@${origin}`, {
          query: '"deep sea" fish -shark site:site.example filetype:pdf intitle:page',
          limit: 30,
          tbs: "qdr:w",
          country: "de",
          location: "Kiel,Schleswig-Holstein,Germany",
          includeDomains: ["site.example"]
        })
        expect(data.web).toHaveLength(30)
        expect(data.web?.[29]).toEqual({
          url: "https://site.example/30",
          title: "Page 30",
          description: "An R&D page",
          position: 30
        })
        expect(warning).toBeUndefined()
        expect(asked).toHaveLength(2)
        expect(asked[1]).toMatchObject({
          method: "GET",
          path: "/res/v1/web/search",
          headers: {
            "x-subscription-token": key,
            "x-loc-city": "Kiel",
            "x-loc-state-name": "Schleswig-Holstein",
            "x-loc-country": "DE"
          },
          query: {
            q: '"deep sea" fish -shark intitle:page site:site.example filetype:pdf',
            count: "20",
            offset: "1",
            spellcheck: "false",
            country: "DE",
            freshness: "pw"
          }
        })
      })
  )

  it.scoped("gives images with their sizes and news with their dates", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { asked, origin } = yield* fakeProvider(({ path }) => ({
        json: path.includes("images")
          ? {
              type: "images",
              results: [
                {
                  type: "image_result",
                  title: "A heron",
                  url: "https://birds.example/heron",
                  thumbnail: { src: "https://imgs.example/small" },
                  properties: { url: "https://birds.example/heron.jpg", width: 1200, height: 800 }
                },
                { title: "Small", url: "https://birds.example/small", properties: { width: 10, height: 10 } }
              ]
            }
          : {
              type: "news",
              results: [
                { title: "Old", url: "https://news.example/old", description: "o", age: "3 weeks ago" },
                {
                  title: "New",
                  url: "https://news.example/new",
                  description: "n",
                  age: "2 hours ago",
                  thumbnail: { src: "https://imgs.example/new" }
                }
              ]
            }
      }))
      const { data, warning } = yield* ask(`brave=${key}@${origin}`, {
        query: "heron larger:400x300",
        sources: [
          { type: "images", limit: 5 },
          { type: "news", tbs: "sbd:1,qdr:d3" }
        ]
      })
      expect(data.images).toEqual([
        {
          title: "A heron",
          imageUrl: "https://birds.example/heron.jpg",
          imageWidth: 1200,
          imageHeight: 800,
          url: "https://birds.example/heron",
          position: 1
        }
      ])
      expect(data.news?.map(({ title, date, imageUrl }) => ({ title, date, imageUrl }))).toEqual([
        { title: "New", date: "2 hours ago", imageUrl: "https://imgs.example/new" },
        { title: "Old", date: "3 weeks ago", imageUrl: undefined }
      ])
      expect(warning).toContain("sbd (only these results were sorted)")
      expect(warning).toContain("larger: (it is for the source images)")
      const news = asked.find(({ path }) => path.includes("news"))
      expect(news?.query).toMatchObject({ freshness: "2026-03-07to9999-12-31" })
    })
  )

  it.scoped("has found nothing when it says so, and is not asked again", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(() => ({ json: { type: "search", query: { original: "q" } } }))
      expect(yield* ask(`brave=${key}@${origin}`, { query: "q" })).toEqual({ data: {}, warning: "Nothing found." })
      expect(asked).toHaveLength(1)
    })
  )
})

describe("what providers say of keys and quotas", () => {
  const error = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => ({
    status,
    text: JSON.stringify(body),
    headers
  })
  const google = (code: number, message: string, reason: string) =>
    error(code, { error: { code, message, errors: [{ message, domain: "usageLimits", reason }] } })

  it.scoped.each([
    [
      "brave",
      key,
      error(422, {
        type: "ErrorResponse",
        error: { id: "1", status: 422, code: "SUBSCRIPTION_TOKEN_INVALID", detail: "The provided token is invalid." }
      }),
      "Brave: it refused the key (422)."
    ],
    [
      "brave",
      key,
      error(429, { type: "ErrorResponse", error: { status: 429, code: "RATE_LIMITED", meta: { plan: "Free" } } }),
      "Brave: its quota is used up (429)."
    ],
    ["serper", key, error(403, { message: "Unauthorized.", statusCode: 403 }), "Serper: it refused the request (403)"],
    [
      "tavily",
      key,
      error(401, { detail: { error: "Unauthorized: missing or invalid API key." } }),
      "Tavily: it refused the key (401)."
    ],
    [
      "tavily",
      key,
      error(433, { detail: { error: "This request exceeds the pay-as-you-go limit." } }),
      "Tavily: its quota is used up (433)."
    ],
    [
      "exa",
      key,
      error(402, { requestId: "1", error: "No more credits.", tag: "NO_MORE_CREDITS" }),
      "Exa: its quota is used up (402)."
    ],
    [
      "exa",
      key,
      error(400, { requestId: "1", error: "Invalid request body", tag: "INVALID_REQUEST_BODY" }),
      "Exa: it answered 400."
    ],
    [
      "google",
      `${key}:cx`,
      google(403, "Daily Limit Exceeded", "dailyLimitExceeded"),
      "Google: its quota is used up (403)."
    ],
    [
      "google",
      `${key}:cx`,
      google(429, "Quota exceeded for quota metric 'Queries'", "rateLimitExceeded"),
      "Google: its quota is used up (429)."
    ],
    [
      "google",
      `${key}:cx`,
      error(400, {
        error: {
          code: 400,
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }]
        }
      }),
      "Google: it refused the key (400)."
    ]
  ] as const)("is told in words, and the next one is asked: %s %#", ([name, value, reply, told]) =>
    Effect.gen(function* () {
      const { origin } = yield* fakeProvider(() => reply)
      const { data, warning } = yield* ask(`${name}=${value}@${origin},local`, { query: "q" })
      expect(data.web?.[0]?.title).toBe("Gathered")
      expect(warning).toContain(told)
      expect(warning).not.toContain(key)
    })
  )

  it.scoped("is when to ask again, also where several windows are counted at once", () =>
    Effect.gen(function* () {
      const { origin } = yield* fakeProvider(() =>
        error(
          429,
          { type: "ErrorResponse" },
          { "x-ratelimit-limit": "1, 15000", "x-ratelimit-remaining": "0, 1000", "x-ratelimit-reset": "7, 1419704" }
        )
      )
      const failure = yield* Effect.flip(ask(`brave=${key}@${origin}`, { query: "q" }))
      expect(failure).toMatchObject({ retryAfter: 7 })
    })
  )
})

describe("what a provider does not take", () => {
  it.scoped("is sent to Brave as it can take it: any country, and fifty words", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(() => ({ json: { type: "search", query: {} } }))
      const words = numbered(70, (n) => `w${n}`)
      const { warning } = yield* ask(`brave=${key}@${origin}`, { query: words.join(" "), country: "LU" })
      expect(asked[0]?.query).toMatchObject({ country: "ALL", q: words.slice(0, 50).join(" ") })
      expect(asked[0]?.query).not.toHaveProperty("spellcheck")
      expect(warning).toContain("Not honoured by brave: the end of the query, country.")
    })
  )

  it.scoped("is named when it has fewer results than are wanted", () =>
    Effect.gen(function* () {
      const { origin } = yield* fakeProvider(({ body }) => ({
        json: {
          results: numbered(body.max_results, (n) => ({ url: `https://a.example/${n}`, title: `T${n}`, content: "c" }))
        }
      }))
      const { data, warning } = yield* ask(`tavily=${key}@${origin}`, { query: "q", limit: 50 })
      expect(data.web).toHaveLength(20)
      expect(warning).toBe("Not honoured by tavily: limit 50 (it gives 20 results at most).")
    })
  )

  it.scoped("is no category for Exa: hosts of GitHub are wanted instead, and PDFs are picked out here", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(() => ({
        json: {
          results: [
            { title: "Repo", url: "https://github.com/a/b", text: "t" },
            { title: "Paper", url: "https://a.example/paper.pdf", text: "t" }
          ]
        }
      }))
      const code = yield* ask(`exa=${key}@${origin}`, { query: "q", categories: ["github"] })
      const papers = yield* ask(`exa=${key}@${origin}`, { query: "q", categories: ["pdf"] })
      expect(code.data.web?.map(({ title }) => title)).toEqual(["Repo"])
      expect(papers.data.web?.map(({ title }) => title)).toEqual(["Paper"])
      for (const { body } of asked) expect(body).not.toHaveProperty("category")
      expect(asked[0]?.body.includeDomains).toContain("github.com")
    })
  )
})

describe("Serper", () => {
  const organic = (page: number) =>
    numbered(10, (n) => ({ title: `T${n}`, link: `https://a.example/${page}/${n}`, snippet: "s", position: n }))

  it.scoped("takes the time filter as it is, and pages of ten", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(({ body }) => ({
        json: { searchParameters: body, organic: body.page > 3 ? [] : organic(body.page), credits: 1 }
      }))
      const { data, warning } = yield* ask(`serper=${key}@${origin}`, {
        query: "harbour inurl:a",
        limit: 25,
        tbs: "sbd:1,cdr:1,cd_min:01/01/2026,cd_max:02/01/2026",
        location: "Austin,Texas,United States"
      })
      expect(data.web).toHaveLength(25)
      expect(new Set(data.web?.map(({ url }) => url)).size).toBe(25)
      expect(warning).toBeUndefined()
      expect(asked.map(({ body }) => body.page)).toEqual([1, 2, 3])
      expect(asked[0]).toMatchObject({
        method: "POST",
        path: "/search",
        headers: { "x-api-key": key },
        body: {
          q: "harbour inurl:a",
          location: "Austin,Texas,United States",
          tbs: "sbd:1,cdr:1,cd_min:01/01/2026,cd_max:02/01/2026"
        }
      })
      expect(asked[0]?.body).not.toHaveProperty("gl")
    })
  )

  it.scoped("gives the exact size of images, and no others when a size is asked for", () =>
    Effect.gen(function* () {
      const { origin } = yield* fakeProvider(({ path }) => ({
        json: {
          searchParameters: {},
          images: [
            {
              title: "A",
              imageUrl: "https://i.example/a.png",
              imageWidth: 800,
              imageHeight: 600,
              link: "https://a.example/"
            },
            {
              title: "B",
              imageUrl: "https://i.example/b.png",
              imageWidth: 80,
              imageHeight: 60,
              link: "https://b.example/"
            }
          ],
          organic: [],
          path
        }
      }))
      const { data } = yield* ask(`serper=${key}@${origin}`, { query: "cat imagesize:800x600", sources: ["images"] })
      expect(data.images?.map(({ title, imageWidth }) => [title, imageWidth])).toEqual([["A", 800]])
    })
  )

  it.scoped("takes 400 for an empty account as a quota that is used up", () =>
    Effect.gen(function* () {
      const { origin } = yield* fakeProvider(() => ({ status: 400, text: '{"message":"Not enough credits"}' }))
      const { data, warning } = yield* ask(`serper=${key}@${origin},local`, { query: "q" })
      expect(data.web?.[0]?.title).toBe("Gathered")
      expect(warning).toBe("Serper: its quota is used up (400). Local answered instead.")
    })
  )
})

describe("Tavily", () => {
  it.scoped("takes hosts as parameters, and what it cannot do is done here or named", () =>
    Effect.gen(function* () {
      const result = (url: string, title: string, content = "text") => ({ url, title, content, score: 0.9 })
      const { asked, origin } = yield* fakeProvider(() => ({
        json: {
          query: "q",
          images: [],
          results: [
            result("https://docs.a.example/api/one", "One API"),
            result("https://docs.a.example/api/two", "Two"),
            result("https://docs.a.example/blog", "Blog API"),
            result("https://docs.a.example/api/four", "Four API", "about a shark"),
            result("https://elsewhere.example/api/one", "An API elsewhere")
          ],
          response_time: 0.5
        }
      }))
      const { data, warning } = yield* ask(`tavily=${key}@${origin}`, {
        query: 'fish "deep sea" -shark inurl:api intitle:api related:b.example',
        includeDomains: ["a.example"],
        tbs: "qdr:m",
        country: "DE",
        location: "Berlin"
      })
      expect(data.web?.map(({ url }) => url)).toEqual(["https://docs.a.example/api/one"])
      expect(warning).toBe("Not honoured by tavily: -word (judged by title and description), related:, location.")
      expect(asked[0]).toMatchObject({
        path: "/search",
        headers: { authorization: `Bearer ${key}` },
        body: {
          query: 'fish "deep sea" api api',
          exact_match: true,
          topic: "general",
          max_results: 20,
          include_domains: ["a.example"],
          time_range: "month",
          country: "germany"
        }
      })
    })
  )

  it.scoped("gives news with dates, and images by their addresses", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(({ body }) => ({
        json:
          body.topic === "news"
            ? {
                results: [
                  {
                    title: "N",
                    url: "https://n.example/",
                    content: "c",
                    published_date: "Mon, 09 Mar 2026 10:00:00 GMT"
                  }
                ]
              }
            : {
                images: ["https://i.example/1.png", { url: "https://i.example/2.png", description: "Two" }],
                results: []
              }
      }))
      const { data } = yield* ask(`tavily=${key}@${origin}`, {
        query: "q",
        sources: ["news", "images"],
        tbs: "cdr:1,cd_min:03/01/2026,cd_max:03/31/2026"
      })
      expect(data.news).toMatchObject([{ title: "N", snippet: "c", date: "Mon, 09 Mar 2026 10:00:00 GMT" }])
      expect(data.images?.map(({ title, imageUrl }) => [title, imageUrl])).toEqual([
        ["https://i.example/1.png", "https://i.example/1.png"],
        ["Two", "https://i.example/2.png"]
      ])
      expect(asked.find(({ body }) => body.topic === "news")?.body).toMatchObject({
        start_date: "2026-03-01",
        end_date: "2026-03-31"
      })
    })
  )

  it.scoped("says of its own statuses what they mean", () =>
    Effect.gen(function* () {
      const { origin } = yield* fakeProvider(() => ({ status: 432, text: '{"detail":{"error":"plan limit"}}' }))
      const { warning } = yield* ask(`tavily=${key}@${origin},local`, { query: "q" })
      expect(warning).toContain("its quota is used up (432)")
    })
  )
})

describe("Exa", () => {
  it.scoped("is asked by meaning, with dates, hosts and category as parameters", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(() => ({
        json: {
          requestId: "1",
          results: [
            {
              id: "1",
              title: "On gait",
              url: "https://arxiv.org/abs/1",
              publishedDate: "2026-02-03T00:00:00.000Z",
              text: "How\n people   walk."
            },
            { id: "2", title: "A shop", url: "https://shop.example/", text: "Buy." },
            { id: "3", title: null, url: "not an address" },
            "odd"
          ],
          costDollars: { total: 0.005 }
        }
      }))
      const { data } = yield* ask(`exa=${key}@${origin}`, {
        query: "gait studies -site:old.example",
        categories: ["research"],
        tbs: "cdr:1,cd_min:02/01/2026,cd_max:02/28/2026"
      })
      expect(data.web).toEqual([
        {
          url: "https://arxiv.org/abs/1",
          title: "On gait",
          description: "How people walk.",
          position: 1,
          category: "research"
        }
      ])
      expect(asked[0]).toMatchObject({
        path: "/search",
        headers: { "x-api-key": key },
        body: {
          query: "gait studies",
          category: "research paper",
          numResults: 30,
          startPublishedDate: "2026-02-01T00:00:00.000Z",
          endPublishedDate: "2026-02-28T23:59:59.999Z",
          excludeDomains: ["old.example"],
          userLocation: "US"
        }
      })
    })
  )
})

describe("Google", () => {
  it.scoped("is asked for ten at a time, up to what it gives, with its own filters", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(({ query }) => {
        const start = Number(query.start)
        return {
          json: {
            kind: "customsearch#search",
            queries: start < 11 ? { nextPage: [{ startIndex: start + 10 }] } : {},
            items: numbered(10, (n) => ({
              title: `T${start + n}`,
              link: `https://g.example/${start + n}.pdf`,
              snippet: "a\nb",
              pagemap: { metatags: [{ "article:published_time": "2026-03-01T00:00:00Z" }] }
            }))
          }
        }
      })
      const { data, warning } = yield* ask(`google=${key}:engine-id@${origin}`, {
        query: "tide tables",
        limit: 40,
        categories: ["pdf"],
        excludeDomains: ["x.example"],
        tbs: "qdr:m2,sbd:1"
      })
      expect(data.web).toHaveLength(20)
      expect(data.web?.[0]).toMatchObject({ description: "a b", category: "pdf" })
      expect(warning).toBeUndefined()
      expect(asked.map(({ query }) => query.start)).toEqual(["1", "11"])
      expect(asked[0]).toMatchObject({
        path: "/customsearch/v1",
        query: {
          key,
          cx: "engine-id",
          q: "tide tables filetype:pdf -site:x.example",
          dateRestrict: "m2",
          sort: "date",
          gl: "us"
        }
      })
    })
  )

  it.scoped("has images, and no news, which the next one in the chain is asked for", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(() => ({
        json: {
          kind: "customsearch#search",
          items: [
            {
              title: "I",
              link: "https://g.example/i.png",
              image: { contextLink: "https://g.example/", width: 64, height: 32 }
            }
          ]
        }
      }))
      const { data, warning } = yield* ask(`google=${key}:cx@${origin},local`, {
        query: "i",
        sources: ["images", "news"]
      })
      expect(data).toEqual({
        images: [
          {
            title: "I",
            imageUrl: "https://g.example/i.png",
            imageWidth: 64,
            imageHeight: 32,
            url: "https://g.example/",
            position: 1
          }
        ]
      })
      expect(warning).toBe("The local index has web pages only.")
      expect(asked.map(({ query }) => query.searchType)).toEqual(["image"])
    })
  )
})

describe("SearXNG", () => {
  it.scoped("is asked at the operator's address, below its path and with its password", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { asked, origin } = yield* fakeProvider(({ query }) => ({
        json: {
          query: query.q,
          number_of_results: 0,
          results:
            query.pageno === "1"
              ? [
                  {
                    url: "https://s.example/1",
                    title: "One &amp; only",
                    content: "c",
                    engine: "duckduckgo",
                    publishedDate: "2026-03-09T00:00:00"
                  },
                  { url: "https://s.example/old", title: "Old", publishedDate: "2020-01-01T00:00:00" },
                  { url: "https://s.example/2", title: "Undated", content: null }
                ]
              : [],
          unresponsive_engines: [["google", "CAPTCHA"]]
        }
      }))
      const base = origin.replace("http://", "http://me:pass%20word@")
      const { data, warning } = yield* ask(`searxng=${base}/sx/`, { query: "q", tbs: "qdr:d2", country: "FR" })
      expect(data.web?.map(({ title }) => title)).toEqual(["One & only", "Undated"])
      expect(warning).toBe(
        "Not honoured by searxng: country, tbs for results without a date. Searxng: these of its engines did not answer: google."
      )
      expect(asked[0]).toMatchObject({
        path: "/sx/search",
        headers: { authorization: `Basic ${Buffer.from("me:pass word").toString("base64")}` },
        query: { q: "q", format: "json", categories: "general", pageno: "1" }
      })
      expect(asked[0]?.query).not.toHaveProperty("time_range")
    })
  )

  it.scoped("gives images with the size that it has in words", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* fakeProvider(({ query }) => ({
        json: {
          results:
            query.pageno === "1"
              ? [
                  {
                    url: "https://s.example/p",
                    title: "P",
                    img_src: "https://s.example/p.png",
                    resolution: "1920 x 1080",
                    template: "images.html"
                  }
                ]
              : []
        }
      }))
      const { data } = yield* ask(`searxng=${origin}`, { query: "p", sources: ["images"], tbs: "qdr:w" })
      expect(data.images).toMatchObject([{ imageUrl: "https://s.example/p.png", imageWidth: 1920, imageHeight: 1080 }])
      expect(asked[0]?.query).toMatchObject({ categories: "images", time_range: "week" })
    })
  )

  it.scoped("has failed when none of its engines answered, or format json is not allowed there", () =>
    Effect.gen(function* () {
      const silent = yield* fakeProvider(() => ({
        json: { results: [], unresponsive_engines: [["google", "timeout"]] }
      }))
      expect((yield* ask(`searxng=${silent.origin},local`, { query: "q" })).warning).toBe(
        "Searxng: these of its engines did not answer: google. Local answered instead."
      )
      const closed = yield* fakeProvider(() => ({ status: 403 }))
      expect((yield* ask(`searxng=${closed.origin},local`, { query: "q" })).warning).toContain("format json")
    })
  )
})
