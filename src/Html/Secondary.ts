/** Drops sections of the main content that are about other pages ("Related articles"), or repeat earlier text. */
import { type Element, isElement, linkShare, rankOf, startOf, totalText, trimmedLength } from "./Element.ts"

const anyOf = (phrases: ReadonlyArray<string>): RegExp => new RegExp(`^(?:${phrases.join("|")})`, "i")

const things =
  "(?:articles?|posts?|stories|news|products?|items?|reading|pages?|topics?|questions?|threads?|videos?|content|links?)"

/** Matches headings of sections that are never about the page's subject. */
const elsewhere = anyOf([
  "you (?:may|might|could|will|would|['’]ll) (?:also |like|enjoy|love|be interested)",
  `(?:related|recommended|suggested|similar|more|other|latest|recent|popular|trending) ${things}\\b`,
  "recommended (?:for you|by)|more (?:from|like|stories|to (?:explore|read|love))\\b|compare (?:with )?similar",
  "customers? (?:also|who)|people also|others also|frequently bought|bought together",
  "complete (?:the|your) look|pairs well|shop the look|(?:recently|last) viewed|your recently",
  "(?:what to )?read (?:next|more|also|this next)|up next|(?:keep|continue) reading|(?:explore|discover) more",
  "from (?:our|the) (?:blog|partners)|sponsored|advertisement|about the authors?$|written by$",
  "leave a (?:comment|reply)|share this|subscribe to|sign up (?:for|to)|newsletter|follow us",
  "stay (?:connected|updated|informed|in (?:touch|the loop))|get (?:the latest|updates|in touch)",
  "table of contents|in this (?:article|guide|post)$"
])

/** Matches headings that may also be about the subject: their sections are dropped only if they consist of links or a form. */
const perhaps = anyOf([
  "(?:related|recommended|recommendations|suggested|similar|trending|popular|latest|recent)\\b",
  "(?:\\d+ )?(?:comments?|responses|replies|reviews)(?: \\(?\\d+\\)?)?$",
  "join\\b|subscribe|sign up|contact us|ready to|privacy|cookies?\\b|customer reviews?"
])

const [maxHeading, maxLabel] = [80, 60]
const labelClass = /(?:^|[\s_-])(?:title|heading|headline|header)(?=$|[\s_-])/i

/** Text of a heading, or of a short element whose class marks it as one. */
const headingOf = (element: Element): string => {
  if (element.text === 0 || element.text >= maxHeading) return ""
  const isLabelled =
    element.text <= maxLabel &&
    element.name !== "a" &&
    element.name !== "li" &&
    labelClass.test(element.attributes.class ?? "")
  return rankOf(element) > 0 || isLabelled ? startOf(element, 2 * maxHeading) : ""
}

const holds = (element: Element, test: (element: Element) => boolean): boolean =>
  test(element) || element.children.some((child) => isElement(child) && !child.dropped && holds(child, test))

const isLinksOrForm = (element: Element): boolean =>
  linkShare(element) > 0.5 || holds(element, ({ name }) => name === "form")

/** Maximum characters of text before an element that still counts as the beginning of its section. */
const maxBefore = 5

const follows = (element: Element, parent: Element): boolean => {
  let before = 0
  for (const child of parent.children) {
    if (child === element) return false
    before += isElement(child) ? (child.dropped ? 0 : child.text) : trimmedLength(child)
    if (before > maxBefore) return true
  }
  return false
}

const roots = new Set(["body", "html", "main", "article", "#root"])

/** The largest box that begins with the heading, contains no other heading of its rank, and is a small part of the page. */
const sectionOf = (heading: Element, most: number): Element => {
  const isTitle = (element: Element): boolean => rankOf(element) > 0 && rankOf(element) <= (rankOf(heading) || 7)
  let section = heading
  for (let around = heading.parent; around !== undefined; around = around.parent) {
    const inner = section
    if (roots.has(around.name) || around.text > most || follows(inner, around)) return section
    if (around.children.some((child) => isElement(child) && !child.dropped && child !== inner && holds(child, isTitle)))
      return section
    section = around
  }
  return section
}

const bodies = new Set(["ul", "ol", "div", "section", "form"])

/** Maximum share of the content in dropped sections, and maximum number of sections examined. */
const [maxShare, maxSections] = [0.4, 50]

