/** Answers that nobody reads: what they may cost, and when they are given up. */
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Unread from "../../../src/Engine/Unread.ts"

/** A connection that sends a request and reads nothing until it is told to. */
const asking = (port: number, request: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => undefined)
      socket.write(request)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** The first bytes of what comes, once it is read. */
const read = (socket: Socket) =>
  Effect.async<string>((resume) => {
    let text = ""
    socket.on("data", (chunk: Buffer) => {
      text = `${text}${chunk.toString("latin1", 0, 4_000)}`.slice(0, 4_000)
      if (text.includes("\r\n\r\n")) resume(Effect.succeed(text))
    })
    socket.on("close", () => resume(Effect.succeed(text)))
    socket.resume()
  })

describe("A connection whose answer is not read", () => {
  it.scopedLive("is closed when nothing of it is taken for a while; one that reads slowly is not", () =>
    Effect.gen(function* () {
      const body = Buffer.alloc(40_000_000)
      const closed: Array<string> = []
      const server = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((request, response) => {
            response.on("close", () => closed.push(String(request.url)))
            if (request.url === "/slow") setTimeout(() => response.end("late"), 600)
            else response.end(body)
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      yield* Unread.closeStalled(server, { timeout: Duration.millis(1_000), interval: Duration.millis(20) })
      const { port } = server.address() as AddressInfo
      const ask = (path: string) => asking(port, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      yield* ask("/stalled")
      const reader = yield* ask("/read")
      const slow = yield* ask("/slow")
      let received = 0
      reader.on("data", (chunk: Buffer) => {
        received += chunk.length
        reader.pause()
        setTimeout(() => reader.resume(), 5)
      })
      reader.resume()
      slow.resume()
      yield* Effect.promise(async () => {
        while (closed.length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
      })
      expect(closed.toSorted()).toEqual(["/read", "/slow", "/stalled"])
      yield* Effect.promise(async () => {
        while (received <= body.length && !reader.closed) await new Promise((resolve) => setTimeout(resolve, 20))
      })
      expect(received).toBeGreaterThan(body.length)
    })
  )
})

describe("Large answers of a team", () => {
  it.scopedLive("are refused while so many are not read; other teams, and small answers, are not held up", () =>
    Effect.gen(function* () {
      const limits = { capacity: 100_000_000, perTeam: 45_000_000, patience: Duration.millis(300) }
      const heldBack = yield* Unread.make(limits)
      const app = Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const [, team = "", size] = url.split("/")
        return yield* heldBack(team, HttpServerResponse.uint8Array(Buffer.alloc(Number(size))))
      }).pipe(
        Effect.catchTag("RateLimited", ({ code = "" }) =>
          Effect.succeed(HttpServerResponse.text(code, { status: 429 }))
        )
      )
      const server = createServer()
      const context = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
      yield* Effect.provide(HttpServer.serveEffect(app), context)
      const { port } = server.address() as AddressInfo
      const ask = (path: string) => asking(port, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      const first = [yield* ask("/a/20000000"), yield* ask("/a/20000000")]
      for (const socket of first)
        yield* Effect.async<void>((resume) => void socket.once("readable", () => resume(Effect.void)))
      expect(yield* read(yield* ask("/a/20000000"))).toMatch(/^HTTP\/1.1 429 .*UNREAD_ANSWERS/s)
      expect(yield* read(yield* ask("/a/1000"))).toMatch(/^HTTP\/1.1 200 /)
      expect(yield* read(yield* ask("/b/20000000"))).toMatch(/^HTTP\/1.1 200 /)
      for (const socket of first) socket.destroy()
      expect(yield* read(yield* ask("/a/20000000"))).toMatch(/^HTTP\/1.1 200 /)
    })
  )
})
