import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  abandoned,
  command,
  serviceIn
} from "./chunk-G4GEENZR.js";
import {
  pauseEnd,
  schedules
} from "./chunk-NZRCZCKM.js";
import {
  diffLines,
  favicon,
  toIncomingMessage
} from "./chunk-AHZMYVYX.js";
import {
  bundle,
  hostOf,
  isLoopback,
  ofData,
  ofTrustedPage
} from "./chunk-GDKBED2B.js";
import {
  ledgerExists,
  ledgerLayer
} from "./chunk-ZU3QWNBT.js";
import {
  dashboardPort,
  data,
  host,
  port,
  profile,
  trust,
  trustArguments
} from "./chunk-22T4FJR7.js";
import {
  make,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  clientsOf,
  hostedService
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import {
  make as make3
} from "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  FileUnusable,
  NothingYet,
  place
} from "./chunk-BMNGXVO7.js";
import "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint,
  warn
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  diagramOf
} from "./chunk-2FKDIRWL.js";
import "./chunk-6B7FEELY.js";
import {
  check,
  link,
  scheduledOf
} from "./chunk-3BWTLUFE.js";
import {
  isResumable,
  runStatus
} from "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  ActiveCrawls,
  Browser,
  HeaderInvalid,
  HttpServerRequest,
  LineSplitter,
  RetryPolicy,
  TokenUsage,
  backoff,
  builtIn,
  decoderOf,
  empty2 as empty,
  get,
  isSafe,
  nextInstants,
  open2 as open,
  params,
  parseText,
  post2 as post,
  read2 as read,
  stream,
  text as text2,
  toHttpApp,
  tokensPerCredit,
  withMaxBodySize
} from "./chunk-PGOM52WJ.js";
import {
  version
} from "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import {
  isDeepJson
} from "./chunk-NEXSCO5F.js";
import {
  Ledger,
  decodeOptions,
  decodeProgress,
  reading,
  toPage,
  toReject
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import {
  decodeText,
  encodeText as encodeText2
} from "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import {
  isSpent
} from "./chunk-L2IO7ZT7.js";
import {
  isSqlError,
  reasonOf
} from "./chunk-7DF5MID3.js";
import {
  FileSystem,
  Path,
  _await,
  canonicalUrl,
  concat,
  decodeOutputs,
  dropping,
  encodeText,
  filterMap,
  fromIterableEffect,
  fromQueue,
  keyOf,
  make as make2,
  makeFolder,
  mapConcatEffect,
  mapError as mapError2,
  merge,
  repeatValue,
  runCollect,
  runHead,
  schedule,
  sha256,
  shutdown,
  spaced,
  take2 as take,
  takeWhile,
  unsafeOffer
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Array$,
  ArrayFormatter,
  Boolean$,
  Int,
  JsonNumber,
  Literal,
  Record,
  String$,
  Struct,
  TaggedError,
  Union2 as Union,
  between,
  build,
  decodeOption,
  decodeUnknown,
  decodeUnknownOption,
  effect,
  maxLength,
  mergeAll,
  optional,
  optionalWith,
  orDie,
  parseJson,
  pattern,
  provideMerge,
  scoped as scoped2,
  service,
  succeed as succeed2,
  sync as sync2
} from "./chunk-PAQDWWDE.js";
import {
  Tag,
  _void,
  acquireRelease,
  acquireUseRelease2 as acquireUseRelease,
  addFinalizer2 as addFinalizer,
  all3 as all2,
  as2 as as,
  asVoid3 as asVoid,
  async,
  cached,
  catchAll3 as catchAll,
  catchAllDefect,
  catchTag,
  currentTimeMillis,
  either,
  ensuring2 as ensuring,
  fail5 as fail,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  forever3 as forever,
  forkIn2 as forkIn,
  forkScoped,
  gen,
  ignore,
  ignoreLogged,
  intoDeferred,
  logError,
  makeLatch,
  makeSemaphore,
  map9 as map2,
  mapError2 as mapError,
  onInterrupt2 as onInterrupt,
  option,
  orElse2 as orElse,
  orElseSucceed,
  promise,
  provide2 as provide,
  provideService,
  scope,
  scoped2 as scoped,
  seconds,
  sleep2 as sleep,
  succeed4 as succeed,
  suspend2 as suspend,
  sync3 as sync,
  tapErrorCause,
  timeoutFail,
  toReadonlyArray,
  try_,
  uninterruptible2 as uninterruptible,
  withSpan,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import {
  all,
  getOrElse,
  isLeft,
  isRight,
  left,
  map,
  right,
  zipWith
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  flatten,
  getOrUndefined,
  match,
  none2 as none,
  some2 as some,
  toArray
} from "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Dashboard.ts
import * as Http from "node:http";

// src/Dashboard/Access.ts
import { randomBytes, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";

// src/Web/Dashboard/Protocol.ts
var tokenHeader = "sluice-token", onceHeader = "idempotency-key", paths = {
  /** → `About` */
  about: "/api/about",
  /** `?pipeline=&state=&text=&group=&after=&limit=` → `RunList` */
  runs: "/api/runs",
  /** → `Names` of pipelines that have run, for the filter. */
  pipelines: "/api/pipelines",
  /** → `RunDetail` */
  run: "/api/runs/:id",
  /** → `Definition` as the run began with it. */
  definition: "/api/runs/:id/definition",
  /** `?after=` a position in bytes, → `Log` */
  log: "/api/runs/:id/log",
  /** `?step=&error=&text=&which=open|replayed|all&after=&limit=` → `RejectList` */
  rejects: "/api/runs/:id/rejects",
  /** `?after=&limit=` → `RunPages` */
  runPages: "/api/runs/:id/pages",
  /** `:number` of the run's `outputs`, `?rows=` (at most 200) → `Preview` */
  preview: "/api/runs/:id/outputs/:number",
  /** POST, `Again` → `Launched`: a new run with the open rejects of this one. */
  replay: "/api/runs/:id/replay",
  /** POST, `Again` → `Launched`: goes on with it, where `canResume`. */
  resume: "/api/runs/:id/resume",
  /** POST → `Done`: stops it in order, where `canStop`. */
  stop: "/api/runs/:id/stop",
  /** `?text=&after=&limit=` → `PageList` */
  pages: "/api/pages",
  /** `?key=&after=&limit=` → `PageVersions` */
  page: "/api/page",
  /** `?key=&from=RUN:NUMBER&to=RUN:NUMBER` → `PageDiff` */
  diff: "/api/page/diff",
  /** → `ScheduleList` */
  schedules: "/api/schedules",
  /** `?from=&to=&pipeline=`: instants, at most 62 days apart → `Calendar` */
  calendar: "/api/schedules/calendar",
  /** POST, `Pause` → `Done` */
  pause: "/api/schedules/:pipeline/pause",
  /** POST → `Done` */
  unpause: "/api/schedules/:pipeline/resume",
  /** `?months=` (12, at most 36) → `Usage` */
  usage: "/api/usage",
  /** → `EngineNow` */
  engine: "/api/engine",
  /** → `Definitions` that can be run from here. */
  definitions: "/api/definitions",
  /** POST, `Launch` → `Launched` */
  launch: "/api/launch",
  /** `?run=` one to be followed closely; `text/event-stream` of `Events`. */
  events: "/api/events"
}, page = { runs: 50, rejects: 50, pages: 50, versions: 100, most: 200 };

// src/Dashboard/Request.ts
var Refusal = class extends TaggedError("Refusal") {
  get message() {
    return this.reason;
  }
  get trouble() {
    return { error: this.reason, ...this.mistakes === void 0 ? {} : { mistakes: this.mistakes } };
  }
}, noRun = (id2) => new Refusal({ status: 404, reason: `the ledger has no run ${id2}: it was forgotten, or never was` }), storable = (text3) => text3.replaceAll("\0", "\uFFFD"), Query = class {
  #fields;
  constructor(fields2) {
    this.#fields = fields2;
  }
  text(name, longest = 2e3) {
    let value = this.#fields.get(name);
    return value === null || value === "" ? void 0 : storable(value.slice(0, longest));
  }
  /** A whole number within bounds; what is out of them is brought within. */
  number(name, { least = 0, most: most5, otherwise }) {
    let text3 = this.text(name);
    if (text3 === void 0) return right(otherwise);
    let number = Number(text3);
    return Number.isSafeInteger(number) ? right(Math.min(most5, Math.max(least, number))) : left(new Refusal({ status: 400, reason: `${name}: expected a whole number, got "${text3}"` }));
  }
  word(name, words) {
    let text3 = this.text(name), word = words.find((each) => each === text3);
    return text3 === void 0 || word !== void 0 ? right(word) : left(new Refusal({ status: 400, reason: `${name}: expected one of ${words.join(", ")}, got "${text3}"` }));
  }
}, IdempotencyKeys = class extends Tag("sluice/Dashboard/Begun")() {
}, layer = sync2(IdempotencyKeys, () => /* @__PURE__ */ new Map()), maxKeys = 1e3, unusable = new Refusal({
  status: 400,
  reason: `${onceHeader}: expected 8 to 100 letters, digits, _ or -`
}), once = (body2, begin2) => gen(function* () {
  let { headers, url } = yield* HttpServerRequest, key = headers[onceHeader];
  if (key === void 0) return yield* begin2;
  if (!/^[\w-]{8,100}$/.test(key)) return yield* unusable;
  let begun = yield* IdempotencyKeys, name = sha256(JSON.stringify([key, url, body2])), known = begun.get(name);
  if (known !== void 0) return yield* _await(known);
  let own = yield* make2();
  begun.set(name, own);
  for (let oldest of begun.keys()) {
    if (begun.size <= maxKeys) break;
    begun.delete(oldest);
  }
  return yield* uninterruptible(
    intoDeferred(
      tapErrorCause(begin2, () => sync(() => begun.delete(name))),
      own
    )
  ).pipe(zipRight(_await(own)));
});

// src/Dashboard/Access.ts
var isSame = (given, wanted) => timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted))), make4 = ({ bound, port: port2 }) => {
  let token = randomBytes(32).toString("base64url"), isOwn = (header) => {
    let host2 = hostOf(header);
    if (isLoopback(bound)) return isLoopback(host2.name) && host2.port === String(port2);
    let bare = host2.name.replace(/^\[|\]$/g, "");
    return isLoopback(host2.name) || isIP(bare) !== 0 || host2.name === bound.toLowerCase() || host2.name === hostname().toLowerCase();
  };
  return {
    token,
    stranger: ({ headers, method }) => {
      let { host: host2 = "", origin } = headers;
      if (!isOwn(host2)) {
        let reason = `this dashboard is not called ${host2.slice(0, 100)}: open it by the address that sluice printed`;
        return new Refusal({ status: 403, reason });
      }
      if (method === "GET" || method === "HEAD") return;
      let site = headers["sec-fetch-site"], isFromHere = origin === `http://${host2}` || origin === `https://${host2}`;
      return site === "same-origin" || site === void 0 && isFromHere ? void 0 : new Refusal({ status: 403, reason: "nothing is changed from another site's page" });
    },
    isKnown: ({ headers }) => isSame(headers[tokenHeader] ?? "", token)
  };
}, outside = new Refusal({
  status: 401,
  reason: "this is the dashboard of sluice, and it does not know you: open the link that sluice printed when it started"
});

// src/Dashboard/Events.ts
import { randomBytes as randomBytes2 } from "node:crypto";

