/**
 * A crawl of 5,000 linked pages of 20 kB by the engine (markdown, links, metadata and index, all stored), as a process,
 * against Crawlee's CheerioCrawler, which stores nothing; the same with ten fields in place of the Markdown; and a batch of 10,000
 * addresses. The site is another process.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atLeast, atMost, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { engine, folderFor, install, key, ready, remove, run, stop, type Usage, used } from "./Measure/Programs.ts"

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const crawlee = "@crawlee/cheerio@3.18"
const pages = 5_000
const addresses = 10_000
const rounds = 3

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

/** Runs one job in an engine of its own; gives what the process used, and the job's seconds. */
const ours = async (folder: string, path: string, body: object, count: number) => {
  const data = mkdtempSync(join(folder, "engine-"))
  const { baseUrl, child } = await engine(data, folder)
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const call = async (url: string, init: RequestInit = {}) =>
    (await fetch(url, { headers, ...init })).json() as Promise<Record<string, unknown>>
  const begin = performance.now()
  const { id } = await call(`${baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) })
  let last = await call(`${baseUrl}${path}/${id}?limit=1`)
  while (last.status === "scraping" && performance.now() - begin < 300_000) {
    await pause(500)
    last = await call(`${baseUrl}${path}/${id}?limit=1`)
  }
  const seconds = (performance.now() - begin) / 1000
  await stop(child)
  rmSync(data, { recursive: true })
  if (last.completed !== count) throw new Error(`${path} ended with ${JSON.stringify({ ...last, data: undefined })}`)
  return { ...used(folder), seconds }
}

const formats = ["markdown", "links"]

/** Ten fields of each page, as the step `extract` asks for them. */
const fields = {
  type: "fields",
  fields: {
    title: "h1",
    description: { meta: "description" },
    author: { meta: "author" },
    kind: { meta: "og:type" },
    canonical: { css: "link[rel=canonical]", attr: "href" },
    lead: "article p",
    section: "article h2",
    code: "article code",
    amount: { css: "td:nth-child(2)", as: "number" },
    related: { css: ".sidebar a", attr: "href", all: true }
  }
}

const crawl = (folder: string, site: string, asked: ReadonlyArray<unknown> = formats) =>
  ours(folder, "/v2/crawl", { url: `${site}/`, limit: pages, scrapeOptions: { formats: asked } }, pages)

const batch = (folder: string, site: string) => {
  const urls = Array.from({ length: addresses }, (_, index) => `${site}/page/${index}`)
  return ours(folder, "/v2/batch/scrape", { urls, formats }, addresses)
}

export const bench: Bench = {
  name: "crawl",
  run: async () => {
    const folder = folderFor("memory")
    const { child, line: site } = await ready([here("./Crawl/site.mjs"), String(pages)])
    try {
      install(folder, [crawlee])
      copyFileSync(here("./Crawl/crawlee.mjs"), join(folder, "crawlee.mjs"))
      const turns: Array<{
        readonly peer: Usage
        readonly own: Usage
        readonly fields: Usage
        readonly batch: Usage & { readonly seconds: number }
      }> = []
      for (let round = 0; round < rounds; round++) {
        const peer = run(folder, [join(folder, "crawlee.mjs"), `${site}/page/0`, String(pages)])
        turns.push({
          peer,
          own: await crawl(folder, site),
          fields: await crawl(folder, site, [fields]),
          batch: await batch(folder, site)
        })
      }
      const of = medianOf(turns)
      return [
        atLeast(
          "5,000 pages, CPU of CheerioCrawler / ours",
          of(({ own, peer }) => peer.cpu / own.cpu),
          "×",
          3
        ),
        noted(
          "pages for a second of CPU, ours",
          of(({ own }) => (pages * 1000) / own.cpu),
          "pages/s"
        ),
        atMost(
          "CPU of the same with ten fields in place of Markdown and links",
          of(({ fields, own }) => fields.cpu / own.cpu),
          "×",
          1
        ),
        noted(
          "pages for a second of CPU, CheerioCrawler",
          of(({ peer }) => (pages * 1000) / peer.cpu),
          "pages/s"
        ),
        atMost(
          "peak RSS of the engine",
          of(({ own }) => own.rss),
          "MB",
          300
        ),
        atLeast(
          "batch of 10,000 addresses",
          of(({ batch }) => addresses / batch.seconds),
          "pages/s",
          400
        ),
        noted(
          "peak RSS of the same",
          of(({ batch }) => batch.rss),
          "MB"
        )
      ]
    } finally {
      await stop(child)
      remove(folder)
    }
  }
}
