/** Request headers: which ones a caller may set, and which of them another site may see. */

import * as Option from "effect/Option"
import { version } from "../../Version.ts"

/** What the engine calls itself when nobody says otherwise. */
export const defaultUserAgent = `Sluice/${version}`

/** What of a request its headers are made of. */
interface Asking {
  readonly userAgent?: string | undefined
  readonly acceptLanguage?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Set by the connection itself, whatever a caller says. */
const ownHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "keep-alive",
  "te",
  "trailer",
  "expect",
  "accept-encoding"
])

/** What another site than the one they were given for may see: any other name may stand for a secret. */
const harmlessHeaders = new Set(["accept", "accept-language", "cache-control", "dnt", "pragma", "user-agent"])

/** Words by which the names of headers betray that their value is a secret. */
const secret =
  /auth(?!ors?\b)|cookie|token|secret|session|pass(?:w(?:or)?d|phrase|code)?\b|key\b|credential|signature|jwt|api[-_]?key/i

/** Whether a header's value may be a secret, by its name: for those who send headers on whose names nobody agreed. */
export const mayBeSecret = (name: string): boolean => secret.test(name)

/** The same origin, or the same host after it went over to TLS. */
export const isTrusted = (url: URL, given: URL): boolean =>
  url.origin === given.origin ||
  (url.hostname === given.hostname && url.protocol === "https:" && url.port === "" && given.port === "")

const permitted = (headers: Readonly<Record<string, string>>, trusted: boolean): Record<string, string> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!ownHeaders.has(key) && (trusted || harmlessHeaders.has(key))) kept[key] = value
  }
  return kept
}

/** Of the headers that were given for a site those that `url` may see; names in lower case. */
export const headersFor = (headers: Readonly<Record<string, string>>, url: URL, site: URL): Record<string, string> =>
  permitted(headers, isTrusted(url, site))

/** What is sent; names in lower case. */
export const requestHeaders = (
  request: Asking,
  trusted: boolean,
  cookies: string | undefined
): Record<string, string> => {
  const given = permitted(request.headers ?? {}, trusted)
  return {
    "user-agent": request.userAgent ?? defaultUserAgent,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": request.acceptLanguage ?? "en,*;q=0.5",
    "accept-encoding": "gzip, deflate, br",
    ...given,
    ...(cookies === undefined ? {} : { cookie: given.cookie === undefined ? cookies : `${given.cookie}; ${cookies}` })
  }
}

/** Of a header sent twice, the first; names in lower case. */
export const firstValues = (
  headers: Readonly<Record<string, string | Array<string> | undefined>>
): Record<string, string> => {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === "string" ? value : (value[0] ?? "")
  }
  return flat
}

/** What is no encoding stands for itself. */
const decoded = (text: string): string => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(text), () => text)

/** Undefined when there is neither. */
export const basicOf = ({ password, username }: URL): string | undefined =>
  username === "" && password === ""
    ? undefined
    : `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`
