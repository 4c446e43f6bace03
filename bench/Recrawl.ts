/**
 * Crawls of a site of which 2 % change, 0.5 % are new and 0.5 % are removed from one crawl to the next: what the later
 * crawls fetch and cost, and which changes they miss, by the kind of validators or sitemap that the site has. The site is another process.
 * By default the site has 2,000 pages; `BENCH_RECRAWL_PAGES=10000` is the size that the targets are about, since of a small site a greater
 * share is checked. `BENCH_RECRAWL_KINDS=strong,listed` picks sites.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atMost, type Bench, type Figure, median, noted } from "./Measure/Figures.ts"
import { cpuOf, engine, folderFor, key, ready, remove, stop } from "./Measure/Programs.ts"

const count = Number(process.env.BENCH_RECRAWL_PAGES ?? 2_000)
const recrawls = 3

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

const json = async <A>(url: string, init: RequestInit = {}): Promise<A> =>
  (await (await fetch(url, { headers, ...init })).json()) as A

interface Facts {
  readonly bytes: number
  readonly conditional: number
  readonly versions: ReadonlyArray<number | null>
}

interface JobPage {
  readonly status: string
  readonly next?: string
  readonly completed: number
  readonly creditsUsed: number
  readonly data: ReadonlyArray<{
    readonly metadata: { readonly url: string; readonly title?: string; readonly statusCode?: number }
  }>
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

const revisit = JSON.stringify({ atLeast: 7 * 86_400_000, fullEvery: 10 })

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

/** Versions of the pages as the crawl shows them; null for a page that is not there. */
const versionsIn = async (job: string): Promise<ReadonlyMap<number, number | null>> => {
  const versions = new Map<number, number | null>()
  for (let next: string | undefined = `${job}?limit=1000`; next !== undefined; ) {
    const page: JobPage = await json(next)
    for (const { metadata } of page.data) {
      const [, index, version] = /^page (\d+) version (\d+)$/.exec(metadata.title ?? "") ?? []
      if (index !== undefined) versions.set(Number(index), Number(version))
      else versions.set(Number(/\d+$/.exec(metadata.url)?.[0]), null)
    }
    next = page.next
  }
  return versions
}

const crawl = async (
  { baseUrl, pid }: { readonly baseUrl: string; readonly pid: number },
  site: string,
  before: Facts,
  usesSitemap: boolean
): Promise<Crawled & { readonly facts: Facts }> => {
  const begun = cpuOf(pid)
  const body = {
    url: `${site}/`,
    limit: 2 * count,
    sitemap: usesSitemap ? "include" : "skip",
    scrapeOptions: { formats: ["markdown", "links"] }
  }
  const { id } = await json<{ readonly id: string }>(`${baseUrl}/v2/crawl`, {
    method: "POST",
    headers: { ...headers, ...(usesSitemap ? { "x-sluice-revisit": revisit } : {}) },
    body: JSON.stringify(body)
  })
  const job = `${baseUrl}/v2/crawl/${id}`
  let last = await json<JobPage>(`${job}?limit=1`)
  while (last.status === "scraping") {
    await pause(500)
    last = await json<JobPage>(`${job}?limit=1`)
  }
  const cpu = cpuOf(pid) - begun
  if (last.completed < count * 0.9)
    throw new Error(`the crawl ended with ${JSON.stringify({ ...last, data: undefined })}`)
  const facts = await json<Facts>(`${site}/facts`)
  const shown = await versionsIn(job)
  const changed = facts.versions.flatMap((version, index) => (version === before.versions[index] ? [] : [index]))
  const missed = changed.filter((index) => (shown.get(index) ?? null) !== facts.versions[index])
  return {
    cpu,
    facts,
    bytes: facts.bytes - before.bytes,
    conditional: facts.conditional - before.conditional,
    credits: last.creditsUsed,
    changes: changed.length,
    missed: missed.length
  }
}

/** The first crawl, and those after it. */
const crawls = async (folder: string, site: string, usesSitemap = false) => {
  const data = mkdtempSync(join(folder, "engine-"))
  const { baseUrl, child } = await engine(data)
  try {
    const process = { baseUrl, pid: child.pid ?? 0 }
    const first = await crawl(process, site, { bytes: 0, conditional: 0, versions: [] }, usesSitemap)
    const later: Array<Crawled> = []
    for (let turn = 0; turn < recrawls; turn++) {
      const before = await json<Facts>(`${site}/facts`)
      await fetch(`${site}/next`, { method: "POST" })
      later.push(await crawl(process, site, before, usesSitemap))
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
      return figures
    } finally {
      await stop(child)
      remove(folder)
    }
  }
}
