import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  describeRun,
  isEqual,
  isReached,
  make as make2,
  newId,
  pathIn,
  reasonsOf
} from "./chunk-GLBPH2CN.js";
import {
  makeRunSpec,
  optionsOf
} from "./chunk-A5EW3TIO.js";
import {
  before,
  check,
  definitionHash,
  stateKey
} from "./chunk-3BWTLUFE.js";
import {
  warnOnce
} from "./chunk-SRE6WST2.js";
import {
  RunFailed
} from "./chunk-NHAMPOKL.js";
import {
  namedSteps
} from "./chunk-LO3OT3SC.js";
import {
  BudgetReached,
  DefinitionInvalid,
  PathTaken,
  Permissions,
  RunStopped,
  StepError,
  TooManyRejects,
  counter,
  decodeState,
  gauge,
  parentOf,
  parseText,
  protectFromTrial,
  restored,
  shardRows,
  traceparent,
  withModifiedTime,
  write
} from "./chunk-PGOM52WJ.js";
import {
  PgClient,
  addressOf,
  again,
  layer,
  over
} from "./chunk-AAIABKKY.js";
import {
  Ledger,
  LedgerError,
  Locked,
  Usage,
  migrations,
  notOpened,
  offsetOfPart,
  padShard,
  shardOf,
  splitOf,
  start
} from "./chunk-P7YG24CI.js";
import {
  decodeText,
  encodeText
} from "./chunk-F63MDLXW.js";
import {
  SqlClient,
  statements
} from "./chunk-3IJJA3UF.js";
import {
  SavedProgress
} from "./chunk-L2IO7ZT7.js";
import {
  isSqlError,
  reasonOf
} from "./chunk-7DF5MID3.js";
import {
  FileSystem,
  Output,
  SavedRow,
  SavedValueInvalid,
  _await as _await2,
  decodeOutputs,
  decodeSaved,
  empty,
  fromIterable as fromIterable2,
  intersect,
  make,
  makeFolder,
  mapEffect,
  recurs,
  sliding,
  spaced,
  succeed,
  syncFolder,
  take,
  toJson
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Array$,
  Boolean$,
  Number$,
  Record,
  String$,
  Struct,
  TaggedError,
  Unknown,
  mapError as mapError2,
  merge,
  optional,
  parseJson,
  provideMerge,
  unwrapEffect
} from "./chunk-PAQDWWDE.js";
import {
  Service,
  _await,
  _void,
  acquireRelease,
  acquireUseRelease2 as acquireUseRelease,
  addFinalizer2 as addFinalizer,
  as2 as as,
  asSome,
  asVoid3 as asVoid,
  catchAllCause3 as catchAllCause,
  catchIf,
  catchTag,
  chunksOf,
  currentTimeMillis,
  delay2 as delay,
  disconnect,
  ensuring2 as ensuring,
  fail5 as fail,
  filter3 as filter,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  forever3 as forever,
  fork2 as fork,
  forkDaemon2 as forkDaemon,
  forkScoped,
  fromIterable2 as fromIterable,
  gen,
  ignore,
  interrupt3 as interrupt,
  interrupt4 as interrupt2,
  interruptAll,
  interruptFork,
  interruptible2 as interruptible,
  isInterrupted,
  isInterruptedOnly,
  isSuccess,
  join,
  logWarning,
  makeSemaphore,
  map9 as map,
  mapError2 as mapError,
  never,
  onExit,
  onInterrupt2 as onInterrupt,
  orElseSucceed,
  pretty,
  provide2 as provide,
  provideService,
  provideServiceEffect,
  raceFirst,
  repeat,
  retry,
  scoped2 as scoped,
  sleep2 as sleep,
  squash,
  succeed4 as succeed2,
  suspend2 as suspend,
  sync3 as sync,
  tapError,
  timeout,
  timeoutOption,
  toArray,
  uninterruptible2 as uninterruptible,
  uninterruptibleMask2 as uninterruptibleMask,
  withSpan,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  all,
  isLeft
} from "./chunk-FWQRLSGQ.js";
import {
  isSome,
  none2 as none
} from "./chunk-ANBJACJV.js";
import {
  __export
} from "./chunk-E2DHRGUQ.js";

// src/Cluster/Partition.ts
import * as NodePath2 from "node:path";

// src/Cluster/Task.ts
import * as NodePath from "node:path";
var Submitted = Struct({
  runId: String$,
  pipeline: String$,
  /** Absolute. Its folder must be on shared storage if the pipeline reads files. */
  file: String$,
  definition: String$,
  /** Hash of the definition and the code of its extensions. Workers refuse other code. */
  definitionHash: optional(String$),
  inputs: Record({ key: String$, value: Unknown }),
  /** Absolute, on shared storage. */
  out: String$,
  startedAt: Number$,
  scheduledFor: optional(Number$),
  limit: optional(Number$),
  backfill: optional(Boolean$),
  allowCode: optional(Boolean$),
  /** Key of the state across runs; undefined if the pipeline has none, or the run does not touch it. */
  stateKey: optional(String$),
  /** Maximum number of rows of a shard. */
  shardRows: Number$,
  /** The `traceparent` of the submitter: spans of all parts belong to that trace. */
  trace: optional(String$),
  /** Why the run is not split, if it is not. */
  whole: optional(String$)
}), decodeSubmitted = decodeSaved(parseJson(Submitted)), decodeTask = (runId, text) => decodeSubmitted(`Run ${runId}`, text), folderOf = ({ out, runId }) => NodePath.join(out, ".sluice", "cluster", runId), dataDirOf = (task) => NodePath.join(folderOf(task), "data"), checkedOf = ({ allowCode, definition, definitionHash: definitionHash2, file, inputs }, scope) => gen(function* () {
  let source = yield* parseText(file, NodePath.dirname(file), definition);
  return { ...yield* check(source, {
    env: scope.env ?? {},
    secrets: scope.secrets ?? (() => {
    }),
    inputs,
    saved: !0,
    complete: !0,
    begun: !0,
    allowCode: allowCode ?? !1,
    definitionHash: definitionHash2
  }), inputs };
});

// src/Cluster/Partition.ts
var leadsOut = (path) => NodePath2.isAbsolute(path) || path.split(/[/\\]/).includes("..") || path.includes("${{"), writesAlone = (output) => output !== void 0 && !leadsOut(output.path) && output.mode === "replace", stopAfterOf = ({ common: common2 }) => {
  let rule = common2.onError;
  return typeof rule == "object" && rule !== null ? rule.stopAfter : void 0;
}, isUnclear = (node2) => typeof node2.common.onError == "string" && node2.common.onError.includes("${{") || String(stopAfterOf(node2) ?? "").includes("${{"), worksAlone = (node2) => {
  if (isUnclear(node2)) return !1;
  let { behaviour } = node2.step;
  switch (behaviour.kind) {
    case "item":
      return !0;
    case "source":
      return node2.inputs.length > 0;
    case "transform":
      return behaviour.alone === !0;
    case "sink":
      return writesAlone(behaviour.destination(node2.config));
    default:
      return !1;
  }
}, partition = (checked, { limited }) => {
  let whole = (why) => ({ kind: "whole", why }), { nodes } = checked, flowing = nodes.filter(({ step }) => step.behaviour.kind !== "value"), values = nodes.filter(({ step }) => step.behaviour.kind === "value"), roots = flowing.filter(({ inputs }) => inputs.length === 0), [root] = roots;
  if (root === void 0) return whole("it has no source");
  if (roots.length > 1) return whole(`it has ${roots.length} sources: ${roots.map(({ id }) => id).join(", ")}`);
  if (checked.frame.site !== void 0) return whole("it brings its own site");
  if (checked.remembering.includes(root.id)) return whole(`"${root.id}" remembers what earlier runs have seen`);
  if (root.common.when !== void 0) return whole(`"${root.id}" runs under a condition`);
  let waiting = flowing.find(({ after }) => after.length > 0);
  if (waiting !== void 0) return whole(`"${waiting.id}" waits for the end of other steps`);
  let many = flowing.find(({ inputs, step }) => step.behaviour.kind === "source" && inputs.length > 0);
  if (limited && many !== void 0) return whole(`--limit counts the rows of "${many.id}" over all others`);
  let shared = [], ids2 = /* @__PURE__ */ new Set([root.id]);
  for (let node2 of flowing)
    node2.inputs.length === 0 || !node2.inputs.every((id) => ids2.has(id)) || !worksAlone(node2) || (shared.push(node2), ids2.add(node2.id));
  let rest = flowing.filter(({ id }) => !ids2.has(id));
  if (shared.length === 0) return whole(`"${rest[0]?.id ?? root.id}" sees all rows, right behind the source`);
  let names = (part) => new Set(part.flatMap((node2) => [...namedSteps(node2)])), [ofRoot, ofShared, ofRest] = [names([root]), names(shared), names(rest)], torn = values.find(({ id }) => ofShared.has(id) || ofRoot.has(id) && ofRest.has(id));
  if (torn !== void 0) return whole(`the value of "${torn.id}" is one for the whole run`);
  let asked = values.find((value) => names([value]).size > 0);
  return asked !== void 0 ? whole(`"${asked.id}" builds on the value of another step`) : {
    kind: "split",
    root,
    reading: [...values.filter(({ id }) => ofRoot.has(id)), root],
    shared,
    tail: [...values.filter(({ id }) => ofRest.has(id)), ...rest],
    kept: [...new Set(rest.flatMap(({ inputs }) => inputs.filter((id) => ids2.has(id))))]
  };
}, PartitionDiffers = class extends TaggedError("CutDiffers") {
  exitCode = ExitCode.invalid;
  get message() {
    return `run ${this.run} cannot go on with the definition as it is now: ${this.what}. Put it back, or run it anew.`;
  }
}, ids = ({ kept, root, shared, tail }) => ({
  root: root.id,
  shared: shared.map(({ id }) => id),
  tail: tail.map(({ id }) => id),
  kept
}), readingOf = ({ source }, { reading }) => {
  let { steps = [] } = source.value;
  return reading.map(({ index }) => steps[index] ?? null);
}, difference = (before2, now, limited) => {
  let [old, fresh] = [partition(before2, { limited }), partition(now, { limited })];
  return old.kind === "whole" || fresh.kind === "whole" ? old.kind === fresh.kind ? void 0 : "it is shared out among workers, and would not be now, or the other way round" : isEqual(readingOf(before2, old), readingOf(now, fresh)) ? isEqual(ids(old), ids(fresh)) ? void 0 : "its steps are not the same any more" : "its source reads something else";
}, revise = (runId, { checked, ...given }, scope) => gen(function* () {
  let sql = yield* PgClient, [row] = yield* sql`SELECT task FROM submissions WHERE run_id = ${runId} FOR UPDATE`;
  if (row === void 0) return;
  let task = yield* decodeTask(runId, row.task), current = { ...task, allowCode: task.allowCode === !0 || given.allowCode, definitionHash: void 0 }, what = difference(yield* checkedOf(current, scope), checked, task.limit !== void 0);
  if (what !== void 0) return yield* new PartitionDiffers({ run: runId, what });
  let { allowCode } = current, revised = { allowCode, definition: checked.source.text, definitionHash: definitionHash(checked) };
  yield* sql`UPDATE submissions SET task = ${JSON.stringify({ ...JSON.parse(row.task), ...revised })}
      WHERE run_id = ${runId}`;
}).pipe((whole) => flatMap(PgClient, (sql) => sql.withTransaction(whole)));

