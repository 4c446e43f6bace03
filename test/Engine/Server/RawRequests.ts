/** Servers of `HttpServer.ts`, and clients that send them raw bytes. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as Effect from "effect/Effect"
import * as HttpServer from "../../../src/Web/HttpServer.ts"

type Listener = (request: IncomingMessage, response: ServerResponse) => void

export const listening = (onRequest?: Listener, most?: number) =>
  Effect.acquireRelease(
    Effect.async<HttpServer.HttpServer & { readonly port: number }>((resume) => {
      const made = HttpServer.make({}, most)
      if (onRequest !== undefined) {
        made.server.on("request", onRequest)
        made.open()
      }
      made.server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ ...made, port: (made.server.address() as AddressInfo).port }))
      )
    }),
    ({ abandon, server }) =>
      Effect.sync(() => {
        abandon()
        server.closeAllConnections()
        server.close()
      })
  )

/** Sends the pieces; returns all that comes until the server closes, or until `isEnough`. */
export const sent = (port: number, pieces: ReadonlyArray<string | Buffer>, isEnough = (_: string): boolean => false) =>
  Effect.async<string>((resume) => {
    let said = ""
    const socket = connect(port, "127.0.0.1")
    for (const piece of pieces) socket.write(piece)
    socket.on("data", (bytes) => {
      said += bytes.toString("latin1")
      if (isEnough(said)) socket.destroy()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(said)))
    return Effect.sync(() => socket.destroy())
  })

export const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.delay(until(isSo), 5)))

export const countOf = (text: string, part: string): number => text.split(part).length - 1

export const get = (path: string, ...more: ReadonlyArray<string>) =>
  `GET ${path} HTTP/1.1\r\n${["host: localhost", ...more].join("\r\n")}\r\n\r\n`
