import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Client_exports,
  from,
  load
} from "./lib-NJK4MDO5.js";
import {
  ActiveCrawls,
  BatchScrape,
  Browser,
  ClientErrors_exports,
  Connection_exports,
  Crawl,
  CrawlPreview,
  DefinitionInvalid,
  Estimate_exports,
  ExpressionText,
  Ledger_exports,
  Map as Map2,
  Parse,
  Retry_exports,
  RunFailed,
  RunStopped,
  Run_exports,
  Schedule,
  Scrape,
  Search,
  SinkErrors_exports,
  Sink_exports,
  StepError,
  TokenUsage,
  call,
  check,
  dueAt,
  extend,
  flatMapValues,
  instantsBetween,
  make as make2,
  make2 as make3,
  mapping,
  needsProgram,
  nextInstants,
  operationOf,
  optionsOf,
  parseText,
  perRow,
  read,
  readable,
  serve,
  watchedFiles
} from "./lib-UQLIQVE6.js";
import {
  ExitCode,
  Ledger,
  acquire,
  heldNames,
  isSpent,
  make,
  reading,
  writing
} from "./lib-RBRX5FPT.js";
import {
  Api,
  Settings_exports
} from "./lib-RAYPVGAA.js";
import {
  decodeText,
  encodeText
} from "./lib-UHVBXRJH.js";
import "./lib-GGME65E2.js";
import {
  __export
} from "./lib-URHN3MKJ.js";

// src/Pipeline.ts
var Pipeline_exports = {};
__export(Pipeline_exports, {
  DefinitionInvalid: () => DefinitionInvalid,
  from: () => from,
  load: () => load,
  make: () => make4
});
var make4 = (definition, extensions) => (
  // Only the types of the extensions are lost: who reads a definition checks it by its schemas.
  extensions === void 0 ? definition : extend(definition, extensions)
);

// src/Schedule.ts
var Schedule_exports = {};
__export(Schedule_exports, {
  runAt: () => runAt,
  runner: () => runner,
  schedules: () => schedules,
  serve: () => serve2
});
import { resolve } from "node:path";
import * as Clock8 from "effect/Clock";
import * as Deferred3 from "effect/Deferred";
import * as Duration4 from "effect/Duration";
import * as Effect9 from "effect/Effect";

// src/Schedule/Daemon.ts
import * as Clock4 from "effect/Clock";
import * as Deferred2 from "effect/Deferred";
import * as Duration3 from "effect/Duration";
import * as Effect5 from "effect/Effect";
import * as Fiber2 from "effect/Fiber";
import * as Queue from "effect/Queue";

// src/Schedule/Definitions.ts
import * as FileSystem3 from "@effect/platform/FileSystem";
import * as Path3 from "@effect/platform/Path";
import * as Clock from "effect/Clock";
import * as Effect2 from "effect/Effect";
import * as Either from "effect/Either";
import * as Option2 from "effect/Option";
import * as Schema from "effect/Schema";

// src/Schedule/Read.ts
import * as FileSystem from "@effect/platform/FileSystem";
import * as Path from "@effect/platform/Path";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
var isCode = (name) => /\.[mc]?[jt]s$/.test(name);
var hasSchedule = ({ value }) => typeof value === "object" && value !== null && "schedule" in value;
var idle = (file) => ({
  source: { file, text: "", folder: ".", value: {}, locate: () => void 0 },
  frame: { version: 1, name: "idle", steps: [{}] },
  nodes: [],
  inputs: {},
  remembering: [],
  toStdout: [],
  warnings: []
});
var declaredOf = ({ value }, inputs) => {
  const { inputs: declared } = typeof value === "object" && value !== null ? value : {};
  if (typeof declared !== "object" || declared === null) return {};
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => Object.hasOwn(declared, name)));
};
var checkScheduled = (source, options) => Effect.gen(function* () {
  const checked = yield* check(source, { ...options, complete: true, scheduled: true });
  if (checked.toStdout.length === 0) return checked;
  const message = 'a schedule has no standard output for rows ("-"): give the path of a file';
  return yield* new DefinitionInvalid({
    file: source.file,
    mistakes: checked.toStdout.map((path) => ({ path, message, ...source.locate(path) }))
  });
});
var load2 = (file, { allowCode, inputs = {}, scope, displayPath = (same) => same }) => Effect.gen(function* () {
  if (isCode(file) && !allowCode) return idle(file);
  const source = yield* read(displayPath(file)).pipe(
    // A module without a definition, for example one that a `use` step imports.
    (found) => isCode(file) ? Effect.orElseSucceed(found, () => void 0) : found
  );
  if (source === void 0 || !hasSchedule(source)) return idle(file);
  return yield* checkScheduled(source, { ...scope, allowCode, inputs: declaredOf(source, inputs) });
});
var watchedCode = (file) => Effect.gen(function* () {
  if (isCode(file)) return watchedFiles(file);
  const files = yield* FileSystem.FileSystem;
  if (!/\bextensions\b/.test(yield* files.readFileString(file))) return [];
  const { folder, value } = yield* read(file);
  const { extensions } = mapping(value);
  return typeof extensions === "string" ? watchedFiles(yield* readable(extensions, folder)) : [];
}).pipe(
  // What cannot be read is reported when the definition is loaded.
  Effect.orElseSucceed(() => [])
);
var frozen = (record, { allowCode, scope }) => Effect.gen(function* () {
  const paths = yield* Path.Path;
  const saved = yield* parseText(record.file, paths.dirname(record.file), record.definition);
  const current = allowCode && isCode(record.file) && needsProgram(saved.value) ? Option.getOrUndefined(yield* Effect.option(read(record.file))) : void 0;
  const source = current?.text === record.definition ? current : saved;
  const inputs = record.inputs;
  const { definitionHash } = record;
  const options = { ...scope, allowCode, inputs, saved: true, complete: true, begun: true, definitionHash };
  const checked = yield* check(source, options);
  return { ...checked, inputs };
});

