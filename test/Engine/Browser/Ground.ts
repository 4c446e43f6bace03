/** An engine with a real Chromium, a site for its sessions to visit, and what a stranger's program does with them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import WebSocket from "ws"
import type { Options } from "../../../src/Engine.ts"
import { type Caller, caller, engine, keys, type Reply, type Site, site } from "../../Local.ts"
import { chromium, chromiumSandbox } from "../Render/Installed.ts"

const form = `<!doctype html><html lang="en"><head><title>Form</title></head><body>
<label>Name <input id="name"></label><button onclick="said.textContent = 'Hello ' + document.querySelector('#name').value">Go</button>
<p id="said"></p></body></html>`

/** Says which cookies it was sent. */
const answer = (path: string) =>
  path === "/form"
    ? form
    : path === "/to-file"
      ? { status: 302, headers: { location: "file:///etc/passwd" } }
      : `<!doctype html><title>${path}</title><h1>${path}</h1>`

export const withChromium = (options: Partial<Options> = {}) => engine({ chromium, chromiumSandbox, ...options })

export class Ground extends Context.Tag("sluice/test/Browser/Ground")<
  Ground,
  { readonly call: Caller; readonly stranger: Caller; readonly site: Site; readonly baseUrl: string }
>() {}

export const layer = (options: Partial<Options> = {}) =>
  Layer.scoped(
    Ground,
    Effect.gen(function* () {
      const { baseUrl } = yield* withChromium(options)
      return {
        baseUrl,
        call: caller(baseUrl, keys.first),
        stranger: caller(baseUrl, keys.stranger),
        site: yield* site(answer)
      }
    })
  )

/** A session for as long as the scope is open. */
export const session = (call: Caller, request: object = {}) =>
  Effect.acquireRelease(
    Effect.flatMap(call.post("/v2/browser", request), (reply) =>
      reply.status === 200 ? Effect.succeed(reply.json) : Effect.die(new Error(reply.text))
    ),
    ({ id }) => call.del(`/v2/browser/${id}`)
  ).pipe(Effect.map((json: Reply["json"]) => json as Opened))

export interface Opened {
  readonly id: string
  readonly cdpUrl: string
  readonly liveViewUrl?: string
  readonly interactiveLiveViewUrl?: string
  readonly expiresAt: string
}

/** Opens a WebSocket; gives the status of a refusal, or 101. */
export const knock = (url: string, headers: Record<string, string> = {}) =>
  Effect.async<number>((resume) => {
    const ws = new WebSocket(url, { headers })
    ws.on("open", () => resume(Effect.succeed(101)))
    ws.on("unexpected-response", (_, response) => {
      response.destroy()
      resume(Effect.succeed(response.statusCode ?? 0))
    })
    ws.on("error", () => undefined)
    return Effect.sync(() => ws.terminate())
  })
