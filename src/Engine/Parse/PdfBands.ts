/** Finds the tables of a PDF page that have lines between their rows only, as books and papers set them. */
import { type Grid, splitRow } from "./PdfGrids.ts"
import type { Piece } from "./PdfInterpreter.ts"
import { type Row, rowsOf, type Segment } from "./PdfRows.ts"
import type { Rule } from "./PdfRules.ts"
import { addSpans, type Span } from "./PdfTables.ts"

const near = 4
/** Above, below, and at least one between. */
const minRules = 3
/** Lines further apart than this do not belong to one table. */
const maxHeight = 400
/** Segments with more letters are running text beside running text. */
const maxLetters = 32

/** Level lines of the same width under each other, from top to bottom. */
const stacksOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const stacks: Array<Array<Rule>> = []
  const level = rules.filter(({ x0, x1, y0, y1 }) => y1 - y0 < 3 && x1 - x0 > 60)
  for (const rule of [...level].sort((a, b) => a.y0 - b.y0)) {
    const home = stacks.find((stack) => {
      const last = stack[stack.length - 1]
      return (
        last !== undefined &&
        Math.abs(last.x0 - rule.x0) < near &&
        Math.abs(last.x1 - rule.x1) < near &&
        rule.y0 - last.y0 < maxHeight
      )
    })
    if (home === undefined) stacks.push([rule])
    else if (rule.y0 - (home[home.length - 1]?.y0 ?? 0) > near) home.push(rule)
  }
  return stacks.filter((stack) => stack.length >= minRules)
}

const wordy = ({ pieces }: Segment): number => pieces.reduce((sum, { text }) => sum + text.length, 0)

/** The columns that most rows agree on; undefined where there is only one, or running text in two. */
const columnsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Span> | undefined => {
  const several = rows.filter(({ segments }) => segments.length > 1)
  if (several.length < 2 || several.length * 2 < rows.length) return undefined
  const counts = several.map(({ segments }) => segments.length).sort((a, b) => a - b)
  const usual = counts[Math.floor(counts.length / 2)] ?? 2
  const full = several.filter(({ segments }) => segments.length >= usual)
  const segments = full.flatMap((row) => row.segments)
  if (segments.reduce((sum, segment) => sum + wordy(segment), 0) / segments.length > maxLetters) return undefined
  const spans = full.reduce<ReadonlyArray<Span>>((all, row) => addSpans(all, row.segments), [])
  return spans.length < 2 ? undefined : spans
}

const shared = (segment: Segment, { x0, x1 }: Span): number => Math.min(segment.x1, x1) - Math.max(segment.x0, x0)

/** Each segment in the column that it shares most with. */
const cellsOf = (rows: ReadonlyArray<Row>, spans: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Piece>> => {
  const cells: Array<Array<Piece>> = spans.map(() => [])
  for (const segment of rows.flatMap((row) => row.segments)) {
    const widths = spans.map((span) => shared(segment, span))
    cells[widths.indexOf(Math.max(...widths))]?.push(...segment.pieces)
  }
  return cells
}

/** A header may stand above the first line. */
const headerOf = (rows: ReadonlyArray<Row>, top: number): Row | undefined => {
  const last = rows.filter(({ y }) => y < top).at(-1)
  return last !== undefined && last.segments.length > 1 && top - last.y < 2 * last.size ? last : undefined
}

/** Tables between level lines; what they hold is not among the rest. */
export const bandedTables = (
  pieces: ReadonlyArray<Piece>,
  rules: ReadonlyArray<Rule>,
  taken: ReadonlyArray<Grid>
): { readonly grids: ReadonlyArray<Grid>; readonly rest: ReadonlyArray<Piece> } => {
  const grids: Array<Grid> = []
  const free = rules.filter(({ y0 }) => !taken.some(({ bottom, y }) => y0 > y - near && y0 < bottom + near))
  let rest = pieces
  for (const stack of stacksOf(free)) {
    const [first] = stack
    const last = stack[stack.length - 1]
    if (first === undefined || last === undefined) continue
    const within = ({ x0, x1 }: Piece) => x0 > first.x0 - 12 && x1 < first.x1 + 12
    const inside = rest.filter((piece) => within(piece) && piece.y > first.y0 - 2 && piece.y < last.y0)
    const rows = rowsOf(inside)
    const columns = columnsOf(rows)
    if (columns === undefined) continue
    const above = headerOf(
      rowsOf(rest.filter((piece) => within(piece) && piece.y < first.y0 && piece.y > first.y0 - 60)),
      first.y0
    )
    const bands = stack
      .slice(1)
      .map((rule, index) => rows.filter(({ y }) => y > (stack[index]?.y0 ?? 0) - 2 && y < rule.y0))
    const cells = [...(above === undefined ? [] : [[above]]), ...bands]
      .filter((band) => band.length > 0)
      .map((band) => cellsOf(band, columns))
      .flatMap(splitRow)
    if (cells.length < 2) continue
    const used = new Set(cells.flat(2))
    rest = rest.filter((piece) => !used.has(piece))
    grids.push({
      y: above === undefined ? first.y0 : above.y,
      bottom: last.y0,
      xs: columns.flatMap(({ x0, x1 }) => [x0, x1]),
      cells
    })
  }
  return { grids, rest }
}
