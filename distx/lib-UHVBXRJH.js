import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  canParse
} from "./lib-GGME65E2.js";

// src/Callback.ts
var toStandardError = (cause) => {
  const said = cause instanceof Error ? cause.stack ?? cause.message : String(cause);
  process.stderr.write(`error: a callback failed: ${plain(said)}
`);
};
var report = toStandardError;
var reportTo = (log) => {
  report = log;
  return () => {
    if (report === log) report = toStandardError;
  };
};
var tell = (cause) => {
  try {
    report(cause);
  } catch {
  }
};
var safely = (callback, onThrow) => {
  const fail6 = (cause, args) => {
    tell(cause);
    try {
      onThrow?.(cause, args);
    } catch (second) {
      tell(second);
    }
  };
  return (...args) => {
    try {
      const result = callback(...args);
      if (result instanceof Promise) result.catch((cause) => fail6(cause, args));
    } catch (cause) {
      fail6(cause, args);
    }
  };
};
var listen = (emitter, listeners, onThrow) => {
  const added = Object.entries(listeners).map(([name, listener]) => [name, safely(listener, onThrow)]);
  for (const [name, listener] of added) emitter.on(name, listener);
  return () => {
    for (const [name, listener] of added) emitter.off(name, listener);
  };
};
var unsafe = /(?!\u200c|\u200d|\ufe0f|[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
var plain = (text) => text.replace(unsafe, "");

// src/Files/FileErrors.ts
import { isAbsolute } from "node:path";
var reasons = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota of this user is used up",
  EFBIG: "the file would be larger than this process may make one (ulimit -f, or the file system)",
  EMFILE: "this process has too many files open (ulimit -n)",
  ENFILE: "the machine has too many files open",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  EEXIST: "a file of that name is in the way",
  ENOENT: "there is no such file or folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "another program is using it",
  EIO: "the disk cannot read or write it"
};
var fileErrorReason = (error) => {
  const { cause = error, message = String(error) } = error ?? {};
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return reasons[code] ?? (cause instanceof Error ? cause.message : message);
};
var pathInFolder = (path, folder) => isAbsolute(path) ? path : `${path} in ${folder}`;

// src/Database/DriverErrors.ts
var isSqlError = (error) => typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError";
var innermost = (cause) => typeof cause === "object" && cause !== null && "cause" in cause && cause.cause !== void 0 ? innermost(cause.cause) : cause;
var meanings = [
  ["SQLITE_FULL", "the disk is full; free some space, then go on"],
  ["SQLITE_NOTADB", "the file is no database of this program; move it away, or name another data folder"],
  ["SQLITE_CORRUPT", "the file is damaged; bring it back from a backup, or move it away to begin a new one"],
  ["SQLITE_READONLY_DBMOVED", "the file was moved or removed while it was in use"],
  ["SQLITE_READONLY", "the file or its folder may not be written; change that, or name another data folder"],
  ["SQLITE_CANTOPEN", "the file cannot be opened; is its folder writable?"],
  ["SQLITE_PERM", "the file may not be opened; look at its permissions"],
  ["SQLITE_BUSY", "another process did not finish writing to it in time; try again"],
  ["SQLITE_IOERR", "the disk cannot read or write it"],
  ["ECONNREFUSED", "nobody answers there; is the server running, and are host and port right?"],
  ["ENOENT", "there is no such folder or socket; does the path exist, and is the server running?"],
  ["ENOTFOUND", "there is no such host; look at the address"],
  ["ECONNRESET", "the connection was lost; go on when the server can be reached again"],
  ["EPIPE", "the connection was lost; go on when the server can be reached again"],
  ["ETIMEDOUT", "the server cannot be reached; look at the network"],
  ["28", "the server does not let this user in; look at user and password in the address"],
  ["3D000", "there is no such database; make it with CREATE DATABASE, or name another"],
  ["42501", "the user may not do this; GRANT CREATE ON DATABASE lets it make its schema"],
  ["53100", "the server's disk is full; free some space there, then go on"],
  ["53300", "the server takes no more connections; raise max_connections, or run fewer processes"],
  ["53", "the server has no room left for this"],
  ["55P03", "another process did not finish writing in time; try again"],
  ["57014", "it took longer than it may; try again when the server has less to do"],
  ["57P", "the server was shut down or is starting; go on when it can be reached again"],
  ["25P03", "this process was silent for too long in the middle of a write, which was undone"],
  ["25006", "the server only reads (a standby?); name the one that writes"],
  ["08", "the connection was lost; go on when the server can be reached again"]
];
var codeOf = (error) => {
  if (typeof error !== "object" || error === null) return void 0;
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  return error instanceof Error && /Unable to open.*: 14/.test(error.message) ? "SQLITE_CANTOPEN" : void 0;
};
var isBusy = (cause) => codeOf(innermost(cause))?.startsWith("SQLITE_BUSY") === true;
var reasonOf = (cause) => {
  const error = innermost(cause);
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && "path" in error && "syscall" in error) {
    return `${fileErrorReason(error)}; change that, or name another data folder (${words})`;
  }
  const code = codeOf(error);
  const meaning = code === void 0 ? void 0 : meanings.find(([kind]) => code.startsWith(kind));
  return meaning === void 0 ? words : `${meaning[1]} (${words})`;
};

