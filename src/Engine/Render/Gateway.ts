/**
 * Forward proxy on loopback through which a browser reaches the network. Applies the SSRF guard to every request.
 *
 * Services: `Guard` decides which addresses may be reached, `DnsResolver` resolves host names.
 *
 * - If a page has a proxy pool, its requests use those proxies and are never sent directly; see `Upstreams`.
 * - A page authenticates with a `ProxyPass`, whose account counts its bytes and requests. Unknown credentials get 407.
 * - Without credentials (fixed limits, or a single pass) only processes of the same user may connect, if the system reveals the user
 *   (Linux).
 * - Closing the scope of a pass destroys its sockets; closing the gateway destroys all.
 */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { type Duplex, Transform } from "node:stream"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Agent, Dispatcher as HttpAgent } from "undici"
import { BadRequest, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { on, safely } from "../../Callback.ts"
import { type Allowlist, type Guard, portOf, refuseHost } from "../../Guard.ts"
import * as Dispatcher from "../Fetch/Dispatcher.ts"
import { DnsResolver, withLookupTeam } from "../Fetch/DnsResolver.ts"
import { connectionFailure, isDropped } from "../Fetch/FetchFailure.ts"
import type { Proxies } from "../Fetch/Proxies.ts"
import type { Tunnels } from "../Fetch/Tunnel.ts"
import * as Upstreams from "../Fetch/Upstreams.ts"
import { Owner } from "../Teams/FairQueue.ts"
import {
  admitRequest,
  countBytes,
  type GatewayFailure,
  openAccount,
  type ProxyPass,
  recordFailure,
  type TrafficAccount,
  type TrafficLimits,
  trackSocket,
  tunnelKey
} from "./TrafficAccount.ts"

export interface Gateway {
  /** `host:port` at which the proxy listens. */
  readonly address: string
  readonly open: (limits: TrafficLimits) => Effect.Effect<ProxyPass, never, Scope.Scope>
}

const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** Removes hop-by-hop headers. Names and values alternate. */
const endToEndHeaders = (raw: ReadonlyArray<string>): Array<string> => {
  const kept: Array<string> = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    if (!connectionHeaders.has(name.toLowerCase())) kept.push(name, raw[at + 1] as string)
  }
  return kept
}

const statusOf = (failure: GatewayFailure): number => (failure._tag === "Forbidden" ? 403 : 502)

/** Creates a stream that passes bytes on unchanged and counts them for the account. */
const countingStream = (account: TrafficAccount) =>
  new Transform({
    transform: (chunk: Buffer, _, done) => {
      countBytes(account, chunk.length)
      done(null, chunk)
    }
  })

type Connector = ReturnType<typeof Dispatcher.guardedConnector>

interface Agents {
  readonly strict: () => Agent
  readonly lax: () => Agent
}

/** Type of a function that runs a request through the proxies of an account. Rejects with a `GatewayFailure`. */
type Through = <A>(
  account: TrafficAccount,
  outlet: Upstreams.Outlet,
  url: URL,
  use: (tunnels: Tunnels) => Promise<A>
) => Promise<A>

const makeThrough = (upstreams: Upstreams.Upstreams, runtime: Runtime.Runtime<never>): Through => {
  const run = Runtime.runPromise(runtime)
  return (account, outlet, url, use) =>
    run(
      upstreams
        .through(outlet, url, (tunnels) => Effect.tryPromise({ try: () => use(tunnels), catch: identity }))
        .pipe(Effect.provideService(Owner, account.team), Effect.either)
    ).then((result) => {
      if (Either.isLeft(result)) throw result.left
      const [answer, label] = result.right
      account.proxy = label
      return answer
    })
}

const isFailure = (cause: unknown): cause is BadRequest | TimedOut | Unprocessable =>
  cause instanceof BadRequest || cause instanceof TimedOut || cause instanceof Unprocessable

const failureOf = (url: URL, cause: unknown): GatewayFailure =>
  isFailure(cause) ? cause : connectionFailure(url, cause)

/** Forwards a plain http request. https arrives as CONNECT. */
const forward = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  account: TrafficAccount,
  out: Agents,
  through: Through
) => {
  const url = new URL(request.url ?? "")
  const { method = "GET" } = request
  const isRead = method === "GET" || method === "HEAD"
  const abort = new AbortController()
  on(response, "close", () => abort.abort())
  const body = isRead ? null : request.pipe(countingStream(account))
  const { outlet } = account
  const { skipTlsVerification } = account.limits
  const askBy = (agent: HttpAgent) =>
    agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as "GET",
      headers: endToEndHeaders(request.rawHeaders),
      body,
      signal: abort.signal,
      responseHeaders: "raw"
    })
  const ask = () =>
    outlet === undefined
      ? askBy(skipTlsVerification ? out.lax() : out.strict())
      : through(account, outlet, url, ({ agent }) => askBy(agent(url, !skipTlsVerification)))
  // A GET or HEAD without a response is safe to repeat.
  const retry = (cause: unknown) => (isRead && isDropped(cause) ? ask() : Promise.reject(cause))
  return withLookupTeam(account.team, ask)
    .catch(retry)
    .catch(retry)
    .then(({ body, headers, statusCode }) => {
      account.failures.delete(url.href)
      response.writeHead(statusCode, endToEndHeaders(Array.isArray(headers) ? headers : []))
      body.on(
        "data",
        safely(
          (chunk: Buffer) => countBytes(account, chunk.length),
          () => response.destroy()
        )
      )
      on(body, "error", () => response.destroy())
      body.pipe(response)
    })
}

