import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  ofEngine
} from "./chunk-Q3EFARSN.js";
import {
  parsing
} from "./chunk-2ZILVW26.js";
import {
  get as get2,
  invalidate,
  makeWithTTL
} from "./chunk-OTBTFI5V.js";
import {
  Api2 as Api,
  BadRequest,
  NotImplemented,
  OptionalBody,
  ParseOptions,
  RequestError2 as RequestError,
  TimedOut,
  TooLarge,
  Unprocessable,
  UnsupportedType,
  extensions,
  formatName,
  maxFileSize,
  mostUrls,
  optionFields,
  reflect,
  set,
  settle,
  unsupportedFormats,
  unsupportedOptions
} from "./chunk-PGOM52WJ.js";
import {
  kindOfExtension
} from "./chunk-UUXWWBQZ.js";
import {
  formats
} from "./chunk-5MIN5RQK.js";
import {
  excessOf,
  excessText,
  isDeepJson
} from "./chunk-NEXSCO5F.js";
import {
  _await,
  make as make2,
  poll,
  runFork,
  spaced,
  unsafeDone
} from "./chunk-4U3SQ3WC.js";
import {
  ArrayFormatter,
  TaggedError,
  decodeUnknown,
  scoped as scoped2
} from "./chunk-PAQDWWDE.js";
import {
  Tag,
  _void,
  acquireRelease,
  acquireUseRelease2 as acquireUseRelease,
  async,
  catchTag,
  close,
  delay2 as delay,
  die3 as die,
  dieMessage,
  extend,
  fail5 as fail,
  filterOrFail,
  flatMap5 as flatMap,
  fn,
  gen,
  get,
  interrupt3 as interrupt,
  isSuccess,
  make8 as make,
  map9 as map,
  mapError2 as mapError,
  never,
  onExit,
  raceFirst,
  repeat,
  retry,
  runtime2 as runtime,
  scoped2 as scoped,
  succeed4 as succeed,
  suspend2 as suspend,
  sync3 as sync,
  tap2 as tap,
  timeoutFail,
  tryPromise,
  try_,
  void_2 as void_,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  listen,
  safely
} from "./chunk-6CVURTE2.js";
import {
  parseSelector
} from "./chunk-AK2SJKLB.js";
import {
  getLeft,
  left,
  match,
  right
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  isRecord,
  toArray
} from "./chunk-ANBJACJV.js";

// src/Engine/Parse/Parser.ts
import { stat } from "node:fs/promises";
import { extname } from "node:path";

// src/Engine/JsonBody.ts
var maxDepth = 200, maxOthers = 2e3, maxParts = 1e4, bounds = { levels: maxDepth, containers: maxParts, keys: maxParts, values: mostUrls + maxParts }, ExcessiveJson = class extends TaggedError("ExcessiveJson") {
  get message() {
    let { limit, of = "levels" } = this;
    return of === "others" ? `it has more than ${limit} values beside urls and schemas` : `it ${excessText(of, limit)}`;
  }
}, isCrowded = (body) => {
  if (!isRecord(body)) return Array.isArray(body) && body.length > maxOthers;
  let { urls, ...others } = body, isPlain = Array.isArray(urls) && urls.every((url) => typeof url == "string"), left2 = maxOthers, rest = [isPlain ? others : body];
  for (; rest.length > 0; ) {
    let value = rest.pop();
    if (typeof value != "object" || value === null) continue;
    let inner = Object.entries(value);
    if (left2 -= inner.length, left2 < 0) return !0;
    for (let [key, one] of inner) key !== "schema" && rest.push(one);
  }
  return !1;
}, noUpload = new BadRequest({
  error: "This takes JSON, and no upload: send it with the header Content-Type: application/json.",
  code: "BAD_REQUEST"
}), optional = /* @__PURE__ */ new Set();
reflect(Api, {
  onGroup: () => {
  },
  onEndpoint: ({ endpoint }) => {
    get(endpoint.annotations, OptionalBody) && optional.add(`${endpoint.method} ${endpoint.path}`);
  }
});
var isEmpty = ({ headers }) => headers["transfer-encoding"] === void 0 && Number(headers["content-length"] ?? 0) === 0, shallow = (request) => {
  let mayBeEmpty = optional.has(`${request.method} ${request.url.replace(/\/?(?:\?.*)?$/, "")}`);
  if (mayBeEmpty && isEmpty(request)) {
    let headers = set(request.headers, "content-type", "application/json");
    return Object.create(request, { headers: { value: headers }, json: { value: succeed({}) } });
  }
  let refuse = (cause) => new RequestError({ request, reason: "Decode", cause }), bounded = (text) => {
    let of = excessOf(text, bounds);
    return of === void 0 ? succeed(text) : refuse(new ExcessiveJson({ limit: bounds[of], of }));
  }, sparse = (body) => isCrowded(body) ? refuse(new ExcessiveJson({ limit: maxOthers, of: "others" })) : succeed(body);
  return Object.create(request, {
    json: {
      // Looked at before it is read: reading millions of levels or objects would hold up everybody for seconds.
      get: () => flatMap(
        flatMap(request.text, bounded),
        (text) => mayBeEmpty && text.trim() === "" ? succeed({}) : flatMap(request.json, sparse)
      )
    },
    multipart: { get: () => noUpload }
  });
};

