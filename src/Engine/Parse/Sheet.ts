/** Reads workbooks: each visible sheet becomes a heading and a table of the displayed values. */
import * as Xlsx from "@e965/xlsx"
import { packageProperties } from "./Properties.ts"
import { corrupt, encrypted, type Kind } from "./Protocol.ts"
import { type Formats, makeFormats } from "./SheetFormat.ts"
import { isWebLink, type UsedRow } from "./SheetReader.ts"
import { openXml, type XmlSheet } from "./SheetXml.ts"
import { type Block, heading, type Tree, text } from "./Tree.ts"

/** Maximum cells of all tables in a file, including empty ones. */
const maxCells = 4_000_000

interface SheetTable {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly links: ReadonlyMap<string, string>
  readonly cut: boolean
}

/** Replacements for the short date formats, which programs show differently by region. The year always gets four digits. */
const shortDates: Readonly<Record<string, string>> = {
  "m/d/yy": "m/d/yyyy",
  "m/d/yy h:mm": "m/d/yyyy h:mm"
}

/** Text of a cell as displayed. `isFormatted`: the file contains displayed texts, as text files and OpenDocument tables do. */
const shownValue = (cell: Xlsx.CellObject, formats: Formats, isFormatted: boolean): string => {
  if (cell.t === "z" || cell.v === undefined) return ""
  if (cell.t === "n" && typeof cell.v === "number" && !isFormatted) {
    const format = String(cell.z ?? "General")
    return formats.number(cell.v, shortDates[format] ?? format)
  }
  return (cell.w ?? String(cell.v)).trim()
}

/** Rows that SheetJS read, without hidden and empty ones. */
const usedRows = (sheet: Xlsx.WorkSheet, formats: Formats, isFormatted: boolean): ReadonlyArray<UsedRow> => {
  const data = (sheet["!data"] ?? []) as ReadonlyArray<ReadonlyArray<Xlsx.CellObject | undefined> | undefined>
  const used: Array<UsedRow> = []
  data.forEach((row, rowIndex) => {
    if (row === undefined || sheet["!rows"]?.[rowIndex]?.hidden === true) return
    const columns: Array<number> = []
    const values: Array<string> = []
    const links = new Map<number, string>()
    row.forEach((cell, column) => {
      if (cell === undefined || sheet["!cols"]?.[column]?.hidden === true) return
      const value = shownValue(cell, formats, isFormatted)
      if (value === "") return
      columns.push(column)
      values.push(value)
      const href = cell.l?.Target
      if (href !== undefined && isWebLink(href)) links.set(column, href)
    })
    if (columns.length > 0) used.push(links.size === 0 ? { columns, values } : { columns, values, links })
  })
  return used
}

/** Builds the table of a sheet, without empty rows and columns, cut to `budget` cells. */
const tableRows = (used: ReadonlyArray<UsedRow>, budget: number): SheetTable => {
  const isUsed: Array<boolean> = []
  for (const { columns } of used) for (const column of columns) isUsed[column] = true
  const position: Array<number> = []
  let width = 0
  isUsed.forEach((_, column) => {
    position[column] = width++
  })
  const fitting = Math.min(used.length, Math.floor(budget / Math.max(1, width)))
  const links = new Map<string, string>()
  const rows = used.slice(0, fitting).map(({ columns, links: leading, values }, rowIndex) => {
    for (const [column, href] of leading ?? []) links.set(`${rowIndex}:${position[column]}`, href)
    if (columns.length === width) return values
    const line = new Array<string>(width).fill("")
    columns.forEach((column, at) => {
      line[position[column] ?? 0] = values[at] ?? ""
    })
    return line
  })
  return { rows, links, cut: fitting < used.length }
}

const tableOf = ({ rows, links }: SheetTable): Block =>
  links.size === 0
    ? { kind: "grid", rows }
    : {
        kind: "table",
        headerRows: 1,
        rows: rows.map((row, rowIndex) =>
          row.map((value, column) => {
            const href = links.get(`${rowIndex}:${column}`)
            const content =
              href === undefined ? [text(value)] : [{ kind: "link" as const, href, content: [text(value)] }]
            return { blocks: [{ kind: "paragraph" as const, content }], colSpan: 1, rowSpan: 1 }
          })
        )
      }

const open = (bytes: Buffer): Xlsx.WorkBook => {
  try {
    // `nodim` ignores the declared size of a sheet, which may be wrong.
    return Xlsx.read(bytes, {
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
    return { sheets: xml.sheets(formats), formats, metadata: withTimes(packageProperties(bytes)) }
  }
  const book = open(bytes)
  const formats = makeFormats(book.Workbook?.WBProps?.date1904 === true)
  const isFormatted = kind === "ods" || kind === "delimited"
  const sheets = book.SheetNames.map((name, index) => ({
    name,
    isHidden: (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
    read: () => {
      const sheet = book.Sheets[name]
      return { rows: sheet === undefined ? [] : usedRows(sheet, formats, isFormatted), uncalculated: 0 }
    }
  }))
  return { sheets, formats, metadata: metadataOf(book) }
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
  const { formats, metadata, sheets } = bookOf(bytes, kind)
  const blocks: Array<Block> = []
  const warnings: Array<string> = []
  let budget = maxCells
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  for (const { name, read } of visible) {
    const { rows, uncalculated } = read()
    const shown = tableRows(rows, budget)
    budget -= shown.rows.length * (shown.rows[0]?.length ?? 0)
    if (shown.cut)
      warnings.push(`Sheet ${name} is cut after ${shown.rows.length} rows: a file may have at most ${maxCells} cells.`)
    if (uncalculated > 0)
      warnings.push(
        `Sheet ${name} has formulas whose results are not stored (${uncalculated}): open it in a spreadsheet program and save it again.`
      )
    if (isNamed(name, visible.length)) blocks.push(heading(2, name))
    if (shown.rows.length > 0) blocks.push(tableOf(shown))
  }
  return { blocks, metadata, warnings: [...warnings, ...refusedWarning(formats.refused)] }
}
