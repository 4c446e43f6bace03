/**
 * The `Retry-After` header (RFC 9110, 10.2.3): seconds, also with a fraction, or a date in one of HTTP's three forms. Used by the client for the
 * service and by the engine for sites.
 */

const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s/i

/** Milliseconds from `now` on, in epoch milliseconds; 0 for a date that has passed, undefined for a value that is neither. */
export const retryAfterMillis = (header: string | undefined, now: number): number | undefined => {
  const value = header?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = isDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
