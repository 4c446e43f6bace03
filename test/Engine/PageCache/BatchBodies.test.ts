/** Bodies of looked-up pages: read together, limited in memory, dropped after a while and then read alone. */

import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import * as BatchBodies from "../../../src/Engine/PageCache/BatchBodies.ts"
import { expect, it } from "../../It.ts"

const limits = { maxBytes: 250, lifetime: Duration.seconds(30) }

/** A batch of the bodies `a` and `b`, and what was read of it. */
const batch = (bytes: number) => {
  const reads: Array<string> = []
  const body = new Uint8Array([1])
  return {
    reads,
    bytes,
    readAll: Effect.sync(() => {
      reads.push("all")
      return new Map([
        ["a", body],
        ["b", body]
      ])
    }),
    readOne: (key: string) =>
      Effect.sync(() => {
        reads.push(key)
        return body
      })
  }
}

it.effect("bodies of a batch are read together once, when the first is asked for", function* () {
  const batches = BatchBodies.make(limits)
  const one = batch(100)
  const read = yield* batches.open(one)
  expect(one.reads).toEqual([])
  expect(batches.keptBytes()).toBe(0)
  for (const key of ["a", "b", "a"]) expect(yield* read(key)).toEqual(new Uint8Array([1]))
  expect(one.reads).toEqual(["all"])
  expect(batches.keptBytes()).toBe(100)
})

it.effect("beyond the limit the batch that was read first is dropped, and its bodies are read alone", function* () {
  const batches = BatchBodies.make(limits)
  const made = [batch(100), batch(100), batch(100), batch(1_000)]
  const opened = yield* Effect.forEach(made, batches.open)
  for (const read of opened.slice(0, 3)) yield* read("a")
  expect(batches.keptBytes()).toBe(200)
  expect(yield* opened[0]?.("b") ?? Effect.void).toEqual(new Uint8Array([1]))
  expect(made[0]?.reads).toEqual(["all", "b"])
  yield* opened[3]?.("a") ?? Effect.void
  yield* opened[3]?.("b") ?? Effect.void
  expect(batches.keptBytes()).toBe(1_000)
  expect(made[3]?.reads).toEqual(["all"])
})

it.effect("a batch is dropped after its lifetime, whoever waits for it", () =>
  Effect.gen(function* () {
    vi.useFakeTimers()
    const batches = BatchBodies.make(limits)
    const one = batch(100)
    const read = yield* batches.open(one)
    yield* read("a")
    vi.advanceTimersByTime(30_000)
    expect(batches.keptBytes()).toBe(0)
    yield* read("b")
    expect(one.reads).toEqual(["all", "b"])
  }).pipe(Effect.ensuring(Effect.sync(() => vi.useRealTimers())))
)
