/**
 * Crawls of a site of which 2 % change, 0.5 % are new and 0.5 % are removed from one crawl to the next: what the later
 * crawls fetch and cost, and which changes they miss, by the kind of validators or sitemap that the site has. The site is another process.
 * By default the site has 2,000 pages; `BENCH_RECRAWL_PAGES=10000` is the size that the targets are about, since of a small site a greater
 * share is checked. `BENCH_RECRAWL_KINDS=strong,listed` picks sites.
 *
 * The kind `manuals` is the manuals of PostgreSQL and Python, served by nginx; it is left out where `apt-get` cannot download them.
 * `BENCH_RECRAWL_MANUALS=./packages` keeps the packages for the next run.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atMost, type Bench, type Figure, median, noted } from "./Measure/Figures.ts"
import { engine, folderFor, ready, remove, stop } from "./Measure/Programs.ts"
import { crawlTo, type EngineProcess, json, pagesOf } from "./Recrawl/Job.ts"
import { serveManuals } from "./Recrawl/Manuals.ts"

const count = Number(process.env.BENCH_RECRAWL_PAGES ?? 2_000)
const recrawls = 3

interface Facts {
  readonly bytes: number
  readonly conditional: number
  readonly versions: ReadonlyArray<number | null>
}

interface Crawled {
  readonly bytes: number
  readonly cpu: number
  readonly conditional: number
  readonly credits: number
  /** Changed, new and removed pages. */
  readonly changes: number
  /** Those of them that the crawl shows as they were before. */
  readonly missed: number
}

/** Versions of the pages as the crawl shows them; null for a page that is not there. */
const versionsIn = async (job: string): Promise<ReadonlyMap<number, number | null>> => {
  const versions = new Map<number, number | null>()
  for await (const { metadata } of pagesOf(job)) {
    const [, index, version] = /^page (\d+) version (\d+)$/.exec(metadata.title ?? "") ?? []
    if (index !== undefined) versions.set(Number(index), Number(version))
    else versions.set(Number(/\d+$/.exec(metadata.url)?.[0]), null)
  }
  return versions
}

const crawl = async (
  engine: EngineProcess,
  site: string,
  before: Facts,
  usesSitemap: boolean
): Promise<Crawled & { readonly facts: Facts }> => {
  const body = {
    url: `${site}/`,
    limit: 2 * count,
    sitemap: usesSitemap ? "include" : "skip",
    scrapeOptions: { formats: ["markdown", "links"] }
  }
  const { completed, cpu, credits, job } = await crawlTo(engine, body, usesSitemap)
  if (completed < count * 0.9) throw new Error(`the crawl ended with ${completed} pages`)
  const facts = await json<Facts>(`${site}/facts`)
  const shown = await versionsIn(job)
  const changed = facts.versions.flatMap((version, index) => (version === before.versions[index] ? [] : [index]))
  const missed = changed.filter((index) => (shown.get(index) ?? null) !== facts.versions[index])
  return {
    cpu,
    facts,
    bytes: facts.bytes - before.bytes,
    conditional: facts.conditional - before.conditional,
    credits,
    changes: changed.length,
    missed: missed.length
  }
}

/** The first crawl, and those after it. */
const crawls = async (folder: string, site: string, usesSitemap = false) => {
  const data = mkdtempSync(join(folder, "engine-"))
  const { baseUrl, child } = await engine(data)
  try {
    const own = { baseUrl, pid: child.pid ?? 0 }
    const first = await crawl(own, site, { bytes: 0, conditional: 0, versions: [] }, usesSitemap)
    const later: Array<Crawled> = []
    for (let turn = 0; turn < recrawls; turn++) {
      const before = await json<Facts>(`${site}/facts`)
      await fetch(`${site}/next`, { method: "POST" })
      later.push(await crawl(own, site, before, usesSitemap))
    }
    return { first, later }
  } finally {
    await stop(child)
    rmSync(data, { recursive: true, force: true })
  }
}

const sumOf = (all: ReadonlyArray<Crawled>, figure: (one: Crawled) => number): number =>
  all.reduce((sum, one) => sum + figure(one), 0)

/** Of sites whose validators are right: bytes, processor time and credits of a later crawl, in percent of the first. */
const honest = (name: string, { first, later }: Awaited<ReturnType<typeof crawls>>): ReadonlyArray<Figure> => {
  const share = (figure: (one: Crawled) => number) => (100 * median(later.map(figure))) / figure(first)
  return [
    atMost(
      `${name}: bytes of the next crawl`,
      share((one) => one.bytes),
      "%",
      10
    ),
    atMost(
      `${name}: CPU of the next crawl`,
      share((one) => one.cpu),
      "%",
      10
    ),
    noted(
      `${name}: credits of the next crawl`,
      share((one) => one.credits),
      "%"
    ),
    atMost(
      `${name}: missed of ${sumOf(later, (one) => one.changes)} changes`,
      sumOf(later, (one) => one.missed),
      "pages",
      0
    )
  ]
}

