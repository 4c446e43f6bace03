/** The targets of a real Chromium as programs see them: everything that a user opens, and nothing else. */
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import { chromium as playwright } from "playwright-core"
import puppeteer from "puppeteer-core"
import WebSocket from "ws"
import * as Process from "../../../src/Engine/Browser/Process.ts"
import type { TargetInfo } from "../../../src/Engine/Browser/Targets.ts"
import * as Guard from "../../../src/Guard.ts"
import { describe, expect, it, layer as sharing } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { chromium, chromiumSandbox, isMissing } from "../Render/Installed.ts"
import { Ground, layer, session } from "./Ground.ts"
import { run, until } from "./Sight.ts"

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: { readonly targetInfo?: TargetInfo; readonly sessionId?: string }
  readonly result?: { readonly targetInfos?: ReadonlyArray<TargetInfo>; readonly targetId?: string }
  readonly error?: { readonly message: string }
}

/** A program that wants every target there is, and attaches to whatever it is offered. */
const curious = (cdpUrl: string) =>
  Effect.acquireRelease(
    run(
      () =>
        new Promise<{
          readonly heard: Array<Message>
          readonly call: (method: string, params?: object, sessionId?: string) => Promise<Message>
          readonly close: () => void
        }>((resolve) => {
          const ws = new WebSocket(cdpUrl)
          const heard: Array<Message> = []
          const waiting = new Map<number, (message: Message) => void>()
          const everything = { flatten: true, autoAttach: true, waitForDebuggerOnStart: true, filter: [{}] }
          let last = 0
          const call = (method: string, params: object = {}, sessionId?: string) =>
            new Promise<Message>((answered) => {
              last += 1
              waiting.set(last, answered)
              ws.send(JSON.stringify({ id: last, method, params, sessionId }))
            })
          ws.on("message", (data) => {
            const message: Message = JSON.parse(String(data))
            heard.push(message)
            waiting.get(message.id ?? 0)?.(message)
            if (message.method !== "Target.attachedToTarget") return
            const { sessionId } = message.params ?? {}
            void call("Target.setAutoAttach", everything, sessionId)
            void call("Runtime.runIfWaitingForDebugger", {}, sessionId)
          })
          ws.on("open", () => {
            void call("Target.setDiscoverTargets", { discover: true, filter: [{}] })
            void call("Target.setAutoAttach", everything)
            resolve({ heard, call, close: () => ws.terminate() })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

const infosOf = (messages: ReadonlyArray<Message>) =>
  messages.flatMap(({ params, result }) => [
    ...(params?.targetInfo === undefined ? [] : [params.targetInfo]),
    ...(result?.targetInfos ?? [])
  ])

const isOpen = /^(?:https?:|data:|blob:https?:|about:(?:blank|srcdoc)|chrome-error:|$)/

/** A page with a frame of another site and with workers. */
const rich = (port: number) => `<!doctype html><title>Rich</title><iframe src="http://localhost:${port}/frame"></iframe>
<script>new Worker(URL.createObjectURL(new Blob(["1"]))); new SharedWorker("/worker.js"); navigator.serviceWorker.register("/worker.js")</script>`

const richSite = Effect.acquireRelease(
  run(
    () =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer(({ url }, response) => {
          const isWorker = url === "/worker.js"
          response.setHeader("content-type", isWorker ? "text/javascript" : "text/html")
          const { port = 0 } = Object(server.address())
          response.end(isWorker ? "" : url === "/rich" ? rich(port) : `<!doctype html><title>${url}</title>`)
        })
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
  ),
  (server) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
).pipe(Effect.map((server): string => `http://127.0.0.1:${Object(server.address()).port}`))

describe.skipIf(isMissing)("Targets of a session", () => {
  sharing(layer(), { excludeTestServices: true })("with a Chromium", (it) => {
    it.scoped.skipIf(skipsLong)(
      "are what a user opens, with its frames and workers, and nothing of the browser, however a program asks",
      function* () {
        const { call } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const url = yield* richSite
        const program = yield* curious(cdpUrl)
        const browser = yield* Effect.acquireRelease(
          run(() => puppeteer.connect({ browserWSEndpoint: cdpUrl })),
          (browser) => run(() => browser.disconnect())
        )
        const page = yield* run(() => browser.newPage())
        yield* run(() => page.goto(`${url}/rich`))
        for (const what of [`"${url}/popup"`, `"${url}/noopener", "_blank", "noopener"`, `""`]) {
          yield* run(() => page.evaluate(`void window.open(${what})`))
        }
        const failed = yield* run(() => browser.newPage())
        yield* run(() => failed.goto(`http://127.0.0.1:1/`).catch(() => undefined))
        const data = yield* run(() => browser.newPage())
        yield* run(() => data.goto("data:text/html,<title>Data</title>"))
        const targets = async () =>
          (await program.call("Target.getTargets", { filter: [{}] })).result?.targetInfos ?? []
        const has = (type: string, path: string) => async () =>
          (await targets()).some((info) => info.type === type && info.url.endsWith(path))
        for (const [type, path] of [
          ["page", "/rich"],
          ["page", "/popup"],
          ["page", "/noopener"],
          ["page", "<title>Data</title>"],
          ["page", "about:blank"],
          ["tab", "/rich"],
          ["iframe", "/frame"],
          ["shared_worker", "/worker.js"],
          ["service_worker", "/worker.js"]
        ] as const) {
          yield* until(has(type, path))
        }
        const worker = async () =>
          (await targets()).some(({ type, url }) => type === "worker" && url.startsWith("blob:"))
        yield* until(worker)
        const pages = yield* run(() => browser.pages())
        // The first one, and what was opened here.
        expect(pages.length).toBe(7)
        for (const page of pages) expect(page.url()).toMatch(isOpen)
        expect(infosOf(program.heard).filter(({ type, url }) => !isOpen.test(url) || /_ui$/.test(type))).toEqual([])
        for (const asked of [
          "chrome://settings",
          "chrome-untrusted://terminal",
          "file:///etc/passwd",
          "about:version"
        ]) {
          const { error } = yield* run(() => program.call("Target.createTarget", { url: asked }))
          expect(error?.message).toContain("only open web addresses")
        }
        const driven = yield* Effect.acquireRelease(
          run(() => playwright.connectOverCDP(cdpUrl)),
          (browser) => run(() => browser.close())
        )
        const seen = driven.contexts().flatMap((context) => context.pages().map((page) => page.url()))
        expect(seen.length).toBe(7)
        expect(seen.filter((url) => !isOpen.test(url))).toEqual([])
      }
    )
  })

  it.scopedLive.skipIf(skipsLong)(
    "of the browser itself cannot be reached by their ids, and go on living",
    function* () {
      const { devtools } = yield* Process.start({
        executable: chromium ?? "",
        sandbox: chromiumSandbox,
        guard: Guard.make([]),
        onAsked: () => undefined
      }).pipe(Effect.provide(alone))
      const list = Effect.map(
        devtools.root.call<{ readonly targetInfos: ReadonlyArray<TargetInfo> }>("Target.getTargets", { filter: [{}] }),
        ({ targetInfos }) => targetInfos
      )
      const program = yield* devtools.connect(() => undefined)
      // The engine's own connection does what a program may not.
      const { targetId } = yield* devtools.root.call<{ readonly targetId: string }>("Target.createTarget", {
        url: "about:blank"
      })
      const own = (yield* list).filter(({ url }) => url.startsWith("chrome://"))
      for (const { targetId } of own) {
        for (const method of ["Target.attachToTarget", "Target.getTargetInfo", "Target.closeTarget"]) {
          const refusal = yield* Effect.flip(program.call(method, { targetId, flatten: true }))
          expect(refusal.message).toContain("No target with given id found")
        }
      }
      const { sessionId } = yield* program.call<{ readonly sessionId: string }>("Target.attachToTarget", {
        targetId,
        flatten: true
      })
      expect(yield* program.call("Runtime.evaluate", { expression: "1 + 1" }, sessionId)).toMatchObject({
        result: { value: 2 }
      })
      const ids = (yield* list).map(({ targetId }) => targetId)
      for (const { targetId } of own) expect(ids).toContain(targetId)
    }
  )
})