// src/Schedule/Definitions.ts
var decoded = Schema.decodeUnknownEither(Schema.parseJson(Schedule));
var encoded = Schema.encodeSync(Schema.parseJson(Schedule));
var registrationOf = (file, { frame: { name, schedule } }) => schedule && { pipeline: name, file, schedule: encoded(schedule), times: `${schedule.cron} ${schedule.timezone}` };
var nothing = () => ({ added: [], removed: [] });
var pipelinesPerTransaction = 200;
var make5 = (definitions, { ledger, schedules: schedules2 }, runner2, onEvent, report) => Effect2.gen(function* () {
  const changes = yield* folderChanges(definitions, runner2);
  const files = /* @__PURE__ */ new Map();
  const entries = /* @__PURE__ */ new Map();
  let pending = /* @__PURE__ */ new Set();
  let scanned = nothing();
  let duplicates = /* @__PURE__ */ new Set();
  const owners = () => {
    const byName = /* @__PURE__ */ new Map();
    const wanted = [...files].flatMap(
      ([file, checked]) => Either.isRight(checked) && checked.right.frame.schedule !== void 0 ? [[file, checked.right.frame.name]] : []
    );
    for (const [file, name] of wanted) if (entries.get(name)?.file === file) byName.set(name, file);
    for (const [file, name] of wanted.sort()) if (!byName.has(name)) byName.set(name, file);
    const before = duplicates;
    duplicates = /* @__PURE__ */ new Set();
    for (const [file, pipeline] of wanted) {
      const other = byName.get(pipeline);
      if (other === void 0 || other === file) continue;
      const key = `${file} ${pipeline}`;
      duplicates.add(key);
      if (!before.has(key)) onEvent({ _tag: "Twice", pipeline, file, other });
    }
    return byName;
  };
  const former = (pipeline) => Effect2.flatMap(
    ledger.history.runs({ pipeline, limit: 1 }),
    ([run]) => run === void 0 || runner2.former === void 0 ? Effect2.succeed(void 0) : runner2.former(run)
  ).pipe(
    // Without it there are no notifications. Occurrences are missed all the same, and the history has the reason.
    Effect2.catchAllCause((cause) => Effect2.as(Effect2.logDebug(cause), void 0))
  );
  const storedSchedules = (file, message, past, now) => past.flatMap((record) => {
    const schedule = decoded(record.schedule);
    if (record.file !== file || record.removedAt !== void 0 || Either.isLeft(schedule)) return [];
    if (entries.has(record.pipeline)) return [];
    const { pipeline, reached } = record;
    return [
      {
        pipeline,
        file,
        schedule: schedule.right,
        checked: void 0,
        broken: message,
        reached: Math.min(reached, now)
      }
    ];
  });
  const register2 = (changed) => Effect2.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    const byName = owners();
    const put = (entry) => {
      entries.set(entry.pipeline, entry);
      scanned.added.push(entry);
    };
    const brokenNow = [...files].flatMap(
      ([file, checked]) => Either.isLeft(checked) && changed.has(file) ? [[file, checked.left]] : []
    );
    const unknown = brokenNow.filter(([file]) => ![...entries.values()].some((entry) => entry.file === file));
    const past = unknown.length === 0 ? [] : yield* schedules2.list;
    for (const [file, message] of unknown) {
      for (const entry of storedSchedules(file, message, past, now)) {
        put({ ...entry, checked: yield* former(entry.pipeline) });
      }
    }
    for (const [file, message] of brokenNow) {
      for (const entry of entries.values())
        if (entry.file === file) entries.set(entry.pipeline, { ...entry, broken: message });
    }
    const removed = [...entries.values()].filter(({ file, pipeline }) => {
      const checked = files.get(file);
      return !byName.has(pipeline) && (checked === void 0 || Either.isRight(checked));
    });
    if (removed.length > 0) yield* schedules2.remove(removed.map(({ pipeline }) => pipeline));
    for (const { file, pipeline } of removed) {
      entries.delete(pipeline);
      scanned.removed.push(pipeline);
      onEvent({ _tag: "Removed", pipeline, file });
    }
    const fresh = [...byName].flatMap(([pipeline, file]) => {
      const checked = files.get(file);
      const entry = entries.get(pipeline);
      if (checked === void 0 || Either.isLeft(checked)) return [];
      if (entry?.checked === checked.right && entry.broken === void 0) return [];
      const registration = registrationOf(file, checked.right);
      return registration === void 0 ? [] : [{ registration, checked: checked.right }];
    });
    for (let at = 0; at < fresh.length; at += pipelinesPerTransaction) {
      const some = fresh.slice(at, at + pipelinesPerTransaction);
      const records = yield* schedules2.register(some.map(({ registration }) => registration));
      const byPipeline = new Map(records.map((record) => [record.pipeline, record]));
      for (const { checked, registration } of some) {
        const { file, pipeline } = registration;
        const record = byPipeline.get(pipeline);
        const { schedule } = checked.frame;
        if (record === void 0 || schedule === void 0) continue;
        onEvent({ _tag: entries.has(pipeline) ? "Changed" : "Added", pipeline, file });
        put({ pipeline, file, schedule, checked, broken: void 0, reached: record.reached });
      }
    }
  });
  const scan = Effect2.gen(function* () {
    const { read: read2, removed } = yield* changes;
    for (const file of removed) files.delete(file);
    for (const { checked, file } of read2) {
      const before = files.get(file);
      files.set(file, checked);
      if (Either.isLeft(checked) && !(before !== void 0 && Either.isLeft(before) && before.left === checked.left)) {
        onEvent({ _tag: "Broken", file, message: checked.left });
      }
    }
    pending = /* @__PURE__ */ new Set([...pending, ...removed, ...read2.map(({ file }) => file)]);
    if (pending.size > 0) yield* Effect2.mapError(register2(pending), ({ message }) => message);
    pending = /* @__PURE__ */ new Set();
    report(void 0);
  }).pipe(
    Effect2.catchAll((message) => Effect2.sync(() => report(message))),
    Effect2.zipRight(
      Effect2.sync(() => {
        const found = scanned;
        scanned = nothing();
        return found;
      })
    ),
    Effect2.uninterruptible
  );
  const known = {
    scan,
    find: (pipeline) => entries.get(pipeline),
    all: () => [...entries.values()],
    advance: (pipeline, reached) => {
      const entry = entries.get(pipeline);
      if (entry === void 0) return void 0;
      const advanced = reached > entry.reached ? { ...entry, reached } : entry;
      entries.set(pipeline, advanced);
      return advanced;
    },
    snapshot: (pipeline) => {
      const entry = entries.get(pipeline);
      return entry && { checked: entry.checked, file: entry.file, schedule: entry.schedule };
    },
    definition: (pipeline) => entries.get(pipeline)?.checked,
    broken: () => [...files].flatMap(([file, checked]) => Either.isLeft(checked) ? [{ file, message: checked.left }] : [])
  };
  return known;
});
var isDefinition = (name, code) => (/\.(ya?ml|json)$/.test(name) || code && isCode(name)) && !/^[._]|\.(test|spec|d|lock|schema)\.\w+$/.test(name);
var internalError = (file) => (defect) => Effect2.fail({ message: `${file}: a fault of sluice: ${String(defect)}` });
var statConcurrency = 16;
var stampText = ({ ino, mtime, size, type }) => type === "File" ? `${Option2.match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })} ${size} ${Option2.getOrElse(ino, () => 0)}` : missing;
var missing = "missing";
var folderChanges = (folder, runner2) => Effect2.gen(function* () {
  const context3 = yield* Effect2.context();
  const files = yield* FileSystem3.FileSystem;
  const paths = yield* Path3.Path;
  const home = paths.resolve(folder);
  let stamps = /* @__PURE__ */ new Map();
  const code = /* @__PURE__ */ new Map();
  const stampOf = (file) => files.stat(file).pipe(
    Effect2.map(stampText),
    // A file that cannot be read counts as unchanged.
    Effect2.catchAll(
      (error) => Effect2.succeed(
        error._tag === "SystemError" && error.reason === "NotFound" ? missing : stamps.get(file) ?? "unseen"
      )
    )
  );
  const stampsOf = (all2) => Effect2.map(
    Effect2.forEach(new Set(all2), (file) => Effect2.map(stampOf(file), (stamp) => [file, stamp]), {
      concurrency: statConcurrency
    }),
    (pairs) => new Map(pairs)
  );
  const load3 = (file) => Effect2.map(
    // A defect in one file must not affect the others.
    Effect2.either(Effect2.catchAllDefect(runner2.load(file), internalError(file))),
    (checked) => ({ file, checked: Either.mapLeft(checked, ({ message }) => message) })
  );
  return Effect2.gen(function* () {
    const names = yield* Effect2.mapError(files.readDirectory(home), ({ message }) => message);
    const found = names.filter((name) => isDefinition(name, true)).sort().map((name) => paths.join(home, name));
    const now = yield* stampsOf([...found, ...[...code.values()].flat()]);
    const present = found.filter((file) => now.get(file) !== missing);
    const changed = present.filter(
      (file) => [file, ...code.get(file) ?? []].some((each) => stamps.get(each) !== now.get(each))
    );
    for (const file of changed) code.set(file, yield* watchedCode(file));
    const added = yield* stampsOf(changed.flatMap((file) => code.get(file) ?? []).filter((file) => !now.has(file)));
    const read2 = yield* Effect2.forEach(changed, load3);
    const removed = [...code.keys()].filter((file) => !present.includes(file));
    for (const file of removed) code.delete(file);
    stamps = new Map([...now, ...added]);
    return { read: read2, removed };
  }).pipe(Effect2.provide(context3));
});

// src/Schedule/Due.ts
import * as Duration from "effect/Duration";

