import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { excessOf, isDeepJson } from "../../src/Api/Depth.ts"

const measure = (value: unknown): { readonly levels: number; readonly containers: number; readonly values: number } => {
  if (typeof value !== "object" || value === null) return { levels: 0, containers: 0, values: 1 }
  const inner = Object.values(value).map(measure)
  return {
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    containers: 1 + inner.reduce((sum, { containers }) => sum + containers, 0),
    values: Math.max(
      1,
      inner.reduce((sum, { values }) => sum + values, 0)
    )
  }
}

const any = Number.POSITIVE_INFINITY

describe("limits of unparsed JSON", () => {
  it("match those of the parsed value, for strings and bytes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { containers, levels } = measure(value)
        const exact = { levels, containers, keys: any, values: any }
        for (const json of [text, Buffer.from(text)]) {
          expect(excessOf(json, exact)).toBeUndefined()
          if (levels > 0) {
            expect(excessOf(json, { ...exact, levels: levels - 1 })).toBe("levels")
            expect(excessOf(json, { ...exact, containers: containers - 1 })).toBe("containers")
          }
        }
      })
    )
  })

  it("ignore brackets, commas and quotes inside of strings", () => {
    for (const text of ["[[[", "{,,,", '"[[', "\\", '\\"[', '\\\\"[', "\\[["]) {
      const json = JSON.stringify({ [text]: text })
      expect(excessOf(json, { levels: 1, containers: 1, keys: 1, values: 1 }), json).toBeUndefined()
    }
    // Text that ends inside a string is not JSON; the parser reports it.
    for (const json of ['"', '"\\', '"\\"', '["a\\"', ""])
      expect(excessOf(json, { levels: 1, containers: 1, keys: 1, values: 1 })).toBeUndefined()
  })

  it("count values by their commas, and keys by their colons", () => {
    expect(excessOf("[1,2,3]", { levels: 1, containers: 1, keys: 1, values: 3 })).toBeUndefined()
    expect(excessOf("[1,2,3]", { levels: 1, containers: 1, keys: 1, values: 2 })).toBe("values")
    expect(excessOf('{"a":1,"b:":{"c":2}}', { levels: 2, containers: 2, keys: 3, values: 3 })).toBeUndefined()
    expect(excessOf('{"a":1,"b:":{"c":2}}', { levels: 2, containers: 2, keys: 2, values: 3 })).toBe("keys")
    expect(isDeepJson("[[1]]", 1)).toBe(true)
    expect(isDeepJson("[[1]]", 2)).toBe(false)
  })
})
