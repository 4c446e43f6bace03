import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Unable
} from "./chunk-OP2P3XN6.js";
import {
  withPermissions
} from "./chunk-GNLX27JJ.js";
import {
  layer as layer2
} from "./chunk-PGKV3QBV.js";
import {
  layer2 as layer
} from "./chunk-GT42FSL6.js";
import {
  emphasise,
  paint,
  warn
} from "./chunk-CZDJQLZL.js";
import {
  concealSecrets,
  homeOf,
  misspelledSettings
} from "./chunk-Y3UV4EDE.js";
import {
  line,
  logger
} from "./chunk-SRE6WST2.js";
import {
  RunFailed
} from "./chunk-NHAMPOKL.js";
import {
  defaultLogger,
  make,
  minimumLogLevel,
  replace
} from "./chunk-TDODX2FN.js";
import {
  DefinitionInvalid,
  StdoutClosed,
  StepError,
  catalogue
} from "./chunk-PGOM52WJ.js";
import {
  set,
  unhandledErrorLogLevel
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  isConfigError,
  mergeAll
} from "./chunk-PAQDWWDE.js";
import {
  Debug,
  Error as Error2,
  Info,
  Warning,
  defects,
  fail3 as fail,
  failureOption,
  failures,
  flatMap5 as flatMap,
  greaterThanEqual,
  isEmpty2 as isEmpty,
  isInterruptedOnly,
  isSuccess,
  map4 as map2,
  pretty,
  promise,
  provide2 as provide,
  runPromiseExit,
  squash,
  sync3 as sync,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  plain,
  safely
} from "./chunk-6CVURTE2.js";
import {
  exists,
  isSome,
  map,
  none2 as none
} from "./chunk-ANBJACJV.js";

// node_modules/@effect/platform-node/dist/esm/NodePath.js
var layer3 = layer2;

