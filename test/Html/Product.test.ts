import { describe, expect, it } from "@effect/vitest"
import { readItems } from "../../src/Html/PageItems.ts"
import { PageUrls } from "../../src/Html/PageUrls.ts"
import { readProduct } from "../../src/Html/Product.ts"
import { readCount, readGtin, readRating } from "../../src/Html/ProductParts.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const read = (html: string, url = "https://shop.example/p/kettle") => {
  const tree = parseTree(html)
  const urls = new PageUrls(tree, url, false)
  const warnings: Array<string> = []
  return { product: readProduct(tree, urls, (text) => warnings.push(text), readItems(tree, urls)), warnings }
}

const linked = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

const kettle = {
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Blue kettle",
  brand: { "@type": "Brand", name: "Acme &amp; Co" },
  category: "Kitchen > Kettles",
  description: "<p>Boils <b>water</b>.</p>",
  sku: "K-1",
  gtin13: "4006381333931",
  image: ["/k.jpg", { "@type": "ImageObject", url: "/l.jpg", caption: "Lid" }],
  aggregateRating: { ratingValue: "4,5", bestRating: 5, reviewCount: "1,204" },
  offers: { "@type": "Offer", price: "19.99", priceCurrency: "EUR", availability: "https://schema.org/InStock" }
}

