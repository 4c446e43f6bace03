import { describe, expect, it } from "@effect/vitest"
import { parse, siteHost } from "../../../src/Engine/Jobs/LinkRule.ts"

const plain = { ignoreQueryParameters: false, deduplicateSimilarURLs: false }
const similar = { ignoreQueryParameters: false, deduplicateSimilarURLs: true }

describe("addresses of pages", () => {
  it("are normalized: no fragment, no credentials, no lone question mark", () => {
    expect(parse("HTTPS://User:pw@Example.com:443/a/../b?#top", plain)?.href).toBe("https://example.com/b")
    expect(parse("https://example.com/a?x=1#y", plain)?.href).toBe("https://example.com/a?x=1")
  })

  it("are undefined for anything else", () => {
    for (const text of ["", "/relative", "mailto:a@b.example", "javascript:alert(1)", "http://", "ftp://x.example/"]) {
      expect(parse(text, plain)).toBeUndefined()
    }
  })

  it("lose their query with ignoreQueryParameters", () => {
    expect(parse("https://a.example/p?x=1", { ...plain, ignoreQueryParameters: true })?.href).toBe(
      "https://a.example/p"
    )
  })

  it("lose the parameters that ignoreQueryParameters names, and keep the others as they are written", () => {
    const left = { ...plain, ignoreQueryParameters: ["sort", "utm_*", "*_id", "a*b*c"] }
    for (const [text, href] of [
      ["https://a.example/p?sort=up&page=2", "https://a.example/p?page=2"],
      ["https://a.example/p?sort", "https://a.example/p"],
      ["https://a.example/p?Sort=1&sorted=1", "https://a.example/p?Sort=1&sorted=1"],
      ["https://a.example/p?utm_source=x&q=a%20b+c&utm_=1", "https://a.example/p?q=a%20b+c"],
      ["https://a.example/p?s%6Frt=1&x_id=1&id=2", "https://a.example/p?id=2"],
      ["https://a.example/p?axbxc=1&abc=2&ab=3&acb=4&abxbc=5", "https://a.example/p?ab=3&acb=4"],
      ["https://a.example/p?", "https://a.example/p"]
    ]) {
      expect(parse(text ?? "", left)?.href).toBe(href)
    }
  })

  it("are one page with other parameters of campaigns and sessions, and are visited as they were found", () => {
    const spellings = [
      "https://a.example/p?item=1",
      "https://a.example/p?utm_source=mail&item=1",
      "https://a.example/p?item=1&gclid=Ab&PHPSESSID=99",
      "https://a.example/p;jsessionid=1A2B?item=1"
    ]
    expect(new Set(spellings.map((text) => parse(text, similar)?.key)).size).toBe(1)
    expect(parse(spellings[1] ?? "", similar)?.href).toBe(spellings[1])
    expect(new Set(spellings.map((text) => parse(text, plain)?.key)).size).toBe(4)
    expect(parse("https://a.example/p?session=summer", similar)?.key).not.toBe(
      parse("https://a.example/p", similar)?.key
    )
  })

  it("ignore scheme, www, index file and final slash with deduplicateSimilarURLs", () => {
    const spellings = [
      "https://a.example/docs",
      "http://a.example/docs",
      "https://www.a.example/docs/",
      "https://a.example/docs/index.html",
      "https://a.example/docs/index.php"
    ]
    expect(new Set(spellings.map((text) => parse(text, similar)?.key)).size).toBe(1)
    expect(new Set(spellings.map((text) => parse(text, plain)?.key)).size).toBe(5)
    expect(parse("https://a.example/docs?p=1", similar)?.key).not.toBe(parse("https://a.example/docs", similar)?.key)
    expect(parse("https://a.example/indexes", similar)?.key).toBe("a.example/indexes")
  })

  it("belong to a site by host and port, with or without www", () => {
    expect(siteHost(new URL("http://www.a.example:8080/"))).toBe("a.example:8080")
  })
})
