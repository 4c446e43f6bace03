/** Discussion pages: removes the parts that each post repeats around its text. */

import { type Element, isElement, rankOf, squeeze, startOf, tagTest, totalText } from "./Element.ts"
import { linkedDataHas } from "./LinkedData.ts"
import { nameTest } from "./Names.ts"
import type { Tree } from "./Tree.ts"

const discussionType = /\bDiscussionForumPosting\b/

const hasDiscussionType = tagTest(
  ({ attributes: { itemtype } }) => itemtype !== undefined && discussionType.test(itemtype)
)

/** True if JSON-LD or microdata declares the page to be a discussion. */
export const isDiscussion = (tree: Tree): boolean =>
  linkedDataHas(tree, discussionType) || tree.tags.some(hasDiscussionType)

/** True if the class or id of an element matches. */
const isNamed = (pattern: RegExp) => {
  const names = nameTest(pattern)
  return tagTest((tag) => names(tag))
}

const isPost = isNamed(/(?:^|[\s_-])(?:c?post|message|reply|answer|comment|topic-?post|block-?post)(?=$|[\s_-]|\d)/i)

/** Siblings whose class or id is that of posts: the group with the most text. Returns `found` if no group has more text. */
const postsIn = (parent: Element, found: ReadonlyArray<Element> = []): ReadonlyArray<Element> => {
  let byTag: Map<string, Array<Element>> | undefined
  let posts = found
  for (const child of parent.children) {
    if (!isElement(child) || child.dropped || child.text === 0) continue
    if (isPost(child)) {
      byTag ??= new Map()
      const same = byTag.get(child.name)
      if (same === undefined) byTag.set(child.name, [child])
      else same.push(child)
    }
    posts = postsIn(child, posts)
  }
  if (byTag === undefined) return posts
  for (const same of byTag.values()) if (same.length > 1 && totalText(same) > totalText(posts)) posts = same
  return posts
}

/** Minimum share of the content that the posts of a discussion make up. */
const minThread = 0.2

/** Characters of the description to search for, and characters of the content to search. */
const [openingLength, maxOpening] = [50, 20_000]

/** Beginning of the page's description, which is often the beginning of the first post. */
const openingOf = ({ metas }: Tree): string => {
  const meta = metas.find(({ attributes }) =>
    /^(?:og:)?description$/i.test(attributes.property ?? attributes.name ?? "")
  )
  return squeeze(meta?.attributes.content ?? "").slice(0, openingLength)
}

const titleIn = (element: Element, around: Element): Element | undefined => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped || child === around) continue
    const found = child.name === "h1" && child.text > 0 ? child : titleIn(child, around)
    if (found !== undefined) return found
  }
  return undefined
}

/** Narrows the content of a discussion to its title and the element around its posts, unless the first post is outside. */
export const threadIn = (tree: Tree, parts: ReadonlyArray<Element>): ReadonlyArray<Element> => {
  const posts = parts.reduce<ReadonlyArray<Element>>((found, part) => postsIn(part, found), [])
  const parent = posts[0]?.parent
  if (parent === undefined || posts.length < 2 || totalText(posts) < minThread * totalText(parts)) return parts
  const opening = openingOf(tree)
  const holdsOpening = (element: Element) => startOf(element, maxOpening).includes(opening)
  if (!holdsOpening(parent) && parts.some(holdsOpening)) return parts
  const title = parts.map((part) => titleIn(part, parent)).find((found) => found !== undefined)
  return title === undefined ? [parent] : [title, parent]
}

/** True for the author, signature, reactions and controls of a post. */
const isAccessory = isNamed(
  /(?:^|[\s_-])(?:(?:user|author|member|poster)[_-]*(?:info|details|extras|pane|profile|title|stats)|(?:post|message)[_-]*(?:cell[_-]*)?(?:user|author|left|footer|controls|options|buttons|menu|actions|number|signature)|post[_-]*meta|profile|byline|signature|sig|avatar|likes?|reactions?(?:[_-]*score)?|last-?edited|edited|permalink)(?=$|[\s_-])/i
)

/** True for the text of a post. */
const isPostBody = isNamed(/(?:^|[\s_-])(?:post|message|comment|entry)[_-]?(?:body|content|text)(?=$|[\s_-]|\d)/i)