describe("a product", () => {
  it("has the shape of the API, from JSON-LD", () => {
    expect(read(`<link rel=canonical href="/kettle">${linked(kettle)}`)).toEqual({
      warnings: [],
      product: {
        title: "Blue kettle",
        brand: "Acme & Co",
        category: "Kitchen > Kettles",
        url: "https://shop.example/kettle",
        description: "Boils water.",
        gtin: "4006381333931",
        rating: { value: 4.5, best: 5, count: 1204 },
        variants: [
          {
            sku: "K-1",
            price: { amount: 19.99, currency: "EUR" },
            availability: { inStock: true, text: "InStock" },
            images: [{ url: "https://shop.example/k.jpg" }, { url: "https://shop.example/l.jpg", alt: "Lid" }]
          }
        ]
      }
    })
  })

  it("has variants of a group with their options, and a former price only above the price", () => {
    const variant = (color: string, price: number, list: number) => ({
      "@type": "Product",
      sku: color,
      color,
      offers: {
        "@type": "Offer",
        price,
        priceCurrency: "USD",
        availability: "OutOfStock",
        priceSpecification: { priceType: "https://schema.org/ListPrice", price: list }
      }
    })
    const { product } = read(
      linked({
        "@type": "ProductGroup",
        name: "Mug",
        variesBy: "https://schema.org/color",
        hasVariant: [variant("red", 8, 10), variant("blue", 8, 8)]
      })
    )
    expect(product?.variants).toEqual([
      {
        sku: "red",
        values: { color: "red" },
        price: { amount: 8, currency: "USD" },
        sale: { originalPrice: { amount: 10, currency: "USD" } },
        availability: { inStock: false, text: "OutOfStock" }
      },
      {
        sku: "blue",
        values: { color: "blue" },
        price: { amount: 8, currency: "USD" },
        availability: { inStock: false, text: "OutOfStock" }
      }
    ])
  })

  it.each([
    {
      name: "microdata, with the currency of the text and the name of a logo",
      html: `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Blue kettle</h1><div itemprop=brand><img alt="Acme"></div>
        <p itemprop=offers itemscope itemtype="http://schema.org/Offer"><b itemprop=price>£19.50</b><i itemprop=priceCurrency>USD</i></p></div>`,
      expected: {
        title: "Blue kettle",
        brand: "Acme",
        variants: [{ price: { amount: 19.5, currency: "GBP", formatted: "£19.50" } }]
      }
    },
    {
      name: "RDFa",
      html: `<div vocab="https://schema.org/" typeof="Product"><b property=name>Blue kettle</b><p property=offers typeof=Offer><i property=price content="5">5</i></p></div>`,
      expected: { title: "Blue kettle", variants: [{ price: { amount: 5 } }] }
    },
    {
      name: "the state of Next",
      html: `<h1>Blue kettle</h1><script id="__NEXT_DATA__" type="application/json">{"props":{"product":{"id":7,"name":"Blue kettle","brand":{"name":"Acme"},
        "price":{"amount":19.99,"currencyCode":"EUR"},"compareAtPrice":{"amount":25,"currencyCode":"EUR"},"inStock":false},"similar":[{"name":"Red kettle","price":5}]}}</script>`,
      expected: {
        title: "Blue kettle",
        brand: "Acme",
        variants: [
          {
            id: "7",
            price: { amount: 19.99, currency: "EUR" },
            sale: { originalPrice: { amount: 25, currency: "EUR" } },
            availability: { inStock: false }
          }
        ]
      }
    },
    {
      name: "the flight data of Next",
      html: `<h1>Blue kettle</h1><script>self.__next_f.push([1,"1:[\\"$\\",{\\"product\\":{\\"title\\":\\"Blue ke"])</script><script>self.__next_f.push([1,"ttle\\",\\"price\\":3}}]\\n"])</script>`,
      expected: { title: "Blue kettle", variants: [{ price: { amount: 3 } }] }
    },
    {
      name: "the payload of Nuxt",
      html: `<h1>Blue kettle</h1><script id="__NUXT_DATA__" type="application/json">[["Reactive",1],{"product":2},{"name":3,"price":4,"sku":5},"Blue kettle",12.5,"K-1"]</script>`,
      expected: { title: "Blue kettle", variants: [{ sku: "K-1", price: { amount: 12.5 } }] }
    },
    {
      name: "the state of Apollo, in a string",
      html: `<h1>Blue kettle</h1><script>window.__APOLLO_STATE__ = JSON.parse("{\\"Product:1\\":{\\"__typename\\":\\"Product\\",\\"name\\":\\"Blue kettle\\",\\"price\\":9,\\"sku\\":undefined}}");</script>`,
      expected: { title: "Blue kettle", variants: [{ price: { amount: 9 } }] }
    },
    {
      name: "the state of Redux, with variants",
      html: `<h1>Mug</h1><script>var x = 1; window.__PRELOADED_STATE__={"p":{"title":"Mug","variants":{"edges":[{"node":{"title":"Red","sku":"R","price":{"amount":"8.0","currencyCode":"USD"},
        "availableForSale":true,"selectedOptions":[{"name":"Color","value":"Red"}]}},{"node":{"title":"Blue","sku":"B","price":{"amount":"9.0","currencyCode":"USD"},"availableForSale":false}}]}}};</script>`,
      expected: {
        title: "Mug",
        variants: [
          {
            sku: "R",
            title: "Red",
            values: { Color: "Red" },
            price: { amount: 8, currency: "USD" },
            availability: { inStock: true }
          },
          { sku: "B", title: "Blue", price: { amount: 9, currency: "USD" }, availability: { inStock: false } }
        ]
      }
    },
    {
      name: "the product object of Shopify, whose prices are in cents",
      html: `<h1>Mug</h1><script type="application/json">{"title":"Mug","vendor":"Acme","price":1999,"price_min":1999,"variants":[{"id":1,"sku":"M","price":1999,"compare_at_price":2500,"available":true}]}</script>`,
      expected: {
        title: "Mug",
        brand: "Acme",
        variants: [{ sku: "M", price: { amount: 19.99 }, sale: { originalPrice: { amount: 25 } } }]
      }
    },
    {
      name: "dataLayer",
      html: `<script>dataLayer.push({"event":"view_item","ecommerce":{"currency":"EUR","items":[{"item_name":"Blue kettle","item_id":"K-1","price":"19.99"}]}})</script>`,
      expected: { title: "Blue kettle", variants: [{ sku: "K-1", price: { amount: 19.99, currency: "EUR" } }] }
    },
    {
      name: "Open Graph with a price",
      html: `<meta property="og:title" content="Blue kettle"><meta property="product:price:amount" content="19,99"><meta property="product:price:currency" content="EUR">`,
      expected: { title: "Blue kettle", variants: [{ price: { amount: 19.99, currency: "EUR" } }] }
    }
  ])("is read from $name", ({ expected, html }) => {
    const { product, warnings } = read(html)
    expect(product).toMatchObject(expected)
    expect(warnings).toEqual([])
  })

  it("takes from a lower source what a higher one leaves out, and nothing of another product", () => {
    const { offers: _, ...rest } = kettle
    const state = (name: string) =>
      `<h1>Blue kettle</h1><script>window.__INITIAL_STATE__={"product":{"name":"${name}","price":7,"currency":"EUR"}}</script>`
    expect(read(linked(rest) + state("Blue kettle")).product?.variants[0]).toMatchObject({
      sku: "K-1",
      price: { amount: 7 }
    })
    expect(read(linked(rest) + state("Red kettle")).product?.variants[0]?.price).toBeUndefined()
    const other = `<meta property="og:title" content="Shop"><meta property="product:price:amount" content="3">`
    expect(read(linked(rest) + other).product?.variants[0]?.price).toBeUndefined()
  })

  it("is the one of several that the page is about, by title or address", () => {
    const several = linked([{ ...kettle, name: "Red kettle", sku: "K-2", gtin13: undefined }, kettle])
    expect(read(`<h1>Blue kettle</h1>${several}`).product?.title).toBe("Blue kettle")
    const similar = linked({ ...kettle, isSimilarTo: { ...kettle, name: "Red kettle" } })
    expect(read(similar).product?.title).toBe("Blue kettle")
  })

  it("is missing where the page states several, with a warning, and in lists and articles", () => {
    const several = linked([{ ...kettle, name: "Red kettle", gtin13: undefined, sku: "K-2" }, kettle])
    expect(read(`<h1>All kettles</h1>${several}`)).toEqual({
      product: undefined,
      warnings: ["the page describes 2 products, and none of them matches its title or address"]
    })
    const list = linked({ "@type": "ItemList", itemListElement: [{ "@type": "ListItem", item: kettle }] })
    expect(read(list)).toEqual({ product: undefined, warnings: [] })
    expect(read('<meta property="og:title" content="News">')).toEqual({ product: undefined, warnings: [] })
  })

  it("has no price where offers disagree, with a warning", () => {
    const offers = [8, 9].map((price) => ({
      "@type": "Offer",
      price,
      priceCurrency: "EUR",
      seller: { name: `Shop ${price}` }
    }))
    const marketplace = read(linked({ ...kettle, offers }))
    expect(marketplace.product?.variants).toHaveLength(1)
    expect(marketplace.product?.variants[0]?.price).toBeUndefined()
    expect(marketplace.warnings).toEqual(["the product has 2 offers with different prices, so its price is left out"])
    const range = read(linked({ ...kettle, offers: { "@type": "AggregateOffer", lowPrice: 5, highPrice: 9 } }))
    expect(range.warnings).toEqual(["the product costs 5 to 9, so its price is left out"])
  })

  it("evaluates nothing, and survives state that refers to itself", () => {
    const html = `<h1>x</h1><script>window.__STATE__={"a":(()=>{throw 1})()};window.__NUXT__=(function(a){return {}}(1))</script>
      <script id="__NUXT_DATA__" type="application/json">[{"a":0,"__proto__":0}]</script>`
    expect(read(html)).toEqual({ product: undefined, warnings: [] })
  })
})

