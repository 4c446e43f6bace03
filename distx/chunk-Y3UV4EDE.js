import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  DefinitionInvalid,
  catalogue,
  conceal,
  parseText,
  read,
  secretNames
} from "./chunk-PGOM52WJ.js";
import {
  didYouMean,
  nearest
} from "./chunk-OH7QELJ7.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  catchAll3 as catchAll,
  fail5 as fail,
  flatMap5 as flatMap,
  fn,
  fromMap,
  gen,
  orElse,
  orElseSucceed,
  succeed4 as succeed,
  withConfigProvider
} from "./chunk-JGKSI326.js";

// node_modules/effect/dist/esm/ConfigProvider.js
var fromMap2 = fromMap;
var orElse2 = orElse;

// src/Cli/CommandSettings.ts
import * as NodePath from "node:path";
var names = Object.keys(catalogue), { log, logLevel, otlpEndpoint, resourceAttributes, serviceName, traceShare } = catalogue, early = /* @__PURE__ */ new Set([
  log,
  logLevel,
  otlpEndpoint,
  resourceAttributes,
  serviceName,
  traceShare
]), isForProfiles = (setting) => !setting.isSecret && !early.has(setting), homeOf = (env) => {
  let setting = Object.values(catalogue).find((each) => each.env === env);
  return setting === void 0 || isForProfiles(setting) ? "in the environment or in the profile" : "in the environment";
}, isScalar = (value) => ["string", "number", "boolean"].includes(typeof value), textOf = (value) => Array.isArray(value) && value.every(isScalar) ? value.join(",") : isScalar(value) ? String(value) : void 0, prefix = "SLUICE_", misspelledSettings = (env) => {
  let known = Object.values(catalogue).map((setting) => setting.env), ends = known.flatMap((name) => name.startsWith(prefix) ? [name.slice(prefix.length)] : []);
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(prefix) || known.includes(name)) return [];
    let near = nearest(name.slice(prefix.length), ends);
    return near === void 0 || env[prefix + near] !== void 0 ? [] : [[name, prefix + near]];
  });
}, settingsOf = ({ file, locate, value }) => {
  let found = /* @__PURE__ */ new Map(), mistakes = [], wrong = (path, message) => mistakes.push({ path, message, ...locate(path) });
  value !== null && (typeof value != "object" || Array.isArray(value)) && wrong([], "expected settings, one on each line, like baseUrl: https://\u2026");
  for (let [key, each] of Object.entries(value ?? {})) {
    let name = names.find((known) => known === key), text = textOf(each);
    if (key === "secrets") continue;
    if (name === void 0) {
      wrong([key], `unknown setting "${key}"${didYouMean(key, names) || `: there are ${names.join(", ")}`}`);
      continue;
    }
    let setting = catalogue[name];
    setting.isSecret ? wrong([key], `a secret does not belong in a profile: give it as ${setting.env}`) : early.has(setting) ? wrong([key], `it counts before a profile is read: give it as ${setting.env}`) : text === void 0 ? wrong([key], "expected a string or an array of strings") : found.set(setting.env, text);
  }
  return mistakes.length === 0 ? succeed(found) : fail(new DefinitionInvalid({ file, mistakes }));
}, isPath = (profile) => /[/\\]|\.ya?ml$/.test(profile), profileFile = (profile) => isPath(profile) ? profile : NodePath.join("config", `${profile}.yaml`), loadProfile = fn("Profile.load")(function* (profile) {
  let files = yield* FileSystem, paths = yield* Path, file = profileFile(profile), refuse = (message) => new DefinitionInvalid({ file, mistakes: [{ path: [], message }] }), text = yield* files.readFileString(file).pipe(
    catchAll(
      (error) => gen(function* () {
        if (error._tag !== "SystemError" || error.reason !== "NotFound")
          return yield* refuse(`the profile cannot be read: ${fileErrorReason(error)}`);
        let known = (yield* orElseSucceed(files.readDirectory("config"), () => [])).filter((name) => name.endsWith(".yaml")).map((name) => name.slice(0, -5)), hint = isPath(profile) ? "" : didYouMean(profile, known) || (known.length > 0 ? `: there are ${known.join(", ")}` : "");
        return yield* refuse(`there is no such profile${hint}`);
      })
    )
  );
  return yield* flatMap(parseText(file, paths.dirname(paths.resolve(file)), text), settingsOf);
}), readSettings = fn("Profile.read")(function* (env, profile) {
  let given = new Map(Object.entries(env).flatMap(([name, value]) => value === void 0 ? [] : [[name, value]])), written = profile === void 0 ? /* @__PURE__ */ new Map() : yield* loadProfile(profile), provider = orElse2(fromMap2(given), () => fromMap2(written));
  return yield* withConfigProvider(read, provider);
}), concealSecrets = (env) => {
  for (let name of secretNames) conceal(env[name] ?? "");
};

export {
  fromMap2 as fromMap,
  isForProfiles,
  homeOf,
  misspelledSettings,
  profileFile,
  readSettings,
  concealSecrets
};
