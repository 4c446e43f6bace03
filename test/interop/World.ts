/** Set-up of the tests with the public client: an engine, a site, a model, and the client itself. */
import Firecrawl from "@mendable/firecrawl-js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { WebSocket } from "ws"
import { fakeModel } from "../Engine/Model/FakeModel.ts"
import * as Installed from "../Engine/Render/Installed.ts"
import { engine, keys, type Site, site } from "../Local.ts"

export const webhookSecret = "whsec-herons"

/** A page with a head, a style, a picture and links. */
export const heron = (title: string, links: ReadonlyArray<string> = []): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="About ${title}.">` +
  `<link rel="icon" href="/icon.png"><style>body { font-family: "Inter", sans-serif; color: #222222; background: #ffffff }` +
  ` a { color: #0055cc } .button { background: #0055cc; color: #ffffff; border-radius: 6px }</style></head>` +
  `<body><header><img src="/logo.png" alt="logo"></header><main><h1>${title}</h1>` +
  `<p>Herons have <b>two</b> legs, and stand on one of them for hours.</p><img src="/heron.png" alt="A heron"><a class="button" href="/go">Go</a>` +
  `<ul>${links.map((href) => `<li><a href="${href}">${href}</a></li>`).join("")}</ul></main></body></html>`

const robots = { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private/\n" }

const answers = (changes: { count: number }) => (path: string) => {
  if (path === "/") return heron("Start", ["/a", "/b", "/gone", "/private/x"])
  if (path === "/robots.txt") return robots
  if (path === "/changing") return heron(`Version ${++changes.count}`)
  if (path === "/late") return { body: heron("Late"), delay: 600 }
  if (path.startsWith("/slow")) return { body: heron("Slow"), delay: 5_000 }
  return /^\/(a|b|go|\d+)$/.test(path) ? heron(path) : undefined
}

/** Runs what belongs to promises. */
export const ask = <A>(promise: () => Promise<A>) => Effect.promise(promise)

/** The error of a refused call. */
// biome-ignore lint/suspicious/noExplicitAny: the client's errors have fields of every kind
export const refused = (promise: () => Promise<unknown>): Effect.Effect<any> =>
  Effect.promise(() =>
    promise().then(
      (value) => {
        throw new Error(`The call was not refused: ${JSON.stringify(value)}`)
      },
      (error: unknown) => error
    )
  )

/** Node 20 has no WebSocket of its own, and the client takes whatever the platform has. */
export const withWebSocket = Effect.acquireRelease(
  Effect.sync(() => {
    const had = Reflect.get(globalThis, "WebSocket")
    Reflect.set(globalThis, "WebSocket", had ?? WebSocket)
    return had
  }),
  (had) => Effect.sync(() => (had === undefined ? Reflect.deleteProperty(globalThis, "WebSocket") : undefined))
)

export class World extends Context.Tag("sluice/test/interop/World")<
  World,
  {
    readonly site: Site
    readonly baseUrl: string
    readonly client: Firecrawl
    /** Of another team. */
    readonly stranger: Firecrawl
    /** With an unknown key. */
    readonly nobody: Firecrawl
  }
>() {}

export const clientOf = (apiUrl: string, apiKey: string) => new Firecrawl({ apiUrl, apiKey })

export const layer = Layer.scoped(
  World,
  Effect.gen(function* () {
    const there = yield* site(answers({ count: 0 }))
    const model = yield* fakeModel(() => `{"legs":2}`)
    const { baseUrl } = yield* engine({
      model: { url: model.url, name: "small", key: Redacted.make("sk-secret") },
      webhookSecret: Redacted.make(webhookSecret),
      chromium: Installed.chromium,
      chromiumSandbox: Installed.chromiumSandbox
    })
    return {
      site: there,
      baseUrl,
      client: clientOf(baseUrl, keys.first),
      stranger: clientOf(baseUrl, keys.stranger),
      nobody: clientOf(baseUrl, `fc-${"0".repeat(32)}`)
    }
  })
)
