/** Formats numbers of rows and other things for messages. */
import { grouped } from "../Api/Grouped.ts"

/** Rows of one output of a run. */
export interface OutputRows {
  /** Step that writes the output. */
  readonly step: string
  /** Name of the output's file. */
  readonly name: string
  readonly rows: number
}

interface RunRows {
  /** Rows that left the last step. */
  readonly rows: number
  readonly written?: ReadonlyArray<OutputRows> | undefined
}

/**
 * Number of rows in the output of a step; undefined if the run has no such output. For the only output of a pipeline, also reads the sum
 * stored by runs of earlier versions (under the step `""`), and the rows of the last step of a run that writes nothing.
 */
export const rowsIn = ({ rows, written }: RunRows, step: string, isOnly: boolean): number | undefined =>
  written === undefined
    ? isOnly
      ? rows
      : undefined
    : written.find((each) => each.step === step || (isOnly && each.step === ""))?.rows

/** Rows that a run has written to all outputs; without outputs, the rows of its last step. */
export const writtenRows = ({ rows, written = [] }: RunRows): number =>
  written.length === 0 ? rows : written.reduce((total, each) => total + each.rows, 0)

/** Maximum outputs named on one line. */
const maxNamed = 3

/**
 * Describes the rows of a run: `57 rows`; with several outputs `items.jsonl 57 rows, changes.jsonl 3 rows`; without outputs, the rows of
 * the last step.
 */
export const describeRows = (outputs: ReadonlyArray<OutputRows> = [], last: number): string => {
  const sum = writtenRows({ rows: last, written: outputs })
  if (outputs.length <= 1) return count(sum, "row")
  return outputs.length > maxNamed
    ? `${count(sum, "row")} in ${outputs.length} outputs`
    : outputs.map(({ name, rows }) => `${name} ${count(rows, "row")}`).join(", ")
}

/** Describes rows compared with earlier runs: `3 changed, 57 unchanged`. */
export const describeChanges = (changes: Readonly<Record<string, number>> = {}): string =>
  Object.entries(changes)
    .map(([change, rows]) => count(rows, change, change))
    .join(", ")

/** Formats a count: `1 row`, `12,345 rows`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number < 1000 ? number : grouped(number)} ${number === 1 ? one : many}`

/** A short form of a value for messages. */
export const describeValue = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
