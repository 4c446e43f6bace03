/** Documents of some size in every format, made for the benchmark: the same words, headings and tables in each. */
import * as Xlsx from "@e965/xlsx"
import * as Docx from "docx"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { zip } from "../../test/Engine/Parse/Documents.ts"

const chapters = 40
const words =
  "The water comes and goes with the moon, twice in a day and a bit, and those who live by the sea know when to stay away from it."
const paragraph = (chapter: number, index: number): string => `${chapter}.${index} ${words} ${words} ${words}`
const numbers = Array.from({ length: chapters }, (_, index) => index + 1)
const table = (chapter: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: 8 }, (_, row) => [`Harbour ${row}`, `${chapter}.${row} m`, `${row}:0${chapter % 10}`, "ebb"])

export const docx = (): Promise<Buffer> =>
  Docx.Packer.toBuffer(
    new Docx.Document({
      sections: [
        {
          children: numbers.flatMap((chapter) => [
            new Docx.Paragraph({ text: `Chapter ${chapter}`, heading: Docx.HeadingLevel.HEADING_1 }),
            ...Array.from({ length: 8 }, (_, index) => new Docx.Paragraph(paragraph(chapter, index))),
            new Docx.Table({
              rows: table(chapter).map(
                (row) =>
                  new Docx.TableRow({
                    children: row.map((text) => new Docx.TableCell({ children: [new Docx.Paragraph(text)] }))
                  })
              )
            })
          ])
        }
      ]
    })
  )

export const rtf = (): Buffer => {
  const body = numbers.map((chapter) => {
    const rows = table(chapter).map(
      (row) =>
        `\\trowd\\cellx2000\\cellx4000\\cellx6000\\cellx8000\\pard\\intbl ${row.map((text) => `${text}\\cell`).join(" ")}\\row`
    )
    const text = Array.from({ length: 8 }, (_, index) => `{\\pard ${paragraph(chapter, index)}\\par}`)
    return `{\\pard\\outlinelevel0\\b Chapter ${chapter}\\par}\n${text.join("\n")}\n${rows.join("\n")}\n\\pard`
  })
  return Buffer.from(`{\\rtf1\\ansi{\\fonttbl{\\f0 Helvetica;}}\n${body.join("\n")}}`)
}

const names = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
].join(" ")

export const odt = (): Buffer => {
  const body = numbers.map((chapter) => {
    const rows = table(chapter).map(
      (row) =>
        `<table:table-row>${row.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join("")}</table:table-row>`
    )
    const text = Array.from({ length: 8 }, (_, index) => `<text:p>${paragraph(chapter, index)}</text:p>`)
    return `<text:h text:outline-level="1">Chapter ${chapter}</text:h>${text.join("")}<table:table><table:table-column table:number-columns-repeated="4"/>${rows.join("")}</table:table>`
  })
  const type = "application/vnd.oasis.opendocument.text"
  return zip([
    { name: "mimetype", text: type },
    {
      name: "META-INF/manifest.xml",
      text: `<?xml version="1.0"?><manifest:manifest ${names}><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`
    },
    {
      name: "styles.xml",
      text: `<?xml version="1.0"?><office:document-styles ${names}><office:styles/></office:document-styles>`
    },
    {
      name: "content.xml",
      text: `<?xml version="1.0"?><office:document-content ${names}><office:body><office:text>${body.join("")}</office:text></office:body></office:document-content>`
    }
  ])
}

export const html = (): Buffer => {
  const body = numbers.map((chapter) => {
    const rows = table(chapter).map((row) => `<tr>${row.map((text) => `<td>${text}</td>`).join("")}</tr>`)
    const text = Array.from(
      { length: 24 },
      (_, index) => `<p class="text">${paragraph(chapter, index)} <a href="/moon/${chapter}/${index}">The moon</a></p>`
    )
    return `<section><h2>Chapter ${chapter}</h2>${text.join("\n")}<table>${rows.join("\n")}</table></section>`
  })
  const menu = Array.from({ length: 200 }, (_, index) => `<li><a href="/page/${index}">Page ${index}</a></li>`)
  return Buffer.from(
    `<!doctype html><html lang="en"><head><title>Tides</title></head><body><nav><ul>${menu.join("")}</ul></nav><main>${body.join("\n")}</main><footer>Imprint</footer></body></html>`
  )
}

/** A page for each chapter, in running text and a table without lines. */
export const pdf = async (): Promise<Buffer> => {
  const file = await PDFDocument.create()
  const plain = await file.embedFont(StandardFonts.Helvetica)
  const bold = await file.embedFont(StandardFonts.HelveticaBold)
  for (const chapter of numbers) {
    const page = file.addPage([600, 800])
    page.drawText(`Chapter ${chapter}`, { x: 40, y: 750, size: 18, font: bold })
    const lines = Array.from({ length: 40 }, (_, index) => `${chapter}.${index} ${words}`.slice(0, 100))
    lines.forEach((line, index) => {
      page.drawText(line, { x: 40, y: 720 - 12 * index, size: 10, font: plain })
    })
    table(chapter).forEach((row, index) => {
      row.forEach((text, column) => {
        page.drawText(text, { x: 40 + 120 * column, y: 210 - 14 * index, size: 10, font: plain })
      })
    })
  }
  return Buffer.from(await file.save())
}

export const workbook = (bookType: "xlsx" | "biff8", rows: number): Buffer => {
  const cells = Array.from({ length: rows }, (_, row) => [
    `Harbour ${row}`,
    row,
    row / 7,
    new Date(Date.UTC(2024, 0, 1) + row * 60_000),
    row % 2 === 0,
    `note ${row % 100}`,
    row * 3,
    "ebb"
  ])
  const book = Xlsx.utils.book_new()
  Xlsx.utils.book_append_sheet(book, Xlsx.utils.aoa_to_sheet(cells), "Tides")
  return Xlsx.write(book, { type: "buffer", bookType, compression: true }) as Buffer
}
