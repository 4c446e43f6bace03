/** Closing of connections whose request is not read to its end. */
import * as Http from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LingeringClose from "../../../src/Engine/LingeringClose.ts"

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
      const begun = performance.now()
      const said = yield* Effect.async<string>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
          let said = ""
          client.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
          const chunk = Buffer.from(`10000\r\n${"x".repeat(0x10000)}\r\n`)
          for (let sent = 0; sent < 20 * 1024 * 1024; sent += 0x10000) client.write(chunk)
          client.write("0\r\n\r\n", () =>
            client.on("data", (bytes) => {
              said += bytes
            })
          )
          client.on("error", () => undefined)
          client.on("close", () => resume(Effect.succeed(said)))
        })
      })
      expect(said).toMatch(/^HTTP\/1\.1 413 /)
      expect(performance.now() - begun).toBeLessThan(4_000)
    })
  )
)
