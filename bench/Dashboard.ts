/**
 * The dashboard over a ledger of 10,000 runs and 1,000,000 pages: how long its server takes for a list and for a search, and
 * what it costs a run to be watched.
 *
 * Times are those of a request on loopback, all of it, for the slowest of several questions. CPU is user and system time: of the run's
 * process while a viewer follows it and another page listens, against the same run with neither (pairs take turns, the
 * median counts), and of the dashboard's process meanwhile, for each second of it.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database } from "../src/Ledger.ts"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { bin, cpuOf, ended, folderFor, ready, remove, used } from "./Measure/Programs.ts"

const runs = 10_000
const pagesOfRun = 100

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`

/** Every page is another one. */
const fill = (file: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const texts = [
      `${numbers(runs)} INSERT INTO runs (id, pipeline, file, definition_hash, out_folder, folder, started_at, status,
        progress, row_count, reject_count, call_credits, updated_at, ended_at)
      SELECT printf('20260101T%06d-%04x', i, i % 65536), 'pipeline-' || (i % 37), '/srv/pipelines/p' || (i % 37) || '.yaml',
        'x', '/srv', '/srv/.sluice/runs/' || i, 1767225600000 + i * 60000,
        CASE WHEN i % 23 = 0 THEN 'failed' ELSE 'completed' END,
        '{"given":{"crawl":100,"where":90,"write":90},"rejected":{},"now":{"loads":{},"pages":100,"bytes":1000}}',
        90, i % 7, 100, 1767225600000 + i * 60000 + 5000, 1767225600000 + i * 60000 + 5000 FROM n`,
      `${numbers(runs)} INSERT INTO run_texts (run_id, definition, inputs, options)
      SELECT printf('20260101T%06d-%04x', i, i % 65536),
        'version: 1' || char(10) || 'name: p' || char(10) || 'steps:' || char(10) || '  - urls: ["https://example.com"]' || char(10)
          || '  - scrape: { formats: [markdown] }' || char(10) || '  - write: { jsonl: out.jsonl }' || char(10), '{}', '{}' FROM n`,
      "DROP INDEX pages_key",
      `${numbers(runs * pagesOfRun)} INSERT INTO pages (run_id, seq, step, key, status, hash, job_id, credits, price, at)
      SELECT printf('20260101T%06d-%04x', i / ${pagesOfRun}, (i / ${pagesOfRun}) % 65536), i % ${pagesOfRun} + 1, 'crawl',
        printf('https://docs%d.example.com/%s/section-%d/%s-%d.html', i % 97,
          CASE i % 5 WHEN 0 THEN 'guide' WHEN 1 THEN 'reference' WHEN 2 THEN 'Archive' WHEN 3 THEN 'news' ELSE 'products' END,
          i % 977, CASE i % 3 WHEN 0 THEN 'introduction-to' WHEN 1 THEN 'release-notes' ELSE 'page' END, i),
        CASE WHEN i % 50 = 0 THEN 404 ELSE 200 END, printf('%064x', i), 'job-' || (i / ${pagesOfRun}), 1, 'known',
        1767225600000 + i FROM n`,
      "CREATE INDEX pages_key ON pages (key, at)"
    ]
    yield* sql.withTransaction(Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true }))
    yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
  }).pipe(Effect.provide(Layer.provide(database(file), NodeContext.layer)), Effect.runPromise)

interface Ui {
  readonly pid: number
  readonly base: string
  /** Header that carries the token of the link. */
  readonly headers: Readonly<Record<string, string>>
  readonly end: () => void
}

const openUi = async (folder: string, dataDir: string): Promise<Ui> => {
  const { child, line } = await ready([bin, "ui", "--data", dataDir, "--port", "0", "--json"], { cwd: folder })
  const { hash, origin } = new URL((JSON.parse(line) as { readonly url: string }).url)
  const headers = { "sluice-token": hash.replace("#token=", "") }
  return { pid: child.pid ?? 0, base: origin, headers, end: () => child.kill("SIGTERM") }
}

/** Milliseconds until the whole answer is there. */
const timed = async ({ base, headers }: Ui, path: string): Promise<number> => {
  const begin = performance.now()
  const answer = await fetch(base + path, { headers })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
  return performance.now() - begin
}

/** Of the slowest question: others use this machine too, so that each is asked several times and the median counts. */
const worst = async (ui: Ui, paths: ReadonlyArray<string>): Promise<number> => {
  let most = 0
  for (const path of paths) {
    const times: Array<number> = []
    for (let round = 0; round < 5; round++) times.push(await timed(ui, path))
    most = Math.max(most, median(times))
  }
  return most
}

