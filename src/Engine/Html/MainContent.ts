/** Main content of a page, without navigation, teasers and banners. */
import { isAside, isBoilerplate } from "./Boilerplate.ts"
import { type Element, isElement } from "./Element.ts"
import { best, linkShare, measure, proseIn, scoreProse } from "./Prose.ts"
import { readRows } from "./Table.ts"
import type { Tree } from "./Tree.ts"

/**
 * Marks what surrounds the content, and takes it off the measure; what holds most of the page's text is no surrounding,
 * whatever it is called.
 */
const dropBoilerplate = (element: Element, total: number, dropped: Array<Element>): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    const { linked, text } = child
    const most = isMarginal.has(child.name) ? 0.9 : 0.5
    if (text < total * most && isBoilerplate(child)) {
      child.dropped = true
      child.text = 0
      child.linked = 0
      dropped.push(child)
    } else dropBoilerplate(child, total, dropped)
    element.text -= text - child.text
    element.linked -= linked - child.linked
  }
}

/** Leaves the body without its surroundings; where little would be left, names were no guide and only tags count. */
const strip = (body: Element): void => {
  const total = measure(body, false)
  const prose = proseIn(body)
  const dropped: Array<Element> = []
  dropBoilerplate(body, total, dropped)
  if (proseIn(body) * 4 >= prose) return
  for (const element of dropped) element.dropped = isMarginal.has(element.name)
  measure(body, false)
}

/** Elements that are beside the point by definition. */
const isMarginal = new Set(["nav", "aside", "footer"])

const ancestors = (element: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let around = element.parent; around !== undefined && around.name !== "body"; around = around.parent)
    found.push(around)
  return found
}

/** So many are enough to tell. */
const maxRivals = 50

/** Where several parts score alike, the content is what holds most of them. */
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

/** A page split into parts of equal standing is not one of its parts. */
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

/** Parts of a list, a table of data or a quotation are no content of their own. */
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

/** What the page itself calls its main part, unless that holds much besides. */
const declared = (content: Element): Element => {
  for (let around = content.parent; around !== undefined; around = around.parent) {
    if (around.name === "main" || around.attributes.role === "main") {
      return proseIn(around) <= proseIn(content) * 1.1 ? around : content
    }
  }
  return content
}

/** The neighbours that belong to the content: scored well themselves, or plain paragraphs. */
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

/** Inside the content: lists of links, forms and boxes without prose are dropped. */
const clean = (element: Element): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    if (isAside(child)) child.dropped = true
    else clean(child)
  }
}

/** Too little to be what the page is about. */
const minContent = 250

/** The elements that hold the content, in order; everything else in them is marked as dropped. */
export const mainContent = (tree: Tree): ReadonlyArray<Element> => {
  const body = tree.body ?? tree.root
  strip(body)
  const scores = new Map<Element, number>()
  scoreProse(body, scores)
  const top = best(scores)
  if (top === undefined) return [body]
  const content = declared(whole(widen(together(top, scores), scores)))
  if (content === body) return [body]
  const parts = neighbours(content, scores.get(content) ?? top[1], scores)
  const size = parts.reduce((sum, part) => sum + part.text, 0)
  if (size < minContent && size * 2 < body.text) return [body]
  for (const part of parts) clean(part)
  return parts
}
