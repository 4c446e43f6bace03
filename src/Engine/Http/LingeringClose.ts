/**
 * Closes connections in a way that lets the last response arrive.
 *
 * A connection that is closed while its client still sends is reset, and the reset may overtake the response. So the engine first ends its
 * own side, discards everything that still arrives, and closes when the client has ended its side, or after `maxLinger`. The discarded
 * bytes are not parsed, because they may look like another request.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { after, on, safely } from "../../Callback.ts"

/** Milliseconds to wait for the client after the engine has ended its side. */
const maxLinger = 5_000

/** Sends `last`, ends our side of the connection, and later closes it. */
export const closeAfter = (socket: Duplex, last?: Buffer): void => {
  socket.removeAllListeners("data")
  socket.resume()
  // Wait until the stream has resumed: a listener takes the connection from Node's parser, which then no longer resumes a paused one.
  process.nextTick(
    safely(() =>
      socket.on(
        "data",
        safely(() => undefined)
      )
    )
  )
  on(socket, "finish", () => {
    const timer = after(maxLinger, () => socket.destroy()).unref()
    on(socket, "close", () => clearTimeout(timer))
  })
  if (last === undefined) socket.end()
  else socket.end(last)
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Requests of a connection. With pipelining, requests arrive before earlier ones are answered. */
interface Exchanges {
  latest: Exchange | undefined
  /** Requests that are not fully answered, in the order of their responses. */
  readonly pending: Set<Exchange>
}

const connections = new WeakMap<Duplex, Exchanges>()

/** True while a request of the connection is not fully answered. */
export const isAnswering = (socket: Duplex): boolean => (connections.get(socket)?.pending.size ?? 0) > 0

/**
 * Closes a connection after malformed input. Earlier requests are answered first. `refuse` sends an error response; it is called only if
 * the client relates that response to the malformed input: if the input is the body of a request that has no response yet, or follows the
 * last request.
 */
export const closeMalformed = (socket: Duplex, refuse: () => void): void => {
  if (!socket.writable) return
  const { latest, pending } = connections.get(socket) ?? { latest: undefined, pending: new Set<Exchange>() }
  const [first] = pending
  const isOfBody = latest?.request.complete === false
  if (first !== undefined && !(first === latest && isOfBody && !first.response.headersSent)) {
    first.response.once(
      "finish",
      safely(
        () => closeMalformed(socket, refuse),
        () => socket.destroy()
      )
    )
  } else if (first !== undefined || latest === undefined || (!isOfBody && latest.response.shouldKeepAlive)) refuse()
  else closeAfter(socket)
}

/** Makes a server close connections in this way after a response whose request was not read to its end. */
export const install = (server: Server): void => {
  on(server, "connection", (socket: Socket) => {
    // The event fires again whenever a connection offers another protocol (`Upgrade.ts`).
    if (connections.has(socket)) return
    const exchanges: Exchanges = { latest: undefined, pending: new Set() }
    connections.set(socket, exchanges)
    // Node calls this after the last response of a connection.
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => (exchanges.latest?.request.complete === false ? closeAfter(socket) : destroySoon())
  })
  on(server, "request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const exchanges = connections.get(socket)
    const exchange = { request, response }
    if (exchanges !== undefined) {
      exchanges.latest = exchange
      exchanges.pending.add(exchange)
    }
    // Node discards the rest of a body of which nothing was read. The rest of a partly read body would block the next request.
    on(response, "finish", () => {
      exchanges?.pending.delete(exchange)
      if (!request.complete && request.readableDidRead && socket.writable) closeAfter(socket)
    })
  })
}
