/** The tables of the ledger; the statements on them are the same for SQLite and Postgres. */
import * as Effect from "effect/Effect"
import type { Migration } from "../../Database/Migration.ts"

const tables = [
  `runs (
    id TEXT PRIMARY KEY, pipeline TEXT NOT NULL, file TEXT NOT NULL, definition_hash TEXT NOT NULL,
    out_folder TEXT NOT NULL, folder TEXT NOT NULL, started_at BIGINT NOT NULL, scheduled_for BIGINT, state_key TEXT,
    status TEXT NOT NULL, progress TEXT NOT NULL, row_count BIGINT NOT NULL DEFAULT 0,
    reject_count BIGINT NOT NULL DEFAULT 0,
    call_credits DOUBLE PRECISION NOT NULL DEFAULT 0, call_unpriced BIGINT NOT NULL DEFAULT 0,
    call_pages BIGINT NOT NULL DEFAULT 0,
    job_credits DOUBLE PRECISION NOT NULL DEFAULT 0, job_unpriced BIGINT NOT NULL DEFAULT 0,
    error TEXT, updated_at BIGINT NOT NULL, ended_at BIGINT)`,
  // Apart from what changes with each checkpoint: these may be large.
  `run_texts (
    run_id TEXT PRIMARY KEY, definition TEXT NOT NULL, inputs TEXT NOT NULL, options TEXT NOT NULL,
    sealed TEXT, outputs TEXT)`,
  // A step of a run, for as long as the run may be resumed; a short number stands for it in the tables that grow.
  "stations (id BIGINT PRIMARY KEY, run_id TEXT NOT NULL, step TEXT NOT NULL, value TEXT, UNIQUE (run_id, step))",
  "entries (station BIGINT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (station, key))",
  // What will be put under the state key; without a value, what will be removed.
  `staged (
    station BIGINT NOT NULL, key TEXT NOT NULL, seq BIGINT NOT NULL, row_key TEXT NOT NULL, value TEXT,
    at BIGINT NOT NULL, PRIMARY KEY (station, key, seq))`,
  // Of a completed run, what its rejects would have put: staged again by the run that takes them up.
  `held (
    run_id TEXT NOT NULL, state_key TEXT NOT NULL, step TEXT NOT NULL, key TEXT NOT NULL, seq BIGINT NOT NULL,
    row_key TEXT NOT NULL, value TEXT, PRIMARY KEY (run_id, step, key, seq))`,
  // The answer goes when it is settled; what it cost stays.
  `calls (
    run_id TEXT NOT NULL, step TEXT NOT NULL, mark TEXT NOT NULL, answer TEXT, credits DOUBLE PRECISION,
    price TEXT NOT NULL, page_key TEXT, at BIGINT NOT NULL, PRIMARY KEY (run_id, step, mark))`,
  `pages (
    run_id TEXT NOT NULL, seq BIGINT NOT NULL, step TEXT NOT NULL, key TEXT NOT NULL, status INTEGER, error TEXT,
    hash TEXT, job_id TEXT, credits DOUBLE PRECISION, price TEXT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (run_id, seq))`,
  `rejects (
    run_id TEXT NOT NULL, seq BIGINT NOT NULL, step TEXT NOT NULL, key TEXT NOT NULL, defined_at TEXT NOT NULL,
    error TEXT NOT NULL, message TEXT NOT NULL, at TEXT NOT NULL, job_id TEXT, content TEXT NOT NULL,
    source TEXT, replayed_by TEXT, PRIMARY KEY (run_id, seq))`,
  // A step's state across runs, under its pipeline's state key.
  "shelves (id BIGINT PRIMARY KEY, state_key TEXT NOT NULL, step TEXT NOT NULL, UNIQUE (state_key, step))",
  `state (
    shelf BIGINT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL, PRIMARY KEY (shelf, key))`,
  // Credits of a pipeline by quarters of an hour, which is as fine as the midnights of this world are.
  `spent (
    pipeline TEXT NOT NULL, slot BIGINT NOT NULL, credits DOUBLE PRECISION NOT NULL, unpriced BIGINT NOT NULL,
    PRIMARY KEY (pipeline, slot))`,
  `locks (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, host TEXT NOT NULL, pid BIGINT NOT NULL, since BIGINT NOT NULL,
    beat BIGINT NOT NULL)`
]

const indexes = [
  "runs_pipeline ON runs (pipeline, started_at)",
  "runs_started ON runs (started_at)",
  "pages_key ON pages (key, at)",
  "rejects_key ON rejects (run_id, key)",
  "held_key ON held (state_key, step, key)"
]

export const migrations: ReadonlyArray<Migration> = [
  {
    version: 1,
    name: "ledger",
    up: (sql) => {
      // Half the space and a fifth of the time to remove: the table is its primary key's index.
      const clustered = sql.onDialectOrElse({ sqlite: () => " WITHOUT ROWID", orElse: () => "" })
      return Effect.forEach(
        [
          ...tables.map((table) => `CREATE TABLE ${table}${table.startsWith("calls") ? "" : clustered}`),
          ...indexes.map((index) => `CREATE INDEX ${index}`)
        ],
        (text) => sql.unsafe(text),
        { discard: true }
      )
    }
  }
]