/** Collects the elements around post bodies: they are kept even if their names are those of accessories. */
const aroundBodies = (element: Element, found: Set<Element>): boolean => {
  let holds = false
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    if (aroundBodies(child, found) || isPostBody(child)) holds = true
  }
  if (holds) found.add(element)
  return holds
}

const dropAccessories = (element: Element, most: number, around: ReadonlySet<Element>): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped || child.text === 0) continue
    if (child.text < most && isAccessory(child) && !around.has(child)) child.dropped = true
    else dropAccessories(child, most, around)
  }
}

const interactive = new Set(["a", "button", "label", "summary"])
const literal = new Set(["pre", "table", "code"])

/** Maximum characters of a label such as "Reply", and how often it must repeat to be dropped. */
const [maxLabel, minSame] = [60, 3]

/** Characters inside links, buttons and other controls. */
const interactiveText = (element: Element): number =>
  element.children.reduce((sum, child) => {
    if (!isElement(child) || child.dropped) return sum
    return sum + (interactive.has(child.name) ? child.text : interactiveText(child))
  }, 0)

/** True for a heading, and for a link or button that is not part of a sentence. */
const isLabel = (element: Element): boolean => {
  if (element.text > maxLabel) return false
  if (rankOf(element) > 0) return true
  if (!interactive.has(element.name)) return false
  let around = element.parent
  while (around !== undefined && around.layout !== "block") around = around.parent
  return around !== undefined && around.text <= interactiveText(around) + around.children.length
}

/** Drops labels that repeat in elements of the same kind. */
const dropLabels = (parts: ReadonlyArray<Element>): void => {
  const kinds = new Map<string, Array<Element>>()
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (!isElement(child) || child.dropped || child.text === 0 || literal.has(child.name)) continue
      if (isLabel(child)) {
        const key = `${child.name} ${child.attributes.class ?? ""} ${startOf(child, 3 * maxLabel)}`
        const same = kinds.get(key)
        if (same === undefined) kinds.set(key, [child])
        else same.push(child)
      }
      visit(child)
    }
  }
  for (const part of parts) visit(part)
  for (const same of kinds.values()) {
    if (same.length >= minSame) for (const element of same) element.dropped = true
  }
}

/** Minimum characters of a quotation that is looked up, and maximum characters of the discussion that are searched. */
const [minQuoted, maxSearched] = [30, 300_000]
/** Maximum characters searched in all: for each quotation, the text of the posts before it. */
const maxLookedUp = 30_000_000

/** The longest piece of text inside. */
const longestText = ({ children }: Element): string => {
  let longest = ""
  for (const child of children) {
    const text = isElement(child) ? longestText(child) : squeeze(child)
    if (text.length > longest.length) longest = text
  }
  return longest
}

/** Drops quotations of earlier posts. */
const dropRepeatedQuotes = (parts: ReadonlyArray<Element>): void => {
  let [said, left] = ["", maxLookedUp]
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (!isElement(child)) {
        if (said.length < maxSearched) said += ` ${squeeze(child)}`
      } else if (child.dropped || child.layout === "unseen") continue
      else if (child.name === "blockquote") {
        const quoted = longestText(child)
        left -= said.length
        if (left > 0 && quoted.length >= minQuoted && said.includes(quoted)) child.dropped = true
      } else visit(child)
    }
  }
  for (const part of parts) visit(part)
}

/** Shares of the content: the minimum for the posts of a discussion, the maximum for an accessory. */
const [minPosts, maxAccessory] = [0.5, 0.2]

/** If the measured parts of a page are a discussion, keeps only the texts of the posts. */
export const keepPosts = (tree: Tree, parts: ReadonlyArray<Element>): void => {
  if (!tree.tags.some(isPost)) return
  const total = totalText(parts)
  const posts = parts.reduce((sum, part) => sum + totalText(postsIn(part)), 0)
  if (posts <= minPosts * total) return
  dropLabels(parts)
  dropRepeatedQuotes(parts)
  const around = new Set<Element>()
  for (const part of parts) {
    aroundBodies(part, around)
    dropAccessories(part, maxAccessory * total, around)
  }
}
