/**
 * Error boundary around the listeners that undici adds to a socket. What a site sends can fail an assertion in them, which would end the
 * process; in this boundary it ends one connection.
 *
 * - A site that closes its connection while the body waits for memory fails an assertion of undici's: it gets the end again, until the
 *   body goes on. For that the socket stays half open; undici, or the deadline of the request, destroys it.
 * - Any other exception destroys the socket. The request fails as one whose site closed the connection.
 */
import type { Socket } from "node:net"
import type { buildConnector } from "undici"
import { safely } from "../../Callback.ts"
import { undici } from "../../Packages.ts"
import { mendHeads } from "./ResponseHead.ts"

/** Milliseconds until the end of a connection is reported again. */
const endInterval = 50

type Listener = (this: Socket, ...args: Array<unknown>) => void

/** Puts the listeners that are added from now on behind the boundary, mends the heads of responses, and returns the socket. */
export const contain = <S extends Socket>(socket: S): S => {
  const add = socket.on.bind(socket) as (name: string | symbol, listener: Listener) => Socket
  let onError: Listener | undefined
  const lose = () => onError?.call(socket, new (undici().errors.SocketError)("the connection was lost"))

  const recover = (name: string | symbol, listener: Listener, cause: unknown): void => {
    if (name === "end") {
      if (socket.destroyed) return
      setTimeout(
        safely(
          () => hear(name, listener, []),
          () => socket.destroy()
        ),
        endInterval
      ).unref()
    } else if (name === "error") lose()
    else if (name === "close") {
      // With an error set, undici does not ask its parser.
      lose()
      listener.call(socket)
    } else socket.destroy(cause instanceof Error ? cause : undefined)
  }

  const hear = (name: string | symbol, listener: Listener, args: Array<unknown>): void => {
    try {
      listener.apply(socket, args)
    } catch (cause) {
      recover(name, listener, cause)
    }
  }

  socket.allowHalfOpen = true
  const on = (name: string | symbol, listener: Listener): Socket => {
    // The first one is that of the connection; the body of a request adds others.
    if (name === "error") onError ??= listener
    const contained = safely(
      (...args: Array<unknown>) => hear(name, listener, args),
      () => socket.destroy()
    )
    // Node finds the listener to remove by this property.
    return add(name, Object.assign(contained, { listener }))
  }
  return mendHeads(Object.assign(socket, { on, addListener: on }))
}

/** Puts the sockets of a connector behind the boundary. */
export const contained =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...[error, socket]: buildConnector.CallbackArgs) =>
      error === null ? callback(null, contain(socket)) : callback(error, null)
    )

/** Connector of undici whose sockets are behind the boundary. */
export const containedConnector = (options: buildConnector.BuildOptions): buildConnector.connector =>
  contained(undici().buildConnector(options))
