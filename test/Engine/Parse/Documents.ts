/** Generates small documents of every format. */
import { crc32 } from "node:zlib"
import * as Xlsx from "@e965/xlsx"
import * as Docx from "docx"
import { degrees, PDFDocument, PDFName, PDFString, StandardFonts } from "pdf-lib"

export const html = (body: string, head = "<title>Tides</title>"): Buffer =>
  Buffer.from(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`)

const cell = (...children: ReadonlyArray<Docx.Paragraph>) => new Docx.TableCell({ children: [...children] })
const words = (text: string) => new Docx.Paragraph(text)

/** Headings, emphasis, a link, a nested list, a numbered list, a table with a list in a cell, a footnote, an image. */
export const docx = (): Promise<Buffer> =>
  Docx.Packer.toBuffer(
    new Docx.Document({
      title: "Tide tables",
      creator: "Ada Waters",
      keywords: "sea, moon",
      description: "When the water comes",
      numbering: {
        config: [
          {
            reference: "steps",
            levels: [{ level: 0, format: Docx.LevelFormat.DECIMAL, text: "%1.", alignment: Docx.AlignmentType.START }]
          }
        ]
      },
      footnotes: { 1: { children: [words("Measured at noon.")] } },
      sections: [
        {
          headers: { default: new Docx.Header({ children: [words("Running header")] }) },
          children: [
            new Docx.Paragraph({ text: "Tides", heading: Docx.HeadingLevel.HEADING_1 }),
            new Docx.Paragraph({
              children: [
                new Docx.TextRun("The sea rises "),
                new Docx.TextRun({ text: "twice", bold: true }),
                new Docx.TextRun(" a day, see "),
                new Docx.ExternalHyperlink({
                  link: "https://example.org/moon?a=1&b=2",
                  children: [new Docx.TextRun("the moon")]
                }),
                new Docx.FootnoteReferenceRun(1)
              ]
            }),
            new Docx.Paragraph({ text: "What to bring", heading: Docx.HeadingLevel.HEADING_2 }),
            new Docx.Paragraph({ text: "Boots", bullet: { level: 0 } }),
            new Docx.Paragraph({ text: "Rubber ones", bullet: { level: 1 } }),
            new Docx.Paragraph({ text: "Rope", bullet: { level: 0 } }),
            new Docx.Paragraph({ text: "Look", numbering: { reference: "steps", level: 0 } }),
            new Docx.Paragraph({ text: "Leap", numbering: { reference: "steps", level: 0 } }),
            new Docx.Table({
              rows: [
                new Docx.TableRow({ tableHeader: true, children: [cell(words("Harbour")), cell(words("Height | m"))] }),
                new Docx.TableRow({
                  children: [
                    cell(words("Cuxhaven")),
                    cell(
                      new Docx.Paragraph({ text: "3.1", bullet: { level: 0 } }),
                      new Docx.Paragraph({ text: "3.4", bullet: { level: 0 } })
                    )
                  ]
                })
              ]
            }),
            new Docx.Paragraph({
              children: [
                new Docx.ImageRun({
                  type: "png",
                  data: Buffer.from(
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
                    "base64"
                  ),
                  transformation: { width: 10, height: 10 },
                  altText: { title: "gauge", description: "A tide gauge", name: "gauge" }
                })
              ]
            })
          ]
        }
      ]
    })
  )

/** Two visible sheets and a hidden one; a hidden row and column; dates, a number format, a link. */
export const workbook = (bookType: "xlsx" | "biff8" | "ods" = "xlsx"): Buffer => {
  const book = Xlsx.utils.book_new()
  const sheet = Xlsx.utils.aoa_to_sheet([
    ["Harbour", "Secret", "Height", "Day"],
    ["Cuxhaven", "x1", 3.14259, 45000],
    ["Hidden harbour", "x2", 1, 45001],
    [],
    ["Büsum", "x3", 1234.5, 45002]
  ])
  for (const row of [2, 3, 5]) {
    const height = sheet[`C${row}`] as Xlsx.CellObject
    height.z = "#,##0.00"
    const day = sheet[`D${row}`] as Xlsx.CellObject
    day.z = "yyyy-mm-dd"
  }
  const linked = sheet.A2 as Xlsx.CellObject
  linked.l = { Target: "https://example.org/cuxhaven" }
  sheet["!rows"] = [{}, {}, { hidden: true }]
  sheet["!cols"] = [{}, { hidden: true }]
  Xlsx.utils.book_append_sheet(book, sheet, "North Sea")
  Xlsx.utils.book_append_sheet(
    book,
    Xlsx.utils.aoa_to_sheet([
      ["a|b", "c"],
      ["1", "2\n3"]
    ]),
    "Second"
  )
  Xlsx.utils.book_append_sheet(book, Xlsx.utils.aoa_to_sheet([["not to be seen"]]), "Hidden")
  book.Workbook = { Sheets: [{}, {}, { Hidden: 1 }] }
  book.Props = { Title: "Heights", Author: "Ada Waters", CreatedDate: new Date("2024-05-06T07:08:09Z") }
  return Xlsx.write(book, { type: "buffer", bookType, cellStyles: true }) as Buffer
}

/** One shared string that many cells use. */
export const sameCell = (text: string, rows: number): Buffer => {
  const book = Xlsx.utils.book_new()
  Xlsx.utils.book_append_sheet(book, Xlsx.utils.aoa_to_sheet(Array.from({ length: rows }, () => [text])), "Same")
  return Xlsx.write(book, { type: "buffer", bookType: "xlsx", bookSST: true, compression: true }) as Buffer
}

const lines = (text: string, width: number): ReadonlyArray<string> => {
  const out: Array<string> = []
  for (const word of text.split(" ")) {
    const last = out[out.length - 1]
    if (last !== undefined && last.length + word.length < width) out[out.length - 1] = `${last} ${word}`
    else out.push(word)
  }
  return out
}

export const prose = (name: string): string =>
  Array.from(
    { length: 9 },
    (_, index) => `${name} sentence ${index} tells of water that comes and goes with the moon.`
  ).join(" ")

/** A title, two columns, a list, a ruled table, a link; then a rotated page; five pages with a footer. */
export const pdf = async (): Promise<Buffer> => {
  const file = await PDFDocument.create()
  file.setTitle("Tide report")
  file.setAuthor("Ada Waters")
  file.setCreationDate(new Date("2024-05-06T07:08:09Z"))
  const plain = await file.embedFont(StandardFonts.Helvetica)
  const bold = await file.embedFont(StandardFonts.HelveticaBold)
  const first = file.addPage([600, 800])
  first.drawText("Tides of the North Sea", { x: 150, y: 740, size: 24, font: bold })
  ;[prose("Left"), prose("Right")].forEach((text, column) => {
    lines(text, 45).forEach((line, row) => {
      first.drawText(line, { x: 40 + column * 280, y: 690 - row * 13, size: 10, font: plain })
    })
  })
  const second = file.addPage([600, 800])
  second.drawText("What to bring", { x: 40, y: 740, size: 16, font: bold })
  second.drawText("This is a para-", { x: 40, y: 710, size: 10, font: plain })
  second.drawText("graph over two lines.", { x: 40, y: 698, size: 10, font: plain })
  ;["\u2022 Boots", "\u2022 Rope"].forEach((text, row) => {
    second.drawText(text, { x: 50, y: 670 - row * 13, size: 10, font: plain })
  })
  second.drawText("Ask the harbour master", { x: 40, y: 630, size: 10, font: plain })
  second.node.set(
    PDFName.of("Annots"),
    file.context.obj([
      file.context.register(
        file.context.obj({
          Type: "Annot",
          Subtype: "Link",
          Rect: [58, 626, 160, 642],
          A: { Type: "Action", S: "URI", URI: PDFString.of("https://example.org/harbour") }
        })
      )
    ])
  )
  const rows = [
    ["Harbour", "Height"],
    ["Cuxhaven", "3.1"],
    ["Busum", "3.4"]
  ]
  rows.forEach((row, index) => {
    row.forEach((text, column) => {
      second.drawText(text, { x: 46 + column * 100, y: 585 - index * 20, size: 10, font: plain })
    })
  })
  for (let line = 0; line <= 3; line += 1) {
    second.drawLine({ start: { x: 40, y: 600 - line * 20 }, end: { x: 240, y: 600 - line * 20 } })
  }
  for (let line = 0; line <= 2; line += 1) {
    second.drawLine({ start: { x: 40 + line * 100, y: 600 }, end: { x: 40 + line * 100, y: 540 } })
  }
  const price = [
    ["Fish", "12", "a kilo"],
    ["Shrimps", "30", "a kilo"],
    ["Kelp", "4", "a bag"]
  ]
  price.forEach((row, index) => {
    row.forEach((text, column) => {
      second.drawText(text, { x: 40 + column * 120, y: 480 - index * 14, size: 10, font: plain })
    })
  })
  const third = file.addPage([600, 800])
  third.drawText("Written on its side", { x: 300, y: 200, size: 10, font: plain, rotate: degrees(90) })
  file.addPage([600, 800]).drawText("Fourth page.", { x: 40, y: 600, size: 10, font: plain })
  file.addPage([600, 800]).drawText("Fifth page.", { x: 40, y: 600, size: 10, font: plain })
  file.getPages().forEach((page, index) => {
    page.drawText(`Tide office, page ${index + 1}`, { x: 250, y: 20, size: 8, font: plain })
  })
  return Buffer.from(await file.save())
}

/** Pages without any text. */
export const blankPdf = async (): Promise<Buffer> => {
  const file = await PDFDocument.create()
  file.addPage([200, 200]).drawRectangle({ x: 10, y: 10, width: 100, height: 100 })
  return Buffer.from(await file.save())
}

/** An encrypted PDF, without its password. */
export const lockedPdf = async (): Promise<Buffer> => {
  const file = await PDFDocument.create()
  file.addPage([200, 200])
  const zeros = PDFString.of("0".repeat(32))
  file.context.trailerInfo.ID = file.context.obj([zeros, zeros])
  file.context.trailerInfo.Encrypt = file.context.register(
    file.context.obj({ Filter: "Standard", V: 2, R: 3, Length: 128, P: -4, O: zeros, U: zeros })
  )
  return Buffer.from(await file.save({ useObjectStreams: false }))
}

export interface Part {
  readonly name: string
  readonly text: string
  /** False values for the central directory. */
  readonly declared?: number
}

/** A ZIP container, uncompressed. */
export const zip = (parts: ReadonlyArray<Part>): Buffer => {
  const bodies: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { declared, name, text } of parts) {
    const bytes = Buffer.from(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt32LE(crc32(bytes), 14)
    local.writeUInt32LE(bytes.length, 18)
    local.writeUInt32LE(bytes.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt32LE(crc32(bytes), 16)
    entry.writeUInt32LE(bytes.length, 20)
    entry.writeUInt32LE(declared ?? bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    bodies.push(local, Buffer.from(name), bytes)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + bytes.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listing, end])
}

const odtNames = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"'
].join(" ")

const odtList = "<text:list><text:list-item><text:p>Boots</text:p></text:list-item></text:list>"

export const odt = (manifest = "", list = odtList, styles = ""): Buffer =>
  zip([
    { name: "mimetype", text: "application/vnd.oasis.opendocument.text" },
    {
      name: "META-INF/manifest.xml",
      text: `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text">${manifest}</manifest:file-entry><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
    },
    {
      name: "meta.xml",
      text: `<?xml version="1.0"?><office:document-meta ${odtNames}><office:meta><dc:title>Ebb &amp; flow</dc:title><meta:initial-creator>Ada Waters</meta:initial-creator><dc:language>en-GB</dc:language><meta:keyword>sea</meta:keyword><meta:keyword>moon</meta:keyword></office:meta></office:document-meta>`
    },
    {
      name: "content.xml",
      text: `<?xml version="1.0"?><office:document-content ${odtNames}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text><text:h text:outline-level="1">Tides</text:h><text:p>The sea rises.</text:p>${list}</office:text></office:body></office:document-content>`
    }
  ])

