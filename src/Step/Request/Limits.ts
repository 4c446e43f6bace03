/** Rate limits that an API tells in its headers: `Retry-After`, `RateLimit`, `RateLimit-*`, `X-RateLimit-*`. */
import { retryAfterMillis } from "../../Api/RetryAfter.ts"

type Headers = Readonly<Record<string, string | undefined>>

const numberIn = (text: string | undefined): number | undefined => {
  const found = /^\s*(\d+(?:\.\d+)?)/.exec(text ?? "")?.[1]
  return found === undefined ? undefined : Number(found)
}

const first = (headers: Headers, names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => headers[name]).find((value) => value !== undefined)

/** Member of the structured header: `"default";r=0;t=30`, and in older drafts `limit=100, remaining=0, reset=30`. */
const member = (header: string | undefined, names: string): number | undefined =>
  numberIn(new RegExp(`(?:^|[;,\\s])(?:${names})\\s*=\\s*(\\d+)`, "i").exec(header ?? "")?.[1])

/** Epoch seconds or milliseconds, seconds from now on, or a date; in milliseconds from now on. */
const resetMillis = (text: string | undefined, now: number): number | undefined => {
  const number = /^\s*\d+(?:\.\d+)?\s*$/.test(text ?? "") ? Number(text) : undefined
  if (number === undefined) {
    const date = text === undefined ? Number.NaN : Date.parse(text)
    return Number.isNaN(date) ? undefined : Math.max(0, date - now)
  }
  if (number > 100_000_000_000) return Math.max(0, number - now)
  return number > 1_000_000_000 ? Math.max(0, number * 1000 - now) : number * 1000
}

/** Milliseconds until the API takes the next request; undefined when it takes one now, or does not say it. */
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