// src/Engine/Parse/Options.ts
var fromText = (text) => try_(() => {
  if (isDeepJson(text, maxDepth)) throw new ExcessiveJson({ limit: maxDepth });
  return JSON.parse(text);
}).pipe(
  mapError(({ error }) => error instanceof Error ? error.message : String(error)),
  mapError(
    (reason) => new BadRequest({
      code: "BAD_REQUEST_INVALID_JSON",
      error: `The part options is not valid JSON: ${reason}`
    })
  )
), decode = decodeUnknown(ParseOptions), invalid = (error) => {
  let details = ArrayFormatter.formatErrorSync(error).filter(
    ({ message }) => !message.startsWith("Expected undefined")
  ).map(({ message, path }) => ({ path: ["options", ...path], message, code: "invalid_value" })), [first] = details;
  return new BadRequest({
    code: "BAD_REQUEST",
    error: first === void 0 ? "options is not valid" : `${first.path.map(String).join(".")}: ${first.message}`,
    details
  });
}, asks = (value) => value != null && value !== !1 && value !== 0 && !(Array.isArray(value) && value.length === 0), refuseSenseless = (raw, { formats: formats2 }) => {
  let sent = { ...raw }, names = [
    ...unsupportedOptions.filter((name) => asks(sent[name])),
    ...formats2.map(formatName).filter((format) => unsupportedFormats.some((name) => format.split("@", 1)[0] === name)).map((format) => `formats.${format}`)
  ];
  return names.length === 0 ? _void : new BadRequest({
    code: "PARSE_UNSUPPORTED_OPTIONS",
    error: `These options make no sense for a file: ${names.join(", ")}. Leave them out.`,
    details: names.map((name) => ({
      path: name.split("."),
      message: "Not supported by parse",
      code: "unsupported"
    }))
  });
}, checkSelectors = ({ excludeTags = [], includeTags = [] }) => {
  let faults = [...includeTags, ...excludeTags].map(parseSelector).flatMap((parsed) => toArray(getLeft(parsed)));
  return faults.length === 0 ? _void : new BadRequest({
    code: "BAD_REQUEST",
    error: faults.join("; "),
    details: faults.map((message) => ({ path: ["options"], message, code: "invalid_value" }))
  });
}, checkParsers = ({ parsers }) => match(readParsers(parsers), {
  onRight: () => _void,
  onLeft: ({ message }) => new BadRequest({
    code: "BAD_REQUEST",
    error: `options.parsers: ${message}`,
    details: [{ path: ["options", "parsers"], message, code: "invalid_value" }]
  })
}), read = fn("Parse.options")(function* (text) {
  let raw = text === void 0 || text.trim() === "" ? {} : yield* fromText(text), options = settle(optionFields, yield* mapError(decode(raw), invalid));
  return yield* refuseSenseless(raw, options), yield* checkSelectors(options), yield* checkParsers(options), options;
}), modes = ["auto", "fast"], maxPagesLimit = 1e4, readParsers = (parsers) => {
  let wrong = (message, unbuilt2 = !1) => left({ unbuilt: unbuilt2, message });
  if (parsers === void 0) return right({ pdf: !0, maxPages: void 0 });
  let stranger = parsers.map(formatName).find((name) => name !== "pdf");
  if (stranger !== void 0) return wrong(`"${stranger}" is not a parser that can be chosen; there is pdf`);
  let chosen = parsers.find((parser) => typeof parser != "string"), { maxPages, mode } = typeof chosen == "object" ? chosen : {};
  return maxPages !== void 0 && !(Number.isInteger(maxPages) && Number(maxPages) >= 1 && Number(maxPages) <= maxPagesLimit) ? wrong(`maxPages is not a whole number from 1 to ${maxPagesLimit}`) : mode === "ocr" ? wrong('the mode "ocr" is not built: the text layer of a PDF is read; use "auto"', !0) : mode !== void 0 && !modes.includes(String(mode)) ? wrong(`"${mode}" is not a mode; there are auto, fast`) : right({ pdf: parsers.length > 0, maxPages: maxPages === void 0 ? void 0 : Number(maxPages) });
};

