/**
 * Rebases the files of a held run onto what other runs have published since they were sealed: no rows are lost, neither theirs nor those of
 * the others.
 *
 * - An append continues the current file: the rows of the run are copied to the end of a copy of it.
 * - If a later run has replaced a file, the file of the held run is published beside it, with the run's id in its name. So is an append if
 *   the header of the current file differs.
 * - Only partial files are changed. The result is recorded before it is published; after a crash it is computed again.
 */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Ready, type Sealed, targetOf } from "../Step/Output.ts"
import { isGzip } from "../Values/Gzip.ts"
import { perRun } from "./Destination.ts"
import * as Existing from "./Existing.ts"
import * as Manifest from "./Manifest.ts"
import { type FileError, fileError } from "./SinkErrors.ts"

export interface RebaseOptions {
  readonly runId: string
  /** Paths that have been published by runs that began later. */
  readonly written: ReadonlySet<string>
}

/** Path with the id of the run in the file name. */
const besidePath = (path: string, runId: string): string => {
  // A brace would count as part of a placeholder.
  const name = perRun(NodePath.basename(path).replaceAll("{", "\0").replaceAll("}", "\u0001"))
  const beside = name.includes("{runId}") ? name.replace("{runId}", () => runId) : name
  return NodePath.join(NodePath.dirname(path), beside.replaceAll("\0", "{").replaceAll("\u0001", "}"))
}

/** True for an append that began its file, or replaced the rows of a trial: the partial file then has a header. */
const isFirst = ({ original }: Ready): boolean => !Existing.isContinued(original)

const newline = 0x0a

/** Reads bytes at an offset of a file, at most `length`. */
const bytesAt = (fs: FileSystem.FileSystem, path: string, offset: number, length: number) =>
  fs.stream(path, { offset, bytesToRead: length }).pipe(
    Stream.runFold([] as Uint8Array[], (all, bytes) => [...all, bytes]),
    Effect.map((all) => Buffer.concat(all))
  )

/** Maximum length of a header, in bytes. */
const maxHeader = 1 << 20

/** Header of a CSV table, with its line end: the first record; its quoted names may contain line ends. */
const headerOf = (bytes: Buffer): Buffer => {
  let isQuoted = false
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0x22) isQuoted = !isQuoted
    if (byte === newline && !isQuoted) return bytes.subarray(0, at + 1)
  }
  return bytes
}

/** Offset of the run's rows in the partial file of an append; undefined if they cannot follow the current content of the file. */
const ownRowsAt = (fs: FileSystem.FileSystem, file: Ready, target: string) =>
  Effect.gen(function* () {
    const own = yield* bytesAt(fs, file.partial, 0, maxHeader)
    const current = yield* bytesAt(fs, target, 0, maxHeader)
    const isZip = isGzip(own) || isGzip(current)
    const base = isFirst(file) ? 0 : (file.original?.size ?? 0)
    if (current.length > 0 && isGzip(own) !== isGzip(current)) return undefined
    if (file.format === "jsonl") return base
    // Other formats, and compressed tables, cannot be understood without their codec.
    if (file.format !== "csv" || isZip) return isFirst(file) ? undefined : base
    const header = headerOf(own)
    if (!headerOf(current).equals(header)) return undefined
    return isFirst(file) ? header.length : base
  })

/** Copies the rest of one file to the end of another. */
const appendTo = (fs: FileSystem.FileSystem, to: string, from: string, offset: number) =>
  Effect.gen(function* () {
    const size = Number((yield* fs.stat(to)).size)
    const out = yield* fs.open(to, { flag: "r+" })
    const isZip = isGzip(yield* bytesAt(fs, from, offset, 2))
    const last = size === 0 || isZip ? newline : (yield* bytesAt(fs, to, size - 1, 1))[0]
    // Line end that the append had to add before its first row.
    const lead = isZip ? Buffer.of() : yield* bytesAt(fs, from, offset, 2)
    const skipped = lead[0] === newline ? 1 : lead[0] === 0x0d && lead[1] === newline ? 2 : 0
    yield* out.seek(size, "start")
    if (last !== newline) yield* out.writeAll(Buffer.of(newline))
    yield* Stream.runForEach(fs.stream(from, { offset: offset + skipped, chunkSize: 1 << 20 }), (bytes) =>
      out.writeAll(bytes)
    )
    yield* out.sync
  }).pipe(Effect.scoped)

