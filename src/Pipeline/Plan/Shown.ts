/** A step in one line, as far as everybody may see it: variables of the environment and secrets by their names. */
import * as Effect from "effect/Effect"
import { type Scope, settle } from "../Interpolate.ts"

const namesOthers = /\b(?:env|secrets)\b/

/** Passwords in addresses. */
const password = /(\/\/[^/\s:@]*:)[^/\s@]+@/g

const hidden = "…"

/** What inputs say is filled in; what only the environment or the run knows stays as it is written; headers are hidden. */
const shownValue = (scope: Scope, value: unknown): Effect.Effect<unknown> => {
  if (typeof value === "string") {
    if (!value.includes("${{") || namesOthers.test(value)) return Effect.succeed(value)
    return Effect.map(settle(scope, value, []), (settled) =>
      settled.mistakes.length > 0 || settled.open.length > 0 ? value : settled.value
    )
  }
  if (Array.isArray(value)) return Effect.forEach(value, (item) => shownValue(scope, item))
  if (typeof value !== "object" || value === null) return Effect.succeed(value)
  return Effect.map(
    Effect.forEach(Object.entries(value), ([key, item]) =>
      Effect.map(key === "headers" ? Effect.succeed(hidden) : shownValue(scope, item), (shown) => [key, shown] as const)
    ),
    Object.fromEntries
  )
}

const inline = (value: unknown, nested: boolean): string => {
  if (typeof value === "string") return value.replace(/\s+/g, " ").trim()
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, true)).join(", ")}]`
  if (typeof value !== "object" || value === null) return String(value)
  const entries = Object.entries(value)
  const [first] = entries
  // `{ expr: url }` is what the row says.
  if (entries.length === 1 && first?.[0] === "expr") return inline(first[1], nested)
  const text = entries.map(([key, item]) => `${key}: ${inline(item, true)}`).join(", ")
  return nested ? `{ ${text} }` : text
}

/** Text of a definition may hold anything; what would steer a terminal is left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The fields of a step in one line. */
export const shown = (scope: Scope, config: unknown): Effect.Effect<string> =>
  Effect.map(shownValue(scope, config), (value) =>
    inline(value, false).replace(unseen, "").replace(password, `$1${hidden}@`)
  )
