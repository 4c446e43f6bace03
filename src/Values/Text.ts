/** Normalizes text: one form for digits, spaces, accents and case for the readers of values; one line, and escapes for markup. */
import { remember } from "./Remember.ts"

const anyDigit = /[^\P{Nd}0-9]/gu
const oneDigit = /^\p{Nd}$/u

/** Value of a digit of any script. The digits of a script are ten consecutive characters, zero first. */
const digitValue = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (oneDigit.test(String.fromCodePoint(start - 1))) start--
  return String((code - start) % 10)
}

const digits = new Map<string, string>()

/**
 * Converts digits of every script to 0 to 9 and every kind of space to a space, and removes marks that only control the writing direction.
 */
export const plainText = (text: string): string => {
  if (isAscii(text)) return text
  return text
    .replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
    .replace(anyDigit, (digit) => {
      const known = digits.get(digit)
      if (known !== undefined) return known
      const value = digitValue(digit)
      digits.set(digit, value)
      return value
    })
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\s/g, " ")
}

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 126) return false
  return true
}

/** Lower case without accents and without vowel points of Arabic and Hebrew: `Décembre` becomes `decembre`. Expects {@link plainText}. */
export const folded = (text: string): string => {
  const lower = text.toLowerCase()
  return isAscii(lower)
    ? lower
    : lower
        .normalize("NFKD")
        .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670]/g, "")
        .replace(/[’ʼ‘`´ʻ]/g, "'")
        .replace(/ı/g, "i")
}

/** Maximum characters of a language tag. */
const maxTag = 50

/** Locale for a tag, as Intl knows it; undefined if the tag is malformed or its language unknown. */
export const knownLocale = (tag: string | undefined): string | undefined =>
  tag === undefined || tag.length > maxTag ? undefined : localeOf(tag)

const localeOf = remember(1000, (tag): string | undefined => {
  // Some pages write `de_DE` or `zh_Hant_TW.UTF-8`.
  const clean = tag.trim().replace(/_/g, "-").replace(/\..*$/, "")
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(clean) ? supported(clean) : undefined
})

const supported = (tag: string): string | undefined => {
  const simple = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?(?=-|$)/.exec(tag)?.[0]
  return simple === undefined ? undefined : Intl.NumberFormat.supportedLocalesOf([simple])[0]
}

/** Removes soft hyphens, which only mark where a word may be divided. */
export const withoutSoftHyphens = (text: string): string =>
  text.includes("\u00ad") ? text.replaceAll("\u00ad", "") : text

/** Pattern that matches exactly this text. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Replaces line breaks and runs of spaces by one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Like {@link oneLine}, also without control characters. */
export const printableLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, " ").trim()

/** Adds a final line break, so that a missing one is not a difference. */
export const withLineEnd = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

/** Escapes text for the content of an element. */
export const escapeContent = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Escapes text for HTML, also for attributes in double quotes. */
export const escapeHtml = (text: string): string => escapeContent(text).replaceAll('"', "&quot;")

/** True for the first code unit of a character of two, which must not be cut apart. */
export const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00
