import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  make as make2
} from "./chunk-4LLCRAKX.js";
import {
  decodeText,
  encodeText,
  fingerprintFunction,
  fingerprintOf,
  fingerprintOfText,
  needsFingerprints
} from "./chunk-F63MDLXW.js";
import {
  shrink
} from "./chunk-3IJJA3UF.js";
import {
  SavedOptions,
  SavedProgress
} from "./chunk-L2IO7ZT7.js";
import {
  isSqlError,
  reasonOf
} from "./chunk-7DF5MID3.js";
import {
  Output,
  Sealed,
  TypedError,
  _await,
  decodeSaved,
  done,
  fail,
  flatMap2,
  fromIterable as fromIterable2,
  grouped,
  make,
  nextTurn,
  paginateChunkEffect,
  poll,
  runFoldEffect,
  spaced,
  unwrap
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  Array$,
  Number$,
  Struct,
  parseJson
} from "./chunk-PAQDWWDE.js";
import {
  Tag,
  _void,
  acquireRelease,
  all3 as all2,
  as2 as as,
  asVoid2 as asVoid,
  asVoid3 as asVoid2,
  catchTag,
  currentTimeMillis,
  either,
  ensuring2 as ensuring,
  exit2 as exit,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  forkDaemon2 as forkDaemon,
  forkScoped,
  fromIterable2 as fromIterable,
  gen,
  ignore,
  ignoreLogged,
  map9 as map2,
  mapError2 as mapError,
  onError,
  option,
  runSync,
  schedule,
  scoped2 as scoped,
  succeed4 as succeed,
  suspend2 as suspend,
  sync3 as sync,
  tap2 as tap,
  toReadonlyArray,
  try_,
  uninterruptible2 as uninterruptible,
  unsafeFromArray,
  whileLoop,
  zipLeft2 as zipLeft,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  all,
  map,
  mapLeft
} from "./chunk-FWQRLSGQ.js";
import {
  fromNullable,
  none2 as none
} from "./chunk-ANBJACJV.js";

// src/Ledger/LedgerErrors.ts
var LedgerError = class extends TypedError("LedgerError", { scope: "run" }) {
  get message() {
    return `the ledger ${this.place} failed while ${this.doing}: ${this.reason}`;
  }
}, notOpened = ({ cause, file, reason }) => new LedgerError({ place: file, doing: "being opened", reason, cause }), Locked = class extends TypedError("Locked", { scope: "run", exitCode: ExitCode.locked }) {
  get message() {
    return `${this.name} is being worked on by ${this.owner}, whose last heartbeat was ${Math.round(this.beat / 1e3)} s ago. Wait for it to end, or stop it.`;
  }
};

