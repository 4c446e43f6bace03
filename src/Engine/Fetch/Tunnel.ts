/**
 * Connections through a proxy that the operator configured: HTTP, HTTPS or SOCKS5.
 *
 * The host name is resolved and checked here, and the proxy opens a tunnel to one of the checked addresses, for http and https. It never
 * resolves the name, so it cannot connect to an unchecked address. TLS and the Host header keep the name. A proxy with `?dns=proxy`
 * gets host names instead.
 */
import { connect, type LookupFunction, type Socket } from "node:net"
import * as Redacted from "effect/Redacted"
import type { buildConnector, Dispatcher, Pool } from "undici"
import { safely } from "../../Callback.ts"
import { type Allowlist, toError } from "../../Guard.ts"
import { undici } from "../../Packages.ts"
import { contain, contained, containedConnector } from "./Containment.ts"
import { checkedAddresses } from "./Dispatcher.ts"
import { ProxyUnreachable, TargetRefused, TunnelRefused } from "./FetchFailure.ts"
import type { Proxy } from "./ProxyPool.ts"
import { maxHeadBytes } from "./ResponseHead.ts"
import * as Socks from "./Socks.ts"

interface Options {
  readonly lookup: LookupFunction
  /** Timeout for opening a tunnel, in milliseconds. Tests set a shorter one. */
  readonly openTimeout?: number | undefined
}

/** Connections through one proxy. */
export interface Tunnels {
  /** Agent for a URL. */
  readonly agent: (url: URL, verifyTls: boolean) => Dispatcher
  /** Opens a raw connection to a site through the proxy, without TLS. */
  readonly open: (hostname: string, port: number) => Promise<Socket>
  readonly close: () => Promise<unknown>
}

/**
 * Timeout for opening a tunnel, in milliseconds. Covers the DNS lookup, the wait for a proxy connection, and one request per address. Half
 * of the default page timeout, so that another proxy can take over the page.
 */
const defaultOpenTimeout = 15_000

/** Maximum CONNECT requests in flight per proxy. Further ones wait. */
const maxOpening = 128

/** Maximum addresses of a site to try, one after the other. */
const maxAddresses = 3

const connectTimeout = 10_000

const credentialsOf = ({ password, username }: URL) => ({
  username: decodeURIComponent(username),
  password: decodeURIComponent(password)
})

const tokenOf = (url: URL): string | undefined => {
  const { password, username } = credentialsOf(url)
  return username === "" && password === ""
    ? undefined
    : `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
}

/** Sorts IPv6 addresses last, because many proxies do not support them. */
const inOrder = (addresses: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isLong = (address: string) => address.includes(":")
  return [...addresses.filter((address) => !isLong(address)), ...addresses.filter(isLong)].slice(0, maxAddresses)
}

/** Asks the proxy for a tunnel to an address or name. */
type Opener = (host: string, port: number, signal: AbortSignal) => Promise<Socket>

const discard = (socket: Socket | Dispatcher.ConnectData["socket"]): void =>
  void socket
    .on(
      "error",
      safely(() => {})
    )
    .destroy()

/** Opens tunnels by CONNECT; `toProxy` holds the connections to the proxy itself. */
const byConnect = (toProxy: Pool, url: URL): Opener => {
  const token = tokenOf(url)
  const headers = token === undefined ? {} : { "proxy-authorization": token }
  return async (host, port, signal) => {
    const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`
    const { socket, statusCode } = await toProxy.connect({
      path: authority,
      headers: { ...headers, host: authority },
      signal
    })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    discard(socket)
    const isOwn = statusCode === 407 || statusCode === 429
    // Try the next address only when the proxy could not reach this one (5xx).
    throw new TunnelRefused(String(statusCode), isOwn ? "proxy" : "site", statusCode >= 500)
  }
}

const bySocks =
  (url: URL): Opener =>
  (host, port, signal) =>
    new Promise((resolve, reject) => {
      const socket = connect({
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: Number(url.port || 1080),
        noDelay: true
      })
      const fail = (cause: unknown): void => {
        discard(socket)
        reject(toError(cause))
      }
      const onError = safely(fail, fail)
      const onAbort = safely(() => fail(signal.reason), fail)
      signal.addEventListener("abort", onAbort, { once: true })
      socket.once("error", onError)
      socket.once(
        "connect",
        safely(
          () =>
            Socks.openTunnel(socket, credentialsOf(url), host, port).then(() => {
              socket.off("error", onError)
              signal.removeEventListener("abort", onAbort)
              resolve(socket)
            }, fail),
          fail
        )
      )
    })

