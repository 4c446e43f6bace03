import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  FileUnusable
} from "./chunk-BMNGXVO7.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  FileSystem,
  Path,
  makeFolder
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  flatMap5 as flatMap,
  gen,
  mapError2 as mapError,
  option,
  orElseSucceed
} from "./chunk-JGKSI326.js";
import {
  isNone
} from "./chunk-ANBJACJV.js";

// src/Cli/Folder.ts
var nearestFolder = (path) => gen(function* () {
  let files = yield* FileSystem, above = (yield* Path).dirname(path);
  return (yield* orElseSucceed(files.exists(path), () => !1)) || above === path ? path : yield* nearestFolder(above);
}), makeFolder2 = (path, todo) => flatMap(
  FileSystem,
  (files) => mapError(
    makeFolder(files, path),
    (cause) => new FileUnusable({ path, reason: `${fileErrorReason(cause)}. ${todo}`, cause })
  )
), requireFolder = (path, todo) => gen(function* () {
  let there = yield* nearestFolder(path), info = yield* option((yield* FileSystem).stat(there));
  if (!(isNone(info) || info.value.type === "Directory"))
    return yield* new FileUnusable({ path, reason: `${there === path ? "it" : there} is a file. ${todo}` });
}), withEngineStore = (options, terminal, nothing, act) => gen(function* () {
  let files = yield* FileSystem, paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir);
  if (yield* orElseSucceed(files.exists(paths.join(dataDir, "engine.db")), () => !0)) return yield* act(dataDir);
  terminal.err.write(`no engine has run with ${dataDir} yet: ${nothing}
`);
});

export {
  nearestFolder,
  makeFolder2 as makeFolder,
  requireFolder,
  withEngineStore
};