// src/Cluster/Merge.ts
import { randomUUID } from "node:crypto";
import * as NodePath3 from "node:path";
var PartResult = Struct({
  /** Files of a shard, under its folder. */
  outputs: Array$(Output),
  counted: SavedProgress,
  runId: String$,
  rejectFile: String$,
  /** Why the budget ended it, with `onReached: publish`. */
  budgetMessage: optional(String$)
}), total = (all2) => {
  let sum = (count) => all2.reduce((total2, part) => total2 + (count(part) ?? 0), 0), sumByStep = (countsOf) => {
    let sums = {};
    for (let part of all2)
      for (let [step, count] of Object.entries(countsOf(part) ?? {}))
        step.startsWith("~") || (sums[step] = (sums[step] ?? 0) + count);
    return sums;
  }, incomplete = {};
  for (let each of all2)
    for (let [step, reasons] of reasonsOf(each))
      incomplete[step] = [.../* @__PURE__ */ new Set([...incomplete[step] ?? [], ...reasons])];
  return {
    rows: sum(({ rows }) => rows),
    rejects: sum(({ rejects }) => rejects),
    expected: sum(({ expected }) => expected),
    jobCredits: sum(({ jobCredits }) => jobCredits),
    jobUnpriced: sum(({ jobUnpriced }) => jobUnpriced),
    jobPages: sum(({ jobPages }) => jobPages),
    // Version 0.1 did not count them.
    outputRows: sum(({ outputRows, rows }) => outputRows ?? rows),
    outputBytes: sum(({ outputBytes }) => outputBytes),
    unchanged: sum(({ unchanged }) => unchanged),
    given: sumByStep(({ given }) => given),
    rejected: sumByStep(({ rejected }) => rejected),
    jobs: sumByStep(({ jobs }) => jobs),
    incomplete
  };
}, countBytes = (sql, runId) => sql`UPDATE runs SET bytes = runs.bytes + s.bytes, progress = (progress::jsonb ||
      jsonb_build_object('outputRows', row_count, 'outputBytes', runs.bytes + s.bytes))::text, output_rows = row_count
    FROM (SELECT coalesce(sum((output ->> 'bytes')::bigint), 0)::bigint AS bytes FROM parts,
        json_array_elements(result::json -> 'outputs') AS output
      WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' AND output ->> 'path' !~ ${`/[.]${shardRows.slice(1)}/[^/]+$`}) AS s
    WHERE id = ${runId} AND EXISTS (SELECT 1 FROM submissions WHERE run_id = ${runId} AND adopted)
      AND progress::json ->> 'outputBytes' IS NULL`, gather = (parts2, draft) => gen(function* () {
  let files = yield* FileSystem;
  return yield* scoped(
    gen(function* () {
      let handle, bytes = 0;
      for (let part of parts2) {
        if (!(yield* files.exists(part))) continue;
        let some = yield* files.readFile(part);
        some.length !== 0 && (handle === void 0 && (yield* makeFolder(files, NodePath3.dirname(draft)), handle = yield* files.open(draft, { flag: "w" })), yield* handle.writeAll(some), bytes += some.length);
      }
      return handle !== void 0 && (yield* handle.sync), bytes;
    })
  );
}), merge2 = (runId, runs, counted, rejectFile) => gen(function* () {
  let sql = yield* SqlClient, [row] = yield* sql`SELECT adopted FROM submissions WHERE run_id = ${runId}`;
  if (row?.adopted === !0) return yield* asVoid(countBytes(sql, runId));
  let files = yield* FileSystem, draft = `${rejectFile}.${randomUUID()}.partial`, rejectBytes = yield* gather(
    runs.map(({ rejectFile: rejectFile2 }) => rejectFile2),
    draft
  ), isNamed = rejectBytes === 0, progress2 = { ...counted, over: !1, rejectBytes }, group = encodeText(runId);
  yield* gen(function* () {
    let [still] = yield* sql`SELECT adopted FROM submissions
        WHERE run_id = ${runId} FOR UPDATE`;
    if (still?.adopted !== !1) return;
    isNamed || (yield* files.rename(draft, rejectFile)), isNamed = !0;
    for (let [index, { id }] of runs.entries()) {
      let from = offsetOfPart(index);
      yield* sql`UPDATE rejects SET run_id = ${runId}, seq = seq + ${from} WHERE run_id = ${id}`, yield* sql`UPDATE pages SET run_id = ${runId}, seq = seq + ${from} WHERE run_id = ${id}`, yield* sql`UPDATE calls SET run_id = ${runId}, mark = ${`${index}/`} || mark, answer = NULL WHERE run_id = ${id}`;
    }
    let parts2 = sql`SELECT id FROM runs WHERE group_id = ${group} AND id <> ${runId}`;
    yield* sql`UPDATE runs SET
        call_credits = runs.call_credits + s.call_credits, call_unpriced = runs.call_unpriced + s.call_unpriced,
        call_pages = runs.call_pages + s.call_pages, job_credits = runs.job_credits + s.job_credits,
        job_unpriced = runs.job_unpriced + s.job_unpriced, job_pages = runs.job_pages + s.job_pages,
        output_rows = runs.output_rows + s.output_rows, bytes = runs.bytes + s.bytes, row_count = ${counted.rows},
        reject_count = ${counted.rejects}, progress = ${JSON.stringify(progress2)}
        FROM (SELECT coalesce(sum(call_credits), 0) AS call_credits, coalesce(sum(call_unpriced), 0) AS call_unpriced,
          coalesce(sum(call_pages), 0) AS call_pages, coalesce(sum(job_credits), 0) AS job_credits,
          coalesce(sum(job_unpriced), 0) AS job_unpriced, coalesce(sum(job_pages), 0) AS job_pages,
          coalesce(sum(output_rows), 0) AS output_rows, coalesce(sum(bytes), 0) AS bytes FROM runs WHERE id IN (${parts2})) AS s
        WHERE runs.id = ${runId}`, yield* sql`DELETE FROM entries WHERE station IN (SELECT id FROM stations WHERE run_id IN (${parts2}))`, yield* sql`DELETE FROM stations WHERE run_id IN (${parts2})`, yield* sql`DELETE FROM run_texts WHERE run_id IN (${parts2})`, yield* sql`DELETE FROM runs WHERE group_id = ${group} AND id <> ${runId}`, yield* sql`UPDATE submissions SET adopted = TRUE WHERE run_id = ${runId}`;
  }).pipe(
    sql.withTransaction,
    ensuring(suspend(() => isNamed ? _void : ignore(files.remove(draft))))
  );
}), maxEarlierRuns = 20, decodeOutputs2 = decodeSaved(parseJson(Array$(Output))), publishedBefore = (pipeline, except) => gen(function* () {
  let rows = yield* (yield* SqlClient)`SELECT r.id, t.outputs
      FROM runs r JOIN run_texts t ON t.run_id = r.id
      WHERE r.pipeline = ${encodeText(pipeline)} AND r.status = 'completed' AND r.id <> ${except}
        AND t.outputs IS NOT NULL
      ORDER BY r.started_at DESC, r.id DESC LIMIT ${maxEarlierRuns}`, outputs = yield* all(rows.map(({ id, outputs: outputs2 }) => decodeOutputs2(`The outputs of run ${id}`, outputs2)));
  return new Set(outputs.flat().map(({ path }) => path));
});

