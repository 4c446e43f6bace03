import * as Effect from "effect/Effect"
import { degrees } from "pdf-lib"
import { joinAccents } from "../../../src/Engine/Parse/Pdf/Accents.ts"
import { markOf, nest } from "../../../src/Engine/Parse/Pdf/Blocks.ts"
import { plainText, styleOf } from "../../../src/Engine/Parse/Pdf/Fonts.ts"
import { identity } from "../../../src/Engine/Parse/Pdf/Geometry.ts"
import { partsOf, regionsOf } from "../../../src/Engine/Parse/Pdf/Layout.ts"
import { toLogical } from "../../../src/Engine/Parse/Pdf/Lines.ts"
import type { Block } from "../../../src/Engine/Parse/Tree.ts"
import { describe, expect, it, scoped } from "../../It.ts"
import { read } from "./Folder.ts"
import { drawn, lines, outline, type Pens } from "./PdfDocuments.ts"

const markdown = (draw: Parameters<typeof drawn>[0]) =>
  Effect.promise(() => drawn(draw)).pipe(
    Effect.flatMap((bytes) => read("a.pdf", bytes)),
    Effect.map(({ document }) => document.markdown ?? "")
  )

const table = (...rows: ReadonlyArray<string>): string => [rows[0], "| --- | --- |", ...rows.slice(1)].join("\n")

describe("Footnotes of a PDF", () => {
  scoped(
    "are blocks of their own, also after a full last line; other numbers at the begin of a line are not",
    function* () {
      const rest = "It stays there until noon, and goes back to the sea as on each day before it."
      const full = "The tide of the northern coast reaches the harbour of the island in the morning."
      const found = yield* markdown((pens) => {
        lines(pens, 40, 4)
        ;[`1 ${full}`, `2 ${full}`, rest, `7 ${full}`].forEach((text, line) => {
          pens.write(40, 120 + 10 * line, text, 8)
        })
      })
      expect(found.split("\n\n").slice(-2)).toEqual([`1 ${full}`, `2 ${full} ${rest} 7 ${full}`])
    }
  )
})

describe("Tables of a PDF", () => {
  scoped("may lack rules at the sides and the top", function* () {
    const found = yield* markdown(({ level, upright, write }) => {
      ;[
        ["Harbour", "Height"],
        ["Cuxhaven", "3.1"],
        ["Busum", "3.4"]
      ].forEach(([name = "", value = ""], row) => {
        write(60, 115 + 20 * row, name)
        write(210, 115 + 20 * row, value)
        level(40, 400, 120 + 20 * row)
      })
      upright(200, 100, 160)
    })
    expect(found).toBe(table("| Harbour | Height |", "| Cuxhaven | 3.1 |", "| Busum | 3.4 |"))
  })

  scoped("may have horizontal rules only: above and below the header, and at the end", function* () {
    const found = yield* markdown(({ level, write }) => {
      level(40, 300, 100)
      write(50, 112, "Harbour")
      write(200, 112, "Height")
      level(40, 300, 116)
      ;["Cuxhaven", "Busum", "Husum", "List"].forEach((name, row) => {
        write(50, 128 + 12 * row, name)
        write(200, 128 + 12 * row, `3.${row}`)
      })
      level(40, 300, 170)
    })
    expect(found).toBe(
      table("| Harbour | Height |", "| Cuxhaven | 3.0 |", "| Busum | 3.1 |", "| Husum | 3.2 |", "| List | 3.3 |")
    )
  })

  scoped("continue over pages, without the repeated header", function* () {
    const found = yield* markdown((pens) => {
      const draw = (from: number, names: ReadonlyArray<string>) => {
        for (let line = 0; line <= names.length; line += 1) pens.level(40, 240, from + 20 * line)
        for (let line = 0; line <= 2; line += 1) pens.upright(40 + 100 * line, from, from + 20 * names.length)
        names.forEach((name, row) => {
          pens.write(46, from + 15 + 20 * row, name)
          pens.write(146, from + 15 + 20 * row, name === "Harbour" ? "Height" : "3.1")
        })
      }
      draw(700, ["Harbour", "Cuxhaven"])
      pens.newPage()
      draw(60, ["Harbour", "Busum"])
    })
    expect(found).toBe(table("| Harbour | Height |", "| Cuxhaven | 3.1 |", "| Busum | 3.1 |"))
  })
})

