import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  command,
  schemaFile,
  schemaText,
  testSchemaFile,
  testSchemaText
} from "./chunk-65TLIVAJ.js";
import "./chunk-PNNLAUMC.js";
import "./chunk-ZD6GUIWU.js";
import "./chunk-22T4FJR7.js";
import "./chunk-FCWYZXNV.js";
import "./chunk-S7WI733M.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-KJKV7NRH.js";
import "./chunk-MUKZDKC6.js";
import "./chunk-3EMFAHTD.js";
import "./chunk-N6F43J7C.js";
import "./chunk-FIQWETKJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-23QIF2VD.js";
import "./chunk-NEXSCO5F.js";
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
  command,
  schemaFile,
  schemaText,
  testSchemaFile,
  testSchemaText
};
