import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  requireFolder
} from "./chunk-ZD6GUIWU.js";
import {
  perform,
  printing
} from "./chunk-2J744NGB.js";
import "./chunk-T2GDOPEN.js";
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
import "./chunk-WKK6FTUS.js";
import "./chunk-Z7BVCBTD.js";
import "./chunk-D3OEKLMM.js";
import "./chunk-KL2Q4DUF.js";
import "./chunk-RI76HEIO.js";
import {
  WrongUsage
} from "./chunk-S7WI733M.js";
import "./chunk-EMFYCO4G.js";
import "./chunk-HBMD57DF.js";
import {
  scopeOf
} from "./chunk-X7K32U6Z.js";
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
import {
  check
} from "./chunk-MUKZDKC6.js";
import "./chunk-LMXK3V6A.js";
import "./chunk-BYJFSQCC.js";
import "./chunk-3EMFAHTD.js";
import "./chunk-N6F43J7C.js";
import "./chunk-BR5MBAVT.js";
import "./chunk-TDODX2FN.js";
import {
  read2 as read
} from "./chunk-FIQWETKJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-23QIF2VD.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-MNIXIZXA.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-4AW5X4F4.js";
import "./chunk-A7PH37LU.js";
import "./chunk-7DF5MID3.js";
import {
  Path
} from "./chunk-K7EXGFWX.js";
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
      return yield* (yield* promise(() => import("./chunk-3YHE33OG.js"))).perform(
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
