/**
 * Cost of telemetry: a run that crawls 600 pages, engine included, with a collector against without, in turns
 * and as whole processes. `BENCH_BEFORE` may name another build, to measure telemetry that is built in but not enabled.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { atMost, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { bin, folderFor, ready, remove, run, stop } from "./Measure/Programs.ts"

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const before = process.env.BENCH_BEFORE === undefined ? undefined : resolve(process.env.BENCH_BEFORE, "bin.js")
const pages = 600
const rounds = 7

const definition = (site: string) => `version: 1
name: crawl
steps:
  - crawl: { url: "${site}/", limit: ${pages}, scrapeOptions: { formats: [markdown] } }
  - select: { url: metadata.sourceURL, markdown: markdown }
  - write: { jsonl: out.jsonl, mode: replace }
`

/** Milliseconds of processor time of one run. */
const crawl = (folder: string, build: string, env: Readonly<Record<string, string>> = {}): number => {
  const data = mkdtempSync(join(folder, "data-"))
  const { cpu } = run(folder, [build, "run", "crawl.yaml", "--quiet"], {
    env: { SLUICE_DATA: data, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", ...env }
  })
  remove(data)
  const written = readFileSync(join(folder, "out.jsonl"), "utf8").trimEnd().split("\n").length
  if (written !== pages) throw new Error(`${written} pages were written, not ${pages}`)
  return cpu
}

export const bench: Bench = {
  name: "telemetry",
  run: async () => {
    const folder = folderFor("memory")
    const { child, line: site } = await ready([here("./Crawl/site.mjs"), String(pages)])
    const to = await ready([here("./Telemetry/collector.mjs")])
    try {
      writeFileSync(join(folder, "crawl.yaml"), definition(site))
      const turns = Array.from({ length: rounds }, () => ({
        off: crawl(folder, bin),
        on: crawl(folder, bin, { OTEL_EXPORTER_OTLP_ENDPOINT: to.line }),
        before: before === undefined ? Number.NaN : crawl(folder, before)
      }))
      const bytes = Number(await (await fetch(to.line)).text())
      const of = medianOf(turns)
      return [
        atMost(
          "CPU of a crawl with a collector / without",
          of(({ off, on }) => on / off),
          "×",
          1.15
        ),
        noted("what a page sends", bytes / rounds / pages / 1024, "kB"),
        ...(before === undefined
          ? []
          : [
              atMost(
                "CPU without a collector / the build before",
                of(({ before, off }) => off / before),
                "×",
                1.02
              )
            ])
      ]
    } finally {
      await Promise.all([stop(child), stop(to.child)])
      remove(folder)
    }
  }
}
