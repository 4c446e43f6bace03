/**
 * JSON parser that keeps integers beyond 2^53 and numbers beyond a double (1e400) as strings. `JSON.parse` rounds the former and turns the
 * latter into infinity, which is written as null.
 *
 * Any other number with a fraction or an exponent is a float for every JSON writer, and stays one. JSON without large numbers is parsed by
 * `JSON.parse` alone. The search for large integers only reads every 16th character: a run of 16 digits includes one of these positions. A
 * number beyond a double has that many digits, or an exponent of three digits.
 */

/** Number of digits of 2^53. */
const digits = 16

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** True if the bytes contain 16 digits in a row, inside or outside of strings: possibly an integer beyond 2^53. */
export const mayHold = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let index = from + digits - 1; index < to; index += digits) {
    if (!isDigit(bytes[index] as number)) continue
    let first = index
    while (first > from && isDigit(bytes[first - 1] as number)) first--
    let end = index + 1
    while (end < to && isDigit(bytes[end] as number)) end++
    if (end - first >= digits) return true
  }
  return false
}

/** Like {@link mayHold}, for a part of a string. */
const hasRun = (text: string, from: number, to: number): boolean => {
  for (let index = from + digits - 1; index < to; index += digits) {
    if (!isDigit(text.charCodeAt(index))) continue
    let first = index
    while (first > from && isDigit(text.charCodeAt(first - 1))) first--
    let end = index + 1
    while (end < to && isDigit(text.charCodeAt(end))) end++
    if (end - first >= digits) return true
  }
  return false
}

/** Position after the JSON string that begins at `start`. Requires valid JSON. */
const behindString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end >= 0) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === "\\") backslashes++
    if (backslashes % 2 === 0) return end + 1
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

/** Matches an exponent that can make a number exceed a double. */
const largeExponent = /[eE]\+?\d{3}/

/** True if JSON text may contain a number beyond a double, inside or outside of strings. */
export const mayOverflow = (text: string): boolean => largeExponent.test(text)

/** True if 16 consecutive digits or a large exponent occur outside of strings. */
const hasRunOutside = (text: string): boolean => {
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from)
    const to = quote < 0 ? text.length : quote
    if (hasRun(text, from, to) || (to - from > 4 && mayOverflow(text.slice(from, to)))) return true
    if (quote < 0) return false
    from = behindString(text, quote)
  }
  return false
}

/** Matches numbers in valid JSON, when applied outside of strings. */
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parsed JSON, and the first number that was kept as a string. */
export interface Parsed {
  readonly value: unknown
  readonly kept: string | undefined
}

/** True for an integer that a double would round, and for a number beyond a double. */
const isTooLarge = (token: string): boolean =>
  /^-?\d+$/.test(token)
    ? token.length >= digits && !Number.isSafeInteger(Number(token))
    : token.length > 4 && !Number.isFinite(Number(token))

/** Puts quotes around numbers that are too large. Scans past strings, because a regular expression overflows its stack on many escapes. */
const quote = (text: string) => {
  let kept: string | undefined
  const quoted = (token: string): string => {
    if (!isTooLarge(token)) return token
    kept ??= token
    return `"${token}"`
  }
  let result = ""
  for (let from = 0; from < text.length; ) {
    const start = text.indexOf('"', from)
    const to = start < 0 ? text.length : start
    const end = start < 0 ? to : behindString(text, start)
    const between = text.slice(from, to)
    result += between.length < 5 ? between : between.replace(numbers, quoted)
    result += text.slice(to, end)
    from = end
  }
  return { kept, text: result }
}

/** Parses JSON; throws the errors of `JSON.parse`. */
export const parse = (text: string): Parsed => {
  const value: unknown = JSON.parse(text)
  if (!(hasRun(text, 0, text.length) || mayOverflow(text)) || !hasRunOutside(text)) return { value, kept: undefined }
  const quoted = quote(text)
  return quoted.kept === undefined ? { value, kept: undefined } : { value: JSON.parse(quoted.text), kept: quoted.kept }
}

/** A number for messages, and which limit it exceeds. */
export const largeNumber = (number: string): { readonly shown: string; readonly isInteger: boolean } => ({
  shown: number.length > 40 ? `${number.slice(0, 39)}…` : number,
  isInteger: /^[+-]?\d+$/.test(number) && number.length < 300
})

/** Warning about numbers that were kept as strings. */
export const keptAsString = (place: string, number: string): string => {
  const { isInteger, shown } = largeNumber(number)
  return isInteger
    ? `${place} has integers beyond 2^53, like ${shown}: they are kept as strings, because numbers would lose digits`
    : `${place} has numbers that are too large, like ${shown}: they are kept as strings, because a number would be infinite`
}
