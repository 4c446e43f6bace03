import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  BadArgument,
  Path,
  TypeId
} from "./chunk-4U3SQ3WC.js";
import {
  succeed
} from "./chunk-PAQDWWDE.js";
import {
  try_
} from "./chunk-JGKSI326.js";

// node_modules/@effect/platform-node-shared/dist/esm/internal/path.js
import * as NodePath from "node:path";
import * as NodeUrl from "node:url";
var fromFileUrl = (url) => try_({
  try: () => NodeUrl.fileURLToPath(url),
  catch: (error) => new BadArgument({
    module: "Path",
    method: "fromFileUrl",
    description: `Invalid file URL: ${url}`,
    cause: error
  })
}), toFileUrl = (path) => try_({
  try: () => NodeUrl.pathToFileURL(path),
  catch: (error) => new BadArgument({
    module: "Path",
    method: "toFileUrl",
    description: `Invalid path: ${path}`,
    cause: error
  })
}), layerPosix = /* @__PURE__ */ succeed(Path, /* @__PURE__ */ Path.of({
  [TypeId]: TypeId,
  ...NodePath.posix,
  fromFileUrl,
  toFileUrl
})), layerWin32 = /* @__PURE__ */ succeed(Path, /* @__PURE__ */ Path.of({
  [TypeId]: TypeId,
  ...NodePath.win32,
  fromFileUrl,
  toFileUrl
})), layer = /* @__PURE__ */ succeed(Path, /* @__PURE__ */ Path.of({
  [TypeId]: TypeId,
  ...NodePath,
  fromFileUrl,
  toFileUrl
}));

// node_modules/@effect/platform-node-shared/dist/esm/NodePath.js
var layer2 = layer;

export {
  layer2 as layer
};
