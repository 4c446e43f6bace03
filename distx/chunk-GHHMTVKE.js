import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  progressOf,
  runObject
} from "./chunk-AYW24OCZ.js";
import {
  withLedger
} from "./chunk-ZU3QWNBT.js";
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  choice,
  duration,
  integer,
  make,
  optional,
  removed,
  text,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";
import {
  WrongUsage,
  count,
  duration as duration2,
  table
} from "./chunk-BMNGXVO7.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-6B7FEELY.js";
import {
  runStatus
} from "./chunk-NHAMPOKL.js";
import {
  partialPath,
  realPath2 as realPath
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import {
  statuses
} from "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  FileSystem
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  currentTimeMillis,
  forEach2 as forEach,
  gen,
  ignore,
  orElseSucceed
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Runs.ts
var parameters = {
  action: optional("ACTION", "prune: deletes old runs; without it, runs are listed.", ["prune"]),
  age: {
    ...duration(
      "AGE",
      "With prune: deletes runs that have not changed for this long, like 30d, with their partial files, rejects and trial outputs."
    ),
    kind: "operand"
  },
  pipeline: text("NAME", "Only runs of this pipeline.", "p"),
  status: choice("STATUS", statuses, "Only runs with this status."),
  limit: withDefault(integer("N", "At most N runs; default: 20.", { minimum: 1 }), 20),
  keep: withDefault(
    integer("N", "With prune: keeps the newest N runs of each pipeline, however old; default: 10.", {
      minimum: 0
    }),
    10
  ),
  prune: removed("is now an action: sluice runs prune AGE"),
  data: data("the ledger"),
  profile,
  json: toggle("Prints a list of JSON objects; with prune one object.")
}, command = make({
  parameters,
  examples: [
    { line: "sluice runs", what: "the last twenty" },
    { line: "sluice runs --status failed --pipeline crawl-site", what: "what went wrong with one pipeline" },
    { line: "sluice runs prune 30d", what: "keeps the data folder small" }
  ],
  run: (options, terminal) => run(options, terminal)
}), instant = (millis) => new Date(millis).toISOString().slice(0, 16).replace("T", " "), doneOf = (shards) => shards === void 0 ? "" : `${shards.done} of ${shards.shards}`, list = (options, terminal) => gen(function* () {
  let { history } = yield* Ledger, { json, limit, pipeline, status } = options, found = yield* history.runs({ limit, pipeline, status: status === void 0 ? void 0 : [status] }), alive = yield* history.alive, shards = yield* progressOf(found, options, terminal);
  if (json) {
    terminal.out.write(
      `${JSON.stringify(
        found.map((run2) => ({ ...runObject(run2, alive.has(run2.id)), shards: shards?.get(run2.id) })),
        void 0,
        2
      )}
`
    );
    return;
  }
  if (found.length === 0) {
    terminal.err.write(`no run matches
`);
    return;
  }
  let isSplit = shards !== void 0 && shards.size > 0, lines = table(
    [
      ["run"],
      ["pipeline"],
      ["status"],
      ...isSplit ? [["shards", "right"]] : [],
      ["began (UTC)"],
      ["took", "right"],
      ["rows", "right"],
      ["rejects", "right"],
      ["credits", "right"]
    ],
    found.map((run2) => [
      run2.id,
      run2.pipeline,
      runStatus(run2, alive.has(run2.id)),
      ...isSplit ? [doneOf(shards?.get(run2.id))] : [],
      instant(run2.startedAt),
      duration2((run2.endedAt ?? run2.updatedAt) - run2.startedAt),
      run2.rows.toLocaleString("en-US"),
      run2.rejects.toLocaleString("en-US"),
      `${run2.credits.toLocaleString("en-US")}${run2.unpriced > 0 ? " + ?" : ""}`
    ]),
    terminal.out
  );
  terminal.out.write(`${lines.join(`
`)}
`);
}), removeFiles = ({ files, folder, id, trial }) => gen(function* () {
  let system = yield* FileSystem, partials = (yield* forEach(files, (path) => orElseSucceed(realPath(system, path), () => path))).map((path) => partialPath(path, id)).flatMap((path) => [path, `${path}.changed`]), folders = trial === void 0 ? [folder] : [folder, trial];
  yield* forEach([...partials, ...folders], (path) => ignore(system.remove(path, { recursive: !0 })));
}), prune = (age, options, terminal) => gen(function* () {
  let { retention } = yield* Ledger, before = (yield* currentTimeMillis) - age, forgotten = yield* retention.runs({ before, keepLast: options.keep });
  yield* forEach(forgotten, removeFiles, { discard: !0 });
  let pages = yield* retention.pages(before);
  if (options.json) {
    terminal.out.write(`${JSON.stringify({ forgotten: forgotten.map(({ id }) => id), pages })}
`);
    return;
  }
  for (let { id, pipeline, status } of forgotten)
    terminal.err.write(`${paint(terminal.err).dim("deleted")}  ${id}  ${pipeline}  ${status}
`);
  let none = forgotten.length + pages === 0 ? "no run is that old: " : "";
  terminal.err.write(`${none}${count(forgotten.length, "run")} and ${count(pages, "page")} deleted
`);
}), run = (options, terminal) => {
  let { action, age } = options;
  return action === void 0 ? withLedger(options, terminal, list(options, terminal)) : action !== "prune" ? new WrongUsage({ reason: `"${action}" is no action of sluice runs: there is prune` }) : age === void 0 ? new WrongUsage({ reason: "AGE is missing: sluice runs prune 30d" }) : withLedger(options, terminal, prune(age, options, terminal));
};
export {
  command
};
