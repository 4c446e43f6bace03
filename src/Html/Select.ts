/** CSS selectors for the tree, with css-select. Computes positions among siblings once per parent, so `:nth-child` stays linear. */
import type { Options } from "css-select"
import type { Selector } from "css-what"
import * as Either from "effect/Either"
import { cssSelect, cssWhat } from "../Packages.ts"
import { remember } from "../Values/Remember.ts"
import { escapeAdvice } from "./ClassSigns.ts"
import { type Element, isElement, makeElement, textOf } from "./Element.ts"

type Node = Element | string

const childElements = (element: Element): Array<Element> => element.children.filter(isElement)

/** Returns the attribute's name as the element spells it: some SVG attributes contain capital letters. */
const attributeName = ({ attributes, tag }: Element, name: string): string =>
  Object.hasOwn(attributes, name) || !tag.rules.isForeign
    ? name
    : (Object.keys(attributes).find((key) => key.toLowerCase() === name) ?? name)

const adapter: NonNullable<Options<Node, Element>["adapter"]> = {
  isTag: isElement,
  // Selectors are lower case, like HTML names; SVG and MathML names may not be.
  getName: ({ name, tag }) => (tag.rules.isForeign ? name.toLowerCase() : name),
  getParent: ({ parent }) => (parent === undefined || parent.parent === undefined ? null : parent),
  getChildren: (node) => (isElement(node) ? node.children : []),
  getSiblings: (node) => {
    const siblings = isElement(node) ? (node.parent?.children ?? [node]) : [node]
    spend(siblings.length)
    return siblings
  },
  prevElementSibling: (node) => (isElement(node) ? placeOf(node).before : undefined) ?? null,
  getText: (node) => {
    const text = isElement(node) ? textOf(node) : node
    spend(1 + (text.length >> 3))
    return text
  },
  getAttributeValue: (element, name) => {
    const key = attributeName(element, name)
    return Object.hasOwn(element.attributes, key) ? element.attributes[key] : undefined
  },
  hasAttrib: (element, name) => Object.hasOwn(element.attributes, attributeName(element, name)),
  removeSubsets: (nodes) => nodes,
  existsOne: (test, nodes) => {
    spend(nodes.length)
    return nodes.some((node) => isElement(node) && (test(node) || adapter.existsOne(test, node.children)))
  },
  findAll: () => [],
  findOne: () => null
}

export type Test = (element: Element) => boolean

const maxLength = 1_000

/** Pseudo-classes that scan all siblings or descendants for every element. */
const costly = new Set(["has", "contains", "icontains"])

/** The text that `find` returns for a part of a selector, or for a part of the selectors inside it, for the error message. */
const textOfPart = (
  selectors: ReadonlyArray<ReadonlyArray<Selector>>,
  find: (part: Selector) => string | undefined
): string | undefined => {
  for (const part of selectors.flat()) {
    const within = part.type === cssWhat().SelectorType.Pseudo && Array.isArray(part.data) ? part.data : []
    const found = find(part) ?? textOfPart(within, find)
    if (found !== undefined) return found
  }
  return undefined
}

/** A part that would take quadratic time. */
const costOf = (part: Selector): string | undefined => {
  const { SelectorType } = cssWhat()
  if (part.type === SelectorType.Sibling) return "~"
  if (part.type === SelectorType.Adjacent) return "+"
  return part.type === SelectorType.Pseudo && costly.has(part.name) ? `:${part.name}()` : undefined
}

const malformed = (part: Selector): string | undefined =>
  part.type === cssWhat().SelectorType.Pseudo && isMalformed(part.name, part.data)
    ? `:${part.name}(${String(part.data ?? "")})`
    : undefined

/** A combinator such as `>` that nothing follows in the selector or in a selector inside it; undefined if there is none. */
const dangling = (selectors: ReadonlyArray<ReadonlyArray<Selector>>): string | undefined => {
  const { isTraversal, SelectorType, stringify } = cssWhat()
  for (const parts of selectors) {
    const last = parts.at(-1)
    if (last !== undefined && isTraversal(last)) return stringify([[last]]).trim()
    for (const part of parts) {
      const within = part.type === SelectorType.Pseudo && Array.isArray(part.data) ? dangling(part.data) : undefined
      if (within !== undefined) return within
    }
  }
  return undefined
}

/** A name of elements that follows another part without a combinator, as in `.w-1/2`; undefined if there is none. */
const tagWithin = (selectors: ReadonlyArray<ReadonlyArray<Selector>>): string | undefined => {
  const { isTraversal, SelectorType } = cssWhat()
  for (const parts of selectors) {
    const found = parts.find(
      (part, at) => part.type === SelectorType.Tag && at > 0 && !isTraversal(parts[at - 1] ?? part)
    )
    if (found?.type === SelectorType.Tag) return found.name
  }
  return undefined
}

