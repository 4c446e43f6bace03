import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { Listeners } from "../../src/Dashboard/Events.ts"
import { describe, expect, scoped } from "../It.ts"

const idOf = (text: string | undefined) => /^id: (.*)$/m.exec(text ?? "")?.[1]

describe("Listeners of the event stream", () => {
  scoped("are disconnected when they read too slowly, without delaying others", function* () {
    const listeners = new Listeners()
    const cut: Array<string> = []
    const slow = yield* listeners.add(undefined, undefined, 0, () => void cut.push("slow"))
    const quick = yield* listeners.add(undefined, undefined, 0, () => void cut.push("quick"))
    let received = 0
    for (let at = 0; at < 200; at++) {
      listeners.send("schedules", { at })
      received += Chunk.size(yield* Queue.takeAll(quick))
    }
    expect(received).toBe(201)
    expect(cut).toEqual(["slow"])
    expect(yield* Queue.size(slow)).toBeLessThanOrEqual(64)
    expect(listeners.size).toBe(1)
  })

  scoped("get events of the run they follow, and after a reconnect what they missed, or a gap", function* () {
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
    listeners.send("gone", { runs: ["a"] }, "a")
    listeners.send("gone", { runs: ["b"] }, "b")
    listeners.send("schedules", { at: 7 })
    expect((yield* add("a", idOf(hello))).map((text) => /^data: (.*)$/m.exec(text)?.[1])).toEqual([
      '{"now":0,"isGap":false}',
      '{"runs":["a"]}',
      '{"at":7}'
    ])
    for (let at = 0; at < 300; at++) listeners.send("schedules", { at })
    expect((yield* add("a", idOf(hello)))[0]).toContain('"isGap":true')
    const [current] = yield* add("a")
    expect(current).toContain('"isGap":false')
    listeners.forget()
    expect((yield* add("a", idOf(current)))[0]).toContain('"isGap":true')
  })

  scoped("are limited in number", function* () {
    const listeners = new Listeners()
    const add = listeners.add(undefined, undefined, 0, () => {})
    for (let count = 0; count < 64; count++) yield* add
    expect(yield* Effect.flip(add)).toMatchObject({ status: 503, reason: expect.stringContaining("close some") })
  })
})
