/** Folders that a command needs, and the engine's store in the data folder. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { failing } from "../Engine/Store/Sql.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Files from "../Files.ts"
import { FileUnusable } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import type { Terminal } from "./Terminal.ts"

/** The folder itself, else the nearest one above it that is there. */
export const nearestFolder = (path: string): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const above = (yield* Path.Path).dirname(path)
    const there = yield* Effect.orElseSucceed(files.exists(path), () => false)
    return there || above === path ? path : yield* nearestFolder(above)
  })

/** Makes a folder and those above it; `todo` says what else the user could name. */
export const makeFolder = (path: string, todo: string): Effect.Effect<void, FileUnusable, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.mapError(
      Files.makeFolder(files, path),
      (cause) => new FileUnusable({ path, reason: `${fileErrorReason(cause)}. ${todo}`, cause })
    )
  )

/** Refuses a place that is no folder and cannot become one, before anything is done for it. */
export const requireFolder = (
  path: string,
  todo: string
): Effect.Effect<void, FileUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const there = yield* nearestFolder(path)
    const info = yield* Effect.option((yield* FileSystem.FileSystem).stat(there))
    if (Option.isNone(info) || info.value.type === "Directory") return
    return yield* new FileUnusable({ path, reason: `${there === path ? "it" : there} is a file. ${todo}` })
  })

/** Acts on the data folder of the settings; where no engine has run with it, `nothing` says what is not there. */
export const withEngineStore = <E, R>(
  options: { readonly data: string | undefined; readonly profile: string | undefined },
  terminal: Terminal,
  nothing: string,
  act: (dataDir: string) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const settings = yield* readSettings(terminal.env, options.profile)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    // If that cannot be read, opening it reports why.
    const isThere = yield* Effect.orElseSucceed(files.exists(paths.join(dataDir, "engine.db")), () => true)
    if (isThere) return yield* failing(act(dataDir))
    terminal.err.write(`no engine has run with ${dataDir} yet: ${nothing}\n`)
  })
