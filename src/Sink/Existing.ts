/**
 * Existing files at the destination of an output: checks whether this run may replace or continue them, and copies their attributes to the
 * files that replace them.
 *
 * - A symbolic link stays a link: its target is replaced, and the partial file lies beside the target, on the same file system.
 * - Only regular files are replaced. A rename would silently put a regular file in the place of a device, a FIFO or a socket.
 * - The new file gets the mode of the old one, and its owner and group if this user may change them. Access control lists and extended
 *   attributes are not copied.
 * - `mode: append` copies the file and publishes the copy. The original must not have changed by then: size, modification time and inode.
 * - A trial (`--limit`) replaces and removes only files that are unchanged since the last trial wrote them.
 */
import * as NodePath from "node:path"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Original, Ready, Trials } from "../Step/Output.ts"
import { isGzip } from "../Values/Gzip.ts"
import {
  type FileError,
  fileError,
  HeaderMismatch,
  IsDirectory,
  LinkChanged,
  NotGzip,
  NotRegularFile,
  OriginalChanged,
  TrialReplaces,
  WriteFailed
} from "./SinkErrors.ts"

/** Identity of the file at a path; undefined if there is none. */
export const identify = (fs: FileSystem.FileSystem, path: string): Effect.Effect<Original | undefined> =>
  fs.stat(path).pipe(
    Effect.map((info) => (info.type === "Directory" ? undefined : identityOf(info))),
    Effect.orElseSucceed(() => undefined)
  )

const identityOf = (info: FileSystem.File.Info): Original => ({
  size: Number(info.size),
  modified: info.mtime._tag === "Some" ? info.mtime.value.getTime() : 0,
  inode: info.ino._tag === "Some" ? info.ino.value : 0
})

/** True if rows are appended to the file: it is not empty, and no trial wrote it. */
export const isContinued = (original: Original | null | undefined): boolean =>
  original !== undefined && original !== null && original.size > 0 && original.isOfTrial !== true

export const isSame = (a: Original | undefined, b: Original | undefined): boolean =>
  a?.size === b?.size && a?.modified === b?.modified && a?.inode === b?.inode

/** Maximum links to follow, as on Linux. */
const maxLinks = 40

/** Follows symbolic links of the last path segment; the system follows those of the folders above it. */
export const realPath = (
  fs: FileSystem.FileSystem,
  path: string,
  links = 0
): Effect.Effect<string, PlatformError.PlatformError> =>
  Effect.matchEffect(fs.readLink(path), {
    // The path is not a link, or there is no file.
    onFailure: () => Effect.succeed(path),
    onSuccess: (to) =>
      links < maxLinks
        ? // `..` in a link leads up from the real folder that the link is in.
          Effect.flatMap(fs.realPath(NodePath.dirname(path)), (folder) =>
            realPath(fs, NodePath.resolve(folder, to), links + 1)
          )
        : // Fails with the system's own error.
          Effect.as(fs.stat(path), path)
  })

/** Real path of a folder that may not exist yet: resolves the first existing folder above it, and appends the rest. */
const realFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<string> =>
  Effect.catchAll(fs.realPath(folder), () => {
    const above = NodePath.dirname(folder)
    return above === folder
      ? Effect.succeed(folder)
      : Effect.map(realFolder(fs, above), (real) => NodePath.join(real, NodePath.basename(folder)))
  })

const nouns: Partial<Record<FileSystem.File.Type, string>> = {
  CharacterDevice: "a character device",
  BlockDevice: "a block device",
  FIFO: "a FIFO (named pipe)",
  Socket: "a socket"
}

const absent: ReadonlySet<string> = new Set(["NotFound", "BadResource", "PermissionDenied"])

/** The file or folder at a path; undefined if nothing is there or can be seen. A disk that fails is an error: there may be a file. */
export const find = (
  fs: FileSystem.FileSystem,
  path: string
): Effect.Effect<FileSystem.File.Info | undefined, PlatformError.PlatformError> =>
  Effect.catchIf(
    fs.stat(path),
    (error) => error._tag === "SystemError" && absent.has(error.reason),
    () => Effect.succeed(undefined)
  )