describe("parts of a product", () => {
  it.each([
    ["EAN13: 978-1-56619-909-4", "9781566199094"],
    ["EAN134006381333931", "4006381333931"],
    ["0-8044-2957-X", "080442957X"],
    ["4006381333932", undefined],
    ["K-1000", undefined]
  ])("reads the code of %s as %s", (text, expected) => {
    expect(readGtin(text)).toBe(expected)
  })

  it.each([
    ["4.5/5 (10,237)", 10237],
    ["1.204 Bewertungen", 1204],
    ["No reviews yet", undefined]
  ])("counts %s as %s", (text, expected) => {
    expect(readCount(text)).toBe(expected)
  })

  it.each([
    ["<b>4,7</b> <i>(12)</i>", { value: 4.7 }],
    ["<span>12 reviews</span><span>4 out of 5</span>", { value: 4, best: 5 }],
    ['<div role="img" aria-label="3.5 stars"><i>1 star</i></div>', { value: 3.5 }],
    ['<div class="stars"><span style="width: 90%"></span></div>', { value: 4.5 }],
    ['<i class="star filled"></i><i class="star filled"></i><i class="star"></i>', { value: 2 }],
    ['<img src="/img/stars_4.5.png">', { value: 4.5 }],
    ["<b>Reviews</b>", undefined]
  ])("reads the rating of %s", (html, expected) => {
    expect(readRating(parseTree(html).root)).toEqual(expected)
  })
})
