import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { fanOut } from "../../src/Run/FanOut.ts"

const counted = (count: number, made: Ref.Ref<number>) =>
  Stream.range(1, count).pipe(
    Stream.rechunk(1),
    Stream.tap(() => Ref.update(made, (n) => n + 1))
  )

const drain = <A, E>(streams: ReadonlyArray<Stream.Stream<A, E>>) =>
  Effect.forEach(streams, Stream.runCollect, { concurrency: "unbounded" }).pipe(
    Effect.map((all) => all.map(Chunk.toReadonlyArray))
  )

describe("fanOut", () => {
  it.scoped("gives every row to every reader, and makes it once", () =>
    Effect.gen(function* () {
      const made = yield* Ref.make(0)
      const [a = [], b = [], c = []] = yield* Effect.flatMap(fanOut(counted(500, made), 3), drain)
      expect([a.length, b.length, c.length]).toEqual([500, 500, 500])
      expect(b).toEqual(a)
      expect(yield* Ref.get(made)).toBe(500)
    })
  )

  it.scoped("goes on for the others when one reader has had enough", () =>
    Effect.gen(function* () {
      const made = yield* Ref.make(0)
      const [few, all] = yield* fanOut(counted(500, made), 2)
      if (few === undefined || all === undefined) return expect.unreachable()
      const [a = [], b = []] = yield* drain([Stream.take(few, 3), all])
      expect(a).toEqual([1, 2, 3])
      expect(b.length).toBe(500)
    })
  )

  it.scoped("stops the source when all readers have had enough", () =>
    Effect.gen(function* () {
      const made = yield* Ref.make(0)
      const streams = yield* fanOut(counted(1_000_000, made), 2)
      yield* drain(streams.map(Stream.take(5)))
      yield* Effect.yieldNow()
      expect(yield* Ref.get(made)).toBeLessThan(100)
    })
  )

  it.scoped("hands a failure to every reader after the rows that came before it", () =>
    Effect.gen(function* () {
      const failing = Stream.concat(Stream.make(1, 2), Stream.fail("broken" as const))
      const streams = yield* fanOut(failing, 2)
      const ends = yield* Effect.forEach(
        streams,
        (stream) =>
          Effect.gen(function* () {
            const seen = yield* Ref.make<ReadonlyArray<number>>([])
            const error = yield* Effect.flip(Stream.runForEach(stream, (n) => Ref.update(seen, (all) => [...all, n])))
            return { error, seen: yield* Ref.get(seen) }
          }),
        { concurrency: "unbounded" }
      )
      expect(ends).toEqual([
        { error: "broken", seen: [1, 2] },
        { error: "broken", seen: [1, 2] }
      ])
    })
  )
})
