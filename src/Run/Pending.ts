/** What has happened since the last checkpoint, beside what the stations keep themselves. */
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { Batch, StateChange, StepError } from "../Step.ts"
import { inStep } from "./Assembly.ts"
import type { Counters } from "./Counters.ts"
import type { Execution } from "./Execution.ts"

/** The site says that it has no such page any more. */
const isGone = (status: number | undefined): boolean => status === 404 || status === 410

export const make = (counters: Counters) => {
  const lists: Execution["pending"] = { pages: [], settled: [], state: [], takenUp: undefined, leftOut: [] }
  return {
    lists,
    book: (step: string, { credits, expected, isForeign = false, pages, unchanged }: Batch): void => {
      if (credits === "unknown") counters.jobUnpriced++
      else if (credits !== undefined) counters.job(step, credits)
      for (const page of pages ?? []) lists.pages.push({ step, page })
      counters.expected += expected ?? 0
      counters.unchanged += unchanged ?? 0
      counters.jobPages += isForeign ? 0 : (pages?.length ?? 0)
    },
    settle: (step: string, marks: ReadonlyArray<string>): void => {
      for (const mark of marks) lists.settled.push({ step, mark })
    },
    stage: (step: string, changes: ReadonlyArray<StateChange>): void => {
      for (const change of changes) lists.state.push({ step, change })
    },
    metLately: (): Iterable<string> => lists.pages.flatMap(({ page }) => (isGone(page.status) ? [] : [page.key]))
  }
}

/** The failure with the step that it happened in. */
export const placed = <E extends StepError | DefinitionInvalid>(error: E, checked: Checked, step: string) => {
  const node = checked.nodes.find(({ id }) => id === step)
  return error._tag === "StepError" && node !== undefined ? inStep(error, checked, node) : error
}
