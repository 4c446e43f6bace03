/** The outbox of webhooks: how far each job has been told. The events themselves follow from the job and its results. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "webhooks",
    // open: something is or will be to tell; pages: results told; ended_at: the end that was told; misses: events in a
    // row that nobody took; attempts, due_at: of the event that is next.
    `CREATE TABLE webhooks (
      job_id TEXT PRIMARY KEY, sealed BLOB NOT NULL, open INTEGER NOT NULL DEFAULT 1,
      started INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0, ended_at BIGINT,
      attempts INTEGER NOT NULL DEFAULT 0, due_at BIGINT NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0,
      owner TEXT)`,
    "CREATE INDEX webhooks_open ON webhooks (job_id) WHERE open = 1"
  )
]