/** Of sites that are wrong: changes that were missed, and the crawl after which they are not believed any more. */
const wrong = (
  name: string,
  { later }: Awaited<ReturnType<typeof crawls>>,
  isBelieved: (crawled: Crawled) => boolean = ({ conditional }) => conditional >= count / 2
): ReadonlyArray<Figure> => {
  const changes = sumOf(later, (one) => one.changes)
  const found = later.findIndex((crawled) => !isBelieved(crawled))
  return [
    atMost(`${name}: missed of ${changes} changes`, (100 * sumOf(later, (one) => one.missed)) / changes, "%", 1),
    atMost(`${name}: found out in crawl`, found === -1 ? recrawls + 1 : found + 1, "", 3)
  ]
}

const kinds = process.env.BENCH_RECRAWL_KINDS?.split(",")

type Crawls = Awaited<ReturnType<typeof crawls>>

/** The sites, and what is said of them. */
const figuresOf: Readonly<Record<string, (crawled: Crawls) => ReadonlyArray<Figure>>> = {
  strong: (crawled) => honest("ETag", crawled),
  weak: (crawled) => honest("weak ETag", crawled),
  modified: (crawled) => honest("Last-Modified", crawled),
  listed: (crawled) => honest("sitemap", crawled),
  sameTag: (crawled) => wrong("the same ETag for other content", crawled),
  always: (crawled) => wrong("304 for every condition", crawled),
  newTag: (crawled) => wrong("a new ETag each time", crawled),
  // A page that the sitemap is believed about is not even asked for with its validators.
  wrongList: (crawled) => wrong("a sitemap without changes", crawled, ({ conditional }) => conditional < count / 2)
}

const sitemaps: ReadonlySet<string> = new Set(["listed", "wrongList"])

interface ManualCrawl {
  readonly bytes: number
  readonly requests: number
  readonly cpu: number
}

/** The manuals, crawled, changed and crawled again: nothing is left out without a request, as in a crawl without a pipeline. */
const manualFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const site = await serveManuals(
    join(folder, "manuals"),
    process.env.BENCH_RECRAWL_MANUALS ?? join(folder, "packages")
  )
  if (site === undefined) {
    console.error("recrawl: the manuals and nginx are packages of Debian 12, which apt-get could not download")
    return []
  }
  const data = mkdtempSync(join(folder, "engine-"))
  const { baseUrl, child } = await engine(data)
  try {
    const shown = new Map<string, string>()
    const crawlAll = async (): Promise<ManualCrawl> => {
      shown.clear()
      const before = site.sent()
      let cpu = 0
      for (const url of site.starts) {
        // Whole pages: what counts as main content is measured elsewhere, and a change outside of it is not one that the crawl has missed.
        const scrapeOptions = { formats: ["markdown"], onlyMainContent: false }
        const body = { url, limit: 5_000, sitemap: "skip", scrapeOptions }
        const ended = await crawlTo({ baseUrl, pid: child.pid ?? 0 }, body, true)
        cpu += ended.cpu
        for await (const { markdown = "", metadata } of pagesOf(ended.job)) {
          if ((metadata.statusCode ?? 0) < 400) shown.set(metadata.url, markdown)
        }
      }
      const after = site.sent()
      return { cpu, bytes: after.bytes - before.bytes, requests: after.requests - before.requests }
    }
    const first = await crawlAll()
    const pages = shown.size
    const later: Array<ManualCrawl> = []
    let changes = 0
    let missed = 0
    for (let turn = 0; turn < recrawls; turn++) {
      const made = site.next(shown.keys())
      later.push(await crawlAll())
      changes += made.size
      for (const [url, isShown] of made) if (!isShown(shown.get(url))) missed++
    }
    const share = (figure: (one: ManualCrawl) => number) => (100 * median(later.map(figure))) / figure(first)
    return [
      noted("manuals: pages", pages, ""),
      noted("manuals: first crawl", first.bytes / 1e6, "MB"),
      noted("manuals: first crawl", first.cpu / 1e3, "s CPU"),
      atMost(
        "manuals: bytes of the next crawl",
        share(({ bytes }) => bytes),
        "%",
        10
      ),
      atMost(
        "manuals: CPU of the next crawl",
        share(({ cpu }) => cpu),
        "%",
        10
      ),
      noted(
        "manuals: requests of the next crawl",
        share(({ requests }) => requests),
        "%"
      ),
      atMost(`manuals: missed of ${changes} changes`, missed, "pages", 0)
    ]
  } finally {
    await stop(child)
    await site.stop()
  }
}

export const bench: Bench = {
  name: "recrawl",
  run: async () => {
    const folder = folderFor("memory")
    const { child, line } = await ready([fileURLToPath(new URL("./Recrawl/site.mjs", import.meta.url)), String(count)])
    try {
      const sites = JSON.parse(line) as Record<string, string>
      const figures: Array<Figure> = []
      for (const [kind, describe] of Object.entries(figuresOf)) {
        const site = sites[kind]
        if (site === undefined || kinds?.includes(kind) === false) continue
        figures.push(...describe(await crawls(folder, site, sitemaps.has(kind))))
      }
      if (kinds?.includes("manuals") !== false) figures.push(...(await manualFigures(folder)))
      return figures
    } finally {
      await stop(child)
      remove(folder)
    }
  }
}
