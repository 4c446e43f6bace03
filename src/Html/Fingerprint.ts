/**
 * Fingerprints of elements: describe what a field matched, so that the most similar element can be named after a redesign of the page.
 * Similarity only tells a person where to look; values are never read by it.
 */
import type { Fingerprint } from "../Api/PageData.ts"
import { type Element, isElement, squeeze } from "./Element.ts"
import { textStart } from "./FieldText.ts"
import { isLastingName } from "./LastingNames.ts"
import { struck } from "./Tags.ts"

/** Maximum attributes of a fingerprint, and characters of its parts. A fingerprint takes less than 2 kB in UTF-8. */
const [maxAttributes, maxName, maxValue, maxPath, maxBefore, maxSample] = [4, 24, 40, 120, 40, 60]

const cut = (text: string, most: number): string => {
  const clean = squeeze(text.slice(0, most * 4).replace(/[\p{Cc}\p{Cs}]/gu, " "))
  return clean.length > most ? clean.slice(0, most).trimEnd() : clean
}

/** Matches attributes that identify an element. */
const stating = /^(?:id|itemprop|property|name|role|rel|aria-label|class|data-[a-z-]+)$/

const attributesOf = ({ attributes }: Element): Readonly<Record<string, string>> => {
  const stable = Object.entries(attributes)
    .slice(0, 20)
    .flatMap(([name, value]) =>
      value !== undefined && name.length <= maxName && stating.test(name) ? [[name, cut(value, maxValue)] as const] : []
    )
  return Object.fromEntries(stable.slice(0, maxAttributes))
}

/** Short name of an element: `span.amount`, `p#price`. */
const shortName = ({ attributes, name }: Pick<Element, "attributes" | "name">): string => {
  const { class: classes = "", id = "" } = attributes
  const lasting = classes.slice(0, 200).split(/\s+/).find(isLastingName)
  return cut(isLastingName(id) ? `${name}#${id}` : lasting === undefined ? name : `${name}.${lasting}`, maxName)
}

/** Number of ancestors that a fingerprint describes. */
const maxAbove = 3

const above = (element: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let each = element.parent; each?.parent !== undefined && found.length < maxAbove; each = each.parent)
    found.unshift(each)
  return found
}

/** The last text before an element, within its nearest ancestors. */
const textBefore = (element: Element): string => {
  let inner = element
  for (const outer of [element, ...above(element).toReversed()].flatMap(({ parent }) => parent ?? [])) {
    const nodes = outer.children.slice(0, outer.children.indexOf(inner)).slice(-4).reverse()
    for (const node of nodes) {
      const text = isElement(node)
        ? node.layout === "unseen"
          ? ""
          : textStart(node, maxBefore)
        : squeeze(node.slice(-2 * maxBefore))
      if (text !== "") return cut(text, maxBefore)
    }
    inner = outer
  }
  return ""
}

const addressOf = ({ attributes }: Element): string | undefined =>
  attributes.href ?? attributes.src ?? attributes.content

const sampleOf = (element: Element): string =>
  cut(textStart(element, 2 * maxSample) || (addressOf(element) ?? ""), maxSample)

export const fingerprintOf = (element: Element): Fingerprint => ({
  tag: cut(element.name, maxName),
  attributes: attributesOf(element),
  path: cut(above(element).map(shortName).join(" > "), maxPath),
  before: textBefore(element),
  sample: sampleOf(element)
})

