import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { extract } from "../../src/Html/Extract.ts"
import { parseSelector } from "../../src/Html/Select.ts"

const clean = (body: string, include: ReadonlyArray<string> = []) =>
  extract(`<!doctype html><title>T</title><body>${body}`, {
    wanted: new Set(["markdown"]),
    url: "http://site.test/",
    onlyMainContent: true,
    onlyCleanContent: true,
    removeBase64Images: true,
    blockAds: true,
    include: include.map((selector) => Either.getOrThrow(parseSelector(selector)))
  }).markdown

const prose =
  "Herons are long-legged, long-necked birds, found near water, and they stand still, for hours, and wait for fish."

describe("only clean content", () => {
  it("keeps headings, paragraphs, lists, quotations, code and data tables", () => {
    expect(
      clean(`<main><h1>Herons</h1><p>${prose} See <a href="/more">more</a>.</p><h2>Kinds</h2><ul><li>The grey one, which is common.</li>
        <li>The white one, which is rare.</li></ul><blockquote><p>They wait.</p></blockquote><pre><code>wait()</code></pre>
        <table><tr><th>Kind</th><th>Height</th></tr><tr><td>Grey</td><td>98 cm</td></tr></table></main>`)
    ).toBe(`# Herons

${prose} See [more](http://site.test/more).

## Kinds

- The grey one, which is common.
- The white one, which is rare.

> They wait.

\`\`\`
wait()
\`\`\`

| Kind | Height |
| --- | --- |
| Grey | 98 cm |`)
  })

  it("removes images, controls, forms, advertisements and lists of links, with their headings", () => {
    expect(
      clean(`<main><h1>Herons</h1><nav><a href="/">Home</a></nav><p>${prose}</p><img src="/heron.jpg" alt="A heron">
        <figure><img src="/x.png"><figcaption>A heron</figcaption></figure><button>Subscribe</button>
        <form><label>Mail</label><input name="mail"><button>Send</button></form><div class="adsbygoogle">Buy boots</div>
        <p>${prose}</p><h2>Read on</h2><ul><li><a href="/a">Egrets of the south</a></li><li><a href="/b">Storks of the north</a></li></ul>
        <p><a href="/next">The next page about birds of the marsh</a></p><h2>Last</h2><p>They wait.</p><h3>Nothing</h3></main>`)
    ).toBe(`# Herons\n\n${prose}\n\n${prose}\n\n## Last\n\nThey wait.`)
  })

  it("never removes an element with most of the page's text, whatever its class", () => {
    expect(clean(`<form class="sidebar"><div class="widget"><h1>Herons</h1><p>${prose}</p></div></form>`)).toContain(
      prose
    )
  })

  it("cleans selected elements", () => {
    expect(clean(`<div id=a><p>${prose}</p><img src=x><button>b</button></div><p>Not this.</p>`, ["#a"])).toBe(prose)
  })
})
