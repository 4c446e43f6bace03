/** Text around the content that belongs to the page rather than to its subject: boxes above the title, other articles, captions, links and authors below the last paragraph. */

import { type Element, isElement, rankOf, squeeze, startOf, textOf, totalText, trimmedLength } from "./Element.ts"
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

const isNamedText = ({ attributes, tag }: Element): boolean =>
  /\barticleBody\b/.test(attributes.itemprop ?? "") || namesText(tag)

const proseOf = ({ linked, text }: Element): number => text - linked

/** The first outermost element with so much prose that is named as the text of an article. */
const namedText = (element: Element, least: number): Element | undefined => {
  if (!isShown(element) || proseOf(element) < least) return undefined
  if (isNamedText(element)) return element
  for (const child of element.children) {
    const found = isElement(child) ? namedText(child, least) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The elements that come after another one in the parts. */
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

/** Share of the prose of the content that the named text has at least. */
const minNamed = 0.5

/**
 * Drops boxes of links and about the author around the named text of an article, and its author and date before it. A page that names several
 * texts keeps what is around them.
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

/** An `article`, and its characters outside of links and of articles in it. */
interface Story {
  readonly element: Element
  own: number
}

/** The article that the element is, and all inside, in order. */
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

/** Characters of prose of the article that a page is about; of others, at most: they introduce other pages. */
const [minStory, maxTeaser] = [500, 400]

/** Characters of all others, as a share of those of that article, where they are no parts of one text. */
const minTimes = 1.5

/** True if the first heading of the element, or most of its text, is a link. */
const isTeaser = (element: Element): boolean => {
  const heading = headingIn(element)
  return heading === undefined ? leadsElsewhere(element) : heading.linked * 2 > heading.text
}

const headingIn = (element: Element): Element | undefined => {
  if (rankOf(element) > 0) return element
  for (const child of element.children) {
    const found = isShown(child) ? headingIn(child) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Most characters of a page's title that are compared, and fewest of a heading in it that names the page. */
const [maxTitle, minTitle] = [400, 12]

const comparable = (text: string): string => squeeze(text.slice(0, maxTitle)).toLowerCase()

/** True if the first heading of the element is in a title of the page. */
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

/** Drops the teasers of other articles that follow the article that the page is about. */
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

/** Classes of lines about an article or a picture in it, and the most characters of such a line and of a caption. */
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

/** Share of the text that captions have at most: in an essay of pictures they are the text. */
const maxCaptions = 0.3

/** Drops the captions of images. */
const dropCaptions = (parts: ReadonlyArray<Element>): void => {
  /** Whether an element is an image with its captions; it may have any number of them. */
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

/** Drops lines with the author, the date and the like. Images stay. */
const dropNotes = (children: ReadonlyArray<Element | string>): void => {
  for (const child of children) {
    if (!isElement(child) || child.dropped) continue
    if (isNote(child)) dropText(child)
    else dropNotes(child.children)
  }
}

/** Drops what is no text of the article that a page is. */
export const keepArticle = (parts: ReadonlyArray<Element>, tree: Tree): void => {
  dropAroundText(parts)
  dropOtherArticles(parts, tree)
  dropCaptions(parts)
  dropNotes(parts)
}

const declares = (tree: Tree, openGraph: RegExp, linkedData: RegExp): boolean =>
  tree.metas.some(({ attributes }) => attributes.property === "og:type" && openGraph.test(attributes.content ?? "")) ||
  linkedDataHas(tree, linkedData)

/** True if the page says in JSON-LD or Open Graph that it shows a product. */
export const isProductPage = (tree: Tree): boolean => declares(tree, /product/i, /"Product(?:Group)?"/)

/** True if the page says in JSON-LD or Open Graph that it is one article or product. */
export const hasOneSubject = (tree: Tree): boolean =>
  declares(tree, /article|blog|product/i, /"(?:\w*Article|BlogPosting|Report|Product)"/)

/** True if the page says that it is one article, and not a list of texts of equal weight. */
export const isArticlePage = (tree: Tree): boolean =>
  declares(tree, /^article$/i, /"(?:\w*Article|BlogPosting|Report)"/) &&
  !linkedDataHas(tree, /"(?:LiveBlogPosting|QAPage|FAQPage|Recipe|Event|CollectionPage|Blog)"/)

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
