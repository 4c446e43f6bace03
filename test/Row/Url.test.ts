import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sha256 } from "../../src/Row/Hash.ts"
import { canonicalUrl, host } from "../../src/Row/Url.ts"

describe("Row/Url", () => {
  it("returns one URL for all spellings of a page", () => {
    const same = (spelling: string, ...others: ReadonlyArray<string>) => {
      for (const other of [spelling, ...others]) assert.strictEqual(canonicalUrl(other), spelling)
    }
    same(
      "https://example.com/",
      "HTTPS://Example.COM:443",
      "https://example.com/#top",
      "https://example.com./index.html"
    )
    same("http://example.com:8080/a", "http://u:p@example.com:8080/a/", "http://example.com:8080/x/../a/index.htm")
    same(
      "https://example.com/?a=2&a=1&b",
      "https://example.com?b&a=2&a=1",
      "https://example.com?utm_source=x&b&a=2&gclid=1&a=1&"
    )
    same("https://example.com/%C3%BC~a?q=%2F", "https://example.com/ü%7e%61?q=%2f")
    same("https://xn--mnchen-3ya.de/", "https://MÜNCHEN.de/")
    same("https://example.com/100%25", "https://example.com/100%")
  })

  it("returns different URLs for different pages", () => {
    const urls = [
      "http://a.com",
      "https://a.com",
      "https://www.a.com",
      "https://a.com/A",
      "https://a.com/a",
      "https://a.com/?x=1",
      "https://a.com/?x=2",
      "https://a.com/?x=a%26b",
      "https://a.com/?x=a&b"
    ]
    assert.strictEqual(new Set(urls.map(canonicalUrl)).size, urls.length)
  })

  it("returns undefined for a value that is not a web address", () => {
    for (const text of [
      "",
      "example.com",
      "mailto:a@b.c",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "http://",
      "https://./"
    ]) {
      assert.isUndefined(canonicalUrl(text), text)
    }
    assert.isUndefined(host("mailto:a@b.c"))
    assert.strictEqual(host("https://Docs.Example.com.:8443/x"), "docs.example.com")
  })

  it("is the same for addresses that are canonical at first sight and those that are not", () => {
    const words = ["a", "0", "-", "--", ".", "..", "_", "~", "A", "xn--", "index.html", "index.htm", "%41", "com"]
    const some = (max: number) => fc.array(fc.constantFrom(...words), { maxLength: max }).map((all) => all.join(""))
    const address = fc
      .tuple(fc.constantFrom("http", "https"), fc.array(some(3), { minLength: 1, maxLength: 3 }), fc.array(some(3)))
      .map(
        ([scheme, host, path]) => `${scheme}://${[...host, "com"].join(".")}${path.map((each) => `/${each}`).join("")}`
      )
    // An empty fragment changes nothing, and is parsed.
    fc.assert(
      fc.property(address, (text) => assert.strictEqual(canonicalUrl(text), canonicalUrl(`${text}#`))),
      { numRuns: 2_000 }
    )
    for (const text of ["https://a.com/x", "https://a-b.co.uk/x/y.html", "http://1.2.museum/~a_b-c/.x"]) {
      assert.strictEqual(canonicalUrl(text), text)
    }
  })

  it("is idempotent", () => {
    const part = fc.string({
      unit: fc.constantFrom("a", "B", "%", "2", "e", "5", "/", ".", "?", "&", "=", "#", "ü", " ", "index.html", "utm_a")
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          part.map((rest) => `https://a.com/${rest}`)
        ),
        (text) => {
          const once = canonicalUrl(text)
          assert.isDefined(once)
          assert.strictEqual(canonicalUrl(once ?? ""), once)
        }
      ),
      { numRuns: 5000 }
    )
  })

  it("fingerprints text by its UTF-8 bytes", () => {
    assert.strictEqual(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})
