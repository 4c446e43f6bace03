/** The SearXNG provider, against responses of the recorded shape. */

import * as TestClock from "effect/TestClock"
import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, now } from "./ProviderSearch.ts"

describe("SearXNG", () => {
  it.scoped("is queried at the configured URL, with its path and password", function* () {
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
      "Not supported by searxng: country, tbs for results without a date. Searxng: some of its engines did not answer: google."
    )
    expect(asked[0]).toMatchObject({
      path: "/sx/search",
      headers: { authorization: `Basic ${Buffer.from("me:pass word").toString("base64")}` },
      query: { q: "q", format: "json", categories: "general", pageno: "1" }
    })
    expect(asked[0]?.query).not.toHaveProperty("time_range")
  })

  it.scoped("parses image sizes", function* () {
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

  it.scoped("fails when none of its engines answered, or when it does not allow the JSON format", function* () {
    const silent = yield* fakeProvider(() => ({
      json: { results: [], unresponsive_engines: [["google", "timeout"]] }
    }))
    expect((yield* ask(`searxng=${silent.origin},local`, { query: "q" })).warning).toBe(
      "Searxng: some of its engines did not answer: google. Local answered instead."
    )
    const closed = yield* fakeProvider(() => ({ status: 403 }))
    expect((yield* ask(`searxng=${closed.origin},local`, { query: "q" })).warning).toContain("format json")
  })
})
