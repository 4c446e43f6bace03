/**
 * Manifest of an output folder (`manifest: true`): lists in `_manifest.json` the files that readers may rely on.
 *
 * - It is published with the files, after the last of them, and the manifest of the earlier run is removed before the first one
 *   (`Publish.ts`). A reader that waits for it never sees half a run, even if the run is killed and resumed in between.
 * - A sealed manifest lists the files of its run. On publication, `addOtherFiles` adds files of other runs from the manifest that is
 *   replaced, which may belong to a later run if this one was killed or held. Such files (partitions without rows in this run, appended
 *   parts, files named after their run) stay listed as long as they exist with the same size, and this run neither replaces nor removes
 *   them. Each entry names the run of its file.
 * - Checksums are computed from the finished files, before they get their final names.
 * - A folder has the manifest of only one pipeline: another pipeline is refused, if possible before the first request.
 */
import { createHash } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Files from "../Files.ts"
import type { Ready, Sealed } from "../Step/Output.ts"
import * as Existing from "./Existing.ts"
import { type FileError, fileError, ManifestTaken, NotPublished, onEach } from "./SinkErrors.ts"

const ListedFile = Schema.Struct({
  /** Path relative to the manifest, with `/`. */
  path: Schema.String,
  format: Schema.String,
  /** Rows of the file; missing if it continues a file that no manifest lists. */
  rows: Schema.optional(Schema.Number),
  bytes: Schema.Number,
  sha256: Schema.String,
  partition: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  /** Id of the file's schema in `schemas`; only for an output with a contract. */
  schema: Schema.optional(Schema.String),
  /** Run that last wrote the file. */
  runId: Schema.String
})
type ListedFile = typeof ListedFile.Type

/** Content of `_manifest.json`. */
export const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  pipeline: Schema.String,
  /** Run that published the manifest. */
  runId: Schema.String,
  startedAt: Schema.String,
  /**
   * Numbers of rows that are new, changed or gone since earlier runs; only for a pipeline that compares rows (`dedupe: { across: runs }`).
   */
  changes: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Number })),
  /** Differences from earlier runs; absent when there are none. */
  health: Schema.optional(
    Schema.Array(Schema.Struct({ level: Schema.Literal("unusual", "broken"), message: Schema.String }))
  ),
  /** Columns of files, by the id of their schema. */
  schemas: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  files: Schema.Array(ListedFile)
})
export type Manifest = typeof Manifest.Type

/** Facts about the publishing run that its manifest contains. */
export type PublishingRun = Omit<Manifest, "files" | "schemas" | "version">

const hashChunk = 1 << 20

export const checksum = (fs: FileSystem.FileSystem, path: string) =>
  Effect.suspend(() => {
    const hash = createHash("sha256")
    return Effect.map(
      Stream.runForEach(fs.stream(path, { chunkSize: hashChunk }), (bytes) => Effect.sync(() => hash.update(bytes))),
      () => hash.digest("hex")
    )
  })

/** Adds to finished files the fields that a manifest lists. */
export const describeForManifest = (
  fs: FileSystem.FileSystem,
  files: ReadonlyArray<Ready>,
  manifest: string
): Effect.Effect<ReadonlyArray<Ready>, FileError> =>
  Effect.forEach(
    files,
    (file) =>
      Effect.map(
        Effect.mapError(checksum(fs, file.partial), fileError(file.path)),
        (sha256): Ready => ({ ...file, manifest, sha256 })
      ),
    { concurrency: 4 }
  )

const decode = Schema.decodeUnknownEither(Schema.parseJson(Manifest))

/** Manifest at a path; undefined if there is none. */
const read = (fs: FileSystem.FileSystem, path: string): Effect.Effect<Manifest | undefined, FileError> =>
  fs.readFileString(path).pipe(
    Effect.map((text) => decode(text)),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed(undefined)
    ),
    Effect.mapError(fileError(path)),
    Effect.flatMap((found): Effect.Effect<Manifest | undefined, FileError> => {
      if (found === undefined || Either.isRight(found)) return Effect.succeed(found?.right)
      return new ManifestTaken({ path, reason: "is not a manifest of Sluice" })
    })
  )

/** Manifest at a path; undefined if there is none. Fails if it belongs to another pipeline. */
export const readOwn = (
  fs: FileSystem.FileSystem,
  path: string,
  pipeline: string
): Effect.Effect<Manifest | undefined, FileError> =>
  Effect.filterOrFail(
    read(fs, path),
    (found) => found === undefined || found.pipeline === pipeline,
    (found) => new ManifestTaken({ path, reason: `belongs to pipeline "${found?.pipeline}"` })
  )

