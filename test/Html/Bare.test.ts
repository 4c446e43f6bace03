import { describe, expect, it } from "@effect/vitest"
import { isBare, showsWord } from "../../src/Html/Extract.ts"

const head = '<!doctype html><html><head><title>Shop</title><script>let a = "b < c"</script></head>'

const frames = [
  `${head}<body class="a"><div id="root"></div><script src="/app.js"></script></body></html>`,
  `${head}<body><!-- nothing here --><noscript>Please enable scripts</noscript><script>start("now")</script>`,
  `${head}<body><svg><text>logo</text></svg><template><p>row</p></template>`
]

const pages = [
  `${head}<body><header><a href="/">Home</a></header><script>start()</script></body></html>`,
  `<body>${"<div>".repeat(50)}word<script>start()</script>`,
  `<body>2 < 3<script>start()</script>`
]

describe("Bare", () => {
  it("detects a visible word in the beginning of a page, and never in an empty frame", () => {
    for (const html of frames) {
      expect(isBare(html), html).toBe(true)
      for (let end = 0; end <= html.length; end++) expect(showsWord(html.slice(0, end)), html.slice(0, end)).toBe(false)
    }
    for (const html of pages) {
      expect(isBare(html), html).toBe(false)
      expect(showsWord(html), html).toBe(true)
    }
  })

  it("finds nothing in a beginning without a body", () => {
    expect(showsWord(head)).toBe(false)
    expect(showsWord("Words without a body")).toBe(false)
  })
})
