/** Makes small office files from their XML, for what the writers of libraries cannot write. */
import { crc32 } from "node:zlib"

/** A ZIP file of stored entries. */
const zip = (files: Readonly<Record<string, string | Uint8Array>>): Buffer => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)]
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(bytes.length, 14)
    head.writeUInt32LE(bytes.length, 18)
    head.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), head, name, bytes])
    parts.push(local)
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), head, tail, name]))
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006", "latin1")
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const relations = (inner: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`

const officeDocument = (target: string): string =>
  relations(
    `<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/>`
  )

const contentTypes = (part: string, type: string): string =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`

/** A run of a DOCX file. */
export const run = (text: string, properties = ""): string =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`

export const docx = (
  body: string,
  others: Readonly<Record<string, string | Uint8Array>> = {},
  related = ""
): readonly [string, Buffer] => [
  "a.docx",
  zip({
    "[Content_Types].xml": contentTypes("word/document.xml", "wordprocessingml.document"),
    "_rels/.rels": officeDocument("word/document.xml"),
    "word/_rels/document.xml.rels": relations(related),
    "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:x="urn:unknown"><w:body>${body}</w:body></w:document>`,
    ...others
  })
]

/** A DOCX file into which another file is inserted between two paragraphs. */
export const docxWithChunk = (file: string, content: string | Uint8Array): readonly [string, Buffer] =>
  docx(
    `<w:p>${run("before")}</w:p><w:altChunk r:id="rId7"/><w:p>${run("after")}</w:p>`,
    { [`word/${file}`]: content },
    `<Relationship Id="rId7" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="${file}"/>`
  )

export const odt = (
  body: string,
  styles: string,
  others: Readonly<Record<string, string>> = {}
): readonly [string, Buffer] => [
  "a.odt",
  zip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml":
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
    "content.xml": `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...others
  })
]

/** An ODS file from its automatic styles and its tables. */
export const ods = (tables: string, styles = ""): readonly [string, Buffer] => [
  "a.ods",
  zip({
    mimetype: "application/vnd.oasis.opendocument.spreadsheet",
    "META-INF/manifest.xml":
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
    "content.xml": `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    "styles.xml":
      '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"></office:document-styles>'
  })
]

/** A row of an ODS file. */
export const odsRow = (values: ReadonlyArray<string>, attributes = ""): string =>
  `<table:table-row${attributes}>${values.map((value) => `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`).join("")}</table:table-row>`

/** A workbook with one sheet, whose elements have the prefix `x`. */
export const xlsx = (sheet: string): Buffer =>
  zip({
    "[Content_Types].xml": contentTypes("xl/workbook.xml", "spreadsheetml.sheet"),
    "_rels/.rels": officeDocument("xl/workbook.xml"),
    "xl/_rels/workbook.xml.rels": relations(
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>'
    ),
    "xl/workbook.xml":
      '<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><x:sheets><x:sheet name="Made" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>',
    "xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${sheet}</x:worksheet>`
  })
