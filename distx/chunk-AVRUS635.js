import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  defaultFolder,
  isBad,
  schedulesIn
} from "./chunk-UOMCJVF7.js";
import "./chunk-NZRCZCKM.js";
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
import "./chunk-GDKBED2B.js";
import "./chunk-MVJRAPNE.js";
import "./chunk-FKOQU2V5.js";
import {
  nearestFolder
} from "./chunk-4D2OEZ5S.js";
import "./chunk-ZU3QWNBT.js";
import {
  allowCode,
  profile,
  trust
} from "./chunk-22T4FJR7.js";
import {
  make,
  several,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-GA35ZNT7.js";
import {
  askBalance,
  capabilitiesOf,
  choose,
  missingCapabilities
} from "./chunk-QH7QVI4J.js";
import {
  layer as layer3
} from "./chunk-DES4FB63.js";
import {
  find
} from "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  count,
  place
} from "./chunk-BMNGXVO7.js";
import {
  messageOf,
  wrongSettings
} from "./chunk-ENZBTRGV.js";
import "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-GLBPH2CN.js";
import "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import {
  check
} from "./chunk-3BWTLUFE.js";
import "./chunk-SRE6WST2.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import "./chunk-IDJZP65R.js";
import "./chunk-TDODX2FN.js";
import {
  Parse,
  Scrape,
  catalogue,
  layer3 as layer,
  read2 as read
} from "./chunk-PGOM52WJ.js";
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
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import {
  SqlClient,
  layer2
} from "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError,
  build,
  isConfigError,
  provide as provide2
} from "./chunk-PAQDWWDE.js";
import {
  as2 as as,
  catchAll3 as catchAll,
  catchAllCause3 as catchAllCause,
  catchTag,
  fail5 as fail,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  format,
  gen,
  map9 as map,
  orElseSucceed,
  promise,
  provide2 as provide,
  scoped2 as scoped,
  seconds,
  squash,
  succeed4 as succeed,
  timeoutFail
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import {
  match
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Doctor/Machine.ts
var ok = (name2, found) => ({ name: name2, state: "ok", found, essential: !1 }), missing = (name2, found, todo) => ({
  name: name2,
  state: "missing",
  found,
  todo,
  essential: !1
}), warned = (name2, found, todo) => ({
  name: name2,
  state: "broken",
  found,
  todo,
  essential: !1
}), broken = (name2, found, todo) => ({
  ...warned(name2, found, todo),
  essential: !0
}), wanted = [20, 19], node = (version) => {
  let [major = 0, minor = 0] = version.split(".").map(Number);
  return major > wanted[0] || major === wanted[0] && minor >= wanted[1] ? ok("Node", version) : broken("Node", version, `install Node ${wanted.join(".")} or newer from https://nodejs.org`);
}, sqlite = gen(function* () {
  let sql = yield* SqlClient;
  yield* sql.unsafe("CREATE VIRTUAL TABLE looked USING fts5(text)");
  let [row] = yield* sql.unsafe("SELECT sqlite_version() AS version");
  return ok("SQLite", `${row?.version ?? "works"}, with full-text search`);
}).pipe(
  provide(layer2({ filename: ":memory:" })),
  catchAllCause((cause) => {
    let error = squash(cause), said = error instanceof Error ? error.message : String(error);
    return succeed(broken("SQLite", said, "install again for this machine: npm install --force libsql"));
  })
), findChromium = (setting, env, isBare) => match(find(setting, env.PATH), {
  onLeft: ({ found, todo }) => missing(
    "Chromium",
    setting === void 0 ? `${found}; only screenshots, actions, pages that scripts fill and browser sessions need one` : found,
    todo
  ),
  onRight: (path) => isBare ? warned(
    "Chromium",
    `${path}, without its sandbox: a page that breaks out of it has the rights of this user`,
    `unset ${catalogue.chromiumNoSandbox.env}, or visit trusted pages only`
  ) : ok("Chromium", path)
}), folder = fn("Doctor.folder")(function* (name2, path, todo) {
  let files = yield* FileSystem, paths = yield* Path, existing = yield* nearestFolder(path);
  return yield* files.makeTempDirectoryScoped({ directory: existing, prefix: ".sluice-doctor-" }).pipe(
    flatMap((made) => files.writeFileString(paths.join(made, "file"), "")),
    as(
      ok(name2, existing === path ? `${place(path)} is writable` : `${place(path)} will be made when it is needed`)
    ),
    scoped,
    catchAll(
      (error) => succeed(broken(name2, `${place(path)} is not writable: ${fileErrorReason(error)}`, todo))
    )
  );
});

// src/Cli/Doctor/Service.ts
var engineTimeout = seconds(15), browserTimeout = seconds(45), clientsOf = ({ baseUrl, key }) => provide2(layer3, layer({ baseUrl, apiKey: key })), timedOut = (limit) => ({
  _tag: "Timeout",
  message: `no answer within ${format(limit)}`
}), checkParser = (engine) => {
  let page = new TextEncoder().encode("<!doctype html><title>doctor</title><p>looked at</p>");
  return flatMap(Parse, (client) => client.parse({ file: page, name: "doctor.html" })).pipe(
    provide(clientsOf(engine)),
    timeoutFail({ duration: engineTimeout, onTimeout: () => timedOut(engineTimeout) }),
    as(ok("parser", "a child process reads a document")),
    catchAll(
      (error) => succeed(broken("parser", error.message, "look for limits on processes or memory; --debug shows more"))
    )
  );
}, checkBrowser = (engine, { chromium, chromiumNoSandbox }, env) => {
  let found = findChromium(chromium, env, chromiumNoSandbox);
  return found.state === "missing" ? succeed(found) : flatMap(
    Scrape,
    (client) => client.run({ url: `${engine.baseUrl}/docs`, formats: ["screenshot"] })
  ).pipe(
    provide(clientsOf(engine)),
    timeoutFail({ duration: browserTimeout, onTimeout: () => timedOut(browserTimeout) }),
    as(found.state === "ok" ? ok("Chromium", `${found.found}, starts with its sandbox`) : found),
    catchAll(
      (error) => succeed(
        warned(
          "Chromium",
          // The engine's words, without the request that they answer.
          error.message.replace(/^[^(]*\(\w+ \S+\): /, "").replace(/ Trying again .*$/, ""),
          "fix this, or name another browser in SLUICE_CHROMIUM; without it, screenshots, actions and browser sessions fail"
        )
      )
    )
  );
}, checkEngine = (settings, env) => gen(function* () {
  let dataDir = yield* (yield* FileSystem).makeTempDirectoryScoped({ prefix: "sluice-doctor-" }), allowNetworks = [...settings.allowNetworks ?? [], "127.0.0.0/8"], engine = yield* timeoutFail(start({ ...settings, allowNetworks }, { dataDir }), {
    duration: engineTimeout,
    onTimeout: () => timedOut(engineTimeout)
  });
  return [ok("engine", "starts on loopback"), yield* checkParser(engine), yield* checkBrowser(engine, settings, env)];
}).pipe(
  scoped,
  catchAll(
    (error) => succeed([
      broken("engine", error.message, "run sluice doctor --debug, and see which limits of the machine are reached")
    ])
  )
), askService = (hosted) => askBalance(hosted).pipe(
  as(ok("service", `${hosted.baseUrl} answers and takes the key`)),
  catchAll(
    (error) => succeed({ name: "service", state: "broken", found: error.message, essential: !0 })
  )
), checkService = (settings) => match(choose(settings), {
  onLeft: ({ name: name2, reason }) => {
    let [found = reason, todo = ""] = reason.split(": ");
    return succeed(broken("service", `${name2}: ${found}`, todo));
  },
  onRight: (hosted) => {
    if (hosted !== void 0) return askService(hosted);
    let { apiKey, baseUrl, engine } = settings;
    return succeed(
      engine === "auto" && apiKey !== void 0 ? missing(
        "service",
        "SLUICE_API_KEY is set without SLUICE_BASE_URL, so that the local engine answers",
        "set SLUICE_BASE_URL"
      ) : ok(
        "service",
        baseUrl === void 0 ? "the local engine; SLUICE_BASE_URL and SLUICE_API_KEY name another" : "the local engine, as SLUICE_ENGINE says; without that it would be the one of SLUICE_BASE_URL"
      )
    );
  }
}), checkDatabase = ({ databaseUrl }) => databaseUrl === void 0 ? succeed([]) : gen(function* () {
  let Postgres = yield* promise(() => import("./chunk-22THFWMF.js")), place2 = yield* Postgres.placeOf(databaseUrl);
  return yield* scoped(build(Postgres.database(databaseUrl))), ok("database", `${place2} keeps the ledger`);
}).pipe(
  catchAll(
    (error) => succeed(broken("database", error.message, "correct SLUICE_DATABASE_URL, or unset it"))
  ),
  map((finding) => [finding])
), undecided = () => succeed(missing("pipeline", "not checked: the settings name no service that works", "see service")), checkPipeline = (file, settings, env) => gen(function* () {
  let checked = yield* check(yield* read(file), { ...scopeOf(env), inputs: {}, complete: !1 }), { who } = yield* capabilitiesOf(settings), { notes, refusal } = yield* missingCapabilities(checked, settings, env);
  return refusal !== void 0 ? { name: "pipeline", state: "broken", found: refusal.message.split(`
`).slice(0, -1).join("; "), essential: !0 } : notes.length > 0 ? missing("pipeline", `${file}: ${notes.map(({ message }) => message).join("; ")}`) : ok("pipeline", `${file}: ${who} can do all of it`);
}).pipe(
  catchTag("SettingInvalid", undecided),
  catchAll(
    (error) => succeed(broken("pipeline", error.message.split(`
`)[0] ?? "", `sluice check ${file}`))
  )
), name = "schedule", checkSchedules = (options, terminal, folder2 = defaultFolder) => gen(function* () {
  let files = yield* FileSystem;
  if (!(yield* orElseSucceed(files.exists(folder2), () => !1))) return [];
  let { broken: broken2, entries, isServed } = yield* schedulesIn(folder2, options, terminal);
  if (entries.length === 0) return [];
  let amount = `${count(entries.length, "pipeline")} of ${place(folder2)}`, bad = entries.filter(({ last }) => last !== void 0 && isBad(last.status)).map((entry) => entry.name);
  if (broken2.length > 0) {
    let where = broken2.map(({ file }) => place(file)).join(", ");
    return [warned(name, `${amount}; broken and not run: ${where}`, `sluice check ${where.replaceAll(",", "")}`)];
  }
  return bad.length > 0 ? [
    warned(name, `${amount}; the last scheduled run failed of ${bad.join(", ")}`, "sluice schedule list says why")
  ] : isServed ? [ok(name, amount)] : [missing(name, `${amount}, and no scheduler is running`, "sluice schedule")];
}).pipe(
  catchAll(
    (error) => succeed([warned(name, error.message.split(`
`)[0] ?? "", "sluice schedule list shows more")])
  )
);

// src/Cli/Doctor.ts
var parameters = {
  pipelines: several("PIPELINE", "Definitions: checks that the chosen service supports all of their steps."),
  out: text("DIR", "Output folder to check; default: the current one.", "o"),
  data: text("DIR", "Data folder to check; default: .sluice, or SLUICE_DATA."),
  profile,
  json: toggle("Prints one JSON object with every finding on stdout."),
  "allow-code": allowCode,
  ...trust
}, command = make({
  details: "Exit code 1 only when something essential is broken. Chromium, SQLite and the Postgres of the settings are really started or opened; the only service called is that of SLUICE_BASE_URL.",
  parameters,
  examples: [
    { line: "sluice doctor", what: "before the first run, or when a run fails for no visible reason" },
    { line: "sluice doctor pipelines/crawl-site.yaml", what: "whether everything that it needs is there" },
    { line: "sluice doctor --profile hosted --json", what: "with the settings of a profile, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
}), EssentialBroken = class extends TaggedError("EssentialBroken") {
  get message() {
    return `${this.names.join(", ")}: nothing runs until this is fixed`;
  }
}, helpers = ({ model, modelUrl, searchProviders }) => [
  searchProviders === void 0 ? ok(
    "search",
    "over the pages and files that were read; the web needs SLUICE_SEARCH_PROVIDERS or a service in SLUICE_BASE_URL"
  ) : ok("search", "asks the providers of SLUICE_SEARCH_PROVIDERS, in their order"),
  modelUrl === void 0 ? missing("model", "none; crawl preview uses rules, and the format json needs SLUICE_LLM_URL") : ok("model", `${model ?? "unnamed"}, for the format json and crawl preview`)
], marks = { ok: ["\u2714", "green"], missing: ["\u2013", "yellow"], broken: ["\u2716", "red"] }, render = (findings, { out }) => {
  let dye = paint(out), width = Math.max(...findings.map(({ name: name2 }) => name2.length));
  return findings.map(({ found, name: name2, state, todo }) => {
    let [mark, colour] = marks[state], head = `${dye[colour](`${mark} ${state.padEnd(7)}`)}  ${dye.bold(name2.padEnd(width))}  ${found}
`;
    return todo === void 0 ? head : `${head}${" ".repeat(width + 13)}${dye.dim("\u2192")} ${todo}
`;
  }).join("");
}, settingsOf = (env, profile2) => readSettings(env, profile2).pipe(
  map((settings) => [settings, []]),
  catchAll((error) => {
    let names = isConfigError(error) ? wrongSettings(error).map(({ path }) => path.join(".")) : [], finding = broken("settings", messageOf(error), "sluice explain settings lists all of them"), isOfEnvironment = names.length > 0 && names.every((name2) => env[name2] !== void 0);
    if (!isOfEnvironment && profile2 === void 0) return fail(error);
    let rest = isOfEnvironment ? Object.fromEntries(Object.entries(env).filter(([name2]) => !names.includes(name2))) : env;
    return map(
      settingsOf(rest, isOfEnvironment ? profile2 : void 0),
      ([settings, more]) => [settings, [finding, ...more]]
    );
  })
), run = (options, terminal) => gen(function* () {
  let paths = yield* Path, [settings, wrong] = yield* settingsOf(terminal.env, options.profile), findings = [
    node(process.versions.node),
    yield* sqlite,
    ...wrong,
    yield* folder(
      "data",
      paths.resolve(options.data ?? settings.dataDir),
      "choose another with --data or SLUICE_DATA"
    ),
    ...yield* checkDatabase(settings),
    yield* folder("out", paths.resolve(options.out ?? "."), "choose another with --out"),
    ...yield* checkEngine(settings, terminal.env),
    yield* checkService(settings),
    ...helpers(settings),
    ...yield* checkSchedules(options, terminal),
    ...yield* forEach(options.pipelines, (file) => checkPipeline(file, settings, terminal.env))
  ], bad = findings.filter(({ essential, state }) => essential && state === "broken");
  if (terminal.out.write(
    options.json ? `${JSON.stringify({ ok: bad.length === 0, findings })}
` : render(findings, terminal)
  ), bad.length > 0) return yield* new EssentialBroken({ names: bad.map(({ name: name2 }) => name2) });
});
export {
  command
};
