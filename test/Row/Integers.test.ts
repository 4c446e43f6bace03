import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mayHold, mayOverflow, parse } from "../../src/Row/Integers.ts"
import { cpuMillis } from "../CpuTime.ts"

/** JSON of any shape, written with white space and escapes, beside what reading it must give. */
type Written = { readonly text: string; readonly value: unknown; readonly large: boolean }

const space = fc.constantFrom("", " ", "\n", "\t ")
const integer = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
    fc.bigInt({ min: -10n, max: 10n ** 16n })
  )
  .map((n): Written => {
    const large = !Number.isSafeInteger(Number(n))
    return { text: String(n), value: large ? String(n) : Number(n), large }
  })
/** Floats stay what they are, however many digits they have, unless they are beyond a double. */
const float = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 25n }),
    fc.bigInt({ min: 0n, max: 10n ** 25n }),
    fc.constantFrom("", "e5", "E-12", "e+300", "E309", "e-400")
  )
  .map(([whole, part, exponent]): Written => {
    const text = `-${whole}.${part}${exponent}`
    const number = Number(text)
    return Number.isFinite(number) ? { text, value: number, large: false } : { text, value: text, large: true }
  })
const string = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"1234567890123456789"', "\\", '\\"', '1234567890123456789\\"', "\\\\", ':12345678901234567890,"'),
    fc.bigInt({ min: 10n ** 17n, max: 10n ** 30n }).map(String)
  )
  .map((value): Written => ({ text: JSON.stringify(value), value, large: false }))

const { json } = fc.letrec<{ json: Written; list: Written; object: Written }>((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, integer, string, float, tie("list"), tie("object")),
  list: fc.array(fc.tuple(space, tie("json")), { maxLength: 5 }).map((items) => ({
    text: `[${items.map(([gap, { text }]) => gap + text + gap).join(",")}]`,
    value: items.map(([, { value }]) => value),
    large: items.some(([, { large }]) => large)
  })),
  object: fc
    .uniqueArray(fc.tuple(string, space, tie("json")), { selector: ([key]) => key.value, maxLength: 5 })
    .map((fields) => ({
      text: `{${fields.map(([key, gap, { text }]) => `${gap}${key.text}${gap}:${gap}${text}`).join(",")}}`,
      value: Object.fromEntries(fields.map(([key, , { value }]) => [key.value, value])),
      large: fields.some(([, , { large }]) => large)
    }))
}))

describe("integers beyond 2^53 and numbers beyond a double in JSON", () => {
  it("become strings of their digits, and everything else is parsed as by JSON.parse", () => {
    fc.assert(
      fc.property(json, ({ large, text, value }) => {
        const parsed = parse(text)
        expect(parsed.value).toEqual(value)
        expect(parsed.kept !== undefined).toBe(large)
        const bytes = Buffer.from(`${text}\n`)
        if (large) expect(mayHold(bytes, 0, bytes.length) || mayOverflow(text)).toBe(true)
        else expect(parsed.value).toEqual(JSON.parse(text))
      }),
      { numRuns: 1500 }
    )
  })

  it("are found anywhere in a block", () => {
    for (let before = 0; before < 70; before++) {
      for (const many of [15, 16, 17, 40]) {
        const bytes = Buffer.from(`${"a".repeat(before)}${"7".repeat(many)}${"b".repeat(20)}`)
        expect(mayHold(bytes, 0, bytes.length), `${before} ${many}`).toBe(many >= 16)
      }
    }
  })

  it("take no more than linear time, also among backslashes and quotes", () => {
    const text = JSON.stringify({ a: `${"\\".repeat(200_000)}"`, b: '"1234567890123456789'.repeat(20_000) })
    const whole = `{"n":12345678901234567890,${text.slice(1)}`
    const took = cpuMillis(() =>
      expect(parse(whole)).toMatchObject({ kept: "12345678901234567890", value: { n: "12345678901234567890" } })
    )
    expect(took).toBeLessThan(2_000)
  })

  it("are kept next to strings of many MB with any escapes", () => {
    for (const piece of ["\\n", '\\"']) {
      const text = `"${piece.repeat(12_000_000 / piece.length)}"`
      const { kept, value } = parse(`{"s":${text},"n":12345678901234567890}`)
      expect(kept).toBe("12345678901234567890")
      expect((value as { readonly s: string }).s === JSON.parse(text)).toBe(true)
    }
  })

  it("fail where JSON.parse fails", () => {
    for (const text of ["", "{", "12345678901234567890x", "012345678901234567", '{"a":12345678901234567890']) {
      expect(() => parse(text)).toThrow(SyntaxError)
    }
  })
})
