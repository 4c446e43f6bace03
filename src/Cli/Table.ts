/** Columns under each other, for lists. */
import { type Channel, paint } from "./Terminal.ts"

/** Columns that are aligned to the right: numbers. */
export type Align = "left" | "right"

const gap = "   "

/** Titles of pages and errors of services may hold anything: a cell stays on its line, and steers no terminal. */
const tame = (cell: string): string => cell.replace(/\p{Cc}+/gu, " ").trim()

/** The lines of a table; its head is dim. Nothing is cut: lists are for pipes too. */
export const table = (
  head: ReadonlyArray<readonly [name: string, align?: Align]>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  channel: Channel
): ReadonlyArray<string> => {
  const rows = cells.map((row) => row.map(tame))
  const widths = head.map(([name], column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), name.length)
  )
  const line = (cells: ReadonlyArray<string>) =>
    cells
      .map((cell, column) =>
        head[column]?.[1] === "right" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      )
      .join(gap)
      .trimEnd()
  return [paint(channel).dim(line(head.map(([name]) => name))), ...rows.map(line)]
}
