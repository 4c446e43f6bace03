import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  database,
  layer2 as layer,
  over,
  placeOf
} from "./chunk-AAIABKKY.js";
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";
export {
  database,
  layer,
  over,
  placeOf
};
