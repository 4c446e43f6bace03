/**
 * JSON parser that keeps integers beyond 2^53 as strings of digits: `JSON.parse` rounds them silently.
 *
 * A number with a fraction or an exponent is a float to every writer of JSON, and stays one. JSON without large integers is parsed by
 * `JSON.parse` alone. The search for them reads every 16th character only: 16 digits in a row include one of those positions.
 */

/** Number of digits of 2^53. */
const digits = 16

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** True when the bytes contain 16 digits in a row, inside or outside of strings: maybe an integer beyond 2^53. */
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

/** Position after the JSON string that begins at `start`. The input is valid JSON. */
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

/** True when 16 consecutive digits occur outside of strings. */
const hasRunOutside = (text: string): boolean => {
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from)
    const to = quote < 0 ? text.length : quote
    if (hasRun(text, from, to)) return true
    if (quote < 0) return false
    from = behindString(text, quote)
  }
  return false
}

/** Numbers in valid JSON, outside of its strings. */
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parsed JSON, and the first integer that became a string. */
export interface Parsed {
  readonly value: unknown
  readonly kept: string | undefined
}

/** Puts quotes around large integers. Strings are skipped by scanning: a regular expression overflows its stack on strings with many escapes. */
const quote = (text: string) => {
  let kept: string | undefined
  const quoted = (token: string): string => {
    if (token.length < digits || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token))) return token
    kept ??= token
    return `"${token}"`
  }
  let result = ""
  for (let from = 0; from < text.length; ) {
    const start = text.indexOf('"', from)
    const to = start < 0 ? text.length : start
    const end = start < 0 ? to : behindString(text, start)
    const between = text.slice(from, to)
    result += between.length < digits ? between : between.replace(numbers, quoted)
    result += text.slice(to, end)
    from = end
  }
  return { kept, text: result }
}

/** Parses JSON; throws what `JSON.parse` throws. */
export const parse = (text: string): Parsed => {
  const value: unknown = JSON.parse(text)
  if (!hasRun(text, 0, text.length) || !hasRunOutside(text)) return { value, kept: undefined }
  const quoted = quote(text)
  return quoted.kept === undefined ? { value, kept: undefined } : { value: JSON.parse(quoted.text), kept: quoted.kept }
}

/** Warning about integers that became strings. */
export const keptAsString = (place: string, integer: string): string => {
  const shown = integer.length > 40 ? `${integer.slice(0, 39)}…` : integer
  return `${place} has integers beyond 2^53, like ${shown}: they are kept as strings, because numbers would lose digits`
}
