import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { LineStore } from "../../src/Step/Scratch.ts"

const textOf = (store: LineStore, indices: Iterable<number>): string => {
  let text = ""
  for (const block of store.blocks(indices)) text += Buffer.from(block).toString()
  return text
}

describe("LineStore", () => {
  it("gives its lines in any order, whatever their lengths", () => {
    const line = FastCheck.oneof(
      FastCheck.string({ unit: "grapheme", maxLength: 50 }),
      FastCheck.integer({ min: 1, max: 400_000 }).map((length) => "é".repeat(length))
    ).filter((text) => !text.includes("\n"))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(line, { maxLength: 12 }), (lines) => {
        const store = new LineStore()
        for (const each of lines) store.add(each)
        expect(store.size).toBe(lines.length)
        const order = lines.map((_, index) => index).reverse()
        expect(textOf(store, order)).toBe(order.map((index) => `${lines[index]}\n`).join(""))
      }),
      { numRuns: 50 }
    )
  })

  it("is used again after its lines were removed", () => {
    const store = new LineStore()
    store.add("a longer line")
    store.add("another one")
    store.clear()
    expect(store.size).toBe(0)
    expect(textOf(store, [])).toBe("")
    store.add("b")
    expect(textOf(store, [0])).toBe("b\n")
  })
})
