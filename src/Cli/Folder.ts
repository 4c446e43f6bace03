/** Folders that a command needs. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Files from "../Files.ts"
import { FileUnusable } from "./Errors.ts"

/** The folder itself, else the nearest one above it that is there. */
export const nearest = (path: string): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const above = (yield* Path.Path).dirname(path)
    const there = yield* Effect.orElseSucceed(files.exists(path), () => false)
    return there || above === path ? path : yield* nearest(above)
  })

/** Makes a folder and those above it; `todo` says what else the user could name. */
export const make = (path: string, todo: string): Effect.Effect<void, FileUnusable, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.mapError(
      Files.makeFolder(files, path),
      (cause) => new FileUnusable({ path, reason: `${fileErrorReason(cause)}. ${todo}`, cause })
    )
  )

/** Refuses a place that is no folder and cannot become one, before anything is done for it. */
export const require = (
  path: string,
  todo: string
): Effect.Effect<void, FileUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const there = yield* nearest(path)
    const info = yield* Effect.option((yield* FileSystem.FileSystem).stat(there))
    if (Option.isNone(info) || info.value.type === "Directory") return
    return yield* new FileUnusable({ path, reason: `${there === path ? "it" : there} is a file. ${todo}` })
  })
