import * as Effect from "effect/Effect"
import { type Block, type Inline, text } from "../../../src/Engine/Parse/Tree.ts"
import { withTypedLists } from "../../../src/Engine/Parse/TypedLists.ts"
import { describe, expect, it, scoped } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import * as Documents from "./Documents.ts"
import { read } from "./Folder.ts"

describe("A small file", () => {
  scoped.skipIf(skipsLong)("that expands to a huge document is refused", function* () {
    const bytes = Documents.sameCell("x".repeat(32_000), 2_200)
    expect(bytes.length).toBeLessThan(200_000)
    const refused = yield* Effect.flip(read("bomb.xlsx", bytes, { formats: ["markdown"] }))
    expect(refused).toMatchObject({ code: "FILE_TOO_COMPLEX" })
    const { document, indexed } = yield* read("bomb.xlsx", bytes, { formats: ["links"] })
    expect(document.links).toEqual([])
    expect(indexed.text.length).toBeLessThanOrEqual(2_000_000)
  })

  scoped("has the title of the page, as when it is scraped", function* () {
    const titleOf = (head: string) =>
      Effect.map(read("a.html", Documents.html("<p>x</p>", head)), ({ document }) => document.metadata?.title)
    const title = "<title>Tides - The Tide Office</title>"
    const site = '<meta property="og:site_name" content="The Tide Office">'
    expect(yield* titleOf(title)).toBe("Tides - The Tide Office")
    expect(yield* titleOf(`${title}${site}<meta property="og:title" content="Tides">`)).toBe("Tides - The Tide Office")
    expect(yield* titleOf(`${site}<meta property="og:title" content="Tides">`)).toBe("Tides")
    expect(yield* titleOf(`${title}${site}<meta property="og:title" content="The Tide Office">`)).toBe(
      "Tides - The Tide Office"
    )
  })

  scoped("has its publication date", function* () {
    const head = (time: string) => `<title>T</title><meta property="article:published_time" content="${time}">`
    const { indexed } = yield* read("a.html", Documents.html("<p>x</p>", head("2024-05-06T07:08:09Z")))
    expect(indexed.published).toEqual(new Date("2024-05-06T07:08:09Z"))
    const odd = yield* read("a.html", Documents.html("<p>x</p>", head("last Tuesday")))
    expect(odd.indexed.published).toBeUndefined()
  })
})

describe("DOCX", () => {
  scoped("keeps headings, emphasis, links, lists, tables with lists in cells, notes and images", function* () {
    const bytes = yield* Effect.promise(Documents.docx)
    const { document, indexed } = yield* read("tides.docx", bytes)
    expect(document.markdown).toBe(
      [
        "# Tides",
        "The sea rises **twice** a day, see [the moon](https://example.org/moon?a=1&b=2)[^1]",
        "## What to bring",
        "- Boots\n  - Rubber ones\n- Rope",
        "1. Look\n2. Leap",
        "| Harbour | Height \\| m |\n| --- | --- |\n| Cuxhaven | - 3.1<br>- 3.4 |",
        "![A tide gauge](<Base64-Image-Removed>)",
        "[^1]: Measured at noon."
      ].join("\n\n")
    )
    expect(document.links).toEqual(["https://example.org/moon?a=1&b=2"])
    expect(document.images).toEqual([])
    expect(document.metadata).toMatchObject({
      title: "Tide tables",
      author: "Ada Waters",
      keywords: "sea, moon",
      description: "When the water comes",
      sourceURL: "tides.docx",
      statusCode: 200
    })
    expect(document.warning).toBeUndefined()
    expect(indexed).toMatchObject({ title: "Tide tables", description: "When the water comes" })
    expect(indexed.text).toContain("Cuxhaven")
  })

  scoped("writes HTML with the same structure", function* () {
    const bytes = yield* Effect.promise(Documents.docx)
    const { document } = yield* read("tides.docx", bytes, { removeBase64Images: false })
    expect(document.html).toContain("<title>Tide tables</title>")
    expect(document.html).toContain("<h2>What to bring</h2>")
    expect(document.html).toContain("<strong>twice</strong>")
    expect(document.html).toContain('<a href="https://example.org/moon?a=1&amp;b=2">the moon</a>')
    expect(document.html).toContain("<ol>\n<li>Look</li>")
    expect(document.html).toContain("<th>Height | m</th>")
    expect(document.html).toContain('<aside id="note-1">')
    expect(document.images?.[0]).toMatch(/^data:image\/png;base64,/)
  })

  scoped("applies selectors", function* () {
    const bytes = yield* Effect.promise(Documents.docx)
    const included = yield* read("tides.docx", bytes, { includeTags: ["table"] })
    expect(included.document.markdown).toContain("Cuxhaven")
    expect(included.document.markdown).not.toContain("What to bring")
    const excluded = yield* read("tides.docx", bytes, { excludeTags: ["table", "h1"] })
    expect(excluded.document.markdown).not.toContain("Cuxhaven")
    expect(excluded.document.markdown).toContain("## What to bring")
    expect(excluded.document.metadata?.title).toBe("Tide tables")
  })

  scoped("produces only the requested formats", function* () {
    const bytes = yield* Effect.promise(Documents.docx)
    const { document } = yield* read("tides.docx", bytes, { formats: ["summary"] })
    expect(Object.keys(document).sort()).toEqual(["metadata", "summary"])
    expect(document.summary).toContain("The sea rises twice a day")
  })
})

