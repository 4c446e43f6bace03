import * as Net from "node:net"
import { inspect } from "node:util"
import * as Zlib from "node:zlib"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { Browser } from "../../src/Client/Browser.ts"
import type { ClientError, JobFailed } from "../../src/Client/ClientErrors.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { Search } from "../../src/Client/Search.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import * as Client from "../../src/Client.ts"
import * as Settings from "../../src/Settings.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { serve } from "./Server.ts"

const key = "fc-00000000000000000000000000sentinel"
const periods = { success: true, periods: [] }
const usage = Effect.flatMap(TokenUsage, (service) => service.historical())
const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"

const connect = (baseUrl: string, options: Partial<Connection.Options> = {}) =>
  Client.layer.pipe(
    Layer.provide(Connection.layer({ baseUrl, apiKey: Redacted.make(key), ...options })),
    Layer.provide(Layer.succeed(Retry.RetryPolicy, Retry.never))
  )

const fails = <A>(
  call: Effect.Effect<A, ClientError, Client.Client>,
  url: string,
  options?: Partial<Connection.Options>
): Effect.Effect<ClientError, A> => Effect.provide(Effect.flip(call), Layer.orDie(connect(url, options)))

/** A port where nothing listens: one that was free a moment ago. */
const deadPort = Effect.async<number>((resume) => {
  const server = Net.createServer()
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as Net.AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

describe("a request", () => {
  scoped("carries the key, the user agent and the prefix of the base URL", function* () {
    const server = yield* serve(() => ({ body: periods }))
    for (const base of [server.url, `${server.url}/`, `${server.url}/behind/gateway/`]) {
      yield* Effect.provide(usage, connect(base))
    }
    expect(server.asked.map(({ path }) => path)).toEqual([
      "/v2/team/token-usage/historical?byApiKey=false",
      "/v2/team/token-usage/historical?byApiKey=false",
      "/behind/gateway/v2/team/token-usage/historical?byApiKey=false"
    ])
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(server.asked[0]?.headers["user-agent"]).toMatch(/^sluice\/\d+\.\d+\.\d+$/)
  })

  scoped("goes without a header when there is no key, and the refusal says what to set", function* () {
    const server = yield* serve(() => ({
      status: 401,
      body: { success: false, error: "Unauthorized: Token missing" }
    }))
    const error = yield* fails(usage, server.url, { apiKey: undefined })
    expect(server.asked[0]?.headers.authorization).toBeUndefined()
    expect(error._tag).toBe("Unauthorized")
    expect(error.message).toContain("SLUICE_API_KEY")
  })

  scoped("reads compressed answers", function* () {
    const bodies = {
      gzip: Zlib.gzipSync(JSON.stringify(periods)),
      br: Zlib.brotliCompressSync(JSON.stringify(periods))
    }
    for (const [encoding, body] of Object.entries(bodies)) {
      const server = yield* serve(() => ({ headers: { "content-encoding": encoding }, body }))
      expect(yield* Effect.provide(usage, connect(server.url))).toEqual(periods)
      expect(server.asked[0]?.headers["accept-encoding"]).toContain(encoding)
    }
  })

  scoped("keeps unknown fields of the answer and the order of its keys", function* () {
    const body = {
      zebra: 1,
      success: true,
      data: { web: [{ z: 1, url: "u", title: "t", a: { deep: [1] } }], other: 2 }
    }
    const server = yield* serve(() => ({ body }))
    const search = Effect.flatMap(Search, (service) => service.run({ query: "etl" }))
    const answer = yield* Effect.provide(search, connect(server.url))
    expect(JSON.stringify(answer)).toBe(JSON.stringify(body))
  })
})

describe("what goes wrong", () => {
  scoped("nothing listens there", function* () {
    const error = yield* fails(usage, `http://127.0.0.1:${yield* deadPort}`)
    expect(error).toMatchObject({ _tag: "NetworkError", sent: false, retryable: true })
    expect(error.message).toContain("nothing listens there")
    expect(error.message).toContain("SLUICE_BASE_URL")
  })

  scoped("no such host", function* () {
    const error = yield* fails(usage, "http://service.invalid")
    expect(error).toMatchObject({ _tag: "NetworkError", sent: false })
  })

  scoped("TLS spoken to a server that speaks plain HTTP", function* () {
    const server = yield* serve(() => ({ body: periods }))
    const error = yield* fails(usage, server.url.replace("http:", "https:"))
    expect(error).toMatchObject({ _tag: "NetworkError", retryable: false })
    expect(error.message).toContain("TLS")
  })

  scoped("a cut body, wherever it is cut", function* () {
    for (const cutAfter of [0, 1, 10, 20]) {
      const server = yield* serve(() => ({ body: periods, cutAfter }))
      expect(yield* fails(usage, server.url)).toMatchObject({ _tag: "NetworkError", sent: true, retryable: true })
    }
    const mute = yield* serve(() => undefined)
    expect(yield* fails(usage, mute.url)).toMatchObject({ _tag: "NetworkError", sent: true })
  })

  scoped("JSON that ends early although the connection says it is whole", function* () {
    const server = yield* serve(() => ({ body: '{"success":true,"periods":[{"startDate":"2026-0' }))
    const error = yield* fails(usage, server.url)
    expect(error).toMatchObject({ _tag: "NetworkError", retryable: true })
  })

  scoped("HTML where JSON should be: the base URL is that of another server", function* () {
    const server = yield* serve(() => ({ body: "<!doctype html><title>Welcome to nginx!</title>" }))
    const error = yield* fails(usage, server.url)
    expect(error).toMatchObject({ _tag: "UnexpectedResponse", status: 200, excerpt: "Welcome to nginx!" })
    expect(error.message).toContain("Check the base URL: it must be the address of the service")
  })

  scoped("JSON of another shape, with where it differs", function* () {
    const server = yield* serve(() => ({ body: { success: true, periods: [{ startDate: 5 }] } }))
    const error = yield* fails(usage, server.url)
    expect(error).toMatchObject({ _tag: "UnexpectedResponse", status: 200 })
    expect(error.message).toContain("periods.0.startDate")
    expect(error.message).toContain("startDate")
  })

  scoped("a 2xx that the contract does not know", function* () {
    const server = yield* serve(() => ({ status: 202, body: {} }))
    expect(yield* fails(usage, server.url)).toMatchObject({ _tag: "UnexpectedResponse", status: 202 })
  })

  it.live("no answer in time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const silent = yield* Effect.acquireRelease(
          Effect.async<Net.Server>((resume) => {
            const server = Net.createServer(() => {})
            server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const { port } = silent.address() as Net.AddressInfo
        const error = yield* fails(usage, `http://127.0.0.1:${port}`, { timeout: "50 millis" })
        expect(error).toMatchObject({ _tag: "NetworkError", sent: true })
        expect(error.message).toContain("nothing came within 50ms")
      })
    )
  )

  scoped("an interrupted call closes its connection", function* () {
    const closed = yield* Effect.makeLatch(false)
    const arrived = yield* Effect.makeLatch(false)
    const server = yield* Effect.acquireRelease(
      Effect.async<Net.Server>((resume) => {
        const server = Net.createServer((socket) => {
          socket.on("data", () => Effect.runSync(arrived.open))
          socket.on("error", () => {})
          socket.on("close", () => Effect.runSync(closed.open))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    )
    const { port } = server.address() as Net.AddressInfo
    const fiber = yield* Effect.fork(Effect.provide(usage, connect(`http://127.0.0.1:${port}`)))
    yield* arrived.await
    yield* Fiber.interrupt(fiber)
    yield* closed.await
  })

  it.effect.each([
    ["nonsense", "not an absolute address"],
    ["ftp://host", "neither http nor https"],
    ["https://me:secret@host", "user name or a password"],
    ["https://host/?key=1", "query or fragment"],
    ["https://host/v1", "it ends in /v1, which every call adds itself: leave /v1 out"],
    ["https://host/api/v2/", "it ends in /v2"]
  ])("a base URL like %s", function* ([baseUrl, reason]) {
    const error = yield* Effect.flip(Layer.build(Connection.layer({ baseUrl: baseUrl ?? "" })).pipe(Effect.scoped))
    expect(error._tag).toBe("InvalidBaseUrl")
    expect(error.message).toContain(reason)
    expect(error.message).not.toContain("secret")
  })
})

describe("a key that the service sends back", () => {
  const odd: ReadonlyArray<readonly [string, (authorization: string) => unknown]> = [
    ["in an undocumented object", (said) => ({ success: said, periods: said, status: { said } })],
    ["in a list", (said) => [said]],
    ["in a text", (said) => `"${said}"`],
    ["behind much else", (said) => ({ status: 7, more: "x".repeat(170), said })],
    ["as the reason of a failed job", (said) => ({ success: true, status: "failed", error: said, data: [] })],
    ["in a next that leads elsewhere", (said) => ({ status: "scraping", next: `https://x.example/?${said}`, data: [] })]
  ]
  it.scoped.each(odd)("is not shown: %s", function* ([, body]) {
    const server = yield* serve(({ headers }) => ({ body: body(String(headers.authorization)) }))
    const stream = Effect.flatMap(Crawl, (service) => Stream.runDrain(service.stream(id)))
    const calls: ReadonlyArray<Effect.Effect<unknown, ClientError | JobFailed, Client.Client>> = [usage, stream]
    for (const call of calls) {
      const error = yield* Effect.provide(Effect.flip(call), Layer.orDie(connect(server.url)))
      expect(`${error.message} ${inspect(error, { depth: 10 })}`).not.toContain("fc-0000")
    }
  })
})

describe("before anything is sent", () => {
  scoped("every fault of a request is named", function* () {
    const server = yield* serve(() => ({ body: {} }))
    const bad = Effect.flatMap(Search, (service) =>
      service.run({ query: "", limit: 1000, tbs: "yesterday", includeDomains: ["https://a.example/x"] })
    )
    const error = yield* fails(bad, server.url)
    const paths = error._tag === "InvalidRequest" ? error.details.map(({ path }) => path) : []
    expect([...new Set(paths)].sort()).toEqual(["includeDomains.0", "limit", "query", "tbs"])
    expect(error).toMatchObject({ method: "POST", url: `${server.url}/v2/search` })
    expect(server.asked).toEqual([])
  })

  scoped("ids that are none are refused", function* () {
    const server = yield* serve(() => ({ body: {} }))
    const crawl = Effect.flatMap(Crawl, (service) => service.status("../../admin"))
    expect(yield* fails(crawl, server.url)).toMatchObject({ _tag: "InvalidRequest" })
    for (const id of ["", ".", ".."]) {
      const browser = Effect.flatMap(Browser, (service) => service.delete(id))
      expect(yield* fails(browser, server.url)).toMatchObject({ _tag: "InvalidRequest" })
    }
    expect(server.asked).toEqual([])
  })
})

describe("redirects", () => {
  scoped("are followed within the origin, and only for GET", function* () {
    const server = yield* serve(({ path }) =>
      path.startsWith("/new/") ? { body: periods } : { status: 307, headers: { location: `/new${path}` } }
    )
    expect(yield* Effect.provide(usage, connect(server.url))).toEqual(periods)
    const search = Effect.flatMap(Search, (service) => service.run({ query: "etl" }))
    expect(yield* fails(search, server.url)).toMatchObject({ _tag: "UnexpectedResponse", status: 307 })
  })

  scoped("that go round and round come to an end", function* () {
    const server = yield* serve(({ path }) => ({ status: 302, headers: { location: path } }))
    expect(yield* fails(usage, server.url)).toMatchObject({ _tag: "UnexpectedResponse", status: 302 })
    expect(server.asked).toHaveLength(6)
  })

  scoped("to another origin are refused, and the key does not go there", function* () {
    const stranger = yield* serve(() => ({ body: periods }))
    const server = yield* serve(() => ({ status: 302, headers: { location: `${stranger.url}/v2/x` } }))
    const error = yield* fails(usage, server.url)
    expect(error).toMatchObject({ _tag: "CrossOrigin", target: stranger.url })
    expect(stranger.asked).toEqual([])
  })

  scoped("stay in our hands with a client that follows them by itself", function* () {
    const stranger = yield* serve(() => ({ body: periods }))
    const server = yield* serve(() => ({ status: 302, headers: { location: `${stranger.url}/v2/x` } }))
    const layer = TokenUsage.Default.pipe(
      Layer.provide(Connection.layerHttpClient({ baseUrl: server.url, apiKey: Redacted.make(key) })),
      Layer.provide(FetchHttpClient.layer)
    )
    const error = yield* Effect.flip(Effect.provide(usage, layer))
    expect(error._tag).toBe("CrossOrigin")
    expect(stranger.asked).toEqual([])
  })
})

describe("the key", () => {
  it.scoped("is in no error, log, span or rendering, even when the service repeats it", () => {
    const seen: Array<string> = []
    const logger = Logger.make(({ message, annotations, cause }) => {
      seen.push(inspect([message, [...annotations], Cause.pretty(cause)], { depth: 10 }))
    })
    const tracer = Tracer.make({
      span: (name, parent, context, links, startTime, kind) => {
        const attributes = new Map<string, unknown>()
        return {
          _tag: "Span",
          name,
          spanId: "1",
          traceId: "2",
          parent,
          context,
          links,
          kind,
          sampled: true,
          attributes,
          status: { _tag: "Started", startTime },
          attribute: (name, value) => void seen.push(inspect([name, value], { depth: 10 })),
          event: (name) => void seen.push(name),
          addLinks: () => {},
          end: (_, exit) => void seen.push(inspect(exit, { depth: 20 }))
        }
      },
      context: (run) => run()
    })
    return Effect.gen(function* () {
      const echo = (status: number) =>
        serve(({ headers }) => ({
          status,
          body: {
            success: false,
            error: `key ${headers.authorization} refused`,
            details: { key: headers.authorization }
          }
        }))
      const html = yield* serve(({ headers }) => ({ body: `<p>${headers.authorization}</p>` }))
      const cut = yield* serve(() => ({ body: periods, cutAfter: 3 }))
      const urls = [html.url, cut.url, `http://127.0.0.1:${yield* deadPort}`]
      for (const status of [400, 401, 404, 429, 500, 418]) urls.push((yield* echo(status)).url)
      for (const url of urls) {
        const exit = yield* Effect.exit(Effect.tapErrorCause(usage, (cause) => Effect.logError("failed", cause))).pipe(
          Effect.provide(connect(url))
        )
        seen.push(inspect(exit, { depth: 20 }), JSON.stringify(exit), String(exit))
        const cause = exit._tag === "Failure" ? exit.cause : Cause.empty
        seen.push(Cause.pretty(cause, { renderErrorCause: true }), inspect(Cause.squash(cause), { showHidden: true }))
      }
      expect(seen.length).toBeGreaterThan(30)
      expect(seen.filter((text) => text.includes("sentinel"))).toEqual([])
    }).pipe(Effect.withTracer(tracer), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  scoped("with a line break is refused without being shown", function* () {
    const server = yield* serve(() => ({ body: periods }))
    const error = yield* fails(usage, server.url, { apiKey: Redacted.make(`${key}\nx`) })
    expect(error._tag).toBe("NetworkError")
    expect(inspect(error, { depth: 10 })).not.toContain("sentinel")
    expect(error.message).toContain("line break")
  })
})

describe("a connection from the settings", () => {
  const read = (entries: Record<string, string>) =>
    Layer.provide(Settings.layer, Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(entries)))))

  scoped("uses SLUICE_BASE_URL and SLUICE_API_KEY", function* () {
    const server = yield* serve(() => ({ body: periods }))
    const layer = Client.layer.pipe(
      Layer.provide(Connection.layerSettings),
      Layer.provide(read({ SLUICE_BASE_URL: server.url, SLUICE_API_KEY: key }))
    )
    yield* Effect.provide(usage, layer)
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  scoped("says when no service is set", function* () {
    const built = yield* Effect.either(Effect.scoped(Layer.build(Layer.provide(Connection.layerSettings, read({})))))
    expect(Either.isLeft(built) && built.left.message).toContain("none is set")
  })
})

describe("an unknown job and an expired one", () => {
  scoped("are distinguished", function* () {
    const server = yield* serve(({ path }) => ({
      status: 404,
      body: { success: false, error: path.startsWith("/v1") ? "Job expired" : "Job not found" }
    }))
    const status = (version: "v1" | "v2") => Effect.flatMap(Crawl, (service) => service.status(id, { version }))
    expect((yield* fails(status("v2"), server.url))._tag).toBe("JobNotFound")
    expect((yield* fails(status("v1"), server.url))._tag).toBe("JobExpired")
  })
})
