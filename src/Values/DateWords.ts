/** Names of months and weekdays, words for halves of the day, and the order of day, month and year, in any language that Intl knows. */
import { type OtherCalendar, otherCalendar } from "./OtherCalendar.ts"
import { remember } from "./Remember.ts"
import { folded, plainText } from "./Text.ts"

export type Order = "DMY" | "MDY" | "YMD"

export interface DateWords {
  readonly locale: string
  /** Month (1 to 12) by name of one word. */
  readonly months: ReadonlyMap<string, number>
  /** Month names with several words or a number, longest first: `tháng 12`. */
  readonly monthPhrases: ReadonlyArray<readonly [phrase: string, month: number]>
  /** Weekday by name, from 0 (Sunday) to 6. */
  readonly weekdays: ReadonlyMap<string, number>
  /** Weekday names with several words: in Welsh, the name of Tuesday contains that of March. */
  readonly weekdayPhrases: ReadonlyArray<string>
  /** Words for halves of the day: true for the afternoon (pm), false for the morning (am). */
  readonly isAfternoon: ReadonlyMap<string, boolean>
  readonly order: Order
  /** Words that connect the parts of a date: `um`, `de`, `г.` */
  readonly links: ReadonlySet<string>
  /** Month names of the language's other calendar, as in Persian. */
  readonly otherMonths: ReadonlyArray<readonly [name: string, month: number]>
  readonly calendar: OtherCalendar | undefined
  /** Month names in scripts that need no spaces around words. */
  readonly unspacedMonths: ReadonlyArray<readonly [name: string, month: number]>
}

/** Form for comparing words: in lower case, without accents and dots. Expects the result of {@link plainText}. */
export const wordKey = (word: string): string => folded(word).replace(/\./g, "").trim()

/** Month names in use besides those of CLDR. */
const moreMonths: Readonly<Record<string, string>> = {
  vi: "tháng_một tháng_hai tháng_ba tháng_tư tháng_năm tháng_sáu tháng_bảy tháng_tám tháng_chín tháng_mười tháng_mười_một tháng_mười_hai",
  be: "- - - - травень/траўня",
  cs: "- unr",
  bn: "জানুয়ারী ফেব্রুয়ারী",
  hi: "- - - - - - - - सितम्बर अक्तूबर नवम्बर दिसम्बर"
}

/** Words that CLDR does not have, or no longer has: between parts of a date, and for halves of the day. */
const moreLinks =
  "at on the of um uhr uur klo kl kell ore ora hs hrs hod h de del di du le la el à a às o u om den dne dnia am at в у о г год года р рік року ч час часа часов та ve ja i e y und and et kor las los alle as ב the st nd rd th i and by time"
const moreHalves: Readonly<Record<string, readonly [am: string, pm: string]>> = {
  hi: ["पूर्वाह्न", "अपराह्न"],
  mr: ["म.पू.", "म.उ."],
  zh: ["早上 凌晨", "晚上 中午"],
  ko: ["오전 새벽 아침", "오후 저녁 밤"],
  ja: ["午前", "午後"],
  el: ["πμ", "μμ"]
}

/** Minimum letters of an abbreviation of a month name. */
const minPrefix = 3

const baseDay = (month: number, day: number) => Date.UTC(2023, month, day)

const formatter = (locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { calendar: "gregory", numberingSystem: "latn", timeZone: "UTC", ...options })

const partOf = (format: Intl.DateTimeFormat, at: number, wanted: string): string | undefined =>
  format.formatToParts(at).find(({ type }) => type === wanted)?.value

const orderOf = (locale: string): Order => {
  const parts = formatter(locale, { dateStyle: "short" }).formatToParts(0)
  const [first] = parts.flatMap(({ type }) => (type === "day" || type === "month" || type === "year" ? type : []))
  return first === "year" ? "YMD" : first === "month" ? "MDY" : "DMY"
}

/** Locales with both scripts of languages that are written in two: pages rarely declare the script. */
const otherScripts: Readonly<Record<string, ReadonlyArray<string>>> = {
  sr: ["sr-Cyrl", "sr-Latn"],
  bs: ["bs-Latn", "bs-Cyrl"],
  uz: ["uz-Latn", "uz-Cyrl"],
  az: ["az-Latn", "az-Cyrl"]
}

/** Locales whose words count for a locale: itself, and its language in other scripts. */
export const variantsOf = (locale: string): ReadonlyArray<string> => [
  ...new Set([locale, ...(otherScripts[new Intl.Locale(locale).language] ?? [])])
]

/** Months by name, without names that mean two months. */
const monthsOf = (locale: string): ReadonlyMap<string, number> => {
  const made = new Map<string, number>()
  const add = (name: string, month: number) => {
    const key = wordKey(plainText(name))
    if (key !== "" && !/^\d+\D?$/.test(key)) made.set(key, (made.get(key) ?? month) === month ? month : 0)
  }
  for (const variant of variantsOf(locale)) {
    for (const month of ["long", "short"] as const) {
      for (const more of [{}, { day: "numeric" }] as const) {
        const format = formatter(variant, { month, ...more })
        for (let index = 0; index < 12; index++) add(partOf(format, baseDay(index, 1), "month") ?? "", index + 1)
      }
    }
  }
  const [language = ""] = locale.split("-")
  for (const [index, names] of (moreMonths[language] ?? "").split(" ").entries()) {
    for (const name of names.split("/")) if (name !== "-") add(name.replace(/_/g, " "), index + 1)
  }
  return new Map([...made].filter(([, month]) => month > 0))
}

