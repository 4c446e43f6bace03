/** Functions with a span of their own, which is only made where a tracer is set. */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import * as Trace from "../../src/Telemetry/Trace.ts"
import { describe, expect, scoped } from "../It.ts"

/** Runs an effect with a tracer. Returns the names of its spans. */
const spansOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (name, ...given) => {
        names.push(name)
        return Trace.untraced.span(name, ...given)
      },
      context: (run) => run()
    })
    return Effect.as(Effect.withTracer(effect, tracer), names)
  })

describe("a named function", () => {
  const doubled = Trace.fn("Test.doubled")(function* (n: number) {
    return (yield* Effect.succeed(n)) * 2
  })
  const plain = Trace.fn("Test.plain")(
    (n: number) => Effect.succeed(n),
    Effect.map((n) => n + 1)
  )

  scoped("has a span where a tracer is set", function* () {
    expect(yield* spansOf(Effect.zipRight(doubled(2), plain(2)))).toEqual(["Test.doubled", "Test.plain"])
  })

  scoped("returns the same without one, and has no span above it", function* () {
    expect([yield* doubled(2), yield* plain(2)]).toEqual([4, 3])
    const inside = Trace.fn("Test.inside")(() => Effect.option(Effect.currentSpan))
    expect((yield* inside())._tag).toBe("None")
  })

  scoped("dies of what its body throws", function* () {
    const broken = Trace.fn("Test.broken")((_: number): Effect.Effect<void> => {
      throw new Error("broken")
    })
    expect(yield* Effect.flip(Effect.sandbox(broken(1)))).toMatchObject({ _tag: "Die" })
  })
})
