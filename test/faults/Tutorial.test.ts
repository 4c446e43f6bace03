import { expect, it } from "@effect/vitest"
import { pages } from "../docs/Pages.ts"
import { faultsOf } from "../docs/Session.ts"

it("the tutorial goes as it says: a run that is killed in it goes on, and loses and doubles no row", async () => {
  const tutorial = pages.filter(({ name }) => name === "docs/tutorial.md")
  expect(tutorial.length).toBe(1)
  for (const page of tutorial) expect(await faultsOf(page)).toEqual([])
})