/** Connects to the target of a tunnel. */
const dialTunnel = (url: URL, connect: Connector) =>
  new Promise<Socket>((resolve, reject) => {
    // URLs write IPv6 addresses in brackets, sockets do not.
    const hostname = url.hostname.replace(/^\[|\]$/g, "")
    connect({ hostname, host: url.host, protocol: "http:", port: String(portOf(url)) }, (...[error, socket]) =>
      error === null ? resolve(socket) : reject(error)
    )
  })

/** Connects both ends of a tunnel and counts the bytes. */
const pipeTunnel = (client: Duplex, server: Socket, account: TrafficAccount) => {
  trackSocket(account, server)
  for (const [from, to] of [
    [client, server],
    [server, client]
  ] as const) {
    from.on(
      "data",
      safely(
        (chunk: Buffer) => countBytes(account, chunk.length),
        () => to.destroy()
      )
    )
    from.on(
      "error",
      safely(
        () => to.destroy(),
        () => to.destroy()
      )
    )
    from.on(
      "close",
      safely(
        () => to.destroy(),
        () => to.destroy()
      )
    )
    from.pipe(to)
  }
}

/** Finds the account of a client by its credentials. */
type FindAccount = (request: Http.IncomingMessage) => TrafficAccount | undefined

/** Handles plain http requests. */
const requestHandler =
  (allowlist: Allowlist, accountOf: FindAccount, agents: Agents, through: Through) =>
  (request: Http.IncomingMessage, response: Http.ServerResponse) => {
    const end = (status: number, headers = {}): void => {
      if (response.headersSent) response.destroy()
      else response.writeHead(status, { ...headers, "content-length": 0 }).end()
    }
    const account = accountOf(request)
    if (account === undefined) return end(407, { "proxy-authenticate": 'Basic realm="gateway"' })
    if (!canParse(request.url ?? "") || !/^https?:/i.test(request.url ?? "")) return end(400)
    const url = new URL(request.url ?? "")
    const refusal = admitRequest(account, url)
    if (refusal !== undefined) return end(refusal)
    trackSocket(account, request.socket)
    const literal = refuseHost(url.hostname, portOf(url), allowlist)
    if (literal !== undefined) {
      recordFailure(account, url.href, literal)
      return end(403)
    }
    void forward(request, response, account, agents, through).catch((cause) => {
      const failure = failureOf(url, cause)
      if (!response.destroyed) recordFailure(account, url.href, failure)
      end(statusOf(failure))
    })
  }

/** Handles CONNECT requests. */
const connectHandler =
  (accountOf: FindAccount, connect: Connector, through: Through) =>
  (request: Http.IncomingMessage, client: Duplex, head: Buffer) => {
    on(client, "error", () => client.destroy())
    const end = (status: number, headers = ""): void =>
      void client.end(`HTTP/1.1 ${status} ${Http.STATUS_CODES[status]}\r\n${headers}content-length: 0\r\n\r\n`)
    const account = accountOf(request)
    if (account === undefined) return end(407, 'proxy-authenticate: Basic realm="gateway"\r\n')
    if (!canParse(`https://${request.url}`)) return end(400)
    const url = new URL(`https://${request.url}`)
    const refusal = admitRequest(account, url)
    if (refusal !== undefined) return end(refusal)
    trackSocket(account, client)
    const { outlet } = account
    const dial = () =>
      outlet === undefined
        ? dialTunnel(url, connect)
        : through(account, outlet, url, ({ open }) => open(url.hostname, portOf(url)))
    void withLookupTeam(account.team, dial).then(
      (server) => {
        if (client.destroyed) return server.destroy()
        account.failures.delete(tunnelKey(url))
        client.write("HTTP/1.1 200 Connection established\r\n\r\n")
        if (head.length > 0) server.write(head)
        return pipeTunnel(client, server, account)
      },
      (cause) => {
        const failure = failureOf(url, cause)
        recordFailure(account, tunnelKey(url), failure)
        end(statusOf(failure))
      }
    )
  }

