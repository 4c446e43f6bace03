import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  databaseOf
} from "./chunk-6KPPPKNH.js";
import {
  RunStatus_exports,
  ShardQueue,
  layer
} from "./chunk-BD5Y5JKL.js";
import {
  findRun
} from "./chunk-AYW24OCZ.js";
import {
  profile,
  quiet
} from "./chunk-22T4FJR7.js";
import {
  make,
  one,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-GA35ZNT7.js";
import "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  count
} from "./chunk-BMNGXVO7.js";
import "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-GLBPH2CN.js";
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
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-AAIABKKY.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  delay2 as delay,
  flatMap5 as flatMap,
  gen,
  iterate,
  map9 as map,
  provide2 as provide,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Stop.ts
var parameters = {
  run: one("RUN", "The id of a run that was handed in with --on cluster."),
  profile,
  json: toggle("Prints one JSON object: the run's id, and how it stands."),
  quiet
}, command = make({
  details: "Nothing of it begins any more, and workers bring what they have of it to a rest at a commit and give it back: sluice resume goes on there. It waits up to 30 seconds for them. A run on one machine is stopped where it runs, by Ctrl-C or SIGTERM.",
  parameters,
  examples: [
    { line: "sluice stop 20260314T093001-7c2ep2", what: "from any machine with the same SLUICE_DATABASE_URL" },
    { line: "sluice stop 20260314T093001-7c2ep2 --json", what: "how far it was, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
}), NotStoppable = class extends TaggedError("NotStoppable") {
  exitCode = ExitCode.usage;
  get message() {
    return `run ${this.run} cannot be stopped: ${this.reason}`;
  }
}, looks = 120, glance = 250, whyNot = (runId) => gen(function* () {
  let { run: run2 } = yield* findRun(runId), { history } = yield* Ledger;
  return (yield* history.alive).has(run2.id) ? "one machine alone works on it: stop it there, with Ctrl-C or SIGTERM" : `nobody works on it, it is ${run2.status}`;
}), rest = (runId) => flatMap(
  ShardQueue,
  (queue) => iterate(
    { left: -1, look: 0 },
    {
      while: ({ left, look }) => left !== 0 && look < looks,
      body: ({ look }) => map(delay(queue.claimedParts(runId), look === 0 ? 0 : glance), (left) => ({
        left,
        look: look + 1
      }))
    }
  )
), run = ({ json, profile: profile2, quiet: quiet2, run: run2 }, terminal) => gen(function* () {
  let settings = yield* readSettings(terminal.env, profile2), url = yield* databaseOf(settings);
  yield* gen(function* () {
    let stopped = yield* (yield* ShardQueue).stop(run2);
    if (stopped === "unknown") return yield* new NotStoppable({ run: run2, reason: yield* whyNot(run2) });
    let { left } = yield* rest(run2), standing = yield* RunStatus_exports.standing(run2), status = standing?.status ?? "stopped";
    if (stopped === "over" && status !== "stopped")
      return yield* new NotStoppable({ run: run2, reason: `it is ${status}` });
    if (json) {
      let { done = 0, shards = 0 } = standing ?? {};
      terminal.out.write(`${JSON.stringify({ runId: run2, status, done, shards, held: left })}
`);
    }
    if (quiet2) return;
    let held = left === 0 ? "" : `; ${count(left, "part")} of it will be given back when a commit is done`;
    terminal.err.write(
      status === "completed" ? `run ${run2} is completed: it came to its end before it was stopped
` : `run ${run2} is stopped${held}. What is done is kept: sluice resume ${run2}
`
    );
  }).pipe(provide(layer(url, 2)));
}).pipe(scoped);
export {
  command
};
