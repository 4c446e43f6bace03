import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  TestFrame,
  defaultNow
} from "./chunk-ZDDOVD4E.js";
import {
  layer
} from "./chunk-DES4FB63.js";
import {
  canonical,
  differences,
  make as make5
} from "./chunk-GLBPH2CN.js";
import {
  over
} from "./chunk-6B7FEELY.js";
import {
  check
} from "./chunk-3BWTLUFE.js";
import {
  wrongInputs
} from "./chunk-OWXHLDRW.js";
import {
  DefinitionInvalid,
  HttpClient,
  Permissions,
  RequestError,
  forDefinition,
  formatMistake,
  fromWeb,
  layerHttpClient,
  make as make4,
  mistakesOf,
  open2 as open,
  parseText,
  read2 as read,
  rowsOf,
  whyNotRead,
  whyNotWritten
} from "./chunk-PGOM52WJ.js";
import {
  didYouMean,
  nearest
} from "./chunk-OH7QELJ7.js";
import {
  migrations
} from "./chunk-P7YG24CI.js";
import {
  memory
} from "./chunk-3IJJA3UF.js";
import {
  FileSystem,
  Path,
  SystemError,
  make5 as make3,
  runCollect
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Array$,
  ArrayFormatter,
  Int,
  Literal,
  Record,
  String$,
  Struct,
  TaggedError,
  Unknown,
  between,
  decodeUnknownEither,
  effect,
  filter as filter2,
  fresh,
  make as make2,
  merge as merge2,
  optional,
  orDie as orDie2,
  provide as provide2,
  succeed as succeed2
} from "./chunk-PAQDWWDE.js";
import {
  ClockTypeId,
  _void,
  async,
  catchAll3 as catchAll,
  either,
  fail5 as fail,
  filter3 as filter,
  flatMap5 as flatMap,
  fn,
  fnUntraced2 as fnUntraced,
  forEach2 as forEach,
  gen,
  make10 as make,
  map9 as map,
  mapError2 as mapError,
  orDie2 as orDie,
  orElseSucceed,
  promise,
  provide2 as provide,
  provideService,
  provideServiceEffect,
  scoped2 as scoped,
  succeed4 as succeed,
  sync3 as sync,
  timeoutOption,
  toMillis,
  toReadonlyArray,
  withClock,
  withRandom,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import {
  getOrElse,
  isLeft,
  isRight,
  merge,
  try_
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  getOrUndefined
} from "./chunk-ANBJACJV.js";

// src/Client/Recording.ts
var Part = Struct({
  name: String$,
  file: optional(Struct({ name: String$, bytes: Int, sha256: String$ })),
  json: optional(Unknown),
  text: optional(String$)
}), Asked = Struct({
  method: String$,
  /** Below the address of the service, with its query. */
  path: String$,
  json: optional(Unknown),
  text: optional(String$),
  form: optional(Array$(Part))
}), Answered = Struct({
  status: optional(Int.pipe(between(200, 599))),
  headers: optional(Record({ key: String$, value: String$ })),
  json: optional(Unknown),
  text: optional(String$),
  base64: optional(String$),
  /** Node's code for a connection that broke. */
  failure: optional(String$)
}).pipe(
  filter2(
    ({ failure, status }) => failure === void 0 == (status === void 0) ? "an answer has a status or a failure" : !0
  )
), Exchanged = Struct({ request: Asked, answer: Answered }), Recording = Struct({
  recording: Literal(1),
  /** The address of the service that answered, unless it was one on this machine. */
  service: optional(String$),
  exchanges: Array$(Exchanged)
}), RecordingUnusable = class extends TaggedError("RecordingUnusable") {
  get message() {
    return `the recording ${this.file} cannot be used: ${this.reason}`;
  }
}, keyOf = ({ method, path, ...body }) => `${method} ${path} ${canonical(body)}`, nameOf = ({ method, path }) => `${method} ${path}`, decode = decodeUnknownEither(Recording, { errors: "first", onExcessProperty: "error" }), read2 = fn("Recording.read")(function* (file) {
  let files2 = yield* FileSystem, unusable = (reason, cause) => new RecordingUnusable({ file, reason, cause }), text = yield* files2.readFileString(file).pipe(
    catchAll(
      (error) => error._tag === "SystemError" && error.reason === "NotFound" ? succeed(void 0) : fail(error)
    ),
    mapError((cause) => unusable(fileErrorReason(cause), cause))
  );
  if (text === void 0) return;
  let json = try_({ try: () => JSON.parse(text), catch: (cause) => unusable("it is not JSON", cause) }), decoded = decode(yield* json);
  if (isRight(decoded)) return decoded.right;
  let [issue] = ArrayFormatter.formatErrorSync(decoded.left), place = issue === void 0 || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  return yield* unusable(`${place}${issue?.message ?? "it is of another form"}`);
}), write = fn("Recording.write")(function* (file, recording) {
  let files2 = yield* FileSystem, paths = yield* Path;
  yield* files2.makeDirectory(paths.dirname(file), { recursive: !0 }).pipe(
    zipRight(files2.writeFileString(file, `${JSON.stringify(recording, null, 2)}
`)),
    mapError(
      (cause) => new RecordingUnusable({ file, reason: `it cannot be written: ${fileErrorReason(cause)}`, cause })
    )
  );
});

// src/Client/Recording/Mask.ts
var entities = {
  "&": "&(?:amp|#38);",
  "<": "&(?:lt|#60);",
  ">": "&(?:gt|#62);",
  '"': "&(?:quot|#34);",
  "'": "&(?:apos|#39|#x27);"
}, spellings = (character) => {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  let literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), percent = [...Buffer.from(character)].map(
    (byte) => `%${[...byte.toString(16).padStart(2, "0")].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("")}`
  ).join(""), unicode = [...Array(character.length).keys()].map((index) => `\\\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
  return `(?:${[percent, unicode, entities[character]].filter((each) => each !== void 0).join("|")}|\\\\?${literal})`;
}, base64Of = (value) => [0, 1, 2].flatMap((before) => {
  let bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]), inner = bytes.toString("base64").slice(Math.ceil(before * 8 / 6), Math.floor(bytes.length * 8 / 6));
  return inner.length < 8 ? [] : [inner.replace(/[+/]/g, "\\$&"), inner.replaceAll("+", "-").replaceAll("/", "_")];
}), masking = (secrets) => {
  let patterns = [...secrets].filter(({ value }) => value.length >= 6).sort((a, b) => b.value.length - a.value.length).map(({ mark: mark2, value }) => ({
    mark: mark2,
    pattern: new RegExp([[...value].map(spellings).join(""), ...base64Of(value)].join("|"), "g")
  }));
  return (text) => patterns.reduce((now, { mark: mark2, pattern }) => now.replace(pattern, () => mark2), text);
}, sensitive = /^(proxy-)?authorization$|^(set-)?cookie$|(^|[-_])(api[-_]?key|token|secret|password)$/i, headerSecrets = (value) => typeof value != "object" || value === null ? [] : Array.isArray(value) ? value.flatMap(headerSecrets) : Object.entries(value).flatMap(
  ([key, item]) => key === "headers" && typeof item == "object" && item !== null && !Array.isArray(item) ? Object.entries(item).flatMap(([name, each]) => sensitive.test(name) && typeof each == "string" ? [each] : []) : headerSecrets(item)
), hideHeaders = (value) => typeof value != "object" || value === null ? value : Array.isArray(value) ? value.map(hideHeaders) : Object.fromEntries(
  Object.entries(value).map(([key, item]) => [
    key,
    key === "headers" && typeof item == "object" && item !== null && !Array.isArray(item) ? Object.fromEntries(
      Object.entries(item).map(([name, each]) => [
        name,
        sensitive.test(name) && !(typeof each == "string" && each.includes("{secrets.")) ? "{masked}" : each
      ])
    ) : hideHeaders(item)
  ])
);

// src/Pipeline/Test.ts
import * as NodePath from "node:path";

// src/Client/Recording/Placeholders.ts
var mark = "(?:site|service)(?:\\.host|\\.encoded)?|runId|now(?:\\+\\d+h)?", lookalike = new RegExp(`\\{(?==*(?:${mark})\\})`, "g"), marks = new RegExp(`\\{(=*)(${mark})\\}`, "g"), quote = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), spellings2 = (name, address) => address === void 0 || !canParse(address) ? [] : [
  { mark: `{${name}.encoded}`, text: encodeURIComponent(address) },
  { mark: `{${name}}`, text: address },
  { mark: `{${name}.host}`, text: new URL(address).host }
], all = ({ runId, service, site }) => [
  ...spellings2("site", site),
  ...spellings2("service", service),
  ...runId === void 0 ? [] : [{ mark: "{runId}", text: runId }]
], isHere = (address) => canParse(address) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname), hide = (places) => {
  let known = all(places);
  if (known.length === 0) return (text) => text.replace(lookalike, "{=");
  let pattern = new RegExp(known.map(({ text }) => `${quote(text)}(?!\\d)`).join("|"), "g");
  return (text) => text.replace(lookalike, "{=").replace(pattern, (found) => known.find((each) => each.text === found)?.mark ?? found);
}, reveal = (places, now) => {
  let known = new Map(all(places).map(({ mark: mark2, text }) => [mark2, text])), instant = (name) => new Date(now.getTime() + 36e5 * Number(/\+(\d+)h$/.exec(name)?.[1] ?? 0)).toISOString();
  return (text) => text.replace(marks, (found, escaped, name) => escaped !== "" ? `{${escaped.slice(1)}${name}}` : name.startsWith("now") ? instant(name) : known.get(found) ?? found);
}, hideInstants = (begin, end) => {
  let pattern = /(?<![\d.])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g;
  return (text) => text.replace(pattern, (found) => {
    let at = Date.parse(found);
    return at >= begin - 1e3 && at <= end + 48 * 36e5 ? at <= end + 1e3 ? "{now}" : `{now+${Math.round((at - end) / 36e5)}h}` : found;
  });
};

// src/Client/Recording/Request.ts
import { createHash } from "node:crypto";
var asJson = (text) => getOrElse(
  try_(() => ({ json: JSON.parse(text) })),
  () => ({ text })
), ofText = (text) => text === "" ? {} : asJson(text), partOf = (name, value) => typeof value == "string" ? succeed({ name, ...asJson(value) }) : map(
  promise(() => value.arrayBuffer()),
  (content) => ({
    name,
    file: {
      // Unnamed parts are called `blob`; the name is not part of their identity.
      name: "name" in value && typeof value.name == "string" ? value.name : "",
      bytes: content.byteLength,
      sha256: createHash("sha256").update(Buffer.from(content)).digest("hex")
    }
  })
), bodyOf = ({ body }) => {
  switch (body._tag) {
    case "Empty":
      return succeed({});
    case "Uint8Array":
      return succeed(ofText(Buffer.from(body.body).toString()));
    case "Raw":
      return succeed(ofText(String(body.body)));
    case "Stream":
      return runCollect(body.stream).pipe(
        map((chunks) => ofText(Buffer.concat(toReadonlyArray(chunks)).toString())),
        orDie
      );
    case "FormData":
      return map(
        forEach(
          [...body.formData.entries()],
          ([name, value]) => partOf(name, value)
        ),
        (parts) => ({ form: parts.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0) })
      );
  }
}, pathOf = (url, service) => {
  let prefix = new URL(service).pathname.replace(/\/+$/, ""), path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname, query = new URLSearchParams(url.searchParams);
  return query.sort(), query.size === 0 ? path : `${path}?${decodeQuery(query)}`;
}, decodeQuery = (query) => [...query].map(([name, value]) => `${name}=${/^[\w\s.:/-]*$/.test(value) ? value : encodeURIComponent(value)}`).join("&"), askedOf = (request, url, service) => map(bodyOf(request), (body) => ({ method: request.method, path: pathOf(url, service), ...body })), mapTexts = (value, change) => typeof value == "string" ? change(value) : Array.isArray(value) ? value.map((item) => mapTexts(item, change)) : typeof value != "object" || value === null ? value : Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)])), textsUnder = (value, keys) => typeof value != "object" || value === null ? [] : Array.isArray(value) ? value.flatMap((item) => textsUnder(item, keys)) : Object.entries(value).flatMap(
  ([key, item]) => typeof item == "string" ? keys.has(key) ? [item] : [] : textsUnder(item, keys)
);

// src/Client/Recording/Replay.ts
var nowhere = { site: "http://site.test", service: "http://service.test" }, NotRecorded = class extends TaggedError("NotRecorded") {
  get message() {
    let { near, request, times } = this, again = times === 0 ? "" : `, which was recorded ${times === 1 ? "once" : `${times} times`} only`;
    return `no answer is recorded for ${nameOf(request)}${again}${near === void 0 ? "" : `; ${near}`}`;
  }
}, short = (value) => {
  let text = value === void 0 ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}\u2026` : text;
}, nearTo = (request, recorded2) => {
  let [closest] = recorded2.filter((each) => nameOf(each) === nameOf(request)).map((each) => differences(each, request)).sort((a, b) => a.length - b.length), first = closest?.[0];
  if (closest !== void 0 && first !== void 0) {
    let more = closest.length > 1 ? `, and ${closest.length - 1} more` : "";
    return `recorded is one with ${first.path.replace(/^json\.?/, "") || "another body"}: ${short(first.expected)} instead of ${short(first.actual)}${more}`;
  }
  let names = [...new Set(recorded2.map(nameOf))], near = nearest(nameOf(request), names);
  if (near !== void 0) return `the nearest is ${near}`;
  if (names.length !== 0)
    return `recorded are ${names.slice(0, 3).join(", ")}${names.length > 3 ? `, and ${names.length - 3} more` : ""}`;
}, broken = (code) => Object.assign(new Error(code), { code }), bodyOf2 = ({ base64, json, text }) => base64 !== void 0 ? Buffer.from(base64, "base64") : text !== void 0 ? text : json === void 0 ? null : JSON.stringify(json), make6 = (recording, now) => {
  let service = recording?.service ?? nowhere.service, places = { site: nowhere.site, service: recording?.service === void 0 ? service : void 0 }, exchanges = recording?.exchanges ?? [], asked = exchanges.map((each) => each.request), answers = /* @__PURE__ */ new Map();
  for (let { answer, request } of exchanges) {
    let key = keyOf(request);
    answers.set(key, [...answers.get(key) ?? [], answer]);
  }
  let given = /* @__PURE__ */ new Map(), missing = [];
  return {
    client: (runId) => {
      let conceal = hide({ ...places, runId }), show = reveal({ ...places, runId }, now);
      return make4(
        (raw, url) => gen(function* () {
          let request = hideHeaders(mapTexts(yield* askedOf(raw, url, service), conceal)), key = keyOf(request), times = given.get(key) ?? 0, answer = answers.get(key)?.[times];
          if (given.set(key, times + 1), answer === void 0) {
            let error = new NotRecorded({ request, times, near: times > 0 ? void 0 : nearTo(request, asked) });
            return missing.push(error), yield* new RequestError({ request: raw, reason: "Encode", cause: error });
          }
          if (answer.failure !== void 0)
            return yield* new RequestError({
              request: raw,
              reason: "Transport",
              cause: broken(answer.failure)
            });
          let { headers, json, status = 200, text } = mapTexts(answer, show), body = bodyOf2({ ...answer, json, text }), init = { status, headers: { "content-type": "application/json", ...headers } };
          return fromWeb(raw, new Response(status === 204 || status === 304 ? null : body, init));
        })
      );
    },
    service,
    missing: () => missing,
    unused: () => asked.filter((request) => !given.has(keyOf(request)))
  };
};

// src/Pipeline/Test.ts
var readRows = (format, folder) => gen(function* () {
  let mistake = formatMistake(format);
  if (mistake !== void 0) return yield* fail(mistake.message);
  let fail2 = (error) => error.message, input = yield* mapError(open(format.file, folder), fail2), batches = toReadonlyArray(yield* mapError(runCollect(rowsOf(input, format)), fail2)), malformed = batches.flatMap(({ failures }) => failures)[0];
  return malformed !== void 0 ? yield* fail(malformed[1].message) : batches.flatMap(({ rows }) => rows.map(({ data }) => data));
}), loadRows = (rows, folder) => typeof rows == "string" ? readRows({ file: rows }, folder) : succeed(rows), mistakesAgainst = ({ frame, nodes }, test, index) => {
  let mistakes = [], at = (...path) => ["tests", index, ...path], giving = nodes.filter(({ step }) => step.behaviour.kind !== "value").map(({ id }) => id), needStep = (id, path) => {
    giving.includes(id) || mistakes.push({
      path,
      atKey: !0,
      message: nodes.some((node) => node.id === id) ? `"${id}" gives a value and no rows` : `there is no step "${id}"${didYouMean(id, giving) || `: there are ${giving.join(", ")}`}`
    });
  }, judgeRows = (expected, path) => {
    let { count, equals, order } = expected;
    order !== void 0 && equals === void 0 && mistakes.push({ path: [...path, "order"], atKey: !0, message: "means nothing without `equals`" }), typeof count == "object" && (count.min ?? 0) > (count.max ?? Number.POSITIVE_INFINITY) && mistakes.push({ path: [...path, "count"], message: "min is more than max" });
    for (let key of ["every", "some", "none", "list"])
      for (let expression of expected[key] ?? [])
        for (let message of wrongInputs(expression, frame.inputs ?? {}))
          mistakes.push({ path: [...path, key], message });
    Object.keys(expected).length === 0 && mistakes.push({ path, message: "expects nothing: write count, equals, \u2026" });
  };
  for (let id of Object.keys(test.given?.rows ?? {})) needStep(id, at("given", "rows", id));
  for (let [id, expected] of Object.entries(test.expect.rows ?? {}))
    needStep(id, at("expect", "rows", id)), judgeRows(expected, at("expect", "rows", id));
  for (let [path, expected] of Object.entries(test.expect.outputs ?? {}))
    judgeRows(expected, at("expect", "outputs", path));
  let { error, rejects: rejects2, status } = test.expect;
  return rejects2 !== void 0 && judgeRows(rejects2, at("expect", "rejects")), error !== void 0 && status !== void 0 && status !== "failed" && mistakes.push({ path: at("expect", "error"), atKey: !0, message: `a run that is ${status} has no error` }), mistakes;
}, isTestFile = (name) => /\.test\.(ya?ml|json)$/.test(name), markOf = (name) => `{secrets.${name}}`, markedSecrets = (name) => make2(markOf(name)), definitionEndings = ["yaml", "yml", "json", "ts", "mts", "js", "mjs"], findDefinition = fnUntraced(function* (file, folder, named) {
  let files2 = yield* FileSystem, paths = yield* Path;
  if (named !== void 0)
    return paths.isAbsolute(file) ? paths.resolve(folder, named) : paths.join(paths.dirname(file), named);
  let stem = file.replace(/\.test\.\w+$/, "");
  for (let ending of definitionEndings) {
    let candidate = `${stem}.${ending}`;
    if (yield* orElseSucceed(files2.exists(candidate), () => !1)) return candidate;
  }
}), filesOf = fn("Test.filesOf")(function* (definition) {
  let files2 = yield* FileSystem, stem = definition.replace(/\.\w+$/, "");
  return yield* filter(
    ["yaml", "yml", "json"].map((ending) => `${stem}.test.${ending}`),
    (name) => orElseSucceed(files2.exists(name), () => !1)
  );
}), placeInputs = (definition, inputs, { resolve: resolve2, site }) => {
  let frame = definition.value;
  return Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, value]) => typeof value != "string" ? [name, value] : [name, frame?.inputs?.[name]?.type === "path" ? resolve2(value) : value.replaceAll("{site}", site)])
  );
}, asOwn = (mistake, index) => {
  let { given, message, path } = mistake, name = /^--input ([\w-]+): /.exec(message);
  if (given && name?.[1] !== void 0)
    return { path: ["tests", index, "inputs", name[1]], message: message.slice(name[0].length) };
  if (path[0] === "inputs" && message.startsWith("has no default"))
    return {
      path: ["tests", index, "inputs"],
      message: `the input "${String(path[1])}" is missing, and has no default`
    };
  let variable = /^environment variable (\w+) is not set/.exec(message)?.[1];
  if (variable !== void 0)
    return {
      path: ["tests", index, "env"],
      message: `${variable} is missing: a test sees only the variables of its env`
    };
}, refusedIn = ({ expect, given, site }, folder, permissions) => {
  let judge = (path, file, mayWrite) => {
    if (typeof file != "string") return [];
    let place = NodePath.resolve(folder, file), why = whyNotRead(permissions, place) ?? (mayWrite ? whyNotWritten(permissions, place, folder) : void 0);
    return why === void 0 ? [] : [{ path, message: why }];
  }, expected = ["rows", "outputs"].flatMap(
    (kind) => Object.entries(expect[kind] ?? {}).flatMap(
      ([name, { equals }]) => judge(["expect", kind, name, "equals"], equals, !0)
    )
  );
  return [
    ...Object.entries(given?.rows ?? {}).flatMap(([id, rows]) => judge(["given", "rows", id], rows, !1)),
    ...judge(["given", "recording"], given?.recording, !0),
    ...judge(["site"], site, !1),
    ...expected,
    ...judge(["expect", "rejects", "equals"], expect.rejects?.equals, !0)
  ];
}, permissionsOf = (file) => map(Permissions, (permissions) => forDefinition(permissions, NodePath.resolve(file))), read3 = (file) => provideServiceEffect(readWithin(file), Permissions, permissionsOf(file)), readWithin = fn("Test.read")(function* (file) {
  let files2 = yield* FileSystem, paths = yield* Path, refuse = (message) => new DefinitionInvalid({ file, mistakes: [{ path: [], message }] }), text = yield* files2.readFileString(file).pipe(
    mapError(
      (error) => refuse(
        error._tag === "SystemError" && error.reason === "NotFound" ? "there is no such file" : `cannot be read: ${fileErrorReason(error)}`
      )
    )
  ), folder = paths.dirname(paths.resolve(file)), source = yield* parseText(file, folder, text), invalid = (mistakes2) => new DefinitionInvalid({
    file,
    mistakes: mistakes2.map((each) => ({ ...each, ...source.locate(each.path, each.atKey ? "key" : "value") })).sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  }), frame = decodeUnknownEither(TestFrame)(source.value);
  if (isLeft(frame)) return yield* invalid(mistakesOf(frame.left.issue));
  let path = yield* findDefinition(file, folder, frame.right.pipeline);
  if (path === void 0) {
    let stem = paths.basename(file).replace(/\.test\.\w+$/, "");
    return yield* refuse(`there is no ${stem}.yaml beside it: name the definition with \`pipeline: FILE\``);
  }
  let permissions = yield* Permissions, named = frame.right.pipeline === void 0 ? void 0 : whyNotRead(permissions, paths.resolve(path));
  if (named !== void 0) return yield* invalid([{ path: ["pipeline"], message: named }]);
  let definition = yield* read(path), mistakes = [], tests = [];
  for (let [index, test] of frame.right.tests.entries()) {
    frame.right.tests.findIndex(({ name }) => name === test.name) < index && mistakes.push({ path: ["tests", index, "name"], message: `there is a test "${test.name}" already` });
    let refused = refusedIn(test, folder, permissions);
    if (mistakes.push(...refused.map(({ message, path: path2 }) => ({ path: ["tests", index, ...path2], message }))), refused.length > 0) continue;
    let env = test.env ?? {}, checkAt = (site) => {
      let options = { inputs: placeInputs(definition, test.inputs, { resolve: (each) => paths.resolve(folder, each), site }), env, secrets: markedSecrets, complete: !0 };
      return provideService(check(definition, options), Permissions, permissions);
    }, checked = yield* either(checkAt(nowhere.site));
    if (isLeft(checked)) {
      let own = checked.left.mistakes.map((each) => asOwn(each, index));
      if (own.some((each) => each === void 0)) return yield* checked.left;
      mistakes.push(...own.filter((each) => each !== void 0));
      continue;
    }
    mistakes.push(...mistakesAgainst(checked.right, test, index));
    let instead = /* @__PURE__ */ new Map();
    for (let [id, rows] of Object.entries(test.given?.rows ?? {})) {
      let loaded = yield* either(loadRows(rows, folder));
      isRight(loaded) ? instead.set(id, loaded.right) : mistakes.push({ path: ["tests", index, "given", "rows", id], message: loaded.left });
    }
    tests.push({
      name: test.name,
      index,
      checked: checked.right,
      checkAt,
      site: test.site === void 0 ? void 0 : paths.resolve(folder, test.site),
      env,
      limit: test.limit,
      now: new Date(test.now ?? defaultNow),
      recording: test.given?.recording === void 0 ? void 0 : paths.resolve(folder, test.given.recording),
      instead,
      expect: test.expect
    });
  }
  if (mistakes.length > 0) return yield* invalid(mistakes);
  let pipeline = tests[0]?.checked.frame.name ?? "";
  return { source, pipeline, tests };
});

