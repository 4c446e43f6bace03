/** Columns under each other, for lists. */
import { type Channel, paint } from "./Terminal.ts"

/** Columns that are aligned to the right: numbers. */
export type Align = "left" | "right"

const gap = "   "

/** The lines of a table; its head is dim. Nothing is cut: lists are for pipes too. */
export const table = (
  head: ReadonlyArray<readonly [name: string, align?: Align]>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  channel: Channel
): ReadonlyArray<string> => {
  const widths = head.map(([name], column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    cells
      .map((cell, column) =>
        head[column]?.[1] === "right" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      )
      .join(gap)
      .trimEnd()
  return [paint(channel).dim(line(head.map(([name]) => name))), ...rows.map(line)]
}
