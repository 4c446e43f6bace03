import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Owner,
  equal,
  make as make2
} from "./chunk-Q3EFARSN.js";
import {
  InsufficientStorage
} from "./chunk-PGOM52WJ.js";
import {
  SqlClient,
  layer,
  layer3 as layer2,
  make,
  makeCompilerSqlite,
  memory,
  statements,
  withWholeTransactions
} from "./chunk-3IJJA3UF.js";
import {
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  TaggedError,
  effect,
  mapError,
  merge,
  provide,
  scoped,
  unwrapEffect
} from "./chunk-PAQDWWDE.js";
import {
  Reference,
  _void,
  as2 as as,
  cachedWithTTL,
  defaultShouldYield,
  fail5 as fail,
  flatMap5 as flatMap,
  gen,
  map9 as map,
  orDie2 as orDie,
  orElseSucceed,
  provideService,
  succeed4 as succeed,
  tryPromise,
  withFiberRuntime2 as withFiberRuntime,
  withScheduler,
  withSchedulingPriority,
  yieldNow,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  safely
} from "./chunk-6CVURTE2.js";

// src/Engine/Browser/Tables.ts
var migrations = [
  statements(
    1,
    "sessions and profiles",
    // That a session was, so that its end can be told from an id that never was.
    "CREATE TABLE browser_sessions (id TEXT PRIMARY KEY, team TEXT NOT NULL, expires_at BIGINT NOT NULL)",
    "CREATE INDEX browser_sessions_expires ON browser_sessions (expires_at)",
    // version is the name of the folder that holds the state; null before it was saved for the first time.
    // A saver that stops renewing its lease has lost it.
    `CREATE TABLE browser_profiles (
      team TEXT NOT NULL, name TEXT NOT NULL, version TEXT, bytes BIGINT NOT NULL DEFAULT 0, saved_at BIGINT,
      saver TEXT, saver_host TEXT, saver_pid INTEGER, saver_until BIGINT, PRIMARY KEY (team, name))`
  )
];

// src/Engine/Jobs/Tables.ts
var migrations2 = [
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
];

// src/Engine/PageCache/Tables.ts
var migrations3 = [
  statements(
    1,
    "copies",
    // The bodies are in segment files beside the database: deleting a file frees its space at once, deleting rows does not.
    `CREATE TABLE copy_files (
      id TEXT PRIMARY KEY, bytes BIGINT NOT NULL, last_at BIGINT NOT NULL)`,
    `CREATE TABLE copies (
      copy_key TEXT PRIMARY KEY, file TEXT NOT NULL, position BIGINT NOT NULL, bytes INTEGER NOT NULL,
      checksum BIGINT NOT NULL, coding TEXT NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL,
      at BIGINT NOT NULL)`,
    "CREATE INDEX copies_file ON copies (file)"
  ),
  statements(
    2,
    "versions",
    // body is null for a page that was too long to store; then only its hash is known.
    `CREATE TABLE page_versions (
      version_key TEXT PRIMARY KEY, at BIGINT NOT NULL, hash TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB)`,
    "CREATE INDEX page_versions_at ON page_versions (at, bytes)"
  )
];

// src/Engine/Search/Tables.ts
var migrations4 = [
  statements(
    1,
    "search",
    `CREATE TABLE search_page (
      id INTEGER PRIMARY KEY, team TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, extension TEXT NOT NULL,
      kinds INTEGER NOT NULL, digest TEXT NOT NULL, published BIGINT, first_seen BIGINT NOT NULL,
      last_seen BIGINT NOT NULL, UNIQUE (team, url))`,
    "CREATE INDEX search_page_host ON search_page (team, host)",
    "CREATE INDEX search_page_date ON search_page (team, coalesce(published, first_seen))",
    `CREATE TABLE search_text (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, text TEXT NOT NULL)`,
    // Contentless: the text is kept once, in search_text, and what is indexed may be prepared differently from it.
    `CREATE VIRTUAL TABLE search_word USING fts5 (
      title, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`
  ),
  statements(
    2,
    "how the index was made",
    // One row: what is there already was made by version 1, and all of it.
    "CREATE TABLE search_version (version INTEGER NOT NULL, upto BIGINT)",
    "INSERT INTO search_version (version, upto) VALUES (1, NULL)"
  ),
  statements(
    3,
    "words that are written later, and images",
    // Pages whose words are not in search_word yet, the characters of each, and whether some are written without spaces.
    "CREATE TABLE search_pending (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, spaced INTEGER NOT NULL)",
    // More pieces of the index before they are merged: half the writing, and a search looks into a few more of them.
    "INSERT INTO search_word (search_word, rank) VALUES ('automerge', 16)",
    "INSERT INTO search_word (search_word, rank) VALUES ('crisismerge', 32)",
    "INSERT INTO search_word (search_word, rank) VALUES ('hashsize', 8000000)",
    `CREATE TABLE search_image (
      id INTEGER PRIMARY KEY, page INTEGER NOT NULL, url TEXT NOT NULL, caption TEXT NOT NULL, words TEXT NOT NULL,
      extension TEXT NOT NULL, width INTEGER, height INTEGER)`,
    "CREATE INDEX search_image_page ON search_image (page)",
    `CREATE VIRTUAL TABLE search_caption USING fts5(
      caption, title, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`
  ),
  statements(
    4,
    "pending pages of a team",
    "ALTER TABLE search_pending ADD COLUMN team TEXT NOT NULL DEFAULT ''",
    "UPDATE search_pending SET team = coalesce((SELECT p.team FROM search_page p WHERE p.id = search_pending.id), '')",
    "CREATE INDEX search_pending_team ON search_pending (team)"
  )
];

