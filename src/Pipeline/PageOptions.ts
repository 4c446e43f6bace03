/**
 * Mistakes in the options of pages that a service refuses at the first page: actions, CSS selectors, and the patterns of a crawl. Values
 * with `${{ }}` are not checked, so they are the way to use what only another service knows.
 */
import * as Either from "effect/Either"
import { actionTypes, decodeAction } from "../Api/Actions.ts"
import { parseQuery, parseSelector, syntaxFault } from "../Html/Select.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { patternFault } from "../Step/Dedupe.ts"
import { list, mapping } from "../Step/Requirements.ts"
import { type Issue, issuesOf, type Path } from "./Issue.ts"
import type { Node } from "./Node.ts"

/** Paths of the options of pages within the fields of a step. */
const optionsAt: ReadonlyMap<string, Path> = new Map([
  ["scrape", []],
  ["batchScrape", []],
  ["parse", []],
  ["crawl", ["scrapeOptions"]],
  ["search", ["scrapeOptions"]]
])

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, key) => (Array.isArray(part) ? part[Number(key)] : mapping(part)[String(key)]), value)

/** A string of a definition, with its path. */
type Written = readonly [text: string, path: Path]

/** Maximum items and characters that are looked at; the schema of the step refuses more. */
const maxItems = 100
const maxLength = 1000

/** True for a string that is known before the run. */
const isLiteral = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxLength && !value.includes("${{")

const itemsOf = (value: unknown): ReadonlyArray<unknown> => list(value).slice(0, maxItems)

const literals = (values: unknown, path: Path): ReadonlyArray<Written> =>
  itemsOf(values).flatMap((value, index) => (isLiteral(value) ? [[value, [...path, index]] as const] : []))

const wrongAction = (action: unknown, path: Path): ReadonlyArray<Issue> => {
  const { selector, type } = mapping(action)
  if (!isLiteral(type)) return []
  const decoded = decodeAction({ ...mapping(action), type })
  if (decoded === undefined) {
    const hint = didYouMean(type, actionTypes) || `: there are ${actionTypes.join(", ")}`
    return [{ path: [...path, "type"], message: `there is no action "${type}"${hint}` }]
  }
  const fault = isLiteral(selector) ? syntaxFault(selector) : undefined
  return [
    ...(Either.isLeft(decoded) ? issuesOf(decoded.left.issue, path) : []).filter((issue) => {
      const value = at(action, issue.path.slice(path.length))
      return issue.atKey === true || typeof value !== "string" || !value.includes("${{")
    }),
    ...(fault === undefined ? [] : [{ path: [...path, "selector"], message: fault }])
  ]
}

/** CSS selectors that the service evaluates on the HTML of a page. */
const selectorsOf = (options: unknown, path: Path): ReadonlyArray<Written> => [
  ...(["includeTags", "excludeTags"] as const).flatMap((key) => literals(mapping(options)[key], [...path, key])),
  ...itemsOf(mapping(options).formats).flatMap((format, index) =>
    itemsOf(mapping(format).selectors).flatMap((query, place): ReadonlyArray<Written> => {
      const { selector } = mapping(query)
      return isLiteral(selector) ? [[selector, [...path, "formats", index, "selectors", place, "selector"]]] : []
    })
  )
]

/** Patterns of a crawl, in its fields and in its `params`. */
const patternsOf = ({ config, index, step }: Node): ReadonlyArray<Written> =>
  step.key !== "crawl"
    ? []
    : [[], ["params"]].flatMap((within) =>
        ["includePaths", "excludePaths"].flatMap((key) =>
          literals(mapping(at(config, within))[key], ["steps", index, "crawl", ...within, key])
        )
      )

/** A pattern that means the same as a glob. */
const fromGlob = (glob: string): string => {
  const [, start = "", body = "", end = ""] = /^(\/?\*+)?(.*?)(\*+)?$/s.exec(glob) ?? []
  if (body === "") return ".*"
  const text = body
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, (stars) => (stars.length > 1 ? ".*" : "[^/]*"))
  const anchor = start !== "" ? "" : text.startsWith("/") || text.includes("://") ? "^" : "^/"
  return `${anchor}${text}${end === "" ? "$" : ""}`
}

const wrongPattern = (pattern: string): string | undefined => {
  const fault = patternFault(pattern)
  if (fault === undefined) return undefined
  if (/^[^\\()[\]|+]*$/.test(pattern) && /\*\*|^\*/.test(pattern)) {
    return `"${pattern}" is a glob, not a regular expression: write ${fromGlob(pattern)}`
  }
  return /\(\?<?[=!]|\\[1-9]/.test(pattern)
    ? `"${pattern}" is not a regular expression of RE2, which has no lookaheads and back-references: put what to leave out into excludePaths`
    : `"${pattern}" is not a regular expression: ${fault}: write \\ before a character that stands for itself`
}

/** Advice on a valid pattern that most likely matches other pages than the ones meant. */
const doubtfulPattern = (pattern: string, isWhole: boolean): string | undefined => {
  if (!isWhole && /^[^/]*:\/\//.test(pattern.replaceAll("\\/", "/"))) {
    return `"${pattern}" looks like a whole address, but only paths are compared: write it as a path, like ^/p/, or set regexOnFullURL: true`
  }
  return /^[\w/:.~%*-]+$/.test(pattern) && /\/\*(\/|$)/.test(pattern) && !/\.\*|^\/?\*+$/.test(pattern)
    ? `"${pattern}" looks like a glob, and is read as a regular expression: write ${fromGlob(pattern)}`
    : undefined
}

const found = (written: ReadonlyArray<Written>, look: (text: string) => string | undefined): ReadonlyArray<Issue> =>
  written.flatMap(([text, path]) => {
    const message = look(text)
    return message === undefined ? [] : [{ path, message }]
  })

const optionsOf = ({ config, index, step }: Node) => {
  const within = optionsAt.get(step.key)
  return within && { options: at(config, within), path: ["steps", index, step.key, ...within] }
}

/** Actions, selectors and patterns of a step that the service refuses. */
export const wrongOptions = (node: Node): ReadonlyArray<Issue> => {
  const { options, path } = optionsOf(node) ?? { path: [] }
  return [
    ...itemsOf(mapping(options).actions).flatMap((action, index) => wrongAction(action, [...path, "actions", index])),
    ...found(selectorsOf(options, path), (selector) => Either.getOrUndefined(Either.flip(parseQuery(selector)))),
    ...found(patternsOf(node), wrongPattern)
  ]
}

/** Warns about selectors that only some services accept, and patterns that most likely match other pages than the ones meant. */
export const doubtfulOptions = (node: Node): ReadonlyArray<Issue> => {
  const { options, path } = optionsOf(node) ?? { path: [] }
  const { params, regexOnFullURL = mapping(params).regexOnFullURL } = mapping(node.config)
  return [
    ...found(selectorsOf(options, path), (selector) => {
      const slow = Either.isRight(parseQuery(selector)) ? Either.flip(parseSelector(selector)) : undefined
      return slow && Either.isRight(slow) ? `${slow.right} (the local engine refuses it)` : undefined
    }),
    ...found(patternsOf(node), (pattern) =>
      patternFault(pattern) === undefined
        ? doubtfulPattern(pattern, regexOnFullURL !== undefined && regexOnFullURL !== false)
        : undefined
    )
  ]
}
