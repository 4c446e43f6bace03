import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  NothingYet
} from "./chunk-BMNGXVO7.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  layer,
  layerPostgres
} from "./chunk-6B7FEELY.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  gen,
  orElseSucceed,
  provide2 as provide
} from "./chunk-JGKSI326.js";

// src/Cli/LedgerAccess.ts
var ledgerLayer = ({ databaseUrl }, dataDir) => databaseUrl === void 0 ? layer(dataDir) : layerPostgres(databaseUrl), ledgerExists = ({ databaseUrl }, dataDir) => gen(function* () {
  if (databaseUrl !== void 0) return !0;
  let files = yield* FileSystem, file = (yield* Path).join(dataDir, "ledger.db");
  return yield* orElseSucceed(files.exists(file), () => !0);
}), withLedger = (options, terminal, effect) => gen(function* () {
  let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir);
  return (yield* ledgerExists(settings, dataDir)) ? yield* provide(effect, ledgerLayer(settings, dataDir)) : yield* new NothingYet({ dataDir });
});

export {
  ledgerLayer,
  ledgerExists,
  withLedger
};
