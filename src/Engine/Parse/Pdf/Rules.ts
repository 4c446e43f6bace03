/** Ruled lines: the straight parts of drawn paths. */
import type { Box } from "../Tree.ts"

/** A horizontal or vertical line. */
export type Rule = Box

type Point = readonly [x: number, y: number]

const maxPoints = 12

const lineBetween = (from: Point, to: Point): ReadonlyArray<Rule> => {
  const [x0, x1] = from[0] < to[0] ? [from[0], to[0]] : [to[0], from[0]]
  const [y0, y1] = from[1] < to[1] ? [from[1], to[1]] : [to[1], from[1]]
  const thin = x1 - x0 < 3 || y1 - y0 < 3
  return thin && Math.max(x1 - x0, y1 - y0) > 4 ? [{ x0, y0, x1, y1 }] : []
}

const rulesOfPath = (points: ReadonlyArray<Point>, stroked: boolean): ReadonlyArray<Rule> => {
  if (points.length < 2 || points.length >= maxPoints) return []
  if (stroked) return points.slice(1).flatMap((point, index) => lineBetween(points[index] ?? point, point))
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return lineBetween([Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)])
}

/** Number of operands by kind of path segment: move, line, curve, close, quadratic curve. */
const operandCounts = [2, 2, 6, 0, 4]

/** Returns the straight lines of a path: stroked segments, and thin filled bars. */
export const rulesOf = (
  data: ArrayLike<number>,
  stroked: boolean,
  toPage: (x: number, y: number) => Point
): ReadonlyArray<Rule> => {
  const rules: Array<Rule> = []
  let points: Array<Point> = []
  const finish = () => {
    rules.push(...rulesOfPath(points, stroked))
    points = []
  }
  for (let at = 0; at < data.length; ) {
    const kind = data[at] ?? 0
    if (kind === 0) finish()
    if (kind < 2) points.push(toPage(data[at + 1] ?? 0, data[at + 2] ?? 0))
    else if (kind === 3 && stroked && points[0] !== undefined) points.push(points[0])
    // A path with curves is a drawing, whose straight parts do not count.
    else if (kind !== 3) points = []
    at += 1 + (operandCounts[kind] ?? 0)
  }
  finish()
  return rules
}
