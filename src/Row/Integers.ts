/**
 * Integers beyond 2^53 in JSON: `JSON.parse` rounds them silently, so they are kept as strings of their digits.
 *
 * Only integers are kept. A number with a fraction or an exponent is a float to every writer of JSON, and is read as one.
 * Text without such integers is read by `JSON.parse` alone: a run of 16 digits or more has a digit at every 16th position,
 * so that looking for one touches a sixteenth of the text.
 */

/** 2^53 is written with so many digits. */
const digits = 16

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** True when the bytes hold 16 digits in a row, so maybe an integer beyond 2^53; digits inside strings count, too. */
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

/** The same between two positions of a string. */
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

/** Parsed JSON, and the first integer that was kept as a string. */
export interface Parsed {
  readonly value: unknown
  readonly kept: string | undefined
}

/** Puts quotes around large integers. Strings are skipped by scanning: a regular expression overflows its stack on many escapes. */
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

/** Said once where such an integer was kept. */
export const keptAsString = (place: string, integer: string): string => {
  const shown = integer.length > 40 ? `${integer.slice(0, 39)}…` : integer
  return `${place} has integers beyond 2^53, like ${shown}: they are kept as strings, because numbers would lose digits`
}
