import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  schedules
} from "./chunk-CJTLXNG6.js";
import {
  RunStatus_exports,
  ShardQueue,
  layer,
  submit
} from "./chunk-EF53PWFV.js";
import {
  scopeOf
} from "./chunk-X7K32U6Z.js";
import "./chunk-KJKV7NRH.js";
import {
  newId
} from "./chunk-ALZKZVUB.js";
import "./chunk-WWBFR4DS.js";
import "./chunk-VY47LH7L.js";
import "./chunk-BCA6N2EJ.js";
import "./chunk-5L3NFGX6.js";
import "./chunk-MUKZDKC6.js";
import "./chunk-LMXK3V6A.js";
import "./chunk-BYJFSQCC.js";
import "./chunk-3EMFAHTD.js";
import "./chunk-N6F43J7C.js";
import "./chunk-BR5MBAVT.js";
import "./chunk-TDODX2FN.js";
import "./chunk-FIQWETKJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-23QIF2VD.js";
import "./chunk-NEXSCO5F.js";
import {
  again
} from "./chunk-MIIJUVTW.js";
import "./chunk-MNIXIZXA.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-4AW5X4F4.js";
import "./chunk-A7PH37LU.js";
import "./chunk-7DF5MID3.js";
import "./chunk-K7EXGFWX.js";
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
