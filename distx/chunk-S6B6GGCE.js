import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  NothingToReplay,
  gather,
  sort
} from "./chunk-VOA57R6M.js";
import "./chunk-S7WFGXN5.js";
import {
  perform,
  printing
} from "./chunk-2J744NGB.js";
import {
  withLedger
} from "./chunk-T2GDOPEN.js";
import {
  allowCode,
  data,
  profile,
  quiet,
  trust
} from "./chunk-22T4FJR7.js";
import {
  make,
  optional,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-WKK6FTUS.js";
import "./chunk-Z7BVCBTD.js";
import "./chunk-D3OEKLMM.js";
import "./chunk-KL2Q4DUF.js";
import "./chunk-RI76HEIO.js";
import {
  count,
  place
} from "./chunk-S7WI733M.js";
import "./chunk-EMFYCO4G.js";
import "./chunk-HBMD57DF.js";
import {
  scopeOf,
  writingTo
} from "./chunk-X7K32U6Z.js";
import "./chunk-SITVHCVB.js";
import "./chunk-BJKYKPES.js";
import "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-KJKV7NRH.js";
import "./chunk-ALZKZVUB.js";
import {
  optionsOf
} from "./chunk-WWBFR4DS.js";
import "./chunk-VY47LH7L.js";
import "./chunk-BCA6N2EJ.js";
import "./chunk-5L3NFGX6.js";
import {
  check,
  definitionHash
} from "./chunk-MUKZDKC6.js";
import "./chunk-LMXK3V6A.js";
import "./chunk-BYJFSQCC.js";
import "./chunk-3EMFAHTD.js";
import "./chunk-N6F43J7C.js";
import "./chunk-BR5MBAVT.js";
import "./chunk-TDODX2FN.js";
import {
  mapping,
  parseText,
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
  FileSystem,
  Path
} from "./chunk-K7EXGFWX.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  gen,
  orElseSucceed,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Replay.ts
var parameters = {
  run: optional("RUN", "The id of the run that rejected them; without one, the newest run."),
  data: data("the engine's store, the ledger and rejects"),
  profile,
  "allow-code": allowCode,
  ...trust,
  json: toggle("Prints one JSON object about the run on stdout."),
  quiet
}, command = make({
  details: "A new run with the definition as it is now: mend it first. Its rows are added to the outputs; a CSV file without declared columns gets a file of its own beside it. Rows that are rejected once more are rejects of the new run.",
  parameters,
  examples: [
    { line: "sluice replay", what: "what the newest run has rejected, after the definition is mended" },
    { line: "sluice replay 20260314T093001-7c2ep2", what: "a certain run, after the site is back" }
  ],
  run: (options, terminal) => run(options, terminal)
}), definitionOf = (run2) => gen(function* () {
  let files = yield* FileSystem, paths = yield* Path;
  return (yield* orElseSucceed(files.exists(run2.file), () => !1)) ? yield* read(run2.file) : yield* parseText(run2.file, paths.dirname(run2.file), run2.definition);
}), changeOf = (run2, checked) => {
  if (definitionHash(checked) === run2.definitionHash) return;
  let { text, value } = checked.source;
  return `${text === run2.definition ? `the code of its extensions (${mapping(value).extensions})` : place(run2.file)} has changed since run ${run2.id} began: the replay uses it as it is now`;
}, run = (options, terminal) => printing(
  options,
  terminal,
  (print) => gen(function* () {
    let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir), { rejects, run: run2 } = yield* withLedger(options, terminal, gather(options.run)), source = yield* definitionOf(run2), inputs = run2.inputs, checked = { ...yield* check(source, { ...scopeOf(terminal.env), inputs, saved: !0, complete: !0 }).pipe(
      writingTo(run2.out, optionsOf(run2).wanted)
    ), inputs }, change = changeOf(run2, checked);
    change !== void 0 && print.talk(`${change}
`);
    let { left, numbers, rows } = sort(rejects, checked);
    for (let [step, many] of left)
      print.talk(
        `${count(many, "reject")} of ${step}: it makes its rows itself, or is gone; run the pipeline again for them
`
      );
    if (numbers.length === 0)
      return yield* new NothingToReplay({ run: run2.id, reason: "no step of the definition takes its rejects" });
    yield* perform(
      {
        checked,
        settings,
        dataDir,
        out: run2.out,
        // Rejects of a trial lead to a trial.
        limit: optionsOf(run2).wanted,
        allowCode: options["allow-code"],
        replay: { of: run2.id, rows, numbers },
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
