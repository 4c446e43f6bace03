/** The steps of a plan as a tree: a chain goes straight down, and branches where several steps read one. */
import type { PlannedStep } from "../../Pipeline/Plan.ts"

export interface Leaf {
  readonly step: PlannedStep
  /** What stands before the id. */
  readonly stem: string
}

/** The steps as a tree. Each appears once, below its input; a step with several inputs appears below the last one in `steps`. */
export const tree = (steps: ReadonlyArray<PlannedStep>): ReadonlyArray<Leaf> => {
  const ids = steps.map(({ id }) => id)
  const above = ({ inputs }: PlannedStep): string | undefined => ids.findLast((id) => inputs.includes(id))
  const readers = (id: string) => steps.filter((step) => above(step) === id)
  const leaves: Array<Leaf> = []
  const grow = (step: PlannedStep, first: string, rest: string): void => {
    leaves.push({ step, stem: first })
    const below = readers(step.id)
    for (const [index, reader] of below.entries()) {
      const isLast = index === below.length - 1
      if (below.length === 1) grow(reader, rest, rest)
      else grow(reader, `${rest}${isLast ? "└ " : "├ "}`, `${rest}${isLast ? "  " : "│ "}`)
    }
  }
  for (const step of steps) if (step.inputs.length === 0) grow(step, "", "")
  return leaves
}
