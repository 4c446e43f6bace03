/**
 * Cookies by RFC 6265bis: each is sent only to the hosts, paths and schemes that it was set for.
 *
 * - A jar belongs to one signed-in session, whose parallel requests share it, or to one fetch. The responses of its pages change it.
 * - Cookies of other sites in the jar are never sent to this one: public suffixes count (`co.uk`, `github.io`).
 * - A partitioned cookie belongs to a site embedded in another one. It stays in the jar for browsers; a fetch, whose page is embedded nowhere,
 *   sends only those of the page's own site.
 */
import { isUtf8 } from "node:buffer"
import * as Either from "effect/Either"
import type { Cookie, CookieJar } from "tough-cookie"
import { savedCookie } from "../Api/BrowserSession.ts"
import { toughCookie } from "../Packages.ts"

/** A cookie as written by Chromium and Playwright: a dot before `domain` includes subdomains; `expires` is in seconds, -1 for none. */
export const SavedCookie = savedCookie
export type SavedCookie = typeof SavedCookie.Type

type Partition = Exclude<SavedCookie["partitionKey"], string | undefined>

/** Maximum length of a `Set-Cookie` header; a longer one is ignored. */
const maxHeader = 8_192
/** Maximum bytes of a cookie's name and value, as in browsers; a larger cookie is ignored. */
const maxBytes = 4_096
/** Maximum seconds until a cookie expires, as in browsers: 400 days. A later expiry becomes this one. */
const maxAge = 400 * 86_400

const options = { allowSecureOnLocal: false, allowSpecialUseDomain: true, rejectPublicSuffixes: true } as const

/** Matches control characters apart from the tab. */
const invalidInHeader = /[^\t\x20-\x7e\x80-\xff]/

/** The bytes of text in UTF-8, one a character, as headers are sent. */
const bytesOf = (text: string): string =>
  text.replace(/([\udc80-\udcff])|[^\udc80-\udcff]+/gu, (part, byte?: string) =>
    byte === undefined ? Buffer.from(part).toString("latin1") : String.fromCharCode(byte.charCodeAt(0) - 0xdc00)
  )

/** The text of bytes, as browsers and files have it. Bytes that are not UTF-8 become single surrogates, so that they come back. */
const textOf = (bytes: string): string => {
  const buffer = Buffer.from(bytes, "latin1")
  return isUtf8(buffer)
    ? buffer.toString("utf8")
    : bytes.replace(/[\x80-\xff]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xdc00))
}

const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, "")

/** Reads a `Set-Cookie` header. The package would refuse tabs, and trim bytes of UTF-8, in the name and the value. */
const parse = (header: string): Cookie | undefined => {
  const [pair = "", ...attributes] = header.split(";")
  const end = pair.indexOf("=")
  const key = trimmed(pair.slice(0, end))
  if (end === -1 || key === "") return undefined
  const cookie = toughCookie().Cookie.parse(["name=value", ...attributes].join(";"))
  return cookie === undefined ? undefined : Object.assign(cookie, { key, value: trimmed(pair.slice(end + 1)) })
}

/** Registrable domain of a host. IP addresses, names without a dot, and public suffixes have none. */
const registrableOf = (hostname: string): string | undefined =>
  toughCookie().getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true })

/** Scheme and registrable domain of a URL. */
const siteOf = ({ hostname, protocol }: URL): string => `${protocol}//${registrableOf(hostname) ?? hostname}`

/** True if the `Domain` of a cookie is its host, which has no other hosts below it. As in browsers, it does not matter then. */
const namesOnlyHost = ({ domain }: Cookie, url: string): boolean => {
  if (domain === null) return false
  const { canonicalDomain } = toughCookie()
  const { hostname } = new URL(url)
  return canonicalDomain(domain) === canonicalDomain(hostname) && registrableOf(hostname) === undefined
}

/** The partition of a site that no other one embeds. */
const ownPartition = (url: URL): Partition => ({ topLevelSite: siteOf(url), hasCrossSiteAncestor: false })

/** The partition of a cookie. Playwright writes its site only, or beside it whether another site is between. */
const partitionOf = (key: NonNullable<SavedCookie["partitionKey"]>, url: string): Partition =>
  typeof key === "string" ? { topLevelSite: key, hasCrossSiteAncestor: siteOf(new URL(url)) !== key } : key