/** Kinds of text with a pattern, and how much an element with the same kind of text adds to the similarity. */
const kinds: ReadonlyArray<readonly [kind: string, pattern: RegExp, weight: number]> = [
  ["link", /^(?:https?:)?\/\/|^\/\S+$/, 1],
  [
    "price",
    /^(?=.*\d)\D{0,20}(?:\p{Sc}|\b(?:USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CZK|kr|zł|Kč)(?![a-z])).*$|\d\s*(?:\p{Sc}|USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CZK|kr|zł|Kč)(?![a-z])/u,
    2.5
  ],
  [
    "date",
    /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}\b|\b\d{1,2}\.? \p{L}{3,9}\.? \d{4}\b|\b\p{L}{3,9}\.? \d{1,2}, \d{4}\b/u,
    2.5
  ],
  ["number", /^[-+]?\d[\d.,' ]*%?$/, 1.5],
  ["measure", /^[-+]?\d[\d.,' ]*\s?[\p{L}°"²³/]{1,6}$/u, 2]
]

/** Kind of text with its weight: `price`, `measure kg`; for other texts by length: `short text`, `text` or `long text`. */
const kindOf = (sample: string): readonly [kind: string, weight: number] => {
  const found = kinds.find(([, pattern]) => pattern.test(sample))
  if (found === undefined)
    return [sample.length <= 20 ? "short text" : sample.length < maxSample ? "text" : "long text", 0.5]
  const [kind, , weight] = found
  return [kind === "measure" ? `measure ${/[^\d.,' +-]+$/.exec(sample)?.[0] ?? ""}` : kind, weight]
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/[\s_-]+/).filter((word) => word !== "")

/** Share of words that two names have in common. */
const overlap = (one: string, other: string): number => {
  const words = new Set(wordsOf(one))
  const all = new Set([...words, ...wordsOf(other)])
  return all.size === 0 ? 0 : wordsOf(other).filter((word) => words.has(word)).length / all.size
}

const likenessOf = (known: Fingerprint, [kind, weight]: ReturnType<typeof kindOf>, element: Element): number => {
  const sample = sampleOf(element)
  if (sample === "" || kindOf(sample)[0] !== kind) return 0
  // A price within a sentence is not the same as a price alone.
  if (weight > 1 && sample.length > 2 * known.sample.length + 10) return 0
  let likeness = weight + (sample === known.sample ? 1 : 0)
  const own = attributesOf(element)
  for (const [name, value] of Object.entries(known.attributes)) {
    const now = own[name]
    if (now !== undefined) likeness += now === value ? 2 : name === "class" ? 1.5 * overlap(value, now) : 0
  }
  if (element.name === known.tag) likeness += ["div", "span", "p", "a", "li", "td"].includes(known.tag) ? 0.3 : 1
  // A struck-out element is probably an old price.
  else if (struck.has(element.name)) likeness -= 1
  if (known.before !== "" && textBefore(element) === known.before) likeness += 2
  const around = above(element).map(shortName)
  const path = known.path.split(" > ")
  return (
    likeness +
    around.filter((each) => path.includes(each) && each.includes(".")).length * 0.5 +
    (around.at(-1) === path.at(-1) ? 0.3 : 0)
  )
}

/** Maximum elements of a page that are compared, and minimum similarity. */
const [maxCompared, leastLikeness] = [3_000, 2]

/** An element that may correspond to what a field matched before. */
export interface NearElement {
  readonly name: string
  readonly text: string
}

/** The element most similar to a fingerprint; undefined if none is similar enough. */
export const nearestTo = (root: Element, known: Fingerprint): NearElement | undefined => {
  const kind = kindOf(known.sample)
  let [best, most, left]: [Element | undefined, number, number] = [undefined, 0, maxCompared]
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (left <= 0) return
      if (!isElement(child) || (child.layout === "unseen" && child.name !== "meta")) continue
      left--
      // If nested elements contain the same text, only the innermost one counts.
      const [only] = child.children
      const isWhole = child.children.length === 1 && only !== undefined && isElement(only)
      const likeness = isWhole && addressOf(child) === undefined ? 0 : likenessOf(known, kind, child)
      if (likeness >= leastLikeness && (likeness > most || (likeness === most && child.parent === best)))
        [best, most] = [child, likeness]
      visit(child)
    }
  }
  visit(root)
  return best === undefined ? undefined : { name: shortName(best), text: sampleOf(best) }
}

/** Description of the element of a fingerprint: `b.price "7,50 €"`. */
export const elementText = ({ attributes, sample, tag }: Fingerprint): string =>
  nearText({ name: shortName({ attributes, name: tag }), text: sample })

/** Description of a similar element: `span.amount "281,35 €"`; see {@link nearestTo}. */
export const nearText = (near: NearElement | undefined): string =>
  near === undefined ? "none" : `${near.name} ${JSON.stringify(near.text)}`
