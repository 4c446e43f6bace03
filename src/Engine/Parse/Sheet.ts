/** Reads workbooks: each visible sheet becomes a heading and a table of the displayed values. */
import * as Xlsx from "@e965/xlsx"
import { corrupt, encrypted, type Kind } from "./Protocol.ts"
import { type Cells, type Hidden, noneHidden, partsOf, readPlain, type SheetPart, type UsedRow } from "./SheetXml.ts"
import { type Block, heading, type Tree, text } from "./Tree.ts"

/** Maximum cells of all tables of a file, empty ones included. */
const maxCells = 4_000_000

interface SheetTable {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly links: ReadonlyMap<string, string>
  readonly cut: boolean
}

/** Date format: the short date depends on the reader's region, but its year always has four digits. */
const shortDate = "m/d/yyyy"

const shownValue = (cell: Xlsx.CellObject): string => {
  if (cell.t === "z" || cell.v === undefined) return ""
  if (cell.z === "m/d/yy h:mm" && cell.t === "n") return Xlsx.SSF.format(`${shortDate} h:mm`, cell.v)
  return (cell.w ?? String(cell.v)).trim()
}

/** Rows read by the library, without hidden and empty ones. */
const usedRows = (sheet: Xlsx.WorkSheet, hidden: Hidden): ReadonlyArray<UsedRow> => {
  const data = (sheet["!data"] ?? []) as ReadonlyArray<ReadonlyArray<Xlsx.CellObject | undefined> | undefined>
  const hiddenRow = (index: number) => hidden.row(index) || sheet["!rows"]?.[index]?.hidden === true
  const hiddenColumn = (index: number) => hidden.column(index) || sheet["!cols"]?.[index]?.hidden === true
  const used: Array<UsedRow> = []
  data.forEach((row, rowIndex) => {
    if (row === undefined || hiddenRow(rowIndex)) return
    const columns: Array<number> = []
    const values: Array<string> = []
    const links = new Map<number, string>()
    row.forEach((cell, column) => {
      if (cell === undefined || hiddenColumn(column)) return
      const value = shownValue(cell)
      if (value === "") return
      columns.push(column)
      values.push(value)
      const href = cell.l?.Target
      if (href !== undefined && /^(?:https?|mailto|ftp):/i.test(href)) links.set(column, href)
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

/** Fields of a workbook that the library's types do not declare. */
interface WorkbookInternals {
  readonly SSF?: Readonly<Record<number, string>>
  readonly Strings?: ReadonlyArray<{ readonly t?: string } | undefined>
  readonly Styles?: { readonly CellXf?: ReadonlyArray<{ readonly numFmtId?: number } | undefined> }
}

/** Cell formats, applied by the library. */
const cellsOf = (book: Xlsx.WorkBook): Cells => {
  const { SSF: formats = {}, Strings, Styles } = book as Xlsx.WorkBook & WorkbookInternals
  const formatOf = (style: number): number => Styles?.CellXf?.[style]?.numFmtId ?? 0
  const format = (value: number | boolean | string, style: number): string => {
    const number = formatOf(style)
    const isShort = formats[number] === "m/d/yy h:mm" && typeof value === "number"
    try {
      return Xlsx.SSF.format(isShort ? `${shortDate} h:mm` : number, value, {
        dateNF: shortDate,
        table: formats
      }).trim()
    } catch {
      return String(value)
    }
  }
  return {
    show: (value, style) =>
      typeof value === "number" && Number.isSafeInteger(value) && formatOf(style) === 0
        ? String(value)
        : format(value, style),
    text: (text, style) => (formatOf(style) === 0 ? text.trim() : format(text, style)),
    shared: (index) => Strings?.[index]?.t
  }
}

const open = (bytes: Buffer, cellStyles: boolean, sheets?: ReadonlyArray<number>): Xlsx.WorkBook => {
  try {
    // `nodim`: ignore the declared size of a sheet, which may be anything.
    return Xlsx.read(bytes, {
      dense: true,
      cellHTML: false,
      cellFormula: false,
      cellNF: true,
      cellStyles,
      dateNF: shortDate,
      nodim: true,
      ...(sheets !== undefined && { sheets: [...sheets] }),
      UTC: true
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
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

/** A single sheet with a default name gets no heading. */
const isNamed = (name: string, sheets: number): boolean => sheets > 1 || !defaultName.test(name)

/** Indices of the sheets that need the library; undefined when all do. */
const librarySheets = (parts: ReadonlyMap<string, SheetPart>): ReadonlyArray<number> | undefined => {
  const each = [...parts.values()]
  return each.some(({ xml }) => xml !== undefined)
    ? each.flatMap(({ xml }, index) => (xml === undefined ? [index] : []))
    : undefined
}

/** The workbook, and a function for the used rows of a sheet. */
const sheetsOf = (bytes: Buffer, isXlsx: boolean) => {
  const parts = isXlsx ? partsOf(bytes) : new Map<string, SheetPart>()
  const bySheetXml = librarySheets(parts)
  const book = open(bytes, !isXlsx, bySheetXml)
  const names = [...parts.keys()]
  const isAlike = names.length === book.SheetNames.length && names.every((name, at) => name === book.SheetNames[at])
  // Workbooks with the 1904 date system, or whose sheet names differ, are read by the library alone.
  const all =
    bySheetXml === undefined || (isAlike && book.Workbook?.WBProps?.date1904 !== true) ? undefined : open(bytes, false)
  const cells = cellsOf(book)
  const rows = (name: string, index: number): ReadonlyArray<UsedRow> | undefined => {
    const { hidden = noneHidden, xml } = parts.get(name) ?? {}
    const plain = xml === undefined || all !== undefined ? undefined : readPlain(xml, cells, hidden)
    if (plain !== undefined) return plain
    const sheet = (all ?? (xml === undefined ? book : open(bytes, false, [index]))).Sheets[name]
    return sheet === undefined ? undefined : usedRows(sheet, hidden)
  }
  return { book, rows }
}

export const readWorkbook = (bytes: Buffer, kind: Kind): Tree => {
  const { book, rows } = sheetsOf(bytes, kind === "xlsx")
  const blocks: Array<Block> = []
  const warnings: Array<string> = []
  let budget = maxCells
  const visible = book.SheetNames.filter((_, index) => (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) === 0)
  for (const name of visible) {
    const used = rows(name, book.SheetNames.indexOf(name))
    if (used === undefined) continue
    const shown = tableRows(used, budget)
    budget -= shown.rows.length * (shown.rows[0]?.length ?? 0)
    if (shown.cut)
      warnings.push(`Sheet ${name} is cut after ${shown.rows.length} rows: a file may have at most ${maxCells} cells.`)
    if (isNamed(name, visible.length)) blocks.push(heading(2, name))
    if (shown.rows.length > 0) blocks.push(tableOf(shown))
  }
  return { blocks, metadata: metadataOf(book), warnings }
}
