/** Formats numbers, paths and tables for people. */

import { isAbsolute, relative } from "node:path"
import { count } from "../Row/Count.ts"
import { type Channel, paint } from "./Terminal.ts"

export { count }

/** Size such as `512 B`, `1.2 kB` or `34 MB`. */
export const bytes = (size: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"]
  // Rounds 999.5 kB to 1.0 MB.
  const power = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size / 0.9995) / 3))
  const scaled = size / 1000 ** power
  return `${power > 0 && scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`
}

/** Duration such as `0.4 s`, `12 s` or `3 min 5 s`. */
export const duration = (millis: number): string => {
  const seconds = Math.round(millis / 1000)
  if (millis < 9950) return `${(millis / 1000).toFixed(1)} s`
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Path to show: relative if it is in the current folder. */
export const place = (path: string): string => {
  if (path === "-") return "standard output"
  const near = relative(process.cwd(), path)
  return near === "" ? "." : near.startsWith("..") || isAbsolute(near) ? path : near
}

/** Alignment of a column; numbers are right-aligned. */
export type Align = "left" | "right"

const gap = "   "

/** Titles of pages and errors of services may contain anything: keeps a cell on one line, without control characters. */
export const tame = (cell: string): string => cell.replace(/\p{Cc}+/gu, " ").trim()

/** Never splits a character. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1).replace(/\p{Cs}$/u, "")}…`

/** Lines of a table with a dim head. Nothing is truncated, because lists are also piped to programs. */
export const table = (
  head: ReadonlyArray<readonly [name: string, align?: Align]>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  channel: Channel
): ReadonlyArray<string> => {
  const names = head.map(([name]) => tame(name))
  const rows = cells.map((row) => row.map(tame))
  const widths = names.map((name, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), name.length)
  )
  const line = (cells: ReadonlyArray<string>) =>
    cells
      .map((cell, column) =>
        head[column]?.[1] === "right" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      )
      .join(gap)
      .trimEnd()
  return [paint(channel).dim(line(names)), ...rows.map(line)]
}

/** Writes a table. */
export const writeTable = (...[head, cells, channel]: Parameters<typeof table>): void =>
  channel.write(`${table(head, cells, channel).join("\n")}\n`)

/** Quotes a word for a POSIX shell. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** A time in milliseconds since 1970 as ISO 8601. */
export const iso = (millis: number | undefined): string | undefined =>
  millis === undefined ? undefined : new Date(millis).toISOString()

/** Like {@link iso}; null without a time, so that the key stays in JSON. */
export const isoOrNull = (millis: number | null | undefined): string | null => iso(millis ?? undefined) ?? null

/** A time in UTC, to the minute: `2026-03-29 06:15`. */
export const minute = (millis: number | undefined): string => iso(millis)?.slice(0, 16).replace("T", " ") ?? "–"
