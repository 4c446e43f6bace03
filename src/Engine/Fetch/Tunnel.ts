/**
 * Connections through a proxy that the operator configured.
 *
 * The host name is resolved and checked here, and the proxy opens a tunnel (CONNECT) to one of the checked addresses, for http and https. It
 * never resolves the name, so it cannot connect to an unchecked address. TLS and the Host header keep the name. A proxy with `?dns=proxy`
 * gets host names instead.
 */
import type { LookupFunction, Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { buildConnector, Dispatcher, Pool, ProxyAgent } from "undici"
import { safely } from "../../Callback.ts"
import { type Allowlist, toError } from "../../Guard.ts"
import { undici } from "../../Packages.ts"
import { contain, contained, containedConnector } from "./Containment.ts"
import { checkedAddresses } from "./Dispatcher.ts"
import { TargetRefused, TunnelRefused } from "./FetchFailure.ts"
import type { Proxy } from "./Proxies.ts"
import { maxHeadBytes } from "./ResponseHead.ts"

interface Options {
  readonly verifyTls: boolean
  readonly lookup: LookupFunction
  /** Timeout for opening a tunnel, in milliseconds. Tests set a shorter one. */
  readonly openTimeout?: number | undefined
}

/** Timeout for opening a tunnel, in milliseconds. Covers the DNS lookup, the wait for a proxy connection, and one CONNECT per address. */
const defaultOpenTimeout = 30_000

/** Maximum CONNECT requests in flight per proxy. Further ones wait. */
const maxOpening = 128

/** Maximum addresses of a site to try, one after the other. */
const maxAddresses = 3

const authorizationOf = ({ password, username }: URL): Record<string, string> => {
  if (username === "" && password === "") return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` }
}

/** Puts IPv6 addresses last: many proxies do not support them. */
const inOrder = (addresses: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isLong = (address: string) => address.includes(":")
  return [...addresses.filter((address) => !isLong(address)), ...addresses.filter(isLong)].slice(0, maxAddresses)
}

/** Connects to sites through tunnels; `toProxy` holds the connections to the proxy itself. */
const tunnelConnector = (
  toProxy: Pool,
  url: URL,
  allowlist: Allowlist,
  { lookup, openTimeout = defaultOpenTimeout, verifyTls }: Options
): buildConnector.connector => {
  const secure = undici().buildConnector({ rejectUnauthorized: verifyTls, timeout: openTimeout })
  const headers = authorizationOf(url)

  const open = async (authority: string, signal: AbortSignal): Promise<Socket> => {
    signal.throwIfAborted()
    const { socket, statusCode } = await toProxy.connect({
      path: authority,
      headers: { ...headers, host: authority },
      signal
    })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    socket
      .on(
        "error",
        safely(() => {})
      )
      .destroy()
    throw new TunnelRefused(statusCode)
  }

  const openFirst = async (hostname: string, port: number, signal: AbortSignal): Promise<Socket> => {
    const addresses = await checkedAddresses(allowlist, hostname, port, lookup).catch((cause) => {
      throw new TargetRefused(cause)
    })
    let failure: unknown
    for (const address of inOrder(addresses)) {
      try {
        return await open(`${address.includes(":") ? `[${address}]` : address}:${port}`, signal)
      } catch (cause) {
        // Try the next address only when the proxy could not reach this one (5xx).
        if (!(cause instanceof TunnelRefused) || cause.status < 500) throw cause
        failure = cause
      }
    }
    throw failure
  }

  /** Rejects at the deadline itself: Undici does not reject an aborted request while it is still queued. */
  const openInTime = (hostname: string, port: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const controller = new AbortController()
      const late = setTimeout(
        safely(() => {
          const cause = new (undici().errors.ConnectTimeoutError)(`The proxy opened no tunnel within ${openTimeout} ms`)
          controller.abort(cause)
          reject(cause)
        }, reject),
        openTimeout
      )
      openFirst(hostname, port, controller.signal)
        .then((socket) => (controller.signal.aborted ? socket.destroy() : resolve(socket)), reject)
        .finally(() => clearTimeout(late))
    })

  return (options, callback) => {
    const isSecure = options.protocol === "https:"
    const port = options.port === "" ? (isSecure ? 443 : 80) : Number(options.port)
    openInTime(options.hostname, port).then(
      (socket) => {
        if (!isSecure) return callback(null, contain(socket))
        return secure({ ...options, httpSocket: socket }, (...[error, secured]: buildConnector.CallbackArgs) => {
          if (error === null) return callback(null, contain(secured))
          socket.destroy()
          return callback(error, null)
        })
      },
      (cause) => callback(toError(cause), null)
    )
  }
}

const limits = { keepAliveTimeout: 4_000, maxHeaderSize: maxHeadBytes, headersTimeout: 0, bodyTimeout: 0 }

/** Agent for a proxy that resolves names itself. Plain http requests go to the proxy without a tunnel. */
const namesAgent = (address: string, { verifyTls }: Options): ProxyAgent =>
  new (undici().ProxyAgent)({
    uri: address,
    proxyTunnel: false,
    factory: (origin, { connect, ...rest }: { readonly connect: buildConnector.connector }) =>
      new (undici().Pool)(origin, { ...rest, connect: contained(connect) }),
    ...limits,
    ...(verifyTls ? {} : { requestTls: { rejectUnauthorized: false } })
  })

/** Makes an agent that sends requests through the proxy. It is closed with the scope. */
export const makeAgent = (
  { address, resolvesNames }: Proxy,
  allowlist: Allowlist,
  options: Options
): Effect.Effect<Dispatcher, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const url = new URL(Redacted.value(address))
      if (resolvesNames) {
        const agent = namesAgent(url.href, options)
        return { agent, close: [agent] }
      }
      const toProxy = new (undici().Pool)(url.origin, {
        connect: containedConnector({ timeout: 10_000 }),
        headersTimeout: options.openTimeout ?? defaultOpenTimeout,
        connections: maxOpening
      })
      const agent = new (undici().Agent)({ connect: tunnelConnector(toProxy, url, allowlist, options), ...limits })
      return { agent, close: [agent, toProxy] }
    }),
    ({ close }) => Effect.promise(() => Promise.all(close.map((each) => each.destroy())))
  ).pipe(Effect.map(({ agent }) => agent))
