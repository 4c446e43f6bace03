import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { check } from "../../src/Pipeline/Check.ts"
import * as Pin from "../../src/Pipeline/Pin.ts"
import { type Earlier, nothing, type Plan, plan } from "../../src/Pipeline/Plan.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { documented, type PriceOf } from "../../src/Step/Cost.ts"
import { describe, expect, scoped } from "../It.ts"

/** Stands for every secret of a user; it must turn up nowhere. */
const sentinel = "5e17ae15-a-secret"

const one: PriceOf = (good) => ({ credits: good === "search" ? 2 : 1, basis: "local" })

interface Given {
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, string>>
  readonly wanted?: number
  readonly tariff?: PriceOf
  readonly crawlLimit?: number
  readonly earlier?: Partial<Earlier<never>>
}

/** Plans a definition in a folder of its own. */
const planned = (body: string, given: Given = {}) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    for (const [name, text] of Object.entries(given.files ?? {}))
      yield* files.writeFileString(`${folder}/${name}`, text)
    const env = { HOME: "/home/ada", WHERE: "from-the-environment" }
    const secrets = (name: string) => (name === "TOKEN" ? Redacted.make(sentinel) : undefined)
    const source = yield* parseText(`${folder}/p.yaml`, folder, `version: 1\nname: t\n${body}`)
    const checked = yield* check(source, { inputs: given.inputs ?? {}, env, secrets, complete: true })
    const made = yield* plan(checked, {
      env,
      secrets,
      wanted: given.wanted,
      out: folder,
      tariff: given.tariff ?? documented,
      crawlLimit: given.crawlLimit,
      earlier: { ...nothing, ...given.earlier }
    })
    return { ...made, checked, folder }
  })

const step = ({ steps }: Pick<Plan, "steps">, id: string) => steps.find((each) => each.id === id)

const exactly = (count: number) => ({ least: count, most: count })
const upTo = (most: number | undefined) => ({ least: 0, most })

const three = "steps:\n  - urls: [https://a.example/, https://b.example/, https://c.example/]\n"

