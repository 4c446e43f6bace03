import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { parsePage, readRows } from "../../src/Html/Fields.ts"
import { compileFields } from "../../src/Step/Extract/Compile.ts"

type Config = Parameters<typeof compileFields>[0]

const now = Date.UTC(2026, 2, 1)

const read = (html: string, config: Config) => {
  const { specification } = Either.getOrThrow(compileFields(config))
  return Either.getOrThrow(readRows(parsePage(html, "https://shop.example/p/1?a=b"), specification, now))
}

/** The value of one field of a page. */
const fieldOf = (html: string, field: NonNullable<Config["fields"]>[string], more: Config = {}) =>
  read(html, { ...more, fields: { field } })[0]?.values.field

const rowsOf = (html: string, config: Config) => read(html, config).map(({ values }) => values)

const data = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`

const product = data({
  "@context": "https://schema.org",
  "@graph": [
    { "@type": "WebPage", mainEntity: { "@id": "#p" } },
    {
      "@type": ["Product", "Thing"],
      "@id": "#p",
      sku: "K-1",
      brand: { "@id": "#acme" },
      offers: [{ price: 19.9 }, { price: "21" }]
    },
    { "@type": "Organization", "@id": "#acme", name: "Acme" }
  ]
})

const microdata = `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Kettle</h1>
  <div itemprop=offers itemscope itemtype="http://schema.org/Offer"><span itemprop=price content="1299.00">1.299,00</span>
  <meta itemprop=priceCurrency content=EUR><link itemprop=availability href="https://schema.org/InStock"></div>
  <img itemprop=image src="/i.png"><time itemprop=releaseDate datetime="2024-05-06">May</time></div>`

const rdfa = `<div vocab="https://schema.org/" typeof=Product><h1 property=name>Kettle</h1><div property=offers typeof=Offer><b property=price content=5>5 €</b></div></div>`

describe("fields of a page", () => {
  it.each<readonly [name: string, html: string, field: NonNullable<Config["fields"]>[string], expected: unknown]>([
    ["the first match of a selector", "<h1> One\n <b>two</b></h1><h1>x</h1>", "h1", "One two"],
    ["blocks and line breaks apart", "<div id=a><p>a</p><p>b</p>c<br>d<i>e</i></div>", "#a", "a b c de"],
    ["no scripts and styles", "<p>a<script>x</script><style>y</style>b</p>", "p", "ab"],
    ["nothing as null", "<p>a</p>", "h1", null],
    ["an attribute", "<p data-id=7>a</p>", { css: "p", attr: "data-id" }, "7"],
    ["an absolute address", "<a href=../x>a</a>", { css: "a", attr: "href" }, "https://shop.example/x"],
    ["an address of a link by type", "<a href=?q=1>a</a>", { css: "a", as: "url" }, "https://shop.example/p/1?q=1"],
    [
      "an address under a base",
      "<base href=https://cdn.example/><img src=a.png>",
      { css: "img", attr: "src" },
      "https://cdn.example/a.png"
    ],
    ["all matches", "<b>1</b><b>2</b>", { css: "b", all: true, as: "integer" }, [1, 2]],
    ["no match as an empty array", "<i>1</i>", { css: "b", all: true }, []],
    ["own text", "<p>a <b>b</b> c</p>", { css: "p", own: true }, "a c"],
    ["a part of the text", "<p>SKU: K-12 (new)</p>", { css: "p", match: "SKU: (\\S+)" }, "K-12"],
    ["a pattern without case", "<p>sku K-12</p>", { css: "p", match: "/SKU (\\S+)/i" }, "K-12"],
    ["every part of the text", "<p>a1 b2</p>", { css: "p", match: "\\d", all: true, as: "integer" }, [1, 2]],
    ["a pattern in the page", "<p>Order no. 77 of</p>", { regex: "no\\. (\\d+)", as: "integer" }, 77],
    ["a default", "<p>a</p>", { css: "h1", default: "none" }, "none"],
    ["a default for what is not of the type", "<p>ask us</p>", { css: "p", as: "price", default: 0 }, 0],
    ["the first source with a value", "<p> </p><h2>b</h2>", ["h1", "p", { css: "h2" }], "b"],
    [
      "the next source after an unreadable one",
      "<p>ask us</p><b>5 €</b>",
      [
        { css: "p", as: "price" },
        { css: "b", as: "price" }
      ],
      5
    ],
    ["a price", "<b>1.299,00 €</b>", { css: "b", as: "price" }, 1299],
    [
      "the price beside a former one that is struck out",
      "<div><span><del>242,10 €</del></span> <span>201,75 €</span></div>",
      { css: "div", as: "price" },
      201.75
    ],
    ["a currency beside a former price", "<p><s>5 $</s> 4 €</p>", { css: "p", as: "currency" }, "EUR"],
    ["a price of zero beside a former one", "<p><strike>5 €</strike> free</p>", { css: "p", as: "price" }, 0],
    ["a price that is all struck out", "<p>sold out <del>5 €</del></p>", { css: "p", as: "price" }, 5],
    ...[
      ["a number of pieces", "<s>$100.00</s> Sold out, 3 left", 100],
      ["a rating", "<s>USD 100</s> 4.5 stars (120 reviews)", 100],
      ["a rating without words", "<s>USD 100</s> 4.5 (120)", 100],
      ["a footnote", "<s>$20.00</s><sup>1</sup>", 20],
      ["raised cents", "<s>$20</s><sup>99</sup>", 20.99],
      ["a size", "<del>$20</del> Size 42", 20],
      ["a size that may be a currency", "<del>$20</del> Size 42 L", 20],
      ["a discount", "<del>$20</del> -25%", 20]
    ].map(
      ([title, html, price]) =>
        [`a price that is struck out, beside ${title}`, `<p>${html}</p>`, { css: "p", as: "price" }, price] as const
    ),
    [
      "a price with a currency of few letters",
      "<p>Ord. pris <s>399 kr</s> Nu 299 kr</p>",
      { css: "p", as: "price" },
      299
    ],
    ["an amount without a currency beside a former price", "<p><s>$20</s> 15,-</p>", { css: "p", as: "price" }, 15],
    ["a price on both sides of a former one", "<p>4 €<s>5 €</s>6</p>", { css: "p", as: "price" }, 4],
    ["a number before a former price", "<p>4<s>5</s>6 €</p>", { css: "p", as: "price" }, 6],
    ["the former price itself", "<p><s>5 €</s> 4 €</p>", { css: "s", as: "price" }, 5],
    ["a currency", "<b>1.299,00 €</b>", { css: "b", as: "currency" }, "EUR"],
    ["a number with a unit", "<b>2,5 kg</b>", { css: "b", as: "number", locale: "de" }, 2.5],
    ["a number in the language of the page", "<html lang=de><b>1.234</b>", { css: "b", as: "number" }, 1234],
    ["a date", "<b>5. März 2024</b>", { css: "b", as: "date", locale: "de" }, "2024-03-05"],
    ["a date by its order", "<b>04/10/2018</b>", { css: "b", as: "date", order: "DMY" }, "2018-10-04"],
    [
      "a stated date",
      "<time datetime=2024-05-06T10:00Z>yesterday</time>",
      { css: "time", as: "datetime" },
      "2024-05-06T10:00:00.000Z"
    ],
    ["a relative date", "<b>2 days ago</b>", { css: "b", as: "date" }, "2026-02-27"],
    ["what exists", "<i class=sold></i>", { css: ".sold", as: "exists" }, true],
    ["what does not exist", "<i></i>", { css: ".sold", as: "exists" }, false],
    ["yes and no", "<i>Yes</i>", { css: "i", as: "boolean" }, true],
    ["HTML", "<p><b>x</b></p>", { css: "p", as: "html" }, "<p><b>x</b></p>"],
    ["Markdown", "<div><p>a <b>b</b></p></div>", { css: "div", as: "markdown" }, "a **b**"],
    ["JSON of a script", `<script id=d>{"a":[1]}</script>`, { css: "#d", as: "json" }, { a: [1] }],
    ["the content of a meta element", "<meta name=x content=5>", { css: "meta[name=x]", as: "integer" }, 5],
    ["meta by its name", "<meta property=og:title content=T>", { meta: "og:title" }, "T"],
    ["the title", "<title>T</title>", { meta: "title" }, "T"],
    [
      "nested objects",
      "<i><b>1</b></i><i><b>2</b></i>",
      { css: "i", all: true, fields: { n: { css: "b", as: "number" } } },
      [{ n: 1 }, { n: 2 }]
    ]
  ])("read %s", (_, html, field, expected) => {
    expect(fieldOf(html, field)).toEqual(expected)
  })

  it.each<readonly [name: string, html: string]>([
    ["th and td", "<table><tr><th>Size<td>9<tr><th>Weight:<td>2 kg</table>"],
    ["two td", "<table><tr><td>Weight</td><td><b>2 kg</b></td></tr></table>"],
    ["a header above", "<table><tr><th>Size<th>Weight<tr><td>9<td>2 kg</table>"],
    ["a header in thead", "<table><thead><tr><th>Size<th>Weight</thead><tbody><tr><td>9<td>2 kg</table>"],
    ["dt and dd", "<dl><dt>Size<dd>9<dt>Weight<dd>2 kg</dl>"],
    ["dt and dd in groups", "<dl><div><dt><b>Weight</b></dt><dd>2 kg</dd></div></dl>"],
    ["text", "<p>Weight: 2 kg</p>"],
    ["text in a list", "<ul><li>Size: 9<li>weight : 2 kg</ul>"],
    ["a bold label", "<p><b>Weight:</b> 2 kg<br><b>Size:</b> 9</p>"],
    ["a bold label with the colon behind", "<p><b>Weight</b>: 2 kg<br><b>Size</b>: 9</p>"],
    ["a bold value", "<p>Weight: <b>2 kg</b></p>"],
    ["two elements", "<div><span><i>Weight</i></span><span>2 kg</span></div>"],
    ["a label between others", "<p>The Weight of it</p><p>Weight: 2 kg</p>"]
  ])("find the value beside a label in %s", (_, html) => {
    expect(fieldOf(html, { label: ["Gewicht", "Weight"] })).toBe("2 kg")
  })

  it.each<readonly [path: string, html: string, expected: unknown]>([
    ["Product.sku", product, "K-1"],
    ["Product.brand", product, "Acme"],
    ["Product.offers.price", product, "19.9"],
    ["product.sku", product, "K-1"],
    ["Product.nothing", product, null],
    ["Product.name", microdata, "Kettle"],
    ["Product.offers.price", microdata, "1299.00"],
    ["Product.offers.availability", microdata, "https://schema.org/InStock"],
    ["Product.image", microdata, "https://shop.example/i.png"],
    ["Product.releaseDate", microdata, "2024-05-06"],
    ["Product.offers.price", rdfa, "5"],
    [
      "Product.name",
      `<script type="application/ld+json">/* a */ {"@type":"Product", // b\n "name":"a // b",}</script>`,
      "a // b"
    ],
    ["Product.name", `<script type="application/ld+json"><!-- {"@type":"Product","name":"a\nb"}; --></script>`, "a b"],
    ["Product.name", `<script type="application/ld+json">{"broken</script>${microdata}`, "Kettle"],
    ["Product.name", data([{ "@type": "ItemList" }, { "@type": "http://schema.org/Product", name: "x" }]), "x"]
  ])("read the data %s of a page", (path, html, expected) => {
    expect(fieldOf(html, { data: path })).toBe(expected)
  })

  it("read numbers of data with a dot in every language", () => {
    expect(
      fieldOf(`<html lang=de>${data({ "@type": "Product", weight: 1.299 })}`, { data: "Product.weight", as: "price" })
    ).toBe(1.299)
    expect(fieldOf(product, { data: "Product.offers.price", all: true, as: "price" })).toEqual([19.9, 21])
  })

  it.each<readonly [selector: string, expected: unknown]>([
    ["li:has(> b)", "2 b"],
    ["li:contains('3')", "3"],
    ["li + li", "2 b"],
    ["b ~ i", "i"],
    ["> ul > li:last-child", "3"],
    [":scope > ul > li", "1"],
    [":is(ol, ul) > li:nth-child(2)", "2 b"],
    ["li:not(.a)", "2 b"],
    ["[class^=a]", "1"],
    ["p, li.a", "1"]
  ])("match %s", (css, expected) => {
    const html = "<section><ul><li class=a>1</li><li>2 <b>b</b></li><li>3</li></ul><b></b><i>i</i></section>"
    expect(rowsOf(html, { rows: "section", fields: { field: css } })).toEqual([{ field: expected }])
  })

  it.each<readonly [selector: string, expected: unknown]>([
    [":scope", "A-1"],
    [":scope[data-sku]", "A-1"],
    ["article:scope", "A-1"],
    [":scope > i, :scope", "A-1"],
    [":scope > [data-sku]", "B-2"],
    [":scope.old", null],
    ["article", null]
  ])("find the element of the row itself by :scope alone: %s", (css, expected) => {
    const html = '<article data-sku="A-1"><i>x</i><b data-sku="B-2">y</b></article>'
    const field = { css, attr: "data-sku" }
    expect(rowsOf(html, { rows: "article", fields: { field } })).toEqual([{ field: expected }])
    const all = expected === null ? [] : [expected]
    expect(rowsOf(html, { rows: "article", fields: { field: { ...field, all: true } } })).toEqual([{ field: all }])
  })

  it("find the element of a nested object by :scope", () => {
    const html = "<ul><li class=red>1<li class=blue>2</ul>"
    const fields = { colour: { css: ":scope", attr: "class" }, n: { css: ":scope", as: "number" } } as const
    expect(fieldOf(html, { css: "li", all: true, fields })).toEqual([
      { colour: "red", n: 1 },
      { colour: "blue", n: 2 }
    ])
  })

  it("go on to the next source after false and after an empty list", () => {
    const field = [
      { css: ".a", as: "exists" },
      { css: ".b", as: "exists" }
    ] as const
    expect(fieldOf("<i class=b>", field)).toBe(true)
    expect(fieldOf("<i>", field)).toBe(false)
    expect(
      fieldOf("<i>x</i>", [
        { css: "b", all: true },
        { css: "i", all: true }
      ])
    ).toEqual(["x"])
  })

  it("say which nested field cannot be read", () => {
    const nested = { css: "li", all: true, fields: { n: { css: "b", as: "number" } } } as const
    const [row] = read("<li><b>1</b><li><b>x</b>", { fields: { parts: nested } })
    expect(row?.missing.get("parts.n")).toMatchObject({ isUnreadable: true })
  })

  it("refuse a page on which a selector takes too long", () => {
    const { specification } = Either.getOrThrow(compileFields({ fields: { field: "b:contains('y') ~ i" } }))
    const outcome = readRows(parsePage("<b>x</b><i></i>".repeat(40_000), undefined), specification, now)
    expect(outcome).toMatchObject({ _tag: "Left", left: expect.stringContaining("too long on this page") })
  })

  it.each<readonly [name: string, html: string, field: NonNullable<Config["fields"]>[string], reason: string]>([
    ["nothing matches", "<p></p>", ".price", 'css ".price" matches nothing'],
    ["it is empty", "<p></p>", "p", 'css "p" matches, but is empty'],
    [
      "it is of another type",
      "<p>ab 12</p>",
      { css: "p", as: "number" },
      'css "p" gives "ab 12", which is not a number'
    ],
    [
      "a date is impossible",
      "<p>31.02.2024</p>",
      { css: "p", as: "date" },
      'css "p" gives "31.02.2024", which is not a date'
    ],
    [
      "all sources fail",
      "<p>x</p>",
      ["h1", { label: "Price" }],
      'css "h1" matches nothing; label "Price" matches nothing'
    ],
    [
      "a pattern has no match",
      "<p>x</p>",
      { css: "p", match: "\\d" },
      'css "p" gives "x", which its pattern does not match'
    ]
  ])("say why there is no value when %s", (_, html, field, reason) => {
    expect(read(html, { fields: { field } })[0]?.missing.get("field")?.why).toBe(reason)
  })
})

