/** The pipeline that shards execute in tests, its rows, and its outputs. */
import { readdirSync, readFileSync } from "node:fs"

/** Shards write `pages`; `all` needs the rows of all shards, and the state across runs. */
export const numbers = `version: 1
name: numbers
steps:
  - read: rows.jsonl
  - id: doubled
    select: { id: id, twice: id * 2 }
  - write: { jsonl: pages.jsonl }
  - from: doubled
    dedupe: { key: twice, across: runs, emit: [new] }
  - write: { jsonl: all.jsonl, mode: append }
`

export const rowsTo = (last: number, first = 1): string =>
  Array.from({ length: last - first + 1 }, (_, index) => `${JSON.stringify({ id: first + index })}\n`).join("")

/** The rows of an output with its parts in order. */
export const contents = (folder: string, begin: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith(begin))
    .toSorted()
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("")
