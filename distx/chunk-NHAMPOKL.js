import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  isSpent
} from "./chunk-L2IO7ZT7.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  currentTimeMillis,
  get4 as get,
  map9 as map,
  zipWith
} from "./chunk-JGKSI326.js";

// src/Run/RunResult.ts
var isPublished = ({ phase }) => map(get(phase), ({ _tag }) => _tag === "Published"), summarize = ({ counters, id, phase, rejectFile }, status) => zipWith(currentTimeMillis, get(phase), (now, phase2) => ({
  runId: id,
  // A run that is interrupted after its files were published is completed all the same.
  status: phase2._tag === "Published" ? phase2.status : status,
  rows: counters.rows,
  rejects: counters.rejects,
  credits: counters.credits,
  unpricedCalls: counters.unpriced,
  durationMs: phase2._tag === "Created" ? 0 : now - phase2.begun,
  outputs: phase2._tag === "Published" ? phase2.outputs : [],
  rejectFile: counters.rejects > 0 ? rejectFile : void 0,
  resumable: phase2._tag === "Running" || phase2._tag === "Ended" ? phase2.resumable : !1,
  ...counters.runningJobs.size === 0 ? {} : { runningJobs: [...counters.runningJobs] }
})), RunFailed = class extends TaggedError("RunFailed") {
  get message() {
    let { reason } = this;
    return reason._tag === "StepError" && reason.step !== void 0 ? `${reason.definedAt}  ${reason.step}: ${reason.message}` : reason.message;
  }
}, RunUnknown = class extends TaggedError("RunUnknown") {
  get message() {
    return `there is no run ${this.id} in ${this.place}`;
  }
}, RunDiffers = class extends TaggedError("RunDiffers") {
  get message() {
    return this.what === "definition" ? `run ${this.id} began with another definition: give it the same, or say withCurrent to go on with this one` : `run ${this.id} began with other inputs: give it the same`;
  }
}, runStatus = (run, alive) => alive || run.status !== "running" && run.status !== "publishing" ? run.status : run.group === run.id ? "waiting" : "crashed", isCut = ({ group, id, progress, status }) => (status === "running" || status === "publishing") && (group !== id || progress !== null), isResumable = (run) => {
  let { credits, rejects, rows, status, unpriced } = run;
  return isCut(run) ? !0 : status !== "completed" && status !== "running" && !isSpent(run) && rows + rejects + credits + unpriced > 0;
}, mayCompleteOnResume = (run) => isCut(run) || run.status !== "completed" && run.status !== "running" && run.status !== "publishing" && !isSpent(run);

export {
  isPublished,
  summarize,
  RunFailed,
  runStatus,
  isResumable,
  mayCompleteOnResume
};
