/** Difference of two texts, line by line, as a unified diff and as JSON (the format of parse-diff). */
import { jsdiff } from "../../Packages.ts"
import { withLineEnd } from "../../Values/Text.ts"

/**
 * A line of a diff. `ln` is the line number in the one text that has the line; `ln1` and `ln2` are the numbers of a common line in the old
 * and the new text.
 */
export type Change =
  | {
      readonly type: "normal"
      readonly normal: true
      readonly ln1: number
      readonly ln2: number
      readonly content: string
    }
  | { readonly type: "add"; readonly add: true; readonly ln: number; readonly content: string }
  | { readonly type: "del"; readonly del: true; readonly ln: number; readonly content: string }

export interface Chunk {
  readonly content: string
  readonly changes: ReadonlyArray<Change>
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
}

export interface Difference {
  /** A unified diff without the file name lines. */
  readonly text: string
  readonly json: {
    readonly files: ReadonlyArray<{
      readonly from: null
      readonly to: null
      readonly additions: number
      readonly deletions: number
      readonly chunks: ReadonlyArray<Chunk>
    }>
  }
}

/** Lines shown around a change. */
const context = 3

/** Maximum changed lines of a minimal diff: its time grows with their square. */
const maxEdits = 1000

interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Lines that each start with a space, a plus or a minus. */
  readonly lines: ReadonlyArray<string>
}

/** One hunk that replaces everything between the common start and the common end. */
const whole = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): Hunk => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const from = Math.max(0, head - context)
  const rest = Math.max(0, tail - context)
  const same = (line: string) => ` ${line}`
  return {
    oldStart: from + 1,
    oldLines: before.length - rest - from,
    newStart: from + 1,
    newLines: after.length - rest - from,
    lines: [
      ...before.slice(from, head).map(same),
      ...before.slice(head, before.length - tail).map((line) => `-${line}`),
      ...after.slice(head, after.length - tail).map((line) => `+${line}`),
      ...before.slice(before.length - tail, before.length - rest).map(same)
    ]
  }
}

const hunksOf = (before: string, after: string): ReadonlyArray<Hunk> =>
  jsdiff().structuredPatch("", "", before, after, undefined, undefined, {
    context,
    maxEditLength: maxEdits,
    timeout: 200
  })?.hunks ?? [whole(before.split("\n").slice(0, -1), after.split("\n").slice(0, -1))]

/** Range in a hunk header. An empty range refers to the line before it. */
const rangeOf = (start: number, lines: number): string =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`

const headOf = ({ newLines, newStart, oldLines, oldStart }: Hunk): string =>
  `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`

const chunkOf = (hunk: Hunk): Chunk => {
  const { lines, newLines, newStart, oldLines, oldStart } = hunk
  let [ln1, ln2] = [oldStart, newStart]
  const changes = lines.map((content): Change => {
    if (content.startsWith("+")) return { type: "add", add: true, ln: ln2++, content }
    if (content.startsWith("-")) return { type: "del", del: true, ln: ln1++, content }
    return { type: "normal", normal: true, ln1: ln1++, ln2: ln2++, content }
  })
  return { content: headOf(hunk), changes, oldStart, oldLines, newStart, newLines }
}

export const between = (before: string, after: string): Difference => {
  const hunks = hunksOf(withLineEnd(before), withLineEnd(after))
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  return {
    text: hunks.map((hunk) => [headOf(hunk), ...hunk.lines].join("\n")).join("\n"),
    json: {
      files: [{ from: null, to: null, additions: count("+"), deletions: count("-"), chunks: hunks.map(chunkOf) }]
    }
  }
}
