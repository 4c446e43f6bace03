/** What the parts of `npm run faults` hand over, for one table of all. */
import { writeFileSync } from "node:fs"

export interface Figure {
  readonly what: string
  readonly value: string
  /** What it must be; empty for what is only told. */
  readonly bound: string
  readonly isWell: boolean
}

/** Into the file that was named, if one was. */
export const write = (file: string | undefined, figures: ReadonlyArray<Figure>): void => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures))
}