/** Returns the file at `target`, or undefined if there is none; fails unless it is a regular file. */
const statRegular = (fs: FileSystem.FileSystem, path: string, target: string) =>
  Effect.gen(function* () {
    const found = yield* find(fs, target)
    if (found === undefined || found.type === "File") return found
    if (found.type === "Directory") return yield* new IsDirectory({ path })
    return yield* new NotRegularFile({ path, is: nouns[found.type] ?? "not a regular file" })
  })

/** A file that an output replaces. */
export interface Target {
  /** Path after following the links of its last segment. */
  readonly path: string
  /** Path after also following links in the folders above: equal for two paths that lead to one file. */
  readonly identity: string
  /** Mode of the partial file; undefined if there is no file yet, so the umask decides. */
  readonly mode: number | undefined
}

/** Resolves the path of an output before the first row. */
export const resolveTarget = (
  fs: FileSystem.FileSystem,
  path: string
): Effect.Effect<Target, FileError | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const target = yield* realPath(fs, path)
    const found = yield* statRegular(fs, path, target)
    const folder = yield* realFolder(fs, NodePath.dirname(target))
    const identity = NodePath.join(folder, NodePath.basename(target))
    // The run must be able to write the partial file, no matter which mode the file has in the end.
    return { path: target, identity, mode: found && (found.mode & 0o777) | 0o600 }
  })

/** Mode for a file whose group cannot be kept: the new group gets only the permissions of others. */
const withoutGroup = (mode: number): number => (mode & 0o707) | ((mode & 0o007) << 3)

/** Gives `partial` the owner, group and mode of the file that it replaces. */
export const inherit = (fs: FileSystem.FileSystem, partial: string, { gid, mode, uid }: FileSystem.File.Info) =>
  Effect.gen(function* () {
    const own = yield* fs.stat(partial)
    const group = Option.getOrUndefined(gid)
    const owner = Option.getOrUndefined(uid)
    let bits = mode & 0o7777
    if (owner !== undefined && group !== undefined) {
      const ownGroup = Option.getOrUndefined(own.gid)
      const ownOwner = Option.getOrUndefined(own.uid) ?? owner
      if (owner !== ownOwner || group !== ownGroup) {
        const isGiven = yield* fs.chown(partial, owner, group).pipe(
          Effect.orElse(() => fs.chown(partial, ownOwner, group)),
          Effect.as(true),
          Effect.orElseSucceed(() => false)
        )
        if (!isGiven && group !== ownGroup) bits = withoutGroup(mode)
      }
    }
    if ((own.mode & 0o7777) !== bits) yield* fs.chmod(partial, bits)
  }).pipe(
    // Some file systems have no modes or owners. If the partial file is missing, the rename reports it.
    Effect.ignore
  )

/** Checks the target again before the rename: fails if the link, the kind of file or, for an append, the content has changed. */
export const verifyTarget = (
  fs: FileSystem.FileSystem,
  { original, partial, path, real, target = path }: Pick<Ready, "original" | "partial" | "path" | "real" | "target">
): Effect.Effect<FileSystem.File.Info | undefined, FileError> =>
  Effect.gen(function* () {
    const now = yield* realPath(fs, path)
    if (now !== target) return yield* new LinkChanged({ path, partial, before: target, now })
    const folder = yield* realFolder(fs, NodePath.dirname(target))
    const realNow = NodePath.join(folder, NodePath.basename(target))
    if (real !== undefined && real !== realNow) {
      return yield* new LinkChanged({ path, partial, before: real, now: realNow })
    }
    const found = yield* statRegular(fs, path, target)
    if (original !== undefined && !isSame(found && identityOf(found), original ?? undefined)) {
      return yield* new OriginalChanged({ path, partial })
    }
    return found
  }).pipe(
    Effect.catchTags({
      SystemError: fileError(path),
      BadArgument: fileError(path)
    })
  )

/** Fails if the file that the run appends to has changed. */
export const verifyOriginal = (
  fs: FileSystem.FileSystem,
  { original, partial, path }: Pick<Ready, "path" | "partial" | "original">
): Effect.Effect<void, OriginalChanged> =>
  original === undefined
    ? Effect.void
    : Effect.flatMap(identify(fs, path), (found) =>
        isSame(found, original ?? undefined) ? Effect.void : Effect.fail(new OriginalChanged({ path, partial }))
      )

const gunzip = promisify<Uint8Array, Zlib.ZlibOptions, Buffer>(Zlib.gunzip)

