/** The local index: results, ranking, snippets, and warnings. */

import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as fc from "fast-check"
import type { SearchRequest } from "../../../src/Api/SearchRequest.ts"
import { reindex } from "../../../src/Engine/Search/Backlog.ts"
import { remove } from "../../../src/Engine/Search/IndexAdmin.ts"
import { SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { arbitraryText } from "./ArbitraryText.ts"
import { index, page, urls, web } from "./MemoryIndex.ts"

const gathered = [
  page("https://shop.example.com/shoes", "Running shoes", "Light shoes for runners, made for the road."),
  page("https://shop.example.com/guide.pdf", "Size guide", "How running shoes fit: measure your foot in the evening."),
  page(
    "https://docs.example.com/run",
    "How to run the engine",
    "Start it with one command. The engine runs on loopback."
  ),
  page("https://arxiv.org/abs/1", "Gait", "We study how people run in minimal shoes."),
  page("https://github.com/acme/shoes", "acme/shoes", "A library. Run the tests with npm."),
  page("upload.docx", "Notes", "Shoes we tried on")
]

const filled = Effect.flatMap(SearchIndex, (found) => found.add(gathered))

describe("SearchIndex", () => {
  it.effect("ranks pages with all words, and with words in the title, first", index, function* () {
    yield* filled
    const found = yield* urls("running shoes")
    expect(found[0]).toBe("https://shop.example.com/shoes")
    expect(found).toHaveLength(6)
    expect(found.at(-1)).toBeOneOf(["https://docs.example.com/run", "upload.docx"])
  })

  it.effect("numbers the results, respects the limit, and shows a snippet with the words", index, function* () {
    const found = yield* SearchIndex
    const filler = Array.from({ length: 200 }, (_, i) => `filler${i}`).join(" ")
    yield* found.add([page("https://a.com/", "A", `${filler} the zebra crosses here ${filler}`), ...gathered])
    const [result] = yield* web({ query: "zebras" })
    expect(result?.position).toBe(1)
    expect(result?.description).toMatch(/^… .*zebra crosses here.* …$/)
    expect((yield* web({ query: "shoes", limit: 2 })).map(({ position }) => position)).toEqual([1, 2])
    expect(yield* urls("shoes", { sources: [{ type: "web", limit: 1 }] })).toHaveLength(1)
  })

  it.effect("finds quoted phrases in their own spelling only", index, function* () {
    yield* filled
    expect(yield* urls('"running shoes"')).toEqual(
      expect.arrayContaining(["https://shop.example.com/shoes", "https://shop.example.com/guide.pdf"])
    )
    expect(yield* urls('"run shoes"')).toEqual([])
    expect(yield* urls('"runners made"')).toEqual(["https://shop.example.com/shoes"])
    expect(yield* urls('shoes -"running shoes" -site:github.com')).toEqual(
      expect.not.arrayContaining(["https://shop.example.com/shoes"])
    )
    expect(yield* urls('intitle:"size guide"')).toEqual(["https://shop.example.com/guide.pdf"])
  })

  it.effect.skipIf(skipsLong)("finds exact phrases behind many near matches", index, function* () {
    const found = yield* SearchIndex
    const near = Array.from({ length: 350 }, (_, i) => page(`https://a.com/${i}`, "running", "running running"))
    yield* found.add([...near, page("https://a.com/exact", "Other", "many words and one run among them")])
    expect(yield* urls('"run"')).toEqual(["https://a.com/exact"])
    yield* found.add(Array.from({ length: 3000 }, (_, i) => page(`https://b.com/${i}`, "running", "running running")))
    const { data, warning } = yield* found.search("team", { query: '"run"' })
    expect(data).toEqual({})
    expect(warning).toContain("Too many pages")
  })

  it.effect("honours site:, filetype:, inurl:, intitle: and their negations", index, function* () {
    yield* filled
    expect(yield* urls("shoes site:shop.example.com -filetype:pdf")).toEqual(["https://shop.example.com/shoes"])
    expect(yield* urls("shoes filetype:PDF")).toEqual(["https://shop.example.com/guide.pdf"])
    expect((yield* urls("site:example.com")).length).toBe(3)
    expect(yield* urls("site:example.com/docs")).toEqual([])
    expect(yield* urls("site:shop.example.com/guide")).toEqual(["https://shop.example.com/guide.pdf"])
    expect(yield* urls("site:xample.com")).toEqual([])
    expect((yield* urls("run inurl:acme")).slice(0, 1)).toEqual(["https://github.com/acme/shoes"])
    expect(yield* urls("allinurl: acme shoes")).toEqual(["https://github.com/acme/shoes"])
    expect(yield* urls("site:example.com -inurl:shop")).toEqual(["https://docs.example.com/run"])
    expect(yield* urls("intitle:engines")).toEqual(["https://docs.example.com/run"])
    expect(yield* urls("site:example.com -intitle:engine -shoes")).toEqual([])
    expect(yield* urls("-shoes -run")).toEqual([])
    expect(yield* urls("site:github.com site:arxiv.org run")).toHaveLength(2)
  })

  it.effect(
    "honours operators in any combination, quoted phrases with punctuation, and hosts with ports or non-ASCII letters",
    index,
    function* () {
      const found = yield* SearchIndex
      yield* filled
      yield* found.add([
        page("http://localhost:3000/app", "Local", "The app of node.js, well-known: ready, steady, go."),
        page("http://localhost:4000/app", "Local", "Another app."),
        page("https://xn--mnchen-3ya.example/rad", "Rad", "Ein Rad."),
        page("https://deep.example/a/b/report.final.pdf", "Report (final)", "The final report, 2024.")
      ])
      expect(yield* urls("app site:localhost:3000")).toEqual(["http://localhost:3000/app"])
      expect(yield* urls("app -site:localhost:3000")).toEqual(["http://localhost:4000/app"])
      expect(yield* urls("rad site:münchen.example")).toEqual(["https://xn--mnchen-3ya.example/rad"])
      expect(yield* urls("rad site:*.example -site:deep.example")).toEqual(["https://xn--mnchen-3ya.example/rad"])
      expect(yield* urls('"node.js, well known"')).toEqual(["http://localhost:3000/app"])
      expect(yield* urls('"ready steady go"')).toEqual(["http://localhost:3000/app"])
      expect(yield* urls('"ready go"')).toEqual([])
      expect(yield* urls("node.js")).toEqual(["http://localhost:3000/app"])
      expect(yield* urls('intitle:"report final" filetype:pdf')).toEqual(["https://deep.example/a/b/report.final.pdf"])
      expect(yield* urls("allintitle: final report -allinurl:report nothing")).toEqual([
        "https://deep.example/a/b/report.final.pdf"
      ])
      expect(yield* urls("report -allinurl:report final")).toEqual([])
      expect(yield* urls("report -inurl:final")).toEqual([])
      expect(yield* urls('report -"final report"')).toEqual([])
      expect(yield* urls('report -intitle:"final report" -filetype:docx')).toEqual([
        "https://deep.example/a/b/report.final.pdf"
      ])
      expect(yield* urls("-filetype:pdf -site:example.com -site:localhost -app inurl:a", { tbs: "sbd:1" })).toEqual(
        expect.arrayContaining(["https://arxiv.org/abs/1", "https://github.com/acme/shoes"])
      )
      expect(
        yield* urls("report -related:shop.example.com filetype:pdf", {
          categories: ["pdf"],
          includeDomains: ["deep.example"],
          tbs: "qdr:h,sbd:1"
        })
      ).toEqual(["https://deep.example/a/b/report.final.pdf"])
    }
  )

  it.effect("filters by domains and categories, and names the category", index, function* () {
    yield* filled
    expect(yield* urls("run", { includeDomains: ["example.com"] })).toEqual(
      expect.not.arrayContaining(["https://arxiv.org/abs/1"])
    )
    expect(yield* urls("shoes", { excludeDomains: ["example.com", "github.com"] })).toEqual(
      expect.not.arrayContaining(["https://shop.example.com/shoes"])
    )
    const found = yield* web({ query: "shoes", categories: [{ type: "github" }, { type: "research" }] })
    expect(found.map(({ url, category }) => [url, category])).toEqual(
      expect.arrayContaining([
        ["https://github.com/acme/shoes", "github"],
        ["https://arxiv.org/abs/1", "research"]
      ])
    )
    expect(found).toHaveLength(2)
    expect((yield* web({ query: "shoes", categories: ["pdf"] })).map(({ category }) => category)).toEqual(["pdf"])
    expect(yield* urls("shoes", { ignoreInvalidURLs: true })).not.toContain("upload.docx")
  })

  it.effect("finds pages related to a domain: similar pages of other domains", index, function* () {
    const found = yield* SearchIndex
    const tides = "The tide table of the harbour lists high water and low water for every lunar day."
    const bread = "Sourdough bread wants a starter, flour, salt and a hot oven for the crust."
    yield* found.add([
      page("https://tides.example/", "Tides", tides),
      page("https://www.tides.example/neap", "Neap tides", `${tides} Neap tides follow the quarter moon.`),
      page("https://moon.example/water", "Water and moon", "High water follows the lunar day, and so does the tide."),
      page("https://port.example/", "Port", "A harbour with a tide gauge and low water marks."),
      page("https://oven.example/", "Bread", bread),
      page("https://crust.example/", "Crust", `${bread} The crust cracks.`),
      ...gathered
    ])
    expect((yield* urls("related:tides.example")).slice(0, 2).toSorted()).toEqual([
      "https://moon.example/water",
      "https://port.example/"
    ])
    expect(yield* urls("related:https://tides.example/neap")).not.toContain("https://tides.example/")
    expect((yield* urls("related:oven.example"))[0]).toBe("https://crust.example/")
    expect(yield* urls("harbour related:tides.example")).toEqual(["https://port.example/"])
    expect(yield* urls("water -related:tides.example")).toEqual([])
    expect(yield* urls("crust -related:tides.example")).toHaveLength(2)
    expect(yield* urls("related:nobody.example")).toEqual([])
  })

  it.effect("indexes pages with and without spaces between words together", index, function* () {
    const found = yield* SearchIndex
    yield* found.add([
      page("https://a.com/1", "Ferries", "The ferry leaves at noon"),
      page("https://a.com/2", "東京", "The ferry to 東京湾"),
      page("https://a.com/3", "港", "noon"),
      page("https://a.com/4", "Piers", "The ferry waits")
    ])
    expect((yield* urls("ferry")).toSorted()).toEqual(["https://a.com/1", "https://a.com/2", "https://a.com/4"])
    expect(yield* urls("東京")).toEqual(["https://a.com/2"])
    expect(yield* urls("港")).toEqual(["https://a.com/3"])
    expect((yield* urls("noon")).toSorted()).toEqual(["https://a.com/1", "https://a.com/3"])
  })

  it.effect(
    "is rebuilt from its stored texts when a new version tokenizes differently, also after a crash",
    index,
    function* () {
      const found = yield* SearchIndex
      const sql = yield* Sql
      const many = Array.from({ length: 120 }, (_, n) => page(`https://a.com/${n}.pdf`, `Page ${n}`, "The 東京 ferry"))
      yield* found.add(many)
      expect(yield* reindex(sql)).toBe(0)
      // Words and positions as an older version might have stored them.
      yield* sql`DELETE FROM search_word`
      yield* sql`INSERT INTO search_word (rowid, title, text) SELECT id, 'old', 'old' FROM search_page`
      yield* sql`UPDATE search_page SET extension = ''`
      expect(yield* urls("ferry filetype:pdf")).toEqual([])
      const crash =
        "CREATE TRIGGER crash BEFORE UPDATE OF extension ON search_page WHEN old.id = 70 BEGIN SELECT raise(ABORT, 'crash'); END"
      yield* sql.unsafe(crash)
      expect((yield* Effect.exit(reindex(sql, 2)))._tag).toBe("Failure")
      yield* sql`DROP TRIGGER crash`
      expect(yield* reindex(sql, 2)).toBe(70)
      expect(yield* urls("ferry filetype:pdf", { limit: 100 })).toHaveLength(100)
      expect(yield* urls("東京", { limit: 100 })).toHaveLength(100)
      expect(yield* urls("old")).toEqual([])
      expect(yield* reindex(sql, 2)).toBe(0)
    }
  )

  it.effect("treats pages with a publication date as news, but not files", index, function* () {
    const found = yield* SearchIndex
    yield* TestClock.setTime(Date.UTC(2026, 5, 1))
    const published = new Date("2026-02-03T04:05:06Z")
    const images = [{ url: "https://a.com/rocket.jpg", caption: "A rocket" }]
    yield* found.add([
      page("https://a.com/launch", "Launch", "The launch went well.", { published, images }),
      page("https://a.com/launch.pdf", "Launch plan", "The launch in detail.", { published }),
      page("https://a.com/about", "About the launch", "Who we are.")
    ])
    const { data } = yield* found.search("team", {
      query: "launch",
      sources: [{ type: "news" }, { type: "web", limit: 2 }]
    })
    expect(data.news).toEqual([
      {
        url: "https://a.com/launch",
        title: "Launch",
        snippet: "The launch went well.",
        date: "2026-02-03T04:05:06.000Z",
        imageUrl: "https://a.com/rocket.jpg",
        position: 1
      }
    ])
    expect(data.web).toHaveLength(2)
  })

  it.effect("filters and sorts by publication date, else by the first visit", index, function* () {
    const found = yield* SearchIndex
    yield* TestClock.setTime(Date.UTC(2026, 0, 10))
    yield* found.add([
      page("https://a.com/old", "News", "launch", { published: new Date("2025-06-01") }),
      page("https://a.com/seen", "News", "launch")
    ])
    yield* TestClock.adjust("3 days")
    yield* found.add([page("https://a.com/seen", "News", "launch again"), page("https://a.com/new", "News", "launch")])
    expect(yield* urls("launch", { tbs: "sbd:1" })).toEqual([
      "https://a.com/new",
      "https://a.com/seen",
      "https://a.com/old"
    ])
    expect(yield* urls("launch", { tbs: "qdr:d" })).toEqual(["https://a.com/new"])
    expect(yield* urls("launch", { tbs: "qdr:w,sbd:1" })).toEqual(["https://a.com/new", "https://a.com/seen"])
    expect(yield* urls("launch", { tbs: "cdr:1,cd_min:05/31/2025,cd_max:06/01/2025" })).toEqual(["https://a.com/old"])
    expect(yield* urls("launch", { sources: [{ type: "web", tbs: "qdr:d2" }] })).toEqual(["https://a.com/new"])
    const sorted = (tbs: string) => Effect.map(urls("launch", { tbs }), (found) => found.toSorted())
    const [old, seen, fresh] = ["https://a.com/old", "https://a.com/seen", "https://a.com/new"]
    expect(yield* sorted("qdr:h")).toEqual([fresh])
    expect(yield* sorted("qdr:d3")).toEqual([fresh, seen])
    expect(yield* sorted("qdr:m, sbd:0")).toEqual([fresh, seen])
    expect(yield* sorted("qdr:y")).toEqual([fresh, old, seen])
    expect(yield* sorted("cdr:1,cd_min:01/13/2026")).toEqual([fresh])
    expect(yield* sorted("cdr:1,cd_max:1/12/2026")).toEqual([old, seen])
    expect(yield* sorted("sbd:1,cdr:1,cd_min:1/1/2026,cd_max:1/12/2026")).toEqual([seen])
    expect(yield* sorted("qdr:w,cdr:1,cd_max:1/12/2026")).toEqual([seen])
    expect(yield* sorted("cdr:1,cd_min:2/1/2026,cd_max:1/1/2026")).toEqual([])
  })

  it.effect("ignores an empty domain filter", index, function* () {
    yield* filled
    expect(yield* urls("shoes", { includeDomains: ["."] })).toEqual([])
    expect(yield* urls("shoes tried", { excludeDomains: ["*."] })).toContain("upload.docx")
    expect(yield* remove({ site: "" })).toBe(0)
  })

  it.effect("finds words without accents, and in scripts without spaces", index, function* () {
    const found = yield* SearchIndex
    yield* found.add([
      page("https://a.com/cafe", "Café Zürich", "Crème brûlée"),
      page("https://a.com/db", "数据库", "全文检索数据库的设计")
    ])
    expect(yield* urls("cafe zurich")).toEqual(["https://a.com/cafe"])
    expect(yield* urls('"creme brulee"')).toEqual(["https://a.com/cafe"])
    expect(yield* urls("检索")).toEqual(["https://a.com/db"])
    // A sentence, of which the page has parts in another order.
    expect(yield* urls("数据库检索方法")).toEqual(["https://a.com/db"])
    expect(yield* urls('"数据库的设计"')).toEqual(["https://a.com/db"])
    expect(yield* urls('"数设"')).toEqual([])
  })

  it.effect("warns about operators that it could not honour, and about empty results", index, function* () {
    const found = yield* SearchIndex
    yield* filled
    const warn = (request: SearchRequest) => Effect.map(found.search("team", request), ({ warning }) => warning)
    expect(yield* warn({ query: "shoes" })).toBeUndefined()
    expect(yield* warn({ query: "shoes", sources: ["web", "images", "news"] })).toBeUndefined()
    expect(yield* warn({ query: "shoes larger:1x1 -imagesize:2x2" })).toBe(
      "Ignored for pages, because only images have a size: imagesize:, larger:."
    )
    expect(yield* warn({ query: "shoes related:a.com", sources: ["images"] })).toContain(
      "Ignored for images, because only pages are related: related:."
    )
    expect(yield* warn({ query: "shoes", location: "Berlin", country: "DE" })).toContain("location, country")
    expect(yield* warn({ query: "shoes", tbs: "qdr:d", sources: [{ type: "web" }] })).toBeUndefined()
    expect(yield* found.search("team", { query: "nowhere" })).toEqual({
      data: {},
      warning: expect.stringContaining("Nothing found")
    })
    expect(yield* found.search("team", { query: "shoes", sources: ["images"] })).toMatchObject({ data: {} })
    expect(yield* warn({ query: "?!" })).toContain("no word")
  })

  it.effect("handles as many domains as a request may have", index, function* () {
    yield* filled
    const domains = Array.from({ length: 499 }, (_, i) => `d${i}.example.net`)
    expect(yield* urls("shoes", { includeDomains: [...domains, "github.com"] })).toEqual([
      "https://github.com/acme/shoes"
    ])
    expect(yield* urls("shoes", { excludeDomains: [...domains, "github.com"] })).toHaveLength(4)
  })

  it.effect("accepts any page and any query", index, function* () {
    const found = yield* SearchIndex
    yield* filled
    const arbitrary = fc.oneof(
      arbitraryText(60),
      fc
        .array(
          fc.constantFrom(
            '"',
            "'",
            "-",
            "*",
            "(",
            ")",
            ":",
            "^",
            "+",
            "NEAR(",
            "AND",
            "OR",
            "NOT",
            "title",
            "{",
            "}",
            "shoes",
            " ",
            "\0",
            "\ud800",
            "site:",
            "inurl:",
            "filetype:",
            "intitle:",
            "allintitle:",
            "; DROP TABLE search_page",
            "%",
            "\\"
          ),
          { maxLength: 12 }
        )
        .map((parts) => parts.join(""))
    )
    const samples = fc.sample(arbitrary, { numRuns: 400, seed: 7 })
    yield* found.add(
      samples.map((text) => page(`https://w.com/${text}`, text, text, { teamId: "arbitrary", description: text }))
    )
    // Most of them in fives: what breaks out of its own quotes does so among others, too.
    const queries = [
      ...samples.slice(0, 50),
      ...Array.from({ length: 70 }, (_, at) => samples.slice(50 + 5 * at, 55 + 5 * at).join(" "))
    ]
    for (const query of queries) yield* found.search("arbitrary", { query, limit: 1, sources: ["web"] })
    for (const query of queries.slice(40, 70))
      yield* found.search("arbitrary", { query, limit: 1, sources: ["images"] })
    expect(yield* urls("site:shop.example.com")).toHaveLength(2)
  })
})
