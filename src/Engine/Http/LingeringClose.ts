/**
 * Closes connections so that their last answer arrives.
 *
 * A connection that is closed while its client still sends is reset, and the reset may overtake the answer. So the engine ends its own side
 * first, drops what still comes, and closes when the client has ended its side, or after `maxLinger`. What comes by then is not parsed: it
 * may look like another request.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { safely } from "../../Callback.ts"

/** Milliseconds after the engine has ended its side. */
const maxLinger = 5_000

/** Ends our side of the connection, behind `last`, and later the whole. */
export const closeAfter = (socket: Duplex, last?: Buffer): void => {
  socket.removeAllListeners("data")
  socket.resume()
  // Not before it has resumed: a listener takes the connection from Node's parser, which then no longer restarts a paused one.
  process.nextTick(
    safely(() =>
      socket.on(
        "data",
        safely(() => undefined)
      )
    )
  )
  socket.once(
    "finish",
    safely(() => {
      const timer = setTimeout(
        safely(() => socket.destroy()),
        maxLinger
      ).unref()
      socket.once(
        "close",
        safely(() => clearTimeout(timer))
      )
    })
  )
  if (last === undefined) socket.end()
  else socket.end(last)
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Requests of a connection. They may come before earlier ones are answered (pipelining). */
interface Exchanges {
  latest: Exchange | undefined
  /** Without a whole answer yet, in the order of the requests, which is that of the answers. */
  readonly pending: Set<Exchange>
}

const connections = new WeakMap<Duplex, Exchanges>()

/** True while a request of the connection has no whole answer. */
export const isAnswering = (socket: Duplex): boolean => (connections.get(socket)?.pending.size ?? 0) > 0

/**
 * Closes a connection on which something malformed was received. Earlier requests are answered first. `refuse` is called if the client can
 * take an answer as the one to what is malformed: a body, whose request it answers, or what follows the last request.
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

/** Closes the connections of a server like this after a response, where the request has not been read to its end. */
export const install = (server: Server): void => {
  server.on(
    "connection",
    safely((socket) => {
      // A connection comes again with each offer of another protocol (`Upgrade.ts`).
      if (connections.has(socket)) return
      const exchanges: Exchanges = { latest: undefined, pending: new Set() }
      connections.set(socket, exchanges)
      // Node calls this after the last response of a connection.
      const destroySoon = socket.destroySoon.bind(socket)
      socket.destroySoon = () => (exchanges.latest?.request.complete === false ? closeAfter(socket) : destroySoon())
    })
  )
  server.on(
    "request",
    safely((request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      const exchanges = connections.get(socket)
      const exchange = { request, response }
      if (exchanges !== undefined) {
        exchanges.latest = exchange
        exchanges.pending.add(exchange)
      }
      // Node drops the rest of a body that was never read. The rest of a body that was partly read would block the next request.
      response.once(
        "finish",
        safely(() => {
          exchanges?.pending.delete(exchange)
          if (!request.complete && request.readableDidRead && socket.writable) closeAfter(socket)
        })
      )
    })
  )
}
