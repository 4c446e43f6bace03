/**
 * What settings of the process are worth: the growth limit of the heap, code that is kept compiled, and the trim threshold of the C library.
 * The last two need Node 22.15; with an older one they are left out.
 */
import { spawnSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { atLeast, atMost, type Bench, type Figure, median } from "./Measure/Figures.ts"
import { bin, folderFor, key, ready, remove, stop } from "./Measure/Programs.ts"

const [rounds, starts] = [3, 11]
const paragraph = "<p>A paragraph of some words, with <a href=/other>a link</a> and more of it.</p>"

/** Runs the work with the address of a site whose pages have so many paragraphs. */
const withSite = async <A>(paragraphs: number, work: (origin: string) => Promise<A>): Promise<A> => {
  const site = createServer(({ url }, answer) =>
    answer
      .setHeader("content-type", "text/html")
      .end(`<html lang="en"><main>${paragraph.repeat(paragraphs)}${url}</main>`)
  )
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  return work(`http://127.0.0.1:${(site.address() as AddressInfo).port}`).finally(() => site.close())
}

/** MB by a field of `/proc`: `VmRSS` now, `VmHWM` at most. */
const held = (pid: number, field: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024

/** Memory of an engine after a batch of so many pages, and what it held at most. */
const afterBatch = async (
  program: string,
  origin: string,
  pages: number,
  settle: number,
  env: Record<string, string> = {}
) => {
  const folder = folderFor()
  const { child, line } = await ready([program, "serve", "--port", "0", "--data", join(folder, "data"), "--json"], {
    cwd: folder,
    env: { SLUICE_ENGINE_KEYS: `bench:${key}`, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", ...env }
  })
  const { baseUrl } = JSON.parse(line) as { readonly baseUrl: string }
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const urls = Array.from({ length: pages }, (_, at) => `${origin}/${at}`)
  const body = JSON.stringify({ urls, maxAge: 0, maxConcurrency: 4 })
  const started = await fetch(`${baseUrl}/v2/batch/scrape`, { method: "POST", headers, body })
  const { id } = (await started.json()) as { readonly id: string }
  for (let status = "scraping"; status === "scraping"; await sleep(200)) {
    const answer = await fetch(`${baseUrl}/v2/batch/scrape/${id}?skip=${pages - 1}`, { headers })
    ;({ status } = (await answer.json()) as { status: string })
  }
  await sleep(settle)
  const memory = { now: held(child.pid ?? 0, "VmRSS"), most: held(child.pid ?? 0, "VmHWM") }
  await stop(child)
  remove(folder)
  return memory
}

/** Median of the shares that the second way has of the first, in turns. */
const share = async (times: number, first: () => Promise<number>, second: () => Promise<number>): Promise<number> => {
  const shares: Array<number> = []
  for (let round = 0; round < times; round++) {
    const one = await first()
    shares.push((await second()) / one)
  }
  return median(shares)
}

/** A copy of the build that leaves the growth of the heap to V8. */
const unlimited = (folder: string): string => {
  cpSync(dirname(bin), folder, { recursive: true })
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".js"))) {
    const text = readFileSync(join(folder, name), "utf8")
    if (text.includes("--heap-growing-percent=")) {
      writeFileSync(join(folder, name), text.replace(/--heap-growing-percent=\$\{\w+\}/, "--no-trace-gc"))
    }
  }
  return join(folder, "bin.js")
}

const heap = async (): Promise<Figure> => {
  const folder = join(dirname(bin), `../node_modules/.cache/bench-unlimited-${process.pid}`)
  const copy = unlimited(folder)
  const most = (program: string) => () =>
    withSite(600, async (origin) => (await afterBatch(program, origin, 600, 0)).most)
  const value = await share(rounds, most(copy), most(bin)).finally(() => remove(folder))
  return atMost("memory of a batch of 600 pages with a limit on the heap's growth, as a share", value, "", 0.9)
}

/** Milliseconds until `sluice check` has ended. */
const check = (env: Record<string, string>) => async (): Promise<number> => {
  const begin = performance.now()
  spawnSync(process.execPath, [bin, "check", "pipelines/usage-report.yaml"], { env: { ...process.env, ...env } })
  return performance.now() - begin
}

const compiled = async (): Promise<Figure> => {
  await check({})()
  const value = await share(starts, check({}), check({ NODE_DISABLE_COMPILE_CACHE: "1" }))
  return atLeast("time of sluice check without compiled code that was kept, as a share", value, "", 1.1)
}

/** 24 pages of 2 MB, and 15 seconds of rest. With the option of an inspector, `sluice serve` does not replace itself. */
const trim = async (): Promise<Figure> => {
  const now = (env: Record<string, string>) => () =>
    withSite(25_000, async (origin) => (await afterBatch(bin, origin, 24, 15_000, env)).now)
  const value = await share(
    rounds,
    now({ NODE_OPTIONS: "--inspect-port=0" }),
    now({ MALLOC_TRIM_THRESHOLD_: "131072" })
  )
  return atMost("memory after 24 pages of 2 MB with the trim threshold, as a share", value, "", 0.9)
}

export const bench: Bench = {
  name: "process",
  run: async () => ["execve" in process ? [await compiled(), await trim()] : [], await heap()].flat()
}
