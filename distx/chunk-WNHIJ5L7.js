import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  exitCodeOf,
  messageOf,
  runCall,
  settle,
  unforeseen,
  withJsonLog,
  wrongSettings
} from "./chunk-EMFYCO4G.js";
import "./chunk-HBMD57DF.js";
import "./chunk-X7K32U6Z.js";
import "./chunk-SITVHCVB.js";
import "./chunk-BJKYKPES.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-KJKV7NRH.js";
import "./chunk-LMXK3V6A.js";
import "./chunk-BYJFSQCC.js";
import "./chunk-3EMFAHTD.js";
import "./chunk-N6F43J7C.js";
import "./chunk-BR5MBAVT.js";
import "./chunk-TDODX2FN.js";
import "./chunk-FIQWETKJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-23QIF2VD.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-A7PH37LU.js";
import "./chunk-7DF5MID3.js";
import "./chunk-K7EXGFWX.js";
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
