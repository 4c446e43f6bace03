/** A start that is sent twice under one idempotency key happens once; under it another start is refused. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Repeat, reused } from "../Repeat.ts"
import type { Started } from "./Start.ts"

interface Row {
  readonly request: string
  readonly job_id: string
  readonly invalid_urls: string
}

/** Runs `start` unless it ran before; inside the caller's transaction. */
export const once = <E, R>(
  sql: SqlClient.SqlClient,
  teamId: string,
  repeat: Repeat,
  start: Effect.Effect<Started, E, R>
) =>
  Effect.gen(function* () {
    const { key, request } = repeat
    const at = yield* Clock.currentTimeMillis
    // Written first, so that of two that come at once the second waits for the first.
    const mine = yield* sql`INSERT INTO job_starts ${sql.insert({
      team: teamId,
      idempotency_key: key,
      request,
      job_id: "",
      invalid_urls: "[]",
      at
    })} ON CONFLICT DO NOTHING RETURNING at`
    if (mine.length > 0) {
      const started = yield* start
      yield* sql`UPDATE job_starts SET job_id = ${started.id}, invalid_urls = ${JSON.stringify(started.invalidURLs)}
        WHERE team = ${teamId} AND idempotency_key = ${key}`
      return started
    }
    const rows = yield* sql<Row>`SELECT request, job_id, invalid_urls FROM job_starts
      WHERE team = ${teamId} AND idempotency_key = ${key}`
    const first = rows[0]
    if (first === undefined || first.request !== request) {
      return yield* reused(repeat)
    }
    return { id: first.job_id, invalidURLs: JSON.parse(first.invalid_urls) as ReadonlyArray<string> }
  })

/** Refuses a key that the store knows, when what is asked for under it belongs into another store. */
export const refuseKnown = (sql: SqlClient.SqlClient, teamId: string, repeat: Repeat) =>
  Effect.flatMap(sql`SELECT 1 FROM job_starts WHERE team = ${teamId} AND idempotency_key = ${repeat.key}`, (known) =>
    known.length > 0 ? reused(repeat) : Effect.void
  )