// src/Schedule/NotificationOutbox.ts
import { randomUUID } from "node:crypto";
import * as Clock2 from "effect/Clock";
import * as Effect3 from "effect/Effect";
var maxReasonLength = 2e3;
var notificationsFor = (checked, event, { file, instant, reason, summary, ...rest }) => (checked?.frame.notify ?? []).flatMap(
  ({ on }, target) => on.includes(event) ? [
    {
      event,
      target,
      body: JSON.stringify({
        event,
        ...rest,
        instant: new Date(instant).toISOString(),
        file,
        reason: reason?.slice(0, maxReasonLength),
        rows: summary?.rows,
        rejects: summary?.rejects,
        credits: summary?.credits,
        durationMs: summary?.durationMs,
        resumable: summary?.resumable
      })
    }
  ] : []
);
var numberOf = (value) => value === null ? void 0 : Number(value);
var toRecord = (row) => ({
  id: row.id,
  pipeline: row.pipeline,
  instant: Number(row.instant),
  runId: row.run_id ?? void 0,
  event: row.event,
  target: Number(row.target),
  body: decodeText(row.body),
  madeAt: Number(row.made_at),
  attempts: Number(row.attempts),
  sentAt: numberOf(row.sent_at),
  gaveUpAt: numberOf(row.gave_up_at),
  error: row.error === null ? void 0 : decodeText(row.error)
});
var add = (sql, { instant, pipeline, runId }, notices, now) => sql`INSERT INTO notices ${sql.insert(
  notices.map(({ body, event, target }) => ({
    id: randomUUID(),
    pipeline,
    instant,
    run_id: runId ?? null,
    event,
    target,
    body: encodeText(body),
    made_at: now,
    attempts: 0,
    next_at: now
  }))
)}`;
var areDue = (sql, now) => Effect3.map(sql`SELECT id FROM notices WHERE next_at <= ${now} LIMIT 1`, (rows) => rows.length > 0);
var take = (sql, now, limit, hold) => Effect3.map(
  sql`UPDATE notices SET attempts = attempts + 1, next_at = ${now + hold}
      WHERE id IN (SELECT id FROM notices WHERE next_at <= ${now} ORDER BY next_at, id LIMIT ${limit})
        AND next_at <= ${now} RETURNING *`,
  (rows) => rows.map(toRecord)
);
var sent = (sql, id) => Effect3.flatMap(
  Clock2.currentTimeMillis,
  (now) => sql`UPDATE notices SET sent_at = ${now}, next_at = NULL, error = NULL WHERE id = ${id}`
).pipe(Effect3.asVoid);
var failed = (sql, id, error, nextAt) => Effect3.flatMap(
  Clock2.currentTimeMillis,
  (now) => sql`UPDATE notices SET error = ${encodeText(error)}, next_at = ${nextAt ?? null},
      gave_up_at = ${nextAt === void 0 ? now : null} WHERE id = ${id} AND sent_at IS NULL`
).pipe(Effect3.asVoid);
var postpone = (sql, id, until) => Effect3.asVoid(
  sql`UPDATE notices SET next_at = ${until}, attempts = attempts - 1 WHERE id = ${id} AND sent_at IS NULL`
);
var list = (sql, { limit, pipeline }) => Effect3.map(
  pipeline === void 0 ? sql`SELECT * FROM notices ORDER BY made_at DESC, id LIMIT ${limit}` : sql`SELECT * FROM notices WHERE pipeline = ${pipeline} ORDER BY made_at DESC, id LIMIT ${limit}`,
  (rows) => rows.map(toRecord)
);

// src/Schedule/Due.ts
var maxMissedRows = 1e3;
var iso = (instant) => new Date(instant).toISOString();
var formatDuration = (millis2) => Duration.format(Duration.millis(Math.round(millis2 / 1e3) * 1e3));
var nextDue = ({ pipeline, reached, schedule }) => {
  const [instant] = nextInstants(schedule, reached, 1);
  return instant === void 0 ? void 0 : { instant, due: dueAt(pipeline, schedule, instant) };
};
var decide = ({ broken, schedule }, due, late, now) => {
  const { catchUp, catchUpWindow, overlap } = schedule;
  const oldest = catchUpWindow === void 0 ? Number.NEGATIVE_INFINITY : now - Duration.toMillis(catchUpWindow);
  const caughtUp = catchUp === "all" && due.slice(0, late).some(({ instant }) => instant >= oldest);
  const inOrder = caughtUp && overlap !== "allow" ? "queue" : overlap;
  return due.map(({ due: at, instant }, index) => {
    const missed = (why) => ({ status: "missed", reason: why, overlap });
    if (broken !== void 0) return missed(`its definition is broken: ${broken}`);
    if (index >= late) return { status: "waiting", overlap: inOrder };
    const found = `found ${formatDuration(now - at)} after it was due`;
    if (catchUp === "none") return missed(`${found}, and catchUp is none`);
    if (instant < oldest) return missed(`${found}: longer than the catchUpWindow`);
    if (catchUp === "all") return { status: "waiting", overlap: inOrder };
    return index === due.length - 1 ? { status: "waiting", overlap } : missed(`${found}, and only the latest occurrence is caught up`);
  });
};
var timesUntil = ({ reached, schedule }, isLate, now) => {
  const newest = instantsBetween(schedule, reached, now, maxMissedRows);
  if (isLate || newest.left === 0) return newest;
  return { instants: nextInstants(schedule, reached, maxMissedRows), left: 0, exact: true };
};
var dueNow = (entry, now, tolerance) => {
  const { pipeline, reached, schedule } = entry;
  const first = nextDue(entry);
  if (first === void 0 || first.due > now) return { claims: [], reached };
  const { exact, instants, left } = timesUntil(entry, first.due < now - tolerance, now);
  const timed = instants.map((instant) => ({ instant, due: dueAt(pipeline, schedule, instant) }));
  const wait = timed.findIndex(({ due: due2 }) => due2 > now);
  const due = wait < 0 ? timed : timed.slice(0, wait);
  const late = due.findLastIndex((each) => each.due < now - tolerance) + 1;
  const decisions = decide(entry, due, late, now);
  const claims = due.map((each, index) => {
    const decision = decisions[index];
    return {
      pipeline,
      ...each,
      cause: "schedule",
      status: decision?.status ?? "missed",
      reason: decision?.reason,
      overlap: decision?.overlap ?? schedule.overlap,
      notices: []
    };
  });
  const missed = claims.filter(({ status }) => status === "missed");
  const all2 = [...claims];
  if (left > 0) {
    const more = `${exact ? "" : "more than "}${left.toLocaleString("en-US")}`;
    const until = iso(instants[0] ?? now);
    all2.unshift({
      pipeline,
      instant: first.instant,
      due: first.due,
      cause: "schedule",
      status: "missed",
      reason: `this and all other scheduled times before ${until} were missed (${more}): too many for a row each`,
      overlap: schedule.overlap,
      notices: []
    });
  }
  const notifications = missedNotifications(entry, "missed", all2, missed.length + left);
  const [newest] = missed.slice(-1);
  return {
    claims: all2.map((each) => each === newest ? { ...each, notices: notifications } : each),
    // Omitted times count as processed, even when jitter delays all others.
    reached: due.at(-1)?.instant ?? (left > 0 ? Math.max(reached, (instants[0] ?? now) - 1) : reached)
  };
};
var missedNotifications = ({ checked, file, pipeline }, event, claims, count) => {
  const newest = claims.findLast(({ status }) => status === "missed");
  return newest === void 0 ? [] : notificationsFor(checked, event, {
    pipeline,
    file,
    instant: newest.instant,
    status: "missed",
    reason: newest.reason,
    missed: count
  });
};

// src/Schedule/DueQueue.ts
var make6 = () => {
  const times = /* @__PURE__ */ new Map();
  let items = [];
  const less = (one, other) => (items[one]?.[0] ?? 0) < (items[other]?.[0] ?? 0);
  const swap = (one, other) => {
    const [a, b] = [items[one], items[other]];
    if (a !== void 0 && b !== void 0) [items[one], items[other]] = [b, a];
  };
  const up = (from2) => {
    let at = from2;
    while (at > 0) {
      const above = at - 1 >> 1;
      if (!less(at, above)) return;
      swap(at, above);
      at = above;
    }
  };
  const down = () => {
    let at = 0;
    for (; ; ) {
      const left = 2 * at + 1;
      if (left >= items.length) return;
      const smaller = left + 1 < items.length && less(left + 1, left) ? left + 1 : left;
      if (!less(smaller, at)) return;
      swap(smaller, at);
      at = smaller;
    }
  };
  const pop = () => {
    const last = items.pop();
    if (last === void 0 || items.length === 0) return;
    items[0] = last;
    down();
  };
  const push = (at, key) => {
    items.push([at, key]);
    up(items.length - 1);
  };
  const clean = () => {
    for (let top = items[0]; top !== void 0 && times.get(top[1]) !== top[0]; top = items[0]) pop();
  };
  return {
    set: (key, at) => {
      if (times.get(key) === at) return;
      times.set(key, at);
      if (items.length > 2 * times.size + 64) {
        items = [];
        for (const [each, time] of times) push(time, each);
      } else push(at, key);
    },
    remove: (key) => {
      times.delete(key);
    },
    first: () => {
      clean();
      return items[0]?.[0];
    },
    takeUntil: (at) => {
      const taken = [];
      for (clean(); items[0] !== void 0 && items[0][0] <= at; clean()) {
        const [, key] = items[0];
        times.delete(key);
        taken.push(key);
      }
      return taken;
    }
  };
};

