/** Reads Word 6 and 95 files. */

import { iconv } from "../../Packages.ts"
import { streamOf } from "./Compound.ts"
import { encrypted } from "./Protocol.ts"
import { type Block, heading, paragraph } from "./Tree.ts"

const u16 = (bytes: Buffer, at: number): number => (at >= 0 && at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0)
const u32 = (bytes: Buffer, at: number): number => (at >= 0 && at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0)

/** Code page by the low byte of the language id; Western by default. */
const codePages: Record<number, string> = {
  1: "cp1256",
  2: "cp1251",
  4: "cp936",
  5: "cp1250",
  8: "cp1253",
  13: "cp1255",
  14: "cp1250",
  17: "cp932",
  18: "cp949",
  21: "cp1250",
  24: "cp1250",
  25: "cp1251",
  27: "cp1250",
  30: "cp874",
  31: "cp1254",
  34: "cp1251",
  37: "cp1257",
  38: "cp1257",
  39: "cp1257"
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Fields nested deeper count as text. */
const maxNestedFields = 20
const maxPieces = 100_000

/** Spans of text in reading order. Files saved with "fast save" have a table of pieces. */
const piecesOf = (stream: Buffer): ReadonlyArray<Span> => {
  const whole = { from: u32(stream, 0x18), to: u32(stream, 0x1c) }
  if ((u16(stream, 0x0a) & 4) === 0) return [whole]
  const end = u32(stream, 0x160) + u32(stream, 0x164)
  let at = u32(stream, 0x160)
  // Formatting of pieces precedes the table.
  while (at < end && stream[at] === 1) at += 3 + u16(stream, at + 1)
  if (stream[at] !== 2) return [whole]
  const start = at + 5
  const count = Math.min(maxPieces, Math.floor((u32(stream, at + 1) - 4) / 12))
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const from = u32(stream, start + 4 * (count + 1) + 8 * index + 2)
    return { from, to: from + u32(stream, start + 4 * (index + 1)) - u32(stream, start + 4 * index) }
  })
}

interface StyledSpan extends Span {
  readonly style: number
}

const pageSize = 512

/** Style number of each paragraph, by position in the stream. */
const stylesOf = (stream: Buffer): ReadonlyArray<StyledSpan> => {
  const start = u32(stream, 0xc0)
  const count = Math.min(maxPieces, Math.floor((u32(stream, 0xc4) - 4) / 6))
  const styles: Array<StyledSpan> = []
  for (let index = 0; index < count; index += 1) {
    const page = pageSize * u16(stream, start + 4 * (count + 1) + 2 * index)
    if (page === 0 || page + pageSize > stream.length) continue
    const runs = stream[page + pageSize - 1] ?? 0
    for (let run = 0; run < runs && 4 * (runs + 1) + 7 * (run + 1) < pageSize; run += 1) {
      const offset = 2 * (stream[page + 4 * (runs + 1) + 7 * run] ?? 0)
      const style = offset === 0 ? 0 : (stream[page + offset + 1] ?? 0)
      styles.push({ from: u32(stream, page + 4 * run), to: u32(stream, page + 4 * (run + 1)), style })
    }
  }
  return styles.sort((a, b) => a.from - b.from)
}

/** Visible text: of a field only its result; marks of pictures and notes are dropped. */
const visibleText = (text: string): string => {
  const fields: Array<"instruction" | "result"> = []
  let out = ""
  for (const char of text) {
    const code = char.charCodeAt(0)
    if (code === 0x13) fields.push("instruction")
    else if (code === 0x14) fields.splice(-1, 1, "result")
    else if (code === 0x15) fields.pop()
    else if (fields.length > 0 && fields.length <= maxNestedFields && fields.includes("instruction")) continue
    else if (code === 0x0b || code === 0x0c) out += "\n"
    else if (code === 0x1e) out += "-"
    else if (code === 0x09 || code >= 0x20) out += char
  }
  return out.trim()
}

/** Rows of a table. Each row ends with an empty cell; the smallest width for which this is true is the table's. */
const rowsOf = (cells: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  for (let width = 1; width < cells.length; width += 1) {
    if (cells.length % (width + 1) !== 0) continue
    const rows = Array.from({ length: cells.length / (width + 1) }, (_, row) =>
      cells.slice(row * (width + 1), (row + 1) * (width + 1))
    )
    if (rows.every((row) => row[width] === "")) return rows.map((row) => row.slice(0, width))
  }
  return [cells]
}

/** Blocks of a Word 6 or 95 file; undefined when it is another format. */
export const readOldWord = (bytes: Buffer): ReadonlyArray<Block> | undefined => {
  const stream = streamOf(bytes, "WordDocument")
  if (stream === undefined || u16(stream, 0) !== 0xa5dc) return undefined
  if ((u16(stream, 0x0a) & 0x100) !== 0) throw encrypted("The document")
  const codePage = codePages[u16(stream, 6) & 0xff] ?? "cp1252"
  const styles = stylesOf(stream)
  const blocks: Array<Block> = []
  let cells: Array<string> = []
  let cell: Array<string> = []
  const closeTable = () => {
    if (cells.length > 0) blocks.push({ kind: "grid", rows: rowsOf(cells) })
    cells = []
  }
  let known = 0
  const styleAt = (place: number): number => {
    if ((styles[known]?.from ?? 0) > place) known = 0
    while (known < styles.length && (styles[known]?.to ?? 0) <= place) known += 1
    return styles[known]?.style ?? 0
  }
  const add = (words: string, style: number) => {
    if (words === "") return
    // Styles 1 to 9 are the headings.
    blocks.push(style >= 1 && style <= 9 ? heading(Math.min(style, 6), words) : paragraph(words))
  }
  let open = ""
  // Bounds the work when pieces overlap.
  let left = 2 * stream.length
  for (const { from, to } of piecesOf(stream)) {
    const piece = stream.subarray(from, Math.min(to, stream.length, from + left))
    left -= piece.length
    let start = 0
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]
      if (byte !== 0x0d && byte !== 0x07) continue
      const words = visibleText(open + iconv().decode(piece.subarray(start, at), codePage))
      open = ""
      start = at + 1
      if (byte === 0x07) {
        cells.push([...cell, words].filter((line) => line !== "").join("\n"))
        cell = []
      } else if (cells.length > 0 && nextMark(piece, start) === 0x07) cell.push(words)
      else {
        closeTable()
        add(words, styleAt(from + at))
      }
    }
    open += iconv().decode(piece.subarray(start), codePage)
  }
  closeTable()
  add(visibleText(open), 0)
  return blocks
}

/** Byte that ends the next paragraph. */
const nextMark = (piece: Buffer, start: number): number | undefined => {
  for (let at = start; at < piece.length; at += 1) if (piece[at] === 0x0d || piece[at] === 0x07) return piece[at]
  return undefined
}
