/** Unread answers: the limit of their memory, and when their connections are closed. */
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PageMemory from "../../../src/Engine/Teams/PageMemory.ts"
import * as UnreadAnswers from "../../../src/Engine/Teams/UnreadAnswers.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { reserved } from "../Alone.ts"

/** A connection that sends a request and reads nothing until asked to. */
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
const fill = (room: PageMemory.MemoryPool) =>
  Effect.gen(function* () {
    const eldest = yield* reserved(room, { team: "a", host: "x" })
    yield* eldest.grow(1)
    const other = yield* reserved(room, { team: "a", host: "x" })
    yield* other.grow(44_999_999)
  })

const shares = { capacity: 100_000_000, perTeam: 45_000_000, perHost: 45_000_000, unread: 45_000_000 }

/** Serves calls, each with the bytes that its address says; refused calls with the code. */
const serve = (call: (url: string) => HttpApp.Default<never, PageMemory.PageMemory>) =>
  Effect.gen(function* () {
    const room = PageMemory.make(shares)
    const { answer, unreadOf } = yield* Effect.provideService(
      UnreadAnswers.make(Duration.millis(300)),
      PageMemory.PageMemory,
      room
    )
    const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
      answer(url.split("/")[1] ?? "", Effect.provideService(call(url), PageMemory.PageMemory, room))
    ).pipe(
      Effect.catchTag("RateLimited", ({ code = "" }) => Effect.succeed(HttpServerResponse.text(code, { status: 429 })))
    )
    const server = createServer()
    const context = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
    yield* Effect.provide(HttpServer.serveEffect(app), context)
    const { port } = server.address() as AddressInfo
    const ask = (path: string) => asking(port, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    return { ask, port, room, unreadOf }
  })

const until = (isSo: () => boolean) =>
  Effect.promise(async () => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  })

describe("A connection whose answer is not read", () => {
  it.scopedLive.skipIf(skipsLong)(
    "is closed when nothing of it is taken for a while; one that reads slowly is not",
    function* () {
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
      yield* UnreadAnswers.closeStalled(server, { timeout: Duration.millis(3_000), interval: Duration.millis(20) })
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
    }
  )
})

describe("Large answers of a team", () => {
  it.scopedLive(
    "that are not read keep its next calls from being made; a call that was made is answered at once",
    function* () {
      const made: Array<string> = []
      const { ask } = yield* serve((url) =>
        Effect.sync(() => {
          made.push(url)
          return HttpServerResponse.uint8Array(Buffer.alloc(Number(url.split("/")[2])))
        })
      )
      const unread = [yield* ask("/a/20000000"), yield* ask("/a/20000001"), yield* ask("/a/20000002")]
      for (const socket of unread)
        yield* Effect.async<void>((resume) => void socket.once("readable", () => resume(Effect.void)))
      expect(yield* read(yield* ask("/a/20000003"))).toMatch(/^HTTP\/1.1 429 .*UNREAD_ANSWERS/s)
      expect(yield* read(yield* ask("/b/20000000"))).toMatch(/^HTTP\/1.1 200 /)
      expect(made).not.toContain("/a/20000003")
      for (const socket of unread) socket.destroy()
      expect(yield* read(yield* ask("/a/20000004"))).toMatch(/^HTTP\/1.1 200 /)
    }
  )

  it.scopedLive(
    "are no more than its share and one, however many calls have begun before the first was answered",
    function* () {
      const megabyte = 1_000_000
      let [begun, made, most] = [0, 0, 0]
      const { ask, unreadOf } = yield* serve(() =>
        Effect.gen(function* () {
          const room = yield* PageMemory.PageMemory
          begun += 1
          yield* until(() => begun >= 8)
          const place = yield* reserved(room, { team: "a", host: `${begun}` })
          for (let step = 0; step < 20; step++) yield* Effect.zipRight(place.grow(megabyte), Effect.yieldNow())
          made += 1
          return HttpServerResponse.uint8Array(Buffer.alloc(20 * megabyte))
        }).pipe(
          Effect.scoped,
          Effect.tap(() => Effect.sync(() => setImmediate(() => (most = Math.max(most, unreadOf("a"))))))
        )
      )
      const sockets = yield* Effect.replicateEffect(ask("/a"), 8)
      yield* until(() => unreadOf("a") === 60 * megabyte)
      for (let turn = 0; turn < 50; turn++) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      expect([made, unreadOf("a")]).toEqual([3, 60 * megabyte])
      const replies = yield* Effect.forEach(sockets, read, { concurrency: "unbounded" })
      expect(replies.map((reply) => reply.slice(0, 13))).toEqual(replies.map(() => "HTTP/1.1 200 "))
      expect(most).toBeLessThanOrEqual(65 * megabyte)
    }
  )

  it.scopedLive(
    "take no memory any more once their clients have gone, also those that wait on their connection",
    function* () {
      let made = 0
      const { port, room, unreadOf } = yield* serve(() =>
        Effect.sync(() => {
          made += 1
          return HttpServerResponse.uint8Array(Buffer.alloc(20_000_000))
        })
      )
      const request = "GET /a HTTP/1.1\r\nhost: a\r\n\r\n"
      // The second request of a connection waits for the first one's answer.
      const sockets = yield* Effect.all(Array.from({ length: 8 }, () => asking(port, `${request}${request}`)))
      yield* until(() => made >= 3)
      for (const socket of sockets) socket.destroy()
      yield* until(() => unreadOf("a") === 0)
      yield* Effect.timeout(Effect.scoped(fill(room)), "1 minute")
    }
  )
})