// src/Database/PostgresAddress.ts
import * as Data from "effect/Data";
import * as Either from "effect/Either";
import * as Redacted from "effect/Redacted";
var AddressInvalid = class extends Data.TaggedError("AddressInvalid") {
};
var parts = /^postgres(?:ql)?:\/\/(?:(.*)@)?([^@/?]*)(?:\/([^@/?]*))?$/s;
var schemas = /^[a-z_][a-z0-9_]{0,62}$/;
var wrong = (message) => Either.left(new AddressInvalid({ message }));
var parse = (given) => {
  const [base = "", ...rest] = Redacted.value(given).trim().split("?");
  const found = parts.exec(base);
  if (found === null) {
    return wrong("it is no address of a Postgres database; expected postgres://user:password@host:5432/database");
  }
  const [, who, host = "", database = ""] = found;
  if (/[@/#\s]/.test(who ?? "") || !canParse(base.replace("@/", "@localhost/"))) {
    return wrong(
      "its user, password, host or port is not written as in an address; in them @ is %40, / is %2F, ? is %3F"
    );
  }
  const query = new URLSearchParams(rest.join("?"));
  const schema = query.get("schema") ?? "sluice";
  if (!schemas.test(schema)) {
    return wrong(`the schema "${schema}" is no plain name: small letters, digits and _, at most 63 of them`);
  }
  return Either.right({ base, who, host, database, query, schema });
};
var read = (given, { lock, silence, statement }) => Either.map(parse(given), ({ base, database, host, query, schema, who }) => {
  const options = [
    query.get("options") ?? "",
    `-c search_path=${schema}`,
    `-c lock_timeout=${lock}`,
    `-c statement_timeout=${statement}`,
    `-c idle_in_transaction_session_timeout=${silence}`
  ];
  query.delete("schema");
  query.set("options", options.join(" ").trim());
  query.set("query_timeout", String(statement + 1e4));
  const user = who === void 0 ? "" : `${who.split(":")[0]}@`;
  const socket = query.get("host");
  const place = `postgres://${user}${host === "" ? socket ?? "localhost" : host}/${database}, schema ${schema}`;
  return { place, schema, url: Redacted.make(`${base}?${query}`) };
});

// src/Database/Migration.ts
import * as Clock from "effect/Clock";
import * as Data2 from "effect/Data";
import * as Effect from "effect/Effect";
var statements = (version, name, ...texts) => ({
  version,
  name,
  up: (sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })
});
var NewerDatabase = class extends Data2.TaggedError("NewerDatabase") {
  get message() {
    return `its part "${this.part}" has version ${this.found}, and this program knows ${this.known}: a newer version wrote it. Update the program, or name another data folder.`;
  }
};
var migrate = Effect.fn("Database.migrate")(function* (sql, parts2) {
  yield* sql`CREATE TABLE IF NOT EXISTS migrations (
    part TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, applied_at BIGINT NOT NULL,
    PRIMARY KEY (part, version))`;
  const applied = yield* sql`
    SELECT part, max(version) AS version FROM migrations GROUP BY part`;
  const pending = [];
  for (const [part, migrations] of Object.entries(parts2)) {
    const known = migrations.at(-1)?.version ?? 0;
    const found = applied.find((each) => each.part === part)?.version ?? 0;
    if (found > known) return yield* new NewerDatabase({ part, found, known });
    for (const migration of migrations) if (migration.version > found) pending.push({ ...migration, part });
  }
  if (pending.length === 0) return;
  const applied_at = yield* Clock.currentTimeMillis;
  const apply = ({ name, part, up, version }) => Effect.flatMap(
    sql`INSERT INTO migrations ${sql.insert({ part, version, name, applied_at })} ON CONFLICT DO NOTHING RETURNING version`,
    (claimed) => claimed.length === 0 ? Effect.void : up(sql)
  );
  yield* sql.withTransaction(Effect.forEach(pending, apply, { discard: true }));
});

