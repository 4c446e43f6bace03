/** The Brave provider, against responses of the recorded shape. */

import * as TestClock from "effect/TestClock"
import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, key, now, numbered } from "./ProviderSearch.ts"

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
    "is queried page by page until there are enough results, with its own operators, country, location and time range",
    function* () {
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
    }
  )

  it.scoped("returns images with their sizes and news with their dates", function* () {
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
    expect(warning).toContain("larger: (only for the source images)")
    const news = asked.find(({ path }) => path.includes("news"))
    expect(news?.query).toMatchObject({ freshness: "2026-03-07to9999-12-31" })
  })

  it.scoped("returns nothing for an empty response, without another request", function* () {
    const { asked, origin } = yield* fakeProvider(() => ({ json: { type: "search", query: { original: "q" } } }))
    expect(yield* ask(`brave=${key}@${origin}`, { query: "q" })).toEqual({ data: {}, warning: "Nothing found." })
    expect(asked).toHaveLength(1)
  })
})
