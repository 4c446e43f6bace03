/** A temporary folder and an opened sink, for the tests of sinks. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Data } from "../../src/Row.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { publish } from "../../src/Sink/Publish.ts"
import type * as Sink from "../../src/Sink.ts"

/** A folder that goes away with the test. */
export const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** A writer that takes the rows' data, and ends as a run does. */
const plain = (writer: Sink.Writer) => ({
  ...writer,
  write: (rows: ReadonlyArray<Data>) => writer.write(rows.map((data) => ({ data }))),
  finish: Effect.flatMap(writer.seal, (sealed) =>
    Effect.map(publish([sealed]), (files) => ({ files, warnings: sealed.warnings }))
  )
})

/** Opens a sink as a definition would. */
export const open = <Config, Encoded>(
  sink: Sink.Sink<string, Config, Encoded>,
  config: Encoded,
  place: Partial<Sink.SinkContext> & { readonly folder: string }
) =>
  Schema.decode(sink.config)(config).pipe(
    Effect.orDie,
    Effect.flatMap((decoded) =>
      sink.open(decoded, {
        names: { runId: "r1", date: "2026-01-31" },
        bindings: () => ({ names: {} }),
        ...place
      })
    ),
    Effect.map(plain)
  )

/** Number of writes and syncs that a {@link faulty} disk still completes. */
export interface Gauge {
  left: number
}

const isFull = (path: string) =>
  new SystemError({
    module: "FileSystem",
    method: "write",
    reason: "Unknown",
    pathOrDescriptor: path,
    cause: Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
  })

/** The files of a disk that is full after some writes and syncs; the one that fails is done by half. */
export const faulty = (fs: FileSystem.FileSystem, gauge: Gauge): FileSystem.FileSystem => {
  const fails = () => gauge.left-- <= 0
  return {
    ...fs,
    open: (path, options) =>
      Effect.map(
        fs.open(path, options),
        (file) =>
          new Proxy(file, {
            get: (target, name) => {
              if (name === "writeAll") {
                return (bytes: Uint8Array) =>
                  fails()
                    ? Effect.zipRight(target.writeAll(bytes.subarray(0, bytes.length / 2)), Effect.fail(isFull(path)))
                    : target.writeAll(bytes)
              }
              if (name === "sync") return Effect.suspend(() => (fails() ? Effect.fail(isFull(path)) : target.sync))
              const value: unknown = Reflect.get(target, name, target)
              return typeof value === "function" ? value.bind(target) : value
            }
          })
      )
  }
}

/** A commit as the ledger returns it. */
export const reread = (commit: Sink.Commit): Sink.Commit => JSON.parse(JSON.stringify(commit))

/** The file's text, its byte order mark included. */
export const read = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.readFile(path), (bytes) => Buffer.from(bytes).toString()))

/** Names in a folder, sorted. */
export const list = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.readDirectory(path), (names) => names.sort()))

/** A whole run of a JSONL sink. */
export const write = (config: typeof jsonl.config.Encoded, out: string, rows: ReadonlyArray<Data>, runId = "r1") =>
  open(jsonl, config, { folder: out, names: { runId, date: "2026-01-31" } }).pipe(
    Effect.tap((writer) => writer.write(rows)),
    Effect.flatMap((writer) => writer.finish),
    Effect.scoped
  )

/** Every file below a folder, from its name to its lines. */
export const tree = (root: string): Record<string, ReadonlyArray<string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8").split("\n").slice(0, -1)])
  )
