/** Limits of pipelined requests: in all, of unread bytes, in one turn of the event loop, and on each server of Sluice. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HealthServer from "../../../src/Cli/Schedule/HealthServer.ts"
import * as McpHttp from "../../../src/Mcp/Http.ts"
import * as Site from "../../Dashboard/Site.ts"
import { describe, expect, it } from "../../It.ts"
import { engine, keys, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { countOf, get, listening, sent, until } from "./RawRequests.ts"

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, n) => n)

describe("the limit of all connections together", () => {
  it.scopedLive("leaves each connection one request beyond it, and all are answered in their order", function* () {
    const [limit, connections, each] = [64, 40, 30] as const
    const waiting: Array<() => void> = []
    let running = 0
    let most = 0
    const ofConnection = new Map<Socket, number>()
    const { port } = yield* listening(({ socket, url }, response) => {
      const add = (count: number) => ofConnection.set(socket, (ofConnection.get(socket) ?? 0) + count)
      running += 1
      add(1)
      most = Math.max(most, running)
      waiting.push(() => response.end(`(${url})`))
      response.once("close", () => {
        running -= 1
        add(-1)
      })
    }, limit)
    const text = numbers(each)
      .map((n) => get(`/${n}`))
      .join("")
    const clients = yield* Effect.fork(
      Effect.all(
        numbers(connections).map(() => sent(port, [text], (said) => said.endsWith(`(/${each - 1})`))),
        { concurrency: "unbounded" }
      )
    )
    // No connection is left without a request.
    yield* until(() => running >= limit && ofConnection.size === connections)
    expect(Math.min(...ofConnection.values())).toBe(1)
    expect(Math.max(...ofConnection.values())).toBe(16)
    const timer = setInterval(() => {
      for (const answer of waiting.splice(0)) answer()
    })
    const all = yield* clients
    clearInterval(timer)
    for (const said of all) expect([...said.matchAll(/\(\/(\d+)\)/g)].map(([, n]) => Number(n))).toEqual(numbers(each))
    expect(most).toBeLessThan(limit + connections)
  })
})

describe("a connection with as many unanswered requests as it may have", () => {
  it.scopedLive("is not read beyond some kilobytes, and is read on when they are answered", function* () {
    const waiting: Array<() => void> = []
    const sockets: Array<Socket> = []
    let isHeld = true
    let answered = 0
    const { port, server } = yield* listening((_, response) => {
      const answer = () => {
        answered += 1
        response.end()
      }
      if (isHeld) waiting.push(answer)
      else answer()
    })
    server.on("connection", (socket) => sockets.push(socket))
    // More than the buffers of the system for a connection take.
    const client = connect(port, "127.0.0.1").on("error", () => undefined)
    const count = 2_000
    client.write(get("/", `x-fill: ${"x".repeat(12_000)}`).repeat(count))
    client.resume()
    yield* until(() => waiting.length === 16)
    yield* until(() => sockets[0]?.isPaused() === true)
    // A read that has begun still ends.
    let read = -1
    yield* until(() => {
      const before = read
      read = sockets[0]?.bytesRead ?? Number.NaN
      return read === before
    })
    expect(read).toBeLessThan(16 * 12_100 + 200_000)
    expect(client.writableLength).toBeGreaterThan(0)
    expect(waiting).toHaveLength(16)
    isHeld = false
    for (const answer of waiting) answer()
    yield* until(() => answered === count)
    expect(client.writableLength).toBe(0)
    client.destroy()
  })
})

describe("a turn of the event loop", () => {
  it.scopedLive("begins eight requests, of connections that wait for answers before pipelined ones", function* () {
    const turns: Array<number> = [0]
    let pipelined = 0
    const { port } = yield* listening(({ url }, response) => {
      if (turns.at(-1) === 0) setImmediate(() => turns.push(0))
      turns.push((turns.pop() ?? 0) + 1)
      if (url === "/single") {
        response.end(`(after ${pipelined})`)
        return
      }
      pipelined += 1
      setImmediate(() => response.end())
    })
    const clients = numbers(100).map(() => connect(port, "127.0.0.1").resume())
    for (const client of clients) client.write(get("/").repeat(200))
    yield* until(() => pipelined > 500)
    const said = yield* sent(port, [get("/single", "connection: close")])
    expect(said).toMatch(/\(after \d+\)/)
    // Long before the last of 20,000 that came earlier.
    expect(Number(/\(after (\d+)\)/.exec(said)?.[1])).toBeLessThan(10_000)
    yield* until(() => pipelined === 20_000)
    // A turn of this test may span the end of one turn of the server and the beginning of the next.
    expect(Math.max(...turns)).toBeLessThanOrEqual(16)
    for (const client of clients) client.destroy()
  })
})

describe("a connection that is closed", () => {
  it.scopedLive.skipIf(skipsLong)("ends the engine's work on its requests: the site's connections close", function* () {
    let running = 0
    let isHeld = true
    const server = createServer((request, response) => {
      if (request.url?.startsWith("/page") !== true) return response.writeHead(404).end()
      running += 1
      response.once("close", () => {
        running -= 1
      })
      return isHeld ? undefined : response.writeHead(200, { "content-type": "text/plain" }).end("here")
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`
    const { baseUrl } = yield* engine({ browserSessions: 0 })
    const scrape = (n: number, ...headers: ReadonlyArray<string>) => {
      const body = JSON.stringify({ url: `${url}/${n}`, maxAge: 0, timeout: 120_000 })
      const head = ["content-type: application/json", `content-length: ${body.length}`, ...headers]
      return `${get("/v2/scrape", `authorization: Bearer ${keys.first}`, ...head).replace("GET", "POST")}${body}`
    }
    const port = Number(new URL(baseUrl).port)
    const client = connect(port, "127.0.0.1")
    client.write(
      numbers(40)
        .map((n) => scrape(n))
        .join("")
    )
    // The site answers none of them.
    yield* until(() => running > 0)
    client.destroy()
    yield* until(() => running === 0)
    isHeld = false
    const said = yield* sent(port, [scrape(100, "connection: close")])
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
    expect(running).toBe(0)
  })
})

/** Most requests of a connection of this port that are not answered, while the scope is open. */
const mostOf = (port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const running = new Map<Socket, number>()
      const seen = { most: 0 }
      const count = (message: unknown) => {
        const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
        const { socket } = request
        if (socket.localPort !== port) return
        const add = (change: number) => {
          const now = (running.get(socket) ?? 0) + change
          running.set(socket, now)
          seen.most = Math.max(seen.most, now)
        }
        add(1)
        response.once("close", () => add(-1))
      }
      subscribe("http.server.request.start", count)
      return { seen, count }
    }),
    ({ count }) => Effect.sync(() => unsubscribe("http.server.request.start", count))
  ).pipe(Effect.map(({ seen }) => seen))

