/** An idle engine releases the memory of large responses. */

import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Garbage from "../../src/Engine/Teams/PageMemory.ts"
import { expect, it } from "../It.ts"
import { reserved } from "./Alone.ts"

const megabyte = 1024 * 1024

it.scoped("Four collections run once enough bytes were released and then none for some seconds", function* () {
  let collections = 0
  const { released } = yield* Garbage.makeGarbageCollector(() => (collections += 1))
  released(10 * megabyte)
  yield* TestClock.adjust("1 minute")
  expect(collections).toBe(0)
  released(60 * megabyte)
  yield* TestClock.adjust("3 seconds")
  released(60 * megabyte)
  yield* TestClock.adjust("3 seconds")
  expect(collections).toBe(0)
  yield* TestClock.adjust("10 seconds")
  expect(collections).toBe(4)
  yield* TestClock.adjust("1 minute")
  expect(collections).toBe(4)
  released(70 * megabyte)
  yield* TestClock.adjust("20 seconds")
  expect(collections).toBe(8)
})

it.scoped("A failed collection does not stop the next one", function* () {
  let collections = 0
  const { released } = yield* Garbage.makeGarbageCollector(() => {
    collections += 1
    throw new RangeError("Array buffer allocation failed")
  })
  for (let round = 1; round <= 2; round++) {
    released(70 * megabyte)
    yield* TestClock.adjust("1 minute")
    expect(collections).toBe(4 * round)
  }
})

it.scoped("Released bodies and responses are counted", function* () {
  const sizes: Array<number> = []
  const room = Garbage.make(Garbage.defaultShares(100 * megabyte), (bytes) => sizes.push(bytes))
  const giveBack = room.reserve("a", 20 * megabyte)
  giveBack()
  giveBack()
  yield* Effect.scoped(
    Effect.gen(function* () {
      const place = yield* reserved(room, { team: "a", host: "x" })
      yield* place.grow(5 * megabyte)
      place.keep(3 * megabyte)
    })
  )
  expect(sizes).toEqual([20 * megabyte, 2 * megabyte, 3 * megabyte])
})
