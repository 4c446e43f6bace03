/**
 * HTTP server behind everything that listens: engine, dashboard, `mcp --http`, health port.
 *
 * - A connection that arrives before `open` is called waits unread: Node drops a request that has no listener yet, so it would never be
 *   answered.
 * - A connection has at most `maxUnanswered` requests without a response; after that its data is not parsed, and the socket is not read.
 *   Once the process has `maxTotal` such requests, each connection may have only one. A connection can always make progress with one
 *   request and its body.
 * - At most `maxBegun` requests begin in one turn of the event loop, over all servers of the process. While more have arrived, connections
 *   take turns with one request each, and most turns go to those that wait for an answer before they send the next request.
 * - Requests of a closed connection end at once: their responses emit `close`, even those that wait for another response.
 * - A request with two `Host` headers, or one without a valid host, gets a 400 response and closes its connection (RFC 9112, 3.2).
 */
import * as Http from "node:http"
import type { Duplex } from "node:stream"
import { getHeapStatistics } from "node:v8"
import { on, safely } from "../Callback.ts"

const maxUnanswered = 16

/**
 * Maximum requests without a response, over all servers of the process: one per MB of heap. A request takes about 30 kB while it is
 * processed.
 */
const maxTotal = Math.max(256, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20))

let total = 0

/**
 * Maximum requests that begin in one turn of the event loop. A small one takes about 0.5 ms, and a turn has 4 ms for fibers
 * (`TeamScheduler.ts`): with more, requests would begin faster than they are answered, and pile up in memory.
 */
const maxBegun = 8

/** Of these, requests of connections that have sent one after the last answer, while pipelined ones wait, too. */
const maxSingle = 6

/** Requests that have begun in this turn. */
let begun = 0
let isTurnScheduled = false

/** Connections whose next request waits for a later turn, in order. */
const waiting = { single: new Set<Connection>(), pipelined: new Set<Connection>() }

export interface HttpServer {
  readonly server: Http.Server
  /** Accepts waiting connections, and later ones at once. Call it once the request listeners are attached. */
  readonly open: () => void
  /** Closes the waiting connections, because `close` of a server waits for all connections. */
  readonly abandon: () => void
}

/** Maximum received bytes of a connection that wait to be parsed; with more, its socket is no longer read. */
const maxHeld = 16 * 1024

/** A connection between its socket and Node's parser. */
interface Connection {
  /** Requests without a complete response, in order. */
  readonly pending: Set<Http.ServerResponse>
  latest: Http.IncomingMessage | undefined
  /** Requests of the process without a response from which on this connection may have only one. */
  readonly most: number
  /** Bytes of the latest request's body that have not arrived yet, if the request has a length. */
  body: number
  /** True if its next request had arrived before the previous one was answered. */
  isPipelined: boolean
  /** True if it is this connection's turn to begin a request while other connections wait. */
  hasTurn: boolean
  /** Continues parsing after a response has been sent, and when its turn has come. */
  advance: () => void
  /** True if its socket is about to be read again, so that its turn is used a tick later. */
  isResuming: () => boolean
  /** Stops parsing, and returns the received bytes that are not parsed yet. */
  detach: () => Buffer
}

const empty: Buffer = Buffer.alloc(0)

const [lineFeed, carriageReturn] = [10, 13]

/**
 * Length of the first piece to parse: up to the end of a request's head, or all bytes. A piece ends at most one head, so a body begins with
 * a new piece. `before` has the two previous bytes, because the end of a head may arrive in parts.
 */
const pieceOf = (bytes: Buffer, before: readonly [number, number]): number => {
  if (before[1] === lineFeed || (before[0] === lineFeed && before[1] === carriageReturn)) {
    if (bytes[0] === lineFeed) return 1
    if (before[1] === lineFeed && bytes[0] === carriageReturn && bytes[1] === lineFeed) return 2
  }
  const end = bytes.indexOf("\n\r\n")
  const bare = bytes.subarray(0, end === -1 ? undefined : end + 1).indexOf("\n\n")
  if (bare !== -1) return bare + 2
  return end === -1 ? bytes.length : end + 3
}