describe("ODT and RTF", () => {
  scoped("are read with their own metadata", function* () {
    const { document } = yield* read("tides.odt", Documents.odt())
    expect(document.markdown).toBe("# Tides\n\nThe sea rises.\n\n- Boots")
    expect(document.metadata).toMatchObject({
      title: "Ebb & flow",
      author: "Ada Waters",
      keywords: "sea, moon",
      language: "en-GB"
    })
    const rtf = yield* read("tides.rtf", Documents.rtf())
    expect(rtf.document.markdown).toContain("The sea **rises**.")
    expect(rtf.document.markdown).toContain("| A1 | B1 |\n| --- | --- |\n| A2 | B2 |")
    expect(rtf.document.metadata).toMatchObject({ title: "Ebb & flow", author: "Ada Waters" })
    const cyrillic = "{\\rtf1\\ansi\\ansicpg1251{\\info{\\title \\'cf\\'f0\\'e8\\'eb\\'e8\\'e2}}\\pard x\\par}"
    const { document: tide } = yield* read("tide.rtf", Buffer.from(cyrillic))
    expect(tide.metadata?.title).toBe("Прилив")
  })
})

describe("Links of a DOCX", () => {
  scoped("keep their fragment, and never point to a script", function* () {
    const { document } = yield* read("links.docx", Documents.linkedDocx())
    expect(document.markdown).toBe(
      "[all](https://example.org/tides)\n\n[ebb](https://example.org/tides#ebb)\n\n[here](#here)\n\nrun"
    )
  })
})

describe("Headings of a DOCX", () => {
  scoped("are numbered by their styles", function* () {
    const { document } = yield* read("numbers.docx", Documents.numberedDocx())
    expect(document.markdown?.split("\n\n")).toEqual([
      "# I. Tides",
      "## I.1. Ebb",
      "## I.2. Flow & flood",
      "### 2.a) Spring",
      "# II. Moon",
      "### 1.a) Full",
      "## II.2. New"
    ])
  })

  scoped("begin to count again where their list says so, in its formats", function* () {
    const { document } = yield* read("numbers.docx", Documents.restartedDocx())
    expect(document.markdown?.split("\n\n")).toEqual([
      "# I. Tides",
      "# II. Moon",
      "## 2.1. Full",
      "### II.01) Spring",
      "# I. Annex",
      "## 1.1. Tables",
      "# II. Second annex",
      "## 2.5. Maps",
      "# III. Index"
    ])
  })
})

describe("DOC", () => {
  scoped("is read with its text, links, tables and metadata", function* () {
    const { document } = yield* read("tides.doc", Documents.doc())
    expect(document.markdown).toContain("The sea rises.\n\nSee [the moon](x)")
    expect(document.markdown).toContain("| Harbour | Height |")
    expect(document.metadata).toMatchObject({ title: "Ebb & flow", author: "Ada Waters" })
  })

  scoped("of Word 6 or 95 is refused as a format that is not supported", function* () {
    const refused = yield* Effect.flip(read("tides.doc", Documents.doc(6)))
    expect(refused).toMatchObject({ code: "UNSUPPORTED_FILE_TYPE" })
  })
})

