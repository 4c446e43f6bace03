import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  read
} from "./chunk-RZSFIAW7.js";
import "./chunk-NEXSCO5F.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Engine/Browser/CommandThread.ts
import { parentPort } from "node:worker_threads";
var handOver = (reading) => {
  if (reading._tag !== "Prepared" || typeof reading.command.params != "string") {
    parentPort?.postMessage(reading);
    return;
  }
  let params = new TextEncoder().encode(reading.command.params);
  parentPort?.postMessage({ ...reading, command: { ...reading.command, params } }, [params.buffer]);
};
parentPort?.on(
  "message",
  safely(
    ({ json, limits }) => handOver(read(json, limits)),
    () => process.exit(1)
  )
);
