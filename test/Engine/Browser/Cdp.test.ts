/** CDP endpoint for programs: authentication, refused commands, and programs that do not read. */

import * as Effect from "effect/Effect"
import WebSocket from "ws"
import { describe, expect, layer as sharing } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { share } from "../../Repetitions.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, knock, layer, session } from "./Ground.ts"
import { until } from "./Sight.ts"

/** Sends bare messages; gives what comes back for each. */
const exchange = (
  url: string,
  messages: ReadonlyArray<unknown>,
  write: (message: unknown) => string = JSON.stringify
) =>
  Effect.async<ReadonlyArray<{ readonly id: number; readonly result?: unknown; readonly error?: { message: string } }>>(
    (resume) => {
      const ws = new WebSocket(url)
      const answers: Array<never> = []
      ws.on("open", () => {
        for (const message of messages) ws.send(write(message))
      })
      ws.on("message", (data) => {
        answers.push(JSON.parse(data.toString()) as never)
        if (answers.length === messages.length) resume(Effect.succeed(answers))
      })
      ws.on("close", (code) => resume(Effect.die(`closed ${code}`)))
      ws.on("error", () => undefined)
      return Effect.sync(() => ws.terminate())
    }
  )

/** The answer to a command. */
const answerOf = (ws: WebSocket, command: { readonly id: number; readonly method: string; readonly params?: object }) =>
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  Effect.async<any>((resume) => {
    const hear = (data: WebSocket.RawData) => {
      const answer = JSON.parse(data.toString())
      if (answer.id !== command.id) return
      ws.off("message", hear)
      resume(Effect.succeed(answer))
    }
    ws.on("message", hear)
    ws.send(JSON.stringify(command))
  })

/** Sends one message as it is and returns the response. */
const talkRaw = (url: string, text: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new WebSocket(url)),
    (ws) =>
      Effect.async<ReadonlyArray<string>>((resume) => {
        ws.on("open", () => ws.send(text))
        ws.on("message", (data) => resume(Effect.succeed([data.toString()])))
        ws.on("close", (code) => resume(Effect.succeed([`closed ${code}`])))
        ws.on("error", () => undefined)
      }),
    (ws) =>
      Effect.async<void>((resume) => {
        if (ws.readyState === ws.CLOSED) return resume(Effect.void)
        ws.on("close", () => resume(Effect.void))
        ws.close()
      })
  )

