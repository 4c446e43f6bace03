import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  expand,
  isBeside
} from "./chunk-EFONPNEJ.js";
import {
  allowCode,
  trust
} from "./chunk-22T4FJR7.js";
import {
  make,
  many,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  MistakesFound,
  count
} from "./chunk-BMNGXVO7.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import {
  emphasise,
  paint
} from "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import {
  check
} from "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  DefinitionInvalid,
  read2 as read,
  renderPath
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  catchTag,
  flatMap5 as flatMap,
  forEach2 as forEach,
  gen,
  map9 as map,
  partition,
  succeed4 as succeed
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Check.ts
var parameters = {
  files: many(
    "FILE",
    "A definition, or a folder: every YAML and JSON definition in it. Test and lock files among the arguments are ignored."
  ),
  complete: toggle("Makes secrets that are not set mistakes, as they are for a run; else they are warnings."),
  json: toggle("Prints one JSON object with every mistake and warning on stdout."),
  "allow-code": allowCode,
  ...trust
}, command = make({
  details: "Exit code 78 when there is a mistake; warnings do not change it.",
  parameters,
  examples: [
    { line: "sluice check pipelines", what: "every definition of a folder" },
    { line: "sluice check pipelines/*.yaml --json", what: "for an editor or a build" }
  ],
  run: (options, terminal) => run(options, terminal)
}), OnlyBeside = class extends TaggedError("OnlyBeside") {
  exitCode = ExitCode.usage;
  get message() {
    let [first = ""] = this.files;
    return /\.lock\.json$/.test(first) ? `${first} is a lock file and no definition: name the definition that pins it` : `${first} is a test file and no definition: sluice test ${first} reads and runs it`;
  }
}, judge = (file, { complete }, env) => flatMap(
  read(file),
  (source) => check(source, {
    ...scopeOf(env),
    inputs: {},
    complete: !1,
    unsetSecrets: complete ? "mistake" : "warning"
  })
).pipe(
  map(({ warnings }) => ({ file, mistakes: [], warnings })),
  catchTag("DefinitionInvalid", (invalid) => succeed(judgedOf(invalid)))
), judgedOf = ({ file, mistakes, warnings = [] }) => ({ file, mistakes, warnings }), show = ({ file, mistakes, warnings }, { out }) => {
  let dye = paint(out), all = [
    ...mistakes,
    ...warnings.map(({ message, path, ...place }) => ({
      ...place,
      path: [],
      message: `warning: ${renderPath(path)}${message}`
    }))
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  if (all.length === 0) return;
  let lines = new DefinitionInvalid({ file, mistakes: all }).message.split(`
`).slice(0, -1);
  out.write(`${lines.map((line) => emphasise(line, dye)).join(`
`)}
`);
}, toReport = ({ column, file, line, message, path }) => ({
  file,
  line,
  column,
  path: path.map(String),
  message
}), run = (options, terminal) => gen(function* () {
  let named = options.files.filter((file) => !isBeside(file));
  if (named.length === 0) return yield* new OnlyBeside({ files: options.files });
  let [unreadable, readable] = yield* partition(named, expand), files = readable.flat(), judged = [
    ...unreadable.map(judgedOf),
    ...yield* forEach(files, (file) => judge(file, options, terminal.env))
  ], invalid = judged.filter(({ mistakes: mistakes2 }) => mistakes2.length > 0), listed = (of) => judged.flatMap((each) => each[of].map((mistake) => toReport({ ...mistake, file: each.file }))), [mistakes, warnings] = [listed("mistakes"), listed("warnings")];
  if (options.json) terminal.out.write(`${JSON.stringify({ files: files.length, mistakes, warnings })}
`);
  else for (let each of judged) show(each, terminal);
  if (mistakes.length > 0) {
    let fine = files.length + unreadable.length - invalid.length;
    return yield* new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine });
  }
  if (!options.json) {
    let also = warnings.length === 0 ? "" : `, with ${count(warnings.length, "warning")}`, verdict = `${count(files.length, "pipeline")} ${files.length === 1 ? "is" : "are"} fine${also}`;
    terminal.out.write(`${paint(terminal.out).green(verdict)}
`);
  }
});
export {
  command
};
