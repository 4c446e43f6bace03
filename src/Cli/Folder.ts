/** Folders that a command needs, made step by step: `recursive` never returns where the file system refuses, as /proc does. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { FileUnusable } from "./Errors.ts"
import { refusal } from "./Words.ts"

/** The folder itself, else the nearest one above it that is there. */
export const nearest = (path: string): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const above = (yield* Path.Path).dirname(path)
    const there = yield* Effect.orElseSucceed(files.exists(path), () => false)
    return there || above === path ? path : yield* nearest(above)
  })

const makeBelow = (path: string): Effect.Effect<void, FileUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const above = (yield* Path.Path).dirname(path)
    if (above === path || (yield* Effect.orElseSucceed(files.exists(path), () => false))) return
    yield* makeBelow(above)
    yield* files.makeDirectory(path).pipe(
      // Somebody else may have been quicker.
      Effect.catchIf(
        (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
        () => Effect.void
      ),
      Effect.mapError((cause) => new FileUnusable({ path, reason: refusal(cause), cause }))
    )
  })

/** Makes a folder and those above it; `todo` says what else the user could name. */
export const make = (path: string, todo: string) =>
  Effect.mapError(
    makeBelow(path),
    ({ cause, reason }) => new FileUnusable({ path, reason: `${reason}. ${todo}`, cause })
  )
