/** Proxies that the operator configured (`SLUICE_PROXIES`). Requests select one by name. */
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { canParse } from "../../Api/Url.ts"

export interface Proxy {
  /** http or https URL, including user name and password. */
  readonly address: Redacted.Redacted
  /** The proxy gets host names and resolves them itself (`?dns=proxy`), instead of addresses that the guard has checked. */
  readonly resolvesNames: boolean
}

/** By name, in lower case. */
export type ProxyTable = ReadonlyMap<string, Proxy>

export class Proxies extends Context.Tag("sluice/Engine/Fetch/Proxies")<Proxies, ProxyTable>() {}

const maxProxies = 100

const isAddress = (text: string): boolean =>
  canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ""

const canDecode = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Parses `name=url,name=url`. Errors give the position of an entry, never its text, which may hold a password. */
export const parse = (text: Redacted.Redacted): Either.Either<ProxyTable, string> => {
  const entries = Redacted.value(text)
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
  if (entries.length > maxProxies) return Either.left(`there are more than ${maxProxies} proxies`)
  const table = new Map<string, Proxy>()
  for (const [at, entry] of entries.entries()) {
    const equals = entry.indexOf("=")
    const name = entry.slice(0, Math.max(0, equals)).toLowerCase()
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) return Either.left(`entry ${at + 1} is not name=url`)
    if (!isAddress(entry.slice(equals + 1)))
      return Either.left(`entry ${at + 1}, "${name}", has no http:// or https:// address`)
    if (table.has(name)) return Either.left(`"${name}" is there twice`)
    const url = new URL(entry.slice(equals + 1))
    if (url.search !== "" && url.search !== "?dns=proxy")
      return Either.left(`entry ${at + 1}, "${name}", has options; the only one there is is ?dns=proxy`)
    if (!canDecode(url.username) || !canDecode(url.password))
      return Either.left(`entry ${at + 1}, "${name}": the % in its user or password has to be written as %25`)
    const resolvesNames = url.search !== ""
    url.search = ""
    table.set(name, { address: Redacted.make(url.href), resolvesNames })
  }
  return Either.right(table)
}
