import { getHeapStatistics } from "node:v8"
import { expect, it } from "@effect/vitest"
import * as Heap from "../../src/Engine/Heap.ts"

it("a collection gives back the memory of what is no longer used", () => {
  const collect = Heap.makeCollect()
  collect()
  const before = getHeapStatistics().total_physical_size
  let rows: Array<object> | undefined = Array.from({ length: 500_000 }, (_, id) => ({ id, text: `row ${id}` }))
  const grown = getHeapStatistics().total_physical_size - before
  expect(rows.length).toBe(500_000)
  rows = undefined
  collect()
  expect(getHeapStatistics().total_physical_size - before).toBeLessThan(grown / 2)
})

it("only the programs that collect can call the collector", () => {
  Heap.makeCollect()
  expect("gc" in globalThis).toBe(false)
})
