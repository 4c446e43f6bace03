/** Removes secrets from every string that leaves the process: logs, traces, metrics, messages. */
import { escapePattern } from "../Values/Text.ts"

const secrets = new Set<string>()
let pattern: RegExp | undefined

/** Minimum length of a secret to remove; shorter ones could be ordinary words. */
const minLength = 6

/** Maximum number of remembered secrets. */
const maxSecrets = 500

/** Latest tokens, oldest first; limited, because a daemon keeps getting new ones. */
const tokens = new Set<string>()
const maxTokens = 100

const add = (text: string): void => {
  if (text.length >= minLength && secrets.size < maxSecrets) secrets.add(text)
}

const decoded = (text: string): string => {
  // A lone % is not an escape: the string is not encoded.
  return /%(?![0-9a-f]{2})/i.test(text) ? text : decodeURIComponent(text.replace(/%[89a-f][0-9a-f]/gi, "_"))
}

/** Secrets inside a setting: `name=url,name=KEY`, `name:key`, `https://user:password@host`. */
const partsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[,\s]+/).flatMap((part) => {
    // Without a password, the user name is the secret.
    const [, user = "", password = ""] = /:\/\/([^/@:]*)(?::([^/]*))?@/.exec(part) ?? []
    const login = password === "" ? user : password
    if (login !== "") return [login, decoded(login)]
    const value = /^[\w./-]+=(.*)$/.exec(part)?.[1] ?? part
    const key = /^(?:[\w.-]+\/)?[\w.-]+:(.+)$/.exec(value)?.[1]
    return [value, ...(key === undefined || value.includes("://") ? [] : [key]), ...value.split(":")]
  })

const compile = (): void => {
  // Longest first, so that a secret that contains another one is removed as a whole.
  const all = [...secrets, ...tokens].sort((one, other) => other.length - one.length)
  pattern = new RegExp(all.map(escapePattern).join("|"), "g")
}

/** Adds a secret and the secrets inside it. From now on {@link scrub} removes them. */
export const addSecret = (text: string): void => {
  const before = secrets.size
  add(text)
  for (const part of partsOf(text)) if (!/^(?:https?|socks5h?)$/.test(part) && !part.startsWith("//")) add(part)
  if (secrets.size > before) compile()
}

/** Adds a token that expires: {@link scrub} removes it until 100 newer tokens have been added. */
export const addToken = (text: string): void => {
  if (text.length < minLength) return
  const isNew = !tokens.delete(text)
  tokens.add(text)
  if (!isNew) return
  const [oldest = ""] = tokens
  if (tokens.size > maxTokens) tokens.delete(oldest)
  compile()
}

const keys = /\bfc-[0-9a-f]{32}\b/g
const bearers = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi
// Both patterns run in linear time, because some of the strings are page content.
const logins = /(:\/\/)[^\s/@"'<>]+@/g
const addresses = /\b(?:https?|wss?):\/\/[^\s"'<>`)]+/gi

const withoutQuery = (address: string): string => {
  const at = address.search(/[?#]/)
  return at === -1 ? address : address.slice(0, at)
}

/** Removes secrets, and the user names, passwords and queries of URLs. */
export const scrub = (text: string): string => {
  const known = pattern === undefined ? text : text.replace(pattern, "[secret]")
  if (!/:\/\/|fc-|bearer|basic/i.test(known)) return known
  return known
    .replace(logins, "$1")
    .replace(addresses, withoutQuery)
    .replace(keys, "[key]")
    .replace(bearers, "$1 [secret]")
}

/** Maximum depth of a logged value, and maximum entries per level. */
const maxDepth = 4
const maxEntries = 100

/** Copy of a value for logs: without secrets, and limited in depth and size. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value
  if (typeof value === "string") return scrub(value)
  if (value instanceof Error) return scrub(value.message)
  if (typeof value !== "object") return value === undefined ? undefined : scrub(String(value))
  if (depth >= maxDepth) return "…"
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value)
    ? value.slice(0, maxEntries).map((each) => redact(each, depth + 1))
    : Object.fromEntries(
        Object.entries(value)
          .slice(0, maxEntries)
          .map(([key, each]) => [key, redact(each, depth + 1)])
      )
}

/** The redacted value as a string; objects become JSON. */
export const textOf = (value: unknown): string => {
  const redacted = redact(value)
  return typeof redacted === "string" ? redacted : (JSON.stringify(redacted) ?? "")
}
