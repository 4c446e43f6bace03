/** What a request gets of the pages of a PDF: Markdown page by page, blocks with positions, and page markers. */
import * as Effect from "effect/Effect"
import { degrees, PDFDocument } from "pdf-lib"
import type { Document } from "../../../src/Api/Document.ts"
import { writePages } from "../../../src/Engine/Parse/PageOutput.ts"
import type { ReadOptions } from "../../../src/Engine/Parse/Protocol.ts"
import { paragraph } from "../../../src/Engine/Parse/Tree.ts"
import { describe, expect, it, scoped } from "../../It.ts"
import { read } from "./Folder.ts"
import { drawn, lines, type Pens } from "./PdfDocuments.ts"

const everything = { pages: true, blocks: true, pageMarkers: true }

const parsed = (draw: Parameters<typeof drawn>[0], options: Partial<ReadOptions> = {}) =>
  Effect.promise(() => drawn(draw)).pipe(
    Effect.flatMap((bytes) => read("a.pdf", bytes, { formats: ["markdown"], pages: everything, ...options })),
    Effect.map(({ document }) => document)
  )

const sentence = "Water comes and goes with the moon, twice in a day and a bit more, and the boats wait for"

/** A report of four pages with a running header: a paragraph goes on over the first two, a table over the next two. */
const report = (pens: Pens) => {
  const { level, newPage, upright, write } = pens
  const table = (y: number, names: ReadonlyArray<string>) => {
    for (let row = 0; row <= names.length; row += 1) level(40, 240, y + 20 * row)
    for (const x of [40, 140, 240]) upright(x, y, y + 20 * names.length)
    names.forEach((name, row) => {
      write(46, y + 15 + 20 * row, name)
      write(146, y + 15 + 20 * row, name === "Harbour" ? "Height" : "3.1")
    })
  }
  const header = () => write(400, 30, "Tide office, 2026")
  header()
  write(40, 80, "Tides", 20)
  write(40, 120, sentence)
  newPage()
  header()
  write(40, 80, "it in the harbour, which is not far from here.")
  write(40, 120, "Boats", 14)
  lines(pens, 140, 2)
  table(200, ["Harbour", "Cuxhaven"])
  newPage()
  header()
  table(60, ["Harbour", "Busum", "Husum"])
  write(40, 160, "That was all of them.")
  newPage()
  header()
  write(40, 80, "The last page.")
}

const items = ({ blocks }: Document) => (blocks ?? []).flatMap((page) => page.items)

