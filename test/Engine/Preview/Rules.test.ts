/** The rules of the crawl preview: accuracy on sample prompts, and arbitrary prompts. */

import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { RE2JS } from "re2js"
import { CrawlParams } from "../../../src/Api/CrawlParams.ts"
import { rules } from "../../../src/Engine/Preview/Rules.ts"
import { skipsLong } from "../../Long.ts"
import { repetitions } from "../../Repetitions.ts"

interface Case {
  readonly id: string
  readonly request: { readonly url: string; readonly prompt: string }
  readonly expected: Readonly<Record<string, unknown>>
  readonly probes: { readonly keep: ReadonlyArray<string>; readonly drop: ReadonlyArray<string> }
}

const prompts: { readonly tuned: ReadonlyArray<Case>; readonly heldOut: ReadonlyArray<Case> } = JSON.parse(
  readFileSync(new URL("./prompts.json", import.meta.url), "utf8")
)

/** Setting a field to its default is no mistake. */
const defaults: Readonly<Record<string, unknown>> = {
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  ignoreRobotsTxt: false,
  ignoreQueryParameters: false,
  sitemap: "include"
}

const kept = (path: string, include: ReadonlyArray<string> = [], exclude: ReadonlyArray<string> = []) =>
  !exclude.some((pattern) => RE2JS.compile(pattern).matcher(path).find()) &&
  (include.length === 0 || include.some((pattern) => RE2JS.compile(pattern).matcher(path).find()))

/** Differences between the expected and the actual parameters of a prompt. */
const differences = ({ request, expected, probes }: Case): ReadonlyArray<string> => {
  const params: Readonly<Record<string, unknown>> = { ...rules(request.url, request.prompt).params }
  const { includePaths, excludePaths } = rules(request.url, request.prompt).params
  const scalars = Object.keys({ ...params, ...expected }).filter((key) => !key.endsWith("Paths"))
  return [
    ...scalars
      .filter((key) => (params[key] ?? defaults[key]) !== (expected[key] ?? defaults[key]))
      .map((key) => `${key}: ${params[key]} instead of ${expected[key]}`),
    ...probes.keep.filter((path) => !kept(path, includePaths, excludePaths)).map((path) => `${path} is dropped`),
    ...probes.drop.filter((path) => kept(path, includePaths, excludePaths)).map((path) => `${path} is kept`)
  ]
}

const right = (cases: ReadonlyArray<Case>) => cases.filter((each) => differences(each).length === 0).length

describe("Rules", () => {
  it.each(prompts.tuned.map((each) => [each.request.prompt, each] as const))("reads: %s", (_, each) => {
    expect(differences(each)).toEqual([])
  })

  it("reads most prompts that the rules were not tuned on", () => {
    expect(right(prompts.heldOut)).toBeGreaterThanOrEqual(117)
  })

  it("sets nothing for a prompt without parameters, and quotes what it did not understand", () => {
    expect(rules("https://example.com", "")).toEqual({ params: {}, notUnderstood: [] })
    expect(rules("https://example.com", "What is this company about?").params).toEqual({})
    expect(rules("https://example.com", "blog posts about security, at most 20 pages")).toEqual({
      params: { includePaths: ["^/(?:blogs?|posts?)(?:[/._-]|$)"], limit: 20 },
      notUnderstood: ["about security"]
    })
  })

  it("does not read data on pages, politeness or purposes as sections", () => {
    for (const prompt of [
      "extract the title and price of every item",
      "I need this by Friday, no rush",
      "don't be too aggressive",
      "crawl the site like a normal user",
      "I'm looking for information on shipping and returns",
      "use a headless browser and take screenshots",
      "without breaking anything"
    ]) {
      expect(rules("https://example.com", prompt).params).toEqual({})
    }
  })

  it("reads parameters by their names, in any spelling", () => {
    expect(
      rules(
        "https://example.com",
        'max_depth: 2, sitemap=skip, allowSubdomains: true, "delay": 1.5, max-pages=25, ignoreRobotsTxt: no'
      ).params
    ).toEqual({
      maxDepth: 2,
      sitemap: "skip",
      allowSubdomains: true,
      delay: 2,
      limit: 25,
      ignoreRobotsTxt: false
    })
  })

  it("anchors patterns so that they match a section and everything below it, and nothing else", () => {
    const { includePaths } = rules("https://example.com", "only /docs").params
    expect(["/docs", "/docs/intro", "/docsite", "/a/docs"].filter((path) => kept(path, includePaths))).toEqual([
      "/docs",
      "/docs/intro"
    ])
  })

  it.skipIf(skipsLong)("gives valid parameters and linear-time patterns for any prompt", () => {
    const words = fc.constantFrom(
      ..."only skip not except the blog docs /a/* /x.(y) pages v2 2024 since german pdf 5 seconds per every limit depth levels clicks robots sitemap as AcmeBot subdomains https://a.b/c [ ( * + ? \\ . , ; and but ten 1e99 99999999999999999999 a.b.c".split(
        " "
      )
    )
    const text = fc.oneof(
      fc.array(words, { maxLength: 25 }).map((parts) => parts.join(" ")),
      fc.string({ unit: "binary", maxLength: 200 })
    )
    fc.assert(
      fc.property(text, fc.webUrl(), (prompt, url) => {
        const { params } = rules(url, prompt)
        Schema.decodeUnknownSync(CrawlParams)({ url, ...params })
        for (const pattern of [...(params.includePaths ?? []), ...(params.excludePaths ?? [])]) RE2JS.compile(pattern)
      }),
      { numRuns: repetitions(500, 150) }
    )
  })

  it.skipIf(skipsLong)("reads the longest prompt within a second, whatever it contains", () => {
    for (const part of [
      "limit the ",
      ", ",
      '"a',
      "v1,1,1",
      "no more than ",
      "everything ",
      "don't go any ",
      "a.",
      "docs/",
      "/A/B:",
      "?a ",
      "urls with 'a', ",
      "maxDepth: ",
      "treat www ",
      "1"
    ]) {
      // Processor time: the machine may be busy with other tests.
      const start = process.cpuUsage()
      rules("https://example.com/a", part.repeat(10_000).slice(0, 10_000))
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
    }
  })
})
