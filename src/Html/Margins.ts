/** Removes text that is not about the page's subject: boxes above the title, other articles, captions, links below the text. */

import { type Element, isElement, rankOf, squeeze, startOf, textOf, totalText, trimmedLength } from "./Element.ts"
import { linkedDataHas } from "./LinkedData.ts"
import { nameTest } from "./Names.ts"
import type { Tree } from "./Tree.ts"

const isShown = (child: Element | string): child is Element =>
  isElement(child) && !child.dropped && child.layout !== "unseen"

/** Characters of the element's own text outside of links and of blocks inside it. */
const ownProse = ({ children }: Element): number =>
  children.reduce((sum, child) => {
    if (!isElement(child)) return sum + trimmedLength(child)
    return isShown(child) && child.layout === "inline" && child.name !== "a" ? sum + child.text - child.linked : sum
  }, 0)

const holdsProse = (element: Element, least: number): boolean =>
  ownProse(element) >= least ||
  element.children.some((child) => isShown(child) && child.layout === "block" && holdsProse(child, least))

/**
 * Minimum characters of prose for a box above the title to be content, and maximum share of the content that is dropped above the title.
 */
const [minLead, maxAbove] = [100, 0.3]

/** The first shown element that passes the test, in document order. */
const firstIn = (element: Element, test: (element: Element) => boolean): Element | undefined => {
  if (test(element)) return element
  for (const child of element.children) {
    const found = isShown(child) ? firstIn(child, test) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const titleIn = (element: Element): Element | undefined =>
  firstIn(element, ({ name, text }) => name === "h1" && text > 0)

/** Drops everything that has text but no image. True if the element contains an image. */
const dropText = (element: Element): boolean => {
  let holdsImage = element.name === "img"
  for (const child of element.children) if (isShown(child) && dropText(child)) holdsImage = true
  if (!holdsImage && element.text > 0) element.dropped = true
  return holdsImage
}

/** The outermost elements that come before an element, in its part and in earlier parts. */
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

/** Drops breadcrumbs, prices in other currencies, login links and the like above the title. Keeps images. */
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

/** Names given to the box with the text of an article. */
const namesText = nameTest(
  /(?:^|[\s_-])(?:article|post|entry|story|blog|news|main)[-_]*(?:body|content|text|copy)(?=$|[\s_-])/i
)

const isNamedText = ({ attributes, tag }: Element): boolean =>
  /\barticleBody\b/.test(attributes.itemprop ?? "") || namesText(tag)

const proseOf = ({ linked, text }: Element): number => text - linked

/** The first, outermost element with enough prose whose name says that it contains the article's text. */
const namedText = (element: Element, least: number): Element | undefined => {
  if (!isShown(element) || proseOf(element) < least) return undefined
  if (isNamedText(element)) return element
  for (const child of element.children) {
    const found = isElement(child) ? namedText(child, least) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The outermost elements that come after an element, in its part and in later parts. */
const elementsAfter = (element: Element, parts: ReadonlyArray<Element>, part: Element): ReadonlyArray<Element> => {
  const after = parts.slice(parts.indexOf(part) + 1)
  for (let inner = element; inner !== part && inner.parent !== undefined; inner = inner.parent) {
    const siblings = inner.parent.children
    for (let at = siblings.indexOf(inner) + 1; at < siblings.length; at++) {
      const sibling = siblings[at]
      if (sibling !== undefined && isShown(sibling) && sibling.text > 0) after.push(sibling)
    }
  }
  return after
}

const holds = (element: Element, test: (inner: Element) => boolean): boolean =>
  test(element) || element.children.some((child) => isShown(child) && holds(child, test))

const blocks = new Set(["table", "dl", "ul", "ol", "pre", "blockquote"])

const isBlock = (element: Element): boolean => blocks.has(element.name) || rankOf(element) > 0

const isText = (element: Element): boolean => element.name === "p" || isBlock(element)

const isImage = ({ name }: Element): boolean => name === "img" || name === "picture"

const isWithin = (element: Element, around: Element): boolean => {
  for (let each = element.parent; each !== undefined; each = each.parent) if (each === around) return true
  return false
}

const leadsElsewhere = (element: Element): boolean => {
  const { linked, text } = countsOf([element])
  return linked > maxLinks * text
}

/** Minimum share of the content's prose in an element named as the article's text. */
const minNamed = 0.5

/**
 * Drops what surrounds the named text of an article: boxes of links or about the author, and the author and date before it. If several
 * elements are named as text, nothing is dropped.
 */
const dropAroundText = (parts: ReadonlyArray<Element>): void => {
  const least = minNamed * parts.reduce((sum, part) => sum + proseOf(part), 0)
  for (const part of parts) {
    const named = namedText(part, least)
    if (named === undefined) continue
    const after = elementsAfter(named, parts, part)
    if (after.some((box) => holds(box, isNamedText))) return
    const total = totalText(parts)
    for (const box of elementsBefore(named, parts, part)) {
      const isShort = titleIn(box) === undefined && !holdsProse(box, minLead)
      if (isShort && (leadsElsewhere(box) || !holds(box, isText))) dropText(box)
    }
    for (const box of after)
      if (isAboutAuthor(box, total) || leadsElsewhere(box) || !holds(box, (inner) => isText(inner) || isImage(inner)))
        box.dropped = true
    return
  }
}

/** An `article` element, and its characters outside of links and of nested articles. */
interface Story {
  readonly element: Element
  own: number
}

/** All `article` elements in the element, including itself, in page order. */
const storiesIn = (element: Element, found: Array<Story> = [], around?: Story): ReadonlyArray<Story> => {
  let story = around
  if (element.name === "article") {
    story = { element, own: proseOf(element) }
    if (around !== undefined) around.own -= story.own
    found.push(story)
  }
  for (const child of element.children) if (isShown(child) && child.text > 0) storiesIn(child, found, story)
  return found
}

/** Minimum characters of prose in the main article, and maximum in a teaser, which introduces another page. */
const [minStory, maxTeaser] = [500, 400]

/** An article after the main one is dropped only if the main one has this many times its prose: otherwise they may be parts of one text. */
const minTimes = 1.5

/** True if the first heading of the element, or most of its text, is a link. */
const isTeaser = (element: Element): boolean => {
  const heading = headingIn(element)
  return heading === undefined ? leadsElsewhere(element) : heading.linked * 2 > heading.text
}

const headingIn = (element: Element): Element | undefined => firstIn(element, (each) => rankOf(each) > 0)

/** Characters of the page's title to compare, and minimum length of a heading that counts as the title. */
const [maxTitle, minTitle] = [400, 12]

const comparable = (text: string): string => squeeze(text.slice(0, maxTitle)).toLowerCase()

/** True if the first heading of the element occurs in the page's title. */
const hasPageTitle = (element: Element, { metas, titles }: Tree): boolean => {
  const heading = headingIn(element)
  const text = heading === undefined ? "" : comparable(startOf(heading, maxTitle))
  if (text.length < minTitle) return false
  const declared = metas.filter(({ attributes }) => attributes.property === "og:title")
  return (
    declared.some(({ attributes }) => comparable(attributes.content ?? "").includes(text)) ||
    titles.slice(0, 1).some((title) => comparable(textOf(title)).includes(text))
  )
}

/** Drops teasers of other articles after the main article. */
const dropOtherArticles = (parts: ReadonlyArray<Element>, tree: Tree): void => {
  const stories = parts.flatMap((part) => storiesIn(part))
  const [first, ...others] = stories.slice(stories.findIndex(({ own }) => own >= minStory))
  if (first === undefined || first.own < minStory) return
  const isTitled = titleIn(first.element) !== undefined || hasPageTitle(first.element, tree)
  for (const { element, own } of others) {
    const isInside = isWithin(element, first.element)
    if (isInside ? own <= maxTeaser && isTeaser(element) : isTitled && own * minTimes <= first.own)
      element.dropped = true
  }
}

/** Tests for classes of lines about an article or one of its pictures. `maxNote`: maximum characters of such a line. */
const namesNote = nameTest(
  /(?:^|[\s_-])(?:meta|byline|dateline|date|timestamp|published|author|credits?|captions?|copyright)(?=$|[\s_-])/i
)
const maxNote = 250

const isNote = (element: Element): boolean =>
  element.layout === "block" &&
  element.text > 0 &&
  element.text <= maxNote &&
  namesNote(element.tag, false) &&
  !holds(element, isBlock)

/** Maximum share of captions in the text: in a photo essay the captions are the text. */
const maxCaptions = 0.3

/** Drops the captions of images. */
const dropCaptions = (parts: ReadonlyArray<Element>): void => {
  /** For each examined element, whether it consists of an image with any number of captions. */
  const pictures = new Map<Element, boolean>()
  const isPicture = (element: Element): boolean => {
    const known = pictures.get(element) ?? (holds(element, isImage) && !holds(element, isBlock))
    pictures.set(element, known)
    return known
  }
  const captions: Array<Element> = []
  const collect = (element: Element): void => {
    if (element.name === "figcaption" && element.parent !== undefined && isPicture(element.parent))
      captions.push(element)
    else for (const child of element.children) if (isShown(child)) collect(child)
  }
  for (const part of parts) collect(part)
  if (totalText(captions) <= maxCaptions * totalText(parts)) for (const caption of captions) dropText(caption)
}

/** Drops lines with the author, the date and the like. Keeps images. */
const dropNotes = (children: ReadonlyArray<Element | string>): void => {
  for (const child of children) {
    if (!isElement(child) || child.dropped) continue
    if (isNote(child)) dropText(child)
    else dropNotes(child.children)
  }
}

/** Drops everything around the text of the main article: other articles, captions, and lines about the author and date. */
export const keepArticle = (parts: ReadonlyArray<Element>, tree: Tree): void => {
  dropAroundText(parts)
  dropOtherArticles(parts, tree)
  dropCaptions(parts)
  dropNotes(parts)
}

const declares = (tree: Tree, openGraph: RegExp, linkedData: RegExp): boolean =>
  tree.metas.some(({ attributes }) => attributes.property === "og:type" && openGraph.test(attributes.content ?? "")) ||
  linkedDataHas(tree, linkedData)

/** True if JSON-LD or Open Graph declares the page to be about a product. */
export const isProductPage = (tree: Tree): boolean => declares(tree, /product/i, /"Product(?:Group)?"/)

/** True if JSON-LD or Open Graph declares the page to be about one article or product. */
export const hasOneSubject = (tree: Tree): boolean =>
  declares(tree, /article|blog|product/i, /"(?:\w*Article|BlogPosting|Report|Product)"/)

/** True if the page declares itself to be one article, and is not a list of equally long texts. */
export const isArticlePage = (tree: Tree): boolean =>
  declares(tree, /^article$/i, /"(?:\w*Article|BlogPosting|Report)"/) &&
  !linkedDataHas(tree, /"(?:LiveBlogPosting|QAPage|FAQPage|Recipe|Event|CollectionPage|Blog)"/)

/** Minimum characters of the last paragraph. */
const minParagraph = 140

/** Boxes below the last paragraph are dropped only from pages with so many characters of prose, and such a share of prose in all text. */
const [minProse, minProseShare] = [1_000, 0.6]

/** Above this share of link text, a box below the last paragraph is about other pages. */
const maxLinks = 0.3

/** Tests for names of boxes about the author. A box shorter than `maxAuthor` and than `maxAuthorShare` of the content is dropped. */
const namesAuthor = nameTest(/(?:^|[\s_-])(?:authors?|bio|byline|contributors?|writer)(?=$|[\s_-])/i)
const [maxAuthor, maxAuthorShare] = [2_000, 0.3]

const isAboutAuthor = ({ tag, text }: Element, total: number): boolean =>
  text < Math.min(maxAuthor, maxAuthorShare * total) && namesAuthor(tag)

/** Characters of text, and of text in links. All text in a link counts as link text. */
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

/** Collects boxes of links and boxes about the author, starting at the end. True once it has reached the last paragraph. */
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

/** Drops boxes of links and boxes about the author below the last paragraph of a page that is mostly prose. */
export const dropBelowText = (parts: ReadonlyArray<Element>): void => {
  const { linked, text } = countsOf(parts)
  const prose = text - linked
  if (prose < minProse || prose < minProseShare * text) return
  const dropped: Array<Element> = []
  if (collectFromEnd(parts, text, dropped)) for (const element of dropped) element.dropped = true
}
