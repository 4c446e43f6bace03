/** What a page is about, without what surrounds it: navigation, teasers, banners (spec 2.9). */
import { isAside, isBoilerplate, looksLikeContent } from "./Boilerplate.ts"
import { isBlock, unseen } from "./Tags.ts"
import { type Element, isElement, type Tree } from "./Tree.ts"

/** Counts the text of every element, and how much of it is in links. */
const measure = (element: Element, inLink: boolean): number => {
  if (element.dropped || unseen.has(element.name)) {
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
      const length = child.trim().length
      text += length
      if (linking) linked += length
    }
  }
  element.text = text
  element.linked = linked
  return text
}

const linkShare = ({ text, linked }: Element): number => (text === 0 ? 0 : linked / text)

/** Marks what surrounds the content; what holds most of the page's text is no surrounding, whatever it is called. */
const dropBoilerplate = (element: Element, total: number): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    const most = isMarginal.has(child.name) ? 0.9 : 0.5
    if (child.text < total * most && isBoilerplate(child)) child.dropped = true
    else dropBoilerplate(child, total)
  }
}

/** Elements that are beside the point by definition. */
const isMarginal = new Set(["nav", "aside", "footer"])

/** Prose makes a candidate of what is around it, the nearer the more. */
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
      return !element.children.some((child) => isElement(child) && isBlock.has(child.name))
    default:
      return false
  }
}

const separators = /[,،、，;；]/g

const textIn = (element: Element): string => {
  let text = ""
  for (const child of element.children) {
    if (!isElement(child)) text += child
    else if (!child.dropped && !unseen.has(child.name)) text += textIn(child)
  }
  return text
}

const scoreProse = (element: Element, scores: Map<Element, number>): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped || child.text < minProse) continue
    if (!isProse(child)) {
      scoreProse(child, scores)
      continue
    }
    const commas = textIn(child).match(separators)?.length ?? 0
    const score = (1 + commas + Math.min(child.text / 100, 3)) * (1 - linkShare(child))
    let around = child.parent
    for (const share of reach) {
      if (around === undefined || around.name === "html" || around.name === "#root") break
      scores.set(around, (scores.get(around) ?? looksLikeContent(around)) + score * share)
      around = around.parent
    }
  }
}

const best = (scores: ReadonlyMap<Element, number>): readonly [Element, number] | undefined => {
  let found: readonly [Element, number] | undefined
  for (const [element, raw] of scores) {
    const score = raw * (1 - linkShare(element))
    if (found === undefined || score > found[1]) found = [element, score]
  }
  return found
}

const ancestors = (element: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let around = element.parent; around !== undefined && around.name !== "body"; around = around.parent)
    found.push(around)
  return found
}

/** Where several parts score alike, the content is what holds most of them. */
const together = (
  top: readonly [Element, number],
  scores: ReadonlyMap<Element, number>
): readonly [Element, number] => {
  const around = ancestors(top[0])
  const rivals = [...scores]
    .filter(([element, score]) => score * (1 - linkShare(element)) >= top[1] * 0.75 && element !== top[0])
    .filter(([element]) => !around.includes(element))
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
  const total = measure(body, false)
  dropBoilerplate(body, total)
  const rest = measure(body, false)
  const scores = new Map<Element, number>()
  scoreProse(body, scores)
  const top = best(scores)
  if (top === undefined) return [body]
  const content = widen(together(top, scores), scores)
  const parts = neighbours(content, scores.get(content) ?? top[1], scores)
  const size = parts.reduce((sum, part) => sum + part.text, 0)
  if (size < minContent && size * 2 < rest) return [body]
  for (const part of parts) clean(part)
  return parts
}
