import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Rejects from "../../src/Run/Rejects.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { StepError } from "../../src/Step.ts"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { open } from "./Folder.ts"

/** A process that was stopped in the middle of a write wakes, and completes it. */
const wakesAndWrites = (held: number, at: number) => {
  writeSync(held, "x".repeat(200), at)
  closeSync(held)
}

describe("a process that was declared dead", () => {
  scoped("writes nothing into files that another process continues, when it wakes", function* () {
    const out = yield* tempDir
    const partial = `${out}/a.jsonl.r1.partial`
    const place = { folder: out, mayBeHeld: true }
    const resume = yield* Effect.gen(function* () {
      const writer = yield* open(jsonl, { jsonl: "a.jsonl" }, place)
      yield* writer.write([{ n: 1 }])
      const commit = yield* writer.commit
      yield* writer.write([{ n: "lost" }])
      return commit
    }).pipe(Effect.scoped)
    const held = openSync(partial, "r+")
    const writer = yield* open(jsonl, { jsonl: "a.jsonl" }, { ...place, resume })
    yield* writer.write([{ n: 2 }])
    yield* writer.commit
    wakesAndWrites(held, 8)
    yield* writer.seal
    expect(readFileSync(partial, "utf8")).toBe('{"n":1}\n{"n":2}\n')
  })

  scoped("writes nothing into a file that another process starts again", function* () {
    const out = yield* tempDir
    const partial = `${out}/a.jsonl.r1.partial`
    const held = openSync(partial, "w")
    const writer = yield* open(jsonl, { jsonl: "a.jsonl" }, { folder: out, mayBeHeld: true })
    yield* writer.write([{ n: 2 }])
    yield* writer.commit
    wakesAndWrites(held, 0)
    expect(readFileSync(partial, "utf8")).toBe('{"n":2}\n')
  })

  scoped("writes nothing into the reject file that another process continues", function* () {
    const out = yield* tempDir
    yield* (yield* FileSystem.FileSystem).writeFileString(`${out}/rejects.jsonl`, "{}\nlost")
    const held = openSync(`${out}/rejects.jsonl`, "r+")
    const rejects = yield* Rejects.make(out, 3, { mayBeHeld: true })
    yield* rejects.add("s", "p:1:1", { data: { n: 1 } }, new StepError({ reason: "R", message: "m" }))
    yield* rejects.flush
    wakesAndWrites(held, 3)
    const lines = readFileSync(`${out}/rejects.jsonl`, "utf8").split("\n")
    expect([lines[0], JSON.parse(lines[1] ?? "").row, lines.length]).toEqual(["{}", { n: 1 }, 3])
  })
})

describe("an interrupt while files are opened", () => {
  scoped("releases the files for the next run of the same process, new or resumed", function* () {
    const place = { folder: yield* tempDir }
    const fs = yield* FileSystem.FileSystem
    const begun = yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(jsonl, { jsonl: "a.jsonl" }, place)
        yield* writer.write([{ n: 1 }])
        return yield* writer.commit
      })
    )
    for (const resume of [begun, undefined]) {
      const reached = yield* Deferred.make<void>()
      const stuck = { ...fs, stat: () => Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never) }
      const opening = yield* open(jsonl, { jsonl: "a.jsonl" }, { ...place, resume }).pipe(
        Effect.provideService(FileSystem.FileSystem, stuck),
        Effect.scoped,
        Effect.fork
      )
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(opening)
      const again = Effect.flatMap(open(jsonl, { jsonl: "a.jsonl" }, { ...place, resume }), ({ commit }) => commit)
      const { files } = yield* Effect.scoped(again)
      expect(files.map(({ offset }) => offset)).toEqual([resume === undefined ? 0 : 8])
    }
  })
})
