import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  actions,
  brokenText,
  declaredOf,
  defaultFolder,
  distance,
  ensureDeclared,
  expected,
  filesOf,
  find,
  frozen,
  instantObject,
  line,
  load,
  make as make4,
  object,
  one,
  parameters,
  parse,
  parseUntil,
  program,
  registrationOf,
  show
} from "./chunk-UOMCJVF7.js";
import {
  defaultRetention,
  notificationsFor,
  of,
  pauseEnd,
  pauseReason,
  schedules
} from "./chunk-NZRCZCKM.js";
import {
  contentType,
  hasKey,
  text
} from "./chunk-7PKBJBWL.js";
import {
  isLoopback,
  isNamed
} from "./chunk-GDKBED2B.js";
import {
  require_undici
} from "./chunk-MVJRAPNE.js";
import {
  watch
} from "./chunk-FKOQU2V5.js";
import {
  makeFolder,
  requireFolder
} from "./chunk-4D2OEZ5S.js";
import {
  drawProgress,
  perform,
  printing
} from "./chunk-2RZFU46Q.js";
import {
  ledgerLayer,
  withLedger
} from "./chunk-ZU3QWNBT.js";
import {
  trustArguments
} from "./chunk-22T4FJR7.js";
import {
  make
} from "./chunk-FCWYZXNV.js";
import {
  completed,
  countsOf,
  describe,
  describeFailed,
  neverBegan,
  stopped
} from "./chunk-GA35ZNT7.js";
import {
  clientsOf,
  needsService,
  noService,
  openService,
  requireCapabilities,
  startService
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  FileUnusable,
  InstantTaken,
  ScheduleRefused,
  SchedulesLeftOut,
  count,
  duration,
  place,
  table
} from "./chunk-BMNGXVO7.js";
import "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  make as make3
} from "./chunk-GLBPH2CN.js";
import {
  optionsOf
} from "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import "./chunk-3BWTLUFE.js";
import {
  warnOnce
} from "./chunk-SRE6WST2.js";
import {
  RunFailed
} from "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import {
  C,
  RunStopped,
  counter,
  dueAt,
  fromInput2 as fromInput,
  gauge,
  histogram,
  instantsBetween,
  lastInstant,
  nextInstants,
  observe,
  require_dist,
  retryAfter
} from "./chunk-PGOM52WJ.js";
import {
  version
} from "./chunk-XQTUQ7MU.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import {
  isSpent
} from "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  FileSystem,
  Path,
  _await as _await2,
  make as make2,
  offer2 as offer,
  runCallback,
  sha256,
  sliding,
  succeed,
  take
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError,
  build,
  makeZoned,
  value,
  zonedOffset
} from "./chunk-PAQDWWDE.js";
import {
  _await,
  _void,
  acquireRelease,
  addFinalizer2 as addFinalizer,
  all3 as all,
  as2 as as,
  asVoid3 as asVoid,
  async,
  cached,
  catchAll3 as catchAll,
  catchAllCause3 as catchAllCause,
  catchAllDefect,
  clock,
  close,
  context2 as context,
  currentTimeMillis,
  die3 as die,
  either,
  ensuring2 as ensuring,
  extend,
  fail5 as fail,
  failureOption,
  filter3 as filter,
  flatMap5 as flatMap,
  flatten2 as flatten,
  fn,
  forEach2 as forEach,
  forever3 as forever,
  fork,
  forkDaemon2 as forkDaemon,
  forkScoped,
  format,
  gen,
  groupBy,
  hours,
  ignore,
  interruptAll,
  interruptFork,
  interruptible2 as interruptible,
  isInterrupted,
  isSuccess,
  logDebug,
  logWarning,
  makeSemaphore,
  map9 as map,
  mapError2 as mapError,
  max,
  millis,
  min,
  minutes,
  onExit,
  onInterrupt2 as onInterrupt,
  orElseSucceed,
  promise,
  provide2 as provide,
  provideService,
  raceFirst,
  repeat,
  runtime2 as runtime,
  scope,
  scoped2 as scoped,
  sequential,
  sleep2 as sleep,
  squash,
  succeed4 as succeed2,
  suspend2 as suspend,
  sync3 as sync,
  tap2 as tap,
  tapError,
  tapErrorTag,
  timeoutFail,
  timeoutOption,
  toMillis,
  toSeconds,
  tryPromise,
  zero,
  zipRight3 as zipRight,
  zipWith
} from "./chunk-JGKSI326.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import {
  isRight
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import {
  getOrUndefined,
  liftThrowable,
  match
} from "./chunk-ANBJACJV.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Schedule/Metrics.ts
var instants = counter("sluice_schedule_instants_total", "Finished occurrences, by status.", ["pipeline", "status"]), lateness = histogram(
  "sluice_schedule_lateness_seconds",
  "Time from when a run was due to its start.",
  [],
  [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200]
), retries = counter("sluice_schedule_retries_total", "Occurrences that are retried after a failed run.", [
  "pipeline"
]), troubles = counter(
  "sluice_schedule_troubles_total",
  "Failures to read the ledger or the folder of definitions.",
  []
), pipelines = gauge("sluice_schedule_pipelines", "Pipelines with a schedule, by state.", ["state"]), running = gauge("sluice_schedule_running", "Active scheduled runs.", []), waiting = gauge("sluice_schedule_waiting", "Due occurrences that wait for an earlier one or a free slot.", []), ticked = gauge(
  "sluice_schedule_last_tick_seconds",
  "When due occurrences were last looked for, in seconds since 1970.",
  []
), note = (event, now) => {
  event._tag === "Began" && lateness.record(Math.max(0, now - event.instant) / 1e3), event._tag === "Over" && instants.add(1, event.record.pipeline, event.record.status), event._tag === "Retrying" && retries.add(1, event.pipeline), event._tag === "Trouble" && troubles.add(1);
}, watch2 = (status) => observe(
  zipWith(status, currentTimeMillis, (status2) => {
    if (status2 === void 0) return;
    let paused = status2.pipelines.filter(({ pausedAt }) => pausedAt !== void 0).length, broken = status2.broken.length + status2.pipelines.filter(({ broken: broken2 }) => broken2 !== void 0).length;
    pipelines.set(status2.pipelines.length, "known"), pipelines.set(paused, "paused"), pipelines.set(broken, "broken"), running.set(status2.running.length), waiting.set(status2.waiting), ticked.set(status2.tickedAt / 1e3);
  })
);