// src/Dashboard/Queries.ts
var contentAtMost = 8e4, makeRejects = (connection) => {
  let { sql } = connection, contains = like(sql), asking = (run2) => reading(connection, `reading the rejects of run ${run2}`);
  return {
    rejects: ({ after, error, limit, run: run2, step, text: text3, which }) => map2(
      sql`SELECT run_id, seq, step, key, defined_at, error, message, at, job_id, trace, status, attempts, replayed_by,
          substr(content, 1, ${sql.literal(String(contentAtMost + 1))}) AS content FROM rejects WHERE ${sql.and([
        sql`run_id = ${run2}`,
        sql`seq > ${after}`,
        ...which === "all" ? [] : [which === "open" ? sql`replayed_by IS NULL` : sql`replayed_by IS NOT NULL`],
        ...step === void 0 ? [] : [sql`step = ${step}`],
        ...error === void 0 ? [] : [sql`error = ${encodeText2(error)}`],
        ...text3 === void 0 ? [] : [sql.or(["key", "message"].map((column) => contains(column, encodeText2(text3))))]
      ])} ORDER BY seq LIMIT ${limit}`,
      (rows) => rows.map(({ content, ...row }) => {
        let { row: _, source: __, ...seen } = toReject({ ...row, content: "null", source: null });
        return { ...seen, content: content.slice(0, contentAtMost), isCut: content.length > contentAtMost };
      })
    ).pipe(asking(run2)),
    newestRejects: (run2, limit) => map2(
      sql`SELECT at, step, message FROM rejects WHERE run_id = ${run2} ORDER BY seq DESC LIMIT ${limit}`,
      (rows) => rows.map((row) => ({ ...row, message: decodeText(row.message) })).reverse()
    ).pipe(asking(run2)),
    rejectCounts: (run2, limit) => map2(
      sql`SELECT step, error, count(*) AS n,
          sum(CASE WHEN replayed_by IS NULL THEN 1 ELSE 0 END) AS open FROM rejects WHERE run_id = ${run2}
          GROUP BY step, error ORDER BY n DESC, step, error LIMIT ${limit}`,
      (rows) => rows.map(({ error, n, open: open2, step }) => ({
        step,
        error: decodeText(error),
        count: Number(n),
        open: Number(open2)
      }))
    ).pipe(asking(run2))
  };
}, like = (sql) => (column, text3) => {
  let pattern2 = `%${text3.replace(/[\\%_]/g, "\\$&")}%`;
  return sql.onDialectOrElse({
    pg: () => sql`${sql.literal(column)} ILIKE ${pattern2}`,
    orElse: () => sql`${sql.literal(column)} LIKE ${pattern2} ESCAPE '\\'`
  });
}, toAttempt = (row) => ({ ...toPage(row), number: Number(row.seq) }), makePages = (connection) => {
  let { sql } = connection, contains = like(sql), asking = reading(connection, "looking for pages");
  return {
    search: (words, after, limit) => map2(
      sql`SELECT DISTINCT key FROM pages WHERE ${sql.and([
        ...after === "" ? [] : [sql`key > ${after}`],
        ...words.map((word) => contains("key", encodeText2(word))),
        sql`1 = 1`
      ])} ORDER BY key LIMIT ${limit}`,
      (rows) => rows.map(({ key }) => key)
    ).pipe(asking),
    keys: (after, limit) => map2(
      sql`SELECT DISTINCT key FROM pages WHERE key > ${after} ORDER BY key LIMIT ${limit}`,
      (rows) => rows.map(({ key }) => key)
    ).pipe(asking),
    keysOf: (run2, after, limit) => map2(
      sql`SELECT key, seq FROM pages WHERE run_id = ${run2} AND seq > ${after}
          ORDER BY seq LIMIT ${limit}`,
      (rows) => rows.map(({ key, seq }) => ({ key, number: Number(seq) }))
    ).pipe(asking),
    lastOf: (runs) => map2(
      forEach(
        runs,
        (run2) => map2(sql`SELECT max(seq) AS n FROM pages WHERE run_id = ${run2}`, ([row]) => [run2, Number(row?.n ?? 0)])
      ),
      (pairs) => new Map(pairs)
    ).pipe(asking),
    touched: (since) => map2(
      sql`SELECT id FROM runs WHERE status IN ('running', 'publishing') OR updated_at >= ${since}`,
      (rows) => rows.map(({ id: id2 }) => id2)
    ).pipe(asking),
    met: (stored) => stored.length === 0 ? succeed([]) : gen(function* () {
      let seen = yield* sql`
              SELECT key, count(*) AS n, min(at) AS first, max(at) AS last FROM pages WHERE ${sql.in("key", stored)}
              GROUP BY key ORDER BY key`, newest = yield* sql`SELECT pages.* FROM pages JOIN
              (SELECT key, max(at) AS at FROM pages WHERE ${sql.in("key", stored)} GROUP BY key) AS newest
              ON newest.key = pages.key AND newest.at = pages.at ORDER BY pages.run_id, pages.seq`, last = new Map(newest.map((row) => [row.key, toAttempt(row)]));
      return seen.flatMap((row) => {
        let attempt = last.get(row.key), counted = { attempts: Number(row.n), firstSeen: Number(row.first), lastSeen: Number(row.last) };
        return attempt === void 0 ? [] : [{ key: decodeText(row.key), ...counted, last: attempt }];
      });
    }).pipe(asking),
    attempts: (key, { limit, offset }) => map2(
      sql`SELECT * FROM pages WHERE key = ${encodeText2(key)}
          ORDER BY at DESC, run_id DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`,
      (rows) => rows.map(toAttempt)
    ).pipe(asking),
    attempt: (run2, number) => map2(
      sql`SELECT * FROM pages WHERE run_id = ${run2} AND seq = ${number}`,
      ([row]) => row === void 0 ? void 0 : toAttempt(row)
    ).pipe(asking),
    failures: (run2, among) => map2(
      sql`SELECT * FROM (SELECT * FROM pages WHERE run_id = ${run2} ORDER BY seq DESC LIMIT ${among})
          AS newest WHERE error IS NOT NULL OR status >= 400 ORDER BY seq`,
      (rows) => rows.map(toAttempt)
    ).pipe(asking),
    attemptsOf: (run2, after, limit) => map2(
      sql`SELECT * FROM pages WHERE run_id = ${run2} AND seq > ${after} ORDER BY seq LIMIT ${limit}`,
      (rows) => rows.map(toAttempt)
    ).pipe(asking)
  };
}, numberOf = (value) => value === null ? void 0 : Number(value), toSummary = (connection, row) => map(
  row.options === null ? right(void 0) : decodeOptions(connection, row.id, row.options),
  (options) => ({
    id: row.id,
    pipeline: decodeText(row.pipeline),
    status: row.status,
    startedAt: Number(row.started_at),
    updatedAt: Number(row.updated_at),
    endedAt: numberOf(row.ended_at),
    scheduledFor: numberOf(row.scheduled_for),
    rows: Number(row.rows_given),
    rejects: Number(row.rows_rejected),
    credits: Number(row.credits),
    unpriced: Number(row.unpriced),
    error: row.error === null ? void 0 : decodeText(row.error),
    group: row.group_id === null ? void 0 : decodeText(row.group_id),
    replayOf: options?.replayOf
  })
), conditions = ({ sql }, { after, alive, group, pipeline: pipeline2, shared, status, text: text3 }) => {
  let contains = like(sql), isAlive = (ids, is) => ids.length === 0 ? sql.literal(is ? "1 = 0" : "1 = 1") : is ? sql.in("id", ids) : sql`NOT ${sql.in("id", ids)}`;
  return sql.and([
    // Shards are shown with the run that they are shards of.
    group === void 0 ? sql`(group_id IS NULL OR group_id = id)` : sql`group_id = ${encodeText2(group)} AND id <> ${group}`,
    ...pipeline2 === void 0 ? [] : [sql`pipeline = ${encodeText2(pipeline2)}`],
    ...status === void 0 ? [] : [sql.in("status", status)],
    ...alive === void 0 ? [] : [isAlive(alive.ids, alive.is)],
    ...shared === void 0 ? [] : [shared ? sql`group_id IS NOT NULL` : sql`group_id IS NULL`],
    ...text3 === void 0 ? [] : [
      sql.or(
        ["id", "pipeline", "file", "coalesce(error, '')"].map(
          (column) => contains(column, encodeText2(text3))
        )
      )
    ],
    ...after === void 0 ? [] : [sql`(started_at, id) < (${after.startedAt}, ${after.id})`]
  ]);
}, several = 500, make5 = (connection) => {
  let { sql } = connection, listing = reading(connection, "listing runs"), summed = (column, name) => `${column} + CASE WHEN group_id = id THEN (SELECT coalesce(sum(${column}), 0) FROM runs AS part
      WHERE part.group_id = runs.id AND part.id <> runs.id) ELSE 0 END AS ${name}`, columns = sql.literal(`id, pipeline, status, started_at, updated_at, ended_at, scheduled_for,
    ${summed("row_count", "rows_given")}, ${summed("reject_count", "rows_rejected")},
    ${summed("call_credits + job_credits", "credits")}, ${summed("call_unpriced + job_unpriced", "unpriced")}, error,
    group_id, (SELECT options FROM run_texts WHERE run_id = id) AS options`);
  return {
    ...makePages(connection),
    ...makeRejects(connection),
    runs: (filter) => flatMap(
      sql`SELECT ${columns} FROM runs WHERE ${conditions(connection, filter)}
          ORDER BY started_at DESC, id DESC LIMIT ${filter.limit}`,
      (rows) => all(rows.map((row) => toSummary(connection, row)))
    ).pipe(listing),
    paces: (ids) => ids.length === 0 ? succeed([]) : flatMap(
      sql`SELECT ${columns}, progress FROM runs
              WHERE ${sql.in("id", ids.slice(0, several))}`,
      (rows) => all(
        rows.map(
          (row) => zipWith(
            toSummary(connection, row),
            decodeProgress(connection, row.id, row.progress),
            (summary, progress) => ({ ...summary, progress })
          )
        )
      )
    ).pipe(listing),
    pipelines: map2(
      sql`SELECT DISTINCT pipeline FROM runs ORDER BY pipeline LIMIT 1000`,
      (rows) => rows.map(({ pipeline: pipeline2 }) => decodeText(pipeline2))
    ).pipe(listing),
    count: map2(
      sql`SELECT (SELECT count(*) FROM runs)
        - (SELECT count(*) FROM runs WHERE group_id IS NOT NULL AND group_id <> id) AS n`,
      ([row]) => Number(row?.n ?? 0)
    ).pipe(listing),
    known: (ids) => ids.length === 0 ? succeed(/* @__PURE__ */ new Set()) : map2(
      sql`SELECT id FROM runs WHERE ${sql.in("id", ids.slice(0, several))}`,
      (rows) => new Set(rows.map(({ id: id2 }) => id2))
    ).pipe(listing),
    spent: (from, to) => map2(
      sql`SELECT pipeline, sum(credits) AS credits,
          sum(unpriced) AS unpriced FROM spent WHERE slot >= ${from} AND slot < ${to}
          GROUP BY pipeline ORDER BY pipeline LIMIT 1000`,
      (rows) => rows.map((row) => ({
        pipeline: decodeText(row.pipeline),
        credits: Number(row.credits),
        unpriced: Number(row.unpriced)
      }))
    ).pipe(reading(connection, "adding up what was spent")),
    scheduleMark: map2(
      sql`SELECT count(*) || ' ' || coalesce(max(claimed_at), 0) || ' ' || coalesce(max(begun_at), 0)
        || ' ' || coalesce(max(ended_at), 0) || ' ' || coalesce(max(next_at), 0)
        || ' ' || (SELECT count(*) || ' ' || coalesce(max(paused_at), 0) || ' ' || count(paused_at) FROM schedules) AS mark
        FROM (SELECT * FROM instants ORDER BY instant DESC LIMIT 200) AS newest`,
      ([row]) => row?.mark ?? ""
    ).pipe(reading(connection, "looking at schedules")),
    mark: sql.onDialectOrElse({
      sqlite: () => map2(sql`PRAGMA data_version`, ([row]) => row?.data_version).pipe(
        reading(connection, "looking for changes")
      ),
      orElse: () => succeed(void 0)
    })
  };
}, survey = map2(Ledger, ({ connection }) => make5(connection));

// src/Web/Dashboard/RunProtocol.ts
var states = [
  "running",
  "waiting",
  "publishing",
  "completed",
  "stopped",
  "budget",
  "failed",
  "crashed"
], lively = ["running", "publishing"];

