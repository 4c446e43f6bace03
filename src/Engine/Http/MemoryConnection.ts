/** Connections to the engine's HTTP server from within its process: a pair of in-memory streams, without a port or a socket. */
import type { Server } from "node:http"
import { type Duplex, duplexPair } from "node:stream"
import { on } from "../../Callback.ts"

/** Adds the methods of `net.Socket` that an HTTP server uses to a stream. No timeout is needed, because both ends are in this process. */
const asSocket = (stream: Duplex): Duplex => {
  const socket = Object.assign(stream, {
    timeout: 0,
    setTimeout: (millis: number) => {
      socket.timeout = millis
      return socket
    },
    setNoDelay: () => socket,
    setKeepAlive: () => socket,
    ref: () => socket,
    unref: () => socket,
    destroySoon: () => {
      if (socket.writable) socket.end()
      if (socket.writableFinished) socket.destroy()
      else on(socket, "finish", () => socket.destroy())
    }
  })
  return socket
}

/** Makes a closed end close the other end, as on a TCP connection. */
const closeTogether = (one: Duplex, other: Duplex) => {
  on(one, "close", () => other.destroy())
  // Connection errors are reported by the request or response that they end.
  on(one, "error", () => undefined)
}

/** Opens a connection to the server, and returns the client's end. */
export const connect = (server: Server): Duplex => {
  const [near, far] = duplexPair()
  closeTogether(near, far)
  closeTogether(far, near)
  server.emit("connection", asSocket(far))
  return asSocket(near)
}
