import { describe, expect, it } from "vitest"
import type { SavedProgress } from "../../src/Ledger/Model.ts"
import { Counters, comparedRows } from "../../src/Run/Progress.ts"

describe("rows compared with earlier runs", () => {
  it("are counted by change, emitted or not, also after a resume", () => {
    const before = new Counters()
    expect(before.compared).toBeUndefined()
    const rows = ["gone", "new", "new"].map((change, position) => ({ data: { change }, key: undefined, position }))
    before.countChanges(rows, "change")
    before.withhold("unchanged")
    before.withhold("new")
    const counts = { new: 3, unchanged: 1, gone: 1 }
    expect(before.compared).toEqual(counts)
    const saved = JSON.parse(JSON.stringify(before.save())) as NonNullable<SavedProgress>
    expect(comparedRows(saved)).toEqual(counts)
    const resumed = new Counters()
    resumed.restore(saved, 0)
    resumed.withhold("unchanged")
    expect(resumed.compared).toEqual({ ...counts, unchanged: 2 })
    // A checkpoint of an earlier version has no rows that were not emitted.
    const { withheld: _, ...former } = saved
    expect(comparedRows(former)).toEqual({ new: 2, gone: 1 })
  })
})
