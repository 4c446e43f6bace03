import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  BudgetReached,
  DefinitionInvalid,
  PathTaken,
  Permissions,
  RunFailed,
  RunStopped,
  RunUnknown,
  StepError,
  TooManyRejects,
  before,
  check,
  decodeState,
  describeRun,
  isReached,
  make2 as make,
  makeRunSpec,
  namedSteps,
  newId,
  optionsOf,
  parseText,
  pathIn,
  protectFromTrial,
  reasonsOf,
  restored,
  serve,
  shardRows,
  stateKey,
  withModifiedTime,
  write
} from "./lib-UQLIQVE6.js";
import {
  addressOf,
  again,
  layer,
  over
} from "./lib-7ASOOSFP.js";
import {
  ExitCode,
  Ledger,
  LedgerError,
  Locked,
  Output,
  SavedProgress,
  SavedRow,
  SavedValueInvalid,
  Usage,
  decodeOutputs,
  decodeSaved,
  migrations,
  notOpened,
  offsetOfPart,
  padShard,
  shardOf,
  splitOf,
  start,
  toJson
} from "./lib-RBRX5FPT.js";
import {
  counter,
  gauge,
  parentOf,
  traceparent
} from "./lib-RAYPVGAA.js";
import {
  decodeText,
  encodeText,
  fileErrorReason,
  isSqlError,
  makeFolder,
  reasonOf,
  statements,
  syncFolder
} from "./lib-UHVBXRJH.js";
import "./lib-GGME65E2.js";
import {
  __export
} from "./lib-URHN3MKJ.js";

// src/Cluster/Door.ts
import { resolve } from "node:path";
import * as SqlClient3 from "@effect/sql/SqlClient";
import * as PgClient11 from "@effect/sql-pg/PgClient";
import * as Context2 from "effect/Context";
import * as Deferred2 from "effect/Deferred";
import * as Effect13 from "effect/Effect";
import * as Fiber3 from "effect/Fiber";
import * as Layer2 from "effect/Layer";
import * as Option3 from "effect/Option";

// src/Cluster.ts
import * as PgClient9 from "@effect/sql-pg/PgClient";
import * as Clock3 from "effect/Clock";
import * as Data3 from "effect/Data";
import * as Effect12 from "effect/Effect";
import * as Layer from "effect/Layer";

// src/Cluster/Partition.ts
import * as NodePath2 from "node:path";
import * as PgClient from "@effect/sql-pg/PgClient";
import * as Data from "effect/Data";
import * as Effect2 from "effect/Effect";

// src/Cluster/Task.ts
import * as NodePath from "node:path";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
var Submitted = Schema.Struct({
  runId: Schema.String,
  pipeline: Schema.String,
  /** Absolute. Its folder must be on shared storage if the pipeline reads files. */
  file: Schema.String,
  definition: Schema.String,
  /** Hash of the definition and the code of its extensions. Workers refuse other code. */
  definitionHash: Schema.optional(Schema.String),
  inputs: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** Absolute, on shared storage. */
  out: Schema.String,
  startedAt: Schema.Number,
  scheduledFor: Schema.optional(Schema.Number),
  limit: Schema.optional(Schema.Number),
  backfill: Schema.optional(Schema.Boolean),
  allowCode: Schema.optional(Schema.Boolean),
  /** Key of the state across runs; undefined if the pipeline has none, or the run does not touch it. */
  stateKey: Schema.optional(Schema.String),
  /** Maximum number of rows of a shard. */
  shardRows: Schema.Number,
  /** The `traceparent` of the submitter: spans of all parts belong to that trace. */
  trace: Schema.optional(Schema.String),
  /** Why the run is not split, if it is not. */
  whole: Schema.optional(Schema.String)
});
var decodeSubmitted = decodeSaved(Schema.parseJson(Submitted));
var decodeTask = (runId, text) => decodeSubmitted(`Run ${runId}`, text);
var folderOf = ({ out, runId }) => NodePath.join(out, ".sluice", "cluster", runId);
var dataDirOf = (task) => NodePath.join(folderOf(task), "data");
var checkedOf = ({ allowCode, definition, definitionHash, file, inputs }, scope) => Effect.gen(function* () {
  const source = yield* parseText(file, NodePath.dirname(file), definition);
  const checked = yield* check(source, {
    env: scope.env ?? {},
    secrets: scope.secrets ?? (() => void 0),
    inputs,
    saved: true,
    complete: true,
    begun: true,
    allowCode: allowCode ?? false,
    definitionHash
  });
  return { ...checked, inputs };
});

// src/Cluster/Partition.ts
var leadsOut = (path) => NodePath2.isAbsolute(path) || path.split(/[/\\]/).includes("..") || path.includes("${{");
var writesAlone = (output) => output !== void 0 && !leadsOut(output.path) && output.mode === "replace";
var stopAfterOf = ({ common: common2 }) => {
  const rule = common2.onError;
  return typeof rule === "object" && rule !== null ? rule.stopAfter : void 0;
};
var isUnclear = (node2) => typeof node2.common.onError === "string" && node2.common.onError.includes("${{") || String(stopAfterOf(node2) ?? "").includes("${{");
var worksAlone = (node2) => {
  if (isUnclear(node2)) return false;
  const { behaviour } = node2.step;
  switch (behaviour.kind) {
    case "item":
      return true;
    case "source":
      return node2.inputs.length > 0;
    case "transform":
      return behaviour.alone === true;
    case "sink":
      return writesAlone(behaviour.destination(node2.config));
    default:
      return false;
  }
};
var partition = (checked, { limited }) => {
  const whole = (why) => ({ kind: "whole", why });
  const { nodes } = checked;
  const flowing = nodes.filter(({ step }) => step.behaviour.kind !== "value");
  const values = nodes.filter(({ step }) => step.behaviour.kind === "value");
  const roots = flowing.filter(({ inputs }) => inputs.length === 0);
  const [root] = roots;
  if (root === void 0) return whole("it has no source");
  if (roots.length > 1) return whole(`it has ${roots.length} sources: ${roots.map(({ id }) => id).join(", ")}`);
  if (checked.frame.site !== void 0) return whole("it brings its own site");
  if (checked.remembering.includes(root.id)) return whole(`"${root.id}" remembers what earlier runs have seen`);
  if (root.common.when !== void 0) return whole(`"${root.id}" runs under a condition`);
  const waiting = flowing.find(({ after }) => after.length > 0);
  if (waiting !== void 0) return whole(`"${waiting.id}" waits for the end of other steps`);
  const many = flowing.find(({ inputs, step }) => step.behaviour.kind === "source" && inputs.length > 0);
  if (limited && many !== void 0) return whole(`--limit counts the rows of "${many.id}" over all others`);
  const shared = [];
  const ids = /* @__PURE__ */ new Set([root.id]);
  for (const node2 of flowing) {
    if (node2.inputs.length === 0 || !node2.inputs.every((id) => ids.has(id)) || !worksAlone(node2)) continue;
    shared.push(node2);
    ids.add(node2.id);
  }
  const rest = flowing.filter(({ id }) => !ids.has(id));
  if (shared.length === 0) return whole(`"${rest[0]?.id ?? root.id}" sees all rows, right behind the source`);
  const names = (part) => new Set(part.flatMap((node2) => [...namedSteps(node2)]));
  const [ofRoot, ofShared, ofRest] = [names([root]), names(shared), names(rest)];
  const torn = values.find(({ id }) => ofShared.has(id) || ofRoot.has(id) && ofRest.has(id));
  if (torn !== void 0) return whole(`the value of "${torn.id}" is one for the whole run`);
  const asked = values.find((value) => names([value]).size > 0);
  if (asked !== void 0) return whole(`"${asked.id}" builds on the value of another step`);
  return {
    kind: "split",
    root,
    reading: [...values.filter(({ id }) => ofRoot.has(id)), root],
    shared,
    tail: [...values.filter(({ id }) => ofRest.has(id)), ...rest],
    kept: [...new Set(rest.flatMap(({ inputs }) => inputs.filter((id) => ids.has(id))))]
  };
};
var PartitionDiffers = class extends Data.TaggedError("CutDiffers") {
  exitCode = ExitCode.invalid;
  get message() {
    return `run ${this.run} cannot go on with the definition as it is now: ${this.what}. Put it back, or run it anew.`;
  }
};

// src/Cluster/ShardQueue.ts
import * as FileSystem3 from "@effect/platform/FileSystem";
import * as PgClient3 from "@effect/sql-pg/PgClient";
import * as Chunk from "effect/Chunk";
import * as Clock from "effect/Clock";
import * as Effect4 from "effect/Effect";
import * as Either2 from "effect/Either";
import * as Schema3 from "effect/Schema";

