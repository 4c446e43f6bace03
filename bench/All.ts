/** Runs every benchmark of this folder, or those whose names are given, and prints one table. */
import { readdirSync } from "node:fs"

interface Measurement {
  readonly metric: string
  readonly value: number
  readonly unit: string
  readonly target: string
  readonly reached: boolean
}

interface Bench {
  readonly name: string
  readonly run: () => Promise<ReadonlyArray<Measurement>>
}

const modules = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".ts") && name !== "All.ts")
  .sort()
const wanted = process.argv.slice(2)
const rows: Array<readonly [verdict: string, ...cells: ReadonlyArray<string>]> = []

for (const name of modules) {
  const { bench } = (await import(`./${name}`)) as { readonly bench: Bench }
  if (wanted.length > 0 && !wanted.some((word) => bench.name.includes(word))) continue
  console.error(`${bench.name} …`)
  for (const { metric, reached, target, unit, value } of await bench.run()) {
    const figure = value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2)
    rows.push([reached ? "reached" : "missed", bench.name, metric, `${figure} ${unit}`, target])
  }
}

const headers = ["", "benchmark", "metric", "value", "target"]
const widths = headers.map((header, column) => Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0)))
const print = (cells: ReadonlyArray<string>) =>
  console.log(
    cells
      .map((cell, column) => (column === 3 ? cell.padStart(widths[3] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("   ")
      .trimEnd()
  )
print(headers)
for (const row of rows) print(row)
process.exitCode = rows.some(([verdict]) => verdict === "missed") ? 1 : 0
