/** Cost of reading CSV: CPU time for a table of 200,000 rows, against the stream of csv-parse, in turns and warm. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { LineSplitter } from "../src/Step/Read/Decoder.ts"
import { decoderOf } from "../src/Step/Read/Rows.ts"
import { atLeast, type Bench, median, noted } from "./Measure/Figures.ts"
import { folderFor, install, remove } from "./Measure/Programs.ts"

const peer = "csv-parse@5.6.0"
const rows = 200_000
const rounds = 5
const blockSize = 64 * 1024

const cell = (row: number): string =>
  row % 3 === 0 ? `"a ""quoted"" text, with a comma ${row}"` : `a plain text ${row}`
const table = Buffer.from(
  `id,url,title,text,price\n${Array.from(
    { length: rows },
    (_, row) => `${row},https://shop.example/items/${row},Item ${row},${cell(row)},${row % 1000}.50\n`
  ).join("")}`
)
const blocks = Array.from({ length: Math.ceil(table.length / blockSize) }, (_, index) =>
  table.subarray(index * blockSize, (index + 1) * blockSize)
)

/** Returns the number of rows. */
type Read = () => Promise<number>

const ours: Read = async () => {
  const decoder = decoderOf({ file: "table.csv" }, { line: 0 })
  const splitter = new LineSplitter()
  let count = 0
  for (const block of blocks) count += decoder.decode(splitter.cut(block)).rows.length
  return count + decoder.decode(splitter.end()).rows.length + decoder.end().rows.length
}

const cpuOf = async (read: Read): Promise<number> => {
  const before = process.cpuUsage()
  const count = await read()
  if (count !== rows) throw new Error(`${count} rows were read instead of ${rows}`)
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

export const bench: Bench = {
  name: "csv",
  run: async () => {
    const folder = folderFor("memory")
    try {
      install(folder, [peer])
      const resolved = createRequire(join(folder, "package.json")).resolve("csv-parse")
      const { parse } = await import(pathToFileURL(resolved).href)
      const theirs: Read = () =>
        new Promise((resolve, reject) => {
          const parser = parse({ columns: true })
          let count = 0
          parser.on("readable", () => {
            while (parser.read() !== null) count++
          })
          parser.on("error", reject)
          parser.on("end", () => resolve(count))
          for (const block of blocks) parser.write(block)
          parser.end()
        })
      const turns: Array<{ readonly ours: number; readonly theirs: number }> = []
      for (let round = 0; round <= rounds; round++) turns.push({ ours: await cpuOf(ours), theirs: await cpuOf(theirs) })
      // The first round warms both up.
      const warm = turns.slice(1)
      return [
        noted("CPU of our reader", median(warm.map((turn) => turn.ours)), "ms"),
        noted("CPU of csv-parse", median(warm.map((turn) => turn.theirs)), "ms"),
        atLeast("csv-parse's CPU against ours", median(warm.map((turn) => turn.theirs / turn.ours)), "times", 3)
      ]
    } finally {
      remove(folder)
    }
  }
}
