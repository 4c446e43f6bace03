/** Publication dates of pages: sources, their order, and plausibility. */

import * as TestClock from "effect/TestClock"
import { SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { extract } from "../../../src/Html/Extract.ts"
import { believed, publishedOf } from "../../../src/Html/Metadata.ts"
import { describe, expect, it } from "../../It.ts"
import { index, page, urls } from "./MemoryIndex.ts"

const url = "https://a.com/post"

const dated = (html: string, address = url): string | undefined => {
  const { facts, metadata } = extract(html, {
    wanted: new Set(["facts"] as const),
    url: address,
    onlyMainContent: true,
    removeBase64Images: true,
    blockAds: true
  })
  return publishedOf(metadata, facts?.dates, address)?.toISOString()
}

const data = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`

describe("publishedOf", () => {
  it("reads meta tags, structured data at any depth, and marked `<time>` elements, in this order", () => {
    const meta = '<meta property="article:published_time" content="2024-05-06T07:08:09+02:00">'
    const article = data({ "@type": "NewsArticle", datePublished: "2023-01-02", dateModified: "2023-02-02" })
    const graph = data({
      "@graph": [{ "@type": "Organization" }, { "@type": ["BlogPosting"], datePublished: "2022-03-04T05:06" }]
    })
    const marked = '<p>By me, <time itemprop="datePublished" datetime="2021-01-01">New Year</time></p>'
    expect(dated(meta + article + marked)).toBe("2024-05-06T05:08:09.000Z")
    expect(dated(article + marked)).toBe("2023-01-02T00:00:00.000Z")
    expect(dated(graph)).toBe("2022-03-04T05:06:00.000Z")
    expect(dated(data([{ "@type": "WebPage", mainEntity: { "@type": "Article", datePublished: "2020-02-03" } }]))).toBe(
      "2020-02-03T00:00:00.000Z"
    )
    expect(dated(marked)).toBe("2021-01-01T00:00:00.000Z")
    const at = (time: string) => publishedOf({ publishedTime: time })?.toISOString()
    expect(at("2024-05-06 10:00:00 UTC")).toBe("2024-05-06T10:00:00.000Z")
    expect(at("2024-05-06 10:00 EST")).toBe("2024-05-06T15:00:00.000Z")
    expect(at("2024-05-06T10:00:00+02")).toBe("2024-05-06T08:00:00.000Z")
    expect(at("Mon May 06 2024 10:00:00 GMT+0200 (Central European Summer Time)")).toBe("2024-05-06T08:00:00.000Z")
    expect(at("Mon, 06 May 2024 10:00:00 PDT")).toBe("2024-05-06T17:00:00.000Z")
  })

  it("then reads the date in the URL, the first `<time>` in the content, and the modification date", () => {
    const time = '<main><p><time datetime="2019-08-07 06:05">7 August</time></p></main>'
    expect(dated(time, "https://a.com/2018/09/10/name")).toBe("2018-09-10T00:00:00.000Z")
    expect(dated("", "https://a.com/news/2018-09-10-name.html")).toBe("2018-09-10T00:00:00.000Z")
    expect(dated(time)).toBe("2019-08-07T06:05:00.000Z")
    expect(dated(`<aside>${time}</aside><div class="comments">${time}</div>`)).toBeUndefined()
    expect(dated(data({ "@type": "Article", dateModified: "2017-01-01" }))).toBe("2017-01-01T00:00:00.000Z")
  })

  it("ignores invalid dates, and dates of other things", () => {
    expect(dated("", "https://a.com/2018/13/10/x")).toBeUndefined()
    expect(dated("", "https://a.com/10/09/2018")).toBeUndefined()
    expect(dated("", "https://a.com/releases/20180910123456")).toBeUndefined()
    expect(dated("", "https://a.com/x?day=/2018/09/10/")).toBeUndefined()
    expect(dated(data({ "@type": "Product", datePublished: "2020-01-01" }))).toBeUndefined()
    expect(
      dated(data({ "@type": "Article", comment: { "@type": "Comment", datePublished: "2020-01-01" } }))
    ).toBeUndefined()
    expect(dated('<script type="application/ld+json">{"@type":"Article","datePublished":</script>')).toBeUndefined()
    for (const text of ["1", "soon", "2020", "9999999999", "1889-01-01", "2020-02-45", "P3D", "12:30"]) {
      expect(publishedOf({ publishedTime: text })).toBeUndefined()
    }
    expect(publishedOf({ publishedTime: "Mon, 06 May 2024 07:08:09 GMT" })?.toISOString()).toBe(
      "2024-05-06T07:08:09.000Z"
    )
    expect(publishedOf({ publishedTime: "May 6, 2024" })?.toISOString()).toBe("2024-05-06T00:00:00.000Z")
  })

  it("ignores dates in the future", () => {
    const now = Date.UTC(2026, 0, 10)
    expect(believed(new Date(now + 30 * 86_400_000), now)).toBeNull()
    expect(believed(new Date(now + 3_600_000), now)).toBe(now)
    expect(believed(new Date(now - 1), now)).toBe(now - 1)
    expect(believed(undefined, now)).toBeNull()
  })

  it.effect("never takes a page for newer than its first visit, whatever it says", index, function* () {
    const found = yield* SearchIndex
    yield* TestClock.setTime(Date.UTC(2026, 0, 10))
    yield* found.add([page(url, "Post", "launch")])
    yield* TestClock.setTime(Date.UTC(2026, 5, 10))
    yield* found.add([page(url, "Post", "launch anew", { published: new Date(Date.UTC(2026, 5, 9)) })])
    yield* found.add([page("https://a.com/far", "Far", "launch", { published: new Date(Date.UTC(2030, 0, 1)) })])
    expect(yield* urls("launch", { tbs: "qdr:w" })).toEqual(["https://a.com/far"])
    expect(yield* urls("launch", { tbs: "cdr:1,cd_min:01/10/2026,cd_max:01/10/2026" })).toEqual([url])
    expect(yield* urls("launch", { sources: ["web"], tbs: "qdr:y,sbd:1" })).toEqual(["https://a.com/far", url])
  })
})
