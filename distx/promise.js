import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  from,
  layer as layer2,
  load,
  secretsOf
} from "./lib-NJK4MDO5.js";
import {
  ActiveCrawls,
  BatchScrape,
  Browser,
  CircuitOpen,
  Conflict,
  Crawl,
  CrawlPreview,
  CrossOrigin,
  DefinitionInvalid,
  Forbidden,
  Gone,
  InsufficientStorage,
  InvalidBaseUrl,
  InvalidRequest,
  JobExpired,
  JobFailed,
  JobNotFound,
  Map as Map2,
  NetworkError,
  NotFound,
  NotImplemented,
  Parse,
  PaymentRequired,
  RateLimited,
  Refused,
  RetryPolicy,
  RunDiffers,
  RunFailed,
  RunUnknown,
  Scrape,
  Search,
  ServiceError,
  SinkErrors_exports,
  StepError,
  TargetDnsError,
  TargetNetworkError,
  TargetTlsError,
  Tariff,
  Timeout,
  TokenUsage,
  TooLarge,
  Unauthorized,
  UnexpectedResponse,
  Unprocessable,
  UnsupportedFile,
  decode,
  layer,
  layer2 as layer3,
  layerPostgres,
  limited,
  local,
  make2 as make,
  makeRowStream,
  needsService,
  never,
  noService,
  operationOf,
  renderPath,
  resuming,
  scopeBefore,
  serve,
  settle,
  standard
} from "./lib-UQLIQVE6.js";
import {
  ExitCode,
  LedgerError,
  Locked,
  TypedError
} from "./lib-RBRX5FPT.js";
import {
  find,
  formats,
  parse
} from "./lib-GBBRI4QX.js";
import {
  catalogue
} from "./lib-RAYPVGAA.js";
import {
  safely
} from "./lib-UHVBXRJH.js";
import {
  canParse
} from "./lib-GGME65E2.js";
import "./lib-URHN3MKJ.js";

// src/promise.ts
import * as Effect4 from "effect/Effect";
import * as Layer2 from "effect/Layer";
import * as ManagedRuntime2 from "effect/ManagedRuntime";
import * as Redacted2 from "effect/Redacted";
import * as Stream3 from "effect/Stream";

// src/promise/Runner.ts
import * as Cause from "effect/Cause";
import * as Chunk from "effect/Chunk";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
var aborted = (signal) => Effect.async((resume) => {
  const stop = () => resume(Effect.die(signal.reason));
  if (signal.aborted) return stop();
  signal.addEventListener("abort", safely(stop), { once: true });
  return Effect.sync(() => signal.removeEventListener("abort", stop));
});
var until = ({ signal }) => signal === void 0 ? Effect.never : aborted(signal);
var runner = (runtime) => {
  const call = (effect, options = {}) => runtime.runPromiseExit(Effect.raceFirst(effect, until(options))).then((exit) => Exit.isSuccess(exit) ? exit.value : Promise.reject(Cause.squash(exit.cause)));
  const iterator = (stream, options) => {
    const { signal } = options;
    const over = { done: true, value: void 0 };
    let isOver = false;
    let items = [];
    let at = 0;
    const opened = call(
      Effect.flatMap(
        Scope.make(),
        (scope) => Effect.map(Scope.extend(Stream.toPull(stream), scope), (pull) => ({ pull, scope }))
      )
    );
    let closing;
    const close2 = () => {
      signal?.removeEventListener("abort", stop);
      closing ??= opened.then(({ scope }) => call(Scope.close(scope, Exit.void)));
      return closing;
    };
    const stop = () => void close2().catch(() => void 0);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", safely(stop), { once: true });
    const fail = (reason) => {
      isOver = true;
      return close2().then(() => Promise.reject(reason));
    };
    const next = () => {
      if (isOver) return Promise.resolve(over);
      if (signal?.aborted === true) return fail(signal.reason);
      if (at < items.length) return Promise.resolve({ done: false, value: items[at++] });
      return opened.then(({ pull }) => runtime.runPromiseExit(Effect.raceFirst(pull, until(options)))).then((exit) => {
        if (Exit.isSuccess(exit)) {
          items = Chunk.toReadonlyArray(exit.value);
          at = 0;
          return next();
        }
        const failure = Cause.failureOption(exit.cause);
        if (Option.isNone(failure)) return fail(Cause.squash(exit.cause));
        const reason = failure.value;
        if (Option.isSome(reason)) return fail(reason.value);
        isOver = true;
        return close2().then(() => over);
      });
    };
    let last = opened;
    return {
      next: () => {
        const result = last.then(next, next);
        last = result;
        return result;
      },
      return: () => {
        isOver = true;
        return close2().then(() => over);
      }
    };
  };
  return {
    call,
    iterate: (stream, options = {}) => ({ [Symbol.asyncIterator]: () => iterator(stream, options) })
  };
};

