/** SSRF guard: only addresses of the public internet may be reached, and those that the operator allows. */

import { networkInterfaces } from "node:os"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import ipaddr from "ipaddr.js"
import { Forbidden } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"

/** What lies outside the public internet and may be reached all the same. */
export interface Openings {
  readonly networks: ReadonlyArray<Network>
  /** `host:port`, exactly as dialled. */
  readonly origins: ReadonlySet<string>
}

/** Why a host that is written as an address is refused; undefined for names, which are judged by what they resolve to. */
export const refuseHost = (host: string, port: number, openings: Openings): Forbidden | undefined => {
  const address = parseAddress(host)
  return address === undefined || isOpen(host, port, openings) || isReachable(address, openings.networks)
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
  const parsed = address === undefined ? undefined : parseAddress(address)
  if (parsed !== undefined && isReachable(parsed, openings.networks)) return undefined
  return blocked(host)
}

const isOpen = (host: string, port: number, { origins }: Openings): boolean =>
  origins.size > 0 && origins.has(`${host}:${port}`)

/** Of a name it is not said what it resolved to: that would tell strangers of the network around the machine. */
const blocked = (host: string, literal?: Address) => {
  const { env } = catalogue.allowNetworks
  // What this name stands for is no secret.
  const address = literal ?? (/(?:^|\.)localhost\.?$/i.test(host) ? parseAddress("127.0.0.1") : undefined)
  const example = address === undefined ? "" : `, for example ${env}=${networkOf(address)}`
  const why =
    literal === undefined
      ? "is not on the public internet, or is this machine itself"
      : isOwn(literal)
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
export const make = (networks: ReadonlyArray<Network>): Context.Tag.Service<typeof Guard> => {
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

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A range of addresses that may be reached although they are not public. */
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

/** The address as the URL standard and sockets write it: without brackets and zone; undefined for a name. */
export const parseAddress = (host: string): Address | undefined => {
  const bare = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "")
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : undefined
}

const ipv4At = (address: ipaddr.IPv6, offset: number): ipaddr.IPv4 =>
  new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4))

const nat64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number]

/** The IPv4 address that an IPv6 address is only another spelling of. */
const embedded = (address: Address): ipaddr.IPv4 | undefined => {
  if (!(address instanceof ipaddr.IPv6)) return undefined
  return address.isIPv4MappedAddress() || address.match(nat64) ? ipv4At(address, 12) : undefined
}

const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number]

/** Looks public, but is answered by the Azure host of a virtual machine. */
const hostServices = ["168.63.129.16"]

/** Whether the address names an IPv4 host behind a site's own router (ISATAP): that host may be any. */
const isIsatap = (address: ipaddr.IPv6): boolean =>
  address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200)

const isPublic = (address: Address): boolean => {
  if (address.range() !== "unicast" || hostServices.includes(address.toString())) return false
  // What lies outside of 2000::/3 is not given out to anybody, and some of it is spellings of other addresses.
  return !(address instanceof ipaddr.IPv6) || (address.match(globalUnicast) && !isIsatap(address))
}

let isWarned = false
let own = { addresses: new Set<string>(), at: Number.NEGATIVE_INFINITY }

/** Addresses of this machine itself, as they were some seconds ago at most. */
const ownAddresses = (): ReadonlySet<string> => {
  const now = performance.now()
  if (now - own.at > 5_000) {
    try {
      const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
      const addresses = all.flatMap(({ address }) => parseAddress(address)?.toString() ?? [])
      own = { addresses: new Set(addresses), at: now }
    } catch (cause) {
      // Some sandboxes forbid to list network interfaces. Private networks are refused all the same.
      own = { ...own, at: now }
      if (!isWarned) process.emitWarning(`The addresses of this machine cannot be read: ${cause}`)
      isWarned = true
    }
  }
  return own.addresses
}

/** Common private networks. */
const usual = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]

/** The network to open for an address: the usual one that it lies in, else the address alone. */
export const networkOf = (address: Address): string => {
  const inner = embedded(address) ?? address
  const found = usual.find((text) =>
    Either.match(parseNetwork(text), { onLeft: () => false, onRight: (network) => lies(inner, network) })
  )
  return found ?? `${inner.toString()}/${inner.kind() === "ipv4" ? 32 : 128}`
}

const lies = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

/** Whether it is a public address of this machine itself. */
export const isOwn = (address: Address): boolean => {
  const inner = embedded(address) ?? address
  return isPublic(inner) && ownAddresses().has(inner.toString())
}

/** Whether an address may be dialled: it is public and not this machine's own, or one of the networks holds it. */
export const isReachable = (address: Address, networks: ReadonlyArray<Network>, mine = ownAddresses()): boolean => {
  const inner = embedded(address) ?? address
  return (
    (isPublic(inner) && !mine.has(inner.toString())) ||
    networks.some((network) => lies(inner, network) || lies(address, network))
  )
}
