import { copyFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import type { Engine } from "../../src/Engine.ts"
import { canonicalUrl } from "../../src/Row/Url.ts"
import { withChromium } from "../Engine/Browser/Ground.ts"
import { isMissing } from "../Engine/Render/Installed.ts"
import { engine, tempDir } from "../Local.ts"
import { clientOf, folder, runFile, sampleSite } from "./Runner.ts"

/** Addresses as paths of the site, each in its one spelling. */
const pathsOf = (site: string, urls: ReadonlyArray<unknown>) =>
  urls.map((url) => (canonicalUrl(String(url)) ?? "").slice(site.length)).sort()

/** Puts the whole sample site into an engine's index, and says where it is served. */
const gather = (local: Engine) =>
  Effect.gen(function* () {
    const site = yield* sampleSite
    yield* Effect.gen(function* () {
      const crawl = yield* Crawl
      const { id } = yield* crawl.start({ url: `${site}/` })
      yield* Stream.runDrain(crawl.pages(id))
    }).pipe(Effect.provide(clientOf(local)))
    return site
  })

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

/** Ranks may have gaps, where a hit was another address of a page that came before. */
const expectAscending = (ranks: ReadonlyArray<number>) => {
  expect(ranks[0]).toBe(1)
  for (const [index, rank] of ranks.entries()) expect(rank).toBeGreaterThan(ranks[index - 1] ?? 0)
}

const documents = ["/files/field-notes-2026.docx", "/files/gauging-manual.pdf", "/files/levels-2025.xlsx"]

describe("sluice run pipelines/…", () => {
  it("is tried for every definition", () => {
    const tests = readFileSync(fileURLToPath(import.meta.url), "utf8")
    const names = readdirSync(folder).filter((name) => /(?<!\.test)\.(ya?ml|json|ts)$/.test(name))
    expect(names.filter((name) => !tests.includes(`"${name}"`))).toEqual([])
  })

  it.scopedLive("quickstart crawls what the prompt asks for, parses the files, and answers the question", () =>
    Effect.gen(function* () {
      const { summary, jsonl, csv } = yield* runFile(yield* engine(), "quickstart.yaml")
      expect(summary).toMatchObject({ status: "completed", rejects: 0, rows: 18 })
      expect(summary.outputs.map(({ format, rows }) => [format, rows])).toEqual([
        ["jsonl", 10],
        ["csv", 3],
        ["csv", 5]
      ])

      // Not there: archive, news and methods (the prompt), the draft (robots.txt), the broken link, the page with 500,
      // and the report's second address.
      const pages = jsonl("out/quickstart/pages.jsonl")
      expect(
        pathsOf(
          "http://site",
          pages.map(({ page }) => `http://site${page}`)
        )
      ).toEqual([
        "/",
        "/reports",
        "/reports/annual-2025.html",
        "/reports/flood-february-2026.html",
        "/reports/low-flow-2025.html",
        "/stations",
        "/stations/alder-bridge.html",
        "/stations/mill-weir.html",
        "/stations/salt-quay.html",
        "/stations/upper-ford.html"
      ])
      const bridge = pages.find(({ page }) => page === "/stations/alder-bridge.html")
      expect(bridge).toMatchObject({
        title: "Alder Bridge · Lenn River Observatory",
        description: expect.stringMatching(/^The oldest gauge/)
      })
      expect(bridge?.markdown).toContain(
        "A flood warning is issued at Alder Bridge when the level is expected to pass 3.10 metres"
      )

      const files = csv("out/quickstart/files.csv").toSorted((a, b) => (a.file ?? "").localeCompare(b.file ?? ""))
      expect(files.map(({ words: _, ...file }) => file)).toEqual([
        { file: "/files/field-notes-2026.docx", title: "Field notes, spring 2026", type: "DOCX", tables: "1" },
        { file: "/files/gauging-manual.pdf", title: "Gauging manual", type: "PDF", tables: "2" },
        { file: "/files/levels-2025.xlsx", title: "Monthly levels 2025", type: "XLSX", tables: "2" }
      ])
      for (const { words } of files) expect(Number(words)).toBeGreaterThan(100)

      const answers = csv("out/quickstart/answers.csv")
      expectAscending(answers.map(({ rank }) => Number(rank)))
      expect(answers[0]).toMatchObject({
        title: "Alder Bridge · Lenn River Observatory",
        page: "/stations/alder-bridge.html",
        excerpt: expect.stringContaining("Three marks on the pier")
      })
      expect(answers[1]).toMatchObject({ title: "Field notes, spring 2026", page: "/files/field-notes-2026.docx" })
    })
  )

  it.scopedLive("quickstart follows another prompt and another question", () =>
    Effect.gen(function* () {
      const { summary, jsonl, csv } = yield* runFile(yield* engine(), "quickstart.yaml", {
        prompt: "Only the news.",
        question: '"barnacles off a float"'
      })
      expect(summary).toMatchObject({ status: "completed", rejects: 0 })
      const pages = jsonl("out/quickstart/pages.jsonl").map(({ page }) => `http://site${page}`)
      expect(pathsOf("http://site", pages)).toEqual([
        "/",
        "/news",
        "/news/2026-03-upper-ford-rebuilt.html",
        "/news/2026-06-salt-quay-radar.html"
      ])
      // The news link to no file.
      expect(csv("out/quickstart/files.csv")).toEqual([])
      expect(csv("out/quickstart/answers.csv").map(({ page }) => page)).toEqual(["/news/2026-06-salt-quay-radar.html"])
    })
  )

  it.scopedLive("crawl-site writes every public page and document of a site once", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* sampleSite
      for (const file of ["crawl-site.yaml", "crawl-site.ts"]) {
        const { summary, jsonl } = yield* runFile(local, file, { site: `${site}/` })
        expect(summary).toMatchObject({ status: "completed", rejects: 0 })
        const pages = jsonl(`out/site-${new Date().toISOString().slice(0, 10)}.jsonl`)
        // Left out: the broken link, the page that answers 500, what robots.txt forbids, the same page under ?utm_….
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
  )

  it.scopedLive("crawl-site stops at its limit", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* sampleSite
      const { summary } = yield* runFile(local, "crawl-site.yaml", { site: `${site}/methods/`, limit: "2" })
      expect(summary.rows).toBe(2)
    })
  )

  it.scopedLive("read-sitemap scrapes the first ten pages that the sitemap lists", () =>
    Effect.gen(function* () {
      const { summary, jsonl } = yield* runFile(yield* engine(), "read-sitemap.yaml")
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
  )

  it.scopedLive("parse-folder says what the documents of a folder are", () =>
    Effect.gen(function* () {
      const { summary, csv } = yield* runFile(yield* engine(), "parse-folder.yaml")
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
  )

  it.scopedLive("watch-folder tells what is new in a folder, and then only what has changed", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const folder = yield* tempDir
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
    })
  )

  it.scopedLive("tidy-levels makes a table fit for use, and says what was wrong with it", () =>
    Effect.gen(function* () {
      const { csv, jsonl, rejects, summary } = yield* runFile(yield* engine(), "tidy-levels.yaml")
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
    })
  )

  it.scopedLive("flood-stages asks a TypeScript function, and only when it is allowed to", () =>
    Effect.gen(function* () {
      const local = yield* engine()
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
  )

  it.scopedLive("search-to-csv lists what was gathered, best first", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* gather(local)
      const { summary, csv } = yield* runFile(local, "search-to-csv.yaml", {
        query: `"flood warning" -inurl:archive inurl:${site}`,
        limit: 10
      })
      const hits = csv("out/search.csv")
      expect(summary.rows).toBe(hits.length)
      expectAscending(hits.map(({ rank }) => Number(rank)))
      // The year books of the archive tell of warnings too, and were not asked for.
      expect(hits.map(({ url }) => (canonicalUrl(url ?? "") ?? "").slice(site.length))).toEqual([
        "/stations/alder-bridge.html",
        "/reports/flood-february-2026.html",
        "/files/gauging-manual.pdf"
      ])
      for (const { source, text } of hits) expect([source, /flood/i.test(text ?? "")]).toEqual(["web", true])
    })
  )

  it.scopedLive("search-to-csv finds nothing in an empty index, and says so with a header alone", () =>
    Effect.gen(function* () {
      const { summary, csv } = yield* runFile(yield* engine(), "search-to-csv.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 0, rejects: 0 })
      expect(csv("out/search.csv")).toEqual([])
    })
  )

  it.scopedLive("search-and-scrape reads every hit as one batch", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* gather(local)
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
  )

  it.scopedLive("attach-batch follows a batch that somebody else started, v1 or v2", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* sampleSite
      const urls = ["/about.html", "/stations/mill-weir.html", "/stations/old-mill.html"].map((path) => site + path)
      for (const version of ["v1", "v2"] as const) {
        const { id = "" } = yield* Effect.flatMap(BatchScrape, (client) =>
          version === "v1" ? client.start({ urls }, { version }) : client.start({ urls })
        ).pipe(Effect.provide(clientOf(local)))
        const { summary, jsonl } = yield* runFile(local, "attach-batch.yaml", { id, version })
        expect(summary).toMatchObject({ status: "completed", rows: 3, rejects: 0 })
        const statuses = jsonl(`out/batch-${id}.jsonl`).map(({ metadata }) => {
          const { sourceURL, statusCode } = metadata as { readonly sourceURL: string; readonly statusCode: number }
          return [sourceURL, statusCode] as const
        })
        expect(Object.fromEntries(statuses)).toEqual({
          [`${urls[0]}`]: 200,
          [`${urls[1]}`]: 200,
          [`${urls[2]}`]: 500
        })
      }
    })
  )

  it.scopedLive("attach-crawl keeps the good pages of a crawl that somebody else started", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* sampleSite
      const { id = "" } = yield* Effect.flatMap(Crawl, (client) => client.start({ url: `${site}/stations/` })).pipe(
        Effect.provide(clientOf(local))
      )
      const { summary, jsonl } = yield* runFile(local, "attach-crawl.yaml", { id })
      expect(summary).toMatchObject({ status: "completed", rejects: 0 })
      const urls = jsonl(`out/crawl-${id}.jsonl`).map(({ metadata }) => (metadata as { sourceURL: string }).sourceURL)
      expect(pathsOf(site, urls)).toEqual([
        "/stations",
        "/stations/alder-bridge.html",
        "/stations/mill-weir.html",
        "/stations/salt-quay.html",
        "/stations/upper-ford.html"
      ])
    })
  )

  it.scopedLive("active-crawls lists a crawl while it runs, and nothing when it does not", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* sampleSite
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
  )

  it.scopedLive("usage-report tells what each key has used this month", () =>
    Effect.gen(function* () {
      const local = yield* engine()
      const site = yield* sampleSite
      yield* Effect.flatMap(Scrape, (client) =>
        Effect.forEach(["/", "/about.html"], (path) => client.run({ url: site + path }))
      ).pipe(Effect.provide(clientOf(local)))
      const { csv } = yield* runFile(local, "usage-report.yaml")
      const used = csv("out/usage.csv").filter(({ tokens }) => tokens !== "0")
      expect(used).toEqual([
        { month: new Date().toISOString().slice(0, 7), key: "first", tokens: "30", credits: "2", closed: "false" }
      ])
      const whole = yield* runFile(local, "usage-report.yaml", { byApiKey: "false" })
      expect(whole.csv("out/usage.csv").at(-1)).toMatchObject({ key: "", tokens: "30" })
    })
  )

  it.skipIf(isMissing)("read-in-browser reads a list of pages in one session", () =>
    Effect.gen(function* () {
      const site = yield* sampleSite
      const list = join(yield* tempDir, "pages.txt")
      writeFileSync(list, `${site}/about.html\n${site}/nowhere.html\n`)
      const { jsonl } = yield* runFile(yield* withChromium(), "read-in-browser.yaml", { pages: list })
      const rows = jsonl("out/readings.jsonl").toSorted((a, b) => Number(a.status) - Number(b.status))
      expect(rows).toMatchObject([
        { page: `${site}/about.html`, status: 200, title: "About the observatory" },
        { page: `${site}/nowhere.html`, status: 404 }
      ])
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})
