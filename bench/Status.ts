/**
 * Status of a job with 100,000 results (about 500 MB) from an engine as a process: its head while another job is
 * written, pages of 10 MiB and what they do to everybody else, the whole by our client, and the CPU of a request.
 */
import { type ChildProcess, execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { atMost, type Bench, noted, quantile } from "./Measure/Figures.ts"
import { bundle, cpuOf, engine, folderFor, key, ready, remove, stop } from "./Measure/Programs.ts"

const here = (name: string) => fileURLToPath(new URL(`./Status/${name}`, import.meta.url))
const many = { id: randomUUID(), results: 100_000, bytes: 5_000 }
const large = { id: randomUUID(), results: 2_000, bytes: 40_000 }

interface Database {
  readonly exec: (text: string) => void
  readonly prepare: (text: string) => { readonly run: (...values: ReadonlyArray<unknown>) => void }
  readonly close: () => void
}

/** Jobs that have ended, as the engine would have written them. */
const fill = (file: string, { bytes, id, results }: typeof many) => {
  const Sqlite = createRequire(import.meta.url)("libsql") as new (file: string) => Database
  const db = new Sqlite(file)
  const now = Date.now()
  const insert = db.prepare("INSERT INTO job_results (job_id, position, bytes, upto, body) VALUES (?, ?, ?, ?, ?)")
  for (let from = 0; from < results; from += 5_000) {
    db.exec("BEGIN")
    for (let at = from; at < Math.min(results, from + 5_000); at++) {
      const url = `http://site.example/${at}`
      const head = `{"metadata":{"sourceURL":"${url}","statusCode":200},"markdown":"`
      const body = Buffer.from(`${head}${"word ".repeat(Math.ceil(bytes / 5)).slice(0, bytes - head.length - 2)}"}`)
      insert.run(id, at, body.length, (at + 1) * body.length, body)
    }
    db.exec("COMMIT")
  }
  db.prepare(
    `INSERT INTO jobs (id, team, key_id, kind, version, url, spec, status, seeded, page_limit, claimed, results, completed,
      bytes, credits, created_at, updated_at, finished_at)
      VALUES (?, 'default', 'bench', 'batch', 2, '', '{}', 'completed', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  ).run(id, results, results, results, results, results * bytes, results, now, now, now)
  db.close()
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Milliseconds of one request, to its last byte. */
const time = (url: string) =>
  new Promise<number>((done, failed) => {
    const began = performance.now()
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`${url} answered ${response.statusCode}`))
      response.resume().on("end", () => done(performance.now() - began))
    }).on("error", failed)
  })

const times = async (count: number, url: (index: number) => string) => {
  const all: Array<number> = []
  for (let index = 0; index < count; index++) all.push(await time(url(index)))
  return all
}

/** MB that a process holds. */
const memoryOf = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096) / 1024 / 1024

/** Microseconds of CPU of a request. */
const costOf = async ({ pid = 0 }: ChildProcess, url: string) => {
  await times(500, () => url)
  const before = cpuOf(pid)
  await times(5_000, () => url)
  return ((cpuOf(pid) - before) * 1000) / 5_000
}

const statusOf = (baseUrl: string, id: string) => `${baseUrl}/v2/batch/scrape/${id}`

/** Heads of the status while another job is written as fast as it goes. */
const heads = async (baseUrl: string) => {
  const site = await ready([here("site.mjs")])
  const urls = Array.from({ length: 20_000 }, (_, n) => `${site.line}/${n}`)
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const body = JSON.stringify({ urls })
  const reply = await fetch(`${baseUrl}/v2/batch/scrape`, { method: "POST", headers, body })
  const { id } = (await reply.json()) as { readonly id: string }
  await times(100, () => `${statusOf(baseUrl, many.id)}?limit=1`)
  const all = await times(1_500, (index) =>
    index % 2 === 0 ? `${statusOf(baseUrl, many.id)}?limit=1` : `${statusOf(baseUrl, many.id)}?skip=${many.results}`
  )
  const last = (await (await fetch(`${statusOf(baseUrl, id)}?limit=1`, { headers })).json()) as { status: string }
  if (last.status !== "scraping") throw new Error("the job was written before the heads were read")
  await fetch(statusOf(baseUrl, id), { method: "DELETE", headers })
  await stop(site.child)
  return all
}

/** Large pages one after the other, and how long others wait meanwhile. */
const pages = async (baseUrl: string) => {
  let reading = true
  const others: Array<number> = []
  const beside = (async () => {
    while (reading) others.push(await time(`${statusOf(baseUrl, many.id)}?limit=1`))
  })()
  const all = await times(60, (index) => `${statusOf(baseUrl, large.id)}?skip=${(index % 7) * 250}&limit=1000`)
  reading = false
  await beside
  return { all, others }
}

export const bench: Bench = {
  name: "large job",
  run: async () => {
    const folder = folderFor()
    const data = join(folder, "data")
    try {
      await stop((await engine(data)).child)
      for (const job of [many, large]) fill(join(data, "engine.db"), job)
      const script = join(folder, "read.mjs")
      await bundle(here("read.ts"), script)
      const { baseUrl, child } = await engine(data)
      const bare = await ready([here("bare.mjs")])
      const cost = await costOf(child, `${statusOf(baseUrl, many.id)}?skip=${many.results}`)
      const least = await costOf(bare.child, bare.line)
      await stop(bare.child)
      const { all, others } = await pages(baseUrl)
      const before = memoryOf(child.pid ?? 0)
      const { stdout } = await promisify(execFile)(process.execPath, [script, baseUrl, key, many.id])
      const read = JSON.parse(stdout) as Readonly<Record<"seconds" | "documents" | "growth", number>>
      const after = memoryOf(child.pid ?? 0)
      if (read.documents !== many.results) throw new Error(`${read.documents} documents were read`)
      const head = quantile(await heads(baseUrl), 0.99)
      await stop(child)
      return [
        atMost("head while a job is written, p99", head, "ms", 20),
        atMost("page of 10 MiB, p95", quantile(all, 0.95), "ms", 150),
        atMost("others beside such pages, longest", quantile(others, 1), "ms", 50),
        noted("others beside such pages, p99", quantile(others, 0.99), "ms"),
        atMost("100,000 results by our client", read.seconds, "s", 10),
        atMost("RSS of both, growth while reading", Math.max(read.growth, after / before), "×", 1.3),
        noted("CPU of a status request", cost, "µs"),
        noted("CPU of bare node:http", least, "µs")
      ]
    } finally {
      remove(folder)
    }
  }
}
