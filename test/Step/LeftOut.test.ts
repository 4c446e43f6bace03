/** Rows that a budget leaves out under another key than that of the row they were made from: the next run has them. */

import * as Effect from "effect/Effect"
import { serve } from "../Client/Server.ts"
import { expect, it } from "../It.ts"
import { jsonLines, project, stepLine } from "../Project.ts"
import { here } from "./OneApi.ts"

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const partsOf = (id: number) => ({ id, parts: [{ part: `${id}a` }, { part: `${id}b` }] })
const frame = "budget: { rows: 3, onReached: publish }\n"

it.scoped("parts of rows that dedupe has seen come again when a budget leaves them out", function* () {
  const own = yield* project({})
  own.write("in.jsonl", jsonLines(numbers(1, 5).map(partsOf)))
  const steps =
    "  - read: in.jsonl\n  - dedupe: { key: id, across: runs }\n  - explode: parts\n  - write: { jsonl: rows.jsonl }\n"
  const run = (more: string) =>
    Effect.map(own.run(steps, { frame: more }), ({ rows }) =>
      rows.map(({ part, parts }) => String(part ?? JSON.stringify(parts)))
    )
  const first = yield* run(frame)
  expect(first).toHaveLength(3)
  const second = yield* run("")
  expect(new Set([...first, ...second]).size).toBe(10)
  // Rows whose parts are all published are not given again.
  expect(second).not.toContain("1a")
  expect(yield* run("")).toEqual([])
})

it.scoped(
  "rows that an API gives for those that dedupe has seen come again when a budget leaves them out",
  function* () {
    const server = yield* serve(({ path }) => {
      const id = Number(new URL(path, "http://x").searchParams.get("id"))
      return { body: [{ part: `${id}a` }, { part: `${id}b` }] }
    })
    const own = yield* project({})
    own.write("in.jsonl", jsonLines(numbers(1, 5).map(partsOf)))
    const detail = stepLine("request", { url: { expr: `'${server.url}/detail?id=' & id` } })
    const steps = `  - read: in.jsonl\n  - dedupe: { key: id, across: runs }\n${detail.replace("- ", "- id: each\n    ")}    each: true\n    concurrency: 1\n  - write: { jsonl: rows.jsonl }\n`
    const run = (more: string) =>
      Effect.map(Effect.provide(own.run(steps, { frame: more }), here), ({ rows }) => rows.map(({ part }) => part))
    const first = yield* run(frame)
    expect(first).toHaveLength(3)
    expect(new Set([...first, ...(yield* run(""))]).size).toBe(10)
    expect(yield* run("")).toEqual([])
  }
)

it.scoped("parts of files that were read come again when a budget leaves them out", function* () {
  const own = yield* project({})
  for (const id of numbers(1, 3)) own.write(`inbox/${id}.csv`, `part\n${id}a\n${id}b\n`)
  const steps =
    "  - files: { glob: \"inbox/*.csv\", skipSeen: content }\n  - explode: $split(name & ' x ' & name, ' ')\n  - write: { jsonl: rows.jsonl }\n"
  const run = (more: string) =>
    Effect.map(own.run(steps, { frame: more }), ({ rows }) => rows.map((row) => JSON.stringify(row)))
  const first = yield* run(frame)
  expect(first).toHaveLength(3)
  expect(new Set([...first, ...(yield* run(""))])).toHaveLength(6)
  expect(yield* run("")).toEqual([])
})
