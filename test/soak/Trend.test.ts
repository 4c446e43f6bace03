import { describe, expect, it } from "@effect/vitest"
import { growth, median, type Sample } from "./Trend.ts"

const series = (value: (index: number) => number): ReadonlyArray<Sample> =>
  Array.from({ length: 60 }, (_, index) => ({ at: index * 2, value: value(index) }))

describe("what a soak says of memory", () => {
  it("is how much it grows, whatever single looks say", () => {
    expect(growth(series((index) => 100 + index * 0.5 + (index % 7 === 0 ? 300 : 0)))).toBeCloseTo(29.5, 0)
    expect(growth(series((index) => 100 + (index % 2) * 40))).toBe(0)
    expect(growth(series((index) => 100 - index))).toBeCloseTo(-59)
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0])
  })
})