// src/Dashboard/RunView.ts
var firstLine = (text3) => (text3.split(`
`, 1)[0] ?? "").slice(0, 500), lineOf = (run2, alive, now) => {
  let state = runStatus(run2, alive), end = run2.endedAt ?? (lively.includes(state) ? now : run2.updatedAt);
  return {
    id: run2.id,
    pipeline: run2.pipeline,
    state,
    startedAt: run2.startedAt,
    updatedAt: run2.updatedAt,
    endedAt: run2.endedAt,
    rows: run2.rows,
    rejects: run2.rejects,
    credits: run2.credits,
    unpriced: run2.unpriced,
    duration: Math.max(0, end - run2.startedAt),
    error: run2.error === void 0 ? void 0 : firstLine(run2.error),
    scheduledFor: run2.scheduledFor,
    replayOf: run2.replayOf,
    isGroup: run2.group === run2.id
  };
}, SavedGraph = Struct({
  graph: Struct({
    nodes: Array$(
      Struct({
        id: String$,
        key: String$,
        kind: Literal("source", "step", "value", "sink"),
        detail: String$,
        announces: optionalWith(Literal(!0), { exact: !0 })
      })
    ),
    edges: Array$(
      Struct({ from: String$, to: String$, kind: Literal("rows", "after", "value") })
    )
  })
}), decodeGraph = decodeUnknownOption(SavedGraph), graphOf = ({
  definition: definition2,
  file,
  options,
  pipeline: pipeline2
}) => map2(option(parseText(file, "/", definition2)), (source) => {
  let saved = decodeGraph(options);
  if (saved._tag === "Some") return saved.value.graph;
  if (source._tag === "None") return null;
  let { steps } = source.value.value ?? {}, { nodes } = link(Array.isArray(steps) ? steps : [], builtIn);
  if (nodes.length === 0) return null;
  let drawing = diagramOf({ nodes, frame: { version: 1, name: pipeline2, steps: [{}] } });
  return { nodes: drawing.nodes, edges: drawing.edges };
}), budgetNames = ["credits", "pages", "rows", "bytes", "duration"], budgetOf = (run2, { bytes = 0, pages }, now) => gen(function* () {
  let limits4 = (run2.options ?? {}).budget;
  if (typeof limits4 != "object" || limits4 === null) return [];
  let per = limits4.per === "day" ? "day" : "run", { creditsSince } = yield* Ledger, used = { credits: per === "day" ? yield* creditsSince(run2.pipeline, Math.floor(now / 864e5) * 864e5) : run2.credits, pages, rows: run2.rows, bytes, duration: (run2.endedAt ?? now) - run2.startedAt };
  return budgetNames.flatMap((name) => {
    let limit = limits4[name];
    return typeof limit == "number" ? [{ name, used: used[name], limit, per }] : [];
  });
}), newsAtMost = 20, looked = 200, failureText = ({ error, key, status }) => `${key.slice(0, 300)}: ${firstLine(error ?? `status ${status}`)}`, ending = {
  completed: "completed",
  stopped: "stopped in order",
  budget: "stopped at its budget",
  failed: "failed",
  crashed: "nobody works on it any more"
}, newsOf = (line, why) => gen(function* () {
  let survey2 = yield* survey, rejects2 = line.rejects === 0 ? [] : yield* survey2.newestRejects(line.id, newsAtMost), failures = (yield* survey2.failures(line.id, looked)).slice(-newsAtMost), end = ending[line.state], news = [
    ...rejects2.map((each) => ({
      at: Date.parse(each.at),
      kind: "reject",
      step: each.step,
      text: firstLine(each.message)
    })),
    ...failures.map((each) => ({ at: each.at, kind: "page", step: each.step, text: failureText(each) }))
  ].sort((a, b) => a.at - b.at);
  return [
    { at: line.startedAt, kind: "began", text: line.replayOf === void 0 ? "began" : `took up ${line.replayOf}` },
    ...news,
    ...end === void 0 ? [] : [
      {
        at: line.endedAt ?? line.updatedAt,
        kind: "ended",
        text: why === void 0 ? end : `${end}: ${firstLine(why)}`
      }
    ]
  ];
}), outputsOf = ({ outputs }) => getOrElse(decodeOutputs("The outputs of the run", outputs ?? []), () => []).map(
  ({ bytes, format, path, rows }, number) => ({ number, path, format, rows, bytes })
), numbersOf = (value) => typeof value == "object" && value !== null && !Array.isArray(value) ? value : {}, numberOf2 = (value) => typeof value == "number" && Number.isFinite(value) ? value : 0, givenOf = (progress) => numbersOf(numbersOf(progress).given), loadOf = (load) => {
  if (!Array.isArray(load)) return {};
  let [held, room, busy, blocked] = load;
  return { held: numberOf2(held), room: numberOf2(room), busy: numberOf2(busy), blocked: blocked === !0 };
}, announcesRows = ({ announces, kind }) => kind === "source" || announces === !0, progressOf = ({ progress, updatedAt }, graph, rates) => {
  let saved = numbersOf(progress), given = givenOf(progress), rejected = numbersOf(saved.rejected), now = numbersOf(saved.now), loads = numbersOf(now.loads), ids = graph?.nodes.filter(({ kind }) => kind !== "value").map(({ id: id2 }) => id2) ?? Object.keys(given), rowsInto = (step) => (graph?.edges ?? []).reduce(
    (sum, { from, kind, to }) => kind === "rows" && to === step ? sum + numberOf2(given[from]) : sum,
    0
  );
  return {
    at: updatedAt,
    expected: numberOf2(saved.expected),
    read: (graph?.nodes ?? []).filter(announcesRows).reduce((sum, { id: id2 }) => sum + numberOf2(given[id2]), 0),
    pages: numberOf2(now.pages),
    bytes: numberOf2(now.bytes),
    steps: ids.map((step) => ({
      step,
      in: rowsInto(step),
      out: numberOf2(given[step]),
      rejects: numberOf2(rejected[step]),
      rate: rates?.get(step),
      ...loadOf(loads[step])
    }))
  };
}, back = 1e4, Rates = class {
  #moments = /* @__PURE__ */ new Map();
  /** Takes down how a run stands. */
  note({ id: id2, progress, updatedAt }) {
    let moments = this.#moments.get(id2) ?? [];
    if (moments.at(-1)?.at !== updatedAt) {
      for (moments.push({ at: updatedAt, given: givenOf(progress) }); moments.length > 2 && (moments[1]?.at ?? 0) < updatedAt - back; ) moments.shift();
      this.#moments.set(id2, moments);
    }
  }
  forget(id2) {
    this.#moments.delete(id2);
  }
  /** Undefined until it can be told. */
  of(id2, now) {
    let moments = this.#moments.get(id2), [first] = moments ?? [], last = moments?.at(-1);
    if (first === void 0 || last === void 0 || first === last) return;
    let seconds2 = Math.max(last.at, now - back) - first.at;
    return new Map(
      Object.keys(last.given).map((step) => {
        let rows = numberOf2(last.given[step]) - numberOf2(first.given[step]);
        return [step, now - last.at > back || seconds2 <= 0 ? 0 : Math.max(0, rows * 1e3 / seconds2)];
      })
    );
  }
};

