/** Addresses on a page resolve as in a browser (WHATWG URL). */
import iconv from "iconv-lite"
import { describe, expect, it } from "vitest"
import { canParse } from "../../src/Api/Url.ts"
import { runTask, type ScrapeTask } from "../../src/Engine/Scrape/DocumentTask.ts"
import { charsetIn } from "../../src/Html/Charset.ts"
import { parsePage } from "../../src/Html/Fields.ts"
import { PageUrls } from "../../src/Html/PageUrls.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const page = "https://example.com/marsh/reed.html?q=1"

const urlsOf = (html = "", url: string | undefined = page) => new PageUrls(parseTree(html), url, true)

const spellings = [
  "/a",
  "a",
  "./a",
  "../a",
  "../../../a",
  "/a/./b/../c",
  "/a/%2e%2E/b",
  "/a/..",
  "/.",
  "//other.example/a",
  "///other.example/a",
  "?x=1",
  "?",
  "/a?b=/../c",
  "/a?b=..%2f",
  "\\a\\b",
  "/\\other.example",
  "https:a",
  "https:/a",
  "http:a",
  "HTTPS://EXAMPLE.com/A",
  "https://example.com",
  "https://example.com:443/a",
  "https://example.com:80/a",
  "http://example.com:080/a",
  "https://user:pw@example.com/a",
  "https://example.com\\a",
  "ht\ntps://example.com/\ta",
  " /a ",
  "/a b",
  "/ü",
  "/%zz",
  "/%",
  "/a%20b",
  "/a|b",
  "/a'b\"c<d>",
  "/a{b}`^",
  "?ü='\"<>",
  "https://münchen.de/a",
  "https://xn--mnchen-3ya.de/a",
  "https://ＧＯ.com/a",
  "http://0x7f.1/a",
  "http://1.2.3/a",
  "http://[::1]/a",
  "https://a.b.c.d.example/x.y/z..w",
  "https://ex_ample.com/a",
  "https://-a.example/b",
  "https://a..b/c",
  "https://example.com./a",
  "https://foo.0x4/",
  "mailto:a@b.c",
  "tel:+1",
  "/a;b=c",
  "/a:b@c",
  "a:b",
  "/a//b///c",
  "/a,b&c=d+e!$*~",
  "https://example.com/a?b#c",
  "https://example.com/a/."
]

describe("an image on a page", () => {
  it("has the address of its picture's sources if it has none", () => {
    const tree = parseTree(
      `<picture><img alt="early"><source data-srcset="/a.jpg 800w"><img class="lazy"></picture><picture><source data-lazy-srcset="/b.jpg" srcset="data:image/gif;base64,R0"><img src="data:image/gif;base64,R0"></picture>`
    )
    expect(new PageUrls(tree, page, true).images(tree.images)).toEqual([
      "https://example.com/a.jpg",
      "https://example.com/b.jpg"
    ])
  })
})

describe("an address on a page", () => {
  it.each(spellings)("%j resolves as in a browser", (href) => {
    const expected = canParse(href, page) ? new URL(href, page).href : undefined
    expect(urlsOf().resolve(href)).toBe(expected)
  })

  it.each([
    { name: "an absolute base", html: '<base href="https://other.example/x/">', a: "https://other.example/x/a" },
    { name: "a relative base", html: '<base href="/x/y">', a: "https://example.com/x/a" },
    { name: "a base without a scheme", html: '<base href="//other.example">', a: "https://other.example/a" },
    {
      name: "the first base with an address",
      html: '<base target=x><base href="/x/"><base href="/y/">',
      a: "https://example.com/x/a"
    },
    {
      name: "no base that is script or data",
      html: '<base href="data:text/html,x">',
      a: "https://example.com/marsh/a"
    },
    { name: "no base that is no address", html: '<base href="https://">', a: "https://example.com/marsh/a" }
  ])("uses $name", ({ a, html }) => {
    expect(urlsOf(html).resolve("a")).toBe(a)
  })

  it("that runs code or has no meaning elsewhere is no link", () => {
    for (const href of [
      "javascript:void(0)",
      " java\nscript:x",
      "data:text/html,x",
      "about:blank",
      "blob:https://a/b",
      "",
      "#part",
      "https://"
    ]) {
      expect(urlsOf().link(href), href).toBeUndefined()
    }
  })
})