/** Opens tunnels to one of the checked addresses of a site, or to its name if the proxy resolves names. */
const tunnelOpener = (
  ask: Opener,
  resolvesNames: boolean,
  allowlist: Allowlist,
  { lookup, openTimeout = defaultOpenTimeout }: Options
) => {
  const openFirst = async (hostname: string, port: number, signal: AbortSignal, onAsk: () => void): Promise<Socket> => {
    const host = hostname.replace(/^\[|\]$/g, "")
    const addresses = resolvesNames
      ? [host]
      : await checkedAddresses(allowlist, host, port, lookup).catch((cause) => {
          throw new TargetRefused(cause)
        })
    onAsk()
    let failure: unknown
    for (const address of inOrder(addresses)) {
      try {
        signal.throwIfAborted()
        return await ask(address, port, signal)
      } catch (cause) {
        if (!(cause instanceof TunnelRefused)) throw new ProxyUnreachable(cause)
        if (!cause.mayRetry) throw cause
        failure = cause
      }
    }
    throw failure
  }

  /** Rejects at the deadline by its own timer, because Undici does not reject an aborted request that is still queued. */
  return (hostname: string, port: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const controller = new AbortController()
      let isAsked = false
      const late = setTimeout(
        safely(() => {
          const cause = new (undici().errors.ConnectTimeoutError)(`The proxy opened no tunnel within ${openTimeout} ms`)
          controller.abort(cause)
          reject(isAsked ? new ProxyUnreachable(cause) : cause)
        }, reject),
        openTimeout
      )
      openFirst(hostname, port, controller.signal, () => {
        isAsked = true
      })
        .then((socket) => (controller.signal.aborted ? discard(socket) : resolve(socket)), reject)
        .finally(() => clearTimeout(late))
    })
}

/** Connector that reaches sites through tunnels. */
const tunnelConnector = (open: Tunnels["open"], verifyTls: boolean, timeout: number): buildConnector.connector => {
  const secure = undici().buildConnector({ rejectUnauthorized: verifyTls, timeout })
  return (options, callback) => {
    const isSecure = options.protocol === "https:"
    const port = options.port === "" ? (isSecure ? 443 : 80) : Number(options.port)
    open(options.hostname, port).then(
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

/** Wraps failures to connect to the proxy in `ProxyUnreachable`. */
const toProxyOnly =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...[error, socket]: buildConnector.CallbackArgs) =>
      error === null ? callback(null, socket) : callback(new ProxyUnreachable(error), null)
    )

/** Agent for plain http through a proxy that resolves names: such requests go to the proxy without a tunnel. */
const plainAgent = (url: URL): Dispatcher => {
  const token = tokenOf(url)
  return new (undici().ProxyAgent)({
    uri: url.origin,
    ...(token === undefined ? {} : { token }),
    proxyTunnel: false,
    factory: (origin, { connect, ...rest }: { readonly connect: buildConnector.connector }) =>
      new (undici().Pool)(origin, { ...rest, connect: contained(toProxyOnly(connect)) }),
    ...limits
  })
}

/** Creates the connections through a proxy, each opened when first needed. The caller closes them. */
export const make = ({ address, resolvesNames }: Proxy, allowlist: Allowlist, options: Options): Tunnels => {
  const url = new URL(Redacted.value(address))
  const { openTimeout = defaultOpenTimeout } = options
  const isHttp = url.protocol === "http:" || url.protocol === "https:"
  const toProxy = isHttp
    ? new (undici().Pool)(url.origin, {
        connect: containedConnector({ timeout: connectTimeout }),
        headersTimeout: openTimeout,
        connections: maxOpening
      })
    : undefined
  const open = tunnelOpener(
    toProxy === undefined ? bySocks(url) : byConnect(toProxy, url),
    resolvesNames,
    allowlist,
    options
  )
  const tunneling = (verifyTls: boolean) =>
    new (undici().Agent)({ connect: tunnelConnector(open, verifyTls, openTimeout), ...limits })
  const [strict, lax] = [tunneling(true), tunneling(false)]
  const plain = resolvesNames && isHttp ? plainAgent(url) : undefined
  const all = [strict, lax, plain, toProxy].filter((each) => each !== undefined)
  return {
    agent: ({ protocol }, verifyTls) =>
      plain !== undefined && protocol === "http:" ? plain : verifyTls ? strict : lax,
    open,
    close: () => Promise.all(all.map((each) => each.destroy()))
  }
}
