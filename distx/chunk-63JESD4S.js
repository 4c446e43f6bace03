import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  UiFailed,
  abandoned,
  command,
  serviceIn,
  start
} from "./chunk-G4GEENZR.js";
import "./chunk-PAQDWWDE.js";
import "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";
export {
  UiFailed,
  abandoned,
  command,
  serviceIn,
  start
};