const keyOf = ({ hasCrossSiteAncestor, topLevelSite }: Partition): string =>
  JSON.stringify({ topLevelSite, hasCrossSiteAncestor } satisfies Partition)

const sameSites = ["Strict", "Lax", "None"] as const

/** Latest time at which a cookie may expire, in milliseconds since 1970. */
const latest = (): number => Date.now() + maxAge * 1000

const makeJar = () => new (toughCookie().CookieJar)(undefined, options)

/** The cookies of one partition. Those without `Domain` have a jar of their own, as one may have the name and path of one with it. */
const makePair = () => ({ hosts: makeJar(), domains: makeJar() })
type Pair = ReturnType<typeof makePair>

const jarsOf = ({ domains, hosts }: Pair) => [hosts, domains]

const allOf = ({ store }: CookieJar): ReadonlyArray<Cookie> => {
  let all: ReadonlyArray<Cookie> = []
  store.getAllCookies((_, found) => {
    all = found ?? []
  })
  return all
}

/** The cookie in a jar that a new one of this URL replaces. */
const findOld = (jar: CookieJar, cookie: Cookie, url: string): Cookie | undefined => {
  const { canonicalDomain, defaultPath } = toughCookie()
  const { hostname, pathname } = new URL(url)
  const path = cookie.path?.startsWith("/") === true ? cookie.path : defaultPath(pathname)
  const old: Array<Cookie> = []
  jar.store.findCookie(cookie.domain ?? canonicalDomain(hostname) ?? null, path, cookie.key, (_, found) => {
    if (found != null) old.push(found)
  })
  return old[0]
}

const isExpired = (cookie: Cookie): boolean => (cookie.expiryTime() ?? Number.POSITIVE_INFINITY) <= Date.now()

const stateOf = ({ httpOnly, sameSite, secure, value }: Cookie): string =>
  JSON.stringify([value, secure, httpOnly, sameSite])

/** What a cookie changes: nothing if it is as the old one, or removes one that is not there. */
const changeOf = (old: Cookie | undefined, cookie: Cookie): "nothing" | "expiry" | "cookie" => {
  if (old === undefined || isExpired(old)) return isExpired(cookie) ? "nothing" : "cookie"
  if (isExpired(cookie) || stateOf(old) !== stateOf(cookie)) return "cookie"
  return old.expiryTime() === cookie.expiryTime() ? "nothing" : "expiry"
}

export class Jar {
  #plain = makePair()
  /** Partitioned cookies, by the JSON of their partition. */
  readonly #partitions = new Map<string, Pair>()
  /** Number of changes of the jar so far. A cookie that is set again as it was is none. */
  changes = 0
  /** Number of those changes that were not only of an expiry: requests in flight may have been sent with cookies that no longer count. */
  replacements = 0

  constructor(cookies: ReadonlyArray<SavedCookie> = []) {
    this.add(cookies)
  }

