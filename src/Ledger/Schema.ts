/** Tables and migrations of the ledger, for SQLite and Postgres. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Dialect from "../Database/Dialect.ts"
import type { Migration } from "../Database/Migration.ts"

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
  // Large texts, separate from the columns that each checkpoint changes.
  `run_texts (
    run_id TEXT PRIMARY KEY, definition TEXT NOT NULL, inputs TEXT NOT NULL, options TEXT NOT NULL,
    sealed TEXT, outputs TEXT)`,
  // Steps with saved state, of runs that can still be resumed. The tables below refer to a step by this number, because they grow.
  "stations (id BIGINT PRIMARY KEY, run_id TEXT NOT NULL, step TEXT NOT NULL, value TEXT, UNIQUE (run_id, step))",
  "entries (station BIGINT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (station, key))",
  // Pending state changes. A null value deletes the entry.
  `staged (
    station BIGINT NOT NULL, key TEXT NOT NULL, seq BIGINT NOT NULL, row_key TEXT NOT NULL, value TEXT,
    at BIGINT NOT NULL, PRIMARY KEY (station, key, seq))`,
  // Pending state changes of rejected rows of a completed run. A replay stages them again.
  `held (
    run_id TEXT NOT NULL, state_key TEXT NOT NULL, step TEXT NOT NULL, key TEXT NOT NULL, seq BIGINT NOT NULL,
    row_key TEXT NOT NULL, value TEXT, PRIMARY KEY (run_id, step, key, seq))`,
  // `answer` is null once a checkpoint contains the resulting rows; the price stays.
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
  // Steps with state across runs, under the state key of their pipeline.
  "shelves (id BIGINT PRIMARY KEY, state_key TEXT NOT NULL, step TEXT NOT NULL, UNIQUE (state_key, step))",
  `state (
    shelf BIGINT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL, PRIMARY KEY (shelf, key))`,
  // Credits of a pipeline by quarter of an hour: offsets of time zones are multiples of it.
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

const scheduleTables = [
  // Schedules of pipelines. Times before `since` are not caught up.
  `schedules (
    pipeline TEXT PRIMARY KEY, file TEXT NOT NULL, times TEXT NOT NULL, schedule TEXT NOT NULL, since BIGINT NOT NULL,
    seen_at BIGINT NOT NULL, paused_at BIGINT, paused_why TEXT, removed_at BIGINT)`,
  // One row per scheduled time. The daemon that inserts the row owns it, until another one takes it over.
  `instants (
    pipeline TEXT NOT NULL, instant BIGINT NOT NULL, due BIGINT NOT NULL, cause TEXT NOT NULL, status TEXT NOT NULL,
    owner TEXT, run_id TEXT, attempt BIGINT NOT NULL, reason TEXT, replaced_by BIGINT, claimed_at BIGINT NOT NULL,
    begun_at BIGINT, next_at BIGINT, ended_at BIGINT, PRIMARY KEY (pipeline, instant))`,
  // Notifications. The address stays in the definition, because it may be a secret.
  `notices (
    id TEXT PRIMARY KEY, pipeline TEXT NOT NULL, instant BIGINT NOT NULL, run_id TEXT, event TEXT NOT NULL,
    target BIGINT NOT NULL, body TEXT NOT NULL, made_at BIGINT NOT NULL, attempts BIGINT NOT NULL, next_at BIGINT,
    sent_at BIGINT, gave_up_at BIGINT, error TEXT)`
]

const scheduleIndexes = [
  "instants_open ON instants (pipeline, instant) WHERE ended_at IS NULL",
  "instants_time ON instants (instant)",
  "notices_next ON notices (next_at) WHERE next_at IS NOT NULL",
  "notices_made ON notices (made_at)"
]

/** Indexes for Postgres, which limits the length of indexed keys. */
const postgresIndexes = {
  indexes: [
    "runs_pipeline ON runs (pipeline, started_at)",
    "runs_started ON runs (started_at)",
    "pages_key ON pages USING hash (key)",
    "rejects_key ON rejects USING hash (key)",
    "held_key ON held USING hash (key)",
    "state_order ON state (shelf, left(key, 200))"
  ],
  unique: [
    "entries_key ON entries (station, fingerprint(key))",
    "state_key ON state (shelf, fingerprint(key))",
    "calls_mark ON calls (run_id, step, fingerprint(mark))"
  ]
}