// src/Pipeline/Requirements.ts
import * as Effect2 from "effect/Effect";
import * as Either from "effect/Either";
var isHere = (baseUrl) => !canParse(baseUrl) || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
var hostOf = (baseUrl) => canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
var hosted = (baseUrl) => ({
  who: hostOf(baseUrl),
  lackOf: ({ ability }) => ability === "here" && !isHere(baseUrl) ? {
    why: "is on this machine only and out of reach",
    todo: `let the local engine do the work: ${catalogue.engine.env}=local`
  } : void 0
});
var Unable = class extends TypedError("Unable", { scope: "run", exitCode: ExitCode.invalid }) {
  get message() {
    const lines = this.unmet.map(({ column, line, message, path }) => {
      const place = line === void 0 ? this.file : `${this.file}:${line}:${column}`;
      return `${place}  ${renderPath(path)}${message}`;
    });
    const count = this.unmet.length;
    const things = count === 1 ? "something" : `${count} things`;
    return `${lines.join("\n")}
${this.who} cannot do ${things} that ${this.file} asks for; nothing was sent`;
  }
};
var unmet = (checked, scope, service) => Effect2.gen(function* () {
  const { frame, nodes, source } = checked;
  const found = [];
  const add = (need, lack, step, at) => {
    if (lack === void 0) return;
    const name = step === void 0 ? "" : `step ${step}: `;
    const message = `${name}${need.what} ${lack.why} (${service.who}): ${lack.todo}`;
    const place = source.locate(at, at.length === 3 ? "key" : "value");
    found.push({ path: at, message, step, optional: need.optional === true, ...place });
  };
  if (frame.site !== void 0 && nodes.some(({ config, step }) => operationOf(step, config) !== void 0)) {
    const need = { ability: "here", path: [], what: "it brings its own site, which" };
    add(need, service.lackOf(need), void 0, ["site"]);
  }
  for (const node of nodes) {
    const { id, index, step } = node;
    if (step.needs === void 0) continue;
    const decoded = yield* decode(node, scope);
    if (Either.isRight(decoded) && (decoded.right.common.when === false || decoded.right.common.pin)) continue;
    const { value } = yield* settle(scope, node.config, []);
    for (const need of step.needs(value))
      add(need, service.lackOf(need), id, ["steps", index, step.key, ...need.path]);
  }
  return found;
});
var look = (checked, scope, service) => Effect2.map(unmet(checked, scope, service), (all) => {
  const missing = all.filter(({ optional }) => !optional);
  return {
    notes: all.filter(({ optional }) => optional),
    refusal: missing.length === 0 ? void 0 : new Unable({ file: checked.source.file, who: service.who, unmet: missing })
  };
});
var ensure = (checked, scope, service) => Effect2.flatMap(look(checked, scope, service), ({ refusal }) => refusal ?? Effect2.void);

// src/promise/Pipeline.ts
import { resolve } from "node:path";
import * as NodeContext from "@effect/platform-node/NodeContext";
import * as Effect3 from "effect/Effect";
import * as Layer from "effect/Layer";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Queue from "effect/Queue";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as Stream2 from "effect/Stream";

// src/Engine/Abilities.ts
import * as Either2 from "effect/Either";
var { browserSessions, model, modelUrl, proxies, searchProviders } = catalogue;
var browser = (setup) => Either2.match(find(setup.chromium, process.env.PATH), {
  onLeft: ({ found, todo }) => ({ why: `needs a Chromium, and ${found}`, todo }),
  onRight: () => void 0
});
var table = {
  browser,
  sessions: (setup) => setup.browserSessions === 0 ? { why: "needs a place for it, and there is none", todo: `${browserSessions.env} says 0: set another number` } : browser(setup),
  model: (setup) => setup.modelUrl === void 0 ? { why: "needs a language model, and none is set", todo: `set ${modelUrl.env} and ${model.env}` } : void 0,
  format: (_, name) => ({ why: `is none that is made there`, todo: `leave ${name} out` }),
  fileFormat: (_, name) => formats.includes(name) ? void 0 : { why: "is none that is made of a file", todo: `files give ${formats.join(", ")}` },
  proxy: (setup, name) => {
    const known = Either2.getOrElse(
      setup.proxies === void 0 ? Either2.right(/* @__PURE__ */ new Map()) : parse(setup.proxies),
      () => /* @__PURE__ */ new Map()
    );
    const hidden = ["stealth", "enhanced"];
    const isThere = known.has(name) || hidden.includes(name) && hidden.some((each) => known.has(each));
    return isThere ? void 0 : { why: "is none that is set", todo: `add ${name}=http://\u2026 to ${proxies.env}, or say basic or auto` };
  },
  profiles: () => ({
    why: "is more than one browser can save",
    todo: "scrape them one after the other (the step scrape), or open a browser session"
  }),
  web: (setup) => setup.searchProviders === void 0 ? { why: "finds what was gathered here", todo: `for the web set ${searchProviders.env}` } : void 0
};
var lackOf = (setup, { ability, name = "" }) => table[ability]?.(setup, name);

