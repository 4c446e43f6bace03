/** Writes the serial dates of sheets as Excel and LibreOffice show them, with names in the language of the format. */

/** Languages by primary language number of Windows, from 1. */
const languages =
  "ar bg ca zh cs da de el en es fi fr he hu is it ja ko nl nb pl pt rm ro ru hr sk sq sv th tr ur id uk be sl et lv lt tg fa vi hy az eu".split(
    " "
  )

/** Language in a bracket such as `$-407` or `$-de-DE`; undefined for the system's language. */
const languageOf = (bracket: string): string | undefined => {
  const code = /-(?:x-)?([\w-]+)$/.exec(bracket)?.[1] ?? ""
  if (/^[a-z]{2}(?:-[A-Za-z]{2,4})*$/.test(code)) return code
  const number = /^[\da-f]+$/i.test(code) ? Number.parseInt(code, 16) & 0xffff : 0
  return number === 0x404 ? "zh-TW" : languages[(number & 0x3ff) - 1]
}

type Unit = "year" | "month" | "day" | "hour" | "minute" | "second" | "fraction" | "half" | "era" | "eraYear" | "thai"

interface Token {
  readonly unit: Unit | "text"
  /** Characters of the token, such as `yyyy`, without the brackets of elapsed time (`[h]`). */
  readonly as: string
  readonly elapsed?: boolean
}

export interface DateFormat {
  readonly tokens: ReadonlyArray<Token>
  readonly language: string | undefined
  /** Number of decimals of the seconds. */
  readonly decimals: number
  readonly halves: boolean
  /** True if the format shows a year, month or day. */
  readonly hasDay: boolean
}

const syntax =
  /"([^"]*)"?|\\(.)|_(.)|\*.|\[(h+|m+|s+)\]|\[([^\]]*)\]|(AM\/PM|A\/P|上午\/下午)|(y+|m+|d+|h+|s+|g+|e+|b+)|(\.0+)|(.)/gisu

const units: Readonly<Record<string, Unit>> = {
  y: "year",
  m: "month",
  d: "day",
  h: "hour",
  s: "second",
  g: "era",
  e: "eraYear",
  b: "thai"
}

/** Reads a section of a date format. Everything that is not part of a date is text, because formats often leave out the quotes. */
export const readDateFormat = (section: string): DateFormat => {
  const tokens: Array<Token> = []
  let language: string | undefined
  for (const [whole, quoted, escaped, space, elapsed, bracket, half, letters, decimals, other] of section.matchAll(
    syntax
  )) {
    const before = tokens.findLast(({ unit }) => unit !== "text")
    if (elapsed !== undefined)
      tokens.push({ unit: elapsedUnits[elapsed[0]?.toLowerCase() ?? ""] ?? "hour", as: elapsed, elapsed: true })
    else if (bracket !== undefined) language ??= bracket.startsWith("$") ? languageOf(bracket) : undefined
    else if (half !== undefined) tokens.push({ unit: "half", as: half })
    else if (letters !== undefined)
      tokens.push({ unit: units[letters[0]?.toLowerCase() ?? ""] ?? "text", as: letters.toLowerCase() })
    else if (decimals !== undefined && before?.unit === "second") tokens.push({ unit: "fraction", as: decimals })
    else if (space !== undefined) tokens.push({ unit: "text", as: " " })
    else if (!whole.startsWith("*")) tokens.push({ unit: "text", as: quoted ?? escaped ?? decimals ?? other ?? "" })
  }
  const withMinutes = minutesOf(tokens)
  return {
    tokens: withMinutes,
    language,
    decimals: Math.max(0, ...withMinutes.map(({ as, unit }) => (unit === "fraction" ? as.length - 1 : 0))),
    halves: withMinutes.some(({ unit }) => unit === "half"),
    hasDay: withMinutes.some(({ unit }) => ["year", "month", "day", "era", "eraYear", "thai"].includes(unit))
  }
}

const elapsedUnits: Readonly<Record<string, Unit>> = { h: "hour", m: "minute", s: "second" }

/** Turns `m` next to hours or seconds into minutes. */
const minutesOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const dated = tokens.filter(({ unit }) => unit !== "text" && unit !== "half")
  return tokens.map((token) => {
    if (token.unit !== "month" || token.as.length > 2) return token
    const at = dated.indexOf(token)
    return dated[at - 1]?.unit === "hour" || dated[at + 1]?.unit === "second" ? { ...token, unit: "minute" } : token
  })
}

