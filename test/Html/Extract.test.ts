import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { type ExtractOptions, extract } from "../../src/Html/Extract.ts"
import { crawlable } from "../../src/Html/PageUrls.ts"
import { parseSelector } from "../../src/Html/Select.ts"
import { summarize } from "../../src/Html/TextAnalysis.ts"
import { parseTree } from "../../src/Html/Tree.ts"
import { inMemory } from "./Memory.ts"

const read = (html: string, more: Partial<ExtractOptions> = {}) =>
  extract(html, {
    wanted: new Set(["markdown", "html", "images", "text", "linkTexts"]),
    url: "http://site.test/a/b",
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: true,
    ...more
  })

const selectors = (...list: ReadonlyArray<string>) => list.map((text) => Either.getOrThrow(parseSelector(text)))

describe("extract", () => {
  it("resolves URLs like the URL parser, also on the fast path", () => {
    const hrefs = [
      "https://example.com/a-b/c.html?x=1&y=2#z",
      "https://example.com/a/../b",
      "https://example.com/a/%2E%2e/b",
      "https://EXAMPLE.com/x",
      "https://example.com:443/x",
      "https://xn--bcher-kva.example/x",
      "https://1.2.3/x",
      "https://0x7f.1/x",
      "https://example.com/a b",
      "https://example.com/?q=it's",
      "https://example.com",
      "/p/%2e%2e/q",
      "/p/./q",
      "/p?q='x'"
    ]
    const html = hrefs.map((href) => `<a href="${href}">x</a>`).join("")
    expect(read(html).links).toEqual([...new Set(hrefs.map((href) => new URL(href, "http://site.test/a/b").href))])
  })

  it("lists links and images as absolute URLs, in order, without repeats", () => {
    const html = `<base href="/base/"><a href="x">X <b>y</b></a><a href="x">again</a><a href="//cdn.test/z">z</a><a href="#a">a</a>
      <a href="mailto:a@b.test">m</a><a href="JavaScript:x">j</a><a href="http://[bad">b</a><a href="/q#part">q</a><area href="?r">
      <img src="/i.png"><img src="/i.png"><img srcset="s.png 1x, t.png 2x"><img srcset=" , /w_1,h_2/u.png, t.png 2x"><img src="data:image/png;base64,AA">`
    const { links, images, linkTexts } = read(html)
    expect(links).toEqual([
      "http://site.test/base/x",
      "http://cdn.test/z",
      "mailto:a@b.test",
      "http://site.test/q#part",
      "http://site.test/base/?r"
    ])
    expect(images).toEqual(["http://site.test/i.png", "http://site.test/base/s.png", "http://site.test/w_1,h_2/u.png"])
    expect(read('<base href="data:text/html,x"><a href="y">y</a>').links).toEqual(["http://site.test/a/y"])
    expect(linkTexts?.get("http://site.test/base/x")).toBe("X y")
    expect(crawlable(links)).toEqual([
      "http://site.test/base/x",
      "http://cdn.test/z",
      "http://site.test/q",
      "http://site.test/base/?r"
    ])
  })

  it("keeps relative URLs if the URL of the page is unknown", () => {
    expect(read(`<a href="/x">x</a><a href="http://s.test">s</a>`, { url: undefined }).links).toEqual([
      "/x",
      "http://s.test/"
    ])
  })

  it("reads the head of a page", () => {
    const { metadata, title, description } = read(`<html lang="de"><head><title> A
      &amp; B </title><meta name="Description" content="d"><meta property="og:title" content="O"><meta property="og:locale:alternate" content="fr_FR">
      <meta property="og:locale:alternate" content="es_ES"><meta name="twitter:card" content="summary"><meta name="keywords" content="a, b">
      <meta property="article:published_time" content="2024-01-01"><meta name="robots" content="noindex"><meta charset="utf-8">
      <link rel="shortcut icon" href="/i.ico"><link rel="canonical" href="/c"></head><body><svg><title>no</title></svg></body></html>`)
    expect(metadata).toEqual({
      title: "A & B",
      language: "de",
      description: "d",
      "og:title": "O",
      ogTitle: "O",
      "og:locale:alternate": ["fr_FR", "es_ES"],
      ogLocaleAlternate: ["fr_FR", "es_ES"],
      "twitter:card": "summary",
      keywords: "a, b",
      "article:published_time": "2024-01-01",
      publishedTime: "2024-01-01",
      robots: "noindex",
      favicon: "http://site.test/i.ico",
      canonical: "http://site.test/c"
    })
    expect([title, description]).toEqual(["A & B", "d"])
  })

  it("takes title and description from Open Graph where the page has no others", () => {
    const { title, description } = read(
      `<meta property="og:title" content="O"><meta property="og:description" content="P"><meta http-equiv="content-language" content="fr">`
    )
    expect([title, description]).toEqual(["O", "P"])
  })

  it("cleans HTML and makes its URLs absolute", () => {
    const { html } = read(
      `<body onload="x()"><p class="a" onclick="y()" style="color:red">A &lt; B <a href="/c">c</a><img src="i.png"><br></p><script>z</script></body>`
    )
    expect(html).toBe(
      `<body><p class="a">A &lt; B <a href="http://site.test/c">c</a><img src="http://site.test/a/i.png"><br></p></body>`
    )
  })

  it("keeps inlined images on request", () => {
    const html = `<img src="data:image/png;base64,AA==" alt="x">`
    expect(read(html, { removeBase64Images: false }).markdown).toBe("![x](data:image/png;base64,AA==)")
    expect(read(html).html).toContain("Base64-Image-Removed")
  })

  it("returns plain text line by line", () => {
    expect(read("<h1>A</h1><p>b  <b>c</b>\nd<br>e</p><ul><li>f</ul>").text).toBe("A\nb c d\ne\nf")
  })

  it("drops advertisements on request", () => {
    const html = `<p>text</p><div class="x ad-slot">buy</div><a href="https://ad.doubleclick.net/c">win</a><div class="load adapter">stay</div>`
    expect(read(html).markdown).toBe("text\n\nstay")
    expect(read(html, { blockAds: false }).markdown).toContain("buy")
  })

  it("selects the outermost matches of CSS selectors, without excluded elements", () => {
    const html = `<div id="a" class="k"><p>one</p><div class="k">two</div></div><section data-x="y"><p>three</p><span>four</span></section>`
    const { markdown } = read(html, {
      include: selectors(".k", "[data-x=y]"),
      exclude: selectors("p:first-child", "nav")
    })
    expect(markdown).toBe("two\n\nfour")
    expect(read(html, { include: selectors("section > span:nth-child(2)") }).markdown).toBe("four")
    expect(read(html, { include: selectors("article") }).markdown).toBe("")
  })

  it("selects all of the body if a selector names it or an element around it", () => {
    const html = `<html lang="en"><body class="all">bare<p>one</p><p class="x">two</p></body></html>`
    for (const each of ["body", "html", ".all", ":root", "html > *"])
      expect(read(html, { include: selectors(each, ".x") }).markdown, each).toBe("bare\n\none\n\ntwo")
    expect(read(html, { include: selectors("*", ".x") }).markdown).toBe("one\n\ntwo")
    expect(read(html, { include: selectors(":not(.x)") }).markdown).toBe("one")
  })

  it("explains an invalid selector", () => {
    expect(Either.getLeft(parseSelector("div[["))).toMatchObject({
      value: expect.stringContaining('"div[[" is not a CSS selector')
    })
  })

  it("distinguishes an empty frame for scripts from an empty page", () => {
    expect(read(`<div id="root"></div><script src="a.js"></script>`).needsScript).toBe(true)
    expect(read(`<noscript>Turn it on</noscript><app-root></app-root>`).needsScript).toBe(true)
    expect(read(`<div id="root"><p>Served</p></div><script></script>`).needsScript).toBe(false)
    expect(read("").needsScript).toBe(false)
  })

  it("keeps only the text of a page that is too long to convert, with its metadata and links", () => {
    const head = `<html lang="de"><head><title>T</title><style>p{}</style></head><body><a href="/x">x</a><br>a &amp; <b>b</b>&lt;`
    const page = read(
      `${head}<script>no</script><template><template>no</template>no</template>${"<p>w".repeat(2_600_000)}`
    )
    expect(page).toMatchObject({ title: "T", onlyText: true, links: ["http://site.test/x"] })
    expect(page.markdown?.slice(0, 13)).toBe("x\na & b<\nw\nw\n")
    expect(page.html?.slice(0, 24)).toBe("<pre>x\na &amp; b&lt;\nw\nw")
  })

  it("keeps only the text of a page with too many elements", () => {
    const { markdown, onlyText } = read(`<title>T</title>${"<p>w".repeat(400_000)}<h1>end</h1>`)
    expect(onlyText).toBe(true)
    expect(markdown?.slice(-7)).toBe("w\nw\nend")
    // End tags that create elements, too.
    const { body, cut } = parseTree("<br></br>".repeat(160_000))
    // With `<html>`, `<head>` and `<body>`.
    expect([cut, body?.children.length]).toEqual([true, 300_000 - 3])
  })

  it("bounds the number of attributes per element", () => {
    const [element] =
      parseTree(`<p ${Array.from({ length: 5_000 }, (_, at) => `a${at}=1`).join(" ")}>x`).body?.children ?? []
    expect(typeof element === "object" ? Object.keys(element.attributes).length : 0).toBe(1_000)
  })

  it("refuses selectors that would take quadratic time", () => {
    for (const selector of ["i:has(b)", "a ~ b", "a + b", ":not(:is(a ~ b))", "p:contains(x)", "a".repeat(1_001)]) {
      expect(Either.isLeft(parseSelector(selector)), selector).toBe(true)
    }
    for (const selector of ["main > p:not(.x)", "tr:nth-child(2) td", "[data-a~=b]"]) {
      expect(Either.isRight(parseSelector(selector)), selector).toBe(true)
    }
  })

  it("ignores metadata of a page that only the engine may set", () => {
    const names = ["error", "statusCode", "sourceURL", "url", "contentType", "numPages", "creditsUsed"]
    const more = ["concurrencyLimited", "concurrencyQueueDurationMs", "ogLocaleAlternate", "__proto__"]
    const verdicts = ["blocked", "check", "unchanged", "warning", "totalPages"]
    const metas = [...names, ...more, ...verdicts].map((name) => `<meta name="${name}" content="12">`)
    expect(read(`<title>T</title>${metas.join("")}<meta property="og:locale-alternate" content="x">`).metadata).toEqual(
      {
        title: "T",
        "og:locale-alternate": "x"
      }
    )
  })
})

