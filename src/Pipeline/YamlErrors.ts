/** YAML syntax errors in the author's terms: at most one per line, with hints for common YAML pitfalls. */
import { type Document, isAlias, isCollection, isNode, isScalar, type ParsedNode, visit, type YAMLError } from "yaml"
import { runtimeLimitOf } from "../Values/RuntimeLimit.ts"
import type { PlacedIssue } from "./Issue.ts"

const splitHint = "{ … } and [ … ] split at every comma, also inside $f(a, b): put the expression in quotes"

const pitfalls: ReadonlyArray<{ readonly looks: RegExp; readonly message: string }> = [
  {
    looks: /:\s+\{\{/,
    message:
      'an unquoted {{ … }} is a YAML object: write "${{ … }}" in quotes, or no braces where an expression belongs, like where: title'
  },
  {
    looks: /:\s+[^"'\s#](?:"[^"\n]*"|'[^'\n]*'|[^"'#\n])*\?(?:"[^"\n]*"|'[^'\n]*'|[^"'#\n])*:\s/,
    message: "an unquoted `a ? b : c` is read as an object: put the expression in quotes"
  },
  {
    looks: /[[{,]\s*(?:[\w-]+:\s*)?\$\{\{/,
    message: "put ${{ … }} in quotes within { … } and [ … ]: YAML reads its braces as an object"
  },
  {
    looks: /[[{,][^"'\n]*\$\w+\([^)\n"']*[,[{]/,
    message: splitHint
  },
  {
    looks: /(?::|-)\s+[>|][+-]?\d?[ \t]+[^\s#]/,
    message: "a plain value that begins with > or | begins a block of lines: put it in quotes"
  },
  {
    looks: /:\s+[%@`]/,
    message: "a plain value cannot begin with %, @ or `: put it in quotes"
  },
  {
    looks: /:\s+[*!&]/,
    message: "a plain value that begins with *, ! or & is a YAML alias, tag or anchor: put it in quotes"
  }
]

/** Hint for the line at an offset, or for the line before it. */
export const pitfallAt = (text: string, offset: number): string | undefined => {
  const start = text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1
  const end = text.indexOf("\n", offset)
  // Bounded, so that a very long line cannot slow the patterns down.
  const line = text.slice(Math.max(start, offset - 500), Math.min(end === -1 ? text.length : end, offset + 500))
  return pitfalls.find(({ looks }) => looks.test(line))?.message
}

/** True for an expression cut off by a comment (` #`): it is incomplete, or continues after the #. */
export const isCut = (value: string, comment: string): boolean => {
  const bare = value.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "x")
  const isOpen = /["'`]/.test(bare) || bare.split(/[([{]/).length !== bare.split(/[)\]}]/).length
  const isUnfinished = /(?:[-+*/%=<>&?:,.]|\b(?:and|or|in))\s*$/.test(bare)
  return isOpen || isUnfinished || /^(?:\d+|\$\w+)\s*(?:[<>=&+*/]|!=)/.test(comment)
}

export const cutHint = "a plain value ends at ` #`, the rest is a comment: put the expression in quotes"

/** True for `1..3`, which YAML reads as a string in an array. */
export const isRange = (value: unknown): boolean => typeof value === "string" && /^-?\d+\s*\.\.\s*-?\d+$/.test(value)

export const rangeHint = "a range like [1..3] is an expression, not a YAML list: put it in quotes"

/** Hint for a string that is valid YAML but probably not what was meant. */
export const suspiciousText = (value: string): string | undefined =>
  /^\{\{[^{}]*\}\}$/.test(value.trim()) ? "write ${{ … }} with a dollar sign" : undefined

/** Hint for a key with its value, which YAML reads as one name without a space: `{ url:"…" }`. */
const gluedHint = (key: string): string | undefined => {
  const [, name] = /^(\w+):(?:["']|https?:\/\/)/.exec(key) ?? []
  return name && `a space is missing after "${name}:"`
}

/** Hint for a key that is not what was meant, such as a fragment of an expression. */
export const suspiciousKey = (key: string): string | undefined =>
  key === "<<"
    ? "merge keys (<<) are not supported: write the keys out, or use an alias for a whole value"
    : /^\{.*\}$/.test(key)
      ? 'an unquoted {{ … }} is a YAML object: write "${{ … }}" in quotes'
      : key.endsWith(")")
        ? splitHint
        : gluedHint(key)

type Parsed = Document.Parsed<ParsedNode>

/** Converts an offset to line and column, counted from 1. */
export type Locator = (offset: number) => { readonly line: number; readonly column: number }

/** The error for nesting that overflows the parser's stack. */
export const tooDeep = "is nested too deeply to be read: use fewer levels"

const keyAt = (text: string, offset: number): string =>
  /^["']?([^"':\s]+)/.exec(text.slice(offset, offset + 80))?.[1] ?? "this key"

const isOverflow = (message: string): boolean => runtimeLimitOf(message) === "depth"

const openings: Readonly<Record<string, string>> = { "}": "{", "]": "[" }

/**
 * Rewords messages of the package `yaml` about brackets, quotes and indentation, whose codes are too broad (`BAD_INDENT`, `MISSING_CHAR`).
 */
const plainly = (message: string, text: string, offset: number): string | undefined => {
  const [, closing] = /must be sufficiently indented and end with a ([}\]])/.exec(message) ?? []
  if (closing !== undefined) return `a ${openings[closing]} that was opened before is not closed: ${closing} is missing`
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? []
  if (quote !== undefined) return `a string that begins with ${quote} is not closed: ${quote} is missing`
  if (/^Nested mappings are not allowed in compact/.test(message)) {
    return "a value that holds a colon and a space is read as an object: put it in quotes"
  }
  if (/^Invalid escape sequence/.test(message)) {
    return `${text.slice(offset, offset + 2)} is not a YAML escape: put the text in single quotes, and write paths with /`
  }
  return /implicit map key|must start at the same column|at the same level|is not indented/i.test(message)
    ? "this line is not indented like the lines that it belongs to: all items of a list, and all keys of an object, begin in the same column"
    : undefined
}

const adviceOn = (message: string, text: string, offset: number): string | undefined =>
  pitfallAt(text, offset) ?? plainly(message, text, offset)

const describe = ({ code, message, pos: [offset] }: YAMLError, text: string): string => {
  if (isOverflow(message)) return tooDeep
  switch (code) {
    case "MULTIPLE_DOCS":
      return "a definition is one document: put the part after --- into a separate file"
    case "DUPLICATE_KEY":
      return `"${keyAt(text, offset)}" is here a second time: keep one of them`
    case "TAB_AS_INDENT":
      return "YAML does not allow a tab here: indent with spaces"
    case "TAG_RESOLVE_FAILED":
      return "a plain value that begins with ! is a YAML tag: put it in quotes"
    default:
      return adviceOn(message, text, offset) ?? `not valid YAML: ${message.split("\n")[0]}`
  }
}

/** True for a token that the parser does not expect: after another error it may not expect anything. */
const mayFollow = ({ code, message, pos: [offset] }: YAMLError, text: string): boolean =>
  code === "UNEXPECTED_TOKEN" && adviceOn(message, text, offset) === undefined

/** The first error of each line, because it causes the others. After a stack overflow, only that error counts. */
const firstOfLine = (errors: ReadonlyArray<YAMLError>, place: Locator): ReadonlyArray<YAMLError> => {
  const overflow = errors.find(({ message }) => isOverflow(message))
  if (overflow !== undefined) return [overflow]
  const lines = new Set<number>()
  return errors.filter(({ pos: [offset] }) => {
    const { line } = place(offset)
    return !lines.has(line) && lines.add(line) !== undefined
  })
}

/** Maximum values to which the aliases of a definition may expand. */
const mostUnfolded = 10_000

/** Errors in aliases and anchors, which the parser only finds when expanding them. */
const aliasIssues = (document: Parsed, place: Locator): ReadonlyArray<PlacedIssue> => {
  const issues: Array<PlacedIssue> = []
  /** Number of values below each collection, with its aliases expanded. */
  const sizes = new Map<unknown, number>()
  const add = (above: ReadonlyArray<unknown>, count: number) => {
    for (const each of above) if (isCollection(each)) sizes.set(each, (sizes.get(each) ?? 0) + count)
  }
  const wrong = (node: unknown, message: string) =>
    issues.push({ path: [], message, ...place((isNode(node) ? node.range?.[0] : undefined) ?? 0) })
  visit(document, {
    Node: (_, node, above) => {
      if (!isAlias(node)) {
        add(above, 1)
        if (isScalar(node) && node.anchor !== undefined && node.value === null) {
          wrong(node, "a plain value that begins with & is a YAML anchor: put it in quotes")
        }
        return undefined
      }
      const source = node.resolve(document)
      if (source === undefined)
        wrong(node, `*${node.source} is a YAML alias, and there is no &${node.source} before it: put it in quotes`)
      else if (above.includes(source))
        wrong(node, `*${node.source} refers to a value that contains it: write the value out`)
      else add(above, (sizes.get(source) ?? 0) + 1)
      return undefined
    }
  })
  const whole = sizes.get(document.contents) ?? 0
  let aliases = 0
  visit(document, { Alias: () => void aliases++ })
  if (issues.length === 0 && aliases > 0 && whole > mostUnfolded) {
    issues.push({
      path: [],
      message: "its aliases expand to more than 10,000 values: use fewer aliases",
      ...place(0)
    })
  }
  return issues
}

/** Whole numbers that would be written with other digits, such as long identifiers. */
const roundedNumbers = (document: Parsed, place: Locator): ReadonlyArray<PlacedIssue> => {
  const issues: Array<PlacedIssue> = []
  visit(document, {
    Scalar: (_, { range, source = "", value }) => {
      if (typeof value !== "number" || !/^[-+]?\d+$/.test(source)) return
      const digits = BigInt(source.replace("+", ""))
      if (String(digits) === String(value) || (Number.isFinite(value) && digits === BigInt(value))) return
      issues.push({
        path: [],
        message: `${source.length > 40 ? `${source.slice(0, 39)}…` : source} would be rounded to ${value}: put it in quotes`,
        ...place(range?.[0] ?? 0)
      })
    }
  })
  return issues
}

/** All syntax errors of a definition. */
export const syntaxIssues = (document: Parsed, text: string, place: Locator): ReadonlyArray<PlacedIssue> => {
  // UTF-16 or binary content that was read as UTF-8.
  if (["\0", "\ufffd"].some((sign) => text.slice(0, 4).includes(sign))) {
    return [{ path: [], message: "the file is not UTF-8 text: save it as UTF-8", line: 1, column: 1 }]
  }
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) {
    return firstOfLine(errors, place)
      .filter((error, index) => index === 0 || !mayFollow(error, text))
      .map((error) => ({
        path: [],
        message: describe(error, text),
        ...place(Math.min(error.pos[0], text.length))
      }))
  }
  return [
    ...(/[&*]/.test(text) ? aliasIssues(document, place) : []),
    ...(/\d{16}/.test(text) ? roundedNumbers(document, place) : [])
  ]
}
