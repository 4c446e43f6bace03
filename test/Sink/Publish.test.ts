import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { publish } from "../../src/Sink/Publish.ts"
import type { Sealed } from "../../src/Step/Output.ts"
import { assert, describe, scoped } from "../It.ts"
import { folder, list } from "./Folder.ts"

/** Three files and what they leave behind, as a sink has sealed them. */
const seal = (out: string): ReadonlyArray<Sealed> => {
  const file = (name: string) => {
    writeFileSync(join(out, `${name}.r1.partial`), `new ${name}`)
    writeFileSync(join(out, name), "old")
    return {
      path: join(out, name),
      partial: join(out, `${name}.r1.partial`),
      format: "jsonl",
      rows: 1,
      bytes: 4 + name.length
    }
  }
  const other = (name: string) => {
    writeFileSync(join(out, name), "")
    return join(out, name)
  }
  return [
    { files: [file("a"), file("b")], stale: [other("a-2"), join(out, "c")], scraps: [other("scrap")], warnings: [] },
    { files: [file("c")], stale: [], scraps: [], warnings: [] }
  ]
}

const check = (out: string) =>
  Effect.map(list(out), (names) => {
    assert.deepStrictEqual(names, ["a", "b", "c"])
    for (const name of names) assert.strictEqual(readFileSync(join(out, name), "utf8"), `new ${name}`)
  })

/** Dies at the n-th change of the disk. */
const dying = (fs: FileSystem.FileSystem, at: number): FileSystem.FileSystem => {
  let done = 0
  const step = <A, E>(effect: Effect.Effect<A, E>) => (done++ === at ? Effect.die("power cut") : effect)
  return {
    ...fs,
    rename: (from, to) => Effect.suspend(() => step(fs.rename(from, to))),
    remove: (path, options) => Effect.suspend(() => step(fs.remove(path, options)))
  }
}

describe("publishing", () => {
  scoped("can be repeated after a crash at any point", function* () {
    const fs = yield* FileSystem.FileSystem
    for (let at = 0; at < 5; at++) {
      const out = yield* folder
      const sealed = seal(out)
      const crash = yield* Effect.exit(
        publish(sealed).pipe(Effect.provideService(FileSystem.FileSystem, dying(fs, at)))
      )
      assert.strictEqual(crash._tag, "Failure")
      const outputs = yield* publish(JSON.parse(JSON.stringify(sealed)))
      assert.deepStrictEqual(
        outputs.map(({ path }) => path),
        ["a", "b", "c"].map((name) => join(out, name))
      )
      assert.notProperty(outputs[0], "partial")
      yield* check(out)
      // And once more, when all of it is done.
      yield* publish(sealed)
      yield* check(out)
    }
  })

  scoped("names a missing file, and removes nothing", function* () {
    const out = yield* folder
    const sealed = seal(out)
    rmSync(join(out, "b"))
    rmSync(join(out, "b.r1.partial"))
    const gone = yield* Effect.flip(publish(sealed))
    assert.strictEqual(gone._tag, "NotPublished")
    assert.include(gone.message, `${join(out, "b")} cannot be published`)
    assert.isTrue(existsSync(join(out, "a-2")))
    // An old file under the name is not taken for the new one.
    writeFileSync(join(out, "b"), "old")
    assert.strictEqual((yield* Effect.flip(publish(sealed)))._tag, "NotPublished")
  })

  scoped("does not replace a folder", function* () {
    const out = yield* folder
    const sealed = seal(out)
    rmSync(join(out, "b"))
    mkdirSync(join(out, "b"))
    const error = yield* Effect.flip(publish(sealed))
    assert.strictEqual(error._tag, "IsDirectory")
  })
})
