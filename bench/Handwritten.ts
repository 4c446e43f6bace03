/** Parts of the engine against what would replace them and is no dependency: CPU time, in turns and warm, on the same input. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Transport from "../src/Client/Transport.ts"
import { brandOf } from "../src/Engine/Branding/Brand.ts"
import { readPage, readSheets } from "../src/Engine/Branding/BrandPage.ts"
import * as CacheSegments from "../src/Engine/PageCache/CacheSegments.ts"
import { Sql } from "../src/Engine/Store/Sql.ts"
import * as Store from "../src/Engine/Store/Store.ts"
import { extract } from "../src/Html/Extract.ts"
import { chromium, flags } from "./Measure/Browsers.ts"
import { atLeast, type Bench, type Figure, median, noted } from "./Measure/Figures.ts"
import { measure } from "./Measure/ProcessTree.ts"
import { folderFor, install, remove } from "./Measure/Programs.ts"

const rounds = 5

/** CPU milliseconds of this process for a piece of work. */
const cpuOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

const compare = async (
  part: string,
  other: string,
  least: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>
): Promise<ReadonlyArray<Figure>> => {
  const turns: Array<readonly [number, number]> = []
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) turns.push([await ours(), await theirs()])
  const warm = turns.slice(1)
  return [
    noted(`CPU of our ${part}`, median(warm.map(([one]) => one)), "ms"),
    noted(`CPU of ${other}`, median(warm.map(([, one]) => one)), "ms"),
    atLeast(`CPU of ${other} against our ${part}`, median(warm.map(([one, two]) => two / one)), "times", least)
  ]
}

const item = (number: number): string =>
  `<h2 id="i${number}"><a href="/items/${number}?ref=list&amp;page=2">Item ${number}</a></h2><img src="/images/${number}.jpg" alt="Item ${number}">` +
  `<p>Some words, which <em>float</em> &amp; <strong>sink</strong> with the <code>tide</code>.</p><ul><li>ebb<ul><li>low</li></ul></li><li>flow</li></ul>`

const markdown = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  install(folder, ["turndown@7.2.5"])
  const Turndown = createRequire(join(folder, "index.js"))("turndown") as new () => {
    turndown: (html: string) => string
  }
  const html = `<!doctype html><html lang="en"><body><main>${Array.from({ length: 1_000 }, (_, number) => item(number)).join("")}</main></body></html>`
  const options = {
    url: "https://site.example/",
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: true,
    wanted: new Set(["markdown"] as const)
  }
  return compare(
    "Markdown of a page, with its parsing",
    "turndown 7.2.5",
    3,
    () => cpuOf(() => extract(html, { ...options })),
    () => cpuOf(() => new Turndown().turndown(html))
  )
}

/** 2,000 lines of CSS, and the styles that a browser would be asked for. */
const branding = (): Promise<ReadonlyArray<Figure>> => {
  const rules = Array.from(
    { length: 2_000 },
    (_, at) =>
      `.c${at} > a.btn-${at % 40}, h${1 + (at % 3)}.t${at} { color: #${((at * 97) % 900) + 100}; padding: ${at % 9}px }`
  )
  const html = `<!doctype html><style>:root{--primary:#06c}body{font:16px/1.5 Inter;color:#222}${rules.join("\n")}</style><body><h1>A</h1>${'<p>b <a class="btn btn-primary" href="/">c</a></p>'.repeat(500)}`
  const styles =
    "<script>document.title=[...document.querySelectorAll('body,h1,a')].slice(0,20).map(e=>getComputedStyle(e).color).join()</script>"
  const words = [...flags, "--headless", "--disable-gpu", "--no-first-run", "--dump-dom"]
  const folder = folderFor()
  const page = join(folder, "page.html")
  writeFileSync(page, html + styles)
  return compare(
    "branding",
    "a start of Chromium that computes the styles",
    2,
    () =>
      cpuOf(() => {
        const read = readPage(html, "https://site.example/")
        brandOf(read, readSheets(read.sources.map((source) => ("text" in source ? source.text : ""))))
      }),
    async () =>
      (await measure(chromium(), [...words, `--user-data-dir=${folder}`, pathToFileURL(page).href], { cwd: folder }))
        .cpu
  ).finally(() => remove(folder))
}

