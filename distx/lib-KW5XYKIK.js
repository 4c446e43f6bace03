import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  readPage,
  readSheets,
  samplesOf
} from "./lib-UUVS2RTO.js";
import "./lib-KFUPWAUT.js";
import "./lib-GGME65E2.js";
import "./lib-URHN3MKJ.js";
export {
  readPage,
  readSheets,
  samplesOf
};
