import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  databaseOf
} from "./chunk-TVILNR7T.js";
import {
  RunStatus_exports,
  ShardQueue,
  layer
} from "./chunk-EF53PWFV.js";
import {
  findRun
} from "./chunk-S7WFGXN5.js";
import {
  profile,
  quiet
} from "./chunk-22T4FJR7.js";
import {
  make,
  one,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-WKK6FTUS.js";
import "./chunk-Z7BVCBTD.js";
import "./chunk-D3OEKLMM.js";
import "./chunk-KL2Q4DUF.js";
import "./chunk-RI76HEIO.js";
import {
  count
} from "./chunk-S7WI733M.js";
import "./chunk-EMFYCO4G.js";
import "./chunk-HBMD57DF.js";
import "./chunk-X7K32U6Z.js";
import "./chunk-SITVHCVB.js";
import "./chunk-BJKYKPES.js";
import "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-KJKV7NRH.js";
import "./chunk-ALZKZVUB.js";
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
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-MIIJUVTW.js";
import {
  Ledger
} from "./chunk-MNIXIZXA.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-4AW5X4F4.js";
import "./chunk-A7PH37LU.js";
import "./chunk-7DF5MID3.js";
import "./chunk-K7EXGFWX.js";
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
