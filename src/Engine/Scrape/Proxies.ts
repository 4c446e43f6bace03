/** The proxies that the operator has set, by the names that requests ask for them by (spec 2.9). */

import * as Context from "effect/Context"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { canParse } from "../../Api/Url.ts"

/** Addresses with passwords in them, by name in lower case. */
export type Table = ReadonlyMap<string, Redacted.Redacted>

/** Empty unless the operator has set some. */
export class Proxies extends Context.Reference<Proxies>()("sluice/Engine/Scrape/Proxies", {
  defaultValue: (): Table => new Map()
}) {}

const maxProxies = 100

const isAddress = (text: string): boolean =>
  canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ""

/** Reads `name=url,name=url`; what is wrong is told by its place, never by what was written there. */
export const parse = (text: Redacted.Redacted): Either.Either<Table, string> => {
  const entries = Redacted.value(text)
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
  if (entries.length > maxProxies) return Either.left(`there are more than ${maxProxies} proxies`)
  const table = new Map<string, Redacted.Redacted>()
  for (const [at, entry] of entries.entries()) {
    const sign = entry.indexOf("=")
    const name = entry.slice(0, Math.max(0, sign)).toLowerCase()
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) return Either.left(`entry ${at + 1} is not name=url`)
    if (!isAddress(entry.slice(sign + 1)))
      return Either.left(`entry ${at + 1}, "${name}", has no http:// or https:// address`)
    if (table.has(name)) return Either.left(`"${name}" is there twice`)
    table.set(name, Redacted.make(entry.slice(sign + 1)))
  }
  return Either.right(table)
}
