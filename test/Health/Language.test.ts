import { describe, expect, it } from "@effect/vitest"
import { languageOf } from "../../src/Health/Language.ts"

const texts = {
  en: "The parcel was delivered to the wrong address, and that is not what we had asked for in the first place.",
  de: "Das Paket wurde nicht an die richtige Adresse geliefert, und der Kunde ist mit dem Ergebnis auch nicht zufrieden.",
  fr: "Le colis est arrivé dans les délais, mais pas avec les articles que nous avions choisis sur le site.",
  es: "El pedido llegó más tarde de lo que esperaba, pero los productos están bien y la tienda respondió para ayudar.",
  it: "La spedizione è arrivata con un giorno di ritardo, che non sono pochi per una ditta della zona.",
  pt: "O pedido não chegou ao destino, mas foi enviado para a loja com os produtos que eu tinha escolhido.",
  nl: "Het pakket is niet op tijd bezorgd, en dat is voor ons een probleem met deze winkel.",
  pl: "Paczka nie dotarła na czas, że nie jest to pierwszy raz, dla nas są to ważne zamówienia.",
  sv: "Det var en bra leverans och paketet är inte skadat, som tur är för oss som bor långt bort.",
  tr: "Bu ürün çok iyi ve daha önce aldığım bir ürün kadar sağlam, için için sevindim.",
  ja: "この商品はとても良いです。配送も早くて、梱包も丁寧でした。また利用したいと思います。ありがとうございました。",
  cyrillic: "Посылка пришла вовремя, всё упаковано очень аккуратно, магазин рекомендую всем своим друзьям."
}

describe("the language of a text", () => {
  for (const [language, text] of Object.entries(texts)) {
    it(`is ${language}`, () => {
      expect(languageOf(text)).toBe(language)
      expect(languageOf(`${"Home · Shop · Cart · Login\n".repeat(4)}${text.repeat(12)}`)).toBe(language)
    })
  }

  it("is unknown for short texts and for those that are no prose", () => {
    expect(languageOf("The title of a page")).toBeUndefined()
    expect(languageOf("SKU-10293 · 12.99 EUR · 4/5 · 2026-03-01 · XL · red/blue · 10 pcs")).toBeUndefined()
  })
})
