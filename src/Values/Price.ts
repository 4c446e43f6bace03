/**
 * Prices as shops write them: `1.299,00 €`, `$1,299`, `Preis: 12,- EUR`, `35€ 99`.
 *
 * - Of several numbers, the first one next to a currency is the price; without a currency, the first number. A percentage is not a price.
 * - A single dot or comma before three digits (`1.299 €`, `€1,299`) groups thousands, unless the currency has three decimals (`1.299 KWD`),
 *   or it is the locale's decimal separator and the sign is where the locale puts it: `1,299 €` is 1.299 in German, `€1,299` is 1299 in
 *   every language except those that write the sign first.
 * - The currency is an ISO 4217 code if the text names the currency of one country. A symbol of several countries (`$`, `kr`) means the
 *   currency of the locale's region; without a region it stays as written. A hint (text near the price) names the currency if the text does
 *   not.
 */
import { type Currency, currencyAfter, currencyBefore, currencyIn, fractionDigits, isSure } from "./Currency.ts"
import { decimalSeparator, maxValueText, multiplier, type Numeral, numerals, scaled } from "./Number.ts"
import { folded, knownLocale, plainText } from "./Text.ts"

export interface Price {
  readonly amount: number
  /** ISO 4217 code, or the symbol as written; null if neither the text nor the hint names a currency. */
  readonly currency: string | null
}

interface Priced {
  readonly numeral: Numeral
  readonly currency: Currency | undefined
  readonly isSignFirst: boolean | undefined
}

const signPositions = new Map<string, boolean>()

/** True for locales that write the currency sign before the amount. */
const writesSignFirst = (locale: string): boolean => {
  const known = signPositions.get(locale)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).formatToParts(1)
  const made = parts.findIndex(({ type }) => type === "currency") < parts.findIndex(({ type }) => type === "integer")
  signPositions.set(locale, made)
  return made
}

/** Words that mean a price of zero. */
const free = new Set(
  "free gratis kostenlos umsonst gratuit gratuito grátis бесплатно безкоштовно безплатно zdarma zadarmo bezpłatnie ingyenes ilmainen tasuta nemokama bezmaksas δωρεάν ücretsiz bedava 免费 免費 無料 무료 مجاني مجانا رایگان חינם ฟรี miễn_phí मुफ़्त besplatno brezplačno gratuït doako"
    .split(" ")
    .map((word) => folded(word.replace("_", " ")))
)

const isFree = (text: string): boolean => free.has(folded(text.replace(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, "")))

const isPercentage = (text: string, { end }: Numeral): boolean => /^\s?[%٪‰]/.test(text.slice(end))

/** Finds the currency next to a numeral. */
const priced = (text: string, numeral: Numeral, locale: string | undefined): Priced => {
  const start = text.slice(0, numeral.start)
  const before = currencyBefore(start, locale)
  const rest = text.slice(numeral.end)
  // In `1.5M €`, the multiplying word is not a currency.
  const isPlain = multiplier(start, rest, locale) === 1
  const after = currencyAfter(isPlain ? rest : rest.replace(/^ ?[\p{L}\p{M}]+\.?/u, ""), locale)
  // In `SGD4.90 $`, the code is more precise than the sign, so it is the currency.
  const isAfter = before === undefined || isClearer(after, before) || (!isIso(before) && isIso(after))
  const currency = isAfter ? (after ?? before) : before
  return { numeral, currency, isSignFirst: currency === undefined ? undefined : currency === before }
}

/** True for a currency behind a number that counts more than a symbol in front which may be a word: `Nu 299 kr`. */
const isClearer = (after: Currency | undefined, before: Currency): boolean =>
  after !== undefined &&
  before.isWeak &&
  (!after.isWeak || (after.isLocal && !before.isLocal) || (/^Nu\b/.test(before.symbol) && isSure(after)))

const isIso = (currency: Currency | undefined): boolean =>
  currency !== undefined && /^[A-Z]{3}$/.test(currency.currency)

/** Decimal of the numeral, which is read again if it has two readings, because the currency can decide between them. */
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

/** Cents in `35€ 99` and `35 € 99`: two digits after a sign that follows an amount. */
const centsAfter = (text: string, { numeral, currency, isSignFirst }: Priced): string | undefined => {
  if (currency === undefined || isSignFirst !== false || !/^\d+$/.test(numeral.decimal)) return undefined
  return /^\s?\p{Sc} ?(\d\d)(?!\d|[.,]\d| ?\p{Sc}| ?%)/u.exec(text.slice(numeral.end))?.[1]
}

const amountOf = (text: string, price: Priced, locale: string | undefined): number => {
  const { numeral } = price
  const decimal = decided(text, price, locale)
  const cents = centsAfter(text, price)
  if (cents !== undefined) return Number(`${decimal}.${cents}`)
  const before = text.slice(0, numeral.start)
  const amount = scaled(decimal, multiplier(before, text.slice(numeral.end), locale))
  return isNegative.test(before) ? -amount : amount
}