/** Parses a selector by the syntax that all browsers and tools share. */
const parseSyntax = (selector: string): Either.Either<Array<Array<Selector>>, string> => {
  if (selector.length > maxLength) {
    const start = selector.slice(0, 40)
    return Either.left(`"${start}…" has ${selector.length} characters; a selector may have ${maxLength}`)
  }
  if (/^\(*\.?\/\//.test(selector))
    return Either.left(`"${selector}" is an XPath: write a CSS selector, like div.price > span`)
  return Either.flatMap(
    Either.try({ try: () => cssWhat().parse(selector), catch: (cause) => notSelector(selector, cause) }),
    (parsed) => {
      const not = (why: string) => Either.left(invalid(selector, why))
      if (parsed.length === 0) return not("it is empty")
      const end = dangling(parsed)
      if (end !== undefined) return not(`nothing follows "${end}"`)
      const name = tagWithin(parsed)
      return name === undefined ? Either.right(parsed) : not(`"${name}" is not allowed there`)
    }
  )
}

const parse = (selector: string): Either.Either<Array<Array<Selector>>, string> =>
  Either.flatMap(parseSyntax(selector), (parsed) => {
    const wrong = textOfPart(parsed, malformed)
    return wrong === undefined
      ? Either.right(parsed)
      : Either.left(`"${selector}" is not a CSS selector: ${wrong} needs a formula like 2n+1`)
  })

/** Reason why a selector is invalid everywhere, if there is one. Browsers know more pseudo-classes than {@link parseSelector}. */
export const syntaxFault = (selector: string): string | undefined => {
  // css-what takes a parenthesis in quotes for the end of a pseudo-class that it does not know.
  const withoutQuoted = selector.replace(/\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, (part) =>
    part.startsWith("\\") ? part : '""'
  )
  // Browsers know `:nth-child(2 of .a)`.
  const parsed = (/\sof\s/i.test(withoutQuoted) ? parseSyntax : parse)(withoutQuoted)
  return Either.isLeft(parsed) ? parsed.left.replace(withoutQuoted, () => selector) : undefined
}

/** Translates messages of css-what and css-select, which have no error codes. */
const reasons: ReadonlyArray<readonly [RegExp, (found: string) => string]> = [
  [
    /^Expected name, found ([\s\S]*)$/,
    (at) => (at === "" ? "a name is missing at its end" : `a name is missing before "${at}"`)
  ],
  [/^Unmatched selector: ([\s\S]*)$/, (at) => `"${at}" is not allowed there`],
  [/^Did not expect successive traversals/, () => "two combinators follow each other"],
  [/^Empty sub-selector/, () => "a part of its list is empty: remove a comma"],
  [/^(?:Parenthesis not matched|Missing closing parenthesis)/, () => 'a ")" is missing'],
  [/^Attribute selector didn't terminate/, () => 'a "]" is missing'],
  [/^Attribute value didn't end/, () => "a quotation mark is missing"],
  [/^Expected `=`/, () => 'a "=" is missing in an attribute'],
  [/^Comment was not terminated/, () => 'a "*/" is missing'],
  [/^(.*) (?:is|are) not (?:yet )?supported by .*$/, (what) => `${what.toLowerCase()} cannot be used`]
]

const notSelector = (selector: string, cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  // css-what also calls a part empty that begins with a sign which no selector has.
  const [, sign] = /(?:^|,)\s*([^\s,\w.#*:[|>+~&\\-])/.exec(selector) ?? []
  if (sign !== undefined && /^Empty sub-selector/.test(message))
    return invalid(selector, `"${sign}" is not allowed there`)
  for (const [pattern, text] of reasons) {
    const found = pattern.exec(message)
    if (found !== null) return invalid(selector, text(found[1] ?? ""))
  }
  return invalid(selector, message)
}

const invalid = (selector: string, why: string): string => {
  const advice = escapeAdvice(selector)
  return `"${selector}" is not a CSS selector: ${why}${advice === undefined ? "" : `; if : / . [ ] are part of a class name, ${advice}`}`
}

/** Compiles a selector to a test of one element; the left side is the reason why it is invalid. */
export const parseSelector = (selector: string): Either.Either<Test, string> =>
  Either.flatMap(parse(selector), (parsed) => {
    const cost = textOfPart(parsed, costOf)
    return cost === undefined
      ? compileTest(selector, parsed)
      : Either.left(
          `"${selector}" uses ${cost}, which is too slow for large pages: name a class, an id or an attribute`
        )
  })

const compileTest = (
  selector: string,
  parsed: Array<Array<Selector>>,
  context?: Array<Element>
): Either.Either<Test, string> =>
  Either.try({
    // No caching: css-select would reuse results that belong to another scope.
    try: () =>
      cssSelect().compile<Node, Element>(
        parsed,
        { adapter, pseudos, xmlMode: false, cacheResults: context === undefined },
        context
      ),
    catch: (cause) => notSelector(selector, cause)
  })

/** True for a selector that matches the scope itself, like `:scope` or `:scope[id]`. */
const findsScope = (selectors: ReadonlyArray<ReadonlyArray<Selector>>): boolean => {
  const { SelectorType, isTraversal } = cssWhat()
  return selectors.some((parts) =>
    parts
      .slice(parts.findLastIndex(isTraversal) + 1)
      .some((part) => part.type === SelectorType.Pseudo && part.name === "scope")
  )
}

/** Number of siblings after the scope in which the selector searches, as for `+ tr .age` and `:scope ~ dd`; 0 for most selectors. */
const siblingsToSearch = (selectors: ReadonlyArray<ReadonlyArray<Selector>>): number => {
  const { SelectorType, isTraversal } = cssWhat()
  const isScope = (part: Selector) => part.type === SelectorType.Pseudo && part.name === "scope"
  return Math.max(
    ...selectors.map((parts) => {
      const at = parts.findIndex(isTraversal)
      const rest = parts.slice(at)
      const isBeside = rest[0]?.type === SelectorType.Adjacent || rest[0]?.type === SelectorType.Sibling
      if (!isBeside || (at > 0 && !parts.slice(0, at).some(isScope))) return 0
      const isAny = rest.some(({ type }) => type === SelectorType.Sibling)
      return isAny ? Number.POSITIVE_INFINITY : rest.filter(({ type }) => type === SelectorType.Adjacent).length
    })
  )
}

/**
 * Finds elements below a scope, in document order. As with `querySelectorAll`, ancestors in the selector may be outside of the scope;
 * unlike there, `:scope` can match the scope, and a selector that begins with `+` or `~` finds siblings after it.
 */
export interface Query {
  readonly first: (scope: Element) => Element | undefined
  readonly all: (scope: Element, most: number) => ReadonlyArray<Element>
}

/** Work done by queries since {@link beginQueries}: one unit per tested element, and one per eight characters of text. */
let work = 0

const maxWork = 20_000_000

/** Queries on the page exceeded the work limit. */
class SlowQuery extends Error {}

/** Adds to the work done. Throws {@link SlowQuery} at the limit. */
export const spend = (cost: number): void => {
  work += cost
  if (work > maxWork)
    throw new SlowQuery(
      "the fields take too long on this page: name classes or ids in selectors, without :has(), :contains() and ~"
    )
}

/** Resets the work done, for another page. */
export const beginQueries = (): void => {
  work = 0
}

/** Reads one page within the work limit; the left side is the reason why it was exceeded. */
export const bounded = <A>(read: () => A): Either.Either<A, string> => {
  beginQueries()
  try {
    return Either.right(read())
  } catch (cause) {
    if (cause instanceof SlowQuery) return Either.left(cause.message)
    throw cause
  }
}

/** Compiles a selector to a query. It may use every pseudo-class, `:scope`, and a leading combinator (`> a`). */
export const parseQuery = (selector: string): Either.Either<Query, string> =>
  Either.flatMap(parse(selector), (parsed) => {
    const scope = makeElement("scope", {}, undefined)
    // Two entries, because css-select unwraps an array with one.
    const context = [scope, scope]
    const within = (element: Element) => {
      context[0] = element
      context[1] = element
    }
    const isOfScope = findsScope(parsed)
    const siblings = siblingsToSearch(parsed)
    return Either.map(compileTest(selector, parsed, context), (test) => {
      const counted = (element: Element) => {
        spend(1)
        return test(element)
      }
      return {
        first: (scope) => {
          within(scope)
          return isOfScope && counted(scope)
            ? scope
            : (firstOf(scope, counted) ?? firstOf(following(scope, siblings), counted))
        },
        all: (scope, most) => {
          within(scope)
          const found = every(scope, counted, most, isOfScope && counted(scope) ? [scope] : [])
          return siblings === 0 ? found : every(following(scope, siblings), counted, most, [...found])
        }
      }
    })
  })

type Parent = Pick<Element, "children">

/** Up to `most` siblings after an element. */
const following = (element: Element, most: number): Parent => {
  if (most <= 0 || element.parent === undefined) return { children: [] }
  const { children } = element.parent
  const found: Array<Element> = []
  for (let at = children.indexOf(element) + 1; at < children.length && found.length < most; at++) {
    const next = children[at]
    if (next !== undefined && isElement(next)) found.push(next)
  }
  spend(found.length)
  return { children: found }
}

const firstOf = ({ children }: Parent, test: Test): Element | undefined => {
  for (const child of children) {
    if (!isElement(child)) continue
    const found = test(child) ? child : firstOf(child, test)
    if (found !== undefined) return found
  }
  return undefined
}

/** The outermost elements accepted by any of the tests, in document order. */
export const outermost = (
  element: Element,
  tests: ReadonlyArray<Test>,
  found: Array<Element> = []
): ReadonlyArray<Element> => {
  for (const child of childElements(element)) {
    if (tests.some((test) => test(child))) found.push(child)
    else outermost(child, tests, found)
  }
  return found
}

/** Up to `most` elements accepted by the test, in document order. */
export const every = (
  { children }: Parent,
  test: Test,
  most: number,
  found: Array<Element> = []
): ReadonlyArray<Element> => {
  for (const child of children) {
    if (found.length >= most) break
    if (!isElement(child)) continue
    if (test(child)) found.push(child)
    every(child, test, most, found)
  }
  return found
}

/** Position of an element, counted from 1: among all elements of its parent, and among those with the same name. */
interface Place {
  readonly all: number
  readonly allFromEnd: number
  readonly named: number
  readonly namedFromEnd: number
  readonly before: Element | undefined
}

const places = new WeakMap<Element, ReadonlyMap<Element, Place>>()

const count = (parent: Element): ReadonlyMap<Element, Place> => {
  const siblings = parent.children.filter(isElement)
  const totals = new Map<string, number>()
  for (const { name } of siblings) totals.set(name, (totals.get(name) ?? 0) + 1)
  const seen = new Map<string, number>()
  const counted = new Map<Element, Place>()
  for (const [at, element] of siblings.entries()) {
    const named = (seen.get(element.name) ?? 0) + 1
    seen.set(element.name, named)
    const total = totals.get(element.name) ?? named
    counted.set(element, {
      all: at + 1,
      allFromEnd: siblings.length - at,
      named,
      namedFromEnd: total - named + 1,
      before: siblings[at - 1]
    })
  }
  return counted
}

const alone: Place = { all: 1, allFromEnd: 1, named: 1, namedFromEnd: 1, before: undefined }

const placeOf = (element: Element): Place => {
  const { parent } = element
  if (parent === undefined) return alone
  const knownRules = places.get(parent)
  const counted = knownRules ?? count(parent)
  if (knownRules === undefined) places.set(parent, counted)
  return counted.get(element) ?? alone
}

const formula = /^\s*(?:([+-]?\d*)n\s*(?:([+-])\s*(\d+)\s*)?|([+-]?\d+)\s*)$/i

/** Parses `2n+1`, `odd`, `-n + 3` or `4` to a test for positions; undefined for anything else. */
const readRule = (text: string): ((place: number) => boolean) | undefined => {
  const word = text.trim().toLowerCase()
  const found = formula.exec(word === "even" ? "2n" : word === "odd" ? "2n+1" : text)
  if (found === null) return undefined
  const [, factor, sign, offset, fixed] = found
  if (fixed !== undefined) return (place) => place === Number(fixed)
  const step = factor === "" || factor === "+" ? 1 : factor === "-" ? -1 : Number(factor)
  const first = offset === undefined ? 0 : Number(offset) * (sign === "-" ? -1 : 1)
  if (step === 0) return (place) => place === first
  return (place) => (place - first) % step === 0 && (place - first) / step >= 0
}

const rules = {
  "nth-child": ({ all }: Place) => all,
  "nth-last-child": ({ allFromEnd }: Place) => allFromEnd,
  "nth-of-type": ({ named }: Place) => named,
  "nth-last-of-type": ({ namedFromEnd }: Place) => namedFromEnd
} as const

const isCounting = (name: string): name is keyof typeof rules => Object.hasOwn(rules, name)

const ruleOf = remember(1_000, readRule)

/** True for a positional pseudo-class with an invalid formula, such as `:nth-child(x)`. */
export const isMalformed = (name: string, data: unknown): boolean =>
  isCounting(name) && (typeof data !== "string" || ruleOf(data) === undefined)

const counting = (name: keyof typeof rules) => (element: Element, data?: string | null) =>
  ruleOf(data ?? "")?.(rules[name](placeOf(element))) ?? false

/** Replacements for the pseudo-classes of css-select that scan all siblings for every element. */
export const pseudos = {
  "nth-child": counting("nth-child"),
  "nth-last-child": counting("nth-last-child"),
  "nth-of-type": counting("nth-of-type"),
  "nth-last-of-type": counting("nth-last-of-type"),
  "first-of-type": (element: Element) => placeOf(element).named === 1,
  "last-of-type": (element: Element) => placeOf(element).namedFromEnd === 1,
  "only-of-type": (element: Element) => placeOf(element).named + placeOf(element).namedFromEnd === 2
}