// src/Run/Test/TestClock.ts
var files = /^(FSReq|FileHandle|CloseReq|DirHandle)/, isBusy = () => process.getActiveResourcesInfo().some((name) => files.test(name)), turns = 2, make7 = (begin) => {
  let now = begin.getTime(), sleepers = [], watching = !1, watch = (quiet) => {
    setTimeout(
      safely(() => {
        if (sleepers.length === 0)
          watching = !1;
        else if (isBusy())
          watch(0);
        else if (quiet + 1 < turns)
          watch(quiet + 1);
        else {
          let next = sleepers.reduce((first, each) => each.at < first.at ? each : first);
          sleepers = sleepers.filter((each) => each !== next), now = Math.max(now, next.at), next.wake(), watch(0);
        }
      }),
      1
    );
  };
  return {
    [ClockTypeId]: ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1000000n,
    currentTimeMillis: sync(() => now),
    currentTimeNanos: sync(() => BigInt(now) * 1000000n),
    sleep: (duration) => async((resume) => {
      let millis = toMillis(duration);
      if (!Number.isFinite(millis)) return;
      let sleeper = { at: now + Math.ceil(millis), wake: () => resume(_void) };
      return sleepers.push(sleeper), watching || (watching = !0, watch(0)), sync(() => {
        sleepers = sleepers.filter((each) => each !== sleeper);
      });
    })
  };
};

