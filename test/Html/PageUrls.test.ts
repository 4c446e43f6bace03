/** Addresses on a page resolve as in a browser (WHATWG URL). */
import { describe, expect, it } from "vitest"
import { canParse } from "../../src/Api/Url.ts"
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
      `<picture><source data-srcset="/a.jpg 800w"><img class="lazy"></picture><picture><source data-lazy-srcset="/b.jpg" srcset="data:image/gif;base64,R0"><img src="data:image/gif;base64,R0"></picture>`
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
