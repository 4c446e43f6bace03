/**
 * SSRF guard: requests reach only public addresses, and those on the operator's allowlist.
 *
 * An address of this machine itself is refused even if it is public. An IPv6 address that embeds an IPv4 address is judged by the IPv4
 * address. Callers check three times: the host as written, every DNS answer, and the peer of the connected socket.
 */

import type { LookupFunction } from "node:net"
import { networkInterfaces } from "node:os"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import ipaddr from "ipaddr.js"
import { Forbidden } from "./Api/Errors.ts"
import { safely } from "./Callback.ts"
import { catalogue } from "./Settings.ts"

/** Targets outside the public internet that may be reached. */
export interface Allowlist {
  readonly networks: ReadonlyArray<Network>
  /** `host:port`, as in the URL. */
  readonly origins: ReadonlySet<string>
}

/** Port of an http or https URL. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80)

/** Reason to refuse a host written as an IP address. Undefined for host names: those are checked after DNS resolution. */
export const refuseHost = (host: string, port: number, allowlist: Allowlist): Forbidden | undefined => {
  const address = parseAddress(host)
  return address === undefined || isAllowed(host, port, allowlist) || isReachable(address, allowlist.networks)
    ? undefined
    : blocked(host, address)
}

/** Reason to refuse a DNS answer or the peer of a socket. A missing or malformed address is refused. */
export const refuseAddress = (
  host: string,
  port: number,
  address: string | undefined,
  allowlist: Allowlist
): Forbidden | undefined => {
  if (isAllowed(host, port, allowlist)) return undefined
  const parsed = address === undefined ? undefined : parseAddress(address)
  if (parsed !== undefined && isReachable(parsed, allowlist.networks)) return undefined
  return blocked(host)
}

/** The refusal of an address among the causes of a network error. */
export const refusalIn = (cause: unknown): Forbidden | undefined => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof Forbidden) return error
  return undefined
}

export const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** DNS lookup that fails if any of the addresses is refused. */
export const guardLookup =
  (allowlist: Allowlist, port: number, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(
      hostname,
      { ...options, all: true },
      safely(
        (...[error, answers]: Parameters<typeof callback>) => {
          if (error !== null) return callback(error, "", 0)
          const list = Array.isArray(answers) ? answers : [{ address: answers, family: 4 }]
          const refused = list
            .map(({ address }) => refuseAddress(hostname, port, address, allowlist))
            .find((refusal) => refusal !== undefined)
          if (refused !== undefined) return callback(refused, "", 0)
          const first = list[0]
          if (first === undefined) return callback(new Error(`${hostname} has no address`), "", 0)
          return options.all === true ? callback(null, list) : callback(null, first.address, first.family)
        },
        (cause) => callback(toError(cause), "", 0)
      )
    )

const isAllowed = (host: string, port: number, { origins }: Allowlist): boolean =>
  origins.size > 0 && origins.has(`${host}:${port}`)

/** Error for a refused host. Does not name the address that the host resolved to, which would disclose the internal network. */
const blocked = (host: string, literal?: Address) => {
  const { env } = catalogue.allowNetworks
  // `localhost` discloses nothing.
  const address = literal ?? (/(?:^|\.)localhost\.?$/i.test(host) ? parseAddress("127.0.0.1") : undefined)
  const example = address === undefined ? "" : `, for example ${env}=${networkOf(address)}`
  const why =
    literal === undefined
      ? "is not on the public internet, or is this machine itself"
      : isOwnAddress(literal)
        ? "is an address of this machine itself"
        : `is not on the public internet (${literal.range()})`
  const advice = `add the network of its address to ${env} (in a program: allowNetworks: […], in createClient below engine)${example}`
  const error = `${host} ${why}, so it is not fetched. If it is yours, ${advice}`
  return new Forbidden({ error, code: "SSRF_BLOCKED" })
}

export class Guard extends Context.Tag("sluice/Guard")<
  Guard,
  {
    readonly allowlist: Allowlist
    /** Allows one `host:port` until the scope closes. */
    readonly allow: (origin: string) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/** Makes a guard whose allowlist starts with these networks. */
export const make = (networks: ReadonlyArray<Network>): Context.Tag.Service<typeof Guard> => {
  const origins = new Set<string>()
  return {
    allowlist: { networks, origins },
    allow: (origin) =>
      Effect.acquireRelease(
        Effect.sync(() => origins.add(origin)),
        () => Effect.sync(() => origins.delete(origin))
      )
  }
}

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** CIDR range: base address and prefix length. */
export type Network = readonly [Address, number]

/** Reads `10.0.0.0/8`, `fd00::/8` or a bare address. */
export const parseNetwork = (text: string): Either.Either<Network, string> =>
  Either.try({
    try: () => {
      if (text.includes("/")) return ipaddr.parseCIDR(text)
      const address = ipaddr.parse(text)
      return [address, address.kind() === "ipv4" ? 32 : 128] as const
    },
    catch: () => `"${text}" is neither a network such as 10.0.0.0/8 nor an address`
  })

/** Parses an IP address, with or without brackets and zone. Undefined for a host name. */
export const parseAddress = (host: string): Address | undefined => {
  const bare = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "")
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : undefined
}

const ipv4At = (address: ipaddr.IPv6, offset: number): ipaddr.IPv4 =>
  new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4))