/** Path for the changed copy of a partial file; alternates between two names. */
const changedName = (partial: string): string =>
  partial.endsWith(".changed") ? partial.slice(0, -".changed".length) : `${partial}.changed`

const exists = (fs: FileSystem.FileSystem, path: string) => Effect.orElseSucceed(fs.exists(path), () => false)

const beside = (file: Ready, runId: string): Ready => {
  const { original: _, real, target, ...rest } = file
  const path = besidePath(file.path, runId)
  // If the path is a link, the other file lies in the folder of the link, which `real` does not describe.
  const isChecked = real !== undefined && target === undefined
  return {
    ...rest,
    path,
    original: null,
    ...(isChecked ? { real: NodePath.join(NodePath.dirname(real), NodePath.basename(path)) } : {})
  }
}

const rebaseFile = (fs: FileSystem.FileSystem, file: Ready, { runId, written }: RebaseOptions) =>
  Effect.gen(function* () {
    if (file.isManifest === true || !(yield* exists(fs, file.partial))) return file
    if (file.original === undefined) return written.has(file.path) ? beside(file, runId) : file
    const target = yield* Existing.realPath(fs, file.path)
    const current = yield* Existing.identify(fs, target)
    if (Existing.isSame(current, file.original ?? undefined)) return file
    // The file is gone, but the partial file began as a copy of it, so it has the rows of both.
    if (current === undefined) return { ...file, original: null }
    const offset = yield* ownRowsAt(fs, file, target)
    if (offset === undefined) return beside(file, runId)
    const partial = changedName(file.partial)
    yield* fs.copyFile(target, partial)
    yield* Effect.ignore(fs.chmod(partial, 0o600))
    yield* appendTo(fs, partial, file.partial, offset)
    const bytes = Number((yield* fs.stat(partial)).size)
    const sha256 = file.manifest === undefined ? {} : { sha256: yield* Manifest.checksum(fs, partial) }
    const { target: _, ...rest } = file
    return {
      ...rest,
      ...(target === file.path ? {} : { target }),
      partial,
      bytes,
      original: current,
      ...sha256
    } satisfies Ready
  }).pipe(Effect.mapError(fileError(file.path)))

/** True for a file that the run published before it crashed, and that a later run has replaced since: nothing is left to do for it. */
const isReplaced = (fs: FileSystem.FileSystem, file: Ready, { written }: RebaseOptions) =>
  Effect.gen(function* () {
    if (file.isManifest === true || !written.has(file.path) || (yield* exists(fs, file.partial))) return false
    const found = yield* Effect.option(fs.stat(targetOf(file)))
    return Option.isNone(found) || Number(found.value.size) !== file.bytes
  })

/** Updates the lists of sealed files so that they can be published now. */
export const rebase = (
  fs: FileSystem.FileSystem,
  sealed: ReadonlyArray<Sealed>,
  options: RebaseOptions
): Effect.Effect<ReadonlyArray<Sealed>, FileError> =>
  Effect.gen(function* () {
    const rebased = yield* Effect.forEach(sealed, (each) =>
      Effect.gen(function* () {
        const left = yield* Effect.filter(each.files, (file) =>
          Effect.map(isReplaced(fs, file, options), (replaced) => !replaced)
        )
        const files = yield* Effect.forEach(left, (file) => rebaseFile(fs, file, options))
        const moved = files.flatMap((file, at) => {
          const before = left[at]
          return before === undefined || before.path === file.path ? [] : [{ from: before.path, to: file.path }]
        })
        const scraps = left.flatMap(({ partial }, at) => (partial === files[at]?.partial ? [] : [partial]))
        const warnings = moved.map(
          ({ from, to }) => `a later run has written ${from}: the rows of this run are published beside it, in ${to}`
        )
        return {
          ...each,
          files,
          // A later run that has replaced files of this output has also decided which of its other files to remove.
          stale: moved.length > 0 ? [] : each.stale.filter((path) => !options.written.has(path)),
          scraps: [...each.scraps, ...scraps],
          warnings: [...each.warnings, ...warnings]
        }
      })
    )
    const before = sealed.flatMap(({ files }) => files)
    const after = rebased.flatMap(({ files }) => files)
    const manifests = after.filter(({ isManifest }) => isManifest === true)
    for (const manifest of manifests) yield* Manifest.amend(fs, manifest, before, after)
    return rebased
  })