  #store(cookie: Cookie, url: string, partition: Partition | undefined): void {
    if (cookie.key.length + cookie.value.length > maxBytes) return
    if (namesOnlyHost(cookie, url)) cookie.domain = null
    if (cookie.maxAge !== null) {
      // The package would count Max-Age from the last use of the cookie.
      const age = Math.min(Number(cookie.maxAge), maxAge)
      cookie.expires = new Date(age <= 0 ? 0 : Date.now() + age * 1000)
      cookie.maxAge = null
    }
    if (cookie.expires instanceof Date && cookie.expires.getTime() > latest()) cookie.expires = new Date(latest())
    let pair = this.#plain
    if (partition !== undefined) {
      const key = keyOf(partition)
      pair = this.#partitions.get(key) ?? makePair()
      this.#partitions.set(key, pair)
    }
    const jar = cookie.domain === null ? pair.hosts : pair.domains
    const change = changeOf(findOld(jar, cookie, url), cookie)
    const isStored = jar.setCookieSync(cookie, url, { ignoreError: true }) !== undefined
    if (change === "nothing" || !isStored) return
    this.changes++
    if (change === "cookie") this.replacements++
  }

  /** The cookies that are sent to a URL. */
  #sent(url: URL): ReadonlyArray<Cookie> {
    const own = this.#partitions.size === 0 ? undefined : this.#partitions.get(keyOf(ownPartition(url)))
    return [this.#plain, ...(own === undefined ? [] : [own])]
      .flatMap(jarsOf)
      .flatMap((jar) => jar.getCookiesSync(url.href, { expire: true }))
      .sort(toughCookie().cookieCompare)
  }

  /** Stores the cookies of a response's `Set-Cookie` headers. Like browsers, ignores cookies that the site may not set. */
  read(url: URL, headers: string | ReadonlyArray<string> | undefined): void {
    for (const header of headers === undefined ? [] : [headers].flat()) {
      if (header.length > maxHeader || invalidInHeader.test(header)) continue
      const cookie = parse(header)
      if (cookie === undefined) continue
      const isPartitioned = cookie.secure && cookie.extensions?.some((one) => /^partitioned$/i.test(one))
      this.#store(cookie, url.href, isPartitioned === true ? ownPartition(url) : undefined)
    }
  }

  /** The `Cookie` header for a URL, one byte a character, if there is one. */
  header(url: URL): string | undefined {
    const header = this.#sent(url)
      .map((cookie) => cookie.cookieString())
      .join("; ")
    return header === "" ? undefined : header
  }

  /** The value of a cookie that would be sent to this URL. */
  value(url: URL, name: string): string | undefined {
    return this.#sent(url).find(({ key }) => key === name)?.value
  }

  /** Adds cookies from a file or a browser. An expired cookie removes the one of the same name. */
  add(cookies: ReadonlyArray<SavedCookie>): void {
    const { Cookie } = toughCookie()
    for (const {
      domain,
      expires = 0,
      httpOnly = false,
      name,
      partitionKey,
      secure = false,
      value,
      ...others
    } of cookies) {
      const host = domain.replace(/^\./, "")
      const path = others.path?.startsWith("/") === true ? others.path : "/"
      const cookie = new Cookie({
        key: bytesOf(name),
        value: bytesOf(value),
        path,
        secure,
        httpOnly,
        ...(others.sameSite === undefined ? {} : { sameSite: others.sameSite.toLowerCase() }),
        ...(domain.startsWith(".") ? { domain: host } : {}),
        ...(expires <= 0 ? {} : { expires: new Date(Math.min(expires * 1000, latest())) })
      })
      const url = `${secure ? "https" : "http"}://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}${path}`
      // Skips a cookie whose domain is not a host name.
      Either.try(() =>
        this.#store(cookie, url, partitionKey === undefined ? undefined : partitionOf(partitionKey, url))
      )
    }
  }

  /** All cookies that are not expired. */
  cookies(): ReadonlyArray<SavedCookie> {
    return [[undefined, this.#plain] as const, ...this.#partitions]
      .flatMap(([partition, pair]) =>
        jarsOf(pair).flatMap((jar) => allOf(jar).map((cookie) => ({ cookie, partition })))
      )
      .sort((a, b) => a.cookie.creationIndex - b.cookie.creationIndex)
      .flatMap(({ cookie, partition }): ReadonlyArray<SavedCookie> => {
        const { domain, hostOnly, httpOnly, key, path, sameSite, secure, value } = cookie
        if (domain === null || isExpired(cookie)) return []
        const expires = cookie.expiryTime() ?? Number.POSITIVE_INFINITY
        return [
          {
            name: textOf(key),
            value: textOf(value),
            domain: hostOnly === false ? `.${domain}` : domain,
            path: path ?? "/",
            secure,
            httpOnly,
            ...(expires === Number.POSITIVE_INFINITY ? {} : { expires: expires / 1000 }),
            ...(sameSite === undefined ? {} : { sameSite: sameSites.find((one) => one.toLowerCase() === sameSite) }),
            ...(partition === undefined ? {} : { partitionKey: JSON.parse(partition) as Partition })
          }
        ]
      })
  }

  /** Removes all cookies, because a site may refuse to sign in while an old session exists. */
  clear(): void {
    this.#plain = makePair()
    this.#partitions.clear()
    this.changes++
    this.replacements++
  }
}
