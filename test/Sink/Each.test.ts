import * as Effect from "effect/Effect"
import { onEach } from "../../src/Sink/SinkErrors.ts"
import { assert, describe, it, scoped } from "../It.ts"

describe("parallel work on several files", () => {
  it.live("has ended when its failure is reported", function* () {
    // Fails wherever in the list, while others are at work for a while yet.
    for (let bad = 0; bad < 9; bad++) {
      let running = 0
      let begun = 0
      const error = yield* onEach([...Array(9).keys()], (each) =>
        Effect.gen(function* () {
          running++
          begun++
          for (let turn = 0; turn < 1 + ((each * 7) % 5); turn++) yield* Effect.yieldNow()
          running--
          if (each === bad) return yield* Effect.fail(each)
        })
      ).pipe(Effect.uninterruptible, Effect.flip)
      assert.deepStrictEqual([error, running], [bad, 0])
      assert.isAtMost(begun, bad + 8)
    }
  })

  scoped("works for one file, for many, and for none", function* () {
    for (const count of [0, 1, 2, 20]) {
      const seen = new Set<number>()
      yield* onEach(Array(count).keys(), (each) => Effect.sync(() => seen.add(each)))
      assert.strictEqual(seen.size, count)
    }
  })
})