// src/Cluster/Merge.ts
import { randomUUID } from "node:crypto";
import * as NodePath3 from "node:path";
import * as FileSystem from "@effect/platform/FileSystem";
import * as SqlClient from "@effect/sql/SqlClient";
import * as Effect3 from "effect/Effect";
import * as Either from "effect/Either";
import * as Schema2 from "effect/Schema";
var PartResult = Schema2.Struct({
  /** Files of a shard, under its folder. */
  outputs: Schema2.Array(Output),
  counted: SavedProgress,
  runId: Schema2.String,
  rejectFile: Schema2.String,
  /** Why the budget ended it, with `onReached: publish`. */
  budgetMessage: Schema2.optional(Schema2.String)
});
var total = (all3) => {
  const sum = (count) => all3.reduce((total2, part) => total2 + (count(part) ?? 0), 0);
  const sumByStep = (countsOf) => {
    const sums = {};
    for (const part of all3) {
      for (const [step, count] of Object.entries(countsOf(part) ?? {})) {
        if (!step.startsWith("~")) sums[step] = (sums[step] ?? 0) + count;
      }
    }
    return sums;
  };
  const incomplete = {};
  for (const each of all3) {
    for (const [step, reasons] of reasonsOf(each)) {
      incomplete[step] = [.../* @__PURE__ */ new Set([...incomplete[step] ?? [], ...reasons])];
    }
  }
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
};
var countBytes = (sql, runId) => sql`UPDATE runs SET bytes = runs.bytes + s.bytes, progress = (progress::jsonb ||
      jsonb_build_object('outputRows', row_count, 'outputBytes', runs.bytes + s.bytes))::text, output_rows = row_count
    FROM (SELECT coalesce(sum((output ->> 'bytes')::bigint), 0)::bigint AS bytes FROM parts,
        json_array_elements(result::json -> 'outputs') AS output
      WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' AND output ->> 'path' !~ ${`/[.]${shardRows.slice(1)}/[^/]+$`}) AS s
    WHERE id = ${runId} AND EXISTS (SELECT 1 FROM submissions WHERE run_id = ${runId} AND adopted)
      AND progress::json ->> 'outputBytes' IS NULL`;