// src/Engine/Parse/Pool.ts
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

// src/Engine/Detached.ts
var make3 = map(runtime(), (runtime2) => {
  let fork2 = runFork(runtime2), apart = (effect) => async((resume) => {
    let fiber = fork2(effect);
    return fiber.addObserver(resume), interrupt(fiber);
  });
  return (acquire) => acquireRelease(make(), (scope) => apart(close(scope, void_))).pipe(
    flatMap((scope) => apart(extend(acquire, scope)))
  );
});

// src/Engine/Parse/Pool.ts
var idle = "1 minute", heapMegabytes = 512, fatalBytes = 640 * 1024 * 1024, wornBytes = 256 * 1024 * 1024, jobsPerChild = 500, spareBytes = 512 * 1024 * 1024, mebibytes = (bytes) => `${Math.round(bytes / 1024 / 1024)} MB`, ChildLost = class extends TaggedError("ChildLost") {
  get message() {
    return `The process that parses files ${this.reason === "memory" ? "used too much memory" : this.reason} (${this.detail}).`;
  }
}, ChildLate = class extends TaggedError("ChildLate") {
  get message() {
    return `The process that parses files took longer than ${this.millis} ms: give it more time.`;
  }
}, childModule = () => {
  if (!import.meta.url.endsWith(".ts"))
    return { path: fileURLToPath(new URL("./parse-child.js", import.meta.url)), execArgv: [] };
  let tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return { path: fileURLToPath(new URL("./Child.ts", import.meta.url)), execArgv: ["--import", tsx] };
}, environment = () => {
  let kept = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"].flatMap((name) => {
    let value = process.env[name];
    return value === void 0 ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), TZ: "UTC" };
}, pageBytes = 4096, residentBytes = (pid) => {
  if (process.platform !== "linux") return 0;
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1] ?? 0) * pageBytes;
  } catch {
    return 0;
  }
}, Child = class {
  process;
  jobs = 0;
  constructor(child) {
    this.process = child;
  }
  get pid() {
    return this.process.pid ?? -1;
  }
  kill() {
    this.process.kill("SIGKILL");
  }
  /** Used up by many files, or left large by one. */
  get worn() {
    return this.jobs >= jobsPerChild || residentBytes(this.pid) > wornBytes;
  }
}, listen2 = (child, pick, job) => async((resume) => {
  let begun = !1, settle2 = (result) => {
    forget(), resume(result);
  }, onExit2 = (code, signal) => settle2(new ChildLost({ reason: "exited", detail: signal ?? `exit code ${code}`, begun })), forget = listen(
    child.process,
    {
      message: (message) => {
        message.kind === "begun" && (begun = !0);
        let found = pick(message);
        found !== void 0 && settle2(succeed(found));
      },
      exit: onExit2,
      error: ({ message }) => settle2(new ChildLost({ reason: "failed to start", detail: message, begun }))
    },
    (cause) => settle2(die(cause))
  );
  return child.process.exitCode !== null || child.process.signalCode !== null ? onExit2(child.process.exitCode, child.process.signalCode) : job !== void 0 && child.process.send(
    job,
    safely(() => {
    })
  ), sync(forget);
}), ready = (child) => mapError(
  listen2(child, ({ kind }) => kind === "ready" ? !0 : void 0),
  ({ begun, detail }) => new ChildLost({ reason: "failed to start", detail, begun })
), reply = (child, job) => listen2(
  child,
  (message) => message.kind === "parsed" || message.kind === "refused" ? message : void 0,
  job
), start = acquireRelease(
  sync(() => {
    let { path, execArgv } = childModule(), child = fork(path, [], {
      execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
      env: environment(),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    });
    return child.on(
      "error",
      safely(() => {
      })
    ), new Child(child);
  }),
  (child) => sync(() => child.kill())
).pipe(tap(ready)), watchMemory = (child) => suspend(() => {
  let resident = residentBytes(child.pid);
  return resident > fatalBytes ? fail(
    new ChildLost({
      reason: "memory",
      detail: `${mebibytes(resident)}, allowed ${mebibytes(fatalBytes)}`,
      begun: !0
    })
  ) : _void;
}).pipe(repeat(spaced("100 millis")), zipRight(never)), counted = (state, effect) => acquireUseRelease(
  sync(() => parsing.add(1, state)),
  () => effect,
  () => sync(() => parsing.add(-1, state))
), hasRoom = () => process.availableMemory() > fatalBytes + spareBytes, make4 = gen(function* () {
  let turns = makeTurns(hasRoom, yield* ofEngine(most)), alive = /* @__PURE__ */ new Set(), pool = yield* makeWithTTL({
    acquire: tap(
      start,
      (child) => acquireRelease(
        sync(() => alive.add(child)),
        () => sync(() => alive.delete(child))
      )
    ),
    min: 0,
    max: most,
    timeToLive: idle,
    timeToLiveStrategy: "usage"
  }), detached = yield* make3, retire = (child) => zipRight(
    sync(() => child.kill()),
    invalidate(pool, child)
  );
  return { run: fn("Parse.child")(
    (job, team = "") => scoped(
      gen(function* () {
        let turn = yield* counted("waiting", turns.take(team)), child = yield* detached(get2(pool));
        child.jobs += 1;
        let isSpare = () => turn.slow && alive.size > quick;
        return yield* counted("busy", reply(child, job)).pipe(
          raceFirst(watchMemory(child)),
          raceFirst(turns.watch(turn)),
          timeoutFail({
            duration: job.limitMillis,
            onTimeout: () => new ChildLate({ millis: job.limitMillis })
          }),
          onExit((exit) => isSuccess(exit) && !child.worn && !isSpare() ? _void : retire(child))
        );
      })
      // One that died while nobody used it is not the next file's fault.
    ).pipe(retry({ times: quick, while: (error) => error._tag === "ChildLost" && !error.begun }))
  ) };
}), quick = 2, most = 6, mostOfTeam = 3, patience = "500 millis", makeTurns = (hasRoom2, shares) => {
  let atWork = /* @__PURE__ */ new Set(), waiting = /* @__PURE__ */ new Set(), isFree = () => {
    let slow = 0;
    for (let turn of atWork) turn.slow && (slow += 1);
    return atWork.size - slow < quick && atWork.size < most && (atWork.size < quick || hasRoom2());
  }, next = () => {
    let first;
    for (let each of waiting)
      first !== void 0 && shares.compare(first.team, each.team) <= 0 || shares.heldBy(each.team) < mostOfTeam && shares.fits(each.team) && (first = each);
    return first;
  }, advance = sync(() => {
    for (; waiting.size > 0 && isFree(); ) {
      let chosen = next();
      if (chosen === void 0) return;
      let turn = { team: chosen.team, slow: !1 };
      waiting.delete(chosen), atWork.add(turn), shares.take(turn.team), unsafeDone(chosen.begin, succeed(turn));
    }
  });
  return { take: (team) => gen(function* () {
    let begin = yield* make2(), mine = { team, begin };
    return yield* acquireRelease(
      sync(() => waiting.add(mine)),
      () => gen(function* () {
        waiting.delete(mine);
        let given = yield* poll(begin);
        if (given._tag === "Some") {
          let turn = yield* given.value;
          atWork.delete(turn), shares.release(turn.team);
        }
        yield* advance;
      })
    ), yield* advance, yield* _await(begin);
  }), watch: (turn) => sync(() => {
    turn.slow = !0;
  }).pipe(zipRight(advance), delay(patience), zipRight(never)) };
};

