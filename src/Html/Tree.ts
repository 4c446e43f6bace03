/** HTML as a tree. Built in one pass and in linear time for any input. */
import { type Closing, type Layout, type Stops, tagOf } from "./Tags.ts"
import { type Attributes, makeTag, noAttributes, type StartTag, type Tokens, tokenize } from "./Tokenizer.ts"

const noChildren: Array<Element | string> = []

/**
 * A class, although its elements are plain data: V8 puts objects of a literal that often survive a collection into the old generation at
 * once, and writing to those while a large tree is built takes longer than all the rest.
 */
export class Element {
  readonly tag: StartTag
  readonly name: string
  layout: Layout
  readonly attributes: Attributes
  /** Replaced, never changed in place: elements without children share one array. */
  children: Array<Element | string> = noChildren
  parent: Element | undefined
  /** Removed from the output, with everything inside. */
  dropped = false
  /** Shown although its attributes hide it. */
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

/** Adds a last child to a complete element. */
export const append = (element: Element, child: Element | string): void => {
  element.children = [...element.children, child]
}

let usedMarks = 0

/** Mark of tags that the tree lists. */
const listed = 1 << 30

/** Test of a start tag, of an element or of `Tree.tags`. */
export type TagTest = (tagged: { readonly tag: StartTag }) => boolean

/** Makes a test of start tags, whose result equal tags share. Tags without attributes never pass. There may be 15 such tests. */
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

/** 1 to 6 for a heading, else 0. */
export const rankOf = ({ tag }: Element): number => tag.rules.rank

/** Share of the text that is in links. */
export const linkShare = ({ text, linked }: Element): number => (text === 0 ? 0 : linked / text)

/** Characters of text inside the elements, as measured. */
export const totalText = (elements: ReadonlyArray<Element>): number => elements.reduce((sum, { text }) => sum + text, 0)

/** Characters of text in the elements that `isCounted` accepts, without the white space around each piece. Stops counting above `most`. */
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

/** White space as `\s` and `trim` have it. */
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

/** Characters of text without the white space around it. */
export const trimmedLength = (text: string): number => {
  let [from, to] = [0, text.length]
  while (from < to && isWhiteSpace(text.charCodeAt(from))) from++
  while (to > from && isWhiteSpace(text.charCodeAt(to - 1))) to--
  return to - from
}

/** White space other than single spaces, which need no replacement. */
const whiteSpaceRun = /[^\S ]\s*| \s+/g

/** Each run of white space becomes one space. Many texts are the space between two tags, which needs no search. */
export const singleSpaced = (text: string): string =>
  isWhiteSpace(text.charCodeAt(0)) && trimmedLength(text) === 0 ? " " : text.replace(whiteSpaceRun, " ")

/** Each run of white space becomes one space; none is left at the ends. */
export const squeeze = (text: string): string => singleSpaced(text).trim()

/** Elements that `startOf` looks at: deep empty elements are not searched to their end. */
const maxVisited = 1_000

/**
 * The beginning of the text that is displayed, squeezed, from its first `most` characters: with many elements, each may contain the whole page.
 * Dropped elements do not count, unless `withDropped`.
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

/** The tree, and indexes of frequently used elements in document order. */
export interface Tree {
  readonly root: Element
  /** All start tags, so that most passes for rare elements can be left out. Equal short tags are one. */
  readonly tags: Array<{ readonly tag: StartTag }>
  readonly html: Element | undefined
  readonly body: Element | undefined
  readonly titles: ReadonlyArray<Element>
  readonly metas: ReadonlyArray<Element>
  readonly bases: ReadonlyArray<Element>
  /** `<link>`. */
  readonly relations: ReadonlyArray<Element>
  /** `<a>` and `<area>`. */
  readonly anchors: ReadonlyArray<Element>
  readonly images: ReadonlyArray<Element>
  /** `<time>` and `<script>`, which may contain dates. */
  readonly dated: ReadonlyArray<Element>
  /** The page has too many elements; the last ones are missing. */
  readonly cut: boolean
}

/** Deeper elements become children of the last level, as in browsers: no text is lost and recursion is bounded. */
const maxDepth = 512

/** Further elements are ignored. A page as long as a book has a tenth of this. */
const maxElements = 300_000

const lineBreak = makeTag("br", noAttributes)

class Builder implements Tokens {
  readonly root = makeElement("#root", noAttributes, undefined)
  html: Element | undefined
  body: Element | undefined
  readonly tags: Array<{ readonly tag: StartTag }> = []
  readonly titles: Array<Element> = []
  readonly metas: Array<Element> = []
  readonly bases: Array<Element> = []
  readonly relations: Array<Element> = []
  readonly anchors: Array<Element> = []
  readonly images: Array<Element> = []
  readonly dated: Array<Element> = []
  cut = false
  #elements = 0
  readonly #stack: Array<Element> = [this.root]
  #top: Element = this.root
  #foreign = 0
  /** Children of the open elements, one after another: each gets its own when it closes. */
  #pending: Array<Element | string> = []
  #size = 0
  /** Start of the children, at each position of the stack. */
  readonly #starts: Array<number> = [0]
  /** Positions in the stack of open elements, by name. */
  readonly #opened = new Map<string, Array<number>>()
  /** Search limits at each position of the stack. */
  readonly #stops: Array<Stops> = [{ scope: 0, table: 0, boundary: 0 }]
  #text = ""

