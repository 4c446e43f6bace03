import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Ledger,
  make2 as make,
  migrations,
  notOpened
} from "./chunk-P7YG24CI.js";
import {
  SqlClient,
  layer3 as layer
} from "./chunk-3IJJA3UF.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  effect,
  mapError,
  provide,
  unwrapEffect
} from "./chunk-PAQDWWDE.js";
import {
  currentTimeMillis,
  gen,
  map9 as map,
  orElseSucceed,
  promise
} from "./chunk-JGKSI326.js";

// src/Ledger.ts
import { hostname } from "node:os";
var pragmas = [
  // Lets Retention return the space of deleted runs to the disk.
  "auto_vacuum = INCREMENTAL",
  // A commit has reached the disk when it returns.
  "synchronous = FULL",
  "cache_size = -32000",
  // Checkpoint the WAL every 32 MB, so that a burst of answers is copied into the file only once.
  "wal_autocheckpoint = 8000"
], database = (file) => layer({ file, parts: { ledger: migrations }, pragmas }), hostId = gen(function* () {
  let files = yield* FileSystem, space = yield* orElseSucceed(files.readLink("/proc/self/ns/pid"), () => "");
  return `${hostname()}/${space}`;
}), over = (place) => effect(
  Ledger,
  gen(function* () {
    let sql = yield* SqlClient, heartbeat = {
      interval: 5e3,
      // After three missed heartbeats the lock is free.
      timeout: 15e3,
      now: map(currentTimeMillis, (now) => sql`${now}`),
      lastBeat: sql.literal("beat")
    };
    return make({ sql, place, host: yield* hostId, heartbeat, isShared: !1, retryRead: (read) => read });
  })
), layer2 = (dataDir) => unwrapEffect(
  map(Path, (path) => {
    let file = path.join(dataDir, "ledger.db");
    return over(file).pipe(provide(database(file)), mapError(notOpened));
  })
), layerPostgres = (url) => unwrapEffect(
  map(
    promise(() => import("./chunk-22THFWMF.js")),
    ({ layer: layer3 }) => layer3(url)
  )
);

export {
  over,
  layer2 as layer,
  layerPostgres
};
