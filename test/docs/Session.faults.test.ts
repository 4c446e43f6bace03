import { describe, expect, it } from "@effect/vitest"
import { pages } from "./Pages.ts"
import { faultsOf, isSession } from "./Session.ts"

describe("the commands of the documentation", () => {
  // The tutorial takes its time: test/faults/Tutorial.test.ts.
  for (const page of pages.filter((each) => isSession(each) && each.name !== "docs/tutorial.md")) {
    it(`of ${page.name} work in its order, and say what it shows`, async () => {
      expect(await faultsOf(page)).toEqual([])
    }, 120_000)
  }
})
