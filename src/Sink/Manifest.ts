/**
 * Manifest of an output folder (`manifest: true`): the files that its readers may rely on, in `_manifest.json`.
 *
 * - It is published with the files, after the last of them, and the manifest of the earlier run is removed before the first one
 *   (`Publish.ts`). A reader that waits for it never sees half a run, also when the run is killed and resumed in between.
 * - Files of earlier runs stay listed as long as they are there with the same size, and neither replaced nor removed: partitions
 *   without rows in this run, appended parts, files that have the id of their run in their names. Each file names its run.
 * - Checksums are those of the finished files, before they get their names.
 * - A folder has the manifest of one pipeline: another one is refused, before the first request where that is possible.
 */
import { createHash } from "node:crypto"
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Files from "../Files.ts"
import type { Ready, Sealed } from "../Step/Output.ts"
import * as Existing from "./Existing.ts"
import { type FileError, fileError, ManifestTaken, onEach } from "./SinkErrors.ts"

const ListedFile = Schema.Struct({
  /** Relative to the manifest, with `/`. */
  path: Schema.String,
  format: Schema.String,
  /** Rows of the file; missing when it continues a file that no manifest has listed. */
  rows: Schema.optional(Schema.Number),
  bytes: Schema.Number,
  sha256: Schema.String,
  partition: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  /** Id of its schema in `schemas`; only of an output with a contract. */
  schema: Schema.optional(Schema.String),
  /** The run that wrote the file last. */
  runId: Schema.String
})
type ListedFile = typeof ListedFile.Type

/** Content of `_manifest.json`. */
export const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  pipeline: Schema.String,
  /** The run that published the manifest. */
  runId: Schema.String,
  startedAt: Schema.String,
  /** Rows that are new, changed or gone since earlier runs; only of a pipeline that compares them (`dedupe: { across: runs }`). */
  changes: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Number })),
  /** What is not as in earlier runs; only where there is something. */
  health: Schema.optional(
    Schema.Array(Schema.Struct({ level: Schema.Literal("unusual", "broken"), message: Schema.String }))
  ),
  /** Columns of files, by the id of their schema. */
  schemas: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  files: Schema.Array(ListedFile)
})
export type Manifest = typeof Manifest.Type

/** The run that publishes. */
export type PublishingRun = Omit<Manifest, "files" | "schemas" | "version">

const hashChunk = 1 << 20

const checksum = (fs: FileSystem.FileSystem, path: string) =>
  Effect.suspend(() => {
    const hash = createHash("sha256")
    return Effect.map(
      Stream.runForEach(fs.stream(path, { chunkSize: hashChunk }), (bytes) => Effect.sync(() => hash.update(bytes))),
      () => hash.digest("hex")
    )
  })

const describe = (path: string) => (error: PlatformError.PlatformError) => fileError(path, { bytes: 0, rows: 0 })(error)

/** Adds to finished files what a manifest says of them. */
export const describeForManifest = (
  fs: FileSystem.FileSystem,
  files: ReadonlyArray<Ready>,
  manifest: string
): Effect.Effect<ReadonlyArray<Ready>, FileError> =>
  Effect.forEach(
    files,
    (file) =>
      Effect.map(
        Effect.mapError(checksum(fs, file.partial), describe(file.path)),
        (sha256): Ready => ({ ...file, manifest, sha256 })
      ),
    { concurrency: 4 }
  )

const decode = Schema.decodeUnknownEither(Schema.parseJson(Manifest))

/** The manifest at a path; undefined where there is none. Fails when it is not one of the pipeline. */
export const readOwn = (
  fs: FileSystem.FileSystem,
  path: string,
  pipeline: string
): Effect.Effect<Manifest | undefined, FileError> =>
  fs.readFileString(path).pipe(
    Effect.map((text) => decode(text)),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed(undefined)
    ),
    Effect.mapError(describe(path)),
    Effect.flatMap((found): Effect.Effect<Manifest | undefined, FileError> => {
      if (found === undefined) return Effect.succeed(undefined)
      if (Either.isLeft(found)) return new ManifestTaken({ path, reason: "is not a manifest of Sluice" })
      return found.right.pipeline === pipeline
        ? Effect.succeed(found.right)
        : new ManifestTaken({ path, reason: `is that of pipeline "${found.right.pipeline}"` })
    })
  )

const relative = (manifest: string, path: string): string =>
  NodePath.relative(NodePath.dirname(manifest), path).split(NodePath.sep).join("/")

/** A file, and the id of its schema. */
interface Described {
  readonly file: Ready
  readonly schema: string | undefined
}

