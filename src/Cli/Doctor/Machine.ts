/** What the machine brings: Node, SQLite, a browser, folders. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Folder from "../Folder.ts"
import type { Terminal } from "../Terminal.ts"
import { place, refusal } from "../Words.ts"
import { broken, type Finding, missing, ok } from "./Finding.ts"

const wanted = [20, 19] as const

/** The version of Node; the argument is that of this process but in tests. */
export const node = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1])
    ? ok("Node", version)
    : broken("Node", version, `install Node ${wanted.join(".")} or newer from https://nodejs.org`)
}

/** The driver opens a database, with full-text search in it. */
export const sqlite: Effect.Effect<Finding> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("CREATE VIRTUAL TABLE looked USING fts5(text)")
  const [row] = yield* sql.unsafe<{ readonly version: string }>("SELECT sqlite_version() AS version")
  return ok("SQLite", `${row?.version ?? "works"}, with full-text search`)
}).pipe(
  Effect.provide(SqliteClient.layer({ filename: ":memory:" })),
  Effect.catchAllCause((cause) => {
    const error = Cause.squash(cause)
    const said = error instanceof Error ? error.message : String(error)
    return Effect.succeed(broken("SQLite", said, "install again for this machine: npm install --force libsql"))
  })
)

const browsers = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome-headless-shell",
  "chrome.exe"
]
const macBrowsers = ["Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium"]

/** A Chromium by its setting, else where they usually are. */
export const chromium = Effect.fn("Doctor.chromium")(function* (setting: string | undefined, env: Terminal["env"]) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const isThere = (path: string) =>
    Effect.orElseSucceed(files.access(path, { ok: true }), () => "no").pipe(Effect.map((answer) => answer !== "no"))
  if (setting !== undefined) {
    return (yield* isThere(setting))
      ? ok("Chromium", setting)
      : missing("Chromium", `SLUICE_CHROMIUM names ${setting}, which is not there`, "correct it, or unset it")
  }
  const folders = (env.PATH ?? "").split(process.platform === "win32" ? ";" : ":").filter((folder) => folder !== "")
  const candidates = [
    ...folders.flatMap((folder) => browsers.map((name) => paths.join(folder, name))),
    ...macBrowsers.map((name) => `/Applications/${name}`)
  ]
  const found = yield* Effect.findFirst(candidates, isThere)
  return found._tag === "Some"
    ? ok("Chromium", found.value)
    : missing(
        "Chromium",
        "none found; only browser sessions, screenshots and pages drawn by scripts need one",
        "npx @puppeteer/browsers install chrome-headless-shell@stable, then set SLUICE_CHROMIUM to the path it prints"
      )
})

/** A folder, or the nearest one above it that is there, takes a file. */
export const folder = Effect.fn("Doctor.folder")(function* (name: string, path: string, todo: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const existing = yield* Folder.nearest(path)
  return yield* files.makeTempDirectoryScoped({ directory: existing, prefix: ".sluice-doctor-" }).pipe(
    Effect.flatMap((made) => files.writeFileString(paths.join(made, "file"), "")),
    Effect.as(
      ok(name, existing === path ? `${place(path)} is writable` : `${place(path)} will be made when it is needed`)
    ),
    Effect.scoped,
    Effect.catchAll((error) => Effect.succeed(broken(name, `${place(path)} is not writable: ${refusal(error)}`, todo)))
  )
})