const nat64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number]

/** IPv4 address inside an IPv4-mapped or NAT64 address. */
const embedded = (address: Address): ipaddr.IPv4 | undefined => {
  if (!(address instanceof ipaddr.IPv6)) return undefined
  return address.isIPv4MappedAddress() || address.match(nat64) ? ipv4At(address, 12) : undefined
}

const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number]

/** Addresses in public ranges that a cloud host answers itself (Azure). */
const hostServices = ["168.63.129.16"]

/** True for ISATAP addresses, which embed an arbitrary IPv4 address. */
const isIsatap = (address: ipaddr.IPv6): boolean =>
  address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200)

const isPublic = (address: Address): boolean => {
  if (address.range() !== "unicast" || hostServices.includes(address.toString())) return false
  // IPv6 addresses outside of 2000::/3 are not allocated, or embed other addresses.
  return !(address instanceof ipaddr.IPv6) || (address.match(globalUnicast) && !isIsatap(address))
}

let isWarned = false
let ownInterfaces = { addresses: new Set<string>(), at: Number.NEGATIVE_INFINITY }

/** Addresses of this machine's network interfaces, cached for 5 seconds. */
const ownAddresses = (): ReadonlySet<string> => {
  const now = performance.now()
  if (now - ownInterfaces.at > 5_000) {
    try {
      const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
      const addresses = all.flatMap(({ address }) => parseAddress(address)?.toString() ?? [])
      ownInterfaces = { addresses: new Set(addresses), at: now }
    } catch (cause) {
      // Some sandboxes forbid listing network interfaces. Private networks are refused in any case.
      ownInterfaces = { ...ownInterfaces, at: now }
      if (!isWarned)
        process.emitWarning(
          `The IP addresses of this machine cannot be listed, so requests to its own public addresses may not be blocked: ${cause}`
        )
      isWarned = true
    }
  }
  return ownInterfaces.addresses
}

const privateNetworks = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]

/** Network to suggest for the allowlist: the private network that contains the address, else the address alone. */
export const networkOf = (address: Address): string => {
  const inner = embedded(address) ?? address
  const found = privateNetworks.find((text) =>
    Either.match(parseNetwork(text), { onLeft: () => false, onRight: (network) => isInside(inner, network) })
  )
  return found ?? `${inner.toString()}/${inner.kind() === "ipv4" ? 32 : 128}`
}

const isInside = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

/** True for a public address that belongs to this machine. */
export const isOwnAddress = (address: Address): boolean => {
  const inner = embedded(address) ?? address
  return isPublic(inner) && ownAddresses().has(inner.toString())
}

/** True if connecting to an address is allowed: it is public and does not belong to this machine, or it is in one of `networks`. */
export const isReachable = (address: Address, networks: ReadonlyArray<Network>, own = ownAddresses()): boolean => {
  const inner = embedded(address) ?? address
  return (
    (isPublic(inner) && !own.has(inner.toString())) ||
    networks.some((network) => isInside(inner, network) || isInside(address, network))
  )
}

/** Headers that may follow a redirect to another site. Any other header could hold a secret. */
export const harmlessHeaders = new Set(["accept", "accept-language", "cache-control", "dnt", "pragma", "user-agent"])

/** True if both URLs have the same origin, or differ only in an upgrade from http to https on the default ports. */
export const isTrusted = (url: URL, given: URL): boolean =>
  url.origin === given.origin ||
  (url.hostname === given.hostname && url.protocol === "https:" && url.port === "" && given.port === "")