/** Milliseconds of CPU of one run. */
const run = async (folder: string, dataDir: string): Promise<number> => {
  const words = ["run", join(folder, "watched.yaml"), "--data", dataDir, "--json"]
  const { child } = await ready([bin, ...words], { cwd: folder, folder })
  await ended(child)
  if (child.exitCode !== 0) throw new Error(`the run ended with exit code ${child.exitCode}`)
  return used(folder).cpu
}

/** Listens until it is aborted; follows the newest active run. */
const listen = (ui: Ui, query: string, seen: (text: string) => void) => {
  const stop = new AbortController()
  const reading = fetch(`${ui.base}/api/events${query}`, { headers: ui.headers, signal: stop.signal })
    .then(async ({ body }) => {
      const decoder = new TextDecoder()
      if (body !== null) for await (const bytes of body) seen(decoder.decode(bytes))
    })
    .catch(() => {})
  return () => {
    stop.abort()
    return reading
  }
}

const watchedRows = 400_000

const prepareRuns = (folder: string) => {
  const line = (index: number) =>
    JSON.stringify({ id: index, name: `row ${index}`, group: index % 97, text: "x".repeat(200) })
  writeFileSync(
    join(folder, "rows.jsonl"),
    `${Array.from({ length: watchedRows }, (_, index) => line(index)).join("\n")}\n`
  )
  writeFileSync(
    join(folder, "watched.yaml"),
    `version: 1
name: watched
steps:
  - read: { file: rows.jsonl }
  - where: "group != 5"
  - select: { id: id, name: name, group: group, text: $uppercase(text) }
  - dedupe: { key: id }
  - write: { jsonl: out.jsonl }
`
  )
}

const pairs = 15

/** Extra CPU of a watched run, the dashboard's share of one core meanwhile, and the number of events it sent. */
const watching = async (folder: string, dataDir: string, ui: Ui) => {
  let events = 0
  const shares: Array<number> = []
  const watched = async () => {
    let followed: (() => Promise<void>) | undefined
    const list = listen(ui, "", (text) => {
      events += text.split("event: runs").length - 1
      const id = /"id":"([^"]+)","pipeline":"watched","state":"running"/.exec(text)?.[1]
      if (id === undefined || followed !== undefined) return
      followed = listen(ui, `?run=${id}`, (told) => {
        events += told.split("event: progress").length - 1
      })
    })
    const before = cpuOf(ui.pid)
    const begin = performance.now()
    const own = await run(folder, dataDir)
    shares.push((100 * (cpuOf(ui.pid) - before)) / (performance.now() - begin))
    await list()
    await followed?.()
    return own
  }
  // The first call of each kind takes longer.
  await watched()
  shares.length = 0
  const ratios: Array<number> = []
  for (let pair = 0; pair < pairs; pair++) {
    // Each of them goes first as often as the other.
    if (pair % 2 === 0) {
      const alone = await run(folder, dataDir)
      ratios.push((await watched()) / alone)
    } else {
      const seen = await watched()
      ratios.push(seen / (await run(folder, dataDir)))
    }
  }
  return { more: (median(ratios) - 1) * 100, share: median(shares), events }
}

export const bench: Bench = {
  name: "dashboard",
  run: async () => {
    const folder = folderFor()
    const dataDir = join(folder, "data")
    mkdirSync(dataDir)
    const ends: Array<() => void> = []
    try {
      await fill(join(dataDir, "ledger.db"))
      prepareRuns(folder)
      const ui = await openUi(folder, dataDir)
      ends.push(ui.end)
      const search = (text: string) => `/api/pages?text=${encodeURIComponent(text)}`
      // The first one finds no addresses in memory.
      const cold = await timed(ui, search("nowhere-to-be-found"))
      const list = await worst(ui, [
        "/api/runs",
        "/api/runs?limit=200",
        "/api/runs?text=pipeline-36",
        "/api/runs?text=nothing-like-that",
        "/api/runs?state=failed&pipeline=pipeline-3",
        "/api/runs?state=crashed"
      ])
      // Until the addresses are there.
      for (let round = 0; round < 100 && (await timed(ui, search("no-such-word"))) > 150; round++) {
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const searched = await worst(
        ui,
        ["introduction-to-7", "ARCHIVE section-976", "zebra", "page-999999", "docs42 news 424", "html", "é"].map(search)
      )
      const { events, more, share } = await watching(folder, dataDir, ui)
      if (events < pairs) throw new Error("the dashboard sent no events about the runs: nothing was measured")
      return [
        atMost("list of runs, 10,000 in the ledger: slowest question", list, "ms", 300),
        atMost("search in 1,000,000 pages: slowest question", searched, "ms", 300),
        atMost("the first search, straight from the ledger", cold, "ms", 2_000),
        atMost("CPU of a run, watched against alone", more, "%", 3),
        atMost("of one core, the dashboard that watches", share, "%", 3)
      ]
    } finally {
      for (const end of ends) end()
      remove(folder)
    }
  }
}
