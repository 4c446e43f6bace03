/** Text around the content that belongs to the page rather than to its subject: boxes above the title, links and authors below the last paragraph. */

import { type Element, isElement, totalText, trimmedLength } from "./Element.ts"
import { linkedDataHas } from "./LinkedData.ts"
import { nameTest } from "./Names.ts"
import type { Tree } from "./Tree.ts"

const isShown = (child: Element | string): child is Element =>
  isElement(child) && !child.dropped && child.layout !== "unseen"

/** Characters outside of links that the element itself shows, without the blocks in it. */
const ownProse = ({ children }: Element): number =>
  children.reduce((sum, child) => {
    if (!isElement(child)) return sum + trimmedLength(child)
    return isShown(child) && child.layout === "inline" && child.name !== "a" ? sum + child.text - child.linked : sum
  }, 0)

const holdsProse = (element: Element, least: number): boolean =>
  ownProse(element) >= least ||
  element.children.some((child) => isShown(child) && child.layout === "block" && holdsProse(child, least))

/** Characters of prose that make a box content although it stands above the title, and share of the content that such boxes have. */
const [minLead, maxAbove] = [100, 0.3]

const isTitle = ({ name, text }: Element): boolean => name === "h1" && text > 0

const titleIn = (element: Element): Element | undefined => {
  if (isTitle(element)) return element
  for (const child of element.children) {
    const found = isShown(child) ? titleIn(child) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Drops everything with text and without an image. True if the element has an image. */
const dropText = (element: Element): boolean => {
  let holdsImage = element.name === "img"
  for (const child of element.children) if (isShown(child) && dropText(child)) holdsImage = true
  if (!holdsImage && element.text > 0) element.dropped = true
  return holdsImage
}

/** The elements that come before another one in the parts. */
const elementsBefore = (element: Element, parts: ReadonlyArray<Element>, part: Element): ReadonlyArray<Element> => {
  const before = parts.slice(0, parts.indexOf(part))
  for (let inner = element; inner !== part && inner.parent !== undefined; inner = inner.parent) {
    for (const child of inner.parent.children) {
      if (child === inner) break
      if (isShown(child) && child.text > 0) before.push(child)
    }
  }
  return before
}

/** Drops breadcrumbs, prices in other currencies, log-in lines and the like above the title. Images stay. */
export const dropAboveTitle = (parts: ReadonlyArray<Element>): void => {
  for (const part of parts) {
    const title = titleIn(part)
    if (title === undefined) continue
    const above = elementsBefore(title, parts, part)
    if (totalText(above) > maxAbove * totalText(parts)) return
    for (const box of above) if (!holdsProse(box, minLead)) dropText(box)
    return
  }
}

/** Names of the box that has the text of an article. */
const namesText = nameTest(
  /(?:^|[\s_-])(?:article|post|entry|story|blog|news|main)[-_]*(?:body|content|text|copy)(?=$|[\s_-])/i
)

const isText = ({ attributes, tag }: Element): boolean =>
  /\barticleBody\b/.test(attributes.itemprop ?? "") || namesText(tag)

/** Share of the prose of a page that the box with its text has at least. */
const minBody = Number(process.env.MINBODY ?? 0.5)

/** The smallest or largest? named box with most of the prose. */
const bodyIn = (element: Element, least: number): Element | undefined => {
  for (const child of element.children) {
    if (!isShown(child) || child.text - child.linked < least) continue
    const inner = process.env.DEEP ? bodyIn(child, least) : undefined
    return inner ?? (isText(child) ? child : bodyIn(child, least))
  }
  return undefined
}

/** Drops what is around the text of an article, where the page names the box that has it: lines about its author and date above, other articles below. */
export const dropAroundText = (parts: ReadonlyArray<Element>): void => {
  const prose = countsOf(parts)
  const least = minBody * (prose.text - prose.linked)
  for (const part of parts) {
    const body = isText(part) && part.text - part.linked >= least ? part : bodyIn(part, least)
    if (body === undefined) continue
    for (const box of elementsBefore(body, parts, part))
      if (!(box.name === "h1" || titleIn(box) !== undefined || holdsProse(box, minLead))) dropText(box)
    for (let inner = body; inner !== part && inner.parent !== undefined; inner = inner.parent) {
      const { children } = inner.parent
      for (const child of children.slice(children.indexOf(inner) + 1)) if (isShown(child)) child.dropped = true
    }
    for (const after of parts.slice(parts.indexOf(part) + 1)) after.dropped = true
    return
  }
}

/** Drops the captions of pictures. */
export const dropCaptions = (elements: ReadonlyArray<Element | string>): void => {
  for (const child of elements) {
    if (!isElement(child) || child.dropped) continue
    if (child.name === "figcaption") child.dropped = true
    else dropCaptions(child.children)
  }
}

/** An `article`, and its characters outside of links and of articles in it. */
interface Story {
  readonly element: Element
  own: number
}

/** All articles inside, in order. */
const storiesIn = (element: Element, around: Story | undefined, found: Array<Story>): ReadonlyArray<Story> => {
  let story = around
  if (element.name === "article") {
    const own = element.text - element.linked
    story = { element, own }
    found.push(story)
    if (around !== undefined) around.own -= own
  }
  for (const child of element.children) if (isShown(child) && child.text > 0) storiesIn(child, story, found)
  return found
}

/** Characters of prose of the article that a page is about, and how many times those of any other one it has. */
const [minStory, minTimes] = [500, Number(process.env.RAT ?? 1.5)]

/** Drops the articles that follow the one that a page is about: introductions of other pages. */
export const dropOtherArticles = (parts: ReadonlyArray<Element>): void => {
  const stories = parts.flatMap((part) => storiesIn(part, undefined, []))
  const [first, ...others] = stories.slice(Math.max(0, stories.findIndex(({ own }) => own >= minStory)))
  if (first === undefined || others.some(({ own }) => own * minTimes > first.own)) return
  for (const { element } of others) element.dropped = true
}

const declares = (tree: Tree, openGraph: RegExp, linkedData: RegExp): boolean =>
  tree.metas.some(({ attributes }) => attributes.property === "og:type" && openGraph.test(attributes.content ?? "")) ||
  linkedDataHas(tree, linkedData)

/** True if the page says in JSON-LD or Open Graph that it shows a product. */
export const isProductPage = (tree: Tree): boolean => declares(tree, /product/i, /"Product(?:Group)?"/)

/** True if the page says in JSON-LD or Open Graph that it is one article or product. */
export const hasOneSubject = (tree: Tree): boolean =>
  declares(tree, /article|blog|product/i, /"(?:\w*Article|BlogPosting|Report|Product)"/)

/** Characters of a paragraph, of the prose of a page that has a last paragraph, and share of its text that is prose. */
const [minParagraph, minProse, minProseShare] = [140, 1_000, 0.6]

/** Share of links above which a box below the last paragraph leads elsewhere. */
const maxLinks = 0.3

/** Boxes about the author, which may be longer than a paragraph: their names, most characters and most of the content. */
const namesAuthor = nameTest(/(?:^|[\s_-])(?:authors?|bio|byline|contributors?|writer)(?=$|[\s_-])/i)
const [maxAuthor, maxAuthorShare] = [2_000, 0.3]

const isAboutAuthor = ({ tag, text }: Element, total: number): boolean =>
  text < Math.min(maxAuthor, maxAuthorShare * total) && namesAuthor(tag)

/** Characters of text, and how many of them are in links. A link counts as a whole. */
interface Counts {
  text: number
  linked: number
}

const addCounts = (element: Element, counts: Counts, inLink: boolean): void => {
  for (const child of element.children) {
    if (isShown(child)) addCounts(child, counts, inLink || child.name === "a")
    else if (!isElement(child)) {
      const length = trimmedLength(child)
      counts.text += length
      if (inLink) counts.linked += length
    }
  }
}

const countsOf = (elements: ReadonlyArray<Element>): Counts => {
  const counts = { text: 0, linked: 0 }
  for (const element of elements) if (!element.dropped) addCounts(element, counts, false)
  return counts
}

const literal = new Set(["table", "pre", "dl"])

/** Collects boxes of links, from the end of the children on. True once the last paragraph has been reached. */
const collectFromEnd = (children: ReadonlyArray<Element | string>, total: number, dropped: Array<Element>): boolean => {
  for (const child of children.toReversed()) {
    if (!isElement(child)) {
      if (trimmedLength(child) >= minParagraph) return true
      continue
    }
    if (!isShown(child) || child.text === 0) continue
    if (isAboutAuthor(child, total)) dropped.push(child)
    else if (literal.has(child.name)) return true
    else if (child.layout === "inline") {
      if (child.text - child.linked >= minParagraph) return true
    } else if (ownProse(child) >= minParagraph || collectFromEnd(child.children, total, dropped)) return true
    else {
      const { linked, text } = countsOf([child])
      if (linked > maxLinks * text) dropped.push(child)
    }
  }
  return false
}

/** Drops boxes of links, and those about the author, below the last paragraph of a page that is mostly prose. */
export const dropBelowText = (parts: ReadonlyArray<Element>): void => {
  const { linked, text } = countsOf(parts)
  const prose = text - linked
  if (prose < minProse || prose < minProseShare * text) return
  const dropped: Array<Element> = []
  if (collectFromEnd(parts, text, dropped)) for (const element of dropped) element.dropped = true
}