var gather = (parts2, draft) => Effect3.gen(function* () {
  const files = yield* FileSystem.FileSystem;
  return yield* Effect3.scoped(
    Effect3.gen(function* () {
      let handle;
      let bytes = 0;
      for (const part of parts2) {
        if (!(yield* files.exists(part))) continue;
        const some2 = yield* files.readFile(part);
        if (some2.length === 0) continue;
        if (handle === void 0) {
          yield* makeFolder(files, NodePath3.dirname(draft));
          handle = yield* files.open(draft, { flag: "w" });
        }
        yield* handle.writeAll(some2);
        bytes += some2.length;
      }
      if (handle !== void 0) yield* handle.sync;
      return bytes;
    })
  );
});
var merge = (runId, runs, counted, rejectFile) => Effect3.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql`SELECT adopted FROM submissions WHERE run_id = ${runId}`;
  if (row?.adopted === true) return yield* Effect3.asVoid(countBytes(sql, runId));
  const files = yield* FileSystem.FileSystem;
  const draft = `${rejectFile}.${randomUUID()}.partial`;
  const rejectBytes = yield* gather(
    runs.map(({ rejectFile: rejectFile2 }) => rejectFile2),
    draft
  );
  let isNamed = rejectBytes === 0;
  const progress2 = { ...counted, over: false, rejectBytes };
  const group = encodeText(runId);
  yield* Effect3.gen(function* () {
    const [still] = yield* sql`SELECT adopted FROM submissions
        WHERE run_id = ${runId} FOR UPDATE`;
    if (still?.adopted !== false) return;
    if (!isNamed) yield* files.rename(draft, rejectFile);
    isNamed = true;
    for (const [index, { id }] of runs.entries()) {
      const from = offsetOfPart(index);
      yield* sql`UPDATE rejects SET run_id = ${runId}, seq = seq + ${from} WHERE run_id = ${id}`;
      yield* sql`UPDATE pages SET run_id = ${runId}, seq = seq + ${from} WHERE run_id = ${id}`;
      yield* sql`UPDATE calls SET run_id = ${runId}, mark = ${`${index}/`} || mark, answer = NULL WHERE run_id = ${id}`;
    }
    const parts2 = sql`SELECT id FROM runs WHERE group_id = ${group} AND id <> ${runId}`;
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
        WHERE runs.id = ${runId}`;
    yield* sql`DELETE FROM entries WHERE station IN (SELECT id FROM stations WHERE run_id IN (${parts2}))`;
    yield* sql`DELETE FROM stations WHERE run_id IN (${parts2})`;
    yield* sql`DELETE FROM run_texts WHERE run_id IN (${parts2})`;
    yield* sql`DELETE FROM runs WHERE group_id = ${group} AND id <> ${runId}`;
    yield* sql`UPDATE submissions SET adopted = TRUE WHERE run_id = ${runId}`;
  }).pipe(
    sql.withTransaction,
    Effect3.ensuring(Effect3.suspend(() => isNamed ? Effect3.void : Effect3.ignore(files.remove(draft))))
  );
});
var maxEarlierRuns = 20;
var decodeOutputs2 = decodeSaved(Schema2.parseJson(Schema2.Array(Output)));
var publishedBefore = (pipeline, except) => Effect3.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const rows = yield* sql`SELECT r.id, t.outputs
      FROM runs r JOIN run_texts t ON t.run_id = r.id
      WHERE r.pipeline = ${encodeText(pipeline)} AND r.status = 'completed' AND r.id <> ${except}
        AND t.outputs IS NOT NULL
      ORDER BY r.started_at DESC, r.id DESC LIMIT ${maxEarlierRuns}`;
  const outputs = yield* Either.all(rows.map(({ id, outputs: outputs2 }) => decodeOutputs2(`The outputs of run ${id}`, outputs2)));
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
    `ALTER TABLE submissions ADD COLUMN reopened_at TIMESTAMPTZ, ADD COLUMN began_at TIMESTAMPTZ, ADD COLUMN used TEXT`
  )
];
var splitPart = -1;
var finishPart = -2;
var maxAttempts = 5;
var suspectAfter = 2;
var workerExpiry = "4 seconds";
var restartGrace = "10 seconds";
var deferTime = "5 seconds";
var retention = "1 day";
var insertRows = 1e3;
var decodeUsage = decodeSaved(Schema3.parseJson(Usage));
var decodeResult = decodeSaved(Schema3.parseJson(PartResult));
var unused = { credits: 0, pages: 0, rows: 0, bytes: 0 };
var partRunId = (alias) => `${alias}.run_id || CASE ${alias}.kind WHEN 'split' THEN '.split' WHEN 'finish' THEN ''
    ELSE '.s' || lpad(${alias}.part::text, greatest(4, length(${alias}.part::text)), '0') END`;
var progressOfRun = `(coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'given')), 0)
  + coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'rejected')), 0)
  + r.row_count + r.reject_count + r.call_pages + r.call_unpriced + r.job_unpriced
  + (r.call_credits + r.job_credits)::numeric + CASE WHEN r.status = 'publishing' THEN 1 ELSE 0 END)::text`;
var isAlive = `beat >= now() - interval '${workerExpiry}'`;
var returned = "status = 'waiting', token = NULL, worker = NULL, beginnings = greatest(beginnings - 1, 0)";
var nowMillis = "floor(extract(epoch FROM now()) * 1000)::bigint";
var ShardQueue = class extends Effect4.Service()("sluice/Cluster/ShardQueue", {
  effect: Effect4.map(PgClient3.PgClient, (sql) => {
    const lockRun = (runId) => sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`;
    const finishIfDone = (runId) => sql`
      INSERT INTO parts (run_id, part, kind)
      SELECT run_id, ${finishPart}, 'finish' FROM submissions s WHERE run_id = ${runId} AND is_split AND is_read
        AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.run_id = s.run_id AND p.part >= 0 AND p.status <> 'completed')
      ON CONFLICT DO NOTHING`;
    const usedBy = (runId) => Effect4.map(
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
        Effect4.gen(function* () {
          const isSplit = task.whole === void 0;
          yield* sql`INSERT INTO submissions ${sql.insert({
            run_id: task.runId,
            task: JSON.stringify(task),
            status: "running",
            is_split: isSplit
          })}`;
          yield* sql`INSERT INTO parts ${sql.insert(
            isSplit ? { run_id: task.runId, part: splitPart, kind: "split" } : { run_id: task.runId, part: finishPart, kind: "finish" }
          )}`;
        })
      ),
      /** The run, with the start of its budget: the last resume, and the first work since then. Undefined if none was submitted. */
      task: (runId) => Effect4.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        const [row] = yield* again(sql`SELECT task, used, floor(extract(epoch FROM now() - began_at) * 1000)::bigint AS elapsed
            FROM submissions WHERE run_id = ${runId}`);
        if (row === void 0) return void 0;
        if (row.elapsed === null)
          yield* again(sql`UPDATE submissions SET began_at = now() WHERE run_id = ${runId} AND began_at IS NULL`);
        const used = row.used === null ? unused : yield* decodeUsage(`The budget of run ${runId}`, row.used);
        const task = yield* decodeTask(runId, row.task);
        return { ...task, budgetFrom: { ...used, since: now - Number(row.elapsed ?? 0) } };
      }),
      /** Adds a shard for each input split. Shards that are there stay as they are. */
      addShards: (runId, splits) => Effect4.forEach(
        Chunk.chunksOf(Chunk.fromIterable(splits), insertRows),
        (some2) => again(
          sql`INSERT INTO parts ${sql.insert(
            Chunk.toArray(some2).map(({ file, part, rows }) => ({
              run_id: runId,
              part,
              kind: "shard",
              source: encodeText(file),
              rows
            }))
          )} ON CONFLICT DO NOTHING`
        ),
        { discard: true }
      ),
      /**
       * Claims the next part under a token that was never used before. Not retried: if the answer is lost, `reconcile` returns the part.
       */
      claim: (worker, token) => Effect4.map(
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
      release: ({ part: { part, runId }, token }) => Effect4.gen(function* () {
        const released = yield* sql`UPDATE parts SET ${sql.literal(returned)}
            WHERE token = ${token} AND status = 'claimed' RETURNING part`;
        if (released.length > 0) return;
        yield* sql`UPDATE parts SET beginnings = greatest(beginnings - 1, 0)
            WHERE run_id = ${runId} AND part = ${part} AND status IN ('waiting', 'claimed')`;
      }).pipe(again),
      /** Returns a part that needs what another run has. It waits for a while. */
      defer: ({ token }, why) => again(sql`UPDATE parts SET ${sql.literal(returned)}, error = ${encodeText(why)},
          not_before = now() + ${deferTime}::interval WHERE token = ${token} AND status = 'claimed'`),
      complete: ({ part: { part, runId }, token }, result) => Effect4.gen(function* () {
        yield* lockRun(runId);
        const done = yield* sql`UPDATE parts SET status = 'completed', result = ${JSON.stringify(result)},
            ended_at = now(), error = NULL, reason = NULL WHERE token = ${token} AND status = 'claimed' RETURNING part`;
        if (done.length === 0) return;
        if (part === finishPart) {
          yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`;
          return;
        }
        if (part === splitPart) yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`;
        yield* finishIfDone(runId);
      }).pipe(sql.withTransaction),
      /** Ends the run with this part. Other claimed parts are executed to their end, and no part is claimed any more. */
      fail: ({ part: { runId }, token }, {
        error,
        reason,
        status
      }) => Effect4.gen(function* () {
        yield* lockRun(runId);
        const stale = yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL
            WHERE token = ${token} AND status = 'claimed'
              AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId}) RETURNING part`;
        if (stale.length > 0) return;
        const failed3 = yield* sql`UPDATE parts SET status = 'failed', reason = ${reason},
            error = ${encodeText(error)}, ended_at = now() WHERE token = ${token} AND status = 'claimed' RETURNING part`;
        if (failed3.length === 0) return;
        yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${encodeText(error)},
            ended_at = now() WHERE run_id = ${runId} AND status = 'running'`;
        yield* sql`UPDATE runs SET status = ${status}, error = ${encodeText(error)},
            ended_at = ${sql.literal(nowMillis)}, updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND status <> 'completed'`;
      }).pipe(sql.withTransaction),
      /** Resumes a run that ended before its end: failed parts wait again. False for other runs. */
      reopen: (runId) => Effect4.gen(function* () {
        const [ended] = yield* sql`SELECT 1 FROM submissions
            WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') FOR UPDATE`;
        if (ended === void 0) return false;
        yield* countBytes(sql, runId);
        const used = yield* usedBy(runId);
        yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
            ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)}
            WHERE run_id = ${runId}`;
        yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL, error = NULL, beginnings = 0
            WHERE run_id = ${runId} AND status = 'failed'`;
        yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL,
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND status <> 'completed'`;
        yield* finishIfDone(runId);
        return true;
      }).pipe(sql.withTransaction),
      /** Stops a run, which can be resumed. Workers return its parts within a second or two. */
      stop: (runId) => Effect4.gen(function* () {
        const [row] = yield* sql`SELECT s.status,
            (SELECT status FROM runs WHERE runs.id = s.run_id) AS run
            FROM submissions s WHERE s.run_id = ${runId} FOR UPDATE`;
        if (row === void 0) return "unknown";
        if (row.status !== "running" || row.run === "completed") return "over";
        yield* sql`UPDATE submissions SET status = 'stopped', ended_at = now() WHERE run_id = ${runId}`;
        yield* sql`UPDATE runs SET status = 'stopped', ended_at = ${sql.literal(nowMillis)},
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND status NOT IN ('completed', 'publishing')`;
        return "stopped";
      }).pipe(sql.withTransaction, again),
      /** Number of parts of a run that living workers have. */
      claimedParts: (runId) => Effect4.map(
        again(sql`SELECT part FROM parts WHERE run_id = ${runId} AND status = 'claimed'
            AND EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${sql.literal(isAlive)})`),
        (rows) => rows.length
      ),
      /** Results of the completed shards, in the order of their numbers. */
      shardResults: (runId) => Effect4.gen(function* () {
        const rows = yield* again(sql`SELECT part, result FROM parts
            WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' ORDER BY part`);
        const results = /* @__PURE__ */ new Map();
        for (const { part, result } of rows)
          results.set(Number(part), yield* decodeResult(`The result of shard ${part} of run ${runId}`, result));
        return results;
      }),
      /** Result of the split; undefined until it is completed. */
      splitResult: (runId) => Effect4.gen(function* () {
        const [row] = yield* again(sql`SELECT result FROM parts
            WHERE run_id = ${runId} AND part = ${splitPart} AND status = 'completed'`);
        return row && (yield* decodeResult(`The result of the split of run ${runId}`, row.result));
      }),
      /** Registers the worker, and marks it as alive. True when it was asked to drain. */
      beat: (worker) => Effect4.map(
        sql`INSERT INTO workers ${sql.insert({ ...worker, address: worker.id })}
            ON CONFLICT (id) DO UPDATE SET beat = now() RETURNING draining`,
        ([row]) => row?.draining === true
      ),
      /** Requeues the parts of lost workers, and gives their number. The worker that calls is alive, however late it beats on a busy machine. */
      requeueLost: (self) => Effect4.map(
        sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL WHERE status = 'claimed' AND worker <> ${self}
            AND now() - pg_postmaster_start_time() > ${restartGrace}::interval
            AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${sql.literal(isAlive)}) RETURNING part`,
        (rows) => rows.length
      ),
      /**
       * Compares the claims of a worker with the tokens that it knows: returns parts whose claim was never answered, and gives the tokens
       * that the worker shall keep. It shall release all others: the part was requeued, or its run was stopped. Must not run while the worker claims.
       */
      reconcile: (worker, tokens) => Effect4.gen(function* () {
        const known = JSON.stringify(tokens);
        yield* sql`UPDATE parts SET ${sql.literal(returned)} WHERE worker = ${worker} AND status = 'claimed'
            AND token NOT IN (SELECT json_array_elements_text(${known}::json))`;
        if (tokens.length === 0) return /* @__PURE__ */ new Set();
        const kept = yield* sql`SELECT p.token FROM parts p JOIN submissions s ON s.run_id = p.run_id
            WHERE p.worker = ${worker} AND p.status = 'claimed' AND s.status <> 'stopped'`;
        return new Set(kept.map(({ token }) => token));
      }),
      /** Removes a worker and returns its parts. */
      leave: (worker) => Effect4.zipRight(
        sql`UPDATE parts SET ${sql.literal(returned)} WHERE worker = ${worker} AND status = 'claimed'`,
        sql`DELETE FROM workers WHERE id = ${worker}`
      ).pipe(sql.withTransaction),
      /** Asks workers, by id or host, to finish what they have and leave; gives their number. */
      drain: (id) => Effect4.map(
        again(sql`UPDATE workers SET draining = TRUE WHERE id = ${id} OR host = ${id} RETURNING id`),
        (rows) => rows.length
      ),
      workers: Effect4.map(
        again(sql`SELECT id, host, pid, concurrency, draining, ${sql.literal(isAlive)} AS alive,
          (SELECT count(*) FROM parts WHERE worker = workers.id AND status = 'claimed') AS working
          FROM workers ORDER BY since`),
        (rows) => rows.map((row) => ({ ...row, pid: Number(row.pid), working: Number(row.working) }))
      ),
      /** True if a running run has a part that can be claimed now or soon: it waits, or its worker is lost. */
      hasWork: Effect4.map(
        again(sql`SELECT 1 FROM parts p JOIN submissions s ON s.run_id = p.run_id
          WHERE s.status = 'running' AND (p.status = 'waiting' OR p.status = 'claimed'
            AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = p.worker AND ${sql.literal(isAlive)})) LIMIT 1`),
        (rows) => rows.length > 0
      ),
      /** Removes workers that were lost long ago, and runs that the ledger has forgotten, with their files. All workers may do so at once. */
      sweep: Effect4.gen(function* () {
        const files = yield* FileSystem3.FileSystem;
        yield* sql`DELETE FROM workers WHERE beat < now() - ${retention}::interval`;
        yield* sql`DELETE FROM parts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = parts.run_id)
          AND coalesce(ended_at, claimed_at, now()) < now() - ${retention}::interval`;
        const forgotten = yield* sql`SELECT run_id, task FROM submissions
          WHERE ended_at < now() - ${retention}::interval
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = submissions.run_id)`;
        for (const { run_id, task } of forgotten) {
          const decoded = decodeTask(run_id, task);
          if (Either2.isLeft(decoded)) continue;
          yield* files.remove(folderOf(decoded.right), { recursive: true, force: true });
          yield* sql`DELETE FROM submissions WHERE run_id = ${run_id}`;
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
import * as PgClient5 from "@effect/sql-pg/PgClient";
import * as Effect5 from "effect/Effect";
var pollInterval = "500 millis";
var standing = (runId) => Effect5.gen(function* () {
  const sql = yield* PgClient5.PgClient;
  const group = encodeText(runId);
  const [row] = yield* again(sql`SELECT s.status, s.task, s.is_split, s.is_read, s.reason, s.error,
        count(p.part) FILTER (WHERE p.part >= 0) AS shards,
        count(p.part) FILTER (WHERE p.part >= 0 AND p.status = 'completed') AS done,
        count(p.part) FILTER (WHERE p.status = 'claimed') AS working,
        (SELECT coalesce(sum(row_count), 0) FROM runs WHERE group_id = ${group} AND id NOT LIKE '%.split') AS rows,
        (SELECT coalesce(sum(reject_count), 0) FROM runs WHERE group_id = ${group}) AS rejects,
        (SELECT coalesce(sum(call_credits + job_credits), 0) FROM runs WHERE group_id = ${group}) AS credits,
        min(p.error) FILTER (WHERE p.not_before IS NOT NULL AND p.status IN ('waiting', 'claimed')) AS waits_for
      FROM submissions s LEFT JOIN parts p ON p.run_id = s.run_id WHERE s.run_id = ${runId} GROUP BY s.run_id`);
  if (row === void 0) return void 0;
  const status = {
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
  return status;
});
var open = Effect5.flatMap(
  PgClient5.PgClient,
  (sql) => Effect5.map(
    again(sql`SELECT run_id FROM submissions WHERE status = 'running'`),
    (rows) => new Set(rows.map(({ run_id }) => run_id))
  )
);
var awaitEnd = (runId) => Effect5.flatMap(
  PgClient5.PgClient,
  (sql) => Effect5.map(
    sql`SELECT status FROM submissions WHERE run_id = ${runId}`,
    ([row]) => row?.status
  ).pipe(
    Effect5.orElseSucceed(() => "running"),
    Effect5.delay(pollInterval),
    Effect5.repeat({ until: (status) => status !== "running" })
  )
);
var summary = (runId) => Effect5.gen(function* () {
  const { find } = yield* Ledger;
  const record = yield* find(runId);
  const ended = yield* standing(runId);
  const status = ended?.status === void 0 || ended.status === "running" ? "failed" : ended.status;
  const rejects = Math.max(record?.rejects ?? 0, ended?.rejects ?? 0);
  const isPublished = status === "completed" || status === "budget" && record?.status === "completed";
  const summary2 = {
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
  const reason = status === "stopped" ? new RunStopped({ message: `somebody has stopped run ${runId}` }) : restored({ reason: ended?.reason ?? "Failed", message: ended?.error ?? "it failed" }, [
    DefinitionInvalid,
    LedgerError,
    Locked
  ]);
  return yield* new RunFailed({ summary: summary2, reason });
});
var stateOf = (status) => status === "claimed" ? "working" : status === "completed" || status === "failed" ? status : "waiting";
var shards = (runId, limit) => Effect5.flatMap(
  PgClient5.PgClient,
  (sql) => Effect5.map(
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
);
var progress = (runIds) => Effect5.gen(function* () {
  const sql = yield* PgClient5.PgClient;
  if (runIds.length === 0) return /* @__PURE__ */ new Map();
  const rows = yield* again(sql`SELECT run_id,
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
import * as FileSystem7 from "@effect/platform/FileSystem";
import * as Effect7 from "effect/Effect";
import * as Schema5 from "effect/Schema";
import * as Stream from "effect/Stream";

