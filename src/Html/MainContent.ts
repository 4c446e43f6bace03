/** Finds the main content of a page by scoring its prose, like Readability; optionally reduces it to prose. */
import {
  holds,
  isAd,
  isAside,
  isBoilerplate,
  isMarked,
  looksLikeContent,
  type PageKind,
  unfolds
} from "./Boilerplate.ts"
import { isDiscussion, keepPosts, threadIn } from "./Discussion.ts"
import { type Element, isElement, linkShare, rankOf, totalText, trimmedLength } from "./Element.ts"
import { dropAboveTitle, dropBelowText, hasOneSubject, isArticlePage, isProductPage, keepArticle } from "./Margins.ts"
import { dropSecondary } from "./Secondary.ts"
import { readRows } from "./Table.ts"
import type { Tree } from "./Tree.ts"
import { missingDescription } from "./Unrendered.ts"

/** Characters of prose with which the rest of a page counts as content, however long its boilerplate is. */
const minRest = 3_000

/** Marks boilerplate as dropped and subtracts its text. An element with most of the page's text never counts as boilerplate. */
const dropBoilerplate = (
  element: Element,
  total: number,
  test: (element: Element) => boolean,
  dropped: Array<Element>
): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    const { linked, text } = child
    if (text < total * mostOf(child, total) && test(child)) {
      child.dropped = true
      child.text = 0
      child.linked = 0
      dropped.push(child)
    } else dropBoilerplate(child, total, test, dropped)
    element.text -= text - child.text
    element.linked -= linked - child.linked
  }
}

/** Share of a page's text from which on an element counts as content whatever its name: half, more for margins and menus. */
const mostOf = ({ linked, name, text }: Element, total: number): number => {
  if (isMarginal.has(name)) return 0.9
  return total - text >= minRest && (name === "select" || linked > 0.9 * text) ? 1 : 0.5
}

/** Characters of prose that are enough for a product page. */
const minProduct = 150

/** Drops boilerplate from the body. If too little prose would be left, the names are misleading: then only tags and roles count. */
const strip = (body: Element, kind: PageKind): void => {
  const total = measure(body, false)
  const least = Math.min(proseIn(body) / 4, kind.isProduct ? minProduct : minRest)
  // Some forums wrap all posts in a form, so that moderators can select them.
  const isForm = (element: Element) => kind.isDiscussion && element.name === "form" && holds(element, "article")
  for (const test of [(element: Element) => !isForm(element) && isBoilerplate(element, kind), isMarked, isNever]) {
    const dropped: Array<Element> = []
    dropBoilerplate(body, total, test, dropped)
    if (proseIn(body) >= least || test === isNever) return
    for (const element of dropped) element.dropped = false
    measure(body, false)
  }
}

const isMarginal = new Set(["nav", "aside", "footer"])

const neverContent = new Set([...isMarginal, "select", "dialog", "button"])

/** True for elements whose tag is never that of content, such as `nav`. */
const isNever = (element: Element): boolean => neverContent.has(element.name) && !unfolds(element)

const ancestors = (element: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let around = element.parent; around !== undefined && around.name !== "body"; around = around.parent)
    found.push(around)
  return found
}

const maxRivals = 50

/** If several elements have similar scores, moves up to the ancestor that contains most of them. */
const together = (
  top: readonly [Element, number],
  scores: ReadonlyMap<Element, number>
): readonly [Element, number] => {
  const around = ancestors(top[0])
  const rivals = [...scores]
    .filter(([element, score]) => score * (1 - linkShare(element)) >= top[1] * 0.75 && element !== top[0])
    .filter(([element]) => !around.includes(element))
    .slice(0, maxRivals)
    .map(([element]) => new Set(ancestors(element)))
    .filter((above) => !above.has(top[0]))
  if (rivals.length === 0) return top
  const common = around.find((element) => rivals.filter((rival) => rival.has(element)).length >= rivals.length * 0.6)
  return common === undefined ? top : [common, scores.get(common) ?? top[1]]
}

/** Widens the content to an ancestor whose score is similar. */
const widen = ([top, topScore]: readonly [Element, number], scores: ReadonlyMap<Element, number>): Element => {
  let element = top
  let least = topScore / 3
  for (
    let around = top.parent;
    around !== undefined && around.name !== "body" && around.name !== "html";
    around = around.parent
  ) {
    const score = scores.get(around)
    if (score === undefined) continue
    if (score < least) break
    if (score * (1 - linkShare(around)) > topScore) {
      element = around
      least = score / 3
    }
  }
  while (
    element.parent !== undefined &&
    element.parent.name !== "body" &&
    element.parent.children.filter((child) => isElement(child) && !child.dropped && child.text > 0).length === 1
  ) {
    element = element.parent
  }
  return element
}

