import * as Effect from "effect/Effect"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { errorsOf, runStepOnce } from "./OneStep.ts"

const page = (rawHtml: string, url = "https://shop.example/p/1") => ({
  rawHtml,
  metadata: { sourceURL: url, statusCode: 200 }
})

const cards =
  "<article><h2>a</h2><b>1 €</b></article><article><h2>b</h2><b>ask us</b></article><article><h2>c</h2></article>"

interface Product {
  readonly title: string
  readonly price: number
  readonly currency: string
  readonly brand: string
  readonly sku: string
  readonly weight: number
  readonly available: boolean
  readonly updated: string
}

const products: ReadonlyArray<Product> = Array.from({ length: 60 }, (_, index) => ({
  title: `Product ${index}`,
  price: [1299, 12.5, 249.95, 0.99, 1049.9, 34][index % 6] ?? 0,
  currency: ["EUR", "GBP", "PLN"][index % 3] ?? "",
  brand: `Brand ${index % 7}`,
  sku: `K-${1000 + index}`,
  weight: 1 + (index % 8) / 4,
  available: index % 4 !== 0,
  updated: `2025-0${1 + (index % 9)}-1${index % 10}`
}))

const languages: Readonly<Record<string, string>> = { EUR: "de-DE", GBP: "en-GB", PLN: "pl-PL" }

const labelled = (product: Product): ReadonlyArray<readonly [label: string, text: string]> => {
  const { available, brand, currency, price, sku, updated, weight } = product
  const locale = languages[currency] ?? "en"
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(updated))
  return [
    ["Price", new Intl.NumberFormat(locale, { style: "currency", currency }).format(price)],
    ["Brand", brand],
    ["SKU", sku],
    ["Weight", `${new Intl.NumberFormat(locale).format(weight)} kg`],
    ["Availability", available ? "In stock" : "Sold out"],
    ["Updated", day]
  ]
}

/** A page of a product in one of five formats. */
const pageOf = (product: Product, index: number): string => {
  const { available, brand, currency, price, sku, title, updated, weight } = product
  const availability = `https://schema.org/${available ? "InStock" : "OutOfStock"}`
  const lines = labelled(product)
  const bodies = [
    () =>
      `<h1>${title}</h1><script type="application/ld+json">${JSON.stringify({
        "@graph": [
          { "@type": "BreadcrumbList", name: "no" },
          {
            "@type": "Product",
            sku,
            brand: { "@type": "Brand", name: brand },
            weight: { "@type": "QuantitativeValue", value: weight, unitCode: "KGM" },
            offers: [
              { "@type": "Offer", price: String(price), priceCurrency: currency, availability, validFrom: updated }
            ]
          }
        ]
      })}</script>`,
    () => `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>${title}</h1><i itemprop=sku>${sku}</i>
      <span itemprop=brand itemscope itemtype="https://schema.org/Brand"><b itemprop=name>${brand}</b></span>
      <span itemprop=weight>${lines[3]?.[1]}</span><div itemprop=offers itemscope itemtype="https://schema.org/Offer">
      <b itemprop=price content="${price}">${lines[0]?.[1]}</b><meta itemprop=priceCurrency content=${currency}>
      <link itemprop=availability href="${availability}"><time itemprop=validFrom datetime="${updated}">today</time></div></div>`,
    () => `<h1>${title}</h1><dl>${lines.map(([label, text]) => `<dt>${label}</dt><dd>${text}</dd>`).join("")}</dl>`,
    () => `<h1>${title}</h1><table>${lines.map(([label, text]) => `<tr><th>${label}:<td>${text}`).join("")}</table>`,
    () => `<h1>${title}</h1>${lines.map(([label, text]) => `<p>${label}: ${text}</p>`).join("")}`
  ]
  return `<!doctype html><html lang="${languages[currency]}"><body>${bodies[index % 5]?.()}</body></html>`
}

const eightColumns = `
  - scrape: {}
  - extract:
      fields:
        title: h1
        price: [{ data: Product.offers.price, as: price }, { label: Price, as: price }]
        currency: [{ data: Product.offers.priceCurrency, as: currency }, { label: Price, as: currency }]
        brand: [{ data: Product.brand }, { label: Brand }]
        sku: [{ data: Product.sku }, { label: SKU }]
        weight: [{ data: Product.weight, as: number }, { label: Weight, as: number }]
        available: [{ data: Product.offers.availability, as: boolean }, { label: Availability, as: boolean }]
        updated: [{ data: Product.offers.validFrom, as: date }, { label: Updated, as: date }]
  - write: { jsonl: rows.jsonl }`.trimStart()

