/** Writes a tree as cleaned HTML or as plain text. */

import { withoutSoftHyphens } from "../Values/Text.ts"
import { type Element, isElement, rankOf } from "./Element.ts"
import type { Addresses } from "./PageUrls.ts"
import { type Content, isBlock, unseen, voids } from "./Tags.ts"
import { type StartTag, type Tokens, tokenize } from "./Tokenizer.ts"

/** Elements whose content is not displayed as text, but which cleaned HTML keeps. */
const keptElements = new Set(["svg", "math", "iframe", "video", "audio", "canvas", "input", "textarea"])

export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character)

const escapeAttribute = (text: string): string => text.replace(/[&"]/g, (character) => entities[character] ?? character)

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const attributeText = (element: Element, addresses: Addresses): string => {
  let text = ""
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name.startsWith("on") || name === "style" || name === "srcset") continue
    const written =
      name === "href"
        ? (addresses.link(value) ?? value)
        : name === "src"
          ? (source(element, addresses) ?? value)
          : value
    if (!/^javascript:/i.test(written.trim()))
      text += value === "" ? ` ${name}` : ` ${name}="${escapeAttribute(written)}"`
  }
  return text
}

const source = (element: Element, addresses: Addresses): string | undefined =>
  element.name === "img" ? addresses.image(element) : addresses.link(element.attributes.src ?? "")

const append = (element: Element, addresses: Addresses, parts: Array<string>): void => {
  const { name } = element
  if (element.dropped || (element.layout === "unseen" && !keptElements.has(name))) return
  // Written as a `div`: an iframe whose `srcdoc` was parsed into the tree.
  const isPage = name === "iframe" && element.layout !== "unseen"
  if (isPage) parts.push("<div>")
  else parts.push("<", name, attributeText(element, addresses), ">")
  if (voids.has(name)) return
  for (const child of element.children) {
    if (isElement(child)) append(child, addresses, parts)
    else parts.push(escapeText(child))
  }
  parts.push("</", isPage ? "div" : name, ">")
}

const write = (nodes: ReadonlyArray<Element | string>, addresses: Addresses): string => {
  const parts: Array<string> = []
  for (const node of nodes) {
    if (isElement(node)) append(node, addresses, parts)
    else parts.push(escapeText(node))
  }
  return parts.join("")
}

/** Writes the elements one after another as HTML. */
export const toHtml = (roots: ReadonlyArray<Element>, addresses: Addresses): string =>
  // Without `<body>`, the content is directly in the root.
  write(
    roots.flatMap((root) => (root.name === "#root" ? root.children : [root])),
    addresses
  )

/** Writes the content of an element as HTML. */
export const innerHtml = ({ children }: Element, addresses: Addresses): string => write(children, addresses)

export interface Heading {
  /** Position in the text where the heading's line begins. */
  readonly at: number
  /** Level of the heading, 1 for the highest. */
  readonly level: number
}

export interface PlainText {
  readonly text: string
  /** Headings in text order. */
  readonly headings: ReadonlyArray<Heading>
}

/** Collects lines of text; collapses white space and omits empty lines. */
class Lines {
  readonly #lines: Array<string> = []
  #line = ""
  /** Characters of all completed lines, including line feeds. */
  length = 0
  readonly #clean: (text: string) => string

  constructor(clean: (text: string) => string) {
    this.#clean = clean
  }

  add(text: string): void {
    this.#line += this.#clean(text)
  }

  end(): void {
    if (this.#line === "") return
    const text = collapse(this.#line).trim()
    if (text !== "") {
      this.#lines.push(text)
      this.length += text.length + 1
    }
    this.#line = ""
  }

  finish(): string {
    this.end()
    return this.#lines.join("\n")
  }
}

const writeText = (element: Element, lines: Lines, headings: Array<Heading>): void => {
  if (element.dropped || element.layout === "unseen") return
  const block = element.layout === "block" || element.name === "br"
  if (block) lines.end()
  const at = lines.length
  for (const child of element.children) {
    if (isElement(child)) writeText(child, lines, headings)
    else lines.add(child)
  }
  if (block) lines.end()
  const level = block && lines.length > at ? rankOf(element) : 0
  if (level > 0) headings.push({ at, level })
}

const readLines = (roots: ReadonlyArray<Element>, clean: (text: string) => string): PlainText => {
  const lines = new Lines(clean)
  const headings: Array<Heading> = []
  for (const root of roots) writeText(root, lines, headings)
  return { text: lines.finish(), headings }
}

/** Writes one line per block, with white space collapsed and without soft hyphens. */
export const toText = (roots: ReadonlyArray<Element>): PlainText => {
  const plain = readLines(roots, (text) => text)
  // Few pages have soft hyphens: those are read again, which costs the others less than a test of each text.
  return plain.text.includes("\u00ad") ? readLines(roots, withoutSoftHyphens) : plain
}

class Words implements Tokens {
  readonly #lines = new Lines(withoutSoftHyphens)
  /** Name of the outermost open element that is hidden. */
  #hidden: string | undefined
  #depth = 0
  #raw = ""

  finish(): string {
    return this.#lines.finish()
  }

  text(text: string): void {
    if (this.#hidden === undefined) this.#lines.add(text)
  }

  open({ name, rules }: StartTag): Content {
    if (name === "br" || isBlock.has(name)) this.#lines.end()
    if (name === "body") this.#hidden = undefined
    else if (this.#hidden === name) this.#depth += 1
    else if (this.#hidden === undefined && unseen.has(name) && !voids.has(name)) {
      this.#hidden = name
      this.#depth = 1
    }
    if (rules.content !== "markup") this.#raw = name
    return rules.content
  }

  raw(text: string): void {
    this.text(text)
    this.close(this.#raw)
  }

  close(name: string): void {
    if (isBlock.has(name)) this.#lines.end()
    if (name !== this.#hidden) return
    this.#depth -= 1
    if (this.#depth === 0) this.#hidden = undefined
  }

  comment(): void {}

  doctype(): void {}

  isForeign(): boolean {
    return false
  }
}

/** Text of a page that is too large for a tree, in the form of `toText`, read in one pass. */
export const scanText = (html: string): string => {
  const words = new Words()
  tokenize(html, words)
  return words.finish()
}

const uneven = /[\t\n\r\f]| {2}/
/** White space except single spaces, which are most of it and need no replacement. */
const whitespaceRun = /[\t\n\r\f][ \t\n\r\f]*| [ \t\n\r\f]+/g

/** Collapses white space. Tests first, because most text has no runs and a test is faster than a replacement. */
export const collapse = (text: string): string => (uneven.test(text) ? text.replace(whitespaceRun, " ") : text)
