/**
 * Prices as shops write them: `1.299,00 €`, `$1,299`, `Preis: 12,- EUR`, `35€ 99`.
 *
 * - Of several numbers the first one beside a currency is the price; without any currency the first number. A percentage is no price.
 * - A single dot or comma before three digits (`1.299 €`, `€1,299`) groups thousands, unless the currency has three decimals (`1.299 KWD`), or the locale
 *   has it as its decimal separator and the sign stands where the locale puts it: `1,299 €` is 1.299 in German, `€1,299` is 1299 in every language but
 *   those that write the sign first.
 * - The currency is a code of ISO 4217 where the text names one country's. A symbol of several countries (`$`, `kr`) is that of the region of
 *   the locale, else it stays as written. A hint, text near the price, names the currency where the text itself does not.
 */
import { type Currency, currencyAfter, currencyBefore, currencyIn, fractionDigits } from "./Currency.ts"
import { decimalSeparator, maxValueText, multiplier, type Numeral, numerals, scaled } from "./Number.ts"
import { folded, knownLocale, plainText } from "./Text.ts"

export interface Price {
  readonly amount: number
  /** ISO 4217, or the symbol as written; null where neither the text nor the hint names one. */
  readonly currency: string | null
}

interface Priced {
  readonly numeral: Numeral
  readonly currency: Currency | undefined
  readonly isSignFirst: boolean | undefined
}

const signPositions = new Map<string, boolean>()

/** True for locales that write the sign before the amount. */
const writesSignFirst = (locale: string): boolean => {
  const known = signPositions.get(locale)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).formatToParts(1)
  const made = parts.findIndex(({ type }) => type === "currency") < parts.findIndex(({ type }) => type === "integer")
  signPositions.set(locale, made)
  return made
}

/** Words for a price of nothing. */
const free = new Set(
  "free gratis kostenlos umsonst gratuit gratuito grátis бесплатно безкоштовно безплатно zdarma zadarmo bezpłatnie ingyenes ilmainen tasuta nemokama bezmaksas δωρεάν ücretsiz bedava 免费 免費 無料 무료 مجاني مجانا رایگان חינם ฟรี miễn_phí मुफ़्त besplatno brezplačno gratuït doako"
    .split(" ")
    .map((word) => folded(word.replace("_", " ")))
)

const isFree = (text: string): boolean => free.has(folded(text.replace(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, "")))

const isPercentage = (text: string, { end }: Numeral): boolean => /^\s?[%٪‰]/.test(text.slice(end))

/** The numeral with the currency beside it. */
const priced = (text: string, numeral: Numeral, locale: string | undefined): Priced => {
  const before = currencyBefore(text.slice(0, numeral.start), locale)
  const rest = text.slice(numeral.end)
  // `1.5M €`: the word that multiplies is no currency.
  const after = currencyAfter(multiplier(rest, locale) === 1 ? rest : rest.replace(/^ ?[\p{L}\p{M}]+\.?/u, ""), locale)
  // `SGD4.90 $`: the code says more than the sign.
  const isAfter = before === undefined || (before.isWeak && after?.isWeak === false) || (!isIso(before) && isIso(after))
  const currency = isAfter ? (after ?? before) : before
  return { numeral, currency, isSignFirst: currency === undefined ? undefined : currency === before }
}

const isIso = (currency: Currency | undefined): boolean =>
  currency !== undefined && /^[A-Z]{3}$/.test(currency.currency)

/** The numeral again, with what is known of its currency. */
const decided = (text: string, { numeral, currency, isSignFirst }: Priced, locale: string | undefined): string => {
  const written = text.slice(numeral.start, numeral.end)
  if (!hasTwoReadings.test(written)) return numeral.decimal
  const separator = locale === undefined ? undefined : decimalSeparator(locale)
  const isLocal = locale !== undefined && (isSignFirst === undefined || isSignFirst === writesSignFirst(locale))
  const hasThree = currency !== undefined && fractionDigits(currency.currency) === 3
  const [again] = numerals(written, (mark) => hasThree || (isLocal && mark === separator))
  return again?.decimal ?? ""
}

const hasTwoReadings = /^\d{1,3}[.,]\d{3}$/

/** `35€ 99` and `35 € 99`: two digits after a sign that has an amount before it. */
const centsAfter = (text: string, { numeral, currency, isSignFirst }: Priced): string | undefined => {
  if (currency === undefined || isSignFirst !== false || !/^\d+$/.test(numeral.decimal)) return undefined
  return /^\s?\p{Sc} ?(\d\d)(?!\d|[.,]\d| ?\p{Sc}| ?%)/u.exec(text.slice(numeral.end))?.[1]
}

const amountOf = (text: string, price: Priced, locale: string | undefined): number => {
  const { numeral } = price
  const decimal = decided(text, price, locale)
  const cents = centsAfter(text, price)
  if (cents !== undefined) return Number(`${decimal}.${cents}`)
  const amount = scaled(decimal, multiplier(text.slice(numeral.end), locale))
  return isNegative.test(text.slice(0, numeral.start)) ? -amount : amount
}

/** A minus sign directly before the amount or its currency; with a space it is a dash. */
const isNegative = /(?:^|[\s(:])[-−–](?:[\p{L}\p{Sc}]{1,4} ?)?$/u

const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** `12⁹⁹`, with the point that stands for raised cents, and `£1·50`. Other raised digits behind a number are of a footnote. */
const withCents = (text: string): string =>
  text
    .replace(raisedCents, (_, whole: string, separator: string | undefined, cents: string) => {
      const point = separator === "." ? "," : "."
      return whole + point + cents.replace(/./g, (digit) => String(raisedDigits.indexOf(digit)))
    })
    .replace(/(?<=\d ?)[⁰¹²³⁴⁵⁶⁷⁸⁹]+\)?/g, "")
    .replace(/(?<![\d.,])(\d+)[·˙](?=\d\d(?!\d))/g, "$1.")

const raisedCents = /(?<![\d.,])(\d{1,3}(?:([.,' ’])\d{3})+|\d+) ?([⁰¹²³⁴⁵⁶⁷⁸⁹]{2})(?![⁰¹²³⁴⁵⁶⁷⁸⁹)])/g

/** Most numbers that are tried. */
const maxNumbers = 20

/** Reads a price. Undefined without an amount. */
export const readPrice = (text: string, hint?: string | undefined, tag?: string | undefined): Price | undefined => {
  if (text.length > maxValueText) return undefined
  const locale = knownLocale(tag)
  const plain = withCents(plainText(text))
  const all = numerals(plain, () => false).filter((numeral) => numeral.decimal !== "" && !isPercentage(plain, numeral))
  const [first] = all
  if (first === undefined) return isFree(plain) ? { amount: 0, currency: null } : undefined
  const candidates = all.slice(0, maxNumbers).map((numeral) => priced(plain, numeral, locale))
  const price = candidates.find(({ currency }) => currency?.isWeak === false) ??
    candidates.find(({ currency }) => currency !== undefined) ?? {
      numeral: first,
      currency: undefined,
      isSignFirst: undefined
    }
  const near =
    price.currency ?? currencyIn(plain, locale) ?? currencyIn(plainText((hint ?? "").slice(0, maxValueText)), locale)
  return { amount: amountOf(plain, { ...price, currency: near }, locale), currency: near?.currency ?? null }
}

/** Reads the currency, with or without an amount. */
export const readCurrency = (text: string, tag?: string | undefined): string | undefined => {
  if (text.length > maxValueText) return undefined
  const locale = knownLocale(tag)
  return readPrice(text, undefined, tag)?.currency ?? currencyIn(plainText(text), locale)?.currency
}