/** Widens a part of a list, data table or quotation to the whole. */
const whole = (element: Element): Element => {
  let content = element
  for (let around: Element | undefined = element; around !== undefined; around = around.parent) {
    const { name, parent } = around
    if (parent === undefined || parent.name === "html") break
    if (isFragment.has(name) || (name === "table" && readRows(around) !== undefined)) content = parent
  }
  return content
}

const isFragment = new Set(["p", "ul", "ol", "li", "dl", "dd", "blockquote", "pre", "figure"])

/** The element marked as `main` around the content, unless it contains much else. */
const declared = (content: Element): Element => {
  for (let around = content.parent; around !== undefined; around = around.parent) {
    if (around.name === "main" || around.attributes.role === "main") {
      return proseIn(around) <= proseIn(content) * 1.1 ? around : content
    }
  }
  return content
}

/** Siblings that belong to the content: with good scores of their own, headings, or plain paragraphs. */
const neighbours = (top: Element, topScore: number, scores: ReadonlyMap<Element, number>): ReadonlyArray<Element> => {
  const parent = top.parent
  if (parent === undefined || parent.name === "#root") return [top]
  const least = Math.max(10, topScore * 0.2)
  return parent.children.filter((child): child is Element => {
    if (!isElement(child) || child.dropped) return false
    if (child === top) return true
    const sameClass = child.attributes.class !== undefined && child.attributes.class === top.attributes.class
    if ((scores.get(child) ?? 0) + (sameClass ? topScore * 0.2 : 0) >= least) return true
    if (/^h[1-3]$/.test(child.name)) return true
    return child.name === "p" && child.text > 80 && linkShare(child) < 0.25
  })
}

/** Drops lists of links, forms and boxes without prose inside the content. */
const clean = (element: Element): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    if (isAside(child)) child.dropped = true
    else clean(child)
  }
}

/** Minimum characters of chosen content. Shorter content is accepted only if it is at least half of the page's text. */
const minContent = 250

/** Shares of a page's prose: below the first, the chosen content is too narrow; above the second, an element has nearly all of it. */
const [minProseShare, mostProse] = [0.7, 0.8]

/** The smallest element that contains nearly all prose. */
const aroundProse = (body: Element): Element => {
  const least = mostProse * proseIn(body)
  const inside = ({ children }: Element) =>
    children.find((child): child is Element => isElement(child) && !child.dropped && proseIn(child) >= least)
  let element = body
  for (let next = inside(body); next !== undefined; next = inside(next)) element = next
  return element
}

/** True for a sibling that continues the text of an element: a paragraph, or a similar section with a heading. */
const goesOn = (sibling: Element, element: Element): boolean => {
  if (linkShare(sibling) >= 0.25) return false
  if (sibling.name === "p") return sibling.text > 80
  const { class: classes } = sibling.attributes
  return (
    sibling.name === element.name &&
    classes === element.attributes.class &&
    sibling.text > 80 &&
    sibling.children.some((child) => isElement(child) && /^h[1-4]$/.test(child.name))
  )
}

/** Widens the content to the outermost ancestor in which siblings continue its text. */
const inText = (content: Element): Element => {
  let widest = content
  let element = content
  for (let around = content.parent; around !== undefined && around.name !== "html"; around = around.parent) {
    const inside = element
    const follows = around.children.some(
      (child) => isElement(child) && child !== inside && !child.dropped && goesOn(child, inside)
    )
    if (follows) widest = around
    element = around
  }
  return widest
}

const choose = (body: Element): ReadonlyArray<Element> => {
  const scores = new Map<Element, number>()
  scoreProse(body, scores)
  const top = best(scores)
  if (top === undefined) return [body]
  const content = declared(inText(whole(widen(together(top, scores), scores))))
  if (content === body) return [body]
  const parts = neighbours(content, scores.get(content) ?? top[1], scores)
  const size = totalText(parts)
  if (size < minContent && size * 2 < body.text) return [body]
  // If much prose would be lost, the page has many sections of equal weight, as pages of products and services do.
  const prose = parts.reduce((sum, part) => sum + proseIn(part), 0)
  return prose < minProseShare * proseIn(body) ? [aroundProse(body)] : parts
}

/** The elements with the main content, in order; marks everything else in them as dropped. `isShort`: only boilerplate is left out. */
export const mainContent = (tree: Tree, isShort = false): ReadonlyArray<Element> => {
  const body = tree.body ?? tree.root
  const kind = { isDiscussion: isDiscussion(tree), isProduct: isProductPage(tree) }
  strip(body, kind)
  const chosen = isShort ? [body] : choose(body)
  const parts = kind.isDiscussion ? threadIn(tree, chosen) : chosen
  if (parts[0] !== body) for (const part of parts) clean(part)
  dropSecondary(parts)
  keepPosts(tree, parts)
  dropAboveTitle(parts)
  if (hasOneSubject(tree)) {
    if (!kind.isProduct && !kind.isDiscussion && isArticlePage(tree)) keepArticle(parts, tree)
    dropBelowText(parts)
  }
  const description = missingDescription(tree, parts)
  return description === undefined ? parts : [...parts, description]
}

