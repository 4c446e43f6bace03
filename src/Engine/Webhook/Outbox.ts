/** How far each job has been told, as the store knows it: of two processes on one store, one tells. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Event, OutboxRow, Told } from "./Event.ts"

/** The outbox as `owner` sees it. */
export const make = (sql: SqlClient.SqlClient, owner: string) => {
  const ours = sql`open = 1 AND (owner IS NULL OR owner = ${owner} OR owner NOT IN (SELECT id FROM job_owners))`

  /** The row of a job, if it is ours. It is asked for again and again: what is ours already is only read. */
  const claim = (jobId: string) =>
    Effect.gen(function* () {
      const [found] = yield* sql<OutboxRow>`SELECT * FROM webhooks WHERE job_id = ${jobId} AND ${ours}`
      if (found === undefined || found.owner === owner) return found
      const [claimed] = yield* sql<OutboxRow>`UPDATE webhooks SET owner = ${owner}
        WHERE job_id = ${jobId} AND ${ours} RETURNING *`
      return claimed
    })

  const write = (jobId: string, values: Partial<Omit<OutboxRow, "job_id" | "sealed">>) =>
    Effect.asVoid(sql`UPDATE webhooks SET ${sql.update(values)} WHERE job_id = ${jobId}`)

  const passed = (job: Told, event: Event, misses: number) =>
    write(job.id, {
      ...(event.name === "started" ? { started: 1 } : {}),
      ...(event.position === undefined ? {} : { pages: event.position + 1 }),
      ...(event.name === "completed" || event.name === "failed" ? { ended_at: job.finished_at } : {}),
      attempts: 0,
      due_at: 0,
      misses
    })

  /** Nothing more is told of a job, whatever comes of it. */
  const drop = (jobId: string) => Effect.asVoid(sql`UPDATE webhooks SET open = 0 WHERE job_id = ${jobId}`)

  /** All is told of a job that has ended; one that has been extended since it was looked at stays open. */
  const close = ({ finished_at, id }: Told) =>
    Effect.asVoid(sql`UPDATE webhooks SET open = 0 WHERE job_id = ${id}
      AND EXISTS (SELECT 1 FROM jobs WHERE id = ${id} AND finished_at = ${finished_at})`)

  const open = Effect.map(sql<{ job_id: string }>`SELECT job_id FROM webhooks WHERE open = 1`, (rows) =>
    rows.map(({ job_id }) => job_id)
  )

  return { claim, write, passed, drop, close, open }
}