// src/Schedule/Job.ts
import * as Cause from "effect/Cause";
import * as Clock3 from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Duration2 from "effect/Duration";
import * as Effect4 from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
var make8 = (record) => Effect4.map(Effect4.all([Deferred.make(), Deferred.make()]), ([done, stopped]) => ({
  record,
  done,
  stop: void 0,
  stopped,
  run: void 0,
  runId: record.runId
}));
var stop = (job, why) => Effect4.suspend(() => {
  if (job.stop === void 0) job.stop = why;
  const { run } = job;
  return Effect4.zipRight(
    Deferred.succeed(job.stopped, void 0),
    run === void 0 ? Effect4.void : Fiber.interruptFork(run)
  );
});
var sleep2 = (job, millis2) => Effect4.raceFirst(Effect4.sleep(Math.max(0, millis2)), Deferred.await(job.stopped));
var pollInterval = Duration2.toMillis("5 seconds");
var maxLostAttempts = 20;
var maxWriteRetries = 10;
var causeOf = (failure) => failure instanceof RunFailed ? failure.reason : failure;
var summaryOf = (failure) => "summary" in failure ? failure.summary : void 0;
var eventOf = (exitCode) => {
  switch (exitCode) {
    case ExitCode.budgetReached:
      return "budget";
    case ExitCode.tooManyRejects:
    case ExitCode.checkFailed:
      return "quality";
    default:
      return "failed";
  }
};
var execute = (job, snapshot, context3) => {
  const { holder, ledger, runner: runner2, schedules: schedules2, onEvent } = context3;
  const { record } = job;
  const { instant, pipeline } = record;
  const which = { pipeline, instant };
  let { attempt, nextAt } = record;
  let resumed;
  let refused = false;
  let again = record.status === "retrying" || record.cause === "hand";
  const retryWrite = (write) => {
    const tried = (left) => Effect4.catchAll(write, ({ message }) => {
      if (left === maxWriteRetries) onEvent({ _tag: "Trouble", message });
      return left === 0 ? Effect4.as(Effect4.void, void 0) : Effect4.zipRight(Effect4.sleep(1e3), tried(left - 1));
    });
    return tried(maxWriteRetries);
  };
  const failing = (why, event, summary) => {
    const { checked, file } = snapshot();
    const status = event === "budget" ? "budget" : "failed";
    const details = { pipeline, file, instant, status, reason: why, runId: job.runId, attempt, summary };
    return { _tag: "Over", outcome: { status, reason: why, notices: notificationsFor(checked, event, details) } };
  };
  const failed2 = (failure) => Effect4.gen(function* () {
    const now = yield* Clock3.currentTimeMillis;
    const { overlap, retry: retry2 } = snapshot().schedule;
    const cause = causeOf(failure);
    const summary = summaryOf(failure);
    const why = failure.message;
    if (failure._tag === "InstantRefused") {
      const row = yield* schedules2.find(which);
      if (row === void 0 || row.endedAt !== void 0 || row.owner !== holder.owner)
        return { _tag: "Gone" };
      if (row.replacedBy === void 0) {
        refused = true;
        return { _tag: "Wait" };
      }
      return { _tag: "Over", outcome: replaced(row.replacedBy) };
    }
    if (cause.exitCode === ExitCode.locked) {
      const isOwn = summary !== void 0 && resumed === summary.runId;
      if (isOwn || overlap !== "skip") {
        job.runId = isOwn ? resumed : void 0;
        yield* holder.retry(which, { at: now + pollInterval, reason: why, runId: job.runId, counts: false });
        attempt--;
        return { _tag: "Retry", at: now + pollInterval, reason: why };
      }
      return { _tag: "Over", outcome: { status: "skipped", reason: why, notices: [] } };
    }
    const event = eventOf(cause.exitCode);
    if (event === "budget" || cause instanceof RunStopped) return failing(why, event, summary);
    const run = job.runId === void 0 ? void 0 : yield* ledger.find(job.runId);
    const isOver = run !== void 0 && isSpent(run);
    if (record.cause === "hand" || retry2 === void 0 || attempt > retry2.times || isOver) {
      return failing(why, event, summary);
    }
    const at = now + Duration2.toMillis(retry2.after);
    if (run === void 0) job.runId = void 0;
    again = true;
    yield* holder.retry(which, { at, reason: why, runId: job.runId, counts: true });
    onEvent({ _tag: "Retrying", ...which, reason: why, nextAt: at });
    return { _tag: "Retry", at, reason: why };
  });
  const replaced = (by) => ({
    status: "replaced",
    reason: `replaced by the run for ${new Date(by).toISOString()}`,
    notices: []
  });
  const earlierRun = Effect4.suspend(
    () => job.runId === void 0 ? Effect4.succeed(void 0) : ledger.find(job.runId)
  );
  const isBehind = Effect4.map(
    schedules2.occurrences({ pipeline, status: ["waiting", "running", "retrying"], limit: 1e3 }),
    (open) => open.some((each) => each.instant < instant)
  );
  const attemptNow = Effect4.gen(function* () {
    if (refused && (yield* isBehind)) return { _tag: "Wait" };
    refused = false;
    const { checked } = snapshot();
    const found = yield* earlierRun;
    const before = record.cause === "hand" && found !== void 0 && isSpent(found) ? void 0 : found;
    resumed = before?.id;
    if (before?.status === "completed") return { _tag: "Over", outcome: { status: "completed", notices: [] } };
    if (before !== void 0 && isSpent(before)) {
      return failing(before.error ?? "all of its rows were rejected", "quality", void 0);
    }
    if (checked === void 0) return failing("its definition was removed", "failed", void 0);
    if (record.cause !== "hand" && attempt - (snapshot().schedule.retry?.times ?? 0) > maxLostAttempts) {
      return failing(`it was started ${attempt} times, and never finished`, "failed", void 0);
    }
    const begun = (runId) => holder.start({ ...which, runId, alone: snapshot().schedule.overlap !== "allow" && record.cause !== "hand" }).pipe(
      Effect4.catchAll(({ message }) => {
        onEvent({ _tag: "Trouble", message });
        return Effect4.succeed(false);
      }),
      Effect4.flatMap((may) => {
        if (!may) return Effect4.fail({ _tag: "InstantRefused", message: "it is not this process's turn" });
        job.runId = runId;
        attempt++;
        onEvent({ _tag: "Began", ...which, runId });
        return Effect4.void;
      })
    );
    const isReplaced = () => job.stop === "replaced";
    const task = { checked, instant, resume: before, begun, again, isReplaced };
    const run = yield* Effect4.forkDaemon(Effect4.interruptible(runner2.run(task)));
    job.run = run;
    if (job.stop !== void 0) yield* Fiber.interruptFork(run);
    const exit = yield* Fiber.await(run);
    job.run = void 0;
    if (Exit.isSuccess(exit)) return { _tag: "Over", outcome: { status: "completed", notices: [] } };
    if (job.stop !== void 0 && Cause.isInterrupted(exit.cause)) return { _tag: "Wait" };
    const failure = Cause.failureOption(exit.cause);
    if (failure._tag === "Some") return yield* failed2(failure.value);
    return failing(`a fault of sluice: ${String(Cause.squash(exit.cause))}`, "failed", void 0);
  });
  const finish = (outcome) => Effect4.gen(function* () {
    const isMine = yield* retryWrite(holder.end(which, outcome));
    if (isMine !== true) return;
    const endedAt = yield* Clock3.currentTimeMillis;
    const { reason, status } = outcome;
    onEvent({
      _tag: "Over",
      record: { ...record, attempt, status, reason, runId: job.runId, nextAt: void 0, endedAt }
    });
  });
  const live = Effect4.gen(function* () {
    while (job.stop === void 0) {
      if (nextAt !== void 0) yield* sleep2(job, nextAt - (yield* Clock3.currentTimeMillis));
      nextAt = void 0;
      const alone = snapshot().schedule.overlap !== "allow" && record.cause !== "hand";
      if (alone) {
        yield* Effect4.raceFirst(
          Effect4.forEach(context3.earlier(record), ({ done }) => Deferred.await(done), { discard: true }),
          Deferred.await(job.stopped)
        );
      }
      if (job.stop !== void 0) break;
      const result = yield* Effect4.suspend(
        () => job.stop === void 0 ? attemptNow : Effect4.succeed({ _tag: "Wait" })
      ).pipe(
        context3.permits.withPermits(1),
        Effect4.catchAll(({ message }) => {
          onEvent({ _tag: "Trouble", message });
          return Effect4.succeed({ _tag: "Wait" });
        })
      );
      if (result._tag === "Gone") return;
      if (result._tag === "Over") return yield* finish(result.outcome);
      nextAt = result._tag === "Retry" ? result.at : (yield* Clock3.currentTimeMillis) + pollInterval;
    }
    if (job.stop === "released") return yield* retryWrite(holder.release([which]));
    const row = yield* retryWrite(schedules2.find(which));
    if (row?.replacedBy === void 0) return;
    if (row.endedAt === void 0) yield* finish(replaced(row.replacedBy));
    else onEvent({ _tag: "Over", record: row });
  });
  return Effect4.asVoid(live).pipe(
    Effect4.catchAllDefect((defect) => Effect4.sync(() => onEvent({ _tag: "Trouble", message: String(defect) }))),
    Effect4.ensuring(Deferred.succeed(job.done, void 0))
  );
};

