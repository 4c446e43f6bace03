/** A few steps as a whole run: checked, run to the end, and their rows read back. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"

export type Rows = ReadonlyArray<Record<string, unknown>>

const rowsIn = (lines: string): Rows => (lines === "" ? [] : lines.split("\n").map((line) => JSON.parse(line)))

/** Runs steps that end in a JSONL file, in a folder with the files that are given; gives its rows. */
export const runSteps = (
  steps: string,
  options: Partial<Run.RunOptions> = {},
  given: Readonly<Record<string, string>> = {
    "leaf.html": "<title>Leaf</title><h1>Leaf</h1><p>A leaf of text.</p>",
    "list.txt": "# two\nhttp://127.0.0.1:1/x\n\nhttp://127.0.0.1:1/y\n"
  }
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    for (const [name, text] of Object.entries(given)) yield* files.writeFileString(`${folder}/${name}`, text)
    const text = `version: 1\nname: t\nsteps:\n${steps}\n  - write: { jsonl: rows.jsonl }\n`
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
    const made = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder, ...options })
    const summary = yield* Effect.provide(made.execute, Sqlite.layer(folder))
    const written = (yield* files.readFileString(`${folder}/rows.jsonl`)).trim()
    const rejected = summary.rejectFile === undefined ? "" : (yield* files.readFileString(summary.rejectFile)).trim()
    return { summary, rows: rowsIn(written), rejects: rowsIn(rejected), progress: yield* made.progress }
  }).pipe(Effect.withClock(Clock.make()))
