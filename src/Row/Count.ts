/** Numbers of things in messages. */

/** Rows of one output of a run. */
export interface OutputRows {
  /** Step that writes it. */
  readonly step: string
  /** Name of its file. */
  readonly name: string
  readonly rows: number
}

/**
 * Rows of a run in the output of a step; undefined when the run has no such output. For the only output of a pipeline, also the sum that a
 * run of an earlier version has (under the step `""`), and the rows that left the last step of a run that writes nothing.
 */
export const rowsIn = (
  { rows, written }: { readonly rows: number; readonly written?: ReadonlyArray<OutputRows> | undefined },
  step: string,
  isOnly: boolean
): number | undefined =>
  written === undefined
    ? isOnly
      ? rows
      : undefined
    : written.find((each) => each.step === step || (isOnly && each.step === ""))?.rows

/** Outputs that are named in one line. */
const maxNamed = 3

/**
 * Rows of a run: `57 rows`, with several outputs `items.jsonl 57 rows, changes.jsonl 3 rows`. Without any output the rows that left the
 * last step.
 */
export const describeRows = (outputs: ReadonlyArray<OutputRows> | undefined, last: number): string => {
  if (outputs === undefined || outputs.length === 0) return count(last, "row")
  const sum = outputs.reduce((total, { rows }) => total + rows, 0)
  if (outputs.length === 1) return count(sum, "row")
  return outputs.length > maxNamed
    ? `${count(sum, "row")} in ${outputs.length} outputs`
    : outputs.map(({ name, rows }) => `${name} ${count(rows, "row")}`).join(", ")
}

/** `1 row`, `12,345 rows`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  // The first `toLocaleString` loads the data of a language, which takes longer than anything else in a small command.
  `${number < 1000 ? number : number.toLocaleString("en-US")} ${number === 1 ? one : many}`
