/** CSS selectors over the tree: what to include, what to leave out. */
import { compile, type Options } from "css-select"
import { parse, type Selector, SelectorType } from "css-what"
import * as Either from "effect/Either"
import { type Element, isElement, textOf } from "./Element.ts"
import { isMalformed, pseudos } from "./Position.ts"

type Node = Element | string

const childElements = (element: Element): Array<Element> => element.children.filter(isElement)

const adapter: NonNullable<Options<Node, Element>["adapter"]> = {
  isTag: isElement,
  getName: ({ name }) => name,
  getParent: ({ parent }) => (parent === undefined || parent.parent === undefined ? null : parent),
  getChildren: (node) => (isElement(node) ? node.children : []),
  getSiblings: (node) => (isElement(node) ? (node.parent?.children ?? [node]) : [node]),
  getText: (node) => (isElement(node) ? textOf(node) : node),
  getAttributeValue: ({ attributes }, name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined),
  hasAttrib: ({ attributes }, name) => Object.hasOwn(attributes, name),
  removeSubsets: (nodes) => nodes,
  existsOne: (test, nodes) =>
    nodes.some((node) => isElement(node) && (test(node) || adapter.existsOne(test, node.children))),
  findAll: () => [],
  findOne: () => null
}

export type Test = (element: Element) => boolean

const maxLength = 1_000

/** Each of these looks at all that is beside or below an element, for every element. */
const costly = new Set(["has", "contains", "icontains"])

/** The first part of a selector that takes longer than a page deserves. */
const costOf = (selectors: ReadonlyArray<ReadonlyArray<Selector>>): string | undefined => {
  for (const part of selectors.flat()) {
    if (part.type === SelectorType.Sibling) return "~"
    if (part.type === SelectorType.Adjacent) return "+"
    if (part.type !== SelectorType.Pseudo) continue
    if (costly.has(part.name)) return `:${part.name}()`
    const within = Array.isArray(part.data) ? costOf(part.data) : undefined
    if (within !== undefined) return within
  }
  return undefined
}

const malformed = (selectors: ReadonlyArray<ReadonlyArray<Selector>>): string | undefined => {
  for (const part of selectors.flat()) {
    if (part.type !== SelectorType.Pseudo) continue
    if (isMalformed(part.name, part.data)) return `:${part.name}(${String(part.data ?? "")})`
    const within = Array.isArray(part.data) ? malformed(part.data) : undefined
    if (within !== undefined) return within
  }
  return undefined
}

const compileParsed = (selector: string): Either.Either<Test, string> => {
  const parsed = parse(selector)
  const wrong = malformed(parsed)
  if (wrong !== undefined) return Either.left(`"${selector}" is not a CSS selector: ${wrong} has no formula like 2n+1`)
  const cost = costOf(parsed)
  return cost === undefined
    ? Either.right(compile<Node, Element>(parsed, { adapter, pseudos, xmlMode: false }))
    : Either.left(`"${selector}" uses ${cost}, which is too slow for large pages: name a class, an id or an attribute`)
}

/** A selector as the test of one element; the left side says what is wrong with it. */
export const parseSelector = (selector: string): Either.Either<Test, string> =>
  selector.length > maxLength
    ? Either.left(`"${selector.slice(0, 40)}…" has ${selector.length} characters; a selector may have ${maxLength}`)
    : Either.flatMap(
        Either.try({
          try: () => compileParsed(selector),
          catch: (cause) =>
            `"${selector}" is not a CSS selector: ${cause instanceof Error ? cause.message : String(cause)}`
        }),
        (test) => test
      )

/** The outermost elements that one of the tests accepts, in document order. */
export const outermost = (root: Element, tests: ReadonlyArray<Test>): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  const visit = (element: Element): void => {
    for (const child of childElements(element)) {
      if (tests.some((test) => test(child))) found.push(child)
      else visit(child)
    }
  }
  visit(root)
  return found
}

/** Every element that the test accepts, in document order, as many as are wanted. */
export const every = (root: Element, test: Test, most: number): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (found.length >= most) return
      if (!isElement(child)) continue
      if (test(child)) found.push(child)
      visit(child)
    }
  }
  visit(root)
  return found
}
