import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readCurrency, readPrice } from "../../src/Values/Price.ts"

type Case = readonly [
  text: string,
  amount: number | undefined,
  currency?: string | null | undefined,
  locale?: string | undefined,
  hint?: string
]

const check = (cases: ReadonlyArray<Case>) => {
  for (const [text, amount, currency = null, locale, hint] of cases) {
    const expected = amount === undefined ? undefined : { amount, currency }
    assert.deepStrictEqual(readPrice(text, hint, locale), expected, `${text} ${locale ?? ""} ${hint ?? ""}`)
  }
}

describe("Values/Price", () => {
  it("reads amounts with the sign before and behind them", () =>
    check([
      ["2.449,00 €", 2449, "EUR"],
      ["€2,449.00", 2449, "EUR"],
      ["Preis: 12,- EUR", 12, "EUR"],
      ["CHF 1'249.90", 1249.9, "CHF"],
      ["kr 349:-", 349, "kr"],
      ["₹1,24,999", 124999, "INR"],
      ["£ 8. 45", 8.45, "GBP"],
      ["28€ 95", 28.95, "EUR"],
      ["28€95", 28.95, "EUR"],
      ["٣٤٫٥٠ ر.س", 34.5, "SAR"],
      ["９８０円", 980, "JPY"],
      ["1.450.000₫", 1450000, "VND"],
      ["2 349,50 Kč s DPH", 2349.5, "CZK"],
      ["$.85", 0.85, "$"],
      ["R$ 1.249,90", 1249.9, "BRL"],
      ["$1.2M", 1_200_000, "$"]
    ]))

  it("takes a dot behind a letter for that of an abbreviation, and behind a sign for a decimal point", () =>
    check([
      ["10 m: €12.50", 12.5, "EUR"],
      ["38 M: €25", 25, "EUR"],
      ["5 B: €3", 3, "EUR"],
      ["Rs.500", 500, "INR", "en-IN"],
      ["Rs.1500", 1500, "INR", "en-IN"],
      ["Rs.1,500.50", 1500.5, "INR", "en-IN"],
      ["Rs.12⁹⁹", 12.99, "INR", "en-IN"],
      ["-Rs.500", -500, "INR", "en-IN"],
      ["Fr.50", 50, "CHF", "de-CH"],
      ["S/.25", 25, "PEN"],
      ["-S/.25", -25, "PEN"],
      ["Rp.50000", 50000, "IDR"],
      ["kr.100", 100, "DKK", "da"],
      ["kr.100,50", 100.5, "DKK", "da"],
      ["د.إ.500", 500, "AED"],
      ["No.5", 5],
      ["approx.50 €", 50, "EUR"],
      [".85", 0.85],
      ["€.85", 0.85, "EUR"],
      ["Rs .50", 0.5, "INR", "en-IN"]
    ]))

  it("multiplies by a letter beside the currency, unless it may be a unit or a size", () =>
    check([
      ["350 k€", 350_000, "EUR"],
      ["350k €", 350_000, "EUR"],
      ["1,2 M€", 1_200_000, "EUR", "fr"],
      ["1,2 M€", 1_200_000, "EUR"],
      ["1.2 M USD", 1_200_000, "USD"],
      ["$1.2 M", 1_200_000, "$"],
      ["$1.2 M in sales", 1_200_000, "$"],
      ["$1.2 M – $2 M", 1_200_000, "$"],
      ["£5m", 5_000_000, "GBP"],
      ["£5m deal", 5_000_000, "GBP"],
      ["R5m", 5_000_000, "ZAR"],
      ["5 m€", 5_000_000, "EUR"],
      ["$2.95T", 2_950_000_000_000, "$"],
      ["$2.95 T", 2_950_000_000_000, "$"],
      ["£5bn", 5_000_000_000, "GBP"],
      ["5 Mrd. €", 5_000_000_000, "EUR"],
      ["1,2 Mio. €", 1_200_000, "EUR", "de"],
      ["€5 m", 5, "EUR"],
      ["€10 m²", 10, "EUR"],
      ["5 m cable €12", 12, "EUR"],
      ["2 m € 12.50", 12.5, "EUR"],
      ["3 M € 20", 20, "EUR"],
      ["$5 T-shirt", 5, "$"],
      ["$10 K-Cups", 10, "$"],
      ["€5 B Ware", 5, "EUR"],
      ["Small $20 M $22 L $24", 20, "$"],
      ["$20 M, $22 L", 20, "$"],
      ["350 T€", 350, "EUR", "de"]
    ]))

  it("joins cents behind a space only before a currency or the end", () =>
    check([
      ["1 234, 50 zł", 1234.5, "PLN"],
      ["349, 50 kr inkl. moms", 349.5, "SEK", "sv"],
      ["£ 8. 45*", 8.45, "GBP"],
      ["119. 95", 119.95],
      ["$10, 20 left", 10, "$"],
      ["$10. 20 left", 10, "$"],
      ["$10, 20 L", 10, "$"],
      ["€5, 10 pcs", 5, "EUR"]
    ]))

  it("takes a clear currency behind the number in place of a word in front", () =>
    check([
      ["Nu 299 kr", 299, "SEK", "sv"],
      ["Nu 299 kr.", 299, "DKK", "da"],
      ["Nu 299:-", 299, null, "sv"],
      ["Nu 299 kr", 299, "kr"],
      ["Nu. 299", 299, "BTN"],
      ["Re 299 kr", 299, "SEK", "sv"],
      ["Rs 60 Lt", 60, "INR", "en-IN"]
    ]))

  it("groups thousands by one separator before three digits, unless currency, or locale and place of the sign, say otherwise", () =>
    check([
      ["1.249 €", 1249, "EUR"],
      ["$1,249", 1249, "$"],
      ["1.249 KWD", 1.249, "KWD"],
      ["1,849 €", 1.849, "EUR", "de"],
      ["€1,849", 1849, "EUR", "de"],
      ["1.849 €", 1849, "EUR", "en-US"],
      ["$3.499", 3.499, "USD", "en-US"],
      ["€ 1.849", 1849, "EUR", "nl"]
    ]))

  it("takes the first number beside a currency, and no percentage", () =>
    check([
      ["20 % off 35 €", 35, "EUR"],
      ["3 for £10", 10, "GBP"],
      ["2 L bottle $4.99", 4.99, "$"],
      ["69 zł 41,90 zł", 69, "PLN"],
      ["Our price 34.99 - 44.99", 34.99],
      ["40% OFF", undefined]
    ]))

  it("names the currency by its code, by the region of the locale, or as written", () =>
    check([
      ["US$ 5", 5, "USD"],
      ["AU $5", 5, "AUD"],
      ["SGD5 $", 5, "SGD"],
      ["5 $CA", 5, "CAD"],
      ["$5", 5, "USD", "en-US"],
      ["$5", 5, "CAD", "fr-CA"],
      ["$5", 5, "MXN", "es-MX"],
      ["$5", 5, "$", "en"],
      ["50 kr", 50, "SEK", "sv"],
      ["50 kr.", 50, "DKK", "da"],
      ["50 kr", 50, "kr"],
      ["£5", 5, "GBP", "de"],
      ["£5", 5, "EGP", "ar-EG"],
      ["¥500", 500, "JPY", "ja"],
      ["¥500", 500, "CNY", "zh-CN"],
      ["500 руб.", 500, "RUB"],
      ["7 р.", 7, "BYN", "be"],
      ["120 DEM", 120, "DEM"],
      ["12 mkd", 12, "MKD"],
      ["5 ABC", 5]
    ]))

  it("takes the currency from the hint only where the text names none", () =>
    check([
      ["24,90", 24.9, "EUR", undefined, "Price in € incl. VAT"],
      ["24,90 zł", 24.9, "PLN", undefined, "€"],
      ["24,90", 24.9, "DKK", undefined, "DKK/stk"],
      ["24,90", 24.9, null, undefined, "SKU: R, Return policy"],
      ["1.249", 1.249, "OMR", undefined, "OMR"]
    ]))

  it("reads a minus sign before an amount, and none between two", () =>
    check([
      ["-$5.50", -5.5, "$"],
      ["−10,00 €", -10, "EUR"],
      ["- $44", 44, "$"],
      ["$5 - $10", 5, "$"]
    ]))

  it("reads the words for free", () =>
    check([
      ["Free!", 0],
      ["GRATIS", 0],
      ["無料", 0],
      ["бесплатно", 0]
    ]))

  it("gives nothing for a text without an amount", () =>
    check([
      ["", undefined],
      ["Call us", undefined],
      ["12.05.2024", undefined],
      ["Free shipping", undefined],
      ["9".repeat(1001), undefined]
    ]))

  it("reads the currency alone", () => {
    assert.strictEqual(readCurrency("1.249,00 €"), "EUR")
    assert.strictEqual(readCurrency("Prices in PLN"), "PLN")
    assert.strictEqual(readCurrency("kr", "nb"), "NOK")
    assert.strictEqual(readCurrency("Add to cart"), undefined)
  })

  const locales =
    "en-US en-GB en-IN de de-AT de-CH fr it es es-MX pt-BR nl pl cs sv da nb fi hu ru uk tr el ja ko zh-CN th vi id hi ar".split(
      " "
    )
  const currencies = "EUR USD GBP JPY CHF PLN CZK SEK INR KRW BRL TRY VND KWD BHD UAH THB ILS ZAR NGN".split(" ")

  it("reads a whole amount directly behind the dot of an abbreviation", () =>
    fc.assert(
      fc.property(
        fc.constantFrom("Rs.", "Fr.", "Rp.", "kr.", "S/.", "B/.", "Bs.", "руб.", "INR.", "Preis: Fr."),
        fc.integer({ min: 1, max: 9_999_999 }),
        (symbol, amount) => assert.strictEqual(readPrice(`${symbol}${amount}`)?.amount, amount)
      )
    ))

  it("multiplies by a magnitude on any side of a currency", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999 }),
        fc.constantFrom(["k", 3], ["K", 3], ["M", 6], ["B", 9]) as fc.Arbitrary<[string, number]>,
        fc.constantFrom("$1L", "1L €", "1 L€", "£1 L", "US$ 1 L", "1 L zł", "1 L USD", "1L PLN", "Rs 1 L"),
        (tenths, [letter, zeros], form) => {
          const text = form.replace("1", (tenths / 10).toFixed(1)).replace("L", letter)
          assert.strictEqual(readPrice(text)?.amount, Number(`${tenths}e${zeros - 1}`), text)
        }
      )
    ))

  it("reads back what Intl formats, by code in every locale", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.constantFrom(...currencies),
        fc.integer({ min: 0, max: 1e9 }),
        (locale, currency, units) => {
          const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "code" })
          const scale = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)
          const text = format.format(units / scale)
          assert.deepStrictEqual(
            readPrice(text, undefined, locale),
            { amount: units / scale, currency },
            `${locale} ${text}`
          )
        }
      ),
      { numRuns: 1000 }
    ))
})
