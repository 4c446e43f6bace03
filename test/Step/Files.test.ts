import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { type Ended, type Project, project, rowsIn, stepLine } from "../Project.ts"
import { live, type Pacer, pacer, until } from "../Run/Lives.ts"

/** A project with files in the folder `in`. */
const projectWith = (names: ReadonlyArray<string>, pace?: Pacer) =>
  Effect.tap(
    project({
      ...(pace === undefined ? {} : { onTestClock: true, service: pace.service }),
      files: Object.fromEntries(names.map((name) => [`in/${name}`, `content of ${name}`]))
    }),
    ({ folder }) => Effect.sync(() => mkdirSync(join(folder, "in"), { recursive: true }))
  )

/** Holds up the files, until their pages are answered. */
const paced = `  - scrape: { url: { expr: "'http://x.example/' & name" } }
    concurrency: 1
  - select: { name: $source.name, path: $source.path }
`

const files = (fields: object, more = ""): string =>
  `${stepLine("files", fields)}${more}  - write: { jsonl: rows.jsonl }\n`

const namesOf = ({ emitted }: Ended) => emitted("files").map(({ data }) => data.name)

const stateIn = ({ ledger }: Project) =>
  Effect.map(Stream.runCollect(ledger.states.entries("t")), (entries) =>
    Chunk.toReadonlyArray(entries).map(({ key, value }) => [key, value])
  )

const isIncomplete = ({ incomplete }: Ended) => incomplete.includes("files")