export const rtf = (): Buffer =>
  Buffer.from(
    "{\\rtf1\\ansi{\\info{\\title Ebb \\'26 flow}{\\author Ada \\u87?aters}}\\pard The sea {\\b rises}.\\par\\trowd\\cellx2000\\cellx4000\\pard\\intbl A1\\cell B1\\cell\\row\\trowd\\cellx2000\\cellx4000\\pard\\intbl A2\\cell B2\\cell\\row\\pard End.\\par}"
  )

/** An OLE2 header, followed by the stream names that identify the format. */
export const compound = (...streams: ReadonlyArray<string>): Buffer =>
  Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(504),
    ...streams.map((name) => Buffer.from(`${name}\0`, "utf16le")),
    Buffer.alloc(1024)
  ])

/** An RTF file with headings by outline level, without styles. */
export const outlinedRtf = (): Buffer =>
  Buffer.from(
    "{\\rtf1\\ansi{\\fonttbl{\\f0 Helvetica;}}{\\pard\\outlinelevel0 \\b Tides\\par}{\\pard The sea.\\par}{\\pard\\outlinelevel1 \\b Ebb\\par}}"
  )

/** A file of Word 97 with text, a link and a table; with `version` 6, one of Word 6. */
export const doc = (version: 6 | 97 = 97): Buffer => {
  const text = Buffer.from(
    "The sea rises.\rSee \x13HYPERLINK x\x14the moon\x15\x0btoo\rHarbour\x07Height\x07\x07Cuxhaven\x073.1\x07\x07End\r",
    "latin1"
  )
  const stream = Buffer.alloc(4096)
  stream.writeUInt16LE(version === 6 ? 0xa5dc : 0xa5ec, 0)
  stream.writeUInt16LE(version === 6 ? 0x65 : 0xc1, 2)
  stream.writeUInt16LE(0x0200, 10)
  stream.writeUInt16LE(14, 32)
  stream.writeUInt16LE(22, 62)
  stream.writeUInt16LE(93, 152)
  stream.writeUInt32LE(text.length, 76)
  stream.writeUInt32LE(21, 0x1a6)
  text.copy(stream, 1024)
  // One piece of text, with a byte for each character.
  const table = Buffer.alloc(4096)
  table[0] = 2
  table.writeUInt32LE(16, 1)
  table.writeUInt32LE(text.length, 9)
  table.writeUInt32LE(0x40000000 + 2 * 1024, 15)
  const container = Xlsx.CFB.utils.cfb_new()
  Xlsx.CFB.utils.cfb_add(container, "/WordDocument", stream)
  Xlsx.CFB.utils.cfb_add(container, "/1Table", table)
  Xlsx.CFB.utils.cfb_add(container, "/\u0005SummaryInformation", summaryInformation("Ebb & flow", "Ada Waters"))
  const bytes = Buffer.from(Xlsx.CFB.write(container, { type: "buffer" }) as Uint8Array)
  // The library wants as many sectors as the allocation table has entries.
  return Buffer.concat([bytes, Buffer.alloc(512 * 129 - bytes.length)])
}

