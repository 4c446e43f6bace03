/**
 * Sum of numbers that is rounded only once, at the end, so the result does not depend on the order (Shewchuk 1997, as in Python's
 * `math.fsum`). Its state is plain JSON: non-overlapping partial sums, ordered by size.
 */

/** Adds a number to a sum. */
export const addTo = (parts: Array<number>, number: number): void => {
  let left = number
  let kept = 0
  for (const part of parts) {
    const [large, small] = Math.abs(left) < Math.abs(part) ? [part, left] : [left, part]
    const high = large + small
    const low = small - (high - large)
    if (low !== 0) parts[kept++] = low
    left = high
  }
  parts.length = kept
  parts.push(left)
}

/** The sum, rounded to the nearest number; not finite if it is larger than any number. */
export const valueOf = (parts: ReadonlyArray<number>): number => {
  let at = parts.length - 1
  let high = parts[at] ?? 0
  let low = 0
  while (at > 0) {
    const part = parts[--at] ?? 0
    const before = high
    high = before + part
    low = part - (high - before)
    if (low !== 0) break
  }
  const next = parts[at - 1] ?? 0
  // If the sum lies exactly halfway between two numbers, the smaller parts decide how it is rounded.
  if (at > 0 && ((low < 0 && next < 0) || (low > 0 && next > 0))) {
    const twice = low * 2
    const other = high + twice
    if (other - high === twice) return other
  }
  return high
}
