/** The Tavily provider, against responses of the recorded shape. */

import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, key } from "./ProviderSearch.ts"

describe("Tavily", () => {
  it.scoped(
    "is queried with hosts as parameters; other filters are applied locally or named in a warning",
    function* () {
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
      expect(warning).toBe("Not supported by tavily: -word (judged by title and description), related:, location.")
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
    }
  )

  it.scoped("returns news with dates, and images by URL", function* () {
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

  it.scoped("explains its own status codes", function* () {
    const { origin } = yield* fakeProvider(() => ({ status: 432, text: '{"detail":{"error":"plan limit"}}' }))
    const { warning } = yield* ask(`tavily=${key}@${origin},local`, { query: "q" })
    expect(warning).toContain("its quota is used up (432)")
  })
})
