import * as Effect from "effect/Effect"
import { PDFDocument } from "pdf-lib"
import { toLogical } from "../../../src/Engine/Parse/Pdf/Lines.ts"
import { describe, expect, it, scoped } from "../../It.ts"
import * as Documents from "./Documents.ts"
import { read } from "./Folder.ts"
import { drawn } from "./PdfDocuments.ts"

const parsed = Effect.flatMap(Effect.promise(Documents.pdf), (bytes) => read("report.pdf", bytes))

describe("PDF", () => {
  scoped("reads columns one after the other, below a title that spans them", function* () {
    const { document } = yield* parsed
    const [title, left, right] = (document.markdown ?? "").split("\n\n")
    expect(title).toBe("# Tides of the North Sea")
    expect(left).toBe(Documents.prose("Left"))
    expect(right).toBe(Documents.prose("Right"))
  })

  scoped("joins hyphenated lines and finds headings, lists, links and both kinds of tables", function* () {
    const { document } = yield* parsed
    expect(document.markdown).toContain(
      [
        "## What to bring",
        "This is a paragraph over two lines.",
        "- Boots\n- Rope",
        "Ask [the harbour master](https://example.org/harbour)",
        "| Harbour | Height |\n| --- | --- |\n| Cuxhaven | 3.1 |\n| Busum | 3.4 |",
        "| Fish | 12 | a kilo |\n| --- | --- | --- |\n| Shrimps | 30 | a kilo |\n| Kelp | 4 | a bag |"
      ].join("\n\n")
    )
    expect(document.links).toEqual(["https://example.org/harbour"])
  })

  scoped("reads rotated pages, and drops running headers and footers", function* () {
    const { document } = yield* parsed
    expect(document.markdown).toMatch(/Written on its side\n\nFourth page\.\n\nFifth page\.$/)
    expect(document.markdown).not.toContain("Tide office")
  })

  scoped("knows title, author, date and number of pages", function* () {
    const { document } = yield* parsed
    expect(document.metadata).toMatchObject({
      title: "Tide report",
      author: "Ada Waters",
      createdTime: "2024-05-06T07:08:09Z",
      numPages: 5,
      contentType: "application/pdf"
    })
  })

  scoped("explains pages without text: empty, images, drawings, or unsupported content", function* () {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP8z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
      "base64"
    )
    const image = Effect.promise(async () => {
      const file = await PDFDocument.create()
      file.addPage([200, 200]).drawImage(await file.embedPng(png), { x: 0, y: 0, width: 200, height: 200 })
      return Buffer.from(await file.save())
    })
    const cases: ReadonlyArray<readonly [string, Effect.Effect<Buffer>, RegExp]> = [
      ["empty", Effect.promise(() => drawn(() => undefined)), /^The pages are empty/],
      ["blanks only", Effect.promise(() => drawn(({ write }) => write(40, 40, "   "))), /^The pages are empty/],
      ["an image", image, /only images/],
      ["a drawing", Effect.promise(Documents.blankPdf), /only drawings/],
      [
        "running lines",
        Effect.promise(() =>
          drawn(({ newPage, write }) => {
            for (let page = 0; page < 6; page += 1) {
              write(40, 40, "Tide office")
              newPage()
            }
          })
        ),
        /no text besides headers/
      ]
    ]
    for (const [name, bytes, warning] of cases) {
      const { document } = yield* read("scan.pdf", yield* bytes)
      expect(document.markdown, name).toBe("")
      expect(document.warning, name).toMatch(warning)
      expect(document.metadata, name).toMatchObject({ warning: document.warning })
    }
  })

  scoped("names the scanned pages of a document whose other pages have text", function* () {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP8z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
      "base64"
    )
    const bytes = yield* Effect.promise(async () => {
      const file = await PDFDocument.create()
      const image = await file.embedPng(png)
      file.addPage([600, 800]).drawText("The tide comes and goes with the moon.", { x: 40, y: 700 })
      file.addPage([600, 800]).drawImage(image, { x: 0, y: 0, width: 600, height: 800 })
      // An empty page is no reason to warn.
      file.addPage([600, 800])
      file.addPage([600, 800]).drawImage(image, { x: 0, y: 0, width: 600, height: 800 })
      return Buffer.from(await file.save())
    })
    const { document } = yield* read("mixed.pdf", bytes)
    expect(document.markdown).toContain("The tide comes")
    expect(document.warning).toBe("These pages are scanned, so their text cannot be read: 2, 4.")
    expect(document.metadata).toMatchObject({ warning: document.warning })
  })

  scoped("stops at the timeout and reports how many pages it read", function* () {
    const bytes = yield* Effect.promise(Documents.pdf)
    const { document } = yield* read("report.pdf", bytes, { budgetMillis: 0 })
    expect(document.warning).toContain("Only the first 0 of 5 pages")
    // Unread pages have no warnings.
    expect(document.warning).not.toMatch(/only:|empty/)
  })

  it("reorders right-to-left text, except numbers and Latin words", () => {
    expect(toLogical("plain")).toBe("plain")
    expect(toLogical("םולש")).toBe("שלום")
    expect(toLogical("2024 תנש")).toBe("שנת 2024")
    expect(toLogical("the word םולש here")).toBe("the word שלום here")
  })

  const hebrew = "שלום לכל אנשי העולם הרחב"
  const backwards = [...hebrew].reverse().join("")
  it.each([
    ["AT&T"],
    ["https://x.il/a?id=7&b=8#c"],
    ["don't"],
    ["foo(bar)"],
    ["f[0] = g({x})"],
    ['say "a; b!" c'],
    ["WHO (World (Health))"],
    ["Привет, мир & cafe\u0301"],
    ["50%"],
    ["(WHO)"],
    ['"WHO"'],
    ["(20) 30", "30 (20)"],
    ["!WHO (50%)", "WHO (50%)!"]
  ])("keeps the order of %j within right-to-left text", (shown, logical = shown) => {
    expect(toLogical(`${backwards} ${shown} ${backwards}`)).toBe(`${hebrew} ${logical} ${hebrew}`)
  })
})
