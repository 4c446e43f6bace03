/**
 * Numbers as people write them: `1.299,00`, `1 299.50`, `12,34,567`, `١٢٣`, `1.2k`.
 *
 * - Of two different separators the last is the decimal separator; a separator that occurs twice groups thousands; groups have three digits
 *   (in India two). Anything else, such as `15.08.2017`, is not a number.
 * - A single dot or comma before three digits has two readings (`1.299`, `1,299`). It is decimal after `0` and after four digits or more.
 *   Otherwise the locale decides, and without one a dot is decimal and a comma groups. Prices follow their own rule (`Price.ts`).
 */
import { type Currency, currencyAfter, currencyBefore, isSure } from "./Currency.ts"
import { folded, knownLocale, plainText } from "./Text.ts"

/** Function that decides whether a single separator before three digits, which is ambiguous, is a decimal separator. */
export type IsDecimal = (separator: string) => boolean

export interface Numeral {
  /** Digits with an optional decimal point: `1299.00`. */
  readonly decimal: string
  readonly start: number
  readonly end: number
}

const decimals = new Map<string, string>()

/** Decimal separator of a locale. */
export const decimalSeparator = (locale: string): string => {
  const known = decimals.get(locale)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5)
  const made = parts.find(({ type }) => type === "decimal")?.value ?? "."
  decimals.set(locale, made)
  return made
}

const isGroup = (separator: string): boolean => separator !== "." && separator !== "," && separator !== "٫"

/** True for valid groups: three digits in each group after the first; in India two in each group except the last. */
const isGrouped = (groups: ReadonlyArray<string>): boolean => {
  const [first = "", ...rest] = groups
  const last = rest.at(-1) ?? ""
  const middle = rest.slice(0, -1)
  if (first.length > 3 || first.length === 0 || last.length !== 3) return false
  return middle.every(({ length }) => length === 3) || (first.length < 3 && middle.every(({ length }) => length === 2))
}

const decide = (
  groups: ReadonlyArray<string>,
  separators: ReadonlyArray<string>,
  isDecimal: IsDecimal
): string | undefined => {
  const last = separators.at(-1)
  if (last === undefined) return groups[0]
  if (separators.some((separator) => /[·˙_]/.test(separator))) return undefined
  const earlier = separators.slice(0, -1)
  const whole = groups.slice(0, -1)
  const fraction = groups.at(-1) ?? ""
  if (earlier.some((separator) => separator !== earlier[0])) return undefined
  if (earlier.length > 0 && earlier[0] !== last) {
    return isGrouped(whole) && !isGroup(last) ? `${whole.join("")}.${fraction}` : undefined
  }
  if (earlier.length > 0 || isGroup(last)) return isGrouped(groups) ? groups.join("") : undefined
  const [first = ""] = groups
  const hasTwoReadings = fraction.length === 3 && first.length <= 3 && !/^0*$/.test(first) && last !== "٫"
  return hasTwoReadings && !isDecimal(last) ? first + fraction : `${first || "0"}.${fraction}`
}

/**
 * Matches thousands grouped by spaces or apostrophes (or characters typed for one), or digits with dots and commas. A dot behind a letter,
 * as in `Rs.500` and `S/.25`, belongs to the word.
 */