// src/Schedule/WebhookDelivery.ts
import { createHmac } from "node:crypto";
var import_undici = __toESM(require_undici(), 1);
var Undelivered = class extends TaggedError("Undelivered") {
  get message() {
    return `the webhook did not accept it: ${this.reason}`;
  }
}, maxResponseBytes = 16 * 1024, reasonOf = (cause) => {
  for (let error = cause; error instanceof Error; error = error.cause)
    if ("code" in error && typeof error.code == "string") return error.code;
  return cause instanceof Error ? cause.name : "unknown";
}, signatureOf = (body, secret) => `sha256=${createHmac("sha256", value(secret)).update(body).digest("hex")}`, headersOf = ({ body, id }, { username, password }, secret) => ({
  "content-type": "application/json",
  "user-agent": "sluice",
  "x-sluice-notice": id,
  ...secret === void 0 ? {} : { "x-sluice-signature": signatureOf(body, secret) },
  ...username === "" ? {} : {
    authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`
  }
}), makeAgent = acquireRelease(
  sync(() => new import_undici.Agent({ connections: 4, connect: { timeout: 5e3 }, keepAliveTimeout: 1e3 })),
  (agent) => promise(() => agent.destroy())
), post = (agent, { secret, webhook }, delivery, limit) => gen(function* () {
  let now = yield* currentTimeMillis, answer = yield* tryPromise({
    try: (signal) => {
      let url = new URL(value(webhook));
      return agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "POST",
        headers: headersOf(delivery, url, secret),
        body: delivery.body,
        signal
      }).then(
        ({ body, headers, statusCode }) => body.dump({ limit: maxResponseBytes, signal }).then(() => ({ headers, statusCode }))
      );
    },
    catch: (cause) => new Undelivered({ reason: reasonOf(cause) })
  });
  if (!(answer.statusCode >= 200 && answer.statusCode < 300))
    return yield* new Undelivered({
      reason: `it answered ${answer.statusCode}`,
      retryAfter: retryAfter(fromInput(answer.headers), "", now)
    });
}).pipe(
  timeoutFail({
    duration: limit,
    onTimeout: () => new Undelivered({ reason: "no answer in time", timedOut: !0 })
  })
), defaultWaits = [
  "30 seconds",
  "2 minutes",
  "6 minutes",
  "18 minutes",
  "40 minutes"
], maxWait = hours(2), unknownDefinitionTimeout = toMillis("7 days"), pollInterval = toMillis("30 seconds"), concurrency = 4, cooldown = toMillis("30 seconds"), leaseMillis = 6e4, bodyOf = ({ body, id }) => JSON.stringify({ id, ...JSON.parse(body) }), name = ({ event, instant, pipeline }) => `"${event}" of ${pipeline} for ${new Date(instant).toISOString()}`, nextWait = ({ attempts }, { retryAfter: retryAfter2 }, waits) => {
  let wait = waits[attempts - 1];
  if (wait !== void 0)
    return min(maxWait, max(wait, retryAfter2 ?? zero));
}, open = map(makeAgent, (agent) => ({ agent, unresponsive: /* @__PURE__ */ new Map() })), deliver = ({ agent, unresponsive }, target, delivery, limit, now) => {
  let receiver = value(target.webhook);
  for (let [each, until] of unresponsive) until <= now && unresponsive.delete(each);
  return unresponsive.has(receiver) ? new Undelivered({ reason: "its response to another notification timed out" }) : tapError(
    post(agent, target, delivery, limit),
    (failed) => failed.timedOut === !0 ? map(currentTimeMillis, (then) => unresponsive.set(receiver, then + cooldown)) : _void
  );
}, attempt = (sender, { outbox, timeout = "10 seconds", notifyOf, waits = defaultWaits }, notification) => gen(function* () {
  let now = yield* currentTimeMillis, notify = yield* notifyOf(notification.pipeline);
  if (notify === void 0 && now - notification.madeAt < unknownDefinitionTimeout)
    return yield* outbox.postpone(notification.id, now + pollInterval);
  let target = notify?.[notification.target], tried = yield* either(
    target === void 0 ? new Undelivered({ reason: "the definition no longer has this notify target" }) : deliver(sender, target, { id: notification.id, body: bodyOf(notification) }, timeout, now)
  );
  if (isRight(tried)) return yield* outbox.sent(notification.id);
  let wait = nextWait(notification, tried.left, waits);
  if (wait === void 0)
    return yield* logWarning(
      `The notification ${name(notification)} was not delivered after ${notification.attempts} attempts: ${tried.left.reason}. Check notify in its definition.`
    ), yield* outbox.failed(notification.id, tried.left.reason, void 0);
  notification.attempts === 1 && (yield* logWarning(
    `The notification ${name(notification)} was not delivered: ${tried.left.reason}. Next attempt in ${format(wait)}.`
  )), yield* outbox.failed(notification.id, tried.left.reason, (yield* currentTimeMillis) + toMillis(wait));
}), round = (sender, options) => gen(function* () {
  let due = yield* options.outbox.take(concurrency * 4, leaseMillis);
  return yield* forEach(due, (notification) => attempt(sender, options, notification), { concurrency, discard: !0 }), due.length > 0;
}), send = (options) => gen(function* () {
  let sender = yield* open, once = round(sender, options).pipe(
    warnOnce("Notifications cannot be sent"),
    catchAllCause(() => succeed2(!1))
  );
  return yield* forever(flatMap(once, (some) => some ? _void : sleep("1 second")));
}), flush = (options, within) => gen(function* () {
  let sender = yield* open;
  yield* repeat(round(sender, options), { while: (some) => some });
}).pipe(scoped, timeoutOption(within), asVoid);

// src/Schedule/Due.ts
var maxMissedRows = 1e3, iso = (instant) => new Date(instant).toISOString(), formatDuration = (millis2) => format(millis(Math.round(millis2 / 1e3) * 1e3)), nextDue = ({ pipeline, reached, schedule }) => {
  let [instant] = nextInstants(schedule, reached, 1);
  return instant === void 0 ? void 0 : { instant, due: dueAt(pipeline, schedule, instant) };
}, decide = ({ broken, schedule }, due, late, now) => {
  let { catchUp, catchUpWindow, overlap } = schedule, oldest = catchUpWindow === void 0 ? Number.NEGATIVE_INFINITY : now - toMillis(catchUpWindow), inOrder = catchUp === "all" && due.slice(0, late).some(({ instant }) => instant >= oldest) && overlap !== "allow" ? "queue" : overlap;
  return due.map(({ due: at, instant }, index) => {
    let missed = (why) => ({ status: "missed", reason: why, overlap });
    if (broken !== void 0) return missed(`its definition is broken: ${broken}`);
    if (index >= late) return { status: "waiting", overlap: inOrder };
    let found = `found ${formatDuration(now - at)} after it was due`;
    return catchUp === "none" ? missed(`${found}, and catchUp is none`) : instant < oldest ? missed(`${found}: longer than the catchUpWindow`) : catchUp === "all" ? { status: "waiting", overlap: inOrder } : index === due.length - 1 ? { status: "waiting", overlap } : missed(`${found}, and only the latest occurrence is caught up`);
  });
}, timesUntil = ({ reached, schedule }, isLate, now) => {
  let newest = instantsBetween(schedule, reached, now, maxMissedRows);
  return isLate || newest.left === 0 ? newest : { instants: nextInstants(schedule, reached, maxMissedRows), left: 0, exact: !0 };
}, dueNow = (entry, now, tolerance) => {
  let { pipeline, reached, schedule } = entry, first = nextDue(entry);
  if (first === void 0 || first.due > now) return { claims: [], reached };
  let { exact, instants: instants2, left } = timesUntil(entry, first.due < now - tolerance, now), timed2 = instants2.map((instant) => ({ instant, due: dueAt(pipeline, schedule, instant) })), wait = timed2.findIndex(({ due: due2 }) => due2 > now), due = wait < 0 ? timed2 : timed2.slice(0, wait), late = due.findLastIndex((each) => each.due < now - tolerance) + 1, decisions = decide(entry, due, late, now), claims = due.map((each, index) => {
    let decision = decisions[index];
    return {
      pipeline,
      ...each,
      cause: "schedule",
      status: decision?.status ?? "missed",
      reason: decision?.reason,
      overlap: decision?.overlap ?? schedule.overlap,
      notices: []
    };
  }), missed = claims.filter(({ status }) => status === "missed"), all2 = [...claims];
  if (left > 0) {
    let more = `${exact ? "" : "more than "}${left.toLocaleString("en-US")}`, until = iso(instants2[0] ?? now);
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
  let notifications = missedNotifications(entry, "missed", all2, missed.length + left), [newest] = missed.slice(-1);
  return {
    claims: all2.map((each) => each === newest ? { ...each, notices: notifications } : each),
    // Omitted times count as processed, even when jitter delays all others.
    reached: due.at(-1)?.instant ?? (left > 0 ? Math.max(reached, (instants2[0] ?? now) - 1) : reached)
  };
}, missedNotifications = ({ checked, file, pipeline }, event, claims, count2) => {
  let newest = claims.findLast(({ status }) => status === "missed");
  return newest === void 0 ? [] : notificationsFor(checked, event, {
    pipeline,
    file,
    instant: newest.instant,
    status: "missed",
    reason: newest.reason,
    missed: count2
  });
};

// src/Schedule/DueQueue.ts
var make5 = () => {
  let times = /* @__PURE__ */ new Map(), items = [], less = (one2, other) => (items[one2]?.[0] ?? 0) < (items[other]?.[0] ?? 0), swap = (one2, other) => {
    let [a, b] = [items[one2], items[other]];
    a !== void 0 && b !== void 0 && ([items[one2], items[other]] = [b, a]);
  }, up = (from) => {
    let at = from;
    for (; at > 0; ) {
      let above = at - 1 >> 1;
      if (!less(at, above)) return;
      swap(at, above), at = above;
    }
  }, down = () => {
    let at = 0;
    for (; ; ) {
      let left = 2 * at + 1;
      if (left >= items.length) return;
      let smaller = left + 1 < items.length && less(left + 1, left) ? left + 1 : left;
      if (!less(smaller, at)) return;
      swap(smaller, at), at = smaller;
    }
  }, pop = () => {
    let last = items.pop();
    last === void 0 || items.length === 0 || (items[0] = last, down());
  }, push = (at, key) => {
    items.push([at, key]), up(items.length - 1);
  }, clean = () => {
    for (let top = items[0]; top !== void 0 && times.get(top[1]) !== top[0]; top = items[0]) pop();
  };
  return {
    set: (key, at) => {
      if (times.get(key) !== at)
        if (times.set(key, at), items.length > 2 * times.size + 64) {
          items = [];
          for (let [each, time] of times) push(time, each);
        } else push(at, key);
    },
    remove: (key) => {
      times.delete(key);
    },
    first: () => (clean(), items[0]?.[0]),
    takeUntil: (at) => {
      let taken = [];
      for (clean(); items[0] !== void 0 && items[0][0] <= at; clean()) {
        let [, key] = items[0];
        times.delete(key), taken.push(key);
      }
      return taken;
    }
  };
};

// src/Schedule/Job.ts
var make6 = (record) => map(all([make2(), make2()]), ([done, stopped2]) => ({
  record,
  done,
  stop: void 0,
  stopped: stopped2,
  run: void 0,
  runId: record.runId
})), stop = (job, why) => suspend(() => {
  job.stop === void 0 && (job.stop = why);
  let { run: run2 } = job;
  return zipRight(
    succeed(job.stopped, void 0),
    run2 === void 0 ? _void : interruptFork(run2)
  );
}), sleep2 = (job, millis2) => raceFirst(sleep(Math.max(0, millis2)), _await2(job.stopped)), pollInterval2 = toMillis("5 seconds"), maxLostAttempts = 20, maxWriteRetries = 10, causeOf = (failure) => failure instanceof RunFailed ? failure.reason : failure, summaryOf = (failure) => "summary" in failure ? failure.summary : void 0, eventOf = (exitCode) => {
  switch (exitCode) {
    case ExitCode.budgetReached:
      return "budget";
    case ExitCode.tooManyRejects:
    case ExitCode.checkFailed:
      return "quality";
    default:
      return "failed";
  }
}, execute = (job, snapshot, context2) => {
  let { holder, ledger, runner, schedules: schedules2, onEvent } = context2, { record } = job, { instant, pipeline } = record, which = { pipeline, instant }, { attempt: attempt2, nextAt } = record, resumed, refused = !1, again = record.status === "retrying" || record.cause === "hand", retryWrite = (write2) => {
    let tried = (left) => catchAll(write2, ({ message }) => (left === maxWriteRetries && onEvent({ _tag: "Trouble", message }), left === 0 ? as(_void, void 0) : zipRight(sleep(1e3), tried(left - 1))));
    return tried(maxWriteRetries);
  }, failing = (why, event, summary) => {
    let { checked, file } = snapshot(), status = event === "budget" ? "budget" : "failed", details = { pipeline, file, instant, status, reason: why, runId: job.runId, attempt: attempt2, summary };
    return { _tag: "Over", outcome: { status, reason: why, notices: notificationsFor(checked, event, details) } };
  }, failed = (failure) => gen(function* () {
    let now = yield* currentTimeMillis, { overlap, retry } = snapshot().schedule, cause = causeOf(failure), summary = summaryOf(failure), why = failure.message;
    if (failure._tag === "InstantRefused") {
      let row = yield* schedules2.find(which);
      return row === void 0 || row.endedAt !== void 0 || row.owner !== holder.owner ? { _tag: "Gone" } : row.replacedBy === void 0 ? (refused = !0, { _tag: "Wait" }) : { _tag: "Over", outcome: replaced(row.replacedBy) };
    }
    if (cause.exitCode === ExitCode.locked) {
      let isOwn = summary !== void 0 && resumed === summary.runId;
      return isOwn || overlap !== "skip" ? (job.runId = isOwn ? resumed : void 0, yield* holder.retry(which, { at: now + pollInterval2, reason: why, runId: job.runId, counts: !1 }), attempt2--, { _tag: "Retry", at: now + pollInterval2, reason: why }) : { _tag: "Over", outcome: { status: "skipped", reason: why, notices: [] } };
    }
    let event = eventOf(cause.exitCode);
    if (event === "budget" || cause instanceof RunStopped) return failing(why, event, summary);
    let run2 = job.runId === void 0 ? void 0 : yield* ledger.find(job.runId), isOver = run2 !== void 0 && isSpent(run2);
    if (record.cause === "hand" || retry === void 0 || attempt2 > retry.times || isOver)
      return failing(why, event, summary);
    let at = now + toMillis(retry.after);
    return run2 === void 0 && (job.runId = void 0), again = !0, yield* holder.retry(which, { at, reason: why, runId: job.runId, counts: !0 }), onEvent({ _tag: "Retrying", ...which, reason: why, nextAt: at }), { _tag: "Retry", at, reason: why };
  }), replaced = (by) => ({
    status: "replaced",
    reason: `replaced by the run for ${new Date(by).toISOString()}`,
    notices: []
  }), earlierRun = suspend(
    () => job.runId === void 0 ? succeed2(void 0) : ledger.find(job.runId)
  ), isBehind = map(
    schedules2.occurrences({ pipeline, status: ["waiting", "running", "retrying"], limit: 1e3 }),
    (open2) => open2.some((each) => each.instant < instant)
  ), attemptNow = gen(function* () {
    if (refused && (yield* isBehind)) return { _tag: "Wait" };
    refused = !1;
    let { checked } = snapshot(), found = yield* earlierRun, before = record.cause === "hand" && found !== void 0 && isSpent(found) ? void 0 : found;
    if (resumed = before?.id, before?.status === "completed") return { _tag: "Over", outcome: { status: "completed", notices: [] } };
    if (before !== void 0 && isSpent(before))
      return failing(before.error ?? "all of its rows were rejected", "quality", void 0);
    if (checked === void 0) return failing("its definition was removed", "failed", void 0);
    if (record.cause !== "hand" && attempt2 - (snapshot().schedule.retry?.times ?? 0) > maxLostAttempts)
      return failing(`it was started ${attempt2} times, and never finished`, "failed", void 0);
    let task = { checked, instant, resume: before, begun: (runId) => holder.start({ ...which, runId, alone: snapshot().schedule.overlap !== "allow" && record.cause !== "hand" }).pipe(
      catchAll(({ message }) => (onEvent({ _tag: "Trouble", message }), succeed2(!1))),
      flatMap((may) => may ? (job.runId = runId, attempt2++, onEvent({ _tag: "Began", ...which, runId }), _void) : fail({ _tag: "InstantRefused", message: "it is not this process's turn" }))
    ), again, isReplaced: () => job.stop === "replaced" }, run2 = yield* forkDaemon(interruptible(runner.run(task)));
    job.run = run2, job.stop !== void 0 && (yield* interruptFork(run2));
    let exit = yield* _await(run2);
    if (job.run = void 0, isSuccess(exit)) return { _tag: "Over", outcome: { status: "completed", notices: [] } };
    if (job.stop !== void 0 && isInterrupted(exit.cause)) return { _tag: "Wait" };
    let failure = failureOption(exit.cause);
    return failure._tag === "Some" ? yield* failed(failure.value) : failing(`a fault of sluice: ${String(squash(exit.cause))}`, "failed", void 0);
  }), finish = (outcome) => gen(function* () {
    if ((yield* retryWrite(holder.end(which, outcome))) !== !0) return;
    let endedAt = yield* currentTimeMillis, { reason, status } = outcome;
    onEvent({
      _tag: "Over",
      record: { ...record, attempt: attempt2, status, reason, runId: job.runId, nextAt: void 0, endedAt }
    });
  }), live = gen(function* () {
    for (; job.stop === void 0 && (nextAt !== void 0 && (yield* sleep2(job, nextAt - (yield* currentTimeMillis))), nextAt = void 0, snapshot().schedule.overlap !== "allow" && record.cause !== "hand" && (yield* raceFirst(
      forEach(context2.earlier(record), ({ done }) => _await2(done), { discard: !0 }),
      _await2(job.stopped)
    )), job.stop === void 0); ) {
      let result = yield* suspend(
        () => job.stop === void 0 ? attemptNow : succeed2({ _tag: "Wait" })
      ).pipe(
        context2.permits.withPermits(1),
        catchAll(({ message }) => (onEvent({ _tag: "Trouble", message }), succeed2({ _tag: "Wait" })))
      );
      if (result._tag === "Gone") return;
      if (result._tag === "Over") return yield* finish(result.outcome);
      nextAt = result._tag === "Retry" ? result.at : (yield* currentTimeMillis) + pollInterval2;
    }
    if (job.stop === "released") return yield* retryWrite(holder.release([which]));
    let row = yield* retryWrite(schedules2.find(which));
    row?.replacedBy !== void 0 && (row.endedAt === void 0 ? yield* finish(replaced(row.replacedBy)) : onEvent({ _tag: "Over", record: row }));
  });
  return asVoid(live).pipe(
    catchAllDefect((defect) => sync(() => onEvent({ _tag: "Trouble", message: String(defect) }))),
    ensuring(succeed(job.done, void 0))
  );
};

// src/Schedule/Daemon.ts
var defaults = {
  grace: "30 seconds",
  concurrency: 16,
  tolerance: "60 seconds",
  scanInterval: "2 seconds",
  maxSleep: "30 seconds",
  takeoverInterval: "5 seconds",
  retention: defaultRetention
}, claimRetryInterval = 2e3, stopTimeout = toMillis("1 minute"), makeTrouble = (report) => {
  let current;
  return {
    note: (message) => {
      message !== void 0 && message !== current && report({ _tag: "Trouble", message }), current = message;
    },
    current: () => current
  };
}, keyOf = ({ instant, pipeline }) => `${pipeline} ${instant}`, make7 = (ledger, schedules2, options) => gen(function* () {
  let { definitions, runner, onEvent: report = () => {
  } } = options, millis2 = (name2) => toMillis(options[name2] ?? defaults[name2]), tolerance = millis2("tolerance"), startedAt = yield* currentTimeMillis, holder = yield* schedules2.acquireLease, known2 = yield* make4(definitions, { ledger, schedules: schedules2 }, runner, report, makeTrouble(report).note), queue = make5(), jobs = /* @__PURE__ */ new Map(), byPipeline = /* @__PURE__ */ new Map(), changed = yield* sliding(1), tickedAt = startedAt, draining = !1, paused = /* @__PURE__ */ new Map(), trouble = makeTrouble(report), context2 = {
    ledger,
    schedules: schedules2,
    holder,
    runner,
    permits: yield* makeSemaphore(options.concurrency ?? defaults.concurrency),
    onEvent: report,
    earlier: (record) => [...byPipeline.get(record.pipeline) ?? []].filter((job) => job.record.instant < record.instant)
  }, start = (record) => gen(function* () {
    let key = keyOf(record);
    if (jobs.has(key) || draining) return;
    let job = yield* make6(record);
    if (jobs.has(key)) return;
    jobs.set(key, job);
    let others = byPipeline.get(record.pipeline) ?? /* @__PURE__ */ new Set();
    byPipeline.set(record.pipeline, others.add(job));
    let last, snapshot = () => (last = known2.snapshot(record.pipeline) ?? last, last ?? { checked: void 0, file: "", schedule: { overlap: "skip", retry: void 0 } });
    snapshot();
    let end = sync(() => {
      jobs.delete(key), others.delete(job), others.size === 0 && byPipeline.get(record.pipeline) === others && byPipeline.delete(record.pipeline);
    });
    yield* forkDaemon(interruptible(ensuring(execute(job, snapshot, context2), end)));
  }), plan = (entry) => {
    let next = nextDue(entry);
    next === void 0 ? queue.remove(entry.pipeline) : queue.set(entry.pipeline, next.due);
  }, catchDefects = (work) => catchAllDefect(work, (defect) => sync(() => trouble.note(`a fault of sluice: ${String(defect)}`))), tick = gen(function* () {
    let now = yield* currentTimeMillis;
    tickedAt = now;
    let entries = queue.takeUntil(now).flatMap((pipeline) => known2.find(pipeline) ?? []);
    if (entries.length === 0) return;
    for (let entry of entries) queue.set(entry.pipeline, now + claimRetryInterval);
    let due = entries.map((entry) => [entry, dueNow(entry, now, tolerance)]), claims = due.flatMap(([, { claims: claims2 }]) => claims2), won = yield* either(holder.claim(claims));
    if (won._tag === "Left") {
      trouble.note(won.left.message);
      return;
    }
    trouble.note(void 0);
    for (let [{ pipeline }, { reached }] of due) {
      let entry = known2.advance(pipeline, reached);
      entry !== void 0 && plan(entry);
    }
    for (let record of won.right)
      if (record.endedAt !== void 0) report({ _tag: "Over", record });
      else {
        let { overlap } = known2.snapshot(record.pipeline)?.schedule ?? { overlap: "skip" };
        overlap === "replace" && (yield* forEach(context2.earlier(record), (job) => stop(job, "replaced"), {
          discard: !0
        })), yield* start(record);
      }
  }), clock2 = gen(function* () {
    for (; ; ) {
      yield* catchDefects(tick);
      let now = yield* currentTimeMillis, wait = Math.min(millis2("maxSleep"), Math.max(0, (queue.first() ?? Number.POSITIVE_INFINITY) - now));
      yield* raceFirst(sleep(wait), take(changed));
    }
  }), scan = gen(function* () {
    let { added, removed } = yield* known2.scan;
    for (let pipeline of removed) queue.remove(pipeline);
    for (let entry of added) plan(entry);
    added.length + removed.length > 0 && (yield* offer(changed, void 0));
  }), look = gen(function* () {
    for (let record of yield* holder.takeOver(({ pipeline }) => known2.find(pipeline) !== void 0))
      yield* start(record);
    for (let record of yield* holder.owned) {
      let job = jobs.get(keyOf(record));
      job === void 0 ? yield* start(record) : record.replacedBy !== void 0 && (yield* stop(job, "replaced"));
    }
    paused = yield* schedules2.paused;
  }).pipe(
    tap(() => sync(() => trouble.note(void 0))),
    catchAll(({ message }) => sync(() => trouble.note(message)))
  ), prune = flatMap(currentTimeMillis, (now) => schedules2.prune(now - millis2("retention"))).pipe(
    catchAll(({ message }) => sync(() => trouble.note(message)))
  ), every = (interval, work) => forkDaemon(
    interruptible(forever(zipRight(sleep(interval), catchDefects(work))))
  ), drain = (fibers2) => gen(function* () {
    draining = !0, yield* interruptAll(fibers2);
    let all2 = [...jobs.values()];
    yield* forEach(
      all2.filter(({ run: run2 }) => run2 === void 0),
      (job) => stop(job, "released")
    );
    let ended = forEach(all2, ({ done }) => _await2(done), { discard: !0 }), waitFor = (limit) => flatMap(forkDaemon(interruptible(timeoutOption(ended, limit))), _await);
    yield* waitFor(millis2("grace")), yield* forEach(all2, (job) => stop(job, "released"), { discard: !0 }), yield* waitFor(stopTimeout);
    let stuck = [...jobs.values()].map(({ record }) => record);
    if (stuck.length === 0) return;
    let names2 = stuck.slice(0, 5).map(({ instant, pipeline }) => `${pipeline} for ${new Date(instant).toISOString()}`), more = stuck.length > names2.length ? ` and ${stuck.length - names2.length} more` : "", message = `not stopped within a minute, and released to other schedulers: ${names2.join(", ")}${more}`;
    report({ _tag: "Trouble", message }), yield* ignore(holder.release(stuck));
  });
  yield* scan, yield* look;
  let fibers = [
    yield* forkDaemon(interruptible(clock2)),
    yield* every(millis2("scanInterval"), scan),
    yield* every(millis2("takeoverInterval"), look),
    yield* every(36e5, prune)
  ];
  return yield* addFinalizer(() => drain(fibers)), {
    status: sync(() => {
      let all2 = [...jobs.values()];
      return {
        owner: holder.owner,
        startedAt,
        tickedAt,
        draining,
        next: queue.first(),
        pipelines: known2.all().map((entry) => ({
          pipeline: entry.pipeline,
          file: entry.file,
          cron: entry.schedule.cron,
          timezone: entry.schedule.timezone,
          next: nextDue(entry)?.instant,
          pausedAt: paused.get(entry.pipeline),
          broken: entry.broken
        })),
        broken: known2.broken(),
        running: all2.flatMap(
          ({ record: { instant, pipeline }, run: run2, runId }) => run2 === void 0 ? [] : [{ pipeline, instant, runId }]
        ),
        waiting: all2.filter(({ run: run2 }) => run2 === void 0).length,
        trouble: trouble.current()
      };
    }),
    definition: known2.definition,
    rescan: scan,
    await: holder.lost
  };
});

// src/Schedule.ts
var serve = (options) => flatMap(Ledger, (ledger) => make7(ledger, of(ledger), options)), runAt = (options) => gen(function* () {
  let { checked, instant, runner } = options, ledger = yield* Ledger, schedules2 = of(ledger), pipeline = checked.frame.name, which = { pipeline, instant }, holder = yield* schedules2.acquireLease, claim = { ...which, due: instant, cause: "hand", status: "waiting", overlap: "allow", notices: [] }, [won] = yield* holder.claim([claim]), reclaimed = won ?? (yield* holder.reclaim(which)), abandoned = reclaimed === void 0 ? yield* holder.takeOver((each) => each.pipeline === pipeline && each.instant === instant) : [], claimed = reclaimed ?? abandoned[0];
  if (claimed !== void 0) {
    let context2 = {
      ledger,
      schedules: schedules2,
      holder,
      runner,
      permits: yield* makeSemaphore(1),
      onEvent: () => {
      },
      earlier: () => []
    }, snapshot = {
      checked,
      file: checked.source.file,
      schedule: { overlap: "skip", retry: void 0 }
    }, job = yield* make6({ ...claimed, nextAt: void 0 });
    yield* forkDaemon(interruptible(execute(job, () => snapshot, context2))), yield* _await2(job.done).pipe(
      onInterrupt(() => zipRight(stop(job, "released"), _await2(job.done)))
    );
  }
  return yield* schedules2.prune((yield* currentTimeMillis) - toMillis(defaultRetention)), (yield* schedules2.find(which)) ?? claimed;
}).pipe(scoped);

// src/Cli/Schedule/Health.ts
import { createServer } from "node:http";
var HealthUnavailable = class extends TaggedError("HealthUnavailable") {
  get message() {
    return `cannot answer /health on ${this.host}:${this.port}: ${this.reason}. Port 0 takes a free one.`;
  }
}, patience = 9e4, iso2 = (millis2) => millis2 === void 0 ? null : new Date(millis2).toISOString(), healthOf = (status, now) => {
  if (status === void 0) return { code: 503, body: { status: "starting", version } };
  let isStill = now - status.tickedAt > patience, state = status.draining ? "draining" : isStill ? "stalled" : "ok", broken = [
    ...status.broken.map(({ file }) => file),
    ...status.pipelines.flatMap((each) => each.broken === void 0 ? [] : [each.file])
  ];
  return {
    code: state === "ok" ? 200 : 503,
    body: {
      status: state,
      version,
      startedAt: iso2(status.startedAt),
      lastTick: iso2(status.tickedAt),
      schedules: status.pipelines.length,
      paused: status.pipelines.filter(({ pausedAt }) => pausedAt !== void 0).length,
      broken: [...new Set(broken)],
      next: iso2(status.next),
      running: status.running.map(({ instant, pipeline, runId }) => ({
        pipeline,
        instant: iso2(instant),
        run: runId ?? null
      })),
      waiting: status.waiting,
      trouble: status.trouble ?? null
    }
  };
}, reasons = {
  EADDRINUSE: "the port is taken",
  EACCES: "this port may need rights that you do not have",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "this machine has no such address"
}, listen = (server, { host, port }) => async((resume) => {
  server.once(
    "error",
    safely(
      (error) => {
        let reason = reasons[error.code ?? ""] ?? error.message;
        resume(new HealthUnavailable({ host, port, reason }));
      },
      (cause) => resume(die(cause))
    )
  ), server.listen(
    port,
    host,
    safely(
      () => {
        let address = server.address();
        resume(succeed2(typeof address == "object" && address !== null ? address.port : port));
      },
      (cause) => resume(die(cause))
    )
  );
}), whyNot = ({ host, metricsKey }, authorization) => metricsKey === void 0 ? isLoopback(host) ? void 0 : "metrics are not for everybody: set SLUICE_METRICS_KEY and send that" : hasKey(metricsKey)(authorization) ? void 0 : "metrics need their key: Authorization: Bearer \u2026", serve2 = fn("Schedule.health")(function* (place2, status) {
  let runtime2 = yield* runtime(), answer = gen(function* () {
    return healthOf(yield* status, yield* currentTimeMillis);
  });
  yield* watch;
  let server = createServer(safely((request, response) => {
    let answerMetrics = () => {
      let refused = whyNot(place2, request.headers.authorization);
      if (refused !== void 0) return send2(place2.metricsKey === void 0 ? 403 : 401, { error: refused });
      runCallback(runtime2)(text, {
        onExit: (exit) => {
          if (exit._tag === "Failure") return send2(503, { status: "stalled", version });
          response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }), response.end(request.method === "HEAD" ? void 0 : exit.value);
        }
      });
    }, send2 = (code, body) => {
      let text2 = `${JSON.stringify(body)}
`;
      response.writeHead(code, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text2),
        "cache-control": "no-store"
      }), response.end(request.method === "HEAD" ? void 0 : text2);
    };
    if (request.resume(), !isNamed(place2.host, request.headers.host))
      return send2(403, { error: "this is answered to localhost and 127.0.0.1 only; --health-host listens elsewhere" });
    let path2 = request.url?.split("?")[0];
    if (path2 !== "/health" && path2 !== "/metrics") return send2(404, { error: "there are only /health and /metrics" });
    if (request.method !== "GET" && request.method !== "HEAD") return send2(405, { error: "only GET is answered" });
    if (path2 === "/metrics") return answerMetrics();
    runCallback(runtime2)(answer, {
      onExit: (exit) => exit._tag === "Success" ? send2(exit.value.code, exit.value.body) : send2(503, { status: "stalled", version })
    });
  }, (_, [, response]) => response.destroy()));
  return server.requestTimeout = 1e4, server.headersTimeout = 1e4, server.maxConnections = 64, yield* acquireRelease(
    listen(server, place2),
    () => sync(() => {
      server.closeAllConnections(), server.close();
    })
  );
});

// src/Cli/Schedule/History.ts
var zoneOf = (record) => {
  let { timezone } = record === void 0 ? {} : JSON.parse(record.schedule);
  return timezone ?? "UTC";
}, iso3 = (millis2) => millis2 === void 0 ? void 0 : new Date(millis2).toISOString(), noticeObject = ({ attempts, error, event, gaveUpAt, id, sentAt }) => ({
  id,
  event,
  attempts,
  sentAt: iso3(sentAt),
  gaveUpAt: iso3(gaveUpAt),
  error
}), noticeText = ({ attempts, error, event, gaveUpAt, sentAt }) => {
  if (sentAt !== void 0) return `${event}: told`;
  let why = error === void 0 ? "" : ` (${error})`;
  return gaveUpAt !== void 0 ? `${event}: given up after ${count(attempts, "try", "tries")}${why}` : `${event}: not told yet${why}`;
}, inputsText = (inputs) => typeof inputs == "object" && inputs !== null ? Object.entries(inputs).map(([name2, value2]) => `${name2}=${typeof value2 == "string" ? value2 : JSON.stringify(value2)}`).join(", ") : "", show2 = (pipeline, options, terminal) => gen(function* () {
  let { history } = yield* Ledger, schedules2 = yield* schedules, records = yield* schedules2.list, record = records.find((each) => each.pipeline === pipeline), instants2 = yield* schedules2.occurrences({ pipeline, limit: options.limit });
  if (record === void 0 && instants2.length === 0) {
    let names2 = records.map((each) => each.pipeline), known2 = names2.length === 0 ? "; nothing was scheduled yet" : `: there are ${names2.join(", ")}`, hint = didYouMean(pipeline, names2) || known2;
    return yield* new ScheduleRefused({ reason: `no instant of a pipeline ${pipeline} is known${hint}` });
  }
  let notices = yield* schedules2.notifications.list({ pipeline, limit: options.limit * 10 }), byInstant = groupBy(notices, ({ instant }) => String(instant)), told = (instant) => byInstant[String(instant)] ?? [], inputs = yield* history.inputs(instants2.flatMap(({ runId }) => runId ?? [])), inputsOf2 = ({ runId }) => runId === void 0 ? void 0 : inputs.get(runId);
  if (options.json) {
    let objects = instants2.map((each) => ({
      ...instantObject(each),
      inputs: inputsOf2(each),
      notices: told(each.instant).map(noticeObject)
    }));
    return void terminal.out.write(`${JSON.stringify(objects, void 0, 2)}
`);
  }
  if (instants2.length === 0) return void terminal.err.write(`no instant of ${pipeline} has come yet
`);
  let zone = zoneOf(record), lines = table(
    [[`instant (${zone})`], ["outcome"], ["took", "right"], ["run"], ["inputs"], ["told"], ["why"]],
    instants2.map((each) => [
      show(each.instant, zone),
      `${each.status}${each.cause === "hand" ? ", by hand" : ""}${each.attempt > 1 ? `, attempt ${each.attempt}` : ""}`,
      each.begunAt === void 0 || each.endedAt === void 0 ? "" : duration(each.endedAt - each.begunAt),
      each.runId ?? "",
      inputsText(inputsOf2(each)),
      told(each.instant).map(noticeText).join("; "),
      each.reason ?? ""
    ]),
    terminal.out
  );
  terminal.out.write(`${lines.join(`
`)}
`);
}), program2 = (options, terminal) => options.name === void 0 ? new ScheduleRefused({ reason: "NAME is missing: sluice schedule history NAME" }) : withLedger(options, terminal, show2(options.name, options, terminal));

// src/Cli/Schedule/Pause.ts
var known = (options, terminal) => gen(function* () {
  let schedules2 = yield* schedules, record = (yield* schedules2.list).find(({ pipeline }) => pipeline === options.name);
  if (record !== void 0 && record.removedAt === void 0)
    return { pipeline: record.pipeline, timezone: zoneOf(record) };
  let folder = options.folder ?? defaultFolder, where = { env: terminal.env, code: options["allow-code"] }, found = yield* one(options.name, { action: "pause", folder }, where), registration = registrationOf(found.file, found.checked);
  return registration !== void 0 && (yield* schedules2.register([registration])), { pipeline: found.name, timezone: found.schedule.timezone };
}), untilOf = (options, timezone) => gen(function* () {
  if (options.until === void 0) return;
  let now = yield* currentTimeMillis, until = parseUntil(options.until, timezone, now);
  if (until === void 0) {
    let reason = `--until takes an instant or a time like 12h, got "${options.until}": ${expected}`;
    return yield* new ScheduleRefused({ reason });
  }
  return until > now ? until : yield* new ScheduleRefused({ reason: `--until ${options.until} is over already` });
}), pauseSchedule = (options, terminal) => gen(function* () {
  let settings = yield* readSettings(terminal.env, options.profile), dataDir = (yield* Path).resolve(options.data ?? settings.dataDir);
  yield* gen(function* () {
    let schedules2 = yield* schedules, { pipeline, timezone } = yield* known(options, terminal), until = yield* untilOf(options, timezone);
    if (yield* schedules2.pause(pipeline, until === void 0 ? void 0 : pauseReason(until)), options.json) {
      let object2 = { pipeline, paused: !0, until: until === void 0 ? null : new Date(until).toISOString() };
      return void terminal.out.write(`${JSON.stringify(object2)}
`);
    }
    let end = until === void 0 ? `sluice schedule resume ${pipeline} ends it` : `it ends at ${show(until, timezone)} ${timezone}`;
    options.quiet || terminal.err.write(`${pipeline} is paused, and its instants go by: ${end}
`);
  }).pipe(provide(ledgerLayer(settings, dataDir)));
}), goOn = (options, terminal) => gen(function* () {
  let schedules2 = yield* schedules, records = yield* schedules2.list, record = records.find(({ pipeline: pipeline2 }) => pipeline2 === options.name);
  if (record === void 0) {
    let name2 = options.name, reason = name2 === void 0 ? "NAME is missing: sluice schedule resume NAME" : `no pipeline ${name2} was scheduled yet${didYouMean(
      name2,
      records.map(({ pipeline: pipeline2 }) => pipeline2)
    )}`;
    return yield* new ScheduleRefused({ reason });
  }
  let { pausedAt, pipeline } = record;
  if (yield* schedules2.resume(pipeline), options.json) return void terminal.out.write(`${JSON.stringify({ pipeline, paused: !1 })}
`);
  let said = pausedAt === void 0 ? "was not paused" : "goes on with its next instant";
  options.quiet || terminal.err.write(`${pipeline} ${said}
`);
}), resumeSchedule = (options, terminal) => withLedger(options, terminal, goOn(options, terminal)), endPauses = (schedules2) => gen(function* () {
  let now = yield* currentTimeMillis, over = (yield* schedules2.list).filter(({ pausedAt, pausedWhy }) => {
    let until = pauseEnd(pausedWhy);
    return pausedAt !== void 0 && until !== void 0 && until <= now;
  });
  return yield* filter(
    over.map(({ pipeline }) => pipeline),
    (pipeline) => schedules2.resume(pipeline)
  );
}), watchPauses = (schedules2, terminal, quiet) => endPauses(schedules2).pipe(
  flatMap(
    (names2) => sync(() => {
      for (let name2 of quiet ? [] : names2) terminal.err.write(`${name2} goes on: its pause is over
`);
    })
  ),
  catchAll((error) => logDebug("Pauses could not be looked at; it is tried again", error)),
  zipRight(sleep("2 seconds")),
  forever
);

// src/Cli/Schedule/Runner.ts
var shared = (settings, dataDir) => gen(function* () {
  let scope2 = yield* scope, turn = yield* makeSemaphore(1), begun;
  return gen(function* () {
    if (begun !== void 0) return begun;
    let own = yield* fork(scope2, sequential);
    return begun = yield* openService(settings, { dataDir }).pipe(
      extend(own),
      onExit((exit) => exit._tag === "Failure" ? close(own, exit) : _void)
    ), begun;
  }).pipe(turn.withPermits(1));
}), elsewhere = (conditions) => gen(function* () {
  let { ended, on, settings } = conditions, loaded = promise(() => import("./chunk-SL25KZ4S.js")), database2 = flatMap(
    promise(() => import("./chunk-4PAXQE5U.js")),
    ({ databaseOf }) => databaseOf(settings)
  ), open2 = zipWith(database2, loaded, (url, { layer }) => build(layer(url))).pipe(flatten), opened = on === "cluster" ? yield* open2 : void 0;
  opened !== void 0 && (yield* (yield* loaded).greet(opened));
  let context2 = opened === void 0 ? open2 : succeed2(opened);
  return (task) => gen(function* () {
    let { carryOut: carryOut2 } = yield* loaded;
    return yield* provide(carryOut2(task, conditions), yield* context2);
  }).pipe(
    tap((summary) => sync(() => ended?.(task.checked, summary))),
    tapErrorTag("RunFailed", ({ summary }) => sync(() => ended?.(task.checked, summary))),
    scoped
  );
}), make8 = fn("Schedule.runner")(function* (conditions) {
  let { allowCode, dataDir, ended, env, out, settings, watch: watch3 } = conditions, platform = yield* context(), ledger = yield* Ledger, everybody = yield* shared(settings, dataDir), serve4 = (checked) => {
    if (checked.frame.site !== void 0) return startService(checked, settings, dataDir);
    let service2 = needsService(checked) ? everybody : succeed2(noService);
    return map(service2, (found) => ({ site: void 0, client: clientsOf(found) }));
  }, run2 = (task) => gen(function* () {
    let { begun, instant, resume } = task, checked = resume === void 0 ? task.checked : yield* frozen(resume, { allowCode, scope: scopeOf(env) });
    yield* requireCapabilities(checked, settings, env);
    let { client, site } = yield* serve4(checked), { wanted, ...kept } = resume === void 0 ? { out, wanted: void 0 } : optionsOf(resume), made = yield* make3(checked, {
      ...scopeOf(env),
      ...kept,
      wanted,
      dataDir,
      allowCode,
      site,
      scheduledFor: new Date(instant)
    });
    return yield* begun(made.id), watch3 !== void 0 && (yield* watch3(made, checked)), yield* made.execute.pipe(
      provide(client),
      tap((summary) => sync(() => ended?.(checked, summary))),
      tapErrorTag("RunFailed", ({ summary }) => sync(() => ended?.(checked, summary))),
      onInterrupt(() => map(made.summary, (summary) => ended?.(checked, summary)))
    );
  }).pipe(scoped), away = yield* elsewhere(conditions), isAway = ({ resume }) => resume === void 0 ? conditions.on === "cluster" : resume.group === resume.id, carryOut2 = (task) => isAway(task) ? away(task) : run2(task);
  return {
    load: (file) => provide(
      load(file, { allowCode, inputs: conditions.inputs, scope: scopeOf(env), displayPath: place }),
      platform
    ),
    former: (record) => provide(frozen(record, { allowCode, scope: scopeOf(env) }), platform),
    run: (task) => carryOut2(task).pipe(provideService(Ledger, ledger), provide(platform))
  };
});

// src/Cli/Schedule/Daemon.ts
var awaited = 256, remembered = 1e3, describe2 = (folder, status, now) => {
  let { next, pipelines: pipelines2 } = status;
  if (pipelines2.length === 0)
    return `no pipeline in ${place(folder)} has a schedule yet: it begins when one does
`;
  let first = pipelines2.find((each) => each.next === next && next !== void 0), when = first?.next === void 0 ? "" : `; next is ${first.pipeline} at ${show(first.next, first.timezone)} (${distance(first.next, now)})`;
  return `${count(pipelines2.length, "pipeline")} of ${place(folder)} on schedule${when}
`;
}, program3 = (options, terminal) => gen(function* () {
  let paths = yield* Path, folder = options.action ?? options.folder ?? defaultFolder;
  if (options.name !== void 0)
    return yield* new ScheduleRefused({ reason: `"${options.name}" is one word too many: sluice schedule FOLDER` });
  let { isFolder } = yield* filesOf(folder, !1);
  if (!isFolder) return yield* new ScheduleRefused({ reason: `${folder} is a file: name the folder that it lies in` });
  if (Object.keys(options.input).length > 0) {
    let where = { env: terminal.env, code: options["allow-code"], inputs: options.input };
    yield* ensureDeclared(options.input, yield* find(folder, where));
  }
  let settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir), out = paths.resolve(options.out ?? ".");
  yield* requireFolder(out, "Name a folder that you may write to with --out"), yield* serve3({ folder, settings, dataDir, out }, options, terminal).pipe(
    scoped,
    provide(ledgerLayer(settings, dataDir))
  );
}), serve3 = (places, options, terminal) => gen(function* () {
  let { dataDir, folder, out, settings } = places, schedules2 = yield* schedules, isShared = options.on === "cluster", clock2 = yield* clock, summaries = /* @__PURE__ */ new Map(), served, early = [], print = (news) => {
    let known2 = {
      now: clock2.unsafeCurrentTimeMillis(),
      definition: (pipeline) => served?.definition(pipeline),
      next: (pipeline) => {
        let schedule = served?.definition(pipeline)?.frame.schedule;
        return schedule === void 0 ? void 0 : nextInstants(schedule, clock2.unsafeCurrentTimeMillis(), 1)[0];
      },
      summary: (runId) => summaries.get(runId)
    };
    options.json && terminal.out.write(`${JSON.stringify(object(news, known2))}
`);
    let { bad, level, text: text2 } = line(news, known2, terminal.err);
    note(news, known2.now);
    let fields = terminal.err.line && { level, ...object(news, known2) };
    (bad || !options.quiet) && terminal.err.write(`${text2}
`, fields), news._tag === "Over" && news.record.runId !== void 0 && summaries.delete(news.record.runId);
  };
  if (yield* watch2(suspend(() => served?.status ?? succeed2(void 0))), options.health !== void 0) {
    let host = options["health-host"], status = suspend(() => served?.status ?? succeed2(void 0)), port = yield* serve2({ host, port: options.health, metricsKey: settings.metricsKey }, status), url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/health`;
    options.json && terminal.out.write(`${JSON.stringify({ event: "listening", url })}
`), options.quiet || terminal.err.write(`health: ${url}
`);
  }
  let runner = yield* make8({
    settings,
    dataDir,
    out,
    allowCode: options["allow-code"],
    env: terminal.env,
    inputs: options.input,
    on: options.on,
    ended: (_, summary) => {
      summaries.size >= remembered && summaries.clear(), summaries.set(summary.runId, summary);
    }
  });
  yield* endPauses(schedules2), yield* send({
    outbox: schedules2.notifications,
    notifyOf: (pipeline) => sync(() => {
      let checked = served?.definition(pipeline);
      return checked && (checked.frame.notify ?? []);
    })
  }).pipe(forkScoped);
  let begun = yield* serve({
    definitions: folder,
    runner,
    // Workers go on with what they have: there is nothing to wait for, and nothing to be spared while it lasts.
    ...isShared ? { grace: 0, atOnce: awaited } : { grace: options.grace },
    onEvent: (news) => early === void 0 ? print(news) : early.push(news)
  });
  served = begun;
  let standing = yield* begun.status, first = early;
  early = void 0;
  for (let news of first) print(news);
  let now = yield* currentTimeMillis;
  if (options.quiet || terminal.err.write(describe2(folder, standing, now)), options.json) {
    let next = standing.next === void 0 ? null : new Date(standing.next).toISOString();
    terminal.out.write(`${JSON.stringify({ event: "started", schedules: standing.pipelines.length, next })}
`);
  }
  return yield* addFinalizer(
    () => map(begun.status, (status) => {
      options.quiet || terminal.err.write(stopping(status, isShared, terminal));
    })
  ), yield* forkScoped(watchPauses(schedules2, terminal, options.quiet)), yield* begun.await;
}), stopping = ({ running: running2 }, isShared, { err }) => {
  let lead = err.interactive ? `
` : "";
  if (running2.length === 0) return `${lead}stopping
`;
  let names2 = running2.map(({ pipeline }) => pipeline).join(", "), what = isShared ? `left to the workers: ${count(running2.length, "run")}, which the next daemon awaits` : `${count(running2.length, "run")} may still come to an end`;
  return `${lead}stopping: ${what} (${names2})
`;
};