// src/Engine/Usage/Tables.ts
var migrations5 = [
  statements(
    1,
    "ledger",
    `CREATE TABLE usage_ledger (
      team TEXT NOT NULL, key_id TEXT NOT NULL, month TEXT NOT NULL, endpoint TEXT NOT NULL,
      credits INTEGER NOT NULL, at BIGINT NOT NULL)`,
    "CREATE INDEX usage_ledger_team ON usage_ledger (team, month, key_id, credits)"
  ),
  statements(
    2,
    "paid calls",
    // bytes is null where the answer was too long to be kept.
    `CREATE TABLE paid_calls (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, request TEXT NOT NULL, bytes INTEGER, at BIGINT NOT NULL,
      PRIMARY KEY (team, idempotency_key))`,
    "CREATE INDEX paid_calls_at ON paid_calls (at)",
    `CREATE TABLE paid_call_parts (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (team, idempotency_key, part))`
  )
];

// src/Engine/Webhook/Tables.ts
var migrations6 = [
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
];

// src/Engine/Store/Storage.ts
import * as Fs from "node:fs/promises";
var gigabyte = 1024 * 1024 * 1024, defaults = { job: 2 * gigabyte, team: 8 * gigabyte }, StorageLimits = class extends Reference()("sluice/Engine/StorageLimits", {
  defaultValue: () => defaults
}) {
}, [warningShare, fullShare] = [0.8, 0.99], counted = (table, teamOf, bytesOf) => [
  `CREATE TRIGGER ${table}_stored AFTER INSERT ON ${table} BEGIN
    INSERT INTO stored_bytes (team, bytes) SELECT ${teamOf("new")}, ${bytesOf("new")} WHERE ${teamOf("new")} IS NOT NULL
      ON CONFLICT (team) DO UPDATE SET bytes = bytes + excluded.bytes;
  END`,
  `CREATE TRIGGER ${table}_freed AFTER DELETE ON ${table} BEGIN
    UPDATE stored_bytes SET bytes = bytes - (${bytesOf("old")}) WHERE team = ${teamOf("old")};
  END`,
  `INSERT INTO stored_bytes (team, bytes) SELECT ${teamOf("row")}, sum(${bytesOf("row")}) FROM ${table} AS row
    WHERE ${teamOf("row")} IS NOT NULL GROUP BY 1
    ON CONFLICT (team) DO UPDATE SET bytes = bytes + excluded.bytes`
], specBytes = (row) => `length(${row}.spec) - 2`, ofJob = (row) => `(SELECT team FROM jobs WHERE id = ${row}.job_id)`, migrations7 = [
  statements(
    1,
    "stored bytes",
    "CREATE TABLE stored_bytes (team TEXT PRIMARY KEY, bytes BIGINT NOT NULL) WITHOUT ROWID",
    ...counted("job_results", ofJob, (row) => `${row}.bytes`),
    ...counted("job_errors", ofJob, (row) => `length(${row}.url) + length(${row}.error)`),
    ...counted("job_pages", ofJob, (row) => `length(${row}.url) + 2 * length(${row}.url_key)`),
    ...counted(
      "paid_call_parts",
      (row) => `${row}.team`,
      (row) => `length(${row}.body)`
    )
  ),
  statements(
    2,
    "stored bytes of requests",
    ...counted("jobs", (row) => `${row}.team`, specBytes),
    `CREATE TRIGGER jobs_changed AFTER UPDATE OF spec ON jobs WHEN length(new.spec) <> length(old.spec) BEGIN
      UPDATE stored_bytes SET bytes = bytes + length(new.spec) - length(old.spec) WHERE team = new.team;
    END`,
    ...counted("webhooks", ofJob, (row) => `length(${row}.sealed)`)
  )
], used = (sql, team) => map(
  sql`SELECT coalesce((SELECT bytes FROM stored_bytes WHERE team = ${team}), 0)
      + coalesce((SELECT sum(bytes) FROM browser_profiles WHERE team = ${team}), 0) AS bytes`,
  (rows) => rows[0]?.bytes ?? 0
), unit = (bytes, size, name) => `${Number((bytes / size).toFixed(1))} ${name}`, sizeText = (bytes) => bytes >= gigabyte ? unit(bytes, gigabyte, "GB") : bytes >= 1024 * 1024 ? unit(bytes, 1024 * 1024, "MB") : unit(bytes, 1024, "KB"), codes = { job: "JOB_STORAGE_FULL", team: "TEAM_STORAGE_FULL", disk: "INSUFFICIENT_STORAGE" }, isFull = ({ code }) => code === codes.job || code === codes.team, exactly = (bytes) => bytes.toLocaleString("en-US"), share = (limits, bytes) => `(${exactly(bytes)} of ${exactly(limits.team)} bytes)`, howToDelete = `Delete results: DELETE of a job with ?results=delete; or browser profiles: "sluice profile rm NAME". Or ask the engine's operator for a higher SLUICE_TEAM_BYTES.`, teamFull = (limits, bytes) => `This team's data is full ${share(limits, bytes)}. ${howToDelete}`, noRoom = (limits, bytes) => new InsufficientStorage({
  error: bytes >= limits.team * fullShare ? teamFull(limits, bytes) : `The addresses of this job do not fit into this team's data ${share(limits, bytes)}. ${howToDelete}`,
  code: codes.team
}), teamEnd = (limits, bytes) => ({
  code: codes.team,
  error: `The job ended: its team's storage ${bytes >= limits.team * fullShare ? "is full" : "has no room for the next page"} ${share(limits, bytes)}. What was fetched before can be read. ${howToDelete}`
}), ensureRoom = (sql, team, limits, replaced = 0) => flatMap(
  used(sql, team),
  (bytes) => bytes - replaced >= limits.team * fullShare ? fail(noRoom(limits, bytes)) : _void
), fit = (sizes, { jobBytes, limits, teamBytes }) => {
  let sum = 0;
  for (let [count, size] of sizes.entries()) {
    if (sum += size, jobBytes + sum > limits.job) {
      let error = `The results of this job reach the ${sizeText(limits.job)} that SLUICE_JOB_BYTES allows: a page of ${sizeText(size)} was not kept. What was fetched before can be read. Ask for fewer pages or formats in one job, or the engine's operator for a higher SLUICE_JOB_BYTES.`;
      return { count, refusal: { code: codes.job, error } };
    }
    if (teamBytes + sum > limits.team) return { count, refusal: teamEnd(limits, teamBytes + sum - size) };
  }
  return { count: sizes.length, refusal: void 0 };
}, report = (sql, team, limits) => map(used(sql, team), (bytes) => ({
  usedBytes: bytes,
  maxBytes: limits.team,
  ...bytes > limits.team * warningShare ? { warning: `This team's data is nearly full ${share(limits, bytes)}. ${howToDelete}` } : {}
})), warned = (sql, limits) => map(
  sql`SELECT count(*) AS count FROM (SELECT team, sum(bytes) AS bytes FROM
      (SELECT team, bytes FROM stored_bytes UNION ALL SELECT team, bytes FROM browser_profiles) GROUP BY team)
      WHERE bytes > ${limits.team * warningShare}`,
  (rows) => rows[0]?.count ?? 0
), FreeSpace = class extends Reference()("sluice/Engine/FreeSpace", {
  defaultValue: () => succeed(void 0)
}) {
}, freeSpaceOf = (folder) => tryPromise(() => Fs.statfs(folder)).pipe(
  map(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize })),
  orElseSucceed(() => {
  })
), freeSpace = (folder) => effect(FreeSpace, cachedWithTTL(freeSpaceOf(folder), "1 second")), reserve = 256 * 1024 * 1024, diskText = ({ free, total }) => `The disk of the data folder has ${sizeText(free)} of ${sizeText(total)} left. Free some space, or lower SLUICE_TEAM_BYTES and SLUICE_COPY_BYTES.`, lowDisk = (space) => space.free < reserve || space.free < space.total / 10 && space.free < 5 * gigabyte ? diskText(space) : void 0, fullDisk = (space) => space.free < reserve ? new InsufficientStorage({
  error: `No job starts below ${sizeText(reserve)}. ${diskText(space)}`,
  code: codes.disk
}) : void 0;