  text(text: string): void {
    if (!this.cut) this.#text += text
  }

  section(text: string): void {
    if (this.#foreign > 0) this.text(text)
  }

  #flush(): void {
    if (this.#text === "") return
    this.#pending[this.#size++] = this.#text
    this.#text = ""
  }

  open(tag: StartTag): void {
    if (this.#elements >= maxElements) {
      this.cut = true
      return
    }
    this.#elements += 1
    this.#flush()
    const { name, rules } = tag
    if (name === "html" && this.html !== undefined) return
    if (name === "body" && this.body !== undefined) return
    const { closes, isForeign, isVoid, layout } = rules
    if (closes !== undefined && this.#foreign === 0) this.#closeImplied(closes)
    const element = new Element(tag, this.#top)
    if ((tag.marks & listed) === 0) {
      tag.marks |= listed
      this.tags.push(element)
    }
    this.#pending[this.#size++] = element
    this.#register(element)
    if (isVoid || (tag.selfClosing && (this.#foreign > 0 || isForeign))) return
    const depth = this.#stack.length
    if (depth >= maxDepth && (depth >= 2 * maxDepth || layout !== "unseen")) return
    if (isForeign) this.#foreign++
    this.#push(element)
  }

  #push(element: Element): void {
    const at = this.#stack.length
    const places = this.#opened.get(element.name)
    if (places === undefined) this.#opened.set(element.name, [at])
    else places.push(at)
    const { isBoundary, isScope, isTableScope } = element.tag.rules
    const around = this.#stops[at - 1] as Stops
    this.#stops.push(
      isBoundary || isScope || isTableScope
        ? {
            scope: isScope ? at : around.scope,
            table: isTableScope ? at : around.table,
            boundary: isBoundary ? at : around.boundary
          }
        : around
    )
    this.#stack.push(element)
    this.#starts.push(this.#size)
    this.#top = element
  }

  /** Position of the innermost open element of that name, 0 if none. */
  #placeOf(name: string): number {
    return this.#opened.get(name)?.at(-1) ?? 0
  }

  #register(element: Element): void {
    switch (element.name) {
      case "a":
      case "area":
        this.anchors.push(element)
        break
      case "img":
        this.images.push(element)
        break
      case "time":
      case "script":
        this.dated.push(element)
        break
      case "meta":
        this.metas.push(element)
        break
      case "link":
        this.relations.push(element)
        break
      case "title":
        if (this.#foreign === 0) this.titles.push(element)
        break
      case "base":
        this.bases.push(element)
        break
      case "html":
        this.html = element
        break
      case "body":
        this.body = element
        break
    }
  }

  /** `<li>` closes the `<li>` before it, and inline elements left open in it. */
  #closeImplied({ limit, names }: Closing): void {
    for (;;) {
      let at = 0
      for (const name of names) at = Math.max(at, this.#placeOf(name))
      if (at === 0 || at < limit(this.#stops.at(-1) as Stops)) return
      this.#closeTo(at)
      if (names.length === 1) return
    }
  }

  #closeTo(at: number): void {
    while (this.#stack.length > at) {
      const closed = this.#stack.pop()
      if (closed === undefined) break
      this.#stops.pop()
      const start = this.#starts.pop() ?? 0
      if (start < this.#size) {
        closed.children = this.#pending.slice(start, this.#size)
        this.#size = start
      }
      if (closed.tag.rules.isForeign) this.#foreign--
      this.#opened.get(closed.name)?.pop()
    }
    this.#top = this.#stack[at - 1] ?? this.root
  }

  close(name: string): void {
    if (this.cut) return
    this.#flush()
    if (name === "br") {
      this.open(lineBreak)
      return
    }
    // Content after </body> is displayed, too.
    if (name === "body" || name === "html") return
    if (name === this.#top.name) {
      this.#closeTo(this.#stack.length - 1)
      return
    }
    const at = this.#placeOf(name)
    if (at > 0 && at >= tagOf(name).limit(this.#stops.at(-1) as Stops)) this.#closeTo(at)
  }

  end(): void {
    this.#flush()
    this.#closeTo(0)
    this.#pending = []
  }
}

/** Never fails: any text is HTML. */
export const parseTree = (html: string): Tree => {
  const builder = new Builder()
  tokenize(html, builder)
  builder.end()
  return builder
}