describe.skipIf(isMissing)("Programs at a session", () => {
  sharing(layer(), { excludeTestServices: true })("with a Chromium", (it) => {
    it.scoped.skipIf(skipsLong)("come in by its secret only, and no web page", function* () {
      const { baseUrl, call } = yield* Ground
      const { cdpUrl, liveViewUrl = "" } = yield* session(call)
      expect(yield* knock(cdpUrl)).toBe(101)
      expect(yield* knock(cdpUrl, { origin: baseUrl })).toBe(403)
      expect(yield* knock(cdpUrl, { origin: "null" })).toBe(403)
      expect(yield* knock(`${cdpUrl.slice(0, -1)}${cdpUrl.endsWith("A") ? "B" : "A"}`)).toBe(404)
      expect(yield* knock(cdpUrl.replace(/[^/]+$/, new URL(liveViewUrl).pathname.slice("/live/".length)))).toBe(404)
    })

    it.scoped.skipIf(skipsLong)("get an error with the reason for a refused command, and continue", function* () {
      const { call } = yield* Ground
      const { cdpUrl } = yield* session(call)
      const answers = yield* exchange(cdpUrl, [
        { id: 7, method: "Target.createTarget", params: { url: "file:///etc/passwd" } },
        { id: 8, method: "Tethering.bind", params: { port: 1 } },
        { id: 9, method: "Runtime.evaluate", params: { expression: "1" }, sessionId: "0".repeat(32) },
        { id: 10, method: "Target.setRemoteLocations", params: {} }
      ])
      expect(answers.map(({ id }) => id)).toEqual([7, 8, 9, 10])
      for (const { error } of answers) expect(error?.message).toMatch(/^\w+\.\w+: /)
      expect(yield* exchange(cdpUrl, [{ id: 3, method: "Browser.getVersion" }])).toEqual([
        { id: 3, result: expect.objectContaining({ protocolVersion: "1.3" }) }
      ])
    })

    it.scoped.skipIf(skipsLong)(
      "cannot end the engine by what they send: each gets an answer or is sent away, and others go on",
      function* () {
        const { baseUrl, call } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const nested = (levels: number, inner = "1") => `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`
        const odd = [
          '{"toString":1}',
          '{"valueOf":1,"toString":null}',
          "[]",
          "7",
          "null",
          '{"__proto__":null}',
          nested(150)
        ]
        const methods = ["Target.detachFromTarget", "Target.createTarget", "Page.navigate", "Target.attachToTarget"]
        const more = [
          "Browser.setDownloadBehavior",
          "DOM.setFileInputFiles",
          "Input.dispatchDragEvent",
          "Tracing.start"
        ]
        const params = [...methods, ...more].flatMap((method) =>
          odd.flatMap((value) =>
            ["sessionId", "url", "targetId", "files", "data", "downloadPath", "perfettoConfig", "flatten"].map(
              (name) => `{"id":1,"method":"${method}","params":{"${name}":${value}}}`
            )
          )
        )
        // `npm test` sends a part, which has each method, value and name at least once.
        for (const text of share(params, 25)) {
          const [answer] = yield* talkRaw(cdpUrl, text)
          expect(answer, text).toMatch(/^\{"id":1,|^closed 10(?:00|07)$/)
        }
        const without = [10_000, 1_000_000].flatMap((levels) => [
          nested(levels),
          `${"[".repeat(levels)}${"]".repeat(levels)}`
        ])
        for (const text of [...without, "{", "7", '{"id":"1"}', '{"method":"Browser.getVersion"}']) {
          expect(yield* talkRaw(cdpUrl, text), text.slice(0, 60) + text.length).toEqual(["closed 1007"])
        }
        expect((yield* call.get("/health")).status, baseUrl).toBe(200)
        expect((yield* exchange(cdpUrl, [{ id: 3, method: "Browser.getVersion" }]))[0]?.id).toBe(3)
      }
    )

    it.scoped.skipIf(skipsLong)(
      "get an error for a command that is too large, and continue on the same connection",
      function* () {
        const { call } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const command = (id: number, field: string) =>
          `{"params":{"expression":"1",${field}},"id":${id},"method":"Page.enable"}`
        const keys = Array.from({ length: 310_000 }, (_, n) => `"k${n}":1`).join(",")
        const texts = [
          command(1, `"a":${'{"id":7,"a":'.repeat(10_000)}1${"}".repeat(10_000)}`),
          command(2, `"a":[${"{},".repeat(310_000)}1]`),
          command(3, `"a":[${"1,".repeat(1_100_000)}1]`),
          command(4, keys),
          '{"id":5,"method":{"a":1}}',
          '{"id":6,"method":"Page.enable","params":[]}',
          '{"id":7,"method":"Page.enable","sessionId":{"toString":1}}',
          '{"id":8,"method":"Browser.getVersion"}'
        ]
        const answers = yield* exchange(cdpUrl, texts, (text) => String(text))
        expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
        expect(answers.map(({ error }) => error?.message)).toEqual([
          "The command is nested more than 1000 levels deep.",
          "The command has more than 300000 objects and arrays.",
          "The command has more than 1000000 values.",
          "The command has more than 300000 keys.",
          "The command has no method.",
          "The params of the command are not an object.",
          "The sessionId of the command is not valid.",
          undefined
        ])
      }
    )

    it.scoped.skipIf(skipsLong)(
      "send large commands, which are obeyed in order and under the same rules",
      function* () {
        const { call } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const padding = "x\u0000\u2028é".repeat(200_000)
        const answers = yield* exchange(cdpUrl, [
          { id: 1, method: "Target.createTarget", params: { url: "about:blank", padding } },
          { id: 2, method: "Target.createTarget", params: { padding, url: "file:///etc/passwd" } },
          { id: 3, method: "Nothing.here" },
          { id: 4, method: "Page.navigate", params: { padding, url: "about:blank" }, sessionId: "0".repeat(32) },
          { id: 5, method: "Tracing.start", params: { padding, perfettoConfig: "" } },
          { id: 6, method: "Target.getTargetInfo", params: { targetId: "nobody's", padding } },
          { id: 7, method: "Target.detachFromTarget", params: { sessionId: "nobody's", padding } },
          { id: 8, method: "Nothing.here" }
        ])
        // Only the first is for the browser, which takes its time.
        const refused = answers.filter(({ id }) => id !== 1)
        expect(refused.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8])
        expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { targetId: expect.any(String) } })
        expect(refused.map(({ error }) => error?.message.replace(/ \(.*/, ""))).toEqual([
          "Target.createTarget: sessions only open web addresses",
          'Nothing.here: browser sessions do not support the domain "Nothing"',
          "Page.navigate: Session with given id not found.",
          "Tracing.start: only the browser itself can be traced: use traceConfig, without perfettoConfig and tracingBackend",
          "Target.getTargetInfo: No target with given id found",
          "Target.detachFromTarget: No session with given id",
          'Nothing.here: browser sessions do not support the domain "Nothing"'
        ])
      }
    )

    it.scoped.skipIf(skipsLong)(
      "get a large answer completely, and lose the connection when they do not read it",
      function* () {
        const { call } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const program = Effect.acquireRelease(
          Effect.async<WebSocket>((resume) => {
            const ws = new WebSocket(cdpUrl, { perMessageDeflate: false, maxPayload: 2 ** 30 })
            ws.on("open", () => resume(Effect.succeed(ws)))
          }),
          (ws) => Effect.sync(() => ws.terminate())
        )
        /** Has a page make a string; gives the program and its command. */
        const asking = (characters: number) =>
          Effect.gen(function* () {
            const ws = yield* program
            const page = { id: 1, method: "Target.createTarget", params: { url: "about:blank" } }
            const { targetId } = (yield* answerOf(ws, page)).result
            const params = { targetId, flatten: true }
            const { sessionId } = (yield* answerOf(ws, { id: 2, method: "Target.attachToTarget", params })).result
            const expression = `"x".repeat(${characters})`
            const asked = { method: "Runtime.evaluate", params: { expression, returnByValue: true } }
            return [ws, { id: 3, ...asked, sessionId }] as const
          })
        const [reader, large] = yield* asking(20e6)
        expect((yield* answerOf(reader, large)).result.result.value.length).toBe(20e6)
        const [idle, left] = yield* asking(20e6)
        const closed = new Promise((resolve) => idle.on("close", (code, reason) => resolve([code, String(reason)])))
        let end: unknown
        // On a busy machine the answer may begin only when it is read again.
        for (let tries = 0; end === undefined && tries < 5; tries++) {
          idle.pause()
          idle.send(JSON.stringify(left))
          yield* Effect.sleep("18 seconds")
          idle.resume()
          end = yield* Effect.race(
            Effect.promise(() => closed),
            Effect.delay(Effect.void, "10 seconds")
          )
        }
        // A program that reads within half a second still gets the reason.
        expect([
          [1006, ""],
          [1013, "Nothing was read for 15s"]
        ]).toContainEqual(end)
        expect((yield* answerOf(reader, { id: 9, method: "Browser.getVersion" })).result.product).toContain("Chrome")
      }
    )

    it.scoped.skipIf(skipsLong)(
      "are not answers while they leave their answers unread, and are once they read them",
      function* () {
        const { call } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const count = 25_000
        const padding = "x".repeat(2_000)
        const ws = yield* Effect.acquireRelease(
          Effect.async<WebSocket>((resume) => {
            const ws = new WebSocket(cdpUrl, { perMessageDeflate: false })
            ws.on("open", () => resume(Effect.succeed(ws)))
          }),
          (ws) => Effect.sync(() => ws.terminate())
        )
        let answers = 0
        const all = new Promise<void>((resolve) => {
          ws.on("message", () => {
            answers += 1
            if (answers === count) resolve()
          })
        })
        ws.pause()
        const method = `Nothing.${"x".repeat(180)}`
        for (let id = 1; id <= count; id++)
          ws.send(JSON.stringify({ id, method, params: { padding }, sessionId: "0".repeat(190) }))
        let before = 0
        yield* until(async () => {
          const isStill = before === ws.bufferedAmount
          before = ws.bufferedAmount
          await new Promise((resolve) => setTimeout(resolve, 100))
          return isStill
        })
        expect(before).toBeGreaterThan(1_000_000)
        ws.resume()
        yield* Effect.promise(() => all)
      }
    )
  })
})
