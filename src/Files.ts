/** Creates folders and files, and syncs folders to disk. */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"

/** Creates a folder and its parents; succeeds if it exists. Does not use `recursive`, which hangs where the kernel refuses, as in /proc. */
export const makeFolder = (
  fs: FileSystem.FileSystem,
  folder: string
): Effect.Effect<void, PlatformError.PlatformError> =>
  fs.makeDirectory(folder).pipe(
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound" && NodePath.dirname(folder) !== folder,
      () => Effect.zipRight(makeFolder(fs, NodePath.dirname(folder)), fs.makeDirectory(folder))
    ),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      (error) =>
        Effect.flatMap(fs.stat(folder), ({ type }) => (type === "Directory" ? Effect.void : Effect.fail(error)))
    )
  )

/** Syncs a folder to disk, so that a crash does not undo renames in it. Has no effect on file systems that cannot sync folders. */
export const syncFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void> =>
  fs.open(folder, { flag: "r" }).pipe(
    Effect.flatMap((handle) => handle.sync),
    Effect.scoped,
    Effect.ignore
  )

/**
 * Creates a file that only its user can read, unless it exists. It is written to a draft and then linked, so that of several processes that
 * start at once only one creates it. The name of the draft is random, because processes in different containers may have the same id.
 */
export const createOnce = (
  fs: FileSystem.FileSystem,
  file: string,
  content: Uint8Array
): Effect.Effect<void, PlatformError.PlatformError> => {
  const draft = `${file}.${randomUUID()}`
  return fs.writeFile(draft, content, { mode: 0o600 }).pipe(
    Effect.zipRight(fs.link(draft, file)),
    Effect.ensuring(Effect.ignore(fs.remove(draft))),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.void
    )
  )
}