describe("a plan", () => {
  scoped("prices a browser session by its longest duration in minutes", function* () {
    const tariff: PriceOf = (good) => (good === "browser" ? { credits: 2, basis: "local" } : undefined)
    const given = { tariff, inputs: {} }
    const priceOf = (fields: string) =>
      Effect.map(
        planned(`steps:\n  - id: session\n    browser: ${fields}\n`, given),
        (made) => step(made, "session")?.price
      )
    expect(yield* priceOf("{ ttl: 90 }")).toEqual({ least: 2, most: 4 })
    expect(yield* priceOf("{}")).toEqual({ least: 2, most: 20 })
  })

  scoped("counts literal addresses, lists and files exactly, and their rows step by step", function* () {
    const literal = yield* planned(`${three}  - scrape: {}\n  - where: url\n  - limit: 2\n  - explode: links\n`)
    expect(literal.steps.map(({ rows }) => rows)).toEqual([exactly(3), exactly(3), upTo(3), upTo(2), upTo(undefined)])
    expect(literal.requests).toEqual(exactly(3))
    const list = yield* planned("steps:\n  - urls: { file: l.txt }\n  - scrape: {}\n", {
      files: { "l.txt": "# two\nhttps://a.example/\n\nhttps://b.example/\n" }
    })
    expect(list.pages).toEqual(exactly(2))
    const files = yield* planned('steps:\n  - files: { glob: "*.html" }\n  - parse: {}\n', {
      files: { "a.html": "a", "b.html": "b", "c.txt": "c" }
    })
    expect(step(files, "parse")?.requests).toEqual(exactly(2))
    expect((yield* planned(`${three}  - scrape: {}\n`, { wanted: 1 })).pages).toEqual(exactly(1))
  })

  scoped("counts a page once that a batch gets twice, and counts one job", function* () {
    const made = yield* planned(
      "steps:\n  - urls: [https://a.example/, https://a.example, https://b.example/]\n  - batchScrape: {}\n"
    )
    expect(step(made, "batchScrape")).toMatchObject({ requests: exactly(1), pages: exactly(2), rows: exactly(3) })
  })

  scoped("bounds unknown counts by written, given or pinned limits", function* () {
    const crawl = (limit: string) => `steps:\n  - crawl: { url: https://a.example/${limit} }\n`
    expect((yield* planned(crawl(", limit: 50"))).pages).toEqual(upTo(50))
    expect((yield* planned(crawl(", limit: 50"), { wanted: 5 })).pages).toEqual(upTo(5))
    expect((yield* planned(crawl(""))).pages).toEqual(upTo(undefined))
    expect((yield* planned(crawl(""), { crawlLimit: 10_000 })).pages).toEqual(upTo(10_000))
    const pinned = `steps:\n  - crawlPreview: { url: https://a.example/, prompt: docs }\n    pin: a.lock.json\n  - crawl: { params: "\${{ steps.crawlPreview.output }}" }\n`
    const open = yield* planned(pinned, { crawlLimit: 10_000 })
    expect(open.pages).toEqual(upTo(undefined))
    expect(step(open, "crawlPreview")?.pin).toEqual({ file: "a.lock.json", is: "missing" })
    const lock = Pin.render({
      version: 1,
      url: "https://a.example/",
      prompt: "docs",
      service: "local",
      date: "2026-03-01",
      answer: { limit: 30 }
    })
    const held = yield* planned(pinned, { crawlLimit: 10_000, files: { "a.lock.json": lock } })
    expect(held.pages).toEqual(upTo(30))
    expect(step(held, "crawlPreview")).toMatchObject({ requests: exactly(0), pin: { is: "held" } })
  })

  scoped("counts one credit for formats for data, and the model for `json` alone", function* () {
    const priceOf = (formats: string) =>
      Effect.map(planned(`${three}  - scrape: { formats: [${formats}] }\n`, { tariff: one }), ({ price }) => price)
    const markdown = yield* priceOf("markdown")
    expect(yield* priceOf("structured, article, breadcrumbs, tables, { type: fields, fields: { t: h1 } }")).toEqual(
      markdown
    )
    expect(yield* priceOf("tables, { type: json, prompt: x }")).not.toEqual(markdown)
  })

  scoped("never treats an unknown price as zero", function* () {
    const hosted = yield* planned(`${three}  - scrape: {}\n  - write: { jsonl: a.jsonl }\n`)
    expect(hosted.price).toEqual({ least: 0, most: undefined })
    expect(hosted.unpriced).toEqual(["scrape"])
    const local = yield* planned(`${three}  - scrape: {}\n`, { tariff: one })
    expect([local.price, local.unpriced]).toEqual([exactly(3), []])
    const crawl = yield* planned("steps:\n  - crawl: { url: https://a.example/ }\n", { tariff: one })
    expect([crawl.price, crawl.unpriced]).toEqual([upTo(undefined), []])
    const free = yield* planned("steps:\n  - usage: {}\n")
    expect([free.price, free.unpriced, free.requests]).toEqual([exactly(0), [], exactly(1)])
  })

  scoped("knows the two documented prices", function* () {
    const search = (more: string) =>
      planned(`steps:\n  - search: { query: x, limit: 25, sources: [web, news]${more} }\n`)
    expect((yield* search(", enterprise: [zdr]")).price).toEqual(upTo(50))
    expect((yield* search(", enterprise: [anon]")).price).toEqual(upTo(10))
    expect((yield* search("")).unpriced).toEqual(["search"])
    expect((yield* search("")).steps[0]?.rows).toEqual(upTo(50))
    const scraped = yield* search(", enterprise: [zdr], scrapeOptions: { formats: [markdown] }")
    expect([scraped.unpriced, scraped.pages]).toEqual([["search"], upTo(50)])
  })

  scoped("takes the price of a page from earlier runs when it is not documented", function* () {
    const earlier = { pagePrice: (_: string, id: string) => Effect.succeed(id === "dear" ? 5 : undefined) }
    const made = yield* planned(`${three}  - id: dear\n    scrape: {}\n  - parse: { url: { expr: url } }\n`, {
      earlier
    })
    expect(step(made, "dear")?.price).toEqual(exactly(15))
    expect(step(made, "dear")?.purchases[0]?.rate).toEqual({ credits: 5, basis: "earlier" })
    expect(made.unpriced).toEqual(["parse"])
    expect(made.price).toEqual({ least: 15, most: undefined })
  })

  scoped("marks features that the service's documentation does not describe", function* () {
    const made = yield* planned(
      `${three}  - scrape: {}\n  - batchScrape: {}\n  - after: batchScrape\n    crawl: { url: https://a.example/ }\n  - after: batchScrape\n    search: { query: x }\n  - after: batchScrape\n    files: { glob: x }\n  - parse: {}\n`
    )
    expect(made.steps.map(({ key, operation }) => [key, operation?.documented])).toEqual([
      ["urls", undefined],
      ["scrape", false],
      ["batchScrape", false],
      ["crawl", false],
      ["search", true],
      ["files", undefined],
      ["parse", true]
    ])
  })

  scoped("reports how far a budget reaches", function* () {
    const crawl = (budget: string) =>
      `budget: { ${budget} }\nsteps:\n  - crawl: { url: https://a.example/, limit: 500 }\n`
    const limits = (budget: string, given: Given = {}) =>
      Effect.map(planned(crawl(budget), { tariff: one, ...given }), (made) => made.budget?.limits)
    expect(yield* limits("credits: 200")).toEqual([
      { limit: "credits", allowed: 200, used: 0, stops: "maybe", pages: { about: 200, of: 500 } }
    ])
    expect(yield* limits("credits: 500, rows: 600, pages: 20, duration: 1m")).toMatchObject([
      { limit: "credits", stops: "never" },
      { limit: "pages", stops: "maybe", pages: { about: 20, of: 500 } },
      { limit: "rows", stops: "never" },
      { limit: "duration", allowed: 60_000, stops: "maybe" }
    ])
    expect(yield* limits("credits: 200, per: day", { earlier: { spentSince: () => Effect.succeed(150) } })).toEqual([
      { limit: "credits", allowed: 200, used: 150, stops: "maybe", pages: { about: 50, of: 500 } }
    ])
    const unknown = yield* limits("credits: 200", { tariff: documented })
    expect(unknown).toEqual([{ limit: "credits", allowed: 200, used: 0, stops: "maybe", pages: undefined }])
    const sure = yield* planned(`budget: { credits: 2 }\n${three}  - scrape: {}\n`, { tariff: one })
    expect(sure.budget?.limits).toMatchObject([{ stops: "sure", pages: { about: 2, of: 3 } }])
  })

  scoped("counts the day of a budget from midnight in UTC", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 2, 1, 17, 30))
    const asked: Array<readonly [string, number]> = []
    const earlier = {
      spentSince: (pipeline: string, since: number) => Effect.sync(() => asked.push([pipeline, since]))
    }
    yield* planned(`budget: { credits: 2, per: day }\n${three}`, { earlier })
    expect(asked).toEqual([["t", Date.UTC(2026, 2, 1)]])
  })

  scoped("reports what earlier runs know about the rows", function* () {
    const earlier: Partial<Earlier<never>> = {
      held: (keys) => Effect.succeed({ known: keys.filter((key) => key !== "https://c.example/").length, newest: 5 }),
      state: (key) => Effect.succeed({ entries: key === "t" ? 7 : 0, advanced: 5 }),
      entries: (key, id) => Effect.succeed(new Map(key === "t" && id === "files" ? [["a.html", null]] : []))
    }
    const urls = yield* planned(`${three}  - dedupe: { across: runs, emit: [new, gone] }\n`, { earlier })
    expect(step(urls, "urls")?.held).toEqual({ known: 2, of: 3, newest: 5 })
    expect(urls.state).toEqual({ key: "t", active: true, entries: 7, advanced: 5 })
    expect(step(urls, "dedupe")?.rows).toEqual(upTo(10))
    const body = 'steps:\n  - files: { glob: "*.html", skipSeen: path }\n  - parse: {}\n'
    const files = { "a.html": "a", "b.html": "b" }
    const made = yield* planned(body, { earlier, files })
    expect([step(made, "files")?.held, made.requests]).toEqual([{ known: 1, of: 2 }, exactly(1)])
    const limited = yield* planned(body, { earlier, files, wanted: 5 })
    expect([limited.state?.active, limited.requests]).toEqual([false, exactly(2)])
  })

  scoped("lists outputs as far as their names are known, and existing files", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 2, 1, 17, 30))
    const { folder, outputs } = yield* planned(
      `${three}  - write: { jsonl: "a-{date}.jsonl" }\n  - write: { csv: b.csv, mode: perRun }\n  - write: { jsonl: "{date}/{host}.jsonl", partitionBy: { date: url, host: $host(url) } }\n  - when: false\n    write: { jsonl: never.jsonl }\n`,
      { files: { "a-2026-03-01.jsonl": "" } }
    )
    expect(outputs).toEqual([
      { step: "write", format: "jsonl", mode: "replace", path: `${folder}/a-2026-03-01.jsonl`, exists: true },
      { step: "write-2", format: "csv", mode: "perRun", path: `${folder}/b-{runId}.csv`, exists: undefined },
      { step: "write-3", format: "jsonl", mode: "replace", path: `${folder}/{date}/{host}.jsonl`, exists: undefined }
    ])
  })

  scoped("shows inputs, but only the names of variables and secrets", function* () {
    const made = yield* planned(
      `inputs: { q: { type: string, default: kittens } }\n${three}  - scrape: { headers: { authorization: "Bearer \${{ secrets.TOKEN }}", x-plain: ${sentinel} } }\n  - after: scrape\n    search: { query: "\${{ inputs.q }}", location: "\${{ env.WHERE }}" }\n  - after: search\n    crawl: { url: "https://ada:${sentinel}@a.example/" }\n`
    )
    const text = JSON.stringify({ ...made, checked: undefined })
    expect(text).not.toContain(sentinel)
    expect(text).not.toContain("from-the-environment")
    expect(step(made, "search")?.does).toBe("query: kittens, location: ${{ env.WHERE }}")
    expect(step(made, "crawl")?.does).toBe("url: https://ada:…@a.example/")
    expect(step(made, "scrape")?.does).toBe("headers: …")
  })

  scoped("is the same each time, and has the graph that runs", function* () {
    const body = `${three}  - id: a\n    scrape: {}\n  - where: url\n  - from: a\n    write: { jsonl: a.jsonl }\n  - each: true\n    search: { query: { expr: url } }\n`
    const first = yield* planned(body)
    const second = yield* planned(body)
    expect(second.steps).toEqual(first.steps)
    expect(first.steps.map(({ after, id, inputs }) => [id, inputs, after])).toEqual(
      first.checked.nodes.map(({ after, id, inputs }) => [id, inputs, after])
    )
    expect(step(first, "search")).toMatchObject({ requests: exactly(3), rows: upTo(30) })
  })
})
