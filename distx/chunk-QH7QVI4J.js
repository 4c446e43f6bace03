import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  layer as layer2
} from "./chunk-DES4FB63.js";
import {
  find,
  make,
  parse
} from "./chunk-DRKWXAJI.js";
import {
  SettingInvalid,
  count
} from "./chunk-BMNGXVO7.js";
import {
  hostOf,
  hosted,
  look
} from "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import {
  scopeBefore
} from "./chunk-3BWTLUFE.js";
import {
  HttpServerRequest,
  Permissions,
  RetryPolicy,
  Tariff,
  TokenUsage,
  backoff,
  catalogue,
  checkBaseUrl,
  formatAddress,
  html,
  isSafe,
  layer3 as layer,
  operationOf,
  setStatus,
  text,
  toURL,
  uint8Array,
  whyNotRead
} from "./chunk-PGOM52WJ.js";
import {
  formats
} from "./chunk-5MIN5RQK.js";
import {
  FileSystem,
  Path,
  sha256
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError,
  merge,
  provide as provide2,
  succeed as succeed2
} from "./chunk-PAQDWWDE.js";
import {
  _void,
  catchAll3 as catchAll,
  catchTags,
  flatMap5 as flatMap,
  fn,
  format,
  gen,
  map9 as map,
  mapError2 as mapError,
  orElse2 as orElse,
  promise,
  provide2 as provide,
  provideService,
  seconds,
  succeed4 as succeed,
  tap2 as tap,
  timeoutFail
} from "./chunk-JGKSI326.js";
import {
  getOrElse,
  isRight,
  left,
  match,
  right,
  try_
} from "./chunk-FWQRLSGQ.js";
import {
  getOrUndefined
} from "./chunk-ANBJACJV.js";

// src/Run/LocalSite.ts
import { createServer } from "node:http";
var needsService = ({ nodes }) => nodes.some(({ config, step }) => operationOf(step, config) !== void 0), noService = { baseUrl: "http://no-step-declares-a-service.invalid", apiKey: void 0 }, contentTypes = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".pdf": "application/pdf",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
}, usualPort = (folder) => 2e4 + Number.parseInt(sha256(folder).slice(0, 8), 16) % 1e4, SiteUnavailable = class extends TaggedError("SiteUnavailable") {
  get message() {
    return `the site ${this.folder} cannot be served: ${this.reason}`;
  }
}, serve = fn("Site.serve")(function* (folder) {
  let files = yield* FileSystem, paths = yield* Path, root = yield* files.realPath(folder).pipe(mapError(() => new SiteUnavailable({ folder, reason: "there is no such folder" }))), permissions = yield* Permissions, why = whyNotRead(permissions, root);
  if (why !== void 0) return yield* new SiteUnavailable({ folder, reason: why });
  let names = (yield* files.readDirectory(root, { recursive: !0 }).pipe(mapError((error) => new SiteUnavailable({ folder, reason: fileErrorReason(error) })))).filter((name) => whyNotRead(permissions, paths.join(root, name)) === void 0), routes = /* @__PURE__ */ new Map();
  for (let name of names) {
    let match2 = /^(.*)\.(\d{3})(\.\w+)$/.exec(name), path = `/${(match2 === null ? name : `${match2[1]}${match2[3]}`).split(paths.sep).join("/")}`, route = { file: paths.join(root, name), status: match2 === null ? 200 : Number(match2[2]) };
    routes.set(path, route), path.endsWith("/index.html") && routes.set(path.slice(0, -10), route);
  }
  let listen = (port) => make(createServer, { host: "127.0.0.1", port }), server = yield* listen(usualPort(root)).pipe(
    orElse(() => listen(0)),
    mapError((error) => new SiteUnavailable({ folder, reason: error.message }))
  ), address = formatAddress(server.address).replace("http://0.0.0.0", "http://127.0.0.1");
  return yield* server.serve(
    gen(function* () {
      let request = yield* HttpServerRequest, url2 = getOrUndefined(toURL(request)), path = try_(() => decodeURIComponent(url2?.pathname ?? "")), route = isRight(path) ? routes.get(path.right) : void 0;
      if (route === void 0)
        return html("<h1>Not found</h1>").pipe(setStatus(404));
      let contentType = contentTypes[paths.extname(route.file).toLowerCase()] ?? "application/octet-stream";
      if (!contentType.includes("charset"))
        return uint8Array(yield* files.readFile(route.file), { contentType, status: route.status });
      let text2 = (yield* files.readFileString(route.file)).replaceAll("{site}", address);
      return text(text2, { contentType, status: route.status });
    }).pipe(catchAll((error) => succeed(text(error.message, { status: 500 }))))
  ), address;
});