/** Matches a minus sign directly before the amount or its currency; followed by a space it is a dash. */
const isNegative = /(?:^|[\s(:])[-−–](?:[\p{L}\p{Sc}]{1,4}\/?\.? ?)?$/u

const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/**
 * Replaces raised cents (`12⁹⁹`) and raised dots (`£1·50`) with a decimal point, and joins `8. 45`. Other raised digits after a number
 * belong to a footnote.
 */
const withCents = (text: string, locale: string | undefined): string =>
  text
    .replace(raisedCents, (_, whole: string, separator: string | undefined, cents: string) => {
      const point = separator === "." ? "," : "."
      return whole + point + cents.replace(/./g, (digit) => String(raisedDigits.indexOf(digit)))
    })
    .replace(/(?<=\d ?)[⁰¹²³⁴⁵⁶⁷⁸⁹]+\)?/g, "")
    .replace(/(?:(?<![\d.,])|(?<=\p{L}\/?\.))(\d+)[·˙](?=\d\d(?!\d))/gu, "$1.")
    .replace(spacedCents, (written, whole: string, _, mark: string, cents: string, at: number, all: string) => {
      const rest = all.slice(at + written.length)
      const after = currencyAfter(rest, locale)
      // In `$10, 20 L`, a letter behind is no currency.
      const isPriced = isSure(after) && (!after.isWeak || currencyBefore(all.slice(0, at), locale) === undefined)
      return isPriced || /^[\s\p{P}]*$/u.test(rest) ? whole + mark + cents : written
    })

const raisedCents =
  /(?:(?<![\d.,])|(?<=\p{L}\/?\.))(\d{1,3}(?:([.,' ’])\d{3})+|\d+) ?([⁰¹²³⁴⁵⁶⁷⁸⁹]{2})(?![⁰¹²³⁴⁵⁶⁷⁸⁹)])/gu

/** Matches cents behind a dot or comma and a space. */
const spacedCents = /(?<![\d.,])(\d{1,3}(?:([.,' ’])\d{3})+|\d+)([.,]) (\d\d)(?!\d|[.,/:]\d)/gu

/** Maximum numbers that are tried as the price. */
const maxNumbers = 20

interface Found {
  readonly price: Price
  readonly currency: Currency | undefined
  /** True if the text is nothing but an amount or a word for free. */
  readonly isAlone: boolean
}

const find = (text: string, hint: string, tag: string | undefined): Found | undefined => {
  if (text.length > maxValueText) return undefined
  const locale = knownLocale(tag)
  const plain = withCents(plainText(text), locale)
  const all = numerals(plain, () => false).filter((numeral) => numeral.decimal !== "" && !isPercentage(plain, numeral))
  const [first] = all
  if (first === undefined)
    return isFree(plain) ? { price: { amount: 0, currency: null }, currency: undefined, isAlone: true } : undefined
  const candidates = all.slice(0, maxNumbers).map((numeral) => priced(plain, numeral, locale))
  const best = candidates.find(({ currency }) => currency?.isWeak === false) ??
    candidates.find(({ currency }) => currency !== undefined) ?? {
      numeral: first,
      currency: undefined,
      isSignFirst: undefined
    }
  const currency =
    best.currency ?? currencyIn(plain, locale) ?? currencyIn(plainText(hint.slice(0, maxValueText)), locale)
  return {
    price: { amount: amountOf(plain, { ...best, currency }, locale), currency: currency?.currency ?? null },
    currency,
    isAlone: /^[\s\p{Pd}.,:;*]*$/u.test(plain.slice(0, first.start) + plain.slice(first.end))
  }
}

/** Reads a price. Undefined if there is no amount. */
export const readPrice = (text: string, hint?: string | undefined, tag?: string | undefined): Price | undefined =>
  find(text, hint ?? "", tag)?.price

/**
 * Reads the price in what is left without the former price. Undefined if a number in it may be no price: it is neither alone nor
 * beside a currency. A currency of one or two letters may be a size, if that of the former price is none of these.
 */
export const readCurrentPrice = (rest: string, whole: string, tag: string | undefined): Price | undefined => {
  const found = find(rest, "", tag)
  if (found === undefined) return undefined
  const { currency, isAlone, price } = found
  const isOwn = currency !== undefined && (!currency.isWeak || find(whole, "", tag)?.currency?.isWeak === true)
  return isOwn || isAlone ? price : undefined
}

/** Reads the currency, with or without an amount. */
export const readCurrency = (text: string, tag?: string | undefined): string | undefined => {
  if (text.length > maxValueText) return undefined
  const locale = knownLocale(tag)
  return readPrice(text, undefined, tag)?.currency ?? currencyIn(plainText(text), locale)?.currency
}
