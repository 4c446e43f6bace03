import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Row } from "../../src/Row.ts"
import type { Tap } from "../../src/Run/Operator.ts"
import { makeRowStream } from "../../src/Run/RowStream.ts"
import type { Summary } from "../../src/Run.ts"
import { describe, expect, scoped } from "../It.ts"

const summary = { status: "completed" } as Summary

const row = (n: number): Row => ({ data: { n } })

/** A run that pushes a chunk, waits for room outside, and pushes the next. */
const chunks = (count: number, tap: Tap, pushed: (n: number) => void) =>
  Effect.gen(function* () {
    for (let n = 0; n < count; n++) {
      yield* tap.take([row(n)])
      pushed(n)
      yield* tap.capacity.wait
    }
    return summary
  })

/** Gives everything that can go on the time to do so. */
const settle = Effect.repeatN(Effect.yieldNow(), 200)

describe("the rows of a run", () => {
  scoped("arrive in order, and the run is never more than a few chunks ahead of its reader", function* () {
    let last = -1
    const pull = yield* Stream.toPull(
      makeRowStream((tap) =>
        chunks(50, tap, (n) => {
          last = n
        })
      )
    )
    const seen: Array<unknown> = []
    let ahead = 0
    for (;;) {
      const next = yield* Effect.exit(pull)
      if (Exit.isFailure(next)) break
      for (const { data } of next.value) seen.push(data.n)
      yield* settle
      ahead = Math.max(ahead, last + 1 - seen.length)
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n))
    expect(ahead).toBeGreaterThan(0)
    expect(ahead).toBeLessThanOrEqual(6)
  })

  scoped("stop the run when the reader has had enough", function* () {
    const stopped = yield* Deferred.make<void>()
    const some = yield* makeRowStream((tap) =>
      // It stops in order: calls in flight finish, and checkpoints have more rows than were read.
      Effect.onInterrupt(
        chunks(1000, tap, () => {}),
        () =>
          Effect.gen(function* () {
            for (let n = 0; n < 100; n++) yield* Effect.zipRight(tap.take([row(n)]), tap.capacity.wait)
            yield* Deferred.succeed(stopped, undefined)
          })
      )
    ).pipe(Stream.take(3), Stream.runCollect)
    expect(Chunk.size(some)).toBe(3)
    // The stream is only over when the run is.
    expect(yield* Deferred.isDone(stopped)).toBe(true)
  })

  scoped("end with the failure of the run, after the rows that it emitted", function* () {
    const seen: Array<unknown> = []
    const error = yield* makeRowStream((tap) =>
      Effect.zipRight(
        chunks(3, tap, () => {}),
        Effect.fail("broken" as const)
      )
    ).pipe(
      Stream.runForEach(({ data }) => Effect.sync(() => seen.push(data.n))),
      Effect.flip
    )
    expect([seen, error]).toEqual([[0, 1, 2], "broken"])
  })

  scoped("count as read when the reader asks for more, and a commit waits for that", function* () {
    const given = yield* Deferred.make<Tap>()
    const rest = yield* Deferred.make<void>()
    const pull = yield* Stream.toPull(
      makeRowStream((tap) =>
        Effect.gen(function* () {
          yield* tap.take([row(0), row(1)])
          yield* Deferred.succeed(given, tap)
          yield* Deferred.await(rest)
          return summary
        })
      )
    )
    expect(Chunk.size(yield* pull)).toBe(2)
    const read = yield* Effect.fork(Effect.flatMap(Deferred.await(given), (tap) => tap.read))
    yield* settle
    // The reader has them, and has not said that it is done with them.
    expect(yield* Fiber.poll(read)).toEqual(Option.none())
    const asking = yield* Effect.fork(Effect.exit(pull))
    expect(yield* Fiber.join(read)).toBe(true)
    yield* Deferred.succeed(rest, undefined)
    expect(Exit.isFailure(yield* Fiber.join(asking))).toBe(true)
  })

  scoped("are in no commit when the reader leaves without asking for more", function* () {
    const told = yield* Deferred.make<boolean>()
    yield* makeRowStream((tap) =>
      Effect.onInterrupt(Effect.zipRight(tap.take([row(0), row(1)]), Effect.never), () =>
        Effect.flatMap(tap.read, (isRead) => Deferred.succeed(told, isRead || tap.isHere()))
      )
    ).pipe(Stream.take(1), Stream.runDrain)
    expect(yield* Deferred.await(told)).toBe(false)
  })
})
