/**
 * Conditional requests (RFC 9110, section 13): chooses the validators of a stored response that a request may send, and compares the
 * validators of two responses.
 */
import { httpDateMillis } from "../../Api/HttpDate.ts"

/** Validators of a stored response. They are sent to its own address only, not to one that redirects there. */
export interface Conditions {
  readonly url: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** The parts of a stored response that a conditional request needs. Header names in lower case. */
interface Validated {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Quoted string of visible ASCII characters, weak or strong. Other values are invalid and are not sent back. */
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]{0,512}"$/

const isWeak = (etag: string): boolean => etag.startsWith("W/")

/**
 * Milliseconds by which `Date` must be later than `Last-Modified`. A page that was fetched soon after a change can change again
 * within the same second, and then has the same `Last-Modified` (RFC 9110, 8.8.2.2).
 */
const minDistance = 60_000

const lastModifiedOf = (headers: Validated["headers"]): string | undefined => {
  const { date = "", "last-modified": lastModified = "" } = headers
  return httpDateMillis(date) - httpDateMillis(lastModified) >= minDistance ? lastModified : undefined
}

/** Members of a header that is a list, in lower case. */
const members = (header = ""): ReadonlyArray<string> => header.split(",").map((member) => member.trim().toLowerCase())

/** True if a cache may reuse the response. False for `no-store`, and for `Vary: *`. */
const mayBeReused = (headers: Validated["headers"]): boolean =>
  !members(headers["cache-control"]).includes("no-store") && !members(headers.vary).includes("*")

/** Returns the validators for a conditional request. Undefined if there is none that may be used. */
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

/** Request headers with which a caller controls caching. If a request has one of them, the engine adds no conditions. */
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
 * Suffix that compressing servers add to the tag, some of them in only one of two responses: `"abc-gzip"`, `"abc--gzip"`, `"abc;gzip"`. The
 * number of separators is limited, to avoid quadratic matching time.
 */
const coding = /[-;]{1,2}(?:gzip|deflate|br|zstd)"$/

const opaqueTag = (etag: string): string => etag.replace(/^W\//, "").replace(coding, '"')

/** Compares two tags by the weak comparison of RFC 9110, 8.8.3.2. */
export const isSameTag = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && opaqueTag(one) === opaqueTag(other)

/** True if a response claims to be the stored one: it has the same tag, or, if the stored one has no tag, the same `Last-Modified`. */
export const claimsSame = (stored: Conditions, headers: Readonly<Record<string, string>>): boolean =>
  stored.etag === undefined
    ? stored.lastModified !== undefined && stored.lastModified === headers["last-modified"]
    : isSameTag(stored.etag, headers.etag)

/** True if a 304 refers to a different response than the stored one (RFC 9111, 4.3.4). */
export const contradicts = ({ etag }: Conditions, headers: Readonly<Record<string, string>>): boolean =>
  etag !== undefined && headers.etag !== undefined && !isSameTag(etag, headers.etag)

/** True if equal validators guarantee equal bytes. A weak tag or a `Last-Modified` can be the same for different bytes. */
export const promisesBytes = ({ etag }: Conditions): boolean => etag !== undefined && !isWeak(etag)
