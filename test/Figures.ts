/** Figures with their bounds: the last lines of `npm run faults` and `npm run soak`. */
import { writeFileSync } from "node:fs"
import { table } from "../src/Cli/Format.ts"
import { ofProcess } from "../src/Cli/Terminal.ts"

export interface Figure {
  readonly what: string
  readonly value: string
  /** The required value; empty for a figure that is only reported. */
  readonly bound: string
  readonly isWell: boolean
}

/** Into the file that was named, if one was: for one table of several programs. */
export const write = (file: string | undefined, figures: ReadonlyArray<Figure>): void => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures))
}

/** A table on standard output; whether all is well. */
export const print = (figures: ReadonlyArray<Figure>): boolean => {
  const rows = figures.map(({ bound, isWell, value, what }) => [isWell ? "well" : "BROKEN", what, value, bound])
  const lines = table([["verdict"], ["what"], ["figure"], ["bound"]], rows, ofProcess(process).out)
  console.log(lines.join("\n"))
  return figures.every(({ isWell }) => isWell)
}
