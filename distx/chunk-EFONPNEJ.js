import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  DefinitionInvalid
} from "./chunk-PGOM52WJ.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  fn,
  map9 as map,
  mapError2 as mapError,
  orElseSucceed
} from "./chunk-JGKSI326.js";

// src/Cli/DefinitionFiles.ts
var isDefinition = (name) => /\.(ya?ml|json)$/.test(name) && !isBeside(name), isBeside = (name) => /\.(test\.(ya?ml|json)|lock\.json)$/.test(name), expand = fn("Check.expand")(function* (named) {
  let files = yield* FileSystem, paths = yield* Path;
  if (!(yield* files.stat(named).pipe(
    map(({ type }) => type === "Directory"),
    orElseSucceed(() => !1)
  ))) return [named];
  let refuse = (message) => new DefinitionInvalid({ file: named, mistakes: [{ path: [], message }] }), found = (yield* mapError(
    files.readDirectory(named),
    (error) => refuse(`cannot be read: ${fileErrorReason(error)}`)
  )).filter(isDefinition).sort();
  return found.length === 0 ? yield* refuse(
    "there is no .yaml, .yml or .json definition in this folder; one in code is checked when it is named"
  ) : found.map((name) => paths.join(named, name));
});

export {
  isBeside,
  expand
};
