import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { compileClosure } from "../../src/Row/Expression/Closure.ts"
import { evaluationError } from "../../src/Row/Expression/ExpressionErrors.ts"
import { program } from "../../src/Row/Expression.ts"
import { skipsLong } from "../Long.ts"

const keys = ["a", "b", "c", "odd key"]

const scalar = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 1.5, 0.1, 1e21, -0.30000000000000004),
  fc.constantFrom("", "a", "b", " x  y ", "1", "-2.5", "0x1f", "ÄÖ", "😀x", "https://A.example:443/b/?utm_x=1"),
  fc.boolean(),
  fc.constant(null)
)

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 4 }),
    fc.array(tie("value"), { maxLength: 3 })
  )
}))

const row = fc.dictionary(fc.constantFrom(...keys), value, { minKeys: 2 })

const name = fc.constantFrom("a", "b", "c", "`odd key`", "missing")
const step = fc.oneof(
  { weight: 5, arbitrary: name },
  fc.tuple(name, fc.constantFrom(0, 1, -1)).map(([n, i]) => `${n}[${i}]`)
)
const path = fc
  .tuple(fc.constantFrom("", "", "", "$source.", "$.", "$$."), fc.array(step, { minLength: 1, maxLength: 4 }))
  .map(([start, steps]) => start + steps.join("."))

const unary = [
  "count",
  "exists",
  "not",
  "boolean",
  "string",
  "number",
  "length",
  "lowercase",
  "uppercase",
  "trim"
].concat([
  "sum",
  "max",
  "min",
  "average",
  "floor",
  "ceil",
  "abs",
  "host",
  "canonicalUrl",
  "sha256",
  "slug",
  "json",
  "date"
])

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const one = tie("expression")
  const call = (names: ReadonlyArray<string>, ...args: ReadonlyArray<fc.Arbitrary<string>>) =>
    fc.tuple(fc.constantFrom(...names), fc.tuple(...args)).map(([f, given]) => `$${f}(${given.join(", ")})`)
  return {
    expression: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      path,
      path,
      fc.constantFrom("1", "-1", "0.1", '"a"', '""', "true", "false", "null", "$source", "$key", "$", "[]", '" x "'),
      fc
        .tuple(
          one,
          fc.constantFrom("=", "!=", "<", "<=", ">", ">=", "and", "or", "in", "&", "+", "-", "*", "/", "%"),
          one
        )
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      fc.tuple(path, one).map(([left, right]) => `${left} ?? ${right}`),
      fc.tuple(one, one).map(([left, right]) => `(${left}) ?: ${right}`),
      fc.tuple(one, one, one).map(([a, b, c]) => `(${a}) ? ${b} : ${c}`),
      fc.array(one, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      one.map((each) => `-(${each})`),
      one.map((each) => `(${each}) ~> $string()`),
      call(unary, one),
      call(["substring"], one, one, one),
      call(["substring", "contains", "split", "join", "string"], one, one),
      call(["split"], one, fc.constantFrom("/\\s+/", "/a|b/i", '""', "/x*/"), one),
      call(["contains"], one, fc.constantFrom("/^[ab]/", "/ä/i", "/\\d$/m"))
    )
  }
})

const names = ["source", "key"]
const bindings = {
  names: { source: { a: [{ b: 1 }, { b: [2, 3] }], b: "s" }, key: "k" },
  now: new Date(0),
  random: () => 0.5
}

/** The closure's outcome, comparable with the library's. */
const direct = (run: (row: unknown, given: typeof bindings) => unknown, source: string, data: unknown) =>
  Either.try({ try: () => run(data, bindings), catch: (cause) => evaluationError(source, cause).code })