// src/Schedule/Model.ts
var pausePrefix = "until ";
var pauseEnd = (why) => {
  if (why === void 0 || !why.startsWith(pausePrefix)) return void 0;
  const end2 = Date.parse(why.slice(pausePrefix.length));
  return Number.isNaN(end2) ? void 0 : end2;
};
var defaultRetention = "90 days";

// src/Schedule/Daemon.ts
var defaults = {
  grace: "30 seconds",
  concurrency: 16,
  tolerance: "60 seconds",
  scanInterval: "2 seconds",
  maxSleep: "30 seconds",
  takeoverInterval: "5 seconds",
  retention: defaultRetention
};
var claimRetryInterval = 2e3;
var stopTimeout = Duration3.toMillis("1 minute");
var makeTrouble = (report) => {
  let current;
  return {
    note: (message) => {
      if (message !== void 0 && message !== current) report({ _tag: "Trouble", message });
      current = message;
    },
    current: () => current
  };
};
var keyOf = ({ instant, pipeline }) => `${pipeline} ${instant}`;
var make9 = (ledger, schedules2, options) => Effect5.gen(function* () {
  const { definitions, runner: runner2, onEvent: report = () => void 0 } = options;
  const millis2 = (name) => Duration3.toMillis(options[name] ?? defaults[name]);
  const tolerance = millis2("tolerance");
  const startedAt = yield* Clock4.currentTimeMillis;
  const holder = yield* schedules2.acquireLease;
  const known = yield* make5(definitions, { ledger, schedules: schedules2 }, runner2, report, makeTrouble(report).note);
  const queue = make6();
  const jobs = /* @__PURE__ */ new Map();
  const byPipeline = /* @__PURE__ */ new Map();
  const changed = yield* Queue.sliding(1);
  let tickedAt = startedAt;
  let draining = false;
  let paused2 = /* @__PURE__ */ new Map();
  const trouble = makeTrouble(report);
  const context3 = {
    ledger,
    schedules: schedules2,
    holder,
    runner: runner2,
    permits: yield* Effect5.makeSemaphore(options.concurrency ?? defaults.concurrency),
    onEvent: report,
    earlier: (record) => [...byPipeline.get(record.pipeline) ?? []].filter((job) => job.record.instant < record.instant)
  };
  const start2 = (record) => Effect5.gen(function* () {
    const key = keyOf(record);
    if (jobs.has(key) || draining) return;
    const job = yield* make8(record);
    if (jobs.has(key)) return;
    jobs.set(key, job);
    const others = byPipeline.get(record.pipeline) ?? /* @__PURE__ */ new Set();
    byPipeline.set(record.pipeline, others.add(job));
    let last;
    const snapshot = () => {
      last = known.snapshot(record.pipeline) ?? last;
      return last ?? { checked: void 0, file: "", schedule: { overlap: "skip", retry: void 0 } };
    };
    snapshot();
    const end2 = Effect5.sync(() => {
      jobs.delete(key);
      others.delete(job);
      if (others.size === 0 && byPipeline.get(record.pipeline) === others) byPipeline.delete(record.pipeline);
    });
    yield* Effect5.forkDaemon(Effect5.interruptible(Effect5.ensuring(execute(job, snapshot, context3), end2)));
  });
  const plan = (entry) => {
    const next = nextDue(entry);
    if (next === void 0) queue.remove(entry.pipeline);
    else queue.set(entry.pipeline, next.due);
  };
  const catchDefects = (work) => Effect5.catchAllDefect(work, (defect) => Effect5.sync(() => trouble.note(`a fault of sluice: ${String(defect)}`)));
  const tick = Effect5.gen(function* () {
    const now = yield* Clock4.currentTimeMillis;
    tickedAt = now;
    const entries = queue.takeUntil(now).flatMap((pipeline) => known.find(pipeline) ?? []);
    if (entries.length === 0) return;
    for (const entry of entries) queue.set(entry.pipeline, now + claimRetryInterval);
    const due = entries.map((entry) => [entry, dueNow(entry, now, tolerance)]);
    const claims = due.flatMap(([, { claims: claims2 }]) => claims2);
    const won = yield* Effect5.either(holder.claim(claims));
    if (won._tag === "Left") {
      trouble.note(won.left.message);
      return;
    }
    trouble.note(void 0);
    for (const [{ pipeline }, { reached }] of due) {
      const entry = known.advance(pipeline, reached);
      if (entry !== void 0) plan(entry);
    }
    for (const record of won.right) {
      if (record.endedAt !== void 0) report({ _tag: "Over", record });
      else {
        const { overlap } = known.snapshot(record.pipeline)?.schedule ?? { overlap: "skip" };
        if (overlap === "replace") {
          yield* Effect5.forEach(context3.earlier(record), (job) => stop(job, "replaced"), {
            discard: true
          });
        }
        yield* start2(record);
      }
    }
  });
  const clock = Effect5.gen(function* () {
    while (true) {
      yield* catchDefects(tick);
      const now = yield* Clock4.currentTimeMillis;
      const wait = Math.min(millis2("maxSleep"), Math.max(0, (queue.first() ?? Number.POSITIVE_INFINITY) - now));
      yield* Effect5.raceFirst(Effect5.sleep(wait), Queue.take(changed));
    }
  });
  const scan = Effect5.gen(function* () {
    const { added, removed } = yield* known.scan;
    for (const pipeline of removed) queue.remove(pipeline);
    for (const entry of added) plan(entry);
    if (added.length + removed.length > 0) yield* Queue.offer(changed, void 0);
  });
  const look = Effect5.gen(function* () {
    for (const record of yield* holder.takeOver(({ pipeline }) => known.find(pipeline) !== void 0))
      yield* start2(record);
    for (const record of yield* holder.owned) {
      const job = jobs.get(keyOf(record));
      if (job === void 0) yield* start2(record);
      else if (record.replacedBy !== void 0) yield* stop(job, "replaced");
    }
    paused2 = yield* schedules2.paused;
  }).pipe(
    Effect5.tap(() => Effect5.sync(() => trouble.note(void 0))),
    Effect5.catchAll(({ message }) => Effect5.sync(() => trouble.note(message)))
  );
  const prune2 = Effect5.flatMap(Clock4.currentTimeMillis, (now) => schedules2.prune(now - millis2("retention"))).pipe(
    Effect5.catchAll(({ message }) => Effect5.sync(() => trouble.note(message)))
  );
  const every = (interval, work) => Effect5.forkDaemon(
    Effect5.interruptible(Effect5.forever(Effect5.zipRight(Effect5.sleep(interval), catchDefects(work))))
  );
  const drain = (fibers2) => Effect5.gen(function* () {
    draining = true;
    yield* Fiber2.interruptAll(fibers2);
    const all2 = [...jobs.values()];
    yield* Effect5.forEach(
      all2.filter(({ run }) => run === void 0),
      (job) => stop(job, "released")
    );
    const ended = Effect5.forEach(all2, ({ done }) => Deferred2.await(done), { discard: true });
    const waitFor = (limit) => Effect5.flatMap(Effect5.forkDaemon(Effect5.interruptible(Effect5.timeoutOption(ended, limit))), Fiber2.await);
    yield* waitFor(millis2("grace"));
    yield* Effect5.forEach(all2, (job) => stop(job, "released"), { discard: true });
    yield* waitFor(stopTimeout);
    const stuck = [...jobs.values()].map(({ record }) => record);
    if (stuck.length === 0) return;
    const names = stuck.slice(0, 5).map(({ instant, pipeline }) => `${pipeline} for ${new Date(instant).toISOString()}`);
    const more = stuck.length > names.length ? ` and ${stuck.length - names.length} more` : "";
    const message = `not stopped within a minute, and released to other schedulers: ${names.join(", ")}${more}`;
    report({ _tag: "Trouble", message });
    yield* Effect5.ignore(holder.release(stuck));
  });
  yield* scan;
  yield* look;
  const fibers = [
    yield* Effect5.forkDaemon(Effect5.interruptible(clock)),
    yield* every(millis2("scanInterval"), scan),
    yield* every(millis2("takeoverInterval"), look),
    yield* every(36e5, prune2)
  ];
  yield* Effect5.addFinalizer(() => drain(fibers));
  const status = Effect5.sync(() => {
    const all2 = [...jobs.values()];
    return {
      owner: holder.owner,
      startedAt,
      tickedAt,
      draining,
      next: queue.first(),
      pipelines: known.all().map((entry) => ({
        pipeline: entry.pipeline,
        file: entry.file,
        cron: entry.schedule.cron,
        timezone: entry.schedule.timezone,
        next: nextDue(entry)?.instant,
        pausedAt: paused2.get(entry.pipeline),
        broken: entry.broken
      })),
      broken: known.broken(),
      running: all2.flatMap(
        ({ record: { instant, pipeline }, run, runId }) => run === void 0 ? [] : [{ pipeline, instant, runId }]
      ),
      waiting: all2.filter(({ run }) => run === void 0).length,
      trouble: trouble.current()
    };
  });
  return {
    status,
    definition: known.definition,
    rescan: scan,
    await: holder.lost
  };
});

