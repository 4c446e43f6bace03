import { describe, expect, it } from "@effect/vitest"
import { readPageData } from "../../src/Html/StructuredData.ts"

const read = (html: string, url?: string) => readPageData(html, url, Date.UTC(2026, 0, 1))
const linked = (json: string) => read(`<script type="application/ld+json">${json}</script>`).structured.jsonld

describe("JSON-LD", () => {
  it.each([
    { name: "comments around it", json: '<!-- x -->/* <![CDATA[ */ {"a":1} // ]]>' },
    { name: "a comma before the end", json: '{"a":1,}' },
    { name: "text after it", json: '{"a":1}; </div>' },
    { name: "escaped quotes", json: "{&quot;a&quot;:1}" }
  ])("is read with $name", ({ json }) => {
    expect(linked(json)).toEqual([{ a: 1 }])
  })

  it("keeps line breaks in strings, and signs of comments", () => {
    expect(linked('{"a":"x\ny","b":"http://a/* b */",}')).toEqual([{ a: "x\ny", b: "http://a/* b */" }])
  })

  it("flattens arrays, and leaves out what is no JSON", () => {
    expect(linked('[{"a":1},{"b":2}]')).toEqual([{ a: 1 }, { b: 2 }])
    expect(linked("no JSON {")).toEqual([])
    const page = read('<script type="application/ld+json">no JSON {</script>')
    expect(page.warning).toBe("1 of 1 JSON-LD scripts cannot be read")
  })
})

describe("microdata", () => {
  it("reads nested items, values by element, and referenced parts", () => {
    const html = `<div itemscope itemtype="https://schema.org/Product" itemref="more"><b itemprop="name">Kettle</b>
      <a itemprop="url" href="/k">k</a><p itemprop="offers" itemscope><meta itemprop="price" content="5"></p></div>
      <time id="more" itemprop="released" datetime="2025-01-02">then</time>`
    expect(read(html, "https://shop.example/").structured.microdata).toEqual([
      {
        type: ["https://schema.org/Product"],
        properties: {
          name: ["Kettle"],
          url: ["https://shop.example/k"],
          offers: [{ properties: { price: ["5"] } }],
          released: ["2025-01-02"]
        }
      }
    ])
  })

  it("ends with items that reference themselves or each other, and with names of the prototype", () => {
    const html = `<i id=a itemscope itemref="b a" itemprop=x></i><i id=b itemscope itemref=a itemprop=__proto__></i>
      <p itemscope itemref="a"><u itemprop="__proto__">1</u></p>`
    const [item] = read(html).structured.microdata
    expect(Object.keys(item?.properties ?? {})).toEqual(["__proto__", "x"])
    expect(Object.getPrototypeOf({}).x).toBeUndefined()
  })

  it("bears many items and deep ones", () => {
    const many = '<i itemscope itemprop="a">x</i>'.repeat(100_000)
    expect(read(`<div itemscope>${many}</div>`).structured.microdata).toHaveLength(1)
    expect(read('<div itemscope itemprop="a">'.repeat(50_000)).structured.microdata).toEqual([])
  })
})

describe("Open Graph", () => {
  it("has one object with all values of a property", () => {
    const html =
      '<meta property="og:title" content="A"><meta property="og:image" content="1"><meta property="og:image" content="2">'
    expect(read(html).structured.opengraph).toEqual([{ "og:title": "A", "og:image": ["1", "2"] }])
  })
})

describe("breadcrumbs", () => {
  it("are the links and the text of the marked trail", () => {
    const html = '<nav aria-label="Breadcrumb"><a href="/">Home</a> &gt; <a href="/k">Kettles</a> » Blue - 2 l</nav>'
    expect(read(html, "https://shop.example/x").breadcrumbs.slice(0, 2)).toEqual([
      { name: "Home", url: "https://shop.example/" },
      { name: "Kettles", url: "https://shop.example/k" }
    ])
  })

  it("come from JSON-LD without a trail", () => {
    const html = `<script type="application/ld+json">{"@type":"BreadcrumbList","itemListElement":[
      {"position":2,"name":"B"},{"position":1,"name":"A","item":"/a"}]}</script>`
    expect(read(html).breadcrumbs).toEqual([{ name: "A", url: "/a" }, { name: "B" }])
  })
})

describe("tables", () => {
  it("repeat spanned cells, and join the rows of the header", () => {
    const html = `<table><caption>Tides</caption><tr><th rowspan=2>Port<th colspan=2>Height<tr><th>low<th>high
      <tr><td rowspan=2>Brest<td>1<td>7<tr><td>2</table>`
    expect(read(html).tables).toEqual([
      {
        caption: "Tides",
        header: ["Port", "Height low", "Height high"],
        rows: [
          ["Brest", "1", "7"],
          ["Brest", "2", ""]
        ]
      }
    ])
  })

  it("end spans with the group of rows, and keep nested tables apart", () => {
    const html = `<table><tbody><tr><td rowspan=5>a<td>b<tbody><tr><td>c<td><table><tr><td>in</table></table>`
    expect(read(html).tables.map(({ rows }) => rows)).toEqual([
      [
        ["a", "b"],
        ["c", ""]
      ],
      [["in"]]
    ])
  })

  it("leave out hidden text, and bear spans of any size", () => {
    expect(read('<table><tr><td>1<i style="display:none">2</i><br>3</table>').tables[0]?.rows).toEqual([["1 3"]])
    const wide = read("<table><tr><td colspan=99999 rowspan=99999>x".concat("<tr><td>y".repeat(20_000)))
    expect(wide).toMatchObject({ tables: [], warning: "tables beyond 1,000,000 cells are left out" })
  })
})