// src/promise/Pipeline.ts
var clientOf = ({ allowNetworks, apiKey, baseUrl }, checked, dataDir, site) => {
  const at = (service) => Layer.provide(layer2, layer(service));
  if (baseUrl !== void 0) return at({ baseUrl, apiKey: apiKey === void 0 ? void 0 : Redacted.make(apiKey) });
  if (!needsService(checked)) return at(noService);
  return Layer.unwrapScoped(
    Effect3.gen(function* () {
      const Engine = yield* Effect3.promise(() => import("./lib-YY7RQEHN.js"));
      const allowOrigins = site === void 0 ? [] : [new URL(site).host];
      const engine = yield* Engine.start({ dataDir, allowOrigins, allowNetworks });
      const tariff = Layer.succeed(Tariff, { rate: local(Engine.prices) });
      return Layer.merge(at({ baseUrl: engine.baseUrl, apiKey: engine.key }), tariff);
    })
  );
};
var local2 = { who: "the local engine", lackOf: (need) => lackOf({}, need) };
var glance = "100 millis";
var createPipeline = (definition, options = {}) => {
  const dataDir = resolve(options.dataDir ?? ".sluice");
  const given = {
    inputs: options.inputs,
    env: options.env,
    allowCode: options.allowCode,
    secrets: Object.fromEntries(
      Object.entries(options.secrets ?? {}).map(([name, secret]) => [name, Redacted.make(secret)])
    )
  };
  const { databaseUrl } = options;
  const ledger = databaseUrl === void 0 ? layer3(dataDir) : layerPostgres(Redacted.make(databaseUrl));
  const execute = ({ resume, withCurrent }, tap2, watch) => Effect3.gen(function* () {
    const checked = yield* typeof definition === "string" ? load(definition, given) : from(definition, given);
    const { frame, source } = checked;
    const kept = resume === void 0 ? void 0 : yield* resuming(resume, checked, { withCurrent });
    const scope = scopeBefore(checked, { env: given.env ?? {}, secrets: secretsOf(given) });
    yield* ensure(checked, scope, options.baseUrl === void 0 ? local2 : hosted(options.baseUrl));
    const site = frame.site === void 0 ? void 0 : yield* serve(resolve(source.folder, frame.site));
    const run = yield* make(checked, {
      out: options.out === void 0 ? void 0 : resolve(options.out),
      dataDir,
      env: given.env,
      secrets: secretsOf(given),
      wanted: options.limit,
      backfill: options.backfill,
      allowCode: options.allowCode,
      site,
      tap: tap2,
      ...kept
    });
    yield* watch(run);
    return yield* Effect3.provide(run.execute, clientOf(options, checked, dataDir, site));
  }).pipe(Effect3.scoped, Effect3.provide(ledger));
  const rows = (options2) => makeRowStream((tap2) => execute(options2, tap2, () => Effect3.void));
  const events = (options2) => Stream2.unwrapScoped(
    Effect3.gen(function* () {
      const told = yield* Queue.sliding(1);
      let begun;
      let summary;
      const watch = ({ id, progress }) => {
        begun = { type: "started", runId: id };
        return progress.pipe(
          Effect3.flatMap((progress2) => Queue.offer(told, { type: "progress", progress: progress2 })),
          Effect3.repeat(Schedule.spaced(glance)),
          Effect3.forkScoped,
          Effect3.asVoid
        );
      };
      const given2 = makeRowStream(
        (tap2) => Effect3.tap(
          execute(options2, tap2, watch),
          (ended) => Effect3.sync(() => {
            summary = ended;
          })
        )
      ).pipe(Stream2.map(({ data }) => ({ type: "row", row: data })));
      const last = Stream2.suspend(
        () => summary === void 0 ? Stream2.empty : Stream2.make({ type: "completed", summary })
      );
      return Stream2.merge(given2, Stream2.fromQueue(told), { haltStrategy: "left" }).pipe(
        Stream2.concat(last),
        Stream2.mapConcat((event) => {
          const first = begun;
          begun = void 0;
          return first === void 0 ? [event] : [first, event];
        })
      );
    })
  );
  const { call, iterate } = runner(ManagedRuntime.make(NodeContext.layer));
  return {
    run: (callOptions = {}) => call(
      execute(callOptions, void 0, () => Effect3.void),
      callOptions
    ),
    rows: (callOptions = {}) => iterate(
      Stream2.map(rows(callOptions), ({ data }) => data),
      callOptions
    ),
    events: (callOptions = {}) => iterate(events(callOptions), callOptions)
  };
};