// src/Dashboard/Events.ts
var intervals = { look: 1e3, list: 2e3, sweep: 1e4 }, limits = { going: 200, newest: 50, known: 500 }, linger = 15e3, Watch = class extends Tag("sluice/Dashboard/Watch")() {
}, make6 = gen(function* () {
  let ledger = yield* Ledger, { history } = ledger, survey2 = yield* survey, listeners = new Listeners(), rates = new Rates(), awake = yield* makeLatch(!1), known = /* @__PURE__ */ new Map(), going = /* @__PURE__ */ new Set(), followed = /* @__PURE__ */ new Map(), at = { list: 0, sweep: 0 }, mark, schedules2, trouble, left2 = 0, changed2 = (runs, alive, now) => runs.flatMap((run2) => {
    let line = lineOf(run2, alive.has(run2.id), now), sign = `${line.state} ${line.updatedAt} ${line.rows} ${line.rejects} ${line.credits}`;
    return known.get(run2.id) === sign ? [] : (known.delete(run2.id), known.set(run2.id, sign), [line]);
  }), follow = (intervals2, line, now) => gen(function* () {
    let kept = followed.get(intervals2.id), run2 = kept === void 0 ? yield* ledger.find(intervals2.id) : kept.run;
    if (run2 === void 0) return;
    let graph = kept === void 0 ? yield* graphOf(run2) : kept.graph;
    followed.set(intervals2.id, { run: run2, graph });
    let progress = progressOf(intervals2, graph, rates.of(intervals2.id, now)), current = { ...run2, credits: intervals2.credits, rows: intervals2.rows, endedAt: intervals2.endedAt }, budget = yield* budgetOf(current, progress, now), news = yield* newsOf(line, intervals2.error);
    listeners.tell("progress", { run: intervals2.id, progress, budget, news }, intervals2.id);
  }).pipe(provideService(Ledger, ledger)), look = gen(function* () {
    let now = yield* currentTimeMillis, isList = now - at.list >= intervals.list, isSweep = now - at.sweep >= intervals.sweep, version2 = yield* survey2.mark;
    if (version2 !== void 0 && version2 === mark && !isSweep) return;
    let alive = yield* history.alive;
    for (let id2 of [...alive].slice(-limits.going)) going.add(id2);
    if (isSweep) {
      at.sweep = now;
      let ids = [...known.keys()].slice(-limits.known), there = yield* survey2.known(ids), gone = ids.filter((id2) => !there.has(id2));
      for (let id2 of gone) known.delete(id2);
      known = new Map([...known].slice(-limits.known)), gone.length > 0 && listeners.tell("gone", { runs: gone });
    }
    let isFollowed = listeners.followed;
    followed = new Map([...followed].filter(([id2]) => isFollowed.has(id2)));
    let paces = yield* survey2.paces([.../* @__PURE__ */ new Set([...isFollowed, ...going])]);
    for (let each of paces) alive.has(each.id) && rates.note(each);
    let lines = [...changed2(paces, alive, now)];
    if (isList || isSweep) {
      at.list = now;
      let newest = yield* survey2.runs({ limit: limits.newest }), found2 = changed2(newest, alive, now);
      lines.push(...found2);
      let marked = yield* survey2.scheduleMark;
      schedules2 !== void 0 && marked !== schedules2 && listeners.tell("schedules", { at: now }), schedules2 = marked;
    }
    for (let id2 of going)
      alive.has(id2) || (going.delete(id2), rates.forget(id2));
    lines.length > 0 && listeners.tell("runs", { runs: lines });
    for (let each of paces) {
      let line = lines.find(({ id: id2 }) => id2 === each.id);
      line !== void 0 && isFollowed.has(each.id) && (yield* follow(each, line, now));
    }
    mark = isList || isSweep ? version2 : void 0;
  }), safely2 = flatMap(
    either(look),
    (result) => sync(() => {
      let error = isLeft(result) ? result.left.message : void 0;
      error !== trouble && listeners.tell("ledger", { error }), trouble = error, error !== void 0 && known.clear();
    })
  ).pipe(catchAllDefect((defect) => logError(`the dashboard cannot look on: ${String(defect)}`))), loop = gen(function* () {
    yield* awake.await, yield* safely2;
    let now = yield* currentTimeMillis;
    listeners.size > 0 ? left2 = now : now - left2 > linger && (yield* awake.close), yield* sleep(intervals.look);
  });
  return yield* forkScoped(forever(loop)), Watch.of({
    listen: (run2, last, cut) => gen(function* () {
      let now = yield* currentTimeMillis;
      left2 = now, listeners.size === 0 && now - at.list > linger && (at = { list: 0, sweep: 0 }, mark = void 0, yield* safely2, listeners.forget());
      let queue = yield* listeners.add(run2, last, now, cut);
      return yield* awake.open, queue;
    }),
    rates: (run2, now) => rates.of(run2, now)
  });
}), layer2 = scoped2(Watch, make6), listenerLimits = { listeners: 64, behind: 64, kept: 256 }, Listeners = class {
  #all = /* @__PURE__ */ new Set();
  /** Numbers of another life of this program mean nothing. */
  #life = randomBytes2(6).toString("hex");
  #told = [];
  #number = 0;
  get size() {
    return this.#all.size;
  }
  /** Runs that somebody follows. */
  get followed() {
    return new Set([...this.#all].flatMap(({ run: run2 }) => run2 === void 0 ? [] : [run2]));
  }
  #text(name, data2, number) {
    return `event: ${name}
id: ${this.#life}-${number}
data: ${JSON.stringify(data2)}

`;
  }
  /** Tells all of them, or those who follow a run. Who is too far behind is cut off. */
  tell(name, data2, run2) {
    let number = ++this.#number, text3 = this.#text(name, data2, number);
    this.#told.push({ number, text: text3, run: run2 }), this.#told.length > listenerLimits.kept && this.#told.shift();
    for (let listener of this.#all)
      run2 !== void 0 && listener.run !== run2 || unsafeOffer(listener.queue, text3) || (this.#all.delete(listener), listener.cut());
  }
  /** What was told behind an event; undefined when that is not known any more. */
  #since(last, run2) {
    let [life, text3] = (last ?? "").split("-"), number = Number(text3), first = this.#told[0]?.number ?? this.#number + 1;
    if (!(life !== this.#life || !Number.isSafeInteger(number) || number < first - 1 || number > this.#number))
      return this.#told.filter((each) => each.number > number && (each.run === void 0 || each.run === run2));
  }
  /** From here on nothing is known of what was told before: whoever comes again has missed something. */
  forget() {
    this.#told = [], this.#number++;
  }
  /** A new listener, until the scope closes; it is greeted first, and told what it has missed since `last`. */
  add(run2, last, now, cut) {
    return suspend(() => {
      if (this.#all.size >= listenerLimits.listeners) {
        let reason = `${listenerLimits.listeners} pages listen already: close some of them`;
        return fail(new Refusal({ status: 503, reason }));
      }
      return acquireRelease(
        map2(dropping(listenerLimits.behind), (queue) => {
          let missed = this.#since(last, run2), told = missed !== void 0 && missed.length < listenerLimits.behind ? missed : void 0, number = (told?.[0]?.number ?? this.#number + 1) - 1, isGap = last !== void 0 && told === void 0;
          unsafeOffer(queue, this.#text("hello", { now, isGap }, number));
          for (let { text: text3 } of told ?? []) unsafeOffer(queue, text3);
          let listener = { queue, run: run2, cut };
          return this.#all.add(listener), listener;
        }),
        (listener) => (this.#all.delete(listener), shutdown(listener.queue))
      ).pipe(map2(({ queue }) => queue));
    });
  }
};

// src/Dashboard/AddressIndex.ts
var limits2 = { block: 2e4, bytes: 256 * 1024 * 1024, fresh: 2e5 }, idleTimeout = 5 * 6e4, newline = 10, lower = (text3) => text3.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()), blockOf = (keys) => {
  let text3 = `
${keys.join(`
`)}
`, small = lower(text3), lines = Buffer.from(text3);
  return { lines, lowered: small === text3 ? lines : Buffer.from(small), last: Buffer.from(keys.at(-1) ?? "") };
}, found = ({ lines, lowered }, words, after, limit) => {
  let keys = [], [first = Buffer.alloc(0), ...others] = words;
  for (let at = lowered.indexOf(first, 0); at >= 0 && keys.length < limit; ) {
    let start2 = lowered.lastIndexOf(newline, at) + 1, end = lowered.indexOf(newline, at), line = lowered.subarray(start2, end);
    others.every((word) => line.includes(word)) && Buffer.compare(lines.subarray(start2, end), after) > 0 && keys.push(lines.toString("utf8", start2, end)), at = lowered.indexOf(first, end);
  }
  return keys;
}, byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)), make7 = (survey2) => gen(function* () {
  let scope2 = yield* scope, turn = yield* makeSemaphore(1), loaded, isTooLarge = !1, isLoading = !1, usedAt = 0, load = gen(function* () {
    let at = yield* currentTimeMillis, seen = new Map(yield* survey2.lastOf(yield* survey2.touched(at))), blocks = [], bytes = 0, last = "";
    for (; ; ) {
      let keys = yield* survey2.keys(last, limits2.block);
      if (keys.length === 0) break;
      let block = blockOf(keys);
      if (bytes += block.lines.length + (block.lines === block.lowered ? 0 : block.lowered.length), bytes > limits2.bytes) {
        isTooLarge = !0;
        return;
      }
      if (blocks.push(block), last = keys[keys.length - 1] ?? "", yield* sleep(0), keys.length < limits2.block) break;
    }
    return { blocks, fresh: /* @__PURE__ */ new Set(), seen, at, mark: void 0 };
  }), refresh = (known) => gen(function* () {
    let now = yield* currentTimeMillis, mark = yield* survey2.mark;
    if (mark !== void 0 && mark === known.mark) return known;
    for (let run2 of yield* survey2.touched(known.at))
      for (; ; ) {
        let after = known.seen.get(run2) ?? 0, rows = yield* survey2.keysOf(run2, after, limits2.block);
        for (let { key } of rows) known.fresh.add(key);
        let last = rows[rows.length - 1];
        if (last !== void 0 && known.seen.set(run2, last.number), known.fresh.size > limits2.fresh) return;
        if (rows.length < limits2.block) break;
        yield* sleep(0);
      }
    return known.at = now - 6e4, known.mark = mark, known;
  }), prepare = turn.withPermits(1)(
    gen(function* () {
      loaded !== void 0 || isTooLarge || (loaded = yield* load);
    })
  ).pipe(ignoreLogged), expire = gen(function* () {
    for (; (yield* currentTimeMillis) - usedAt < idleTimeout; ) yield* sleep(idleTimeout);
    loaded = void 0;
  }), inBackground = suspend(() => isLoading || loaded !== void 0 || isTooLarge ? _void : (isLoading = !0, prepare.pipe(
    ensuring(
      sync(() => {
        isLoading = !1;
      })
    ),
    zipRight(suspend(() => loaded === void 0 ? _void : expire)),
    forkIn(scope2),
    asVoid
  )));
  return {
    prepare: inBackground,
    search: (words, after, limit) => gen(function* () {
      usedAt = yield* currentTimeMillis;
      let known = loaded;
      if (known === void 0 || words.length === 0)
        return yield* inBackground, yield* survey2.search(words, after, limit);
      if ((yield* turn.withPermits(1)(refresh(known))) === void 0)
        return loaded = void 0, yield* inBackground, yield* survey2.search(words, after, limit);
      let wanted = words.map(lower).sort((a, b) => b.length - a.length), bytes = wanted.map((word) => Buffer.from(word)), keys = [], behind = Buffer.from(after);
      for (let block of known.blocks) {
        if (keys.length >= limit) break;
        Buffer.compare(block.last, behind) <= 0 || keys.push(...found(block, bytes, behind, limit - keys.length));
      }
      for (let key of known.fresh) {
        let small = lower(key);
        wanted.every((word) => small.includes(word)) && byBytes(key, after) > 0 && keys.push(key);
      }
      return [...new Set(keys)].sort(byBytes).slice(0, limit);
    })
  };
});

// src/Dashboard/RunLog.ts
var most = 64 * 1024, pathIn = (folder) => map2(Path, (paths2) => paths2.join(folder, "run.log")), sizeOf = (path) => gen(function* () {
  let files = yield* FileSystem, info = yield* option(files.stat(path));
  return info._tag === "Some" && info.value.type === "File" ? Number(info.value.size) : void 0;
}), isThere = ({ folder }) => map2(flatMap(pathIn(folder), sizeOf), (size) => size !== void 0), bytesOf = (path, offset, bytesToRead) => gen(function* () {
  let files = yield* FileSystem, blocks = yield* runCollect(files.stream(path, { offset, bytesToRead }));
  return Buffer.concat(toReadonlyArray(blocks));
}), tail = (path, bytes) => gen(function* () {
  let size = (yield* sizeOf(path)) ?? 0, read3 = bytesOf(path, Math.max(0, size - bytes), bytes);
  return yield* orElseSucceed(
    map2(read3, (bytes2) => bytes2.toString()),
    () => ""
  );
}), unended = (bytes) => {
  let last = bytes.subarray(-3);
  for (let back2 = 1; back2 <= last.length; back2++) {
    let byte = last[last.length - back2] ?? 0;
    if (byte >> 6 === 2) continue;
    return (byte < 192 ? 1 : byte < 224 ? 2 : byte < 240 ? 3 : 4) > back2 ? back2 : 0;
  }
  return 0;
}, read2 = (id2, query2) => gen(function* () {
  let { find: find2 } = yield* Ledger, run2 = yield* find2(id2);
  if (run2 === void 0) return yield* noRun(id2);
  let path = yield* pathIn(run2.folder), size = yield* sizeOf(path);
  if (size === void 0) {
    let reason = `no log of run ${id2} was kept: it was not started from here`;
    return yield* new Refusal({ status: 404, reason });
  }
  let end = Math.max(0, size - most), from = yield* query2.number("after", { most: size, otherwise: end }), bytes = yield* mapError(
    bytesOf(path, from, most),
    (cause) => new Refusal({ status: 503, reason: `the log ${path} cannot be read: ${fileErrorReason(cause)}` })
  ), whole = bytes.subarray(0, bytes.length - unended(bytes)), text3 = whole.toString();
  return {
    // Its end begins with a whole line.
    text: query2.text("after") === void 0 && end > 0 ? text3.slice(text3.indexOf(`
`) + 1) : text3,
    next: from + whole.length,
    isMore: whole.length > 0 && from + bytes.length < size
  };
});

// src/Dashboard/RunProcesses.ts
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

// src/Dashboard/Setup.ts
var Setup = class extends Tag("sluice/Dashboard/Setup")() {
};

// src/Dashboard/RunProcesses.ts
var RunProcesses = class extends Tag("sluice/Dashboard/Children")() {
}, maxProcesses = 16, startTimeout = 6e4, make8 = gen(function* () {
  let { command: command3, env, words } = yield* Setup, running = /* @__PURE__ */ new Set(), runs = /* @__PURE__ */ new Map(), asked = /* @__PURE__ */ new WeakSet(), open2 = (log) => try_({
    try: () => openSync(log, "a", 384),
    catch: (error) => new Refusal({ status: 503, reason: `no log can be written to ${log}: ${fileErrorReason(error)}` })
  }), begin2 = (verb, file) => async((resume3) => {
    let [program = process.execPath, ...before] = command3, child = spawn(program, [...before, ...verb, ...words], {
      detached: !0,
      env: { ...env },
      stdio: ["ignore", "ignore", file, "ipc"],
      windowsHide: !0
    });
    running.add(child);
    let id2, late = setTimeout(
      safely(
        () => {
          child.kill("SIGINT");
          let reason = `it had not begun after ${startTimeout / 1e3} seconds, and was told to stop`;
          resume3(succeed({ code: null, reason }));
        },
        (cause) => over(null, String(cause))
      ),
      startTimeout
    );
    late.unref();
    let over = (code, reason) => {
      clearTimeout(late), running.delete(child), id2 !== void 0 && runs.delete(id2), resume3(succeed({ code, reason }));
    };
    child.on(
      "message",
      safely(
        (word) => {
          typeof word.began != "string" || id2 !== void 0 || (clearTimeout(late), id2 = word.began, runs.set(id2, child), resume3(succeed({ run: id2 })));
        },
        (cause) => over(null, String(cause))
      )
    ), child.on(
      "error",
      safely(
        (error) => over(null, error.message),
        (cause) => over(null, String(cause))
      )
    ), child.on(
      "exit",
      safely(
        (code) => {
          child.connected ? child.once(
            "disconnect",
            safely(
              () => over(code, void 0),
              (cause) => over(null, String(cause))
            )
          ) : over(code, void 0);
        },
        (cause) => over(null, String(cause))
      )
    ), child.unref(), child.channel?.unref();
  });
  return RunProcesses.of({
    has: (run2) => runs.has(run2),
    start: (verb, log) => suspend(() => {
      if (running.size >= maxProcesses) {
        let reason = `${maxProcesses} runs that were started from here go on: wait for one of them, or stop it`;
        return new Refusal({ status: 409, reason });
      }
      return acquireUseRelease(
        open2(log),
        (file) => begin2(verb, file),
        // The process has its own.
        (file) => sync(() => closeSync(file))
      );
    }),
    stop: (run2) => {
      let child = runs.get(run2);
      return child === void 0 ? !1 : asked.has(child) ? !0 : (asked.add(child), child.kill("SIGINT"));
    }
  });
}), layer3 = effect(RunProcesses, make8);

// src/Dashboard/Runs.ts
var inState = (state, ids) => {
  switch (state) {
    case void 0:
      return {};
    case "running":
    case "publishing":
      return { status: [state], alive: { ids, is: !0 } };
    case "crashed":
      return { status: ["running", "publishing"], alive: { ids, is: !1 }, shared: !1 };
    case "waiting":
      return { status: ["running", "publishing"], alive: { ids, is: !1 }, shared: !0 };
    default:
      return { status: [state] };
  }
}, afterOf = (text3) => {
  if (text3 === void 0) return right(void 0);
  let [, startedAt2, id2] = /^(\d{1,16})\.(.+)$/.exec(text3) ?? [];
  return id2 === void 0 ? left(new Refusal({ status: 400, reason: "after: expected what an earlier answer gave as next" })) : right({ startedAt: Number(startedAt2), id: id2 });
}, list = (query2) => gen(function* () {
  let { history } = yield* Ledger, survey2 = yield* survey, limit = yield* query2.number("limit", { least: 1, most: page.most, otherwise: page.runs }), state = yield* query2.word("state", states), after = yield* afterOf(query2.text("after")), alive = yield* history.alive, found2 = yield* survey2.runs({
    ...inState(state, [...alive]),
    pipeline: query2.text("pipeline"),
    group: query2.text("group"),
    text: query2.text("text", 200),
    after,
    limit: limit + 1
  }), now = yield* currentTimeMillis, shown = found2.slice(0, limit), last = shown.at(-1);
  return {
    runs: shown.map((run2) => lineOf(run2, alive.has(run2.id), now)),
    next: found2.length > limit && last !== void 0 ? `${last.startedAt}.${last.id}` : null
  };
}), pipelines = flatMap(
  survey,
  (survey2) => map2(survey2.pipelines, (names) => ({ names }))
), find = (id2) => flatMap(
  Ledger,
  (ledger) => flatMap(ledger.find(id2), (run2) => run2 === void 0 ? noRun(id2) : succeed(run2))
), maxPagesCounted = 5e4, detail = (id2) => gen(function* () {
  let { history } = yield* Ledger, survey2 = yield* survey, watch = yield* Watch, children = yield* RunProcesses, { stopShared } = yield* Setup, run2 = yield* find(id2), [pace] = yield* survey2.paces([id2]);
  if (pace === void 0) return yield* noRun(id2);
  let alive = (yield* history.alive).has(id2), now = yield* currentTimeMillis, line = lineOf(pace, alive, now), graph = yield* graphOf(run2), progress = progressOf(pace, graph, watch.rates(id2, now)), counted = ((yield* survey2.lastOf([id2])).get(id2) ?? 0) > maxPagesCounted ? void 0 : yield* history.run(id2), openRejects = (yield* survey2.rejectCounts(id2, 1e4)).reduce((sum, { open: open2 }) => sum + open2, 0), options = run2.options, isCut = line.replayOf === void 0 && ["stopped", "budget", "crashed"].includes(line.state), hasEnded = line.state === "completed" || line.state === "failed", isShared = line.isGroup && stopShared !== void 0 && ["running", "waiting"].includes(line.state);
  return {
    ...line,
    file: run2.file,
    out: run2.out,
    stateKey: run2.stateKey,
    inputs: run2.inputs ?? {},
    limit: options.limit,
    backfill: options.backfill,
    why: run2.error,
    graph,
    progress: {
      ...progress,
      steps: progress.steps.map((step) => {
        let { calls, credits, failedPages, openRejects: openRejects2, pages } = counted?.steps.find((each) => each.step === step.step) ?? {};
        return { ...step, calls, credits, failedPages, openRejects: openRejects2, pages };
      })
    },
    budget: yield* budgetOf(run2, progress, now),
    outputs: outputsOf(run2),
    news: yield* newsOf(line, run2.error),
    openRejects,
    hasLog: yield* isThere(run2),
    canReplay: hasEnded && openRejects > 0,
    canResume: !alive && run2.group === void 0 && (isResumable(run2) || isCut && !isSpent(run2)),
    canStop: isShared || alive && children.has(id2)
  };
}), definition = (id2) => map2(find(id2), ({ definition: text3, file }) => ({ file, text: text3 })), sizeOf2 = (place2) => flatMap(
  FileSystem,
  (files) => orElseSucceed(
    map2(files.stat(place2), ({ size }) => Number(size)),
    () => {
    }
  )
), maxLengths = { row: 2e4, message: 4e3, key: 4e3 }, maxGroups = 100, rejects = (id2, query2) => gen(function* () {
  let survey2 = yield* survey, which = (yield* query2.word("which", ["open", "replayed", "all"])) ?? "all", limit = yield* query2.number("limit", { least: 1, most: page.most, otherwise: page.rejects }), after = yield* query2.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  if (!(yield* survey2.known([id2])).has(id2)) return yield* noRun(id2);
  let found2 = yield* survey2.rejects({
    run: id2,
    which,
    step: query2.text("step"),
    error: query2.text("error"),
    text: query2.text("text", 200),
    after,
    limit: limit + 1
  }), groups = yield* survey2.rejectCounts(id2, maxGroups);
  return {
    rejects: found2.slice(0, limit).map(
      ({
        at,
        attempts,
        content,
        definedAt,
        error,
        isCut,
        jobId,
        key,
        message,
        number,
        replayedBy,
        status,
        step
      }) => {
        let text3 = isCut ? content : JSON.stringify(JSON.parse(content), void 0, 2);
        return {
          number,
          step,
          key: key.slice(0, maxLengths.key),
          error,
          message: message.slice(0, maxLengths.message),
          status,
          attempts,
          definedAt,
          at: Date.parse(at),
          jobId,
          row: text3.slice(0, maxLengths.row),
          isCut: isCut || text3.length > maxLengths.row,
          replayedBy
        };
      }
    ),
    next: found2.length > limit ? String(found2[limit - 1]?.number) : null,
    groups
  };
});

// src/Dashboard/Outputs.ts
var most2 = { bytes: 8 * 1024 * 1024, line: 4 * 1024 * 1024, cell: 2e3, columns: 200 }, rowsOtherwise = 50, lacking = (output, run2) => gen(function* () {
  let files = yield* FileSystem, info = yield* option(files.stat(output.path));
  if (info._tag === "None") return "the file is not there any more, or not on this machine";
  let { mtime, size, type } = info.value;
  if (type !== "File") return "it is no file any more";
  let isLater = match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() }) > (run2.endedAt ?? run2.updatedAt) + 2e3;
  return Number(size) !== output.bytes || isLater ? "a later run has replaced the file, or somebody has changed it" : void 0;
}), formatOf = (format) => /jsonl|ndjson/.test(format) ? "jsonl" : /csv|tsv/.test(format) ? "csv" : void 0, rowsOf = (output, run2, room) => gen(function* () {
  let why = yield* lacking(output, run2);
  if (why !== void 0) return { why };
  let format = formatOf(output.format) ?? formatOf(output.path);
  if (format === void 0) return { why: `no rows can be shown of ${output.format}` };
  let input = yield* either(open(output.path, "/"));
  if (input._tag === "Left") return { why: input.left.message };
  let decoder = decoderOf({ file: output.path, format }, { line: 0 }), cutter = new LineSplitter(most2.line), decoded = (decode) => try_({
    try: decode,
    catch: (error) => {
      let why2 = error instanceof HeaderInvalid ? error.message : `cannot be read: ${String(error)}`;
      return new Refusal({ status: 503, reason: `${output.path} ${why2}` });
    }
  });
  return { rows: input.right.blocks(0).pipe(
    mapError2(({ message }) => new Refusal({ status: 503, reason: message })),
    takeWhile(() => room.left > 0),
    mapConcatEffect(
      (block) => decoded(() => (room.left -= block.length, decoder.decode(cutter.cut(block)).rows))
    ),
    concat(
      fromIterableEffect(
        decoded(() => room.left > 0 ? [...decoder.decode(cutter.end()).rows, ...decoder.end().rows] : [])
      )
    )
  ) };
}), cellOf = (value) => {
  if (value == null) return null;
  let text3 = typeof value == "string" ? value : JSON.stringify(value) ?? "";
  return text3.length > most2.cell ? `${text3.slice(0, most2.cell)}\u2026` : text3;
}, preview = (id2, number, query2) => gen(function* () {
  let run2 = yield* find(id2), limit = yield* query2.number("rows", { least: 1, most: page.most, otherwise: rowsOtherwise }), output = outputsOf(run2).find((each) => String(each.number) === number);
  if (output === void 0)
    return yield* new Refusal({ status: 404, reason: `run ${id2} has no output ${number}` });
  let { format, path } = output, found2 = yield* rowsOf(output, run2, { left: most2.bytes });
  if ("why" in found2) return { path, format, columns: [], rows: [], isCut: !1, why: found2.why };
  let rows = Array.from(yield* runCollect(take(found2.rows, limit + 1)), ({ data: data2 }) => data2), shown = rows.slice(0, limit), columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].slice(0, most2.columns);
  return {
    path,
    format,
    columns,
    rows: shown.map((row) => columns.map((name) => cellOf(Object.hasOwn(row, name) ? row[name] : void 0))),
    isCut: rows.length > limit || output.rows > shown.length && shown.length < limit
  };
});

