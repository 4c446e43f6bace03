/** Reads the visible rows of an XLSX sheet as text, in one pass over its XML. */
import { raisedText } from "../../Html/Math.ts"
import type { Formats } from "./SheetFormat.ts"
import { attribute, isTrue, plainText, tagsOf } from "./Xml.ts"

/** Maximum columns and rows of the file format. */
export const maxColumns = 16_384
export const maxRows = 1_048_576

/** Non-empty cells of a row, from left to right. */
export interface UsedRow {
  readonly index: number
  readonly columns: ReadonlyArray<number>
  readonly values: ReadonlyArray<string>
  /** Link targets by column. */
  readonly links?: ReadonlyMap<number, string>
}

/** Visible rows of a sheet in ascending order, and the number of formulas without a stored result. */
export interface SheetRows {
  readonly rows: ReadonlyArray<UsedRow>
  readonly uncalculated: number
}

/**
 * Text of a shared or inline string. Superscript powers become characters like ², so that 10² is not read as 102. Phonetic readings of
 * Japanese words are dropped, because Excel does not show them.
 */
export const itemText = (item: string): string => {
  const shown = item.includes("rPh") ? item.replace(/<(\w{1,20}:)?rPh[\s>][\s\S]*?<\/\1?rPh>/g, "") : item
  let out = ""
  for (const run of shown.split(/<\/(?:\w{1,20}:)?r>/)) {
    let text = ""
    for (const [, part = ""] of run.matchAll(/<(?:\w{1,20}:)?t(?:\s[^<>]*)?>([^<]*)/g)) text += part
    const plain = plainText(text)
    out += (/vertAlign\s+val="superscript"/.test(run) ? raisedText(plain) : undefined) ?? plain
  }
  return out
}

export const isWebLink = (href: string): boolean => /^(?:https?|mailto|ftp):/i.test(href)

/** Link target in a formula such as `HYPERLINK("https://…", "text")`. */
const formulaLink = (formula: string): string | undefined => {
  const href = /^\s*HYPERLINK\s*\(\s*"([^"]{1,2000})"/i.exec(plainText(formula))?.[1]
  return href !== undefined && isWebLink(href) ? href : undefined
}

const hiddenColumns = (head: string): Uint8Array => {
  const columns = new Uint8Array(maxColumns)
  for (const tag of tagsOf(head, "col")) {
    const from = Number(attribute(tag, "min"))
    if (from >= 1 && isTrue(tag, "hidden")) columns.fill(1, from - 1, Number(attribute(tag, "max")))
  }
  return columns
}

export interface Lookups {
  readonly strings: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
  readonly formats: Formats
}

const [tab, newline, carriage, space, doubleQuote, singleQuote] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x27]
const [slash, colon, equals, greater] = [0x2f, 0x3a, 0x3d, 0x3e]

const isSpace = (code: number): boolean => code === space || code === newline || code === tab || code === carriage

/**
 * Reads the XML of a sheet in one pass. Skips unknown elements and ignores prefixes. A cell without a reference follows the previous cell.
 * A truncated sheet returns the rows before the cut.
 */
export class SheetReader {
  readonly #xml: string
  readonly #lookups: Lookups
  readonly #links: ReadonlyMap<number, ReadonlyMap<number, string>>
  readonly #hidden: Uint8Array
  #at: number
  readonly #rows: Array<UsedRow> = []
  #isSorted = true
  #uncalculated = 0
  #row = -1
  #isRowHidden = false
  #column = -1
  #columns: Array<number> = []
  #values: Array<string> = []
  #linked: Map<number, string> | undefined
  // Name and attributes of the current tag.
  #name = ""
  #isEnd = false
  #isClosed = false
  #r = ""
  #s = 0
  #t = ""
  #hiddenValue = ""

  constructor(xml: string, lookups: Lookups, links: ReadonlyMap<number, ReadonlyMap<number, string>>) {
    this.#xml = xml
    this.#lookups = lookups
    this.#links = links
    const start = /<(?:\w{1,20}:)?sheetData[\s>]/.exec(xml)?.index ?? xml.length
    this.#hidden = hiddenColumns(xml.slice(0, start))
    this.#at = start
  }