describe("Row/Expression/Closure", () => {
  it.skipIf(skipsLong)("reads paths as JSONata does", async () => {
    let compiled = 0
    await fc.assert(
      fc.asyncProperty(path, row, async (source, data) => {
        const parsed = Either.getOrThrow(program(source))
        const run = compileClosure(parsed.node, names)
        if (run === undefined) return
        compiled++
        const before = JSON.stringify(data)
        const expected = Either.mapLeft(parsed.run(data, bindings), (error) => error.code)
        assert.deepStrictEqual(direct(run, source, data), expected)
        assert.strictEqual(JSON.stringify(data), before)
      }),
      { numRuns: 500 }
    )
    assert.isAbove(compiled, 480)
  })

  it.skipIf(skipsLong)(
    "evaluates operators, conditions, lists and functions as JSONata does, failures included",
    async () => {
      let compiled = 0
      let failed = 0
      await fc.assert(
        fc.asyncProperty(expression, row, async (source, data) => {
          const parsed = Either.getOrThrow(program(source))
          const run = compileClosure(parsed.node, names)
          if (run === undefined) return
          compiled++
          const expected = Either.mapLeft(parsed.run(data, bindings), (error) => error.code)
          const actual = direct(run, source, data)
          if (Either.isLeft(expected)) failed++
          // JSONata evaluates the items of a list at once: which of two failures comes first is not said.
          if (source.includes("[") && Either.isLeft(expected)) assert.isTrue(Either.isLeft(actual))
          else assert.deepStrictEqual(actual, expected)
        }),
        { numRuns: 1000 }
      )
      assert.isAbove(compiled, 650)
      assert.isAbove(failed, 30)
    }
  )

  it("agrees with JSONata on rare cases that random tests seldom meet", async () => {
    const data = {
      list: [1, [2, { x: 1, y: 2 }]],
      same: [1, [2, { y: 2, x: 1 }]],
      other: [1, [2, { y: 2, z: 1 }]],
      like: { "0": 1, "1": 2, length: 2 },
      two: [1, 2],
      many: [{ n: 1 }, { n: 2 }],
      text: "😀a\ud800b😀",
      huge: Number.POSITIVE_INFINITY,
      deep: { n: Number.POSITIVE_INFINITY }
    }
    const sources = [
      "list = same",
      "list = other",
      "list != other",
      "two = like",
      "many.n = like",
      "many.n = two",
      "like = two",
      "$length(text)",
      "$substring(text, 1, 2)",
      "$substring(text, -2)",
      "$substring(text, nothing, 2)",
      "$substring(text, -9, 1)",
      "huge + 1",
      "1 + huge",
      "huge ? 1 : 2",
      "$string(huge)",
      "$string(deep)",
      "huge > 1",
      "1 / 0",
      "1 / 0 + 1",
      "0 / 0",
      "0 / 0 + 1",
      "$string(0 / 0)",
      "$string(1 / 3)",
      "$string(list, true)",
      "$split(text, 'a', 0)",
      "$split(text, 'a', -1)",
      "$split(text, /x*/)",
      "$number('0b11')",
      "$number('1e999')",
      "$max(nothing)",
      "$max([])",
      "$average([])",
      "$join(['a', 'b'], '-')",
      "$join('a')",
      "$length()",
      "$string()",
      "$lowercase(1, 2)",
      "$substring(1, 2)",
      "$sum(['a'])",
      "$sum('a')",
      "-text",
      "-nothing",
      "text in [text]",
      "many[0].n",
      "many.n[0]",
      "many[-1].n",
      "two[5]",
      "list[1][0]",
      "list[1].x",
      "[[many.n]]",
      "[many.n, [two]]",
      "$date(deep)",
      "$date($source)"
    ]
    for (const source of sources) {
      const parsed = Either.getOrThrow(program(source))
      const run = compileClosure(parsed.node, names)
      assert.isDefined(run, source)
      if (run === undefined) continue
      const expected = Either.mapLeft(parsed.run(data, bindings), (error) => error.code)
      assert.deepStrictEqual(direct(run, source, data), expected, source)
    }
  })

  it("leaves to JSONata what only JSONata can do", () => {
    for (const source of [
      "a.b[c=1]",
      "$map(a, function($x) { $x })",
      "a.{b: c}",
      "*",
      "**.a",
      "a^(b)",
      "a[]",
      "$now()",
      "%.a"
    ]) {
      const parsed = program(source)
      if (Either.isRight(parsed)) assert.isUndefined(compileClosure(parsed.right.node, names), source)
    }
  })
})
