import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  join,
  selectBodies,
  view
} from "./chunk-EXRUUO7E.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import "./chunk-E2DHRGUQ.js";

// src/Engine/Jobs/ReadThread.ts
import { parentPort, workerData } from "node:worker_threads";
import Database from "libsql";
var database = new Database(workerData);
database.exec("PRAGMA busy_timeout = 10000");
database.exec("PRAGMA query_only = ON");
var bodies = database.prepare(selectBodies);
parentPort?.on(
  "message",
  safely(
    (range) => {
      let { end, from, jobId } = range, rows = bodies.all(jobId, from, end), slice = join(
        rows.map(({ body }) => view(body)),
        range
      );
      parentPort?.postMessage(slice, [slice.buffer]);
    },
    () => process.exit(1)
  )
);