describe("rows of a page", () => {
  it("are what a selector matches, with fields relative to it", () => {
    const html = "<h2>x</h2><article><h2>a</h2><b>1 €</b></article><article><h2>b</h2></article>"
    expect(rowsOf(html, { rows: "article", fields: { title: "h2", price: { css: "b", as: "price" } } })).toEqual([
      { title: "a", price: 1 },
      { title: "b", price: null }
    ])
  })

  const table = `<table><tr><td>menu</table><table id=t><caption>c</caption>
    <thead><tr><th rowspan=2>Station<th colspan=2>Flow<tr><th>min<th>max</thead>
    <tbody><tr><td rowspan=2>Ford<td>1,5<td>2,5<tr><td colspan=2>9</tbody><tr><td><table><tr><td>in</table></table>`

  it("are those of a table, by its header, with spans resolved", () => {
    expect(rowsOf(table, { rows: { table: "#t" } })).toEqual([
      { Station: "Ford", "Flow min": "1,5", "Flow max": "2,5" },
      { Station: "Ford", "Flow min": "9", "Flow max": "9" },
      { Station: "in", "Flow min": null, "Flow max": null }
    ])
    expect(
      rowsOf(table, {
        rows: { table: 2 },
        locale: "de",
        fields: {
          station: { column: "Station" },
          least: { column: "2", as: "number" },
          "Flow max": { as: "number" },
          cell: "td"
        }
      }).slice(0, 1)
    ).toEqual([{ station: "Ford", least: 1.5, "Flow max": 2.5, cell: "Ford" }])
  })

  it("are those of the largest table, or of the one with a number", () => {
    const html = "<table><tr><td>x</table><div><table><tr><td>Name<td>Age<tr><td>Ann<td>5<tr><td>Bob<td>6</table></div>"
    expect(rowsOf(html, { rows: { table: true } })).toEqual([
      { Name: "Ann", Age: "5" },
      { Name: "Bob", Age: "6" }
    ])
    expect(rowsOf(html, { rows: { table: 1 } })).toEqual([{ 1: "x" }])
    expect(rowsOf(html, { rows: { table: 3 } })).toEqual([])
    expect(rowsOf(html, { rows: { table: "div" } })).toHaveLength(2)
  })

  it("take a product that only the page's state tells, and what its items leave out, but no other product", () => {
    const state = (product: object) =>
      `<h1>Blue kettle</h1><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ product })}</script>`
    const kettle = { name: "Blue kettle", sku: "K-1", brand: "Acme", price: { amount: 19.5, currencyCode: "EUR" } }
    const fields: NonNullable<Config["fields"]> = {
      sku: [{ data: "Product.sku" }],
      price: [{ data: "Product.offers.price", as: "price" }],
      currency: [{ data: "product.offers.priceCurrency" }]
    }
    expect(rowsOf(state(kettle), { fields })).toMatchObject([{ sku: "K-1", price: 19.5, currency: "EUR" }])
    expect(rowsOf(state(kettle), { rows: { data: "Product" } })).toMatchObject([{ name: "Blue kettle", brand: "Acme" }])
    const linked = `<script type="application/ld+json">{"@type":"Product","name":"Blue kettle","sku":"K-9"}</script>`
    expect(rowsOf(linked + state(kettle), { fields })).toMatchObject([{ sku: "K-9", price: 19.5 }])
    expect(rowsOf(state({ ...kettle, name: "Red kettle" }), { fields })).toMatchObject([{ sku: null, price: null }])
  })

  it("are the items of a type", () => {
    const html = data({
      "@type": "ItemList",
      itemListElement: [1, 2].map((n) => ({ item: { "@type": "Event", name: `e${n}`, offers: { price: n } } }))
    })
    expect(
      rowsOf(html, {
        rows: { data: "Event" },
        fields: { name: { data: "name" }, price: { data: "Event.offers.price", as: "price" } }
      })
    ).toEqual([
      { name: "e1", price: 1 },
      { name: "e2", price: 2 }
    ])
    expect(rowsOf(html, { rows: { data: "Event" } })[1]).toMatchObject({ name: "e2" })
  })

  it("are the items of narrower types where the page has none of the type", () => {
    const eventsOf = (...types: ReadonlyArray<string>) =>
      rowsOf(data(types.map((type) => ({ "@type": type, name: type }))), {
        rows: { data: "Event" },
        fields: { name: { data: "name" } }
      }).map(({ name }) => name)
    const narrow = ["MusicEvent", "https://schema.org/Festival"]
    expect(eventsOf(...narrow, "Eventful", "EventVenue", "PublicationEvent")).toEqual(narrow)
    expect(eventsOf("PublicationEvent", "MusicEvent", "Event")).toEqual(["Event"])
  })
})
