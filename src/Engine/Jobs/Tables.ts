/** The tables of jobs: what was asked, the frontier, the results, the failures. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "jobs",
    // The counters are kept by the transactions that change what they count; nothing is ever counted by a scan.
    // claimed = active + results; queued may exceed what the limit leaves.
    `CREATE TABLE jobs (
      id TEXT PRIMARY KEY, team TEXT NOT NULL, key_id TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
      url TEXT NOT NULL, spec TEXT NOT NULL, status TEXT NOT NULL, seeded INTEGER NOT NULL, error TEXT,
      page_limit INTEGER NOT NULL,
      queued INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0, claimed INTEGER NOT NULL DEFAULT 0,
      results INTEGER NOT NULL DEFAULT 0, completed INTEGER NOT NULL DEFAULT 0, blocked INTEGER NOT NULL DEFAULT 0,
      bytes BIGINT NOT NULL DEFAULT 0, credits INTEGER NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, finished_at BIGINT, purged INTEGER NOT NULL DEFAULT 0)`,
    "CREATE INDEX jobs_team ON jobs (team, status, created_at)",
    "CREATE INDEX jobs_status ON jobs (status, updated_at)",
    // state: 0 queued, 1 leased, 2 done, 3 blocked by robots.txt
    `CREATE TABLE job_pages (
      id INTEGER PRIMARY KEY, job_id TEXT NOT NULL, url TEXT NOT NULL, url_key TEXT NOT NULL, depth INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0, owner TEXT, UNIQUE (job_id, url_key))`,
    "CREATE INDEX job_pages_queued ON job_pages (job_id, id) WHERE state = 0",
    "CREATE INDEX job_pages_leased ON job_pages (owner) WHERE state = 1",
    "CREATE INDEX job_pages_blocked ON job_pages (job_id, id) WHERE state = 3",
    `CREATE TABLE job_results (
      job_id TEXT NOT NULL, position INTEGER NOT NULL, bytes INTEGER NOT NULL, upto BIGINT NOT NULL, body BLOB NOT NULL)`,
    "CREATE UNIQUE INDEX job_results_position ON job_results (job_id, position, upto)",
    `CREATE TABLE job_errors (
      id TEXT PRIMARY KEY, job_id TEXT NOT NULL, at BIGINT NOT NULL, url TEXT NOT NULL, code TEXT, error TEXT NOT NULL)`,
    "CREATE INDEX job_errors_job ON job_errors (job_id, at)",
    // Who holds leases; an owner that stops renewing loses its pages to the others.
    "CREATE TABLE job_owners (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, expires_at BIGINT NOT NULL)",
    `CREATE TABLE job_starts (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, request TEXT NOT NULL, job_id TEXT NOT NULL,
      invalid_urls TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (team, idempotency_key))`
  ),
  // 0 for what was queued before this was written down.
  statements(2, "waiting", "ALTER TABLE job_pages ADD COLUMN queued_at BIGINT NOT NULL DEFAULT 0"),
  // A job is remembered for a month: the last success of a team, and what has expired, are found without reading all of them.
  statements(
    3,
    "lookups",
    "CREATE INDEX jobs_finished ON jobs (team, status, finished_at)",
    "CREATE INDEX jobs_purged ON jobs (purged, updated_at, status)"
  ),
  statements(4, "codes of failed jobs", "ALTER TABLE jobs ADD COLUMN code TEXT")
]
