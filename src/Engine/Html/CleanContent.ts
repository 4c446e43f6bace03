/** Running text only: what is left of a page without pictures, controls, advertisements and lists of links. */
import { isAd } from "./Ads.ts"
import { isBoilerplate } from "./Boilerplate.ts"
import { type Element, isElement } from "./Element.ts"
import { linkShare, measure } from "./Prose.ts"

/** Never running text. */
const apart = new Set([
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

/** What a list of links is made of. */
const lists = new Set(["ul", "ol", "dl", "table", "div", "section", "p", "header", "span", "center"])

const isLinks = (element: Element): boolean => lists.has(element.name) && element.text > 0 && linkShare(element) > 0.5

const rankOf = ({ name }: Element): number | undefined => (/^h[1-6]$/.test(name) ? Number(name[1]) : undefined)

/** A heading whose text was taken away heads nothing; `h1` names the page. */
const dropHeadings = (element: Element): void => {
  let next: Element | undefined
  for (const child of element.children.toReversed()) {
    if (!isElement(child)) {
      if (child.trim() !== "") next = element
      continue
    }
    if (child.dropped || (child.text === 0 && child.name !== "br")) continue
    const rank = rankOf(child)
    const following = next === undefined ? 0 : rankOf(next)
    if (rank !== undefined && rank > 1 && following !== undefined && following <= rank) child.dropped = true
    else next = child
  }
}

const sweep = (element: Element, total: number): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    const isMost = child.text > total * 0.5
    if (apart.has(child.name) || isAd(child) || (!isMost && (isBoilerplate(child) || isLinks(child)))) {
      child.dropped = true
    } else if (rankOf(child) === undefined) sweep(child, total)
  }
}

const settle = (element: Element): void => {
  for (const child of element.children) if (isElement(child) && !child.dropped) settle(child)
  dropHeadings(element)
}

/** Marks everything in the parts that is no running text as dropped. */
export const keepProse = (parts: ReadonlyArray<Element>): void => {
  const total = parts.reduce((sum, part) => sum + measure(part, false), 0)
  for (const part of parts) sweep(part, total)
  for (const part of parts) {
    measure(part, false)
    settle(part)
  }
}
