/** Gives the files of a run their names; it may be done again after a crash at any point. */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Output, Ready, Sealed } from "../Step/Output.ts"
import { onEach } from "./Each.ts"
import { type FileError, fileError, IsDirectory, NotPublished } from "./Errors.ts"
import * as Existing from "./Existing.ts"
import * as Original from "./Original.ts"

const isMissing = (error: PlatformError.PlatformError | FileError): boolean =>
  error._tag === "SystemError" && error.reason === "NotFound"

const targetOf = ({ path, target = path }: Ready): string => target

/** A file that has its name has taken the place of what it was appended to. */
const check = (fs: FileSystem.FileSystem, file: Ready) =>
  Effect.flatMap(Effect.option(fs.stat(file.partial)), (partial) =>
    partial._tag === "None"
      ? Effect.void
      : Effect.zipRight(Original.checkSame(fs, file), Existing.prepare(fs, { ...file, target: targetOf(file) }))
  )

/** The file gets its name; where its partial file is gone, it must have it already. */
const name = (fs: FileSystem.FileSystem, file: Ready) => {
  const { bytes, partial, path } = file
  const target = targetOf(file)
  return Effect.zipRight(check(fs, file), fs.rename(partial, target)).pipe(
    Effect.catchIf(isMissing, () =>
      fs.stat(target).pipe(
        Effect.filterOrFail(
          ({ size }) => Number(size) === bytes,
          () => new NotPublished({ path, partial })
        ),
        Effect.catchTag("SystemError", () => new NotPublished({ path, partial }))
      )
    ),
    Effect.catchTags({
      SystemError: (error): FileError =>
        error.reason === "AlreadyExists" ? new IsDirectory({ path }) : fileError(path, { bytes, rows: 0 })(error),
      BadArgument: (error) => fileError(path, { bytes, rows: 0 })(error)
    })
  )
}

/** Makes what a crash after it must not undo: the names themselves. Some file systems cannot sync a folder and need not. */
export const syncFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void> =>
  fs.open(folder, { flag: "r" }).pipe(
    Effect.flatMap((handle) => handle.sync),
    Effect.scoped,
    Effect.ignore
  )

const foldersOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => new Set(paths.map(NodePath.dirname))

/** Carries out what is left to do for all sinks of a run: names first, then what is of no use any more goes. Gives the files in their order. */
export const publish = Effect.fn("Sink.publish")(function* (sealed: ReadonlyArray<Sealed>) {
  const fs = yield* FileSystem.FileSystem
  const files = sealed.flatMap((each) => each.files)
  const kept = new Set(files.flatMap((file) => [file.path, targetOf(file)]))
  const gone = sealed.flatMap(({ stale, scraps }) => [...stale, ...scraps]).filter((path) => !kept.has(path))
  const sync = (paths: ReadonlyArray<string>) => onEach(foldersOf(paths), (folder) => syncFolder(fs, folder))
  // The run may have been away since it sealed them: nothing is named when something else was written meanwhile.
  yield* onEach(files, (file) => check(fs, file))
  yield* onEach(files, (file) => name(fs, file))
  yield* sync([...kept])
  yield* onEach(gone, (path) => Effect.ignore(fs.remove(path)))
  yield* sync(gone)
  return [
    ...files.map(({ original: _, partial: __, target: ___, ...output }): Output => output),
    ...sealed.flatMap(({ streams = [] }) => streams)
  ]
}, Effect.uninterruptible)
