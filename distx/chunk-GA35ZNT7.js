import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  bytes,
  count,
  duration,
  place
} from "./chunk-BMNGXVO7.js";
import {
  messageOf,
  unforeseen
} from "./chunk-ENZBTRGV.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  RunFailed
} from "./chunk-NHAMPOKL.js";
import {
  DefinitionInvalid,
  StepError,
  TooManyRejects
} from "./chunk-PGOM52WJ.js";

// src/Cli/Run/Report.ts
import { posix } from "node:path";
var errorOf = (failure) => {
  let root = failure instanceof RunFailed ? failure.reason : failure, invalid = root instanceof StepError && root.cause instanceof DefinitionInvalid ? root.cause : root, mistakes = invalid instanceof DefinitionInvalid ? invalid.mistakes : void 0, asked = root instanceof StepError ? root.cause : root, requestId = typeof asked == "object" && asked !== null && "requestId" in asked ? asked.requestId : void 0;
  return { code: root instanceof StepError ? root.reason : root._tag, message: messageOf(failure), mistakes, requestId };
}, completed = (summary) => ({
  ...summary,
  outputs: summary.outputs.map(({ bytes: bytes2, format, path, rows }) => ({ path, format, rows, bytes: bytes2 }))
}), nothing = {
  runId: null,
  rows: 0,
  rejects: 0,
  credits: 0,
  unpricedCalls: 0,
  durationMs: 0,
  outputs: [],
  resumable: !1
}, failed = (failure) => ({
  ...failure instanceof RunFailed ? failure.summary : nothing,
  status: failure instanceof RunFailed ? failure.summary.status : "failed",
  error: errorOf(failure)
}), stopped = (summary) => ({ ...completed(summary), status: "stopped" }), neverBegan = { ...nothing, status: "stopped" }, goesOn = (runId) => ({ ...nothing, runId, status: "running" }), broken = (cause) => ({
  ...nothing,
  status: "failed",
  error: { code: "UnexpectedError", message: unforeseen(cause), mistakes: void 0, requestId: void 0 }
}), trial = (limit) => `Trial run (--limit ${limit}): did not change the state or outputs of real runs.
`, countsOf = ({ credits, rejects, rows, unpricedCalls }) => [
  count(rows, "row"),
  rejects === 0 ? "" : count(rejects, "reject"),
  credits === 0 ? "" : count(credits, "credit"),
  unpricedCalls === 0 ? "" : `${count(unpricedCalls, "call")} of unknown price`
].filter((part) => part !== "").join(", "), align = (lines, dye) => {
  let width = (column) => Math.max(...lines.map((line) => line[column].length)), [places, counts, sizes] = [width(0), width(1), width(2)];
  return lines.map(
    ([where, many, size]) => `  ${dye.cyan(where)}${" ".repeat(places - where.length)}   ${many.padStart(counts)}   ${size === "" ? "" : dye.dim(size.padStart(sizes))}`.trimEnd()
  );
}, fieldsOf = ({ credits, durationMs, rejects, rows, runId, status }) => ({
  run: runId,
  status,
  rows,
  rejects,
  credits,
  durationMs
}), maxOutputLines = 20, depthOf = ({ path }) => path.split("/").length, groupFiles = (groups, fold = /* @__PURE__ */ new Set()) => {
  let depth = Math.max(0, ...groups.map(depthOf).filter((each) => !fold.has(each)));
  if (groups.length <= maxOutputLines || depth <= 1) return groups;
  let merged = /* @__PURE__ */ new Map();
  for (let group of groups) {
    let { base, dir, ext } = posix.parse(group.path), isPattern = base.startsWith("*"), key = depthOf(group) !== depth ? group.path : isPattern ? `${posix.dirname(dir)}/*${ext}` : `${dir}/*${ext}`, known = merged.get(key);
    merged.set(
      key,
      known === void 0 ? { ...group, path: group.path } : {
        path: key,
        files: known.files + group.files,
        rows: known.rows + group.rows,
        bytes: known.bytes + group.bytes
      }
    );
  }
  let next = [...merged.values()];
  return groupFiles(next, next.length === groups.length ? /* @__PURE__ */ new Set([...fold, depth]) : fold);
}, linesOf = (outputs) => groupFiles(outputs.map(({ bytes: bytes2, path, rows }) => ({ path, rows, bytes: bytes2, files: 1 }))).map(({ bytes: size, files, path, rows }) => [
  files === 1 ? place(path) : `${place(path)} (${count(files, "file")})`,
  count(rows, "row"),
  bytes(size)
]), describe = (name, summary, channel) => {
  let dye = paint(channel), rejects = summary.rejectFile === void 0 ? [] : [[place(summary.rejectFile), count(summary.rejects, "reject"), ""]];
  return `${[`${dye.green(channel.interactive ? "\u2714 " : "")}${dye.bold(name)}: ${countsOf(summary)} in ${duration(summary.durationMs)}`, ...align([...linesOf(summary.outputs), ...rejects], dye)].join(`
`)}
`;
}, describeFailed = (name, summary, channel, failure) => {
  let dye = paint(channel), { outputs } = summary, ended = summary.status === "budget" ? "stopped at its budget" : summary.status === "stopped" ? "was stopped" : "failed", left = outputs.length === 0 ? "no output was written" : `only these outputs were written: ${[
    ...outputs.slice(0, maxOutputLines).map(({ path }) => place(path)),
    ...outputs.length > maxOutputLines ? [`and ${outputs.length - maxOutputLines} more`] : []
  ].join(", ")}`, head = `${dye.red(channel.interactive ? "\u2716 " : "")}${dye.bold(name)} ${ended} after ${duration(summary.durationMs)}: ${countsOf(summary)}; ${left}`, how = failure instanceof RunFailed && failure.reason instanceof TooManyRejects ? `. Raise stopAfter, then: sluice resume ${summary.runId} --with-current` : `: sluice resume ${summary.runId}`, on = summary.resumable ? [`  What is done is kept${how}`] : [], rejects = summary.rejectFile === void 0 ? [] : align([[place(summary.rejectFile), count(summary.rejects, "reject"), ""]], dye);
  return `${[head, ...rejects, ...on].join(`
`)}
`;
};

export {
  completed,
  failed,
  stopped,
  neverBegan,
  goesOn,
  broken,
  trial,
  countsOf,
  fieldsOf,
  describe,
  describeFailed
};