// src/Cluster/InputSplits.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import * as NodePath4 from "node:path";
import * as FileSystem5 from "@effect/platform/FileSystem";
import * as Effect6 from "effect/Effect";
import * as Either3 from "effect/Either";
import * as Schema4 from "effect/Schema";
var InputSplit = Schema4.Struct({ part: Schema4.Number, file: Schema4.String, rows: Schema4.Number });
var maxBytes = 1024 * 1024;
var failed = (file) => (cause) => new StepError({
  reason: "ShareUnusable",
  message: `${file} cannot be written: ${fileErrorReason(cause)}. The output folder must be on storage that all workers share.`,
  cause
});
var writeWhole = (file, text) => Effect6.gen(function* () {
  const files = yield* FileSystem5.FileSystem;
  const folder = NodePath4.dirname(file);
  yield* makeFolder(files, folder);
  const draft = `${file}.${randomUUID2()}.partial`;
  yield* Effect6.scoped(
    Effect6.gen(function* () {
      const handle = yield* files.open(draft, { flag: "w" });
      if (text !== "") yield* handle.writeAll(Buffer.from(text));
      yield* handle.sync;
    })
  );
  yield* files.rename(draft, file);
  yield* syncFolder(files, folder);
}).pipe(Effect6.mapError(failed(file)));
var decodeSplits = decodeState(
  Schema4.Struct({
    /** Number of closed splits. */
    full: Schema4.Number,
    /** Closed splits that may not have been announced. */
    fresh: Schema4.Array(InputSplit),
    /** Rows of the open split. */
    open: Schema4.Array(SavedRow)
  })
);
var writer = ({ announce, folder, shardRows: shardRows3 }) => ({
  kind: "sink",
  destination: () => void 0,
  open: (_config, context2, saved) => Effect6.gen(function* () {
    const files = yield* FileSystem5.FileSystem;
    const before2 = (yield* decodeSplits(context2, saved.value)) ?? { full: 0, fresh: [], open: [] };
    let { full } = before2;
    let lines = before2.open.map((row) => JSON.stringify(row));
    let bytes = lines.reduce((sum, line) => sum + line.length, 0);
    let committed = [...before2.fresh];
    let fresh = [];
    let asked = [];
    const close = Effect6.suspend(() => {
      const file = NodePath4.join(folder, `${String(full).padStart(4, "0")}.${randomUUID2().slice(0, 8)}.jsonl`);
      const split2 = { part: full, file, rows: lines.length };
      return Effect6.map(
        Effect6.provideService(
          writeWhole(file, lines.map((line) => `${line}
`).join("")),
          FileSystem5.FileSystem,
          files
        ),
        () => {
          full++;
          lines = [];
          bytes = 0;
          return split2;
        }
      );
    });
    const add2 = (row) => Effect6.suspend(() => {
      const line = JSON.stringify(toJson(row));
      lines.push(line);
      bytes += line.length;
      return lines.length < shardRows3 && bytes < maxBytes ? Effect6.void : Effect6.map(close, (split2) => void fresh.push(split2));
    });
    return {
      // The rows have not reached an end of the pipeline here, so none is counted.
      push: (rows) => Effect6.as(Effect6.forEach(rows, add2, { discard: true }), []),
      save: Effect6.gen(function* () {
        if (committed.length + asked.length > 0) yield* announce([...committed, ...asked]);
        committed = [];
        asked = fresh;
        fresh = [];
        return { value: { full, fresh: asked, open: lines.map((line) => JSON.parse(line)) } };
      }),
      // The last commit contains everything. The remaining rows, or an input without rows, make the last split.
      seal: Effect6.gen(function* () {
        const last = lines.length > 0 || full === 0 ? [yield* close] : [];
        yield* announce([...committed, ...asked, ...fresh, ...last]);
        return { files: [], stale: [], scraps: [], warnings: [] };
      }),
      sizeOf: (rows) => Effect6.succeed(rows.map(() => 0)),
      bytes: () => 0,
      discard: Effect6.void
    };
  })
});
var decodeLine = decodeSaved(Schema4.parseJson(SavedRow));
var read = (file) => Effect6.flatMap(
  FileSystem5.FileSystem,
  (files) => Effect6.mapError(
    files.readFileString(file),
    (cause) => new StepError({
      reason: "ShareUnusable",
      message: `${file} cannot be read: ${fileErrorReason(cause)}. The output folder must be on storage that all workers share.`,
      cause
    })
  )
).pipe(
  Effect6.flatMap((text) => {
    const lines = text.split("\n").filter((line) => line !== "");
    return Either3.all(lines.map((line, index) => decodeLine(`Line ${index + 1} of ${file}`, line)));
  }),
  Effect6.mapError((error) => error._tag === "StepError" ? error : StepError.of(error))
);

