import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  exitCodeOf,
  messageOf,
  runCall,
  settle,
  unforeseen,
  withJsonLog,
  wrongSettings
} from "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-SRE6WST2.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
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
  exitCodeOf,
  messageOf,
  runCall,
  settle,
  unforeseen,
  withJsonLog,
  wrongSettings
};
