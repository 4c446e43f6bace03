/** Rows from a file through where and select into a file, commits included, against a script written by hand; as whole processes. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const here = (name: string) => fileURLToPath(new URL(`./Flow/${name}`, import.meta.url))
const bin = join(root, "dist", "bin.js")
const rows = 300_000
const rounds = 5

interface Usage {
  /** Milliseconds. */
  readonly cpu: number
  /** MB, the highest. */
  readonly rss: number
}

const select = "{ url: metadata.sourceURL, title: metadata.title, words: words"

/** The same work in three ways of saying it. */
const definitions = {
  jsonl: `where: metadata.statusCode = 200 and $length(markdown) > 200
  - select: ${select}, markdown: markdown }
  - write: { jsonl: out.jsonl }`,
  csv: `where: metadata.statusCode = 200 and $length(markdown) > 200
  - select: ${select} }
  - write: { csv: out.csv, columns: { url: string, title: string, words: integer } }`,
  // A function of one's own is what no closure is made for.
  jsonata: `where: ($long := function($t) { $length($t) > 200 }; metadata.statusCode = 200 and $long(markdown))
  - select: ${select}, markdown: markdown }
  - write: { jsonl: out.jsonl }`
}

/** `cwd` is where the program finds its modules. */
const run = (folder: string, words: ReadonlyArray<string>, cwd = folder): Usage => {
  const usage = join(folder, "usage.json")
  const { status, stderr } = spawnSync(process.execPath, ["--import", here("usage.mjs"), ...words], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, BENCH_USAGE: usage, SLUICE_DATA: join(folder, "data") }
  })
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`)
  return JSON.parse(readFileSync(usage, "utf8")) as Usage
}

const makeInput = async (path: string) => {
  const out = createWriteStream(path)
  const text = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(6)
  for (let index = 0; index < rows; index++) {
    const row = {
      markdown: index % 5 === 0 ? "short" : text,
      words: index % 977,
      metadata: {
        sourceURL: `https://example.com/${index}`,
        title: `Page "${index}"`,
        statusCode: index % 7 === 0 ? 404 : 200
      }
    }
    if (!out.write(`${JSON.stringify(row)}\n`)) await new Promise<void>((resolve) => out.once("drain", () => resolve()))
  }
  out.end()
  await finished(out)
}

const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")
const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

export const bench = {
  name: "flow",
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"))
    try {
      await makeInput(join(folder, "in.jsonl"))
      const ours = (kind: keyof typeof definitions) => {
        const file = join(folder, `${kind}.yaml`)
        const steps = `  - read: in.jsonl\n  - ${definitions[kind]}`
        writeFileSync(file, `version: 1\nname: flow\nsteps:\n${steps}\n`)
        return run(folder, [bin, "run", file, "--quiet"])
      }
      const bare = (format: "jsonl" | "csv") =>
        run(folder, [here("bare.mjs"), join(folder, "in.jsonl"), join(folder, `bare.${format}`), format], root)
      const turns = Array.from({ length: rounds }, () => ({
        bareJsonl: bare("jsonl"),
        jsonl: ours("jsonl"),
        bareCsv: bare("csv"),
        csv: ours("csv"),
        jsonata: ours("jsonata")
      }))
      for (const format of ["jsonl", "csv"]) {
        if (digest(join(folder, `out.${format}`)) !== digest(join(folder, `bare.${format}`)))
          throw new Error(`the two ways wrote different ${format}`)
      }
      const jsonl = median(turns.map(({ bareJsonl, jsonl }) => bareJsonl.cpu / jsonl.cpu))
      const csv = median(turns.map(({ bareCsv, csv }) => bareCsv.cpu / csv.cpu))
      const jsonata = median(turns.map(({ bareJsonl, jsonata }) => bareJsonl.cpu / jsonata.cpu))
      const speed = median(turns.map(({ jsonl }) => (rows * 1000) / jsonl.cpu))
      const goal = { unit: "×", target: "≥ 0.50" }
      return [
        { ...goal, metric: "JSONL → where → select → JSONL, CPU by hand / ours", value: jsonl, reached: jsonl >= 0.5 },
        { ...goal, metric: "JSONL → where → select → CSV, CPU by hand / ours", value: csv, reached: csv >= 0.5 },
        {
          metric: "the same with a where that only JSONata can evaluate",
          value: jsonata,
          unit: "×",
          target: "none",
          reached: true
        },
        {
          metric: "peak RSS of the first",
          value: median(turns.map(({ jsonl }) => jsonl.rss)),
          unit: "MB",
          target: "none",
          reached: true
        },
        { metric: "rows for a second of CPU", value: speed, unit: "rows", target: "none", reached: true }
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