describe("lists", () => {
  scoped("are those whose signs are text, two items or more", function* () {
    const lines = [
      "Take",
      "\\bullet  boots",
      "\\bullet  tea",
      "then",
      "1.\\tab {\\b go}",
      "2.\\tab wait",
      "4. not next",
      "end"
    ]
    const rtf = Buffer.from(`{\\rtf1\\ansi ${lines.map((line) => `\\pard ${line}\\par`).join("\n")}}`)
    const { document } = yield* read("tides.rtf", rtf)
    expect(document.markdown).toBe("Take\n\n- boots\n- tea\n\nthen\n\n1. **go**\n2. wait\n\n4\\. not next\n\nend")
  })

  it("do not begin after a link, a picture or a call of a note", () => {
    const twice = (begin: Inline, ...rest: ReadonlyArray<string>) =>
      rest.map((words): Block => ({ kind: "paragraph", content: [begin, text(words)] }))
    const cases = [
      twice({ kind: "link", href: "/", content: [text("Home")] }, " • contact us", " • open"),
      twice({ kind: "image", src: "/a.png", alt: "" }, "• one", "• two"),
      twice({ kind: "call", note: 1 }, " 1. Bridge", " 2. Tower")
    ]
    for (const blocks of cases) expect(withTypedLists(blocks)).toEqual(blocks)
  })

  const item = (...blocks: ReadonlyArray<string>) => `<text:list-item>${blocks.join("")}</text:list-item>`
  const line = (words: string) => item(`<text:p>${words}</text:p>`)
  const levels = [1, 2].map(
    (level) => `<text:list-level-style-number text:level="${level}" style:num-format="1" style:num-suffix="."/>`
  )
  const numbers = `<text:list-style style:name="N">${levels.join("")}</text:list-style>`
  const list = (items: ReadonlyArray<string>, attributes = "") =>
    `<text:list ${attributes}>${items.join("")}</text:list>`
  const inner = item(list([line("rubber")]))

  scoped("go on after an inner list that the source has in an item of its own", function* () {
    const of = (...lists: ReadonlyArray<string>) =>
      Effect.map(
        read("tides.odt", Documents.odt("", lists.join(""), numbers)),
        ({ document }) => document.markdown?.split("rises.\n\n")[1]
      )
    const [boots, coat, tea] = [line("Boots"), line("Coat"), line("Tea")]
    const numbered = 'text:style-name="N"'
    const bullets = list([boots, coat])
    expect(yield* of(list([boots, inner, tea]))).toBe("- Boots\n  - rubber\n- Tea")
    expect(yield* of(bullets, list([inner, tea]))).toBe("- Boots\n- Coat\n  - rubber\n- Tea")
    expect(yield* of(bullets, list([inner, tea], numbered))).toBe("- Boots\n- Coat\n  1. rubber\n\n1. Tea")
    const counted = list([boots, coat], numbered)
    expect(yield* of(counted, list([inner, tea]))).toBe("1. Boots\n2. Coat\n   - rubber\n\n- Tea")
    expect(yield* of(counted, list([inner, tea], numbered))).toBe("1. Boots\n2. Coat\n   1. rubber\n\n1. Tea")
    const continued = list([inner, tea], `${numbered} text:continue-numbering="true"`)
    expect(yield* of(counted, continued)).toBe("1. Boots\n2. Coat\n   1. rubber\n3. Tea")
  })

  scoped.skipIf(skipsLong)(
    "take linear time, however many inner lists the source has in items of their own",
    function* () {
      const cost = Effect.fnUntraced(function* (size: number) {
        const bytes = Documents.odt("", list([line("Boots"), ...Array.from({ length: size }, () => inner)]))
        const before = process.cpuUsage()
        yield* read("tides.odt", bytes, { formats: ["markdown"] })
        const { system, user } = process.cpuUsage(before)
        return user + system
      })
      yield* cost(2_500)
      const small = yield* cost(2_500)
      expect(yield* cost(20_000)).toBeLessThan(20 * small)
    }
  )
})

describe("RTF", () => {
  scoped("has headings by outline level alone", function* () {
    const { document } = yield* read("tides.rtf", Documents.outlinedRtf())
    expect(document.markdown).toBe("# Tides\n\nThe sea.\n\n## Ebb")
  })
})