/** Decompresses as much of the beginning of a gzip file as is complete. */
const gunzipStart = (path: string, bytes: Uint8Array): Effect.Effect<Uint8Array, WriteFailed> =>
  Effect.tryPromise({
    try: () => gunzip(bytes, { finishFlush: Zlib.constants.Z_SYNC_FLUSH }),
    catch: (cause) => new WriteFailed({ path, cause })
  })

const readStart = (fs: FileSystem.FileSystem, path: string, length: number): Effect.Effect<Uint8Array, FileError> =>
  Effect.gen(function* () {
    const file = yield* fs.open(path, { flag: "r" })
    const bytes = Buffer.alloc(length)
    let end = 0
    let got = 1
    while (end < length && got > 0) {
      got = Number(yield* file.read(bytes.subarray(end)))
      end += got
    }
    return bytes.subarray(0, end)
  }).pipe(Effect.scoped, Effect.mapError(fileError(path)))

/** The first line for an error message, with invisible characters escaped. */
const firstLine = (content: Buffer): string => {
  const [line = ""] = content.toString().match(/^.*\r?\n?/) ?? []
  const whole = JSON.stringify(line.replace(/^\ufeff/, "<BOM>"))
  return whole.length > 500 ? `${whole.slice(0, 499)}…` : whole
}

/** Fails unless rows can be appended to a file: it must be compressed as expected and have exactly this header. */
export const verifyAppendable = (
  fs: FileSystem.FileSystem,
  path: string,
  header: string,
  gzip: boolean
): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const expected = Buffer.from(header)
    // Long enough for an incompressible header in a gzip member.
    const bytes = yield* readStart(fs, path, expected.length + (1 << 16))
    if (gzip && !isGzip(bytes)) return yield* new NotGzip({ path })
    if (expected.length === 0) return
    const content = Buffer.from(gzip ? yield* gunzipStart(path, bytes) : bytes)
    if (!content.subarray(0, expected.length).equals(expected)) {
      return yield* new HeaderMismatch({ path, expected: firstLine(expected), found: firstLine(content) })
    }
  })

/**
 * Splits the existing files among these paths into those unchanged since a trial wrote them, and others. Reads the ledger only if there are
 * any.
 */
const splitByTrial = (fs: FileSystem.FileSystem, { isTrial, written }: Trials, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const trialFiles = new Map<string, Original>()
    const others: Array<string> = []
    const found = yield* Effect.forEach(
      paths,
      (path) => Effect.map(identify(fs, path), (file) => (file === undefined ? [] : [{ path, file }])),
      { concurrency: 8 }
    )
    const [first] = found.flat()
    if (first === undefined) return { trialFiles, others }
    const known = yield* Effect.mapError(written, (cause) => new WriteFailed({ path: first.path, cause }))
    for (const { file, path } of found.flat()) {
      const isAsLeft = known
        .get(path)
        ?.some(
          ({ bytes, isClaimed, modified }) =>
            bytes === file.size && modified === file.modified && !(isTrial && isClaimed)
        )
      if (isAsLeft === true) trialFiles.set(path, file)
      else others.push(path)
    }
    return { trialFiles, others }
  })

/** Fails if a trial would replace or remove a file that no trial has written. */
export const protectFromTrial = (
  fs: FileSystem.FileSystem,
  trials: Trials | undefined,
  paths: ReadonlyArray<string>
): Effect.Effect<void, FileError> =>
  trials?.isTrial !== true
    ? Effect.void
    : Effect.flatMap(splitByTrial(fs, trials, paths), ({ others: [path] }) =>
        path === undefined ? Effect.void : new TrialReplaces({ path })
      )

/** Files among these paths that a trial wrote, which a real run does not continue; none during a trial, which may continue them. */
export const trialFilesAt = (
  fs: FileSystem.FileSystem,
  trials: Trials | undefined,
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Original>, FileError> =>
  trials === undefined || trials.isTrial
    ? Effect.succeed(new Map())
    : Effect.map(splitByTrial(fs, trials, paths), ({ trialFiles }) => trialFiles)

/** Adds the modification time to a trial's file: by time and size, later runs recognise the file. */
export const withModifiedTime = <File extends Ready>(
  fs: FileSystem.FileSystem,
  trials: Trials | undefined,
  file: File
): Effect.Effect<File> =>
  trials?.isTrial === true
    ? Effect.map(identify(fs, file.partial), (found) => ({ ...file, modified: found?.modified }))
    : Effect.succeed(file)
