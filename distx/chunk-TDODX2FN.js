import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  addLoggerScoped,
  minimumLogLevel,
  replaceLogger,
  withMinimumLogLevel
} from "./chunk-PAQDWWDE.js";
import {
  defaultLogger,
  makeLogger,
  mapInputOptions
} from "./chunk-JGKSI326.js";

// node_modules/effect/dist/esm/Logger.js
var make = makeLogger;
var addScoped = addLoggerScoped;
var mapInputOptions2 = mapInputOptions;
var replace = replaceLogger;
var withMinimumLogLevel2 = withMinimumLogLevel;
var defaultLogger2 = defaultLogger;
var minimumLogLevel2 = minimumLogLevel;

export {
  make,
  addScoped,
  mapInputOptions2 as mapInputOptions,
  replace,
  withMinimumLogLevel2 as withMinimumLogLevel,
  defaultLogger2 as defaultLogger,
  minimumLogLevel2 as minimumLogLevel
};
