/** The file system of a rehearsal: everything can be read, and nothing is written outside its own folder. */
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Refuses every change outside the folder, whatever the definition says. */
export const layer = (folder: string): Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const isInside = (path: string): boolean => {
        const near = paths.relative(folder, paths.resolve(path))
        return near !== ".." && !near.startsWith(`..${paths.sep}`) && !paths.isAbsolute(near)
      }
      /** The call, unless it would change something elsewhere. */
      const guard = <A>(
        method: string,
        changed: ReadonlyArray<string>,
        call: Effect.Effect<A, PlatformError.PlatformError>
      ): Effect.Effect<A, PlatformError.PlatformError> => {
        const stray = changed.find((path) => !isInside(path))
        return stray === undefined
          ? call
          : Effect.fail(
              new PlatformError.SystemError({
                reason: "PermissionDenied",
                module: "FileSystem",
                method,
                pathOrDescriptor: stray,
                description: `a test writes only below its own folder: give a relative path instead of ${stray}`
              })
            )
      }
      return FileSystem.make({
        ...files,
        chmod: (path, mode) => guard("chmod", [path], files.chmod(path, mode)),
        chown: (path, uid, gid) => guard("chown", [path], files.chown(path, uid, gid)),
        copy: (from, to, options) => guard("copy", [to], files.copy(from, to, options)),
        copyFile: (from, to) => guard("copyFile", [to], files.copyFile(from, to)),
        link: (from, to) => guard("link", [from, to], files.link(from, to)),
        makeDirectory: (path, options) =>
          // What is there already is not made.
          Effect.flatMap(
            Effect.orElseSucceed(files.exists(path), () => false),
            (there) => (there ? Effect.void : guard("makeDirectory", [path], files.makeDirectory(path, options)))
          ),
        open: (path, options) =>
          options?.flag === undefined || options.flag === "r"
            ? files.open(path, options)
            : Effect.zipRight(guard("open", [path], Effect.void), files.open(path, options)),
        remove: (path, options) => guard("remove", [path], files.remove(path, options)),
        rename: (from, to) => guard("rename", [from, to], files.rename(from, to)),
        symlink: (from, to) => guard("symlink", [to], files.symlink(from, to)),
        truncate: (path, length) => guard("truncate", [path], files.truncate(path, length)),
        utimes: (path, atime, mtime) => guard("utimes", [path], files.utimes(path, atime, mtime)),
        writeFile: (path, data, options) => guard("writeFile", [path], files.writeFile(path, data, options))
      })
    })
  )
