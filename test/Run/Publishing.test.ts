/** A run that is killed while it gives its files their names: at every moment of that, a resume completes it. */

import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "../It.ts"
import { behind, withLedger } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { carryOut, manifestIn, wrongEntries } from "./Published.ts"

/** Seven names to give, two manifests among them that are removed before, and one old part to remove. */
const definition = `version: 1
name: tables
state: { key: tables }
steps:
  - read: rows.jsonl
  - dedupe: { key: id, across: runs }
  - write: { jsonl: "kinds/{kind}.jsonl", partitionBy: { kind: kind }, manifest: true }
  - write: { csv: all.csv, columns: { id: integer, kind: string }, manifest: true }
  - write: { jsonl: "parts-{seq}.jsonl", roll: { rows: 3 }, manifest: true }
  - write: { jsonl: zipped.jsonl.gz, gzip: true }
`

/** Holds the outputs of the second run, which writes fewer rows than the first. */
const strict = definition.replace("steps:", "health: { rows: { min: 6 } }\nsteps:")

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

/** The run that holds its outputs, released: as if the process had been killed right after the transaction. */
const released = (folder: string) =>
  Effect.gen(function* () {
    const before = outputs(folder)
    const failure = yield* Effect.flip(carryOut(folder, strict))
    const { runId = "", status } = "summary" in failure ? failure.summary : {}
    expect(status).toBe("held")
    const partials = Object.keys(outputs(folder)).filter((name) => name.endsWith(".partial"))
    expect(partials.length).toBeGreaterThan(0)
    expect(Object.fromEntries(Object.entries(outputs(folder)).filter(([name]) => !partials.includes(name)))).toEqual(
      before
    )
    yield* withLedger(`${folder}/data`, ({ held }) => held.release(runId))
    return runId
  })

/** Files of partitions, two manifests, and a file that has the name of its run. Without state: runs do not wait for each other. */
const partitioned = `version: 1
name: tables
steps:
  - read: rows.jsonl
  - write: { jsonl: "kinds/{kind}.jsonl", partitionBy: { kind: kind }, manifest: true }
  - write: { jsonl: "all-{runId}.jsonl", manifest: true }
`

/** A folder with a completed run, and copies of it as they were before each change that a second run made to names. */
const interrupted = (used: string, ids: ReadonlyArray<number> = [10, 11, 12, 13, 14]) =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    write(folder, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    const first = yield* carryOut(folder, used)
    write(folder, ids)
    const copies: Array<string> = []
    const where = yield* tempDir
    const resume = used === strict ? yield* released(folder) : undefined
    const { id, summary } = yield* carryOut(folder, used, {
      resume,
      before: () => {
        const copy = `${where}/${copies.length}`
        cpSync(folder, copy, { recursive: true })
        copies.push(copy)
      }
    })
    expect(summary.status).toBe("completed")
    const moments = copies.length
    // The first, the last and one between them stand for all where repetitions are few.
    const tried = repetitions(moments, 3)
    copies.splice(
      0,
      moments,
      ...copies.filter((_, at) => tried === moments || [0, Math.floor((moments - 1) / 2), moments - 1].includes(at))
    )
    // This process lives on: the locks of one that is gone would be free.
    yield* Effect.forEach(copies, (copy) => behind(`${copy}/data`, (sql) => sql`DELETE FROM locks`))
    // Paths of the ledger lead to the folder itself.
    yield* Effect.forEach(copies, (copy) =>
      behind(`${copy}/data`, (sql) =>
        Effect.all([
          sql`UPDATE runs SET out_folder = replace(out_folder, ${folder}, ${copy}), folder = replace(folder, ${folder}, ${copy}), file = replace(file, ${folder}, ${copy})`,
          sql`UPDATE run_texts SET sealed = replace(sealed, ${folder}, ${copy}), outputs = replace(outputs, ${folder}, ${copy})`,
          sql`UPDATE entries SET key = replace(key, ${folder}, ${copy}), value = replace(value, ${folder}, ${copy})`
        ])
      )
    )
    return { folder, copies, moments, id, first: first.id }
  })

/** Files of both manifests that are missing or others, and files beside them that none lists. */
const untrue = (folder: string): ReadonlyArray<string> =>
  [`${folder}/out`, `${folder}/out/kinds`].flatMap((each) => {
    const listed = manifestIn(each)?.files.map(({ path }) => path)
    const unlisted = readdirSync(each).filter((name) => name.endsWith(".jsonl") && listed?.includes(name) === false)
    return [...wrongEntries(each), ...unlisted]
  })

describe("a run that is killed while it publishes", () => {
  for (const [name, used] of [
    ["is completed", definition],
    ["whose outputs were held and then released is completed", strict]
  ] as const) {
    it.scopedLive.skipIf(skipsLong)(`${name} by a resume, whichever files already had their names`, function* () {
      const { copies, folder, id, moments } = yield* interrupted(used)
      const expected = outputs(folder)
      expect(Object.keys(expected)).toEqual([
        "_manifest.json",
        "all.csv",
        "kinds/_manifest.json",
        "kinds/a.jsonl",
        "kinds/b.jsonl",
        "kinds/c.jsonl",
        "parts-00001.jsonl",
        "parts-00002.jsonl",
        "zipped.jsonl.gz"
      ])
      expect(moments).toBeGreaterThanOrEqual(8)
      for (const [index, copy] of copies.entries()) {
        // A manifest is true of its folder whenever it is there.
        expect([...wrongEntries(`${copy}/out`), ...wrongEntries(`${copy}/out/kinds`)], `at change ${index}`).toEqual([])
        const { summary } = yield* carryOut(copy, used, { resume: id })
        expect([index, summary.status, summary.rows]).toEqual([index, "completed", 5])
        expect(outputs(copy), `before change ${index}`).toEqual(expected)
        // The state is that of the run: nothing is new to the next one.
        expect((yield* carryOut(copy, definition)).summary.rows, `after change ${index}`).toBe(0)
      }
    })
  }

  it.scopedLive.skipIf(skipsLong)(
    "keeps the files of a later run in its manifests, which has published before the resume",
    function* () {
      // Rows of a and b; the later run writes others of a, in as many bytes, and some of c.
      const { copies, first, id, moments } = yield* interrupted(partitioned, [12, 10])
      expect(moments).toBeGreaterThanOrEqual(7)
      for (const [index, copy] of copies.entries()) {
        write(copy, [15, 14, 17])
        const later = yield* carryOut(copy, partitioned)
        expect([...wrongEntries(`${copy}/out`), ...wrongEntries(`${copy}/out/kinds`)], `at change ${index}`).toEqual([])
        // Files of the first run, whose manifest the interrupted run may have removed, stay listed.
        expect(manifestIn(`${copy}/out`)?.files.map(({ runId }) => runId)).toEqual(
          expect.arrayContaining([first, later.id])
        )
        const { summary } = yield* carryOut(copy, partitioned, { resume: id })
        expect([index, summary.status]).toEqual([index, "completed"])
        expect(untrue(copy), `at change ${index}`).toEqual([])
        const kinds = manifestIn(`${copy}/out/kinds`)?.files.map(({ path, runId }) => [path, runId])
        const replacedAgain = readFileSync(`${copy}/out/kinds/a.jsonl`, "utf8").includes("15")
        expect(kinds, `at change ${index}`).toEqual([
          ["a.jsonl", replacedAgain ? later.id : id],
          ["b.jsonl", id],
          ["c.jsonl", later.id]
        ])
        expect(readdirSync(`${copy}/out`).filter((name) => name.includes(".partial"))).toEqual([])
      }
    }
  )
})
