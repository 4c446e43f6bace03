/** Page of a site with its style sheets, and the elements that represent its look (headings, links, buttons). */

import { type Element, isElement, makeElement, textOf } from "../../Html/Element.ts"
import { PageUrls } from "../../Html/PageUrls.ts"
import { every } from "../../Html/Select.ts"
import { parseTree, type Tree } from "../../Html/Tree.ts"
import { isUsual, readSheet, type Sheet } from "./StyleSheet.ts"

/** Maximum characters of the page that are parsed. */
const maxPage = 1_000_000
/** Maximum characters of all style sheets together. */
const maxStyles = 1_000_000

/** A style sheet of the page: inline, or linked. */
export type Source = { readonly text: string } | { readonly href: string }

export interface BrandPage {
  readonly tree: Tree
  readonly urls: PageUrls
  /** Style sheets in document order, with absolute URLs. */
  readonly sources: ReadonlyArray<Source>
}

const isStyles = ({ attributes }: Element): boolean => {
  const { media = "", rel = "" } = attributes
  const relations = rel.toLowerCase().split(/\s+/)
  return relations.includes("stylesheet") && !relations.includes("alternate") && isUsual(media)
}

/** Parses the page and lists its style sheets. */
export const readPage = (html: string, url: string): BrandPage => {
  const tree = parseTree(html.slice(0, maxPage))
  const urls = new PageUrls(tree, url, true)
  const found = every(
    tree.root,
    (element) => element.name === "style" || (element.name === "link" && isStyles(element)),
    100
  )
  return {
    tree,
    urls,
    sources: found.flatMap((element): ReadonlyArray<Source> => {
      if (element.name === "style") return [{ text: textOf(element) }]
      const href = element.attributes.href === undefined ? undefined : urls.resolve(element.attributes.href)
      return href === undefined ? [] : [{ href }]
    })
  }
}

/** Parses style sheets in order; cuts off the text beyond `maxStyles` in total. */
export const readSheets = (texts: ReadonlyArray<string>): ReadonlyArray<Sheet> => {
  let left = maxStyles
  return texts.map((text) => {
    const read = text.slice(0, left)
    left -= read.length
    return readSheet(read)
  })
}

export interface Samples {
  readonly html: Element
  readonly body: Element
  readonly h1: Element
  readonly h2: Element
  readonly h3: Element
  readonly link: Element
  readonly code: Element
  readonly input: Element
  /** Candidates for the primary button, best first. */
  readonly buttons: ReadonlyArray<Element>
}

const plain = (name: string, parent: Element, attributes: Readonly<Record<string, string>> = {}): Element =>
  makeElement(name, attributes, parent)

const maxElements = 20_000
const maxButtons = 12

const classOf = ({ attributes }: Element): string => attributes.class ?? ""

const isField = ({ attributes, name }: Element): boolean =>
  name === "textarea" || (name === "input" && /^(?:text|email|search|url|tel|password)?$/i.test(attributes.type ?? ""))

const isButton = ({ attributes, name }: Element): boolean =>
  name === "button" ||
  (name === "input" && /^(?:submit|button)$/i.test(attributes.type ?? "")) ||
  ((name === "a" || name === "span") && /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(attributes.class ?? "")) ||
  (name === "a" && attributes.role === "button")

/** Score of a button as a candidate for the primary button. */
const weigh = (element: Element): number => {
  const label = classOf(element)
  return (
    (/primary|cta|main|brand/i.test(label) ? 4 : 0) +
    (element.attributes.type === "submit" ? 1 : 0) -
    (/secondary|outline|ghost|link|close|toggle|menu|icon|dropdown|tertiary/i.test(label) ? 3 : 0) +
    (/(?:^|[\s_-])(?:btn|button)(?:$|[\s_-])/i.test(label) ? 1 : 0) -
    (label === "" ? 1 : 0)
  )
}

interface Candidates {
  readonly first: Map<string, Element>
  readonly buttons: Array<Element>
  field: Element | undefined
}

const findCandidates = (root: Element): Candidates => {
  const found: Candidates = { first: new Map(), buttons: [], field: undefined }
  let left = maxElements
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (!isElement(child)) continue
      left -= 1
      if (left < 0) return
      if (isButton(child)) found.buttons.push(child)
      else if (child.name === "a" && !isInNavigation(child)) remember(found, child)
      else if (/^(?:h[1-3]|code|pre)$/.test(child.name)) remember(found, child)
      if (isField(child)) found.field ??= child
      visit(child)
    }
  }
  visit(root)
  return found
}

const remember = ({ first }: Candidates, element: Element): void => {
  if (!first.has(element.name)) first.set(element.name, element)
}

/** True inside menus, headers and footers, whose links are styled differently from links in the text. */
const isInNavigation = (element: Element): boolean => {
  for (let around = element.parent; around !== undefined; around = around.parent)
    if (around.name === "nav" || around.name === "header" || around.name === "footer") return true
  return false
}

/** Chooses the elements whose styles represent the page; creates missing ones. */
export const samplesOf = (tree: Tree): Samples => {
  const html = tree.html ?? plain("html", tree.root)
  const body = tree.body ?? plain("body", html)
  const { buttons, field, first } = findCandidates(tree.root)
  const sorted = buttons
    .map((element, at) => ({ element, weight: weigh(element) - at / 1_000 }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, maxButtons)
    .map(({ element }) => element)
  return {
    html,
    body,
    h1: first.get("h1") ?? plain("h1", body),
    h2: first.get("h2") ?? plain("h2", body),
    h3: first.get("h3") ?? plain("h3", body),
    link: first.get("a") ?? plain("a", body, { href: "#" }),
    code: first.get("code") ?? first.get("pre") ?? plain("code", body),
    input: field ?? plain("input", body, { type: "text", class: "form-control input" }),
    buttons:
      sorted.length > 0
        ? sorted
        : [
            plain("button", body, { class: "btn btn-primary button primary", type: "button" }),
            plain("button", body, { class: "btn btn-secondary secondary", type: "button" })
          ]
  }
}
