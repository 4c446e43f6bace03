/** Removes secrets from every string that leaves the process: logs, traces, metrics, messages. */

const secrets = new Set<string>()
let pattern: RegExp | undefined

/** Shorter ones are words that stand everywhere. */
const minLength = 6

/** Kept in mind; who has more has nothing left to tell. */
const maxSecrets = 500

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const add = (text: string): void => {
  if (text.length >= minLength && secrets.size < maxSecrets) secrets.add(text)
}

const decoded = (text: string): string => {
  // A lone % is no escape, and the text stands as it is.
  return /%(?![0-9a-f]{2})/i.test(text) ? text : decodeURIComponent(text.replace(/%[89a-f][0-9a-f]/gi, "_"))
}

/** The parts of a setting that hold more than one secret: `name=url,name=KEY`, `name:key`, `https://user:password@host`. */
const partsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[,\s]+/).flatMap((part) => {
    const login = /:\/\/[^/@]*:([^/]+)@/.exec(part)?.[1]
    if (login !== undefined) return [login, decoded(login)]
    const value = /^[\w./-]+=(.*)$/.exec(part)?.[1] ?? part
    const key = /^(?:[\w.-]+\/)?[\w.-]+:(.+)$/.exec(value)?.[1]
    return [value, ...(key === undefined || value.includes("://") ? [] : [key]), ...value.split(":")]
  })

/** From now on none of this is told. */
export const conceal = (text: string): void => {
  const before = secrets.size
  add(text)
  for (const part of partsOf(text)) if (!/^https?$/.test(part) && !part.startsWith("//")) add(part)
  if (secrets.size === before) return
  // The longest first: what holds another one goes as a whole.
  const all = [...secrets].sort((one, other) => other.length - one.length)
  pattern = new RegExp(all.map(escaped).join("|"), "g")
}

const keys = /\bfc-[0-9a-f]{32}\b/g
const bearers = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi
// Each looks at a character once: strangers write some of the texts, and everybody waits while one is looked through.
const logins = /(:\/\/)[^\s/@"'<>]+@/g
const addresses = /\b(?:https?|wss?):\/\/[^\s"'<>`)]+/gi

const withoutQuery = (address: string): string => {
  const at = address.search(/[?#]/)
  return at === -1 ? address : address.slice(0, at)
}

/** The text without secrets, without names and passwords in addresses, and without their queries. */
export const scrub = (text: string): string => {
  const known = pattern === undefined ? text : text.replace(pattern, "[secret]")
  if (!/:\/\/|fc-|bearer|basic/i.test(known)) return known
  return known
    .replace(logins, "$1")
    .replace(addresses, withoutQuery)
    .replace(keys, "[key]")
    .replace(bearers, "$1 [secret]")
}

/** Levels into a value that are told, and entries of one level. */
const maxDepth = 4
const maxEntries = 100

export const plain = (value: unknown, depth = 0): unknown => {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value
  if (typeof value === "string") return scrub(value)
  if (value instanceof Error) return scrub(value.message)
  if (typeof value !== "object") return value === undefined ? undefined : scrub(String(value))
  if (depth >= maxDepth) return "…"
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value)
    ? value.slice(0, maxEntries).map((each) => plain(each, depth + 1))
    : Object.fromEntries(
        Object.entries(value)
          .slice(0, maxEntries)
          .map(([key, each]) => [key, plain(each, depth + 1)])
      )
}

/** As one text; of an object, its JSON. */
export const textOf = (value: unknown): string => {
  const told = plain(value)
  return typeof told === "string" ? told : (JSON.stringify(told) ?? "")
}
