import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  lineDiff
} from "./chunk-K32LBLWL.js";
import {
  allowCode,
  data,
  input,
  profile,
  trust
} from "./chunk-22T4FJR7.js";
import {
  make,
  one,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  requireCapabilities,
  startService
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  FileUnusable,
  place
} from "./chunk-BMNGXVO7.js";
import {
  hostOf
} from "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  fileOf,
  inspect,
  objection,
  questionOf,
  render
} from "./chunk-MWBF4OAJ.js";
import {
  check,
  scopeBefore
} from "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  CrawlPreview,
  read2 as read
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import {
  FileSystem,
  Path,
  makeFolder
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  cached,
  currentTimeMillis,
  flatMap5 as flatMap,
  fn,
  gen,
  map9 as map,
  mapError2 as mapError,
  provide2 as provide,
  scoped2 as scoped
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Pin.ts
var parameters = {
  file: one("FILE", "A definition with a step that says `pin: NAME.lock.json`."),
  update: toggle("Asks again for every answer and shows what has changed.", "u"),
  check: toggle("Asks nobody: ends with 6 when a lock file is missing or does not fit. For builds."),
  input,
  data: data("the local engine's store"),
  profile,
  json: toggle("Prints one JSON object about the lock files on stdout."),
  "allow-code": allowCode,
  ...trust
}, command = make({
  details: "Asks for what is missing or was made for another question. A file that is there already is only replaced after its changes were shown. Lock files belong into version control.",
  parameters,
  examples: [
    { line: "sluice pin pipelines/docs-watch.yaml -i site=https://example.com/docs", what: "the lock files it lacks" },
    { line: "sluice pin pipelines/docs-watch.yaml --update", what: "all of them anew, with a diff" },
    { line: "sluice pin pipelines/docs-watch.yaml --check", what: "in a build, before a run would fail" }
  ],
  run: (options, terminal) => run(options, terminal)
}), colourLine = (line, colours) => line.startsWith("@@") ? colours.cyan(line) : line.startsWith("+") ? colours.green(line) : line.startsWith("-") ? colours.red(line) : line, replace = (path, text) => gen(function* () {
  let files = yield* FileSystem;
  yield* makeFolder(files, (yield* Path).dirname(path));
  let partial = `${path}.partial`;
  yield* files.writeFileString(partial, text), yield* files.rename(partial, path);
}).pipe(mapError((cause) => new FileUnusable({ path, reason: fileErrorReason(cause), cause }))), holdsPassword = (url) => canParse(url) && new URL(url).password !== "", renew = (standing, question, file, asker, terminal) => gen(function* () {
  let date = new Date(yield* currentTimeMillis).toISOString().slice(0, 10), { prompt, url } = question, { answer, answeredBy } = yield* asker.ask(question), who = { service: asker.service, ...answeredBy === void 0 ? {} : { answeredBy } }, lock = { version: 1, url, prompt, ...who, date, answer }, old = standing.is === "held" || standing.is === "stale" ? standing.lock : void 0, fresh = render(lock);
  if (old !== void 0 && render({ ...old, date, ...who }) === fresh) return "unchanged";
  if (old !== void 0) {
    let colours = paint(terminal.out), name = place(file), lines = [`--- ${name}`, `+++ ${name}`, ...lineDiff(render(old), fresh)];
    terminal.out.write(`${lines.map((line) => colourLine(line, colours)).join(`
`)}
`);
  }
  return yield* replace(file, fresh), standing.is === "missing" ? "made" : "replaced";
}), askerOf = fn("Pin.asker")(function* (options, terminal, checked) {
  let settings = yield* readSettings(terminal.env, options.profile), dataDir = (yield* Path).resolve(options.data ?? settings.dataDir);
  yield* requireCapabilities(checked, settings, terminal.env);
  let { client, hosted, site } = yield* startService(checked, settings, dataDir);
  return {
    service: hosted === void 0 ? "local" : hostOf(hosted.baseUrl),
    site,
    ask: (question) => flatMap(CrawlPreview, (preview) => preview.run({ url: question.url, prompt: question.prompt })).pipe(
      map(({ answeredBy, data: data2 }) => ({ answer: data2, answeredBy: answeredBy ?? void 0 })),
      provide(client)
    )
  };
}), perform = fn("Cli.pin")(function* (options, terminal) {
  let source = yield* read(options.file), surroundings = scopeOf(terminal.env), checked = yield* check(source, { ...surroundings, inputs: options.input, complete: !options.check }), asking = yield* cached(askerOf(options, options.json ? mute(terminal) : terminal, checked)), told = [], scope = scopeBefore(checked, surroundings);
  checked.frame.site !== void 0 && !options.check && (scope = { ...scope, run: { ...scope.run, site: (yield* asking).site } });
  for (let node of checked.nodes) {
    let pinned = yield* questionOf(node, scope);
    if (pinned === void 0) continue;
    let { pin, question } = pinned, file = yield* fileOf(checked, pin), standing = yield* inspect(file, question), reason = objection(standing, pin, source.file);
    if (options.check || standing.is === "held" && !options.update)
      told.push({ step: node.id, file, state: standing.is, reason });
    else {
      if (standing.is === "broken" && !options.update)
        return yield* new FileUnusable({ path: pin, reason: `${standing.reason}. --update replaces it.` });
      if (question === void 0)
        return yield* new NotPinnable({ step: node.id, reason: "what it asks is only known during a run" });
      if (holdsPassword(question.url))
        return yield* new NotPinnable({
          step: node.id,
          reason: "its address holds a password, which everybody could read"
        });
      {
        let state = yield* renew(standing, question, file, yield* asking, options.json ? mute(terminal) : terminal);
        told.push({ step: node.id, file, state });
      }
    }
    let now = yield* inspect(file, question);
    now.is === "held" && (scope = { ...scope, steps: { ...scope.steps, [node.id]: { output: now.lock.answer } } });
  }
  return told;
}), mute = (terminal) => ({ ...terminal, out: { ...terminal.out, write: () => {
} } }), run = (options, terminal) => gen(function* () {
  let told = yield* perform(options, terminal), due = told.filter(({ state }) => state === "missing" || state === "stale" || state === "broken");
  if (options.json) terminal.out.write(`${JSON.stringify({ file: options.file, locks: told })}
`);
  else if (told.length === 0) terminal.err.write(`${options.file} pins nothing
`);
  else for (let each of told) terminal.err.write(`${place(each.file)}: ${words[each.state]}
`);
  if (due.length > 0) return yield* new LocksDue({ reasons: due.map(({ reason }) => reason ?? "") });
}).pipe(scoped), words = {
  held: "fits",
  unchanged: "asked again, nothing has changed",
  made: "made",
  replaced: "replaced",
  missing: "missing",
  stale: "was made for another question",
  broken: "cannot be used"
}, LocksDue = class extends TaggedError("LocksDue") {
  exitCode = ExitCode.checkFailed;
  get message() {
    return this.reasons.join("; ");
  }
}, NotPinnable = class extends TaggedError("NotPinnable") {
  exitCode = ExitCode.invalid;
  get message() {
    return `the answer to ${this.step} cannot be pinned: ${this.reason}`;
  }
};
export {
  LocksDue,
  NotPinnable,
  command
};
