/** Manifests beside outputs (`manifest: true`): what they list, and whose they are. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { carryOut, manifestIn, wrongEntries } from "./Published.ts"

const definition = (steps: string, name = "tables") => `version: 1
name: ${name}
steps:
  - read: rows.jsonl
${steps}
`

const write = (folder: string, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  writeFileSync(`${folder}/rows.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))

const countsIn = (folder: string) =>
  Object.fromEntries((manifestIn(folder)?.files ?? []).map(({ path, rows }) => [path, rows]))

describe("a manifest", () => {
  scoped("lists files with rows, bytes, checksums and partition values", function* () {
    const folder = yield* tempDir
    write(folder, [
      { id: 1, day: "2026-01-01" },
      { id: 2, day: "2026/01/02" },
      { id: 3, day: "2026-01-01" }
    ])
    const steps = `  - write: { csv: "x/{day}.csv", partitionBy: { day: day }, manifest: true }
  - write: { jsonl: x/all.jsonl.gz, manifest: true }
  - write: { jsonl: x/other.jsonl }`
    const { id, summary } = yield* carryOut(folder, definition(steps))
    expect(wrongEntries(`${folder}/out/x`)).toEqual([])
    const manifest = manifestIn(`${folder}/out/x`)
    expect(manifest).toMatchObject({ version: 1, pipeline: "tables", runId: id })
    expect(manifest).not.toHaveProperty("changes")
    expect(manifest?.files.map(({ sha256: _, ...file }) => file)).toEqual([
      { path: "2026-01-01.csv", format: "csv", rows: 2, bytes: 33, partition: { day: "2026-01-01" }, runId: id },
      { path: "2026_01_02.csv", format: "csv", rows: 1, bytes: 20, partition: { day: "2026_01_02" }, runId: id },
      { path: "all.jsonl.gz", format: "jsonl", rows: 3, bytes: expect.any(Number), runId: id }
    ])
    // It is no output: its files are.
    expect(summary.outputs.map(({ path }) => path.slice(folder.length))).toEqual([
      "/out/x/2026-01-01.csv",
      "/out/x/2026_01_02.csv",
      "/out/x/all.jsonl.gz",
      "/out/x/other.jsonl"
    ])
  })

  scoped("keeps files of earlier runs that are still there", function* () {
    const folder = yield* tempDir
    const steps = `  - write: { jsonl: "{kind}-{seq}.jsonl", partitionBy: { kind: kind }, roll: { rows: 2 }, manifest: true }`
    write(
      folder,
      ["a", "a", "a", "b", "c"].map((kind, id) => ({ id, kind }))
    )
    const first = yield* carryOut(folder, definition(steps))
    writeFileSync(`${folder}/out/c-00001.jsonl`, "changed by hand\n")
    write(folder, [{ id: 9, kind: "a" }])
    const second = yield* carryOut(folder, definition(steps))
    // The second part of a was removed; c is not what the first run wrote.
    expect(manifestIn(`${folder}/out`)?.files.map(({ path, runId }) => [path, runId])).toEqual([
      ["a-00001.jsonl", second.id],
      ["b-00001.jsonl", first.id]
    ])
    write(folder, [])
    const third = yield* carryOut(folder, definition(steps))
    expect(manifestIn(`${folder}/out`)).toMatchObject({
      runId: third.id,
      files: [{ runId: second.id }, { runId: first.id }]
    })
  })

  scoped("counts the rows of a file that is appended to, as far as manifests have listed it", function* () {
    const folder = yield* tempDir
    const steps = "  - write: { jsonl: x.jsonl, mode: append, manifest: true }"
    write(folder, [{ id: 1 }, { id: 2 }])
    yield* carryOut(folder, definition(steps))
    yield* carryOut(folder, definition(steps))
    expect(countsIn(`${folder}/out`)).toEqual({ "x.jsonl": 4 })
    writeFileSync(`${folder}/out/x.jsonl`, '{"id":0}\n')
    yield* carryOut(folder, definition(steps))
    expect(countsIn(`${folder}/out`)).toEqual({ "x.jsonl": undefined })
    expect(wrongEntries(`${folder}/out`)).toEqual([])
  })

  scoped("counts what is new, changed and gone", function* () {
    const folder = yield* tempDir
    const steps = `  - dedupe: { key: id, across: runs, changedWhen: text, emit: [new, changed, gone], as: status }
  - select: { id: id }
  - write: { jsonl: x.jsonl, manifest: true }`
    const text = definition(steps).replace("steps:", "state: { key: tables }\nsteps:")
    write(
      folder,
      [1, 2, 3, 4].map((id) => ({ id, text: "a" }))
    )
    yield* carryOut(folder, text)
    expect(manifestIn(`${folder}/out`)?.changes).toEqual({ new: 4 })
    write(folder, [
      { id: 1, text: "b" },
      { id: 2, text: "a" },
      { id: 5, text: "a" }
    ])
    yield* carryOut(folder, text)
    expect(manifestIn(`${folder}/out`)?.changes).toEqual({ new: 1, changed: 1, gone: 2 })
  })

  scoped("says what is not as expected", function* () {
    const folder = yield* tempDir
    write(folder, [{ id: 1 }])
    const text = definition("  - write: { jsonl: x.jsonl, manifest: true }")
    yield* carryOut(folder, text.replace("steps:", "health: { onBroken: warn, rows: { min: 2 } }\nsteps:"))
    expect(manifestIn(`${folder}/out`)?.health).toEqual([
      { level: "broken", message: "x.jsonl: rows: expected at least 2 (health.rows.min), got 1" }
    ])
  })

  scoped("is that of one pipeline: another one is refused before its first row", function* () {
    const folder = yield* tempDir
    const steps = (file: string) => `  - write: { jsonl: ${file}, manifest: true }`
    write(folder, [{ id: 1 }])
    yield* carryOut(folder, definition(steps("x.jsonl")))
    const before = readFileSync(`${folder}/out/_manifest.json`, "utf8")
    const error = yield* Effect.flip(carryOut(folder, definition(steps("y.jsonl"), "others")))
    expect(error.message).toContain('_manifest.json: it belongs to pipeline "tables". Write the outputs to a folder')
    writeFileSync(`${folder}/out/_manifest.json`, "{}")
    const foreign = yield* Effect.flip(carryOut(folder, definition(steps("x.jsonl"))))
    expect(foreign.message).toContain("it is not a manifest of Sluice")
    expect(before).not.toContain("y.jsonl")
    expect(readdirSync(`${folder}/out`)).toEqual(["_manifest.json", "x.jsonl"])
  })

  scoped("is not written by a trial", function* () {
    const folder = yield* tempDir
    write(folder, [{ id: 1 }])
    yield* carryOut(folder, definition("  - write: { jsonl: x.jsonl, manifest: true }"), { wanted: 1 })
    expect(existsSync(join(folder, "out", "x.jsonl"))).toBe(true)
    expect(manifestIn(`${folder}/out`)).toBeUndefined()
  })
})
