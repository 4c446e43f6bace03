/** An engine, the daemon of schedules and the dashboard under mixed load, killed now and then, then left alone and measured. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { chromium, chromiumSandbox } from "../Engine/Render/Installed.ts"
import type { Figure } from "../Figures.ts"
import { keys } from "../Local.ts"
import { quiet, scheduled } from "./Ending.ts"
import { ground } from "./Ground.ts"
import { load, type Place, type Tally } from "./Load.ts"
import { type Part, part } from "./Part.ts"
import { childrenOf, handlesOf, memoryOf, naming } from "./Proc.ts"
import { growth, median, type Sample } from "./Trend.ts"

export interface Options {
  /** The folder of everything; the build is in its `dist`. */
  readonly folder: string
  readonly minutes: number
  readonly told: (line: string) => void
}

/** Of the time: something is killed every few seconds. Then all live on, first warming up, then measured. */
const turmoil = 0.4
const warmUp = 0.35
const killEvery = 12_000
const lookEvery = 2_000

const every = 4
const pages = 6
const pipeline = "tides"

const definition = (site: string) => `version: 1
name: ${pipeline}
schedule: { cron: "*/${every} * * * * *", timezone: UTC, overlap: queue, catchUp: all, catchUpWindow: 1h }
steps:
  - urls: [${Array.from({ length: pages }, (_, index) => `"${site}/page/tide/${index + 1}"`).join(", ")}]
  - scrape: { formats: [markdown] }
    concurrency: 2
  - select: { title: metadata.title }
  - write: { csv: "out/{runId}.csv" }
`

/** A port that was free just now: parts come back where they were. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Follows what the dashboard tells, and comes back whenever it breaks off. */
const listen = async (ui: Part, tally: Tally, isOver: () => boolean) => {
  while (!isOver()) {
    try {
      const { hash, origin } = new URL((JSON.parse(ui.first()) as { readonly url: string }).url)
      const stream = await fetch(`${origin}/api/events`, {
        headers: { "sluice-token": hash.replace("#token=", "") },
        signal: AbortSignal.timeout(15_000)
      })
      if (stream.status !== 200) tally.faults.push(`the dashboard's events were answered ${stream.status}`)
      for await (const _ of stream.body ?? []) tally.done.events = (tally.done.events ?? 0) + 1
    } catch {
      // It was killed, or the time to listen was over.
    }
    await sleep(300)
  }
}

interface Seen {
  readonly memory: ReadonlyArray<Sample>
  readonly handles: ReadonlyArray<Sample>
  readonly children: ReadonlyArray<Sample>
}

const values = (samples: ReadonlyArray<Sample>) => samples.map(({ value }) => value)

const linesOf = (name: string, { children, handles, memory }: Seen): ReadonlyArray<Figure> => {
  const grown = growth(memory)
  const most = Math.max(30, 0.12 * median(values(memory)))
  const opened = growth(handles)
  return [
    {
      what: `${name}: memory`,
      value: `${median(values(memory)).toFixed(0)} MB, ${grown < 0 ? "" : "+"}${grown.toFixed(1)} MB`,
      bound: `≤ +${most.toFixed(0)} MB`,
      isWell: memory.length > 5 && grown <= most
    },
    {
      what: `${name}: handles`,
      value: `${median(values(handles))}, ${opened < 0 ? "" : "+"}${opened.toFixed(1)}, at most ${Math.max(...values(handles))}`,
      bound: "≤ +12",
      isWell: opened <= 12
    },
    {
      what: `${name}: processes below`,
      value: `at most ${Math.max(...values(children))}`,
      bound: "≤ 60",
      isWell: Math.max(...values(children)) <= 60
    }
  ]
}

