/** Runs that end before their end, whatever the reason, and go on as if nothing had been. */
import { appendFileSync, readFileSync, rmSync, truncateSync } from "node:fs"
import * as Effect from "effect/Effect"
import { expect, layer } from "../It.ts"
import * as Ground from "./Ground.ts"
import { numbersIn, scene, stopAt, told } from "./Ground.ts"
import { launch, serve, sluice } from "./Sluice.ts"
import { newestRun, usageOf } from "./Store.ts"

const pages = 12

const list = (url: string, count = pages) =>
  `[${Array.from({ length: count }, (_, index) => `${url}/${index}`).join(", ")}]`

/** Scrapes them one by one, and writes them in order. */
const scraping = (url: string, more = "", rate?: string) => `version: 1
name: pages
${more}steps:
  - urls: ${list(url)}
  - scrape: { formats: [markdown] }
    concurrency: 2
    ${rate === undefined ? "timeout: 1m" : `rate: ${rate}`}
    retry: { times: 20 }
  - select: { url: metadata.sourceURL, text: markdown }
  - write: { jsonl: pages.jsonl, order: input }
`

const batching = (url: string, more = "") => `version: 1
name: batch
${more}steps:
  - urls: ${list(url)}
  - batchScrape: { formats: [markdown], maxConcurrency: 2 }
    retry: { times: 20 }
  - select: { url: metadata.sourceURL, text: markdown }
  - write: { jsonl: pages.jsonl }
`

const inOrder = Ground.firstOf(pages)

