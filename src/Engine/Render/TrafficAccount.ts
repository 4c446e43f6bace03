/** Account of one page's traffic through the gateway: its limits, usage and failures. */
import type { Duplex } from "node:stream"
import type { BadRequest, Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { on } from "../../Callback.ts"
import { portOf } from "../../Guard.ts"
import type { Outlet } from "../Fetch/Upstreams.ts"

export type GatewayFailure = BadRequest | Forbidden | TimedOut | Unprocessable

export interface TrafficLimits {
  /** Maximum bytes sent plus received on the network. */
  readonly bytes: number
  /** Maximum number of tunnels (for https) and plain http requests. */
  readonly requests: number
  readonly skipTlsVerification: boolean
  /** Hosts whose requests get 403, such as ad servers. */
  readonly isBlockedHost: (host: string) => boolean
  /**
   * Proxy pool for all requests, and the values that keep a request on one proxy; see `ProxyPool.keyOf`. Without it requests are sent
   * directly.
   */
  readonly proxy?: { readonly pool: string; readonly host: string; readonly session: string } | undefined
  /** Called once, when a limit is reached. After that, all traffic is refused. */
  readonly onSpent: (what: SpentLimit) => void
}

export type SpentLimit = "bytes" | "requests"

/** Proxy credentials of a page, with the failures of its requests. */
export interface ProxyPass {
  readonly username: string
  readonly password: string
  /** Failures by target: plain requests by URL, tunnels by `host:port`. */
  readonly failures: ReadonlyMap<string, GatewayFailure>
  /** Address of the proxy that was used last, without user name and password. */
  readonly proxy: () => string | undefined
  /** The limit that was reached, if any. */
  readonly spent: () => SpentLimit | undefined
}

/** State that the gateway keeps for a {@link ProxyPass}. */
export interface TrafficAccount {
  readonly team: string
  readonly limits: TrafficLimits
  readonly failures: Map<string, GatewayFailure>
  readonly sockets: Set<Duplex>
  bytes: number
  requests: number
  spent: SpentLimit | undefined
  readonly outlet: Outlet | undefined
  /** Label of the proxy that was used last. */
  proxy: string | undefined
}

/** Maximum failures to keep, because a page may try any number of targets. */
const maxFailures = 100

/** Tracks a socket so that it can be destroyed when a limit is reached. A kept-alive connection is tracked once. */
export const trackSocket = (account: TrafficAccount, socket: Duplex) => {
  if (account.sockets.has(socket)) return
  account.sockets.add(socket)
  on(socket, "close", () => account.sockets.delete(socket))
}

const exhaust = (account: TrafficAccount, what: SpentLimit) => {
  if (account.spent !== undefined) return
  account.spent = what
  account.limits.onSpent(what)
  for (const socket of account.sockets) socket.destroy()
}

export const countBytes = (account: TrafficAccount, bytes: number) => {
  account.bytes += bytes
  if (account.bytes > account.limits.bytes) exhaust(account, "bytes")
}

/** Key of a tunnel in `failures`. */
export const tunnelKey = (url: URL): string => `${url.hostname}:${portOf(url)}`

/** Records a failure. Beyond `maxFailures` it replaces the oldest one, because the failure of the page's last navigation matters most. */
export const recordFailure = ({ failures }: TrafficAccount, name: string, failure: GatewayFailure) => {
  failures.delete(name)
  const [oldest] = failures.keys()
  if (failures.size >= maxFailures && oldest !== undefined) failures.delete(oldest)
  failures.set(name, failure)
}

/** Counts a request. If the request is refused, returns the status to refuse it with. */
export const admitRequest = (account: TrafficAccount, url: URL): number | undefined => {
  account.requests += 1
  if (account.requests > account.limits.requests) exhaust(account, "requests")
  if (account.spent !== undefined || account.limits.isBlockedHost(url.hostname)) return 403
  return undefined
}

export const openAccount = (limits: TrafficLimits, team: string, outlet: Outlet | undefined): TrafficAccount => ({
  team,
  limits,
  outlet,
  proxy: undefined,
  failures: new Map(),
  sockets: new Set(),
  bytes: 0,
  requests: 0,
  spent: undefined
})