const prose = (subject: string) =>
  `<p>${subject} live near water, in marshes and along rivers, where they wait for fish, frogs and, at times, a careless mouse.</p>`

describe("main content", () => {
  const main = (html: string) => read(html, { onlyMainContent: true }).markdown ?? ""

  it("is found in a table cell of lines, whatever empty boxes it contains", () => {
    const lines = Array.from({ length: 8 }, (_, at) => `Line ${at} of a letter, which is long enough to be read.<br>`)
    const menu = Array.from({ length: 30 }, (_, at) => `<a href="/${at}">Month ${at}</a><br>`)
    const page = `<table><tr><td>${menu.join("")}</td><td><table><tr><td>3:59 PM</td></tr><tr><td><div hidden>Player</div><div></div>${lines.join("")}</td></tr><tr><td>Views: 12</td></tr></table></td></tr></table>`
    expect(main(page)).toContain("Line 0 of a letter")
    expect(main(page)).toContain("Line 7 of a letter")
    expect(main(page)).not.toContain("Month 3")
    expect(main(page)).not.toContain("Player")
  })

  it("leaves out the surroundings of an article, and keeps its heading", () => {
    const found = main(`<body class="has-sidebar"><header><a href="/">Logo</a></header><nav><a href="/x">Menu</a></nav>
      <div class="wrap"><div class="post-content"><h1>Herons</h1>${prose("Herons")}${prose("Egrets")}<h2>Young</h2>${prose("Chicks")}
      <table><tr><th>Kind</th><th>cm</th></tr><tr><td>Grey</td><td>90</td></tr></table></div>
      <aside>Aside of the page</aside><div class="related-posts"><a href="/1">More</a></div></div>
      <div id="cookie-banner">We use cookies</div><footer>Imprint</footer></body>`)
    for (const kept of ["# Herons", "Egrets live", "## Young", "Chicks live", "| Grey | 90 |"])
      expect(found).toContain(kept)
    for (const gone of ["Logo", "Menu", "Aside", "More", "cookies", "Imprint"]) expect(found).not.toContain(gone)
  })

  it("keeps all sections of a page with equal sections", () => {
    const found = main(
      `<nav>Menu</nav><div><section><div><h2>A</h2>${prose("Herons")}${prose("Egrets")}</div></section><section><div><h2>B</h2>${prose("Ibises")}${prose("Storks")}</div></section></div>`
    )
    for (const kept of ["## A", "Egrets", "## B", "Storks"]) expect(found).toContain(kept)
  })

  it("keeps lists of links when they are the page's content", () => {
    const found = main(
      `<nav>Menu</nav><main><h1>Index</h1><ul>${Array.from({ length: 30 }, (_, i) => `<li><a href="/${i}">Chapter ${i}</a></li>`).join("")}</ul></main><footer>Imprint</footer>`
    )
    expect(found).toContain("[Chapter 29]")
    expect(found).toContain("# Index")
    expect(found).not.toMatch(/Menu|Imprint/)
  })

  it("does not mistake the best part of a page for all of its content", () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) => `<tr><td>--option-${i}</td><td>Sets the option, which does this, that, and more.</td></tr>`
    )
    const table = main(
      `<nav>Menu</nav><main><h1>Options</h1><p>Here they are.</p><table><tr><th>Name</th><th>What</th></tr>${rows.join("")}</table><p>The end.</p></main>`
    )
    for (const kept of ["# Options", "Here they are.", "| Name | What |", "| --option-29 |", "The end."])
      expect(table).toContain(kept)
    const items = Array.from(
      { length: 20 },
      (_, i) => `<li><p>Answer ${i}, which goes on, and on, for quite a while.</p></li>`
    )
    const list = main(`<nav>Menu</nav><main><h1>Questions</h1><p>Read on.</p><ul>${items.join("")}</ul></main>`)
    for (const kept of ["# Questions", "Read on.", "- Answer 19"]) expect(list).toContain(kept)
  })

  it("uses tags alone if classes and ids would leave next to nothing", () => {
    const reply = `<div class="comment"><p>I think, therefore I am, and so on, and so forth.</p></div>`
    const found = main(`<nav>Menu</nav><h1>Thread</h1>${reply.repeat(4)}`)
    expect(found).toContain("therefore I am")
    expect(found).not.toContain("Menu")
  })

  it("keeps a short page whole", () => {
    expect(main("<h1>Hello</h1><p>World</p>")).toBe("# Hello\n\nWorld")
  })

  it("does not drop the wrapper of a page, whatever its class", () => {
    expect(
      main(`<form class="sidebar-layout"><div id="menu-page">${prose("Herons").repeat(3)}</div></form>`)
    ).toContain("Herons")
  })
})

