import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  readPage,
  readSheets,
  samplesOf
} from "./chunk-ODQ4EAOZ.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";
export {
  readPage,
  readSheets,
  samplesOf
};
