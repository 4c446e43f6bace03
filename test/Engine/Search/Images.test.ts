/** Images in the local index: found by alt text, caption, size and file type. */

import * as Effect from "effect/Effect"
import * as Shelf from "../../../src/Engine/Search/IndexAdmin.ts"
import { SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import { images, index, page, web } from "./MemoryIndex.ts"

const shown = [
  { url: "https://img.example.com/crane.jpeg", caption: "A red crane", width: 640, height: 480 },
  { url: "https://img.example.com/quay-wall-1200x800.png?v=2", caption: "" },
  { url: "https://img.example.com/logo.svg", caption: "Port of Example" },
  { url: "https://img.example.com/count.gif", caption: "counter", width: 1, height: 1 },
  { url: "data:image/png;base64,AAAA", caption: "A red crane inlined" }
]
const harbour = page("https://port.example.com/", "The harbour", "Ships come in.", { images: shown })
const museum = page("https://museum.example.net/cranes", "Cranes", "Machines of old.", {
  images: [
    { url: "https://img.example.com/logo.svg", caption: "Port of Example" },
    { url: "https://museum.example.net/crane.png", caption: "Crane of 1890, wooden — 起重机", width: 200, height: 300 }
  ]
})

const filled = Effect.flatMap(SearchIndex, (found) => found.add([harbour, museum]))

const addresses = (query: string, more: object = {}) =>
  Effect.map(images({ query, ...more }), (found) => found.map(({ imageUrl }) => imageUrl))

describe("images of the local index", () => {
  it.effect("are returned with their page, caption, URL, position, and size where known", index, function* () {
    yield* filled
    expect(yield* images({ query: "red cranes" })).toEqual([
      {
        title: "A red crane",
        imageUrl: "https://img.example.com/crane.jpeg",
        imageWidth: 640,
        imageHeight: 480,
        url: "https://port.example.com/",
        position: 1
      },
      {
        title: "Crane of 1890, wooden — 起重机",
        imageUrl: "https://museum.example.net/crane.png",
        imageWidth: 200,
        imageHeight: 300,
        url: "https://museum.example.net/cranes",
        position: 2
      },
      expect.objectContaining({ imageUrl: "https://img.example.com/logo.svg", position: 3 })
    ])
  })

  it.effect("without a caption are found by file name, a size in it, and the page's title", index, function* () {
    yield* filled
    expect(yield* images({ query: "quay wall" })).toMatchObject([
      { title: "The harbour", imageWidth: 1200, imageHeight: 800 }
    ])
    expect(yield* addresses("harbour", { limit: 2 })).toHaveLength(2)
    expect(yield* addresses("起重机")).toEqual(["https://museum.example.net/crane.png"])
  })

  it.effect(
    "honour imagesize:, larger:, filetype:, site: and quoted phrases, alone, negated and combined",
    index,
    function* () {
      yield* filled
      const [crane, quay, logo, old] = [
        "https://img.example.com/crane.jpeg",
        "https://img.example.com/quay-wall-1200x800.png?v=2",
        "https://img.example.com/logo.svg",
        "https://museum.example.net/crane.png"
      ]
      expect(yield* addresses("imagesize:640x480")).toEqual([crane])
      expect(yield* addresses("crane larger:300x300")).toEqual([crane])
      expect((yield* addresses("larger:300x300")).toSorted()).toEqual([crane, quay])
      expect(yield* addresses("larger:640x480")).toEqual([quay])
      expect((yield* addresses("-larger:300x300")).toSorted()).toEqual([logo, old])
      expect(yield* addresses("larger:1x1 -imagesize:640x480 -filetype:png")).toEqual([])
      expect(yield* addresses("filetype:jpg")).toEqual([crane])
      expect(yield* addresses("crane site:museum.example.net filetype:png")).toEqual([old])
      expect(yield* addresses('"red crane"')).toEqual([crane])
      expect(yield* addresses('crane -"red crane"')).toEqual([old, logo])
      expect(yield* addresses("crane", { excludeDomains: ["example.net"] })).toContain(crane)
      expect(yield* addresses("crane", { includeDomains: ["example.org"] })).toEqual([])
      expect(yield* addresses("-crane imagesize:200x300")).toEqual([])
    }
  )

  it.effect(
    "are returned once however many pages show them, next to web results, with a limit of their own",
    index,
    function* () {
      yield* filled
      expect(yield* addresses("port example")).toEqual(["https://img.example.com/logo.svg"])
      const found = yield* SearchIndex
      const { data } = yield* found.search("team", {
        query: "crane",
        sources: [{ type: "images", limit: 1 }, { type: "web" }]
      })
      expect(data.images).toHaveLength(1)
      expect(data.web?.map(({ url }) => url)).toEqual(["https://museum.example.net/cranes"])
      expect((yield* found.search("other", { query: "crane", sources: ["images"] })).data).toEqual({})
    }
  )

  it.effect("are removed with their page, and when the page shows others", index, function* () {
    yield* filled
    expect(yield* addresses("crane")).toHaveLength(3)
    const found = yield* SearchIndex
    yield* found.add([page(harbour.url, "The harbour", harbour.text, { images: shown.slice(1) })])
    expect(yield* addresses('"red crane"')).toEqual([])
    yield* Shelf.remove({ url: museum.url })
    expect(yield* addresses("crane")).toEqual([])
    const sql = yield* Sql
    yield* Shelf.remove({})
    expect(yield* sql`SELECT id FROM search_image`).toEqual([])
    expect(yield* sql`SELECT rowid FROM search_caption`).toEqual([])
    expect(yield* web({ query: "harbour" })).toEqual([])
  })

  it.effect("count as indexing work, and store only the beginning of a title", index, function* () {
    const sql = yield* Sql
    const pictures = Array.from({ length: 100 }, (_, at) => ({ url: `https://a.com/${at}.png`, caption: "pier" }))
    const title = `${"harbour ".repeat(600)}lighthouse`
    const found = yield* SearchIndex
    yield* found.add([page("https://a.com/", title, "short", { images: pictures })])
    const [waiting] = yield* sql<{ readonly size: number }>`SELECT size FROM search_pending`
    expect(waiting?.size).toBeGreaterThan(title.length + 100 * 300)
    expect(yield* addresses("pier harbour")).toHaveLength(10)
    expect(yield* sql`SELECT rowid FROM search_caption WHERE search_caption MATCH 'lighthouse'`).toEqual([])
  })
})
