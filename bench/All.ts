/**
 * Runs every benchmark of this folder, or those whose names are given, and prints one table: each figure with its
 * target and whether it is reached; `--json` prints the same as JSON. One that fails is a line, and the rest go on.
 */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { table } from "../src/Cli/Format.ts"
import { ofProcess } from "../src/Cli/Terminal.ts"
import type { Bench, Figure } from "./Measure/Figures.ts"

interface Row extends Partial<Figure> {
  readonly verdict: "reached" | "missed" | "failed"
  readonly benchmark: string
  /** Why it failed. */
  readonly reason?: string
}

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, module: { type: "string" } }
})

/** The longest that one may take, in milliseconds. */
const patience = 30 * 60_000

/** True if a module has one of the requested names. Reads its text, because loading all modules takes longer than running some. */
const isWanted = (file: string): boolean => {
  if (wanted.length === 0) return true
  const [, name = ""] = /^ {2}name: "(.+)",$/m.exec(readFileSync(new URL(file, import.meta.url), "utf8")) ?? []
  return wanted.some((word) => name.includes(word))
}

const modules = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".ts") && name !== "All.ts" && isWanted(name))
  .sort()

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)

/** In the process of the benchmark alone: what it measures, down the third pipe; what it says goes to stderr. */
const one = async (name: string): Promise<ReadonlyArray<Row>> => {
  const { bench } = (await import(`./${name}`)) as { readonly bench: Bench }
  if (wanted.length > 0 && !wanted.some((word) => bench.name.includes(word))) return []
  console.error(`${bench.name} …`)
  try {
    const measured = await bench.run()
    return measured.map((one) => ({ verdict: one.reached ? "reached" : "missed", benchmark: bench.name, ...one }))
  } catch (error) {
    console.error(error)
    return [{ verdict: "failed", benchmark: bench.name, reason: reasonOf(error) }]
  }
}

/** In a process of its own: neither its memory nor its end is the others'. */
const apart = (name: string): Promise<ReadonlyArray<Row>> =>
  new Promise((resolve) => {
    const words = [...process.execArgv, fileURLToPath(import.meta.url), "--module", name, ...wanted]
    const child = spawn(process.execPath, words, { stdio: ["ignore", 2, 2, "pipe"] })
    const timer = setTimeout(() => child.kill("SIGKILL"), patience)
    let text = ""
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      text += chunk
    })
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      const failed: Row = { verdict: "failed", benchmark: name, reason: `it ended with ${signal ?? code}` }
      resolve(text === "" ? [failed] : JSON.parse(text))
    })
  })

const cellsOf = ({ benchmark, metric = "", reason = "", target = "", unit = "", value, verdict }: Row) => {
  const figure = value === undefined ? "" : value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2)
  return [verdict, benchmark, metric || reason, `${figure} ${unit}`.trim(), target]
}

if (values.module !== undefined) {
  const { writeSync } = await import("node:fs")
  writeSync(3, JSON.stringify(await one(values.module)))
  // A benchmark may leave something open.
  process.exit(0)
}

const rows: Array<Row> = []
for (const name of modules) rows.push(...(await apart(name)))

if (values.json) console.log(JSON.stringify(rows, undefined, 2))
else {
  const head = [["verdict"], ["benchmark"], ["metric"], ["value", "right"], ["target"]] as const
  console.log(table(head, rows.map(cellsOf), ofProcess(process).out).join("\n"))
}
process.exitCode = rows.every(({ verdict }) => verdict === "reached") ? 0 : 1
