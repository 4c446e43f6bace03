import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { noService } from "../../src/Run/LocalSite.ts"
import * as Run from "../../src/Run.ts"

const Services = Layer.provideMerge(Layer.provide(Client.layer, Connection.layer(noService)), NodeContext.layer)

const folderOf = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Runs steps over `rows.jsonl`; gives what the run, its reject file and the ledger say of rejects. */
const run = (folder: string, steps: string, resume?: string) =>
  Effect.gen(function* () {
    const source = yield* parseText("p.yaml", folder, `version: 1\nname: stop\nsteps:\n  - read: rows.jsonl\n${steps}`)
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const kept = resume === undefined ? {} : yield* Run.resuming(resume, checked, { withCurrent: true })
    const made = yield* Run.make(checked, {
      ...scope,
      dataDir: join(folder, "data"),
      out: folder,
      allowCode: true,
      ...kept
    })
    const outcome = yield* Effect.either(made.execute)
    const { find, history } = yield* Ledger
    const record = yield* find(made.id)
    const known = yield* Stream.runCollect(history.rejects(made.id, "all"))
    const file = readFileSync(join(folder, "data/runs", made.id, "rejects.jsonl"), "utf8")
    const inFile = file.trim().split("\n")
    return {
      id: made.id,
      outcome,
      counted: record?.rejects,
      inLedger: [...known].map(({ row }) => row),
      inFile: inFile.map((line) => JSON.parse(line).row)
    }
  }).pipe(Effect.provide(Sqlite.layer(join(folder, "data"))))

const count = 40

/** Rows whose number is divisible by three are bad: 0, 3, 6, … */
const rows = Array.from({ length: count }, (_, n) => ({ n, v: n % 3 === 0 ? "bad" : n }))
const bad = rows.filter(({ v }) => v === "bad")

const cases: Readonly<Record<string, (stopAfter: number | string) => string>> = {
  select: (stopAfter) => `  - select: { n: n, w: v + 1 }\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`,
  check: (stopAfter) =>
    `  - check: [{ rule: 'v != "bad"', message: bad, onFail: reject }]\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`,
  use: (stopAfter) => `  - use: { module: ./code.mjs }\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`,
  "a write": (stopAfter) =>
    `  - write: { csv: typed.csv, columns: { n: integer, v: integer } }\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`
}

describe("stopAfter of a step that works on chunks", () => {
  for (const [name, steps] of Object.entries(cases)) {
    it.scopedLive(`ends the run at the n-th reject of ${name}, and a resume goes on with the next row`, () =>
      Effect.gen(function* () {
        const folder = yield* folderOf
        writeFileSync(join(folder, "rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
        writeFileSync(
          join(folder, "code.mjs"),
          'export default (row) => { if (row.v === "bad") throw new Error("bad"); return row }\n'
        )
        const rest = "  - select: { n: n }\n  - write: { jsonl: good.jsonl }\n"
        const first = yield* run(folder, `${steps(5)}${rest}`)
        assert.strictEqual(first.outcome._tag, "Left")
        assert.include(String(first.outcome._tag === "Left" && first.outcome.left.message), "rejected 5 rows")
        assert.deepStrictEqual([first.counted, first.inFile, first.inLedger], [5, bad.slice(0, 5), bad.slice(0, 5)])
        const second = yield* run(folder, `${steps(6)}${rest}`, first.id)
        assert.deepStrictEqual([second.counted, second.inFile, second.inLedger], [6, bad.slice(0, 6), bad.slice(0, 6)])
        const last = yield* run(folder, `${steps("100%")}${rest}`, first.id)
        assert.strictEqual(last.outcome._tag, "Right", JSON.stringify(last.outcome))
        assert.deepStrictEqual([last.counted, last.inFile, last.inLedger], [bad.length, bad, bad])
        const good = readFileSync(join(folder, "good.jsonl"), "utf8").trim().split("\n")
        assert.deepStrictEqual(
          good.map((line) => JSON.parse(line).n),
          rows.filter(({ v }) => v !== "bad").map(({ n }) => n)
        )
      }).pipe(Effect.provide(Services))
    )
  }
})
