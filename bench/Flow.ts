/** Rows from a file through where and select into a file, commits included, against a script written by hand; as whole processes. */
import { createHash } from "node:crypto"
import { createWriteStream, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { atLeast, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { bin, folderFor, remove, run } from "./Measure/Programs.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const here = (name: string) => fileURLToPath(new URL(`./Flow/${name}`, import.meta.url))
const rows = 300_000
const rounds = 5

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

export const bench: Bench = {
  name: "flow",
  run: async () => {
    const folder = folderFor()
    try {
      await makeInput(join(folder, "in.jsonl"))
      const ours = (kind: keyof typeof definitions) => {
        const file = join(folder, `${kind}.yaml`)
        const steps = `  - read: in.jsonl\n  - ${definitions[kind]}`
        writeFileSync(file, `version: 1\nname: flow\nsteps:\n${steps}\n`)
        return run(folder, [bin, "run", file, "--quiet"], { env: { SLUICE_DATA: join(folder, "data") } })
      }
      const bare = (format: "jsonl" | "csv") =>
        run(folder, [here("bare.mjs"), join(folder, "in.jsonl"), join(folder, `bare.${format}`), format], { cwd: root })
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
      const of = medianOf(turns)
      return [
        atLeast(
          "JSONL → where → select → JSONL, CPU by hand / ours",
          of(({ bareJsonl, jsonl }) => bareJsonl.cpu / jsonl.cpu),
          "×",
          0.5
        ),
        atLeast(
          "JSONL → where → select → CSV, CPU by hand / ours",
          of(({ bareCsv, csv }) => bareCsv.cpu / csv.cpu),
          "×",
          0.5
        ),
        noted(
          "the same with a where that only JSONata can evaluate",
          of(({ bareJsonl, jsonata }) => bareJsonl.cpu / jsonata.cpu),
          "×"
        ),
        noted(
          "peak RSS of the first",
          of(({ jsonl }) => jsonl.rss),
          "MB"
        ),
        noted(
          "rows for a second of CPU",
          of(({ jsonl }) => (rows * 1000) / jsonl.cpu),
          "rows"
        )
      ]
    } finally {
      remove(folder)
    }
  }
}
