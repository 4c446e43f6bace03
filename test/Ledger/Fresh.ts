/** Ledgers that nothing was written to: a copy of one file, because its tables cost more than a small run. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../src/Database.ts"
import { migrations } from "../../src/Ledger/Schema.ts"
import { database, layer as layerOf, over } from "../../src/Ledger.ts"
import { tempDir } from "../Local.ts"

const name = "ledger.db"

const made = Effect.flatMap(tempDir, (folder) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA wal_checkpoint(TRUNCATE)`).pipe(
    Effect.provide(Layer.provide(database(join(folder, name)), NodeContext.layer)),
    Effect.zipRight(Effect.sync(() => readFileSync(join(folder, name))))
  )
).pipe(Effect.scoped)

let bytes: Promise<Uint8Array> | undefined

/** A promise: a cached effect would give its clock to the tests after the first one. */
const content = Effect.promise(() => {
  bytes ??= Effect.runPromise(made)
  return bytes
})

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Gives a folder without a ledger an empty one. What cannot be made here is left to the ledger, which says why. */
export const freshFile = (folder: string) =>
  Effect.map(content, (bytes) => {
    if (!existsSync(folder) && isFolder(dirname(folder)) && !folder.startsWith("/proc/")) mkdirSync(folder)
    if (isFolder(folder) && !existsSync(join(folder, name))) writeFileSync(join(folder, name), bytes)
  })

/** The ledger of a folder, which gets an empty one if it has none. */
export const layer = (folder: string) => Layer.unwrapEffect(Effect.as(freshFile(folder), layerOf(folder)))

/** A ledger that no other process opens, and that goes with the scope. */
export const scratch = Layer.unwrapScoped(
  Effect.map(Effect.tap(tempDir, freshFile), (folder) =>
    over("test").pipe(
      Layer.provide(
        Database.layer({
          file: join(folder, name),
          parts: { ledger: migrations },
          // Its commits need not reach the disk.
          pragmas: ["synchronous = OFF"]
        })
      ),
      Layer.orDie
    )
  )
)
