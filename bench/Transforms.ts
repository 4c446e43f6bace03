/**
 * `sort`, `join`, `aggregate` and `dedupe` over 2,000,000 rows (200 MB of JSONL), which do not fit into their memory, as whole processes
 * from file to file. DuckDB, SQLite and `sort` of the system do the same in the same run. `dedupe` across runs sees the same rows twice.
 *
 * `BENCH_ROWS` is another number of rows; `BENCH_ONLY` names the transforms that run.
 */
import { execFileSync } from "node:child_process"
import { createWriteStream, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { atMost, type Bench, type Figure, noted } from "./Measure/Figures.ts"
import { type Measured, measure } from "./Measure/ProcessTree.ts"
import { bin, folderFor, remove } from "./Measure/Programs.ts"

const rows = Number(process.env.BENCH_ROWS ?? 2_000_000)
const only = process.env.BENCH_ONLY?.split(",")
const duckdb = fileURLToPath(new URL("./Transforms/duckdb.mjs", import.meta.url))
const sqlite = fileURLToPath(new URL("./Transforms/sqlite.mjs", import.meta.url))

/** Numbers that look random, the same in each run. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const writeRows = async (path: string, count: number, row: (index: number) => object) => {
  const out = createWriteStream(path)
  for (let index = 0; index < count; index++) {
    if (!out.write(`${JSON.stringify(row(index))}\n`)) await new Promise<void>((resume) => out.once("drain", resume))
  }
  out.end()
  await finished(out)
}

const makeInputs = async (folder: string) => {
  const next = random(7)
  const id = () => Math.floor(next() * rows)
  await writeRows(join(folder, "in.jsonl"), rows, (index) => ({
    url: `https://example.com/${id()}/${index % 97}`,
    host: `h${id() % 5000}.example.com`,
    words: Math.floor(next() * 10_000),
    price: Math.round(next() * 100_000) / 100,
    id: id()
  }))
  await writeRows(join(folder, "right.jsonl"), rows / 2, (index) => ({ id: index * 2, title: `Title ${index}` }))
}

interface Transform {
  readonly name: string
  readonly step: string
  readonly sql: string
  /** Seconds of wall time. */
  readonly seconds: number
  /** MB. */
  readonly memory?: number
}

const json = (name: string) => `(FROM read_json('${name}', format = 'newline_delimited')) AS "${name}"`

const transforms: ReadonlyArray<Transform> = [
  {
    name: "sort",
    step: "sort: { by: [{ expr: words, order: desc }, url] }",
    sql: `SELECT * FROM ${json("in.jsonl")} ORDER BY words DESC, url`,
    seconds: 25,
    memory: 300
  },
  {
    name: "join",
    step: "join: { file: right.jsonl, on: { left: id, right: id }, type: inner }",
    sql: `SELECT * FROM ${json("in.jsonl")} JOIN ${json("right.jsonl")} USING (id)`,
    seconds: 30
  },
  {
    name: "aggregate",
    step: "aggregate: { by: host, measures: { pages: count, words: { sum: words }, dearest: { max: price } } }",
    sql: `SELECT host, count(*), sum(words), max(price) FROM ${json("in.jsonl")} GROUP BY host ORDER BY host`,
    seconds: 10
  },
  {
    name: "dedupe",
    step: "dedupe: { key: url }",
    sql: `SELECT DISTINCT ON (url) * FROM ${json("in.jsonl")}`,
    seconds: 12
  }
]

const checked = (what: string, usage: Measured): Measured => {
  if (usage.status !== 0) throw new Error(`${what} ended with ${usage.status}: ${usage.output.slice(-500)}`)
  return usage
}

const linesOf = (path: string): number =>
  Number(execFileSync("wc", ["-l", path], { encoding: "utf8" }).trim().split(" ")[0])

const described = (name: string, { cpu, rss, wall }: Measured): ReadonlyArray<Figure> => [
  noted(`${name}: wall`, wall, "s"),
  noted(`${name}: CPU`, cpu / 1000, "s"),
  noted(`${name}: peak memory`, rss, "MB")
]

const figuresOf = async (folder: string, { memory, name, seconds, sql, step }: Transform) => {
  const file = join(folder, `${name}.yaml`)
  const steps = `  - read: in.jsonl\n  - ${step}\n  - write: { jsonl: out.jsonl }`
  writeFileSync(file, `version: 1\nname: ${name}\nsteps:\n${steps}\n`)
  const env = { SLUICE_DATA: join(folder, "data") }
  const ours = checked(name, await measure(process.execPath, [bin, "run", file, "--quiet"], { cwd: folder, env }))
  const theirs = checked("DuckDB", await measure(process.execPath, [duckdb, sql, "duckdb.jsonl"], { cwd: folder }))
  const tables = checked("SQLite", await measure(process.execPath, [sqlite, name, "sqlite.jsonl"], { cwd: folder }))
  if (tables.output !== "") console.log(`${name} by SQLite: ${tables.output.trim()}`)
  const own = linesOf(join(folder, "out.jsonl"))
  for (const [what, other] of [
    ["DuckDB", "duckdb.jsonl"],
    ["SQLite", "sqlite.jsonl"]
  ] as const) {
    const count = linesOf(join(folder, other))
    if (own !== count) throw new Error(`${name} gave ${own} rows, ${what} ${count}`)
  }
  return [
    atMost(`${name}: wall`, ours.wall, "s", seconds),
    ...(memory === undefined
      ? [noted(`${name}: peak memory`, ours.rss, "MB")]
      : [atMost(`${name}: peak memory`, ours.rss, "MB", memory)]),
    noted(`${name}: CPU`, ours.cpu / 1000, "s"),
    ...described(`${name} by DuckDB`, theirs),
    ...described(`${name} by SQLite`, tables)
  ]
}

/** The same rows in two runs: the first keeps all in its state, the second finds all of them unchanged. */
const acrossRuns = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const file = join(folder, "across.yaml")
  const steps = "  - read: in.jsonl\n  - dedupe: { key: url, across: runs }\n  - write: { jsonl: across.jsonl }"
  writeFileSync(file, `version: 1\nname: across\nsteps:\n${steps}\n`)
  const env = { SLUICE_DATA: join(folder, "across") }
  const run = async () =>
    checked("dedupe across runs", await measure(process.execPath, [bin, "run", file, "--quiet"], { cwd: folder, env }))
  const first = await run()
  const second = await run()
  return [
    noted("dedupe across runs, first: CPU of a row", (first.cpu * 1000) / rows, "µs"),
    atMost("dedupe across runs, second: CPU of a row", (second.cpu * 1000) / rows, "µs", 10),
    noted("dedupe across runs, second: peak memory", second.rss, "MB")
  ]
}

export const bench: Bench = {
  name: "transforms",
  run: async () => {
    const folder = folderFor()
    try {
      await makeInputs(folder)
      const figures: Array<Figure> = []
      for (const each of transforms) {
        if (only === undefined || only.includes(each.name)) figures.push(...(await figuresOf(folder, each)))
      }
      if (only === undefined || only.includes("across")) figures.push(...(await acrossRuns(folder)))
      const words = ["-o", "sorted", "in.jsonl"]
      const usage = await measure("sort", words, { cwd: folder, env: { LC_ALL: "C" } })
      return [...figures, ...described("the lines by sort(1)", checked("sort", usage))]
    } finally {
      remove(folder)
    }
  }
}