/** `CREATE TABLE` in the dialect of the database. */
const createTable = (sql: SqlClient.SqlClient, table: string): string =>
  `CREATE TABLE ${sql.onDialectOrElse({
    // A table without row ids takes half the space, and deletes take a fifth of the time.
    sqlite: () => `${table}${table.startsWith("calls") ? "" : " WITHOUT ROWID"}`,
    pg: () =>
      table
        // Postgres sorts by bytes, like SQLite.
        .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
        // Postgres generates the ids, because `max(id) + 1` is not safe with concurrent writers.
        .replace("(id BIGINT PRIMARY KEY", "(id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
        .replace(/, PRIMARY KEY \((?:station|shelf), key\)|, PRIMARY KEY \(run_id, step, mark\)/, "")
        .replace(", key, seq))", ", seq))"),
    orElse: () => table
  })}`

const create = (sql: SqlClient.SqlClient, tables: ReadonlyArray<string>, indexes: ReadonlyArray<string>) =>
  Effect.forEach(
    [...tables.map((table) => createTable(sql, table)), ...indexes.map((index) => `CREATE INDEX ${index}`)],
    (text) => sql.unsafe(text),
    { discard: true }
  )

export const migrations: ReadonlyArray<Migration> = [
  {
    version: 1,
    name: "ledger",
    up: (sql) =>
      sql.onDialectOrElse({
        sqlite: () => create(sql, tables, indexes),
        orElse: () =>
          Effect.all([
            sql.unsafe(Dialect.fingerprintFunction),
            create(sql, tables, postgresIndexes.indexes),
            Effect.forEach(postgresIndexes.unique, (index) => sql.unsafe(`CREATE UNIQUE INDEX ${index}`))
          ])
      })
  },
  {
    version: 2,
    name: "schedules",
    up: (sql) => create(sql, scheduleTables, scheduleIndexes)
  },
  {
    version: 3,
    name: "groups",
    up: (sql) =>
      Effect.zipRight(
        sql.unsafe("ALTER TABLE runs ADD COLUMN group_id TEXT"),
        // `paid_at`: time until which the calls granted so far use up the average rate.
        create(
          sql,
          ["rates (name TEXT PRIMARY KEY, paid_at DOUBLE PRECISION NOT NULL)"],
          ["runs_group ON runs (group_id, started_at) WHERE group_id IS NOT NULL"]
        )
      )
  },
  {
    version: 4,
    name: "bytes",
    up: (sql) => sql.unsafe("ALTER TABLE runs ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0")
  },
  {
    version: 5,
    name: "traces",
    // Ids of a reject's trace, span and request, as JSON.
    up: (sql) => sql.unsafe("ALTER TABLE rejects ADD COLUMN trace TEXT")
  },
  {
    version: 6,
    name: "attempts",
    up: (sql) =>
      Effect.zipRight(
        sql.unsafe("ALTER TABLE rejects ADD COLUMN status INTEGER"),
        sql.unsafe("ALTER TABLE rejects ADD COLUMN attempts INTEGER")
      )
  },
  {
    version: 7,
    name: "reservations",
    // Highest prices of running calls, for budgets shared by several runs.
    up: (sql) =>
      create(
        sql,
        [
          `reservations (
            run_id TEXT NOT NULL, id TEXT NOT NULL, pipeline TEXT, group_id TEXT, credits DOUBLE PRECISION NOT NULL,
            pages DOUBLE PRECISION NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (run_id, id))`
        ],
        ["reservations_pipeline ON reservations (pipeline)", "reservations_group ON reservations (group_id)"]
      )
  },
  {
    version: 8,
    name: "firm reservations",
    // 1 if the job has finished: its reservation will be booked, and is not released.
    up: (sql) => sql.unsafe("ALTER TABLE reservations ADD COLUMN firm INTEGER NOT NULL DEFAULT 0")
  },
  {
    version: 9,
    name: "pages of jobs",
    // Pages of the run's own jobs, for budgets. Earlier versions kept the number in `progress` only.
    up: (sql) =>
      Effect.zipRight(
        sql.unsafe("ALTER TABLE runs ADD COLUMN job_pages BIGINT NOT NULL DEFAULT 0"),
        sql.unsafe(
          `UPDATE runs SET job_pages = coalesce(${sql.onDialectOrElse({
            pg: () => "CAST(progress::json ->> 'jobPages' AS BIGINT)",
            orElse: () => "json_extract(progress, '$.jobPages')"
          })}, 0) WHERE group_id IS NOT NULL`
        )
      )
  },
  {
    version: 10,
    name: "rows of outputs",
    // Rows admitted to outputs, and reservations for rows since the last checkpoint.
    up: (sql) =>
      Effect.forEach(
        [
          "ALTER TABLE runs ADD COLUMN output_rows BIGINT NOT NULL DEFAULT 0",
          "UPDATE runs SET output_rows = row_count WHERE group_id IS NOT NULL",
          "ALTER TABLE reservations ADD COLUMN output_rows BIGINT NOT NULL DEFAULT 0",
          "ALTER TABLE reservations ADD COLUMN output_bytes BIGINT NOT NULL DEFAULT 0"
        ],
        (text) => sql.unsafe(text),
        { discard: true }
      )
  },
  {
    version: 11,
    name: "health",
    up: (sql) =>
      create(
        sql,
        [
          // Profile of each sink's rows in a run; bounded in size.
          "profiles (run_id TEXT NOT NULL, sink TEXT NOT NULL, profile TEXT NOT NULL, PRIMARY KEY (run_id, sink))",
          // Figures of each sink of a run; an empty name stands for the run as a whole. `steps` and `series`: hashes of the
          // definition of the steps, and of the inputs. Only runs in which both are equal are compared.
          `health (
            run_id TEXT NOT NULL, sink TEXT NOT NULL, pipeline TEXT NOT NULL, steps TEXT NOT NULL,
            series TEXT NOT NULL, at BIGINT NOT NULL, published INTEGER NOT NULL, released INTEGER NOT NULL,
            metrics TEXT NOT NULL, verdicts TEXT NOT NULL, PRIMARY KEY (run_id, sink))`
        ],
        ["health_pipeline ON health (pipeline, sink, steps, at)"]
      ).pipe(Effect.zipRight(sql.unsafe("ALTER TABLE pages ADD COLUMN blocked TEXT")))
  },
  {
    version: 12,
    name: "unchanged pages",
    up: (sql) => sql.unsafe("ALTER TABLE pages ADD COLUMN unchanged TEXT")
  },
  {
    version: 13,
    name: "stop requests, contracts",
    up: (sql) =>
      Effect.gen(function* () {
        // When another process asked the holder to stop.
        yield* sql.unsafe("ALTER TABLE locks ADD COLUMN stop_at BIGINT")
        yield* sql.unsafe("DROP INDEX runs_pipeline")
        yield* create(
          sql,
          [
            // Each contract with which runs of a pipeline began, and the first of these runs.
            `contracts (
              pipeline TEXT NOT NULL, hash TEXT NOT NULL, content TEXT NOT NULL, run_id TEXT NOT NULL,
              at BIGINT NOT NULL, PRIMARY KEY (pipeline, hash))`
          ],
          // Lets counts of runs by time and state read only the first index.
          ["runs_pipeline ON runs (pipeline, started_at, status, group_id)", "runs_status ON runs (status, started_at)"]
        )
      })
  },
  {
    version: 14,
    name: "lists of runs",
    // Lets lists of runs, with filters and search, read only one index. Postgres cannot index long texts.
    up: (sql) =>
      sql.onDialectOrElse({
        sqlite: () =>
          Effect.all([
            sql.unsafe("DROP INDEX runs_started"),
            sql.unsafe("DROP INDEX runs_pipeline"),
            create(
              sql,
              [],
              [
                "runs_started ON runs (started_at, id, group_id, status, pipeline, file, error)",
                "runs_pipeline ON runs (pipeline, started_at, id, status, group_id)"
              ]
            )
          ]),
        orElse: () => Effect.void
      })
  },
  {
    version: 15,
    name: "checks of pages that could have been left out",
    up: (sql) => sql.unsafe("ALTER TABLE pages ADD COLUMN checked TEXT")
  },
  {
    version: 16,
    name: "agents",
    up: (sql) =>
      create(
        sql,
        [
          // Calls of agents (`sluice mcp`). A call without an outcome was interrupted.
          `agent_calls (
            id TEXT PRIMARY KEY, at BIGINT NOT NULL, session_id TEXT NOT NULL, asker TEXT NOT NULL, tool TEXT NOT NULL,
            arguments TEXT NOT NULL, changes INTEGER NOT NULL, outcome TEXT, note TEXT, millis BIGINT)`,
          // Runs that agents want to start. `granted`: budget of the run, once the plan was taken for it.
          `agent_plans (
            id TEXT PRIMARY KEY, at BIGINT NOT NULL, session_id TEXT NOT NULL, asker TEXT NOT NULL, file TEXT NOT NULL,
            pipeline TEXT NOT NULL, definition_hash TEXT NOT NULL, request TEXT NOT NULL, summary TEXT NOT NULL,
            credits DOUBLE PRECISION NOT NULL, needs_person INTEGER NOT NULL, approved_at BIGINT, approved_by TEXT,
            claimed_at BIGINT, granted DOUBLE PRECISION, run_id TEXT)`,
          // Definitions written by agents, with the hash of their text.
          "agent_drafts (file TEXT PRIMARY KEY, hash TEXT NOT NULL, asker TEXT NOT NULL, at BIGINT NOT NULL)"
        ],
        ["agent_calls_at ON agent_calls (changes, at)", "agent_plans_at ON agent_plans (at)"]
      )
  },
  {
    version: 17,
    name: "files whose text could not be read",
    up: (sql) => sql.unsafe("ALTER TABLE pages ADD COLUMN warning TEXT")
  },
  {
    version: 18,
    name: "printed changes",
    // Last visit of a watch whose changes were printed.
    up: (sql) => create(sql, ["watches (pipeline TEXT PRIMARY KEY, printed BIGINT NOT NULL)"], [])
  },
  {
    version: 19,
    name: "order of pages",
    // For lists of pages in the order of their keys. SQLite can use `pages_key` for that.
    up: (sql) =>
      sql.onDialectOrElse({
        sqlite: () => Effect.void,
        orElse: () => sql.unsafe("CREATE INDEX pages_order ON pages (left(key, 200))")
      })
  },
  {
    version: 20,
    name: "logs",
    // Logs of runs in chunks. `bytes`: size of the log up to the end of the chunk.
    up: (sql) =>
      create(
        sql,
        [
          `run_logs (
            run_id TEXT NOT NULL, seq BIGINT NOT NULL, bytes BIGINT NOT NULL, content TEXT NOT NULL,
            PRIMARY KEY (run_id, seq))`
        ],
        []
      )
  },
  {
    version: 21,
    name: "calls of a budget",
    up: (sql) =>
      Effect.forEach(
        [
          "ALTER TABLE runs ADD COLUMN call_count BIGINT NOT NULL DEFAULT 0",
          "ALTER TABLE reservations ADD COLUMN calls BIGINT NOT NULL DEFAULT 0"
        ],
        (statement) => sql.unsafe(statement)
      )
  },
  {
    version: 22,
    name: "entries seen again",
    // Entries of the state that a run has seen as they are, many in a row: `keys`, and `row_keys` where they differ, as JSON.
    up: (sql) =>
      create(
        sql,
        [
          `seen_again (
            station BIGINT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, keys TEXT NOT NULL, row_keys TEXT,
            PRIMARY KEY (station, seq))`
        ],
        []
      )
  },
  {
    version: 23,
    name: "names of scheduled times",
    up: (sql) =>
      Effect.gen(function* () {
        yield* sql.unsafe("ALTER TABLE instants RENAME TO occurrences")
        yield* sql.unsafe("ALTER TABLE occurrences RENAME COLUMN instant TO scheduled_time")
        yield* sql.unsafe("ALTER TABLE notices RENAME COLUMN instant TO scheduled_time")
        // The former names, for queries of users.
        yield* sql.unsafe(`CREATE VIEW instants AS SELECT pipeline, scheduled_time AS instant, due, cause, status, owner, run_id, attempt,
          reason, replaced_by, claimed_at, begun_at, next_at, ended_at FROM occurrences`)
        // End of a pause, which was a part of its reason.
        yield* sql.unsafe("ALTER TABLE schedules ADD COLUMN paused_until BIGINT")
        const pauses = yield* sql<{ readonly pipeline: string; readonly paused_why: string }>`
          SELECT pipeline, paused_why FROM schedules WHERE paused_why LIKE 'until %'`
        for (const { paused_why, pipeline } of pauses) {
          const until = Date.parse(paused_why.slice("until ".length))
          if (Number.isNaN(until)) continue
          yield* sql`UPDATE schedules SET paused_until = ${until}, paused_why = NULL WHERE pipeline = ${pipeline}`
        }
      })
  },
  {
    version: 24,
    name: "blocks of staged changes",
    // Changes of the state that no other change of their run follows, many in a row. `changes`: by key, the value and the key of the row.
    up: (sql) =>
      create(
        sql,
        [
          `staged_blocks (
            station BIGINT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, changes TEXT NOT NULL,
            PRIMARY KEY (station, seq))`
        ],
        []
      )
  }
]
