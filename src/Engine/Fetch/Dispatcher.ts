/** HTTP agents that apply the SSRF guard to every connection: the host as written, every DNS answer, and the connected peer. */
import { isIP, type LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Agent, buildConnector } from "undici"
import { safely } from "../../Callback.ts"
import { type Allowlist, guardLookup, refuseAddress, refuseHost, toError } from "../../Guard.ts"
import { undici } from "../../Packages.ts"
import { contained } from "./Containment.ts"
import { DnsResolver } from "./DnsResolver.ts"
import { maxHeadBytes } from "./ResponseHead.ts"

type Connector = buildConnector.connector

/** DNS and connections. Tests replace them. */
export interface SocketFactory {
  readonly lookup: LookupFunction
  readonly connect: (options: { readonly lookup: LookupFunction; readonly rejectUnauthorized: boolean }) => Connector
}

/** Sockets of the system, with the DNS resolver of the engine. */
export const systemSockets: Effect.Effect<SocketFactory, never, DnsResolver> = Effect.map(DnsResolver, (lookup) => ({
  lookup,
  connect: (options) => undici().buildConnector({ ...options, timeout: 10_000 })
}))

/** Undici connector that checks the host as written, every DNS answer, and the connected peer. */
export const guardedConnector = (
  allowlist: Allowlist,
  rejectUnauthorized: boolean,
  sockets: SocketFactory
): Connector => {
  const byPort = new Map<number, Connector>()
  const connectorFor = (port: number): Connector => {
    const existing = byPort.get(port)
    if (existing !== undefined) return existing
    const connector = sockets.connect({ lookup: guardLookup(allowlist, port, sockets.lookup), rejectUnauthorized })
    byPort.set(port, connector)
    return connector
  }
  return (options, callback) => {
    const port = options.port === "" ? (options.protocol === "https:" ? 443 : 80) : Number(options.port)
    const refused = refuseHost(options.hostname, port, allowlist)
    if (refused !== undefined) {
      callback(refused, null)
      return
    }
    connectorFor(port)(
      options,
      safely(
        (...[error, socket]: buildConnector.CallbackArgs) => {
          if (error !== null) return callback(error, null)
          const refusedPeer = refuseAddress(options.hostname, port, socket.remoteAddress, allowlist)
          if (refusedPeer === undefined) return callback(null, socket)
          socket.destroy()
          return callback(refusedPeer, null)
        },
        (cause, [, socket]) => {
          socket?.destroy()
          callback(toError(cause), null)
        }
      )
    )
  }
}

/** Returns a function that creates an HTTP agent on its first call, and returns the same agent afterwards. Closed with the scope. */
export const lazyAgent = (options: () => Agent.Options): Effect.Effect<() => Agent, never, Scope.Scope> =>
  Effect.suspend(() => {
    let agent: Agent | undefined
    let isClosed = false
    const get = () => {
      if (isClosed) throw new Error("the engine is closed")
      agent ??= new (undici().Agent)(options())
      return agent
    }
    return Effect.acquireRelease(Effect.succeed(get), () =>
      Effect.promise(() => {
        isClosed = true
        return agent?.destroy() ?? Promise.resolve()
      })
    )
  })

/** HTTP agent that applies the guard. Closed with the scope. */
export const makeAgent = (
  allowlist: Allowlist,
  options: { readonly verifyTls: boolean; readonly sockets?: SocketFactory | undefined }
): Effect.Effect<() => Agent, never, DnsResolver | Scope.Scope> =>
  Effect.flatMap(systemSockets, (system) =>
    lazyAgent(() => ({
      connect: contained(guardedConnector(allowlist, options.verifyTls, options.sockets ?? system)),
      keepAliveTimeout: 4_000,
      maxHeaderSize: maxHeadBytes,
      // No timeouts for headers and body: the deadline of each request bounds both.
      headersTimeout: 0,
      bodyTimeout: 0
    }))
  )

/** Addresses of a host, in the order of the resolver. Fails if the host as written or any of the addresses is refused. */
export const checkedAddresses = (
  allowlist: Allowlist,
  host: string,
  port: number,
  lookup: LookupFunction
): Promise<ReadonlyArray<string>> => {
  const hostname = host.replace(/^\[|\]$/g, "")
  const refused = refuseHost(hostname, port, allowlist)
  if (refused !== undefined) return Promise.reject(refused)
  if (isIP(hostname) !== 0) return Promise.resolve([hostname])
  return new Promise((resolve, reject) => {
    guardLookup(allowlist, port, lookup)(hostname, { all: true }, (error, answers) =>
      error === null
        ? resolve(Array.isArray(answers) ? answers.map(({ address }) => address) : [answers])
        : reject(error)
    )
  })
}
