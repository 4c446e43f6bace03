/** Which network addresses belong to the public internet, and which a list opens (spec 2.9). */
import * as Either from "effect/Either"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

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

const compatible = ipaddr.parseCIDR("::/96") as [ipaddr.IPv6, number]
const nat64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number]

/** The IPv4 address that an IPv6 address is only another spelling of. */
const embedded = (address: Address): ipaddr.IPv4 | undefined => {
  if (!(address instanceof ipaddr.IPv6)) return undefined
  return address.isIPv4MappedAddress() || address.match(nat64) ? ipv4At(address, 12) : undefined
}

/** `::a.b.c.d` is a dead spelling of IPv4, `::` and `::1` are this machine: none of them is a place on the internet. */
const isPublic = (address: Address): boolean =>
  address.range() === "unicast" && !(address instanceof ipaddr.IPv6 && address.match(compatible))

const lies = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

/** Whether an address may be dialled: it is public, or one of the networks holds it. */
export const isReachable = (address: Address, networks: ReadonlyArray<Network>): boolean => {
  const inner = embedded(address) ?? address
  return isPublic(inner) || networks.some((network) => lies(inner, network) || lies(address, network))
}
