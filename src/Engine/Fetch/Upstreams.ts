/**
 * Sends requests through the proxies of a pool: tries one proxy after the other until a request gets through, and never sends one directly.
 *
 * Depends on `Proxies`, which holds the pools and the health of their proxies, and is shared with `Fetch` and the browser's gateway. The
 * connections to a proxy open at its first request, and close with the scope.
 */
import type { LookupFunction } from "node:net"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { BadRequest, Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { type Allowlist, portOf } from "../../Guard.ts"
import { Owner } from "../Teams/FairQueue.ts"
import { checkedAddresses } from "./Dispatcher.ts"
import { withLookupTeam } from "./DnsResolver.ts"
import { connectionFailure, noProxyLeft, proxyFailure, proxyFaultOf } from "./FetchFailure.ts"
import { Proxies } from "./Proxies.ts"
import type { Proxy } from "./ProxyPool.ts"
import * as Tunnel from "./Tunnel.ts"

type Failure = BadRequest | Forbidden | TimedOut | Unprocessable

/** Proxy pool and key that all requests of a page use. */
export interface Outlet {
  /** Name of an existing pool. */
  readonly pool: string
  /** See `ProxyPool.keyOf`. */
  readonly key: string
}

export interface Upstreams {
  readonly outlet: (pool: string, host: string, session: string | undefined) => Outlet
  /**
   * Runs `use` with the outlet's proxy, or with another one if that proxy is at fault. Returns the result and the label of the proxy that
   * worked.
   */
  readonly through: <A>(
    outlet: Outlet,
    url: URL,
    use: (tunnels: Tunnel.Tunnels) => Effect.Effect<A, unknown>
  ) => Effect.Effect<readonly [A, string], Failure>
}

/** Timeout of the local DNS lookup for a proxy that resolves names itself. A host that does not resolve here may still resolve there. */
const localLookupTimeout = "2 seconds"

/** Enforces the limits of a proxy on concurrent requests and on the time between them. */
const gateOf = ({ concurrency, spacing }: Proxy): (<A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const slots = concurrency === undefined ? undefined : Effect.unsafeMakeSemaphore(concurrency)
  /** Epoch milliseconds; the next request may start from then on. */
  let turn = 0
  const awaitTurn = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (spacing === undefined) return Effect.void
    const at = Math.max(now, turn)
    turn = at + spacing
    return at > now ? Effect.sleep(at - now) : Effect.void
  })
  return (request) => {
    const inTurn = spacing === undefined ? request : Effect.zipRight(awaitTurn, request)
    return slots === undefined ? inTurn : slots.withPermits(1)(inTurn)
  }
}

/** Maximum proxies that one request tries. */
const maxTries = 4

export const make = (
  allowlist: Allowlist,
  lookup: LookupFunction
): Effect.Effect<Upstreams, never, Proxies | Scope.Scope> =>
  Effect.gen(function* () {
    const table = yield* Proxies
    const open = new Map<Proxy, Tunnel.Tunnels>()
    const gates = new Map([...table.values()].flatMap(({ proxies }) => proxies.map((each) => [each, gateOf(each)])))
    yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([...open.values()].map(({ close }) => close()))))

    const tunnelsOf = (proxy: Proxy): Tunnel.Tunnels => {
      const tunnels = open.get(proxy) ?? Tunnel.make(proxy, allowlist, { lookup })
      open.set(proxy, tunnels)
      return tunnels
    }

    /** Fails if the host name resolves locally to a refused address. */
    const checkHere = (url: URL) =>
      Effect.flatMap(Owner, (team) =>
        Effect.tryPromise({
          try: () => withLookupTeam(team, () => checkedAddresses(allowlist, url.hostname, portOf(url), lookup)),
          catch: (cause) => connectionFailure(url, cause)
        })
      ).pipe(
        Effect.timeoutOption(localLookupTimeout),
        Effect.catchIf(
          ({ _tag }) => _tag !== "Forbidden",
          () => Effect.void
        )
      )

    const through = <A>(
      outlet: Outlet,
      url: URL,
      use: (tunnels: Tunnel.Tunnels) => Effect.Effect<A, unknown>
    ): Effect.Effect<readonly [A, string], Failure> =>
      Effect.gen(function* () {
        const pool = table.get(outlet.pool)
        const tried = new Set<Proxy>()
        let last: Failure | undefined
        while (pool !== undefined && tried.size < maxTries) {
          const proxy = pool.choose(outlet.key, yield* Clock.currentTimeMillis, tried)
          if (proxy === undefined) break
          tried.add(proxy)
          if (proxy.resolvesNames) yield* checkHere(url)
          const gate = gates.get(proxy) ?? gateOf(proxy)
          const result = yield* Effect.either(gate(Effect.suspend(() => use(tunnelsOf(proxy)))))
          if (Either.isRight(result)) {
            pool.worked(proxy)
            return [result.right, proxy.label] as const
          }
          const fault = proxyFaultOf(result.left)
          const failure = proxyFailure(url, outlet.pool, proxy.label, result.left)
          if (fault === undefined) return yield* Effect.fail(failure)
          if (fault.of === "proxy") pool.failed(proxy, fault.reason, yield* Clock.currentTimeMillis)
          else last = failure
        }
        return yield* Effect.fail(last ?? noProxyLeft(url, outlet.pool, pool?.resting(yield* Clock.currentTimeMillis)))
      })

    return {
      outlet: (pool, host, session) => ({ pool, key: table.get(pool)?.keyOf(host, session) ?? host }),
      through
    }
  })
