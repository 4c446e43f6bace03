/** One answer of an API with 300 MB of rows into a file: memory above that of a run with one row. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atMost, type Bench, noted } from "./Measure/Figures.ts"
import { bin, folderFor, ready, remove, run, stop } from "./Measure/Programs.ts"

export const bench: Bench = {
  name: "requestLarge",
  run: async () => {
    const folder = folderFor()
    const api = await ready([fileURLToPath(new URL("./Request/large.mjs", import.meta.url))])
    try {
      const env = { SLUICE_DATA: join(folder, "data"), SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
      const read = (path: string) => {
        const file = join(folder, `${path}.yaml`)
        const steps = `  - request: { url: "${api.line}/${path}", rows: data.items, timeout: 600000 }\n  - write: { jsonl: ${path}.jsonl }`
        writeFileSync(file, `version: 1\nname: ${path}\nsteps:\n${steps}\n`)
        return run(folder, [bin, "run", file, "--quiet"], { env })
      }
      const [small, large] = [read("small"), read("large")]
      return [
        atMost("an answer of 300 MB, peak above a run with one row", large.rss - small.rss, "MB", 150),
        noted("CPU for it", large.cpu / 1000, "s")
      ]
    } finally {
      await stop(api.child)
      remove(folder)
    }
  }
}