/** A property set with title and author. */
const summaryInformation = (title: string, author: string): Buffer => {
  const value = (text: string): Buffer => {
    const out = Buffer.alloc(8 + 32)
    out.writeUInt32LE(30, 0)
    out.writeUInt32LE(text.length + 1, 4)
    out.write(text, 8, "latin1")
    return out
  }
  const head = Buffer.alloc(48)
  head.writeUInt16LE(0xfffe, 0)
  head.writeUInt32LE(1, 24)
  head.writeUInt32LE(48, 44)
  const places = Buffer.alloc(24)
  places.writeUInt32LE(104, 0)
  places.writeUInt32LE(2, 4)
  places.writeUInt32LE(2, 8)
  places.writeUInt32LE(24, 12)
  places.writeUInt32LE(4, 16)
  places.writeUInt32LE(64, 20)
  return Buffer.concat([head, places, value(title), value(author)])
}

/** One sheet with merged cells over columns and rows, one of which covers a value. With a link, if the type keeps links. */
export const mergedSheet = (bookType: "xlsx" | "biff8" | "ods"): Buffer => {
  const sheet = Xlsx.utils.aoa_to_sheet([
    ["Harbour", "Height", bookType === "ods" ? null : "COVERED"],
    [null, "Ebb", "Flow"],
    ["Cuxhaven", 1, 2],
    [null, 3, 4]
  ])
  sheet["!merges"] = ["A1:A2", "B1:C1", "A3:A4"].map(Xlsx.utils.decode_range)
  const linked = sheet.A3 as Xlsx.CellObject
  linked.l = { Target: "https://example.org/c" }
  const book = Xlsx.utils.book_new()
  Xlsx.utils.book_append_sheet(book, sheet, "Sheet1")
  return Xlsx.write(book, { type: "buffer", bookType }) as Buffer
}