// src/Callback/EventLoop.ts
import * as Effect2 from "effect/Effect";
var nextTurn = Effect2.async((resume) => {
  setImmediate(safely(() => resume(Effect2.void)));
});

// src/Database/Transaction.ts
import * as SqlClient from "@effect/sql/SqlClient";
import { SqlError } from "@effect/sql/SqlError";
import * as Effect3 from "effect/Effect";
import * as Option from "effect/Option";
import * as Scope from "effect/Scope";
var whole = (sql, { begin, commit }) => {
  const rollback = (connection) => Effect3.ignore(connection.execute("ROLLBACK", [], void 0));
  const transaction = SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [],
    acquireConnection: Effect3.flatMap(
      Scope.make(),
      (scope2) => Effect3.map(Scope.extend(sql.reserve, scope2), (connection) => [scope2, connection])
    ),
    begin: (connection) => Effect3.asVoid(begin(connection)),
    savepoint: (connection, id) => connection.execute(`SAVEPOINT nested_${id}`, [], void 0),
    commit: (connection) => Effect3.asVoid(Effect3.tapError(commit(connection), () => rollback(connection))),
    rollback,
    rollbackSavepoint: (connection, id) => Effect3.ignore(connection.execute(`ROLLBACK TO SAVEPOINT nested_${id}`, [], void 0))
  });
  return (effect2) => Effect3.catchSomeDefect(
    transaction(effect2),
    (defect) => defect instanceof SqlError ? Option.some(Effect3.fail(defect)) : Option.none()
  );
};
var attempts = 5;
var withWholeTransactions = (sql) => Object.assign(sql, {
  withTransaction: whole(sql, {
    // The driver waits for another writer, and everything in this process with it; in between the others have a turn.
    begin: (connection) => Effect3.retry(connection.execute("BEGIN IMMEDIATE", [], void 0), {
      while: (error) => Effect3.as(nextTurn, isBusy(error)),
      times: attempts
    }),
    commit: (connection) => connection.execute("COMMIT", [], void 0)
  })
});

// src/Database.ts
import * as FileSystem from "@effect/platform/FileSystem";
import * as Path from "@effect/platform/Path";
import * as SqlClient3 from "@effect/sql/SqlClient";

