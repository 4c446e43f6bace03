import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  about,
  overview
} from "./chunk-UIAQCNUI.js";
import {
  read
} from "./chunk-QWDGHURV.js";
import "./chunk-FCWYZXNV.js";
import {
  ofProcess,
  paint
} from "./chunk-CZDJQLZL.js";
import {
  version
} from "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  plain,
  safely
} from "./chunk-6CVURTE2.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Process.ts
import { Worker } from "node:worker_threads";

// src/Cli.ts
var verb = (name, operands, summary, load) => ({
  name,
  operands,
  summary,
  load
}), verbs = [
  verb("run", "FILE", "Runs a pipeline and prints where its outputs are.", () => import("./chunk-AHMYIKFK.js")),
  verb(
    "resume",
    "[RUN]",
    "Continues a run that was stopped, failed, or reached its budget.",
    () => import("./chunk-GKI4DM3D.js")
  ),
  verb(
    "replay",
    "[RUN]",
    "Sends the rejected rows of a run through again, from the step that rejected them.",
    () => import("./chunk-ETDSOFBI.js")
  ),
  verb("runs", "[ACTION] [AGE]", "Lists runs, newest first; `prune` deletes old ones.", () => import("./chunk-GHHMTVKE.js")),
  verb(
    "show",
    "[RUN]",
    "Shows what a run did, step by step, and what happened to its pages and rejects.",
    () => import("./chunk-4VFWYYQH.js")
  ),
  verb("stop", "RUN", "Stops a run on the cluster, whichever workers run its parts.", () => import("./chunk-G7UYZRFH.js")),
  verb(
    "state",
    "ACTION [KEY]",
    "Shows and changes what pipelines remember from run to run.",
    () => import("./chunk-VWWHGJYK.js")
  ),
  verb(
    "schedule",
    "[WHAT] [NAME]",
    "Runs a folder of pipelines on their schedules, until it is stopped.",
    () => import("./chunk-MEUVLRNU.js")
  ),
  verb(
    "check",
    "FILE\u2026",
    "Finds every mistake in definitions, as file:line:column; sends nothing.",
    () => import("./chunk-O2YU7UTC.js")
  ),
  verb(
    "plan",
    "FILE",
    "Shows what a run would request, at what price and with which outputs; sends nothing.",
    () => import("./chunk-3MMRJ5LR.js")
  ),
  verb(
    "test",
    "[FILE\u2026]",
    "Runs the tests of pipelines: recorded answers or rows in, expected rows out; no network, no credits.",
    () => import("./chunk-YTEDAZLH.js")
  ),
  verb(
    "pin",
    "FILE",
    "Saves the answers that a pipeline pins in lock files, for review and for later runs.",
    () => import("./chunk-NET3RUN3.js")
  ),
  verb(
    "init",
    "[DIR]",
    "Writes a first pipeline with a small sample site, example settings and a .gitignore.",
    () => import("./chunk-4HKGFXYO.js")
  ),
  verb(
    "parse",
    "FILE\u2026",
    "Converts files to Markdown, keeping reading order and tables; nothing leaves this machine.",
    () => import("./chunk-PXBFHL5I.js")
  ),
  verb(
    "search",
    "QUERY",
    "Searches the web, or the pages and files that were read here.",
    () => import("./chunk-ID6PZ2A6.js")
  ),
  verb("preview", "URL PROMPT", "Shows the crawl parameters that a prompt leads to.", () => import("./chunk-4AM4IFTQ.js")),
  verb(
    "index",
    "ACTION [URL]",
    "Lists the pages in the local engine's search index, and removes them.",
    () => import("./chunk-LSGKBV5H.js")
  ),
  verb(
    "browser",
    "",
    "Opens a browser session, prints its links, and closes it on Ctrl-C.",
    () => import("./chunk-Z5GXQDOM.js")
  ),
  verb(
    "profile",
    "ACTION [NAME]",
    "Lists the browser profiles of the local engine, and removes them.",
    () => import("./chunk-DLMUVN6J.js")
  ),
  verb(
    "serve",
    "",
    "Serves the local engine until it is stopped; prints its base URL and where its key is.",
    () => import("./chunk-ZDYUD2VX.js")
  ),
  verb(
    "ui",
    "",
    "Shows runs, rejects, pages, schedules and usage in a browser, until it is stopped.",
    () => import("./chunk-ARTGAOC3.js")
  ),
  verb(
    "worker",
    "[ACTION] [ID]",
    "Works on runs that were submitted with run --on cluster, until it is stopped.",
    () => import("./chunk-T36DLF4J.js")
  ),
  verb(
    "doctor",
    "[PIPELINE\u2026]",
    "Checks Node, SQLite, Chromium, folders, settings and the service; lists every fault and its fix.",
    () => import("./chunk-AVRUS635.js")
  ),
  verb(
    "schema",
    "",
    "Prints the JSON Schema of definitions, with which editors complete and check.",
    () => import("./chunk-AQAWAFWL.js")
  ),
  verb(
    "fmt",
    "FILE\u2026",
    "Formats definitions, or converts them between YAML, TypeScript and JSON.",
    () => import("./chunk-2GWEF4OA.js")
  ),
  verb("graph", "FILE", "Prints the graph of a definition as Mermaid, DOT or JSON.", () => import("./chunk-GC5I7SV4.js")),
  verb(
    "explain",
    "[NAME]",
    "Explains a step: what it does, its fields with limits and defaults, and an example.",
    () => import("./chunk-2D6P7PE4.js")
  ),
  verb(
    "completions",
    "SHELL",
    "Prints a completion script for bash, zsh or fish.",
    () => import("./chunk-FUGBS3ML.js")
  )
], main = (words, terminal, stop2) => read(words, verbs).then((request) => {
  switch (request.ask) {
    case "version":
      return terminal.out.write(`${version}
`), ExitCode.ok;
    case "help":
      return terminal.out.write(
        request.verb === void 0 ? overview(verbs, version, terminal.out) : about(request.verb, terminal.out)
      ), ExitCode.ok;
    case "mistake": {
      let more = request.verb === void 0 ? "sluice --help" : `sluice ${request.verb.name} --help`;
      return terminal.err.write(`${paint(terminal.err).red("error:")} ${request.message}
Try ${more}
`), ExitCode.usage;
    }
    case "act": {
      let { call, debug, logFormat = terminal.env.SLUICE_LOG?.toLowerCase() } = request;
      return import("./chunk-AB4Z2MT3.js").then(
        ({ runCall }) => runCall(call, { terminal, verbs, stop: stop2, debug, isJsonLog: logFormat === "json" })
      );
    }
  }
});

