/** Migrations: each part of the program has a list of steps, each applied once and in order. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** One step. `version` counts from 1 within its part. A published step never changes. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly up: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>
}

/** Steps by the name of their part. */
export type Parts = Readonly<Record<string, ReadonlyArray<Migration>>>

/** A step of plain SQL statements. */
export const statements = (version: number, name: string, ...texts: ReadonlyArray<string>): Migration => ({
  version,
  name,
  up: (sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })
})

/** Error: a newer version of this program has changed the database. */
export class NewerDatabase extends Data.TaggedError("NewerDatabase")<{
  readonly part: string
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return (
      `its tables of "${this.part}" have version ${this.found}, and this program knows only versions up to ${this.known}: ` +
      "a newer version of sluice wrote them. Update the program, or use another data folder."
    )
  }
}

/**
 * Applies the missing steps of all parts in one transaction. A database that has all steps is only read, so that opening it does not wait
 * for writers.
 */
export const migrate = Effect.fn("Database.migrate")(function* (sql: SqlClient.SqlClient, parts: Parts) {
  yield* sql`CREATE TABLE IF NOT EXISTS migrations (
    part TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, applied_at BIGINT NOT NULL,
    PRIMARY KEY (part, version))`
  const applied = yield* sql<{ part: string; version: number }>`
    SELECT part, max(version) AS version FROM migrations GROUP BY part`
  const pending: Array<Migration & { readonly part: string }> = []
  for (const [part, migrations] of Object.entries(parts)) {
    const known = migrations.at(-1)?.version ?? 0
    const found = applied.find((each) => each.part === part)?.version ?? 0
    if (found > known) return yield* new NewerDatabase({ part, found, known })
    for (const migration of migrations) if (migration.version > found) pending.push({ ...migration, part })
  }
  if (pending.length === 0) return
  const applied_at = yield* Clock.currentTimeMillis
  // The rows are inserted before the steps run: if two processes start at once, only one runs each step.
  const rows = pending.map(({ name, part, version }) => ({ part, version, name, applied_at }))
  const claim = sql<{ part: string; version: number }>`
    INSERT INTO migrations ${sql.insert(rows)} ON CONFLICT DO NOTHING RETURNING part, version`
  yield* sql.withTransaction(
    Effect.flatMap(claim, (claimed) => {
      const isClaimed = ({ part, version }: (typeof pending)[number]) =>
        claimed.some((each) => each.part === part && each.version === version)
      return Effect.forEach(pending.filter(isClaimed), ({ up }) => up(sql), { discard: true })
    })
  )
})
