import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  decodeText,
  encodeText,
  fingerprintFunction,
  fingerprintOf,
  fingerprintOfText,
  isSqlError,
  make,
  needsFingerprints,
  nextTurn,
  reasonOf,
  shrink
} from "./lib-UHVBXRJH.js";
import {
  canParse
} from "./lib-GGME65E2.js";

// src/TypedError/ExitCode.ts
var ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  tooManyRejects: 3,
  /** The budget is used up; the run can be resumed. */
  budgetReached: 4,
  /** Another process works on it. */
  locked: 5,
  /** A check, a test or a pin does not hold. */
  checkFailed: 6,
  /** A definition or a setting is invalid. */
  invalid: 78,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143
};

// src/TypedError.ts
import * as Data from "effect/Data";
var TypedError = (tag, declared) => {
  class Typed extends Data.TaggedError(tag) {
    get scope() {
      return declared.scope;
    }
    get exitCode() {
      return declared.exitCode ?? ExitCode.failed;
    }
  }
  return Typed;
};

// src/Ledger/LedgerErrors.ts
var LedgerError = class extends TypedError("LedgerError", { scope: "run" }) {
  get message() {
    return `the ledger ${this.place} failed while ${this.doing}: ${this.reason}`;
  }
};
var notOpened = ({ cause, file, reason }) => new LedgerError({ place: file, doing: "being opened", reason, cause });
var Locked = class extends TypedError("Locked", { scope: "run", exitCode: ExitCode.locked }) {
  get message() {
    return `${this.name} is being worked on by ${this.owner}, whose last heartbeat was ${Math.round(this.beat / 1e3)} s ago. Wait for it to end, or stop it.`;
  }
};

