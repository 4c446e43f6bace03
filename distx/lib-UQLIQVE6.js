import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  ExitCode,
  JsonValue,
  Ledger,
  LedgerError,
  Locked,
  Original,
  SavedRow,
  TypedError,
  canonicalUrl,
  decodeSaved,
  host,
  keyOf,
  make2 as make,
  migrations,
  notOpened,
  sha256,
  toJson,
  urlVariants,
  withData
} from "./lib-RBRX5FPT.js";
import {
  Api,
  CrawlParams,
  Document,
  JobEnvelope,
  JobId,
  PageUrl,
  ParseOptions,
  PreviewRequest,
  Settings,
  boundsOf,
  counter,
  createFields,
  deepest,
  ended,
  extensions,
  fields,
  formats,
  gauge,
  here,
  histogram,
  idsOf,
  isDeepJson,
  maxFileSize,
  mostUrls,
  note,
  optionFields,
  parseShallow,
  rareFormats,
  requestFields3 as requestFields,
  shared,
  sources,
  startFields,
  statuses,
  version,
  within
} from "./lib-RAYPVGAA.js";
import {
  fileErrorReason,
  layer,
  makeFolder,
  nextTurn,
  pathInFolder,
  safely,
  syncFolder
} from "./lib-UHVBXRJH.js";
import {
  canParse
} from "./lib-GGME65E2.js";
import {
  __export
} from "./lib-URHN3MKJ.js";

// src/Client/ClientErrors.ts
var ClientErrors_exports = {};
__export(ClientErrors_exports, {
  CircuitOpen: () => CircuitOpen,
  Conflict: () => Conflict,
  CrossOrigin: () => CrossOrigin,
  Forbidden: () => Forbidden,
  Gone: () => Gone,
  InsufficientStorage: () => InsufficientStorage,
  InvalidBaseUrl: () => InvalidBaseUrl,
  InvalidRequest: () => InvalidRequest,
  JobExpired: () => JobExpired,
  JobFailed: () => JobFailed,
  JobNotFound: () => JobNotFound,
  NetworkError: () => NetworkError,
  NotFound: () => NotFound,
  NotImplemented: () => NotImplemented,
  PaymentRequired: () => PaymentRequired,
  RateLimited: () => RateLimited,
  Refused: () => Refused,
  ServiceError: () => ServiceError,
  TargetDnsError: () => TargetDnsError,
  TargetNetworkError: () => TargetNetworkError,
  TargetTlsError: () => TargetTlsError,
  Timeout: () => Timeout,
  TooLarge: () => TooLarge,
  Unauthorized: () => Unauthorized,
  UnexpectedResponse: () => UnexpectedResponse,
  Unprocessable: () => Unprocessable,
  UnsupportedFile: () => UnsupportedFile,
  describe: () => describe
});
import * as Duration from "effect/Duration";
var describe = (what, { method, url, said }, todo) => `${what} (${method} ${url})${said === void 0 || said === "" ? "" : `: ${said.replace(/[.\s]+$/, "")}`}. ${todo}`;
var Unauthorized = class extends TypedError("Unauthorized", { scope: "run" }) {
  retryable = false;
  get message() {
    return describe("The key was refused", this, "Put a valid key of this service into SLUICE_API_KEY");
  }
};
var PaymentRequired = class extends TypedError("PaymentRequired", { scope: "run" }) {
  retryable = false;
  get message() {
    return describe("The credits do not suffice", this, "Buy credits, wait for the next period, or ask for less");
  }
};
var Forbidden = class extends TypedError("Forbidden", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("The service does not allow it", this, "Ask its operator to allow it, or use another address");
  }
};
var RateLimited = class extends TypedError("RateLimited", { scope: "row" }) {
  retryable = true;
  get message() {
    const when = this.retryAfter === void 0 ? "a short while" : Duration.format(this.retryAfter);
    return describe("Too many requests", this, `Try again after ${when}, or send fewer at a time`);
  }
};
var InvalidRequest = class extends TypedError("InvalidRequest", { scope: "row" }) {
  retryable = false;
  get message() {
    const faults2 = this.details.map(({ path: path2, message }) => path2 === "" ? message : `${path2}: ${message}`).join("; ");
    return describe("The request is not valid", this, faults2 === "" ? "Correct the request" : `Correct ${faults2}`);
  }
};
var NotFound = class extends TypedError("NotFound", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("Not found", this, "Check the id, and that the base URL is that of the service");
  }
};
var JobNotFound = class extends TypedError("JobNotFound", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("No such job", this, "Check its id, its kind (crawl or batch) and the team of the key");
  }
};
var JobExpired = class extends TypedError("JobExpired", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("The results of the job have expired", this, "Start the job again");
  }
};
var Timeout = class extends TypedError("Timeout", { scope: "row" }) {
  retryable = true;
  get message() {
    return describe("It took too long", this, "Try again, or allow more time with `timeout`");
  }
};
var Conflict = class extends TypedError("Conflict", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("In conflict with the present state", this, "Look at the state of the thing before asking again");
  }
};
var Gone = class extends TypedError("Gone", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("It has ended", this, "Create a new one");
  }
};
var TooLarge = class extends TypedError("TooLarge", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("Too large", this, "Send a smaller file (at most 50 MB) or a smaller body (at most 10 MB)");
  }
};
var UnsupportedFile = class extends TypedError("UnsupportedFile", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("The type of the file is not supported", this, "Convert it to one of the supported types");
  }
};
var Unprocessable = class extends TypedError("Unprocessable", { scope: "row" }) {
  retryable = false;
  get message() {
    return this.code?.startsWith("SCRAPE_") === true ? describe("The page cannot be scraped", this, "Open its address in a browser to see what is wrong with it") : describe("The content cannot be processed", this, "Open it by hand to see what is wrong with it");
  }
};
var TargetNetworkError = class extends TypedError("TargetNetworkError", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("The site could not be reached", this, "Check its address; `retry: { on: [network] }` tries again");
  }
};
var TargetDnsError = class extends TypedError("TargetDnsError", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("The name of the site could not be resolved", this, "Check the spelling of the address");
  }
};
var TargetTlsError = class extends TypedError("TargetTlsError", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("No secure connection to the site", this, "Set `skipTlsVerification` if you trust the site");
  }
};
var Refused = class extends TypedError("Refused", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("The service says that the call failed", this, "Look for why in the request, or ask its operator");
  }
};
var NotImplemented = class extends TypedError("NotImplemented", { scope: "row" }) {
  retryable = false;
  get message() {
    return describe("This server does not do it", this, "Use a service that does, or leave the option out");
  }
};
var InsufficientStorage = class extends TypedError("InsufficientStorage", { scope: "run" }) {
  retryable = false;
  get message() {
    return describe(
      "The service has no room left to keep results",
      this,
      "Remove what is no longer needed, then try again"
    );
  }
};
var permanent = /* @__PURE__ */ new Set(["BROWSER_UNAVAILABLE", "MODEL_MISCONFIGURED"]);
var ServiceError = class extends TypedError("ServiceError", { scope: "row" }) {
  /** Not where the service lacks something that does not come by itself, such as a browser that starts. */
  get retryable() {
    return !permanent.has(this.code ?? "");
  }
  get message() {
    if (!this.retryable) {
      return describe(
        "The service cannot do this",
        this,
        "Trying again does not help until its operator has changed that"
      );
    }
    const who = this.gateway ? "A proxy before the service answered" : "The service failed";
    const when = this.retryAfter === void 0 ? "later" : `after ${Duration.format(this.retryAfter)}`;
    const look2 = this.requestId === void 0 ? "" : `; its log has request ${this.requestId}`;
    return describe(`${who} with status ${this.status}`, this, `Try again ${when}${look2}`);
  }
};
var NetworkError = class extends TypedError("NetworkError", { scope: "row" }) {
  /** A service that a request never reached is out of reach for every row. */
  get scope() {
    return this.sent ? "row" : "run";
  }
  get message() {
    return describe(`No answer: ${this.reason}`, this, this.todo);
  }
};
var UnexpectedResponse = class extends TypedError("UnexpectedResponse", { scope: "row" }) {
  retryable = false;
  get message() {
    const body = this.excerpt === "" ? "an empty body" : `the body ${JSON.stringify(this.excerpt)}`;
    const what = `Unexpected answer with status ${this.status} and ${body}`;
    return describe(what, this, "Check that the base URL is that of the service, without /v1 or /v2");
  }
};
var CrossOrigin = class extends TypedError("CrossOrigin", { scope: "row" }) {
  retryable = false;
  get message() {
    const what = `The answer points to ${this.target}, which is not the origin of the base URL`;
    return describe(what, this, "Nothing was sent there. If it is right, make it the base URL");
  }
};
var JobFailed = class extends TypedError("JobFailed", { scope: "row" }) {
  retryable = false;
  get message() {
    const what = `Job ${this.id} ${this.status === "cancelled" ? "was cancelled" : "failed"} at ${this.completed} of ${this.total} pages`;
    const todo = "Its documents up to here were delivered; its `errors` say more; start it again for the rest";
    return describe(what, this, todo);
  }
};
var CircuitOpen = class extends TypedError("CircuitOpen", { scope: "run" }) {
  retryable = false;
  get message() {
    const what = `The service failed ${this.failures} times in a row and did not recover within ${Duration.format(this.openFor)}`;
    return describe(what, this, "Try again when the service works");
  }
};
var InvalidBaseUrl = class extends TypedError("InvalidBaseUrl", { scope: "run", exitCode: ExitCode.invalid }) {
  retryable = false;
  get message() {
    return `The base URL cannot be used: ${this.reason}. Set SLUICE_BASE_URL to an address like https://api.example.com`;
  }
};

// src/Client/Retry.ts
var Retry_exports = {};
__export(Retry_exports, {
  RetryPolicy: () => RetryPolicy,
  backoff: () => backoff,
  backoffDelays: () => backoffDelays,
  isSafe: () => isSafe,
  isUnreachable: () => isUnreachable,
  limited: () => limited2,
  never: () => never,
  outage: () => outage,
  outageTimeout: () => outageTimeout,
  retryAfter: () => retryAfter,
  standard: () => standard3,
  standardCircuitBreaker: () => standard,
  standardRetryBudget: () => standard2
});
import * as Context2 from "effect/Context";
import * as Duration4 from "effect/Duration";
import * as Schedule from "effect/Schedule";

// src/Client/CircuitBreaker.ts
import * as Clock2 from "effect/Clock";
import * as Deferred2 from "effect/Deferred";
import * as Duration3 from "effect/Duration";
import * as Effect2 from "effect/Effect";
import * as Exit from "effect/Exit";
import * as FiberId2 from "effect/FiberId";
import * as Random from "effect/Random";

// src/Client/TimeLimit.ts
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Duration2 from "effect/Duration";
import * as Effect from "effect/Effect";
import * as FiberId from "effect/FiberId";
var Watch = class extends Context.Reference()("sluice/Client/TimeLimit", {
  defaultValue: () => void 0
}) {
};
var paused = (wait) => Effect.flatMap(
  Watch,
  (watch2) => watch2 === void 0 ? wait : Effect.acquireUseRelease(
    watch2.pause,
    () => wait,
    () => watch2.resume
  )
);
var limited = (effect3, { duration, onTimeout }) => Effect.flatMap(Clock.currentTimeMillis, (begun) => {
  const limit2 = Duration2.toMillis(duration);
  let pauses = 0;
  let pausedAt = 0;
  let waited = 0;
  let resumed = Deferred.unsafeMake(FiberId.none);
  const watch2 = {
    pause: Effect.map(Clock.currentTimeMillis, (now) => {
      if (pauses++ > 0) return;
      pausedAt = now;
      resumed = Deferred.unsafeMake(FiberId.none);
    }),
    resume: Effect.map(Clock.currentTimeMillis, (now) => {
      if (--pauses > 0) return;
      waited += now - pausedAt;
      Deferred.unsafeDone(resumed, Effect.void);
    })
  };
  const alarm = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (pauses > 0) return Effect.zipRight(Deferred.await(resumed), alarm);
    const left15 = limit2 - (now - begun - waited);
    return left15 <= 0 ? Effect.failSync(onTimeout) : Effect.zipRight(Effect.sleep(Math.ceil(left15)), alarm);
  });
  const work = Effect.provideService(effect3, Watch, watch2);
  return Effect.raceFirst(work, alarm);
});

// src/Client/CircuitBreaker.ts
var standard = {
  failureThreshold: 10,
  resetTimeout: "2 seconds",
  giveUpAfter: "5 minutes",
  giveUpFirstAfter: "30 seconds"
};
var isFailure = (error) => error._tag === "ServiceError" && error.retryable || error._tag === "NetworkError" && (error.retryable || !error.sent);
var reasonOf = (error) => {
  if (error._tag === "NetworkError") return error.reason;
  const status = error._tag === "ServiceError" ? `status ${error.status}` : error._tag;
  return error.said === void 0 || error.said === "" ? status : `${status}, ${error.said}`;
};
var make2 = (settings, { hasAnswered, isReported, service }) => {
  const resetTimeout = Duration3.toMillis(settings.resetTimeout);
  const maxResetTimeout = Math.max(resetTimeout, Duration3.toMillis(settings.maxResetTimeout ?? resetTimeout * 5));
  let failures2 = 0;
  let last;
  let open6;
  let probe;
  let isGivenUp = false;
  let hadAnswered = false;
  let stateChange = Deferred2.unsafeMake(FiberId2.none);
  const state = () => open6 === void 0 ? "closed" : probe !== void 0 ? "half-open" : "open";
  const giveUpAfter = () => Duration3.toMillis(hadAnswered ? settings.giveUpAfter : settings.giveUpFirstAfter ?? settings.giveUpAfter);
  const wakeWaiting = () => {
    const before2 = stateChange;
    stateChange = Deferred2.unsafeMake(FiberId2.none);
    Deferred2.unsafeDone(before2, Effect2.void);
  };
  const givenUp = (now, since) => new CircuitOpen({
    method: last?.method ?? "",
    url: last?.url ?? service,
    said: last === void 0 ? void 0 : reasonOf(last),
    failures: failures2,
    openFor: Duration3.seconds(Math.round((now - since) / 1e3))
  });
  const enter = (restore3) => Effect2.flatMap(Clock2.currentTimeMillis, (now) => {
    if (open6 === void 0) return Effect2.succeed(void 0);
    if (probe === void 0 && now >= open6.until) {
      probe = {};
      return Effect2.succeed(probe);
    }
    const end2 = open6.since + giveUpAfter();
    if (isGivenUp || now >= end2) return givenUp(now, open6.since);
    const signal = Deferred2.await(stateChange);
    const alarm = Effect2.sleep(Math.ceil((probe === void 0 ? Math.min(open6.until, end2) : end2) - now));
    return Effect2.zipRight(restore3(paused(Effect2.raceFirst(signal, alarm))), enter(restore3));
  });
  const close3 = Effect2.suspend(() => {
    failures2 = 0;
    if (open6 === void 0) return Effect2.void;
    open6 = void 0;
    probe = void 0;
    isGivenUp = false;
    wakeWaiting();
    return Effect2.logInfo(`${service} answers again: the circuit is closed`);
  });
  const fail24 = (error, token) => Effect2.flatMap(Effect2.all([Clock2.currentTimeMillis, Random.nextRange(0.8, 1)]), ([now, jitter]) => {
    failures2++;
    last = error;
    if (token !== void 0 && token === probe && open6 !== void 0) {
      const wait = Math.min(open6.wait * 2, maxResetTimeout);
      open6 = { since: open6.since, wait, until: now + wait * jitter };
      probe = void 0;
      isGivenUp = now - open6.since >= giveUpAfter();
      wakeWaiting();
      return Effect2.logDebug(`${service} has failed once more: the circuit stays open`);
    }
    if (open6 !== void 0 || failures2 < settings.failureThreshold) return Effect2.void;
    hadAnswered = hasAnswered();
    open6 = { since: now, wait: resetTimeout, until: now + resetTimeout * jitter };
    if (isReported()) return Effect2.void;
    return Effect2.logWarning(
      `${service} failed ${failures2} times in a row: the circuit is open. Calls wait, and one at a time tries whether it answers again, for up to ${Duration3.format(Duration3.millis(giveUpAfter()))}: ${error.message}`
    );
  });
  const release = (token) => Effect2.sync(() => {
    if (token === void 0 || token !== probe) return;
    probe = void 0;
    wakeWaiting();
  });
  return {
    state,
    protect: (call2) => Effect2.uninterruptibleMask(
      (restore3) => Effect2.flatMap(
        enter(restore3),
        (token) => restore3(call2).pipe(
          Effect2.onExit((exit2) => {
            if (Exit.isSuccess(exit2)) return close3;
            const error = exit2.cause._tag === "Fail" ? exit2.cause.error : void 0;
            if (error === void 0) return release(token);
            return isFailure(error) ? fail24(error, token) : close3;
          })
        )
      )
    )
  };
};

// src/Client/RetryBudget.ts
import * as Effect3 from "effect/Effect";
var standard2 = { ratio: 0.1, minimum: 20 };
var make3 = ({ minimum, ratio }) => {
  let calls2 = 0;
  let retries2 = 0;
  let isReported = false;
  const isLeft19 = () => retries2 < Math.max(minimum, Math.floor(calls2 * ratio));
  return {
    called: () => {
      calls2++;
    },
    isLeft: isLeft19,
    take: () => {
      if (!isLeft19()) return false;
      retries2++;
      return true;
    },
    warn: Effect3.suspend(() => {
      if (isReported) return Effect3.void;
      isReported = true;
      return Effect3.logWarning(
        `The retry budget is used up (${retries2} retries of ${calls2} calls): calls that fail are not made again until more have succeeded. Change it with \`retry: { retryBudget: \u2026 }\``
      );
    })
  };
};

// src/Client/Retry.ts
var isSafe = (error, { repeatable }) => {
  if (!error.retryable) return false;
  if (repeatable === "always") return true;
  if (error._tag === "NetworkError") return !error.sent;
  return repeatable === "refused" && error._tag === "RateLimited";
};
var retryAfter = (error) => (error._tag === "RateLimited" || error._tag === "ServiceError" ? error.retryAfter : void 0) ?? Duration4.zero;
var backoff = (options) => {
  const { base = "500 millis", cap = "20 seconds", retries: retries2 = 5, maxRetryAfter = "2 minutes" } = options ?? {};
  return jittered(base, cap).pipe(
    Schedule.intersect(Schedule.identity()),
    Schedule.modifyDelay(([_5, error], delay3) => Duration4.sum(delay3, retryAfter(error))),
    Schedule.whileInput((error) => Duration4.lessThanOrEqualTo(retryAfter(error), maxRetryAfter)),
    Schedule.intersect(Schedule.recurs(retries2))
  );
};
var jittered = (base, cap) => Schedule.exponential(base).pipe(
  Schedule.modifyDelay((_5, delay3) => Duration4.min(delay3, cap)),
  Schedule.jitteredWith({ min: 0, max: 1 })
);
var backoffDelays = (retries2) => Schedule.intersect(jittered("500 millis", "20 seconds"), Schedule.recurs(retries2));
var outageTimeout = Duration4.minutes(5);
var isUnreachable = (error) => error._tag === "NetworkError" ? error.retryable : error._tag === "ServiceError" && error.gateway === true && Duration4.lessThanOrEqualTo(retryAfter(error), outageTimeout);
var outage = {
  schedule: Schedule.spaced("5 seconds").pipe(
    Schedule.jitteredWith({ min: 0.5, max: 1 }),
    Schedule.intersect(Schedule.identity()),
    Schedule.modifyDelay(([_5, error], delay3) => Duration4.max(delay3, retryAfter(error))),
    Schedule.upTo(outageTimeout)
  ),
  when: (error, call2) => isUnreachable(error) && isSafe(error, call2)
};
var limited2 = (retries2) => ({ schedule: backoff({ retries: retries2 }), when: isSafe });
var standard3 = {
  ...limited2(5),
  outage,
  retryBudget: standard2,
  circuitBreaker: standard
};
var never = { schedule: Schedule.stop, when: () => false };
var RetryPolicy = class extends Context2.Reference()("sluice/Client/RetryPolicy", {
  defaultValue: () => standard3
}) {
};

// src/Client/Connection.ts
var Connection_exports = {};
__export(Connection_exports, {
  Connection: () => Connection,
  checkBaseUrl: () => checkBaseUrl,
  layer: () => layer3,
  layerHttpClient: () => layerHttpClient,
  layerSettings: () => layerSettings,
  make: () => make6,
  userAgent: () => userAgent
});
import * as FetchHttpClient from "@effect/platform/FetchHttpClient";
import * as Headers2 from "@effect/platform/Headers";
import * as HttpClient3 from "@effect/platform/HttpClient";
import * as HttpClientRequest from "@effect/platform/HttpClientRequest";
import * as HttpTraceContext from "@effect/platform/HttpTraceContext";
import * as Clock3 from "effect/Clock";
import * as Context4 from "effect/Context";
import * as Effect6 from "effect/Effect";
import * as Either3 from "effect/Either";
import * as Exit2 from "effect/Exit";
import * as Layer2 from "effect/Layer";
import * as Option2 from "effect/Option";
import * as Redacted from "effect/Redacted";

// src/Client/Answer.ts
import * as Duration5 from "effect/Duration";
import * as Either from "effect/Either";

// src/Client/Target.ts
var faults = {
  SCRAPE_CONNECTION_ERROR: "network",
  SCRAPE_PROXY_ERROR: "network",
  SCRAPE_DNS_RESOLUTION_ERROR: "dns",
  SCRAPE_SSL_ERROR: "tls",
  SCRAPE_TIMEOUT: "timeout",
  SCRAPE_TOO_SLOW: "timeout"
};
var texts = [
  ["dns", /\b(ENOTFOUND|EAI_AGAIN|ENODATA|ERR_NAME_(NOT_RESOLVED|RESOLUTION_FAILED))\b/],
  [
    "tls",
    /\b(CERT_\w+|\w+_CERT|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO_(VERIFY|GET)\w*|EPROTO|ERR_(TLS|SSL|CERT)_\w+)\b/
  ],
  [
    "timeout",
    /\b(ETIMEDOUT|UND_ERR_\w*TIMEOUT|ERR_(CONNECTION_)?TIMED_OUT)\b|\bdid not answer in full within\b|\btimed out\b/i
  ],
  [
    "network",
    /\b(ECONN(REFUSED|RESET|ABORTED)|EPIPE|E(HOST|NET)UNREACH|UND_ERR_SOCKET|ERR_(CONNECTION|ADDRESS|PROXY|TUNNEL|INTERNET|NETWORK)_\w+|ERR_EMPTY_RESPONSE)\b/
  ]
];
var faultIn = (text4) => texts.find(([, pattern6]) => pattern6.test(text4))?.[0];
var faultOf = (code, text4) => code === "SCRAPE_SITE_ERROR" ? faultIn(text4) ?? "network" : faults[code ?? ""];
var targetError = (fault2, call2) => {
  switch (fault2) {
    case "dns":
      return new TargetDnsError(call2);
    case "tls":
      return new TargetTlsError(call2);
    case "timeout":
      return new Timeout(call2);
    case "network":
      return new TargetNetworkError(call2);
  }
};
var reasonOf2 = (fault2) => targetError(fault2, { method: "", url: "" })._tag;
var isPassing = (error) => error._tag === "TargetNetworkError" || error._tag === "TargetDnsError" && /\bEAI_AGAIN\b/.test(error.said ?? "");

// src/Client/Answer.ts
var excerpt = (body) => {
  const text4 = body.slice(0, 4096).replace(/<(script|style)[^>]*>[\s\S]*?(<\/\1>|$)|<[^>]*(>|$)/gi, " ").replace(/\s+/g, " ").trim();
  return text4.length > 200 ? `${text4.slice(0, 199)}\u2026` : text4;
};
var isObject = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
var parse = (body) => {
  if (!/^\s*\{/.test(body)) return void 0;
  return Either.getOrUndefined(Either.try(() => JSON.parse(body)));
};
var asText = (value4) => {
  if (typeof value4 === "string") return value4;
  if (isObject(value4)) return asText(value4.message);
  return void 0;
};
var asDetails = (details) => {
  if (details === void 0 || details === null) return [];
  const list3 = Array.isArray(details) ? details : [details];
  return list3.map((detail) => {
    if (!isObject(detail)) return { path: "", message: typeof detail === "string" ? detail : JSON.stringify(detail) };
    const path2 = Array.isArray(detail.path) ? detail.path.join(".") : asText(detail.path) ?? "";
    const code = asText(detail.code);
    return {
      path: path2,
      message: asText(detail.message) ?? JSON.stringify(detail),
      ...code === void 0 ? {} : { code }
    };
  });
};
var units = { ms: 1, milli: 1, s: 1e3, m: 6e4, h: 36e5 };
var waitInProse = (text4) => {
  const found = /(?:retry|try again|wait)[-:a-z ]*?(\d+(?:\.\d+)?)\s*(ms|milli|s|m|h)?/i.exec(text4);
  if (found === null) return void 0;
  const unit = found[2]?.toLowerCase() ?? "s";
  return Duration5.millis(Number(found[1]) * units[unit]);
};
var retryAfter2 = (headers, text4, now) => {
  const header = headers["retry-after"]?.trim();
  if (header !== void 0 && header !== "") {
    if (/^\d+(\.\d+)?$/.test(header)) return Duration5.seconds(Number(header));
    const date2 = Date.parse(header);
    if (!Number.isNaN(date2)) return Duration5.millis(Math.max(0, date2 - now));
  }
  return waitInProse(text4);
};
var gateways = /* @__PURE__ */ new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530]);
var jobPath = /\/v\d+\/(crawl|batch\/scrape)\/[^/?]+/;
var oversize = /entity too large|payload too large|too large|(exceed|larger than|over)\w*\b.*\b(\d+\s*mb|limit|maximum|size)/i;
var option = /\b(timeout|waitFor|maxAge|maxPages|prompt)\b/i;
var entityTooLarge = /(entity|payload) too large/i;
var unsupported = /unsupported.*(file|type|extension|format)|(file|type|extension|format).*(not supported|unsupported)/i;
var requestOf = (headers) => {
  const id = headers["x-request-id"];
  return id !== void 0 && /^[\w.:-]{1,64}$/.test(id) ? { requestId: id } : {};
};
var toError = (answer2, now) => {
  const { method, url, status } = answer2;
  const json = parse(answer2.body);
  const wire = isObject(json) ? json : {};
  const said = asText(wire.error) ?? asText(wire.message) ?? excerpt(answer2.body);
  const code = asText(wire.code);
  const call2 = { method, url, said, ...code === void 0 ? {} : { code }, ...requestOf(answer2.headers) };
  const parsing2 = /\/parse(\?|$)/.test(url);
  const fault2 = faultOf(code, said);
  if (fault2 !== void 0) return targetError(fault2, call2);
  switch (status) {
    case 400:
      if (code === "UNSUPPORTED_FILE_TYPE" || parsing2 && unsupported.test(said) && code === void 0) {
        return new UnsupportedFile(call2);
      }
      if (/TOO_LARGE/.test(code ?? "") || entityTooLarge.test(said) || parsing2 && code === void 0 && oversize.test(said) && !option.test(said)) {
        return new TooLarge(call2);
      }
      return new InvalidRequest({ ...call2, details: asDetails(wire.details) });
    case 401:
      return new Unauthorized(call2);
    case 402:
      return new PaymentRequired(call2);
    case 403:
      return new Forbidden(call2);
    case 404:
      if (json === void 0 && answer2.body.trim() !== "") break;
      if (/expired/i.test(said)) return new JobExpired(call2);
      return jobPath.test(url) || /job/i.test(said) ? new JobNotFound(call2) : new NotFound(call2);
    case 408:
      return new Timeout(call2);
    case 409:
      return new Conflict(call2);
    case 410:
      return new Gone(call2);
    case 413:
      return new TooLarge(call2);
    case 415:
      return new UnsupportedFile(call2);
    case 422:
      return new Unprocessable(call2);
    case 429:
      return new RateLimited({ ...call2, retryAfter: retryAfter2(answer2.headers, said, now) });
    case 501:
      return new NotImplemented(call2);
    case 507:
      return new InsufficientStorage(call2);
  }
  if (status === 500 && entityTooLarge.test(said)) return new TooLarge(call2);
  if (status >= 500) {
    const gateway = json === void 0 && gateways.has(status);
    return new ServiceError({ ...call2, status, gateway, retryAfter: retryAfter2(answer2.headers, "", now) });
  }
  return new UnexpectedResponse({
    method,
    url,
    status,
    excerpt: excerpt(answer2.body),
    ...requestOf(answer2.headers)
  });
};
var failureFields = /* @__PURE__ */ new Set([
  "success",
  "error",
  "message",
  "code",
  "details",
  "id",
  "requestId",
  "warning"
]);
var refusal = (call2, json) => {
  if (!isObject(json) || json.success !== false) return void 0;
  if (!Object.entries(json).every(([key2, value4]) => failureFields.has(key2) || value4 === null)) return void 0;
  const said = asText(json.error) ?? asText(json.message);
  if (said === void 0) return void 0;
  const code = asText(json.code);
  const failed3 = { ...call2, said, ...code === void 0 ? {} : { code } };
  if (/rate limit|too many requests/i.test(said))
    return new RateLimited({ ...failed3, retryAfter: waitInProse(said) });
  const fault2 = faultOf(code, said);
  if (fault2 !== void 0) return targetError(fault2, failed3);
  return /TIMEOUT/.test(code ?? "") || /timed out/i.test(said) ? new Timeout(failed3) : new Refused(failed3);
};

// src/Client/Metrics.ts
var requests = counter(
  "sluice_client_requests_total",
  "Requests to the service, by the status of their answer, or error when none came.",
  ["method", "status"]
);
var requestSeconds = histogram(
  "sluice_client_request_duration_seconds",
  "Time from a request to the end of its answer.",
  ["method"]
);
var retries = counter(
  "sluice_client_retryable_failures_total",
  "Requests that failed in a way that allows another try, by what they failed with.",
  ["error"]
);

// src/Client/Network.ts
import * as Duration6 from "effect/Duration";

// src/Client/Transport.ts
import * as Http from "node:http";
import * as Https from "node:https";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import * as Zlib from "node:zlib";
import * as Cookies from "@effect/platform/Cookies";
import * as Headers from "@effect/platform/Headers";
import * as HttpClient from "@effect/platform/HttpClient";
import * as HttpClientError from "@effect/platform/HttpClientError";
import * as HttpClientResponse from "@effect/platform/HttpClientResponse";
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage";
import * as UrlParams from "@effect/platform/UrlParams";
import * as NodeStream from "@effect/platform-node/NodeStream";
import * as Effect4 from "effect/Effect";
import * as Either2 from "effect/Either";
import * as Inspectable from "effect/Inspectable";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

// src/Row/Integers.ts
var digits = 16;
var isDigit = (code) => code >= 48 && code <= 57;
var mayHold = (bytes, from, to) => {
  for (let index = from + digits - 1; index < to; index += digits) {
    if (!isDigit(bytes[index])) continue;
    let first = index;
    while (first > from && isDigit(bytes[first - 1])) first--;
    let end2 = index + 1;
    while (end2 < to && isDigit(bytes[end2])) end2++;
    if (end2 - first >= digits) return true;
  }
  return false;
};
var hasRun = (text4, from, to) => {
  for (let index = from + digits - 1; index < to; index += digits) {
    if (!isDigit(text4.charCodeAt(index))) continue;
    let first = index;
    while (first > from && isDigit(text4.charCodeAt(first - 1))) first--;
    let end2 = index + 1;
    while (end2 < to && isDigit(text4.charCodeAt(end2))) end2++;
    if (end2 - first >= digits) return true;
  }
  return false;
};
var behindString = (text4, start3) => {
  let end2 = text4.indexOf('"', start3 + 1);
  while (end2 >= 0) {
    let backslashes = 0;
    while (text4[end2 - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end2 + 1;
    end2 = text4.indexOf('"', end2 + 1);
  }
  return text4.length;
};
var hasRunOutside = (text4) => {
  for (let from = 0; from < text4.length; ) {
    const quote2 = text4.indexOf('"', from);
    const to = quote2 < 0 ? text4.length : quote2;
    if (hasRun(text4, from, to)) return true;
    if (quote2 < 0) return false;
    from = behindString(text4, quote2);
  }
  return false;
};
var numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
var quote = (text4) => {
  let kept3;
  const quoted = (token) => {
    if (token.length < digits || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token))) return token;
    kept3 ??= token;
    return `"${token}"`;
  };
  let result = "";
  for (let from = 0; from < text4.length; ) {
    const start3 = text4.indexOf('"', from);
    const to = start3 < 0 ? text4.length : start3;
    const end2 = start3 < 0 ? to : behindString(text4, start3);
    const between4 = text4.slice(from, to);
    result += between4.length < digits ? between4 : between4.replace(numbers, quoted);
    result += text4.slice(to, end2);
    from = end2;
  }
  return { kept: kept3, text: result };
};
var parse2 = (text4) => {
  const value4 = JSON.parse(text4);
  if (!hasRun(text4, 0, text4.length) || !hasRunOutside(text4)) return { value: value4, kept: void 0 };
  const quoted = quote(text4);
  return quoted.kept === void 0 ? { value: value4, kept: void 0 } : { value: JSON.parse(quoted.text), kept: quoted.kept };
};
var keptAsString = (place, integer) => {
  const shown2 = integer.length > 40 ? `${integer.slice(0, 39)}\u2026` : integer;
  return `${place} has integers beyond 2^53, like ${shown2}: they are kept as strings, because numbers would lose digits`;
};

// src/Client/Transport.ts
var encode = (body) => {
  switch (body._tag) {
    case "Empty":
      return Effect4.succeed([void 0, Headers.empty]);
    case "Uint8Array":
      return Effect4.succeed([body.body, Headers.empty]);
    case "Raw":
      return Effect4.succeed([Buffer.from(String(body.body)), Headers.empty]);
    case "Stream":
      return Effect4.map(NodeStream.toReadable(body.stream), (readable2) => [readable2, Headers.empty]);
    case "FormData": {
      const form = new Response(body.formData);
      return Effect4.promise(() => form.arrayBuffer()).pipe(
        Effect4.map((bytes) => [Buffer.from(bytes), Headers.fromInput([...form.headers])])
      );
    }
  }
};
var largestAnswer = 256 * 1024 * 1024;
var tooLarge = () => Object.assign(new Error("the answer is too large"), { code: "ERR_BUFFER_TOO_LARGE" });
var readAll = (message, most2) => Effect4.async((resume) => {
  const chunks2 = [];
  let size = 0;
  const cut2 = () => resume(Effect4.fail("closed before the end of the answer"));
  if (message.destroyed) return cut2();
  const broken2 = (cause) => {
    resume(Effect4.fail(cause));
    message.destroy();
  };
  message.on(
    "data",
    safely((chunk2) => {
      size += chunk2.length;
      if (size <= most2) return void chunks2.push(chunk2);
      resume(Effect4.fail(tooLarge()));
      message.destroy();
    }, broken2)
  );
  message.on(
    "end",
    safely(() => resume(Effect4.succeed(Buffer.concat(chunks2))), broken2)
  );
  message.on(
    "error",
    safely((cause) => resume(Effect4.fail(cause)), broken2)
  );
  message.on("close", safely(cut2, broken2));
  return Effect4.sync(() => message.destroy());
});
var inflaters = { gzip: promisify(Zlib.gunzip), br: promisify(Zlib.brotliDecompress) };
var inflate = (encoding, bytes, most2) => encoding === "gzip" || encoding === "br" ? Effect4.tryPromise({ try: () => inflaters[encoding](bytes, { maxOutputLength: most2 }), catch: (cause) => cause }) : Effect4.succeed(bytes);
var Answer = class extends Inspectable.Class {
  [HttpClientResponse.TypeId] = HttpClientResponse.TypeId;
  [HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId;
  request;
  status;
  headers;
  remoteAddress;
  setCookie;
  bytes;
  constructor(request3, message, most2) {
    super();
    this.request = request3;
    this.status = message.statusCode ?? 0;
    this.headers = Headers.fromInput(message.headers);
    this.setCookie = message.headers["set-cookie"] ?? [];
    this.remoteAddress = Option.fromNullable(message.socket.remoteAddress);
    this.bytes = readAll(message, most2).pipe(
      Effect4.flatMap((bytes) => inflate(this.headers["content-encoding"], bytes, most2)),
      Effect4.mapError(
        (cause) => new HttpClientError.ResponseError({ request: request3, response: this, reason: "Decode", cause })
      ),
      Effect4.cached,
      Effect4.runSync
    );
  }
  get cookies() {
    return Cookies.fromSetCookie(this.setCookie);
  }
  get arrayBuffer() {
    return Effect4.map(
      this.bytes,
      ({ buffer, byteOffset, byteLength }) => byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
    );
  }
  get text() {
    return Effect4.map(this.bytes, (bytes) => bytes.toString());
  }
  get json() {
    return Effect4.tryMap(this.text, {
      try: (text4) => parse2(text4).value,
      catch: (cause) => this.undecodable(cause)
    });
  }
  get urlParamsBody() {
    return Effect4.map(this.text, (text4) => UrlParams.fromInput(new URLSearchParams(text4)));
  }
  get formData() {
    return Effect4.flatMap(
      this.arrayBuffer,
      (bytes) => Effect4.tryPromise({
        try: () => new Response(bytes, { headers: { ...this.headers } }).formData(),
        catch: (cause) => this.undecodable(cause)
      })
    );
  }
  get stream() {
    return Stream.fromEffect(this.bytes);
  }
  toJSON() {
    return HttpIncomingMessage.inspect(this, { _id: "sluice/Client/Answer", status: this.status });
  }
  undecodable(cause) {
    return new HttpClientError.ResponseError({ request: this.request, response: this, reason: "Decode", cause });
  }
};
var agents = Effect4.acquireRelease(
  Effect4.sync(() => {
    const options = { keepAlive: true, timeout: 4e3 };
    return { http: new Http.Agent(options), https: new Https.Agent(options) };
  }),
  ({ http, https }) => Effect4.sync(() => {
    http.destroy();
    https.destroy();
  })
);
var make5 = ({ http, https }, most2) => HttpClient.make(
  (request3, url, signal) => Effect4.flatMap(
    encode(request3.body),
    ([body, headers]) => Effect4.async((resume) => {
      const fail24 = (cause) => resume(Effect4.fail(new HttpClientError.RequestError({ request: request3, reason: "Transport", cause })));
      const options = {
        method: request3.method,
        headers: { "accept-encoding": "gzip, br", ...request3.headers, ...headers },
        signal
      };
      const opened = Either2.try({
        try: () => url.protocol === "https:" ? Https.request(url, { ...options, agent: https }) : Http.request(url, { ...options, agent: http }),
        catch: fail24
      });
      if (Either2.isLeft(opened)) return;
      const outgoing = opened.right;
      outgoing.on("error", safely(fail24, fail24));
      outgoing.on(
        "response",
        safely((message) => resume(Effect4.succeed(new Answer(request3, message, most2))), fail24)
      );
      if (body instanceof Readable) body.pipe(outgoing);
      else outgoing.end(body);
      return Effect4.sync(() => outgoing.destroy());
    })
  )
);
var layerWithin = (most2) => Layer.scoped(
  HttpClient.HttpClient,
  Effect4.map(agents, (agents2) => make5(agents2, most2))
);
var layer2 = layerWithin(largestAnswer);

// src/Client/Network.ts
var checkService = "Check that the service runs and that SLUICE_BASE_URL is right";
var again = "Try again";
var unsent = {
  ECONNREFUSED: { reason: "nothing listens there", todo: checkService, retryable: true },
  ENOTFOUND: { reason: "no such host", todo: checkService, retryable: false },
  EAI_AGAIN: { reason: "the name could not be looked up", todo: "Check the network connection", retryable: true },
  EHOSTUNREACH: { reason: "the host cannot be reached", todo: "Check the network connection", retryable: true },
  ENETUNREACH: { reason: "the network cannot be reached", todo: "Check the network connection", retryable: true },
  UND_ERR_CONNECT_TIMEOUT: { reason: "connecting took too long", todo: checkService, retryable: true },
  ERR_INVALID_CHAR: {
    reason: "the key or a header has a character that cannot be sent",
    todo: "Look for a line break in SLUICE_API_KEY",
    retryable: false
  }
};
var tls = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH|INVALID_CA)/;
var codeOf = (cause) => {
  if (typeof cause !== "object" || cause === null) return "";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  return "cause" in cause ? codeOf(cause.cause) : "";
};
var explain = (error, { hasAnswered, scrub }) => {
  const code = codeOf(error.cause);
  const known4 = unsent[code === "ENOTFOUND" && hasAnswered ? "EAI_AGAIN" : code];
  if (known4 !== void 0) return { ...known4, sent: false };
  const text4 = scrub(error.cause instanceof Error ? error.cause.message : error.message);
  if (tls.test(code)) {
    const todo = "Check the certificate of the service, or use http:// if it speaks plain HTTP";
    return { reason: `the TLS handshake failed (${code}: ${text4})`, todo, retryable: false, sent: false };
  }
  if (code === "ERR_BUFFER_TOO_LARGE") {
    const reason = `the answer has more than ${largestAnswer / 1024 / 1024} MiB, the limit of the client`;
    return { reason, todo: "Ask for less at a time: fewer formats, or a smaller limit", retryable: false, sent: true };
  }
  if (code === "ECONNRESET" || code === "EPIPE" || error._tag === "ResponseError") {
    return { reason: "the connection was cut before the end of the answer", todo: again, retryable: true, sent: true };
  }
  if (code === "ETIMEDOUT") return { reason: "the connection timed out", todo: again, retryable: true, sent: true };
  return { reason: text4, todo: again, retryable: error.reason === "Transport", sent: true };
};
var fromTransport = (call2, options) => (error) => new NetworkError({ ...call2, ...explain(error, options) });
var truncated = (call2) => new NetworkError({ ...call2, reason: "the JSON of the answer ends early", todo: again, retryable: true, sent: true });
var timedOut = (call2, timeout4) => new NetworkError({
  ...call2,
  reason: `nothing came within ${Duration6.format(Duration6.decode(timeout4))}`,
  todo: "Try again, or allow the connection a longer timeout",
  retryable: true,
  sent: true
});

// src/Client/RetryLoop.ts
import * as Context3 from "effect/Context";
import * as Duration7 from "effect/Duration";
import * as Effect5 from "effect/Effect";
var makeRetryState = () => {
  const budgets = /* @__PURE__ */ new Map();
  const breakers = /* @__PURE__ */ new Map();
  return {
    budget: (settings) => {
      const known4 = budgets.get(settings) ?? make3(settings);
      budgets.set(settings, known4);
      return known4;
    },
    breaker: (settings, service) => {
      const services = breakers.get(settings) ?? /* @__PURE__ */ new Map();
      breakers.set(settings, services);
      const known4 = services.get(service.service) ?? make2(settings, service);
      services.set(service.service, known4);
      return known4;
    }
  };
};
var RetryScope = class extends Context3.Reference()("sluice/Client/RetryScope", {
  defaultValue: () => void 0
}) {
};
var Repetition = class extends Context3.Reference()("sluice/Client/Repetition", {
  defaultValue: () => "unsent"
}) {
};
var asRead = Effect5.provideService(
  Repetition,
  "refused"
);
var Attempts = class extends Context3.Reference()("sluice/Client/Attempts", {
  defaultValue: () => void 0
}) {
};
var maxOpenAttempts = 5;
var isCircuitOpen = ({ breaker }) => breaker !== void 0 && breaker.state() !== "closed";
var isOutage = ({ call: call2, policy, reachability }, error) => reachability.hasAnswered && policy.outage?.when(error, call2) === true;
var isFree = (repeating, error) => Duration7.greaterThan(retryAfter(error), Duration7.zero) || isOutage(repeating, error) || isCircuitOpen(repeating);
var send = ({ call: call2, log, policy, reachability }, request3) => {
  let wasTaken = false;
  return Effect5.suspend(() => {
    if (log !== void 0 && call2.method !== "GET") log.made++;
    return request3;
  }).pipe(
    Effect5.tapError(
      (error) => Effect5.sync(() => {
        if (log !== void 0) log.failures = [...log.failures, error];
        if (error._tag === "NetworkError" && error.sent) wasTaken = true;
        else if (wasTaken && isUnreachable(error)) reachability.hasAnswered = true;
        if (policy.when(error, call2)) retries.add(1, error._tag);
      })
    )
  );
};
var attempt = (repeating, sent) => {
  const { breaker, budget, call: call2, policy } = repeating;
  const guarded = breaker === void 0 ? sent : breaker.protect(sent);
  if (budget === void 0) return guarded;
  return Effect5.suspend(() => {
    const { lastError } = repeating;
    if (lastError === void 0) budget.called();
    else if (!isFree(repeating, lastError) && !budget.take()) {
      repeating.isOverBudget = true;
      return Effect5.zipRight(budget.warn, Effect5.fail(lastError));
    }
    return guarded;
  }).pipe(
    Effect5.tapError(
      (error) => Effect5.suspend(() => {
        repeating.lastError = error;
        const isAllowed = repeating.isOverBudget || isFree(repeating, error) || budget.isLeft();
        if (isAllowed || !policy.when(error, call2)) return Effect5.void;
        repeating.isOverBudget = true;
        return budget.warn;
      })
    )
  );
};
var throughOpenCircuit = (repeating, attempted) => Effect5.retry(attempted, {
  while: (error) => isCircuitOpen(repeating) && isFailure(error) && repeating.policy.when(error, repeating.call) && repeating.openAttempts++ < maxOpenAttempts
});
var onSchedule = (repeating, attempted) => Effect5.retry(attempted, {
  schedule: repeating.policy.schedule,
  while: (error) => !repeating.isOverBudget && repeating.policy.when(error, repeating.call)
});
var reportOutage = (error, reachability) => Effect5.suspend(() => {
  if (reachability.isReported) return Effect5.void;
  reachability.isReported = true;
  return Effect5.logWarning(
    `The service is out of reach, and is asked again until it answers or ${Duration7.format(outageTimeout)} are over: ${error.message}`
  );
});
var throughOutage = (repeating, attempted) => {
  const { policy, reachability } = repeating;
  if (policy.outage === void 0) return attempted;
  return attempted.pipe(
    Effect5.tapError(
      (error) => isOutage(repeating, error) && !isCircuitOpen(repeating) ? reportOutage(error, reachability) : Effect5.void
    ),
    Effect5.retry({ schedule: policy.outage.schedule, while: (error) => isOutage(repeating, error) }),
    Effect5.tapError(
      (error) => Effect5.sync(() => {
        if (isOutage(repeating, error)) reachability.hasAnswered = false;
      })
    )
  );
};
var retry2 = (request3, { keyed, method }, given, { reachability, service, state }) => Effect5.contextWithEffect((context) => {
  const policy = context.unsafeMap.has(RetryPolicy.key) ? Context3.get(context, RetryPolicy) : given;
  const { circuitBreaker, retryBudget } = policy;
  const shared2 = Context3.get(context, RetryScope) ?? state;
  const isRead = method === "GET" || method === "HEAD" || keyed;
  const repeating = {
    policy,
    call: { method, repeatable: isRead ? "always" : Context3.get(context, Repetition) },
    reachability,
    budget: retryBudget && shared2.budget(retryBudget),
    breaker: circuitBreaker && shared2.breaker(circuitBreaker, {
      service,
      hasAnswered: () => reachability.hasAnswered,
      isReported: () => reachability.isReported
    }),
    log: Context3.get(context, Attempts),
    lastError: void 0,
    isOverBudget: false,
    openAttempts: 0
  };
  const attempted = attempt(repeating, send(repeating, request3));
  return throughOutage(repeating, onSchedule(repeating, throughOpenCircuit(repeating, attempted)));
});

// src/Client/Connection.ts
var userAgent = `sluice/${version}`;
var Connection = class extends Context4.Tag("sluice/Client/Connection")() {
};
var checkBaseUrl = (text4) => {
  const wrong = (reason) => Either3.left(new InvalidBaseUrl({ reason }));
  if (!canParse(text4)) return wrong("it is not an absolute address");
  const url = new URL(text4);
  if (url.protocol !== "http:" && url.protocol !== "https:") return wrong(`${url.protocol} is neither http nor https`);
  if (url.username !== "" || url.password !== "") return wrong("it contains a name or password; use the key instead");
  if (url.search !== "" || url.hash !== "") return wrong("it has a query or fragment");
  url.pathname = url.pathname.replace(/\/+$/, "");
  const version2 = /\/v[12]$/.exec(url.pathname)?.[0];
  if (version2 !== void 0) return wrong(`it ends in ${version2}, which every call adds by itself: leave that out`);
  return Either3.right(url);
};
var make6 = Effect6.fn("Connection.make")(function* (options) {
  const base = yield* checkBaseUrl(options.baseUrl);
  const client = yield* HttpClient3.HttpClient;
  const policy = yield* RetryPolicy;
  const prefix = base.href.replace(/\/$/, "");
  const timeout4 = options.timeout ?? "6 minutes";
  const key2 = options.apiKey === void 0 ? "" : Redacted.value(options.apiKey);
  const scrub = (text4) => key2 === "" ? text4 : text4.replaceAll(key2, "[key]");
  const prepare2 = (request3) => request3.pipe(
    HttpClientRequest.setUrl(request3.url.startsWith("/") ? prefix + request3.url : request3.url),
    HttpClientRequest.acceptJson,
    HttpClientRequest.setHeader("user-agent", userAgent),
    key2 === "" ? (same) => same : HttpClientRequest.bearerToken(key2)
  );
  const reachability = { hasAnswered: false, isReported: false };
  const exchange = exchangeWith({
    client,
    origin: base.origin,
    timeout: timeout4,
    scrub,
    hasAnswered: () => reachability.hasAnswered
  });
  const via = { service: prefix, reachability, state: makeRetryState() };
  const answered = Effect6.sync(() => {
    reachability.hasAnswered = true;
    reachability.isReported = false;
  });
  const send2 = (request3) => retry2(
    Effect6.suspend(() => Effect6.zipLeft(exchange(prepare2(request3)), answered)),
    { method: request3.method, keyed: request3.headers["x-idempotency-key"] !== void 0 },
    policy,
    via
  );
  return Connection.of({
    baseUrl: prefix,
    http: HttpClient3.makeWith(
      Effect6.flatMap((request3) => Effect6.map(send2(request3), ({ response }) => response)),
      Effect6.succeed
    ),
    json: (request3) => Effect6.map(send2(request3), ({ json }) => json),
    scrub
  });
});
var layerHttpClient = (options) => Layer2.effect(Connection, make6(options));
var layer3 = (options) => Layer2.provide(layerHttpClient(options), layer2);
var layerSettings = Layer2.unwrapEffect(
  Effect6.map(
    Settings,
    ({ baseUrl, apiKey }) => baseUrl === void 0 ? Layer2.fail(new InvalidBaseUrl({ reason: "none is set" })) : layer3({ baseUrl, apiKey })
  )
);
var redirects = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);
var maxRedirects = 5;
var withoutRedirects = (call2) => Effect6.mapInputContext(call2, (context) => {
  const given = context.unsafeMap.get(FetchHttpClient.RequestInit.key);
  return Context4.add(context, FetchHttpClient.RequestInit, { ...given, redirect: "manual" });
});
var addressAttributes = (url) => {
  if (!canParse(url)) return {};
  const { host: host3, pathname } = new URL(url);
  return { "server.address": host3, "url.path": pathname };
};
var traced = ({ method, url }, send2) => Effect6.useSpan(
  `http.client ${method}`,
  {
    kind: "client",
    captureStackTrace: false,
    attributes: { "http.request.method": method, ...addressAttributes(url) }
  },
  // Untraced spans have no ids.
  (span) => Effect6.withParentSpan(send2(idsOf(span) === void 0 ? Headers2.empty : HttpTraceContext.toHeaders(span)), span)
);
var measured = (method, received) => Clock3.clockWith((clock3) => {
  const begun = clock3.unsafeCurrentTimeMillis();
  return Effect6.onExit(
    received,
    (exit2) => Effect6.sync(() => {
      requests.add(1, method, Exit2.isSuccess(exit2) ? exit2.value.response.status : "error");
      requestSeconds.record((clock3.unsafeCurrentTimeMillis() - begun) / 1e3, method);
    })
  );
});
var exchangeWith = (options) => {
  const { hasAnswered, origin, timeout: timeout4, scrub } = options;
  const client = HttpClient3.withTracerDisabledWhen(options.client, () => true);
  const receive = (request3, call2) => client.execute(request3).pipe(
    Effect6.flatMap((response) => Effect6.map(response.arrayBuffer, (bytes) => ({ response, bytes }))),
    withoutRedirects,
    Effect6.mapError((error) => fromTransport(call2, { scrub, hasAnswered: hasAnswered() })(error)),
    Effect6.timeoutFail({ duration: timeout4, onTimeout: () => timedOut(call2, timeout4) }),
    Effect6.tap(({ response }) => Effect6.annotateCurrentSpan("http.response.status_code", response.status)),
    (received) => measured(call2.method, received)
  );
  const check3 = Effect6.fnUntraced(function* ({ response, bytes }, call2) {
    const { status, headers } = response;
    const text4 = Buffer.from(bytes).toString();
    if (status < 200 || status >= 300) {
      return yield* toError({ ...call2, status, headers, body: scrub(text4) }, yield* Clock3.currentTimeMillis);
    }
    const json = Either3.try(() => JSON.parse(text4));
    if (Either3.isRight(json)) {
      if (refusal(call2, json.right) === void 0) return { response, json: json.right };
      return yield* refusal(call2, JSON.parse(scrub(text4))) ?? truncated(call2);
    }
    if (/^\s*[[{]/.test(text4)) return yield* truncated(call2);
    return yield* new UnexpectedResponse({ ...call2, status, excerpt: excerpt(scrub(text4)) });
  });
  const exchange = (request3, hops = 0) => Effect6.suspend(() => {
    const address = Option2.getOrUndefined(HttpClientRequest.toUrl(request3));
    const call2 = { method: request3.method, url: scrub(address?.href ?? request3.url) };
    if (address?.origin !== origin) return new CrossOrigin({ ...call2, target: call2.url });
    return traced(
      call2,
      Effect6.fnUntraced(function* (headers) {
        const answer2 = yield* receive(HttpClientRequest.setHeaders(request3, headers), call2);
        const { status } = answer2.response;
        const { location } = answer2.response.headers;
        if (redirects.has(status) && location !== void 0 && canParse(location, address.href)) {
          const target = new URL(location, address.href);
          if (target.origin !== origin) return yield* new CrossOrigin({ ...call2, target: scrub(target.origin) });
          if (request3.method === "GET" && hops < maxRedirects) {
            return yield* exchange(HttpClientRequest.get(target, { headers: request3.headers }), hops + 1);
          }
        }
        return yield* check3(answer2, call2);
      })
    );
  });
  return exchange;
};

// src/Client/ActiveCrawls.ts
import * as Effect8 from "effect/Effect";

// src/Client/Calls.ts
import * as HttpApiClient from "@effect/platform/HttpApiClient";
import * as HttpClient5 from "@effect/platform/HttpClient";
import * as HttpClientError2 from "@effect/platform/HttpClientError";
import * as Context5 from "effect/Context";
import * as Data from "effect/Data";
import * as Effect7 from "effect/Effect";
import { identity as identity2 } from "effect/Function";
import * as ParseResult from "effect/ParseResult";
var keyHeaders = ({ idempotencyKey = "" }, { zeroDataRetention = false } = {}) => idempotencyKey === "" || zeroDataRetention ? {} : { "x-idempotency-key": idempotencyKey };
var Undecodable = class extends Data.TaggedError("Undecodable") {
};
var shorten = (message) => message.length > 300 ? `${message.slice(0, 299)}\u2026` : message;
var toDetails = ({ issue }, scrub = identity2) => ParseResult.ArrayFormatter.formatIssueSync(issue).filter(({ message }) => !message.startsWith("Expected undefined, actual ")).map(({ path: path2, message }) => ({ path: scrub(path2.join(".")), message: shorten(scrub(message)) }));
var mismatches = (error, scrub) => toDetails(error, scrub).slice(0, 3).map(({ path: path2, message }) => path2 === "" ? message : `${path2}: ${message}`).join("; ");
var invalidRequest = (call2, error) => new InvalidRequest({ ...call2, details: toDetails(error) });
var undecodable = (call2, error, scrub) => {
  const { actual } = error.issue;
  const body = actual instanceof ArrayBuffer ? Buffer.from(actual, 0, Math.min(8192, actual.byteLength)).toString() : "";
  return new UnexpectedResponse({ ...call2, said: mismatches(error, scrub), status: 200, excerpt: excerpt(scrub(body)) });
};
var toClientError = (call2, error, scrub) => {
  if (error instanceof Undecodable) return undecodable(call2, error.cause, scrub);
  if (ParseResult.isParseError(error)) return invalidRequest(call2, error);
  if (HttpClientError2.isHttpClientError(error)) {
    const status = error._tag === "ResponseError" ? error.response.status : 0;
    return new UnexpectedResponse({ ...call2, status, excerpt: "" });
  }
  return error;
};
var isEmptySuccess = (error) => error._tag === "UnexpectedResponse" && error.status >= 200 && error.status < 300 && error.excerpt === "";
var Sender = class extends Context5.Tag("sluice/Client/Sender")() {
};
var viaSender = HttpClient5.makeWith(
  (request3) => Effect7.flatMap(Effect7.all([Sender, request3]), ([http, ready]) => http.execute(ready)),
  Effect7.succeed
);
var compiled = /* @__PURE__ */ new Map();
var operationsOf = (group2) => {
  const known4 = compiled.get(group2);
  if (known4 !== void 0) return known4;
  const operations2 = Effect7.runSync(
    HttpApiClient.group(Api, {
      group: group2,
      httpClient: viaSender,
      transformResponse: Effect7.mapError(
        (error) => ParseResult.isParseError(error) ? new Undecodable({ cause: error }) : error
      )
    })
  );
  compiled.set(group2, operations2);
  return operations2;
};
var calls = Effect7.fnUntraced(function* (name) {
  const { http, baseUrl, scrub } = yield* Connection;
  const endpoints = Api.groups[name]?.endpoints ?? {};
  const operations2 = Object.entries(endpoints).map(([operation, { method, path: path2 }]) => {
    const url = baseUrl + path2;
    return [
      operation,
      (request3) => Effect7.suspend(
        () => operationsOf(name)[operation]?.(request3) ?? Effect7.dieMessage(`no operation ${operation}`)
      ).pipe(
        Effect7.provideService(Sender, http),
        Effect7.mapError((error) => toClientError({ method, url }, error, scrub)),
        // An empty answer to DELETE: the job no longer exists.
        Effect7.catchIf(
          (error) => method === "DELETE" && isEmptySuccess(error),
          () => Effect7.succeed({ success: true, status: "cancelled" })
        )
      )
    ];
  });
  return Object.fromEntries(operations2);
});
var pathSegment = (id, call2) => id === "" || id === "." || id === ".." ? new InvalidRequest({ ...call2, details: [{ path: "id", message: `${JSON.stringify(id)} is not an id` }] }) : Effect7.succeed(encodeURIComponent(id));

// src/Client/ActiveCrawls.ts
var ActiveCrawls = class extends Effect8.Service()("sluice/Client/ActiveCrawls", {
  effect: Effect8.gen(function* () {
    const api = yield* calls("activeCrawls");
    return {
      /** Every running crawl, with the options it was started with. */
      list: Effect8.fn("ActiveCrawls.list")(
        ({ version: version2 } = {}) => version2 === "v1" ? api.activeV1() : api.active()
      )
    };
  })
}) {
};

// src/Client/BatchScrape.ts
import * as Effect11 from "effect/Effect";

// src/Client/JobCalls.ts
import * as Effect10 from "effect/Effect";

// src/Client/JobStream.ts
import * as HttpClientRequest2 from "@effect/platform/HttpClientRequest";
import * as Chunk from "effect/Chunk";
import * as Clock4 from "effect/Clock";
import * as Duration8 from "effect/Duration";
import * as Effect9 from "effect/Effect";
import * as Either4 from "effect/Either";
import * as Option3 from "effect/Option";
import * as Schedule2 from "effect/Schedule";
import * as Schema from "effect/Schema";
import * as Stream2 from "effect/Stream";

// src/Client/JobStream/Cursor.ts
var start = (position) => ({
  position,
  move: { _tag: "Ask" },
  passEnd: position,
  passDocuments: 0,
  passPages: 0,
  loopAnchor: "",
  stalls: 0,
  pages: 0,
  total: 0,
  completed: 0,
  creditsUsed: 0
});
var maxStalls = 3;
var maxReplayFactor = 8;
var skipOf = (next) => next._tag === "SameService" ? next.skip : void 0;
var advance = (before2, page2, next, received, repeats2) => {
  const count2 = page2.data?.length ?? 0;
  const skip = skipOf(next);
  const total = Math.max(before2.total, page2.total ?? 0);
  const completed = Math.max(before2.completed, page2.completed ?? 0);
  const { documents, read: read4 } = readDocuments(before2, { completed, total, count: count2 }, next, received, repeats2);
  const position = Math.max(read4, skip ?? 0);
  const isSamePass = before2.pages > 0 && before2.move._tag !== "Wait";
  const passEnd = isSamePass ? before2.passEnd : Math.max(completed, position);
  const passDocuments = count2 + (isSamePass ? before2.passDocuments : 0);
  const passPages = isSamePass ? before2.passPages + 1 : 1;
  const isAnchor = (passPages & passPages - 1) === 0;
  const hasAdvanced = position > before2.position || documents.length > 0;
  const isEnded = ended.has(page2.status);
  const promisesMore = next._tag === "SameService" || count2 === 0 && position < completed;
  const url = next._tag === "SameService" ? next.url : "";
  const isLoop = isSamePass && url === before2.loopAnchor;
  const mayReplay = url !== "" && skip === void 0 && count2 > 0 && !isLoop && passDocuments <= passEnd * maxReplayFactor;
  const stalls = hasAdvanced ? 0 : before2.stalls + (isEnded && promisesMore && !mayReplay ? 1 : 0);
  const nextMove = () => {
    if (isEnded && (!promisesMore || stalls >= maxStalls)) return { _tag: "End" };
    const continues = hasAdvanced ? isEnded || position < passEnd : mayReplay;
    if (url === "" || !continues) return { _tag: "Wait" };
    return skip === void 0 || skip === position ? { _tag: "Follow", url, isOpaque: skip === void 0 } : { _tag: "Ask" };
  };
  return {
    documents,
    first: read4 - documents.length,
    cursor: {
      position,
      move: nextMove(),
      passEnd,
      passDocuments,
      passPages,
      loopAnchor: isAnchor ? url : before2.loopAnchor,
      stalls,
      pages: before2.pages + 1,
      total,
      completed,
      creditsUsed: Math.max(before2.creditsUsed, page2.creditsUsed ?? 0)
    }
  };
};
var readDocuments = ({ move, pages: pages2, position }, { completed, count: count2, total }, next, received, repeats2) => {
  const skip = skipOf(next);
  const isOpaque = move._tag === "Follow" && move.isOpaque;
  const isLast = next._tag === "None";
  const isTrusted = !isOpaque && (isLast ? position + count2 <= completed : skip === position + count2);
  const isWhole = pages2 === 0 && position > 0 && (skip === count2 || total > 0 && isLast && position + count2 > total);
  const documents = repeats2.filter(isWhole ? received.slice(position) : received, isTrusted);
  return { documents, read: isWhole ? Math.max(position, count2) : position + (isTrusted ? count2 : documents.length) };
};
var resolve = (next, pageUrl) => {
  if (next === null || next === void 0 || !canParse(next, pageUrl)) return { _tag: "None" };
  const base = new URL(pageUrl);
  const url = new URL(next, base);
  const isSameHost = url.hostname === base.hostname && url.port === "" && base.port === "";
  if (url.origin !== base.origin && !(isSameHost && url.protocol === "http:" && base.protocol === "https:")) {
    return { _tag: "OtherOrigin", url: url.origin };
  }
  const skip = url.searchParams.get("skip");
  return {
    _tag: "SameService",
    url: base.origin + url.pathname + url.search,
    skip: skip !== null && /^\d+$/.test(skip) ? Number(skip) : void 0
  };
};

// src/Client/JobStream/Repeats.ts
var windowSize = 5e4;
var prime = 16777619;
var mix = (hash3, text4) => {
  let mixed = Math.imul(hash3 ^ text4.length, prime);
  const step2 = text4.length <= 64 ? 1 : text4.length / 64;
  for (let at = 0; at < text4.length; at += step2) mixed = Math.imul(mixed ^ text4.charCodeAt(at | 0), prime);
  return mixed;
};
var mixValue = (hash3, value4, depth) => {
  if (typeof value4 === "string") return mix(hash3, value4);
  if (typeof value4 !== "object" || value4 === null) return mix(hash3, String(value4));
  const entries = Array.isArray(value4) ? [value4.length, value4[0], value4.at(-1)] : Object.values(value4);
  if (depth === 0) return mix(hash3, String(entries.length));
  let mixed = hash3;
  for (const entry of entries) mixed = mixValue(mixed, entry, depth - 1);
  return mixed;
};
var idOf = ({ metadata }) => {
  const id = metadata?.scrapeId;
  return typeof id === "string" && id !== "" ? id : void 0;
};
var keyOf2 = (document) => {
  const id = idOf(document);
  const low = id === void 0 ? mixValue(2166136261, document, 2) : mix(2166136261, id);
  const text4 = id ?? document.metadata?.sourceURL ?? document.metadata?.url ?? document.markdown ?? "";
  const high = mix(low ^ 1540483477, text4);
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
};
var make7 = () => {
  const ring = new Float64Array(windowSize);
  const counts = /* @__PURE__ */ new Map();
  let written = 0;
  const remember = (key2) => {
    const slot = written % windowSize;
    if (written >= windowSize) {
      const old = ring[slot] ?? 0;
      const count2 = counts.get(old) ?? 0;
      if (count2 > 1) counts.set(old, count2 - 1);
      else counts.delete(old);
    }
    ring[slot] = key2;
    written++;
    counts.set(key2, (counts.get(key2) ?? 0) + 1);
  };
  const overlap2 = (keys) => {
    const first = keys[0];
    if (first === void 0 || counts.get(first) !== 1) return 0;
    for (let length = Math.min(keys.length, written, windowSize); length > 0; length--) {
      let same = 0;
      while (same < length && keys[same] === ring[(written - length + same) % windowSize]) same++;
      if (same === length) {
        const once = keys.slice(0, length).every((key2) => counts.get(key2) === 1);
        return once && new Set(keys).size === keys.length ? length : 0;
      }
    }
    return 0;
  };
  return {
    filter: (documents, trusted) => {
      const keys = documents.map(keyOf2);
      const head = trusted ? overlap2(keys) : 0;
      const fresh = [];
      documents.forEach((document, index) => {
        const known4 = counts.has(keys[index] ?? 0);
        const repeated = index < head || known4 && (!trusted || idOf(document) !== void 0);
        if (!repeated) fresh.push(document);
      });
      keys.forEach(remember);
      return trusted && fresh.length === 0 ? documents : fresh;
    }
  };
};

// src/Client/JobStream.ts
var defaultPoll = Schedule2.exponential("500 millis", 1.5).pipe(
  Schedule2.modifyDelay((_5, delay3) => Duration8.min(delay3, "10 seconds"))
);
var startupRetries = Schedule2.spaced("500 millis").pipe(Schedule2.upTo("10 seconds"));
var decodeEnvelope = Schema.decodeUnknownEither(JobEnvelope);
var isKnown = (status) => statuses.some((known4) => known4 === status);
var reader = Effect9.fnUntraced(function* (connection, kind, id, options) {
  const { scrub } = connection;
  const { version: version2 = "v2", from = 0, limit: limit2, onFailure = "fail" } = options;
  const path2 = `${connection.baseUrl}/${version2}/${kind}/${id}`;
  const call2 = { method: "GET", url: path2 };
  yield* Effect9.mapError(Schema.decodeUnknown(JobId)(id), (error) => invalidRequest(call2, error));
  const waiting = yield* Schedule2.driver(options.poll ?? defaultPoll);
  const repeats2 = make7();
  const address = ({ position, move }) => {
    if (move._tag === "Follow") return move.url;
    const query = new URLSearchParams();
    if (position > 0) query.set("skip", String(position));
    if (limit2 !== void 0) query.set("limit", String(limit2));
    return query.size === 0 ? path2 : `${path2}?${query}`;
  };
  const wait = (progress) => Effect9.mapError(
    waiting.next(progress),
    () => new Timeout({
      ...call2,
      said: `the job is still ${scrub(progress.status)} at ${progress.completed} of ${progress.total} pages`
    })
  );
  const fetch = ({ cursor, expiresAt }) => {
    const answer2 = connection.json(HttpClientRequest2.get(address(cursor)));
    if (cursor.pages === 0) {
      return Effect9.retry(answer2, { schedule: startupRetries, while: (error) => error._tag === "JobNotFound" });
    }
    return Effect9.catchTag(
      answer2,
      "JobNotFound",
      (error) => Effect9.flatMap(Clock4.currentTimeMillis, (now) => {
        const isExpired = expiresAt !== void 0 && Date.parse(expiresAt) <= now;
        return Effect9.fail(
          isExpired ? new JobExpired({ ...call2, said: `they were kept until ${scrub(expiresAt)}` }) : error
        );
      })
    );
  };
  const failureOf3 = ({ code, status, error }, cursor) => {
    const { move, position, completed, total } = cursor;
    return move._tag === "End" && onFailure === "fail" && (status === "failed" || status === "cancelled") ? new JobFailed({
      ...call2,
      id,
      said: error == null ? void 0 : scrub(error),
      ...code == null ? {} : { code },
      status,
      position,
      completed,
      total
    }) : void 0;
  };
  return {
    start: { cursor: start(from), last: void 0, expiresAt: void 0, failure: void 0 },
    step: (reading) => Effect9.gen(function* () {
      if (reading.failure !== void 0) return yield* Effect9.fail(reading.failure);
      if (reading.cursor.move._tag === "End") return Option3.none();
      if (reading.cursor.move._tag === "Wait" && reading.last !== void 0) yield* wait(reading.last);
      const json = yield* fetch(reading);
      const decoded = decodeEnvelope(json);
      if (Either4.isLeft(decoded)) {
        const body = excerpt(scrub(JSON.stringify(json)));
        return yield* new UnexpectedResponse({
          ...call2,
          said: mismatches(decoded.left, scrub),
          status: 200,
          excerpt: body
        });
      }
      const envelope = decoded.right;
      if (!isKnown(envelope.status) && envelope.status !== reading.last?.status) {
        yield* Effect9.logWarning(`Unknown job status "${scrub(envelope.status)}" counts as "still running"`);
      }
      const next = resolve(envelope.next, address(reading.cursor));
      const received = yield* documentsOf(envelope.data ?? [], call2);
      const { documents, first, cursor } = advance(reading.cursor, envelope, next, received, repeats2);
      if (documents.length > 0) yield* waiting.reset;
      if (cursor.move._tag === "End" && cursor.position < cursor.completed) {
        yield* Effect9.logWarning(
          `Job ${id} ended at document ${cursor.position}, its status counts ${cursor.completed}`
        );
      }
      const progress = {
        position: first,
        next: cursor.position,
        status: envelope.status,
        total: cursor.total,
        completed: cursor.completed,
        creditsUsed: cursor.creditsUsed
      };
      const failure2 = next._tag === "OtherOrigin" ? new CrossOrigin({ ...call2, target: scrub(next.url) }) : failureOf3(envelope, cursor);
      const after = { cursor, last: progress, expiresAt: envelope.expiresAt ?? void 0, failure: failure2 };
      return Option3.some([{ ...progress, documents }, after]);
    })
  };
});
var pages = (connection, kind, id, options = {}) => Stream2.unwrap(
  Effect9.map(reader(connection, kind, id, options), ({ start: start3, step: step2 }) => Stream2.unfoldEffect(start3, step2))
);
var stream = (connection, kind, id, options = {}) => Stream2.unwrap(
  Effect9.map(
    reader(connection, kind, id, options),
    ({ start: start3, step: step2 }) => Stream2.unfoldChunkEffect(
      start3,
      (reading) => Effect9.map(
        step2(reading),
        Option3.map(([{ documents }, after]) => [Chunk.unsafeFromArray(documents), after])
      )
    )
  )
);
var isDocument = Schema.is(Document);
var decodeDocument = Schema.decodeUnknownEither(Document);
var documentsOf = (data, call2) => {
  let mismatching = 0;
  let noObjects = 0;
  let read4;
  for (const [at, item] of data.entries()) {
    if (isDocument(item)) continue;
    const decoded = decodeDocument(item);
    if (Either4.isRight(decoded)) {
      read4 ??= [...data];
      read4[at] = decoded.right;
      continue;
    }
    mismatching++;
    if (typeof item !== "object" || item === null) noObjects++;
  }
  const all5 = read4 ?? data;
  if (mismatching === 0) return Effect9.succeed(all5);
  const objects = noObjects === 0 ? all5 : all5.filter((item) => typeof item === "object" && item !== null);
  return Effect9.as(
    Effect9.logWarning(
      `${mismatching} of ${data.length} documents do not match the API; ${noObjects} are not objects and are left out`
    ).pipe(Effect9.annotateLogs({ url: call2.url })),
    objects
  );
};

// src/Client/JobCalls.ts
var operations = (name, kind, api, connection) => ({
  /** Status of the job, with one page of its documents: 100 unless `limit` says otherwise, and at most about 10 MiB of JSON. */
  status: Effect10.fn(`${name}.status`)((id, { version: version2, skip, limit: limit2 } = {}) => {
    const request3 = { path: { id }, urlParams: { skip, limit: limit2 } };
    return version2 === "v1" ? api.statusV1(request3) : api.status(request3);
  }),
  /** Stops the job. Its results stay. Fails with `Conflict` when it has ended. */
  cancel: Effect10.fn(`${name}.cancel`)(
    (id, { version: version2 } = {}) => version2 === "v1" ? api.cancelV1({ path: { id }, urlParams: {} }) : api.cancel({ path: { id }, urlParams: {} })
  ),
  /** Pages of the job that failed, and URLs that robots.txt disallows. */
  errors: Effect10.fn(`${name}.errors`)(
    (id, { version: version2 } = {}) => version2 === "v1" ? api.errorsV1({ path: { id } }) : api.errors({ path: { id } })
  ),
  /** The documents with the progress of the job: one element per response, until the job has ended and everything is read. */
  pages: (id, options) => pages(connection, kind, id, options),
  /** The documents: each once, in order, in one chunk per page. Ends when the job has ended and everything is read. */
  stream: (id, options) => stream(connection, kind, id, options)
});

// src/Client/BatchScrape.ts
var BatchScrape = class extends Effect11.Service()("sluice/Client/BatchScrape", {
  effect: Effect11.gen(function* () {
    const api = yield* calls("batchScrape");
    const start3 = Effect11.fn("BatchScrape.start")(
      (payload, options = {}) => {
        const request3 = { payload, headers: keyHeaders(options) };
        return options.version === "v1" ? api.startV1(request3) : api.start(request3);
      }
    );
    return { start: start3, ...operations("BatchScrape", "batch/scrape", api, yield* Connection) };
  })
}) {
};

// src/Client/Browser.ts
import * as Effect12 from "effect/Effect";
var scopedSession = (request3, { closeTimeout: closeTimeout2, onUnclosed }) => Effect12.flatMap(
  Browser,
  (client) => Effect12.acquireRelease(
    client.create(request3),
    ({ id }) => client.delete(id).pipe(
      Effect12.catchTags({ NotFound: () => Effect12.void, Gone: () => Effect12.void }),
      Effect12.interruptible,
      Effect12.timeout(closeTimeout2),
      Effect12.catchAll(({ message }) => onUnclosed(message))
    )
  )
);
var Browser = class extends Effect12.Service()("sluice/Client/Browser", {
  effect: Effect12.gen(function* () {
    const api = yield* calls("browser");
    const path2 = (method, id) => Effect12.map(pathSegment(id, { method, url: "/v2/browser/{id}" }), (id2) => ({ id: id2 }));
    return {
      /** A new session; seconds of life in `ttl`, of idleness in `activityTtl`. A second saver of a profile is a `Conflict`. */
      create: Effect12.fn("Browser.create")((payload = {}) => api.create({ payload })),
      /** The open sessions; with `status: "destroyed"` those that have ended a short while ago. */
      list: Effect12.fn("Browser.list")((query = {}) => api.list({ urlParams: query })),
      /** Ends the session, saving its profile if it has one to save. */
      delete: Effect12.fn("Browser.delete")(
        (id) => Effect12.flatMap(path2("DELETE", id), (path3) => api.delete({ path: path3 }))
      ),
      /** Runs code in the session; code that fails is an answer with `error`, a session that has ended is `Gone`. */
      execute: Effect12.fn("Browser.execute")(
        (id, payload) => Effect12.flatMap(path2("POST", id), (path3) => api.execute({ path: path3, payload }))
      )
    };
  })
}) {
};

// src/Client/Crawl.ts
import * as Effect13 from "effect/Effect";
var Crawl = class extends Effect13.Service()("sluice/Client/Crawl", {
  effect: Effect13.gen(function* () {
    const api = yield* calls("crawl");
    const start3 = Effect13.fn("Crawl.start")(
      (payload, options = {}) => {
        const request3 = { payload, headers: keyHeaders(options) };
        return options.version === "v1" ? api.startV1(request3) : api.start(request3);
      }
    );
    return { start: start3, ...operations("Crawl", "crawl", api, yield* Connection) };
  })
}) {
};

// src/Client/CrawlPreview.ts
import * as Effect14 from "effect/Effect";
var CrawlPreview = class extends Effect14.Service()("sluice/Client/CrawlPreview", {
  effect: Effect14.gen(function* () {
    const api = yield* calls("crawlPreview");
    return {
      /** Parameters that a crawl of `url` would need to do what the prompt says; nothing is crawled. */
      run: Effect14.fn("CrawlPreview.run")((payload) => asRead(api.preview({ payload })))
    };
  })
}) {
};

// src/Client/Map.ts
import * as Effect15 from "effect/Effect";
var Map2 = class extends Effect15.Service()("sluice/Client/Map", {
  effect: Effect15.gen(function* () {
    const api = yield* calls("map");
    return {
      /** Links as objects (v2) or as plain URLs (v1). */
      run: Effect15.fn("Map.run")((payload, options = {}) => {
        const request3 = { payload, headers: keyHeaders(options) };
        return asRead(options.version === "v1" ? api.mapV1(request3) : api.map(request3));
      })
    };
  })
}) {
};

// src/Client/Parse.ts
import * as FileSystem from "@effect/platform/FileSystem";
import * as Effect16 from "effect/Effect";
import * as Schema2 from "effect/Schema";
var checkOptions = Schema2.encodeUnknown(ParseOptions);
var Parse = class extends Effect16.Service()("sluice/Client/Parse", {
  effect: Effect16.gen(function* () {
    const api = yield* calls("parse");
    const files2 = yield* FileSystem.FileSystem;
    const { baseUrl } = yield* Connection;
    const call2 = { method: "POST", url: `${baseUrl}/v2/parse` };
    const checkSize2 = (name, bytes) => bytes > maxFileSize ? new TooLarge({ ...call2, said: `${name} has ${bytes} bytes, the limit is ${maxFileSize}` }) : Effect16.void;
    const checkName = (name) => extensions.some((extension) => name.toLowerCase().endsWith(extension)) ? Effect16.void : new UnsupportedFile({ ...call2, said: `${name} does not end in ${extensions.join(", ")}` });
    const read4 = Effect16.fnUntraced(function* (path2, name) {
      const { size } = yield* files2.stat(path2);
      yield* checkSize2(name, Number(size));
      return yield* files2.readFile(path2);
    });
    const unreadable = (file) => (error) => new InvalidRequest({
      ...call2,
      details: [{ path: "file", message: `cannot read ${file}: ${fileErrorReason(error)}` }]
    });
    const load4 = ({ file, name }, label) => typeof file === "string" ? Effect16.catchTags(read4(file, name ?? label), { BadArgument: unreadable(file), SystemError: unreadable(file) }) : Effect16.as(checkSize2(label, file instanceof Blob ? file.size : file.byteLength), file);
    return {
      /** The file's content as a document. A file over 50 MB or of another type is refused before anything is sent. */
      parse: Effect16.fn("Parse.parse")(function* (input, options, key2 = {}) {
        const name = input.name ?? (typeof input.file === "string" ? input.file.split(/[\\/]/).at(-1) ?? "" : "");
        yield* checkName(name);
        const form = new FormData();
        if (options !== void 0) {
          yield* Effect16.mapError(checkOptions(options), (error) => invalidRequest(call2, error));
          form.append("options", JSON.stringify(options));
        }
        const content = yield* load4(input, name);
        form.append("file", content instanceof Blob ? content : new Blob([content]), name);
        return yield* asRead(api.parse({ payload: form, headers: keyHeaders(key2, options) }));
      })
    };
  })
}) {
};

// src/Client/Scrape.ts
import * as Effect17 from "effect/Effect";
var Scrape = class extends Effect17.Service()("sluice/Client/Scrape", {
  effect: Effect17.gen(function* () {
    const api = yield* calls("scrape");
    const run = Effect17.fn("Scrape.run")(
      (payload, options = {}) => {
        const request3 = { payload, headers: keyHeaders(options, payload) };
        return asRead(options.version === "v1" ? api.scrapeV1(request3) : api.scrape(request3));
      }
    );
    return { run };
  })
}) {
};

// src/Client/Search.ts
import * as Effect18 from "effect/Effect";
var keepsNothing = ({ enterprise, scrapeOptions }) => enterprise?.includes("zdr") === true || scrapeOptions?.zeroDataRetention === true;
var Search = class extends Effect18.Service()("sluice/Client/Search", {
  effect: Effect18.gen(function* () {
    const api = yield* calls("search");
    return {
      /** Results by source; each source has up to `limit` of them. Nothing found is `data: {}` with a `warning`. */
      run: Effect18.fn("Search.run")(
        (payload, options = {}) => asRead(api.search({ payload, headers: keyHeaders(options, { zeroDataRetention: keepsNothing(payload) }) }))
      )
    };
  })
}) {
};

// src/Client/TokenUsage.ts
import * as Effect19 from "effect/Effect";
var TokenUsage = class extends Effect19.Service()("sluice/Client/TokenUsage", {
  effect: Effect19.gen(function* () {
    const api = yield* calls("tokenUsage");
    return {
      /** Tokens by calendar month (UTC), oldest first; the present month's `endDate` is null. A credit is 15 tokens. */
      historical: Effect19.fn("TokenUsage.historical")(
        ({ version: version2, byApiKey = false } = {}) => version2 === "v1" ? api.historicalV1({ urlParams: { byApiKey } }) : api.historical({ urlParams: { byApiKey } })
      ),
      /** Tokens left. */
      balance: Effect19.fn("TokenUsage.balance")(
        ({ version: version2 } = {}) => version2 === "v1" ? api.balanceV1() : api.balance()
      ),
      /** Credits left. */
      credits: Effect19.fn("TokenUsage.credits")(
        ({ version: version2 } = {}) => version2 === "v1" ? api.creditsV1() : api.credits()
      ),
      /** As `historical`, in credits; v2 only. */
      historicalCredits: Effect19.fn("TokenUsage.historicalCredits")(
        ({ byApiKey = false } = {}) => api.historicalCredits({ urlParams: { byApiKey } })
      ),
      /** Requests running now, and how many may. */
      concurrency: Effect19.fn("TokenUsage.concurrency")(() => api.concurrency()),
      /** Jobs waiting and running. */
      queueStatus: Effect19.fn("TokenUsage.queueStatus")(() => api.queueStatus())
    };
  })
}) {
};

// src/Ledger.ts
var Ledger_exports = {};
__export(Ledger_exports, {
  Ledger: () => Ledger,
  LedgerError: () => LedgerError,
  Locked: () => Locked,
  database: () => database,
  layer: () => layer4,
  layerPostgres: () => layerPostgres,
  over: () => over
});
import { hostname } from "node:os";
import * as FileSystem3 from "@effect/platform/FileSystem";
import * as Path from "@effect/platform/Path";
import * as SqlClient from "@effect/sql/SqlClient";
import * as Clock5 from "effect/Clock";
import * as Effect20 from "effect/Effect";
import * as Layer3 from "effect/Layer";
var pragmas = [
  // Lets Retention return the space of deleted runs to the disk.
  "auto_vacuum = INCREMENTAL",
  // A commit has reached the disk when it returns.
  "synchronous = FULL",
  "cache_size = -32000",
  // Checkpoint the WAL every 32 MB, so that a burst of answers is copied into the file only once.
  "wal_autocheckpoint = 8000"
];
var database = (file) => layer({ file, parts: { ledger: migrations }, pragmas });
var hostId = Effect20.gen(function* () {
  const files2 = yield* FileSystem3.FileSystem;
  const space2 = yield* Effect20.orElseSucceed(files2.readLink("/proc/self/ns/pid"), () => "");
  return `${hostname()}/${space2}`;
});
var over = (place) => Layer3.effect(
  Ledger,
  Effect20.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const heartbeat = {
      interval: 5e3,
      // After three missed heartbeats the lock is free.
      timeout: 15e3,
      now: Effect20.map(Clock5.currentTimeMillis, (now) => sql`${now}`),
      lastBeat: sql.literal("beat")
    };
    return make({ sql, place, host: yield* hostId, heartbeat, isShared: false, retryRead: (read4) => read4 });
  })
);
var layer4 = (dataDir) => Layer3.unwrapEffect(
  Effect20.map(Path.Path, (path2) => {
    const file = path2.join(dataDir, "ledger.db");
    return over(file).pipe(Layer3.provide(database(file)), Layer3.mapError(notOpened));
  })
);
var layerPostgres = (url) => Layer3.unwrapEffect(
  Effect20.map(
    Effect20.promise(() => import("./lib-HWSGQIRN.js")),
    ({ layer: layer5 }) => layer5(url)
  )
);

// src/Step/StepError.ts
import * as Data2 from "effect/Data";
import * as Predicate from "effect/Predicate";
var StepError = class _StepError extends Data2.TaggedError("StepError") {
  constructor({ exitCode = ExitCode.failed, scope: scope4 = "row", ...fields7 }) {
    super({ ...fields7, scope: scope4, exitCode });
  }
  /**
   * By tag and reason: the command line and a project that imports the library have a copy of these classes each, and errors
   * of the project's own steps pass from one to the other.
   */
  static [Symbol.hasInstance](value4) {
    return Predicate.isTagged(value4, "StepError") && (this.reason === void 0 || Predicate.hasProperty(value4, "reason") && value4.reason === this.reason);
  }
  /** Failure of a part as the step's: the message says what to do, the tag is the reason. */
  static of(error) {
    const { _tag: reason, exitCode, message, scope: scope4 } = error;
    return new _StepError({ reason, message, cause: error, scope: scope4, exitCode });
  }
  /** The same failure, of the same class, with more said about it. */
  with(more) {
    const { attempts, cause, definedAt: definedAt2, exitCode, message, reason, scope: scope4, status, step: step2 } = this;
    const copy = new _StepError({
      ...{ reason, message, cause, status, scope: scope4, exitCode, attempts, step: step2, definedAt: definedAt2 },
      ...more
    });
    return Object.setPrototypeOf(copy, Object.getPrototypeOf(this));
  }
};
var declare = (reason, declared) => class extends StepError {
  static reason = reason;
  constructor(fields7) {
    super({ ...fields7, ...declared, reason });
  }
};
var BudgetReached = class extends declare("BudgetReached", { scope: "run", exitCode: ExitCode.budgetReached }) {
};
var Stopped = class extends declare("Stopped", { scope: "run", exitCode: ExitCode.failed }) {
};
var RunStopped = class extends declare("RunStopped", { scope: "run", exitCode: ExitCode.failed }) {
};
var TooManyRejects = class extends declare("TooManyRejects", { scope: "run", exitCode: ExitCode.tooManyRejects }) {
};
var RejectsUnwritable = class extends declare("RejectsUnwritable", { scope: "run", exitCode: ExitCode.failed }) {
};
var CheckFailed = class extends declare("CheckFailed", { scope: "row", exitCode: ExitCode.checkFailed }) {
};
var NotAllowed = class extends declare("NotAllowed", { scope: "row", exitCode: ExitCode.failed }) {
};
var PinUnusable = class extends declare("PinUnusable", { scope: "step", exitCode: ExitCode.invalid }) {
};
var kinds = [
  BudgetReached,
  Stopped,
  RunStopped,
  TooManyRejects,
  RejectsUnwritable,
  CheckFailed,
  NotAllowed,
  PinUnusable
];
var restored = ({ attempts, message, reason, status }, others = []) => {
  const Kind = kinds.find((each) => each.reason === reason);
  if (Kind !== void 0) return new Kind({ message, attempts, status });
  const { exitCode, scope: scope4 } = others.find(({ prototype }) => prototype.name === reason)?.prototype ?? {};
  return new StepError({ reason, message, attempts, status, exitCode, scope: scope4 });
};

// src/Step.ts
var make8 = (step2) => step2;
var operationOf = ({ service }, fields7) => typeof service === "function" ? service(fields7) : service;

// src/Sink/SinkErrors.ts
var SinkErrors_exports = {};
__export(SinkErrors_exports, {
  ColumnMismatch: () => ColumnMismatch,
  CommitUnreadable: () => CommitUnreadable,
  DiskFull: () => DiskFull,
  FolderNotWritable: () => FolderNotWritable,
  HeaderMismatch: () => HeaderMismatch,
  IsDirectory: () => IsDirectory,
  LinkChanged: () => LinkChanged,
  NewField: () => NewField,
  NoStdout: () => NoStdout,
  NotGzip: () => NotGzip,
  NotPublished: () => NotPublished,
  NotRegularFile: () => NotRegularFile,
  OriginalChanged: () => OriginalChanged,
  OutputRefused: () => OutputRefused,
  PartialMissing: () => PartialMissing,
  PartitionFailed: () => PartitionFailed,
  PathTaken: () => PathTaken,
  StdoutClosed: () => StdoutClosed,
  StdoutTaken: () => StdoutTaken,
  TrialReplaces: () => TrialReplaces,
  Unserializable: () => Unserializable,
  WriteFailed: () => WriteFailed,
  fileError: () => fileError,
  isRowError: () => isRowError,
  makeGuard: () => makeGuard,
  onEach: () => onEach
});
import * as Cause from "effect/Cause";
import * as Effect21 from "effect/Effect";
var FolderNotWritable = class extends TypedError("FolderNotWritable", { scope: "step" }) {
  get message() {
    return `Cannot write ${this.path}: ${fileErrorReason(this.cause)}. Give a folder that you may write to with --out, or change its permissions.`;
  }
};
var DiskFull = class extends TypedError("DiskFull", { scope: "step" }) {
  get message() {
    const { bytes, rows: rows3 } = this.committed;
    return `No space left on the device of ${this.path}: ${rows3} ${rows3 === 1 ? "row" : "rows"} (${bytes} bytes) of it are safe in the partial file. Free some space and resume the run.`;
  }
};
var IsDirectory = class extends TypedError("IsDirectory", { scope: "step" }) {
  get message() {
    return `Cannot write ${this.path}: it is a folder. Give the path of a file.`;
  }
};
var OutputRefused = class extends TypedError("OutputRefused", { scope: "step" }) {
  get message() {
    return `Cannot write ${this.path}: ${this.reason}`;
  }
};
var NotRegularFile = class extends TypedError("NotRegularFile", { scope: "step" }) {
  get message() {
    return `Cannot write ${this.path}: it is ${this.is}, and write replaces regular files only. Give the path of a file.`;
  }
};
var LinkChanged = class extends TypedError("LinkChanged", { scope: "step" }) {
  get message() {
    return `${this.path} led to ${this.before} when the run began, and leads to ${this.now} now: nothing was replaced. The rows are in ${this.partial}. Put the link back and resume the run, or start it again.`;
  }
};
var TrialReplaces = class extends TypedError("TrialReplaces", { scope: "step" }) {
  get message() {
    return `${this.path} is there already, and a trial (--limit) replaces only what trials have written. Run without --out, choose another --out folder, or delete the file.`;
  }
};
var PartialMissing = class extends TypedError("PartialMissing", { scope: "step" }) {
  get message() {
    const found = this.found === void 0 ? "it is gone" : `it has ${this.found}`;
    return `Cannot go on with ${this.path}: ${this.expected} bytes were committed and ${found}. Start the run again instead of resuming it.`;
  }
};
var CommitUnreadable = class extends TypedError("CommitUnreadable", { scope: "step" }) {
  get message() {
    return `Cannot resume ${this.path}: the state that its sink has saved does not fit this version of the sink. Resume with the version that began the run, or start the run again.`;
  }
};
var NotPublished = class extends TypedError("NotPublished", { scope: "step" }) {
  get message() {
    return `${this.path} cannot be published: its partial file ${this.partial} is gone. Start the run again.`;
  }
};
var WriteFailed = class extends TypedError("WriteFailed", { scope: "step" }) {
  get message() {
    return `Writing ${this.path} failed: ${fileErrorReason(this.cause)}. Mend that, then resume the run, or start it again.`;
  }
};
var NewField = class extends TypedError("NewField", { scope: "row" }) {
  get message() {
    return `Field "${this.column}" has no column: add it to columns, or set onNewField to drop.`;
  }
};
var ColumnMismatch = class extends TypedError("ColumnMismatch", { scope: "row" }) {
  get message() {
    return `Column "${this.column}" takes ${this.expected}, got ${this.actual}: make it fit in a select before, or choose another type in columns.`;
  }
};
var HeaderMismatch = class extends TypedError("HeaderMismatch", { scope: "step" }) {
  get message() {
    return `Cannot append to ${this.path}: its first line is ${this.found}, that of these columns ${this.expected}. Use the same columns, or mode: replace.`;
  }
};
var Unserializable = class extends TypedError("Unserializable", { scope: "row" }) {
  get message() {
    return `A row cannot be written as ${this.format}: ${String(this.cause)}.`;
  }
};
var PartitionFailed = class extends TypedError("PartitionFailed", { scope: "row" }) {
  get message() {
    return `partitionBy.${this.name} has no value for a row: ${this.cause.message}.`;
  }
};
var OriginalChanged = class extends TypedError("OriginalChanged", { scope: "step" }) {
  get message() {
    return `${this.path} has changed since this run began to append to it: nothing of it was touched. What it was, with this run's rows behind it, is in ${this.partial}. Start the run again.`;
  }
};
var NotGzip = class extends TypedError("NotGzip", { scope: "step" }) {
  get message() {
    return `Cannot append to ${this.path}: it is not compressed with gzip. Use gzip: false or another path, or mode: replace.`;
  }
};
var PathTaken = class extends TypedError("PathTaken", { scope: "step" }) {
  get message() {
    return `${this.path} is written by two steps of this pipeline at once: give one of them another path.`;
  }
};
var NoStdout = class extends TypedError("NoStdout", { scope: "step" }) {
  get message() {
    return 'Cannot write to "-": only sluice run, resume and replay on this machine, without --json, have a standard output for rows; schedules, workers, the dashboard and programs do not. Give the path of a file.';
  }
};
var StdoutTaken = class extends TypedError("StdoutTaken", { scope: "step" }) {
  get message() {
    return 'Standard output is written by two steps of this pipeline: leave one "-", and give the other step the path of a file.';
  }
};
var StdoutClosed = class extends TypedError("StdoutClosed", { scope: "step" }) {
  get message() {
    return "The reader of standard output has closed it: rows after the last commit will be written again on resume.";
  }
};
var isRowError = (error) => error.scope === "row";
var codeOf2 = (error) => String(error.cause?.code ?? "");
var fileError = (path2, committed) => (cause) => {
  const code = codeOf2(cause);
  if (code === "ENOSPC" || code === "EDQUOT") return new DiskFull({ path: path2, committed, cause });
  if (code === "EISDIR") return new IsDirectory({ path: path2 });
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOENT", "ENAMETOOLONG", "ELOOP"].includes(code)) {
    return new FolderNotWritable({ path: path2, cause });
  }
  return new WriteFailed({ path: path2, cause });
};
var onEach = (files2, work) => Effect21.suspend(() => {
  const all5 = [...files2];
  const [first] = all5;
  if (first === void 0) return Effect21.void;
  if (all5.length === 1) return Effect21.asVoid(work(first));
  let failed3 = Cause.empty;
  const attempt3 = (file) => Cause.isEmpty(failed3) ? Effect21.catchAllCause(
    work(file),
    (cause) => Effect21.sync(() => {
      if (Cause.isEmpty(failed3)) failed3 = cause;
    })
  ) : Effect21.void;
  return Effect21.zipRight(
    Effect21.forEach(all5, attempt3, { concurrency: 4, discard: true }),
    Effect21.suspend(() => Cause.isEmpty(failed3) ? Effect21.void : Effect21.failCause(failed3))
  );
});
var makeGuard = () => {
  let failure2;
  return (effect3) => Effect21.suspend(() => failure2 === void 0 ? effect3 : Effect21.fail(failure2)).pipe(
    Effect21.tapError(
      (error) => Effect21.sync(() => {
        if (!isRowError(error)) failure2 = error;
      })
    )
  );
};

// src/Sink.ts
var Sink_exports = {};
__export(Sink_exports, {
  make: () => make11
});
import * as Effect31 from "effect/Effect";
import * as Either13 from "effect/Either";
import * as Schema9 from "effect/Schema";
import * as AST2 from "effect/SchemaAST";

// src/Sink/Codec.ts
import * as Either5 from "effect/Either";
import * as Schema3 from "effect/Schema";
var indexIn = (batch, at) => (batch.indexes?.[at] ?? at) + batch.offset;
var fromRowCodec = (format10, state, { begin: begin2, encode: encode2, finish, header = "" }) => ({
  format: format10,
  save: Schema3.encodeSync(state),
  restore: Schema3.decodeUnknownEither(state),
  begin: () => begin2,
  encode: (batch, from, to, before2, out, isFirst) => {
    if (isFirst && header !== "") out.put(header);
    const { items } = batch;
    let current2 = before2;
    let at = from;
    return Either5.try({
      try: () => {
        for (; at < to; at++) current2 = encode2(items[at], current2, out);
        return current2;
      },
      catch: (cause) => new Unserializable({ format: format10, index: indexIn(batch, at), cause })
    });
  },
  finish: (last, isEmpty2) => (isEmpty2 ? header : "") + (finish?.(last) ?? ""),
  header: () => header,
  lineEnd: "\n",
  rewrite: () => void 0
});
var initialSize = 1 << 16;
var maxIdleSize = 1 << 24;
var ByteBuffer = class {
  #bytes = Buffer.allocUnsafeSlow(initialSize);
  #end = 0;
  /** Bytes so far. */
  get end() {
    return this.#end;
  }
  /** Appends text as UTF-8. */
  put(text4) {
    const needed = this.#end + (text4.length < initialSize ? text4.length * 3 : Buffer.byteLength(text4));
    if (needed > this.#bytes.length) {
      const larger2 = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger2, 0, 0, this.#end);
      this.#bytes = larger2;
    }
    this.#end += this.#bytes.write(text4, this.#end);
  }
  /** Drops the bytes behind `end`. */
  rewind(end2) {
    if (end2 === 0 && this.#bytes.length > maxIdleSize && this.#end < maxIdleSize) {
      this.#bytes = Buffer.allocUnsafeSlow(initialSize);
    }
    this.#end = end2;
  }
  /** A view that is valid until the next `put`. */
  view(start3, end2) {
    return this.#bytes.subarray(start3, end2);
  }
};
var bigIntToString = (_5, value4) => typeof value4 === "bigint" ? value4.toString() : value4;
var jsonText = (value4) => Either5.orElse(
  Either5.try(() => JSON.stringify(value4)),
  () => Either5.try(() => JSON.stringify(value4, bigIntToString))
);

// src/Sink/Destination.ts
import * as NodePath2 from "node:path";
import * as Schema6 from "effect/Schema";

// src/Permissions/Paths.ts
import { existsSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import * as NodePath from "node:path";
var maxLinks = 40;
var attempt2 = (call2, path2) => {
  try {
    return call2(path2);
  } catch {
    return void 0;
  }
};
var realPath = (path2, links = 0) => {
  const absolute = NodePath.resolve(path2);
  const real = attempt2(realpathSync.native, absolute);
  if (real !== void 0) return real;
  const above = NodePath.dirname(absolute);
  if (above === absolute) return absolute;
  const folder = realPath(above, links);
  const to = links < maxLinks ? attempt2(readlinkSync, absolute) : void 0;
  return to === void 0 ? NodePath.join(folder, NodePath.basename(absolute)) : realPath(NodePath.resolve(folder, to), links + 1);
};
var isBelow = (path2, folder) => {
  const way = NodePath.relative(folder, path2);
  return way !== ".." && !way.startsWith(`..${NodePath.sep}`) && !NodePath.isAbsolute(way);
};
var isShared = (folder) => folder === NodePath.dirname(folder) || folder === realPath(homedir());

// src/Row/Nearest.ts
import { distance } from "fastest-levenshtein";
var nearest = (word, known4) => {
  const maxDistance = Math.max(2, Math.floor(word.length / 3));
  let best;
  for (const name of known4) {
    const away = distance(word.toLowerCase(), name.toLowerCase());
    if (away <= maxDistance && (best === void 0 || away < best.away)) best = { name, away };
  }
  return best?.name;
};
var didYouMean = (word, known4) => {
  const near = nearest(word, known4);
  return near === void 0 ? "" : `, did you mean "${near}"?`;
};

// src/Row/Size.ts
import * as Either6 from "effect/Either";
import * as ParseResult2 from "effect/ParseResult";
import * as Schema4 from "effect/Schema";
var unitBytes = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40
};
var SizeText = Schema4.transformOrFail(
  Schema4.String.annotations({ description: "a size like 512kB, 64MB, 1.5GB or 1GiB" }),
  Schema4.Number,
  {
    strict: true,
    decode: (text4, _5, ast) => {
      const match9 = /^(\d+(?:\.\d+)?)\s*([kmgt]?i?b)$/i.exec(text4.trim());
      const unit = unitBytes[match9?.[2]?.toLowerCase() ?? ""];
      const bytes = match9 === null || unit === void 0 ? 0 : Math.round(Number(match9[1]) * unit);
      return bytes >= 1 && Number.isSafeInteger(bytes) ? Either6.right(bytes) : Either6.left(new ParseResult2.Type(ast, text4, `"${text4}" is not a size: write 512kB, 64MB, 1.5GB or 1GiB`));
    },
    encode: (bytes) => Either6.right(`${bytes}B`)
  }
);

// src/Step/Field.ts
import * as Effect24 from "effect/Effect";
import * as Either10 from "effect/Either";
import * as Option4 from "effect/Option";
import * as ParseResult3 from "effect/ParseResult";
import * as Schema5 from "effect/Schema";
import * as AST from "effect/SchemaAST";

// src/Row/Expression.ts
import { isRegExp as isRegExp2 } from "node:util/types";
import * as Effect23 from "effect/Effect";
import * as Either9 from "effect/Either";

// src/Row/Expression/ExpressionErrors.ts
import * as Data3 from "effect/Data";
var excerpt2 = (source) => source.length > 80 ? `${source.slice(0, 77)}\u2026` : source;
var ExpressionError = class extends Data3.TaggedError("ExpressionError") {
  get message() {
    return `${this.reason} (character ${this.position + 1} of: ${excerpt2(this.source)})`;
  }
};
var EvaluationError = class extends Data3.TaggedError("EvaluationError") {
  get message() {
    return `${this.reason}, in: ${excerpt2(this.source)}`;
  }
};
var EvaluationFault = class {
  code;
  value;
  /** The operator or function. */
  token;
  /** Number of the argument, from 1. */
  index;
  constructor(code, value4, token = "", index = 0) {
    this.code = code;
    this.value = value4;
    this.token = token;
    this.index = index;
  }
};
var describe2 = (value4) => {
  if (value4 === void 0) return "nothing";
  if (Array.isArray(value4)) return `an array of ${value4.length}`;
  if (typeof value4 === "object" && value4 !== null) return "an object";
  if (typeof value4 === "function") return "a function";
  return typeof value4 === "string" ? JSON.stringify(excerpt2(value4)) : String(value4);
};
var reasons = {
  D1001: ({ value: value4 }) => `${String(value4)} is not a number in JSON`,
  D1002: ({ value: value4 }) => `- needs a number, got ${describe2(value4)}`,
  D1011: () => "the expression calls itself too deeply",
  D1012: () => "the expression took longer than a second for one row: select the part of the row that it needs in a step before",
  D2015: () => "the expression makes an array of more than a million values: filter or split them before",
  D2016: () => "the expression makes a string of more than 16 million characters: cut it with $substring before",
  D2017: () => "the expression makes more than five million values for one row: select fewer",
  D2020: () => "the expression gives strings of more than 64 million characters: select fewer",
  D2019: () => "numbers and dates are read from strings of at most 1,000 characters",
  D2018: () => "a picture has at most 1,000 characters, and no number above 1,000",
  D3070: () => "$sort without a function needs an array of numbers, or of strings",
  D3001: () => "$string cannot write infinity",
  D3030: ({ value: value4 }) => `$number cannot read ${describe2(value4)}`,
  D3020: () => "the limit of $split is a number from 0 up",
  T0410: ({ value: value4, token, index }) => `argument ${index} of $${token} cannot be ${describe2(value4)}`,
  T0411: ({ value: value4, token, index }) => `argument ${index} of $${token} is missing, and the row is ${describe2(value4)}`,
  T0412: ({ token, index }) => `argument ${index} of $${token} must be an array of one type`,
  T2001: ({ value: value4, token }) => `the left side of ${token} must be a number, got ${describe2(value4)}`,
  T2002: ({ value: value4, token }) => `the right side of ${token} must be a number, got ${describe2(value4)}`,
  T2009: ({ token }) => `both sides of ${token} must be numbers, or both strings`,
  T2010: ({ value: value4, token }) => `${token} compares numbers or strings, got ${describe2(value4)}`
};
var codeOfNative = (cause) => {
  if (field(cause, "name") !== "RangeError") return "D0000";
  return /string length/.test(String(field(cause, "message"))) ? "D2016" : "D1011";
};
var field = (cause, name) => cause[name];
var evaluationError = (source, cause) => {
  if (cause instanceof EvaluationError) return cause;
  if (typeof cause !== "object" || cause === null)
    return new EvaluationError({ source, code: "D0000", reason: String(cause) });
  const code = String(field(cause, "code") ?? codeOfNative(cause));
  const token = field(cause, "token");
  const index = field(cause, "index");
  const fault2 = new EvaluationFault(
    code,
    field(cause, "value"),
    String(token ?? ""),
    typeof index === "number" ? index : 0
  );
  const reason = reasons[code]?.(fault2) ?? String(field(cause, "message") ?? "the evaluation failed");
  return new EvaluationError({ source, code, reason });
};

// src/Row/Expression/Functions.ts
import * as Either7 from "effect/Either";
var maxSlugInput = 1e5;
var slug = (text4) => text4.slice(0, maxSlugInput).normalize("NFKD").replace(new RegExp("\\p{M}+", "gu"), "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80).replace(/^-+|-+$|[\ud800-\udbff]$/g, "").normalize("NFC");
var maxDateLength = 1e3;
var parseTime = (value4) => {
  if (typeof value4 === "number") return Number.isNaN(new Date(value4).getTime()) ? void 0 : value4;
  const text4 = value4.length > maxDateLength ? "" : value4.trim();
  if (!/\d/.test(text4) || !/^(\d{4}-|[A-Za-z]{3,9},? |\d{1,2} [A-Za-z]{3})/.test(text4)) return void 0;
  const zoned = /(z|[+-]\d{2}:?\d{2}|\b(gmt|utc?|[ecmp][sd]t))\)?$/i.test(text4) || /^\d{4}-\d{2}-\d{2}$/.test(text4);
  const parsed = Date.parse(zoned ? text4 : /^\d{4}-/.test(text4) ? `${text4}Z` : `${text4} UTC`);
  return Number.isNaN(parsed) ? void 0 : parsed;
};
var parseJson = (text4) => Either7.getOrUndefined(Either7.try(() => parseShallow(text4)));
var ofText = {
  host,
  canonicalUrl,
  sha256,
  slug,
  json: parseJson
};
var date = (value4) => {
  const millis5 = parseTime(value4);
  return millis5 === void 0 ? void 0 : new Date(millis5).toISOString();
};
var shuffle = (values, random2) => {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const chosen = Math.floor(random2() * (last + 1));
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen], shuffled[last]];
  }
  return shuffled;
};
var functionNames = [
  ..."sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match".split(
    " "
  ),
  ..."contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt".split(
    " "
  ),
  ..."power random boolean not map zip filter single reduce sift keys lookup append exists spread merge reverse each".split(
    " "
  ),
  ..."error assert type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent".split(
    " "
  ),
  ..."decodeUrl toMillis fromMillis clone now millis".split(" "),
  ...Object.keys(ofText),
  "date"
];

// src/Row/Expression/Limits.ts
import * as Effect22 from "effect/Effect";
var limits = {
  /** CPU time per row, in milliseconds. */
  timeout: 1e3,
  /** Wall-clock time per row, in milliseconds: the limit on an overloaded machine, where CPU time advances slowly. */
  wallTime: 5e3,
  /** Maximum call depth. */
  stack: 1e4,
  /** Maximum length of an array. */
  sequence: 1e6,
  /** Maximum number of values in a result, at any depth. */
  values: 5e6,
  /** Maximum length of a string that an expression builds, in UTF-16 units. A built-in function of V8 takes about 50 ms for it. */
  built: 16 * 1024 * 1024,
  /** Maximum total length of the strings in a result, in UTF-16 units. */
  text: 64 * 1024 * 1024,
  /** Maximum length of a picture like `[Y0001]-[M01]`, and of the numbers in it. */
  picture: 1e3
};
var stride = 4096;
var isEvaluating = false;
var started;
var used = 0;
var left3 = stride;
var clocks = process;
var cpuTime = () => {
  const { user, system } = clocks.threadCpuUsage?.() ?? clocks.cpuUsage();
  return user + system;
};
var readClock = () => {
  left3 = stride;
  if (!isEvaluating) return;
  const now = performance.now();
  if (started === void 0) {
    started = now;
    used = cpuTime();
    return;
  }
  const elapsed = now - started;
  if (elapsed <= limits.timeout) return;
  if (elapsed > limits.wallTime || cpuTime() - used > limits.timeout * 1e3)
    throw new EvaluationFault("D1012", void 0);
};
var step = (cost7 = 1) => {
  left3 -= cost7;
  if (left3 < 0) readClock();
};
var weigh = (value4) => {
  if (typeof value4 === "string") {
    if (value4.length > 256) step(value4.length >> 6);
  } else if (Array.isArray(value4) && value4.length > 64) step(value4.length >> 3);
};
var wasLong = () => {
  if (started === void 0) return false;
  started = void 0;
  return true;
};
var beginRow = () => {
  isEvaluating = true;
  started = void 0;
};
var endRow = () => {
  isEvaluating = false;
};
var push = (values, value4) => {
  step();
  if (values.length >= limits.sequence) throw new EvaluationFault("D2015", values.length);
  return values.push(value4);
};
var checkText = (length, max3 = limits.built) => {
  if (!(length <= max3)) throw new EvaluationFault(max3 === limits.built ? "D2016" : "D2020", length);
};
var checkPicture = (picture) => {
  if (typeof picture !== "string") return;
  if (picture.length > limits.picture) throw new EvaluationFault("D2018", picture.length);
  for (const [digits2] of picture.matchAll(/\d+/g))
    if (Number(digits2) > limits.picture) throw new EvaluationFault("D2018", digits2);
};
var counter2 = (characters = limits.built) => {
  let values = 0;
  let read4 = 0;
  return (value4, name = "") => {
    step();
    if (++values > limits.values) throw new EvaluationFault("D2017", value4);
    const length = name.length + (typeof value4 === "string" ? value4.length : 0);
    if (length > 0) {
      read4 += length;
      step(length >> 6);
      checkText(read4, characters);
    }
  };
};
var sliceDuration = 25;
var rowsAtOnce = 128;
var runSlice = (rows3, evaluate2, recover, results) => {
  const end2 = performance.now() + sliceDuration;
  do {
    const last = Math.min(rows3.length, results.length + rowsAtOnce);
    for (let index = results.length; index < last; index++) {
      try {
        results.push(evaluate2(rows3[index], index));
      } catch (cause) {
        results.push(recover(cause, index));
      }
      if (wasLong()) break;
    }
  } while (results.length < rows3.length && performance.now() < end2);
};
var inSlices = (rows3, evaluate2, recover) => {
  const results = [];
  const next = Effect22.suspend(() => {
    runSlice(rows3, evaluate2, recover, results);
    return results.length < rows3.length ? Effect22.zipRight(nextTurn, next) : Effect22.succeed(results);
  });
  return next;
};

// src/Row/Expression/PathReader.ts
var Sequence = class extends Array {
};
var collapse = (sequence2) => {
  if (sequence2.length === 0) return void 0;
  return sequence2.length === 1 ? sequence2[0] : sequence2;
};
var gather = (list3, key2, into) => {
  for (const item of list3) {
    if (Array.isArray(item)) gather(item, key2, into);
    else {
      const value4 = own(item, key2);
      if (Array.isArray(value4)) for (const each of value4) into.push(each);
      else if (value4 !== void 0) into.push(value4);
    }
  }
  return into;
};
var own = (value4, key2) => typeof value4 === "object" && value4 !== null && Object.hasOwn(value4, key2) ? value4[key2] : void 0;
var pick = (value4, position) => {
  const list3 = Array.isArray(value4) ? value4 : [value4];
  const index = Math.floor(position);
  const item = list3[index < 0 ? list3.length + index : index];
  if (Array.isArray(item)) return item;
  return item === void 0 ? new Sequence() : Sequence.of(item);
};
var take = (item, step2) => step2.picks.reduce(
  pick,
  Array.isArray(item) ? collapse(gather(item, step2.key, new Sequence())) : own(item, step2.key)
);
var readEach = (start3, steps, from) => {
  let items = start3;
  for (let at = from; at < steps.length; at++) {
    const step2 = steps[at];
    if (step2 === void 0) break;
    const taken2 = [];
    for (const item of items) {
      const value4 = take(item, step2);
      if (value4 !== void 0) taken2.push(value4);
    }
    const [only2] = taken2;
    if (at === steps.length - 1 && taken2.length === 1 && Array.isArray(only2) && !(only2 instanceof Sequence)) return only2;
    const next = new Sequence();
    for (const value4 of taken2) {
      if (Array.isArray(value4)) for (const each of value4) next.push(each);
      else next.push(value4);
    }
    if (next.length === 0) return void 0;
    items = next;
  }
  return items.length === 1 ? items[0] : items;
};
var makeReader = (steps) => {
  const plain = steps.every((step2) => step2.picks.length === 0);
  const keys = steps.map((step2) => step2.key);
  const [first, second] = keys;
  if (!plain) {
    return (start3) => start3 === void 0 ? void 0 : readEach(Array.isArray(start3) ? start3 : [start3], steps, 0);
  }
  if (keys.length === 1 && first !== void 0) {
    return (start3) => Array.isArray(start3) ? readEach(start3, steps, 0) : own(start3, first);
  }
  if (keys.length === 2 && first !== void 0 && second !== void 0) {
    return (start3) => {
      if (Array.isArray(start3)) return readEach(start3, steps, 0);
      const value4 = own(start3, first);
      return Array.isArray(value4) ? readEach(value4, steps, 1) : own(value4, second);
    };
  }
  return (start3) => {
    let value4 = start3;
    let at = 0;
    for (const key2 of keys) {
      if (Array.isArray(value4)) return readEach(value4, steps, at);
      value4 = own(value4, key2);
      if (value4 === void 0) return void 0;
      at++;
    }
    return value4;
  };
};

// src/Row/Expression/Operators.ts
var isNumeric = (value4) => {
  if (typeof value4 !== "number" || Number.isNaN(value4)) return false;
  if (!Number.isFinite(value4)) throw new EvaluationFault("D1001", value4);
  return true;
};
var toBoolean = (value4) => {
  if (value4 === void 0) return void 0;
  if (Array.isArray(value4))
    return value4.length === 1 ? toBoolean(value4[0]) : value4.some((item) => toBoolean(item) === true);
  if (typeof value4 === "string") return value4 !== "";
  if (isNumeric(value4)) return value4 !== 0;
  if (typeof value4 === "object" && value4 !== null) return Object.keys(value4).length > 0;
  return value4 === true;
};
var isFunction = (value4) => typeof value4 === "function" || typeof value4 === "object" && value4 !== null && ("_jsonata_lambda" in value4 || "_jsonata_function" in value4);
var toText = (value4, indent = 0) => {
  if (value4 === void 0 || typeof value4 === "string") return value4;
  if (typeof value4 === "number" && !Number.isFinite(value4)) throw new EvaluationFault("D3001", value4);
  return typeof value4 === "object" && value4 !== null ? write(value4, indent) : JSON.stringify(value4, (_5, item) => shorten2(item));
};
var shorten2 = (value4) => isNumeric(value4) && !Number.isInteger(value4) ? Number(value4.toPrecision(15)) : value4;
var write = (value4, indent) => {
  const count2 = counter2();
  const text4 = JSON.stringify(
    value4,
    function(name, item) {
      count2(item, Array.isArray(this) ? "" : name);
      return isFunction(item) ? "" : shorten2(item);
    },
    indent
  );
  checkText(text4.length);
  return text4;
};
var concatenate = (left15, right15) => {
  const start3 = toText(left15) ?? "";
  const end2 = toText(right15) ?? "";
  checkText(start3.length + end2.length);
  return start3 + end2;
};
var equal = (left15, right15) => {
  if (typeof left15 !== "object" || typeof right15 !== "object" || left15 === null || right15 === null) return left15 === right15;
  return equalInDepth(left15, right15);
};
var equalInDepth = (left15, right15) => {
  step();
  weigh(left15);
  if (left15 === right15) return true;
  if (typeof left15 !== "object" || typeof right15 !== "object" || left15 === null || right15 === null) return false;
  if (Array.isArray(left15) && Array.isArray(right15)) {
    return left15.length === right15.length && left15.every((item, index) => equalInDepth(item, right15[index]));
  }
  if (left15 instanceof Sequence || right15 instanceof Sequence) return false;
  const names2 = Object.getOwnPropertyNames(left15);
  if (names2.length !== Object.getOwnPropertyNames(right15).length) return false;
  const one2 = left15;
  const other = right15;
  return names2.every((name) => Object.hasOwn(other, name)) && names2.every((name) => equalInDepth(one2[name], other[name]));
};
var comparable = (value4) => value4 === void 0 || typeof value4 === "string" || typeof value4 === "number";
var compare = (token, accept) => (left15, right15) => {
  if (!comparable(left15) || !comparable(right15))
    throw new EvaluationFault("T2010", comparable(left15) ? right15 : left15, token);
  if (left15 === void 0 || right15 === void 0) return void 0;
  if (typeof left15 !== typeof right15) throw new EvaluationFault("T2009", left15, token);
  return accept(left15, right15);
};
var calculate = (token, result) => (left15, right15) => {
  if (left15 !== void 0 && !isNumeric(left15)) throw new EvaluationFault("T2001", left15, token);
  if (right15 !== void 0 && !isNumeric(right15)) throw new EvaluationFault("T2002", right15, token);
  return left15 === void 0 || right15 === void 0 ? void 0 : result(left15, right15);
};
var includes = (value4, list3) => {
  if (value4 === void 0 || list3 === void 0) return false;
  return Array.isArray(list3) ? list3.indexOf(value4) !== -1 : list3 === value4;
};
var operators = /* @__PURE__ */ new Map([
  ["=", (left15, right15) => left15 !== void 0 && right15 !== void 0 && equal(left15, right15)],
  ["!=", (left15, right15) => left15 !== void 0 && right15 !== void 0 && !equal(left15, right15)],
  ["<", compare("<", (left15, right15) => left15 < right15)],
  ["<=", compare("<=", (left15, right15) => left15 <= right15)],
  [">", compare(">", (left15, right15) => left15 > right15)],
  [">=", compare(">=", (left15, right15) => left15 >= right15)],
  ["+", calculate("+", (left15, right15) => left15 + right15)],
  ["-", calculate("-", (left15, right15) => left15 - right15)],
  ["*", calculate("*", (left15, right15) => left15 * right15)],
  ["/", calculate("/", (left15, right15) => left15 / right15)],
  ["%", calculate("%", (left15, right15) => left15 % right15)],
  ["&", concatenate],
  ["in", includes]
]);

// src/Row/Expression/Regex.ts
import * as Either8 from "effect/Either";
import { RE2JS } from "re2js";
var space = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
var notSpace = "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
var outside = {
  "\\s": `[${space}]`,
  "\\S": `[${notSpace}]`,
  ".": "[^\\n\\r\\x{2028}\\x{2029}]"
};
var inside = { "\\s": space, "\\S": notSpace, "\\b": "\\x08" };
var translate = (source) => {
  let inClass = false;
  return RE2JS.translateRegExp(source).replace(/\\[\s\S]|[\s\S]/g, (token) => {
    if (token === "[" && !inClass) {
      inClass = true;
      return token;
    }
    if (token === "]") inClass = false;
    if (token === "[") return "\\[";
    return (inClass ? inside : outside)[token] ?? token;
  });
};
var atom = String.raw`(?:[^\\^$.*+?()[\]{}|]|\.|\\[dDwWsStnrfv\\/.^$*+?()[\]{}|-]|\[\^?(?:[^\\\]]|\\[dDwWsStnrfv\\/.^$[\]-])+\])(?:\{\d{1,2}\})?`;
var branch = String.raw`\^?(?:${atom})*(?:${atom}[*+?]\??)?`;
var withoutBacktracking = new RegExp(`^${branch}(?:\\|${branch})*$`);
var compiled2 = /* @__PURE__ */ new WeakMap();
var compile = (regex) => {
  const known4 = compiled2.get(regex);
  if (known4 !== void 0) return known4;
  const flags = (regex.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (regex.multiline ? RE2JS.MULTILINE : 0);
  const made = RE2JS.compile(translate(regex.source), flags);
  compiled2.set(regex, made);
  return made;
};
var whyNotLinear = (regex) => {
  const { source } = regex;
  if (/^(?:[^\\]|\\[^1-9k])*\\(?:[1-9]|k<)/.test(source)) return "back-references are not supported";
  if (/\(\?<?[=!]/.test(source)) return "look-ahead and look-behind are not supported";
  if (withoutBacktracking.test(source)) return void 0;
  return throws(() => compile(regex));
};
var throws = (attempt3) => {
  const outcome = Either8.try(attempt3);
  return Either8.isRight(outcome) ? void 0 : String(outcome.left).replace(/^\w+: error parsing regexp: /, "");
};
var LinearRegExp = class {
  lastIndex = 0;
  #engine;
  constructor(regex) {
    this.#engine = withoutBacktracking.test(regex.source) ? nativeEngine(regex) : linearEngine(regex);
  }
  exec(text4) {
    const from = this.lastIndex;
    const match9 = from > text4.length ? null : this.#engine(text4, from);
    const end2 = match9 === null ? text4.length : match9.index + (match9[0] ?? "").length;
    step(1 + (end2 - from >> 4));
    this.lastIndex = match9 === null ? 0 : end2;
    return match9;
  }
};
var widthOf = ({ source }) => {
  let width = source.length;
  for (const [, count2] of source.matchAll(/\{(\d+)\}/g)) width += Number(count2);
  return width;
};
var maxNative = 5e7;
var nativeEngine = (regex) => {
  const maxLength = maxNative / widthOf(regex);
  let counted;
  return (text4, from) => {
    if (text4.length > maxLength) {
      counted ??= linearEngine(regex);
      return counted(text4, from);
    }
    regex.lastIndex = from;
    return regex.exec(text4);
  };
};
var CountedText = class extends String {
  charCodeAt(index) {
    step();
    return super.charCodeAt(index);
  }
};
var shortText = 1e4;
var inputOf = (text4) => {
  if (text4.length <= shortText) return text4;
  const counted = new CountedText(text4);
  return counted;
};
var linearEngine = (regex) => {
  const re2 = compile(regex);
  let searched;
  let matcher = re2.matcher("");
  return (text4, from) => {
    if (searched !== text4) {
      searched = text4;
      matcher = re2.matcher(inputOf(text4));
    }
    if (text4.length <= shortText) step(text4.length - from >> 2);
    if (!matcher.find(from)) return null;
    const groups = [];
    for (let group2 = 0; group2 <= matcher.groupCount(); group2++) groups.push(matcher.group(group2) ?? void 0);
    return Object.assign(groups, { index: matcher.start() });
  };
};

// src/Row/Expression/Builtins.ts
var letterOf = (value4) => {
  if (value4 === void 0) return "m";
  if (value4 === null) return "l";
  if (Array.isArray(value4)) return "a";
  if (value4 instanceof LinearRegExp) return "f";
  return typeof value4 === "object" ? "o" : (typeof value4).charAt(0);
};
var patternOf = ({ type }) => type === "a" || type === "x" ? "[asnblfom]" : `[${type}m]`;
var fitsList = (value4, letter, of) => {
  if (of === void 0) return true;
  if (!Array.isArray(value4)) return letter === of;
  return value4.every((item) => letterOf(item) === of);
};
var makeFitter = (token, parameters) => {
  const groups = parameters.map((each) => patternOf(each) + (each.context || each.optional ? "?" : ""));
  const whole = new RegExp(`^${groups.map((group2) => `(${group2})`).join("")}$`);
  const contexts = parameters.map((each) => new RegExp(patternOf(each)));
  const refuse5 = (given, letters) => {
    let matched = 0;
    for (let count2 = 1; count2 <= groups.length; count2++) {
      const match9 = new RegExp(`^${groups.slice(0, count2).join("")}`).exec(letters);
      if (match9 === null) break;
      matched = match9[0].length;
    }
    throw new EvaluationFault("T0410", given[matched], token, matched + 1);
  };
  return (given, input) => {
    const letters = given.map(letterOf).join("");
    const match9 = whole.exec(letters);
    if (match9 === null) return refuse5(given, letters);
    let next = 0;
    return parameters.map((parameter, index) => {
      const letter = match9[index + 1] ?? "";
      if (letter === "" && parameter.context) {
        if (contexts[index]?.test(letterOf(input))) return input;
        throw new EvaluationFault("T0411", input, token, next + 1);
      }
      const value4 = given[next++];
      if (letter === "" || letter === "m" || parameter.type !== "a") return value4;
      if (!fitsList(value4, letter, parameter.of)) throw new EvaluationFault("T0412", value4, token, next);
      return Array.isArray(value4) ? value4 : [value4];
    });
  };
};
var text = { type: "s" };
var fromContext = { context: true };
var textFunction = (name, apply) => [
  name,
  {
    prepare: makeFitter(name, [{ ...text, ...fromContext }]),
    apply: ([value4]) => typeof value4 === "string" ? apply(value4) : void 0,
    ofText: apply
  }
];
var partial = (name, parameters, apply) => [
  name,
  {
    prepare: makeFitter(name, parameters),
    apply: ([first, ...rest]) => first === void 0 ? void 0 : apply(first, ...rest)
  }
];
var number = { type: "n" };
var numbers2 = { type: "a", of: "n" };
var surrogates = /[\ud800-\udbff]/;
var lengthOf = (value4) => {
  let length = value4.length;
  if (!surrogates.test(value4)) return length;
  for (let at = 0; at < value4.length - 1; at++) {
    if ((value4.charCodeAt(at) & 64512) === 55296 && (value4.charCodeAt(at + 1) & 64512) === 56320) {
      length--;
      at++;
    }
  }
  return length;
};
var partLength = 1e5;
var trim = (value4) => {
  let result = "";
  for (let at = 0; at < value4.length; at += partLength) {
    step(partLength >> 4);
    const part = value4.slice(at, at + partLength).replace(/[ \t\n\r]+/g, " ");
    result += part.startsWith(" ") && (result === "" || result.endsWith(" ")) ? part.slice(1) : part;
  }
  return result.endsWith(" ") ? result.slice(0, -1) : result;
};
var shortPattern = 100;
var searchLong = (text4, pattern6, from) => {
  const widths = new Int32Array(pattern6.length);
  let width = 0;
  for (let at = 1; at < pattern6.length; at++) {
    if (at % 1024 === 0) step(64);
    while (width > 0 && pattern6[at] !== pattern6[width]) width = widths[width - 1] ?? 0;
    if (pattern6[at] === pattern6[width]) width++;
    widths[at] = width;
  }
  width = 0;
  for (let at = from; at < text4.length; at++) {
    if (at % 1024 === 0) step(64);
    while (width > 0 && text4[at] !== pattern6[width]) width = widths[width - 1] ?? 0;
    if (text4[at] === pattern6[width] && ++width === pattern6.length) return at - width + 1;
  }
  return -1;
};
var search = (text4, pattern6, from = 0) => {
  if (text4.length - from <= partLength && pattern6.length <= shortPattern) return text4.indexOf(pattern6, from);
  if (pattern6.length > shortPattern)
    return text4.length * pattern6.length < 1e6 ? text4.indexOf(pattern6, from) : searchLong(text4, pattern6, from);
  for (let at = from; at < text4.length; at += partLength) {
    step(partLength >> 4);
    const found = text4.slice(at, at + partLength + pattern6.length - 1).indexOf(pattern6);
    if (found >= 0) return at + found;
  }
  return pattern6 === "" ? Math.min(from, text4.length) : -1;
};
var toNumber = (value4) => {
  if (typeof value4 === "number") return value4;
  if (typeof value4 === "boolean") return value4 ? 1 : 0;
  if (typeof value4 === "string") {
    if (/^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/.test(value4) && Number.isFinite(Number(value4)))
      return Number.parseFloat(value4);
    if (/^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/.test(value4)) return Number(value4);
  }
  throw new EvaluationFault("D3030", value4);
};
var substring = (value4, start3, length) => {
  const characters = surrogates.test(value4) ? [...value4] : value4;
  const text4 = (from2, to) => {
    const part = characters.slice(from2, to);
    return typeof part === "string" ? part : part.join("");
  };
  const from = typeof start3 === "number" ? characters.length + start3 < 0 ? 0 : start3 : void 0;
  if (typeof length !== "number") return text4(from);
  if (length <= 0) return "";
  const end2 = from === void 0 ? 0 : from >= 0 ? from + length : characters.length + from + length;
  return text4(from, end2);
};
var splitBy = (value4, separator, limit2) => {
  const parts = [];
  let start3 = 0;
  separator.lastIndex = 0;
  let match9 = separator.exec(value4);
  while (match9 !== null && parts.length < limit2) {
    push(parts, value4.slice(start3, match9.index));
    start3 = match9.index + (match9[0] ?? "").length;
    match9 = separator.lastIndex >= value4.length ? null : separator.exec(value4);
    if (match9 !== null && match9[0] === "") throw new EvaluationFault("D1004", separator);
  }
  if (parts.length < limit2) parts.push(value4.slice(start3));
  return parts;
};
var splitAt = (value4, separator, limit2) => {
  if (separator === "" || value4.length * Math.min(separator.length, 100) < 1e6) {
    const parts2 = value4.split(separator, Math.min(limit2, limits.sequence + 1));
    if (parts2.length > limits.sequence) throw new EvaluationFault("D2015", parts2.length);
    return parts2;
  }
  const parts = [];
  let start3 = 0;
  let found = search(value4, separator);
  while (found >= 0 && parts.length < limit2) {
    push(parts, value4.slice(start3, found));
    start3 = found + separator.length;
    found = search(value4, separator, start3);
  }
  if (parts.length < limit2) push(parts, value4.slice(start3));
  return parts;
};
var split = (value4, separator, limit2) => {
  if (typeof limit2 === "number" && limit2 < 0) throw new EvaluationFault("D3020", limit2);
  const maxParts = typeof limit2 === "number" ? limit2 : Number.POSITIVE_INFINITY;
  if (maxParts <= 0) return [];
  if (separator instanceof LinearRegExp) return splitBy(value4, separator, maxParts);
  if (typeof separator === "string") return splitAt(value4, separator, maxParts);
  throw new EvaluationFault("D0000", separator, "split", 2);
};
var contains = (value4, token) => {
  if (token instanceof LinearRegExp) {
    token.lastIndex = 0;
    return token.exec(value4) !== null;
  }
  return typeof token === "string" ? search(value4, token) >= 0 : void 0;
};
var larger = (most2, value4) => most2 === void 0 ? value4 : Math.max(most2, value4);
var smaller = (least, value4) => least === void 0 ? value4 : Math.min(least, value4);
var largest = (values) => values.reduce(larger, void 0);
var smallest = (values) => values.reduce(smaller, void 0);
var join2 = (values, separator = "") => {
  const gaps = separator.length * Math.max(0, values.length - 1);
  const length = values.reduce((length2, value4) => length2 + value4.length, gaps);
  checkText(length);
  step(values.length + (length >> 6));
  return values.join(separator);
};
var sum2 = (values) => values.reduce((total, value4) => total + value4, 0);
var builtins = new Map([
  ...Object.entries(ofText).map(([name, apply]) => textFunction(name, apply)),
  textFunction("lowercase", (value4) => value4.toLowerCase()),
  textFunction("uppercase", (value4) => value4.toUpperCase()),
  textFunction("length", lengthOf),
  textFunction("trim", trim),
  [
    "count",
    {
      prepare: makeFitter("count", [{ type: "a" }]),
      apply: ([list3]) => list3?.length ?? 0
    }
  ],
  ["exists", { prepare: makeFitter("exists", [{ type: "x" }]), apply: ([value4]) => value4 !== void 0 }],
  partial("boolean", [{ type: "x", ...fromContext }], toBoolean),
  partial("not", [{ type: "x", ...fromContext }], (value4) => toBoolean(value4) !== true),
  partial(
    "string",
    [
      { type: "x", ...fromContext },
      { type: "b", optional: true }
    ],
    (value4, pretty) => toText(value4, pretty ? 2 : 0)
  ),
  partial("number", [{ type: "nsb", ...fromContext }], toNumber),
  partial("floor", [{ ...number, ...fromContext }], Math.floor),
  partial("ceil", [{ ...number, ...fromContext }], Math.ceil),
  partial("abs", [{ ...number, ...fromContext }], Math.abs),
  partial("sum", [numbers2], sum2),
  partial("max", [numbers2], largest),
  partial("min", [numbers2], smallest),
  partial(
    "average",
    [numbers2],
    (values) => values.length === 0 ? void 0 : sum2(values) / values.length
  ),
  partial("substring", [{ ...text, ...fromContext }, number, { ...number, optional: true }], substring),
  partial("contains", [{ ...text, ...fromContext }, { type: "sf" }], contains),
  partial("split", [{ ...text, ...fromContext }, { type: "sf" }, { ...number, optional: true }], split),
  partial(
    "join",
    [
      { type: "a", of: "s" },
      { ...text, optional: true }
    ],
    (values, separator) => join2(values, typeof separator === "string" ? separator : "")
  ),
  partial("date", [{ type: "sn", ...fromContext }], date)
]);

// src/Row/Expression/Closure.ts
import { isRegExp } from "node:util/types";
var compileEach = (nodes, scope4) => {
  const runs2 = [];
  for (const node of nodes) {
    const run = compileNode(node, scope4);
    if (run === void 0) return void 0;
    runs2.push(run);
  }
  return runs2;
};
var hasModifiers = (node) => node.predicate !== void 0 || node.group !== void 0 || node.focus !== void 0 || node.index !== void 0 || node.keepArray === true || node.keepSingletonArray === true || node.tuple === true;
var compileNode = (node, scope4) => {
  if (hasModifiers(node) || node.stages !== void 0) return void 0;
  switch (node.type) {
    case "string":
    case "number":
    case "value": {
      const { value: value4 } = node;
      return () => value4;
    }
    case "path":
      return compilePath(node.steps ?? [], scope4);
    case "variable":
      return compileVariable(String(node.value), scope4);
    case "binary":
      return compileBinary(node, scope4);
    case "unary":
      return compileUnary(node, scope4);
    case "condition":
      return compileCondition(node, scope4);
    case "block":
      return node.expressions?.length === 1 ? compileEach(node.expressions, scope4)?.[0] : void 0;
    case "function":
      return compileCall(node, node.arguments ?? [], scope4);
    case "apply":
      return node.rhs?.type === "function" && isNode(node.lhs) && !hasModifiers(node.rhs) ? compileCall(node.rhs, [node.lhs, ...node.rhs.arguments ?? []], scope4) : void 0;
    case "regex": {
      const { value: value4 } = node;
      return isRegExp(value4) ? () => new LinearRegExp(value4) : void 0;
    }
    default:
      return void 0;
  }
};
var isNode = (value4) => value4 !== void 0 && !Array.isArray(value4);
var stepOf = (node) => {
  if (node.type !== "name" || hasModifiers(node)) return void 0;
  const picks = [];
  for (const { expr } of node.stages ?? []) {
    if (expr?.type !== "number" || hasModifiers(expr)) return void 0;
    picks.push(Number(expr.value));
  }
  return { key: String(node.value), picks };
};
var compilePath = (nodes, scope4) => {
  const [first, ...rest] = nodes;
  const start3 = first?.type === "variable" && first.stages === void 0 ? compileNode(first, scope4) : void 0;
  const steps = [];
  for (const node of start3 === void 0 ? nodes : rest) {
    const step2 = stepOf(node);
    if (step2 === void 0) return void 0;
    steps.push(step2);
  }
  const read4 = makeReader(steps);
  return start3 === void 0 ? read4 : (row, bindings) => read4(start3(row, bindings));
};
var compileVariable = (name, { names: names2 }) => {
  if (name === "" || name === "$") return (row) => row;
  return names2.includes(name) ? (_5, bindings) => bindings.names[name] : void 0;
};
var growingOperators = ["=", "!=", "&"];
var compileBinary = (node, scope4) => {
  const left15 = isNode(node.lhs) ? compileNode(node.lhs, scope4) : void 0;
  const right15 = node.rhs === void 0 ? void 0 : compileNode(node.rhs, scope4);
  if (left15 === void 0 || right15 === void 0) return void 0;
  if (node.value === "and") {
    return (row, bindings) => toBoolean(left15(row, bindings)) === true && toBoolean(right15(row, bindings)) === true;
  }
  if (node.value === "or") {
    return (row, bindings) => toBoolean(left15(row, bindings)) === true || toBoolean(right15(row, bindings)) === true;
  }
  const operator = operators.get(String(node.value));
  if (growingOperators.includes(String(node.value))) scope4.takesSteps = true;
  return operator === void 0 ? void 0 : (row, bindings) => operator(left15(row, bindings), right15(row, bindings));
};
var compileUnary = (node, scope4) => {
  if (node.value === "-" && node.expression !== void 0) {
    const run = compileNode(node.expression, scope4);
    return run === void 0 ? void 0 : (row, bindings) => negate(run(row, bindings));
  }
  return node.value === "[" ? compileList(node.expressions ?? [], scope4) : void 0;
};
var negate = (value4) => {
  if (value4 === void 0) return void 0;
  if (!isNumeric(value4)) throw new EvaluationFault("D1002", value4);
  return -value4;
};
var compileList = (nodes, scope4) => {
  scope4.makesArrays = true;
  scope4.takesSteps = true;
  const items = compileEach(nodes, scope4);
  const nested = nodes.map((node) => node.value === "[");
  return items === void 0 ? void 0 : (row, bindings) => {
    const list3 = [];
    for (const [index, item] of items.entries()) {
      const value4 = item(row, bindings);
      if (Array.isArray(value4) && nested[index] !== true) for (const each of value4) push(list3, each);
      else if (value4 !== void 0) push(list3, value4);
    }
    return list3;
  };
};
var compileCondition = (node, scope4) => {
  if (node.condition === void 0 || node.then === void 0) return void 0;
  const condition = compileNode(node.condition, scope4);
  const then = compileNode(node.then, scope4);
  const otherwise2 = node.else === void 0 ? () => void 0 : compileNode(node.else, scope4);
  if (condition === void 0 || then === void 0 || otherwise2 === void 0) return void 0;
  return (row, bindings) => toBoolean(condition(row, bindings)) === true ? then(row, bindings) : otherwise2(row, bindings);
};
var compileCall = (call2, args, scope4) => {
  scope4.takesSteps = true;
  const { names: names2 } = scope4;
  const name = call2.procedure?.type === "variable" && !hasModifiers(call2.procedure) ? String(call2.procedure.value) : "";
  const builtin = names2.includes(name) ? void 0 : builtins.get(name);
  const runs2 = compileEach(args, scope4);
  if (builtin === void 0 || runs2 === void 0 || name === "date" && args.length > 1) return void 0;
  const { apply, prepare: prepare2, ofText: ofText2 } = builtin;
  const [only2] = runs2;
  if (ofText2 !== void 0 && runs2.length === 1 && only2 !== void 0) {
    return (row, bindings) => {
      const value4 = only2(row, bindings);
      weigh(value4);
      return typeof value4 === "string" ? ofText2(value4) : apply(prepare2([value4], row));
    };
  }
  return (row, bindings) => {
    const given = runs2.map((run) => {
      const value4 = run(row, bindings);
      weigh(value4);
      return value4;
    });
    return apply(prepare2(given, row));
  };
};
var toPlain = (value4) => {
  if (value4 instanceof Sequence) return Array.from(value4);
  if (value4 instanceof LinearRegExp) throw new EvaluationFault("D0001", value4);
  return value4;
};
var checkSize = (value4) => {
  const count2 = counter2(limits.text);
  const visit4 = (value5, name) => {
    count2(value5, name);
    if (Array.isArray(value5)) for (const item of value5) visit4(item);
    else if (typeof value5 === "object" && value5 !== null)
      for (const [name2, item] of Object.entries(value5)) visit4(item, name2);
  };
  visit4(value4);
  return value4;
};
var compileClosure = (node, names2) => {
  const scope4 = { names: names2, makesArrays: false, takesSteps: false };
  const run = compileNode(node, scope4);
  if (run === void 0) return void 0;
  if (!scope4.takesSteps) return (row, bindings) => toPlain(run(row, bindings));
  const { makesArrays } = scope4;
  return (row, bindings) => {
    beginRow();
    try {
      const value4 = toPlain(run(row, bindings));
      return makesArrays ? checkSize(value4) : value4;
    } finally {
      endRow();
    }
  };
};

// src/Row/Expression/JsonataLibrary.ts
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
var clock = "sluice.now";
var unusedHooks = [
  [/var entryCallback = [\s\S]*?\n {8}}\n/, ""],
  [/var exitCallback = [\s\S]*?\n {8}}\n/, ""],
  [/var framePushCallback = [\s\S]*?\n {12}}\n/, ""]
];
var edits = [
  ...unusedHooks,
  ["let generators = await Promise.all(expr.expressions", "let generators = (expr.expressions"],
  ["let generators = await Promise.all(utils.keys(groups)", "let generators = (utils.keys(groups)"],
  // Every argument of an operator or function is the value of a node.
  ["environment.base.depth--;\n\n        return result;", "$weigh(result); environment.base.depth--; return result;"],
  ["const size = arg1.length + arg2.length;", "const size = arg1.length + arg2.length; $step(size >> 3);"],
  [/if \(options && options\.sequence\) \{\s*sequence\.push = [\s\S]*?apply\(sequence, items\);\s*\};\s*\}/, ""],
  ["if(rhs[i] === lhs) {", "$weigh(rhs[i]); if(rhs[i] === lhs) {"],
  ["result = lstr.concat(rstr);", "$text(lstr.length + rstr.length); result = lstr.concat(rstr);"],
  ["result += replacement;", "result += replacement; $text(result.length);"],
  ["result += replacedWith;", "result += replacedWith; $text(result.length);"],
  ["var substitute = '';", "var substitute = ''; $weigh(replacement);"],
  ["new RegExp(fullRegex, 'i')", "new $host.RegExp(new RegExp(fullRegex, 'i'))"],
  ["return err[arguments[1]];", "return $host.show(err[arguments[1]]);"],
  ["return JSON.stringify(err[arguments[1]]);", "return $host.show(err[arguments[1]]);"],
  [/timestamp = new Date\(\);(\n\s*exec_env\.timestamp)/, `timestamp = exec_env.lookup('${clock}');$1`],
  ["module.exports = utils;", "utils.isDeepEqual = $host.equal; module.exports = utils;"],
  [
    "module.exports = dateTime;",
    "module.exports = Object.assign({}, dateTime, $host.pictures((name) => dateTime[name]));"
  ],
  [
    "module.exports = functions;",
    "module.exports = Object.assign({}, functions, $host.functions((name) => functions[name]));"
  ],
  [
    "jsonata.parser = parser;",
    `for (const name in $host.more) staticFrame.bind(name, defineFunction(...$host.more[name])); staticFrame.bind('eval', undefined);`
  ]
];
var closing = (source, from) => {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === "'" || character === '"') at = source.indexOf(character, at + 1);
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at;
  }
  return source.length;
};
var withSteps = (source) => {
  const parts = [];
  let copied = 0;
  for (const { 0: head, index } of source.matchAll(/\b(?:for|while|function(?: \w+)?) ?\(/g)) {
    const end2 = closing(source, index + head.length - 1);
    const isCode = !/['"]/.test(source[index - 1] ?? "") && !/['$]/.test(source.slice(index, end2).replace(/'[^'\n]*'/g, ""));
    const body = /^\) ?\{(?!\s*'use strict')/.exec(source.slice(end2, end2 + 40));
    if (body === null || !isCode) continue;
    parts.push(source.slice(copied, end2 + body[0].length), " $step();");
    copied = end2 + body[0].length;
  }
  return parts.join("") + source.slice(copied);
};
var edited = (original) => {
  const source = edits.reduce((source2, [from, to]) => {
    const next = source2.replace(from, to);
    if (next === source2)
      throw new Error(`the source of JSONata does not contain ${String(from)}: another version is installed`);
    return next;
  }, original);
  const plain = source.replace(/\basync (?=function\b|\()/g, "").replace(/\bawait (?!for)/g, "");
  const searching = plain.replace(/\bstr\.indexOf\(/g, "$host.search(str, ");
  return withSteps(searching.replace(/(\b\w+(?:\.\w+)*)\.push\(/g, "$push($1, "));
};
var library;
var load = (host3) => {
  if (library !== void 0) return library;
  const path2 = createRequire(import.meta.url).resolve("jsonata");
  const module = { exports: {} };
  const source = edited(readFileSync(path2, "utf8"));
  const parameters = ["module", "exports", "global", "$host", "$step", "$weigh", "$push", "$text"];
  const wrapper = compileFunction(source, parameters, { filename: path2 });
  wrapper(module, module.exports, { Buffer }, host3, step, weigh, push, checkText);
  library = module.exports;
  return library;
};

// src/Row/Expression/LinearFunctions.ts
var isSequence = (value4) => Array.isArray(value4) && "sequence" in value4 && value4.sequence === true;
var sequence = (values) => Object.assign(values, { sequence: true });
var keyOf3 = (value4, count2, name) => {
  count2(value4, name);
  if (Array.isArray(value4)) return `[${value4.map((item) => keyOf3(item, count2)).join()}]`;
  if (typeof value4 !== "object" || value4 === null) return JSON.stringify(value4) ?? typeof value4;
  if (value4 instanceof Date) return `@${value4.getTime()}`;
  const entries = Object.entries(value4).sort(([one2], [other]) => one2 < other ? -1 : 1);
  return `{${entries.map(([name2, item]) => `${JSON.stringify(name2)}:${keyOf3(item, count2, name2)}`).join()}}`;
};
var distinct = (values) => {
  if (!Array.isArray(values) || values.length <= 1) return values;
  const count2 = counter2();
  const seen = /* @__PURE__ */ new Set();
  const keys = /* @__PURE__ */ new Set();
  const results = values.filter((value4) => {
    if (typeof value4 === "object" && value4 !== null) {
      const key2 = keyOf3(value4, count2);
      return !keys.has(key2) && keys.add(key2);
    }
    count2(value4);
    return !seen.has(value4) && seen.add(value4);
  });
  return isSequence(values) ? sequence(Array.from(results)) : results;
};
var isText = (value4) => typeof value4 === "string";
var isNumber = (value4) => typeof value4 === "number";
var byNumber = (one2, other) => {
  step();
  return one2 < other ? -1 : one2 > other ? 1 : 0;
};
var byText = (one2, other) => {
  step(1 + (Math.min(one2.length, other.length) >> 6));
  return one2 < other ? -1 : one2 > other ? 1 : 0;
};
var sortedPlain = (values) => {
  if (values.every(isNumber)) return [...values].sort(byNumber);
  if (values.every(isText)) return [...values].sort(byText);
  throw new EvaluationFault("D3070", values);
};
var merge = (left15, right15, isBehind) => {
  const merged = [];
  let at = 0;
  let other = 0;
  while (at < left15.length && other < right15.length) {
    step();
    merged.push(isBehind(left15[at], right15[other]) ? right15[other++] : left15[at++]);
  }
  while (at < left15.length) merged.push(left15[at++]);
  while (other < right15.length) merged.push(right15[other++]);
  return merged;
};
var sorted = (values, isBehind) => {
  if (values.length <= 1) return values;
  step(values.length >> 3);
  const middle = Math.floor(values.length / 2);
  return merge(sorted(values.slice(0, middle), isBehind), sorted(values.slice(middle), isBehind), isBehind);
};
var sort = (values, comparator) => {
  if (values === void 0 || values.length <= 1) return values;
  return comparator === void 0 ? sortedPlain(values) : sorted(values, comparator);
};
var spread = (value4) => {
  if (Array.isArray(value4)) {
    const results = [];
    for (const item of value4) {
      const parts = spread(item);
      if (Array.isArray(parts)) for (const part of parts) push(results, part);
      else if (parts !== void 0) push(results, parts);
    }
    return results.length === 0 ? sequence(results) : results;
  }
  if (typeof value4 !== "object" || value4 === null || "_jsonata_lambda" in value4) return value4;
  return sequence(Object.entries(value4).map(([name, item]) => Object.fromEntries([[name, item]])));
};
var pad = (text4, width, fill2) => {
  if (text4 === void 0 || width === void 0) return text4;
  const missing = Math.abs(Math.trunc(width)) - lengthOf(text4);
  if (!(missing > 0)) return text4;
  const unit = fill2 === void 0 || fill2 === "" ? " " : fill2;
  checkText(text4.length + missing * unit.length);
  const characters = Array.from(unit);
  const rest = characters.slice(0, missing % characters.length).join("");
  const padding = unit.repeat(Math.floor(missing / characters.length)) + rest;
  return width > 0 ? text4 + padding : padding + text4;
};
var maxPictureInput = 1e3;
var withPicture = (original) => {
  const check3 = (value4, picture) => {
    checkPicture(picture);
    if (typeof value4 === "string" && value4.length > maxPictureInput) throw new EvaluationFault("D2019", value4);
  };
  return original.length < 3 ? function(value4, picture) {
    check3(value4, picture);
    return original.call(this, value4, picture);
  } : function(value4, picture, more) {
    check3(value4, picture);
    return original.call(this, value4, picture, more);
  };
};
var partLength2 = 1e5;
var inParts = (encode2) => (text4) => {
  if (typeof text4 !== "string" || text4.length <= partLength2) return encode2.call(void 0, text4);
  let result = "";
  for (let at = 0; at < text4.length; ) {
    const last = text4.charCodeAt(at + partLength2 - 1);
    const end2 = at + partLength2 - (last >= 55296 && last < 56320 ? 1 : 0);
    step(partLength2);
    result += String(encode2.call(void 0, text4.slice(at, end2)));
    checkText(result.length);
    at = end2;
  }
  return result;
};
var clone = (value4) => {
  const count2 = counter2(limits.text);
  const copy = (value5, name) => {
    count2(value5, name);
    if (typeof value5 === "number")
      return isNumeric(value5) && !Number.isInteger(value5) ? Number(value5.toPrecision(15)) : value5;
    if (isFunction(value5)) return "";
    if (typeof value5 !== "object" || value5 === null || value5 instanceof Date) return value5;
    if (Array.isArray(value5)) return Array.from(value5, (item) => copy(item) ?? null);
    const entries = Object.entries(value5).filter(([, item]) => item !== void 0);
    return Object.fromEntries(entries.map(([name2, item]) => [name2, copy(item, name2)]));
  };
  return copy(Array.isArray(value4) && "outerWrapper" in value4 ? value4[0] : value4);
};
var string = (value4, pretty = false) => {
  if (isFunction(value4)) return "";
  return toText(Array.isArray(value4) && "outerWrapper" in value4 ? value4[0] : value4, pretty ? 2 : 0);
};
var splitFast = (own3) => function(text4, separator, limit2) {
  const isPlain = typeof separator === "string" && typeof text4 === "string";
  return isPlain ? split(text4, separator, limit2) : own3.call(this, text4, separator, limit2);
};
var functions = (own3) => ({
  distinct,
  spread,
  pad,
  sort,
  string,
  split: splitFast(own3("split")),
  join: (texts2, separator) => texts2 === void 0 ? void 0 : join2(texts2, separator),
  trim: (text4) => text4 === void 0 ? void 0 : trim(text4),
  length: (text4) => text4 === void 0 ? void 0 : lengthOf(text4),
  substring: (text4, start3, length) => text4 === void 0 ? void 0 : substring(text4, start3, length),
  max: (numbers3) => numbers3 === void 0 ? void 0 : largest(numbers3),
  min: (numbers3) => numbers3 === void 0 ? void 0 : smallest(numbers3),
  encodeUrl: inParts(own3("encodeUrl")),
  encodeUrlComponent: inParts(own3("encodeUrlComponent")),
  formatNumber: withPicture(own3("formatNumber"))
});
var pictures = (own3) => ({
  fromMillis: withPicture(own3("fromMillis")),
  toMillis: withPicture(own3("toMillis")),
  formatInteger: withPicture(own3("formatInteger")),
  parseInteger: withPicture(own3("parseInteger"))
});

// src/Row/Expression/Syntax.ts
var isPairs = (value4) => Array.isArray(value4);
var visit = (node, place, facts) => {
  if (node.focus !== void 0) facts.bound.add(node.focus);
  if (node.index !== void 0) facts.bound.add(node.index);
  const result = visitKind(node, place, facts);
  for (const stage of [...node.predicate ?? [], ...node.stages ?? []]) {
    if (stage.expr !== void 0) visit(stage.expr, result, facts);
    else if (stage.value !== void 0) facts.bound.add(stage.value);
  }
  if (node.group !== void 0) visitPairs(node.group.lhs, result, facts);
  return result;
};
var visitPairs = (pairs, place, facts) => {
  for (const [key2, value4] of pairs) {
    visit(key2, place, facts);
    visit(value4, place, facts);
  }
};
var addPath = (place, facts) => {
  if (place === void 0 || place.keys.length === 0) return;
  const path2 = place.keys.join(".");
  if (place.root === "row") facts.paths.add(path2);
  else if (!facts[place.root].has(path2)) facts[place.root].set(path2, place.at);
};
var visitPath = (steps, place, facts) => {
  let at = place;
  for (const step2 of steps) {
    const next = visit(step2, at, facts);
    if (next === void 0 && at !== place) addPath(at, facts);
    if (at?.root === "steps" && at.keys.length === 0 && next?.root === "steps" && next.keys.length > 0)
      facts.bareSteps--;
    at = next;
  }
  addPath(at, facts);
  return at;
};
var visitKind = (node, place, facts) => {
  switch (node.type) {
    case "path":
      return visitPath(node.steps ?? [], place, facts);
    case "name":
      return place === void 0 ? void 0 : { ...place, keys: [...place.keys, String(node.value)], at: node.position ?? place.at };
    case "variable": {
      if (node.value === "") return place;
      if (node.value === "$") return { root: "row", keys: [], at: 0 };
      if (!facts.variables.has(String(node.value))) facts.variables.set(String(node.value), node.position ?? 0);
      if (node.value === "steps") facts.bareSteps++;
      return node.value === "inputs" || node.value === "steps" ? { root: node.value, keys: [], at: node.position ?? 0 } : void 0;
    }
    case "sort":
      for (const term of node.terms ?? []) visit(term.expression, place, facts);
      return place;
    case "regex":
      facts.regexes.push(node);
      return void 0;
    case "bind":
      if (node.lhs !== void 0 && !isPairs(node.lhs)) facts.bound.add(String(node.lhs.value));
      if (node.rhs !== void 0) visit(node.rhs, place, facts);
      return void 0;
    case "lambda":
      for (const argument of node.arguments ?? []) facts.bound.add(String(argument.value));
      if (node.body !== void 0) visit(node.body, place, facts);
      return void 0;
    case "condition":
      if (node.condition !== void 0) visit(node.condition, place, facts);
      if (node.else !== void 0) visit(node.else, place, facts);
      if (node.then !== void 0) visit(node.then, place, facts);
      return void 0;
    case "block": {
      const places = (node.expressions ?? []).map((each) => visit(each, place, facts));
      return places.at(-1);
    }
    default: {
      if (isPairs(node.lhs)) visitPairs(node.lhs, place, facts);
      else if (node.lhs !== void 0) visit(node.lhs, place, facts);
      const children = [node.rhs, node.expression, node.procedure, node.body, node.pattern, node.update, node.delete];
      for (const child of [...children, ...node.expressions ?? [], ...node.arguments ?? []]) {
        if (child !== void 0) visit(child, place, facts);
      }
      return void 0;
    }
  }
};
var inspect2 = (node) => {
  const facts = {
    paths: /* @__PURE__ */ new Set(),
    inputs: /* @__PURE__ */ new Map(),
    steps: /* @__PURE__ */ new Map(),
    bareSteps: 0,
    variables: /* @__PURE__ */ new Map(),
    bound: /* @__PURE__ */ new Set(),
    regexes: []
  };
  visit(node, { root: "row", keys: [], at: 0 }, facts);
  return facts;
};

// src/Row/Expression.ts
var strip = (name) => name.replace(/^\$/, "");
var unknownName = (source, name, position, names2) => {
  const near = nearest(name, [...names2, ...functionNames]);
  const others = [...names2.map((each) => `$${each}`), "the functions that `sluice explain expressions` lists"];
  const hint = near === void 0 ? `; known: ${others.join(", ")}` : `, did you mean $${near}?`;
  const reason = name === "eval" ? "$eval is disabled: an expression comes from the definition, never from a row" : `unknown name $${name}${hint}`;
  const start3 = source.lastIndexOf(`$${name}`, position);
  return new ExpressionError({ source, position: start3 < 0 ? position : start3, reason });
};
var stepPaths = ({ bareSteps, steps, variables }) => bareSteps === 0 ? steps : new Map([...steps, ["", variables.get("steps") ?? 0]]);
var compile2 = (source, options = {}) => Either9.flatMap(program(source), ({ node, facts, run }) => {
  const given = (options.names ?? []).map(strip);
  const used2 = [...facts.variables.keys()].filter((name) => !facts.bound.has(name));
  const unknown = used2.find((name) => !given.includes(name) && !functionNames.includes(name));
  if (unknown !== void 0) {
    return Either9.left(unknownName(source, unknown, facts.variables.get(unknown) ?? 0, given));
  }
  const base = {
    source,
    paths: [...facts.paths],
    names: used2.filter((name) => given.includes(name)),
    inputs: facts.bound.has("inputs") ? /* @__PURE__ */ new Map() : facts.inputs,
    steps: facts.bound.has("steps") ? /* @__PURE__ */ new Map() : stepPaths(facts)
  };
  const sync36 = compileClosure(node, given);
  const failure2 = (cause) => evaluationError(source, cause);
  const attempt3 = sync36 === void 0 ? run : (data, bindings) => Either9.try({ try: () => sync36(data, bindings), catch: failure2 });
  return Either9.right({
    ...base,
    sync: sync36,
    evaluate: (data, bindings) => Effect23.suspend(() => attempt3(data, bindings)),
    evaluateChunk: (rows3, bindings) => Effect23.suspend(
      () => inSlices(
        rows3,
        sync36 === void 0 ? (data, index) => run(data, bindings(index)) : (data, index) => Either9.right(sync36(data, bindings(index))),
        (cause) => Either9.left(failure2(cause))
      )
    )
  });
});
var randomBinding = "sluice.random";
var runRandom = ({ environment }) => environment.lookup(randomBinding);
function random() {
  return runRandom(this)();
}
function shuffleHere(values) {
  return values === void 0 ? void 0 : shuffle(values, runRandom(this));
}
var fromMillis;
function dateHere(value4, picture) {
  if (value4 === void 0) return void 0;
  if (picture === void 0) return date(value4);
  const at = parseTime(value4);
  return at === void 0 ? void 0 : fromMillis?.call(void 0, at, picture);
}
var host2 = {
  functions,
  pictures: (own3) => {
    const made = pictures(own3);
    fromMillis = made.fromMillis;
    return made;
  },
  equal,
  // The library also searches for undefined, as a string.
  search: (text4, pattern6, from) => search(text4, String(pattern6), from),
  show: (value4) => typeof value4 === "number" ? String(value4) : describe2(value4),
  RegExp: LinearRegExp,
  more: {
    ...Object.fromEntries(
      Object.entries(ofText).map(([name, apply]) => [
        name,
        [(text4) => text4 === void 0 ? void 0 : apply(text4), "<s-:x>"]
      ])
    ),
    clone: [clone, "<(oa)-:o>"],
    random: [random, "<:n>"],
    shuffle: [shuffleHere, "<a:a>"],
    date: [dateHere, "<(sn)-s?:s>"]
  }
};
var toPlain2 = (value4) => {
  const count2 = counter2(limits.text);
  const copy = (value5, name) => {
    count2(value5, name);
    if (typeof value5 === "function") throw new EvaluationFault("D0001", value5);
    if (typeof value5 !== "object" || value5 === null || value5 instanceof Date) return value5;
    if (Array.isArray(value5)) {
      const items = [];
      for (let index = 0; index < value5.length; index++) items.push(copy(value5[index]) ?? null);
      return items;
    }
    const object = value5;
    if (typeof object.implementation === "function" || typeof object.apply === "function")
      throw new EvaluationFault("D0001", value5);
    return Object.fromEntries(Object.entries(object).map(([name2, item]) => [name2, copy(item, name2)]));
  };
  return copy(value4);
};
var isCopy = (node) => !isRegExp2(node.value);
var restoreRegexes = (regexes) => {
  const originals = regexes.filter((node) => !isCopy(node));
  for (const node of regexes.filter(isCopy)) {
    node.value = originals.find((original) => original.position === node.position)?.value;
  }
};
var parse3 = (source) => {
  const { stack, sequence: sequence2 } = limits;
  return load(host2)(source, { stack, sequence: sequence2, RegexEngine: LinearRegExp });
};
var positionOf = (source, cause) => {
  const end2 = typeof cause.position === "number" ? Math.min(cause.position, source.length) : 0;
  const token = typeof cause.token === "string" ? cause.token : "";
  return token !== "" && source.slice(0, end2).endsWith(token) ? end2 - token.length : end2;
};
var javascriptHints = [
  [/&&/, "write `and` for &&"],
  [/\|\|/, "write `or` for ||"],
  [/===?/, "write one = to compare"],
  [/!(?!=)/, "write $not(\u2026) for !"],
  [/=>/, "write function($x) { \u2026 } for =>"]
];
var syntaxError = (source, cause) => {
  const { message: thrown } = cause;
  const message = cause.name === "RangeError" ? "it is too long, or nested too deeply" : thrown;
  const hint = javascriptHints.find(
    ([pattern7]) => pattern7.test(source.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'))
  );
  const pattern6 = /^Invalid regular expression: \/(.*)\/\w*: /.exec(String(message))?.[1];
  return new ExpressionError({
    source,
    position: pattern6 === void 0 ? positionOf(source, cause) : Math.max(0, source.indexOf(pattern6)),
    reason: `${String(message ?? cause)}${hint === void 0 ? "" : `; ${hint[1]}`}`
  });
};
var program = (source) => Either9.try({ try: () => parse3(source), catch: (cause) => syntaxError(source, cause) }).pipe(
  Either9.flatMap((expression) => {
    const node = expression.ast();
    const facts = inspect2(node);
    restoreRegexes(facts.regexes);
    for (const { value: value4, position: end2 = 0 } of facts.regexes) {
      const reason = whyNotLinear(value4);
      if (reason !== void 0) {
        const pattern6 = `/${value4.source}/`;
        const position = Math.max(0, source.lastIndexOf(pattern6, end2));
        const why2 = `the pattern ${pattern6} cannot run in linear time: ${reason}`;
        return Either9.left(new ExpressionError({ source, position, reason: why2 }));
      }
    }
    const used2 = [...facts.variables.keys()];
    return Either9.right({ node, facts, run: runner(source, expression, used2) });
  })
);
var runner = (source, expression, used2) => {
  const given = ({ names: names2, now, random: random2 }) => {
    const frame = { [clock]: now ?? /* @__PURE__ */ new Date(), [randomBinding]: random2 ?? Math.random };
    for (const name of used2) if (name in names2) frame[name] = names2[name];
    return frame;
  };
  return (data, bindings) => {
    beginRow();
    try {
      return Either9.right(toPlain2(expression.evaluate(data, given(bindings))));
    } catch (cause) {
      return Either9.left(evaluationError(source, cause));
    } finally {
      endRow();
    }
  };
};

// src/Step/Field.ts
var rowNames = ["key", "source", "run", "inputs", "steps"];
var mark = /* @__PURE__ */ Symbol.for("sluice/Step/Expression");
var ExpressionSelf = Schema5.declare(
  (value4) => typeof value4 === "object" && value4 !== null && "evaluate" in value4 && "source" in value4
).annotations({ [mark]: true });
var isExpression = (ast) => AST.isTransformation(ast) && ast.to.annotations[mark] === true;
var ExpressionText = Schema5.transformOrFail(
  Schema5.String.annotations({
    description: "an expression over the row (JSONata)",
    jsonSchema: {
      type: "string",
      description: "an expression over the row (JSONata); inputs are $inputs.NAME, values of steps $steps.ID.output",
      not: { pattern: "\\$\\{\\{[\\s\\S]*\\}\\}" }
    }
  }),
  ExpressionSelf,
  {
    strict: true,
    decode: (text4, _5, ast) => Either10.mapLeft(compile2(text4, { names: rowNames }), (error) => new ParseResult3.Type(ast, text4, error.message)),
    encode: (expression) => Either10.right(expression.source)
  }
);
var expressionFailed = (error) => new StepError({ reason: "ExpressionFailed", message: error.message, cause: error });
var phraseOf = (ast) => Option4.firstSomeOf([
  Option4.filter(AST.getDescriptionAnnotation(ast), (description) => !description.endsWith(".")),
  AST.getTitleAnnotation(ast)
]).pipe(Option4.getOrElse(() => "another value"));
var perRow = (schema) => {
  const validate = Schema5.decodeUnknownEither(schema);
  const expected = phraseOf(schema.ast);
  const self = Schema5.declare(
    (value4) => typeof value4 === "object" && value4 !== null && "of" in value4
  );
  const literal = Schema5.transform(schema, self, {
    strict: true,
    decode: (value4) => ({ literal: value4, of: () => Effect24.succeed(value4) }),
    encode: (value4) => value4.literal
  });
  const computed = Schema5.transformOrFail(Schema5.Struct({ expr: ExpressionText }), self, {
    strict: true,
    decode: ({ expr }) => Either10.right({
      literal: void 0,
      of: (row, bindings) => Effect24.flatMap(
        Effect24.mapError(expr.evaluate(row.data, bindings), expressionFailed),
        (value4) => Either10.mapLeft(
          validate(value4),
          () => new StepError({
            reason: "ExpressionFailed",
            message: `{ expr: ${expr.source} } gives ${describe3(value4)}: expected ${expected}`
          })
        )
      )
    }),
    // A definition is read and never written back from here.
    encode: (value4, _5, ast) => Either10.left(new ParseResult3.Forbidden(ast, value4, "a compiled expression has no text"))
  });
  return Schema5.Union(computed, literal);
};
var notWebAddress = (place, text4) => new StepError({
  reason: "NotWebAddress",
  message: `${place} is no web address: expected http:// or https://, got ${describe3(text4)}`
});
var rowUrl = () => urlField;
var urlField = Schema5.decodeUnknownSync(perRow(PageUrl))({ expr: "url" });
var describe3 = (value4) => {
  const text4 = JSON.stringify(value4) ?? "nothing";
  return text4.length > 80 ? `${text4.slice(0, 77)}\u2026` : text4;
};

// src/Sink/Destination.ts
var placeholder = /\{([A-Za-z]\w*)\}/g;
var runNames = ["runId", "date", "seq"];
var placeholdersOf = (template) => [...template.matchAll(placeholder)].map((match9) => match9[1] ?? "");
var partialEnding = /\.(partial|changed)$/i;
var templateError = (template) => {
  if (template.trim() === "") return "a path is needed, like out/{runId}.jsonl";
  if (/[/\\]$/.test(template)) return `"${template}" names a folder: end it with a file name`;
  if (template.includes("\0")) return "a path cannot contain a zero character";
  if (partialEnding.test(template)) return `"${template}" ends like a partial file: choose another ending`;
  const stray = template.replace(placeholder, "").search(/[{}]/);
  if (stray !== -1) return `"${template}" has a brace that belongs to no {name}`;
  const behind = template.slice(template.search(/\{[A-Za-z]/));
  if (placeholdersOf(template).length > 0 && /(^|[/\\])\.\.([/\\]|$)/.test(behind)) {
    return `"${template}" goes up behind a {name}: write .. only before it`;
  }
  return void 0;
};
var Template = Schema6.String.pipe(Schema6.filter((template) => templateError(template) ?? true)).annotations({
  identifier: "OutputPath",
  description: "Path of the file, under the output folder unless it is absolute, or - for standard output; {runId}, {date} and {seq} stand for the run's, other names for what partitionBy says.",
  examples: ["out/pages-{runId}.jsonl"]
});
var reserved = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i;
var truncate = (text4, bytes) => {
  if (Buffer.byteLength(text4) <= bytes) return text4;
  const shortened = Buffer.from(text4).subarray(0, bytes).toString("utf8");
  return shortened.replace(/\ufffd+$/, "");
};
var sanitize = (value4, maxBytes = 100) => {
  const text4 = truncate(
    value4.slice(0, 1e3).replace(new RegExp("\\p{Cs}", "gu"), "_").normalize("NFC").replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
      /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|{}]+/g,
      "_"
    ),
    maxBytes
  ).replace(/^[.\s]+|[.\s]+$/g, "");
  return text4 === "" ? "_" : text4;
};
var escapeReserved = (segment) => {
  const ended3 = partialEnding.test(segment) ? `${segment}_` : segment;
  return reserved.test(ended3.split(".", 1)[0]?.trim() ?? "") ? `_${ended3}` : ended3;
};
var literalPrefix = (template, folder) => {
  const first = template.search(/\{[A-Za-z]\w*\}/);
  const literal = first === -1 ? template : template.slice(0, first);
  return NodePath2.resolve(folder, literal.slice(0, literal.search(/[^/\\]*$/)));
};
var textPrefix = (written, folder) => {
  const first = written.indexOf("${{");
  return first === -1 ? void 0 : literalPrefix(written.slice(0, first), folder);
};
var whyOutside = (written, path2, folder) => {
  const prefix = textPrefix(written, folder);
  return prefix === void 0 || isBelow(literalPrefix(path2, folder), prefix) ? void 0 : `the input or variable in this path contains ${"`..`"} or an absolute path, and leads out of the folder that the path begins with: ${path2}; write ${"`..`"} and absolute paths as text, or choose another folder with --out`;
};
var fill = (template, values) => template.split("/").map((segment) => {
  const names2 = placeholdersOf(segment);
  const maxBytes = Math.min(100, Math.floor(150 / Math.max(1, names2.length)));
  const filled3 = segment.replace(
    placeholder,
    (whole, name) => Object.hasOwn(values, name) ? sanitize(values[name] ?? "", maxBytes) : name === "seq" ? whole : "_"
  );
  return filled3 === segment ? segment : escapeReserved(filled3);
}).join("/");
var formatSeq = (seq) => String(seq).padStart(5, "0");
var resolve4 = (filled3, folder, seq) => NodePath2.resolve(folder, filled3.replaceAll("{seq}", formatSeq(seq)));
var foldCase = (path2) => path2.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
var below = (template) => {
  const isAbsolute4 = NodePath2.isAbsolute(template);
  const segments = template.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
  const inner = segments.map((segment) => segment === ".." ? "_up" : segment.replace(/:$/, ""));
  return [...isAbsolute4 ? ["_root"] : [], ...inner].join("/");
};
var perRun = (template) => {
  if (placeholdersOf(template).includes("runId")) return template;
  const start3 = template.search(/[^/\\]*$/);
  const dot = template.indexOf(".", start3 + 1);
  return dot === -1 ? `${template}-{runId}` : `${template.slice(0, dot)}-{runId}${template.slice(dot)}`;
};
var Mode = Schema6.Literal("replace", "append", "perRun").annotations({
  description: "replace: the new files take the old ones' place when the run has ended well, and of a partition all its parts; append: behind what is there, with {seq} as further parts; perRun: files of its own, with the run's id in their names."
});
var Roll = Schema6.Struct({
  rows: Schema6.optional(
    Schema6.Int.pipe(Schema6.positive()).annotations({ description: "Most rows of a part.", examples: [5e4] })
  ),
  size: Schema6.optional(
    SizeText.annotations({
      description: "a size like 64MB: most bytes of a part, before gzip; a larger row has its own"
    })
  )
}).annotations({
  description: "Begins a new part, the next {seq} of its partition, before the part has more than this."
});
var fields2 = {
  mode: Schema6.optionalWith(Mode, { default: () => "replace" }),
  partitionBy: Schema6.optional(
    Schema6.Record({ key: Schema6.String, value: ExpressionText }).annotations({
      description: "Names in the path, each with the expression whose value over the row stands there."
    })
  ),
  roll: Schema6.optional(Roll),
  gzip: Schema6.optional(
    Schema6.Boolean.annotations({ description: "Compress the files; true by itself when the path ends in .gz." })
  ),
  order: Schema6.optionalWith(
    Schema6.Literal("completion", "input").annotations({
      description: "input: rows in the order in which they were read; completion: as soon as they are ready."
    }),
    { default: () => "completion" }
  )
};
var isZipped = (path2) => /\.gz$/i.test(path2);
var isAmbiguous = (path2, partitions) => path2.split("/").some((segment) => {
  if (/[\d}]\{seq\}|\{seq\}[\d{]/.test(segment)) return true;
  const hasValue = (text4) => placeholdersOf(text4 ?? "").some((name) => partitions.includes(name));
  const [before2, ...after] = segment.split("{seq}");
  return after.length > 0 && hasValue(before2) && hasValue(after.join());
});
var stdoutErrors = ({ gzip: gzip3, mode, partitionBy, roll }) => {
  const issue = (field2, hint) => ({
    path: [field2],
    message: `"-" is standard output, which has no ${field2}: ${hint}`
  });
  return [
    ...mode === "replace" ? [] : [issue("mode", "leave it out, or name a file")],
    ...partitionBy === void 0 ? [] : [issue("partitionBy", "leave it out, or name a file")],
    ...roll === void 0 ? [] : [issue("roll", "leave it out, or name a file")],
    ...gzip3 === true ? [issue("gzip", "pipe it through gzip")] : []
  ];
};
var settingsErrors = (key2, settings) => {
  const { gzip: gzip3, partitionBy = {}, path: path2, roll } = settings;
  if (path2 === "-") return stdoutErrors(settings);
  const asked = placeholdersOf(path2);
  const partitions = Object.keys(partitionBy);
  const known4 = [.../* @__PURE__ */ new Set([...partitions, ...runNames])];
  const hint = (word, words3) => {
    const near = nearest(word, words3);
    return near === void 0 ? "" : `; did you mean {${near}}?`;
  };
  const unknownNames = [...new Set(asked)].filter((name) => !known4.includes(name)).map((name) => ({
    path: [key2],
    message: `{${name}} is not known in a path: there are {${known4.join("}, {")}}, and what partitionBy names${hint(name, known4)}`
  }));
  const unused = partitions.filter((name) => !asked.includes(name)).map((name) => ({
    path: ["partitionBy", name],
    message: `the path has no {${name}}: write it where the value shall stand${hint(
      name,
      asked.filter((each) => !partitions.includes(each))
    )}`
  }));
  const taken2 = partitions.filter((name) => name === "seq" || name === "runId").map((name) => ({
    path: ["partitionBy", name],
    message: `{${name}} is the run's own: give the partition another name`
  }));
  return [
    ...unknownNames,
    ...unused,
    ...taken2,
    ...isAmbiguous(path2, partitions) ? [
      {
        path: [key2],
        message: `{seq} runs into what is beside it: write it at one end of the name, like part-{seq}`
      }
    ] : [],
    ...roll !== void 0 && !asked.includes("seq") ? [{ path: ["roll"], message: `the parts need names: write {seq} in the path, like part-{seq}.${key2}` }] : [],
    ...roll !== void 0 && roll.rows === void 0 && roll.size === void 0 ? [{ path: ["roll"], message: "say how much is in a part: rows, size or both" }] : [],
    ...gzip3 === false && isZipped(path2) ? [{ path: ["gzip"], message: `"${path2}" ends in .gz: leave gzip out, or end it otherwise` }] : []
  ];
};
var minSeqDigits = formatSeq(1).length;
var placeholderOrValue = /\{([A-Za-z]\w*)\}|\$\{\{[\s\S]*?\}\}/g;
var unknownFolder = `${NodePath2.sep}{{out}}`;
var tokensOf = (segment, partitions) => {
  const tokens = [];
  const literal = (text4) => {
    for (const character of foldCase(text4)) tokens.push({ kind: "text", text: character });
  };
  let end2 = 0;
  for (const match9 of segment.matchAll(placeholderOrValue)) {
    literal(segment.slice(end2, match9.index));
    end2 = match9.index + match9[0].length;
    const name = match9[1];
    if (name === "seq") {
      for (let digit = 1; digit < minSeqDigits; digit++) tokens.push({ kind: "digit" });
      tokens.push({ kind: "seq" });
    } else if (name !== void 0 && partitions.includes(name)) tokens.push({ kind: "row" });
    else tokens.push({ kind: "run", text: match9[0] });
  }
  literal(segment.slice(end2));
  return tokens;
};
var isNumber2 = (token) => token.kind === "digit" || token.kind === "seq";
var agree = (a, b) => {
  if (a.kind === "row" || b.kind === "row") return true;
  if (isNumber2(a)) return isNumber2(b) || b.kind === "text" && /\d/.test(b.text);
  if (isNumber2(b)) return agree(b, a);
  return a.kind === b.kind && a.text === b.text;
};
var repeats = ({ kind }) => kind === "row" || kind === "seq";
var overlap = (a, b) => {
  const seen = /* @__PURE__ */ new Set();
  const queue = [[0, 0]];
  for (let next = queue.pop(); next !== void 0; next = queue.pop()) {
    const [i, j] = next;
    if (i === a.length && j === b.length) return true;
    const [one2, other] = [a[i], b[j]];
    const pair = i * (b.length + 1) + j;
    if (one2 === void 0 || other === void 0 || seen.has(pair) || !agree(one2, other)) continue;
    seen.add(pair);
    queue.push([i + 1, j + 1]);
    if (repeats(one2)) queue.push([i, j + 1]);
    if (repeats(other)) queue.push([i + 1, j]);
  }
  return false;
};
var segmentsOf = ({ mode, partitions, path: path2 }) => {
  const template = mode === "perRun" ? perRun(path2) : path2;
  const values = [];
  const named2 = template.replace(/\$\{\{[\s\S]*?\}\}/g, (value4) => `\0${values.push(value4) - 1}\0`);
  return NodePath2.resolve(unknownFolder, named2).split(/[/\\]/).map(
    (segment) => tokensOf(
      segment.replace(/\0(\d+)\0/g, (_5, index) => values[Number(index)] ?? ""),
      partitions
    )
  );
};
var collide = (one2, other) => {
  if (one2.path === "-" || other.path === "-") return one2.path === other.path;
  const [a, b] = [segmentsOf(one2), segmentsOf(other)];
  return a.length === b.length && a.every((segment, index) => overlap(segment, b[index] ?? []));
};

// src/Sink/Partition.ts
import * as NodePath3 from "node:path";
import * as Effect25 from "effect/Effect";
import * as Either11 from "effect/Either";
var numberedName = (partition2, folder) => {
  const segments = partition2.split("/");
  const at = segments.findIndex((segment) => segment.includes("{seq}"));
  const above = at === 0 ? "." : `${segments.slice(0, at).join("/")}/`;
  return { parent: NodePath3.resolve(folder, above), name: segments[at] ?? "" };
};
var partNumber = (digits2) => {
  const seq = Number(digits2);
  return Number.isSafeInteger(seq) && formatSeq(seq) === digits2 ? seq : void 0;
};
var indexNames = (names2) => {
  const index = /* @__PURE__ */ new Map();
  for (const name of names2) {
    for (const { 0: digits2, index: at } of name.matchAll(/\d{5,}/g)) {
      const seq = partNumber(digits2);
      if (seq === void 0) continue;
      const key2 = foldCase(`${name.slice(0, at)}{seq}${name.slice(at + digits2.length)}`);
      const known4 = index.get(key2);
      if (known4 === void 0) index.set(key2, [seq]);
      else known4.push(seq);
    }
  }
  return index;
};
var matchNames = (names2, name) => {
  const [before2 = "", after = "", ...more] = foldCase(name).split("{seq}").map((text4) => text4.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern6 = new RegExp(`^${before2}(\\d{5,})${[after, ...more].join("\\1")}$`);
  return names2.flatMap((each) => partNumber(pattern6.exec(foldCase(each))?.[1] ?? "") ?? []);
};
var makePartFinder = (fs, folder) => {
  const listed2 = /* @__PURE__ */ new Map();
  const list3 = (parent) => {
    const known4 = listed2.get(parent);
    if (known4 !== void 0) return Effect25.succeed(known4);
    return fs.readDirectory(parent).pipe(
      Effect25.orElseSucceed(() => []),
      Effect25.map((names2) => {
        const found = { names: names2, index: indexNames(names2) };
        listed2.set(parent, found);
        return found;
      })
    );
  };
  const numbers3 = (partition2) => {
    const { parent, name } = numberedName(partition2, folder);
    const isPlain = name.split("{seq}").length === 2;
    return Effect25.map(
      list3(parent),
      ({ index, names: names2 }) => isPlain ? index.get(foldCase(name)) ?? [] : matchNames(names2, name)
    );
  };
  const above = (partition2, seq) => Effect25.flatMap(
    numbers3(partition2),
    (found) => Effect25.filter(
      found.filter((each) => each > seq).map((each) => resolve4(partition2, folder, each)),
      (path2) => fs.stat(path2).pipe(
        Effect25.map(({ type }) => type === "File"),
        Effect25.orElseSucceed(() => false)
      )
    )
  );
  return { numbers: numbers3, above };
};
var encodeParts = (batch, current2, codec, limits3, out) => {
  const slices = [];
  const { length } = batch.items;
  let progress = current2;
  let start3 = out.end;
  let at = 0;
  let singlyUntil = 0;
  const close3 = () => {
    if (progress !== current2 && progress.rows > 0) slices.push({ start: start3, end: out.end, progress });
  };
  const next = () => {
    close3();
    progress = { seq: progress.seq + 1, rows: 0, size: 0, state: codec.begin(false), continues: false };
    start3 = out.end;
  };
  while (at < length) {
    if (progress.rows >= limits3.rows) next();
    const { continues, rows: rows3, seq, state } = progress;
    const to = Math.min(length, at < singlyUntil ? at + 1 : at + limits3.rows - rows3);
    const before2 = out.end;
    const encoded = codec.encode(batch, at, to, state, out, rows3 === 0 && !continues);
    if (Either11.isLeft(encoded)) return Either11.left(encoded.left);
    const size = progress.size + out.end - before2;
    if (size <= limits3.size || rows3 === 0 && to - at === 1) {
      progress = { seq, rows: rows3 + to - at, size, state: encoded.right, continues };
      at = to;
    } else {
      out.rewind(before2);
      if (to - at > 1) singlyUntil = to;
      else next();
    }
  }
  close3();
  return Either11.right(slices);
};
var textOf = (value4) => {
  if (value4 === void 0 || value4 === null) return "";
  if (value4 instanceof Date) return Number.isNaN(value4.getTime()) ? "" : value4.toISOString();
  return typeof value4 === "object" ? Either11.getOrElse(jsonText(value4), () => "") : String(value4);
};
var makeFiller = (template, names2, partitions) => {
  const remembered = /* @__PURE__ */ new Map();
  return (texts2) => {
    const key2 = texts2.length === 1 ? texts2[0] ?? "" : JSON.stringify(texts2);
    const known4 = remembered.get(key2);
    if (known4 !== void 0) return known4;
    const values = Object.fromEntries(partitions.map((name, at) => [name, texts2[at] ?? ""]));
    const filled3 = fill(template, { ...names2, ...values });
    if (remembered.size >= 1e4) remembered.clear();
    if (key2.length <= 300) remembered.set(key2, filled3);
    return filled3;
  };
};
var make9 = (settings, context) => {
  const { mode, partitionBy = {}, path: path2, roll } = settings;
  const named2 = mode === "perRun" ? perRun(path2) : path2;
  const template = context.trials?.isTrial === true ? below(named2) : named2;
  const { seq: _5, ...names2 } = context.names;
  const partitions = Object.keys(partitionBy);
  const expressions = Object.values(partitionBy);
  const filler = makeFiller(template, names2, partitions);
  const only2 = filler([]);
  const evaluate2 = (rows3) => {
    const data = rows3.map((row) => row.data);
    const bindings = [];
    const bindingsAt = (index) => {
      bindings[index] ??= context.bindings(rows3[index]);
      return bindings[index];
    };
    return Effect25.map(
      Effect25.forEach(expressions, (expression) => expression.evaluateChunk(data, bindingsAt)),
      (columns) => {
        const paths = [];
        for (let index = 0; index < rows3.length; index++) {
          const texts2 = [];
          for (const [at, column] of columns.entries()) {
            const value4 = column[index];
            if (value4 !== void 0 && Either11.isLeft(value4)) {
              return Either11.left(new PartitionFailed({ name: partitions[at] ?? "", cause: value4.left, index }));
            }
            texts2.push(textOf(value4?.right));
          }
          paths.push(filler(texts2));
        }
        return Either11.right(paths);
      }
    );
  };
  return {
    isStdout: path2 === "-",
    append: mode === "append",
    gzip: settings.gzip ?? isZipped(path2),
    partitioned: partitions.length > 0,
    numbered: placeholdersOf(template).includes("seq"),
    limits: { rows: roll?.rows ?? Number.POSITIVE_INFINITY, size: roll?.size ?? Number.POSITIVE_INFINITY },
    partitionsOf: (rows3) => partitions.length === 0 ? Effect25.succeed(only2) : Effect25.flatten(evaluate2(rows3)),
    only: only2,
    template,
    prefix: literalPrefix(template, context.folder)
  };
};
var partitionOfEach = ({ only: only2, partitionsOf }, rows3) => {
  const all5 = (paths) => typeof paths === "string" ? rows3.map(() => paths) : paths;
  const single = (row) => Effect25.map(
    Effect25.orElseSucceed(partitionsOf([row]), () => only2),
    (paths) => typeof paths === "string" ? paths : paths[0] ?? ""
  );
  return Effect25.catchAll(Effect25.map(partitionsOf(rows3), all5), () => Effect25.forEach(rows3, single));
};

// src/Sink/Parts.ts
import * as NodePath8 from "node:path";
import * as FileSystem7 from "@effect/platform/FileSystem";
import * as Effect30 from "effect/Effect";
import * as Schema8 from "effect/Schema";

// src/Permissions.ts
import { statSync as statSync2 } from "node:fs";
import { homedir as homedir2 } from "node:os";
import * as NodePath4 from "node:path";
import { fileURLToPath } from "node:url";
import * as Context6 from "effect/Context";
var Permissions = class extends Context6.Reference()("sluice/Permissions", {
  defaultValue: () => ({
    project: void 0,
    isOwn: true,
    env: /* @__PURE__ */ new Set(),
    folders: [],
    code: false,
    dataFolders: [],
    out: void 0,
    hosts: /* @__PURE__ */ new Map()
  })
}) {
};
var packaged;
var isPackaged = (real) => {
  packaged ??= realPath(fileURLToPath(new URL("../pipelines", import.meta.url)));
  return isBelow(real, packaged);
};
var isOfProject = ({ isNone: isNone2, project }, file) => {
  if (project === void 0) return true;
  const real = realPath(file);
  if (isPackaged(real)) return true;
  if (isNone2) return false;
  return isBelow(real, project) && !NodePath4.relative(project, real).split(NodePath4.sep).includes("node_modules");
};
var forDefinition = (permissions, file) => {
  const folder = NodePath4.dirname(realPath(file));
  const ownFolder = permissions.ownFolder ?? (permissions.isNone && !isShared(folder) ? folder : void 0);
  return {
    ...permissions,
    isOwn: permissions.isOwn && isOfProject(permissions, file),
    ownFolder
  };
};
var allowWith = ({ isWorker }, flag) => isWorker === true ? `start the worker with ${flag}, or in the project` : `allow it with ${flag}`;
var originOf = ({ isNone: isNone2, project }) => isNone2 ? `the definition belongs to no project, because ${project} is not one` : `the definition is from outside the project ${project}`;
var systemFolders = ["/proc", "/sys", "/dev"];
var memoryDisk = "/dev/shm";
var dataName = ".sluice";
var shardRows = ".rows";
var kept = "engine.db engine.db-shm engine.db-wal ledger.db ledger.db-shm ledger.db-wal keys.json seal.key runs trial copies browser-profiles".split(
  " "
);
var protectedIn = (dataDir, folder) => {
  const real = realPath(dataDir);
  return isBelow(realPath(folder), real) ? kept.map((name) => NodePath4.join(real, name)) : [real];
};
var protectedBy = (paths, { dataFolders }) => {
  for (const path2 of paths) {
    const system = isBelow(path2, memoryDisk) ? [] : systemFolders;
    const found = [...system, ...dataFolders].find((folder) => isBelow(path2, folder));
    if (found !== void 0) return found;
    const at = path2.split(NodePath4.sep).indexOf(dataName);
    if (at !== -1)
      return path2.split(NodePath4.sep).slice(0, at + 1).join(NodePath4.sep);
  }
  return void 0;
};
var isDirectory = (real) => {
  try {
    return statSync2(real).isDirectory();
  } catch {
    return false;
  }
};
var howAllowed = (permissions, real, kind) => {
  const isFolder = kind === "folder" || isDirectory(real);
  const folder = isFolder ? real : NodePath4.dirname(real);
  if (!isBelow(realPath(homedir2()), folder)) return allowWith(permissions, `--allow-path ${folder}`);
  return isFolder ? `use a folder of its own, and ${allowWith(permissions, "--allow-path DIR")}` : allowWith(permissions, `--allow-path ${real}`);
};
var whyNotRead = (permissions, path2, kind = "file") => {
  const asked = NodePath4.resolve(path2);
  const real = realPath(asked);
  const leads = real === asked ? asked : `${asked} (which is ${real})`;
  const never4 = protectedBy([asked, real], permissions);
  if (never4 !== void 0) {
    const hint = /^\/dev\/(stdin|fd)\b/.test(asked) ? ': write read: "-" for what is piped in' : "";
    return `${leads} is never read for a definition, because it is in ${never4}${hint}`;
  }
  const { folders, isNone: isNone2, isOwn, ownFolder, project } = permissions;
  if (project === void 0 || folders.some((folder) => isBelow(real, folder))) return void 0;
  if (ownFolder !== void 0 && isBelow(real, ownFolder)) return void 0;
  if (isOwn && (isBelow(real, project) || isPackaged(real))) return void 0;
  const how = howAllowed(permissions, real, kind);
  if (isNone2) {
    return `${leads} cannot be read: ${originOf(permissions)}. Put the definition and its files into a folder of their own, or ${how}`;
  }
  if (!isOwn && !isBelow(real, project))
    return `neither ${leads} nor the definition is in the project ${project}: ${how}`;
  return isBelow(real, project) ? `${leads} cannot be read by a definition from outside the project ${project}: ${how}` : `${leads} is outside the project ${project}: ${how}`;
};
var whyNotWritten = (permissions, path2, out, kind = "file") => {
  const asked = NodePath4.resolve(path2);
  const real = realPath(asked);
  const never4 = protectedBy([asked, real], permissions);
  if (never4 !== void 0 && !isBelow(realPath(out), never4)) {
    return `${asked} is never written for a definition, because it is in ${never4}`;
  }
  const { folders, isOwn, project } = permissions;
  if (isOwn || project === void 0 || folders.some((folder) => isBelow(real, folder))) return void 0;
  if (isBelow(real, realPath(out))) {
    const hidden2 = NodePath4.relative(realPath(out), real).split(NodePath4.sep).find((name) => name.startsWith(".") && name !== shardRows);
    return hidden2 === void 0 ? void 0 : `${asked} is hidden (${hidden2}), and ${originOf(permissions)}: ${howAllowed(permissions, real, kind)}`;
  }
  return `${asked} is not below the output folder ${out}, and ${originOf(permissions)}: ${howAllowed(permissions, real, kind)}`;
};
var whyNotNamed = (permissions, name) => permissions.isOwn || permissions.env.has(name) ? void 0 : `${originOf(permissions)}: ${allowWith(permissions, `--allow-env ${name}`)}`;
var maySend = (bound, host3) => bound.some((each) => each.startsWith("*.") ? host3.endsWith(each.slice(1)) : host3 === each);
var loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;
var whyNotSent = ({ hosts }, secrets, url) => {
  const { hostname: hostname2, protocol } = canParse(url) ? new URL(url) : { hostname: "", protocol: "" };
  const host3 = hostname2.toLowerCase().replace(/\.$/, "");
  for (const secret of secrets) {
    const bindings = hosts.get(secret);
    if (bindings === void 0) continue;
    const binding = bindings.find((each) => !maySend(each.hosts, host3));
    if (binding !== void 0) {
      const to = host3 === "" ? "another host" : host3;
      return `the secret ${secret} is bound to ${binding.hosts.join(", ")}, and would be sent to ${to}: add it to \`hosts\` of ${secret} in ${binding.file}, or remove the header`;
    }
    if (protocol !== "https:" && !loopback.test(host3)) {
      return `the secret ${secret} is bound to hosts, and would be sent to ${host3} without encryption: use https://`;
    }
  }
  return void 0;
};

// src/Sink/Existing.ts
import * as NodePath5 from "node:path";
import { promisify as promisify2 } from "node:util";
import * as Zlib2 from "node:zlib";
import * as Effect26 from "effect/Effect";
import * as Option5 from "effect/Option";
var identify = (fs, path2) => fs.stat(path2).pipe(
  Effect26.map((info) => info.type === "Directory" ? void 0 : identityOf(info)),
  Effect26.orElseSucceed(() => void 0)
);
var identityOf = (info) => ({
  size: Number(info.size),
  modified: info.mtime._tag === "Some" ? info.mtime.value.getTime() : 0,
  inode: info.ino._tag === "Some" ? info.ino.value : 0
});
var isContinued = (original) => original !== void 0 && original !== null && original.size > 0 && original.isOfTrial !== true;
var isSame = (a, b) => a?.size === b?.size && a?.modified === b?.modified && a?.inode === b?.inode;
var maxLinks2 = 40;
var realPath2 = (fs, path2, links = 0) => Effect26.matchEffect(fs.readLink(path2), {
  // Not a link, or no file.
  onFailure: () => Effect26.succeed(path2),
  onSuccess: (to) => links < maxLinks2 ? (
    // `..` in a link leads up from the real folder that the link is in.
    Effect26.flatMap(
      fs.realPath(NodePath5.dirname(path2)),
      (folder) => realPath2(fs, NodePath5.resolve(folder, to), links + 1)
    )
  ) : (
    // Fails with the system's own error.
    Effect26.as(fs.stat(path2), path2)
  )
});
var realFolder = (fs, folder) => Effect26.catchAll(fs.realPath(folder), () => {
  const above = NodePath5.dirname(folder);
  return above === folder ? Effect26.succeed(folder) : Effect26.map(realFolder(fs, above), (real) => NodePath5.join(real, NodePath5.basename(folder)));
});
var nouns = {
  CharacterDevice: "a character device",
  BlockDevice: "a block device",
  FIFO: "a FIFO (named pipe)",
  Socket: "a socket"
};
var statRegular = (fs, path2, target) => Effect26.gen(function* () {
  const found = Option5.getOrUndefined(yield* Effect26.option(fs.stat(target)));
  if (found === void 0 || found.type === "File") return found;
  if (found.type === "Directory") return yield* new IsDirectory({ path: path2 });
  return yield* new NotRegularFile({ path: path2, is: nouns[found.type] ?? "not a regular file" });
});
var resolveTarget = (fs, path2) => Effect26.gen(function* () {
  const target = yield* realPath2(fs, path2);
  const found = yield* statRegular(fs, path2, target);
  const folder = yield* realFolder(fs, NodePath5.dirname(target));
  const identity3 = NodePath5.join(folder, NodePath5.basename(target));
  return { path: target, identity: identity3, mode: found && found.mode & 511 | 384 };
});
var withoutGroup = (mode) => mode & 455 | (mode & 7) << 3;
var inherit = (fs, partial2, { gid, mode, uid }) => Effect26.gen(function* () {
  const own3 = yield* fs.stat(partial2);
  const group2 = Option5.getOrUndefined(gid);
  const owner = Option5.getOrUndefined(uid);
  let bits = mode & 4095;
  if (owner !== void 0 && group2 !== void 0) {
    const ownGroup = Option5.getOrUndefined(own3.gid);
    const ownOwner = Option5.getOrUndefined(own3.uid) ?? owner;
    if (owner !== ownOwner || group2 !== ownGroup) {
      const isGiven = yield* fs.chown(partial2, owner, group2).pipe(
        Effect26.orElse(() => fs.chown(partial2, ownOwner, group2)),
        Effect26.as(true),
        Effect26.orElseSucceed(() => false)
      );
      if (!isGiven && group2 !== ownGroup) bits = withoutGroup(mode);
    }
  }
  if ((own3.mode & 4095) !== bits) yield* fs.chmod(partial2, bits);
}).pipe(
  Effect26.ignore
);
var verifyTarget = (fs, { original, partial: partial2, path: path2, target = path2 }) => Effect26.gen(function* () {
  const now = yield* realPath2(fs, path2);
  if (now !== target) return yield* new LinkChanged({ path: path2, partial: partial2, before: target, now });
  const found = yield* statRegular(fs, path2, target);
  if (original !== void 0 && !isSame(found && identityOf(found), original ?? void 0)) {
    return yield* new OriginalChanged({ path: path2, partial: partial2 });
  }
  return found;
}).pipe(
  Effect26.catchTags({
    SystemError: (error) => fileError(path2, { bytes: 0, rows: 0 })(error),
    BadArgument: (error) => fileError(path2, { bytes: 0, rows: 0 })(error)
  })
);
var verifyOriginal = (fs, { original, partial: partial2, path: path2 }) => original === void 0 ? Effect26.void : Effect26.flatMap(
  identify(fs, path2),
  (found) => isSame(found, original ?? void 0) ? Effect26.void : Effect26.fail(new OriginalChanged({ path: path2, partial: partial2 }))
);
var gunzip3 = promisify2(Zlib2.gunzip);
var gunzipStart = (path2, bytes) => Effect26.tryPromise({
  try: () => gunzip3(bytes, { finishFlush: Zlib2.constants.Z_SYNC_FLUSH }),
  catch: (cause) => new WriteFailed({ path: path2, cause })
});
var readStart = (fs, path2, length) => Effect26.gen(function* () {
  const file = yield* fs.open(path2, { flag: "r" });
  const bytes = Buffer.alloc(length);
  let end2 = 0;
  let got = 1;
  while (end2 < length && got > 0) {
    got = Number(yield* file.read(bytes.subarray(end2)));
    end2 += got;
  }
  return bytes.subarray(0, end2);
}).pipe(
  Effect26.scoped,
  Effect26.mapError((error) => fileError(path2, { bytes: 0, rows: 0 })(error))
);
var firstLine = (content) => {
  const [line = ""] = content.toString().match(/^.*\r?\n?/) ?? [];
  const whole = JSON.stringify(line.replace(/^\ufeff/, "<BOM>"));
  return whole.length > 500 ? `${whole.slice(0, 499)}\u2026` : whole;
};
var verifyAppendable = (fs, path2, header, gzip3) => Effect26.gen(function* () {
  const expected = Buffer.from(header);
  const bytes = yield* readStart(fs, path2, expected.length + (1 << 16));
  if (gzip3 && !(bytes[0] === 31 && bytes[1] === 139)) return yield* new NotGzip({ path: path2 });
  if (expected.length === 0) return;
  const content = Buffer.from(gzip3 ? yield* gunzipStart(path2, bytes) : bytes);
  if (!content.subarray(0, expected.length).equals(expected)) {
    return yield* new HeaderMismatch({ path: path2, expected: firstLine(expected), found: firstLine(content) });
  }
});
var splitByTrial = (fs, { isTrial: isTrial2, written }, paths) => Effect26.gen(function* () {
  const trialFiles = /* @__PURE__ */ new Map();
  const others = [];
  const found = yield* Effect26.forEach(
    paths,
    (path2) => Effect26.map(identify(fs, path2), (file) => file === void 0 ? [] : [{ path: path2, file }]),
    { concurrency: 8 }
  );
  const [first] = found.flat();
  if (first === void 0) return { trialFiles, others };
  const known4 = yield* Effect26.mapError(written, (cause) => new WriteFailed({ path: first.path, cause }));
  for (const { file, path: path2 } of found.flat()) {
    const isAsLeft = known4.get(path2)?.some(
      ({ bytes, isClaimed, modified }) => bytes === file.size && modified === file.modified && !(isTrial2 && isClaimed)
    );
    if (isAsLeft === true) trialFiles.set(path2, file);
    else others.push(path2);
  }
  return { trialFiles, others };
});
var protectFromTrial = (fs, trials, paths) => trials?.isTrial !== true ? Effect26.void : Effect26.flatMap(
  splitByTrial(fs, trials, paths),
  ({ others: [path2] }) => path2 === void 0 ? Effect26.void : new TrialReplaces({ path: path2 })
);
var trialFilesAt = (fs, trials, paths) => trials === void 0 || trials.isTrial ? Effect26.succeed(/* @__PURE__ */ new Map()) : Effect26.map(splitByTrial(fs, trials, paths), ({ trialFiles }) => trialFiles);
var withModifiedTime = (fs, trials, file) => trials?.isTrial === true ? Effect26.map(identify(fs, file.partial), (found) => ({ ...file, modified: found?.modified })) : Effect26.succeed(file);

// src/Sink/PartFile.ts
import * as NodePath6 from "node:path";
import { promisify as promisify3 } from "node:util";
import * as Zlib3 from "node:zlib";
import * as NodeStream2 from "@effect/platform-node/NodeStream";
import * as Effect27 from "effect/Effect";
import * as Exit3 from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import * as Stream3 from "effect/Stream";
var gzip2 = promisify3(Zlib3.gzip);
var gzipMember = (path2, bytes) => Effect27.tryPromise({ try: () => gzip2(bytes), catch: (cause) => new WriteFailed({ path: path2, cause }) });
var changeGzipped = (path2, change) => (bytes) => bytes.pipe(
  NodeStream2.pipeThroughDuplex(
    () => Zlib3.createGunzip(),
    (cause) => new WriteFailed({ path: path2, cause })
  ),
  change,
  NodeStream2.pipeThroughDuplex(
    () => Zlib3.createGzip(),
    (cause) => new WriteFailed({ path: path2, cause })
  )
);
var maxOpenFiles = 64;
var FileHandles = class {
  #fs;
  /** By path, in the order of their last use. */
  #open = /* @__PURE__ */ new Map();
  constructor(fs) {
    this.#fs = fs;
  }
  /** `flag` applies if the file is not open yet. A file has one user at a time. */
  use(path2, flag, work) {
    return Effect27.acquireUseRelease(
      this.#acquire(path2, flag),
      ({ file }) => work(file),
      (handle) => Effect27.sync(() => {
        handle.users--;
      })
    );
  }
  #acquire(path2, flag) {
    return Effect27.suspend(() => {
      const known4 = this.#open.get(path2);
      if (known4 !== void 0) {
        this.#open.delete(path2);
        this.#open.set(path2, known4);
        known4.users++;
        return Effect27.succeed(known4);
      }
      return Effect27.zipRight(this.#closeIdle, this.#openFile(path2, flag));
    });
  }
  #openFile(path2, flag) {
    return Effect27.flatMap(
      Scope.make(),
      (scope4) => this.#fs.open(path2, { flag }).pipe(
        Scope.extend(scope4),
        Effect27.onError(() => Scope.close(scope4, Exit3.void)),
        Effect27.map((file) => {
          const handle = { file, scope: scope4, users: 1 };
          this.#open.set(path2, handle);
          return handle;
        })
      )
    );
  }
  #closeIdle = Effect27.suspend(() => {
    if (this.#open.size < maxOpenFiles) return Effect27.void;
    for (const [path2, handle] of this.#open) if (handle.users === 0) return this.close(path2);
    return Effect27.void;
  });
  close(path2) {
    return Effect27.suspend(() => {
      const handle = this.#open.get(path2);
      if (handle === void 0) return Effect27.void;
      this.#open.delete(path2);
      return Effect27.asVoid(Effect27.flatMap(Effect27.fork(Scope.close(handle.scope, Exit3.void)), Fiber.await));
    });
  }
  closeAll = Effect27.suspend(
    () => Effect27.forEach([...this.#open.keys()], (path2) => this.close(path2), { discard: true })
  );
};
var memberSize = 1 << 20;
var openPaths = /* @__PURE__ */ new Set();
var openIdentities = /* @__PURE__ */ new Set();
var isOpen = (partial2) => openPaths.has(partial2);
var partialPath = (path2, runId) => `${path2}.${runId}.partial`;
var takeOver = (fs, path2, length) => Effect27.gen(function* () {
  const copy = `${path2}.changed`;
  yield* fs.remove(copy, { force: true });
  yield* fs.copyFile(path2, copy);
  yield* fs.truncate(copy, length);
  yield* Effect27.scoped(Effect27.flatMap(fs.open(copy, { flag: "r+" }), ({ sync: sync36 }) => sync36));
  yield* fs.rename(copy, path2);
});
var describeError = (effect3, path2) => Effect27.mapError(
  effect3,
  (error) => error._tag === "SystemError" || error._tag === "BadArgument" ? fileError(path2, { bytes: 0, rows: 0 })(error) : error
);
var PartFile = class _PartFile {
  path;
  /** The path with symbolic links followed. */
  target;
  partial;
  #options;
  #identity;
  #mode;
  #offset = 0;
  #flag = "w";
  #uncompressed = [];
  #committed = { bytes: 0, rows: 0 };
  /** Bytes that are buffered to be compressed. */
  bufferedBytes = 0;
  constructor(path2, { identity: identity3, mode, path: target }, options) {
    this.path = path2;
    this.target = target;
    this.partial = partialPath(target, options.runId);
    this.#options = options;
    this.#identity = partialPath(identity3, options.runId);
    this.#mode = mode;
  }
  /** Opens the file and passes it to `opened` uninterruptibly: after an interrupt the caller has it to release, or it is released. */
  static open(path2, options, initial, opened) {
    return Effect27.uninterruptibleMask(
      (restore3) => restore3(describeError(resolveTarget(options.fs, path2), path2)).pipe(
        Effect27.flatMap((target) => {
          const file = new _PartFile(path2, target, options);
          if (openIdentities.has(file.#identity)) return Effect27.fail(new PathTaken({ path: path2 }));
          openPaths.add(file.partial);
          openIdentities.add(file.#identity);
          return restore3(file.#describeError(file.#initialise(initial))).pipe(
            Effect27.onError(() => file.release),
            Effect27.map(() => opened(file))
          );
        })
      )
    );
  }
  release = Effect27.sync(() => {
    openPaths.delete(this.partial);
    openIdentities.delete(this.#identity);
  });
  /** Bytes on disk, after compression. */
  get bytes() {
    return this.#offset;
  }
  #initialise(initial) {
    const { fs } = this.#options;
    return Effect27.gen(this, function* () {
      if (initial.kind === "resume" && initial.offset > 0) {
        const { offset, rows: rows3 } = initial;
        const found = yield* fs.stat(this.partial).pipe(
          Effect27.map(({ size }) => Number(size)),
          Effect27.orElseSucceed(() => void 0)
        );
        if (found === void 0 || found < offset) {
          return yield* new PartialMissing({ path: this.partial, expected: offset, found });
        }
        if (this.#options.mayBeHeld === true) yield* takeOver(fs, this.partial, offset);
        else if (found > offset) yield* fs.truncate(this.partial, offset);
        this.#offset = offset;
        this.#committed = { bytes: offset, rows: rows3 };
        this.#flag = "r+";
        return;
      }
      yield* makeFolder(fs, NodePath6.dirname(this.target));
      if (this.#options.mayBeHeld === true) yield* fs.remove(this.partial, { force: true });
      if (initial.kind === "copy") yield* this.#copy(initial.lineEnd);
      else yield* this.#create;
      this.#flag = "r+";
    });
  }
  /** Created with the mode of the file that it replaces: who may not read that file may not read the partial file. */
  #create = Effect27.suspend(() => {
    const { fs, handles } = this.#options;
    const mode = this.#mode;
    if (mode === void 0) return handles.use(this.partial, "w", () => Effect27.void);
    return Effect27.zipRight(
      fs.writeFile(this.partial, new Uint8Array(), { mode }),
      Effect27.ignore(fs.chmod(this.partial, mode))
    );
  });
  #copy(lineEnd) {
    const { fs, gzip: gzip3, handles } = this.#options;
    return Effect27.gen(this, function* () {
      yield* fs.copyFile(this.target, this.partial);
      if (this.#mode !== void 0) yield* Effect27.ignore(fs.chmod(this.partial, this.#mode));
      const last = new Uint8Array(1);
      this.#offset = yield* handles.use(
        this.partial,
        "r+",
        (file) => Effect27.gen(function* () {
          const size = Number((yield* file.stat).size);
          if (gzip3 || size === 0) return size;
          yield* file.seek(size - 1, "start");
          yield* file.read(last);
          if (last[0] === 10) return size;
          yield* file.writeAll(Buffer.from(lineEnd));
          return size + lineEnd.length;
        })
      );
    });
  }
  #describeError(effect3) {
    return Effect27.mapError(effect3, (error) => {
      if (error._tag !== "SystemError" && error._tag !== "BadArgument") return error;
      return error._tag === "SystemError" && error.reason === "NotFound" && this.#flag === "r+" ? new PartialMissing({ path: this.partial, expected: this.#offset, found: void 0 }) : fileError(this.path, this.#committed)(error);
    });
  }
  #append(bytes) {
    return this.#describeError(
      this.#options.handles.use(
        this.partial,
        this.#flag,
        (file) => Effect27.zipRight(file.seek(this.#offset, "start"), file.writeAll(bytes))
      )
    ).pipe(
      Effect27.tap(
        () => Effect27.sync(() => {
          this.#offset += bytes.length;
        })
      )
    );
  }
  /** Appends bytes. The caller may reuse their memory afterwards. */
  write(bytes) {
    if (!this.#options.gzip) return this.#append(bytes);
    return Effect27.suspend(() => {
      this.#uncompressed.push(Uint8Array.prototype.slice.call(bytes));
      this.bufferedBytes += bytes.length;
      return this.bufferedBytes < memberSize ? Effect27.void : this.flush;
    });
  }
  /** Writes the buffered bytes as a gzip member. */
  flush = Effect27.suspend(() => {
    if (this.bufferedBytes === 0) return Effect27.void;
    const [first, ...rest] = this.#uncompressed;
    const bytes = first !== void 0 && rest.length === 0 ? first : Buffer.concat(this.#uncompressed);
    this.#uncompressed = [];
    this.bufferedBytes = 0;
    return Effect27.flatMap(gzipMember(this.path, bytes), (member) => this.#append(member));
  });
  /** A gzip file without content needs one member, too. */
  completeGzip = Effect27.suspend(
    () => this.#options.gzip && this.#offset + this.bufferedBytes === 0 ? Effect27.flatMap(gzipMember(this.path, new Uint8Array()), (member) => this.#append(member)) : Effect27.void
  );
  /** Makes everything written so far durable and returns the offset behind it. An error about a full disk names the rows of the last sync. */
  sync(rows3) {
    return Effect27.gen(this, function* () {
      yield* this.flush;
      yield* this.#describeError(this.#options.handles.use(this.partial, this.#flag, (file) => file.sync));
      this.#committed = { bytes: this.#offset, rows: rows3 };
      return this.#offset;
    });
  }
  /** Writes a changed copy of the file beside it. */
  rewrite(change) {
    const { fs, gzip: gzip3 } = this.#options;
    const changed = `${this.partial}.changed`;
    const apply = Stream3.map(change);
    return Effect27.gen(this, function* () {
      yield* fs.writeFile(changed, new Uint8Array(), this.#mode === void 0 ? {} : { mode: this.#mode });
      const target = yield* fs.open(changed, { flag: "r+" });
      const source = fs.stream(this.partial, { chunkSize: memberSize });
      yield* (gzip3 ? changeGzipped(this.path, apply)(source) : apply(source)).pipe(
        Stream3.runForEach((bytes) => target.writeAll(bytes))
      );
      yield* target.sync;
      return { partial: changed, bytes: Number((yield* target.stat).size) };
    }).pipe(Effect27.scoped, (effect3) => this.#describeError(effect3));
  }
  discard = Effect27.suspend(
    () => this.#options.handles.close(this.partial).pipe(
      Effect27.zipRight(Effect27.ignore(this.#options.fs.remove(this.partial))),
      Effect27.zipRight(Effect27.ignore(this.#options.fs.remove(`${this.partial}.changed`))),
      Effect27.zipRight(this.release)
    )
  );
};

// src/Sink/Publish.ts
import * as NodePath7 from "node:path";
import * as FileSystem5 from "@effect/platform/FileSystem";
import * as Effect28 from "effect/Effect";
import * as Option6 from "effect/Option";
var findPartials = (fs, folder, runId, finals) => Effect28.map(
  Effect28.orElseSucceed(fs.readDirectory(folder), () => []),
  (names2) => {
    const leftovers = [];
    const warnings = [];
    for (const name of names2) {
      if (!/\.partial(\.changed)?$/.test(name)) continue;
      const path2 = NodePath7.join(folder, name);
      const partial2 = path2.replace(/\.changed$/, "");
      if (partial2.endsWith(`.${runId}.partial`)) {
        if (!isOpen(partial2)) leftovers.push(path2);
        continue;
      }
      const stem = partial2.slice(0, -".partial".length);
      for (let dot = stem.indexOf("."); dot !== -1; dot = stem.indexOf(".", dot + 1)) {
        if (finals.has(stem.slice(0, dot))) {
          const run = stem.slice(dot + 1);
          warnings.push(
            `${path2} belongs to run ${run}: if nobody works on that, sluice resume ${run}, or remove the file`
          );
          break;
        }
      }
    }
    return { leftovers, warnings };
  }
);
var maxWarnings = 5;
var limitWarnings = (warnings) => warnings.length <= maxWarnings ? warnings : [...warnings.slice(0, maxWarnings), `and ${warnings.length - maxWarnings} more like this`];
var prepare = (fs, { names: names2, trials }, { append, files: finished, higherParts, scraps }) => Effect28.gen(function* () {
  const files2 = yield* Effect28.forEach(finished, (file) => withModifiedTime(fs, trials, file));
  const stale = append ? [...(yield* trialFilesAt(fs, trials, higherParts)).keys()] : higherParts;
  yield* protectFromTrial(fs, trials, [...files2.map(({ path: path2 }) => path2), ...stale]);
  const finals = new Set(files2.map(targetOf));
  const partials = yield* Effect28.forEach(
    new Set([...finals].map(NodePath7.dirname)),
    (folder) => findPartials(fs, folder, names2.runId, finals),
    { concurrency: 8 }
  );
  const replacedTrials = files2.filter(({ original }) => original?.isOfTrial === true);
  return {
    files: files2,
    stale,
    scraps: [...scraps, ...partials.flatMap(({ leftovers }) => leftovers)],
    warnings: [
      ...limitWarnings(partials.flatMap(({ warnings }) => warnings)),
      ...limitWarnings(
        replacedTrials.map(({ path: path2 }) => `${path2} held rows of a trial (--limit), which this run has replaced`)
      )
    ]
  };
});
var targetOf = ({ path: path2, target = path2 }) => target;
var describeError2 = ({ bytes, path: path2 }, effect3) => Effect28.mapError(effect3, (error) => {
  if (error._tag !== "SystemError" && error._tag !== "BadArgument") return error;
  return error._tag === "SystemError" && error.reason === "AlreadyExists" ? new IsDirectory({ path: path2 }) : fileError(path2, { bytes, rows: 0 })(error);
});
var verifyRenamed = (fs, file) => {
  const { bytes, partial: partial2, path: path2 } = file;
  return fs.stat(targetOf(file)).pipe(
    Effect28.filterOrFail(
      ({ size }) => Number(size) === bytes,
      () => new NotPublished({ path: path2, partial: partial2 })
    ),
    Effect28.mapError(() => new NotPublished({ path: path2, partial: partial2 }))
  );
};
var rename = (fs, file) => {
  const { partial: partial2, path: path2 } = file;
  return verifyTarget(fs, file).pipe(
    Effect28.tap((found) => found === void 0 ? Effect28.void : inherit(fs, partial2, found)),
    Effect28.zipRight(fs.rename(partial2, targetOf(file))),
    Effect28.catchTag(
      "SystemError",
      (error) => Effect28.flatMap(
        exists(fs, partial2),
        (isPartial) => Effect28.fail(isPartial ? error : new NotPublished({ path: path2, partial: partial2 }))
      )
    ),
    (effect3) => describeError2(file, effect3)
  );
};
var exists = (fs, path2) => Effect28.map(Effect28.option(fs.stat(path2)), Option6.isSome);
var foldersOf = (paths) => new Set(paths.map(NodePath7.dirname));
var publish = Effect28.fn("Sink.publish")(function* (sealed, trials) {
  const fs = yield* FileSystem5.FileSystem;
  const files2 = sealed.flatMap((each) => each.files);
  const [renamed, pending] = yield* Effect28.partition(
    files2,
    (file) => Effect28.flatMap(exists(fs, file.partial), (isPartial) => isPartial ? Effect28.succeed(file) : Effect28.fail(file))
  );
  const current2 = new Set(files2.flatMap((file) => [file.path, targetOf(file)]));
  const stale = sealed.flatMap((each) => each.stale).filter((path2) => !current2.has(path2));
  const obsolete = [...stale, ...sealed.flatMap(({ scraps }) => scraps).filter((path2) => !current2.has(path2))];
  const sync36 = (paths) => onEach(foldersOf(paths), (folder) => syncFolder(fs, folder));
  yield* onEach(renamed, (file) => verifyRenamed(fs, file));
  yield* onEach(pending, (file) => verifyTarget(fs, file));
  yield* protectFromTrial(fs, trials, [...pending.map(({ path: path2 }) => path2), ...stale]);
  yield* onEach(pending, (file) => rename(fs, file));
  yield* sync36([...current2]);
  yield* onEach(obsolete, (path2) => Effect28.ignore(fs.remove(path2)));
  yield* sync36(obsolete);
  return [
    ...files2.map(({ original: _5, partial: __5, target: ___2, ...output }) => output),
    ...sealed.flatMap(({ streams = [] }) => streams)
  ];
}, Effect28.uninterruptible);

// src/Sink/Stdout.ts
import * as Effect29 from "effect/Effect";
import * as Either12 from "effect/Either";
import * as Schema7 from "effect/Schema";
var path = "-";
var taken = /* @__PURE__ */ new Set();
var unlimited = { rows: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
var SavedStdout = Schema7.Struct({
  /** State of the codec. */
  format: Schema7.optional(Schema7.Unknown)
});
var restore = (file, codec) => Effect29.gen(function* () {
  const { format: format10 } = yield* Schema7.decodeUnknown(SavedStdout)(file.state);
  const state = yield* codec.restore(format10);
  const progress = { seq: 1, rows: file.rows, size: file.offset, state, continues: false };
  return progress;
}).pipe(Effect29.mapError((cause) => new CommitUnreadable({ path: "standard output", cause })));
var open = (context, codec) => Effect29.gen(function* () {
  const { stdout } = context;
  if (stdout === void 0) return yield* new NoStdout();
  if (taken.has(stdout)) return yield* new StdoutTaken();
  yield* Effect29.acquireRelease(
    Effect29.sync(() => taken.add(stdout)),
    () => Effect29.sync(() => taken.delete(stdout))
  );
  const buffer = new ByteBuffer();
  const file = context.resume?.files.find((each) => each.path === path);
  let progress = file && (yield* restore(file, codec));
  let isClosed = false;
  const guard = makeGuard();
  const send2 = (bytes) => isClosed ? Effect29.void : Effect29.interruptible(stdout(bytes)).pipe(
    Effect29.catchAll((cause) => {
      isClosed = "code" in cause && cause.code === "EPIPE";
      return isClosed ? Effect29.void : Effect29.fail(new WriteFailed({ path: "standard output", cause }));
    })
  );
  const write3 = (items, _5, offset = 0) => Effect29.suspend(() => {
    if (items.length === 0) return Effect29.void;
    buffer.rewind(0);
    const before2 = progress ?? { seq: 1, rows: 0, size: 0, state: codec.begin(false), continues: false };
    const batch = { partition: path, items, indexes: void 0, offset };
    const slices = encodeParts(batch, before2, codec, unlimited, buffer);
    if (Either12.isLeft(slices)) return slices;
    const bytes = Uint8Array.prototype.slice.call(buffer.view(0, buffer.end));
    progress = slices.right.at(-1)?.progress ?? before2;
    return send2(bytes);
  });
  const commit = Effect29.suspend(() => {
    if (isClosed) return Effect29.fail(new StdoutClosed());
    if (progress === void 0) return Effect29.succeed([]);
    const format10 = codec.save(progress.state);
    const state = format10 === void 0 ? {} : { format: format10 };
    return Effect29.succeed([{ path, offset: progress.size, rows: progress.rows, state }]);
  });
  return {
    write: (items, partitions, offset) => guard(write3(items, partitions, offset)),
    commit: guard(commit),
    seal: guard(
      Effect29.gen(function* () {
        const { rows: rows3, size, state } = progress ?? { rows: 0, size: 0, state: codec.begin(false) };
        const end2 = Buffer.from(codec.finish(state, progress === void 0));
        if (end2.length > 0) yield* send2(end2);
        if (isClosed) return yield* new StdoutClosed();
        return {
          files: [],
          streams: [{ path, format: codec.format, rows: rows3, bytes: size + end2.length }],
          stale: [],
          scraps: [],
          warnings: []
        };
      })
    ),
    discard: Effect29.void
  };
});

// src/Sink/Parts.ts
var SavedPart = Schema8.Struct({
  /** The partition. */
  of: Schema8.String,
  seq: Schema8.Number,
  size: Schema8.Number,
  original: Schema8.optional(Schema8.NullOr(Original)),
  /** State of the codec. */
  format: Schema8.optional(Schema8.Unknown)
});
var maxBufferedBytes = 1 << 25;
var makePartFiles = (fs, partitioner, context, codec) => {
  const handles = new FileHandles(fs);
  const options = {
    fs,
    handles,
    runId: context.names.runId,
    gzip: partitioner.gzip,
    mayBeHeld: context.mayBeHeld
  };
  const parts = /* @__PURE__ */ new Map();
  const committed = /* @__PURE__ */ new Map();
  const dirty = /* @__PURE__ */ new Set();
  const newFolders = /* @__PURE__ */ new Set();
  const boundaries = [context.boundary, partitioner.partitioned ? partitioner.prefix : void 0].filter(
    (each) => each !== void 0
  );
  const ensureAllowed = (path2) => Effect30.flatMap(Permissions, (permissions) => {
    const crossed = boundaries.find((folder) => !isBelow(realPath(path2), realPath(folder)));
    const reason = crossed === void 0 ? whyNotWritten(permissions, path2, context.folder) : `the path leads out of ${crossed}, to ${realPath(path2)}`;
    return reason === void 0 ? Effect30.void : new OutputRefused({ path: path2, reason });
  });
  const open6 = (partition2, original, progress, initial) => {
    const path2 = resolve4(partition2, context.folder, progress.seq);
    const opened = PartFile.open(path2, options, initial, (file) => {
      const part = { partition: partition2, original, file, progress };
      parts.set(file.path, part);
      return part;
    });
    return Effect30.zipRight(ensureAllowed(path2), opened);
  };
  const begin2 = (partition2, original, progress) => {
    const initial = isContinued(original) ? { kind: "copy", lineEnd: codec.lineEnd } : { kind: "new" };
    return Effect30.tap(open6(partition2, original, progress, initial), (part) => {
      newFolders.add(NodePath8.dirname(part.file.target));
      dirty.add(part);
    });
  };
  const restore3 = (file) => Effect30.gen(function* () {
    const { offset, path: path2, rows: rows3 } = file;
    const { format: format10, of: partition2, original, seq, size } = yield* Schema8.decodeUnknown(SavedPart)(file.state);
    const state = yield* codec.restore(format10);
    const progress = { seq, rows: rows3, size, state, continues: isContinued(original) };
    const part = yield* open6(partition2, original, progress, { kind: "resume", offset, rows: rows3 });
    committed.set(path2, file);
    return part;
  }).pipe(Effect30.catchTag("ParseError", (cause) => new CommitUnreadable({ path: file.path, cause })));
  const append = (part, bytes) => {
    dirty.add(part);
    return part.file.write(bytes);
  };
  const limitBuffers = Effect30.suspend(() => {
    let bytes = 0;
    for (const { file } of dirty) bytes += file.bufferedBytes;
    return bytes < maxBufferedBytes ? Effect30.void : onEach(dirty, ({ file }) => file.flush);
  });
  const sync36 = ({ file, original, partition: partition2, progress }) => Effect30.map(file.sync(progress.rows), (offset) => {
    const { rows: rows3, seq, size, state } = progress;
    const format10 = codec.save(state);
    const saved2 = {
      of: partition2,
      seq,
      size,
      ...original === void 0 ? {} : { original },
      ...format10 === void 0 ? {} : { format: format10 }
    };
    committed.set(file.path, { path: file.path, offset, rows: rows3, state: saved2 });
  });
  const commit = Effect30.suspend(() => onEach(dirty, sync36)).pipe(
    Effect30.zipRight(Effect30.suspend(() => onEach(newFolders, (folder) => syncFolder(fs, folder)))),
    Effect30.map(() => {
      dirty.clear();
      newFolders.clear();
      return [...committed.values()];
    }),
    Effect30.uninterruptible
  );
  const finish = Effect30.suspend(
    () => onEach(parts.values(), ({ file, original, progress }) => {
      const isEmpty2 = progress.rows === 0 && !isContinued(original);
      const text4 = codec.finish(progress.state, isEmpty2);
      const isComplete = text4 === "" && !(partitioner.gzip && isEmpty2);
      return isComplete ? Effect30.void : Effect30.zipRight(text4 === "" ? file.completeGzip : file.write(Buffer.from(text4)), file.sync(progress.rows));
    })
  );
  const forEachFile = (work) => Effect30.suspend(() => Effect30.forEach(parts.values(), ({ file }) => work(file), { discard: true }));
  return {
    parts,
    begin: begin2,
    restore: restore3,
    append,
    limitBuffers,
    commit,
    finish,
    closeHandles: handles.closeAll,
    /** Closes handles and gives the paths free; the files stay. */
    close: Effect30.zipRight(
      handles.closeAll,
      forEachFile((file) => file.release)
    ),
    discard: forEachFile((file) => file.discard)
  };
};
var makePartitions = (fs, partitioner, context, codec, files2) => {
  const finder = makePartFinder(fs, context.folder);
  const partitions = /* @__PURE__ */ new Map();
  const inspect4 = (path2) => Effect30.gen(function* () {
    const numbers3 = [...partitioner.numbered ? yield* finder.numbers(path2) : [1]].sort((a, b) => a - b);
    const fileOf2 = (number2) => resolve4(path2, context.folder, number2);
    yield* protectFromTrial(fs, context.trials, numbers3.map(fileOf2));
    if (!partitioner.append) return { path: path2, seq: 1, original: void 0, part: void 0 };
    const trialFiles = yield* trialFilesAt(fs, context.trials, numbers3.map(fileOf2));
    if (partitioner.numbered) {
      const last = numbers3.findLast((number2) => !trialFiles.has(fileOf2(number2))) ?? 0;
      return { path: path2, seq: last + 1, original: null, part: void 0 };
    }
    const file = fileOf2(1);
    const trialFile = trialFiles.get(file);
    const original = trialFile === void 0 ? (yield* identify(fs, file)) ?? null : { ...trialFile, isOfTrial: true };
    if (isContinued(original)) {
      yield* verifyAppendable(fs, file, codec.header(), partitioner.gzip);
    }
    return { path: path2, seq: 1, original, part: void 0 };
  });
  const find = (path2) => {
    const key2 = foldCase(path2);
    const known4 = partitions.get(key2);
    if (known4 !== void 0) return Effect30.succeed(known4);
    return Effect30.tap(inspect4(path2), (partition2) => {
      partitions.set(key2, partition2);
    });
  };
  const progressOf = ({ original, part, seq }) => {
    const progress = part?.progress;
    if (progress !== void 0 && progress.rows > 0) return progress;
    const continues = isContinued(original);
    return { seq: progress?.seq ?? seq, rows: 0, size: 0, state: codec.begin(continues), continues };
  };
  const originalOf = ({ original, path: path2 }, seq) => {
    if (!(partitioner.append && partitioner.numbered)) return Effect30.succeed(original);
    const file = resolve4(path2, context.folder, seq);
    return Effect30.map(trialFilesAt(fs, context.trials, [file]), (trialFiles) => {
      const found = trialFiles.get(file);
      return found === void 0 ? null : { ...found, isOfTrial: true };
    });
  };
  const partFor = (partition2, progress) => partition2.part?.progress.seq === progress.seq ? Effect30.succeed(partition2.part) : originalOf(partition2, progress.seq).pipe(
    Effect30.flatMap((original) => files2.begin(partition2.path, original, progress)),
    Effect30.tap((part) => {
      partition2.part = part;
    })
  );
  const adopt = (part) => {
    const key2 = foldCase(part.partition);
    const known4 = partitions.get(key2);
    if (known4?.part !== void 0 && known4.part.progress.seq > part.progress.seq) return;
    partitions.set(key2, { path: part.partition, seq: part.progress.seq, original: part.original, part });
  };
  const higherParts = Effect30.suspend(
    () => partitioner.numbered ? Effect30.map(
      Effect30.forEach(
        partitions.values(),
        ({ part, path: path2 }) => part === void 0 ? Effect30.succeed([]) : finder.above(path2, part.progress.seq)
      ),
      (paths) => paths.flat()
    ) : Effect30.succeed([])
  );
  return { find, progressOf, partFor, adopt, higherParts };
};
var seal = (fs, { append }, context, codec, files2, higherParts) => Effect30.gen(function* () {
  yield* files2.commit;
  yield* files2.finish;
  yield* files2.closeHandles;
  const parts = [...files2.parts.values()].sort((a, b) => a.file.path < b.file.path ? -1 : 1);
  yield* onEach(
    parts,
    ({ file: { partial: partial2, path: path2 }, original }) => verifyOriginal(fs, { path: path2, partial: partial2, original })
  );
  const scraps = [];
  const rewritten = /* @__PURE__ */ new Map();
  yield* onEach(parts, (part) => {
    const change = part.progress.rows === 0 ? void 0 : codec.rewrite(part.progress.state);
    if (change === void 0) return Effect30.void;
    scraps.push(part.file.partial);
    return Effect30.map(part.file.rewrite(change), (copy) => rewritten.set(part, copy));
  });
  const finished = parts.map((part) => {
    const { bytes, partial: partial2, path: path2, target } = part.file;
    return {
      path: path2,
      ...target === path2 ? {} : { target },
      format: codec.format,
      rows: part.progress.rows,
      original: part.original,
      ...rewritten.get(part) ?? { partial: partial2, bytes }
    };
  });
  return yield* prepare(fs, context, { append, files: finished, higherParts: yield* higherParts, scraps });
}).pipe(Effect30.uninterruptible);
var batchesOf = (items, partitions, offset) => {
  if (typeof partitions === "string") return [{ partition: partitions, items, indexes: void 0, offset }];
  const batches = /* @__PURE__ */ new Map();
  const byPath = /* @__PURE__ */ new Map();
  for (let index = 0; index < items.length; index++) {
    const path2 = partitions[index] ?? "";
    let batch = byPath.get(path2);
    if (batch === void 0) {
      const key2 = foldCase(path2);
      batch = batches.get(key2) ?? { partition: path2, items: [], indexes: [], offset };
      batches.set(key2, batch);
      byPath.set(path2, batch);
    }
    batch.items.push(items[index]);
    batch.indexes.push(index);
  }
  return [...batches.values()];
};
var createFolder = (fs, folder) => Effect30.zipRight(makeFolder(fs, folder), fs.access(folder, { writable: true })).pipe(
  Effect30.mapError((error) => fileError(folder, { bytes: 0, rows: 0 })(error))
);
var open2 = (partitioner, context, codec) => Effect30.gen(function* () {
  if (partitioner.isStdout) return yield* open(context, codec);
  const fs = yield* FileSystem7.FileSystem;
  const files2 = makePartFiles(fs, partitioner, context, codec);
  const trials = context.trials && { ...context.trials, written: yield* Effect30.cached(context.trials.written) };
  const partitions = makePartitions(fs, partitioner, { ...context, trials }, codec, files2);
  const buffer = new ByteBuffer();
  const guard = makeGuard();
  const append = (partition2, slices) => Effect30.forEach(
    slices,
    ({ end: end2, progress, start: start3 }) => Effect30.flatMap(partitions.partFor(partition2, progress), (part) => {
      part.progress = progress;
      return files2.append(part, buffer.view(start3, end2));
    }),
    { discard: true }
  );
  const write3 = (items, paths, offset = 0) => Effect30.gen(function* () {
    const encoded = [];
    buffer.rewind(0);
    for (const batch of batchesOf(items, paths, offset)) {
      const partition2 = yield* partitions.find(batch.partition);
      const current2 = partitions.progressOf(partition2);
      encoded.push([partition2, yield* encodeParts(batch, current2, codec, partitioner.limits, buffer)]);
    }
    yield* onEach(encoded, ([partition2, slices]) => append(partition2, slices));
    yield* files2.limitBuffers;
  }).pipe(guard, Effect30.uninterruptible);
  yield* Effect30.addFinalizer(() => files2.close);
  const resumed = context.resume?.files ?? [];
  yield* protectFromTrial(
    fs,
    trials,
    resumed.map(({ path: path2 }) => path2)
  );
  for (const file of resumed) partitions.adopt(yield* files2.restore(file));
  if (!partitioner.partitioned && !(partitioner.append && partitioner.numbered)) {
    const partition2 = yield* partitions.find(partitioner.only);
    if (partition2.part === void 0) yield* partitions.partFor(partition2, partitions.progressOf(partition2));
  } else yield* createFolder(fs, partitioner.prefix);
  return {
    write: write3,
    commit: guard(files2.commit),
    seal: guard(seal(fs, partitioner, context, codec, files2, partitions.higherParts)),
    discard: files2.discard
  };
});

// src/Sink.ts
var bytesIn = (text4) => Buffer.byteLength(text4);
var plainSizes = ({ begin: begin2, encode: encode2 }) => {
  const buffer = new ByteBuffer();
  return (rows3) => Effect31.sync(
    () => rows3.map(({ data }) => {
      buffer.rewind(0);
      return Either13.isRight(Either13.try(() => encode2(data, begin2, buffer))) ? buffer.end : 0;
    })
  );
};
var encodedSizes = (partitioner, codec) => {
  const parts = /* @__PURE__ */ new Map();
  const buffer = new ByteBuffer();
  const sizeIn = (data, partition2) => {
    const current2 = parts.get(partition2);
    const before2 = current2 ?? { seq: 1, rows: 0, size: 0, state: codec.begin(false), continues: false };
    buffer.rewind(0);
    const batch = { partition: partition2, items: [data], indexes: void 0, offset: 0 };
    const slices = encodeParts(batch, before2, codec, partitioner.limits, buffer);
    if (Either13.isLeft(slices)) return 0;
    const after = slices.right.at(-1)?.progress ?? before2;
    parts.set(partition2, after);
    const footer = current2?.seq === after.seq ? bytesIn(codec.finish(before2.state, false)) : 0;
    return buffer.end + Math.max(0, bytesIn(codec.finish(after.state, false)) - footer);
  };
  return (rows3) => Effect31.map(
    partitionOfEach(partitioner, rows3),
    (paths) => rows3.map(({ data }, index) => sizeIn(data, paths[index] ?? ""))
  );
};
var make11 = (options) => {
  const { codec, example: example2, fields: own3, key: key2, state, summary } = options;
  const all5 = { [key2]: Template, ...own3?.fields, ...fields2 };
  const settingsOf = (config2) => ({
    ...config2,
    path: String(Reflect.get(config2, key2))
  });
  const partitionerOf = (config2, context) => make9(settingsOf(config2), context);
  const sink = {
    summary,
    example: example2,
    ownFields: Object.keys(own3?.fields ?? {}),
    config: Schema9.Struct(all5).pipe(
      Schema9.filter((config2) => {
        const settings = settingsOf(config2);
        const continues = settings.mode === "append" && !placeholdersOf(settings.path).includes("seq");
        const message = `a ${key2} file ends with a footer, behind which nothing can be appended: use perRun, or write {seq} in the path`;
        return [
          ...settingsErrors(key2, settings),
          ...continues && settings.path !== "-" && !sink.canAppend(config2) ? [{ path: ["mode"], message }] : []
        ];
      })
    ),
    canAppend: (config2) => codec(config2).finish === void 0,
    open: (config2, context) => Effect31.gen(function* () {
      const partitioner = partitionerOf(config2, context);
      const parts = yield* open2(partitioner, context, fromRowCodec(key2, state, codec(config2)));
      return {
        write: (rows3) => rows3.length === 0 ? Effect31.void : Effect31.flatMap(
          partitioner.partitionsOf(rows3),
          (partitions) => parts.write(
            rows3.map((row) => row.data),
            partitions
          )
        ),
        commit: Effect31.map(parts.commit, (files2) => ({ files: files2 })),
        seal: parts.seal,
        discard: parts.discard
      };
    }),
    sizes: (config2, context) => {
      const rowCodec = codec(config2);
      const { finish, header = "" } = rowCodec;
      return header === "" && finish === void 0 && AST2.isVoidKeyword(state.ast) ? plainSizes(rowCodec) : encodedSizes(partitionerOf(config2, context), fromRowCodec(key2, state, rowCodec));
    }
  };
  return { key: key2, ...sink };
};

// src/Pipeline/Mistake.ts
import * as Option8 from "effect/Option";
import * as AST4 from "effect/SchemaAST";

// src/Pipeline/Expectation.ts
import * as Option7 from "effect/Option";
import * as AST3 from "effect/SchemaAST";
var builtIn = /^(an array of (at|ex)|a string( |$)|a (boolean|number|object)$|a (non-)?(positive|negative) |a number (between|greater|less|divisible)|an (integer|finite)|a (non empty|single|finite|trimmed) |a Universally)/;
var phraseOf2 = (ast) => {
  const title = Option7.getOrUndefined(AST3.getTitleAnnotation(ast));
  const description = Option7.getOrUndefined(AST3.getDescriptionAnnotation(ast));
  if (description !== void 0 && !/\.$/.test(description) && !builtIn.test(description)) return description;
  return title !== void 0 && /^(an?|one|the) /.test(title) && !builtIn.test(title) ? title : void 0;
};
var anything = "any value";
var range = (low, high) => low !== void 0 && high !== void 0 ? ` from ${low} to ${high}` : low !== void 0 ? ` of at least ${low}` : high !== void 0 ? ` of at most ${high}` : "";
var numberWithin = (bounds) => {
  const whole = bounds.type === "integer";
  const { exclusiveMinimum, maximum, minimum = whole && exclusiveMinimum === 0 ? 1 : void 0 } = bounds;
  const above = minimum === void 0 && exclusiveMinimum !== void 0 ? ` above ${exclusiveMinimum}` : "";
  return `${whole ? "a whole number" : "a number"}${above}${range(minimum, maximum)}`;
};
var textWithin = ({ maxLength, minLength }) => minLength === 1 && maxLength === void 0 ? "a string that is not empty" : minLength === void 0 && maxLength === void 0 ? "a string" : `a string${range(minLength, maxLength)} characters`;
var listWithin = (ast, { maxItems: maxItems2, minItems: minItems7 }) => {
  const [item] = ast.rest;
  const each = item === void 0 ? anything : expectation(item.type);
  return `an array${range(minItems7, maxItems2)}${each === anything ? "" : `, each ${each}`}`;
};
var either = (choices) => {
  const all5 = [...new Set(choices)];
  const last = all5[all5.length - 1] ?? "another value";
  if (all5.length < 2) return last;
  return all5.slice(0, -1).some((each) => / or |, /.test(each)) ? `${all5.slice(0, -1).join("; ")}; or ${last}` : `${all5.slice(0, -1).join(", ")} or ${last}`;
};
var mapping = (ast) => {
  const [index] = ast.indexSignatures;
  if (ast.propertySignatures.length === 0 && index !== void 0) {
    const value4 = expectation(index.type);
    return value4 === anything ? "an object" : `an object of names, each with ${value4}`;
  }
  const needed = neededKeys(ast);
  const keys = needed.length > 0 ? needed : knownKeys(ast).slice(0, 1);
  return keys.length === 0 ? "an object" : `an object like { ${keys.map((key2) => `${key2}: \u2026`).join(", ")} }`;
};
var expectation = (ast) => {
  const phrase = phraseOf2(ast);
  if (phrase !== void 0) return phrase;
  switch (ast._tag) {
    case "Literal":
      return ast.literal === null ? "null" : JSON.stringify(ast.literal);
    case "Union":
      return either(ast.types.filter((type) => !AST3.isUndefinedKeyword(type)).map(expectation));
    case "TypeLiteral":
      return mapping(ast);
    case "TupleType":
      return listWithin(ast, {});
    case "StringKeyword":
    case "TemplateLiteral":
      return "a string";
    case "NumberKeyword":
      return "a number";
    case "BooleanKeyword":
      return "true or false";
    case "Refinement":
      return refined(ast);
    case "Transformation":
      return expectation(ast.from);
    case "Suspend":
      return expectation(ast.f());
    case "UnknownKeyword":
    case "AnyKeyword":
      return anything;
    default:
      return "another value";
  }
};
var refined = (ast) => {
  const layers = [ast];
  for (let from = ast.from; ; from = from.from) {
    layers.push(from);
    if (!AST3.isRefinement(from)) break;
  }
  const base = layers[layers.length - 1] ?? ast;
  const phrase = layers.map(phraseOf2).find((each) => each !== void 0);
  if (phrase !== void 0) return phrase;
  const bounds = boundsOf(ast);
  if (AST3.isNumberKeyword(base)) return numberWithin(bounds);
  if (AST3.isStringKeyword(base)) return textWithin(bounds);
  return AST3.isTupleType(base) ? listWithin(base, bounds) : expectation(base);
};
var flatten2 = (ast) => AST3.isUnion(ast) ? ast.types.flatMap(flatten2) : AST3.isUndefinedKeyword(ast) ? [] : [ast];
var knownKeys = (ast) => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map(({ name }) => String(name));
    case "Transformation":
    case "Refinement":
      return knownKeys(ast.from);
    default:
      return [];
  }
};
var neededKeys = (ast) => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.filter(({ isOptional }) => !isOptional).map(({ name }) => String(name));
    case "Transformation":
    case "Refinement":
      return neededKeys(ast.from);
    default:
      return [];
  }
};
var shapesOf = (ast, stops) => {
  if (stops.isClosed?.(ast) === true) return [];
  if (stops.isLeaf?.(ast) === true) return [ast];
  switch (ast._tag) {
    case "Union":
      return flatten2(ast).flatMap((member) => shapesOf(member, stops));
    case "Refinement":
    case "Transformation":
      return shapesOf(ast.from, stops);
    case "Suspend":
      return shapesOf(ast.f(), stops);
    default:
      return [ast];
  }
};

// src/Pipeline/Mistake.ts
var DefinitionInvalid = class extends TypedError("DefinitionInvalid", { scope: "run", exitCode: ExitCode.invalid }) {
  get message() {
    const lines = this.mistakes.map((mistake) => {
      if (mistake.given) return mistake.message;
      const place = mistake.line === void 0 ? this.file : `${this.file}:${mistake.line}:${mistake.column}`;
      return `${place}  ${renderPath(mistake.path)}${mistake.message}`;
    });
    const count2 = this.mistakes.length;
    return `${lines.join("\n")}
${count2} mistake${count2 === 1 ? "" : "s"} in ${this.file}`;
  }
};
var renderPath = (path2) => path2.length === 0 ? "" : `${path2.map(
  (part, index) => typeof part === "number" ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`
).join("")}: `;
var describeValue = (value4) => {
  if (value4 === void 0) return "nothing";
  if (Array.isArray(value4)) return "an array";
  if (typeof value4 === "object" && value4 !== null) return "an object";
  const text4 = JSON.stringify(value4) ?? String(value4);
  return text4.length > 60 ? `${text4.slice(0, 57)}\u2026` : text4;
};
var isNoneOf = (ast, actual) => {
  const kinds4 = AST4.isUnion(ast) ? flatten2(ast).map(neededKeys) : [];
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
  return kinds4.length > 1 && kinds4.every((keys) => keys.length > 0 && !keys.some((key2) => Object.hasOwn(actual, key2)));
};
var hasKeysOf = (issue, actual) => {
  if (issue._tag !== "Composite" && issue._tag !== "Refinement" && issue._tag !== "Transformation") return false;
  if (typeof actual !== "object" || actual === null) return false;
  const keys = neededKeys(issue.ast);
  return keys.length > 0 && keys.every((key2) => Object.hasOwn(actual, key2));
};
var isList = (issues) => Array.isArray(issues);
var ownMessage = (ast, issue) => {
  const annotated = Option8.getOrUndefined(AST4.getMessageAnnotation(ast))?.(issue);
  if (annotated === void 0) return void 0;
  return typeof annotated === "string" ? annotated : "message" in annotated && typeof annotated.message === "string" ? annotated.message : void 0;
};
var unfit = (ast, actual) => {
  const expected = expectation(ast);
  const isOldBoolean = /true or false/.test(expected) && /^(y|yes|no?|on|off)$/i.test(String(actual));
  if (actual === null && knownKeys(ast).length > 0 && neededKeys(ast).length === 0) {
    return "expected an object, got nothing: write {} where there is nothing to say";
  }
  return `expected ${expected}, got ${describeValue(actual)}${isOldBoolean ? ", which YAML takes for a string" : ""}`;
};
var bare = (issue) => issue._tag === "Refinement" || issue._tag === "Transformation" ? bare(issue.issue) : issue;
var unknownKey = (path2, known4) => {
  const key2 = String(path2[path2.length - 1]);
  return { path: path2, atKey: true, message: `unknown key "${key2}"${didYouMean(key2, known4)}` };
};
var mistakesOf = (issue, path2 = [], owner) => {
  switch (issue._tag) {
    case "Pointer": {
      const inner = [...path2, ...Array.isArray(issue.path) ? issue.path : [issue.path]];
      const key2 = String(inner[inner.length - 1]);
      if (issue.issue._tag === "Unexpected") {
        return [unknownKey(inner, owner === void 0 ? [] : knownKeys(owner))];
      }
      if (issue.issue._tag === "Missing") {
        const isItem = typeof inner[inner.length - 1] === "number";
        return [{ path: path2, message: isItem ? `expected at least ${Number(key2) + 1} in the array` : `"${key2}" is missing` }];
      }
      return mistakesOf(issue.issue, inner, owner);
    }
    case "Missing":
      return [{ path: path2, message: "is missing" }];
    case "Unexpected":
      return [{ path: path2, message: `unexpected ${describeValue(issue.actual)}` }];
    case "Forbidden":
      return [{ path: path2, message: issue.message ?? "is not allowed" }];
    case "Refinement":
    case "Transformation": {
      const innermost = bare(issue);
      if (innermost._tag !== "Type" || innermost.message !== void 0) return mistakesOf(issue.issue, path2, issue.ast);
      const own3 = ownMessage(issue.ast, issue) ?? ownMessage(innermost.ast, innermost);
      return [{ path: path2, message: own3 ?? unfit(issue.ast, issue.actual) }];
    }
    case "Composite": {
      const issues = isList(issue.issues) ? issue.issues : [issue.issues];
      if (issue.ast._tag !== "Union") return issues.flatMap((each) => mistakesOf(each, path2, issue.ast));
      if (isNoneOf(issue.ast, issue.actual)) {
        const keys = Object.keys(issue.actual).join(", ");
        const got = keys === "" ? "an empty one" : `one with ${keys}`;
        return [{ path: path2, message: `expected ${expectation(issue.ast)}, got ${got}` }];
      }
      const made = issues.find((each) => each._tag === "Transformation" && each.kind === "Transformation");
      if (made !== void 0) return mistakesOf(made, path2, issue.ast);
      const [only2, other] = issues.filter((each) => each._tag !== "Type" || !AST4.isUndefinedKeyword(each.ast));
      if (only2 !== void 0 && other === void 0) return mistakesOf(only2, path2, issue.ast);
      const fitting = issues.filter((each) => hasKeysOf(each, issue.actual));
      const members = (fitting.length > 0 ? fitting : issues).map((each) => mistakesOf(each, path2, issue.ast));
      const deep = members.filter((mistakes) => mistakes.some((mistake) => mistake.path.length > path2.length));
      const fewest = deep.sort((a, b) => a.length - b.length)[0];
      return fewest ?? [{ path: path2, message: unfit(issue.ast, issue.actual) }];
    }
    case "Type":
      return [
        {
          path: path2,
          message: issue.message ?? ownMessage(issue.ast, issue) ?? unfit(issue.ast, issue.actual)
        }
      ];
  }
};

// src/Run/RunResult.ts
import * as Clock6 from "effect/Clock";
import * as Data4 from "effect/Data";
import * as Effect32 from "effect/Effect";
import * as Ref from "effect/Ref";
var isPublished = ({ phase }) => Effect32.map(Ref.get(phase), ({ _tag }) => _tag === "Published");
var summarize = ({ counters, id, phase, rejectFile }, status) => Effect32.zipWith(Clock6.currentTimeMillis, Ref.get(phase), (now, phase2) => ({
  runId: id,
  // A run that is interrupted after its files were published is completed all the same.
  status: phase2._tag === "Published" ? phase2.status : status,
  rows: counters.rows,
  rejects: counters.rejects,
  credits: counters.credits,
  unpricedCalls: counters.unpriced,
  durationMs: phase2._tag === "Created" ? 0 : now - phase2.begun,
  outputs: phase2._tag === "Published" ? phase2.outputs : [],
  rejectFile: counters.rejects > 0 ? rejectFile : void 0,
  resumable: phase2._tag === "Running" || phase2._tag === "Ended" ? phase2.resumable : false,
  ...counters.runningJobs.size === 0 ? {} : { runningJobs: [...counters.runningJobs] }
}));
var RunFailed = class extends Data4.TaggedError("RunFailed") {
  get message() {
    const { reason } = this;
    return reason._tag === "StepError" && reason.step !== void 0 ? `${reason.definedAt}  ${reason.step}: ${reason.message}` : reason.message;
  }
};
var RunUnknown = class extends Data4.TaggedError("RunUnknown") {
  get message() {
    return `there is no run ${this.id} in ${this.place}`;
  }
};
var RunDiffers = class extends Data4.TaggedError("RunDiffers") {
  get message() {
    return this.what === "definition" ? `run ${this.id} began with another definition: give it the same, or say withCurrent to go on with this one` : `run ${this.id} began with other inputs: give it the same`;
  }
};

// src/Run.ts
var Run_exports = {};
__export(Run_exports, {
  RunDiffers: () => RunDiffers,
  RunFailed: () => RunFailed,
  RunUnknown: () => RunUnknown,
  StepError: () => StepError,
  keyOf: () => keyOf,
  make: () => make29,
  newId: () => newId,
  resuming: () => resuming,
  rows: () => rows2
});
import * as NodePath16 from "node:path";
import * as Clock12 from "effect/Clock";
import * as Effect93 from "effect/Effect";
import * as Random2 from "effect/Random";
import * as Ref3 from "effect/Ref";

// src/Pipeline/Check.ts
import * as NodePath11 from "node:path";
import * as PlatformPath from "@effect/platform/Path";
import * as Effect72 from "effect/Effect";
import * as Either32 from "effect/Either";
import * as Schema51 from "effect/Schema";

// src/Pipeline/Definition.ts
import * as Schema12 from "effect/Schema";

// src/Pipeline/Amount.ts
import * as Duration9 from "effect/Duration";
import * as Either14 from "effect/Either";
import * as ParseResult4 from "effect/ParseResult";
import * as Schema10 from "effect/Schema";
var units2 = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 };
var DurationText = Schema10.transformOrFail(
  Schema10.String.annotations({ description: "a duration like 500ms, 30s, 15m, 2h or 1d" }),
  Schema10.DurationFromSelf,
  {
    strict: true,
    decode: (text4, _5, ast) => {
      const match9 = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text4.trim());
      return match9 === null ? Either14.left(new ParseResult4.Type(ast, text4, `"${text4}" is not a duration: write 500ms, 30s, 15m, 2h or 1d`)) : Either14.right(Duration9.millis(Number(match9[1]) * units2[match9[2]]));
    },
    encode: (duration) => Either14.right(`${Duration9.toMillis(duration)}ms`)
  }
);
var Rate = Schema10.transformOrFail(
  Schema10.String.annotations({ description: "a rate like 10/s, 100/m or 1000/h" }),
  Schema10.Struct({ limit: Schema10.Int, interval: Schema10.DurationFromSelf }),
  {
    strict: true,
    decode: (text4, _5, ast) => {
      const match9 = /^([1-9]\d*)\s*\/\s*(s|m|h)$/.exec(text4.trim());
      return match9 === null ? Either14.left(new ParseResult4.Type(ast, text4, `"${text4}" is not a rate: write 10/s, 100/m or 1000/h`)) : Either14.right({ limit: Number(match9[1]), interval: Duration9.millis(units2[match9[2]]) });
    },
    encode: ({ limit: limit2, interval }) => Either14.right(`${limit2}/${Duration9.toSeconds(interval)}s`)
  }
);

// src/Pipeline/Schedule.ts
import { Cron } from "croner";
import * as DateTime from "effect/DateTime";
import * as Duration10 from "effect/Duration";
import * as Either15 from "effect/Either";
import * as Option9 from "effect/Option";
import * as Schema11 from "effect/Schema";
var isZone = (zone) => Option9.isSome(DateTime.zoneMakeNamed(zone));
var Zone = Schema11.String.pipe(Schema11.filter(isZone)).annotations({
  description: "a time zone like UTC or Europe/Berlin"
});
var read = (cron, timezone) => Either15.try({
  try: () => new Cron(cron.trim(), {
    timezone,
    paused: true,
    mode: "5-or-6-parts",
    // Like Vixie cron: only fields with a star or a step are intervals.
    fixedTimeRule: "no-wildcard",
    sloppyRanges: true
  }),
  catch: (error) => error instanceof Error ? error.message : String(error)
});
var kept2 = /* @__PURE__ */ new Map();
var keptAtMost = 4096;
var cronOf = ({ cron, timezone }) => {
  const key2 = `${cron} ${timezone}`;
  const known4 = kept2.get(key2);
  if (known4 !== void 0) return known4;
  const made = Either15.getOrUndefined(read(cron, timezone));
  if (kept2.size >= keptAtMost) kept2.clear();
  if (made !== void 0) kept2.set(key2, made);
  return made;
};
var ranges = {
  second: "0 and 59",
  minute: "0 and 59",
  hour: "0 and 23",
  day: "1 and 31",
  month: "1 and 12",
  dayOfWeek: "0 and 7"
};
var inWords = (message) => {
  const [, field2 = "", value4] = /Invalid value for (\w+): (.+)$/.exec(message) ?? [];
  const range3 = ranges[field2];
  if (range3 !== void 0) {
    return `expected a value between ${range3} for ${field2 === "dayOfWeek" ? "the weekday" : `the ${field2}`}, got ${value4}`;
  }
  const text4 = message.replace(/^CronPattern:\s*/, "").replace(/^Syntax error, /, "");
  return text4.charAt(0).toLowerCase() + text4.slice(1);
};
var invalid = (text4, why2) => `"${text4}" is not a cron expression: ${why2}`;
var objection = (text4) => {
  const fields7 = text4.trim().split(/\s+/);
  if (fields7.length !== 5 && fields7.length !== 6) {
    return invalid(text4, "write 5 fields (minute hour day month weekday), or 6 with seconds first");
  }
  const odd = fields7.find((field2) => /\?|(^|,)\//.test(field2));
  if (odd !== void 0) return invalid(text4, `"${odd}" means nothing here, write * or */N`);
  const cron = read(text4, "UTC");
  if (Either15.isLeft(cron)) return invalid(text4, inWords(cron.left));
  return cron.right.nextRun(/* @__PURE__ */ new Date(0)) === null ? `"${text4}" never happens` : void 0;
};
var CronText = Schema11.String.pipe(Schema11.filter((text4) => objection(text4) ?? true)).annotations({
  description: 'a cron expression like "15 */6 * * *"'
});
var Schedule3 = Schema11.Struct({
  cron: CronText,
  timezone: Schema11.optionalWith(Zone, { default: () => "UTC" }),
  /** Longest random delay after the scheduled time, so that pipelines do not all start at once. */
  jitter: Schema11.optional(DurationText),
  /** Policy for a scheduled time at which the previous run is still active. */
  overlap: Schema11.optionalWith(Schema11.Literal("skip", "queue", "replace", "allow"), { default: () => "skip" }),
  /** Policy for scheduled times that passed while no daemon was running. */
  catchUp: Schema11.optionalWith(Schema11.Literal("none", "latest", "all"), { default: () => "none" }),
  /** Older scheduled times are dropped. */
  catchUpWindow: Schema11.optional(DurationText),
  /** Literal values only: inputs are resolved before `${{ }}`. */
  inputs: Schema11.optional(
    Schema11.Record({ key: Schema11.String, value: Schema11.Union(Schema11.String, Schema11.Number, Schema11.Boolean) })
  ).annotations({ description: "Values of inputs in scheduled runs, in place of their defaults." }),
  /** Resumes a failed run, at most this often and after this delay. No call is paid for twice. */
  retry: Schema11.optional(
    Schema11.Struct({
      times: Schema11.Int.pipe(Schema11.between(1, 20)),
      after: Schema11.optionalWith(DurationText, { default: () => Duration10.minutes(5) })
    })
  ).annotations({ description: "Resumes a failed run, at most this often, each time after a delay." })
}).pipe(
  Schema11.filter(
    ({ catchUp, catchUpWindow }) => catchUp === "none" && catchUpWindow !== void 0 ? { path: ["catchUpWindow"], message: "has no effect without catchUp: latest or all" } : true
  )
);
var nextInstants = (schedule, after, count2, until = Number.POSITIVE_INFINITY) => {
  const cron = cronOf(schedule);
  const instants = [];
  let last = after;
  while (instants.length < count2) {
    const next = cron?.nextRun(new Date(last))?.getTime();
    if (next === void 0 || next <= last || next > until) break;
    instants.push(next);
    last = next;
  }
  return instants;
};
var newestInstants = (schedule, until, count2) => (cronOf(schedule)?.previousRuns(count2, new Date(until + 1e3 - until % 1e3)) ?? []).map((date2) => date2.getTime()).filter((instant) => instant <= until);
var countedAtMost = 1e4;
var instantsBetween = (schedule, after, until, limit2) => {
  const found = [];
  let last = after;
  while (found.length <= limit2) {
    const [next] = nextInstants(schedule, last, 1);
    if (next === void 0 || next > until) return { instants: found, left: 0, exact: true };
    found.push(next);
    last = next;
  }
  const newest = newestInstants(schedule, until, limit2).filter((instant) => instant > after).reverse();
  const first = newest[0] ?? until;
  let left15 = found.filter((instant) => instant < first).length;
  while (left15 < countedAtMost && last < first) {
    const [next] = nextInstants(schedule, last, 1);
    if (next === void 0 || next >= first) return { instants: newest, left: left15, exact: true };
    left15++;
    last = next;
  }
  return { instants: newest, left: left15, exact: last >= first };
};
var dueAt = (pipeline, { jitter }, instant) => {
  const most2 = jitter === void 0 ? 0 : Duration10.toMillis(jitter);
  if (most2 <= 0) return instant;
  const share = Number.parseInt(sha256(`${pipeline}
${instant}`).slice(0, 12), 16) / 16 ** 12;
  return instant + Math.floor(share * most2);
};
var scheduledFor = (instant, timezone) => {
  const zoned = Option9.getOrElse(
    DateTime.makeZoned(instant, { timeZone: timezone }),
    () => DateTime.unsafeMakeZoned(instant, { timeZone: "UTC" })
  );
  const [date2 = "", time = ""] = DateTime.formatIsoOffset(zoned).split(/[T.]/);
  return { date: date2, time, instant: new Date(instant).toISOString() };
};
var events = ["failed", "budget", "quality", "missed"];
var isWebhook = (text4) => canParse(text4) && /^https?:$/.test(new URL(text4).protocol);
var Webhook = Schema11.Redacted(
  Schema11.String.pipe(Schema11.filter(isWebhook)).annotations({
    description: "an http(s) address, usually ${{ secrets.NAME }}"
  })
);
var Target = Schema11.Struct({
  on: Schema11.NonEmptyArray(Schema11.Literal(...events)).annotations({
    description: "an array of failed, budget, quality, missed"
  }),
  webhook: Webhook,
  /** Key of the signature (HMAC-SHA256). */
  secret: Schema11.optional(Schema11.Redacted(Schema11.NonEmptyString)).annotations({
    description: "Signs what is sent, usually ${{ secrets.NAME }}."
  })
});
var Notify = Schema11.Array(Target).pipe(Schema11.maxItems(10)).annotations({
  description: "an array of at most 10 like { on: [failed], webhook: ${{ secrets.NAME }} }"
});

// src/Pipeline/Definition.ts
var Whole = Schema12.Int.pipe(Schema12.positive()).annotations({ description: "a whole number of 1 or more" });
var limits2 = ["credits", "pages", "rows", "bytes", "duration"];
var Budget = Schema12.Struct({
  credits: Schema12.optional(Schema12.Number.pipe(Schema12.positive()).annotations({ description: "a number above 0" })),
  pages: Schema12.optional(Whole),
  rows: Schema12.optional(Whole),
  bytes: Schema12.optional(SizeText),
  duration: Schema12.optional(DurationText),
  per: Schema12.optionalWith(
    Schema12.Literal("run", "day").annotations({
      description: '"run" or "day" (the credits of all runs of a day, UTC, together)'
    }),
    { default: () => "run" }
  ),
  onReached: Schema12.optionalWith(
    Schema12.Literal("stop", "publish").annotations({
      description: '"stop" (publish nothing; a resume goes on) or "publish" (publish what was paid for; the next run does the rest)'
    }),
    { default: () => "stop" }
  )
}).pipe(
  Schema12.filter((budget) => {
    if (limits2.every((limit2) => budget[limit2] === void 0)) return `names no limit: one of ${limits2.join(", ")}`;
    if (budget.per === "run") return true;
    if (budget.credits === void 0) {
      return { path: ["per"], message: "only credits are counted by the day: name credits, or leave per out" };
    }
    const other = limits2.find((limit2) => limit2 !== "credits" && budget[limit2] !== void 0);
    return other === void 0 || {
      path: [other],
      message: `${other} would count for each run alone, only credits are counted by the day: leave ${other} out, or per`
    };
  })
);
var Name = Schema12.String.pipe(Schema12.pattern(/^[a-zA-Z][\w-]{0,63}$/)).annotations({
  description: "a name of letters, digits, - and _, beginning with a letter"
});
var Input = Schema12.Struct({
  type: Schema12.Literal("string", "integer", "number", "boolean", "url", "path").annotations({
    description: "string, integer, number, boolean, url or path"
  }),
  description: Schema12.optional(Schema12.String).annotations({
    description: "Explains the input to users of the pipeline."
  }),
  default: Schema12.optional(Schema12.Union(Schema12.String, Schema12.Number, Schema12.Boolean)).annotations({
    description: "What counts when nothing is given; without it something must be."
  }),
  enum: Schema12.optional(Schema12.Array(Schema12.Union(Schema12.String, Schema12.Number))).annotations({
    description: "The only values there are."
  }),
  minimum: Schema12.optional(Schema12.Number),
  maximum: Schema12.optional(Schema12.Number),
  maxLength: Schema12.optional(Schema12.Int).annotations({ description: "Characters of a string." })
});
var Percentage = Schema12.String.pipe(Schema12.pattern(/^\d{1,3}(\.\d+)?%$/)).annotations({
  description: "a share like 5%"
});
var OnError = Schema12.Union(
  Schema12.Literal("reject", "keep", "drop", "fail"),
  Schema12.Struct({
    reject: Schema12.Literal(true),
    stopAfter: Schema12.optional(Schema12.Union(Schema12.Int.pipe(Schema12.positive()), Percentage)).annotations({
      description: "Ends the run at the n-th failed row, or when at least such a share of the rows that the step was given has failed: judged from the hundredth row on, and at the end."
    })
  })
);
var isRange = (text4) => {
  const [first = "", last = ""] = text4.split("-");
  return /^[1-5]\d\d$/.test(first) && /^[1-5]\d\d$/.test(last) && first <= last;
};
var PageStatus = Schema12.Union(
  Schema12.Int.pipe(Schema12.between(100, 599)),
  Schema12.Literal("4xx", "5xx"),
  Schema12.String.pipe(Schema12.filter(isRange))
).annotations({ description: "a status like 404, a range like 400-403, 4xx or 5xx" });
var includesStatus = (named2, status) => named2.some((each) => {
  if (typeof each === "number") return each === status;
  const [first = "", last = first] = each.replace("xx", "00").split("-");
  return each.endsWith("xx") ? Math.floor(status / 100) === Number(each[0]) : status >= +first && status <= +last;
});
var defaultFailOn = ["5xx"];
var RetryCause = Schema12.Union(
  Schema12.Int.pipe(Schema12.between(400, 599)),
  Schema12.Literal("4xx", "5xx", "429", "timeout", "network")
).annotations({ description: "a status like 503, or one of 429, 4xx, 5xx, timeout, network" });
var key = (schema, description) => Schema12.optional(schema).annotations({ description });
var commonFields = {
  id: key(Name, "What other steps call it; without one it is called by its key."),
  when: key(
    Schema12.Boolean.annotations({ description: "true or false, usually a ${{ \u2026 }}" }),
    "False leaves the step out: rows pass by."
  ),
  from: key(
    Schema12.Union(Name, Schema12.Array(Name).pipe(Schema12.minItems(1))).annotations({
      description: "the id of a step or an array of at least one id"
    }),
    "The step whose rows it reads; without it the step above. Of an array, it reads the rows of all, as they come, and ends when all have ended."
  ),
  after: key(
    Schema12.Union(Name, Schema12.Array(Name)).annotations({ description: "the id of a step or an array of ids" }),
    "Begins a branch of its own when these steps have ended."
  ),
  retry: key(
    Schema12.Struct({
      times: key(Schema12.Int.pipe(Schema12.between(0, 20)), "Retries of a row at most; 5 where nothing is said."),
      on: key(
        Schema12.Array(RetryCause),
        "Without it, what the service says can be repeated. A status also names the page's: `scrape` and `parse` ask for that page again, and pay again. `network` is a lost connection, to the service or from it to the site."
      ),
      retryBudget: key(
        Schema12.Union(
          Schema12.Literal(false),
          Schema12.Struct({
            ratio: key(Percentage, "Retries as a share of the calls made so far; 10% where nothing is said."),
            minimum: key(
              Schema12.Int.pipe(Schema12.nonNegative()),
              "Retries that are allowed however few calls there were; 20 where nothing is said."
            )
          })
        ),
        "How many calls may be retries: a budget of the step, in place of the run's. A call beyond it fails with its error; false sets no limit."
      ),
      circuitBreaker: key(
        Schema12.Union(
          Schema12.Literal(false),
          Schema12.Struct({
            failureThreshold: key(
              Schema12.Int.pipe(Schema12.positive()),
              "Failures in a row that open the circuit; 10 where nothing is said."
            ),
            resetTimeout: key(
              DurationText,
              "The wait before the first probe, doubled with each failed one up to five times as long; 2s where nothing is said."
            ),
            giveUpAfter: key(
              DurationText,
              "How long rows wait for the service before the run fails; 5m where nothing is said, and at most 30s for a service that has never answered."
            )
          })
        ),
        "Stops calling a failing service for a while. Set here, it replaces the run's circuit breaker for this step. Rows wait while it is open, and one call at a time tries the service; false never opens it."
      )
    }),
    "Tries failed calls again, with growing waits; `times` counts all retries of a row. Pages of a job (`crawl`, `batchScrape`) are not asked for again one by one: `sluice replay` does that, and `check` warns of statuses in `on` that never match there."
  ),
  concurrency: key(Schema12.Int.pipe(Schema12.between(1, 1e3)), "Rows worked on at once."),
  rate: key(Rate, "Calls begun in a time, at most."),
  timeout: key(
    DurationText,
    "The longest that one row may take, with all its attempts. Time in which it waits for the budget or the circuit breaker does not count."
  ),
  failOn: key(
    Schema12.Array(PageStatus),
    "Statuses of pages that fail, which `onError` settles; `[5xx]` where nothing is said, `[]` for none. Failed pages are paid for."
  ),
  onError: key(
    OnError,
    "Handling of a failed row: it goes to the reject file, is passed on as it came, is dropped, or ends the run."
  ),
  each: key(Schema12.Boolean, "True runs the step once for every incoming row, which its { expr: \u2026 } fields then see."),
  pin: key(
    Schema12.String.pipe(Schema12.pattern(/[^/\\]\.lock\.json$/)).annotations({
      description: "a file name that ends in .lock.json, relative to the definition"
    }),
    "Takes the value from this file, which `sluice pin` writes, instead of asking the service."
  )
};
var Common = Schema12.Struct(commonFields);
var commonKeys = Object.keys(commonFields);
var StateKey = Schema12.String.pipe(
  Schema12.filter((text4) => text4.trim() === text4 && text4 !== "" && text4.length <= 500 && !new RegExp("\\p{Cc}", "u").test(text4))
).annotations({
  description: "one line of 1 to 500 characters without space around them, like docs-watch/${{ inputs.site }}"
});
var State = Schema12.Struct({
  /** Default: the pipeline's name. */
  key: Schema12.optional(StateKey),
  /** Entries that no run has seen for so long are removed. */
  forgetAfter: Schema12.optional(DurationText)
});
var settledFields = {
  /** A folder of pages that is served on loopback while the pipeline runs: `${{ run.site }}`. */
  site: Schema12.String,
  schedule: Schedule3,
  state: State,
  budget: Budget,
  notify: Notify
};
var settledKeys = ["site", "schedule", "state", "budget", "notify"];
var ExtensionsFile = Schema12.String.pipe(Schema12.pattern(/\.[cm]?[jt]s$/)).annotations({
  description: "a .ts, .mts, .js or .mjs file, relative to the definition's folder"
});
var literalFields = {
  version: Schema12.Literal(1),
  name: Name,
  description: Schema12.optional(Schema12.String).annotations({ description: "What it does, in a sentence." }),
  inputs: Schema12.optional(Schema12.Record({ key: Schema12.String, value: Input })).annotations({
    description: "What it can be given when it is started: `${{ inputs.NAME }}`."
  }),
  steps: Schema12.NonEmptyArray(Schema12.Unknown).annotations({ description: "an array of at least one step" })
};
var frameFields = {
  ...literalFields,
  extensions: key(
    ExtensionsFile,
    "A file that exports steps of your own, made by `Step.make`, or sinks, made by `Sink.make`: a pipeline uses them like those of Sluice. It is code of the project, which runs only where code is allowed (`--allow-code`)."
  ),
  site: key(
    settledFields.site,
    "A folder of pages that is served on this machine while the pipeline runs: `${{ run.site }}`."
  ),
  schedule: key(settledFields.schedule, "When it runs by itself, under `sluice schedule`."),
  state: key(settledFields.state, "What it remembers from run to run, and under which key."),
  budget: key(
    settledFields.budget,
    "What it may use at most: no call is begun that could go beyond it. A run that reaches it stops in order, with exit code 4."
  ),
  notify: key(settledFields.notify, "Webhooks to notify when a scheduled run did not go well.")
};
var Frame = Schema12.Struct(frameFields);
var Later = Schema12.optional(Schema12.Unknown);
var WrittenFrame = Schema12.Struct({
  ...literalFields,
  extensions: Later,
  site: Later,
  schedule: Later,
  state: Later,
  budget: Later,
  notify: Later
}).annotations({ parseOptions: { errors: "all", onExcessProperty: "error" } });
var ignoredByKind = {
  source: ["rate", "timeout", "pin"],
  item: ["each", "after", "pin"],
  transform: ["each", "after", "concurrency", "rate", "timeout", "pin"],
  sink: ["each", "after", "concurrency", "rate", "timeout", "pin"],
  value: ["from", "each", "after", "concurrency", "rate", "timeout", "onError"]
};
var forApart = ["concurrency", "timeout"];
var isForApart = (key2) => forApart.some((each) => each === key2);
var forPages = ["failOn"];
var ofServices = /* @__PURE__ */ new Set([401, 402, 403, 404, 408, 429]);
var ignoredCauses = (behaviour, on) => behaviour.kind === "item" || !("pages" in behaviour) || behaviour.pages !== true ? [] : on.filter((cause) => typeof cause === "number").filter((cause) => cause < 500 && !ofServices.has(cause));
var ignoredKeys = (behaviour) => {
  const hasPages = "pages" in behaviour && behaviour.pages === true;
  const idle2 = [...ignoredByKind[behaviour.kind], ...hasPages ? [] : forPages];
  if (behaviour.kind === "sink") return [...idle2, "retry"];
  if (behaviour.kind !== "transform") return idle2;
  const { apart, calls: calls2 } = behaviour;
  const own3 = apart === true ? idle2.filter((key2) => !isForApart(key2)) : idle2;
  return calls2 === true ? own3 : [...own3, "retry"];
};

// src/Pipeline/Expressions.ts
import * as Either17 from "effect/Either";
import * as AST5 from "effect/SchemaAST";

// src/Pipeline/Interpolate.ts
import * as Effect33 from "effect/Effect";
import * as Either16 from "effect/Either";
import * as Redacted3 from "effect/Redacted";

// src/Step/Estimate.ts
var Estimate_exports = {};
__export(Estimate_exports, {
  anyRows: () => anyRows,
  asManyRows: () => asManyRows,
  atMost: () => atMost,
  bought: () => bought,
  exactly: () => exactly,
  fewerRows: () => fewerRows,
  idle: () => idle,
  listedRows: () => listedRows,
  none: () => none4,
  numberOf: () => numberOf,
  oneRequest: () => oneRequest,
  open: () => open3,
  pagePerRow: () => pagePerRow,
  requestPerRead: () => requestPerRead,
  requestPerRow: () => requestPerRow,
  sameRows: () => sameRows,
  some: () => some2,
  sum: () => sum3,
  times: () => times,
  upTo: () => upTo3
});
var open3 = /* @__PURE__ */ Symbol("open");
var exactly = (count2) => ({ least: count2, most: count2 });
var none4 = exactly(0);
var upTo3 = (most2) => ({ least: 0, most: most2 });
var atMost = ({ least, most: most2 }, limit2) => limit2 === void 0 ? { least, most: most2 } : { least: Math.min(least, limit2), most: most2 === void 0 ? limit2 : Math.min(most2, limit2) };
var times = (a, b) => ({
  least: a.least * b.least,
  most: a.most === 0 || b.most === 0 ? 0 : a.most === void 0 || b.most === void 0 ? void 0 : a.most * b.most
});
var sum3 = (counts) => counts.reduce(
  (all5, { least, most: most2 }) => ({
    least: all5.least + least,
    most: all5.most === void 0 || most2 === void 0 ? void 0 : all5.most + most2
  }),
  none4
);
var some2 = ({ least, most: most2 }) => ({ least: Math.min(1, least), most: most2 });
var bought = (cost7, calls2) => cost7.map(({ good, least, most: most2 }) => ({ good, amount: times(calls2, { least, most: most2 }) }));
var idle = { requests: none4, pages: none4, buys: [] };
var sameRows = ({ keys, rows: rows3 }) => ({ ...idle, rows: rows3, keys });
var asManyRows = ({ rows: rows3 }) => ({ ...idle, rows: rows3 });
var fewerRows = ({ rows: rows3 }) => ({ ...idle, rows: upTo3(rows3.most) });
var anyRows = ({ rows: rows3 }) => ({ ...idle, rows: upTo3(rows3.most === 0 ? 0 : void 0) });
var pagePerRow = ({ cost: cost7, keys, rows: rows3 }) => ({
  requests: rows3,
  pages: rows3,
  rows: rows3,
  keys,
  buys: bought(cost7, rows3)
});
var requestPerRow = ({ cost: cost7, rows: rows3 }) => ({
  requests: upTo3(rows3.most),
  pages: none4,
  rows: upTo3(rows3.most === 0 ? 0 : void 0),
  buys: bought(cost7, upTo3(rows3.most))
});
var requestPerRead = ({ cost: cost7, times: reads, wanted }) => ({
  requests: reads,
  pages: none4,
  rows: times(reads, upTo3(wanted)),
  buys: bought(cost7, reads)
});
var listedRows = ({ listing: listing2, times: reads, wanted }) => listing2 === void 0 ? { ...idle, rows: times(reads, upTo3(wanted)) } : { ...idle, rows: times(reads, exactly(listing2.count)), keys: reads.most === 1 ? listing2.keys : void 0 };
var oneRequest = ({ cost: cost7, pinned: pinned2 }) => {
  const requests2 = pinned2 ? none4 : exactly(1);
  return { requests: requests2, pages: none4, rows: none4, buys: bought(cost7, requests2) };
};
var numberOf = (value4) => typeof value4 === "number" ? value4 : void 0;

// src/Pipeline/Interpolate.ts
var names = ["inputs", "env", "secrets", "run", "steps"];
var clock2 = ["now", "millis"];
var pattern2 = /\$\{\{([\s\S]*?)\}\}/g;
var stepNames = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w$.`-])steps\s*\.\s*(?:`([^`]*)`|([A-Za-z][\w-]*))/g;
var quoteIds = (expression) => expression.replace(stepNames, (text4, _quoted, id) => id?.includes("-") ? `steps.\`${id}\`` : text4);
var referencedSteps = (value4) => {
  if (typeof value4 === "string") {
    const expressions = Array.from(value4.matchAll(pattern2), ([, expression = ""]) => expression);
    const ids = expressions.flatMap((each) => Array.from(each.matchAll(stepNames), ([, quoted, id]) => quoted ?? id));
    return new Set(ids.filter((id) => id !== void 0));
  }
  if (typeof value4 !== "object" || value4 === null) return /* @__PURE__ */ new Set();
  return new Set(Object.values(value4).flatMap((each) => [...referencedSteps(each)]));
};
var namedIn = (value4, path2 = []) => {
  if (typeof value4 === "string") {
    return Array.from(value4.matchAll(pattern2)).flatMap(([, expression = ""]) => {
      const compiled3 = compile2(quoteIds(expression).trim(), { names: clock2 });
      if (Either16.isLeft(compiled3)) return [];
      return compiled3.right.paths.flatMap((each) => {
        const [kind, name] = each.split(".");
        return name !== void 0 && (kind === "env" || kind === "secrets") ? [{ kind, name, path: path2 }] : [];
      });
    });
  }
  if (typeof value4 !== "object" || value4 === null) return [];
  return Array.isArray(value4) ? value4.flatMap((item, index) => namedIn(item, [...path2, index])) : Object.entries(value4).flatMap(([key2, item]) => namedIn(item, [...path2, key2]));
};
var sharedHeaders = /* @__PURE__ */ new Set([
  "accept",
  "accept-language",
  "cache-control",
  "dnt",
  "pragma",
  "user-agent"
]);
var secretAllowed = ([part, , key2, ...below3], headers) => {
  if (part === "notify") return below3.length === 0 && (key2 === "webhook" || key2 === "secret");
  return headers !== void 0 && below3.length === headers.length + 1 && headers.every((each, at) => below3[at] === each);
};
var soundsSecret = (variable) => /(^|_)(TOKEN|SECRET|CREDENTIALS?|COOKIE|DSN|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)_?KEYS?)(_|$)|(PASSWORD|PASSWD|PASSPHRASE)(_|$)/i.test(
  variable
);
var holdsPassword = (value4) => /[a-z][\w+.-]*:\/\/[^\s/?#@]*:[^\s/?#]*@/i.test(value4 ?? "");
var only = (env, paths) => Object.fromEntries(Object.entries(env).filter(([name]) => paths.some((path2) => path2 === `env.${name}`)));
var namesSecret = (expression) => /^\s*secrets\b/.test(expression);
var whyNothing = (scope4, { expression, rest, root }, path2) => {
  if (root === "env") return `environment variable ${rest} is not set`;
  if (root === "run" && rest === "site") {
    return "${{ run.site }} needs the key `site:` beside `steps:`, with a folder of pages";
  }
  if (root === "run" && path2[0] !== "steps" && path2[0] !== "state") {
    return `\${{ ${expression} }} is only known to steps and to the key of the state`;
  }
  const known4 = root === "inputs" ? scope4.inputs : root === "steps" ? scope4.steps : root === "run" ? scope4.run : {};
  const name = rest.replace(/^`|(?:`?\s*\..*|`)$/gs, "");
  if (root === "steps" && Object.hasOwn(scope4.steps, name)) {
    const output = scope4.steps[name]?.output;
    if (output === void 0) {
      return `the step "${name}" has no output, because its \`when\` is false: give this step the same`;
    }
    const has = typeof output === "object" && output !== null ? Object.keys(output).join(", ") : "";
    return `\${{ ${expression} }} has no value: the output of "${name}" has ${has === "" ? "no fields" : has}`;
  }
  const others = Object.keys(known4);
  const hint = others.includes(name) ? "" : didYouMean(name, others) || (others.length === 0 ? "" : `: there are ${others.join(", ")}`);
  return `\${{ ${expression} }} has no value${hint}`;
};
var lookUp = (scope4, expression, path2) => Effect33.gen(function* () {
  const [, root = "", rest = ""] = /^\s*([A-Za-z_$][\w$]*)\s*(?:\.\s*([\s\S]*))?$/.exec(expression) ?? [];
  const compiled3 = compile2(quoteIds(expression).trim(), { names: clock2 });
  if (Either16.isLeft(compiled3)) return yield* Effect33.fail(compiled3.left.message);
  const roots = compiled3.right.paths.map((each) => each.split(".")[0] ?? "");
  const stranger = roots.find((each) => !names.includes(each));
  if (stranger !== void 0) {
    const near = didYouMean(stranger, names);
    return yield* Effect33.fail(
      near === "" && path2[0] !== "steps" ? `\${{ }} knows inputs, env, secrets, run and steps, not "${stranger}": rows are only seen by steps` : near === "" ? `"${stranger}" is a field of a row, and \${{ }} is settled before the run: write { expr: ${expression.trim()} }` : `\${{ }} knows inputs, env, secrets, run and steps, not "${stranger}"${near}`
    );
  }
  if (roots.includes("secrets")) {
    if (root !== "secrets" || !/^\w+$/.test(rest.trim())) {
      return yield* Effect33.fail("a secret is used whole: ${{ secrets.NAME }}");
    }
    if (!secretAllowed(path2, scope4.headers))
      return yield* Effect33.fail(
        "a secret may only stand in headers: write headers: { NAME: ${{ secrets.NAME }} } in a step that sends requests, or in the webhook of notify"
      );
    const header = String(path2.at(-1));
    if (path2[0] === "steps" && sharedHeaders.has(header.toLowerCase())) {
      return yield* Effect33.fail(
        `the header ${header} is sent on to other hosts after a redirect: put the secret into a header of another name, like Authorization`
      );
    }
    const secret = scope4.secrets(rest.trim());
    if (secret !== void 0) return Redacted3.value(secret);
    const message = `secret "${rest.trim()}" is not set: give it as the environment variable ${rest.trim()}`;
    if (scope4.warn === void 0) return yield* Effect33.fail(message);
    scope4.warn({ path: path2, message });
    return open3;
  }
  if (compiled3.right.paths.includes("env")) {
    return yield* Effect33.fail("one variable of the environment is named: ${{ env.NAME }}");
  }
  const variables = compiled3.right.paths.flatMap((each) => each.startsWith("env.") ? [each.slice(4)] : []);
  const exposed = variables.find((each) => soundsSecret(each) || holdsPassword(scope4.env[each]));
  if (exposed !== void 0) {
    const why2 = soundsSecret(exposed) ? "sounds like a secret" : "holds a password";
    return yield* Effect33.fail(
      `${exposed} ${why2}, and what env gives is shown: write \${{ secrets.${exposed} }} in a header`
    );
  }
  const { startedAt } = scope4.run;
  if (startedAt === open3 && compiled3.right.names.length > 0) return open3;
  for (const read4 of compiled3.right.paths) {
    const value5 = read4.split(".").reduce(
      (at, key2) => at === open3 || typeof at !== "object" || at === null ? at : at[key2],
      scope4
    );
    if (value5 === open3) return open3;
  }
  const value4 = yield* compiled3.right.evaluate(
    { inputs: scope4.inputs, env: only(scope4.env, compiled3.right.paths), run: scope4.run, steps: scope4.steps },
    { names: {}, now: typeof startedAt === "string" ? new Date(startedAt) : void 0 }
  ).pipe(Effect33.mapError((error) => error.message));
  if (value4 !== void 0) return value4;
  return yield* Effect33.fail(whyNothing(scope4, { expression: expression.trim(), root, rest: rest.trim() }, path2));
});
var settleText = (scope4, text4, path2, state) => Effect33.gen(function* () {
  const parts = [];
  let end2 = 0;
  for (const match9 of text4.matchAll(pattern2)) {
    if (match9.index > end2) parts.push(text4.slice(end2, match9.index));
    end2 = match9.index + match9[0].length;
    const value4 = yield* Effect33.either(lookUp(scope4, match9[1] ?? "", path2));
    if (Either16.isLeft(value4)) {
      state.mistakes.push({ path: path2, message: value4.left });
      parts.push(open3);
    } else {
      if (namesSecret(match9[1] ?? "")) state.secret.push(path2);
      parts.push(value4.right);
    }
  }
  if (end2 === 0) return text4;
  if (end2 < text4.length) parts.push(text4.slice(end2));
  if (parts.includes(open3)) {
    state.open.push(path2);
    return open3;
  }
  state.filled.push(path2);
  return parts.length === 1 ? parts[0] : parts.map((part) => typeof part === "string" ? part : JSON.stringify(part)).join("");
});
var walk = (scope4, value4, path2, state) => {
  if (typeof value4 === "string")
    return value4.includes("${{") ? settleText(scope4, value4, path2, state) : Effect33.succeed(value4);
  if (Array.isArray(value4)) return Effect33.forEach(value4, (item, index) => walk(scope4, item, [...path2, index], state));
  if (typeof value4 !== "object" || value4 === null || Object.getPrototypeOf(value4) !== Object.prototype) {
    return Effect33.succeed(value4);
  }
  return Effect33.map(
    Effect33.forEach(
      Object.entries(value4),
      ([key2, item]) => Effect33.map(walk(scope4, item, [...path2, key2], state), (settled) => [key2, settled])
    ),
    Object.fromEntries
  );
};
var settle = (scope4, value4, path2) => Effect33.suspend(() => {
  const state = { mistakes: [], filled: [], secret: [], open: [] };
  return Effect33.map(walk(scope4, value4, path2, state), (settled) => ({ value: settled, ...state }));
});

// src/Pipeline/YamlErrors.ts
import { isAlias, isCollection, isNode as isNode2, isScalar, visit as visit2 } from "yaml";
var splitHint = "{ \u2026 } and [ \u2026 ] split at every comma, also inside $f(a, b): put the expression in quotes";
var pitfalls = [
  {
    looks: /:\s+\{\{/,
    message: 'an unquoted {{ \u2026 }} is a YAML mapping: write "${{ \u2026 }}" in quotes'
  },
  {
    looks: /:\s+[^"'\s#](?:"[^"\n]*"|'[^'\n]*'|[^"'#\n])*\?(?:"[^"\n]*"|'[^'\n]*'|[^"'#\n])*:\s/,
    message: "an unquoted `a ? b : c` is read as a mapping: put the expression in quotes"
  },
  {
    looks: /[[{,]\s*(?:[\w-]+:\s*)?\$\{\{/,
    message: "within { \u2026 } and [ \u2026 ] a ${{ \u2026 }} stands in quotes, else its braces are YAML's"
  },
  {
    looks: /[[{,][^"'\n]*\$\w+\([^)\n"']*[,[{]/,
    message: splitHint
  },
  {
    looks: /(?::|-)\s+[>|][+-]?\d?[ \t]+[^\s#]/,
    message: "a plain value that begins with > or | begins a block of lines: put it in quotes"
  },
  {
    looks: /:\s+[%@`]/,
    message: "a plain value cannot begin with %, @ or `: put it in quotes"
  },
  {
    looks: /:\s+[*!&]/,
    message: "a plain value that begins with *, ! or & is a YAML alias, tag or anchor: put it in quotes"
  }
];
var pitfallAt = (text4, offset) => {
  const start3 = text4.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
  const end2 = text4.indexOf("\n", offset);
  const line = text4.slice(Math.max(start3, offset - 500), Math.min(end2 === -1 ? text4.length : end2, offset + 500));
  return pitfalls.find(({ looks }) => looks.test(line))?.message;
};
var isCut = (value4, comment) => {
  const bare3 = value4.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "x");
  const isOpen3 = /["'`]/.test(bare3) || bare3.split(/[([{]/).length !== bare3.split(/[)\]}]/).length;
  const isUnfinished = /(?:[-+*/%=<>&?:,.]|\b(?:and|or|in))\s*$/.test(bare3);
  return isOpen3 || isUnfinished || /^(?:\d+|\$\w+)\s*(?:[<>=&+*/]|!=)/.test(comment);
};
var cutHint = "a plain value ends at ` #`, the rest is a comment: put the expression in quotes";
var isRange2 = (value4) => typeof value4 === "string" && /^-?\d+\s*\.\.\s*-?\d+$/.test(value4);
var rangeHint = "a range like [1..3] is an expression and no YAML list: put it in quotes";
var suspiciousText = (value4) => /^\{\{.*\}\}$/s.test(value4.trim()) ? "write ${{ \u2026 }} with a dollar sign" : void 0;
var suspiciousKey = (key2) => key2 === "<<" ? "merge keys (<<) are no part of the language: write the keys out, or use an alias for a whole value" : /^\{.*\}$/.test(key2) ? 'an unquoted {{ \u2026 }} is a YAML mapping: write "${{ \u2026 }}" in quotes' : key2.endsWith(")") ? splitHint : void 0;
var tooDeep = "is nested too deeply to be read: no definition needs so many levels";
var keyAt = (text4, offset) => /^["']?([^"':\s]+)/.exec(text4.slice(offset, offset + 80))?.[1] ?? "this key";
var isOverflow = (message) => /call stack/.test(message);
var openings = { "}": "{", "]": "[" };
var plainly = (message, text4, offset) => {
  const [, closing2] = /must be sufficiently indented and end with a ([}\]])/.exec(message) ?? [];
  if (closing2 !== void 0) return `a ${openings[closing2]} that was opened before is not closed: ${closing2} is missing`;
  const [, quote2] = /^Missing closing (["'])quote/.exec(message) ?? [];
  if (quote2 !== void 0) return `a string that begins with ${quote2} is not closed: ${quote2} is missing`;
  if (/^Nested mappings are not allowed in compact/.test(message)) {
    return "a value that holds a colon and a space is read as a mapping: put it in quotes";
  }
  if (/^Invalid escape sequence/.test(message)) {
    return `${text4.slice(offset, offset + 2)} is no escape of YAML: put the text in single quotes, and write paths with /`;
  }
  return /implicit map key|must start at the same column|at the same level|is not indented/i.test(message) ? "it is not indented like the lines that it belongs to: items of a list, and keys of a mapping, begin in one column" : void 0;
};
var describe4 = ({ code, message, pos: [offset] }, text4) => {
  if (isOverflow(message)) return tooDeep;
  switch (code) {
    case "MULTIPLE_DOCS":
      return "a definition is one document: put what follows the --- into a file of its own";
    case "DUPLICATE_KEY":
      return `"${keyAt(text4, offset)}" stands here a second time: keep one of them`;
    case "TAB_AS_INDENT":
      return "a tab stands where YAML counts spaces: indent with spaces";
    case "TAG_RESOLVE_FAILED":
      return "a plain value that begins with ! is a YAML tag: put it in quotes";
    default:
      return pitfallAt(text4, offset) ?? plainly(message, text4, offset) ?? `not valid YAML: ${message.split("\n")[0]}`;
  }
};
var firstOfLine = (errors, place) => {
  const overflow = errors.find(({ message }) => isOverflow(message));
  if (overflow !== void 0) return [overflow];
  const lines = /* @__PURE__ */ new Set();
  return errors.filter(({ pos: [offset] }) => {
    const { line } = place(offset);
    return !lines.has(line) && lines.add(line) !== void 0;
  });
};
var mostUnfolded = 1e4;
var aliasMistakes = (document, place) => {
  const mistakes = [];
  const sizes = /* @__PURE__ */ new Map();
  const add2 = (above, count2) => {
    for (const each of above) if (isCollection(each)) sizes.set(each, (sizes.get(each) ?? 0) + count2);
  };
  const wrong = (node, message) => mistakes.push({ path: [], message, ...place((isNode2(node) ? node.range?.[0] : void 0) ?? 0) });
  visit2(document, {
    Node: (_5, node, above) => {
      if (!isAlias(node)) {
        add2(above, 1);
        if (isScalar(node) && node.anchor !== void 0 && node.value === null) {
          wrong(node, "a plain value that begins with & is a YAML anchor: put it in quotes");
        }
        return void 0;
      }
      const source = node.resolve(document);
      if (source === void 0)
        wrong(node, `*${node.source} is a YAML alias, and there is no &${node.source} before it: put it in quotes`);
      else if (above.includes(source)) wrong(node, `*${node.source} stands within what it stands for: write it out`);
      else add2(above, (sizes.get(source) ?? 0) + 1);
      return void 0;
    }
  });
  const whole = sizes.get(document.contents) ?? 0;
  let aliases = 0;
  visit2(document, { Alias: () => void aliases++ });
  if (mistakes.length === 0 && aliases > 0 && whole > mostUnfolded) {
    mistakes.push({
      path: [],
      message: "its aliases unfold to more than 10,000 values: write out what is meant",
      ...place(0)
    });
  }
  return mistakes;
};
var syntaxMistakes = (document, text4, place) => {
  if (["\0", "\uFFFD"].some((sign) => text4.slice(0, 4).includes(sign))) {
    return [{ path: [], message: "the file is no text in UTF-8: save it as that", line: 1, column: 1 }];
  }
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    return firstOfLine(errors, place).map((error) => ({
      path: [],
      message: describe4(error, text4),
      ...place(Math.min(error.pos[0], text4.length))
    }));
  }
  return /[&*]/.test(text4) ? aliasMistakes(document, place) : [];
};

// src/Pipeline/Expressions.ts
var shapes = (ast) => shapesOf(ast, { isLeaf: isExpression });
var holdsOnlyExpressions = (ast) => {
  if (isExpression(ast)) return true;
  if (AST5.isTypeLiteral(ast)) {
    const parts = [...ast.propertySignatures, ...ast.indexSignatures];
    return parts.length > 0 && parts.every(({ type }) => shapes(type).every(holdsOnlyExpressions));
  }
  return AST5.isTupleType(ast) && ast.rest.length > 0 && ast.rest.every(({ type }) => shapes(type).every(isExpression));
};
var fieldsIn = (ast, value4, path2) => {
  const all5 = shapes(ast);
  if (typeof value4 === "string") {
    if (all5.some(isExpression)) return [{ path: path2, text: value4, isExpression: true }];
    return all5.length > 0 && all5.every(holdsOnlyExpressions) ? [{ path: path2, text: value4, isExpression: false }] : [];
  }
  if (typeof value4 !== "object" || value4 === null) return [];
  const found = all5.flatMap((shape) => {
    if (AST5.isTupleType(shape) && Array.isArray(value4)) {
      return value4.flatMap((item, index) => {
        const type = shape.elements[index]?.type ?? shape.rest[0]?.type;
        return type === void 0 ? [] : fieldsIn(type, item, [...path2, index]);
      });
    }
    if (!AST5.isTypeLiteral(shape) || Array.isArray(value4)) return [];
    return Object.entries(value4).flatMap(([key2, item]) => {
      const known4 = shape.propertySignatures.find(({ name }) => name === key2)?.type;
      const type = known4 ?? shape.indexSignatures[0]?.type;
      return type === void 0 ? [] : fieldsIn(type, item, [...path2, key2]);
    });
  });
  return [...new Map(found.map((field2) => [JSON.stringify(field2.path), field2])).values()];
};
var takesExpression = (ast, [key2, ...rest]) => shapes(ast).some((shape) => {
  if (key2 === void 0) return isExpression(shape);
  if (AST5.isTupleType(shape)) {
    const type2 = shape.elements[Number(key2)]?.type ?? shape.rest[0]?.type;
    return type2 !== void 0 && takesExpression(type2, rest);
  }
  if (!AST5.isTypeLiteral(shape)) return false;
  const known4 = shape.propertySignatures.find(({ name }) => name === key2)?.type;
  const type = known4 ?? shape.indexSignatures[0]?.type;
  return type !== void 0 && takesExpression(type, rest);
});
var cutExpressions = ({ cuts = [] }, steps) => cuts.flatMap(
  ({ path: [root, , key2, ...below3], ...place }) => root === "steps" && steps.some((step2) => step2.key === key2 && takesExpression(step2.config.ast, below3)) ? [{ path: [], message: cutHint, ...place }] : []
);
var filled = /\$\{\{([\s\S]*?)\}\}/g;
var spell = (name) => /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
var instead = (inner) => {
  const [, root = "", rest = ""] = /^\s*(inputs|run|env|steps)\s*\.\s*`?([\w.`-]+?)`?\s*$/.exec(inner) ?? [];
  if (root === "run") return `$run.${rest}`;
  if (root === "inputs") return `$inputs.${spell(rest)}`;
  if (root === "steps") return `$steps.${rest.replaceAll("`", "").split(".").map(spell).join(".")}`;
  if (root === "env") return "an input that is given the variable, and read it as $inputs.NAME";
  return placeholder2(inner);
};
var placeholder2 = (inner) => /\bsteps\b/.test(inner) ? "$steps.ID.output" : "$inputs.NAME";
var isSecret = (inner) => /\bsecrets\b/.test(inner) || Array.from(inner.matchAll(/\benv\s*\.\s*(\w+)/g)).some(([, name = ""]) => soundsSecret(name));
var refusal2 = ({ isExpression: isExpression2, text: text4 }) => {
  const inner = Array.from(text4.matchAll(filled), ([, each = ""]) => each);
  if (inner.length === 0) return void 0;
  if (inner.some(isSecret)) {
    return "an expression cannot contain a secret: a secret may only stand in headers and in the webhook of notify";
  }
  const why2 = `an expression cannot contain \${{ \u2026 }}: its text would run as code. Write`;
  if (!isExpression2) return `${why2} every expression out, with ${placeholder2(inner.join(" "))} for a value`;
  const values = [...new Set(inner.map(instead))];
  const isQuoted = /(["'])\$\{\{[\s\S]*?\}\}\1/.test(text4);
  return `${why2} ${values.join(" and ")}${isQuoted ? ", without quotes around it" : ""}`;
};
var nouns2 = {
  integer: "a number",
  number: "a number",
  boolean: "true or false"
};
var wrongInputs = ({ inputs, source }, declared) => {
  const known4 = Object.keys(declared);
  return Array.from(inputs, ([path2, end2]) => {
    const name = known4.find((each) => path2 === each || path2.startsWith(`${each}.`)) ?? path2.split(".", 1)[0] ?? path2;
    const start3 = source.lastIndexOf("$inputs", end2);
    const at = (reason) => new ExpressionError({ source, position: Math.max(0, start3), reason }).message;
    const input = Object.hasOwn(declared, name) ? declared[name] : void 0;
    if (input !== void 0) {
      if (path2 === name) return void 0;
      const noun = nouns2[input.type] ?? "a string";
      return at(`the input "${name}" is ${noun} and has no fields: write $inputs.${spell(name)}`);
    }
    const hint = known4.length === 0 ? ": this pipeline declares none" : didYouMean(name, known4) || `: there are ${known4.join(", ")}`;
    return at(`there is no input "${name}"${hint}`);
  }).filter((message) => message !== void 0);
};
var wrongSteps = ({ source, steps }, { below: below3, others, values }) => Array.from(steps, ([path2, end2]) => {
  const start3 = source.lastIndexOf("$steps", end2);
  const at = (reason) => new ExpressionError({ source, position: Math.max(0, start3), reason }).message;
  const [id = "", output] = path2.split(".");
  if (id === "") return at("$steps cannot be used as a whole: write $steps.ID.output");
  if (values.includes(id)) {
    return output === "output" ? void 0 : at(`a step has only its output: write $steps.${spell(id)}.output`);
  }
  if (others.includes(id)) return at(`"${id}" gives rows and no value: read its rows with from: ${id}`);
  if (below3.includes(id)) return at(`"${id}" stands below this step: move it above`);
  const cut2 = values.find((each) => each.startsWith(`${id}-`));
  if (cut2 !== void 0) return at(`there is no step "${id}": write $steps.${spell(cut2)}.output`);
  const hint = values.length === 0 ? ": no step above this one gives a value" : didYouMean(id, values) || `: there are ${values.join(", ")}`;
  return at(`there is no step "${id}"${hint}`);
}).filter((message) => message !== void 0);
var compiledIn = (fields7, names2) => fields7.flatMap(({ isExpression: isExpression2, path: path2, text: text4 }) => {
  if (!isExpression2 || !names2.some((name) => text4.includes(name))) return [];
  const compiled3 = compile2(text4, { names: rowNames });
  return Either17.isLeft(compiled3) ? [] : [{ path: path2, expression: compiled3.right }];
});
var stepsInExpressions = (ast, value4) => new Set(
  compiledIn(fieldsIn(ast, value4, []), ["$steps"]).flatMap(
    ({ expression }) => Array.from(expression.steps.keys(), (path2) => path2.split(".", 1)[0] ?? "")
  )
);
var expressionMistakes = (ast, value4, path2, declared, steps) => fieldsIn(ast, value4, path2).flatMap((field2) => {
  const refused2 = refusal2(field2);
  if (refused2 !== void 0) return [{ path: field2.path, message: refused2 }];
  return compiledIn([field2], ["$inputs", "$steps"]).flatMap(
    ({ expression }) => [
      ...wrongInputs(expression, declared),
      ...expression.steps.size === 0 ? [] : wrongSteps(expression, steps())
    ].map((message) => ({
      path: field2.path,
      message
    }))
  );
});
var broughtInMessage = "an expression must be written in the definition; it cannot come from an input or a step's output";
var broughtIn = (ast, value4, path2, filledPaths) => {
  if (filledPaths.length === 0) return [];
  const sourceOf = (below3) => filledPaths.find((each) => each.length < below3.length && each.every((part, index) => below3[index] === part));
  return fieldsIn(ast, value4, path2).flatMap(({ path: at }) => {
    const source = sourceOf(at);
    return source === void 0 ? [] : [{ path: source, message: broughtInMessage }];
  });
};

// src/Pipeline/Extensions.ts
import * as Effect70 from "effect/Effect";
import * as Either29 from "effect/Either";
import * as Schema49 from "effect/Schema";

// src/Sink/Write.ts
import * as Effect35 from "effect/Effect";
import * as Schema17 from "effect/Schema";

// src/Step/Requirements.ts
var mapping2 = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4) ? value4 : {};
var list = (value4) => Array.isArray(value4) ? value4 : [];
var nameOf = (format10) => {
  const name = typeof format10 === "string" ? format10 : mapping2(format10).type;
  return typeof name === "string" ? name : "";
};
var rare = new Set(rareFormats);
var formatNeeds = (formats2) => list(formats2).flatMap((format10, index) => {
  const name = nameOf(format10);
  const [stem = name] = name.split("@", 1);
  const place = { path: ["formats", index], what: `the format ${name}` };
  if (stem === "screenshot") return [{ ...place, ability: "browser" }];
  if (stem === "json" || stem === "extract") return [{ ...place, ability: "model" }];
  return rare.has(stem) ? [{ ...place, ability: "format", name: stem }] : [];
});
var fileFormats = (formats2) => list(formats2).flatMap((format10, index) => {
  const name = nameOf(format10);
  if (name === "") return [];
  return [{ ability: "fileFormat", path: ["formats", index], what: `the format ${name}`, name }];
});
var scraping = (fields7) => {
  const { actions, formats: formats2, mobile, profile, proxy, session, waitFor } = mapping2(fields7);
  if (session !== void 0) return fileFormats(formats2);
  const shown2 = {
    waitFor: Number(waitFor) > 0,
    mobile: mobile === true,
    actions: list(actions).length > 0,
    profile: Object.keys(mapping2(profile)).length > 0
  };
  const kind = typeof proxy === "string" ? proxy.toLowerCase() : "auto";
  return [
    ...formatNeeds(formats2),
    ...Object.entries(shown2).flatMap(
      ([name, isAsked]) => isAsked ? [{ ability: "browser", path: [name], what: `\`${name}\`` }] : []
    ),
    ...["auto", "basic", "none"].includes(kind) ? [] : [{ ability: "proxy", path: ["proxy"], what: `the proxy ${kind}`, name: kind }]
  ];
};
var parsing = (fields7) => mapping2(fields7).url === void 0 ? fileFormats(mapping2(fields7).formats) : scraping(fields7);
var scrapingMany = (fields7) => [
  ...scraping(fields7).filter(({ path: path2 }) => path2[0] !== "profile"),
  ...mapping2(fields7).profile === void 0 ? [] : [{ ability: "profiles", path: ["profile"], what: "one `profile` for many pages" }]
];
var within2 = (key2, fields7, look2) => look2(mapping2(fields7)[key2]).map((found) => ({ ...found, path: [key2, ...found.path] }));
var isHere = (url) => canParse(url) && /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
var reaching = (...keys) => (fields7) => keys.flatMap((key2) => {
  const url = mapping2(fields7)[key2];
  return typeof url === "string" && isHere(url) ? [{ ability: "here", path: [key2], what: url }] : [];
});
var sitesOfRows = (fields7) => typeof mapping2(fields7).url === "string" ? void 0 : "rows";
var listing = (fields7) => {
  const index = list(fields7).findIndex((url) => typeof url === "string" && isHere(url));
  return index < 0 ? [] : [{ ability: "here", path: [index], what: String(list(fields7)[index]), optional: true }];
};
var known = [...formats, "screenshot@fullPage", ...rareFormats];
var isLiteral = (name) => name !== "" && !name.includes("${{");
var unknownFormats = (fields7) => list(mapping2(fields7).formats).flatMap((format10, index) => {
  const name = nameOf(format10);
  if (!isLiteral(name) || known.includes(name)) return [];
  const hint = didYouMean(name, known);
  const path2 = ["formats", index, ...typeof format10 === "string" ? [] : ["type"]];
  const others = `the known ones are ${known.join(", ")}`;
  return [
    {
      path: path2,
      message: hint === "" ? `there is no format "${name}": ${others}; one that is newer can be given as an input` : `there is no format "${name}"${hint} (${others})`
    }
  ];
});

// src/Sink/Csv.ts
import * as Effect34 from "effect/Effect";
import * as Either19 from "effect/Either";
import * as Option10 from "effect/Option";
import * as Schema14 from "effect/Schema";

// src/Sink/CsvTable.ts
import { stringify } from "csv-stringify/sync";
import * as Either18 from "effect/Either";
import * as Schema13 from "effect/Schema";
var ColumnType = Schema13.Literal("string", "integer", "number", "boolean", "date", "json").annotations({
  identifier: "ColumnType",
  description: "What the column holds. Nested values become JSON text, dates what `dates` says."
});
var looksLikeFormula = (text4) => {
  switch (text4.charCodeAt(0)) {
    case 61:
    // =
    case 43:
    // +
    case 45:
    // -
    case 64:
    // @
    case 9:
    case 10:
    case 13:
    case 65309:
    // full width
    case 65291:
    case 65293:
    case 65312:
      return true;
    default:
      return false;
  }
};
var escapeFormula = (text4) => looksLikeFormula(text4) ? `'${text4}` : text4;
var formatNested = (value4) => Either18.getOrUndefined(jsonText(value4));
var Dates = Schema13.Literal("iso", "date", "datetime", "epochSeconds", "epochMillis").annotations({
  description: "How dates are written, in UTC: iso 2026-01-31T10:00:00.000Z (days stay days), date 2026-01-31, datetime 2026-01-31 10:00:00, or whole seconds or milliseconds since 1970."
});
var instantOf = (value4) => {
  const millis5 = value4 instanceof Date ? value4.getTime() : void 0;
  if (millis5 !== void 0) return Number.isNaN(millis5) ? void 0 : millis5;
  return typeof value4 === "string" || typeof value4 === "number" ? parseTime(value4) : void 0;
};
var formatInstant = {
  iso: (millis5) => new Date(millis5).toISOString(),
  date: (millis5) => new Date(millis5).toISOString().replace(/T.*$/, ""),
  datetime: (millis5) => new Date(millis5).toISOString().replace("T", " ").replace(/\..*$/, ""),
  epochSeconds: (millis5) => String(Math.floor(millis5 / 1e3)),
  epochMillis: (millis5) => String(Math.floor(millis5))
};
var makeDateFormatter = (dates) => {
  const format10 = formatInstant[dates];
  return (value4) => {
    const millis5 = instantOf(value4);
    if (millis5 === void 0) return void 0;
    const isDay = dates === "iso" && typeof value4 === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value4);
    return isDay ? value4 : format10(millis5);
  };
};
var makeAnyFormatter = (guard, formatTime) => (value4) => {
  if (typeof value4 === "string") return guard(value4);
  if (typeof value4 !== "object") return String(value4);
  return value4 instanceof Date ? formatTime(value4) : formatNested(value4);
};
var formatInteger = (value4) => {
  if (Number.isSafeInteger(value4)) return String(value4);
  if (typeof value4 === "number") return Number.isInteger(value4) ? BigInt(value4).toString() : void 0;
  if (typeof value4 === "bigint") return value4.toString();
  const text4 = typeof value4 === "string" ? value4.trim() : "";
  return /^[+-]?\d+$/.test(text4) ? text4 : void 0;
};
var formatNumber = (value4) => {
  if (typeof value4 === "number") return Number.isFinite(value4) ? String(value4) : void 0;
  if (typeof value4 === "bigint") return value4.toString();
  const text4 = typeof value4 === "string" ? value4.trim() : "";
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text4) ? text4 : void 0;
};
var formatBoolean = (value4) => typeof value4 === "boolean" ? String(value4) : value4 === "true" || value4 === "false" ? value4 : void 0;
var formatterOf = (type, { dates, escapeFormulas }) => {
  switch (type) {
    case "integer":
      return formatInteger;
    case "number":
      return formatNumber;
    case "boolean":
      return formatBoolean;
    case "date":
      return makeDateFormatter(dates);
    case "json":
      return formatNested;
    default:
      return makeAnyFormatter(escapeFormulas ? escapeFormula : (text4) => text4, makeDateFormatter(dates));
  }
};
var makeWidening = (options) => {
  const delimiter = options.delimiter.charCodeAt(0);
  const quote2 = options.quote.charCodeAt(0);
  const end2 = options.lineEnd === "lf" ? 10 : 13;
  let quoted = false;
  let cells2 = 1;
  let inHeader = true;
  return (bytes) => {
    const parts = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === quote2) quoted = !quoted;
      else if (quoted) continue;
      else if (byte === delimiter) cells2++;
      else if (byte === end2) {
        if (inHeader) {
          parts.push(Buffer.from(options.header));
          from = at;
          inHeader = false;
        } else if (cells2 < options.columns) {
          parts.push(
            bytes.subarray(from, at),
            Buffer.from((options.delimiter + options.nullText).repeat(options.columns - cells2))
          );
          from = at;
        }
        cells2 = 1;
      }
    }
    if (inHeader) return new Uint8Array();
    parts.push(bytes.subarray(from));
    return parts.length === 1 ? bytes : Buffer.concat(parts);
  };
};
var SavedState = Schema13.Struct({
  headed: Schema13.Number,
  /** Columns that only this file has. */
  more: Schema13.optional(Schema13.Array(Schema13.String))
});
var bom = "\uFEFF";
var namesOf = ({ list: list3 }) => list3.map(({ name }) => name);
var makeCodec = (dialect, types, base, drop4) => {
  const lineEnd = dialect.lineEnd === "lf" ? "\n" : "\r\n";
  const head = (columns) => (dialect.bom ? bom : "") + formatHeader(columns, dialect);
  const wider = (columns, more) => columnsOf([...namesOf(columns), ...more], types, dialect);
  return {
    format: "csv",
    lineEnd,
    header: () => head(base()),
    finish: (_5, isEmpty2) => isEmpty2 && base().list.length > 0 ? head(base()) : "",
    begin: (continued) => ({ columns: base(), headed: continued ? base().list.length : 0 }),
    save: ({ columns, headed }) => {
      const more = namesOf(columns).slice(base().list.length);
      return { headed, ...more.length === 0 ? {} : { more } };
    },
    restore: (saved2) => Either18.map(Schema13.decodeUnknownEither(SavedState)(saved2), ({ headed, more }) => ({
      columns: more === void 0 ? base() : wider(base(), more),
      headed
    })),
    encode: (batch, from, to, state, out) => {
      let { columns, headed } = state;
      let at = from;
      while (at < to) {
        const found = encodeRecords(batch, at, to, columns, dialect, drop4);
        if (Either18.isLeft(found)) return Either18.left(found.left);
        const { next, records, newFields } = found.right;
        if (records.length > 0) {
          if (headed === 0) {
            out.put(head(columns));
            headed = columns.list.length;
          }
          out.put(formatRecords(records, dialect));
        }
        if (newFields.length > 0) columns = wider(columns, newFields);
        at = next;
      }
      return Either18.right(columns === state.columns && headed === state.headed ? state : { columns, headed });
    },
    rewrite: ({ columns, headed }) => columns.list.length === headed ? void 0 : makeWidening({
      ...dialect,
      header: head(columns).slice(0, -lineEnd.length),
      columns: columns.list.length
    })
  };
};
var maxColumns = 1e4;
var columnsOf = (names2, types, dialect) => ({
  names: new Set(names2),
  list: names2.map((name) => {
    const type = types !== void 0 && Object.hasOwn(types, name) ? types[name] : void 0;
    return {
      name,
      type,
      format: formatterOf(type, dialect),
      // Only names that every object inherits need the slower check.
      read: name in Object.prototype ? (row) => Object.hasOwn(row, name) ? row[name] : void 0 : (row) => row[name]
    };
  })
});
var BufferedCells = class {
  texts;
  constructor(texts2) {
    this.texts = texts2;
  }
};
var needsQuotes = /[\r\n,;\t|]/;
var formatRecords = (records, dialect) => stringify(records, {
  delimiter: dialect.delimiter,
  quote: dialect.quote,
  escape: dialect.quote,
  record_delimiter: dialect.lineEnd === "lf" ? "\n" : "\r\n",
  quoted_match: needsQuotes,
  // Most readers skip an empty line.
  quoted_empty: records[0]?.length === 1
});
var formatHeader = ({ list: list3 }, dialect) => formatRecords([list3.map(({ name }) => dialect.escapeFormulas ? escapeFormula(name) : name)], dialect);
var describe5 = (value4) => {
  const text4 = typeof value4 === "object" ? "a nested value" : String(value4);
  return text4.length > 60 ? `${text4.slice(0, 57)}\u2026` : typeof value4 === "string" ? JSON.stringify(text4) : text4;
};
var mismatch = (name, type, value4, index) => {
  const expected = type === void 0 || type === "string" || type === "json" ? "a value that JSON can hold" : type;
  return new ColumnMismatch({ column: name, expected, actual: describe5(value4), index });
};
var encodeRecords = (batch, from, to, columns, dialect, drop4) => {
  const { nullText, onNewField } = dialect;
  const { list: list3, names: names2 } = columns;
  const records = [];
  for (let at = from; at < to; at++) {
    const row = batch.items[at];
    const record = [];
    if (row instanceof BufferedCells) {
      for (let cell = 0; cell < list3.length; cell++) record.push(row.texts[cell] ?? nullText);
      records.push(record);
      continue;
    }
    let present = 0;
    for (const { name, read: read4, format: format10, type } of list3) {
      const value4 = read4(row);
      if (value4 !== void 0) present++;
      const text4 = value4 === void 0 || value4 === null ? nullText : format10(value4);
      if (text4 === void 0) return Either18.left(mismatch(name, type, value4, indexIn(batch, at)));
      record.push(text4);
    }
    const fields7 = Object.keys(row);
    if (fields7.length > present) {
      const newFields = fields7.filter((field2) => !names2.has(field2));
      if (onNewField === "drop") newFields.forEach(drop4);
      else if (newFields.length > 0) {
        if (onNewField === "widen" && list3.length + newFields.length <= maxColumns) {
          return Either18.right({ records, next: at, newFields });
        }
        return Either18.left(new NewField({ column: newFields[0] ?? "", index: indexIn(batch, at) }));
      }
    }
    records.push(record);
  }
  return Either18.right({ records, next: to, newFields: [] });
};
var bufferCells = (data, fields7, dialect, index, drop4) => {
  const format10 = formatterOf(void 0, dialect);
  const texts2 = new Array(fields7.size).fill(null);
  for (const [name, value4] of Object.entries(data)) {
    const column = fields7.get(name);
    if (column === void 0 && fields7.size >= maxColumns) {
      if (dialect.onNewField !== "drop") return Either18.left(new NewField({ column: name, index }));
      drop4(name);
      continue;
    }
    const text4 = value4 === void 0 || value4 === null ? null : format10(value4);
    if (text4 === void 0) return Either18.left(mismatch(name, void 0, value4, index));
    if (column === void 0) fields7.set(name, fields7.size);
    texts2[column ?? fields7.size - 1] = text4;
  }
  return Either18.right(texts2);
};

// src/Sink/Csv.ts
var maxBufferedRows = 1e3;
var maxBufferedChars = 1 << 25;
var maxNamedFields = 20;
var SavedColumns = Schema14.Struct({
  /** The collected columns. */
  fields: Schema14.Array(Schema14.String),
  /** True when the collection is complete. */
  found: Schema14.Boolean,
  /** Fields without a column. */
  dropped: Schema14.Array(Schema14.String)
});
var BufferedRow = Schema14.Struct({
  /** Its partition. */
  of: Schema14.String,
  cells: Schema14.Array(Schema14.NullOr(Schema14.String))
});
var charsIn = (cells2) => cells2.reduce((sum4, text4) => sum4 + (text4?.length ?? 0), 0);
var restore2 = (resume) => Effect34.all({
  saved: resume?.state === void 0 ? Effect34.succeed(void 0) : Schema14.decodeUnknown(SavedColumns)(resume.state),
  buffered: Schema14.decodeUnknown(Schema14.Array(BufferedRow))(resume?.buffered ?? [])
});
var openTable = (dialect, types, partitioner, context) => Effect34.gen(function* () {
  const restored2 = yield* Effect34.mapError(
    restore2(context.resume),
    (cause) => new CommitUnreadable({ path: partitioner.template, cause })
  );
  const { saved: saved2 } = restored2;
  let { buffered } = restored2;
  const dropped = new Set(saved2?.dropped);
  let fields7 = new Map(saved2?.fields.map((name, at) => [name, at]));
  const names2 = types === void 0 ? saved2?.found ? saved2.fields : void 0 : Object.keys(types);
  let columns = names2 && columnsOf(names2, types, dialect);
  const none12 = columnsOf([], void 0, dialect);
  const drop4 = (field2) => {
    if (dropped.size <= maxNamedFields) dropped.add(field2.length > 60 ? `${field2.slice(0, 57)}\u2026` : field2);
  };
  const parts = yield* open2(
    partitioner,
    context,
    makeCodec(dialect, types, () => columns ?? none12, drop4)
  );
  const writeBuffered = (rows3, collected, behind, partitions, offset) => Effect34.suspend(() => {
    columns = columnsOf([...collected.keys()], void 0, dialect);
    const items = rows3.map(({ cells: cells2 }) => new BufferedCells(cells2));
    for (const row of behind) items.push(row.data);
    return parts.write(items, [...rows3.map((each) => each.of), ...partitions], offset);
  }).pipe(
    Effect34.matchEffect({
      onFailure: (error) => Effect34.suspend(() => {
        columns = void 0;
        return Effect34.fail(error);
      }),
      onSuccess: () => Effect34.sync(() => {
        buffered = [];
        fields7 = new Map(collected);
      })
    })
  );
  let chars = buffered.reduce((sum4, { cells: cells2 }) => sum4 + charsIn(cells2), 0);
  const buffer = (rows3, partitions) => Effect34.suspend(() => {
    const collected = new Map(fields7);
    const waiting = [...buffered];
    let size = chars;
    let index = 0;
    const isFull = () => waiting.length === maxBufferedRows || size >= maxBufferedChars;
    for (; index < rows3.length && !isFull(); index++) {
      const cells2 = bufferCells(rows3[index].data, collected, dialect, index, drop4);
      if (Either19.isLeft(cells2)) return cells2;
      waiting.push({ of: partitions[index] ?? "", cells: cells2.right });
      size += charsIn(cells2.right);
    }
    if (isFull()) {
      return writeBuffered(waiting, collected, rows3.slice(index), partitions.slice(index), index - waiting.length);
    }
    chars = size;
    fields7 = collected;
    buffered = waiting;
    return Effect34.void;
  });
  const write3 = (rows3) => Effect34.flatMap(
    partitioner.partitionsOf(rows3),
    (partitions) => columns === void 0 ? buffer(rows3, typeof partitions === "string" ? rows3.map(() => partitions) : partitions) : parts.write(
      rows3.map((row) => row.data),
      partitions
    )
  );
  const state = () => ({
    fields: types === void 0 ? [...fields7.keys()] : [],
    found: columns !== void 0,
    dropped: [...dropped]
  });
  return {
    // Uninterruptible: the decision about columns and the rows written with it belong together.
    write: (rows3) => rows3.length === 0 ? Effect34.void : Effect34.uninterruptible(write3(rows3)),
    commit: Effect34.map(parts.commit, (files2) => ({ files: files2, state: state(), buffered })),
    seal: Effect34.gen(function* () {
      if (columns === void 0) yield* writeBuffered(buffered, fields7, [], [], 0);
      const sealed = yield* parts.seal;
      if (dropped.size === 0) return sealed;
      const named2 = [...dropped].slice(0, maxNamedFields).join(", ");
      const file = sealed.files.length === 1 ? sealed.files[0]?.path : partitioner.template;
      const warning = `${file} has no column for ${named2}${dropped.size > maxNamedFields ? " and more" : ""}`;
      return { ...sealed, warnings: [warning, ...sealed.warnings] };
    }).pipe(Effect34.uninterruptible),
    discard: parts.discard
  };
});
var bytesIn2 = (text4) => Buffer.byteLength(text4);
var cellOverhead = 4;
var maxDateBytes = 24;
var recordOverhead = 3;
var headerOverhead = 5;
var extraColumns = ({ state }) => Schema14.decodeUnknownOption(Schema14.Struct({ format: SavedState }))(state).pipe(
  Option10.match({ onNone: () => [], onSome: ({ format: format10 }) => format10.more ?? [] })
);
var recordSizes = ({ csv: csv2, columns, nullText, onNewField, quote: quote2, ...settings }, context) => {
  const partitioner = make9({ ...settings, path: csv2 }, context);
  const { limits: limits3 } = partitioner;
  const textOf4 = (value4) => typeof value4 === "string" ? Either19.right(value4) : jsonText(value4);
  const cell = (value4, type) => {
    const text4 = Either19.getOrElse(textOf4(value4), () => "");
    const bytes = bytesIn2(text4 ?? "") + (text4?.split(quote2).length ?? 1) - 1;
    return Math.max(bytes, bytesIn2(nullText), type === "date" ? maxDateBytes : 0) + cellOverhead;
  };
  const addedCell = bytesIn2(nullText) + 1;
  const headerOf = (names2) => Array.from(names2).reduce((sum4, name) => sum4 + cell(name), 0);
  const { buffered = [], files: earlier = [], state } = context.resume ?? {};
  const saved2 = Option10.getOrUndefined(Schema14.decodeUnknownOption(SavedColumns)(state));
  const base = new Set(columns === void 0 ? saved2?.fields : Object.keys(columns));
  let baseHeader = headerOf(base) + headerOverhead;
  let collectedRows = columns !== void 0 || saved2?.found === true ? maxBufferedRows : buffered.length;
  const widened = earlier.flatMap(extraColumns);
  const olderRows = Math.max(0, ...earlier.map(({ rows: rows3 }) => rows3));
  const partitions = /* @__PURE__ */ new Map();
  const bufferedPartitions = new Set(
    Option10.getOrElse(Schema14.decodeUnknownOption(Schema14.Array(BufferedRow))(buffered), () => []).map(({ of }) => of)
  ).size;
  const collect = (data) => {
    let size = 0;
    for (const name of Object.keys(data)) {
      if (base.has(name) || base.size >= maxColumns) continue;
      base.add(name);
      baseHeader += cell(name);
      if (buffered.length > 0) {
        const more = bufferedPartitions * cell(name) + buffered.length * addedCell;
        size += more + Math.min(buffered.length, Math.ceil(2 * more / limits3.size)) * baseHeader;
      }
      for (const partition2 of partitions.values()) {
        const more = partition2.parts * cell(name) + partition2.allRows * addedCell;
        const parts = Math.min(partition2.allRows, Math.ceil(2 * more / limits3.size));
        partition2.parts += parts;
        partition2.bytes += more;
        size += more + parts * (baseHeader + partition2.moreHeader);
      }
    }
    if (Object.values(data).every((value4) => value4 === void 0 || Either19.isRight(textOf4(value4)))) collectedRows++;
    return size;
  };
  const widen = (data, partition2) => {
    let size = 0;
    for (const name of Object.keys(data)) {
      if (base.has(name) || partition2.more.has(name) || base.size + partition2.more.size >= maxColumns) continue;
      partition2.more.add(name);
      partition2.moreHeader += cell(name);
      size += cell(name) + Math.min(partition2.allRows, limits3.rows) * addedCell;
    }
    partition2.bytes += size;
    return size;
  };
  const sizeIn = ({ data }, path2) => {
    let size = collectedRows < maxBufferedRows ? collect(data) : 0;
    let partition2 = partitions.get(path2);
    if (partition2 === void 0) {
      const more = new Set(widened);
      partition2 = { more, moreHeader: headerOf(more), parts: 0, rows: 0, allRows: olderRows, bytes: 0 };
      partitions.set(path2, partition2);
    }
    if (onNewField === "widen" && collectedRows >= maxBufferedRows) size += widen(data, partition2);
    let record = recordOverhead;
    for (const names2 of [base, partition2.more]) {
      for (const name of names2) {
        record += cell(Object.hasOwn(data, name) ? data[name] : void 0, columns?.[name]);
      }
    }
    if (partition2.parts === 0 || partition2.rows >= limits3.rows || partition2.bytes + record > limits3.size) {
      partition2.parts++;
      partition2.rows = 0;
      partition2.bytes = baseHeader + partition2.moreHeader;
      size += partition2.bytes;
    }
    partition2.rows++;
    partition2.allRows++;
    partition2.bytes += record;
    return size + record;
  };
  return (rows3) => Effect34.map(
    partitionOfEach(partitioner, rows3),
    (paths) => rows3.map((row, index) => sizeIn(row, paths[index] ?? ""))
  );
};
var option4 = (schema, fallback, description) => Schema14.optionalWith(schema.annotations({ description }), { default: () => fallback });
var Character = Schema14.String.pipe(
  Schema14.filter((text4) => /^[\t\x20-\x7e]$/.test(text4) || "one ASCII character is needed, like , or ; or a tab")
);
var Config = Schema14.Struct({
  csv: Template,
  columns: Schema14.optional(
    Schema14.Record({ key: Schema14.String, value: ColumnType }).pipe(Schema14.filter((columns) => Object.keys(columns).length > 0 || "name at least one column")).annotations({
      description: "Field to type, in the order of the file. Without it the first 1,000 rows decide, or 32 MB of them."
    })
  ),
  onNewField: option4(
    Schema14.Literal("drop", "error", "widen"),
    "drop",
    "A field that has no column: leave it out, refuse the row, or add a column at the end of its file."
  ),
  ...fields2,
  delimiter: option4(Character, ",", "Between cells."),
  quote: option4(Character, '"', "Around cells that need it."),
  lineEnd: option4(Schema14.Literal("lf", "crlf"), "lf", "Behind every record."),
  bom: option4(Schema14.Boolean, false, "Begin the file with a byte order mark, for old spreadsheets."),
  nullText: option4(Schema14.String.pipe(Schema14.pattern(/^[^\r\n]*$/)), "", "What an empty cell says."),
  dates: Schema14.optionalWith(Dates, { default: () => "iso" }),
  escapeFormulas: option4(
    Schema14.Boolean,
    true,
    "Put ' before texts that a spreadsheet would run: = + - @ tab. Cells with , ; | or a tab are always quoted."
  )
}).pipe(
  Schema14.filter((config2) => {
    const mistakes = settingsErrors("csv", { ...config2, path: config2.csv });
    const add2 = (key2, message) => mistakes.push({ path: [key2], message });
    const toOne = config2.mode === "append" && !placeholdersOf(config2.csv).includes("seq");
    if (config2.delimiter === config2.quote) add2("quote", "delimiter and quote must differ");
    if (config2.nullText.includes(config2.delimiter) || config2.nullText.includes(config2.quote)) {
      add2("nullText", "nullText cannot contain the delimiter or the quote");
    }
    if (config2.csv === "-" && config2.onNewField === "widen") {
      add2("onNewField", 'standard output ("-") cannot be widened: drop, or error');
    }
    if (toOne && config2.columns === void 0) add2("mode", "mode append needs columns");
    if (toOne && config2.onNewField === "widen") add2("mode", "mode append cannot widen: drop, or use replace");
    return mistakes;
  })
);
var csv = {
  key: "csv",
  summary: "Writes rows as records of a CSV file, with declared columns or those of the first 1,000 rows.",
  example: `write:
  csv: out/files.csv
  columns: { file: string, words: integer, seen: date }`,
  config: Config,
  canAppend: ({ columns, onNewField }) => columns !== void 0 && onNewField !== "widen",
  delimiter: ({ delimiter }) => typeof delimiter === "string" ? delimiter : ",",
  open: (config2, context) => Effect34.suspend(
    () => openTable(config2, config2.columns, make9({ ...config2, path: config2.csv }, context), context)
  ),
  sizes: recordSizes
};

// src/Sink/Jsonl.ts
import * as Either20 from "effect/Either";
import * as Schema15 from "effect/Schema";
var lineCodec = {
  begin: void 0,
  encode: (row, _5, out) => {
    out.put(Either20.getOrThrowWith(jsonText(row), (cause) => cause));
    out.put("\n");
  }
};
var jsonl = make11({
  key: "jsonl",
  summary: "Writes every row as one line of JSON, with all its fields.",
  example: 'write: { jsonl: "out/pages-{runId}.jsonl" }',
  state: Schema15.Void,
  codec: () => lineCodec
});

// src/Sink/Writer.ts
import * as Schema16 from "effect/Schema";
var CommittedFile = Schema16.Struct({
  /** The final path; until the run publishes, the bytes are in the partial file beside it. */
  path: Schema16.String,
  offset: Schema16.Number,
  rows: Schema16.Number,
  /** Saved by the sink: the part's number, its columns. */
  state: Schema16.optional(Schema16.Unknown)
});

// src/Sink/Write.ts
var sinks = [jsonl, csv];
var fileKey = (path2) => `file ${path2}`;
var bufferedKey = (at) => `held ${String(at).padStart(6, "0")}`;
var commitOf = ({ entries, value: value4 }) => {
  if (value4 === void 0) return Effect35.succeed(void 0);
  const valuesOf = (prefix) => entries.filter(([key2]) => key2.startsWith(prefix)).map(([, json]) => json);
  return Schema17.decodeUnknown(Schema17.Array(CommittedFile))(valuesOf("file ")).pipe(
    Effect35.mapBoth({
      onSuccess: (files2) => ({ files: files2, state: mapping2(value4).state, buffered: valuesOf("held ") }),
      onFailure: (cause) => new CommitUnreadable({ path: "the outputs of the run", cause })
    })
  );
};
var makeChanges = (last) => {
  const files2 = new Map(last?.files.map((file) => [file.path, file]));
  let saved2 = last?.buffered?.length ?? 0;
  return (commit) => {
    const entries = [];
    for (const file of commit.files) {
      if (files2.get(file.path) === file) continue;
      files2.set(file.path, file);
      entries.push([fileKey(file.path), toJson2(file)]);
    }
    const buffered = commit.buffered ?? [];
    for (let at = saved2; at < buffered.length; at++) entries.push([bufferedKey(at), toJson2(buffered[at])]);
    for (let at = buffered.length; at < saved2; at++) entries.push([bufferedKey(at), void 0]);
    saved2 = buffered.length;
    return { value: { state: toJson2(commit.state) }, entries };
  };
};
var toJson2 = (saved2) => saved2;
var writeRows = (writer, rows3, context) => Effect35.gen(function* () {
  const passed = [];
  let rest = rows3;
  while (rest.length > 0) {
    const error = yield* Effect35.flip(writer.write(rest)).pipe(Effect35.orElseSucceed(() => void 0));
    if (error === void 0) return passed.length === 0 ? rest : [...passed, ...rest];
    const bad = isRowError(error) ? rest[error.index] : void 0;
    if (!isRowError(error) || bad === void 0) return yield* StepError.of(error);
    for (const row of yield* writeRows(writer, rest.slice(0, error.index), context)) passed.push(row);
    for (const row of yield* context.failed(bad, StepError.of(error))) passed.push(row);
    rest = rest.slice(error.index + 1);
  }
  return passed;
});
var bytesOf = (commit) => (commit?.files ?? []).reduce((sum4, { offset }) => sum4 + offset, 0);
var make12 = (sinks2) => {
  const destination = (fields7) => {
    const values = mapping2(fields7);
    const sink = sinks2.find(({ key: key2 }) => typeof values[key2] === "string");
    if (sink === void 0) return void 0;
    const { mode, order, partitionBy } = values;
    return {
      format: sink.key,
      path: String(values[sink.key]),
      mode: typeof mode === "string" ? mode : "replace",
      partitions: Object.keys(mapping2(partitionBy)),
      isOrdered: order === "input",
      delimiter: sink.delimiter?.(values)
    };
  };
  const boundaryOf = ({ out, trials, written }) => {
    if (trials?.isTrial === true) return out;
    const path2 = destination(written)?.path;
    return path2 === void 0 ? void 0 : textPrefix(path2, out);
  };
  const config2 = Schema17.Union(
    ...sinks2.map((sink) => sink.config)
  );
  return make8({
    key: "write",
    summary: "Writes the rows to a file that appears under its name when the run has ended well, and passes them on.",
    example: jsonl.example,
    config: config2,
    behaviour: {
      kind: "sink",
      sinks: sinks2,
      destination,
      open: (config3, context, saved2) => Effect35.gen(function* () {
        const sink = sinks2.find(({ key: key2 }) => key2 in config3);
        if (sink === void 0) return yield* Effect35.dieMessage("no sink has these fields");
        const adds = context.adds && config3.mode === "replace";
        const settings = adds ? { ...config3, mode: sink.canAppend(config3) ? "append" : "perRun" } : config3;
        const resume = yield* commitOf(saved2);
        const sinkContext = {
          folder: context.out,
          boundary: boundaryOf(context),
          names: { runId: context.runId, date: context.startedAt.toISOString().slice(0, 10) },
          bindings: context.bindings,
          resume,
          trials: context.trials,
          stdout: context.stdout,
          mayBeHeld: context.mayBeHeld
        };
        const writer = yield* sink.open(settings, sinkContext);
        const changes2 = makeChanges(resume);
        let bytes = bytesOf(resume);
        return {
          push: (rows3) => writeRows(writer, rows3, context),
          save: Effect35.mapBoth(writer.commit, {
            onFailure: StepError.of,
            onSuccess: (commit) => {
              bytes = bytesOf(commit);
              return changes2(commit);
            }
          }),
          bytes: () => bytes,
          sizeOf: sink.sizes(settings, sinkContext),
          seal: Effect35.mapError(writer.seal, StepError.of),
          discard: writer.discard
        };
      }).pipe(Effect35.mapError(StepError.of))
    }
  });
};
var write2 = make12(sinks);

// src/Step/Access.ts
import { realpath } from "node:fs";
import * as NodePath9 from "node:path";
import * as Effect36 from "effect/Effect";
var refuse = (message) => new NotAllowed({ message });
var readable = (file, folder) => Effect36.flatMap(Permissions, (permissions) => {
  const path2 = NodePath9.resolve(folder, file);
  const why2 = whyNotRead(permissions, path2);
  return why2 === void 0 ? Effect36.succeed(path2) : refuse(why2);
});
var sendable = (url, { secrets }) => Effect36.flatMap(Permissions, (permissions) => {
  const why2 = secrets.length === 0 ? void 0 : whyNotSent(permissions, secrets, url);
  return why2 === void 0 ? Effect36.void : refuse(why2);
});
var magic = /[*?[\]{}()!+@\\]/;
var beginningOf = (pattern6) => {
  const segments = pattern6.split("/");
  const first = segments.findIndex((segment) => magic.test(segment));
  if (first === -1) return { file: pattern6 };
  return { file: segments.slice(0, first).join("/") || (pattern6.startsWith("/") ? "/" : "."), isFolder: true };
};
var ofPatterns = (field2, value4) => {
  const named2 = typeof value4 === "string" ? [[value4, []]] : list(value4).map((each, at) => [each, [at]]);
  return named2.flatMap(
    ([pattern6, at]) => typeof pattern6 === "string" && !pattern6.startsWith("!") ? [{ path: [field2, ...at], ...beginningOf(pattern6) }] : []
  );
};
var ofFile = (field2) => (fields7) => {
  if (typeof fields7 === "string") return fields7 === "-" ? [] : [{ path: [], file: fields7 }];
  const file = mapping2(fields7)[field2];
  return typeof file === "string" && file !== "-" ? [{ path: [field2], file }] : [];
};
var whyNotListed = (permissions, folder, then) => realpath(
  folder,
  safely((error, real) => then(whyNotRead(permissions, error === null ? real : folder, "folder")))
);

// src/Step/ActiveCrawls.ts
import * as Effect38 from "effect/Effect";
import * as Schema18 from "effect/Schema";
import * as Stream5 from "effect/Stream";

// src/Step/Call.ts
import * as Effect37 from "effect/Effect";
var call = (effect3) => Effect37.mapError(effect3, StepError.of);
var addressOf = (document) => document.metadata?.sourceURL ?? document.metadata?.url ?? void 0;
var pageKey = (address) => canonicalUrl(address) ?? address;
var documentRow = (document, extra) => {
  const address = addressOf(document);
  return { ...extra, data: document, key: address === void 0 ? void 0 : canonicalUrl(address) };
};
var httpError = (address, status, error) => new StepError({
  reason: "HttpError",
  status,
  message: `${address ?? "a page"}: the site answered ${status}${typeof error === "string" && error !== "" ? ` (${error})` : ""}`
});
var pageFailed = (address, error, code) => {
  const status = /^HTTP_(\d{3})$/.exec(code ?? "")?.[1];
  if (status !== void 0) return httpError(address, Number(status), error);
  const fault2 = code === void 0 ? faultIn(error) : faultOf(code, error);
  return new StepError({
    reason: fault2 === void 0 ? code ?? "PageFailed" : reasonOf2(fault2),
    message: `${address ?? "a page"}: ${error}`
  });
};
var outcomeOf = ({ metadata }) => {
  const { error, statusCode } = metadata ?? {};
  return typeof statusCode === "number" ? { status: statusCode, fault: void 0 } : { status: void 0, fault: typeof error === "string" ? faultIn(error) : void 0 };
};
var failureOf = (document, { failsOn }) => {
  const { error, statusCode } = document.metadata ?? {};
  if (typeof statusCode === "number") {
    return failsOn(statusCode) ? httpError(addressOf(document), statusCode, error) : void 0;
  }
  return typeof error === "string" && error !== "" ? pageFailed(addressOf(document), error) : void 0;
};
var contentOf = ({ html: html2, markdown, rawHtml, summary }) => markdown ?? html2 ?? rawHtml ?? summary ?? void 0;
var pageOf = (document, key2, failure2, jobId) => {
  const { creditsUsed, error, statusCode } = document.metadata ?? {};
  const content = contentOf(document);
  return {
    key: key2,
    status: statusCode ?? void 0,
    error: typeof error === "string" && error !== "" ? error : failure2?.message,
    hash: content === void 0 ? void 0 : sha256(content),
    jobId,
    credits: creditsUsed ?? void 0,
    price: creditsUsed != null ? "known" : jobId === void 0 ? "unknown" : "shared"
  };
};
var isOutage2 = (error) => error instanceof NetworkError;
var triesOf = (key2, failures2, last) => [
  ...failures2.filter((error, index) => !isOutage2(error) || index === failures2.length - 1),
  ...last === void 0 || failures2.some((error) => error === last.cause) ? [] : [last]
].flatMap(
  (error) => error.scope === "run" && !isOutage2(error instanceof StepError ? error.cause : error) ? [] : [{ key: key2, error: error.message, price: "unknown" }]
);
var paid = (ask, key2, cost7, context) => Effect37.flatMap(Attempts, (log) => {
  const note3 = (last) => Effect37.suspend(() => {
    const tries = triesOf(key2, log?.failures ?? [], last);
    if (log !== void 0) log.failures = [];
    return tries.length === 0 ? Effect37.void : context.tried(tries);
  });
  const attempt3 = (number2) => context.once(
    {
      name: number2 === 1 ? void 0 : `call-${number2}`,
      buys: { cost: () => cost7, pages: () => 1 },
      book: (document) => ({
        credits: document.metadata?.creditsUsed ?? void 0,
        page: pageOf(document, key2, failureOf(document, context))
      })
    },
    (idempotencyKey) => Effect37.map(ask({ idempotencyKey }), ({ data }) => data)
  ).pipe(
    Effect37.tapBoth({ onFailure: note3, onSuccess: () => note3() }),
    Effect37.flatMap(
      (document) => Effect37.flatMap(
        context.retryPage(outcomeOf(document)),
        (again2) => again2 ? attempt3(number2 + 1) : failureOf(document, context) ?? Effect37.succeed(document)
      )
    )
  );
  return attempt3(1);
});

// src/Step/SavedState.ts
import * as Chunk2 from "effect/Chunk";
import * as Either21 from "effect/Either";
import * as Option11 from "effect/Option";
import * as Stream4 from "effect/Stream";
var decodeState = (schema) => {
  const decode3 = decodeSaved(schema);
  return ({ id }, value4) => value4 === void 0 ? Either21.right(void 0) : Either21.mapLeft(decode3(`The state of step ${id}`, value4), StepError.of);
};
var decodeEntries = (schema) => {
  const decode3 = decodeSaved(schema);
  return ({ id }, { entries }) => {
    const decoded = [];
    for (const [key2, json] of entries) {
      const value4 = decode3(`Entry ${key2} in the state of step ${id}`, json);
      if (Either21.isLeft(value4)) return Either21.left(StepError.of(value4.left));
      decoded.push([key2, value4.right]);
    }
    return Either21.right(decoded);
  };
};
var isFailure2 = (made) => Array.isArray(made);
var countedBatches = ({ from }, total) => (rows3) => {
  const done2 = typeof from === "number" ? from : 0;
  return rows3.pipe(
    Stream4.drop(done2),
    Stream4.chunks,
    Stream4.mapAccum(done2, (count2, chunk2) => {
      const made = Chunk2.toReadonlyArray(chunk2);
      const cursor = count2 + made.length;
      const expected = count2 === 0 ? total : void 0;
      const failures2 = made.filter(isFailure2);
      if (failures2.length === 0) return [cursor, { rows: made, cursor, expected }];
      return [cursor, { rows: made.filter((each) => !isFailure2(each)), failures: failures2, cursor, expected }];
    })
  );
};
var rowsPerBatch = 1e3;
var ordinal = (number2) => String(number2).padStart(12, "0");
var bufferedRows = (rows3, from) => Stream4.unfold(typeof from === "number" ? from : 0, (given) => {
  const next = rows3.slice(given, given + rowsPerBatch);
  const cursor = given + next.length;
  return next.length === 0 ? Option11.none() : Option11.some([{ rows: next, cursor }, cursor]);
});

// src/Step/ActiveCrawls.ts
var activeCrawls = make8({
  key: "activeCrawls",
  summary: "Gives the crawls that are running now.",
  example: "activeCrawls: {}",
  config: Schema18.Struct({ version: Schema18.optionalWith(Schema18.Literal("v1", "v2"), { default: () => "v2" }) }),
  service: { request: "GET /v2/crawl/active", documented: true },
  estimate: requestPerRead,
  behaviour: {
    kind: "source",
    read: ({ version: version2 }, context, begin2) => Stream5.unwrap(
      Effect38.gen(function* () {
        const client = yield* ActiveCrawls;
        const { crawls } = yield* context.once({}, () => call(client.list({ version: version2 })));
        const wanted = crawls.slice(0, context.wanted);
        return countedBatches(
          begin2,
          wanted.length
        )(Stream5.fromIterable(wanted.map((crawl2, position) => ({ data: { ...crawl2 }, key: crawl2.id, position }))));
      })
    )
  }
});

// src/Step/BatchScrape.ts
import * as Effect41 from "effect/Effect";
import * as Schema20 from "effect/Schema";
import * as Stream7 from "effect/Stream";

// src/Step/Cost.ts
import * as Context7 from "effect/Context";
var documented = (good) => {
  switch (good) {
    case "searchZdr":
      return { credits: 10, basis: "documented" };
    case "searchAnon":
      return { credits: 2, basis: "documented" };
    default:
      return void 0;
  }
};
var local = (prices) => (good) => ({ credits: prices[good], basis: "local" });
var Tariff = class extends Context7.Reference()("sluice/Step/Tariff", {
  defaultValue: () => ({ rate: documented })
}) {
};
var exactly2 = (good, amount) => ({ good, least: amount, most: amount });
var readings = (options) => {
  const formats2 = list(mapping2(options).formats);
  const names2 = formats2.map(nameOf);
  const asked = names2.includes("json") || names2.includes("extract") ? 1 : 0;
  const tracked = formats2.some((format10) => {
    const { modes } = mapping2(format10);
    return nameOf(format10) === "changeTracking" && list(modes).includes("json");
  });
  const most2 = asked + (tracked ? 1 : 0);
  return most2 === 0 ? [] : [{ good: "jsonFormat", least: 0, most: most2 }];
};
var page = (good, options) => [
  exactly2(good, 1),
  ...readings(options)
];
var one = (good) => [exactly2(good, 1)];
var searchGood = (enterprise) => {
  const kinds4 = list(enterprise);
  return kinds4.includes("zdr") ? "searchZdr" : kinds4.includes("anon") ? "searchAnon" : "search";
};
var mostResults = 100;
var limitOf = (limit2, otherwise2) => typeof limit2 === "number" ? limit2 : limit2 === void 0 || limit2 === null ? otherwise2 : mostResults;
var searchLimit = (fields7, wanted = mostResults) => {
  const { limit: limit2, sources: sources2 } = mapping2(fields7);
  const own3 = fields7 === void 0 ? mostResults : limitOf(limit2, 10);
  return Math.min(Math.max(own3, ...list(sources2).map((source) => limitOf(mapping2(source).limit, own3))), wanted);
};
var searchResults = (fields7, cap) => {
  const { limit: limit2, scrapeOptions, sources: sources2 } = mapping2(fields7);
  if (fields7 === void 0) return { results: 3 * cap, pages: 2 * cap };
  const own3 = limitOf(limit2, 10);
  const asked = Array.isArray(sources2) ? sources2 : sources2 === void 0 ? ["web"] : ["web", "news", "images"];
  let results = 0;
  let pages2 = 0;
  for (const source of asked) {
    const most2 = Math.min(limitOf(mapping2(source).limit, own3), cap);
    results += most2;
    if (nameOf(source) !== "images") pages2 += most2;
  }
  return { results, pages: list(mapping2(scrapeOptions).formats).length === 0 ? 0 : pages2 };
};
var search2 = (fields7, cap) => {
  const { enterprise, scrapeOptions } = mapping2(fields7);
  const { pages: pages2, results } = searchResults(fields7, cap);
  return [
    { good: searchGood(enterprise), least: 0, most: Math.ceil(results / 10) },
    ...pages2 === 0 ? [] : page("scrape", scrapeOptions).map(({ good, most: most2 }) => ({ good, least: 0, most: most2 * pages2 }))
  ];
};
var mostCredits = (cost7, rate) => {
  let sum4 = 0;
  for (const { good, most: most2 } of cost7) {
    const price = most2 === 0 ? 0 : rate(good)?.credits;
    if (price === void 0) return void 0;
    sum4 += most2 * price;
  }
  return sum4;
};
var sureCredits = (cost7, rate) => {
  const most2 = mostCredits(cost7, rate);
  return cost7.every(({ least, most: most3 }) => least === most3) ? most2 : void 0;
};

// src/Step/JobRows.ts
import * as Effect39 from "effect/Effect";
import * as Either22 from "effect/Either";
import * as Schema19 from "effect/Schema";
import * as Stream6 from "effect/Stream";

// src/Step/Incomplete.ts
var words = {
  limit: "it reached its limit",
  depth: "it left out links that are too deep",
  time: "it ran out of time",
  budget: "the budget cut it",
  trial: "only some rows were asked for (--limit)",
  wanted: "no more of its rows were wanted",
  failed: "some of its rows or pages failed",
  job: "its job did not reach its end",
  robots: "robots.txt forbids pages that earlier runs have read: exclude them with excludePaths, else removed pages cannot be told",
  sitemap: "a sitemap could not be read",
  empty: "its sitemap lists no addresses",
  unread: "some of its input could not be read",
  ranking: "a search gives the best results, not all there are",
  sample: "it passes only a sample of the rows",
  seen: "it leaves out what earlier runs have seen",
  skipped: "it is switched off (when: false)",
  earlier: "an earlier version of Sluice began the run, and did not record what was left out",
  unknown: "it does not say whether it left something out"
};
var known2 = new Set(Object.keys(words));
var isReason = (text4) => known2.has(text4);
var reasonOf3 = (text4) => isReason(text4) ? text4 : "unknown";
var describe6 = (steps) => Array.from(
  steps,
  ([step2, reasons2]) => `${step2}: ${Array.from(reasons2, (reason) => words[reason]).join(", and ")}`
).join("; ");
var incompleteWarning = (step2, why2) => `${step2}: not everything was read, so no row is reported as gone and no state is forgotten (${why2})`;

// src/Step/JobRows.ts
var noCredits = /insufficient credits/i;
var storageEnds = /* @__PURE__ */ new Set(["TEAM_STORAGE_FULL", "INSUFFICIENT_STORAGE"]);
var runEndOf = (error) => {
  const { code, message } = error;
  const ended3 = (reason) => new StepError({ reason, message, cause: error, scope: "run" });
  if (noCredits.test(message)) return ended3("PaymentRequired");
  return code !== void 0 && storageEnds.has(code) ? ended3("InsufficientStorage") : void 0;
};
var count = Schema19.optionalWith(Schema19.Number, { default: () => 0 });
var Place = Schema19.Struct({
  position: Schema19.Number,
  credits: count,
  documents: count,
  expected: count,
  /** True once the list of failed pages has been read too. */
  done: Schema19.optionalWith(Schema19.Boolean, { default: () => false })
});
var decodePlace = decodeState(Place);
var beginning = { position: 0, credits: 0, documents: 0, expected: 0, done: false };
var documentsIn = (context, from) => Either22.map(decodePlace(context, from), (place = beginning) => place.documents);
var isAbsent = (error) => error._tag === "UnexpectedResponse" ? error.status === 404 || error.status === 405 : error._tag === "NotFound" || error._tag === "JobNotFound" || error._tag === "NotImplemented";
var jobRows = (job, context, from) => Stream6.unwrap(
  Effect39.map(decodePlace(context, from), (start3 = beginning) => {
    let place = start3;
    job.goesOn(place.credits, place.documents);
    if (place.done) {
      job.ended();
      job.read();
      return Stream6.empty;
    }
    const troubled = /* @__PURE__ */ new Set();
    let pagesOfJob = 0;
    const take4 = (page2) => Effect39.gen(function* () {
      if (ended.has(page2.status)) job.ended(page2.total);
      if (page2.status === "failed" || page2.status === "cancelled") yield* context.incomplete("job");
      pagesOfJob = page2.total;
      if (ended.has(page2.status) && page2.next < page2.completed) yield* context.incomplete("job");
      const total = Math.min(page2.total, context.wanted ?? Number.POSITIVE_INFINITY);
      const expected = Math.max(0, total - place.expected);
      const rows3 = [];
      const failures2 = [];
      const pages2 = [];
      for (const [index, document] of page2.documents.entries()) {
        const address = addressOf(document);
        const failure2 = failureOf(document, context);
        if (address !== void 0) {
          const known4 = pageOf(document, pageKey(address), failure2, job.id);
          const met = job.isForeign ? { ...known4, credits: 0, price: "known" } : known4;
          pages2.push(met);
          if (met.error !== void 0) troubled.add(met.key);
        }
        const asked = address === void 0 ? [] : job.askedBy?.(address) ?? [];
        for (const source of asked.length === 0 ? [void 0] : asked) {
          const position = page2.position + index;
          const row = documentRow(document, { jobId: job.id, position, source: source?.data });
          if (failure2 === void 0) rows3.push(row);
          else failures2.push([row, failure2.with({ attempts: 1 })]);
        }
      }
      const addresses = pages2.map(({ key: key2 }) => key2);
      const more = page2.creditsUsed - place.credits;
      place = {
        position: page2.next,
        credits: Math.max(place.credits, page2.creditsUsed),
        documents: place.documents + page2.documents.length,
        expected: place.expected + expected,
        done: false
      };
      const { credits: credits2 } = place;
      const batch = {
        rows: rows3,
        failures: failures2,
        pages: pages2,
        expected,
        isForeign: job.isForeign,
        taken: () => {
          job.answered?.(addresses);
          job.booked(credits2, addresses.length);
        },
        credits: more > 0 && !job.isForeign ? more : void 0,
        cursor: place
      };
      return batch;
    });
    const judge = ({ errors, leftOut, robotsBlocked }, failures2) => Effect39.gen(function* () {
      const blocked = robotsBlocked ?? [];
      if (blocked.length > 0 && (yield* context.state.knowsAny(blocked))) yield* context.incomplete("robots");
      if (pagesOfJob > place.documents + failures2)
        yield* context.incomplete(errors === void 0 ? "failed" : "job");
      const { hasDepth, isUnknown, limit: limit2 } = job.bounds;
      if (leftOut !== void 0) {
        yield* Effect39.forEach(leftOut, (why2) => context.incomplete(reasonOf3(why2)), { discard: true });
        return;
      }
      if (limit2 !== void 0 && Math.max(pagesOfJob, place.documents + failures2) >= limit2) {
        yield* context.incomplete("limit");
      }
      if (hasDepth === true) yield* context.incomplete("depth");
      if (isUnknown === true) yield* context.incomplete("unknown");
    });
    const unlistedPrice = job.isForeign ? { credits: 0, price: "known" } : { price: "shared" };
    const unlisted = Effect39.gen(function* () {
      const told = yield* job.errors.pipe(
        Effect39.catchIf(
          isAbsent,
          (error) => Effect39.as(
            Effect39.logWarning(`${context.id}: the pages that failed are not known, if any did: ${error.message}`),
            void 0
          )
        ),
        Effect39.mapError(StepError.of)
      );
      const errors = told?.errors ?? [];
      const known4 = errors.length === 0 ? troubled : yield* context.failedPages(job.id);
      const failures2 = [];
      const pages2 = [];
      for (const { url, error, code } of errors) {
        if (url == null || known4.has(pageKey(url)) || troubled.has(pageKey(url))) continue;
        const failure2 = pageFailed(url, error ?? "no reason given", code ?? void 0);
        pages2.push({
          key: pageKey(url),
          status: failure2.status,
          error: failure2.message,
          jobId: job.id,
          ...unlistedPrice
        });
        const asked = job.askedBy?.(url) ?? [];
        for (const row of asked.length === 0 ? [{ data: { url }, key: pageKey(url) }] : asked) {
          failures2.push([{ ...row, jobId: job.id }, failure2.with({ attempts: 1 })]);
        }
      }
      yield* judge(told ?? {}, pages2.length);
      const unpriced = place.documents > 0 && place.credits === 0 && !job.isForeign;
      place = { ...place, done: true };
      const { credits: credits2 } = place;
      const batch = {
        rows: [],
        failures: failures2,
        pages: pages2,
        isForeign: job.isForeign,
        taken: () => {
          job.answered?.(pages2.map(({ key: key2 }) => key2));
          job.booked(credits2, pages2.length);
          job.read();
        },
        credits: unpriced ? "unknown" : void 0,
        cursor: place
      };
      return batch;
    });
    return job.pages(place.position).pipe(
      // Delivered pages are paid for: they continue without the rest.
      Stream6.catchAll((error) => {
        if (error._tag !== "JobFailed") return Stream6.fail(StepError.of(error));
        const runEnd = runEndOf(error);
        if (place.documents === 0 && !job.isCut()) return Stream6.fail(runEnd ?? StepError.of(error));
        job.ended();
        if (runEnd !== void 0 && job.usedUp !== void 0) {
          job.usedUp(runEnd);
          return Stream6.empty;
        }
        return job.isCut() ? Stream6.empty : Stream6.drain(Stream6.fromEffect(Effect39.logWarning(`${context.id}: ${error.message}`)));
      }),
      Stream6.mapEffect(take4),
      Stream6.concat(Stream6.fromEffect(unlisted))
    );
  })
);

// src/Step/OwnJob.ts
import * as Effect40 from "effect/Effect";
import * as Exit4 from "effect/Exit";
import * as Schedule4 from "effect/Schedule";
var foreign = (id) => ({
  id,
  ended: () => {
  },
  isCut: () => false,
  goesOn: () => {
  },
  booked: () => {
  },
  read: () => {
  },
  isForeign: true
});
var patience = "5 seconds";
var look = "1 second";
var overs = /* @__PURE__ */ new Set(["JobNotFound", "JobExpired", "Conflict", "Gone"]);
var isOver = (error) => "_tag" in error && overs.has(String(error._tag));
var finite = (count2) => Number.isFinite(count2) ? count2 : null;
var start2 = ({ begin: begin2, cancel, cost: cost7, name = "job", pages: pages2, status }, context) => Effect40.gen(function* () {
  const buying = (most2) => ({
    cost: (units3) => cost7.map(({ good, least, most: most3 }) => ({ good, least: least * units3, most: most3 * units3 })),
    most: most2,
    pages: (units3) => units3,
    isJob: true
  });
  let reservation;
  const kept3 = yield* context.once(
    { name, book: () => ({ credits: 0 }) },
    (idempotencyKey) => Effect40.uninterruptibleMask(
      (restore3) => Effect40.flatMap(
        context.reserve(name, buying(pages2)),
        (granted2) => restore3(call(begin2({ idempotencyKey }, granted2.units))).pipe(
          Effect40.map((started3) => {
            reservation = granted2;
            return { ...started3, granted: finite(granted2.units), wanted: finite(pages2) };
          }),
          Effect40.onError(() => granted2.release)
        )
      )
    )
  );
  const { granted, wanted, ...started2 } = kept3;
  const allowed = granted === void 0 ? pages2 : granted ?? Number.POSITIVE_INFINITY;
  const held = reservation ?? (yield* context.reserve(name, buying(allowed), true));
  let over2 = false;
  let cut2 = false;
  let spent = 0;
  let pagesRead = 0;
  let mostPages;
  const end2 = cancel(started2.id).pipe(
    Effect40.interruptible,
    Effect40.timeoutFail({ duration: patience, onTimeout: () => ({ message: `no answer in ${patience}` }) }),
    Effect40.catchAll(
      (error) => isOver(error) ? Effect40.void : Effect40.logWarning(
        `${context.id}: job ${started2.id} could not be cancelled and may go on, at its price: ${error.message}`
      )
    )
  );
  const bookRest = status(started2.id).pipe(
    Effect40.interruptible,
    Effect40.timeout(patience),
    Effect40.flatMap(({ creditsUsed }) => context.spend(Math.max(0, (creditsUsed ?? 0) - spent))),
    Effect40.ignore
  );
  yield* Effect40.addFinalizer((exit2) => {
    if (over2 || cut2) return Effect40.sync(held.end);
    const giveUp = end2.pipe(Effect40.zipRight(bookRest), Effect40.zipRight(Effect40.sync(held.end)), Effect40.uninterruptible);
    if (Exit4.isFailure(exit2) || context.isStopped()) {
      return Effect40.sync(() => context.leaveRunning(started2.id, giveUp));
    }
    return giveUp;
  });
  yield* context.stopping.pipe(
    Effect40.zipRight(
      Effect40.suspend(() => {
        cut2 = !over2;
        return over2 ? Effect40.void : Effect40.zipRight(context.cut, end2);
      })
    ),
    Effect40.forkScoped
  );
  yield* held.wanted.pipe(
    Effect40.zipRight(
      Effect40.repeat(
        Effect40.orElseSucceed(status(started2.id), () => void 0),
        {
          schedule: Schedule4.spaced(look),
          until: (found) => {
            if (found === void 0 || !ended.has(found.status)) return over2;
            held.shrink(
              Math.max(0, (found.creditsUsed ?? 0) - spent),
              typeof found.total === "number" ? Math.max(0, found.total - pagesRead) : void 0
            );
            return true;
          }
        }
      )
    ),
    Effect40.forkScoped
  );
  return {
    started: started2,
    id: started2.id,
    pages: allowed,
    wanted: wanted === void 0 ? pages2 : wanted ?? Number.POSITIVE_INFINITY,
    isForeign: false,
    read: held.end,
    ended: (pages3) => {
      over2 = true;
      mostPages = pages3 ?? mostPages;
    },
    isCut: () => cut2,
    goesOn: (credits2, documents) => {
      spent = credits2;
      pagesRead = documents;
    },
    booked: (credits2, pages3) => {
      held.spend(Math.max(0, credits2 - spent), pages3);
      spent = Math.max(spent, credits2);
      pagesRead += pages3;
      if (over2) held.shrink(0, mostPages === void 0 ? void 0 : Math.max(0, mostPages - pagesRead));
    }
  };
});

// src/Step/BatchScrape.ts
var Place2 = Schema20.Struct({
  job: Schema20.Number,
  at: Schema20.optional(JsonValue),
  /** True once the rows that the service refuses were settled. */
  refused: Schema20.optionalWith(Schema20.Boolean, { default: () => false })
});
var decodePlace2 = decodeState(Place2);
var decodeAsked = decodeEntries(Schema20.Struct({ address: Schema20.String, row: SavedRow }));
var cost = (fields7) => page("batchPage", fields7);
var budgetReached = new BudgetReached({ message: "the job was cancelled" });
var batchScrape = make8({
  key: "batchScrape",
  summary: "Scrapes the pages of all incoming rows as one job; rows flow on as pages are done. `$source` is the incoming row.",
  example: `batchScrape:
  url: { expr: url }
  formats: [markdown, links]`,
  config: Schema20.Struct({
    ...fields,
    url: Schema20.optionalWith(perRow(PageUrl), { default: rowUrl }),
    maxConcurrency: Schema20.optional(Schema20.Int.pipe(Schema20.positive()))
  }),
  needs: (fields7) => [...scrapingMany(fields7), ...reaching("url")(fields7)],
  objections: unknownFormats,
  cost,
  service: { request: "POST /v2/batch/scrape", documented: false },
  // One job for all rows; a page that several rows ask for is read once.
  estimate: ({ config: config2, cost: cost7, keys, rows: rows3 }) => {
    const isRowUrl = mapping2(config2).url === rowUrl();
    const pages2 = keys === void 0 || !isRowUrl ? some2(rows3) : exactly(new Set(keys).size);
    const requests2 = { least: Math.min(1, rows3.least), most: rows3.most === 0 ? 0 : 1 };
    return { requests: requests2, pages: pages2, rows: rows3, keys, buys: bought(cost7, pages2) };
  },
  nouns: { request: "job" },
  headers: ["headers"],
  sites: sitesOfRows,
  behaviour: {
    kind: "transform",
    pages: true,
    alone: true,
    announces: true,
    calls: true,
    make: ({ url, ...options }, context, saved2) => Effect41.gen(function* () {
      const client = yield* BatchScrape;
      const asked = /* @__PURE__ */ new Map();
      let entries = [];
      let count2 = 0;
      const ask = (address, row, entry) => {
        const key2 = pageKey(address);
        const others = asked.get(key2);
        if (others === void 0) asked.set(key2, [{ address, row, entry }]);
        else others.push({ address, row, entry });
      };
      for (const [entry, { address, row }] of yield* decodeAsked(context, saved2)) {
        ask(address, row, entry);
        count2 = Number(entry) + 1;
      }
      const askedBy = (address) => (asked.get(pageKey(address)) ?? []).map(({ row }) => row);
      const answered = (addresses) => {
        for (const key2 of addresses.map(pageKey)) {
          for (const { entry } of asked.get(key2) ?? []) entries.push([entry, void 0]);
          asked.delete(key2);
        }
      };
      const collect = (row) => url.of(row, context.bindings(row)).pipe(
        Effect41.tap((address) => sendable(address, context)),
        Effect41.map((address) => {
          const entry = ordinal(count2++);
          ask(address, row, entry);
          entries.push([entry, { address, row: toJson(row) }]);
          return [];
        }),
        Effect41.catchAll((error) => context.failed(row, error))
      );
      const read4 = ({ at, job: number2, refused: refused2 }) => Stream7.unwrapScoped(
        Effect41.gen(function* () {
          const urls2 = [...asked.values()].flatMap(([first]) => first === void 0 ? [] : [first.address]);
          if (urls2.length === 0) return Stream7.empty;
          const job = yield* start2(
            {
              begin: (given, pages3) => client.start({ ...options, urls: urls2.slice(0, pages3) }, given),
              cancel: client.cancel,
              status: (id) => client.status(id, { limit: 1 }),
              cost: cost(options),
              pages: urls2.length,
              name: `job-${number2}`
            },
            context
          );
          yield* Effect41.logDebug(`${context.id}: batch ${job.id} of ${Math.min(job.pages, job.wanted)} pages`);
          const isLimited = job.pages < job.wanted;
          let refusal3;
          const rest = Stream7.suspend(() => {
            if (asked.size === 0) return Stream7.empty;
            if (job.isCut()) return cut2(number2 + 1, budgetReached);
            if (refusal3 !== void 0) return cut2(number2 + 1, refusal3);
            if (!isLimited || asked.size >= job.wanted) return Stream7.empty;
            const next = { job: number2 + 1, at: void 0, refused: false };
            return Stream7.concat(Stream7.make({ rows: [], cursor: { job: next.job, refused: false } }), read4(next));
          });
          const place = (at2) => ({ job: number2, at: at2, refused: true });
          const invalid2 = refused2 ? [] : job.started.invalidURLs ?? [];
          const failures2 = invalid2.flatMap((address) => {
            const error = new StepError({
              reason: "InvalidUrl",
              message: `${address}: the service refuses this address`,
              attempts: 1
            });
            return askedBy(address).map((row) => [{ ...row, jobId: job.id }, error]);
          });
          const pages2 = jobRows(
            {
              ...job,
              pages: (from) => client.pages(job.id, { from }),
              errors: client.errors(job.id),
              bounds: {},
              askedBy,
              usedUp: (error) => {
                refusal3 = error;
              },
              answered
            },
            context,
            at
          );
          return Stream7.make({
            rows: [],
            failures: failures2,
            cursor: place(at),
            taken: () => answered(invalid2)
          }).pipe(
            Stream7.concat(Stream7.map(pages2, (batch) => ({ ...batch, cursor: place(batch.cursor) }))),
            Stream7.concat(rest)
          );
        })
      );
      const cut2 = (next, why2) => Stream7.concat(Stream7.make({ rows: [], cursor: { job: next, refused: false } }), Stream7.fail(why2));
      return {
        push: (rows3) => Effect41.flatMap(
          Effect41.forEach(rows3, collect),
          (made) => asked.size <= mostUrls ? Effect41.succeed(made.flat()) : new StepError({
            reason: "TooManyRows",
            message: `a batch has at most ${mostUrls.toLocaleString("en")} pages, and rows for more have come: put a limit before it, or scrape them one by one with the step scrape`
          })
        ),
        end: (from) => Stream7.unwrap(
          Effect41.map(
            decodePlace2(context, from),
            (place) => read4(place ?? { job: 1, at: void 0, refused: false })
          )
        ),
        left: () => [...asked.values()].flatMap((rows3) => rows3.map(({ row }) => row)),
        save: Effect41.sync(() => {
          const changed = entries;
          entries = [];
          return { entries: changed };
        })
      };
    })
  }
});

// src/Step/Browser.ts
import * as Duration12 from "effect/Duration";
import * as Effect44 from "effect/Effect";
import * as Schema23 from "effect/Schema";

// src/Step/BrowserSession.ts
import * as Duration11 from "effect/Duration";
import * as Effect42 from "effect/Effect";
import * as Schema21 from "effect/Schema";
var Session = Schema21.Struct(
  { cdpUrl: Schema21.String },
  Schema21.Record({ key: Schema21.String, value: Schema21.Unknown })
);
var optionsWithoutEffect = (options) => Object.keys(options).filter(
  (name) => options[name] !== void 0 && name !== "waitFor" && (!(name in optionFields) || notInSession.has(name))
);
var notInSession = /* @__PURE__ */ new Set(["headers", "proxy", "skipTlsVerification", "parsers"]);
var based = ({ html: html2, url }) => /<base\s[^>]*href/i.test(html2) ? html2 : html2.replace(/<head(\s[^>]*)?>/i, (head) => `${head}<base href="${url.replaceAll('"', "%22")}">`);
var readInSession = ({ cdpUrl }, url, { waitFor = 0, ...options }, key2) => Effect42.gen(function* () {
  const client = yield* Parse;
  if (!/^(?:ws|http)s?:\/\//i.test(cdpUrl)) {
    const message = "the session's cdpUrl leads to no browser: a test gives the rows of this step (given: { rows: \u2026 })";
    return yield* new StepError({ reason: "NoBrowser", message });
  }
  const timeout4 = options.timeout ?? optionFields.timeout.defaultValue;
  const shown2 = yield* show(cdpUrl, url, { timeout: timeout4, waitFor });
  const file = new TextEncoder().encode(based(shown2));
  if (file.byteLength > maxFileSize) {
    const message = `${url}: as the browser session shows it, it has ${file.byteLength} bytes; the limit is ${maxFileSize}`;
    return yield* new StepError({ reason: "TooLarge", message });
  }
  const asked = { ...options, storeInCache: false };
  const { data } = yield* call(client.parse({ file, name: "page.html" }, asked, key2));
  const metadata = {
    ...data.metadata,
    sourceURL: url,
    url: shown2.url,
    statusCode: shown2.status,
    ...shown2.contentType === void 0 ? {} : { contentType: shown2.contentType },
    ...shown2.status < 400 ? {} : { error: shown2.statusText || `status ${shown2.status}` }
  };
  return { data: { ...data, metadata } };
});
var connectTimeout = Duration11.seconds(10);
var closeTimeout = Duration11.seconds(5);
var connections = /* @__PURE__ */ new Map();
var join6 = (cdpUrl) => {
  const known4 = connections.get(cdpUrl);
  if (known4 !== void 0) {
    known4.users += 1;
    return known4;
  }
  const timeout4 = Duration11.toMillis(connectTimeout);
  const browser2 = import("playwright-core").then(({ chromium }) => chromium.connectOverCDP(cdpUrl, { timeout: timeout4 }));
  const made = { browser: browser2, users: 1 };
  const forget2 = () => {
    if (connections.get(cdpUrl) === made) connections.delete(cdpUrl);
  };
  connections.set(cdpUrl, made);
  browser2.then((one2) => one2.once("disconnected", safely(forget2)), forget2);
  return made;
};
var leave = (cdpUrl, connection) => {
  connection.users -= 1;
  if (connection.users > 0) return Promise.resolve();
  if (connections.get(cdpUrl) === connection) connections.delete(cdpUrl);
  return connection.browser.then(
    (browser2) => browser2.close(),
    () => void 0
  );
};
var withoutLinks = (text4, links) => links.filter((link2) => typeof link2 === "string" && link2 !== "").reduce((said, link2) => said.replaceAll(String(link2), "(link of the session)"), text4).replace(/\bwss?:\/\/\S+/gi, "(link of the session)");
var withoutSessionLinks = (thrown, links) => {
  if (!(thrown instanceof Error)) return typeof thrown === "string" ? withoutLinks(thrown, links) : thrown;
  const same = new Error(withoutLinks(thrown.message, links));
  return Object.assign(same, { name: thrown.name, stack: withoutLinks(thrown.stack ?? "", links) });
};
var firstLineOf = (thrown) => ((thrown instanceof Error ? thrown.message : String(thrown)).split("\n")[0] ?? "").trim();
var failed = (url, said, reason = "PageFailed") => new StepError({ reason, message: `${url}: ${said}` });
var notShown = (cdpUrl, url, thrown) => {
  const said = firstLineOf(thrown);
  if (/WebSocket error: .*\b410\b|has been closed/.test(said)) {
    const advice = "if that was its time, raise ttl or activityTtl of its browser step";
    return failed(url, `the browser session, or the page's tab, has ended: ${advice}`, "Gone");
  }
  return said.includes("Download is starting") ? failed(url, "it is a download, which no browser shows: scrape it without a session") : failed(url, `the browser session could not show it: ${withoutLinks(said, [cdpUrl])}`);
};
var isText2 = (contentType) => contentType === void 0 || /^\s*(?:text\/|application\/(?:\S*\+)?(?:xml|json|javascript)\b)/i.test(contentType);
var show = (cdpUrl, url, { timeout: timeout4, waitFor }) => {
  const ask = (question) => Effect42.tryPromise({ try: question, catch: (thrown) => notShown(cdpUrl, url, thrown) });
  const tooLong2 = (duration) => () => failed(url, `the browser session was not done with it in ${Duration11.format(duration)}`, "Timeout");
  const within3 = (duration, work) => work.pipe(Effect42.interruptible, Effect42.timeoutFail({ duration, onTimeout: tooLong2(duration) }));
  const parting = (goodbye2) => Effect42.ignore(within3(closeTimeout, ask(goodbye2)));
  const look2 = (page2) => Effect42.gen(function* () {
    const response = yield* ask(() => page2.goto(url, { timeout: 0, waitUntil: "load" }));
    if (response === null) return yield* failed(url, "the browser session could not show it: it gave no answer");
    const contentType = (yield* ask(() => response.headerValue("content-type"))) ?? void 0;
    if (!isText2(contentType)) {
      return yield* failed(url, `it is ${contentType}, which a browser session does not read: scrape it without one`);
    }
    if (waitFor > 0) yield* Effect42.sleep(waitFor);
    return {
      html: yield* ask(() => page2.content()),
      url: page2.url(),
      status: response.status(),
      statusText: response.statusText(),
      contentType
    };
  });
  return Effect42.gen(function* () {
    const connection = yield* Effect42.acquireRelease(
      Effect42.sync(() => join6(cdpUrl)),
      (one2) => parting(() => leave(cdpUrl, one2))
    );
    const browser2 = yield* ask(() => connection.browser);
    const page2 = yield* Effect42.acquireRelease(
      within3(
        Duration11.max(Duration11.millis(timeout4), connectTimeout),
        ask(async () => (browser2.contexts()[0] ?? await browser2.newContext()).newPage())
      ),
      (tab) => parting(() => tab.close())
    );
    page2.on(
      "popup",
      safely((popup) => void popup.close().catch(() => void 0))
    );
    return yield* within3(Duration11.millis(timeout4 + waitFor), look2(page2));
  }).pipe(Effect42.scoped);
};

// src/Step/ProjectCode.ts
import { readFileSync as readFileSync2, statSync as statSync3 } from "node:fs";
import { dirname as dirname7, join as join7, relative as relative3, resolve as resolve9 } from "node:path";
import * as Data5 from "effect/Data";
import * as Effect43 from "effect/Effect";
import * as Either23 from "effect/Either";
import * as Schema22 from "effect/Schema";
var ModuleError = class extends Data5.TaggedError("ModuleError") {
  get message() {
    return `cannot be loaded: ${describeThrown(this.thrown)}`;
  }
};
var describeThrown = (thrown) => {
  const said = thrown instanceof Error ? thrown.message || thrown.name : `it throws ${describe7(thrown)}`;
  return (said.split("\n")[0] ?? "").replace(/ imported from .*$/, "");
};
var describe7 = (value4) => {
  if (value4 === void 0) return "nothing";
  if (Array.isArray(value4)) return "an array";
  if (typeof value4 === "object" && value4 !== null) return "an object";
  const text4 = typeof value4 === "string" ? JSON.stringify(value4) : String(value4);
  return text4.length > 60 ? `${text4.slice(0, 57)}\u2026` : text4;
};
var isCommonJs = (path2, { dirname: dirname8, join: join10 }, read4) => {
  const [, kind] = /\.([cm])[jt]s$/.exec(path2) ?? [];
  if (kind !== void 0) return kind === "c";
  for (let folder = dirname8(path2); ; folder = dirname8(folder)) {
    const manifest = read4(join10(folder, "package.json"));
    if (manifest !== "") return !/"type"\s*:\s*"module"/.test(manifest);
    if (folder === dirname8(folder)) return true;
  }
};
var asModule = (required) => typeof required === "object" && required !== null && "__esModule" in required ? required : { ...required, default: required };
var commonJsModules = /* @__PURE__ */ new Map();
var forget = (cache) => {
  for (const key2 of Object.keys(cache)) if (key2.includes("?namespace=")) delete cache[key2];
};
var importModule = (path2, version2) => Effect43.tryPromise({
  try: async () => {
    const [{ existsSync: existsSync2, readFileSync: readFileSync3 }, { createRequire: createRequire2 }, paths, { pathToFileURL }] = await Promise.all([
      import("node:fs"),
      import("node:module"),
      import("node:path"),
      import("node:url")
    ]);
    if (isCommonJs(path2, paths, (file) => existsSync2(file) ? readFileSync3(file, "utf8") : "")) {
      const { register: register2 } = await import("tsx/cjs/api");
      const before2 = version2 === void 0 ? commonJsModules.get(path2) : void 0;
      if (before2 !== void 0) return before2;
      forget(createRequire2(import.meta.url).cache);
      const loader2 = register2({ namespace: version2 ?? "sluice" });
      const found = await Promise.resolve().then(() => asModule(loader2.require(path2, import.meta.url))).finally(() => loader2.unregister());
      if (version2 === void 0) commonJsModules.set(path2, found);
      return found;
    }
    const { href } = pathToFileURL(path2);
    const { register } = await import("tsx/esm/api");
    if (version2 === void 0) {
      const unregister = register();
      return await import(href).finally(unregister);
    }
    const loader = register({ namespace: version2 });
    return await loader.import(href, import.meta.url).finally(() => loader.unregister());
  },
  catch: (thrown) => new ModuleError({ path: path2, thrown })
});
var relativeImports = /\b(?:from|import|require)\s*\(?\s*["'`](\.{1,2}(?:\/[^"'`\n]*)?)["'`]/g;
var endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
var isFile = (path2) => {
  try {
    return statSync3(path2).isFile();
  } catch {
    return false;
  }
};
var candidatesFor = (path2) => [
  path2,
  path2.replace(/\.([mc]?)js(x?)$/, ".$1ts$2"),
  ...endings.flatMap((ending) => [`${path2}${ending}`, join7(path2, `index${ending}`)])
];
var importsOf = (file, text4) => Array.from(text4.matchAll(relativeImports), ([, specifier = ""]) => candidatesFor(resolve9(dirname7(file), specifier)));
var hashesOf = (module) => {
  const hashes = /* @__PURE__ */ new Map();
  const files2 = /* @__PURE__ */ new Set([module]);
  for (const file of files2) {
    const text4 = readFileSync2(file, "utf8");
    hashes.set(file, sha256(text4));
    for (const imported of importsOf(file, text4).flat().filter(isFile)) files2.add(imported);
  }
  return hashes;
};
var watchedFiles = (module) => {
  const files2 = /* @__PURE__ */ new Set([module]);
  for (const file of files2) {
    if (!isFile(file)) continue;
    const text4 = Either23.getOrElse(
      Either23.try(() => readFileSync2(file, "utf8")),
      () => ""
    );
    for (const candidates of importsOf(file, text4)) {
      const found = candidates.filter(isFile);
      for (const imported of found.length > 0 ? found : candidates) files2.add(imported);
    }
  }
  return [...files2];
};
var combined = (module, hashes) => {
  const own3 = hashes.get(module) ?? "";
  if (hashes.size === 1) return own3;
  const lines = [...hashes].map(([file, hash3]) => `${hash3} ${relative3(dirname7(module), file)}`);
  return sha256(lines.sort().join("\n"));
};
var firstHashes = /* @__PURE__ */ new Map();
var firstModules = /* @__PURE__ */ new Map();
var failures = /* @__PURE__ */ new Map();
var current = (path2) => Effect43.try({
  try: () => {
    const hashes = hashesOf(path2);
    const hash3 = combined(path2, hashes);
    const load4 = Effect43.suspend(() => {
      const failed3 = failures.get(path2) ?? 0;
      const isFirst = failed3 === 0 && (firstModules.get(path2) ?? hash3) === hash3 && [...hashes].every(([file, each]) => (firstHashes.get(file) ?? each) === each);
      if (isFirst) {
        firstModules.set(path2, hash3);
        for (const [file, each] of hashes) firstHashes.set(file, each);
      }
      return Effect43.tapError(
        importModule(path2, isFirst ? void 0 : `${hash3}-${failed3}`),
        () => Effect43.sync(() => failures.set(path2, failed3 + 1))
      );
    });
    return { hash: hash3, load: load4 };
  },
  catch: (thrown) => new ModuleError({ path: path2, thrown })
});
var functionFields = {
  module: Schema22.String.pipe(
    Schema22.pattern(/\.[cm]?[jt]s$/, { message: () => "name a .ts, .mts, .js or .mjs file" })
  ).annotations({ description: "a TypeScript or JavaScript file, relative to the definition's folder" }),
  export: Schema22.optionalWith(
    Schema22.NonEmptyString.annotations({ description: "the name of the function; its default export unless said" }),
    { default: () => "default" }
  ),
  with: Schema22.optional(Schema22.Unknown.annotations({ description: "What the function is given beside the rest." }))
};
var refuse2 = (reason, message) => new StepError({ reason, message });
var functionFailed = (file, thrown) => new StepError({ reason: "FunctionFailed", message: `${file}: ${describeThrown(thrown)}`, cause: thrown });
var loadFunction = (key2, { export: name, module: file }, context) => Effect43.gen(function* () {
  if (!context.allowCode) {
    return yield* refuse2(
      "CodeNotAllowed",
      `${key2} runs code of the project (${file}): read it, and allow it with --allow-code`
    );
  }
  const exported = yield* importModule(yield* readable(file, context.folder)).pipe(
    Effect43.mapError((error) => refuse2("ModuleInvalid", `${file} ${error.message}`))
  );
  const found = exported[name];
  if (typeof found === "function") return found;
  const what = name in exported ? "no function" : `not there${didYouMean(name, Object.keys(exported))}`;
  return yield* refuse2("ModuleInvalid", `${file}: its export ${name} is ${what}`);
});

// src/Step/Browser.ts
var { origin: _, integration: __, ...fields3 } = createFields;
var patience2 = Duration12.minutes(5);
var goodbye = Duration12.seconds(15);
var longestLife = 3600;
var cost2 = (fields7) => {
  const { ttl } = mapping2(fields7);
  const isUnknown = fields7 === void 0 || ttl !== void 0 && typeof ttl !== "number";
  const seconds5 = isUnknown ? longestLife : typeof ttl === "number" ? ttl : createFields.ttl.defaultValue;
  return [{ good: "browser", least: 1, most: Math.ceil(seconds5 / 60) }];
};
var minute = { cost: () => one("browser") };
var lookAhead = "45 seconds";
var bookMinutes = (context, first, close3) => Effect44.gen(function* () {
  const { rate } = yield* Tariff;
  const price = rate("browser")?.credits;
  const book = (reservation) => price === void 0 ? reservation.release : Effect44.zipRight(
    context.spend(price),
    Effect44.sync(() => {
      reservation.spend(price, 0);
      reservation.end();
    })
  );
  yield* book(first);
  yield* Effect44.gen(function* () {
    yield* Effect44.sleep(lookAhead);
    const next = yield* context.reserve("session", minute);
    yield* Effect44.sleep(Duration12.subtract("1 minute", lookAhead));
    yield* book(next);
  }).pipe(
    Effect44.forever,
    Effect44.catchAll(
      (error) => error instanceof BudgetReached ? Effect44.zipRight(close3, context.usedUp) : Effect44.void
    ),
    Effect44.forkScoped
  );
});
var Run = Schema23.Struct(functionFields);
var browser = make8({
  key: "browser",
  summary: "Opens a browser session when the first step needs it, and closes it when the run is over. Others reach it by ${{ steps.<id>.output }}, which has its id, cdpUrl, liveViewUrl and interactiveLiveViewUrl. `run` names a function of the project, `({ cdpUrl, with, \u2026 }) => result` (or a Promise of it), that is called before them: to log in, for example; what it gives is `output.result`. A resumed run opens a session anew.",
  example: `id: session
browser: { ttl: 900, profile: { name: shop }, run: ./login.ts }`,
  config: Schema23.Struct({
    ...fields3,
    run: Schema23.optional(
      Schema23.Union(
        Schema23.transform(functionFields.module, Schema23.typeSchema(Run), {
          strict: true,
          decode: (module) => ({ module, export: "default" }),
          encode: ({ module }) => module
        }),
        Run
      ).annotations({
        description: "a function of the project that is given the session: its file, or { module, export, with }"
      })
    )
  }),
  cost: cost2,
  service: { request: "POST /v2/browser", documented: true },
  estimate: oneRequest,
  reads: (fields7) => ofFile("module")(mapping2(fields7).run).map((found) => ({ ...found, path: ["run", ...found.path] })),
  needs: () => [{ ability: "sessions", path: [], what: "a browser session" }],
  behaviour: {
    kind: "value",
    fleeting: true,
    get: ({ run, ...request3 }, context) => Effect44.gen(function* () {
      const begin2 = run === void 0 ? void 0 : yield* loadFunction("browser", run, context);
      const client = yield* Browser;
      const first = yield* context.reserve("session", minute);
      const { success: ___2, ...session } = yield* call(
        scopedSession(request3, {
          closeTimeout: goodbye,
          onUnclosed: (message) => Effect44.logWarning(`${context.id}: the browser session was not closed: ${message}`)
        })
      ).pipe(Effect44.onError(() => first.release));
      yield* bookMinutes(context, first, Effect44.ignore(client.delete(session.id)));
      if (begin2 === void 0 || run === void 0) return session;
      const result = yield* Effect44.tryPromise({
        try: async () => begin2({ ...session, with: run.with }),
        catch: (thrown) => functionFailed(run.module, withoutSessionLinks(thrown, Object.values(session)))
      }).pipe(
        Effect44.timeoutFail({
          duration: patience2,
          onTimeout: () => new StepError({
            reason: "Timeout",
            message: `${run.module}: it was not done in ${Duration12.format(patience2)}`
          })
        })
      );
      return { ...session, result };
    })
  }
});

// src/Step/Check.ts
import * as Effect47 from "effect/Effect";
import * as Schema24 from "effect/Schema";
import * as Stream8 from "effect/Stream";

// src/Step/Chunked.ts
import * as Effect45 from "effect/Effect";
import * as Either24 from "effect/Either";
var nothing = { names: {} };
var evaluateSync = ({ names: names2, source }, sync36, rows3, bindings, failures2) => inSlices(
  rows3,
  names2.length === 0 ? ({ data }) => sync36(data, nothing) : (row) => sync36(row.data, bindings(row)),
  (cause, index) => fail14(failures2, index, evaluationError(source, cause))
);
var fail14 = (failures2, index, error) => {
  if (!failures2.has(index)) failures2.set(index, error);
};
var evaluate = (expressions, rows3, bindings) => Effect45.suspend(() => {
  const failures2 = /* @__PURE__ */ new Map();
  const isSync = expressions.every(({ sync: sync36 }) => sync36 !== void 0);
  const data = isSync ? [] : rows3.map((row) => row.data);
  const given = isSync ? [] : rows3.map(bindings);
  const columns = Effect45.forEach(
    expressions,
    (expression) => expression.sync === void 0 ? Effect45.map(
      expression.evaluateChunk(data, (index) => given[index] ?? nothing),
      (values) => values.map((value4, index) => Either24.getOrElse(value4, (error) => fail14(failures2, index, error)))
    ) : evaluateSync(expression, expression.sync, rows3, bindings, failures2)
  );
  return Effect45.map(columns, (columns2) => ({ columns: columns2, failures: failures2 }));
});
var flatMapValues = (expressions, context, use2) => (rows3) => Effect45.flatMap(evaluate(expressions, rows3, context.bindings), ({ columns, failures: failures2 }) => {
  const made = [];
  let at = 0;
  const value4 = (expression) => columns[expression]?.[at];
  const run = (from) => {
    for (at = from; at < rows3.length; at++) {
      const row = rows3[at];
      if (row === void 0) continue;
      const evaluation = failures2.get(at);
      const failure2 = evaluation === void 0 ? use2(row, value4, made) : expressionFailed(evaluation);
      if (failure2 instanceof StepError) {
        return Effect45.flatMap(context.failed(row, failure2), (instead2) => {
          for (const each of instead2) made.push(each);
          return run(at + 1);
        });
      }
    }
    return Effect45.succeed(made);
  };
  return run(0);
});

// src/Step/Where.ts
import * as Effect46 from "effect/Effect";
var where = make8({
  key: "where",
  summary: "Keeps the rows for which the expression is true.",
  example: "where: metadata.statusCode = 200 and $length(markdown) > 200",
  config: ExpressionText,
  estimate: fewerRows,
  behaviour: {
    kind: "transform",
    alone: true,
    make: (condition, context) => Effect46.succeed({
      push: flatMapValues([condition], context, (row, value4, made) => {
        if (truthy(value4(0))) made.push(row);
      })
    })
  }
});
var truthy = (value4) => Array.isArray(value4) ? value4.some(truthy) : typeof value4 === "object" && value4 !== null ? Object.keys(value4).length > 0 : Boolean(value4);

// src/Step/Check.ts
var Rule = Schema24.Struct({
  rule: ExpressionText,
  message: Schema24.optional(Schema24.String.annotations({ description: "what to say of a row that breaks the rule" })),
  onFail: Schema24.optionalWith(
    Schema24.Literal("warn", "reject", "fail").annotations({
      description: "warn: the row passes, and the number of such rows is told at the end. reject: it is a failed row. fail: the run stops."
    }),
    { default: () => "reject" }
  )
});
var failed2 = (rule, why2) => new CheckFailed({
  message: `${rule.message ?? `does not hold: ${rule.rule.source}`}${why2 === void 0 ? "" : ` (${why2})`}`
});
var check = make8({
  key: "check",
  summary: "Holds every row to rules: a row passes, is a failed row, or stops the run, by the first rule that it breaks. A rule that cannot be evaluated is broken.",
  example: `check:
  - { rule: words > 0, message: empty document }
  - { rule: $length(title) < 200, onFail: warn }`,
  config: Schema24.Array(Rule).pipe(Schema24.minItems(1)).annotations({ description: "an array of rules like { rule: words > 0 }" }),
  estimate: fewerRows,
  behaviour: {
    kind: "transform",
    make: (rules, context, saved2) => Effect47.sync(() => {
      const before2 = Array.isArray(saved2.value) ? saved2.value : [];
      const warned = rules.map((_5, index) => before2[index] ?? 0);
      const hold = (rule, index, rows3, settled) => Effect47.gen(function* () {
        const { columns, failures: failures2 } = yield* evaluate([rule.rule], rows3, context.bindings);
        const values = columns[0] ?? [];
        if (failures2.size === 0 && values.every(truthy)) return rows3;
        const made = [];
        for (const [at, row] of rows3.entries()) {
          const why2 = failures2.get(at);
          if (settled.has(row) || why2 === void 0 && truthy(values[at])) made.push(row);
          else if (rule.onFail === "warn") {
            warned[index] = (warned[index] ?? 0) + 1;
            made.push(row);
          } else {
            const error = failed2(rule, why2?.message);
            if (rule.onFail === "fail") {
              const message = `${keyOf(row)}: ${error.message}`;
              return yield* new CheckFailed({ message });
            }
            for (const instead2 of yield* context.failed(row, error)) {
              settled.add(instead2);
              made.push(instead2);
            }
          }
        }
        return made;
      });
      return {
        push: (rows3) => Effect47.suspend(() => {
          const settled = /* @__PURE__ */ new Set();
          return Effect47.reduce(
            rules,
            rows3,
            (left15, rule, index) => hold(rule, index, left15, settled)
          );
        }),
        end: () => Stream8.drain(
          Stream8.fromEffect(
            Effect47.forEach(
              rules,
              (rule, index) => {
                const count2 = warned[index] ?? 0;
                const rows3 = count2 === 1 ? "1 row" : `${count2.toLocaleString("en")} rows`;
                return count2 === 0 ? Effect47.void : Effect47.logWarning(`${context.id}: ${rows3}: ${failed2(rule, void 0).message}`);
              },
              { discard: true }
            )
          )
        ),
        save: Effect47.sync(() => warned.some((count2) => count2 > 0) ? { value: [...warned] } : {})
      };
    })
  }
});

// src/Step/Crawl.ts
import * as Effect48 from "effect/Effect";
import * as Schema25 from "effect/Schema";
import * as Stream9 from "effect/Stream";
var { origin: _2, integration: __2, webhook: ___, ...fields4 } = startFields;
var cost3 = (fields7) => {
  const { params, scrapeOptions } = mapping2(fields7);
  return page("crawlPage", scrapeOptions ?? mapping2(params).scrapeOptions);
};
var crawl = make8({
  key: "crawl",
  summary: "Starts a crawl and gives its pages as rows while it runs; fields written here win over `params`.",
  example: `crawl:
  url: https://example.com/docs
  limit: 100
  scrapeOptions: { formats: [markdown, links] }`,
  config: Schema25.Struct({
    ...fields4,
    url: Schema25.optional(perRow(PageUrl)),
    params: Schema25.optional(CrawlParams.annotations({ description: "crawl parameters, usually of a crawlPreview" }))
  }).pipe(
    Schema25.filter(
      (config2) => config2.url === void 0 && config2.params?.url == null ? "needs a url, of its own or in params" : true
    )
  ),
  needs: (fields7) => [
    ...within2("scrapeOptions", fields7, scrapingMany),
    ...reaching("url")(fields7)
  ],
  cost: cost3,
  service: { request: "POST /v2/crawl", documented: false },
  estimate: ({ config: config2, cost: cost7, crawlLimit, times: times2, wanted }) => {
    const { limit: limit2, params } = mapping2(config2);
    const isOpen3 = [config2, limit2, limit2 ?? params].includes(open3);
    const ownLimit = numberOf(limit2) ?? numberOf(mapping2(params).limit) ?? crawlLimit;
    const known4 = isOpen3 ? void 0 : ownLimit;
    const pages2 = times(times2, upTo3(known4 === void 0 ? wanted : Math.min(known4, wanted ?? known4)));
    return { requests: times2, pages: pages2, rows: pages2, buys: bought(cost7, pages2) };
  },
  nouns: { request: "job" },
  headers: ["scrapeOptions", "headers"],
  objections: (fields7) => within2("scrapeOptions", fields7, unknownFormats),
  behaviour: {
    kind: "source",
    pages: true,
    drains: true,
    read: ({ params, url, ...own3 }, context, { from: cursor, row }) => Stream9.unwrapScoped(
      Effect48.gen(function* () {
        const client = yield* Crawl;
        const from = row ?? { data: {} };
        const address = url === void 0 ? params?.url : yield* url.of(from, context.bindings(from));
        yield* sendable(address ?? "", context);
        const asked = row === void 0 ? [] : [row];
        const request3 = { ...params, ...own3 };
        const { limit: limit2 } = request3;
        const wanted = Math.min(limit2 ?? fields4.limit.defaultValue, context.wanted ?? Number.POSITIVE_INFINITY);
        const job = yield* start2(
          {
            begin: (options, pages3) => {
              const own4 = limit2 === void 0 && pages3 >= fields4.limit.defaultValue ? {} : { limit: pages3 };
              return client.start({ ...request3, ...own4, url: address ?? "" }, options);
            },
            cancel: client.cancel,
            status: (id) => client.status(id, { limit: 1 }),
            cost: cost3(request3),
            pages: wanted
          },
          context
        );
        yield* Effect48.logDebug(`${context.id}: crawl ${job.id} of ${address}`);
        const isLimited = job.pages < job.wanted;
        let pages2 = yield* documentsIn(context, cursor);
        let refusal3;
        return jobRows(
          {
            ...job,
            pages: (position) => client.pages(job.id, { from: position }),
            errors: client.errors(job.id),
            bounds: {
              // Pages that the budget left out are reported as cut by the budget.
              limit: isLimited ? void 0 : wanted,
              hasDepth: request3.maxDiscoveryDepth !== void 0 || request3.maxDepth !== void 0
            },
            askedBy: () => asked,
            usedUp: (error) => {
              refusal3 = error;
            }
          },
          context,
          cursor
        ).pipe(
          // A crawl that the budget has made smaller, and that has become as large as it may, has left something out.
          Stream9.tap((batch) => {
            pages2 += batch.pages?.length ?? 0;
            return isLimited && pages2 >= job.pages ? context.cut : Effect48.void;
          }),
          Stream9.concat(Stream9.suspend(() => refusal3 === void 0 ? Stream9.empty : Stream9.fail(refusal3)))
        );
      })
    )
  }
});

// src/Step/CrawlPreview.ts
import * as Effect49 from "effect/Effect";
import * as Schema26 from "effect/Schema";
var crawlPreview = make8({
  key: "crawlPreview",
  summary: "Turns a prompt into crawl parameters; other steps read them as ${{ steps.<id>.output }}.",
  example: "crawlPreview: { url: https://example.com, prompt: Only the API reference and no blog. }",
  config: Schema26.Struct({ url: PreviewRequest.fields.url, prompt: PreviewRequest.fields.prompt }),
  needs: (fields7) => [
    { ability: "model", path: ["prompt"], what: "a prompt", optional: true },
    ...reaching("url")(fields7)
  ],
  cost: () => one("crawlPreview"),
  service: { request: "POST /v2/crawl/params-preview", documented: true },
  estimate: oneRequest,
  behaviour: {
    kind: "value",
    get: (request3, context) => Effect49.gen(function* () {
      const client = yield* CrawlPreview;
      const { data, warning } = yield* call(client.run(request3));
      if (warning) yield* Effect49.logWarning(`${context.id}: ${warning}`);
      return data;
    })
  }
});

// src/Step/Dedupe.ts
import * as Effect50 from "effect/Effect";
import * as Schema27 from "effect/Schema";
import * as Stream10 from "effect/Stream";

// src/Step/KeySet.ts
import { hash } from "node:crypto";
var wordsPerHash = 4;
var initialSlots = 1024;
var KeySet = class {
  #slots = initialSlots;
  #table = new Uint32Array(initialSlots * wordsPerHash);
  #size = 0;
  #mark = new Uint32Array(wordsPerHash);
  /** Marks added since {@link taken}, 16 characters each. */
  #added = [];
  get size() {
    return this.#size;
  }
  /** True when the key was not there yet. */
  add(key2) {
    const digest = hash("sha256", key2, "binary");
    if (!this.#put(digest)) return false;
    this.#added.push(digest.slice(0, 4 * wordsPerHash));
    return true;
  }
  has(key2) {
    this.#read(hash("sha256", key2, "binary"));
    return this.#isTaken(this.#find());
  }
  /** Puts back marks that {@link taken} gave. */
  restore(marks) {
    const bytes = Buffer.from(marks, "base64url").toString("latin1");
    for (let at = 0; at < bytes.length; at += 4 * wordsPerHash) this.#put(bytes.slice(at, at + 4 * wordsPerHash));
  }
  /** The marks added since it was last asked for, one behind the other; empty when there are none. */
  taken() {
    const marks = Buffer.from(this.#added.join(""), "latin1").toString("base64url");
    this.#added = [];
    return marks;
  }
  #put(digest) {
    this.#read(digest);
    if (this.#isTaken(this.#find())) return false;
    if ((this.#size + 1) * 4 > this.#slots * 3) this.#grow();
    this.#table.set(this.#mark, this.#find() * wordsPerHash);
    this.#size++;
    return true;
  }
  #read(digest) {
    for (let word = 0; word < wordsPerHash; word++) {
      const at = word * 4;
      this.#mark[word] = digest.charCodeAt(at) | digest.charCodeAt(at + 1) << 8 | digest.charCodeAt(at + 2) << 16 | digest.charCodeAt(at + 3) << 24;
    }
  }
  /** The slot of the mark, or the free one where it belongs. */
  #find() {
    const table = this.#table;
    const [a = 0, b = 0, c = 0, d = 0] = this.#mark;
    let slot = a & this.#slots - 1;
    while (this.#isTaken(slot)) {
      const at = slot * wordsPerHash;
      if (table[at] === a && table[at + 1] === b && table[at + 2] === c && table[at + 3] === d) break;
      slot = slot + 1 & this.#slots - 1;
    }
    return slot;
  }
  #isTaken(slot) {
    const at = slot * wordsPerHash;
    const table = this.#table;
    return ((table[at] ?? 0) | (table[at + 1] ?? 0) | (table[at + 2] ?? 0) | (table[at + 3] ?? 0)) !== 0;
  }
  #grow() {
    const old = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * wordsPerHash);
    const mark2 = this.#mark.slice();
    for (let at = 0; at < old.length; at += wordsPerHash) {
      this.#mark.set(old.subarray(at, at + wordsPerHash));
      if (this.#mark.some((word) => word !== 0)) this.#table.set(this.#mark, this.#find() * wordsPerHash);
    }
    this.#mark.set(mark2);
  }
};

// src/Step/Dedupe.ts
var goneFields = ["key", "url", "firstSeen", "lastSeen"];
var maxKeyLength = 2e3;
var stateKey = (identity3) => identity3.length > maxKeyLength ? `sha256:${sha256(identity3)}` : identity3;
var rowsPerBatch2 = 1e3;
var GoneCursor = Schema27.Struct({ key: Schema27.String, given: Schema27.Number });
var decodeGoneCursor = decodeState(GoneCursor);
var makeChangeDetector = (context, seen, as13) => Effect50.gen(function* () {
  const { state } = context;
  const entries = state.active ? yield* state.load : [];
  const earlier = new Map(entries.map(({ key: key2, value: value4 }) => [key2, value4]));
  let changes2 = [];
  const goneRow = ({ firstSeen, key: key2, lastSeen }, position) => {
    const url = canonicalUrl(key2);
    const times2 = { firstSeen: new Date(firstSeen).toISOString(), lastSeen: new Date(lastSeen).toISOString() };
    return {
      data: { key: key2, ...url === void 0 ? {} : { url: key2 }, [as13]: "gone", ...times2 },
      key: url ?? key2,
      position
    };
  };
  const goneBehind = (last) => Effect50.map(
    state.met,
    (met) => entries.filter(
      ({ key: key2 }) => (last === void 0 || key2 > last) && !seen.has(key2) && !met.has(canonicalUrl(key2) ?? key2)
    ).sort((a, b) => a.key < b.key ? -1 : 1)
  );
  return {
    compare: (row, key2, content) => {
      const before2 = earlier.get(key2);
      const now = content === void 0 ? null : sha256(content);
      if (state.active) changes2.push({ key: key2, value: now, rowKey: keyOf(row) });
      if (before2 === void 0) return "new";
      return before2 === null || now === null || before2 === now ? "unchanged" : "changed";
    },
    stage: Effect50.suspend(() => {
      if (changes2.length === 0) return Effect50.void;
      const staged = changes2;
      changes2 = [];
      return state.put(staged);
    }),
    gone: (from) => Stream10.unwrap(
      Effect50.gen(function* () {
        if (entries.length === 0) return Stream10.empty;
        const why2 = yield* state.whyIncomplete;
        if (why2 !== void 0) {
          yield* Effect50.logWarning(incompleteWarning(context.id, why2));
          return Stream10.empty;
        }
        const { given = 0, key: last } = (yield* decodeGoneCursor(context, from)) ?? {};
        const gone = yield* goneBehind(last);
        const starts = Array.from(
          { length: Math.ceil(gone.length / rowsPerBatch2) },
          (_5, index) => index * rowsPerBatch2
        );
        return Stream10.mapEffect(Stream10.fromIterable(starts), (start3) => {
          const some7 = gone.slice(start3, start3 + rowsPerBatch2);
          const rows3 = some7.map((entry, index) => goneRow(entry, given + start3 + index));
          const removed = some7.map(({ key: key2 }, index) => ({ key: key2, value: void 0, rowKey: rows3[index]?.key ?? key2 }));
          const place = {
            key: some7.at(-1)?.key ?? "",
            given: given + start3 + rows3.length
          };
          return Effect50.as(state.put(removed), { rows: rows3, cursor: place });
        });
      })
    )
  };
});
var kinds2 = ["new", "changed", "unchanged", "gone"];
var Config2 = Schema27.Struct({
  key: Schema27.optional(ExpressionText).annotations({
    description: "What tells rows apart; `$key` where it is missing or null."
  }),
  across: Schema27.optionalWith(Schema27.Literal("run", "runs"), { default: () => "run" }).annotations({
    description: "run: the first row of every key in this run. runs: compared with what earlier runs have seen."
  }),
  changedWhen: Schema27.optional(ExpressionText).annotations({
    description: "With across: runs, a row is changed when the value of this is another than last time."
  }),
  emit: Schema27.optional(
    Schema27.Array(Schema27.Literal(...kinds2).annotations({ description: "new, changed, unchanged or gone" })).pipe(Schema27.minItems(1)).annotations({ description: "an array of new, changed, unchanged, gone ([new, changed] unless said)" })
  ),
  as: Schema27.optional(
    Schema27.NonEmptyString.annotations({
      description: "With across: runs, the field that says new, changed, unchanged or gone: `change` unless said"
    })
  )
}).pipe(
  Schema27.filter(({ across, as: as13, changedWhen, emit }) => {
    if (across === "run") {
      const lone = Object.entries({ changedWhen, emit, as: as13 }).find(([, value4]) => value4 !== void 0)?.[0];
      return lone === void 0 || { path: [lone], message: `${lone} compares with earlier runs: add across: runs` };
    }
    if (emit?.includes("changed") === true && changedWhen === void 0) {
      return { path: ["emit"], message: "without changedWhen no row is changed: add it, or leave changed out" };
    }
    return as13 === void 0 || !goneFields.includes(as13) || { path: ["as"], message: `a row that is gone has a field ${as13} already` };
  })
);
var text2 = (value4) => typeof value4 === "string" ? value4 : JSON.stringify(value4) ?? "";
var dedupe = make8({
  key: "dedupe",
  summary: "Keeps the first row of every key, in the run or across runs; without a key, rows are told apart by `$key`. Across runs it says in the field `change` what is new, changed, unchanged or gone; a row that has this field already is a failed row.",
  example: `dedupe:
  key: $canonicalUrl(metadata.sourceURL)
  across: runs
  changedWhen: $sha256(markdown)
  emit: [new, changed, gone]`,
  config: Config2,
  estimate: ({ config: config2, keys, remembered, rows: rows3 }) => {
    const { across, emit, key: key2 } = mapping2(config2);
    if (across === "runs") {
      const gone = list(emit).includes("gone") ? remembered : 0;
      return { ...idle, rows: upTo3(rows3.most === void 0 ? void 0 : rows3.most + gone) };
    }
    const known4 = keys === void 0 || key2 !== void 0 ? void 0 : [...new Set(keys)];
    const kept3 = known4 === void 0 ? some2(rows3) : exactly(known4.length);
    return { ...idle, rows: kept3, keys: known4 };
  },
  state: (fields7) => {
    const { across, emit } = mapping2(fields7);
    if (across === void 0 || across === "run") return void 0;
    const skipsSeen = across === "runs" && !list(emit).includes("unchanged");
    return { skipsSeen, otherwise: "add unchanged to its emit" };
  },
  behaviour: {
    kind: "transform",
    make: ({ across, as: as13 = "change", changedWhen, emit = ["new", "changed"], key: key2 }, context, saved2) => Effect50.gen(function* () {
      const seen = new KeySet();
      for (const [, marks] of saved2.entries) seen.restore(String(marks));
      let saves = saved2.entries.length;
      const save = Effect50.sync(() => {
        const marks = seen.taken();
        return marks === "" ? {} : { entries: [[ordinal(saves++), marks]] };
      });
      const identityOf2 = (row, value4) => stateKey(value4 === void 0 || value4 === null ? keyOf(row) : text2(value4));
      if (across === "run") {
        const push2 = flatMapValues(key2 === void 0 ? [] : [key2], context, (row, value4, made) => {
          if (seen.add(identityOf2(row, value4(0)))) made.push(row);
        });
        return { push: push2, save };
      }
      let withholds = false;
      const memory = yield* makeChangeDetector(context, seen, as13);
      const expressions = [key2, changedWhen].filter((each) => each !== void 0);
      const compare2 = flatMapValues(expressions, context, (row, value4, made) => {
        if (Object.hasOwn(row.data, as13)) {
          return new StepError({
            reason: "FieldExists",
            message: `the row has a field ${as13} already: name another one with as`
          });
        }
        const identity3 = identityOf2(row, key2 === void 0 ? void 0 : value4(0));
        if (!seen.add(identity3)) return void 0;
        const kind = memory.compare(
          row,
          identity3,
          changedWhen === void 0 ? void 0 : text2(value4(expressions.length - 1))
        );
        if (!emit.includes(kind)) withholds = true;
        else made.push({ ...row, data: { ...row.data, [as13]: kind }, origin: row.origin ?? row });
        return void 0;
      });
      const told = Effect50.suspend(() => withholds ? context.incomplete("seen") : Effect50.void);
      return {
        push: (rows3) => compare2(rows3).pipe(Effect50.zipLeft(memory.stage), Effect50.zipLeft(told)),
        end: emit.includes("gone") ? memory.gone : void 0,
        save
      };
    })
  }
});

// src/Step/Drop.ts
import * as Effect51 from "effect/Effect";
import * as Schema28 from "effect/Schema";
var Field = Schema28.String.pipe(
  Schema28.filter(
    (text4) => !text4.split(".").includes("") || `"${text4}" is no field: write a name, or a path like metadata.description`
  )
).annotations({ description: "a field, or a path like metadata.description" });
var without = (value4, path2) => {
  if (Array.isArray(value4)) {
    const items = value4.map((item) => without(item, path2));
    return items.some((item, index) => item !== value4[index]) ? items : value4;
  }
  const [name, ...rest] = path2;
  if (typeof value4 !== "object" || value4 === null || name === void 0 || !Object.hasOwn(value4, name)) return value4;
  if (rest.length === 0) return Object.fromEntries(Object.entries(value4).filter(([key2]) => key2 !== name));
  const before2 = value4[name];
  const after = without(before2, rest);
  return after === before2 ? value4 : { ...value4, [name]: after };
};
var drop2 = make8({
  key: "drop",
  summary: "Leaves fields out: by name, or by a path into nested values and lists. What is not there is no mistake.",
  example: "drop: [html, metadata.description]",
  config: Schema28.Union(
    Field,
    Schema28.Array(Field).pipe(Schema28.minItems(1)).annotations({ description: "an array of fields" })
  ),
  estimate: asManyRows,
  behaviour: {
    kind: "transform",
    alone: true,
    make: (config2) => {
      const targets = [config2].flat().map((name) => ({ name, path: name.split(".") }));
      const one2 = (data, { name, path: path2 }) => without(data, Object.hasOwn(data, name) ? [name] : path2);
      return Effect51.succeed({
        push: (rows3) => Effect51.sync(
          () => rows3.map((row) => {
            const data = targets.reduce(one2, row.data);
            return data === row.data ? row : withData(row, data);
          })
        )
      });
    }
  }
});

// src/Step/Explode.ts
import * as Effect52 from "effect/Effect";
import * as Schema29 from "effect/Schema";
var Fields = Schema29.Struct({
  list: ExpressionText,
  as: Schema29.optional(Schema29.String.annotations({ description: "the name of the field that holds the item" }))
});
var explode = make8({
  key: "explode",
  summary: "Makes one row for every item of an array: the row's fields, with the item as the field `as`.",
  example: "explode: { list: links, as: link }",
  config: Schema29.Union(Fields, ExpressionText),
  behaviour: {
    kind: "transform",
    alone: true,
    make: (config2, context) => {
      const list3 = "list" in config2 ? config2.list : config2;
      const as13 = ("list" in config2 ? config2.as : void 0) ?? (/^\w+$/.test(list3.source.trim()) ? list3.source.trim() : "item");
      return Effect52.succeed({
        push: flatMapValues([list3], context, (row, value4, made) => {
          const found = value4(0);
          if (found === void 0 || found === null) return;
          const key2 = keyOf(row);
          const items = Array.isArray(found) ? found : [found];
          for (const [index, item] of items.entries()) {
            made.push({ ...row, origin: void 0, key: `${key2}#${index}`, data: { ...row.data, [as13]: item } });
          }
        })
      });
    }
  }
});

// src/Step/Files.ts
import { createHash } from "node:crypto";
import * as NodeFs from "node:fs";
import * as FileSystem9 from "@effect/platform/FileSystem";
import * as Path3 from "@effect/platform/Path";
import * as Effect53 from "effect/Effect";
import * as Option12 from "effect/Option";
import * as Schema30 from "effect/Schema";
import * as Stream11 from "effect/Stream";
var together = 16;
var SkipSeen = Schema30.Literal("content", "path", "mtime", "never").annotations({
  description: "Which files of earlier runs are left out: those of the same content, at the same path, or unchanged since by size and time. never: none. What was rejected is given again."
});
var noting = (call2, failed3, isTrouble) => new Proxy(call2, {
  apply: (target, self, args) => {
    const callback = args.at(-1);
    if (typeof callback !== "function") return Reflect.apply(target, self, args);
    const noted = (error, ...rest) => {
      if (error !== null && isTrouble(error.code)) failed3(String(args[0]));
      callback(error, ...rest);
    };
    return Reflect.apply(target, self, args.with(-1, noted));
  }
});
var confined = (permissions, refused2) => new Proxy(NodeFs.readdir, {
  apply: (target, self, args) => {
    const callback = args.at(-1);
    if (typeof callback !== "function") return Reflect.apply(target, self, args);
    return whyNotListed(permissions, String(args[0]), (why2) => {
      if (why2 === void 0) return Reflect.apply(target, self, args);
      refused2(why2);
      callback(Object.assign(new Error(why2), { code: "EACCES" }));
    });
  }
});
var list2 = (patterns, folder) => Effect53.flatMap(Permissions, (permissions) => listed(patterns, folder, permissions));
var listed = (patterns, folder, permissions) => Effect53.tryPromise({
  // Only a run looks for files: everything else starts without what does.
  try: async () => {
    const { glob } = await import("tinyglobby");
    const unread = /* @__PURE__ */ new Set();
    const refused2 = [];
    const add2 = (path2) => void unread.add(path2);
    const isKnown2 = (code) => code !== "ENOENT";
    const fs = {
      readdir: noting(
        confined(permissions, (why2) => void refused2.push(why2)),
        add2,
        () => true
      ),
      realpath: noting(NodeFs.realpath, add2, isKnown2),
      stat: noting(NodeFs.stat, add2, isKnown2)
    };
    const paths = await glob([...patterns], { cwd: folder, onlyFiles: true, expandDirectories: false, fs });
    return { paths: paths.sort(), unread: [...unread].sort(), refused: refused2.sort() };
  },
  catch: (cause) => new StepError({
    reason: "FilesUnreadable",
    message: `cannot list ${patterns.join(", ")}: ${String(cause)}`,
    cause
  })
}).pipe(
  Effect53.flatMap(
    ({ refused: [why2], ...listing2 }) => why2 === void 0 ? Effect53.succeed(listing2) : refuse(`${patterns.join(", ")}: ${why2}, or leave the folder out with a pattern like "!folder/**"`)
  )
);
var seenAs = (how, file) => {
  switch (how) {
    case "never":
      return void 0;
    case "content":
      return { key: file.sha256, value: file.path };
    case "path":
      return { key: file.path, value: null };
    case "mtime":
      return { key: file.path, value: `${file.size} bytes, ${file.modified}` };
  }
};
var wasSeen = (path2, how, memory, { folder }) => Effect53.gen(function* () {
  const system = yield* FileSystem9.FileSystem;
  const absolute = yield* readable(path2, folder);
  const { mtime, size } = yield* system.stat(absolute);
  const modified = Option12.match(mtime, { onNone: () => 0, onSome: (date2) => date2.getTime() });
  const hash3 = how === "content" ? yield* Stream11.runFold(system.stream(absolute), createHash("sha256"), (digest, bytes) => digest.update(bytes)) : void 0;
  const seen = seenAs(how, { path: path2, size: Number(size), modified, sha256: hash3?.digest("hex") ?? "" });
  return seen !== void 0 && memory.has(seen.key) && (how !== "mtime" || memory.get(seen.key) === seen.value);
});
var none6 = { rows: [], state: [] };
var files = make8({
  key: "files",
  summary: "Gives every file that a pattern matches, in the order of their paths; `$source` has path, name, extension, size.",
  example: 'files: { glob: "inbox/**/*.{pdf,docx,xlsx,html}", skipSeen: content }',
  config: Schema30.Struct({
    glob: Schema30.Union(Schema30.String, Schema30.Array(Schema30.String)).annotations({
      description: "a pattern or an array of patterns, relative to the definition's folder"
    }),
    skipSeen: Schema30.optionalWith(SkipSeen, { default: () => "never" })
  }),
  reads: (fields7) => ofPatterns("glob", mapping2(fields7).glob),
  estimate: listedRows,
  list: (config2, context) => Effect53.gen(function* () {
    const { glob, skipSeen } = mapping2(config2);
    const patterns = [glob].flat().filter((pattern6) => typeof pattern6 === "string");
    if (patterns.length < [glob].flat().length) return void 0;
    const found = (yield* list2(patterns, context.folder)).paths.slice(0, context.wanted);
    const { memory } = context;
    if (memory === void 0 || memory.size === 0 || !Schema30.is(SkipSeen)(skipSeen) || skipSeen === "never") {
      return { count: found.length };
    }
    const seen = yield* Effect53.filter(found, (path2) => wasSeen(path2, skipSeen, memory, context), {
      concurrency: together
    });
    return { count: found.length - seen.length, left: { of: found.length, seen: seen.length } };
  }),
  state: (fields7) => {
    const { skipSeen } = mapping2(fields7);
    return skipSeen === void 0 || skipSeen === "never" ? void 0 : { skipsSeen: true };
  },
  behaviour: {
    kind: "source",
    read: ({ glob, skipSeen }, context, { from }) => Stream11.unwrap(
      Effect53.gen(function* () {
        const system = yield* FileSystem9.FileSystem;
        const paths = yield* Path3.Path;
        const patterns = typeof glob === "string" ? [glob] : glob;
        const kept3 = yield* context.once(
          { name: "list" },
          () => list2(patterns, context.folder)
        );
        const { paths: found, unread } = "paths" in kept3 ? kept3 : { paths: kept3, unread: [] };
        if (unread.length > 0) {
          const some7 = unread.slice(0, 3).join(", ") + (unread.length > 3 ? ` and ${unread.length - 3} more` : "");
          yield* Effect53.logWarning(`${context.id}: cannot read ${some7}: files in there are not found`);
          yield* context.incomplete("unread");
        }
        const wanted = found.slice(0, context.wanted);
        if (wanted.length === 0) {
          yield* Effect53.logWarning(`${context.id}: no file matches ${patterns.join(", ")} in ${context.folder}`);
        }
        const remembers = skipSeen !== "never" && context.state.active;
        const earlier = new Map(remembers ? (yield* context.state.load).map(({ key: key2, value: value4 }) => [key2, value4]) : []);
        const isSeen = (seen) => seen !== void 0 && earlier.has(seen.key) && (skipSeen !== "mtime" || earlier.get(seen.key) === seen.value);
        const again2 = (seen) => Effect53.as(context.incomplete("seen"), {
          ...none6,
          unchanged: 1,
          state: [{ ...seen, rowKey: seen.key }]
        });
        const describe9 = (path2, position) => Effect53.gen(function* () {
          const absolute = yield* readable(path2, context.folder);
          const info = yield* system.stat(absolute);
          const modified = Option12.match(info.mtime, { onNone: () => 0, onSome: (date2) => date2.getTime() });
          const known4 = { path: path2, size: Number(info.size), modified };
          const early = skipSeen === "content" ? void 0 : seenAs(skipSeen, { ...known4, sha256: "" });
          if (early !== void 0 && isSeen(early)) return yield* again2(early);
          const hash3 = yield* system.stream(absolute, { chunkSize: 256 * 1024 }).pipe(Stream11.runFold(createHash("sha256"), (digest, bytes) => digest.update(bytes)));
          const sha2562 = hash3.digest("hex");
          const seen = seenAs(skipSeen, { ...known4, sha256: sha2562 });
          if (seen !== void 0 && isSeen(seen)) return yield* again2(seen);
          const data = {
            path: path2,
            name: paths.basename(path2),
            extension: paths.extname(path2).toLowerCase(),
            size: known4.size,
            sha256: sha2562
          };
          const rows3 = [{ data, key: sha2562, source: { ...data, absolute }, position }];
          return { rows: rows3, state: remembers && seen !== void 0 ? [{ ...seen, rowKey: sha2562 }] : [] };
        }).pipe(
          Effect53.mapError(
            (cause) => cause._tag === "StepError" ? cause : new StepError({
              reason: "FileUnreadable",
              message: `cannot read ${path2}: ${fileErrorReason(cause)}`,
              cause
            })
          ),
          Effect53.catchAll((error) => {
            if (error instanceof NotAllowed) return Effect53.fail(error);
            const failed3 = [{ data: { path: path2 }, key: path2, position }, error];
            return Effect53.succeed({ ...none6, failures: [failed3] });
          })
        );
        const begin2 = typeof from === "number" ? from : 0;
        return Stream11.range(begin2, wanted.length - 1).pipe(
          Stream11.mapEffect(
            (position) => Effect53.map(describe9(wanted[position] ?? "", position), (found2) => ({
              ...found2,
              cursor: position + 1,
              expected: position === 0 ? wanted.length : void 0
            })),
            { concurrency: together }
          ),
          // Files are looked at ahead; only what is taken has been seen.
          Stream11.mapEffect(({ state, ...batch }) => Effect53.as(context.state.put(state), batch))
        );
      })
    )
  }
});

// src/Step/Flatten.ts
import * as Effect54 from "effect/Effect";
import * as Schema31 from "effect/Schema";
var isMapping = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
var flattened = (data, { depth, lists, separator }) => {
  const made = /* @__PURE__ */ new Map();
  let twice;
  const walk2 = (value4, prefix, level) => {
    for (const [key2, each] of Object.entries(value4)) {
      const name = prefix + key2;
      if (isMapping(each) && level < depth && Object.keys(each).length > 0) walk2(each, name + separator, level + 1);
      else {
        if (made.has(name)) twice ??= name;
        made.set(name, Array.isArray(each) && lists === "json" ? JSON.stringify(each) : each);
      }
    }
  };
  walk2(data, "", 0);
  return twice ?? made;
};
var flatten3 = make8({
  key: "flatten",
  summary: "Makes nested values fields of the row, named by their path; a row in which two values would have one name is a failed row.",
  example: 'flatten: { separator: "_", lists: json }',
  config: Schema31.Struct({
    separator: Schema31.optionalWith(
      Schema31.NonEmptyString.annotations({ description: "the string between the names (a dot unless said)" }),
      { default: () => "." }
    ),
    depth: Schema31.optional(
      Schema31.Int.pipe(Schema31.positive()).annotations({
        description: "a whole number of levels that are taken apart, 1 or more (all unless said)"
      })
    ),
    lists: Schema31.optionalWith(
      Schema31.Literal("keep", "json").annotations({
        description: "keep: lists stay lists. json: they become their text."
      }),
      { default: () => "keep" }
    )
  }),
  estimate: asManyRows,
  behaviour: {
    kind: "transform",
    alone: true,
    make: ({ depth = 1e3, lists, separator }, context) => Effect54.succeed({
      push: flatMapValues([], context, (row, _5, made) => {
        const fields7 = flattened(row.data, { depth, lists, separator });
        if (typeof fields7 === "string") {
          return new StepError({
            reason: "FieldTwice",
            message: `flatten makes two fields ${JSON.stringify(fields7)}: choose another separator`
          });
        }
        made.push(withData(row, Object.fromEntries(fields7)));
        return void 0;
      })
    })
  }
});

// src/Step/JobStatus.ts
import * as Effect55 from "effect/Effect";
import * as Schema32 from "effect/Schema";
import * as Stream12 from "effect/Stream";
var config = Schema32.Struct({
  id: perRow(JobId),
  version: Schema32.optionalWith(Schema32.Literal("v1", "v2"), { default: () => "v2" })
});
var example = (key2) => `${key2}: { id: 01890f47-3c4b-7aee-8b2e-6a1d0f1c2b3a }`;
var note2 = "reading a job costs nothing; what the job has cost is counted by the run";
var attach = (Client, bounds) => ({ id, version: version2 }, context, { from, row = { data: {} } }) => Stream12.unwrap(
  Effect55.gen(function* () {
    const client = yield* Client;
    const job = yield* id.of(row, context.bindings(row));
    return jobRows(
      {
        ...foreign(job),
        pages: (position) => client.pages(job, { version: version2, from: position }),
        errors: client.errors(job, { version: version2 }),
        bounds
      },
      context,
      from
    );
  })
);
var batchStatus = make8({
  key: "batchStatus",
  summary: "Attaches to a batch scrape by its id and gives its pages as rows until it ends.",
  example: example("batchStatus"),
  config,
  service: { request: "GET /v2/batch/scrape/{id}", documented: true },
  estimate: requestPerRead,
  note: note2,
  behaviour: {
    kind: "source",
    pages: true,
    read: attach(BatchScrape, {})
  }
});
var crawlStatus = make8({
  key: "crawlStatus",
  summary: "Attaches to a crawl by its id and gives its pages as rows until it ends.",
  example: example("crawlStatus"),
  config,
  service: (fields7) => mapping2(fields7).version === "v1" ? { request: "GET /v1/crawl/{id}", documented: true } : { request: "GET /v2/crawl/{id}", documented: false },
  estimate: requestPerRead,
  note: note2,
  behaviour: {
    kind: "source",
    pages: true,
    read: attach(Crawl, { isUnknown: true })
  }
});

// src/Step/Join.ts
import * as Effect58 from "effect/Effect";
import * as Schema37 from "effect/Schema";
import * as Stream15 from "effect/Stream";

// src/Step/Read/Input.ts
import { stdin } from "node:process";
import { createGunzip as createGunzip2 } from "node:zlib";
import * as FileSystem11 from "@effect/platform/FileSystem";
import * as NodeStream3 from "@effect/platform-node/NodeStream";
import * as Effect56 from "effect/Effect";
import * as Option13 from "effect/Option";
import * as Schema33 from "effect/Schema";
import * as Stream13 from "effect/Stream";
var Stamp = Schema33.Struct({
  size: Schema33.Number,
  /** Milliseconds since 1970. */
  modified: Schema33.Number
});
var blockSize = 512 * 1024;
var unreadableIn = (file, folder) => (cause) => new StepError({
  reason: "FileUnreadable",
  message: cause._tag === "SystemError" && cause.reason === "NotFound" ? `there is no file ${pathInFolder(file, folder)}` : `cannot read ${pathInFolder(file, folder)}: ${fileErrorReason(cause)}`,
  cause
});
var broken = (file) => (cause) => new StepError({
  reason: "FileUnreadable",
  message: `cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
  cause
});
var drop3 = (bytes) => (blocks) => bytes === 0 ? blocks : Stream13.filter(
  Stream13.mapAccum(blocks, bytes, (left15, block) => [Math.max(0, left15 - block.length), block.subarray(left15)]),
  (block) => block.length > 0
);
var open4 = (file, folder) => Effect56.gen(function* () {
  if (file === "-") {
    const blocks = () => NodeStream3.fromReadable(() => stdin, broken("the standard input"));
    return { file: "the standard input", stamp: void 0, blocks };
  }
  const system = yield* FileSystem11.FileSystem;
  const path2 = yield* readable(file, folder);
  const unreadable = unreadableIn(file, folder);
  const info = yield* Effect56.mapError(system.stat(path2), unreadable);
  if (info.type === "Directory") {
    const message = `${file} is a folder: the step files gives what is in it`;
    return yield* new StepError({ reason: "FileUnreadable", message });
  }
  const fromSystem = (options) => Stream13.mapError(system.stream(path2, { chunkSize: blockSize, ...options }), unreadable);
  if (info.type !== "File") return { file, stamp: void 0, blocks: () => fromSystem({}) };
  const size = Number(info.size);
  const modified = Option13.match(info.mtime, { onNone: () => 0, onSome: (date2) => date2.getTime() });
  const start3 = yield* Stream13.runHead(fromSystem({ chunkSize: 2, bytesToRead: 2 }));
  const packed = Option13.exists(start3, ([first, second]) => first === 31 && second === 139);
  const unpack = NodeStream3.pipeThroughDuplex(() => createGunzip2({ chunkSize: blockSize }), broken(file));
  const plain = (offset) => Stream13.unwrapScoped(
    Effect56.gen(function* () {
      const handle = yield* system.open(path2, { flag: "r" });
      yield* handle.seek(offset, "start");
      const memory = new Uint8Array(blockSize);
      let left15 = size - offset;
      const next = Effect56.suspend(() => handle.read(memory.subarray(0, Math.min(left15, blockSize))));
      return Stream13.repeatEffectOption(
        Effect56.flatMap(Effect56.mapError(next, Option13.some), (read4) => {
          const count2 = Number(read4);
          left15 -= count2;
          return count2 === 0 ? Effect56.fail(Option13.none()) : Effect56.succeed(memory.subarray(0, count2));
        })
      );
    })
  ).pipe(Stream13.mapError(unreadable));
  return {
    file,
    stamp: { size, modified },
    // What is unpacked is read ahead, and so needs blocks of its own.
    blocks: packed ? (offset) => drop3(offset)(unpack(fromSystem({ bytesToRead: size }))) : plain
  };
});
var checkSame = ({ file, stamp: stamp2 }, before2) => stamp2 === void 0 || before2 === void 0 ? new StepError({
  reason: "InputChanged",
  message: `${file} cannot be read again from where the run stopped: begin a new run`
}) : stamp2.size === before2.size && stamp2.modified === before2.modified ? Effect56.void : new StepError({
  reason: "InputChanged",
  message: `${file} has changed since the run began (${before2.size} bytes then, ${stamp2.size} now): put it back, or begin a new run`
});

// src/Step/Read/Rows.ts
import * as Effect57 from "effect/Effect";
import * as Either27 from "effect/Either";
import * as Schema36 from "effect/Schema";
import * as Stream14 from "effect/Stream";

// src/Step/Read/Csv.ts
import * as Either25 from "effect/Either";
import * as Schema35 from "effect/Schema";

// src/Step/Read/Decoder.ts
import * as Schema34 from "effect/Schema";
var longestLine = 64 * 1024 * 1024;
var newline = 10;
var isTooLong = (start3, end2) => end2 < start3;
var none8 = Buffer.alloc(0);
var tooLong = { bytes: none8, starts: [0], ends: [-1] };
var LineSplitter = class {
  #held = [];
  #size = 0;
  #limit;
  constructor(limit2 = longestLine) {
    this.#limit = limit2;
  }
  /** Bytes of the line that is not complete yet. */
  get open() {
    return this.#size;
  }
  cut(block) {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    const parts = [];
    let at = 0;
    if (this.#size > 0) {
      const end2 = bytes.indexOf(newline);
      this.#hold(end2 < 0 ? bytes : bytes.subarray(0, end2));
      if (end2 < 0) return parts;
      parts.push(this.#release());
      at = end2 + 1;
    }
    const starts = [];
    const ends = [];
    for (let end2 = bytes.indexOf(newline, at); end2 >= 0; end2 = bytes.indexOf(newline, at)) {
      starts.push(at);
      ends.push(end2 - at > this.#limit ? at - 1 : end2);
      at = end2 + 1;
    }
    if (starts.length > 0) parts.push({ bytes, starts, ends });
    if (at < bytes.length) this.#hold(bytes.subarray(at));
    return parts;
  }
  /** The last line, where no newline ends it. */
  end() {
    return this.#size > 0 ? [this.#release()] : [];
  }
  #hold(bytes) {
    this.#size += bytes.length;
    if (this.#size > this.#limit) this.#held = [];
    else this.#held.push(Uint8Array.prototype.slice.call(bytes));
  }
  #release() {
    const size = this.#size;
    const held = this.#held;
    this.#held = [];
    this.#size = 0;
    return size > this.#limit ? tooLong : { bytes: Buffer.concat(held), starts: [0], ends: [size] };
  }
};
var tooLarge2 = (integer) => {
  const shown2 = integer.length > 40 ? `${integer.slice(0, 39)}\u2026` : integer;
  return `has the integer ${shown2}, beyond 2^53, and integers is strict`;
};
var Position = Schema34.Struct({
  /** Lines before it. */
  line: Schema34.Number,
  /** The names of a table's columns, once they are known. */
  header: Schema34.optional(Schema34.Array(Schema34.String))
});
var tooLongLine = `is longer than ${longestLine / 1024 / 1024} MiB`;
var withoutMark = (text4, line) => line === 1 && text4.startsWith("\uFEFF") ? text4.slice(1) : text4;
var shown = 1e3;
var malformed = (line, message, text4) => ({
  line,
  message,
  text: text4.length > shown ? `${text4.slice(0, shown)}\u2026` : text4
});
var failedRow = (file, { line, message, text: text4 }) => [
  { data: { file, line, text: text4 }, key: `${file}:${line}`, position: line },
  new StepError({ reason: "LineMalformed", message: `${file}, line ${line} ${message}` })
];

// src/Step/Read/Csv.ts
var CellType = Schema35.Literal("string", "integer", "number", "boolean", "json").annotations({
  description: "string, integer, number, boolean or json"
});
var HeaderInvalid = class {
  message;
  constructor(message) {
    this.message = message;
  }
};
var unfit2 = /* @__PURE__ */ Symbol("unfit");
var Kept = class {
  value;
  integer;
  constructor(value4, integer) {
    this.value = value4;
    this.integer = integer;
  }
};
var cells = {
  string: (text4) => text4,
  integer: (text4) => {
    if (!/^\s*[+-]?\d+\s*$/.test(text4)) return unfit2;
    if (Number.isSafeInteger(Number(text4))) return Number(text4);
    const integer = text4.trim().replace(/^(?:\+|(-))?0*/, "$1");
    return new Kept(integer, integer);
  },
  number: (text4) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text4) ? Number(text4) : unfit2,
  boolean: (text4) => ({ true: true, false: false })[text4.trim().toLowerCase()] ?? unfit2,
  json: (text4) => {
    if (isDeepJson(text4, deepest)) return unfit2;
    const parsed = Either25.getOrUndefined(Either25.try(() => parse2(text4)));
    if (parsed === void 0) return unfit2;
    return parsed.kept === void 0 ? parsed.value : new Kept(parsed.value, parsed.kept);
  }
};
var spelt = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  json: "JSON"
};
var columnOf = (name, { columns, nullText }) => {
  const type = (columns !== void 0 && Object.hasOwn(columns, name) ? columns[name] : void 0) ?? "string";
  const read4 = cells[type];
  if (type === "string") {
    return { name, type, read: nullText === void 0 ? read4 : (text4) => text4 === nullText ? null : text4 };
  }
  return { name, type, read: (text4) => text4 === "" || text4 === nullText ? null : read4(text4) };
};
var namesOf2 = (first, { columns, header }) => {
  const declared = columns === void 0 ? void 0 : Object.keys(columns);
  const names2 = header ? first.map((name) => name.trim()) : declared;
  return (names2 ?? first.map(() => "")).map((name, index) => name === "" ? `column${index + 1}` : name);
};
var separators = { ";": "semicolons", "	": "tabs" };
var delimiterHint = (names2) => {
  const [name = ""] = names2;
  const found = Object.entries(separators).find(([each]) => names2.length === 1 && name.includes(each));
  if (found === void 0) return void 0;
  const [delimiter, spelt2] = found;
  return `it is one column, ${JSON.stringify(name)}: if ${spelt2} separate its cells, say delimiter: ${JSON.stringify(delimiter)}`;
};
var otherwise = (absent, names2) => {
  const hint = delimiterHint(names2);
  return hint === void 0 ? didYouMean(absent, names2) || `: its columns are ${names2.join(", ")}` : `, ${hint}`;
};
var objectionTo = (names2, { columns, header }) => {
  const twice = names2.find((name, index) => names2.indexOf(name) !== index);
  if (twice !== void 0) return `has two columns ${JSON.stringify(twice)}: rename one of them`;
  if (names2.includes("__proto__")) return "has a column __proto__, which no row can have: rename it";
  const absent = header ? Object.keys(columns ?? {}).find((name) => !names2.includes(name)) : void 0;
  return absent === void 0 ? void 0 : `has no column ${JSON.stringify(absent)}${otherwise(absent, names2)}`;
};
var dataOf = (record, columns, integers, keep) => {
  if (record.length !== columns.length) {
    return Either25.left(`has ${record.length} cell${record.length === 1 ? "" : "s"} for ${columns.length} columns`);
  }
  const data = {};
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index];
    const cell = record[index];
    if (column === void 0 || cell === void 0) continue;
    const value4 = column.read(cell);
    if (value4 === unfit2) {
      const given = JSON.stringify(cell.length > 60 ? `${cell.slice(0, 57)}\u2026` : cell);
      return Either25.left(`has ${given} in ${column.name}, which is not ${spelt[column.type]}`);
    }
    if (value4 instanceof Kept) {
      if (integers === "strict") return Either25.left(`${tooLarge2(value4.integer)}: it is in ${column.name}`);
      keep(value4.integer);
      data[column.name] = value4.value;
    } else data[column.name] = value4;
  }
  return Either25.right(data);
};
var tableDecoder = (options, from) => {
  const records = new Records(options);
  let line = from.line;
  let columns = from.header?.map((name) => columnOf(name, options));
  let open6;
  let rows3 = [];
  let failures2 = [];
  let kept3;
  const refuse5 = (message, text4) => void failures2.push(malformed(line + 1, message, text4));
  const settle2 = (record, text4) => {
    if (columns === void 0) {
      const names2 = namesOf2(record, options);
      const objection4 = objectionTo(names2, options);
      if (objection4 !== void 0) throw new HeaderInvalid(objection4);
      columns = names2.map((name) => columnOf(name, options));
      if (options.header) return;
    }
    const data = dataOf(record, columns, options.integers ?? "string", (integer) => {
      kept3 ??= integer;
    });
    if (Either25.isLeft(data)) refuse5(data.left, text4);
    else rows3.push({ data: data.right, position: line + 1 });
  };
  const giveUp = ({ lines, text: text4 }) => refuse5(`opens a quote that nothing closes: ${lines === 1 ? "it is" : `${lines} lines are`} lost`, text4);
  const read4 = (text4, bytes) => {
    const now = open6 ?? { lines: 0, bytes: 0, text: text4?.slice(0, shown + 1) ?? "" };
    now.lines++;
    now.bytes += bytes + 1;
    const empty9 = open6 === void 0 && (text4 === "" || text4 === "\r");
    const result = text4 === void 0 ? { message: tooLongLine } : empty9 ? [] : records.line(text4);
    if (result === "open" && now.bytes <= longestLine) {
      open6 = now;
      return;
    }
    if (result === "open") giveUp(now);
    else if ("message" in result) refuse5(result.message, now.text);
    else if (result.length > 0) settle2(result, now.text);
    records.reset();
    line += now.lines;
    open6 = void 0;
  };
  const take4 = () => {
    const decoded = { rows: rows3, malformed: failures2, kept: kept3 };
    rows3 = [];
    failures2 = [];
    return decoded;
  };
  return {
    decode: (parts) => {
      for (const { bytes, ends, starts } of parts) {
        for (let index = 0; index < starts.length; index++) {
          const start3 = starts[index] ?? 0;
          const end2 = ends[index] ?? 0;
          const text4 = isTooLong(start3, end2) ? void 0 : bytes.toString("utf8", start3, end2);
          read4(line === 0 && text4 !== void 0 ? withoutMark(text4, 1) : text4, Math.max(0, end2 - start3));
        }
      }
      return take4();
    },
    end: () => {
      if (open6 !== void 0) giveUp(open6);
      return take4();
    },
    state: () => ({ line, header: columns?.map(({ name }) => name) }),
    held: () => open6?.bytes ?? 0
  };
};
var Records = class {
  #delimiter;
  #quote;
  #cells = [];
  /** The lines of a quoted cell that is not closed yet. */
  #open;
  constructor({ delimiter, quote: quote2 }) {
    this.#delimiter = delimiter;
    this.#quote = quote2;
  }
  /** The text of a line, with the carriage return where it ends with one. */
  line(text4) {
    const returns = text4.endsWith("\r");
    const line = returns ? text4.slice(0, -1) : text4;
    if (this.#open === void 0 && !line.includes(this.#quote)) return line.split(this.#delimiter);
    const result = this.#read(line, returns ? "\r\n" : "\n");
    if (result !== "open") this.reset();
    return result;
  }
  /** Forgets a record that is not complete. */
  reset() {
    this.#cells = [];
    this.#open = void 0;
  }
  /** A quote counts where a cell begins with it, and is doubled within. */
  #read(line, lineEnd) {
    const delimiter = this.#delimiter;
    const quote2 = this.#quote;
    const cells2 = this.#cells;
    let at = 0;
    let open6 = this.#open;
    for (; ; ) {
      if (open6 === void 0) {
        if (line[at] !== quote2) {
          const end3 = line.indexOf(delimiter, at);
          cells2.push(line.slice(at, end3 < 0 ? void 0 : end3));
          if (end3 < 0) return cells2;
          at = end3 + 1;
          continue;
        }
        open6 = [];
        at++;
      }
      const end2 = this.#closing(line, at);
      open6.push(line.slice(at, end2).replaceAll(quote2 + quote2, quote2));
      if (end2 === void 0) {
        open6.push(lineEnd);
        this.#open = open6;
        return "open";
      }
      cells2.push(open6.length === 1 ? open6[0] ?? "" : open6.join(""));
      open6 = void 0;
      const next = line[end2 + 1];
      if (next === void 0) return cells2;
      if (next !== delimiter) {
        return { message: `has ${JSON.stringify(next)} behind the quote that closes cell ${cells2.length}` };
      }
      at = end2 + 2;
    }
  }
  /** Where the quoted cell that is open ends. */
  #closing(line, from) {
    let end2 = line.indexOf(this.#quote, from);
    while (end2 >= 0 && line[end2 + 1] === this.#quote) end2 = line.indexOf(this.#quote, end2 + 2);
    return end2 < 0 ? void 0 : end2;
  }
};

// src/Step/Read/Jsonl.ts
import * as Either26 from "effect/Either";
var isObject2 = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
var strange = new Error("not an object");
var decodeFast = ({ bytes, ends, starts }, line, rows3, integers) => {
  const isLarge = mayHold(bytes, starts[0] ?? 0, ends.at(-1) ?? 0);
  let kept3;
  const lines = bytes.toString("utf8", starts[0], ends.at(-1)).split("\n");
  if (lines.length !== starts.length || ends.some((end2, index) => isTooLong(starts[index] ?? 0, end2))) throw strange;
  for (let index = 0; index < lines.length; index++) {
    const text4 = lines[index];
    if (text4 === void 0 || text4 === "" || text4 === "\r") continue;
    const data = isLarge ? parseLarge(text4, (integer) => kept3 ??= integer) : parseShallow(text4);
    if (!isObject2(data)) throw strange;
    rows3.push({ data, position: line + index });
  }
  if (kept3 !== void 0 && integers === "strict") throw strange;
  return kept3;
};
var parseLarge = (text4, keep) => {
  if (isDeepJson(text4, deepest)) return void 0;
  const { kept: kept3, value: value4 } = parse2(text4);
  if (kept3 !== void 0) keep(kept3);
  return value4;
};
var describe8 = (data) => data === null ? "null" : Array.isArray(data) ? "an array" : typeof data === "string" ? "a string" : `a ${typeof data}`;
var decodeLine = (text4, integers, keep) => {
  if (text4.trim() === "") return Either26.right(void 0);
  let kept3;
  const parsed = Either26.try(() => parseLarge(text4, (integer) => kept3 = integer));
  if (Either26.isLeft(parsed)) {
    const hint = text4.includes("\0") ? "it holds zero bytes" : String(parsed.left.message);
    return Either26.left(`is not JSON: ${hint.replaceAll(new RegExp("\\p{Cc}", "gu"), "\xB7")}`);
  }
  if (parsed.right === void 0) return Either26.left(`is nested more than ${deepest.toLocaleString("en")} levels deep`);
  if (kept3 !== void 0 && integers === "strict") return Either26.left(tooLarge2(kept3));
  if (kept3 !== void 0) keep(kept3);
  return isObject2(parsed.right) ? Either26.right(parsed.right) : Either26.left(`is ${describe8(parsed.right)}, and a row is an object`);
};
var decodeCarefully = (lines, line, rows3, failures2, integers) => {
  let kept3;
  for (const [index, start3] of lines.starts.entries()) {
    const end2 = lines.ends[index] ?? 0;
    if (isTooLong(start3, end2)) {
      failures2.push(malformed(line + index, tooLongLine, ""));
      continue;
    }
    const text4 = withoutMark(lines.bytes.toString("utf8", start3, end2), line + index);
    const data = decodeLine(text4, integers, (integer) => kept3 ??= integer);
    if (Either26.isLeft(data)) failures2.push(malformed(line + index, data.left, text4));
    else if (data.right !== void 0) rows3.push({ data: data.right, position: line + index });
  }
  return kept3;
};
var jsonDecoder = ({ line: before2 }, integers = "string") => {
  let line = before2;
  return {
    decode: (parts) => {
      const rows3 = [];
      const failures2 = [];
      let kept3;
      for (const part of parts) {
        const done2 = rows3.length;
        const fast = Either26.try(() => decodeFast(part, line + 1, rows3, integers));
        if (Either26.isLeft(fast)) {
          rows3.length = done2;
          const careful = decodeCarefully(part, line + 1, rows3, failures2, integers);
          kept3 ??= careful;
        } else kept3 ??= fast.right;
        line += part.starts.length;
      }
      return { rows: rows3, malformed: failures2, kept: kept3 };
    },
    end: () => ({ rows: [], malformed: [] }),
    state: () => ({ line }),
    held: () => 0
  };
};

// src/Step/Read/Rows.ts
var Mark = Schema36.String.pipe(
  Schema36.filter((text4) => /^[\t\x20-\x7e]$/.test(text4) || "one ASCII character is needed, like , or ; or a tab")
);
var formatFields = {
  format: Schema36.optional(
    Schema36.Literal("jsonl", "csv").annotations({
      description: "jsonl or csv; told by the file's name (.jsonl .ndjson .csv .tsv, with or without .gz) unless said"
    })
  ),
  columns: Schema36.optional(
    Schema36.Record({ key: Schema36.String, value: CellType }).annotations({
      description: "CSV: column to type; string unless said. An empty cell of another type is null. Without a header, the columns in their order."
    })
  ),
  header: Schema36.optional(
    Schema36.Boolean.annotations({ description: "CSV: whether the first record names the columns; true unless said" })
  ),
  delimiter: Schema36.optional(
    Mark.annotations({
      description: "one ASCII character between the cells of CSV (a comma, or a tab in .tsv, unless said)"
    })
  ),
  quote: Schema36.optional(
    Mark.annotations({ description: 'one ASCII character around cells of CSV that need it (" unless said)' })
  ),
  integers: Schema36.optional(
    Schema36.Literal("string", "strict").annotations({
      description: "Integers beyond 2^53, which numbers cannot hold: string keeps their digits as a string, with a warning (so unless said); strict makes a failed row of the line."
    })
  ),
  nullText: Schema36.optional(Schema36.String.annotations({ description: "CSV: a cell that says this is null" }))
};
var Fields2 = Schema36.Struct(formatFields);
var bare2 = (file) => file.replace(/\.gz$/i, "").toLowerCase();
var formatOf = ({ file, format: format10 }) => {
  if (format10 !== void 0) return format10;
  if (file === "-" || /\.(jsonl|ndjson)$/.test(bare2(file))) return "jsonl";
  return /\.(csv|tsv)$/.test(bare2(file)) ? "csv" : void 0;
};
var formatMistake = (config2) => {
  const { columns, delimiter, file, format: _5, header, nullText, quote: quote2 } = config2;
  const format10 = formatOf(config2);
  if (file === "") return { path: ["file"], message: "name a file, or - for what is piped in" };
  if (format10 === void 0) {
    return { path: ["file"], message: `what is in ${file} is not told by its name: add format: jsonl or format: csv` };
  }
  const options = { columns, header, delimiter, quote: quote2, nullText };
  const lone = Object.entries(options).find(([, value4]) => value4 !== void 0)?.[0];
  if (format10 === "jsonl" && lone !== void 0)
    return { path: [lone], message: `${lone} is for csv, and this is jsonl` };
  if ((delimiter ?? ",") === (quote2 ?? '"')) return { path: ["delimiter"], message: "delimiter and quote must differ" };
  return void 0;
};
var decoderOf = (config2, from) => {
  const { columns, file, header = true, integers = "string", nullText, quote: quote2 = '"' } = config2;
  if (formatOf(config2) === "jsonl") return jsonDecoder(from, integers);
  const delimiter = config2.delimiter ?? (bare2(file).endsWith(".tsv") ? "	" : ",");
  return tableDecoder({ columns, delimiter, header, integers, nullText, quote: quote2 }, from);
};
var Cursor = Schema36.Struct({
  ...Position.fields,
  /** Unpacked bytes before it. */
  offset: Schema36.Number,
  /** Rows given. */
  rows: Schema36.Number,
  stamp: Schema36.optional(Stamp)
});
var isUtf16 = ([first, second]) => first === 255 && second === 254 || first === 254 && second === 255;
var rowsOf = (input, format10, from) => Stream14.suspend(() => {
  const start3 = from ?? { offset: 0, line: 0, rows: 0 };
  const decoder = decoderOf(format10, start3);
  const cutter = new LineSplitter();
  let read4 = start3.offset;
  let given = start3.rows;
  const batch = ({ kept: kept3, malformed: malformed2, rows: rows3 }) => {
    if (rows3.length === 0 && malformed2.length === 0) return [];
    given += rows3.length;
    const offset = read4 - cutter.open - decoder.held();
    const cursor = { ...decoder.state(), offset, rows: given, stamp: input.stamp };
    return [{ rows: rows3, cursor, failures: malformed2.map((each) => failedRow(input.file, each)), kept: kept3 }];
  };
  const decode3 = (decoded) => Either27.try({
    try: () => batch(decoded()),
    catch: (cause) => cause instanceof HeaderInvalid ? new StepError({ reason: "HeaderInvalid", message: `the header of ${input.file} ${cause.message}` }) : new StepError({ reason: "FileUnreadable", message: `cannot read ${input.file}: ${String(cause)}`, cause })
  });
  let isLooked = from !== void 0;
  const look2 = Effect57.suspend(() => {
    const { header } = decoder.state();
    if (isLooked || header === void 0) return Effect57.void;
    isLooked = true;
    const hint = delimiterHint(header);
    return hint === void 0 ? Effect57.void : Effect57.logWarning(`${input.file}: ${hint}`);
  });
  const blocks = Stream14.mapEffect(input.blocks(start3.offset), (block) => {
    if (read4 === 0 && isUtf16(block)) {
      const message = `${input.file} is UTF-16: convert it to UTF-8`;
      return new StepError({ reason: "FileUnreadable", message });
    }
    read4 += block.length;
    return decode3(() => decoder.decode(cutter.cut(block)));
  });
  const rest = Stream14.mapEffect(
    Stream14.make(() => decoder.decode(cutter.end()), decoder.end),
    decode3
  );
  const all5 = Stream14.flattenIterables(Stream14.tap(Stream14.concat(blocks, rest), () => look2));
  return from === void 0 ? all5 : Stream14.unwrap(Effect57.as(checkSame(input, from.stamp), all5));
});

// src/Step/Join.ts
var defaultMost = 1e5;
var Config3 = Schema37.Struct({
  file: Schema37.String.annotations({ description: "a file of rows, relative to the definition's folder" }),
  ...formatFields,
  on: Schema37.Union(
    Schema37.Struct({ left: ExpressionText, right: ExpressionText }),
    ExpressionText.annotations({ description: "an expression over both sides" })
  ),
  fields: Schema37.optional(
    Schema37.Array(Schema37.String).pipe(Schema37.minItems(1)).annotations({ description: "an array of the file's fields (all unless said)" })
  ),
  as: Schema37.optional(
    Schema37.NonEmptyString.annotations({
      description: "the name of one field for all of them; without it they become fields of the row"
    })
  ),
  type: Schema37.optionalWith(
    Schema37.Literal("left", "inner").annotations({
      description: "left: rows that the file does not know pass as they are. inner: they are left out."
    }),
    { default: () => "left" }
  ),
  many: Schema37.optionalWith(
    Schema37.Literal("first", "all", "error").annotations({
      description: "When the file has several rows for one: the first of them, a row for each, or a failed row. `all` numbers the identities of its rows."
    }),
    { default: () => "first" }
  ),
  maxRows: Schema37.optionalWith(
    Schema37.Int.pipe(Schema37.positive()).annotations({
      description: "a whole number: a file with more rows is not held in memory; 100,000 unless said"
    }),
    { default: () => defaultMost }
  )
}).pipe(
  Schema37.filter((config2) => {
    if (config2.file === "-") return { path: ["file"], message: "what is piped in cannot be joined: name a file" };
    return formatMistake(config2) ?? true;
  })
);
var textOf2 = (value4) => typeof value4 === "string" ? value4 : JSON.stringify(value4);
var keyTextOf = (value4) => value4 === null || value4 === "" ? void 0 : textOf2(value4);
var pick2 = (data, fields7) => fields7 === void 0 ? data : Object.fromEntries(fields7.flatMap((name) => Object.hasOwn(data, name) ? [[name, data[name]]] : []));
var failure = (reason, message) => new StepError({ reason, message });
var load2 = (config2, input, context) => Effect58.gen(function* () {
  const { file, fields: fields7, many, maxRows, on } = config2;
  const right15 = "right" in on ? on.right : on;
  const found = /* @__PURE__ */ new Map();
  let count2 = 0;
  yield* rowsOf(input, config2).pipe(
    Stream15.runForEach(
      ({ failures: [malformed2], kept: kept3, rows: rows3 }) => Effect58.gen(function* () {
        if (kept3 !== void 0) yield* context.warnOnce("integers", keptAsString(file, kept3));
        if (malformed2 !== void 0) return yield* malformed2[1];
        count2 += rows3.length;
        if (count2 > maxRows) {
          const most2 = maxRows.toLocaleString("en");
          return yield* failure(
            "TooManyRows",
            `${file} has more than the ${most2} rows that join holds: raise maxRows`
          );
        }
        const { columns, failures: failures2 } = yield* evaluate([right15], rows3, context.bindings);
        for (const [index, error] of failures2) {
          const { message } = expressionFailed(error);
          return yield* failure("ExpressionFailed", `${file}, line ${rows3[index]?.position ?? "?"}: ${message}`);
        }
        for (const [index, { data }] of rows3.entries()) {
          const key2 = keyTextOf(columns[0]?.[index]);
          if (key2 === void 0) continue;
          const others = found.get(key2);
          if (others === void 0) found.set(key2, [pick2(data, fields7)]);
          else if (many !== "first") others.push(pick2(data, fields7));
        }
      })
    )
  );
  return found;
});
var merge2 = (data, other, as13) => {
  const added = as13 === void 0 ? other : { [as13]: other };
  let isShared2 = false;
  for (const name of Object.keys(added)) {
    if (!Object.hasOwn(data, name)) continue;
    if (textOf2(data[name]) !== textOf2(added[name])) return name;
    isShared2 = true;
  }
  return isShared2 ? { ...data, ...added, ...data } : { ...data, ...added };
};
var decodeStamp = decodeState(Stamp);
var join8 = make8({
  key: "join",
  summary: "Adds to each row, behind its own fields, what a file (JSONL or CSV, held in memory) says under the same key. A field that both sides have with different values makes a failed row: choose `fields`, or `as`.",
  example: "join: { file: owners.csv, on: { left: $host(url), right: host }, fields: [owner, team] }",
  config: Config3,
  reads: ofFile("file"),
  estimate: (given) => {
    const { many, type } = mapping2(given.config);
    return many === "all" ? anyRows(given) : type === "inner" ? fewerRows(given) : asManyRows(given);
  },
  behaviour: {
    kind: "transform",
    alone: true,
    make: (config2, context, saved2) => Effect58.gen(function* () {
      const { as: as13, file, many, on, type } = config2;
      const input = yield* open4(file, context.folder);
      const before2 = yield* decodeStamp(context, saved2.value);
      if (before2 !== void 0) yield* checkSame(input, before2);
      const found = yield* load2(config2, input, context);
      let isNew = before2 === void 0;
      const add2 = (row, others, made) => {
        const rows3 = [];
        for (const [index, other] of others.entries()) {
          const data = merge2(row.data, other, as13);
          if (typeof data === "string") {
            return failure(
              "FieldExists",
              `the row has another ${data} than ${file}: choose the fields to add, or a name for all with as`
            );
          }
          const joined = withData(row, data);
          rows3.push(many === "all" ? { ...joined, origin: void 0, key: `${keyOf(row)}#${index}` } : joined);
        }
        made.push(...rows3);
        return void 0;
      };
      return {
        push: flatMapValues(["left" in on ? on.left : on], context, (row, value4, made) => {
          const key2 = keyTextOf(value4(0));
          const others = key2 === void 0 ? void 0 : found.get(key2);
          if (others === void 0) {
            if (type === "left") made.push(row);
            return void 0;
          }
          if (many === "error" && others.length > 1) {
            return failure(
              "ManyMatches",
              `${file} has ${others.length} rows for ${JSON.stringify(key2)}: make its keys unique, or say many: first or many: all`
            );
          }
          return add2(row, many === "all" ? others : others.slice(0, 1), made);
        }),
        save: Effect58.sync(() => {
          const changes2 = isNew ? { value: input.stamp } : {};
          isNew = false;
          return changes2;
        })
      };
    })
  }
});

// src/Step/Limit.ts
import * as Effect59 from "effect/Effect";
import * as Schema38 from "effect/Schema";
var limit = make8({
  key: "limit",
  summary: "Passes the first rows and stops asking for more.",
  example: "limit: 100",
  config: Schema38.Int.pipe(Schema38.positive()).annotations({ description: "a whole number of rows, 1 or more" }),
  estimate: ({ config: config2, keys, rows: rows3 }) => {
    const count2 = numberOf(config2);
    return { ...idle, rows: atMost(rows3, count2), keys: keys?.slice(0, count2) };
  },
  behaviour: {
    kind: "transform",
    truncates: true,
    make: (wanted, context, saved2) => Effect59.sync(() => {
      let passed = typeof saved2.value === "number" ? saved2.value : 0;
      return {
        push: (rows3) => Effect59.suspend(() => {
          const room = wanted - passed;
          const first = rows3.length <= room ? rows3 : rows3.slice(0, room);
          passed += first.length;
          return rows3.length > room ? Effect59.as(context.incomplete("limit"), first) : Effect59.succeed(first);
        }),
        full: () => passed >= wanted,
        save: Effect59.sync(() => ({ value: passed }))
      };
    })
  }
});

// src/Step/Parse.ts
import * as Effect60 from "effect/Effect";
import * as Schema39 from "effect/Schema";
var { origin: _3, integration: __3, ...fields5 } = optionFields;
var localFile = (row) => typeof row.source?.absolute === "string" ? row.source.absolute : void 0;
var cost4 = (fields7) => mapping2(fields7).url === void 0 ? page("parse", fields7) : page("scrape", fields7);
var parse4 = make8({
  key: "parse",
  summary: "Parses one file for each row: the local file of a `files` row is uploaded; a file with an address (`url`) is fetched and parsed by the service.",
  example: "parse: { formats: [markdown, summary] }",
  config: Schema39.Struct({
    ...fields5,
    url: Schema39.optional(
      perRow(PageUrl).annotations({ description: "the address of a file, as a string or { expr: \u2026 }" })
    )
  }),
  needs: (fields7) => [...parsing(fields7), ...reaching("url")(fields7)],
  objections: unknownFormats,
  cost: cost4,
  service: (fields7) => mapping2(fields7).url === void 0 ? { request: "POST /v2/parse", documented: true } : { request: "POST /v2/scrape", documented: false },
  estimate: pagePerRow,
  nouns: { page: "file" },
  headers: ["headers"],
  sites: (fields7) => mapping2(fields7).url === void 0 ? void 0 : sitesOfRows(fields7),
  behaviour: {
    kind: "item",
    pages: true,
    apply: ({ url, ...options }, row, context) => Effect60.gen(function* () {
      const file = url === void 0 ? localFile(row) : void 0;
      if (url === void 0 && file === void 0) {
        return yield* new StepError({
          reason: "NoFile",
          message: "the row has no file: put parse after files, or name an address like url: { expr: link }"
        });
      }
      const { data, key: key2 } = file !== void 0 ? {
        key: keyOf(row),
        data: yield* Effect60.zipRight(
          readable(file, context.folder),
          paid(
            (key3) => call(Effect60.flatMap(Parse, (client) => client.parse({ file }, options, key3))),
            keyOf(row),
            cost4(options),
            context
          )
        )
      } : yield* Effect60.gen(function* () {
        const client = yield* Scrape;
        const address = url === void 0 ? "" : yield* url.of(row, context.bindings(row));
        yield* sendable(address, context);
        const ask = (key4) => call(client.run({ ...options, url: address }, key4));
        const key3 = row.key ?? pageKey(address);
        return { key: key3, data: yield* paid(ask, key3, cost4({ url, ...options }), context) };
      });
      const source = file === void 0 ? row.data : row.source;
      return { ...documentRow(data, { source, position: row.position }), key: key2 };
    })
  }
});

// src/Step/Read.ts
import * as Effect61 from "effect/Effect";
import * as Schema40 from "effect/Schema";
import * as Stream16 from "effect/Stream";
var File = Schema40.String.annotations({
  description: "a file of rows, relative to the definition's folder, or - for what is piped in"
});
var Config4 = Schema40.Union(Schema40.Struct({ file: File, ...formatFields }), File).pipe(
  Schema40.filter((config2) => {
    const mistake = formatMistake(asFormat(config2));
    if (mistake === void 0) return true;
    return typeof config2 === "string" ? mistake.message : mistake;
  })
);
var asFormat = (config2) => typeof config2 === "string" ? { file: config2 } : config2;
var decodeCursor = decodeState(Cursor);
var read2 = make8({
  key: "read",
  summary: "Gives the rows of a JSONL or CSV file (also gzipped), or of what is piped in, in their order. A line that is no row is a failed row.",
  example: 'read: { file: stations.csv, delimiter: ";", columns: { height: number } }',
  config: Config4,
  reads: ofFile("file"),
  estimate: listedRows,
  behaviour: {
    kind: "source",
    read: (config2, context, { from }) => Stream16.unwrap(
      Effect61.gen(function* () {
        const format10 = asFormat(config2);
        const input = yield* open4(format10.file, context.folder);
        return Stream16.tap(
          rowsOf(input, format10, yield* decodeCursor(context, from)),
          ({ failures: failures2, kept: kept3 }) => Effect61.zipRight(
            kept3 === void 0 ? Effect61.void : context.warnOnce("integers", keptAsString(format10.file, kept3)),
            // A line that cannot be read may have been any row.
            failures2.length > 0 ? context.incomplete("unread") : Effect61.void
          )
        );
      })
    )
  }
});

// src/Step/Sample.ts
import { hash as hash2 } from "node:crypto";
import * as Effect62 from "effect/Effect";
import * as Schema41 from "effect/Schema";
var most = 1e5;
var Share = Schema41.String.pipe(
  Schema41.pattern(/^\s*\d{1,3}(\.\d+)?\s*%\s*$/),
  Schema41.filter((text4) => {
    const percent = Number.parseFloat(text4);
    return percent > 0 && percent <= 100 || "a share is more than 0% and not more than 100%";
  })
).annotations({ description: "a share like 5%" });
var chances = (seed) => {
  const digest = hash2("sha256", seed, "buffer");
  const first = digest.readUInt32LE(0);
  const second = digest.readUInt32LE(4);
  return (position) => {
    const low = position >>> 0;
    const high = Math.floor(position / 2 ** 32);
    const one2 = mix2(mix2(first ^ low) + high);
    const other = mix2(one2 ^ second ^ Math.imul(low, 2654435761));
    return ((one2 >>> 6) * 2 ** 26 + (other >>> 6)) / 2 ** 52;
  };
};
var mix2 = (number2) => {
  let bits = number2 >>> 0;
  bits = Math.imul(bits ^ bits >>> 16, 2246822507);
  bits = Math.imul(bits ^ bits >>> 13, 3266489909);
  return (bits ^ bits >>> 16) >>> 0;
};
var Chosen = Schema41.Struct({ position: Schema41.Number, row: SavedRow });
var decodeChosen = decodeEntries(Chosen);
var reservoir = (size, chance, context, { value: value4 }, before2) => {
  let seen = typeof value4 === "number" ? value4 : 0;
  const chosen = [...before2];
  let changed = /* @__PURE__ */ new Set();
  return {
    push: (rows3) => Effect62.sync(() => {
      for (const row of rows3) {
        const place = seen < size ? seen : Math.floor(chance(seen) * (seen + 1));
        if (place < size) {
          chosen[place] = { position: seen, row };
          changed.add(place);
        }
        seen++;
      }
      return [];
    }).pipe(Effect62.zipLeft(Effect62.suspend(() => seen > size ? context.incomplete("sample") : Effect62.void))),
    end: (from) => bufferedRows(
      chosen.toSorted((a, b) => a.position - b.position).map(({ row }) => row),
      from
    ),
    save: Effect62.sync(() => {
      const entries = [...changed].flatMap((place) => {
        const each = chosen[place];
        return each === void 0 ? [] : [[ordinal(place), { position: each.position, row: toJson(each.row) }]];
      });
      changed = /* @__PURE__ */ new Set();
      return { value: seen, entries };
    })
  };
};
var sieve = (share, chance, context, saved2) => {
  let seen = typeof saved2.value === "number" ? saved2.value : 0;
  return {
    push: (rows3) => Effect62.suspend(() => {
      const chosen = rows3.filter(() => chance(seen++) < share);
      return chosen.length < rows3.length ? Effect62.as(context.incomplete("sample"), chosen) : Effect62.succeed(chosen);
    }),
    save: Effect62.sync(() => ({ value: seen }))
  };
};
var sample = make8({
  key: "sample",
  summary: "Passes some rows by chance: a number of them once the input has ended, or a share as they come. Another run chooses other rows; a resumed one goes on with its choice.",
  example: "sample: { rows: 100 }",
  config: Schema41.Union(
    Schema41.Struct({
      rows: Schema41.Int.pipe(Schema41.between(1, most)).annotations({
        description: "a whole number of rows, from 1 to 100,000"
      })
    }),
    Schema41.Struct({ share: Share })
  ),
  estimate: (given) => {
    const count2 = numberOf(mapping2(given.config).rows);
    return count2 === void 0 ? fewerRows(given) : { ...idle, rows: atMost(given.rows, count2) };
  },
  behaviour: {
    kind: "transform",
    leavesOut: true,
    make: (config2, context, saved2) => Effect62.gen(function* () {
      const chance = chances(`${context.runId}/${context.id}`);
      return "rows" in config2 ? reservoir(
        config2.rows,
        chance,
        context,
        saved2,
        (yield* decodeChosen(context, saved2)).map(([, chosen]) => chosen)
      ) : sieve(Number.parseFloat(config2.share) / 100, chance, context, saved2);
    })
  }
});

// src/Step/Scrape.ts
import * as Effect63 from "effect/Effect";
import * as Schema42 from "effect/Schema";
var cost5 = (fields7) => mapping2(fields7).session === void 0 ? page("scrape", fields7) : page("parse", fields7);
var scrape = make8({
  key: "scrape",
  summary: "Scrapes one page for each row; the row becomes the document, `$source` is the incoming row.",
  example: `scrape:
  url: { expr: link }
  formats: [markdown]`,
  config: Schema42.Struct({
    ...fields,
    url: Schema42.optionalWith(perRow(PageUrl), { default: rowUrl }),
    session: Schema42.optional(
      Session.annotations({
        description: "the output of a browser step: pages are shown in that session, with its cookies, and read as files are parsed; none of them is kept for a search"
      })
    )
  }).pipe(
    Schema42.filter(({ session, url: _5, ...options }) => {
      const [idle2] = session === void 0 ? [] : optionsWithoutEffect(options);
      return idle2 === void 0 || { path: [idle2], message: `"${idle2}" has no effect in a browser session: remove it` };
    })
  ),
  needs: (fields7) => [...scraping(fields7), ...reaching("url")(fields7)],
  objections: unknownFormats,
  cost: cost5,
  service: (fields7) => mapping2(fields7).session === void 0 ? { request: "POST /v2/scrape", documented: false } : { request: "POST /v2/parse", documented: true },
  estimate: pagePerRow,
  headers: ["headers"],
  sites: sitesOfRows,
  behaviour: {
    kind: "item",
    pages: true,
    apply: ({ session, url, ...options }, row, context) => Effect63.gen(function* () {
      const client = yield* Scrape;
      const address = yield* url.of(row, context.bindings(row));
      yield* sendable(address, context);
      const data = yield* paid(
        (key2) => session === void 0 ? call(client.run({ ...options, url: address }, key2)) : readInSession(session, address, options, key2),
        // As the row that comes of it is known: a page that was met is not gone, whatever becomes of its row.
        row.key ?? pageKey(address),
        cost5({ session, ...options }),
        context
      );
      return { ...documentRow(data, { source: row.data, position: row.position }), key: row.key };
    })
  }
});

// src/Step/Search.ts
import * as Effect64 from "effect/Effect";
import * as Schema43 from "effect/Schema";
import * as Stream17 from "effect/Stream";
var isPageUrl = Schema43.is(PageUrl);
var { origin: _4, integration: __4, ...fields6 } = requestFields;
var withLimit = (source, most2) => source.limit === void 0 ? source : { ...source, limit: Math.min(source.limit, most2) };
var search3 = make8({
  key: "search",
  summary: "Searches and gives every result as a row, with the field `source`: web, images or news. A hit that is no web address is a failed row.",
  example: `search:
  query: open source etl engine
  limit: 20
  sources: [web, news]`,
  config: Schema43.Struct({ ...fields6, query: perRow(fields6.query) }),
  needs: (fields7) => [
    { ability: "web", path: [], what: "a search", optional: true },
    ...within2("scrapeOptions", fields7, scrapingMany)
  ],
  cost: (fields7, wanted) => search2(fields7, searchLimit(fields7, wanted)),
  service: { request: "POST /v2/search", documented: true },
  estimate: ({ config: config2, cost: cost7, times: times2, wanted }) => {
    const known4 = config2 === open3 ? void 0 : config2;
    const { pages: pages2, results } = searchResults(known4, searchLimit(known4, wanted));
    return {
      requests: times2,
      pages: times(times2, upTo3(pages2)),
      rows: times(times2, upTo3(Math.min(results, wanted ?? results))),
      buys: bought(cost7, times2)
    };
  },
  headers: ["scrapeOptions", "headers"],
  sites: () => "any",
  objections: (fields7) => within2("scrapeOptions", fields7, unknownFormats),
  behaviour: {
    kind: "source",
    read: ({ query, ...request3 }, context, begin2) => Stream17.unwrap(
      Effect64.gen(function* () {
        const { row } = begin2;
        const text4 = yield* query.of(row ?? { data: {} }, context.bindings(row ?? { data: {} }));
        const client = yield* Search;
        const limit2 = searchLimit(request3, context.wanted);
        const detailed = (request3.sources ?? []).filter((source) => typeof source === "object");
        const capped = (most2) => ({
          ...request3,
          limit: Math.min(request3.limit ?? 10, most2),
          ...detailed.length === 0 ? {} : { sources: detailed.map((source) => withLimit(source, most2)) },
          query: text4
        });
        const { pages: scraped } = searchResults(request3, limit2);
        const answer2 = yield* context.once(
          {
            buys: {
              cost: (most2) => search2(request3, most2),
              most: limit2,
              pages: (most2) => searchResults(request3, most2).pages
            },
            book: ({ creditsUsed, data }) => ({
              credits: creditsUsed ?? void 0,
              pages: scraped === 0 ? 0 : (data.web?.length ?? 0) + (data.news?.length ?? 0)
            })
          },
          (idempotencyKey, most2) => (
            // Fewer results are asked for where the budget has too little for all.
            (most2 < limit2 ? context.cut : Effect64.void).pipe(
              Effect64.zipRight(call(client.run(capped(most2), { idempotencyKey })))
            )
          )
        );
        yield* context.incomplete("ranking");
        if (answer2.warning) yield* Effect64.logWarning(`${context.id}: ${answer2.warning}`);
        const rows3 = sources.flatMap(
          (source) => (answer2.data[source] ?? []).map((result, position) => {
            const data = { source, ...result };
            const { url } = result;
            const made = {
              data,
              position,
              key: typeof url === "string" ? canonicalUrl(url) : void 0,
              source: row?.data
            };
            const isStray = typeof url === "string" && !isPageUrl(url);
            return isStray ? [made, notWebAddress(`hit ${position + 1} of ${source}`, url)] : made;
          })
        );
        const wanted = rows3.slice(0, context.wanted);
        return countedBatches(begin2, wanted.length)(Stream17.fromIterable(wanted));
      })
    )
  }
});

// src/Step/Select.ts
import * as Effect65 from "effect/Effect";
import * as Schema44 from "effect/Schema";
var select = make8({
  key: "select",
  summary: "Makes a new row: each name with the value of its expression; a value that is missing is left out.",
  example: `select:
  url: metadata.sourceURL
  title: metadata.title
  words: $count($split(markdown, /\\s+/))`,
  config: Schema44.Record({ key: Schema44.String, value: ExpressionText }),
  estimate: asManyRows,
  behaviour: {
    kind: "transform",
    alone: true,
    make: (columns, context) => {
      const names2 = Object.keys(columns);
      return Effect65.succeed({
        push: flatMapValues(Object.values(columns), context, (row, value4, made) => {
          const data = {};
          for (let index = 0; index < names2.length; index++) {
            const name = names2[index];
            const found = value4(index);
            if (name !== void 0 && found !== void 0) data[name] = found;
          }
          made.push(withData(row, data));
        })
      });
    }
  }
});

// src/Step/Sort.ts
import * as Effect66 from "effect/Effect";
import * as Schema45 from "effect/Schema";
import * as Stream18 from "effect/Stream";
var Order = Schema45.Struct({
  expr: ExpressionText,
  order: Schema45.optionalWith(Schema45.Literal("asc", "desc").annotations({ description: "asc or desc" }), {
    default: () => "asc"
  })
});
var Count = Schema45.Int.pipe(Schema45.positive());
var defaultMost2 = 1e5;
var Config5 = Schema45.Struct({
  by: Schema45.Union(
    ExpressionText,
    Schema45.Array(Schema45.Union(Order, ExpressionText)).pipe(Schema45.minItems(1)).annotations({ description: "an array of expressions" })
  ).annotations({ description: "What rows are ordered by: later expressions decide where earlier ones are equal." }),
  limit: Schema45.optional(
    Count.annotations({ description: "a whole number: only so many rows from the beginning of the order are given" })
  ),
  maxRows: Schema45.optionalWith(
    Count.annotations({
      description: "a whole number: more rows are not held in memory, and the step fails; 100,000 unless said"
    }),
    { default: () => defaultMost2 }
  )
}).pipe(
  Schema45.filter(
    ({ limit: limit2 = 1, maxRows }) => limit2 <= maxRows ? true : { path: ["limit"], message: `a limit over maxRows (${maxRows}) is never reached` }
  )
);
var isMark = (value4) => value4 === null || typeof value4 === "number" || typeof value4 === "string" || typeof value4 === "boolean";
var ranks = { number: 0, string: 1, boolean: 2 };
var compareMarks = (a, b) => {
  const rank = (ranks[typeof a] ?? 0) - (ranks[typeof b] ?? 0);
  return rank !== 0 ? rank : a < b ? -1 : a > b ? 1 : 0;
};
var decodeHeld = decodeEntries(
  Schema45.Struct({ marks: Schema45.Array(Schema45.declare(isMark, { title: "a mark" })), row: SavedRow })
);
var comparison = (orders) => (a, b) => {
  for (let index = 0; index < orders.length; index++) {
    const one2 = a.marks[index] ?? null;
    const other = b.marks[index] ?? null;
    if (one2 === null && other === null) continue;
    if (one2 === null) return 1;
    if (other === null) return -1;
    const compared = compareMarks(one2, other);
    if (compared !== 0) return orders[index] === "desc" ? -compared : compared;
  }
  return a.position - b.position;
};
var sort2 = make8({
  key: "sort",
  summary: "Gives the rows in order once all have come: numbers before texts (by code unit) before true and false, null and missing last; equal rows keep their order. Rows are held in memory, up to `maxRows`.",
  example: "sort: { by: [{ expr: words, order: desc }, title], limit: 20 }",
  config: Config5,
  estimate: ({ config: config2, rows: rows3 }) => ({ ...idle, rows: atMost(rows3, numberOf(mapping2(config2).limit)) }),
  behaviour: {
    kind: "transform",
    make: ({ by, limit: limit2, maxRows }, context, saved2) => Effect66.gen(function* () {
      const orders = [by].flat().map((each) => "expr" in each ? each : { expr: each, order: "asc" });
      const compare2 = comparison(orders.map(({ order }) => order));
      let held = (yield* decodeHeld(context, saved2)).map(
        ([key2, { marks, row }]) => ({ state: "saved", position: Number(key2), marks, row })
      );
      let position = typeof saved2.value === "number" ? saved2.value : 0;
      let fresh = [];
      let dropped = [];
      const prune = (wanted) => {
        if (held.length < wanted * 2 + 1e3 && held.length <= maxRows) return;
        const sorted3 = held.toSorted(compare2);
        for (const each of sorted3.slice(wanted)) {
          if (each.state === "saved") dropped.push(each.position);
          each.state = "gone";
        }
        held = sorted3.slice(0, wanted);
      };
      const collect = flatMapValues(
        orders.map(({ expr }) => expr),
        context,
        (row, value4) => {
          const marks = orders.map((_5, index) => value4(index) ?? null);
          const at = marks.findIndex((value5) => !isMark(value5));
          if (at >= 0) {
            const kind = Array.isArray(marks[at]) ? "an array" : "an object";
            return new StepError({
              reason: "NotSortable",
              message: `${orders[at]?.expr.source ?? "by"} gives ${kind}: rows are sorted by numbers, texts, true and false`
            });
          }
          const each = { state: "fresh", position: position++, marks, row };
          held.push(each);
          fresh.push(each);
          return void 0;
        }
      );
      return {
        // Rows that replace failed ones pass unsorted.
        push: (rows3) => Effect66.flatMap(collect(rows3), (instead2) => {
          if (limit2 !== void 0) prune(limit2);
          return held.length <= maxRows ? Effect66.succeed(instead2) : new StepError({
            reason: "TooManyRows",
            message: `sort holds ${maxRows.toLocaleString("en")} rows in memory, and more have come: raise maxRows, or ask for the first with limit`
          });
        }),
        end: (from) => {
          const sorted3 = held.toSorted(compare2).slice(0, limit2);
          const rows3 = bufferedRows(
            sorted3.map(({ row }) => row),
            from
          );
          return sorted3.length < position ? Stream18.concat(Stream18.drain(context.incomplete("limit")), rows3) : rows3;
        },
        save: Effect66.sync(() => {
          const added = fresh.filter(({ state }) => state === "fresh");
          const entries = [
            ...dropped.map((each) => [ordinal(each), void 0]),
            ...added.map((each) => [ordinal(each.position), { marks: each.marks, row: toJson(each.row) }])
          ];
          for (const each of added) each.state = "saved";
          fresh = [];
          dropped = [];
          return { value: position, entries };
        })
      };
    })
  }
});

// src/Step/Urls.ts
import * as FileSystem13 from "@effect/platform/FileSystem";
import * as Effect67 from "effect/Effect";
import * as Schema46 from "effect/Schema";
import * as Stream19 from "effect/Stream";
var List = Schema46.Array(PageUrl);
var From = Schema46.Union(
  Schema46.Struct({ file: Schema46.String.annotations({ description: "a text file with one address on each line" }) }),
  Schema46.Struct({ sitemap: PageUrl.annotations({ description: "a site, whose sitemap is read" }) })
);
var cost6 = (fields7) => fields7 === void 0 || mapping2(fields7).sitemap !== void 0 ? one("map") : [];
var urls = make8({
  key: "urls",
  summary: "Gives addresses as rows with the field `url`: a literal list, the lines of a file, or a site's sitemap. A line that is no web address is a failed row.",
  example: "urls: [https://example.com/a, https://example.com/b]",
  config: Schema46.Union(List, From),
  reads: (fields7) => Array.isArray(fields7) || typeof fields7 === "string" ? [] : ofFile("file")(fields7),
  needs: (fields7) => [...listing(fields7), ...reaching("sitemap")(fields7)],
  cost: cost6,
  // A value of the run in place of all fields may turn out to be a sitemap.
  service: (fields7) => typeof fields7 === "string" || mapping2(fields7).sitemap !== void 0 ? { request: "POST /v2/map", documented: false } : void 0,
  estimate: (given) => {
    if (given.listing !== void 0 || mapping2(given.config).sitemap === void 0)
      return listedRows(given);
    return requestPerRead({ ...given, wanted: Math.min(mostLinks, given.wanted ?? mostLinks) });
  },
  list: (config2, { folder, wanted }) => {
    if (Array.isArray(config2)) return Effect67.succeed(listingOf(config2.slice(0, wanted)));
    const { file } = mapping2(config2);
    return typeof file === "string" ? Effect67.map(readLines(file, folder), (lines) => listingOf(lines.slice(0, wanted))) : Effect67.succeed(void 0);
  },
  behaviour: {
    kind: "source",
    read: (config2, context, begin2) => Stream19.unwrap(
      Effect67.gen(function* () {
        const kept3 = "file" in config2 ? yield* context.once({ name: "list" }, () => numbered(config2.file, context.folder)) : "sitemap" in config2 ? yield* context.once(
          {
            name: "list",
            buys: { cost: () => one("map") },
            book: () => ({ credits: void 0 })
          },
          (key2) => readSitemap(config2.sitemap, key2)
        ) : config2;
        const found = "links" in kept3 ? kept3.links : kept3;
        if ("sitemap" in config2) yield* judgeSitemap(context, config2.sitemap, kept3);
        const wanted = found.slice(0, context.wanted);
        const place = "file" in config2 ? config2.file : "sitemap" in config2 ? config2.sitemap : "the list";
        return countedBatches(begin2, wanted.length)(Stream19.fromIterable(wanted.map(rowOf(place))));
      })
    )
  }
});
var isPageUrl2 = Schema46.is(PageUrl);
var rowOf = (place) => (found, position) => {
  if (typeof found === "string" && isPageUrl2(found)) {
    return { data: { url: found }, key: canonicalUrl(found), position };
  }
  const { line, text: text4 } = typeof found === "string" ? { line: void 0, text: found } : found;
  const where2 = line === void 0 ? `a link of ${place}` : `${place}, line ${line},`;
  const data = { url: text4, file: place, ...line === void 0 ? {} : { line } };
  return [{ data, key: `${place}:${line ?? text4}`, position }, notWebAddress(where2, text4)];
};
var numbered = (file, folder) => Effect67.map(
  linesOf(file, folder),
  (lines) => lines.map(({ line, text: text4 }) => isPageUrl2(text4) ? text4 : { line, text: text4 })
);
var readLines = (file, folder) => Effect67.map(linesOf(file, folder), (lines) => lines.map(({ text: text4 }) => text4));
var linesOf = (file, folder) => Effect67.gen(function* () {
  const files2 = yield* FileSystem13.FileSystem;
  const text4 = yield* files2.readFileString(yield* readable(file, folder)).pipe(
    Effect67.mapError(
      (cause) => new StepError({
        reason: "FileUnreadable",
        message: `cannot read ${pathInFolder(file, folder)}: ${fileErrorReason(cause)}`,
        cause
      })
    )
  );
  const lines = text4.split(/\r?\n/).map((each, index) => ({ line: index + 1, text: each.trim() }));
  return lines.filter(({ text: text5 }) => text5 !== "" && !text5.startsWith("#"));
});
var listingOf = (urls2) => ({
  count: urls2.length,
  keys: urls2.every((url) => typeof url === "string") ? urls2.map((url) => canonicalUrl(url) ?? url) : void 0
});
var mostLinks = 1e5;
var judgeSitemap = (context, site, kept3) => Effect67.gen(function* () {
  const { leftOut, links } = "links" in kept3 ? kept3 : { leftOut: [], links: kept3 };
  if (leftOut.length > 0) {
    yield* context.warnOnce("sitemap", `a sitemap of ${site} could not be read: addresses may be missing`);
    yield* Effect67.forEach(leftOut, (why2) => context.incomplete(reasonOf3(why2)), { discard: true });
  }
  if (links.length === 0) yield* context.incomplete("empty");
  if (links.length >= mostLinks) yield* context.incomplete("limit");
});
var readSitemap = (url, idempotencyKey) => Effect67.gen(function* () {
  const client = yield* Map2;
  const { leftOut = [], links } = yield* call(
    client.run({ url, sitemap: "only", limit: mostLinks }, { idempotencyKey })
  );
  return { links: links.map((link2) => typeof link2 === "string" ? link2 : link2.url), leftOut };
});

// src/Step/Usage.ts
import * as Effect68 from "effect/Effect";
import * as Schema47 from "effect/Schema";
import * as Stream20 from "effect/Stream";
var usage = make8({
  key: "usage",
  summary: "Gives the team's token usage, one row for each month, or for each month and key.",
  example: "usage: { byApiKey: true }",
  config: Schema47.Struct({
    byApiKey: Schema47.optionalWith(Schema47.Boolean, { default: () => false }),
    version: Schema47.optionalWith(Schema47.Literal("v1", "v2"), { default: () => "v2" })
  }),
  service: { request: "GET /v2/team/token-usage/historical", documented: true },
  estimate: requestPerRead,
  behaviour: {
    kind: "source",
    read: ({ byApiKey, version: version2 }, context, begin2) => Stream20.unwrap(
      Effect68.gen(function* () {
        const client = yield* TokenUsage;
        const { periods } = yield* context.once({}, () => call(client.historical({ byApiKey, version: version2 })));
        const wanted = periods.slice(0, context.wanted);
        return countedBatches(
          begin2,
          wanted.length
        )(
          Stream20.fromIterable(
            wanted.map((period, position) => ({
              data: { ...period },
              key: `${period.startDate} ${period.apiKey ?? ""}`.trim(),
              position
            }))
          )
        );
      })
    )
  }
});

// src/Step/Use.ts
import * as Duration13 from "effect/Duration";
import * as Effect69 from "effect/Effect";
import * as Either28 from "effect/Either";
import * as Schema48 from "effect/Schema";
var refuse3 = (reason, message) => new StepError({ reason, message });
var patience3 = Duration13.minutes(5);
var deepest2 = 200;
var objection2 = (value4, path2, depth = 0) => {
  if (value4 === null || value4 === void 0 || typeof value4 === "string" || typeof value4 === "boolean") return void 0;
  if (typeof value4 === "number") return Number.isFinite(value4) ? void 0 : `${path2} is ${value4}`;
  if (typeof value4 !== "object") return `${path2} is a ${typeof value4}`;
  if (depth === deepest2) return `${path2} is nested too deeply, or in itself`;
  if (Array.isArray(value4)) {
    for (let index = 0; index < value4.length; index++) {
      const inner = objection2(value4[index], `${path2}[${index}]`, depth + 1);
      if (inner !== void 0) return inner;
    }
    return void 0;
  }
  const prototype = Object.getPrototypeOf(value4);
  if (prototype !== Object.prototype && prototype !== null) return `${path2} is a ${value4.constructor?.name ?? "class"}`;
  for (const [name, each] of Object.entries(value4)) {
    const inner = objection2(each, `${path2}.${name}`, depth + 1);
    if (inner !== void 0) return inner;
  }
  return void 0;
};
var isObject3 = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
var rowsOf2 = (result, row) => {
  if (result === void 0 || result === null) return Either28.right([]);
  const list3 = Array.isArray(result) ? result : void 0;
  const rows3 = [];
  for (const [index, data] of (list3 ?? [result]).entries()) {
    const name = list3 === void 0 ? "the row" : `row ${index}`;
    if (!isObject3(data)) return Either28.left(`${name} is no object`);
    const wrong = objection2(data, name);
    if (wrong !== void 0) return Either28.left(wrong);
    rows3.push(
      list3 === void 0 ? withData(row, data) : { ...row, origin: void 0, key: `${keyOf(row)}#${index}`, data }
    );
  }
  return Either28.right(rows3);
};
var use = make8({
  key: "use",
  summary: "Gives every row to a function of the project, `(row, { key, source, with, run }) => row, list of rows or undefined` (or a Promise of it). It runs only where code is allowed, and should give the same for the same row: after a crash it is asked again. A row that it has not done with after 5 minutes, or `timeout`, is a failed row.",
  example: "use: { module: ./clean.ts, export: clean, with: { language: en } }",
  config: Schema48.Struct(functionFields),
  reads: ofFile("module"),
  behaviour: {
    kind: "transform",
    alone: true,
    apart: true,
    make: (config2, context) => Effect69.gen(function* () {
      const { module: file } = config2;
      const limit2 = context.timeout ?? patience3;
      const apply = yield* loadFunction("use", config2, context);
      const one2 = (row) => Effect69.tryPromise({
        try: async () => {
          const { key: key2, run, source } = context.bindings(row).names;
          return apply(structuredClone(row.data), { key: key2, source, run, with: config2.with });
        },
        catch: (thrown) => functionFailed(file, thrown)
      }).pipe(
        Effect69.timeoutFail({
          duration: limit2,
          onTimeout: () => refuse3("Timeout", `${file}: it has given nothing in ${Duration13.format(limit2)}`)
        }),
        Effect69.flatMap(
          (result) => Either28.mapLeft(
            rowsOf2(result, row),
            (wrong) => refuse3("FunctionFailed", `${file}: ${wrong}, and a row is plain JSON`)
          )
        ),
        Effect69.either
      );
      const settle2 = (result, row) => Either28.isLeft(result) && row !== void 0 ? context.failed(row, result.left) : Effect69.succeed(Either28.getOrElse(result, () => []));
      return {
        push: (rows3) => Effect69.forEach(rows3, one2, { concurrency: context.concurrency }).pipe(
          Effect69.interruptible,
          Effect69.flatMap((results) => Effect69.forEach(results, (result, index) => settle2(result, rows3[index]))),
          Effect69.map((made) => made.flat())
        )
      };
    })
  }
});

// src/Step/All.ts
var all4 = [
  search3,
  files,
  read2,
  urls,
  crawlPreview,
  browser,
  crawl,
  batchScrape,
  batchStatus,
  crawlStatus,
  scrape,
  parse4,
  usage,
  activeCrawls,
  where,
  select,
  drop2,
  flatten3,
  explode,
  dedupe,
  limit,
  sample,
  sort2,
  join8,
  check,
  use
];

// src/Pipeline/Extensions.ts
var builtIn2 = [...all4, write2];
var noExtensions = { steps: builtIn2, added: [] };
var property = /* @__PURE__ */ Symbol.for("sluice/Pipeline/extensions");
var extend2 = (definition, extensions2) => ({
  ...definition,
  [property]: extensions2
});
var namesOf3 = ({ sinks: sinks2 = [], steps = [] }) => [
  ...steps.map(({ key: key2 }) => key2),
  ...sinks2.map(({ key: key2 }) => `write: ${key2}`)
];
var isFile2 = Schema49.is(ExtensionsFile);
var unextend = (definition) => {
  if (typeof definition !== "object" || definition === null || !(property in definition)) return { value: definition };
  const { [property]: found, ...value4 } = definition;
  const extensions2 = found;
  const program2 = namesOf3(extensions2);
  if (program2.length === 0) return { value: value4 };
  return { value: isFile2(mapping2(value4).extensions) ? value4 : { ...value4, extensions: { program: program2 } }, extensions: extensions2 };
};
var acts = {
  source: "read",
  item: "apply",
  transform: "make",
  sink: "open",
  value: "get"
};
var isStep = (value4) => {
  const { behaviour, config: config2, example: example2, key: key2, summary } = mapping2(value4);
  const { kind } = mapping2(behaviour);
  const act = typeof kind === "string" && Object.hasOwn(acts, kind) ? acts[kind] : void 0;
  return [example2, key2, summary].every((text4) => typeof text4 === "string") && Schema49.isSchema(config2) && act !== void 0 && typeof mapping2(behaviour)[act] === "function" && (kind !== "sink" || typeof mapping2(behaviour).destination === "function");
};
var isSink = (value4) => {
  const { canAppend, config: config2, example: example2, key: key2, open: open6, ownFields, sizes, summary } = mapping2(value4);
  return [example2, key2, summary].every((text4) => typeof text4 === "string") && Schema49.isSchema(config2) && (ownFields === void 0 || Array.isArray(ownFields)) && [canAppend, open6, sizes].every((part) => typeof part === "function");
};
var isTaken = (sinks2, key2) => sinks2.some((each) => each.key === key2);
var sinkConflicts = (added) => added.flatMap(({ key: key2, ownFields = [] }, index) => {
  if (!/^[a-zA-Z]\w{0,63}$/.test(key2))
    return [`"${key2}" is no name of a sink: begin with a letter, then letters, digits and _`];
  if (isTaken(sinks, key2)) return [`"${key2}" is a sink of Sluice: choose another key`];
  if (Object.hasOwn(fields2, key2)) return [`"${key2}" is a field of every sink: choose another key`];
  const field2 = ownFields.find(
    (name) => Object.hasOwn(fields2, name) || isTaken([...sinks, ...added], name)
  );
  if (field2 !== void 0)
    return [`the sink "${key2}" has a field "${field2}", which is a sink or a field of every sink: choose another name`];
  return isTaken(added.slice(0, index), key2) ? [`there are two sinks "${key2}": choose another key for one of them`] : [];
});
var stepConflicts = (added) => added.flatMap(({ key: key2 }, index) => {
  if (!/^[a-zA-Z][\w-]{0,63}$/.test(key2))
    return [`"${key2}" is no step key: begin with a letter, then letters, digits, - and _`];
  if (builtIn2.some((each) => each.key === key2)) return [`"${key2}" is a step of Sluice: choose another key`];
  if (commonKeys.includes(key2)) return [`"${key2}" is a key that any step may have: choose another one`];
  const isTwice = added.slice(0, index).some((each) => each.key === key2);
  return isTwice ? [`there are two steps "${key2}": choose another key for one of them`] : [];
});
var refused = (message) => Either29.left([{ path: ["extensions"], message }]);
var registry = (extensions2, hash3) => {
  const { sinks: sinks2 = [], steps = [] } = extensions2;
  const [conflict] = [...stepConflicts(steps), ...sinkConflicts(sinks2)];
  if (conflict !== void 0) return refused(conflict);
  const write3 = sinks2.length === 0 ? write2 : make12([...sinks, ...sinks2]);
  return Either29.right({ steps: [...all4, write3, ...steps], added: namesOf3(extensions2), hash: hash3 });
};
var importSteps = (file, folder, isExpected) => Effect70.gen(function* () {
  const path2 = yield* readable(file, folder);
  const { hash: hash3, load: load4 } = yield* Effect70.mapError(current(path2), () => ({
    message: `${file} cannot be read: is there such a file?`
  }));
  if (!isExpected(hash3)) {
    return refused(
      `${file}, or a file that it imports, is not the code that the run began with: put it back as it was, or resume the run with --with-current`
    );
  }
  const exported = yield* Effect70.mapError(load4, ({ message }) => ({ message: `${file} ${message}` }));
  const values = [...new Set(Object.values(exported))];
  const extensions2 = { steps: values.filter(isStep), sinks: values.filter(isSink) };
  return namesOf3(extensions2).length === 0 ? refused(`${file} exports no step and no sink: export one that Step.make or Sink.make has made`) : registry(extensions2, hash3);
}).pipe(Effect70.catchAll(({ message }) => Effect70.succeed(refused(message))));
var load3 = ({ extensions: extensions2, folder, value: value4 }, {
  allowCode,
  codeAdvice = "read it, and allow it with --allow-code",
  isExpected = () => true,
  permissions
}) => {
  const named2 = mapping2(value4).extensions;
  if (extensions2 !== void 0) {
    const message = `${named2} stands beside extensions of the program: export them from that file, or pass its exports to Pipeline.make`;
    return Effect70.succeed(isFile2(named2) ? refused(message) : registry(extensions2, void 0));
  }
  const program2 = list(mapping2(named2).program);
  if (program2.length > 0) {
    const message = `${program2.join(", ")}: extensions of the program that made this definition, which are not here: start or resume it in that program, or move them to a file and name it (extensions: ./steps.ts)`;
    return Effect70.succeed(refused(message));
  }
  if (named2 === void 0) return Effect70.succeed(Either29.right(noExtensions));
  if (!isFile2(named2))
    return Effect70.succeed(refused(`expected ${expectation(ExtensionsFile.ast)}, got ${describeValue(named2)}`));
  if (!allowCode) return Effect70.succeed(refused(`runs code of the project (${named2}): ${codeAdvice}`));
  return Effect70.provideService(importSteps(named2, folder, isExpected), Permissions, permissions);
};
var needsProgram = (value4) => list(mapping2(mapping2(value4).extensions).program).length > 0;

// src/Pipeline/Graph.ts
import * as Either31 from "effect/Either";

// src/Pipeline/Node.ts
import * as Effect71 from "effect/Effect";
import * as Either30 from "effect/Either";
import * as Option14 from "effect/Option";
import * as Schema50 from "effect/Schema";
import * as AST6 from "effect/SchemaAST";
var namedSteps = ({ common, config: config2, step: step2 }) => /* @__PURE__ */ new Set([...referencedSteps([config2, common]), ...stepsInExpressions(step2.config.ast, config2)]);
var isMapping2 = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
var partsOf = (value4, steps) => {
  if (!isMapping2(value4)) return { steps: [], common: {} };
  return {
    steps: steps.filter(({ key: key2 }) => Object.hasOwn(value4, key2)),
    common: Object.fromEntries(Object.entries(value4).filter(([key2]) => commonKeys.includes(key2)))
  };
};
var mistakesInBroken = (value4, index, scope4, steps) => Effect71.gen(function* () {
  const path2 = ["steps", index];
  const found = partsOf(value4, steps);
  const fields7 = yield* Effect71.forEach(
    found.steps,
    ({ config: config2, headers, key: key2 }) => decodePart(config2, isMapping2(value4) ? value4[key2] : void 0, [...path2, key2], {
      ...scope4,
      headers
    })
  );
  const common = yield* decodePart(Common, found.common, path2, scope4);
  return [...fields7.flatMap(mistakesIn), ...mistakesIn(common)];
});
var dispatch = (value4, path2, steps) => {
  if (!isMapping2(value4)) {
    const message2 = `a step is an object with one step key, like \`- where: metadata.statusCode = 200\`, got ${describeValue(value4)}`;
    return Either30.left([{ path: path2, message: message2 }]);
  }
  const keys = Object.keys(value4);
  const [step2, other] = keys.flatMap((key2) => steps.find((each) => each.key === key2) ?? []);
  if (step2 !== void 0 && other === void 0) return Either30.right({ step: step2, key: step2.key });
  const unknown = keys.filter((key2) => !commonKeys.includes(key2) && !steps.some((each) => each.key === key2));
  const beside = (named2, but) => unknown.flatMap((key2) => key2 === but ? [] : [strangerAt(key2, named2, path2, steps)]);
  if (step2 !== void 0) {
    const both = keys.filter((key2) => steps.some((each) => each.key === key2)).join(" and ");
    const message2 = `is two steps at once (${both}): write each as its own list item`;
    return Either30.left([{ path: path2, message: message2 }, ...beside(step2.key)]);
  }
  const names2 = steps.map((each) => each.key);
  const isLike = (key2, known4) => didYouMean(key2, known4) !== "";
  const meant = unknown.find((key2) => isLike(key2, names2) && !isLike(key2, commonKeys)) ?? unknown.find((key2) => !isLike(key2, commonKeys)) ?? unknown[0];
  if (meant === void 0) {
    const message2 = "names no step: write one beside its keys, like `where: \u2026`; `sluice explain` lists them";
    return Either30.left([{ path: path2, message: message2 }]);
  }
  const message = `there is no step "${meant}"${didYouMean(meant, names2) || ": `sluice explain` lists the steps"}`;
  return Either30.left([{ path: [...path2, meant], atKey: true, message }, ...beside(meant, meant)]);
};
var strangerAt = (key2, step2, path2, steps) => {
  const schema = steps.find((each) => each.key === step2)?.config;
  const isOwn = schema !== void 0 && knownKeys(schema.ast).includes(key2);
  const hint = isOwn ? `: it belongs within "${step2}"` : didYouMean(key2, commonKeys);
  return {
    path: [...path2, key2],
    atKey: true,
    message: suspiciousKey(key2) ?? `unknown key "${key2}" beside "${step2}"${hint}`
  };
};
var besideStep = (step2, path2) => (mistake) => {
  const key2 = String(mistake.path[path2.length]);
  const isUnknown = mistake.path.length === path2.length + 1 && mistake.atKey === true;
  if (!isUnknown || !commonKeys.includes(key2)) return mistake;
  return {
    ...mistake,
    message: `unknown key "${key2}" within "${step2}": it belongs beside "${step2}", indented as far as it`
  };
};
var strangers = (value4, key2, path2, steps) => Object.keys(value4).filter((each) => each !== key2 && !commonKeys.includes(each)).map((each) => strangerAt(each, key2, path2, steps));
var startsWith = (path2, prefix) => prefix.every((part, index) => path2[index] === part);
var isOpen2 = ({ atKey, path: path2 }, unknown) => unknown.some((each) => startsWith(path2, each) && (atKey !== true || path2.length > each.length));
var coerced = (value4, path2) => {
  const [key2, ...rest] = path2;
  if (key2 === void 0) {
    if (typeof value4 !== "string") return value4;
    if (value4 === "true" || value4 === "false") return value4 === "true";
    return /^-?\d+(\.\d+)?$/.test(value4) ? Number(value4) : value4;
  }
  if (Array.isArray(value4)) return value4.map((item, index) => index === key2 ? coerced(item, rest) : item);
  return isMapping2(value4) ? { ...value4, [key2]: coerced(value4[String(key2)], rest) } : value4;
};
var suspicious = (value4, path2) => {
  if (typeof value4 === "string") {
    const message = suspiciousText(value4);
    return message === void 0 ? [] : [{ path: path2, message }];
  }
  if (Array.isArray(value4)) {
    const range3 = value4.length === 1 && isRange2(value4[0]);
    return range3 ? [{ path: path2, message: rangeHint }] : value4.flatMap((item, index) => suspicious(item, [...path2, index]));
  }
  if (!isMapping2(value4)) return [];
  return Object.entries(value4).flatMap(([key2, item]) => {
    const message = suspiciousKey(key2);
    if (message === void 0) return suspicious(item, [...path2, key2]);
    return key2.startsWith("{") ? [{ path: path2, message }] : [{ path: [...path2, key2], atKey: true, message }];
  });
};
var torn = (raw, odd, path2) => odd.flatMap((each) => {
  if (each.atKey !== true) return [];
  const above = each.path.slice(0, -1);
  const around = above.slice(path2.length).reduce((value4, key2) => {
    if (Array.isArray(value4)) return value4[Number(key2)];
    return isMapping2(value4) ? value4[String(key2)] : void 0;
  }, raw);
  if (!isMapping2(around)) return [];
  return Object.entries(around).flatMap(
    ([key2, value4]) => typeof value4 === "string" && /[([{][^)\]}]*$/.test(value4) ? [{ path: [...above, key2] }] : []
  );
});
var pathOf = ({ path: path2 }) => path2;
var replaced = (value4, path2, by) => {
  const [key2, ...rest] = path2;
  if (key2 === void 0) return by;
  if (Array.isArray(value4)) return value4.map((item, index) => index === key2 ? replaced(item, rest, by) : item);
  if (!isMapping2(value4)) return value4;
  const next = replaced(value4[String(key2)], rest, by);
  return Object.fromEntries(
    Object.entries(value4).flatMap(
      ([name, item]) => name !== key2 ? [[name, item]] : next === void 0 ? [] : [[name, next]]
    )
  );
};
var hidden = (schema, value4, first, path2) => {
  if (!isMapping2(value4)) return [];
  const wrong = mistakesOf(first.issue).flatMap((mistake) => mistake.path.length > 0 ? [String(mistake.path[0])] : []);
  if (wrong.length === 0) return [];
  const rest = Object.fromEntries(Object.entries(value4).filter(([key2]) => !wrong.includes(key2)));
  const again2 = Schema50.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })(rest);
  if (Either30.isRight(again2)) return [];
  const more = mistakesOf(again2.left.issue);
  if (more.some((mistake) => mistake.path.length === 0)) return [];
  const misses = (message) => wrong.some((key2) => message.split(/\W+/).includes(key2));
  return more.filter(({ message }) => !misses(message)).map((mistake) => ({ ...mistake, path: [...path2, ...mistake.path] }));
};
var decodePart = (schema, raw, path2, scope4) => Effect71.gen(function* () {
  const relative4 = (each) => each.slice(path2.length);
  const odd = suspicious(raw, path2);
  const unread = [...odd, ...torn(raw, odd, path2)];
  const readable2 = unread.reduce(
    (value4, each) => replaced(value4, relative4(each.path), each.atKey ? void 0 : open3),
    raw
  );
  const filled3 = yield* settle(scope4, readable2, path2);
  const settled = { ...filled3, mistakes: [...odd, ...filled3.mistakes], open: [...filled3.open, ...unread.map(pathOf)] };
  const decode3 = Schema50.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" });
  const first = decode3(settled.value);
  const result = Either30.isRight(first) ? first : Either30.orElse(
    decode3(settled.filled.reduce((value4, each) => coerced(value4, relative4(each)), settled.value)),
    () => first
  );
  const strangers2 = unknownKeysIn(schema.ast, settled.value, path2);
  if (Either30.isRight(result)) {
    const mistakes2 = [
      ...settled.mistakes,
      ...strangers2,
      ...broughtIn(schema.ast, settled.value, path2, settled.filled)
    ];
    return mistakes2.length > 0 ? Either30.left(mistakes2) : Either30.right(result.right);
  }
  const found = [
    ...mistakesOf(result.left.issue, path2),
    ...hidden(schema, settled.value, result.left, path2)
  ].filter((mistake) => !isOpen2(mistake, settled.open)).map(
    (mistake) => settled.secret.some((each) => startsWith(mistake.path, each)) ? { ...mistake, message: "a secret does not fit here: look at its value" } : mistake
  );
  const whole = found.filter(({ message }) => message.startsWith("expected "));
  const own3 = strangers2.filter((each) => !whole.some((mistake) => startsWith(each.path, mistake.path)));
  const mistakes = [...settled.mistakes, ...found, ...own3];
  return mistakes.length > 0 ? Either30.left(mistakes) : Either30.right(open3);
});
var mistakesIn = (part) => Either30.isLeft(part) ? part.left : [];
var decode2 = (node, scope4) => Effect71.gen(function* () {
  const path2 = ["steps", node.index];
  const config2 = yield* decodePart(
    node.step.config,
    node.config,
    [...path2, node.step.key],
    { ...scope4, headers: node.step.headers }
  );
  const known4 = Object.fromEntries(Object.entries(node.common).filter(([key2]) => commonKeys.includes(key2)));
  const common = yield* decodePart(Common, known4, path2, scope4);
  const besides = besideStep(node.step.key, [...path2, node.step.key]);
  const mistakes = [...mistakesIn(config2).map(besides), ...mistakesIn(common)];
  return mistakes.length > 0 || Either30.isLeft(config2) || Either30.isLeft(common) ? Either30.left(mistakes) : Either30.right({ config: config2.right, common: common.right === open3 ? {} : common.right });
});
var keepsUnknown = (ast) => Option14.match(AST6.getAnnotation(AST6.ParseOptionsAnnotationId)(ast), {
  onNone: () => false,
  onSome: ({ onExcessProperty }) => onExcessProperty === "preserve"
});
var shapes2 = (ast) => shapesOf(ast, { isClosed: keepsUnknown });
var inMapping = (ast, value4, path2) => {
  const known4 = ast.propertySignatures.map(({ name }) => String(name));
  const [index] = ast.indexSignatures;
  return Object.entries(value4).flatMap(([key2, each]) => {
    const signature = ast.propertySignatures.find(({ name }) => name === key2);
    const type = signature?.type ?? index?.type;
    return type === void 0 ? [unknownKey([...path2, key2], known4)] : unknownKeysIn(type, each, [...path2, key2]);
  });
};
var unknownKeysIn = (ast, value4, path2) => {
  const found = shapes2(ast).flatMap((shape) => {
    if (AST6.isTypeLiteral(shape) && isMapping2(value4)) return [inMapping(shape, value4, path2)];
    if (AST6.isTupleType(shape) && Array.isArray(value4)) {
      const [item] = shape.rest;
      return [
        item === void 0 ? [] : value4.flatMap((each, index) => unknownKeysIn(item.type, each, [...path2, index]))
      ];
    }
    return [];
  });
  return found.reduce((best, each) => each.length < best.length ? each : best, found[0] ?? []);
};

// src/Pipeline/Graph.ts
var asList = (value4) => typeof value4 === "string" ? [value4] : Array.isArray(value4) ? value4.filter((each) => typeof each === "string") : [];
var structural = ["id", "from", "after", "each"];
var wrongNames = ({ after, common, from, id: own3, path: path2 }, { brokenIds, byId, isLater }) => {
  const at = (key2, message) => ({ path: [...path2, key2], message });
  const isValue = (id) => byId.get(id)?.step.behaviour.kind === "value";
  const itemAt = (key2, index, message) => Array.isArray(common[key2]) ? { path: [...path2, key2, index], message } : at(key2, message);
  const unknown = (key2, ids) => ids.flatMap((id, index) => {
    if (byId.has(id) || brokenIds.includes(id)) return [];
    if (id === own3) {
      return [
        itemAt(
          key2,
          index,
          `"${id}" is this step: it cannot ${key2 === "from" ? "read its own rows" : "wait for itself"}`
        )
      ];
    }
    if (isLater(id)) {
      return [itemAt(key2, index, `"${id}" stands below this step: move it above, a step reads only steps above it`)];
    }
    const known4 = [...byId.keys()];
    const hint = didYouMean(id, known4) || (known4.length > 0 ? `: there are ${some5(known4)}` : "");
    return [itemAt(key2, index, `there is no step "${id}" before this one${hint}`)];
  });
  return [
    ...unknown("from", from),
    ...unknown("after", after),
    ...from.flatMap(
      (id, index) => from.indexOf(id) < index ? [itemAt("from", index, `"${id}" is listed twice in from: remove one`)] : []
    ),
    ...from.flatMap(
      (id, index) => isValue(id) ? [itemAt("from", index, `"${id}" gives a value and no rows: use \${{ steps.${id}.output }}`)] : []
    ),
    ...after.flatMap(
      (id, index) => isValue(id) ? [itemAt("after", index, `"${id}" gives a value and no rows, so it has no end to wait for: remove it`)] : []
    ),
    ...structural.filter((key2) => JSON.stringify(common[key2] ?? "").includes("${{")).map((key2) => at(key2, `"${key2}" says how the steps hang together: write it out, without \${{ }}`))
  ];
};
var wrongKeys = ({ common, each, path: path2, step: step2 }, { nodes }) => {
  const { key: key2 } = step2;
  const { kind } = step2.behaviour;
  const at = (key3, message) => ({ path: [...path2, key3], message });
  const pinned2 = typeof common.pin === "string" ? nodes.find((node) => node.common.pin === common.pin) : void 0;
  return [
    ...step2.behaviour.kind === "value" && common.pin !== void 0 && step2 !== crawlPreview ? [at("pin", "only crawlPreview can be pinned: remove it")] : [],
    ...pinned2 === void 0 ? [] : [at("pin", `is the lock file of "${pinned2.id}" already: name another`)],
    ...ignoredKeys(step2.behaviour).filter((idle2) => common[idle2] !== void 0).map((idle2) => {
      const message = why[idle2] ?? `"${idle2}" has no effect on ${key2}: remove it`;
      return { path: [...path2, idle2], atKey: true, message };
    }),
    ...kind === "source" && each && common.after !== void 0 ? [at("after", "a step with `each: true` reads the step before it and begins no branch: remove one of the two")] : [],
    ...kind === "source" && !each && common.concurrency !== void 0 ? [at("concurrency", `"concurrency" has no effect on ${key2} without \`each: true\`: remove it`)] : []
  ];
};
var wrongRows = ({ above, branch: branch2, each, from, path: path2, step: step2 }, { isBroken }) => {
  const { key: key2 } = step2;
  const { kind } = step2.behaviour;
  const at = (key3, message) => [{ path: [...path2, key3], message }];
  const given = branch2 ? void 0 : from[0] ?? above;
  if (kind === "source") {
    if (each) return given === void 0 && !isBroken ? at("each", "there are no rows before this step") : [];
    return given === void 0 ? [] : at(
      key2,
      `${key2} ignores its input: say \`each: true\` to run it for every row, or \`after: ${given}\` to begin a branch`
    );
  }
  return kind === "value" || given !== void 0 || isBroken ? [] : at(key2, `${key2} needs rows: begin with a step that makes some, like search, files, urls or crawl`);
};
var namesOf4 = (item) => {
  if (typeof item !== "object" || item === null) return [];
  const { id } = item;
  return typeof id === "string" ? [id] : Object.keys(item).filter((key2) => !commonKeys.includes(key2));
};
var link = (items, steps) => {
  const nodes = [];
  const byId = /* @__PURE__ */ new Map();
  const named2 = /* @__PURE__ */ new Map();
  const mistakes = [];
  let last;
  let isBroken = false;
  const brokenIds = [];
  const broken2 = [];
  const lastIndex = new Map(items.flatMap((item, index) => namesOf4(item).map((name) => [name, index])));
  for (const [index, item] of items.entries()) {
    const path2 = ["steps", index];
    const found = dispatch(item, path2, steps);
    if (Either31.isLeft(found)) {
      mistakes.push(...found.left);
      isBroken = true;
      brokenIds.push(...namesOf4(item));
      broken2.push(index);
      continue;
    }
    const { step: step2, key: key2 } = found.right;
    const { [key2]: config2, ...common } = item;
    mistakes.push(...strangers(item, key2, path2, steps));
    const id = typeof common.id === "string" ? common.id : freeId(key2, named2, byId);
    if (byId.has(id)) {
      mistakes.push({ path: [...path2, "id"], message: `the id "${id}" is taken by an earlier step` });
    }
    const { kind } = step2.behaviour;
    const from = asList(common.from);
    const after = asList(common.after);
    const each = common.each === true;
    const branch2 = kind === "source" && !each && common.after !== void 0;
    const above = last === void 0 ? [] : [last];
    const inputs = kind === "value" || branch2 || kind === "source" && !each ? [] : from.length > 0 ? from : above;
    const node = { id, index, step: step2, config: config2, common, inputs: [...new Set(inputs)], after: [...new Set(after)] };
    const linked = { ...node, after, path: path2, from, each, branch: branch2, above: last };
    const before2 = { nodes, byId, brokenIds, isBroken, isLater: (each2) => (lastIndex.get(each2) ?? -1) > index };
    for (const wrong of [wrongNames, wrongKeys, wrongRows]) mistakes.push(...wrong(linked, before2));
    nodes.push(node);
    if (!byId.has(id)) byId.set(id, node);
    const base = id.replace(/-\d+$/, "");
    named2.set(base, (named2.get(base) ?? 0) + 1);
    if (kind !== "value") last = id;
  }
  return { nodes, mistakes, broken: broken2, brokenIds };
};
var why = {
  each: "only a step that makes rows of its own can run for each row",
  after: "only a step that makes rows of its own, and begins a branch with them, can wait for others",
  from: "a step that gives a value reads no rows: remove `from`"
};
var freeId = (key2, named2, byId) => {
  let number2 = (named2.get(key2) ?? 0) + 1;
  const name = () => number2 === 1 ? key2 : `${key2}-${number2}`;
  while (byId.has(name())) number2++;
  return name();
};
var some5 = (names2) => names2.length > 8 ? `\u2026 ${names2.slice(-8).join(", ")}` : names2.join(", ");
var before = ({ nodes }, step2) => {
  const places = /* @__PURE__ */ new Map();
  for (const [place, { id }] of nodes.entries()) if (!places.has(id)) places.set(id, place);
  const far = /* @__PURE__ */ new Map([[step2, 0]]);
  for (const [place, { id, inputs }] of [...nodes.entries()].toReversed()) {
    const distance2 = places.get(id) === place ? far.get(id) : void 0;
    if (distance2 === void 0) continue;
    for (const input of inputs) {
      if ((places.get(input) ?? place) < place) far.set(input, Math.max(far.get(input) ?? 0, distance2 + 1));
    }
  }
  const placeOf = (id) => places.get(id) ?? 0;
  return [...far].filter(([id]) => id !== step2).sort(([one2, near], [other, next]) => near - next || placeOf(one2) - placeOf(other)).map(([id]) => id);
};

// src/Pipeline/Inputs.ts
var coerce = (input, value4) => {
  if (typeof value4 !== "string") return value4;
  switch (input.type) {
    case "integer":
    case "number":
      return value4.trim() !== "" && Number.isFinite(Number(value4)) ? Number(value4) : value4;
    case "boolean":
      return value4 === "true" ? true : value4 === "false" ? false : value4;
    default:
      return value4;
  }
};
var fault = (input, value4) => {
  const got = `, got ${describeValue(value4)}`;
  switch (input.type) {
    case "string":
    case "path":
      if (typeof value4 !== "string") return `expected a string${got}`;
      break;
    case "url":
      if (typeof value4 !== "string" || !/^https?:\/\//.test(value4) || !canParse(value4)) {
        return `expected an absolute http:// or https:// address${got}`;
      }
      break;
    case "boolean":
      if (typeof value4 !== "boolean") return `expected true or false${got}`;
      break;
    case "integer":
      if (!Number.isInteger(value4)) return `expected a whole number${got}`;
      break;
    case "number":
      if (typeof value4 !== "number") return `expected a number${got}`;
      break;
  }
  if (input.enum !== void 0 && !input.enum.some((each) => each === value4)) {
    return `expected one of ${input.enum.join(", ")}${got}`;
  }
  if (typeof value4 === "number" && input.minimum !== void 0 && value4 < input.minimum) {
    return `expected at least ${input.minimum}${got}`;
  }
  if (typeof value4 === "number" && input.maximum !== void 0 && value4 > input.maximum) {
    return `expected at most ${input.maximum}${got}`;
  }
  if (typeof value4 === "string" && input.maxLength !== void 0 && value4.length > input.maxLength) {
    return `expected at most ${input.maxLength} characters, got ${value4.length}`;
  }
  return void 0;
};
var scheduledOf = (schedule) => {
  const { inputs } = typeof schedule === "object" && schedule !== null ? schedule : {};
  return typeof inputs === "object" && inputs !== null && !Array.isArray(inputs) ? inputs : {};
};
var scheduledMistakes = (inputs, scheduled) => Object.entries(scheduled).flatMap(([name, value4]) => {
  const path2 = ["schedule", "inputs", name];
  const input = Object.hasOwn(inputs, name) ? inputs[name] : void 0;
  if (input === void 0) {
    const known4 = Object.keys(inputs);
    const hint = known4.length === 0 ? ": this pipeline takes none" : didYouMean(name, known4) || `: it takes ${known4.join(", ")}`;
    return [{ path: path2, message: `there is no input "${name}"${hint}` }];
  }
  if (typeof value4 === "string" && value4.includes("${{")) {
    return [{ path: path2, message: "takes a literal value: inputs are settled before anything that ${{ }} names" }];
  }
  const wrong = fault(input, coerce(input, value4));
  return wrong === void 0 ? [] : [{ path: path2, message: wrong }];
});
var withScheduled = (inputs, scheduled) => Object.fromEntries(
  Object.entries(inputs).map(([name, input]) => [
    name,
    Object.hasOwn(scheduled, name) ? { ...input, default: coerce(input, scheduled[name]) } : input
  ])
);
var slashed = (path2) => /^([A-Za-z]:)?\\/.test(path2) ? path2.replaceAll("\\", "/") : path2;
var resolve10 = (inputs, given, { required, toPath }) => {
  const mistakes = [];
  const values = {};
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(inputs, name)) {
      const known4 = Object.keys(inputs);
      const hint = known4.length === 0 ? ": this pipeline takes none" : didYouMean(name, known4) || `: it takes ${known4.join(", ")}`;
      mistakes.push({ path: ["inputs"], given: true, message: `--input ${name}: there is no input "${name}"${hint}` });
    }
  }
  for (const [name, input] of Object.entries(inputs)) {
    const from = Object.hasOwn(given, name) ? given[name] : input.default;
    if (from === void 0) {
      if (required) mistakes.push({ path: ["inputs", name], message: `has no default: give it as --input ${name}=\u2026` });
      values[name] = open3;
      continue;
    }
    const value4 = coerce(input, from);
    const wrong = fault(input, value4);
    if (wrong === void 0) {
      values[name] = input.type === "path" && Object.hasOwn(given, name) ? slashed(toPath(String(value4))) : value4;
    } else {
      mistakes.push(
        Object.hasOwn(given, name) ? { path: ["inputs", name], given: true, message: `--input ${name}: ${wrong}` } : { path: ["inputs", name, "default"], message: wrong }
      );
      values[name] = open3;
    }
  }
  return { values, mistakes };
};

// src/Pipeline/PermissionCheck.ts
import * as NodePath10 from "node:path";
import * as Redacted4 from "effect/Redacted";
var refusedNames = (permissions, value4) => namedIn(value4).flatMap(({ kind, name, path: path2 }) => {
  const why2 = whyNotNamed(permissions, name);
  return why2 === void 0 ? [] : [
    {
      path: path2,
      message: `this definition may not read the ${kind === "secrets" ? "secret" : "variable"} ${name}: ${why2}`
    }
  ];
});
var refusedInputs = (permissions, declared, values, { folder, inputs: given }) => Object.entries(declared).flatMap(([name, { type }]) => {
  const value4 = values[name];
  if (type !== "path" || typeof value4 !== "string" || !Object.hasOwn(given, name)) return [];
  const why2 = whyNotRead(permissions, NodePath10.resolve(folder, value4));
  return why2 === void 0 ? [] : [{ path: ["inputs", name], given: true, message: `--input ${name}: ${why2}` }];
});
var refusedFile = (permissions, folder, path2, file, kind = "file") => {
  const why2 = typeof file === "string" ? whyNotRead(permissions, NodePath10.resolve(folder, file), kind) : void 0;
  return why2 === void 0 ? [] : [{ path: path2, message: why2 }];
};
var secretsIn = ({ config: config2, step: step2 }) => {
  const headers = step2.headers?.reduce((at, key2) => mapping2(at)[key2], config2);
  return namedIn(headers).flatMap(({ kind, name }) => kind === "secrets" ? [name] : []);
};
var refusedHosts = (permissions, node) => {
  const { index, step: step2 } = node;
  const bound = secretsIn(node).filter((name) => permissions.hosts.has(name));
  const headers = ["steps", index, step2.key, ...step2.headers ?? []];
  if (bound.length > 0 && step2.sites?.(node.config) === "any") {
    const message = `the secret ${bound[0]} is bound to hosts, and ${step2.key} reads whatever hosts it finds: scrape its hits in a step of their own`;
    return [{ path: headers, message }];
  }
  const { url } = mapping2(node.config);
  const isKnown2 = typeof url === "string" && !url.includes("${{");
  if (bound.length > 0 && !isKnown2 && !builtIn2.some(({ key: key2 }) => key2 === step2.key)) {
    const message = `the secret ${bound[0]} is bound to hosts, and ${step2.key} does not say where it sends it: give the address in the field \`url\` of the step, as text`;
    return [{ path: headers, message }];
  }
  if (!isKnown2) return [];
  const why2 = whyNotSent(permissions, bound, url);
  return why2 === void 0 ? [] : [{ path: headers, message: why2 }];
};
var refusedWebhooks = (permissions, written, settled) => list(settled).flatMap((target, index) => {
  const names2 = namedIn(mapping2(list(written)[index]).webhook).map(({ name }) => name);
  const { webhook } = mapping2(target);
  if (!Redacted4.isRedacted(webhook)) return [];
  const why2 = whyNotSent(permissions, names2, String(Redacted4.value(webhook)));
  return why2 === void 0 ? [] : [{ path: ["notify", index, "webhook"], message: why2 }];
});
var outputOf = ({ config: written, step: { behaviour } }, config2) => {
  if (behaviour.kind !== "sink" || config2 === open3) return void 0;
  const [raw, filled3] = [behaviour.destination(written), behaviour.destination(config2)];
  return raw === void 0 || filled3 === void 0 ? void 0 : { key: filled3.format, written: raw.path, path: filled3.path };
};
var someFolder = `${NodePath10.sep}output folder`;
var refusedPaths = (permissions, folder, node, { common, config: config2 }) => {
  const { index, step: step2 } = node;
  const at = ["steps", index];
  const read4 = (config2 === open3 ? [] : step2.reads?.(config2) ?? []).flatMap(
    ({ file, isFolder, path: path2 }) => refusedFile(permissions, folder, [...at, step2.key, ...path2], file, isFolder ? "folder" : "file")
  );
  const pin = refusedFile(permissions, folder, [...at, "pin"], common.pin);
  const output = outputOf(node, config2);
  const touched = [...read4, ...pin, ...refusedHosts(permissions, node)];
  if (output === void 0 || output.path === "-") return touched;
  const out = permissions.out ?? someFolder;
  const isKnown2 = permissions.out !== void 0 || !NodePath10.isAbsolute(output.path);
  const place = [...at, step2.key, output.key];
  const target = () => placeholdersOf(output.path).length === 0 ? whyNotWritten(permissions, NodePath10.resolve(out, output.path), out) : whyNotWritten(permissions, literalPrefix(output.path, out), out, "folder");
  const why2 = (isKnown2 ? whyOutside(output.written, output.path, out) : void 0) ?? (permissions.out === void 0 ? void 0 : target());
  return [...touched, ...why2 === void 0 ? [] : [{ path: place, message: why2 }]];
};

// src/Pipeline/Rules.ts
var mayBeOff = ({ common: { when } }, settled) => when !== void 0 && when !== true && settled !== true;
var targetOf2 = ({ config: written, id, index, step: step2 }, config2) => {
  if (step2.behaviour.kind !== "sink") return void 0;
  const output = step2.behaviour.destination(config2 === open3 ? written : config2);
  return output && { ...output, id, at: ["steps", index, step2.key, output.format] };
};
var writtenTwice = (targets, { locate }) => targets.flatMap((target, index) => {
  const other = targets.slice(0, index).find((each) => collide(each, target));
  if (other === void 0) return [];
  const line = locate(other.at)?.line;
  const place = line === void 0 ? `"${other.id}"` : `"${other.id}" (line ${line})`;
  const message = other.path === target.path ? `${place} writes ${target.path === "-" ? "to stdout" : "this file"} already: choose another path, or merge the branches with from: [a, b] and write once` : `${place} can write the same file, with its path ${other.path}: choose another name or folder`;
  return [{ path: target.at, message }];
});
var cutOff = (nodes, remembering) => {
  const remembers = new Set(remembering);
  const memories = /* @__PURE__ */ new Map();
  return nodes.flatMap(({ id, index, inputs, step: step2 }) => {
    const [memory] = inputs.flatMap((input) => remembers.has(input) ? input : memories.get(input) ?? []);
    if (memory === void 0) return [];
    memories.set(id, memory);
    if (step2.behaviour.kind !== "transform" || step2.behaviour.truncates !== true) return [];
    const message = `rows cut by this ${step2.key} would be lost: "${memory}" above it has already marked them as seen. Move the ${step2.key} above "${memory}"`;
    return [{ path: ["steps", index, step2.key], atKey: true, message }];
  });
};
var idleRetries = ({ common, index, step: step2 }) => {
  const { on } = common.retry ?? {};
  if (!Array.isArray(on)) return [];
  return ignoredCauses(step2.behaviour, on).map((status) => ({
    path: ["steps", index, "retry", "on", on.indexOf(status)],
    message: `${status} never matches on ${step2.key}: retry repeats the calls that read its job, not the pages of the job. Use \`sluice replay\` for failed pages, or scrape them row by row with \`scrape\``
  }));
};
var fieldsOf = (config2) => typeof config2 === "object" && config2 !== null ? Object.fromEntries(Object.entries(config2)) : {};
var givesIncrements = ({ config: config2, node }) => node.step.state?.(config2)?.skipsSeen === true;
var perRun2 = /* @__PURE__ */ new Set(["runId", "date"]);
var replaces = ({ config: config2, node }) => {
  const { behaviour } = node.step;
  const output = behaviour.kind === "sink" ? behaviour.destination(config2) : void 0;
  if (output === void 0) return false;
  const { mode, path: path2 } = output;
  const written = JSON.stringify([node.config, fieldsOf(config2).partitionBy]);
  return mode === "replace" && path2 !== "-" && !placeholdersOf(path2).some((name) => perRun2.has(name)) && !/\$\{\{[^}]*\brun\.|\$run\b/.test(written);
};
var lostIncrements = (nodes, configs) => {
  const taking = nodes.flatMap((node) => {
    const config2 = configs.get(node.id);
    return config2 === void 0 ? [] : [{ node, config: config2 === open3 ? node.config : config2 }];
  });
  return taking.flatMap((step2) => {
    if (!replaces(step2)) return [];
    const above = new Set(before({ nodes }, step2.node.id));
    const source = taking.find((each) => above.has(each.node.id) && givesIncrements(each));
    if (source === void 0) return [];
    const { id } = source.node;
    const otherwise2 = source.node.step.state?.(source.config)?.otherwise;
    const whole = otherwise2 === void 0 ? "" : `, or ${otherwise2}`;
    return [
      {
        path: ["steps", step2.node.index, step2.node.step.key],
        message: `this file will hold only the latest run's new rows ("${id}" skips rows of earlier runs): use mode: append or perRun, or put {runId} in the path${whole}`
      }
    ];
  });
};

// src/Pipeline/Check.ts
var runNames2 = ["id", "site", "startedAt", "date", "scheduledFor"];
var check2 = Effect72.fn("Pipeline.check")(function* (source, options) {
  const placed = (mistakes2) => [...new Map(mistakes2.map((each) => [JSON.stringify([each.path.map(String), each.message]), each])).values()].map(
    (mistake) => mistake.given || mistake.line !== void 0 ? mistake : { ...mistake, ...source.locate(mistake.path, mistake.atKey ? "key" : "value") }
  ).sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  const warnings = [];
  const permissions = forDefinition(yield* Permissions, NodePath11.resolve(source.folder, NodePath11.basename(source.file)));
  const { allowCode = permissions.code, codeAdvice, definitionHash: expected } = options;
  const isExpected = (hash3) => expected === void 0 || definitionHash({ source, registry: { hash: hash3 } }) === expected;
  const extended = yield* load3(source, { allowCode, codeAdvice, isExpected, permissions });
  const registry2 = Either32.getOrElse(extended, () => noExtensions);
  const cut2 = cutExpressions(source, registry2.steps);
  const invalid2 = (mistakes2) => new DefinitionInvalid({
    file: source.file,
    // Report an expression truncated by a YAML comment once; drop other mistakes at the same place.
    mistakes: placed(mistakes2).filter(
      ({ column, line, path: path2 }) => path2.length === 0 || !cut2.some((each) => each.line === line && each.column === column)
    ),
    warnings: placed(warnings)
  });
  if (source.value === null) {
    return yield* invalid2([{ path: [], message: "the file is empty: `sluice init` makes a first pipeline" }]);
  }
  const paths = yield* PlatformPath.Path;
  const mistakes = [...cut2];
  const frame = Schema51.decodeUnknownEither(WrittenFrame)(source.value);
  if (Either32.isLeft(frame)) mistakes.push(...mistakesOf(frame.left.issue));
  const written = typeof source.value === "object" && source.value !== null ? source.value : {};
  const declared = declaredIn(written.inputs);
  const named2 = typesOf(written.inputs);
  const scheduled = scheduledOf(written.schedule);
  const wrongSchedule = scheduledMistakes(declared, scheduled).filter(
    // A name whose declaration has mistakes of its own is known all the same.
    ({ path: path2 }) => !(Object.hasOwn(named2, String(path2[2])) && !Object.hasOwn(declared, String(path2[2])))
  );
  mistakes.push(...wrongSchedule);
  const own3 = options.scheduled === true && wrongSchedule.length === 0 ? withScheduled(declared, scheduled) : declared;
  const inputs = resolve10(own3, options.inputs, {
    required: options.complete,
    toPath: options.saved === true ? (path2) => path2 : paths.resolve
  });
  mistakes.push(...inputs.mistakes.filter(({ given, path: path2 }) => !given || Either32.isRight(frame) || path2.length > 1));
  const items = Array.isArray(written.steps) ? written.steps : [];
  if (Either32.isLeft(extended)) return yield* invalid2([...mistakes, ...extended.left]);
  const { broken: broken2, brokenIds, nodes, mistakes: unlinked } = link(items, registry2.steps);
  mistakes.push(...unlinked);
  mistakes.push(
    ...refusedNames(permissions, source.value),
    ...refusedInputs(permissions, own3, inputs.values, { ...options, folder: source.folder })
  );
  const scope4 = {
    // The name of an input counts although its declaration could not be read.
    inputs: { ...openAll(written.inputs), ...inputs.values },
    env: options.env,
    secrets: options.secrets,
    run: openRun("site" in written),
    steps: {},
    warn: options.unsetSecrets === "warning" ? (warning) => void warnings.push(warning) : void 0
  };
  const settled = {};
  for (const key2 of settledKeys) {
    if (!(key2 in written)) continue;
    const names2 = key2 === "state" ? scope4 : { ...scope4, run: {} };
    const part = yield* decodePart(settledFields[key2], written[key2], [key2], names2);
    if (Either32.isLeft(part)) mistakes.push(...part.left);
    else if (part.right !== open3) settled[key2] = part.right;
  }
  mistakes.push(
    ...refusedFile(permissions, source.folder, ["site"], settled.site),
    ...refusedWebhooks(permissions, written.notify, settled.notify)
  );
  const remembering = [];
  const targets = [];
  const toStdout = [];
  const configs = /* @__PURE__ */ new Map();
  let known4 = Object.fromEntries(brokenIds.map((id) => [id, { output: open3 }]));
  for (const index of broken2)
    mistakes.push(...yield* mistakesInBroken(items[index], index, { ...scope4, steps: known4 }, registry2.steps));
  for (const node of nodes) {
    const steps2 = known4;
    if (node.step.behaviour.kind === "value") known4 = { ...known4, [node.id]: { output: open3 } };
    const objections = options.begun === true ? [] : node.step.objections?.(node.config) ?? [];
    for (const { message, path: path2 } of objections) {
      mistakes.push({ path: ["steps", node.index, node.step.key, ...path2], message });
    }
    const wrong = options.begun === true ? [] : wrongExpressions(node, named2, stepsAround(node, nodes, brokenIds));
    mistakes.push(...wrong);
    const decoded = yield* decode2(node, { ...scope4, steps: steps2 });
    if (Either32.isLeft(decoded)) {
      mistakes.push(...decoded.left.filter(({ path: path2 }) => !wrong.some((each) => isBelow2(path2, each.path))));
      const target2 = options.begun === true || mayBeOff(node) ? void 0 : targetOf2(node, open3);
      if (target2 !== void 0) targets.push(target2);
      continue;
    }
    const { common, config: config2 } = decoded.right;
    mistakes.push(...refusedPaths(permissions, source.folder, node, decoded.right));
    if (common.when !== false) configs.set(node.id, config2);
    const target = options.begun === true || mayBeOff(node, common.when) ? void 0 : targetOf2(node, config2);
    if (target !== void 0) targets.push(target);
    const output = common.when === false ? void 0 : targetOf2(node, config2);
    if (output?.path === "-") toStdout.push(output.at);
    if (node.step.state?.(config2 === open3 ? node.config : config2) !== void 0) remembering.push(node.id);
  }
  mistakes.push(...cutOff(nodes, remembering), ...writtenTwice(targets, source));
  warnings.push(...lostIncrements(nodes, configs), ...nodes.flatMap(idleRetries));
  if (mistakes.length > 0 || Either32.isLeft(frame)) return yield* invalid2(mistakes);
  const { name, version: version2, description, inputs: declaredInputs, steps } = frame.right;
  const checked = {
    source,
    frame: { name, version: version2, description, inputs: declaredInputs, steps, ...settled },
    nodes,
    inputs: inputs.values,
    registry: registry2,
    remembering,
    toStdout,
    warnings: placed(warnings)
  };
  return checked;
});
var definitionHash = ({
  registry: registry2,
  source
}) => sha256(registry2?.hash === void 0 ? source.text : `${source.text}
${registry2.hash}`);
var isBelow2 = (path2, above) => above.every((part, index) => path2[index] === part);
var stepsAround = (node, nodes, brokenIds) => () => {
  const isValue = ({ step: step2 }) => step2.behaviour.kind === "value";
  const above = nodes.filter(({ index }) => index < node.index);
  const idOf4 = ({ id }) => id;
  return {
    values: [...above.filter(isValue).map(idOf4), ...brokenIds],
    others: above.filter((each) => !isValue(each)).map(idOf4),
    below: nodes.filter(({ index }) => index >= node.index).map(idOf4)
  };
};
var wrongExpressions = ({ config: config2, index, step: step2 }, declared, steps) => expressionMistakes(step2.config.ast, config2, ["steps", index, step2.key], declared, steps);
var openRun = (site) => Object.fromEntries(runNames2.filter((name) => name !== "site" || site).map((name) => [name, open3]));
var scopeBefore = ({ frame, inputs, nodes }, { env, secrets }) => ({
  inputs,
  env,
  secrets,
  run: openRun(frame.site !== void 0),
  steps: Object.fromEntries(
    nodes.filter(({ step: step2 }) => step2.behaviour.kind === "value").map(({ id }) => [id, { output: open3 }])
  )
});
var declaredIn = (inputs) => typeof inputs === "object" && inputs !== null && !Array.isArray(inputs) ? Object.fromEntries(
  Object.entries(inputs).flatMap(([name, input]) => {
    const decoded = Schema51.decodeUnknownEither(Input)(input);
    return Either32.isRight(decoded) ? [[name, decoded.right]] : [];
  })
) : {};
var typesOf = (inputs) => typeof inputs === "object" && inputs !== null ? Object.fromEntries(
  Object.entries(inputs).map(([name, input]) => {
    const { type } = input ?? {};
    return [name, { type: typeof type === "string" ? type : "string" }];
  })
) : {};
var openAll = (inputs) => typeof inputs === "object" && inputs !== null ? Object.fromEntries(Object.keys(inputs).map((name) => [name, open3])) : {};
var stateKey2 = (checked, scope4) => Effect72.gen(function* () {
  const { frame, inputs, remembering, source } = checked;
  const written = source.value.state;
  if (written === void 0) return remembering.length > 0 ? frame.name : void 0;
  const names2 = { ...scope4, inputs, steps: {} };
  const state = yield* decodePart(State, written, ["state"], names2);
  if (Either32.isLeft(state)) {
    const mistakes = state.left.map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }));
    return yield* new DefinitionInvalid({ file: source.file, mistakes });
  }
  return state.right === open3 ? open3 : state.right.key ?? frame.name;
});

// src/Row/Difference.ts
var isObject4 = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
var below2 = (path2, key2) => {
  const name = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key2) ? key2 : JSON.stringify(key2);
  return path2 === "" ? name : `${path2}.${name}`;
};
var gather2 = (expected, actual, part, path2, found) => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      gather2(expected[index], actual[index], part, `${path2}[${index}]`, found);
    }
    return;
  }
  if (isObject4(expected) && isObject4(actual)) {
    const keys = part ? Object.keys(expected) : [.../* @__PURE__ */ new Set([...Object.keys(expected), ...Object.keys(actual)])];
    for (const key2 of keys) gather2(own2(expected, key2), own2(actual, key2), part, below2(path2, key2), found);
    return;
  }
  if (!Object.is(expected, actual) && !(expected === 0 && actual === 0)) found.push({ path: path2, expected, actual });
};
var own2 = (value4, key2) => Object.hasOwn(value4, key2) ? value4[key2] : void 0;
var differences = (expected, actual) => {
  const found = [];
  gather2(expected, actual, false, "", found);
  return found;
};
var isEqual = (a, b) => differences(a, b).length === 0;

// src/Run/Metrics.ts
import * as Cause2 from "effect/Cause";
import * as Clock7 from "effect/Clock";
import * as Effect73 from "effect/Effect";
import * as Exit5 from "effect/Exit";
import * as Option15 from "effect/Option";
var underway = gauge("sluice_runs_underway", "Runs of this process that have not ended.", []);
var runs = counter("sluice_runs_total", "Runs that have ended, by how they did.", ["pipeline", "status"]);
var rows = counter("sluice_run_rows_total", "Rows that have reached an end of the pipeline.", ["pipeline"]);
var rejects = counter("sluice_run_rejects_total", "Rows that were turned away.", ["pipeline"]);
var credits = counter("sluice_run_credits_total", "Credits that runs have used.", ["pipeline"]);
var commits = histogram(
  "sluice_run_commit_duration_seconds",
  "Time of a commit, from its wait for rows under way to the end of its transaction.",
  []
);
var backpressure = counter(
  "sluice_run_backpressure_seconds_total",
  "Time that a step has waited because those that read it were full.",
  ["step"]
);
var reported = /* @__PURE__ */ new WeakMap();
var begin = (counters) => void reported.set(counters, { rows: counters.rows, rejects: counters.rejects, credits: counters.credits });
var report = (pipeline, counters) => {
  const before2 = reported.get(counters);
  if (before2 === void 0) return;
  rows.add(Math.max(0, counters.rows - before2.rows), pipeline);
  rejects.add(Math.max(0, counters.rejects - before2.rejects), pipeline);
  credits.add(Math.max(0, counters.credits - before2.credits), pipeline);
  begin(counters);
};
var measureCommit = (commit, pipeline, counters) => {
  begin(counters);
  return Effect73.gen(function* () {
    const from = yield* Clock7.currentTimeMillis;
    const result = yield* commit;
    commits.record(((yield* Clock7.currentTimeMillis) - from) / 1e3);
    report(pipeline, counters);
    yield* note({ "sluice.rows": counters.rows, "sluice.rejects": counters.rejects });
    return result;
  }).pipe(within("Run.commit"));
};
var measureBackpressure = (wait, step2) => Clock7.clockWith((clock3) => {
  const from = clock3.unsafeCurrentTimeMillis();
  return Effect73.ensuring(
    wait,
    Effect73.sync(() => backpressure.add(Math.max(0, clock3.unsafeCurrentTimeMillis() - from) / 1e3, step2))
  );
});
var statusOf = (exit2) => Exit5.match(exit2, {
  onSuccess: () => "completed",
  onFailure: (cause) => Cause2.isInterrupted(cause) ? "stopped" : Option15.match(Cause2.failureOption(cause), {
    onNone: () => "failed",
    onSome: ({ summary }) => summary.status
  })
});
var measureRun = (run, pipeline, counters, isCompleted) => Effect73.acquireUseRelease(
  Effect73.sync(() => underway.add(1)),
  () => Effect73.onExit(
    run,
    (exit2) => Effect73.map(isCompleted, (isCompleted2) => {
      report(pipeline, counters);
      runs.add(1, pipeline, isCompleted2 ? "completed" : statusOf(exit2));
    })
  ),
  () => Effect73.sync(() => underway.add(-1))
);

// src/Run/Progress.ts
var reasonsOf = ({
  given = {},
  incomplete = {}
}) => isList2(incomplete) ? [.../* @__PURE__ */ new Set([...incomplete, ...Object.keys(given)])].filter((step2) => !step2.startsWith("~")).map((step2) => [step2, ["earlier"]]) : Object.entries(incomplete).map(([step2, reasons2]) => [step2, reasons2.map(reasonOf3)]);
var isList2 = (saved2) => Array.isArray(saved2);
var Counters = class {
  expected = 0;
  rows = 0;
  rejects = 0;
  /** Calls are booked when they are answered, jobs with the checkpoint that has their pages. */
  callCredits = 0;
  callUnpriced = 0;
  callPages = 0;
  /** Booked answers: work that a resume does not repeat, whatever it cost. */
  answers = 0;
  jobCredits = 0;
  /** By step. */
  jobs = /* @__PURE__ */ new Map();
  jobUnpriced = 0;
  jobPages = 0;
  /** Rows that the budget has admitted to outputs, and an upper bound of their bytes. */
  outputRows = 0;
  outputBytes = 0;
  /** Bytes of the reject file that belong to the last checkpoint. */
  rejectBytes = 0;
  /** Steps that left out rows of their source, and why. */
  incomplete = /* @__PURE__ */ new Map();
  /** Jobs that keep running at the service after this run has stopped. */
  runningJobs = /* @__PURE__ */ new Set();
  /** True once all rows have passed all steps. */
  over = false;
  /** True once all rows have passed, and every one of them was rejected. */
  spent = false;
  /** Rows that sources left out because an earlier run has seen them. */
  unchanged = 0;
  /** Why the run publishes only a part, once no more rows come. Saved until its files are published. */
  budgetMessage = void 0;
  /** True once the budget has cut a step short. */
  isCut = false;
  /** Rows that moved since the last checkpoint. */
  uncommitted = 0;
  /** Bytes that each sink has safe on disk. */
  written = /* @__PURE__ */ new Map();
  /** By step. */
  given = /* @__PURE__ */ new Map();
  rejected = /* @__PURE__ */ new Map();
  give(step2, rows3) {
    this.given.set(step2, (this.given.get(step2) ?? 0) + rows3);
    this.uncommitted += rows3;
  }
  reject(step2) {
    this.rejects++;
    this.uncommitted++;
    this.rejected.set(step2, (this.rejected.get(step2) ?? 0) + 1);
  }
  /** Marks a step as incomplete; the next checkpoint has it. */
  markIncomplete(step2, reason) {
    const reasons2 = this.incomplete.get(step2);
    if (reasons2 === void 0) this.incomplete.set(step2, /* @__PURE__ */ new Set([reason]));
    else reasons2.add(reason);
  }
  /** Books credits of a step's job since the last call. */
  job(step2, credits2) {
    this.jobCredits += credits2;
    this.jobs.set(step2, (this.jobs.get(step2) ?? 0) + credits2);
  }
  get credits() {
    return this.callCredits + this.jobCredits;
  }
  get unpriced() {
    return this.callUnpriced + this.jobUnpriced;
  }
  get bytes() {
    let sum4 = 0;
    for (const bytes of this.written.values()) sum4 += bytes;
    return sum4;
  }
  /** Pages that were requested. */
  get pages() {
    return this.callPages + this.jobPages;
  }
  /** Snapshot for progress displays. */
  progress() {
    const { credits: credits2, expected, given, pages: pages2, rejects: rejects2, rows: rows3, unpriced } = this;
    return { expected, steps: Object.fromEntries(given), rows: rows3, rejects: rejects2, credits: credits2, unpriced, pages: pages2 };
  }
  /**
   * State for a checkpoint: what a resumed run continues to count from, and under `now` the load of the operators,
   * pages and bytes, for those who watch the run.
   */
  save(loads = {}) {
    const {
      budgetMessage,
      bytes,
      expected,
      given,
      incomplete,
      jobCredits,
      jobUnpriced,
      jobPages,
      outputBytes,
      outputRows,
      over: over2,
      pages: pages2,
      rejectBytes,
      rejected,
      rejects: rejects2,
      rows: rows3,
      spent,
      unchanged
    } = this;
    return {
      now: { loads, pages: pages2, bytes },
      expected,
      over: over2,
      spent,
      unchanged,
      incomplete: Object.fromEntries(Array.from(incomplete, ([step2, reasons2]) => [step2, [...reasons2]])),
      rows: rows3,
      rejects: rejects2,
      jobCredits,
      jobUnpriced,
      jobPages,
      outputRows,
      outputBytes,
      rejectBytes,
      jobs: Object.fromEntries(this.jobs),
      given: Object.fromEntries(given),
      rejected: Object.fromEntries(rejected),
      ...budgetMessage === void 0 ? {} : { budgetMessage }
    };
  }
  /**
   * Restores the counters from a checkpoint. `bytes` is the size of the run's outputs, which version 0.1 stored outside
   * of the checkpoint.
   */
  restore(saved2, bytes) {
    if (saved2 === null) return;
    const { given = {}, incomplete, jobs = {}, now: _5, rejected = {}, ...numbers3 } = saved2;
    Object.assign(this, { outputRows: numbers3.rows ?? 0, outputBytes: bytes, ...numbers3 });
    for (const [step2, reasons2] of reasonsOf({ given, incomplete })) {
      for (const reason of reasons2) this.markIncomplete(step2, reason);
    }
    for (const [step2, credits2] of Object.entries(jobs)) this.jobs.set(step2, credits2);
    for (const [step2, rows3] of Object.entries(given)) this.given.set(step2, rows3);
    for (const [step2, rows3] of Object.entries(rejected)) this.rejected.set(step2, rows3);
  }
};

// src/Run/Rejects.ts
import * as FileSystem15 from "@effect/platform/FileSystem";
import * as Path6 from "@effect/platform/Path";
import * as Clock8 from "effect/Clock";
import * as Effect74 from "effect/Effect";
import * as Scope2 from "effect/Scope";
var ended2 = (fields7, last) => last?.cause instanceof NetworkError ? new StepError({ ...fields7, reason: last.reason, scope: "run" }) : new TooManyRejects(fields7);
var tooManyRejects = (told) => ended2(
  {
    message: `rejected ${told.rejects} ${told.rejects === 1 ? "row" : "rows"}, and stopAfter: ${told.allowed} ends the run there${told.last === void 0 ? "" : `; the last: ${told.last.message}`} (${told.rejects === 1 ? "it is" : "all of them are"} in ${told.file}). Fix what rejects them, or raise stopAfter, and run the pipeline again`,
    cause: told.last,
    step: told.step,
    definedAt: told.definedAt
  },
  told.last
);
var allRejected = (rejects2, { last, path: path2 }) => {
  const rows3 = rejects2 === 1 ? "the only row was" : `all ${rejects2} rows were`;
  const reject = last();
  const why2 = reject === void 0 ? "" : `; the last, by ${reject.step}: ${reject.error.message}`;
  return ended2(
    {
      message: `${rows3} rejected, so no output was replaced${why2} (${rejects2 === 1 ? "it is" : "all of them are"} in ${path2})`
    },
    reject?.error
  );
};
var requestOf2 = ({ cause }) => typeof cause === "object" && cause !== null && "requestId" in cause && typeof cause.requestId === "string" ? cause.requestId : void 0;
var pathIn = (folder) => Effect74.map(Path6.Path, (paths) => paths.join(folder, "rejects.jsonl"));
var make15 = (folder, length, { mayBeHeld = false } = {}) => Effect74.gen(function* () {
  const files2 = yield* FileSystem15.FileSystem;
  const path2 = yield* pathIn(folder);
  const unwritable = (cause) => new RejectsUnwritable({
    message: `rejected rows cannot be recorded in ${path2}: ${fileErrorReason(cause)}`,
    cause
  });
  const scope4 = yield* Effect74.scope;
  let pending = [];
  let unwritten = [];
  let last;
  let size = length;
  const open6 = yield* Effect74.cached(
    Effect74.gen(function* () {
      yield* makeFolder(files2, folder);
      if (mayBeHeld && (yield* files2.exists(path2))) yield* takeOver(files2, path2, length);
      const handle = yield* files2.open(path2, { flag: (yield* files2.exists(path2)) ? "r+" : "w" });
      yield* handle.truncate(length);
      yield* handle.seek(length, "start");
      return handle;
    }).pipe(Scope2.extend(scope4), Effect74.mapError(unwritable))
  );
  if (yield* Effect74.orElseSucceed(files2.exists(path2), () => false)) yield* open6;
  return {
    path: path2,
    add: (step2, definedAt2, row, error) => Effect74.zipWith(Clock8.currentTimeMillis, here, (now, ids) => {
      const reject = {
        key: keyOf(row),
        isDerived: row.key === void 0,
        step: step2,
        definedAt: definedAt2,
        error: error.reason,
        message: error.message,
        status: error.status,
        attempts: error.attempts ?? 0,
        at: new Date(now).toISOString(),
        jobId: row.jobId,
        ...ids,
        requestId: requestOf2(error),
        row: row.data,
        source: row.source
      };
      last = { step: step2, error };
      pending.push(reject);
      unwritten.push(reject);
    }).pipe(Effect74.zipLeft(note({ "error.type": error.reason }))),
    pending: () => pending,
    flush: Effect74.suspend(() => {
      if (unwritten.length === 0) return Effect74.succeed(size);
      const bytes = Buffer.from(
        unwritten.map((reject) => `${JSON.stringify({ ...reject, isDerived: void 0 })}
`).join("")
      );
      return Effect74.flatMap(
        open6,
        (handle) => Effect74.mapError(Effect74.zipRight(handle.writeAll(bytes), handle.sync), unwritable)
      ).pipe(
        Effect74.map(() => {
          unwritten = [];
          size += bytes.length;
          return size;
        })
      );
    }),
    committed: () => {
      pending = [];
    },
    last: () => last
  };
});
var minRowsForShare = 100;
var isReached = (stopAfter, count2, seen) => count2 > 0 && (typeof stopAfter === "number" ? count2 >= stopAfter : count2 * 100 >= seen * Number.parseFloat(stopAfter));
var errorField = ({ message, reason, status }) => ({
  reason,
  message,
  ...status === void 0 ? {} : { status }
});
var makeErrorPolicy = (judge) => {
  const { counters, definedAt: definedAt2, onError: onError5 = "reject", rejects: rejects2, step: step2 } = judge;
  const stopAfter = typeof onError5 === "object" ? onError5.stopAfter : void 0;
  let last;
  let limit2;
  const counted = () => {
    const count2 = counters.rejected.get(step2) ?? 0;
    const given = (id) => counters.given.get(id) ?? 0;
    const seen = judge.inputs.length === 0 ? given(step2) + count2 : judge.inputs.reduce((sum4, id) => sum4 + given(id), 0);
    return { count: count2, seen };
  };
  const exceeded2 = (minRows) => {
    if (stopAfter === void 0) return void 0;
    const { count: count2, seen } = counted();
    return (typeof stopAfter === "number" || seen >= minRows) && isReached(stopAfter, count2, seen) ? tooManyRejects({ step: step2, definedAt: definedAt2, rejects: count2, allowed: stopAfter, file: rejects2.path, last }) : void 0;
  };
  const reject = (row, error) => Effect74.suspend(() => {
    const before2 = exceeded2(minRowsForShare);
    if (before2 !== void 0) return Effect74.succeed({ replacement: void 0, stop: before2 });
    last = error;
    counters.reject(step2);
    return Effect74.map(rejects2.add(step2, definedAt2, row, error), () => ({
      replacement: [],
      stop: exceeded2(minRowsForShare)
    }));
  });
  const resolve18 = (row, error) => {
    counters.markIncomplete(step2, "failed");
    switch (onError5) {
      case "fail":
        return Effect74.succeed({ replacement: void 0, stop: error });
      case "drop":
        return Effect74.succeed({ replacement: [], stop: void 0 });
      case "keep":
        return Effect74.succeed({
          replacement: [withData(row, { ...row.data, error: errorField(error) })],
          stop: void 0
        });
      default:
        return reject(row, error);
    }
  };
  const judged = (minRows) => Effect74.suspend(() => {
    const reason = exceeded2(minRows);
    return reason === void 0 ? Effect74.void : Effect74.fail(reason);
  });
  return {
    resolve: resolve18,
    resolveInChunk: (row, error) => Effect74.flatMap(resolve18(row, error), ({ replacement, stop: stop2 }) => {
      if (stop2 === void 0) return Effect74.succeed(replacement ?? []);
      if (limit2 === void 0 || replacement === void 0) return Effect74.fail(stop2);
      limit2.stop = stop2;
      return Effect74.succeed(replacement);
    }),
    limitError: () => exceeded2(minRowsForShare),
    chunkLimit: () => {
      if (stopAfter === void 0) return Number.POSITIVE_INFINITY;
      const { count: count2, seen } = counted();
      if (typeof stopAfter === "number") return Math.max(1, stopAfter - count2);
      if (seen < minRowsForShare) return Number.POSITIVE_INFINITY;
      return Math.max(1, Math.ceil(seen * Number.parseFloat(stopAfter) / 100) - count2);
    },
    upToLimit: (work) => Effect74.suspend(() => {
      const own3 = { stop: void 0 };
      limit2 = own3;
      return Effect74.map(work, (made) => ({ made, stop: own3.stop }));
    }).pipe(
      Effect74.ensuring(
        Effect74.sync(() => {
          limit2 = void 0;
        })
      )
    ),
    // A percentage may still fall as more rows come.
    checkAtStart: typeof stopAfter === "number" ? judged(0) : Effect74.void,
    checkAtEnd: judged(0)
  };
};
var leavesOut = ({ step: { behaviour } }) => behaviour.kind === "transform" && (behaviour.truncates === true || behaviour.leavesOut === true);
var isSource = ({ inputs, step: step2 }) => step2.behaviour.kind === "source" && inputs.length === 0;
var hasKept = (counters, node) => {
  const { id, inputs, step: step2 } = node;
  if (inputs.length === 0 || step2.behaviour.kind === "value" || leavesOut(node)) return false;
  if (counters.incomplete.get(id)?.has("wanted") === true) return false;
  const given = (step3) => counters.given.get(step3) ?? 0;
  return inputs.reduce((sum4, input) => sum4 + given(input), 0) > given(id) + (counters.rejected.get(id) ?? 0);
};
var stepsOf = ({ all: all5, nodes }) => all5 ?? nodes;
var isEveryRowRejected = (checked, counters) => counters.rows === 0 && counters.rejects > 0 && counters.unchanged === 0 && !stepsOf(checked).some((node) => hasKept(counters, node));
var manyRejectedWarning = (checked, counters, isReplay) => {
  const { given, rejected, rejects: rejects2, rows: rows3, unchanged } = counters;
  const delivered = stepsOf(checked).filter(isSource).reduce((sum4, { id }) => sum4 + (given.get(id) ?? 0) + (rejected.get(id) ?? 0), unchanged);
  const all5 = isReplay || rejects2 > delivered ? rows3 + rejects2 : delivered;
  if (rejects2 * 2 <= all5) return void 0;
  return `${rejects2} of ${all5} rows were rejected. To end a run in which so many are, set stopAfter in onError`;
};

// src/Run/RowStream.ts
import * as Chunk3 from "effect/Chunk";
import * as Effect75 from "effect/Effect";
import * as Exit6 from "effect/Exit";
import * as Option16 from "effect/Option";
import * as Queue from "effect/Queue";
import * as Stream21 from "effect/Stream";
import * as Take from "effect/Take";
var maxChunksAhead = 4;
var makeRowStream = (execute2) => Stream21.unwrapScoped(
  Effect75.gen(function* () {
    const queue = yield* Queue.unbounded();
    const latch = yield* Effect75.makeLatch(true);
    const quiet = yield* Effect75.makeLatch(true);
    let isHere2 = true;
    const chunks2 = { taken: 0, given: 0, done: 0 };
    const isFree2 = () => !isHere2 || queue.unsafeSize().pipe(Option16.getOrElse(() => 0)) <= maxChunksAhead;
    const measure = Effect75.suspend(() => isFree2() ? latch.open : latch.close);
    const tap12 = {
      take: (rows3) => Effect75.suspend(() => {
        chunks2.taken++;
        if (isHere2) quiet.unsafeClose();
        return Effect75.zipRight(Queue.offer(queue, Take.chunk(Chunk3.unsafeFromArray(rows3))), measure);
      }),
      capacity: { isFree: isFree2, wait: latch.await },
      read: Effect75.map(quiet.await, () => chunks2.done === chunks2.taken),
      isHere: () => isHere2
    };
    yield* execute2(tap12).pipe(
      Effect75.exit,
      Effect75.flatMap((exit2) => Queue.offer(queue, Exit6.isSuccess(exit2) ? Take.end : Take.failCause(exit2.cause))),
      Effect75.forkScoped
    );
    yield* Effect75.addFinalizer(() => {
      isHere2 = false;
      return Effect75.zipRight(latch.open, quiet.open);
    });
    const next = Effect75.suspend(() => {
      chunks2.done = chunks2.given;
      if (chunks2.done === chunks2.taken) quiet.unsafeOpen();
      return Queue.take(queue);
    }).pipe(
      Effect75.tap(() => measure),
      Effect75.flatMap(Take.done),
      Effect75.tap(() => Effect75.sync(() => chunks2.given++))
    );
    return Stream21.repeatEffectChunkOption(next);
  })
);

// src/Run/RunSpec.ts
import * as NodePath12 from "node:path";
import * as Duration14 from "effect/Duration";

// src/Pipeline/Display.ts
import * as Effect76 from "effect/Effect";
import * as AST7 from "effect/SchemaAST";
var filled2 = (scope4, value4) => {
  if (typeof value4 === "string") {
    if (!value4.includes("${{")) return Effect76.succeed(value4);
    return Effect76.map(
      settle(scope4, value4, []),
      (settled) => settled.mistakes.length + settled.open.length + settled.secret.length > 0 ? value4 : settled.value
    );
  }
  if (Array.isArray(value4)) return Effect76.forEach(value4, (item) => filled2(scope4, item));
  if (typeof value4 !== "object" || value4 === null) return Effect76.succeed(value4);
  return Effect76.map(
    Effect76.forEach(
      Object.entries(value4),
      ([key2, item]) => Effect76.map(filled2(scope4, item), (each) => [key2, each])
    ),
    Object.fromEntries
  );
};
var short = (text4) => {
  const line = text4.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const characters = [...line];
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}\u2026` : line;
};
var takesAnyKey = (ast) => AST7.isTypeLiteral(ast) && ast.propertySignatures.length === 0 && ast.indexSignatures.length > 0;
var textOf3 = (value4) => {
  if (Array.isArray(value4)) return value4.map(textOf3).join(", ");
  if (typeof value4 !== "object" || value4 === null) return String(value4);
  const { expr } = value4;
  return typeof expr === "string" ? expr : Object.keys(value4).join(", ");
};
var detailOf = ({ config: config2, step: step2 }) => {
  if (typeof config2 !== "object" || config2 === null || Array.isArray(config2)) return short(textOf3(config2));
  if (takesAnyKey(step2.config.ast)) return short(Object.keys(config2).join(", "));
  const [first] = Object.entries(config2);
  return first === void 0 ? "" : short(`${first[0]}: ${textOf3(first[1])}`);
};

// src/Pipeline/Diagram.ts
var kindOf = ({ step: step2 }) => {
  const { kind } = step2.behaviour;
  return kind === "source" || kind === "value" || kind === "sink" ? kind : "step";
};
var diagramOf = ({ frame, nodes }) => ({
  name: frame.name,
  nodes: nodes.map((node) => ({
    id: node.id,
    key: node.step.key,
    kind: kindOf(node),
    detail: detailOf(node),
    ...node.step.behaviour.kind === "transform" && node.step.behaviour.announces === true ? { announces: true } : {}
  })),
  edges: nodes.flatMap((node) => {
    const values = [...namedSteps(node)].filter((id) => nodes.some((each) => each.id === id));
    return [
      ...node.inputs.map((from) => ({ from, to: node.id, kind: "rows" })),
      ...node.after.map((from) => ({ from, to: node.id, kind: "after" })),
      ...values.map((from) => ({ from, to: node.id, kind: "value" }))
    ];
  })
});

// src/Run/RunSpec.ts
var isTrial = ({ trial, wanted }) => trial ?? wanted !== void 0;
var trialFolder = (dataDir, pipeline, runId) => NodePath12.resolve(dataDir, "trial", sanitize(pipeline), runId);
var isStateless = ({ backfill, wanted }) => backfill === true || wanted !== void 0;
var limitsOf = ({ frame: { budget } }) => budget && { ...budget, duration: budget.duration && Duration14.toMillis(budget.duration) };
var makeRunSpec = (checked, options, { id, startedAt }, { key: key2, touches }) => {
  const { resume } = options;
  const { frame, source } = checked;
  const { text: text4 } = source;
  const isExtended = (checked.registry?.added.length ?? 0) > 0 && options.parentRun === void 0;
  const graph = isExtended ? diagramOf({ frame, nodes: checked.all ?? checked.nodes }) : void 0;
  if (resume !== void 0) {
    const { graph: _5, ...kept3 } = resume.options;
    const saved2 = graph === void 0 ? kept3 : { ...kept3, graph };
    return { ...resume, definition: text4, definitionHash: definitionHash(checked), options: saved2 };
  }
  return {
    id,
    pipeline: frame.name,
    // A definition in a program has no file: a name in the folder for its relative paths.
    file: NodePath12.resolve(source.folder, NodePath12.basename(source.file)),
    definition: text4,
    definitionHash: definitionHash(checked),
    inputs: checked.inputs,
    out: options.out,
    folder: `${options.dataDir}/runs/${id}`,
    options: {
      limit: options.wanted,
      backfill: options.backfill,
      replayOf: options.replay?.of,
      budget: limitsOf(checked),
      // As written. Earlier versions kept it with inputs filled in, as `touches`: the two cannot be compared.
      named: touches,
      graph
    },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: isStateless(options) ? void 0 : key2,
    group: options.group
  };
};
var optionsOf = (record) => {
  const { backfill, limit: limit2, replayOf } = record.options;
  return {
    resume: record,
    out: record.out,
    wanted: limit2,
    backfill,
    group: record.group,
    // The rows belong to this run since its first checkpoint.
    replay: replayOf === void 0 ? void 0 : { of: replayOf, rows: /* @__PURE__ */ new Map(), numbers: [] }
  };
};

// src/Run/Runtime.ts
import * as NodePath15 from "node:path";
import * as Cause3 from "effect/Cause";
import * as Clock11 from "effect/Clock";
import * as Deferred7 from "effect/Deferred";
import * as Duration18 from "effect/Duration";
import * as Effect92 from "effect/Effect";
import * as Exit7 from "effect/Exit";
import * as Ref2 from "effect/Ref";
import * as Scope4 from "effect/Scope";

// src/Pipeline/Pin.ts
import * as NodePath13 from "node:path";
import * as FileSystem17 from "@effect/platform/FileSystem";
import * as Effect77 from "effect/Effect";
import * as Either33 from "effect/Either";
import * as Schema52 from "effect/Schema";
var Lock = Schema52.Struct({
  version: Schema52.Literal(1),
  url: Schema52.String,
  prompt: Schema52.String,
  /** Host of the service, or `local`. */
  service: Schema52.String,
  /** `model` or `rules`, when the service says which. */
  answeredBy: Schema52.optional(Schema52.String),
  /** `2026-03-01`. */
  date: Schema52.String,
  answer: CrawlParams
});
var fileOf = ({ source: { file, folder } }, pin) => Effect77.flatMap(
  Permissions,
  (permissions) => Effect77.provideService(
    readable(pin, folder),
    Permissions,
    forDefinition(permissions, NodePath13.resolve(folder, NodePath13.basename(file)))
  )
);
var parse5 = (text4) => Either33.flatMap(
  Either33.mapLeft(
    Either33.try(() => JSON.parse(text4)),
    () => "it is not valid JSON"
  ),
  (value4) => Either33.mapLeft(
    Schema52.decodeUnknownEither(Lock, { errors: "first", onExcessProperty: "error" })(value4),
    (error) => {
      const [mistake] = mistakesOf(error.issue);
      if (mistake === void 0) return "it has another form";
      const path2 = mistake.atKey === true ? "" : mistake.path.map(String).join(".");
      return path2 === "" ? mistake.message : `${path2}: ${mistake.message}`;
    }
  )
);
var inspect3 = (file, question) => Effect77.flatMap(FileSystem17.FileSystem, (files2) => files2.readFileString(file)).pipe(
  Effect77.map((text4) => {
    const parsed = parse5(text4);
    if (Either33.isLeft(parsed)) return { is: "broken", reason: parsed.left };
    const lock = parsed.right;
    const differs = ["url", "prompt"].filter(
      (key2) => question !== void 0 && lock[key2] !== question[key2]
    );
    return differs.length === 0 ? { is: "held", lock } : { is: "stale", lock, differs };
  }),
  Effect77.catchAll(
    (error) => Effect77.succeed(
      error._tag === "SystemError" && error.reason === "NotFound" ? { is: "missing" } : { is: "broken", reason: fileErrorReason(error) }
    )
  )
);
var objection3 = (standing, pin, definition) => {
  switch (standing.is) {
    case "held":
      return void 0;
    case "missing":
      return `the lock file ${pin} is missing: \`sluice pin ${definition}\` makes it`;
    case "stale":
      return `the lock file ${pin} was made for another ${standing.differs.join(" and ")}: \`sluice pin ${definition}\` asks again and shows what changes`;
    case "broken":
      return `the lock file ${pin} cannot be used, ${standing.reason}: \`sluice pin ${definition} --update\` replaces it`;
  }
};
var questionOf = (node, scope4) => Effect77.map(decode2(node, scope4), (decoded) => {
  if (node.common.pin === void 0 || Either33.isLeft(decoded)) return void 0;
  const { common, config: config2 } = decoded.right;
  if (common.when === false || common.pin === void 0) return void 0;
  return { node, pin: common.pin, question: config2 === open3 ? void 0 : config2 };
});
var pinned = (checked, options) => Effect77.map(
  Effect77.forEach(checked.nodes, (node) => questionOf(node, scopeBefore(checked, options))),
  (found) => found.filter((each) => each !== void 0)
);
var require2 = (checked, options) => Effect77.flatMap(
  pinned(checked, options),
  (all5) => Effect77.forEach(all5, ({ node, pin, question }) => answer(checked, node, pin, question), { discard: true })
);
var answer = (checked, node, pin, question) => Effect77.gen(function* () {
  const standing = yield* inspect3(yield* fileOf(checked, pin), question);
  if (standing.is === "held") return standing.lock.answer;
  const place = checked.source.locate(["steps", node.index, "pin"]);
  const { file } = checked.source;
  return yield* new PinUnusable({
    message: objection3(standing, pin, file) ?? pin,
    step: node.id,
    definedAt: place === void 0 ? file : `${file}:${place.line}:${place.column}`
  });
});

// src/Pipeline/Resources.ts
import * as NodePath14 from "node:path";
import * as Effect78 from "effect/Effect";
var kinds3 = ["env", "secrets", "hosts", "reads", "writes"];
var sorted2 = (values) => [...new Set(values)].sort();
var hostsIn = (value4) => {
  if (typeof value4 === "string") {
    const [, host3] = /^https?:\/\/(?:[^/?#@\s]*@)?(\$\{\{.*?\}\}[^/?#\s]*|[^/?#\s]+)/i.exec(value4) ?? [];
    return host3 === void 0 ? [] : [host3.toLowerCase().startsWith("${{") ? host3 : host3.toLowerCase()];
  }
  if (typeof value4 !== "object" || value4 === null) return [];
  return Object.values(value4).flatMap(hostsIn);
};
var resourcesOf = (checked, options) => Effect78.gen(function* () {
  const { all: all5, frame, nodes, source } = checked;
  const scope4 = options && scopeBefore(checked, { ...options, env: {} });
  const names2 = namedIn(source.value);
  const hosts = [];
  const reads = frame.site === void 0 ? [] : [frame.site];
  const writes = [];
  for (const { common, config: written, step: step2 } of all5 ?? nodes) {
    const config2 = scope4 === void 0 ? written : yield* filled2(scope4, written);
    hosts.push(...hostsIn(config2));
    if (step2.sites?.(config2) !== void 0) hosts.push("*");
    reads.push(
      ...(step2.reads?.(config2) ?? []).map(({ file }) => file),
      ...ofFile("pin")(common).map(({ file }) => file)
    );
    const output = step2.behaviour.kind === "sink" ? step2.behaviour.destination(config2) : void 0;
    if (output !== void 0) writes.push(output.path);
  }
  const { extensions: extensions2, notify } = mapping2(source.value);
  if (typeof extensions2 === "string") reads.push(extensions2);
  return {
    env: sorted2(names2.flatMap(({ kind, name }) => kind === "env" ? [name] : [])),
    secrets: sorted2(names2.flatMap(({ kind, name }) => kind === "secrets" ? [name] : [])),
    hosts: sorted2([...hosts, ...hostsIn(notify)]),
    reads: sorted2(reads.map((file) => file.includes("${{") ? file : NodePath14.resolve(source.folder, file))),
    writes: sorted2(writes)
  };
});
var listOf = (touches, kind) => {
  const list3 = mapping2(touches)[kind];
  return Array.isArray(list3) ? list3 : void 0;
};
var words2 = { env: "env", secrets: "secret", hosts: "host", reads: "reads", writes: "writes" };
var addedResources = (touches, before2) => {
  const grown = kinds3.flatMap((kind) => {
    const known4 = listOf(before2, kind);
    const added = known4 === void 0 ? [] : touches[kind].filter((each) => !known4.includes(each));
    return added.length === 0 ? [] : [`${words2[kind]} ${added.join(", ")}`];
  });
  return grown.length === 0 ? void 0 : grown.join("; ");
};

// src/Run/Budget.ts
import * as Clock10 from "effect/Clock";
import * as Duration15 from "effect/Duration";
import * as Effect80 from "effect/Effect";

// src/Run/Reservations.ts
import * as Clock9 from "effect/Clock";
import * as Deferred3 from "effect/Deferred";
import * as Effect79 from "effect/Effect";
import * as FiberId3 from "effect/FiberId";

// src/Run/RunErrors.ts
import * as Schema53 from "effect/Schema";
var ledgerFailed = (error) => StepError.of(error);
var inStep = (error, checked, node) => error.with({
  step: error.step ?? node.id,
  definedAt: error.definedAt ?? definedAt(checked.source, node)
});
var inStepNamed = (error, checked, step2) => {
  const node = checked.nodes.find(({ id }) => id === step2);
  return error._tag === "StepError" && node !== void 0 ? inStep(error, checked, node) : error;
};
var definedAt = (source, node) => {
  const place = source.locate(["steps", node.index]);
  return place === void 0 ? source.file : `${source.file}:${place.line}:${place.column}`;
};
var SavedFailure = Schema53.Struct({
  row: SavedRow,
  error: Schema53.Struct({
    reason: Schema53.String,
    message: Schema53.String,
    status: Schema53.optional(Schema53.Number),
    attempts: Schema53.optional(Schema53.Number)
  })
});
var failureJson = ([row, { attempts, message, reason, status }]) => ({
  row: toJson(row),
  error: { attempts, message, reason, status }
});
var failureOf2 = ({ error, row }) => [row, restored(error)];

// src/Run/Reservations.ts
var plus = (left15, right15) => ({
  credits: left15.credits + right15.credits,
  pages: left15.pages + right15.pages,
  rows: left15.rows + right15.rows,
  bytes: left15.bytes + right15.bytes
});
var minus = (left15, { bytes, credits: credits2, pages: pages2, rows: rows3 }) => plus(left15, { credits: -credits2, pages: -pages2, rows: -rows3, bytes: -bytes });
var localAccount = ({ own: own3 }, open6) => ({
  isShared: false,
  reserve: (asked, decide2) => Effect79.sync(() => {
    let { credits: credits2, pages: pages2 } = own3();
    let isBusy = false;
    for (const [id, { held, isFirm, isOver: isOver2 }] of open6) {
      if (isOver2 || id === asked) continue;
      isBusy ||= !isFirm && (held.credits > 0 || held.pages > 0);
      credits2 += held.credits;
      pages2 += held.pages;
    }
    return decide2({ used: { ...own3(), credits: credits2, pages: pages2 }, isBusy });
  }),
  release: () => Effect79.void,
  used: Effect79.sync(own3)
});
var dayOf = (instant) => Math.floor(instant / 864e5) * 864e5;
var noUsage = { credits: 0, pages: 0, rows: 0, bytes: 0 };
var sharedAccount = ({ from = noUsage, group: group2, journal, ledger, limits: limits3, pipeline, runId }) => ({ own: own3, whole }, open6) => {
  const today = Effect79.map(Clock9.currentTimeMillis, dayOf);
  const scope4 = limits3?.per === "day" || group2 === void 0 ? Effect79.map(today, (since) => ({ _tag: "Day", pipeline, since })) : Effect79.succeed({ _tag: "Group", group: group2, from });
  const returnable = () => new Set(Array.from(open6).flatMap(([id, { firmInLedger, isOver: isOver2 }]) => isOver2 || !firmInLedger ? [id] : []));
  const usedToday = Effect79.map(
    Effect79.flatMap(today, (since) => ledger.creditsSince(pipeline, since)),
    (credits2) => ({ ...own3(), credits: Math.max(own3().credits, credits2) })
  );
  const usedBy = (group3) => Effect79.map(ledger.sharedLimits.used(group3, runId), (others) => minus(plus(whole(), others), from));
  return {
    isShared: true,
    reserve: (id, decide2) => Effect79.flatMap(scope4, (scope5) => journal.reserve({ id, scope: scope5, mine: returnable(), decide: decide2 })).pipe(
      Effect79.mapError(ledgerFailed)
    ),
    release: (id) => Effect79.mapError(journal.release(id), ledgerFailed),
    used: Effect79.mapError(group2 === void 0 ? usedToday : usedBy(group2), ledgerFailed)
  };
};
var accountOf = (options) => {
  const { group: group2, limits: limits3 } = options;
  const isShared2 = limits3 !== void 0 && (limits3.per === "day" || group2 !== void 0);
  return isShared2 ? sharedAccount(options) : localAccount;
};
var quantity = (amount, noun) => `${Number(amount.toFixed(2)).toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`;
var limitText = (limit2, { per }) => `${limit2.toLocaleString("en-US")} ${per === "day" ? "a day" : "a run"}`;
var unknownPriceFactor = 10;
var epsilon = 1e-9;
var maxUnits = 2 ** 31;
var priceCall = (step2, buying, { dearest, hasUnpriced }, listed2) => {
  const { isJob = false, most: most2 = 1 } = buying;
  const price = (units3) => {
    const known4 = listed2(units3);
    if (known4 !== void 0) {
      const isDearer = dearest > (listed2(isJob ? 1 : most2) ?? 0) + epsilon;
      return isDearer ? isJob ? dearest * units3 : dearest : known4;
    }
    if (hasUnpriced) return 0;
    return isJob ? Math.max(1, dearest) * units3 : dearest * unknownPriceFactor;
  };
  return {
    step: step2,
    buying,
    isListed: listed2(1) !== void 0,
    isEstimated: isJob || hasUnpriced || dearest > 0,
    price
  };
};
var largest2 = (most2, fits) => {
  if (fits(most2)) return most2;
  let low = 0;
  let high = Math.min(most2, maxUnits);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
};
var remaining = (limits3, { credits: credits2, pages: pages2 }) => ({
  credits: limits3.credits === void 0 ? Number.POSITIVE_INFINITY : limits3.credits - credits2,
  pages: limits3.pages === void 0 ? Number.POSITIVE_INFINITY : limits3.pages - pages2
});
var grant = (limits3, units3, credits2, pages2) => ({
  _tag: "Granted",
  units: units3,
  reserved: {
    credits: limits3.credits === void 0 ? 0 : credits2,
    pages: limits3.pages === void 0 ? 0 : pages2
  }
});
var refuse4 = (limits3, used2, { buying, isListed, price, step: step2 }) => {
  const left15 = remaining(limits3, used2);
  const credits2 = isListed ? price(1) : 0;
  const pages2 = buying.pages?.(1) ?? 0;
  const next = (needed) => `, and the next call of ${step2} may take ${needed}`;
  const lacksCredits = limits3.credits !== void 0 && (credits2 > left15.credits + epsilon || left15.credits <= epsilon);
  const why2 = lacksCredits ? `${quantity(used2.credits, "credit")} of ${limitText(limits3.credits, limits3)}${left15.credits > epsilon ? next(quantity(credits2, "credit")) : ""}` : `${quantity(used2.pages, "page")} of ${limitText(limits3.pages ?? 0, limits3)}${left15.pages > 0 ? next(quantity(pages2, "page")) : ""}`;
  return { _tag: "Refused", why: why2 };
};
var decide = (limits3, call2, { isBusy, used: used2 }) => {
  const { buying, isEstimated, isListed, price } = call2;
  const { isJob = false, most: most2 = 1, pages: pages2 = () => 0 } = buying;
  const left15 = remaining(limits3, used2);
  const hasPages = (units4) => pages2(units4) <= left15.pages;
  const hasCredits = (units4) => left15.credits === Number.POSITIVE_INFINITY || // A call of unknown price needs some credits left; the first call of a step runs alone (below).
  price(units4) <= left15.credits + epsilon && (isListed || left15.credits > epsilon && isEstimated);
  const units3 = largest2(most2, (units4) => hasPages(units4) && hasCredits(units4));
  if (units3 < most2 && isBusy) return { _tag: "Wait" };
  if (units3 >= most2 || units3 >= 1) return grant(limits3, units3, price(units3), pages2(units3));
  const mayRunAlone = !isListed && left15.credits > epsilon && hasPages(1);
  if (!mayRunAlone) return refuse4(limits3, used2, call2);
  const alone = largest2(most2, hasPages);
  return grant(limits3, isJob ? 1 : alone, left15.credits, pages2(alone));
};
var idOf2 = ({ mark: mark2, step: step2 }) => `${step2}/${mark2}`;
var unlimited2 = ({ most: most2 = 1 }) => ({
  id: void 0,
  units: most2,
  spend: () => {
  },
  settle: () => {
  },
  shrink: () => {
  },
  end: () => {
  },
  release: Effect79.void,
  wanted: Effect79.never
});
var pollInterval = "250 millis";
var Reservations = class {
  #options;
  /** Undefined when neither credits nor pages are limited: then nothing is reserved. */
  #limits;
  #open = /* @__PURE__ */ new Map();
  #observed = /* @__PURE__ */ new Map();
  /** Completes when credits or pages are returned; a new one then takes its place. */
  #returned = Deferred3.unsafeMake(FiberId3.none);
  /** Completes when a call waits for reservations to be returned. */
  #wanted = Deferred3.unsafeMake(FiberId3.none);
  account;
  constructor(options) {
    const { limits: limits3 } = options;
    this.#options = options;
    this.#limits = limits3?.credits === void 0 && limits3?.pages === void 0 ? void 0 : limits3;
    this.account = options.account(options.spending, this.#open);
  }
  /** See `Budget.reserve`. Uninterruptible but for the wait, so a granted reservation always has an owner. */
  reserve(call2, buying) {
    const limits3 = this.#limits;
    if (limits3 === void 0) return Effect79.succeed(unlimited2(buying));
    const { onRefused, shutdown } = this.#options;
    const attempt3 = Effect79.suspend(() => {
      const returned = this.#returned;
      const judge = (usage2) => decide(limits3, this.#price(call2.step, buying), usage2);
      return Effect79.flatMap(this.account.reserve(idOf2(call2), judge), (decision) => {
        switch (decision._tag) {
          case "Granted":
            return Effect79.succeed(this.#add(call2, buying, decision.units, decision.reserved));
          case "Refused":
            onRefused(decision.why);
            return new BudgetReached({ message: `the budget is used up: ${decision.why}` });
          default:
            if (shutdown.reason() !== void 0) return new Stopped({ message: "the run comes to a stop" });
            return Effect79.zipRight(Effect79.interruptible(this.#wait(returned)), attempt3);
        }
      });
    });
    return Effect79.uninterruptible(attempt3);
  }
  /** See `Budget.takeOver`. */
  takeOver(call2, buying) {
    const limits3 = this.#limits;
    if (limits3 === void 0) return Effect79.succeed(unlimited2(buying));
    const { cost: cost7, most: most2 = 1, pages: pages2 = () => 0 } = buying;
    const units3 = Math.min(most2, maxUnits);
    const takeRest = ({ used: used2 }) => {
      const left15 = remaining(limits3, used2);
      const price = mostCredits(cost7(units3), this.#options.rate) ?? left15.credits;
      return grant(
        limits3,
        most2,
        Math.max(0, Math.min(left15.credits, price)),
        Math.max(0, Math.min(left15.pages, pages2(units3)))
      );
    };
    return this.account.reserve(idOf2(call2), takeRest).pipe(
      Effect79.map(
        (decision) => this.#add(call2, buying, most2, decision._tag === "Granted" ? decision.reserved : { credits: 0, pages: 0 })
      ),
      Effect79.uninterruptible
    );
  }
  /** See `Budget.learn`. */
  learn(step2, credits2) {
    const observed = this.#observed.get(step2) ?? { dearest: 0, hasUnpriced: false };
    this.#observed.set(step2, observed);
    if (credits2 !== void 0) observed.dearest = Math.max(observed.dearest, credits2);
    else if (this.#limits?.credits !== void 0 && !observed.hasUnpriced) {
      observed.hasUnpriced = true;
      return `${step2}: the service does not say what calls cost, so \`budget.credits\` cannot count them; \`budget.pages\` can`;
    }
    return void 0;
  }
  /** True while a job of unknown price runs. */
  hasWatched() {
    return [...this.#open.values()].some(({ isOver: isOver2, isWatched }) => isWatched && !isOver2);
  }
  /** State of the open reservations, for a checkpoint in the ledger. */
  changes() {
    return Array.from(this.#open, ([id, { held, isFirm, isOver: isOver2 }]) => ({
      id,
      remaining: isOver2 ? void 0 : held,
      isFirm
    }));
  }
  /** Called after a checkpoint with these changes has been committed. */
  saved(changes2) {
    for (const { id, isFirm, remaining: remaining2 } of changes2) {
      const kept3 = this.#open.get(id);
      if (kept3 === void 0) continue;
      if (remaining2 === void 0 && kept3.isOver) this.#open.delete(id);
      if (isFirm && kept3.isFirm) kept3.firmInLedger = true;
    }
    if (changes2.length > 0) this.#wakeWaiting();
  }
  /** Estimates the price of a call; nothing costs credits where these are not limited. */
  #price(step2, buying) {
    const { rate } = this.#options;
    const listed2 = (units3) => this.#limits?.credits === void 0 ? 0 : mostCredits(buying.cost(units3), rate);
    return priceCall(step2, buying, this.#observed.get(step2) ?? { dearest: 0, hasUnpriced: false }, listed2);
  }
  /** Waits until reservations are returned or a shutdown is requested, and asks running jobs for what they need no more. */
  #wait(returned) {
    const own3 = Deferred3.await(returned);
    const any = this.account.isShared ? Effect79.raceFirst(own3, Effect79.sleep(pollInterval)) : own3;
    return Effect79.zipRight(
      Deferred3.succeed(this.#wanted, void 0),
      Effect79.raceFirst(any, this.#options.shutdown.requested)
    );
  }
  #wakeWaiting() {
    const before2 = this.#returned;
    this.#returned = Deferred3.unsafeMake(FiberId3.none);
    Deferred3.unsafeDone(before2, Effect79.void);
  }
  /** The next checkpoint tells a shared account what has changed. */
  #noteChange() {
    if (this.account.isShared) this.#options.counters.uncommitted++;
  }
  /** Adds a granted reservation to the table. */
  #add(call2, buying, units3, held) {
    const id = idOf2(call2);
    const isWatched = buying.isJob === true && mostCredits(buying.cost(1), this.#options.rate) === void 0;
    const mine = { held, isOver: false, isFirm: false, firmInLedger: false, isWatched };
    this.#open.set(id, mine);
    const end2 = () => this.#end(id, mine);
    return {
      id: this.account.isShared ? id : void 0,
      units: units3,
      spend: (credits2, pages2) => {
        if (isWatched && pages2 > 0) this.learn(call2.step, credits2 / pages2);
        mine.held = {
          credits: Math.max(0, mine.held.credits - credits2),
          pages: Math.max(0, mine.held.pages - pages2)
        };
      },
      settle: () => {
        this.#open.delete(id);
        end2();
      },
      shrink: (credits2, pages2) => this.#shrink(mine, { credits: credits2, pages: pages2 ?? Number.POSITIVE_INFINITY }),
      end: end2,
      release: Effect79.suspend(() => {
        if (!this.#open.delete(id)) return Effect79.void;
        return Effect79.zipRight(Effect79.ignoreLogged(this.account.release(id)), Effect79.sync(end2));
      }),
      wanted: Deferred3.await(this.#wanted)
    };
  }
  #end(id, mine) {
    if (mine.isOver) return;
    mine.isOver = true;
    mine.held = { credits: 0, pages: 0 };
    if (this.#open.get(id) === mine) {
      this.#noteChange();
      if (!this.account.isShared) this.#open.delete(id);
    }
    this.#wakeWaiting();
  }
  #shrink(mine, { credits: credits2, pages: pages2 }) {
    const { held, isFirm } = mine;
    mine.held = { credits: Math.min(held.credits, credits2), pages: Math.min(held.pages, pages2) };
    mine.isFirm = true;
    if (isFirm && credits2 >= held.credits && pages2 >= held.pages) return;
    this.#noteChange();
    this.#wakeWaiting();
  }
};

// src/Run/Budget.ts
var usageOf = ({ credits: credits2, outputBytes, outputRows, pages: pages2 }) => ({
  credits: credits2,
  pages: pages2,
  rows: outputRows,
  bytes: outputBytes
});
var noLimits = { per: "run", onReached: "stop" };
var timeIsOver = (duration) => `${Duration15.format(duration)} are over`;
var isTimeOver = ({ begin: begin2, limits: { duration } }, now) => duration !== void 0 && now - begin2 >= Duration15.toMillis(duration);
var inTime = (state, duration) => Effect80.flatMap(Clock10.currentTimeMillis, (now) => {
  if (!isTimeOver(state, now)) return Effect80.void;
  state.refusal ??= timeIsOver(duration);
  return new BudgetReached({ message: `the budget is used up: ${state.refusal}` });
});
var timeOver = (state, duration) => Effect80.gen(function* () {
  const now = yield* Clock10.currentTimeMillis;
  yield* Effect80.sleep(Math.max(0, state.begin + Duration15.toMillis(duration) - now));
  state.refusal ??= timeIsOver(duration);
  yield* state.shutdown.request("budget");
});
var outputReservation = "~outputs";
var sharesOfBytes = 4;
var uncommitted = ({ committed, counters }) => ({
  rows: counters.outputRows - committed.rows,
  bytes: counters.outputBytes - committed.bytes
});
var admitRows = (state, rows3, { countsRows, sizes }, used2) => {
  const { counters, limits: limits3 } = state;
  const maxBytes = limits3.bytes ?? Number.POSITIVE_INFINITY;
  const maxRows = (countsRows ? limits3.rows : void 0) ?? Number.POSITIVE_INFINITY;
  const share = (maxBytes - used2.bytes) / sharesOfBytes;
  const refusalOf = (fits2, bytes2, next) => {
    if (used2.rows + fits2 >= maxRows) return `${quantity(maxRows, "row")} of ${limitText(maxRows, limits3)}`;
    if (used2.bytes + bytes2 + next <= maxBytes) return void 0;
    return `${quantity(used2.bytes + bytes2, "byte")} of ${limitText(maxBytes, limits3)}, and the next row has up to ${quantity(next, "byte")}`;
  };
  let fits = 0;
  let bytes = 0;
  while (fits < rows3.length && (fits === 0 || bytes < share)) {
    const next = sizes[fits] ?? 0;
    const refusal3 = refusalOf(fits, bytes, next);
    if (refusal3 !== void 0) {
      if (fits === 0) state.refusal ??= refusal3;
      break;
    }
    bytes += next;
    fits++;
  }
  counters.outputRows += countsRows ? fits : 0;
  counters.outputBytes += bytes;
  return fits;
};
var admitShared = (state, rows3, output) => Effect80.suspend(() => {
  const { counters, reservations } = state;
  const before2 = { outputRows: counters.outputRows, outputBytes: counters.outputBytes };
  let fits = 0;
  const decide2 = ({ used: used2 }) => {
    Object.assign(counters, before2);
    const own3 = uncommitted(state);
    fits = admitRows(state, rows3, output, { rows: used2.rows + own3.rows, bytes: used2.bytes + own3.bytes });
    return { _tag: "Granted", units: fits, reserved: { credits: 0, pages: 0, ...uncommitted(state) } };
  };
  return Effect80.map(reservations.account.reserve(outputReservation, decide2), () => fits);
});
var admit = (state, rows3, output) => {
  const { limits: limits3, reservations, spending } = state;
  if (limits3.rows === void 0 && limits3.bytes === void 0) return Effect80.succeed(rows3.length);
  return reservations.account.isShared ? admitShared(state, rows3, output) : Effect80.sync(() => admitRows(state, rows3, output, spending.own()));
};
var changes = (state) => {
  const { reservations } = state;
  if (!reservations.account.isShared) return [];
  const { bytes, rows: rows3 } = uncommitted(state);
  const admitted = { id: outputReservation, remaining: void 0, isFirm: true };
  return [...reservations.changes(), ...rows3 + bytes > 0 ? [admitted] : []];
};
var saved = (state, changes2) => {
  if (changes2.some(({ id }) => id === outputReservation)) state.committed = state.spending.whole();
  state.reservations.saved(changes2);
};
var exceeded = (state, now, used2) => {
  const { limits: limits3 } = state;
  for (const name of ["credits", "pages", "rows", "bytes"]) {
    const limit2 = limits3[name];
    if (limit2 !== void 0 && used2[name] >= limit2)
      return `${quantity(used2[name], name.slice(0, -1))} of ${limitText(limit2, limits3)}`;
  }
  return limits3.duration !== void 0 && isTimeOver(state, now) ? timeIsOver(limits3.duration) : void 0;
};
var watch = ({ limits: { credits: limit2 }, reservations, shutdown }) => Effect80.suspend(
  () => limit2 === void 0 || !reservations.hasWatched() ? Effect80.void : Effect80.flatMap(
    reservations.account.used,
    ({ credits: credits2 }) => credits2 >= limit2 - epsilon ? shutdown.request("budget") : Effect80.void
  )
);
var make16 = (options) => Effect80.map(Clock10.currentTimeMillis, (now) => {
  const { account = localAccount, counters, limits: limits3 = noLimits, rate, shutdown, since = now } = options;
  const start3 = usageOf(counters);
  const whole = () => usageOf(counters);
  const spending = { whole, own: () => minus(whole(), start3) };
  const onRefused = (why2) => {
    state.refusal ??= why2;
  };
  const reservations = new Reservations({ limits: limits3, counters, shutdown, rate, spending, account, onRefused });
  const state = {
    limits: limits3,
    counters,
    shutdown,
    begin: since,
    spending,
    reservations,
    committed: start3,
    refusal: void 0
  };
  const { duration } = limits3;
  return {
    rate,
    reserve: (call2, buying) => reservations.reserve(call2, buying),
    takeOver: (call2, buying) => reservations.takeOver(call2, buying),
    learn: (step2, credits2) => reservations.learn(step2, credits2),
    measure: (rows3, sizeOf) => limits3.bytes === void 0 || sizeOf === void 0 ? Effect80.succeed([]) : sizeOf(rows3),
    admit: (rows3, output) => admit(state, rows3, output),
    watch: watch(state),
    inTime: duration === void 0 ? Effect80.void : inTime(state, duration),
    timeOver: duration === void 0 ? Effect80.never : timeOver(state, duration),
    changes: () => changes(state),
    saved: (changes2) => saved(state, changes2),
    reached: Effect80.suspend(
      () => state.refusal !== void 0 ? Effect80.succeed(state.refusal) : Effect80.zipWith(
        Clock10.currentTimeMillis,
        reservations.account.used,
        (now2, used2) => exceeded(state, now2, used2)
      )
    )
  };
});

// src/Run/CallCache.ts
import * as Effect81 from "effect/Effect";
import * as Fiber2 from "effect/Fiber";
var make17 = ({
  budget,
  buffer,
  counters,
  journal,
  shutdown
}) => Effect81.gen(function* () {
  const scope4 = yield* Effect81.scope;
  const saved2 = yield* Effect81.mapError(journal.answers, ledgerFailed);
  const stored = new Map(Array.from(saved2, ([step2, answers]) => [step2, new Map(answers)]));
  const failIfStopped = Effect81.suspend(
    () => shutdown.reason() === "stop" ? new Stopped({ message: "the run comes to a stop" }) : Effect81.void
  );
  const finishInShutdown = (call2, restore3) => Effect81.flatMap(
    Effect81.forkIn(call2, scope4),
    (fiber) => Effect81.onInterrupt(
      restore3(Fiber2.join(fiber)),
      () => shutdown.reason() === void 0 ? Fiber2.interrupt(fiber) : Effect81.void
    )
  );
  const store = ({ book, buys, mark: mark2, step: step2 }, reservation) => (answer2) => {
    const booking = book?.(answer2);
    const { page: page2, pages: pages2 = page2 === void 0 ? 0 : 1 } = booking ?? {};
    const sure = buys === void 0 || buys.isJob === true ? void 0 : sureCredits(buys.cost(reservation?.units ?? 1), budget.rate);
    const credits2 = booking === void 0 ? void 0 : booking.credits ?? sure ?? null;
    const warning = buys === void 0 || credits2 === void 0 ? void 0 : budget.learn(step2, credits2 ?? void 0);
    const call2 = { step: step2, mark: mark2, answer: answer2, credits: credits2, page: page2, pages: pages2, reservation: reservation?.id };
    return journal.recordCall(call2).pipe(
      Effect81.mapError(ledgerFailed),
      Effect81.map(() => {
        if (credits2 === null) counters.callUnpriced++;
        else counters.callCredits += credits2 ?? 0;
        if (booking !== void 0) counters.answers++;
        counters.callPages += pages2;
        reservation?.settle();
        return answer2;
      }),
      Effect81.zipLeft(note({ "sluice.credits": credits2 ?? void 0 })),
      Effect81.zipLeft(warning === void 0 ? Effect81.void : Effect81.logWarning(warning))
    );
  };
  return {
    release: (step2, marks) => {
      buffer.resolveCalls(step2, marks);
      for (const mark2 of marks) stored.get(step2)?.delete(mark2);
    },
    once: (asked, ask) => {
      const { buys, onHit: isKept, mark: mark2, step: step2 } = asked;
      const answer2 = stored.get(step2)?.get(mark2);
      if (answer2 !== void 0) {
        return Effect81.sync(() => {
          isKept?.();
          return answer2;
        });
      }
      return Effect81.uninterruptibleMask(
        (restore3) => Effect81.gen(function* () {
          yield* failIfStopped;
          yield* budget.inTime;
          const reservation = buys === void 0 ? void 0 : yield* paused(budget.reserve({ step: step2, mark: mark2 }, buys));
          const work = Effect81.flatMap(
            Effect81.interruptible(ask(reservation?.units ?? 1)),
            store(asked, reservation)
          ).pipe(Effect81.ensuring(reservation?.release ?? Effect81.void));
          return yield* finishInShutdown(shutdown.track(work), restore3);
        })
      );
    }
  };
});

// src/Run/Checkpoint.ts
import * as Context8 from "effect/Context";
import * as Effect82 from "effect/Effect";
var isRefused = (lock, error) => error instanceof Stopped && !lock.isConsistent();
var makeCommitLock = (mayMove = Effect82.void) => Effect82.map(Effect82.makeSemaphore(1), (semaphore) => {
  let consistent = true;
  const refused2 = new Stopped({ message: "a part of the run has failed" });
  return {
    isConsistent: () => consistent,
    move: (effect3) => Effect82.suspend(() => consistent ? Effect82.zipRight(mayMove, effect3) : Effect82.fail(refused2)).pipe(
      Effect82.tapErrorCause(
        () => Effect82.sync(() => {
          consistent = false;
        })
      ),
      Effect82.uninterruptible,
      semaphore.withPermits(1)
    )
  };
});
var isGone = (status) => status === 404 || status === 410;
var makeBuffer = (counters) => {
  let pages2 = [];
  let state = [];
  let resolvedCalls = [];
  let replayClaim;
  let hasClaimed = false;
  let deferredRows = [];
  const addPages = (step2, more) => {
    for (const page2 of more) pages2.push({ step: step2, page: page2 });
  };
  return {
    book: (step2, { credits: credits2, expected, isForeign = false, pages: pages3 = [], unchanged }) => {
      if (credits2 === "unknown") counters.jobUnpriced++;
      else if (credits2 !== void 0) counters.job(step2, credits2);
      addPages(step2, pages3);
      counters.expected += expected ?? 0;
      counters.unchanged += unchanged ?? 0;
      counters.jobPages += isForeign ? 0 : pages3.length;
    },
    addPages,
    addState: (step2, changes2) => {
      for (const change of changes2) state.push({ step: step2, change });
    },
    resolveCalls: (step2, marks) => {
      for (const mark2 of marks) resolvedCalls.push({ step: step2, mark: mark2 });
    },
    claim: (rejects2) => {
      replayClaim = rejects2;
      hasClaimed = true;
    },
    claimStatus: () => !hasClaimed ? "none" : replayClaim === void 0 ? "committed" : "pending",
    deferRows: (keys) => {
      deferredRows = keys;
    },
    recentPages: () => pages2.flatMap(({ page: page2 }) => isGone(page2.status) ? [] : [page2.key]),
    // Copies: pages and state may be added while the transaction runs, and belong to the next checkpoint.
    peek: () => ({ pages: pages2.slice(), state: state.slice(), resolvedCalls, replayClaim, deferredRows }),
    committed: (changes2) => {
      pages2 = pages2.slice(changes2.pages.length);
      state = state.slice(changes2.state.length);
      resolvedCalls = [];
      replayClaim = void 0;
    }
  };
};
var loadByOperator = (operators2) => {
  const loads = {};
  for (const { id, load: load4 } of operators2) {
    const current2 = load4?.();
    if (current2 === void 0 || current2.buffered === 0 && !current2.blocked) continue;
    loads[id] = [current2.buffered, current2.capacity, current2.busy, current2.blocked];
  }
  return loads;
};
var make18 = (options) => {
  const { budget, buffer, counters, isRead, journal, lock, operators: operators2, rejects: rejects2 } = options;
  const write3 = Effect82.gen(function* () {
    const steps = yield* Effect82.forEach(
      operators2,
      ({ id, save }) => Effect82.map(save, (changes3) => ({ step: id, changes: changes3 }))
    );
    counters.rejectBytes = yield* rejects2.flush;
    const changes2 = buffer.peek();
    const reservations = budget.changes();
    yield* Effect82.mapError(
      journal.checkpoint({
        progress: counters.save(loadByOperator(operators2)),
        rows: counters.rows,
        rejectCount: counters.rejects,
        jobCredits: counters.jobCredits,
        jobUnpriced: counters.jobUnpriced,
        jobPages: counters.jobPages,
        outputRows: counters.outputRows,
        bytes: counters.outputBytes,
        reservations,
        steps: steps.filter(({ changes: changes3 }) => changes3.value !== void 0 || (changes3.entries ?? []).length > 0),
        rejects: rejects2.pending(),
        ...changes2
      }),
      ledgerFailed
    );
    budget.saved(reservations);
    rejects2.committed();
    buffer.committed(changes2);
    counters.uncommitted = 0;
  });
  return lock.move(isRead === void 0 ? write3 : Effect82.flatMap(isRead, (isRead2) => isRead2 ? write3 : Effect82.void)).pipe(
    Effect82.catchIf(
      (error) => isRefused(lock, error),
      () => Effect82.void
    )
  );
};
var Commit = class extends Context8.Tag("sluice/Run/Commit")() {
};
var rowsPerCheckpoint = 1e3;
var pollInterval2 = 250;
var idlePollInterval = 1e3;
var maxDelay = 2e3;
var repeat2 = (counters, checkpoint) => Effect82.suspend(() => {
  let waited = 0;
  let interval = pollInterval2;
  const look2 = Effect82.suspend(() => {
    waited = counters.uncommitted === 0 ? 0 : waited + interval;
    interval = counters.uncommitted === 0 ? idlePollInterval : pollInterval2;
    if (counters.uncommitted < rowsPerCheckpoint && waited < maxDelay) return Effect82.void;
    waited = 0;
    return checkpoint;
  });
  return Effect82.forever(Effect82.suspend(() => Effect82.delay(look2, interval)));
});

// src/Run/RunContext.ts
import * as Effect83 from "effect/Effect";
var seededRandom = (seed) => {
  let state = Number.parseInt(sha256(seed).slice(0, 8), 16) | 0;
  return () => {
    state = state + 1831565813 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
};
var defaultConcurrency = 4;
var describeRun = ({ frame }, {
  id,
  parentRun,
  scheduledFor: due,
  site,
  startedAt
}) => ({
  id: parentRun ?? id,
  site,
  startedAt: startedAt.toISOString(),
  date: startedAt.toISOString().slice(0, 10),
  scheduledFor: scheduledFor((due ?? startedAt).getTime(), frame.schedule?.timezone ?? "UTC")
});
var makeStepContext = (checked, run, node, common, steps) => {
  const errorPolicy = makeErrorPolicy({
    step: node.id,
    definedAt: definedAt(checked.source, node),
    onError: common.onError,
    rejects: run.rejects,
    counters: run.counters,
    inputs: isSource2(node) ? [] : node.inputs
  });
  const base = {
    ...describeStep(checked, run, node, common),
    ...reportToRun(run, node.id),
    failed: errorPolicy.resolveInChunk,
    bindings: makeBindings(checked, run, node.id, steps)
  };
  const forTask = (task) => ({ ...base, ...makeCalls(run, node.id, task) });
  return { context: forTask({ mark: "", answered: () => {
  } }), errorPolicy, forTask };
};
var isSource2 = ({ step: step2 }) => step2.behaviour.kind === "source";
var describeStep = ({ source }, run, node, common) => {
  const failOn = common.failOn ?? defaultFailOn;
  return {
    written: node.config,
    secrets: secretsIn(node),
    id: node.id,
    runId: run.parentRun ?? run.id,
    startedAt: run.startedAt,
    folder: source.folder,
    out: run.out,
    adds: run.replay !== void 0,
    trials: run.trials,
    stdout: run.stdout,
    // A shard may continue on another machine while this one still has its files open.
    mayBeHeld: run.group !== void 0,
    allowCode: run.allowCode ?? false,
    concurrency: common.concurrency ?? defaultConcurrency,
    timeout: common.timeout,
    wanted: isSource2(node) ? run.wanted : void 0,
    state: run.states.of(node.id),
    failsOn: (status) => includesStatus(failOn, status)
  };
};
var makeBindings = (checked, run, id, steps) => {
  const random2 = seededRandom(`${run.id}/${id}`);
  const runValues = describeRun(checked, run);
  return (row) => ({
    now: run.startedAt,
    random: random2,
    names: {
      run: runValues,
      inputs: checked.inputs,
      steps,
      source: row.source,
      get key() {
        return keyOf(row);
      }
    }
  });
};
var reportToRun = ({ buffer, counters, journal, lock, shutdown }, id) => {
  const warned = /* @__PURE__ */ new Set();
  return {
    tried: (pages2) => Effect83.sync(() => buffer.addPages(id, pages2)),
    spend: (credits2) => credits2 === 0 ? Effect83.void : lock.move(
      Effect83.sync(() => {
        counters.job(id, credits2);
        counters.uncommitted++;
      })
    ),
    failedPages: (jobId) => Effect83.mapError(journal.failedPages(jobId), ledgerFailed),
    cut: Effect83.sync(() => {
      counters.isCut = true;
      counters.markIncomplete(id, "budget");
    }),
    incomplete: (reason) => Effect83.sync(() => counters.markIncomplete(id, reason)),
    warnOnce: (matter, message) => Effect83.suspend(() => {
      if (warned.has(matter)) return Effect83.void;
      warned.add(matter);
      return Effect83.logWarning(`${id}: ${message}`);
    }),
    stopping: shutdown.budgetReached,
    usedUp: shutdown.request("budget"),
    isStopped: () => shutdown.reason() === "stop"
  };
};
var makeCalls = ({ budget, callCache, counters, id: runId }, step2, { answered, attempts, mark: mark2, retryPage, unfinishedJobs }) => {
  const markOf = (name) => mark2 === "" ? name : `${mark2}/${name}`;
  return {
    once: ({ book, buys, name = "call" }, ask) => {
      const own3 = markOf(name);
      answered(own3);
      const onHit = () => {
        if (attempts !== void 0) attempts.made++;
      };
      const key2 = `${runId}/${step2}/${own3}`;
      return callCache.once({ step: step2, mark: own3, book, buys, onHit }, (units3) => ask(key2, units3));
    },
    reserve: (name, buying, goesOn = false) => {
      const call2 = { step: step2, mark: markOf(name) };
      return goesOn ? budget.takeOver(call2, buying) : budget.reserve(call2, buying);
    },
    leaveRunning: (jobId, giveUp) => {
      counters.runningJobs.add(jobId);
      unfinishedJobs?.set(jobId, giveUp);
    },
    retryPage: retryPage ?? (() => Effect83.succeed(false))
  };
};

// src/Run/Shutdown.ts
import * as Deferred4 from "effect/Deferred";
import * as Effect84 from "effect/Effect";
import * as Fiber3 from "effect/Fiber";
var gracePeriod = "5 seconds";
var make20 = Effect84.gen(function* () {
  const requested = yield* Deferred4.make();
  const stopRequested = yield* Deferred4.make();
  const budgetReached2 = yield* Deferred4.make();
  const drained = yield* Deferred4.make();
  let reason;
  let inFlight = 0;
  let isPublishing = false;
  const checkDrained = Effect84.suspend(
    () => reason !== void 0 && inFlight === 0 ? Effect84.asVoid(Deferred4.succeed(drained, void 0)) : Effect84.void
  );
  const request3 = (why2) => Effect84.suspend(() => {
    reason ??= why2;
    return Deferred4.succeed(requested, void 0).pipe(
      Effect84.zipRight(Deferred4.succeed(why2 === "stop" ? stopRequested : budgetReached2, void 0)),
      Effect84.zipRight(checkDrained)
    );
  });
  return {
    reason: () => reason,
    request: request3,
    requested: Deferred4.await(requested),
    stopRequested: Deferred4.await(stopRequested),
    budgetReached: Deferred4.await(budgetReached2),
    publishPaid: Effect84.sync(() => {
      isPublishing = true;
    }),
    isPublishing: () => isPublishing,
    ignoreStopped: (effect3) => Effect84.catchAll(effect3, (error) => {
      if (error instanceof BudgetReached) return request3("budget");
      return error instanceof Stopped ? Effect84.void : Effect84.fail(error);
    }),
    track: (effect3) => Effect84.acquireUseRelease(
      Effect84.sync(() => {
        inFlight++;
      }),
      () => effect3,
      () => Effect84.suspend(() => {
        inFlight--;
        return checkDrained;
      })
    ),
    drained: Deferred4.await(drained),
    stopAndDrain: Effect84.zipRight(
      request3("stop"),
      // On a fiber of its own: a caller that is interrupted now still waits, and only once.
      Effect84.fork(Effect84.interruptible(Effect84.timeout(Deferred4.await(drained), gracePeriod))).pipe(
        Effect84.flatMap(Fiber3.await),
        Effect84.asVoid
      )
    )
  };
});

// src/Run/State.ts
import * as Effect85 from "effect/Effect";
var make21 = ({ active, buffer, completeness, journal, historyKey, rejects: rejects2 }) => ({
  of: (step2) => ({
    active,
    load: active ? Effect85.mapError(journal.state(step2), ledgerFailed) : Effect85.succeed([]),
    put: (changes2) => Effect85.sync(() => {
      if (active) buffer.addState(step2, changes2);
    }),
    met: Effect85.suspend(() => {
      const late = [...buffer.recentPages(), ...rejects2.pending().map(({ key: key2 }) => key2)];
      return Effect85.map(
        Effect85.mapError(journal.presentPages, ledgerFailed),
        (met) => /* @__PURE__ */ new Set([...met, ...late])
      );
    }),
    knowsAny: (addresses) => (
      // Without a state key there is no state to protect.
      historyKey === void 0 ? Effect85.succeed(true) : Effect85.mapError(journal.hasSeenAny(historyKey, [...new Set(addresses.flatMap(urlVariants))]), ledgerFailed)
    ),
    whyIncomplete: Effect85.sync(
      // The step warns with it, so the warning about forgetting is not repeated.
      () => completeness.warningOnce(step2) ?? completeness.whyIncomplete(step2)
    )
  })
});
var forgettableReasons = /* @__PURE__ */ new Set(["ranking"]);
var makeCompleteness = (checked, counters, { shutdown, isReplay }) => {
  const reasonsOf2 = (step2) => [...before(checked, step2).toReversed(), step2].flatMap((each) => {
    const reasons2 = [...counters.incomplete.get(each) ?? []].filter((reason) => each !== step2 || reason !== "seen");
    return reasons2.length === 0 ? [] : [[each, reasons2]];
  });
  const whyNone = () => {
    if (isReplay) return "a replay gives only the rows that were rejected";
    const reason = shutdown?.reason();
    return reason === void 0 ? void 0 : reason === "budget" ? "the budget was reached" : "the run was stopped";
  };
  const whyIncomplete = (step2) => {
    const reasons2 = reasonsOf2(step2);
    return whyNone() ?? (reasons2.length === 0 ? void 0 : describe6(reasons2));
  };
  const warned = /* @__PURE__ */ new Set();
  return {
    whyIncomplete,
    warningOnce: (step2) => {
      const why2 = warned.has(step2) ? void 0 : whyIncomplete(step2);
      if (why2 !== void 0) warned.add(step2);
      return why2;
    },
    mayForget: (step2) => whyNone() === void 0 && reasonsOf2(step2).every(([, reasons2]) => reasons2.every((reason) => forgettableReasons.has(reason)))
  };
};

// src/Run/Topology.ts
import * as Deferred6 from "effect/Deferred";
import * as Effect91 from "effect/Effect";
import * as Stream25 from "effect/Stream";

// src/Run/Operator.ts
import * as Deferred5 from "effect/Deferred";
import * as Effect87 from "effect/Effect";
import * as Schema54 from "effect/Schema";
import * as Stream23 from "effect/Stream";

// src/Run/Retry.ts
import * as Services from "effect/Context";
import * as Duration16 from "effect/Duration";
import * as Effect86 from "effect/Effect";
import * as Schedule5 from "effect/Schedule";
import * as Stream22 from "effect/Stream";
var statuses2 = {
  InvalidRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  JobNotFound: 404,
  JobExpired: 404,
  Timeout: 408,
  Conflict: 409,
  Gone: 410,
  TooLarge: 413,
  UnsupportedFile: 415,
  Unprocessable: 422,
  RateLimited: 429,
  NotImplemented: 501,
  InsufficientStorage: 507
};
var statusOf2 = (error) => "status" in error ? error.status : statuses2[error._tag];
var matchesStatus = (status, cause) => status !== void 0 && includesStatus([cause === "429" ? 429 : cause], status);
var matches = (error, cause) => {
  switch (cause) {
    case "timeout":
      return error._tag === "Timeout";
    case "network":
      return error._tag === "NetworkError" ? error.retryable : isPassing(error);
    default:
      return matchesStatus(statusOf2(error), cause);
  }
};
var matchesPage = ({ fault: fault2, status }, cause) => cause === "timeout" || cause === "network" ? fault2 === cause : matchesStatus(status, cause);
var defaultTimes = 5;
var breakerOf = (given) => {
  const { failureThreshold, giveUpAfter, giveUpFirstAfter = giveUpAfter, resetTimeout } = standard;
  return {
    failureThreshold: given.failureThreshold ?? failureThreshold,
    resetTimeout: given.resetTimeout ?? resetTimeout,
    giveUpAfter: given.giveUpAfter ?? giveUpAfter,
    giveUpFirstAfter: Duration16.min(given.giveUpAfter ?? giveUpAfter, giveUpFirstAfter)
  };
};
var known3 = /* @__PURE__ */ new WeakMap();
var limitsOf2 = (retry4) => {
  const before2 = known3.get(retry4);
  if (before2 !== void 0) return before2;
  const { circuitBreaker, retryBudget } = retry4;
  const limits3 = {
    retryBudget: retryBudget === void 0 ? standard3.retryBudget : retryBudget === false ? void 0 : {
      ratio: retryBudget.ratio === void 0 ? standard2.ratio : Number.parseFloat(retryBudget.ratio) / 100,
      minimum: retryBudget.minimum ?? standard2.minimum
    },
    circuitBreaker: circuitBreaker === void 0 ? standard3.circuitBreaker : circuitBreaker === false ? void 0 : breakerOf(circuitBreaker)
  };
  known3.set(retry4, limits3);
  return limits3;
};
var policyOf = (retry4, log) => {
  const { on, times: times2 } = retry4;
  const most2 = times2 ?? defaultTimes;
  return {
    ...limitsOf2(retry4),
    schedule: backoff({ retries: most2 }),
    when: (error, call2) => (
      // The schedule limits the retries of each poll: a long job must not use up the retries of its row.
      (log === void 0 || call2.method === "GET" || log.made <= most2) && (on === void 0 ? isSafe(error, call2) : on.some((cause) => matches(error, cause)) && (call2.repeatable !== "unsent" || isSafe(error, call2)))
    ),
    // Reading the pages of a job costs nothing, and giving up loses what is paid for.
    outage: times2 === void 0 && on === void 0 ? outage : { ...outage, when: (error, call2) => call2.method === "GET" && isUnreachable(error) }
  };
};
var servicesOf = (retry4, log) => {
  const counted = log === void 0 ? Services.empty() : Services.make(Attempts, log);
  return retry4 === void 0 ? counted : Services.merge(counted, Services.make(RetryPolicy, policyOf(retry4, log)));
};
var withRetry = (effect3, retry4, log) => Effect86.provide(effect3, servicesOf(retry4, log));
var withRetryStream = (stream2, retry4, log) => Stream22.provideSomeContext(stream2, servicesOf(retry4, log));
var pageRetry = (retry4, log) => {
  const { on, times: times2 = defaultTimes } = retry4 ?? {};
  if (on === void 0 || times2 === 0) return Effect86.succeed(() => Effect86.succeed(false));
  return Effect86.map(
    Schedule5.driver(backoffDelays(times2)),
    (waits) => (outcome) => log.made <= times2 && on.some((cause) => matchesPage(outcome, cause)) ? Effect86.match(waits.next(void 0), { onFailure: () => false, onSuccess: () => true }) : Effect86.succeed(false)
  );
};

// src/Run/Operator.ts
var mergeInputs = (operator, upstream) => {
  const open6 = new Set(upstream);
  return (from) => ({
    ...operator,
    finish: Effect87.suspend(() => {
      open6.delete(from);
      return open6.size === 0 ? operator.finish : Effect87.void;
    })
  });
};
var makeExit = (counters, tap12) => ({
  id: "~exit",
  push: (rows3) => Effect87.suspend(() => {
    counters.rows += rows3.length;
    return tap12?.take(rows3) ?? Effect87.void;
  }),
  finish: Effect87.void,
  capacity: tap12?.capacity ?? { isFree: () => true, wait: Effect87.void },
  wants: () => true
});
var makeDownstream = (id, readers, ended3, { counters, observe, shutdown }) => {
  const capacity = {
    isFree: () => readers.every((reader2) => reader2.capacity.isFree()),
    wait: Effect87.forEach(readers, (reader2) => reader2.capacity.wait, { discard: true })
  };
  return {
    push: (rows3) => Effect87.gen(function* () {
      if (rows3.length === 0) return;
      counters.give(id, rows3.length);
      if (observe !== void 0) yield* observe(id, rows3);
      for (const reader2 of readers) {
        if (reader2.wants()) yield* reader2.push(rows3);
        else counters.markIncomplete(reader2.id, "wanted");
      }
    }),
    finish: Effect87.zipRight(
      Effect87.forEach(readers, (reader2) => reader2.finish, { discard: true }),
      Deferred5.succeed(ended3, void 0)
    ),
    capacity,
    // During a shutdown no capacity comes back.
    waitForCapacity: Effect87.suspend(
      () => capacity.isFree() ? Effect87.void : measureBackpressure(Effect87.raceFirst(capacity.wait, shutdown.requested), id)
    ),
    wants: () => readers.some((reader2) => reader2.wants())
  };
};
var resolveFailures = (failures2, { context, keepFailures, downstream, errorPolicy }) => Effect87.gen(function* () {
  for (const [at, [row, error]] of failures2.entries()) {
    const reached = errorPolicy.limitError();
    if (reached !== void 0) {
      keepFailures(failures2.slice(at));
      return reached;
    }
    const { made } = yield* errorPolicy.upToLimit(context.failed(row, error));
    yield* downstream.push(made);
  }
  keepFailures([]);
  return errorPolicy.limitError();
});
var deliverBatch = (batch, delivery, { buffer, counters }) => Effect87.gen(function* () {
  const { context, remaining: remaining2, saveCursor, downstream } = delivery;
  const wanted = remaining2();
  const rows3 = batch.rows.length > wanted ? batch.rows.slice(0, wanted) : batch.rows;
  buffer.book(context.id, batch);
  saveCursor(batch.cursor);
  batch.taken?.();
  counters.uncommitted++;
  yield* downstream.push(rows3);
  const { failures: failures2 = [] } = batch;
  return failures2.length === 0 ? void 0 : yield* resolveFailures(failures2, delivery);
});
var deliver = (batches, delivery, run) => Effect87.suspend(() => {
  const { drains, remaining: remaining2, downstream } = delivery;
  const { budget, counters, fork: fork3, lock, shutdown } = run;
  let ended3 = false;
  let isCut2 = false;
  const cut2 = (stop2) => Effect87.suspend(() => {
    isCut2 = true;
    return fork3(delivery.context.id, Effect87.fail(stop2));
  });
  const enough = () => remaining2() <= 0 || !downstream.wants();
  const all5 = batches.pipe(
    Stream23.onEnd(
      Effect87.sync(() => {
        ended3 = true;
      })
    ),
    Stream23.interruptWhen(drains ? shutdown.stopRequested : shutdown.requested),
    Stream23.mapEffect(
      (batch) => lock.move(deliverBatch(batch, delivery, run)).pipe(
        Effect87.flatMap(
          (stop2) => stop2 === void 0 ? Effect87.zipRight(downstream.waitForCapacity, budget.watch) : cut2(stop2)
        ),
        Effect87.map(() => {
          if (isCut2) return true;
          if (!ended3 && enough()) {
            ended3 = true;
            counters.markIncomplete(delivery.context.id, remaining2() <= 0 ? "trial" : "wanted");
          }
          return ended3;
        })
      )
    ),
    Stream23.takeUntil((done2) => done2),
    Stream23.runDrain,
    Effect87.map(() => ended3 && !isCut2)
  );
  if (delivery.pendingFailures.length === 0) return all5;
  return Effect87.flatMap(
    lock.move(resolveFailures(delivery.pendingFailures, delivery)),
    (stop2) => stop2 === void 0 ? all5 : Effect87.as(cut2(stop2), false)
  );
});
var SavedOperator = Schema54.Struct({
  finished: Schema54.optional(Schema54.Boolean),
  over: Schema54.optional(Schema54.Boolean),
  cursor: Schema54.optional(JsonValue),
  own: Schema54.optional(JsonValue),
  /** Rows that it received and has not passed to the step. */
  held: Schema54.optional(Schema54.Array(SavedRow)),
  /** Failed rows of its last batch after the reject that ended the run. */
  later: Schema54.optional(Schema54.Array(SavedFailure))
});
var decodeOperator = decodeState(SavedOperator);
var countBytes = ({ context, run, sink }) => {
  if (sink !== void 0) run.counters.written.set(context.id, sink.bytes());
};
var transformRows = (state, rows3) => {
  const { context, downstream, errorPolicy, run, transform: transform3 } = state;
  if (errorPolicy.chunkLimit() === Number.POSITIVE_INFINITY)
    return Effect87.flatMap(transform3.push(rows3), downstream.push);
  return Effect87.gen(function* () {
    const made = [];
    for (let at = 0; at < rows3.length && !state.isStopped; ) {
      const to = at + Math.min(errorPolicy.chunkLimit(), rows3.length - at);
      const part = yield* errorPolicy.upToLimit(
        transform3.push(at === 0 && to === rows3.length ? rows3 : rows3.slice(at, to))
      );
      for (const row of part.made) made.push(row);
      at = to;
      if (part.stop === void 0) continue;
      state.isStopped = true;
      state.waiting = rows3.slice(to);
      state.dirty = true;
      yield* run.fork(context.id, Effect87.fail(part.stop));
    }
    yield* downstream.push(made);
  });
};
var pushInto = (state, rows3) => Effect87.suspend(() => {
  if (state.finished || state.transform.full?.() === true) return Effect87.void;
  if (!state.isStopped) return transformRows(state, rows3);
  state.waiting.push(...rows3);
  state.dirty = true;
  return Effect87.void;
});
var pushWaiting = (state) => Effect87.suspend(() => {
  const rows3 = state.waiting;
  state.waiting = [];
  state.dirty = true;
  return pushInto(state, rows3);
});
var endTransform = (state) => Effect87.suspend(() => {
  state.over = true;
  state.dirty = true;
  return state.downstream.finish;
});
var drain4 = (state, rest) => {
  const { common, context, downstream, errorPolicy, run } = state;
  const { counters, lock, shutdown } = run;
  const end2 = lock.move(endTransform(state));
  return Effect87.gen(function* () {
    if (!downstream.wants()) {
      counters.markIncomplete(context.id, "wanted");
      return yield* end2;
    }
    yield* Effect87.flatten(Commit);
    const delivery = {
      context,
      downstream,
      remaining: () => Number.POSITIVE_INFINITY,
      drains: true,
      errorPolicy,
      pendingFailures: state.pendingFailures,
      keepFailures: (failures2) => {
        state.dirty ||= failures2.length > 0 || state.pendingFailures.length > 0;
        state.pendingFailures = failures2;
      },
      saveCursor: (cursor) => {
        state.cursor = cursor;
        state.dirty = true;
      }
    };
    const all5 = yield* deliver(withRetryStream(rest(state.cursor), common.retry), delivery, run);
    if (all5) yield* end2;
  }).pipe(
    // A run that publishes what was paid for ends when it can pay no more.
    Effect87.catchIf(
      (error) => error instanceof BudgetReached && shutdown.isPublishing(),
      () => end2
    ),
    shutdown.ignoreStopped,
    Effect87.ensuring(
      Effect87.sync(() => {
        state.isDraining = false;
      })
    )
  );
};
var finishTransform = (state) => Effect87.suspend(() => {
  const { context, run, transform: transform3 } = state;
  if (state.hasFinished || state.isStopped) return Effect87.void;
  state.hasFinished = true;
  state.finished = true;
  state.dirty = true;
  if (transform3.end === void 0 || state.over) return endTransform(state);
  state.isDraining = true;
  return run.fork(context.id, run.shutdown.track(drain4(state, transform3.end)));
});
var saveTransform = (state) => Effect87.map(state.transform.save ?? Effect87.succeed({}), ({ entries, value: value4 }) => {
  if (value4 !== void 0) state.own = value4;
  countBytes(state);
  const isUnchanged = !state.dirty && value4 === void 0;
  state.dirty = false;
  if (isUnchanged) return { entries };
  const { cursor, finished, over: over2, own: own3, pendingFailures, waiting } = state;
  const held = waiting.length === 0 ? {} : { held: waiting.map(toJson) };
  const later = pendingFailures.length === 0 ? {} : { later: pendingFailures.map(failureJson) };
  return { entries, value: { finished, over: over2, cursor, own: own3, ...held, ...later } };
});
var makeTransformOperator = ({ saved: saved2, ...parts }) => {
  const { context, downstream, run, sink, transform: transform3 } = parts;
  const { cursor, finished = false, held = [], later = [], over: over2 = false, own: own3 } = saved2 ?? {};
  const state = {
    ...parts,
    cursor,
    finished,
    over: over2,
    own: own3,
    pendingFailures: later.map(failureOf2),
    waiting: [...held],
    hasFinished: false,
    isStopped: false,
    isDraining: false,
    dirty: false
  };
  countBytes(state);
  const finish = finishTransform(state);
  return {
    id: context.id,
    push: (rows3) => pushInto(state, rows3),
    finish,
    start: finished ? run.lock.move(finish) : Effect87.suspend(() => state.waiting.length > 0 ? run.lock.move(pushWaiting(state)) : Effect87.void),
    capacity: downstream.capacity,
    wants: () => !state.finished && transform3.full?.() !== true && downstream.wants(),
    save: saveTransform(state),
    abandon: Effect87.suspend(
      () => state.hasFinished && !state.over && !state.isDraining ? endTransform(state) : Effect87.void
    ),
    leftOut: () => (transform3.left?.() ?? []).map(keyOf),
    seal: sink?.seal,
    discard: sink?.discard
  };
};

// src/Run/OutputLimit.ts
import * as Effect88 from "effect/Effect";

// src/Run/TaskTable.ts
import * as Schema55 from "effect/Schema";
var TaskTable = class {
  #tasks = /* @__PURE__ */ new Map();
  #changed = /* @__PURE__ */ new Map();
  #marks = new TaskMarks();
  /** Position of the next task. */
  next;
  constructor(next, saved2) {
    this.next = next;
    for (const [key2, known4] of saved2) this.#tasks.set(key2, taskOf(key2, void 0, this.#marks, known4));
  }
  get size() {
    return this.#tasks.size;
  }
  all() {
    return this.#tasks.values();
  }
  add(row) {
    const task = taskOf(ordinal2(this.next++), row, this.#marks);
    this.#tasks.set(task.key, task);
    this.#changed.set(task.key, task);
    return task;
  }
  save(task) {
    this.#changed.set(task.key, task);
  }
  remove(task) {
    this.#tasks.delete(task.key);
    if (task.isPersisted) this.#changed.set(task.key, void 0);
    else this.#changed.delete(task.key);
    this.#marks.leave(task);
  }
  /** Changes since the last call, for a checkpoint. */
  changes() {
    const entries = Array.from(this.#changed, ([key2, task]) => {
      if (task !== void 0) task.isPersisted = true;
      return [key2, task === void 0 ? void 0 : taskJson(task)];
    });
    this.#changed.clear();
    this.#marks.saved();
    return entries;
  }
};
var ordinal2 = (index) => String(index).padStart(12, "0");
var SavedTask = Schema55.Struct({
  row: Schema55.optional(SavedRow),
  mark: Schema55.String,
  base: Schema55.String,
  cursor: Schema55.optional(JsonValue),
  later: Schema55.optional(Schema55.Array(SavedFailure)),
  /** Rows that replace a failed row. */
  instead: Schema55.optional(Schema55.Array(SavedRow))
});
var decodeTasks = decodeEntries(SavedTask);
var numberOf2 = (base, mark2) => Number(mark2.slice(base.length + 1));
var TaskMarks = class {
  #alike = /* @__PURE__ */ new Map();
  #left = [];
  /** Takes a mark for a task with this row; `known` is its mark from before a resume. */
  take(base, known4) {
    const alike = this.#alike.get(base) ?? { taken: /* @__PURE__ */ new Set(), free: 0 };
    this.#alike.set(base, alike);
    while (known4 === void 0 && alike.taken.has(alike.free)) alike.free++;
    const number2 = known4 === void 0 ? alike.free : numberOf2(base, known4);
    alike.taken.add(number2);
    return known4 ?? (number2 === 0 ? base : `${base}#${number2}`);
  }
  /** Returns the mark of a finished task; it is free after the next checkpoint. */
  leave({ base, mark: mark2 }) {
    this.#left.push({ base, mark: mark2 });
  }
  /** Called by a checkpoint, which drops the answers of finished tasks. */
  saved() {
    for (const { base, mark: mark2 } of this.#left) {
      const alike = this.#alike.get(base);
      const number2 = numberOf2(base, mark2);
      alike?.taken.delete(number2);
      if (alike?.taken.size === 0) this.#alike.delete(base);
      else if (alike !== void 0) alike.free = Math.min(alike.free, number2);
    }
    this.#left = [];
  }
};
var baseOf = (row) => {
  const { data, jobId, position, source } = row;
  return sha256(JSON.stringify({ data, key: keyOf(row), source, position, jobId })).slice(0, 32);
};
var taskOf = (key2, row, marks, known4) => {
  const base = known4?.base ?? (row === void 0 ? "" : baseOf(row));
  return {
    key: key2,
    row: known4?.row ?? row,
    base,
    mark: marks.take(base, known4?.mark),
    cursor: known4?.cursor,
    pendingFailures: known4?.later?.map(failureOf2) ?? [],
    callMarks: [],
    output: known4?.instead,
    failed: known4?.instead !== void 0,
    isPersisted: known4 !== void 0
  };
};
var taskJson = ({ base, cursor, failed: failed3, output, mark: mark2, row, pendingFailures }) => ({
  row: row === void 0 ? void 0 : toJson(row),
  base,
  mark: mark2,
  cursor,
  later: pendingFailures.length === 0 ? void 0 : pendingFailures.map(failureJson),
  instead: failed3 ? output?.map(toJson) : void 0
});

// src/Run/OutputLimit.ts
var idOf3 = (step2) => `~intake/${step2}`;
var decodeBuffered = decodeEntries(SavedRow);
var make23 = ({ countsRows, id, inner, run, saved: saved2, sizeOf }) => {
  const { budget, counters, lock, shutdown } = run;
  const buffered = new Map(saved2);
  const changed = /* @__PURE__ */ new Map();
  const leftOut = [];
  let next = saved2.reduce((last, [key2]) => Math.max(last, Number(key2) + 1), 0);
  let isFinishing = false;
  const buffer = (rows3) => {
    for (const row of rows3) {
      const key2 = ordinal2(next++);
      buffered.set(key2, row);
      changed.set(key2, toJson(row));
    }
    counters.isCut = true;
    counters.uncommitted += rows3.length;
    return shutdown.request("budget");
  };
  const takeBuffered = () => {
    const rows3 = [...buffered.values()];
    for (const key2 of buffered.keys()) changed.set(key2, void 0);
    buffered.clear();
    return rows3;
  };
  const pass = (rows3, sizes) => {
    if (rows3.length === 0) return Effect88.void;
    return Effect88.flatMap(
      budget.admit(rows3, { countsRows, sizes }),
      (fits) => fits === 0 ? buffer(rows3) : Effect88.zipRight(
        inner.push(fits === rows3.length ? rows3 : rows3.slice(0, fits)),
        Effect88.suspend(() => pass(rows3.slice(fits), sizes.slice(fits)))
      )
    );
  };
  const push2 = (rows3) => {
    if (rows3.length === 0) return Effect88.void;
    if (buffered.size > 0) return buffer(rows3);
    return Effect88.flatMap(budget.measure(rows3, sizeOf), (sizes) => pass(rows3, sizes));
  };
  const finish = Effect88.suspend(() => {
    isFinishing = true;
    return buffered.size > 0 ? Effect88.void : inner.finish;
  });
  return {
    id,
    push: push2,
    finish,
    /** Passes the rows that were buffered before the resume. */
    start: lock.move(
      Effect88.suspend(
        () => buffered.size === 0 ? Effect88.void : Effect88.zipRight(
          push2(takeBuffered()),
          Effect88.suspend(() => isFinishing ? finish : Effect88.void)
        )
      )
    ),
    /** Leaves the rows that did not fit to the next run. */
    abandon: Effect88.suspend(() => {
      for (const row of takeBuffered()) leftOut.push(keyOf(row));
      return isFinishing ? inner.finish : Effect88.void;
    }),
    leftOut: () => leftOut,
    capacity: inner.capacity,
    wants: inner.wants,
    save: Effect88.sync(() => {
      const entries = [...changed];
      changed.clear();
      return { entries };
    })
  };
};

// src/Run/Values.ts
import * as Effect89 from "effect/Effect";
import * as Either34 from "effect/Either";
import * as Scope3 from "effect/Scope";
var named = (checked, node) => {
  const ids = namedSteps(node);
  return checked.nodes.filter((each) => each.step.behaviour.kind === "value" && ids.has(each.id));
};
var awaitsValue = (checked, node, instead2) => instead2?.has(node.id) !== true && named(checked, node).length > 0;
var makeDecode = (checked, run) => Effect89.gen(function* () {
  const scope4 = yield* Effect89.scope;
  const runValues = describeRun(checked, run);
  const values = /* @__PURE__ */ new Map();
  const decodeNode = (node) => Effect89.gen(function* () {
    const steps = {};
    for (const { id } of named(checked, node)) {
      if (run.instead?.has(node.id) === true) {
        steps[id] = { output: open3 };
        continue;
      }
      const value4 = values.get(id);
      if (value4 !== void 0) steps[id] = { output: yield* value4 };
    }
    const decoded = yield* decode2(node, {
      inputs: checked.inputs,
      env: run.env ?? {},
      secrets: run.secrets ?? (() => void 0),
      run: runValues,
      steps
    });
    if (Either34.isRight(decoded)) return { ...decoded.right, steps };
    const mistakes = decoded.left.map((mistake) => ({ ...mistake, ...checked.source.locate(mistake.path) }));
    return yield* new DefinitionInvalid({ file: checked.source.file, mistakes });
  });
  for (const node of checked.nodes) {
    const { behaviour } = node.step;
    if (behaviour.kind !== "value") continue;
    const get6 = Effect89.gen(function* () {
      const { common, config: config2, steps } = yield* decodeNode(node);
      if (common.when === false) return void 0;
      if (common.pin !== void 0) return yield* answer(checked, node, common.pin, config2);
      const { context } = makeStepContext(checked, run, node, common, steps);
      const ask = Scope3.extend(withRetry(behaviour.get(config2, context), common.retry), scope4);
      if (behaviour.fleeting === true) return yield* ask;
      const cost7 = node.step.cost?.(config2);
      return yield* context.once(
        {
          name: "value",
          ...cost7 === void 0 ? {} : { buys: { cost: () => cost7 }, book: () => ({ credits: void 0 }) }
        },
        () => Effect89.map(ask, (value4) => value4 ?? null)
      );
    });
    const located = Effect89.mapError(
      get6,
      (error) => error._tag === "StepError" ? inStep(error, checked, node) : error
    );
    values.set(node.id, yield* Effect89.cached(located));
  }
  return decodeNode;
});

// src/Run/WorkerPool.ts
import * as Duration17 from "effect/Duration";
import * as Effect90 from "effect/Effect";
import * as Option17 from "effect/Option";
import * as Queue2 from "effect/Queue";
import * as RateLimiter from "effect/RateLimiter";
import * as Schema56 from "effect/Schema";
import * as Stream24 from "effect/Stream";
var minCapacity = 16;
var decodePool = decodeState(
  Schema56.Struct({ next: Schema56.optional(Schema56.Number), finished: Schema56.optional(Schema56.Boolean) })
);
var updateCapacity = (pool) => Effect90.suspend(() => pool.tasks.size > pool.capacity ? pool.hasCapacity.close : pool.hasCapacity.open);
var endIfDone = (pool) => Effect90.suspend(() => {
  if (!pool.finished || pool.tasks.size > 0 || pool.ended) return Effect90.void;
  pool.ended = true;
  return pool.downstream.finish;
});
var removeTask = ({ id, run, tasks }, task) => {
  tasks.remove(task);
  run.callCache.release(id, task.callMarks);
};
var pushFinished = (pool) => Effect90.gen(function* () {
  for (const task of pool.tasks.all()) {
    if (task.output === void 0) {
      if (pool.ordered) break;
      continue;
    }
    removeTask(pool, task);
    yield* pool.downstream.push(task.output);
  }
});
var completeTask = (pool) => (task, output) => Effect90.gen(function* () {
  if (pool.isAbandoned) return;
  task.output = output;
  if (pool.ordered) yield* pushFinished(pool);
  else {
    removeTask(pool, task);
    yield* pool.downstream.push(output);
  }
  yield* updateCapacity(pool);
  yield* endIfDone(pool);
});
var actionsOf = (pool) => {
  const complete = completeTask(pool);
  return {
    complete,
    completeFailed: (task, replacement) => Effect90.suspend(() => {
      task.failed = true;
      pool.tasks.save(task);
      pool.run.callCache.release(pool.id, task.callMarks);
      task.callMarks.length = 0;
      return complete(task, replacement);
    }),
    saveProgress: (task) => pool.tasks.save(task)
  };
};
var abandonTasks = (pool) => Effect90.gen(function* () {
  const { downstream, id, leftOut, run, tasks } = pool;
  pool.isAbandoned = true;
  for (const task of [...tasks.all()]) {
    removeTask(pool, task);
    if (task.output !== void 0) {
      yield* downstream.push(task.output);
      continue;
    }
    if (task.row !== void 0) leftOut.push(keyOf(task.row));
    run.counters.markIncomplete(id, "budget");
  }
  pool.finished = true;
  pool.dirty = true;
  yield* endIfDone(pool);
});
var takeTask = ({ queue, run: { shutdown } }) => Effect90.suspend(
  () => shutdown.reason() !== void 0 ? Effect90.succeed(Option17.none()) : Effect90.raceFirst(Effect90.asSome(Queue2.take(queue)), Effect90.as(shutdown.requested, Option17.none()))
);
var runWorker = (pool, work) => {
  const { downstream, id, run } = pool;
  const { counters, lock, shutdown } = run;
  const actions = actionsOf(pool);
  const traced2 = within("Run.task", { attributes: { "sluice.step": id } });
  const perform = (task) => Effect90.suspend(() => {
    if (downstream.wants()) return work.run(task, actions);
    counters.markIncomplete(id, "wanted");
    return lock.move(actions.complete(task, []));
  }).pipe(shutdown.ignoreStopped, Effect90.zipRight(downstream.waitForCapacity));
  const loop = Effect90.flatMap(
    takeTask(pool),
    Option17.match({
      onNone: () => Effect90.void,
      onSome: (task) => {
        if (shutdown.reason() !== void 0) return Effect90.void;
        pool.busy++;
        return shutdown.track(traced2(perform(task))).pipe(Effect90.ensuring(Effect90.sync(() => void pool.busy--)), Effect90.zipRight(Effect90.suspend(() => loop)));
      }
    })
  );
  return loop;
};
var startWorkers = (pool) => Effect90.gen(function* () {
  const { hasTasks, id, ordered, run } = pool;
  const { fork: fork3, shutdown } = run;
  yield* Effect90.raceFirst(hasTasks.await, shutdown.requested);
  if (shutdown.reason() !== void 0) return;
  const work = yield* pool.work;
  const workers = ordered && work.inTurn === true ? 1 : work.concurrency;
  pool.capacity = Math.max(pool.capacity, workers * 2);
  const inStep2 = yield* shared("Run.step", workers, { "sluice.step": id, "sluice.concurrency": workers });
  yield* Effect90.forEach(Array.from({ length: workers }), () => fork3(id, inStep2(runWorker(pool, work))), {
    discard: true
  });
}).pipe(pool.run.shutdown.ignoreStopped);
var makePool = ({ saved: saved2, ...parts }) => Effect90.gen(function* () {
  const { downstream, id, isRoot: isRoot2, run } = parts;
  const state = yield* decodePool({ id }, saved2.value);
  const tasks = new TaskTable(state?.next ?? 0, yield* decodeTasks({ id }, saved2));
  if (isRoot2 && state === void 0) tasks.add(void 0);
  const restored2 = [...tasks.all()].filter(({ output }) => output === void 0);
  const pool = {
    ...parts,
    tasks,
    queue: yield* Queue2.unbounded(),
    hasTasks: yield* Effect90.makeLatch(false),
    hasCapacity: yield* Effect90.makeLatch(true),
    leftOut: [],
    capacity: minCapacity,
    busy: 0,
    finished: state?.finished ?? isRoot2,
    ended: false,
    isAbandoned: false,
    dirty: state === void 0
  };
  const operator = {
    id,
    push: (rows3) => Effect90.gen(function* () {
      if (!downstream.wants()) return void run.counters.markIncomplete(id, "wanted");
      yield* Queue2.offerAll(
        pool.queue,
        rows3.map((row) => tasks.add(row))
      );
      yield* Effect90.zipRight(pool.hasTasks.open, updateCapacity(pool));
    }),
    finish: Effect90.suspend(() => {
      if (!pool.finished) pool.dirty = true;
      pool.finished = true;
      return endIfDone(pool);
    }),
    start: Effect90.gen(function* () {
      yield* run.lock.move(Effect90.zipRight(pushFinished(pool), endIfDone(pool)));
      yield* Queue2.offerAll(pool.queue, restored2);
      if (tasks.size > 0) yield* pool.hasTasks.open;
      yield* updateCapacity(pool);
      yield* run.fork(id, startWorkers(pool));
    }),
    capacity: { isFree: () => tasks.size <= pool.capacity, wait: pool.hasCapacity.await },
    abandon: abandonTasks(pool),
    leftOut: () => pool.leftOut,
    wants: downstream.wants,
    load: () => ({
      buffered: tasks.size,
      capacity: pool.capacity,
      busy: pool.busy,
      blocked: !downstream.capacity.isFree()
    }),
    save: Effect90.sync(() => {
      const entries = tasks.changes();
      const value4 = pool.dirty || entries.length > 0 ? { next: tasks.next, finished: pool.finished } : void 0;
      pool.dirty = false;
      return { value: value4, entries };
    })
  };
  return operator;
});
var tookTooLong = (limit2) => new StepError({ reason: "Timeout", message: `took longer than the step's timeout of ${Duration17.format(limit2)}` });
var resolveTask = (task, row, error, { errorPolicy }, actions, { lock }, then = Effect90.void) => lock.move(
  Effect90.flatMap(errorPolicy.resolve(row, error), ({ replacement, stop: stop2 }) => {
    if (stop2 === error) return Effect90.fail(error);
    return Effect90.as(replacement === void 0 ? Effect90.void : actions.completeFailed(task, replacement), stop2);
  })
).pipe(
  Effect90.tap(then),
  Effect90.flatMap((stop2) => stop2 === void 0 ? Effect90.void : Effect90.fail(stop2))
);
var withAttempts = (error, { failures: failures2, made }) => error.attempts === void 0 ? error.with({ attempts: made === 0 ? failures2.length : made }) : error;
var rateLimitOf = ({ common: { rate }, context }, { awaitTurn }) => {
  if (rate === void 0) return Effect90.succeed(void 0);
  return awaitTurn === void 0 ? RateLimiter.make(rate) : Effect90.succeed((effect3) => Effect90.zipRight(awaitTurn(context.id, rate), effect3));
};
var makeAwaitTurn = ({ sharedLimits }, group2) => group2 === void 0 ? void 0 : (step2, { interval, limit: limit2 }) => sharedLimits.takeTurn(`${group2}/${step2}`, { limit: limit2, interval: Duration17.toMillis(interval) }).pipe(
  Effect90.mapError(ledgerFailed),
  Effect90.flatMap((wait) => wait === 0 ? Effect90.void : Effect90.sleep(wait))
);
var itemWork = (apply, part, run) => Effect90.map(rateLimitOf(part, run), (limited3) => {
  const { common, config: config2, forTask } = part;
  const { lock, shutdown } = run;
  const { timeout: timeout4 } = common;
  const work = (task, actions) => {
    const { complete } = actions;
    const { row } = task;
    if (row === void 0) return lock.move(complete(task, []));
    const attempts = { made: 0, failures: [] };
    const answered = (mark2) => void task.callMarks.push(mark2);
    const made = Effect90.flatMap(
      pageRetry(common.retry, attempts),
      (retryPage) => withRetry(
        apply(config2, row, forTask({ mark: task.mark, answered, attempts, retryPage })),
        common.retry,
        attempts
      )
    );
    const bounded = timeout4 === void 0 ? made : limited(made, { duration: timeout4, onTimeout: () => tookTooLong(timeout4) });
    const resolved = bounded.pipe(
      Effect90.matchEffect({
        onSuccess: (next) => lock.move(complete(task, [next])),
        onFailure: (error) => error.scope === "run" ? Effect90.fail(error) : resolveTask(task, row, withAttempts(error, attempts), part, actions, run)
      })
    );
    return limited3 === void 0 ? resolved : limited3(Effect90.suspend(() => shutdown.reason() === void 0 ? resolved : Effect90.void));
  };
  return work;
});
var endJobs = (jobs, { runningJobs }) => Effect90.suspend(
  () => Effect90.forEach(
    jobs,
    ([jobId, end2]) => Effect90.suspend(() => {
      runningJobs.delete(jobId);
      return end2;
    }),
    { discard: true }
  )
);
var deliveryOf = (task, { context, drains, errorPolicy }, downstream, { saveProgress }, { counters, wanted }) => ({
  context,
  downstream,
  drains,
  remaining: () => wanted === void 0 ? Number.POSITIVE_INFINITY : wanted - (counters.given.get(context.id) ?? 0),
  errorPolicy,
  pendingFailures: task.pendingFailures,
  keepFailures: (failures2) => {
    if (failures2.length === 0 && task.pendingFailures.length === 0) return;
    task.pendingFailures = failures2;
    saveProgress(task);
  },
  saveCursor: (cursor) => {
    task.cursor = cursor;
    saveProgress(task);
  }
});
var sourceWork = ({ drains = false, read: read4 }, part, downstream, run) => (task, actions) => {
  const { common, config: config2, errorPolicy, forTask } = part;
  const { counters, lock } = run;
  const { row } = task;
  const attempts = { made: 0, failures: [] };
  const unfinishedJobs = /* @__PURE__ */ new Map();
  const answered = (mark2) => void task.callMarks.push(mark2);
  const context = forTask({ mark: task.mark, answered, attempts, unfinishedJobs });
  const delivery = deliveryOf(task, { context, drains, errorPolicy }, downstream, actions, run);
  const complete = lock.move(actions.complete(task, []));
  if (delivery.remaining() <= 0) return complete;
  const batches = read4(config2, context, { row, from: task.cursor });
  const delivered = deliver(
    withRetryStream(batches, common.retry, row === void 0 ? void 0 : attempts),
    delivery,
    run
  ).pipe(Effect90.flatMap((all5) => all5 ? complete : Effect90.void));
  if (row === void 0) return delivered;
  return Effect90.catchIf(
    delivered,
    // A failure that left rows half moved is one of the steps downstream.
    (error) => error.scope !== "run" && lock.isConsistent(),
    (error) => resolveTask(task, row, withAttempts(error, attempts), part, actions, run, endJobs(unfinishedJobs, counters))
  );
};
var makeWork = (what, part, downstream, run) => {
  const { concurrency } = part.context;
  if (what === "nothing") {
    const pass = (task, { complete }) => run.lock.move(complete(task, task.row === void 0 ? [] : [task.row]));
    return Effect90.succeed({ concurrency: 1, run: pass });
  }
  if (!("kind" in what)) {
    const read4 = (_5, __5, begin2) => countedBatches(begin2)(Stream24.fromIterable(what));
    return Effect90.succeed({ concurrency: 1, run: sourceWork({ read: read4 }, part, downstream, run), inTurn: true });
  }
  switch (what.kind) {
    case "item":
      return Effect90.map(itemWork(what.apply, part, run), (run2) => ({ concurrency, run: run2 }));
    case "source":
      return Effect90.succeed({
        concurrency: part.common.concurrency ?? 1,
        run: sourceWork(what, part, downstream, run),
        inTurn: true
      });
    default:
      return Effect90.dieMessage(`a step that is ${what.kind} has no tasks`);
  }
};

// src/Run/Topology.ts
var passRows = { push: Effect91.succeed };
var dropRows = { push: () => Effect91.succeed([]) };
var emitInstead = (rows3) => ({
  push: () => Effect91.succeed([]),
  end: (from) => countedBatches({ from })(Stream25.fromIterable(rows3))
});
var locateTransform = (transform3, checked, node) => {
  const locate = (error) => inStep(error, checked, node);
  const { push: push2, save } = transform3;
  return {
    ...transform3,
    push: (rows3) => Effect91.mapError(push2(rows3), locate),
    save: save && Effect91.mapError(save, locate)
  };
};
var locateSink = (sink, checked, node) => {
  const locate = (error) => inStep(error, checked, node);
  return {
    ...sink,
    push: (rows3) => Effect91.mapError(sink.push(rows3), locate),
    save: Effect91.mapError(sink.save, locate),
    seal: Effect91.mapError(sink.seal, locate)
  };
};
var savedState = ({ journal }, id) => Effect91.mapError(journal.savedState(id), ledgerFailed);
var makePrepare = (checked, run, opened) => Effect91.map(
  makeDecode(checked, run),
  (decode3) => (node) => Effect91.gen(function* () {
    const { common, config: config2, steps } = yield* decode3(node);
    const own3 = makeStepContext(checked, run, node, common, steps);
    opened(own3.errorPolicy);
    const prepared = { common, config: config2, ...own3 };
    const { behaviour } = node.step;
    if (behaviour.kind !== "transform" && behaviour.kind !== "sink") return prepared;
    if (common.when === false || run.instead?.has(node.id) === true) return { ...prepared, transform: passRows };
    const { entries, value: value4 } = yield* savedState(run, node.id);
    const saved2 = { entries, value: (yield* decodeOperator(node, value4))?.own };
    if (behaviour.kind === "sink") {
      const sink = locateSink(yield* behaviour.open(config2, own3.context, saved2), checked, node);
      return { ...prepared, transform: sink, sink };
    }
    return {
      ...prepared,
      transform: locateTransform(yield* behaviour.make(config2, own3.context, saved2), checked, node)
    };
  }).pipe(Effect91.mapError((error) => error._tag === "StepError" ? inStep(error, checked, node) : error))
);
var isOpenedEarly = ({ step: { behaviour } }) => behaviour.kind === "transform" || behaviour.kind === "sink";
var prepareAll = (checked, run, steps, prepare2) => Effect91.gen(function* () {
  const prepared = /* @__PURE__ */ new Map();
  const waits = (node) => awaitsValue(checked, node, run.instead);
  const early = steps.filter((node) => !waits(node));
  const late = steps.filter((node) => waits(node) && isOpenedEarly(node));
  yield* Effect91.forEach(
    [...early, ...late],
    (node) => Effect91.map(prepare2(node), (step2) => prepared.set(node.id, step2))
  ).pipe(
    Effect91.onError(
      () => Effect91.forEach(run.resume === void 0 ? prepared.values() : [], ({ sink }) => sink?.discard ?? Effect91.void)
    )
  );
  return prepared;
});
var isOrdered = (node, steps, prepared) => steps.some((reader2) => {
  if (!reader2.inputs.includes(node.id)) return false;
  const { behaviour } = reader2.step;
  const isOrderedSink = behaviour.kind === "sink" && behaviour.destination(prepared.get(reader2.id)?.config)?.isOrdered === true;
  return isOrderedSink || isOrdered(reader2, steps, prepared);
});
var isSink2 = ({ id, step: step2 }) => step2.behaviour.kind === "sink" && !id.startsWith("~");
var outputLimitsOf = ({ all: all5 = [], frame, nodes }) => {
  const { bytes, rows: rows3 } = frame.budget ?? {};
  const byId = new Map([...nodes, ...all5].map((node) => [node.id, node]));
  const above = ({ id }) => (byId.get(id)?.inputs ?? []).flatMap((input) => {
    const node = byId.get(input);
    return node === void 0 ? [] : [node, ...above(node)];
  });
  const countsRows = (node) => !above(node).some(isSink2);
  return {
    countsRows,
    /** Bytes count in every file. */
    isLimited: (node) => !node.id.startsWith("~") && (bytes !== void 0 || rows3 !== void 0 && countsRows(node))
  };
};
var makePool2 = ({ endOf, prepare: prepare2, prepared, run, steps }, node, downstream, rows3) => Effect91.gen(function* () {
  const step2 = prepared.get(node.id);
  const { behaviour } = node.step;
  const work = Effect91.forEach(node.after, (id) => Deferred6.await(endOf(id)), { discard: true }).pipe(
    Effect91.zipRight(step2 === void 0 ? prepare2(node) : Effect91.succeed(step2)),
    Effect91.flatMap((step3) => {
      const isOff = step3.common.when === false;
      if (isOff && behaviour.kind === "source") run.counters.markIncomplete(node.id, "skipped");
      return makeWork(isOff ? "nothing" : rows3 ?? behaviour, step3, downstream, run);
    }),
    Effect91.mapError((error) => error._tag === "StepError" ? error : StepError.of(error))
  );
  return yield* makePool({
    id: node.id,
    isRoot: isRoot(node),
    ordered: isOrdered(node, steps, prepared),
    saved: yield* savedState(run, node.id),
    work,
    downstream,
    run
  });
});
var isRoot = ({ inputs, step: step2 }) => step2.behaviour.kind === "source" && inputs.length === 0;
var makeOperator = (parts, node, downstream) => Effect91.gen(function* () {
  const { prepared, run } = parts;
  const step2 = prepared.get(node.id);
  const isSource3 = node.step.behaviour.kind === "source";
  const isOff = step2?.common.when === false;
  if (isOff && isSource3) run.counters.markIncomplete(node.id, "skipped");
  const rows3 = isRoot(node) && run.replay !== void 0 ? [] : run.instead?.get(node.id);
  const replaced2 = rows3 === void 0 || isRoot(node) || isOff ? void 0 : emitInstead(rows3);
  const whenOff = isOff && !isRoot(node) ? isSource3 ? dropRows : passRows : void 0;
  const transform3 = replaced2 ?? step2?.transform ?? whenOff;
  if (step2 === void 0 || transform3 === void 0) return yield* makePool2(parts, node, downstream, rows3);
  const { common, context, errorPolicy, sink } = step2;
  const saved2 = yield* decodeOperator(node, (yield* savedState(run, node.id)).value);
  return makeTransformOperator({ context, common, errorPolicy, transform: transform3, sink, saved: saved2, downstream, run });
});
var connect = (parts) => Effect91.gen(function* () {
  const { checked, endOf, prepared, run, steps } = parts;
  const limits3 = outputLimitsOf(checked);
  const exit2 = makeExit(run.counters, run.tap);
  const operators2 = /* @__PURE__ */ new Map();
  const merges = /* @__PURE__ */ new Map();
  const readersOf = (node) => steps.flatMap(({ id, inputs }) => {
    const reader2 = inputs.includes(node.id) ? operators2.get(idOf3(id)) ?? operators2.get(id) : void 0;
    if (reader2 === void 0) return [];
    if (inputs.length === 1) return [reader2];
    const merge4 = merges.get(id) ?? mergeInputs(reader2, inputs);
    merges.set(id, merge4);
    return [merge4(node.id)];
  });
  const limit2 = (node, inner, sizeOf) => Effect91.gen(function* () {
    const id = idOf3(node.id);
    const saved2 = yield* decodeBuffered({ id }, yield* savedState(run, id));
    const operator = make23({ id, inner, saved: saved2, sizeOf, countsRows: limits3.countsRows(node), run });
    operators2.set(id, operator);
    return operator;
  });
  for (const node of steps.toReversed()) {
    const readers = readersOf(node);
    const isLimitedEnd = node.step.behaviour.kind !== "sink" && limits3.isLimited(node);
    const receivers = readers.length > 0 ? readers : [isLimitedEnd ? yield* limit2(node, exit2) : exit2];
    const operator = yield* makeOperator(parts, node, makeDownstream(node.id, receivers, endOf(node.id), run));
    operators2.set(node.id, operator);
    if (isSink2(node) && limits3.isLimited(node) && run.instead?.has(node.id) !== true) {
      yield* limit2(node, operator, prepared.get(node.id)?.sink?.sizeOf);
    }
  }
  return operators2;
});
var abandonRest = ({ endOf, run, steps }, operators2) => Effect91.gen(function* () {
  yield* run.shutdown.publishPaid;
  const leftOut = [];
  const abandon = (operator) => operator?.abandon === void 0 ? Effect91.void : run.lock.move(operator.abandon);
  for (const node of steps) {
    const limit2 = operators2.get(idOf3(node.id));
    const operator = operators2.get(node.id);
    yield* Effect91.forEach([limit2, operator, limit2], abandon, { discard: true });
    yield* Deferred6.await(endOf(node.id));
    yield* abandon(limit2);
    leftOut.push(...limit2?.leftOut?.() ?? [], ...operator?.leftOut?.() ?? []);
  }
  return leftOut;
});
var build = (checked, run) => Effect91.gen(function* () {
  const steps = checked.nodes.filter((node) => node.step.behaviour.kind !== "value");
  const policies = [];
  const prepare2 = yield* makePrepare(checked, run, (policy) => policies.push(policy));
  const prepared = yield* prepareAll(checked, run, steps, prepare2);
  const ends = /* @__PURE__ */ new Map();
  for (const node of checked.nodes) ends.set(node.id, yield* Deferred6.make());
  const never4 = yield* Deferred6.make();
  const endOf = (step2) => ends.get(step2) ?? never4;
  const parts = { checked, run, steps, prepare: prepare2, prepared, endOf };
  const operators2 = yield* connect(parts);
  const topology = {
    operators: [...operators2.values()],
    ended: Effect91.forEach(steps, ({ id }) => Deferred6.await(endOf(id)), { discard: true }),
    abandonRest: abandonRest(parts, operators2),
    checkRejectsAtStart: Effect91.suspend(
      () => Effect91.forEach(policies, ({ checkAtStart }) => checkAtStart, { discard: true })
    ),
    checkRejectsAtEnd: Effect91.suspend(
      () => Effect91.forEach(policies, ({ checkAtEnd }) => checkAtEnd, { discard: true })
    )
  };
  return topology;
});

// src/Run/Runtime.ts
var warnAboutGrowth = (pipeline, touches) => Effect92.gen(function* () {
  const { history } = yield* Ledger;
  const [last] = yield* Effect92.mapError(history.runs({ pipeline, limit: 1 }), ledgerFailed);
  const grown = last === void 0 ? void 0 : addedResources(touches, mapping2(last.options).named);
  if (grown !== void 0)
    yield* Effect92.logWarning(
      `${pipeline} names hosts, files or variables that its last run (${last?.id}) did not: ${grown}`
    );
});
var openJournal = (checked, options, handle) => Effect92.gen(function* () {
  const ledger = yield* Ledger;
  const scope4 = { env: options.env ?? {}, secrets: options.secrets ?? (() => void 0) };
  yield* require2(checked, scope4);
  const run = describeRun(checked, { ...options, id: handle.id, startedAt: new Date(handle.startedAt) });
  const key2 = yield* stateKey2(checked, { ...scope4, run });
  const touches = yield* resourcesOf(checked, void 0);
  if (options.resume === void 0 && options.group === void 0) yield* warnAboutGrowth(checked.frame.name, touches);
  const known4 = typeof key2 === "string" ? key2 : void 0;
  const spec = makeRunSpec(checked, options, handle, { key: known4, touches });
  const journal = yield* Effect92.mapError(ledger.open(spec), ledgerFailed);
  yield* options.opened?.(handle.id) ?? Effect92.void;
  const opened = { checked, options, handle, journal, stateKey: known4 };
  return opened;
});
var restoreCounters = (counters, resume, journal) => Effect92.gen(function* () {
  if (resume !== void 0) counters.restore(resume.progress, resume.bytes);
  const booked = yield* Effect92.mapError(journal.booked, ledgerFailed);
  counters.callCredits = booked.credits;
  counters.callUnpriced = booked.unpriced;
  counters.callPages = booked.pages;
});
var trialsOf = (options) => Effect92.map(Ledger, ({ history }) => ({ isTrial: isTrial(options), written: history.trialOutputs }));
var makeFork = (checked, lock, failure2, workers) => (step2, work) => work.pipe(
  Effect92.catchIf(
    (error) => isRefused(lock, error),
    () => Effect92.void
  ),
  Effect92.mapError((error) => inStepNamed(error, checked, step2)),
  Effect92.catchAllCause(
    (cause) => Cause3.isInterruptedOnly(cause) ? Effect92.void : Deferred7.failCause(failure2, cause)
  ),
  Scope4.extend(workers),
  Effect92.interruptible,
  Effect92.forkIn(workers),
  Effect92.asVoid
);
var open5 = (journaled) => Effect92.gen(function* () {
  const { checked, handle, journal, options, stateKey: stateKey3 } = journaled;
  const { counters, id, startedAt } = handle;
  const ledger = yield* Ledger;
  yield* restoreCounters(counters, options.resume, journal);
  const lock = yield* makeCommitLock(Effect92.mapError(journal.verifyLocks, ledgerFailed));
  const shutdown = yield* make20;
  const buffer = makeBuffer(counters);
  const budget = yield* make16({
    limits: checked.frame.budget,
    counters,
    shutdown,
    rate: (yield* Tariff).rate,
    account: accountOf({
      ledger,
      journal,
      limits: checked.frame.budget,
      pipeline: checked.frame.name,
      runId: id,
      group: options.group,
      from: options.budgetFrom
    }),
    since: options.budgetFrom?.since
  });
  const callCache = yield* make17({ journal, counters, budget, shutdown, buffer });
  const rejects2 = yield* make15(`${options.dataDir}/runs/${id}`, counters.rejectBytes, {
    mayBeHeld: options.group !== void 0
  });
  const isReplay = options.replay !== void 0;
  const completeness = makeCompleteness(checked, counters, { shutdown, isReplay });
  const states = make21({
    active: !isStateless(options),
    buffer,
    completeness,
    journal,
    historyKey: options.parentRun === void 0 ? stateKey3 : options.stateKey,
    rejects: rejects2
  });
  const workers = yield* Effect92.acquireRelease(Scope4.make(), (scope4, exit2) => Scope4.close(scope4, exit2));
  const failure2 = yield* Deferred7.make();
  const run = {
    ...options,
    id,
    startedAt: new Date(startedAt),
    counters,
    lock,
    shutdown,
    budget,
    journal,
    callCache,
    buffer,
    rejects: rejects2,
    states,
    completeness,
    trials: yield* trialsOf(options),
    awaitTurn: makeAwaitTurn(ledger, options.group),
    fork: makeFork(checked, lock, failure2, workers)
  };
  const opened = { ...journaled, run, failure: failure2, workers };
  return opened;
});
var build2 = (opened) => Effect92.map(build(opened.checked, opened.run), (topology) => {
  const { checked, run } = opened;
  const { budget, buffer, counters, journal, lock, rejects: rejects2, tap: tap12 } = run;
  const { operators: operators2 } = topology;
  const options = { budget, buffer, counters, journal, lock, operators: operators2, rejects: rejects2, isRead: tap12?.read };
  const checkpoint = measureCommit(make18(options), checked.frame.name, counters);
  return { ...opened, topology, checkpoint };
});
var statusOf3 = (reason) => reason instanceof BudgetReached ? "budget" : "failed";
var orWarn = (effect3) => Effect92.catchAll(Effect92.asVoid(effect3), ({ message }) => Effect92.logWarning(message));
var recordEnd = (journal) => (effect3) => effect3.pipe(
  Effect92.tapError((reason) => orWarn(journal.end(statusOf3(reason), reason.message))),
  Effect92.onInterrupt(() => orWarn(journal.end("stopped")))
);
var isFresh = ({ resume }) => resume === void 0 || resume.progress === null;
var pushReplay = ({ numbers: numbers3, of, rows: rows3 }, { checked, run, topology }) => Effect92.gen(function* () {
  for (const operator of topology.operators) {
    const again2 = rows3.get(operator.id) ?? [];
    const [input] = checked.nodes.find(({ id }) => id === operator.id)?.inputs ?? [];
    if (input !== void 0) run.counters.give(input, again2.length);
    if (again2.length > 0) yield* operator.push(again2);
  }
  run.buffer.claim({ of, numbers: numbers3 });
});
var awaitRows = ({ failure: failure2, run: { budget, shutdown }, topology }) => {
  const ended3 = Effect92.as(topology.ended, "ended");
  const drained = Effect92.as(shutdown.drained, "drained");
  const timedOut2 = Effect92.zipRight(
    budget.timeOver,
    Effect92.delay(Effect92.succeed("drained"), gracePeriod)
  );
  return Effect92.raceFirst(Deferred7.await(failure2), Effect92.raceFirst(ended3, Effect92.raceFirst(drained, timedOut2)));
};
var cut = ({ checked, failure: failure2, run, topology }) => Effect92.gen(function* () {
  const { budget, buffer, counters, shutdown } = run;
  const message = `the budget is used up: ${(yield* budget.reached) ?? "it was reached"}`;
  if (checked.frame.budget?.onReached !== "publish") return yield* new BudgetReached({ message });
  yield* shutdown.request("budget");
  buffer.deferRows(yield* Effect92.raceFirst(topology.abandonRest, Deferred7.await(failure2)));
  counters.budgetMessage = `${message}; what was paid for is published, the rest is left to the next run`;
  return counters.budgetMessage;
});
var drive = (built) => {
  const { checkpoint, failure: failure2, journal, options, run, topology } = built;
  const { counters, lock, shutdown, tap: tap12 } = run;
  const commit = Effect92.zipRight(
    checkpoint,
    Effect92.suspend(
      () => lock.isConsistent() && tap12?.isHere() !== false ? Effect92.void : new Stopped({ message: "a part of the run has failed, or nothing reads its rows" })
    )
  );
  return Effect92.gen(function* () {
    yield* topology.checkRejectsAtStart;
    if (options.replay !== void 0 && isFresh(options)) {
      yield* lock.move(pushReplay(options.replay, built));
      yield* checkpoint;
    }
    yield* Effect92.forEach(topology.operators, ({ start: start3 }) => start3, { discard: true });
    yield* run.fork("", Effect92.mapError(journal.lockLost, ledgerFailed));
    yield* run.fork("", repeat2(counters, checkpoint));
    const how = yield* awaitRows(built);
    const isCut2 = counters.isCut || shutdown.reason() === "budget" && how === "drained";
    return isCut2 ? yield* cut(built) : void 0;
  }).pipe(
    Effect92.catchIf(
      (error) => isRefused(lock, error),
      () => Deferred7.await(failure2)
    ),
    Effect92.provideService(Commit, commit)
  );
};
var commitAll = ({ checked, checkpoint, failure: failure2, options, run, topology }) => Effect92.gen(function* () {
  const { counters, lock, rejects: rejects2 } = run;
  counters.over = true;
  counters.spent = options.parentRun === void 0 && isEveryRowRejected(checked, counters);
  yield* checkpoint;
  if (!lock.isConsistent()) return yield* Deferred7.await(failure2);
  yield* topology.checkRejectsAtEnd;
  if (counters.spent) return yield* allRejected(counters.rejects, rejects2);
});
var isWorthResuming = ({ options, run: { buffer, counters } }) => {
  if (counters.spent) return false;
  if (options.resume !== void 0) return true;
  const claim = buffer.claimStatus();
  if (claim !== "none") return claim === "committed";
  const { answers, bytes, credits: credits2, pages: pages2, rejects: rejects2, unpriced } = counters;
  return answers + bytes + credits2 + unpriced + pages2 + rejects2 > 0;
};
var conclude = (built, status, why2) => Effect92.gen(function* () {
  const { handle, journal, topology } = built;
  const resumable = isWorthResuming(built);
  yield* setResumable(handle, resumable);
  if (!resumable) {
    yield* Effect92.forEach(topology.operators, ({ discard }) => discard ?? Effect92.void, { discard: true });
  }
  yield* orWarn(journal.end(status, why2));
});
var setResumable = ({ phase }, resumable) => Ref2.update(phase, (now) => now._tag === "Running" || now._tag === "Ended" ? { ...now, resumable } : now);
var windDown = (built, status, why2) => Effect92.gen(function* () {
  const { checkpoint, handle, run, workers } = built;
  if ((yield* Ref2.get(handle.phase))._tag === "Ended") return;
  if (status !== "budget") yield* run.shutdown.stopAndDrain;
  yield* Scope4.close(workers, Exit7.void);
  yield* orWarn(run.lock.isConsistent() ? checkpoint : run.rejects.flush);
  yield* conclude(built, status, why2);
  yield* Ref2.update(handle.phase, (now) => now._tag === "Running" ? { ...now, _tag: "Ended" } : now);
}).pipe(Effect92.uninterruptible);
var seal2 = (built) => Effect92.forEach(
  built.topology.operators.toReversed().flatMap(({ seal: seal3 }) => seal3 === void 0 ? [] : [seal3]),
  (seal3) => seal3
).pipe(
  Effect92.tap((sealed) => Effect92.mapError(built.journal.recordSealed(sealed), ledgerFailed)),
  Effect92.tapError(({ message }) => conclude(built, "failed", message))
);
var publish2 = ({ checked, handle, journal, options }, sealed, completeness, budgetMessage) => Effect92.gen(function* () {
  const { forgetAfter } = checked.frame.state ?? {};
  const outputs = yield* Effect92.mapError(publish(sealed, yield* trialsOf(options)), StepError.of);
  yield* Effect92.forEach(
    sealed.flatMap(({ warnings }) => warnings),
    (warning) => Effect92.logWarning(warning),
    { discard: true }
  );
  const expiry = forgetAfter && {
    after: Duration18.toMillis(forgetAfter),
    steps: checked.remembering.filter((step2) => completeness.mayForget(step2))
  };
  yield* Effect92.mapError(journal.complete(outputs, expiry, budgetMessage), ledgerFailed);
  if (forgetAfter !== void 0 && options.replay === void 0 && !isStateless(options)) {
    for (const step2 of checked.remembering.filter((each) => !completeness.mayForget(each))) {
      const why2 = completeness.warningOnce(step2);
      if (why2 !== void 0) yield* Effect92.logWarning(incompleteWarning(step2, why2));
    }
  }
  const status = budgetMessage === void 0 ? "completed" : "budget";
  yield* Ref2.update(
    handle.phase,
    (now) => now._tag === "Running" ? { _tag: "Published", begun: now.begun, status, outputs } : now
  );
}).pipe(
  Effect92.tapError(
    ({ message }) => Effect92.zipRight(setResumable(handle, true), orWarn(journal.end("failed", message)))
  )
);
var publishAgain = (journaled, sealed) => Effect92.gen(function* () {
  const { checked, handle, journal, options } = journaled;
  const { counters } = handle;
  yield* restoreCounters(counters, options.resume, journal);
  const completeness = makeCompleteness(checked, counters, { isReplay: options.replay !== void 0 });
  const budgetMessage = options.budgetMessage ?? counters.budgetMessage;
  yield* publish2(journaled, sealed, completeness, budgetMessage);
  return budgetMessage;
});
var carryOut = (journaled) => Effect92.gen(function* () {
  const { checked, handle, journal, options } = journaled;
  const { counters } = handle;
  yield* setResumable(handle, options.resume !== void 0);
  const sealedBefore = yield* Effect92.mapError(journal.sealed, ledgerFailed);
  if (sealedBefore !== void 0) return yield* publishAgain(journaled, sealedBefore);
  const built = yield* open5(journaled).pipe(Effect92.flatMap(build2), recordEnd(journal));
  const cutBefore = options.budgetMessage ?? counters.budgetMessage;
  const flow = drive(built).pipe(
    Effect92.tap(() => commitAll(built)),
    Effect92.tapError((reason) => windDown(built, statusOf3(reason), reason.message)),
    Effect92.tapDefect((cause) => windDown(built, "failed", `a fault of sluice: ${String(Cause3.squash(cause))}`)),
    Effect92.onInterrupt(() => Effect92.ignoreLogged(windDown(built, "stopped")))
  );
  return yield* Effect92.uninterruptibleMask(
    (restore3) => Effect92.gen(function* () {
      const budgetMessage = (yield* restore3(flow)) ?? cutBefore;
      yield* Scope4.close(built.workers, Exit7.void);
      const sealed = yield* seal2(built);
      yield* publish2(built, sealed, built.run.completeness, budgetMessage);
      const isReplay = options.replay !== void 0;
      const warning = options.parentRun === void 0 && manyRejectedWarning(checked, counters, isReplay);
      if (warning) yield* Effect92.logWarning(warning);
      return budgetMessage;
    })
  );
});
var permissionsOf = ({ source }, { dataDir }) => Effect92.map(Permissions, (permissions) => ({
  ...forDefinition(permissions, NodePath15.resolve(source.folder, NodePath15.basename(source.file))),
  dataFolders: [...permissions.dataFolders, ...protectedIn(dataDir, source.folder)]
}));
var execute = (checked, options, handle) => Effect92.gen(function* () {
  const begun = yield* Clock11.currentTimeMillis;
  yield* Ref2.set(handle.phase, { _tag: "Running", begun, resumable: false });
  const journaled = yield* openJournal(checked, options, handle);
  const message = yield* Effect92.provideService(carryOut(journaled), RetryScope, makeRetryState());
  if (message !== void 0 && options.parentRun === void 0) return yield* new BudgetReached({ message });
}).pipe(
  Effect92.scoped,
  Effect92.provideServiceEffect(Permissions, permissionsOf(checked, options)),
  Effect92.zipRight(summarize(handle, "completed")),
  Effect92.catchAll(
    (reason) => Effect92.flatMap(summarize(handle, statusOf3(reason)), (summary) => new RunFailed({ summary, reason }))
  )
);

// src/Run.ts
var stamp = (millis5) => new Date(millis5).toISOString().replace(/[-:]/g, "").slice(0, 15);
var suffixLength = 6;
var newId = (startedAt) => Effect93.map(
  Random2.nextIntBetween(0, 36 ** suffixLength),
  (suffix) => `${stamp(startedAt)}-${suffix.toString(36).padStart(suffixLength, "0")}`
);
var make29 = (checked, options) => Effect93.gen(function* () {
  const { resume } = options;
  const startedAt = resume?.startedAt ?? options.now?.getTime() ?? (yield* Clock12.currentTimeMillis);
  const id = resume?.id ?? options.id ?? (yield* newId(startedAt));
  const out = options.out ?? NodePath16.resolve(isTrial(options) ? trialFolder(options.dataDir, checked.frame.name, id) : ".");
  const counters = new Counters();
  for (const node of checked.nodes) counters.given.set(node.id, 0);
  const handle = {
    id,
    startedAt,
    counters,
    rejectFile: yield* pathIn(`${options.dataDir}/runs/${id}`),
    phase: yield* Ref3.make({ _tag: "Created" })
  };
  return {
    id,
    progress: Effect93.sync(() => counters.progress()),
    summary: summarize(handle, "stopped"),
    execute: execute(checked, { ...options, out }, handle).pipe(
      Effect93.annotateLogs({ run: id, pipeline: checked.frame.name }),
      (run) => measureRun(run, checked.frame.name, counters, isPublished(handle)),
      Effect93.withSpan("Run.execute", {
        captureStackTrace: false,
        attributes: { "sluice.run.id": id, "sluice.pipeline": checked.frame.name }
      })
    )
  };
});
var rows2 = (checked, options) => makeRowStream((tap12) => Effect93.flatMap(make29(checked, { ...options, tap: tap12 }), ({ execute: execute2 }) => execute2));
var resuming = (id, checked, { withCurrent = false } = {}) => Effect93.gen(function* () {
  const ledger = yield* Ledger;
  const record = yield* ledger.find(id);
  if (record === void 0) return yield* new RunUnknown({ id, place: ledger.place });
  const { inputs, registry: registry2, source } = checked;
  const isSame2 = record.definition === source.text && (registry2?.hash === void 0 || record.definitionHash === definitionHash(checked));
  if (!withCurrent && !isSame2) return yield* new RunDiffers({ id, what: "definition" });
  if (!isEqual(record.inputs, inputs)) return yield* new RunDiffers({ id, what: "inputs" });
  return optionsOf(record);
});

// src/Run/LocalSite.ts
import { createServer } from "node:http";
import * as FileSystem19 from "@effect/platform/FileSystem";
import * as HttpServer from "@effect/platform/HttpServer";
import * as HttpServerRequest from "@effect/platform/HttpServerRequest";
import * as HttpServerResponse from "@effect/platform/HttpServerResponse";
import * as Path8 from "@effect/platform/Path";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import * as Data6 from "effect/Data";
import * as Effect94 from "effect/Effect";
import * as Either35 from "effect/Either";
import * as Option18 from "effect/Option";
var needsService = ({ nodes }) => nodes.some(({ config: config2, step: step2 }) => operationOf(step2, config2) !== void 0);
var noService = { baseUrl: "http://no-step-declares-a-service.invalid", apiKey: void 0 };
var contentTypes = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".pdf": "application/pdf",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
};
var usualPort = (folder) => 2e4 + Number.parseInt(sha256(folder).slice(0, 8), 16) % 1e4;
var SiteUnavailable = class extends Data6.TaggedError("SiteUnavailable") {
  get message() {
    return `the site ${this.folder} cannot be served: ${this.reason}`;
  }
};
var serve = Effect94.fn("Site.serve")(function* (folder) {
  const files2 = yield* FileSystem19.FileSystem;
  const paths = yield* Path8.Path;
  const root = yield* files2.realPath(folder).pipe(Effect94.mapError(() => new SiteUnavailable({ folder, reason: "there is no such folder" })));
  const permissions = yield* Permissions;
  const why2 = whyNotRead(permissions, root);
  if (why2 !== void 0) return yield* new SiteUnavailable({ folder, reason: why2 });
  const all5 = yield* files2.readDirectory(root, { recursive: true }).pipe(Effect94.mapError((error) => new SiteUnavailable({ folder, reason: fileErrorReason(error) })));
  const names2 = all5.filter((name) => whyNotRead(permissions, paths.join(root, name)) === void 0);
  const routes = /* @__PURE__ */ new Map();
  for (const name of names2) {
    const match9 = /^(.*)\.(\d{3})(\.\w+)$/.exec(name);
    const path2 = `/${(match9 === null ? name : `${match9[1]}${match9[3]}`).split(paths.sep).join("/")}`;
    const route = { file: paths.join(root, name), status: match9 === null ? 200 : Number(match9[2]) };
    routes.set(path2, route);
    if (path2.endsWith("/index.html")) routes.set(path2.slice(0, -"index.html".length), route);
  }
  const listen = (port) => NodeHttpServer.make(createServer, { host: "127.0.0.1", port });
  const server = yield* listen(usualPort(root)).pipe(
    Effect94.orElse(() => listen(0)),
    Effect94.mapError((error) => new SiteUnavailable({ folder, reason: error.message }))
  );
  const address = HttpServer.formatAddress(server.address).replace("http://0.0.0.0", "http://127.0.0.1");
  yield* server.serve(
    Effect94.gen(function* () {
      const request3 = yield* HttpServerRequest.HttpServerRequest;
      const url = Option18.getOrUndefined(HttpServerRequest.toURL(request3));
      const path2 = Either35.try(() => decodeURIComponent(url?.pathname ?? ""));
      const route = Either35.isRight(path2) ? routes.get(path2.right) : void 0;
      if (route === void 0)
        return HttpServerResponse.html("<h1>Not found</h1>").pipe(HttpServerResponse.setStatus(404));
      const contentType = contentTypes[paths.extname(route.file).toLowerCase()] ?? "application/octet-stream";
      if (!contentType.includes("charset")) {
        return HttpServerResponse.uint8Array(yield* files2.readFile(route.file), { contentType, status: route.status });
      }
      const text4 = (yield* files2.readFileString(route.file)).replaceAll("{site}", address);
      return HttpServerResponse.text(text4, { contentType, status: route.status });
    }).pipe(Effect94.catchAll((error) => Effect94.succeed(HttpServerResponse.text(error.message, { status: 500 }))))
  );
  return address;
});

// src/Pipeline/Source.ts
import * as FileSystem21 from "@effect/platform/FileSystem";
import * as PlatformPath2 from "@effect/platform/Path";
import * as Effect95 from "effect/Effect";
import * as Option19 from "effect/Option";
import { isMap, isNode as isNode3, isPair, isScalar as isScalar2, isSeq, LineCounter, parseDocument, visit as visit3 } from "yaml";
var parseText = (file, folder, text4) => Effect95.suspend(() => {
  const lines = new LineCounter();
  const document = parseDocument(text4, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
    logLevel: "error"
  });
  const place = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const mistakes = syntaxMistakes(document, text4, place);
  if (mistakes.length > 0) return Effect95.fail(new DefinitionInvalid({ file, mistakes }));
  const cuts = [];
  if (/[ \t]#/.test(text4))
    visit3(document, {
      Scalar: (part, node, above) => {
        const comment = /^[ \t]+#(.*)/.exec(text4.slice(node.range?.[1] ?? text4.length))?.[1];
        if (part === "key" || node.type !== "PLAIN" || comment === void 0 || !isCut(String(node.value), comment))
          return;
        const path2 = [...above, node].flatMap((each, depth) => {
          const parent = above[depth - 1];
          if (isPair(each)) return isScalar2(each.key) ? [String(each.key.value)] : [];
          return isSeq(parent) ? [parent.items.indexOf(each)] : [];
        });
        cuts.push({ path: path2, ...place(node.range?.[0] ?? 0) });
      }
    });
  const keyAt2 = (path2) => {
    const mapping3 = path2.length === 1 ? document.contents : document.getIn(path2.slice(0, -1), true);
    return isMap(mapping3) ? mapping3.items.find(({ key: key2 }) => isScalar2(key2) && key2.value === path2.at(-1))?.key : void 0;
  };
  const locate = (path2, part = "value") => {
    const key2 = part === "key" ? keyAt2(path2) : void 0;
    if (isNode3(key2) && key2.range) return place(key2.range[0]);
    for (let length = path2.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : document.getIn(path2.slice(0, length), true);
      if (isNode3(node) && node.range) return place(node.range[0]);
    }
    return void 0;
  };
  return Effect95.try({
    try: () => ({ file, text: text4, folder, value: document.toJS({ maxAliasCount: -1 }), cuts, locate }),
    catch: (error) => new DefinitionInvalid({
      file,
      mistakes: [{ path: [], message: `not valid YAML: ${error.message}` }]
    })
  });
}).pipe(
  Effect95.catchSomeDefect(
    (defect) => defect instanceof RangeError ? Option19.some(new DefinitionInvalid({ file, mistakes: [{ path: [], message: tooDeep, line: 1, column: 1 }] })) : Option19.none()
  )
);
var ofValue = (file, folder, given) => Effect95.try({
  try: () => {
    const { extensions: extensions2, value: value4 } = unextend(given);
    const text4 = JSON.stringify(value4, void 0, 2) ?? "";
    return { file, text: text4, folder, value: value4, extensions: extensions2, locate: () => void 0 };
  },
  catch: (error) => {
    const reason = whyNotPlain(given) ?? error.message;
    return new DefinitionInvalid({ file, mistakes: [{ path: [], message: `is no plain data: ${reason}` }] });
  }
});
var importDefinition = (file, path2, folder) => Effect95.flatMap(current(path2), ({ load: load4 }) => load4).pipe(
  Effect95.mapError(({ message }) => new DefinitionInvalid({ file, mistakes: [{ path: [], message }] })),
  Effect95.flatMap(
    (module) => module.default === void 0 ? Effect95.fail(
      new DefinitionInvalid({
        file,
        mistakes: [{ path: [], message: "has no default export: write `export default Pipeline.make({ \u2026 })`" }]
      })
    ) : ofValue(file, folder, module.default)
  )
);
var nearNames = (path2) => Effect95.gen(function* () {
  const files2 = yield* FileSystem21.FileSystem;
  const paths = yield* PlatformPath2.Path;
  const folder = paths.dirname(path2);
  const names2 = yield* Effect95.option(files2.readDirectory(folder));
  if (Option19.isNone(names2)) {
    const folders = yield* Effect95.orElseSucceed(files2.readDirectory(paths.dirname(folder)), () => []);
    return didYouMean(paths.basename(folder), folders) || `: there is no folder ${folder} either`;
  }
  const definitions = names2.value.filter((name) => /(?<!\.test|\.lock)\.(ya?ml|json|m?[jt]s)$/.test(name)).sort();
  const known4 = definitions.slice(0, 5).join(", ");
  const stem = (name) => name.replace(/\.\w+$/, "");
  const near = nearest(stem(paths.basename(path2)), definitions.map(stem));
  if (near !== void 0) return `, did you mean "${definitions.find((name) => stem(name) === near)}"?`;
  return known4 === "" ? "" : `: there are ${known4}`;
});
var read3 = Effect95.fn("Pipeline.read")(function* (file) {
  const files2 = yield* FileSystem21.FileSystem;
  const paths = yield* PlatformPath2.Path;
  const path2 = paths.resolve(file);
  const folder = paths.dirname(path2);
  const refuse5 = (message) => new DefinitionInvalid({ file, mistakes: [{ path: [], message }] });
  switch (paths.extname(path2)) {
    case ".yaml":
    case ".yml":
    case ".json": {
      const text4 = yield* files2.readFileString(path2).pipe(
        Effect95.catchAll(
          (error) => error._tag === "SystemError" && error.reason === "NotFound" ? Effect95.flatMap(nearNames(path2), (near) => refuse5(`there is no such file${near}`)) : refuse5(`cannot be read: ${fileErrorReason(error)}`)
        )
      );
      return yield* parseText(file, folder, text4);
    }
    case ".ts":
    case ".mts":
    case ".js":
    case ".mjs": {
      const permissions = yield* Permissions;
      if (!permissions.code && !isOfProject(permissions, path2)) {
        return yield* refuse5(
          `is code that would run with all that your account may do, and ${originOf(permissions)}: read it, and allow it with --allow-code`
        );
      }
      return yield* importDefinition(file, path2, folder);
    }
    default:
      return yield* refuse5("is not a definition: expected .yaml, .yml, .json, .ts, .mts, .js or .mjs");
  }
});
var whyNotPlain = (value4, above = []) => {
  if (typeof value4 === "number" && !Number.isFinite(value4)) return `it holds the number ${value4}`;
  if (typeof value4 === "function" || typeof value4 === "symbol" || typeof value4 === "bigint")
    return `it holds a ${typeof value4}`;
  if (typeof value4 !== "object" || value4 === null) return void 0;
  if (above.includes(value4)) return "it holds itself";
  const plain = Array.isArray(value4) || Object.getPrototypeOf(value4) === Object.prototype;
  if (!plain) return `it holds what is no plain data (${value4.constructor?.name ?? "without a name"})`;
  for (const each of Object.values(value4)) {
    const found = whyNotPlain(each, [...above, value4]);
    if (found !== void 0) return found;
  }
  return void 0;
};

export {
  Unauthorized,
  PaymentRequired,
  Forbidden,
  RateLimited,
  InvalidRequest,
  NotFound,
  JobNotFound,
  JobExpired,
  Timeout,
  Conflict,
  Gone,
  TooLarge,
  UnsupportedFile,
  Unprocessable,
  TargetNetworkError,
  TargetDnsError,
  TargetTlsError,
  Refused,
  NotImplemented,
  InsufficientStorage,
  ServiceError,
  NetworkError,
  UnexpectedResponse,
  CrossOrigin,
  JobFailed,
  CircuitOpen,
  InvalidBaseUrl,
  ClientErrors_exports,
  limited2 as limited,
  standard3 as standard,
  never,
  RetryPolicy,
  Retry_exports,
  layer3 as layer,
  Connection_exports,
  ActiveCrawls,
  BatchScrape,
  Browser,
  Crawl,
  CrawlPreview,
  Map2 as Map,
  Parse,
  Scrape,
  Search,
  TokenUsage,
  layer4 as layer2,
  layerPostgres,
  Ledger_exports,
  Permissions,
  shardRows,
  StepError,
  BudgetReached,
  RunStopped,
  TooManyRejects,
  restored,
  make8 as make,
  operationOf,
  ExpressionText,
  perRow,
  mapping2 as mapping,
  PathTaken,
  SinkErrors_exports,
  protectFromTrial,
  withModifiedTime,
  Sink_exports,
  write2 as write,
  readable,
  call,
  Estimate_exports,
  decodeState,
  local,
  Tariff,
  watchedFiles,
  flatMapValues,
  Schedule3 as Schedule,
  nextInstants,
  instantsBetween,
  dueAt,
  DefinitionInvalid,
  renderPath,
  extend2 as extend,
  needsProgram,
  settle,
  namedSteps,
  decode2 as decode,
  before,
  check2 as check,
  scopeBefore,
  stateKey2 as stateKey,
  parseText,
  ofValue,
  read3 as read,
  reasonsOf,
  pathIn,
  isReached,
  makeRowStream,
  RunFailed,
  RunUnknown,
  RunDiffers,
  makeRunSpec,
  optionsOf,
  describeRun,
  newId,
  make29 as make2,
  resuming,
  Run_exports,
  needsService,
  noService,
  serve
};