/** Months of another calendar by name, longest first. */
const monthsOfCalendar = (locale: string, calendar: OtherCalendar): DateWords["otherMonths"] => {
  const format = formatter(locale, { calendar, month: "long" })
  const number = formatter("en", { calendar, month: "numeric" })
  const made = new Map<string, number>()
  // Days throughout a year and a month, so that every month of the calendar contains one of them.
  for (let day = 0; day < 400; day += 14) {
    const name = wordKey(plainText(partOf(format, baseDay(0, day), "month") ?? ""))
    made.set(name, Number(partOf(number, baseDay(0, day), "month")))
  }
  return [...made].sort(([one], [other]) => other.length - one.length)
}

const build = (locale: string): DateWords => {
  const calendar = otherCalendar(locale)
  const [language = ""] = locale.split("-")
  const months = monthsOf(locale)
  const weekdays = new Map<string, number>()
  const isAfternoon = new Map<string, boolean>([
    ["am", false],
    ["pm", true]
  ])
  const links = new Set(moreLinks.split(" ").map(wordKey))
  for (const variant of variantsOf(locale)) {
    for (const weekday of ["long", "short"] as const) {
      const format = formatter(variant, { weekday })
      // The first of January 2023 is a Sunday.
      for (let day = 0; day < 7; day++)
        weekdays.set(wordKey(plainText(partOf(format, baseDay(0, day + 1), "weekday") ?? "")), day)
    }
    const half = formatter(variant, { hour: "numeric", hour12: true })
    for (const [hour, isLate] of [
      [1, false],
      [13, true]
    ] as const) {
      const name = partOf(half, Date.UTC(2023, 0, 1, hour), "dayPeriod")
      if (name !== undefined) isAfternoon.set(wordKey(plainText(name)).replace(/\s/g, ""), isLate)
    }
    const full = formatter(variant, { dateStyle: "full", timeStyle: "short" }).formatToParts(0)
    for (const { type, value } of full) {
      if (type === "literal")
        for (const word of value.match(/[\p{L}\p{M}]+/gu) ?? []) {
          links.add(wordKey(word))
          // Welsh `am` means "at", so it is no word for the morning.
          isAfternoon.delete(wordKey(word))
        }
    }
  }
  for (const [index, words] of (moreHalves[language] ?? []).entries()) {
    for (const word of words.split(" ")) isAfternoon.set(wordKey(word), index === 1)
  }
  const names = [...months]
  return {
    locale,
    months: new Map(names.filter(([name]) => !/[\d\s]/.test(name))),
    monthPhrases: names.filter(([name]) => /[\d\s]/.test(name)).sort(([one], [other]) => other.length - one.length),
    weekdays,
    weekdayPhrases: [...weekdays.keys()].filter((name) => name.includes(" ")),
    isAfternoon,
    order: orderOf(locale),
    links,
    calendar,
    otherMonths: calendar === undefined || calendar === "buddhist" ? [] : monthsOfCalendar(locale, calendar),
    unspacedMonths: names.filter(
      ([name]) => name.length >= minPrefix && !/[\d\s\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name)
    )
  }
}

/** Words of a locale, from Intl. Built at first use, which takes about 30 ms. */
export const dateWords = remember(200, build)

/**
 * Value of the names that the word abbreviates; if there are none, of the names to which it adds up to three letters, such as a case
 * ending. Undefined if the names found have different values.
 */
const near = (word: string, names: ReadonlyMap<string, number>, min: number): number | undefined => {
  if (word.length < min) return undefined
  const found = new Set<number>()
  for (const [name, value] of names) if (name.startsWith(word)) found.add(value)
  if (found.size === 0) {
    for (const [name, value] of names)
      if (name.length >= 4 && word.startsWith(name) && word.length <= name.length + 3) found.add(value)
  }
  const [only] = found
  return found.size === 1 ? only : undefined
}

/** Caches the results of a function, because the words of a column repeat. */
const memoized = (find: (word: string, words: DateWords) => number | undefined) => {
  const found = new WeakMap<DateWords, (word: string) => number | undefined>()
  return (word: string, words: DateWords): number | undefined => {
    const valueOf = found.get(words) ?? remember(1000, (each) => find(each, words))
    found.set(words, valueOf)
    return valueOf(word)
  }
}

/** Month for a name, an abbreviation, or a grammatical case of a name. */
export const monthNamed = memoized(
  (word, { months, weekdays }) => months.get(word) ?? (weekdays.has(word) ? undefined : near(word, months, minPrefix))
)

/** Weekday for a name or an abbreviation. */
export const weekdayNamed = memoized((word, { weekdays }) => weekdays.get(word) ?? near(word, weekdays, 2))

let everywhere: ReadonlyMap<string, number> | undefined

/** Month for a name that means the same in all languages that have it. Built at first use, which takes about 150 ms. */
export const monthAnywhere = (word: string): number | undefined => {
  if (everywhere === undefined) {
    const letters = Array.from("abcdefghijklmnopqrstuvwxyz")
    const tags = letters.flatMap((first) => letters.map((second) => first + second))
    const made = new Map<string, number>()
    // `de-AT` adds `Jänner`.
    for (const locale of Intl.DateTimeFormat.supportedLocalesOf([...tags, "de-AT"])) {
      for (const [name, month] of monthsOf(locale)) {
        if (name.length >= minPrefix) made.set(name, (made.get(name) ?? month) === month ? month : 0)
      }
    }
    everywhere = made
  }
  return everywhere.get(word) || undefined
}
