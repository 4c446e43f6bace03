/** Two texts line by line, as a unified diff. */

type Edit = readonly [sign: " " | "-" | "+", line: string]

/** More pairs of lines than this are not compared one by one. */
const most = 4_000_000

/** The shortest way from one list of lines to another, where they are not too long for that. */
const compare = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Edit> => {
  const [rows, columns] = [before.length, after.length]
  if (rows * columns > most) {
    return [...before.map((line): Edit => ["-", line]), ...after.map((line): Edit => ["+", line])]
  }
  const width = columns + 1
  /** Lines in common from a pair to the end. */
  const common = new Uint32Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      common[row * width + column] =
        before[row] === after[column]
          ? (common[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0)
    }
  }
  const edits: Array<Edit> = []
  let [row, column] = [0, 0]
  while (row < rows || column < columns) {
    const [old, fresh] = [before[row], after[column]]
    if (old !== undefined && old === fresh) {
      edits.push([" ", old])
      row++
      column++
    } else if (
      old !== undefined &&
      (fresh === undefined || (common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0))
    ) {
      edits.push(["-", old])
      row++
    } else if (fresh !== undefined) {
      edits.push(["+", fresh])
      column++
    }
  }
  return edits
}

const editsOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Edit> => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const same = (lines: ReadonlyArray<string>) => lines.map((line): Edit => [" ", line])
  return [
    ...same(before.slice(0, head)),
    ...compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail))
  ]
}

const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\n$/, "").split("\n"))

const range = (start: number, length: number): string => `${length === 0 ? start : start + 1},${length}`

/** The hunks of a unified diff with three lines around each; no line when the texts are equal. */
export const lineDiff = (before: string, after: string, around = 3): ReadonlyArray<string> => {
  const edits = editsOf(linesOf(before), linesOf(after))
  const shown = new Set<number>()
  for (const [index, [sign]] of edits.entries()) {
    if (sign === " ") continue
    for (let near = index - around; near <= index + around; near++) shown.add(near)
  }
  const lines: Array<string> = []
  const at = { before: 0, after: 0 }
  for (let index = 0; index < edits.length; ) {
    if (!shown.has(index)) {
      at.before++
      at.after++
      index++
      continue
    }
    const hunk: Array<Edit> = []
    for (let edit = edits[index]; edit !== undefined && shown.has(index); edit = edits[++index]) hunk.push(edit)
    const old = hunk.filter(([sign]) => sign !== "+").length
    const fresh = hunk.filter(([sign]) => sign !== "-").length
    lines.push(`@@ -${range(at.before, old)} +${range(at.after, fresh)} @@`, ...hunk.map(([sign, line]) => sign + line))
    at.before += old
    at.after += fresh
  }
  return lines
}