describe("crawlable", () => {
  it("returns links that do not keep their page in memory", () => {
    const linksOf = (at: number) => {
      const html = `<a href="https://a.example.com/page/number/${at}">x</a><p>${" ".repeat(2_000_000)}`
      return crawlable(read(Buffer.from(html).toString("latin1"), { wanted: new Set() }).links)
    }
    linksOf(0)
    const before = inMemory()
    const remembered = Array.from({ length: 20 }, (_, at) => linksOf(at))
    expect(inMemory() - before).toBeLessThan(20_000_000)
    expect(remembered.flat()).toHaveLength(20)
  })
})

describe("hostile HTML", () => {
  const everything = (html: string) => {
    read(html, { onlyMainContent: true })
    return read(html)
  }

  it("is flattened below the maximum depth of browsers, without losing text", () => {
    expect(everything(`${"<div>".repeat(40_000)}deep`).markdown).toBe("deep")
    expect(everything(`${"<blockquote><ul><li>".repeat(5_000)}deep`).markdown).toMatch(/deep$/)
    expect(everything(`${"<b><i><a href=/x>".repeat(10_000)}deep`).text).toBe("deep")
  })

  it("cannot multiply table cells by spans", () => {
    const rows = `<tr><td colspan=100000 rowspan=100000>x</td></tr>`.repeat(2_000)
    expect(everything(`<table><tr><th>h</th></tr>${rows}</table>`).markdown?.length).toBeLessThan(100_000)
    // Every column is used by some row, but hardly any position of the grid.
    const stairs = Array.from({ length: 4_000 }, (_, at) => `<tr><td colspan=${(at % 499) + 1}>x<td>y`)
    const { markdown = "" } = everything(`<table><tr><th>h</th></tr>${stairs.join("")}</table>`)
    expect(markdown.length).toBeLessThan(100_000)
    expect(markdown.match(/y/g)).toHaveLength(4_000)
  })

  it("does not read the text of nested links once per link", () => {
    const nested = Array.from({ length: 250 }, (_, at) => `<a href=/${at}><section>`).join("")
    const cost = (links: string) => {
      const before = process.cpuUsage()
      read(`${links}${"word ".repeat(200_000)}`, { wanted: new Set(["linkTexts"]) })
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    cost(nested)
    expect(cost(nested)).toBeLessThan(Math.max(cost(""), 10) * 20)
  })

  it("takes linear time", () => {
    const kinds: ReadonlyArray<(n: number) => string> = [
      (n) => "<div>".repeat(n) + "</span>".repeat(n),
      (n) => "<b><p>".repeat(n),
      (n) => "<ul><li>x".repeat(n),
      (n) => "<table><tr><th>x".repeat(n),
      (n) => `${"<div>".repeat(400)}${"<b></i>".repeat(n)}`,
      (n) => `<p>${"[](".repeat(n)}`,
      (n) => `<div class="${"a-".repeat(n)}">x</div>`,
      (n) => `<p style="display${" ".repeat(n)}">x</p>`,
      (n) => `<a href="${" ".repeat(n)}">x</a>`,
      (n) => `<p>${"\n ".repeat(n)}`,
      (n) => `<meta property="og:${":".repeat(n)}" content="x">`,
      (n) => `<pre>${"<div>x</div>".repeat(n)}</pre>`,
      (n) => `<img srcset="a${",".repeat(n)} 2x">`
    ]
    const cost = (html: string) => {
      const before = process.cpuUsage()
      everything(html)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    for (const kind of kinds) {
      cost(kind(1_000))
      const [small, large] = [cost(kind(1_500)), cost(kind(12_000))]
      // Eight times the length: quadratic cost would be sixty-four times.
      expect(large, kind(3)).toBeLessThan(Math.max(small, 10) * 32)
    }
  })

  it("is not searched for start tags that an end tag cannot reach", () => {
    const cost = (inside: string) => {
      const html = `<p><x><object>${inside}${"</x><div></div>".repeat(20_000)}`
      const before = process.cpuUsage()
      parseTree(html)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    cost("")
    const [flat, deep] = [cost(""), cost("<b>".repeat(500))]
    expect(deep).toBeLessThan(Math.max(flat, 10) * 6)
  })

  it("always yields text", () => {
    for (const html of [
      "",
      "<",
      "<>",
      "</",
      "<!",
      "<!--",
      "<![CDATA[",
      "<a",
      "<a href",
      "<a href='",
      "&",
      "&#xFFFFFFFF;",
      "\0",
      "\ud800"
    ]) {
      expect(typeof everything(html).markdown, JSON.stringify(html)).toBe("string")
    }
  })
})

describe("summarize", () => {
  it("picks the most significant sentences, in their order", () => {
    const text = `Herons are birds that live near water. Somebody wrote this. Herons eat fish, and herons eat frogs near water.
      The weather was quite agreeable on that day. Many herons nest in trees near water. Unrelated remarks fill the rest of it.`
    const summary = summarize(text)
    expect(summary).toMatch(/^Herons are birds/)
    expect(summary).toContain("Many herons nest in trees near water.")
    expect(summary.length).toBeLessThan(text.length)
  })

  it("returns the beginning of a text without sentences", () => {
    expect(summarize("just some words\nand more")).toBe("just some words and more")
    expect(summarize("")).toBe("")
    // A log of 50 MB: only its beginning is read.
    expect(summarize(`${"line ".repeat(1_000)}${" ".repeat(200_000)}end`)).toBe("line ".repeat(200))
  })
})
