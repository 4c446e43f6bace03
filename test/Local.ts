/** The one test layer: an engine on a free port with a folder of its own, and small sites for it to visit. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Sql } from "../src/Engine/Store/Sql.ts"
import * as Store from "../src/Engine/Store/Store.ts"
import * as Engine from "../src/Engine.ts"

/** A folder that goes with the scope. */
export const tempDir: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "t-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Temporary files of this process go to a folder of their own, for as long as the scope is open; gives it. */
export const temporaryFolder = Effect.flatMap(tempDir, (folder) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env.TMPDIR
      process.env.TMPDIR = folder
      return before
    }),
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env.TMPDIR
        else process.env.TMPDIR = before
      })
  ).pipe(Effect.as(folder))
)

/** The clock of this machine, for tests that otherwise have one that is set by hand. */
export const liveClock = Layer.setClock(Clock.make())

/** Response of a site for a path: HTML, or status, headers and body. */
export type Answer =
  | string
  | {
      readonly status?: number
      readonly headers?: Http.OutgoingHttpHeaders
      readonly body?: string | Uint8Array
      /** Milliseconds. */
      readonly delay?: number
      /** It is sent when this is done. */
      readonly behind?: Promise<unknown>
    }

export interface Site {
  readonly url: string
  /** `127.0.0.1:port`. */
  readonly origin: string
  /** Paths asked for, in order, robots.txt and sitemaps included. */
  readonly requests: ReadonlyArray<string>
}

/** A web site on loopback; what it doesn't know is 404. */
export const site = (answer: (path: string) => Answer | undefined): Effect.Effect<Site, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Http.Server; readonly site: Site }>((resume) => {
      const requests: Array<string> = []
      const server = Http.createServer((request, response) => {
        const path = request.url ?? "/"
        requests.push(path)
        const found = answer(path)
        const {
          status = 200,
          headers = {},
          body = "",
          behind,
          delay = 0
        } = found === undefined
          ? { status: 404, body: "Not here" }
          : typeof found === "string"
            ? { body: found }
            : found
        const send = () =>
          response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body)
        if (behind !== undefined) void behind.then(send)
        else if (delay > 0) setTimeout(send, delay)
        else send()
      })
      server.listen(0, "127.0.0.1", () => {
        const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
        resume(Effect.succeed({ server, site: { url: `http://${origin}`, origin, requests } }))
      })
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map(({ site }) => site))

/** A page with a title, a paragraph and links. */
export const page = (
  title: string,
  links: ReadonlyArray<string> = [],
  text = `All there is to know about ${title}.`
): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p><ul>${links
    .map((href) => `<li><a href="${href}">${href}</a></li>`)
    .join("")}</ul></main></body></html>`

/** Two teams, one with two keys. */
export const keys = {
  first: `fc-${"a".repeat(32)}`,
  second: `fc-${"b".repeat(32)}`,
  stranger: `fc-${"c".repeat(32)}`
}

/** A response: its status, its headers, and its body as JSON if it is JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

export interface Caller {
  readonly baseUrl: string
  readonly get: (path: string, headers?: Record<string, string>) => Effect.Effect<Reply>
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Effect.Effect<Reply>
  readonly del: (path: string) => Effect.Effect<Reply>
  readonly send: (path: string, init: RequestInit) => Effect.Effect<Reply>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls an engine as a stranger's program would: plain HTTP with a key. */
export const caller = (baseUrl: string, key: string): Caller => {
  const send = (path: string, init: RequestInit) =>
    Effect.promise(async () => {
      const headers = { authorization: `Bearer ${key}`, ...init.headers }
      const response = await fetch(new URL(path, baseUrl), { ...init, headers })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: parse(text) }
    })
  return {
    baseUrl,
    send,
    get: (path, headers = {}) => send(path, { headers }),
    del: (path) => send(path, { method: "DELETE" }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      })
  }
}

/** The file of an empty store. Made once for each process of tests: its tables take a third of an engine's start. */
const emptyStore = Effect.runSync(
  Effect.cached(
    Effect.flatMap(tempDir, (folder) =>
      Sql.pipe(
        Effect.flatMap((sql) => sql`PRAGMA wal_checkpoint(TRUNCATE)`),
        Effect.provide(Store.layer(folder)),
        Effect.provide(NodeContext.layer),
        Effect.zipRight(Effect.sync(() => readFileSync(join(folder, "engine.db"))))
      )
    ).pipe(Effect.scoped, Effect.withClock(Clock.make()), Effect.orDie)
  )
)

/** A data folder for an engine that has not run yet. */
const freshDataDir = Effect.tap(tempDir, (folder) =>
  Effect.map(emptyStore, (bytes) => writeFileSync(join(folder, "engine.db"), bytes))
)

/** An engine that may visit loopback. Its clock is the real one, whatever clock the test has: its sites are real. */
export const engine = (options: Partial<Engine.Options> = {}) =>
  Effect.gen(function* () {
    const dataDir = options.dataDir ?? (yield* freshDataDir)
    return yield* Engine.start({
      allowNetworks: ["127.0.0.0/8"],
      keys: Redacted.make(`default/first:${keys.first},default/second:${keys.second},others/stranger:${keys.stranger}`),
      ...options,
      dataDir
    })
  }).pipe(Effect.withClock(Clock.make()), Effect.orDie)

/** The engine that a file of tests shares. */
export class Local extends Context.Tag("sluice/test/Local")<
  Local,
  {
    readonly engine: Engine.Engine
    readonly baseUrl: string
    readonly key: Redacted.Redacted
    /** With the first team's first key. */
    readonly call: Caller
    /** With the other team's key. */
    readonly stranger: Caller
  }
>() {}

export const layer: Layer.Layer<Local> = Layer.scoped(
  Local,
  Effect.map(engine({ browserSessions: 0 }), (engine) => ({
    engine,
    baseUrl: engine.baseUrl,
    key: engine.key,
    call: caller(engine.baseUrl, keys.first),
    stranger: caller(engine.baseUrl, keys.stranger)
  }))
)

/** Reads a job to its end by following `next`; gives the last status and every document. */
export const drain = (
  call: Caller,
  path: string
): Effect.Effect<{ readonly last: Reply["json"]; readonly data: Array<Reply["json"]> }> =>
  Effect.gen(function* () {
    const data: Array<Reply["json"]> = []
    let reply = yield* call.get(path)
    data.push(...(reply.json.data ?? []))
    while (typeof reply.json.next === "string") {
      reply = yield* call.get(reply.json.next)
      data.push(...(reply.json.data ?? []))
    }
    return { last: reply.json, data }
  })

/** The status of a job once it has ended. */
export const ended = (call: Caller, path: string): Effect.Effect<Reply["json"]> =>
  Effect.flatMap(call.get(path), ({ json }) =>
    json.status === "scraping"
      ? Effect.zipRight(
          Effect.promise(() => new Promise(setImmediate)),
          ended(call, path)
        )
      : Effect.succeed(json)
  )
