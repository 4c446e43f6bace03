import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { addTo, valueOf } from "../../src/Step/Aggregate/ExactSum.ts"
import { ScratchLimits } from "../../src/Step/Scratch.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { repetitions } from "../Repetitions.ts"
import { errorsOf, runStep, runStepOnce } from "./OneStep.ts"

const measures = {
  rows: "count",
  values: { count: "n" },
  total: { sum: "n" },
  mean: { avg: "n" },
  least: { min: "m" },
  most: { max: "m" },
  one: { first: "m" },
  some: { list: "m", max: 3 },
  kinds: { countDistinct: "m" }
}

type Value = number | string | boolean | null | undefined

const rank = (value: Value): number =>
  value === null || value === undefined ? 3 : { number: 0, string: 1, boolean: 2 }[typeof value as "number"]

const compare = (a: Value, b: Value): number =>
  rank(a) - rank(b) || (a === b || rank(a) === 3 ? 0 : (a as number) < (b as number) ? -1 : 1)

interface Input {
  readonly g?: Value
  readonly h?: Value
  readonly n?: number | null
  readonly m?: Value
}

/** The same, written down as plainly as possible. */
const naive = (rows: ReadonlyArray<Input>) => {
  const groups = new Map<string, Array<Input>>()
  for (const row of rows) {
    const key = JSON.stringify([row.g ?? null, row.h ?? null])
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const given = <A>(values: ReadonlyArray<A | null | undefined>) =>
    values.filter((value): value is A & {} => value !== null && value !== undefined)
  return [...groups.values()]
    .map((group) => {
      const numbers = given(group.map(({ n }) => n))
      const values = given(group.map(({ m }) => m)) as ReadonlyArray<Value>
      const ordered = values.toSorted(compare)
      const total = numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0)
      return {
        g: group[0]?.g ?? null,
        h: group[0]?.h ?? null,
        rows: group.length,
        values: numbers.length,
        total,
        mean: total === null ? null : total / numbers.length,
        least: ordered[0] ?? null,
        most: ordered.at(-1) ?? null,
        one: values[0] ?? null,
        some: values.slice(0, 3),
        kinds: new Set(values).size
      }
    })
    .sort((a, b) => compare(a.g, b.g) || compare(a.h, b.h))
}

const value = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom("", "a", "b", "ä", "1", "tab\t", "line\n"),
  fc.constant(null),
  fc.boolean()
)

const input: fc.Arbitrary<Input> = fc.record(
  // Eighths: their sums are exact in any order.
  {
    g: value,
    h: value,
    n: fc.option(
      fc.integer({ min: -999, max: 999 }).map((number): number => number / 8),
      { nil: null }
    ),
    m: value
  },
  { requiredKeys: [] }
)

