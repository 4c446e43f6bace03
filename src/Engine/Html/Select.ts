/** CSS selectors over the tree: what to include, what to leave out (spec 2.9). */
import { compile, type Options } from "css-select"
import * as Either from "effect/Either"
import { type Element, isElement, textOf } from "./Tree.ts"

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

/** A selector as the test of one element; the left side says what is wrong with it. */
export const parseSelector = (selector: string): Either.Either<Test, string> =>
  Either.try({
    try: () => compile<Node, Element>(selector, { adapter, xmlMode: false }),
    catch: (cause) => `"${selector}" is not a CSS selector: ${cause instanceof Error ? cause.message : String(cause)}`
  })

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
