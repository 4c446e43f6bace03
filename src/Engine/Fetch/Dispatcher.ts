/** Connections to sites: undici agents that check every host, every answer of the resolver and every peer before a byte is sent. */
import { isIP, type LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Agent, buildConnector } from "undici"
import { safely } from "../../Callback.ts"
import { type Openings, refuseAddress, refuseHost } from "./Guard.ts"
import { Names } from "./Names.ts"

type Connector = buildConnector.connector

/** What is outside, so that tests can put something else there. */
export interface Outside {
  readonly lookup: LookupFunction
  readonly dial: (options: { readonly lookup: LookupFunction; readonly rejectUnauthorized: boolean }) => Connector
}

/** The system, with names from the resolver of the engine. */
export const outside: Effect.Effect<Outside> = Effect.map(Names, (lookup) => ({
  lookup,
  dial: (options) => buildConnector({ ...options, timeout: 10_000 })
}))

const errorOf = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** Resolves a name and refuses it when a single one of its addresses is refused. */
const guardLookup =
  (openings: Openings, port: number, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(
      hostname,
      { ...options, all: true },
      safely(
        (...[error, answers]: Parameters<typeof callback>) => {
          if (error !== null) return callback(error, "", 0)
          const list = Array.isArray(answers) ? answers : [{ address: answers, family: 4 }]
          const refused = list
            .map(({ address }) => refuseAddress(hostname, port, address, openings))
            .find((refusal) => refusal !== undefined)
          if (refused !== undefined) return callback(refused, "", 0)
          const first = list[0]
          if (first === undefined) return callback(new Error(`${hostname} has no address`), "", 0)
          return options.all === true ? callback(null, list) : callback(null, first.address, first.family)
        },
        (cause) => callback(errorOf(cause), "", 0)
      )
    )

/** The connect hook: the host as written, the answers of the resolver, and the peer that was reached. */
export const guardedConnector = (openings: Openings, rejectUnauthorized: boolean, out: Outside): Connector => {
  const byPort = new Map<number, Connector>()
  const dialTo = (port: number): Connector => {
    const known = byPort.get(port)
    if (known !== undefined) return known
    const dial = out.dial({ lookup: guardLookup(openings, port, out.lookup), rejectUnauthorized })
    byPort.set(port, dial)
    return dial
  }
  return (options, callback) => {
    const port = options.port === "" ? (options.protocol === "https:" ? 443 : 80) : Number(options.port)
    const refused = refuseHost(options.hostname, port, openings)
    if (refused !== undefined) {
      callback(refused, null)
      return
    }
    dialTo(port)(
      options,
      safely(
        (...[error, socket]: buildConnector.CallbackArgs) => {
          if (error !== null) return callback(error, null)
          const stranger = refuseAddress(options.hostname, port, socket.remoteAddress, openings)
          if (stranger === undefined) return callback(null, socket)
          socket.destroy()
          return callback(stranger, null)
        },
        (cause, [, socket]) => {
          socket?.destroy()
          callback(errorOf(cause), null)
        }
      )
    )
  }
}

/** An agent that closes with the scope. */
export const makeAgent = (
  openings: Openings,
  options: { readonly verifyTls: boolean; readonly outside?: Outside | undefined }
): Effect.Effect<Agent, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(
      outside,
      (usual) =>
        new Agent({
          connect: guardedConnector(openings, options.verifyTls, options.outside ?? usual),
          keepAliveTimeout: 4_000,
          // Both are bounded by the deadline of the request.
          headersTimeout: 0,
          bodyTimeout: 0
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )

/** The addresses of a host, in the order of the resolver; fails when one of them, or the host as it is written, is refused. */
export const checkedAddresses = (
  openings: Openings,
  host: string,
  port: number,
  lookup: LookupFunction
): Promise<ReadonlyArray<string>> => {
  const hostname = host.replace(/^\[|\]$/g, "")
  const refused = refuseHost(hostname, port, openings)
  if (refused !== undefined) return Promise.reject(refused)
  if (isIP(hostname) !== 0) return Promise.resolve([hostname])
  return new Promise((resolve, reject) => {
    guardLookup(openings, port, lookup)(hostname, { all: true }, (error, answers) =>
      error === null
        ? resolve(Array.isArray(answers) ? answers.map(({ address }) => address) : [answers])
        : reject(error)
    )
  })
}
