import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  requireFolder
} from "./chunk-4D2OEZ5S.js";
import {
  perform,
  printing
} from "./chunk-2RZFU46Q.js";
import "./chunk-ZU3QWNBT.js";
import {
  allowCode,
  data,
  input,
  onCluster,
  profile,
  quiet,
  trust
} from "./chunk-22T4FJR7.js";
import {
  integer,
  make,
  one,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-GA35ZNT7.js";
import "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  WrongUsage
} from "./chunk-BMNGXVO7.js";
import "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
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
import {
  check
} from "./chunk-3BWTLUFE.js";
import "./chunk-SRE6WST2.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import {
  read2 as read
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  Path
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  gen,
  promise,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Run.ts
var parameters = {
  file: one("FILE", "A definition: YAML, JSON or TypeScript."),
  input,
  limit: integer(
    "N",
    "A trial: takes at most N rows from each source, and leaves state and outputs of real runs alone.",
    {
      minimum: 1
    }
  ),
  out: text(
    "DIR",
    "Folder that relative output paths are under; default: the current one, with --limit a new one below .sluice/trial.",
    "o"
  ),
  data: data("the engine's store, the ledger and rejects"),
  profile,
  backfill: toggle("Takes everything as new, and leaves the state across runs as it is."),
  "allow-code": allowCode,
  ...trust,
  on: onCluster,
  detach: toggle("With --on cluster: leaves when the run is handed in, without waiting for its end."),
  "shard-rows": integer("N", "With --on cluster: rows of the source in each shard at most; default: 200.", {
    minimum: 1
  }),
  json: toggle("Prints one JSON object about the run on stdout."),
  quiet
}, command = make({
  details: "Without SLUICE_BASE_URL the local engine answers: it starts with the run and stops with it. With SLUICE_BASE_URL and SLUICE_API_KEY the same pipeline runs on that service. Ctrl-C stops the run, keeps what is done, and says how it goes on.",
  parameters,
  examples: [
    { line: "sluice run pipelines/quickstart.yaml", what: "everything once, on its own sample site" },
    {
      line: 'sluice run pipelines/search-to-csv.yaml -i query="effect typescript" --out results',
      what: "with an input"
    },
    { line: "sluice run crawl.yaml --limit 5 --json", what: "a first look at five rows, for a script" },
    { line: "sluice run crawl.yaml --quiet | jq .url", what: 'rows to a program, by write: { jsonl: "-" }' },
    { line: "sluice run crawl.yaml --on cluster --out /shared/docs", what: "on all machines that run sluice worker" }
  ],
  run: (options, terminal) => run(options, terminal)
}), run = (options, terminal) => printing(
  options,
  terminal,
  (print) => gen(function* () {
    if (options.on !== "cluster" && (options.detach || options["shard-rows"] !== void 0)) {
      let flag = options.detach ? "--detach" : "--shard-rows";
      return yield* new WrongUsage({
        reason: `${flag} is for runs on many machines: say --on cluster, or leave it out`
      });
    }
    let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), source = yield* read(options.file), checked = yield* check(source, { ...scopeOf(terminal.env), inputs: options.input, complete: !0 }), dataDir = paths.resolve(options.data ?? settings.dataDir), out = options.out === void 0 && options.limit !== void 0 ? void 0 : paths.resolve(options.out ?? ".");
    if (out !== void 0 && (yield* requireFolder(out, "Name a folder that you may write to with --out")), options.on === "cluster")
      return yield* (yield* promise(() => import("./chunk-4PAXQE5U.js"))).perform(
        {
          checked,
          settings,
          out,
          limit: options.limit,
          backfill: options.backfill,
          allowCode: options["allow-code"],
          shardRows: options["shard-rows"],
          detach: options.detach
        },
        terminal,
        print
      );
    yield* perform(
      {
        checked,
        settings,
        dataDir,
        out,
        limit: options.limit,
        backfill: options.backfill,
        allowCode: options["allow-code"],
        quiet: options.quiet
      },
      terminal,
      print
    );
  }).pipe(scoped)
);
export {
  command
};
