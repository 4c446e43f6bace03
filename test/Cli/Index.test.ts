import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeEntry } from "../../src/Engine/Search/Entry.ts"
import * as SearchIndex from "../../src/Engine/Search/SearchIndex.ts"
import * as Store from "../../src/Engine/Store/Store.ts"
import { alone } from "../Engine/Alone.ts"
import { describe, expect, live, scoped } from "../It.ts"
import * as Local from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

describe("sluice index", () => {
  live.skipIf(skipsLong)("lists the pages that were read, and takes out one or all of them", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const { url } = yield* Local.site((path) => Local.page(`Harbour ${path}`))
    const index = (...words: ReadonlyArray<string>) => sluice(["index", ...words, "--data", dataDir])
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl } = yield* Local.engine({ dataDir })
        const [mine, others] = [Local.keys.first, Local.keys.stranger].map((key) => Local.caller(baseUrl, key))
        for (const path of ["a", "b", "c"]) yield* mine?.post("/v2/scrape", { url: `${url}/${path}` }) ?? Effect.void
        yield* others?.post("/v2/scrape", { url: `${url}/a` }) ?? Effect.void
        yield* mine?.post("/v2/scrape", { url: `${url}/secret`, zeroDataRetention: true }) ?? Effect.void
        // A page that is removed while the engine runs is no longer found.
        const { code } = yield* index("rm", `${url}/c`)
        expect(code).toBe(0)
        const found = yield* mine?.post("/v2/search", { query: "harbour" }) ?? Effect.die("no caller")
        expect(found.json.data.web.map((page: { readonly url: string }) => page.url).sort()).toEqual([
          `${url}/a`,
          `${url}/b`
        ])
      })
    )
    const all = yield* index("list", "--json")
    const pages = all.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(pages.map((page) => page.url).sort()).toEqual([`${url}/a`, `${url}/a`, `${url}/b`])
    expect(pages[0]).toMatchObject({ title: expect.stringContaining("Harbour"), firstSeen: expect.any(String) })
    expect((yield* index("list", "--limit", "1")).out.trimEnd().split("\n")).toHaveLength(2)
    expect(yield* index("rm", `${url}/a`)).toEqual({ code: 0, out: "", err: "removed 2 pages\n" })
    const gone = yield* index("rm", `${url}/a`)
    expect(gone.code).toBe(1)
    expect(gone.err).toContain("is not in the search index")
    expect((yield* index("rm")).code).toBe(2)
    expect((yield* index("rm", "--team", "first")).code).toBe(2)
    expect((yield* index("rm", "--site", "elsewhere.example")).err).toContain("elsewhere.example is not in")
    expect((yield* index("rm", `${url}/b`, "--all")).code).toBe(2)
    expect((yield* index("rm", "--all", "--json")).out).toBe('{"removed":1}\n')
    expect((yield* index("list")).err).toBe("the search index is empty\n")
  })

  scoped("lists and takes out a team's pages, a host's, and those that a pattern meets", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const index = (...words: ReadonlyArray<string>) => sluice(["index", ...words, "--data", dataDir])
    const page = (teamId: string, url: string) => ({
      teamId,
      url,
      ...makeEntry({ title: "T", description: "", text: "harbour" })
    })
    yield* Effect.flatMap(SearchIndex.SearchIndex, (search) =>
      search.add([
        page("one", "https://a.example/drafts/1"),
        page("one", "https://a.example/drafts/2?x=[1]"),
        page("one", "https://docs.a.example/"),
        page("two", "https://a.example/drafts/1"),
        page("two", "https://xa.example/drafts/1")
      ])
    ).pipe(Effect.provide(SearchIndex.layer.pipe(Layer.provide([Store.layer(dataDir), alone]))))
    const listed = (...words: ReadonlyArray<string>) =>
      Effect.map(index("list", "--json", ...words), ({ out }) =>
        out
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line).url)
          .sort()
      )
    expect(yield* listed("--team", "two")).toEqual(["https://a.example/drafts/1", "https://xa.example/drafts/1"])
    expect(yield* listed("--site", "a.example")).toHaveLength(4)
    expect(yield* listed("*?x=[1]")).toEqual(["https://a.example/drafts/2?x=[1]"])
    expect((yield* index("list", "--team", "three")).err).toBe("the search index has no such page\n")
    expect((yield* index("rm", "https://a.example/drafts/*", "--team", "one", "--json")).out).toBe('{"removed":2}\n')
    expect((yield* index("rm", "--site", "a.example")).err).toBe("removed 2 pages\n")
    expect(yield* listed()).toEqual(["https://xa.example/drafts/1"])
    expect((yield* index("rm", "--all", "--team", "one")).err).toBe("removed 0 pages\n")
    expect((yield* index("rm", "--all", "--team", "two")).err).toBe("removed 1 page\n")
  })

  scoped("takes nothing that is empty for every page, or for none", function* () {
    for (const [words, said] of [
      [["rm", ""], "URL is empty: name the pages to remove"],
      [["rm", "--site", ""], "--site takes a value, got an empty one"],
      [["rm", "--all", "--team", ""], "--team takes a value, got an empty one"]
    ] as const) {
      const { code, err } = yield* sluice(["index", ...words])
      expect([code, err]).toEqual([2, expect.stringContaining(`error: ${said}\n`)])
    }
  })

  scoped("makes no store by looking", function* () {
    const folder = yield* folderOf()
    const { code, err } = yield* sluice(["index", "list", "--data", `${folder}/data`])
    expect(code).toBe(0)
    expect(err).toContain("nothing to search")
    expect(yield* list(folder)).toEqual([])
  })
})
