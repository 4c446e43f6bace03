/**
 * The file that an output replaces: where symbolic links lead, whether it may be replaced at all, and what its successor inherits.
 *
 * - A link stays a link: the file behind it is replaced, and the partial file lies beside that file, on the same file system.
 * - Only regular files are replaced. A rename would silently put a regular file in the place of a device, a FIFO or a socket.
 * - The successor has the mode of the file that it replaces, and its owner and group where this user may give files away.
 *   Access control lists and extended attributes are not copied.
 * - A trial (`--limit`) replaces and removes only files that are as trials have left them.
 */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Original, Ready, Trials } from "../Step/Output.ts"
import { describe, find as findOriginal, isSame } from "./Original.ts"
import {
  type FileError,
  fileError,
  IsDirectory,
  LinkChanged,
  NotRegularFile,
  OriginalChanged,
  TrialReplaces,
  WriteFailed
} from "./SinkErrors.ts"

/** As many as Linux follows. */
const maxLinks = 40

/** The path behind all symbolic links of the last segment; links in the folders above it are the system's to follow. */
export const realPath = (
  fs: FileSystem.FileSystem,
  path: string,
  links = 0
): Effect.Effect<string, PlatformError.PlatformError> =>
  Effect.matchEffect(fs.readLink(path), {
    // No link, or nothing there.
    onFailure: () => Effect.succeed(path),
    onSuccess: (to) =>
      links < maxLinks
        ? // `..` in a link leads up from the real folder that the link is in.
          Effect.flatMap(fs.realPath(NodePath.dirname(path)), (folder) =>
            realPath(fs, NodePath.resolve(folder, to), links + 1)
          )
        : // Fails with the system's own word for it.
          Effect.as(fs.stat(path), path)
  })

/** A folder by its real path; folders that are not there yet will be made below one that is. */
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

/** The file at the end of `path`, undefined where there is none yet; fails for everything that is no regular file. */
const regular = (fs: FileSystem.FileSystem, path: string, target: string) =>
  Effect.gen(function* () {
    const found = Option.getOrUndefined(yield* Effect.option(fs.stat(target)))
    if (found === undefined || found.type === "File") return found
    if (found.type === "Directory") return yield* new IsDirectory({ path })
    return yield* new NotRegularFile({ path, is: nouns[found.type] ?? "not a regular file" })
  })

/** Where the bytes of an output go, and the mode that its partial file has until then. */
export interface Successor {
  readonly target: string
  /** The same path with links in the folders above it followed: equal for two paths that lead to one file. */
  readonly identity: string
  /** Undefined where there is no file yet: the umask decides. */
  readonly mode: number | undefined
}

/** Looks at what is there before the first row. */
export const find = (
  fs: FileSystem.FileSystem,
  path: string
): Effect.Effect<Successor, FileError | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const target = yield* realPath(fs, path)
    const found = yield* regular(fs, path, target)
    // The run itself has to write the file, whatever mode it has in the end.
    const folder = yield* realFolder(fs, NodePath.dirname(target))
    const identity = NodePath.join(folder, NodePath.basename(target))
    return { target, identity, mode: found && (found.mode & 0o777) | 0o600 }
  })

/** If the group cannot be kept, the new group gets only the permissions that others have. */
const withoutGroup = (mode: number): number => (mode & 0o707) | ((mode & 0o007) << 3)

/** Gives `partial` the owner, the group and the mode of the file that it replaces. */
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
    // Some file systems have no modes or owners. Where the partial file is gone, the rename says so.
    Effect.ignore
  )

/** Looks again before the rename: fails when the link, the kind or, for an append, the content has changed. */
export const look = (
  fs: FileSystem.FileSystem,
  { original, partial, path, target = path }: Pick<Ready, "original" | "partial" | "path" | "target">
): Effect.Effect<FileSystem.File.Info | undefined, FileError> =>
  Effect.gen(function* () {
    const now = yield* realPath(fs, path)
    if (now !== target) return yield* new LinkChanged({ path, partial, before: target, now })
    const found = yield* regular(fs, path, target)
    if (original !== undefined && !isSame(found && describe(found), original ?? undefined)) {
      return yield* new OriginalChanged({ path, partial })
    }
    return found
  }).pipe(
    Effect.catchTags({
      SystemError: (error) => fileError(path, { bytes: 0, rows: 0 })(error),
      BadArgument: (error) => fileError(path, { bytes: 0, rows: 0 })(error)
    })
  )

/** The files under these paths: those that are as a trial has left them, and the others. The ledger is asked only where there are files. */
const sortOut = (fs: FileSystem.FileSystem, { isTrial, written }: Trials, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const ofTrials = new Map<string, Original>()
    const others: Array<string> = []
    const found = yield* Effect.forEach(
      paths,
      (path) => Effect.map(findOriginal(fs, path), (file) => (file === undefined ? [] : [{ path, file }])),
      { concurrency: 8 }
    )
    const [first] = found.flat()
    if (first === undefined) return { ofTrials, others }
    const known = yield* Effect.mapError(written, (cause) => new WriteFailed({ path: first.path, cause }))
    for (const { file, path } of found.flat()) {
      const isAsLeft = known
        .get(path)
        ?.some(
          ({ bytes, isClaimed, modified }) =>
            bytes === file.size && modified === file.modified && !(isTrial && isClaimed)
        )
      if (isAsLeft === true) ofTrials.set(path, file)
      else others.push(path)
    }
    return { ofTrials, others }
  })

/** Fails when a trial would replace or remove a file that no trial has left there. */
export const protect = (
  fs: FileSystem.FileSystem,
  trials: Trials | undefined,
  paths: ReadonlyArray<string>
): Effect.Effect<void, FileError> =>
  trials?.isTrial !== true
    ? Effect.void
    : Effect.flatMap(sortOut(fs, trials, paths), ({ others: [path] }) =>
        path === undefined ? Effect.void : new TrialReplaces({ path })
      )

/** The files of trials under these paths, which a real run does not continue; none for a trial, which may. */
export const leftByTrials = (
  fs: FileSystem.FileSystem,
  trials: Trials | undefined,
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Original>, FileError> =>
  trials === undefined || trials.isTrial
    ? Effect.succeed(new Map())
    : Effect.map(sortOut(fs, trials, paths), ({ ofTrials }) => ofTrials)
