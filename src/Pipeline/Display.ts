/** Prepares a step's fields for people: for a line of the plan or a node of the graph, and with inputs filled in. */
import * as Effect from "effect/Effect"
import * as AST from "effect/SchemaAST"
import { type Scope, settle } from "./Interpolate.ts"
import type { Node } from "./Node.ts"

/** Replaces the strings of a value. Values of the keys in `hiddenKeys` become `…`. */
const mapStrings = (
  value: unknown,
  replaced: (text: string) => Effect.Effect<unknown>,
  hiddenKeys: ReadonlyArray<string>
): Effect.Effect<unknown> => {
  if (typeof value === "string") return value.includes("${{") ? replaced(value) : Effect.succeed(value)
  if (Array.isArray(value)) return Effect.forEach(value, (item) => mapStrings(item, replaced, hiddenKeys))
  if (typeof value !== "object" || value === null) return Effect.succeed(value)
  return Effect.map(
    Effect.forEach(Object.entries(value), ([key, item]) =>
      Effect.map(
        hiddenKeys.includes(key) ? Effect.succeed(hidden) : mapStrings(item, replaced, hiddenKeys),
        (each) => [key, each] as const
      )
    ),
    Object.fromEntries
  )
}

/** Fills in inputs. Values that are secret or not known before the run stay as written. */
export const filled = (scope: Scope, value: unknown): Effect.Effect<unknown> =>
  mapStrings(
    value,
    (text) =>
      Effect.map(settle(scope, text, []), (settled) =>
        settled.issues.length + settled.open.length + settled.secret.length > 0 ? text : settled.value
      ),
    []
  )

const namesOthers = /\b(?:env|secrets)\b/

/** Matches the password in a URL. */
const password = /(\/\/[^/\s:@]*:)[^/\s@]+@/g

const hidden = "…"

/** Fills in inputs and hides headers and credentials. Values from the environment and the run stay as written. */
const shownValue = (scope: Scope, value: unknown): Effect.Effect<unknown> =>
  mapStrings(
    value,
    (text) =>
      namesOthers.test(text)
        ? Effect.succeed(text)
        : Effect.map(settle(scope, text, []), (settled) =>
            settled.issues.length + settled.open.length > 0 ? text : settled.value
          ),
    ["headers", "auth"]
  )

const inline = (value: unknown, nested: boolean): string => {
  if (typeof value === "string") return value.replace(/\s+/g, " ").trim()
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, true)).join(", ")}]`
  if (typeof value !== "object" || value === null) return String(value)
  const entries = Object.entries(value)
  const [first] = entries
  // `{ expr: url }` is shown as `url`.
  if (entries.length === 1 && first?.[0] === "expr") return inline(first[1], nested)
  const text = entries.map(([key, item]) => `${key}: ${inline(item, true)}`).join(", ")
  return nested ? `{ ${text} }` : text
}

/** Matches characters that could control a terminal or are invisible to a reader. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it matches
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The fields of a step on one line, without secrets. */
export const shown = (scope: Scope, config: unknown): Effect.Effect<string> =>
  Effect.map(shownValue(scope, config), (value) =>
    inline(value, false).replace(unseen, "").replace(password, `$1${hidden}@`)
  )

/** Shortens text to one line of at most 60 characters. */
const short = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim()
  const characters = [...line]
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : line
}

/** True if the definition chooses the names of the fields, as in `select`. */
const takesAnyKey = (ast: AST.AST): boolean =>
  AST.isTypeLiteral(ast) && ast.propertySignatures.length === 0 && ast.indexSignatures.length > 0

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(", ")
  if (typeof value !== "object" || value === null) return String(value)
  const { expr } = value as { readonly expr?: unknown }
  return typeof expr === "string" ? expr : Object.keys(value).join(", ")
}

/** The most important field of a step, shortened; for fields with names chosen by the definition, their names. */
export const detailOf = ({ config, step }: Pick<Node, "config" | "step">): string => {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return short(textOf(config))
  if (takesAnyKey(step.config.ast)) return short(Object.keys(config).join(", "))
  const [first] = Object.entries(config)
  return first === undefined ? "" : short(`${first[0]}: ${textOf(first[1])}`)
}