/** Runs it, and says what came of it. */
export const soak = async ({ folder, minutes, told }: Options): Promise<ReadonlyArray<Figure>> => {
  const bin = `${folder}/dist/bin.js`
  for (const name of ["engine", "project", "project/pipelines", "project/out", "project/data", "tmp"])
    mkdirSync(`${folder}/${name}`)
  const root = `${folder}/project`
  const site = await ground()
  writeFileSync(`${root}/pipelines/${pipeline}.yaml`, definition(site.url))
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const base = { PATH: process.env.PATH ?? "", TMPDIR: `${folder}/tmp`, NO_COLOR: "1" }
  const hasUi = execFileSync(process.execPath, [bin, "--help"], { encoding: "utf8", env: base }).includes("\n  ui ")
  const engineEnv = {
    ...base,
    SLUICE_ALLOW_NETWORKS: "127.0.0.0/8",
    SLUICE_ENGINE_KEYS: `load:${keys.first},others/stranger:${keys.stranger},daemon/daemon:${keys.second}`,
    ...(chromium === undefined ? {} : { SLUICE_CHROMIUM: chromium }),
    ...(chromiumSandbox ? {} : { SLUICE_CHROMIUM_NO_SANDBOX: "1" })
  }
  const daemonEnv = { ...base, SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: keys.second }
  const engine = part({
    name: "engine",
    bin,
    words: ["serve", "--port", String(port), "--data", `${folder}/engine`, "--json"],
    cwd: folder,
    env: engineEnv
  })
  const daemon = part({
    name: "daemon",
    bin,
    words: ["schedule", "pipelines", "--json", "--data", `${root}/data`, "--out", root],
    cwd: root,
    env: daemonEnv
  })
  const ui = part({
    name: "dashboard",
    bin,
    words: ["ui", "--port", "0", "--data", `${root}/data`, "--json"],
    cwd: root,
    env: daemonEnv
  })
  const parts = [engine, daemon, ...(hasUi ? [ui] : [])]
  for (const one of parts) await one.start()
  await sleep(2_000)
  const idle = handlesOf(engine.pid() ?? 0)

  const begun = performance.now()
  const end = begun + minutes * 60_000
  const calm = begun + turmoil * minutes * 60_000
  const measured = calm + warmUp * (end - calm)
  const isOver = () => performance.now() > end
  const tally: Tally = { done: {}, credits: 0, faults: [] }
  const place: Place = {
    baseUrl,
    site: site.url,
    key: keys.first,
    other: keys.stranger,
    hasBrowser: chromium !== undefined,
    isOver
  }
  const seen = new Map(
    parts.map(({ name }) => [
      name,
      { memory: [] as Array<Sample>, handles: [] as Array<Sample>, children: [] as Array<Sample> }
    ])
  )
  const waits: Array<number> = []
  let kills = 0

  const look = async () => {
    while (!isOver()) {
      await sleep(lookEvery)
      if (performance.now() < measured) continue
      const at = (performance.now() - begun) / 1000
      for (const { name, pid } of parts) {
        const id = pid()
        if (id === undefined) tally.faults.push(`${name} has gone by itself`)
        else {
          seen.get(name)?.memory.push({ at, value: memoryOf(id) })
          seen.get(name)?.handles.push({ at, value: handlesOf(id) })
          seen.get(name)?.children.push({ at, value: childrenOf(id) })
        }
      }
      const asked = performance.now()
      await fetch(`${baseUrl}/health`).then((response) => response.text())
      waits.push(performance.now() - asked)
    }
  }
  const disturb = async () => {
    const victims = [engine, daemon, engine, ...(hasUi ? [ui] : [])]
    while (performance.now() + killEvery < calm) {
      await sleep(killEvery)
      const victim = victims[kills++ % victims.length] ?? engine
      told(`${Math.round((performance.now() - begun) / 1000)} s: kills the ${victim.name}`)
      await victim.kill()
      await sleep(300)
      await victim.start()
    }
  }
  await Promise.all([load(place, tally), look(), disturb(), ...(hasUi ? [listen(ui, tally, isOver)] : [])])

  told("ends")
  // Connections, parser processes and sessions without a client expire.
  const patience = performance.now() + 120_000
  let rest = handlesOf(engine.pid() ?? 0)
  while (rest > idle + 6 && performance.now() < patience) {
    await sleep(1_000)
    rest = handlesOf(engine.pid() ?? 0)
  }
  const stops: Array<string> = [`daemon ${await daemon.stop()}`]
  const rows = Array.from({ length: pages }, (_, index) => `tide ${index + 1}`)
  const scheduledTimes = scheduled({ bin, root, env: daemonEnv, pipeline, every, rows })
  tally.faults.push(...scheduledTimes.faults.slice(0, 20))
  tally.faults.push(...(await quiet(place, keys.first, tally.credits)))
  tally.faults.push(...(await quiet(place, keys.second, scheduledTimes.credits)))
  if (hasUi) stops.push(`dashboard ${await ui.stop()}`)
  stops.push(`engine ${await engine.stop()}`)
  site.close()
  await sleep(2_000)
  const orphans = naming(folder)
  const left = readdirSync(`${folder}/tmp`)
  const store = statSync(`${folder}/engine/engine.db`).size / 2 ** 20
  for (const { name, said } of parts) {
    const odd = said()
      .split("\n")
      .filter((line) => /an unexpected error|unhandled|UncaughtException/i.test(line))
    if (odd.length > 0) tally.faults.push(`${name}: ${odd[0]}`)
  }
  for (const fault of [...tally.faults, ...orphans]) told(`FAULT ${fault}`)
  const slowest = Math.max(...waits)
  return [
    ...Object.entries(tally.done).map(([what, count]) => ({
      what,
      value: String(count),
      bound: "> 0",
      isWell: count > 0
    })),
    {
      what: "runs of the schedule",
      value: `${scheduledTimes.runs}, ${scheduledTimes.waiting} waiting, ${scheduledTimes.rejects} rows rejected`,
      bound: "> 0",
      isWell: scheduledTimes.runs > 0
    },
    { what: "pages asked of the sites", value: String(site.asked()), bound: "", isWell: true },
    { what: "credits owed and charged", value: String(tally.credits), bound: "", isWell: true },
    { what: "kills", value: String(kills), bound: "", isWell: true },
    ...parts.flatMap(({ name }) => linesOf(name, seen.get(name) ?? { memory: [], handles: [], children: [] })),
    {
      what: "answers to /health",
      value: `${median(waits).toFixed(0)} ms, at most ${slowest.toFixed(0)} ms`,
      bound: "≤ 10000 ms",
      isWell: slowest <= 10_000
    },
    { what: "engine: handles at rest", value: `${idle} → ${rest}`, bound: "≤ +6", isWell: rest <= idle + 6 },
    { what: "store", value: `${store.toFixed(0)} MB`, bound: "", isWell: true },
    { what: "stopped with", value: stops.join(", "), bound: "no kill", isWell: !stops.join().includes("not within") },
    { what: "processes left", value: String(orphans.length), bound: "0", isWell: orphans.length === 0 },
    {
      what: "temporary files left",
      value: left.length === 0 ? "0" : left.slice(0, 3).join(" "),
      bound: "0",
      isWell: left.length === 0
    },
    {
      what: "lost, doubled or wrong",
      value: String(tally.faults.length),
      bound: "0",
      isWell: tally.faults.length === 0
    }
  ]
}
