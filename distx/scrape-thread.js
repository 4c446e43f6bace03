import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  perform
} from "./chunk-ETUHBXFQ.js";
import "./chunk-AD2KZVWM.js";
import "./chunk-55DNJSQA.js";
import "./chunk-S5BW4IPQ.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Engine/Scrape/Thread.ts
import { parentPort } from "node:worker_threads";
parentPort?.on(
  "message",
  safely(
    (chore) => parentPort?.postMessage(perform(chore)),
    () => process.exit(1)
  )
);
