import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Ledger,
  make2 as make,
  migrations,
  notOpened
} from "./lib-RBRX5FPT.js";
import {
  DatabaseError,
  codeOf,
  innermost,
  isSqlError,
  migrate,
  read,
  reasonOf,
  whole
} from "./lib-UHVBXRJH.js";

// src/Ledger/Postgres.ts
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import * as FileSystem from "@effect/platform/FileSystem";
import * as SqlClient3 from "@effect/sql/SqlClient";
import * as Effect3 from "effect/Effect";
import * as Layer2 from "effect/Layer";

// src/Database/ConnectionLoss.ts
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
var patience = 2e4;
var passing = /* @__PURE__ */ new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EAI_AGAIN",
  // A socket that is not there while the server restarts.
  "ENOENT",
  // Shut down by its owner, crashed, starting, full; a session that was silent for too long within a transaction.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25P03"
]);
var words = /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/;
var isLost = (error) => {
  const cause = innermost(error);
  const code = codeOf(cause) ?? "";
  return passing.has(code) || code.startsWith("08") || cause instanceof Error && words.test(cause.message);
};
var isCollision = (error) => ["40001", "40P01"].includes(codeOf(innermost(error)) ?? "");
var pauses = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.jittered,
  Schedule.upTo(patience)
);
var again = (effect2) => Effect.retry(effect2, {
  while: (error) => isSqlError(error) && (isLost(error) || isCollision(error)),
  schedule: pauses
});
var away = /* @__PURE__ */ new WeakSet();
var againAt = (database2) => (effect2) => Effect.suspend(() => away.has(database2) ? effect2 : again(effect2)).pipe(
  Effect.tapBoth({
    onSuccess: () => Effect.sync(() => away.delete(database2)),
    onFailure: (error) => Effect.sync(() => isSqlError(error) && isLost(error) ? away.add(database2) : void 0)
  })
);

// src/Database/Postgres.ts
import * as SqlClient from "@effect/sql/SqlClient";
import { SqlError } from "@effect/sql/SqlError";
import * as PgClient from "@effect/sql-pg/PgClient";
import * as Context from "effect/Context";
import * as Effect2 from "effect/Effect";
import * as Either from "effect/Either";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
var oldest = 13;
var defaults = { lock: 1e4, statement: 3e5, silence: 1e4 };
var addressOf = (url, silence = defaults.silence) => Either.mapLeft(
  read(url, { ...defaults, silence }),
  ({ message }) => new DatabaseError({ file: "of Postgres", reason: message })
);
var migrated = (sql, schema, parts) => Effect2.gen(function* () {
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sluice migrations of ${schema}`}, 0))`;
  const [row] = yield* sql`SELECT to_regnamespace(${schema}) IS NOT NULL AS there`;
  if (row?.there !== true) yield* sql`CREATE SCHEMA ${sql(schema)}`;
  yield* migrate(sql, parts);
}).pipe(sql.withTransaction);
var unusable = (sql) => Effect2.map(
  sql`SELECT current_setting('server_version_num')::int / 10000 AS version,
      current_setting('server_encoding') AS encoding`,
  ([row]) => {
    if (row === void 0 || row.version < oldest) {
      return `it is Postgres ${row?.version ?? "of an unknown version"}; ${oldest} or a later one is needed`;
    }
    return row.encoding === "UTF8" ? void 0 : `its texts are ${row.encoding}; make a database with ENCODING 'UTF8' TEMPLATE template0, and name that one`;
  }
);
var layer2 = ({
  connections = 10,
  parts,
  silence,
  url
}) => Layer.unwrapEffect(
  Effect2.map(addressOf(url, silence), ({ place, schema, url: whole2 }) => {
    const failed = (error) => new DatabaseError({ file: place, reason: reasonOf(error), cause: error });
    const open = Effect2.gen(function* () {
      const sql = withWholeTransactions(yield* PgClient.PgClient);
      const reason = yield* unusable(sql);
      if (reason !== void 0) return yield* new DatabaseError({ file: place, reason });
      yield* migrated(sql, schema, parts);
      return Context.add(Context.make(PgClient.PgClient, sql), SqlClient.SqlClient, sql);
    }).pipe(
      Effect2.catchTags({
        NewerDatabase: (newer) => Effect2.fail(new DatabaseError({ file: place, reason: newer.message })),
        SqlError: (error) => Effect2.fail(failed(error))
      })
    );
    const client = PgClient.layer({
      url: whole2,
      maxConnections: connections,
      minConnections: 0,
      connectTimeout: "10 seconds",
      idleTimeout: "30 seconds",
      applicationName: "sluice"
    });
    return Layer.effectContext(open).pipe(Layer.provide(Layer.catchAll(client, (error) => Layer.fail(failed(error)))));
  })
);
var undone = (cause) => new SqlError({
  cause: Object.assign(new Error("Connection terminated before the commit", { cause }), { code: "08006" })
});
var rolledBack = new SqlError({
  cause: new Error("a statement of the transaction had failed, so that nothing of it was kept")
});
var withWholeTransactions = (sql) => {
  const waited = againAt(sql);
  const ids = /* @__PURE__ */ new WeakMap();
  const outcome = (id) => waited(sql`SELECT pg_xact_status(${id}::xid8) AS status`).pipe(
    Effect2.map(([row]) => row?.status),
    Effect2.flatMap(
      (status) => status === "in progress" ? Effect2.zipRight(
        Effect2.sleep("100 millis"),
        Effect2.suspend(() => outcome(id))
      ) : Effect2.succeed(status)
    )
  );
  const commit = (connection) => connection.executeRaw("COMMIT", []).pipe(
    Effect2.flatMap(
      (result) => (
        // A transaction that has failed says so with nothing but this word.
        result.command === "ROLLBACK" ? Effect2.fail(rolledBack) : Effect2.void
      )
    ),
    Effect2.catchIf(isLost, (error) => {
      const id = ids.get(connection);
      if (id === void 0) return Effect2.fail(error);
      return Effect2.flatMap(
        outcome(id),
        (status) => status === "committed" ? Effect2.void : Effect2.fail(status === "aborted" ? undone(error) : error)
      );
    })
  );
  const begin = (connection) => Effect2.map(
    // Without parameters both go in one message.
    connection.execute("BEGIN; SELECT pg_current_xact_id()::text AS id", [], void 0),
    (results) => {
      const [row] = results[1];
      if (row !== void 0) ids.set(connection, row.id);
    }
  );
  const once = whole(sql, { begin, commit });
  return Object.assign(sql, {
    withTransaction: (effect2) => Effect2.flatMap(
      Effect2.serviceOption(SqlClient.TransactionConnection),
      (around) => (
        // A part of a transaction cannot be done again without the whole.
        Option.isSome(around) ? once(effect2) : waited(once(effect2))
      )
    )
  });
};

