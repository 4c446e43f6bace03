/** Time to resume a killed run of a hundred thousand pages: from the start of the process to the next row. */
import { spawn } from "node:child_process"
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { bin, ended, folderFor, ready, remove } from "./Measure/Programs.ts"

const server = fileURLToPath(new URL("./Resume/server.mjs", import.meta.url))
const pages = 100_000
const rounds = 3

const definition = `version: 1
name: resumed
steps:
  - crawlStatus: { id: 01890f47-3c4b-7aee-8b2e-6a1d0f1c2b3a }
  - dedupe: { key: $canonicalUrl(metadata.sourceURL) }
  - write: { jsonl: pages.jsonl }
`

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Waits, at most for a minute. */
const until = async (holds: () => boolean, what: string) => {
  const begin = performance.now()
  while (!holds()) {
    if (performance.now() - begin > 60_000) throw new Error(`waited in vain: ${what}`)
    await pause()
  }
}

const once = async (): Promise<number> => {
  const folder = folderFor()
  const { child: service, line: address } = await ready([server, String(pages), "1000"])
  try {
    const file = join(folder, "resumed.yaml")
    writeFileSync(file, definition)
    const env = {
      ...process.env,
      SLUICE_BASE_URL: address,
      SLUICE_API_KEY: "fc-bench",
      SLUICE_DATA: join(folder, "data")
    }
    const start = (...words: ReadonlyArray<string>) =>
      spawn(process.execPath, [bin, ...words], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] })
    const partial = () => readdirSync(folder).find((name) => name.endsWith(".partial"))
    const size = () => {
      const name = partial()
      return name === undefined ? 0 : statSync(join(folder, name)).size
    }
    const first = start("run", file)
    // All pages are written when the file has stopped growing, and are committed two seconds later at the latest.
    let [last, same] = [-1, 0]
    await until(() => {
      const now = size()
      same = now > 0 && now === last ? same + 1 : 0
      last = now
      return same > 600
    }, "the first hundred thousand pages")
    first.kill("SIGKILL")
    await ended(first)
    const run = partial()?.split(".").at(-2) ?? ""
    await fetch(`${address}/go`, { method: "POST" })
    const before = size()
    const begin = performance.now()
    const second = start("resume", run)
    await until(() => partial() === undefined || size() > before, "the first row after the resume")
    const taken = performance.now() - begin
    await ended(second)
    return taken
  } finally {
    service.kill()
    remove(folder)
  }
}

export const bench: Bench = {
  name: "resume",
  run: async () => {
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) times.push(await once())
    return [atMost("resume of 100,000 pages, start of the process to the next row", median(times) / 1000, "s", 2)]
  }
}