// src/Dashboard/PageDiff.ts
var limits3 = { bytes: 128 * 1024 * 1024, text: 1e6, millis: 2e3, files: 20 }, fields = ["markdown", "html", "rawHtml", "summary"], objectOf = (value) => typeof value == "object" && value !== null && !Array.isArray(value) ? value : {}, isAddress = /^https?:\S{1,8000}$/i, isAbout = (row, key) => {
  if (keyOf(row) === key) return !0;
  let metadata = objectOf(row.data.metadata);
  return [...Object.values(row.data), metadata.sourceURL, metadata.url].some(
    (value) => typeof value == "string" && (value === key || isAddress.test(value) && canonicalUrl(value) === key)
  );
}, exactly = (row, hash) => {
  if (hash !== void 0)
    for (let of of fields) {
      let text3 = row.data[of];
      if (typeof text3 == "string" && sha256(text3) === hash) return { of, text: text3 };
    }
}, roughly = (row) => {
  let of = fields.find((name) => typeof row.data[name] == "string");
  return of === void 0 ? { of: "row", text: JSON.stringify(row.data, void 0, 2) } : { of, text: String(row.data[of]) };
}, findContent = (version2) => gen(function* () {
  let run2 = yield* (yield* Ledger).find(version2.run), outputs = run2 === void 0 ? [] : outputsOf(run2);
  if (run2 === void 0 || outputs.length === 0) return { why: `run ${version2.run} has left no output` };
  let whys = [], room = { left: limits3.bytes };
  for (let output of outputs.slice(0, limits3.files)) {
    let found2 = yield* rowsOf(output, run2, room);
    if ("why" in found2) {
      whys.push(`${output.path}: ${found2.why}`);
      continue;
    }
    let content = yield* option(
      runHead(
        filterMap(
          found2.rows,
          (row) => isAbout(row, version2.key) ? some(exactly(row, version2.hash) ?? roughly(row)) : none()
        )
      )
    ), [text3] = toArray(flatten(content));
    if (text3 !== void 0) return { content: text3 };
  }
  return room.left <= 0 ? {
    why: `the first ${limits3.bytes / 2 ** 20} MB of the outputs of run ${version2.run} have no row with this address`
  } : { why: whys[0] ?? `no output of run ${version2.run} has a row with this address` };
}), linesOf = (text3) => (text3.endsWith(`
`) ? text3.slice(0, -1) : text3).split(`
`), compare = (from, to) => gen(function* () {
  let before = yield* findContent(from), after = yield* findContent(to), nothing3 = (why) => ({ parts: null, why });
  if (!("content" in before)) return nothing3(`The earlier content is not there: ${before.why}.`);
  if (!("content" in after)) return nothing3(`The later content is not there: ${after.why}.`);
  let [a, b] = [before.content, after.content];
  if (a.of !== b.of) return nothing3(`One run has kept ${a.of} of the page, the other one ${b.of}.`);
  if (a.text.length > limits3.text || b.text.length > limits3.text)
    return nothing3("The page is too long to be compared.");
  let changes = diffLines(a.text, b.text, { timeout: limits3.millis });
  return changes === void 0 ? nothing3("The versions differ in too much to be compared.") : { parts: changes.map(
    ({ added, removed, value }) => ({
      kind: added ? "added" : removed ? "removed" : "same",
      lines: linesOf(value)
    })
  ), of: a.of };
});