// src/Cluster/ShardQueue.ts
var migrations2 = [
  statements(
    1,
    "cluster",
    // `task` is everything that a worker needs to know of the run.
    `CREATE TABLE submissions (
      run_id TEXT PRIMARY KEY, task TEXT NOT NULL, status TEXT NOT NULL, is_split BOOLEAN NOT NULL,
      is_read BOOLEAN NOT NULL DEFAULT FALSE, adopted BOOLEAN NOT NULL DEFAULT FALSE,
      reason TEXT, error TEXT, submitted_at TIMESTAMPTZ NOT NULL DEFAULT now(), ended_at TIMESTAMPTZ)`,
    `CREATE TABLE parts (
      run_id TEXT NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'waiting',
      source TEXT, token TEXT UNIQUE, worker TEXT, rows BIGINT NOT NULL DEFAULT 0, result TEXT, reason TEXT, error TEXT,
      claimed_at TIMESTAMPTZ, begun_at TIMESTAMPTZ, ended_at TIMESTAMPTZ, PRIMARY KEY (run_id, part))`,
    "CREATE INDEX parts_open ON parts (status, claimed_at) WHERE status IN ('waiting', 'claimed')",
    `CREATE TABLE workers (
      id TEXT PRIMARY KEY, host TEXT NOT NULL, address TEXT NOT NULL, pid BIGINT NOT NULL,
      concurrency INTEGER NOT NULL, draining BOOLEAN NOT NULL DEFAULT FALSE,
      since TIMESTAMPTZ NOT NULL DEFAULT now(), beat TIMESTAMPTZ NOT NULL DEFAULT now())`
  ),
  statements(
    2,
    "parts that are left",
    "CREATE INDEX parts_left ON parts (run_id, part) WHERE status <> 'completed'",
    "CREATE INDEX submissions_running ON submissions (submitted_at) WHERE status = 'running'"
  ),
  statements(
    3,
    "beginnings",
    // Attempts in a row without progress, the progress at the last attempt, and the time from which the part may be claimed again.
    `ALTER TABLE parts ADD COLUMN beginnings INTEGER NOT NULL DEFAULT 0, ADD COLUMN reached TEXT,
      ADD COLUMN not_before TIMESTAMPTZ`,
    // The last resume, the first work since then, and the budget that was used before it.
    "ALTER TABLE submissions ADD COLUMN reopened_at TIMESTAMPTZ, ADD COLUMN began_at TIMESTAMPTZ, ADD COLUMN used TEXT"
  )
], splitPart = -1, finishPart = -2, maxAttempts = 5, suspectAfter = 2, workerExpiry = "4 seconds", restartGrace = "10 seconds", deferTime = "5 seconds", retention = "1 day", insertRows = 1e3, decodeUsage = decodeSaved(parseJson(Usage)), decodeResult = decodeSaved(parseJson(PartResult)), unused = { credits: 0, pages: 0, rows: 0, bytes: 0 }, partRunId = (alias) => `${alias}.run_id || CASE ${alias}.kind WHEN 'split' THEN '.split' WHEN 'finish' THEN ''
    ELSE '.s' || lpad(${alias}.part::text, greatest(4, length(${alias}.part::text)), '0') END`, progressOfRun = `(coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'given')), 0)
  + coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'rejected')), 0)
  + r.row_count + r.reject_count + r.call_pages + r.call_unpriced + r.job_unpriced
  + (r.call_credits + r.job_credits)::numeric + CASE WHEN r.status = 'publishing' THEN 1 ELSE 0 END)::text`, isAlive = `beat >= now() - interval '${workerExpiry}'`, returned = "status = 'waiting', token = NULL, worker = NULL, beginnings = greatest(beginnings - 1, 0)", nowMillis = "floor(extract(epoch FROM now()) * 1000)::bigint", ShardQueue = class extends Service()("sluice/Cluster/ShardQueue", {
  effect: map(PgClient, (sql) => {
    let lockRun = (runId) => sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`, finishIfDone = (runId) => sql`
      INSERT INTO parts (run_id, part, kind)
      SELECT run_id, ${finishPart}, 'finish' FROM submissions s WHERE run_id = ${runId} AND is_split AND is_read
        AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.run_id = s.run_id AND p.part >= 0 AND p.status <> 'completed')
      ON CONFLICT DO NOTHING`, usedBy = (runId) => map(
      sql`SELECT coalesce(sum(call_credits + job_credits), 0) AS credits, coalesce(sum(output_rows), 0) AS rows,
          coalesce(sum(call_pages + job_pages), 0) AS pages, coalesce(sum(bytes), 0) AS bytes
          FROM runs WHERE group_id = ${encodeText(runId)}`,
      // The driver gives sums as strings.
      ([row = unused]) => ({
        credits: Number(row.credits),
        pages: Number(row.pages),
        rows: Number(row.rows),
        bytes: Number(row.bytes)
      })
    );
    return {
      submit: (task) => sql.withTransaction(
        gen(function* () {
          let isSplit = task.whole === void 0;
          yield* sql`INSERT INTO submissions ${sql.insert({
            run_id: task.runId,
            task: JSON.stringify(task),
            status: "running",
            is_split: isSplit
          })}`, yield* sql`INSERT INTO parts ${sql.insert(
            isSplit ? { run_id: task.runId, part: splitPart, kind: "split" } : { run_id: task.runId, part: finishPart, kind: "finish" }
          )}`;
        })
      ),
      /** The run, with the start of its budget: the last resume, and the first work since then. Undefined if none was submitted. */
      task: (runId) => gen(function* () {
        let now = yield* currentTimeMillis, [row] = yield* again(sql`SELECT task, used, floor(extract(epoch FROM now() - began_at) * 1000)::bigint AS elapsed
            FROM submissions WHERE run_id = ${runId}`);
        if (row === void 0) return;
        row.elapsed === null && (yield* again(sql`UPDATE submissions SET began_at = now() WHERE run_id = ${runId} AND began_at IS NULL`));
        let used = row.used === null ? unused : yield* decodeUsage(`The budget of run ${runId}`, row.used);
        return { ...yield* decodeTask(runId, row.task), budgetFrom: { ...used, since: now - Number(row.elapsed ?? 0) } };
      }),
      /** Adds a shard for each input split. Shards that are there stay as they are. */
      addShards: (runId, splits) => forEach(
        chunksOf(fromIterable(splits), insertRows),
        (some) => again(
          sql`INSERT INTO parts ${sql.insert(
            toArray(some).map(({ file, part, rows }) => ({
              run_id: runId,
              part,
              kind: "shard",
              source: encodeText(file),
              rows
            }))
          )} ON CONFLICT DO NOTHING`
        ),
        { discard: !0 }
      ),
      /**
       * Claims the next part under a token that was never used before. Not retried: if the answer is lost, `reconcile` returns the part.
       */
      claim: (worker, token) => map(
        sql`WITH next AS MATERIALIZED (
            SELECT w.* FROM (SELECT run_id FROM submissions WHERE status = 'running' ORDER BY submitted_at, run_id) s,
              LATERAL (SELECT p.run_id, p.part, p.kind, p.beginnings, p.reached FROM parts p
                WHERE p.run_id = s.run_id AND p.status = 'waiting' AND (p.not_before IS NULL OR p.not_before <= now())
                ORDER BY p.part LIMIT 1 FOR UPDATE SKIP LOCKED) w LIMIT 1),
          was AS (
            SELECT next.run_id, next.part, next.beginnings, run.progress,
              coalesce(next.reached, '0') = coalesce(run.progress, '0') AS stays
            FROM next LEFT JOIN LATERAL (SELECT ${sql.literal(progressOfRun)} AS progress FROM runs r
              WHERE r.id = ${sql.literal(partRunId("next"))}) run ON TRUE)
          UPDATE parts p SET status = 'claimed', token = ${token}, worker = ${worker}, claimed_at = now(), begun_at = now(),
            error = NULL, reached = was.progress, beginnings = CASE WHEN NOT stays THEN 1
              WHEN was.beginnings < ${suspectAfter} THEN was.beginnings + 1 ELSE was.beginnings END
          FROM was WHERE p.run_id = was.run_id AND p.part = was.part
          RETURNING p.run_id, p.part, p.kind, p.source, p.not_before, p.beginnings AS attempts,
            stays AND was.beginnings >= ${suspectAfter} AS suspect`,
        ([row]) => row && {
          token,
          attempts: Number(row.attempts),
          isSuspect: row.suspect,
          part: {
            runId: row.run_id,
            part: Number(row.part),
            kind: row.kind,
            source: row.source === null ? void 0 : decodeText(row.source),
            hasWaited: row.not_before !== null
          }
        }
      ),
      /** Counts the attempt of a suspect. May be repeated, as the answer may be lost. */
      countAttempt: ({ attempts, token }) => sql`UPDATE parts SET beginnings = least(beginnings, ${attempts}) + 1 WHERE token = ${token} AND status = 'claimed'`,
      /** Returns a part. If another worker has it by now, this one was silent but alive, and its attempt does not count. */
      release: ({ part: { part, runId }, token }) => gen(function* () {
        (yield* sql`UPDATE parts SET ${sql.literal(returned)}
            WHERE token = ${token} AND status = 'claimed' RETURNING part`).length > 0 || (yield* sql`UPDATE parts SET beginnings = greatest(beginnings - 1, 0)
            WHERE run_id = ${runId} AND part = ${part} AND status IN ('waiting', 'claimed')`);
      }).pipe(again),
      /** Returns a part that needs what another run has. It waits for a while. */
      defer: ({ token }, why) => again(sql`UPDATE parts SET ${sql.literal(returned)}, error = ${encodeText(why)},
          not_before = now() + ${deferTime}::interval WHERE token = ${token} AND status = 'claimed'`),
      complete: ({ part: { part, runId }, token }, result) => gen(function* () {
        if (yield* lockRun(runId), (yield* sql`UPDATE parts SET status = 'completed', result = ${JSON.stringify(result)},
            ended_at = now(), error = NULL, reason = NULL WHERE token = ${token} AND status = 'claimed' RETURNING part`).length !== 0) {
          if (part === finishPart) {
            yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`;
            return;
          }
          part === splitPart && (yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`), yield* finishIfDone(runId);
        }
      }).pipe(sql.withTransaction),
      /** Ends the run with this part. Other claimed parts are executed to their end, and no part is claimed any more. */
      fail: ({ part: { runId }, token }, {
        error,
        reason,
        status
      }) => gen(function* () {
        yield* lockRun(runId), !((yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL
            WHERE token = ${token} AND status = 'claimed'
              AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId}) RETURNING part`).length > 0 || (yield* sql`UPDATE parts SET status = 'failed', reason = ${reason},
            error = ${encodeText(error)}, ended_at = now() WHERE token = ${token} AND status = 'claimed' RETURNING part`).length === 0) && (yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${encodeText(error)},
            ended_at = now() WHERE run_id = ${runId} AND status = 'running'`, yield* sql`UPDATE runs SET status = ${status}, error = ${encodeText(error)},
            ended_at = ${sql.literal(nowMillis)}, updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND status <> 'completed'`);
      }).pipe(sql.withTransaction),
      /** Resumes a run that ended before its end: failed parts wait again. False for other runs. */
      reopen: (runId) => gen(function* () {
        let [ended] = yield* sql`SELECT 1 FROM submissions
            WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') FOR UPDATE`;
        if (ended === void 0) return !1;
        yield* countBytes(sql, runId);
        let used = yield* usedBy(runId);
        return yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
            ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)}
            WHERE run_id = ${runId}`, yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL, error = NULL, beginnings = 0
            WHERE run_id = ${runId} AND status = 'failed'`, yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL,
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND status <> 'completed'`, yield* finishIfDone(runId), !0;
      }).pipe(sql.withTransaction),
      /** Stops a run, which can be resumed. Workers return its parts within a second or two. */
      stop: (runId) => gen(function* () {
        let [row] = yield* sql`SELECT s.status,
            (SELECT status FROM runs WHERE runs.id = s.run_id) AS run
            FROM submissions s WHERE s.run_id = ${runId} FOR UPDATE`;
        return row === void 0 ? "unknown" : row.status !== "running" || row.run === "completed" ? "over" : (yield* sql`UPDATE submissions SET status = 'stopped', ended_at = now() WHERE run_id = ${runId}`, yield* sql`UPDATE runs SET status = 'stopped', ended_at = ${sql.literal(nowMillis)},
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND status NOT IN ('completed', 'publishing')`, "stopped");
      }).pipe(sql.withTransaction, again),
      /** Number of parts of a run that living workers have. */
      claimedParts: (runId) => map(
        again(sql`SELECT part FROM parts WHERE run_id = ${runId} AND status = 'claimed'
            AND EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${sql.literal(isAlive)})`),
        (rows) => rows.length
      ),
      /** Results of the completed shards, in the order of their numbers. */
      shardResults: (runId) => gen(function* () {
        let rows = yield* again(sql`SELECT part, result FROM parts
            WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' ORDER BY part`), results = /* @__PURE__ */ new Map();
        for (let { part, result } of rows)
          results.set(Number(part), yield* decodeResult(`The result of shard ${part} of run ${runId}`, result));
        return results;
      }),
      /** Result of the split; undefined until it is completed. */
      splitResult: (runId) => gen(function* () {
        let [row] = yield* again(sql`SELECT result FROM parts
            WHERE run_id = ${runId} AND part = ${splitPart} AND status = 'completed'`);
        return row && (yield* decodeResult(`The result of the split of run ${runId}`, row.result));
      }),
      /** Registers the worker, and marks it as alive. True when it was asked to drain. */
      beat: (worker) => map(
        sql`INSERT INTO workers ${sql.insert({ ...worker, address: worker.id })}
            ON CONFLICT (id) DO UPDATE SET beat = now() RETURNING draining`,
        ([row]) => row?.draining === !0
      ),
      /** Requeues the parts of lost workers, and gives their number. The worker that calls is alive, however late it beats on a busy machine. */
      requeueLost: (self) => map(
        sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL WHERE status = 'claimed' AND worker <> ${self}
            AND now() - pg_postmaster_start_time() > ${restartGrace}::interval
            AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${sql.literal(isAlive)}) RETURNING part`,
        (rows) => rows.length
      ),
      /**
       * Compares the claims of a worker with the tokens that it knows: returns parts whose claim was never answered, and gives the tokens
       * that the worker shall keep. It shall release all others: the part was requeued, or its run was stopped. Must not run while the worker claims.
       */
      reconcile: (worker, tokens) => gen(function* () {
        let known = JSON.stringify(tokens);
        if (yield* sql`UPDATE parts SET ${sql.literal(returned)} WHERE worker = ${worker} AND status = 'claimed'
            AND token NOT IN (SELECT json_array_elements_text(${known}::json))`, tokens.length === 0) return /* @__PURE__ */ new Set();
        let kept = yield* sql`SELECT p.token FROM parts p JOIN submissions s ON s.run_id = p.run_id
            WHERE p.worker = ${worker} AND p.status = 'claimed' AND s.status <> 'stopped'`;
        return new Set(kept.map(({ token }) => token));
      }),
      /** Removes a worker and returns its parts. */
      leave: (worker) => zipRight(
        sql`UPDATE parts SET ${sql.literal(returned)} WHERE worker = ${worker} AND status = 'claimed'`,
        sql`DELETE FROM workers WHERE id = ${worker}`
      ).pipe(sql.withTransaction),
      /** Asks workers, by id or host, to finish what they have and leave; gives their number. */
      drain: (id) => map(
        again(sql`UPDATE workers SET draining = TRUE WHERE id = ${id} OR host = ${id} RETURNING id`),
        (rows) => rows.length
      ),
      workers: map(
        again(sql`SELECT id, host, pid, concurrency, draining, ${sql.literal(isAlive)} AS alive,
          (SELECT count(*) FROM parts WHERE worker = workers.id AND status = 'claimed') AS working
          FROM workers ORDER BY since`),
        (rows) => rows.map((row) => ({ ...row, pid: Number(row.pid), working: Number(row.working) }))
      ),
      /** True if a running run has a part that can be claimed now or soon: it waits, or its worker is lost. */
      hasWork: map(
        again(sql`SELECT 1 FROM parts p JOIN submissions s ON s.run_id = p.run_id
          WHERE s.status = 'running' AND (p.status = 'waiting' OR p.status = 'claimed'
            AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = p.worker AND ${sql.literal(isAlive)})) LIMIT 1`),
        (rows) => rows.length > 0
      ),
      /** Removes workers that were lost long ago, and runs that the ledger has forgotten, with their files. All workers may do so at once. */
      sweep: gen(function* () {
        let files = yield* FileSystem;
        yield* sql`DELETE FROM workers WHERE beat < now() - ${retention}::interval`, yield* sql`DELETE FROM parts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = parts.run_id)
          AND coalesce(ended_at, claimed_at, now()) < now() - ${retention}::interval`;
        let forgotten = yield* sql`SELECT run_id, task FROM submissions
          WHERE ended_at < now() - ${retention}::interval
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = submissions.run_id)`;
        for (let { run_id, task } of forgotten) {
          let decoded = decodeTask(run_id, task);
          isLeft(decoded) || (yield* files.remove(folderOf(decoded.right), { recursive: !0, force: !0 }), yield* sql`DELETE FROM submissions WHERE run_id = ${run_id}`);
        }
      })
    };
  })
}) {
};

// src/Cluster/RunStatus.ts
var RunStatus_exports = {};
__export(RunStatus_exports, {
  awaitEnd: () => awaitEnd,
  open: () => open,
  progress: () => progress,
  shards: () => shards,
  standing: () => standing,
  summary: () => summary
});
var pollInterval = "500 millis", standing = (runId) => gen(function* () {
  let sql = yield* PgClient, group = encodeText(runId), [row] = yield* again(sql`SELECT s.status, s.task, s.is_split, s.is_read, s.reason, s.error,
        count(p.part) FILTER (WHERE p.part >= 0) AS shards,
        count(p.part) FILTER (WHERE p.part >= 0 AND p.status = 'completed') AS done,
        count(p.part) FILTER (WHERE p.status = 'claimed') AS working,
        (SELECT coalesce(sum(row_count), 0) FROM runs WHERE group_id = ${group} AND id NOT LIKE '%.split') AS rows,
        (SELECT coalesce(sum(reject_count), 0) FROM runs WHERE group_id = ${group}) AS rejects,
        (SELECT coalesce(sum(call_credits + job_credits), 0) FROM runs WHERE group_id = ${group}) AS credits,
        min(p.error) FILTER (WHERE p.not_before IS NOT NULL AND p.status IN ('waiting', 'claimed')) AS waits_for
      FROM submissions s LEFT JOIN parts p ON p.run_id = s.run_id WHERE s.run_id = ${runId} GROUP BY s.run_id`);
  return row === void 0 ? void 0 : {
    status: row.status,
    isSplit: row.is_split,
    isRead: row.is_read,
    shards: Number(row.shards),
    done: Number(row.done),
    working: Number(row.working),
    rows: Number(row.rows),
    rejects: Number(row.rejects),
    credits: Number(row.credits),
    why: (yield* decodeTask(runId, row.task)).whole,
    reason: row.reason ?? void 0,
    error: row.error === null ? void 0 : decodeText(row.error),
    waitsFor: row.waits_for === null ? void 0 : decodeText(row.waits_for)
  };
}), open = flatMap(
  PgClient,
  (sql) => map(
    again(sql`SELECT run_id FROM submissions WHERE status = 'running'`),
    (rows) => new Set(rows.map(({ run_id }) => run_id))
  )
), awaitEnd = (runId) => flatMap(
  PgClient,
  (sql) => map(
    sql`SELECT status FROM submissions WHERE run_id = ${runId}`,
    ([row]) => row?.status
  ).pipe(
    orElseSucceed(() => "running"),
    delay(pollInterval),
    repeat({ until: (status) => status !== "running" })
  )
), summary = (runId) => gen(function* () {
  let { find } = yield* Ledger, record = yield* find(runId), ended = yield* standing(runId), status = ended?.status === void 0 || ended.status === "running" ? "failed" : ended.status, rejects = Math.max(record?.rejects ?? 0, ended?.rejects ?? 0), isPublished = status === "completed" || status === "budget" && record?.status === "completed", summary2 = {
    runId,
    status,
    rows: isPublished ? record?.rows ?? 0 : ended?.rows ?? 0,
    rejects,
    credits: isPublished ? record?.credits ?? 0 : ended?.credits ?? 0,
    unpricedCalls: record?.unpriced ?? 0,
    durationMs: (record?.endedAt ?? record?.updatedAt ?? 0) - (record?.startedAt ?? 0),
    outputs: yield* decodeOutputs(`The outputs of run ${runId}`, record?.outputs ?? []),
    rejectFile: rejects > 0 && isPublished && record !== void 0 ? `${record.folder}/rejects.jsonl` : void 0,
    resumable: !isPublished
  };
  if (status === "completed") return summary2;
  let reason = status === "stopped" ? new RunStopped({ message: `somebody has stopped run ${runId}` }) : restored({ reason: ended?.reason ?? "Failed", message: ended?.error ?? "it failed" }, [
    DefinitionInvalid,
    LedgerError,
    Locked
  ]);
  return yield* new RunFailed({ summary: summary2, reason });
}), stateOf = (status) => status === "claimed" ? "working" : status === "completed" || status === "failed" ? status : "waiting", shards = (runId, limit) => flatMap(
  PgClient,
  (sql) => map(
    again(sql`SELECT p.part, p.status, p.worker, p.rows AS given, p.error,
          coalesce(r.row_count, (p.result::json #>> '{counted,rows}')::bigint, 0) AS rows,
          coalesce(r.reject_count, (p.result::json #>> '{counted,rejects}')::bigint, 0) AS rejects
        FROM parts p LEFT JOIN runs r ON r.id = ${sql.literal(partRunId("p"))}
        WHERE p.run_id = ${runId} AND p.part >= 0 ORDER BY p.part LIMIT ${limit}`),
    (rows) => rows.map(
      ({ error, given, part, rejects, rows: rows2, status, worker }) => ({
        shard: Number(part),
        state: stateOf(status),
        worker: worker ?? void 0,
        given: Number(given),
        rows: Number(rows2),
        rejects: Number(rejects),
        error: error === null ? void 0 : decodeText(error)
      })
    )
  )
), progress = (runIds) => gen(function* () {
  let sql = yield* PgClient;
  if (runIds.length === 0) return /* @__PURE__ */ new Map();
  let rows = yield* again(sql`SELECT run_id,
        count(*) FILTER (WHERE status = 'completed') AS done, count(*) AS shards
      FROM parts WHERE part >= 0 AND ${sql.in("run_id", runIds)} GROUP BY run_id`);
  return new Map(
    rows.map(({ done, run_id, shards: shards2 }) => [
      run_id,
      { done: Number(done), shards: Number(shards2) }
    ])
  );
});

// src/Cluster/ShardPlan.ts
import * as NodePath5 from "node:path";

// src/Cluster/InputSplits.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import * as NodePath4 from "node:path";
var InputSplit = Struct({ part: Number$, file: String$, rows: Number$ }), maxBytes = 1024 * 1024, failed = (file) => (cause) => new StepError({
  reason: "ShareUnusable",
  message: `${file} cannot be written: ${fileErrorReason(cause)}. The output folder must be on storage that all workers share.`,
  cause
}), writeWhole = (file, text) => gen(function* () {
  let files = yield* FileSystem, folder = NodePath4.dirname(file);
  yield* makeFolder(files, folder);
  let draft = `${file}.${randomUUID2()}.partial`;
  yield* scoped(
    gen(function* () {
      let handle = yield* files.open(draft, { flag: "w" });
      text !== "" && (yield* handle.writeAll(Buffer.from(text))), yield* handle.sync;
    })
  ), yield* files.rename(draft, file), yield* syncFolder(files, folder);
}).pipe(mapError(failed(file))), decodeSplits = decodeState(
  Struct({
    /** Number of closed splits. */
    full: Number$,
    /** Closed splits that may not have been announced. */
    fresh: Array$(InputSplit),
    /** Rows of the open split. */
    open: Array$(SavedRow)
  })
), writer = ({ announce, folder, shardRows: shardRows3 }) => ({
  kind: "sink",
  destination: () => {
  },
  open: (_config, context, saved) => gen(function* () {
    let files = yield* FileSystem, before2 = (yield* decodeSplits(context, saved.value)) ?? { full: 0, fresh: [], open: [] }, { full } = before2, lines = before2.open.map((row) => JSON.stringify(row)), bytes = lines.reduce((sum, line) => sum + line.length, 0), committed = [...before2.fresh], fresh = [], asked = [], close = suspend(() => {
      let file = NodePath4.join(folder, `${String(full).padStart(4, "0")}.${randomUUID2().slice(0, 8)}.jsonl`), split2 = { part: full, file, rows: lines.length };
      return map(
        provideService(
          writeWhole(file, lines.map((line) => `${line}
`).join("")),
          FileSystem,
          files
        ),
        () => (full++, lines = [], bytes = 0, split2)
      );
    }), add = (row) => suspend(() => {
      let line = JSON.stringify(toJson(row));
      return lines.push(line), bytes += line.length, lines.length < shardRows3 && bytes < maxBytes ? _void : map(close, (split2) => {
        fresh.push(split2);
      });
    });
    return {
      // The rows have not reached an end of the pipeline here, so none is counted.
      push: (rows) => as(forEach(rows, add, { discard: !0 }), []),
      save: gen(function* () {
        return committed.length + asked.length > 0 && (yield* announce([...committed, ...asked])), committed = [], asked = fresh, fresh = [], { value: { full, fresh: asked, open: lines.map((line) => JSON.parse(line)) } };
      }),
      // The last commit contains everything. The remaining rows, or an input without rows, make the last split.
      seal: gen(function* () {
        let last = lines.length > 0 || full === 0 ? [yield* close] : [];
        return yield* announce([...committed, ...asked, ...fresh, ...last]), { files: [], stale: [], scraps: [], warnings: [] };
      }),
      sizeOf: (rows) => succeed2(rows.map(() => 0)),
      bytes: () => 0,
      discard: _void
    };
  })
}), decodeLine = decodeSaved(parseJson(SavedRow)), read = (file) => flatMap(
  FileSystem,
  (files) => mapError(
    files.readFileString(file),
    (cause) => new StepError({
      reason: "ShareUnusable",
      message: `${file} cannot be read: ${fileErrorReason(cause)}. The output folder must be on storage that all workers share.`,
      cause
    })
  )
).pipe(
  flatMap((text) => {
    let lines = text.split(`
`).filter((line) => line !== "");
    return all(lines.map((line, index) => decodeLine(`Line ${index + 1} of ${file}`, line)));
  }),
  mapError((error) => error._tag === "StepError" ? error : StepError.of(error))
);

// src/Cluster/ShardPlan.ts
var keptFile = (index) => NodePath5.join(shardRows, `${index}.jsonl`), isKept = ({ path }) => NodePath5.basename(NodePath5.dirname(path)) === shardRows, keeperOf = (step) => `~rows of ${step}`, splitPlan = (checked, { reading, root }, options) => withNodes(checked, [...reading, node("~portions", root.id, writer(options))], !1), wrapping = {
  kind: "transform",
  make: () => succeed2({
    push: (rows) => succeed2(rows.map((row) => ({ data: toJson(row) })))
  })
}, ending = {
  kind: "transform",
  make: () => succeed2({ push: () => succeed2([]) })
}, withoutStopAfter = (node2) => typeof stopAfterOf(node2) == "string" ? { ...node2, common: { ...node2.common, onError: "reject" } } : node2, shardPlan = (checked, { kept, root, shared }) => {
  let keeping = kept.flatMap((step, index) => {
    let wrapper = node(`~${step}`, step, wrapping), keeper = node(keeperOf(step), wrapper.id, wrapping);
    return [
      wrapper,
      { ...keeper, step: write, config: { jsonl: keptFile(index) } },
      node(`~end of ${step}`, keeper.id, ending)
    ];
  });
  return withNodes(checked, [root, ...shared.map(withoutStopAfter), ...keeping], !1);
}, readingFiles = (files) => ({
  kind: "source",
  read: (_config, _context, { from }) => {
    let done = typeof from == "number" ? from : 0;
    return fromIterable2(files.slice(done).entries()).pipe(
      mapEffect(
        ([index, file]) => map(read(file), (rows) => ({ rows, cursor: done + index + 1 }))
      )
    );
  }
}), partName = (path, part) => {
  let zip = /\.gz$/i.exec(path)?.[0] ?? "", plain = path.slice(0, path.length - zip.length), { base, dir, ext, name } = NodePath5.parse(plain);
  return `${NodePath5.join(dir, ext === "" ? base : name)}.${typeof part == "number" ? padShard(part) : part}${ext}${zip}`;
}, foreign = (path) => `${path} is there beside the files of this run, and is none of them: no run of this pipeline that the ledger knows has made it. Remove it if it is an old output.`, wholeName = (path) => {
  let found = /^(.*)\.\d{4,}((?:\.[^./\\]+)?(?:\.gz)?)$/.exec(path);
  return found === null ? void 0 : `${found[1]}${found[2]}`;
}, unreadable = (error) => new StepError({ reason: "LedgerError", message: error.message, cause: error, scope: "run" }), sealed = ({ before: before2, folderOf: folderOf2, results, out }, trials) => gen(function* () {
  let files = yield* FileSystem, published = trials?.isTrial === !0 ? new Set((yield* mapError(trials.written, unreadable)).keys()) : before2, all2 = [...results].flatMap(
    ([part, { outputs }]) => outputs.flatMap((output) => {
      let within = NodePath5.relative(folderOf2(part), output.path), path = NodePath5.join(out, partName(within, part));
      return isKept(output) ? [] : [{ ...output, path, partial: output.path, within }];
    })
  ), finals = new Set(all2.map(({ path }) => path)), folders = new Set(all2.map(({ path }) => NodePath5.dirname(path)));
  yield* forEach(folders, (folder) => makeFolder(files, folder), { discard: !0 }).pipe(
    mapError(({ message }) => new StepError({ reason: "FolderUnusable", message }))
  );
  let bases = new Set(all2.map(({ within }) => within)), stale = yield* forEach(bases, (within) => {
    let [before3 = "", after = ""] = NodePath5.basename(partName(within, "{}")).split("{}"), folder = NodePath5.join(out, NodePath5.dirname(within));
    return map(
      orElseSucceed(files.readDirectory(folder), () => []),
      (names) => names.filter((name) => name.startsWith(before3) && name.endsWith(after)).filter((name) => /^\d{4,}$/.test(name.slice(before3.length, name.length - after.length))).map((name) => NodePath5.join(folder, name)).filter((path) => published.has(path) && !finals.has(path))
    );
  }), whole = [...bases].map((within) => NodePath5.join(out, within)).filter((path) => !finals.has(path)), left = yield* filter(whole, (path) => orElseSucceed(files.exists(path), () => !1)), old = [...stale.flat(), ...left.filter((path) => published.has(path))];
  return yield* mapError(protectFromTrial(files, trials, [...finals, ...old]), StepError.of), {
    files: yield* forEach(all2, ({ within: _, ...file }) => withModifiedTime(files, trials, file)),
    stale: old,
    scraps: [],
    warnings: left.filter((path) => !published.has(path)).map(foreign)
  };
}), finishPlan = (checked, { kept, tail }, inputs) => {
  let sources = kept.map(
    (step, index) => node(
      step,
      void 0,
      readingFiles([...inputs.results.keys()].map((part) => NodePath5.join(inputs.folderOf(part), keptFile(index))))
    )
  ), nothing = node("~nothing", void 0, { kind: "source", read: () => empty }), publish = node("~publish", nothing.id, {
    kind: "sink",
    destination: () => {
    },
    open: (_config, { trials }) => map(
      FileSystem,
      (files) => ({
        push: succeed2,
        save: succeed2({}),
        seal: provideService(sealed(inputs, trials), FileSystem, files),
        sizeOf: (rows) => succeed2(rows.map(() => 0)),
        bytes: () => 0,
        discard: _void
      })
    )
  });
  return withNodes(checked, [...sources, ...tail, nothing, publish], !0);
}, node = (id, input, behaviour, common2 = {}) => ({
  id,
  index: 0,
  step: { key: id, summary: "", example: "", config: Unknown, behaviour },
  config: null,
  common: common2,
  inputs: input === void 0 ? [] : [input],
  after: []
}), withNodes = (checked, nodes, keepsState) => keepsState ? { ...checked, nodes, all: checked.nodes } : {
  ...checked,
  nodes,
  remembering: [],
  source: { ...checked.source, value: { ...checked.source.value, state: void 0 } }
};

// src/Cluster/Worker.ts
import { randomUUID as randomUUID3 } from "node:crypto";
import { hostname as hostname2 } from "node:os";

// src/Cluster/PartRun.ts
import { hostname } from "node:os";
import * as NodePath6 from "node:path";
var PartFailed = class extends TaggedError("PartFailed") {
}, failed2 = (reason) => (cause) => new PartFailed({ status: "failed", reason, message: cause.message, cause }), queryFailed = (error) => failed2(error._tag === "SqlError" ? "LedgerError" : error._tag)(error), retryInterval = "500 millis", maxRetries = 1200, maxLockedRetries = 16, retriesAfter = ({ cause }) => cause instanceof Locked ? maxLockedRetries : cause instanceof LedgerError || cause instanceof PathTaken || isSqlError(cause) ? maxRetries : 0, retryTransient = (effect) => retry(effect, {
  while: (error) => retriesAfter(error) > 0,
  schedule: intersect(spaced(retryInterval), recurs(maxRetries))
}), runFailed = ({ message, reason, summary: { status } }) => new PartFailed({
  status: status === "budget" ? "budget" : "failed",
  ...reason instanceof StepError ? { reason: reason.reason, cause: reason.cause } : { reason: reason._tag, cause: reason },
  message
}), executeRun = (checked, options, place) => gen(function* () {
  let ledger = yield* Ledger, rejectFile = yield* pathIn(`${options.dataDir}/runs/${options.id}`), once = gen(function* () {
    let known = yield* mapError(ledger.find(options.id), queryFailed);
    if (known?.status === "completed") {
      let { error: budgetMessage, outputs, progress: progress2 } = known;
      return budgetMessage !== void 0 && options.parentRun === void 0 ? yield* new PartFailed({
        status: "budget",
        reason: BudgetReached.reason,
        message: budgetMessage,
        cause: void 0
      }) : {
        budgetMessage,
        outputs: yield* mapError(decodeOutputs(`The outputs of run ${known.id}`, outputs ?? []), queryFailed),
        counted: progress2,
        runId: known.id,
        rejectFile
      };
    }
    let resume = known === void 0 ? void 0 : { ...optionsOf(known), out: options.out, backfill: options.backfill, wanted: options.wanted }, { client, site } = yield* mapError(place.serve(checked), failed2("ServiceUnusable")), run2 = yield* make2(checked, { ...options, site, ...resume });
    yield* mapError(
      provide(run2.execute, client),
      (error) => error instanceof RunFailed ? runFailed(error) : failed2("ServiceUnusable")({
        message: `the service of this worker: ${error instanceof Error ? error.message : String(error)}`
      })
    );
  }).pipe(scoped);
  for (let attempt = 0; ; attempt++) {
    let left = yield* once.pipe(
      catchIf(
        (error) => attempt < (options.hasWaited && error.cause instanceof Locked ? 0 : retriesAfter(error)),
        () => as(sleep(retryInterval), void 0)
      ),
      mapError(
        (error) => error.cause instanceof Locked ? new PartFailed({ ...error, message: error.message, status: "waiting" }) : error
      )
    );
    if (left !== void 0) return left;
  }
}), common = (task, place) => ({
  ...place.env,
  dataDir: dataDirOf(task),
  now: new Date(task.startedAt),
  scheduledFor: task.scheduledFor === void 0 ? void 0 : new Date(task.scheduledFor),
  allowCode: task.allowCode,
  // Rates and the budget are shared by all parts of the run.
  group: task.runId,
  budgetFrom: task.budgetFrom,
  stateKey: task.stateKey,
  // A run with a row limit does not change the state across runs. Its source alone applies the limit.
  backfill: task.backfill === !0 || task.limit !== void 0
}), shardFolder = (task, part) => NodePath6.join(folderOf(task), "shards", padShard(part)), split = (task, checked, parts2, { hasWaited }, place) => gen(function* () {
  let queue = yield* ShardQueue, ledger = yield* Ledger, reading = splitPlan(checked, parts2, {
    folder: NodePath6.join(folderOf(task), "portions"),
    shardRows: task.shardRows,
    announce: (splits) => queue.addShards(task.runId, splits).pipe(
      mapError(
        (cause) => StepError.of(
          new LedgerError({ place: ledger.place, doing: "adding shards", reason: reasonOf(cause), cause })
        )
      )
    )
  });
  return yield* executeRun(
    reading,
    {
      ...common(task, place),
      id: splitOf(task.runId),
      parentRun: task.runId,
      out: NodePath6.join(folderOf(task), "portions"),
      wanted: task.limit,
      // It writes into the folder of the run.
      trial: !1,
      hasWaited
    },
    place
  );
}), shard = (task, checked, parts2, { hasWaited, part, source = "" }, place) => gen(function* () {
  let rows = yield* mapError(read(source), failed2("ShareUnusable"));
  return yield* executeRun(
    shardPlan(checked, parts2),
    {
      ...common(task, place),
      id: shardOf(task.runId, part),
      parentRun: task.runId,
      out: shardFolder(task, part),
      instead: /* @__PURE__ */ new Map([[parts2.root.id, rows]]),
      hasWaited
    },
    place
  );
}), checkRejects = (parts2, { given, rejected }) => {
  for (let node2 of parts2.shared) {
    let allowed = stopAfterOf(node2), count = rejected[node2.id] ?? 0, seen = node2.inputs.reduce((sum, id) => sum + (given[id] ?? 0), 0);
    if (allowed !== void 0 && isReached(allowed, count, seen)) {
      let message = `${node2.id}: rejected ${count} rows of all shards, and stopAfter: ${allowed} ends the run`;
      return fail(failed2(TooManyRejects.reason)({ message }));
    }
  }
  return _void;
}, withIncomplete = ({ kept }, checked, { incomplete, ...counted }) => ({
  ...counted,
  incomplete: {
    ...incomplete,
    ...Object.fromEntries(
      kept.flatMap((step) => {
        let reasons = [...new Set([step, ...before(checked, step)].flatMap((each) => incomplete[each] ?? []))];
        return reasons.length === 0 ? [] : [[step, reasons]];
      })
    )
  }
}), countedOf = ({ counted, outputs }) => ({
  outputBytes: outputs.reduce((sum, output) => sum + (isKept(output) ? 0 : output.bytes), 0),
  ...counted
}), withoutKept = ({ kept }, { given }) => Object.fromEntries(Object.entries(given).filter(([step]) => !kept.includes(step))), finish = (task, checked, { hasWaited }, place) => gen(function* () {
  let queue = yield* ShardQueue, files = yield* FileSystem, dataDir = dataDirOf(task), options = {
    ...common(task, place),
    dataDir: NodePath6.join(task.out, ".sluice"),
    id: task.runId,
    out: task.out,
    trial: task.limit !== void 0,
    hasWaited
  }, parts2 = partition(checked, { limited: task.limit !== void 0 }), cleared = ignore(files.remove(folderOf(task), { recursive: !0 })), ledger = yield* Ledger, clearedIfPublished = (effect) => tapError(
    effect,
    ({ status }) => status !== "budget" ? _void : flatMap(
      orElseSucceed(ledger.find(task.runId), () => {
      }),
      (known) => known?.status === "completed" ? cleared : _void
    )
  );
  if (task.whole !== void 0 || parts2.kind === "whole") {
    let left2 = yield* executeRun(checked, { ...options, backfill: task.backfill, wanted: task.limit }, place).pipe(
      clearedIfPublished
    );
    return yield* cleared, left2;
  }
  let left = yield* retryTransient(mapError(queue.shardResults(task.runId), queryFailed)), reading = yield* retryTransient(mapError(queue.splitResult(task.runId), queryFailed)), budgetMessage = reading?.budgetMessage ?? [...left.values()].find((each) => each.budgetMessage !== void 0)?.budgetMessage, total2 = total([
    ...[...left.values()].map(countedOf),
    // Rows of the source are counted by the shards.
    { ...reading?.counted, rows: 0, given: {} }
  ]), counted = withIncomplete(parts2, checked, total2), splitId = splitOf(task.runId);
  yield* merge2(
    task.runId,
    [
      { id: splitId, rejectFile: yield* pathIn(`${dataDir}/runs/${splitId}`) },
      ...[...left.values()].map(({ rejectFile, runId }) => ({ id: runId, rejectFile }))
    ],
    { ...counted, given: withoutKept(parts2, counted) },
    yield* pathIn(`${options.dataDir}/runs/${task.runId}`)
  ).pipe(
    mapError((error) => isSqlError(error) ? queryFailed(error) : failed2("ShareUnusable")(error)),
    retryTransient
  ), yield* checkRejects(parts2, counted);
  let published = yield* publishedBefore(task.pipeline, task.runId).pipe(
    mapError(queryFailed),
    retryTransient
  ), finished = yield* executeRun(
    finishPlan(checked, parts2, {
      results: left,
      out: task.out,
      folderOf: (part) => shardFolder(task, part),
      before: published
    }),
    { ...options, budgetMessage },
    place
  ).pipe(clearedIfPublished);
  return yield* cleared, finished;
}), execute = (part, task, place) => gen(function* () {
  let checked = yield* mapError(
    checkedOf(task, place.env),
    ({ message }) => failed2("DefinitionInvalid")({ message: `the worker on ${hostname()} cannot take the definition: ${message}` })
  );
  if (part.kind === "finish") return yield* finish(task, checked, part, place);
  let parts2 = partition(checked, { limited: task.limit !== void 0 });
  if (parts2.kind === "whole") {
    let message = `this worker would not split the run: ${parts2.why}. Give all workers the same version and environment.`;
    return yield* failed2("DefinitionDiffers")({ message });
  }
  return yield* part.kind === "split" ? split(task, checked, parts2, part, place) : shard(task, checked, parts2, part, place);
}).pipe(
  provideServiceEffect(
    Permissions,
    map(Permissions, (permissions) => ({ ...permissions, isWorker: !0 }))
  )
);

// src/Cluster/Attempt.ts
var parts = counter("sluice_worker_parts_total", "Parts of runs that this worker has had, by how they ended here.", [
  "kind",
  "outcome"
]), busy = gauge("sluice_worker_parts_busy", "Parts of runs that this worker carries out now.", []), room = gauge("sluice_worker_parts_room", "Parts that it carries out at once at most.", []), lost = counter(
  "sluice_worker_parts_lost_total",
  "Parts that this worker took after another one was lost with them.",
  ["kind"]
), outcomeOf = (exit) => {
  if (isSuccess(exit)) return "completed";
  if (isInterrupted(exit.cause)) return "given back";
  let failure = squash(exit.cause);
  return typeof failure == "object" && failure !== null && "status" in failure ? String(failure.status) : "failed";
}, measured = (execution, { kind, part, runId }, { pipeline, trace }) => {
  let attributes = {
    "sluice.run.id": runId,
    "sluice.pipeline": pipeline,
    "sluice.part": part,
    "sluice.part.kind": kind
  }, parent = parentOf(trace), spanned = withSpan(execution, "Cluster.part", {
    captureStackTrace: !1,
    attributes,
    ...parent === void 0 ? { root: !0 } : { parent }
  });
  return acquireUseRelease(
    sync(() => busy.add(1)),
    () => onExit(spanned, (exit) => sync(() => parts.add(1, kind, outcomeOf(exit)))),
    () => sync(() => busy.add(-1))
  );
}, setRoom = (concurrency) => room.set(concurrency), nameOf = ({ kind, part, runId }) => kind === "shard" ? `shard ${part} of ${runId}` : `the ${kind} of ${runId}`, reported = (report) => report.pipe(
  warnOnce("This worker cannot read or record the state of a part"),
  retry(spaced("1 second"))
), make3 = ({ place, say }) => gen(function* () {
  let queue = yield* ShardQueue, suspects = yield* makeSemaphore(1), giveBack = (claim) => (say(`gives back ${nameOf(claim.part)}`), reported(queue.release(claim))), executed = (claim, halted) => gen(function* () {
    let { part } = claim, task = yield* reported(catchTag(queue.task(part.runId), "SavedValueInvalid", succeed2));
    if (task === void 0) return;
    if (task instanceof SavedValueInvalid) {
      let { _tag: reason2, message: error2 } = task;
      return say(`${nameOf(part)} failed: ${error2}`), yield* reported(queue.fail(claim, { status: "failed", reason: reason2, error: error2 }));
    }
    let fiber = yield* fork(interruptible(measured(execute(part, task, place), part, task))), exit = yield* raceFirst(_await(fiber), zipRight(halted, interrupt(fiber))).pipe(
      onInterrupt(() => interrupt(fiber))
    );
    if (isSuccess(exit)) return yield* reported(queue.complete(claim, exit.value));
    if (isInterrupted(exit.cause)) return yield* giveBack(claim);
    let failure = squash(exit.cause), error = failure instanceof Error ? failure.message : String(failure), { reason, status } = failure instanceof PartFailed ? failure : { status: "failed", reason: "UnexpectedError" };
    say(`${nameOf(part)} ${status === "waiting" ? "waits" : "failed"}: ${error}`), yield* reported(status === "waiting" ? queue.defer(claim, error) : queue.fail(claim, { status, reason, error }));
  }), executedInTurn = (claim, halted) => {
    let { attempts, part } = claim, mine = gen(function* () {
      if (yield* reported(queue.countAttempt(claim)), attempts < maxAttempts) return yield* executed(claim, halted);
      let error = `${nameOf(part)} was begun ${maxAttempts} times without getting any further, and its worker was lost each time: it may need more memory than a worker has, or code of it ends the process`;
      say(`gives up ${nameOf(part)}`), yield* reported(queue.fail(claim, { status: "failed", reason: "WorkersLost", error }));
    }), state = "waits", inTurn = suspend(() => state === "returned" ? _void : (state = "executed", mine)), returned2 = suspend(() => state === "executed" ? never : (state = "returned", giveBack(claim)));
    return raceFirst(suspects.withPermits(1)(inTurn), zipRight(halted, returned2));
  };
  return (claim, halted) => suspend(() => claim.isSuspect ? (lost.add(1, claim.part.kind), executedInTurn(claim, halted)) : executed(claim, halted)).pipe(
    catchAllCause(
      (cause) => isInterruptedOnly(cause) ? interrupt2 : logWarning(`a part could not be ended: ${pretty(cause)}`)
    )
  );
});

// src/Cluster/Worker.ts
var pollInterval2 = "500 millis", beatInterval = "1 second", drainTimeout = 2e3, sweepInterval = "10 minutes", commitTimeout = 1e4, shutdownTimeout = "5 seconds", probeTimeout = "1 second", briefly = (effect, limit) => (
  // Finalizers are uninterruptible, so the timeout needs an interruptible effect.
  ignore(timeout(interruptible(effect), limit))
), unreachable = flatMap(
  PgClient,
  (sql) => (
    // A query that waits for a connection cannot be interrupted, so it runs on its own fiber.
    disconnect(interruptible(sql`SELECT 1`)).pipe(
      timeout(probeTimeout),
      zipRight(sleep(probeTimeout)),
      forever,
      ignore
    )
  )
), repeatedly = (duty, cannot, interval) => duty.pipe(
  warnOnce(cannot),
  catchAllCause(() => _void),
  repeat(spaced(interval)),
  forkScoped
), run = (options, stop) => uninterruptibleMask(
  (restore) => gen(function* () {
    let fiber = yield* forkDaemon(interruptible(work(options, stop))), isCut = zipRight(stop, zipRight(sleep(shutdownTimeout), unreachable)), end = yield* restore(
      raceFirst(asSome(join(fiber)), as(isCut, none()))
    ).pipe(onInterrupt(() => interrupt(fiber)));
    isSome(end) || (options.say("is gone without its database: what it held is free by itself within seconds"), yield* interruptFork(fiber));
  })
), work = (options, stop) => gen(function* () {
  let { concurrency, place, say } = options, host = options.host ?? hostname2(), self = { id: `${host}-${randomUUID3().slice(0, 8)}`, host, pid: process.pid, concurrency }, queue = yield* ShardQueue, attempt = yield* make3({ place, say }), stopping = yield* make(), drained = yield* make(), freed = yield* sliding(1), claiming = yield* makeSemaphore(1), running = /* @__PURE__ */ new Map(), isDraining = options.drain === !0, lastWork = yield* currentTimeMillis, start2 = (claim2) => gen(function* () {
    let halt = yield* make(), halted = raceFirst(_await2(stopping), _await2(halt)), fiber = yield* forkDaemon(interruptible(attempt(claim2, halted)));
    running.set(claim2.token, { halt, fiber }), fiber.addObserver(() => {
      running.delete(claim2.token), freed.unsafeOffer(void 0);
    });
  }).pipe(uninterruptible), claim = gen(function* () {
    if (running.size >= concurrency || isDraining && options.drain !== !0) return !1;
    let next = suspend(() => queue.claim(self.id, randomUUID3())), found = (yield* next) ?? ((yield* queue.requeueLost(self.id)) > 0 ? yield* next : void 0);
    return found !== void 0 && (yield* start2(found)), found !== void 0;
  }).pipe(claiming.withPermits(1)), poll = gen(function* () {
    yield* repeat(claim, { while: (isClaimed) => isClaimed });
    let now = yield* currentTimeMillis;
    if (options.drain === !0 && (running.size > 0 || (yield* queue.hasWork)) && (lastWork = now), isDraining && running.size === 0 && (options.drain !== !0 || now - lastWork >= drainTimeout))
      return yield* succeed(drained, void 0);
    yield* raceFirst(take(freed), sleep(pollInterval2));
  }).pipe(
    warnOnce("This worker cannot look for work"),
    catchAllCause(() => sleep(pollInterval2))
  ), beat = map(queue.beat(self), (isAsked) => {
    isAsked && !isDraining && say("drains: finishes what it has, and takes nothing new"), isDraining ||= isAsked;
  }), reconcile = gen(function* () {
    let tokens = [...running.keys()], kept = yield* queue.reconcile(self.id, tokens);
    for (let token of tokens) {
      let part = running.get(token);
      part !== void 0 && !kept.has(token) && (yield* succeed(part.halt, void 0));
    }
  }).pipe(claiming.withPermits(1)), commit = forEach([...running.values()], ({ fiber }) => _await(fiber), {
    concurrency: "unbounded"
  });
  yield* acquireRelease(again(queue.beat(self)), () => briefly(queue.leave(self.id), "2 seconds")), yield* addFinalizer(
    () => briefly(interruptAll([...running.values()].map(({ fiber }) => fiber)), "2 seconds")
  ), yield* gen(function* () {
    yield* repeatedly(beat, "This worker cannot give a sign of life", beatInterval), yield* repeatedly(reconcile, "This worker cannot look for parts that it shall stop", beatInterval), yield* repeatedly(queue.sweep, "This worker cannot remove what is of no more use", sweepInterval);
    let polling = yield* forkScoped(forever(poll));
    setRoom(concurrency), say(`worker ${self.id} takes ${concurrency} parts at once`), yield* options.began ?? _void, yield* raceFirst(stop, _await2(drained)), yield* interrupt(polling), yield* succeed(stopping, void 0), yield* timeoutOption(commit, commitTimeout), say("is gone");
  }).pipe(scoped);
}).pipe(scoped);

// src/Cluster.ts
var shardRows2 = 200, transactionTimeout = 4e3, layer2 = (url, connections) => unwrapEffect(
  map(
    addressOf(url, transactionTimeout),
    ({ place }) => merge(over(place), ShardQueue.Default).pipe(
      provideMerge(
        layer({
          url,
          parts: { ledger: migrations, cluster: migrations2 },
          connections,
          silence: transactionTimeout
        })
      )
    )
  )
).pipe(mapError2(notOpened)), InstantRefused = class extends TaggedError("InstantRefused") {
  get message() {
    return `the instant of ${this.pipeline} is carried out by somebody else`;
  }
}, lockOccurrence = ({ id, instantOf, scheduledFor }) => gen(function* () {
  if (instantOf === void 0 || id === void 0 || scheduledFor === void 0) return;
  if ((yield* (yield* PgClient)`SELECT 1 FROM instants WHERE pipeline = ${instantOf} AND instant = ${scheduledFor.getTime()}
      AND run_id = ${id} AND ended_at IS NULL AND replaced_by IS NULL FOR UPDATE`).length === 0) return yield* new InstantRefused({ pipeline: instantOf });
}), submit = fn("Cluster.submit")(function* (checked, options) {
  let program = checked.registry?.hash === void 0 ? checked.registry?.added ?? [] : [];
  if (program.length > 0) {
    let message = `workers cannot load ${program.join(", ")}: they exist only in the program that made the definition. Move them to a file, and name it (extensions: ./steps.ts)`;
    return yield* new DefinitionInvalid({ file: checked.source.file, mistakes: [{ path: ["extensions"], message }] });
  }
  let sql = yield* PgClient, queue = yield* ShardQueue, startedAt = options.now?.getTime() ?? (yield* currentTimeMillis), runId = options.id ?? (yield* newId(startedAt)), scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => {
  }) }, run2 = describeRun(checked, {
    id: runId,
    parentRun: void 0,
    scheduledFor: options.scheduledFor,
    site: void 0,
    startedAt: new Date(startedAt)
  }), key = yield* stateKey(checked, { ...scope, run: run2 }), dataDir = `${options.out}/.sluice`, beginning = makeRunSpec(
    checked,
    { ...options, dataDir, group: runId },
    { id: runId, startedAt },
    { key: typeof key == "string" ? key : void 0 }
  ), parts2 = partition(checked, { limited: options.wanted !== void 0 }), task = {
    runId,
    pipeline: checked.frame.name,
    file: beginning.file,
    definition: beginning.definition,
    definitionHash: beginning.definitionHash,
    inputs: checked.inputs,
    out: options.out,
    startedAt,
    scheduledFor: beginning.scheduledFor,
    limit: options.wanted,
    backfill: options.backfill,
    allowCode: options.allowCode,
    stateKey: beginning.stateKey,
    shardRows: options.shardRows ?? shardRows2,
    trace: yield* traceparent,
    whole: parts2.kind === "whole" ? parts2.why : void 0
  };
  return yield* lockOccurrence(options).pipe(
    zipRight(start({ sql, place: "Postgres" }, beginning)),
    zipRight(queue.submit(task)),
    sql.withTransaction
  ), task;
});

export {
  revise,
  ShardQueue,
  RunStatus_exports,
  foreign,
  wholeName,
  run,
  layer2 as layer,
  submit
};
