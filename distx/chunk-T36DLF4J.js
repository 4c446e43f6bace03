import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  databaseOf
} from "./chunk-6KPPPKNH.js";
import {
  ShardQueue,
  layer,
  run
} from "./chunk-BD5Y5JKL.js";
import {
  makeFolder
} from "./chunk-4D2OEZ5S.js";
import {
  data,
  profile,
  quiet,
  trust
} from "./chunk-22T4FJR7.js";
import {
  integer,
  make,
  optional,
  text,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";
import "./chunk-GA35ZNT7.js";
import {
  clientsOf,
  hostedService,
  needsService,
  noService,
  openService,
  requireCapabilities,
  startService
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  WrongUsage,
  count,
  table
} from "./chunk-BMNGXVO7.js";
import "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-GLBPH2CN.js";
import "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-SRE6WST2.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-AAIABKKY.js";
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  Path,
  _await as _await2,
  make as make3,
  succeed
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError,
  buildWithScope
} from "./chunk-PAQDWWDE.js";
import {
  _await,
  acquireUseRelease2 as acquireUseRelease,
  cached,
  close,
  context2 as context,
  disconnect,
  extend,
  flatMap5 as flatMap,
  forkDaemon2 as forkDaemon,
  gen,
  interruptible2 as interruptible,
  join,
  make8 as make2,
  onInterrupt2 as onInterrupt,
  provide2 as provide,
  scope,
  scoped2 as scoped,
  timeoutOption,
  uninterruptibleMask2 as uninterruptibleMask,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Worker.ts
var actions = ["list", "drain"], parameters = {
  action: optional("ACTION", `${actions.join(" or ")}: shows all workers, or tells one to go.`, actions),
  id: optional("ID", "With drain: a worker's id, or the name of its machine."),
  concurrency: withDefault(
    integer("N", "Parts of runs at once; default: 4.", { minimum: 1, maximum: 256 }),
    4
  ),
  host: text("NAME", "The name of this machine, for people; default: its host name."),
  drain: toggle("Goes by itself when nothing is left to take."),
  data: data("this worker's engine"),
  profile,
  json: toggle("With list: prints a list of JSON objects."),
  quiet,
  ...trust
}, command = make({
  details: "All workers share the Postgres of SLUICE_DATABASE_URL and the output folders. They listen on no port. SIGTERM or Ctrl-C gives back what the worker holds, and another one goes on with it at once; a worker that is killed is replaced within 10 seconds.",
  parameters,
  examples: [
    { line: "sluice worker --concurrency 8", what: "on each machine" },
    { line: "sluice worker list", what: "who is there, and with how much" },
    { line: "sluice worker drain box-3", what: "that machine finishes what it has, and goes" }
  ],
  run: (options, terminal) => run2(options, terminal)
}), NoSuchWorker = class extends TaggedError("NoSuchWorker") {
  exitCode = ExitCode.usage;
  get message() {
    return `no worker is called ${this.id}: sluice worker list names them`;
  }
}, list = ({ json }, terminal) => gen(function* () {
  let workers = yield* (yield* ShardQueue).workers;
  if (json) {
    terminal.out.write(`${JSON.stringify(workers, void 0, 2)}
`);
    return;
  }
  if (workers.length === 0) {
    terminal.err.write(`no worker is there: sluice worker starts one
`);
    return;
  }
  let lines = table(
    [["worker"], ["process", "right"], ["parts", "right"], ["status"]],
    workers.map(({ alive, concurrency, draining, id, pid, working }) => [
      id,
      String(pid),
      `${working} of ${concurrency}`,
      alive ? draining ? "draining" : "at work" : "gone"
    ]),
    terminal.out
  );
  terminal.out.write(`${lines.join(`
`)}
`);
}), drain = (id, terminal) => gen(function* () {
  let told = yield* (yield* ShardQueue).drain(id);
  if (told === 0) return yield* new NoSuchWorker({ id });
  terminal.err.write(`${count(told, "worker")} told to finish and go
`);
}), work = (options, settings, terminal) => gen(function* () {
  let dataDir = (yield* Path).resolve(options.data ?? settings.dataDir);
  yield* makeFolder(dataDir, "Choose another with --data.");
  let hosted = yield* hostedService(settings), scope2 = yield* scope, shared = yield* cached(
    gen(function* () {
      return clientsOf(yield* extend(openService(settings, { dataDir }), scope2));
    })
  ), serve = (checked) => gen(function* () {
    if (yield* requireCapabilities(checked, settings, terminal.env), checked.frame.site !== void 0) {
      let { client, site } = yield* startService(checked, settings, dataDir);
      return { client, site };
    }
    return hosted === void 0 && !needsService(checked) ? { client: clientsOf(noService), site: void 0 } : { client: yield* shared, site: void 0 };
  }), stop = yield* make3(), services = yield* context(), working = run(
    {
      place: {
        env: scopeOf(terminal.env),
        serve: (checked) => provide(serve(checked), services)
      },
      concurrency: options.concurrency,
      host: options.host,
      drain: options.drain,
      say: (line) => options.quiet ? void 0 : terminal.err.write(`${line}
`)
    },
    _await2(stop)
  );
  yield* uninterruptibleMask(
    (restore) => flatMap(
      forkDaemon(interruptible(working)),
      (fiber) => restore(join(fiber)).pipe(
        // What it holds comes to its rest before the process goes; a child would be cut short at once.
        onInterrupt(() => zipRight(succeed(stop, void 0), _await(fiber)))
      )
    )
  );
}), closeTimeout = "2 seconds", withLayer = (effect, layer2) => acquireUseRelease(
  make2(),
  (scope2) => flatMap(
    disconnect(buildWithScope(layer2, scope2)),
    (context2) => provide(effect, context2)
  ),
  (scope2, exit) => flatMap(
    forkDaemon(close(scope2, exit)),
    (closing) => flatMap(
      forkDaemon(interruptible(timeoutOption(_await(closing), closeTimeout))),
      _await
    )
  )
), run2 = (options, terminal) => gen(function* () {
  let { action, id } = options;
  if (action !== void 0 && action !== "list" && action !== "drain")
    return yield* new WrongUsage({ reason: `there is no worker ${action}: list or drain` });
  if (action === "drain" && id === void 0)
    return yield* new WrongUsage({ reason: "drain whom? sluice worker list names them" });
  let settings = yield* readSettings(terminal.env, options.profile), url = yield* databaseOf(settings), act = gen(function* () {
    return action === "list" ? yield* list(options, terminal) : action === "drain" ? yield* drain(id ?? "", terminal) : yield* work(options, settings, terminal);
  });
  yield* withLayer(act, layer(url, options.concurrency + 8));
}).pipe(scoped);
export {
  command
};
