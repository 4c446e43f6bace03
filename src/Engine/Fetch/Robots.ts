/**
 * Rules of robots.txt (RFC 9309), fetched once per origin.
 *
 * Files are read as tolerantly as by Google's parser: a forgotten colon, common misspellings, a byte order mark, names with more than the
 * product token. Matching takes linear time whatever the patterns.
 */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../Html/Charset.ts"
import type { Fetched } from "../PageSource.ts"
import { Fetch, type FetchFailure } from "./Fetch.ts"
import { defaultUserAgent } from "./Headers.ts"

interface Rule {
  readonly allow: boolean
  /** Characters of the pattern: the longest that matches wins. */
  readonly length: number
  /** The pattern between its asterisks. */
  readonly parts: ReadonlyArray<string>
  /** The pattern ends in `$`. */
  readonly whole: boolean
}

/** The rules below one row of names; a name may stand in several rows. */
interface Group {
  readonly rules: Array<Rule>
  crawlDelay?: number
}

/** One file, for every user agent. */
export interface RobotsFile {
  /** `path` with the query, as `URL` writes them. */
  readonly isAllowed: (path: string, userAgent: string) => boolean
  /** Seconds between two requests. */
  readonly crawlDelay: (userAgent: string) => number | undefined
  /** As they are written. */
  readonly sitemaps: ReadonlyArray<string>
}

/** What groups without a name of their own are for. */
const everyone = "*"

/** The product token of a name: its first letters, `-` and `_`. A name that begins otherwise, such as `360Spider`, is one as a whole. */
const tokenOf = (name: string): string =>
  (/^[a-z_-]+/i.exec(name)?.[0] ?? name.split(/[\s/]/, 1)[0] ?? "").toLowerCase()

/** Whom a line names. */
const namedIn = (value: string): string => (/^\*(?:\s|$)/.test(value) ? everyone : tokenOf(value))

/** The name of a crawler, `heron` of `Heron/1.0`. A product token has no spaces: who has a name with one obeys the rules for everyone. */
const nameOf = (userAgent: string): string => {
  const product = (userAgent.split("/", 1)[0] ?? "").trim()
  return product === "" || /\s/.test(product) ? everyone : tokenOf(product)
}

/** Patterns and paths are compared as they travel: `%2f` and `%2F` are one, as are `ü` and `%C3%BC`. */
const encode = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())

const readRule = (allow: boolean, value: string): Rule => {
  const pattern = encode(value)
  const whole = pattern.endsWith("$")
  const parts = (whole ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, "*").split("*")
  return { allow, length: pattern.length, parts, whole }
}

