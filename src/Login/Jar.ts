/**
 * Cookies by RFC 6265: each is sent only to the hosts, paths and schemes that it was set for.
 *
 * - A jar belongs to one signed-in session, whose parallel requests share it, or to one fetch. The responses of its pages change it.
 * - Cookies of other sites in the jar are never sent to this one: public suffixes count (`co.uk`, `github.io`).
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { savedCookie } from "../Api/BrowserSession.ts"
import { toughCookie } from "../Packages.ts"

/** A cookie as written by Chromium and Playwright: a dot before `domain` includes subdomains; `expires` is in seconds, -1 for none. */
export const SavedCookie = savedCookie
export type SavedCookie = typeof SavedCookie.Type

/** Maximum length of a `Set-Cookie` header; a longer one is ignored. */
const maxHeader = 8_192

const options = { allowSecureOnLocal: false, allowSpecialUseDomain: true, rejectPublicSuffixes: true } as const

const invalidInHeader = /[^\x20-\x7e]/

export class Jar {
  readonly #cookies = new (toughCookie().CookieJar)(undefined, options)
  /** Number of changes of the jar so far. */
  changes = 0

  constructor(cookies: ReadonlyArray<SavedCookie> = []) {
    this.add(cookies)
  }

  /** Stores the cookies of a response's `Set-Cookie` headers. Like browsers, ignores cookies that the site may not set. */
  read(url: URL, headers: string | ReadonlyArray<string> | undefined): void {
    const all = headers === undefined ? [] : typeof headers === "string" ? [headers] : headers
    for (const header of all) {
      if (header.length > maxHeader || invalidInHeader.test(header)) continue
      this.#cookies.setCookieSync(header, url.href, { ignoreError: true })
      this.changes++
    }
  }

  /** The `Cookie` header for a URL, if there is one. */
  header(url: URL): string | undefined {
    const header = this.#cookies.getCookieStringSync(url.href, { expire: true })
    return header === "" ? undefined : header
  }

  /** The value of a cookie that would be sent to this URL. */
  value(url: URL, name: string): string | undefined {
    return this.#cookies.getCookiesSync(url.href).find(({ key }) => key === name)?.value
  }

  /** Adds cookies from a file or a browser. An expired cookie removes the one of the same name. */
  add(cookies: ReadonlyArray<SavedCookie>): void {
    const { Cookie } = toughCookie()
    for (const { domain, expires, httpOnly = false, name, path = "/", secure = false, value } of cookies) {
      const host = domain.replace(/^\./, "")
      const cookie = new Cookie({
        key: name,
        value,
        path: path.startsWith("/") ? path : "/",
        secure,
        httpOnly,
        ...(domain.startsWith(".") ? { domain: host } : {}),
        ...(expires === undefined || expires <= 0 ? {} : { expires: new Date(expires * 1000) })
      })
      const url = `${secure ? "https" : "http"}://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}${cookie.path}`
      // Skips a cookie whose domain is not a host name.
      Either.try(() => this.#cookies.setCookieSync(cookie, url, { ignoreError: true }))
      this.changes++
    }
  }

  /** All cookies that are not expired. */
  cookies(): ReadonlyArray<SavedCookie> {
    const now = Date.now()
    return (
      this.#cookies.serializeSync()?.cookies.flatMap((saved): ReadonlyArray<SavedCookie> => {
        const cookie = toughCookie().Cookie.fromJSON(saved)
        if (cookie === undefined || cookie.domain === null) return []
        const { domain, hostOnly, httpOnly, key, path, secure, value } = cookie
        const expires = cookie.expiryTime()
        if (expires !== undefined && expires !== Number.POSITIVE_INFINITY && expires <= now) return []
        return [
          {
            name: key,
            value,
            domain: hostOnly === false ? `.${domain}` : domain,
            path: path ?? "/",
            secure,
            httpOnly,
            ...(expires === undefined || expires === Number.POSITIVE_INFINITY ? {} : { expires: expires / 1000 })
          }
        ]
      }) ?? []
    )
  }

  /** Removes all cookies, because a site may refuse to sign in while an old session exists. */
  clear(): void {
    this.#cookies.removeAllCookiesSync()
    this.changes++
  }
}

const StorageState = Schema.parseJson(
  Schema.Union(Schema.Struct({ cookies: Schema.Array(SavedCookie) }), Schema.Array(SavedCookie))
)

/** Reads a line of `cookies.txt`: domain, subdomains, path, secure, expires, name, value. An empty name or value may lack its field. */
const netscape = (line: string): SavedCookie | undefined => {
  const isHttpOnly = line.startsWith("#HttpOnly_")
  const text = isHttpOnly ? line.slice("#HttpOnly_".length) : line
  const [domain = "", subdomains = "", path = "/", secure = "", expires = "", name = "", ...value] = text.split("\t")
  if (!/^(?:true|false)$/i.test(subdomains) || !/^-?\d*(?:\.\d+)?$/.test(expires) || domain === "") return undefined
  const host = domain.replace(/^\./, "")
  return {
    name,
    value: value.join("\t"),
    domain: /^true$/i.test(subdomains) ? `.${host}` : host,
    path,
    secure: /^true$/i.test(secure),
    httpOnly: isHttpOnly,
    expires: Number(expires) || -1
  }
}

/** Reads a Netscape `cookies.txt`, or JSON from Playwright's `storageState` or a browser extension. The left side is the error. */
export const readCookieFile = (text: string): Either.Either<ReadonlyArray<SavedCookie>, string> => {
  const trimmed = text.replace(/^\ufeff/, "").trim()
  if (/^[[{]/.test(trimmed)) {
    return Either.mapBoth(Schema.decodeUnknownEither(StorageState)(trimmed), {
      onLeft: () => "its JSON is neither a storage state of Playwright ({ cookies: […] }) nor an array of cookies",
      onRight: (state) => ("cookies" in state ? state.cookies : state)
    })
  }
  const lines = trimmed.split(/\r?\n/)
  const cookies: Array<SavedCookie> = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "" || (line.startsWith("#") && !line.startsWith("#HttpOnly_"))) continue
    const cookie = netscape(line)
    // The message does not quote the line, because it may be a secret.
    if (cookie === undefined)
      return Either.left(`line ${index + 1} is not a line of a cookies.txt: it needs 7 fields separated by tabs`)
    cookies.push(cookie)
  }
  return cookies.length === 0 ? Either.left("it has no cookies") : Either.right(cookies)
}
