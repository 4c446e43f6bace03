/** A folder of its own for a test, with files in it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"

export const folderOf = (files: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const path = yield* system.makeTempDirectoryScoped()
    for (const [name, text] of Object.entries(files)) yield* system.writeFileString(`${path}/${name}`, text)
    return path
  })

export const list = (path: string) => Effect.flatMap(FileSystem.FileSystem, (files) => files.readDirectory(path))

export const readText = (path: string) => Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path))

export const platform = NodeContext.layer
