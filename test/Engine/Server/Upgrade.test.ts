/** Upgrades of the engine: no connection and no team keeps the event loop from others, and no connection grows with each offer of another protocol. */
import * as Http from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LingeringClose from "../../../src/Engine/Http/LingeringClose.ts"
import * as Upgrade from "../../../src/Engine/Http/Upgrade.ts"
import * as TeamScheduler from "../../../src/Engine/Teams/TeamScheduler.ts"
import { skipsLong } from "../../Long.ts"

const count = 2_000

/** A masked text frame of one letter. */
const frame = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61])

const head = [
  "GET / HTTP/1.1",
  "host: 127.0.0.1",
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="
]

it.live("a flood of messages on one connection has one message in each turn of the event loop", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => Http.createServer()),
        (server) =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      const sockets = Upgrade.webSocketServer(4096)
      const inTurn = yield* Effect.async<ReadonlyArray<number>>((resume) => {
        const turns: Array<number> = []
        let heard = 0
        let before = 0
        const turn = () => {
          turns.push(heard - before)
          before = heard
          if (heard === count) resume(Effect.succeed(turns))
          else setImmediate(turn)
        }
        server.on("upgrade", (request, socket, first) => {
          sockets().handleUpgrade(request, socket, first, (ws) => {
            ws.on("message", () => {
              heard += 1
            })
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const client = connect(port, "127.0.0.1")
          const frames = Buffer.concat(Array.from({ length: count }, () => frame))
          client.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), frames]))
          client.on("error", () => undefined)
          turn()
        })
      })
      expect(Math.max(...inTurn)).toBe(1)
    })
  )
)

it.live.skipIf(skipsLong)("a team with many connections gets no more turns for its messages than a team with one", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => Http.createServer()),
        (server) =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      const sockets = Upgrade.webSocketServer(4096)
      const turns = { a: yield* TeamScheduler.turnsOf("a"), b: yield* TeamScheduler.turnsOf("b") }
      const heard = yield* Effect.async<ReadonlyArray<string>>((resume) => {
        const heard: Array<string> = []
        server.on("upgrade", (request, socket, first) => {
          const team = request.url === "/b" ? "b" : "a"
          sockets().handleUpgrade(request, socket, first, (ws) =>
            Upgrade.hear(ws, turns[team], {
              message: () => {
                heard.push(team)
                const until = performance.now() + 0.2
                while (performance.now() < until);
                if (team === "b" && heard.filter((each) => each === "b").length === 20) resume(Effect.succeed(heard))
              },
              close: () => undefined,
              wait: (isWaiting) => (isWaiting ? ws.pause() : ws.resume())
            })
          )
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const frames = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame))
          const open = (path: string, count: number) => {
            const client = connect(port, "127.0.0.1")
            client.on("error", () => undefined)
            const lines = [`GET ${path} HTTP/1.1`, ...head.slice(1)]
            client.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), frames(count)]))
          }
          for (let n = 0; n < 200; n++) open("/a", 200)
          const whenBusy = setInterval(() => {
            if (heard.length < 100) return
            clearInterval(whenBusy)
            open("/b", 20)
          }, 1)
        })
      })
      const since = heard.slice(heard.indexOf("b"))
      // A slice of 4 ms for each message of b; a message of each connection would be 200.
      expect(since.filter((team) => team === "a").length / 20).toBeLessThan(60)
    })
  ).pipe(Effect.withScheduler(TeamScheduler.make()))
)

it.live("a connection that offers another protocol with each request is prepared once", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const closings: Array<unknown> = []
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Http.createServer((request, response) => {
            closings.push(request.socket.destroySoon)
            response.end("fine")
          })
        ),
        (server) =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      LingeringClose.install(server)
      yield* Upgrade.install(server)
      const said = yield* Effect.async<string>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const client = connect(port, "127.0.0.1")
          const request = (last = "") =>
            client.write(`GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade${last}\r\nupgrade: h2c\r\n\r\n`)
          let said = ""
          client.on("data", (bytes) => {
            said += bytes
            if (closings.length < 3) request(closings.length === 2 ? ", close" : "")
          })
          client.on("error", () => undefined)
          client.on("close", () => resume(Effect.succeed(said)))
          request()
        })
      })
      expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
      expect(new Set(closings).size).toBe(1)
    })
  )
)
