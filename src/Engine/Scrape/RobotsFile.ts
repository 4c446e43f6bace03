/**
 * The rules in the text of a robots.txt (RFC 9309), in time that no pattern can stretch.
 *
 * Files are read as tolerantly as Google's parser reads them: a forgotten colon, common misspellings, a byte order mark, names with more
 * than the product token.
 */

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
