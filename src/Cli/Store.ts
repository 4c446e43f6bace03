/** The engine's store in the data folder, for commands that look into it: looking makes none. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Profile from "./Profile.ts"
import type { Terminal } from "./Terminal.ts"

/** Acts on the data folder of the settings; where no engine has run with it, `nothing` says what is not there. */
export const within = <E, R>(
  options: { readonly data: string | undefined; readonly profile: string | undefined },
  terminal: Terminal,
  nothing: string,
  act: (dataDir: string) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const settings = yield* Profile.read(terminal.env, options.profile)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    // Where that cannot be told, opening it says why.
    const isThere = yield* Effect.orElseSucceed(files.exists(paths.join(dataDir, "engine.db")), () => true)
    if (isThere) return yield* act(dataDir)
    terminal.err.write(`no engine has run with ${dataDir} yet: ${nothing}\n`)
  })