const mayAnswerMore = ({ latest, most, pending }: Connection): boolean =>
  pending.size < (total >= most ? 1 : maxUnanswered) || latest?.complete === false

const isAnyWaiting = (): boolean => waiting.single.size + waiting.pipelined.size > 0

/** Begins a request of each of these connections, until this many have begun in this turn. */
const beginOf = (connections: Set<Connection>, most: number): void => {
  for (const connection of connections) {
    if (begun >= most) return
    begun += 1
    connections.delete(connection)
    connection.hasTurn = true
    connection.advance()
    if (!connection.isResuming()) connection.hasTurn = false
  }
}

const nextTurn = safely(() => {
  isTurnScheduled = false
  begun = 0
  beginOf(waiting.single, maxSingle)
  beginOf(waiting.pipelined, maxBegun)
  beginOf(waiting.single, maxBegun)
  if (isAnyWaiting()) scheduleTurn()
})

const scheduleTurn = (): void => {
  if (isTurnScheduled) return
  isTurnScheduled = true
  setImmediate(nextTurn)
}

/** True if the connection's next request may begin now; otherwise its turn comes later. */
const mayBegin = (connection: Connection): boolean => {
  scheduleTurn()
  if (connection.hasTurn) {
    connection.hasTurn = false
    return true
  }
  if (isAnyWaiting() || begun >= maxBegun) {
    waiting[connection.isPipelined ? "pipelined" : "single"].add(connection)
    return false
  }
  begun += 1
  return true
}

/** Puts the limits between a socket and the parser that Node has attached to the socket. */
const attach = (socket: Duplex, connection: Connection): void => {
  const [parse] = socket.listeners("data")
  if (parse === undefined) return
  const destroy = () => socket.destroy()
  let held = empty
  let before: readonly [number, number] = [0, 0]
  let isParsing = false
  /** True if paused here, and not by Node, which pauses while a body or response is not being read. */
  let isPausedHere = false
  // Node removes all data listeners when it closes a connection after the last response.
  const isAttached = () => socket.readable && socket.listeners("data").includes(receive)
  const advance = safely(() => {
    if (isParsing) return
    isParsing = true
    while (held.length > 0 && isAttached() && !socket.isPaused() && mayAnswerMore(connection)) {
      const isWithin = connection.latest?.complete === false
      if (!isWithin && !mayBegin(connection)) break
      const isBody = isWithin && connection.body > 0
      const length = isBody ? Math.min(connection.body, held.length) : pieceOf(held, before)
      if (isBody) connection.body -= length
      const piece = held.subarray(0, length)
      held = held.subarray(length)
      before = [piece.at(-2) ?? before[1], piece.at(-1) ?? 0]
      parse.call(socket, piece)
      if (held.length > 0 && connection.latest?.complete !== false) connection.isPipelined = true
    }
    isParsing = false
    if (held.length > 0 && !isAttached()) held = empty
    if (held.length < maxHeld || socket.isPaused()) return
    isPausedHere = true
    socket.pause()
  }, destroy)
  const receive = safely((chunk: Buffer) => {
    // Bytes that do not belong to the body of the latest request begin another one.
    if (connection.latest?.complete !== false) connection.isPipelined = held.length > 0 || connection.pending.size > 0
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    advance()
  }, destroy)
  const resumed = safely(() => {
    // The event comes a tick later, when the socket may have been paused again.
    if (socket.isPaused()) return
    isPausedHere = false
    advance()
  }, destroy)
  connection.advance = () => {
    if (held.length === 0 || !mayAnswerMore(connection)) return
    if (isPausedHere) socket.resume()
    else advance()
  }
  connection.isResuming = () => isPausedHere && held.length > 0
  connection.detach = () => {
    socket.off("data", receive)
    socket.off("resume", resumed)
    const rest = held
    held = empty
    return rest
  }
  socket.removeAllListeners("data")
  // This listener also makes Node's parser stop reading the socket directly.
  socket.on("data", receive)
  socket.on("resume", resumed)
}

