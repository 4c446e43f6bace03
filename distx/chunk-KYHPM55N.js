import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  askedOf,
  headerSecrets,
  hide,
  hideHeaders,
  hideInstants,
  isHere,
  keyOf,
  mapTexts,
  markOf,
  masking,
  permissionsOf,
  play,
  read,
  textsUnder,
  write
} from "./chunk-MBYJEWL6.js";
import "./chunk-ZDDOVD4E.js";
import {
  requireCapabilities,
  startService
} from "./chunk-QH7QVI4J.js";
import {
  layer as layer2
} from "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  count,
  place
} from "./chunk-BMNGXVO7.js";
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
import {
  canonical
} from "./chunk-GLBPH2CN.js";
import "./chunk-A5EW3TIO.js";
import "./chunk-2FKDIRWL.js";
import "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-NHAMPOKL.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  withMinimumLogLevel
} from "./chunk-TDODX2FN.js";
import {
  HttpClient,
  Permissions,
  codeOf,
  ended,
  layer2 as layer,
  layerHttpClient,
  make,
  withTracerDisabledWhen
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  Path
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import {
  provide as provide2,
  succeed,
  value
} from "./chunk-PAQDWWDE.js";
import {
  None,
  either,
  fn,
  gen,
  next,
  provide2 as provide,
  provideServiceEffect,
  scoped2 as scoped,
  sync3 as sync,
  tapError
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import {
  getOrElse,
  isLeft,
  try_
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Client/Recording/Record.ts
var sessionLinks = /* @__PURE__ */ new Set(["cdpUrl", "liveViewUrl", "interactiveLiveViewUrl"]), kept = ["content-type", "location", "retry-after"], headersOf = ({ headers }) => {
  let found = kept.flatMap((name) => {
    let value2 = headers[name];
    return value2 === void 0 || name === "content-type" && /^application\/json\b/.test(value2) ? [] : [[name, value2]];
  });
  return found.length === 0 ? {} : { headers: Object.fromEntries(found) };
}, bodyOf = (bytes) => {
  let text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text === "" ? {} : getOrElse(
    try_(() => ({ json: JSON.parse(text) })),
    () => ({ text })
  ) : { base64: bytes.toString("base64") };
}, make2 = (below, { service, site }) => {
  let heard = [], moment = 0, begin = Date.now(), client = withTracerDisabledWhen(below, () => !0), broken = (entry) => (error) => sync(() => {
    entry.answer = { failure: codeOf(error.cause) || "ECONNRESET" }, entry.answeredAt = moment++;
  });
  return {
    client: make(
      (request, url) => gen(function* () {
        let entry = { request: yield* askedOf(request, url, service), at: moment++ };
        heard.push(entry);
        let response = yield* client.execute(request).pipe(tapError(broken(entry))), bytes = yield* either(response.arrayBuffer);
        if (isLeft(bytes)) yield* broken(entry)(bytes.left);
        else {
          let { status } = response;
          entry.answer = { status, ...headersOf(response), ...bodyOf(Buffer.from(bytes.right)) }, entry.answeredAt = moment++;
        }
        return response;
      })
    ),
    recording: (secrets, runId) => {
      let named2 = masking(secrets), literals = heard.flatMap(({ answer, request }) => [
        ...headerSecrets(request.json),
        ...headerSecrets(request.form),
        ...request.path.startsWith("/v2/browser") ? textsUnder(answer?.json, sessionLinks) : []
      ]).filter((value2) => named2(value2) === value2), mask = masking([...secrets, ...literals.map((value2) => ({ value: value2, mark: "{masked}" }))]), address = hide({ site, runId, service: isHere(service) ? service : void 0 }), instants = hideInstants(begin, Date.now()), exchanges = heard.flatMap(
        ({ answer, answeredAt = 0, at, request }) => answer === void 0 ? [] : [
          {
            at,
            answeredAt,
            request: hideHeaders(mapTexts(request, (text) => address(mask(text)))),
            answer: mapTexts(answer, (text) => instants(address(mask(text))))
          }
        ]
      );
      return {
        recording: 1,
        ...isHere(service) ? {} : { service: mask(service) },
        exchanges: ordered(condense(stableIds(exchanges)))
      };
    }
  };
}, compare = (a, b) => a.localeCompare(b, "en", { numeric: !0 }), ordered = (exchanges) => {
  let methods = ["POST", "GET", "DELETE"], pathOf = ({ request: { path } }) => path.split("?")[0] ?? "", queryOf = ({ request: { path } }) => path.split("?")[1] ?? "";
  return exchanges.map(({ answer, request }) => ({ request, answer })).sort(
    (a, b) => compare(pathOf(a), pathOf(b)) || methods.indexOf(a.request.method) - methods.indexOf(b.request.method) || compare(queryOf(a), queryOf(b)) || compare(canonical(a.request), canonical(b.request))
  );
}, merge = (older, newer) => {
  let keys = new Set(newer.exchanges.map(({ request }) => keyOf(request))), rest = (older?.exchanges ?? []).filter(({ request }) => !keys.has(keyOf(request)));
  return { ...newer, exchanges: ordered([...newer.exchanges, ...rest]) };
}, isWaiting = ({ answer, request }) => {
  let { json } = answer;
  if (request.method !== "GET" || answer.status !== 200 || typeof json != "object" || json === null) return !1;
  let { data, status } = json;
  return typeof status == "string" && !ended.has(status) && Array.isArray(data) && data.length === 0;
}, condense = (exchanges) => {
  let last = /* @__PURE__ */ new Map();
  for (let each of exchanges) last.set(keyOf(each.request), each);
  return exchanges.filter((each) => !isWaiting(each) || last.get(keyOf(each.request)) === each);
}, uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, named = /* @__PURE__ */ new Set(["id", "scrapeId", "jobId"]), numbered = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`, stableIds = (exchanges) => {
  let asked = /* @__PURE__ */ new Map();
  for (let { at, request } of exchanges)
    for (let [id] of JSON.stringify(request).matchAll(uuids)) asked.set(id, Math.min(at, asked.get(id) ?? at));
  let order = [...exchanges].sort(
    (a, b) => +(b.request.method === "POST") - +(a.request.method === "POST") || (canonical(a.request) < canonical(b.request) ? -1 : canonical(a.request) > canonical(b.request) ? 1 : 0)
  ), given = /* @__PURE__ */ new Map();
  for (let { answer, answeredAt } of order)
    for (let id of textsUnder(answer.json, named))
      !uuid.test(id) || given.has(id) || (asked.get(id) ?? answeredAt) < answeredAt || given.set(id, numbered(given.size + 1));
  if (given.size === 0) return exchanges;
  let replace = (text) => text.replace(uuids, (id) => given.get(id) ?? id);
  return exchanges.map(({ answer, request, ...times }) => ({
    ...times,
    request: mapTexts(request, replace),
    answer: mapTexts(answer, replace)
  }));
};

// src/Cli/Test/Record.ts
var leaks = (recording, secrets) => {
  let text = JSON.stringify(recording);
  return secrets.find(({ value: value2 }) => value2.length >= 6 && text.includes(value2));
}, record = fn("Test.record")(
  function* (test, settings, dataDir, env, allowCode) {
    let { frame } = test.checked, served = { ...test.checked, frame: test.site === void 0 ? frame : { ...frame, site: test.site } };
    yield* requireCapabilities(served, settings, env);
    let { service, site } = yield* startService(served, settings, dataDir), checked = site === void 0 ? test.checked : yield* test.checkAt(site), recorder = make2(yield* HttpClient, { service: service.baseUrl.replace(/\/+$/, ""), site }), used = /* @__PURE__ */ new Map(), scope = scopeOf(env), secrets = (name) => {
      let secret = scope.secrets(name);
      return secret !== void 0 && used.set(name, { value: value(secret), mark: markOf(name) }), secret;
    }, client = provide2(
      layer2,
      provide2(layerHttpClient(service), succeed(HttpClient, recorder.client))
    ), seed = yield* next, played = yield* play({ ...test, checked }, { client: () => client, site, secrets, seed, allowCode }), short = [...used].find(([, { value: value2 }]) => value2.length < 6)?.[0];
    if (short !== void 0) {
      let reason = `the secret ${short} has less than ${6} characters, and cannot be told from other text: record with a longer one`;
      return { played, recording: void 0, reason };
    }
    let known = [...used.values()];
    service.apiKey !== void 0 && known.push({ value: value(service.apiKey), mark: "{key}" });
    let recording = recorder.recording(known, played.runId), leak = leaks(recording, known);
    return leak === void 0 ? { played, recording, reason: void 0 } : {
      played,
      recording: void 0,
      reason: `it would hold ${leak.mark.slice(1, -1)} in a form that cannot be masked`
    };
  },
  scoped,
  provide(layer)
), expectedStatus = ({ expect }) => expect.status ?? (expect.error === void 0 ? "completed" : "failed"), recordAll = fn("Test.recordAll")(function* (suites, options, terminal) {
  let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), dataDir = paths.resolve(options.data ?? settings.dataDir), failures = /* @__PURE__ */ new Map(), notes = /* @__PURE__ */ new Map(), chosen = suites.flatMap((suite) => suite.chosen), fileOf = new Map(suites.flatMap(({ chosen: chosen2, source }) => chosen2.map((test) => [test, source.file]))), left = suites.flatMap(({ chosen: chosen2, tests }) => tests.filter((test) => !chosen2.includes(test))), fresh = /* @__PURE__ */ new Map();
  for (let test of chosen) {
    let file = test.recording;
    if (file === void 0) continue;
    terminal.err.status(`recording ${test.name} \u2026`);
    let path = ["given", "recording"], standing = yield* either(read(file));
    if (standing._tag === "Left") {
      let message = `${place(file)} is not a recording, and is not overwritten (${standing.left.reason}): name another file, or remove this one`;
      failures.set(test, { path, message });
      continue;
    }
    let { played, reason, recording } = yield* provideServiceEffect(
      record(test, settings, dataDir, terminal.env, options["allow-code"]),
      Permissions,
      permissionsOf(fileOf.get(test) ?? "")
    ), wanted = expectedStatus(test);
    if (recording === void 0)
      failures.set(test, { path, message: `nothing was recorded: ${reason}` });
    else if (played.status !== wanted) {
      let message = `nothing was recorded: the run should be ${wanted}, and it is ${played.status}${played.error === void 0 ? "" : `: ${played.error}`}`;
      failures.set(test, { path, message });
    } else {
      let isShared = left.some((each) => each.recording === file), older = fresh.get(file) ?? (isShared ? standing.right : void 0), merged = merge(older, recording);
      fresh.set(file, merged), yield* write(file, merged), notes.set(test, [`recorded ${count(recording.exchanges.length, "answer")} in ${place(file)}`]);
    }
  }
  return terminal.err.status(""), { failures, notes };
}, withMinimumLogLevel(None));
export {
  record,
  recordAll
};