describe("extract", () => {
  scoped.skipIf(skipsLong)("reads eight typed columns of 60 products in five formats with twelve lines", function* () {
    const steps = `  ${eightColumns}\n`
    expect(steps.trim().split("\n")).toHaveLength(12)
    const shop = yield* project({
      sharesLedger: true,
      service: ({ body }) => {
        const { formats, url } = JSON.parse(body)
        const index = Number(/\d+$/.exec(url)?.[0])
        const product = products[index]
        // Nobody reads Markdown here, so none is asked for.
        return product === undefined || JSON.stringify(formats) !== '["rawHtml"]'
          ? { status: 400, body: { success: false, error: "bad formats" } }
          : { body: { success: true, data: page(pageOf(product, index), url) } }
      }
    })
    const urls = products.map((_, index) => `https://shop.example/p/${index}`)
    const { rejects, rows } = yield* shop.run(`  - urls: ${JSON.stringify(urls)}\n${steps}`)
    expect(rejects).toEqual([])
    const inOrder = [...rows].sort((a, b) => String(a.sku).localeCompare(String(b.sku)))
    expect(inOrder).toEqual(products.map((product, index) => ({ url: urls[index], ...product })))
  })

  scoped(
    "makes a row of each match, with the address of the page, a key of its own, and the kept fields",
    function* () {
      const fields = { title: "h2", price: { css: "b", as: "price", default: 0 } }
      const { data, keys } = yield* runStepOnce("extract", { rows: "article", fields, keep: ["category", "title"] }, [
        { ...page(cards), category: "pans" }
      ])
      expect(data).toEqual([
        { url: "https://shop.example/p/1", category: "pans", title: "a", price: 1 },
        { url: "https://shop.example/p/1", category: "pans", title: "b", price: 0 },
        { url: "https://shop.example/p/1", category: "pans", title: "c", price: 0 }
      ])
      expect(keys).toEqual([0, 1, 2].map((index) => `https://shop.example/p/1#${index}`))
    }
  )

  scoped("rejects rows without a required field, and values that are not of their type, and says why", function* () {
    const fields = { title: "h2", price: { css: "b", as: "price" } }
    const { data, messages, reasons } = yield* runStepOnce(
      "extract",
      { rows: "article", fields, required: ["price"] },
      [page(cards)]
    )
    expect(data).toHaveLength(1)
    expect(reasons).toEqual(["MissingField", "MissingField"])
    expect(messages[0]).toBe('https://shop.example/p/1, row 2: no price: css "b" gives "ask us", which is not a price')
    expect(messages[1]).toBe('https://shop.example/p/1, row 3: no price: css "b" matches nothing')
    const optional = yield* runStepOnce("extract", { rows: "article", fields }, [page(cards)])
    expect(optional.data.map(({ title }) => title)).toEqual(["a", "c"])
    expect(optional.messages.join()).toContain(
      'row 2: price: css "b" gives "ask us", which is not a price; take a part of the text with `match`'
    )
  })

  scoped("rejects a page without rows, or skips it", function* () {
    const fields = { title: "h2" }
    const strict = yield* runStepOnce("extract", { rows: "article", fields }, [
      page(cards),
      page("<p>x", "https://x.example/")
    ])
    expect(strict.data).toHaveLength(3)
    expect(strict.messages).toEqual([
      'https://x.example/: no rows: rows: "article" matches nothing; `onEmpty: skip` leaves such pages out'
    ])
    const lenient = yield* runStepOnce("extract", { rows: "article", fields, onEmpty: "skip" }, [
      page(cards),
      page("<p>x")
    ])
    expect([lenient.data.length, lenient.rejects.length]).toEqual([3, 0])
  })

  scoped(
    "makes a row of each record of the main list, with its columns or those that fields rename and type",
    function* () {
      const item = (index: number) =>
        `<li class="item"><h3><a href="/p/${index}">Kettle ${index}</a></h3><b class="price">${index},50 €</b></li>`
      const html = `<html lang="de"><nav><a href="/">Home</a></nav><ul>${[1, 2, 3].map(item).join("")}</ul>`
      const plain = yield* runStepOnce("extract", { rows: { list: true } }, [page(html)])
      expect(plain.data[2]).toEqual({ title: "Kettle 3", url: "https://shop.example/p/3", price: "3,50 €" })
      const fields = { name: { column: "title" }, price: { as: "price" }, link: { css: "a", attr: "href" } }
      const typed = yield* runStepOnce("extract", { rows: { list: true }, fields, required: ["price"] }, [page(html)])
      expect(typed.data[0]).toEqual({
        url: "https://shop.example/p/1",
        name: "Kettle 1",
        price: 1.5,
        link: "https://shop.example/p/1"
      })
      const none = yield* runStepOnce("extract", { rows: { list: true } }, [page("<p>x", "https://x.example/")])
      expect(none.messages.join()).toContain("https://x.example/: no rows: the page has no list of records")
      const skipped = yield* runStepOnce("extract", { rows: { list: true }, onEmpty: "skip" }, [page("<p>x")])
      expect([skipped.data.length, skipped.rejects.length]).toEqual([0, 0])
    }
  )

  scoped("resolves addresses in the charset of the page, by its answer or its markup", function* () {
    const link = "<a href='/list.cgi?cat=本'>本</a>"
    const stated = page(link)
    const { data } = yield* runStepOnce("extract", { fields: { list: { css: "a", attr: "href" } } }, [
      { ...stated, metadata: { ...stated.metadata, contentType: "text/html; charset=Shift_JIS" } },
      page(`<meta charset="gbk">${link}`),
      page(link)
    ])
    expect(data.map(({ list }) => list)).toEqual(
      ["%96%7B", "%B1%BE", "%E6%9C%AC"].map((cat) => `https://shop.example/list.cgi?cat=${cat}`)
    )
  })

  scoped("rejects a row without HTML, and reads the field that `html` names", function* () {
    const none = yield* runStepOnce("extract", { fields: { title: "h1" } }, [
      { url: "https://x.example/" },
      page("<h1>a</h1>"),
      { url: "https://y.example/", fields: { id: "of a definition before", rows: [{ name: "b" }] } }
    ])
    expect(none.data).toEqual([{ url: "https://shop.example/p/1", title: "a" }])
    expect(none.messages[0]).toContain(
      "https://x.example/: the row has no rawHtml or html: add formats: [rawHtml] to the step"
    )
    expect(none.messages[1]).toContain(
      "https://y.example/: the page was read for other fields, of an earlier definition, and its HTML was not kept"
    )
    const named = yield* runStepOnce("extract", { html: "body", fields: { title: "h1" } }, [{ body: "<h1>a</h1>" }])
    expect(named.data).toEqual([{ title: "a" }])
  })

  scoped("evaluates expressions over the fields, in the order of the definition", function* () {
    const fields = {
      gross: { expr: "$round(net * 1.19, 2)" },
      net: { css: "b", as: "price" },
      shop: { expr: "$host(url)" },
      none: { expr: "nothing", default: "-" }
    }
    const { data } = yield* runStepOnce("extract", { fields }, [page("<b>10 €</b>"), page("<i></i>")])
    expect(data.map((row) => JSON.stringify(row))).toEqual([
      '{"url":"https://shop.example/p/1","gross":11.9,"net":10,"shop":"shop.example","none":"-"}',
      '{"url":"https://shop.example/p/1","gross":null,"net":null,"shop":"shop.example","none":"-"}'
    ])
  })

  scoped("asks the step that fetches the pages for the HTML, and keeps what it was asked for", function* () {
    const { checked } = yield* project({ sharesLedger: true })
    const configOf = (steps: string) =>
      Effect.map(checked(`${steps}\n  - write: { jsonl: x.jsonl }\n`), ({ nodes }) =>
        nodes.flatMap(({ config, step }) => (step.formatsAt === undefined ? [] : [config]))
      )
    const crawl = '  - crawl: { url: "https://x.example/"'
    const extract = "  - extract: { fields: { t: h1 } }"
    expect(yield* configOf(`${crawl} }\n${extract}`)).toMatchObject([{ scrapeOptions: { formats: ["rawHtml"] } }])
    expect(yield* configOf(`${crawl} }\n  - where: $contains(markdown, "x")\n${extract}`)).toMatchObject([
      { scrapeOptions: { formats: ["markdown", "rawHtml"] } }
    ])
    expect(yield* configOf(`${crawl} }\n  - extract: { fields: { t: h1 }, keep: [markdown] }`)).toMatchObject([
      { scrapeOptions: { formats: ["markdown", "rawHtml"] } }
    ])
    expect(
      yield* configOf(`${crawl}, scrapeOptions: { waitFor: 5, formats: [links, rawHtml] } }\n${extract}`)
    ).toMatchObject([{ scrapeOptions: { waitFor: 5, formats: ["links", "rawHtml"] } }])
    const urls = "  - urls: [https://x.example/]"
    expect(yield* configOf(`${urls}\n  - batchScrape:\n${extract}`)).toEqual([{ formats: ["rawHtml"] }])
    expect(yield* configOf(`${urls}\n  - scrape: { formats: [links] }\n  - limit: 1\n${extract}`)).toEqual([
      { formats: ["links", "rawHtml"] }
    ])
    expect(yield* configOf(`${urls}\n  - scrape: {}\n  - extract: { html: markdown, fields: { t: h1 } }`)).toEqual([{}])
  })

  it.scoped.each<readonly [name: string, config: unknown, issue: string]>([
    ["a selector", { fields: { a: "b[" } }, 'fields: a: "b[" is not a CSS selector: a name is missing at its end'],
    [
      "a selector of rows",
      { rows: "b:x", fields: { a: "b" } },
      'rows: "b:x" is not a CSS selector: Unknown pseudo-class :x'
    ],
    [
      "a nested selector",
      { fields: { a: [{ css: "i", fields: { c: "b[" } }] } },
      'fields: a: 0: fields: c: "b[" is not'
    ],
    ["a selector of Scrapy", { fields: { a: "h1::text" } }, "::text is not part of a CSS selector: write h1"],
    ["an XPath", { fields: { a: "//h1" } }, '"//h1" is an XPath: write a CSS selector'],
    ["a pattern", { fields: { a: { css: "b", match: "(" } } }, 'fields: a: match: "(" is not a pattern'],
    ["a slow pattern", { fields: { a: { regex: "(a+)\\1" } } }, "back-references are not supported"],
    ["a type", { fields: { a: { css: "b", as: "prise" } } }, 'fields: a: as: expected "text", "markdown"'],
    ["a key", { fields: { a: { css: "b", atr: "x" } } }, 'fields: a: atr: unknown key "atr", did you mean "attr"?'],
    ["two sources", { fields: { a: { css: "b", label: "c" } } }, "label: a source is either css or label"],
    ["no source", { fields: { a: { all: true } } }, "fields: a: has no source: write one of css, label"],
    [
      "a required field",
      { fields: { title: "b" }, required: ["titel"] },
      'required: 0: there is no field "titel", did you mean "title"?'
    ],
    ["an attribute without selector", { fields: { a: { label: "b", attr: "x" } } }, '"attr" has no effect without css'],
    ["a column without table", { fields: { a: { column: "b" } } }, "column: there is no table"],
    ["an expression in a list", { fields: { a: ["b", { expr: "c" }] } }, "1: expr: an expression cannot be in a list"],
    ["a language", { fields: { a: "b" }, locale: "xx-yy-zz" }, 'locale: "xx-yy-zz" is not a language'],
    ["a time zone", { fields: { a: { css: "b", timezone: "Mars" } } }, '"Mars" is not a time zone'],
    ["no fields", { rows: "b" }, "needs fields, or rows: { table: true }"]
  ])("has a config error for %s", ([_, config, issue]) =>
    Effect.map(errorsOf("extract", config), (errors) => expect(errors.join("\n")).toContain(issue))
  )

  scoped("has a config error where the rows cannot have HTML", function* () {
    const { errorsIn } = yield* project({ sharesLedger: true })
    const extract = "  - extract: { fields: { t: h1 } }\n"
    expect(yield* errorsIn(`  - urls: [https://x.example/]\n${extract}`)).toEqual([
      "the rows of urls have no rawHtml: fetch the pages above this step with `- scrape: {}`"
    ])
    const select = '  - crawl: { url: "https://x.example/" }\n  - select: { url: url }\n'
    expect((yield* errorsIn(`${select}${extract}`)).join()).toContain(
      '"select" above leaves out rawHtml: move this step'
    )
  })

  scoped("has a config error for properties that the format `attributes` is asked for", function* () {
    const query = (attribute: string) => ({
      formats: [{ type: "attributes", selectors: [{ selector: "h1", attribute }] }]
    })
    const errors = yield* errorsOf("scrape", query("innerText"))
    expect(errors.join()).toContain(
      'formats: 0: selectors: 0: attribute: "innerText" is a property that browsers give elements, not an attribute of the page: write the step extract'
    )
    expect((yield* errorsOf("scrape", query("className"))).join()).toContain("write attribute: class")
    expect((yield* errorsOf("scrape", query("data-text"))).join()).not.toContain("property")
  })
})

describe("a field that no row has", () => {
  scoped("is warned of once, at the end", function* () {
    const fields = {
      title: "h2",
      price: ".nope",
      note: { css: ".some", default: "" },
      isNew: { css: ".new", as: "exists" }
    }
    const rows = [page(cards), page('<article><h2>d</h2><i class="some">x</i></article>')]
    const { warnings } = yield* runStepOnce("extract", { rows: "article", fields }, rows)
    expect(warnings).toEqual(['step: no value of "price" in 4 rows: sluice extract PAGE shows what a page has'])
    expect((yield* runStepOnce("extract", { rows: "article", fields: { title: "h2" } }, rows)).warnings).toEqual([])
  })
})
