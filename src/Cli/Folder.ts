/** Folders that a command needs, and access to the engine's store in the data folder. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { failing } from "../Engine/Store/Sql.ts"
import * as Files from "../Files.ts"
import { FileUnusable, unusable } from "./CommandErrors.ts"
import { readPlaces } from "./CommandSettings.ts"
import type { Terminal } from "./Terminal.ts"

/** Returns the folder itself if it exists, or else its nearest parent that exists. */
export const nearestFolder = (path: string): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const above = (yield* Path.Path).dirname(path)
    const there = yield* Effect.orElseSucceed(files.exists(path), () => false)
    return there || above === path ? path : yield* nearestFolder(above)
  })

/** Makes a folder and its parents; `todo` tells the user what else to choose. */
export const makeFolder = (path: string, todo: string): Effect.Effect<void, FileUnusable, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) => Effect.mapError(Files.makeFolder(files, path), unusable(path, todo)))

/** Fails if a path is not a folder and cannot become one, before any work starts. */
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

/** Runs `act` on the data folder from the settings. If no engine has used the folder, prints `nothing`, which says what is missing. */
export const withEngineStore = <E, R>(
  options: { readonly data: string | undefined; readonly profile: string | undefined },
  terminal: Terminal,
  nothing: string,
  act: (dataDir: string) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const { dataDir } = yield* readPlaces(options, terminal.env)
    // If the file cannot be checked, opening it reports why.
    const isThere = yield* Effect.orElseSucceed(files.exists(paths.join(dataDir, "engine.db")), () => true)
    if (isThere) return yield* failing(act(dataDir))
    terminal.err.write(`no engine has run with ${dataDir} yet: ${nothing}\n`)
  })
