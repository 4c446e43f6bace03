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
