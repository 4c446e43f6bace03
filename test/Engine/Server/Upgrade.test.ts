/** WebSockets of the engine: one connection does not keep the event loop from others. */
import * as Http from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Upgrade from "../../../src/Engine/Upgrade.ts"

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
          sockets.handleUpgrade(request, socket, first, (ws) => {
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
