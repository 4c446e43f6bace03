/** How often a part was begun without getting any further: one that takes its workers down with it is not begun for ever. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { again } from "../../Database/Postgres/Lost.ts"

/** Beginnings in a row, without a commit or a paid answer in between, after which a part is given up. */
export const most = 5

/** From here on a part is carried out beside no other that is in doubt, so that it is known which one it was. */
const doubtful = 2

/** The id of the run of a part `p`. */
export const runOf = (sql: PgClient.PgClient) =>
  sql.literal(`p.run_id || CASE p.kind WHEN 'split' THEN '.split' WHEN 'finish' THEN ''
    ELSE '.s' || lpad(p.part::text, greatest(4, length(p.part::text)), '0') END`)

/** Grows with everything that its run `r` has got done. */
const reached = `(coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'given')), 0)
  + coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'rejected')), 0)
  + r.row_count + r.reject_count + r.call_pages + r.call_unpriced + r.job_unpriced
  + (r.call_credits + r.job_credits)::numeric + CASE WHEN r.status = 'publishing' THEN 1 ELSE 0 END)::text`

export interface Begun<Row> {
  readonly row: Row
  /** How often in a row; this time is among them unless the part is in doubt. */
  readonly beginnings: number
  /** It has taken workers down before, or looks like that: `count` is to be told before it is carried out. */
  readonly isDoubtful: boolean
}

export const make = (sql: PgClient.PgClient) => ({
  /** Puts the part of a token into these hands. */
  begin: <Row extends object>(worker: string, token: string, columns: string) =>
    Effect.map(
      again(sql<Row & { doubtful: boolean; begun: number }>`WITH was AS (
          SELECT p.run_id, p.part, p.beginnings, coalesce(p.reached, '0') = coalesce(now.reached, '0') AS stays, now.reached
          FROM parts p LEFT JOIN LATERAL (SELECT ${sql.literal(reached)} AS reached FROM runs r
            WHERE r.id = ${runOf(sql)}) now ON TRUE
          WHERE p.token = ${token} AND p.status = 'claimed')
        UPDATE parts p SET worker = ${worker}, begun_at = now(), error = NULL, reached = was.reached,
          beginnings = CASE WHEN NOT stays THEN 1 WHEN was.beginnings < ${doubtful} THEN was.beginnings + 1
            ELSE was.beginnings END
        FROM was WHERE p.run_id = was.run_id AND p.part = was.part AND p.token = ${token} AND p.status = 'claimed'
        RETURNING ${sql.literal(columns)}, p.beginnings AS begun, stays AND was.beginnings >= ${doubtful} AS doubtful`),
      ([row]): Begun<Row> | undefined => row && { row, beginnings: Number(row.begun), isDoubtful: row.doubtful }
    ),

  /** One more beginning of a part in doubt; told again, as nobody knows whether it was heard, it is still that one. */
  count: (token: string, before: number) =>
    sql`UPDATE parts SET beginnings = least(beginnings, ${before}) + 1 WHERE token = ${token} AND status = 'claimed'`,

  /** A beginning that came to nothing, and took nobody down. */
  forgive: (token: string) =>
    sql`UPDATE parts SET beginnings = greatest(beginnings - 1, 0) WHERE token = ${token} AND status = 'claimed'`
})
