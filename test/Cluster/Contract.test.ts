/** Contracts of runs on a cluster: all workers apply the one that the run was submitted with. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Cluster from "../../src/Cluster.ts"
import { Ledger } from "../../src/Ledger.ts"
import { skipsLong } from "../Long.ts"
import { manifestIn, wrongEntries } from "../Run/Published.ts"
import { describeBeside } from "../WithPostgres.ts"
import { checked, context, database, ended, folder, lines, submit, worker } from "./Ground.ts"

const addresses = Array.from({ length: 25 }, (_, index) => `https://a.example/${index}`).join("\n")

const steps = `
version: 1
name: contracted
steps:
  - urls: { file: list.txt }
  - select: { url: url, length: $length(url) }
  - write: { jsonl: pages.jsonl, manifest: true }
  - dedupe: { key: length }
  - id: few
    write: { csv: few.csv, manifest: true }
`

const contract = (length: string) => `version: 1
onType: hold
outputs:
  write:
    columns:
      url: { type: string }
      length: { type: ${length} }
      note: { type: string, nullable: true }
  few:
    columns:
      length: { type: ${length} }
      url: { type: string }
`

const project = (text: string) =>
  Effect.gen(function* () {
    const out = yield* folder
    writeFileSync(`${out}/list.txt`, addresses)
    writeFileSync(`${out}/pipeline.contract.yaml`, text)
    const definition = yield* checked(out, steps)
    return { out, definition }
  })

describeBeside("contracts on a cluster", () => {
  it.live.skipIf(skipsLong)("travel with the submitted run, to workers that do not see the file", () =>
    Effect.gen(function* () {
      const { definition, out } = yield* project(contract("decimal"))
      const tables = yield* database
      yield* Effect.gen(function* () {
        const { runId } = yield* submit(definition, out)
        rmSync(`${out}/pipeline.contract.yaml`)
        yield* worker(tables, "one")
        yield* worker(tables, "two")
        expect((yield* ended(runId)).status).toBe("completed")
        expect(lines(out, "pages.")[0]).toBe('{"url":"https://a.example/0","length":"19","note":null}')
        expect(lines(out, "few.csv")).toEqual(["length,url", "19,https://a.example/0", "20,https://a.example/10"])
        // Each file of a shard has its schema in the manifest.
        const { files = [], schemas = {} } = manifestIn(out) ?? {}
        expect(files.map(({ path }) => path)).toEqual([
          "few.csv",
          ...["0000", "0001", "0002"].map((n) => `pages.${n}.jsonl`)
        ])
        expect(wrongEntries(out)).toEqual([])
        expect(schemas[files[1]?.schema ?? ""]).toMatchObject({ length: { type: "decimal" }, note: { type: "string" } })
        expect(schemas[files[0]?.schema ?? ""]).not.toHaveProperty("note")
        // What the shards say to their run stays among them.
        const run = yield* Effect.flatMap(Ledger, ({ find }) => find(runId))
        expect(JSON.stringify(run?.outputs)).not.toContain('"contract"')
      }).pipe(Effect.provide(tables))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("hold the run when one shard drifts, and it is published once it is released", () =>
    Effect.gen(function* () {
      const { definition, out } = yield* project(contract("boolean"))
      const tables = yield* database
      yield* worker(tables, "one")
      yield* Effect.gen(function* () {
        const { find, health, held } = yield* Ledger
        const queue = yield* Cluster.Submissions
        const { runId } = yield* submit(definition, out)
        expect(yield* ended(runId)).toMatchObject({ status: "failed", reason: "OutputsHeld" })
        expect((yield* find(runId))?.error).toContain(
          "pages.jsonl, length: expected type boolean (contract), got type integer"
        )
        const sinks = yield* health.sinksOf(runId)
        expect(sinks.map(({ sink, verdicts }) => [sink, verdicts.length])).toEqual([
          ["few", 1],
          ["write", 1]
        ])
        expect(readdirSync(out).filter((name) => /^(pages|few)/.test(name) && !name.endsWith(".partial"))).toEqual([])
        expect((yield* held.files(runId)).map(({ partial }) => existsSync(partial))).toEqual([true, true, true, true])
        yield* held.release(runId)
        expect(yield* queue.reopen(runId)).toBe(true)
        expect((yield* ended(runId)).status).toBe("completed")
        expect(lines(out, "pages.")).toHaveLength(25)
        const { files = [], schemas = {} } = manifestIn(out) ?? {}
        expect(schemas[files[1]?.schema ?? ""]).toMatchObject({ length: { type: "json" } })
      }).pipe(Effect.provide(tables))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("are refused when the run is submitted, if they cannot be read", () =>
    Effect.gen(function* () {
      const { definition, out } = yield* project("version: 2\noutputs: {}\n")
      const tables = yield* database
      const refused = yield* Effect.flip(Effect.provide(submit(definition, out), tables))
      expect(refused.message).toContain("pipeline.contract.yaml")
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