// src/Ledger/Schema.ts
var tables = [
  `runs (
    id TEXT PRIMARY KEY, pipeline TEXT NOT NULL, file TEXT NOT NULL, definition_hash TEXT NOT NULL,
    out_folder TEXT NOT NULL, folder TEXT NOT NULL, started_at BIGINT NOT NULL, scheduled_for BIGINT, state_key TEXT,
    status TEXT NOT NULL, progress TEXT NOT NULL, row_count BIGINT NOT NULL DEFAULT 0,
    reject_count BIGINT NOT NULL DEFAULT 0,
    call_credits DOUBLE PRECISION NOT NULL DEFAULT 0, call_unpriced BIGINT NOT NULL DEFAULT 0,
    call_pages BIGINT NOT NULL DEFAULT 0,
    job_credits DOUBLE PRECISION NOT NULL DEFAULT 0, job_unpriced BIGINT NOT NULL DEFAULT 0,
    error TEXT, updated_at BIGINT NOT NULL, ended_at BIGINT)`,
  // Large texts, apart from the columns that each checkpoint changes.
  `run_texts (
    run_id TEXT PRIMARY KEY, definition TEXT NOT NULL, inputs TEXT NOT NULL, options TEXT NOT NULL,
    sealed TEXT, outputs TEXT)`,
  // Steps of resumable runs. Tables that grow refer to them by number.
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
  // A step's state across runs, under its pipeline's state key.
  "shelves (id BIGINT PRIMARY KEY, state_key TEXT NOT NULL, step TEXT NOT NULL, UNIQUE (state_key, step))",
  `state (
    shelf BIGINT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL, PRIMARY KEY (shelf, key))`,
  // Credits of a pipeline by quarter of an hour: time zones differ by multiples of it.
  `spent (
    pipeline TEXT NOT NULL, slot BIGINT NOT NULL, credits DOUBLE PRECISION NOT NULL, unpriced BIGINT NOT NULL,
    PRIMARY KEY (pipeline, slot))`,
  `locks (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, host TEXT NOT NULL, pid BIGINT NOT NULL, since BIGINT NOT NULL,
    beat BIGINT NOT NULL)`
], indexes = [
  "runs_pipeline ON runs (pipeline, started_at)",
  "runs_started ON runs (started_at)",
  "pages_key ON pages (key, at)",
  "rejects_key ON rejects (run_id, key)",
  "held_key ON held (state_key, step, key)"
], scheduleTables = [
  // Schedules of pipelines. Times before `since` are not caught up.
  `schedules (
    pipeline TEXT PRIMARY KEY, file TEXT NOT NULL, times TEXT NOT NULL, schedule TEXT NOT NULL, since BIGINT NOT NULL,
    seen_at BIGINT NOT NULL, paused_at BIGINT, paused_why TEXT, removed_at BIGINT)`,
  // One row for each scheduled time. The daemon that inserts it runs it.
  `instants (
    pipeline TEXT NOT NULL, instant BIGINT NOT NULL, due BIGINT NOT NULL, cause TEXT NOT NULL, status TEXT NOT NULL,
    owner TEXT, run_id TEXT, attempt BIGINT NOT NULL, reason TEXT, replaced_by BIGINT, claimed_at BIGINT NOT NULL,
    begun_at BIGINT, next_at BIGINT, ended_at BIGINT, PRIMARY KEY (pipeline, instant))`,
  // Notifications. The address stays in the definition, because it may be a secret.
  `notices (
    id TEXT PRIMARY KEY, pipeline TEXT NOT NULL, instant BIGINT NOT NULL, run_id TEXT, event TEXT NOT NULL,
    target BIGINT NOT NULL, body TEXT NOT NULL, made_at BIGINT NOT NULL, attempts BIGINT NOT NULL, next_at BIGINT,
    sent_at BIGINT, gave_up_at BIGINT, error TEXT)`
], scheduleIndexes = [
  "instants_open ON instants (pipeline, instant) WHERE ended_at IS NULL",
  "instants_time ON instants (instant)",
  "notices_next ON notices (next_at) WHERE next_at IS NOT NULL",
  "notices_made ON notices (made_at)"
], postgresIndexes = {
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
}, createTable = (sql, table) => `CREATE TABLE ${sql.onDialectOrElse({
  // Half the space, and deletes take a fifth of the time.
  sqlite: () => `${table}${table.startsWith("calls") ? "" : " WITHOUT ROWID"}`,
  pg: () => table.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replace("(id BIGINT PRIMARY KEY", "(id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY").replace(/, PRIMARY KEY \((?:station|shelf), key\)|, PRIMARY KEY \(run_id, step, mark\)/, "").replace(", key, seq))", ", seq))"),
  orElse: () => table
})}`, create = (sql, tables2, indexes2) => forEach(
  [...tables2.map((table) => createTable(sql, table)), ...indexes2.map((index) => `CREATE INDEX ${index}`)],
  (text) => sql.unsafe(text),
  { discard: !0 }
), migrations = [
  {
    version: 1,
    name: "ledger",
    up: (sql) => sql.onDialectOrElse({
      sqlite: () => create(sql, tables, indexes),
      orElse: () => all2([
        sql.unsafe(fingerprintFunction),
        create(sql, tables, postgresIndexes.indexes),
        forEach(postgresIndexes.unique, (index) => sql.unsafe(`CREATE UNIQUE INDEX ${index}`))
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
    up: (sql) => zipRight(
      sql.unsafe("ALTER TABLE runs ADD COLUMN group_id TEXT"),
      // `paid_at`: when all slots taken so far are used up.
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
    // Ids of trace, span and request of a reject, as JSON.
    up: (sql) => sql.unsafe("ALTER TABLE rejects ADD COLUMN trace TEXT")
  },
  {
    version: 6,
    name: "attempts",
    up: (sql) => zipRight(
      sql.unsafe("ALTER TABLE rejects ADD COLUMN status INTEGER"),
      sql.unsafe("ALTER TABLE rejects ADD COLUMN attempts INTEGER")
    )
  },
  {
    version: 7,
    name: "reservations",
    // Highest prices of running calls, for budgets that several runs share.
    up: (sql) => create(
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
    // 1 for a finished job: its reservation will be booked and not released.
    up: (sql) => sql.unsafe("ALTER TABLE reservations ADD COLUMN firm INTEGER NOT NULL DEFAULT 0")
  },
  {
    version: 9,
    name: "pages of jobs",
    // Pages of the run's own jobs, for budgets. Earlier versions kept the number in `progress` only.
    up: (sql) => zipRight(
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
    // Rows that were admitted to outputs, and reservations for rows since the last checkpoint.
    up: (sql) => forEach(
      [
        "ALTER TABLE runs ADD COLUMN output_rows BIGINT NOT NULL DEFAULT 0",
        "UPDATE runs SET output_rows = row_count WHERE group_id IS NOT NULL",
        "ALTER TABLE reservations ADD COLUMN output_rows BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE reservations ADD COLUMN output_bytes BIGINT NOT NULL DEFAULT 0"
      ],
      (text) => sql.unsafe(text),
      { discard: !0 }
    )
  }
];

// src/Ledger/Connection.ts
var describeFailure = ({ place }, doing) => (effect) => mapError(
  effect,
  (error) => isSqlError(error) ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error }) : error
), reading = (connection, doing) => (effect) => describeFailure(connection, doing)(connection.retryRead(effect)), writing = (connection, doing) => (effect) => effect.pipe(connection.sql.withTransaction, describeFailure(connection, doing), uninterruptible), decoding = (schema) => {
  let decode = decodeSaved(parseJson(schema));
  return ({ place }, what, text) => mapLeft(
    decode(what, text),
    (cause) => new LedgerError({ place, doing: `reading ${what}`, reason: cause.problem, cause })
  );
}, toText = (json) => JSON.stringify(json ?? null), fromText = (text) => JSON.parse(text);

// src/Ledger/Runs.ts
var padShard = (shard) => String(shard).padStart(4, "0"), splitOf = (run) => `${run}.split`, shardOf = (run, shard) => `${run}.s${padShard(shard)}`, partOffset = 1e9, offsetOfPart = (index) => (index + 1) * partOffset, originOf = (run, number) => {
  let index = Math.floor(number / partOffset) - 1;
  return { of: index < 0 ? run : index === 0 ? splitOf(run) : shardOf(run, index - 1), number: number % partOffset };
}, isAfter = (one, other) => one.of === other.of ? one.number > other.number : one.of > other.of, slotDuration = 15 * 6e4, slotOf = (time) => Math.floor(time / slotDuration) * slotDuration, addSpent = (sql, pipeline, now, credits, unpriced) => credits === 0 && unpriced === 0 ? _void : sql`INSERT INTO spent ${sql.insert({ pipeline: encodeText(pipeline), slot: slotOf(now), credits, unpriced })}
        ON CONFLICT (pipeline, slot) DO UPDATE
        SET credits = spent.credits + excluded.credits, unpriced = spent.unpriced + excluded.unpriced`, creditsSince = (sql, pipeline, since) => map2(
  sql`SELECT sum(credits) AS credits FROM spent
      WHERE pipeline = ${encodeText(pipeline)} AND slot >= ${slotOf(since)}`,
  ([row]) => Number(row?.credits ?? 0)
), numberOf = (value) => value === null ? void 0 : Number(value), decodeSavedOptions = decoding(SavedOptions), decodeSavedProgress = decoding(SavedProgress), decodeOptions = (place, run, text) => decodeSavedOptions(place, `the options of run ${run}`, text), decodeProgress = (place, run, text) => decodeSavedProgress(place, `the progress of run ${run}`, text), toRecord = (place, row) => map(
  all({
    options: decodeOptions(place, row.id, row.options),
    progress: decodeProgress(place, row.id, row.progress)
  }),
  ({ options, progress }) => ({
    id: row.id,
    pipeline: decodeText(row.pipeline),
    file: decodeText(row.file),
    definition: decodeText(row.definition),
    definitionHash: row.definition_hash,
    inputs: fromText(row.inputs),
    options,
    out: decodeText(row.out_folder),
    folder: decodeText(row.folder),
    startedAt: Number(row.started_at),
    scheduledFor: numberOf(row.scheduled_for),
    stateKey: row.state_key === null ? void 0 : decodeText(row.state_key),
    group: row.group_id === null ? void 0 : decodeText(row.group_id),
    status: row.status,
    progress,
    bytes: Number(row.bytes),
    credits: Number(row.call_credits) + Number(row.job_credits) + Number(row.part_credits ?? 0),
    unpriced: Number(row.call_unpriced) + Number(row.job_unpriced) + Number(row.part_unpriced ?? 0),
    rows: Number(row.row_count) + Number(row.part_rows ?? 0),
    rejects: Number(row.reject_count) + Number(row.part_rejects ?? 0),
    outputs: row.outputs === null ? void 0 : fromText(row.outputs),
    error: row.error === null ? void 0 : decodeText(row.error),
    updatedAt: Number(row.updated_at),
    endedAt: numberOf(row.ended_at)
  })
), start = ({ place, sql }, run) => gen(function* () {
  let now = yield* currentTimeMillis, created = yield* sql`INSERT INTO runs ${sql.insert({
    id: run.id,
    pipeline: encodeText(run.pipeline),
    file: encodeText(run.file),
    definition_hash: run.definitionHash,
    out_folder: encodeText(run.out),
    folder: encodeText(run.folder),
    started_at: run.startedAt,
    scheduled_for: run.scheduledFor ?? null,
    state_key: run.stateKey === void 0 ? null : encodeText(run.stateKey),
    group_id: run.group === void 0 ? null : encodeText(run.group),
    status: "running",
    progress: "null",
    updated_at: now
  })} ON CONFLICT (id) DO NOTHING RETURNING id`, texts = {
    definition: encodeText(run.definition),
    inputs: toText(run.inputs),
    options: toText(run.options)
  };
  if (created.length > 0) {
    yield* sql`INSERT INTO run_texts ${sql.insert({ run_id: run.id, ...texts })}`;
    return;
  }
  let [known] = yield* sql`
      SELECT runs.status AS status, CASE WHEN run_texts.sealed IS NULL THEN 0 ELSE 1 END AS sealed, pipeline, started_at
      FROM runs JOIN run_texts ON run_texts.run_id = runs.id WHERE runs.id = ${run.id}`;
  if (known !== void 0 && !(known.pipeline === encodeText(run.pipeline) && Number(known.started_at) === run.startedAt)) {
    let reason = "a run with this id was started at another time, or by another pipeline: resume that one if it is yours, else start this one with another id";
    return yield* new LedgerError({ place, doing: `starting run ${run.id}`, reason });
  }
  if (known?.status === "completed") {
    let reason = "it is completed, so there is nothing to resume";
    return yield* new LedgerError({ place, doing: `resuming run ${run.id}`, reason });
  }
  let status = Number(known?.sealed) === 1 ? "publishing" : "running";
  yield* sql`UPDATE run_texts SET definition = ${texts.definition}, options = ${texts.options}
      WHERE run_id = ${run.id}`, yield* sql`UPDATE runs SET status = ${status}, definition_hash = ${run.definitionHash}, error = NULL,
      ended_at = NULL, updated_at = ${now} WHERE id = ${run.id}`;
}), withShards = ({ sql }, id) => sql`SELECT id FROM runs WHERE id = ${id} OR (group_id = ${encodeText(id)} AND group_id <> id)`, selectRuns = ({ sql }, group) => sql`SELECT * FROM runs JOIN run_texts ON run_texts.run_id = runs.id LEFT JOIN (
      SELECT group_id AS part_of, sum(row_count) AS part_rows, sum(reject_count) AS part_rejects,
        sum(call_credits + job_credits) AS part_credits, sum(call_unpriced + job_unpriced) AS part_unpriced
      FROM runs WHERE group_id IS NOT NULL AND group_id <> id AND ${group === void 0 ? sql`1 = 1` : sql`group_id = ${encodeText(group)}`}
      GROUP BY group_id) AS parts ON part_of = runs.id`, find = (connection, id) => flatMap(
  connection.sql`${selectRuns(connection, id)} WHERE runs.id = ${id}`,
  ([row]) => row === void 0 ? succeed(void 0) : toRecord(connection, row)
), idsPerStatement = 500, inputsOf = ({ sql }, ids) => map2(
  forEach(
    Array.from(
      { length: Math.ceil(ids.length / idsPerStatement) },
      (_, n) => ids.slice(n * idsPerStatement, (n + 1) * idsPerStatement)
    ),
    (some) => sql`SELECT run_id, inputs FROM run_texts
          WHERE ${sql.in("run_id", some)}`
  ),
  (rows2) => new Map(rows2.flat().map(({ inputs, run_id }) => [run_id, fromText(inputs)]))
), list = (connection, { group, limit, offset = 0, pipeline, since, status }) => {
  let { sql } = connection;
  return flatMap(
    sql`${selectRuns(connection)} WHERE ${sql.and([
      ...pipeline === void 0 ? [] : [sql`pipeline = ${encodeText(pipeline)}`],
      // Without a group, shards are omitted: their run includes their sums.
      group === void 0 ? sql`(group_id IS NULL OR group_id = id)` : sql`group_id = ${encodeText(group)}`,
      ...status === void 0 ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)],
      ...since === void 0 ? [] : [sql`started_at >= ${since}`]
    ])} ORDER BY started_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
    (rows2) => all(rows2.map((row) => toRecord(connection, row)))
  );
}, decodeSealed = decoding(Array$(Sealed)), decodeFiles = decoding(Array$(Output)), trialOutputs = (connection) => flatMap(
  connection.sql`SELECT runs.id AS id, options, outputs, sealed FROM runs
      JOIN run_texts ON run_texts.run_id = runs.id WHERE outputs IS NOT NULL OR sealed IS NOT NULL
      ORDER BY ended_at, started_at, id`,
  fn(function* (rows2) {
    let byPath = /* @__PURE__ */ new Map(), runs = yield* forEach(
      rows2,
      ({ id, options, outputs, sealed }) => all2({
        isTrial: map2(decodeOptions(connection, id, options), ({ limit }) => limit !== void 0),
        outputs: outputs === null ? succeed([]) : decodeFiles(connection, `the outputs of run ${id}`, outputs),
        sealed: sealed === null ? succeed([]) : decodeSealed(connection, `the sealed files of run ${id}`, sealed)
      })
    ), trialFile = ({ bytes, modified }) => modified === void 0 ? [] : [{ bytes, modified, isClaimed: !1 }];
    for (let { isTrial, outputs } of runs)
      for (let output of outputs) byPath.set(output.path, isTrial ? trialFile(output) : []);
    for (let { isTrial, sealed } of runs)
      if (isTrial)
        for (let file of sealed.flatMap(({ files }) => files))
          byPath.set(file.path, [...byPath.get(file.path) ?? [], ...trialFile(file)]);
    for (let { isTrial, sealed } of runs)
      if (!isTrial)
        for (let { path } of sealed.flatMap(({ files }) => files))
          byPath.set(
            path,
            (byPath.get(path) ?? []).map((each) => ({ ...each, isClaimed: !0 }))
          );
    return byPath;
  })
);

// src/Ledger/Locks.ts
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
var ownersHere = /* @__PURE__ */ new Set(), isZombie = (pid) => {
  if (process.platform !== "linux") return !1;
  let stat = runSync(option(try_(() => readFileSync(`/proc/${pid}/stat`, "latin1"))));
  return stat._tag === "Some" && /^[ZX]/.test(stat.value.slice(stat.value.lastIndexOf(")") + 2));
}, hasExited = (pid) => {
  let asked = runSync(either(try_(() => process.kill(pid, 0))));
  return asked._tag === "Left" ? asked.left.error.code === "ESRCH" : isZombie(pid);
}, hasEnded = (row, host) => row.host === host && !ownersHere.has(row.owner) && (Number(row.pid) === process.pid || hasExited(Number(row.pid))), silence = ({ last_beat, now }) => Math.max(0, Number(now) - Number(last_beat)), isDead = (row, { host, heartbeat }) => silence(row) > heartbeat.timeout || hasEnded(row, host), rows = ({ heartbeat, sql }, name) => flatMap(
  heartbeat.now,
  (now) => sql`SELECT name, owner, host, pid, beat, ${heartbeat.lastBeat} AS last_beat, ${now} AS now FROM locks
      WHERE ${name === void 0 ? sql`1 = 1` : sql`name = ${name}`}`
), abandonedAfter = 864e5, deleteAbandoned = (connection) => flatMap(
  rows(connection),
  (all3) => forEach(
    all3.filter(
      (row) => hasEnded(row, connection.host) || silence(row) > Math.max(abandonedAfter, connection.heartbeat.timeout)
    ),
    ({ beat, name, owner }) => connection.sql`DELETE FROM locks WHERE name = ${name} AND owner = ${owner} AND beat = ${beat}`,
    { discard: !0 }
  )
), describeOwner = ({ host, pid }) => `process ${pid} on ${host.replace(/\/.*$/, "")}`, acquireOne = (connection, name, owner) => gen(function* () {
  let { host, heartbeat, sql } = connection, now = yield* heartbeat.now;
  if ((yield* sql`INSERT INTO locks (name, owner, host, pid, since, beat)
      VALUES (${name}, ${owner}, ${host}, ${process.pid}, ${now}, ${now}) ON CONFLICT (name) DO NOTHING RETURNING name`).length > 0) return;
  let [row] = yield* rows(connection, name);
  if (row !== void 0 && isDead(row, connection) && (yield* sql`UPDATE locks SET owner = ${owner}, host = ${host}, pid = ${process.pid}, since = ${now},
        beat = ${now} WHERE name = ${name} AND owner = ${row.owner} AND beat = ${row.beat} RETURNING name`).length > 0)
    return;
  let owned = row === void 0 ? "a process that has just released it" : describeOwner(row);
  return yield* new Locked({ name, owner: owned, beat: row === void 0 ? 0 : silence(row) });
}), acquire = (connection, wanted) => gen(function* () {
  let { place, heartbeat, sql } = connection, names = [...new Set(wanted)].toSorted(), owner = randomUUID(), lost = yield* make(), removeOwner = sync(() => ownersHere.delete(owner));
  yield* acquireRelease(
    suspend(() => (ownersHere.add(owner), zipRight(
      deleteAbandoned(connection),
      forEach(names, (name) => acquireOne(connection, name, owner), { discard: !0 })
    ))).pipe(
      writing(connection, `locking ${names.join(" and ")}`),
      onError(() => removeOwner)
    ),
    () => sql`DELETE FROM locks WHERE owner = ${owner}`.pipe(
      sql.withTransaction,
      ignoreLogged,
      ensuring(removeOwner)
    )
  );
  let lastRenewal = yield* currentTimeMillis, fence = gen(function* () {
    let asked = yield* currentTimeMillis, now = yield* heartbeat.now;
    if ((yield* sql`UPDATE locks SET beat = ${now} WHERE owner = ${owner} RETURNING name`).length === names.length) {
      lastRenewal = asked;
      return;
    }
    let reason = "another process has taken this work over, because this one sent no heartbeat in time";
    yield* fail(
      lost,
      new LedgerError({ place, doing: `keeping the lock on ${names.join(" and ")}`, reason })
    );
  }).pipe(
    zipRight(
      flatMap(poll(lost), (found) => found._tag === "None" ? _void : found.value)
    )
  );
  yield* fence.pipe(
    sql.withTransaction,
    ignore,
    schedule(spaced(heartbeat.interval)),
    forkScoped
  );
  let verify = flatMap(
    currentTimeMillis,
    (now) => now - lastRenewal < heartbeat.timeout ? _void : asVoid2(fence.pipe(writing(connection, `checking the lock on ${names.join(" and ")}`)))
  );
  return { fence, lockLost: _await(lost), verify };
}), heldNames = (connection) => map2(
  rows(connection),
  (all3) => new Set(all3.filter((row) => !isDead(row, connection)).map(({ name }) => name))
).pipe(reading(connection, "looking for locks"));

// src/Ledger/Pages.ts
var insertPages = make2({
  before: "INSERT INTO pages (run_id, at, seq, step, key, status, error, hash, job_id, credits, price) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 9
}), putPages = (sql, run, last, pages, now) => {
  let seq = last;
  return insertPages(sql, [run, now], pages, ({ page, step }) => [
    ++seq,
    step,
    encodeText(page.key),
    page.status ?? null,
    page.error === void 0 ? null : encodeText(page.error),
    page.hash ?? null,
    page.jobId === void 0 ? null : encodeText(page.jobId),
    page.credits ?? null,
    page.price
  ]);
}, presentPages = (sql, run) => map2(
  sql`SELECT key FROM pages WHERE run_id = ${run} GROUP BY key
      HAVING sum(CASE WHEN status < 500 AND status NOT IN (404, 410) THEN 1 ELSE 0 END) > 0
      OR sum(CASE WHEN status IN (404, 410) THEN 1 ELSE 0 END) = 0`,
  (rows2) => new Set(rows2.map(({ key }) => decodeText(key)))
), failedPages = (sql, run, jobId) => map2(
  sql`SELECT DISTINCT key FROM pages
      WHERE run_id = ${run} AND job_id = ${encodeText(jobId)} AND error IS NOT NULL`,
  (rows2) => new Set(rows2.map(({ key }) => decodeText(key)))
), keysPerStatement = 500, hasSeenAny = (sql, run, stateKey, keys) => gen(function* () {
  let under = encodeText(stateKey), runs = sql`SELECT id FROM runs WHERE state_key = ${under} AND id <> ${run}`, shelves = sql`SELECT id FROM shelves WHERE state_key = ${under}`;
  for (let at = 0; at < keys.length; at += keysPerStatement) {
    let some = keys.slice(at, at + keysPerStatement).map(encodeText), [known] = yield* sql`SELECT 1 AS known FROM pages WHERE ${sql.in("key", some)} AND run_id IN (${runs})
        UNION ALL SELECT 1 AS known FROM state WHERE shelf IN (${shelves})
          AND ${fingerprintOf(sql, "key")} IN (${sql.join(", ", !1)(some.map((key) => fingerprintOfText(sql, key)))})
        LIMIT 1`;
    if (known !== void 0) return !0;
  }
  let split = offsetOfPart(0), first = sql`CASE WHEN EXISTS
      (SELECT 1 FROM pages AS parts WHERE parts.run_id = runs.id AND parts.seq > ${split}) THEN ${split + 1} ELSE 1 END`, [whole] = yield* sql`SELECT min(started_at) AS since FROM runs
      WHERE state_key = ${under} AND EXISTS (SELECT 1 FROM pages WHERE pages.run_id = runs.id AND pages.seq = ${first})`, isOld = whole == null || whole.since === null ? sql`1 = 1` : sql`last_seen < ${whole.since}`, [old] = yield* sql`SELECT 1 AS old FROM state WHERE shelf IN (${shelves}) AND ${isOld} LIMIT 1`;
  return old !== void 0;
}), toPage = (row) => ({
  runId: row.run_id,
  step: row.step,
  key: decodeText(row.key),
  status: row.status === null ? void 0 : Number(row.status),
  error: row.error === null ? void 0 : decodeText(row.error),
  hash: row.hash ?? void 0,
  jobId: row.job_id === null ? void 0 : decodeText(row.job_id),
  credits: row.credits === null ? void 0 : Number(row.credits),
  price: row.price,
  at: Number(row.at)
}), listPages = (sql, of, { limit, offset = 0 }) => map2(
  "run" in of ? sql`SELECT * FROM pages WHERE run_id = ${of.run} ORDER BY seq LIMIT ${limit} OFFSET ${offset}` : sql`SELECT * FROM pages WHERE key = ${encodeText(of.key)}
          ORDER BY at DESC, run_id, seq DESC LIMIT ${limit} OFFSET ${offset}`,
  (rows2) => rows2.map(toPage)
), sightings = (sql, key) => map2(
  sql`SELECT count(*) AS n, min(at) AS first, max(at) AS last
      FROM pages WHERE key = ${encodeText(key)}`,
  ([row]) => row === void 0 || row.first === null || row.last === null ? void 0 : { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) }
), insertRejects = make2({
  before: "INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, job_id, content, source, trace, status, attempts) VALUES ",
  row: (own) => `($1, ${own})`,
  after: "",
  shared: 1,
  width: 13
}), traceOf = ({ isDerived = !1, requestId, spanId, traceId }) => traceId === void 0 && requestId === void 0 && !isDerived ? null : JSON.stringify({ traceId, spanId, requestId, isDerived: isDerived || void 0 }), putRejects = (sql, run, last, rejects) => {
  let seq = last;
  return insertRejects(sql, [run], rejects, (reject) => [
    ++seq,
    reject.step,
    encodeText(reject.key),
    encodeText(reject.definedAt),
    encodeText(reject.error),
    encodeText(reject.message),
    reject.at,
    reject.jobId === void 0 ? null : encodeText(reject.jobId),
    JSON.stringify(reject.row) ?? "null",
    reject.source === void 0 ? null : JSON.stringify(reject.source),
    traceOf(reject),
    reject.status ?? null,
    reject.attempts ?? null
  ]);
}, toReject = (row) => ({
  number: Number(row.seq),
  of: row.run_id,
  key: decodeText(row.key),
  step: row.step,
  definedAt: decodeText(row.defined_at),
  error: decodeText(row.error),
  message: decodeText(row.message),
  ...row.status === null ? {} : { status: Number(row.status) },
  ...row.attempts === null ? {} : { attempts: Number(row.attempts) },
  at: row.at,
  jobId: row.job_id === null ? void 0 : decodeText(row.job_id),
  ...row.trace === null ? {} : JSON.parse(row.trace),
  row: JSON.parse(row.content),
  source: row.source === null ? void 0 : JSON.parse(row.source),
  replayedBy: row.replayed_by ?? void 0
}), rejectsAfter = (sql, runs, which, after, limit) => map2(
  sql`SELECT * FROM rejects WHERE ${sql.and([
    sql`run_id IN (${runs})`,
    sql`(run_id, seq) > (${after.of}, ${after.number})`,
    ...which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`]
  ])} ORDER BY run_id, seq LIMIT ${limit}`,
  (rows2) => rows2.map(toReject)
), markRejects = make2({
  before: "UPDATE rejects SET replayed_by = $1 WHERE run_id = $2 AND replayed_by IS NULL AND seq IN (",
  row: (own) => own,
  after: ")",
  shared: 2,
  width: 1
}), markReplayed = (sql, run, by, numbers) => markRejects(sql, [by, run], numbers, (number) => [number]), claimRejects = (sql, { numbers, of }, by) => gen(function* () {
  yield* markReplayed(sql, of, by, numbers);
  let [row] = yield* sql`SELECT count(*) AS n FROM rejects
      WHERE run_id = ${of} AND replayed_by = ${by}`;
  return Number(row?.n) === numbers.length;
}), releaseRejects = (sql, of, by) => sql`UPDATE rejects SET replayed_by = NULL WHERE run_id = ${of} AND replayed_by = ${by}`;

// src/Ledger/History.ts
var rejectsPerPage = 1e3, readRejects = ({ sql }, run, which, { after, before }) => gen(function* () {
  let rows2 = yield* rejectsAfter(sql, withShards({ sql }, run), which, after, rejectsPerPage), isNew = ({ number }) => before === void 0 || isAfter(originOf(run, number), before), last = rows2.length === rejectsPerPage ? rows2.at(-1) : void 0, next = last && { after: last, before };
  return rows2.length === 0 && before === void 0 && after.of !== "" && after.of !== run && (yield* sql`SELECT id FROM runs WHERE id = ${after.of}`).length === 0 && (next = { after: { of: run, number: partOffset }, before: after }), [fromIterable(rows2.filter(isNew)), fromNullable(next)];
}), steps = (connection, run) => {
  let { sql } = connection, those = withShards(connection, run);
  return map2(
    sql`
      SELECT step, sum(pages) AS pages, sum(failed) AS "failedPages", sum(calls) AS calls, sum(credits) AS credits,
        sum(rejects) AS rejects, sum(opened) AS "openRejects"
      FROM (
        SELECT step, 1 AS pages, CASE WHEN error IS NOT NULL OR status >= 400 THEN 1 ELSE 0 END AS failed,
          0 AS calls, 0 AS credits, 0 AS rejects, 0 AS opened FROM pages WHERE run_id IN (${those})
        UNION ALL SELECT step, 0, 0, 1, coalesce(credits, 0), 0, 0 FROM calls WHERE run_id IN (${those})
        UNION ALL SELECT step, 0, 0, 0, 0, 1, CASE WHEN replayed_by IS NULL THEN 1 ELSE 0 END
          FROM rejects WHERE run_id IN (${those})
      ) AS lines GROUP BY step ORDER BY step`,
    (rows2) => rows2.map(
      (row) => ({
        step: row.step,
        pages: Number(row.pages),
        failedPages: Number(row.failedPages),
        calls: Number(row.calls),
        credits: Number(row.credits),
        rejects: Number(row.rejects),
        openRejects: Number(row.openRejects)
      })
    )
  );
}, jobs = (connection, run) => gen(function* () {
  let rows2 = yield* connection.sql`SELECT id, progress FROM runs WHERE id IN (${withShards(connection, run)})`, sums = /* @__PURE__ */ new Map();
  for (let { id, progress } of rows2) {
    let saved = yield* decodeProgress(connection, id, progress);
    for (let [step, credits] of Object.entries(saved?.jobs ?? {})) sums.set(step, (sums.get(step) ?? 0) + credits);
  }
  return sums;
}), make3 = (connection) => {
  let { sql } = connection, alive = map2(
    heldNames(connection),
    (names) => new Set(
      [...names].flatMap(
        (name) => name.startsWith("run ") ? [name.slice(4), name.slice(4).replace(/\..*$/, "")] : []
      )
    )
  );
  return {
    alive,
    inputs: (ids) => inputsOf(connection, ids).pipe(reading(connection, "reading the inputs of runs")),
    trialOutputs: trialOutputs(connection).pipe(reading(connection, "reading the outputs of trials")),
    runs: (filter) => list(connection, filter).pipe(reading(connection, "listing runs")),
    run: (id) => gen(function* () {
      let run = yield* find(connection, id);
      if (run === void 0) return;
      let paid = yield* jobs(connection, id), counted = yield* steps(connection, id);
      return {
        run,
        alive: (yield* alive).has(id),
        steps: counted.map((each) => ({ ...each, credits: each.credits + (paid.get(each.step) ?? 0) }))
      };
    }).pipe(reading(connection, `reading run ${id}`)),
    pagesOf: (run, range) => listPages(sql, { run }, range).pipe(reading(connection, `reading the pages of run ${run}`)),
    pagesAt: (key, range) => listPages(sql, { key }, range).pipe(reading(connection, `reading the pages at ${key}`)),
    sightings: (key) => sightings(sql, key).pipe(reading(connection, `reading the pages at ${key}`)),
    rejects: (run, which) => paginateChunkEffect(
      { after: { of: "", number: 0 } },
      (at) => readRejects(connection, run, which, at).pipe(reading(connection, `reading the rejects of run ${run}`))
    ),
    markReplayed: (run, by, numbers) => markReplayed(sql, run, by, numbers).pipe(writing(connection, `marking rejects of run ${run} as replayed`))
  };
};

// src/Database/GroupCommit.ts
var make4 = (write) => {
  let waiting = [], busy = !1, flush = suspend(() => {
    let group = waiting;
    return waiting = [], flatMap(
      exit(write(group.map(({ item }) => item))),
      (exit2) => forEach(group, ({ done: done2 }) => done(done2, asVoid(exit2)), { discard: !0 })
    );
  }), work = whileLoop({
    while: () => (busy = waiting.length > 0, busy),
    // What came in the same turn of the event loop gets the time to come.
    body: () => zipRight(nextTurn, flush),
    step: () => {
    }
  });
  return (item) => flatMap(make(), (done2) => (waiting.push({ item, done: done2 }), busy ? _await(done2) : (busy = !0, zipRight(forkDaemon(work), _await(done2))))).pipe(uninterruptible);
};

// src/Ledger/SharedLimits.ts
var noUsage = { credits: 0, pages: 0, rows: 0, bytes: 0 }, nameOf = (scope) => scope._tag === "Day" ? `day ${scope.pipeline}` : `group ${scope.group}`, lock = (sql, scope) => sql.onDialectOrElse({
  pg: () => asVoid2(sql`SELECT pg_advisory_xact_lock(hashtext(${nameOf(scope)}))`),
  // A SQLite transaction that has written is exclusive already.
  orElse: () => _void
}), bookedUsage = (sql, scope) => scope._tag === "Day" ? sql`SELECT NULL, NULL, coalesce(sum(credits), 0), 0, 0, 0, 1, NULL FROM spent
        WHERE pipeline = ${encodeText(scope.pipeline)} AND slot >= ${slotOf(scope.since)}` : sql`SELECT NULL, NULL, coalesce(sum(call_credits + job_credits), 0), coalesce(sum(call_pages + job_pages), 0),
        coalesce(sum(output_rows), 0), coalesce(sum(bytes), 0), 1, NULL FROM runs
        WHERE group_id = ${encodeText(scope.group)}`, reserve = ({ heartbeat, sql }, run, id, scope, mine, decide) => gen(function* () {
  yield* lock(sql, scope);
  let now = yield* heartbeat.now, amounts = yield* sql`SELECT r.run_id, r.id, r.credits, r.pages, r.output_rows, r.output_bytes, r.firm,
      (SELECT ${now} - ${heartbeat.lastBeat} FROM locks WHERE name = 'run ' || r.run_id) AS silence
      FROM reservations r WHERE ${scope._tag === "Day" ? sql`r.pipeline = ${encodeText(scope.pipeline)}` : sql`r.group_id = ${encodeText(scope.group)}`} AND NOT (r.run_id = ${run} AND r.id = ${encodeText(id)})
        AND (r.at >= ${scope._tag === "Day" ? scope.since : 0} OR EXISTS (SELECT 1 FROM locks WHERE name = 'run ' || r.run_id))
      UNION ALL ${bookedUsage(sql, scope)}`, from = scope._tag === "Day" ? noUsage : scope.from, [credits, pages, rows2, bytes] = [-from.credits, -from.pages, -from.rows, -from.bytes], isBusy = !1;
  for (let other of amounts) {
    if (credits += Number(other.credits), pages += Number(other.pages), rows2 += Number(other.output_rows), bytes += Number(other.output_bytes), other.id === null) continue;
    let isLive = other.run_id === run ? mine.has(decodeText(other.id)) : Number(other.firm) === 0 && other.silence !== null && Number(other.silence) <= heartbeat.timeout;
    isBusy ||= isLive && (Number(other.credits) > 0 || Number(other.pages) > 0);
  }
  let decision = decide({ used: { credits, pages, rows: rows2, bytes }, isBusy });
  if (decision._tag === "Granted") {
    let row = {
      run_id: run,
      id: encodeText(id),
      pipeline: scope._tag === "Day" ? encodeText(scope.pipeline) : null,
      group_id: scope._tag === "Group" ? encodeText(scope.group) : null,
      credits: decision.reserved.credits,
      pages: decision.reserved.pages,
      rows: decision.reserved.rows ?? 0,
      bytes: decision.reserved.bytes ?? 0
    };
    yield* sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${row.id}`, yield* sql`INSERT INTO reservations
          (run_id, id, pipeline, group_id, credits, pages, output_rows, output_bytes, at)
        VALUES (${row.run_id}, ${row.id}, ${row.pipeline}, ${row.group_id}, ${row.credits}, ${row.pages}, ${row.rows},
          ${row.bytes}, ${now})`;
  }
  return decision;
}), release = (sql, run, ids) => forEach(ids, (id) => sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${encodeText(id)}`, {
  discard: !0
}), updateReservations = (sql, run, changes) => forEach(
  changes,
  ({ id, isFirm, remaining }) => remaining === void 0 ? sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${encodeText(id)}` : sql`UPDATE reservations SET credits = ${remaining.credits}, pages = ${remaining.pages},
            firm = ${isFirm ? 1 : 0} WHERE run_id = ${run} AND id = ${encodeText(id)}`,
  { discard: !0 }
), Usage = Struct({
  credits: Number$,
  /** Pages of calls that were answered and of the runs' own jobs. */
  pages: Number$,
  /** Rows that the budget admitted to outputs, or to the end of a branch without one. */
  rows: Number$,
  /** Upper bound of their size. */
  bytes: Number$
}), idleMillis = 1440 * 6e4, make5 = (connection) => {
  let { heartbeat, sql } = connection;
  return {
    takeTurn: (name, { interval, limit }) => gen(function* () {
      let now = yield* heartbeat.now, one = sql`CAST(${interval / limit} AS DOUBLE PRECISION)`, [row] = yield* sql`INSERT INTO rates (name, paid_at)
          VALUES (${encodeText(name)}, ${now} + ${one}) ON CONFLICT (name) DO UPDATE SET paid_at =
            CASE WHEN rates.paid_at > excluded.paid_at - ${one} THEN rates.paid_at + ${one} ELSE excluded.paid_at END
          RETURNING paid_at - ${now} AS ahead`;
      return Math.max(0, Math.ceil(Number(row?.ahead ?? 0) - interval));
    }).pipe(
      // A retried read takes a second slot, which only delays the next call.
      reading(connection, `taking a slot of the rate limit ${name}`)
    ),
    used: (group, except = "") => gen(function* () {
      let those = sql`group_id = ${encodeText(group)} AND id <> ${except}`, [sums] = yield* sql`SELECT sum(call_credits + job_credits) AS credits, sum(call_pages + job_pages) AS pages,
          sum(output_rows) AS n, sum(bytes) AS bytes FROM runs WHERE ${those}`;
      return {
        credits: Number(sums?.credits ?? 0),
        rows: Number(sums?.n ?? 0),
        pages: Number(sums?.pages ?? 0),
        bytes: Number(sums?.bytes ?? 0)
      };
    }).pipe(reading(connection, `adding up what ${group} has used`))
  };
}, deleteUnusedRates = ({ heartbeat, sql }) => flatMap(heartbeat.now, (now) => sql`DELETE FROM rates WHERE paid_at < ${now} - ${idleMillis}`);

// src/Ledger/StateStore.ts
var toEntry = (row) => ({
  key: decodeText(row.key),
  value: fromText(row.value),
  firstSeen: Number(row.first_seen),
  lastSeen: Number(row.last_seen)
}), findShelves = (sql, stateKey, step) => map2(
  sql`SELECT id, step FROM shelves WHERE state_key = ${encodeText(stateKey)} ORDER BY step`,
  (rows2) => rows2.filter((row) => step === void 0 || row.step === step)
), shelfFor = (sql, stateKey, step) => gen(function* () {
  let [known] = yield* findShelves(sql, stateKey, step);
  if (known !== void 0) return Number(known.id);
  yield* sql.onDialectOrElse({
    sqlite: () => sql`INSERT INTO shelves (id, state_key, step)
        SELECT coalesce(max(id), 0) + 1, ${encodeText(stateKey)}, ${step} FROM shelves`,
    orElse: () => sql`INSERT INTO shelves (state_key, step) VALUES (${encodeText(stateKey)}, ${step})`
  });
  let [made] = yield* findShelves(sql, stateKey, step);
  return Number(made?.id);
}), load = (sql, stateKey, step) => map2(
  sql`SELECT key, value, first_seen, last_seen FROM state WHERE shelf =
      (SELECT id FROM shelves WHERE state_key = ${encodeText(stateKey)} AND step = ${step}) ORDER BY key`,
  (rows2) => rows2.map(toEntry)
), upsert = make2({
  before: "INSERT INTO state (shelf, key, value, first_seen, last_seen) VALUES ",
  row: (own) => `($1, ${own})`,
  after: ` ON CONFLICT (shelf, fingerprint(key)) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen,
    first_seen = CASE WHEN excluded.first_seen < state.first_seen THEN excluded.first_seen ELSE state.first_seen END`,
  shared: 1,
  width: 4
}), putEntries = (sql, shelf, entries) => upsert(sql, [shelf], [...new Map(entries.map((entry) => [entry.key, entry])).values()], (entry) => [
  encodeText(entry.key),
  toText(entry.value),
  entry.firstSeen,
  entry.lastSeen
]), putRecords = (sql, stateKey, entries) => forEach(
  new Set(entries.map(({ step }) => step)),
  (step) => flatMap(
    shelfFor(sql, stateKey, step),
    (shelf) => putEntries(
      sql,
      shelf,
      entries.filter((entry) => entry.step === step)
    )
  ),
  { discard: !0 }
), deleteEmptyShelves = (sql, stateKey) => sql`DELETE FROM shelves WHERE state_key = ${encodeText(stateKey)}
  AND NOT EXISTS (SELECT 1 FROM state WHERE state.shelf = shelves.id)`, removeEntry = (sql, stateKey, step, key) => gen(function* () {
  for (let { id } of yield* findShelves(sql, stateKey, step))
    yield* sql`DELETE FROM state WHERE shelf = ${id}
        AND ${fingerprintOf(sql, "key")} = ${fingerprintOfText(sql, encodeText(key))}`;
  yield* deleteEmptyShelves(sql, stateKey);
}), expire = (sql, run, stateKey, step, lastSeenBefore) => gen(function* () {
  for (let { id } of yield* findShelves(sql, stateKey, step))
    yield* sql`DELETE FROM state WHERE shelf = ${id} AND last_seen < ${lastSeenBefore} AND key NOT IN
        (SELECT key FROM held WHERE state_key = ${encodeText(stateKey)} AND step = ${step}
        UNION ALL SELECT key FROM staged WHERE station IN
          (SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}))`;
  yield* deleteEmptyShelves(sql, stateKey);
}), clearEntries = (sql, stateKey, { lastSeenBefore, step }) => gen(function* () {
  let removed = 0;
  for (let { id } of yield* findShelves(sql, stateKey, step)) {
    let old = lastSeenBefore === void 0 ? sql`1 = 1` : sql`last_seen < ${lastSeenBefore}`, [row] = yield* sql`SELECT count(*) AS n FROM state WHERE shelf = ${id} AND ${old}`;
    removed += Number(row?.n ?? 0), yield* sql`DELETE FROM state WHERE shelf = ${id} AND ${old}`;
  }
  return yield* deleteEmptyShelves(sql, stateKey), removed;
}), lockName = (stateKey) => `state ${stateKey}`, entriesPerPage = 1e3, make6 = (connection) => {
  let { place, sql } = connection, isCut = needsFingerprints(sql), order = sql.literal(isCut ? "left(key, 200), key" : "key"), from = (after) => isCut ? sql`AND left(key, 200) >= left(${after}, 200)` : sql.literal(""), page = (shelf, after) => after === void 0 ? sql`SELECT * FROM state WHERE shelf = ${shelf} ORDER BY ${order} LIMIT ${entriesPerPage}` : sql`SELECT * FROM state WHERE shelf = ${shelf} AND key > ${after} ${from(after)}
          ORDER BY ${order} LIMIT ${entriesPerPage}`, entriesOf = (stateKey) => (shelf) => paginateChunkEffect(
    void 0,
    (after) => page(shelf.id, after).pipe(
      reading(connection, `reading the state ${stateKey}`),
      map2((rows2) => [
        unsafeFromArray(rows2.map((row) => ({ step: shelf.step, ...toEntry(row) }))),
        rows2.length < entriesPerPage ? none() : fromNullable(rows2.at(-1)?.key)
      ])
    )
  ), changing = (keys, change) => gen(function* () {
    let { fence } = yield* acquire(connection, keys.map(lockName));
    return yield* zipRight(fence, flatMap(currentTimeMillis, change)).pipe(
      writing(connection, `changing the state ${keys.join(" and ")}`)
    );
  }).pipe(scoped);
  return {
    list: sql`
      SELECT shelves.state_key AS state_key, shelves.step AS step, count(state.key) AS entries,
        min(state.first_seen) AS first, max(state.last_seen) AS last
      FROM shelves LEFT JOIN state ON state.shelf = shelves.id
      GROUP BY shelves.id, shelves.state_key, shelves.step ORDER BY shelves.state_key, shelves.step`.pipe(
      map2(
        (rows2) => rows2.map((row) => ({
          stateKey: decodeText(row.state_key),
          step: row.step,
          entries: Number(row.entries),
          firstSeen: row.first === null ? void 0 : Number(row.first),
          lastSeen: row.last === null ? void 0 : Number(row.last)
        }))
      ),
      reading(connection, "listing the state")
    ),
    entries: (stateKey, step) => findShelves(sql, stateKey, step).pipe(
      reading(connection, `reading the state ${stateKey}`),
      map2((shelves) => flatMap2(fromIterable2(shelves), entriesOf(stateKey))),
      unwrap
    ),
    get: (stateKey, step, key) => gen(function* () {
      let [shelf] = yield* findShelves(sql, stateKey, step);
      if (shelf === void 0) return;
      let [row] = yield* sql`SELECT * FROM state
          WHERE shelf = ${shelf.id} AND ${fingerprintOf(sql, "key")} = ${fingerprintOfText(sql, encodeText(key))}`;
      return row === void 0 ? void 0 : toEntry(row);
    }).pipe(reading(connection, `reading the state ${stateKey}`)),
    set: (stateKey, step, key, value) => changing(
      [stateKey],
      (now) => gen(function* () {
        if (value === void 0) return yield* removeEntry(sql, stateKey, step, key);
        let shelf = yield* shelfFor(sql, stateKey, step);
        yield* putEntries(sql, shelf, [{ key, value, firstSeen: now, lastSeen: now }]);
      })
    ),
    clear: (stateKey, which = {}) => changing([stateKey], () => clearEntries(sql, stateKey, which)),
    move: (from2, to) => changing(
      [from2, to],
      () => gen(function* () {
        let doing = `moving the state ${from2} to ${to}`;
        if ((yield* findShelves(sql, from2)).length === 0)
          return yield* new LedgerError({ place, doing, reason: `there is no state under ${from2}` });
        if ((yield* findShelves(sql, to)).length > 0)
          return yield* new LedgerError({
            place,
            doing,
            reason: `there is a state under ${to} already; clear it first`
          });
        yield* sql`UPDATE shelves SET state_key = ${encodeText(to)} WHERE state_key = ${encodeText(from2)}`;
      })
    ),
    import: (stateKey, entries) => gen(function* () {
      let { fence } = yield* acquire(connection, [lockName(stateKey)]);
      return yield* runFoldEffect(
        grouped(entries, entriesPerPage),
        0,
        (sum, chunk) => zipRight(fence, putRecords(sql, stateKey, toReadonlyArray(chunk))).pipe(
          writing(connection, `importing into the state ${stateKey}`),
          as(sum + chunk.length)
        )
      );
    }).pipe(scoped)
  };
};

// src/Ledger/Journal.ts
var make7 = (connection, run, locks) => gen(function* () {
  let { sql } = connection, { id, stateKey } = run, read = (what, effect) => reading(connection, `reading ${what} of run ${id}`)(effect), write = (what, effect) => locks.fence.pipe(
    zipRight(flatMap(currentTimeMillis, effect)),
    writing(connection, `writing ${what} of run ${id}`)
  ), last = yield* read("the last numbers", lastNumbers(connection, id)), takeNumbers = (kind, rows2) => {
    let before = last[kind];
    return last[kind] += rows2.length, before;
  }, recordCall = make4(
    (calls) => write(
      "answers",
      (now) => gen(function* () {
        let spent = yield* putCalls(sql, id, calls, now);
        yield* addSpent(sql, run.pipeline, now, spent.credits, spent.unpriced), yield* release(
          sql,
          id,
          calls.flatMap(({ reservation }) => reservation ?? [])
        );
        let pages = calls.flatMap(({ page, step }) => page === void 0 ? [] : [{ step, page }]);
        yield* putPages(sql, id, takeNumbers("pages", pages), pages, now);
      })
    )
  ), claim = (replayed) => gen(function* () {
    if (!(yield* claimRejects(sql, replayed, id))) {
      let reason = "another run has replayed some of them in the meantime; this one has done nothing";
      return yield* new LedgerError({
        place: connection.place,
        doing: `replaying the rejects of run ${replayed.of}`,
        reason
      });
    }
    return stateKey === void 0 ? [] : yield* takeReplayedState(sql, id, replayed.of, stateKey);
  }), checkpoint = (now, all3) => gen(function* () {
    for (let { changes, step } of all3.steps) yield* saveStep(sql, id, step, changes);
    yield* putPages(sql, id, takeNumbers("pages", all3.pages), all3.pages, now), yield* putRejects(sql, id, takeNumbers("rejects", all3.rejects), all3.rejects);
    let replayed = all3.replayClaim === void 0 ? [] : yield* claim(all3.replayClaim);
    if (stateKey !== void 0) {
      let staged = [...replayed, ...all3.state];
      yield* stage(sql, id, takeNumbers("staged", staged), staged, now), yield* dropStaged(sql, id, all3.deferredRows ?? []);
    }
    yield* dropAnswers(sql, id, all3.resolvedCalls), yield* addSpent(sql, run.pipeline, now, all3.jobCredits - last.credits, all3.jobUnpriced - last.unpriced), yield* updateReservations(sql, id, all3.reservations ?? []), yield* sql`UPDATE runs SET status = CASE WHEN status = 'publishing' THEN status ELSE 'running' END,
          progress = ${toText(all3.progress)}, row_count = ${all3.rows},
          reject_count = ${all3.rejectCount}, job_credits = ${all3.jobCredits}, job_unpriced = ${all3.jobUnpriced},
          job_pages = ${all3.jobPages ?? 0}, output_rows = ${all3.outputRows ?? 0}, bytes = ${all3.bytes ?? 0}, updated_at = ${now} WHERE id = ${id} AND status <> 'completed'`;
  }), complete = (now, outputs, expiry, note) => gen(function* () {
    if (stateKey !== void 0) {
      yield* applyStaged(sql, id, stateKey);
      let { after = 0, steps: steps2 = [] } = expiry ?? {};
      for (let step of steps2) yield* expire(sql, id, stateKey, step, now - after);
    }
    yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`, yield* sql`DELETE FROM reservations WHERE run_id = ${id}`, yield* sql`UPDATE run_texts SET sealed = NULL, outputs = ${outputs} WHERE run_id = ${id}`, yield* sql`UPDATE runs SET status = 'completed', error = ${note === void 0 ? null : encodeText(note)},
          updated_at = ${now}, ended_at = ${now}
          WHERE id = ${id}`;
  });
  return {
    savedState: (step) => read(`the saved state of step ${step}`, loadStep(sql, id, step)),
    answers: read("the answers", loadAnswers(sql, id)),
    booked: read("the bookings", bookedTotals(sql, id)),
    recordCall,
    reserve: ({ decide, id: reservation, mine, scope }) => write("a reservation", () => reserve(connection, id, reservation, scope, mine, decide)),
    release: (reservation) => write("a reservation", () => release(sql, id, [reservation])),
    checkpoint: (all3) => write("a checkpoint", (now) => checkpoint(now, all3)).pipe(
      tap(() => {
        last.credits = all3.jobCredits, last.unpriced = all3.jobUnpriced;
      }),
      uninterruptible
    ),
    recordSealed: (sealed) => write(
      "the sealed files",
      (now) => zipRight(
        sql`UPDATE run_texts SET sealed = ${JSON.stringify(sealed)} WHERE run_id = ${id}`,
        sql`UPDATE runs SET status = 'publishing', updated_at = ${now} WHERE id = ${id}`
      )
    ),
    sealed: read(
      "the sealed files",
      flatMap(
        sql`SELECT sealed FROM run_texts WHERE run_id = ${id}`,
        ([row]) => row === void 0 || row.sealed === null ? succeed(void 0) : decodeSealed(connection, `the sealed files of run ${id}`, row.sealed)
      )
    ),
    complete: (outputs, expiry, note) => zipLeft(
      write("the end", (now) => complete(now, toText(outputs), expiry, note)),
      // The run is completed even if this fails. The next run that completes deletes the rest.
      ignoreLogged(deleteLeftovers(connection))
    ),
    end: (status, error) => write(
      "the end",
      (now) => sql`UPDATE runs SET status = ${status}, error = ${error === void 0 ? null : encodeText(error)},
            updated_at = ${now}, ended_at = ${now} WHERE id = ${id} AND status <> 'completed'`
    ),
    state: (step) => stateKey === void 0 ? succeed([]) : read(`the state for step ${step}`, load(sql, stateKey, step)),
    presentPages: read("the pages", presentPages(sql, id)),
    hasSeenAny: (under, keys) => read("pages of earlier runs", hasSeenAny(sql, id, under, keys)),
    failedPages: (jobId) => read("the pages of a job", failedPages(sql, id, jobId)),
    lockLost: locks.lockLost,
    verifyLocks: locks.verify
  };
}), lastNumbers = ({ sql }, run) => map2(
  sql`
      SELECT (SELECT max(seq) FROM pages WHERE run_id = ${run}) AS pages,
        (SELECT max(seq) FROM rejects WHERE run_id = ${run}) AS rejects,
        (SELECT max(seq) FROM staged WHERE station IN (SELECT id FROM stations WHERE run_id = ${run})) AS staged,
        job_credits AS credits, job_unpriced AS unpriced FROM runs WHERE id = ${run}`,
  ([row]) => ({
    pages: Number(row?.pages ?? 0),
    rejects: Number(row?.rejects ?? 0),
    staged: Number(row?.staged ?? 0),
    credits: Number(row?.credits ?? 0),
    unpriced: Number(row?.unpriced ?? 0)
  })
), stepNumber = (sql, run, step) => gen(function* () {
  let find2 = sql`SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}`, [known] = yield* find2;
  if (known !== void 0) return Number(known.id);
  yield* sql.onDialectOrElse({
    // SQLite has one writer at a time. Postgres generates the number.
    sqlite: () => sql`INSERT INTO stations (id, run_id, step)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step} FROM stations`,
    orElse: () => sql`INSERT INTO stations (run_id, step) VALUES (${run}, ${step})`
  });
  let [made] = yield* find2;
  return Number(made?.id);
}), saveStep = (sql, run, step, { entries = [], value }) => gen(function* () {
  if (value === void 0 && entries.length === 0) return;
  let station = yield* stepNumber(sql, run, step);
  value !== void 0 && (yield* sql`UPDATE stations SET value = ${toText(value)} WHERE id = ${station}`), yield* applyEntries(sql, station, entries);
}), putEntries2 = make2({
  before: "INSERT INTO entries (station, key, value) VALUES ",
  row: (own) => `($1, ${own})`,
  after: " ON CONFLICT (station, fingerprint(key)) DO UPDATE SET value = excluded.value",
  shared: 1,
  width: 2
}), deleteEntries = make2({
  before: "DELETE FROM entries WHERE station = $1 AND fingerprint(key) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 1,
  width: 1
}), entriesPerBatch = 4096, applyEntries = (sql, station, entries) => {
  let at = 0;
  return whileLoop({
    while: () => at < entries.length,
    body: () => {
      let last = new Map(entries.slice(at, at + entriesPerBatch));
      at += entriesPerBatch;
      let deleted = [], updated = [];
      for (let [key, value] of last)
        value === void 0 ? deleted.push(encodeText(key)) : updated.push([encodeText(key), toText(value)]);
      return zipRight(
        deleteEntries(sql, [station], deleted, (key) => [key]),
        putEntries2(sql, [station], updated, (entry) => entry)
      );
    },
    step: () => {
    }
  });
}, loadStep = (sql, run, step) => gen(function* () {
  let [station] = yield* sql`SELECT id, value FROM stations
      WHERE run_id = ${run} AND step = ${step}`;
  if (station === void 0) return { value: void 0, entries: [] };
  let rows2 = yield* sql`SELECT key, value FROM entries
      WHERE station = ${station.id} ORDER BY key`;
  return {
    value: station.value === null ? void 0 : fromText(station.value),
    entries: rows2.map(({ key, value }) => [decodeText(key), fromText(value)])
  };
}), rowsPerDelete = 2e4, deleteLeftovers = (connection) => gen(function* () {
  let { sql } = connection, deleting = writing(connection, "deleting saved state of completed runs"), over = sql`SELECT id FROM stations WHERE NOT EXISTS
      (SELECT 1 FROM runs WHERE runs.id = stations.run_id AND runs.status <> 'completed')`;
  for (let { id } of yield* over) {
    let isOver = sql`${id} NOT IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
        WHERE runs.status <> 'completed')`;
    for (let table of [sql("entries"), sql("staged")]) {
      let some = sql`SELECT key FROM ${table} WHERE station = ${id} LIMIT ${rowsPerDelete}`;
      for (; (yield* sql`SELECT 1 AS one FROM ${table} WHERE station = ${id} AND ${isOver} LIMIT 1`).length > 0; )
        yield* deleting(sql`DELETE FROM ${table} WHERE station = ${id} AND ${isOver} AND key IN (${some})`);
    }
    yield* deleting(sql`DELETE FROM stations WHERE id = ${id} AND ${isOver}`);
  }
}).pipe(reading(connection, "looking for saved state of completed runs")), priceKind = ({ credits }) => credits === void 0 ? "none" : credits === null ? "unknown" : "known", putCalls = (sql, run, calls, now) => gen(function* () {
  let credits = 0, unpriced = 0;
  for (let call of calls)
    call.credits === null && unpriced++, credits += call.credits ?? 0, yield* sql`INSERT INTO calls ${sql.insert({
      run_id: run,
      step: call.step,
      mark: encodeText(call.mark),
      answer: toText(call.answer),
      credits: call.credits ?? null,
      price: priceKind(call),
      page_key: call.page === void 0 ? null : encodeText(call.page.key),
      at: now
    })} ON CONFLICT (run_id, step, ${fingerprintOf(sql, "mark")}) DO UPDATE SET answer = excluded.answer, page_key = excluded.page_key,
        credits = coalesce(calls.credits, 0) + coalesce(excluded.credits, 0), price = excluded.price, at = excluded.at`;
  let pages = calls.reduce((sum, { page, pages: pages2 = page === void 0 ? 0 : 1 }) => sum + pages2, 0);
  return yield* sql`UPDATE runs SET call_credits = call_credits + ${credits}, call_unpriced = call_unpriced + ${unpriced},
      call_pages = call_pages + ${pages}, updated_at = ${now} WHERE id = ${run}`, { credits, unpriced };
}), clearAnswers = make2({
  before: "UPDATE calls SET answer = NULL WHERE run_id = $1 AND step = $2 AND fingerprint(mark) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 2,
  width: 1
}), dropAnswers = (sql, run, marks) => {
  let steps2 = /* @__PURE__ */ new Map();
  for (let { mark, step } of marks) {
    let known = steps2.get(step);
    known === void 0 ? steps2.set(step, [encodeText(mark)]) : known.push(encodeText(mark));
  }
  return forEach(steps2, ([step, all3]) => clearAnswers(sql, [run, step], all3, (mark) => [mark]), {
    discard: !0
  });
}, loadAnswers = (sql, run) => map2(
  sql`SELECT step, mark, answer FROM calls
      WHERE run_id = ${run} AND answer IS NOT NULL`,
  (rows2) => {
    let steps2 = /* @__PURE__ */ new Map();
    for (let { answer, mark, step } of rows2) {
      let known = steps2.get(step) ?? /* @__PURE__ */ new Map();
      steps2.set(step, known.set(decodeText(mark), fromText(answer)));
    }
    return steps2;
  }
), bookedTotals = (sql, run) => map2(
  sql`SELECT call_credits, call_unpriced,
      call_pages FROM runs WHERE id = ${run}`,
  ([row]) => ({
    credits: Number(row?.call_credits ?? 0),
    unpriced: Number(row?.call_unpriced ?? 0),
    pages: Number(row?.call_pages ?? 0)
  })
), insertStaged = make2({
  before: "INSERT INTO staged (station, at, seq, key, row_key, value) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 4
}), stage = (sql, run, last, changes, now) => {
  let steps2 = /* @__PURE__ */ new Map();
  for (let [index, { change, step }] of changes.entries()) {
    let known = steps2.get(step) ?? [];
    steps2.set(step, known), known.push([last + index + 1, change]);
  }
  return forEach(
    steps2,
    ([step, all3]) => flatMap(
      stepNumber(sql, run, step),
      (station) => insertStaged(sql, [station, now], all3, ([seq, { key, rowKey, value }]) => [
        seq,
        encodeText(key),
        encodeText(rowKey),
        value === void 0 ? null : toText(value)
      ])
    ),
    { discard: !0 }
  );
}, keysPerStatement2 = 500, dropStaged = (sql, run, rowKeys) => forEach(
  Array.from(
    { length: Math.ceil(rowKeys.length / keysPerStatement2) },
    (_, block) => rowKeys.slice(block * keysPerStatement2, (block + 1) * keysPerStatement2).map(encodeText)
  ),
  (keys) => sql`DELETE FROM staged WHERE station IN (SELECT id FROM stations WHERE run_id = ${run})
      AND ${sql.in("row_key", keys)}`,
  { discard: !0 }
), takeReplayedState = (sql, by, of, stateKey) => gen(function* () {
  let taken = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${of} AND replayed_by = ${by})`, staged = sql`${taken} AND station IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.id = ${of} AND runs.state_key = ${encodeText(stateKey)})`, held = sql`${taken} AND run_id = ${of} AND state_key = ${encodeText(stateKey)}`, rows2 = yield* sql`
      SELECT step, key, row_key, value FROM
        (SELECT step, key, row_key, value, seq FROM held WHERE ${held}
        UNION ALL SELECT stations.step, key, row_key, staged.value, seq
          FROM staged JOIN stations ON stations.id = staged.station WHERE ${staged}) AS theirs ORDER BY seq`;
  return yield* sql`DELETE FROM held WHERE ${held}`, yield* sql`DELETE FROM staged WHERE ${staged}`, rows2.map(({ key, row_key, step, value }) => ({
    step,
    change: {
      key: decodeText(key),
      rowKey: decodeText(row_key),
      value: value === null ? void 0 : fromText(value)
    }
  }));
}), applyStaged = (sql, run, stateKey) => gen(function* () {
  let mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`, rejected = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`;
  yield* sql`INSERT INTO held (run_id, state_key, step, key, seq, row_key, value)
      SELECT ${run}, ${encodeText(stateKey)}, stations.step, staged.key, staged.seq, staged.row_key, staged.value
      FROM staged JOIN stations ON stations.id = staged.station WHERE stations.run_id = ${run} AND ${rejected}`, yield* sql`DELETE FROM staged WHERE ${mine} AND ${rejected}`, yield* resolveRejects(sql, run, stateKey), yield* sql`DELETE FROM held WHERE state_key = ${encodeText(stateKey)} AND EXISTS
      (SELECT 1 FROM staged JOIN stations ON stations.id = staged.station
        WHERE stations.run_id = ${run} AND stations.step = held.step AND staged.key = held.key)`, yield* sql`DELETE FROM staged WHERE ${mine} AND seq <
      (SELECT max(later.seq) FROM staged AS later WHERE later.station = staged.station AND later.key = staged.key)`;
  let steps2 = yield* sql`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM staged WHERE staged.station = stations.id)`, print = fingerprintOf(sql, "key");
  for (let { id, step } of steps2) {
    let shelf = yield* shelfFor(sql, stateKey, step);
    yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
        SELECT ${shelf}, key, value, at, at FROM staged WHERE station = ${id} AND value IS NOT NULL
        ON CONFLICT (shelf, ${print}) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen
          WHERE excluded.last_seen >= state.last_seen`, yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND ${print} IN
        (SELECT ${print} FROM staged WHERE station = ${id} AND value IS NULL)`;
  }
}), resolveRejects = (sql, run, stateKey) => {
  let key = encodeText(stateKey), mine = sql`JOIN stations ON stations.run_id = ${run} AND stations.step = theirs.step
    JOIN staged ON staged.station = stations.id AND staged.key = theirs.key`, held = sql`SELECT theirs.run_id, theirs.row_key FROM held AS theirs ${mine}
    WHERE theirs.state_key = ${key} AND theirs.run_id <> ${run}`, failed = sql`SELECT theirs.run_id, theirs.row_key FROM
    (SELECT runs.id AS run_id, own.step, changes.key, changes.row_key FROM runs
      JOIN stations AS own ON own.run_id = runs.id JOIN staged AS changes ON changes.station = own.id
      WHERE runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run}) AS theirs ${mine}`;
  return sql`UPDATE rejects SET replayed_by = ${run} WHERE replayed_by IS NULL
    AND (run_id, key) IN (${held} UNION ALL ${failed})`;
};

// src/Ledger/Retention.ts
var isShard = ({ group_id, id }, all3) => group_id !== null && decodeText(group_id) !== id && all3.has(decodeText(group_id)), isTrialFolder = (out, run) => /[/\\]trial[/\\][^/\\]+[/\\]([^/\\]+)$/.exec(out)?.[1] === run, spentRetention = 400 * 24 * 60 * 6e4, pathsIn = (value) => typeof value == "object" && value !== null && "path" in value && typeof value.path == "string" ? [value.path] : typeof value != "object" || value === null || !("files" in value) || !Array.isArray(value.files) ? [] : value.files.flatMap(
  (file) => typeof file == "object" && file !== null && "path" in file && typeof file.path == "string" ? [file.path] : []
), unpublishedFiles = ({ sql }, run) => gen(function* () {
  let values = (yield* sql`SELECT value FROM stations WHERE run_id = ${run} AND value IS NOT NULL
      UNION ALL SELECT entries.value FROM entries JOIN stations ON stations.id = entries.station
        WHERE stations.run_id = ${run} AND entries.key LIKE 'file %'
      UNION ALL SELECT sealed FROM run_texts WHERE run_id = ${run} AND sealed IS NOT NULL`).map(({ value }) => fromText(value));
  return [...new Set(values.flatMap((value) => Array.isArray(value) ? value : [value]).flatMap(pathsIn))];
}), deleteRun = (connection, { folder, id, out_folder, pipeline, status, updated_at }) => gen(function* () {
  let { sql } = connection, { fence } = yield* acquire(connection, [`run ${id}`]);
  return yield* gen(function* () {
    yield* fence;
    let [still] = yield* sql`SELECT id FROM runs WHERE id = ${id} AND updated_at = ${updated_at}`;
    if (still === void 0) return [];
    let deleted = {
      id,
      pipeline: decodeText(pipeline),
      status,
      folder: decodeText(folder),
      trial: isTrialFolder(decodeText(out_folder), id) ? decodeText(out_folder) : void 0,
      files: yield* unpublishedFiles(connection, id)
    }, [begun] = yield* sql`SELECT options FROM run_texts WHERE run_id = ${id}`, replayOf = begun && (yield* decodeOptions(connection, id, begun.options)).replayOf;
    replayOf !== void 0 && status !== "completed" && (yield* releaseRejects(sql, replayOf, id));
    for (let table of ["calls", "pages", "rejects", "held", "reservations", "run_texts"])
      yield* sql`DELETE FROM ${sql(table)} WHERE run_id = ${id}`;
    return yield* sql`DELETE FROM runs WHERE id = ${id}`, [deleted];
  }).pipe(writing(connection, `deleting run ${id}`));
}).pipe(
  scoped,
  catchTag("Locked", () => succeed([]))
), make8 = (connection) => {
  let { sql } = connection, shrink2 = shrink(sql).pipe(reading(connection, "returning free space"));
  return {
    runs: ({ before, keepLast }) => gen(function* () {
      let all3 = yield* sql`SELECT id, pipeline, status, folder, out_folder, updated_at, group_id
          FROM runs
          ORDER BY started_at DESC, id DESC`.pipe(reading(connection, "looking for old runs")), newest = /* @__PURE__ */ new Map(), ids = new Set(all3.map(({ id }) => id)), [runs, shards] = [all3.filter((each) => !isShard(each, ids)), all3.filter((each) => isShard(each, ids))], alive = new Set(shards.flatMap((each) => Number(each.updated_at) < before ? [] : [each.group_id])), expired = runs.filter(({ id, pipeline, updated_at }) => {
        let rank = newest.get(pipeline) ?? 0;
        return newest.set(pipeline, rank + 1), rank >= keepLast && Number(updated_at) < before && !alive.has(encodeText(id));
      }), expiredIds = new Set(expired.map(({ id }) => id)), old = [...shards.filter(({ group_id }) => expiredIds.has(decodeText(group_id ?? ""))), ...expired], deleted = yield* forEach(old, (run) => deleteRun(connection, run));
      return yield* sql`DELETE FROM spent WHERE slot < ${before - spentRetention}`.pipe(
        zipRight(deleteUnusedRates(connection)),
        writing(connection, "deleting old credits")
      ), yield* deleteLeftovers(connection), yield* shrink2, deleted.flat();
    }),
    pages: (before) => gen(function* () {
      let old = sql`at < ${before} AND run_id IN (SELECT id FROM runs WHERE status = 'completed')`, [row] = yield* sql`SELECT count(*) AS n FROM pages WHERE ${old}`;
      return yield* sql`DELETE FROM pages WHERE ${old}`, Number(row?.n ?? 0);
    }).pipe(writing(connection, "deleting old pages"), zipLeft(shrink2))
  };
};

// src/Ledger/Service.ts
var Ledger = class extends Tag("sluice/Ledger")() {
}, open = (connection, run) => gen(function* () {
  let { id, stateKey } = run, names = [`run ${id}`, ...stateKey === void 0 ? [] : [lockName(stateKey)]], locks = yield* acquire(connection, names);
  return yield* zipRight(locks.fence, start(connection, run)).pipe(writing(connection, `starting run ${id}`)), yield* make7(connection, run, locks);
}), make9 = (connection) => ({
  connection,
  place: connection.place,
  isShared: connection.isShared,
  open: (run) => open(connection, run),
  find: (id) => find(connection, id).pipe(reading(connection, `looking for run ${id}`)),
  creditsSince: (pipeline, since) => creditsSince(connection.sql, pipeline, since).pipe(
    reading(connection, `adding up the credits of ${pipeline}`)
  ),
  history: make3(connection),
  states: make6(connection),
  retention: make8(connection),
  sharedLimits: make5(connection)
});

export {
  LedgerError,
  notOpened,
  Locked,
  migrations,
  reading,
  writing,
  acquire,
  heldNames,
  padShard,
  splitOf,
  shardOf,
  offsetOfPart,
  decodeOptions,
  decodeProgress,
  start,
  toPage,
  toReject,
  make4 as make,
  Usage,
  Ledger,
  make9 as make2
};
