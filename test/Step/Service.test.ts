import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import type * as Run from "../../src/Run.ts"
import { expect, scopedIn } from "../It.ts"
import * as Local from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { withEngine } from "../Services.ts"
import { type Rows, runSteps } from "./Flow.ts"

/** The steps that ask the service, against the real engine and a real site. */
const pages: Record<string, Local.Answer> = {
  "/": Local.page("Home", ["/a", "/b", "/gone", "/notes.html"]),
  "/a": Local.page("Alpha", ["/"], "Alpha speaks of herons."),
  "/b": Local.page("Beta", ["/a"], "Beta speaks of otters."),
  "/notes.html": Local.page("Notes", [], "Notes on herons and otters."),
  "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nAllow: /\n" },
  "/gone": { status: 410, body: "<h1>Gone</h1>" }
}

/** Runs steps over a site of a few pages. */
const run = (steps: (site: string) => string, options: Partial<Run.RunOptions> = {}) =>
  Effect.gen(function* () {
    const site = yield* Local.site((path) => pages[path])
    return { ...(yield* runSteps(steps(site.url), options)), site }
  })

const column = (rows: Rows, name: string) => rows.map((row) => row[name]).sort()

layer(withEngine)("steps that ask the service", (it) => {
  const scoped = scopedIn(it)
  scoped("crawl emits the pages of a site and reports the cost", function* () {
    const { progress, rows, summary } = yield* run(
      (site) => `  - crawl: { url: "${site}", scrapeOptions: { formats: [markdown, links] } }
  - select: { title: metadata.title, status: metadata.statusCode, links: $count(links), key: $key }`
    )
    expect(column(rows, "title").slice(0, 4)).toEqual(["Alpha", "Beta", "Home", "Notes"])
    expect(column(rows, "status")).toEqual([200, 200, 200, 200, 410])
    expect(summary.credits).toBeGreaterThan(0)
    expect(progress.expected).toBe(5)
  })

  scoped("crawl takes parameters from a value step; fields of the definition win", function* () {
    const { rows } = yield* run(
      (site) => `  - id: plan
    crawlPreview: { url: "${site}", prompt: "at most 3 pages" }
  - crawl: { params: "\${{ steps.plan.output }}", limit: 2 }
  - select: { url: metadata.sourceURL }`
    )
    expect(rows.length).toBe(2)
  })

  scoped("a value may name an output", function* () {
    const { summary } = yield* run(
      (site) => `  - id: the-plan
    crawlPreview: { url: "${site}", prompt: "at most 3 pages" }
  - crawl: { params: "\${{ steps.the-plan.output }}" }
  - write: { jsonl: "up-to-\${{ steps.the-plan.output.limit }}.jsonl" }`
    )
    expect(summary.outputs.map(({ path, rows }) => [path.split("/").pop(), rows])).toContainEqual(["up-to-3.jsonl", 3])
  })

  scoped("an expression may name a value, which is requested once", function* () {
    const { rows } = yield* run(
      (site) => `  - id: the-plan
    crawlPreview: { url: "${site}", prompt: "at most 3 pages" }
  - urls: ["${site}/a", "${site}/b"]
  - where: $steps.\`the-plan\`.output.limit = 3
  - select: { url: url, limit: $steps.\`the-plan\`.output.limit + 1, kind: $type($steps.\`the-plan\`.output) }`
    )
    expect(column(rows, "limit")).toEqual([4, 4])
    expect(column(rows, "kind")).toEqual(["object", "object"])
  })

  scoped("batchScrape scrapes the rows' pages as one job and keeps the row as $source", function* () {
    const { rejects, rows } = yield* run(
      (site) => `  - urls: ["${site}/a", "${site}/b", "http://127.0.0.1:1/down"]
  - batchScrape: { formats: [markdown] }
  - select: { title: metadata.title, asked: $source.url }`
    )
    expect(column(rows, "title")).toEqual(["Alpha", "Beta"])
    expect(String(rows[0]?.asked)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[ab]$/)
    expect(rejects.length).toBe(1)
    expect(rejects[0]).toMatchObject({
      step: "batchScrape",
      error: "TargetNetworkError",
      key: "http://127.0.0.1:1/down"
    })
  })

  scoped("batchStatus and crawlStatus attach to existing jobs", function* () {
    const site = yield* Local.site((path) => pages[path])
    const batch = yield* Effect.flatMap(BatchScrape, (client) => client.start({ urls: [`${site.url}/a`] }))
    const crawl = yield* Effect.flatMap(Crawl, (client) => client.start({ url: site.url, limit: 3 }))
    const ofBatch = yield* run(() => `  - batchStatus: { id: ${batch.id}, version: v1 }`)
    expect(ofBatch.rows.length).toBe(1)
    const ofCrawl = yield* run(() => `  - crawlStatus: { id: "${crawl.id}" }`)
    expect(ofCrawl.rows.length).toBe(3)
  })

  scoped.skipIf(skipsLong)("scrape and parse turn each row into its document; a failing one is rejected", function* () {
    const scraped = yield* run(
      (site) => `  - urls: ["${site}/a", "http://127.0.0.1:1/down", "${site}/b"]
  - scrape: { formats: [markdown] }
    timeout: 20s
    rate: 1000/s
    retry: { times: 1, on: [5xx, timeout] }
  - select: { title: metadata.title, markdown: markdown }`
    )
    expect(column(scraped.rows, "title")).toEqual(["Alpha", "Beta"])
    expect(scraped.rejects).toMatchObject([
      { step: "scrape", error: "TargetNetworkError", row: { url: "http://127.0.0.1:1/down" } }
    ])

    const parsed = yield* run(
      () => `  - files: { glob: "*.{html,txt}" }
  - parse: { formats: [markdown] }
  - select: { file: $source.path, title: metadata.title }`
    )
    expect(parsed.rows).toEqual([{ file: "leaf.html", title: "Leaf" }])
    expect(parsed.rejects).toMatchObject([{ step: "parse", error: "UnsupportedFile", row: { path: "list.txt" } }])

    const linked = yield* run(
      (site) => `  - urls: ["${site}/notes.html"]
  - parse: { url: { expr: url } }
  - select: { title: metadata.title, from: $source.url }`
    )
    expect(linked.rows).toMatchObject([{ title: "Notes" }])
  })

  scoped.skipIf(skipsLong)("search finds indexed pages, with each: true for every row", function* () {
    const { rows } = yield* run(
      (site) => `  - id: crawled
    crawl: { url: "${site}" }
  - write: { jsonl: pages.jsonl }
  - after: crawled
    urls: ["http://herons/", "http://otters/"]
  - each: true
    search: { query: { expr: "$host(url)" }, limit: 50 }
  - select: { asked: $source.url, title: title, source: source }`
    )
    const titles = (asked: string) =>
      column(
        rows.filter((row) => row.asked === asked),
        "title"
      )
    expect(titles("http://herons/")).toEqual(expect.arrayContaining(["Alpha", "Notes"]))
    expect(titles("http://otters/")).toEqual(expect.arrayContaining(["Beta", "Notes"]))
    expect(titles("http://otters/")).not.toContain("Alpha")
    expect(new Set(column(rows, "source"))).toEqual(new Set(["web"]))
  })

  scoped("urls reads the lines of a file; usage and activeCrawls emit rows", function* () {
    expect(column((yield* run(() => "  - urls: { file: list.txt }")).rows, "url")).toEqual([
      "http://127.0.0.1:1/x",
      "http://127.0.0.1:1/y"
    ])
    const usage = yield* run(() => "  - usage: { byApiKey: true }")
    expect(usage.rows[0]).toMatchObject({ apiKey: "first", endDate: expect.stringMatching(/T23:59:59.999Z$/) })
    expect(usage.rows[0]?.totalTokens).toBeGreaterThan(0)
    expect((yield* run(() => "  - activeCrawls: {}")).rows).toEqual([])
  })

  scoped("takes no more rows from a source than are wanted", function* () {
    const { rows } = yield* run((site) => `  - crawl: { url: "${site}" }`, { wanted: 2 })
    expect(rows.length).toBe(2)
  })
})
