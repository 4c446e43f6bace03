/**
 * Finds mistakes in the options of scraped pages that would fail a run at its first page: in actions, CSS selectors and URL patterns of
 * a crawl. What only the local engine refuses is a warning, because `check` does not know the service. Values with `${{ }}` are skipped.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { actionTypes, decodeAction } from "../Api/Actions.ts"
import { keyAliases, keyNames, unknownKeyIn } from "../Api/Keys.ts"
import { escapeAdvice } from "../Html/ClassSigns.ts"
import { parseSelector, syntaxFault } from "../Html/Select.ts"
import { nearest } from "../Row/Nearest.ts"
import { isLiteral, list, mapping } from "../Step/Requirements.ts"
import { patternFault } from "../Values/LinearRegExp.ts"
import { type Issue, issuesOf, type Path } from "./Issue.ts"
import type { Node } from "./Node.ts"

/** Paths of the options of pages within the fields of a step. */
const optionsAt: ReadonlyMap<string, ReadonlyArray<Path>> = new Map([
  ["scrape", [[]]],
  ["batchScrape", [[]]],
  ["parse", [[]]],
  ["crawl", [["scrapeOptions"], ["params", "scrapeOptions"]]],
  ["search", [["scrapeOptions"]]]
])

/** The fault of an option: an error if no service would take it, a warning if only the local engine refuses it. */
interface Fault {
  readonly level: "error" | "warning"
  readonly message: string
}

const error = (message: string): Fault => ({ level: "error", message })

const onlyLocal = (message: string): Fault => ({
  level: "warning",
  message: `${message} (the local engine refuses it)`
})

type PlacedFault = Fault & Issue

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, key) => (Array.isArray(part) ? part[Number(key)] : mapping(part)[String(key)]), value)

/** A string of a definition, with its path. */
type Written = readonly [text: string, path: Path]

/** Maximum items and characters that are looked at; the schema of the step refuses more. */
const maxItems = 100
const maxLength = 1000

/** True for a string that can be checked: it is known before the run, and not refused for its length. */
const isChecked = (value: unknown): value is string => isLiteral(value) && value.length <= maxLength

const itemsOf = (value: unknown): ReadonlyArray<unknown> => list(value).slice(0, maxItems)

const literals = (values: unknown, path: Path): ReadonlyArray<Written> =>
  itemsOf(values).flatMap((value, index) => (isChecked(value) ? [[value, [...path, index]] as const] : []))

const issuesFor = (
  texts: ReadonlyArray<Written>,
  faultOf: (text: string) => Fault | undefined
): ReadonlyArray<PlacedFault> =>
  texts.flatMap(([text, path]) => {
    const fault = faultOf(text)
    return fault === undefined ? [] : [{ path, ...fault }]
  })

const typeFault = (type: string): Fault => {
  const near = nearest(type, actionTypes)
  return near === undefined
    ? onlyLocal(`"${type}" is none of ${actionTypes.join(", ")}`)
    : error(`there is no action "${type}", did you mean "${near}"?`)
}

/** Fault of the keys of an action. Another service may have what is near no key, F13 to F24, and names in any case. */
const keyFault = (chord: string): Fault | undefined => {
  const key = unknownKeyIn(chord)
  if (key === undefined) return undefined
  const hasNear = key.length > 2 && !/^F(1[3-9]|2[0-4])$/i.test(key)
  const near = keyAliases[key.toLowerCase()] ?? (hasNear ? nearest(key, keyNames) : undefined)
  if (near === undefined) return onlyLocal(`there is no key "${key}": write a name like Enter, ArrowDown or Control+a`)
  const level = near.toLowerCase() === key.toLowerCase() ? onlyLocal : error
  return level(`there is no key "${key}", did you mean "${near}"?`)
}

/** Advice on a valid selector with signs that CSS most likely reads otherwise than meant. */
const doubtOfSelector = (selector: string): Fault | undefined => {
  const advice = escapeAdvice(selector)
  const message = `CSS reads : / . [ ] in "${selector}" as syntax. If they are part of the class name, ${advice}`
  return advice === undefined ? undefined : { level: "warning", message }
}

