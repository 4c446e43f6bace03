import { describe, expect, it } from "@effect/vitest"
import { readMetadata } from "../../src/Html/Metadata.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const metadata = (html: string) =>
  readMetadata(parseTree(html), (href) =>
    URL.canParse(href, "http://site.test/") ? new URL(href, "http://site.test/").href : undefined
  )

describe("metadata", () => {
  it("keeps every tag under its own name, and Open Graph under both of its names", () => {
    expect(
      metadata(`<html lang="en-GB"><head><title>Herons</title><meta name="KEYWORDS" content="birds, marsh">
        <meta name="DC.creator" content="Ardea"><meta name="twitter:card" content="summary"><meta name="twitter:site" content="@marsh">
        <meta property="og:type" content="article"><meta property="og:image:secure_url" content="https://site.test/i.png">
        <meta property="og:locale:alternate" content="fr_FR"><meta itemprop="datePublished" content="2024-01-01">
        <meta http-equiv="content-language" content="fr"><link rel="icon" href="i.ico"></head>`)
    ).toEqual({
      title: "Herons",
      language: "en-GB",
      keywords: "birds, marsh",
      "DC.creator": "Ardea",
      "twitter:card": "summary",
      "twitter:site": "@marsh",
      "og:type": "article",
      ogType: "article",
      "og:image:secure_url": "https://site.test/i.png",
      ogImageSecureUrl: "https://site.test/i.png",
      "og:locale:alternate": ["fr_FR"],
      ogLocaleAlternate: ["fr_FR"],
      datePublished: "2024-01-01",
      favicon: "http://site.test/i.ico"
    })
  })

  it("reads a tag with both name and property under both", () => {
    expect(metadata(`<meta name="description" property="og:description" content="d">`)).toEqual({
      description: "d",
      "og:description": "d",
      ogDescription: "d"
    })
  })

  it("ignores fields that only the engine may set, and repeated values", () => {
    const html = `<meta name="statusCode" content="500"><meta name="error" content="no"><meta name="sourceURL" content="x">
      <meta name="author" content="first"><meta name="author" content="second"><meta name="__proto__" content="x">
      <meta name="cacheState" content="hit"><meta property="cachedAt" content="2000-01-01">
      <meta name="code" content="DE"><meta name="next" content="/2"><meta name="proxy" content="x"><meta name="retryAfter" content="x">`
    expect(metadata(html)).toEqual({ author: "first" })
  })
})
