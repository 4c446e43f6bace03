/** Fields that are learned from values which a page shows. */
import { describe, expect, it } from "vitest"
import { openPage, parsePage } from "../../src/Html/Fields.ts"
import { isLastingName } from "../../src/Html/LastingNames.ts"
import { learnField, secondOf } from "../../src/Step/Extract/Learn.ts"

const now = Date.UTC(2026, 0, 1)

/** A page of a shop, with names that a build made beside those that a person gave. */
const kettle = (title: string, price: string, weight: string, day: string) => `<html lang="en">
<head><title>${title} | Shop</title><script type="application/ld+json">{"@type":"Product","sku":"K-${title.length}"}</script></head>
<body><nav><a href="/">Home</a></nav><main><article class="css-1x2ab"><h1 class="sc-AxirZ">${title}</h1>
<p class="mt-4"><s class="old">$99.00</s> <span class="price-now">$${price}</span></p>
<table><tr><th>Weight</th><td>${weight}</td></tr></table>
<p class="added">Added on ${day}</p><a class="kJmVQu" data-role="vendor" href="/v/acme">Acme</a></article>
<h2>Others</h2><ul><li>Cup <b>$19.99</b></li></ul></main></body></html>`

const pages = [
  kettle("Blue kettle", "19.99", "2 kg", "5 March 2025"),
  kettle("Red pot", "1,299.00", "3.5 kg", "6 May 2025")
]

const learn = (...values: ReadonlyArray<string | undefined>) =>
  learnField(
    pages.map((html, at) => {
      const page = openPage(parsePage(html, `https://shop.example/${at}`), {}, now)
      return { page, element: page.tree.root, value: values[at] }
    })
  )

describe("a field from one example", () => {
  it.each([
    ["Blue kettle", "h1", ["Blue kettle", "Red pot"]],
    ["19.99", { css: ".price-now", as: "price" }, [19.99, 1299]],
    ["2 kg", { label: "Weight" }, ["2 kg", "3.5 kg"]],
    ["2025-03-05", { css: ".added", as: "date" }, ["2025-03-05", "2025-05-06"]],
    ["5 March 2025", { css: ".added", match: "^Added on (.+)$" }, ["5 March 2025", "6 May 2025"]],
    ["K-11", { data: "Product.sku" }, ["K-11", "K-7"]],
    ["Acme", '[data-role="vendor"]', ["Acme", "Acme"]],
    ["https://shop.example/v/acme", { css: '[data-role="vendor"]', attr: "href" }, undefined]
  ] as const)("that shows %s reads it on the other page, too", (value, source, given) => {
    const [best] = learn(value)
    expect(best?.source).toEqual(source)
    if (given !== undefined) expect(best?.given).toEqual(given)
  })

  it.each(["1299", "1.299,00"])("that is a price, wanted as %s, is found where nothing else stands", (value) => {
    const html = `<html lang="de"><article><h1>Kessel</h1><p>Nur <b class="price">1.299,00 €</b></p></article></html>`
    const page = openPage(parsePage(html, undefined), {}, now)
    const [best] = learnField([{ page, element: page.tree.root, value }])
    expect(best).toMatchObject({ source: { css: ".price", as: "price" }, given: [1299] })
  })

  it.each([
    ['<h1>Kettle 7</h1><b class="amount">7.00 €</b>', ".amount"],
    ['<h1>Kettle 7</h1><b class="amount">EUR 7</b>', ".amount"],
    ['<h1>Kettle 7</h1><b class="amount">7,00 €/Stück</b>', ".amount"],
    ['<h1 title="Kettle 7">Kettle</h1><b class="amount">7 Kč</b>', ".amount"],
    ['<meta property="og:title" content="Kettle 7"><b class="amount">7.00</b>', ".amount"],
    ['<h1 class="sum">7</h1><b class="amount">Kettle 7</b>', "h1"]
  ])("that is a number is read where nothing but the value stands: %s", (html, css) => {
    const page = openPage(parsePage(`<html lang="en"><main>${html}</main></html>`, undefined), {}, now)
    const [best] = learnField([{ page, element: page.tree.root, value: "7", type: "price" }])
    expect(best?.source).toEqual({ css, as: "price" })
  })

  it("is nothing for a value that no page shows", () => {
    expect(learn("green")).toEqual([])
  })

  it("does not take a label out of a list of other things", () => {
    expect(learn("19.99").map(({ source }) => source)).not.toContainEqual({ label: "Cup", as: "price" })
  })

  it("takes names that a build has made last, and those of looks never", () => {
    const [title, vendor] = [learn("Blue kettle"), learn("Acme")]
    for (const learned of [title, vendor])
      expect(JSON.stringify([learned[0]?.source, secondOf(learned)?.source])).not.toMatch(/css-1x2ab|AxirZ|kJmVQu/)
    expect(JSON.stringify([title, vendor])).not.toContain("mt-4")
  })
})

describe("a field from two examples", () => {
  it("is what gives both", () => {
    const [best] = learn("2 kg", "3.5 kg")
    expect(best).toMatchObject({ source: { label: "Weight" }, right: 2, of: 2 })
  })

  it("has a second source only if it gives the same and is nearly as good", () => {
    expect(secondOf(learn("2 kg", "3.5 kg"))).toBeUndefined()
    const page = openPage(parsePage(`<h1>Pot</h1><p itemprop="name">Pot</p>`, undefined), {}, now)
    const learned = learnField([{ page, element: page.tree.root, value: "Pot" }])
    expect(learned[0]?.source).toBe('[itemprop="name"]')
    expect(secondOf(learned)?.source).toBe("h1")
  })
})

describe("a lasting name", () => {
  it.each(["price", "product-price", "productTitle", "author_name", "btn-buy", "sku"])("%s is one", (name) => {
    expect(isLastingName(name)).toBe(true)
  })
  it.each([
    "css-1x2ab",
    "sc-AxirZ",
    "kJmVQu",
    "mt-4",
    "is-active",
    "col-md-6",
    "a1",
    "text-center",
    "hidden",
    "_3xK2a"
  ])("%s is none", (name) => {
    expect(isLastingName(name)).toBe(false)
  })
})
