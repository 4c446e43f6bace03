import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { crashed } from "../../../src/Engine/Jobs/PageOutcome.ts"
import * as ResultBuffer from "../../../src/Engine/Jobs/ResultBuffer.ts"

const page = (id: number, bytes: number) => ({
  ...crashed({ id, jobId: "a", url: "http://site.test/", depth: 0, queued_at: 0 }),
  body: Buffer.alloc(bytes)
})

const drain = (harvest: ResultBuffer.ResultBuffer): ReadonlyArray<ReadonlyArray<number>> => {
  const portions: Array<ReadonlyArray<number>> = []
  while (!harvest.isEmpty()) portions.push(harvest.take().map(({ task }) => task.id))
  return portions
}

describe("what was fetched", () => {
  it.effect("goes into the store in portions of two megabytes, in its order, a larger page alone", () =>
    Effect.sync(() => {
      const harvest = ResultBuffer.make()
      for (const [id, kilobytes] of [1_200, 800, 600, 5_000, 10, 20].entries()) harvest.add(page(id, kilobytes * 1024))
      expect(harvest.isFull()).toBe(true)
      expect(harvest.bytes()).toBe(7_630 * 1024)
      expect(drain(harvest)).toEqual([[0, 1], [2], [3], [4, 5]])
      expect(harvest.bytes()).toBe(0)
      expect(harvest.take()).toEqual([])
    })
  )

  it.effect("goes all at once when it is small, as soon as there is enough", () =>
    Effect.sync(() => {
      const harvest = ResultBuffer.make()
      for (let id = 0; id < 95; id++) harvest.add(page(id, 1_000))
      expect(harvest.isFull()).toBe(false)
      harvest.add(page(95, 1_000))
      expect(harvest.isFull()).toBe(true)
      expect(drain(harvest)).toHaveLength(1)
    })
  )
})