const key = "a-key-of-the-test"

/** Each server, and two requests whose answers differ. */
const servers = {
  engine: {
    start: Effect.map(engine({ browserSessions: 0 }), ({ baseUrl }) => Number(new URL(baseUrl).port)),
    requests: [
      [get("/health"), 200],
      [get("/nothing"), 404]
    ]
  },
  dashboard: {
    start: Effect.gen(function* () {
      const folder = yield* tempDir
      return Number(new URL((yield* Site.open(folder, folder)).baseUrl).port)
    }),
    requests: [
      [get("/icon.svg"), 200],
      [get("/api/about"), 401]
    ]
  },
  "mcp --http": {
    start: Effect.map(
      McpHttp.serve(
        () => {
          throw new Error("no session is opened")
        },
        { port: 0, key: Redacted.make(key) }
      ),
      ({ url }) => Number(new URL(url).port)
    ),
    requests: [
      [get("/other", `authorization: Bearer ${key}`), 404],
      [get("/mcp"), 401]
    ]
  },
  "health port": {
    start: HealthServer.serve({ host: "127.0.0.1", port: 0 }, Effect.succeed(undefined)),
    requests: [
      [get("/health"), 503],
      [get("/nothing"), 404]
    ]
  }
} as const

describe("2,000 pipelined requests on one connection", () => {
  for (const [name, { requests, start }] of Object.entries(servers)) {
    it.scopedLive.skipIf(skipsLong)(
      `are answered in their order, at most 16 of them at once: ${name}`,
      NodeContext.layer,
      function* () {
        const count = 2_000
        const port = yield* start
        // A loopback server answers to its address with a port.
        const chosen = numbers(count).map((n) => requests[(n * n + (n >> 3)) % 3 === 0 ? 0 : 1])
        const text = chosen.map(([request]) => request.replace("host: localhost", `host: localhost:${port}`)).join("")
        const seen = yield* mostOf(port)
        const said = yield* sent(port, [text], (said) => countOf(said, "HTTP/1.1 ") === count)
        expect([...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))).toEqual(
          chosen.map(([, status]) => status)
        )
        expect(seen.most).toBeGreaterThan(1)
        expect(seen.most).toBeLessThanOrEqual(16)
        const [request, status] = requests[0]
        const later = request.replace("host: localhost", `host: localhost:${port}\r\nconnection: close`)
        expect(yield* sent(port, [later])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      }
    )
  }
})
