/** Passages of pages in search results, with the headings above them. */

import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { encodeHeadings } from "../../../src/Engine/Search/Entry.ts"
import { passageFinder } from "../../../src/Engine/Search/Passage.ts"
import { SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { extract } from "../../../src/Html/Extract.ts"
import { describe, expect, it } from "../../It.ts"
import { index, page, web } from "./MemoryIndex.ts"

const words = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`).join(" ")

const passageOf = (text: string, wanted: ReadonlyArray<string>, weights: Readonly<Record<string, number>> = {}) =>
  passageFinder(wanted, new Map(Object.entries(weights)))({ text, description: "", headings: "[]" }).text

/** The indexed fields of a page of HTML. */
const read = (html: string) => {
  const { headings = [], text = "" } = extract(html, {
    wanted: new Set(["text"]),
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: true
  })
  return { headings, text }
}

const manual = `<h1>Manual</h1><p>${words(0, 60)}</p>
  <h2>Replication</h2><p>Slots, in short. ${words(60, 60)}</p>
  <h3>Slots <small>(advanced)</small></h3><p>Slots keep segments of the log for standbys. ${words(120, 60)}</p>
  <h2>Backup</h2><p>${words(180, 60)} Backups are files.</p>`

describe("the passage of a search result", () => {
  it("shows the words in context, also in scripts without spaces", () => {
    const around = "然后回家吃饭".repeat(200)
    const shown = passageOf(`${around}北京天气很好${around}`, ["天气"])
    expect(shown).toContain("天气很好")
    expect(shown.length).toBeGreaterThan(200)
    expect(shown.length).toBeLessThan(260)
    expect(passageOf(`${around}これはsqliteです${around}`, ["SQLite"])).toContain("sqlite")
  })

  it("has the same length in scripts without spaces, and splits no character", () => {
    expect(passageOf("漢字".repeat(500), [])).toBe(`${"漢字".repeat(120)} …`)
    expect(passageOf(`a${"𠮷".repeat(500)}`, [])).not.toMatch(/\p{Surrogate}/u)
    expect(passageOf("one two three", ["two"])).toBe("one two three")
  })

  it("is the one with the words that say most, whole, and begins with a line or a sentence", () => {
    const text = `Server and client: a server. ${words(0, 80)}\nHere the walrus sleeps. ${words(80, 80)} It ends. Tusks grow.`
    expect(passageOf(text, ["server", "client", "walrus"])).toContain("client")
    const weights = { server: 0.1, client: 0.1, walru: 5 }
    expect(passageOf(text, ["server", "client", "walrus"], weights)).toMatch(/^… Here the walrus sleeps\. word80 /)
    expect(passageOf(text, ["tusk"])).toBe("… Tusks grow.")
    // As far apart as a passage has room for.
    const apart = `${words(0, 100)} server ${"x".repeat(180)} client ${words(0, 100)}`
    expect(passageOf(apart, ["server", "client"])).toMatch(/server x+ client/)
  })

  it("is found by the words of the index: stemmed, without accents, in any normal form", () => {
    const text = `${words(0, 100)} Der Café-Besitzer müde ${words(100, 100)}`
    expect(passageOf(text, ["cafe", "besitzer"])).toContain("Café-Besitzer")
    expect(passageOf(text.normalize("NFD"), ["mude"]).normalize("NFC")).toContain("müde")
    expect(passageOf(`${words(0, 100)} possibilities ${words(100, 100)}`, ["possible"])).toContain("possibilities")
    expect(passageOf(`${words(0, 100)} 서울의 날씨 ${words(100, 100)}`, ["날씨"])).toContain("서울의 날씨")
  })

  it.effect("comes with the headings above it, as web results and as news", index, function* () {
    const found = yield* SearchIndex
    yield* TestClock.setTime(Date.UTC(2026, 0, 1))
    const published = new Date("2020-01-01")
    yield* found.add([
      page("https://a.com/", "Manual", "", { ...read(manual), published }),
      page("https://b.com/", "Plain", "Standbys without headings."),
      page("https://c.com/", "Standbys", "", { description: "All about them.", ...read("<h1>Another</h1><p>thing") })
    ])
    const of = (query: string) =>
      Effect.map(web({ query }), (results) => results.map(({ headings, url }) => [url, headings]))
    expect(yield* of("slots log")).toEqual([["https://a.com/", ["Manual", "Replication", "Slots (advanced)"]]])
    expect(yield* of("backups files")).toEqual([["https://a.com/", ["Manual", "Backup"]]])
    expect(yield* of("word3")).toEqual([["https://a.com/", ["Manual"]]])
    expect(yield* of("standbys")).toEqual(
      expect.arrayContaining([
        ["https://b.com/", undefined],
        ["https://c.com/", undefined]
      ])
    )
    const { data } = yield* found.search("team", { query: "slots log", sources: ["news"] })
    expect(data.news?.map(({ headings }) => headings)).toEqual([["Manual", "Replication", "Slots (advanced)"]])
  })

  it.effect("is found by words that the page divides with soft hyphens", index, function* () {
    const found = yield* SearchIndex
    const html =
      "<p>&shy;In&shy;halt</p><h1>Donau&shy;dampf&shy;schiff</h1><h2>Fahr&shy;plan</h2><p>Ab&shy;fahrt um 8 &shy; Uhr"
    const plain = "Die Donau\u00addampf\u00adschiff\u00adfahrt"
    yield* found.add([
      page("https://a.com/", "A", "", read(html)),
      page("https://b.com/", "Raddampf\u00ader", plain, { description: "Elb\u00addampfer" })
    ])
    const of = (query: string) =>
      Effect.map(web({ query }), (results) => results.map(({ headings, title, url }) => [url, title, headings]))
    expect(yield* of("Abfahrt Donaudampfschiff")).toEqual([["https://a.com/", "A", ["Donaudampfschiff"]]])
    expect(yield* of("Ab\u00adfahrt")).toEqual([["https://a.com/", "A", ["Donaudampfschiff", "Fahrplan"]]])
    expect(yield* of("Raddampfer Donaudampfschifffahrt")).toEqual([["https://b.com/", "Raddampfer", undefined]])
  })

  it("has a path of bounded size, whatever the headings are", () => {
    const html = `${Array.from({ length: 5000 }, (_, at) => `<h${(at % 6) + 1}>${"long ".repeat(200)}</h${(at % 6) + 1}>`).join("")}<p>needle`
    const { headings, text } = read(html)
    expect(headings).toHaveLength(5000)
    const stored = encodeHeadings(headings)
    expect(stored.length).toBeLessThan(40_000)
    const path = passageFinder(
      ["needle"],
      new Map()
    )({ text: text.slice(-2000), description: "", headings: stored }).headings
    expect(path.join("").length).toBeLessThan(1000)
    const find = passageFinder(["needle"], new Map())
    for (const headings of ["", "null", '[["a",1]]', "[[1e99,1]]", "[[-5,1],[3,0]]"])
      expect(find({ text: "A needle", description: "", headings }).text).toBe("A needle")
  })
})
