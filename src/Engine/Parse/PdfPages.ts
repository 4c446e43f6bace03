/** Puts the pages of a PDF together: running lines go, tables go on from one page to the next. */
import type { Line } from "./PdfLines.ts"
import type { Part, TablePart } from "./PdfParts.ts"
import { blockText, type Cell } from "./Tree.ts"

type Pages = ReadonlyArray<ReadonlyArray<Part>>

export const linesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<Line> =>
  parts.flatMap((part) => ("lines" in part ? part.lines : []))

/** What stands at the top or foot of most pages, page numbers aside, is not part of the text. */
export const withoutRunningLines = (pages: Pages): Pages => {
  if (pages.length < 4) return pages
  const keyOf = ({ text, y }: Line) => `${Math.round(y / 8)} ${text.replace(/\d+/g, "#")}`
  const edges = pages.map((parts) => {
    const lines = [...linesOf(parts)].sort((a, b) => a.y - b.y)
    return new Set([...lines.slice(0, 2), ...lines.slice(-2)])
  })
  const counts = new Map<string, number>()
  for (const edge of edges) for (const line of edge) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  return pages.map((parts, index) =>
    parts.map((part) =>
      "lines" in part
        ? {
            lines: part.lines.filter(
              (line) => !(edges[index]?.has(line) && (counts.get(keyOf(line)) ?? 0) > Math.max(3, pages.length * 0.4))
            )
          }
        : part
    )
  )
}

const textOf = (row: ReadonlyArray<Cell> | undefined): string =>
  (row ?? []).map(({ blocks }) => blockText(blocks).trim()).join("\t")

const sameColumns = (one: TablePart, other: TablePart): boolean =>
  one.xs !== undefined &&
  other.xs !== undefined &&
  one.xs.length === other.xs.length &&
  one.xs.every((x, index) => Math.abs(x - (other.xs?.[index] ?? 0)) < 5)

/** A table at the foot of a page and one with the same columns at the top of the next are one; a repeated head goes. */
export const withTablesJoined = (pages: Pages): ReadonlyArray<Part> => {
  const joined: Array<Part> = []
  /** The rows of the table that is last, where it has become longer. */
  let growing: Array<ReadonlyArray<Cell>> = []
  for (const parts of pages) {
    const [first, ...others] = parts.filter((part) => "table" in part || part.lines.length > 0)
    const last = joined[joined.length - 1]
    if (first === undefined) continue
    if (last !== undefined && "table" in last && "table" in first && sameColumns(last.table, first.table)) {
      const [head, ...rest] = first.table.rows
      const repeats = textOf(head) === textOf(last.table.rows[0])
      if (last.table.rows !== growing) {
        growing = [...last.table.rows]
        joined[joined.length - 1] = { table: { ...last.table, rows: growing } }
      }
      for (const row of repeats ? rest : first.table.rows) growing.push(row)
    } else joined.push(first)
    joined.push(...others)
  }
  return joined
}
