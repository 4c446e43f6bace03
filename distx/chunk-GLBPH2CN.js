import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  addedResources,
  isStateless,
  isTrial,
  makeRunSpec,
  resourcesOf,
  trialFolder
} from "./chunk-A5EW3TIO.js";
import {
  answer,
  require as require2
} from "./chunk-MWBF4OAJ.js";
import {
  before,
  secretsIn,
  stateKey
} from "./chunk-3BWTLUFE.js";
import {
  RunFailed,
  isPublished,
  summarize
} from "./chunk-NHAMPOKL.js";
import {
  decode,
  namedSteps
} from "./chunk-LO3OT3SC.js";
import {
  Attempts,
  BudgetReached,
  DefinitionInvalid,
  NetworkError,
  Permissions,
  RejectsUnwritable,
  RetryPolicy,
  RetryScope,
  StepError,
  Stopped,
  Tariff,
  TooManyRejects,
  backoff,
  backoffDelays,
  countedBatches,
  counter,
  decodeEntries,
  decodeState,
  defaultFailOn,
  describe,
  forDefinition,
  gauge,
  here,
  histogram,
  includesStatus,
  incompleteWarning,
  isPassing,
  isSafe,
  isUnreachable,
  limited,
  makeRetryState,
  mapping,
  mostCredits,
  note,
  open,
  outage,
  paused,
  protectedIn,
  publish,
  reasonOf,
  restored,
  scheduledFor,
  shared,
  standard,
  standard2,
  standard3,
  sureCredits,
  takeOver,
  within
} from "./chunk-PGOM52WJ.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import {
  FileSystem,
  JsonValue,
  Path,
  SavedRow,
  _await as _await2,
  driver,
  failCause,
  fromIterable,
  get as get2,
  interruptWhen,
  keyOf,
  make as make4,
  makeFolder,
  mapEffect,
  offerAll,
  onEnd,
  provideSomeContext,
  runDrain,
  sha256,
  succeed,
  take,
  takeUntil,
  toJson,
  unbounded3 as unbounded,
  unsafeDone,
  unsafeMake,
  unsafeMake2,
  urlVariants,
  withData
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Array$,
  Boolean$,
  Number$,
  String$,
  Struct,
  optional
} from "./chunk-PAQDWWDE.js";
import {
  Tag,
  _await,
  _void,
  acquireRelease,
  acquireUseRelease2 as acquireUseRelease,
  annotateLogs,
  as2 as as,
  asSome,
  asVoid3 as asVoid,
  cached,
  catchAll3 as catchAll,
  catchAllCause3 as catchAllCause,
  catchIf,
  clockWith2 as clockWith,
  close,
  currentTimeMillis,
  delay2 as delay,
  dieMessage,
  empty,
  ensuring2 as ensuring,
  extend,
  fail5 as fail,
  failureOption,
  flatMap5 as flatMap,
  flatten2 as flatten,
  forEach2 as forEach,
  forever3 as forever,
  fork2 as fork,
  forkIn2 as forkIn,
  forkScoped,
  format,
  gen,
  get4 as get,
  ignoreLogged,
  interrupt3 as interrupt,
  interruptible2 as interruptible,
  isInterrupted,
  isInterruptedOnly,
  join,
  logWarning,
  make,
  make5 as make2,
  make8 as make3,
  makeLatch,
  makeSemaphore,
  map9 as map,
  mapError2 as mapError,
  match as match2,
  match2 as match3,
  matchEffect,
  merge,
  min,
  never,
  nextIntBetween,
  none as none2,
  onError,
  onExit,
  onInterrupt2 as onInterrupt,
  orElseSucceed,
  provide2 as provide,
  provideService,
  provideServiceEffect,
  raceFirst,
  scope,
  scoped2 as scoped,
  set3 as set,
  sleep2 as sleep,
  squash,
  succeed4 as succeed2,
  suspend2 as suspend,
  sync3 as sync,
  tap2 as tap,
  tapDefect,
  tapError,
  tapErrorCause,
  timeout,
  toMillis,
  uninterruptible2 as uninterruptible,
  uninterruptibleMask2 as uninterruptibleMask,
  update,
  void_2 as void_,
  withSpan,
  zipLeft2 as zipLeft,
  zipRight3 as zipRight,
  zipWith
} from "./chunk-JGKSI326.js";
import {
  isRight
} from "./chunk-FWQRLSGQ.js";
import {
  globalValue,
  match,
  none2 as none,
  pipe
} from "./chunk-ANBJACJV.js";

// src/Run/Rejects.ts
var ended = (fields, last) => last?.cause instanceof NetworkError ? new StepError({ ...fields, reason: last.reason, scope: "run" }) : new TooManyRejects(fields), tooManyRejects = (told) => ended(
  {
    message: `rejected ${told.rejects} ${told.rejects === 1 ? "row" : "rows"}, and stopAfter: ${told.allowed} ends the run there${told.last === void 0 ? "" : `; the last: ${told.last.message}`} (${told.rejects === 1 ? "it is" : "all of them are"} in ${told.file}). Fix what rejects them, or raise stopAfter, and run the pipeline again`,
    cause: told.last,
    step: told.step,
    definedAt: told.definedAt
  },
  told.last
), allRejected = (rejects2, { last, path }) => {
  let rows2 = rejects2 === 1 ? "the only row was" : `all ${rejects2} rows were`, reject = last(), why = reject === void 0 ? "" : `; the last, by ${reject.step}: ${reject.error.message}`;
  return ended(
    {
      message: `${rows2} rejected, so no output was replaced${why} (${rejects2 === 1 ? "it is" : "all of them are"} in ${path})`
    },
    reject?.error
  );
}, requestOf = ({ cause }) => typeof cause == "object" && cause !== null && "requestId" in cause && typeof cause.requestId == "string" ? cause.requestId : void 0, pathIn = (folder) => map(Path, (paths) => paths.join(folder, "rejects.jsonl")), make5 = (folder, length, { mayBeHeld = !1 } = {}) => gen(function* () {
  let files = yield* FileSystem, path = yield* pathIn(folder), unwritable = (cause) => new RejectsUnwritable({
    message: `rejected rows cannot be recorded in ${path}: ${fileErrorReason(cause)}`,
    cause
  }), scope2 = yield* scope, pending = [], unwritten = [], last, size = length, open3 = yield* cached(
    gen(function* () {
      yield* makeFolder(files, folder), mayBeHeld && (yield* files.exists(path)) && (yield* takeOver(files, path, length));
      let handle = yield* files.open(path, { flag: (yield* files.exists(path)) ? "r+" : "w" });
      return yield* handle.truncate(length), yield* handle.seek(length, "start"), handle;
    }).pipe(extend(scope2), mapError(unwritable))
  );
  return (yield* orElseSucceed(files.exists(path), () => !1)) && (yield* open3), {
    path,
    add: (step, definedAt2, row, error) => zipWith(currentTimeMillis, here, (now, ids) => {
      let reject = {
        key: keyOf(row),
        isDerived: row.key === void 0,
        step,
        definedAt: definedAt2,
        error: error.reason,
        message: error.message,
        status: error.status,
        attempts: error.attempts ?? 0,
        at: new Date(now).toISOString(),
        jobId: row.jobId,
        ...ids,
        requestId: requestOf(error),
        row: row.data,
        source: row.source
      };
      last = { step, error }, pending.push(reject), unwritten.push(reject);
    }).pipe(zipLeft(note({ "error.type": error.reason }))),
    pending: () => pending,
    flush: suspend(() => {
      if (unwritten.length === 0) return succeed2(size);
      let bytes = Buffer.from(
        unwritten.map((reject) => `${JSON.stringify({ ...reject, isDerived: void 0 })}
`).join("")
      );
      return flatMap(
        open3,
        (handle) => mapError(zipRight(handle.writeAll(bytes), handle.sync), unwritable)
      ).pipe(
        map(() => (unwritten = [], size += bytes.length, size))
      );
    }),
    committed: () => {
      pending = [];
    },
    last: () => last
  };
}), minRowsForShare = 100, isReached = (stopAfter, count, seen) => count > 0 && (typeof stopAfter == "number" ? count >= stopAfter : count * 100 >= seen * Number.parseFloat(stopAfter)), errorField = ({ message, reason, status }) => ({
  reason,
  message,
  ...status === void 0 ? {} : { status }
}), makeErrorPolicy = (judge) => {
  let { counters, definedAt: definedAt2, onError: onError2 = "reject", rejects: rejects2, step } = judge, stopAfter = typeof onError2 == "object" ? onError2.stopAfter : void 0, last, limit, counted = () => {
    let count = counters.rejected.get(step) ?? 0, given = (id) => counters.given.get(id) ?? 0, seen = judge.inputs.length === 0 ? given(step) + count : judge.inputs.reduce((sum, id) => sum + given(id), 0);
    return { count, seen };
  }, exceeded2 = (minRows) => {
    if (stopAfter === void 0) return;
    let { count, seen } = counted();
    return (typeof stopAfter == "number" || seen >= minRows) && isReached(stopAfter, count, seen) ? tooManyRejects({ step, definedAt: definedAt2, rejects: count, allowed: stopAfter, file: rejects2.path, last }) : void 0;
  }, reject = (row, error) => suspend(() => {
    let before2 = exceeded2(minRowsForShare);
    return before2 !== void 0 ? succeed2({ replacement: void 0, stop: before2 }) : (last = error, counters.reject(step), map(rejects2.add(step, definedAt2, row, error), () => ({
      replacement: [],
      stop: exceeded2(minRowsForShare)
    })));
  }), resolve3 = (row, error) => {
    switch (counters.markIncomplete(step, "failed"), onError2) {
      case "fail":
        return succeed2({ replacement: void 0, stop: error });
      case "drop":
        return succeed2({ replacement: [], stop: void 0 });
      case "keep":
        return succeed2({
          replacement: [withData(row, { ...row.data, error: errorField(error) })],
          stop: void 0
        });
      default:
        return reject(row, error);
    }
  }, judged = (minRows) => suspend(() => {
    let reason = exceeded2(minRows);
    return reason === void 0 ? _void : fail(reason);
  });
  return {
    resolve: resolve3,
    resolveInChunk: (row, error) => flatMap(resolve3(row, error), ({ replacement, stop }) => stop === void 0 ? succeed2(replacement ?? []) : limit === void 0 || replacement === void 0 ? fail(stop) : (limit.stop = stop, succeed2(replacement))),
    limitError: () => exceeded2(minRowsForShare),
    chunkLimit: () => {
      if (stopAfter === void 0) return Number.POSITIVE_INFINITY;
      let { count, seen } = counted();
      return typeof stopAfter == "number" ? Math.max(1, stopAfter - count) : seen < minRowsForShare ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(seen * Number.parseFloat(stopAfter) / 100) - count);
    },
    upToLimit: (work) => suspend(() => {
      let own2 = { stop: void 0 };
      return limit = own2, map(work, (made) => ({ made, stop: own2.stop }));
    }).pipe(
      ensuring(
        sync(() => {
          limit = void 0;
        })
      )
    ),
    // A percentage may still fall as more rows come.
    checkAtStart: typeof stopAfter == "number" ? judged(0) : _void,
    checkAtEnd: judged(0)
  };
}, leavesOut = ({ step: { behaviour } }) => behaviour.kind === "transform" && (behaviour.truncates === !0 || behaviour.leavesOut === !0), isSource = ({ inputs, step }) => step.behaviour.kind === "source" && inputs.length === 0, hasKept = (counters, node) => {
  let { id, inputs, step } = node;
  if (inputs.length === 0 || step.behaviour.kind === "value" || leavesOut(node) || counters.incomplete.get(id)?.has("wanted") === !0) return !1;
  let given = (step2) => counters.given.get(step2) ?? 0;
  return inputs.reduce((sum, input) => sum + given(input), 0) > given(id) + (counters.rejected.get(id) ?? 0);
}, stepsOf = ({ all, nodes }) => all ?? nodes, isEveryRowRejected = (checked, counters) => counters.rows === 0 && counters.rejects > 0 && counters.unchanged === 0 && !stepsOf(checked).some((node) => hasKept(counters, node)), manyRejectedWarning = (checked, counters, isReplay) => {
  let { given, rejected, rejects: rejects2, rows: rows2, unchanged } = counters, delivered = stepsOf(checked).filter(isSource).reduce((sum, { id }) => sum + (given.get(id) ?? 0) + (rejected.get(id) ?? 0), unchanged), all = isReplay || rejects2 > delivered ? rows2 + rejects2 : delivered;
  if (!(rejects2 * 2 <= all))
    return `${rejects2} of ${all} rows were rejected. To end a run in which so many are, set stopAfter in onError`;
};

// src/Run/RunErrors.ts
var ledgerFailed = (error) => StepError.of(error), inStep = (error, checked, node) => error.with({
  step: error.step ?? node.id,
  definedAt: error.definedAt ?? definedAt(checked.source, node)
}), inStepNamed = (error, checked, step) => {
  let node = checked.nodes.find(({ id }) => id === step);
  return error._tag === "StepError" && node !== void 0 ? inStep(error, checked, node) : error;
}, definedAt = (source, node) => {
  let place = source.locate(["steps", node.index]);
  return place === void 0 ? source.file : `${source.file}:${place.line}:${place.column}`;
}, SavedFailure = Struct({
  row: SavedRow,
  error: Struct({
    reason: String$,
    message: String$,
    status: optional(Number$),
    attempts: optional(Number$)
  })
}), failureJson = ([row, { attempts, message, reason, status }]) => ({
  row: toJson(row),
  error: { attempts, message, reason, status }
}), failureOf = ({ error, row }) => [row, restored(error)];