// src/Engine/Store/Parts.ts
var parts = {
  browser: migrations,
  copies: migrations3,
  jobs: migrations2,
  search: migrations4,
  usage: migrations5,
  webhooks: migrations6,
  // Counts what the others keep: it comes after them.
  storage: migrations7
};

// src/Engine/TeamScheduler.ts
var slice = 4, maxDone = 1e3, urgentPriority = -1, make3 = (weights = equal) => {
  let lanes = /* @__PURE__ */ new Map(), ready = /* @__PURE__ */ new Set(), urgent = [], isRunning = !1, clock = 0, begun = 0, nextQueue = () => {
    let next;
    for (let queue of ready) (next === void 0 || queue.time < next.time) && (next = queue);
    return next;
  }, takeFrom = (queue) => {
    let task = queue.tasks[queue.at++];
    return queue.at === queue.tasks.length ? (queue.tasks = [], queue.at = 0, ready.delete(queue)) : queue.at === maxDone && (queue.tasks = queue.tasks.slice(queue.at), queue.at = 0), task;
  }, step = () => {
    let before = performance.now(), first = urgent.shift(), queue = first === void 0 ? nextQueue() : void 0, task = queue === void 0 ? first : takeFrom(queue);
    queue !== void 0 && (clock = queue.time);
    try {
      task?.();
    } finally {
      let after = performance.now();
      queue !== void 0 && (queue.time += (after - before) / queue.weight), urgent.length === 0 && ready.size === 0 ? isRunning = !1 : after - begun > slice ? setImmediate(safely(run)) : queueMicrotask(safely(step));
    }
  }, run = () => {
    begun = performance.now(), step();
  }, laneOf = (team) => {
    let found = lanes.get(team);
    if (found !== void 0) return found;
    let queue = { weight: weights.get(team) ?? 1, tasks: [], at: 0, time: 0 }, lane = {
      isIdle: () => !isRunning,
      laneOf,
      shouldYield: defaultShouldYield,
      scheduleTask: (task, priority) => {
        priority <= urgentPriority ? urgent.push(task) : (queue.tasks.length === 0 && (queue.time = Math.max(queue.time, clock), ready.add(queue)), queue.tasks.push(task)), !isRunning && (isRunning = !0, queueMicrotask(safely(run)));
      }
    };
    return lanes.set(team, lane), lane;
  };
  return laneOf("");
}, isLane = (scheduler) => "laneOf" in scheduler, asTeam = (team) => (work) => {
  let owned = provideService(work, Owner, team);
  return withFiberRuntime((fiber) => {
    let { currentScheduler } = fiber;
    if (!isLane(currentScheduler)) return owned;
    let inTurn = currentScheduler.isIdle() ? owned : zipRight(yieldNow(), owned);
    return withScheduler(inTurn, currentScheduler.laneOf(team));
  });
}, urgently = withSchedulingPriority(urgentPriority);