// src/Run/Test/WrittenOutputs.ts
var delimiterOf = ({ nodes }) => {
  let delimiters = nodes.flatMap(({ config, step: { behaviour } }) => {
    let delimiter = behaviour.kind === "sink" ? behaviour.destination(config)?.delimiter : void 0;
    return delimiter === void 0 ? [] : [delimiter];
  }), [first] = delimiters;
  return first !== void 0 && first !== "," && delimiters.every((each) => each === first) ? { delimiter: first } : {};
}, unconfined = provideServiceEffect(
  Permissions,
  map(Permissions, (permissions) => ({ ...permissions, project: void 0, isOwn: !0, dataFolders: [] }))
), read4 = (outputs, out, checked) => gen(function* () {
  let files2 = yield* FileSystem, paths = yield* Path, table = delimiterOf(checked), written = outputs.filter(({ path }) => path !== "-");
  return yield* forEach(
    written,
    ({ path }) => gen(function* () {
      let isTable = /\.csv(\.gz)?$/i.test(path), rows = yield* either(readRows({ file: path, ...isTable ? table : {} }, out)), near = paths.relative(out, path).split(paths.sep).join("/"), content = yield* orElseSucceed(files2.readFile(path), () => new Uint8Array());
      return { path: near, content: Buffer.from(content), rows: merge(rows) };
    })
  );
}).pipe(unconfined), rejects = (file) => file === void 0 ? succeed([]) : map(either(readRows({ file }, "")), (rows) => isRight(rows) ? rows.right : []).pipe(
  unconfined
);

