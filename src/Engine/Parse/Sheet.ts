/** Reads workbooks: every visible sheet becomes a heading and a table of the values that a reader sees (spec 4.2). */
import * as Xlsx from "@e965/xlsx"
import { corrupt, encrypted } from "./Refusal.ts"
import { type Hidden, hiddenOf, nothing } from "./SheetHidden.ts"
import type { Kind } from "./Sniff.ts"
import { type Block, heading, type Tree, text } from "./Tree.ts"

/** Cells of the tables of one file, empty ones included. */
const maxCells = 4_000_000

interface Shown {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly links: ReadonlyMap<string, string>
  readonly cut: boolean
}

/** Programs show the short date of their reader's region, and all of them show four digits of the year. */
const shortDate = "m/d/yyyy"

const shownValue = (cell: Xlsx.CellObject): string => {
  if (cell.t === "z" || cell.v === undefined) return ""
  if (cell.z === "m/d/yy h:mm" && cell.t === "n") return Xlsx.SSF.format(`${shortDate} h:mm`, cell.v)
  return (cell.w ?? String(cell.v)).trim()
}

/** The used rows and columns that are not hidden; whole empty rows and columns are left out. */
const readSheet = (sheet: Xlsx.WorkSheet, hidden: Hidden, budget: number): Shown => {
  const data = (sheet["!data"] ?? []) as ReadonlyArray<ReadonlyArray<Xlsx.CellObject | undefined> | undefined>
  const hiddenRow = (index: number) => hidden.row(index) || sheet["!rows"]?.[index]?.hidden === true
  const hiddenColumn = (index: number) => hidden.column(index) || sheet["!cols"]?.[index]?.hidden === true
  const columns = new Set<number>()
  const used: Array<ReadonlyArray<readonly [column: number, value: string, href: string | undefined]>> = []
  data.forEach((row, rowIndex) => {
    if (row === undefined || hiddenRow(rowIndex)) return
    const cells: Array<readonly [number, string, string | undefined]> = []
    row.forEach((cell, column) => {
      if (cell === undefined || hiddenColumn(column)) return
      const value = shownValue(cell)
      if (value === "") return
      columns.add(column)
      cells.push([column, value, cell.l?.Target])
    })
    if (cells.length > 0) used.push(cells)
  })
  const order = [...columns].sort((a, b) => a - b)
  const position = new Map(order.map((column, index) => [column, index]))
  const fitting = Math.min(used.length, Math.floor(budget / Math.max(1, order.length)))
  const links = new Map<string, string>()
  const rows = used.slice(0, fitting).map((cells, rowIndex) => {
    const line = order.map(() => "")
    for (const [column, value, href] of cells) {
      const at = position.get(column) ?? 0
      line[at] = value
      if (href !== undefined && /^(?:https?|mailto|ftp):/i.test(href)) links.set(`${rowIndex}:${at}`, href)
    }
    return line
  })
  return { rows, links, cut: fitting < used.length }
}

const tableOf = ({ rows, links }: Shown): Block =>
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

const open = (bytes: Buffer, cellStyles: boolean): Xlsx.WorkBook => {
  try {
    // `nodim`: a sheet may claim any size; only cells that are there count.
    return Xlsx.read(bytes, {
      dense: true,
      cellHTML: false,
      cellFormula: false,
      cellNF: true,
      cellStyles,
      dateNF: shortDate,
      nodim: true,
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

/** As spreadsheet programs call the first sheet of a new workbook, in any language: a word and a number. */
const givenName = /^\p{L}+ ?\d$/u

/** The name of a lone sheet that nobody named tells nothing. */
const isNamed = (name: string, sheets: number): boolean => sheets > 1 || !givenName.test(name)

export const readWorkbook = (bytes: Buffer, kind: Kind): Tree => {
  const isXlsx = kind === "xlsx"
  const book = open(bytes, !isXlsx)
  const hidden = isXlsx ? hiddenOf(bytes) : new Map<string, Hidden>()
  const blocks: Array<Block> = []
  const warnings: Array<string> = []
  let budget = maxCells
  const visible = book.SheetNames.filter((_, index) => (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) === 0)
  for (const name of visible) {
    const sheet = book.Sheets[name]
    if (sheet === undefined) continue
    const shown = readSheet(sheet, hidden.get(name) ?? nothing, budget)
    budget -= shown.rows.length * (shown.rows[0]?.length ?? 0)
    if (shown.cut)
      warnings.push(`Sheet ${name} is cut after ${shown.rows.length} rows: a file may show ${maxCells} cells.`)
    if (isNamed(name, visible.length)) blocks.push(heading(2, name))
    if (shown.rows.length > 0) blocks.push(tableOf(shown))
  }
  return { blocks, metadata: metadataOf(book), warnings }
}
