import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  start
} from "./chunk-445BFRM3.js";
import "./chunk-JY6Y7VY7.js";
import "./chunk-SKW2AAU4.js";
import "./chunk-B6Z23CTJ.js";
import "./chunk-AHZMYVYX.js";
import "./chunk-JNKD5VFV.js";
import "./chunk-IDTNILGS.js";
import "./chunk-Q3EFARSN.js";
import "./chunk-2ZILVW26.js";
import "./chunk-ZZBHAMLH.js";
import "./chunk-QVSNP7MA.js";
import "./chunk-7PKBJBWL.js";
import {
  isLoopback
} from "./chunk-GDKBED2B.js";
import "./chunk-MVJRAPNE.js";
import "./chunk-FKOQU2V5.js";
import "./chunk-4D2OEZ5S.js";
import {
  dashboardPort,
  data,
  enginePort,
  host,
  port,
  profile
} from "./chunk-22T4FJR7.js";
import {
  make,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  place
} from "./chunk-BMNGXVO7.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint,
  warn
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-6UFBRXO3.js";
import "./chunk-UUXWWBQZ.js";
import "./chunk-5BTQFAOF.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-ETUHBXFQ.js";
import "./chunk-AD2KZVWM.js";
import "./chunk-55DNJSQA.js";
import "./chunk-S5BW4IPQ.js";
import "./chunk-RZSFIAW7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-EXRUUO7E.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-7DF5MID3.js";
import {
  Path
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  flatMap5 as flatMap,
  gen,
  never,
  onInterrupt2 as onInterrupt,
  promise,
  scoped2 as scoped,
  sync3 as sync
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Serve.ts
var parameters = {
  port: port("Port to listen on", enginePort),
  host,
  data: data("the store and the keys"),
  profile,
  ui: toggle("Serves the dashboard beside it, on a port of its own, and prints its link."),
  "ui-port": port("With --ui: port of the dashboard", dashboardPort),
  json: toggle("Prints base URL and key file as one JSON object.")
}, command = make({
  details: "Ready when GET /health answers 200. Accepted keys come from SLUICE_ENGINE_KEYS, else one is made on the first start and kept in the data folder.",
  parameters,
  examples: [
    { line: "sluice serve", what: `on http://127.0.0.1:${enginePort}` },
    { line: "sluice serve --ui", what: "with the dashboard beside it" },
    { line: "sluice serve --port 0 --data /var/lib/sluice --json", what: "on a free port, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
}), keyPlace = (keyFile) => keyFile === void 0 ? "as given in SLUICE_ENGINE_KEYS" : `in ${place(keyFile)}`, keyCommand = (keyFile) => `export SLUICE_API_KEY=$(node -p 'JSON.parse(require("fs").readFileSync(${JSON.stringify(keyFile)})).keys[0].key')`, beside = ({ host: host2, profile: profile2, "ui-port": port2 }, dataDir, service, terminal) => {
  let words = ["--data", dataDir, "--port", String(port2)];
  return host2 !== void 0 && words.push("--host", host2), profile2 !== void 0 && words.push("--profile", profile2), promise(() => import("./chunk-63JESD4S.js")).pipe(
    flatMap((Beside) => Beside.start({ words, env: terminal.env, service }, terminal))
  );
}, run = (options, terminal) => gen(function* () {
  let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir), { baseUrl, key, keyFile } = yield* start(settings, {
    dataDir,
    host: options.host,
    port: options.port
  });
  if (options.host !== void 0 && !isLoopback(options.host)) {
    let reach = `${options.host} can be reached by other machines`;
    warn(terminal.err, `${reach}: each request needs a key, and none is encrypted`);
  }
  let ui = options.ui ? yield* beside(options, dataDir, { baseUrl, apiKey: key }, terminal) : void 0;
  if (options.json)
    terminal.out.write(`${JSON.stringify({ baseUrl, keyFile: keyFile ?? null, dataDir, ui })}
`);
  else {
    let dye = paint(terminal.out), lines = [
      `${dye.bold("sluice")} serves the local engine`,
      "",
      `  base URL   ${dye.cyan(baseUrl)}`,
      `  key        ${keyPlace(keyFile)}`,
      `  data       ${place(dataDir)}`,
      `  reference  ${baseUrl}/docs`,
      ...ui === void 0 ? [] : [`  dashboard  ${dye.cyan(ui)}`],
      "",
      ...keyFile === void 0 ? [] : ["  For another shell:", `    export SLUICE_BASE_URL=${baseUrl}`, `    ${keyCommand(keyFile)}`, ""],
      dye.dim("Ctrl-C stops it."),
      ""
    ];
    terminal.out.write(lines.join(`
`));
  }
  return yield* never;
}).pipe(
  scoped,
  // The terminal has written ^C.
  onInterrupt(() => sync(() => terminal.err.write(`${terminal.err.interactive ? `
` : ""}stopped
`)))
);
export {
  command
};
