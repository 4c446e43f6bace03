/**
 * Closes connections so that their last answer arrives.
 *
 * A connection that is closed while its client still sends is reset, and the reset may overtake the answer. So the engine ends its own side
 * first, drops what still comes, and closes when the client has ended its side, or after `maxLinger`. What comes by then is not parsed: it
 * may look like another request.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { safely } from "../Callback.ts"

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

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Closes the connections of a server like this after a response, where the request has not been read to its end. Returns the latest exchange
 * on a connection.
 */
export const install = (server: Server): ((socket: Duplex) => Exchange | undefined) => {
  const latest = new WeakMap<Duplex, Exchange>()
  const isUnread = (socket: Duplex): boolean => latest.get(socket)?.request.complete === false
  const seen = new WeakSet<Duplex>()
  server.on(
    "connection",
    safely((socket) => {
      // A connection comes again with each offer of another protocol (`Upgrade.ts`).
      if (seen.has(socket)) return
      seen.add(socket)
      // Node calls this after the last response of a connection.
      const destroySoon = socket.destroySoon.bind(socket)
      socket.destroySoon = () => (isUnread(socket) ? closeAfter(socket) : destroySoon())
    })
  )
  server.on(
    "request",
    safely((request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      latest.set(socket, { request, response })
      // Node drops the rest of a body that nobody has begun to read. The rest of one that was begun would keep the next request waiting.
      response.once(
        "finish",
        safely(() => {
          if (!request.complete && request.readableDidRead && socket.writable) closeAfter(socket)
        })
      )
    })
  )
  return (socket) => latest.get(socket)
}