// src/Cli/Schedule/Once.ts
var aYear = 366 * 864e5, patience2 = "20 seconds", instantOf = ({ name: name2, schedule }, at, now) => {
  if (at === void 0) {
    let latest = lastInstant(schedule, now);
    return latest !== void 0 && latest > now - aYear ? succeed2(latest) : new ScheduleRefused({ reason: `no instant of ${name2} has come within a year: name one with --at` });
  }
  let instant = parse(at, schedule.timezone);
  if (instant !== void 0 && instant <= now) return succeed2(instant);
  if (instant !== void 0) {
    let when = `${show(instant, schedule.timezone)} ${schedule.timezone}`, last = lastInstant(schedule, now), hint = last === void 0 ? "" : `, like ${show(last, schedule.timezone)}`, reason = `--at ${at} is in the future (${when}, ${distance(instant, now)}): name a time that has come${hint}, or leave --at out for the last one`;
    return new ScheduleRefused({ reason });
  }
  return new ScheduleRefused({ reason: `--at takes an instant, got "${at}": ${expected}` });
}, settled = (scheduled, record, { at }, print) => {
  let text2 = show(record.instant, scheduled.schedule.timezone), run2 = record.runId === void 0 ? "" : ` by run ${record.runId}`, said = `${scheduled.name} was completed for ${text2} already${run2}`;
  return at !== void 0 ? new ScheduleRefused({ reason: `${said}: --again runs it once more` }) : (print.talk(`${said}
`), print.report({ ...neverBegan, runId: record.runId ?? null, status: "completed" }), _void);
}, carryOut = (scheduled, instant, places, options, terminal, print) => gen(function* () {
  let { checked, name: name2 } = scheduled, schedules2 = yield* schedules, summary, failure, runner = yield* make8({
    ...places,
    allowCode: options["allow-code"],
    env: terminal.env,
    on: options.on,
    watch: (run2, running2) => terminal.err.interactive && !options.quiet ? asVoid(forkScoped(drawProgress(run2, running2, terminal))) : _void,
    ended: (_, ended) => {
      summary = ended;
    }
  }), noted = {
    ...runner,
    run: (task) => tapError(
      runner.run(task),
      (failed) => sync(() => {
        failure = failed;
      })
    )
  }, record = yield* runAt({ checked, instant, runner: noted }).pipe(
    onInterrupt(
      () => sync(() => {
        options.on === "cluster" && print.talk(`${name2} goes on without you; the same command awaits it
`), summary !== void 0 && (print.talk(`${name2} was stopped: ${countsOf(summary)}; the same command goes on with it
`), print.report(stopped(summary)));
      })
    )
  );
  return yield* tell(scheduled, schedules2.notifications, options, terminal), record.status === "completed" && summary !== void 0 ? (print.talk(describe(name2, summary, terminal.err)), print.report(completed(summary))) : failure !== void 0 ? (summary !== void 0 && print.talk(describeFailed(name2, summary, terminal.err, failure)), yield* fail(failure)) : record.endedAt === void 0 ? yield* new InstantTaken({ pipeline: name2, instant, status: record.status }) : yield* new ScheduleRefused({ reason: `${name2} is ${record.status}: ${record.reason ?? "nothing was run"}` });
}), tell = ({ checked, file, name: name2 }, outbox, options, terminal) => gen(function* () {
  let folder = (yield* Path).dirname(file), where = { env: terminal.env, code: options["allow-code"], inputs: options.input }, beside = yield* cached(
    map(
      orElseSucceed(find(folder, where), () => ({ scheduled: [] })),
      ({ scheduled }) => scheduled
    )
  ), platform = yield* context();
  yield* flush({ outbox, notifyOf: (pipeline) => map(
    pipeline === name2 ? succeed2(checked) : map(
      provide(beside, platform),
      (found) => found.find((each) => each.name === pipeline)?.checked
    ),
    (known2) => known2 && (known2.frame.notify ?? [])
  ) }, patience2);
}), program4 = (options, terminal) => printing(
  options,
  terminal,
  (print) => gen(function* () {
    let paths = yield* Path, folder = options.folder ?? defaultFolder, where = { env: terminal.env, code: options["allow-code"], inputs: options.input }, scheduled = yield* one(options.name, { action: "run", folder }, where), { checked, name: name2, schedule } = scheduled, now = yield* currentTimeMillis, instant = yield* instantOf(scheduled, options.at, now), settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir), out = paths.resolve(options.out ?? ".");
    yield* requireFolder(out, "Name a folder that you may write to with --out");
    let places = { settings, dataDir, out };
    yield* gen(function* () {
      let schedules2 = yield* schedules;
      yield* endPauses(schedules2);
      let record = yield* schedules2.find({ pipeline: name2, instant });
      if (record?.status === "completed" && !options.again) return yield* settled(scheduled, record, options, print);
      if (options.at === void 0 && !options.again && (yield* schedules2.paused).has(name2))
        return print.talk(`${name2} is paused: sluice schedule resume ${name2} ends it
`), print.report(neverBegan);
      if (lastInstant(schedule, instant) === instant || print.talk(
        `${show(instant, schedule.timezone)} is no instant of ${schedule.cron}; it is run all the same
`
      ), record?.status !== "completed") return yield* carryOut(scheduled, instant, places, options, terminal, print);
      let errand = { ...places, checked, allowCode: options["allow-code"], quiet: options.quiet };
      if (options.on === "cluster") {
        let { perform: perform2 } = yield* promise(() => import("./chunk-4PAXQE5U.js"));
        return yield* perform2({ ...errand, scheduledFor: new Date(instant), detach: !1 }, terminal, print);
      }
      yield* perform({ ...errand, scheduledFor: new Date(instant) }, terminal, print);
    }).pipe(scoped, provide(ledgerLayer(settings, dataDir)));
  })
);

