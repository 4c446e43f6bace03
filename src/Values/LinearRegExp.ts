/** Regular expressions that run in linear time on any input, because page content may be hostile. */
import * as Either from "effect/Either"
import type { RE2JS } from "re2js"
import { re2js } from "../Packages.ts"

/** Character classes equal to `\s` and `\S` in JavaScript; those of RE2 are ASCII only. */
const space = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
const notSpace =
  "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

const outside: Readonly<Record<string, string>> = {
  "\\s": `[${space}]`,
  "\\S": `[${notSpace}]`,
  ".": "[^\\n\\r\\x{2028}\\x{2029}]"
}
const inside: Readonly<Record<string, string>> = { "\\s": space, "\\S": notSpace, "\\b": "\\x08" }

/** Translates a JavaScript pattern to RE2 without changing its meaning. */
const translate = (source: string): string => {
  let inClass = false
  return re2js()
    .RE2JS.translateRegExp(source)
    .replace(/\\[\s\S]|[\s\S]/g, (token) => {
      if (token === "[" && !inClass) {
        inClass = true
        return token
      }
      if (token === "]") inClass = false
      // A bracket inside a class is a plain character; RE2 would expect [:alpha:].
      if (token === "[") return "\\["
      return (inClass ? inside : outside)[token] ?? token
    })
}

const atom = String.raw`(?:[^\\^$.*+?()[\]{}|]|\.|\\[dDwWsStnrfv\\/.^$*+?()[\]{}|-]|\[\^?(?:[^\\\]]|\\[dDwWsStnrfv\\/.^$[\]-])+\])(?:\{\d{1,2}\})?`
const branch = String.raw`\^?(?:${atom})*(?:${atom}[*+?]\??)?`

/**
 * Matches patterns with nothing after an unbounded repetition. Such patterns never backtrack, so V8's engine takes linear time, too, and is
 * many times faster.
 */
const withoutBacktracking = new RegExp(`^${branch}(?:\\|${branch})*$`)

const compiled = new WeakMap<RegExp, RE2JS>()

const compile = (regex: RegExp): RE2JS => {
  const known = compiled.get(regex)
  if (known !== undefined) return known
  const { RE2JS } = re2js()
  const flags = (regex.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (regex.multiline ? RE2JS.MULTILINE : 0)
  const made = RE2JS.compile(translate(regex.source), flags)
  compiled.set(regex, made)
  return made
}

/** Returns why a pattern cannot run in linear time; undefined if it can. */
export const whyNotLinear = (regex: RegExp): string | undefined => {
  const { source } = regex
  if (/^(?:[^\\]|\\[^1-9k])*\\(?:[1-9]|k<)/.test(source)) return "back-references are not supported"
  if (/\(\?<?[=!]/.test(source)) return "look-ahead and look-behind are not supported"
  if (withoutBacktracking.test(source)) return undefined
  return throws(() => compile(regex))
}

const throws = (attempt: () => unknown): string | undefined => {
  const outcome = Either.try(attempt)
  return Either.isRight(outcome) ? undefined : String(outcome.left).replace(/^\w+: error parsing regexp: /, "")
}

/** Reason why a string is not a regular expression of RE2; undefined if it is one. */
export const patternFault = (source: string): string | undefined =>
  throws(() => re2js().RE2JS.compile(source))?.replace(`: \`${source}\``, "")

/** True for a regular expression of RE2; otherwise says why it is none. */
export const isPattern = (source: string): true | string => {
  const fault = patternFault(source)
  return (
    fault === undefined ||
    `"${source}" is not a regular expression of RE2, which has no lookaheads and back-references: ${fault}`
  )
}

type Match = Array<string | undefined> & { index: number }

/** Called with the work done by a search, about one unit per character. May throw to end the search. */
type Count = (steps?: number) => void

/** The part of RegExp that JSONata uses, always with the global flag: `exec` starts at `lastIndex` and moves it past the match. */
export class LinearRegExp {
  lastIndex = 0
  readonly #engine: (text: string, from: number) => Match | null
  readonly #count: Count | undefined

  constructor(regex: RegExp, count?: Count) {
    this.#count = count
    this.#engine = withoutBacktracking.test(regex.source) ? nativeEngine(regex, count) : linearEngine(regex, count)
  }

  exec(text: string): Match | null {
    const from = this.lastIndex
    const match = from > text.length ? null : this.#engine(text, from)
    const end = match === null ? text.length : match.index + (match[0] ?? "").length
    this.#count?.(1 + ((end - from) >> 4))
    this.lastIndex = match === null ? 0 : end
    return match
  }
}

/** Maximum characters that a pattern reads at each position before its unbounded repetitions. */
const widthOf = ({ source }: RegExp): number => {
  let width = source.length
  for (const [, count] of source.matchAll(/\{(\d+)\}/g)) width += Number(count)
  return width
}

/** Maximum work of one search by V8, which cannot be interrupted: characters of the input times {@link widthOf} the pattern. */
const maxNative = 50_000_000

const nativeEngine = (regex: RegExp, count: Count | undefined) => {
  const maxLength = maxNative / widthOf(regex)
  let counted: ReturnType<typeof linearEngine> | undefined
  return (text: string, from: number): Match | null => {
    if (text.length > maxLength) {
      counted ??= linearEngine(regex, count)
      return counted(text, from)
    }
    // Searches share the RegExp object, so each one sets `lastIndex` first.
    regex.lastIndex = from
    return regex.exec(text)
  }
}

/** String that counts a step for each character read. */
class CountedText extends String {
  readonly #count: Count
  constructor(text: string, count: Count) {
    super(text)
    this.#count = count
  }
  override charCodeAt(index: number): number {
    this.#count()
    return super.charCodeAt(index)
  }
}

/** Maximum characters of a string that is searched without counting each character that is read. */
const shortText = 10_000

const inputOf = (text: string, count: Count | undefined): string => {
  if (count === undefined || text.length <= shortText) return text
  const counted: unknown = new CountedText(text, count)
  // Safe, because RE2JS only calls string methods on it.
  return counted as string
}

const linearEngine = (regex: RegExp, count: Count | undefined) => {
  const re2 = compile(regex)
  let searched: string | undefined
  let matcher = re2.matcher("")
  return (text: string, from: number): Match | null => {
    if (searched !== text) {
      searched = text
      matcher = re2.matcher(inputOf(text, count))
    }
    // Count the rest of a short string, because a search may read all of it. In longer strings, each character read is counted instead.
    if (text.length <= shortText) count?.((text.length - from) >> 2)
    if (!matcher.find(from)) return null
    const groups: Array<string | undefined> = []
    for (let group = 0; group <= matcher.groupCount(); group++) groups.push(matcher.group(group) ?? undefined)
    return Object.assign(groups, { index: matcher.start() })
  }
}
