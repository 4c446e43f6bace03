/** The Google provider, against responses of the recorded shape. */

import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, key, numbered } from "./ProviderSearch.ts"

describe("Google", () => {
  it.scoped("is queried in pages of ten, up to its maximum, with its own filters", function* () {
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

  it.scoped("returns images; for news the next provider is queried", function* () {
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
})