/** Elements that are dropped when only prose is kept. */
const controls = new Set([
  "button",
  "select",
  "option",
  "label",
  "output",
  "progress",
  "meter",
  "img",
  "picture",
  "figure",
  "iframe"
])

/** Elements that can form a list of links. */
const lists = new Set(["ul", "ol", "dl", "table", "div", "section", "p", "header", "span", "center"])

const isLinks = (element: Element): boolean => lists.has(element.name) && element.text > 0 && linkShare(element) > 0.5

/** Drops headings that have no text below them; keeps `h1`, the title of the page. */
const dropHeadings = (element: Element): void => {
  let next: Element | undefined
  for (const child of element.children.toReversed()) {
    if (!isElement(child)) {
      if (child.trim() !== "") next = element
      continue
    }
    if (child.dropped || (child.text === 0 && child.name !== "br")) continue
    const rank = rankOf(child)
    const following = next === undefined ? -1 : rankOf(next)
    if (rank > 1 && following !== 0 && following <= rank) child.dropped = true
    else next = child
  }
}

const sweep = (element: Element, total: number): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    const isMost = child.text > total * 0.5
    if (controls.has(child.name) || isAd(child) || (!isMost && (isBoilerplate(child) || isLinks(child)))) {
      child.dropped = true
    } else if (rankOf(child) === 0) sweep(child, total)
  }
}

const settle = (element: Element): void => {
  for (const child of element.children) if (isElement(child) && !child.dropped) settle(child)
  dropHeadings(element)
}

/** Marks everything except prose in the parts as dropped. */
export const keepProse = (parts: ReadonlyArray<Element>): void => {
  const total = parts.reduce((sum, part) => sum + measure(part, false), 0)
  for (const part of parts) sweep(part, total)
  for (const part of parts) {
    measure(part, false)
    settle(part)
  }
}

/** Sets `text` and `linked` of the element and the elements in it, but not inside dropped or unseen ones. */
export const measure = (element: Element, inLink: boolean): number => {
  if (element.dropped || element.layout === "unseen") {
    element.text = 0
    element.linked = 0
    return 0
  }
  const linking = inLink || element.name === "a"
  let text = 0
  let linked = 0
  for (const child of element.children) {
    if (isElement(child)) {
      text += measure(child, linking)
      linked += child.linked
    } else {
      const length = trimmedLength(child)
      text += length
      if (linking) linked += length
    }
  }
  // In a card that is a single link, only the beginning counts as link text: the rest describes the link's target.
  if (element.name === "a" && !inLink && text > maxLinkText && holdsBlock(element)) linked = maxLinkText
  element.text = text
  element.linked = linked
  return text
}

/** Characters of a card's text that count as link text, if the link contains blocks. */
const maxLinkText = 60

const holdsBlock = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && ((child.layout === "block" && child.text > 0) || holdsBlock(child)))

/** Characters of text outside of links. */
export const proseIn = ({ text, linked }: Element): number => text - linked

/** Share of a paragraph's score that each ancestor gets, nearest first. */
const reach = [1, 0.5, 1 / 3, 0.25, 0.2] as const

const minProse = 25

const isProse = (element: Element): boolean => {
  switch (element.name) {
    case "p":
    case "pre":
      return true
    case "td":
    case "blockquote":
    case "div":
    case "section":
      // Boxes without text do not split the prose.
      return !element.children.some(
        (child) => isElement(child) && child.layout === "block" && !child.dropped && child.text > 0
      )
    default:
      return false
  }
}

/** Separators of clauses in scripts other than Latin. */
const separators = /[،、，；]/g

const count = (text: string, mark: string): number => {
  let found = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) found += 1
  return found
}

const countSeparators = (element: Element): number => {
  let found = 0
  for (const child of element.children) {
    if (!isElement(child)) found += count(child, ",") + count(child, ";") + (child.match(separators)?.length ?? 0)
    else if (!child.dropped && child.layout !== "unseen") found += countSeparators(child)
  }
  return found
}

/** Scores the ancestors of prose, below the element. */
export const scoreProse = (element: Element, scores: Map<Element, number>): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped || child.text < minProse) continue
    if (!isProse(child)) {
      scoreProse(child, scores)
      continue
    }
    const score = (1 + countSeparators(child) + Math.min(child.text / 100, 3)) * (1 - linkShare(child))
    let around = child.parent
    for (const share of reach) {
      if (around === undefined || around.name === "html" || around.name === "#root") break
      scores.set(around, (scores.get(around) ?? looksLikeContent(around)) + score * share)
      around = around.parent
    }
  }
}

/** The candidate with the most prose and the fewest links. */
export const best = (scores: ReadonlyMap<Element, number>): readonly [Element, number] | undefined => {
  let found: readonly [Element, number] | undefined
  for (const [element, raw] of scores) {
    const score = raw * (1 - linkShare(element))
    if (found === undefined || score > found[1]) found = [element, score]
  }
  return found
}
