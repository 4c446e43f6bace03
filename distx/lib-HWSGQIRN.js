import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  database,
  layer2 as layer,
  over,
  placeOf
} from "./lib-7ASOOSFP.js";
import "./lib-RBRX5FPT.js";
import "./lib-UHVBXRJH.js";
import "./lib-GGME65E2.js";
import "./lib-URHN3MKJ.js";
export {
  database,
  layer,
  over,
  placeOf
};
