import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  RunStatus_exports,
  ShardQueue,
  foreign,
  layer,
  revise,
  submit,
  wholeName
} from "./chunk-BD5Y5JKL.js";
import {
  completed,
  describe,
  describeFailed,
  goesOn
} from "./chunk-GA35ZNT7.js";
import {
  missingCapabilities
} from "./chunk-QH7QVI4J.js";
import {
  SettingInvalid,
  WrongUsage,
  count
} from "./chunk-BMNGXVO7.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import {
  newId
} from "./chunk-GLBPH2CN.js";
import {
  trialFolder
} from "./chunk-A5EW3TIO.js";
import {
  FileSystem
} from "./chunk-4U3SQ3WC.js";
import {
  currentTimeMillis,
  delay2 as delay,
  ensuring2 as ensuring,
  filter3 as filter,
  gen,
  map9 as map,
  onInterrupt2 as onInterrupt,
  orElseSucceed,
  provide2 as provide,
  repeat,
  succeed4 as succeed,
  sync3 as sync,
  tapErrorTag
} from "./chunk-JGKSI326.js";

// src/Cli/Run/OnCluster.ts
import * as NodePath from "node:path";
var databaseOf = ({ databaseUrl }) => databaseUrl === void 0 ? new SettingInvalid({
  name: "SLUICE_DATABASE_URL",
  reason: "runs on many machines need the Postgres that they share, and it is not set"
}) : succeed(databaseUrl), glance = 500, line = ({ credits, done, isRead, isSplit, rejects, rows, shards, waitsFor, working }) => [
  isSplit ? `${done} of ${isRead ? "" : "so far "}${count(shards, "shard")}` : "one part",
  working === 0 ? "waits for a worker" : `${working} at work`,
  count(rows, "row"),
  ...rejects === 0 ? [] : [count(rejects, "reject")],
  ...credits === 0 ? [] : [count(Math.round(credits), "credit")],
  ...waitsFor === void 0 ? [] : [`waits: ${waitsFor}`]
].join("  "), follow = (runId, name, terminal, print) => gen(function* () {
  yield* gen(function* () {
    let standing = yield* RunStatus_exports.standing(runId);
    return terminal.err.interactive && standing !== void 0 && terminal.err.status(`${name}  ${line(standing)}`), standing;
  }).pipe(
    delay(glance),
    repeat({ until: (standing) => standing?.status !== "running" }),
    ensuring(sync(() => terminal.err.status(""))),
    onInterrupt(
      () => sync(() => {
        print.talk(`run ${runId} goes on without you: sluice show ${runId}
`), print.report(goesOn(runId));
      })
    )
  );
  let summary = yield* RunStatus_exports.summary(runId).pipe(
    tapErrorTag(
      "RunFailed",
      (failure) => sync(() => print.talk(describeFailed(name, failure.summary, terminal.err, failure)))
    )
  );
  print.talk(describe(name, summary, terminal.err));
  for (let warning of yield* beside(summary)) print.talk(`${warning}
`);
  print.report(completed(summary));
}), beside = ({ outputs }) => gen(function* () {
  let files = yield* FileSystem, own = new Set(outputs.map(({ path }) => path)), whole = new Set(outputs.flatMap(({ path }) => wholeName(path) ?? []));
  return (yield* filter(
    [...whole],
    (path) => own.has(path) ? succeed(!1) : orElseSucceed(files.exists(path), () => !1)
  )).map(foreign);
}), doubts = ({ checked, settings }, env) => missingCapabilities(checked, settings, env).pipe(
  map(
    ({ refusal }) => (refusal?.unmet ?? []).map(({ message }) => `not on this machine, and perhaps on none of the workers: ${message}
`).join("")
  ),
  orElseSucceed(() => "")
), perform = (errand, terminal, print) => gen(function* () {
  let url = yield* databaseOf(errand.settings), { checked, detach, limit, ...options } = errand;
  if (checked.toStdout.length > 0)
    return yield* new WrongUsage({
      reason: 'a step writes to standard output ("-"), which workers do not have: give it the path of a file, or run it here without --on cluster'
    });
  let id = yield* newId(yield* currentTimeMillis), out = errand.out ?? trialFolder(NodePath.resolve(".sluice"), checked.frame.name, id);
  print.talk(yield* doubts(errand, terminal.env)), yield* gen(function* () {
    let task = yield* submit(checked, { ...options, ...scopeOf(terminal.env), id, out, wanted: limit });
    if (task.whole !== void 0 && print.talk(`${checked.frame.name} is not split: ${task.whole}
`), (yield* (yield* ShardQueue).workers).some(({ alive }) => alive) || print.talk(`no worker is there yet: sluice worker starts one
`), !detach) return yield* follow(task.runId, checked.frame.name, terminal, print);
    print.talk(`run ${task.runId} was handed in: sluice show ${task.runId}
`), print.report(goesOn(task.runId));
  }).pipe(provide(layer(url, 4)));
}), resume = ({ id, pipeline }, mended, settings, terminal, print) => gen(function* () {
  let { databaseUrl } = settings;
  return databaseUrl === void 0 ? !1 : yield* gen(function* () {
    let queue = yield* ShardQueue, standing = yield* RunStatus_exports.standing(id);
    return standing === void 0 ? !1 : (mended !== void 0 && standing.status !== "running" && (yield* revise(id, mended, scopeOf(terminal.env))), yield* queue.reopen(id), yield* follow(id, pipeline, terminal, print), !0);
  }).pipe(provide(layer(databaseUrl, 4)));
});

export {
  databaseOf,
  follow,
  perform,
  resume
};