// node_modules/@effect/sql-sqlite-node/dist/esm/SqliteClient.js
import * as Reactivity from "@effect/experimental/Reactivity";
import * as Client from "@effect/sql/SqlClient";
import { SqlError as SqlError2 } from "@effect/sql/SqlError";
import * as Statement from "@effect/sql/Statement";
import Sqlite from "libsql";
import * as Cache from "effect/Cache";
import * as Config from "effect/Config";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect4 from "effect/Effect";
import { identity } from "effect/Function";
import * as Layer from "effect/Layer";
import * as Scope2 from "effect/Scope";
var ATTR_DB_SYSTEM_NAME = "db.system.name";
var TypeId = /* @__PURE__ */ Symbol.for("@effect/sql-sqlite-node/SqliteClient");
var SqliteClient = /* @__PURE__ */ Context.GenericTag("@effect/sql-sqlite-node/SqliteClient");
var make6 = (options) => Effect4.gen(function* () {
  const compiler = Statement.makeCompilerSqlite(options.transformQueryNames);
  const transformRows = options.transformResultNames ? Statement.defaultTransforms(options.transformResultNames).array : void 0;
  const makeConnection = Effect4.gen(function* () {
    const scope2 = yield* Effect4.scope;
    const db = new Sqlite(options.filename, {
      readonly: options.readonly ?? false
    });
    yield* Scope2.addFinalizer(scope2, Effect4.sync(() => db.close()));
    if (options.disableWAL !== true) {
      db.pragma("journal_mode = WAL");
    }
    const prepareCache = yield* Cache.make({
      capacity: options.prepareCacheSize ?? 200,
      timeToLive: options.prepareCacheTTL ?? Duration.minutes(10),
      lookup: (sql) => Effect4.try({
        try: () => db.prepare(sql),
        catch: (cause) => new SqlError2({
          cause,
          message: "Failed to prepare statement "
        })
      })
    });
    const runStatement = (statement, params, raw) => Effect4.withFiberRuntime((fiber) => {
      if (Context.get(fiber.currentContext, Client.SafeIntegers)) {
        statement.safeIntegers(true);
      }
      try {
        if (statement.reader) {
          return Effect4.succeed(statement.all(...params));
        }
        const result = statement.run(...params);
        return Effect4.succeed(raw ? result : []);
      } catch (cause) {
        return Effect4.fail(new SqlError2({
          cause,
          message: "Failed to execute statement"
        }));
      }
    });
    const run = (sql, params, raw = false) => Effect4.flatMap(prepareCache.get(sql), (s) => runStatement(s, params, raw));
    const runValues = (sql, params) => Effect4.acquireUseRelease(prepareCache.get(sql), (statement) => Effect4.try({
      try: () => {
        if (statement.reader) {
          statement.raw(true);
          return statement.all(...params);
        }
        statement.run(...params);
        return [];
      },
      catch: (cause) => new SqlError2({
        cause,
        message: "Failed to execute statement"
      })
    }), (statement) => Effect4.sync(() => statement.reader && statement.raw(false)));
    return identity({
      execute(sql, params, transformRows2) {
        return transformRows2 ? Effect4.map(run(sql, params), transformRows2) : run(sql, params);
      },
      executeRaw(sql, params) {
        return run(sql, params, true);
      },
      executeValues(sql, params) {
        return runValues(sql, params);
      },
      executeUnprepared(sql, params, transformRows2) {
        const effect2 = runStatement(db.prepare(sql), params ?? [], false);
        return transformRows2 ? Effect4.map(effect2, transformRows2) : effect2;
      },
      executeStream(_sql, _params) {
        return Effect4.dieMessage("executeStream not implemented");
      },
      export: Effect4.try({
        try: () => db.serialize(),
        catch: (cause) => new SqlError2({
          cause,
          message: "Failed to export database"
        })
      }),
      backup(destination) {
        return Effect4.tryPromise({
          try: () => db.backup(destination),
          catch: (cause) => new SqlError2({
            cause,
            message: "Failed to backup database"
          })
        });
      },
      loadExtension(path) {
        return Effect4.tap(Effect4.try({
          try: () => db.loadExtension(path),
          catch: (cause) => new SqlError2({
            cause,
            message: "Failed to load extension"
          })
        }), () => prepareCache.invalidateAll);
      }
    });
  });
  const semaphore = yield* Effect4.makeSemaphore(1);
  const connection = yield* makeConnection;
  const acquirer = semaphore.withPermits(1)(Effect4.succeed(connection));
  const transactionAcquirer = Effect4.uninterruptibleMask((restore) => Effect4.as(Effect4.zipRight(restore(semaphore.take(1)), Effect4.tap(Effect4.scope, (scope2) => Scope2.addFinalizer(scope2, semaphore.release(1)))), connection));
  return Object.assign(yield* Client.make({
    acquirer,
    compiler,
    transactionAcquirer,
    spanAttributes: [...options.spanAttributes ? Object.entries(options.spanAttributes) : [], [ATTR_DB_SYSTEM_NAME, "sqlite"]],
    transformRows
  }), {
    [TypeId]: TypeId,
    config: options,
    export: Effect4.flatMap(acquirer, (_) => _.export),
    backup: (destination) => Effect4.flatMap(acquirer, (_) => _.backup(destination)),
    loadExtension: (path) => Effect4.flatMap(acquirer, (_) => _.loadExtension(path))
  });
});
var layer2 = (config) => Layer.scopedContext(Effect4.map(make6(config), (client) => Context.make(SqliteClient, client).pipe(Context.add(Client.SqlClient, client)))).pipe(Layer.provide(Reactivity.layer));

