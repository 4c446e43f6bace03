/** Order and variety of the results of the local index. */

import { isLongQuery } from "../../../src/Engine/Search/Ranking.ts"
import { SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { index, page, urls, web } from "./MemoryIndex.ts"

const words = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`).join(" ")

describe("results of the local index", () => {
  it.effect("follow the rare words of a long query, in whatever page all of them occur", index, function* () {
    const found = yield* SearchIndex
    yield* found.add([
      // All words once, far apart.
      page(
        "https://a.com/all",
        "Handbook",
        `computer ${words(0, 300)} network ${words(300, 300)} replication ${words(600, 300)} slots`
      ),
      page("https://b.com/slots", "Replication slots", "Replication slots keep segments of the log. Slots are cheap."),
      ...Array.from({ length: 20 }, (_, at) => page(`https://c${at}.com/`, "Page", `computer network ${words(at, 30)}`))
    ])
    const [first, second] = yield* urls("computer network replication slots")
    expect([first, second]).toEqual(["https://b.com/slots", "https://a.com/all"])
  })

  it.effect("follow all words of a query of many words, wherever they stand", index, function* () {
    const found = yield* SearchIndex
    const subject = Array.from({ length: 14 }, (_, at) => `subject${at}`)
    const first = subject.slice(0, 2).join(" ")
    yield* found.add([
      page("https://a.com/alike", "", `${words(0, 80)} ${`${first} `.repeat(3)} ${subject.slice(2, 6).join(" ")}`),
      page("https://b.com/about", "", subject.map((word, at) => `${word} ${words(6 * at, 6)}`).join(" ")),
      ...Array.from({ length: 20 }, (_, at) => page(`https://c${at}.com/`, "", words(at, 30)))
    ])
    expect((yield* urls(subject.join(" ")))[0]).toBe("https://b.com/about")
    expect(yield* urls(subject.join(" "), { tbs: "sbd:1" })).toEqual(["https://b.com/about"])
    // Not all words of the query are in a page.
    expect((yield* urls(`${subject.join(" ")} elsewhere`)).slice(0, 2)).toEqual([
      "https://b.com/about",
      "https://a.com/alike"
    ])
  })

  it.effect.skipIf(skipsLong)(
    "begin with the page that has all words of a long query, which are all frequent",
    index,
    function* () {
      const found = yield* SearchIndex
      const subject = Array.from({ length: 14 }, (_, at) => `subject${at}`)
      // How frequent a word is in all 11,000 pages is extrapolated from the first ones.
      yield* found.add([
        ...Array.from({ length: 600 }, (_, at) =>
          page(`https://a.com/${at}`, "", `${subject.filter((_, place) => place !== at % 14).join(" ")} elsewhere`)
        ),
        ...Array.from({ length: 10_400 }, (_, at) => page(`https://b.com/${at}`, "", "other"))
      ])
      yield* found.add([page("https://c.com/all", "", subject.join(" "))])
      expect((yield* urls(subject.join(" ")))[0]).toBe("https://c.com/all")
    }
  )

  it("are those of a long query by its stems, not by its words", () => {
    const words = ["search", "searches", ...Array.from({ length: 11 }, (_, at) => `subject${at}`)]
    expect([isLongQuery(words), isLongQuery([...words, "other"])]).toEqual([false, true])
  })

  it.effect("are the pages with an exact phrase of many words, beside one plain word or none", index, function* () {
    const found = yield* SearchIndex
    const phrase = words(0, 14)
    yield* found.add([page("https://a.com/", "", `${phrase} other`), page("https://b.com/", "", "other")])
    expect(yield* urls(`"${phrase}"`)).toEqual(["https://a.com/"])
    expect(yield* urls(`"${phrase}" other`)).toEqual(["https://a.com/"])
  })

  it.effect("count repeated words of the query, and words that stand together", index, function* () {
    const found = yield* SearchIndex
    yield* found.add([
      page("https://a.com/heat", "", `${words(0, 40)} heat heat ${words(40, 40)}`),
      page("https://b.com/flow", "", `${words(0, 40)} flow flow ${words(40, 40)}`),
      page("https://c.com/apart", "", `boundary ${words(200, 80)} layer`),
      page("https://d.com/together", "", `${words(0, 40)} boundary layer ${words(40, 40)}`)
    ])
    expect((yield* urls("heat of the flow, and flow by flow"))[0]).toBe("https://b.com/flow")
    expect((yield* urls("flow of the heat, and heat by heat"))[0]).toBe("https://a.com/heat")
    expect(yield* urls("boundary layers")).toEqual(["https://d.com/together", "https://c.com/apart"])
  })

  it.effect(
    "have one of several pages with nearly the same text, unless the query names a host or an address",
    index,
    function* () {
      const found = yield* SearchIndex
      const text = `The ferry leaves at noon. ${words(0, 120)}`
      yield* found.add([
        page("https://a.com/ferry", "Ferry", text),
        page("https://a.com/ferry?print=1", "Ferry", `${text} Printed today.`),
        page("https://mirror.com/ferry", "Ferry", text),
        page("https://b.com/ferry", "Ferry", `The ferry leaves at noon. ${words(500, 120)}`),
        // Too short to tell.
        page("https://c.com/1", "Ferry", "The ferry"),
        page("https://c.com/2", "Ferry", "The ferry")
      ])
      const shown = yield* urls("ferry")
      expect(shown).toHaveLength(4)
      expect(shown).toEqual(expect.arrayContaining(["https://b.com/ferry", "https://c.com/1", "https://c.com/2"]))
      expect(yield* urls("ferry site:a.com")).toHaveLength(2)
      expect(yield* urls("ferry inurl:ferry")).toHaveLength(4)
      expect(yield* urls("ferry", { includeDomains: ["a.com", "mirror.com"] })).toHaveLength(3)
    }
  )

  it.effect("are spread over hosts, unless the query names one", index, function* () {
    const found = yield* SearchIndex
    yield* found.add([
      ...Array.from({ length: 12 }, (_, at) => page(`https://a.com/${at}`, "Tides", `tides ${words(at, 20)}`)),
      ...Array.from({ length: 3 }, (_, at) => page(`https://b${at}.com/`, "Tides", `tides ${words(at, 24)}`))
    ])
    const shown = yield* urls("tides")
    expect(shown).toHaveLength(10)
    expect(shown.slice(0, 6)).toEqual(expect.arrayContaining(["https://b0.com/", "https://b1.com/", "https://b2.com/"]))
    expect(yield* urls("tides site:a.com")).toHaveLength(10)
  })

  it.effect("have old pages by titles and all pages of a small team, however many others match", index, function* () {
    const found = yield* SearchIndex
    const sql = yield* Sql
    yield* found.add([
      page("https://a.com/", "Harbours", "quiet water"),
      page("https://b.com/", "Other", "harbours alone", { teamId: "small" })
    ])
    yield* urls("harbours")
    yield* sql`WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 11000)
        INSERT INTO search_page (id, team, url, host, extension, kinds, digest, first_seen, last_seen)
        SELECT i, 'team', 'https://c.com/' || i, 'com.c.', '', 0, '', 0, 0 FROM n`
    yield* sql`INSERT INTO search_text (id, title, description, text)
        SELECT id, '', '', 'harbours and ' || id FROM search_page WHERE id >= 100`
    yield* sql`INSERT INTO search_word (rowid, title, text) SELECT id, title, text FROM search_text WHERE id >= 100`
    expect(yield* urls("harbours")).toContain("https://a.com/")
    expect(yield* urls("harbours and 10123")).toContain("https://c.com/10123")
    expect((yield* web({ query: "harbours" }, "small")).map(({ url }) => url)).toEqual(["https://b.com/"])
    expect(yield* urls("harbours -quiet")).not.toContain("https://a.com/")
  })
})