/** Number of sections and characters that may still be dropped. */
interface Room {
  sections: number
  text: number
}

/** The section of a heading: the box around it, or the heading and the box after it. */
const sectionFrom = (
  heading: Element,
  siblings: ReadonlyArray<Element | string>,
  room: Room
): ReadonlyArray<Element> => {
  const section = sectionOf(heading, room.text)
  if (section !== heading) return [section]
  const next = siblings
    .slice(siblings.indexOf(heading) + 1)
    .find((each): each is Element => isElement(each) && !each.dropped && each.text > 0)
  return next !== undefined && bodies.has(next.name) && next.text < room.text ? [heading, next] : [heading]
}

const dropSections = (siblings: ReadonlyArray<Element | string>, room: Room): void => {
  for (const child of siblings) {
    if (!isElement(child) || child.dropped || room.sections === 0) continue
    const heading = headingOf(child)
    const isSure = heading !== "" && elsewhere.test(heading)
    if (!isSure && (heading === "" || !perhaps.test(heading))) {
      dropSections(child.children, room)
      continue
    }
    room.sections--
    const section = sectionFrom(child, siblings, room)
    if (!isSure && !section.some((part) => part !== child && isLinksOrForm(part))) continue
    for (const part of section) {
      part.dropped = true
      room.text -= part.text
    }
  }
}

/**
 * Boxes of `minRepeat` to `maxRepeat` characters are compared with each other. `maxCompared` limits the characters read for this in total,
 * because the text of nested boxes is read again for each box.
 */
const [minRepeat, maxRepeat, maxCompared] = [140, 4_000, 3_000_000]

/** True for a box of several blocks: a single paragraph may be repeated on purpose. */
const isBox = ({ children }: Element): boolean => {
  const blocks = children.filter(
    (child) => isElement(child) && !child.dropped && child.layout === "block" && child.text > 0
  )
  return blocks.length > 1 || (blocks.length === 1 && isBox(blocks[0] as Element))
}

/** Earlier boxes that have one number of characters. Their texts are read only when another box has the same number. */
interface Alike {
  readonly unread: Array<Element>
  /** Texts of the boxes that have been read already. */
  readonly texts: Set<string>
}

/** Finds boxes that repeat an earlier box, such as copies for small screens. Reads only boxes with the same number of characters. */
class Repeats {
  readonly found: Array<Element> = []
  /** Earlier boxes by number of characters. */
  readonly #seen = new Map<number, Alike>()
  readonly #texts = new Map<Element, string>()
  #left = maxCompared

  /** `around`: the parent box of the element; it may have the same text, if the element is all that it contains. */
  findIn(element: Element, around?: Element): void {
    for (const child of element.children) {
      if (!isElement(child) || child.dropped || child.layout !== "block") continue
      if (child.name === "pre" || child.name === "table" || child.text < minRepeat || this.#left <= 0) continue
      if (child.text > maxRepeat) this.findIn(child)
      else if (this.#isRepeat(child, around)) this.found.push(child)
      else this.findIn(child, child)
    }
  }

  #isRepeat(box: Element, around: Element | undefined): boolean {
    const alike = this.#seen.get(box.text)
    if (alike === undefined) {
      this.#seen.set(box.text, { unread: [box], texts: new Set() })
      return false
    }
    const { texts, unread } = alike
    if (texts.size === 0 && unread.length === 1 && unread[0] === around) {
      unread.push(box)
      return false
    }
    for (const other of unread.splice(0)) texts.add(this.#textOf(other))
    const text = this.#textOf(box)
    const isInside = around !== undefined && around.text === box.text && this.#textOf(around) === text
    if (!isInside && texts.has(text) && isBox(box)) return true
    texts.add(text)
    return false
  }

  #textOf(box: Element): string {
    const known = this.#texts.get(box)
    if (known !== undefined) return known
    const text = startOf(box, 2 * maxRepeat)
    this.#left -= text.length
    this.#texts.set(box, text)
    return text
  }
}

/** Drops sections about other pages and repeated boxes from parts of a page. The parts must have been measured. */
export const dropSecondary = (parts: ReadonlyArray<Element>): void => {
  const room = { sections: maxSections, text: maxShare * totalText(parts) }
  dropSections(parts, room)
  const repeats = new Repeats()
  for (const part of parts) if (!part.dropped) repeats.findIn(part)
  for (const box of repeats.found) box.dropped = true
}
