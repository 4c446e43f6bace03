/** Requests with two `Host` headers, as a client of Node cannot send them. */
import { connect } from "node:net"
import * as Effect from "effect/Effect"

/** Status of the answer to a request whose second `Host` is another, or the same; 0 when the connection was closed without one. */
export const statusOfTwoHosts = (baseUrl: string, path: string, second?: string) =>
  Effect.async<number>((resume) => {
    const { host, port } = new URL(baseUrl)
    let said = ""
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nhost: ${second ?? host}\r\nConnection: close\r\n\r\n`)
    )
    socket.on("data", (bytes) => {
      said += bytes
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 0))))
  })
