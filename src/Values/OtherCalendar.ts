/**
 * Dates in calendars that pages of some countries use besides the Gregorian one: Persian, Islamic, Buddhist, and the eras of Japan and
 * Taiwan.
 */

export type OtherCalendar = "persian" | "islamic-umalqura" | "buddhist"

const calendars: Readonly<Record<string, OtherCalendar>> = {
  fa: "persian",
  ps: "persian",
  ar: "islamic-umalqura",
  th: "buddhist"
}

/** Calendar that pages in a language use besides the Gregorian one. */
export const otherCalendar = (locale: string | undefined): OtherCalendar | undefined =>
  locale === undefined ? undefined : calendars[locale.split("-", 1)[0] ?? ""]

/** True for years of the other calendar. As Gregorian years they would be too early or too late to be on a page. */
export const isOtherYear = (year: number, calendar: OtherCalendar): boolean =>
  calendar === "buddhist" ? year >= 2400 && year < 2700 : year >= 1300 && year < 1500

const formats = new Map<OtherCalendar, Intl.DateTimeFormat>()

const formatOf = (calendar: OtherCalendar): Intl.DateTimeFormat => {
  const options = {
    calendar,
    numberingSystem: "latn",
    timeZone: "UTC",
    year: "numeric",
    month: "numeric",
    day: "numeric"
  } as const
  const made = formats.get(calendar) ?? new Intl.DateTimeFormat("en", options)
  formats.set(calendar, made)
  return made
}

/** Estimate of a Gregorian day, at most three days off. */
const near = (calendar: OtherCalendar, year: number, month: number, day: number): number =>
  calendar === "buddhist"
    ? Date.UTC(year - 543, month - 1, day)
    : calendar === "persian"
      ? Date.UTC(year + 621, 2, 20 + (month - 1) * 31 - Math.max(0, month - 7) + day)
      : Date.UTC(622, 6, 18) + Math.round((year - 1) * 354.367 + (month - 1) * 29.53 + day - 1) * 86_400_000

/** Gregorian day as milliseconds in UTC. Undefined for a day that the calendar does not have. */
export const fromCalendar = (calendar: OtherCalendar, year: number, month: number, day: number): number | undefined => {
  const guess = near(calendar, year, month, day)
  for (const offset of [0, -1, 1, -2, 2, -3, 3]) {
    const at = guess + offset * 86_400_000
    const parts = new Map(
      formatOf(calendar)
        .formatToParts(at)
        .map(({ type, value }) => [type, Number(value)])
    )
    const isSame = parts.get("year") === year && parts.get("month") === month && parts.get("day") === day
    if (isSame) return at
  }
  return undefined
}

const eras: ReadonlyArray<readonly [names: RegExp, yearZero: number]> = [
  [/(?:令和|R)\s?(\d{1,2}|元)(?=年|\.)/, 2018],
  [/(?:平成|H)\s?(\d{1,2}|元)(?=年|\.)/, 1988],
  [/昭和\s?(\d{1,2}|元)(?=年)/, 1925],
  [/民[國国]\s?(\d{1,3}|元)(?=年)/, 1911]
]

/** Replaces the year of a Japanese or Taiwanese era with the Gregorian year: `令和6年` becomes `2024年`. */
export const withoutEras = (text: string): string =>
  eras.reduce(
    (text, [era, zero]) => text.replace(era, (_, year: string) => String(zero + (year === "元" ? 1 : Number(year)))),
    text
  )
