/** Reads workbooks: each visible sheet becomes a heading and a table of the displayed values. */
import * as Xlsx from "@e965/xlsx"
import { decodeText } from "../../Html/Charset.ts"
import { type HiddenParts, hiddenParts, type Range } from "./OdsHidden.ts"
import { packageProperties } from "./Properties.ts"
import { corrupt, encrypted, type Kind } from "./Protocol.ts"
import { type Formats, makeFormats } from "./SheetFormat.ts"
import { isWebLink, maxColumns, maxRows, type UsedRow } from "./SheetReader.ts"
import { type CellRange, openXml, type SheetContent, type XmlSheet } from "./SheetXml.ts"
import { type Block, heading, type Span, type Tree, text } from "./Tree.ts"
import { maxTags } from "./Xml.ts"

/** Maximum cells of all tables in a file, including empty ones. */
const maxCells = 4_000_000

interface SheetTable {
  /** Positions covered by a merged cell are undefined. */
  readonly rows: ReadonlyArray<ReadonlyArray<string | undefined>>
  /** Links and spans of cells, by `row:column`. */
  readonly links: ReadonlyMap<string, string>
  readonly spans: ReadonlyMap<string, Span>
  readonly cut: boolean
}

/** Replacements for the short date formats, which programs show differently by region. The year always gets four digits. */
const shortDates: Readonly<Record<string, string>> = {
  "m/d/yy": "m/d/yyyy",
  "m/d/yy h:mm": "m/d/yyyy h:mm"
}

/** Text of a cell as displayed. Text files and OpenDocument tables contain displayed texts. */
const shownValue = (cell: Xlsx.CellObject, formats: Formats, kind: Kind): string => {
  if (cell.t === "z" || cell.v === undefined) return ""
  // In a text file, exports write texts such as 00123 as the formula ="00123".
  if (cell.t === "s" && kind === "delimited") return String(cell.v).trim()
  if (cell.t === "n" && typeof cell.v === "number" && kind !== "ods" && kind !== "delimited") {
    const format = String(cell.z ?? "General")
    return formats.number(cell.v, shortDates[format] ?? format)
  }
  return (cell.w ?? String(cell.v)).trim()
}

/** An array in which the positions of the ranges are 1. */
const marksOf = (ranges: ReadonlyArray<Range> | undefined, size: number): Uint8Array => {
  const marks = new Uint8Array(ranges === undefined || ranges.length === 0 ? 0 : size)
  for (const [from, to] of ranges ?? []) marks.fill(1, from, to)
  return marks
}

/** Rows that SheetJS read, without hidden and empty ones. */
const usedRows = (
  sheet: Xlsx.WorkSheet,
  formats: Formats,
  kind: Kind,
  hidden: HiddenParts | undefined
): ReadonlyArray<UsedRow> => {
  const data = (sheet["!data"] ?? []) as ReadonlyArray<ReadonlyArray<Xlsx.CellObject | undefined> | undefined>
  const [hiddenRows, hiddenColumns] = [marksOf(hidden?.rows, maxRows), marksOf(hidden?.columns, maxColumns)]
  const used: Array<UsedRow> = []
  data.forEach((row, index) => {
    if (row === undefined || hiddenRows[index] === 1 || sheet["!rows"]?.[index]?.hidden === true) return
    const columns: Array<number> = []
    const values: Array<string> = []
    const links = new Map<number, string>()
    row.forEach((cell, column) => {
      if (cell === undefined || hiddenColumns[column] === 1 || sheet["!cols"]?.[column]?.hidden === true) return
      const value = shownValue(cell, formats, kind)
      if (value === "") return
      columns.push(column)
      values.push(value)
      const href = cell.l?.Target
      if (href !== undefined && isWebLink(href)) links.set(column, href)
    })
    if (columns.length > 0) used.push(links.size === 0 ? { index, columns, values } : { index, columns, values, links })
  })
  return used
}