// src/Engine/Store.ts
var StoreError = class extends TaggedError("StoreError") {
  get message() {
    return `Cannot open the store ${this.file}: ${this.reason}`;
  }
}, pragmas = [
  // A commit survives a killed process.
  "synchronous = NORMAL",
  // 8 MB of pages (the system keeps them too), and 32 MB of log between two checkpoints: results are large, and come in bursts.
  "cache_size = -8000",
  "wal_autocheckpoint = 8000"
], failed = (error) => new StoreError({ file: error.file, reason: error.reason, cause: error.cause }), fairly = gen(function* () {
  let connection = yield* (yield* SqlClient).reserve, places = make2({ capacity: 1 }), client = yield* make({
    acquirer: flatMap(Owner, (team) => places.withPlace(team)(succeed(connection))).pipe(urgently),
    transactionAcquirer: flatMap(Owner, (team) => as(places.acquire(team), connection)),
    compiler: makeCompilerSqlite(),
    spanAttributes: [["db.system.name", "sqlite"]]
  }), { withTransaction: inTurn } = withWholeTransactions(client);
  return Object.assign(client, { withTransaction: (effect2) => urgently(inTurn(effect2)) });
}), fair = (database) => scoped(SqlClient, orDie(fairly)).pipe(provide(merge(database, layer))), memory2 = fair(
  mapError(memory({ parts, pragmas: [] }), failed)
), layer3 = (dataDir) => unwrapEffect(
  map(
    Path,
    (path) => fair(mapError(layer2({ file: path.join(dataDir, "engine.db"), parts, pragmas }), failed))
  )
);

export {
  defaults,
  StorageLimits,
  used,
  isFull,
  noRoom,
  teamEnd,
  ensureRoom,
  fit,
  report,
  warned,
  FreeSpace,
  freeSpace,
  lowDisk,
  fullDisk,
  make3 as make,
  asTeam,
  StoreError,
  memory2 as memory,
  layer3 as layer
};