describe("Columns of a table of a PDF", () => {
  scoped("may be nearer to each other than the words of a wide line, and continue on the next page", function* () {
    const found = yield* markdown((pens) => {
      const rows = (names: ReadonlyArray<string>) =>
        names.forEach((name, row) => {
          pens.write(60, 100 + 14 * row, name)
          pens.write(113, 100 + 14 * row, "ebb")
          pens.write(200, 100 + 14 * row, "3.1")
        })
      rows(["Cuxhaven", "Busum", "Wilhelms.", "List"])
      pens.newPage()
      rows(["Husum", "Tonning", "Wilhelms.", "Dagebull"])
    })
    expect(found.split("\n")).toHaveLength(9)
    expect(found).toContain("| Cuxhaven | ebb | 3.1 |")
    expect(found).toContain("| Dagebull | ebb | 3.1 |")
  })

  scoped("may be ruled cell by cell, without vertical rules", function* () {
    const found = yield* markdown(({ level, write }) => {
      for (let row = 0; row < 5; row += 1) {
        level(40, 130, 100 + 20 * row)
        level(130, 200, 100 + 20 * row)
        if (row === 4) continue
        write(50, 114 + 20 * row, row === 0 ? "Harbour" : `Name ${row}`)
        write(140, 114 + 20 * row, row === 0 ? "Height" : `3.${row}`)
      }
    })
    expect(found).toBe(table("| Harbour | Height |", "| Name 1 | 3.1 |", "| Name 2 | 3.2 |", "| Name 3 | 3.3 |"))
  })

  scoped("may be spanned by a header cell, whose text is not cut at the edge", function* () {
    const found = yield* markdown(({ level, upright, write }) => {
      for (let row = 0; row < 4; row += 1) level(40, 340, 100 + 20 * row)
      for (const x of [40, 140, 340]) upright(x, 100, 160)
      upright(240, 120, 160)
      write(46, 115, "Harbour")
      write(200, 115, "Height of the water")
      ;["low", "high"].forEach((name, column) => {
        write(146 + 100 * column, 135, name)
        write(146 + 100 * column, 155, `${column}.5`)
      })
      write(46, 155, "Busum")
    })
    expect(found).toBe(
      [
        "| Harbour | Height of the water |  |",
        "| --- | --- | --- |",
        "|  | low | high |",
        "| Busum | 0.5 | 1.5 |"
      ].join("\n")
    )
  })
})

describe("Running lines of a PDF", () => {
  const pages = (count: number, edges: (pens: Pens, page: number) => void) =>
    markdown((pens) => {
      for (let page = 1; page <= count; page += 1) {
        if (page > 1) pens.newPage()
        edges(pens, page)
        for (let line = 0; line < 6; line += 1)
          pens.write(40, 200 + 12 * line, `Page ${page} has water, line ${line} of it.`)
      }
    })

  scoped("are left out of a short document, when they repeat on each page", function* () {
    const found = yield* pages(3, ({ write }, page) => {
      write(40, 40, "Tide office of the north")
      write(500, 780, `Page ${page} of 3`)
    })
    expect(found).not.toMatch(/Tide office|of 3/)
    expect(found.match(/has water/g)).toHaveLength(18)
  })

  scoped("are left out when their text changes with the chapter, but carries the number of the page", function* () {
    const titles = ["Tides", "Tides", "Winds", "Winds", "Ships", "Ships", "Ports", "Ports"]
    const found = yield* pages(8, ({ write }, page) => write(40, 40, `${page + 20} ${titles[page - 1]} of the sea`))
    expect(found).not.toContain("of the sea")
  })

  scoped("stay when only some pages of a short document have them", function* () {
    const found = yield* pages(3, ({ write }, page) =>
      page === 1 ? undefined : write(40, 40, "An answer to the first")
    )
    expect(found.match(/An answer/g)).toHaveLength(2)
  })
})