// src/Schedule/Store.ts
import * as Clock7 from "effect/Clock";
import * as Effect8 from "effect/Effect";

// src/Schedule/Occurrences.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import * as Clock6 from "effect/Clock";
import * as Effect7 from "effect/Effect";

// src/Schedule/Registrations.ts
import * as Clock5 from "effect/Clock";
import * as Effect6 from "effect/Effect";
var numberOf2 = (value) => value === null ? void 0 : Number(value);
var toSchedule = (row) => ({
  pipeline: row.pipeline,
  file: decodeText(row.file),
  times: row.times,
  schedule: decodeText(row.schedule),
  reached: Math.max(Number(row.since), Number(row.reached ?? 0)),
  pausedAt: numberOf2(row.paused_at),
  pausedWhy: row.paused_why === null ? void 0 : decodeText(row.paused_why),
  removedAt: numberOf2(row.removed_at)
});
var listSchedules = (sql) => Effect6.flatMap(
  Clock5.currentTimeMillis,
  (now) => Effect6.map(
    sql`SELECT schedules.*, (SELECT max(instants.instant) FROM instants
          WHERE instants.pipeline = schedules.pipeline AND instants.instant <= ${now}
            AND instants.cause = 'schedule') AS reached
        FROM schedules ORDER BY pipeline`,
    (rows) => rows.map(toSchedule)
  )
);
var replaceWindow = 6e4;
var register = (sql, pipelines) => Effect6.gen(function* () {
  const now = yield* Clock5.currentTimeMillis;
  for (const { file, pipeline, schedule, times } of [...pipelines].sort(
    (a, b) => a.pipeline < b.pipeline ? -1 : 1
  )) {
    yield* sql`INSERT INTO schedules ${sql.insert({
      pipeline,
      file: encodeText(file),
      times,
      schedule: encodeText(schedule),
      since: now,
      seen_at: now
    })} ON CONFLICT (pipeline) DO UPDATE SET file = excluded.file, schedule = excluded.schedule,
        since = CASE WHEN schedules.times = excluded.times AND coalesce(schedules.removed_at, ${now}) >= ${now - replaceWindow}
          THEN schedules.since ELSE excluded.since END,
        times = excluded.times, seen_at = excluded.seen_at, removed_at = NULL`;
  }
  const names = new Set(pipelines.map(({ pipeline }) => pipeline));
  return (yield* listSchedules(sql)).filter(({ pipeline }) => names.has(pipeline));
});
var remove = (sql, pipelines) => Effect6.flatMap(
  Clock5.currentTimeMillis,
  (now) => Effect6.forEach(
    pipelines,
    (pipeline) => sql`UPDATE schedules SET removed_at = ${now} WHERE pipeline = ${pipeline} AND removed_at IS NULL`,
    { discard: true }
  )
);
var pause = (sql, pipeline, why) => Effect6.flatMap(
  Clock5.currentTimeMillis,
  (now) => Effect6.map(
    sql`UPDATE schedules SET paused_at = coalesce(paused_at, ${now}),
        paused_why = ${why === void 0 ? null : encodeText(why)} WHERE pipeline = ${pipeline} RETURNING pipeline`,
    (rows) => rows.length > 0
  )
);
var paused = (sql) => Effect6.map(
  sql`SELECT pipeline, paused_at, paused_why FROM schedules
      WHERE paused_at IS NOT NULL`,
  (rows) => rows.map(({ paused_at, paused_why, pipeline }) => ({
    pipeline,
    at: Number(paused_at),
    why: paused_why === null ? void 0 : decodeText(paused_why)
  }))
);
var resume = (sql, pipeline) => Effect6.map(
  sql`UPDATE schedules SET paused_at = NULL, paused_why = NULL WHERE pipeline = ${pipeline} RETURNING pipeline`,
  (rows) => rows.length > 0
);

