import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readInteger, readNumber } from "../../src/Values/Number.ts"

const locales =
  "en de fr es it pt nl sv da nb fi pl cs sk hu ro bg ru uk el tr ar fa he hi bn th vi id ja ko zh en-IN de-CH de-AT es-MX pt-PT mr my".split(
    " "
  )

type Case = readonly [text: string, value: number | undefined, locale?: string]

const check = (cases: ReadonlyArray<Case>) => {
  for (const [text, value, locale] of cases)
    assert.strictEqual(readNumber(text, locale), value, `${text} ${locale ?? ""}`)
}

describe("Values/Number", () => {
  it("takes the last of two separators for the decimal one, and one that comes twice for groups", () =>
    check([
      ["1.234,56", 1234.56],
      ["1,234.56", 1234.56],
      ["1.234.567", 1234567],
      ["12,34,567.50", 1234567.5],
      ["1 234 567,8", 1234567.8],
      ["1\u202f234,5", 1234.5],
      ["1'234.50", 1234.5],
      ["1’234", 1234]
    ]))

  it("lets the locale decide for one separator before three digits; without one a dot is decimal", () =>
    check([
      ["4.321", 4321, "de"],
      ["4,321", 4.321, "de"],
      ["4.321", 4.321, "en-US"],
      ["4,321", 4321, "en-US"],
      ["4.321", 4.321],
      ["4,321", 4321],
      ["0,125", 0.125],
      ["0.125", 0.125, "de"],
      ["12345,678", 12345.678, "en"],
      ["4,5", 4.5, "en"]
    ]))

  it("reads a unit behind the number, a sign before it, and the digits of other scripts", () =>
    check([
      ["3 kg", 3],
      ["(2,345 ratings)", 2345],
      ["85 %", 85],
      ["-7", -7],
      ["−7,5", -7.5, "de"],
      ["+8", 8],
      ["~ 40 m²", 40],
      ["€ 12", 12],
      ["٣٫٥", 3.5, "ar"],
      ["४२", 42],
      ["１２", 12]
    ]))

  it("multiplies by the short words of a language for thousands and millions", () =>
    check([
      ["1.2k", 1200],
      ["3.4M views", 3_400_000],
      ["2 thousand", 2000],
      ["7,5 Mio.", 7_500_000, "de"],
      ["15 тыс.", 15_000, "ru"],
      ["3万", 30_000, "ja"],
      ["5 m", 5],
      ["5 km", 5]
    ]))

  it("multiplies by a letter behind a space only as the language writes it, or beside a currency", () =>
    check([
      ["1,2\u00a0M", 1_200_000, "fr"],
      ["1,2 M de vues", 1_200_000, "fr"],
      ["1,5 k abonnés", 1500, "fr"],
      ["5 m", 5, "fr"],
      ["12 M²", 12, "fr"],
      ["350 k€", 350_000],
      ["1,2 M€", 1_200_000, "fr"],
      ["5 M $", 5_000_000],
      ["5 Mio. €", 5_000_000],
      ["5 mn €", 5_000_000],
      ["$1.2 M", 1_200_000],
      ["£5m", 5_000_000],
      ["$2.95T", 2_950_000_000_000],
      ["99 k", 99],
      ["5 M", 5],
      ["5 T", 5],
      ["5T", 5],
      ["5m", 5],
      ["5 mn", 5],
      ["10 m²", 10],
      ["€10 m²", 10],
      ["€5 m", 5],
      ["350 T€", 350, "de"],
      ["6 Bio-Eier", 6, "de"],
      ["6 Bio Eier", 6, "de"],
      ["1,2 Bio.", 1_200_000_000_000, "de"],
      ["1,2 Bio €", 1_200_000_000_000, "de"]
    ]))

  it("reads the letters of a language, which may mean more than in English", () =>
    check([
      ["1,2 M", 1_200_000_000, "id"],
      ["5B", 5000, "tr"],
      ["5 B", 5, "es"],
      ["5 B €", 5_000_000_000_000, "es"],
      ["5B", 5_000_000_000, "en"]
    ]))

  it("gives nothing for what is no number, or has more than one", () =>
    check(
      [
        "ab 12",
        "",
        "-",
        "x",
        "3 of 10",
        "4.5/5",
        "10-20",
        "12:30",
        "1/2",
        "15.08.2017",
        "1.2.3.4",
        "1,23,4",
        "1..2",
        "1e5",
        "0x1f",
        "½",
        "12 a 3",
        "12, 15",
        "12. 15",
        "£ 8. 45",
        "3, 12 oz",
        "No.5",
        "v.2",
        "approx.50",
        "Rs.500",
        "1".repeat(1001)
      ].map((text) => [text, undefined] as const)
    ))

  it("reads integers only when they are whole and exact", () => {
    assert.strictEqual(readInteger("1.234", "de"), 1234)
    assert.strictEqual(readInteger("1,5", "de"), undefined)
    assert.strictEqual(readInteger("12,0", "de"), 12)
    assert.strictEqual(readInteger("9007199254740993"), undefined)
    assert.strictEqual(readInteger("many"), undefined)
  })

  it("takes a language tag that is none, or is written with an underscore, as a page may have it", () => {
    assert.strictEqual(readNumber("4.321", "de_DE"), 4321)
    assert.strictEqual(readNumber("4.321", "no such language"), 4.321)
    assert.strictEqual(readNumber("4.321", ""), 4.321)
  })

  it("never makes one number of two", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...locales, undefined),
        fc.nat({ max: 99_999 }),
        fc.constantFrom(", ", ". ", "; ", " / ", " – ", " x ", ",  "),
        fc.nat({ max: 99_999 }),
        fc.constantFrom("", " oz", " €", "."),
        (locale, one, between, other, unit) =>
          assert.strictEqual(readNumber(`${one}${between}${other}${unit}`, locale), undefined)
      )
    ))

  it("reads back what Intl formats, in every locale", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 3 }),
        (locale, digits, scale) => {
          const value = Number((digits / 10 ** scale).toFixed(scale))
          const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value)
          assert.strictEqual(readNumber(text, locale), value === 0 ? 0 : value, `${locale} ${text}`)
        }
      ),
      { numRuns: 1000 }
    ))
})
