/** Gives the files of a run their names; it may be done again after a crash at any point. */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Output, Ready, Sealed, Trials } from "../Step/Output.ts"
import * as Existing from "./Existing.ts"
import { type FileError, fileError, IsDirectory, NotPublished, onEach } from "./SinkErrors.ts"

const targetOf = ({ path, target = path }: Ready): string => target

const explain = <A, E extends PlatformError.PlatformError | FileError>(
  { bytes, path }: Ready,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, FileError> =>
  Effect.mapError(effect, (error: PlatformError.PlatformError | FileError) => {
    if (error._tag !== "SystemError" && error._tag !== "BadArgument") return error
    return error._tag === "SystemError" && error.reason === "AlreadyExists"
      ? new IsDirectory({ path })
      : fileError(path, { bytes, rows: 0 })(error)
  })

/** A file whose partial file is gone must have its name already. */
const checkNamed = (fs: FileSystem.FileSystem, file: Ready) => {
  const { bytes, partial, path } = file
  return fs.stat(targetOf(file)).pipe(
    Effect.filterOrFail(
      ({ size }) => Number(size) === bytes,
      () => new NotPublished({ path, partial })
    ),
    Effect.mapError(() => new NotPublished({ path, partial }))
  )
}

/** Gives the file its name, with the mode and owner of the one that it replaces. */
const name = (fs: FileSystem.FileSystem, file: Ready) => {
  const { partial, path } = file
  return Existing.look(fs, file).pipe(
    Effect.tap((found) => (found === undefined ? Effect.void : Existing.inherit(fs, partial, found))),
    Effect.zipRight(fs.rename(partial, targetOf(file))),
    Effect.catchTag("SystemError", (error) =>
      Effect.flatMap(isThere(fs, partial), (isLeft) =>
        Effect.fail(isLeft ? error : new NotPublished({ path, partial }))
      )
    ),
    (effect) => explain(file, effect)
  )
}

const isThere = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean> =>
  Effect.map(Effect.option(fs.stat(path)), Option.isSome)

/** Makes what a crash after it must not undo: the names themselves. Some file systems cannot sync a folder and need not. */
export const syncFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void> =>
  fs.open(folder, { flag: "r" }).pipe(
    Effect.flatMap((handle) => handle.sync),
    Effect.scoped,
    Effect.ignore
  )

const foldersOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => new Set(paths.map(NodePath.dirname))

/**
 * Carries out what is left to do for all sinks of a run: first all names, then old files are removed. Gives the files in their order.
 * The run may have been away since it sealed them, so every file is looked at before the first one gets its name.
 */
export const publish = Effect.fn("Sink.publish")(function* (sealed: ReadonlyArray<Sealed>, trials?: Trials) {
  const fs = yield* FileSystem.FileSystem
  const files = sealed.flatMap((each) => each.files)
  const [named, waiting] = yield* Effect.partition(files, (file) =>
    Effect.flatMap(isThere(fs, file.partial), (isLeft) => (isLeft ? Effect.succeed(file) : Effect.fail(file)))
  )
  const kept = new Set(files.flatMap((file) => [file.path, targetOf(file)]))
  const stale = sealed.flatMap((each) => each.stale).filter((path) => !kept.has(path))
  const gone = [...stale, ...sealed.flatMap(({ scraps }) => scraps).filter((path) => !kept.has(path))]
  const sync = (paths: ReadonlyArray<string>) => onEach(foldersOf(paths), (folder) => syncFolder(fs, folder))
  yield* onEach(named, (file) => checkNamed(fs, file))
  yield* onEach(waiting, (file) => Existing.look(fs, file))
  yield* Existing.protect(fs, trials, [...waiting.map(({ path }) => path), ...stale])
  yield* onEach(waiting, (file) => name(fs, file))
  yield* sync([...kept])
  yield* onEach(gone, (path) => Effect.ignore(fs.remove(path)))
  yield* sync(gone)
  return [
    ...files.map(({ original: _, partial: __, target: ___, ...output }): Output => output),
    ...sealed.flatMap(({ streams = [] }) => streams)
  ]
}, Effect.uninterruptible)
