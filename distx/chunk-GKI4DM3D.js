import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  lineDiff
} from "./chunk-K32LBLWL.js";
import {
  rejectsOf
} from "./chunk-3ML2FX64.js";
import {
  findRun
} from "./chunk-AYW24OCZ.js";
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
import {
  isResumable,
  mayCompleteOnResume
} from "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import {
  parseText,
  read2 as read
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
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
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  gen,
  map9 as map,
  orElse2 as orElse,
  orElseSucceed,
  promise,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Resume.ts
var parameters = {
  run: optional(
    "RUN",
    "The run's id, as it is printed when a run ends before its end; without one, the newest of these."
  ),
  "with-current": toggle("Goes on with the definition as it is now, after showing what has changed."),
  data: data("the engine's store, the ledger and rejects"),
  profile,
  "allow-code": allowCode,
  ...trust,
  json: toggle("Prints one JSON object about the run on stdout."),
  quiet
}, command = make({
  details: "A run keeps the definition and the inputs that it began with. Files are cut back to the last commit and continued; what was paid for is not asked for again. A budget counts anew from here. Code of the project (`use`) is not kept: it runs as it is now.",
  parameters,
  examples: [
    { line: "sluice resume", what: "the newest run that did not end well" },
    { line: "sluice resume 20260314T093001-7c2ep2", what: "a certain run" }
  ],
  run: (options, terminal) => run(options, terminal)
}), DefinitionChanged = class extends TaggedError("DefinitionChanged") {
  exitCode = ExitCode.invalid;
  get message() {
    return `${this.file} has changed since run ${this.run} began: put it back, or go on with it as it is now by --with-current`;
  }
}, NotResumable = class extends TaggedError("NotResumable") {
  get message() {
    return `${this.run === void 0 ? "no run can be resumed" : `run ${this.run} cannot be resumed`}: ${this.reason}`;
  }
}, isCode = (file) => /\.[mc]?[jt]s$/.test(file), unfinished = statuses.filter((status) => status !== "completed"), find = (id) => gen(function* () {
  let { history } = yield* Ledger;
  if (id === void 0) {
    let alive = yield* history.alive, [newest] = (yield* history.runs({ status: unfinished, limit: 100 })).filter(
      (run2) => mayCompleteOnResume(run2) && !alive.has(run2.id)
    );
    return newest !== void 0 ? newest : yield* new NotResumable({
      run: void 0,
      reason: "each one is complete, still running, or had all its rows rejected"
    });
  }
  let { run: record } = yield* findRun(id);
  if (record.status === "completed")
    return yield* new NotResumable({ run: record.id, reason: "it is complete; sluice run starts another" });
  if (record.progress?.over === !0 && !isResumable(record)) {
    let reason = `all of its rows were rejected, and nothing is left to do: sluice replay ${record.id} sends them through again`;
    return yield* new NotResumable({ run: record.id, reason });
  }
  return record;
}), definitionOf = (record, withCurrent, terminal) => gen(function* () {
  let files = yield* FileSystem, paths = yield* Path, frozen = yield* parseText(record.file, paths.dirname(record.file), record.definition);
  if (!(yield* orElseSucceed(files.exists(record.file), () => !1))) return frozen;
  let current = read(record.file), text = yield* isCode(record.file) ? map(current, ({ text: text2 }) => text2) : (
    // What has changed is shown also where it is a mistake.
    orElse(files.readFileString(record.file), () => map(current, ({ text: text2 }) => text2))
  );
  if (text === record.definition) return isCode(record.file) ? yield* current : frozen;
  let diff = lineDiff(record.definition, text).join(`
`);
  return terminal.err.write(
    `--- ${place(record.file)}, as run ${record.id} began
+++ ${place(record.file)}, now
${diff}
`
  ), yield* withCurrent ? current : new DefinitionChanged({ file: record.file, run: record.id });
}), run = (options, terminal) => printing(
  options,
  terminal,
  (print) => gen(function* () {
    let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir), record = yield* withLedger(options, terminal, find(options.run)), source = yield* definitionOf(record, options["with-current"], terminal), inputs = record.inputs, begun = source.text === record.definition, { out, wanted, replay, ...kept } = optionsOf(record), given = yield* check(source, {
      ...scopeOf(terminal.env),
      inputs,
      saved: !0,
      complete: !0,
      begun,
      definitionHash: options["with-current"] ? void 0 : record.definitionHash
    }).pipe(writingTo(out, wanted)), checked = { ...given, inputs };
    if (record.group === record.id) {
      let Cluster = yield* promise(() => import("./chunk-4PAXQE5U.js")), mended = begun && definitionHash(given) === record.definitionHash ? void 0 : { checked, allowCode: options["allow-code"] };
      if (yield* Cluster.resume(record, mended, settings, terminal, print)) return;
    }
    let again = replay !== void 0 && record.progress === null ? yield* withLedger(options, terminal, rejectsOf(replay.of, checked)) : replay;
    yield* perform(
      {
        checked,
        settings,
        dataDir,
        ...kept,
        replay: again,
        out,
        limit: wanted,
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