// src/Cli/Outcome.ts
var levels = {
  debug: Debug,
  info: Info,
  warning: Warning,
  error: Error2
}, rootOf = (failure) => failure instanceof RunFailed ? rootOf(failure.reason) : failure, exitCodeOf = (failure) => {
  let root = rootOf(failure);
  return isConfigError(root) ? ExitCode.invalid : root.exitCode ?? ExitCode.failed;
}, wrongSettings = (error) => error._op === "And" || error._op === "Or" ? [...wrongSettings(error.left), ...wrongSettings(error.right)] : [error], describeConfig = (error) => `${wrongSettings(error).map(({ message, path }) => {
  let name = path.join(".");
  return `the setting ${name} cannot be used: ${message}. Correct it ${homeOf(name)}`;
}).join("; ")}.`, messageOf = (failure) => {
  let root = rootOf(failure);
  return isConfigError(root) ? describeConfig(root) : root instanceof StepError ? failure.message : root.message;
}, render = (failure, channel) => {
  let dye = paint(channel), error = (text) => `${dye.red("error:")} ${plain(text.replace(/\s*\n\s*/g, " "))}
`, root = rootOf(failure);
  if (root instanceof Unable) {
    let lines2 = root.message.split(`
`);
    return `${lines2.slice(0, -1).map((line2) => emphasise(line2, dye)).join(`
`)}
${error(lines2.at(-1) ?? "")}`;
  }
  if (!(root instanceof DefinitionInvalid)) return error(messageOf(failure));
  let { file, mistakes } = root, [first] = mistakes;
  if (mistakes.length === 1 && first?.given) return error(first.message);
  if (mistakes.length === 1 && first?.line === void 0) return error(`${file}: ${first?.message}`);
  let lines = root.message.split(`
`);
  return `${lines.slice(0, -1).map((line2) => emphasise(line2, dye)).join(`
`)}
${error(lines[lines.length - 1] ?? "")}`;
}, unforeseen = (cause) => {
  let defect = squash(cause);
  return defect instanceof Error ? defect.message : String(defect);
}, logger2 = ({ err }) => replace(defaultLogger, err.line === void 0 ? forPeople(err) : logger(err.line)), forPeople = (err) => make(({ cause, logLevel, message }) => {
  let dye = paint(err), texts = (Array.isArray(message) ? message : [message]).map(
    (each) => typeof each == "string" ? each : JSON.stringify(each) ?? String(each)
  ), reason = isEmpty(cause) ? [] : [pretty(cause)], [label, colour] = greaterThanEqual(logLevel, Error2) ? ["error:", dye.red] : greaterThanEqual(logLevel, Warning) ? ["warning:", dye.yellow] : [`${logLevel.label.toLowerCase()}:`, dye.dim];
  err.write(`${colour(label)} ${plain([...texts, ...reason].join(" "))}
`);
}), framesOf = (error) => pretty(fail(error)).split(`
`).filter((line2) => /^\s+at /.test(line2)), trace = (cause, told) => {
  let lines = [], said = /* @__PURE__ */ new Set([told]);
  for (let outermost of [...map2(failures(cause), rootOf), ...defects(cause)]) {
    let seen = /* @__PURE__ */ new Set();
    for (let error = outermost; error !== void 0 && !seen.has(error); ) {
      seen.add(error);
      let message = error instanceof Error ? error.message : String(error);
      said.has(message) || lines.push(`${seen.size > 1 ? "caused by " : ""}${message}`), said.add(message), lines.push(...framesOf(error)), error = error instanceof Error ? error.cause : void 0;
    }
  }
  return lines.map((line2) => `${plain(line2)}
`).join("");
}, levelOf = ({ env, err }, debug) => {
  let word = env[catalogue.logLevel.env]?.toLowerCase(), asked = word === void 0 ? void 0 : levels[word];
  return debug ? Debug : asked ?? (err.line === void 0 ? Warning : Info);
}, isWatched = ({ env }) => (env[catalogue.otlpEndpoint.env] ?? "") !== "", exporting = (program, terminal) => flatMap(
  promise(() => import("./chunk-W6XJQBFP.js")),
  ({ layerOf }) => flatMap(layerOf(terminal), (layer4) => provide(program, layer4))
), isUnwritten = (cause) => {
  let failure = map(failureOption(cause), rootOf);
  return exists(failure, (root) => root instanceof StepError && root.cause instanceof StdoutClosed);
}, runCall = ({ program, values }, {
  isJsonLog,
  terminal: given,
  verbs,
  ...surroundings
}) => {
  let terminal = isJsonLog ? withJsonLog(given) : given;
  return settle(withPermissions(values, terminal, program(terminal, verbs)), { ...surroundings, terminal });
}, settle = (program, { debug, stop, terminal }) => {
  let level = minimumLogLevel(levelOf(terminal, debug));
  for (let [written, meant] of misspelledSettings(terminal.env))
    warn(terminal.err, `${written} is no setting, did you mean ${meant}?`);
  let layer4 = mergeAll(layer, layer3, logger2(terminal), level), silence = set(unhandledErrorLogLevel, none()), passed = new AbortController(), pass = () => passed.abort(stop.reason), listen = sync(
    () => stop.aborted ? void setImmediate(safely(pass)) : stop.addEventListener("abort", safely(pass), { once: !0 })
  ), watched = isWatched(terminal) ? exporting(program, terminal) : program, whole = zipRight(silence, provide(zipRight(listen, watched), layer4));
  return runPromiseExit(whole, { signal: passed.signal }).then((exit) => {
    if (terminal.err.status(""), isSuccess(exit)) return ExitCode.ok;
    let tell = (text, told) => terminal.err.write(debug ? text + trace(exit.cause, told) : text), isUnread = stop.reason === "EPIPE";
    if (stop.aborted && (!isUnread || isInterruptedOnly(exit.cause) || isUnwritten(exit.cause)))
      return tell(""), isUnread ? ExitCode.ok : ExitCode[stop.reason] ?? ExitCode.failed;
    let failure = failureOption(exit.cause);
    if (isSome(failure))
      return tell(render(failure.value, terminal.err), rootOf(failure.value).message), exitCodeOf(failure.value);
    let said = unforeseen(exit.cause), hint = debug ? "" : " --debug shows where.";
    return tell(
      `${paint(terminal.err).red("error:")} ${plain(said)}
This should not happen: it is a fault of sluice.${hint}
`,
      said
    ), ExitCode.failed;
  });
}, jsonLevels = { error: "error", broken: "error", warning: "warning" }, entryOf = (text) => {
  let [, word = "", rest = text] = /^(error|broken|warning): ([\s\S]*)$/.exec(text) ?? [];
  return { level: jsonLevels[word] ?? "info", message: rest };
}, jsonChannel = (err) => ({
  write: (text, { level: known, ...fields } = {}) => {
    let said = text.trim(), { level, message } = entryOf(said);
    said !== "" && err.write(line({ time: /* @__PURE__ */ new Date(), level: jsonLevels[String(known)] ?? level, message, fields }));
  },
  // A machine does not look on.
  status: () => {
  },
  interactive: !1,
  colour: !1,
  columns: err.columns,
  line: err.write
}), withJsonLog = (terminal) => (concealSecrets(terminal.env), { ...terminal, err: jsonChannel(terminal.err) });

export {
  exitCodeOf,
  wrongSettings,
  messageOf,
  unforeseen,
  runCall,
  settle,
  withJsonLog
};