/** Position of the first number that is not less than `least`, in ascending numbers. */
const firstFrom = (numbers: ReadonlyArray<number>, least: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Makes the positions that merged cells cover undefined, and returns the spans of these cells. `rowAt` and `columnAt` are the numbers that
 * the rows and columns have in the sheet. A merged cell that is empty or begins in a hidden row or column shows nothing.
 */
const merge = (
  rows: ReadonlyArray<Array<string | undefined>>,
  rowAt: ReadonlyArray<number>,
  columnAt: ReadonlyArray<number>,
  merges: ReadonlyArray<CellRange>
): ReadonlyMap<string, Span> => {
  const spans = new Map<string, Span>()
  // Merged cells of a sound file never overlap, so together they have at most as many positions as the table.
  let budget = maxCells
  for (const { bottom, left, right, top } of merges) {
    const [row, column] = [firstFrom(rowAt, top), firstFrom(columnAt, left)]
    const span = { colSpan: firstFrom(columnAt, right + 1) - column, rowSpan: firstFrom(rowAt, bottom + 1) - row }
    if (span.colSpan === 0 || span.rowSpan === 0) continue
    budget -= span.colSpan * span.rowSpan
    if (budget < 0) break
    const end = column + span.colSpan
    const covered = rows.slice(row, row + span.rowSpan)
    const isTaken = (line: number, at: number) => covered[line]?.[at] === undefined || spans.has(`${row + line}:${at}`)
    if (covered.some((cells, line) => cells.slice(column, end).some((_, at) => isTaken(line, column + at)))) continue
    const isShown = rowAt[row] === top && columnAt[column] === left
    const value = isShown ? covered[0]?.[column] : ""
    for (const line of covered) line.fill(value === "" ? "" : undefined, column, end)
    if (value === "" || value === undefined || covered[0] === undefined) continue
    covered[0][column] = value
    if (span.colSpan * span.rowSpan > 1) spans.set(`${row}:${column}`, span)
  }
  return spans
}

/** Builds the table of a sheet, without empty rows and columns, cut to `budget` cells. */
const tableRows = ({ merges, rows: used }: SheetContent, budget: number): SheetTable => {
  const isUsed: Array<boolean> = []
  for (const { columns } of used) for (const column of columns) isUsed[column] = true
  const position: Array<number> = []
  const columnAt: Array<number> = []
  isUsed.forEach((_, column) => {
    position[column] = columnAt.length
    columnAt.push(column)
  })
  const width = columnAt.length
  const fitting = used.slice(0, Math.floor(budget / Math.max(1, width)))
  const links = new Map<string, string>()
  const rows = fitting.map(({ columns, links: leading, values }, rowIndex): Array<string | undefined> => {
    for (const [column, href] of leading ?? []) links.set(`${rowIndex}:${position[column]}`, href)
    if (columns.length === width) return [...values]
    const line = new Array<string>(width).fill("")
    columns.forEach((column, at) => {
      line[position[column] ?? 0] = values[at] ?? ""
    })
    return line
  })
  const rowAt = fitting.map(({ index }) => index)
  return { rows, links, spans: merge(rows, rowAt, columnAt, merges), cut: fitting.length < used.length }
}

const single: Span = { colSpan: 1, rowSpan: 1 }

const tableOf = ({ links, rows, spans }: SheetTable): Block =>
  links.size === 0
    ? { kind: "grid", rows, spans: spans.size === 0 ? undefined : spans }
    : {
        kind: "table",
        headerRows: 1,
        rows: rows.map((row, rowIndex) =>
          row.map((value, column) => {
            if (value === undefined) return undefined
            const place = `${rowIndex}:${column}`
            const href = links.get(place)
            const content =
              href === undefined ? [text(value)] : [{ kind: "link" as const, href, content: [text(value)] }]
            return { blocks: [{ kind: "paragraph" as const, content }], ...(spans.get(place) ?? single) }
          })
        )
      }

/** Opens a workbook; a text file is decoded text, because SheetJS takes bytes without a byte order mark as Latin-1. */
const open = (source: Buffer | string): Xlsx.WorkBook => {
  try {
    // `binary` takes the characters of a string as they are. `nodim` ignores the declared size of a sheet, which may be wrong.
    return Xlsx.read(source, {
      ...(typeof source === "string" && { type: "binary" }),
      dense: true,
      cellHTML: false,
      cellFormula: false,
      cellNF: true,
      cellStyles: true,
      dateNF: "m/d/yyyy",
      nodim: true,
      UTC: true
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // SheetJS has no error codes, so the message is tested.
    throw /password|encrypt/i.test(message)
      ? encrypted("The workbook")
      : corrupt(`The workbook cannot be read (${message})`)
  }
}

const metadataOf = (book: Xlsx.WorkBook): Record<string, string> => {
  const properties = book.Props ?? {}
  const found: Record<string, string> = {}
  const put = (key: string, value: unknown) => {
    const words =
      value instanceof Date ? (Number.isNaN(value.getTime()) ? "" : value.toISOString()) : String(value ?? "")
    if (words.trim() !== "") found[key] = words.trim()
  }
  put("title", properties.Title)
  put("description", properties.Comments)
  put("subject", properties.Subject)
  put("author", properties.Author)
  put("keywords", properties.Keywords)
  put("createdTime", properties.CreatedDate)
  put("modifiedTime", properties.ModifiedDate)
  return found
}

/** Default sheet names of spreadsheet programs in any language: a word and a number. */
const defaultName = /^\p{L}+ ?\d$/u

/** True if a sheet gets a heading. A single sheet with a default name gets none. */
const isNamed = (name: string, sheets: number): boolean => sheets > 1 || !defaultName.test(name)

/** An opened workbook, the same for all file formats. */
interface Book {
  readonly sheets: ReadonlyArray<XmlSheet>
  readonly formats: Formats
  readonly metadata: Tree["metadata"]
  readonly warnings: ReadonlyArray<string>
}

/** Writes the times in the metadata with milliseconds, as for other file types. */
const withTimes = (metadata: Tree["metadata"]): Tree["metadata"] =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => {
      const millis = key.endsWith("Time") ? Date.parse(String(value)) : Number.NaN
      return [key, Number.isNaN(millis) ? value : new Date(millis).toISOString()]
    })
  )

/**
 * Opens a workbook. XLSX is read from its XML. SheetJS reads the other formats, and XLSX files without a readable workbook, to report what
 * is wrong with them.
 */
const bookOf = (bytes: Buffer, kind: Kind): Book => {
  const xml = kind === "xlsx" ? openXml(bytes) : undefined
  if (xml !== undefined) {
    const formats = makeFormats(xml.date1904)
    return { sheets: xml.sheets(formats), formats, metadata: withTimes(packageProperties(bytes)), warnings: [] }
  }
  const decoded = kind === "delimited" ? decodeText(bytes, undefined) : undefined
  const book = open(decoded?.text ?? bytes)
  const formats = makeFormats(book.Workbook?.WBProps?.date1904 === true)
  const hidden = kind === "ods" ? hiddenParts(bytes) : []
  const sheets = book.SheetNames.map((name, index) => ({
    name,
    isHidden: hidden[index]?.isHidden === true || (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
    read: () => {
      const sheet = book.Sheets[name] ?? {}
      return {
        rows: usedRows(sheet, formats, kind, hidden[index]),
        uncalculated: 0,
        isPartial: false,
        merges: (sheet["!merges"] ?? []).map(({ e, s }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c }))
      }
    }
  }))
  return {
    sheets,
    formats,
    metadata: metadataOf(book),
    warnings: decoded?.warning === undefined ? [] : [decoded.warning]
  }
}

/** Maximum formats named in a warning; the others are counted. */
const maxNamed = 5

const refusedWarning = (refused: ReadonlySet<string>): ReadonlyArray<string> => {
  if (refused.size === 0) return []
  const more = refused.size > maxNamed ? ` and ${refused.size - maxNamed} more` : ""
  const names = [...refused].slice(0, maxNamed).join(", ")
  return [`Some values do not fit their number format and are shown as plain numbers: ${names}${more}.`]
}

export const readWorkbook = (bytes: Buffer, kind: Kind): Tree => {
  const { formats, metadata, sheets, warnings: ofBook } = bookOf(bytes, kind)
  const blocks: Array<Block> = []
  const warnings = [...ofBook]
  let budget = maxCells
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  for (const { name, read } of visible) {
    const content = read()
    const { isPartial, uncalculated } = content
    const shown = tableRows(content, budget)
    budget -= shown.rows.length * (shown.rows[0]?.length ?? 0)
    if (shown.cut)
      warnings.push(`Sheet ${name} is cut after ${shown.rows.length} rows: a file may have at most ${maxCells} cells.`)
    if (isPartial)
      warnings.push(
        `Sheet ${name} has ${maxTags} or more merged cells or links: those from there on are left out. Split the sheet to keep them.`
      )
    if (uncalculated > 0)
      warnings.push(
        `Sheet ${name} has formulas whose results are not stored (${uncalculated}): open it in a spreadsheet program and save it again.`
      )
    if (isNamed(name, visible.length)) blocks.push(heading(2, name))
    if (shown.rows.length > 0) blocks.push(tableOf(shown))
  }
  return { blocks, metadata, warnings: [...warnings, ...refusedWarning(formats.refused)] }
}
