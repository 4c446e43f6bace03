/** The query language: every operator, and arbitrary strings. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parse } from "../../../src/Engine/Search/Query.ts"
import { arbitraryText } from "./ArbitraryText.ts"

const text = (words: ReadonlyArray<string>, more: object = {}) => ({
  _tag: "Text",
  place: "page",
  words,
  exact: false,
  negated: false,
  ...more
})

describe("Query", () => {
  it("reads words, phrases and their negations", () => {
    expect(parse('pricing "free plan" -beta -"early access"')).toEqual([
      text(["pricing"]),
      text(["free plan"], { exact: true }),
      text(["beta"], { negated: true }),
      text(["early access"], { exact: true, negated: true })
    ])
  })

  it("reads every operator, negated or not, in any case", () => {
    expect(parse("site:Example.com -SITE:blog.example.com filetype:pdf -filetype:docx related:example.org")).toEqual([
      { _tag: "Site", value: "example.com", negated: false },
      { _tag: "Site", value: "blog.example.com", negated: true },
      { _tag: "FileType", value: "pdf", negated: false },
      { _tag: "FileType", value: "docx", negated: true },
      { _tag: "Related", value: "example.org", negated: false }
    ])
    expect(parse('inurl:docs -intitle:"old name" imagesize:640x480 -larger:10x20')).toEqual([
      text(["docs"], { place: "url" }),
      text(["old name"], { place: "title", exact: true, negated: true }),
      { _tag: "ImageSize", width: 640, height: 480, negated: false },
      { _tag: "Larger", width: 10, height: 20, negated: true }
    ])
  })

  it("gives the all-operators every word up to the next operator, phrase or exclusion", () => {
    expect(parse("allintitle: getting started guide -beta allinurl:docs v2 site:a.com")).toEqual([
      text(["getting", "started", "guide"], { place: "title" }),
      text(["beta"], { negated: true }),
      text(["docs", "v2"], { place: "url" }),
      { _tag: "Site", value: "a.com", negated: false }
    ])
    expect(parse("-allintitle:a b")).toEqual([text(["a", "b"], { place: "title", negated: true })])
  })

  it("accepts curly quotes, and ignores an unclosed quote", () => {
    expect(parse("“exact words”")).toEqual([text(["exact words"], { exact: true })])
    expect(parse('"open quote')).toEqual([text(["open"]), text(["quote"])])
  })

  it("reads words without soft hyphens", () => {
    expect(parse('Donau\u00addampf "auf\u00adwärts"')).toEqual([
      text(["Donaudampf"]),
      text(["aufwärts"], { exact: true })
    ])
  })

  it("drops operators without a value, and reads an invalid size as a word", () => {
    expect(parse('  - "" ! site: ')).toEqual([])
    expect(parse("imagesize:huge well-known")).toEqual([text(["huge"]), text(["well-known"])])
  })

  it("parses any string", () => {
    fc.assert(
      fc.property(arbitraryText(60), (query) => {
        const words = parse(query).flatMap((clause) => (clause._tag === "Text" ? clause.words : []))
        expect(words.filter((word) => !/[\p{L}\p{N}]/u.test(word))).toEqual([])
      })
    )
  })
})
