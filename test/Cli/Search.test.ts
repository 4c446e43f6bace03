import { fakeProvider } from "../Engine/Search/FakeProvider.ts"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const key = "very-secret-key"

describe("sluice search", () => {
  live.skipIf(skipsLong)("asks the providers of the setting, or only those that are named", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const { asked, origin } = yield* fakeProvider(() => ({
      json: {
        searchParameters: {},
        organic: [{ title: "Tide\u001b[31m tables", link: "https://a.example/tides", snippet: "High and low." }]
      }
    }))
    const env = { SLUICE_SEARCH_PROVIDERS: `serper=${key}@${origin},local` }
    const search = (...words: ReadonlyArray<string>) => sluice(["search", ...words, "--data", dataDir], { env })
    const found = yield* search("tides")
    expect(found).toEqual({
      code: 0,
      out: "Tide [31m tables\n  https://a.example/tides\n  High and low.\n",
      err: ""
    })
    const json = yield* search("tides", "--json", "--limit", "3", "--source", "web")
    expect(JSON.parse(json.out)).toMatchObject({
      success: true,
      creditsUsed: 2,
      data: { web: [{ url: "https://a.example/tides", position: 1 }] }
    })
    expect(asked).toHaveLength(2)
    const local = yield* search("tides", "--provider", "local")
    expect([local.code, local.out]).toEqual([0, ""])
    expect(local.err).toContain("warning: Nothing found.")
    expect(asked).toHaveLength(2)
    const unknown = yield* search("tides", "--provider", "brave")
    expect(unknown.code).toBe(78)
    expect(unknown.err).toContain('it has no provider "brave", which --provider names')
    expect(unknown.err).not.toContain(key)
  })

  live("shows images with their size and news with their date, and takes no provider beside a service", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const { origin } = yield* fakeProvider(({ path }) => ({
      json:
        path === "/images"
          ? {
              images: [
                {
                  title: "Pier",
                  imageUrl: "https://i.example/p.png",
                  imageWidth: 8,
                  imageHeight: 6,
                  link: "https://a.example/"
                }
              ]
            }
          : path === "/news"
            ? { news: [{ title: "Flood", link: "https://n.example/", snippet: "s", date: "1 day ago" }] }
            : { organic: [] }
    }))
    const env = { SLUICE_SEARCH_PROVIDERS: `serper=${key}@${origin}` }
    const { err, out } = yield* sluice(["search", "pier", "--source", "all", "--data", dataDir], { env })
    expect(err).toBe("")
    expect(out).toBe(
      "Pier\n  https://i.example/p.png  8 × 6\n  https://a.example/\n\nFlood\n  https://n.example/  1 day ago\n  s\n"
    )
    const both = yield* sluice(["search", "pier", "--provider", "local"], {
      env: { SLUICE_BASE_URL: "https://api.example.com", SLUICE_API_KEY: "k" }
    })
    expect(both.code).toBe(2)
    expect(both.err).toContain("SLUICE_BASE_URL sends searches to api.example.com")
  })
})

describe("sluice preview", () => {
  live("prints the parameters as a pipeline has them, and on stderr who made them", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const preview = (...words: ReadonlyArray<string>) => sluice(["preview", ...words, "--data", dataDir])
    expect(yield* preview("https://example.com", "only /docs, at most 50 pages")).toEqual({
      code: 0,
      out: "includePaths:\n  - ^/docs(?:/|$)\nlimit: 50\n",
      err: "by rules\n"
    })
    const json = yield* preview("https://example.com", "ten pages", "--json")
    expect(JSON.parse(json.out)).toEqual({
      success: true,
      data: { url: "https://example.com", limit: 10 },
      answeredBy: "rules"
    })
    const nothing = yield* preview("https://example.com", "hello")
    expect([nothing.code, nothing.out]).toEqual([0, ""])
    expect(nothing.err).toContain("warning: ")
    const wrong = yield* preview("docs", "ten pages")
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain("got docs")
  })
})
