import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Redacted,
  String$,
  Struct,
  TaggedError,
  decodeUnknownEither,
  decodeUnknownOption,
  parseJson,
  value
} from "./chunk-PAQDWWDE.js";
import {
  _void,
  acquireRelease,
  asVoid3 as asVoid,
  async,
  ensuring2 as ensuring,
  map9 as map,
  succeed4 as succeed,
  sync3 as sync,
  timeoutOption
} from "./chunk-JGKSI326.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import {
  isLeft
} from "./chunk-FWQRLSGQ.js";
import {
  getOrUndefined
} from "./chunk-ANBJACJV.js";

// src/Cli/Ui/Beside.ts
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
var UiFailed = class extends TaggedError("UiFailed") {
  get message() {
    return `the dashboard did not begin: ${this.reason}`;
  }
}, patience = 6e4, variable = "SLUICE_UI_SERVICE", Service = parseJson(Struct({ baseUrl: String$, apiKey: Redacted(String$) })), Link = parseJson(Struct({ url: String$ })), serviceIn = (env) => {
  let { [variable]: text, ...rest } = env;
  return { service: getOrUndefined(decodeUnknownOption(Service)(text)), env: rest };
}, command = () => [process.execPath, ...process.execArgv, process.argv[1] ?? ""], start = ({ env, service, words }, terminal) => acquireRelease(
  async((resume) => {
    let [program = process.execPath, ...before] = command(), child = spawn(program, [...before, "ui", ...words, "--json"], {
      env: {
        ...env,
        [variable]: JSON.stringify({ baseUrl: service.baseUrl, apiKey: value(service.apiKey) })
      },
      // Where the engine is killed, the channel closes, and the dashboard ends.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      windowsHide: !0
    }), said = "", hasBegun = !1, isWanted = !0;
    child.stderr?.on(
      "data",
      safely((bytes) => {
        hasBegun ? terminal.err.write(bytes.toString()) : said = (said + bytes.toString()).slice(-4e3);
      })
    );
    let stop = async((resume2) => {
      if (isWanted = !1, child.exitCode !== null || child.signalCode !== null) return resume2(_void);
      child.once(
        "exit",
        safely(() => resume2(_void))
      ), child.kill("SIGTERM");
    }).pipe(timeoutOption("5 seconds"), ensuring(sync(() => child.kill("SIGKILL")))), failed = (reason) => {
      clearTimeout(late), child.kill("SIGKILL"), resume(new UiFailed({ reason: said.trim().replace(/^error: /, "") || reason }));
    }, late = setTimeout(
      safely(
        () => failed(`it has not said where it is after ${patience / 1e3} seconds`),
        (cause) => failed(String(cause))
      ),
      patience
    );
    if (child.once(
      "error",
      safely(
        ({ message }) => failed(message),
        (cause) => failed(String(cause))
      )
    ), child.once(
      "exit",
      safely(
        (code, signal) => {
          let how = `it ended with ${signal ?? `exit code ${code}`}`;
          hasBegun ? isWanted && code !== 130 && code !== 143 && terminal.err.write(`warning: the dashboard is gone, ${how}; the engine goes on
`) : failed(how);
        },
        (cause) => failed(String(cause))
      )
    ), child.stdout === null) return failed("it says nothing");
    createInterface(child.stdout).once(
      "line",
      safely(
        (line) => {
          let link = decodeUnknownEither(Link)(line);
          if (isLeft(link)) return failed("it did not say where it is");
          hasBegun = !0, clearTimeout(late), said !== "" && terminal.err.write(said), resume(succeed({ url: link.right.url, stop: asVoid(stop) }));
        },
        (cause) => failed(String(cause))
      )
    );
  }),
  ({ stop }) => stop
).pipe(map(({ url }) => url)), abandoned = async((resume) => {
  process.connected && process.once(
    "disconnect",
    safely(() => resume(_void))
  );
});

export {
  UiFailed,
  serviceIn,
  command,
  start,
  abandoned
};