// src/Cluster/ShardPlan.ts
var keptFile = (index) => NodePath5.join(shardRows, `${index}.jsonl`);
var isKept = ({ path }) => NodePath5.basename(NodePath5.dirname(path)) === shardRows;
var keeperOf = (step) => `~rows of ${step}`;
var splitPlan = (checked, { reading, root }, options) => withNodes(checked, [...reading, node("~portions", root.id, writer(options))], false);
var wrapping = {
  kind: "transform",
  make: () => Effect7.succeed({
    push: (rows) => Effect7.succeed(rows.map((row) => ({ data: toJson(row) })))
  })
};
var ending = {
  kind: "transform",
  make: () => Effect7.succeed({ push: () => Effect7.succeed([]) })
};
var withoutStopAfter = (node2) => typeof stopAfterOf(node2) === "string" ? { ...node2, common: { ...node2.common, onError: "reject" } } : node2;
var shardPlan = (checked, { kept, root, shared }) => {
  const keeping = kept.flatMap((step, index) => {
    const wrapper = node(`~${step}`, step, wrapping);
    const keeper = node(keeperOf(step), wrapper.id, wrapping);
    return [
      wrapper,
      { ...keeper, step: write, config: { jsonl: keptFile(index) } },
      node(`~end of ${step}`, keeper.id, ending)
    ];
  });
  return withNodes(checked, [root, ...shared.map(withoutStopAfter), ...keeping], false);
};
var readingFiles = (files) => ({
  kind: "source",
  read: (_config, _context, { from }) => {
    const done = typeof from === "number" ? from : 0;
    return Stream.fromIterable(files.slice(done).entries()).pipe(
      Stream.mapEffect(
        ([index, file]) => Effect7.map(read(file), (rows) => ({ rows, cursor: done + index + 1 }))
      )
    );
  }
});
var partName = (path, part) => {
  const zip = /\.gz$/i.exec(path)?.[0] ?? "";
  const plain = path.slice(0, path.length - zip.length);
  const { base, dir, ext, name } = NodePath5.parse(plain);
  return `${NodePath5.join(dir, ext === "" ? base : name)}.${typeof part === "number" ? padShard(part) : part}${ext}${zip}`;
};
var foreign = (path) => `${path} is there beside the files of this run, and is none of them: no run of this pipeline that the ledger knows has made it. Remove it if it is an old output.`;
var unreadable = (error) => new StepError({ reason: "LedgerError", message: error.message, cause: error, scope: "run" });
var sealed = ({ before: before2, folderOf: folderOf2, results, out }, trials) => Effect7.gen(function* () {
  const files = yield* FileSystem7.FileSystem;
  const published = trials?.isTrial === true ? new Set((yield* Effect7.mapError(trials.written, unreadable)).keys()) : before2;
  const all3 = [...results].flatMap(
    ([part, { outputs }]) => outputs.flatMap((output) => {
      const within = NodePath5.relative(folderOf2(part), output.path);
      const path = NodePath5.join(out, partName(within, part));
      return isKept(output) ? [] : [{ ...output, path, partial: output.path, within }];
    })
  );
  const finals = new Set(all3.map(({ path }) => path));
  const folders = new Set(all3.map(({ path }) => NodePath5.dirname(path)));
  yield* Effect7.forEach(folders, (folder) => makeFolder(files, folder), { discard: true }).pipe(
    Effect7.mapError(({ message }) => new StepError({ reason: "FolderUnusable", message }))
  );
  const bases = new Set(all3.map(({ within }) => within));
  const stale = yield* Effect7.forEach(bases, (within) => {
    const [before3 = "", after = ""] = NodePath5.basename(partName(within, "{}")).split("{}");
    const folder = NodePath5.join(out, NodePath5.dirname(within));
    return Effect7.map(
      Effect7.orElseSucceed(files.readDirectory(folder), () => []),
      (names) => names.filter((name) => name.startsWith(before3) && name.endsWith(after)).filter((name) => /^\d{4,}$/.test(name.slice(before3.length, name.length - after.length))).map((name) => NodePath5.join(folder, name)).filter((path) => published.has(path) && !finals.has(path))
    );
  });
  const whole = [...bases].map((within) => NodePath5.join(out, within)).filter((path) => !finals.has(path));
  const left = yield* Effect7.filter(whole, (path) => Effect7.orElseSucceed(files.exists(path), () => false));
  const old = [...stale.flat(), ...left.filter((path) => published.has(path))];
  yield* Effect7.mapError(protectFromTrial(files, trials, [...finals, ...old]), StepError.of);
  const result = {
    files: yield* Effect7.forEach(all3, ({ within: _, ...file }) => withModifiedTime(files, trials, file)),
    stale: old,
    scraps: [],
    warnings: left.filter((path) => !published.has(path)).map(foreign)
  };
  return result;
});
var finishPlan = (checked, { kept, tail }, inputs) => {
  const sources = kept.map(
    (step, index) => node(
      step,
      void 0,
      readingFiles([...inputs.results.keys()].map((part) => NodePath5.join(inputs.folderOf(part), keptFile(index))))
    )
  );
  const nothing = node("~nothing", void 0, { kind: "source", read: () => Stream.empty });
  const publish = node("~publish", nothing.id, {
    kind: "sink",
    destination: () => void 0,
    open: (_config, { trials }) => Effect7.map(
      FileSystem7.FileSystem,
      (files) => ({
        push: Effect7.succeed,
        save: Effect7.succeed({}),
        seal: Effect7.provideService(sealed(inputs, trials), FileSystem7.FileSystem, files),
        sizeOf: (rows) => Effect7.succeed(rows.map(() => 0)),
        bytes: () => 0,
        discard: Effect7.void
      })
    )
  });
  return withNodes(checked, [...sources, ...tail, nothing, publish], true);
};
var node = (id, input, behaviour, common2 = {}) => ({
  id,
  index: 0,
  step: { key: id, summary: "", example: "", config: Schema5.Unknown, behaviour },
  config: null,
  common: common2,
  inputs: input === void 0 ? [] : [input],
  after: []
});
var withNodes = (checked, nodes, keepsState) => keepsState ? { ...checked, nodes, all: checked.nodes } : {
  ...checked,
  nodes,
  remembering: [],
  source: { ...checked.source, value: { ...checked.source.value, state: void 0 } }
};

// src/Cluster/Worker.ts
import { randomUUID as randomUUID3 } from "node:crypto";
import { hostname as hostname2 } from "node:os";
import * as PgClient7 from "@effect/sql-pg/PgClient";
import * as Clock2 from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect11 from "effect/Effect";
import * as Fiber2 from "effect/Fiber";
import * as Option2 from "effect/Option";
import * as Queue from "effect/Queue";
import * as Schedule3 from "effect/Schedule";

// src/Telemetry/Log.ts
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect8 from "effect/Effect";
import * as FiberRef from "effect/FiberRef";
import * as FiberRefs from "effect/FiberRefs";
import * as HashMap from "effect/HashMap";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as Tracer from "effect/Tracer";
var whyOf = (cause) => {
  const error = Cause.squash(cause);
  return isSqlError(error) ? reasonOf(error) : error instanceof Error ? error.message : String(error);
};
var warnOnce = (cannot) => {
  let isTold = false;
  return (work2) => work2.pipe(
    Effect8.tapErrorCause((cause) => {
      if (isTold || Cause.isInterruptedOnly(cause)) return Effect8.logDebug(cause);
      isTold = true;
      return Effect8.logWarning(`${cannot}; it is tried again: ${whyOf(cause)}`);
    }),
    Effect8.tap(
      () => Effect8.sync(() => {
        isTold = false;
      })
    )
  );
};

// src/Cluster/Attempt.ts
import * as Cause2 from "effect/Cause";
import * as Effect10 from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Schedule2 from "effect/Schedule";

