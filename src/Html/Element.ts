/** Elements of a page: their text, and tests of their tags. */
import { withoutSoftHyphens } from "../Values/Text.ts"
import type { Layout } from "./Tags.ts"
import { type Attributes, makeTag, noAttributes, type StartTag } from "./Tokenizer.ts"

/** Child array that all elements without children share. It is never changed. */
export const noChildren: Array<Element | string> = []

/**
 * Element of a page. A class, although it is plain data: V8 allocates objects of a literal that often survive garbage collection directly
 * in the old generation, and writing to those while a large tree is built takes longer than all the rest.
 */
export class Element {
  tag: StartTag
  readonly name: string
  layout: Layout
  attributes: Attributes
  /** Child nodes. Once the tree is complete, replace the array and never change it: elements without children share one array. */
  children: Array<Element | string> = noChildren
  parent: Element | undefined
  /** True if the element is left out of the output, with everything inside. */
  dropped = false
  /** True if the element is shown although its attributes hide it. */
  revealed = false
  /** Characters of text inside, and how many of them are in links; -1 before they are measured. */
  text = -1
  linked = 0

  constructor(tag: StartTag, parent: Element | undefined) {
    this.tag = tag
    this.name = tag.name
    this.layout = tag.rules.layout
    this.attributes = tag.attributes
    this.parent = parent
  }
}

export const makeElement = (name: string, attributes: Attributes, parent: Element | undefined): Element =>
  new Element(makeTag(name, attributes), parent)

/** Adds a last child while a tree is built; text is appended to a text directly before it. */
export const addChild = (parent: Element, child: Element | string): void => {
  const { children } = parent
  const last = children.length - 1
  if (children === noChildren) parent.children = [child]
  else if (typeof child === "string" && typeof children[last] === "string") children[last] += child
  else children.push(child)
}

/** Adds a last child to a complete element. */
export const append = (element: Element, child: Element | string): void => {
  element.children = [...element.children, child]
}

let usedMarks = 0

/** Test of the start tag of an element, or of an entry in `Tree.tags`. */
export type TagTest = (tagged: { readonly tag: StartTag }) => boolean

/**
 * Makes a test of start tags whose result is cached for equal tags. Tags without attributes never pass. At most 15 such tests can be made.
 */
export const tagTest = (test: (tag: StartTag) => boolean): TagTest => {
  const [known, passed] = [1 << usedMarks, 2 << usedMarks]
  usedMarks += 2
  return ({ tag }) => {
    if (tag.attributes === noAttributes) return false
    if ((tag.marks & known) === 0) tag.marks |= test(tag) ? known | passed : known
    return (tag.marks & passed) !== 0
  }
}

export const isElement = (node: Element | string): node is Element => typeof node !== "string"

/** All elements inside, in document order. */
export const descendantsOf = (root: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (!isElement(child)) continue
      found.push(child)
      visit(child)
    }
  }
  visit(root)
  return found
}

/** Elements by id; if several have the same id, the first one. */
export const indexIds = (elements: ReadonlyArray<Element>): ReadonlyMap<string, Element> => {
  const byId = new Map<string, Element>()
  for (const element of elements) {
    const { id } = element.attributes
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
  }
  return byId
}

/** Level of a heading, 1 to 6; 0 for other elements. */
export const rankOf = ({ tag }: Element): number => tag.rules.rank

/** Share of the text that is in links. */
export const linkShare = ({ text, linked }: Element): number => (text === 0 ? 0 : linked / text)

/** Characters of text inside the elements, as measured. */
export const totalText = (elements: ReadonlyArray<Element>): number => elements.reduce((sum, { text }) => sum + text, 0)

/** Characters of text in the elements that `isCounted` accepts, without white space around each piece. Stops counting above `most`. */
export const countText = (
  { children }: Element,
  isCounted: (element: Element) => boolean,
  most = Number.POSITIVE_INFINITY
): number => {
  let count = 0
  for (const child of children) {
    if (!isElement(child)) count += trimmedLength(child)
    else if (isCounted(child)) count += countText(child, isCounted, most - count)
    if (count > most) break
  }
  return count
}

/** True for white space as defined by `\s` and `trim`. */
export const isWhiteSpace = (code: number): boolean =>
  code < 0xa0
    ? code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d))
    : code === 0xa0 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000 ||
      code === 0xfeff

/** Length of the text without surrounding white space. */
export const trimmedLength = (text: string): number => {
  let [from, to] = [0, text.length]
  while (from < to && isWhiteSpace(text.charCodeAt(from))) from++
  while (to > from && isWhiteSpace(text.charCodeAt(to - 1))) to--
  return to - from
}

/** White space, except single spaces, which need no replacement. */
const whiteSpaceRun = /[^\S ]\s*| \s+/g

/** Replaces each run of white space with one space. Many texts are only the space between two tags: those need no search. */
export const singleSpaced = (text: string): string =>
  isWhiteSpace(text.charCodeAt(0)) && trimmedLength(text) === 0 ? " " : text.replace(whiteSpaceRun, " ")

/** Removes soft hyphens, replaces each run of white space with one space, and trims the ends. */
export const squeeze = (text: string): string => singleSpaced(withoutSoftHyphens(text)).trim()

/** Maximum elements visited by `startOf`, so that deeply nested empty elements are not searched to the end. */
const maxVisited = 1_000

/**
 * The beginning of the displayed text, squeezed, read from its first `most` characters: each of many nested elements may contain the whole
 * page. Skips dropped elements, unless `withDropped`.
 */
export const startOf = (element: Element, most: number, withDropped = false): string => {
  const start = { text: "", most, withDropped, visited: 0 }
  readStart(element, start)
  return squeeze(start.text)
}

interface Start {
  text: string
  readonly most: number
  readonly withDropped: boolean
  visited: number
}

const readStart = ({ children }: Element, start: Start): void => {
  for (const child of children) {
    if (start.text.length >= start.most || start.visited >= maxVisited) return
    if (!isElement(child)) start.text += child.slice(0, start.most - start.text.length)
    else if ((start.withDropped || !child.dropped) && child.layout !== "unseen") {
      start.visited++
      readStart(child, start)
    }
  }
}

/** All text inside, unchanged. */
export const textOf = (element: Element): string => {
  const [only] = element.children
  if (element.children.length === 1 && typeof only === "string") return only
  let text = ""
  for (const child of element.children) text += isElement(child) ? textOf(child) : child
  return text
}

/** True if an element, or one around it, has one of these names. */
export const isWithin = (element: Element, names: ReadonlySet<string>): boolean => {
  for (let each: Element | undefined = element; each !== undefined; each = each.parent)
    if (names.has(each.name)) return true
  return false
}

const besideContent = /^(?:aside|footer|nav|form)$/

/** True if an element is outside of the page's content: its name, class or id, or that of an ancestor, marks a margin. */
export const isBeside = (element: Element, words: RegExp): boolean => {
  for (let above: Element | undefined = element; above !== undefined; above = above.parent) {
    const { class: classes, id } = above.attributes
    if (above.name === "body" || above.name === "html") return false
    if (besideContent.test(above.name) || words.test(`${classes ?? ""} ${id ?? ""}`)) return true
  }
  return false
}