// src/Cli/Process.ts
var stop = new AbortController(), signals = ["SIGINT", "SIGTERM", "SIGHUP"], exitTimeout = 1e3, signalThread = `
process.noDeprecation = true
const { writeSync } = require("node:fs")
const { constants } = require("node:os")
const { parentPort, workerData } = require("node:worker_threads")
let signals = 0
const end = () => {
  try {
    writeSync(2, "\\nerror: the process was busy and did not answer two signals, so it was killed\\n")
  } catch {}
  process.kill(process.pid, "SIGKILL")
}
try {
  const { Signal } = process.binding("signal_wrap")
  for (const name of workerData.names) {
    const handle = new Signal()
    handle.onsignal = () => {
      if (++signals === 2) setTimeout(end, workerData.exitTimeout)
    }
    handle.start(constants.signals[name])
  }
  parentPort.on("message", () => {})
} catch {}
`, watchSignals = () => {
  try {
    let worker = new Worker(signalThread, {
      eval: !0,
      workerData: { names: signals, exitTimeout },
      execArgv: [],
      env: {}
    });
    worker.on(
      "error",
      safely(() => {
      })
    ), worker.unref();
  } catch {
  }
}, isStopping = !1;
for (let name of signals)
  process.on(
    name,
    safely(() => {
      isStopping && process.exit(ExitCode[name]), isStopping = !0, stop.abort(name);
    })
  );
var isBrief = process.argv.length < 3 || process.argv.some((word) => ["--help", "-h", "--version"].includes(word));
isBrief || watchSignals();
var servers = /* @__PURE__ */ new Set(["serve", "ui"]);
process.on(
  "unhandledRejection",
  safely((reason) => {
    let message = reason instanceof Error ? reason.message : String(reason);
    process.stderr.write(`error: a promise was rejected and not handled: ${plain(String(message.split(`
`)[0]))}
`), !servers.has(process.argv[2] ?? "") && (process.exitCode = ExitCode.failed, stop.abort("unhandledRejection"));
  })
);
var isDataLost = !1;
process.stdout.on(
  "error",
  safely((error) => {
    if (error.code === "EPIPE" || process.stdout.isTTY) return stop.abort("EPIPE");
    isDataLost || (isDataLost = !0, process.stderr.write(`error: cannot write to standard output: ${plain(fileErrorReason(error))}
`), stop.abort("stdout"));
  })
);
process.stderr.on(
  "error",
  safely(() => {
  })
);
var exit = (code) => {
  let last = () => process.exit(isDataLost && code === ExitCode.ok ? ExitCode.failed : code);
  process.stdout.write(
    "",
    safely(
      () => process.stderr.write(
        "",
        safely(() => setImmediate(safely(last)))
      )
    )
  );
}, reportLoadError = (error) => {
  let message = error instanceof Error ? error.message.split(`
`)[0] : String(error);
  process.stderr.write(
    `error: this verb cannot be loaded: ${plain(String(message))}. Install the package again: npm install sluice
`
  ), exit(ExitCode.failed);
};
main(process.argv.slice(2), ofProcess(process), stop.signal).then(exit, reportLoadError);
