/** The tests of a file that are wanted. */
import type { Test, Tests } from "../../Pipeline/Test.ts"

export interface Suite extends Tests {
  readonly chosen: ReadonlyArray<Test>
}

/** Those that have the text in their name or in that of their pipeline, whatever its case. */
export const choose = (all: ReadonlyArray<Tests>, filter: string | undefined): ReadonlyArray<Suite> => {
  const wanted = filter?.toLowerCase() ?? ""
  return all
    .map((suite) => ({
      ...suite,
      chosen: suite.tests.filter(({ name }) => `${suite.pipeline} › ${name}`.toLowerCase().includes(wanted))
    }))
    .filter(({ chosen }) => chosen.length > 0)
}
