/**
 * A crawl of a real manual, served by nginx on loopback: Markdown and links of all pages to JSONL by `sluice run`, with the engine
 * inside and with `sluice serve` apart, beside `wget -r`, Crawlee's CheerioCrawler and `@spider-rs/spider-rs`, which convert and store less.
 *
 * `BENCH_SITE` is `postgresql` (1,170 pages, the default) or `rust` (21,600 pages). The site and nginx are packages of Debian 12, which are
 * unpacked, not installed; `BENCH_DEBIAN` names a folder that keeps them. `BENCH_ROUNDS` is the number of rounds; figures are medians.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atLeast, atMost, type Bench, type Figure, median, medianOf, noted } from "./Measure/Figures.ts"
import { type Measured, measure, sample } from "./Measure/ProcessTree.ts"
import { bin, ended, engine, folderFor, install, key, remove, stop } from "./Measure/Programs.ts"
import { download } from "./Search/Manuals.ts"

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

interface Site {
  readonly package: string
  readonly start: string
  /** MB for engine and run together. */
  readonly maxPeak: number
}

const sites: Readonly<Record<string, Site>> = {
  postgresql: { package: "postgresql-doc-15", start: "index.html", maxPeak: 300 },
  rust: { package: "rust-doc", start: "std/index.html", maxPeak: 400 }
}

const siteName = process.env.BENCH_SITE ?? "postgresql"
const rounds = Number(process.env.BENCH_ROUNDS ?? (siteName === "rust" ? 1 : 3))
const crawlee = "@crawlee/cheerio@3.18"
const spider = "@spider-rs/spider-rs@0.0.157"
/** A port that was free a moment ago: nginx does not say which one it has taken. */
const freePort = () =>
  new Promise<number>((done, fail) => {
    const server = createServer()
      .once("error", fail)
      .listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
      })
  })

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, "127.0.0.1", () => done(socket.destroy() !== undefined))
    socket.once("error", () => done(false))
  })

/** Serves a folder in the foreground, as a child that ends with the benchmark. */
const serve = async (nginx: string, folder: string, root: string) => {
  const port = await freePort()
  const own = join(folder, "nginx")
  mkdirSync(own)
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${own}/${name};`)
  writeFileSync(
    join(own, "nginx.conf"),
    // Its worker has to read a folder that only this user may read; root would hand it over to another user.
    `${process.getuid?.() === 0 ? "user root; " : ""}daemon off; worker_processes 1; pid ${own}/pid; error_log stderr crit;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; keepalive_requests 1000000; ${places.join(" ")}
      types { text/html html; text/css css; application/javascript js; image/svg+xml svg; image/png png; }
      server { listen 127.0.0.1:${port}; root ${root}; }
    }`
  )
  const child = spawn(nginx, ["-p", own, "-c", join(own, "nginx.conf"), "-e", "stderr"], { stdio: ["ignore", 2, 2] })
  process.once("exit", () => child.kill())
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error("nginx did not start")
    await new Promise((done) => setTimeout(done, 20))
  }
  return { child, address: `http://127.0.0.1:${port}` }
}

interface Crawl extends Measured {
  readonly pages: number
}

const definition = (start: string) => `version: 1
name: real-site
steps:
  - crawl:
      url: ${start}
      crawlEntireDomain: true
      limit: 50000
      scrapeOptions: { formats: [markdown, links] }
  - write: { jsonl: pages.jsonl }
`

const environment = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

const linesOf = (file: string): number => {
  let count = 0
  for (const byte of readFileSync(file)) if (byte === 10) count++
  return count
}

const failed = (what: string, { output, status }: Measured) =>
  new Error(`${what} ended with ${status}: ${output.slice(-2000)}`)

const ours = async (folder: string, start: string, env: Readonly<Record<string, string>>): Promise<Crawl> => {
  const file = join(folder, "real-site.yaml")
  writeFileSync(file, definition(start))
  const usage = await measure(process.execPath, [bin, "run", file, "--json"], {
    cwd: folder,
    env: { ...environment, ...env }
  })
  if (usage.status !== 0) throw failed("sluice run", usage)
  return { ...usage, pages: linesOf(join(folder, "pages.jsonl")) }
}

const within = async (folder: string, start: string): Promise<Crawl> => {
  const own = mkdtempSync(join(folder, "inside-"))
  const crawl = await ours(own, start, {})
  rmSync(own, { recursive: true })
  return crawl
}

/** The usage of both processes together. */
const apart = async (folder: string, start: string): Promise<Crawl> => {
  const own = mkdtempSync(join(folder, "apart-"))
  const { baseUrl, child } = await engine(join(own, "engine"))
  const engineUsage = sample(child.pid ?? 0)
  const crawl = await ours(own, start, { SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: key })
  const used = engineUsage()
  await stop(child)
  rmSync(own, { recursive: true })
  return { ...crawl, cpu: crawl.cpu + used.cpu, rss: crawl.rss + used.rss }
}

const wget = async (folder: string, start: string): Promise<Crawl> => {
  const own = mkdtempSync(join(folder, "wget-"))
  const words = ["-r", "-l", "inf", "-e", "robots=off", "-A", "html", "-nv", "-o", "log", start]
  const usage = await measure("wget", words, { cwd: own })
  // It ends with 8 when the site has answered anything with an error.
  if (usage.status !== 0 && usage.status !== 8) throw failed("wget", usage)
  const pages = linesOf(join(own, "log"))
  rmSync(own, { recursive: true })
  return { ...usage, pages }
}

