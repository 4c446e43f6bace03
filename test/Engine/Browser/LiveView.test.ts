/** Live view: authentication, and what each link allows. */

import * as Effect from "effect/Effect"
import WebSocket from "ws"
import { describe, expect, layer as sharing } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { session } from "./Ground.ts"
import { drive, layer, look, run, Sight, spot } from "./Sight.ts"

/** Speaks to the socket of a link without its page; gives the status of a refusal, or what it was closed with. */
const speak = (link: string, origin: string | undefined, messages: ReadonlyArray<object> = []) =>
  Effect.async<{ readonly status: number; readonly closed?: number }>((resume) => {
    const ws = new WebSocket(`${link.replace(/^http/, "ws")}/socket`, origin === undefined ? {} : { origin })
    ws.on("open", () => {
      if (messages.length === 0) return resume(Effect.succeed({ status: 101 }))
      for (const message of messages) ws.send(JSON.stringify(message))
    })
    ws.on("close", (closed) => resume(Effect.succeed({ status: 101, closed })))
    ws.on("unexpected-response", (_, response) => {
      response.destroy()
      resume(Effect.succeed({ status: response.statusCode ?? 0 }))
    })
    ws.on("error", () => undefined)
    return Effect.sync(() => ws.terminate())
  })

const click = { type: "mouse", action: "down", x: 500, y: 500, button: "left", buttons: 1, clicks: 1, modifiers: 0 }

describe.skipIf(isMissing)("The WebSocket of a live view", () => {
  sharing(layer, { excludeTestServices: true })("of a session", (it) => {
    it.scoped.skipIf(skipsLong)("does not let the watch link steer, whatever is sent", function* () {
      const { baseUrl, browser, call, site } = yield* Sight
      const opened = yield* session(call)
      const { liveViewUrl = "" } = opened
      const page = yield* drive(opened.cdpUrl)
      yield* run(() => page.goto(`${site.url}/form`))
      const viewer = yield* look(browser, liveViewUrl)
      const below = yield* run(() => spot(viewer, 0.5, 0.75))
      yield* run(() => viewer.mouse.click(...below))
      for (const id of ["back", "reload", "open", "field", "copy", "fit"]) {
        expect(yield* run(() => viewer.locator(`#${id}`).count()), id).toBe(0)
      }
      for (const message of [click, { type: "go", address: site.url }, { type: "text", text: "x" }, { type: "copy" }]) {
        expect(yield* speak(liveViewUrl, baseUrl, [message])).toEqual({ status: 101, closed: 1008 })
      }
      const flood = Array.from({ length: 1_000 }, (_, index) => ({ type: "look", tab: String(index) }))
      expect(yield* speak(liveViewUrl, baseUrl, flood)).toEqual({ status: 101, closed: 1008 })
      expect(yield* speak(opened.interactiveLiveViewUrl ?? "", baseUrl, [{ type: "mouse" }])).toEqual({
        status: 101,
        closed: 1007
      })
      expect(yield* run(() => page.textContent("button"))).toBe("Press")
      expect(yield* run(() => page.inputValue("textarea"))).toBe("")
    })

    it.scoped.skipIf(skipsLong)(
      "opens to its secrets only, from its own page only, under a strict policy, and has room for those who steer",
      function* () {
        const { baseUrl, call } = yield* Sight
        const { cdpUrl, interactiveLiveViewUrl = "", liveViewUrl = "" } = yield* session(call)
        const sockets: Array<WebSocket> = []
        yield* Effect.addFinalizer(() => Effect.sync(() => sockets.map((ws) => ws.terminate())))
        const enter = (link: string) =>
          Effect.async<string>((resume) => {
            const ws = new WebSocket(`${link.replace(/^http/, "ws")}/socket`, { origin: baseUrl })
            sockets.push(ws)
            ws.once("message", (data) => resume(Effect.succeed(JSON.parse(String(data)).mode)))
            ws.once("close", (code) => resume(Effect.succeed(String(code))))
          })
        const watchers = yield* Effect.forEach(Array(33).keys(), () => enter(liveViewUrl), {
          concurrency: "unbounded"
        })
        expect(watchers.sort()).toEqual(["1013", ...Array(32).fill("watch")])
        expect(yield* enter(interactiveLiveViewUrl)).toBe("interact")
        for (const ws of sockets) ws.terminate()
        for (const url of [
          liveViewUrl,
          interactiveLiveViewUrl,
          `${baseUrl}/live/page.js`,
          `${baseUrl}/live/page.css`
        ]) {
          const { headers, status } = yield* run(() => fetch(url))
          expect(status).toBe(200)
          const policy = headers.get("content-security-policy") ?? ""
          for (const rule of [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'"
          ]) {
            expect(policy.split("; ")).toContain(rule)
          }
          expect(policy).not.toContain("unsafe")
          expect(headers.get("cache-control")).toBe("no-store")
          expect(headers.get("referrer-policy")).toBe("no-referrer")
        }
        const wrong = `${baseUrl}/live/${cdpUrl.split("/").at(-1)}`
        expect((yield* run(() => fetch(wrong))).status).toBe(404)
        expect((yield* speak(wrong, baseUrl)).status).toBe(404)
        expect((yield* speak(liveViewUrl, undefined)).status).toBe(403)
        expect((yield* speak(liveViewUrl, "http://127.0.0.1:1")).status).toBe(403)
        expect((yield* speak(liveViewUrl, "null")).status).toBe(403)
        expect((yield* speak(liveViewUrl, baseUrl)).status).toBe(101)
      }
    )
  })
})