const bodies = Array.from({ length: 2_000 }, (_, at) => Buffer.alloc(60_000, `page ${at} `))

/** Stores pages, and evicts half of them. */
const pageCache = (): Promise<ReadonlyArray<Figure>> => {
  const within = (work: (folder: string) => Effect.Effect<unknown, unknown, Sql | NodeContext.NodeContext>) =>
    cpuOf(() => {
      const folder = folderFor()
      const layer = Layer.provideMerge(Store.layer(folder), NodeContext.layer)
      return Effect.runPromise(Effect.scoped(work(folder)).pipe(Effect.provide(layer))).finally(() => remove(folder))
    })
  const portions = Array.from({ length: 100 }, (_, at) => bodies.slice(at * 20, at * 20 + 20))
  return compare(
    "segment files: storing 2,000 pages of 60 kB, evicting half",
    "BLOBs in rows of SQLite",
    1.2,
    () =>
      within((folder) =>
        Effect.gen(function* () {
          const limits = { bytes: 60_000_000, age: Duration.days(30) }
          const { add, sweep } = yield* CacheSegments.make(join(folder, "copies"), limits)
          for (const [n, portion] of portions.entries()) {
            yield* add(
              portion.map((body, at) => [
                `${n} ${at}`,
                { url: "http://a.example/", statusCode: 200, headers: {}, body, coding: "", hash: "", at: n }
              ])
            )
          }
          yield* sweep
        })
      ),
    () =>
      within(() =>
        Effect.gen(function* () {
          const sql = yield* Sql
          yield* sql`CREATE TABLE bodies (id TEXT PRIMARY KEY, body BLOB NOT NULL)`
          for (const [n, portion] of portions.entries()) {
            yield* sql.withTransaction(
              Effect.forEach(portion, (body, at) => sql`INSERT INTO bodies ${sql.insert({ id: `${n} ${at}`, body })}`)
            )
          }
          for (let n = 0; n < 50; n++) yield* sql`DELETE FROM bodies WHERE id LIKE ${`${n} %`}`
        })
      )
  )
}

/** Answers a path like `/2000` with about so many bytes of JSON, in a process of its own, whose CPU does not count. */
const server = `
const { createServer } = require("node:http")
const bodies = new Map()
const bodyOf = (size) => JSON.stringify({ items: Array.from({ length: size / 20 }, (_, id) => ({ id, at: "abcd" })) })
const listening = createServer(({ url }, response) => {
  const size = Number(url.slice(1))
  if (!bodies.has(size)) bodies.set(size, bodyOf(size))
  response.setHeader("content-type", "application/json")
  response.end(bodies.get(size))
}).listen(0, "127.0.0.1", () => console.log(listening.address().port))`

/** JSON answers, small ones twenty at a time and large ones in a row. */
const transport = async (): Promise<ReadonlyArray<Figure>> => {
  const child = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = await once(child.stdout, "data")
  const through =
    (layer: Layer.Layer<HttpClient.HttpClient>, paths: ReadonlyArray<string>, concurrency: number) => () =>
      cpuOf(() =>
        Effect.forEach(
          paths,
          (path) =>
            Effect.flatMap(HttpClient.get(`http://127.0.0.1:${String(port).trim()}${path}`), ({ json }) => json),
          { concurrency, discard: true }
        ).pipe(Effect.scoped, Effect.provide(layer), Effect.runPromise)
      )
  const both = (part: string, ...work: readonly [ReadonlyArray<string>, number]) =>
    compare(
      `HTTP client: ${part}`,
      "NodeHttpClient.layerUndici",
      0.6,
      through(Transport.layer, ...work),
      through(NodeHttpClient.layerUndici, ...work)
    )
  try {
    return [
      ...(await both("3,000 answers of 2 kB", Array(3_000).fill("/2000"), 20)),
      ...(await both("20 answers of 5 MB", Array(20).fill("/5000000"), 1))
    ]
  } finally {
    child.kill()
  }
}

export const bench: Bench = {
  name: "handwritten",
  run: async () => {
    const folder = folderFor()
    try {
      return [...(await markdown(folder)), ...(await branding()), ...(await pageCache()), ...(await transport())]
    } finally {
      remove(folder)
    }
  }
}