// src/Engine/Abilities.ts
var { browserSessions, model, modelUrl, proxies, searchProviders } = catalogue, browser = (setup) => match(find(setup.chromium, process.env.PATH), {
  onLeft: ({ found, todo }) => ({ why: `needs a Chromium, and ${found}`, todo }),
  onRight: () => {
  }
}), table = {
  browser,
  sessions: (setup) => setup.browserSessions === 0 ? { why: "needs a place for it, and there is none", todo: `${browserSessions.env} says 0: set another number` } : browser(setup),
  model: (setup) => setup.modelUrl === void 0 ? { why: "needs a language model, and none is set", todo: `set ${modelUrl.env} and ${model.env}` } : void 0,
  format: (_, name) => ({ why: "is none that is made there", todo: `leave ${name} out` }),
  fileFormat: (_, name) => formats.includes(name) ? void 0 : { why: "is none that is made of a file", todo: `files give ${formats.join(", ")}` },
  proxy: (setup, name) => {
    let known = getOrElse(
      setup.proxies === void 0 ? right(/* @__PURE__ */ new Map()) : parse(setup.proxies),
      () => /* @__PURE__ */ new Map()
    ), hidden = ["stealth", "enhanced"];
    return known.has(name) || hidden.includes(name) && hidden.some((each) => known.has(each)) ? void 0 : { why: "is none that is set", todo: `add ${name}=http://\u2026 to ${proxies.env}, or say basic or auto` };
  },
  profiles: () => ({
    why: "is more than one browser can save",
    todo: "scrape them one after the other (the step scrape), or open a browser session"
  }),
  web: (setup) => setup.searchProviders === void 0 ? { why: "finds what was gathered here", todo: `for the web set ${searchProviders.env}` } : void 0
}, lackOf = (setup, { ability, name = "" }) => table[ability]?.(setup, name);

// src/Settings/Engine.ts
var { apiKey: key, baseUrl: url, engine: choice } = catalogue, choose = ({ apiKey, baseUrl, engine }) => engine === "local" || engine === "auto" && baseUrl === void 0 ? right(void 0) : baseUrl !== void 0 && apiKey !== void 0 ? right({ baseUrl, apiKey }) : left(
  engine === "auto" ? {
    name: url.env,
    reason: `it names a service without a key: set ${key.env}, or ${choice.env}=local for the local engine`
  } : {
    name: choice.env,
    reason: `it says hosted, which needs ${[...baseUrl === void 0 ? [url.env] : [], ...apiKey === void 0 ? [key.env] : []].join(" and ")}: set that, or say local`
  }
);

// src/Cli/Service.ts
var hostedService = (settings) => choose(settings).pipe(
  tap(
    (service) => service === void 0 ? _void : mapError(checkBaseUrl(service.baseUrl), ({ reason }) => ({
      name: catalogue.baseUrl.env,
      reason: `${reason}. It is an address like https://api.example.com`
    }))
  ),
  mapError((error) => new SettingInvalid(error))
), capabilitiesOf = (settings) => map(
  hostedService(settings),
  (service) => service === void 0 ? { who: "the local engine", lackOf: (need) => lackOf(settings, need) } : hosted(service.baseUrl)
), missingCapabilities = (checked, settings, env) => flatMap(capabilitiesOf(settings), (service) => look(checked, scopeBefore(checked, scopeOf(env)), service)), requireCapabilities = (checked, settings, env) => flatMap(missingCapabilities(checked, settings, env), ({ refusal }) => refusal ?? _void), openService = fn("Cli.service")(function* (settings, { dataDir, site }) {
  let hosted2 = yield* hostedService(settings);
  if (hosted2 !== void 0) return hosted2;
  let Local = yield* promise(() => import("./chunk-KVBD36DA.js")), engine = yield* Local.start(settings, {
    dataDir,
    allowOrigins: site === void 0 ? [] : [new URL(site).host]
  });
  return { baseUrl: engine.baseUrl, apiKey: engine.key, rate: Local.rate };
}), clientsOf = ({ rate, ...service }) => {
  let client = provide2(layer2, layer(service));
  return rate === void 0 ? client : merge(client, succeed2(Tariff, { rate }));
}, openClient = fn("Cli.client")(function* (settings, data) {
  let dataDir = (yield* Path).resolve(data ?? settings.dataDir);
  return clientsOf(yield* openService(settings, { dataDir }));
}), answerTimeout = seconds(15), policy = { schedule: backoff({ retries: 2, maxRetryAfter: "3 seconds" }), when: isSafe }, ServiceSilent = class extends TaggedError("Timeout") {
  get message() {
    return `${this.host} has not answered within ${format(answerTimeout)}. Check that the service runs and that SLUICE_BASE_URL is right`;
  }
}, askBalance = (service) => gen(function* () {
  let usage = yield* TokenUsage, used = map(usage.historical(), ({ periods }) => {
    let tokens = periods.at(-1)?.totalTokens ?? 0;
    return `${count(tokens, "token")} used this month (15 are a credit); the service does not say what is left`;
  });
  return yield* catchTags(
    map(usage.credits(), ({ data }) => `${count(data.remainingCredits, "credit")} left`),
    {
      Forbidden: () => used,
      NotFound: () => used,
      NotImplemented: () => used,
      Refused: () => used,
      UnexpectedResponse: () => used
    }
  );
}).pipe(
  provide(provide2(layer2, layer(service))),
  provideService(RetryPolicy, policy),
  timeoutFail({
    duration: answerTimeout,
    onTimeout: () => new ServiceSilent({ host: hostOf(service.baseUrl) })
  })
), startService = fn("Run.service")(function* (checked, settings, dataDir) {
  let { frame, source } = checked, hosted2 = yield* hostedService(settings), site = frame.site === void 0 ? void 0 : yield* serve((yield* Path).resolve(source.folder, frame.site)), service = hosted2 !== void 0 || needsService(checked) ? yield* openService(settings, { dataDir, site }) : noService;
  return { site, hosted: hosted2, service, client: clientsOf(service) };
});

export {
  needsService,
  noService,
  choose,
  hostedService,
  capabilitiesOf,
  missingCapabilities,
  requireCapabilities,
  openService,
  clientsOf,
  openClient,
  askBalance,
  startService
};