// src/Cluster/PartRun.ts
import { hostname } from "node:os";
import * as NodePath6 from "node:path";
import * as FileSystem9 from "@effect/platform/FileSystem";
import * as Data2 from "effect/Data";
import * as Effect9 from "effect/Effect";
import * as Schedule from "effect/Schedule";
var PartFailed = class extends Data2.TaggedError("PartFailed") {
};
var failed2 = (reason) => (cause) => new PartFailed({ status: "failed", reason, message: cause.message, cause });
var queryFailed = (error) => failed2(error._tag === "SqlError" ? "LedgerError" : error._tag)(error);
var retryInterval = "500 millis";
var maxRetries = 1200;
var maxLockedRetries = 16;
var retriesAfter = ({ cause }) => cause instanceof Locked ? maxLockedRetries : cause instanceof LedgerError || cause instanceof PathTaken || isSqlError(cause) ? maxRetries : 0;
var retryTransient = (effect) => Effect9.retry(effect, {
  while: (error) => retriesAfter(error) > 0,
  schedule: Schedule.intersect(Schedule.spaced(retryInterval), Schedule.recurs(maxRetries))
});
var runFailed = ({ message, reason, summary: { status } }) => new PartFailed({
  status: status === "budget" ? "budget" : "failed",
  ...reason instanceof StepError ? { reason: reason.reason, cause: reason.cause } : { reason: reason._tag, cause: reason },
  message
});
var executeRun = (checked, options, place) => Effect9.gen(function* () {
  const ledger = yield* Ledger;
  const rejectFile = yield* pathIn(`${options.dataDir}/runs/${options.id}`);
  const once = Effect9.gen(function* () {
    const known = yield* Effect9.mapError(ledger.find(options.id), queryFailed);
    if (known?.status === "completed") {
      const { error: budgetMessage, outputs, progress: progress2 } = known;
      if (budgetMessage !== void 0 && options.parentRun === void 0) {
        return yield* new PartFailed({
          status: "budget",
          reason: BudgetReached.reason,
          message: budgetMessage,
          cause: void 0
        });
      }
      return {
        budgetMessage,
        outputs: yield* Effect9.mapError(decodeOutputs(`The outputs of run ${known.id}`, outputs ?? []), queryFailed),
        counted: progress2,
        runId: known.id,
        rejectFile
      };
    }
    const resume = known === void 0 ? void 0 : { ...optionsOf(known), out: options.out, backfill: options.backfill, wanted: options.wanted };
    const { client, site } = yield* Effect9.mapError(place.serve(checked), failed2("ServiceUnusable"));
    const run2 = yield* make(checked, { ...options, site, ...resume });
    yield* Effect9.mapError(
      Effect9.provide(run2.execute, client),
      (error) => error instanceof RunFailed ? runFailed(error) : failed2("ServiceUnusable")({
        message: `the service of this worker: ${error instanceof Error ? error.message : String(error)}`
      })
    );
    return void 0;
  }).pipe(Effect9.scoped);
  for (let attempt = 0; ; attempt++) {
    const left = yield* once.pipe(
      Effect9.catchIf(
        (error) => attempt < (options.hasWaited && error.cause instanceof Locked ? 0 : retriesAfter(error)),
        () => Effect9.as(Effect9.sleep(retryInterval), void 0)
      ),
      Effect9.mapError(
        (error) => error.cause instanceof Locked ? new PartFailed({ ...error, message: error.message, status: "waiting" }) : error
      )
    );
    if (left !== void 0) return left;
  }
});
var common = (task, place) => ({
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
  backfill: task.backfill === true || task.limit !== void 0
});
var shardFolder = (task, part) => NodePath6.join(folderOf(task), "shards", padShard(part));
var split = (task, checked, parts2, { hasWaited }, place) => Effect9.gen(function* () {
  const queue = yield* ShardQueue;
  const ledger = yield* Ledger;
  const reading = splitPlan(checked, parts2, {
    folder: NodePath6.join(folderOf(task), "portions"),
    shardRows: task.shardRows,
    announce: (splits) => queue.addShards(task.runId, splits).pipe(
      Effect9.mapError(
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
      trial: false,
      hasWaited
    },
    place
  );
});
var shard = (task, checked, parts2, { hasWaited, part, source = "" }, place) => Effect9.gen(function* () {
  const rows = yield* Effect9.mapError(read(source), failed2("ShareUnusable"));
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
});
var checkRejects = (parts2, { given, rejected }) => {
  for (const node2 of parts2.shared) {
    const allowed = stopAfterOf(node2);
    const count = rejected[node2.id] ?? 0;
    const seen = node2.inputs.reduce((sum, id) => sum + (given[id] ?? 0), 0);
    if (allowed !== void 0 && isReached(allowed, count, seen)) {
      const message = `${node2.id}: rejected ${count} rows of all shards, and stopAfter: ${allowed} ends the run`;
      return Effect9.fail(failed2(TooManyRejects.reason)({ message }));
    }
  }
  return Effect9.void;
};
var withIncomplete = ({ kept }, checked, { incomplete, ...counted }) => ({
  ...counted,
  incomplete: {
    ...incomplete,
    ...Object.fromEntries(
      kept.flatMap((step) => {
        const reasons = [...new Set([step, ...before(checked, step)].flatMap((each) => incomplete[each] ?? []))];
        return reasons.length === 0 ? [] : [[step, reasons]];
      })
    )
  }
});
var countedOf = ({ counted, outputs }) => ({
  outputBytes: outputs.reduce((sum, output) => sum + (isKept(output) ? 0 : output.bytes), 0),
  ...counted
});
var withoutKept = ({ kept }, { given }) => Object.fromEntries(Object.entries(given).filter(([step]) => !kept.includes(step)));
var finish = (task, checked, { hasWaited }, place) => Effect9.gen(function* () {
  const queue = yield* ShardQueue;
  const files = yield* FileSystem9.FileSystem;
  const dataDir = dataDirOf(task);
  const options = {
    ...common(task, place),
    dataDir: NodePath6.join(task.out, ".sluice"),
    id: task.runId,
    out: task.out,
    trial: task.limit !== void 0,
    hasWaited
  };
  const parts2 = partition(checked, { limited: task.limit !== void 0 });
  const cleared = Effect9.ignore(files.remove(folderOf(task), { recursive: true }));
  const ledger = yield* Ledger;
  const clearedIfPublished = (effect) => Effect9.tapError(
    effect,
    ({ status }) => status !== "budget" ? Effect9.void : Effect9.flatMap(
      Effect9.orElseSucceed(ledger.find(task.runId), () => void 0),
      (known) => known?.status === "completed" ? cleared : Effect9.void
    )
  );
  if (task.whole !== void 0 || parts2.kind === "whole") {
    const left2 = yield* executeRun(checked, { ...options, backfill: task.backfill, wanted: task.limit }, place).pipe(
      clearedIfPublished
    );
    yield* cleared;
    return left2;
  }
  const left = yield* retryTransient(Effect9.mapError(queue.shardResults(task.runId), queryFailed));
  const reading = yield* retryTransient(Effect9.mapError(queue.splitResult(task.runId), queryFailed));
  const budgetMessage = reading?.budgetMessage ?? [...left.values()].find((each) => each.budgetMessage !== void 0)?.budgetMessage;
  const total2 = total([
    ...[...left.values()].map(countedOf),
    // Rows of the source are counted by the shards.
    { ...reading?.counted, rows: 0, given: {} }
  ]);
  const counted = withIncomplete(parts2, checked, total2);
  const splitId = splitOf(task.runId);
  yield* merge(
    task.runId,
    [
      { id: splitId, rejectFile: yield* pathIn(`${dataDir}/runs/${splitId}`) },
      ...[...left.values()].map(({ rejectFile, runId }) => ({ id: runId, rejectFile }))
    ],
    { ...counted, given: withoutKept(parts2, counted) },
    yield* pathIn(`${options.dataDir}/runs/${task.runId}`)
  ).pipe(
    Effect9.mapError((error) => isSqlError(error) ? queryFailed(error) : failed2("ShareUnusable")(error)),
    retryTransient
  );
  yield* checkRejects(parts2, counted);
  const published = yield* publishedBefore(task.pipeline, task.runId).pipe(
    Effect9.mapError(queryFailed),
    retryTransient
  );
  const finished = yield* executeRun(
    finishPlan(checked, parts2, {
      results: left,
      out: task.out,
      folderOf: (part) => shardFolder(task, part),
      before: published
    }),
    { ...options, budgetMessage },
    place
  ).pipe(clearedIfPublished);
  yield* cleared;
  return finished;
});
var execute = (part, task, place) => Effect9.gen(function* () {
  const checked = yield* Effect9.mapError(
    checkedOf(task, place.env),
    ({ message }) => failed2("DefinitionInvalid")({ message: `the worker on ${hostname()} cannot take the definition: ${message}` })
  );
  if (part.kind === "finish") return yield* finish(task, checked, part, place);
  const parts2 = partition(checked, { limited: task.limit !== void 0 });
  if (parts2.kind === "whole") {
    const message = `this worker would not split the run: ${parts2.why}. Give all workers the same version and environment.`;
    return yield* failed2("DefinitionDiffers")({ message });
  }
  return yield* part.kind === "split" ? split(task, checked, parts2, part, place) : shard(task, checked, parts2, part, place);
}).pipe(
  Effect9.provideServiceEffect(
    Permissions,
    Effect9.map(Permissions, (permissions) => ({ ...permissions, isWorker: true }))
  )
);

// src/Cluster/Attempt.ts
var parts = counter("sluice_worker_parts_total", "Parts of runs that this worker has had, by how they ended here.", [
  "kind",
  "outcome"
]);
var busy = gauge("sluice_worker_parts_busy", "Parts of runs that this worker carries out now.", []);
var room = gauge("sluice_worker_parts_room", "Parts that it carries out at once at most.", []);
var lost = counter(
  "sluice_worker_parts_lost_total",
  "Parts that this worker took after another one was lost with them.",
  ["kind"]
);
var outcomeOf = (exit) => {
  if (Exit.isSuccess(exit)) return "completed";
  if (Cause2.isInterrupted(exit.cause)) return "given back";
  const failure = Cause2.squash(exit.cause);
  return typeof failure === "object" && failure !== null && "status" in failure ? String(failure.status) : "failed";
};
var measured = (execution, { kind, part, runId }, { pipeline, trace }) => {
  const attributes = {
    "sluice.run.id": runId,
    "sluice.pipeline": pipeline,
    "sluice.part": part,
    "sluice.part.kind": kind
  };
  const parent = parentOf(trace);
  const spanned = Effect10.withSpan(execution, "Cluster.part", {
    captureStackTrace: false,
    attributes,
    ...parent === void 0 ? { root: true } : { parent }
  });
  return Effect10.acquireUseRelease(
    Effect10.sync(() => busy.add(1)),
    () => Effect10.onExit(spanned, (exit) => Effect10.sync(() => parts.add(1, kind, outcomeOf(exit)))),
    () => Effect10.sync(() => busy.add(-1))
  );
};
var setRoom = (concurrency) => room.set(concurrency);
var nameOf = ({ kind, part, runId }) => kind === "shard" ? `shard ${part} of ${runId}` : `the ${kind} of ${runId}`;
var reported = (report) => report.pipe(
  warnOnce("This worker cannot read or record the state of a part"),
  Effect10.retry(Schedule2.spaced("1 second"))
);
var make3 = ({ place, say }) => Effect10.gen(function* () {
  const queue = yield* ShardQueue;
  const suspects = yield* Effect10.makeSemaphore(1);
  const giveBack = (claim) => {
    say(`gives back ${nameOf(claim.part)}`);
    return reported(queue.release(claim));
  };
  const executed = (claim, halted) => Effect10.gen(function* () {
    const { part } = claim;
    const task = yield* reported(Effect10.catchTag(queue.task(part.runId), "SavedValueInvalid", Effect10.succeed));
    if (task === void 0) return;
    if (task instanceof SavedValueInvalid) {
      const { _tag: reason2, message: error2 } = task;
      say(`${nameOf(part)} failed: ${error2}`);
      return yield* reported(queue.fail(claim, { status: "failed", reason: reason2, error: error2 }));
    }
    const fiber = yield* Effect10.fork(Effect10.interruptible(measured(execute(part, task, place), part, task)));
    const exit = yield* Effect10.raceFirst(Fiber.await(fiber), Effect10.zipRight(halted, Fiber.interrupt(fiber))).pipe(
      Effect10.onInterrupt(() => Fiber.interrupt(fiber))
    );
    if (Exit.isSuccess(exit)) return yield* reported(queue.complete(claim, exit.value));
    if (Cause2.isInterrupted(exit.cause)) return yield* giveBack(claim);
    const failure = Cause2.squash(exit.cause);
    const error = failure instanceof Error ? failure.message : String(failure);
    const { reason, status } = failure instanceof PartFailed ? failure : { status: "failed", reason: "UnexpectedError" };
    say(`${nameOf(part)} ${status === "waiting" ? "waits" : "failed"}: ${error}`);
    yield* reported(status === "waiting" ? queue.defer(claim, error) : queue.fail(claim, { status, reason, error }));
  });
  const executedInTurn = (claim, halted) => {
    const { attempts, part } = claim;
    const mine = Effect10.gen(function* () {
      yield* reported(queue.countAttempt(claim));
      if (attempts < maxAttempts) return yield* executed(claim, halted);
      const error = `${nameOf(part)} was begun ${maxAttempts} times without getting any further, and its worker was lost each time: it may need more memory than a worker has, or code of it ends the process`;
      say(`gives up ${nameOf(part)}`);
      yield* reported(queue.fail(claim, { status: "failed", reason: "WorkersLost", error }));
    });
    let state = "waits";
    const inTurn = Effect10.suspend(() => {
      if (state === "returned") return Effect10.void;
      state = "executed";
      return mine;
    });
    const returned2 = Effect10.suspend(() => {
      if (state === "executed") return Effect10.never;
      state = "returned";
      return giveBack(claim);
    });
    return Effect10.raceFirst(suspects.withPermits(1)(inTurn), Effect10.zipRight(halted, returned2));
  };
  return (claim, halted) => Effect10.suspend(() => {
    if (!claim.isSuspect) return executed(claim, halted);
    lost.add(1, claim.part.kind);
    return executedInTurn(claim, halted);
  }).pipe(
    Effect10.catchAllCause(
      (cause) => Cause2.isInterruptedOnly(cause) ? Effect10.interrupt : Effect10.logWarning(`a part could not be ended: ${Cause2.pretty(cause)}`)
    )
  );
});

// src/Cluster/Worker.ts
var pollInterval2 = "500 millis";
var beatInterval = "1 second";
var drainTimeout = 2e3;
var sweepInterval = "10 minutes";
var commitTimeout = 1e4;
var shutdownTimeout = "5 seconds";
var probeTimeout = "1 second";
var briefly = (effect, limit) => (
  // Finalizers are uninterruptible, so the timeout needs an interruptible effect.
  Effect11.ignore(Effect11.timeout(Effect11.interruptible(effect), limit))
);
var unreachable = Effect11.flatMap(
  PgClient7.PgClient,
  (sql) => (
    // A query that waits for a connection cannot be interrupted, so it runs on its own fiber.
    Effect11.disconnect(Effect11.interruptible(sql`SELECT 1`)).pipe(
      Effect11.timeout(probeTimeout),
      Effect11.zipRight(Effect11.sleep(probeTimeout)),
      Effect11.forever,
      Effect11.ignore
    )
  )
);
var repeatedly = (duty, cannot, interval) => duty.pipe(
  warnOnce(cannot),
  Effect11.catchAllCause(() => Effect11.void),
  Effect11.repeat(Schedule3.spaced(interval)),
  Effect11.forkScoped
);
var run = (options, stop) => Effect11.uninterruptibleMask(
  (restore) => Effect11.gen(function* () {
    const fiber = yield* Effect11.forkDaemon(Effect11.interruptible(work(options, stop)));
    const isCut = Effect11.zipRight(stop, Effect11.zipRight(Effect11.sleep(shutdownTimeout), unreachable));
    const end = yield* restore(
      Effect11.raceFirst(Effect11.asSome(Fiber2.join(fiber)), Effect11.as(isCut, Option2.none()))
    ).pipe(Effect11.onInterrupt(() => Fiber2.interrupt(fiber)));
    if (Option2.isSome(end)) return;
    options.say("is gone without its database: what it held is free by itself within seconds");
    yield* Fiber2.interruptFork(fiber);
  })
);
var work = (options, stop) => Effect11.gen(function* () {
  const { concurrency, place, say } = options;
  const host = options.host ?? hostname2();
  const self = { id: `${host}-${randomUUID3().slice(0, 8)}`, host, pid: process.pid, concurrency };
  const queue = yield* ShardQueue;
  const attempt = yield* make3({ place, say });
  const stopping = yield* Deferred.make();
  const drained = yield* Deferred.make();
  const freed = yield* Queue.sliding(1);
  const claiming = yield* Effect11.makeSemaphore(1);
  const running = /* @__PURE__ */ new Map();
  let isDraining = options.drain === true;
  let lastWork = yield* Clock2.currentTimeMillis;
  const start2 = (claim2) => Effect11.gen(function* () {
    const halt = yield* Deferred.make();
    const halted = Effect11.raceFirst(Deferred.await(stopping), Deferred.await(halt));
    const fiber = yield* Effect11.forkDaemon(Effect11.interruptible(attempt(claim2, halted)));
    running.set(claim2.token, { halt, fiber });
    fiber.addObserver(() => {
      running.delete(claim2.token);
      freed.unsafeOffer(void 0);
    });
  }).pipe(Effect11.uninterruptible);
  const claim = Effect11.gen(function* () {
    if (running.size >= concurrency || isDraining && options.drain !== true) return false;
    const next = Effect11.suspend(() => queue.claim(self.id, randomUUID3()));
    const found = (yield* next) ?? ((yield* queue.requeueLost(self.id)) > 0 ? yield* next : void 0);
    if (found !== void 0) yield* start2(found);
    return found !== void 0;
  }).pipe(claiming.withPermits(1));
  const poll = Effect11.gen(function* () {
    yield* Effect11.repeat(claim, { while: (isClaimed) => isClaimed });
    const now = yield* Clock2.currentTimeMillis;
    if (options.drain === true && (running.size > 0 || (yield* queue.hasWork))) lastWork = now;
    if (isDraining && running.size === 0 && (options.drain !== true || now - lastWork >= drainTimeout)) {
      return yield* Deferred.succeed(drained, void 0);
    }
    yield* Effect11.raceFirst(Queue.take(freed), Effect11.sleep(pollInterval2));
  }).pipe(
    warnOnce("This worker cannot look for work"),
    Effect11.catchAllCause(() => Effect11.sleep(pollInterval2))
  );
  const beat = Effect11.map(queue.beat(self), (isAsked) => {
    if (isAsked && !isDraining) say("drains: finishes what it has, and takes nothing new");
    isDraining ||= isAsked;
  });
  const reconcile = Effect11.gen(function* () {
    const tokens = [...running.keys()];
    const kept = yield* queue.reconcile(self.id, tokens);
    for (const token of tokens) {
      const part = running.get(token);
      if (part !== void 0 && !kept.has(token)) yield* Deferred.succeed(part.halt, void 0);
    }
  }).pipe(claiming.withPermits(1));
  const commit = Effect11.forEach([...running.values()], ({ fiber }) => Fiber2.await(fiber), {
    concurrency: "unbounded"
  });
  yield* Effect11.acquireRelease(again(queue.beat(self)), () => briefly(queue.leave(self.id), "2 seconds"));
  yield* Effect11.addFinalizer(
    () => briefly(Fiber2.interruptAll([...running.values()].map(({ fiber }) => fiber)), "2 seconds")
  );
  yield* Effect11.gen(function* () {
    yield* repeatedly(beat, "This worker cannot give a sign of life", beatInterval);
    yield* repeatedly(reconcile, "This worker cannot look for parts that it shall stop", beatInterval);
    yield* repeatedly(queue.sweep, "This worker cannot remove what is of no more use", sweepInterval);
    const polling = yield* Effect11.forkScoped(Effect11.forever(poll));
    setRoom(concurrency);
    say(`worker ${self.id} takes ${concurrency} parts at once`);
    yield* options.began ?? Effect11.void;
    yield* Effect11.raceFirst(stop, Deferred.await(drained));
    yield* Fiber2.interrupt(polling);
    yield* Deferred.succeed(stopping, void 0);
    yield* Effect11.timeoutOption(commit, commitTimeout);
    say("is gone");
  }).pipe(Effect11.scoped);
}).pipe(Effect11.scoped);

// src/Cluster.ts
var shardRows2 = 200;
var transactionTimeout = 4e3;
var layer2 = (url, connections) => Layer.unwrapEffect(
  Effect12.map(
    addressOf(url, transactionTimeout),
    ({ place }) => Layer.merge(over(place), ShardQueue.Default).pipe(
      Layer.provideMerge(
        layer({
          url,
          parts: { ledger: migrations, cluster: migrations2 },
          connections,
          silence: transactionTimeout
        })
      )
    )
  )
).pipe(Layer.mapError(notOpened));
var InstantRefused = class extends Data3.TaggedError("InstantRefused") {
  get message() {
    return `the instant of ${this.pipeline} is carried out by somebody else`;
  }
};
var lockOccurrence = ({ id, instantOf, scheduledFor }) => Effect12.gen(function* () {
  if (instantOf === void 0 || id === void 0 || scheduledFor === void 0) return;
  const sql = yield* PgClient9.PgClient;
  const rows = yield* sql`SELECT 1 FROM instants WHERE pipeline = ${instantOf} AND instant = ${scheduledFor.getTime()}
      AND run_id = ${id} AND ended_at IS NULL AND replaced_by IS NULL FOR UPDATE`;
  if (rows.length === 0) return yield* new InstantRefused({ pipeline: instantOf });
});
var submit = Effect12.fn("Cluster.submit")(function* (checked, options) {
  const program = checked.registry?.hash === void 0 ? checked.registry?.added ?? [] : [];
  if (program.length > 0) {
    const message = `workers cannot load ${program.join(", ")}: they exist only in the program that made the definition. Move them to a file, and name it (extensions: ./steps.ts)`;
    return yield* new DefinitionInvalid({ file: checked.source.file, mistakes: [{ path: ["extensions"], message }] });
  }
  const sql = yield* PgClient9.PgClient;
  const queue = yield* ShardQueue;
  const startedAt = options.now?.getTime() ?? (yield* Clock3.currentTimeMillis);
  const runId = options.id ?? (yield* newId(startedAt));
  const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => void 0) };
  const run2 = describeRun(checked, {
    id: runId,
    parentRun: void 0,
    scheduledFor: options.scheduledFor,
    site: void 0,
    startedAt: new Date(startedAt)
  });
  const key = yield* stateKey(checked, { ...scope, run: run2 });
  const dataDir = `${options.out}/.sluice`;
  const beginning = makeRunSpec(
    checked,
    { ...options, dataDir, group: runId },
    { id: runId, startedAt },
    { key: typeof key === "string" ? key : void 0 }
  );
  const parts2 = partition(checked, { limited: options.wanted !== void 0 });
  const task = {
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
  yield* lockOccurrence(options).pipe(
    Effect12.zipRight(start({ sql, place: "Postgres" }, beginning)),
    Effect12.zipRight(queue.submit(task)),
    sql.withTransaction
  );
  return task;
});

// src/Cluster/Door.ts
var Cluster = class extends Context2.Tag("sluice/Cluster")() {
};
var placeOf = (context2, { env = {}, secrets = () => void 0 }) => {
  const client = Layer2.succeedContext(context2);
  return {
    env: { env, secrets },
    serve: ({ frame, source }) => frame.site === void 0 ? Effect13.succeed({ client }) : Effect13.map(serve(resolve(source.folder, frame.site)), (site) => ({ client, site })).pipe(
      Effect13.provide(context2)
    )
  };
};
var make7 = Effect13.gen(function* () {
  const cluster = Context2.pick(
    Ledger,
    ShardQueue,
    PgClient11.PgClient,
    SqlClient3.SqlClient
  )(yield* Effect13.context());
  const { place } = yield* Ledger;
  const withLedgerError = (doing) => (effect) => Effect13.provide(effect, cluster).pipe(
    Effect13.mapError(
      (error) => isSqlError(error) ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error }) : error instanceof SavedValueInvalid ? new LedgerError({ place, doing, reason: error.problem, cause: error }) : error
    )
  );
  const standing2 = (runId) => RunStatus_exports.standing(runId).pipe(withLedgerError(`looking at run ${runId}`));
  const work2 = (options = {}) => Effect13.gen(function* () {
    const context2 = Context2.merge(yield* Effect13.context(), cluster);
    const began = yield* Deferred2.make();
    const stop = yield* Deferred2.make();
    const { concurrency = 4, host, say = () => void 0 } = options;
    const working = run(
      {
        place: placeOf(context2, options),
        concurrency,
        host,
        say,
        began: Effect13.asVoid(Deferred2.succeed(began, void 0))
      },
      Deferred2.await(stop)
    ).pipe(
      Effect13.provide(context2),
      Effect13.catchSomeDefect((defect) => isSqlError(defect) ? Option3.some(Effect13.fail(defect)) : Option3.none()),
      withLedgerError("beginning to work"),
      Effect13.onError(
        (cause) => Effect13.whenEffect(Effect13.logError("A worker has ended", cause), Deferred2.isDone(began))
      )
    );
    const fiber = yield* Effect13.acquireRelease(
      Effect13.forkDaemon(Effect13.interruptible(working)),
      (fiber2) => Effect13.zipRight(Deferred2.succeed(stop, void 0), Fiber3.await(fiber2))
    );
    yield* Effect13.raceFirst(Deferred2.await(began), Fiber3.join(fiber));
  });
  return Context2.make(Cluster, {
    standing: standing2,
    submit: (pipeline, options) => submit(pipeline, { ...options, out: resolve(options.out) }).pipe(
      Effect13.map(({ runId }) => runId),
      // Only submissions of a schedule can be refused.
      Effect13.catchTag("InstantRefused", Effect13.die),
      withLedgerError(`handing ${pipeline.frame.name} in`)
    ),
    ended: (runId) => Effect13.gen(function* () {
      if ((yield* standing2(runId)) === void 0) return yield* new RunUnknown({ id: runId, place });
      yield* RunStatus_exports.awaitEnd(runId);
      return yield* RunStatus_exports.summary(runId);
    }).pipe(withLedgerError(`looking at run ${runId}`)),
    stop: (runId) => Effect13.flatMap(ShardQueue, (queue) => queue.stop(runId)).pipe(withLedgerError(`stopping run ${runId}`)),
    work: work2
  });
});
var layer3 = (url, { connections = 12 } = {}) => Layer2.effectContext(Effect13.zipWith(make7, Ledger, (context2, ledger) => Context2.add(context2, Ledger, ledger))).pipe(
  Layer2.provide(layer2(url, connections))
);
var layerWorker = (options) => Layer2.scopedDiscard(Effect13.flatMap(Cluster, ({ work: work2 }) => work2(options)));
export {
  Cluster,
  layer3 as layer,
  layerWorker
};
