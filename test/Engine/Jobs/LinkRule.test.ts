import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import * as CrawlParams from "../../../src/Api/CrawlParams.ts"
import { settle } from "../../../src/Api/Field.ts"
import { compile, type Params, parse } from "../../../src/Engine/Jobs/LinkRule.ts"
import { cpuMillis } from "../../CpuTime.ts"

const judge = (params: Partial<Params>, start = "https://example.com/docs/", ...landed: ReadonlyArray<string>) => {
  const rule = Either.getOrThrow(
    compile(
      settle(CrawlParams.fields, params),
      [start, ...landed].map((url) => new URL(url))
    )
  )
  return (href: string, links = 1) => {
    const decision = rule.decide(href, links)
    return decision._tag === "Follow" ? decision.address.href : decision.reason
  }
}

describe("the link rule", () => {
  it("stays below the start, unless the whole domain is wanted", () => {
    const below = judge({})
    expect(below("https://example.com/docs/a#b")).toBe("https://example.com/docs/a")
    expect(below("https://example.com/docs")).toBe("https://example.com/docs")
    expect(below("https://example.com/docsmith")).toBe("notBelowStart")
    expect(below("https://example.com/")).toBe("notBelowStart")
    expect(judge({ crawlEntireDomain: true })("https://example.com/")).toBe("https://example.com/")
  })

  it("matches the whole address with regexOnFullURL, else the path", () => {
    const patterns = { includePaths: ["^https://[^/]+/docs/.*[?&]lang=en"], excludePaths: ["page=9", "ü$"] }
    const whole = judge({ ...patterns, regexOnFullURL: true })
    expect(whole("https://example.com/docs/a?lang=en")).toBe("https://example.com/docs/a?lang=en")
    expect(whole("https://example.com/docs/a")).toBe("includePaths")
    expect(whole("https://example.com/docs/a?lang=en&page=9")).toBe("excludePaths")
    expect(whole("https://example.com/docs/a?lang=en&q=%C3%BC")).toBe("excludePaths")
    expect(judge(patterns)("https://example.com/docs/a?lang=en")).toBe("includePaths")
  })

  it("uses the folder of a start that is a file", () => {
    const below = judge({}, "https://example.com/docs/intro.html")
    expect(below("https://example.com/docs/next.html")).toBe("https://example.com/docs/next.html")
    expect(below("https://example.com/other")).toBe("notBelowStart")
  })

  it("distinguishes a subdomain from another site, also under a public suffix of two parts", () => {
    const strict = judge({}, "https://www.example.co.uk/")
    expect(strict("http://example.co.uk/a")).toBe("http://example.co.uk/a")
    expect(strict("https://blog.example.co.uk/")).toBe("subdomain")
    expect(strict("https://other.co.uk/")).toBe("anotherSite")
    const subdomains = judge({ allowSubdomains: true }, "https://www.example.co.uk/")
    expect(subdomains("https://blog.example.co.uk/")).toBe("https://blog.example.co.uk/")
    expect(subdomains("https://other.co.uk/")).toBe("anotherSite")
    expect(judge({ allowExternalLinks: true })("https://other.example/")).toBe("https://other.example/")
  })

  it.each([
    ["https://example.com/~heron", "https://example.com/%7Eheron", "https://EXAMPLE.com:443/%7eheron"],
    ["https://example.com/%C3%BC?q=%C3%A9", "https://example.com/%c3%bc?q=%c3%a9", "https://example.com/ü?q=é"],
    [
      "https://example.com/a/b",
      "https://example.com/a/./c/../b",
      "https://example.com/a/%2e/b",
      "https:\\\\example.com\\a\\b"
    ],
    [
      "https://example.com/a",
      "https://user:secret@example.com/a",
      "ht\ttps://exam\nple.com/a#part",
      " https://example.com./a/ "
    ],
    ["https://xn--mnchen-3ya.de/", "https://münchen.de", "https://MÜNCHEN.de/index.html", "https://m%C3%BCnchen.de/"],
    ["http://127.0.0.1/a", "http://0x7f.1/a", "http://2130706433/a", "http://127.0.0.1:80/a"],
    ["http://[::1]:8080/a", "http://[0:0:0:0:0:0:0:1]:8080/a"]
  ])("takes %j and its other spellings for one page", (...spellings) => {
    const sameness = { ignoreQueryParameters: false, deduplicateSimilarURLs: true }
    expect(new Set(spellings.map((text) => parse(text, sameness)?.key)).size).toBe(1)
  })

  it("keeps pages apart whose addresses mean different things", () => {
    const addresses = [
      "/a%2Fb",
      "/a/b",
      "/A/b",
      "/a?b",
      "/a%3Fb",
      "/a//b",
      "/a/b?c=1",
      "/a/b?c=%26",
      "/a/b?c=&",
      "/%2525"
    ]
    const keys = addresses.map((path) => parse(`https://example.com${path}`, settle(CrawlParams.fields, {}))?.key)
    expect(new Set(keys).size).toBe(addresses.length)
    for (const text of [
      "https://",
      "http://a b/",
      "https://example.com:99999/",
      "//example.com/a",
      "ftp://example.com/",
      "https://exa%00mple.com/"
    ]) {
      expect(parse(text, settle(CrawlParams.fields, {})), text).toBeUndefined()
    }
  })

  it("treats another port as another site", () => {
    expect(judge({}, "http://127.0.0.1:4000/")("http://127.0.0.1:4001/")).not.toMatch(/^http/)
  })

  it("counts path segments from the start for maxDepth, and links for maxDiscoveryDepth", () => {
    const shallow = judge({ maxDepth: 1 })
    expect(shallow("https://example.com/docs/a")).toBe("https://example.com/docs/a")
    expect(shallow("https://example.com/docs/a/b")).toBe("maxDepth")
    const near = judge({ maxDiscoveryDepth: 2 })
    expect(near("https://example.com/docs/a", 2)).toBe("https://example.com/docs/a")
    expect(near("https://example.com/docs/a", 3)).toBe("maxDiscoveryDepth")
    expect(judge({ maxDiscoveryDepth: 0 })("https://example.com/docs/a", 0)).toBe("https://example.com/docs/a")
  })

  it("includes and excludes by regular expressions over the path, encoded and decoded", () => {
    const rule = judge({ includePaths: ["^/docs/api", "café"], excludePaths: ["/old/", "\\.pdf$"] })
    expect(rule("https://example.com/docs/api/x?old=/old/")).toBe("https://example.com/docs/api/x?old=/old/")
    expect(rule("https://example.com/docs/api/old/x")).toBe("excludePaths")
    expect(rule("https://example.com/docs/api/a.pdf")).toBe("excludePaths")
    expect(rule("https://example.com/docs/guide")).toBe("includePaths")
    expect(rule("https://example.com/docs/café")).toBe("https://example.com/docs/caf%C3%A9")
    expect(rule("https://example.com/docs/%E0%A4%A")).toBe("includePaths")
  })

  it("names an invalid pattern", () => {
    const wrong = compile(settle(CrawlParams.fields, { excludePaths: ["ok", "(?<=x)y"] }), [
      new URL("https://a.example")
    ])
    expect(Either.isLeft(wrong) && wrong.left.error).toContain('excludePaths: "(?<=x)y"')
  })

  it("limits the number and length of patterns", () => {
    const start = [new URL("https://a.example")]
    const many = compile(settle(CrawlParams.fields, { includePaths: Array.from({ length: 101 }, () => "a") }), start)
    expect(Either.isLeft(many) && many.left.error).toContain(
      "includePaths: there are 101 patterns; at most 100 are allowed"
    )
    const long = compile(settle(CrawlParams.fields, { excludePaths: ["ok", "a".repeat(1_001)] }), start)
    expect(Either.isLeft(long) && long.left.error).toContain("has 1001 characters; 1000 are allowed")
    const most = settle(CrawlParams.fields, { excludePaths: Array.from({ length: 100 }, () => "a".repeat(1_000)) })
    expect(Either.isRight(compile(most, start))).toBe(true)
  })

  it("runs patterns in linear time", () => {
    const rule = judge({ includePaths: ["^/docs/(a+)+$"] })
    const took = cpuMillis(() => expect(rule(`https://example.com/docs/${"a".repeat(5000)}!`)).toBe("includePaths"))
    expect(took).toBeLessThan(1000)
  })

  it("skips files that are not pages, and follows documents", () => {
    const rule = judge({})
    for (const file of ["a.png", "b.CSS", "c.zip", "d.woff2"])
      expect(rule(`https://example.com/docs/${file}`)).toBe("notPage")
    for (const file of ["a.pdf", "b.docx", "c.html"]) {
      expect(rule(`https://example.com/docs/${file}`)).toBe(`https://example.com/docs/${file}`)
    }
    expect(rule("mailto:x@example.com")).toBe("notWebAddress")
  })

  it("treats the redirect target of the start as a start", () => {
    const rule = judge({}, "https://docs.example.com/", "https://example.com/docs")
    expect(rule("https://example.com/docs/a")).toBe("https://example.com/docs/a")
    expect(rule("https://example.com/blog")).toBe("notBelowStart")
  })

  it("never leaves the site, for any link", () => {
    const rule = judge({ crawlEntireDomain: true }, "https://example.com/")
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const decided = rule(url)
        expect(!decided.startsWith("http") || new URL(decided).host === "example.com").toBe(true)
      })
    )
  })
})
