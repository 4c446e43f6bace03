/** Temporary files of an engine that was killed do not outlive the start of the next one. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scratch from "../../../src/Engine/Store/Scratch.ts"
import { describe, expect, it } from "../../It.ts"
import { temporaryFolder } from "../../Local.ts"

const layer = Layer.provide(Scratch.layer, NodeContext.layer)

describe("temporary files", () => {
  it.scopedLive("of an ended process are removed at the next start, and no others", function* () {
    const folder = yield* temporaryFolder
    const make = (name: string) => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, "upload.pdf"), "secret")
      return name
    }
    const name = yield* Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      return basename(yield* files.makeTempDirectoryScoped())
    }).pipe(Effect.provide(layer), Effect.scoped)
    expect(readdirSync(folder)).toEqual([])
    const gone = spawnSync(process.execPath, ["--version"]).pid
    const named = (pid: number) => name.replace(`-${process.pid}-`, `-${pid}-`)
    make(named(gone))
    const kept = [make(named(process.ppid)), make(name), make("sluice-other"), make(`sluice-00000000-${gone}-x`)]
    // A container's new process often has the number of the one before it.
    const before = make(`${name}before`)
    utimesSync(join(folder, before), 1, 1)
    yield* Effect.scoped(Layer.build(layer))
    expect(readdirSync(folder).sort()).toEqual(kept.sort())
  })
})
