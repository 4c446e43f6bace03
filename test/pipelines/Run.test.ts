import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { canonicalUrl } from "../../src/Row/Url.ts"
import { describe, expect, it, layer as sharing } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { clientOf, expectAscending, folder, Gathered, gathered, pathsOf, runFile } from "./Runner.ts"

const sampleFolder = join(folder, "site/files")

const publicPages = [
  "/",
  "/about.html",
  "/archive",
  "/archive/2019.html",
  "/archive/2020.html",
  "/methods",
  "/methods/stage-and-discharge.html",
  "/methods/warning-levels.html",
  "/news",
  "/news/2026-03-upper-ford-rebuilt.html",
  "/news/2026-06-salt-quay-radar.html",
  "/reports",
  "/reports/annual-2025.html",
  "/reports/flood-february-2026.html",
  "/reports/low-flow-2025.html",
  "/stations",
  "/stations/alder-bridge.html",
  "/stations/mill-weir.html",
  "/stations/salt-quay.html",
  "/stations/upper-ford.html"
]

const documents = ["/files/field-notes-2026.docx", "/files/gauging-manual.pdf", "/files/levels-2025.xlsx"]

describe("sluice run pipelines/…", () => {
  it("is tried for every definition", () => {
    const here = fileURLToPath(new URL(".", import.meta.url))
    const tests = ["Run", "Alone"].map((name) => readFileSync(`${here}${name}.test.ts`, "utf8")).join("")
    const names = readdirSync(folder).filter((name) => /(?<!\.test)\.(ya?ml|json|ts)$/.test(name))
    expect(names.filter((name) => !tests.includes(`"${name}"`))).toEqual([])
  })

  sharing(gathered, { excludeTestServices: true })("over an engine that knows the site", (it) => {
    it.scoped.skipIf(skipsLong)("crawl-site writes every public page and document of a site once", function* () {
      const { local, site } = yield* Gathered
      for (const file of ["crawl-site.yaml", "crawl-site.ts"]) {
        const { summary, jsonl } = yield* runFile(local, file, { site: `${site}/` })
        // The page that answers 500.
        expect(summary).toMatchObject({ status: "completed", rejects: 1 })
        const pages = jsonl(`out/site-${new Date().toISOString().slice(0, 10)}.jsonl`)
        // Left out: the broken link, what robots.txt forbids, the same page under ?utm_….
        expect(
          pathsOf(
            site,
            pages.map(({ url }) => url)
          )
        ).toEqual([...publicPages, ...documents].sort())
        expect(pages.filter(({ language }) => language === "en").length).toBeGreaterThanOrEqual(publicPages.length)
        expect(pages.find(({ url }) => String(url).endsWith("/mill-weir.html"))).toMatchObject({
          title: "Mill Weir · Lenn River Observatory",
          description: "A stone weir of 1931, and still the most exact flow measurement on the river.",
          markdown: expect.stringMatching(/^# Mill Weir/)
        })
      }
    })

    it.scoped("crawl-site stops at its limit", function* () {
      const { local, site } = yield* Gathered
      const { summary } = yield* runFile(local, "crawl-site.yaml", { site: `${site}/methods/`, limit: "2" })
      expect(summary.rows).toBe(2)
    })

    it.scoped.skipIf(skipsLong)("read-sitemap scrapes the first ten pages that the sitemap lists", function* () {
      const { summary, jsonl } = yield* runFile((yield* Gathered).local, "read-sitemap.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 10, rejects: 0 })
      const pages = jsonl("out/sitemap.jsonl")
      expect(pages.map(({ url }) => new URL(String(url)).pathname).sort()).toEqual([
        "/",
        "/about.html",
        "/reports/",
        "/reports/annual-2025.html",
        "/reports/flood-february-2026.html",
        "/stations/",
        "/stations/alder-bridge.html",
        "/stations/mill-weir.html",
        "/stations/salt-quay.html",
        "/stations/upper-ford.html"
      ])
      expect(pages.find(({ url }) => String(url).endsWith("/salt-quay.html"))).toMatchObject({
        title: "Salt Quay · Lenn River Observatory",
        published: "2026-06-12"
      })
    })

    it.scoped("product-prices reads every product of the shop, with typed prices", function* () {
      const { summary, csv } = yield* runFile((yield* Gathered).local, "product-prices.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 8, rejects: 0 })
      const prices = csv("out/product-prices.csv").map(({ price, title }) => [title, price])
      expect(prices).toContainEqual(["Bread knife", "1299"])
    })

    it.scoped("follow-feed scrapes the entries of the feed", function* () {
      const { summary } = yield* runFile((yield* Gathered).local, "follow-feed.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 2, rejects: 0 })
    })

    it.scoped("read-api writes the rows of all pages of an API", function* () {
      const { csv, summary } = yield* runFile((yield* Gathered).local, "read-api.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 3, credits: 0 })
      expect(csv("out/readings.csv").map(({ metres, station }) => `${station} ${metres}`)).toEqual([
        "Alder Bridge 1.42",
        "Mill Weir 0.87",
        "Salt Quay 2.31"
      ])
    })

    it.scoped("parse-folder says what the documents of a folder are", function* () {
      const { summary, csv } = yield* runFile((yield* Gathered).local, "parse-folder.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 3, rejects: 0 })
      const rows = csv("out/documents.csv").toSorted((a, b) => (a.file ?? "").localeCompare(b.file ?? ""))
      expect(rows).toMatchObject([
        {
          file: "site/files/field-notes-2026.docx",
          title: "Field notes, spring 2026",
          begins: expect.stringMatching(/^Field notes, spring 2026 Visits to the gauges of the Lenn/)
        },
        {
          file: "site/files/gauging-manual.pdf",
          title: "Gauging manual",
          pages: "2",
          begins: expect.stringMatching(/^Gauging manual Lenn River Observatory, fourth edition/)
        },
        {
          file: "site/files/levels-2025.xlsx",
          title: "Monthly levels 2025",
          begins: expect.stringMatching(/Month Upper Ford, m/)
        }
      ])
      for (const { words, bytes } of rows) {
        expect(Number(words)).toBeGreaterThan(50)
        expect(Number(bytes)).toBeGreaterThan(3000)
      }
    })

    it.scoped.skipIf(skipsLong)(
      "watch-folder tells what is new in a folder, and then only what has changed",
      function* () {
        const { local } = yield* Gathered
        // A pattern is followed from the folder that it has in common with the definition, and that would be above /dev.
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync("/tmp/sluice-watched-")),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
        )
        const note = (text: string) =>
          writeFileSync(join(folder, "note.html"), `<html><body><main><p>${text}</p></main></body></html>`)
        copyFileSync(join(sampleFolder, "gauging-manual.pdf"), join(folder, "gauging-manual.pdf"))
        note("The gauge at Salt Quay is out of order.")
        const first = yield* runFile(local, "watch-folder.yaml", { folder })
        const { out } = first
        const rowsOf = ({ jsonl, summary }: typeof first) =>
          jsonl(`out/documents-${summary.runId}.jsonl`)
            .map(({ change, file }) => `${change} ${String(file).split("/").at(-1)}`)
            .sort()
        expect(rowsOf(first)).toEqual(["new gauging-manual.pdf", "new note.html"])

        // One is only saved again, one says something else, and one has come.
        utimesSync(join(folder, "gauging-manual.pdf"), 1, 1)
        note("The gauge at Salt Quay is read again.")
        copyFileSync(join(sampleFolder, "levels-2025.xlsx"), join(folder, "levels-2025.xlsx"))
        const second = yield* runFile(local, "watch-folder.yaml", { folder }, { out })
        expect(rowsOf(second)).toEqual(["changed note.html", "new levels-2025.xlsx"])
        expect(rowsOf(yield* runFile(local, "watch-folder.yaml", { folder }, { out }))).toEqual([])
      }
    )

    it.scoped("tidy-levels makes a table fit for use, and says what was wrong with it", function* () {
      const { csv, jsonl, rejects, summary } = yield* runFile((yield* Gathered).local, "tidy-levels.yaml")
      expect(summary).toMatchObject({ status: "completed", rejects: 2 })
      const levels = csv("out/levels.csv")
      expect(levels.map(({ level, station }) => `${station} ${level}`)).toEqual([
        "AB 11.9",
        "SQ 4.1",
        "SQ 4.02",
        "SQ 3.77",
        "AB 3.42",
        "MW 2.68",
        "MW 2.55",
        "MW 2.37",
        "UF 2.31",
        "UF 2.12",
        "UF 1.94",
        "XX 0.8"
      ])
      expect(levels[1]).toMatchObject({ at_name: "Salt Quay", at_river_name: "Lenn", at_river_km: "0.6", flow: "" })
      expect(levels.at(-1)).toMatchObject({ at_name: "", flow: "1.2" })
      expect(rejects.map(({ message }) => message).sort()).toEqual([
        expect.stringMatching(/levels\.csv, line 15 has "dry" in level, which is not a number$/),
        "the gauge gave no level"
      ])
      expect(jsonl("out/levels-sample.jsonl").length).toBe(3)
      expect(csv("out/stations.csv").map(({ days, highest, station }) => `${station} ${days} ${highest}`)).toEqual([
        "AB 2 11.9",
        "MW 3 2.68",
        "SQ 3 4.1",
        "UF 3 2.31",
        "XX 1 0.8"
      ])
    })

    it.scoped("flood-stages asks a TypeScript function, and only when it is allowed to", function* () {
      const { local } = yield* Gathered
      const refused = yield* Effect.flip(runFile(local, "flood-stages.yaml"))
      expect(refused.message).toContain("allow it with --allow-code")
      const { jsonl } = yield* runFile(local, "flood-stages.yaml", {}, { allowCode: true })
      expect(jsonl("out/stages.jsonl").map(({ day, margin, stage, station }) => [day, station, stage, margin])).toEqual(
        [
          ["2026-02-03", "UF", "watch", 0.29],
          ["2026-02-03", "MW", "warning", -0.08],
          ["2026-02-03", "AB", "warning", -0.32],
          ["2026-02-04", "UF", "watch", 0.48],
          ["2026-02-04", "MW", "watch", 0.05],
          ["2026-02-05", "AB", "warning", -8.8]
        ]
      )
    })

    it.scoped("search-to-csv lists what was gathered, best first", function* () {
      const { local, site } = yield* Gathered
      const { summary, csv } = yield* runFile(local, "search-to-csv.yaml", {
        query: `"flood warning" -inurl:archive inurl:${site}`,
        limit: 10
      })
      const hits = csv("out/search.csv")
      expect(summary.rows).toBe(hits.length)
      expectAscending(hits.map(({ rank }) => Number(rank)))
      // The year books of the archive contain warnings too, and were not requested.
      expect(hits.map(({ url }) => (canonicalUrl(url ?? "") ?? "").slice(site.length))).toEqual([
        "/stations/alder-bridge.html",
        "/reports/flood-february-2026.html",
        "/files/gauging-manual.pdf"
      ])
      for (const { source, text } of hits) expect([source, /flood/i.test(text ?? "")]).toEqual(["web", true])
    })

    it.scoped("search-and-scrape reads every hit as one batch", function* () {
      const { local, site } = yield* Gathered
      const { summary, jsonl } = yield* runFile(local, "search-and-scrape.yaml", {
        query: `radar inurl:${site}`,
        limit: "5"
      })
      expect(summary).toMatchObject({ status: "completed", rejects: 0 })
      const rows = jsonl(`out/search-${summary.runId}.jsonl`)
      expect(rows.length).toBeGreaterThan(2)
      expect(new Set(rows.map(({ url }) => canonicalUrl(String(url)))).size).toBe(rows.length)
      expect(rows.find(({ rank }) => rank === 1)?.url).toBe(`${site}/news/2026-06-salt-quay-radar.html`)
      for (const { markdown, links } of rows) {
        expect(String(markdown)).toMatch(/radar/i)
        expect(Number(links)).toBeGreaterThan(0)
      }
    })

    it.scoped("attach-batch follows a batch that another client started, v1 or v2", function* () {
      const { local, site } = yield* Gathered
      const urls = ["/about.html", "/stations/mill-weir.html", "/stations/old-mill.html"].map((path) => site + path)
      for (const version of ["v1", "v2"] as const) {
        const { id = "" } = yield* Effect.flatMap(BatchScrape, (client) =>
          version === "v1" ? client.start({ urls }, { version }) : client.start({ urls })
        ).pipe(Effect.provide(clientOf(local)))
        const { summary, jsonl } = yield* runFile(local, "attach-batch.yaml", { id, version })
        expect(summary).toMatchObject({ status: "completed", rows: 2, rejects: 1 })
        const statuses = jsonl(`out/batch-${id}.jsonl`).map(({ metadata }) => {
          const { sourceURL, statusCode } = metadata as { readonly sourceURL: string; readonly statusCode: number }
          return [sourceURL, statusCode] as const
        })
        expect(Object.fromEntries(statuses)).toEqual({
          [`${urls[0]}`]: 200,
          [`${urls[1]}`]: 200
        })
      }
    })

    it.scoped("attach-crawl keeps the good pages of a crawl that another client started", function* () {
      const { local, site } = yield* Gathered
      const { id = "" } = yield* Effect.flatMap(Crawl, (client) => client.start({ url: `${site}/stations/` })).pipe(
        Effect.provide(clientOf(local))
      )
      const { summary, jsonl } = yield* runFile(local, "attach-crawl.yaml", { id })
      expect(summary).toMatchObject({ status: "completed", rejects: 1 })
      const urls = jsonl(`out/crawl-${id}.jsonl`).map(({ metadata }) => (metadata as { sourceURL: string }).sourceURL)
      expect(pathsOf(site, urls)).toEqual([
        "/stations",
        "/stations/alder-bridge.html",
        "/stations/mill-weir.html",
        "/stations/salt-quay.html",
        "/stations/upper-ford.html"
      ])
    })

    it.scoped("active-crawls lists a crawl while it runs, and nothing when it does not", function* () {
      const { local, site } = yield* Gathered
      const client = yield* Effect.provide(Crawl, clientOf(local))
      // A minute between two pages: it is running for as long as this test looks.
      const { id = "" } = yield* client.start({ url: `${site}/`, limit: 7, delay: 60 })
      const running = yield* runFile(local, "active-crawls.yaml")
      expect(running.csv("out/active-crawls.csv")).toEqual([
        { id, url: `${site}/`, started: expect.stringMatching(/^\d{4}-/), limit: "7", formats: "markdown" }
      ])
      yield* client.cancel(id)
      const after = yield* runFile(local, "active-crawls.yaml")
      expect(after.csv("out/active-crawls.csv")).toEqual([])
    })
  })
})