const relative = (manifest: string, path: string): string =>
  NodePath.relative(NodePath.dirname(manifest), path).split(NodePath.sep).join("/")

/** File with the id of its schema. */
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

/** Manifest with these files, and with the schemas that they refer to. */
const withFiles = (
  { schemas: _, ...manifest }: Manifest,
  files: ReadonlyArray<ListedFile>,
  known: Manifest["schemas"] = {}
): Manifest => {
  const ids = new Set(files.flatMap(({ schema }) => schema ?? []))
  const schemas = Object.entries(known).filter(([id]) => ids.has(id))
  return {
    ...manifest,
    ...(schemas.length === 0 ? {} : { schemas: Object.fromEntries(schemas) }),
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }
}

const bytesOf = (manifest: Manifest): Uint8Array => Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)

const write = (fs: FileSystem.FileSystem, path: string, bytes: Uint8Array) =>
  Effect.scoped(
    Effect.flatMap(fs.open(path, { flag: "w" }), (file) => Effect.zipRight(file.writeAll(bytes), file.sync))
  )

/** Writes a manifest under its partial name. */
const seal = (
  fs: FileSystem.FileSystem,
  path: string,
  files: ReadonlyArray<Described>,
  schemas: Readonly<Record<string, unknown>>,
  run: PublishingRun
): Effect.Effect<Ready, FileError> =>
  Effect.gen(function* () {
    const before = yield* readOwn(fs, path, run.pipeline)
    const listed = files.map(listedOf(path, run.runId, before))
    const bytes = bytesOf(withFiles({ version: 1, ...run, files: [] }, listed, schemas))
    const writePartial = Effect.gen(function* () {
      yield* Files.makeFolder(fs, NodePath.dirname(path))
      const target = yield* Existing.realPath(fs, path)
      const partial = `${target}.${run.runId}.partial`
      yield* write(fs, partial, bytes)
      const found = yield* Effect.option(fs.stat(target))
      if (found._tag === "Some") yield* Existing.inherit(fs, partial, found.value)
      const folder = yield* fs.realPath(NodePath.dirname(target))
      return { target, partial, real: NodePath.join(folder, NodePath.basename(target)) }
    })
    const { partial, real, target } = yield* Effect.mapError(writePartial, fileError(path))
    const ready: Ready = {
      path,
      real,
      ...(target === path ? {} : { target }),
      partial,
      format: "manifest",
      rows: listed.length,
      bytes: bytes.length,
      isManifest: true
    }
    return ready
  })

/** Seals the manifests of a run after all of its sinks. Returns what is left to publish. */
export const sealAll = (
  sealed: ReadonlyArray<Sealed>,
  run: PublishingRun
): Effect.Effect<ReadonlyArray<Sealed>, FileError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const byManifest = new Map<string, Array<Described>>()
    const schemas: Record<string, unknown> = {}
    const list = (manifest: string, files: ReadonlyArray<Described>) => {
      const listed = byManifest.get(manifest) ?? []
      byManifest.set(manifest, listed)
      listed.push(...files)
    }
    for (const { files, manifest, schema } of sealed) {
      if (manifest !== undefined) list(manifest, [])
      for (const file of files) {
        const own = file.contract?.schema ?? schema
        if (file.manifest === undefined) continue
        list(file.manifest, [{ file, schema: own?.id }])
        if (own !== undefined) schemas[own.id] = own.columns
      }
    }
    const manifests: Array<Ready> = []
    yield* onEach(byManifest, ([path, files]) =>
      Effect.map(seal(fs, path, files, schemas, run), (manifest) => manifests.push(manifest))
    )
    return manifests.length === 0 ? [] : [{ files: manifests, stale: [], scraps: [], warnings: [] }]
  })

/** Manifests of interrupted runs, which had removed the published one without replacing it, reduced to the files of other runs. */
const keptByInterrupted = (fs: FileSystem.FileSystem, { partial, path, target = path }: Ready, pipeline: string) =>
  Effect.gen(function* () {
    const folder = NodePath.dirname(target)
    const names = yield* Effect.mapError(fs.readDirectory(folder), fileError(path))
    const partials = names
      .filter((name) => name.startsWith(`${NodePath.basename(target)}.`) && name.endsWith(".partial"))
      .map((name) => NodePath.join(folder, name))
    const found = yield* Effect.forEach(
      partials.filter((each) => each !== partial),
      (each) => Effect.orElseSucceed(readOwn(fs, each, pipeline), () => undefined)
    )
    return found.flatMap((each) =>
      each === undefined ? [] : [{ ...each, files: each.files.filter(({ runId }) => runId !== each.runId) }]
    )
  })

