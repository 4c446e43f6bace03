/** The Serper provider, against responses of the recorded shape. */

import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, key, numbered } from "./ProviderSearch.ts"

describe("Serper", () => {
  const organic = (page: number) =>
    numbered(10, (n) => ({ title: `T${n}`, link: `https://a.example/${page}/${n}`, snippet: "s", position: n }))

  it.scoped("is queried with the time filter unchanged, in pages of ten", function* () {
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

  it.scoped(
    "gets the time filter and location of the request for sources and categories that are objects without their own",
    function* () {
      const { asked, origin } = yield* fakeProvider(({ body, path }) => ({
        json:
          path === "/search" ? { searchParameters: body, organic: organic(1) } : { searchParameters: body, news: [] }
      }))
      yield* ask(`serper=${key}@${origin}`, {
        query: "harbour",
        limit: 5,
        sources: [{ type: "web" }, "news", { type: "images", tbs: "qdr:d", location: "Berlin,Germany" }],
        categories: ["github", { type: "research" }],
        tbs: "qdr:w",
        location: "Austin,Texas,United States"
      })
      const bodyOf = (path: string) => asked.find((each) => each.path === path)?.body
      const atTop = { tbs: "qdr:w", location: "Austin,Texas,United States" }
      expect(bodyOf("/search")).toMatchObject(atTop)
      expect(bodyOf("/news")).toMatchObject(atTop)
      expect(bodyOf("/images")).toMatchObject({ tbs: "qdr:d", location: "Berlin,Germany" })
    }
  )

  it.scoped("returns exact image sizes, and filters by a requested size", function* () {
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

  it.scoped("reads a 400 about an empty account as an exhausted quota", function* () {
    const { origin } = yield* fakeProvider(() => ({ status: 400, text: '{"message":"Not enough credits"}' }))
    const { data, warning } = yield* ask(`serper=${key}@${origin},local`, { query: "q" })
    expect(data.web?.[0]?.title).toBe("Gathered")
    expect(warning).toBe("Serper: its quota is used up (400). Local answered instead.")
  })
})