// src/Ledger/Postgres.ts
var heartbeatInterval = 1e3;
var heartbeatTimeout = 4e3;
var database = (url, connections) => layer2({ url, parts: { ledger: migrations }, connections, silence: heartbeatTimeout });
var hostId = Effect3.gen(function* () {
  const files = yield* FileSystem.FileSystem;
  const boot = yield* Effect3.orElseSucceed(files.readFileString("/proc/sys/kernel/random/boot_id"), () => randomUUID());
  const space = yield* Effect3.orElseSucceed(files.readLink("/proc/self/ns/pid"), () => randomUUID());
  return `${hostname()}/${boot.trim()}/${space}`;
});
var placeOf = (url) => Effect3.map(addressOf(url), ({ place }) => place);
var over = (place) => Layer2.effect(
  Ledger,
  Effect3.gen(function* () {
    const sql = yield* SqlClient3.SqlClient;
    const millis = (time) => `floor(extract(epoch FROM ${time}) * 1000)::bigint`;
    const heartbeat = {
      interval: heartbeatInterval,
      timeout: heartbeatTimeout,
      // The server's clock, because clocks of machines differ.
      now: Effect3.succeed(sql.literal(millis("clock_timestamp()"))),
      // Heartbeats cannot arrive while the server is down, so silence counts from its start.
      lastBeat: sql.literal(`greatest(beat, ${millis("pg_postmaster_start_time()")})`)
    };
    return make({ sql, place, host: yield* hostId, heartbeat, isShared: true, retryRead: againAt(sql) });
  })
);
var layer3 = (url) => Layer2.unwrapEffect(Effect3.map(placeOf(url), (place) => Layer2.provide(over(place), database(url)))).pipe(
  Layer2.mapError(notOpened)
);

export {
  again,
  addressOf,
  layer2 as layer,
  database,
  placeOf,
  over,
  layer3 as layer2
};