// src/Dashboard/Pages.ts
var Addresses = class extends Tag("sluice/Dashboard/Addresses")() {
}, layer4 = scoped2(Addresses, flatMap(survey, make7)), wordsAtMost = 8, versionOf = ({
  at,
  credits,
  error,
  hash,
  jobId,
  key,
  number,
  price,
  runId,
  status,
  step
}) => ({
  run: runId,
  number,
  step,
  key,
  at,
  status,
  error,
  hash,
  jobId,
  credits,
  price
}), rounds = 20, search = (query2) => gen(function* () {
  let { isShared } = yield* Ledger, survey2 = yield* survey, addresses = yield* Addresses, began = yield* currentTimeMillis, limit = yield* query2.number("limit", { least: 1, most: page.most, otherwise: page.pages }), words = (query2.text("text", 500) ?? "").split(/\s+/).filter((word) => word !== "").slice(0, wordsAtMost).map(encodeText2), after = query2.text("after", 1e5) ?? "", pages = [], isOver = !1, ask2 = isShared ? survey2.search : addresses.search;
  isShared || (yield* addresses.prepare);
  for (let round = 0; round < rounds && !isOver && pages.length < limit; round++) {
    let keys = yield* ask2(words, after, limit - pages.length + 1);
    isOver = keys.length <= limit - pages.length;
    let wanted = keys.slice(0, limit - pages.length);
    after = wanted.at(-1) ?? after;
    for (let each of yield* survey2.met(wanted)) pages.push({ ...each, last: versionOf(each.last) });
  }
  let isPartial = !isOver && pages.length < limit;
  return {
    pages,
    next: isOver ? null : after,
    isPartial,
    took: (yield* currentTimeMillis) - began
  };
}), keyOf2 = (query2) => {
  let given = query2.text("key", 1e5);
  return given === void 0 ? left(new Refusal({ status: 400, reason: "key: which page is meant is missing" })) : right(given);
}, versions = (query2) => gen(function* () {
  let { history } = yield* Ledger, survey2 = yield* survey, given = yield* keyOf2(query2), limit = yield* query2.number("limit", { least: 1, most: page.most, otherwise: page.versions }), offset = yield* query2.number("after", { most: 1e6, otherwise: 0 }), exact = yield* history.sightings(given), key = exact === void 0 ? canonicalUrl(given) ?? given : given, seen = exact ?? (yield* history.sightings(key)), found2 = yield* survey2.attempts(key, { limit: limit + 1, offset });
  return {
    key,
    attempts: seen?.attempts ?? 0,
    firstSeen: seen?.firstSeen,
    lastSeen: seen?.lastSeen,
    versions: found2.slice(0, limit).map(versionOf),
    next: found2.length > limit ? String(offset + limit) : null
  };
}), ofRun = (id2, query2) => gen(function* () {
  let survey2 = yield* survey, limit = yield* query2.number("limit", { least: 1, most: page.most, otherwise: page.pages }), after = yield* query2.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  if (!(yield* survey2.known([id2])).has(id2)) return yield* noRun(id2);
  let found2 = yield* survey2.attemptsOf(id2, after, limit + 1);
  return {
    pages: found2.slice(0, limit).map(versionOf),
    next: found2.length > limit ? String(found2[limit - 1]?.number) : null
  };
}), attemptAt = (query2, name, key) => gen(function* () {
  let survey2 = yield* survey, [, run2 = "", number] = /^(.+):(\d{1,15})$/.exec(query2.text(name) ?? "") ?? [], found2 = yield* survey2.attempt(run2, Number(number ?? 0));
  return found2 !== void 0 && found2.key === key ? found2 : yield* new Refusal({ status: 404, reason: `${name}: the ledger has no such version of ${key}` });
}), compared = ["status", "error", "hash", "step", "jobId", "credits", "price"], diff = (query2) => gen(function* () {
  let key = yield* keyOf2(query2), from = versionOf(yield* attemptAt(query2, "from", key)), to = versionOf(yield* attemptAt(query2, "to", key)), say = (value) => value === void 0 ? void 0 : String(value);
  return {
    from,
    to,
    fields: compared.flatMap(
      (name) => from[name] === to[name] ? [] : [{ name, from: say(from[name]), to: say(to[name]) }]
    ),
    isSame: from.hash === void 0 || to.hash === void 0 ? null : from.hash === to.hash,
    ...yield* compare(from, to)
  };
});

// src/Dashboard/Definitions.ts
var most3 = { files: 500, depth: 4, bytes: 1024 * 1024, text: 1e3 }, isDefinition = (name) => /\.(ya?ml|json)$/.test(name) && !/\.(test|spec|lock|schema)\.\w+$/.test(name), isLeftOut = (name) => /^[._]|^(node_modules|dist|coverage|fixtures|data|site)$/.test(name), filesBelow = (folder) => gen(function* () {
  let files = yield* FileSystem, paths2 = yield* Path, found2 = [], top = yield* orElseSucceed(files.realPath(folder), () => folder), isOutside = (path) => !path.startsWith(paths2.join(top, "/")), visit = (inside, depth) => gen(function* () {
    let names = yield* orElseSucceed(files.readDirectory(paths2.join(folder, inside)), () => []);
    for (let name of names.sort()) {
      if (found2.length >= most3.files || isLeftOut(name)) continue;
      let path = paths2.join(inside, name), real = yield* orElseSucceed(files.realPath(paths2.join(folder, path)), () => "");
      if (isOutside(real)) continue;
      let info = yield* option(files.stat(real));
      if (info._tag === "None") continue;
      let { size, type } = info.value;
      type === "Directory" && depth < most3.depth && (yield* visit(path, depth + 1)), type === "File" && isDefinition(name) && Number(size) <= most3.bytes && found2.push(path);
    }
  });
  return yield* visit("", 0), found2;
}), mistakesOf = ({ mistakes }) => mistakes.map(({ column, given, line, message, path }) => ({
  message: message.replace(said, ""),
  input: path[0] === "inputs" && typeof path[1] == "string" ? path[1] : namedIn(given === !0 ? message : ""),
  line,
  column
})), said = /^--input ([^\s:=]+): /, namedIn = (message) => said.exec(message)?.[1], object = (value) => typeof value == "object" && value !== null && !Array.isArray(value) ? value : {}, textOf = (value) => typeof value == "string" ? value.slice(0, most3.text) : void 0, inputsOf = (value) => {
  let { inputs, schedule: schedule2 } = object(value), scheduled = scheduledOf(schedule2);
  return Object.entries(object(inputs)).flatMap(([name, declared]) => {
    let field = object(declared), given = Object.hasOwn(scheduled, name) ? scheduled[name] : void 0, isValue = typeof given == "string" || typeof given == "number" || typeof given == "boolean";
    return typeof field.type == "string" ? [{ ...field, name, ...isValue ? { scheduled: given } : {} }] : [];
  });
}, codeAdvice = "read it, and start or resume the run on the command line, with --allow-code", isPipeline = (value) => "steps" in object(value), lineOf2 = (folder, file) => gen(function* () {
  let { scope: scope2 } = yield* Setup, paths2 = yield* Path, path = paths2.join(folder, file), source = yield* either(read(path)), nameless = paths2.basename(file);
  if (source._tag === "Left")
    return { file, name: nameless, inputs: [], mistakes: mistakesOf(source.left) };
  let { value } = source.right;
  if (!isPipeline(value)) return;
  let { description, name } = object(value), checked = yield* either(
    check(source.right, {
      ...scope2,
      inputs: {},
      complete: !1,
      unsetSecrets: "warning",
      codeAdvice
    })
  );
  return {
    file,
    name: textOf(name) ?? nameless,
    description: textOf(description),
    inputs: inputsOf(value),
    mistakes: checked._tag === "Left" ? mistakesOf(checked.left) : []
  };
}), list2 = gen(function* () {
  let { definitions: folder } = yield* Setup;
  if (folder === void 0)
    return { folder: null, why: "there is no folder of pipelines: name one with --pipelines, or make a first one by sluice init", definitions: [] };
  let files = yield* filesBelow(folder), lines = yield* forEach(files, (file) => lineOf2(folder, file));
  return { folder, definitions: lines.flatMap((line) => line ?? []) };
}), pathOf = (file) => gen(function* () {
  let { definitions: folder } = yield* Setup, paths2 = yield* Path, known = folder === void 0 ? [] : yield* filesBelow(folder);
  return folder !== void 0 && known.includes(file) ? paths2.join(folder, file) : yield* new Refusal({ status: 404, reason: `the folder of pipelines has no definition ${file}` });
}), refuseStdout = ({ toStdout }) => {
  let reason = 'a step of it writes to standard output ("-"), which nobody reads here: give it the path of a file';
  return toStdout.length > 0 ? new Refusal({ status: 422, reason }) : _void;
}, refusalOf = (error) => error instanceof Refusal ? error : new Refusal({ status: 422, reason: error.message, mistakes: mistakesOf(error) }), ensure = (path, inputs) => gen(function* () {
  let { scope: scope2 } = yield* Setup;
  yield* refuseStdout(yield* check(yield* read(path), { ...scope2, inputs, complete: !0, codeAdvice }));
}).pipe(mapError(refusalOf)), ensureReadable = ({ definition: definition2, file, inputs }, withCurrent = !1) => gen(function* () {
  let { scope: scope2 } = yield* Setup, paths2 = yield* Path, source = withCurrent ? yield* read(file) : yield* parseText(file, paths2.dirname(file), definition2), options = {
    ...scope2,
    inputs: object(inputs),
    saved: !0,
    complete: !0,
    begun: source.text === definition2,
    codeAdvice
  };
  yield* refuseStdout(yield* check(source, options));
}).pipe(mapError(refusalOf));

// src/Dashboard/Launch.ts
import { randomUUID } from "node:crypto";
var Value = Union(
  String$.pipe(maxLength(3e4), pattern(/^[^\0]*$/)),
  JsonNumber,
  Boolean$
), Launch = Struct({
  file: String$,
  inputs: Record({ key: String$, value: Value }),
  limit: optional(Int.pipe(between(1, 1e9))),
  backfill: optional(Boolean$)
}), Again = Struct({ withCurrent: optional(Boolean$) }), inputsAtMost = 200, saidIn = (log) => map2(
  tail(log, 16e3),
  (text3) => text3.trim().split(`
`).slice(-20).join(`
`).slice(-4e3).replace(/^error: /gm, "")
), begin = (verb, known) => gen(function* () {
  let { dataDir } = yield* Setup, files = yield* FileSystem, paths2 = yield* Path, children = yield* RunProcesses, unwritable = (cause) => new Refusal({ status: 503, reason: `the data folder ${dataDir} cannot be written to: ${fileErrorReason(cause)}` }), folder = paths2.join(dataDir, "runs");
  yield* mapError(makeFolder(files, folder), unwritable), known !== void 0 && (yield* mapError(makeFolder(files, paths2.join(folder, known)), unwritable));
  let log = known === void 0 ? paths2.join(folder, `begun-${randomUUID()}.log`) : yield* pathIn(paths2.join(folder, known)), began = yield* children.start(verb, log);
  if (!("run" in began)) {
    let said2 = began.reason ?? (yield* saidIn(log));
    known === void 0 && (yield* ignore(files.remove(log)));
    let reason = said2 === "" ? `it ended with exit code ${began.code} and did not say why` : said2;
    return yield* new Refusal({ status: 422, reason });
  }
  if (known !== void 0) return { run: began.run };
  let own = paths2.join(folder, began.run);
  return yield* makeFolder(files, own).pipe(
    zipRight(pathIn(own)),
    flatMap((path) => files.rename(log, path)),
    ignoreLogged
  ), { run: began.run };
}).pipe(uninterruptible), launch = ({ backfill, file, inputs, limit }) => gen(function* () {
  let { out } = yield* Setup, given = Object.entries(inputs);
  if (given.length > inputsAtMost)
    return yield* new Refusal({ status: 413, reason: `more than ${inputsAtMost} inputs: nobody asks for so many` });
  let path = yield* pathOf(file);
  return yield* ensure(path, inputs), yield* begin([
    "run",
    path,
    ...given.flatMap(([name, value]) => ["--input", `${name}=${value}`]),
    ...limit === void 0 ? [] : ["--limit", String(limit)],
    ...backfill === !0 ? ["--backfill"] : [],
    // A trial has a folder of its own.
    ...limit === void 0 ? ["--out", out] : []
  ]);
}), replay = (id2) => gen(function* () {
  let { canReplay, openRejects, state } = yield* detail(id2);
  if (canReplay)
    return yield* ensureReadable(yield* find(id2)), yield* begin(["replay", id2]);
  let reason = openRejects === 0 ? `run ${id2} has no reject that is open` : `run ${id2} is ${state}: its rejects are its own still`;
  return yield* new Refusal({ status: 409, reason });
}), resume = (id2, { withCurrent }) => gen(function* () {
  let { canResume, state } = yield* detail(id2);
  return canResume ? (yield* ensureReadable(yield* find(id2), withCurrent), yield* begin(["resume", id2, ...withCurrent === !0 ? ["--with-current"] : []], id2)) : yield* new Refusal({ status: 409, reason: `run ${id2} is ${state}: there is nothing to go on with` });
}), stop = (id2) => gen(function* () {
  let { stopShared } = yield* Setup;
  if ((yield* RunProcesses).stop(id2)) return { done: !0 };
  let { group } = yield* find(id2);
  if (group !== id2 || stopShared === void 0) {
    let reason = `run ${id2} was not started from here: whoever has started it can stop it, by Ctrl-C or SIGTERM`;
    return yield* new Refusal({ status: 409, reason });
  }
  return (yield* mapError(
    stopShared(id2),
    ({ message }) => new Refusal({ status: 503, reason: `run ${id2} could not be stopped: ${message}` })
  )) === "stopped" ? { done: !0 } : yield* new Refusal({ status: 409, reason: `run ${id2} has come to its end: there is nothing to stop` });
});

