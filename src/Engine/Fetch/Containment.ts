/**
 * Error boundary around the listeners that undici adds to a socket. A malformed response can fail an assertion in a listener, which would
 * end the process; inside the boundary it only ends the connection.
 *
 * - If a site closes its connection while the body waits for memory, undici's assertion fails. The `end` event is then repeated until the
 *   body continues. The socket stays half open meanwhile; undici, or the deadline of the request, destroys it.
 * - Any other exception destroys the socket. The request fails as if the site had closed the connection.
 * - A reset fails the request. To undici it is the end of a body without a length, so that half of a page would pass for the whole.
 */
import type { Socket } from "node:net"
import type { buildConnector } from "undici"
import { safely } from "../../Callback.ts"
import { undici } from "../../Packages.ts"
import { codeOf } from "./FetchFailure.ts"
import { mendHeads } from "./ResponseHead.ts"

/** Milliseconds until the `end` event of a connection is repeated. */
const endInterval = 50

type Listener = (this: Socket, ...args: Array<unknown>) => void

/** The error for undici: without the code of a reset, which remains in its cause. */
const asFailure = (cause: unknown): unknown =>
  codeOf(cause) === "ECONNRESET" ? new Error("the connection was reset", { cause }) : cause

/** Wraps all listeners added from now on in the boundary, repairs response heads, and returns the socket. */
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
      // Once an error is set, undici no longer consults its parser.
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
    // The first listener belongs to the connection; request bodies add others.
    if (name === "error") onError ??= listener
    const isOwn = listener === onError
    const contained = safely(
      (...args: Array<unknown>) => hear(name, listener, isOwn ? args.map(asFailure) : args),
      () => socket.destroy()
    )
    // Node finds the listener to remove by this property.
    return add(name, Object.assign(contained, { listener }))
  }
  return mendHeads(Object.assign(socket, { on, addListener: on }))
}

/** Wraps the sockets of a connector in the boundary. */
export const contained =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...[error, socket]: buildConnector.CallbackArgs) =>
      error === null ? callback(null, contain(socket)) : callback(error, null)
    )

/** Undici connector whose sockets are wrapped in the boundary. */
export const containedConnector = (options: buildConnector.BuildOptions): buildConnector.connector =>
  contained(undici().buildConnector(options))
