/** How much prose there is, and where: what the choice of the main content goes by. */
import { looksLikeContent } from "./Boilerplate.ts"
import { type Element, isElement } from "./Element.ts"

/** Counts the text of every element, and how much of it is in links. */
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
      const length = child.trim().length
      text += length
      if (linking) linked += length
    }
  }
  element.text = text
  element.linked = linked
  return text
}

/** Of its text, how much is in links. */
export const linkShare = ({ text, linked }: Element): number => (text === 0 ? 0 : linked / text)

/** Characters of text that is not in links. */
export const proseIn = ({ text, linked }: Element): number => text - linked

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
      // A box that shows no text parts nothing.
      return !element.children.some(
        (child) => isElement(child) && child.layout === "block" && !child.dropped && child.text > 0
      )
    default:
      return false
  }
}

/** What parts the clauses of prose in scripts other than Latin: where that is all there is, nothing is searched. */
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

/** Scores what is around prose, below the element. */
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