/** Beginning of a selector that is not CSS for Playwright, but XPath, a text, or of another kind that it names, like `role=button`. */
const ofPlaywright = /^(\(*\/\/|\.\.|["']|[\w:+*-]+=)/

/** Fault of an action's selector. The local engine reads it as CSS, to which `>>` may join selectors of Playwright. */
const targetFault = (selector: string): Fault | undefined => {
  if (ofPlaywright.test(selector)) return onlyLocal(`"${selector}" is a selector of Playwright, not CSS`)
  if (selector.includes(">>")) return undefined
  const fault = syntaxFault(selector)
  return fault === undefined ? doubtOfSelector(selector) : error(fault)
}

/** A key that is near no known one, and a value beyond a limit, may be right for another service. */
const asFault = (issue: Issue): PlacedFault => ({
  ...issue,
  ...(issue.isForeign === true || issue.isBeyondLimit === true ? onlyLocal(issue.message) : error(issue.message))
})

const issuesInAction = (action: unknown, path: Path): ReadonlyArray<PlacedFault> => {
  const { key, selector, type } = mapping(action)
  if (!isChecked(type)) return []
  const decoded = decodeAction({ ...mapping(action), type })
  if (decoded === undefined) return issuesFor([[type, [...path, "type"]]], typeFault)
  const wrong = Either.isLeft(decoded) ? issuesOf(decoded.left.issue, path) : []
  /** Checks the text of a field that has no other fault. */
  const inText = (name: string, text: unknown, faultOf: (text: string) => Fault | undefined) =>
    isChecked(text) && !wrong.some((issue) => issue.path.at(-1) === name)
      ? issuesFor([[text, [...path, name]]], faultOf)
      : []
  return [
    ...wrong.flatMap((issue) => {
      const value = at(action, issue.path.slice(path.length))
      return issue.atKey !== true && typeof value === "string" && value.includes("${{") ? [] : [asFault(issue)]
    }),
    ...inText("selector", selector, targetFault),
    ...inText("key", key, keyFault)
  ]
}

/** CSS selectors that the service evaluates on the HTML of a page. */
const selectorsOf = (options: unknown, path: Path): ReadonlyArray<Written> => [
  ...(["includeTags", "excludeTags"] as const).flatMap((key) => literals(mapping(options)[key], [...path, key])),
  ...itemsOf(mapping(options).formats).flatMap((format, index) =>
    itemsOf(mapping(format).selectors).flatMap((query, place): ReadonlyArray<Written> => {
      const { selector } = mapping(query)
      return isChecked(selector) ? [[selector, [...path, "formats", index, "selectors", place, "selector"]]] : []
    })
  )
]

const selectorFault = (selector: string): Fault | undefined => {
  const parsed = parseSelector(selector)
  if (Either.isRight(parsed)) return doubtOfSelector(selector)
  const fault = syntaxFault(selector)
  return fault === undefined ? onlyLocal(parsed.left) : error(fault)
}

/** A pattern that means the same as a glob. */
const fromGlob = (glob: string): string => {
  const [, start = "", body = "", end = ""] = /^(\/?\*+)?(.*?)(\*+)?$/s.exec(glob) ?? []
  if (body === "") return ".*"
  const text = body
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/(?:\/\*\*+)+\/|\*+/g, (stars) => (stars.startsWith("/") ? "/(.*/)?" : stars.length > 1 ? ".*" : "[^/]*"))
  const anchor = start !== "" ? "" : text.startsWith("/") || text.includes("://") ? "^" : "^/"
  return `${anchor}${text}${end === "" ? "$" : ""}`
}

/** Compiles a regular expression of JavaScript, which some services use. */
const asJavaScript = Option.liftThrowable((pattern: string) => new RegExp(pattern))

/** Faults of RE2 that an unescaped character causes. */
const unescaped = /^(missing closing|missing argument|unexpected|invalid nested)/

/** A pattern for messages. */
const quote = (pattern: string): string => `"${pattern.length > 80 ? `${pattern.slice(0, 77)}…` : pattern}"`

/** Says what is wrong with a pattern that RE2 does not compile, for the reason `fault`. */
const syntaxOfPattern = (pattern: string, fault: string, isExclude: boolean): Fault => {
  const quoted = quote(pattern)
  if (/^[^\\()[\]|+]*$/.test(pattern) && /\*\*|^\*/.test(pattern)) {
    return error(`${quoted} is a glob, not a regular expression: write ${fromGlob(pattern)}`)
  }
  if (Option.isNone(asJavaScript(pattern))) {
    const advice = pattern.startsWith("*")
      ? ": write .* for any text"
      : unescaped.test(fault)
        ? ": write \\ before a character that stands for itself"
        : ""
    return error(`${quoted} is not a regular expression: ${fault}${advice}`)
  }
  const [, part = pattern] = /: `(.*)`$/s.exec(fault) ?? []
  const [missing] = /^(\(\?<?[=!]|\\[1-9k])/.exec(part) ?? []
  const advice = missing?.endsWith("!") && !isExclude ? ": put what to leave out into excludePaths" : ""
  const why = missing === undefined ? `: ${fault}` : `, which has no lookaheads and back-references${advice}`
  return onlyLocal(`${quoted} is not a regular expression of RE2${why}`)
}

/** A question mark as a character, another escaped character, or a character class. */
const characters = /(\\\?|\[\\?\?\])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/gs

/** An innermost group, or a question mark as a character that may be missing. */
const innermost = /\((?:\?(?:P?<\w+>|[\w-]*:?))?([^()]*)\)((?:[?*]|\{0(?:,\d*)?\})\??)?|\\\?(?:[?*]|\{0(?:,\d*)?\})/g

/** The pattern without the parts that may be missing, and groups of several texts. */
const requiredPart = (pattern: string): string => {
  const rest = pattern.replace(innermost, (_, body = "", optional?: string) =>
    optional !== undefined || body.includes("|") ? "" : body
  )
  return rest === pattern ? pattern : requiredPart(rest)
}

/** True for a pattern that matches only text with a query: `\?` or `[?]` in each of its branches. */
const needsQuery = (pattern: string): boolean =>
  requiredPart(pattern.replace(characters, (_, mark?: string) => (mark === undefined ? "x" : "\\?")))
    .split("|")
    .every((branch) => branch.includes("\\?"))

/** A path with a query and no other signs of a regular expression, like `/list?page=2`, but not `/colou?r=red`. */
const plainQuery = /^[\w/.-]*\w\w\?[a-z][\w-]+=[\w&=.-]*$/i

/** Advice on a valid pattern that most likely matches other pages than the ones meant. */
const doubtOf = (pattern: string, isWhole: boolean): string | undefined => {
  if (!isWhole && /^[^/]*:\/\//.test(pattern.replaceAll("\\/", "/"))) {
    return `${quote(pattern)} looks like a whole address, but only paths are compared: write it as a path, like ^/p/, or set regexOnFullURL: true`
  }
  const isPlain = plainQuery.test(pattern)
  if (!isWhole && (isPlain || needsQuery(pattern))) {
    return `${quote(pattern)} looks for a query, and never matches, because only paths are compared: set regexOnFullURL: true, which compares whole addresses${isPlain ? ", and write \\? for the question mark" : ""}`
  }
  return /^[\w/:.~%*-]+$/.test(pattern) && /\/\*(\/|$)/.test(pattern) && !/\.\*|^\/?\*+$/.test(pattern)
    ? `${quote(pattern)} looks like a glob, and is read as a regular expression: write ${fromGlob(pattern)}`
    : undefined
}

/** Mistakes in the patterns of a crawl, in its fields and in its `params`. */
const issuesInPatterns = ({ config, index, step }: Node): ReadonlyArray<PlacedFault> => {
  if (step.key !== "crawl") return []
  const { params, regexOnFullURL = mapping(params).regexOnFullURL } = mapping(config)
  const isWhole = regexOnFullURL !== undefined && regexOnFullURL !== false
  return [[], ["params"]].flatMap((within) =>
    ["includePaths", "excludePaths"].flatMap((key) =>
      issuesFor(literals(mapping(at(config, within))[key], ["steps", index, "crawl", ...within, key]), (pattern) => {
        const fault = patternFault(pattern)
        if (fault !== undefined) return syntaxOfPattern(pattern, fault, key === "excludePaths")
        const message = doubtOf(pattern, isWhole)
        return message === undefined ? undefined : { level: "warning", message }
      })
    )
  )
}

/** Mistakes in the actions, selectors and patterns of a step: those that no service takes, and warnings. */
export const checkPageOptions = (
  node: Node
): { readonly issues: ReadonlyArray<Issue>; readonly warnings: ReadonlyArray<Issue> } => {
  const found = [
    ...(optionsAt.get(node.step.key) ?? []).flatMap((within) => {
      const options = at(node.config, within)
      const path = ["steps", node.index, node.step.key, ...within]
      return [
        ...itemsOf(mapping(options).actions).flatMap((action, index) =>
          issuesInAction(action, [...path, "actions", index])
        ),
        ...issuesFor(selectorsOf(options, path), selectorFault)
      ]
    }),
    ...issuesInPatterns(node)
  ]
  const ofLevel = (wanted: Fault["level"]) => found.flatMap(({ level, ...issue }) => (level === wanted ? [issue] : []))
  return { issues: ofLevel("error"), warnings: ofLevel("warning") }
}
