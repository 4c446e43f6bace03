/** How long people wait before anything happens: the built executable against an empty script of node, in turns. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { globSync } from "tinyglobby"

const root = fileURLToPath(new URL("..", import.meta.url))
const bin = join(root, "dist", "bin.js")
const rounds = 25

/** A definition of about 300 lines: every kind of step that a branch may have. */
const definition = [
  "version: 1",
  "name: long",
  "inputs:",
  '  query: { type: string, default: "open source" }',
  "steps:",
  ...Array.from({ length: 19 }, (_, index) => [
    `  - id: found${index}`,
    ...(index === 0 ? [] : [`    after: written${index - 1}`]),
    "    search:",
    '      query: "${{ inputs.query }}"',
    "      limit: 50",
    "  - where: $length(title) > 3 and $contains(url, /^https:/)",
    "  - dedupe: { key: $canonicalUrl(url) }",
    "  - select:",
    "      url: url",
    "      title: $uppercase(title)",
    "      host: $host(url)",
    "  - limit: 20",
    `  - id: written${index}`,
    "    write:",
    `      jsonl: found-${index}.jsonl`,
    "      mode: replace"
  ]).flat()
].join("\n")

/** The executable as it ships, built again when a source is newer. */
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
  name: "start-up",
  run: () => {
    build()
    const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"))
    const [empty, pipeline] = [join(folder, "empty.mjs"), join(folder, "long.yaml")]
    writeFileSync(empty, "")
    writeFileSync(pipeline, definition)
    const turns = Array.from({ length: rounds }, () => ({
      empty: time(empty),
      help: time(bin, "--help"),
      check: time(bin, "check", pipeline)
    }))
    rmSync(folder, { recursive: true })
    const help = median(turns.map(({ empty, help }) => help / empty))
    const check = median(turns.map(({ check, empty }) => check / empty))
    return Promise.resolve([
      { metric: "sluice --help / an empty node script", value: help, unit: "×", target: "≤ 2.5", reached: help <= 2.5 },
      {
        metric: `sluice check, ${definition.split("\n").length} lines / an empty node script`,
        value: check,
        unit: "×",
        target: "≤ 8",
        reached: check <= 8
      }
    ])
  }
}