const listedOf =
  (manifest: string, runId: string, before: Manifest | undefined) =>
  ({ file, schema }: Described): ListedFile => {
    const { bytes, format, original, partition, rows, sha256 = "" } = file
    const path = relative(manifest, file.path)
    const earlier = Existing.isContinued(original)
      ? before?.files.find((each) => each.path === path && each.bytes === original?.size)?.rows
      : 0
    return {
      path,
      format,
      ...(earlier === undefined ? {} : { rows: earlier + rows }),
      bytes,
      sha256,
      ...(partition === undefined ? {} : { partition }),
      ...(schema === undefined ? {} : { schema }),
      runId
    }
  }

/** Files of earlier runs that this one leaves as they are. */
const keptFiles = (fs: FileSystem.FileSystem, manifest: string, before: Manifest, gone: ReadonlySet<string>) =>
  Effect.filter(
    before.files.filter(({ path }) => !gone.has(path)),
    ({ bytes, path }) =>
      fs.stat(NodePath.resolve(NodePath.dirname(manifest), path)).pipe(
        Effect.map(({ size, type }) => type === "File" && Number(size) === bytes),
        Effect.orElseSucceed(() => false)
      ),
    { concurrency: 8 }
  )

/** Writes a manifest under its partial name. */
const seal = (
  fs: FileSystem.FileSystem,
  path: string,
  files: ReadonlyArray<Described>,
  stale: ReadonlyArray<string>,
  known: Readonly<Record<string, unknown>>,
  run: PublishingRun
): Effect.Effect<Ready, FileError> =>
  Effect.gen(function* () {
    const before = yield* readOwn(fs, path, run.pipeline)
    const listed = files.map(listedOf(path, run.runId, before))
    const gone = new Set([...listed.map((file) => file.path), ...stale.map((each) => relative(path, each))])
    const kept = before === undefined ? [] : yield* keptFiles(fs, path, before, gone)
    const all = [...kept, ...listed].sort((a, b) => (a.path < b.path ? -1 : 1))
    const ids = new Set(all.flatMap(({ schema }) => schema ?? []))
    const schemas = Object.entries({ ...before?.schemas, ...known }).filter(([id]) => ids.has(id))
    const manifest: Manifest = {
      version: 1,
      ...run,
      ...(schemas.length === 0 ? {} : { schemas: Object.fromEntries(schemas) }),
      files: all
    }
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    const write = Effect.gen(function* () {
      yield* Files.makeFolder(fs, NodePath.dirname(path))
      const target = yield* Existing.realPath(fs, path)
      const partial = `${target}.${run.runId}.partial`
      yield* Effect.scoped(
        Effect.flatMap(fs.open(partial, { flag: "w" }), (file) => Effect.zipRight(file.writeAll(bytes), file.sync))
      )
      const found = yield* Effect.option(fs.stat(target))
      if (found._tag === "Some") yield* Existing.inherit(fs, partial, found.value)
      return { target, partial }
    })
    const { partial, target } = yield* Effect.mapError(write, describe(path))
    const ready: Ready = {
      path,
      ...(target === path ? {} : { target }),
      partial,
      format: "manifest",
      rows: all.length,
      bytes: bytes.length,
      isManifest: true
    }
    return ready
  })

/** Seals the manifests of a run, once all of its sinks have been sealed. Returns what publishing has to do with them. */
export const sealAll = (
  sealed: ReadonlyArray<Sealed>,
  run: PublishingRun
): Effect.Effect<ReadonlyArray<Sealed>, FileError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const byManifest = new Map<string, Array<Described>>()
    const list = (manifest: string, files: ReadonlyArray<Described>) => {
      const listed = byManifest.get(manifest) ?? []
      byManifest.set(manifest, listed)
      listed.push(...files)
    }
    for (const { files, manifest, schema } of sealed) {
      if (manifest !== undefined) list(manifest, [])
      for (const file of files) if (file.manifest !== undefined) list(file.manifest, [{ file, schema: schema?.id }])
    }
    const schemas = Object.fromEntries(
      sealed.flatMap(({ schema }) => (schema === undefined ? [] : [[schema.id, schema.columns]]))
    )
    const stale = sealed.flatMap((each) => each.stale)
    const manifests: Array<Ready> = []
    yield* onEach(byManifest, ([path, files]) =>
      Effect.map(seal(fs, path, files, stale, schemas, run), (manifest) => manifests.push(manifest))
    )
    return manifests.length === 0 ? [] : [{ files: manifests, stale: [], scraps: [], warnings: [] }]
  })