// src/promise.ts
var policy = ({ retries }) => retries === false ? never : retries === void 0 ? standard : limited(retries);
var createClient = (options) => {
  const { baseUrl, apiKey, timeout } = options;
  const connection = layer({
    baseUrl,
    timeout,
    apiKey: apiKey === void 0 ? void 0 : Redacted2.make(apiKey)
  });
  const runtime = ManagedRuntime2.make(
    Layer2.provide(layer2, connection).pipe(Layer2.provide(Layer2.succeed(RetryPolicy, policy(options))))
  );
  const run = runner(runtime);
  const use = (service) => (method, options2) => run.call(Effect4.flatMap(service, method), options2);
  const jobs = (service) => {
    const call = use(service);
    const iterate = (documents, options2) => run.iterate(Stream3.unwrap(Effect4.map(service, documents)), options2);
    return {
      status: (id, options2) => call((job) => job.status(id, options2), options2),
      cancel: (id, options2) => call((job) => job.cancel(id, options2), options2),
      errors: (id, options2) => call((job) => job.errors(id, options2), options2),
      stream: (id, options2) => iterate((job) => job.stream(id, options2), options2),
      pages: (id, options2) => iterate((job) => job.pages(id, options2), options2)
    };
  };
  const [crawl, batch, scrape, browser2, usage] = [
    use(Crawl),
    use(BatchScrape),
    use(Scrape),
    use(Browser),
    use(TokenUsage)
  ];
  return {
    scrape: (request, options2) => {
      const { version, idempotencyKey } = options2 ?? {};
      return scrape(
        (_) => version === "v1" ? _.run(request, { version, idempotencyKey }) : _.run(request, { idempotencyKey }),
        options2
      );
    },
    search: (request, options2) => use(Search)((_) => _.run(request, options2), options2),
    map: (request, options2) => use(Map2)((_) => _.run(request, options2), options2),
    parse: (input, request, options2) => use(Parse)((_) => _.parse(input, request, options2), options2),
    crawlPreview: (request, options2) => use(CrawlPreview)((_) => _.run(request), options2),
    activeCrawls: (options2) => use(ActiveCrawls)((_) => _.list(options2), options2),
    crawl: {
      ...jobs(Crawl),
      start: (request, options2) => {
        const { version, idempotencyKey } = options2 ?? {};
        return crawl(
          (_) => version === "v1" ? _.start(request, { version, idempotencyKey }) : _.start(request, { idempotencyKey }),
          options2
        );
      }
    },
    batchScrape: {
      ...jobs(BatchScrape),
      start: (request, options2) => {
        const { version, idempotencyKey } = options2 ?? {};
        return batch(
          (_) => version === "v1" ? _.start(request, { version, idempotencyKey }) : _.start(request, { idempotencyKey }),
          options2
        );
      }
    },
    browser: {
      create: (request, options2) => browser2((_) => _.create(request), options2),
      list: (options2) => browser2((_) => _.list(options2?.status === void 0 ? {} : { status: options2.status }), options2),
      delete: (id, options2) => browser2((_) => _.delete(id), options2),
      execute: (id, request, options2) => browser2((_) => _.execute(id, request), options2)
    },
    usage: {
      historical: (options2) => usage((_) => _.historical(options2), options2),
      historicalCredits: (options2) => usage((_) => _.historicalCredits(options2), options2),
      balance: (options2) => usage((_) => _.balance(options2), options2),
      credits: (options2) => usage((_) => _.credits(options2), options2),
      concurrency: (options2) => usage((_) => _.concurrency(), options2),
      queueStatus: (options2) => usage((_) => _.queueStatus(), options2)
    },
    close: () => runtime.dispose()
  };
};
export {
  CircuitOpen,
  Conflict,
  CrossOrigin,
  DefinitionInvalid,
  Forbidden,
  Gone,
  InsufficientStorage,
  InvalidBaseUrl,
  InvalidRequest,
  JobExpired,
  JobFailed,
  JobNotFound,
  LedgerError,
  Locked,
  NetworkError,
  NotFound,
  NotImplemented,
  PaymentRequired,
  RateLimited,
  Refused,
  RunDiffers,
  RunFailed,
  RunUnknown,
  ServiceError,
  SinkErrors_exports as SinkErrors,
  StepError,
  TargetDnsError,
  TargetNetworkError,
  TargetTlsError,
  Timeout,
  TooLarge,
  Unable,
  Unauthorized,
  UnexpectedResponse,
  Unprocessable,
  UnsupportedFile,
  createClient,
  createPipeline
};
