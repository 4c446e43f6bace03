import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Order, readDate } from "../../src/Values/Date.ts"
import { skipsLong } from "../Long.ts"

/** A Saturday. */
const now = Date.parse("2026-11-28T14:00:00Z")

interface Told {
  readonly order?: Order
  readonly timezone?: string
}

/** The day, or the instant where the text has a time. */
const read = (text: string, locale?: string, told: Told = {}): string | undefined => {
  const found = readDate(text, { now, locale, ...told })
  return found === undefined || !found.hasTime
    ? found?.day
    : new Date(found.millis).toISOString().replace(/(:00)?\.000Z$/, "Z")
}

type Case = readonly [text: string, expected: string | undefined, locale?: string | undefined, told?: Told]

const check = (cases: ReadonlyArray<Case>) => {
  for (const [text, expected, locale, told] of cases)
    assert.strictEqual(read(text, locale, told), expected, `${text} ${locale ?? ""} ${JSON.stringify(told ?? {})}`)
}

const nothing = (texts: ReadonlyArray<string>, locale?: string) =>
  check(texts.map((text) => [text, undefined, locale] as const))

describe("Values/Date", () => {
  it("reads names of months in the cases and abbreviations of a language, and English beside it", () =>
    check([
      ["7. Oktober 2023", "2023-10-07", "de"],
      ["7 oct. 2023", "2023-10-07", "fr"],
      ["7 de octubre de 2023", "2023-10-07", "es"],
      ["Octubre 7, 2023", "2023-10-07", "es-MX"],
      ["7 октября 2023 г.", "2023-10-07", "ru"],
      ["7. října 2023", "2023-10-07", "cs"],
      ["7 października 2023", "2023-10-07", "pl"],
      ["7 listopada 2023", "2023-10-07", "hr"],
      ["7 listopada 2023", "2023-11-07", "pl"],
      ["2023. október 7.", "2023-10-07", "hu"],
      ["2023年10月7日", "2023-10-07", "ja"],
      ["2023년 10월 7일", "2023-10-07", "ko"],
      ["7 ตุลาคม 2566", "2023-10-07", "th"],
      ["ngày 7 tháng 10 năm 2023", "2023-10-07", "vi"],
      ["٧ أكتوبر ٢٠٢٣", "2023-10-07", "ar"],
      ["7 באוקטובר 2023", "2023-10-07", "he"],
      ["७ अक्तूबर २०२३", "2023-10-07", "hi"],
      ["7-Eki-2023", "2023-10-07", "tr"],
      ["Sept 7, 2023", "2023-09-07", "de"],
      ["Dydd Mawrth, 31 Mai 2022", "2022-05-31", "cy"],
      ["mar. 5 mars 2024", "2024-03-05", "fr"],
      ["2024 оны гуравдугаар сарын 5", "2024-03-05", "mn"],
      ["7. oktobar 2023.", "2023-10-07", "sr"]
    ]))

  it("reads the calendars of Iran, Arabia and Thailand and the eras of Japan and Taiwan, where the year shows them", () =>
    check([
      ["۱۴۰۳/۰۵/۱۲", "2024-08-02", "fa"],
      ["1403/02/31", "2024-05-20", "fa"],
      ["۱۲ مرداد ۱۴۰۳", "2024-08-02", "fa"],
      ["۱۲ مرداد", undefined, "fa"],
      ["۱۲ مارس ۲۰۲۴", "2024-03-12", "fa"],
      ["1403/12/30", "2025-03-20", "fa"],
      ["1402/12/30", undefined, "fa"],
      ["27 محرم 1446", "2024-08-02", "ar"],
      ["1446/01/27", "2024-08-02", "ar-SA"],
      ["2/8/2567", "2024-08-02", "th"],
      ["令和6年8月2日", "2024-08-02", "ja"],
      ["平成元年8月2日", "1989-08-02", "ja"],
      ["民國113年8月2日", "2024-08-02", "zh-TW"]
    ]))

  it("reads months without a language where the name means the same everywhere and the year is there", () =>
    check([
      ["7 octubre 2023", "2023-10-07"],
      ["7. Dezember 2023", "2023-12-07"],
      ["7 listopada 2023", undefined],
      ["7 octubre", undefined],
      ["7 October", "2026-10-07"]
    ]))

  it("takes the order of three numbers from what is told, the locale, or dots", () =>
    check([
      ["03/04/2025", "2025-03-04", "en"],
      ["03/04/2025", "2025-04-03", "en-GB"],
      ["03/04/2025", "2025-04-03", "fr"],
      ["03/04/2025", "2025-03-04", "fr", { order: "MDY" }],
      ["03/04/2025", undefined],
      ["03.04.2025", "2025-04-03"],
      ["25/12/2024", "2024-12-25", "en-US"],
      ["04/04/2025", "2025-04-04"],
      ["24/3/5", "2024-03-05", "eu"],
      ["01-02-03", "2001-02-03", "de", { order: "YMD" }],
      ["2025/3/4", "2025-03-04", "de"],
      ["3.4.69", "1969-04-03", "de"],
      ["3.4.68", "2068-04-03", "de"]
    ]))

  it("reads times with halves of the day, zones and the words of languages", () =>
    check([
      ["Oct 7, 2023 at 2:57 p.m.", "2023-10-07T14:57Z", "en-US"],
      ["12:05 AM, 7 Oct 2023", "2023-10-07T00:05Z", "en"],
      ["7 Oct 2023 12 PM", "2023-10-07T12:00Z", "en"],
      ["Sat, 07 Oct 2023 14:30:15 +0530", "2023-10-07T09:00:15Z"],
      ["Oct 7 2023 | 4:32 pm EDT", "2023-10-07T20:32Z", "en"],
      ["October 7, 2023 at noon", "2023-10-07T12:00Z", "en"],
      ["2023-10-07T14:30:15.250Z", "2023-10-07T14:30:15.250Z"],
      ["7 octobre 2023 à 14h40", "2023-10-07T14:40Z", "fr"],
      ["7. Oktober 2023 um 14:40 Uhr", "2023-10-07T14:40Z", "de"],
      ["7.10.2023 klo 14.40", "2023-10-07T14:40Z", "fi"],
      ["7. oktober 2023 kl. 14.40", "2023-10-07T14:40Z", "da"],
      ["2023年10月7日 21時40分", "2023-10-07T21:40Z", "ja"],
      ["2023/10/7 下午2:07", "2023-10-07T14:07Z", "zh-TW"],
      ["2023년 10월 7일 오후 3:05", "2023-10-07T15:05Z", "ko"],
      ["7 octobre 2023 14:40", "2023-10-07T12:40Z", "fr", { timezone: "Europe/Paris" }],
      ["7 Oct 2023 14:40 UTC", "2023-10-07T14:40Z", "en", { timezone: "Europe/Paris" }]
    ]))

  it("reads the zones of American pages, which have summer time, and zones behind the word for the clock", () =>
    check([
      ["March 5, 2024 10:00 AM ET", "2024-03-05T15:00Z", "en"],
      ["July 5, 2024 10:00 AM ET", "2024-07-05T14:00Z", "en"],
      ["March 5, 2024, 10 PM PT", "2024-03-06T06:00Z", "en"],
      ["10:00 a.m. (CT), July 5, 2024", "2024-07-05T15:00Z", "en"],
      ["July 5, 2024 10:00 AM MT by Admin", "2024-07-05T16:00Z", "en"],
      ["Yesterday at 10:00 AM ET", "2026-11-27T15:00Z", "en"],
      ["5. März 2024, 14:40 Uhr MEZ", "2024-03-05T13:40Z", "de"],
      ["5. März 2024, 14:40 Uhr", "2024-03-05T14:40Z", "de"],
      ["5. März 2024 um 20:15 Uhr, ARD", "2024-03-05T20:15Z", "de"]
    ]))

  it("gives nothing for a time with an unknown zone, but reads words in capitals", () => {
    nothing(
      ["March 5, 2024 10:00 AM XYZ", "5 May 2025 10:00 (QQT)", "2025-05-05 10:00 ABCDE", "Yesterday at 10:00 XYZ"],
      "en"
    )
    check([
      ["5. MÄRZ 2024 14:40 UHR", "2024-03-05T14:40Z", "de"],
      ["5. MÄRZ 2024 14:40 UHR MEZ", "2024-03-05T13:40Z", "de"],
      ["14:30 MAR 5, 2024", "2024-03-05T14:30Z", "en"],
      ["14:30 OCT 5, 2024", "2024-10-05T14:30Z", "de"],
      ["14:30 TUE 5 MARCH 2024", "2024-03-05T14:30Z", "en"],
      ["MARCH 5, 2024 10:00 BY ADMIN", "2024-03-05T10:00Z", "en"],
      ["5 MARS 2024 10:00 PAR JEAN", "2024-03-05T10:00Z", "fr"],
      ["5 MARZO 2024 10:00 POR JUAN", "2024-03-05T10:00Z", "es"],
      ["5. MÄRZ 2024 10:00 VON ANNA", "2024-03-05T10:00Z", "de"],
      ["March 5, 2024, 10:00-18:00", "2024-03-05T10:00Z", "en"],
      ["March 5, 2024, 10:00-12:30", "2024-03-05T10:00Z", "en"],
      ["March 5, 2024, 10:00-05:00", "2024-03-05T15:00Z", "en"],
      ["5 MAI 2024 10:00 HRS", "2024-05-05T10:00Z", "fr"],
      ["14:30 TODAY", "2026-11-28T14:30Z", "en"],
      ["14:30 HEUTE", "2026-11-28T14:30Z", "de"],
      ["5/3/2024 10:00 CH", "2024-03-05T22:00Z", "vi"],
      ["5 March 2024 10:00 | BBC", "2024-03-05T10:00Z", "en"],
      ["5 March 2024 10:00 London", "2024-03-05T10:00Z", "en"],
      ["5 MARCH 2024 10:00 AUDIO-BOOK", "2024-03-05T10:00Z", "en"]
    ])
  })

  it("takes the German am before a day for no half of the day", () =>
    check([
      ["12:30 am 5. März 2024", "2024-03-05T12:30Z", "de"],
      ["12:30 am 05.03.2024", "2024-03-05T12:30Z", "de-AT"],
      ["12:30 am Dienstag, 5. März 2024", "2024-03-05T12:30Z", "de"],
      ["12:30 am Dienstag", "2026-11-24T12:30Z", "de"],
      ["5. März 2024, 12:30 am", "2024-03-05T00:30Z", "de"],
      ["12:30 AM, 5. März 2024", "2024-03-05T00:30Z", "de"],
      ["5. März 2024, 12:30 am CET", "2024-03-04T23:30Z", "de"],
      ["5 de março de 2024, 12:30 a.m.", "2024-03-05T00:30Z", "pt"],
      ["12:30 am 5 March 2024", "2024-03-05T00:30Z", "en"]
    ]))

  it("reads distances from now in many languages", () =>
    check([
      ["3 days ago", "2026-11-25", "en"],
      ["in two weeks", "2026-12-12", "en"],
      ["1 year 2 months from now", "2028-01-28", "en"],
      ["2 hours and 15 minutes ago", "2026-11-28T11:45Z", "en"],
      ["about an hour ago", "2026-11-28T13:00Z", "en"],
      ["5h", "2026-11-28T09:00Z", "en"],
      ["vor einer Stunde", "2026-11-28T13:00Z", "de"],
      ["il y a environ 3 jours", "2026-11-25", "fr"],
      ["hace 2 semanas", "2026-11-14", "es"],
      ["2 horas atrás", "2026-11-28T12:00Z", "pt"],
      ["3 часа назад", "2026-11-28T11:00Z", "ru"],
      ["3 dni temu", "2026-11-25", "pl"],
      ["před 3 dny", "2026-11-25", "cs"],
      ["pred mesiacom", "2026-10-28", "sk"],
      ["3 nap múlva", "2026-12-01", "hu"],
      ["大约3小时前", "2026-11-28T11:00Z", "zh"],
      ["3時間前", "2026-11-28T11:00Z", "ja"],
      ["3일 전", "2026-11-25", "ko"],
      ["לפני שעתיים", "2026-11-28T12:00Z", "he"],
      ["منذ يومين", "2026-11-26", "ar"],
      ["قبل ساعتين", "2026-11-28T12:00Z", "ar"],
      ["baada ya siku 3", "2026-12-01", "sw"],
      ["3 hours ago", "2026-11-28T11:00Z", "de"],
      // No time of day, although a number with this sign is one.
      ["25시간 전", "2026-11-27T13:00Z", "ko"],
      ["25 時間前", "2026-11-27T13:00Z", "ja"]
    ]))

  it("reads named days, and weekdays as the last one that was", () =>
    check([
      ["Yesterday at 9:15", "2026-11-27T09:15Z", "en"],
      ["gestern, 9:15 Uhr", "2026-11-27T09:15Z", "de"],
      ["avant-hier", "2026-11-26", "fr"],
      ["i går kl. 09.15", "2026-11-27T09:15Z", "nb"],
      ["Avant-hier à 10h30", "2026-11-26T10:30Z", "fr"],
      ["в 14:34 сегодня", "2026-11-28T14:34Z", "ru"],
      ["אתמול ב-10:00", "2026-11-27T10:00Z", "he"],
      ["Thứ năm", "2026-11-26", "vi"],
      ["day before yesterday", "2026-11-26", "en"],
      ["昨天 12:30", "2026-11-27T12:30Z", "zh"],
      ["Monday", "2026-11-23", "en"],
      ["Samstag", "2026-11-28", "de"],
      ["jeu. 9:15", "2026-11-26T09:15Z", "fr"],
      ["just now", "2026-11-28T14:00Z", "en"]
    ]))

  it("counts days in the time zone that is told, and shortens a day that a month does not have", () => {
    const late = { now: Date.parse("2026-03-31T23:30:00Z"), locale: "en" }
    assert.strictEqual(readDate("yesterday", late)?.day, "2026-03-30")
    assert.strictEqual(readDate("yesterday", { ...late, timezone: "Asia/Tokyo" })?.day, "2026-03-31")
    assert.strictEqual(readDate("1 month ago", late)?.day, "2026-02-28")
    assert.strictEqual(readDate("1 hour ago", { ...late, timezone: "Asia/Tokyo" })?.millis, late.now - 3_600_000)
  })

  it("counts hours and less from now, also where the clock is put back or forward", () =>
    fc.assert(
      fc.property(
        // Times when the clock is put back or forward.
        fc.constantFrom(
          ["Europe/Berlin", Date.UTC(2024, 9, 27, 1)] as const,
          ["Europe/Berlin", Date.UTC(2024, 2, 31, 1)] as const,
          ["America/New_York", Date.UTC(2024, 10, 3, 6)] as const,
          ["Asia/Kolkata", Date.UTC(2024, 10, 3, 6)] as const
        ),
        fc.integer({ min: -90, max: 90 }),
        fc.constantFrom(["minutes", 60_000] as const, ["hours", 3_600_000] as const, ["seconds", 1000] as const),
        fc.integer({ min: 2, max: 90 }),
        ([timezone, change], minutes, [unit, length], count) => {
          const at = change + minutes * 60_000
          const told = { now: at, locale: "en", timezone }
          assert.strictEqual(readDate(`${count} ${unit} ago`, told)?.millis, at - count * length)
          assert.strictEqual(readDate(`in ${count} ${unit}`, told)?.millis, at + count * length)
        }
      )
    ))

  it("takes the year of now for a date without one, or the year before for one far ahead", () => {
    const january = { now: Date.parse("2027-01-02T10:00:00Z"), locale: "en" }
    assert.strictEqual(readDate("Dec 31", january)?.day, "2026-12-31")
    assert.strictEqual(readDate("Jan 5", january)?.day, "2027-01-05")
    assert.strictEqual(readDate("Feb 29", january)?.day, undefined)
  })

  it("finds a complete date in a sentence, and nothing less", () =>
    check([
      ["Posted on March 3, 2025 by Admin", "2025-03-03", "en"],
      ["Zuletzt geändert: 3. März 2025", "2025-03-03", "de"],
      ["Published: 2 hours ago", "2026-11-28T12:00Z", "en"],
      ["Posted yesterday", "2026-11-27", "en"],
      ["3 people liked this yesterday", undefined, "en"],
      ["Chapter 3 March", undefined, "en"]
    ]))

  it("refuses days that no calendar has: none becomes another", () =>
    nothing(
      [
        "31 February 2025",
        "29 Feb 2023",
        "31/04/2025",
        "2025-13-01",
        "2025-02-30",
        "13/13/2025",
        "32 May 2025",
        "0 May 2025",
        "20241350",
        "5 May 2025 25:00",
        "5 May 2025 10:75"
      ],
      "en"
    ))

  it("refuses what is no date, names no day, or has two readings", () => {
    nothing(
      [
        "",
        "ab 12",
        "12",
        "12.5",
        "$12.50",
        "v1.2.3",
        "1.2.3.4",
        "2025",
        "May 2025",
        "may",
        "12:30",
        "Q1 2024",
        "2024-W10-2",
        "10 reviews",
        "5 out of 5",
        "5 min read",
        "a few minutes ago",
        "days ago",
        "1.5 hours ago",
        "5 March 2025 – 7 March 2025",
        "1234 days ago",
        `5 May 2025 ${"x".repeat(300)}`
      ],
      "en"
    )
    nothing(["कल"], "hi")
  })

  const locales =
    "en-US en-GB en-AU de de-AT fr fr-CA it es es-MX pt-BR pt-PT nl sv da nb fi et lv lt pl cs sk sl hr sr-Latn sr-Cyrl bg mk ro hu ru uk be el tr az kk uz ka hy ar fa he hi bn mr ta te kn ml gu pa ne th km vi id ms fil ja ko zh-CN zh-TW sw af ca eu gl cy ga is sq am".split(
      " "
    )
  const day = fc.integer({ min: Date.UTC(1990, 0, 1) / 86_400_000, max: Date.UTC(2060, 0, 1) / 86_400_000 })

  it.skipIf(skipsLong)("reads back the days that Intl formats, in every locale", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.constantFrom("full" as const, "long" as const, "medium" as const),
        day,
        (locale, dateStyle, days) => {
          const text = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: "UTC", calendar: "gregory" }).format(
            days * 86_400_000
          )
          assert.strictEqual(readDate(text, { now, locale })?.millis, days * 86_400_000, `${locale} ${text}`)
        }
      ),
      { numRuns: 1000 }
    )
  )

  it.skipIf(skipsLong)("reads back the distances that Intl formats, in every locale", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.constantFrom(
          ["second", 1000] as const,
          ["minute", 60_000] as const,
          ["hour", 3_600_000] as const,
          ["day", 86_400_000] as const,
          ["week", 604_800_000] as const
        ),
        fc.integer({ min: 1, max: 400 }),
        fc.boolean(),
        (locale, [unit, length], count, isPast) => {
          const text = new Intl.RelativeTimeFormat(locale).format(isPast ? -count : count, unit)
          const at = now + (isPast ? -count : count) * length
          const found = readDate(text, { now, locale })
          if (unit === "day" || unit === "week")
            assert.strictEqual(found?.day, new Date(at).toISOString().slice(0, 10), `${locale} ${text}`)
          else assert.strictEqual(found?.millis, at, `${locale} ${text}`)
        }
      ),
      { numRuns: 1000 }
    )
  )

  it.skipIf(skipsLong)("ends soon and without an error for any text", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.constantFrom(...locales, "xx", undefined),
        (text, locale) => {
          const found = readDate(text, { now, locale })
          assert.isTrue(found === undefined || Number.isFinite(found.millis))
        }
      ),
      { numRuns: 500 }
    )
  )
})