// src/Run/Test/PipelineTest.ts
var database = orDie2(memory({ parts: { ledger: migrations }, pragmas: [] })), ledger = provide2(
  over(":memory:"),
  fresh(database)
), isData = (value) => typeof value == "object" && value !== null && !Array.isArray(value), toRow = (written, position) => {
  let { $key, $source, ...data } = written;
  return {
    data,
    position,
    ...typeof $key == "string" ? { key: $key } : {},
    ...isData($source) ? { source: $source } : {}
  };
}, insteadOf = ({ checked, expect, instead }) => {
  let given = new Map([...instead].map(([id, rows]) => [id, rows.map(toRow)])), flowing = checked.nodes.filter(({ step }) => step.behaviour.kind !== "value");
  for (let { id, step } of flowing.toReversed()) {
    let readers = flowing.filter(({ inputs }) => inputs.includes(id));
    !(expect.rows?.[id] !== void 0 || step.behaviour.kind === "sink" || readers.length === 0) && !given.has(id) && readers.every((reader) => given.has(reader.id)) && given.set(id, []);
  }
  return given;
}, layer2 = (folder) => effect(
  FileSystem,
  gen(function* () {
    let files2 = yield* FileSystem, paths = yield* Path, isInside = (path) => {
      let near = paths.relative(folder, paths.resolve(path));
      return near !== ".." && !near.startsWith(`..${paths.sep}`) && !paths.isAbsolute(near);
    }, guard = (method, changed, call) => {
      let stray = changed.find((path) => !isInside(path));
      return stray === void 0 ? call : fail(
        new SystemError({
          reason: "PermissionDenied",
          module: "FileSystem",
          method,
          pathOrDescriptor: stray,
          description: `a test writes only below its own folder: give a relative path instead of ${stray}`
        })
      );
    };
    return make3({
      ...files2,
      chmod: (path, mode) => guard("chmod", [path], files2.chmod(path, mode)),
      chown: (path, uid, gid) => guard("chown", [path], files2.chown(path, uid, gid)),
      copy: (from, to, options) => guard("copy", [to], files2.copy(from, to, options)),
      copyFile: (from, to) => guard("copyFile", [to], files2.copyFile(from, to)),
      link: (from, to) => guard("link", [from, to], files2.link(from, to)),
      makeDirectory: (path, options) => (
        // Creating an existing folder changes nothing.
        flatMap(
          orElseSucceed(files2.exists(path), () => !1),
          (there) => there ? _void : guard("makeDirectory", [path], files2.makeDirectory(path, options))
        )
      ),
      open: (path, options) => options?.flag === void 0 || options.flag === "r" ? files2.open(path, options) : zipRight(guard("open", [path], _void), files2.open(path, options)),
      remove: (path, options) => guard("remove", [path], files2.remove(path, options)),
      rename: (from, to) => guard("rename", [from, to], files2.rename(from, to)),
      symlink: (from, to) => guard("symlink", [to], files2.symlink(from, to)),
      truncate: (path, length) => guard("truncate", [path], files2.truncate(path, length)),
      utimes: (path, atime, mtime) => guard("utimes", [path], files2.utimes(path, atime, mtime)),
      writeFile: (path, data, options) => guard("writeFile", [path], files2.writeFile(path, data, options))
    });
  })
), play = fn("PipelineTest.play")(function* (test, stage) {
  let files2 = yield* FileSystem, paths = yield* Path, folder = yield* orDie(files2.makeTempDirectoryScoped({ prefix: "sluice-test-" })), out = paths.join(folder, "out");
  yield* orDie(files2.makeDirectory(out));
  let rows = /* @__PURE__ */ new Map(), { checked, env, limit, now } = test, run = yield* make5(checked, {
    out,
    dataDir: paths.join(folder, "data"),
    env,
    secrets: stage.secrets,
    wanted: limit,
    // The folder protects the outputs of real runs, as a trial would.
    trial: !1,
    stdout: () => _void,
    site: stage.site,
    now,
    instead: insteadOf(test),
    allowCode: stage.allowCode,
    observe: (step, more) => sync(() => {
      let known = rows.get(step);
      if (known === void 0) rows.set(step, [...more]);
      else for (let row of more) known.push(row);
    })
  }).pipe(withRandom(make(stage.seed))), ended = yield* either(run.execute).pipe(
    provide(merge2(stage.client(run.id), ledger)),
    provide(layer2(folder))
  ), summary = isRight(ended) ? ended.right : ended.left.summary;
  return {
    runId: run.id,
    site: stage.site,
    status: summary.status,
    error: isLeft(ended) ? ended.left.message : void 0,
    credits: summary.credits,
    inputs: checked.inputs,
    rows,
    outputs: yield* read4(summary.outputs, out, checked),
    rejects: yield* rejects(summary.rejectFile)
  };
}, scoped), recorded = (replayer, allowCode) => ({
  allowCode,
  client: (runId) => provide2(
    layer,
    provide2(
      layerHttpClient({ baseUrl: replayer.service }),
      succeed2(HttpClient, replayer.client(runId))
    )
  ),
  site: nowhere.site,
  secrets: markedSecrets,
  seed: "the same for every test"
}), patience = "60 seconds", replay = fn("PipelineTest.replay")(function* (test, recording, allowCode) {
  let replayer = make6(recording, test.now);
  return { played: yield* play(test, recorded(replayer, allowCode)).pipe(
    withClock(make7(test.now)),
    timeoutOption(patience),
    map(getOrUndefined)
  ), missing: replayer.missing(), unused: replayer.unused() };
});

export {
  keyOf,
  read2 as read,
  write,
  masking,
  headerSecrets,
  hideHeaders,
  isHere,
  hide,
  hideInstants,
  askedOf,
  mapTexts,
  textsUnder,
  loadRows,
  isTestFile,
  markOf,
  filesOf,
  permissionsOf,
  read3 as read2,
  play,
  replay
};
