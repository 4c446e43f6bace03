/** Identity of a row that a step has made: that of its input, unless the step gives it one. */
import { describe, expect, it } from "@effect/vitest"
import { keyOf, withData, withIdentity } from "../../src/Row.ts"

describe("a row that a step makes from another", () => {
  const row = { data: { sku: "A1", note: null } }

  it("keeps the key of that row, whether the step copies the row or builds a new one", () => {
    const data = { sku: "A1" }
    expect(keyOf(withIdentity({ ...row, data }, row))).toBe(keyOf(row))
    expect(keyOf(withIdentity({ data }, row))).toBe(keyOf(withData(row, data)))
    const keyed = { ...row, key: "https://x.example/a" }
    expect(keyOf(withIdentity({ data }, keyed))).toBe("https://x.example/a")
  })

  it("keeps a key of its own", () => {
    expect(keyOf(withIdentity({ data: {}, key: "https://x.example/b" }, row))).toBe("https://x.example/b")
  })
})
