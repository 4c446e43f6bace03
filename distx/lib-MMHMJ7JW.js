import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  database,
  layer2 as layer,
  over,
  placeOf
} from "./lib-VUUGLG4Y.js";
import "./lib-3NDI4OHW.js";
import "./lib-UHVBXRJH.js";
import "./lib-GGME65E2.js";
import "./lib-URHN3MKJ.js";
export {
  database,
  layer,
  over,
  placeOf
};
