/** Detects letter-spaced text: letters separated by the same gap form words, and wider gaps separate words. */

/** Minimum gaps in a letter-spaced run. Shorter runs may be lists of letters. */
const minGaps = 4
/** Smallest and largest gap between the letters of a word, in units of the font size. */
const [minGap, maxGap] = [0.1, 0.4]

/** Gap between the letters of a run, in units of the font size; 0 when the run is not letter-spaced. */
export const trackingOf = (gaps: ReadonlyArray<number>): number => {
  if (gaps.length < minGaps) return 0
  const sorted = [...gaps].sort((one, other) => one - other)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  if ((sorted[0] ?? 0) < minGap || middle > maxGap) return 0
  const near = gaps.filter((gap) => Math.abs(gap - middle) < Math.max(0.04, 0.2 * middle))
  return near.length >= 0.7 * gaps.length ? middle : 0
}

interface Letter {
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly size: number
}

const isLetter = ({ text }: Letter): boolean => /^\p{L}$/u.test(text)

/** Returns the gap before each piece that is due to letter spacing, in units of the font size. */
export const trackingsOf = (pieces: ReadonlyArray<Letter>): ReadonlyArray<number> => {
  const trackings = pieces.map(() => 0)
  if (pieces.length <= minGaps) return trackings
  for (let start = 0; start < pieces.length; ) {
    let end = start
    while (end < pieces.length && isLetter(pieces[end] as Letter)) end += 1
    const run = pieces.slice(start, end)
    const gaps = run.slice(1).map(({ size, x0 }, at) => (x0 - (run[at]?.x1 ?? x0)) / size)
    trackings.fill(trackingOf(gaps), start + 1, end)
    start = Math.max(end, start + 1)
  }
  return trackings
}
