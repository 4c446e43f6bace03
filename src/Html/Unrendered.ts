/** Finds content that a page contains but shows only once its scripts have run: streamed parts, tabs, `<noscript>`, script data. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { hides, isBoilerplate, isHidden } from "./Boilerplate.ts"
import { append, countText, type Element, isElement, makeElement, squeeze, textOf } from "./Element.ts"
import { linkedDataWith } from "./LinkedData.ts"
import { toText } from "./Serialize.ts"
import { noAttributes } from "./Tokenizer.ts"
import { parseTree, type Tree } from "./Tree.ts"

/** True for elements that are visible before scripts have run. */
const isVisible = (element: Element): boolean => element.layout !== "unseen" && !isHidden(element)

/** True for elements whose text can be made visible, including `<noscript>`. */
const isShowable = ({ layout, name }: Element): boolean => layout !== "unseen" || name === "noscript"

/** The outermost hidden elements. */
const hiddenIn = (element: Element, found: Array<Element>): ReadonlyArray<Element> => {
  for (const child of element.children) {
    if (!isElement(child)) continue
    if (child.name === "noscript" || (child.layout !== "unseen" && isHidden(child))) found.push(child)
    else if (child.layout !== "unseen") hiddenIn(child, found)
  }
  return found
}

/** Ids of parts that React streams: a script moves each part to its place. */
const streamed = /^S:[0-9a-f]+$/

const isOpenable = ({ attributes }: Element): boolean =>
  attributes.role === "tabpanel" || streamed.test(attributes.id ?? "")

/** Minimum characters of a hidden element that counts as content. A page with at most `minVisible` visible ones shows almost nothing. */
const [minHidden, minVisible] = [250, 600]

/** Marks a hidden element as shown, unless it is boilerplate such as a consent dialog. */
const show = (element: Element): void => {
  element.revealed = true
  if (isBoilerplate(element)) element.revealed = false
  else element.layout = "block"
}

/** Minimum number of similar elements that form a list of collapsed answers, and minimum characters of each. */
const [minFolded, minAnswer] = [3, 60]

const isOutsideLinks = (element: Element): boolean => element.name !== "a" && isShowable(element)

/**
 * Collapsed answers and the like: at least `minFolded` hidden elements with the same tag and class, each after something visible, and
 * mostly prose.
 */
const foldedIn = (hidden: ReadonlyArray<Element>): ReadonlyArray<Element> => {
  const kinds = new Map<string, Array<Element>>()
  for (const element of hidden) {
    const { attributes, name, parent } = element
    const isFirst = parent?.children.find(isElement) === element
    if (name === "noscript" || isFirst || isInMargin(element) || isBoilerplate({ ...element, revealed: true })) continue
    const prose = countText(element, isOutsideLinks)
    if (prose < minAnswer || prose < 0.7 * countText(element, isShowable)) continue
    const kind = `${name} ${attributes.class ?? ""}`
    const same = kinds.get(kind)
    if (same === undefined) kinds.set(kind, [element])
    else same.push(element)
  }
  return [...kinds.values()].flatMap((same) => (same.length < minFolded ? [] : same))
}

const margins = new Set(["nav", "aside", "footer", "header", "dialog"])

const isInMargin = (element: Element): boolean => {
  for (let around = element.parent; around !== undefined; around = around.parent)
    if (margins.has(around.name)) return true
  return false
}

/**
 * Shows streamed parts, tabs and collapsed answers. If the page shows almost nothing, also other hidden elements with more than twice its
 * visible text.
 */
export const reveal = (tree: Tree, body: Element): void => {
  if (!tree.tags.some((tagged) => tagged.tag.name === "noscript" || hides(tagged))) return
  const hidden = hiddenIn(body, [])
  for (const element of hidden.filter(isOpenable)) show(element)
  for (const element of foldedIn(hidden)) show(element)
  const visible = countText(body, isVisible, minVisible)
  if (visible > minVisible) return
  for (const element of hidden) {
    const length = countText(element, isShowable)
    if (!isOpenable(element) && length > minHidden && length > 2 * visible) show(element)
  }
}

/**
 * Texts between quotation marks. Every mark is tried as the end of one text and the start of the next, because in code its role is not
 * known.
 */
