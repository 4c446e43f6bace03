import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { readPageData } from "../../src/Html/Extract.ts"
import { readData } from "../../src/Html/Fields.ts"
import { skipsLong } from "../Long.ts"

const read = (html: string, url?: string) => readPageData(html, url, Date.UTC(2026, 0, 1))
const linked = (json: string) => read(`<script type="application/ld+json">${json}</script>`).structured.jsonld

describe("JSON-LD", () => {
  it.each([
    { name: "comments around it", json: '<!-- x -->/* <![CDATA[ */ {"a":1} // ]]>' },
    { name: "a comma before the end", json: '{"a":1,}' },
    { name: "a comma before comments at the end", json: '{"a":1, // one\n //"b": 2, /* c */\n}' },
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

  it.skipIf(skipsLong)("bears many items and deep ones", () => {
    const many = '<i itemscope itemprop="a">x</i>'.repeat(30_000)
    expect(read(`<div itemscope>${many}</div>`).structured.microdata).toHaveLength(1)
    expect(read('<div itemscope itemprop="a">'.repeat(15_000)).structured.microdata).toHaveLength(1)
  })

  it("has text without scripts and styles, with blocks apart", () => {
    const html = `<p itemscope><b itemprop="name">Ne<i>il</i><style>b{}</style><script>1</script><br>B.</b></p>
      <b itemprop="review" itemscope itemtype="https://schema.org/Review"><i itemprop="name">Good</i></b>`
    expect(read(html).structured.microdata).toEqual([
      { properties: { name: ["Neil B."] } },
      { type: ["https://schema.org/Review"], properties: { name: ["Good"] } }
    ])
  })
})

describe("RDFa", () => {
  const rdfa = (html: string) => read(html, "https://a.example/dir/page#part").structured.rdfa
  const dc = "http://purl.org/dc/terms/"

  it.each([
    {
      name: "properties of the page, with a vocabulary, default prefixes and a language",
      html: `<html lang="en"><body vocab="${dc}"><h1 property="title">Bob</h1><p property="dc:creator" lang="">A</p></body>`,
      nodes: [
        {
          "@id": "https://a.example/dir/page",
          [`${dc}title`]: [{ "@value": "Bob", "@language": "en" }],
          [`${dc}creator`]: [{ "@value": "A" }]
        }
      ]
    },
    {
      name: "chained items, blank nodes, and targets of links and images",
      html: `<div vocab="https://schema.org/" typeof="Product Thing" resource="#it"><b property="name">Kettle</b>
        <p property="offers" typeof="Offer"><meta property="price" content="5"><link property="availability" href="InStock"></p></div>`,
      nodes: [
        {
          "@id": "https://a.example/dir/page#it",
          "@type": ["https://schema.org/Product", "https://schema.org/Thing"],
          "https://schema.org/name": [{ "@value": "Kettle" }],
          "https://schema.org/offers": [{ "@id": "_:b0" }]
        },
        {
          "@id": "_:b0",
          "@type": ["https://schema.org/Offer"],
          "https://schema.org/price": [{ "@value": "5" }],
          "https://schema.org/availability": [{ "@id": "https://a.example/dir/InStock" }]
        }
      ]
    },
    {
      name: "relations that are complete further inside, forwards and backwards",
      html: `<div about="[ex:a]" rel="ex:knows" rev="ex:knownBy" prefix="ex: http://ex.org/"><p><b resource="_:x"></b></p></div>`,
      nodes: [
        { "@id": "http://ex.org/a", "http://ex.org/knows": [{ "@id": "_:b1" }] },
        { "@id": "_:b1", "http://ex.org/knownBy": [{ "@id": "http://ex.org/a" }] }
      ]
    },
    {
      name: "lists, types of times and of data, and markup",
      html: `<p about="http://e/" prefix="ex: http://ex.org/"><i property="ex:l" inlist>1</i><i property="ex:l" inlist>2</i>
        <time property="ex:t" datetime="2025-01-02">then</time><i property="ex:n" datatype="xsd:integer">3</i>
        <i property="ex:h" datatype="rdf:HTML">x<b>y</b></i></p>`,
      nodes: [
        {
          "@id": "http://e/",
          "http://ex.org/t": [{ "@value": "2025-01-02", "@type": "http://www.w3.org/2001/XMLSchema#date" }],
          "http://ex.org/n": [{ "@value": "3", "@type": "http://www.w3.org/2001/XMLSchema#integer" }],
          "http://ex.org/h": [{ "@value": "x<b>y</b>", "@type": "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML" }],
          "http://ex.org/l": [{ "@list": [{ "@value": "1" }, { "@value": "2" }] }]
        }
      ]
    },
    {
      name: "no relations without a prefix beside a property, and no unknown terms",
      html: `<a property="dc:source" rel="nofollow" href="/x">x</a><a rel="next" href="/2">2</a><b property="unknown">u</b>`,
      nodes: [{ "@id": "https://a.example/dir/page", [`${dc}source`]: [{ "@id": "https://a.example/x" }] }]
    }
  ])("has $name", ({ html, nodes }) => {
    expect(rdfa(html)).toEqual(nodes)
  })

  it("is not there on pages without it, also with roles and plain relations", () => {
    expect(rdfa('<nav role="navigation"><a rel="next" href="/2">2</a></nav>')).toEqual([])
  })

  it.skipIf(skipsLong)("bears many statements, nested texts and prefixes", () => {
    const many = `<div vocab="http://v/"${' property="a"'}>`.repeat(5_000)
    expect(rdfa(many).length).toBeGreaterThan(0)
    const relations = Array.from({ length: 2_000 }, (_, at) => `x:${at}`).join(" ")
    const page = read(
      `<div rel="${relations}">${'<b about="y:1" typeof="x:t"></b><b typeof="x:t"></b>'.repeat(500)}</div>`
    )
    expect(page.warning).toBe("the RDFa is too large: only its beginning was read")
  })

  it("gives fields like JSON-LD, with the parts of an item inside it", () => {
    const html = `<div vocab="https://schema.org/" typeof="Product"><b property="name"> Blue
      kettle</b><p property="offers" typeof="Offer"><b property="price">5</b></p></div>`
    expect(readData(html, "Product.name")).toEqual(Either.right("Blue kettle"))
    expect(readData(html, "Product.offers.price")).toEqual(Either.right("5"))
  })
})

describe("microformats", () => {
  const items = (html: string) => read(html, "https://a.example/dir/page").structured.microformats

  it.each([
    {
      name: "properties of each kind",
      html: `<article class="h-entry" id="e"><h1 class="p-name">Title</h1><a class="u-url" href="x">link</a>
        <time class="dt-published" datetime="2025-01-02">then</time><img class="u-photo" src="/p.png" alt="P">
        <div class="e-content"><p>Text <a href="y">y</a></p></div></article>`,
      expected: {
        type: ["h-entry"],
        id: "e",
        properties: {
          name: ["Title"],
          url: ["https://a.example/dir/x"],
          published: ["2025-01-02"],
          photo: [{ value: "https://a.example/p.png", alt: "P" }],
          content: [{ value: "Text y", html: '<p>Text <a href="https://a.example/dir/y">y</a></p>' }]
        }
      }
    },
    {
      name: "nested items as values and as children",
      html: `<div class="h-feed"><p class="p-author h-card"><b class="p-name">Ann</b></p><p class="h-entry">One</p></div>`,
      expected: {
        type: ["h-feed"],
        properties: { author: [{ type: ["h-card"], properties: { name: ["Ann"] }, value: "Ann" }] },
        children: [{ type: ["h-entry"], properties: { name: ["One"] } }]
      }
    },
    {
      name: "implied name, photo and address",
      html: `<p class="h-card"><a href="/ann"><img src="a.png" alt="Ann"></a></p>`,
      expected: {
        type: ["h-card"],
        properties: {
          name: ["Ann"],
          photo: [{ value: "https://a.example/dir/a.png", alt: "Ann" }],
          url: ["https://a.example/ann"]
        }
      }
    },
    {
      name: "older names, with the same item in them",
      html: `<div class="hentry"><h2 class="entry-title">T</h2><a rel="bookmark" href="/t">#</a>
        <span class="author vcard"><b class="fn">Ann</b></span></div>`,
      expected: {
        type: ["h-entry"],
        properties: {
          name: ["T"],
          url: ["https://a.example/t"],
          author: [{ type: ["h-card"], properties: { name: ["Ann"] }, value: "Ann" }]
        }
      }
    },
    {
      name: "dates in parts, the second one of the day before it",
      html: `<p class="h-event"><b class="p-name">E</b><i class="dt-start"><b class="value">2025-06-26</b> <b class="value">7:30pm</b>
        <b class="value">-06:00</b></i><i class="dt-end"><b class="value">22:00</b></i></p>`,
      expected: {
        type: ["h-event"],
        properties: { name: ["E"], start: ["2025-06-26 19:30-0600"], end: ["2025-06-26 22:00"] }
      }
    }
  ])("have $name", ({ expected, html }) => {
    expect(items(html)).toEqual([expected])
  })

  it("are no classes that name a height, and none that break the rules of names", () => {
    expect(items('<p class="h-full h-screen">a</p><p class="h-10 h-card_ h--x">b</p>')).toEqual([])
  })

  it("include other parts of the page in older items, also when they include each other", () => {
    const html = `<p class="vcard" itemref="o"><b class="fn">Ann</b></p><p id="o" class="vcard" itemref="o"><i class="org">Org</i></p>`
    expect(items(html)[0]).toMatchObject({ properties: { name: ["Ann"] } })
  })

  it("bear many items, deep ones, and texts in each other", () => {
    expect(items('<i class="h-entry p-name">x</i>'.repeat(15_000))).toHaveLength(15_000)
    expect(items('<div class="h-card">'.repeat(15_000))).toHaveLength(1)
    const page = read(`${'<div class="h-entry"><div class="e-content">'.repeat(200)}${"text ".repeat(100_000)}`)
    expect(page.warning).toBe("the microformats are too large: only their beginning was read")
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
