/** The rules in the text of a robots.txt (RFC 9309), in time that no pattern can stretch. */

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

/** `Heron/1.0` is `heron`. */
const productOf = (userAgent: string): string => (userAgent.split("/", 1)[0] ?? "").trim().toLowerCase()

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

const line = /^[ \t]*([a-z-]+)[ \t]*:([^#]*)/i

/** With these the rules of a group have begun; other lines may stand anywhere, also between the names of a group. */
const begun = new Set(["allow", "disallow", "crawl-delay"])

/** Reads what can be read; other lines count for nothing. */
export const readRobots = (text: string): RobotsFile => {
  // Names of one row share their group: as many names as rules must not make as many copies.
  const groups = new Map<string, Array<Group>>()
  const sitemaps: Array<string> = []
  let current: Group = { rules: [] }
  let naming = false
  for (const raw of text.split(/[\r\n]+/)) {
    const [, key = "", rest = ""] = line.exec(raw) ?? []
    const [name, value] = [key.toLowerCase(), rest.trim()]
    if (name === "user-agent") {
      if (!naming) current = { rules: [] }
      const product = productOf(value)
      const own = groups.get(product)
      if (own === undefined) groups.set(product, [current])
      else if (own.at(-1) !== current) own.push(current)
    } else if ((name === "allow" || name === "disallow") && value !== "") {
      current.rules.push(readRule(name === "allow", value))
    } else if (name === "crawl-delay" && /^[\d.]+$/.test(value) && Number.isFinite(Number(value))) {
      current.crawlDelay = Number(value)
    } else if (name === "sitemap" && value !== "") sitemaps.push(value)
    if (name === "user-agent") naming = true
    else if (begun.has(name)) naming = false
  }
  const groupsFor = (userAgent: string) => groups.get(productOf(userAgent)) ?? groups.get("*") ?? []
  return {
    isAllowed: (path, userAgent) => judge(groupsFor(userAgent), encode(path)),
    crawlDelay: (userAgent) => groupsFor(userAgent).findLast((group) => group.crawlDelay !== undefined)?.crawlDelay,
    sitemaps
  }
}
