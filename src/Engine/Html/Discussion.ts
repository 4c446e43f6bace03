/** Pages whose content is a discussion: drops what each post repeats around its text. */
import { type Element, isElement, startOf, totalText } from "./Tree.ts"

const labelOf = ({ attributes }: Element): string => `${attributes.class ?? ""} ${attributes.id ?? ""}`

const postName = /(?:^|[\s_-])(?:c?post|message|reply|answer|comment|topic-?post|block-?post)(?=$|[\s_-]|\d)/i

/** The siblings named as posts that have the most text. */
const postsIn = (element: Element): ReadonlyArray<Element> => {
  let posts: ReadonlyArray<Element> = []
  const visit = (parent: Element): void => {
    const byTag = new Map<string, Array<Element>>()
    for (const child of parent.children) {
      if (!isElement(child) || child.dropped || child.text === 0) continue
      if (postName.test(labelOf(child))) {
        const same = byTag.get(child.name)
        if (same === undefined) byTag.set(child.name, [child])
        else same.push(child)
      }
      visit(child)
    }
    for (const same of byTag.values()) if (same.length > 1 && totalText(same) > totalText(posts)) posts = same
  }
  visit(element)
  return posts
}

/** Authors, signatures, reactions and tools of posts. */
const accessory =
  /(?:^|[\s_-])(?:(?:post-?|user-?|message-?|member-?|author-?|poster-?)?(?:profile|user-?info|user-?details|user-?extras|author-?pane|author-?info|signature|avatar)|post-?left|message-(?:cell-+)?user(?:Details|Extras)?|sig|reactions?|reaction-?score|last-?edited|post-?edit|edited|permalink|post-?(?:meta|footer|controls|options|buttons|menu|actions|number)|member-?(?:info|title|stats))(?=$|[\s_-])/i

const dropAccessories = (element: Element, most: number): void => {
  for (const child of element.children) {
    if (!isElement(child) || child.dropped || child.text === 0) continue
    if (child.text < most && accessory.test(labelOf(child))) child.dropped = true
    else dropAccessories(child, most)
  }
}

const interactive = new Set(["a", "button", "label", "summary"])
const literal = new Set(["pre", "table", "code"])

/** Most characters of a label such as "Reply", and elements of one kind that must repeat it. */
const [maxLabel, minSame] = [60, 3]

/** Characters of an element that lie in links, buttons and the like. */
const interactiveText = (element: Element): number =>
  element.children.reduce((sum, child) => {
    if (!isElement(child) || child.dropped) return sum
    return sum + (interactive.has(child.name) ? child.text : interactiveText(child))
  }, 0)

/** True for a heading, and for a link or button that is not part of a sentence. */
const isLabel = (element: Element): boolean => {
  if (element.text > maxLabel) return false
  if (/^h[1-6]$/.test(element.name)) return true
  if (!interactive.has(element.name)) return false
  let around = element.parent
  while (around !== undefined && around.layout !== "block") around = around.parent
  return around !== undefined && around.text <= interactiveText(around) + around.children.length
}

/** Drops labels that elements of one kind have again and again. */
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

/** Shares of the content: posts have at least so much of a discussion, an accessory at most so much. */
const [minPosts, maxAccessory] = [0.5, 0.2]

/** Keeps the texts of the posts, if the measured parts of a page are a discussion. */
export const keepPosts = (parts: ReadonlyArray<Element>): void => {
  const total = totalText(parts)
  const posts = parts.reduce((sum, part) => sum + totalText(postsIn(part)), 0)
  if (posts <= minPosts * total) return
  dropLabels(parts)
  for (const part of parts) dropAccessories(part, maxAccessory * total)
}