  read(): SheetRows {
    while (this.#tag()) {
      if (this.#name === "c" && !this.#isEnd) this.#cell()
      else if (this.#name === "row" && !this.#isEnd)
        this.#startRow(this.#r === "" ? this.#row + 1 : Number(this.#r) - 1)
      else if (this.#name === "sheetData" && this.#isEnd) break
    }
    this.#endRow()
    return { rows: this.#isSorted ? this.#rows : merged(this.#rows), uncalculated: this.#uncalculated }
  }

  /** Reads the next tag and stops after it. Returns false at the end. */
  #tag(): boolean {
    const xml = this.#xml
    let at = xml.indexOf("<", this.#at) + 1
    if (at === 0) return false
    this.#isEnd = xml.charCodeAt(at) === slash
    if (this.#isEnd) at += 1
    let start = at
    for (;;) {
      const code = xml.charCodeAt(at)
      if (code === colon) start = at + 1
      else if (code === greater || code === slash || isSpace(code) || Number.isNaN(code)) break
      at += 1
    }
    this.#name = xml.slice(start, at)
    return this.#attributes(at)
  }

  #attributes(from: number): boolean {
    const xml = this.#xml
    let at = from
    this.#r = ""
    this.#s = 0
    this.#t = ""
    this.#hiddenValue = ""
    this.#isClosed = false
    for (;;) {
      const code = xml.charCodeAt(at)
      if (Number.isNaN(code)) return false
      if (code === greater) {
        this.#at = at + 1
        return true
      }
      if (code === slash || isSpace(code)) {
        this.#isClosed = code === slash
        at += 1
        continue
      }
      const name = at
      while (at < xml.length && xml.charCodeAt(at) !== equals && xml.charCodeAt(at) !== greater) at += 1
      const end = at
      if (xml.charCodeAt(at) !== equals) continue
      at += 1
      while (isSpace(xml.charCodeAt(at))) at += 1
      const quote = xml.charCodeAt(at)
      if (quote !== doubleQuote && quote !== singleQuote) continue
      const close = xml.indexOf(quote === doubleQuote ? '"' : "'", at + 1)
      if (close === -1) return false
      this.#attribute(name, end, at + 1, close)
      at = close + 1
    }
  }

  #attribute(name: number, end: number, from: number, to: number): void {
    if (end === name + 1) {
      const letter = this.#xml.charCodeAt(name)
      if (letter === 0x72) this.#r = this.#xml.slice(from, to)
      else if (letter === 0x73) this.#s = Number(this.#xml.slice(from, to))
      else if (letter === 0x74) this.#t = this.#xml.slice(from, to)
    } else if (this.#name === "row" && this.#xml.slice(name, end).trim() === "hidden")
      this.#hiddenValue = this.#xml.slice(from, to)
  }

  #startRow(index: number): void {
    const isHidden = this.#hiddenValue === "1" || this.#hiddenValue === "true"
    this.#endRow()
    this.#row = index
    this.#isRowHidden = isHidden
  }

  #endRow(): void {
    if (this.#columns.length > 0) {
      const last = this.#rows.at(-1)
      if (last !== undefined && last.index >= this.#row) this.#isSorted = false
      const row = { index: this.#row, columns: this.#columns, values: this.#values }
      this.#rows.push(this.#linked === undefined ? row : { ...row, links: this.#linked })
      this.#columns = []
      this.#values = []
      this.#linked = undefined
    }
    this.#column = -1
  }

  /** Moves to a cell reference such as `B12`. */
  #place(): void {
    const place = this.#r
    let column = 0
    let row = 0
    for (let at = 0; at < place.length; at++) {
      const code = place.charCodeAt(at)
      if (code >= 0x30 && code <= 0x39) row = 10 * row + code - 0x30
      else column = 26 * column + (code & 0x1f)
    }
    if (row > 0 && row - 1 !== this.#row) {
      const isHidden = this.#isRowHidden
      this.#endRow()
      this.#row = row - 1
      this.#isRowHidden = isHidden
    }
    const next = column === 0 ? this.#column + 1 : column - 1
    if (next <= this.#column) this.#isSorted = false
    this.#column = next
  }

  #cell(): void {
    this.#place()
    if (this.#isClosed) return
    const [style, type] = [this.#s, this.#t]
    let value: string | undefined
    let formula: string | undefined
    while (this.#tag()) {
      if (this.#isEnd) {
        if (this.#name === "c") break
        continue
      }
      if (this.#name === "c" || this.#name === "row") {
        // The cell is not closed, so the tag belongs to the next cell or row.
        this.#at = this.#xml.lastIndexOf("<", this.#at - 1)
        break
      }
      if (this.#name === "v") value = this.#isClosed ? "" : this.#text()
      else if (this.#name === "f") formula = this.#isClosed ? "" : this.#text()
      else if (this.#name === "is" && !this.#isClosed) value = this.#item()
    }
    this.#put(value, style, type, formula)
  }

  #put(value: string | undefined, style: number, type: string, formula: string | undefined): void {
    if (this.#isRowHidden || this.#hidden[this.#column] === 1) return
    if (this.#column >= maxColumns || this.#row >= maxRows) return
    if (value === undefined && formula !== undefined) this.#uncalculated += 1
    if (value === undefined || value === "") return
    const shown = this.#shown(value, style, type)
    if (shown === "") return
    const column = this.#column
    this.#columns.push(column)
    this.#values.push(shown)
    const href = this.#links.get(this.#row)?.get(column) ?? (formula === undefined ? undefined : formulaLink(formula))
    if (href !== undefined) {
      this.#linked ??= new Map()
      this.#linked.set(column, href)
    }
  }

  #text(): string {
    const from = this.#at
    const to = this.#xml.indexOf("<", from)
    this.#at = to === -1 ? this.#xml.length : to
    return this.#xml.slice(from, this.#at)
  }

  #item(): string {
    const from = this.#at
    while (this.#tag()) if (this.#isEnd && this.#name === "is") break
    return itemText(this.#xml.slice(from, this.#at))
  }

  #shown(value: string, style: number, type: string): string {
    const { formats, strings, styles } = this.#lookups
    const format = styles[style] ?? "General"
    switch (type) {
      case "s":
        return formats.text(strings[Number(value)] ?? "", format)
      case "str":
        return formats.text(plainText(value), format)
      case "inlineStr":
        return formats.text(value, format)
      case "b":
        return formats.text(value === "1" || value === "true", format)
      case "e":
        return plainText(value).trim()
      case "d":
        return formats.date(value, format)
      default: {
        const number = Number(value)
        return Number.isNaN(number) ? plainText(value).trim() : formats.number(number, format)
      }
    }
  }
}

/** Merges the rows of a sheet whose rows or cells are out of order. If cells have the same position, the last one wins. */
const merged = (rows: ReadonlyArray<UsedRow>): ReadonlyArray<UsedRow> => {
  const byIndex = new Map<number, { readonly cells: Map<number, string>; readonly links: Map<number, string> }>()
  for (const { columns, index, links, values } of rows) {
    const row = byIndex.get(index) ?? { cells: new Map<number, string>(), links: new Map<number, string>() }
    byIndex.set(index, row)
    for (const [at, column] of columns.entries()) row.cells.set(column, values[at] ?? "")
    for (const [column, href] of links ?? []) row.links.set(column, href)
  }
  return [...byIndex]
    .sort(([one], [other]) => one - other)
    .map(([index, { cells, links }]) => {
      const sorted = [...cells].sort(([one], [other]) => one - other)
      const row = { index, columns: sorted.map(([column]) => column), values: sorted.map(([, value]) => value) }
      return links.size === 0 ? row : { ...row, links }
    })
}
