/** One element of a page, as a plain object. */
import { type Layout, tagOf } from "./Tags.ts"

export interface Element {
  readonly name: string
  readonly layout: Layout
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Element | string>
  parent: Element | undefined
  /** Set by cleaning: neither the element nor anything in it is shown. */
  dropped: boolean
  /** Characters of text below, and how many of them are in links: set by measuring, -1 before. */
  text: number
  linked: number
}

/** An element without children, not measured yet. */
export const make = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  parent: Element | undefined,
  layout: Layout = tagOf(name).layout
): Element => ({ name, layout, attributes, children: [], parent, dropped: false, text: -1, linked: 0 })

export const isElement = (node: Element | string): node is Element => typeof node !== "string"

/** The first so many characters of its text: of many elements, each may hold all of a page. */
export const startOf = (element: Element, most: number): string => {
  let text = ""
  for (const child of element.children) {
    if (text.length >= most) break
    text += isElement(child) ? startOf(child, most - text.length) : child.slice(0, most - text.length)
  }
  return text
}

/** All text below, as it stands. */
export const textOf = (element: Element): string => {
  const [only] = element.children
  if (element.children.length === 1 && typeof only === "string") return only
  let text = ""
  for (const child of element.children) text += isElement(child) ? textOf(child) : child
  return text
}