// src/Cli/Schedule/Print.ts
import { userInfo } from "node:os";

// src/Cli/Schedule/CronFields.ts
var set = (bits, first) => bits.flatMap((bit, index) => bit === 0 ? [] : [index + first]), everyWeek = 63, lastWeek = 32, nthsOf = (bits) => bits.slice(0, 7).flatMap((mask, weekday) => mask === 0 || mask === everyWeek ? [] : [
  ...[1, 2, 3, 4, 5].filter((nth) => (mask & 1 << nth - 1) !== 0).map((nth) => ({ weekday, nth })),
  ...(mask & lastWeek) === 0 ? [] : [{ weekday, nth: "last" }]
]), fieldsOf = (cron) => {
  let pattern = new C(cron, void 0, { mode: "5-or-6-parts", sloppyRanges: !0 }), { day: day2, dayOfWeek, hour, lastDayOfMonth, lastWeekday, minute, month, nearestWeekdays, second } = pattern, plain = dayOfWeek.slice(0, 7).flatMap((mask, weekday) => mask === everyWeek ? [weekday] : []);
  return {
    seconds: set(second, 0),
    minutes: set(minute, 0),
    hours: set(hour, 0),
    months: set(month, 1),
    days: pattern.starDOM ? void 0 : set(day2, 1),
    lastDay: lastDayOfMonth,
    weekdays: pattern.starDOW ? void 0 : plain,
    nths: pattern.starDOW ? [] : nthsOf(dayOfWeek),
    both: pattern.useAndLogic,
    nearest: lastWeekday || nearestWeekdays.some((bit) => bit !== 0)
  };
}, beyondCrontab = (fields) => fields.seconds.join() !== "0" ? "it begins at seconds other than 0" : fields.lastDay ? "L, the last day of a month, is not known there" : fields.nearest ? "W, the nearest weekday, is not known there" : fields.nths.length > 0 ? "a weekday such as 5#2 or 5L, by its place in the month, is not known there" : fields.both && fields.days !== void 0 && fields.weekdays !== void 0 ? "+, a day that must have the right weekday too, is not known there" : void 0, ranges = (values) => {
  let found = [];
  for (let value2 of values) {
    let last = found[found.length - 1];
    last !== void 0 && last[1] + 1 === value2 ? last[1] = value2 : found.push([value2, value2]);
  }
  return found;
}, stepOf = (values, first, last) => {
  let step = (values[1] ?? first) - (values[0] ?? first), even = values.every((value2, index) => value2 === first + index * step);
  return values.length > 2 && step > 1 && even && (values[values.length - 1] ?? 0) + step > last ? step : void 0;
}, cronField = (values, first, last) => {
  if (values === void 0 || values.length === last - first + 1) return "*";
  let step = stepOf(values, first, last);
  return step !== void 0 ? `*/${step}` : ranges(values).map(([from, to]) => from === to ? String(from) : `${from}-${to}`).join(",");
}, dayField = (values, first, last) => values === void 0 ? "*" : values.length === last - first + 1 ? `${first}-${last}` : cronField(values, first, last).replace("*", `${first}-${last}`), fiveFields = ({ days, hours: hours3, minutes: minutes2, months, weekdays }) => [
  cronField(minutes2, 0, 59),
  cronField(hours3, 0, 23),
  dayField(days, 1, 31),
  cronField(months, 1, 12),
  dayField(weekdays, 0, 6)
].join(" "), day = 1440, offsetAt = (instant, zone) => match(makeZoned(instant, { timeZone: zone }), {
  onNone: () => 0,
  onSome: (zoned) => zonedOffset(zoned) / 6e4
}), offsetsOf = (zone, now) => {
  let year = new Date(now).getUTCFullYear(), offsets = Array.from({ length: 12 }, (_, month) => offsetAt(Date.UTC(year, month, 15), zone));
  return { standard: Math.min(...offsets), summer: Math.max(...offsets) };
}, groupsOf = ({ hours: hours3, minutes: minutes2 }, offset, everyDay) => {
  let byHour = /* @__PURE__ */ new Map();
  for (let hour of hours3)
    for (let minute of minutes2) {
      let at = hour * 60 + minute - offset, days = Math.floor(at / day), ofDay = at - days * day, shift = everyDay ? 0 : days, key = `${shift} ${Math.floor(ofDay / 60)}`, found = byHour.get(key) ?? { shift, hour: Math.floor(ofDay / 60), minutes: [] };
      found.minutes.push(ofDay % 60), byHour.set(key, found);
    }
  let groups = /* @__PURE__ */ new Map();
  for (let { hour, minutes: minutes3, shift } of byHour.values()) {
    let sorted = minutes3.sort((a, b) => a - b), key = `${shift} ${sorted.join()}`, group = groups.get(key) ?? { shift, minutes: sorted, hours: [] };
    group.hours.push(hour), groups.set(key, group);
  }
  return [...groups.values()];
}, ascending = (values) => [...new Set(values)].sort((a, b) => a - b), inUtc = (fields, offset) => {
  let everyDay = fields.days === void 0 && fields.weekdays === void 0 && fields.months.length === 12, groups = groupsOf(fields, offset, everyDay);
  return groups.some(({ shift }) => shift !== 0) && (fields.days !== void 0 || fields.months.length < 12) ? "it is on certain days of a month, and some of its instants are on another day in UTC: give it `timezone: UTC`" : groups.map(
    ({ hours: hours3, minutes: minutes2, shift }) => fiveFields({
      ...fields,
      minutes: minutes2,
      hours: ascending(hours3),
      weekdays: fields.weekdays && ascending(fields.weekdays.map((weekday) => (weekday + shift + 7) % 7))
    })
  );
};