/** One sheet with the two built-in date formats that depend on the locale: a short date, and one with a time. */
export const loneSheet = (name: string): Buffer => {
  const sheet = Xlsx.utils.aoa_to_sheet([["Day"]])
  sheet.A2 = { t: "n", v: 45000, z: "m/d/yy" }
  sheet.A3 = { t: "n", v: 45000.25, z: "m/d/yy h:mm" }
  sheet["!ref"] = "A1:A3"
  const book = Xlsx.utils.book_new()
  Xlsx.utils.book_append_sheet(book, sheet, name)
  return Xlsx.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer
}

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const word = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}"`

/** A DOCX file from its parts: body, relationships by type and target, and further parts. */
const wordFile = (
  body: string,
  relations: ReadonlyArray<readonly [id: string, type: string, attributes: string]>,
  parts: ReadonlyArray<Part> = []
): Buffer => {
  const list = (items: ReadonlyArray<readonly [string, string, string]>) =>
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.map(([id, type, attributes]) => `<Relationship Id="${id}" Type="${office}/${type}" ${attributes}/>`).join("")}</Relationships>`
  const overrides = [{ name: "word/document.xml" }, ...parts].map(({ name }) => {
    const kind = name === "word/document.xml" ? "document.main" : name.slice("word/".length, -".xml".length)
    return `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml"/>`
  })
  return zip([
    {
      name: "[Content_Types].xml",
      text: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join("")}</Types>`
    },
    { name: "_rels/.rels", text: list([["r1", "officeDocument", 'Target="word/document.xml"']]) },
    { name: "word/_rels/document.xml.rels", text: list(relations) },
    {
      name: "word/document.xml",
      text: `<?xml version="1.0"?><w:document ${word}><w:body>${body}</w:body></w:document>`
    },
    ...parts
  ])
}

/** A DOCX file with links that have fragments. */
export const linkedDocx = (): Buffer => {
  const link = (attributes: string, text: string) =>
    `<w:p><w:hyperlink ${attributes}><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`
  return wordFile(
    link('r:id="r1"', "all") +
      link('r:id="r1" w:anchor="ebb"', "ebb") +
      link('w:anchor="here"', "here") +
      link('r:id="r2"', "run"),
    [
      ["r1", "hyperlink", 'Target="https://example.org/tides" TargetMode="External"'],
      ["r2", "hyperlink", 'Target="javascript:run()" TargetMode="External"']
    ]
  )
}

/** A level of a numbered list, for the headings of that depth. */
const level = (index: number, format: string, text: string, more = "") =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:pStyle w:val="Heading${index + 1}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`

const numberedHeading = (depth: number, text: string, list?: number) => {
  const numbers = `<w:numPr><w:ilvl w:val="${depth - 1}"/><w:numId w:val="${list}"/></w:numPr>`
  return `<w:p><w:pPr><w:pStyle w:val="Heading${depth}"/>${list === undefined ? "" : numbers}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
}

/** A DOCX file with headings numbered by their styles, as Word writes them: by list 1, whose definition is 0. */
const numberedFile = (headings: ReadonlyArray<string>, levels: ReadonlyArray<string>, lists = ""): Buffer => {
  const style = (depth: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${depth}"><w:name w:val="heading ${depth}"/><w:pPr><w:numPr>${depth === 1 ? "" : `<w:ilvl w:val="${depth - 1}"/>`}<w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="${depth - 1}"/></w:pPr></w:style>`
  return wordFile(
    headings.join(""),
    [
      ["r1", "styles", 'Target="styles.xml"'],
      ["r2", "numbering", 'Target="numbering.xml"']
    ],
    [
      {
        name: "word/styles.xml",
        text: `<?xml version="1.0"?><w:styles ${word}>${[1, 2, 3].map(style).join("")}</w:styles>`
      },
      {
        name: "word/numbering.xml",
        text: `<?xml version="1.0"?><w:numbering ${word}><w:abstractNum w:abstractNumId="0">${levels.join("")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${lists}</w:numbering>`
      }
    ]
  )
}

export const numberedDocx = (): Buffer =>
  numberedFile(
    [
      numberedHeading(1, "Tides"),
      numberedHeading(2, "Ebb"),
      numberedHeading(2, "Flow &amp; flood"),
      numberedHeading(3, "Spring"),
      numberedHeading(1, "Moon"),
      numberedHeading(3, "Full"),
      numberedHeading(2, "New")
    ],
    [level(0, "upperRoman", "%1."), level(1, "decimal", "%1.%2."), level(2, "lowerLetter", "%2.%3)")]
  )

/** Headings of which some begin to count again, as by Word's "Restart at 1", with all numbers as decimals and with zeros. */
export const restartedDocx = (): Buffer =>
  numberedFile(
    [
      numberedHeading(1, "Tides"),
      numberedHeading(1, "Moon"),
      numberedHeading(2, "Full"),
      numberedHeading(3, "Spring"),
      numberedHeading(1, "Annex", 2),
      numberedHeading(2, "Tables"),
      numberedHeading(1, "Second annex", 2),
      numberedHeading(2, "Maps", 2),
      numberedHeading(1, "Index")
    ],
    [
      level(0, "upperRoman", "%1."),
      level(1, "decimal", "%1.%2.", "<w:isLgl/>"),
      level(2, "decimalZero", "%1.%3)", '<w:isLgl w:val="0"/>')
    ],
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride><w:lvlOverride w:ilvl="1"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
  )
