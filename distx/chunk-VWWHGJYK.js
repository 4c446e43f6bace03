import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  withLedger
} from "./chunk-ZU3QWNBT.js";
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  make,
  oneOf,
  optional,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  count,
  place,
  table
} from "./chunk-BMNGXVO7.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-6B7FEELY.js";
import {
  fromReadable2 as fromReadable
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  FileSystem,
  decodeText,
  encodeText,
  filter,
  map,
  mapEffect,
  mapError,
  run2 as run,
  runForEach,
  splitLines,
  zipWithIndex
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Date$,
  NonEmptyString,
  Number$,
  String$,
  Struct,
  TaggedError,
  Union2 as Union,
  Unknown,
  decodeUnknownEither,
  parseJson,
  transform
} from "./chunk-PAQDWWDE.js";
import {
  catchTags,
  gen,
  succeed4 as succeed,
  sync3 as sync
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import {
  mapLeft,
  try_
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/State.ts
var actions = ["list", "get", "set", "clear", "move", "export", "import"], parameters = {
  action: oneOf("ACTION", actions, "list, get, set, clear, move, export or import."),
  key: optional("KEY", "The state's key, as `sluice state list` shows it."),
  step: text("ID", "Only what this step keeps."),
  entry: text("ENTRY", "The entry to get, set or clear: the address of a page, or what dedupe's key gives."),
  value: text("JSON", "What set puts there."),
  to: text("KEY", "The new key of what move moves."),
  file: text("FILE", "Where export writes and import reads; default: stdout, stdin."),
  yes: toggle("Clears all entries of a key without being asked again.", "y"),
  data: data("the ledger"),
  profile,
  json: toggle("Prints JSON.")
}, command = make({
  details: "`dedupe` across runs and `files` with skipSeen keep what they have met under the pipeline's state key. What is cleared is new again in the next run. Nothing changes while a run holds the key.",
  parameters,
  examples: [
    { line: "sluice state list", what: "every key, with the number of its entries" },
    { line: "sluice state get docs-watch --entry https://example.com/a", what: "one entry" },
    { line: "sluice state clear docs-watch --entry https://example.com/a", what: "the page is new again" },
    { line: "sluice state export docs-watch --file state.jsonl", what: "a line for each entry; import reads it back" }
  ],
  run: (options, terminal) => run2(options, terminal)
}), StateRefused = class extends TaggedError("StateRefused") {
  exitCode = ExitCode.usage;
  get message() {
    return `state ${this.action}: ${this.reason}`;
  }
}, instant = (millis) => millis === void 0 ? "\u2013" : new Date(millis).toISOString().slice(0, 16).replace("T", " "), Instant = Union(
  Number$,
  Date$.pipe(
    transform(Number$, {
      strict: !0,
      decode: (date) => date.getTime(),
      encode: (millis) => new Date(millis)
    })
  )
), Line = parseJson(
  Struct({
    step: NonEmptyString,
    key: String$,
    value: Unknown,
    firstSeen: Instant,
    lastSeen: Instant
  })
), readLine = decodeUnknownEither(Line), refusedBy = (options) => (reason) => new StateRefused({ action: options.action, reason }), list = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { json, key } = options;
  if (key !== void 0) return yield* refusedBy(options)(`it takes no KEY: sluice state get ${key} shows one`);
  let shelves = yield* states.list;
  if (json) return void terminal.out.write(`${JSON.stringify(shelves.map(isoOf))}
`);
  if (shelves.length === 0) return void terminal.err.write(`no pipeline has kept anything yet
`);
  let lines = table(
    [["key"], ["step"], ["entries", "right"], ["first seen (UTC)"], ["last seen (UTC)"]],
    shelves.map(({ entries, firstSeen, lastSeen, stateKey, step }) => [
      stateKey,
      step,
      entries.toLocaleString("en-US"),
      instant(firstSeen),
      instant(lastSeen)
    ]),
    terminal.out
  );
  terminal.out.write(`${lines.join(`
`)}
`);
}), shelfOf = (options, mustExist = !0) => gen(function* () {
  let { states } = yield* Ledger, { action, key, step } = options;
  if (key === void 0)
    return yield* new StateRefused({ action, reason: "KEY is missing: sluice state list shows them" });
  let shelves = yield* states.list, keys = [...new Set(shelves.map(({ stateKey }) => stateKey))];
  if (mustExist && !keys.includes(key)) {
    let reason = `nothing is kept under "${key}"${didYouMean(key, keys) || (keys.length === 0 ? "" : `: there are ${keys.join(", ")}`)}`;
    return yield* new StateRefused({ action, reason });
  }
  let steps = shelves.flatMap((shelf) => shelf.stateKey === key ? [shelf.step] : []);
  return step !== void 0 && mustExist && !steps.includes(step) ? yield* new StateRefused({
    action,
    reason: `no step "${step}" keeps anything under ${key}: ${thereAre(steps)}`
  }) : { key, step: step ?? (steps.length === 1 ? steps[0] : void 0), steps };
}), thereAre = (steps) => `there ${steps.length === 1 ? "is" : "are"} ${steps.join(", ")}`, needed = (options, name, what) => options[name] === void 0 || options[name] === "" ? refusedBy(options)(`--${name} is missing: ${what}`) : succeed(options[name]), needStep = (options, step, steps) => step === void 0 ? refusedBy(options)(
  `--step is missing: ${steps.length === 0 ? `nothing is kept under ${options.key} yet, so say whose entry it is` : thereAre(steps)}`
) : succeed(step), iso = (millis) => millis === void 0 ? void 0 : new Date(millis).toISOString(), isoOf = (entry) => ({
  ...entry,
  firstSeen: iso(entry.firstSeen),
  lastSeen: iso(entry.lastSeen)
}), entryOf = (options, key, step, entry) => gen(function* () {
  let { states } = yield* Ledger;
  return (yield* states.get(key, step, entry)) ?? (yield* refusedBy(options)(`${key} has no entry ${entry}`));
}), get = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { key, step, steps } = yield* shelfOf(options), { entry } = options, print = (value) => terminal.out.write(`${JSON.stringify(value)}
`);
  if (entry === void 0)
    return yield* runForEach(
      states.entries(key, options.step),
      (each) => sync(() => print(isoOf(each)))
    );
  print(isoOf(yield* entryOf(options, key, yield* needStep(options, step, steps), entry)));
}), set = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { key, step, steps } = yield* shelfOf(options, !1), entry = yield* needed(options, "entry", "which entry is it?"), text2 = yield* needed(options, "value", "what is to be put there, as JSON?"), value = yield* mapLeft(
    try_(() => JSON.parse(text2)),
    () => new StateRefused({ action: "set", reason: `--value is not JSON: ${text2.slice(0, 60)}` })
  );
  yield* states.set(key, yield* needStep(options, step, steps), entry, value), terminal.err.write(`${entry} is set under ${key}
`);
}), clear = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { key, step, steps } = yield* shelfOf(options), { entry } = options;
  if (entry !== void 0) {
    let own = yield* needStep(options, step, steps);
    return yield* entryOf(options, key, own, entry), yield* states.set(key, own, entry, void 0), void terminal.err.write(`${entry} is no longer kept under ${key}
`);
  }
  if (!options.yes) {
    let reason = `all entries of ${key} would be new again: say --yes to clear them, or --entry for one of them`;
    return yield* new StateRefused({ action: "clear", reason });
  }
  let cleared = yield* states.clear(key, { step: options.step });
  terminal.err.write(`${count(cleared, "entry", "entries")} of ${key} cleared
`);
}), move = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { key } = yield* shelfOf(options), to = yield* needed(options, "to", "which key is it to have?");
  if (to === key) return yield* refusedBy(options)(`it is under ${key} already`);
  if ((yield* states.list).some(({ stateKey }) => stateKey === to))
    return yield* refusedBy(options)(
      `something is kept under ${to} already: sluice state clear ${to} --yes, or choose another key`
    );
  yield* states.move(key, to), terminal.err.write(`${key} is now ${to}
`);
}), exportAll = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { key } = yield* shelfOf(options), written = 0, lines = states.entries(key, options.step).pipe(
    map((entry) => (written++, `${JSON.stringify(entry)}
`))
  ), { file } = options;
  if (file === void 0)
    return yield* runForEach(lines, (line) => sync(() => terminal.out.write(line)));
  let files = yield* FileSystem;
  yield* catchTags(run(encodeText(lines), files.sink(file)), {
    BadArgument: (error) => refusedBy(options)(`cannot write ${file}: ${fileErrorReason(error)}`),
    SystemError: (error) => refusedBy(options)(`cannot write ${file}: ${fileErrorReason(error)}`)
  }), terminal.err.write(`${count(written, "entry", "entries")} of ${key} written to ${place(file)}
`);
}), importAll = (options, terminal) => gen(function* () {
  let { states } = yield* Ledger, { key } = yield* shelfOf(options, !1), files = yield* FileSystem, { file } = options, refused = refusedBy(options), where = file ?? "standard input", entries = (file === void 0 ? fromReadable(
    () => process.stdin,
    (cause) => refused(`cannot read standard input: ${String(cause)}`)
  ) : mapError(files.stream(file), (error) => refused(`cannot read ${file}: ${fileErrorReason(error)}`))).pipe(
    decodeText(),
    splitLines,
    zipWithIndex,
    filter(([line]) => line.trim() !== ""),
    mapEffect(
      ([line, index]) => mapLeft(
        readLine(line),
        () => refused(
          `line ${index + 1} of ${where} is no entry like {"step","key","value","firstSeen","lastSeen"}: sluice state export makes them`
        )
      )
    ),
    map((entry) => entry)
  ), imported = yield* states.import(key, entries);
  terminal.err.write(`${count(imported, "entry", "entries")} put under ${key}
`);
}), acts = { list, get, set, clear, move, export: exportAll, import: importAll }, run2 = (options, terminal) => withLedger(options, terminal, acts[options.action](options, terminal));
export {
  actions,
  command
};