/**
 * Updates a sealed manifest after files have got other names or more rows. Finds the files by their partial files or their paths, so that
 * it can be repeated.
 */
export const amend = (
  fs: FileSystem.FileSystem,
  { partial, path }: Ready,
  before: ReadonlyArray<Ready>,
  after: ReadonlyArray<Ready>
): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const sealed = yield* Effect.orElseSucceed(read(fs, partial), () => undefined)
    if (sealed === undefined) return
    const current = yield* Effect.orElseSucceed(read(fs, path), () => undefined)
    const files = sealed.files.map((listed) => {
      const at = before.findIndex((each) => relative(path, each.path) === listed.path)
      const file = after.find(
        (each) => relative(path, each.path) === listed.path || each.partial === before[at]?.partial
      )
      if (file === undefined) return listed
      const name = relative(path, file.path)
      const { bytes, original, sha256 = listed.sha256 } = file
      if (bytes === listed.bytes || !Existing.isContinued(original)) return { ...listed, path: name, bytes, sha256 }
      const known = current?.files.find((each) => each.path === name && each.bytes === original?.size)?.rows
      const { rows: _, ...rest } = listed
      return { ...rest, path: name, bytes, sha256, ...(known === undefined ? {} : { rows: known + file.rows }) }
    })
    const changed = `${partial}.changed`
    yield* write(fs, changed, bytesOf({ ...sealed, files })).pipe(
      Effect.zipRight(fs.rename(changed, partial)),
      Effect.mapError(fileError(path))
    )
  })

/** Paths of the run's files that already have their final names, and of files to remove. */
export interface FilesBeforePublishing {
  readonly renamed: ReadonlyArray<string>
  readonly stale: ReadonlyArray<string>
}

/**
 * Adds the remaining files of other runs to a sealed manifest. Called before each attempt to publish the run, while the published manifest
 * still exists: the partial manifest is replaced in one step, and after a crash it is the only list of those files.
 */
export const addOtherFiles = (
  fs: FileSystem.FileSystem,
  file: Ready,
  { renamed, stale }: FilesBeforePublishing
): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const { partial, path } = file
    const sealed = yield* read(fs, partial)
    if (sealed === undefined) return yield* new NotPublished({ path, partial })
    const { runId } = sealed
    const current = yield* readOwn(fs, path, sealed.pipeline)
    const interrupted = current === undefined ? yield* keptByInterrupted(fs, file, sealed.pipeline) : []
    const known = [...interrupted, sealed, ...(current === undefined ? [] : [current])]
    const others = new Map(known.flatMap(({ files }) => files).map((each) => [each.path, each]))
    // The run removed the manifest before it renamed its first file, so a manifest that lists such a file is newer.
    const replaced = new Set(
      renamed.map((each) => relative(path, each)).filter((each) => others.get(each)?.runId !== runId)
    )
    const own = sealed.files.filter((each) => each.runId === runId && !replaced.has(each.path))
    for (const each of own) others.delete(each.path)
    for (const each of stale) others.delete(relative(path, each))
    const kept = yield* Effect.filter(
      others.values(),
      (each) =>
        fs.stat(NodePath.resolve(NodePath.dirname(path), each.path)).pipe(
          Effect.map(({ size, type }) => type === "File" && Number(size) === each.bytes),
          Effect.orElseSucceed(() => false)
        ),
      { concurrency: 8 }
    )
    const schemas: Manifest["schemas"] = Object.assign({}, ...known.map((each) => each.schemas))
    const manifest = withFiles(sealed, [...kept, ...own], schemas)
    const changed = `${partial}.changed`
    yield* write(fs, changed, bytesOf(manifest)).pipe(
      Effect.zipRight(fs.stat(partial)),
      Effect.flatMap((found) => Existing.inherit(fs, changed, found)),
      Effect.zipRight(fs.rename(changed, partial)),
      Effect.zipRight(Files.syncFolder(fs, NodePath.dirname(partial))),
      Effect.mapError(fileError(path))
    )
  })