// src/Engine/Parse/Parser.ts
var Parser = class extends Tag("sluice/Engine/Parse/Parser")() {
}, unbuilt = ["json", "extract", "attributes", "audio", "video", "query", "question", "highlights"], checkFormats = (asked) => {
  let missing = asked.filter((name) => !formats.includes(name)), unknown = missing.filter((name) => !unbuilt.includes(name));
  if (unknown.length > 0) {
    let details = unknown.map((name) => ({
      path: ["options", "formats"],
      message: `"${name}" is not a format; there are ${formats.join(", ")}`,
      code: "invalid_value"
    })), error = details.map(({ message }) => `options.formats: ${message}`).join("; ");
    return new BadRequest({ code: "BAD_REQUEST", error, details });
  }
  return missing.length === 0 ? _void : new NotImplemented({
    code: "NOT_IMPLEMENTED",
    error: `Parse does not make the format ${missing.join(", ")}; it makes ${formats.join(", ")}.`
  });
}, promisedKind = ({ name, uploaded = !1 }) => {
  let address = !uploaded && /^https?:/i.test(name) && canParse(name) ? new URL(name) : void 0, extension = extname(address?.pathname ?? name).toLowerCase(), kind = kindOfExtension[extension];
  return kind !== void 0 || address !== void 0 ? succeed(kind) : new UnsupportedType({
    code: "UNSUPPORTED_FILE_TYPE",
    error: `${name} has ${extension === "" ? "no extension" : `the extension ${extension}`}; read are ${extensions.join(", ")}.`
  });
}, checkSize = ({ name, path }) => tryPromise({
  try: () => stat(path),
  catch: () => new Unprocessable({ code: "FILE_CORRUPT", error: `${name} cannot be opened: send it again.` })
}).pipe(
  filterOrFail(
    ({ size }) => size <= maxFileSize,
    ({ size }) => new TooLarge({ code: "FILE_TOO_LARGE", error: `${name} has ${size} bytes, over the limit of 50 MB.` })
  ),
  filterOrFail(
    ({ size }) => size > 0,
    () => new Unprocessable({ code: "FILE_CORRUPT", error: `${name} is empty.` })
  )
), answer = (name) => (reply2) => reply2.kind === "parsed" ? succeed(reply2.file) : new Unprocessable({ code: reply2.code, error: `${name}: ${reply2.message}` }), late = (error) => new TimedOut({ code: "PARSE_TIMEOUT", error }), longestWait = 3e5, readingTime = (timeout) => timeout - Math.min(2e3, timeout / 10), make5 = gen(function* () {
  let children = yield* make4;
  return { parse: fn("Parse.parse")(function* (target) {
    let { name, options, path } = target, asked = options.formats.map(formatName);
    yield* checkFormats(asked);
    let promised = yield* promisedKind(target);
    yield* checkSize(target);
    let millis = readingTime(options.timeout), job = {
      path,
      name,
      promised,
      limitMillis: millis,
      options: {
        formats: asked,
        onlyMainContent: options.onlyMainContent,
        onlyCleanContent: options.onlyCleanContent,
        includeTags: options.includeTags ?? [],
        excludeTags: options.excludeTags ?? [],
        removeBase64Images: options.removeBase64Images,
        blockAds: options.blockAds,
        maxPages: match(readParsers(options.parsers), {
          onLeft: () => {
          },
          onRight: (parsers) => parsers.maxPages
        }),
        budgetMillis: millis * 0.8
      }
    };
    return yield* children.run(job, target.team).pipe(
      catchTag(
        "ChildLost",
        ({ message, reason }) => reason === "failed to start" ? dieMessage(message) : new Unprocessable({
          code: reason === "memory" ? "FILE_TOO_COMPLEX" : "FILE_CORRUPT",
          error: `${name} cannot be parsed. ${message} ${reason === "memory" ? "Split the file and send the parts" : "Open it in the program it was made with and save it again"}.`
        })
      ),
      catchTag(
        "ChildLate",
        () => fail(
          late(`${name} was not parsed within ${options.timeout} ms: ask for a longer timeout (at most 300000).`)
        )
      ),
      flatMap(answer(name)),
      timeoutFail({
        duration: millis + longestWait,
        onTimeout: () => late(`${name} was not parsed: other files were before it. Send it again later.`)
      })
    );
  }) };
}), layer = scoped2(Parser, make5);

export {
  maxDepth,
  ExcessiveJson,
  shallow,
  make3 as make,
  read,
  readParsers,
  Parser,
  layer
};
