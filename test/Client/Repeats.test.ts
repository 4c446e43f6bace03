import { describe, expect, it } from "vitest"
import { make } from "../../src/Client/JobStream/Repeats.ts"
import { documentOf } from "./JobServer.ts"

const documents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => documentOf(from + index))

describe("repeated documents", () => {
  it("are recognized over a long distance, and then forgotten, so that memory stays flat", () => {
    const repeats = make()
    for (let page = 0; page < 60; page++) {
      const fresh = repeats.filter(documents(page * 1000, (page + 1) * 1000), false)
      expect(fresh).toHaveLength(1000)
    }
    expect(repeats.filter(documents(30_000, 31_000), false)).toEqual([])
    expect(repeats.filter(documents(0, 1000), false)).toHaveLength(1000)
  })

  it("are distinguished from documents with another text, link, number or field", () => {
    const base = { markdown: "long ".repeat(50), links: ["a", "b"], metadata: { sourceURL: "u", statusCode: 200 } }
    const repeats = make()
    repeats.filter([base], false)
    const others = [
      { ...base, markdown: `${base.markdown}!` },
      { ...base, links: ["a", "c"] },
      { ...base, metadata: { sourceURL: "u", statusCode: 404 } },
      { ...base, json: { price: 1 } }
    ]
    expect(repeats.filter(others, false)).toEqual(others)
    expect(repeats.filter([structuredClone(base)], false)).toEqual([])
  })

  it("are kept when they occur in one page", () => {
    expect(make().filter([documentOf(1), documentOf(1)], false)).toHaveLength(2)
  })
})
