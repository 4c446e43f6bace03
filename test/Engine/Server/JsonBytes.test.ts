/** Answers as bytes. */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import fc from "fast-check"
import { nextTurn } from "../../../src/Callback/EventLoop.ts"
import * as JsonBytes from "../../../src/Engine/Teams/JsonBytes.ts"
import { describe, expect, it } from "../../It.ts"

describe("JSON that is written a slice at a time", () => {
  it.effect("has the bytes of JSON that is written at once, wherever it is cut", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }),
            fc.dictionary(
              fc.string(),
              fc.constantFrom(undefined, "x\ud83d\ude00\ud83d".repeat(9), [undefined, 1, "\u2028"])
            )
          ),
          fc.integer({ min: 2, max: 40 }),
          async (value, length) => {
            expect(String(await Effect.runPromise(JsonBytes.write(value, length)))).toBe(JSON.stringify(value))
          }
        ),
        { numRuns: 40 }
      )
    )
  )

  it.effect("keeps lists of any length", function* () {
    for (const count of [0, 1, 1_000, 1_001]) {
      for (const item of ["a", 1, null, {}, { a: [1] }, "x".repeat(9_000)]) {
        const list = { links: Array.from({ length: count }, () => item), after: 1 }
        const bytes = yield* JsonBytes.write(list)
        expect(bytes.equals(Buffer.from(JSON.stringify(list))), `${count} of ${typeof item}`).toBe(true)
      }
    }
  })

  it.live("lets others go first", function* () {
    let turns = 0
    const other = yield* Effect.fork(
      Effect.forever(
        Effect.zipRight(
          Effect.sync(() => (turns += 1)),
          nextTurn
        )
      )
    )
    const document = { success: true, data: { rawHtml: '<p class="a">text\n'.repeat(600_000) } }
    expect((yield* JsonBytes.write(document)).equals(Buffer.from(JSON.stringify(document)))).toBe(true)
    yield* Fiber.interrupt(other)
    expect(turns).toBeGreaterThan(2)
  })
})