// src/Dashboard/Schedules.ts
var aDay = 864e5, lastInstant = 253402300799999, most4 = { next: 5, instants: 2e3, days: 62, perSchedule: 1e3, atOnce: 250, why: 500 }, Times = parseJson(Struct({ cron: String$, timezone: String$ })), timesOf = (schedule2) => getOrUndefined(decodeOption(Times)(schedule2)), instantsOf = (schedule2, after, until) => gen(function* () {
  let times = timesOf(schedule2), instants = [];
  if (times === void 0) return { instants, isMore: !1 };
  for (; instants.length < most4.perSchedule; ) {
    let found2 = nextInstants(times, instants.at(-1) ?? after, most4.atOnce, until);
    if (instants.push(...found2), found2.length < most4.atOnce) return { instants, isMore: !1 };
    yield* sleep(0);
  }
  return { instants, isMore: !0 };
}), instantOf = (record) => ({
  pipeline: record.pipeline,
  instant: record.instant,
  status: record.status,
  cause: record.cause,
  run: record.runId,
  attempt: record.attempt,
  reason: record.reason,
  begunAt: record.begunAt,
  nextAt: record.nextAt,
  endedAt: record.endedAt
}), isPaused = ({ pausedAt, pausedWhy }, now) => pausedAt !== void 0 && (pauseEnd(pausedWhy) ?? Number.POSITIVE_INFINITY) > now, goingStatuses = ["waiting", "running", "retrying"], list3 = gen(function* () {
  let schedules2 = yield* schedules, now = yield* currentTimeMillis, records = yield* schedules2.list, last = yield* schedules2.lastEnded, going = yield* schedules2.occurrences({ status: goingStatuses, limit: most4.instants }), goingOf = new Map(going.toReversed().map((each) => [each.pipeline, each]));
  return {
    isServed: (yield* schedules2.leaseHolders).size > 0,
    schedules: records.map((record) => {
      let { file, pipeline: pipeline2, removedAt } = record, times = timesOf(record.schedule), paused = isPaused(record, now), lastOne = last.get(pipeline2), goingOne = goingOf.get(pipeline2);
      return {
        pipeline: pipeline2,
        file,
        cron: times?.cron ?? "",
        timezone: times?.timezone ?? "UTC",
        next: times === void 0 || paused || removedAt !== void 0 ? [] : nextInstants(times, now, most4.next),
        pausedAt: paused ? record.pausedAt : void 0,
        pausedWhy: paused ? record.pausedWhy : void 0,
        removedAt,
        last: lastOne && instantOf(lastOne),
        going: goingOne && instantOf(goingOne)
      };
    })
  };
}), inOrder = (a, b) => a.instant - b.instant || (a.pipeline < b.pipeline ? -1 : 1), calendar = (query2) => gen(function* () {
  let schedules2 = yield* schedules, now = yield* currentTimeMillis, latest = { most: lastInstant }, from = yield* query2.number("from", { ...latest, otherwise: now - 7 * aDay }), to = yield* query2.number("to", { ...latest, otherwise: now + 7 * aDay });
  if (to < from || to - from > most4.days * aDay)
    return yield* new Refusal({
      status: 400,
      reason: `from and to: expected at most ${most4.days} days, in this order`
    });
  let pipeline2 = query2.text("pipeline"), past = yield* schedules2.occurrences({ pipeline: pipeline2, since: from, until: to, limit: most4.instants + 1 }), known = new Set(past.map((each) => `${each.instant} ${each.pipeline}`)), records = (yield* schedules2.list).filter(
    (each) => each.removedAt === void 0 && !isPaused(each, now) && (pipeline2 === void 0 || each.pipeline === pipeline2)
  ), room = Math.max(most4.instants - past.length, most4.perSchedule), due = [], [horizon, isMore] = [to, !1];
  for (let [index, { pipeline: pipeline3, schedule: schedule2 }] of records.entries()) {
    index % 10 === 9 && (yield* sleep(0));
    let found2 = yield* instantsOf(schedule2, Math.max(now, from - 1), horizon);
    isMore ||= found2.isMore;
    let unknown = found2.instants.filter((instant) => !known.has(`${instant} ${pipeline3}`));
    due.push(...unknown.map((instant) => ({ pipeline: pipeline3, instant, status: "due" }))), !(due.length <= room) && (due.sort(inOrder), due.length = room, horizon = due.at(-1)?.instant ?? horizon, isMore = !0);
  }
  let before = past.slice(0, most4.instants - due.length).map(instantOf);
  return {
    instants: [...before, ...due].sort(inOrder),
    isCut: isMore || before.length < past.length
  };
}), changed = (pipeline2, isThere2) => isThere2 ? succeed({ done: !0 }) : new Refusal({ status: 404, reason: `no pipeline with a schedule is called ${pipeline2}` }), plain = (text3) => text3.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim(), pause = (pipeline2, { why = "" }) => gen(function* () {
  let schedules2 = yield* schedules, said2 = plain(why.slice(0, most4.why)), kept = said2 === "" || pauseEnd(said2) !== void 0 ? void 0 : said2;
  return yield* changed(pipeline2, yield* schedules2.pause(pipeline2, kept));
}), resume2 = (pipeline2) => gen(function* () {
  let schedules2 = yield* schedules;
  return yield* changed(pipeline2, yield* schedules2.resume(pipeline2));
});

// src/Dashboard/Service.ts
var notConnected = "no service is known: begin with sluice serve --ui, or name one by SLUICE_BASE_URL and SLUICE_API_KEY", timeout = "10 seconds", policy = { schedule: backoff({ retries: 1, maxRetryAfter: "1 second" }), when: isSafe }, maxListed = 500, ask = (effect2) => provideService(effect2, RetryPolicy, policy), inTime = (effect2) => effect2.pipe(
  mapError(({ message }) => message),
  timeoutFail({ duration: timeout, onTimeout: () => "it has not answered in time" }),
  either
), millis = (text3) => {
  let at = Date.parse(text3 ?? "");
  return Number.isNaN(at) ? void 0 : at;
}, webLink = (text3) => typeof text3 == "string" && /^https?:\/\//.test(text3) && canParse(text3) ? text3 : void 0, whyOf = (answer) => isLeft(answer) ? [answer.left] : [], storageOf = (storage) => storage === void 0 ? void 0 : { used: storage.usedBytes, most: storage.maxBytes, warning: storage.warning ?? void 0 }, activity = gen(function* () {
  let { service: service2 } = yield* Setup;
  if (service2 === void 0)
    return { url: null, why: notConnected, jobs: null, sessions: null, queue: null };
  let questions = gen(function* () {
    let crawls = yield* ActiveCrawls, browser = yield* Browser, usage2 = yield* TokenUsage;
    return yield* all2(
      {
        jobs: inTime(crawls.list()),
        sessions: inTime(browser.list()),
        queue: inTime(usage2.queueStatus())
      },
      { concurrency: 3 }
    );
  }), { jobs, queue, sessions } = yield* provide(ask(questions), service2.clients), why = [...whyOf(jobs), ...whyOf(sessions), ...whyOf(queue)][0];
  return {
    url: service2.baseUrl,
    why,
    jobs: isRight(jobs) ? jobs.right.crawls.slice(0, maxListed).map(({ created_at, id: id2, url }) => ({
      id: id2,
      url: url ?? void 0,
      createdAt: millis(created_at)
    })) : null,
    sessions: isRight(sessions) ? sessions.right.sessions.slice(0, maxListed).map(({ expiresAt, id: id2, interactiveLiveViewUrl, liveViewUrl }) => ({
      id: id2,
      watchUrl: webLink(liveViewUrl),
      steerUrl: webLink(interactiveLiveViewUrl),
      expiresAt: millis(expiresAt)
    })) : null,
    queue: isRight(queue) ? {
      active: queue.right.activeJobsInQueue,
      waiting: queue.right.waitingJobsInQueue,
      most: queue.right.maxConcurrency
    } : null,
    storage: isRight(queue) ? storageOf(queue.right.storage) : void 0
  };
}), maxMonths = 36, defaultMonths = 12, monthsUpTo = (now, count) => {
  let date = new Date(now);
  return Array.from(
    { length: count + 1 },
    (_, index) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1 + index, 1)
  );
}, nameOf = (month) => new Date(month).toISOString().slice(0, 7), byKey = gen(function* () {
  let usage2 = yield* TokenUsage, credits = usage2.historicalCredits({ byApiKey: !0 }).pipe(
    map2(
      ({ periods }) => periods.map(({ apiKey, creditsUsed, startDate, totalCredits }) => ({
        month: startDate.slice(0, 7),
        name: apiKey ?? "",
        credits: totalCredits ?? creditsUsed ?? 0
      }))
    )
  ), tokens = map2(
    usage2.historical({ byApiKey: !0 }),
    ({ periods }) => periods.map(({ apiKey, startDate, totalTokens }) => ({
      month: startDate.slice(0, 7),
      name: apiKey ?? "",
      credits: totalTokens / tokensPerCredit
    }))
  );
  return yield* orElse(credits, () => tokens);
}), remainingCredits = flatMap(
  TokenUsage,
  (usage2) => map2(usage2.credits(), ({ data: data2 }) => data2.remainingCredits)
), usage = (query2) => gen(function* () {
  let survey2 = yield* survey, { service: service2 } = yield* Setup, now = yield* currentTimeMillis, count = yield* query2.number("months", { least: 1, most: maxMonths, otherwise: defaultMonths }), starts = monthsUpTo(now, count), months = starts.slice(0, -1).map(nameOf), pipelines2 = yield* forEach(
    starts.slice(0, -1),
    (start2, index) => map2(
      survey2.spent(start2, starts[index + 1] ?? now),
      (spent) => spent.map(({ credits, pipeline: pipeline2, unpriced }) => ({ month: nameOf(start2), name: pipeline2, credits, unpriced }))
    )
  ), told = { months, pipelines: pipelines2.flat() };
  if (service2 === void 0) return { ...told, keys: null, why: notConnected };
  let answers = all2([inTime(byKey), inTime(remainingCredits)], { concurrency: 2 }), [keys, balance] = yield* provide(ask(answers), service2.clients);
  return {
    ...told,
    keys: keys._tag === "Right" ? keys.right.filter(({ month }) => months.includes(month)) : null,
    ...keys._tag === "Right" ? {} : { why: keys.left },
    ...balance._tag === "Right" ? { left: balance.right } : {}
  };
}).pipe(withSpan("Dashboard.usage"));