/** An asterisk takes as little as it can, so each part is looked for once: no backtracking. */
const matches = ({ parts, whole }: Rule, path: string): boolean => {
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

/** The longest rule that matches; of two as long, the one that allows. */
const judge = (groups: ReadonlyArray<Group>, path: string): boolean => {
  let best: Rule | undefined
  for (const { rules } of groups) {
    for (const rule of rules) {
      if (best !== undefined && (rule.length < best.length || (rule.length === best.length && best.allow))) continue
      if (matches(rule, path)) best = rule
    }
  }
  return best?.allow ?? true
}

/** Longer lines are cut; no real URL is that long. */
const maxLine = 16_664

/** Leads into the first line; what is left of a byte order mark that was cut counts as one. */
const byteOrderMark = /^[\ufeff\ufffd]+/

const keys: ReadonlyArray<readonly [name: string, spellings: RegExp]> = [
  ["user-agent", /^user[- ]?agent$/i],
  ["disallow", /^(?:diss?all?ow|diasllow|disallaw)$/i],
  ["allow", /^allow$/i],
  ["crawl-delay", /^crawl-?delay$/i],
  ["sitemap", /^site-?map$/i]
]

const isBlank = (character: string): boolean => character !== "" && " \t\v\f".includes(character)

/** Without blanks at both ends; a byte order mark is none. A regular expression takes the square of the time here. */
const strip = (text: string): string => {
  let [from, end] = [0, text.length]
  while (isBlank(text.charAt(from))) from++
  while (end > from && isBlank(text.charAt(end - 1))) end--
  return text.slice(from, end)
}

/** Name and value of a line, without its comment: separated by a colon, or by a space where there are exactly two words. */
const readLine = (raw: string): readonly [name: string, value: string] | undefined => {
  const text = strip(raw.slice(0, maxLine).split("#", 1)[0] ?? "")
  const colon = text.indexOf(":")
  const [, key = "", value = ""] =
    colon < 0 ? (/^(\S+)[ \t]+(\S+)$/.exec(text) ?? []) : ["", text.slice(0, colon), text.slice(colon + 1)]
  const name = keys.find(([, spellings]) => spellings.test(strip(key)))?.[0]
  return name === undefined ? undefined : [name, strip(value)]
}

/** `Allow: /a/index.html` allows `/a/` itself, too. */
const indexOf = (value: string): string | undefined =>
  /\/index\.htm[^/]*$/.test(value) ? `${value.slice(0, value.lastIndexOf("/") + 1)}$` : undefined

/** With these the rules of a group have begun; other lines may stand anywhere, also between the names of a group. */
const begun = new Set(["allow", "disallow", "crawl-delay"])

/** Reads what can be read; other lines count for nothing. */
export const readRobots = (text: string): RobotsFile => {
  // Names of one row share their group: as many names as rules must not make as many copies.
  const groups = new Map<string, Array<Group>>()
  const sitemaps: Array<string> = []
  let current: Group = { rules: [] }
  let naming = false
  for (const raw of text.replace(byteOrderMark, "").split(/[\r\n]+/)) {
    const read = readLine(raw)
    if (read === undefined) continue
    const [name, value] = read
    if (name === "user-agent") {
      if (!naming) current = { rules: [] }
      const product = namedIn(value)
      const own = groups.get(product)
      if (own === undefined) groups.set(product, [current])
      else if (own.at(-1) !== current) own.push(current)
    } else if ((name === "allow" || name === "disallow") && value !== "") {
      const index = name === "allow" ? indexOf(value) : undefined
      current.rules.push(readRule(name === "allow", value))
      if (index !== undefined) current.rules.push(readRule(true, index))
    } else if (name === "crawl-delay" && /^[\d.]+$/.test(value) && Number.isFinite(Number(value))) {
      current.crawlDelay = Number(value)
    } else if (name === "sitemap" && value !== "") sitemaps.push(value)
    if (name === "user-agent") naming = true
    else if (begun.has(name)) naming = false
  }
  const groupsFor = (userAgent: string) => groups.get(nameOf(userAgent)) ?? groups.get(everyone) ?? []
  return {
    isAllowed: (path, userAgent) => judge(groupsFor(userAgent), encode(path)),
    crawlDelay: (userAgent) => groupsFor(userAgent).findLast((group) => group.crawlDelay !== undefined)?.crawlDelay,
    sitemaps
  }
}

/** The rules of one origin for one user agent. */
export interface Rules {
  readonly isAllowed: (url: string) => boolean
  /** Seconds between two requests. */
  readonly crawlDelay?: number | undefined
  readonly sitemaps: ReadonlyArray<string>
  /** Why nothing may be fetched although no rule says so: the file exists or may exist, and could not be read. */
  readonly unreadable?: string | undefined
}

export interface RobotsOptions {
  /** As for the site's pages. */
  readonly skipTlsVerification?: boolean | undefined
}

/** Never fails: a site without readable rules allows everything or nothing, as the RFC says. */
export class Robots extends Context.Tag("sluice/Engine/Scrape/Robots")<
  Robots,
  {
    /** `origin` as in `new URL(…).origin`; `userAgent` defaults to the engine's own. */
    readonly load: (origin: string, userAgent?: string, options?: RobotsOptions) => Effect.Effect<Rules>
  }
>() {}

/** The RFC asks for at least 500 KiB. */
const maxText = 512 * 1024
const timeout = 15_000

/** Characters of the files that are remembered together: read, each takes ten times as much memory. */
const maxHeld = 16 * 1024 * 1024

interface File {
  readonly parsed: RobotsFile
  readonly unreadable?: string
  /** Characters. */
  readonly size: number
}

const nothing: File = { parsed: readRobots(""), size: 0 }
const unreadable = (why: string): File => ({ ...nothing, unreadable: why })

/** A server that answers 4xx has no rules; one that is failing or overloaded may have some. */
const readAnswer = (origin: string, { statusCode, body, headers }: Fetched): File => {
  if (statusCode >= 500 || statusCode === 429) return unreadable(`${origin}/robots.txt answered ${statusCode}`)
  if (statusCode < 200 || statusCode >= 300) return nothing
  const { text } = decodeText(body, headers["content-type"])
  return { parsed: readRobots(text), size: text.length }
}

/** Where there is no connection at all the page itself will say why, and better; it may be reached only by permission. */
const unreachable = new Set(["BAD_REQUEST", "SSRF_BLOCKED", "SCRAPE_CONNECTION_ERROR", "SCRAPE_DNS_RESOLUTION_ERROR"])

const readFailure = (origin: string, failure: FetchFailure): File => {
  if (failure._tag === "TimedOut") return unreadable(`${origin}/robots.txt did not answer in time`)
  return unreachable.has(failure.code ?? "")
    ? nothing
    : unreadable(`${origin}/robots.txt could not be read: ${failure.error}`)
}

const rules = (origin: string, userAgent: string, { parsed, unreadable }: File): Rules => {
  if (unreadable !== undefined) return { isAllowed: () => false, sitemaps: [], unreadable }
  const isAllowed = (address: string) => {
    const url = new URL(address)
    return url.origin !== origin || parsed.isAllowed(url.pathname + url.search, userAgent)
  }
  const sitemaps = parsed.sitemaps.flatMap((url) => (canParse(url, origin) ? [new URL(url, origin).href] : []))
  return { isAllowed, crawlDelay: parsed.crawlDelay(userAgent), sitemaps }
}

/** Files that are remembered at most. */
const mostFiles = 1_000

/** Remembers no more than so much: a site has as many hosts as it likes, each with a file as long as it likes. */
const makeFiles = Effect.fnUntraced(function* (
  fetch: Context.Tag.Service<typeof Fetch>,
  skipTlsVerification: boolean,
  mostHeld: number
) {
  /** By origin, the file that was read last at the end. */
  const sizes = new Map<string, number>()
  let held = 0
  const hold = (origin: string, { size }: File): Effect.Effect<void> =>
    Effect.suspend(() => {
      held += size - (sizes.get(origin) ?? 0)
      sizes.delete(origin)
      if (size > 0) sizes.set(origin, size)
      const oldest: Array<string> = []
      for (const [other, length] of sizes) {
        if ((held <= mostHeld && sizes.size <= mostFiles) || other === origin) break
        held -= length
        sizes.delete(other)
        oldest.push(other)
      }
      return Effect.forEach(oldest, (other) => files.invalidate(other), { discard: true })
    })
  const files: Cache.Cache<string, File> = yield* Cache.makeWith({
    capacity: mostFiles,
    lookup: (origin: string) =>
      fetch.get({ url: `${origin}/robots.txt`, timeout, maxBytes: maxText, cut: true, skipTlsVerification }).pipe(
        Effect.map((answer) => readAnswer(origin, answer)),
        Effect.catchAll((failure) => Effect.succeed(readFailure(origin, failure))),
        Effect.tap((file) => hold(origin, file)),
        Effect.scoped
      ),
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: (file) => (file.unreadable === undefined ? Duration.hours(1) : Duration.minutes(1))
    })
  })
  return files
})

/** `mostHeld` is in characters. */
export const layerWith = (mostHeld: number): Layer.Layer<Robots, never, Fetch> =>
  Layer.effect(
    Robots,
    Effect.gen(function* () {
      const fetch = yield* Fetch
      const [strict, lax] = [yield* makeFiles(fetch, false, mostHeld), yield* makeFiles(fetch, true, mostHeld)]
      return {
        load: (origin: string, userAgent: string = defaultUserAgent, options: RobotsOptions = {}) =>
          Effect.map((options.skipTlsVerification === true ? lax : strict).get(origin), (file) =>
            rules(origin, userAgent, file)
          )
      }
    })
  )

export const layer: Layer.Layer<Robots, never, Fetch> = layerWith(maxHeld)
