/** The server behind all doors: early connections, pipelined requests, closed connections, host names. */

import type { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as HealthServer from "../../../src/Cli/Schedule/HealthServer.ts"
import * as Dashboard from "../../../src/Dashboard.ts"
import { describe, expect, it } from "../../It.ts"
import { engine } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { countOf, get, listening, sent, until } from "./RawRequests.ts"

describe("pipelined requests", () => {
  it.scopedLive.skipIf(skipsLong)(
    "at most 16 of a connection are unanswered, and all are answered in their order",
    function* () {
      const waiting: Array<() => void> = []
      let most = 0
      const { port } = yield* listening(({ url }, response) => {
        waiting.push(() => response.end(`(${url})`))
        most = Math.max(most, waiting.length)
      })
      const count = 5_000
      const text = Array.from({ length: count }, (_, at) => get(`/${at}`)).join("")
      const answers = yield* Effect.fork(sent(port, [text], (said) => said.endsWith(`(/${count - 1})`)))
      yield* until(() => waiting.length === 16)
      yield* Effect.sleep(50)
      expect(waiting).toHaveLength(16)
      const timer = setInterval(() => {
        // Not in their order.
        for (const answer of waiting.splice(0).toReversed()) answer()
      })
      const said = yield* answers
      clearInterval(timer)
      expect(most).toBe(16)
      expect([...said.matchAll(/\(\/(\d+)\)/g)].map(([, at]) => Number(at))).toEqual(
        Array.from({ length: count }, (_, at) => at)
      )
    }
  )

  it.scopedLive("the limit holds where the end of a request's head arrives in parts", function* () {
    for (const cut of [1, 2, 3]) {
      let running = 0
      const { port } = yield* listening(() => {
        running += 1
      })
      const post = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 20000\r\n\r\n"
      const socket = connect(port, "127.0.0.1")
      socket.setNoDelay(true)
      socket.write(post.slice(0, -cut))
      yield* Effect.sleep(50)
      socket.write(post.slice(-cut) + "x".repeat(20_000) + get("/").repeat(1_000))
      yield* until(() => running >= 16)
      yield* Effect.sleep(50)
      expect(running).toBe(16)
      socket.destroy()
    }
  })

  it.scopedLive(
    "bodies arrive as they were sent, however they are framed and cut, also beyond the limit",
    function* () {
      const bodies: Array<string> = []
      const { port } = yield* listening((request, response) => {
        let body = ""
        request.on("data", (bytes) => {
          body += bytes.toString("latin1")
        })
        request.on("end", () => {
          bodies.push(body)
          setTimeout(() => response.end("done"), 2)
        })
      })
      const parts = ["", "x", "\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\r\n\r\n".repeat(3_000), "y".repeat(200_000), "\n\n"]
      const expected = Array.from({ length: 60 }, (_, at) => parts[at % parts.length] as string)
      const text = expected
        .map((body, at) =>
          at % 2 === 0 || body === ""
            ? `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`
            : `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        )
        .join("")
      const pieces: Array<Buffer> = []
      const bytes = Buffer.from(text, "latin1")
      for (let at = 0, step = 1; at < bytes.length; at += step, step = ((step * 7) % 70_001) + 1) {
        pieces.push(bytes.subarray(at, at + step))
      }
      yield* sent(port, pieces, (said) => countOf(said, "done") === expected.length)
      expect(bodies).toEqual(expected)
    }
  )

  it.scopedLive(
    "one with a body that is not read holds up no other connection, and goes on when it is read",
    function* () {
      let read: (() => void) | undefined
      const { port } = yield* listening((request, response) => {
        const answer = () => request.resume().on("end", () => response.end("done"))
        if (request.url === "/slow") read = answer
        else answer()
      })
      const body = "z".repeat(1_000_000)
      const slow = `POST /slow HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      const answers = yield* Effect.fork(sent(port, [slow + get("/")], (said) => countOf(said, "done") === 2))
      yield* until(() => read !== undefined)
      expect(yield* sent(port, [get("/", "connection: close")])).toContain("done")
      read?.()
      yield* answers
    }
  )

  it.scopedLive("all of a closed connection end at once, also those that wait for an earlier answer", function* () {
    let running = 0
    const { port } = yield* listening((_, response) => {
      running += 1
      response.once("close", () => {
        running -= 1
      })
    })
    const client = connect(port, "127.0.0.1")
    client.write(get("/").repeat(100))
    yield* until(() => running === 16)
    client.destroy()
    yield* until(() => running === 0)
    yield* Effect.sleep(50)
    expect(running).toBe(0)
  })

  it.scopedLive("what follows an upgrade goes to its listener, with all bytes", function* () {
    const { port, server } = yield* listening((_, response) => response.end("ok"))
    server.on("upgrade", (_: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${head.toString()}`)
    })
    const said = yield* sent(port, [`${get("/", "connection: upgrade", "upgrade: echo")}one\n\r\ntwo\n\nthree`])
    expect(said).toBe("HTTP/1.1 101 Switching Protocols\r\n\r\none\n\r\ntwo\n\nthree")
  })
})

describe("a connection that comes before the server is ready", () => {
  it.scopedLive("waits and is answered", function* () {
    const { open, port, server } = yield* listening()
    const early = yield* Effect.fork(sent(port, [get("/early", "connection: close")]))
    yield* Effect.promise(() => new Promise((resolve) => server.once("connection", resolve)))
    yield* Effect.sleep(20)
    server.on("request", ({ url }, response) => response.end(`(${url})`))
    open()
    expect(yield* early).toContain("(/early)")
    expect(yield* sent(port, [get("/late", "connection: close")])).toContain("(/late)")
  })

  it.scopedLive.skipIf(skipsLong)("is answered by an engine that was not ready", function* () {
    for (let at = 0; at < 3; at++) {
      const port = yield* Effect.scoped(Effect.map(listening(), (free) => free.port))
      const request = sent(port, [get("/health", "connection: close")])
      // From before the start on, without a pause.
      const early = yield* Effect.fork(Effect.repeat(request, { until: (said) => said !== "" }))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* engine({ port })
          expect(yield* early).toMatch(/^HTTP\/1\.1 200 /)
        })
      )
    }
  })

  it.scopedLive("is closed when the server closes before, and its errors end nothing", function* () {
    const { abandon, port, server } = yield* listening()
    const gone = connect(port, "127.0.0.1", () => gone.write(get("/"), () => gone.resetAndDestroy()))
    gone.on("error", () => undefined)
    const early = yield* Effect.fork(sent(port, [get("/")]))
    yield* Effect.promise(() => new Promise((resolve) => server.once("connection", resolve)))
    yield* Effect.sleep(20)
    abandon()
    expect(yield* early).toBe("")
  })

  it.scopedLive("is answered by the server of dashboard and MCP, whose port is known before its pages", function* () {
    const server = yield* Dashboard.listen("the dashboard", "127.0.0.1", 0)
    const port = server.address._tag === "TcpAddress" ? server.address.port : 0
    const early = yield* Effect.fork(sent(port, [get("/", "connection: close")]))
    yield* Effect.sleep(50)
    const { text } = yield* Effect.promise(() => import("@effect/platform/HttpServerResponse"))
    yield* server.serve(Effect.succeed(text("here")))
    expect(yield* early).toContain("here")
  })
})

describe("a request that names no host or several", () => {
  const wrong = [
    ["two", "host: localhost\r\nhost: other"],
    ["the same twice", "host: localhost\r\nHost: localhost"],
    ["a list", "host: localhost, other"],
    ["none", "accept: a"],
    ["a path", "host: localhost/x"]
  ] as const
  const [request, upgrade] = ["", "connection: upgrade\r\nupgrade: websocket\r\n"].map(
    (more) => (host: string) => `GET /health HTTP/1.1\r\n${more}${host}\r\n\r\n`
  ) as [(host: string) => string, (host: string) => string]

  it.scopedLive(
    "is answered 400 by the engine and by the health port, also with an offer of another protocol",
    function* () {
      const { baseUrl } = yield* engine()
      const health = yield* HealthServer.serve({ host: "127.0.0.1", port: 0 }, Effect.succeed(undefined))
      for (const port of [Number(new URL(baseUrl).port), health]) {
        for (const [name, host] of wrong) {
          for (const text of [request(host), upgrade(host)]) {
            expect(yield* sent(port, [text]), name).toMatch(/^HTTP\/1\.1 400 /)
          }
        }
        const right = yield* sent(port, [get("/health", "connection: close")])
        expect(right).toMatch(/^HTTP\/1\.1 (?:200|503) /)
      }
    }
  )
})
