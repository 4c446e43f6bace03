/** Headers of responses: rate limits (`Retry-After`, `RateLimit`, `RateLimit-*`, `X-RateLimit-*`), links (RFC 8288) and addresses. */
import { httpDateMillis } from "../../Api/HttpDate.ts"
import { retryAfterMillis } from "../../Api/RetryAfter.ts"
import { canParse } from "../../Api/Url.ts"
import { setParameter } from "../../Row/Query.ts"

type Headers = Readonly<Record<string, string | undefined>>

const numberIn = (text: string | undefined): number | undefined => {
  const found = /^\s*(\d+(?:\.\d+)?)/.exec(text ?? "")?.[1]
  return found === undefined ? undefined : Number(found)
}

const first = (headers: Headers, names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => headers[name]).find((value) => value !== undefined)

/** Number in a structured header: `"default";r=0;t=30`, or `limit=100, remaining=0, reset=30` in older drafts. */
const member = (header: string | undefined, names: string): number | undefined =>
  numberIn(new RegExp(`(?:^|[;,\\s])(?:${names})\\s*=\\s*(\\d+)`, "i").exec(header ?? "")?.[1])

/** Time of a reset in milliseconds from now, given as seconds or milliseconds since 1970, seconds from now, or a date. */
const resetMillis = (text: string | undefined, now: number): number | undefined => {
  const number = /^\s*\d+(?:\.\d+)?\s*$/.test(text ?? "") ? Number(text) : undefined
  if (number === undefined) {
    const date = text === undefined ? Number.NaN : httpDateMillis(text)
    return Number.isNaN(date) ? undefined : Math.max(0, date - now)
  }
  if (number > 100_000_000_000) return Math.max(0, number - now)
  return number > 1_000_000_000 ? Math.max(0, number * 1000 - now) : number * 1000
}

/** Milliseconds until the API accepts the next request; undefined if it accepts one now, or does not say. */
export const waitOf = (headers: Headers, now: number): number | undefined => {
  const asked = retryAfterMillis(headers["retry-after"], now)
  if (asked !== undefined) return asked
  const structured = headers.ratelimit
  const remaining =
    member(structured, "r|remaining") ??
    numberIn(first(headers, ["ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining"]))
  if (remaining !== 0) return undefined
  const reset = member(structured, "t|reset")
  if (reset !== undefined) return reset * 1000
  return resetMillis(
    first(headers, ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset", "x-ratelimit-reset-after"]),
    now
  )
}

/** Parameter of a link, quoted or not. Quoted values may contain commas and semicolons. Some services use single quotes. */
const parameter =
  /;\s*([\w!#$&+.^`|~-]+)\*?\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'(?=\s*(?:[;,]|$))|([^\s;,"]*)))?\s*/y

const between = /[\s,]*/y
const target = /<([^>]*)>\s*/y

/** Target of the first link with this relation, as written; undefined if there is none. */
export const nextLink = (header: string, relation: string): string | undefined => {
  const wanted = relation.toLowerCase()
  let at = 0
  while (at < header.length) {
    between.lastIndex = at
    between.exec(header)
    target.lastIndex = between.lastIndex
    const link = target.exec(header)
    if (link === null) {
      // Not a link, but a link may follow the next comma.
      const comma = header.indexOf(",", between.lastIndex + 1)
      if (comma === -1) return undefined
      at = comma
      continue
    }
    at = target.lastIndex
    let relations: string | undefined
    for (;;) {
      parameter.lastIndex = at
      const found = parameter.exec(header)
      if (found === null) break
      at = parameter.lastIndex
      // Only the first `rel` counts.
      if (found[1]?.toLowerCase() === "rel")
        relations ??= (found[2] ?? found[3] ?? found[4] ?? "").replaceAll(/\\(.)/g, "$1")
    }
    if (relations?.toLowerCase().split(/\s+/).includes(wanted) === true) return link[1]?.trim()
  }
  return undefined
}

/**
 * Web address that a response leads to; undefined if it is not valid. User, password and the parameters `keys` are removed: APIs repeat the
 * query of a request, including its keys.
 */
export const leadsTo = (written: string, from: string, keys: ReadonlyArray<string>): string | undefined => {
  if (!canParse(written, from)) return undefined
  const to = new URL(written, from)
  if (!/^https?:$/.test(to.protocol)) return undefined
  to.username = ""
  to.password = ""
  to.hash = ""
  const secret = new Set(keys.map((name) => name.toLowerCase()))
  const names = [...to.searchParams.keys()].filter((name) => secret.has(name.toLowerCase()))
  for (const name of names) setParameter(to, name, [])
  return to.href
}
