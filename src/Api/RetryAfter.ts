/**
 * The `Retry-After` header (RFC 9110, 10.2.3): seconds, possibly with a fraction, or a date in one of HTTP's three forms. The client reads
 * it from the service, the engine from sites.
 */
import { httpDateMillis } from "./HttpDate.ts"

const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s/i

/** Milliseconds to wait from `now` (epoch milliseconds); 0 for a date in the past, undefined for a value of neither form. */
export const retryAfterMillis = (header: string | undefined, now: number): number | undefined => {
  const value = header?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = isDate.test(value) ? httpDateMillis(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