// src/Cli/Schedule/Paper.ts
var oneLine = (text2) => text2.replace(/\s+/g, " ").trim(), comment = (lines) => lines.map((line2) => line2 === "" ? "#" : `# ${oneLine(line2)}`), quote = (word2) => /^[\w@%+=:,./-]+$/.test(word2) ? word2 : `'${word2.replaceAll("'", "'\\''")}'`, under = (folder, path2) => path2.startsWith(`${folder}/`) ? path2.slice(folder.length + 1) : path2, flagsOf = ({ flags, onCluster }) => [
  ...onCluster ? ["--on", "cluster"] : [],
  ...flags,
  "--quiet"
], inputsOf = ({ inputs = [] }) => inputs.flatMap(([name2, value2]) => ["--input", `${name2}=${value2}`]), database = "SLUICE_DATABASE_URL", words = (job, around) => [
  "schedule",
  "run",
  job.file,
  ...inputsOf(job),
  "--data",
  around.data,
  "--out",
  around.out,
  ...flagsOf(around)
];

// src/Cli/Schedule/Crontab.ts
var escape = (command2) => command2.replaceAll("%", "\\%"), commandOf = (job, around) => {
  let call = [around.node, around.bin, ...words(job, around)].map(quote).join(" "), { jitter, overlap } = job.schedule, lock = quote(`${around.data}/${job.name}.cron.lock`), seconds = jitter === void 0 ? 0 : Math.floor(toSeconds(jitter));
  return escape(
    [
      `cd ${quote(around.folder)}`,
      `mkdir -p ${quote(around.data)}`,
      // A shell that is only a POSIX one has no random numbers of its own.
      ...seconds > 0 ? [`sleep "$(awk 'BEGIN { srand(); print int(rand() * ${seconds + 1}) }')"`] : [],
      overlap === "skip" ? `flock -n ${lock} ${call}` : overlap === "queue" ? `flock ${lock} ${call}` : call
    ].join(" && ")
  );
}, notesOf = ({ schedule: { catchUp, overlap } }) => [
  ...overlap === "replace" ? ["overlap: replace cannot be said in a crontab: two runs may go on at the same time"] : [],
  ...catchUp === "none" ? [] : [`catchUp: ${catchUp} cannot be said in a crontab: instants that pass while the machine is off are let go`]
], crontab = (jobs, around) => {
  let judged = jobs.map((job) => ({ job, fields: fieldsOf(job.schedule.cron) })), reasonOf2 = ({ fields }) => beyondCrontab(fields), refused = judged.flatMap((each) => {
    let reason = reasonOf2(each);
    return reason === void 0 ? [] : [{ name: each.job.name, reason }];
  }), fine = judged.filter((each) => reasonOf2(each) === void 0), zones = [...new Set(fine.map(({ job }) => job.schedule.timezone))], head = comment([
    "For `crontab -`. CRON_TZ is known to cronie (Fedora, RHEL, Arch, Alpine's cronie); Debian's cron goes by the zone",
    "of the machine and ignores it: there, take --print systemd, or run the daemon. Secrets are not in here: give them",
    "to cron by the environment that it starts commands with.",
    ...around.onCluster ? [`${database} has to be among them; --out is on storage that all workers share under this path.`] : []
  ]), lines = zones.flatMap((zone) => [
    "",
    `CRON_TZ=${zone}`,
    ...fine.filter(({ job }) => job.schedule.timezone === zone).flatMap(({ fields, job }) => [
      `# ${job.name}${job.description === void 0 ? "" : `: ${oneLine(job.description)}`}`,
      ...comment(notesOf(job)),
      `${fiveFields(fields)} ${commandOf(job, around)}`
    ])
  ]), left = refused.flatMap(({ name: name2, reason }) => ["", `# ${name2} is not in here: ${reason}.`]);
  return { papers: [{ file: "crontab", text: `${[...head, ...lines, ...left].join(`
`)}
` }], refused };
};

