/** A folder of its own for a test, with files in it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"

/** Removed with the scope, again while a program that was cut off in it still ends a write. */
const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "project-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
)

export const folderOf = (files: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const path = yield* temporary
    for (const [name, text] of Object.entries(files)) {
      const file = `${path}/${name}`
      yield* system.makeDirectory(dirname(file), { recursive: true })
      yield* system.writeFileString(file, text)
    }
    return path
  })

/** The same with these files in its folder `pipelines`, beside rows that definitions may read. */
export const pipelinesOf = (files: Readonly<Record<string, string>>) =>
  folderOf(
    Object.fromEntries(
      Object.entries({ "rows.csv": "n\n1\n", ...files }).map(([name, text]) => [`pipelines/${name}`, text])
    )
  )

/** A pipeline named `tick` that is due every second, runs its missed times, and writes `out/RUN.FORMAT`. */
export const everySecond = (format: "csv" | "jsonl") => `version: 1
name: tick
schedule: { cron: "* * * * * *", timezone: UTC, overlap: queue, catchUp: all, catchUpWindow: 1h }
steps:
  - read: rows.csv
  - write: { ${format}: "out/{runId}.${format}" }
`

export const list = (path: string) => Effect.flatMap(FileSystem.FileSystem, (files) => files.readDirectory(path))

export const readText = (path: string) => Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path))

export const writeText = (path: string, text: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.writeFileString(path, text))

export const platform = NodeContext.layer