describe("the query of a link", () => {
  it.each([
    ["shift_jis", "?cat=本", "?cat=%96%7B"],
    ["shift_jis", "?q=アソ表", "?q=%83A%83%5C%95%5C"],
    ["euc-jp", "?cat=本", "?cat=%CB%DC"],
    ["gbk", "?cat=书", "?cat=%CA%E9"],
    ["gb18030", "?cat=€", "?cat=%A2%E3"],
    ["big5", "?cat=書", "?cat=%AE%D1"],
    ["euc-kr", "?cat=책", "?cat=%C3%A5"],
    ["windows-1251", "?q=Привет мир", "?q=%CF%F0%E8%E2%E5%F2%20%EC%E8%F0"],
    ["iso-8859-1", "?q=Grüße–", "?q=Gr%FC%DFe%96"],
    ["windows-1252", "?q=本&r=😀", "?q=%26%2326412%3B&r=%26%23128512%3B"],
    ["shift_jis", "?a=%E6%9C%AC&b=1?本#本", "?a=%E6%9C%AC&b=1?%96%7B#%E6%9C%AC"],
    ["utf-8", "?cat=本", "?cat=%E6%9C%AC"],
    ["utf-16le", "?cat=本", "?cat=%E6%9C%AC"],
    ["iso-2022-jp", "?cat=本", "?cat=%E6%9C%AC"],
    ["no-such-charset", "?cat=本", "?cat=%E6%9C%AC"]
  ])("is in the charset of the page: %s %s", (charset, query, encoded) => {
    for (const html of [
      `<meta charset="${charset}">`,
      `<meta http-equiv="content-type" content="text/html; charset=${charset}">`
    ]) {
      for (const address of ["/本.cgi", "本.cgi", "https://example.com/本.cgi"]) {
        expect(urlsOf(html).resolve(address + query)).toMatch(/\/%E6%9C%AC\.cgi\?/)
        expect(
          urlsOf(html)
            .resolve(address + query)
            ?.replace(/^[^?]*/, "")
        ).toBe(encoded)
      }
    }
  })

  it("is in UTF-8 for schemes that have no charset", () => {
    expect(urlsOf("<meta charset=shift_jis>").resolve("mailto:a@b.c?subject=本")).toBe("mailto:a@b.c?subject=%E6%9C%AC")
    expect(urlsOf("<meta charset=shift_jis>").resolve("wss://example.com/?a=本")).toBe("wss://example.com/?a=%E6%9C%AC")
  })

  const [declares, says, silent] = ["<meta charset=shift_jis>", "text/html; charset=Shift_JIS", "text/html"]
  const link = "https://example.com/list.cgi?cat=%96%7B"
  const text = "<title>本</title><p>日本語の本を読みます。<a href='/list.cgi?cat=本'><img src='/a.cgi?cat=本'>本</a>"

  it.each([
    ["declared by the page", iconv.encode(declares + text, "shift_jis"), silent, declares],
    ["declared by the header", iconv.encode(text, "shift_jis"), says, ""],
    ["of a page from a browser", Buffer.from(`\ufeff${declares}${text}`), silent, declares],
    ["of a page from a browser, declared by the header", Buffer.from(`\ufeff${text}`), says, ""]
  ])("is the same in all formats: %s", (_, bytes, contentType, head) => {
    const fields = { fields: { url: { css: "a", attr: "href" } } }
    const task: ScrapeTask = {
      kind: "scrape",
      bytes,
      contentType,
      formats: new Set(["markdown", "html", "links", "images", "fields"]),
      metadata: {},
      headers: {},
      emptyWarning: undefined,
      readsMarkdown: false,
      isIndexed: false,
      takesBytes: false,
      stores: undefined,
      options: {
        wanted: new Set(["markdown", "html", "images"] as const),
        url: page,
        onlyMainContent: false,
        removeBase64Images: false,
        blockAds: true,
        rawHtml: false,
        data: { formats: [], fields: JSON.stringify(fields) }
      }
    }
    const { document, links } = runTask<"scrape">(task)
    expect(links).toEqual([link])
    expect(document.links).toEqual([link])
    expect(document.images).toEqual(["https://example.com/a.cgi?cat=%96%7B"])
    expect(document.html).toContain(`href="${link}"`)
    expect(document.markdown).toContain(`](${link})`)
    expect(document.fields).toMatchObject({ rows: [{ url: link }] })
    const { tree, urls } = parsePage(head + text, page, charsetIn(contentType))
    expect(urls.links(tree.anchors)).toEqual([link])
  })

  it("of a page in UTF-8 that declares another charset is in UTF-8", () => {
    const { links } = runTask<"page">({
      kind: "page",
      bytes: Buffer.from(declares + text),
      contentType: silent,
      options: {
        wanted: new Set(),
        url: page,
        onlyMainContent: false,
        removeBase64Images: false,
        blockAds: true,
        rawHtml: false
      }
    })
    expect(links).toEqual(["https://example.com/list.cgi?cat=%E6%9C%AC"])
  })
})
