import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { files } from "../../src/Step/Files.ts"
import type * as Step from "../../src/Step.ts"
import { tempDir } from "../Local.ts"
import { type Around, readAll } from "./Machine.ts"

const folderOf = (names: ReadonlyArray<string>) =>
  Effect.map(tempDir, (folder) => {
    mkdirSync(join(folder, "in"))
    for (const name of names) writeFileSync(join(folder, "in", name), `content of ${name}`)
    return folder
  })

const namesOf = ({ rows }: { readonly rows: Step.Batch["rows"] }) => rows.map(({ data }) => data.name)

/** What a run has put, as the next one finds it. */
const remembered = (puts: ReadonlyArray<Step.StateChange>): Around["earlier"] =>
  puts.map(({ key, value }) => ({ key, value: value ?? null, firstSeen: 1, lastSeen: 1 }))

describe("files", () => {
  it.scoped("gives a resumed run the rest of the same list, whatever has come into the folder", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(["b.txt", "d.txt", "f.txt"])
      const answers = new Map<string, unknown>()
      const first = yield* readAll(files, { glob: "in/*.txt" }, { folder, answers })
      expect(namesOf(first)).toEqual(["b.txt", "d.txt", "f.txt"])
      writeFileSync(join(folder, "in", "a.txt"), "new")
      writeFileSync(join(folder, "in", "e.txt"), "new")
      const kept = new Map(JSON.parse(JSON.stringify([...answers])) as ReadonlyArray<[string, unknown]>)
      const rest = yield* readAll(files, { glob: "in/*.txt" }, { folder, answers: kept }, first.batches[0]?.cursor)
      expect(namesOf(rest)).toEqual(["d.txt", "f.txt"])
      expect(rest.rows[0]).toEqual(first.rows[1])
      // They were announced before: progress never shows more than all.
      const announced = ({ batches }: typeof first) => batches.map(({ expected = 0 }) => expected)
      expect(announced(first)).toEqual([3, 0, 0])
      expect(announced(rest)).toEqual([0, 0])
    })
  )

  it.scoped("takes a file that has gone since it was listed for a failed row", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(["a.txt", "b.txt", "c.txt"])
      const answers = new Map<string, unknown>()
      yield* readAll(files, { glob: "in/*" }, { folder, answers })
      rmSync(join(folder, "in", "b.txt"))
      const { batches, rejects, rows } = yield* readAll(files, { glob: "in/*" }, { folder, answers })
      expect(namesOf({ rows })).toEqual(["a.txt", "c.txt"])
      expect(rejects.map(([row, { reason }]) => [row.data, reason])).toEqual([[{ path: "in/b.txt" }, "FileUnreadable"]])
      expect(batches.map(({ cursor }) => cursor)).toEqual([1, 2, 3])
    })
  )

  it.scoped("is incomplete where a folder or a link cannot be read, also when the run is resumed", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(["a.txt"])
      const answers = new Map<string, unknown>()
      symlinkSync("nothing.txt", join(folder, "in", "dangling.txt"))
      expect(yield* readAll(files, { glob: "in/*" }, { folder })).toMatchObject({ incomplete: false })
      symlinkSync("loop.txt", join(folder, "in", "loop.txt"))
      const looped = yield* readAll(files, { glob: "in/*" }, { folder, answers })
      expect([namesOf(looped), looped.incomplete]).toEqual([["a.txt"], true])
      expect(looped.warnings.join()).toContain("loop.txt: files in there are not found")
      rmSync(join(folder, "in"), { recursive: true })
      expect(yield* readAll(files, { glob: "in/*" }, { folder })).toMatchObject({ incomplete: true })
      mkdirSync(join(folder, "in"))
      writeFileSync(join(folder, "in", "a.txt"), "content")
      // The list of the first life says what it could not read.
      expect(yield* readAll(files, { glob: "in/*" }, { folder, answers }, 1)).toMatchObject({ incomplete: true })
      const old = new Map([["list", ["in/a.txt"]]])
      expect(namesOf(yield* readAll(files, { glob: "in/*" }, { folder, answers: old }))).toEqual(["a.txt"])
    })
  )

  it.scoped("is incomplete for later steps when it leaves out what earlier runs have seen", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(["a.txt", "b.txt"])
      const first = yield* readAll(files, { glob: "in/*", skipSeen: "path" }, { folder, earlier: [] })
      expect(first.incomplete).toBe(false)
      const earlier = remembered(first.puts) ?? []
      expect((yield* readAll(files, { glob: "in/*", skipSeen: "path" }, { folder, earlier })).incomplete).toBe(true)
    })
  )

  it.scoped("leaves out what earlier runs have given, by content, path or time", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(["changed.txt", "kept.txt", "moved.txt"])
      const glob = "in/*"
      const given = (skipSeen: string, earlier: Around["earlier"]) =>
        readAll(files, { glob, skipSeen }, { folder, ...(earlier === undefined ? {} : { earlier }) })
      const before = {
        content: (yield* given("content", [])).puts,
        path: (yield* given("path", [])).puts,
        mtime: (yield* given("mtime", [])).puts
      }
      for (const puts of Object.values(before)) expect(puts.length).toBe(3)
      appendFileSync(join(folder, "in", "changed.txt"), "!")
      rmSync(join(folder, "in", "moved.txt"))
      writeFileSync(join(folder, "in", "renamed.txt"), "content of moved.txt")
      expect(namesOf(yield* given("content", remembered(before.content)))).toEqual(["changed.txt"])
      expect(namesOf(yield* given("path", remembered(before.path)))).toEqual(["renamed.txt"])
      expect(namesOf(yield* given("mtime", remembered(before.mtime)))).toEqual(["changed.txt", "renamed.txt"])
      utimesSync(join(folder, "in", "kept.txt"), 1, 1)
      expect(namesOf(yield* given("mtime", remembered(before.mtime)))).toContain("kept.txt")
      const never = yield* given("never", remembered(before.path))
      expect(never.rows.length).toBe(3)
      expect(never.puts).toEqual([])
      // A run that has no state gives everything, and remembers nothing.
      const without = yield* given("content", undefined)
      expect([without.rows.length, without.puts.length]).toEqual([3, 0])
    })
  )

  it.scoped("remembers a file by the identity of its row, so that a rejected one is given again", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(["a.txt"])
      const { puts, rows } = yield* readAll(files, { glob: "in/*", skipSeen: "path" }, { folder, earlier: [] })
      expect(puts).toEqual([{ key: "in/a.txt", value: null, rowKey: rows[0]?.key }])
    })
  )

  it.scoped("warns when nothing matches", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf([])
      const { rows, warnings } = yield* readAll(files, { glob: ["*.pdf", "*.docx"] }, { folder })
      expect(rows).toEqual([])
      expect(warnings).toEqual([`step: no file matches *.pdf, *.docx in ${folder}`])
    })
  )
})