layer(Ground.layer, { excludeTestServices: true })("a run that ends early", (it) => {
  it.scoped("by Ctrl-C keeps what is paid for, says how it goes on, and goes on there", function* () {
    const site = yield* Ground.heldSite({ from: 7 })
    const { names, read, resume, run } = yield* scene(scraping(site.url))
    const stopped = yield* stopAt(run(), site.wasAsked(8))
    expect(stopped).toMatchObject({ code: 130 })
    expect(stopped.err).toContain(`sluice resume ${stopped.id}`)
    expect(told(stopped)).toMatchObject({ status: "stopped", resumable: true })
    // Their sites have not answered: they were given five seconds, and are asked again.
    expect(stopped.millis).toBeLessThan(20_000)
    expect(read("pages.jsonl")).toBeUndefined()
    site.letGo()
    const ended = yield* sluice(resume(stopped.id))
    expect(ended).toMatchObject({ code: 0 })
    expect(told(ended)).toMatchObject({ status: "completed", rows: pages, rejects: 0, credits: pages })
    expect(numbersIn(read("pages.jsonl"))).toEqual(inOrder)
    expect(names()).toEqual(["pages.jsonl"])
    expect(site.asked()).toBeLessThanOrEqual(pages + 2)
  })

  for (const rate of [undefined, "3/s"]) {
    it.scoped(`by Ctrl-C begins nothing more, at ${rate ?? "any rate"}`, function* () {
      const site = yield* Ground.heldSite({ delay: 500 })
      const { read, resume, run } = yield* scene(scraping(site.url, "", rate))
      const stopped = yield* stopAt(run(), site.wasAsked(3))
      expect(stopped).toMatchObject({ code: 130 })
      // Two are asked for at once; whatever waits in a queue, or for its turn, is not.
      expect(site.asked()).toBeLessThanOrEqual(4)
      const ended = yield* sluice(resume(stopped.id))
      expect(told(ended)).toMatchObject({ rows: pages, credits: pages })
      expect(numbersIn(read("pages.jsonl"))).toEqual(inOrder)
      expect(site.asked()).toBe(pages)
    })
  }

  it.scoped("by Ctrl-C leaves a job alone, and reads it to its end when it goes on", function* () {
    const { service } = yield* Ground.Ground
    const site = yield* Ground.heldSite({ from: 7 })
    const { read, resume, run } = yield* scene(batching(site.url))
    const before = yield* usageOf(service.dataDir)
    const stopped = yield* stopAt(run(), site.wasAsked(9))
    expect(stopped).toMatchObject({ code: 130 })
    expect(stopped.millis).toBeLessThan(20_000)
    site.letGo()
    const ended = yield* sluice(resume(stopped.id))
    expect(ended).toMatchObject({ code: 0 })
    expect(told(ended)).toMatchObject({ status: "completed", rows: pages, credits: pages })
    expect([...numbersIn(read("pages.jsonl"))].sort((a, b) => a - b)).toEqual(inOrder)
    const after = yield* usageOf(service.dataDir)
    expect((after.jobs ?? 0) - (before.jobs ?? 0)).toBe(1)
    expect((after["batchPage credits"] ?? 0) - (before["batchPage credits"] ?? 0)).toBe(told(ended).credits)
  })

  for (const limit of ["credits: 5", "pages: 5", "rows: 5", "duration: 1500ms"]) {
    it.scoped(
      `that ends at its budget of ${limit} continues with each resume, until every row is there once`,
      function* () {
        const { service } = yield* Ground.Ground
        const site = yield* Ground.heldSite({})
        const rate = limit.startsWith("duration") ? "4/s" : "12/s"
        const { names, read, resume, run } = yield* scene(scraping(site.url, `budget: { ${limit} }\n`, rate))
        const before = yield* usageOf(service.dataDir)
        let ended = yield* sluice(run())
        let lives = 1
        while (ended.code === 4 && lives++ < 20) {
          expect(told(ended)).toMatchObject({ status: "budget", resumable: true })
          expect(names().filter((name) => !name.endsWith(".partial"))).toEqual([])
          ended = yield* sluice(resume(String(told(ended).runId)))
        }
        expect(ended).toMatchObject({ code: 0 })
        expect(lives).toBeGreaterThan(1)
        expect(told(ended)).toMatchObject({ status: "completed", rows: pages, credits: pages })
        expect(numbersIn(read("pages.jsonl"))).toEqual(inOrder)
        expect(site.asked()).toBe(pages)
        const after = yield* usageOf(service.dataDir)
        expect((after["scrape credits"] ?? 0) - (before["scrape credits"] ?? 0)).toBe(pages)
      }
    )
  }

  it.scoped("by its budget cancels its job, and asks another one for what is missing", function* () {
    const { service } = yield* Ground.Ground
    const site = yield* Ground.heldSite({ delay: 400 })
    const { read, resume, run } = yield* scene(batching(site.url, "budget: { pages: 4 }\n"))
    const before = yield* usageOf(service.dataDir)
    let ended = yield* sluice(run())
    expect(ended).toMatchObject({ code: 4 })
    let lives = 1
    while (ended.code === 4 && lives++ < 20) ended = yield* sluice(resume(String(told(ended).runId)))
    expect(ended).toMatchObject({ code: 0 })
    expect([...numbersIn(read("pages.jsonl"))].sort((a, b) => a - b)).toEqual(inOrder)
    const after = yield* usageOf(service.dataDir)
    expect((after["batchPage credits"] ?? 0) - (before["batchPage credits"] ?? 0)).toBe(told(ended).credits)
  })

  it.scoped("continues behind the last commit: bytes that were written behind it are cut off", function* () {
    const site = yield* Ground.heldSite({ from: 7 })
    const { out, read, resume, run } = yield* scene(scraping(site.url))
    const { id } = yield* stopAt(run(), site.wasAsked(8))
    appendFileSync(Ground.partialIn(out), '{"url": "half a li')
    site.letGo()
    expect(yield* sluice(resume(id))).toMatchObject({ code: 0 })
    expect(numbersIn(read("pages.jsonl"))).toEqual(inOrder)
  })

  for (const [what, spoil] of [
    ["gone", (path: string) => rmSync(path)],
    ["shorter than what was committed", (path: string) => truncateSync(path, 10)]
  ] as const) {
    it.scoped(`is not gone on with when its partial file is ${what}, and says so`, function* () {
      const site = yield* Ground.heldSite({ from: 7 })
      const { names, out, resume, run } = yield* scene(scraping(site.url))
      const { id } = yield* stopAt(run(), site.wasAsked(8))
      spoil(Ground.partialIn(out))
      const left = names()
      const asked = site.asked()
      const ended = yield* sluice(resume(id))
      expect(ended).toMatchObject({ code: 1 })
      expect(ended.err).toMatch(/pages\.jsonl.* bytes were committed, and .*Start the run again/)
      expect(names()).toEqual(left)
      expect(site.asked()).toBe(asked)
    })
  }

  it.scoped("continues with the definition it started with, or with the present one on request", function* () {
    const site = yield* Ground.heldSite({ from: 7 })
    const { define, file, read, resume, run } = yield* scene(scraping(site.url))
    const { id } = yield* stopAt(run(), site.wasAsked(8))
    const written = readFileSync(file, "utf8")
    define(written.replace("text: markdown }", "text: markdown, more: '1' }"))
    site.letGo()
    const refused = yield* sluice(resume(id))
    expect(refused).toMatchObject({ code: 78 })
    expect(refused.err).toContain("text: markdown, more: '1' }")
    expect(refused.err).toContain("--with-current")
    expect(yield* sluice(resume(id, ["--with-current"]))).toMatchObject({ code: 0 })
    expect(numbersIn(read("pages.jsonl"))).toEqual(inOrder)
    const last = (read("pages.jsonl") ?? "").trimEnd().split("\n").at(-1) ?? ""
    expect(JSON.parse(last)).toMatchObject({ more: 1 })
  })

  it.scoped("is locked while a process works on it, and so is its state", function* () {
    const site = yield* Ground.heldSite({ from: 0 })
    const { data, resume, run } = yield* scene(scraping(site.url, "state: { key: shared }\n"))
    const first = yield* launch(run())
    yield* site.wasAsked(1)
    const again = yield* sluice(run())
    expect(again).toMatchObject({ code: 5 })
    expect(again.err).toContain("state shared")
    const running = yield* newestRun(data)
    const second = yield* sluice(resume(running?.id ?? ""))
    expect(second).toMatchObject({ code: 5 })
    yield* first.kill
    // Its owner is dead, so its lock need not expire first.
    site.letGo()
    expect(yield* sluice(resume(running?.id ?? ""))).toMatchObject({ code: 0 })
  })

  it.scoped("does not end when its service is killed and comes back", function* () {
    const { bin } = yield* Ground.Ground
    const site = yield* Ground.heldSite({ from: 7 })
    const scraped = yield* scene(scraping(site.url))
    const batched = yield* scene(batching(site.url))
    const dataDir = scraped.folder
    const first = yield* serve(bin, dataDir)
    const port = new URL(first.baseUrl).port
    const runs = yield* Effect.forEach([scraped, batched], ({ run }) => launch({ ...run(), env: first.env }))
    yield* site.wasAsked(16)
    yield* first.running.kill
    site.letGo()
    yield* serve(bin, dataDir, Number(port))
    for (const [index, { read }] of [scraped, batched].entries()) {
      const ended = yield* runs[index]?.ended ?? Effect.dieMessage("no run")
      expect(ended).toMatchObject({ code: 0 })
      const { rejectFile } = told(ended)
      expect(rejectFile === undefined ? "" : readFileSync(rejectFile, "utf8")).toBe("")
      expect(told(ended)).toMatchObject({ rows: pages, rejects: 0, credits: pages })
      expect([...numbersIn(read("pages.jsonl"))].sort((a, b) => a - b)).toEqual(inOrder)
    }
    expect(yield* usageOf(dataDir)).toMatchObject({ "scrape credits": pages, "batchPage credits": pages, jobs: 1 })
  })
})