// src/Dashboard/Routes.ts
var json = (value, status = 200) => text2(JSON.stringify(value), {
  status,
  contentType: "application/json; charset=utf-8",
  headers: ofData
}), refused = (refusal) => json(refusal.trouble, refusal.status), query = map2(
  HttpServerRequest,
  ({ url }) => new Query(new URLSearchParams(url.split("?").slice(1).join("?")))
), part = (name) => map2(params, (params2) => storable(params2[name] ?? "")), answered = (effect2) => effect2.pipe(
  map2((value) => json(value)),
  catchAll(
    (error) => succeed(refused(error._tag === "Refusal" ? error : new Refusal({ status: 503, reason: error.message })))
  )
), maxDepth = 200, body = (schema) => gen(function* () {
  let request = yield* HttpServerRequest;
  if (!/^application\/json(;|$)/i.test(request.headers["content-type"] ?? ""))
    return yield* new Refusal({ status: 400, reason: "expected content-type: application/json" });
  let text3 = yield* mapError(
    request.text,
    () => new Refusal({ status: 413, reason: "the body is too long, or was broken off" })
  );
  return isDeepJson(text3, maxDepth) ? yield* new Refusal({ status: 400, reason: `the body is nested more than ${maxDepth} levels deep` }) : yield* mapError(
    decodeUnknown(parseJson(schema))(text3 === "" ? "{}" : text3),
    (error) => {
      let faults = ArrayFormatter.formatErrorSync(error).map(
        ({ message, path }) => [...path.length === 0 ? [] : [path.join(".")], message].join(": ")
      );
      return new Refusal({ status: 400, reason: `the body is not as it should be: ${faults.join("; ")}` });
    }
  );
}), startedAt = Date.now(), about = gen(function* () {
  let { dataDir, definitions, service: service2 } = yield* Setup, { isShared, place: place2 } = yield* Ledger, survey2 = yield* survey;
  return {
    version,
    dataDir,
    ledger: place2,
    definitions: definitions ?? null,
    engine: service2?.baseUrl ?? null,
    now: yield* currentTimeMillis,
    startedAt,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    runs: yield* survey2.count,
    ledgerBytes: isShared ? void 0 : yield* sizeOf2(place2)
  };
}), pulse = seconds(15), events = gen(function* () {
  let watch = yield* Watch, request = yield* HttpServerRequest, run2 = (yield* query).text("run", 200), cut = () => {
    toIncomingMessage(request).socket.destroy();
  }, queue = yield* watch.listen(run2, request.headers["last-event-id"], cut), beats = schedule(repeatValue(`: 

`), spaced(pulse)), texts = merge(fromQueue(queue), beats, { haltStrategy: "left" });
  return stream(encodeText(texts), {
    contentType: "text/event-stream; charset=utf-8",
    headers: { ...ofData, "x-accel-buffering": "no" }
  });
}).pipe(catchAll((refusal) => succeed(refused(refusal)))), nothing = Struct({}), Pause = Struct({ why: optional(String$) }), id = part("id"), pipeline = part("pipeline"), aboutRuns = empty.pipe(
  get(paths.about, answered(about)),
  get(paths.runs, answered(flatMap(query, list))),
  get(paths.pipelines, answered(pipelines)),
  get(paths.run, answered(flatMap(id, detail))),
  get(paths.definition, answered(flatMap(id, definition))),
  get(paths.log, answered(flatMap(all2([id, query]), ([id2, query2]) => read2(id2, query2)))),
  get(
    paths.rejects,
    answered(flatMap(all2([id, query]), ([id2, query2]) => rejects(id2, query2)))
  ),
  get(
    paths.runPages,
    answered(flatMap(all2([id, query]), ([id2, query2]) => ofRun(id2, query2)))
  ),
  get(
    paths.preview,
    answered(
      flatMap(
        all2([id, part("number"), query]),
        ([id2, number, query2]) => preview(id2, number, query2)
      )
    )
  ),
  post(
    paths.replay,
    answered(flatMap(all2([id, body(Again)]), ([id2, again]) => once(again, replay(id2))))
  ),
  post(
    paths.resume,
    answered(
      flatMap(all2([id, body(Again)]), ([id2, again]) => once(again, resume(id2, again)))
    )
  ),
  post(paths.stop, answered(zipRight(body(nothing), flatMap(id, stop))))
), routes = aboutRuns.pipe(
  get(paths.pages, answered(flatMap(query, search))),
  get(paths.page, answered(flatMap(query, versions))),
  get(paths.diff, answered(flatMap(query, diff))),
  get(paths.schedules, answered(list3)),
  get(paths.calendar, answered(flatMap(query, calendar))),
  post(
    paths.pause,
    answered(flatMap(all2([pipeline, body(Pause)]), ([pipeline2, why]) => pause(pipeline2, why)))
  ),
  post(paths.unpause, answered(zipRight(body(nothing), flatMap(pipeline, resume2)))),
  get(paths.usage, answered(flatMap(query, usage))),
  get(paths.engine, answered(activity)),
  get(paths.definitions, answered(list2)),
  post(
    paths.launch,
    answered(flatMap(body(Launch), (asked) => once(asked, launch(asked))))
  ),
  get(paths.events, events)
);

// src/Dashboard.ts
var listenAdvice = {
  EADDRINUSE: "Another one may be running; --port 0 takes a free one",
  EACCES: "Ports below 1024 may need rights; --port 0 takes a free one",
  EADDRNOTAVAIL: "--host takes an address of this machine",
  ENOTFOUND: "--host takes an address of this machine"
}, ListenError = class extends TaggedError("ListenError") {
  get message() {
    let { code, message = String(this.cause) } = this.cause ?? {}, advice = listenAdvice[code ?? ""];
    return `the dashboard cannot listen on ${this.host}:${this.port}: ${message}${advice === void 0 ? "" : `. ${advice}`}`;
  }
}, maxConnections = 512, maxBody = 1024 * 1024, nothing2 = new Refusal({ status: 404, reason: "nothing has this address: the dashboard is at /" }), otherMethod = new Refusal({
  status: 404,
  reason: "pages are asked for with GET: what changes something is below /api/"
}), listen = (host2, port2) => gen(function* () {
  let server = Http.createServer({ headersTimeout: 15e3, requestTimeout: 6e4, keepAliveTimeout: 3e4 });
  limitConnections(server, maxConnections);
  let listening = yield* make3(() => server, { host: host2, port: port2 }).pipe(
    mapError(({ cause }) => new ListenError({ host: host2, port: port2, cause }))
  );
  return yield* addFinalizer(() => sync(() => server.closeAllConnections())), listening;
}), start = fn("Dashboard.start")(function* (options) {
  let { host: bound = "127.0.0.1", port: wanted = 0 } = options, server = yield* listen(bound, wanted), port2 = server.address._tag === "TcpAddress" ? server.address.port : wanted, entrance = make4({ bound, port: port2 }), files = yield* makeFiles, services = yield* build(
    mergeAll(layer2, layer4, layer3, layer).pipe(
      provideMerge(succeed2(Setup, options)),
      provideMerge(service(FileSystem)),
      provideMerge(service(Path))
    )
  ), ledger = yield* Ledger, data2 = (yield* toHttpApp(routes)).pipe(
    provide(services),
    // Nothing else of what is here: the scope of a request ends with it.
    provideService(Ledger, ledger),
    catchTag("RouteNotFound", () => succeed(refused(nothing2))),
    withMaxBodySize(some(maxBody))
  ), app = gen(function* () {
    let request = yield* HttpServerRequest, stranger = entrance.stranger(request);
    if (stranger !== void 0) return refused(stranger);
    let path = request.url.split("?", 1)[0] ?? "/";
    return path.startsWith("/api/") ? entrance.isKnown(request) ? yield* data2 : refused(outside) : request.method !== "GET" && request.method !== "HEAD" ? refused(otherMethod) : yield* files(path) ?? succeed(refused(nothing2));
  }).pipe(
    catchAllDefect(
      (defect) => as(
        logError(
          `the dashboard failed: ${defect instanceof Error ? defect.stack ?? defect.message : String(defect)}`
        ),
        refused(new Refusal({ status: 503, reason: "a fault of sluice: its log says more" }))
      )
    )
  );
  yield* server.serve(app);
  let baseUrl = `http://${bound === "0.0.0.0" || bound === "::" ? "127.0.0.1" : bound.includes(":") ? `[${bound}]` : bound}:${port2}`;
  return { baseUrl, url: `${baseUrl}/#token=${entrance.token}`, isLocal: isLoopback(bound) };
}), limitConnections = (server, most5) => {
  let idle = /* @__PURE__ */ new Set(), open2 = /* @__PURE__ */ new Set();
  server.on(
    "connection",
    safely((socket) => {
      if (socket.once(
        "close",
        safely(() => {
          open2.delete(socket), idle.delete(socket);
        })
      ), open2.size >= most5) {
        let [longest] = idle;
        if (longest === void 0) return socket.destroy();
        open2.delete(longest), idle.delete(longest), longest.destroy();
      }
      open2.add(socket), idle.add(socket);
    })
  ), server.on(
    "request",
    safely(({ socket }, response) => {
      idle.delete(socket), response.once(
        "close",
        safely(() => {
          open2.has(socket) && idle.add(socket);
        })
      );
    })
  );
}, pageBundle = bundle({
  folder: "Dashboard",
  script: "Main.tsx",
  style: "Dashboard.css",
  name: "dashboard"
}), respond = (body2, contentType) => text2(body2, { contentType, headers: ofTrustedPage }), makeFiles = map2(cached(pageBundle), (pageBundle2) => {
  let page2 = respond(pageHtml(""), "text/html; charset=utf-8"), icon = respond(favicon, "image/svg+xml");
  return (path) => {
    switch (path) {
      case "/dashboard.js":
        return map2(pageBundle2, ({ script }) => respond(script, "text/javascript; charset=utf-8"));
      case "/dashboard.css":
        return map2(pageBundle2, ({ style }) => respond(style, "text/css; charset=utf-8"));
      case "/icon.svg":
        return succeed(icon);
      default:
        return /^\/api(\/|$)|\.[^/]*$/.test(path) ? void 0 : succeed(page2);
    }
  };
}), pageHtml = (base) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>Sluice</title><link rel="icon" href="${base}/icon.svg"><link rel="stylesheet" href="${base}/dashboard.css">
<script type="module" src="${base}/dashboard.js"></script></head>
<body class="dashboard"><div id="app"><p class="before">Opening the dashboard \u2026</p></div>
<noscript><p class="before">The dashboard needs JavaScript. <code>sluice runs</code> shows the same in a terminal.</p></noscript></body></html>`;

// src/Cli/Ui.ts
var parameters = {
  port: port("Port to listen on", dashboardPort),
  host,
  pipelines: text(
    "DIR",
    "Folder whose definitions can be run from it; default: pipelines, where there is one."
  ),
  out: text("DIR", "Folder that outputs of those runs are under; default: the current one.", "o"),
  data: data("the ledger"),
  profile,
  json: toggle("Prints the link as one JSON object."),
  ...trust
}, command2 = make({
  details: "It prints a link with a token, which lets its bearer in, in that browser, until it ends. What it starts goes on when it ends. With SLUICE_DATABASE_URL it shows the ledger that machines share; with SLUICE_BASE_URL it shows jobs and browser sessions of that service too, as sluice serve --ui does for its own.",
  parameters,
  examples: [
    { line: "sluice ui", what: `on http://127.0.0.1:${dashboardPort}` },
    { line: "sluice ui --data /var/lib/sluice --port 0 --json", what: "over another folder, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
}), defaultFolder = "pipelines", definitionsOf = (named) => gen(function* () {
  let files = yield* FileSystem, folder = (yield* Path).resolve(named ?? defaultFolder), info = yield* option(files.stat(folder));
  if (info._tag === "Some" && info.value.type === "Directory") return folder;
  if (named !== void 0)
    return yield* new FileUnusable({ path: named, reason: "there is no such folder. Name one of definitions" });
}), stopIn = (url, files) => {
  let cluster = promise(() => import("./chunk-SVZQFOMB.js"));
  return (run2) => flatMap(
    cluster,
    ({ layer: layer5, ShardQueue }) => provide(
      flatMap(ShardQueue, (queue) => queue.stop(run2)),
      layer5(url, 1)
    )
  ).pipe(
    mapError((error) => ({ message: isSqlError(error) ? reasonOf(error) : error.message })),
    provideService(FileSystem, files)
  );
}, run = (options, terminal) => gen(function* () {
  let files = yield* FileSystem, paths2 = yield* Path, { env, service: told } = serviceIn(terminal.env), settings = yield* readSettings(env, options.profile), dataDir = paths2.resolve(options.data ?? settings.dataDir), definitions = yield* definitionsOf(options.pipelines);
  if (told === void 0 && definitions === void 0 && !(yield* ledgerExists(settings, dataDir)))
    return yield* new NothingYet({ dataDir });
  let service2 = told ?? (yield* hostedService(settings)), { databaseUrl } = settings, ledger = yield* build(ledgerLayer(settings, dataDir)), dashboard = yield* start({
    host: options.host,
    port: options.port,
    dataDir,
    definitions,
    out: paths2.resolve(options.out ?? "."),
    scope: scopeOf(env),
    service: service2 && { baseUrl: service2.baseUrl, clients: orDie(clientsOf(service2)) },
    stopShared: databaseUrl && stopIn(databaseUrl, files),
    command: command(),
    words: [
      "--data",
      dataDir,
      ...options.profile === void 0 ? [] : ["--profile", options.profile],
      ...trustArguments(options)
    ],
    env
  }).pipe(provide(ledger));
  if (dashboard.isLocal || warn(terminal.err, "other machines can reach this address, and what they send can be read on the way: put it behind a proxy that speaks HTTPS"), options.json)
    terminal.out.write(`${JSON.stringify({ url: dashboard.url, dataDir })}
`);
  else {
    let dye = paint(terminal.out);
    terminal.out.write(
      [
        `${dye.bold("sluice")} shows what is in ${place(dataDir)}`,
        "",
        `  open  ${dye.cyan(dashboard.url)}`,
        "",
        dye.dim(
          "The link lets its bearer in: keep it to yourself. Ctrl-C stops it; runs that were started from it go on."
        ),
        ""
      ].join(`
`)
    );
  }
  return yield* abandoned;
}).pipe(
  scoped,
  // The terminal has written ^C.
  onInterrupt(
    () => sync(() => {
      serviceIn(terminal.env).service === void 0 && terminal.err.write(`${terminal.err.interactive ? `
` : ""}stopped
`);
    })
  )
);
export {
  command2 as command
};