// src/Cli/Schedule/Github.ts
var import_yaml = __toESM(require_dist(), 1);
var hours2 = (minutes2) => {
  let size = Math.abs(minutes2), rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${minutes2 < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`;
}, notesOf2 = ({ name: name2, schedule }, zone, differs) => [
  ...differs ? [
    `${name2}: ${schedule.timezone} has daylight saving and GitHub knows UTC alone. The times are those of ${hours2(zone.standard)}; while`,
    `clocks show ${hours2(zone.summer)} it begins ${format(minutes(zone.summer - zone.standard))} later by them.`
  ] : [],
  ...schedule.overlap === "skip" ? [`${name2}: overlap: skip cannot be said here: one instant waits until the earlier run has ended.`] : [],
  ...schedule.catchUp === "none" ? [] : [`${name2}: catchUp: ${schedule.catchUp} cannot be said here: what GitHub leaves out is let go.`]
], tooOften = (minutes2) => minutes2.some((minute, index) => {
  let next = minutes2[index + 1];
  return next !== void 0 && next - minute < 5;
}), timed = (job, { now, onCluster }) => {
  if (onCluster) return "GitHub's machines share no folder with the workers";
  let fields = fieldsOf(job.schedule.cron), beyond = beyondCrontab(fields);
  if (beyond !== void 0) return beyond;
  if (tooOften(fields.minutes)) return "GitHub begins nothing more often than every 5 minutes";
  let zone = offsetsOf(job.schedule.timezone, now), crons = inUtc(fields, zone.standard);
  if (typeof crons == "string") return crons;
  let differs = JSON.stringify(inUtc(fields, zone.summer)) !== JSON.stringify(crons);
  return { job, crons, notes: notesOf2(job, zone, differs) };
}, contextOf = (name2, context2) => [name2, `\${{ ${context2}.${name2} }}`], jobOf = ({ crons, job }, around) => {
  let { name: name2, schedule } = job, seconds = schedule.jitter === void 0 ? 0 : Math.floor(toSeconds(schedule.jitter)), env = [
    ...job.secrets.map((secret) => contextOf(secret, "secrets")),
    ...job.variables.filter((each) => !job.secrets.includes(each)).map((each) => contextOf(each, "vars"))
  ], key = `sluice-${name2}-\${{ github.run_id }}-\${{ github.run_attempt }}`;
  return {
    if: `github.event_name != 'schedule' || contains(fromJSON('${JSON.stringify(crons)}'), github.event.schedule)`,
    "runs-on": "ubuntu-latest",
    ...schedule.overlap === "allow" ? {} : { concurrency: { group: `sluice-${name2}`, "cancel-in-progress": schedule.overlap === "replace" } },
    steps: [
      { uses: "actions/checkout@v4" },
      { uses: "actions/setup-node@v4", with: { "node-version": 22, cache: "npm" } },
      { run: "npm ci" },
      {
        name: "What earlier runs have kept",
        uses: "actions/cache/restore@v4",
        with: { path: ".sluice", key, "restore-keys": `sluice-${name2}-` }
      },
      ...seconds > 0 ? [{ name: "Jitter", if: "github.event_name == 'schedule'", run: `sleep $((RANDOM % ${seconds + 1}))` }] : [],
      {
        run: `npx sluice schedule run ${[under(around.folder, job.file), ...inputsOf(job), "--out", "out", ...flagsOf(around)].map(quote).join(" ")} \${{ github.event_name != 'schedule' && '--again' || '' }}`,
        ...env.length === 0 ? {} : { env: Object.fromEntries(env) }
      },
      { if: "always()", uses: "actions/cache/save@v4", with: { path: ".sluice", key } },
      {
        if: "always()",
        uses: "actions/upload-artifact@v4",
        with: { name: name2, path: "out", "if-no-files-found": "ignore" }
      }
    ]
  };
}, github = (jobs, around) => {
  let judged = jobs.map((job) => ({ job, timed: timed(job, around) })), fine = judged.flatMap(({ timed: timed2 }) => typeof timed2 == "string" ? [] : [timed2]), refused = judged.flatMap(
    ({ job, timed: timed2 }) => typeof timed2 == "string" ? [{ name: job.name, reason: timed2 }] : []
  ), head = comment([
    "For .github/workflows/sluice.yaml. All times are UTC. GitHub may begin a job minutes late and leaves instants out",
    "when it is busy; a run knows by itself for which instant it is. Private settings go into the secrets of the repository.",
    ...fine.flatMap(({ notes }) => notes),
    ...refused.map(({ name: name2, reason }) => `${name2} is not in here: ${reason}.`)
  ]);
  if (fine.length === 0) return { papers: [], refused };
  let workflow = {
    name: "sluice",
    on: {
      schedule: [...new Set(fine.flatMap(({ crons }) => crons))].map((cron) => ({ cron })),
      workflow_dispatch: {}
    },
    permissions: { contents: "read" },
    jobs: Object.fromEntries(fine.map((each) => [each.job.name, jobOf(each, around)]))
  };
  return { papers: [{ file: "sluice.yaml", text: `${head.join(`
`)}
${(0, import_yaml.stringify)(workflow, { lineWidth: 0 })}` }], refused };
};

// src/Cli/Schedule/Kubernetes.ts
var import_yaml2 = __toESM(require_dist(), 1);
var nameOf = (name2) => `sluice-${name2.toLowerCase().replaceAll("_", "-")}`.slice(0, 52).replace(/-+$/, ""), policies = { skip: "Forbid", queue: "Forbid", replace: "Replace", allow: "Allow" }, inTime = 60, deadlineOf = ({ schedule: { catchUp, catchUpWindow } }) => catchUp === "none" ? inTime : catchUpWindow === void 0 ? void 0 : Math.max(10, Math.round(toSeconds(catchUpWindow))), notesOf3 = ({ name: name2, schedule: { catchUp, jitter, overlap } }) => [
  ...jitter === void 0 ? [] : [`${name2}: jitter cannot be said here: it begins with the minute.`],
  ...overlap === "queue" ? [
    `${name2}: overlap: queue cannot be said here: an instant that comes while an earlier run goes on is passed over.`
  ] : [],
  ...catchUp === "all" ? [`${name2}: catchUp: all cannot be said here: of the instants missed, the last is made up for.`] : []
], namesOf = (jobs) => {
  let names2 = jobs.map(({ name: name2 }) => nameOf(name2));
  return jobs.map(({ name: name2 }, index) => {
    let made = names2[index] ?? "";
    return names2.indexOf(made) === index ? made : `${made.slice(0, 45)}-${sha256(name2).slice(0, 6)}`;
  });
}, placesOf = (onCluster) => onCluster ? {
  claim: "sluice-shared",
  mount: "/shared",
  folder: "/shared",
  data: "/tmp/.sluice",
  out: "/shared",
  env: [{ name: database, valueFrom: { secretKeyRef: { name: "sluice", key: "database-url" } } }]
} : { claim: "sluice-data", mount: "/data", folder: "/app", data: "/data/.sluice", out: "/data/out", env: [] }, podSecurity = {
  runAsNonRoot: !0,
  runAsUser: 1e3,
  runAsGroup: 1e3,
  fsGroup: 1e3,
  fsGroupChangePolicy: "OnRootMismatch",
  seccompProfile: { type: "RuntimeDefault" }
}, containerSecurity = {
  allowPrivilegeEscalation: !1,
  readOnlyRootFilesystem: !0,
  capabilities: { drop: ["ALL"] }
}, home = { name: "HOME", value: "/tmp" }, cronJobOf = (job, name2, around) => {
  let { schedule } = job, deadline = deadlineOf(job), { claim, data, env, folder, mount, out } = placesOf(around.onCluster);
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    // A label could not hold every name.
    metadata: {
      name: name2,
      labels: { "app.kubernetes.io/name": "sluice" },
      annotations: { "sluice/pipeline": job.name }
    },
    spec: {
      schedule: fiveFields(fieldsOf(schedule.cron)),
      timeZone: schedule.timezone,
      concurrencyPolicy: policies[schedule.overlap],
      ...deadline === void 0 ? {} : { startingDeadlineSeconds: deadline },
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: "Never",
              automountServiceAccountToken: !1,
              securityContext: podSecurity,
              terminationGracePeriodSeconds: 30,
              containers: [
                {
                  name: "sluice",
                  image: around.image,
                  workingDir: folder,
                  command: ["npx", "--no-install", "sluice"],
                  args: [
                    "schedule",
                    "run",
                    under(around.folder, job.file),
                    // A $( would be the name of a variable.
                    ...inputsOf(job).map((word2) => word2.replaceAll("$(", "$$$$(")),
                    "--data",
                    data,
                    "--out",
                    out,
                    ...flagsOf(around)
                  ],
                  env: [...env, home],
                  envFrom: [{ secretRef: { name: "sluice", optional: !0 } }],
                  securityContext: containerSecurity,
                  resources: { requests: { cpu: "250m", memory: "512Mi" }, limits: { memory: "4Gi" } },
                  volumeMounts: [
                    { name: "data", mountPath: mount },
                    { name: "scratch", mountPath: "/tmp" }
                  ]
                }
              ],
              volumes: [
                { name: "data", persistentVolumeClaim: { claimName: claim } },
                { name: "scratch", emptyDir: { sizeLimit: "2Gi" } }
              ]
            }
          }
        }
      }
    }
  };
}, volume = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "sluice-data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } }
}, k8s = (jobs, around) => {
  let judged = jobs.map((job) => ({ job, reason: beyondCrontab(fieldsOf(job.schedule.cron)) })), fine = judged.flatMap(({ job, reason }) => reason === void 0 ? [job] : []), refused = judged.flatMap(({ job, reason }) => reason === void 0 ? [] : [{ name: job.name, reason }]), variables = [...new Set(fine.flatMap(({ secrets, variables: variables2 }) => [...secrets, ...variables2]))], head = comment([
    ...around.onCluster ? [
      `For kubectl apply -f -, Kubernetes 1.27 or newer, beside workers. The image ${around.image} has sluice; this folder is /shared on`,
      'the volume sluice-shared of the workers, and the secret "sluice" has the address of the database as database-url.'
    ] : [
      `For kubectl apply -f -, Kubernetes 1.27 or newer. The image ${around.image} has sluice and this folder in /app.`
    ],
    ...variables.length === 0 ? [] : [`The secret "sluice" has to hold ${variables.join(", ")}.`],
    ...fine.flatMap(notesOf3),
    ...refused.map(({ name: name2, reason }) => `${name2} is not in here: ${reason}.`)
  ]);
  if (fine.length === 0) return { papers: [], refused };
  let names2 = namesOf(fine), jobsOf = fine.map((job, index) => cronJobOf(job, names2[index] ?? "", around)), text2 = (around.onCluster ? jobsOf : [volume, ...jobsOf]).map((document) => (0, import_yaml2.stringify)(document, { lineWidth: 0 })).join(`---
`);
  return { papers: [{ file: "sluice.yaml", text: `${head.join(`
`)}
${text2}` }], refused };
};

// src/Cli/Schedule/Systemd.ts
var names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"], two = (value2) => String(value2).padStart(2, "0"), field = (values, first, last) => {
  if (values.length === last - first + 1) return "*";
  let step = stepOf(values, first, last);
  return step !== void 0 ? `${two(first)}/${step}` : ranges(values).map(([from, to]) => from === to ? two(from) : `${two(from)}..${two(to)}`).join(",");
}, weekdayNames = (weekdays) => {
  let fromMonday = weekdays.map((day2) => (day2 + 6) % 7).sort((a, b) => a - b), name2 = (day2) => names[(day2 + 1) % 7];
  return ranges(fromMonday).map(([from, to]) => from === to ? name2(from) : `${name2(from)}..${name2(to)}`).join(",");
}, daysOf = ({ both, days, lastDay, nths, weekdays }) => {
  let numbered = days === void 0 ? void 0 : days.length > 0 ? `-${field(days, 1, 31)}` : void 0, months = [...numbered === void 0 ? [] : [numbered], ...lastDay ? ["~01"] : []], plain = weekdays === void 0 || weekdays.length === 0 ? [] : [weekdayNames(weekdays)], placed = nths.map(({ nth, weekday }) => [
    names[weekday] ?? "",
    nth === "last" ? "~07/1" : `-${two(nth * 7 - 6)}..${two(Math.min(31, nth * 7))}`
  ]), anyMonthDay = days === void 0 && !lastDay, anyWeekday = weekdays === void 0;
  return anyMonthDay && anyWeekday ? [["", "-*"]] : anyWeekday ? months.map((day2) => ["", day2]) : anyMonthDay ? [...plain.map((week) => [week, "-*"]), ...placed] : both ? plain.flatMap((week) => months.map((day2) => [week, day2])) : [...months.map((day2) => ["", day2]), ...plain.map((week) => [week, "-*"]), ...placed];
}, calendarsOf = (cron, timezone) => {
  let fields = fieldsOf(cron);
  if (fields.nearest) return "W, the nearest weekday, is not known there";
  if (fields.both && fields.nths.length > 0 && (fields.days !== void 0 || fields.lastDay))
    return "a day that must be such a weekday of its month too is not known there";
  let month = field(fields.months, 1, 12), time = [field(fields.hours, 0, 23), field(fields.minutes, 0, 59), field(fields.seconds, 0, 59)].join(":");
  return daysOf(fields).map(([week, day2]) => [week, `*-${month}${day2}`, time, timezone].filter(Boolean).join(" "));
}, word = (text2) => {
  let plain = text2.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}, sandbox = [
  "UMask=0077",
  "NoNewPrivileges=true",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "PrivateUsers=true",
  "PrivateTmp=true",
  "PrivateDevices=true",
  "PrivateIPC=true",
  "PrivateMounts=true",
  "ProtectSystem=strict",
  "ProtectHome=read-only",
  "ProtectProc=invisible",
  "ProtectClock=true",
  "ProtectHostname=true",
  "ProtectKernelLogs=true",
  "ProtectKernelModules=true",
  "ProtectKernelTunables=true",
  "ProtectControlGroups=true",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
  "RestrictNamespaces=user pid net",
  "RestrictRealtime=true",
  "RestrictSUIDSGID=true",
  "RemoveIPC=true",
  "LockPersonality=true",
  "KeyringMode=private",
  "DevicePolicy=closed",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged @resources",
  "SystemCallFilter=capset chroot",
  "SystemCallErrorNumber=EPERM"
], path = (text2) => {
  let plain = text2.replaceAll("%", "%%");
  return /\s|"/.test(plain) ? `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : plain;
}, service = (job, around) => {
  let { overlap } = job.schedule, notes = [
    "Secrets go into /etc/sluice/environment (mode 600), a NAME=VALUE on each line.",
    "It writes to the folders of ReadWritePaths and to a /tmp of its own, and to nothing else: add those that the pipeline writes to.",
    ...around.user === void 0 || around.user === "root" ? ["Give it a user of its own, by User=, who owns these folders: it would run as root."] : [],
    ...around.onCluster ? [`${database} has to be among them; --out is on storage that all workers share under this path.`] : [],
    ...overlap === "skip" ? [] : [`overlap: ${overlap} cannot be said here: an instant that comes while an earlier run goes on is passed over.`]
  ];
  return [
    ...comment(notes),
    "[Unit]",
    `Description=${oneLine(job.description ?? `The pipeline ${job.name}`).replaceAll("%", "%%")}`,
    "Wants=network-online.target",
    "After=network-online.target",
    "",
    "[Service]",
    "Type=oneshot",
    ...around.user === void 0 || around.user === "root" ? [] : [`User=${around.user.replaceAll("%", "%%")}`],
    `WorkingDirectory=${around.folder.replaceAll("%", "%%")}`,
    // The C library gives freed memory back to the system.
    "Environment=MALLOC_TRIM_THRESHOLD_=131072",
    // Without it there is no database.
    `EnvironmentFile=${around.onCluster ? "" : "-"}/etc/sluice/environment`,
    `ExecStart=${[around.node, around.bin, ...words(job, around)].map(word).join(" ")}`,
    ...around.onCluster ? ["# The run goes on at the workers when it is stopped."] : ["# What is done is kept when it is stopped."],
    "SuccessExitStatus=143",
    "TimeoutStopSec=30",
    ...sandbox,
    `ReadWritePaths=${[.../* @__PURE__ */ new Set([around.folder, around.data, around.out])].map((each) => `-${each}`).map(path).join(" ")}`,
    ""
  ].join(`
`);
}, timer = (job, calendars) => {
  let { catchUp, catchUpWindow, jitter } = job.schedule, notes = [
    ...catchUp === "all" ? ["catchUp: all cannot be said here: of the instants missed, the last is made up for."] : [],
    ...catchUpWindow === void 0 ? [] : ["catchUpWindow cannot be said here: the last instant is made up for, however long ago it was."]
  ];
  return [
    ...comment(notes),
    "[Unit]",
    `Description=When the pipeline ${job.name} runs`,
    "",
    "[Timer]",
    ...calendars.map((calendar) => `OnCalendar=${calendar}`),
    "AccuracySec=1s",
    ...jitter === void 0 ? [] : [`RandomizedDelaySec=${Math.round(toMillis(jitter))}ms`],
    `Persistent=${catchUp !== "none"}`,
    "",
    "[Install]",
    "WantedBy=timers.target",
    ""
  ].join(`
`);
}, systemd = (jobs, around) => {
  let judged = jobs.map((job) => ({ job, calendars: calendarsOf(job.schedule.cron, job.schedule.timezone) }));
  return {
    papers: judged.flatMap(
      ({ calendars, job }) => typeof calendars == "string" ? [] : [
        { file: `sluice-${job.name}.service`, text: service(job, around) },
        { file: `sluice-${job.name}.timer`, text: timer(job, calendars) }
      ]
    ),
    refused: judged.flatMap(
      ({ calendars, job }) => typeof calendars == "string" ? [{ name: job.name, reason: calendars }] : []
    )
  };
};

// src/Cli/Schedule/Print.ts
var printers = { cron: crontab, systemd, github, k8s }, namesOf2 = (text2, scope2) => {
  let found = [...text2.matchAll(/\$\{\{(.*?)\}\}/g)].map(([, inner = ""]) => inner).flatMap(
    (inner) => [...inner.matchAll(new RegExp(`\\b${scope2}\\.(\\w+)`, "g"))].map(([, name2 = ""]) => name2)
  );
  return [...new Set(found)].sort();
}, jobOf2 = ({ checked, file, name: name2, schedule }, inputs) => ({
  name: name2,
  description: checked.frame.description,
  file,
  schedule,
  inputs: Object.entries(declaredOf(checked.source, inputs)),
  secrets: namesOf2(checked.source.text, "secrets"),
  variables: namesOf2(checked.source.text, "env")
}), together = (papers) => papers.length === 1 ? papers[0]?.text ?? "" : papers.map(({ file, text: text2 }) => `# ---- ${file} ----
${text2}`).join(`
`), write = (folder, papers, terminal) => gen(function* () {
  let files = yield* FileSystem, paths = yield* Path;
  yield* makeFolder(paths.resolve(folder), "Name another folder with --into.");
  for (let { file, text: text2 } of papers) {
    let path2 = paths.join(folder, file);
    yield* mapError(
      files.writeFileString(path2, text2),
      (cause) => new FileUnusable({ path: path2, reason: fileErrorReason(cause), cause })
    ), terminal.out.write(`${place(path2)}
`);
  }
}), program5 = (target, options, terminal) => gen(function* () {
  let paths = yield* Path, named = options.action ?? options.folder ?? defaultFolder, settings = yield* readSettings(terminal.env, options.profile), { broken, scheduled } = yield* find(named, {
    env: terminal.env,
    code: options["allow-code"],
    strange: !0,
    inputs: options.input
  });
  yield* ensureDeclared(options.input, { broken, scheduled });
  for (let { message } of broken) terminal.err.write(`${brokenText(message, terminal.err)}
`);
  if (scheduled.length === 0)
    return yield* new ScheduleRefused({ reason: `no definition in ${named} has a schedule that could be printed` });
  let { papers, refused } = printers[target](
    scheduled.map((each) => jobOf2(each, options.input)),
    {
      node: process.execPath,
      bin: paths.resolve(process.argv[1] ?? "sluice"),
      folder: paths.resolve("."),
      data: paths.resolve(options.data ?? settings.dataDir),
      out: paths.resolve(options.out ?? "."),
      flags: [
        ...options.profile === void 0 ? [] : ["--profile", options.profile],
        ...options["allow-code"] ? ["--allow-code"] : [],
        ...trustArguments(options)
      ],
      onCluster: options.on === "cluster",
      user: getOrUndefined(liftThrowable(() => userInfo().username)()),
      image: options.image,
      now: yield* currentTimeMillis
    }
  );
  options.into === void 0 ? terminal.out.write(together(papers)) : yield* write(options.into, papers, terminal);
  let dye = paint(terminal.err);
  for (let { name: name2, reason } of refused) terminal.err.write(`${dye.yellow("left out:")} ${name2}: ${reason}
`);
  if (refused.length + broken.length > 0)
    return yield* new SchedulesLeftOut({
      names: [...refused.map(({ name: name2 }) => name2), ...broken.map(({ file }) => place(file))]
    });
});

// src/Cli/Schedule.ts
var command = make({
  details: "A pipeline says `schedule: { cron: \u2026, timezone: \u2026 }`. Every instant is a line of its history with its outcome, and none is run twice. Ctrl-C lets runs end within --grace; what is left then is kept, and goes on with the next start. A second Ctrl-C stops at once.",
  parameters,
  examples: [
    { line: "sluice schedule", what: "runs what is in pipelines/ on time, and reads its changes" },
    { line: "sluice schedule list", what: "the next instants, and how the last ones went" },
    { line: "sluice schedule history docs-watch", what: "every instant, with its reason and its run" },
    { line: "sluice schedule --on cluster --out /shared", what: "on two machines: one may be lost, and all goes on" },
    { line: "sluice schedule run docs-watch --at 2026-03-29T06:15", what: "as if it were that instant" },
    { line: "sluice schedule pause docs-watch --until 12h", what: "lets its instants go by for half a day" },
    { line: "sluice schedule --print systemd --into /etc/systemd/system", what: "a timer for each pipeline instead" }
  ],
  run: (options, terminal) => run(options, terminal)
}), stray = ({ action, again, at, into, name: name2, print, until }) => {
  let isAction = actions.some((each) => each === action);
  return print !== void 0 && (isAction || name2 !== void 0) ? `--print takes a folder, and no ${isAction ? action : name2}: sluice schedule FOLDER --print ${print}` : print === void 0 && into !== void 0 ? "--into is for what is printed: say --print TARGET, too" : at !== void 0 && action !== "run" ? "--at is for one instant: sluice schedule run NAME --at INSTANT" : again && action !== "run" ? "--again is for one instant: sluice schedule run NAME --again" : until === void 0 || action === "pause" ? void 0 : "--until is for a pause: sluice schedule pause NAME --until INSTANT";
}, run = (options, terminal) => {
  let reason = stray(options);
  if (reason !== void 0) return new ScheduleRefused({ reason });
  if (options.print !== void 0) return program5(options.print, options, terminal);
  switch (options.action) {
    case "list":
      return program(options, terminal);
    case "history":
      return program2(options, terminal);
    case "run":
      return program4(options, terminal);
    case "pause":
      return pauseSchedule(options, terminal);
    case "resume":
      return resumeSchedule(options, terminal);
    default:
      return program3(options, terminal);
  }
};
export {
  command
};
