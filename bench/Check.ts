/** How long `sluice check` takes for a long definition, as a process: the built executable against an empty script of node. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { globSync } from "tinyglobby"

const root = fileURLToPath(new URL("..", import.meta.url))
const bin = join(root, "dist", "bin.js")
const rounds = 10

/** Every kind of value: texts, numbers, settled values, expressions that are paths and such that are none, nested options. */
const branch = (index: number): ReadonlyArray<string> => [
  `  - id: found${index}`,
  ...(index === 0 ? [] : [`    after: written${index - 1}`]),
  "    search:",
  '      query: "${{ inputs.query }} site:example.com"',
  '      limit: "${{ inputs.limit }}"',
  "      sources: [web, news]",
  "    retry: { times: 3, on: [429, 5xx, timeout] }",
  "  - dedupe: { key: $canonicalUrl(url) }",
  "  - batchScrape:",
  "      url: { expr: url }",
  "      formats: [markdown, links]",
  "      onlyMainContent: true",
  "    onError: { reject: true, stopAfter: 5% }",
  "  - where: metadata.statusCode = 200 and $length(markdown) > 200",
  "  - select:",
  "      url: metadata.sourceURL",
  "      title: metadata.title ?? $source.title",
  `      words${index}: $count($split(markdown, /\\s+/))`,
  "      host: $host(metadata.sourceURL)",
  "  - limit: 20",
  `  - id: written${index}`,
  "    write:",
  `      csv: out/found-${index}.csv`,
  `      columns: { url: string, title: string, words${index}: integer, host: string }`
]

export const definition = [
  "version: 1",
  "name: long",
  "description: A definition of three hundred lines.",
  "inputs:",
  "  query: { type: string, default: open source }",
  "  limit: { type: integer, default: 20, minimum: 1, maximum: 100 }",
  "steps:",
  ...Array.from({ length: 12 }, (_, index) => branch(index)).flat(),
  ""
]
  .slice(0, 300)
  .join("\n")

const build = () => {
  const time = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const newest = Math.max(...globSync("src/**/*.ts", { cwd: root, absolute: true }).map(time))
  if (time(bin) < newest) spawnSync(process.execPath, ["build.mjs"], { cwd: root, stdio: "ignore" })
}

/** Wall milliseconds of a process that must end well. */
const time = (...words: ReadonlyArray<string>): number => {
  const begin = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" })
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${stderr}`)
  return performance.now() - begin
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

export const bench = {
  name: "check",
  run: () => {
    build()
    const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"))
    const [empty, pipeline] = [join(folder, "empty.mjs"), join(folder, "long.yaml")]
    writeFileSync(empty, "")
    writeFileSync(pipeline, definition)
    // In turns, so that what else the machine does meets both.
    const turns = Array.from({ length: rounds }, () => ({ empty: time(empty), check: time(bin, "check", pipeline) }))
    rmSync(folder, { recursive: true })
    const check = median(turns.map((turn) => turn.check))
    const ratio = median(turns.map((turn) => turn.check / turn.empty))
    const lines = definition.split("\n").length
    return Promise.resolve([
      { metric: `sluice check, ${lines} lines`, value: check, unit: "ms", target: "≤ 300", reached: check <= 300 },
      {
        metric: `sluice check, ${lines} lines / an empty node script`,
        value: ratio,
        unit: "×",
        target: "≤ 5",
        reached: ratio <= 5
      }
    ])
  }
}
