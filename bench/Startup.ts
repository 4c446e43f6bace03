/**
 * Time until the first output: the built executable against an empty Node script, in turns. Then `sluice serve` over new data folders: until it
 * answers, what it holds while idle, and its first scrape.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { bin, folderFor, key, ready, remove, stop, wall } from "./Measure/Programs.ts"

const rounds = 25
const engines = 5

/** Milliseconds of waiting, of users who start an engine and then use it. */
const pause = 1_500
/** Milliseconds after which V8 has given back what an idle process does not need. */
const idle = 25_000

/** It declares no language, so the first scrape loads the detector, too. */
const page = `<title>A page</title><main>${"<p>A paragraph of some words, with <a href=/other>a link</a>.</p>".repeat(50)}</main>`

/** MB that a process holds. */
const held = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1_024

const start = async () => {
  const folder = folderFor()
  const begin = performance.now()
  const { child, line } = await ready([bin, "serve", "--port", "0", "--data", join(folder, "data"), "--json"], {
    cwd: folder,
    env: { SLUICE_ENGINE_KEYS: `bench:${key}`, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
  })
  const { baseUrl } = JSON.parse(line) as { readonly baseUrl: string }
  await (await fetch(`${baseUrl}/health`)).arrayBuffer()
  const time = performance.now() - begin
  const end = () => stop(child).then(() => remove(folder))
  return { baseUrl, end, pid: child.pid ?? 0, time }
}

const firstScrape = async (baseUrl: string, url: string): Promise<number> => {
  const begin = performance.now()
  const answer = await fetch(`${baseUrl}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url, formats: ["markdown"] })
  })
  const { success } = (await answer.json()) as { readonly success: boolean }
  if (!success) throw new Error(`the scrape failed with ${answer.status}`)
  return performance.now() - begin
}

const serve = async () => {
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(page))
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  const { port } = site.address() as AddressInfo
  const [times, scrapes]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < engines; round++) {
    const { baseUrl, end, time } = await start()
    times.push(time)
    await sleep(pause)
    scrapes.push(await firstScrape(baseUrl, `http://127.0.0.1:${port}/`))
    await end()
  }
  site.close()
  const { end, pid } = await start()
  await sleep(idle)
  const memory = held(pid)
  await end()
  return [
    atMost("sluice serve until it answers", median(times), "ms", 400),
    atMost("sluice serve while idle", memory, "MB", 80),
    atMost("first scrape", median(scrapes), "ms", 100)
  ]
}

export const bench: Bench = {
  name: "start-up",
  run: async () => {
    const folder = folderFor()
    const empty = join(folder, "empty.mjs")
    writeFileSync(empty, "")
    const ratios = Array.from({ length: rounds }, () => {
      const bare = wall(empty)
      return wall(bin, "--help") / bare
    })
    remove(folder)
    return [atMost("sluice --help / an empty node script", median(ratios), "×", 2.5), ...(await serve())]
  }
}
