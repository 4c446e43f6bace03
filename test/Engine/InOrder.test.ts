import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inOrder } from "../../src/Engine/InOrder.ts"
import { describe, expect, it } from "../It.ts"

class Word extends Context.Tag("test/Word")<Word, string>() {}
class Length extends Context.Tag("test/Length")<Length, number>() {}

const length = Layer.effect(
  Length,
  Effect.map(Word, (word) => word.length)
)

describe("layers in order", () => {
  it.scoped("have the services of those before them, and replace them", function* () {
    const given = yield* Layer.build(
      inOrder(
        Layer.succeed(Word, "one"),
        length,
        Layer.effect(
          Word,
          Effect.map(Word, (word) => `${word} more`)
        )
      )
    )
    expect([Context.get(given, Word), Context.get(given, Length)]).toEqual(["one more", 3])
  })

  it.scoped("are built once where lists share them, and closed in reverse order", function* () {
    const events: Array<string> = []
    const step = (name: string) =>
      Layer.scopedDiscard(
        Effect.acquireRelease(
          Effect.sync(() => events.push(name)),
          () => Effect.sync(() => events.push(`${name} closed`))
        )
      )
    const shared = step("shared")
    yield* Effect.scoped(Layer.build(inOrder(inOrder(shared, step("one")), shared, step("two"))))
    expect(events).toEqual(["shared", "one", "two", "two closed", "one closed", "shared closed"])
  })

  it.scoped("give nothing of what is around them, and need what none before them gives", function* () {
    const list: Layer.Layer<Length, never, Word> = inOrder(length)
    const given = yield* Effect.provideService(Layer.build(list), Word, "three")
    expect(Context.getOption(given as Context.Context<Word | Length>, Word)._tag).toBe("None")
    // @ts-expect-error: the word comes too late.
    const late: Layer.Layer<Length | Word> = inOrder(length, Layer.succeed(Word, "late"))
    expect(late).toBeDefined()
  })
})