// src/Schedule/Occurrences.ts
var numberOf3 = (value) => value === null ? void 0 : Number(value);
var toRecord2 = (row) => ({
  pipeline: row.pipeline,
  instant: Number(row.instant),
  due: Number(row.due),
  cause: row.cause,
  status: row.status,
  owner: row.owner ?? void 0,
  runId: row.run_id ?? void 0,
  attempt: Number(row.attempt),
  reason: row.reason === null ? void 0 : decodeText(row.reason),
  replacedBy: numberOf3(row.replaced_by),
  claimedAt: Number(row.claimed_at),
  begunAt: numberOf3(row.begun_at),
  nextAt: numberOf3(row.next_at),
  endedAt: numberOf3(row.ended_at)
});
var textOf = (reason) => reason === void 0 ? null : encodeText(reason);
var unfinishedOccurrences = (sql) => Effect7.map(
  sql`SELECT * FROM instants WHERE ended_at IS NULL ORDER BY pipeline, instant`,
  (rows) => rows.map(toRecord2)
);
var isOwned = (sql, owner, { instant, pipeline }) => sql`pipeline = ${pipeline} AND instant = ${instant} AND owner = ${owner} AND ended_at IS NULL`;
var isThere = (rows) => rows.length > 0;
var start = (sql, owner, { alone, runId, ...which }) => Effect7.gen(function* () {
  const now = yield* Clock6.currentTimeMillis;
  const isFirst = alone ? sql` AND NOT EXISTS (SELECT 1 FROM instants AS earlier WHERE earlier.pipeline = ${which.pipeline}
          AND earlier.instant < ${which.instant} AND earlier.ended_at IS NULL)` : sql``;
  const rows = yield* sql`UPDATE instants SET status = 'running', run_id = ${runId}, attempt = attempt + 1,
      next_at = NULL, reason = NULL, begun_at = coalesce(begun_at, ${now})
      WHERE ${isOwned(sql, owner, which)} AND replaced_by IS NULL${isFirst} RETURNING instant`;
  return isThere(rows);
});
var retry = (sql, owner, which, { at, counts, reason, runId }) => Effect7.map(
  sql`UPDATE instants SET status = 'retrying', next_at = ${at}, reason = ${encodeText(reason)},
      run_id = ${runId ?? null}, attempt = attempt - ${counts ? 0 : 1}
      WHERE ${isOwned(sql, owner, which)} RETURNING instant`,
  isThere
);
var end = (sql, owner, which, { notices, reason, status }) => Effect7.gen(function* () {
  const now = yield* Clock6.currentTimeMillis;
  const [row] = yield* sql`UPDATE instants SET status = ${status}, reason = ${textOf(reason)},
      next_at = NULL, ended_at = ${now} WHERE ${isOwned(sql, owner, which)} RETURNING *`;
  if (row === void 0) return false;
  if (notices.length > 0) yield* add(sql, toRecord2(row), notices, now);
  return true;
});
var release = (sql, owner, which) => Effect7.forEach(
  which,
  (each) => sql`UPDATE instants SET owner = NULL,
      attempt = attempt - CASE WHEN status = 'running' THEN 1 ELSE 0 END,
      status = CASE WHEN status = 'running' THEN 'waiting' ELSE status END WHERE ${isOwned(sql, owner, each)}`,
  { discard: true }
);
var takeOver = (sql, owner, orphans) => Effect7.map(
  Effect7.forEach(orphans, ({ instant, owner: former, pipeline }) => {
    const whose = former === void 0 ? sql`owner IS NULL` : sql`owner = ${former}`;
    return sql`UPDATE instants SET owner = ${owner}
        WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NULL AND ${whose} RETURNING *`;
  }),
  (rows) => rows.flat().map(toRecord2)
);
var find = (sql, { instant, pipeline }) => Effect7.map(
  sql`SELECT * FROM instants WHERE pipeline = ${pipeline} AND instant = ${instant}`,
  ([row]) => row === void 0 ? void 0 : toRecord2(row)
);
var list2 = (sql, { limit, offset = 0, pipeline, since, status, until }) => Effect7.map(
  sql`SELECT * FROM instants WHERE ${sql.and([
    ...pipeline === void 0 ? [] : [sql`pipeline = ${pipeline}`],
    ...status === void 0 ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)],
    ...since === void 0 ? [] : [sql`instant >= ${since}`],
    ...until === void 0 ? [] : [sql`instant <= ${until}`]
  ])} ORDER BY instant DESC, pipeline LIMIT ${limit} OFFSET ${offset}`,
  (rows) => rows.map(toRecord2)
);
var lastEnded = (sql) => Effect7.map(
  sql`SELECT instants.* FROM schedules JOIN instants ON instants.pipeline = schedules.pipeline
      AND instants.instant = (SELECT max(one.instant) FROM instants AS one WHERE one.pipeline = schedules.pipeline
        AND one.ended_at IS NOT NULL AND one.status NOT IN ('missed', 'skipped'))`,
  (rows) => new Map(rows.map((row) => [row.pipeline, toRecord2(row)]))
);
var prune = (sql, before, lockPrefix2) => Effect7.gen(function* () {
  yield* sql`UPDATE schedules SET since = ${before} WHERE since < ${before}`;
  const deleted = yield* sql`DELETE FROM instants WHERE instant < ${before} AND (ended_at < ${before}
      OR ended_at IS NULL AND claimed_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM locks WHERE locks.name = ${lockPrefix2} || instants.owner)) RETURNING instant`;
  yield* sql`DELETE FROM notices WHERE made_at < ${before} AND next_at IS NULL`;
  yield* sql`DELETE FROM schedules WHERE removed_at < ${before} AND paused_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM instants WHERE instants.pipeline = schedules.pipeline)`;
  return deleted.length;
});
var maxQueued = 1e3;
var block = 50;
var byTime = (one, other) => one.pipeline < other.pipeline ? -1 : one.pipeline > other.pipeline ? 1 : one.instant - other.instant;
var blocks = (items) => Array.from({ length: Math.ceil(items.length / block) }, (_, index) => items.slice(index * block, (index + 1) * block));
var lockSchedules = (sql, pipelines) => sql.onDialectOrElse({
  // A SQLite transaction is exclusive already.
  sqlite: () => Effect7.void,
  orElse: () => Effect7.forEach(
    blocks(pipelines),
    (some) => sql`SELECT pipeline FROM schedules WHERE ${sql.in("pipeline", some)} ORDER BY pipeline FOR UPDATE`,
    { discard: true }
  )
});
var skipPaused = (claim2, { at, why }) => ({
  ...claim2,
  status: "skipped",
  reason: `the pipeline is paused since ${new Date(at).toISOString()}${why === void 0 ? "" : `: ${why}`}`,
  notices: []
});
var applyOverlap = (claim2, earlier) => {
  const [first] = earlier;
  if (claim2.status !== "waiting" || first === void 0) return claim2;
  if (claim2.overlap === "skip") {
    return { status: "skipped", reason: `the run for ${new Date(first.instant).toISOString()} was still active` };
  }
  return claim2.overlap === "queue" && earlier.length >= maxQueued ? { status: "skipped", reason: `${maxQueued} earlier occurrences were unfinished` } : claim2;
};
var replace = (sql, { instant, pipeline }, now) => Effect7.zipRight(
  sql`UPDATE instants SET replaced_by = ${instant}
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL`,
  sql`UPDATE instants SET status = 'replaced', reason = ${`replaced by the run for ${new Date(instant).toISOString()}`},
      ended_at = ${now}, next_at = NULL
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL AND status <> 'running'`
);
var claim = (sql, owner, claims) => Effect7.gen(function* () {
  if (claims.length === 0) return [];
  const now = yield* Clock6.currentTimeMillis;
  const wanted = [...claims].sort(byTime);
  yield* lockSchedules(sql, [...new Set(wanted.map(({ pipeline }) => pipeline))]);
  const unfinished = /* @__PURE__ */ new Map();
  const note = (each) => {
    const known = unfinished.get(each.pipeline);
    if (known === void 0) unfinished.set(each.pipeline, [each]);
    else known.push(each);
  };
  for (const each of yield* unfinishedOccurrences(sql)) note(each);
  const pauses = new Map((yield* paused(sql)).map((each) => [each.pipeline, each]));
  const decided = wanted.map((each) => {
    const earlier = unfinished.get(each.pipeline)?.filter(({ instant }) => instant !== each.instant) ?? [];
    const pause2 = each.cause === "hand" ? void 0 : pauses.get(each.pipeline);
    const made = pause2 === void 0 || each.instant >= (pauseEnd(pause2.why) ?? Number.POSITIVE_INFINITY) ? { ...each, ...applyOverlap(each, earlier) } : skipPaused(each, pause2);
    if (made.status === "waiting") note(made);
    return made;
  });
  const won = yield* Effect7.forEach(
    blocks(decided),
    (some) => sql`INSERT INTO instants ${sql.insert(
      some.map((each) => ({
        pipeline: each.pipeline,
        instant: each.instant,
        due: each.due,
        cause: each.cause,
        status: each.status,
        owner: each.status === "waiting" ? owner : null,
        attempt: 0,
        reason: textOf(each.reason),
        claimed_at: now,
        ended_at: each.status === "waiting" ? null : now
      }))
    )} ON CONFLICT (pipeline, instant) DO NOTHING RETURNING *`
  );
  const mine = won.flat().map(toRecord2).sort(byTime);
  const keyOf2 = ({ instant, pipeline }) => `${pipeline} ${instant}`;
  const byKey = new Map(decided.map((each) => [keyOf2(each), each]));
  for (const each of mine) {
    const made = byKey.get(keyOf2(each));
    if (made === void 0) continue;
    if (made.notices.length > 0) yield* add(sql, each, made.notices, now);
    const isFirst = (unfinished.get(each.pipeline)?.length ?? 0) < 2;
    if (made.status === "waiting" && made.overlap === "replace" && !isFirst) yield* replace(sql, each, now);
  }
  return mine;
});
var reclaim = (sql, owner, { instant, pipeline }) => Effect7.gen(function* () {
  const now = yield* Clock6.currentTimeMillis;
  const [row] = yield* sql`UPDATE instants SET status = 'waiting', owner = ${owner}, reason = NULL,
      replaced_by = NULL, next_at = NULL, ended_at = NULL, claimed_at = ${now}, cause = 'hand'
      WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NOT NULL AND status <> 'completed'
      RETURNING *`;
  return row === void 0 ? void 0 : toRecord2(row);
});
var lockPrefix = "schedule ";
var acquireLease = (connection) => Effect7.gen(function* () {
  const { sql } = connection;
  const owner = randomUUID2();
  const { lockLost: lost } = yield* acquire(connection, [`${lockPrefix}${owner}`]);
  const write = make(
    (items) => Effect7.forEach(items, (item) => item, { discard: true }).pipe(writing(connection, "updating occurrences"))
  );
  const batched = (item) => Effect7.suspend(() => {
    let result = false;
    const ownWrite = Effect7.map(item, (written) => {
      result = written;
    });
    return Effect7.map(write(ownWrite), () => result);
  });
  const holder = {
    owner,
    lost,
    claim: (claims) => claim(sql, owner, claims).pipe(writing(connection, "claiming occurrences")),
    reclaim: (which) => reclaim(sql, owner, which).pipe(writing(connection, "reclaiming an occurrence")),
    start: (which) => batched(start(sql, owner, which)),
    retry: (which, later) => batched(retry(sql, owner, which, later)),
    end: (which, outcome) => batched(end(sql, owner, which, outcome)),
    release: (which) => Effect7.asVoid(batched(Effect7.as(release(sql, owner, which), true))),
    takeOver: Effect7.fnUntraced(
      function* (accepts) {
        const unfinished = (yield* unfinishedOccurrences(sql)).filter((each) => each.owner !== owner && accepts(each));
        if (unfinished.length === 0) return [];
        const living = yield* leaseHolders(connection);
        const orphans = unfinished.filter((each) => each.owner === void 0 || !living.has(each.owner));
        if (orphans.length === 0) return [];
        return yield* takeOver(sql, owner, orphans).pipe(writing(connection, "taking over occurrences"));
      },
      reading(connection, "looking for abandoned occurrences")
    ),
    owned: Effect7.map(unfinishedOccurrences(sql), (all2) => all2.filter((each) => each.owner === owner)).pipe(
      reading(connection, "looking for occurrences")
    )
  };
  return holder;
});
var leaseHolders = (connection) => Effect7.map(
  heldNames(connection),
  (names) => new Set([...names].flatMap((name) => name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : []))
);

