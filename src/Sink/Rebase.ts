/**
 * Fits the files of a held run to what has been published since they were sealed: nothing of them is lost, and nothing of the others.
 *
 * - An append goes behind what the file has now: the rows of the run are copied behind a copy of it.
 * - A file that a later run has replaced keeps its name. The one of the held run is published beside it, with the id of its run in its name;
 *   so is an append whose header the file does not have any more.
 * - Nothing is changed but partial files. The result is recorded before it is published; after a crash it is made again.
 */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Ready, Sealed } from "../Step/Output.ts"
import { perRun } from "./Destination.ts"
import * as Existing from "./Existing.ts"
import * as Manifest from "./Manifest.ts"
import { type FileError, fileError } from "./SinkErrors.ts"

export interface RebaseOptions {
  readonly runId: string
  /** Paths that runs which began later have published. */
  readonly written: ReadonlySet<string>
}

const targetOf = ({ path, target = path }: Ready): string => target

/** The path with the id of the run in the name of the file. */
const besidePath = (path: string, runId: string): string => {
  // A brace would be a placeholder.
  const name = perRun(NodePath.basename(path).replaceAll("{", "\0").replaceAll("}", "\u0001"))
  const beside = name.includes("{runId}") ? name.replace("{runId}", () => runId) : name
  return NodePath.join(NodePath.dirname(path), beside.replaceAll("\0", "{").replaceAll("\u0001", "}"))
}

/** True for an append that began a file, or that replaced the rows of a trial: its file has a header. */
const isFirst = ({ original }: Ready): boolean => !Existing.isContinued(original)

const newline = 0x0a

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Bytes at an offset of a file, at most so many. */
const bytesAt = (fs: FileSystem.FileSystem, path: string, offset: number, length: number) =>
  fs.stream(path, { offset, bytesToRead: length }).pipe(
    Stream.runFold([] as Uint8Array[], (all, bytes) => [...all, bytes]),
    Effect.map((all) => Buffer.concat(all))
  )

/** Longest header that is looked for. */
const maxHeader = 1 << 20

/** The header of a table, with its line end: the first record, whose quoted names may hold line ends. */
const headerOf = (bytes: Buffer): Buffer => {
  let isQuoted = false
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0x22) isQuoted = !isQuoted
    if (byte === newline && !isQuoted) return bytes.subarray(0, at + 1)
  }
  return bytes
}

/** Offset of the own rows of an append in its partial file; undefined when they cannot follow the present content of the file. */
const ownRowsAt = (fs: FileSystem.FileSystem, file: Ready, target: string) =>
  Effect.gen(function* () {
    const own = yield* bytesAt(fs, file.partial, 0, maxHeader)
    const current = yield* bytesAt(fs, target, 0, maxHeader)
    const isZip = isGzip(own) || isGzip(current)
    const base = isFirst(file) ? 0 : (file.original?.size ?? 0)
    if (current.length > 0 && isGzip(own) !== isGzip(current)) return undefined
    if (file.format === "jsonl") return base
    // Without a look at its codec nothing is known of another format, or of a table that is compressed.
    if (file.format !== "csv" || isZip) return isFirst(file) ? undefined : base
    const header = headerOf(own)
    if (!headerOf(current).equals(header)) return undefined
    return isFirst(file) ? header.length : base
  })

/** Copies a part of one file behind another. */
const appendTo = (fs: FileSystem.FileSystem, to: string, from: string, offset: number) =>
  Effect.gen(function* () {
    const size = Number((yield* fs.stat(to)).size)
    const out = yield* fs.open(to, { flag: "r+" })
    const isZip = isGzip(yield* bytesAt(fs, from, offset, 2))
    const last = size === 0 || isZip ? newline : (yield* bytesAt(fs, to, size - 1, 1))[0]
    // The line end that the append had to add before its first row.
    const lead = isZip ? Buffer.of() : yield* bytesAt(fs, from, offset, 2)
    const skipped = lead[0] === newline ? 1 : lead[0] === 0x0d && lead[1] === newline ? 2 : 0
    yield* out.seek(size, "start")
    if (last !== newline) yield* out.writeAll(Buffer.of(newline))
    yield* Stream.runForEach(fs.stream(from, { offset: offset + skipped, chunkSize: 1 << 20 }), (bytes) =>
      out.writeAll(bytes)
    )
    yield* out.sync
  }).pipe(Effect.scoped)

/** The other name of a partial file, beside which the changed one is written. */
const changedName = (partial: string): string =>
  partial.endsWith(".changed") ? partial.slice(0, -".changed".length) : `${partial}.changed`

const exists = (fs: FileSystem.FileSystem, path: string) => Effect.orElseSucceed(fs.exists(path), () => false)

const beside = (file: Ready, runId: string): Ready => {
  const { original: _, real, target, ...rest } = file
  const path = besidePath(file.path, runId)
  // Behind a link the other file would be in the folder of the link.
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
    // The file is gone: the partial one has its rows, too.
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
  }).pipe(Effect.mapError((error: PlatformError.PlatformError) => fileError(file.path, { bytes: 0, rows: 0 })(error)))

/** Files that the run has published before it crashed, and a later run has replaced since: nothing is left to do for them. */
const isReplaced = (fs: FileSystem.FileSystem, file: Ready, { written }: RebaseOptions) =>
  Effect.gen(function* () {
    if (file.isManifest === true || !written.has(file.path) || (yield* exists(fs, file.partial))) return false
    const found = yield* Effect.option(fs.stat(targetOf(file)))
    return Option.isNone(found) || Number(found.value.size) !== file.bytes
  })

/** The same lists, as they can be published now. */
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
          ({ from, to }) => `a later run has written ${from}: the held rows are published beside it, in ${to}`
        )
        return {
          ...each,
          files,
          // A later run has decided about the files of the set.
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
