/** Closing of connections: requests that are not read to their end, and malformed ones behind others that wait for their answers. */
import * as Http from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as Effect from "effect/Effect"
import * as LingeringClose from "../../../src/Engine/Http/LingeringClose.ts"
import { answer } from "../../../src/Engine/Http/Server.ts"
import * as Upgrade from "../../../src/Engine/Http/Upgrade.ts"
import { expect, it } from "../../It.ts"

it.live("a client that reads only after it has written all gets the answer, also where its body was paused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Http.createServer((request, response) => {
            request.once("data", () => {
              request.pause()
              // By then the buffer of the request is full, and Node reads no more of the connection.
              setTimeout(() => response.writeHead(413).end("too large"), 200)
            })
          })
        ),
        (server) =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      LingeringClose.install(server)
      let answered = 0
      const said = yield* Effect.async<string>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
          let said = ""
          client.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
          const chunk = Buffer.from(`10000\r\n${"x".repeat(0x10000)}\r\n`)
          for (let sent = 0; sent < 20 * 1024 * 1024; sent += 0x10000) client.write(chunk)
          client.write("0\r\n\r\n", () =>
            client.on("data", (bytes) => {
              answered = performance.now()
              said += bytes
            })
          )
          client.on("error", () => undefined)
          client.on("close", () => resume(Effect.succeed(said)))
        })
      })
      expect(said).toMatch(/^HTTP\/1\.1 413 /)
      // Before the engine gives up: it closes because the client has ended its side.
      expect(performance.now() - answered).toBeLessThan(4_000)
    })
  )
)

/** Answers `/name` with the name, after 300 ms; what it received of a body does not matter. */
const slowServer = Effect.acquireRelease(
  Effect.sync(() => {
    const server = Http.createServer(({ url }, response) => {
      setTimeout(() => response.end(`{"path":"${url}"}`), 300)
    })
    answer(server)
    return server
  }),
  (server) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)

/** Sends all at once; gives the status and the body of each answer, in their order. */
const answersTo = (server: Http.Server, text: string) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
      let said = ""
      client.on("data", (bytes) => {
        said += bytes
      })
      client.on("error", () => undefined)
      client.on("close", () => {
        const answers = said.split("HTTP/1.1 ").slice(1)
        resume(Effect.succeed(answers.map((one) => `${one.slice(0, 3)} ${/"path":"(.*)"/.exec(one)?.[1] ?? ""}`)))
      })
      client.write(text)
    })
  })

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
const websocket = [
  "GET /c HTTP/1.1",
  "host: a",
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
].join("\r\n")

const mistakes: ReadonlyArray<readonly [where: string, sent: ReadonlyArray<string>, answers: ReadonlyArray<string>]> = [
  ["behind one request", [get("/a"), "bad name: x\r\n\r\n"], ["200 /a", "400 "]],
  ["behind several", [get("/a"), get("/b"), "bad name: x\r\n\r\n", "more"], ["200 /a", "200 /b", "400 "]],
  [
    "in the body of a request behind another",
    [get("/a"), "POST /b HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nnot a size\r\n"],
    ["200 /a", "400 "]
  ],
  [
    "behind a request that ends the connection",
    ["GET /a HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", "bad name: x\r\n\r\n"],
    ["200 /a"]
  ]
]

it.scopedLive.each(mistakes)(
  "a mistake %s leaves the answers in the order of the requests",
  function* ([, sent, expected]) {
    const server = yield* slowServer
    expect(yield* answersTo(server, sent.join(""))).toEqual(expected)
  }
)

it.scopedLive.each(["websocket", "h2c"])(
  "an offer of %s behind a request without an answer closes the connection",
  function* (protocol) {
    const server = yield* slowServer
    const { add } = yield* Upgrade.install(server)
    yield* add((request, socket) => {
      if (!Upgrade.isWebSocket(request)) return false
      socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n")
      return true
    })
    expect(yield* answersTo(server, get("/a") + websocket.replace("websocket", protocol))).toEqual([])
  }
)