/** Listens on a free loopback port. `sameUserOnly` rejects connections of other users. */
const listen = (
  onRequest: ReturnType<typeof requestHandler>,
  onConnect: ReturnType<typeof connectHandler>,
  sameUserOnly: boolean
) =>
  Effect.async<{ readonly server: Http.Server; readonly address: string }>((resume) => {
    const server = Http.createServer(
      { keepAliveTimeout: 10_000 },
      safely(onRequest, (_, [, response]) => response.destroy())
    ).on(
      "connect",
      safely(onConnect, (_, [, client]) => client.destroy())
    )
    if (sameUserOnly)
      server.on(
        "connection",
        safely(
          (socket) => isOtherUser(socket) && socket.destroy(),
          (_, [socket]) => socket.destroy()
        )
      )
    // The deadline of the scrape bounds slow requests.
    server.requestTimeout = 0
    // Without a listener, an error such as EMFILE would end the process.
    on(server, "error", (error: Error) => resume(Effect.die(error)))
    server.listen(
      0,
      "127.0.0.1",
      safely(() => resume(Effect.succeed({ server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` })))
    )
  })

const destroySockets = ({ sockets }: TrafficAccount): void => {
  for (const socket of sockets) socket.destroy()
}

/** Credentials and account of a new pass. `token` is its `Proxy-Authorization` header. */
const makePass = (limits: TrafficLimits, team: string, outlet: Upstreams.Outlet | undefined) => {
  const username = randomBytes(8).toString("hex")
  const password = randomBytes(24).toString("hex")
  const token = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
  const account = openAccount(limits, team, outlet)
  const { failures } = account
  const pass: ProxyPass = { username, password, failures, proxy: () => account.proxy, spent: () => account.spent }
  return { token, account, pass }
}

/**
 * Starts a gateway, closed with the scope. By default every page has a pass of its own, from `open`. With `access` clients need no
 * credentials: all share one account with these limits, or use the only open pass (`"single"`).
 */
export const make = (
  { allowlist }: Context.Tag.Service<typeof Guard>,
  access?: TrafficLimits | "single"
): Effect.Effect<Gateway, never, DnsResolver | Proxies | Scope.Scope> =>
  Effect.gen(function* () {
    const agents: Agents = {
      strict: yield* Dispatcher.makeAgent(allowlist, { verifyTls: true }),
      lax: yield* Dispatcher.makeAgent(allowlist, { verifyTls: false })
    }
    const connect = Dispatcher.guardedConnector(allowlist, true, yield* Dispatcher.systemSockets)
    const upstreams = yield* Upstreams.make(allowlist, yield* DnsResolver)
    const through = makeThrough(upstreams, yield* Effect.runtime())
    const outletOf = ({ proxy }: TrafficLimits) =>
      proxy === undefined ? undefined : upstreams.outlet(proxy.pool, proxy.host, proxy.session)
    const accounts = new Map<string, TrafficAccount>()
    const shared =
      access === undefined || access === "single" ? undefined : openAccount(access, yield* Owner, outletOf(access))
    if (shared !== undefined) accounts.set("", shared)
    const accountOf: FindAccount = ({ headers }) =>
      shared ??
      (access === "single" ? accounts.values().next().value : accounts.get(headers["proxy-authorization"] ?? ""))

    const { address } = yield* Effect.acquireRelease(
      listen(
        requestHandler(allowlist, accountOf, agents, through),
        connectHandler(accountOf, connect, through),
        access !== undefined
      ),
      ({ server }) =>
        Effect.sync(() => {
          for (const account of accounts.values()) destroySockets(account)
          server.close()
          server.closeAllConnections()
        })
    )

    const open = (limits: TrafficLimits) =>
      Effect.acquireRelease(
        Effect.map(Owner, (team) => {
          const made = makePass(limits, team, outletOf(limits))
          accounts.set(made.token, made.account)
          return made
        }),
        ({ account, token }) =>
          Effect.sync(() => {
            accounts.delete(token)
            destroySockets(account)
          })
      ).pipe(Effect.map(({ pass }) => pass))

    return { address, open }
  })

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** Matches the line of `/proc/net/tcp` for the client's end of a connection: `sl local remote state tx:rx timer retransmits uid …`. */
const tcpRow = (local: number, remote: number): RegExp =>
  new RegExp(`^ *\\d+: 0100007F:${hex(local)} 0100007F:${hex(remote)} \\w\\w \\S+ \\S+ \\S+ +(\\d+) `, "m")

/** True if another user opened the connection. Only Linux reveals the owner; elsewhere the result is always false. */
export const isOtherUser = ({ localPort = 0, remoteAddress, remotePort = 0 }: Socket): boolean => {
  if (process.platform !== "linux") return false
  // From another local address, another user could use a port number that our user also has on 127.0.0.1.
  if (remoteAddress !== "127.0.0.1") return true
  try {
    const uid = tcpRow(remotePort, localPort).exec(readFileSync("/proc/net/tcp", "latin1"))?.[1]
    return uid === undefined || Number(uid) !== process.getuid?.()
  } catch {
    return false
  }
}
