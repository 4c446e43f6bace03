/** Reads XLSX sheets from their XML: which rows and columns are hidden, and large plain sheets in one pass. */
import { entriesOf, readPart } from "./Zip.ts"

export interface Hidden {
  readonly row: (index: number) => boolean
  readonly column: (index: number) => boolean
}

export const noneHidden: Hidden = { row: () => false, column: () => false }

export interface SheetPart {
  readonly hidden: Hidden
  /** XML of the sheet, when it is large and plain. */
  readonly xml: string | undefined
}

const maxPart = 256 * 1024 * 1024
/** Column limit of the format. */
const maxColumns = 16_384
/** Characters of XML kept in memory for the reader. */
const maxBuffered = 128 * 1024 * 1024

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]

const isHidden = (tag: string): boolean => /^(?:1|true)$/.test(attribute(tag, "hidden") ?? "")

const hiddenOf = (xml: string): Hidden => {
  if (!xml.includes("hidden=")) return noneHidden
  const rows = new Set<number>()
  for (const [tag] of xml.matchAll(/<(?:\w{1,20}:)?row\s[^>]{0,500}?\shidden=[^>]{0,500}>/g)) {
    if (isHidden(tag)) rows.add(Number(attribute(tag, "r")) - 1)
  }
  const columns = new Uint8Array(maxColumns)
  for (const [tag] of xml.matchAll(/<(?:\w{1,20}:)?col\s[^>]{0,500}>/g)) {
    const from = Number(attribute(tag, "min"))
    if (from >= 1 && isHidden(tag)) columns.fill(1, from - 1, Number(attribute(tag, "max")))
  }
  return { row: (index) => rows.has(index), column: (index) => columns[index] === 1 }
}

/** Sheets by name, in order. */
export const partsOf = (bytes: Buffer): ReadonlyMap<string, SheetPart> => {
  const entries = entriesOf(bytes)
  const book = readPart(bytes, entries, "xl/workbook.xml") ?? ""
  const relations = readPart(bytes, entries, "xl/_rels/workbook.xml.rels") ?? ""
  const targets = new Map<string, string>()
  for (const [tag] of relations.matchAll(/<(?:\w+:)?Relationship\s[^>]{0,2000}>/g)) {
    const target = attribute(tag, "Target") ?? ""
    targets.set(attribute(tag, "Id") ?? "", target.startsWith("/") ? target.slice(1) : `xl/${target}`)
  }
  const found = new Map<string, SheetPart>()
  let kept = 0
  for (const [tag] of book.matchAll(/<(?:\w+:)?sheet\s[^>]{0,2000}>/g)) {
    const part = targets.get(attribute(tag, "(?:\\w+:)?id") ?? "")
    const xml = part === undefined ? undefined : readPart(bytes, entries, part, maxPart)
    const isKept = xml !== undefined && kept + xml.length <= maxBuffered && isPlain(xml)
    if (isKept) kept += xml.length
    const hidden = xml === undefined ? noneHidden : hiddenOf(xml)
    found.set(unescape(attribute(tag, "name") ?? ""), { hidden, xml: isKept ? xml : undefined })
  }
  return found
}

const unescape = (text: string): string =>
  text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&")

/** Non-empty cells of a row, from left to right. */
export interface UsedRow {
  readonly columns: ReadonlyArray<number>
  readonly values: ReadonlyArray<string>
  /** Link targets by column. */
  readonly links?: ReadonlyMap<number, string>
}

/** Lookups by style number and string index. */
export interface Cells {
  /** Formats a number or a boolean. */
  readonly show: (value: number | boolean, style: number) => string
  readonly text: (text: string, style: number) => string
  readonly shared: (index: number) => string | undefined
}

/** Smaller sheets are left to the library. */
const minLength = 500_000

/** Tests whether the reader below can read the sheet. */
export const isPlain = (xml: string): boolean =>
  xml.length >= minLength && xml.includes("<sheetData>") && !xml.includes("<hyperlink", xml.lastIndexOf("</sheetData>"))

const reference = /&(?:(amp|lt|gt|quot|apos)|#(x[\da-f]+|\d+));/gi
const escaped = /_x([\da-f]{4})_/gi
const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"]
])

/** Character of a reference such as `x1F600` or `128512`. */
const character = (number: string): string => {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number)
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd"
}

const plainText = (text: string): string => {
  const decoded = text.includes("&")
    ? text.replace(reference, (whole, name: string | undefined, number: string | undefined) =>
        name === undefined ? character(number ?? "") : (named.get(name.toLowerCase()) ?? whole)
      )
    : text
  return decoded.includes("_x")
    ? decoded.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : decoded
}

const space = 0x20
const quote = 0x22
const slash = 0x2f
const equals = 0x3d
const greater = 0x3e

class SheetReader {
  readonly #xml: string
  readonly #cells: Cells
  readonly #hidden: Hidden
  #at: number
  readonly #rows: Array<UsedRow> = []
  #row = -1
  #column = -1
  #columns: Array<number> = []
  #values: Array<string> = []
  // Attributes of the current cell.
  #r = ""
  #s = 0
  #t = ""

