import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  NoSuchRun,
  count,
  table
} from "./chunk-BMNGXVO7.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  runStatus
} from "./chunk-NHAMPOKL.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import {
  gen,
  promise,
  provide2 as provide
} from "./chunk-JGKSI326.js";

// src/Cli/RunRecords.ts
var askCluster = (runs, options, terminal, ask) => gen(function* () {
  let ids = runs.filter(({ group, id }) => group === id).map(({ id }) => id), { databaseUrl } = yield* readSettings(terminal.env, options.profile);
  if (ids.length === 0 || databaseUrl === void 0) return;
  let cluster = yield* promise(() => import("./chunk-SVZQFOMB.js"));
  return yield* provide(ask(cluster, ids), cluster.layer(databaseUrl, 1));
}), progressOf = (runs, options, terminal) => askCluster(runs, options, terminal, ({ RunStatus }, ids) => RunStatus.progress(ids)), shardsOf = (run, options, terminal) => askCluster(
  [run],
  options,
  terminal,
  ({ RunStatus }) => gen(function* () {
    let standing = yield* RunStatus.standing(run.id);
    return standing && { standing, shards: yield* RunStatus.shards(run.id, options.limit) };
  })
), shardObject = ({ shards, standing: { done, isRead, isSplit, waitsFor, why, working } }) => ({
  cluster: { split: isSplit, whole: why, sourceRead: isRead, working, done, waitsFor },
  shards
}), describeShards = ({ shards, standing }, terminal) => {
  let { done, isRead, isSplit, waitsFor, working } = standing, total = standing.shards, fact = isSplit ? [
    `${done} of ${isRead ? "" : "so far "}${count(total, "shard")} done`,
    ...working === 0 ? [] : [`${count(working, "part")} at work`]
  ].join(", ") : `none: ${standing.why ?? "it is one part"}`, waits = waitsFor === void 0 ? "" : `; a part waits: ${waitsFor}`, dye = paint(terminal.out), lines = table(
    [["shard", "right"], ["state"], ["worker"], ["given", "right"], ["rows", "right"], ["rejects", "right"], ["error"]],
    shards.map(({ error, given, rejects, rows, shard, state, worker }) => [
      String(shard),
      state,
      worker ?? "\u2013",
      ...[given, rows, rejects].map((each) => each.toLocaleString("en-US")),
      error ?? ""
    ]),
    terminal.out
  ), more = total > shards.length ? [dye.dim(`and ${count(total - shards.length, "more shard")}: --limit`)] : [];
  return { fact: `${fact}${waits}`, lines: shards.length === 0 ? [] : [...lines, ...more] };
}, findRun = (id) => gen(function* () {
  let { history } = yield* Ledger, newest = (yield* history.runs({ limit: 100 })).map((run) => run.id), wanted = id ?? newest[0] ?? "";
  return (yield* history.run(wanted)) ?? (yield* new NoSuchRun({ run: wanted, known: newest }));
}), runObject = (run, alive) => ({
  runId: run.id,
  pipeline: run.pipeline,
  status: runStatus(run, alive),
  file: run.file,
  startedAt: new Date(run.startedAt).toISOString(),
  endedAt: run.endedAt === void 0 ? void 0 : new Date(run.endedAt).toISOString(),
  rows: run.rows,
  rejects: run.rejects,
  credits: run.credits,
  unpricedCalls: run.unpriced,
  error: run.error
});

export {
  progressOf,
  shardsOf,
  shardObject,
  describeShards,
  findRun,
  runObject
};