// src/Run/RunContext.ts
var seededRandom = (seed) => {
  let state = Number.parseInt(sha256(seed).slice(0, 8), 16) | 0;
  return () => {
    state = state + 1831565813 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    return mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed, ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}, defaultConcurrency = 4, describeRun = ({ frame }, {
  id,
  parentRun,
  scheduledFor: due,
  site,
  startedAt
}) => ({
  id: parentRun ?? id,
  site,
  startedAt: startedAt.toISOString(),
  date: startedAt.toISOString().slice(0, 10),
  scheduledFor: scheduledFor((due ?? startedAt).getTime(), frame.schedule?.timezone ?? "UTC")
}), makeStepContext = (checked, run, node, common, steps) => {
  let errorPolicy = makeErrorPolicy({
    step: node.id,
    definedAt: definedAt(checked.source, node),
    onError: common.onError,
    rejects: run.rejects,
    counters: run.counters,
    inputs: isSource2(node) ? [] : node.inputs
  }), base = {
    ...describeStep(checked, run, node, common),
    ...reportToRun(run, node.id),
    failed: errorPolicy.resolveInChunk,
    bindings: makeBindings(checked, run, node.id, steps)
  }, forTask = (task) => ({ ...base, ...makeCalls(run, node.id, task) });
  return { context: forTask({ mark: "", answered: () => {
  } }), errorPolicy, forTask };
}, isSource2 = ({ step }) => step.behaviour.kind === "source", describeStep = ({ source }, run, node, common) => {
  let failOn = common.failOn ?? defaultFailOn;
  return {
    written: node.config,
    secrets: secretsIn(node),
    id: node.id,
    runId: run.parentRun ?? run.id,
    startedAt: run.startedAt,
    folder: source.folder,
    out: run.out,
    adds: run.replay !== void 0,
    trials: run.trials,
    stdout: run.stdout,
    // A shard may continue on another machine while this one still has its files open.
    mayBeHeld: run.group !== void 0,
    allowCode: run.allowCode ?? !1,
    concurrency: common.concurrency ?? defaultConcurrency,
    timeout: common.timeout,
    wanted: isSource2(node) ? run.wanted : void 0,
    state: run.states.of(node.id),
    failsOn: (status) => includesStatus(failOn, status)
  };
}, makeBindings = (checked, run, id, steps) => {
  let random = seededRandom(`${run.id}/${id}`), runValues = describeRun(checked, run);
  return (row) => ({
    now: run.startedAt,
    random,
    names: {
      run: runValues,
      inputs: checked.inputs,
      steps,
      source: row.source,
      get key() {
        return keyOf(row);
      }
    }
  });
}, reportToRun = ({ buffer, counters, journal, lock, shutdown }, id) => {
  let warned = /* @__PURE__ */ new Set();
  return {
    tried: (pages) => sync(() => buffer.addPages(id, pages)),
    spend: (credits2) => credits2 === 0 ? _void : lock.move(
      sync(() => {
        counters.job(id, credits2), counters.uncommitted++;
      })
    ),
    failedPages: (jobId) => mapError(journal.failedPages(jobId), ledgerFailed),
    cut: sync(() => {
      counters.isCut = !0, counters.markIncomplete(id, "budget");
    }),
    incomplete: (reason) => sync(() => counters.markIncomplete(id, reason)),
    warnOnce: (matter, message) => suspend(() => warned.has(matter) ? _void : (warned.add(matter), logWarning(`${id}: ${message}`))),
    stopping: shutdown.budgetReached,
    usedUp: shutdown.request("budget"),
    isStopped: () => shutdown.reason() === "stop"
  };
}, makeCalls = ({ budget, callCache, counters, id: runId }, step, { answered, attempts, mark, retryPage, unfinishedJobs }) => {
  let markOf = (name) => mark === "" ? name : `${mark}/${name}`;
  return {
    once: ({ book, buys, name = "call" }, ask) => {
      let own2 = markOf(name);
      answered(own2);
      let onHit = () => {
        attempts !== void 0 && attempts.made++;
      }, key = `${runId}/${step}/${own2}`;
      return callCache.once({ step, mark: own2, book, buys, onHit }, (units) => ask(key, units));
    },
    reserve: (name, buying, goesOn = !1) => {
      let call = { step, mark: markOf(name) };
      return goesOn ? budget.takeOver(call, buying) : budget.reserve(call, buying);
    },
    leaveRunning: (jobId, giveUp) => {
      counters.runningJobs.add(jobId), unfinishedJobs?.set(jobId, giveUp);
    },
    retryPage: retryPage ?? (() => succeed2(!1))
  };
};

// src/Run.ts
import * as NodePath2 from "node:path";

// src/Row/Difference.ts
var isObject = (value) => typeof value == "object" && value !== null && !Array.isArray(value), below = (path, key) => {
  let name = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? key : JSON.stringify(key);
  return path === "" ? name : `${path}.${name}`;
}, gather = (expected, actual, part, path, found) => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++)
      gather(expected[index], actual[index], part, `${path}[${index}]`, found);
    return;
  }
  if (isObject(expected) && isObject(actual)) {
    let keys = part ? Object.keys(expected) : [.../* @__PURE__ */ new Set([...Object.keys(expected), ...Object.keys(actual)])];
    for (let key of keys) gather(own(expected, key), own(actual, key), part, below(path, key), found);
    return;
  }
  !Object.is(expected, actual) && !(expected === 0 && actual === 0) && found.push({ path, expected, actual });
}, own = (value, key) => Object.hasOwn(value, key) ? value[key] : void 0, differences = (expected, actual) => {
  let found = [];
  return gather(expected, actual, !1, "", found), found;
}, subsetDifferences = (expected, actual) => {
  let found = [];
  return gather(expected, actual, !0, "", found), found;
}, isEqual = (a, b) => differences(a, b).length === 0, canonical = (value) => JSON.stringify(
  value,
  (_, each) => isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)) : each
) ?? "undefined";

// src/Run/Metrics.ts
var underway = gauge("sluice_runs_underway", "Runs of this process that have not ended.", []), runs = counter("sluice_runs_total", "Runs that have ended, by how they did.", ["pipeline", "status"]), rows = counter("sluice_run_rows_total", "Rows that have reached an end of the pipeline.", ["pipeline"]), rejects = counter("sluice_run_rejects_total", "Rows that were turned away.", ["pipeline"]), credits = counter("sluice_run_credits_total", "Credits that runs have used.", ["pipeline"]), commits = histogram(
  "sluice_run_commit_duration_seconds",
  "Time of a commit, from its wait for rows under way to the end of its transaction.",
  []
), backpressure = counter(
  "sluice_run_backpressure_seconds_total",
  "Time that a step has waited because those that read it were full.",
  ["step"]
), reported = /* @__PURE__ */ new WeakMap(), begin = (counters) => {
  reported.set(counters, { rows: counters.rows, rejects: counters.rejects, credits: counters.credits });
}, report = (pipeline, counters) => {
  let before2 = reported.get(counters);
  before2 !== void 0 && (rows.add(Math.max(0, counters.rows - before2.rows), pipeline), rejects.add(Math.max(0, counters.rejects - before2.rejects), pipeline), credits.add(Math.max(0, counters.credits - before2.credits), pipeline), begin(counters));
}, measureCommit = (commit, pipeline, counters) => (begin(counters), gen(function* () {
  let from = yield* currentTimeMillis, result = yield* commit;
  return commits.record(((yield* currentTimeMillis) - from) / 1e3), report(pipeline, counters), yield* note({ "sluice.rows": counters.rows, "sluice.rejects": counters.rejects }), result;
}).pipe(within("Run.commit"))), measureBackpressure = (wait, step) => clockWith((clock) => {
  let from = clock.unsafeCurrentTimeMillis();
  return ensuring(
    wait,
    sync(() => backpressure.add(Math.max(0, clock.unsafeCurrentTimeMillis() - from) / 1e3, step))
  );
}), statusOf = (exit) => match2(exit, {
  onSuccess: () => "completed",
  onFailure: (cause) => isInterrupted(cause) ? "stopped" : match(failureOption(cause), {
    onNone: () => "failed",
    onSome: ({ summary }) => summary.status
  })
}), measureRun = (run, pipeline, counters, isCompleted) => acquireUseRelease(
  sync(() => underway.add(1)),
  () => onExit(
    run,
    (exit) => map(isCompleted, (isCompleted2) => {
      report(pipeline, counters), runs.add(1, pipeline, isCompleted2 ? "completed" : statusOf(exit));
    })
  ),
  () => sync(() => underway.add(-1))
);

// src/Run/Progress.ts
var reasonsOf = ({
  given = {},
  incomplete = {}
}) => isList(incomplete) ? [.../* @__PURE__ */ new Set([...incomplete, ...Object.keys(given)])].filter((step) => !step.startsWith("~")).map((step) => [step, ["earlier"]]) : Object.entries(incomplete).map(([step, reasons]) => [step, reasons.map(reasonOf)]), isList = (saved2) => Array.isArray(saved2), Counters = class {
  expected = 0;
  rows = 0;
  rejects = 0;
  /** Calls are booked when they are answered, jobs with the checkpoint that has their pages. */
  callCredits = 0;
  callUnpriced = 0;
  callPages = 0;
  /** Booked answers: work that a resume does not repeat, whatever it cost. */
  answers = 0;
  jobCredits = 0;
  /** By step. */
  jobs = /* @__PURE__ */ new Map();
  jobUnpriced = 0;
  jobPages = 0;
  /** Rows that the budget has admitted to outputs, and an upper bound of their bytes. */
  outputRows = 0;
  outputBytes = 0;
  /** Bytes of the reject file that belong to the last checkpoint. */
  rejectBytes = 0;
  /** Steps that left out rows of their source, and why. */
  incomplete = /* @__PURE__ */ new Map();
  /** Jobs that keep running at the service after this run has stopped. */
  runningJobs = /* @__PURE__ */ new Set();
  /** True once all rows have passed all steps. */
  over = !1;
  /** True once all rows have passed, and every one of them was rejected. */
  spent = !1;
  /** Rows that sources left out because an earlier run has seen them. */
  unchanged = 0;
  /** Why the run publishes only a part, once no more rows come. Saved until its files are published. */
  budgetMessage = void 0;
  /** True once the budget has cut a step short. */
  isCut = !1;
  /** Rows that moved since the last checkpoint. */
  uncommitted = 0;
  /** Bytes that each sink has safe on disk. */
  written = /* @__PURE__ */ new Map();
  /** By step. */
  given = /* @__PURE__ */ new Map();
  rejected = /* @__PURE__ */ new Map();
  give(step, rows2) {
    this.given.set(step, (this.given.get(step) ?? 0) + rows2), this.uncommitted += rows2;
  }
  reject(step) {
    this.rejects++, this.uncommitted++, this.rejected.set(step, (this.rejected.get(step) ?? 0) + 1);
  }
  /** Marks a step as incomplete; the next checkpoint has it. */
  markIncomplete(step, reason) {
    let reasons = this.incomplete.get(step);
    reasons === void 0 ? this.incomplete.set(step, /* @__PURE__ */ new Set([reason])) : reasons.add(reason);
  }
  /** Books credits of a step's job since the last call. */
  job(step, credits2) {
    this.jobCredits += credits2, this.jobs.set(step, (this.jobs.get(step) ?? 0) + credits2);
  }
  get credits() {
    return this.callCredits + this.jobCredits;
  }
  get unpriced() {
    return this.callUnpriced + this.jobUnpriced;
  }
  get bytes() {
    let sum = 0;
    for (let bytes of this.written.values()) sum += bytes;
    return sum;
  }
  /** Pages that were requested. */
  get pages() {
    return this.callPages + this.jobPages;
  }
  /** Snapshot for progress displays. */
  progress() {
    let { credits: credits2, expected, given, pages, rejects: rejects2, rows: rows2, unpriced } = this;
    return { expected, steps: Object.fromEntries(given), rows: rows2, rejects: rejects2, credits: credits2, unpriced, pages };
  }
  /**
   * State for a checkpoint: what a resumed run continues to count from, and under `now` the load of the operators,
   * pages and bytes, for those who watch the run.
   */
  save(loads = {}) {
    let {
      budgetMessage,
      bytes,
      expected,
      given,
      incomplete,
      jobCredits,
      jobUnpriced,
      jobPages,
      outputBytes,
      outputRows,
      over,
      pages,
      rejectBytes,
      rejected,
      rejects: rejects2,
      rows: rows2,
      spent,
      unchanged
    } = this;
    return {
      now: { loads, pages, bytes },
      expected,
      over,
      spent,
      unchanged,
      incomplete: Object.fromEntries(Array.from(incomplete, ([step, reasons]) => [step, [...reasons]])),
      rows: rows2,
      rejects: rejects2,
      jobCredits,
      jobUnpriced,
      jobPages,
      outputRows,
      outputBytes,
      rejectBytes,
      jobs: Object.fromEntries(this.jobs),
      given: Object.fromEntries(given),
      rejected: Object.fromEntries(rejected),
      ...budgetMessage === void 0 ? {} : { budgetMessage }
    };
  }
  /**
   * Restores the counters from a checkpoint. `bytes` is the size of the run's outputs, which version 0.1 stored outside
   * of the checkpoint.
   */
  restore(saved2, bytes) {
    if (saved2 === null) return;
    let { given = {}, incomplete, jobs = {}, now: _, rejected = {}, ...numbers } = saved2;
    Object.assign(this, { outputRows: numbers.rows ?? 0, outputBytes: bytes, ...numbers });
    for (let [step, reasons] of reasonsOf({ given, incomplete }))
      for (let reason of reasons) this.markIncomplete(step, reason);
    for (let [step, credits2] of Object.entries(jobs)) this.jobs.set(step, credits2);
    for (let [step, rows2] of Object.entries(given)) this.given.set(step, rows2);
    for (let [step, rows2] of Object.entries(rejected)) this.rejected.set(step, rows2);
  }
};

// src/Run/Runtime.ts
import * as NodePath from "node:path";

