import { expect, it } from "@effect/vitest"
import { remember } from "../../src/Values/Remember.ts"

it("keeps results up to a number, also undefined ones, but none of long keys", () => {
  const made: Array<string> = []
  const read = remember(
    2,
    (key) => {
      made.push(key)
      return key === "b" ? undefined : key
    },
    3
  )
  for (const key of ["a", "b", "a", "b", "long", "long", "c", "a"]) read(key)
  expect(made).toEqual(["a", "b", "long", "long", "c", "a"])
})
