import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Devtools from "../../../src/Engine/Browser/Devtools.ts"
import { type Body, describe, expect, it } from "../../It.ts"
import { join, make, page } from "./FakeBrowser.ts"

const settled = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 5)))

const test = (name: string, body: Body<Scope.Scope, ReturnType<typeof make>>) => it.scopedLive(name, () => body(make()))

describe("The clients of one browser", () => {
  test("get the answers to their own commands, under their own ids", function* ({ asked, devtools }) {
    const [a, b] = [yield* join(devtools), yield* join(devtools)]
    a.send({ id: 1, method: "Runtime.enable" })
    b.send({ id: 1, method: "Page.enable", params: { x: "}" } })
    b.send({ id: 0, method: "Page.reload" })
    yield* settled
    expect(a.heard).toEqual([{ id: 1, result: { method: "Runtime.enable" } }])
    expect(b.heard).toEqual([
      { id: 1, result: { method: "Page.enable", params: { x: "}" } } },
      { id: 0, result: { method: "Page.reload" } }
    ])
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length)
  })

  test("hear the events of what they have attached, however deep, and no others", function* ({
    devtools,
    events,
    say
  }) {
    const [a, b] = [yield* join(devtools), yield* join(devtools)]
    say({ method: "Target.targetCreated", params: { targetInfo: page }, sessionId: "S1" })
    a.send({ id: 1, method: "Target.attachToTarget", params: { flatten: true } })
    yield* settled
    const deep = { sessionId: "deep", targetInfo: { targetId: "F", type: "iframe", url: "https://b.example/" } }
    say({ method: "Target.attachedToTarget", params: deep, sessionId: "S3" })
    say({ method: "Page.loaded", params: {}, sessionId: "deep" })
    say({ method: "Target.detachedFromTarget", params: { sessionId: "deep" }, sessionId: "S3" })
    say({ method: "Page.loaded", params: { late: true }, sessionId: "deep" })
    say({ method: "Target.targetCreated", params: { targetInfo: { ...page, title: "for the engine" } } })
    yield* settled
    expect(a.heard).toEqual([
      { method: "Target.targetCreated", params: { targetInfo: page } },
      { method: "Target.attachedToTarget", params: { sessionId: "S3", targetInfo: page } },
      { id: 1, result: { sessionId: "S3" } },
      { method: "Target.attachedToTarget", params: deep, sessionId: "S3" },
      { method: "Page.loaded", params: {}, sessionId: "deep" },
      { method: "Target.detachedFromTarget", params: { sessionId: "deep" }, sessionId: "S3" }
    ])
    expect(b.heard).toEqual([])
    const told = { targetInfo: { ...page, title: "for the engine" } }
    expect(events).toContainEqual({ method: "Target.targetCreated", params: told })
  })

  test("cannot use or end each other's sessions", function* ({ asked, devtools }) {
    const [a, b] = [yield* join(devtools), yield* join(devtools)]
    a.send({ id: 1, method: "Target.attachToTarget", params: { flatten: true } })
    yield* settled
    const before = asked.length
    b.send({ id: 1, method: "Runtime.evaluate", sessionId: "S3" })
    b.send({ id: 2, method: "Target.detachFromTarget", params: { sessionId: "S3" } })
    b.send({ id: 3, method: "Target.detachFromTarget", params: { sessionId: "S1" } })
    yield* settled
    expect(asked.length).toBe(before)
    expect(b.heard.map(({ error, id }) => [id, error?.message])).toEqual([
      [1, "Runtime.evaluate: Session with given id not found."],
      [2, "Target.detachFromTarget: No session with given id"],
      [3, "Target.detachFromTarget: No session with given id"]
    ])
  })

  test("are notified when it has ended, and may close it", function* ({ closes, devtools, end }) {
    const a = yield* join(devtools)
    a.send({ id: 5, method: "Browser.close" })
    expect(a.heard).toEqual([{ id: 5, result: {} }])
    expect(closes()).toBe(1)
    const call = yield* Effect.fork(Effect.either(devtools.root.call("Test.silent")))
    yield* settled
    end()
    expect(yield* call).toMatchObject({ left: { reason: "the browser has ended" } })
    expect(a.reasons).toEqual(["the browser has ended"])
    expect(yield* Effect.either(devtools.root.call("Browser.getVersion"))).toMatchObject({ _tag: "Left" })
  })

  test("may leave while the browser no longer accepts sessions", function* ({ chromium, devtools, output }) {
    chromium.input.removeAllListeners("data")
    const coming = yield* Effect.fork(Effect.scoped(devtools.attach({ onMessage: () => true })))
    yield* settled
    yield* Effect.timeoutFail(Fiber.interrupt(coming), {
      duration: "30 seconds",
      onTimeout: () => new Devtools.DevtoolsError({ method: "test", reason: "it is still waiting" })
    })
    expect(output.isPaused()).toBe(false)
  })

  test("get an error for an answer that is too long to parse, and no such event", function* ({ devtools, output }) {
    const heard: Array<unknown> = []
    const ask = yield* devtools.connect((event) => void heard.push(event))
    const long = yield* Effect.either(ask.call("Page.getNavigationHistory", { url: "x".repeat(17_000_000) }))
    expect(long).toMatchObject({ left: { reason: expect.stringContaining("longer than 16777216 bytes") } })
    const event = (url: string) =>
      `${JSON.stringify({ method: "Page.frameNavigated", params: { url }, sessionId: "S1" })}\0`
    output.write(event("x".repeat(17_000_000)) + event("y"))
    yield* settled
    expect(heard).toEqual([{ method: "Page.frameNavigated", params: { url: "y" } }])
  })

  test("take their sessions with them when they leave", function* ({ asked, devtools, say }) {
    const heard = yield* Effect.scoped(Effect.map(join(devtools), ({ heard }) => heard))
    say({ method: "Page.loaded", params: {}, sessionId: "S1" })
    yield* settled
    expect(heard).toEqual([])
    expect(asked.at(-1)).toMatchObject({ method: "Target.detachFromTarget", params: { sessionId: "S1" } })
  })

  test("hold the browser back when they do not keep up, until they do or leave", function* ({ devtools, output, say }) {
    let room = false
    const slow = yield* join(devtools, () => room)
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* join(devtools, () => false)
        const event = (sessionId: string) => `${JSON.stringify({ method: "Page.loaded", params: {}, sessionId })}\0`
        output.write(event("S1") + event("S2"))
        yield* settled
        expect(output.isPaused()).toBe(true)
        say({ method: "Page.loaded", params: {}, sessionId: "S1" })
        yield* settled
        expect(slow.heard.length).toBe(1)
        slow.resume()
        expect(output.isPaused()).toBe(true)
      })
    )
    yield* settled
    expect(slow.heard.length).toBe(2)
    room = true
    slow.resume()
    yield* settled
    expect(output.isPaused()).toBe(false)
  })
})