describe("aggregate", () => {
  scoped.skipIf(skipsLong)("gives what a naive program gives, in memory and on disk", function* () {
    const here = yield* project({ sharesLedger: true })
    const limits = yield* ScratchLimits
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(input, { maxLength: 60, size: "max" }), async (rows) => {
          const run = (maxGroups: number) =>
            runStep(here, "aggregate", { by: ["g", "h"], measures, maxGroups }, rows).pipe(
              Effect.provideService(ScratchLimits, { ...limits, fanIn: 2 }),
              Effect.scoped,
              Effect.runPromise
            )
          const expected = naive(rows)
          expect((await run(1000)).data).toEqual(expected)
          expect((await run(1)).data).toEqual(expected)
        }),
        { numRuns: repetitions(50, 4) }
      )
    )
  })

  scoped("merges many files of groups, and counts values that are in several of them once", function* () {
    const rows = Array.from({ length: 6000 }, (_, index) => ({
      g: (index * 7919) % 50,
      n: index,
      m: `value ${(index * 31) % 1700}`
    }))
    const limits = yield* ScratchLimits
    const { data, keys } = yield* runStepOnce("aggregate", { by: "g", measures }, rows).pipe(
      Effect.provideService(ScratchLimits, { ...limits, fanIn: 2, memory: 30_000 })
    )
    expect(data).toEqual(naive(rows).map(({ h: _, ...row }) => row))
    expect(keys[1]).toBe("[1]")
  })

  scoped("makes one row of all, also of none", function* () {
    const all = { measures: { rows: "count", total: { sum: "n" }, most: { max: "n" }, some: { list: "n" } } }
    expect((yield* runStepOnce("aggregate", all, [{ n: 1 }, { n: 2.5 }])).data).toEqual([
      { rows: 2, total: 3.5, most: 2.5, some: [1, 2.5] }
    ])
    expect((yield* runStepOnce("aggregate", all, [])).data).toEqual([{ rows: 0, total: null, most: null, some: [] }])
    expect((yield* runStepOnce("aggregate", { by: "n" }, [])).data).toEqual([])
  })

  scoped("names columns, and keys its rows by their group", function* () {
    const by = { host: "$host(url)", "page type": "type" }
    const rows = [
      { url: "https://b.example/1", type: "x" },
      { url: "https://a.example/1" },
      { url: "https://a.example/2" }
    ]
    const { data, keys } = yield* runStepOnce("aggregate", { by, measures: { pages: "count" } }, rows)
    expect(data).toEqual([
      { host: "a.example", "page type": null, pages: 2 },
      { host: "b.example", "page type": "x", pages: 1 }
    ])
    expect(keys).toEqual(['["a.example",null]', '["b.example","x"]'])
  })

  scoped("rejects a row that cannot be grouped or measured, and no other", function* () {
    const rows = [
      { g: "a", n: 1 },
      { g: ["a"], n: 1 },
      { g: "a", n: "2" },
      { g: "a", n: 4 }
    ]
    const fields = { by: "g", measures: { total: { sum: "n" } } }
    const { data, messages, reasons } = yield* runStepOnce("aggregate", fields, rows)
    expect(data).toEqual([{ g: "a", total: 5 }])
    expect(reasons).toEqual(["NotGroupable", "NotNumber"])
    expect(messages[1]).toBe(
      "n gives a string: sum needs numbers. Convert the value with $number(), or give its column a type where the file is read"
    )
    const large = yield* runStepOnce("aggregate", { measures: { total: { sum: "n" } } }, [{ n: 1e308 }, { n: 1e308 }])
    expect(large.reasons).toEqual(["NumberTooLarge"])
  })

  scoped("is checked: names of columns, and one measure for each", function* () {
    expect(yield* errorsOf("aggregate", { by: "$host(url)" })).toEqual([
      expect.stringContaining("$host(url) is not a column name: give it one, like by: { name: $host(url) }")
    ])
    expect(yield* errorsOf("aggregate", { by: ["a", "b"], measures: { b: "count" } })).toEqual([
      expect.stringContaining("two columns have the name b")
    ])
    expect(yield* errorsOf("aggregate", {})).toEqual([expect.stringContaining("name a measure, or `by`")])
    const measured = (measure: unknown) => errorsOf("aggregate", { measures: { a: measure } })
    expect(yield* measured({ summ: "n" })).toEqual(['measures: a: summ: unknown key "summ", did you mean "sum"?'])
    expect(yield* measured({ sum: "n", avg: "n" })).toEqual([expect.stringContaining("expected count, or one measure")])
    expect(yield* measured({ max: 3 })).toEqual([expect.stringContaining("a: max: expected an expression")])
    expect(yield* measured({ list: "n", max: "m" })).toEqual([
      expect.stringContaining("a: max: expected a whole number")
    ])
  })
})

describe("an exact sum", () => {
  it("is rounded once, whatever the order", () => {
    const numbers = [1e100, 1, -1e100, 0.1, 0.2, 0.3, 2 ** 53, 1, -(2 ** 53), 1e-20]
    const sumOf = (values: ReadonlyArray<number>) => {
      const parts: Array<number> = []
      for (const each of values) addTo(parts, each)
      return valueOf(parts)
    }
    const sums = [numbers, numbers.toReversed(), numbers.toSorted((a, b) => a - b)].map(sumOf)
    // As math.fsum of Python gives it.
    expect(sums).toEqual([2.6, 2.6, 2.6])
    expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1)
  })
})
