import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  idsOf,
  scrub,
  textOf
} from "./chunk-PGOM52WJ.js";
import {
  die2 as die,
  fail3 as fail,
  failCause,
  isDie,
  isInterruptedOnly,
  isSuccess,
  make6 as make,
  squash,
  void_2 as void_
} from "./chunk-JGKSI326.js";
import {
  filter,
  getOrUndefined,
  isSome
} from "./chunk-ANBJACJV.js";

// src/Telemetry/Spans.ts
var mostAttributes = 32, mostEvents = 16, mostLinks = 8, longest = 256, longestMessage = 500, withheld = /^(?:http\.(?:request|response)\.header\.|url\.(?:full|query)$|user_agent\.|db\.(?:query\.text|statement|operation\.parameter)|code\.stacktrace$|effect\.cause$)/, cut = (text, length) => text.length > length ? `${text.slice(0, length - 1)}\u2026` : text, valueOf = (value) => typeof value == "number" || typeof value == "boolean" || typeof value == "bigint" ? value : cut(textOf(value), longest), withoutExcerpt = (message, error) => "excerpt" in error && typeof error.excerpt == "string" && error.excerpt !== "" ? message.replaceAll(JSON.stringify(error.excerpt), "\u2026").replaceAll(error.excerpt, "\u2026") : message, field = (error, name) => {
  if (typeof error != "object" || error === null) return;
  let value = Reflect.get(error, name);
  return typeof value == "string" ? value : void 0;
}, said = (error) => {
  let text = typeof error == "string" ? error : field(error, "message") ?? "", bare = typeof error == "object" && error !== null ? withoutExcerpt(text, error) : text, told = new Error(cut(scrub(bare), longestMessage)), tag = field(error, "_tag") ?? (error instanceof Error ? error.name : "Error");
  return told.name = (tag === "StepError" ? field(error, "reason") : void 0) ?? tag, told.stack = `${told.name}: ${told.message}`, told;
}, isFault = (cause) => isDie(cause), cleaned = (cause) => {
  if (isInterruptedOnly(cause)) return cause;
  let error = said(squash(cause));
  return isFault(cause) ? die(error) : fail(error);
}, Guarded = class {
  _tag = "Span";
  #inner;
  #attributes = 0;
  #events = 0;
  constructor(inner) {
    this.#inner = inner;
  }
  get name() {
    return this.#inner.name;
  }
  get spanId() {
    return this.#inner.spanId;
  }
  get traceId() {
    return this.#inner.traceId;
  }
  get parent() {
    return this.#inner.parent;
  }
  get context() {
    return this.#inner.context;
  }
  get status() {
    return this.#inner.status;
  }
  get attributes() {
    return this.#inner.attributes;
  }
  get links() {
    return this.#inner.links;
  }
  get sampled() {
    return !0;
  }
  get kind() {
    return this.#inner.kind;
  }
  end(endTime, exit) {
    this.#inner.end(endTime, isSuccess(exit) ? void_ : failCause(cleaned(exit.cause)));
  }
  attribute(key, value) {
    value === void 0 || withheld.test(key) || this.#attributes >= mostAttributes || (this.#attributes++, this.#inner.attribute(key, valueOf(value)));
  }
  event(name, startTime, attributes) {
    if (this.#events++ >= mostEvents) return;
    let told = Object.entries(attributes ?? {}).flatMap(
      ([key, value]) => withheld.test(key) ? [] : [[key, valueOf(value)]]
    );
    this.#inner.event(cut(scrub(name), longest), startTime, Object.fromEntries(told.slice(0, mostAttributes)));
  }
  addLinks(links) {
    this.#inner.addLinks(links.slice(0, Math.max(0, mostLinks - this.#inner.links.length)));
  }
}, digits = "0123456789abcdef", idOf = (length) => {
  let id = "";
  for (let at = 0; at < length; at++) id += digits[Math.floor(Math.random() * 16)];
  return id;
}, Unsampled = class {
  _tag = "Span";
  spanId;
  traceId;
  sampled;
  attributes = /* @__PURE__ */ new Map();
  links = [];
  name;
  parent;
  context;
  kind;
  status;
  constructor(name, parent, context, startTime, kind, above) {
    this.spanId = above?.spanId ?? idOf(16), this.sampled = above?.sampled ?? !1, this.name = name, this.parent = parent, this.context = context, this.kind = kind, this.traceId = isSome(parent) ? parent.value.traceId : idOf(32), this.status = { _tag: "Started", startTime };
  }
  end(endTime, exit) {
    this.status = {
      _tag: "Ended",
      startTime: this.status.startTime,
      endTime,
      exit: isSuccess(exit) ? exit : void_
    };
  }
  attribute() {
  }
  event() {
  }
  addLinks() {
  }
}, tooMany = /^sql\./, guarded = (exporting, share) => make({
  span: (name, above, context, links, startTime, kind, options) => {
    let parent = filter(above, (span) => idsOf(span) !== void 0);
    return tooMany.test(name) ? new Unsampled(name, parent, context, startTime, kind, getOrUndefined(parent)) : (isSome(parent) ? parent.value.sampled : Math.random() < share) ? new Guarded(
      exporting.span(cut(name, longest), parent, context, links.slice(0, mostLinks), startTime, kind, options)
    ) : new Unsampled(name, parent, context, startTime, kind);
  },
  context: (f, fiber) => exporting.context(f, fiber)
});

export {
  cleaned,
  guarded
};
