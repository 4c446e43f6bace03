import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { Listeners } from "../../src/Dashboard/Events.ts"

const idOf = (text: string | undefined) => /^id: (.*)$/m.exec(text ?? "")?.[1]

describe("Those who listen", () => {
  it.scoped("are cut off when they read too slowly, and hold nobody back who reads", () =>
    Effect.gen(function* () {
      const listeners = new Listeners()
      const cut: Array<string> = []
      const slow = yield* listeners.add(undefined, undefined, 0, () => void cut.push("slow"))
      const quick = yield* listeners.add(undefined, undefined, 0, () => void cut.push("quick"))
      let heard = 0
      for (let at = 0; at < 200; at++) {
        listeners.tell("schedules", { at })
        heard += Chunk.size(yield* Queue.takeAll(quick))
      }
      expect(heard).toBe(201)
      expect(cut).toEqual(["slow"])
      expect(yield* Queue.size(slow)).toBeLessThanOrEqual(64)
      expect(listeners.size).toBe(1)
    })
  )

  it.scoped("are told of the run they follow alone, and of all that they missed, or that something is missing", () =>
    Effect.gen(function* () {
      const listeners = new Listeners()
      const add = (run: string | undefined, last?: string) =>
        Effect.map(
          Effect.flatMap(
            listeners.add(run, last, 0, () => {}),
            Queue.takeAll
          ),
          (texts) => Chunk.toReadonlyArray(texts)
        )
      const [hello] = yield* add(undefined)
      listeners.tell("gone", { runs: ["a"] }, "a")
      listeners.tell("gone", { runs: ["b"] }, "b")
      listeners.tell("schedules", { at: 7 })
      expect((yield* add("a", idOf(hello))).map((text) => /^data: (.*)$/m.exec(text)?.[1])).toEqual([
        '{"now":0,"isGap":false}',
        '{"runs":["a"]}',
        '{"at":7}'
      ])
      for (let at = 0; at < 300; at++) listeners.tell("schedules", { at })
      expect((yield* add("a", idOf(hello)))[0]).toContain('"isGap":true')
      const [current] = yield* add("a")
      expect(current).toContain('"isGap":false')
      listeners.forget()
      expect((yield* add("a", idOf(current)))[0]).toContain('"isGap":true')
    })
  )

  it.scoped("are only so many", () =>
    Effect.gen(function* () {
      const listeners = new Listeners()
      const add = listeners.add(undefined, undefined, 0, () => {})
      for (let count = 0; count < 64; count++) yield* add
      expect(yield* Effect.flip(add)).toMatchObject({ status: 503, reason: expect.stringContaining("close some") })
    })
  )
})