describe("Headings of a PDF", () => {
  scoped("may be capitals of the size of the text, with more space above than below", function* () {
    const found = yield* markdown((pens) => {
      lines(pens, 60, 3)
      pens.write(40, 120, "THE LOW WATER")
      lines(pens, 140, 3)
      pens.write(40, 176, "NATO and the WHO are named in a line of the text that goes on.")
      lines(pens, 188, 2)
    })
    expect(found.match(/^#.*/gm)).toEqual(["# THE LOW WATER"])
  })

  scoped("may stand beside small lines of their own, as in the head of a newsletter", function* () {
    const found = yield* markdown((pens) => {
      pens.write(40, 60, "Issued in April", 9)
      pens.write(40, 74, "By the tide office", 9)
      pens.write(40, 88, "At the harbour", 9)
      pens.write(400, 78, "Tides today", 26)
      lines(pens, 130, 4)
    })
    expect(found.split("\n\n")).toContain("# Tides today")
    expect(found).toMatch(/^Issued in April By the tide office\n/)
  })

  scoped("are the entries of its outline, whatever they look like", function* () {
    const found = yield* markdown((pens) => {
      outline(pens.file, ["Ebb and flow", "The moon"])
      pens.write(40, 100, "1 Ebb and flow")
      lines(pens, 112, 3)
      pens.write(40, 160, "The moon")
      lines(pens, 172, 3)
    })
    expect(found).toContain("# 1 Ebb and flow\n\nWater comes")
    expect(found).toContain("\n\n# The moon\n\nWater comes")
  })

  scoped("may be only slightly larger than the text, with space above", function* () {
    const found = yield* markdown((pens) => {
      lines(pens, 100, 4)
      pens.write(40, 165, "(1) The moon", 10.8)
      lines(pens, 180, 4)
    })
    expect(found).toContain("\n\n# (1) The moon\n\nWater comes")
  })

  scoped("are not list items, and list items are not headings, whatever their spacing", function* () {
    const found = yield* markdown((pens) => {
      pens.write(40, 90, "2.1 The moon", 10, pens.bold)
      lines(pens, 110, 6)
      pens.write(50, 200, "1. Look", 12)
      pens.write(50, 224, "2. Leap", 12)
    })
    expect(found).toMatch(/^#+ 2\.1 The moon\n\nWater/)
    expect(found).toMatch(/\n\n1\. Look\n2\. Leap$/)
  })
})

describe("Text of a PDF", () => {
  scoped("continues when a line happens to begin with a number or a dash", function* () {
    const found = yield* markdown(({ write }) => {
      write(40, 100, "The water comes and goes with the moon, as was told to them on the day")
      write(40, 112, "3. of the month by those who know the tides of the sea and have seen it")
      write(40, 124, "- more or less - for years.")
    })
    expect(found).toBe(
      "The water comes and goes with the moon, as was told to them on the day 3. of the month by those who know the tides of the sea and have seen it - more or less - for years."
    )
  })

  scoped("continues on the next page, also in the middle of a word", function* () {
    const found = yield* markdown(({ newPage, write }) => {
      write(40, 700, "The water comes and goes with the moon, as was told to them by the har-")
      newPage()
      write(40, 100, "bour master, who knows.")
      newPage()
      write(40, 100, "Another day is told of here.")
    })
    expect(found).toBe(
      "The water comes and goes with the moon, as was told to them by the harbour master, who knows.\n\nAnother day is told of here."
    )
  })

  scoped("is read column by column, whatever the other column contains", function* () {
    const found = yield* markdown((pens) => {
      for (let line = 0; line < 30; line += 1) {
        pens.write(40, 100 + 12 * line, `Water comes and goes with the moon, day ${10 + line} and next`)
        if (line % 3 === 0) pens.write(320 + (line % 9) * 8, 100 + 12 * line, `step ${line}`)
        if (line % 9 === 0) pens.write(500, 100 + 12 * line, "ebb")
      }
    })
    expect(found).toMatch(/^Water comes and goes with the moon, day 10 and next Water comes .* day 39 and next\n\n/)
  })

  it("is read column by column where justified lines have wide gaps", () => {
    const words = "water comes and goes with the moon every day on the coast of this cold sea where herons wait".split(
      " "
    )
    const width = (text: string) => 5 * text.length
    const line = (name: string, left: number, row: number) => {
      const all = [name, ...words, ...words.slice(row % 9), ...words].slice(row === 0 ? 0 : 1 + ((row * 7) % 18))
      const room = row % 2 === 0 ? 100 : 138
      const some = all.filter((_, at) => width(all.slice(0, at + 1).join(" ")) <= room)
      const gap = (150 - width(some.join(""))) / (some.length - 1)
      return some.map((text, at) => {
        const x0 = left + width(some.slice(0, at).join("")) + at * gap
        const look = { size: 10, bold: false, italic: false, mono: false, href: undefined }
        return { ...look, text, x0, x1: x0 + width(text), y: 100 + 12 * row }
      })
    }
    const rows = Array.from({ length: 36 }, (_, row) => row)
    const pieces = ["low", "mid", "top"].flatMap((name, column) =>
      rows.flatMap((row) => line(name, 40 + 175 * column, row))
    )
    const firsts = regionsOf(pieces).map(([row]) => row?.segments[0]?.pieces[0]?.text)
    expect(firsts).toEqual(["low", "mid", "top"])
  })

  scoped("that runs vertically along the edge of a page is no heading", function* () {
    const found = yield* markdown((pens) => {
      lines(pens, 100, 6)
      pens.page().drawText("Drafted in March", { x: 20, y: 300, size: 20, rotate: degrees(90) })
    })
    expect(found).toMatch(/\n\nDrafted in March$/)
  })

  scoped("has no line numbers, and separates footnote marks from words", function* () {
    const numbered = yield* markdown((pens) => {
      lines(pens, 100, 12)
      for (let line = 1; line <= 12; line += 1) pens.write(line < 10 ? 20 : 15, 88 + 12 * line, String(line))
    })
    expect(numbered).toMatch(/^Water comes .*line 0 Water comes/)
    expect(numbered).toMatch(/line 11$/)
    const note = yield* markdown(({ write }) => {
      write(40, 100, "Water")
      write(67, 96, "12", 6)
    })
    expect(note).toBe("Water 12")
  })

  it("combines letters with accents that are drawn separately", () => {
    const piece = (text: string, x0: number, x1: number) => ({
      text,
      x0,
      x1,
      y: 100,
      size: 10,
      bold: false,
      italic: false,
      mono: false,
      href: undefined
    })
    const texts = (...pieces: ReadonlyArray<ReturnType<typeof piece>>) => joinAccents(pieces).map(({ text }) => text)
    expect(texts(piece("Baudi\u02c7", 0, 30), piece("s and", 25.5, 50))).toEqual(["Baudi\u0161 and"])
    expect(texts(piece("Franc", 0, 30), piece("\u00b8ais", 25, 50))).toEqual(["Fran\u00e7ais"])
    expect(texts(piece("na\u00a8", 0, 15), piece("\u0131ve", 11, 30))).toEqual(["na\u00efve"])
    expect(texts(piece("a^", 0, 10), piece("b", 10, 15))).toEqual(["a^", "b"])
  })

  it("expands ligatures of fonts", () => {
    const tex = { name: "ABCDEF+CMR10" }
    expect(plainText("\u21b5", tex) + plainText("\u000c", tex)).toBe("fffi")
    expect(plainText("\u21b5", { name: "Arial" })).toBe("\u21b5")
    expect(plainText("\ufb01", {})).toBe("fi")
    // Lam-alef ligature: the whole line is reordered.
    expect(toLogical(`\u0645${plainText("\ufefb", {})}\u0633`)).toBe("\u0633\u0644\u0627\u0645")
    expect(styleOf({ name: "AAAAAD+SFBX1000" }).bold).toBe(true)
    expect(styleOf({ name: "ABCDEF+CMTI10" })).toEqual({ bold: false, italic: true, mono: false })
  })
})

describe("A hostile PDF page", () => {
  const piece = (text: string, x0: number, y: number) => {
    const look = { size: 10, bold: false, italic: false, mono: false, href: undefined }
    return { text, x0, x1: x0 + 5 * text.length, y, ...look }
  }

  it("is read quickly, however far apart its words are", () => {
    const near = Array.from({ length: 8 }, (_, at) => piece("The sea rises.", 40, 12 * at))
    expect(regionsOf([...near, piece("far", 1e12, 120)])).toHaveLength(1)
    expect(regionsOf([...near, piece("farther", 1e18, 120)])).toHaveLength(1)
  })

  it("is searched for tables in linear time, however many beginnings of tables it has", () => {
    const rows = Array.from({ length: 4_000 }, (_, at) => [
      piece(`${at % 99}.`, 40, 12 * at),
      piece("tide", 140, 12 * at)
    ])
    const before = process.cpuUsage()
    expect(partsOf({ pieces: rows.flat(), rules: [], turned: false, rotation: identity })).toHaveLength(1)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(3_000)
  })

  it("has a bounded nesting of lists", () => {
    const mark = markOf("- a")
    const stairs = Array.from({ length: 5_000 }, (_, at) =>
      mark === undefined ? [] : [{ x: 6 * at, mark, content: [] }]
    )
    const depthOf = (blocks: ReadonlyArray<Block>): number =>
      Math.max(
        0,
        ...blocks.map((block) => (block.kind === "list" ? 1 + depthOf(block.items.flatMap((item) => item.blocks)) : 0))
      )
    expect(depthOf(nest(stairs.flat()))).toBe(12)
  })
})
