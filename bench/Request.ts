/** 100,000 rows over 1,000 pages of an API into a file, resumable at each page, against a bare loop of fetch and write; as whole processes. */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atLeast, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { bin, folderFor, ready, remove, run, stop } from "./Measure/Programs.ts"

const here = (name: string) => fileURLToPath(new URL(`./Request/${name}`, import.meta.url))
const rows = 100_000
const rounds = 5

const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")

export const bench: Bench = {
  name: "request",
  run: async () => {
    const folder = folderFor()
    const api = await ready([here("api.mjs")])
    try {
      const file = join(folder, "request.yaml")
      const steps = `  - request: { url: "${api.line}/items", rows: items, next: { cursor: { param: after, from: next } } }\n  - write: { jsonl: out.jsonl }`
      writeFileSync(file, `version: 1\nname: request\nsteps:\n${steps}\n`)
      const env = { SLUICE_DATA: join(folder, "data"), SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
      const turns = Array.from({ length: rounds }, () => ({
        bare: run(folder, [here("bare.mjs"), api.line, join(folder, "bare.jsonl")]),
        ours: run(folder, [bin, "run", file, "--quiet"], { env })
      }))
      if (digest(join(folder, "out.jsonl")) !== digest(join(folder, "bare.jsonl")))
        throw new Error("the two ways wrote different rows")
      const of = medianOf(turns)
      return [
        atLeast(
          "1,000 pages → JSONL, CPU of a bare loop / ours",
          of(({ bare, ours }) => bare.cpu / ours.cpu),
          "×",
          0.6
        ),
        noted(
          "peak RSS",
          of(({ ours }) => ours.rss),
          "MB"
        ),
        noted(
          "rows for a second of CPU",
          of(({ ours }) => (rows * 1000) / ours.cpu),
          "rows"
        )
      ]
    } finally {
      await stop(api.child)
      remove(folder)
    }
  }
}