/** True for a section that shows dates or times: it has date letters, and no digits except decimals of seconds. */
export const isDateSection = (section: string): boolean => {
  const bare = section.replace(/"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gis, "")
  return /[ymdhs]|g+e|^e+$/i.test(bare) && !/[0#?@]/.test(bare.replace(/(s[^\w.]*)\.0+/gi, "$1"))
}

interface Instant {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
}

const dayMillis = 86_400_000

/** Last serial number of Excel: 31 December 9999. */
export const maxSerial = 2_958_465

/** Day of a serial number. Like Excel, counts two days that never existed: 0 January and 29 February 1900. */
const dayOf = (serial: number): Instant => {
  if (serial === 60) return { year: 1900, month: 2, day: 29, weekday: 3 }
  if (serial === 0) return { year: 1900, month: 1, day: 0, weekday: 6 }
  const date = new Date(Date.UTC(1899, 11, serial > 60 || serial < 0 ? 30 : 31) + serial * dayMillis)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: (((serial + 6) % 7) + 7) % 7
  }
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0")

const formatters = new Map<string, Intl.DateTimeFormat>()

const partOf = (language: string, options: Intl.DateTimeFormatOptions, type: string, date: Date): string => {
  const key = `${language} ${JSON.stringify(options)}`
  const known = formatters.get(key)
  const formatter = known ?? new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" })
  if (known === undefined) formatters.set(key, formatter)
  return formatter.formatToParts(date).find((part) => part.type === type)?.value ?? ""
}

const english = {
  months: "January February March April May June July August September October November December".split(" ")
}
const englishDays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ")

const monthName = ({ day, month, year }: Instant, as: string, { language, tokens }: DateFormat): string => {
  const name = english.months[month - 1] ?? ""
  if (as.length === 5)
    return language === undefined ? name.slice(0, 1) : localMonth(language, "long", false).slice(0, 1)
  if (language === undefined || /^en/.test(language)) return as.length === 3 ? name.slice(0, 3) : name
  // Beside a day, some languages inflect the month name.
  const inflected = as.length === 4 && tokens.some(({ as: other, unit }) => unit === "day" && other.length < 3)
  return localMonth(language, as.length === 3 ? "short" : "long", inflected)

  function localMonth(tag: string, length: "short" | "long", withDay: boolean): string {
    const date = new Date(Date.UTC(year, month - 1, Math.max(1, day)))
    const options = { month: length, ...(withDay && { day: "numeric" as const }) }
    return partOf(`${tag}-u-ca-gregory`, options, "month", date).replace(/\.$/, "")
  }
}

const dayName = ({ day, month, weekday, year }: Instant, as: string, { language }: DateFormat): string => {
  const name = englishDays[weekday] ?? ""
  if (language === undefined || /^en/.test(language)) return as.length === 3 ? name.slice(0, 3) : name
  const date = new Date(Date.UTC(year, month - 1, Math.max(1, day)))
  return partOf(language, { weekday: as.length === 3 ? "short" : "long" }, "weekday", date).replace(/\.$/, "")
}

const eraName = ({ day, month, year }: Instant, as: string, language = ""): string => {
  if (language === "zh-TW") return as.length > 2 ? "中華民國" : "民國"
  if (!language.startsWith("ja")) return ""
  const era = as.length === 1 ? "narrow" : "short"
  const name = partOf("ja-JP-u-ca-japanese", { era, year: "numeric" }, "era", new Date(Date.UTC(year, month - 1, day)))
  return as.length === 2 ? name.slice(0, 1) : name
}

const eraYear = ({ day, month, year }: Instant, as: string, language = ""): string => {
  if (language === "zh-TW") return pad(year - 1911, as.length)
  if (!language.startsWith("ja")) return String(year)
  const date = new Date(Date.UTC(year, month - 1, day))
  const count = partOf("ja-JP-u-ca-japanese", { era: "short", year: "numeric" }, "year", date)
  return (count === "元" ? "1" : count).padStart(Math.min(2, as.length), "0")
}

/** Writes a serial number as a date; undefined if it is not one. Days before the first day are counted backwards. */
export const writeDate = (serial: number, format: DateFormat, date1904: boolean): string | undefined => {
  const { decimals, halves, hasDay, language, tokens } = format
  if (serial < 0 && !hasDay) {
    const positive = writeDate(-serial, format, false)
    return positive === undefined ? undefined : `-${positive}`
  }
  const scale = 10 ** decimals
  const whole = Math.round(serial * 86_400 * scale) / scale
  const shifted = whole + (date1904 && hasDay ? 1462 * 86_400 : 0)
  if (!(Math.abs(shifted) < (maxSerial + 1) * 86_400)) return undefined
  const instant = dayOf(Math.floor(shifted / 86_400))
  const seconds = shifted - Math.floor(shifted / 86_400) * 86_400
  const hour = Math.floor(seconds / 3600)
  let out = ""
  for (const { as, elapsed = false, unit } of tokens) {
    const width = Math.min(as.length, 2)
    switch (unit) {
      case "text":
        out += as
        break
      case "year":
        out += as.length <= 2 ? pad(instant.year % 100, 2) : String(instant.year)
        break
      case "month":
        out += as.length <= 2 ? pad(instant.month, width) : monthName(instant, as, format)
        break
      case "day":
        out += as.length <= 2 ? pad(instant.day, width) : dayName(instant, as, format)
        break
      case "hour":
        out += elapsed ? pad(Math.floor(whole / 3600), as.length) : pad(halves ? hour % 12 || 12 : hour, width)
        break
      case "minute":
        out += elapsed ? pad(Math.floor(whole / 60), as.length) : pad(Math.floor(seconds / 60) % 60, width)
        break
      case "second":
        out += elapsed ? pad(Math.floor(whole), as.length) : pad(Math.floor(seconds) % 60, width)
        break
      case "fraction":
        out += (seconds % 1).toFixed(decimals).slice(1, as.length + 1)
        break
      case "half":
        out += as.split("/")[hour < 12 ? 0 : 1] ?? ""
        break
      case "era":
        out += eraName(instant, as, language)
        break
      case "eraYear":
        out += eraYear(instant, as, language)
        break
      case "thai":
        out += as.length <= 2 ? pad((instant.year + 543) % 100, 2) : String(instant.year + 543)
    }
  }
  return out
}
