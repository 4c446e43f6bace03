/** Converts elements and texts to the type of a field. Rejects text that does not fit; never guesses. */

import * as Either from "effect/Either"
import type { FieldType } from "../Api/PageData.ts"
import { type Order, readDate } from "../Values/Date.ts"
import { readInteger, readNumber } from "../Values/Number.ts"
import { readCurrency, readCurrentPrice, readPrice } from "../Values/Price.ts"
import { Element, squeeze } from "./Element.ts"
import { readAddress, readAmountText, readMarked, readText } from "./FieldText.ts"
import { toMarkdown } from "./Markdown.ts"
import { textOfValue } from "./PageItems.ts"
import type { PageUrls } from "./PageUrls.ts"
import { spend } from "./Select.ts"
import { toHtml } from "./Serialize.ts"
import { struck } from "./Tags.ts"

/** Settings for reading values. */
export interface Reading {
  /** Language of numbers and dates (BCP 47). */
  readonly locale: string | undefined
  readonly order: Order | undefined
  readonly timezone: string | undefined
  /** Time in milliseconds that relative dates refer to. */
  readonly now: number
  readonly urls: PageUrls
}

/** Text that does not fit its type. */
export class Unreadable {
  readonly text: string
  readonly expected: string
  constructor(text: string, expected: string) {
    this.text = text
    this.expected = expected
  }
}

const words: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(
    ["true", "yes", "y", "1", "on", "instock", "in stock", "available"].map((word) => [word, true])
  ),
  ...Object.fromEntries(
    ["false", "no", "n", "0", "off", "outofstock", "out of stock", "soldout", "sold out", "unavailable"].map((word) => [
      word,
      false
    ])
  )
}

/** Numbers in embedded data use a decimal point, whatever the language of the page. */
const plainNumber = /^-?\d+(?:\.\d+)?$/

/** The value as text, to be converted to another type. */
export const asText = (found: unknown): string | undefined =>
  found instanceof Element ? readText(found) : textOfValue(found)

type Converter = (text: string, reading: Reading, isData: boolean) => unknown

const dateOf = (text: string, { locale, now, order, timezone }: Reading) =>
  readDate(text, { locale, now, order, timezone })

const converters: Readonly<Record<string, readonly [expected: string, convert: Converter]>> = {
  number: [
    "a number",
    (text, { locale }, isData) => (isData && plainNumber.test(text) ? Number(text) : readNumber(text, locale))
  ],
  integer: ["a whole number", (text, { locale }) => readInteger(text, locale)],
  price: [
    "a price",
    (text, { locale }, isData) =>
      isData && plainNumber.test(text) ? Number(text) : readPrice(text, undefined, locale)?.amount
  ],
  currency: ["a currency", (text, { locale }) => readCurrency(text, locale)],
  date: ["a date", (text, reading) => dateOf(text, reading)?.day],
  datetime: [
    "a date",
    (text, reading) => {
      const date = dateOf(text, reading)
      return date === undefined ? undefined : new Date(date.millis).toISOString()
    }
  ],
  boolean: ["yes or no", (text) => words[text.toLowerCase().replace(/^https?:\/\/schema\.org\//, "")]],
  url: ["an address", (text, { urls }) => urls.resolve(text)],
  json: ["JSON", (text) => Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))]
}

/**
 * Text of an element: for the type `url` its URL, else the machine-readable value of `meta`, `input` and (unless the type is `text`)
 * `time`, else its text.
 */
const elementText = (element: Element, type: FieldType, { urls }: Reading): string => {
  if (type === "url") return readAddress(element, urls) ?? readMarked(element) ?? readText(element)
  const isStated = element.name === "meta" || element.name === "input" || (type !== "text" && element.name === "time")
  const read = amounts.has(type) ? readAmountText : readText
  return (isStated ? readMarked(element) : undefined) ?? read(element)
}

const amounts: ReadonlySet<FieldType> = new Set(["number", "integer", "price", "currency"])

/** Converts an element, text or a value of embedded data; undefined if it is empty. */
export const convert = (found: unknown, type: FieldType, reading: Reading): unknown => {
  if (found instanceof Element) {
    if (type === "html" || type === "markdown") {
      const text = (type === "html" ? toHtml : toMarkdown)([found], reading.urls).trim()
      spend(text.length)
      return text || undefined
    }
  }
  const isData = !(found instanceof Element) && typeof found !== "string"
  if (type === "json" && isData) return found
  if (isData && typeof found === "boolean" && type === "boolean") return found
  const text = found instanceof Element ? elementText(found, type, reading) : textOfValue(found)
  if (text === undefined || text === "") return undefined
  const converter = converters[type]
  if (converter === undefined) return type === "text" ? squeeze(text) : text
  const [expected, read] = converter
  const isPrice = found instanceof Element && (type === "price" || type === "currency")
  // A price that is struck out is a former one. A number beside it may be no price.
  const current = isPrice ? readCurrentPrice(readAmountText(found, struck), text, reading.locale) : undefined
  const value = type === "price" ? current?.amount : current?.currency
  return value ?? read(text, reading, isData) ?? new Unreadable(text, expected)
}
