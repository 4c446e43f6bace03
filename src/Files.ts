/** Creates folders, and syncs them to disk. */
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
