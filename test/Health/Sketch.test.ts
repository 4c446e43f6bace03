/** Sketches of bounded size: exact for few values, close for many, and the same in parts as in one piece. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { DistinctSketch, hashValue, QuantileSketch } from "../../src/Health/Sketch.ts"

const distinctOf = (values: Iterable<unknown>, size = 512) => {
  const sketch = new DistinctSketch(size)
  for (const value of values) sketch.add(hashValue(value))
  return sketch
}

const quantilesOf = (values: Iterable<number>) => {
  const sketch = new QuantileSketch()
  for (const value of values) sketch.add(value)
  return sketch
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe("distinct values", () => {
  it("are counted exactly below the size, with the share of those that repeat another", () => {
    const sketch = distinctOf([...numbers(300), ...numbers(100)])
    expect(sketch.distinct).toBe(300)
    expect(sketch.repeated).toBeCloseTo(100 / 400)
  })

  it("are estimated to 15 % above it, in bounded size", () => {
    for (const count of [2_000, 50_000, 400_000]) {
      const sketch = distinctOf(numbers(count).map((n) => `https://example.com/product/${n}`))
      expect(Math.abs(sketch.distinct / count - 1)).toBeLessThan(0.15)
      expect(sketch.repeated).toBe(0)
      expect(JSON.stringify(sketch.encode()).length).toBeLessThan(3_000)
    }
  })

  it("tell the share of repeated values also above the size", () => {
    const sketch = distinctOf([...numbers(20_000), ...numbers(20_000)])
    expect(sketch.repeated).toBeCloseTo(0.5)
  })

  it("tell how many another set has, too", () => {
    const shared = (count: number) => distinctOf(numbers(10_000)).sharedWith(distinctOf(numbers(count)))
    expect(shared(10_000)).toBe(1)
    expect(shared(5_000)).toBeGreaterThan(0.4)
    expect(shared(5_000)).toBeLessThan(0.6)
    expect(distinctOf(numbers(10_000)).sharedWith(distinctOf(numbers(100).map(String)))).toBe(0)
    expect(distinctOf([]).sharedWith(distinctOf([1]))).toBeUndefined()
  })

  it("are the same in parts as in one piece, also through the form in which they are saved", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000), { maxLength: 3_000 }), fc.nat(3_000), (values, at) => {
        const [one, other] = [distinctOf(values.slice(0, at), 64), distinctOf(values.slice(at), 64)]
        const saved = DistinctSketch.decode(64, one.encode())
        saved.merge(DistinctSketch.decode(64, other.encode()))
        expect(saved.encode()[0]).toBe(distinctOf(values, 64).encode()[0])
      }),
      { numRuns: 100 }
    )
  })
})

describe("hashes", () => {
  it("differ for values that differ in type, at the end of a long string, or in a nested value", () => {
    const long = "https://example.com/a/very/long/path/that/goes/on/and/on/".repeat(3)
    const values = [0, -1, 1, "1", true, false, null, `${long}1`, `${long}2`, [1], [2], { a: 1 }, { a: 2 }, [[1]], []]
    expect(new Set(values.map(hashValue)).size).toBe(values.length)
    expect(hashValue({ a: [1, "x"] })).toBe(hashValue({ a: [1, "x"] }))
  })
})

describe("rows", () => {
  const sketchOf = (rows: Iterable<Readonly<Record<string, unknown>>>) => {
    const sketch = new DistinctSketch(512, true)
    for (const row of rows) sketch.addRow(row)
    return sketch
  }

  it("differ with any of their fields, also when the first ones are the same", () => {
    const row = { url: "https://example.com/1", title: "One", price: 10, stock: 5 }
    const others = [
      { ...row, price: 11 },
      { ...row, title: "Two" },
      { ...row, url: "https://example.com/2" },
      { ...row, stock: 6 }
    ]
    expect(sketchOf([row, { ...row }]).repeated).toBe(0.5)
    expect(sketchOf([row, ...others]).repeated).toBe(0)
  })

  it("of a long run are sampled by their content, whatever the first fields tell of it", () => {
    const ids = (count: number, from: number) => numbers(count).map((n) => n + from)
    const rows = (count: number, from = 0) => ids(count, from).map((id) => ({ site: "a", day: 3, kind: null, id }))
    const telling = (count: number, from = 0) => ids(count, from).map((id) => ({ id, title: `Lamp ${id}`, day: 3 }))
    for (const make of [rows, telling]) {
      const sketch = sketchOf(make(40_000))
      expect(sketch.repeated).toBe(0)
      expect(sketchOf([...make(20_000), ...make(20_000)]).repeated).toBeCloseTo(0.5)
      expect(Math.abs((sketchOf(make(40_000, 20_000)).sharedWith(sketch) ?? 0) - 0.5)).toBeLessThan(0.1)
    }
  })

  it("are the same in parts as in one piece, also through the form in which they are saved", () => {
    const rows = numbers(3_000).map((n) => ({ id: n % 2_000, title: `Lamp ${n % 2_000}` }))
    const merged = DistinctSketch.decode(512, sketchOf(rows.slice(0, 1_300)).encode(), true)
    merged.merge(sketchOf(rows.slice(1_300)))
    expect(merged.encode()).toEqual(sketchOf(rows).encode())
    expect(DistinctSketch.decode(512, sketchOf(rows.slice(0, 3)).encode(), true).distinct).toBe(3)
    expect(DistinctSketch.decode(64, ["AAAAAAA=", []], true).distinct).toBe(0)
  })
})

describe("quantiles", () => {
  it("are exact to 6 %, over many orders of magnitude, for negative numbers and for 0", () => {
    const sketch = quantilesOf(numbers(10_001).map((n) => (n - 5_000) * 3))
    for (const [share, exact] of [
      [0.1, -12_000],
      [0.9, 12_000],
      [0.99, 14_700]
    ] as const) {
      expect(Math.abs((sketch.quantile(share) ?? 0) / exact - 1)).toBeLessThan(0.06)
    }
    expect(Math.abs(sketch.quantile(0.5) ?? 1)).toBeLessThan(4)
    expect([sketch.min, sketch.max]).toEqual([-15_000, 15_000])
    expect(quantilesOf([0, 0, 0]).quantile(0.5)).toBe(0)
    expect(quantilesOf([]).quantile(0.5)).toBeUndefined()
  })

  it("have bounded size whatever the numbers are", () => {
    const sketch = quantilesOf(numbers(200_000).map((n) => (n % 2 === 0 ? 1 : -1) * 1.0001 ** n))
    expect(sketch.encode().length).toBeLessThanOrEqual(2 * 1_001 + 2)
  })

  it("are the same in parts as in one piece, also through the form in which they are saved", () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.array(value), fc.array(value), (first, second) => {
        const sketch = QuantileSketch.decode(JSON.parse(JSON.stringify(quantilesOf(first).encode())))
        sketch.merge(QuantileSketch.decode(quantilesOf(second).encode()))
        const whole = quantilesOf([...first, ...second])
        expect(sketch.count).toBe(whole.count)
        for (const share of [0, 0.1, 0.5, 0.9, 1]) expect(sketch.quantile(share)).toEqual(whole.quantile(share))
      })
    )
  })
})
