/**
 * Conditional requests (RFC 9110, section 13): which validators of a stored response a request may send, and whether two responses
 * have the same ones.
 */

/** Validators of a stored response. They are sent to its own address only, not to one that redirects there. */
export interface Conditions {
  readonly url: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** The part of a stored response that a conditional request needs. Names of headers in lower case. */
interface Validated {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Quoted string of visible ASCII characters, weak or strong. Other values are not valid, and not sent back. */
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]{0,512}"$/

const isWeak = (etag: string): boolean => etag.startsWith("W/")

/**
 * Milliseconds by which `Date` must be later than `Last-Modified`. A page that was fetched soon after a change can change again
 * within the same second, and then has the same `Last-Modified` (RFC 9110, 8.8.2.2).
 */
const minDistance = 60_000

const lastModifiedOf = (headers: Validated["headers"]): string | undefined => {
  const { date = "", "last-modified": lastModified = "" } = headers
  return Date.parse(date) - Date.parse(lastModified) >= minDistance ? lastModified : undefined
}

const directives = (cacheControl = ""): ReadonlyArray<string> =>
  cacheControl.split(",").map((directive) => directive.trim().toLowerCase())

/** False for a response that no cache may use again: `no-store`, or one that varies with more than its request. */
const mayBeReused = (headers: Validated["headers"]): boolean =>
  !directives(headers["cache-control"]).includes("no-store") && headers.vary?.trim() !== "*"

/** Validators for a request that asks whether the response is still current. Undefined when there is none that may be used. */
export const conditionsOf = ({ headers, url }: Validated, usesEtag = true): Conditions | undefined => {
  if (!mayBeReused(headers)) return undefined
  const etag = usesEtag && entityTag.test(headers.etag ?? "") ? headers.etag : undefined
  const lastModified = lastModifiedOf(headers)
  return etag === undefined && lastModified === undefined ? undefined : { url, etag, lastModified }
}

/** Request headers of the conditions. */
export const conditionHeaders = ({ etag, lastModified }: Conditions): Record<string, string> => ({
  ...(etag === undefined ? {} : { "if-none-match": etag }),
  ...(lastModified === undefined ? {} : { "if-modified-since": lastModified })
})

/** Request headers with which a caller controls caching. A request that has one of them gets no conditions of the engine. */
const cachingHeaders = new Set([
  "cache-control",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "pragma",
  "range"
])

export const controlsCaching = (headers: Readonly<Record<string, string>> | undefined): boolean =>
  Object.keys(headers ?? {}).some((name) => cachingHeaders.has(name.toLowerCase()))

/**
 * Servers that compress add the coding to the tag, some only in one of the two answers: `"abc-gzip"`, `"abc--gzip"`, `"abc;gzip"`. The
 * number of separators is bounded, so that the time does not grow with the square of the length.
 */
const coding = /[-;]{1,2}(?:gzip|deflate|br|zstd)"$/

const opaqueTag = (etag: string): string => etag.replace(/^W\//, "").replace(coding, '"')

/** Compares two tags by the weak comparison of RFC 9110, 8.8.3.2. */
export const isSameTag = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && opaqueTag(one) === opaqueTag(other)

/** True if a response claims to be the stored one: the same tag, or without tags the same `Last-Modified`. */
export const claimsSame = (stored: Conditions, headers: Readonly<Record<string, string>>): boolean =>
  stored.etag === undefined
    ? stored.lastModified !== undefined && stored.lastModified === headers["last-modified"]
    : isSameTag(stored.etag, headers.etag)

/** True if a 304 is about another response than the stored one (RFC 9111, 4.3.4). */
export const contradicts = ({ etag }: Conditions, headers: Readonly<Record<string, string>>): boolean =>
  etag !== undefined && headers.etag !== undefined && !isSameTag(etag, headers.etag)

/** True if equal validators promise equal bytes. A weak tag and `Last-Modified` may stand for several. */
export const promisesBytes = ({ etag }: Conditions): boolean => etag !== undefined && !isWeak(etag)
