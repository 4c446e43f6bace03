/** Regular expressions that take linear time whatever the text is: page content is hostile (pipelines 3). */
import * as Either from "effect/Either"
import { RE2JS } from "re2js"

/** What `\s` means in JavaScript, and what it does not; RE2 knows ASCII only. */
const space = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
const notSpace =
  "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

const outside: Readonly<Record<string, string>> = {
  "\\s": `[${space}]`,
  "\\S": `[${notSpace}]`,
  ".": "[^\\n\\r\\x{2028}\\x{2029}]"
}
const inside: Readonly<Record<string, string>> = { "\\s": space, "\\S": notSpace, "\\b": "\\x08" }

/** The pattern with JavaScript's meaning, spelt for RE2. */
const translate = (source: string): string => {
  let inClass = false
  return RE2JS.translateRegExp(source).replace(/\\[\s\S]|[\s\S]/g, (token) => {
    if (token === "[" && !inClass) {
      inClass = true
      return token
    }
    if (token === "]") inClass = false
    // A bracket inside a class is only a bracket; RE2 would look for [:alpha:].
    if (token === "[") return "\\["
    return (inClass ? inside : outside)[token] ?? token
  })
}

const compiled = new WeakMap<RegExp, RE2JS>()

const compile = (regex: RegExp): RE2JS => {
  const known = compiled.get(regex)
  if (known !== undefined) return known
  const flags = (regex.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (regex.multiline ? RE2JS.MULTILINE : 0)
  const made = RE2JS.compile(translate(regex.source), flags)
  compiled.set(regex, made)
  return made
}

/** Why a pattern cannot run in linear time; undefined when it can. */
export const objection = (regex: RegExp): string | undefined => {
  const { source } = regex
  if (/^(?:[^\\]|\\[^1-9k])*\\(?:[1-9]|k<)/.test(source)) return "back-references are not supported"
  if (/\(\?<?[=!]/.test(source)) return "look-ahead and look-behind are not supported"
  // The parser explains itself by throwing.
  return throws(() => compile(regex))
}

const throws = (attempt: () => unknown): string | undefined => {
  const outcome = Either.try(attempt)
  return Either.isRight(outcome) ? undefined : String(outcome.left).replace(/^\w+: error parsing regexp: /, "")
}

/** As much of RegExp as JSONata uses, in its sticky global way: `exec` starts at `lastIndex` and leaves it behind the match. */
export class LinearRegExp {
  lastIndex = 0
  readonly #regex: RE2JS
  #text: string | undefined
  #matcher: ReturnType<RE2JS["matcher"]> | undefined

  constructor(regex: RegExp) {
    this.#regex = compile(regex)
  }

  exec(text: string): (Array<string | undefined> & { index: number }) | null {
    if (this.#matcher === undefined || this.#text !== text) {
      this.#text = text
      this.#matcher = this.#regex.matcher(text)
    }
    const matcher = this.#matcher
    if (this.lastIndex > text.length || !matcher.find(this.lastIndex)) {
      this.lastIndex = 0
      return null
    }
    this.lastIndex = matcher.end()
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined)
    return Object.assign(groups, { index: matcher.start() })
  }
}
