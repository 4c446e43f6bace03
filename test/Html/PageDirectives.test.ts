/** Directives for crawlers, as Google, Bing and RFC 8288 define them. */
import { describe, expect, it } from "vitest"
import { directivesOf, readDirectives, robotsVerdict } from "../../src/Html/PageDirectives.ts"
import { PageUrls } from "../../src/Html/PageUrls.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const url = "https://example.com/marsh/"
const now = Date.parse("2026-06-01T00:00:00Z")

const read = (html: string, headers: Readonly<Record<string, string>> = {}) => {
  const tree = parseTree(html)
  return directivesOf(url, headers, readDirectives(tree, new PageUrls(tree, url, true)))
}

const asked = (html: string, tag?: string, crawler = "sluice") => {
  const { isNofollow, isNoindex } = robotsVerdict(
    read(html, tag === undefined ? {} : { "x-robots-tag": tag }),
    crawler,
    now
  )
  return [...(isNoindex ? ["noindex"] : []), ...(isNofollow ? ["nofollow"] : [])]
}

describe("robots meta tags", () => {
  it.each([
    ['<meta name="robots" content="noindex">', ["noindex"]],
    ['<META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW">', ["noindex", "nofollow"]],
    ['<meta name=robots content="none">', ["noindex", "nofollow"]],
    ['<meta name=robots content="index, follow">', []],
    ['<meta name=robots content="all">', []],
    ['<meta name=robots content="max-snippet:20, noindex , max-image-preview:none">', ["noindex"]],
    ['<meta name=robots content="max-image-preview: none">', []],
    ['<meta name=robots content="nofollow"><meta name=robots content="noindex">', ["noindex", "nofollow"]],
    ['<meta name=sluice content="noindex"><meta name=robots content="nofollow">', ["noindex", "nofollow"]],
    ['<meta name=otherbot content="noindex">', []],
    ['<meta name=description content="noindex">', []],
    ['<meta name=robots content="unavailable_after: 2026-05-01">', ["noindex"]],
    ['<meta name=robots content="unavailable_after: 2027-05-01">', []],
    ['<meta name=robots content="unavailable_after: 25 Jun 2010 15:00:00 PST">', ["noindex"]],
    [
      '<meta name=robots content="unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow">',
      ["noindex", "nofollow"]
    ],
    ['<meta name=robots content="unavailable_after: some day">', []]
  ])("%s", (html, expected) => {
    expect(asked(html)).toEqual(expected)
  })
})

describe("X-Robots-Tag", () => {
  it.each([
    ["noindex", ["noindex"]],
    ["noindex, nofollow", ["noindex", "nofollow"]],
    ["sluice: nofollow", ["nofollow"]],
    ["otherbot: noindex, nofollow", []],
    ["otherbot: noindex, nofollow, sluice: nofollow", ["nofollow"]],
    ["otherbot: noindex\nnofollow", ["nofollow"]],
    ["unavailable_after: 25 Jun 2010 15:00:00 GMT", ["noindex"]],
    ["sluice: unavailable_after: 2010-06-25, otherbot: nofollow", ["noindex"]],
    ["max-snippet: 5", []]
  ])("%j", (tag, expected) => {
    expect(asked("<p>A", tag)).toEqual(expected)
  })
})

it("links are not followed if all links to their target are marked", () => {
  const { nofollowLinks } = read(
    '<a rel=nofollow href=/a>A</a><a rel="external NoFollow ugc" href="/b#x">B</a><a href=/b#y>B</a><a rel=nofollower href=/c>C</a>'
  )
  expect(nofollowLinks).toEqual(["https://example.com/a"])
})

it("a canonical address comes from the markup, else from the headers; addresses that disagree are none", () => {
  const canonical = (html: string, link?: string) => read(html, link === undefined ? {} : { link }).canonical
  expect(canonical('<link rel=canonical href="../reed">')).toBe("https://example.com/reed")
  expect(canonical('<link rel="alternate Canonical" href="/a"><link rel=canonical href="/a">')).toBe(
    "https://example.com/a"
  )
  expect(canonical('<link rel=canonical href="/a"><link rel=canonical href="/b">')).toBeUndefined()
  expect(canonical("<p>", '</a.css>; rel=preload, </a,b>; title="x; y, z"; rel="canonical"')).toBe(
    "https://example.com/a,b"
  )
  expect(canonical("<p>", "</b>; rel=next\n<https://other.example/>; rel=canonical")).toBe("https://other.example/")
  expect(canonical("<p>", `<${"</a>; rel=x".repeat(50_000)}`)).toBeUndefined()
  expect(canonical("<p>", "</a>")).toBeUndefined()
})
