/** The tables of runs on many machines, beside those of the ledger. */
import { type Migration, statements } from "../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "cluster",
    // A run as it was handed in: everything that a worker needs to know of it, and where it stands.
    `CREATE TABLE submissions (
      run_id TEXT PRIMARY KEY, task TEXT NOT NULL, status TEXT NOT NULL, is_split BOOLEAN NOT NULL,
      is_read BOOLEAN NOT NULL DEFAULT FALSE, adopted BOOLEAN NOT NULL DEFAULT FALSE,
      reason TEXT, error TEXT, submitted_at TIMESTAMPTZ NOT NULL DEFAULT now(), ended_at TIMESTAMPTZ)`,
    // The split, the shards and the finish of a run. Only who holds a part's token says what becomes of it.
    `CREATE TABLE parts (
      run_id TEXT NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'waiting',
      source TEXT, token TEXT UNIQUE, worker TEXT, rows BIGINT NOT NULL DEFAULT 0, result TEXT, reason TEXT, error TEXT,
      claimed_at TIMESTAMPTZ, begun_at TIMESTAMPTZ, ended_at TIMESTAMPTZ, PRIMARY KEY (run_id, part))`,
    "CREATE INDEX parts_open ON parts (status, claimed_at) WHERE status IN ('waiting', 'claimed')",
    `CREATE TABLE workers (
      id TEXT PRIMARY KEY, host TEXT NOT NULL, address TEXT NOT NULL, pid BIGINT NOT NULL,
      concurrency INTEGER NOT NULL, draining BOOLEAN NOT NULL DEFAULT FALSE,
      since TIMESTAMPTZ NOT NULL DEFAULT now(), beat TIMESTAMPTZ NOT NULL DEFAULT now())`
  ),
  statements(
    2,
    "parts that are left",
    // The next part of a run, and whether there is one, without a look at those that are done.
    "CREATE INDEX parts_left ON parts (run_id, part) WHERE status <> 'completed'",
    "CREATE INDEX submissions_running ON submissions (submitted_at) WHERE status = 'running'"
  ),
  statements(
    3,
    "beginnings",
    // How often a part was begun since it last got further, what it had reached then, and when it may be taken again.
    `ALTER TABLE parts ADD COLUMN beginnings INTEGER NOT NULL DEFAULT 0, ADD COLUMN reached TEXT,
      ADD COLUMN not_before TIMESTAMPTZ`,
    // When somebody last went on with it, when its work began since then, and what it had used of its budget before.
    `ALTER TABLE submissions ADD COLUMN reopened_at TIMESTAMPTZ, ADD COLUMN began_at TIMESTAMPTZ, ADD COLUMN used TEXT`
  )
]
