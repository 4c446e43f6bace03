/** Request headers: which ones a caller may set, and which of them may be sent to another site. */

import { isUtf8 } from "node:buffer"
import { percentDecoded } from "../../Api/Url.ts"
import { harmlessHeaders, isTrusted } from "../../Guard.ts"
import { version } from "../../Version.ts"

/** Default `User-Agent`. */
export const defaultUserAgent = `Sluice/${version}`

interface HeaderOptions {
  readonly userAgent?: string | undefined
  readonly acceptLanguage?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Headers that belong to the connection, which callers cannot set. */
const connectionHeaders = new Set([
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

const secretName =
  /auth(?!ors?\b)|cookie|token|secret|session|pass(?:w(?:or)?d|phrase|code)?\b|key\b|credential|signature|jwt|api[-_]?key/i

/** Guesses from a header's name whether its value is a secret. Used where there is no fixed list of allowed headers. */
export const mayBeSecret = (name: string): boolean => secretName.test(name)

const allowedHeaders = (headers: Readonly<Record<string, string>>, trusted: boolean): Record<string, string> => {
  const allowed: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!connectionHeaders.has(key) && (trusted || harmlessHeaders.has(key))) allowed[key] = value
  }
  return allowed
}

/** Returns the headers meant for `site` that may be sent to `url`. Names in lower case. */
export const headersFor = (headers: Readonly<Record<string, string>>, url: URL, site: URL): Record<string, string> =>
  allowedHeaders(headers, isTrusted(url, site))

/** All headers of a request. Names in lower case. */
export const requestHeaders = (
  request: HeaderOptions,
  trusted: boolean,
  cookies: string | undefined
): Record<string, string> => {
  const own = allowedHeaders(request.headers ?? {}, trusted)
  return {
    "user-agent": request.userAgent ?? defaultUserAgent,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": request.acceptLanguage ?? "en,*;q=0.5",
    "accept-encoding": "gzip, deflate, br",
    ...own,
    ...(cookies === undefined ? {} : { cookie: own.cookie === undefined ? cookies : `${own.cookie}; ${cookies}` })
  }
}

/** Headers that contain URLs. Sites write them in UTF-8 although HTTP requires ASCII, and the client decodes bytes as Latin-1. */
const addressed: ReadonlySet<string> = new Set(["link", "location", "refresh"])

const notAscii = /[\x80-\xff]/
const allNotAscii = /[\x80-\xff]/g

/** Decodes UTF-8. Bytes of another charset are percent-encoded, as browsers request them: `/caf\xe9` is `/caf%E9`. */
const asUtf8 = (value: string): string => {
  if (!notAscii.test(value)) return value
  const bytes = Buffer.from(value, "latin1")
  return isUtf8(bytes)
    ? bytes.toString("utf8")
    : value.replace(allNotAscii, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Headers that can occur several times, with every value kept, and what joins their values. */
const joints: ReadonlyMap<string, string> = new Map([
  ["link", "\n"],
  ["x-robots-tag", "\n"],
  ["cache-control", ", "],
  ["vary", ", "]
])

/** First value of each header; of `Link` and `X-Robots-Tag` all values, one a line; of `Cache-Control` and `Vary` all, as one list. */
export const firstValues = (
  headers: Readonly<Record<string, string | Array<string> | undefined>>
): Record<string, string> => {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    const single =
      typeof value === "string" ? value : joints.has(name) ? value.join(joints.get(name)) : (value[0] ?? "")
    flat[name] = addressed.has(name) ? asUtf8(single) : single
  }
  return flat
}

/** `Authorization` header for the user name and password in a URL; undefined if it has none. */
export const basicAuthorization = ({ password, username }: URL): string | undefined =>
  username === "" && password === ""
    ? undefined
    : `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString("base64")}`
