/**
 * Formats cell values by their number formats, in the same way for every type and size of sheet.
 *
 * Dates are written by `SheetDates.ts`, numbers by the library SheetJS. It gets the decimal number that Excel would round, and a format
 * without unquoted text. If SheetJS refuses a format, the plain number is shown, and the format is added to `refused`.
 */
import * as Xlsx from "@e965/xlsx"
import { isDateSection, readDateFormat, writeDate } from "./SheetDates.ts"

export interface Formats {
  readonly number: (value: number, format: string) => string
  /** Formats an ISO date such as `2026-05-01T06:00:00`. */
  readonly date: (value: string, format: string) => string
  readonly text: (value: string | boolean, format: string) => string
  /** Formats that could not be applied. */
  readonly refused: ReadonlySet<string>
}

type Show = (value: number) => string | undefined

interface Section {
  readonly show: Show
  readonly condition: readonly [operator: string, limit: number] | undefined
}

/** Splits at semicolons outside of quotes. */
const sectionsOf = (format: string): ReadonlyArray<string> => {
  const sections = [""]
  for (const [part] of format.matchAll(/"[^"]*"?|\\.|\[[^\]]*\]|_.|\*.|./gsu)) {
    if (part === ";") sections.push("")
    else sections[sections.length - 1] += part
  }
  return sections
}

/** Maximum significant digits of a number in Excel. */
const digits = 15

/** Writes a number without a format. Whole numbers keep all digits, because they may be identifiers. */
export const general = (value: number): string => {
  if (Number.isSafeInteger(value)) return String(value)
  const size = Math.abs(value)
  return size >= 1e10 && size < 1e15 ? String(Number(value.toPrecision(digits))) : Xlsx.SSF.format("General", value)
}

const literal = /"([^"]*)"?|\\(.)|_(.)|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|(.)/gsu

/** Literal text of a part of a format without placeholders. */
const textOf = (part: string): string =>
  part.replace(literal, (_, quoted, escaped, space, currency, other) =>
    space === undefined ? (quoted ?? escaped ?? currency ?? other ?? "") : " "
  )

