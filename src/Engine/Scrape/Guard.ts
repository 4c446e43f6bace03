/** Keeps the engine from being used as a way into private networks. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Forbidden } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"
import * as Address from "./Address.ts"

/** What lies outside the public internet and may be reached all the same. */
export interface Openings {
  readonly networks: ReadonlyArray<Address.Network>
  /** `host:port`, exactly as dialled. */
  readonly origins: ReadonlySet<string>
}

/** Why a host that is written as an address is refused; undefined for names, which are judged by what they resolve to. */
export const refuseHost = (host: string, port: number, openings: Openings): Forbidden | undefined => {
  const address = Address.parseAddress(host)
  return address === undefined || isOpen(host, port, openings) || Address.isReachable(address, openings.networks)
    ? undefined
    : blocked(host, address)
}

/** Why an answer of the resolver, or the peer of a socket, is refused; what cannot be read as an address is. */
export const refuseAddress = (
  host: string,
  port: number,
  address: string | undefined,
  openings: Openings
): Forbidden | undefined => {
  if (isOpen(host, port, openings)) return undefined
  const parsed = address === undefined ? undefined : Address.parseAddress(address)
  if (parsed !== undefined && Address.isReachable(parsed, openings.networks)) return undefined
  return blocked(host)
}

const isOpen = (host: string, port: number, { origins }: Openings): boolean =>
  origins.size > 0 && origins.has(`${host}:${port}`)

/** Of a name it is not said what it resolved to: that would tell strangers of the network around the machine. */
const blocked = (host: string, literal?: Address.Address) => {
  const { env } = catalogue.allowNetworks
  // What this name stands for is no secret.
  const address = literal ?? (/(?:^|\.)localhost\.?$/i.test(host) ? Address.parseAddress("127.0.0.1") : undefined)
  const example = address === undefined ? "" : `, for example ${env}=${Address.networkOf(address)}`
  const why =
    literal === undefined
      ? "is not on the public internet, or is this machine itself"
      : Address.isOwn(literal)
        ? "is an address of this machine itself"
        : `is not on the public internet (${literal.range()})`
  const error = `${host} ${why}, so it is not fetched. If it is yours, add the network of its address to ${env}${example}`
  return new Forbidden({ error, code: "SSRF_BLOCKED" })
}

export class Guard extends Context.Tag("sluice/Engine/Scrape/Guard")<
  Guard,
  {
    readonly openings: Openings
    /** Lets one `host:port` through for as long as the scope is open. */
    readonly open: (origin: string) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/** A guard with these networks open from the start. */
export const make = (networks: ReadonlyArray<Address.Network>): Context.Tag.Service<typeof Guard> => {
  const origins = new Set<string>()
  return {
    openings: { networks, origins },
    open: (origin) =>
      Effect.acquireRelease(
        Effect.sync(() => origins.add(origin)),
        () => Effect.sync(() => origins.delete(origin))
      )
  }
}