// src/Run/Reservations.ts
var plus = (left, right) => ({
  credits: left.credits + right.credits,
  pages: left.pages + right.pages,
  rows: left.rows + right.rows,
  bytes: left.bytes + right.bytes
}), minus = (left, { bytes, credits: credits2, pages, rows: rows2 }) => plus(left, { credits: -credits2, pages: -pages, rows: -rows2, bytes: -bytes }), localAccount = ({ own: own2 }, open3) => ({
  isShared: !1,
  reserve: (asked, decide2) => sync(() => {
    let { credits: credits2, pages } = own2(), isBusy = !1;
    for (let [id, { held, isFirm, isOver }] of open3)
      isOver || id === asked || (isBusy ||= !isFirm && (held.credits > 0 || held.pages > 0), credits2 += held.credits, pages += held.pages);
    return decide2({ used: { ...own2(), credits: credits2, pages }, isBusy });
  }),
  release: () => _void,
  used: sync(own2)
}), dayOf = (instant) => Math.floor(instant / 864e5) * 864e5, noUsage = { credits: 0, pages: 0, rows: 0, bytes: 0 }, sharedAccount = ({ from = noUsage, group, journal, ledger, limits, pipeline, runId }) => ({ own: own2, whole }, open3) => {
  let today = map(currentTimeMillis, dayOf), scope2 = limits?.per === "day" || group === void 0 ? map(today, (since) => ({ _tag: "Day", pipeline, since })) : succeed2({ _tag: "Group", group, from }), returnable = () => new Set(Array.from(open3).flatMap(([id, { firmInLedger, isOver }]) => isOver || !firmInLedger ? [id] : [])), usedToday = map(
    flatMap(today, (since) => ledger.creditsSince(pipeline, since)),
    (credits2) => ({ ...own2(), credits: Math.max(own2().credits, credits2) })
  );
  return {
    isShared: !0,
    reserve: (id, decide2) => flatMap(scope2, (scope3) => journal.reserve({ id, scope: scope3, mine: returnable(), decide: decide2 })).pipe(
      mapError(ledgerFailed)
    ),
    release: (id) => mapError(journal.release(id), ledgerFailed),
    used: mapError(group === void 0 ? usedToday : ((group2) => map(ledger.sharedLimits.used(group2, runId), (others) => minus(plus(whole(), others), from)))(group), ledgerFailed)
  };
}, accountOf = (options) => {
  let { group, limits } = options;
  return limits !== void 0 && (limits.per === "day" || group !== void 0) ? sharedAccount(options) : localAccount;
}, quantity = (amount, noun) => `${Number(amount.toFixed(2)).toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`, limitText = (limit, { per }) => `${limit.toLocaleString("en-US")} ${per === "day" ? "a day" : "a run"}`, unknownPriceFactor = 10, epsilon = 1e-9, maxUnits = 2 ** 31, priceCall = (step, buying, { dearest, hasUnpriced }, listed) => {
  let { isJob = !1, most = 1 } = buying, price = (units) => {
    let known2 = listed(units);
    return known2 !== void 0 ? dearest > (listed(isJob ? 1 : most) ?? 0) + epsilon ? isJob ? dearest * units : dearest : known2 : hasUnpriced ? 0 : isJob ? Math.max(1, dearest) * units : dearest * unknownPriceFactor;
  };
  return {
    step,
    buying,
    isListed: listed(1) !== void 0,
    isEstimated: isJob || hasUnpriced || dearest > 0,
    price
  };
}, largest = (most, fits) => {
  if (fits(most)) return most;
  let low = 0, high = Math.min(most, maxUnits);
  for (; high - low > 1; ) {
    let middle = Math.floor((low + high) / 2);
    fits(middle) ? low = middle : high = middle;
  }
  return low;
}, remaining = (limits, { credits: credits2, pages }) => ({
  credits: limits.credits === void 0 ? Number.POSITIVE_INFINITY : limits.credits - credits2,
  pages: limits.pages === void 0 ? Number.POSITIVE_INFINITY : limits.pages - pages
}), grant = (limits, units, credits2, pages) => ({
  _tag: "Granted",
  units,
  reserved: {
    credits: limits.credits === void 0 ? 0 : credits2,
    pages: limits.pages === void 0 ? 0 : pages
  }
}), refuse = (limits, used, { buying, isListed, price, step }) => {
  let left = remaining(limits, used), credits2 = isListed ? price(1) : 0, pages = buying.pages?.(1) ?? 0, next = (needed) => `, and the next call of ${step} may take ${needed}`;
  return { _tag: "Refused", why: limits.credits !== void 0 && (credits2 > left.credits + epsilon || left.credits <= epsilon) ? `${quantity(used.credits, "credit")} of ${limitText(limits.credits, limits)}${left.credits > epsilon ? next(quantity(credits2, "credit")) : ""}` : `${quantity(used.pages, "page")} of ${limitText(limits.pages ?? 0, limits)}${left.pages > 0 ? next(quantity(pages, "page")) : ""}` };
}, decide = (limits, call, { isBusy, used }) => {
  let { buying, isEstimated, isListed, price } = call, { isJob = !1, most = 1, pages = () => 0 } = buying, left = remaining(limits, used), hasPages = (units2) => pages(units2) <= left.pages, hasCredits = (units2) => left.credits === Number.POSITIVE_INFINITY || // A call of unknown price needs some credits left; the first call of a step runs alone (below).
  price(units2) <= left.credits + epsilon && (isListed || left.credits > epsilon && isEstimated), units = largest(most, (units2) => hasPages(units2) && hasCredits(units2));
  if (units < most && isBusy) return { _tag: "Wait" };
  if (units >= most || units >= 1) return grant(limits, units, price(units), pages(units));
  if (!(!isListed && left.credits > epsilon && hasPages(1))) return refuse(limits, used, call);
  let alone = largest(most, hasPages);
  return grant(limits, isJob ? 1 : alone, left.credits, pages(alone));
}, idOf = ({ mark, step }) => `${step}/${mark}`, unlimited = ({ most = 1 }) => ({
  id: void 0,
  units: most,
  spend: () => {
  },
  settle: () => {
  },
  shrink: () => {
  },
  end: () => {
  },
  release: _void,
  wanted: never
}), pollInterval = "250 millis", Reservations = class {
  #options;
  /** Undefined when neither credits nor pages are limited: then nothing is reserved. */
  #limits;
  #open = /* @__PURE__ */ new Map();
  #observed = /* @__PURE__ */ new Map();
  /** Completes when credits or pages are returned; a new one then takes its place. */
  #returned = unsafeMake(none2);
  /** Completes when a call waits for reservations to be returned. */
  #wanted = unsafeMake(none2);
  account;
  constructor(options) {
    let { limits } = options;
    this.#options = options, this.#limits = limits?.credits === void 0 && limits?.pages === void 0 ? void 0 : limits, this.account = options.account(options.spending, this.#open);
  }
  /** See `Budget.reserve`. Uninterruptible but for the wait, so a granted reservation always has an owner. */
  reserve(call, buying) {
    let limits = this.#limits;
    if (limits === void 0) return succeed2(unlimited(buying));
    let { onRefused, shutdown } = this.#options, attempt = suspend(() => {
      let returned = this.#returned, judge = (usage) => decide(limits, this.#price(call.step, buying), usage);
      return flatMap(this.account.reserve(idOf(call), judge), (decision) => {
        switch (decision._tag) {
          case "Granted":
            return succeed2(this.#add(call, buying, decision.units, decision.reserved));
          case "Refused":
            return onRefused(decision.why), new BudgetReached({ message: `the budget is used up: ${decision.why}` });
          default:
            return shutdown.reason() !== void 0 ? new Stopped({ message: "the run comes to a stop" }) : zipRight(interruptible(this.#wait(returned)), attempt);
        }
      });
    });
    return uninterruptible(attempt);
  }
  /** See `Budget.takeOver`. */
  takeOver(call, buying) {
    let limits = this.#limits;
    if (limits === void 0) return succeed2(unlimited(buying));
    let { cost, most = 1, pages = () => 0 } = buying, units = Math.min(most, maxUnits), takeRest = ({ used }) => {
      let left = remaining(limits, used), price = mostCredits(cost(units), this.#options.rate) ?? left.credits;
      return grant(
        limits,
        most,
        Math.max(0, Math.min(left.credits, price)),
        Math.max(0, Math.min(left.pages, pages(units)))
      );
    };
    return this.account.reserve(idOf(call), takeRest).pipe(
      map(
        (decision) => this.#add(call, buying, most, decision._tag === "Granted" ? decision.reserved : { credits: 0, pages: 0 })
      ),
      uninterruptible
    );
  }
  /** See `Budget.learn`. */
  learn(step, credits2) {
    let observed = this.#observed.get(step) ?? { dearest: 0, hasUnpriced: !1 };
    if (this.#observed.set(step, observed), credits2 !== void 0) observed.dearest = Math.max(observed.dearest, credits2);
    else if (this.#limits?.credits !== void 0 && !observed.hasUnpriced)
      return observed.hasUnpriced = !0, `${step}: the service does not say what calls cost, so \`budget.credits\` cannot count them; \`budget.pages\` can`;
  }
  /** True while a job of unknown price runs. */
  hasWatched() {
    return [...this.#open.values()].some(({ isOver, isWatched }) => isWatched && !isOver);
  }
  /** State of the open reservations, for a checkpoint in the ledger. */
  changes() {
    return Array.from(this.#open, ([id, { held, isFirm, isOver }]) => ({
      id,
      remaining: isOver ? void 0 : held,
      isFirm
    }));
  }
  /** Called after a checkpoint with these changes has been committed. */
  saved(changes2) {
    for (let { id, isFirm, remaining: remaining2 } of changes2) {
      let kept = this.#open.get(id);
      kept !== void 0 && (remaining2 === void 0 && kept.isOver && this.#open.delete(id), isFirm && kept.isFirm && (kept.firmInLedger = !0));
    }
    changes2.length > 0 && this.#wakeWaiting();
  }
  /** Estimates the price of a call; nothing costs credits where these are not limited. */
  #price(step, buying) {
    let { rate } = this.#options, listed = (units) => this.#limits?.credits === void 0 ? 0 : mostCredits(buying.cost(units), rate);
    return priceCall(step, buying, this.#observed.get(step) ?? { dearest: 0, hasUnpriced: !1 }, listed);
  }
  /** Waits until reservations are returned or a shutdown is requested, and asks running jobs for what they need no more. */
  #wait(returned) {
    let own2 = _await2(returned), any = this.account.isShared ? raceFirst(own2, sleep(pollInterval)) : own2;
    return zipRight(
      succeed(this.#wanted, void 0),
      raceFirst(any, this.#options.shutdown.requested)
    );
  }
  #wakeWaiting() {
    let before2 = this.#returned;
    this.#returned = unsafeMake(none2), unsafeDone(before2, _void);
  }
  /** The next checkpoint tells a shared account what has changed. */
  #noteChange() {
    this.account.isShared && this.#options.counters.uncommitted++;
  }
  /** Adds a granted reservation to the table. */
  #add(call, buying, units, held) {
    let id = idOf(call), isWatched = buying.isJob === !0 && mostCredits(buying.cost(1), this.#options.rate) === void 0, mine = { held, isOver: !1, isFirm: !1, firmInLedger: !1, isWatched };
    this.#open.set(id, mine);
    let end = () => this.#end(id, mine);
    return {
      id: this.account.isShared ? id : void 0,
      units,
      spend: (credits2, pages) => {
        isWatched && pages > 0 && this.learn(call.step, credits2 / pages), mine.held = {
          credits: Math.max(0, mine.held.credits - credits2),
          pages: Math.max(0, mine.held.pages - pages)
        };
      },
      settle: () => {
        this.#open.delete(id), end();
      },
      shrink: (credits2, pages) => this.#shrink(mine, { credits: credits2, pages: pages ?? Number.POSITIVE_INFINITY }),
      end,
      release: suspend(() => this.#open.delete(id) ? zipRight(ignoreLogged(this.account.release(id)), sync(end)) : _void),
      wanted: _await2(this.#wanted)
    };
  }
  #end(id, mine) {
    mine.isOver || (mine.isOver = !0, mine.held = { credits: 0, pages: 0 }, this.#open.get(id) === mine && (this.#noteChange(), this.account.isShared || this.#open.delete(id)), this.#wakeWaiting());
  }
  #shrink(mine, { credits: credits2, pages }) {
    let { held, isFirm } = mine;
    mine.held = { credits: Math.min(held.credits, credits2), pages: Math.min(held.pages, pages) }, mine.isFirm = !0, !(isFirm && credits2 >= held.credits && pages >= held.pages) && (this.#noteChange(), this.#wakeWaiting());
  }
};

// src/Run/Budget.ts
var usageOf = ({ credits: credits2, outputBytes, outputRows, pages }) => ({
  credits: credits2,
  pages,
  rows: outputRows,
  bytes: outputBytes
}), noLimits = { per: "run", onReached: "stop" }, timeIsOver = (duration) => `${format(duration)} are over`, isTimeOver = ({ begin: begin2, limits: { duration } }, now) => duration !== void 0 && now - begin2 >= toMillis(duration), inTime = (state, duration) => flatMap(currentTimeMillis, (now) => isTimeOver(state, now) ? (state.refusal ??= timeIsOver(duration), new BudgetReached({ message: `the budget is used up: ${state.refusal}` })) : _void), timeOver = (state, duration) => gen(function* () {
  let now = yield* currentTimeMillis;
  yield* sleep(Math.max(0, state.begin + toMillis(duration) - now)), state.refusal ??= timeIsOver(duration), yield* state.shutdown.request("budget");
}), outputReservation = "~outputs", sharesOfBytes = 4, uncommitted = ({ committed, counters }) => ({
  rows: counters.outputRows - committed.rows,
  bytes: counters.outputBytes - committed.bytes
}), admitRows = (state, rows2, { countsRows, sizes }, used) => {
  let { counters, limits } = state, maxBytes = limits.bytes ?? Number.POSITIVE_INFINITY, maxRows = (countsRows ? limits.rows : void 0) ?? Number.POSITIVE_INFINITY, share = (maxBytes - used.bytes) / sharesOfBytes, refusalOf = (fits2, bytes2, next) => {
    if (used.rows + fits2 >= maxRows) return `${quantity(maxRows, "row")} of ${limitText(maxRows, limits)}`;
    if (!(used.bytes + bytes2 + next <= maxBytes))
      return `${quantity(used.bytes + bytes2, "byte")} of ${limitText(maxBytes, limits)}, and the next row has up to ${quantity(next, "byte")}`;
  }, fits = 0, bytes = 0;
  for (; fits < rows2.length && (fits === 0 || bytes < share); ) {
    let next = sizes[fits] ?? 0, refusal = refusalOf(fits, bytes, next);
    if (refusal !== void 0) {
      fits === 0 && (state.refusal ??= refusal);
      break;
    }
    bytes += next, fits++;
  }
  return counters.outputRows += countsRows ? fits : 0, counters.outputBytes += bytes, fits;
}, admitShared = (state, rows2, output) => suspend(() => {
  let { counters, reservations } = state, before2 = { outputRows: counters.outputRows, outputBytes: counters.outputBytes }, fits = 0, decide2 = ({ used }) => {
    Object.assign(counters, before2);
    let own2 = uncommitted(state);
    return fits = admitRows(state, rows2, output, { rows: used.rows + own2.rows, bytes: used.bytes + own2.bytes }), { _tag: "Granted", units: fits, reserved: { credits: 0, pages: 0, ...uncommitted(state) } };
  };
  return map(reservations.account.reserve(outputReservation, decide2), () => fits);
}), admit = (state, rows2, output) => {
  let { limits, reservations, spending } = state;
  return limits.rows === void 0 && limits.bytes === void 0 ? succeed2(rows2.length) : reservations.account.isShared ? admitShared(state, rows2, output) : sync(() => admitRows(state, rows2, output, spending.own()));
}, changes = (state) => {
  let { reservations } = state;
  if (!reservations.account.isShared) return [];
  let { bytes, rows: rows2 } = uncommitted(state), admitted = { id: outputReservation, remaining: void 0, isFirm: !0 };
  return [...reservations.changes(), ...rows2 + bytes > 0 ? [admitted] : []];
}, saved = (state, changes2) => {
  changes2.some(({ id }) => id === outputReservation) && (state.committed = state.spending.whole()), state.reservations.saved(changes2);
}, exceeded = (state, now, used) => {
  let { limits } = state;
  for (let name of ["credits", "pages", "rows", "bytes"]) {
    let limit = limits[name];
    if (limit !== void 0 && used[name] >= limit)
      return `${quantity(used[name], name.slice(0, -1))} of ${limitText(limit, limits)}`;
  }
  return limits.duration !== void 0 && isTimeOver(state, now) ? timeIsOver(limits.duration) : void 0;
}, watch = ({ limits: { credits: limit }, reservations, shutdown }) => suspend(
  () => limit === void 0 || !reservations.hasWatched() ? _void : flatMap(
    reservations.account.used,
    ({ credits: credits2 }) => credits2 >= limit - epsilon ? shutdown.request("budget") : _void
  )
), make6 = (options) => map(currentTimeMillis, (now) => {
  let { account = localAccount, counters, limits = noLimits, rate, shutdown, since = now } = options, start = usageOf(counters), whole = () => usageOf(counters), spending = { whole, own: () => minus(whole(), start) }, onRefused = (why) => {
    state.refusal ??= why;
  }, reservations = new Reservations({ limits, counters, shutdown, rate, spending, account, onRefused }), state = {
    limits,
    counters,
    shutdown,
    begin: since,
    spending,
    reservations,
    committed: start,
    refusal: void 0
  }, { duration } = limits;
  return {
    rate,
    reserve: (call, buying) => reservations.reserve(call, buying),
    takeOver: (call, buying) => reservations.takeOver(call, buying),
    learn: (step, credits2) => reservations.learn(step, credits2),
    measure: (rows2, sizeOf) => limits.bytes === void 0 || sizeOf === void 0 ? succeed2([]) : sizeOf(rows2),
    admit: (rows2, output) => admit(state, rows2, output),
    watch: watch(state),
    inTime: duration === void 0 ? _void : inTime(state, duration),
    timeOver: duration === void 0 ? never : timeOver(state, duration),
    changes: () => changes(state),
    saved: (changes2) => saved(state, changes2),
    reached: suspend(
      () => state.refusal !== void 0 ? succeed2(state.refusal) : zipWith(
        currentTimeMillis,
        reservations.account.used,
        (now2, used) => exceeded(state, now2, used)
      )
    )
  };
});

// src/Run/CallCache.ts
var make7 = ({
  budget,
  buffer,
  counters,
  journal,
  shutdown
}) => gen(function* () {
  let scope2 = yield* scope, saved2 = yield* mapError(journal.answers, ledgerFailed), stored = new Map(Array.from(saved2, ([step, answers]) => [step, new Map(answers)])), failIfStopped = suspend(
    () => shutdown.reason() === "stop" ? new Stopped({ message: "the run comes to a stop" }) : _void
  ), finishInShutdown = (call, restore) => flatMap(
    forkIn(call, scope2),
    (fiber) => onInterrupt(
      restore(join(fiber)),
      () => shutdown.reason() === void 0 ? interrupt(fiber) : _void
    )
  ), store = ({ book, buys, mark, step }, reservation) => (answer2) => {
    let booking = book?.(answer2), { page, pages = page === void 0 ? 0 : 1 } = booking ?? {}, sure = buys === void 0 || buys.isJob === !0 ? void 0 : sureCredits(buys.cost(reservation?.units ?? 1), budget.rate), credits2 = booking === void 0 ? void 0 : booking.credits ?? sure ?? null, warning = buys === void 0 || credits2 === void 0 ? void 0 : budget.learn(step, credits2 ?? void 0), call = { step, mark, answer: answer2, credits: credits2, page, pages, reservation: reservation?.id };
    return journal.recordCall(call).pipe(
      mapError(ledgerFailed),
      map(() => (credits2 === null ? counters.callUnpriced++ : counters.callCredits += credits2 ?? 0, booking !== void 0 && counters.answers++, counters.callPages += pages, reservation?.settle(), answer2)),
      zipLeft(note({ "sluice.credits": credits2 ?? void 0 })),
      zipLeft(warning === void 0 ? _void : logWarning(warning))
    );
  };
  return {
    release: (step, marks) => {
      buffer.resolveCalls(step, marks);
      for (let mark of marks) stored.get(step)?.delete(mark);
    },
    once: (asked, ask) => {
      let { buys, onHit: isKept, mark, step } = asked, answer2 = stored.get(step)?.get(mark);
      return answer2 !== void 0 ? sync(() => (isKept?.(), answer2)) : uninterruptibleMask(
        (restore) => gen(function* () {
          yield* failIfStopped, yield* budget.inTime;
          let reservation = buys === void 0 ? void 0 : yield* paused(budget.reserve({ step, mark }, buys)), work = flatMap(
            interruptible(ask(reservation?.units ?? 1)),
            store(asked, reservation)
          ).pipe(ensuring(reservation?.release ?? _void));
          return yield* finishInShutdown(shutdown.track(work), restore);
        })
      );
    }
  };
});

// src/Run/Checkpoint.ts
var isRefused = (lock, error) => error instanceof Stopped && !lock.isConsistent(), makeCommitLock = (mayMove = _void) => map(makeSemaphore(1), (semaphore) => {
  let consistent = !0, refused = new Stopped({ message: "a part of the run has failed" });
  return {
    isConsistent: () => consistent,
    move: (effect) => suspend(() => consistent ? zipRight(mayMove, effect) : fail(refused)).pipe(
      tapErrorCause(
        () => sync(() => {
          consistent = !1;
        })
      ),
      uninterruptible,
      semaphore.withPermits(1)
    )
  };
}), isGone = (status) => status === 404 || status === 410, makeBuffer = (counters) => {
  let pages = [], state = [], resolvedCalls = [], replayClaim, hasClaimed = !1, deferredRows = [], addPages = (step, more) => {
    for (let page of more) pages.push({ step, page });
  };
  return {
    book: (step, { credits: credits2, expected, isForeign = !1, pages: pages2 = [], unchanged }) => {
      credits2 === "unknown" ? counters.jobUnpriced++ : credits2 !== void 0 && counters.job(step, credits2), addPages(step, pages2), counters.expected += expected ?? 0, counters.unchanged += unchanged ?? 0, counters.jobPages += isForeign ? 0 : pages2.length;
    },
    addPages,
    addState: (step, changes2) => {
      for (let change of changes2) state.push({ step, change });
    },
    resolveCalls: (step, marks) => {
      for (let mark of marks) resolvedCalls.push({ step, mark });
    },
    claim: (rejects2) => {
      replayClaim = rejects2, hasClaimed = !0;
    },
    claimStatus: () => hasClaimed ? replayClaim === void 0 ? "committed" : "pending" : "none",
    deferRows: (keys) => {
      deferredRows = keys;
    },
    recentPages: () => pages.flatMap(({ page }) => isGone(page.status) ? [] : [page.key]),
    // Copies: pages and state may be added while the transaction runs, and belong to the next checkpoint.
    peek: () => ({ pages: pages.slice(), state: state.slice(), resolvedCalls, replayClaim, deferredRows }),
    committed: (changes2) => {
      pages = pages.slice(changes2.pages.length), state = state.slice(changes2.state.length), resolvedCalls = [], replayClaim = void 0;
    }
  };
}, loadByOperator = (operators) => {
  let loads = {};
  for (let { id, load } of operators) {
    let current = load?.();
    current === void 0 || current.buffered === 0 && !current.blocked || (loads[id] = [current.buffered, current.capacity, current.busy, current.blocked]);
  }
  return loads;
}, make8 = (options) => {
  let { budget, buffer, counters, isRead, journal, lock, operators, rejects: rejects2 } = options, write = gen(function* () {
    let steps = yield* forEach(
      operators,
      ({ id, save }) => map(save, (changes3) => ({ step: id, changes: changes3 }))
    );
    counters.rejectBytes = yield* rejects2.flush;
    let changes2 = buffer.peek(), reservations = budget.changes();
    yield* mapError(
      journal.checkpoint({
        progress: counters.save(loadByOperator(operators)),
        rows: counters.rows,
        rejectCount: counters.rejects,
        jobCredits: counters.jobCredits,
        jobUnpriced: counters.jobUnpriced,
        jobPages: counters.jobPages,
        outputRows: counters.outputRows,
        bytes: counters.outputBytes,
        reservations,
        steps: steps.filter(({ changes: changes3 }) => changes3.value !== void 0 || (changes3.entries ?? []).length > 0),
        rejects: rejects2.pending(),
        ...changes2
      }),
      ledgerFailed
    ), budget.saved(reservations), rejects2.committed(), buffer.committed(changes2), counters.uncommitted = 0;
  });
  return lock.move(isRead === void 0 ? write : flatMap(isRead, (isRead2) => isRead2 ? write : _void)).pipe(
    catchIf(
      (error) => isRefused(lock, error),
      () => _void
    )
  );
}, Commit = class extends Tag("sluice/Run/Commit")() {
}, rowsPerCheckpoint = 1e3, pollInterval2 = 250, idlePollInterval = 1e3, maxDelay = 2e3, repeat = (counters, checkpoint) => suspend(() => {
  let waited = 0, interval = pollInterval2, look = suspend(() => (waited = counters.uncommitted === 0 ? 0 : waited + interval, interval = counters.uncommitted === 0 ? idlePollInterval : pollInterval2, counters.uncommitted < rowsPerCheckpoint && waited < maxDelay ? _void : (waited = 0, checkpoint)));
  return forever(suspend(() => delay(look, interval)));
});

// src/Run/Shutdown.ts
var gracePeriod = "5 seconds", make9 = gen(function* () {
  let requested = yield* make4(), stopRequested = yield* make4(), budgetReached = yield* make4(), drained = yield* make4(), reason, inFlight = 0, isPublishing = !1, checkDrained = suspend(
    () => reason !== void 0 && inFlight === 0 ? asVoid(succeed(drained, void 0)) : _void
  ), request = (why) => suspend(() => (reason ??= why, succeed(requested, void 0).pipe(
    zipRight(succeed(why === "stop" ? stopRequested : budgetReached, void 0)),
    zipRight(checkDrained)
  )));
  return {
    reason: () => reason,
    request,
    requested: _await2(requested),
    stopRequested: _await2(stopRequested),
    budgetReached: _await2(budgetReached),
    publishPaid: sync(() => {
      isPublishing = !0;
    }),
    isPublishing: () => isPublishing,
    ignoreStopped: (effect) => catchAll(effect, (error) => error instanceof BudgetReached ? request("budget") : error instanceof Stopped ? _void : fail(error)),
    track: (effect) => acquireUseRelease(
      sync(() => {
        inFlight++;
      }),
      () => effect,
      () => suspend(() => (inFlight--, checkDrained))
    ),
    drained: _await2(drained),
    stopAndDrain: zipRight(
      request("stop"),
      // On a fiber of its own: a caller that is interrupted now still waits, and only once.
      fork(interruptible(timeout(_await2(drained), gracePeriod))).pipe(
        flatMap(_await),
        asVoid
      )
    )
  };
});

// src/Run/State.ts
var make10 = ({ active, buffer, completeness, journal, historyKey, rejects: rejects2 }) => ({
  of: (step) => ({
    active,
    load: active ? mapError(journal.state(step), ledgerFailed) : succeed2([]),
    put: (changes2) => sync(() => {
      active && buffer.addState(step, changes2);
    }),
    met: suspend(() => {
      let late = [...buffer.recentPages(), ...rejects2.pending().map(({ key }) => key)];
      return map(
        mapError(journal.presentPages, ledgerFailed),
        (met) => /* @__PURE__ */ new Set([...met, ...late])
      );
    }),
    knowsAny: (addresses) => (
      // Without a state key there is no state to protect.
      historyKey === void 0 ? succeed2(!0) : mapError(journal.hasSeenAny(historyKey, [...new Set(addresses.flatMap(urlVariants))]), ledgerFailed)
    ),
    whyIncomplete: sync(
      // The step warns with it, so the warning about forgetting is not repeated.
      () => completeness.warningOnce(step) ?? completeness.whyIncomplete(step)
    )
  })
}), forgettableReasons = /* @__PURE__ */ new Set(["ranking"]), makeCompleteness = (checked, counters, { shutdown, isReplay }) => {
  let reasonsOf2 = (step) => [...before(checked, step).toReversed(), step].flatMap((each) => {
    let reasons = [...counters.incomplete.get(each) ?? []].filter((reason) => each !== step || reason !== "seen");
    return reasons.length === 0 ? [] : [[each, reasons]];
  }), whyNone = () => {
    if (isReplay) return "a replay gives only the rows that were rejected";
    let reason = shutdown?.reason();
    return reason === void 0 ? void 0 : reason === "budget" ? "the budget was reached" : "the run was stopped";
  }, whyIncomplete = (step) => {
    let reasons = reasonsOf2(step);
    return whyNone() ?? (reasons.length === 0 ? void 0 : describe(reasons));
  }, warned = /* @__PURE__ */ new Set();
  return {
    whyIncomplete,
    warningOnce: (step) => {
      let why = warned.has(step) ? void 0 : whyIncomplete(step);
      return why !== void 0 && warned.add(step), why;
    },
    mayForget: (step) => whyNone() === void 0 && reasonsOf2(step).every(([, reasons]) => reasons.every((reason) => forgettableReasons.has(reason)))
  };
};

// src/Run/Retry.ts
var statuses = {
  InvalidRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  JobNotFound: 404,
  JobExpired: 404,
  Timeout: 408,
  Conflict: 409,
  Gone: 410,
  TooLarge: 413,
  UnsupportedFile: 415,
  Unprocessable: 422,
  RateLimited: 429,
  NotImplemented: 501,
  InsufficientStorage: 507
}, statusOf2 = (error) => "status" in error ? error.status : statuses[error._tag], matchesStatus = (status, cause) => status !== void 0 && includesStatus([cause === "429" ? 429 : cause], status), matches = (error, cause) => {
  switch (cause) {
    case "timeout":
      return error._tag === "Timeout";
    case "network":
      return error._tag === "NetworkError" ? error.retryable : isPassing(error);
    default:
      return matchesStatus(statusOf2(error), cause);
  }
}, matchesPage = ({ fault, status }, cause) => cause === "timeout" || cause === "network" ? fault === cause : matchesStatus(status, cause), defaultTimes = 5, breakerOf = (given) => {
  let { failureThreshold, giveUpAfter, giveUpFirstAfter = giveUpAfter, resetTimeout } = standard;
  return {
    failureThreshold: given.failureThreshold ?? failureThreshold,
    resetTimeout: given.resetTimeout ?? resetTimeout,
    giveUpAfter: given.giveUpAfter ?? giveUpAfter,
    giveUpFirstAfter: min(given.giveUpAfter ?? giveUpAfter, giveUpFirstAfter)
  };
}, known = /* @__PURE__ */ new WeakMap(), limitsOf = (retry) => {
  let before2 = known.get(retry);
  if (before2 !== void 0) return before2;
  let { circuitBreaker, retryBudget } = retry, limits = {
    retryBudget: retryBudget === void 0 ? standard3.retryBudget : retryBudget === !1 ? void 0 : {
      ratio: retryBudget.ratio === void 0 ? standard2.ratio : Number.parseFloat(retryBudget.ratio) / 100,
      minimum: retryBudget.minimum ?? standard2.minimum
    },
    circuitBreaker: circuitBreaker === void 0 ? standard3.circuitBreaker : circuitBreaker === !1 ? void 0 : breakerOf(circuitBreaker)
  };
  return known.set(retry, limits), limits;
}, policyOf = (retry, log) => {
  let { on, times } = retry, most = times ?? defaultTimes;
  return {
    ...limitsOf(retry),
    schedule: backoff({ retries: most }),
    when: (error, call) => (
      // The schedule limits the retries of each poll: a long job must not use up the retries of its row.
      (log === void 0 || call.method === "GET" || log.made <= most) && (on === void 0 ? isSafe(error, call) : on.some((cause) => matches(error, cause)) && (call.repeatable !== "unsent" || isSafe(error, call)))
    ),
    // Reading the pages of a job costs nothing, and giving up loses what is paid for.
    outage: times === void 0 && on === void 0 ? outage : { ...outage, when: (error, call) => call.method === "GET" && isUnreachable(error) }
  };
}, servicesOf = (retry, log) => {
  let counted = log === void 0 ? empty() : make(Attempts, log);
  return retry === void 0 ? counted : merge(counted, make(RetryPolicy, policyOf(retry, log)));
}, withRetry = (effect, retry, log) => provide(effect, servicesOf(retry, log)), withRetryStream = (stream, retry, log) => provideSomeContext(stream, servicesOf(retry, log)), pageRetry = (retry, log) => {
  let { on, times = defaultTimes } = retry ?? {};
  return on === void 0 || times === 0 ? succeed2(() => succeed2(!1)) : map(
    driver(backoffDelays(times)),
    (waits) => (outcome) => log.made <= times && on.some((cause) => matchesPage(outcome, cause)) ? match3(waits.next(void 0), { onFailure: () => !1, onSuccess: () => !0 }) : succeed2(!1)
  );
};

// src/Run/Operator.ts
var mergeInputs = (operator, upstream) => {
  let open3 = new Set(upstream);
  return (from) => ({
    ...operator,
    finish: suspend(() => (open3.delete(from), open3.size === 0 ? operator.finish : _void))
  });
}, makeExit = (counters, tap2) => ({
  id: "~exit",
  push: (rows2) => suspend(() => (counters.rows += rows2.length, tap2?.take(rows2) ?? _void)),
  finish: _void,
  capacity: tap2?.capacity ?? { isFree: () => !0, wait: _void },
  wants: () => !0
}), makeDownstream = (id, readers, ended2, { counters, observe, shutdown }) => {
  let capacity = {
    isFree: () => readers.every((reader) => reader.capacity.isFree()),
    wait: forEach(readers, (reader) => reader.capacity.wait, { discard: !0 })
  };
  return {
    push: (rows2) => gen(function* () {
      if (rows2.length !== 0) {
        counters.give(id, rows2.length), observe !== void 0 && (yield* observe(id, rows2));
        for (let reader of readers)
          reader.wants() ? yield* reader.push(rows2) : counters.markIncomplete(reader.id, "wanted");
      }
    }),
    finish: zipRight(
      forEach(readers, (reader) => reader.finish, { discard: !0 }),
      succeed(ended2, void 0)
    ),
    capacity,
    // During a shutdown no capacity comes back.
    waitForCapacity: suspend(
      () => capacity.isFree() ? _void : measureBackpressure(raceFirst(capacity.wait, shutdown.requested), id)
    ),
    wants: () => readers.some((reader) => reader.wants())
  };
}, resolveFailures = (failures, { context, keepFailures, downstream, errorPolicy }) => gen(function* () {
  for (let [at, [row, error]] of failures.entries()) {
    let reached = errorPolicy.limitError();
    if (reached !== void 0)
      return keepFailures(failures.slice(at)), reached;
    let { made } = yield* errorPolicy.upToLimit(context.failed(row, error));
    yield* downstream.push(made);
  }
  return keepFailures([]), errorPolicy.limitError();
}), deliverBatch = (batch, delivery, { buffer, counters }) => gen(function* () {
  let { context, remaining: remaining2, saveCursor, downstream } = delivery, wanted = remaining2(), rows2 = batch.rows.length > wanted ? batch.rows.slice(0, wanted) : batch.rows;
  buffer.book(context.id, batch), saveCursor(batch.cursor), batch.taken?.(), counters.uncommitted++, yield* downstream.push(rows2);
  let { failures = [] } = batch;
  return failures.length === 0 ? void 0 : yield* resolveFailures(failures, delivery);
}), deliver = (batches, delivery, run) => suspend(() => {
  let { drains, remaining: remaining2, downstream } = delivery, { budget, counters, fork: fork2, lock, shutdown } = run, ended2 = !1, isCut = !1, cut2 = (stop) => suspend(() => (isCut = !0, fork2(delivery.context.id, fail(stop)))), enough = () => remaining2() <= 0 || !downstream.wants(), all = batches.pipe(
    onEnd(
      sync(() => {
        ended2 = !0;
      })
    ),
    interruptWhen(drains ? shutdown.stopRequested : shutdown.requested),
    mapEffect(
      (batch) => lock.move(deliverBatch(batch, delivery, run)).pipe(
        flatMap(
          (stop) => stop === void 0 ? zipRight(downstream.waitForCapacity, budget.watch) : cut2(stop)
        ),
        map(() => isCut ? !0 : (!ended2 && enough() && (ended2 = !0, counters.markIncomplete(delivery.context.id, remaining2() <= 0 ? "trial" : "wanted")), ended2))
      )
    ),
    takeUntil((done) => done),
    runDrain,
    map(() => ended2 && !isCut)
  );
  return delivery.pendingFailures.length === 0 ? all : flatMap(
    lock.move(resolveFailures(delivery.pendingFailures, delivery)),
    (stop) => stop === void 0 ? all : as(cut2(stop), !1)
  );
}), SavedOperator = Struct({
  finished: optional(Boolean$),
  over: optional(Boolean$),
  cursor: optional(JsonValue),
  own: optional(JsonValue),
  /** Rows that it received and has not passed to the step. */
  held: optional(Array$(SavedRow)),
  /** Failed rows of its last batch after the reject that ended the run. */
  later: optional(Array$(SavedFailure))
}), decodeOperator = decodeState(SavedOperator), countBytes = ({ context, run, sink }) => {
  sink !== void 0 && run.counters.written.set(context.id, sink.bytes());
}, transformRows = (state, rows2) => {
  let { context, downstream, errorPolicy, run, transform } = state;
  return errorPolicy.chunkLimit() === Number.POSITIVE_INFINITY ? flatMap(transform.push(rows2), downstream.push) : gen(function* () {
    let made = [];
    for (let at = 0; at < rows2.length && !state.isStopped; ) {
      let to = at + Math.min(errorPolicy.chunkLimit(), rows2.length - at), part = yield* errorPolicy.upToLimit(
        transform.push(at === 0 && to === rows2.length ? rows2 : rows2.slice(at, to))
      );
      for (let row of part.made) made.push(row);
      at = to, part.stop !== void 0 && (state.isStopped = !0, state.waiting = rows2.slice(to), state.dirty = !0, yield* run.fork(context.id, fail(part.stop)));
    }
    yield* downstream.push(made);
  });
}, pushInto = (state, rows2) => suspend(() => state.finished || state.transform.full?.() === !0 ? _void : state.isStopped ? (state.waiting.push(...rows2), state.dirty = !0, _void) : transformRows(state, rows2)), pushWaiting = (state) => suspend(() => {
  let rows2 = state.waiting;
  return state.waiting = [], state.dirty = !0, pushInto(state, rows2);
}), endTransform = (state) => suspend(() => (state.over = !0, state.dirty = !0, state.downstream.finish)), drain = (state, rest) => {
  let { common, context, downstream, errorPolicy, run } = state, { counters, lock, shutdown } = run, end = lock.move(endTransform(state));
  return gen(function* () {
    if (!downstream.wants())
      return counters.markIncomplete(context.id, "wanted"), yield* end;
    yield* flatten(Commit);
    let delivery = {
      context,
      downstream,
      remaining: () => Number.POSITIVE_INFINITY,
      drains: !0,
      errorPolicy,
      pendingFailures: state.pendingFailures,
      keepFailures: (failures) => {
        state.dirty ||= failures.length > 0 || state.pendingFailures.length > 0, state.pendingFailures = failures;
      },
      saveCursor: (cursor) => {
        state.cursor = cursor, state.dirty = !0;
      }
    };
    (yield* deliver(withRetryStream(rest(state.cursor), common.retry), delivery, run)) && (yield* end);
  }).pipe(
    // A run that publishes what was paid for ends when it can pay no more.
    catchIf(
      (error) => error instanceof BudgetReached && shutdown.isPublishing(),
      () => end
    ),
    shutdown.ignoreStopped,
    ensuring(
      sync(() => {
        state.isDraining = !1;
      })
    )
  );
}, finishTransform = (state) => suspend(() => {
  let { context, run, transform } = state;
  return state.hasFinished || state.isStopped ? _void : (state.hasFinished = !0, state.finished = !0, state.dirty = !0, transform.end === void 0 || state.over ? endTransform(state) : (state.isDraining = !0, run.fork(context.id, run.shutdown.track(drain(state, transform.end)))));
}), saveTransform = (state) => map(state.transform.save ?? succeed2({}), ({ entries, value }) => {
  value !== void 0 && (state.own = value), countBytes(state);
  let isUnchanged = !state.dirty && value === void 0;
  if (state.dirty = !1, isUnchanged) return { entries };
  let { cursor, finished, over, own: own2, pendingFailures, waiting } = state, held = waiting.length === 0 ? {} : { held: waiting.map(toJson) }, later = pendingFailures.length === 0 ? {} : { later: pendingFailures.map(failureJson) };
  return { entries, value: { finished, over, cursor, own: own2, ...held, ...later } };
}), makeTransformOperator = ({ saved: saved2, ...parts }) => {
  let { context, downstream, run, sink, transform } = parts, { cursor, finished = !1, held = [], later = [], over = !1, own: own2 } = saved2 ?? {}, state = {
    ...parts,
    cursor,
    finished,
    over,
    own: own2,
    pendingFailures: later.map(failureOf),
    waiting: [...held],
    hasFinished: !1,
    isStopped: !1,
    isDraining: !1,
    dirty: !1
  };
  countBytes(state);
  let finish = finishTransform(state);
  return {
    id: context.id,
    push: (rows2) => pushInto(state, rows2),
    finish,
    start: finished ? run.lock.move(finish) : suspend(() => state.waiting.length > 0 ? run.lock.move(pushWaiting(state)) : _void),
    capacity: downstream.capacity,
    wants: () => !state.finished && transform.full?.() !== !0 && downstream.wants(),
    save: saveTransform(state),
    abandon: suspend(
      () => state.hasFinished && !state.over && !state.isDraining ? endTransform(state) : _void
    ),
    leftOut: () => (transform.left?.() ?? []).map(keyOf),
    seal: sink?.seal,
    discard: sink?.discard
  };
};

// src/Run/TaskTable.ts
var TaskTable = class {
  #tasks = /* @__PURE__ */ new Map();
  #changed = /* @__PURE__ */ new Map();
  #marks = new TaskMarks();
  /** Position of the next task. */
  next;
  constructor(next, saved2) {
    this.next = next;
    for (let [key, known2] of saved2) this.#tasks.set(key, taskOf(key, void 0, this.#marks, known2));
  }
  get size() {
    return this.#tasks.size;
  }
  all() {
    return this.#tasks.values();
  }
  add(row) {
    let task = taskOf(ordinal(this.next++), row, this.#marks);
    return this.#tasks.set(task.key, task), this.#changed.set(task.key, task), task;
  }
  save(task) {
    this.#changed.set(task.key, task);
  }
  remove(task) {
    this.#tasks.delete(task.key), task.isPersisted ? this.#changed.set(task.key, void 0) : this.#changed.delete(task.key), this.#marks.leave(task);
  }
  /** Changes since the last call, for a checkpoint. */
  changes() {
    let entries = Array.from(this.#changed, ([key, task]) => (task !== void 0 && (task.isPersisted = !0), [key, task === void 0 ? void 0 : taskJson(task)]));
    return this.#changed.clear(), this.#marks.saved(), entries;
  }
}, ordinal = (index) => String(index).padStart(12, "0"), SavedTask = Struct({
  row: optional(SavedRow),
  mark: String$,
  base: String$,
  cursor: optional(JsonValue),
  later: optional(Array$(SavedFailure)),
  /** Rows that replace a failed row. */
  instead: optional(Array$(SavedRow))
}), decodeTasks = decodeEntries(SavedTask), numberOf = (base, mark) => Number(mark.slice(base.length + 1)), TaskMarks = class {
  #alike = /* @__PURE__ */ new Map();
  #left = [];
  /** Takes a mark for a task with this row; `known` is its mark from before a resume. */
  take(base, known2) {
    let alike = this.#alike.get(base) ?? { taken: /* @__PURE__ */ new Set(), free: 0 };
    for (this.#alike.set(base, alike); known2 === void 0 && alike.taken.has(alike.free); ) alike.free++;
    let number = known2 === void 0 ? alike.free : numberOf(base, known2);
    return alike.taken.add(number), known2 ?? (number === 0 ? base : `${base}#${number}`);
  }
  /** Returns the mark of a finished task; it is free after the next checkpoint. */
  leave({ base, mark }) {
    this.#left.push({ base, mark });
  }
  /** Called by a checkpoint, which drops the answers of finished tasks. */
  saved() {
    for (let { base, mark } of this.#left) {
      let alike = this.#alike.get(base), number = numberOf(base, mark);
      alike?.taken.delete(number), alike?.taken.size === 0 ? this.#alike.delete(base) : alike !== void 0 && (alike.free = Math.min(alike.free, number));
    }
    this.#left = [];
  }
}, baseOf = (row) => {
  let { data, jobId, position, source } = row;
  return sha256(JSON.stringify({ data, key: keyOf(row), source, position, jobId })).slice(0, 32);
}, taskOf = (key, row, marks, known2) => {
  let base = known2?.base ?? (row === void 0 ? "" : baseOf(row));
  return {
    key,
    row: known2?.row ?? row,
    base,
    mark: marks.take(base, known2?.mark),
    cursor: known2?.cursor,
    pendingFailures: known2?.later?.map(failureOf) ?? [],
    callMarks: [],
    output: known2?.instead,
    failed: known2?.instead !== void 0,
    isPersisted: known2 !== void 0
  };
}, taskJson = ({ base, cursor, failed, output, mark, row, pendingFailures }) => ({
  row: row === void 0 ? void 0 : toJson(row),
  base,
  mark,
  cursor,
  later: pendingFailures.length === 0 ? void 0 : pendingFailures.map(failureJson),
  instead: failed ? output?.map(toJson) : void 0
});

// src/Run/OutputLimit.ts
var idOf2 = (step) => `~intake/${step}`, decodeBuffered = decodeEntries(SavedRow), make11 = ({ countsRows, id, inner, run, saved: saved2, sizeOf }) => {
  let { budget, counters, lock, shutdown } = run, buffered = new Map(saved2), changed = /* @__PURE__ */ new Map(), leftOut = [], next = saved2.reduce((last, [key]) => Math.max(last, Number(key) + 1), 0), isFinishing = !1, buffer = (rows2) => {
    for (let row of rows2) {
      let key = ordinal(next++);
      buffered.set(key, row), changed.set(key, toJson(row));
    }
    return counters.isCut = !0, counters.uncommitted += rows2.length, shutdown.request("budget");
  }, takeBuffered = () => {
    let rows2 = [...buffered.values()];
    for (let key of buffered.keys()) changed.set(key, void 0);
    return buffered.clear(), rows2;
  }, pass = (rows2, sizes) => rows2.length === 0 ? _void : flatMap(
    budget.admit(rows2, { countsRows, sizes }),
    (fits) => fits === 0 ? buffer(rows2) : zipRight(
      inner.push(fits === rows2.length ? rows2 : rows2.slice(0, fits)),
      suspend(() => pass(rows2.slice(fits), sizes.slice(fits)))
    )
  ), push = (rows2) => rows2.length === 0 ? _void : buffered.size > 0 ? buffer(rows2) : flatMap(budget.measure(rows2, sizeOf), (sizes) => pass(rows2, sizes)), finish = suspend(() => (isFinishing = !0, buffered.size > 0 ? _void : inner.finish));
  return {
    id,
    push,
    finish,
    /** Passes the rows that were buffered before the resume. */
    start: lock.move(
      suspend(
        () => buffered.size === 0 ? _void : zipRight(
          push(takeBuffered()),
          suspend(() => isFinishing ? finish : _void)
        )
      )
    ),
    /** Leaves the rows that did not fit to the next run. */
    abandon: suspend(() => {
      for (let row of takeBuffered()) leftOut.push(keyOf(row));
      return isFinishing ? inner.finish : _void;
    }),
    leftOut: () => leftOut,
    capacity: inner.capacity,
    wants: inner.wants,
    save: sync(() => {
      let entries = [...changed];
      return changed.clear(), { entries };
    })
  };
};

// src/Run/Values.ts
var named = (checked, node) => {
  let ids = namedSteps(node);
  return checked.nodes.filter((each) => each.step.behaviour.kind === "value" && ids.has(each.id));
}, awaitsValue = (checked, node, instead) => instead?.has(node.id) !== !0 && named(checked, node).length > 0, makeDecode = (checked, run) => gen(function* () {
  let scope2 = yield* scope, runValues = describeRun(checked, run), values = /* @__PURE__ */ new Map(), decodeNode = (node) => gen(function* () {
    let steps = {};
    for (let { id } of named(checked, node)) {
      if (run.instead?.has(node.id) === !0) {
        steps[id] = { output: open };
        continue;
      }
      let value = values.get(id);
      value !== void 0 && (steps[id] = { output: yield* value });
    }
    let decoded = yield* decode(node, {
      inputs: checked.inputs,
      env: run.env ?? {},
      secrets: run.secrets ?? (() => {
      }),
      run: runValues,
      steps
    });
    if (isRight(decoded)) return { ...decoded.right, steps };
    let mistakes = decoded.left.map((mistake) => ({ ...mistake, ...checked.source.locate(mistake.path) }));
    return yield* new DefinitionInvalid({ file: checked.source.file, mistakes });
  });
  for (let node of checked.nodes) {
    let { behaviour } = node.step;
    if (behaviour.kind !== "value") continue;
    let get3 = gen(function* () {
      let { common, config, steps } = yield* decodeNode(node);
      if (common.when === !1) return;
      if (common.pin !== void 0) return yield* answer(checked, node, common.pin, config);
      let { context } = makeStepContext(checked, run, node, common, steps), ask = extend(withRetry(behaviour.get(config, context), common.retry), scope2);
      if (behaviour.fleeting === !0) return yield* ask;
      let cost = node.step.cost?.(config);
      return yield* context.once(
        {
          name: "value",
          ...cost === void 0 ? {} : { buys: { cost: () => cost }, book: () => ({ credits: void 0 }) }
        },
        () => map(ask, (value) => value ?? null)
      );
    }), located = mapError(
      get3,
      (error) => error._tag === "StepError" ? inStep(error, checked, node) : error
    );
    values.set(node.id, yield* cached(located));
  }
  return decodeNode;
});

// node_modules/effect/dist/esm/internal/rateLimiter.js
var make12 = ({
  algorithm = "token-bucket",
  interval,
  limit
}) => {
  switch (algorithm) {
    case "fixed-window":
      return fixedWindow(limit, interval);
    case "token-bucket":
      return tokenBucket(limit, interval);
  }
}, tokenBucket = (limit, window) => gen(function* () {
  let millisPerToken = Math.ceil(toMillis(window) / limit), semaphore = yield* makeSemaphore(limit), latch = yield* makeSemaphore(0), refill = sleep(millisPerToken).pipe(zipRight(latch.releaseAll), zipRight(semaphore.release(1)), flatMap((free) => free === limit ? _void : refill));
  yield* pipe(latch.take(1), zipRight(refill), forever, forkScoped, interruptible);
  let take2 = uninterruptibleMask((restore) => flatMap(get2(currentCost), (cost) => zipRight(restore(semaphore.take(cost)), latch.release(1))));
  return (effect) => zipRight(take2, effect);
}), fixedWindow = (limit, window) => gen(function* () {
  let semaphore = yield* makeSemaphore(limit), latch = yield* makeSemaphore(0);
  yield* pipe(latch.take(1), zipRight(sleep(window)), zipRight(latch.releaseAll), zipRight(semaphore.releaseAll), forever, forkScoped, interruptible);
  let take2 = uninterruptibleMask((restore) => flatMap(get2(currentCost), (cost) => zipRight(restore(semaphore.take(cost)), latch.release(1))));
  return (effect) => zipRight(take2, effect);
}), currentCost = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/RateLimiter/currentCost"), () => unsafeMake2(1));

// node_modules/effect/dist/esm/RateLimiter.js
var make13 = make12;

// src/Run/WorkerPool.ts
var minCapacity = 16, decodePool = decodeState(
  Struct({ next: optional(Number$), finished: optional(Boolean$) })
), updateCapacity = (pool) => suspend(() => pool.tasks.size > pool.capacity ? pool.hasCapacity.close : pool.hasCapacity.open), endIfDone = (pool) => suspend(() => !pool.finished || pool.tasks.size > 0 || pool.ended ? _void : (pool.ended = !0, pool.downstream.finish)), removeTask = ({ id, run, tasks }, task) => {
  tasks.remove(task), run.callCache.release(id, task.callMarks);
}, pushFinished = (pool) => gen(function* () {
  for (let task of pool.tasks.all()) {
    if (task.output === void 0) {
      if (pool.ordered) break;
      continue;
    }
    removeTask(pool, task), yield* pool.downstream.push(task.output);
  }
}), completeTask = (pool) => (task, output) => gen(function* () {
  pool.isAbandoned || (task.output = output, pool.ordered ? yield* pushFinished(pool) : (removeTask(pool, task), yield* pool.downstream.push(output)), yield* updateCapacity(pool), yield* endIfDone(pool));
}), actionsOf = (pool) => {
  let complete = completeTask(pool);
  return {
    complete,
    completeFailed: (task, replacement) => suspend(() => (task.failed = !0, pool.tasks.save(task), pool.run.callCache.release(pool.id, task.callMarks), task.callMarks.length = 0, complete(task, replacement))),
    saveProgress: (task) => pool.tasks.save(task)
  };
}, abandonTasks = (pool) => gen(function* () {
  let { downstream, id, leftOut, run, tasks } = pool;
  pool.isAbandoned = !0;
  for (let task of [...tasks.all()]) {
    if (removeTask(pool, task), task.output !== void 0) {
      yield* downstream.push(task.output);
      continue;
    }
    task.row !== void 0 && leftOut.push(keyOf(task.row)), run.counters.markIncomplete(id, "budget");
  }
  pool.finished = !0, pool.dirty = !0, yield* endIfDone(pool);
}), takeTask = ({ queue, run: { shutdown } }) => suspend(
  () => shutdown.reason() !== void 0 ? succeed2(none()) : raceFirst(asSome(take(queue)), as(shutdown.requested, none()))
), runWorker = (pool, work) => {
  let { downstream, id, run } = pool, { counters, lock, shutdown } = run, actions = actionsOf(pool), traced = within("Run.task", { attributes: { "sluice.step": id } }), perform = (task) => suspend(() => downstream.wants() ? work.run(task, actions) : (counters.markIncomplete(id, "wanted"), lock.move(actions.complete(task, [])))).pipe(shutdown.ignoreStopped, zipRight(downstream.waitForCapacity)), loop = flatMap(
    takeTask(pool),
    match({
      onNone: () => _void,
      onSome: (task) => shutdown.reason() !== void 0 ? _void : (pool.busy++, shutdown.track(traced(perform(task))).pipe(ensuring(sync(() => {
        pool.busy--;
      })), zipRight(suspend(() => loop))))
    })
  );
  return loop;
}, startWorkers = (pool) => gen(function* () {
  let { hasTasks, id, ordered, run } = pool, { fork: fork2, shutdown } = run;
  if (yield* raceFirst(hasTasks.await, shutdown.requested), shutdown.reason() !== void 0) return;
  let work = yield* pool.work, workers = ordered && work.inTurn === !0 ? 1 : work.concurrency;
  pool.capacity = Math.max(pool.capacity, workers * 2);
  let inStep2 = yield* shared("Run.step", workers, { "sluice.step": id, "sluice.concurrency": workers });
  yield* forEach(Array.from({ length: workers }), () => fork2(id, inStep2(runWorker(pool, work))), {
    discard: !0
  });
}).pipe(pool.run.shutdown.ignoreStopped), makePool = ({ saved: saved2, ...parts }) => gen(function* () {
  let { downstream, id, isRoot: isRoot2, run } = parts, state = yield* decodePool({ id }, saved2.value), tasks = new TaskTable(state?.next ?? 0, yield* decodeTasks({ id }, saved2));
  isRoot2 && state === void 0 && tasks.add(void 0);
  let restored2 = [...tasks.all()].filter(({ output }) => output === void 0), pool = {
    ...parts,
    tasks,
    queue: yield* unbounded(),
    hasTasks: yield* makeLatch(!1),
    hasCapacity: yield* makeLatch(!0),
    leftOut: [],
    capacity: minCapacity,
    busy: 0,
    finished: state?.finished ?? isRoot2,
    ended: !1,
    isAbandoned: !1,
    dirty: state === void 0
  };
  return {
    id,
    push: (rows2) => gen(function* () {
      if (!downstream.wants()) return void run.counters.markIncomplete(id, "wanted");
      yield* offerAll(
        pool.queue,
        rows2.map((row) => tasks.add(row))
      ), yield* zipRight(pool.hasTasks.open, updateCapacity(pool));
    }),
    finish: suspend(() => (pool.finished || (pool.dirty = !0), pool.finished = !0, endIfDone(pool))),
    start: gen(function* () {
      yield* run.lock.move(zipRight(pushFinished(pool), endIfDone(pool))), yield* offerAll(pool.queue, restored2), tasks.size > 0 && (yield* pool.hasTasks.open), yield* updateCapacity(pool), yield* run.fork(id, startWorkers(pool));
    }),
    capacity: { isFree: () => tasks.size <= pool.capacity, wait: pool.hasCapacity.await },
    abandon: abandonTasks(pool),
    leftOut: () => pool.leftOut,
    wants: downstream.wants,
    load: () => ({
      buffered: tasks.size,
      capacity: pool.capacity,
      busy: pool.busy,
      blocked: !downstream.capacity.isFree()
    }),
    save: sync(() => {
      let entries = tasks.changes(), value = pool.dirty || entries.length > 0 ? { next: tasks.next, finished: pool.finished } : void 0;
      return pool.dirty = !1, { value, entries };
    })
  };
}), tookTooLong = (limit) => new StepError({ reason: "Timeout", message: `took longer than the step's timeout of ${format(limit)}` }), resolveTask = (task, row, error, { errorPolicy }, actions, { lock }, then = _void) => lock.move(
  flatMap(errorPolicy.resolve(row, error), ({ replacement, stop }) => stop === error ? fail(error) : as(replacement === void 0 ? _void : actions.completeFailed(task, replacement), stop))
).pipe(
  tap(then),
  flatMap((stop) => stop === void 0 ? _void : fail(stop))
), withAttempts = (error, { failures, made }) => error.attempts === void 0 ? error.with({ attempts: made === 0 ? failures.length : made }) : error, rateLimitOf = ({ common: { rate }, context }, { awaitTurn }) => rate === void 0 ? succeed2(void 0) : awaitTurn === void 0 ? make13(rate) : succeed2((effect) => zipRight(awaitTurn(context.id, rate), effect)), makeAwaitTurn = ({ sharedLimits }, group) => group === void 0 ? void 0 : (step, { interval, limit }) => sharedLimits.takeTurn(`${group}/${step}`, { limit, interval: toMillis(interval) }).pipe(
  mapError(ledgerFailed),
  flatMap((wait) => wait === 0 ? _void : sleep(wait))
), itemWork = (apply, part, run) => map(rateLimitOf(part, run), (limited2) => {
  let { common, config, forTask } = part, { lock, shutdown } = run, { timeout: timeout2 } = common;
  return (task, actions) => {
    let { complete } = actions, { row } = task;
    if (row === void 0) return lock.move(complete(task, []));
    let attempts = { made: 0, failures: [] }, answered = (mark) => {
      task.callMarks.push(mark);
    }, made = flatMap(
      pageRetry(common.retry, attempts),
      (retryPage) => withRetry(
        apply(config, row, forTask({ mark: task.mark, answered, attempts, retryPage })),
        common.retry,
        attempts
      )
    ), resolved = (timeout2 === void 0 ? made : limited(made, { duration: timeout2, onTimeout: () => tookTooLong(timeout2) })).pipe(
      matchEffect({
        onSuccess: (next) => lock.move(complete(task, [next])),
        onFailure: (error) => error.scope === "run" ? fail(error) : resolveTask(task, row, withAttempts(error, attempts), part, actions, run)
      })
    );
    return limited2 === void 0 ? resolved : limited2(suspend(() => shutdown.reason() === void 0 ? resolved : _void));
  };
}), endJobs = (jobs, { runningJobs }) => suspend(
  () => forEach(
    jobs,
    ([jobId, end]) => suspend(() => (runningJobs.delete(jobId), end)),
    { discard: !0 }
  )
), deliveryOf = (task, { context, drains, errorPolicy }, downstream, { saveProgress }, { counters, wanted }) => ({
  context,
  downstream,
  drains,
  remaining: () => wanted === void 0 ? Number.POSITIVE_INFINITY : wanted - (counters.given.get(context.id) ?? 0),
  errorPolicy,
  pendingFailures: task.pendingFailures,
  keepFailures: (failures) => {
    failures.length === 0 && task.pendingFailures.length === 0 || (task.pendingFailures = failures, saveProgress(task));
  },
  saveCursor: (cursor) => {
    task.cursor = cursor, saveProgress(task);
  }
}), sourceWork = ({ drains = !1, read }, part, downstream, run) => (task, actions) => {
  let { common, config, errorPolicy, forTask } = part, { counters, lock } = run, { row } = task, attempts = { made: 0, failures: [] }, unfinishedJobs = /* @__PURE__ */ new Map(), answered = (mark) => {
    task.callMarks.push(mark);
  }, context = forTask({ mark: task.mark, answered, attempts, unfinishedJobs }), delivery = deliveryOf(task, { context, drains, errorPolicy }, downstream, actions, run), complete = lock.move(actions.complete(task, []));
  if (delivery.remaining() <= 0) return complete;
  let batches = read(config, context, { row, from: task.cursor }), delivered = deliver(
    withRetryStream(batches, common.retry, row === void 0 ? void 0 : attempts),
    delivery,
    run
  ).pipe(flatMap((all) => all ? complete : _void));
  return row === void 0 ? delivered : catchIf(
    delivered,
    // A failure that left rows half moved is one of the steps downstream.
    (error) => error.scope !== "run" && lock.isConsistent(),
    (error) => resolveTask(task, row, withAttempts(error, attempts), part, actions, run, endJobs(unfinishedJobs, counters))
  );
}, makeWork = (what, part, downstream, run) => {
  let { concurrency } = part.context;
  if (what === "nothing")
    return succeed2({ concurrency: 1, run: (task, { complete }) => run.lock.move(complete(task, task.row === void 0 ? [] : [task.row])) });
  if (!("kind" in what))
    return succeed2({ concurrency: 1, run: sourceWork({ read: (_, __, begin2) => countedBatches(begin2)(fromIterable(what)) }, part, downstream, run), inTurn: !0 });
  switch (what.kind) {
    case "item":
      return map(itemWork(what.apply, part, run), (run2) => ({ concurrency, run: run2 }));
    case "source":
      return succeed2({
        concurrency: part.common.concurrency ?? 1,
        run: sourceWork(what, part, downstream, run),
        inTurn: !0
      });
    default:
      return dieMessage(`a step that is ${what.kind} has no tasks`);
  }
};

// src/Run/Topology.ts
var passRows = { push: succeed2 }, dropRows = { push: () => succeed2([]) }, emitInstead = (rows2) => ({
  push: () => succeed2([]),
  end: (from) => countedBatches({ from })(fromIterable(rows2))
}), locateTransform = (transform, checked, node) => {
  let locate = (error) => inStep(error, checked, node), { push, save } = transform;
  return {
    ...transform,
    push: (rows2) => mapError(push(rows2), locate),
    save: save && mapError(save, locate)
  };
}, locateSink = (sink, checked, node) => {
  let locate = (error) => inStep(error, checked, node);
  return {
    ...sink,
    push: (rows2) => mapError(sink.push(rows2), locate),
    save: mapError(sink.save, locate),
    seal: mapError(sink.seal, locate)
  };
}, savedState = ({ journal }, id) => mapError(journal.savedState(id), ledgerFailed), makePrepare = (checked, run, opened) => map(
  makeDecode(checked, run),
  (decode2) => (node) => gen(function* () {
    let { common, config, steps } = yield* decode2(node), own2 = makeStepContext(checked, run, node, common, steps);
    opened(own2.errorPolicy);
    let prepared = { common, config, ...own2 }, { behaviour } = node.step;
    if (behaviour.kind !== "transform" && behaviour.kind !== "sink") return prepared;
    if (common.when === !1 || run.instead?.has(node.id) === !0) return { ...prepared, transform: passRows };
    let { entries, value } = yield* savedState(run, node.id), saved2 = { entries, value: (yield* decodeOperator(node, value))?.own };
    if (behaviour.kind === "sink") {
      let sink = locateSink(yield* behaviour.open(config, own2.context, saved2), checked, node);
      return { ...prepared, transform: sink, sink };
    }
    return {
      ...prepared,
      transform: locateTransform(yield* behaviour.make(config, own2.context, saved2), checked, node)
    };
  }).pipe(mapError((error) => error._tag === "StepError" ? inStep(error, checked, node) : error))
), isOpenedEarly = ({ step: { behaviour } }) => behaviour.kind === "transform" || behaviour.kind === "sink", prepareAll = (checked, run, steps, prepare) => gen(function* () {
  let prepared = /* @__PURE__ */ new Map(), waits = (node) => awaitsValue(checked, node, run.instead), early = steps.filter((node) => !waits(node)), late = steps.filter((node) => waits(node) && isOpenedEarly(node));
  return yield* forEach(
    [...early, ...late],
    (node) => map(prepare(node), (step) => prepared.set(node.id, step))
  ).pipe(
    onError(
      () => forEach(run.resume === void 0 ? prepared.values() : [], ({ sink }) => sink?.discard ?? _void)
    )
  ), prepared;
}), isOrdered = (node, steps, prepared) => steps.some((reader) => {
  if (!reader.inputs.includes(node.id)) return !1;
  let { behaviour } = reader.step;
  return behaviour.kind === "sink" && behaviour.destination(prepared.get(reader.id)?.config)?.isOrdered === !0 || isOrdered(reader, steps, prepared);
}), isSink = ({ id, step }) => step.behaviour.kind === "sink" && !id.startsWith("~"), outputLimitsOf = ({ all = [], frame, nodes }) => {
  let { bytes, rows: rows2 } = frame.budget ?? {}, byId = new Map([...nodes, ...all].map((node) => [node.id, node])), above = ({ id }) => (byId.get(id)?.inputs ?? []).flatMap((input) => {
    let node = byId.get(input);
    return node === void 0 ? [] : [node, ...above(node)];
  }), countsRows = (node) => !above(node).some(isSink);
  return {
    countsRows,
    /** Bytes count in every file. */
    isLimited: (node) => !node.id.startsWith("~") && (bytes !== void 0 || rows2 !== void 0 && countsRows(node))
  };
}, makePool2 = ({ endOf, prepare, prepared, run, steps }, node, downstream, rows2) => gen(function* () {
  let step = prepared.get(node.id), { behaviour } = node.step, work = forEach(node.after, (id) => _await2(endOf(id)), { discard: !0 }).pipe(
    zipRight(step === void 0 ? prepare(node) : succeed2(step)),
    flatMap((step2) => {
      let isOff = step2.common.when === !1;
      return isOff && behaviour.kind === "source" && run.counters.markIncomplete(node.id, "skipped"), makeWork(isOff ? "nothing" : rows2 ?? behaviour, step2, downstream, run);
    }),
    mapError((error) => error._tag === "StepError" ? error : StepError.of(error))
  );
  return yield* makePool({
    id: node.id,
    isRoot: isRoot(node),
    ordered: isOrdered(node, steps, prepared),
    saved: yield* savedState(run, node.id),
    work,
    downstream,
    run
  });
}), isRoot = ({ inputs, step }) => step.behaviour.kind === "source" && inputs.length === 0, makeOperator = (parts, node, downstream) => gen(function* () {
  let { prepared, run } = parts, step = prepared.get(node.id), isSource3 = node.step.behaviour.kind === "source", isOff = step?.common.when === !1;
  isOff && isSource3 && run.counters.markIncomplete(node.id, "skipped");
  let rows2 = isRoot(node) && run.replay !== void 0 ? [] : run.instead?.get(node.id), replaced = rows2 === void 0 || isRoot(node) || isOff ? void 0 : emitInstead(rows2), whenOff = isOff && !isRoot(node) ? isSource3 ? dropRows : passRows : void 0, transform = replaced ?? step?.transform ?? whenOff;
  if (step === void 0 || transform === void 0) return yield* makePool2(parts, node, downstream, rows2);
  let { common, context, errorPolicy, sink } = step, saved2 = yield* decodeOperator(node, (yield* savedState(run, node.id)).value);
  return makeTransformOperator({ context, common, errorPolicy, transform, sink, saved: saved2, downstream, run });
}), connect = (parts) => gen(function* () {
  let { checked, endOf, prepared, run, steps } = parts, limits = outputLimitsOf(checked), exit = makeExit(run.counters, run.tap), operators = /* @__PURE__ */ new Map(), merges = /* @__PURE__ */ new Map(), readersOf = (node) => steps.flatMap(({ id, inputs }) => {
    let reader = inputs.includes(node.id) ? operators.get(idOf2(id)) ?? operators.get(id) : void 0;
    if (reader === void 0) return [];
    if (inputs.length === 1) return [reader];
    let merge2 = merges.get(id) ?? mergeInputs(reader, inputs);
    return merges.set(id, merge2), [merge2(node.id)];
  }), limit = (node, inner, sizeOf) => gen(function* () {
    let id = idOf2(node.id), saved2 = yield* decodeBuffered({ id }, yield* savedState(run, id)), operator = make11({ id, inner, saved: saved2, sizeOf, countsRows: limits.countsRows(node), run });
    return operators.set(id, operator), operator;
  });
  for (let node of steps.toReversed()) {
    let readers = readersOf(node), isLimitedEnd = node.step.behaviour.kind !== "sink" && limits.isLimited(node), receivers = readers.length > 0 ? readers : [isLimitedEnd ? yield* limit(node, exit) : exit], operator = yield* makeOperator(parts, node, makeDownstream(node.id, receivers, endOf(node.id), run));
    operators.set(node.id, operator), isSink(node) && limits.isLimited(node) && run.instead?.has(node.id) !== !0 && (yield* limit(node, operator, prepared.get(node.id)?.sink?.sizeOf));
  }
  return operators;
}), abandonRest = ({ endOf, run, steps }, operators) => gen(function* () {
  yield* run.shutdown.publishPaid;
  let leftOut = [], abandon = (operator) => operator?.abandon === void 0 ? _void : run.lock.move(operator.abandon);
  for (let node of steps) {
    let limit = operators.get(idOf2(node.id)), operator = operators.get(node.id);
    yield* forEach([limit, operator, limit], abandon, { discard: !0 }), yield* _await2(endOf(node.id)), yield* abandon(limit), leftOut.push(...limit?.leftOut?.() ?? [], ...operator?.leftOut?.() ?? []);
  }
  return leftOut;
}), build = (checked, run) => gen(function* () {
  let steps = checked.nodes.filter((node) => node.step.behaviour.kind !== "value"), policies = [], prepare = yield* makePrepare(checked, run, (policy) => policies.push(policy)), prepared = yield* prepareAll(checked, run, steps, prepare), ends = /* @__PURE__ */ new Map();
  for (let node of checked.nodes) ends.set(node.id, yield* make4());
  let never2 = yield* make4(), endOf = (step) => ends.get(step) ?? never2, parts = { checked, run, steps, prepare, prepared, endOf }, operators = yield* connect(parts);
  return {
    operators: [...operators.values()],
    ended: forEach(steps, ({ id }) => _await2(endOf(id)), { discard: !0 }),
    abandonRest: abandonRest(parts, operators),
    checkRejectsAtStart: suspend(
      () => forEach(policies, ({ checkAtStart }) => checkAtStart, { discard: !0 })
    ),
    checkRejectsAtEnd: suspend(
      () => forEach(policies, ({ checkAtEnd }) => checkAtEnd, { discard: !0 })
    )
  };
});

// src/Run/Runtime.ts
var warnAboutGrowth = (pipeline, touches) => gen(function* () {
  let { history } = yield* Ledger, [last] = yield* mapError(history.runs({ pipeline, limit: 1 }), ledgerFailed), grown = last === void 0 ? void 0 : addedResources(touches, mapping(last.options).named);
  grown !== void 0 && (yield* logWarning(
    `${pipeline} names hosts, files or variables that its last run (${last?.id}) did not: ${grown}`
  ));
}), openJournal = (checked, options, handle) => gen(function* () {
  let ledger = yield* Ledger, scope2 = { env: options.env ?? {}, secrets: options.secrets ?? (() => {
  }) };
  yield* require2(checked, scope2);
  let run = describeRun(checked, { ...options, id: handle.id, startedAt: new Date(handle.startedAt) }), key = yield* stateKey(checked, { ...scope2, run }), touches = yield* resourcesOf(checked, void 0);
  options.resume === void 0 && options.group === void 0 && (yield* warnAboutGrowth(checked.frame.name, touches));
  let known2 = typeof key == "string" ? key : void 0, spec = makeRunSpec(checked, options, handle, { key: known2, touches }), journal = yield* mapError(ledger.open(spec), ledgerFailed);
  return yield* options.opened?.(handle.id) ?? _void, { checked, options, handle, journal, stateKey: known2 };
}), restoreCounters = (counters, resume, journal) => gen(function* () {
  resume !== void 0 && counters.restore(resume.progress, resume.bytes);
  let booked = yield* mapError(journal.booked, ledgerFailed);
  counters.callCredits = booked.credits, counters.callUnpriced = booked.unpriced, counters.callPages = booked.pages;
}), trialsOf = (options) => map(Ledger, ({ history }) => ({ isTrial: isTrial(options), written: history.trialOutputs })), makeFork = (checked, lock, failure, workers) => (step, work) => work.pipe(
  catchIf(
    (error) => isRefused(lock, error),
    () => _void
  ),
  mapError((error) => inStepNamed(error, checked, step)),
  catchAllCause(
    (cause) => isInterruptedOnly(cause) ? _void : failCause(failure, cause)
  ),
  extend(workers),
  interruptible,
  forkIn(workers),
  asVoid
), open2 = (journaled) => gen(function* () {
  let { checked, handle, journal, options, stateKey: stateKey2 } = journaled, { counters, id, startedAt } = handle, ledger = yield* Ledger;
  yield* restoreCounters(counters, options.resume, journal);
  let lock = yield* makeCommitLock(mapError(journal.verifyLocks, ledgerFailed)), shutdown = yield* make9, buffer = makeBuffer(counters), budget = yield* make6({
    limits: checked.frame.budget,
    counters,
    shutdown,
    rate: (yield* Tariff).rate,
    account: accountOf({
      ledger,
      journal,
      limits: checked.frame.budget,
      pipeline: checked.frame.name,
      runId: id,
      group: options.group,
      from: options.budgetFrom
    }),
    since: options.budgetFrom?.since
  }), callCache = yield* make7({ journal, counters, budget, shutdown, buffer }), rejects2 = yield* make5(`${options.dataDir}/runs/${id}`, counters.rejectBytes, {
    mayBeHeld: options.group !== void 0
  }), isReplay = options.replay !== void 0, completeness = makeCompleteness(checked, counters, { shutdown, isReplay }), states = make10({
    active: !isStateless(options),
    buffer,
    completeness,
    journal,
    historyKey: options.parentRun === void 0 ? stateKey2 : options.stateKey,
    rejects: rejects2
  }), workers = yield* acquireRelease(make3(), (scope2, exit) => close(scope2, exit)), failure = yield* make4(), run = {
    ...options,
    id,
    startedAt: new Date(startedAt),
    counters,
    lock,
    shutdown,
    budget,
    journal,
    callCache,
    buffer,
    rejects: rejects2,
    states,
    completeness,
    trials: yield* trialsOf(options),
    awaitTurn: makeAwaitTurn(ledger, options.group),
    fork: makeFork(checked, lock, failure, workers)
  };
  return { ...journaled, run, failure, workers };
}), build2 = (opened) => map(build(opened.checked, opened.run), (topology) => {
  let { checked, run } = opened, { budget, buffer, counters, journal, lock, rejects: rejects2, tap: tap2 } = run, { operators } = topology, options = { budget, buffer, counters, journal, lock, operators, rejects: rejects2, isRead: tap2?.read }, checkpoint = measureCommit(make8(options), checked.frame.name, counters);
  return { ...opened, topology, checkpoint };
}), statusOf3 = (reason) => reason instanceof BudgetReached ? "budget" : "failed", orWarn = (effect) => catchAll(asVoid(effect), ({ message }) => logWarning(message)), recordEnd = (journal) => (effect) => effect.pipe(
  tapError((reason) => orWarn(journal.end(statusOf3(reason), reason.message))),
  onInterrupt(() => orWarn(journal.end("stopped")))
), isFresh = ({ resume }) => resume === void 0 || resume.progress === null, pushReplay = ({ numbers, of, rows: rows2 }, { checked, run, topology }) => gen(function* () {
  for (let operator of topology.operators) {
    let again = rows2.get(operator.id) ?? [], [input] = checked.nodes.find(({ id }) => id === operator.id)?.inputs ?? [];
    input !== void 0 && run.counters.give(input, again.length), again.length > 0 && (yield* operator.push(again));
  }
  run.buffer.claim({ of, numbers });
}), awaitRows = ({ failure, run: { budget, shutdown }, topology }) => {
  let ended2 = as(topology.ended, "ended"), drained = as(shutdown.drained, "drained"), timedOut = zipRight(
    budget.timeOver,
    delay(succeed2("drained"), gracePeriod)
  );
  return raceFirst(_await2(failure), raceFirst(ended2, raceFirst(drained, timedOut)));
}, cut = ({ checked, failure, run, topology }) => gen(function* () {
  let { budget, buffer, counters, shutdown } = run, message = `the budget is used up: ${(yield* budget.reached) ?? "it was reached"}`;
  return checked.frame.budget?.onReached !== "publish" ? yield* new BudgetReached({ message }) : (yield* shutdown.request("budget"), buffer.deferRows(yield* raceFirst(topology.abandonRest, _await2(failure))), counters.budgetMessage = `${message}; what was paid for is published, the rest is left to the next run`, counters.budgetMessage);
}), drive = (built) => {
  let { checkpoint, failure, journal, options, run, topology } = built, { counters, lock, shutdown, tap: tap2 } = run, commit = zipRight(
    checkpoint,
    suspend(
      () => lock.isConsistent() && tap2?.isHere() !== !1 ? _void : new Stopped({ message: "a part of the run has failed, or nothing reads its rows" })
    )
  );
  return gen(function* () {
    yield* topology.checkRejectsAtStart, options.replay !== void 0 && isFresh(options) && (yield* lock.move(pushReplay(options.replay, built)), yield* checkpoint), yield* forEach(topology.operators, ({ start }) => start, { discard: !0 }), yield* run.fork("", mapError(journal.lockLost, ledgerFailed)), yield* run.fork("", repeat(counters, checkpoint));
    let how = yield* awaitRows(built);
    return counters.isCut || shutdown.reason() === "budget" && how === "drained" ? yield* cut(built) : void 0;
  }).pipe(
    catchIf(
      (error) => isRefused(lock, error),
      () => _await2(failure)
    ),
    provideService(Commit, commit)
  );
}, commitAll = ({ checked, checkpoint, failure, options, run, topology }) => gen(function* () {
  let { counters, lock, rejects: rejects2 } = run;
  if (counters.over = !0, counters.spent = options.parentRun === void 0 && isEveryRowRejected(checked, counters), yield* checkpoint, !lock.isConsistent()) return yield* _await2(failure);
  if (yield* topology.checkRejectsAtEnd, counters.spent) return yield* allRejected(counters.rejects, rejects2);
}), isWorthResuming = ({ options, run: { buffer, counters } }) => {
  if (counters.spent) return !1;
  if (options.resume !== void 0) return !0;
  let claim = buffer.claimStatus();
  if (claim !== "none") return claim === "committed";
  let { answers, bytes, credits: credits2, pages, rejects: rejects2, unpriced } = counters;
  return answers + bytes + credits2 + unpriced + pages + rejects2 > 0;
}, conclude = (built, status, why) => gen(function* () {
  let { handle, journal, topology } = built, resumable = isWorthResuming(built);
  yield* setResumable(handle, resumable), resumable || (yield* forEach(topology.operators, ({ discard }) => discard ?? _void, { discard: !0 })), yield* orWarn(journal.end(status, why));
}), setResumable = ({ phase }, resumable) => update(phase, (now) => now._tag === "Running" || now._tag === "Ended" ? { ...now, resumable } : now), windDown = (built, status, why) => gen(function* () {
  let { checkpoint, handle, run, workers } = built;
  (yield* get(handle.phase))._tag !== "Ended" && (status !== "budget" && (yield* run.shutdown.stopAndDrain), yield* close(workers, void_), yield* orWarn(run.lock.isConsistent() ? checkpoint : run.rejects.flush), yield* conclude(built, status, why), yield* update(handle.phase, (now) => now._tag === "Running" ? { ...now, _tag: "Ended" } : now));
}).pipe(uninterruptible), seal = (built) => forEach(
  built.topology.operators.toReversed().flatMap(({ seal: seal2 }) => seal2 === void 0 ? [] : [seal2]),
  (seal2) => seal2
).pipe(
  tap((sealed) => mapError(built.journal.recordSealed(sealed), ledgerFailed)),
  tapError(({ message }) => conclude(built, "failed", message))
), publish2 = ({ checked, handle, journal, options }, sealed, completeness, budgetMessage) => gen(function* () {
  let { forgetAfter } = checked.frame.state ?? {}, outputs = yield* mapError(publish(sealed, yield* trialsOf(options)), StepError.of);
  yield* forEach(
    sealed.flatMap(({ warnings }) => warnings),
    (warning) => logWarning(warning),
    { discard: !0 }
  );
  let expiry = forgetAfter && {
    after: toMillis(forgetAfter),
    steps: checked.remembering.filter((step) => completeness.mayForget(step))
  };
  if (yield* mapError(journal.complete(outputs, expiry, budgetMessage), ledgerFailed), forgetAfter !== void 0 && options.replay === void 0 && !isStateless(options))
    for (let step of checked.remembering.filter((each) => !completeness.mayForget(each))) {
      let why = completeness.warningOnce(step);
      why !== void 0 && (yield* logWarning(incompleteWarning(step, why)));
    }
  let status = budgetMessage === void 0 ? "completed" : "budget";
  yield* update(
    handle.phase,
    (now) => now._tag === "Running" ? { _tag: "Published", begun: now.begun, status, outputs } : now
  );
}).pipe(
  tapError(
    ({ message }) => zipRight(setResumable(handle, !0), orWarn(journal.end("failed", message)))
  )
), publishAgain = (journaled, sealed) => gen(function* () {
  let { checked, handle, journal, options } = journaled, { counters } = handle;
  yield* restoreCounters(counters, options.resume, journal);
  let completeness = makeCompleteness(checked, counters, { isReplay: options.replay !== void 0 }), budgetMessage = options.budgetMessage ?? counters.budgetMessage;
  return yield* publish2(journaled, sealed, completeness, budgetMessage), budgetMessage;
}), carryOut = (journaled) => gen(function* () {
  let { checked, handle, journal, options } = journaled, { counters } = handle;
  yield* setResumable(handle, options.resume !== void 0);
  let sealedBefore = yield* mapError(journal.sealed, ledgerFailed);
  if (sealedBefore !== void 0) return yield* publishAgain(journaled, sealedBefore);
  let built = yield* open2(journaled).pipe(flatMap(build2), recordEnd(journal)), cutBefore = options.budgetMessage ?? counters.budgetMessage, flow = drive(built).pipe(
    tap(() => commitAll(built)),
    tapError((reason) => windDown(built, statusOf3(reason), reason.message)),
    tapDefect((cause) => windDown(built, "failed", `a fault of sluice: ${String(squash(cause))}`)),
    onInterrupt(() => ignoreLogged(windDown(built, "stopped")))
  );
  return yield* uninterruptibleMask(
    (restore) => gen(function* () {
      let budgetMessage = (yield* restore(flow)) ?? cutBefore;
      yield* close(built.workers, void_);
      let sealed = yield* seal(built);
      yield* publish2(built, sealed, built.run.completeness, budgetMessage);
      let isReplay = options.replay !== void 0, warning = options.parentRun === void 0 && manyRejectedWarning(checked, counters, isReplay);
      return warning && (yield* logWarning(warning)), budgetMessage;
    })
  );
}), permissionsOf = ({ source }, { dataDir }) => map(Permissions, (permissions) => ({
  ...forDefinition(permissions, NodePath.resolve(source.folder, NodePath.basename(source.file))),
  dataFolders: [...permissions.dataFolders, ...protectedIn(dataDir, source.folder)]
})), execute = (checked, options, handle) => gen(function* () {
  let begun = yield* currentTimeMillis;
  yield* set(handle.phase, { _tag: "Running", begun, resumable: !1 });
  let journaled = yield* openJournal(checked, options, handle), message = yield* provideService(carryOut(journaled), RetryScope, makeRetryState());
  if (message !== void 0 && options.parentRun === void 0) return yield* new BudgetReached({ message });
}).pipe(
  scoped,
  provideServiceEffect(Permissions, permissionsOf(checked, options)),
  zipRight(summarize(handle, "completed")),
  catchAll(
    (reason) => flatMap(summarize(handle, statusOf3(reason)), (summary) => new RunFailed({ summary, reason }))
  )
);

// src/Run.ts
var stamp = (millis) => new Date(millis).toISOString().replace(/[-:]/g, "").slice(0, 15), suffixLength = 6, newId = (startedAt) => map(
  nextIntBetween(0, 36 ** suffixLength),
  (suffix) => `${stamp(startedAt)}-${suffix.toString(36).padStart(suffixLength, "0")}`
), make14 = (checked, options) => gen(function* () {
  let { resume } = options, startedAt = resume?.startedAt ?? options.now?.getTime() ?? (yield* currentTimeMillis), id = resume?.id ?? options.id ?? (yield* newId(startedAt)), out = options.out ?? NodePath2.resolve(isTrial(options) ? trialFolder(options.dataDir, checked.frame.name, id) : "."), counters = new Counters();
  for (let node of checked.nodes) counters.given.set(node.id, 0);
  let handle = {
    id,
    startedAt,
    counters,
    rejectFile: yield* pathIn(`${options.dataDir}/runs/${id}`),
    phase: yield* make2({ _tag: "Created" })
  };
  return {
    id,
    progress: sync(() => counters.progress()),
    summary: summarize(handle, "stopped"),
    execute: execute(checked, { ...options, out }, handle).pipe(
      annotateLogs({ run: id, pipeline: checked.frame.name }),
      (run) => measureRun(run, checked.frame.name, counters, isPublished(handle)),
      withSpan("Run.execute", {
        captureStackTrace: !1,
        attributes: { "sluice.run.id": id, "sluice.pipeline": checked.frame.name }
      })
    )
  };
});

export {
  differences,
  subsetDifferences,
  isEqual,
  canonical,
  reasonsOf,
  pathIn,
  isReached,
  describeRun,
  newId,
  make14 as make
};
