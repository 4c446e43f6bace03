/** Findings of `doctor`, and the checks of this machine: Node, SQLite, Chromium, folders. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Sqlite from "../../Database/Sqlite.ts"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import * as Chromium from "../../Settings/Chromium.ts"
import { catalogue } from "../../Settings.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { nearestFolder } from "../Folder.ts"
import { place } from "../Format.ts"
import type { Terminal } from "../Terminal.ts"

/** Result of one check of `doctor`. */
export interface Finding {
  readonly name: string
  /** `missing`: optional, or created when needed. `broken`: does not work as configured. */
  readonly state: "ok" | "missing" | "broken"
  readonly found: string
  /** How to fix it. */
  readonly todo?: string | undefined
  /** True if nothing runs without what the check is about. */
  readonly essential: boolean
}

export const ok = (name: string, found: string): Finding => ({ name, state: "ok", found, essential: false })

export const missing = (name: string, found: string, todo?: string): Finding => ({
  name,
  state: "missing",
  found,
  todo,
  essential: false
})

/** Finding for something that is broken, but without which most runs still work. */
export const warned = (name: string, found: string, todo: string): Finding => ({
  name,
  state: "broken",
  found,
  todo,
  essential: false
})

/** Finding for something that is broken, and without which nothing runs. */
export const broken = (name: string, found: string, todo: string): Finding => ({
  ...warned(name, found, todo),
  essential: true
})

const wanted = [20, 19] as const

/** Checks the version of Node. */
export const node = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1])
    ? ok("Node", version)
    : broken("Node", version, `install Node ${wanted.join(".")} or newer from https://nodejs.org`)
}

/** Opens an in-memory database with full-text search. */
export const sqlite: Effect.Effect<Finding> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("CREATE VIRTUAL TABLE looked USING fts5(text)")
  const [row] = yield* sql.unsafe<{ readonly version: string }>("SELECT sqlite_version() AS version")
  return ok("SQLite", `${row?.version ?? "works"}, with full-text search`)
}).pipe(
  Effect.provide(Sqlite.layer(":memory:")),
  Effect.catchAllCause((cause) => {
    const error = Cause.squash(cause)
    const said = error instanceof Error ? error.message : String(error)
    return Effect.succeed(broken("SQLite", said, "install again for this machine: npm install --force libsql"))
  })
)

/**
 * Looks for Chromium at the configured path, or else in the usual places. Without its sandbox Chromium works, but the finding is a warning.
 */
export const findChromium = (setting: string | undefined, env: Terminal["env"], isBare: boolean): Finding =>
  Either.match(Chromium.find(setting, env.PATH), {
    onLeft: ({ found, todo }) =>
      missing(
        "Chromium",
        setting === undefined
          ? `${found}; only screenshots, actions, pages that scripts fill and browser sessions need one`
          : found,
        todo
      ),
    onRight: (path) =>
      isBare
        ? warned(
            "Chromium",
            `${path}, without its sandbox: a page that breaks out of the browser has the rights of this user`,
            `unset ${catalogue.chromiumNoSandbox.env}, or visit trusted pages only`
          )
        : ok("Chromium", path)
  })

/** Writes a file into the folder, or into the nearest existing folder above it. */
export const folder = Trace.fn("Doctor.folder")(function* (name: string, path: string, todo: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const existing = yield* nearestFolder(path)
  return yield* files.makeTempDirectoryScoped({ directory: existing, prefix: ".sluice-doctor-" }).pipe(
    Effect.flatMap((made) => files.writeFileString(paths.join(made, "file"), "")),
    Effect.as(
      ok(name, existing === path ? `${place(path)} is writable` : `${place(path)} will be created when it is needed`)
    ),
    Effect.scoped,
    Effect.catchAll((error) =>
      Effect.succeed(broken(name, `${place(path)} is not writable: ${fileErrorReason(error)}`, todo))
    )
  )
})
