/** How parts of runs end, runs with them, and how a run is gone on with. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { Json } from "../../Row.ts"
import { countBytes } from "../Merge.ts"
import { finishPart, type Part, splitPart } from "./Part.ts"
import { millis } from "./Signs.ts"
import * as Spending from "./Spending.ts"

export const make = (sql: PgClient.PgClient) => {
  const whole = <A, E, R>(effect: Effect.Effect<A, E, R>) => sql.withTransaction(effect)

  const now = millis(sql)

  /** When the source is read and all shards are done, the finish may begin; told by whoever sees it, as often as it likes. */
  const finishIfDone = (runId: string) => sql`
    INSERT INTO parts (run_id, part, kind)
    SELECT run_id, ${finishPart}, 'finish' FROM submissions s WHERE run_id = ${runId} AND is_split AND is_read
      AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.run_id = s.run_id AND p.part >= 0 AND p.status <> 'completed')
    ON CONFLICT DO NOTHING`

  return {
    complete: ({ part, runId }: Part, token: string, result: Json) =>
      whole(
        Effect.gen(function* () {
          // Those who end parts of a run do so one after the other: the last one sees all others.
          yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`
          const done = yield* sql`UPDATE parts SET status = 'completed', result = ${JSON.stringify(result)},
            ended_at = now(), error = NULL, reason = NULL WHERE token = ${token} AND status = 'claimed' RETURNING part`
          if (done.length === 0) return
          if (part === finishPart) {
            yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`
            return
          }
          if (part === splitPart) yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`
          yield* finishIfDone(runId)
        })
      ),

    /** Ends the run with this part: what others are at comes to its end, and nothing more is begun. */
    fail: ({ runId }: Part, token: string, status: "failed" | "budget", reason: string, error: string) =>
      whole(
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`
          // Somebody has gone on with the run since: then it is the part's turn once more.
          const stale = yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL
            WHERE token = ${token} AND status = 'claimed' 
              AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId}) RETURNING part`
          if (stale.length > 0) return
          const failed = yield* sql`UPDATE parts SET status = 'failed', reason = ${reason},
            error = ${Text.encode(error)}, ended_at = now() WHERE token = ${token} AND status = 'claimed' RETURNING part`
          if (failed.length === 0) return
          yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${Text.encode(error)},
            ended_at = now() WHERE run_id = ${runId} AND status = 'running'`
          yield* sql`UPDATE runs SET status = ${status}, error = ${Text.encode(error)},
            ended_at = ${now}, updated_at = ${now} WHERE id = ${runId} AND status <> 'completed'`
        })
      ),

    /** Goes on with a run that ended before its end: what failed waits again. */
    reopen: (runId: string) =>
      whole(
        Effect.gen(function* () {
          const [ended] = yield* sql`SELECT 1 FROM submissions
            WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') FOR UPDATE`
          if (ended === undefined) return false
          yield* countBytes(sql, runId)
          const used = yield* Spending.used(sql, runId)
          yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
            ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)}
            WHERE run_id = ${runId}`
          yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL, error = NULL, beginnings = 0
            WHERE run_id = ${runId} AND status = 'failed'`
          yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL, updated_at = ${now}
            WHERE id = ${runId} AND status <> 'completed'`
          yield* finishIfDone(runId)
          return true
        })
      )
  }
}
