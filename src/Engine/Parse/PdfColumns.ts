/** Finds the columns of a PDF page and puts its rows into reading order. */
import type { Piece } from "./PdfInterpreter.ts"
import { type Row, rowsOf } from "./PdfRows.ts"

/** Rows that follow each other in one column. */
export type Region = ReadonlyArray<Row>

/** A column has at least this many rows beside another. */
const minRows = 4
const step = 4
/** Of a page that is wider than any sheet of paper, so many places are tried. */
const maxSteps = 1_000

interface Run {
  readonly from: number
  readonly to: number
  readonly worth: number
}

/** Consecutive rows that leave `x` free, with enough text on either side. */
const runsBeside = (rows: Region, x: number): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let from = 0
  let left = 0
  let right = 0
  const finish = (to: number) => {
    const worth = Math.min(left, right)
    if (worth >= minRows) runs.push({ from, to, worth })
    left = 0
    right = 0
  }
  rows.forEach((row, index) => {
    if (row.segments.some((segment) => segment.x0 < x && segment.x1 > x)) {
      finish(index)
      from = index + 1
      return
    }
    if (row.x0 < x) left += 1
    if (row.x1 > x) right += 1
  })
  finish(rows.length)
  return runs
}

/** Running text fills its column; what stands in the columns of a table does not. */
const isProse = (rows: Region, keep: (x: number) => boolean): boolean => {
  const segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0)))
  const left = Math.min(...segments.map(({ x0 }) => x0))
  const right = Math.max(...segments.map(({ x1 }) => x1))
  const filled = segments.reduce((sum, { x0, x1 }) => sum + (x1 - x0), 0) / segments.length
  const letters = segments.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0)
  return filled > 0.5 * (right - left) && letters / segments.length > 14
}

/** Lines of running text that fill their column from edge to edge, more of them than a cell has. */
const isFlow = (rows: Region, keep: (x: number) => boolean): boolean => {
  const segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0)))
  const left = Math.min(...segments.map(({ x0 }) => x0))
  const right = Math.max(...segments.map(({ x1 }) => x1))
  const full = segments.filter(({ pieces, x0, x1 }) => {
    const letters = pieces.reduce((sum, { text }) => sum + text.length, 0)
    return letters > 35 && x1 - x0 > 0.85 * (right - left)
  })
  return full.length >= 12 && full.length * 4 >= segments.length * 3
}

/** Columns of a page are as wide as each other; those of a table seldom. */
const balanced = (x: number, left: number, right: number): boolean =>
  Math.min(x - left, right - x) > 0.8 * Math.max(x - left, right - x)

/** The middle of the widest gap that most rows respect. */
const findGutter = (rows: Region): { readonly x: number; readonly runs: ReadonlyArray<Run> } | undefined => {
  const left = Math.min(...rows.map(({ x0 }) => x0))
  const right = Math.max(...rows.map(({ x1 }) => x1))
  const stride = Math.max(step, (right - left) / maxSteps)
  let best = 0
  let from = 0
  let to = 0
  for (let x = left + stride; x < right; x += stride) {
    const worth = runsBeside(rows, x).reduce((sum, run) => sum + run.worth, 0)
    if (worth > best) {
      best = worth
      from = x
      to = x
    } else if (worth > 0 && worth === best && x - to <= stride) to = x
  }
  if (best === 0) return undefined
  const x = (from + to) / 2
  const runs = runsBeside(rows, x).filter(({ from: start, to: end }) => {
    const beside = rows.slice(start, end)
    const before = (at: number) => at < x
    const after = (at: number) => at >= x
    if (isProse(beside, before) && isProse(beside, after)) return true
    // Beside running text there may be a drawing or a listing.
    return balanced(x, left, right) && (isFlow(beside, before) || isFlow(beside, after))
  })
  return runs.length === 0 ? undefined : { x, runs }
}

const isRightToLeft = (rows: Region): boolean => {
  let letters = 0
  let rtl = 0
  for (const { segments } of rows) {
    for (const { pieces } of segments) {
      for (const { text } of pieces) {
        letters += text.length
        rtl += text.match(/[\u0590-\u08ff]/g)?.length ?? 0
      }
    }
  }
  return rtl * 2 > letters
}

/** Regions in reading order: what spans the columns before and after them, the columns one by one. */
export const regionsOf = (pieces: ReadonlyArray<Piece>, depth = 0): ReadonlyArray<Region> => {
  const rows = rowsOf(pieces)
  const gutter = depth > 3 || rows.length < minRows ? undefined : findGutter(rows)
  if (gutter === undefined) return rows.length === 0 ? [] : [rows]
  const regions: Array<Region> = []
  let done = 0
  const wide = (to: number) => {
    if (to > done) regions.push(rows.slice(done, to))
  }
  for (const { from, to } of gutter.runs) {
    wide(from)
    const inside = rows.slice(from, to).flatMap(({ segments }) => segments)
    const side = (keep: (x: number) => boolean) =>
      regionsOf(
        inside.filter(({ x0 }) => keep(x0)).flatMap((segment) => segment.pieces),
        depth + 1
      )
    const sides = [side((x) => x < gutter.x), side((x) => x >= gutter.x)]
    regions.push(...(isRightToLeft(rows) ? sides.reverse() : sides).flat())
    done = to
  }
  wide(rows.length)
  return regions
}