/** A script that prints the number of its pages. */
const script =
  (name: string) =>
  async (folder: string, start: string): Promise<Crawl> => {
    copyFileSync(here(`./Crawl/${name}`), join(folder, name))
    const usage = await measure(process.execPath, [join(folder, name), start], { cwd: folder })
    if (usage.status !== 0) throw failed(name, usage)
    return { ...usage, pages: Number(usage.output.trim().split("\n").at(-1)) }
  }

const triedInstall = (folder: string, name: string): boolean => {
  try {
    install(folder, [name])
    return true
  } catch (error) {
    console.error(`${name} is left out:`, error)
    return false
  }
}

const rateOf = ({ cpu, pages }: Crawl) => (pages * 1000) / cpu

const described = (name: string, crawls: ReadonlyArray<Crawl>): ReadonlyArray<Figure> => {
  const of = medianOf(crawls)
  return [
    noted(
      `${name}: pages`,
      of(({ pages }) => pages),
      ""
    ),
    noted(
      `${name}: wall`,
      of(({ wall }) => wall),
      "s"
    ),
    noted(
      `${name}: CPU`,
      of(({ cpu }) => cpu / 1000),
      "s"
    ),
    noted(`${name}: pages for a second of CPU`, of(rateOf), "pages/s"),
    noted(
      `${name}: peak memory`,
      of(({ rss }) => rss),
      "MB"
    )
  ]
}

const ratio = (turns: ReadonlyArray<Turn>, name: string, figure: (crawl: Crawl, own: Crawl) => number) =>
  median(
    turns.flatMap((turn) => {
      const [peer, own] = [turn.get(name), turn.get(inside)]
      return peer === undefined || own === undefined ? [] : [figure(peer, own)]
    })
  )

/** Highest memory in relation to that of the first quarter of the time. */
const growth = ({ memory, rss }: Crawl): number => rss / Math.max(...memory.slice(0, Math.ceil(memory.length / 4)))

type Turn = ReadonlyMap<string, Crawl>

const [inside, beside] = ["sluice run", "sluice serve and run"]

const figuresOf = (turns: ReadonlyArray<Turn>, maxPeak: number): ReadonlyArray<Figure> => {
  const names = [...(turns[0]?.keys() ?? [])]
  const crawlsOf = (name: string) => turns.flatMap((turn) => turn.get(name) ?? [])
  const own = medianOf(crawlsOf(inside))
  return [
    atMost(
      "peak memory, engine inside",
      own(({ rss }) => rss),
      "MB",
      maxPeak
    ),
    ...(siteName === "rust" ? [atMost("its growth after the first quarter", own(growth), "×", 1.15)] : []),
    atMost(
      "wall, sluice / wget",
      ratio(turns, "wget", (peer, { wall }) => wall / peer.wall),
      "×",
      0.6
    ),
    atMost(
      "wall, apart / inside",
      ratio(turns, beside, (peer, { wall }) => peer.wall / wall),
      "×",
      1.1
    ),
    ...[
      [crawlee, 6],
      [spider, 0.5]
    ].flatMap(([name, least]) =>
      names.includes(`${name}`)
        ? [
            atLeast(
              `pages for a second of CPU, sluice / ${name}`,
              ratio(turns, `${name}`, (peer, crawl) => rateOf(crawl) / rateOf(peer)),
              "×",
              Number(least)
            )
          ]
        : []
    ),
    ...names.flatMap((name) => described(name, crawlsOf(name)))
  ]
}

export const bench: Bench = {
  name: "real-site",
  run: async () => {
    const site = sites[siteName]
    if (site === undefined) throw new Error(`BENCH_SITE is one of ${Object.keys(sites).join(", ")}`)
    const folder = folderFor("disk")
    let nginx: ChildProcess | undefined
    try {
      const packages = process.env.BENCH_DEBIAN ?? join(folder, "debian")
      if (!download(join(packages, site.package), [site.package]) || !download(join(packages, "nginx"), ["nginx"])) {
        throw new Error("the site and nginx are packages of Debian 12, which apt-get could not download")
      }
      const root = join(packages, site.package, "usr/share/doc", site.package, "html")
      const served = await serve(join(packages, "nginx/usr/sbin/nginx"), folder, root)
      nginx = served.child
      const start = `${served.address}/${site.start}`
      const crawls = new Map<string, (folder: string, start: string) => Promise<Crawl>>([
        [inside, within],
        [beside, apart],
        ["wget", wget],
        ...(triedInstall(folder, crawlee) ? [[crawlee, script("crawlee.mjs")] as const] : []),
        ...(triedInstall(folder, spider) ? [[spider, script("spider.mjs")] as const] : [])
      ])
      const turns: Array<Turn> = []
      for (let round = 0; round < rounds; round++) {
        const turn = new Map<string, Crawl>()
        for (const [name, crawl] of crawls) {
          turn.set(name, await crawl(folder, start))
          const { cpu, pages, rss, wall } = turn.get(name) as Crawl
          console.error(
            `${name}: ${pages} pages, ${wall.toFixed(1)} s, CPU ${(cpu / 1000).toFixed(1)} s, ${Math.round(rss)} MB`
          )
        }
        // A peer that does not find the pages of the site says nothing about them.
        const least = (turn.get(inside)?.pages ?? 0) / 2
        for (const [name, { pages }] of turn) if (pages < least) turn.delete(name)
        turns.push(turn)
      }
      return figuresOf(turns, site.maxPeak)
    } finally {
      nginx?.kill()
      if (nginx !== undefined) await ended(nginx)
      remove(folder)
    }
  }
}
