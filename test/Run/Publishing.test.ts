/** A run that is killed while it gives its files their names: at every moment of that, a resume completes it. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { Ledger, layer } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { noService } from "../../src/Run/LocalSite.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import { behind } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"

/** Seven names to give, and one old part to remove. */
const definition = `version: 1
name: tables
state: { key: tables }
steps:
  - read: rows.jsonl
  - dedupe: { key: id, across: runs }
  - write: { jsonl: "kinds/{kind}.jsonl", partitionBy: { kind: kind } }
  - write: { csv: all.csv, columns: { id: integer, kind: string } }
  - write: { jsonl: "parts-{seq}.jsonl", roll: { rows: 3 } }
  - write: { jsonl: zipped.jsonl.gz, gzip: true }
`

/** Runs the pipeline in a folder, or resumes a run of it there. `before` is called before each name that changes. */
const carryOut = (folder: string, resume?: string, before: (path: string) => void = () => {}) =>
  Effect.gen(function* () {
    const scope = { env: {}, secrets: () => undefined }
    const source = yield* parseText(`${folder}/p.yaml`, folder, definition)
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const dataDir = `${folder}/data`
    const record = resume === undefined ? undefined : yield* Effect.flatMap(Ledger, ({ find }) => find(resume))
    const made = yield* Run.make(checked, {
      ...scope,
      dataDir,
      out: `${folder}/out`,
      ...(record === undefined ? {} : { ...optionsOf(record), out: `${folder}/out` })
    })
    const files = yield* FileSystem.FileSystem
    // One change at a time: a copy is made while no other name changes.
    const turn = yield* Effect.makeSemaphore(1)
    const seen = <A, E>(path: string, effect: Effect.Effect<A, E>) =>
      path.startsWith(`${folder}/out`)
        ? turn.withPermits(1)(
            Effect.zipRight(
              Effect.sync(() => before(path)),
              effect
            )
          )
        : effect
    const watched: FileSystem.FileSystem = {
      ...files,
      rename: (from, to) => seen(to, files.rename(from, to)),
      remove: (path, options) => seen(path, files.remove(path, options))
    }
    const summary = yield* Effect.provideService(made.execute, FileSystem.FileSystem, watched)
    return { id: made.id, summary }
  }).pipe(
    Effect.provide(Layer.provide(Client.layer, Connection.layer(noService))),
    Effect.provide(layer(`${folder}/data`)),
    Effect.provide(NodeContext.layer),
    Effect.withClock(Clock.make())
  )

const write = (folder: string, ids: ReadonlyArray<number>) =>
  writeFileSync(
    `${folder}/rows.jsonl`,
    ids.map((id) => `${JSON.stringify({ id, kind: "abc".charAt(id % 3) })}\n`).join("")
  )

/** Contents of the outputs, by name; of an archive its bytes. */
const outputs = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(`${folder}/out`, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(folder, "out", name)).isFile())
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, "out", name), "base64")])
  )

/** A folder with a completed run, and copies of it as they were before each change that a second run made to names. */
const interrupted = Effect.gen(function* () {
  const folder = yield* tempDir
  write(folder, [0, 1, 2, 3, 4, 5, 6, 7, 8])
  yield* carryOut(folder)
  write(folder, [10, 11, 12, 13, 14])
  const copies: Array<string> = []
  const where = yield* tempDir
  const { id, summary } = yield* carryOut(folder, undefined, () => {
    const copy = `${where}/${copies.length}`
    cpSync(folder, copy, { recursive: true })
    copies.push(copy)
  })
  expect(summary.status).toBe("completed")
  // This process lives on: the locks of one that is gone would be free.
  yield* Effect.forEach(copies, (copy) => behind(`${copy}/data`, (sql) => sql`DELETE FROM locks`))
  return { folder, copies, id }
})

describe("a run that is killed while it publishes", () => {
  it.scoped("is completed by a resume, whichever files already had their names", () =>
    Effect.gen(function* () {
      const { copies, folder, id } = yield* interrupted
      const expected = outputs(folder)
      expect(Object.keys(expected)).toEqual([
        "all.csv",
        "kinds/a.jsonl",
        "kinds/b.jsonl",
        "kinds/c.jsonl",
        "parts-00001.jsonl",
        "parts-00002.jsonl",
        "zipped.jsonl.gz"
      ])
      expect(copies.length).toBeGreaterThanOrEqual(8)
      for (const [index, copy] of copies.entries()) {
        // Paths of the ledger lead to the folder itself.
        yield* behind(`${copy}/data`, (sql) =>
          Effect.all([
            sql`UPDATE runs SET out_folder = replace(out_folder, ${folder}, ${copy}), folder = replace(folder, ${folder}, ${copy}), file = replace(file, ${folder}, ${copy})`,
            sql`UPDATE run_texts SET sealed = replace(sealed, ${folder}, ${copy}), outputs = replace(outputs, ${folder}, ${copy})`,
            sql`UPDATE entries SET key = replace(key, ${folder}, ${copy}), value = replace(value, ${folder}, ${copy})`
          ])
        )
        const { summary } = yield* carryOut(copy, id)
        expect([index, summary.status, summary.rows]).toEqual([index, "completed", 5])
        expect(outputs(copy), `before change ${index}`).toEqual(expected)
        // The state is that of the run: nothing is new to the next one.
        expect((yield* carryOut(copy)).summary.rows, `after change ${index}`).toBe(0)
      }
    })
  )
})
