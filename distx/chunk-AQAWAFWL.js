import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  command,
  schemaFile,
  schemaText,
  testSchemaFile,
  testSchemaText
} from "./chunk-OSIFFVJV.js";
import "./chunk-ZDDOVD4E.js";
import "./chunk-4D2OEZ5S.js";
import "./chunk-22T4FJR7.js";
import "./chunk-FCWYZXNV.js";
import "./chunk-BMNGXVO7.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
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
  command,
  schemaFile,
  schemaText,
  testSchemaFile,
  testSchemaText
};