const hasOneHost = ({ headers, httpVersion, rawHeaders }: Http.IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts++
  return hosts <= 1 && (hosts === 1 || httpVersion === "1.0") && !/[\s,/?#@\\]/.test(headers.host ?? "")
}

const noHost = JSON.stringify({
  success: false,
  error: "The request needs one Host header that names one host.",
  code: "BAD_REQUEST"
})
const noHostHeaders = { "content-type": "application/json", "content-length": noHost.length, connection: "close" }
const noHostLines = Object.entries(noHostHeaders).map(([name, value]) => `${name}: ${value}\r\n`)

/** Adds a request to those of its connection, until its response is closed. */
const admit = (connection: Connection, request: Http.IncomingMessage, response: Http.ServerResponse): void => {
  total += 1
  connection.latest = request
  connection.body = Number(request.headers["content-length"] ?? 0)
  connection.pending.add(response)
  // Once: the event is also emitted below.
  response.once(
    "close",
    safely(() => {
      total -= 1
      connection.pending.delete(response)
      connection.advance()
    })
  )
}

/** Handles the events of Node's server before its other listeners. */
const guard = (server: Http.Server, connections: WeakMap<Duplex, Connection>): void => {
  const node = server.emit
  const pass = (name: string, ...args: ReadonlyArray<unknown>): boolean => Reflect.apply(node, server, [name, ...args])
  const onRequest = (request: Http.IncomingMessage, response: Http.ServerResponse): boolean => {
    const connection = connections.get(request.socket)
    if (connection !== undefined) admit(connection, request, response)
    if (hasOneHost(request)) return pass("request", request, response)
    response.writeHead(400, noHostHeaders).end(noHost)
    return true
  }
  /** Handles an upgrade or a tunnel: from now on the connection belongs to its listener. */
  const onUpgrade = (name: string, request: Http.IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    const rest = connections.get(socket)?.detach() ?? empty
    if (hasOneHost(request)) return pass(name, request, socket, rest.length === 0 ? head : Buffer.concat([head, rest]))
    on(socket, "error", () => socket.destroy())
    socket.end(`HTTP/1.1 400 Bad Request\r\n${noHostLines.join("")}\r\n${noHost}`)
    return true
  }
  const emit = (name: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (name === "request") return onRequest(...(args as [Http.IncomingMessage, Http.ServerResponse]))
    if (name === "upgrade" || name === "connect") {
      return onUpgrade(name, ...(args as [Http.IncomingMessage, Duplex, Buffer]))
    }
    return pass(name, ...args)
  }
  Object.assign(server, { emit })
}

/** Makes a server that accepts connections once `open` has been called. */
export const make = (options: Http.ServerOptions, most = maxTotal): HttpServer => {
  const server = Http.createServer({ ...options })
  const connections = new WeakMap<Duplex, Connection>()
  guard(server, connections)
  const [parser] = server.listeners("connection")
  let early: Set<Duplex> | undefined = new Set()

  const accept = (socket: Duplex) => {
    parser?.call(server, socket)
    // Node emits a connection again each time a request offers another protocol and the offer is not accepted.
    const known = connections.get(socket)
    const connection: Connection = known ?? {
      pending: new Set(),
      latest: undefined,
      most,
      body: 0,
      isPipelined: false,
      hasTurn: false,
      advance: () => undefined,
      isResuming: () => false,
      detach: () => empty
    }
    attach(socket, connection)
    if (known !== undefined) return
    connections.set(socket, connection)
    on(socket, "close", () => {
      waiting.single.delete(connection)
      waiting.pipelined.delete(connection)
      // Node closes only the response being sent, not those that wait for it.
      for (const response of connection.pending) if (response.socket === null) response.destroy().emit("close")
    })
  }
  const wait = (socket: Duplex, waiting: Set<Duplex>) => {
    waiting.add(socket)
    // An error of the connection without a listener would end the process.
    on(socket, "error", () => socket.destroy())
    on(socket, "close", () => waiting.delete(socket))
  }
  server.removeAllListeners("connection")
  server.on(
    "connection",
    safely(
      (socket) => (early === undefined ? accept(socket) : wait(socket, early)),
      (_, [socket]) => socket.destroy()
    )
  )
  return {
    server,
    open: () => {
      const waiting = early ?? []
      early = undefined
      for (const socket of waiting) if (!socket.destroyed) accept(socket)
    },
    abandon: () => {
      for (const socket of early ?? []) socket.destroy()
    }
  }
}
