import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  NothingToReplay,
  gather,
  sort
} from "./chunk-3ML2FX64.js";
import "./chunk-AYW24OCZ.js";
import {
  perform,
  printing
} from "./chunk-2RZFU46Q.js";
import {
  withLedger
} from "./chunk-ZU3QWNBT.js";
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
import "./chunk-GA35ZNT7.js";
import "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  count,
  place
} from "./chunk-BMNGXVO7.js";
import "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import {
  scopeOf,
  writingTo
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-GLBPH2CN.js";
import {
  optionsOf
} from "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import {
  check,
  definitionHash
} from "./chunk-3BWTLUFE.js";
import "./chunk-SRE6WST2.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import {
  mapping,
  parseText,
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
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
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
