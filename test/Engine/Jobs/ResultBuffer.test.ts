import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { crashed } from "../../../src/Engine/Jobs/PageOutcome.ts"
import * as ResultBuffer from "../../../src/Engine/Jobs/ResultBuffer.ts"

const page = (id: number, bytes: number) => ({
  ...crashed({ id, jobId: "a", url: "http://site.test/", depth: 0, queued_at: 0 }),
  body: Buffer.alloc(bytes)
})

const drain = (buffer: ResultBuffer.ResultBuffer): ReadonlyArray<ReadonlyArray<number>> => {
  const portions: Array<ReadonlyArray<number>> = []
  while (!buffer.isEmpty()) portions.push(buffer.take().map(({ task }) => task.id))
  return portions
}

describe("the result buffer", () => {
  it.effect("is committed in order, in batches of two megabytes, a larger page alone", () =>
    Effect.sync(() => {
      const buffer = ResultBuffer.make()
      for (const [id, kilobytes] of [1_200, 800, 600, 5_000, 10, 20].entries()) buffer.add(page(id, kilobytes * 1024))
      expect(buffer.isFull()).toBe(true)
      expect(buffer.bytes()).toBe(7_630 * 1024)
      expect(drain(buffer)).toEqual([[0, 1], [2], [3], [4, 5]])
      expect(buffer.bytes()).toBe(0)
      expect(buffer.take()).toEqual([])
    })
  )

  it.effect("commits small pages together as soon as there are enough", () =>
    Effect.sync(() => {
      const buffer = ResultBuffer.make()
      for (let id = 0; id < 95; id++) buffer.add(page(id, 1_000))
      expect(buffer.isFull()).toBe(false)
      buffer.add(page(95, 1_000))
      expect(buffer.isFull()).toBe(true)
      expect(drain(buffer)).toHaveLength(1)
    })
  )
})
