/** Fields of pages, as public reports about other tools have them. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { parsePage, readRows } from "../../src/Html/Fields.ts"
import { compileFields, objectionsTo } from "../../src/Step/Extract/Compile.ts"

interface Case {
  readonly name: string
  readonly source: string
  readonly html: string
  readonly rows?: string
  readonly fields: NonNullable<Parameters<typeof compileFields>[0]["fields"]>
  readonly expect: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const news = `<table><tr class=athing id=1><td>One</td></tr><tr><td><span class=age title="2025-06-27">1 hour</span></td></tr>
  <tr class=spacer></tr><tr class=athing id=2><td>Two</td></tr><tr><td><i>no age</i></td></tr></table>`

const listing = (css: string): Case => ({
  name: `a field beside the element of its row: ${css}`,
  source: "crawl4ai#1254",
  html: news,
  rows: "tr.athing",
  fields: { title: "td", age: { css, attr: "title" } },
  expect: [
    { title: "One", age: "2025-06-27" },
    { title: "Two", age: null }
  ]
})

/** Each price as an element has it, with its amount and currency; null where it is refused. */
const prices = (
  name: string,
  source: string,
  all: ReadonlyArray<readonly [html: string, amount: number | null, currency?: string]>,
  language = "en"
): Case => ({
  name,
  source,
  html: `<html lang=${language}>${all.map(([html]) => `<p>${html}</p>`).join("")}`,
  rows: "p",
  fields: { price: { css: ":scope", as: "price" }, currency: { css: ":scope", as: "currency" } },
  expect: all.map(([, price, currency = null]) => ({ price, currency }))
})

const cases: ReadonlyArray<Case> = [
  listing("+ tr span.age"),
  listing(":scope + tr span.age"),
  listing("+ tr > td > .age"),
  {
    name: "a term and all descriptions behind it",
    source: "crawl4ai#1254",
    html: "<dl><dt>A</dt><dd>1</dd><dd>2</dd><dt>B</dt><dd>3</dd></dl>",
    rows: "dt",
    fields: { name: ":scope", first: "+ dd", later: { css: "~ dd", all: true } },
    expect: [
      { name: "A", first: "1", later: ["1", "2", "3"] },
      { name: "B", first: "3", later: ["3"] }
    ]
  },
  {
    name: "the value is in the element of the row itself",
    source: "crawl4ai#1324",
    html: '<ul><li><a href="/1" title="One">1</a></li><li><a href="/2">2</a></li></ul>',
    rows: "li > a",
    fields: { link: { css: ":scope", as: "url" }, title: { css: ":scope", attr: "title" }, text: ":scope" },
    expect: [
      { link: "https://shop.example/1", title: "One", text: "1" },
      { link: "https://shop.example/2", title: null, text: "2" }
    ]
  },
  prices("cents in sup and small", "nopCommerce#970", [
    ["$12<sup>99</sup>", 12.99, "$"],
    ["<span>$</span><span>12</span> <sup>99</sup>", 12.99, "$"],
    ["12<sup>99</sup> €", 12.99, "EUR"],
    ["12,<sup>99</sup>€", 12.99, "EUR"],
    ["12€<sup>99</sup>", 12.99, "EUR"],
    ["€1,299<sup>00</sup>", 1299, "EUR"],
    ["1.299<sup>50</sup> €", 1299.5, "EUR"],
    ["12<small>99</small> €", 12.99, "EUR"],
    ["$12⁹⁹", 12.99, "$"],
    ["199<sup>1</sup> €", 199, "EUR"],
    ["199<sup>1)</sup> €", 199, "EUR"],
    ["199 €<sup>*</sup>", 199, "EUR"],
    ["12.50<sup>12</sup> €", 12.5, "EUR"]
  ]),
  prices("every apostrophe that is typed between thousands", "price-parser#61", [
    ["CHF 1’234.50", 1234.5, "CHF"],
    ["CHF 1‘234.50", 1234.5, "CHF"],
    ["CHF 1´234´567.-", 1234567, "CHF"],
    ["1`234 €", 1234, "EUR"],
    ["1′234 €", 1234, "EUR"]
  ]),
  prices("separators that have no one meaning are refused, and raised points are decimal", "price-parser#46", [
    ["£1·50", 1.5, "GBP"],
    ["1_234 €", null, "EUR"],
    ["1·234 €", null, "EUR"],
    ["€1,234,567.890", 1234567.89, "EUR"],
    ["1.5M €", 1_500_000, "EUR"]
  ]),
  {
    name: "a raised number is no digit of the one before",
    source: "nopCommerce#970",
    html: "<p>10<sup>6</sup></p><p>21 m<sup>2</sup></p><p>H<sub>2</sub>O 5<sup>1</sup></p>",
    rows: "p",
    fields: { n: { css: ":scope", as: "number" }, text: ":scope" },
    expect: [
      { n: null, text: "106" },
      { n: null, text: "21 m2" },
      { n: null, text: "H2O 51" }
    ]
  },
  {
    name: "JSON-LD in CDATA whose end is escaped",
    source: "extruct#143",
    html: `<script type="application/ld+json">\n// <![CDATA[\n{ "@type": "Organization", "name": "L",
      "sameAs": ["https://a.example/b//c"] }\n// ]]&gt;\n</script>`,
    fields: { name: { data: "Organization.name" }, same: { data: "Organization.sameAs", all: true } },
    expect: [{ name: "L", same: ["https://a.example/b//c"] }]
  },
  {
    name: "a noscript in a noscript does not hide the page",
    source: "crawl4ai#2114",
    html: "<body><noscript><iframe></iframe><noscript><iframe></iframe></noscript></noscript><h1>Here</h1>",
    fields: { title: "h1" },
    expect: [{ title: "Here" }]
  },
  {
    name: "dots in an id, and the text behind elements",
    source: "Scrapling#433, Scrapling#167",
    html: '<main id="a.b.C">one <b>two</b> three <div><i>four</i></div> five</main>',
    fields: { escaped: "#a\\.b\\.C", quoted: { css: '[id="a.b.C"]', own: true } },
    expect: [{ escaped: "one two three four five", quoted: "one three five" }]
  }
]

describe("fields of pages that other tools got wrong", () => {
  it.each(cases)("$name ($source)", ({ expect: expected, fields, html, rows }) => {
    const config = { rows, fields }
    expect(objectionsTo(config)).toEqual([])
    const { specification } = Either.getOrThrow(compileFields(config))
    const read = Either.getOrThrow(readRows(parsePage(html, "https://shop.example/"), specification, 0))
    expect(read.map(({ values }) => values)).toEqual(expected)
  })

  it("search no more siblings than a selector can reach", () => {
    const html = `<table>${"<tr><td>x</td></tr>".repeat(4000)}</table>`
    const config = { rows: "tr", fields: { next: "+ tr .none", text: "td" } }
    const { specification } = Either.getOrThrow(compileFields(config))
    const read = readRows(parsePage(html, undefined), specification, 0)
    expect(Either.getOrThrow(read)).toHaveLength(4000)
  })
})