// src/Database.ts
import * as Cause from "effect/Cause";
import * as Data3 from "effect/Data";
import * as Effect6 from "effect/Effect";
import * as Layer2 from "effect/Layer";

// src/Files.ts
import * as NodePath from "node:path";
import * as Effect5 from "effect/Effect";
var makeFolder = (fs, folder) => fs.makeDirectory(folder).pipe(
  Effect5.catchIf(
    (error) => error._tag === "SystemError" && error.reason === "NotFound" && NodePath.dirname(folder) !== folder,
    () => Effect5.zipRight(makeFolder(fs, NodePath.dirname(folder)), fs.makeDirectory(folder))
  ),
  Effect5.catchIf(
    (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
    (error) => Effect5.flatMap(fs.stat(folder), ({ type }) => type === "Directory" ? Effect5.void : Effect5.fail(error))
  )
);
var syncFolder = (fs, folder) => fs.open(folder, { flag: "r" }).pipe(
  Effect5.flatMap((handle) => handle.sync),
  Effect5.scoped,
  Effect5.ignore
);

// src/Database.ts
var DatabaseError = class extends Data3.TaggedError("DatabaseError") {
  get message() {
    return `Cannot open the database ${this.file}: ${this.reason}`;
  }
};
var patience = 1e4;
var opened = ({ file, parts: parts2, pragmas }) => {
  const failed = (cause) => new DatabaseError({ file, reason: reasonOf(cause), cause });
  const open = Effect6.gen(function* () {
    const sql = withWholeTransactions(yield* SqlClient3.SqlClient);
    yield* Effect6.forEach(
      // Several processes may share the file: writers wait for each other, and readers for nobody.
      [`busy_timeout = ${patience}`, ...pragmas, "temp_store = MEMORY", "journal_mode = WAL"],
      (pragma) => sql.unsafe(`PRAGMA ${pragma}`),
      { discard: true }
    );
    yield* migrate(sql, parts2);
    return sql;
  }).pipe(
    Effect6.catchTags({
      NewerDatabase: (newer) => Effect6.fail(new DatabaseError({ file, reason: newer.message })),
      SqlError: (error) => Effect6.fail(failed(error))
    })
  );
  return Layer2.effect(SqlClient3.SqlClient, open).pipe(
    // The driver would set WAL at once, and then it is too late for `auto_vacuum`.
    Layer2.provide(layer2({ filename: file, disableWAL: true })),
    // The driver throws when the file cannot be opened.
    Layer2.catchAllCause((cause) => {
      const error = Cause.squash(cause);
      return Layer2.fail(error instanceof DatabaseError ? error : failed(error));
    })
  );
};
var isShared = (files, folder) => Effect6.flatMap(
  files.stat(folder),
  ({ mode }) => (mode & 514) === 514 ? Effect6.map(files.readDirectory(folder), (names) => names.length > 0) : Effect6.succeed(false)
);
var layer3 = (options) => Layer2.unwrapScoped(
  Effect6.gen(function* () {
    const { file } = options;
    const files = yield* FileSystem.FileSystem;
    const folder = (yield* Path.Path).dirname(file);
    const failed = (cause) => new DatabaseError({ file, reason: reasonOf(cause), cause });
    yield* Effect6.mapError(makeFolder(files, folder), failed);
    if (yield* Effect6.mapError(isShared(files, folder), failed)) {
      const reason = `${folder} is a folder of all users of this machine, and what is kept in it would be private: name one below it`;
      return yield* new DatabaseError({ file, reason });
    }
    yield* Effect6.mapError(files.chmod(folder, 448), failed);
    return opened(options);
  })
);
var memory = (options) => opened({ ...options, file: ":memory:" });
var shrink = (sql) => sql.onDialectOrElse({
  sqlite: () => Effect6.gen(function* () {
    yield* Effect6.acquireUseRelease(
      sql.unsafe("PRAGMA auto_vacuum = FULL"),
      // Any change will do.
      () => sql.withTransaction(sql`UPDATE migrations SET name = name`),
      () => Effect6.ignore(sql.unsafe("PRAGMA auto_vacuum = INCREMENTAL"))
    );
    yield* sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)");
  }),
  orElse: () => Effect6.void
});