describe("files", () => {
  scoped.skipIf(skipsLong)("continues a resumed run in the same list, whatever files have arrived since", function* () {
    // More than the next step takes at once: the run stops in the middle of the list.
    const pace = pacer()
    const names = Array.from({ length: 60 }, (_, index) => `${100 + index}.txt`)
    const here = yield* projectWith(names, pace)
    const steps = files({ glob: "in/*.txt" }, paced)
    const first = yield* live(here, pace, steps)
    yield* until(() => pace.waiting() > 0)
    yield* first.commit
    yield* first.kill
    writeFileSync(join(here.folder, "in/000.txt"), "new")
    writeFileSync(join(here.folder, "in/130-and-a-half.txt"), "new")
    const second = yield* live(here, pace, steps, {}, first.run.id)
    expect((yield* second.end)._tag).toBe("Right")
    expect(rowsIn(join(here.folder, "rows.jsonl")).map(({ name }) => name)).toEqual(names)
    // They were announced once: progress never shows more than all.
    expect((yield* second.run.progress).expected).toBe(60)
  })

  scoped("rejects a file that was removed after it had been listed", function* () {
    const pace = pacer()
    const here = yield* projectWith(["a.txt", "b.txt", "c.txt"], pace)
    const steps = files({ glob: "in/*" }, paced)
    const first = yield* live(here, pace, steps)
    yield* until(() => pace.waiting() > 0)
    yield* first.kill
    rmSync(join(here.folder, "in/b.txt"))
    const second = yield* live(here, pace, steps, {}, first.run.id)
    expect((yield* second.end)._tag).toBe("Right")
    expect(rowsIn(join(here.folder, "rows.jsonl")).map(({ name }) => name)).toEqual(["a.txt", "c.txt"])
    const rejects = rowsIn(join(here.folder, "runs", first.run.id, "rejects.jsonl"))
    expect(rejects.map(({ error, row }) => [row, error])).toEqual([[{ path: "in/b.txt" }, "FileUnreadable"]])
  })

  scoped.skipIf(skipsLong)(
    "is incomplete where a folder or a link cannot be read, also in a resumed run",
    function* () {
      const pace = pacer()
      const here = yield* projectWith(["a.txt", "z.txt"], pace)
      const input = join(here.folder, "in")
      const steps = files({ glob: "in/*" })
      symlinkSync("nothing.txt", join(input, "dangling.txt"))
      expect(isIncomplete(yield* here.run(steps))).toBe(false)
      symlinkSync("loop.txt", join(input, "loop.txt"))
      const looped = yield* here.run(steps)
      expect(namesOf(looped)).toEqual(["a.txt", "z.txt"])
      expect(looped.warnings.join()).toContain("loop.txt: files in it are missing")
      expect(isIncomplete(looped)).toBe(true)
      // The list of the first process says what it could not read.
      const slow = files({ glob: "in/*" }, paced)
      const first = yield* live(here, pace, slow)
      yield* until(() => pace.waiting() > 0)
      yield* first.kill
      rmSync(join(input, "loop.txt"))
      const second = yield* live(here, pace, slow, {}, first.run.id)
      expect((yield* second.end)._tag).toBe("Right")
      expect(yield* here.incompleteIn(first.run.id)).toEqual(["files"])
      expect(isIncomplete(yield* here.run(steps))).toBe(false)
      renameSync(input, join(here.folder, "moved"))
      expect(isIncomplete(yield* here.run(steps))).toBe(true)
    }
  )

  scoped("is incomplete for later steps when it skips files that earlier runs have seen", function* () {
    const { run } = yield* projectWith(["a.txt", "b.txt"])
    const steps = files({ glob: "in/*", skipSeen: "path" })
    expect(isIncomplete(yield* run(steps))).toBe(false)
    expect(isIncomplete(yield* run(steps))).toBe(true)
  })

  scoped.skipIf(skipsLong)("skips what earlier runs have emitted, by content, path or time", function* () {
    const { folder, ledger, run } = yield* projectWith(["changed.txt", "kept.txt", "moved.txt"])
    const emitted = (skipSeen: string, options: object = {}) =>
      Effect.map(
        run(files({ glob: "in/*", skipSeen }), { frame: `state: { key: ${skipSeen} }\n`, ...options }),
        namesOf
      )
    for (const skipSeen of ["content", "path", "mtime"]) expect((yield* emitted(skipSeen)).length).toBe(3)
    appendFileSync(join(folder, "in/changed.txt"), "!")
    rmSync(join(folder, "in/moved.txt"))
    writeFileSync(join(folder, "in/renamed.txt"), "content of moved.txt")
    expect(yield* emitted("content")).toEqual(["changed.txt"])
    expect(yield* emitted("path")).toEqual(["renamed.txt"])
    expect(yield* emitted("mtime")).toEqual(["changed.txt", "renamed.txt"])
    utimesSync(join(folder, "in/kept.txt"), 1, 1)
    expect(yield* emitted("mtime")).toEqual(["kept.txt"])
    for (let runs = 0; runs < 2; runs++) expect((yield* emitted("never")).length).toBe(3)
    // A run without state emits everything, and remembers nothing.
    const before = yield* ledger.states.list
    expect((yield* emitted("content", { backfill: true })).length).toBe(3)
    expect((yield* ledger.states.list).map(({ entries }) => entries)).toEqual(before.map(({ entries }) => entries))
    expect(before.map(({ stateKey }) => stateKey)).not.toContain("never")
  })

  scoped("emits a file again whose row was rejected", function* () {
    const here = yield* projectWith(["a.txt", "b.txt"])
    const steps = files(
      { glob: "in/*", skipSeen: "path" },
      `  - check: [{ rule: 'name != "b.txt"', message: "not b" }]\n`
    )
    expect(namesOf(yield* here.run(steps))).toEqual(["a.txt", "b.txt"])
    expect(yield* stateIn(here)).toEqual([["in/a.txt", null]])
    expect(namesOf(yield* here.run(steps))).toEqual(["b.txt"])
  })

  scoped("warns when nothing matches", function* () {
    const { folder, run } = yield* projectWith([])
    const { rows, warnings } = yield* run(files({ glob: ["*.pdf", "*.docx"] }))
    expect(rows).toEqual([])
    expect(warnings).toEqual([`files: no file matches *.pdf, *.docx in ${folder}`])
  })
})
