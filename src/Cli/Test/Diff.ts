/** Deviations as lines that people read: what was expected, what came, and only where the two differ. */
import type { Difference } from "../../Row/Difference.ts"
import type { Deviation } from "../../Run/Test/Assertions.ts"

/** `-` is what was expected, `+` what came. */
export interface Line {
  readonly sign: "-" | "+" | " "
  readonly text: string
}

/** So many deviations of a list, and so many differences of a row, are shown. */
const most = 10

/** So much of a value is shown on a line. */
const width = 100

const spell = (value: unknown): string => (value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value)))

const cut = (text: string): string => (text.length > 3 * width ? `${text.slice(0, 3 * width - 1)}…` : text)

/** Of two long texts the part around the first character that differs. */
const around = (expected: string, actual: string): readonly [string, string] => {
  if (expected.length <= width && actual.length <= width) return [expected, actual]
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same++
  const from = Math.max(0, Math.min(same - 30, Math.max(expected.length, actual.length) - width))
  const part = (text: string) =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + width)}${text.length > from + width ? "…" : ""}`
  return [part(expected), part(actual)]
}

const ofDifference = ({ actual, expected, path }: Difference): ReadonlyArray<Line> => {
  const [left, right] = around(spell(expected), spell(actual))
  return [
    ...(path === "" ? [] : [{ sign: " ", text: `  ${path}` } as const]),
    { sign: "-", text: `  ${left}` },
    { sign: "+", text: `  ${right}` }
  ]
}

const more = (count: number, what: string): ReadonlyArray<Line> =>
  count > 0 ? [{ sign: " ", text: `… and ${count} more ${what}` }] : []

const ofDeviation = (deviation: Deviation): ReadonlyArray<Line> => {
  switch (deviation.kind) {
    case "missing":
      return [{ sign: "-", text: `row ${deviation.row} ${cut(spell(deviation.value))}` }]
    case "extra":
      return [{ sign: "+", text: `row ${deviation.row} ${cut(spell(deviation.value))}` }]
    case "changed":
      return [
        { sign: " ", text: `row ${deviation.row}` },
        ...deviation.differences.slice(0, most).flatMap(ofDifference),
        ...more(deviation.differences.length - most, "differences")
      ]
  }
}

/** Every deviation, the first ones in full. */
export const linesOf = (deviations: ReadonlyArray<Deviation> = []): ReadonlyArray<Line> => [
  ...deviations.slice(0, most).flatMap(ofDeviation),
  ...more(deviations.length - most, "rows")
]

/** The same as one text. */
export const textOf = (deviations: ReadonlyArray<Deviation> | undefined): string =>
  linesOf(deviations)
    .map(({ sign, text }) => `${sign} ${text}`.trimEnd())
    .join("\n")