// src/Database/Dialect.ts
var needsFingerprints = (sql) => sql.onDialectOrElse({ sqlite: () => false, orElse: () => true });
var forDialect = (needsFingerprints2, statement) => needsFingerprints2 ? statement : statement.replaceAll("fingerprint(", "(");
var fingerprintOf = (sql, column) => sql.literal(forDialect(needsFingerprints(sql), `fingerprint(${column})`));
var fingerprintOfText = (sql, text) => needsFingerprints(sql) ? sql`fingerprint(${text})` : sql`${text}`;
var fingerprintFunction = `CREATE FUNCTION fingerprint(TEXT) RETURNS BYTEA LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT sha256(convert_to($1, 'UTF8')) $$`;
var escape = "\x1B";
var unsupported = new RegExp(`[\\0${escape}\\p{Surrogate}]`, "gu");
var escaped = new RegExp(`${escape}([0-9a-f]{4})`, "g");
var encodeText = (text) => text.replace(unsupported, (character) => escape + character.charCodeAt(0).toString(16).padStart(4, "0"));
var decodeText = (stored) => stored.includes(escape) ? stored.replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) : stored;

// src/Database/BulkStatement.ts
import * as Effect7 from "effect/Effect";
var largest = 64;
var textOf = ({ after, before, row, shared, width }, rows) => {
  const tuples = [];
  for (let index = 0; index < rows; index++) {
    const own = [];
    for (let column = 1; column <= width; column++) own.push(`$${shared + index * width + column}`);
    tuples.push(row(own.join(", ")));
  }
  return before + tuples.join(", ") + after;
};
var make7 = (shape) => {
  const texts = { plain: /* @__PURE__ */ new Map(), printed: /* @__PURE__ */ new Map() };
  const text = (sql, rows) => {
    const isPrinted = needsFingerprints(sql);
    const known = texts[isPrinted ? "printed" : "plain"];
    const found = known.get(rows) ?? forDialect(isPrinted, textOf(shape, rows));
    known.set(rows, found);
    return found;
  };
  return (sql, shared, items, values) => {
    let at = 0;
    return Effect7.whileLoop({
      while: () => at < items.length,
      body: () => {
        let rows = largest;
        while (rows > items.length - at) rows /= 2;
        const parameters = [...shared];
        for (let index = at; index < at + rows; index++) parameters.push(...values(items[index]));
        at += rows;
        return sql.unsafe(text(sql, rows), parameters);
      },
      step: () => {
      }
    });
  };
};
var inserting = (into, width) => make7({ before: `${into} VALUES `, row: (own) => `(${own})`, after: "", shared: 0, width });

export {
  parse,
  read,
  reportTo,
  safely,
  listen,
  fileErrorReason,
  pathInFolder,
  isSqlError,
  innermost,
  codeOf,
  reasonOf,
  statements,
  migrate,
  nextTurn,
  whole,
  withWholeTransactions,
  makeFolder,
  syncFolder,
  DatabaseError,
  layer3 as layer,
  memory,
  shrink,
  needsFingerprints,
  fingerprintOf,
  fingerprintOfText,
  fingerprintFunction,
  encodeText,
  decodeText,
  make7 as make,
  inserting
};