  constructor(xml: string, cells: Cells, hidden: Hidden) {
    this.#xml = xml
    this.#cells = cells
    this.#hidden = hidden
    this.#at = xml.indexOf("<sheetData>") + "<sheetData>".length
  }

  read(): ReadonlyArray<UsedRow> | undefined {
    const xml = this.#xml
    for (;;) {
      this.#at = xml.indexOf("<", this.#at)
      if (this.#at === -1) return undefined
      if (xml.startsWith("<c ", this.#at)) {
        if (!this.#cell()) return undefined
      } else if (xml.startsWith("</row>", this.#at) || xml.startsWith("<row", this.#at)) {
        this.#at = xml.indexOf(">", this.#at) + 1
      } else if (xml.startsWith("</sheetData>", this.#at)) {
        this.#endRow()
        return this.#rows
      } else return undefined
    }
  }

  #endRow(): void {
    if (this.#columns.length > 0) this.#rows.push({ columns: this.#columns, values: this.#values })
    this.#columns = []
    this.#values = []
    this.#column = -1
  }

  /** Reads a cell. Returns false when it is unusual or out of order. */
  #cell(): boolean {
    const closed = this.#attributes()
    if (closed === undefined || !this.#place()) return false
    if (closed) return true
    const value = this.#value()
    if (value === undefined) return false
    const text = this.#shown(value)
    if (text === undefined) return false
    if (text !== "" && !this.#hidden.row(this.#row) && !this.#hidden.column(this.#column)) {
      this.#columns.push(this.#column)
      this.#values.push(text)
    }
    return true
  }

  /** Reads the attributes. Returns true when the tag also closes the cell, and undefined for unusual syntax. */
  #attributes(): boolean | undefined {
    const xml = this.#xml
    let at = this.#at + 3
    this.#r = ""
    this.#s = 0
    this.#t = ""
    for (;;) {
      const code = xml.charCodeAt(at)
      if (code === space) {
        at += 1
        continue
      }
      if (code === greater) {
        this.#at = at + 1
        return false
      }
      if (code === slash) {
        this.#at = at + 2
        return xml.charCodeAt(at + 1) === greater ? true : undefined
      }
      let end = at + 1
      while (xml.charCodeAt(end) !== equals && end < at + 40) end += 1
      if (xml.charCodeAt(end + 1) !== quote) return undefined
      const close = xml.indexOf('"', end + 2)
      if (close === -1) return undefined
      if (end === at + 1) {
        const name = xml[at]
        if (name === "r") this.#r = xml.slice(end + 2, close)
        else if (name === "s") this.#s = Number(xml.slice(end + 2, close))
        else if (name === "t") this.#t = xml.slice(end + 2, close)
      }
      at = close + 1
    }
  }

  /** Parses a reference such as `B12`. Cells and rows must be in order. */
  #place(): boolean {
    const place = this.#r
    let column = 0
    let row = 0
    for (let at = 0; at < place.length; at++) {
      const code = place.charCodeAt(at)
      if (code >= 0x41 && code <= 0x5a && row === 0) column = 26 * column + code - 0x40
      else if (code >= 0x30 && code <= 0x39) row = 10 * row + code - 0x30
      else return false
    }
    if (column === 0 || row === 0 || row - 1 < this.#row) return false
    if (row - 1 > this.#row) {
      this.#endRow()
      this.#row = row - 1
    }
    if (column - 1 <= this.#column) return false
    this.#column = column - 1
    return true
  }

  /** Content of the cell, "" when it is empty. */
  #value(): string | undefined {
    const xml = this.#xml
    let at = this.#at
    if (xml.startsWith("<f", at)) {
      const end = xml.indexOf(">", at)
      at = xml.charCodeAt(end - 1) === slash ? end + 1 : xml.indexOf("</f>", end) + 4
    }
    const [open, close] = this.#t === "inlineStr" ? (["<is><t>", "</t></is>"] as const) : (["<v>", "</v>"] as const)
    let value = ""
    if (xml.startsWith(open, at)) {
      const end = xml.indexOf("<", at + open.length)
      if (!xml.startsWith(close, end)) return undefined
      value = xml.slice(at + open.length, end)
      at = end + close.length
    }
    if (!xml.startsWith("</c>", at)) return undefined
    this.#at = at + 4
    return value
  }

  #shown(value: string): string | undefined {
    switch (this.#t) {
      case "":
      case "n":
        return value === "" ? "" : this.#cells.show(Number.parseFloat(value), this.#s)
      case "s": {
        const text = value === "" ? "" : this.#cells.shared(Number.parseInt(value, 10))
        return text === undefined ? undefined : this.#cells.text(text, this.#s)
      }
      case "str":
      case "inlineStr":
        return this.#cells.text(plainText(value), this.#s)
      case "b":
        return value === "" ? "" : this.#cells.show(value === "1" || value === "true", this.#s)
      case "e":
        return plainText(value).trim()
      default:
        return undefined
    }
  }
}

/** Visible rows; undefined when only the library can read the sheet. */
export const readPlain = (xml: string, cells: Cells, hidden: Hidden): ReadonlyArray<UsedRow> | undefined =>
  new SheetReader(xml, cells, hidden).read()
