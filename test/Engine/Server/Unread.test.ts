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
import * as RoomFile from "../../../src/Engine/Scrape/Room.ts"
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

/** Takes all that a team may have in one body that is not its eldest: succeeds when nothing else is held. */
const fill = (room: RoomFile.Room) =>
  Effect.gen(function* () {
    const eldest = yield* room.open({ team: "a", host: undefined })
    yield* eldest.grow(1)
    const other = yield* room.open({ team: "a", host: undefined })
    yield* other.grow(44_999_999)
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
  it.scopedLive("that are not read keep its next calls from being made; a call that was made is answered", () =>
    Effect.gen(function* () {
      const limits = { perTeam: 45_000_000, patience: Duration.millis(300) }
      const room = RoomFile.make({ capacity: 100_000_000, perTeam: 45_000_000, perHost: 45_000_000 })
      const unread = yield* Effect.provideService(Unread.make(limits), RoomFile.Memory, room)
      const made: Array<string> = []
      const app = Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const [, team = "", size] = url.split("/")
        yield* unread.ready(team)
        made.push(url)
        return yield* unread.hold(team, HttpServerResponse.uint8Array(Buffer.alloc(Number(size))))
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
      const until = (isSo: () => boolean) =>
        Effect.promise(async () => {
          while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
        })
      const first = [yield* ask("/a/20000000"), yield* ask("/a/20000001")]
      for (const socket of first)
        yield* Effect.async<void>((resume) => void socket.once("readable", () => resume(Effect.void)))
      // Two of them are unread, and below the limit: the third call is made, and its answer has to wait for room.
      const third = yield* ask("/a/20000002")
      yield* until(() => made.includes("/a/20000002"))
      expect(yield* read(yield* ask("/a/20000003"))).toMatch(/^HTTP\/1.1 429 .*UNREAD_ANSWERS/s)
      expect(yield* read(yield* ask("/b/20000000"))).toMatch(/^HTTP\/1.1 200 /)
      expect(made).not.toContain("/a/20000003")
      first[0]?.destroy()
      expect(yield* read(third)).toMatch(/^HTTP\/1.1 200 /)
      for (const socket of [...first, third]) socket.destroy()
      expect(yield* read(yield* ask("/a/20000004"))).toMatch(/^HTTP\/1.1 200 /)
    })
  )

  it.scopedLive("take no memory any more once their clients have gone, also those that still wait for room", () =>
    Effect.gen(function* () {
      const room = RoomFile.make({ capacity: 100_000_000, perTeam: 45_000_000, perHost: 45_000_000 })
      const limits = { perTeam: 45_000_000, patience: Duration.millis(300) }
      const unread = yield* Effect.provideService(Unread.make(limits), RoomFile.Memory, room)
      let made = 0
      const app = Effect.suspend(() => {
        made += 1
        return unread.hold("a", HttpServerResponse.uint8Array(Buffer.alloc(20_000_000)))
      })
      const server = createServer()
      const context = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
      yield* Effect.provide(HttpServer.serveEffect(app), context)
      const { port } = server.address() as AddressInfo
      const request = "GET / HTTP/1.1\r\nhost: a\r\n\r\n"
      // The second request of a connection waits for the first one's answer.
      const sockets = yield* Effect.all(Array.from({ length: 8 }, () => asking(port, `${request}${request}`)))
      yield* Effect.promise(async () => {
        while (made < 9) await new Promise((resolve) => setTimeout(resolve, 5))
      })
      for (const socket of sockets) socket.destroy()
      yield* Effect.promise(async () => {
        while (unread.unsentOf("a") > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      })
      yield* Effect.timeout(Effect.scoped(fill(room)), "10 seconds")
    })
  )
})
