/** How a database's tables come to be: each part of the program has a list of steps, applied once and in order. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** One step; `version` counts from 1 within its part, and a published step never changes. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly up: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>
}

/** The steps of every part, by the part's name. */
export type Parts = Readonly<Record<string, ReadonlyArray<Migration>>>

/** A step made of plain statements. */
export const statements = (version: number, name: string, ...texts: ReadonlyArray<string>): Migration => ({
  version,
  name,
  up: (sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })
})

/** The file was written by a later version of this program. */
export class NewerDatabase extends Data.TaggedError("NewerDatabase")<{
  readonly part: string
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return (
      `its part "${this.part}" has version ${this.found}, and this program knows ${this.known}: ` +
      "a newer version wrote it. Update the program, or name another data folder."
    )
  }
}

/** Brings every part up to date, each step in a transaction of its own. */
export const migrate = Effect.fn("Database.migrate")(function* (sql: SqlClient.SqlClient, parts: Parts) {
  yield* sql`CREATE TABLE IF NOT EXISTS migrations (
    part TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, applied_at BIGINT NOT NULL,
    PRIMARY KEY (part, version))`
  const versionOf = (part: string) =>
    Effect.map(
      sql<{ version: number | null }>`SELECT max(version) AS version FROM migrations WHERE part = ${part}`,
      (rows) => rows[0]?.version ?? 0
    )
  for (const [part, migrations] of Object.entries(parts)) {
    const known = migrations.at(-1)?.version ?? 0
    const found = yield* versionOf(part)
    if (found > known) return yield* new NewerDatabase({ part, found, known })
    for (const migration of migrations.filter(({ version }) => version > found)) {
      const now = yield* Clock.currentTimeMillis
      // The row is claimed before the step runs: of two processes that start at once, one does it.
      yield* sql`INSERT INTO migrations ${sql.insert({
        part,
        version: migration.version,
        name: migration.name,
        applied_at: now
      })} ON CONFLICT DO NOTHING RETURNING version`.pipe(
        Effect.flatMap((claimed) => (claimed.length === 0 ? Effect.void : migration.up(sql))),
        sql.withTransaction
      )
    }
  }
})