describe("Pages of a PDF", () => {
  scoped("have their own Markdown, as it stands there", function* () {
    const { metadata, pages } = yield* parsed(report)
    expect(pages?.map(({ pageNumber }) => pageNumber)).toEqual([1, 2, 3, 4])
    expect(pages?.[0]?.markdown).toBe(`# Tides\n\n${sentence}`)
    expect(pages?.[1]?.markdown).toMatch(/^it in the harbour[\s\S]*## Boats[\s\S]*\| Harbour \| Height \|/)
    expect(pages?.[2]?.markdown).toMatch(/^\| Harbour \| Height \|\n\| --- \| --- \|\n\| Busum/)
    expect(pages?.[3]?.markdown).toBe("The last page.")
    expect(metadata).toMatchObject({ numPages: 4, totalPages: 4 })
  })

  scoped("are marked in the Markdown where one begins, not within what goes on", function* () {
    const { markdown = "" } = yield* parsed(report)
    const parts = markdown?.split(/\n\n---\n\n<!-- page (\d+) -->\n\n/) ?? []
    expect(parts.filter((_, index) => index % 2 === 1)).toEqual(["2", "3", "4"])
    expect(parts[0]).toBe(`# Tides\n\n${sentence} it in the harbour, which is not far from here.`)
    expect(parts[2]).toMatch(/\| Cuxhaven \| 3.1 \|\n\| Busum \| 3.1 \|\n\| Husum \| 3.1 \|$/)
    expect(parts[4]).toBe("That was all of them.")
    const plain = yield* parsed(report, { pages: undefined })
    expect(plain.markdown).toBe(parts.filter((_, index) => index % 2 === 0).join("\n\n"))
    expect(Object.keys(plain).sort()).toEqual(["markdown", "metadata"])
  })

  scoped("have blocks with types, positions and the text that they add to the Markdown", function* () {
    const document = yield* parsed(report)
    const { blocks = [], markdown } = document
    expect(blocks?.map(({ height, status, width }) => [width, height, status])).toEqual(
      Array.from({ length: 4 }, () => [600, 800, "ok"])
    )
    for (const { content, markdownSpan } of items(document)) {
      if (markdownSpan !== null) expect(markdown?.slice(...markdownSpan)).toBe(content)
    }
    expect(
      items(document).map(({ id, label, markdownSpan, type }) => [id, type, label, markdownSpan !== null])
    ).toEqual([
      ["p1.b0", "page_header", null, false],
      ["p1.b1", "title", "H1", true],
      ["p1.b2", "text", null, true],
      ["p2.b0", "page_header", null, false],
      ["p2.b1", "text", null, true],
      ["p2.b2", "section_header", "H2", true],
      ["p2.b3", "text", null, true],
      ["p2.b4", "table", null, true],
      ["p3.b0", "page_header", null, false],
      ["p3.b1", "table", null, true],
      ["p3.b2", "text", null, true],
      ["p4.b0", "page_header", null, false],
      ["p4.b1", "text", null, true]
    ])
    const [, title, , , tail, , , , , rows] = items(document)
    expect(title).toMatchObject({
      content: "# Tides",
      readingOrder: 1,
      source: "native_text",
      confidence: { layout: null, ocr: null }
    })
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = title?.bbox ?? []
    expect(x0).toBeCloseTo(40 / 600, 2)
    expect(x1).toBeGreaterThan(x0 + 0.05)
    expect([y0, y1]).toEqual([expect.closeTo(65 / 800, 2), expect.closeTo(84 / 800, 2)])
    expect(tail?.content).toBe("it in the harbour, which is not far from here.")
    expect(rows?.content).toBe("| Busum | 3.1 |\n| Husum | 3.1 |")
  })

  scoped("keep positions of a word that a page break splits, and of text that is turned", function* () {
    const document = yield* parsed(({ newPage, page, write }) => {
      write(40, 100, `${sentence} the har-`)
      newPage()
      write(40, 100, "bour to be open again, which it is at noon.")
      page().drawText("A note at the side of the page", { x: 580, y: 100, size: 10, rotate: degrees(90) })
    })
    const [start, end, note] = items(document)
    expect(document.markdown).toContain("the harbour to be")
    expect(start?.content).toMatch(/the har$/)
    expect(end?.content).toMatch(/^bour to be/)
    for (const { content, markdownSpan } of [start, end].flatMap((each) => each ?? [])) {
      expect(document.markdown?.slice(...(markdownSpan ?? [0, 0]))).toBe(content)
    }
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = note?.bbox ?? []
    expect([x0 > 0.9, x1 <= 1, y1 > 0.8, y1 - y0 > 4 * (x1 - x0)]).toEqual([true, true, true, true])
  })

  it("point at each part of a paragraph, however short, and at none whose place is not known", () => {
    const spansOf = (markdown: string, parts: ReadonlyArray<string>) => {
      const box = { x0: 0, y0: 0, x1: 1, y1: 1 }
      const places = parts.map((part, index) => ({ page: index + 1, box, block: paragraph(part) }))
      const pages = places.map(({ page }) => ({
        number: page,
        size: undefined,
        isUnreadable: false,
        blocks: [],
        running: []
      }))
      const tree = { blocks: [paragraph(markdown)], metadata: {}, warnings: [] }
      const written = writePages(tree, { pages, places: [places] }, { ...everything, pages: false })
      return written.blocks?.flatMap(({ items }) => items.map(({ markdownSpan }) => markdownSpan))
    }
    expect(spansOf("All of the he and a me-her", ["All of the", "he", "and a", "me-", "her"])).toEqual([
      [0, 10],
      [11, 13],
      [14, 19],
      [20, 23],
      [23, 26]
    ])
    // The second part was joined in another way.
    expect(
      spansOf("One two three six, and a longer text.", ["One", "two-three", "six,", "and a longer text."])
    ).toEqual([[0, 3], null, null, null])
    expect(
      spansOf("One two three six, and here a text that is long.", ["One", "two-three", "and here a text that is long."])
    ).toEqual([[0, 3], null, [19, 48]])
  })

  scoped("that are scanned have failed, with nothing on them", function* () {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP8z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
      "base64"
    )
    const bytes = yield* Effect.promise(async () => {
      const file = await PDFDocument.create()
      const image = await file.embedPng(png)
      file.addPage([600, 800]).drawText("The cover has text.")
      file.addPage([600, 800]).drawImage(image, { x: 0, y: 0, width: 600, height: 800 })
      file.addPage([600, 800])
      return Buffer.from(await file.save())
    })
    const { document } = yield* read("a.pdf", bytes, { formats: ["markdown"], pages: everything })
    expect(document.blocks?.map(({ items, status }) => [status, items.length])).toEqual([
      ["ok", 1],
      ["failed", 0],
      ["ok", 0]
    ])
    expect(document.pages?.map(({ markdown }) => markdown)).toEqual(["The cover has text.", "", ""])
    expect(document.metadata?.warning).toBe("These pages are scanned, so their text cannot be read: 2.")
  })

  scoped("are counted as they were read, and end where the request ends them", function* () {
    const { blocks, metadata, pages } = yield* parsed(report, { maxPages: 2 })
    expect([blocks?.length, pages?.length]).toEqual([2, 2])
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 4 })
  })

  scoped("have no offsets and no markers in a Markdown of selected elements", function* () {
    const document = yield* parsed(report, { excludeTags: ["table"] })
    expect(document.markdown).not.toContain("<!-- page")
    expect(document.warning).toMatch(/pageMarkers has no effect/)
    expect(items(document).every(({ markdownSpan }) => markdownSpan === null)).toBe(true)
    expect(document.pages).toHaveLength(4)
  })
})
