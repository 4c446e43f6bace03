/** JSONata as it is made synchronous and counted here, against the library itself. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import jsonata from "jsonata"
import { compile } from "../../src/Row/Expression.ts"
import { expression } from "../fuzz/Expressions.ts"
import { assert, describe, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"

const row = { t: "abc x", u: "x", n: 5, l: [{ k: 2 }, { k: 1 }], o: { a: 1, b: [1, 2] }, d: "2026-01-31", x: [] }

/** Expressions that double their values, are random, or use functions that differ from the library's. */
const isOther = /\$f :=|slug|host|canonical|sha256|\$date|\$price|\$number\(.*, |shuffle|json|pad\(|toMillis\(|x\*\//

const failed = "an error"
const hasFunction = "a function"

const plain = (value: unknown): unknown => {
  let found = false
  const text = JSON.stringify(value, (_, item) => {
    const isFunction =
      typeof item === "function" || (typeof item === "object" && item !== null && "_jsonata_lambda" in item)
    found ||= isFunction
    return item
  })
  return found ? hasFunction : text === undefined ? undefined : JSON.parse(text)
}

describe("Row/Expression/Jsonata", () => {
  scoped.skipIf(skipsLong)("gives the results of the library, for expressions generated from a grammar", function* () {
    let state = 12345
    const next = (n: number): number => {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return (state >>> 0) % n
    }
    let compared = 0
    for (let attempt = 0; attempt < 500; attempt++) {
      const source = expression(1 + next(3), next)
      const ours = compile(source)
      if (isOther.test(source) || Either.isLeft(ours)) continue
      const theirs = jsonata(source).evaluate(structuredClone(row))
      const expected = yield* Effect.promise(() => theirs.then(plain, () => failed))
      const value = yield* Effect.either(ours.right.evaluate(row, { names: {} }))
      if (expected === hasFunction) continue
      assert.deepStrictEqual(Either.isLeft(value) ? failed : plain(value.right), expected, source)
      compared++
    }
    assert.isAbove(compared, 200)
  })
})
