/**
 * The dashboard over a ledger of 500 pipelines, 100,000 runs and 1,000,000 pages: how long its server takes for each screen, and
 * what it costs a run to be watched.
 *
 * Times are those of a request on loopback, all of it, for the slowest request of a screen; those of each request go to stderr.
 * "First" is the first time after the start of the dashboard, "again" the median of five more. CPU is user and system time: of the run's
 * process while a viewer follows it and another page listens, against the same run with neither (pairs take turns, the
 * median counts), and of the dashboard's process meanwhile, for each second of it.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as DashboardLedger from "./Measure/DashboardLedger.ts"
import { atMost, type Bench, type Figure, median } from "./Measure/Figures.ts"
import { bin, cpuOf, ended, folderFor, ready, remove, used } from "./Measure/Programs.ts"

interface Ui {
  readonly pid: number
  readonly base: string
  /** Header that carries the token of the link. */
  readonly headers: Readonly<Record<string, string>>
  readonly end: () => void
}

const openUi = async (folder: string, dataDir: string): Promise<Ui> => {
  const { child, line } = await ready(
    [bin, "ui", "--data", dataDir, "--pipelines", join(folder, "pipelines"), "--port", "0", "--json"],
    { cwd: folder }
  )
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

/** Requests of each screen. `measured` is a run with real outputs, `newest` one with many rejects. */
const screens = ({ earlier, measured, newest }: Readonly<Record<"earlier" | "measured" | "newest", string>>) => {
  const of = (path: string, query: Readonly<Record<string, string | number>> = {}) =>
    `${path}?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`
  const runs = (query: Readonly<Record<string, string | number>> = {}) => of("/api/runs", query)
  const pipeline = `/api/pipelines/${DashboardLedger.busy}`
  const run = `/api/runs/${newest}`
  const day = 86_400_000
  const today = Math.floor(Date.now() / day) * day
  const days = Array.from({ length: 42 }, (_, index) => today + (index - 14) * day)
  const calendar = { from: days[0] ?? 0, to: today + 28 * day, days: days.join(",") }
  const key = DashboardLedger.busyPage
  return {
    "start page": ["/", "/dashboard.js", "/dashboard.css", "/api/about"],
    runs: [
      runs(),
      runs({ limit: 200 }),
      "/api/pipelines",
      runs({ limit: 200, text: "pipeline-36" }),
      runs({ text: "nothing-like-that" }),
      runs({ text: "docs96.example" }),
      runs({ state: "completed", pipeline: "pipeline-3" }),
      runs({ state: "failed" }),
      runs({ state: "crashed" }),
      runs({ state: "running" }),
      runs({ pipeline: DashboardLedger.busy }),
      runs({ pipeline: "no-such-pipeline", state: "completed", text: "x" })
    ],
    run: [
      run,
      `/api/runs/${measured}`,
      `${run}/health`,
      `${run}/definition`,
      of(`${run}/rejects`),
      of(`${run}/rejects`, { text: "nothing-like-that" }),
      of(`${run}/pages`, { limit: 200 }),
      `/api/runs/${measured}/log`,
      of(`/api/runs/${measured}/outputs/0`, { rows: 100 }),
      `/api/runs/${measured}/outputs/0/profile`
    ],
    pipeline: [
      pipeline,
      "/api/pipelines/pipeline-7",
      `${pipeline}/fields`,
      `${pipeline}/contract`,
      `${pipeline}/state`,
      of(`${pipeline}/state`, { text: "page-99999" }),
      of(`${pipeline}/state`, { text: "nothing-like-that" }),
      of("/api/definition/diff", { from: earlier, to: newest })
    ],
    pages: [
      of("/api/pages", { limit: 100 }),
      of("/api/page", { key }),
      of("/api/page", { key, after: 9_000 }),
      of("/api/page/diff", { key, from: `${earlier}:1`, to: `${newest}:1` })
    ],
    schedules: [
      "/api/schedules",
      of("/api/schedules/calendar", calendar),
      of("/api/schedules/calendar", { ...calendar, pipeline: DashboardLedger.busy })
    ],
    usage: [of("/api/usage", { months: 12 }), of("/api/usage", { months: 36 })],
    service: ["/api/engine"],
    "new run": ["/api/definitions"]
  }
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

/** Figures of each screen: its slowest request, when it is asked first, and again. */
const screenTimes = async (ui: Ui, all: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const figures: Array<Figure> = []
  for (const [screen, paths] of Object.entries(all)) {
    let [first, again] = [0, 0]
    for (const path of paths) {
      const cold = await timed(ui, path)
      const warm = await worst(ui, [path])
      console.error(`${cold.toFixed(0).padStart(7)} ms, again ${warm.toFixed(0).padStart(5)} ms: ${path.slice(0, 100)}`)
      first = Math.max(first, cold)
      again = Math.max(again, warm)
    }
    figures.push(atMost(`${screen}: slowest request, first`, first, "ms", 300))
    figures.push(atMost(`${screen}: slowest request, again`, again, "ms", 300))
  }
  return figures
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
      prepareRuns(folder)
      DashboardLedger.writeDefinitions(join(folder, "pipelines"))
      await run(folder, dataDir)
      const file = join(dataDir, "ledger.db")
      const ids = await DashboardLedger.fill(file, Date.now())
      const ui = await openUi(folder, dataDir)
      ends.push(ui.end)
      const search = (text: string) => `/api/pages?text=${encodeURIComponent(text)}`
      const figures = await screenTimes(ui, screens(ids))
      // The first one finds no addresses in memory.
      const cold = await timed(ui, search("nowhere-to-be-found"))
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
        ...figures,
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
