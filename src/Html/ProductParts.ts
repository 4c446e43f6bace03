/** Parses product values as pages write them: codes, counts, ratings, availability. Undefined for text that does not fit. */
import { numerals } from "../Values/Number.ts"
import { readPrice } from "../Values/Price.ts"
import { plainText } from "../Values/Text.ts"
import { type Element, isElement, squeeze, textOf } from "./Element.ts"
import { every } from "./Select.ts"

export interface ProductPrice {
  readonly amount: number
  /** ISO 4217 code, if the page states the currency. */
  readonly currency?: string
  /** The price as displayed. */
  readonly formatted?: string
}

export interface VariantDraft {
  readonly id?: string | undefined
  readonly sku?: string | undefined
  readonly gtin?: string | undefined
  readonly title?: string | undefined
  readonly values?: Readonly<Record<string, string>> | undefined
  readonly price?: ProductPrice | undefined
  readonly originalPrice?: ProductPrice | undefined
  readonly inStock?: boolean | undefined
  readonly availability?: string | undefined
  readonly images?: ReadonlyArray<{ readonly url: string; readonly alt?: string }> | undefined
}

/** A product as one source describes it; `Product.ts` merges the sources. */
export interface ProductDraft {
  readonly title: string
  readonly brand?: string | undefined
  readonly category?: string | undefined
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly gtin?: string | undefined
  readonly rating?: Rating | undefined
  readonly variants: ReadonlyArray<VariantDraft>
}

/** Parses a price; a currency in the text wins over the stated one. A symbol shared by several countries gives no code. */
export const priceOf = (value: unknown, stated: unknown, language: string | undefined): ProductPrice | undefined => {
  const code = typeof stated === "string" ? /^\s*([A-Za-z]{3})\s*$/.exec(stated)?.[1]?.toUpperCase() : undefined
  const currency = code === undefined ? {} : { currency: code }
  if (typeof value === "number")
    return Number.isFinite(value) && value >= 0 ? { amount: value, ...currency } : undefined
  if (typeof value !== "string" || value.trim() === "") return undefined
  const text = squeeze(value)
  if (/^\d+(?:\.\d+)?$/.test(text)) return { amount: Number(text), ...currency }
  const price = readPrice(text, undefined, language)
  if (price === undefined || price.amount < 0) return undefined
  const own = price.currency
  const known = own === null ? currency : /^[A-Z]{3}$/.test(own) ? { currency: own } : currency
  return { amount: price.amount, ...known, ...(/[^\d.,\s]/.test(text) ? { formatted: text } : {}) }
}

/** Matches a GTIN or ISBN-10 by its length. */
const codeLength = /^(?:\d{8}|\d{12,14}|\d{9}[\dX])$/

const hasCheckDigit = (code: string): boolean => {
  const digits = [...code].map((digit) => (digit === "X" ? 10 : Number(digit)))
  if (code.length === 10) return digits.reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11 === 0
  return digits.reduceRight((sum, digit, at) => sum + digit * ((digits.length - at) % 2 === 1 ? 1 : 3), 0) % 10 === 0
}