describe("sheets", () => {
  scoped("are titled by their names; a single sheet only if its name is not a default", function* () {
    const lone = yield* read("a.xlsx", Documents.loneSheet("Лист1"))
    expect(lone.document.markdown).toBe("| Day |\n| --- |\n| 3/15/2023 |\n| 3/15/2023 6:00 |")
    const named = yield* read("a.xlsx", Documents.loneSheet("Tides"))
    expect(named.document.markdown).toMatch(/^## Tides\n/)
  })

  scoped("contain what Excel shows: visible sheets, formatted values, no hidden rows or columns", function* () {
    const { document } = yield* read("heights.xlsx", Documents.workbook())
    expect(document.markdown).toBe(
      [
        "## North Sea",
        "| Harbour | Height | Day |\n| --- | --- | --- |\n| [Cuxhaven](https://example.org/cuxhaven) | 3.14 | 2023-03-15 |\n| Büsum | 1,234.50 | 2023-03-17 |",
        "## Second",
        "| a\\|b | c |\n| --- | --- |\n| 1 | 2<br>3 |"
      ].join("\n\n")
    )
    expect(document.links).toEqual(["https://example.org/cuxhaven"])
    expect(document.metadata).toMatchObject({
      title: "Heights",
      author: "Ada Waters",
      createdTime: "2024-05-06T07:08:09.000Z"
    })
  })

  scoped("are read from XLS and TSV too", function* () {
    const old = yield* read("heights.xls", Documents.workbook("biff8"))
    expect(old.document.markdown).toContain("| Büsum | 1,234.50 | 2023-03-17 |")
    expect(old.document.markdown).not.toContain("not to be seen")
    const tabs = yield* read("heights.xls", Buffer.from("alpha\tbeta\n1\t2\n"))
    expect(tabs.document.markdown).toContain("| alpha | beta |\n| --- | --- |\n| 1 | 2 |")
    expect(tabs.document.warning).toContain("text/tab-separated-values")
  })

  scoped("are read from text files named .xls with their own letters, and texts that look like numbers", function* () {
    const table = 'Ort;Nr\nBüsum;="00123"\n見本;"=""0042"""\n'
    for (const bytes of [Buffer.from(table), Buffer.from(`\ufeff${table}`, "utf16le")]) {
      const { document } = yield* read("heights.xls", bytes)
      expect(document.markdown).toContain("| Ort | Nr |\n| --- | --- |\n| Büsum | 00123 |\n| 見本 | 0042 |")
    }
    const german = Buffer.from("ID;Höhe\n1;Büsum über Größe\n", "latin1")
    const { document } = yield* read("heights.xls", german)
    expect(document.markdown).toContain("| ID | Höhe |\n| --- | --- |\n| 1 | Büsum über Größe |")
    const unsure = yield* read("heights.xls", Buffer.from("a;b\n\xfe\xff;\xa4\xa6\n", "latin1"))
    expect(unsure.document.warning).toMatch(/text\/tab-separated-values.*it was read as \S+, which may be wrong/)
  })

  scoped("repeat the value of a merged cell in every place of the tables, and show none that it covers", function* () {
    for (const [name, type] of [
      ["a.xlsx", "xlsx"],
      ["a.xls", "biff8"],
      ["a.ods", "ods"]
    ] as const) {
      const { document } = yield* read(name, Documents.mergedSheet(type), {
        formats: ["markdown", "html"],
        data: { formats: ["tables"], fields: undefined }
      })
      expect(document.markdown, name).toBe(
        [
          "| Harbour | Height |  |",
          "| --- | --- | --- |",
          "|  | Ebb | Flow |",
          "| [Cuxhaven](https://example.org/c) | 1 | 2 |",
          "|  | 3 | 4 |"
        ].join("\n")
      )
      expect(document.html, name).toContain('<th colspan="2">Height</th>')
      expect(document.tables, name).toMatchObject([
        {
          header: ["Harbour", "Height", "Height"],
          rows: [
            ["Harbour", "Ebb", "Flow"],
            ["Cuxhaven", "1", "2"],
            ["Cuxhaven", "3", "4"]
          ]
        }
      ])
    }
  })
})

describe("HTML", () => {
  scoped("goes through the same extraction as a page", function* () {
    const body = "<nav><a href='/x'>menu</a></nav><main><h1>Tides</h1><p>The sea rises twice a day.</p></main>"
    const { document } = yield* read("tides.html", Documents.html(body))
    expect(document.markdown).toContain("# Tides\n\nThe sea rises twice a day.")
    expect(document.markdown).not.toContain("menu")
    expect(document.rawHtml).toContain("<nav>")
    expect(document.metadata).toMatchObject({ title: "Tides", language: "en", contentType: "text/html" })
    const whole = yield* read("tides.html", Documents.html(body), { onlyMainContent: false })
    expect(whole.document.markdown).toContain("menu")
  })
})

describe("a file with a wrong extension or damage", () => {
  scoped("is read by its real type, with a warning", function* () {
    const rtf = yield* read("really.doc", Documents.rtf())
    expect(rtf.document.markdown).toContain("| A2 | B2 |")
    expect(rtf.document.warning).toBe(
      "The file name indicates doc, but the content is application/rtf, so the file was read as application/rtf."
    )
    const text = yield* read("really.docx", Buffer.from("First words.\n\n1. not a list"))
    expect(text.document.markdown).toBe("First words.\n\n1\\. not a list")
    expect(text.document.warning).toContain("text/plain")
    const page = yield* read("page.xls", Documents.html("<table><tr><th>a</th></tr><tr><td>b</td></tr></table>"))
    expect(page.document.metadata?.contentType).toBe("text/html")
    const book = yield* read("book.docx", Documents.workbook())
    expect(book.document.markdown).toContain("## North Sea")
  })

  scoped("is refused as encrypted", function* () {
    const locked = yield* Effect.promise(Documents.lockedPdf)
    const files = [
      ["a.docx", Documents.compound("EncryptionInfo", "EncryptedPackage")],
      ["a.xlsx", Documents.compound("EncryptionInfo", "EncryptedPackage")],
      ["a.odt", Documents.odt("<manifest:encryption-data/>")],
      ["a.pdf", locked]
    ] as const
    for (const [name, bytes] of files) {
      const refusal = yield* Effect.flip(read(name, bytes))
      expect(refusal, name).toMatchObject({ code: "FILE_ENCRYPTED" })
    }
  })

  scoped("is refused as corrupt", function* () {
    const docx = yield* Effect.promise(Documents.docx)
    const files = [
      ["a.docx", docx.subarray(0, 300)],
      ["a.doc", Documents.compound("WordDocument")],
      ["a.pdf", Buffer.from("%PDF-1.7\nnothing more")],
      ["a.xlsx", Documents.workbook().subarray(0, 900)],
      ["a.docx", Buffer.from([0, 1, 2, 3, 0, 1, 2, 3])],
      ["a.docx", Documents.zip([{ name: "else.txt", text: "else" }])]
    ] as const
    for (const [name, bytes] of files) {
      const refusal = yield* Effect.flip(read(name, bytes))
      expect(refusal, name).toMatchObject({ code: "FILE_CORRUPT" })
    }
  })

  scoped("is refused before decompression if the archive declares too much", function* () {
    const huge = Documents.zip([{ name: "word/document.xml", text: "<w/>", declared: 600 * 1024 * 1024 }])
    expect(yield* Effect.flip(read("a.docx", huge))).toMatchObject({ code: "FILE_TOO_COMPLEX" })
    const parts = Array.from({ length: 10_001 }, (_, index) => ({ name: `word/${index}`, text: "" }))
    expect(yield* Effect.flip(read("a.docx", Documents.zip(parts)))).toMatchObject({ code: "FILE_TOO_COMPLEX" })
  })
})

describe("selectors", () => {
  scoped.skipIf(skipsLong)("work in every format, and metadata stays", function* () {
    const [docx, pdf] = yield* Effect.promise(() => Promise.all([Documents.docx(), Documents.pdf()]))
    const files = [
      ["a.docx", docx],
      ["a.pdf", pdf],
      ["a.xlsx", Documents.workbook()],
      ["a.xls", Documents.workbook("biff8")],
      ["a.odt", Documents.odt()],
      ["a.rtf", Documents.rtf()],
      ["a.doc", Documents.doc()],
      ["a.html", Documents.html("<h1>Tides</h1><p>The sea rises.</p>")]
    ] as const
    for (const [name, bytes] of files) {
      const whole = (yield* read(name, bytes)).document
      const none = (yield* read(name, bytes, { includeTags: ["blink"] })).document
      const excluded = (yield* read(name, bytes, { excludeTags: ["body > *", "p", "table", "ul", "ol"] })).document
      const all = (yield* read(name, bytes, { includeTags: ["h1", "h2", "h3", "p", "table"] })).document
      expect(none.markdown, name).toBe("")
      expect(none.warning, name).toMatch(/^No content matches includeTags \(blink\), so the content is empty/)
      expect(excluded.warning, name).toBeUndefined()
      expect(excluded.markdown, name).toBe("")
      expect(all.markdown?.length, name).toBeGreaterThan(10)
      expect(none.metadata?.title, name).toBe(whole.metadata?.title)
      expect(none.metadata, name).toMatchObject({ sourceURL: name, statusCode: 200 })
    }
  })
})