const pattern =
  /(?:(?<![\d.,٫])|(?<=[\p{L}\p{M}]\/?[.,]))(?:\d{1,3}([ '’ʼ‘‛´`′ʹ])\d{3}(?:\1\d{3})*(?!\d)(?:[.,٫]\d+)?|(?:(?<![\p{L}\p{M}]\/?)[.,])?\d+(?:[.,٫٬·˙_]\d+)*)/gu

/** Finds numerals, in order. Those that are not valid numbers, such as `15.08.2017`, have an empty `decimal`. */
export const numerals = (text: string, isDecimal: IsDecimal): ReadonlyArray<Numeral> => {
  const found: Array<Numeral> = []
  for (const { 0: written, index } of text.matchAll(pattern)) {
    const pieces = written.split(/([.,٫٬·˙_'’ʼ‘‛´`′ʹ ]+)/)
    const isFraction = pieces[0] === "" && pieces.length === 3
    const skipped = pieces[0] === "" && !isFraction ? 2 : 0
    const groups = pieces.filter((_, at) => at % 2 === 0).slice(skipped / 2)
    const separators = pieces.filter((_, at) => at % 2 === 1).slice(skipped / 2)
    found.push({
      decimal: decide(groups, separators, isDecimal) ?? "",
      start: index,
      end: index + written.length
    })
  }
  return found
}

const multipliers = new Map<string, ReadonlyMap<string, number>>()

const oneLetter = /^[A-Za-z]$/

/**
 * Factors by word of a language, such as `Mio.`, `тыс.` and `万`, from the compact notation of Intl. A single letter keeps its case, and a
 * space in front if the language writes one: ` M` in French.
 */
const multipliersOf = (locale: string): ReadonlyMap<string, number> => {
  const known = multipliers.get(locale)
  if (known !== undefined) return known
  const made = new Map<string, number>()
  for (const compactDisplay of ["long", "short"] as const) {
    const format = new Intl.NumberFormat(locale, { notation: "compact", compactDisplay, numberingSystem: "latn" })
    for (let exponent = 3; exponent <= 12; exponent++) {
      for (const lead of [1, 2, 5]) {
        const parts = format.formatToParts(lead * 10 ** exponent)
        const at = parts.findIndex(({ type }) => type === "compact")
        const word = plainText(parts[at]?.value ?? "")
        const shown = Number(parts.find(({ type }) => type === "integer")?.value)
        const gap = parts[at - 1]?.type === "literal" ? " " : ""
        const key = oneLetter.test(word) ? gap + word : folded(word).replace(/\.$/, "")
        if (key !== "" && shown > 0) made.set(key, (lead * 10 ** exponent) / shown)
      }
    }
  }
  multipliers.set(locale, made)
  return made
}

/** Factors of letters that the language of the page does not have. */
const letters: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, B: 1e9, T: 1e12 }

/** Words that multiply only beside a currency, because some mean something else: `5 mn` are minutes, `6 Bio Eier` are eggs. */
const ofMoney: ReadonlyMap<string, number> = new Map([
  ["bio", 1e12],
  ["mn", 1e6],
  ["mio", 1e6],
  ["bn", 1e9],
  ["mrd", 1e9]
])

/** A word behind a number, and the text around both. */
interface Magnitude {
  readonly before: string
  readonly gap: string
  readonly word: string
  readonly behind: string
}

/** True for a currency behind the word: `350 k€`, `2 Mio. €`, but not in `3 M € 5`, where it belongs to the next number. */
const isBehind = (tail: string, currency: Currency | undefined): boolean => {
  if (!isSure(currency)) return false
  const next = tail.replace(/^[\s:*]+/, "").slice(currency.symbol.length)
  return !/^[\s:*]/.test(tail) || !/^\.? ?\d/.test(next)
}

/** True if a currency stands beside a number and its word, and the word is no unit, size or part of another word. */
const isMoney = ({ before, behind, gap, word }: Magnitude, locale: string | undefined): boolean => {
  if (/^\p{N}/u.test(behind) || ((gap !== "" || word === "T") && /^-\p{L}/u.test(behind))) return false
  const tail = behind.replace(/^\./, "")
  // `5 m` are metres, unless the currency is joined to the letter. In German, `T€` are thousands.
  const isMetre = word === "m" && gap !== ""
  const isUnit = word === "T" || (isMetre && /^\s/.test(tail))
  if (!isUnit && isBehind(tail, currencyAfter(tail, locale))) return true
  if (isMetre || !isSure(currencyBefore(before, locale))) return false
  // Not in `$20 M, $22 L` and `€5 B Ware`.
  return gap === "" || (word === "T" ? /^[\s.,;:!?)]*$/ : /^(?! ?[,/|]? ?(?:\p{Lu}|\p{Sc}? ?\d))/u).test(behind)
}

/** Factor after a number: `1.2k`, `3 Mio.`, `5万`, and beside a currency `350 k€`; 1 for any other text. */
export const multiplier = (before: string, after: string, locale: string | undefined): number => {
  const [written = "", gap = "", word] = /^( ?)([\p{L}\p{M}]+)/u.exec(after) ?? []
  if (word === undefined) return 1
  const own = locale === undefined ? undefined : multipliersOf(locale)
  const found = { before, gap, word, behind: after.slice(written.length) }
  if (oneLetter.test(word)) {
    const factor = own?.get(word) ?? own?.get(` ${word}`) ?? letters[word]
    if (factor === undefined) return 1
    // A single letter is often a unit, so it multiplies only directly after its number, or as the language writes it. `5 B` are bytes.
    const isWritten = /[kKM]/.test(word) && own?.has(` ${word}`) === true && !/^\p{N}/u.test(found.behind)
    const isCount = gap === "" ? /[kKMB]/.test(word) : isWritten
    return isCount || isMoney(found, locale) ? factor : 1
  }
  const key = folded(word)
  const factor = own?.get(key) ?? multipliersOf("en").get(key)
  const isSurely = factor !== undefined && (key !== "bio" || found.behind.startsWith("."))
  return isSurely || isMoney(found, locale) ? (factor ?? ofMoney.get(key) ?? 1) : 1
}

/** Multiplies a decimal by a factor, without the rounding errors of floating-point numbers. */
export const scaled = (decimal: string, factor: number): number =>
  factor === 1 ? Number(decimal) : Number((Number(decimal) * factor).toPrecision(15))

/** Maximum length of text that is read, in characters. */
export const maxValueText = 1000

/**
 * Reads a number at the beginning, followed by at most a unit (`2 kg`, `1,234 reviews`, `12 %`). Undefined for anything else: `ab 12`, `3
 * of 10`, `15.08.2017`.
 */
export const readNumber = (text: string, tag?: string | undefined): number | undefined => {
  if (text.length > maxValueText) return undefined
  const locale = knownLocale(tag)
  const plain = plainText(text).trim()
  const separator = locale === undefined ? "." : decimalSeparator(locale)
  const [numeral] = numerals(plain, (written) => written === separator)
  if (numeral === undefined || numeral.decimal === "") return undefined
  const before = plain.slice(0, numeral.start)
  const after = plain.slice(numeral.end)
  const sign = /^[(\s~≈≃]*([+\-−–]?) ?(?:\p{Sc} ?)?$/u.exec(before)?.[1]
  if (
    sign === undefined ||
    /\d|^ ?[⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(after) ||
    /^[^\s\p{L}\p{M}%‰°)+*.,;:!\p{Sc}"'“”″′/-]/u.test(after)
  )
    return undefined
  const value = scaled(numeral.decimal, multiplier(before, after, locale))
  return sign === "" || sign === "+" ? value : -value
}

/** Reads a number without a fraction. Also undefined if a JavaScript number cannot hold it exactly. */
export const readInteger = (text: string, tag?: string | undefined): number | undefined => {
  const value = readNumber(text, tag)
  return Number.isSafeInteger(value) ? value : undefined
}