/** A GTIN (EAN, UPC) or ISBN with a correct check digit, without its label: `EAN13: 978-1-56619-909-4`. */
export const readGtin = (text: string): string | undefined => {
  if (text.length > 60) return undefined
  const plain = plainText(text).toUpperCase()
  for (const label of [/^\s*(?:[A-Z]+[\s:#.-]*)?/, /^\s*[A-Z]+[\s-]*(?:8|1[0234])[\s:#.-]*/]) {
    const code = plain.replace(label, "").replace(/[\s().-]/g, "")
    if (codeLength.test(code) && hasCheckDigit(code)) return code
  }
  return undefined
}

/** A number of reviews: `4.5/5 (10,237)`, `23 Reviews`. */
export const readCount = (text: string): number | undefined => {
  const plain = plainText(text.slice(0, 200))
  const counts = (part: string) =>
    numerals(part, () => false)
      .filter(({ decimal, start }) => /^\d+$/.test(decimal) && !/\/\s*$/.test(part.slice(0, start)))
      .map(({ decimal }) => Number(decimal))
  const inner = /\(([^()]*)\)?/.exec(plain)?.[1]
  return (inner === undefined ? undefined : counts(inner).at(-1)) ?? counts(plain).at(-1)
}

const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : undefined

/** A number with a decimal point or comma, whatever the language of the page. */
export const readDecimal = (text: string): number | undefined =>
  decimal(/(?<![\d.,])\d{1,6}(?:[.,]\d{1,4})?(?![\d.,]*\d)/.exec(plainText(text.slice(0, 200)))?.[0])

export interface Rating {
  readonly value: number
  readonly best?: number
  readonly count?: number
}

const ofBest =
  /(\d+(?:[.,]\d+)?)\s*(?:stars?\s*)?(?:\/|out of|of|von|su|sur|de|di|av|van|van de|z|ze|из|från|az|su un totale di)\s*(\d+(?:[.,]0+)?)(?!\d|[.,]\d)/iu
const ofStars = /(\d+(?:[.,]\d+)?)\s*(?:-|\s)?\s*(?:average|stars?\b|sterne?\b|étoiles?|estrellas|stelle|gwiazd|★)/iu
const bare = /^[^\p{L}\p{N}(]{0,3}(\d+(?:[.,]\d+)?)[^\p{L}\p{N})]{0,3}$/u

/** Best possible rating if the page states none, and maximum of a scale that is accepted. */
const [usualBest, maxBest] = [5, 10]

const fits = (value: number | undefined, best: number): value is number => value !== undefined && value <= best

const stated = (text: string): Rating | undefined => {
  const [, value, best] = ofBest.exec(text) ?? []
  const [number, most] = [decimal(value), decimal(best)]
  if (number !== undefined && most !== undefined && number <= most && most <= 100) return { value: number, best: most }
  const stars = decimal(ofStars.exec(text)?.[1])
  return fits(stars, usualBest) ? { value: stars } : undefined
}

const namesRating = /star|rating|score|average/i
const namesCount = /count|total|reviews?/i

const wordsOf = ({ attributes }: Element): string => attributes.class ?? ""

/** Rating from text that is a number, or a number before one in brackets. A whole number may be the number of reviews instead. */
const alone = (text: string, { attributes }: Element): Rating | undefined => {
  const written = bare.exec(text)?.[1] ?? /^(\d[.,]\d+)\s*\(/.exec(text)?.[1]
  const value = decimal(written)
  const isWhole = /^\d+$/.test(written ?? "")
  if (!fits(value, isWhole ? usualBest : maxBest)) return undefined
  const name = attributes.class ?? ""
  return isWhole && namesCount.test(name) && !namesRating.test(name) ? undefined : { value }
}

/** The first rating in labels and texts, in document order; the label of an element is read before the texts in it. */
const shown = (element: Element, budget: { left: number }): Rating | undefined => {
  const { "aria-label": label, title, alt } = element.attributes
  for (const each of [label, title, alt]) {
    const found = each === undefined ? undefined : stated(each.slice(0, 300))
    if (found !== undefined) return found
  }
  for (const child of element.children) {
    if (budget.left-- <= 0) return undefined
    const text = isElement(child) ? "" : squeeze(child)
    const found = isElement(child)
      ? child.layout === "unseen"
        ? undefined
        : shown(child, budget)
      : text === "" || text.length > 300
        ? undefined
        : (alone(text, element) ?? stated(text))
    if (found !== undefined) return found
  }
  return undefined
}

const isStar = (element: Element): boolean =>
  /(?:^|[\s_-])stars?(?=$|[\s_-])|star$|fullstar/i.test(wordsOf(element).replace(/([a-z])(?=[A-Z])/g, "$1-")) &&
  !every(element, () => true, maxParts).some((inner) => /star/i.test(wordsOf(inner)))

const filled = /(?:^|[\s_-])(?:filled|full|active|gold|on|lit|checked|solid|selected|highlighted)(?=$|[\s_-])/i
const unfilled =
  /(?:^|[\s_-])(?:empty|outline|off|o|grey|gray|blank|inactive|disabled|none|unfilled)(?=$|[\s_-])|star-?o(?=$|\s)/i
const half = /(?:^|[\s_-])half(?=$|[\s_-])/i

/** Maximum elements searched for a rating. */
const maxParts = 300

/** Rating from the number of filled stars, if each star is an element. */
const drawn = (elements: ReadonlyArray<Element>): number | undefined => {
  const stars = elements.filter(isStar)
  if (stars.length === 0 || stars.length > maxBest) return undefined
  const names = stars.map((star) => wordsOf(star).replace(/([a-z])(?=[A-Z])/g, "$1-"))
  const marked = names.filter((name) => filled.test(name)).length
  const count = names.reduce((sum, name) => {
    if (half.test(name)) return sum + 0.5
    const isFilled = marked > 0 && marked < names.length ? filled.test(name) : !unfilled.test(name)
    return sum + (isFilled ? 1 : 0)
  }, 0)
  // A single star is only an icon.
  return stars.length === 1 || count === 0 || count > usualBest ? undefined : count
}

const inName = /(?:star|rating|filled|score)s?[a-z]*[\s_-]*([0-5])(?:[._-](\d))?(?=$|[\s_.-]|[?#])/i

const inFile = /(?:star|rating|score)s?[a-z_-]*([0-5])(?:[._-](\d))?(?=\.\w+(?:$|\?))/i

/** A rating as shown on the page: in text, in the label of an image, by a width, or as stars. */
export const readRating = (element: Element): Rating | undefined => {
  const elements = [element, ...every(element, () => true, maxParts)]
  const marked = elements.find(({ attributes }) => attributes.itemprop === "ratingValue")
  const value = marked === undefined ? undefined : readDecimal(marked.attributes.content ?? textOf(marked))
  if (value !== undefined) return { value }
  return shown(element, { left: maxVisits }) ?? estimated(elements)
}

/** Maximum elements and texts searched for a rating. */
const maxVisits = 500

const estimated = (elements: ReadonlyArray<Element>): Rating | undefined => {
  for (const { attributes } of elements) {
    const value = decimal(attributes["data-rating"] ?? attributes["data-score"] ?? attributes["data-rate"])
    if (fits(value, usualBest)) return { value }
  }
  for (const { attributes } of elements) {
    const share = decimal(/(?:^|;)\s*width\s*:\s*(\d+(?:\.\d+)?)%/.exec(attributes.style ?? "")?.[1])
    if (fits(share, 100)) return { value: Math.round(share * 5) / 100 }
  }
  for (const { attributes } of elements)
    for (const [name, pattern] of [
      [attributes.class, inName],
      [attributes.src?.slice(attributes.src.lastIndexOf("/") + 1), inFile]
    ] as const) {
      const [, whole, tenth] = pattern.exec(name ?? "") ?? []
      const value = whole === undefined ? undefined : Number(`${whole}.${tenth ?? 0}`)
      if (fits(value, usualBest) && value > 0) return { value }
    }
  const stars = drawn(elements)
  return stars === undefined ? undefined : { value: stars }
}

const inStock = new Set(["instock", "limitedavailability", "onlineonly", "instoreonly", "available", "lowstock"])
const outOfStock = new Set(
  "outofstock soldout discontinued preorder backorder presale reserved unavailable madetoorder notavailable".split(" ")
)

/** True if a schema.org availability means in stock, false if it does not; undefined for other words. */
export const readAvailability = (text: string): boolean | undefined => {
  const word = text
    .replace(/^.*[/#]/, "")
    .replace(/[\s_-]/g, "")
    .toLowerCase()
  if (inStock.has(word)) return true
  return outOfStock.has(word) ? false : undefined
}
