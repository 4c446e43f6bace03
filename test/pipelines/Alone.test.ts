import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { Scrape } from "../../src/Client/Scrape.ts"
import { withChromium } from "../Engine/Browser/Ground.ts"
import { isMissing } from "../Engine/Render/Installed.ts"
import { describe, expect, it, live } from "../It.ts"
import { engine, tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { clientOf, expectAscending, pathsOf, runFile, sampleSite } from "./Runner.ts"

describe("sluice run pipelines/…, over an engine of its own", () => {
  live("quickstart crawls what the prompt asks for, parses the files, and answers the question", function* () {
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

  live.skipIf(skipsLong)("quickstart follows another prompt and another question", function* () {
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

  live.skipIf(skipsLong)(
    "search-to-csv finds nothing in an empty index, and says so with a header alone",
    function* () {
      const { summary, csv } = yield* runFile(yield* engine(), "search-to-csv.yaml")
      expect(summary).toMatchObject({ status: "completed", rows: 0, rejects: 0 })
      expect(csv("out/search.csv")).toEqual([])
    }
  )

  live.skipIf(skipsLong)("usage-report tells what each key has used this month", function* () {
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

  it.skipIf(isMissing || skipsLong)("read-in-browser reads a list of pages in one session", () =>
    Effect.gen(function* () {
      const site = yield* sampleSite
      const list = join(yield* tempDir, "pages.txt")
      writeFileSync(list, `${site}/about.html\n${site}/nowhere.html\n`)
      const { jsonl } = yield* runFile(yield* withChromium(), "read-in-browser.yaml", { pages: list })
      const rows = jsonl("out/readings.jsonl").toSorted((a, b) => Number(a.status) - Number(b.status))
      expect(rows).toMatchObject([
        { page: `${site}/about.html`, status: 200, title: "About the observatory · Lenn River Observatory" },
        { page: `${site}/nowhere.html`, status: 404 }
      ])
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})
