import { assert, describe, it, vi } from "@effect/vitest"
import { grouped } from "../../src/Api/Grouped.ts"

describe("a grouped number", () => {
  it("is what English prints", () => {
    for (const number of [0, 7, 999, 1_000, -1_234, 12_345, 100_000, 1_234_567_890, 1_234.5]) {
      assert.strictEqual(grouped(number), number.toLocaleString("en-US"))
    }
  })

  it("needs no language data, and neither do the descriptions that a check loads", async () => {
    const printed = vi.spyOn(Number.prototype, "toLocaleString")
    const { command } = await import("../../src/Cli/Check.ts")
    assert.isDefined(command)
    assert.strictEqual(grouped(12_345), "12,345")
    assert.strictEqual(printed.mock.calls.length, 0)
    printed.mockRestore()
  })
})