/** Characters that SheetJS accepts as part of a number format; it refuses most others. */
const known = /^[\d#?.,%+\-/@ ():$]$/

/** Quotes everything that is not a placeholder, and drops the parts that only fill the width of a cell. */
const quoted = (section: string): string => {
  let out = ""
  for (const [part] of section.matchAll(/"[^"]*"?|\\.|\[[^\]]*\]|_.|\*.|E[+-]|./gsu)) {
    if (part.startsWith("*")) continue
    if (part.startsWith("[") && !part.startsWith("[$")) continue
    out += part.length > 1 || known.test(part) ? part : `\\${part}`
  }
  return out
}

/** Number of decimals that a section shows; undefined for exponents and fractions. */
const decimalsOf = (section: string): number | undefined => {
  const bare = section.replace(/"[^"]*"?|[\\_*].|\[[^\]]*\]/gsu, "")
  if (/E[+-]|\//.test(bare) || !/[0#?]/.test(bare)) return undefined
  const decimals = /\.([0#?]*)/.exec(bare)?.[1]?.length ?? 0
  const thousands = /[0#?](,+)(?![0#?,])/.exec(bare)?.[1]?.length ?? 0
  return decimals + 2 * (bare.match(/%/g)?.length ?? 0) - 3 * thousands
}

/** Rounds the decimal of 15 digits that Excel keeps, not the binary number: 1.005 to two decimals is 1.01. */
const rounded = (value: number, decimals: number): number => {
  const size = Math.abs(value)
  if (size >= 1e15) return value
  const shifted = Math.round(Number(`${Number(size.toPrecision(digits))}e${decimals}`.replace(/e(-?\d+)e/, "e")))
  const result = Number(`${shifted}e${-decimals}`)
  return result === 0 || !Number.isFinite(result) ? value : Math.sign(value) * result
}

/** True for numbers from 1e15, for which SheetJS would write digits beyond the 15 that Excel stores. */
const isHuge = (value: number): boolean => Math.abs(value) >= 1e15 && Math.abs(value) < 1e300

/** Formats a huge number: `one` is the number 1 in the wanted format, and its digit is replaced with the digits of the number. */
const withHugeDigits = (value: number, one: string, grouped: boolean): string => {
  const [mantissa = "", exponent = "0"] = Math.abs(value)
    .toExponential(digits - 1)
    .split("e")
  const all = mantissa.replace(".", "").padEnd(Number(exponent) + 1, "0")
  return one.replace("1", grouped ? all.replace(/\B(?=(?:\d{3})+$)/g, ",") : all)
}

const showOf = (section: string, date1904: boolean): Show => {
  const at = /^(?:"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|[^"\\[_*])*?(General)/is.exec(section)
  if (at !== null) {
    const start = at[0].length - "General".length
    const [before, after] = [textOf(section.slice(0, start)), textOf(section.slice(at[0].length))]
    return (value) => `${before}${general(value)}${after}`
  }
  if (isDateSection(section)) {
    const format = readDateFormat(section)
    return (value) => writeDate(value, format, date1904)
  }
  const format = quoted(section)
  const bare = textOf(section).trim() === "" && !/[0#?@]/.test(format)
  const decimals = decimalsOf(section)
  const write = (value: number): string => Xlsx.SSF.format(format, value)
  if (bare) return () => ""
  if (/@/.test(format) && decimals === undefined) {
    const [before = "", after = ""] = format.split("@").map(textOf)
    return (value) => `${before}${general(value)}${after}`
  }
  return (value) => {
    if (decimals === undefined) return write(value)
    if (isHuge(value) && decimals >= 0 && !format.includes("%"))
      return withHugeDigits(value, write(Math.sign(value)), /[0#?],[0#?]/.test(format))
    return write(rounded(value, decimals))
  }
}

const conditionOf = (section: string): Section["condition"] => {
  const [, operator, limit] = /\[(=|<>|[<>]=?)\s*(-?[\d.]+)\]/.exec(section) ?? []
  return operator === undefined ? undefined : [operator, Number(limit)]
}

const holds = (value: number, [operator, limit]: readonly [string, number]): boolean =>
  operator === "="
    ? value === limit
    : operator === "<>"
      ? value !== limit
      : (operator.startsWith("<") ? value < limit : value > limit) || (operator.endsWith("=") && value === limit)

/** Compiles a format to a function that formats numbers. */
const compile = (format: string, date1904: boolean): Show => {
  const all = sectionsOf(format)
  const numeric = all.length === 4 || /@/.test(all.at(-1) ?? "") ? all.slice(0, all.length === 1 ? 1 : -1) : all
  const sections = numeric.map((section) => ({
    condition: conditionOf(section),
    show: showOf(section, date1904)
  }))
  const [first, second, third] = sections
  if (first === undefined) return general
  if (second === undefined && first.condition === undefined) return first.show
  if (first.condition === undefined && second?.condition === undefined)
    return (value) =>
      value > 0 || (value === 0 && third === undefined)
        ? first.show(value)
        : value < 0
          ? (second ?? first).show(-value)
          : (third ?? first).show(value)
  return (value) => {
    const chosen =
      sections.find(({ condition }) => condition !== undefined && holds(value, condition)) ?? sections.at(-1)
    const [operator = "", limit = 0] = chosen?.condition ?? []
    return chosen?.show(operator.startsWith("<") && operator !== "<>" && limit <= 0 ? Math.abs(value) : value)
  }
}

/** Result of a SheetJS function; undefined if it throws, as it does for unknown formats. */
const attempt = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Creates the formats of a workbook. */
export const makeFormats = (date1904: boolean): Formats => {
  const compiled = new Map<string, Show>()
  const refused = new Set<string>()
  const refuse = <A>(format: string, value: A): A => {
    refused.add(format)
    return value
  }
  const number = (value: number, format: string): string => {
    let show = compiled.get(format)
    if (show === undefined) {
      show = attempt(() => compile(format, date1904)) ?? (() => undefined)
      compiled.set(format, show)
    }
    const run = show
    return (attempt(() => run(value)) ?? refuse(format, general(value))).trim()
  }
  return {
    refused,
    number,
    date: (value, format) => {
      const millis = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(value) ? value : `${value.trim()}Z`)
      if (format === "General" || Number.isNaN(millis)) return value.trim().replace(/T00:00:00(?:\.0+)?Z?$/, "")
      return number(millis / 86_400_000 + (date1904 ? 24_107 : 25_569), format)
    },
    text: (value, format) => {
      if (typeof value === "boolean") return String(value).toUpperCase()
      if (format === "General" || format === "@") return value.trim()
      const sections = sectionsOf(format)
      const section = sections.at(-1) ?? ""
      // Only a section for text, the fourth or one with `@`, changes a text value.
      const isForText = sections.length === 4 || section.includes("@")
      return (isForText ? textOf(section).replaceAll("@", () => value) : value).trim()
    }
  }
}
