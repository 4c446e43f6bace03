import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  schedules
} from "./chunk-NZRCZCKM.js";
import {
  RunStatus_exports,
  ShardQueue,
  layer,
  submit
} from "./chunk-BD5Y5JKL.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-Y3UV4EDE.js";
import {
  newId
} from "./chunk-GLBPH2CN.js";
import "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-SRE6WST2.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  again
} from "./chunk-AAIABKKY.js";
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  _void,
  asVoid3 as asVoid,
  currentTimeMillis,
  flatMap5 as flatMap,
  gen,
  get,
  ignoreLogged,
  logWarning,
  onInterrupt2 as onInterrupt,
  tapError
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Schedule/OnCluster.ts
var connections = 4, layer2 = (url) => layer(url, connections), greet = (context) => flatMap(
  get(context, ShardQueue).workers,
  (workers) => workers.some(({ alive }) => alive) ? _void : logWarning("no worker is there yet, and runs wait for one: sluice worker starts it")
), carryOut = (task, { allowCode, env, out }) => gen(function* () {
  let queue = yield* ShardQueue, schedules2 = yield* schedules, { begun, checked, instant, isReplaced, resume } = task, pipeline = checked.frame.name, now = yield* currentTimeMillis, runId = resume?.id ?? (yield* newId(now));
  yield* begun(runId).pipe(
    // Whoever had begun it is gone, and a later instant has taken its place meanwhile.
    tapError(
      () => flatMap(
        schedules2.find({ pipeline, instant }),
        (row) => resume === void 0 || row?.replacedBy === void 0 ? _void : queue.stop(runId)
      )
    )
  );
  let submission = {
    ...scopeOf(env),
    id: runId,
    instantOf: pipeline,
    scheduledFor: new Date(instant),
    now: new Date(now),
    out,
    allowCode
  };
  return yield* gen(function* () {
    if (resume === void 0) {
      let known = queue.task(runId);
      yield* again(
        flatMap(
          known,
          (there) => there === void 0 ? asVoid(submit(checked, submission)) : _void
        )
      );
    } else task.again && (yield* queue.reopen(runId));
    yield* RunStatus_exports.awaitEnd(runId);
  }).pipe(onInterrupt(() => isReplaced() ? ignoreLogged(queue.stop(runId)) : _void)), yield* RunStatus_exports.summary(runId);
});
export {
  carryOut,
  greet,
  layer2 as layer
};