// src/Ledger/Schema.ts
import * as Effect from "effect/Effect";
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
];
var indexes = [
  "runs_pipeline ON runs (pipeline, started_at)",
  "runs_started ON runs (started_at)",
  "pages_key ON pages (key, at)",
  "rejects_key ON rejects (run_id, key)",
  "held_key ON held (state_key, step, key)"
];
var scheduleTables = [
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
];
var scheduleIndexes = [
  "instants_open ON instants (pipeline, instant) WHERE ended_at IS NULL",
  "instants_time ON instants (instant)",
  "notices_next ON notices (next_at) WHERE next_at IS NOT NULL",
  "notices_made ON notices (made_at)"
];
var postgresIndexes = {
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
};
var createTable = (sql, table) => `CREATE TABLE ${sql.onDialectOrElse({
  // Half the space, and deletes take a fifth of the time.
  sqlite: () => `${table}${table.startsWith("calls") ? "" : " WITHOUT ROWID"}`,
  pg: () => table.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replace("(id BIGINT PRIMARY KEY", "(id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY").replace(/, PRIMARY KEY \((?:station|shelf), key\)|, PRIMARY KEY \(run_id, step, mark\)/, "").replace(", key, seq))", ", seq))"),
  orElse: () => table
})}`;
var create = (sql, tables2, indexes2) => Effect.forEach(
  [...tables2.map((table) => createTable(sql, table)), ...indexes2.map((index) => `CREATE INDEX ${index}`)],
  (text) => sql.unsafe(text),
  { discard: true }
);
var migrations = [
  {
    version: 1,
    name: "ledger",
    up: (sql) => sql.onDialectOrElse({
      sqlite: () => create(sql, tables, indexes),
      orElse: () => Effect.all([
        sql.unsafe(fingerprintFunction),
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
    up: (sql) => Effect.zipRight(
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
    up: (sql) => Effect.zipRight(
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
    up: (sql) => Effect.zipRight(
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
    up: (sql) => Effect.forEach(
      [
        "ALTER TABLE runs ADD COLUMN output_rows BIGINT NOT NULL DEFAULT 0",
        "UPDATE runs SET output_rows = row_count WHERE group_id IS NOT NULL",
        "ALTER TABLE reservations ADD COLUMN output_rows BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE reservations ADD COLUMN output_bytes BIGINT NOT NULL DEFAULT 0"
      ],
      (text) => sql.unsafe(text),
      { discard: true }
    )
  }
];

// src/Row/SavedValue.ts
import * as Either from "effect/Either";
import * as ParseResult from "effect/ParseResult";
import * as Schema from "effect/Schema";

// src/Row/Hash.ts
import { hash } from "node:crypto";
var sha256 = (text) => hash("sha256", text, "hex");

// src/Row/Url.ts
var trackingParameter = /^(utm_.*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|mc_[ce]id|igshid|yclid|twclid|ttclid|li_fat_id|_ga|_gl|_hs(enc|mi)|__hs(tc|sc|fp)|mkt_tok|oly_(anon|enc)_id|vero_id|wickedid)$/i;
var maxLength = 65536;
var parse = (text) => {
  const url = text.length <= maxLength && canParse(text) ? new URL(text) : void 0;
  return url !== void 0 && (url.protocol === "http:" || url.protocol === "https:") ? url : void 0;
};
var nameOf = (url) => url.hostname.replace(/\.+$/, "");
var normalizeEscapes = (text) => text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/%[0-9a-f]{2}/gi, (escape) => {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
});
var canonicalPath = (path) => {
  const text = normalizeEscapes(path);
  let end = text.length;
  for (; ; ) {
    const name = [10, 11].find((length) => end >= length && /^\/index\.html?$/.test(text.slice(end - length, end)));
    if (name !== void 0) end -= name;
    else if (text.charCodeAt(end - 1) === 47) end--;
    else return end === 0 ? "/" : text.slice(0, end);
  }
};
var parameterName = (parameter) => parameter.split("=", 1)[0] ?? "";
var canonicalQuery = (search) => {
  const parameters = normalizeEscapes(search.slice(1)).split("&").filter((parameter) => parameter !== "" && !trackingParameter.test(parameterName(parameter))).map((parameter) => ({ name: parameterName(parameter), parameter })).sort((one, other) => one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
  return parameters.length === 0 ? "" : `?${parameters.map(({ parameter }) => parameter).join("&")}`;
};
var canonicalUrl = (text) => {
  const url = parse(text);
  if (url === void 0) return void 0;
  const name = nameOf(url);
  if (name === "") return void 0;
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${name}${port}${canonicalPath(url.pathname)}${canonicalQuery(url.search)}`;
};
var urlVariants = (text) => {
  const canonical = canonicalUrl(text);
  if (canonical === void 0) return [text];
  const rest = canonical.replace(/^https?:\/\/(?:www\.)?/, "");
  return ["http://", "https://", "http://www.", "https://www."].map((start2) => start2 + rest);
};
var host = (text) => {
  const url = parse(text);
  return url === void 0 ? void 0 : nameOf(url) || void 0;
};

// src/Row.ts
var addressOf = (data) => {
  if (typeof data.url === "string") return data.url;
  const metadata = data.metadata;
  if (typeof metadata !== "object" || metadata === null) return void 0;
  const { sourceURL, url } = metadata;
  return typeof sourceURL === "string" ? sourceURL : typeof url === "string" ? url : void 0;
};
var keyOf = (row) => {
  if (row.key !== void 0) return row.key;
  if (row.derivedKey !== void 0) return row.derivedKey;
  const { data } = row.origin ?? row;
  const address = addressOf(data);
  return (address === void 0 ? void 0 : canonicalUrl(address)) ?? sha256(JSON.stringify(data));
};
var withData = (row, data) => {
  const { derivedKey, key, jobId, origin = row, position, source } = row;
  return { data, key, derivedKey, source, origin, position, jobId };
};
var toJson = (row) => ({
  data: row.data,
  key: row.key,
  derivedKey: row.key === void 0 ? keyOf(row) : void 0,
  source: row.source,
  position: row.position,
  jobId: row.jobId
});
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var isOptional = (value, type) => value === void 0 || typeof value === type;
var isRow = (value) => isObject(value) && isObject(value.data) && isOptional(value.key, "string") && isOptional(value.derivedKey, "string") && isOptional(value.position, "number") && isOptional(value.jobId, "string") && (value.source === void 0 || isObject(value.source));

// src/Row/SavedValue.ts
var SavedValueInvalid = class extends TypedError("SavedValueInvalid", { scope: "run" }) {
  get message() {
    return `${this.place} was saved in a shape that this version cannot read: ${this.problem}. Start the run again instead of resuming it.`;
  }
};
var JsonValue = Schema.declare((value) => value !== void 0, {
  title: "JSON"
});
var SavedRow = Schema.declare(isRow, { title: "a row" });
var firstProblem = (error) => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error);
  if (issue === void 0) return error.message;
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join(".")}: ${issue.message}`;
};
var decodeSaved = (schema) => {
  const decode = Schema.decodeUnknownEither(schema);
  return (place, value) => Either.mapLeft(decode(value), (error) => new SavedValueInvalid({ place, problem: firstProblem(error) }));
};

// src/Ledger/Service.ts
import * as Context from "effect/Context";
import * as Effect12 from "effect/Effect";

// src/Ledger/Connection.ts
import * as Effect2 from "effect/Effect";
import * as Either2 from "effect/Either";
import * as Schema2 from "effect/Schema";
var describeFailure = ({ place }, doing) => (effect) => Effect2.mapError(
  effect,
  (error) => isSqlError(error) ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error }) : error
);
var reading = (connection, doing) => (effect) => describeFailure(connection, doing)(connection.retryRead(effect));
var writing = (connection, doing) => (effect) => effect.pipe(connection.sql.withTransaction, describeFailure(connection, doing), Effect2.uninterruptible);
var decoding = (schema) => {
  const decode = decodeSaved(Schema2.parseJson(schema));
  return ({ place }, what, text) => Either2.mapLeft(
    decode(what, text),
    (cause) => new LedgerError({ place, doing: `reading ${what}`, reason: cause.problem, cause })
  );
};
var toText = (json) => JSON.stringify(json ?? null);
var fromText = (text) => JSON.parse(text);

// src/Ledger/History.ts
import * as Chunk from "effect/Chunk";
import * as Effect6 from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

// src/Ledger/Locks.ts
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect3 from "effect/Effect";
import * as Schedule from "effect/Schedule";
var ownersHere = /* @__PURE__ */ new Set();
var isZombie = (pid) => {
  if (process.platform !== "linux") return false;
  const stat = Effect3.runSync(Effect3.option(Effect3.try(() => readFileSync(`/proc/${pid}/stat`, "latin1"))));
  return stat._tag === "Some" && /^[ZX]/.test(stat.value.slice(stat.value.lastIndexOf(")") + 2));
};
var hasExited = (pid) => {
  const asked = Effect3.runSync(Effect3.either(Effect3.try(() => process.kill(pid, 0))));
  return asked._tag === "Left" ? asked.left.error.code === "ESRCH" : isZombie(pid);
};
var hasEnded = (row, host2) => row.host === host2 && !ownersHere.has(row.owner) && (Number(row.pid) === process.pid || hasExited(Number(row.pid)));
var silence = ({ last_beat, now }) => Math.max(0, Number(now) - Number(last_beat));
var isDead = (row, { host: host2, heartbeat }) => silence(row) > heartbeat.timeout || hasEnded(row, host2);
var rows = ({ heartbeat, sql }, name) => Effect3.flatMap(
  heartbeat.now,
  (now) => sql`SELECT name, owner, host, pid, beat, ${heartbeat.lastBeat} AS last_beat, ${now} AS now FROM locks
      WHERE ${name === void 0 ? sql`1 = 1` : sql`name = ${name}`}`
);
var abandonedAfter = 864e5;
var deleteAbandoned = (connection) => Effect3.flatMap(
  rows(connection),
  (all4) => Effect3.forEach(
    all4.filter(
      (row) => hasEnded(row, connection.host) || silence(row) > Math.max(abandonedAfter, connection.heartbeat.timeout)
    ),
    ({ beat, name, owner }) => connection.sql`DELETE FROM locks WHERE name = ${name} AND owner = ${owner} AND beat = ${beat}`,
    { discard: true }
  )
);
var describeOwner = ({ host: host2, pid }) => `process ${pid} on ${host2.replace(/\/.*$/, "")}`;
var acquireOne = (connection, name, owner) => Effect3.gen(function* () {
  const { host: host2, heartbeat, sql } = connection;
  const now = yield* heartbeat.now;
  const made = yield* sql`INSERT INTO locks (name, owner, host, pid, since, beat)
      VALUES (${name}, ${owner}, ${host2}, ${process.pid}, ${now}, ${now}) ON CONFLICT (name) DO NOTHING RETURNING name`;
  if (made.length > 0) return;
  const [row] = yield* rows(connection, name);
  if (row !== void 0 && isDead(row, connection)) {
    const taken = yield* sql`UPDATE locks SET owner = ${owner}, host = ${host2}, pid = ${process.pid}, since = ${now},
        beat = ${now} WHERE name = ${name} AND owner = ${row.owner} AND beat = ${row.beat} RETURNING name`;
    if (taken.length > 0) return;
  }
  const owned = row === void 0 ? "a process that has just released it" : describeOwner(row);
  return yield* new Locked({ name, owner: owned, beat: row === void 0 ? 0 : silence(row) });
});
var acquire = (connection, wanted) => Effect3.gen(function* () {
  const { place, heartbeat, sql } = connection;
  const names = [...new Set(wanted)].toSorted();
  const owner = randomUUID();
  const lost = yield* Deferred.make();
  const removeOwner = Effect3.sync(() => ownersHere.delete(owner));
  yield* Effect3.acquireRelease(
    Effect3.suspend(() => {
      ownersHere.add(owner);
      return Effect3.zipRight(
        deleteAbandoned(connection),
        Effect3.forEach(names, (name) => acquireOne(connection, name, owner), { discard: true })
      );
    }).pipe(
      writing(connection, `locking ${names.join(" and ")}`),
      Effect3.onError(() => removeOwner)
    ),
    () => sql`DELETE FROM locks WHERE owner = ${owner}`.pipe(
      sql.withTransaction,
      Effect3.ignoreLogged,
      Effect3.ensuring(removeOwner)
    )
  );
  let lastRenewal = yield* Clock.currentTimeMillis;
  const fence = Effect3.gen(function* () {
    const asked = yield* Clock.currentTimeMillis;
    const now = yield* heartbeat.now;
    const kept = yield* sql`UPDATE locks SET beat = ${now} WHERE owner = ${owner} RETURNING name`;
    if (kept.length === names.length) {
      lastRenewal = asked;
      return;
    }
    const reason = "another process has taken this work over, because this one sent no heartbeat in time";
    yield* Deferred.fail(
      lost,
      new LedgerError({ place, doing: `keeping the lock on ${names.join(" and ")}`, reason })
    );
  }).pipe(
    Effect3.zipRight(
      Effect3.flatMap(Deferred.poll(lost), (found) => found._tag === "None" ? Effect3.void : found.value)
    )
  );
  yield* fence.pipe(
    sql.withTransaction,
    Effect3.ignore,
    Effect3.schedule(Schedule.spaced(heartbeat.interval)),
    Effect3.forkScoped
  );
  const verify = Effect3.flatMap(
    Clock.currentTimeMillis,
    (now) => now - lastRenewal < heartbeat.timeout ? Effect3.void : Effect3.asVoid(fence.pipe(writing(connection, `checking the lock on ${names.join(" and ")}`)))
  );
  return { fence, lockLost: Deferred.await(lost), verify };
});
var heldNames = (connection) => Effect3.map(
  rows(connection),
  (all4) => new Set(all4.filter((row) => !isDead(row, connection)).map(({ name }) => name))
).pipe(reading(connection, "looking for locks"));

// src/Ledger/Pages.ts
import * as Effect5 from "effect/Effect";

// src/Ledger/Runs.ts
import * as Clock2 from "effect/Clock";
import * as Effect4 from "effect/Effect";
import * as Either3 from "effect/Either";
import * as Schema5 from "effect/Schema";

// src/Step/Output.ts
import * as Schema3 from "effect/Schema";
var Output = Schema3.Struct({
  path: Schema3.String,
  format: Schema3.String,
  rows: Schema3.Number,
  /** On disk. */
  bytes: Schema3.Number,
  /** Of a trial: modification time in milliseconds since 1970. */
  modified: Schema3.optional(Schema3.Number)
});
var decodeOutputs = decodeSaved(Schema3.Array(Output));
var Original = Schema3.Struct({
  size: Schema3.Number,
  /** Milliseconds since 1970. */
  modified: Schema3.Number,
  inode: Schema3.Number,
  /** True when its rows are those of a trial: a real run that appends replaces the file. */
  isOfTrial: Schema3.optional(Schema3.Boolean)
});
var Ready = Schema3.Struct({
  ...Output.fields,
  partial: Schema3.String,
  /** The file behind `path` where that is a symbolic link. */
  target: Schema3.optional(Schema3.String),
  /** The file that it was appended to, which must be unchanged. Null: there was none; undefined: any file there is replaced. */
  original: Schema3.optional(Schema3.NullOr(Original))
});
var Sealed = Schema3.Struct({
  files: Schema3.Array(Ready),
  /** Standard output, where the sink wrote there. */
  streams: Schema3.optional(Schema3.Array(Output)),
  /** Files of an earlier run that go, although no new file has their name. */
  stale: Schema3.Array(Schema3.String),
  /** Files of this run that go once the others have their names. */
  scraps: Schema3.Array(Schema3.String),
  warnings: Schema3.Array(Schema3.String)
});

// src/Ledger/Model.ts
import * as Schema4 from "effect/Schema";
var others = Schema4.Record({ key: Schema4.String, value: Schema4.UndefinedOr(JsonValue) });
var SavedOptions = Schema4.Struct(
  {
    limit: Schema4.optional(Schema4.Number),
    backfill: Schema4.optional(Schema4.Boolean),
    /** The run whose rejects it replays. */
    replayOf: Schema4.optional(Schema4.String)
  },
  others
);
var count = Schema4.optional(Schema4.Number);
var countsByStep = Schema4.optional(Schema4.Record({ key: Schema4.String, value: Schema4.Number }));
var SavedProgress = Schema4.NullOr(
  Schema4.Struct(
    {
      rows: count,
      rejects: count,
      expected: count,
      jobCredits: count,
      jobUnpriced: count,
      jobPages: count,
      outputRows: count,
      outputBytes: count,
      rejectBytes: count,
      unchanged: count,
      given: countsByStep,
      rejected: countsByStep,
      jobs: countsByStep,
      over: Schema4.optional(Schema4.Boolean),
      spent: Schema4.optional(Schema4.Boolean),
      budgetMessage: Schema4.optional(Schema4.String),
      /** Steps that did not read every row of their source, with the reasons. Version 0.1 wrote a list of steps. */
      incomplete: Schema4.optional(
        Schema4.Union(
          Schema4.Array(Schema4.String),
          Schema4.Record({ key: Schema4.String, value: Schema4.Array(Schema4.String) })
        )
      )
    },
    others
  )
);
var isSpent = ({ progress, rejects, rows: rows2 }) => {
  return progress?.over === true && (progress.spent ?? (rows2 === 0 && rejects > 0));
};

// src/Ledger/Runs.ts
var padShard = (shard) => String(shard).padStart(4, "0");
var splitOf = (run) => `${run}.split`;
var shardOf = (run, shard) => `${run}.s${padShard(shard)}`;
var partOffset = 1e9;
var offsetOfPart = (index) => (index + 1) * partOffset;
var originOf = (run, number) => {
  const index = Math.floor(number / partOffset) - 1;
  const of = index < 0 ? run : index === 0 ? splitOf(run) : shardOf(run, index - 1);
  return { of, number: number % partOffset };
};
var isAfter = (one, other) => one.of === other.of ? one.number > other.number : one.of > other.of;
var slotDuration = 15 * 6e4;
var slotOf = (time) => Math.floor(time / slotDuration) * slotDuration;
var addSpent = (sql, pipeline, now, credits, unpriced) => credits === 0 && unpriced === 0 ? Effect4.void : sql`INSERT INTO spent ${sql.insert({ pipeline: encodeText(pipeline), slot: slotOf(now), credits, unpriced })}
        ON CONFLICT (pipeline, slot) DO UPDATE
        SET credits = spent.credits + excluded.credits, unpriced = spent.unpriced + excluded.unpriced`;
var creditsSince = (sql, pipeline, since) => Effect4.map(
  sql`SELECT sum(credits) AS credits FROM spent
      WHERE pipeline = ${encodeText(pipeline)} AND slot >= ${slotOf(since)}`,
  ([row]) => Number(row?.credits ?? 0)
);
var numberOf = (value) => value === null ? void 0 : Number(value);
var decodeSavedOptions = decoding(SavedOptions);
var decodeSavedProgress = decoding(SavedProgress);
var decodeOptions = (place, run, text) => decodeSavedOptions(place, `the options of run ${run}`, text);
var decodeProgress = (place, run, text) => decodeSavedProgress(place, `the progress of run ${run}`, text);
var toRecord = (place, row) => Either3.map(
  Either3.all({
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
);
var start = ({ place, sql }, run) => Effect4.gen(function* () {
  const now = yield* Clock2.currentTimeMillis;
  const created = yield* sql`INSERT INTO runs ${sql.insert({
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
  })} ON CONFLICT (id) DO NOTHING RETURNING id`;
  const texts = {
    definition: encodeText(run.definition),
    inputs: toText(run.inputs),
    options: toText(run.options)
  };
  if (created.length > 0) {
    yield* sql`INSERT INTO run_texts ${sql.insert({ run_id: run.id, ...texts })}`;
    return;
  }
  const [known] = yield* sql`
      SELECT runs.status AS status, CASE WHEN run_texts.sealed IS NULL THEN 0 ELSE 1 END AS sealed, pipeline, started_at
      FROM runs JOIN run_texts ON run_texts.run_id = runs.id WHERE runs.id = ${run.id}`;
  if (known !== void 0 && !(known.pipeline === encodeText(run.pipeline) && Number(known.started_at) === run.startedAt)) {
    const reason = "a run with this id was started at another time, or by another pipeline: resume that one if it is yours, else start this one with another id";
    return yield* new LedgerError({ place, doing: `starting run ${run.id}`, reason });
  }
  if (known?.status === "completed") {
    const reason = "it is completed, so there is nothing to resume";
    return yield* new LedgerError({ place, doing: `resuming run ${run.id}`, reason });
  }
  const status = Number(known?.sealed) === 1 ? "publishing" : "running";
  yield* sql`UPDATE run_texts SET definition = ${texts.definition}, options = ${texts.options}
      WHERE run_id = ${run.id}`;
  yield* sql`UPDATE runs SET status = ${status}, definition_hash = ${run.definitionHash}, error = NULL,
      ended_at = NULL, updated_at = ${now} WHERE id = ${run.id}`;
});
var withShards = ({ sql }, id) => sql`SELECT id FROM runs WHERE id = ${id} OR (group_id = ${encodeText(id)} AND group_id <> id)`;
var selectRuns = ({ sql }, group) => sql`SELECT * FROM runs JOIN run_texts ON run_texts.run_id = runs.id LEFT JOIN (
      SELECT group_id AS part_of, sum(row_count) AS part_rows, sum(reject_count) AS part_rejects,
        sum(call_credits + job_credits) AS part_credits, sum(call_unpriced + job_unpriced) AS part_unpriced
      FROM runs WHERE group_id IS NOT NULL AND group_id <> id AND ${group === void 0 ? sql`1 = 1` : sql`group_id = ${encodeText(group)}`}
      GROUP BY group_id) AS parts ON part_of = runs.id`;
var find = (connection, id) => Effect4.flatMap(
  connection.sql`${selectRuns(connection, id)} WHERE runs.id = ${id}`,
  ([row]) => row === void 0 ? Effect4.succeed(void 0) : toRecord(connection, row)
);
var idsPerStatement = 500;
var inputsOf = ({ sql }, ids) => Effect4.map(
  Effect4.forEach(
    Array.from(
      { length: Math.ceil(ids.length / idsPerStatement) },
      (_, n) => ids.slice(n * idsPerStatement, (n + 1) * idsPerStatement)
    ),
    (some) => sql`SELECT run_id, inputs FROM run_texts
          WHERE ${sql.in("run_id", some)}`
  ),
  (rows2) => new Map(rows2.flat().map(({ inputs, run_id }) => [run_id, fromText(inputs)]))
);
var list = (connection, { group, limit, offset = 0, pipeline, since, status }) => {
  const { sql } = connection;
  return Effect4.flatMap(
    sql`${selectRuns(connection)} WHERE ${sql.and([
      ...pipeline === void 0 ? [] : [sql`pipeline = ${encodeText(pipeline)}`],
      // Without a group, shards are omitted: their run includes their sums.
      group === void 0 ? sql`(group_id IS NULL OR group_id = id)` : sql`group_id = ${encodeText(group)}`,
      ...status === void 0 ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)],
      ...since === void 0 ? [] : [sql`started_at >= ${since}`]
    ])} ORDER BY started_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
    (rows2) => Either3.all(rows2.map((row) => toRecord(connection, row)))
  );
};
var decodeSealed = decoding(Schema5.Array(Sealed));
var decodeFiles = decoding(Schema5.Array(Output));
var trialOutputs = (connection) => Effect4.flatMap(
  connection.sql`SELECT runs.id AS id, options, outputs, sealed FROM runs
      JOIN run_texts ON run_texts.run_id = runs.id WHERE outputs IS NOT NULL OR sealed IS NOT NULL
      ORDER BY ended_at, started_at, id`,
  Effect4.fn(function* (rows2) {
    const byPath = /* @__PURE__ */ new Map();
    const runs = yield* Effect4.forEach(
      rows2,
      ({ id, options, outputs, sealed }) => Effect4.all({
        isTrial: Effect4.map(decodeOptions(connection, id, options), ({ limit }) => limit !== void 0),
        outputs: outputs === null ? Effect4.succeed([]) : decodeFiles(connection, `the outputs of run ${id}`, outputs),
        sealed: sealed === null ? Effect4.succeed([]) : decodeSealed(connection, `the sealed files of run ${id}`, sealed)
      })
    );
    const trialFile = ({ bytes, modified }) => modified === void 0 ? [] : [{ bytes, modified, isClaimed: false }];
    for (const { isTrial, outputs } of runs) {
      for (const output of outputs) byPath.set(output.path, isTrial ? trialFile(output) : []);
    }
    for (const { isTrial, sealed } of runs) {
      if (!isTrial) continue;
      for (const file of sealed.flatMap(({ files }) => files)) {
        byPath.set(file.path, [...byPath.get(file.path) ?? [], ...trialFile(file)]);
      }
    }
    for (const { isTrial, sealed } of runs) {
      if (isTrial) continue;
      for (const { path } of sealed.flatMap(({ files }) => files)) {
        byPath.set(
          path,
          (byPath.get(path) ?? []).map((each) => ({ ...each, isClaimed: true }))
        );
      }
    }
    return byPath;
  })
);

// src/Ledger/Pages.ts
var insertPages = make({
  before: "INSERT INTO pages (run_id, at, seq, step, key, status, error, hash, job_id, credits, price) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 9
});
var putPages = (sql, run, last, pages, now) => {
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
};
var presentPages = (sql, run) => Effect5.map(
  sql`SELECT key FROM pages WHERE run_id = ${run} GROUP BY key
      HAVING sum(CASE WHEN status < 500 AND status NOT IN (404, 410) THEN 1 ELSE 0 END) > 0
      OR sum(CASE WHEN status IN (404, 410) THEN 1 ELSE 0 END) = 0`,
  (rows2) => new Set(rows2.map(({ key }) => decodeText(key)))
);
var failedPages = (sql, run, jobId) => Effect5.map(
  sql`SELECT DISTINCT key FROM pages
      WHERE run_id = ${run} AND job_id = ${encodeText(jobId)} AND error IS NOT NULL`,
  (rows2) => new Set(rows2.map(({ key }) => decodeText(key)))
);
var keysPerStatement = 500;
var hasSeenAny = (sql, run, stateKey, keys) => Effect5.gen(function* () {
  const under = encodeText(stateKey);
  const runs = sql`SELECT id FROM runs WHERE state_key = ${under} AND id <> ${run}`;
  const shelves = sql`SELECT id FROM shelves WHERE state_key = ${under}`;
  for (let at = 0; at < keys.length; at += keysPerStatement) {
    const some = keys.slice(at, at + keysPerStatement).map(encodeText);
    const [known] = yield* sql`SELECT 1 AS known FROM pages WHERE ${sql.in("key", some)} AND run_id IN (${runs})
        UNION ALL SELECT 1 AS known FROM state WHERE shelf IN (${shelves})
          AND ${fingerprintOf(sql, "key")} IN (${sql.join(", ", false)(some.map((key) => fingerprintOfText(sql, key)))})
        LIMIT 1`;
    if (known !== void 0) return true;
  }
  const split = offsetOfPart(0);
  const first = sql`CASE WHEN EXISTS
      (SELECT 1 FROM pages AS parts WHERE parts.run_id = runs.id AND parts.seq > ${split}) THEN ${split + 1} ELSE 1 END`;
  const [whole] = yield* sql`SELECT min(started_at) AS since FROM runs
      WHERE state_key = ${under} AND EXISTS (SELECT 1 FROM pages WHERE pages.run_id = runs.id AND pages.seq = ${first})`;
  const isOld = whole == null || whole.since === null ? sql`1 = 1` : sql`last_seen < ${whole.since}`;
  const [old] = yield* sql`SELECT 1 AS old FROM state WHERE shelf IN (${shelves}) AND ${isOld} LIMIT 1`;
  return old !== void 0;
});
var toPage = (row) => ({
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
});
var listPages = (sql, of, { limit, offset = 0 }) => Effect5.map(
  "run" in of ? sql`SELECT * FROM pages WHERE run_id = ${of.run} ORDER BY seq LIMIT ${limit} OFFSET ${offset}` : sql`SELECT * FROM pages WHERE key = ${encodeText(of.key)}
          ORDER BY at DESC, run_id, seq DESC LIMIT ${limit} OFFSET ${offset}`,
  (rows2) => rows2.map(toPage)
);
var sightings = (sql, key) => Effect5.map(
  sql`SELECT count(*) AS n, min(at) AS first, max(at) AS last
      FROM pages WHERE key = ${encodeText(key)}`,
  ([row]) => row === void 0 || row.first === null || row.last === null ? void 0 : { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) }
);
var insertRejects = make({
  before: "INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, job_id, content, source, trace, status, attempts) VALUES ",
  row: (own) => `($1, ${own})`,
  after: "",
  shared: 1,
  width: 13
});
var traceOf = ({ isDerived = false, requestId, spanId, traceId }) => traceId === void 0 && requestId === void 0 && !isDerived ? null : JSON.stringify({ traceId, spanId, requestId, isDerived: isDerived || void 0 });
var putRejects = (sql, run, last, rejects) => {
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
};
var toReject = (row) => ({
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
});
var rejectsAfter = (sql, runs, which, after, limit) => Effect5.map(
  sql`SELECT * FROM rejects WHERE ${sql.and([
    sql`run_id IN (${runs})`,
    sql`(run_id, seq) > (${after.of}, ${after.number})`,
    ...which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`]
  ])} ORDER BY run_id, seq LIMIT ${limit}`,
  (rows2) => rows2.map(toReject)
);
var markRejects = make({
  before: "UPDATE rejects SET replayed_by = $1 WHERE run_id = $2 AND replayed_by IS NULL AND seq IN (",
  row: (own) => own,
  after: ")",
  shared: 2,
  width: 1
});
var markReplayed = (sql, run, by, numbers) => markRejects(sql, [by, run], numbers, (number) => [number]);
var claimRejects = (sql, { numbers, of }, by) => Effect5.gen(function* () {
  yield* markReplayed(sql, of, by, numbers);
  const [row] = yield* sql`SELECT count(*) AS n FROM rejects
      WHERE run_id = ${of} AND replayed_by = ${by}`;
  return Number(row?.n) === numbers.length;
});
var releaseRejects = (sql, of, by) => sql`UPDATE rejects SET replayed_by = NULL WHERE run_id = ${of} AND replayed_by = ${by}`;

// src/Ledger/History.ts
var rejectsPerPage = 1e3;
var readRejects = ({ sql }, run, which, { after, before }) => Effect6.gen(function* () {
  const rows2 = yield* rejectsAfter(sql, withShards({ sql }, run), which, after, rejectsPerPage);
  const isNew = ({ number }) => before === void 0 || isAfter(originOf(run, number), before);
  const last = rows2.length === rejectsPerPage ? rows2.at(-1) : void 0;
  let next = last && { after: last, before };
  if (rows2.length === 0 && before === void 0 && after.of !== "" && after.of !== run) {
    const part = yield* sql`SELECT id FROM runs WHERE id = ${after.of}`;
    if (part.length === 0) next = { after: { of: run, number: partOffset }, before: after };
  }
  return [Chunk.fromIterable(rows2.filter(isNew)), Option.fromNullable(next)];
});
var steps = (connection, run) => {
  const { sql } = connection;
  const those = withShards(connection, run);
  return Effect6.map(
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
};
var jobs = (connection, run) => Effect6.gen(function* () {
  const rows2 = yield* connection.sql`SELECT id, progress FROM runs WHERE id IN (${withShards(connection, run)})`;
  const sums = /* @__PURE__ */ new Map();
  for (const { id, progress } of rows2) {
    const saved = yield* decodeProgress(connection, id, progress);
    for (const [step, credits] of Object.entries(saved?.jobs ?? {})) sums.set(step, (sums.get(step) ?? 0) + credits);
  }
  return sums;
});
var make3 = (connection) => {
  const { sql } = connection;
  const alive = Effect6.map(
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
    run: (id) => Effect6.gen(function* () {
      const run = yield* find(connection, id);
      if (run === void 0) return void 0;
      const paid = yield* jobs(connection, id);
      const counted = yield* steps(connection, id);
      return {
        run,
        alive: (yield* alive).has(id),
        steps: counted.map((each) => ({ ...each, credits: each.credits + (paid.get(each.step) ?? 0) }))
      };
    }).pipe(reading(connection, `reading run ${id}`)),
    pagesOf: (run, range) => listPages(sql, { run }, range).pipe(reading(connection, `reading the pages of run ${run}`)),
    pagesAt: (key, range) => listPages(sql, { key }, range).pipe(reading(connection, `reading the pages at ${key}`)),
    sightings: (key) => sightings(sql, key).pipe(reading(connection, `reading the pages at ${key}`)),
    rejects: (run, which) => Stream.paginateChunkEffect(
      { after: { of: "", number: 0 } },
      (at) => readRejects(connection, run, which, at).pipe(reading(connection, `reading the rejects of run ${run}`))
    ),
    markReplayed: (run, by, numbers) => markReplayed(sql, run, by, numbers).pipe(writing(connection, `marking rejects of run ${run} as replayed`))
  };
};

// src/Ledger/Journal.ts
import * as Clock4 from "effect/Clock";
import * as Effect10 from "effect/Effect";

// src/Database/GroupCommit.ts
import * as Deferred2 from "effect/Deferred";
import * as Effect7 from "effect/Effect";
import * as Exit from "effect/Exit";
var make5 = (write) => {
  let waiting = [];
  let busy = false;
  const flush = Effect7.suspend(() => {
    const group = waiting;
    waiting = [];
    return Effect7.flatMap(
      Effect7.exit(write(group.map(({ item }) => item))),
      (exit2) => Effect7.forEach(group, ({ done: done2 }) => Deferred2.done(done2, Exit.asVoid(exit2)), { discard: true })
    );
  });
  const work = Effect7.whileLoop({
    while: () => {
      busy = waiting.length > 0;
      return busy;
    },
    // What came in the same turn of the event loop gets the time to come.
    body: () => Effect7.zipRight(nextTurn, flush),
    step: () => {
    }
  });
  return (item) => Effect7.flatMap(Deferred2.make(), (done2) => {
    waiting.push({ item, done: done2 });
    if (busy) return Deferred2.await(done2);
    busy = true;
    return Effect7.zipRight(Effect7.forkDaemon(work), Deferred2.await(done2));
  }).pipe(Effect7.uninterruptible);
};

// src/Ledger/SharedLimits.ts
import * as Effect8 from "effect/Effect";
import * as Schema6 from "effect/Schema";
var noUsage = { credits: 0, pages: 0, rows: 0, bytes: 0 };
var nameOf2 = (scope) => scope._tag === "Day" ? `day ${scope.pipeline}` : `group ${scope.group}`;
var lock = (sql, scope) => sql.onDialectOrElse({
  pg: () => Effect8.asVoid(sql`SELECT pg_advisory_xact_lock(hashtext(${nameOf2(scope)}))`),
  // A SQLite transaction that has written is exclusive already.
  orElse: () => Effect8.void
});
var bookedUsage = (sql, scope) => scope._tag === "Day" ? sql`SELECT NULL, NULL, coalesce(sum(credits), 0), 0, 0, 0, 1, NULL FROM spent
        WHERE pipeline = ${encodeText(scope.pipeline)} AND slot >= ${slotOf(scope.since)}` : sql`SELECT NULL, NULL, coalesce(sum(call_credits + job_credits), 0), coalesce(sum(call_pages + job_pages), 0),
        coalesce(sum(output_rows), 0), coalesce(sum(bytes), 0), 1, NULL FROM runs
        WHERE group_id = ${encodeText(scope.group)}`;
var reserve = ({ heartbeat, sql }, run, id, scope, mine, decide) => Effect8.gen(function* () {
  yield* lock(sql, scope);
  const now = yield* heartbeat.now;
  const amounts = yield* sql`SELECT r.run_id, r.id, r.credits, r.pages, r.output_rows, r.output_bytes, r.firm,
      (SELECT ${now} - ${heartbeat.lastBeat} FROM locks WHERE name = 'run ' || r.run_id) AS silence
      FROM reservations r WHERE ${scope._tag === "Day" ? sql`r.pipeline = ${encodeText(scope.pipeline)}` : sql`r.group_id = ${encodeText(scope.group)}`} AND NOT (r.run_id = ${run} AND r.id = ${encodeText(id)})
        AND (r.at >= ${scope._tag === "Day" ? scope.since : 0} OR EXISTS (SELECT 1 FROM locks WHERE name = 'run ' || r.run_id))
      UNION ALL ${bookedUsage(sql, scope)}`;
  const from = scope._tag === "Day" ? noUsage : scope.from;
  let [credits, pages, rows2, bytes] = [-from.credits, -from.pages, -from.rows, -from.bytes];
  let isBusy = false;
  for (const other of amounts) {
    credits += Number(other.credits);
    pages += Number(other.pages);
    rows2 += Number(other.output_rows);
    bytes += Number(other.output_bytes);
    if (other.id === null) continue;
    const isLive = other.run_id === run ? mine.has(decodeText(other.id)) : Number(other.firm) === 0 && other.silence !== null && Number(other.silence) <= heartbeat.timeout;
    isBusy ||= isLive && (Number(other.credits) > 0 || Number(other.pages) > 0);
  }
  const decision = decide({ used: { credits, pages, rows: rows2, bytes }, isBusy });
  if (decision._tag === "Granted") {
    const row = {
      run_id: run,
      id: encodeText(id),
      pipeline: scope._tag === "Day" ? encodeText(scope.pipeline) : null,
      group_id: scope._tag === "Group" ? encodeText(scope.group) : null,
      credits: decision.reserved.credits,
      pages: decision.reserved.pages,
      rows: decision.reserved.rows ?? 0,
      bytes: decision.reserved.bytes ?? 0
    };
    yield* sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${row.id}`;
    yield* sql`INSERT INTO reservations
          (run_id, id, pipeline, group_id, credits, pages, output_rows, output_bytes, at)
        VALUES (${row.run_id}, ${row.id}, ${row.pipeline}, ${row.group_id}, ${row.credits}, ${row.pages}, ${row.rows},
          ${row.bytes}, ${now})`;
  }
  return decision;
});
var release = (sql, run, ids) => Effect8.forEach(ids, (id) => sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${encodeText(id)}`, {
  discard: true
});
var updateReservations = (sql, run, changes) => Effect8.forEach(
  changes,
  ({ id, isFirm, remaining }) => remaining === void 0 ? sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${encodeText(id)}` : sql`UPDATE reservations SET credits = ${remaining.credits}, pages = ${remaining.pages},
            firm = ${isFirm ? 1 : 0} WHERE run_id = ${run} AND id = ${encodeText(id)}`,
  { discard: true }
);
var Usage = Schema6.Struct({
  credits: Schema6.Number,
  /** Pages of calls that were answered and of the runs' own jobs. */
  pages: Schema6.Number,
  /** Rows that the budget admitted to outputs, or to the end of a branch without one. */
  rows: Schema6.Number,
  /** Upper bound of their size. */
  bytes: Schema6.Number
});
var idleMillis = 24 * 60 * 6e4;
var make6 = (connection) => {
  const { heartbeat, sql } = connection;
  return {
    takeTurn: (name, { interval, limit }) => Effect8.gen(function* () {
      const now = yield* heartbeat.now;
      const one = sql`CAST(${interval / limit} AS DOUBLE PRECISION)`;
      const [row] = yield* sql`INSERT INTO rates (name, paid_at)
          VALUES (${encodeText(name)}, ${now} + ${one}) ON CONFLICT (name) DO UPDATE SET paid_at =
            CASE WHEN rates.paid_at > excluded.paid_at - ${one} THEN rates.paid_at + ${one} ELSE excluded.paid_at END
          RETURNING paid_at - ${now} AS ahead`;
      return Math.max(0, Math.ceil(Number(row?.ahead ?? 0) - interval));
    }).pipe(
      // A retried read takes a second slot, which only delays the next call.
      reading(connection, `taking a slot of the rate limit ${name}`)
    ),
    used: (group, except = "") => Effect8.gen(function* () {
      const those = sql`group_id = ${encodeText(group)} AND id <> ${except}`;
      const [sums] = yield* sql`SELECT sum(call_credits + job_credits) AS credits, sum(call_pages + job_pages) AS pages,
          sum(output_rows) AS n, sum(bytes) AS bytes FROM runs WHERE ${those}`;
      return {
        credits: Number(sums?.credits ?? 0),
        rows: Number(sums?.n ?? 0),
        pages: Number(sums?.pages ?? 0),
        bytes: Number(sums?.bytes ?? 0)
      };
    }).pipe(reading(connection, `adding up what ${group} has used`))
  };
};
var deleteUnusedRates = ({ heartbeat, sql }) => Effect8.flatMap(heartbeat.now, (now) => sql`DELETE FROM rates WHERE paid_at < ${now} - ${idleMillis}`);

// src/Ledger/StateStore.ts
import * as Chunk2 from "effect/Chunk";
import * as Clock3 from "effect/Clock";
import * as Effect9 from "effect/Effect";
import * as Option2 from "effect/Option";
import * as Stream2 from "effect/Stream";
var toEntry = (row) => ({
  key: decodeText(row.key),
  value: fromText(row.value),
  firstSeen: Number(row.first_seen),
  lastSeen: Number(row.last_seen)
});
var findShelves = (sql, stateKey, step) => Effect9.map(
  sql`SELECT id, step FROM shelves WHERE state_key = ${encodeText(stateKey)} ORDER BY step`,
  (rows2) => rows2.filter((row) => step === void 0 || row.step === step)
);
var shelfFor = (sql, stateKey, step) => Effect9.gen(function* () {
  const [known] = yield* findShelves(sql, stateKey, step);
  if (known !== void 0) return Number(known.id);
  yield* sql.onDialectOrElse({
    sqlite: () => sql`INSERT INTO shelves (id, state_key, step)
        SELECT coalesce(max(id), 0) + 1, ${encodeText(stateKey)}, ${step} FROM shelves`,
    orElse: () => sql`INSERT INTO shelves (state_key, step) VALUES (${encodeText(stateKey)}, ${step})`
  });
  const [made] = yield* findShelves(sql, stateKey, step);
  return Number(made?.id);
});
var load = (sql, stateKey, step) => Effect9.map(
  sql`SELECT key, value, first_seen, last_seen FROM state WHERE shelf =
      (SELECT id FROM shelves WHERE state_key = ${encodeText(stateKey)} AND step = ${step}) ORDER BY key`,
  (rows2) => rows2.map(toEntry)
);
var upsert = make({
  before: "INSERT INTO state (shelf, key, value, first_seen, last_seen) VALUES ",
  row: (own) => `($1, ${own})`,
  after: ` ON CONFLICT (shelf, fingerprint(key)) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen,
    first_seen = CASE WHEN excluded.first_seen < state.first_seen THEN excluded.first_seen ELSE state.first_seen END`,
  shared: 1,
  width: 4
});
var putEntries = (sql, shelf, entries) => upsert(sql, [shelf], [...new Map(entries.map((entry) => [entry.key, entry])).values()], (entry) => [
  encodeText(entry.key),
  toText(entry.value),
  entry.firstSeen,
  entry.lastSeen
]);
var putRecords = (sql, stateKey, entries) => Effect9.forEach(
  new Set(entries.map(({ step }) => step)),
  (step) => Effect9.flatMap(
    shelfFor(sql, stateKey, step),
    (shelf) => putEntries(
      sql,
      shelf,
      entries.filter((entry) => entry.step === step)
    )
  ),
  { discard: true }
);
var deleteEmptyShelves = (sql, stateKey) => sql`DELETE FROM shelves WHERE state_key = ${encodeText(stateKey)}
  AND NOT EXISTS (SELECT 1 FROM state WHERE state.shelf = shelves.id)`;
var removeEntry = (sql, stateKey, step, key) => Effect9.gen(function* () {
  for (const { id } of yield* findShelves(sql, stateKey, step)) {
    yield* sql`DELETE FROM state WHERE shelf = ${id}
        AND ${fingerprintOf(sql, "key")} = ${fingerprintOfText(sql, encodeText(key))}`;
  }
  yield* deleteEmptyShelves(sql, stateKey);
});
var expire = (sql, run, stateKey, step, lastSeenBefore) => Effect9.gen(function* () {
  for (const { id } of yield* findShelves(sql, stateKey, step)) {
    yield* sql`DELETE FROM state WHERE shelf = ${id} AND last_seen < ${lastSeenBefore} AND key NOT IN
        (SELECT key FROM held WHERE state_key = ${encodeText(stateKey)} AND step = ${step}
        UNION ALL SELECT key FROM staged WHERE station IN
          (SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}))`;
  }
  yield* deleteEmptyShelves(sql, stateKey);
});
var clearEntries = (sql, stateKey, { lastSeenBefore, step }) => Effect9.gen(function* () {
  let removed = 0;
  for (const { id } of yield* findShelves(sql, stateKey, step)) {
    const old = lastSeenBefore === void 0 ? sql`1 = 1` : sql`last_seen < ${lastSeenBefore}`;
    const [row] = yield* sql`SELECT count(*) AS n FROM state WHERE shelf = ${id} AND ${old}`;
    removed += Number(row?.n ?? 0);
    yield* sql`DELETE FROM state WHERE shelf = ${id} AND ${old}`;
  }
  yield* deleteEmptyShelves(sql, stateKey);
  return removed;
});
var lockName = (stateKey) => `state ${stateKey}`;
var entriesPerPage = 1e3;
var make7 = (connection) => {
  const { place, sql } = connection;
  const isCut = needsFingerprints(sql);
  const order = sql.literal(isCut ? "left(key, 200), key" : "key");
  const from = (after) => isCut ? sql`AND left(key, 200) >= left(${after}, 200)` : sql.literal("");
  const page = (shelf, after) => after === void 0 ? sql`SELECT * FROM state WHERE shelf = ${shelf} ORDER BY ${order} LIMIT ${entriesPerPage}` : sql`SELECT * FROM state WHERE shelf = ${shelf} AND key > ${after} ${from(after)}
          ORDER BY ${order} LIMIT ${entriesPerPage}`;
  const entriesOf = (stateKey) => (shelf) => Stream2.paginateChunkEffect(
    void 0,
    (after) => page(shelf.id, after).pipe(
      reading(connection, `reading the state ${stateKey}`),
      Effect9.map((rows2) => [
        Chunk2.unsafeFromArray(rows2.map((row) => ({ step: shelf.step, ...toEntry(row) }))),
        rows2.length < entriesPerPage ? Option2.none() : Option2.fromNullable(rows2.at(-1)?.key)
      ])
    )
  );
  const changing = (keys, change) => Effect9.gen(function* () {
    const { fence } = yield* acquire(connection, keys.map(lockName));
    return yield* Effect9.zipRight(fence, Effect9.flatMap(Clock3.currentTimeMillis, change)).pipe(
      writing(connection, `changing the state ${keys.join(" and ")}`)
    );
  }).pipe(Effect9.scoped);
  return {
    list: sql`
      SELECT shelves.state_key AS state_key, shelves.step AS step, count(state.key) AS entries,
        min(state.first_seen) AS first, max(state.last_seen) AS last
      FROM shelves LEFT JOIN state ON state.shelf = shelves.id
      GROUP BY shelves.id, shelves.state_key, shelves.step ORDER BY shelves.state_key, shelves.step`.pipe(
      Effect9.map(
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
      Effect9.map((shelves) => Stream2.flatMap(Stream2.fromIterable(shelves), entriesOf(stateKey))),
      Stream2.unwrap
    ),
    get: (stateKey, step, key) => Effect9.gen(function* () {
      const [shelf] = yield* findShelves(sql, stateKey, step);
      if (shelf === void 0) return void 0;
      const [row] = yield* sql`SELECT * FROM state
          WHERE shelf = ${shelf.id} AND ${fingerprintOf(sql, "key")} = ${fingerprintOfText(sql, encodeText(key))}`;
      return row === void 0 ? void 0 : toEntry(row);
    }).pipe(reading(connection, `reading the state ${stateKey}`)),
    set: (stateKey, step, key, value) => changing(
      [stateKey],
      (now) => Effect9.gen(function* () {
        if (value === void 0) return yield* removeEntry(sql, stateKey, step, key);
        const shelf = yield* shelfFor(sql, stateKey, step);
        yield* putEntries(sql, shelf, [{ key, value, firstSeen: now, lastSeen: now }]);
      })
    ),
    clear: (stateKey, which = {}) => changing([stateKey], () => clearEntries(sql, stateKey, which)),
    move: (from2, to) => changing(
      [from2, to],
      () => Effect9.gen(function* () {
        const doing = `moving the state ${from2} to ${to}`;
        if ((yield* findShelves(sql, from2)).length === 0) {
          return yield* new LedgerError({ place, doing, reason: `there is no state under ${from2}` });
        }
        if ((yield* findShelves(sql, to)).length > 0) {
          return yield* new LedgerError({
            place,
            doing,
            reason: `there is a state under ${to} already; clear it first`
          });
        }
        yield* sql`UPDATE shelves SET state_key = ${encodeText(to)} WHERE state_key = ${encodeText(from2)}`;
      })
    ),
    import: (stateKey, entries) => Effect9.gen(function* () {
      const { fence } = yield* acquire(connection, [lockName(stateKey)]);
      return yield* Stream2.runFoldEffect(
        Stream2.grouped(entries, entriesPerPage),
        0,
        (sum, chunk) => Effect9.zipRight(fence, putRecords(sql, stateKey, Chunk2.toReadonlyArray(chunk))).pipe(
          writing(connection, `importing into the state ${stateKey}`),
          Effect9.as(sum + chunk.length)
        )
      );
    }).pipe(Effect9.scoped)
  };
};

// src/Ledger/Journal.ts
var make8 = (connection, run, locks) => Effect10.gen(function* () {
  const { sql } = connection;
  const { id, stateKey } = run;
  const read = (what, effect) => reading(connection, `reading ${what} of run ${id}`)(effect);
  const write = (what, effect) => locks.fence.pipe(
    Effect10.zipRight(Effect10.flatMap(Clock4.currentTimeMillis, effect)),
    writing(connection, `writing ${what} of run ${id}`)
  );
  const last = yield* read("the last numbers", lastNumbers(connection, id));
  const takeNumbers = (kind, rows2) => {
    const before = last[kind];
    last[kind] += rows2.length;
    return before;
  };
  const recordCall = make5(
    (calls) => write(
      "answers",
      (now) => Effect10.gen(function* () {
        const spent = yield* putCalls(sql, id, calls, now);
        yield* addSpent(sql, run.pipeline, now, spent.credits, spent.unpriced);
        yield* release(
          sql,
          id,
          calls.flatMap(({ reservation }) => reservation ?? [])
        );
        const pages = calls.flatMap(({ page, step }) => page === void 0 ? [] : [{ step, page }]);
        yield* putPages(sql, id, takeNumbers("pages", pages), pages, now);
      })
    )
  );
  const claim = (replayed) => Effect10.gen(function* () {
    if (!(yield* claimRejects(sql, replayed, id))) {
      const reason = "another run has replayed some of them in the meantime; this one has done nothing";
      return yield* new LedgerError({
        place: connection.place,
        doing: `replaying the rejects of run ${replayed.of}`,
        reason
      });
    }
    return stateKey === void 0 ? [] : yield* takeReplayedState(sql, id, replayed.of, stateKey);
  });
  const checkpoint = (now, all4) => Effect10.gen(function* () {
    for (const { changes, step } of all4.steps) yield* saveStep(sql, id, step, changes);
    yield* putPages(sql, id, takeNumbers("pages", all4.pages), all4.pages, now);
    yield* putRejects(sql, id, takeNumbers("rejects", all4.rejects), all4.rejects);
    const replayed = all4.replayClaim === void 0 ? [] : yield* claim(all4.replayClaim);
    if (stateKey !== void 0) {
      const staged = [...replayed, ...all4.state];
      yield* stage(sql, id, takeNumbers("staged", staged), staged, now);
      yield* dropStaged(sql, id, all4.deferredRows ?? []);
    }
    yield* dropAnswers(sql, id, all4.resolvedCalls);
    yield* addSpent(sql, run.pipeline, now, all4.jobCredits - last.credits, all4.jobUnpriced - last.unpriced);
    yield* updateReservations(sql, id, all4.reservations ?? []);
    yield* sql`UPDATE runs SET status = CASE WHEN status = 'publishing' THEN status ELSE 'running' END,
          progress = ${toText(all4.progress)}, row_count = ${all4.rows},
          reject_count = ${all4.rejectCount}, job_credits = ${all4.jobCredits}, job_unpriced = ${all4.jobUnpriced},
          job_pages = ${all4.jobPages ?? 0}, output_rows = ${all4.outputRows ?? 0}, bytes = ${all4.bytes ?? 0}, updated_at = ${now} WHERE id = ${id} AND status <> 'completed'`;
  });
  const complete = (now, outputs, expiry, note) => Effect10.gen(function* () {
    if (stateKey !== void 0) {
      yield* applyStaged(sql, id, stateKey);
      const { after = 0, steps: steps2 = [] } = expiry ?? {};
      for (const step of steps2) yield* expire(sql, id, stateKey, step, now - after);
    }
    yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`;
    yield* sql`DELETE FROM reservations WHERE run_id = ${id}`;
    yield* sql`UPDATE run_texts SET sealed = NULL, outputs = ${outputs} WHERE run_id = ${id}`;
    yield* sql`UPDATE runs SET status = 'completed', error = ${note === void 0 ? null : encodeText(note)},
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
    checkpoint: (all4) => write("a checkpoint", (now) => checkpoint(now, all4)).pipe(
      Effect10.tap(() => {
        last.credits = all4.jobCredits;
        last.unpriced = all4.jobUnpriced;
      }),
      Effect10.uninterruptible
    ),
    recordSealed: (sealed) => write(
      "the sealed files",
      (now) => Effect10.zipRight(
        sql`UPDATE run_texts SET sealed = ${JSON.stringify(sealed)} WHERE run_id = ${id}`,
        sql`UPDATE runs SET status = 'publishing', updated_at = ${now} WHERE id = ${id}`
      )
    ),
    sealed: read(
      "the sealed files",
      Effect10.flatMap(
        sql`SELECT sealed FROM run_texts WHERE run_id = ${id}`,
        ([row]) => row === void 0 || row.sealed === null ? Effect10.succeed(void 0) : decodeSealed(connection, `the sealed files of run ${id}`, row.sealed)
      )
    ),
    complete: (outputs, expiry, note) => Effect10.zipLeft(
      write("the end", (now) => complete(now, toText(outputs), expiry, note)),
      // The run is completed even if this fails. The next run that completes deletes the rest.
      Effect10.ignoreLogged(deleteLeftovers(connection))
    ),
    end: (status, error) => write(
      "the end",
      (now) => sql`UPDATE runs SET status = ${status}, error = ${error === void 0 ? null : encodeText(error)},
            updated_at = ${now}, ended_at = ${now} WHERE id = ${id} AND status <> 'completed'`
    ),
    state: (step) => stateKey === void 0 ? Effect10.succeed([]) : read(`the state for step ${step}`, load(sql, stateKey, step)),
    presentPages: read("the pages", presentPages(sql, id)),
    hasSeenAny: (under, keys) => read("pages of earlier runs", hasSeenAny(sql, id, under, keys)),
    failedPages: (jobId) => read("the pages of a job", failedPages(sql, id, jobId)),
    lockLost: locks.lockLost,
    verifyLocks: locks.verify
  };
});
var lastNumbers = ({ sql }, run) => Effect10.map(
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
);
var stepNumber = (sql, run, step) => Effect10.gen(function* () {
  const find2 = sql`SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}`;
  const [known] = yield* find2;
  if (known !== void 0) return Number(known.id);
  yield* sql.onDialectOrElse({
    // SQLite has one writer at a time. Postgres generates the number.
    sqlite: () => sql`INSERT INTO stations (id, run_id, step)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step} FROM stations`,
    orElse: () => sql`INSERT INTO stations (run_id, step) VALUES (${run}, ${step})`
  });
  const [made] = yield* find2;
  return Number(made?.id);
});
var saveStep = (sql, run, step, { entries = [], value }) => Effect10.gen(function* () {
  if (value === void 0 && entries.length === 0) return;
  const station = yield* stepNumber(sql, run, step);
  if (value !== void 0) yield* sql`UPDATE stations SET value = ${toText(value)} WHERE id = ${station}`;
  yield* applyEntries(sql, station, entries);
});
var putEntries2 = make({
  before: "INSERT INTO entries (station, key, value) VALUES ",
  row: (own) => `($1, ${own})`,
  after: " ON CONFLICT (station, fingerprint(key)) DO UPDATE SET value = excluded.value",
  shared: 1,
  width: 2
});
var deleteEntries = make({
  before: "DELETE FROM entries WHERE station = $1 AND fingerprint(key) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 1,
  width: 1
});
var entriesPerBatch = 4096;
var applyEntries = (sql, station, entries) => {
  let at = 0;
  return Effect10.whileLoop({
    while: () => at < entries.length,
    body: () => {
      const last = new Map(entries.slice(at, at + entriesPerBatch));
      at += entriesPerBatch;
      const deleted = [];
      const updated = [];
      for (const [key, value] of last) {
        if (value === void 0) deleted.push(encodeText(key));
        else updated.push([encodeText(key), toText(value)]);
      }
      return Effect10.zipRight(
        deleteEntries(sql, [station], deleted, (key) => [key]),
        putEntries2(sql, [station], updated, (entry) => entry)
      );
    },
    step: () => {
    }
  });
};
var loadStep = (sql, run, step) => Effect10.gen(function* () {
  const [station] = yield* sql`SELECT id, value FROM stations
      WHERE run_id = ${run} AND step = ${step}`;
  if (station === void 0) return { value: void 0, entries: [] };
  const rows2 = yield* sql`SELECT key, value FROM entries
      WHERE station = ${station.id} ORDER BY key`;
  return {
    value: station.value === null ? void 0 : fromText(station.value),
    entries: rows2.map(({ key, value }) => [decodeText(key), fromText(value)])
  };
});
var rowsPerDelete = 2e4;
var deleteLeftovers = (connection) => Effect10.gen(function* () {
  const { sql } = connection;
  const deleting = writing(connection, "deleting saved state of completed runs");
  const over = sql`SELECT id FROM stations WHERE NOT EXISTS
      (SELECT 1 FROM runs WHERE runs.id = stations.run_id AND runs.status <> 'completed')`;
  for (const { id } of yield* over) {
    const isOver = sql`${id} NOT IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
        WHERE runs.status <> 'completed')`;
    for (const table of [sql("entries"), sql("staged")]) {
      const some = sql`SELECT key FROM ${table} WHERE station = ${id} LIMIT ${rowsPerDelete}`;
      while ((yield* sql`SELECT 1 AS one FROM ${table} WHERE station = ${id} AND ${isOver} LIMIT 1`).length > 0) {
        yield* deleting(sql`DELETE FROM ${table} WHERE station = ${id} AND ${isOver} AND key IN (${some})`);
      }
    }
    yield* deleting(sql`DELETE FROM stations WHERE id = ${id} AND ${isOver}`);
  }
}).pipe(reading(connection, "looking for saved state of completed runs"));
var priceKind = ({ credits }) => credits === void 0 ? "none" : credits === null ? "unknown" : "known";
var putCalls = (sql, run, calls, now) => Effect10.gen(function* () {
  let credits = 0;
  let unpriced = 0;
  for (const call of calls) {
    if (call.credits === null) unpriced++;
    credits += call.credits ?? 0;
    yield* sql`INSERT INTO calls ${sql.insert({
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
  }
  const pages = calls.reduce((sum, { page, pages: pages2 = page === void 0 ? 0 : 1 }) => sum + pages2, 0);
  yield* sql`UPDATE runs SET call_credits = call_credits + ${credits}, call_unpriced = call_unpriced + ${unpriced},
      call_pages = call_pages + ${pages}, updated_at = ${now} WHERE id = ${run}`;
  return { credits, unpriced };
});
var clearAnswers = make({
  before: "UPDATE calls SET answer = NULL WHERE run_id = $1 AND step = $2 AND fingerprint(mark) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 2,
  width: 1
});
var dropAnswers = (sql, run, marks) => {
  const steps2 = /* @__PURE__ */ new Map();
  for (const { mark, step } of marks) {
    const known = steps2.get(step);
    if (known === void 0) steps2.set(step, [encodeText(mark)]);
    else known.push(encodeText(mark));
  }
  return Effect10.forEach(steps2, ([step, all4]) => clearAnswers(sql, [run, step], all4, (mark) => [mark]), {
    discard: true
  });
};
var loadAnswers = (sql, run) => Effect10.map(
  sql`SELECT step, mark, answer FROM calls
      WHERE run_id = ${run} AND answer IS NOT NULL`,
  (rows2) => {
    const steps2 = /* @__PURE__ */ new Map();
    for (const { answer, mark, step } of rows2) {
      const known = steps2.get(step) ?? /* @__PURE__ */ new Map();
      steps2.set(step, known.set(decodeText(mark), fromText(answer)));
    }
    return steps2;
  }
);
var bookedTotals = (sql, run) => Effect10.map(
  sql`SELECT call_credits, call_unpriced,
      call_pages FROM runs WHERE id = ${run}`,
  ([row]) => ({
    credits: Number(row?.call_credits ?? 0),
    unpriced: Number(row?.call_unpriced ?? 0),
    pages: Number(row?.call_pages ?? 0)
  })
);
var insertStaged = make({
  before: "INSERT INTO staged (station, at, seq, key, row_key, value) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 4
});
var stage = (sql, run, last, changes, now) => {
  const steps2 = /* @__PURE__ */ new Map();
  for (const [index, { change, step }] of changes.entries()) {
    const known = steps2.get(step) ?? [];
    steps2.set(step, known);
    known.push([last + index + 1, change]);
  }
  return Effect10.forEach(
    steps2,
    ([step, all4]) => Effect10.flatMap(
      stepNumber(sql, run, step),
      (station) => insertStaged(sql, [station, now], all4, ([seq, { key, rowKey, value }]) => [
        seq,
        encodeText(key),
        encodeText(rowKey),
        value === void 0 ? null : toText(value)
      ])
    ),
    { discard: true }
  );
};
var keysPerStatement2 = 500;
var dropStaged = (sql, run, rowKeys) => Effect10.forEach(
  Array.from(
    { length: Math.ceil(rowKeys.length / keysPerStatement2) },
    (_, block) => rowKeys.slice(block * keysPerStatement2, (block + 1) * keysPerStatement2).map(encodeText)
  ),
  (keys) => sql`DELETE FROM staged WHERE station IN (SELECT id FROM stations WHERE run_id = ${run})
      AND ${sql.in("row_key", keys)}`,
  { discard: true }
);
var takeReplayedState = (sql, by, of, stateKey) => Effect10.gen(function* () {
  const taken = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${of} AND replayed_by = ${by})`;
  const staged = sql`${taken} AND station IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.id = ${of} AND runs.state_key = ${encodeText(stateKey)})`;
  const held = sql`${taken} AND run_id = ${of} AND state_key = ${encodeText(stateKey)}`;
  const rows2 = yield* sql`
      SELECT step, key, row_key, value FROM
        (SELECT step, key, row_key, value, seq FROM held WHERE ${held}
        UNION ALL SELECT stations.step, key, row_key, staged.value, seq
          FROM staged JOIN stations ON stations.id = staged.station WHERE ${staged}) AS theirs ORDER BY seq`;
  yield* sql`DELETE FROM held WHERE ${held}`;
  yield* sql`DELETE FROM staged WHERE ${staged}`;
  return rows2.map(({ key, row_key, step, value }) => ({
    step,
    change: {
      key: decodeText(key),
      rowKey: decodeText(row_key),
      value: value === null ? void 0 : fromText(value)
    }
  }));
});
var applyStaged = (sql, run, stateKey) => Effect10.gen(function* () {
  const mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`;
  const rejected = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`;
  yield* sql`INSERT INTO held (run_id, state_key, step, key, seq, row_key, value)
      SELECT ${run}, ${encodeText(stateKey)}, stations.step, staged.key, staged.seq, staged.row_key, staged.value
      FROM staged JOIN stations ON stations.id = staged.station WHERE stations.run_id = ${run} AND ${rejected}`;
  yield* sql`DELETE FROM staged WHERE ${mine} AND ${rejected}`;
  yield* resolveRejects(sql, run, stateKey);
  yield* sql`DELETE FROM held WHERE state_key = ${encodeText(stateKey)} AND EXISTS
      (SELECT 1 FROM staged JOIN stations ON stations.id = staged.station
        WHERE stations.run_id = ${run} AND stations.step = held.step AND staged.key = held.key)`;
  yield* sql`DELETE FROM staged WHERE ${mine} AND seq <
      (SELECT max(later.seq) FROM staged AS later WHERE later.station = staged.station AND later.key = staged.key)`;
  const steps2 = yield* sql`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM staged WHERE staged.station = stations.id)`;
  const print = fingerprintOf(sql, "key");
  for (const { id, step } of steps2) {
    const shelf = yield* shelfFor(sql, stateKey, step);
    yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
        SELECT ${shelf}, key, value, at, at FROM staged WHERE station = ${id} AND value IS NOT NULL
        ON CONFLICT (shelf, ${print}) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen
          WHERE excluded.last_seen >= state.last_seen`;
    yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND ${print} IN
        (SELECT ${print} FROM staged WHERE station = ${id} AND value IS NULL)`;
  }
});
var resolveRejects = (sql, run, stateKey) => {
  const key = encodeText(stateKey);
  const mine = sql`JOIN stations ON stations.run_id = ${run} AND stations.step = theirs.step
    JOIN staged ON staged.station = stations.id AND staged.key = theirs.key`;
  const held = sql`SELECT theirs.run_id, theirs.row_key FROM held AS theirs ${mine}
    WHERE theirs.state_key = ${key} AND theirs.run_id <> ${run}`;
  const failed = sql`SELECT theirs.run_id, theirs.row_key FROM
    (SELECT runs.id AS run_id, own.step, changes.key, changes.row_key FROM runs
      JOIN stations AS own ON own.run_id = runs.id JOIN staged AS changes ON changes.station = own.id
      WHERE runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run}) AS theirs ${mine}`;
  return sql`UPDATE rejects SET replayed_by = ${run} WHERE replayed_by IS NULL
    AND (run_id, key) IN (${held} UNION ALL ${failed})`;
};

// src/Ledger/Retention.ts
import * as Effect11 from "effect/Effect";
var isShard = ({ group_id, id }, all4) => group_id !== null && decodeText(group_id) !== id && all4.has(decodeText(group_id));
var isTrialFolder = (out, run) => /[/\\]trial[/\\][^/\\]+[/\\]([^/\\]+)$/.exec(out)?.[1] === run;
var spentRetention = 400 * 24 * 60 * 6e4;
var pathsIn = (value) => {
  if (typeof value === "object" && value !== null && "path" in value && typeof value.path === "string")
    return [value.path];
  if (typeof value !== "object" || value === null || !("files" in value) || !Array.isArray(value.files)) return [];
  return value.files.flatMap(
    (file) => typeof file === "object" && file !== null && "path" in file && typeof file.path === "string" ? [file.path] : []
  );
};
var unpublishedFiles = ({ sql }, run) => Effect11.gen(function* () {
  const kept = yield* sql`SELECT value FROM stations WHERE run_id = ${run} AND value IS NOT NULL
      UNION ALL SELECT entries.value FROM entries JOIN stations ON stations.id = entries.station
        WHERE stations.run_id = ${run} AND entries.key LIKE 'file %'
      UNION ALL SELECT sealed FROM run_texts WHERE run_id = ${run} AND sealed IS NOT NULL`;
  const values = kept.map(({ value }) => fromText(value));
  return [...new Set(values.flatMap((value) => Array.isArray(value) ? value : [value]).flatMap(pathsIn))];
});
var deleteRun = (connection, { folder, id, out_folder, pipeline, status, updated_at }) => Effect11.gen(function* () {
  const { sql } = connection;
  const { fence } = yield* acquire(connection, [`run ${id}`]);
  return yield* Effect11.gen(function* () {
    yield* fence;
    const [still] = yield* sql`SELECT id FROM runs WHERE id = ${id} AND updated_at = ${updated_at}`;
    if (still === void 0) return [];
    const deleted = {
      id,
      pipeline: decodeText(pipeline),
      status,
      folder: decodeText(folder),
      trial: isTrialFolder(decodeText(out_folder), id) ? decodeText(out_folder) : void 0,
      files: yield* unpublishedFiles(connection, id)
    };
    const [begun] = yield* sql`SELECT options FROM run_texts WHERE run_id = ${id}`;
    const replayOf = begun && (yield* decodeOptions(connection, id, begun.options)).replayOf;
    if (replayOf !== void 0 && status !== "completed") yield* releaseRejects(sql, replayOf, id);
    for (const table of ["calls", "pages", "rejects", "held", "reservations", "run_texts"]) {
      yield* sql`DELETE FROM ${sql(table)} WHERE run_id = ${id}`;
    }
    yield* sql`DELETE FROM runs WHERE id = ${id}`;
    return [deleted];
  }).pipe(writing(connection, `deleting run ${id}`));
}).pipe(
  Effect11.scoped,
  Effect11.catchTag("Locked", () => Effect11.succeed([]))
);
var make9 = (connection) => {
  const { sql } = connection;
  const shrink2 = shrink(sql).pipe(reading(connection, "returning free space"));
  return {
    runs: ({ before, keepLast }) => Effect11.gen(function* () {
      const all4 = yield* sql`SELECT id, pipeline, status, folder, out_folder, updated_at, group_id
          FROM runs
          ORDER BY started_at DESC, id DESC`.pipe(reading(connection, "looking for old runs"));
      const newest = /* @__PURE__ */ new Map();
      const ids = new Set(all4.map(({ id }) => id));
      const [runs, shards] = [all4.filter((each) => !isShard(each, ids)), all4.filter((each) => isShard(each, ids))];
      const alive = new Set(shards.flatMap((each) => Number(each.updated_at) < before ? [] : [each.group_id]));
      const expired = runs.filter(({ id, pipeline, updated_at }) => {
        const rank = newest.get(pipeline) ?? 0;
        newest.set(pipeline, rank + 1);
        return rank >= keepLast && Number(updated_at) < before && !alive.has(encodeText(id));
      });
      const expiredIds = new Set(expired.map(({ id }) => id));
      const old = [...shards.filter(({ group_id }) => expiredIds.has(decodeText(group_id ?? ""))), ...expired];
      const deleted = yield* Effect11.forEach(old, (run) => deleteRun(connection, run));
      yield* sql`DELETE FROM spent WHERE slot < ${before - spentRetention}`.pipe(
        Effect11.zipRight(deleteUnusedRates(connection)),
        writing(connection, "deleting old credits")
      );
      yield* deleteLeftovers(connection);
      yield* shrink2;
      return deleted.flat();
    }),
    pages: (before) => Effect11.gen(function* () {
      const old = sql`at < ${before} AND run_id IN (SELECT id FROM runs WHERE status = 'completed')`;
      const [row] = yield* sql`SELECT count(*) AS n FROM pages WHERE ${old}`;
      yield* sql`DELETE FROM pages WHERE ${old}`;
      return Number(row?.n ?? 0);
    }).pipe(writing(connection, "deleting old pages"), Effect11.zipLeft(shrink2))
  };
};

// src/Ledger/Service.ts
var Ledger = class extends Context.Tag("sluice/Ledger")() {
};
var open = (connection, run) => Effect12.gen(function* () {
  const { id, stateKey } = run;
  const names = [`run ${id}`, ...stateKey === void 0 ? [] : [lockName(stateKey)]];
  const locks = yield* acquire(connection, names);
  yield* Effect12.zipRight(locks.fence, start(connection, run)).pipe(writing(connection, `starting run ${id}`));
  return yield* make8(connection, run, locks);
});
var make10 = (connection) => ({
  connection,
  place: connection.place,
  isShared: connection.isShared,
  open: (run) => open(connection, run),
  find: (id) => find(connection, id).pipe(reading(connection, `looking for run ${id}`)),
  creditsSince: (pipeline, since) => creditsSince(connection.sql, pipeline, since).pipe(
    reading(connection, `adding up the credits of ${pipeline}`)
  ),
  history: make3(connection),
  states: make7(connection),
  retention: make9(connection),
  sharedLimits: make6(connection)
});

export {
  ExitCode,
  TypedError,
  LedgerError,
  notOpened,
  Locked,
  migrations,
  sha256,
  canonicalUrl,
  urlVariants,
  host,
  keyOf,
  withData,
  toJson,
  SavedValueInvalid,
  JsonValue,
  SavedRow,
  decodeSaved,
  reading,
  writing,
  acquire,
  heldNames,
  Output,
  decodeOutputs,
  Original,
  SavedProgress,
  isSpent,
  padShard,
  splitOf,
  shardOf,
  offsetOfPart,
  start,
  make5 as make,
  Usage,
  Ledger,
  make10 as make2
};
