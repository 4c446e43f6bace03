import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  findRun
} from "./chunk-AYW24OCZ.js";
import {
  runStatus
} from "./chunk-NHAMPOKL.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import {
  runCollect,
  sha256
} from "./chunk-4U3SQ3WC.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  fail5 as fail,
  flatMap5 as flatMap,
  gen,
  succeed4 as succeed,
  toReadonlyArray
} from "./chunk-JGKSI326.js";

// src/Cli/Run/OpenRejects.ts
var NothingToReplay = class extends TaggedError("NothingToReplay") {
  get message() {
    return `nothing of run ${this.run} can be replayed: ${this.reason}`;
  }
}, gather = (wanted) => gen(function* () {
  let { history } = yield* Ledger, { alive, run } = yield* findRun(wanted), { id } = run, status = runStatus(run, alive);
  if (status !== "completed" && status !== "failed") {
    let reason = alive ? "it is still running" : `it is ${status}: go on with it by sluice resume ${id}`;
    return yield* new NothingToReplay({ run: id, reason });
  }
  let rejects = toReadonlyArray(yield* runCollect(history.rejects(id, "open")));
  if (rejects.length === 0) return yield* new NothingToReplay({ run: id, reason: "it has no reject that is open" });
  if (rejects.some(({ of }) => of !== id)) {
    let reason = `its shards have not come to their end, and their rejects belong to them until then: sluice resume ${id}`;
    return yield* new NothingToReplay({ run: id, reason });
  }
  return { run, rejects };
}), rowOf = ({ isDerived = !1, jobId, key, row, source }, { behaviour }) => {
  let known = isDerived || key === sha256(JSON.stringify(row)) ? { derivedKey: key } : { key };
  return behaviour.kind === "transform" && behaviour.pages === !0 && jobId !== void 0 && source !== void 0 ? { data: source, ...known } : { data: row, ...known, source, jobId };
}, sort = (rejects, { nodes }) => {
  let rows = /* @__PURE__ */ new Map(), numbers = [], left = /* @__PURE__ */ new Map();
  for (let reject of rejects) {
    let node = nodes.find(({ id }) => id === reject.step);
    if (node === void 0 || node.inputs.length === 0) {
      left.set(reject.step, (left.get(reject.step) ?? 0) + 1);
      continue;
    }
    let own = rows.get(node.id) ?? [];
    own.push(rowOf(reject, node.step)), rows.set(node.id, own), numbers.push(reject.number);
  }
  return { rows, numbers, left };
}, rejectsOf = (run, checked) => flatMap(gather(run), ({ rejects, run: { id } }) => {
  let { numbers, rows } = sort(rejects, checked);
  return numbers.length === 0 ? fail(new NothingToReplay({ run: id, reason: "no step of the definition takes its rejects" })) : succeed({ of: id, rows, numbers });
});

export {
  NothingToReplay,
  gather,
  sort,
  rejectsOf
};