function* quoted(source: string): Iterable<string> {
  let start = source.indexOf('"')
  for (let end = start; end !== -1; ) {
    end = source.indexOf('"', end + 1)
    let escapes = end
    while (escapes > start + 1 && source[escapes - 1] === "\\") escapes--
    if (end === -1 || (end - escapes) % 2 === 1) continue
    if (end - start > minHidden) yield source.slice(start + 1, end)
    start = end
  }
}

const decode = (quotedText: string): string | undefined => {
  const value = Either.getOrUndefined(Either.try((): unknown => JSON.parse(`"${quotedText}"`)))
  return typeof value === "string" ? value : undefined
}

const sentenceEnd = /[.!?。！？]["”’)]?(?=\s|<|$)/g
const letter = /[\p{L}\s]/gu
const tag = /<[^<>]*>/g
const blockTag = /<(?:p|div|br|h[1-6]|li)\b/i

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Number of sentences in text; 0 for data or code. */
const sentencesOf = (text: string): number => {
  const plain = text.replace(tag, " ")
  return count(plain, letter) < 0.85 * plain.length ? 0 : count(plain, sentenceEnd)
}

/** Minimum sentences of an article, and maximum characters of a script that is searched. */
const [minSentences, maxScript] = [3, 2_000_000]

/** The prose in script data with the most sentences, as HTML or plain text; undefined if none is as long as an article. */
const proseInData = (tree: Tree): string | undefined => {
  let [prose, most]: [string | undefined, number] = [undefined, minSentences - 1]
  for (const { children, name } of tree.dated) {
    const [source] = children
    if (name !== "script" || typeof source !== "string" || source.length > maxScript) continue
    for (const text of quoted(source)) {
      const decoded = decode(text)
      const sentences = decoded === undefined ? 0 : sentencesOf(decoded)
      if (sentences > most) [prose, most] = [decoded, sentences]
    }
  }
  return prose
}

const paragraph = (text: string, parent: Element): Element => {
  const element = makeElement("p", noAttributes, parent)
  append(element, text)
  return element
}

/** If a page shows almost no text, adds the longest prose in its script data. True if text was added. */
export const addContentOfData = (tree: Tree, body: Element): boolean => {
  const visible = countText(body, isVisible, minVisible)
  if (visible > minVisible) return false
  const prose = proseInData(tree)
  if (prose === undefined || prose.length <= 3 * visible) return false
  const box = makeElement("div", noAttributes, body)
  if (blockTag.test(prose)) {
    const parsed = parseTree(prose)
    box.children = (parsed.body ?? parsed.root).children
    tree.tags.push(...parsed.tags)
    for (const child of box.children) if (isElement(child)) child.parent = box
  } else box.children = prose.split(/\n+/).map((line) => paragraph(line, box))
  append(body, box)
  return true
}

/** Items of a type in JSON-LD, at the top, in arrays and in `@graph`. */
const ofType = (value: unknown, type: string): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  if (Array.isArray(value)) return value.flatMap((each) => ofType(each, type))
  if (!Predicate.isRecord(value)) return []
  if ([value["@type"]].flat().includes(type)) return [value]
  return Array.isArray(value["@graph"]) ? ofType(value["@graph"], type) : []
}

/** Minimum characters of a product description to add, and maximum share of its words that the page already has. */
const [minDescription, maxShared] = [200, 0.5]
/** Maximum characters of the content that are searched. */
const maxSearched = 200_000

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []

/** The product description in JSON-LD, if the page is about one product and the parts do not contain the description. */
export const missingDescription = (tree: Tree, parts: ReadonlyArray<Element>): Element | undefined => {
  const products = ofType(linkedDataWith(tree, '"Product"'), "Product")
  const [product] = products
  if (product === undefined || products.length > 1 || typeof product.description !== "string") return undefined
  // Descriptions may be HTML, or HTML that is escaped once more.
  const unescaped = textOf(parseTree(product.description).root)
  const text = squeeze(/<\w/.test(unescaped) ? textOf(parseTree(unescaped).root) : unescaped)
  if (text.length < minDescription) return undefined
  const said = new Set(wordsOf(toText(parts).text.slice(0, maxSearched)))
  const words = [...new Set(wordsOf(text))]
  if (words.filter((word) => said.has(word)).length > maxShared * words.length) return undefined
  const box = makeElement("div", noAttributes, undefined)
  append(box, paragraph(text, box))
  return box
}
