/** A temporary folder and an opened sink, for the tests of sinks. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Sink from "../../src/Sink.ts"

/** A folder that goes away with the test. */
export const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** Opens a sink as a definition would. */
export const open = <Config, Encoded>(
  sink: Sink.Sink<string, Config, Encoded>,
  config: Encoded,
  place: Partial<Sink.Place> & { readonly folder: string }
) =>
  Schema.decode(sink.config)(config).pipe(
    Effect.orDie,
    Effect.flatMap((decoded) => sink.open(decoded, { names: { runId: "r1", date: "2026-01-31" }, ...place }))
  )

/** The file's text, its byte order mark included. */
export const read = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.readFile(path), (bytes) => Buffer.from(bytes).toString()))

/** Names in a folder, sorted. */
export const list = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.readDirectory(path), (names) => names.sort()))