// src/Schedule/Store.ts
var make10 = (connection) => {
  const { sql } = connection;
  const changing = writing(connection, "changing schedules");
  return {
    acquireLease: acquireLease(connection),
    leaseHolders: leaseHolders(connection),
    register: (pipelines) => register(sql, pipelines).pipe(changing),
    remove: (pipelines) => remove(sql, pipelines).pipe(changing),
    list: listSchedules(sql).pipe(reading(connection, "listing schedules")),
    pause: (pipeline, why) => pause(sql, pipeline, why).pipe(changing),
    resume: (pipeline) => resume(sql, pipeline).pipe(changing),
    paused: Effect8.map(
      paused(sql),
      (rows) => new Map(rows.map(({ at, pipeline }) => [pipeline, at]))
    ).pipe(reading(connection, "looking for paused pipelines")),
    find: (which) => find(sql, which).pipe(reading(connection, "looking for an occurrence")),
    occurrences: (filter) => list2(sql, filter).pipe(reading(connection, "listing occurrences")),
    lastEnded: lastEnded(sql).pipe(reading(connection, "listing occurrences")),
    notifications: {
      take: (limit, hold) => Effect8.flatMap(
        Clock7.currentTimeMillis,
        (now) => Effect8.flatMap(
          areDue(sql, now),
          (some) => some ? take(sql, now, limit, hold) : Effect8.succeed([])
        )
      ).pipe(writing(connection, "leasing notifications")),
      sent: (id) => sent(sql, id).pipe(writing(connection, "marking a notification as sent")),
      postpone: (id, until) => postpone(sql, id, until).pipe(writing(connection, "postponing a notification")),
      failed: (id, error, nextAt) => failed(sql, id, error, nextAt).pipe(
        writing(connection, "marking a notification as not sent")
      ),
      list: (filter) => list(sql, filter).pipe(reading(connection, "listing notifications"))
    },
    prune: (before) => prune(sql, before, lockPrefix).pipe(writing(connection, "deleting old occurrences"))
  };
};
var of = ({ connection }) => make10(connection);
var schedules = Effect8.map(Ledger, of);

// src/Schedule.ts
var serve2 = (options) => Effect9.flatMap(Ledger, (ledger) => make9(ledger, of(ledger), options));
var runAt = (options) => Effect9.gen(function* () {
  const { checked, instant, runner: runner2 } = options;
  const ledger = yield* Ledger;
  const schedules2 = of(ledger);
  const pipeline = checked.frame.name;
  const which = { pipeline, instant };
  const holder = yield* schedules2.acquireLease;
  const claim2 = { ...which, due: instant, cause: "hand", status: "waiting", overlap: "allow", notices: [] };
  const [won] = yield* holder.claim([claim2]);
  const reclaimed = won ?? (yield* holder.reclaim(which));
  const abandoned = reclaimed === void 0 ? yield* holder.takeOver((each) => each.pipeline === pipeline && each.instant === instant) : [];
  const claimed = reclaimed ?? abandoned[0];
  if (claimed !== void 0) {
    const context3 = {
      ledger,
      schedules: schedules2,
      holder,
      runner: runner2,
      permits: yield* Effect9.makeSemaphore(1),
      onEvent: () => void 0,
      earlier: () => []
    };
    const snapshot = {
      checked,
      file: checked.source.file,
      schedule: { overlap: "skip", retry: void 0 }
    };
    const job = yield* make8({ ...claimed, nextAt: void 0 });
    yield* Effect9.forkDaemon(Effect9.interruptible(execute(job, () => snapshot, context3)));
    yield* Deferred3.await(job.done).pipe(
      Effect9.onInterrupt(() => Effect9.zipRight(stop(job, "released"), Deferred3.await(job.done)))
    );
  }
  yield* schedules2.prune((yield* Clock8.currentTimeMillis) - Duration4.toMillis(defaultRetention));
  return (yield* schedules2.find(which)) ?? claimed;
}).pipe(Effect9.scoped);
var runner = ({
  allowCode = false,
  dataDir,
  env = {},
  inputs,
  out,
  secrets = () => void 0,
  watch
}) => Effect9.map(Effect9.context(), (context3) => {
  const scope = { env, secrets };
  const places = { allowCode, dataDir: resolve(dataDir), out: resolve(out) };
  const run = ({ begun, checked: current, instant, resume: resume2 }) => Effect9.gen(function* () {
    const checked = resume2 === void 0 ? current : yield* frozen(resume2, { allowCode, scope });
    const { frame, source } = checked;
    const site = frame.site === void 0 ? void 0 : yield* serve(resolve(source.folder, frame.site));
    const kept = resume2 === void 0 ? {} : optionsOf(resume2);
    const scheduledFor = new Date(instant);
    const handle = yield* make3(checked, { ...scope, ...places, ...kept, scheduledFor, site });
    yield* begun(handle.id);
    if (watch !== void 0) yield* watch(handle);
    return yield* handle.execute;
  });
  return {
    load: (file) => Effect9.provide(load2(file, { allowCode, inputs, scope }), context3),
    former: (record) => Effect9.provide(frozen(record, { allowCode, scope }), context3),
    run: (task) => Effect9.provide(Effect9.scoped(run(task)), context3)
  };
});

// src/Step/Custom.ts
var Custom_exports = {};
__export(Custom_exports, {
  Estimate: () => Estimate_exports,
  StepError: () => StepError,
  call: () => call,
  expression: () => ExpressionText,
  make: () => make2,
  mapRows: () => flatMapValues,
  operationOf: () => operationOf,
  perRow: () => perRow
});
export {
  ActiveCrawls,
  Api,
  BatchScrape,
  Browser,
  Client_exports as Client,
  Connection_exports as Connection,
  Crawl,
  CrawlPreview,
  ClientErrors_exports as Errors,
  Ledger_exports as Ledger,
  Map2 as Map,
  Parse,
  Pipeline_exports as Pipeline,
  Retry_exports as Retry,
  Run_exports as Run,
  Schedule_exports as Schedule,
  Scrape,
  Search,
  Settings_exports as Settings,
  Sink_exports as Sink,
  SinkErrors_exports as SinkErrors,
  Custom_exports as Step,
  TokenUsage
};
