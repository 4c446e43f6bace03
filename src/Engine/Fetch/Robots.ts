/**
 * robots.txt (RFC 9309): parser, matcher, and a cache with one file per origin.
 *
 * Port: `Fetch` loads the files.
 *
 * - Parsing is as tolerant as Google's parser: missing colons, common misspellings, a byte order mark, user agents with more than the
 *   product token. Matching takes linear time for any pattern.
 * - A file stays cached for an hour. If its host then does not deliver it or cannot be reached, the cached file applies for up to 24 hours,
 *   and a new attempt is made every minute. The cache is bounded by files and by characters; the oldest file is removed first.
 */
import * as Cache from "effect/Cache"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../../Html/Charset.ts"
import type { Fetched } from "../PageCache/PageSource.ts"
import { Fetch, type FetchFailure } from "./Fetch.ts"
import { defaultUserAgent } from "./Headers.ts"

interface Rule {
  readonly allow: boolean
  /** Length of the pattern. The longest matching rule wins. */
  readonly length: number
  /** The pattern, split at its asterisks. */
  readonly parts: ReadonlyArray<string>
  /** True if the pattern ends in `$`. */
  readonly anchored: boolean
}

/** Rules under consecutive `User-agent` lines. A user agent may have several groups. */
interface Group {
  readonly rules: Array<Rule>
  crawlDelay?: number
}

/** A parsed file. */
export interface RobotsFile {
  /** `path` includes the query, encoded as by `URL`. */
  readonly isAllowed: (path: string, userAgent: string) => boolean
  /** Seconds between two requests. */
  readonly crawlDelay: (userAgent: string) => number | undefined
  /** As written in the file, possibly relative. */
  readonly sitemaps: ReadonlyArray<string>
}

/** User agent of the default group. */
const anyAgent = "*"

/** Product token: the leading letters, `-` and `_`. A name that begins differently, such as `360Spider`, is taken whole. */
const tokenOf = (name: string): string =>
  (/^[a-z_-]+/i.exec(name)?.[0] ?? name.split(/[\s/]/, 1)[0] ?? "").toLowerCase()

/** Group name of a `User-agent` line. */
const groupName = (value: string): string => (/^\*(?:\s|$)/.test(value) ? anyAgent : tokenOf(value))

/** Group name for a user agent: `heron` for `Heron/1.0`. A name with spaces is not a product token, so the default group applies. */
export const productToken = (userAgent: string): string => {
  const product = (userAgent.split("/", 1)[0] ?? "").trim()
  return product === "" || /\s/.test(product) ? anyAgent : tokenOf(product)
}

