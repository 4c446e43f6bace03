/**
 * A crawl of 5,000 linked pages of 20 kB by the engine (markdown, links, metadata and index, all stored), as a process,
 * against Crawlee's CheerioCrawler, which stores nothing; and a batch of 10,000 addresses. The site is another process.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** Another build than the one in `dist` may be measured. */
const bin = resolve(process.env.BENCH_DIST ?? fileURLToPath(new URL("../dist", import.meta.url)), "bin.js")
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const crawlee = "@crawlee/cheerio@3.18"
const pages = 5_000
const addresses = 10_000
const rounds = 3

interface Usage {
  /** Milliseconds of the process's whole life, user and system. */
  readonly cpu: number
  /** MB, the highest. */
  readonly rss: number
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))
const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((done) => child.once("exit", () => done()))

/** A process that says one line when it is ready. */
const ready = async (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  for await (const line of createInterface({ input: child.stdout })) return { child, line }
  throw new Error(`${words.join(" ")} said nothing`)
}

const stop = async (child: ChildProcess) => {
  child.kill("SIGTERM")
  await ended(child)
}

/** Runs one job in an engine of its own; gives what the process used, and the job's seconds. */
const ours = async (folder: string, path: string, body: object, count: number) => {
  const [data, usage] = [mkdtempSync(join(folder, "engine-")), join(folder, "usage.json")]
  const key = "fc-0123456789abcdef0123456789abcdef"
  const { child, line } = await ready(
    ["--import", here("./Flow/usage.mjs"), bin, "serve", "--port", "0", "--data", data, "--json"],
    { BENCH_USAGE: usage, SLUICE_ENGINE_KEYS: `bench:${key}`, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
  )
  const { baseUrl } = JSON.parse(line) as { readonly baseUrl: string }
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
  return { ...(JSON.parse(readFileSync(usage, "utf8")) as Usage), seconds }
}

const formats = ["markdown", "links"]

const crawl = (folder: string, site: string) =>
  ours(folder, "/v2/crawl", { url: `${site}/`, limit: pages, scrapeOptions: { formats } }, pages)

const batch = (folder: string, site: string) => {
  const urls = Array.from({ length: addresses }, (_, index) => `${site}/page/${index}`)
  return ours(folder, "/v2/batch/scrape", { urls, formats }, addresses)
}

/** Into a folder of its own: Crawlee is no dependency of ours. */
const install = (folder: string) => {
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--silent"]
  const { status } = spawnSync("npm", ["install", ...flags, crawlee], { cwd: folder, stdio: "inherit" })
  if (status !== 0) throw new Error(`${crawlee} could not be installed`)
  copyFileSync(here("./Crawl/crawlee.mjs"), join(folder, "crawlee.mjs"))
}

const theirs = (folder: string, site: string): Usage => {
  const usage = join(folder, "usage.json")
  const words = ["--import", here("./Flow/usage.mjs"), join(folder, "crawlee.mjs"), `${site}/page/0`, String(pages)]
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: "utf8",
    // On a machine that is busy otherwise it may take long; one that hangs is given up.
    timeout: 300_000,
    env: { ...process.env, BENCH_USAGE: usage }
  })
  if (status !== 0) throw new Error(`Crawlee ended with ${status}: ${stderr}`)
  return JSON.parse(readFileSync(usage, "utf8")) as Usage
}

export const bench = {
  name: "crawl",
  run: async () => {
    const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "sluice-bench-"))
    const { child, line: site } = await ready([here("./Crawl/site.mjs"), String(pages)])
    try {
      install(folder)
      const turns: Array<{
        readonly peer: Usage
        readonly own: Usage
        readonly batch: Usage & { readonly seconds: number }
      }> = []
      for (let round = 0; round < rounds; round++) {
        const [peer, own] = [theirs(folder, site), await crawl(folder, site)]
        turns.push({ peer, own, batch: await batch(folder, site) })
      }
      const ratio = median(turns.map(({ own, peer }) => peer.cpu / own.cpu))
      const speed = (of: (turn: (typeof turns)[number]) => Usage) =>
        median(turns.map((turn) => (pages * 1000) / of(turn).cpu))
      const rss = median(turns.map(({ own }) => own.rss))
      const wall = median(turns.map(({ batch }) => addresses / batch.seconds))
      const noted = { unit: "pages/s", target: "none", reached: true }
      return [
        {
          metric: "5,000 pages, CPU of CheerioCrawler / ours",
          value: ratio,
          unit: "×",
          target: "≥ 3.00",
          reached: ratio >= 3
        },
        { ...noted, metric: "pages for a second of CPU, ours", value: speed(({ own }) => own) },
        { ...noted, metric: "pages for a second of CPU, CheerioCrawler", value: speed(({ peer }) => peer) },
        { metric: "peak RSS of the engine", value: rss, unit: "MB", target: "≤ 300", reached: rss <= 300 },
        { metric: "batch of 10,000 addresses", value: wall, unit: "pages/s", target: "≥ 400", reached: wall >= 400 },
        {
          metric: "peak RSS of the same",
          value: median(turns.map(({ batch }) => batch.rss)),
          unit: "MB",
          target: "none",
          reached: true
        }
      ]
    } finally {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
