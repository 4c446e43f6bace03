/** Streams of a pull behave like any other, and release what they have acquired. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Pull from "../../src/Callback/Pull.ts"
import { describe, expect, scoped } from "../It.ts"

const counting = (events: Array<string>, upTo: number, end: Option.Option<string> = Option.none()) =>
  Pull.streamOf(
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => events.push("acquired")),
        () => Effect.sync(() => events.push("released"))
      )
      let at = 0
      return Effect.suspend(() => (at < upTo ? Effect.succeed(Chunk.of(++at)) : Effect.fail(end)))
    })
  )

describe("a stream of a pull", () => {
  scoped("gives its elements, as a stream and as a pull", function* () {
    const events: Array<string> = []
    const stream = counting(events, 3)
    expect(events).toEqual([])
    expect([...(yield* Stream.runCollect(stream))]).toEqual([1, 2, 3])
    expect(events).toEqual(["acquired", "released"])
    const pulled = yield* Effect.scoped(
      Effect.gen(function* () {
        const pull = yield* Pull.toPull(stream)
        return [yield* pull, yield* pull, yield* pull, yield* Effect.either(pull)]
      })
    )
    expect(pulled.slice(0, 3)).toEqual([Chunk.of(1), Chunk.of(2), Chunk.of(3)])
    expect(pulled[3]).toMatchObject({ _tag: "Left", left: Option.none() })
    expect(events).toEqual(["acquired", "released", "acquired", "released"])
  })

  scoped("fails where its beginning or its pull fails", function* () {
    const begun = Pull.streamOf(Effect.fail("no beginning"))
    expect(yield* Effect.flip(Stream.runDrain(begun))).toBe("no beginning")
    expect(yield* Effect.flip(Stream.runDrain(counting([], 1, Option.some("no more"))))).toBe("no more")
    const other = yield* Effect.scoped(Effect.flatMap(Pull.toPull(Stream.make(1, 2)), (pull) => pull))
    expect([...other]).toEqual([1, 2])
  })
})