/** Octets that mean the same as their characters (RFC 9309, 2.2.2): letters, digits, `-`, `.`, `_`, `~`; and `'`, which `URL` encodes in queries. */
const plain = /[\w.~'-]/

/** Characters that are neither reserved nor unreserved (RFC 3986): `URL` encodes some of them, and robots.txt may have them either way. */
const unsafe = /[^\w.~!$&'()*+,;=:@/?%#[\]-]+/g

/** One spelling of a path or pattern: `/%7ejoe` equals `/~joe`, `%2f` equals `%2F`, and `ü` equals `%C3%BC`. */
const normalize = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(unsafe, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return plain.test(character) ? character : octet.toUpperCase()
    })

/** Decodes `%2A` and `%24`, which stand for the characters themselves, not for the signs of a pattern (RFC 9309, 2.2.3). */
const literal = (text: string): string => text.replaceAll("%2A", "*").replaceAll("%24", "$")

const readRule = (allow: boolean, value: string): Rule => {
  const pattern = normalize(value)
  const whole = pattern.endsWith("$")
  const parts = (whole ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, "*").split("*")
  return { allow, length: pattern.length, parts: parts.map(literal), anchored: whole }
}

/** An asterisk matches as little as possible, so each part is searched once: no backtracking. */
const matches = ({ parts, anchored: whole }: Rule, path: string): boolean => {
  const first = parts[0] ?? ""
  if (!path.startsWith(first)) return false
  let at = first.length
  if (parts.length === 1) return !whole || at === path.length
  for (let i = 1; i < parts.length - 1; i++) {
    const part = parts[i] ?? ""
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts.at(-1) ?? ""
  return whole ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}

/** Applies the longest matching rule. Among equally long ones, `Allow` wins. */
const isPathAllowed = (groups: ReadonlyArray<Group>, path: string): boolean => {
  let best: Rule | undefined
  for (const { rules } of groups) {
    for (const rule of rules) {
      if (best !== undefined && (rule.length < best.length || (rule.length === best.length && best.allow))) continue
      if (matches(rule, path)) best = rule
    }
  }
  return best?.allow ?? true
}

/** Maximum characters of a line; the rest of the line is ignored. No real URL is that long. */
const maxLine = 16_663

/** UTF-8's byte order mark. Editors and proxies leave incomplete ones behind. */
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Text of a file, without a complete or incomplete byte order mark. */
export const decodeRobots = (bytes: Uint8Array, contentType: string | undefined): string => {
  let start = 0
  while (start < byteOrderMark.length && bytes[start] === byteOrderMark[start]) start++
  return decodeText(bytes.subarray(start), contentType).text.replace(/^\ufeff/, "")
}

const fields: ReadonlyArray<readonly [name: string, spellings: RegExp]> = [
  ["user-agent", /^user[- ]?agent$/i],
  ["disallow", /^(?:diss?all?ow|diasllow|disallaw)$/i],
  ["allow", /^allow$/i],
  ["crawl-delay", /^crawl-?delay$/i],
  ["sitemap", /^site-?map$/i]
]

const isBlank = (character: string): boolean => character !== "" && " \t\v\f".includes(character)

/** Like `trim`, but keeps a byte order mark. A regular expression would take quadratic time here. */
const trimBlanks = (text: string): string => {
  let [from, end] = [0, text.length]
  while (isBlank(text.charAt(from))) from++
  while (end > from && isBlank(text.charAt(end - 1))) end--
  return text.slice(from, end)
}

/** Returns field and value of a line, without its comment. A line of exactly two words needs no colon. */
const readLine = (raw: string): readonly [name: string, value: string] | undefined => {
  const text = trimBlanks(raw.slice(0, maxLine).split("#", 1)[0] ?? "")
  const colon = text.indexOf(":")
  const [, key = "", value = ""] =
    colon < 0 ? (/^(\S+)[ \t]+(\S+)$/.exec(text) ?? []) : ["", text.slice(0, colon), text.slice(colon + 1)]
  const name = fields.find(([, spellings]) => spellings.test(trimBlanks(key)))?.[0]
  return name === undefined ? undefined : [name, trimBlanks(value)]
}

/** The extra rule for an index file: `Allow: /a/index.html` also allows `/a/`, as in Google's parser. */
const directoryRule = (value: string): string | undefined =>
  /\/index\.htm[^/]*$/.test(value) ? `${value.slice(0, value.lastIndexOf("/") + 1)}$` : undefined

/** Fields that end a group's list of user agents. Other fields, such as `Sitemap`, may appear within that list. */
const ruleFields = new Set(["allow", "disallow", "crawl-delay"])

/** Parses a file. Unknown and malformed lines are ignored. */
export const readRobots = (text: string): RobotsFile => {
  // The user agents of a group share its rules: n names with n rules must not become n² rules.
  const groups = new Map<string, Array<Group>>()
  const sitemaps: Array<string> = []
  let current: Group = { rules: [] }
  let inAgents = false
  for (const raw of text.split(/[\r\n]+/)) {
    const read = readLine(raw)
    if (read === undefined) continue
    const [name, value] = read
    if (name === "user-agent") {
      if (!inAgents) current = { rules: [] }
      const agent = groupName(value)
      const known = groups.get(agent)
      if (known === undefined) groups.set(agent, [current])
      else if (known.at(-1) !== current) known.push(current)
    } else if ((name === "allow" || name === "disallow") && value !== "") {
      const index = name === "allow" ? directoryRule(value) : undefined
      current.rules.push(readRule(name === "allow", value))
      if (index !== undefined) current.rules.push(readRule(true, index))
    } else if (name === "crawl-delay" && /^[\d.]+$/.test(value) && Number.isFinite(Number(value))) {
      current.crawlDelay = Number(value)
    } else if (name === "sitemap" && value !== "") sitemaps.push(value)
    if (name === "user-agent") inAgents = true
    else if (ruleFields.has(name)) inAgents = false
  }
  const groupsFor = (userAgent: string) => groups.get(productToken(userAgent)) ?? groups.get(anyAgent) ?? []
  return {
    isAllowed: (path, userAgent) => isPathAllowed(groupsFor(userAgent), literal(normalize(path))),
    crawlDelay: (userAgent) => groupsFor(userAgent).findLast((group) => group.crawlDelay !== undefined)?.crawlDelay,
    sitemaps
  }
}

/** Rules of one origin for one user agent. */
export interface RobotsRules {
  readonly isAllowed: (url: string) => boolean
  /** Seconds between two requests. */
  readonly crawlDelay?: number | undefined
  readonly sitemaps: ReadonlyArray<string>
  /** Reason why the file could not be read. Then nothing of the origin may be fetched. */
  readonly unreadable?: string | undefined
}

export interface RobotsOptions {
  readonly skipTlsVerification?: boolean | undefined
  /** Proxy pool of the pages that the rules are for. Each pool has its own copy of the file in the cache. */
  readonly pool?: string | undefined
}

/** Never fails. An origin without a file (4xx) allows everything; one whose file cannot be read allows nothing (RFC 9309, 2.3.1). */
export class Robots extends Context.Tag("sluice/Engine/Fetch/Robots")<
  Robots,
  {
    /** `origin` is spelled as `URL` spells it; `userAgent` defaults to the engine's. */
    readonly load: (origin: string, userAgent?: string, options?: RobotsOptions) => Effect.Effect<RobotsRules>
  }
>() {}

/** Maximum bytes of a file; the rest is ignored. The RFC requires at least 500 KiB. */
const maxText = 512 * 1024
const timeout = 15_000

/** Maximum characters of all cached files. A parsed file takes about ten times as many bytes of memory. */
const maxCharacters = 16 * 1024 * 1024

interface CachedFile {
  readonly parsed: RobotsFile
  readonly unreadable?: string
  /** True if the host did not deliver the file: this is the last good one, or what applies without one. */
  readonly isMissed?: true
  /** Characters. */
  readonly size: number
}

const noRules: CachedFile = { parsed: readRobots(""), size: 0 }
const unreadable = (why: string): CachedFile => ({ ...noRules, unreadable: why, isMissed: true })

/** A 4xx status means that there are no rules. 5xx and 429 are failures, because rules may exist. */
const readAnswer = (origin: string, { statusCode, body, headers }: Fetched): CachedFile => {
  if (statusCode >= 500 || statusCode === 429) return unreadable(`${origin}/robots.txt answered ${statusCode}`)
  if (statusCode < 200 || statusCode >= 300) return noRules
  const decoded = decodeRobots(body, headers["content-type"])
  // The end of a longer file is missing. Its last line is dropped, because half a rule would be a different rule.
  const text =
    body.byteLength < maxText
      ? decoded
      : decoded.slice(0, Math.max(decoded.lastIndexOf("\n"), decoded.lastIndexOf("\r")) + 1)
  return { parsed: readRobots(text), size: text.length }
}

/** Failures of the connection. Without an earlier file, pages are requested all the same: they fail, too, with a better message. */
const codesOfConnection = new Set([
  "BAD_REQUEST",
  "SSRF_BLOCKED",
  "SCRAPE_CONNECTION_ERROR",
  "SCRAPE_DNS_RESOLUTION_ERROR"
])

const readFailure = (origin: string, failure: FetchFailure): CachedFile => {
  if (failure._tag === "TimedOut") return unreadable(`${origin}/robots.txt did not answer in time`)
  // A file that redirects endlessly may count as missing (RFC 9309, 2.3.1.2).
  if (failure.code === "SCRAPE_REDIRECT_ERROR") return noRules
  return codesOfConnection.has(failure.code ?? "")
    ? { ...noRules, isMissed: true }
    : unreadable(`${origin}/robots.txt could not be read: ${failure.error}`)
}

const rulesOf = (origin: string, userAgent: string, { parsed, unreadable }: CachedFile): RobotsRules => {
  if (unreadable !== undefined) return { isAllowed: () => false, sitemaps: [], unreadable }
  const isAllowed = (address: string) => {
    const url = new URL(address)
    if (url.pathname === "/robots.txt") return true
    return url.origin !== origin || parsed.isAllowed(url.pathname + url.search, userAgent)
  }
  const sitemaps = parsed.sitemaps.flatMap((url) => (canParse(url, origin) ? [new URL(url, origin).href] : []))
  return { isAllowed, crawlDelay: parsed.crawlDelay(userAgent), sitemaps }
}

const maxFiles = 1_000

/** Milliseconds for which the last file applies while its host does not deliver it (RFC 9309, 2.4). */
const maxStale = 24 * 60 * 60 * 1000

/** Cache key of a file: its origin and the proxy pool. */
const keyOf = (origin: string, pool: string | undefined): string => (pool === undefined ? origin : `${origin} ${pool}`)

/** Cache bounded by `maxFiles` and `characters`: a site can have any number of hosts, each with a long file. */
const makeFiles = Effect.fnUntraced(function* (
  fetch: Context.Tag.Service<typeof Fetch>,
  skipTlsVerification: boolean,
  characters: number
) {
  /** Files by key, least recently read first. */
  const kept = new Map<string, { readonly file: CachedFile; readonly at: number }>()
  let total = 0
  const forget = (origin: string): void => {
    total -= kept.get(origin)?.file.size ?? 0
    kept.delete(origin)
  }
  const keep = (origin: string, file: CachedFile, at: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      forget(origin)
      kept.set(origin, { file, at })
      total += file.size
      const oldest: Array<string> = []
      for (const other of kept.keys()) {
        if ((total <= characters && kept.size <= maxFiles) || other === origin) break
        forget(other)
        oldest.push(other)
      }
      return Effect.forEach(oldest, (other) => files.invalidate(other), { discard: true })
    })
  /** Returns the file; if its host did not deliver it, the last one that it delivered, unless that is too old. */
  const fileOr = (origin: string, file: CachedFile, now: number): Effect.Effect<CachedFile> => {
    if (file.isMissed === undefined) return Effect.as(keep(origin, file, now), file)
    const last = kept.get(origin)
    return Effect.succeed(last !== undefined && now - last.at < maxStale ? { ...last.file, isMissed: true } : file)
  }
  const files: Cache.Cache<string, CachedFile> = yield* Cache.makeWith({
    capacity: maxFiles,
    lookup: (key: string) => {
      const [origin = "", proxy] = key.split(" ")
      const url = `${origin}/robots.txt`
      return fetch.get({ url, timeout, maxBytes: maxText, truncate: true, skipTlsVerification, proxy }).pipe(
        Effect.map((answer) => readAnswer(origin, answer)),
        Effect.catchAll((failure) => Effect.succeed(readFailure(origin, failure))),
        Effect.flatMap((file) => Effect.flatMap(Clock.currentTimeMillis, (now) => fileOr(key, file, now))),
        Effect.scoped
      )
    },
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: ({ isMissed }) => (isMissed === undefined ? Duration.hours(1) : Duration.minutes(1))
    })
  })
  /** If the request that loads a file is interrupted, the cache interrupts all that wait for it: they load it again. */
  const get = (key: string): Effect.Effect<CachedFile> =>
    Effect.catchAllCause(files.get(key), (cause) =>
      Cause.isInterruptedOnly(cause) ? get(key) : Effect.failCause(cause)
    )
  return get
})

/** `characters` limits the size of the cache. */
export const layerWith = (characters: number): Layer.Layer<Robots, never, Fetch> =>
  Layer.effect(
    Robots,
    Effect.gen(function* () {
      const fetch = yield* Fetch
      const [strict, lax] = [yield* makeFiles(fetch, false, characters), yield* makeFiles(fetch, true, characters)]
      return {
        load: (origin: string, userAgent: string = defaultUserAgent, options: RobotsOptions = {}) =>
          Effect.map((options.skipTlsVerification === true ? lax : strict)(keyOf(origin, options.pool)), (file) =>
            rulesOf(origin, userAgent, file)
          )
      }
    })
  )

export const layer: Layer.Layer<Robots, never, Fetch> = layerWith(maxCharacters)
