/**
 * Proxies that the operator configured (`SLUICE_PROXIES`). Entries of one name form a pool; requests select a pool by name.
 *
 * The entries without a name form the pool `default`, which takes every request that names no other. `team/name=url` is an entry of a pool
 * for one team only.
 */
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { canParse } from "../../Api/Url.ts"
import { isSticky, type Proxy, ProxyPool, type Sticky, stickies } from "./ProxyPool.ts"

/** Pools by name in lower case; `team/name` for the pool of a single team. */
export type ProxyTable = ReadonlyMap<string, ProxyPool>

export class Proxies extends Context.Tag("sluice/Engine/Fetch/Proxies")<Proxies, ProxyTable>() {}

/** Pool of the entries without a name. */
export const defaultPool = "default"

/** Key of the first named pool that the team may use. A team's own pool comes before the shared pool of the same name. */
export const poolFor = (table: ProxyTable, team: string, names: ReadonlyArray<string>): string | undefined =>
  names
    // A name with a slash would address another team's pool.
    .filter((name) => !name.includes("/"))
    .flatMap((name) => [`${team}/${name}`, name])
    .find((key) => table.has(key))

/** Names of the teams that have pools of their own. */
export const teamsOf = (table: ProxyTable): ReadonlyArray<string> =>
  [...table.keys()].flatMap((key) => (key.includes("/") ? [key.slice(0, key.indexOf("/"))] : []))

const maxProxies = 100
const maxWeight = 1000

const protocols = new Set(["http:", "https:", "socks5:", "socks5h:"])

const isAddress = (text: string): boolean =>
  canParse(text) && protocols.has(new URL(text).protocol) && new URL(text).hostname !== ""

const canDecode = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

interface EntryOptions {
  readonly resolvesNames: boolean
  readonly sticky: Sticky | undefined
  readonly weight: number
  readonly concurrency: number | undefined
  readonly spacing: number | undefined
}

/** Milliseconds between requests for a rate such as `10/s`, `100/m` or `1000/h`; undefined for any other text. */
const spacingOf = (rate: string): number | undefined => {
  const [, limit, unit] = /^([1-9]\d*)\/([smh])$/.exec(rate) ?? []
  return limit === undefined
    ? undefined
    : { s: 1_000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"] / Number(limit)
}

/** Reads the options in the query of a proxy's URL; undefined if one is unknown or invalid. */
const readOptions = ({ protocol, searchParams }: URL): EntryOptions | undefined => {
  const { concurrency, dns, rate, sticky, weight = "1", ...others } = Object.fromEntries(searchParams)
  const isKnown = Object.keys(others).length === 0 && (dns === undefined || dns === "proxy")
  if (!isKnown || (sticky !== undefined && !isSticky(sticky))) return undefined
  const isNumber = (text: string) => /^[1-9]\d*$/.test(text) && Number(text) <= maxWeight
  if (!isNumber(weight) || (concurrency !== undefined && !isNumber(concurrency))) return undefined
  const spacing = rate === undefined ? undefined : spacingOf(rate)
  if (rate !== undefined && spacing === undefined) return undefined
  return {
    resolvesNames: dns === "proxy" || protocol === "socks5h:",
    sticky,
    weight: Number(weight),
    concurrency: concurrency === undefined ? undefined : Number(concurrency),
    spacing
  }
}

interface Draft {
  readonly proxies: Array<Proxy>
  sticky: Sticky | undefined
}

/** Label of a proxy: its address without user name and password. Further proxies of a pool on the same host and port get a number. */
const labelOf = ({ host, protocol }: URL, others: ReadonlyArray<Proxy>): string => {
  const label = `${protocol}//${host}`
  const same = others.filter((other) => other.label.split("#", 1)[0] === label).length
  return same === 0 ? label : `${label}#${same + 1}`
}

/** Parses `url,name=url,team/name=url`. Errors give the position of an entry, never its text, which may hold a password. */
export const parse = (text: Redacted.Redacted): Either.Either<ProxyTable, string> => {
  const entries = Redacted.value(text)
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
  if (entries.length > maxProxies) return Either.left(`there are more than ${maxProxies} proxies`)
  const drafts = new Map<string, Draft>()
  for (const [at, entry] of entries.entries()) {
    const [, own = "", given, address = ""] = /^(?:([\w.-]{1,64}\/)?([a-z][\w-]{0,63})=)?(.*)$/is.exec(entry) ?? []
    if (given === undefined && !canParse(entry)) return Either.left(`entry ${at + 1} is not name=url or url`)
    const name = `${own}${(given ?? defaultPool).toLowerCase()}`
    const place = `entry ${at + 1}, "${name}",`
    if (!isAddress(address))
      return Either.left(`${place} has no address that begins with http://, https://, socks5:// or socks5h://`)
    const url = new URL(address)
    const options = readOptions(url)
    if (options === undefined) {
      return Either.left(
        `${place} has unknown options; the known ones are dns=proxy, weight=1 to ${maxWeight}, concurrency=1 to ${maxWeight}, rate=10/s, and sticky=${stickies.join(" or ")}`
      )
    }
    if (!canDecode(url.username) || !canDecode(url.password))
      return Either.left(`entry ${at + 1}, "${name}": write the % in its user name or password as %25`)
    const { sticky, ...settings } = options
    const draft = drafts.get(name) ?? { proxies: [], sticky: undefined }
    if (sticky !== undefined && draft.sticky !== undefined && sticky !== draft.sticky)
      return Either.left(
        `${place} sets sticky=${sticky}, but an earlier entry of the same name sets sticky=${draft.sticky}`
      )
    url.search = ""
    draft.sticky ??= sticky
    draft.proxies.push({ address: Redacted.make(url.href), label: labelOf(url, draft.proxies), ...settings })
    drafts.set(name, draft)
  }
  const pools = [...drafts].map(([name, { proxies, sticky }]) => [name, new ProxyPool(proxies, sticky)] as const)
  return Either.right(new Map(pools))
}
