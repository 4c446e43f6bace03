import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Equivalence,
  IllegalArgumentException,
  InvalidData,
  MissingData,
  OP_CONSTANT,
  OP_FALLBACK,
  OP_LAZY,
  OP_MAP_OR_FAIL,
  OP_NESTED,
  OP_PRIMITIVE,
  OP_REDACTED,
  OP_ZIP_WITH,
  Order,
  SyncScheduler,
  YieldableError,
  _void,
  add2 as add,
  allocate,
  build,
  buildWithScope,
  catchAll2 as catchAll,
  catchAll3 as catchAll2,
  catchAllCause2 as catchAllCause,
  composite,
  config,
  copy,
  currentLoggers,
  currentMinimumLogLevel,
  die2 as die,
  either,
  empty7 as empty,
  empty8 as empty2,
  escape,
  fail3 as fail,
  fail4 as fail2,
  fiberRefLocally,
  fiberRefLocallyScoped,
  fiberRefLocallyScopedWith,
  filterMap,
  flatMap as flatMap2,
  flatMap4 as flatMap3,
  flatMap5 as flatMap4,
  flatten,
  forEach2 as forEach,
  fresh,
  fromEffect,
  fromEffectContext,
  getEquivalence as getEquivalence2,
  infinity,
  interrupt2 as interrupt,
  isArray,
  isCause,
  isConfigError,
  isDuration,
  isEffect,
  isFailType,
  isMissingDataOnly,
  isNonEmptyArray,
  isNonEmptyReadonlyArray,
  isSuccess,
  map6 as map3,
  map9 as map4,
  mapBoth2,
  mapError,
  mapError2,
  matchLeft,
  merge2 as merge,
  mergeAll,
  millis,
  nanos,
  none as none2,
  orDie,
  parallel2 as parallel,
  parse,
  pretty,
  prettyErrorMessage,
  provide,
  provideMerge,
  remove,
  runFork,
  runSync,
  runtime,
  scoped,
  scopedContext,
  scopedDiscard,
  sequential2 as sequential,
  service,
  sort,
  struct,
  succeed3 as succeed,
  suspend2 as suspend,
  sync2 as sync,
  unwrapEffect,
  unwrapScoped,
  withTracerScoped
} from "./chunk-JGKSI326.js";
import {
  fromOption,
  getOrThrow,
  getOrThrowWith,
  isEither,
  isLeft,
  isRight,
  left,
  liftPredicate,
  map,
  mapBoth,
  mapLeft,
  match,
  right,
  try_
} from "./chunk-FWQRLSGQ.js";
import {
  CommitPrototype,
  Date as Date2,
  NodeInspectSymbol,
  StructuralPrototype,
  cached,
  combine,
  dual,
  equals,
  exists,
  filter,
  flatMap,
  flatMapNullable,
  formatDate,
  formatPropertyKey,
  formatUnknown,
  getEquivalence,
  getOrElse,
  getOrUndefined,
  getRight2 as getRight,
  globalValue,
  hasProperty,
  hash,
  identity,
  isBigInt,
  isBoolean,
  isDate,
  isNever,
  isNone,
  isNotNull,
  isNotNullable,
  isNotUndefined,
  isNumber,
  isObject,
  isOption,
  isRecord,
  isRecordOrArray,
  isSome,
  isString,
  isSymbol,
  isUint8Array,
  isUndefined,
  liftThrowable,
  make,
  map as map2,
  mapInput2 as mapInput,
  match as match2,
  none2 as none,
  number,
  orElse,
  pipe,
  pipeArguments,
  some2 as some,
  string,
  symbol,
  symbol2
} from "./chunk-ANBJACJV.js";

// node_modules/effect/dist/esm/Data.js
var struct2 = struct;
var tagged = (tag2) => (args) => {
  let value3 = args === void 0 ? Object.create(StructuralPrototype) : struct2(args);
  return value3._tag = tag2, value3;
};
var Error2 = /* @__PURE__ */ (function() {
  let plainArgsSymbol = /* @__PURE__ */ Symbol.for("effect/Data/Error/plainArgs");
  return {
    BaseEffectError: class extends YieldableError {
      constructor(args) {
        super(args?.message, args?.cause ? {
          cause: args.cause
        } : void 0), args && (Object.assign(this, args), Object.defineProperty(this, plainArgsSymbol, {
          value: args,
          enumerable: !1
        }));
      }
      toJSON() {
        return {
          ...this[plainArgsSymbol],
          ...this
        };
      }
    }
  }.BaseEffectError;
})(), TaggedError = (tag2) => {
  let O = {
    BaseEffectError: class extends Error2 {
      _tag = tag2;
    }
  };
  return O.BaseEffectError.prototype.name = tag2, O.BaseEffectError;
};

// node_modules/effect/dist/esm/internal/layer/circular.js
var minimumLogLevel = (level) => scopedDiscard(fiberRefLocallyScoped(currentMinimumLogLevel, level)), withMinimumLogLevel = /* @__PURE__ */ dual(2, (self, level) => fiberRefLocally(currentMinimumLogLevel, level)(self)), addLogger = (logger) => scopedDiscard(fiberRefLocallyScopedWith(currentLoggers, add(logger)));
var addLoggerScoped = (effect2) => unwrapScoped(map3(effect2, addLogger)), removeLogger = (logger) => scopedDiscard(fiberRefLocallyScopedWith(currentLoggers, remove(logger))), replaceLogger = /* @__PURE__ */ dual(2, (self, that) => flatMap3(removeLogger(self), () => addLogger(that)));
var setTracer = (tracer) => scopedDiscard(withTracerScoped(tracer));

// node_modules/effect/dist/esm/Layer.js
var build2 = build, buildWithScope2 = buildWithScope, catchAll3 = catchAll, catchAllCause2 = catchAllCause;
var effect = fromEffect;
var effectContext = fromEffectContext, empty3 = empty2;
var fail3 = fail2;
var fresh2 = fresh;
var mapError3 = mapError;
var merge2 = merge, mergeAll2 = mergeAll, orDie2 = orDie;
var scoped2 = scoped, scopedDiscard2 = scopedDiscard, scopedContext2 = scopedContext, service2 = service, succeed2 = succeed;
var sync2 = sync;
var provide2 = provide, provideMerge2 = provideMerge;
var unwrapEffect2 = unwrapEffect, unwrapScoped2 = unwrapScoped;
var setTracer2 = setTracer;

// node_modules/effect/dist/esm/ConfigError.js
var InvalidData2 = InvalidData;
var isConfigError2 = isConfigError;
var isMissingDataOnly2 = isMissingDataOnly;

// node_modules/effect/dist/esm/internal/redacted.js
var RedactedSymbolKey = "effect/Redacted", redactedRegistry = /* @__PURE__ */ globalValue("effect/Redacted/redactedRegistry", () => /* @__PURE__ */ new WeakMap()), RedactedTypeId = /* @__PURE__ */ Symbol.for(RedactedSymbolKey), proto = {
  [RedactedTypeId]: {
    _A: (_) => _
  },
  pipe() {
    return pipeArguments(this, arguments);
  },
  toString() {
    return "<redacted>";
  },
  toJSON() {
    return "<redacted>";
  },
  [NodeInspectSymbol]() {
    return "<redacted>";
  },
  [symbol]() {
    return pipe(hash(RedactedSymbolKey), combine(hash(redactedRegistry.get(this))), cached(this));
  },
  [symbol2](that) {
    return isRedacted(that) && equals(redactedRegistry.get(this), redactedRegistry.get(that));
  }
}, isRedacted = (u) => hasProperty(u, RedactedTypeId), make2 = (value3) => {
  let redacted3 = Object.create(proto);
  return redactedRegistry.set(redacted3, value3), redacted3;
}, value = (self) => {
  if (redactedRegistry.has(self))
    return redactedRegistry.get(self);
  throw new Error("Unable to get redacted value");
};

// node_modules/effect/dist/esm/internal/config.js
var ConfigSymbolKey = "effect/Config", ConfigTypeId = /* @__PURE__ */ Symbol.for(ConfigSymbolKey), configVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, proto2 = {
  ...CommitPrototype,
  [ConfigTypeId]: configVariance,
  commit() {
    return config(this);
  }
};
var map6 = /* @__PURE__ */ dual(2, (self, f) => mapOrFail(self, (a) => right(f(a))));
var mapOrFail = /* @__PURE__ */ dual(2, (self, f) => {
  let mapOrFail3 = Object.create(proto2);
  return mapOrFail3._tag = OP_MAP_OR_FAIL, mapOrFail3.original = self, mapOrFail3.mapOrFail = f, mapOrFail3;
}), nested = /* @__PURE__ */ dual(2, (self, name) => {
  let nested2 = Object.create(proto2);
  return nested2._tag = OP_NESTED, nested2.name = name, nested2.config = self, nested2;
});
var orElseIf = /* @__PURE__ */ dual(2, (self, options) => {
  let fallback = Object.create(proto2);
  return fallback._tag = OP_FALLBACK, fallback.first = self, fallback.second = suspend3(options.orElse), fallback.condition = options.if, fallback;
}), option = (self) => pipe(self, map6(some), orElseIf({
  orElse: () => succeed3(none()),
  if: isMissingDataOnly2
})), primitive = (description, parse2) => {
  let primitive2 = Object.create(proto2);
  return primitive2._tag = OP_PRIMITIVE, primitive2.description = description, primitive2.parse = parse2, primitive2;
};
var redacted = (nameOrConfig) => {
  let config2 = isConfig(nameOrConfig) ? nameOrConfig : string2(nameOrConfig), redacted3 = Object.create(proto2);
  return redacted3._tag = OP_REDACTED, redacted3.original = config2, redacted3.redact = make2, redacted3;
};
var string2 = (name) => {
  let config2 = primitive("a text property", right);
  return name === void 0 ? config2 : nested(config2, name);
}, nonEmptyString = (name) => {
  let config2 = primitive("a non-empty text property", liftPredicate((text) => text.length > 0, () => MissingData([], "Expected a non-empty string")));
  return name === void 0 ? config2 : nested(config2, name);
}, all = (arg) => Array.isArray(arg) ? tuple(arg) : Symbol.iterator in arg ? tuple([...arg]) : struct3(arg), struct3 = (r) => {
  let entries = Object.entries(r), result = pipe(entries[0][1], map6((value3) => ({
    [entries[0][0]]: value3
  })));
  if (entries.length === 1)
    return result;
  let rest = entries.slice(1);
  for (let [key, config2] of rest)
    result = pipe(result, zipWith2(config2, (record2, value3) => ({
      ...record2,
      [key]: value3
    })));
  return result;
}, succeed3 = (value3) => {
  let constant = Object.create(proto2);
  return constant._tag = OP_CONSTANT, constant.value = value3, constant.parse = () => right(value3), constant;
}, suspend3 = (config2) => {
  let lazy = Object.create(proto2);
  return lazy._tag = OP_LAZY, lazy.config = config2, lazy;
};
var isConfig = (u) => hasProperty(u, ConfigTypeId), tuple = (tuple2) => {
  if (tuple2.length === 0)
    return succeed3([]);
  if (tuple2.length === 1)
    return map6(tuple2[0], (x) => [x]);
  let result = map6(tuple2[0], (x) => [x]);
  for (let i = 1; i < tuple2.length; i++) {
    let config2 = tuple2[i];
    result = pipe(result, zipWith2(config2, (tuple3, value3) => [...tuple3, value3]));
  }
  return result;
};
var withDefault = /* @__PURE__ */ dual(2, (self, def) => orElseIf(self, {
  orElse: () => succeed3(def),
  if: isMissingDataOnly2
}));
var zipWith2 = /* @__PURE__ */ dual(3, (self, that, f) => {
  let zipWith3 = Object.create(proto2);
  return zipWith3._tag = OP_ZIP_WITH, zipWith3.left = self, zipWith3.right = that, zipWith3.zip = f, zipWith3;
});

// node_modules/effect/dist/esm/Config.js
var all2 = all;
var map7 = map6;
var mapOrFail2 = mapOrFail;
var option2 = option;
var redacted2 = redacted;
var string3 = string2, nonEmptyString2 = nonEmptyString;
var withDefault2 = withDefault;

// node_modules/effect/dist/esm/internal/dateTime.js
var TypeId = /* @__PURE__ */ Symbol.for("effect/DateTime"), TimeZoneTypeId = /* @__PURE__ */ Symbol.for("effect/DateTime/TimeZone"), Proto = {
  [TypeId]: TypeId,
  pipe() {
    return pipeArguments(this, arguments);
  },
  [NodeInspectSymbol]() {
    return this.toString();
  },
  toJSON() {
    return toDateUtc(this).toJSON();
  }
}, ProtoUtc = {
  ...Proto,
  _tag: "Utc",
  [symbol]() {
    return cached(this, number(this.epochMillis));
  },
  [symbol2](that) {
    return isDateTime(that) && that._tag === "Utc" && this.epochMillis === that.epochMillis;
  },
  toString() {
    return `DateTime.Utc(${toDateUtc(this).toJSON()})`;
  }
}, ProtoZoned = {
  ...Proto,
  _tag: "Zoned",
  [symbol]() {
    return pipe(number(this.epochMillis), combine(hash(this.zone)), cached(this));
  },
  [symbol2](that) {
    return isDateTime(that) && that._tag === "Zoned" && this.epochMillis === that.epochMillis && equals(this.zone, that.zone);
  },
  toString() {
    return `DateTime.Zoned(${formatIsoZoned(this)})`;
  }
}, ProtoTimeZone = {
  [TimeZoneTypeId]: TimeZoneTypeId,
  [NodeInspectSymbol]() {
    return this.toString();
  }
}, ProtoTimeZoneNamed = {
  ...ProtoTimeZone,
  _tag: "Named",
  [symbol]() {
    return cached(this, string(`Named:${this.id}`));
  },
  [symbol2](that) {
    return isTimeZone(that) && that._tag === "Named" && this.id === that.id;
  },
  toString() {
    return `TimeZone.Named(${this.id})`;
  },
  toJSON() {
    return {
      _id: "TimeZone",
      _tag: "Named",
      id: this.id
    };
  }
}, ProtoTimeZoneOffset = {
  ...ProtoTimeZone,
  _tag: "Offset",
  [symbol]() {
    return cached(this, string(`Offset:${this.offset}`));
  },
  [symbol2](that) {
    return isTimeZone(that) && that._tag === "Offset" && this.offset === that.offset;
  },
  toString() {
    return `TimeZone.Offset(${offsetToString(this.offset)})`;
  },
  toJSON() {
    return {
      _id: "TimeZone",
      _tag: "Offset",
      offset: this.offset
    };
  }
}, makeZonedProto = (epochMillis, zone, partsUtc) => {
  let self = Object.create(ProtoZoned);
  return self.epochMillis = epochMillis, self.zone = zone, Object.defineProperty(self, "partsUtc", {
    value: partsUtc,
    enumerable: !1,
    writable: !0
  }), Object.defineProperty(self, "adjustedEpochMillis", {
    value: void 0,
    enumerable: !1,
    writable: !0
  }), Object.defineProperty(self, "partsAdjusted", {
    value: void 0,
    enumerable: !1,
    writable: !0
  }), self;
}, isDateTime = (u) => hasProperty(u, TypeId);
var isTimeZone = (u) => hasProperty(u, TimeZoneTypeId);
var isZoned = (self) => self._tag === "Zoned";
var makeUtc = (epochMillis) => {
  let self = Object.create(ProtoUtc);
  return self.epochMillis = epochMillis, Object.defineProperty(self, "partsUtc", {
    value: void 0,
    enumerable: !1,
    writable: !0
  }), self;
}, unsafeFromDate = (date2) => {
  let epochMillis = date2.getTime();
  if (Number.isNaN(epochMillis))
    throw new IllegalArgumentException("Invalid date");
  return makeUtc(epochMillis);
}, unsafeMake = (input) => {
  if (isDateTime(input))
    return input;
  if (input instanceof Date)
    return unsafeFromDate(input);
  if (typeof input == "object") {
    let date2 = /* @__PURE__ */ new Date(0);
    return setPartsDate(date2, input), unsafeFromDate(date2);
  } else if (typeof input == "string" && !hasZone(input))
    return unsafeFromDate(/* @__PURE__ */ new Date(input + "Z"));
  return unsafeFromDate(new Date(input));
}, hasZone = (input) => /Z|[+-]\d{2}$|[+-]\d{2}:?\d{2}$|\]$/.test(input), minEpochMillis = -864e13 + 720 * 60 * 1e3, maxEpochMillis = 864e13 - 840 * 60 * 1e3, unsafeMakeZoned = (input, options) => {
  if (options?.timeZone === void 0 && isDateTime(input) && isZoned(input))
    return input;
  let self = unsafeMake(input);
  if (self.epochMillis < minEpochMillis || self.epochMillis > maxEpochMillis)
    throw new RangeError(`Epoch millis out of range: ${self.epochMillis}`);
  let zone;
  if (options?.timeZone === void 0) {
    let offset = new Date(self.epochMillis).getTimezoneOffset() * -60 * 1e3;
    zone = zoneMakeOffset(offset);
  } else if (isTimeZone(options?.timeZone))
    zone = options.timeZone;
  else if (typeof options?.timeZone == "number")
    zone = zoneMakeOffset(options.timeZone);
  else {
    let parsedZone = zoneFromString(options.timeZone);
    if (isNone(parsedZone))
      throw new IllegalArgumentException(`Invalid time zone: ${options.timeZone}`);
    zone = parsedZone.value;
  }
  return options?.adjustForTimeZone !== !0 ? makeZonedProto(self.epochMillis, zone, self.partsUtc) : makeZonedFromAdjusted(self.epochMillis, zone, options?.disambiguation ?? "compatible");
}, makeZoned = /* @__PURE__ */ liftThrowable(unsafeMakeZoned);
var validZoneCache = /* @__PURE__ */ globalValue("effect/DateTime/validZoneCache", () => /* @__PURE__ */ new Map()), formatOptions = {
  day: "numeric",
  month: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  timeZoneName: "longOffset",
  fractionalSecondDigits: 3,
  hourCycle: "h23"
}, zoneMakeIntl = (format3) => {
  let zoneId = format3.resolvedOptions().timeZone;
  if (validZoneCache.has(zoneId))
    return validZoneCache.get(zoneId);
  let zone = Object.create(ProtoTimeZoneNamed);
  return zone.id = zoneId, zone.format = format3, validZoneCache.set(zoneId, zone), zone;
}, zoneUnsafeMakeNamed = (zoneId) => {
  if (validZoneCache.has(zoneId))
    return validZoneCache.get(zoneId);
  try {
    return zoneMakeIntl(new Intl.DateTimeFormat("en-US", {
      ...formatOptions,
      timeZone: zoneId
    }));
  } catch {
    throw new IllegalArgumentException(`Invalid time zone: ${zoneId}`);
  }
}, zoneMakeOffset = (offset) => {
  let zone = Object.create(ProtoTimeZoneOffset);
  return zone.offset = offset, zone;
}, zoneMakeNamed = /* @__PURE__ */ liftThrowable(zoneUnsafeMakeNamed);
var offsetZoneRegex = /^(?:GMT|[+-])/, zoneFromString = (zone) => {
  if (offsetZoneRegex.test(zone)) {
    let offset = parseOffset(zone);
    return offset === null ? none() : some(zoneMakeOffset(offset));
  }
  return zoneMakeNamed(zone);
};
var toDateUtc = (self) => new Date(self.epochMillis), toDate = (self) => {
  if (self._tag === "Utc")
    return new Date(self.epochMillis);
  if (self.zone._tag === "Offset")
    return new Date(self.epochMillis + self.zone.offset);
  if (self.adjustedEpochMillis !== void 0)
    return new Date(self.adjustedEpochMillis);
  let parts = self.zone.format.formatToParts(self.epochMillis).filter((_) => _.type !== "literal"), date2 = /* @__PURE__ */ new Date(0);
  return date2.setUTCFullYear(Number(parts[2].value), Number(parts[0].value) - 1, Number(parts[1].value)), date2.setUTCHours(Number(parts[3].value), Number(parts[4].value), Number(parts[5].value), Number(parts[6].value)), self.adjustedEpochMillis = date2.getTime(), date2;
}, zonedOffset = (self) => toDate(self).getTime() - toEpochMillis(self), offsetToString = (offset) => {
  let abs = Math.abs(offset), hours = Math.floor(abs / (3600 * 1e3)), minutes = Math.round(abs % (3600 * 1e3) / (60 * 1e3));
  return minutes === 60 && (hours += 1, minutes = 0), `${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}, zonedOffsetIso = (self) => offsetToString(zonedOffset(self)), toEpochMillis = (self) => self.epochMillis;
var setPartsDate = (date2, parts) => {
  if (parts.year !== void 0 && date2.setUTCFullYear(parts.year), parts.month !== void 0 && date2.setUTCMonth(parts.month - 1), parts.day !== void 0 && date2.setUTCDate(parts.day), parts.weekDay !== void 0) {
    let diff = parts.weekDay - date2.getUTCDay();
    date2.setUTCDate(date2.getUTCDate() + diff);
  }
  parts.hours !== void 0 && date2.setUTCHours(parts.hours), parts.minutes !== void 0 && date2.setUTCMinutes(parts.minutes), parts.seconds !== void 0 && date2.setUTCSeconds(parts.seconds), parts.millis !== void 0 && date2.setUTCMilliseconds(parts.millis);
};
var constDayMillis = 1440 * 60 * 1e3, makeZonedFromAdjusted = (adjustedMillis, zone, disambiguation) => {
  if (zone._tag === "Offset")
    return makeZonedProto(adjustedMillis - zone.offset, zone);
  let beforeOffset = calculateNamedOffset(adjustedMillis - constDayMillis, adjustedMillis, zone), afterOffset = calculateNamedOffset(adjustedMillis + constDayMillis, adjustedMillis, zone);
  if (beforeOffset === afterOffset)
    return makeZonedProto(adjustedMillis - beforeOffset, zone);
  let isForwards = beforeOffset < afterOffset, transitionMillis = beforeOffset - afterOffset;
  if (isForwards) {
    if (calculateNamedOffset(adjustedMillis - afterOffset, adjustedMillis, zone) === afterOffset)
      return makeZonedProto(adjustedMillis - afterOffset, zone);
    let before = makeZonedProto(adjustedMillis - beforeOffset, zone), beforeAdjustedMillis = toDate(before).getTime();
    if (adjustedMillis !== beforeAdjustedMillis)
      switch (disambiguation) {
        case "reject": {
          let formatted = new Date(adjustedMillis).toISOString();
          throw new RangeError(`Gap time: ${formatted} does not exist in time zone ${zone.id}`);
        }
        case "earlier":
          return makeZonedProto(adjustedMillis - afterOffset, zone);
        case "compatible":
        case "later":
          return before;
      }
    return before;
  }
  if (calculateNamedOffset(adjustedMillis - beforeOffset, adjustedMillis, zone) === beforeOffset) {
    if (disambiguation === "earlier" || disambiguation === "compatible" || calculateNamedOffset(adjustedMillis - beforeOffset + transitionMillis, adjustedMillis + transitionMillis, zone) === beforeOffset)
      return makeZonedProto(adjustedMillis - beforeOffset, zone);
    if (disambiguation === "reject") {
      let formatted = new Date(adjustedMillis).toISOString();
      throw new RangeError(`Ambiguous time: ${formatted} occurs twice in time zone ${zone.id}`);
    }
  }
  return makeZonedProto(adjustedMillis - afterOffset, zone);
}, offsetRegex = /([+-])(\d{2}):(\d{2})$/, parseOffset = (offset) => {
  let match6 = offsetRegex.exec(offset);
  if (match6 === null)
    return null;
  let [, sign, hours, minutes] = match6;
  return (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60 * 1e3;
}, calculateNamedOffset = (utcMillis, adjustedMillis, zone) => {
  let offset = zone.format.formatToParts(utcMillis).find((_) => _.type === "timeZoneName")?.value ?? "";
  if (offset === "GMT")
    return 0;
  let result = parseOffset(offset);
  return result === null ? zonedOffset(makeZonedProto(adjustedMillis, zone)) : result;
};
var formatIsoOffset = (self) => {
  let date2 = toDate(self);
  return self._tag === "Utc" ? date2.toISOString() : `${date2.toISOString().slice(0, -1)}${zonedOffsetIso(self)}`;
}, formatIsoZoned = (self) => self.zone._tag === "Offset" ? formatIsoOffset(self) : `${formatIsoOffset(self)}[${self.zone.id}]`;

// node_modules/effect/dist/esm/internal/schema/util.js
var getKeysForIndexSignature = (input, parameter) => {
  switch (parameter._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return Object.keys(input);
    case "SymbolKeyword":
      return Object.getOwnPropertySymbols(input);
    case "Refinement":
      return getKeysForIndexSignature(input, parameter.from);
  }
}, memoizeThunk = (f) => {
  let done = !1, a;
  return () => (done || (a = f(), done = !0), a);
}, isNonEmpty = (x) => Array.isArray(x), isSingle = (x) => !Array.isArray(x), formatPathKey = (key) => `[${formatPropertyKey(key)}]`, formatPath = (path) => isNonEmpty(path) ? path.map(formatPathKey).join("") : formatPathKey(path);

// node_modules/effect/dist/esm/internal/schema/errors.js
var getErrorMessage = (reason, details, path, ast) => {
  let out = reason;
  return path && isNonEmptyReadonlyArray(path) && (out += `
at path: ${formatPath(path)}`), details !== void 0 && (out += `
details: ${details}`), ast && (out += `
schema (${ast._tag}): ${ast}`), out;
}, getInvalidArgumentErrorMessage = (details) => getErrorMessage("Invalid Argument", details);
var getMissingAnnotationErrorMessage = (details, path, ast) => getErrorMessage("Missing annotation", details, path, ast);
var getJSONSchemaMissingAnnotationErrorMessage = (path, ast) => getMissingAnnotationErrorMessage('Generating a JSON Schema for this schema requires a "jsonSchema" annotation', path, ast), getJSONSchemaMissingIdentifierAnnotationErrorMessage = (path, ast) => getMissingAnnotationErrorMessage('Generating a JSON Schema for this schema requires an "identifier" annotation', path, ast), getJSONSchemaUnsupportedPostRestElementsErrorMessage = (path) => getErrorMessage("Generating a JSON Schema for post-rest elements is not currently supported. You're welcome to contribute by submitting a Pull Request", void 0, path), getJSONSchemaUnsupportedKeyErrorMessage = (key, path) => getErrorMessage("Unsupported key", `Cannot encode ${formatPropertyKey(key)} key to JSON Schema`, path);
var getSchemaExtendErrorMessage = (x, y, path) => getErrorMessage("Unsupported schema or overlapping types", `cannot extend ${x} with ${y}`, path);
var getASTUnsupportedKeySchemaErrorMessage = (ast) => getErrorMessage("Unsupported key schema", void 0, void 0, ast), getASTUnsupportedLiteralErrorMessage = (literal2) => getErrorMessage("Unsupported literal", `literal value: ${formatUnknown(literal2)}`), getASTDuplicateIndexSignatureErrorMessage = (type) => getErrorMessage("Duplicate index signature", `${type} index signature`), getASTIndexSignatureParameterErrorMessage = /* @__PURE__ */ getErrorMessage("Unsupported index signature parameter", "An index signature parameter type must be `string`, `symbol`, a template literal type or a refinement of the previous types"), getASTRequiredElementFollowinAnOptionalElementErrorMessage = /* @__PURE__ */ getErrorMessage("Invalid element", "A required element cannot follow an optional element. ts(1257)"), getASTDuplicatePropertySignatureTransformationErrorMessage = (key) => getErrorMessage("Duplicate property signature transformation", `Duplicate key ${formatUnknown(key)}`);
var getASTDuplicatePropertySignatureErrorMessage = (key) => getErrorMessage("Duplicate property signature", `Duplicate key ${formatUnknown(key)}`);

// node_modules/effect/dist/esm/SchemaAST.js
var TypeConstructorAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/TypeConstructor"), BrandAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Brand"), SchemaIdAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/SchemaId"), MessageAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Message"), MissingMessageAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/MissingMessage"), IdentifierAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Identifier"), TitleAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Title"), AutoTitleAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/AutoTitle"), DescriptionAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Description"), ExamplesAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Examples"), DefaultAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Default"), JSONSchemaAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/JSONSchema"), ArbitraryAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Arbitrary"), PrettyAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Pretty"), EquivalenceAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Equivalence"), DocumentationAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Documentation"), ConcurrencyAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Concurrency"), BatchingAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Batching"), ParseIssueTitleAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/ParseIssueTitle"), ParseOptionsAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/ParseOptions"), DecodingFallbackAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/DecodingFallback"), SurrogateAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/Surrogate"), StableFilterAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/StableFilter"), getAnnotation = /* @__PURE__ */ dual(2, (annotated, key) => Object.prototype.hasOwnProperty.call(annotated.annotations, key) ? some(annotated.annotations[key]) : none());
var getBrandAnnotation = /* @__PURE__ */ getAnnotation(BrandAnnotationId);
var getMessageAnnotation = /* @__PURE__ */ getAnnotation(MessageAnnotationId), getMissingMessageAnnotation = /* @__PURE__ */ getAnnotation(MissingMessageAnnotationId), getTitleAnnotation = /* @__PURE__ */ getAnnotation(TitleAnnotationId), getAutoTitleAnnotation = /* @__PURE__ */ getAnnotation(AutoTitleAnnotationId), getIdentifierAnnotation = /* @__PURE__ */ getAnnotation(IdentifierAnnotationId), getDescriptionAnnotation = /* @__PURE__ */ getAnnotation(DescriptionAnnotationId), getExamplesAnnotation = /* @__PURE__ */ getAnnotation(ExamplesAnnotationId), getDefaultAnnotation = /* @__PURE__ */ getAnnotation(DefaultAnnotationId), getJSONSchemaAnnotation = /* @__PURE__ */ getAnnotation(JSONSchemaAnnotationId);
var getConcurrencyAnnotation = /* @__PURE__ */ getAnnotation(ConcurrencyAnnotationId), getBatchingAnnotation = /* @__PURE__ */ getAnnotation(BatchingAnnotationId), getParseIssueTitleAnnotation = /* @__PURE__ */ getAnnotation(ParseIssueTitleAnnotationId), getParseOptionsAnnotation = /* @__PURE__ */ getAnnotation(ParseOptionsAnnotationId), getDecodingFallbackAnnotation = /* @__PURE__ */ getAnnotation(DecodingFallbackAnnotationId), getSurrogateAnnotation = /* @__PURE__ */ getAnnotation(SurrogateAnnotationId), getStableFilterAnnotation = /* @__PURE__ */ getAnnotation(StableFilterAnnotationId), hasStableFilter = (annotated) => exists(getStableFilterAnnotation(annotated), (b) => b === !0), JSONIdentifierAnnotationId = /* @__PURE__ */ Symbol.for("effect/annotation/JSONIdentifier"), getJSONIdentifierAnnotation = /* @__PURE__ */ getAnnotation(JSONIdentifierAnnotationId), getJSONIdentifier = (annotated) => orElse(getJSONIdentifierAnnotation(annotated), () => getIdentifierAnnotation(annotated)), ParseJsonSchemaId = /* @__PURE__ */ Symbol.for("effect/schema/ParseJson"), Declaration = class {
  typeParameters;
  decodeUnknown;
  encodeUnknown;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "Declaration";
  constructor(typeParameters, decodeUnknown3, encodeUnknown3, annotations2 = {}) {
    this.typeParameters = typeParameters, this.decodeUnknown = decodeUnknown3, this.encodeUnknown = encodeUnknown3, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => "<declaration schema>");
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      typeParameters: this.typeParameters.map((ast) => ast.toJSON()),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, createASTGuard = (tag2) => (ast) => ast._tag === tag2, isDeclaration = /* @__PURE__ */ createASTGuard("Declaration"), Literal = class {
  literal;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "Literal";
  constructor(literal2, annotations2 = {}) {
    this.literal = literal2, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => formatUnknown(this.literal));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      literal: isBigInt(this.literal) ? String(this.literal) : this.literal,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, isLiteral = /* @__PURE__ */ createASTGuard("Literal"), $null = /* @__PURE__ */ new Literal(null);
var UniqueSymbol = class {
  symbol;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "UniqueSymbol";
  constructor(symbol3, annotations2 = {}) {
    this.symbol = symbol3, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => formatUnknown(this.symbol));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      symbol: String(this.symbol),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
};
var UndefinedKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "UndefinedKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, undefinedKeyword = /* @__PURE__ */ new UndefinedKeyword({
  [TitleAnnotationId]: "undefined"
}), isUndefinedKeyword = /* @__PURE__ */ createASTGuard("UndefinedKeyword"), VoidKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "VoidKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, voidKeyword = /* @__PURE__ */ new VoidKeyword({
  [TitleAnnotationId]: "void"
}), isVoidKeyword = /* @__PURE__ */ createASTGuard("VoidKeyword"), NeverKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "NeverKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, neverKeyword = /* @__PURE__ */ new NeverKeyword({
  [TitleAnnotationId]: "never"
}), isNeverKeyword = /* @__PURE__ */ createASTGuard("NeverKeyword"), UnknownKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "UnknownKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, unknownKeyword = /* @__PURE__ */ new UnknownKeyword({
  [TitleAnnotationId]: "unknown"
});
var AnyKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "AnyKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, anyKeyword = /* @__PURE__ */ new AnyKeyword({
  [TitleAnnotationId]: "any"
});
var StringKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "StringKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, stringKeyword = /* @__PURE__ */ new StringKeyword({
  [TitleAnnotationId]: "string",
  [DescriptionAnnotationId]: "a string"
}), isStringKeyword = /* @__PURE__ */ createASTGuard("StringKeyword"), NumberKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "NumberKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, numberKeyword = /* @__PURE__ */ new NumberKeyword({
  [TitleAnnotationId]: "number",
  [DescriptionAnnotationId]: "a number"
}), isNumberKeyword = /* @__PURE__ */ createASTGuard("NumberKeyword"), BooleanKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "BooleanKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, booleanKeyword = /* @__PURE__ */ new BooleanKeyword({
  [TitleAnnotationId]: "boolean",
  [DescriptionAnnotationId]: "a boolean"
}), isBooleanKeyword = /* @__PURE__ */ createASTGuard("BooleanKeyword"), BigIntKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "BigIntKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, bigIntKeyword = /* @__PURE__ */ new BigIntKeyword({
  [TitleAnnotationId]: "bigint",
  [DescriptionAnnotationId]: "a bigint"
});
var SymbolKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "SymbolKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, symbolKeyword = /* @__PURE__ */ new SymbolKeyword({
  [TitleAnnotationId]: "symbol",
  [DescriptionAnnotationId]: "a symbol"
}), isSymbolKeyword = /* @__PURE__ */ createASTGuard("SymbolKeyword"), ObjectKeyword = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "ObjectKeyword";
  constructor(annotations2 = {}) {
    this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return formatKeyword(this);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, objectKeyword = /* @__PURE__ */ new ObjectKeyword({
  [TitleAnnotationId]: "object",
  [DescriptionAnnotationId]: "an object in the TypeScript meaning, i.e. the `object` type"
});
var Type = class {
  type;
  annotations;
  constructor(type, annotations2 = {}) {
    this.type = type, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      type: this.type.toJSON(),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return String(this.type);
  }
}, OptionalType = class extends Type {
  isOptional;
  constructor(type, isOptional, annotations2 = {}) {
    super(type, annotations2), this.isOptional = isOptional;
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      type: this.type.toJSON(),
      isOptional: this.isOptional,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return String(this.type) + (this.isOptional ? "?" : "");
  }
}, getRestASTs = (rest) => rest.map((annotatedAST) => annotatedAST.type), TupleType = class {
  elements;
  rest;
  isReadonly;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "TupleType";
  constructor(elements, rest, isReadonly, annotations2 = {}) {
    this.elements = elements, this.rest = rest, this.isReadonly = isReadonly, this.annotations = annotations2;
    let hasOptionalElement = !1, hasIllegalRequiredElement = !1;
    for (let e of elements)
      if (e.isOptional)
        hasOptionalElement = !0;
      else if (hasOptionalElement) {
        hasIllegalRequiredElement = !0;
        break;
      }
    if (hasIllegalRequiredElement || hasOptionalElement && rest.length > 1)
      throw new Error(getASTRequiredElementFollowinAnOptionalElementErrorMessage);
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => formatTuple(this));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      elements: this.elements.map((e) => e.toJSON()),
      rest: this.rest.map((ast) => ast.toJSON()),
      isReadonly: this.isReadonly,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, formatTuple = (ast) => {
  let formattedElements = ast.elements.map(String).join(", ");
  return matchLeft(ast.rest, {
    onEmpty: () => `readonly [${formattedElements}]`,
    onNonEmpty: (head2, tail) => {
      let formattedHead = String(head2), wrappedHead = formattedHead.includes(" | ") ? `(${formattedHead})` : formattedHead;
      if (tail.length > 0) {
        let formattedTail = tail.map(String).join(", ");
        return ast.elements.length > 0 ? `readonly [${formattedElements}, ...${wrappedHead}[], ${formattedTail}]` : `readonly [...${wrappedHead}[], ${formattedTail}]`;
      } else
        return ast.elements.length > 0 ? `readonly [${formattedElements}, ...${wrappedHead}[]]` : `ReadonlyArray<${formattedHead}>`;
    }
  });
}, isTupleType = /* @__PURE__ */ createASTGuard("TupleType"), PropertySignature = class extends OptionalType {
  name;
  isReadonly;
  constructor(name, type, isOptional, isReadonly, annotations2) {
    super(type, isOptional, annotations2), this.name = name, this.isReadonly = isReadonly;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return (this.isReadonly ? "readonly " : "") + String(this.name) + (this.isOptional ? "?" : "") + ": " + this.type;
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      name: String(this.name),
      type: this.type.toJSON(),
      isOptional: this.isOptional,
      isReadonly: this.isReadonly,
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, isParameter = (ast) => {
  switch (ast._tag) {
    case "StringKeyword":
    case "SymbolKeyword":
    case "TemplateLiteral":
      return !0;
    case "Refinement":
      return isParameter(ast.from);
  }
  return !1;
}, IndexSignature = class {
  type;
  isReadonly;
  /**
   * @since 3.10.0
   */
  parameter;
  constructor(parameter, type, isReadonly) {
    if (this.type = type, this.isReadonly = isReadonly, isParameter(parameter))
      this.parameter = parameter;
    else
      throw new Error(getASTIndexSignatureParameterErrorMessage);
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return (this.isReadonly ? "readonly " : "") + `[x: ${this.parameter}]: ${this.type}`;
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      parameter: this.parameter.toJSON(),
      type: this.type.toJSON(),
      isReadonly: this.isReadonly
    };
  }
}, TypeLiteral = class {
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "TypeLiteral";
  /**
   * @since 3.10.0
   */
  propertySignatures;
  /**
   * @since 3.10.0
   */
  indexSignatures;
  constructor(propertySignatures, indexSignatures, annotations2 = {}) {
    this.annotations = annotations2;
    let keys = {};
    for (let i = 0; i < propertySignatures.length; i++) {
      let name = propertySignatures[i].name;
      if (Object.prototype.hasOwnProperty.call(keys, name))
        throw new Error(getASTDuplicatePropertySignatureErrorMessage(name));
      keys[name] = null;
    }
    let parameters = {
      string: !1,
      symbol: !1
    };
    for (let i = 0; i < indexSignatures.length; i++) {
      let encodedParameter = getEncodedParameter(indexSignatures[i].parameter);
      if (isStringKeyword(encodedParameter)) {
        if (parameters.string)
          throw new Error(getASTDuplicateIndexSignatureErrorMessage("string"));
        parameters.string = !0;
      } else if (isSymbolKeyword(encodedParameter)) {
        if (parameters.symbol)
          throw new Error(getASTDuplicateIndexSignatureErrorMessage("symbol"));
        parameters.symbol = !0;
      }
    }
    this.propertySignatures = propertySignatures, this.indexSignatures = indexSignatures;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => formatTypeLiteral(this));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      propertySignatures: this.propertySignatures.map((ps) => ps.toJSON()),
      indexSignatures: this.indexSignatures.map((ps) => ps.toJSON()),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, formatIndexSignatures = (iss) => iss.map(String).join("; "), formatTypeLiteral = (ast) => {
  if (ast.propertySignatures.length > 0) {
    let pss = ast.propertySignatures.map(String).join("; ");
    return ast.indexSignatures.length > 0 ? `{ ${pss}; ${formatIndexSignatures(ast.indexSignatures)} }` : `{ ${pss} }`;
  } else
    return ast.indexSignatures.length > 0 ? `{ ${formatIndexSignatures(ast.indexSignatures)} }` : "{}";
}, isTypeLiteral = /* @__PURE__ */ createASTGuard("TypeLiteral"), sortCandidates = /* @__PURE__ */ sort(/* @__PURE__ */ mapInput(Order, (ast) => {
  switch (ast._tag) {
    case "AnyKeyword":
      return 0;
    case "UnknownKeyword":
      return 1;
    case "ObjectKeyword":
      return 2;
    case "StringKeyword":
    case "NumberKeyword":
    case "BooleanKeyword":
    case "BigIntKeyword":
    case "SymbolKeyword":
      return 3;
  }
  return 4;
})), literalMap = {
  string: "StringKeyword",
  number: "NumberKeyword",
  boolean: "BooleanKeyword",
  bigint: "BigIntKeyword"
}, flatten3 = (candidates) => flatMap2(candidates, (ast) => isUnion(ast) ? flatten3(ast.types) : [ast]), unify = (candidates) => {
  let cs = sortCandidates(candidates), out = [], uniques = {}, literals = [];
  for (let ast of cs)
    switch (ast._tag) {
      case "NeverKeyword":
        break;
      case "AnyKeyword":
        return [anyKeyword];
      case "UnknownKeyword":
        return [unknownKeyword];
      // uniques
      case "ObjectKeyword":
      case "UndefinedKeyword":
      case "VoidKeyword":
      case "StringKeyword":
      case "NumberKeyword":
      case "BooleanKeyword":
      case "BigIntKeyword":
      case "SymbolKeyword": {
        uniques[ast._tag] || (uniques[ast._tag] = ast, out.push(ast));
        break;
      }
      case "Literal": {
        let type = typeof ast.literal;
        switch (type) {
          case "string":
          case "number":
          case "bigint":
          case "boolean": {
            let _tag = literalMap[type];
            !uniques[_tag] && !literals.includes(ast.literal) && (literals.push(ast.literal), out.push(ast));
            break;
          }
          // null
          case "object": {
            literals.includes(ast.literal) || (literals.push(ast.literal), out.push(ast));
            break;
          }
        }
        break;
      }
      case "UniqueSymbol": {
        !uniques.SymbolKeyword && !literals.includes(ast.symbol) && (literals.push(ast.symbol), out.push(ast));
        break;
      }
      case "TupleType": {
        uniques.ObjectKeyword || out.push(ast);
        break;
      }
      case "TypeLiteral": {
        ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0 ? uniques["{}"] || (uniques["{}"] = ast, out.push(ast)) : uniques.ObjectKeyword || out.push(ast);
        break;
      }
      default:
        out.push(ast);
    }
  return out;
}, Union = class _Union {
  types;
  annotations;
  static make = (types, annotations2) => isMembers(types) ? new _Union(types, annotations2) : types.length === 1 ? types[0] : neverKeyword;
  /** @internal */
  static unify = (candidates, annotations2) => _Union.make(unify(flatten3(candidates)), annotations2);
  /**
   * @since 3.10.0
   */
  _tag = "Union";
  constructor(types, annotations2 = {}) {
    this.types = types, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => this.types.map(String).join(" | "));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      types: this.types.map((ast) => ast.toJSON()),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, mapMembers = (members, f) => members.map(f), isMembers = (as) => as.length > 1, isUnion = /* @__PURE__ */ createASTGuard("Union"), toJSONMemoMap = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Schema/AST/toJSONMemoMap"), () => /* @__PURE__ */ new WeakMap()), Suspend = class {
  f;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "Suspend";
  constructor(f, annotations2 = {}) {
    this.f = f, this.annotations = annotations2, this.f = memoizeThunk(f);
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getExpected(this).pipe(orElse(() => flatMap(liftThrowable(this.f)(), (ast) => getExpected(ast))), getOrElse(() => "<suspended schema>"));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    let ast = this.f(), out = toJSONMemoMap.get(ast);
    return out || (toJSONMemoMap.set(ast, {
      _tag: this._tag
    }), out = {
      _tag: this._tag,
      ast: ast.toJSON(),
      annotations: toJSONAnnotations(this.annotations)
    }, toJSONMemoMap.set(ast, out), out);
  }
}, isSuspend = /* @__PURE__ */ createASTGuard("Suspend"), Refinement = class {
  from;
  filter;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "Refinement";
  constructor(from, filter3, annotations2 = {}) {
    this.from = from, this.filter = filter3, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getIdentifierAnnotation(this).pipe(getOrElse(() => match2(getOrElseExpected(this), {
      onNone: () => `{ ${this.from} | filter }`,
      onSome: (expected) => isRefinement(this.from) ? String(this.from) + " & " + expected : expected
    })));
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      from: this.from.toJSON(),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, isRefinement = /* @__PURE__ */ createASTGuard("Refinement"), defaultParseOption = {}, Transformation = class {
  from;
  to;
  transformation;
  annotations;
  /**
   * @since 3.10.0
   */
  _tag = "Transformation";
  constructor(from, to, transformation, annotations2 = {}) {
    this.from = from, this.to = to, this.transformation = transformation, this.annotations = annotations2;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return getOrElse(getExpected(this), () => `(${String(this.from)} <-> ${String(this.to)})`);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _tag: this._tag,
      from: this.from.toJSON(),
      to: this.to.toJSON(),
      annotations: toJSONAnnotations(this.annotations)
    };
  }
}, isTransformation = /* @__PURE__ */ createASTGuard("Transformation"), FinalTransformation = class {
  decode;
  encode;
  /**
   * @since 3.10.0
   */
  _tag = "FinalTransformation";
  constructor(decode4, encode3) {
    this.decode = decode4, this.encode = encode3;
  }
}, createTransformationGuard = (tag2) => (ast) => ast._tag === tag2;
var ComposeTransformation = class {
  /**
   * @since 3.10.0
   */
  _tag = "ComposeTransformation";
}, composeTransformation = /* @__PURE__ */ new ComposeTransformation();
var PropertySignatureTransformation = class {
  from;
  to;
  decode;
  encode;
  constructor(from, to, decode4, encode3) {
    this.from = from, this.to = to, this.decode = decode4, this.encode = encode3;
  }
};
var TypeLiteralTransformation = class {
  propertySignatureTransformations;
  /**
   * @since 3.10.0
   */
  _tag = "TypeLiteralTransformation";
  constructor(propertySignatureTransformations) {
    this.propertySignatureTransformations = propertySignatureTransformations;
    let fromKeys = {}, toKeys = {};
    for (let pst of propertySignatureTransformations) {
      let from = pst.from;
      if (fromKeys[from])
        throw new Error(getASTDuplicatePropertySignatureTransformationErrorMessage(from));
      fromKeys[from] = !0;
      let to = pst.to;
      if (toKeys[to])
        throw new Error(getASTDuplicatePropertySignatureTransformationErrorMessage(to));
      toKeys[to] = !0;
    }
  }
}, isTypeLiteralTransformation = /* @__PURE__ */ createTransformationGuard("TypeLiteralTransformation"), annotations = (ast, overrides) => {
  let d = Object.getOwnPropertyDescriptors(ast), base = {
    ...ast.annotations
  };
  delete base[IdentifierAnnotationId];
  let value3 = {
    ...base,
    ...overrides
  }, surrogate = getSurrogateAnnotation(ast);
  return isSome(surrogate) && (value3[SurrogateAnnotationId] = annotations(surrogate.value, overrides)), d.annotations.value = value3, Object.create(Object.getPrototypeOf(ast), d);
};
var STRING_KEYWORD_PATTERN = "[\\s\\S]*?", NUMBER_KEYWORD_PATTERN = "[+-]?\\d*\\.?\\d+(?:[Ee][+-]?\\d+)?", getTemplateLiteralSpanTypePattern = (type, capture) => {
  switch (type._tag) {
    case "Literal":
      return escape(String(type.literal));
    case "StringKeyword":
      return STRING_KEYWORD_PATTERN;
    case "NumberKeyword":
      return NUMBER_KEYWORD_PATTERN;
    case "TemplateLiteral":
      return getTemplateLiteralPattern(type, capture, !1);
    case "Union":
      return type.types.map((type2) => getTemplateLiteralSpanTypePattern(type2, capture)).join("|");
  }
}, handleTemplateLiteralSpanTypeParens = (type, s, capture, top) => {
  if (isUnion(type)) {
    if (capture && !top)
      return `(?:${s})`;
  } else if (!capture || !top)
    return s;
  return `(${s})`;
}, getTemplateLiteralPattern = (ast, capture, top) => {
  let pattern2 = "";
  if (ast.head !== "") {
    let head2 = escape(ast.head);
    pattern2 += capture && top ? `(${head2})` : head2;
  }
  for (let span2 of ast.spans) {
    let spanPattern = getTemplateLiteralSpanTypePattern(span2.type, capture);
    if (pattern2 += handleTemplateLiteralSpanTypeParens(span2.type, spanPattern, capture, top), span2.literal !== "") {
      let literal2 = escape(span2.literal);
      pattern2 += capture && top ? `(${literal2})` : literal2;
    }
  }
  return pattern2;
}, getTemplateLiteralRegExp = (ast) => new RegExp(`^${getTemplateLiteralPattern(ast, !1, !0)}$`);
var record = (key, value3) => {
  let propertySignatures = [], indexSignatures = [], go2 = (key2) => {
    switch (key2._tag) {
      case "NeverKeyword":
        break;
      case "StringKeyword":
      case "SymbolKeyword":
      case "TemplateLiteral":
      case "Refinement":
        indexSignatures.push(new IndexSignature(key2, value3, !0));
        break;
      case "Literal":
        if (isString(key2.literal) || isNumber(key2.literal))
          propertySignatures.push(new PropertySignature(key2.literal, value3, !1, !0));
        else
          throw new Error(getASTUnsupportedLiteralErrorMessage(key2.literal));
        break;
      case "Enums": {
        for (let [_, name] of key2.enums)
          propertySignatures.push(new PropertySignature(name, value3, !1, !0));
        break;
      }
      case "UniqueSymbol":
        propertySignatures.push(new PropertySignature(key2.symbol, value3, !1, !0));
        break;
      case "Union":
        key2.types.forEach(go2);
        break;
      default:
        throw new Error(getASTUnsupportedKeySchemaErrorMessage(key2));
    }
  };
  return go2(key), {
    propertySignatures,
    indexSignatures
  };
};
var pickAnnotations = (annotationIds) => (annotated) => {
  let out;
  for (let id of annotationIds)
    Object.prototype.hasOwnProperty.call(annotated.annotations, id) && (out === void 0 && (out = {}), out[id] = annotated.annotations[id]);
  return out;
}, omitAnnotations = (annotationIds) => (annotated) => {
  let out = {
    ...annotated.annotations
  };
  for (let id of annotationIds)
    delete out[id];
  return out;
}, preserveTransformationAnnotations = /* @__PURE__ */ pickAnnotations([ExamplesAnnotationId, DefaultAnnotationId, JSONSchemaAnnotationId, ArbitraryAnnotationId, PrettyAnnotationId, EquivalenceAnnotationId]), typeAST = (ast) => {
  switch (ast._tag) {
    case "Declaration": {
      let typeParameters = changeMap(ast.typeParameters, typeAST);
      return typeParameters === ast.typeParameters ? ast : new Declaration(typeParameters, ast.decodeUnknown, ast.encodeUnknown, ast.annotations);
    }
    case "TupleType": {
      let elements = changeMap(ast.elements, (e) => {
        let type = typeAST(e.type);
        return type === e.type ? e : new OptionalType(type, e.isOptional);
      }), restASTs = getRestASTs(ast.rest), rest = changeMap(restASTs, typeAST);
      return elements === ast.elements && rest === restASTs ? ast : new TupleType(elements, rest.map((type) => new Type(type)), ast.isReadonly, ast.annotations);
    }
    case "TypeLiteral": {
      let propertySignatures = changeMap(ast.propertySignatures, (p) => {
        let type = typeAST(p.type);
        return type === p.type ? p : new PropertySignature(p.name, type, p.isOptional, p.isReadonly);
      }), indexSignatures = changeMap(ast.indexSignatures, (is2) => {
        let type = typeAST(is2.type);
        return type === is2.type ? is2 : new IndexSignature(is2.parameter, type, is2.isReadonly);
      });
      return propertySignatures === ast.propertySignatures && indexSignatures === ast.indexSignatures ? ast : new TypeLiteral(propertySignatures, indexSignatures, ast.annotations);
    }
    case "Union": {
      let types = changeMap(ast.types, typeAST);
      return types === ast.types ? ast : Union.make(types, ast.annotations);
    }
    case "Suspend":
      return new Suspend(() => typeAST(ast.f()), ast.annotations);
    case "Refinement": {
      let from = typeAST(ast.from);
      return from === ast.from ? ast : new Refinement(from, ast.filter, ast.annotations);
    }
    case "Transformation": {
      let preserve = preserveTransformationAnnotations(ast);
      return typeAST(preserve !== void 0 ? annotations(ast.to, preserve) : ast.to);
    }
  }
  return ast;
};
function changeMap(as, f) {
  let changed = !1, out = allocate(as.length);
  for (let i = 0; i < as.length; i++) {
    let a = as[i], fa = f(a);
    fa !== a && (changed = !0), out[i] = fa;
  }
  return changed ? out : as;
}
var getTransformationFrom = (ast) => {
  switch (ast._tag) {
    case "Transformation":
      return ast.from;
    case "Refinement":
      return getTransformationFrom(ast.from);
    case "Suspend":
      return getTransformationFrom(ast.f());
  }
}, encodedAST_ = (ast, isBound) => {
  switch (ast._tag) {
    case "Declaration": {
      let typeParameters = changeMap(ast.typeParameters, (ast2) => encodedAST_(ast2, isBound));
      return typeParameters === ast.typeParameters ? ast : new Declaration(typeParameters, ast.decodeUnknown, ast.encodeUnknown);
    }
    case "TupleType": {
      let elements = changeMap(ast.elements, (e) => {
        let type = encodedAST_(e.type, isBound);
        return type === e.type ? e : new OptionalType(type, e.isOptional);
      }), restASTs = getRestASTs(ast.rest), rest = changeMap(restASTs, (ast2) => encodedAST_(ast2, isBound));
      return elements === ast.elements && rest === restASTs ? ast : new TupleType(elements, rest.map((ast2) => new Type(ast2)), ast.isReadonly);
    }
    case "TypeLiteral": {
      let propertySignatures = changeMap(ast.propertySignatures, (ps) => {
        let type = encodedAST_(ps.type, isBound);
        return type === ps.type ? ps : new PropertySignature(ps.name, type, ps.isOptional, ps.isReadonly);
      }), indexSignatures = changeMap(ast.indexSignatures, (is2) => {
        let type = encodedAST_(is2.type, isBound);
        return type === is2.type ? is2 : new IndexSignature(is2.parameter, type, is2.isReadonly);
      });
      return propertySignatures === ast.propertySignatures && indexSignatures === ast.indexSignatures ? ast : new TypeLiteral(propertySignatures, indexSignatures);
    }
    case "Union": {
      let types = changeMap(ast.types, (ast2) => encodedAST_(ast2, isBound));
      return types === ast.types ? ast : Union.make(types);
    }
    case "Suspend": {
      let borrowedAnnotations, identifier = getJSONIdentifier(ast);
      if (isSome(identifier)) {
        let suffix = isBound ? "Bound" : "";
        borrowedAnnotations = {
          [JSONIdentifierAnnotationId]: `${identifier.value}Encoded${suffix}`
        };
      }
      return new Suspend(() => encodedAST_(ast.f(), isBound), borrowedAnnotations);
    }
    case "Refinement": {
      let from = encodedAST_(ast.from, isBound);
      return isBound ? from === ast.from ? ast : getTransformationFrom(ast.from) === void 0 && hasStableFilter(ast) ? new Refinement(from, ast.filter, ast.annotations) : from : from;
    }
    case "Transformation":
      return encodedAST_(ast.from, isBound);
  }
  return ast;
}, encodedAST = (ast) => encodedAST_(ast, !1);
var toJSONAnnotations = (annotations2) => {
  let out = {};
  for (let k of Object.getOwnPropertySymbols(annotations2))
    out[String(k)] = annotations2[k];
  return out;
}, getEncodedParameter = (ast) => {
  switch (ast._tag) {
    case "StringKeyword":
    case "SymbolKeyword":
    case "TemplateLiteral":
      return ast;
    case "Refinement":
      return getEncodedParameter(ast.from);
  }
};
var compose = (ab, cd) => new Transformation(ab, cd, composeTransformation);
var formatKeyword = (ast) => getOrElse(getExpected(ast), () => ast._tag);
function getBrands(ast) {
  return match2(getBrandAnnotation(ast), {
    onNone: () => "",
    onSome: (brands) => brands.map((brand) => ` & Brand<${formatUnknown(brand)}>`).join("")
  });
}
var getOrElseExpected = (ast) => getTitleAnnotation(ast).pipe(orElse(() => getDescriptionAnnotation(ast)), orElse(() => getAutoTitleAnnotation(ast)), map2((s) => s + getBrands(ast))), getExpected = (ast) => orElse(getIdentifierAnnotation(ast), () => getOrElseExpected(ast)), pruneUndefined = (ast, self, onTransformation) => {
  switch (ast._tag) {
    case "UndefinedKeyword":
      return neverKeyword;
    case "Union": {
      let types = [], hasUndefined = !1;
      for (let type of ast.types) {
        let pruned = self(type);
        pruned ? (hasUndefined = !0, isNeverKeyword(pruned) || types.push(pruned)) : types.push(type);
      }
      if (hasUndefined)
        return Union.make(types);
      break;
    }
    case "Suspend":
      return self(ast.f());
    case "Transformation":
      return onTransformation(ast);
  }
};

// node_modules/effect/dist/esm/ParseResult.js
var Pointer = class {
  path;
  actual;
  issue;
  /**
   * @since 3.10.0
   */
  _tag = "Pointer";
  constructor(path, actual, issue) {
    this.path = path, this.actual = actual, this.issue = issue;
  }
}, Unexpected = class {
  actual;
  message;
  /**
   * @since 3.10.0
   */
  _tag = "Unexpected";
  constructor(actual, message) {
    this.actual = actual, this.message = message;
  }
}, Missing = class {
  ast;
  message;
  /**
   * @since 3.10.0
   */
  _tag = "Missing";
  /**
   * @since 3.10.0
   */
  actual = void 0;
  constructor(ast, message) {
    this.ast = ast, this.message = message;
  }
}, Composite = class {
  ast;
  actual;
  issues;
  output;
  /**
   * @since 3.10.0
   */
  _tag = "Composite";
  constructor(ast, actual, issues, output) {
    this.ast = ast, this.actual = actual, this.issues = issues, this.output = output;
  }
}, Refinement2 = class {
  ast;
  actual;
  kind;
  issue;
  /**
   * @since 3.10.0
   */
  _tag = "Refinement";
  constructor(ast, actual, kind, issue) {
    this.ast = ast, this.actual = actual, this.kind = kind, this.issue = issue;
  }
}, Transformation2 = class {
  ast;
  actual;
  kind;
  issue;
  /**
   * @since 3.10.0
   */
  _tag = "Transformation";
  constructor(ast, actual, kind, issue) {
    this.ast = ast, this.actual = actual, this.kind = kind, this.issue = issue;
  }
}, Type2 = class {
  ast;
  actual;
  message;
  /**
   * @since 3.10.0
   */
  _tag = "Type";
  constructor(ast, actual, message) {
    this.ast = ast, this.actual = actual, this.message = message;
  }
}, Forbidden = class {
  ast;
  actual;
  message;
  /**
   * @since 3.10.0
   */
  _tag = "Forbidden";
  constructor(ast, actual, message) {
    this.ast = ast, this.actual = actual, this.message = message;
  }
}, ParseErrorTypeId = /* @__PURE__ */ Symbol.for("effect/Schema/ParseErrorTypeId"), isParseError = (u) => hasProperty(u, ParseErrorTypeId), ParseError = class extends (/* @__PURE__ */ TaggedError("ParseError")) {
  /**
   * @since 3.10.0
   */
  [ParseErrorTypeId] = ParseErrorTypeId;
  get message() {
    return this.toString();
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return TreeFormatter.formatIssueSync(this.issue);
  }
  /**
   * @since 3.10.0
   */
  toJSON() {
    return {
      _id: "ParseError",
      message: this.toString()
    };
  }
  /**
   * @since 3.10.0
   */
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
}, parseError = (issue) => new ParseError({
  issue
}), succeed4 = right, fail5 = left, _try = try_;
var fromOption2 = fromOption, isEither2 = isEither, flatMap5 = /* @__PURE__ */ dual(2, (self, f) => isEither2(self) ? match(self, {
  onLeft: left,
  onRight: f
}) : flatMap4(self, f)), map8 = /* @__PURE__ */ dual(2, (self, f) => isEither2(self) ? map(self, f) : map4(self, f)), mapError4 = /* @__PURE__ */ dual(2, (self, f) => isEither2(self) ? mapLeft(self, f) : mapError2(self, f));
var mapBoth3 = /* @__PURE__ */ dual(2, (self, options) => isEither2(self) ? mapBoth(self, {
  onLeft: options.onFailure,
  onRight: options.onSuccess
}) : mapBoth2(self, options)), orElse4 = /* @__PURE__ */ dual(2, (self, f) => isEither2(self) ? match(self, {
  onLeft: f,
  onRight: right
}) : catchAll2(self, f)), mergeInternalOptions = (options, overrideOptions) => overrideOptions === void 0 || isNumber(overrideOptions) ? options : options === void 0 ? overrideOptions : {
  ...options,
  ...overrideOptions
}, getEither = (ast, isDecoding, options) => {
  let parser = goMemo(ast, isDecoding);
  return (u, overrideOptions) => parser(u, mergeInternalOptions(options, overrideOptions));
}, getSync = (ast, isDecoding, options) => {
  let parser = getEither(ast, isDecoding, options);
  return (input, overrideOptions) => getOrThrowWith(parser(input, overrideOptions), parseError);
}, getOption = (ast, isDecoding, options) => {
  let parser = getEither(ast, isDecoding, options);
  return (input, overrideOptions) => getRight(parser(input, overrideOptions));
}, getEffect = (ast, isDecoding, options) => {
  let parser = goMemo(ast, isDecoding);
  return (input, overrideOptions) => parser(input, {
    ...mergeInternalOptions(options, overrideOptions),
    isEffectAllowed: !0
  });
}, decodeUnknownSync = (schema, options) => getSync(schema.ast, !0, options), decodeUnknownOption = (schema, options) => getOption(schema.ast, !0, options), decodeUnknownEither = (schema, options) => getEither(schema.ast, !0, options);
var decodeUnknown = (schema, options) => getEffect(schema.ast, !0, options), encodeUnknownSync = (schema, options) => getSync(schema.ast, !1, options);
var encodeUnknown = (schema, options) => getEffect(schema.ast, !1, options), decodeSync = decodeUnknownSync, decodeOption = decodeUnknownOption;
var validateSync = (schema, options) => getSync(typeAST(schema.ast), !0, options);
var is = (schema, options) => {
  let parser = goMemo(typeAST(schema.ast), !0);
  return (u, overrideOptions) => isRight(parser(u, {
    exact: !0,
    ...mergeInternalOptions(options, overrideOptions)
  }));
};
var encodeSync = encodeUnknownSync;
var decodeMemoMap = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/ParseResult/decodeMemoMap"), () => /* @__PURE__ */ new WeakMap()), encodeMemoMap = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/ParseResult/encodeMemoMap"), () => /* @__PURE__ */ new WeakMap()), goMemo = (ast, isDecoding) => {
  let memoMap = isDecoding ? decodeMemoMap : encodeMemoMap, memo = memoMap.get(ast);
  if (memo)
    return memo;
  let raw = go(ast, isDecoding), parseOptionsAnnotation = getParseOptionsAnnotation(ast), parserWithOptions = isSome(parseOptionsAnnotation) ? (i, options) => raw(i, mergeInternalOptions(options, parseOptionsAnnotation.value)) : raw, decodingFallbackAnnotation = getDecodingFallbackAnnotation(ast), parser = isDecoding && isSome(decodingFallbackAnnotation) ? (i, options) => handleForbidden(orElse4(parserWithOptions(i, options), decodingFallbackAnnotation.value), ast, i, options) : parserWithOptions;
  return memoMap.set(ast, parser), parser;
}, getConcurrency = (ast) => getOrUndefined(getConcurrencyAnnotation(ast)), getBatching = (ast) => getOrUndefined(getBatchingAnnotation(ast)), go = (ast, isDecoding) => {
  switch (ast._tag) {
    case "Refinement":
      if (isDecoding) {
        let from = goMemo(ast.from, !0);
        return (i, options) => {
          options = options ?? defaultParseOption;
          let allErrors = options?.errors === "all", result = flatMap5(orElse4(from(i, options), (ef) => {
            let issue = new Refinement2(ast, i, "From", ef);
            return allErrors && hasStableFilter(ast) && isComposite(ef) ? match2(ast.filter(i, options, ast), {
              onNone: () => left(issue),
              onSome: (ep) => left(new Composite(ast, i, [issue, new Refinement2(ast, i, "Predicate", ep)]))
            }) : left(issue);
          }), (a) => match2(ast.filter(a, options, ast), {
            onNone: () => right(a),
            onSome: (ep) => left(new Refinement2(ast, i, "Predicate", ep))
          }));
          return handleForbidden(result, ast, i, options);
        };
      } else {
        let from = goMemo(typeAST(ast), !0), to = goMemo(dropRightRefinement(ast.from), !1);
        return (i, options) => handleForbidden(flatMap5(from(i, options), (a) => to(a, options)), ast, i, options);
      }
    case "Transformation": {
      let transform2 = getFinalTransformation(ast.transformation, isDecoding), from = isDecoding ? goMemo(ast.from, !0) : goMemo(ast.to, !1), to = isDecoding ? goMemo(ast.to, !0) : goMemo(ast.from, !1);
      return (i, options) => handleForbidden(flatMap5(mapError4(from(i, options), (e) => new Transformation2(ast, i, isDecoding ? "Encoded" : "Type", e)), (a) => flatMap5(mapError4(transform2(a, options ?? defaultParseOption, ast, i), (e) => new Transformation2(ast, i, "Transformation", e)), (i2) => mapError4(to(i2, options), (e) => new Transformation2(ast, i, isDecoding ? "Type" : "Encoded", e)))), ast, i, options);
    }
    case "Declaration": {
      let parse2 = isDecoding ? ast.decodeUnknown(...ast.typeParameters) : ast.encodeUnknown(...ast.typeParameters);
      return (i, options) => handleForbidden(parse2(i, options ?? defaultParseOption, ast), ast, i, options);
    }
    case "Literal":
      return fromRefinement(ast, (u) => u === ast.literal);
    case "UniqueSymbol":
      return fromRefinement(ast, (u) => u === ast.symbol);
    case "UndefinedKeyword":
      return fromRefinement(ast, isUndefined);
    case "NeverKeyword":
      return fromRefinement(ast, isNever);
    case "UnknownKeyword":
    case "AnyKeyword":
    case "VoidKeyword":
      return right;
    case "StringKeyword":
      return fromRefinement(ast, isString);
    case "NumberKeyword":
      return fromRefinement(ast, isNumber);
    case "BooleanKeyword":
      return fromRefinement(ast, isBoolean);
    case "BigIntKeyword":
      return fromRefinement(ast, isBigInt);
    case "SymbolKeyword":
      return fromRefinement(ast, isSymbol);
    case "ObjectKeyword":
      return fromRefinement(ast, isObject);
    case "Enums":
      return fromRefinement(ast, (u) => ast.enums.some(([_, value3]) => value3 === u));
    case "TemplateLiteral": {
      if (ast.spans.every((span2) => isStringKeyword(span2.type)))
        return fromRefinement(ast, (u) => {
          if (!isString(u) || !u.startsWith(ast.head))
            return !1;
          let position = ast.head.length;
          for (let i = 0; i < ast.spans.length - 1; i++) {
            let literal3 = ast.spans[i].literal, index = u.indexOf(literal3, position);
            if (index === -1)
              return !1;
            position = index + literal3.length;
          }
          let literal2 = ast.spans[ast.spans.length - 1].literal;
          return u.endsWith(literal2) && u.length - literal2.length >= position;
        });
      let regex = getTemplateLiteralRegExp(ast);
      return fromRefinement(ast, (u) => isString(u) && regex.test(u));
    }
    case "TupleType": {
      let elements = ast.elements.map((e) => goMemo(e.type, isDecoding)), rest = ast.rest.map((annotatedAST) => goMemo(annotatedAST.type, isDecoding)), requiredTypes = ast.elements.filter((e) => !e.isOptional);
      ast.rest.length > 0 && (requiredTypes = requiredTypes.concat(ast.rest.slice(1)));
      let requiredLen = requiredTypes.length, expectedIndexes = ast.elements.length > 0 ? ast.elements.map((_, i) => i).join(" | ") : "never", concurrency = getConcurrency(ast), batching = getBatching(ast);
      return (input, options) => {
        if (!isArray(input))
          return left(new Type2(ast, input));
        let allErrors = options?.errors === "all", es = [], stepKey = 0, output = [], len = input.length;
        for (let i2 = len; i2 <= requiredLen - 1; i2++) {
          let e = new Pointer(i2, input, new Missing(requiredTypes[i2 - len]));
          if (allErrors) {
            es.push([stepKey++, e]);
            continue;
          } else
            return left(new Composite(ast, input, e, output));
        }
        if (ast.rest.length === 0)
          for (let i2 = ast.elements.length; i2 <= len - 1; i2++) {
            let e = new Pointer(i2, input, new Unexpected(input[i2], `is unexpected, expected: ${expectedIndexes}`));
            if (allErrors) {
              es.push([stepKey++, e]);
              continue;
            } else
              return left(new Composite(ast, input, e, output));
          }
        let i = 0, queue;
        for (; i < elements.length; i++)
          if (len < i + 1) {
            if (ast.elements[i].isOptional)
              continue;
          } else {
            let parser = elements[i], te = parser(input[i], options);
            if (isEither2(te)) {
              if (isLeft(te)) {
                let e = new Pointer(i, input, te.left);
                if (allErrors) {
                  es.push([stepKey++, e]);
                  continue;
                } else
                  return left(new Composite(ast, input, e, sortByIndex(output)));
              }
              output.push([stepKey++, te.right]);
            } else {
              let nk = stepKey++, index = i;
              queue || (queue = []), queue.push(({
                es: es2,
                output: output2
              }) => flatMap4(either(te), (t) => {
                if (isLeft(t)) {
                  let e = new Pointer(index, input, t.left);
                  return allErrors ? (es2.push([nk, e]), _void) : left(new Composite(ast, input, e, sortByIndex(output2)));
                }
                return output2.push([nk, t.right]), _void;
              }));
            }
          }
        if (isNonEmptyReadonlyArray(rest)) {
          let [head2, ...tail] = rest;
          for (; i < len - tail.length; i++) {
            let te = head2(input[i], options);
            if (isEither2(te))
              if (isLeft(te)) {
                let e = new Pointer(i, input, te.left);
                if (allErrors) {
                  es.push([stepKey++, e]);
                  continue;
                } else
                  return left(new Composite(ast, input, e, sortByIndex(output)));
              } else
                output.push([stepKey++, te.right]);
            else {
              let nk = stepKey++, index = i;
              queue || (queue = []), queue.push(({
                es: es2,
                output: output2
              }) => flatMap4(either(te), (t) => {
                if (isLeft(t)) {
                  let e = new Pointer(index, input, t.left);
                  return allErrors ? (es2.push([nk, e]), _void) : left(new Composite(ast, input, e, sortByIndex(output2)));
                } else
                  return output2.push([nk, t.right]), _void;
              }));
            }
          }
          for (let j = 0; j < tail.length; j++) {
            let index = i + j;
            if (!(len < index + 1)) {
              let te = tail[j](input[index], options);
              if (isEither2(te)) {
                if (isLeft(te)) {
                  let e = new Pointer(index, input, te.left);
                  if (allErrors) {
                    es.push([stepKey++, e]);
                    continue;
                  } else
                    return left(new Composite(ast, input, e, sortByIndex(output)));
                }
                output.push([stepKey++, te.right]);
              } else {
                let nk = stepKey++;
                queue || (queue = []), queue.push(({
                  es: es2,
                  output: output2
                }) => flatMap4(either(te), (t) => {
                  if (isLeft(t)) {
                    let e = new Pointer(index, input, t.left);
                    return allErrors ? (es2.push([nk, e]), _void) : left(new Composite(ast, input, e, sortByIndex(output2)));
                  }
                  return output2.push([nk, t.right]), _void;
                }));
              }
            }
          }
        }
        let computeResult = ({
          es: es2,
          output: output2
        }) => isNonEmptyArray(es2) ? left(new Composite(ast, input, sortByIndex(es2), sortByIndex(output2))) : right(sortByIndex(output2));
        if (queue && queue.length > 0) {
          let cqueue = queue;
          return suspend(() => {
            let state = {
              es: copy(es),
              output: copy(output)
            };
            return flatMap4(forEach(cqueue, (f) => f(state), {
              concurrency,
              batching,
              discard: !0
            }), () => computeResult(state));
          });
        }
        return computeResult({
          output,
          es
        });
      };
    }
    case "TypeLiteral": {
      if (ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0)
        return fromRefinement(ast, isNotNullable);
      let propertySignatures = [], expectedKeysMap = {}, expectedKeys = [];
      for (let ps of ast.propertySignatures)
        propertySignatures.push([goMemo(ps.type, isDecoding), ps]), expectedKeysMap[ps.name] = null, expectedKeys.push(ps.name);
      let indexSignatures = ast.indexSignatures.map((is2) => [goMemo(is2.parameter, isDecoding), goMemo(is2.type, isDecoding), is2.parameter]), expectedAST = Union.make(ast.indexSignatures.map((is2) => is2.parameter).concat(expectedKeys.map((key) => isSymbol(key) ? new UniqueSymbol(key) : new Literal(key)))), expected = goMemo(expectedAST, isDecoding), concurrency = getConcurrency(ast), batching = getBatching(ast);
      return (input, options) => {
        if (!isRecord(input))
          return left(new Type2(ast, input));
        let allErrors = options?.errors === "all", es = [], stepKey = 0, onExcessPropertyError = options?.onExcessProperty === "error", onExcessPropertyPreserve = options?.onExcessProperty === "preserve", output = {}, inputKeys;
        if (onExcessPropertyError || onExcessPropertyPreserve) {
          inputKeys = Reflect.ownKeys(input);
          for (let key of inputKeys) {
            let te = expected(key, options);
            if (isEither2(te) && isLeft(te))
              if (onExcessPropertyError) {
                let e = new Pointer(key, input, new Unexpected(input[key], `is unexpected, expected: ${String(expectedAST)}`));
                if (allErrors) {
                  es.push([stepKey++, e]);
                  continue;
                } else
                  return left(new Composite(ast, input, e, output));
              } else
                output[key] = input[key];
          }
        }
        let queue, isExact = options?.exact === !0;
        for (let i = 0; i < propertySignatures.length; i++) {
          let ps = propertySignatures[i][1], name = ps.name, hasKey = Object.prototype.hasOwnProperty.call(input, name);
          if (!hasKey) {
            if (ps.isOptional)
              continue;
            if (isExact) {
              let e = new Pointer(name, input, new Missing(ps));
              if (allErrors) {
                es.push([stepKey++, e]);
                continue;
              } else
                return left(new Composite(ast, input, e, output));
            }
          }
          let parser = propertySignatures[i][0], te = parser(input[name], options);
          if (isEither2(te)) {
            if (isLeft(te)) {
              let e = new Pointer(name, input, hasKey ? te.left : new Missing(ps));
              if (allErrors) {
                es.push([stepKey++, e]);
                continue;
              } else
                return left(new Composite(ast, input, e, output));
            }
            output[name] = te.right;
          } else {
            let nk = stepKey++, index = name;
            queue || (queue = []), queue.push(({
              es: es2,
              output: output2
            }) => flatMap4(either(te), (t) => {
              if (isLeft(t)) {
                let e = new Pointer(index, input, hasKey ? t.left : new Missing(ps));
                return allErrors ? (es2.push([nk, e]), _void) : left(new Composite(ast, input, e, output2));
              }
              return output2[index] = t.right, _void;
            }));
          }
        }
        for (let i = 0; i < indexSignatures.length; i++) {
          let indexSignature = indexSignatures[i], parameter = indexSignature[0], type = indexSignature[1], keys = getKeysForIndexSignature(input, indexSignature[2]);
          for (let key of keys) {
            let keu = parameter(key, options);
            if (isEither2(keu) && isRight(keu)) {
              let vpr = type(input[key], options);
              if (isEither2(vpr))
                if (isLeft(vpr)) {
                  let e = new Pointer(key, input, vpr.left);
                  if (allErrors) {
                    es.push([stepKey++, e]);
                    continue;
                  } else
                    return left(new Composite(ast, input, e, output));
                } else
                  Object.prototype.hasOwnProperty.call(expectedKeysMap, key) || (output[key] = vpr.right);
              else {
                let nk = stepKey++, index = key;
                queue || (queue = []), queue.push(({
                  es: es2,
                  output: output2
                }) => flatMap4(either(vpr), (tv) => {
                  if (isLeft(tv)) {
                    let e = new Pointer(index, input, tv.left);
                    return allErrors ? (es2.push([nk, e]), _void) : left(new Composite(ast, input, e, output2));
                  } else
                    return Object.prototype.hasOwnProperty.call(expectedKeysMap, key) || (output2[key] = tv.right), _void;
                }));
              }
            }
          }
        }
        let computeResult = ({
          es: es2,
          output: output2
        }) => {
          if (isNonEmptyArray(es2))
            return left(new Composite(ast, input, sortByIndex(es2), output2));
          if (options?.propertyOrder === "original") {
            let keys = inputKeys || Reflect.ownKeys(input);
            for (let name of expectedKeys)
              keys.indexOf(name) === -1 && keys.push(name);
            let out = {};
            for (let key of keys)
              Object.prototype.hasOwnProperty.call(output2, key) && (out[key] = output2[key]);
            return right(out);
          }
          return right(output2);
        };
        if (queue && queue.length > 0) {
          let cqueue = queue;
          return suspend(() => {
            let state = {
              es: copy(es),
              output: Object.assign({}, output)
            };
            return flatMap4(forEach(cqueue, (f) => f(state), {
              concurrency,
              batching,
              discard: !0
            }), () => computeResult(state));
          });
        }
        return computeResult({
          es,
          output
        });
      };
    }
    case "Union": {
      let searchTree = getSearchTree(ast.types, isDecoding), ownKeys = Reflect.ownKeys(searchTree.keys), ownKeysLen = ownKeys.length, astTypesLen = ast.types.length, map9 = /* @__PURE__ */ new Map();
      for (let i = 0; i < astTypesLen; i++)
        map9.set(ast.types[i], goMemo(ast.types[i], isDecoding));
      let concurrency = getConcurrency(ast) ?? 1, batching = getBatching(ast);
      return (input, options) => {
        let es = [], stepKey = 0, candidates = [];
        if (ownKeysLen > 0)
          if (isRecordOrArray(input))
            for (let i = 0; i < ownKeysLen; i++) {
              let name = ownKeys[i], buckets = searchTree.keys[name].buckets;
              if (Object.prototype.hasOwnProperty.call(input, name)) {
                let literal2 = String(input[name]);
                if (Object.prototype.hasOwnProperty.call(buckets, literal2))
                  candidates = candidates.concat(buckets[literal2]);
                else {
                  let {
                    candidates: candidates2,
                    literals
                  } = searchTree.keys[name], literalsUnion = Union.make(literals), errorAst = candidates2.length === astTypesLen ? new TypeLiteral([new PropertySignature(name, literalsUnion, !1, !0)], []) : Union.make(candidates2);
                  es.push([stepKey++, new Composite(errorAst, input, new Pointer(name, input, new Type2(literalsUnion, input[name])))]);
                }
              } else {
                let {
                  candidates: candidates2,
                  literals
                } = searchTree.keys[name], fakePropertySignature = new PropertySignature(name, Union.make(literals), !1, !0), errorAst = candidates2.length === astTypesLen ? new TypeLiteral([fakePropertySignature], []) : Union.make(candidates2);
                es.push([stepKey++, new Composite(errorAst, input, new Pointer(name, input, new Missing(fakePropertySignature)))]);
              }
            }
          else {
            let errorAst = searchTree.candidates.length === astTypesLen ? ast : Union.make(searchTree.candidates);
            es.push([stepKey++, new Type2(errorAst, input)]);
          }
        searchTree.otherwise.length > 0 && (candidates = candidates.concat(searchTree.otherwise));
        let queue;
        for (let i = 0; i < candidates.length; i++) {
          let candidate = candidates[i], pr = map9.get(candidate)(input, options);
          if (isEither2(pr) && (!queue || queue.length === 0)) {
            if (isRight(pr))
              return pr;
            es.push([stepKey++, pr.left]);
          } else {
            let nk = stepKey++;
            queue || (queue = []), queue.push((state) => suspend(() => "finalResult" in state ? _void : flatMap4(either(pr), (t) => (isRight(t) ? state.finalResult = t : state.es.push([nk, t.left]), _void))));
          }
        }
        let computeResult = (es2) => isNonEmptyArray(es2) ? es2.length === 1 && es2[0][1]._tag === "Type" ? left(es2[0][1]) : left(new Composite(ast, input, sortByIndex(es2))) : (
          // this should never happen
          left(new Type2(ast, input))
        );
        if (queue && queue.length > 0) {
          let cqueue = queue;
          return suspend(() => {
            let state = {
              es: copy(es)
            };
            return flatMap4(forEach(cqueue, (f) => f(state), {
              concurrency,
              batching,
              discard: !0
            }), () => "finalResult" in state ? state.finalResult : computeResult(state.es));
          });
        }
        return computeResult(es);
      };
    }
    case "Suspend": {
      let get = memoizeThunk(() => goMemo(ast.f(), isDecoding));
      return (a, options) => get()(a, options);
    }
  }
}, fromRefinement = (ast, refinement) => (u) => refinement(u) ? right(u) : left(new Type2(ast, u)), getLiterals = (ast, isDecoding) => {
  switch (ast._tag) {
    case "Declaration": {
      let annotation = getSurrogateAnnotation(ast);
      if (isSome(annotation))
        return getLiterals(annotation.value, isDecoding);
      break;
    }
    case "TypeLiteral": {
      let out = [];
      for (let i = 0; i < ast.propertySignatures.length; i++) {
        let propertySignature2 = ast.propertySignatures[i], type = isDecoding ? encodedAST(propertySignature2.type) : typeAST(propertySignature2.type);
        isLiteral(type) && !propertySignature2.isOptional && out.push([propertySignature2.name, type]);
      }
      return out;
    }
    case "TupleType": {
      let out = [];
      for (let i = 0; i < ast.elements.length; i++) {
        let element = ast.elements[i], type = isDecoding ? encodedAST(element.type) : typeAST(element.type);
        isLiteral(type) && !element.isOptional && out.push([i, type]);
      }
      return out;
    }
    case "Refinement":
      return getLiterals(ast.from, isDecoding);
    case "Suspend":
      return getLiterals(ast.f(), isDecoding);
    case "Transformation":
      return getLiterals(isDecoding ? ast.from : ast.to, isDecoding);
  }
  return [];
}, getSearchTree = (members, isDecoding) => {
  let keys = {}, otherwise = [], candidates = [];
  for (let i = 0; i < members.length; i++) {
    let member = members[i], tags = getLiterals(member, isDecoding);
    if (tags.length > 0) {
      candidates.push(member);
      for (let j = 0; j < tags.length; j++) {
        let [key, literal2] = tags[j], hash2 = String(literal2.literal);
        keys[key] = keys[key] || {
          buckets: {},
          literals: [],
          candidates: []
        };
        let buckets = keys[key].buckets;
        if (Object.prototype.hasOwnProperty.call(buckets, hash2)) {
          if (j < tags.length - 1)
            continue;
          buckets[hash2].push(member), keys[key].literals.push(literal2), keys[key].candidates.push(member);
        } else {
          buckets[hash2] = [member], keys[key].literals.push(literal2), keys[key].candidates.push(member);
          break;
        }
      }
    } else
      otherwise.push(member);
  }
  return {
    keys,
    otherwise,
    candidates
  };
}, dropRightRefinement = (ast) => isRefinement(ast) ? dropRightRefinement(ast.from) : ast, handleForbidden = (effect2, ast, actual, options) => {
  if (options?.isEffectAllowed === !0 || isEither2(effect2))
    return effect2;
  let scheduler = new SyncScheduler(), fiber = runFork(effect2, {
    scheduler
  });
  scheduler.flush();
  let exit = fiber.unsafePoll();
  if (exit) {
    if (isSuccess(exit))
      return right(exit.value);
    let cause = exit.cause;
    return isFailType(cause) ? left(cause.error) : left(new Forbidden(ast, actual, pretty(cause)));
  }
  return left(new Forbidden(ast, actual, "cannot be be resolved synchronously, this is caused by using runSync on an effect that performs async work"));
}, compare = ([a], [b]) => a > b ? 1 : a < b ? -1 : 0;
function sortByIndex(es) {
  return es.sort(compare).map((t) => t[1]);
}
var getFinalTransformation = (transformation, isDecoding) => {
  switch (transformation._tag) {
    case "FinalTransformation":
      return isDecoding ? transformation.decode : transformation.encode;
    case "ComposeTransformation":
      return right;
    case "TypeLiteralTransformation":
      return (input) => {
        let out = right(input);
        for (let pst of transformation.propertySignatureTransformations) {
          let [from, to] = isDecoding ? [pst.from, pst.to] : [pst.to, pst.from], transformation2 = isDecoding ? pst.decode : pst.encode;
          out = map8(out, (input2) => {
            let o = transformation2(Object.prototype.hasOwnProperty.call(input2, from) ? some(input2[from]) : none());
            return delete input2[from], isSome(o) && (input2[to] = o.value), input2;
          });
        }
        return out;
      };
  }
}, makeTree = (value3, forest = []) => ({
  value: value3,
  forest
}), TreeFormatter = {
  formatIssue: (issue) => map8(formatTree(issue), drawTree),
  formatIssueSync: (issue) => {
    let e = TreeFormatter.formatIssue(issue);
    return isEither2(e) ? getOrThrow(e) : runSync(e);
  },
  formatError: (error) => TreeFormatter.formatIssue(error.issue),
  formatErrorSync: (error) => TreeFormatter.formatIssueSync(error.issue)
}, drawTree = (tree) => tree.value + draw(`
`, tree.forest), draw = (indentation, forest) => {
  let r = "", len = forest.length, tree;
  for (let i = 0; i < len; i++) {
    tree = forest[i];
    let isLast = i === len - 1;
    r += indentation + (isLast ? "\u2514" : "\u251C") + "\u2500 " + tree.value, r += draw(indentation + (len > 1 && !isLast ? "\u2502  " : "   "), tree.forest);
  }
  return r;
}, formatTransformationKind = (kind) => {
  switch (kind) {
    case "Encoded":
      return "Encoded side transformation failure";
    case "Transformation":
      return "Transformation process failure";
    case "Type":
      return "Type side transformation failure";
  }
}, formatRefinementKind = (kind) => {
  switch (kind) {
    case "From":
      return "From side refinement failure";
    case "Predicate":
      return "Predicate refinement failure";
  }
}, getAnnotated = (issue) => "ast" in issue ? some(issue.ast) : none(), Either_void = /* @__PURE__ */ right(void 0), getCurrentMessage = (issue) => getAnnotated(issue).pipe(flatMap(getMessageAnnotation), match2({
  onNone: () => Either_void,
  onSome: (messageAnnotation) => {
    let union = messageAnnotation(issue);
    return isString(union) ? right({
      message: union,
      override: !1
    }) : isEffect(union) ? map4(union, (message) => ({
      message,
      override: !1
    })) : isString(union.message) ? right({
      message: union.message,
      override: union.override
    }) : map4(union.message, (message) => ({
      message,
      override: union.override
    }));
  }
})), createParseIssueGuard = (tag2) => (issue) => issue._tag === tag2, isComposite = /* @__PURE__ */ createParseIssueGuard("Composite"), isRefinement2 = /* @__PURE__ */ createParseIssueGuard("Refinement"), isTransformation2 = /* @__PURE__ */ createParseIssueGuard("Transformation"), getMessage = (issue) => flatMap5(getCurrentMessage(issue), (currentMessage) => currentMessage !== void 0 ? !currentMessage.override && (isComposite(issue) || isRefinement2(issue) && issue.kind === "From" || isTransformation2(issue) && issue.kind !== "Transformation") ? isTransformation2(issue) || isRefinement2(issue) ? getMessage(issue.issue) : Either_void : right(currentMessage.message) : Either_void), getParseIssueTitleAnnotation2 = (issue) => getAnnotated(issue).pipe(flatMap(getParseIssueTitleAnnotation), flatMapNullable((annotation) => annotation(issue)), getOrUndefined);
function getRefinementExpected(ast) {
  return getDescriptionAnnotation(ast).pipe(orElse(() => getTitleAnnotation(ast)), orElse(() => getAutoTitleAnnotation(ast)), orElse(() => getIdentifierAnnotation(ast)), getOrElse(() => `{ ${ast.from} | filter }`));
}
function getDefaultTypeMessage(issue) {
  return issue.message !== void 0 ? issue.message : `Expected ${isRefinement(issue.ast) ? getRefinementExpected(issue.ast) : String(issue.ast)}, actual ${formatUnknown(issue.actual)}`;
}
var formatTypeMessage = (issue) => map8(getMessage(issue), (message) => message ?? getParseIssueTitleAnnotation2(issue) ?? getDefaultTypeMessage(issue)), getParseIssueTitle = (issue) => getParseIssueTitleAnnotation2(issue) ?? String(issue.ast), formatForbiddenMessage = (issue) => issue.message ?? "is forbidden", formatUnexpectedMessage = (issue) => issue.message ?? "is unexpected", formatMissingMessage = (issue) => {
  let missingMessageAnnotation = getMissingMessageAnnotation(issue.ast);
  if (isSome(missingMessageAnnotation)) {
    let annotation = missingMessageAnnotation.value();
    return isString(annotation) ? right(annotation) : annotation;
  }
  return right(issue.message ?? "is missing");
}, formatTree = (issue) => {
  switch (issue._tag) {
    case "Type":
      return map8(formatTypeMessage(issue), makeTree);
    case "Forbidden":
      return right(makeTree(getParseIssueTitle(issue), [makeTree(formatForbiddenMessage(issue))]));
    case "Unexpected":
      return right(makeTree(formatUnexpectedMessage(issue)));
    case "Missing":
      return map8(formatMissingMessage(issue), makeTree);
    case "Transformation":
      return flatMap5(getMessage(issue), (message) => message !== void 0 ? right(makeTree(message)) : map8(formatTree(issue.issue), (tree) => makeTree(getParseIssueTitle(issue), [makeTree(formatTransformationKind(issue.kind), [tree])])));
    case "Refinement":
      return flatMap5(getMessage(issue), (message) => message !== void 0 ? right(makeTree(message)) : map8(formatTree(issue.issue), (tree) => makeTree(getParseIssueTitle(issue), [makeTree(formatRefinementKind(issue.kind), [tree])])));
    case "Pointer":
      return map8(formatTree(issue.issue), (tree) => makeTree(formatPath(issue.path), [tree]));
    case "Composite":
      return flatMap5(getMessage(issue), (message) => {
        if (message !== void 0)
          return right(makeTree(message));
        let parseIssueTitle = getParseIssueTitle(issue);
        return isNonEmpty(issue.issues) ? map8(forEach(issue.issues, formatTree), (forest) => makeTree(parseIssueTitle, forest)) : map8(formatTree(issue.issues), (tree) => makeTree(parseIssueTitle, [tree]));
      });
  }
}, makeArrayFormatterIssue = (_tag, path, message) => ({
  _tag,
  path,
  message
}), ArrayFormatter = {
  formatIssue: (issue) => getArrayFormatterIssues(issue, void 0, []),
  formatIssueSync: (issue) => {
    let e = ArrayFormatter.formatIssue(issue);
    return isEither2(e) ? getOrThrow(e) : runSync(e);
  },
  formatError: (error) => ArrayFormatter.formatIssue(error.issue),
  formatErrorSync: (error) => ArrayFormatter.formatIssueSync(error.issue)
}, getArrayFormatterIssues = (issue, parentTag, path) => {
  let _tag = issue._tag;
  switch (_tag) {
    case "Type":
      return map8(formatTypeMessage(issue), (message) => [makeArrayFormatterIssue(parentTag ?? _tag, path, message)]);
    case "Forbidden":
      return right([makeArrayFormatterIssue(_tag, path, formatForbiddenMessage(issue))]);
    case "Unexpected":
      return right([makeArrayFormatterIssue(_tag, path, formatUnexpectedMessage(issue))]);
    case "Missing":
      return map8(formatMissingMessage(issue), (message) => [makeArrayFormatterIssue(_tag, path, message)]);
    case "Pointer":
      return getArrayFormatterIssues(issue.issue, void 0, path.concat(issue.path));
    case "Composite":
      return flatMap5(getMessage(issue), (message) => message !== void 0 ? right([makeArrayFormatterIssue(_tag, path, message)]) : isNonEmpty(issue.issues) ? map8(forEach(issue.issues, (issue2) => getArrayFormatterIssues(issue2, void 0, path)), flatten) : getArrayFormatterIssues(issue.issues, void 0, path));
    case "Refinement":
      return flatMap5(getMessage(issue), (message) => message !== void 0 ? right([makeArrayFormatterIssue(_tag, path, message)]) : getArrayFormatterIssues(issue.issue, issue.kind === "Predicate" ? _tag : void 0, path));
    case "Transformation":
      return flatMap5(getMessage(issue), (message) => message !== void 0 ? right([makeArrayFormatterIssue(_tag, path, message)]) : getArrayFormatterIssues(issue.issue, issue.kind === "Transformation" ? _tag : void 0, path));
  }
};

// node_modules/effect/dist/esm/Redacted.js
var isRedacted2 = isRedacted, make3 = make2, value2 = value;
var getEquivalence3 = (isEquivalent) => make((x, y) => isEquivalent(value2(x), value2(y)));

// node_modules/effect/dist/esm/DateTime.js
var unsafeMakeZoned2 = unsafeMakeZoned, makeZoned2 = makeZoned;
var zoneMakeNamed2 = zoneMakeNamed;
var zonedOffset2 = zonedOffset;
var toEpochMillis2 = toEpochMillis;
var formatIsoOffset2 = formatIsoOffset;

// node_modules/effect/dist/esm/internal/encoding/common.js
var DecodeExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Encoding/errors/Decode"), DecodeException = (input, message) => {
  let out = {
    _tag: "DecodeException",
    [DecodeExceptionTypeId]: DecodeExceptionTypeId,
    input
  };
  return isString(message) && (out.message = message), out;
};
var decoder = /* @__PURE__ */ new TextDecoder();

// node_modules/effect/dist/esm/internal/encoding/base64.js
var decode = (str) => {
  let stripped = stripCrlf(str), length2 = stripped.length;
  if (length2 % 4 !== 0)
    return left(DecodeException(stripped, `Length must be a multiple of 4, but is ${length2}`));
  let index = stripped.indexOf("=");
  if (index !== -1 && (index < length2 - 2 || index === length2 - 2 && stripped[length2 - 1] !== "="))
    return left(DecodeException(stripped, "Found a '=' character, but it is not at the end"));
  try {
    let missingOctets = stripped.endsWith("==") ? 2 : stripped.endsWith("=") ? 1 : 0, result = new Uint8Array(3 * (length2 / 4) - missingOctets);
    for (let i = 0, j = 0; i < length2; i += 4, j += 3) {
      let buffer = getBase64Code(stripped.charCodeAt(i)) << 18 | getBase64Code(stripped.charCodeAt(i + 1)) << 12 | getBase64Code(stripped.charCodeAt(i + 2)) << 6 | getBase64Code(stripped.charCodeAt(i + 3));
      result[j] = buffer >> 16, result[j + 1] = buffer >> 8 & 255, result[j + 2] = buffer & 255;
    }
    return right(result);
  } catch (e) {
    return left(DecodeException(stripped, e instanceof Error ? e.message : "Invalid input"));
  }
}, stripCrlf = (str) => str.replace(/[\n\r]/g, "");
function getBase64Code(charCode) {
  if (charCode >= base64codes.length)
    throw new TypeError(`Invalid character ${String.fromCharCode(charCode)}`);
  let code = base64codes[charCode];
  if (code === 255)
    throw new TypeError(`Invalid character ${String.fromCharCode(charCode)}`);
  return code;
}
var base64codes = [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 62, 255, 255, 255, 63, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 255, 255, 255, 0, 255, 255, 255, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 255, 255, 255, 255, 255, 255, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51];

// node_modules/effect/dist/esm/Encoding.js
var decodeBase64 = (str) => decode(str), decodeBase64String = (str) => map(decodeBase64(str), (_) => decoder.decode(_));
var decodeUriComponent = (str) => try_({
  try: () => decodeURIComponent(str),
  catch: (e) => DecodeException2(str, e instanceof Error ? e.message : "Invalid input")
});
var DecodeException2 = DecodeException;

// node_modules/effect/dist/esm/internal/schema/schemaId.js
var DateFromSelfSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/DateFromSelf"), GreaterThanSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/GreaterThan"), GreaterThanOrEqualToSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/GreaterThanOrEqualTo");
var IntSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Int");
var FiniteSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Finite"), JsonNumberSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/JsonNumber"), BetweenSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Between");
var MinLengthSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/MinLength"), MaxLengthSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/MaxLength"), LengthSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Length"), MinItemsSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/MinItems"), MaxItemsSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/MaxItems"), ItemsCountSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/ItemsCount");

// node_modules/effect/dist/esm/Struct.js
var pick = /* @__PURE__ */ dual((args) => isObject(args[0]), (s, ...keys) => {
  let out = {};
  for (let k of keys)
    k in s && (out[k] = s[k]);
  return out;
}), omit = /* @__PURE__ */ dual((args) => isObject(args[0]), (s, ...keys) => {
  let out = {
    ...s
  };
  for (let k of keys)
    delete out[k];
  return out;
});

// node_modules/effect/dist/esm/Schema.js
var TypeId2 = /* @__PURE__ */ Symbol.for("effect/Schema");
function make5(ast) {
  return class {
    [TypeId2] = variance;
    static ast = ast;
    static annotations(annotations2) {
      return make5(mergeSchemaAnnotations(this.ast, annotations2));
    }
    static pipe() {
      return pipeArguments(this, arguments);
    }
    static toString() {
      return String(ast);
    }
    static Type;
    static Encoded;
    static Context;
    static [TypeId2] = variance;
  };
}
var variance = {
  /* c8 ignore next */
  _A: (_) => _,
  /* c8 ignore next */
  _I: (_) => _,
  /* c8 ignore next */
  _R: (_) => _
};
var builtInAnnotations = {
  typeConstructor: TypeConstructorAnnotationId,
  schemaId: SchemaIdAnnotationId,
  message: MessageAnnotationId,
  missingMessage: MissingMessageAnnotationId,
  identifier: IdentifierAnnotationId,
  title: TitleAnnotationId,
  description: DescriptionAnnotationId,
  examples: ExamplesAnnotationId,
  default: DefaultAnnotationId,
  documentation: DocumentationAnnotationId,
  jsonSchema: JSONSchemaAnnotationId,
  arbitrary: ArbitraryAnnotationId,
  pretty: PrettyAnnotationId,
  equivalence: EquivalenceAnnotationId,
  concurrency: ConcurrencyAnnotationId,
  batching: BatchingAnnotationId,
  parseIssueTitle: ParseIssueTitleAnnotationId,
  parseOptions: ParseOptionsAnnotationId,
  decodingFallback: DecodingFallbackAnnotationId
}, toASTAnnotations = (annotations2) => {
  if (!annotations2)
    return {};
  let out = {
    ...annotations2
  };
  for (let key in builtInAnnotations)
    if (key in annotations2) {
      let id = builtInAnnotations[key];
      out[id] = annotations2[key], delete out[key];
    }
  return out;
}, mergeSchemaAnnotations = (ast, annotations2) => annotations(ast, toASTAnnotations(annotations2));
var format2 = (schema) => String(schema.ast), encodedSchema = (schema) => make5(encodedAST(schema.ast));
var typeSchema = (schema) => make5(typeAST(schema.ast)), encodeUnknown2 = (schema, options) => {
  let encodeUnknown3 = encodeUnknown(schema, options);
  return (u, overrideOptions) => mapError4(encodeUnknown3(u, overrideOptions), parseError);
};
var encode2 = encodeUnknown2;
var decodeUnknown2 = (schema, options) => {
  let decodeUnknown3 = decodeUnknown(schema, options);
  return (u, overrideOptions) => mapError4(decodeUnknown3(u, overrideOptions), parseError);
}, decodeUnknownEither2 = (schema, options) => {
  let decodeUnknownEither3 = decodeUnknownEither(schema, options);
  return (u, overrideOptions) => mapLeft(decodeUnknownEither3(u, overrideOptions), parseError);
};
var decode3 = decodeUnknown2;
var isSchema = (u) => hasProperty(u, TypeId2) && isObject(u[TypeId2]);
function getDefaultLiteralAST(literals) {
  return isMembers(literals) ? Union.make(mapMembers(literals, (literal2) => new Literal(literal2))) : new Literal(literals[0]);
}
function makeLiteralClass(literals, ast = getDefaultLiteralAST(literals)) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeLiteralClass(this.literals, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static literals = [...literals];
  };
}
function Literal2(...literals) {
  return isNonEmptyReadonlyArray(literals) ? makeLiteralClass(literals) : Never;
}
var declareConstructor = (typeParameters, options, annotations2) => makeDeclareClass(typeParameters, new Declaration(typeParameters.map((tp) => tp.ast), (...typeParameters2) => options.decode(...typeParameters2.map(make5)), (...typeParameters2) => options.encode(...typeParameters2.map(make5)), toASTAnnotations(annotations2))), declarePrimitive = (is2, annotations2) => {
  let decodeUnknown3 = () => (input, _, ast) => is2(input) ? succeed4(input) : fail5(new Type2(ast, input)), encodeUnknown3 = decodeUnknown3;
  return makeDeclareClass([], new Declaration([], decodeUnknown3, encodeUnknown3, toASTAnnotations(annotations2)));
};
function makeDeclareClass(typeParameters, ast) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeDeclareClass(this.typeParameters, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static typeParameters = [...typeParameters];
  };
}
var declare = function() {
  if (Array.isArray(arguments[0])) {
    let typeParameters = arguments[0], options = arguments[1], annotations3 = arguments[2];
    return declareConstructor(typeParameters, options, annotations3);
  }
  let is2 = arguments[0], annotations2 = arguments[1];
  return declarePrimitive(is2, annotations2);
};
var InstanceOfSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/InstanceOf"), instanceOf = (constructor, annotations2) => declare((u) => u instanceof constructor, {
  title: constructor.name,
  description: `an instance of ${constructor.name}`,
  pretty: () => String,
  schemaId: InstanceOfSchemaId,
  [InstanceOfSchemaId]: {
    constructor
  },
  ...annotations2
}), Undefined = class extends (/* @__PURE__ */ make5(undefinedKeyword)) {
}, Void = class extends (/* @__PURE__ */ make5(voidKeyword)) {
}, Null = class extends (/* @__PURE__ */ make5($null)) {
}, Never = class extends (/* @__PURE__ */ make5(neverKeyword)) {
}, Unknown = class extends (/* @__PURE__ */ make5(unknownKeyword)) {
};
var SymbolFromSelf = class extends (/* @__PURE__ */ make5(symbolKeyword)) {
}, String$ = class extends (/* @__PURE__ */ make5(stringKeyword)) {
}, Number$ = class extends (/* @__PURE__ */ make5(numberKeyword)) {
}, Boolean$ = class extends (/* @__PURE__ */ make5(booleanKeyword)) {
};
var getDefaultUnionAST = (members) => Union.make(members.map((m) => m.ast));
function makeUnionClass(members, ast = getDefaultUnionAST(members)) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeUnionClass(this.members, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static members = [...members];
  };
}
function Union2(...members) {
  return isMembers(members) ? makeUnionClass(members) : isNonEmptyReadonlyArray(members) ? members[0] : Never;
}
var NullOr = (self) => Union2(self, Null), UndefinedOr = (self) => Union2(self, Undefined), NullishOr = (self) => Union2(self, Null, Undefined);
var ElementImpl = class _ElementImpl {
  ast;
  from;
  [TypeId2];
  _Token;
  constructor(ast, from) {
    this.ast = ast, this.from = from;
  }
  annotations(annotations2) {
    return new _ElementImpl(new OptionalType(this.ast.type, this.ast.isOptional, {
      ...this.ast.annotations,
      ...toASTAnnotations(annotations2)
    }), this.from);
  }
  toString() {
    return `${this.ast.type}${this.ast.isOptional ? "?" : ""}`;
  }
}, getDefaultTupleTypeAST = (elements, rest) => new TupleType(elements.map((el) => isSchema(el) ? new OptionalType(el.ast, !1) : el.ast), rest.map((el) => isSchema(el) ? new Type(el.ast) : el.ast), !0);
function makeTupleTypeClass(elements, rest, ast = getDefaultTupleTypeAST(elements, rest)) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeTupleTypeClass(this.elements, this.rest, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static elements = [...elements];
    static rest = [...rest];
  };
}
function Tuple(...args) {
  return Array.isArray(args[0]) ? makeTupleTypeClass(args[0], args.slice(1)) : makeTupleTypeClass(args, []);
}
function makeArrayClass(value3, ast) {
  return class extends makeTupleTypeClass([], [value3], ast) {
    static annotations(annotations2) {
      return makeArrayClass(this.value, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static value = value3;
  };
}
var Array$ = (value3) => makeArrayClass(value3);
function makeNonEmptyArrayClass(value3, ast) {
  return class extends makeTupleTypeClass([value3], [value3], ast) {
    static annotations(annotations2) {
      return makeNonEmptyArrayClass(this.value, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static value = value3;
  };
}
var NonEmptyArray = (value3) => makeNonEmptyArrayClass(value3);
var formatPropertySignatureToken = (isOptional) => isOptional ? '"?:"' : '":"', PropertySignatureDeclaration = class extends OptionalType {
  isReadonly;
  defaultValue;
  /**
   * @since 3.10.0
   */
  _tag = "PropertySignatureDeclaration";
  constructor(type, isOptional, isReadonly, annotations2, defaultValue) {
    super(type, isOptional, annotations2), this.isReadonly = isReadonly, this.defaultValue = defaultValue;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    let token = formatPropertySignatureToken(this.isOptional), type = String(this.type);
    return `PropertySignature<${token}, ${type}, never, ${token}, ${type}>`;
  }
}, FromPropertySignature = class extends OptionalType {
  isReadonly;
  fromKey;
  constructor(type, isOptional, isReadonly, annotations2, fromKey) {
    super(type, isOptional, annotations2), this.isReadonly = isReadonly, this.fromKey = fromKey;
  }
}, ToPropertySignature = class extends OptionalType {
  isReadonly;
  defaultValue;
  constructor(type, isOptional, isReadonly, annotations2, defaultValue) {
    super(type, isOptional, annotations2), this.isReadonly = isReadonly, this.defaultValue = defaultValue;
  }
}, formatPropertyKey2 = (p) => p === void 0 ? "never" : isString(p) ? JSON.stringify(p) : String(p), PropertySignatureTransformation2 = class {
  from;
  to;
  decode;
  encode;
  /**
   * @since 3.10.0
   */
  _tag = "PropertySignatureTransformation";
  constructor(from, to, decode4, encode3) {
    this.from = from, this.to = to, this.decode = decode4, this.encode = encode3;
  }
  /**
   * @since 3.10.0
   */
  toString() {
    return `PropertySignature<${formatPropertySignatureToken(this.to.isOptional)}, ${this.to.type}, ${formatPropertyKey2(this.from.fromKey)}, ${formatPropertySignatureToken(this.from.isOptional)}, ${this.from.type}>`;
  }
}, mergeSignatureAnnotations = (ast, annotations2) => {
  switch (ast._tag) {
    case "PropertySignatureDeclaration":
      return new PropertySignatureDeclaration(ast.type, ast.isOptional, ast.isReadonly, {
        ...ast.annotations,
        ...annotations2
      }, ast.defaultValue);
    case "PropertySignatureTransformation":
      return new PropertySignatureTransformation2(ast.from, new ToPropertySignature(ast.to.type, ast.to.isOptional, ast.to.isReadonly, {
        ...ast.to.annotations,
        ...annotations2
      }, ast.to.defaultValue), ast.decode, ast.encode);
  }
}, PropertySignatureTypeId = /* @__PURE__ */ Symbol.for("effect/PropertySignature"), isPropertySignature = (u) => hasProperty(u, PropertySignatureTypeId), PropertySignatureImpl = class _PropertySignatureImpl {
  ast;
  [TypeId2];
  [PropertySignatureTypeId] = null;
  _TypeToken;
  _Key;
  _EncodedToken;
  _HasDefault;
  constructor(ast) {
    this.ast = ast;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  annotations(annotations2) {
    return new _PropertySignatureImpl(mergeSignatureAnnotations(this.ast, toASTAnnotations(annotations2)));
  }
  toString() {
    return String(this.ast);
  }
}, makePropertySignature = (ast) => new PropertySignatureImpl(ast), PropertySignatureWithFromImpl = class _PropertySignatureWithFromImpl extends PropertySignatureImpl {
  from;
  constructor(ast, from) {
    super(ast), this.from = from;
  }
  annotations(annotations2) {
    return new _PropertySignatureWithFromImpl(mergeSignatureAnnotations(this.ast, toASTAnnotations(annotations2)), this.from);
  }
}, propertySignature = (self) => new PropertySignatureWithFromImpl(new PropertySignatureDeclaration(self.ast, !1, !0, {}, void 0), self), withConstructorDefault = /* @__PURE__ */ dual(2, (self, defaultValue) => {
  let ast = self.ast;
  switch (ast._tag) {
    case "PropertySignatureDeclaration":
      return makePropertySignature(new PropertySignatureDeclaration(ast.type, ast.isOptional, ast.isReadonly, ast.annotations, defaultValue));
    case "PropertySignatureTransformation":
      return makePropertySignature(new PropertySignatureTransformation2(ast.from, new ToPropertySignature(ast.to.type, ast.to.isOptional, ast.to.isReadonly, ast.to.annotations, defaultValue), ast.decode, ast.encode));
  }
});
var optionalToRequired = (from, to, options) => makePropertySignature(new PropertySignatureTransformation2(new FromPropertySignature(from.ast, !0, !0, {}, void 0), new ToPropertySignature(to.ast, !1, !0, {}, void 0), (o) => some(options.decode(o)), flatMap(options.encode)));
var optionalToOptional = (from, to, options) => makePropertySignature(new PropertySignatureTransformation2(new FromPropertySignature(from.ast, !0, !0, {}, void 0), new ToPropertySignature(to.ast, !0, !0, {}, void 0), options.decode, options.encode)), optionalPropertySignatureAST = (self, options) => {
  let isExact = options?.exact, defaultValue = options?.default, isNullable = options?.nullable, asOption = options?.as == "Option", asOptionEncode = options?.onNoneEncoding ? orElse(options.onNoneEncoding) : identity;
  if (isExact) {
    if (defaultValue)
      return isNullable ? withConstructorDefault(optionalToRequired(NullOr(self), typeSchema(self), {
        decode: match2({
          onNone: defaultValue,
          onSome: (a) => a === null ? defaultValue() : a
        }),
        encode: some
      }), defaultValue).ast : withConstructorDefault(optionalToRequired(self, typeSchema(self), {
        decode: match2({
          onNone: defaultValue,
          onSome: identity
        }),
        encode: some
      }), defaultValue).ast;
    if (asOption) {
      let to = OptionFromSelf_(typeSchema(self));
      return isNullable ? optionalToRequired(NullOr(self), to, {
        decode: filter(isNotNull),
        encode: asOptionEncode
      }).ast : optionalToRequired(self, to, {
        decode: identity,
        encode: identity
      }).ast;
    } else
      return isNullable ? optionalToOptional(NullOr(self), typeSchema(self), {
        decode: filter(isNotNull),
        encode: identity
      }).ast : new PropertySignatureDeclaration(self.ast, !0, !0, {}, void 0);
  } else {
    if (defaultValue)
      return isNullable ? withConstructorDefault(optionalToRequired(NullishOr(self), typeSchema(self), {
        decode: match2({
          onNone: defaultValue,
          onSome: (a) => a ?? defaultValue()
        }),
        encode: some
      }), defaultValue).ast : withConstructorDefault(optionalToRequired(UndefinedOr(self), typeSchema(self), {
        decode: match2({
          onNone: defaultValue,
          onSome: (a) => a === void 0 ? defaultValue() : a
        }),
        encode: some
      }), defaultValue).ast;
    if (asOption) {
      let to = OptionFromSelf_(typeSchema(self));
      return isNullable ? optionalToRequired(NullishOr(self), to, {
        decode: filter((a) => a != null),
        encode: asOptionEncode
      }).ast : optionalToRequired(UndefinedOr(self), to, {
        decode: filter(isNotUndefined),
        encode: asOptionEncode
      }).ast;
    } else
      return isNullable ? optionalToOptional(NullishOr(self), UndefinedOr(typeSchema(self)), {
        decode: filter(isNotNull),
        encode: identity
      }).ast : new PropertySignatureDeclaration(UndefinedOr(self).ast, !0, !0, {}, void 0);
  }
}, optional = (self) => {
  let ast = self.ast === undefinedKeyword || self.ast === neverKeyword ? undefinedKeyword : UndefinedOr(self).ast;
  return new PropertySignatureWithFromImpl(new PropertySignatureDeclaration(ast, !0, !0, {}, void 0), self);
}, optionalWith = /* @__PURE__ */ dual((args) => isSchema(args[0]), (self, options) => new PropertySignatureWithFromImpl(optionalPropertySignatureAST(self, options), self)), preserveMissingMessageAnnotation = /* @__PURE__ */ pickAnnotations([MissingMessageAnnotationId]), getDefaultTypeLiteralAST = (fields, records) => {
  let ownKeys = Reflect.ownKeys(fields), pss = [];
  if (ownKeys.length > 0) {
    let from = [], to = [], transformations = [];
    for (let i = 0; i < ownKeys.length; i++) {
      let key = ownKeys[i], field = fields[key];
      if (isPropertySignature(field)) {
        let ast = field.ast;
        switch (ast._tag) {
          case "PropertySignatureDeclaration": {
            let type = ast.type, isOptional = ast.isOptional, toAnnotations = ast.annotations;
            from.push(new PropertySignature(key, type, isOptional, !0, preserveMissingMessageAnnotation(ast))), to.push(new PropertySignature(key, typeAST(type), isOptional, !0, toAnnotations)), pss.push(new PropertySignature(key, type, isOptional, !0, toAnnotations));
            break;
          }
          case "PropertySignatureTransformation": {
            let fromKey = ast.from.fromKey ?? key;
            from.push(new PropertySignature(fromKey, ast.from.type, ast.from.isOptional, !0, ast.from.annotations)), to.push(new PropertySignature(key, ast.to.type, ast.to.isOptional, !0, ast.to.annotations)), transformations.push(new PropertySignatureTransformation(fromKey, key, ast.decode, ast.encode));
            break;
          }
        }
      } else
        from.push(new PropertySignature(key, field.ast, !1, !0)), to.push(new PropertySignature(key, typeAST(field.ast), !1, !0)), pss.push(new PropertySignature(key, field.ast, !1, !0));
    }
    if (isNonEmptyReadonlyArray(transformations)) {
      let issFrom = [], issTo = [];
      for (let r of records) {
        let {
          indexSignatures,
          propertySignatures
        } = record(r.key.ast, r.value.ast);
        propertySignatures.forEach((ps) => {
          from.push(ps), to.push(new PropertySignature(ps.name, typeAST(ps.type), ps.isOptional, ps.isReadonly, ps.annotations));
        }), indexSignatures.forEach((is2) => {
          issFrom.push(is2), issTo.push(new IndexSignature(is2.parameter, typeAST(is2.type), is2.isReadonly));
        });
      }
      return new Transformation(new TypeLiteral(from, issFrom, {
        [AutoTitleAnnotationId]: "Struct (Encoded side)"
      }), new TypeLiteral(to, issTo, {
        [AutoTitleAnnotationId]: "Struct (Type side)"
      }), new TypeLiteralTransformation(transformations));
    }
  }
  let iss = [];
  for (let r of records) {
    let {
      indexSignatures,
      propertySignatures
    } = record(r.key.ast, r.value.ast);
    propertySignatures.forEach((ps) => pss.push(ps)), indexSignatures.forEach((is2) => iss.push(is2));
  }
  return new TypeLiteral(pss, iss);
}, lazilyMergeDefaults = (fields, out) => {
  let ownKeys = Reflect.ownKeys(fields);
  for (let key of ownKeys) {
    let field = fields[key];
    if (out[key] === void 0 && isPropertySignature(field)) {
      let ast = field.ast, defaultValue = ast._tag === "PropertySignatureDeclaration" ? ast.defaultValue : ast.to.defaultValue;
      defaultValue !== void 0 && (out[key] = defaultValue());
    }
  }
  return out;
};
function makeTypeLiteralClass(fields, records, ast = getDefaultTypeLiteralAST(fields, records)) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeTypeLiteralClass(this.fields, this.records, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static fields = {
      ...fields
    };
    static records = [...records];
    static make = (props, options) => {
      let propsWithDefaults = lazilyMergeDefaults(fields, {
        ...props
      });
      return getDisableValidationMakeOption(options) ? propsWithDefaults : validateSync(this)(propsWithDefaults);
    };
    static pick(...keys) {
      return Struct(pick(fields, ...keys));
    }
    static omit(...keys) {
      return Struct(omit(fields, ...keys));
    }
  };
}
function Struct(fields, ...records) {
  return makeTypeLiteralClass(fields, records);
}
var tag = (tag2) => Literal2(tag2).pipe(propertySignature, withConstructorDefault(() => tag2)), TaggedStruct = (value3, fields) => Struct({
  _tag: tag(value3),
  ...fields
});
function makeRecordClass(key, value3, ast) {
  return class extends makeTypeLiteralClass({}, [{
    key,
    value: value3
  }], ast) {
    static annotations(annotations2) {
      return makeRecordClass(key, value3, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static key = key;
    static value = value3;
  };
}
var Record = (options) => makeRecordClass(options.key, options.value);
var intersectTypeLiterals = (x, y, path) => {
  if (isTypeLiteral(x) && isTypeLiteral(y)) {
    let propertySignatures = [...x.propertySignatures];
    for (let ps of y.propertySignatures) {
      let name = ps.name, i = propertySignatures.findIndex((ps2) => ps2.name === name);
      if (i === -1)
        propertySignatures.push(ps);
      else {
        let {
          isOptional,
          type
        } = propertySignatures[i];
        propertySignatures[i] = new PropertySignature(name, extendAST(type, ps.type, path.concat(name)), isOptional, !0);
      }
    }
    return new TypeLiteral(propertySignatures, x.indexSignatures.concat(y.indexSignatures));
  }
  throw new Error(getSchemaExtendErrorMessage(x, y, path));
}, preserveRefinementAnnotations = /* @__PURE__ */ omitAnnotations([IdentifierAnnotationId]), addRefinementToMembers = (refinement, asts) => asts.map((ast) => new Refinement(ast, refinement.filter, preserveRefinementAnnotations(refinement))), extendAST = (x, y, path) => Union.make(intersectUnionMembers([x], [y], path)), getTypes = (ast) => isUnion(ast) ? ast.types : [ast], intersectUnionMembers = (xs, ys, path) => flatMap2(xs, (x) => flatMap2(ys, (y) => {
  switch (y._tag) {
    case "Literal": {
      if (isString(y.literal) && isStringKeyword(x) || isNumber(y.literal) && isNumberKeyword(x) || isBoolean(y.literal) && isBooleanKeyword(x))
        return [y];
      break;
    }
    case "StringKeyword": {
      if (y === stringKeyword) {
        if (isStringKeyword(x) || isLiteral(x) && isString(x.literal))
          return [x];
        if (isRefinement(x))
          return addRefinementToMembers(x, intersectUnionMembers(getTypes(x.from), [y], path));
      } else if (x === stringKeyword)
        return [y];
      break;
    }
    case "NumberKeyword": {
      if (y === numberKeyword) {
        if (isNumberKeyword(x) || isLiteral(x) && isNumber(x.literal))
          return [x];
        if (isRefinement(x))
          return addRefinementToMembers(x, intersectUnionMembers(getTypes(x.from), [y], path));
      } else if (x === numberKeyword)
        return [y];
      break;
    }
    case "BooleanKeyword": {
      if (y === booleanKeyword) {
        if (isBooleanKeyword(x) || isLiteral(x) && isBoolean(x.literal))
          return [x];
        if (isRefinement(x))
          return addRefinementToMembers(x, intersectUnionMembers(getTypes(x.from), [y], path));
      } else if (x === booleanKeyword)
        return [y];
      break;
    }
    case "Union":
      return intersectUnionMembers(getTypes(x), y.types, path);
    case "Suspend":
      return [new Suspend(() => extendAST(x, y.f(), path))];
    case "Refinement":
      return addRefinementToMembers(y, intersectUnionMembers(getTypes(x), getTypes(y.from), path));
    case "TypeLiteral": {
      switch (x._tag) {
        case "Union":
          return intersectUnionMembers(x.types, [y], path);
        case "Suspend":
          return [new Suspend(() => extendAST(x.f(), y, path))];
        case "Refinement":
          return addRefinementToMembers(x, intersectUnionMembers(getTypes(x.from), [y], path));
        case "TypeLiteral":
          return [intersectTypeLiterals(x, y, path)];
        case "Transformation": {
          let transformation = x.transformation, from = intersectTypeLiterals(x.from, y, path), to = intersectTypeLiterals(x.to, typeAST(y), path);
          switch (transformation._tag) {
            case "TypeLiteralTransformation":
              return [new Transformation(from, to, new TypeLiteralTransformation(transformation.propertySignatureTransformations))];
            case "ComposeTransformation":
              return [new Transformation(from, to, composeTransformation)];
            case "FinalTransformation":
              return [new Transformation(from, to, new FinalTransformation((fromA, options, ast, fromI) => map8(transformation.decode(fromA, options, ast, fromI), (partial2) => ({
                ...fromA,
                ...partial2
              })), (toI, options, ast, toA) => map8(transformation.encode(toI, options, ast, toA), (partial2) => ({
                ...toI,
                ...partial2
              }))))];
          }
        }
      }
      break;
    }
    case "Transformation": {
      if (isTransformation(x)) {
        if (isTypeLiteralTransformation(y.transformation) && isTypeLiteralTransformation(x.transformation))
          return [new Transformation(intersectTypeLiterals(x.from, y.from, path), intersectTypeLiterals(x.to, y.to, path), new TypeLiteralTransformation(y.transformation.propertySignatureTransformations.concat(x.transformation.propertySignatureTransformations)))];
      } else
        return intersectUnionMembers([y], [x], path);
      break;
    }
  }
  throw new Error(getSchemaExtendErrorMessage(x, y, path));
})), extend = /* @__PURE__ */ dual(2, (self, that) => make5(extendAST(self.ast, that.ast, []))), compose2 = /* @__PURE__ */ dual((args) => isSchema(args[1]), (from, to) => makeTransformationClass(from, to, compose(from.ast, to.ast))), suspend4 = (f) => make5(new Suspend(() => f().ast)), RefineSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Refine");
function makeRefineClass(from, filter3, ast) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeRefineClass(this.from, this.filter, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static [RefineSchemaId] = from;
    static from = from;
    static filter = filter3;
    static make = (a, options) => getDisableValidationMakeOption(options) ? a : validateSync(this)(a);
  };
}
var fromFilterPredicateReturnTypeItem = (item, ast, input) => {
  if (isBoolean(item))
    return item ? none() : some(new Type2(ast, input));
  if (isString(item))
    return some(new Type2(ast, input, item));
  if (item !== void 0) {
    if ("_tag" in item)
      return some(item);
    let issue = new Type2(ast, input, item.message);
    return some(isNonEmptyReadonlyArray(item.path) ? new Pointer(item.path, input, issue) : issue);
  }
  return none();
}, toFilterParseIssue = (out, ast, input) => {
  if (isSingle(out))
    return fromFilterPredicateReturnTypeItem(out, ast, input);
  if (isNonEmptyReadonlyArray(out)) {
    let issues = filterMap(out, (issue) => fromFilterPredicateReturnTypeItem(issue, ast, input));
    if (isNonEmptyReadonlyArray(issues))
      return some(issues.length === 1 ? issues[0] : new Composite(ast, input, issues));
  }
  return none();
};
function filter2(predicate, annotations2) {
  return (self) => {
    function filter3(input, options, ast2) {
      return toFilterParseIssue(predicate(input, options, ast2), ast2, input);
    }
    let ast = new Refinement(self.ast, filter3, toASTAnnotations(annotations2));
    return makeRefineClass(self, filter3, ast);
  };
}
function makeTransformationClass(from, to, ast) {
  return class extends make5(ast) {
    static annotations(annotations2) {
      return makeTransformationClass(this.from, this.to, mergeSchemaAnnotations(this.ast, annotations2));
    }
    static from = from;
    static to = to;
  };
}
var transformOrFail = /* @__PURE__ */ dual((args) => isSchema(args[0]) && isSchema(args[1]), (from, to, options) => makeTransformationClass(from, to, new Transformation(from.ast, to.ast, new FinalTransformation(options.decode, options.encode)))), transform = /* @__PURE__ */ dual((args) => isSchema(args[0]) && isSchema(args[1]), (from, to, options) => transformOrFail(from, to, {
  strict: !0,
  decode: (fromA, _options, _ast, toA) => succeed4(options.decode(fromA, toA)),
  encode: (toI, _options, _ast, toA) => succeed4(options.encode(toI, toA))
}));
var TrimmedSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Trimmed"), trimmed = (annotations2) => (self) => self.pipe(filter2((a) => a === a.trim(), {
  schemaId: TrimmedSchemaId,
  title: "trimmed",
  description: "a string with no leading or trailing whitespace",
  jsonSchema: {
    pattern: "^\\S[\\s\\S]*\\S$|^\\S$|^$"
  },
  ...annotations2
})), MaxLengthSchemaId2 = MaxLengthSchemaId, maxLength = (maxLength2, annotations2) => (self) => self.pipe(filter2((a) => a.length <= maxLength2, {
  schemaId: MaxLengthSchemaId2,
  title: `maxLength(${maxLength2})`,
  description: `a string at most ${maxLength2} character(s) long`,
  jsonSchema: {
    maxLength: maxLength2
  },
  ...annotations2
})), MinLengthSchemaId2 = MinLengthSchemaId, minLength = (minLength2, annotations2) => (self) => self.pipe(filter2((a) => a.length >= minLength2, {
  schemaId: MinLengthSchemaId2,
  title: `minLength(${minLength2})`,
  description: `a string at least ${minLength2} character(s) long`,
  jsonSchema: {
    minLength: minLength2
  },
  ...annotations2
})), LengthSchemaId2 = LengthSchemaId, length = (length2, annotations2) => (self) => {
  let minLength2 = isObject(length2) ? Math.max(0, Math.floor(length2.min)) : Math.max(0, Math.floor(length2)), maxLength2 = isObject(length2) ? Math.max(minLength2, Math.floor(length2.max)) : minLength2;
  return minLength2 !== maxLength2 ? self.pipe(filter2((a) => a.length >= minLength2 && a.length <= maxLength2, {
    schemaId: LengthSchemaId2,
    title: `length({ min: ${minLength2}, max: ${maxLength2})`,
    description: `a string at least ${minLength2} character(s) and at most ${maxLength2} character(s) long`,
    jsonSchema: {
      minLength: minLength2,
      maxLength: maxLength2
    },
    ...annotations2
  })) : self.pipe(filter2((a) => a.length === minLength2, {
    schemaId: LengthSchemaId2,
    title: `length(${minLength2})`,
    description: minLength2 === 1 ? "a single character" : `a string ${minLength2} character(s) long`,
    jsonSchema: {
      minLength: minLength2,
      maxLength: minLength2
    },
    ...annotations2
  }));
}, PatternSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/Pattern"), pattern = (regex, annotations2) => (self) => {
  let source = regex.source;
  return self.pipe(filter2((a) => (regex.lastIndex = 0, regex.test(a)), {
    schemaId: PatternSchemaId,
    [PatternSchemaId]: {
      regex
    },
    // title: `pattern(/${source}/)`, // avoiding this because it can be very long
    description: `a string matching the pattern ${source}`,
    jsonSchema: {
      pattern: source
    },
    ...annotations2
  }));
};
var nonEmptyString3 = (annotations2) => minLength(1, {
  title: "nonEmptyString",
  description: "a non empty string",
  ...annotations2
});
var Trimmed = class extends (/* @__PURE__ */ String$.pipe(/* @__PURE__ */ trimmed({
  identifier: "Trimmed"
}))) {
}, NonEmptyTrimmedString = class extends (/* @__PURE__ */ Trimmed.pipe(/* @__PURE__ */ nonEmptyString3({
  identifier: "NonEmptyTrimmedString"
}))) {
};
var getErrorMessage2 = (e) => e instanceof Error ? e.message : String(e), getParseJsonTransformation = (options) => transformOrFail(String$.annotations({
  description: "a string to be decoded into JSON"
}), Unknown, {
  strict: !0,
  decode: (i, _, ast) => _try({
    try: () => JSON.parse(i, options?.reviver),
    catch: (e) => new Type2(ast, i, getErrorMessage2(e))
  }),
  encode: (a, _, ast) => _try({
    try: () => JSON.stringify(a, options?.replacer, options?.space),
    catch: (e) => new Type2(ast, a, getErrorMessage2(e))
  })
}).annotations({
  title: "parseJson",
  schemaId: ParseJsonSchemaId
}), parseJson = (schemaOrOptions, o) => isSchema(schemaOrOptions) ? compose2(parseJson(o), schemaOrOptions) : getParseJsonTransformation(schemaOrOptions), NonEmptyString = class extends (/* @__PURE__ */ String$.pipe(/* @__PURE__ */ nonEmptyString3({
  identifier: "NonEmptyString"
}))) {
}, UUIDSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/UUID"), uuidRegexp = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/i, UUID = class extends (/* @__PURE__ */ String$.pipe(/* @__PURE__ */ pattern(uuidRegexp, {
  schemaId: UUIDSchemaId,
  identifier: "UUID",
  jsonSchema: {
    format: "uuid",
    pattern: uuidRegexp.source
  },
  description: "a Universally Unique Identifier",
  arbitrary: () => (fc) => fc.uuid()
}))) {
};
var FiniteSchemaId2 = FiniteSchemaId, finite = (annotations2) => (self) => self.pipe(filter2(Number.isFinite, {
  schemaId: FiniteSchemaId2,
  title: "finite",
  description: "a finite number",
  jsonSchema: {},
  ...annotations2
})), GreaterThanSchemaId2 = GreaterThanSchemaId, greaterThan3 = (exclusiveMinimum, annotations2) => (self) => self.pipe(filter2((a) => a > exclusiveMinimum, {
  schemaId: GreaterThanSchemaId2,
  title: `greaterThan(${exclusiveMinimum})`,
  description: exclusiveMinimum === 0 ? "a positive number" : `a number greater than ${exclusiveMinimum}`,
  jsonSchema: {
    exclusiveMinimum
  },
  ...annotations2
})), GreaterThanOrEqualToSchemaId2 = GreaterThanOrEqualToSchemaId, greaterThanOrEqualTo3 = (minimum, annotations2) => (self) => self.pipe(filter2((a) => a >= minimum, {
  schemaId: GreaterThanOrEqualToSchemaId2,
  title: `greaterThanOrEqualTo(${minimum})`,
  description: minimum === 0 ? "a non-negative number" : `a number greater than or equal to ${minimum}`,
  jsonSchema: {
    minimum
  },
  ...annotations2
}));
var IntSchemaId2 = IntSchemaId, int = (annotations2) => (self) => self.pipe(filter2((a) => Number.isSafeInteger(a), {
  schemaId: IntSchemaId2,
  title: "int",
  description: "an integer",
  jsonSchema: {
    type: "integer"
  },
  ...annotations2
}));
var BetweenSchemaId2 = BetweenSchemaId, between3 = (minimum, maximum, annotations2) => (self) => self.pipe(filter2((a) => a >= minimum && a <= maximum, {
  schemaId: BetweenSchemaId2,
  title: `between(${minimum}, ${maximum})`,
  description: `a number between ${minimum} and ${maximum}`,
  jsonSchema: {
    minimum,
    maximum
  },
  ...annotations2
}));
var positive = (annotations2) => greaterThan3(0, {
  title: "positive",
  ...annotations2
});
var nonNegative = (annotations2) => greaterThanOrEqualTo3(0, {
  title: "nonNegative",
  ...annotations2
});
function parseNumber(self) {
  return transformOrFail(self, Number$, {
    strict: !1,
    decode: (i, _, ast) => fromOption2(parse(i), () => new Type2(ast, i, `Unable to decode ${JSON.stringify(i)} into a number`)),
    encode: (a) => succeed4(String(a))
  });
}
var NumberFromString = class extends (/* @__PURE__ */ parseNumber(String$.annotations({
  description: "a string to be decoded into a number"
})).annotations({
  identifier: "NumberFromString"
})) {
};
var Int = class extends (/* @__PURE__ */ Number$.pipe(/* @__PURE__ */ int({
  identifier: "Int"
}))) {
};
var NonNegative = class extends (/* @__PURE__ */ Number$.pipe(/* @__PURE__ */ nonNegative({
  identifier: "NonNegative"
}))) {
}, JsonNumberSchemaId2 = JsonNumberSchemaId, JsonNumber = class extends (/* @__PURE__ */ Number$.pipe(/* @__PURE__ */ finite({
  schemaId: JsonNumberSchemaId2,
  identifier: "JsonNumber"
}))) {
};
var encodeSymbol = (sym, ast) => {
  let key = Symbol.keyFor(sym);
  return key === void 0 ? fail5(new Type2(ast, sym, `Unable to encode a unique symbol ${String(sym)} into a string`)) : succeed4(key);
}, decodeSymbol = (s) => succeed4(Symbol.for(s));
var redactedArbitrary = (value3) => (fc) => value3(fc).map(make3), toComposite = (eff, onSuccess, ast, actual) => mapBoth3(eff, {
  onFailure: (e) => new Composite(ast, actual, e),
  onSuccess
}), redactedParse = (decodeUnknown3) => (u, options, ast) => isRedacted2(u) ? toComposite(decodeUnknown3(value2(u), options), make3, ast, u) : fail5(new Type2(ast, u)), RedactedFromSelf = (value3) => declare([value3], {
  decode: (value4) => redactedParse(decodeUnknown(value4)),
  encode: (value4) => redactedParse(encodeUnknown(value4))
}, {
  typeConstructor: {
    _tag: "effect/Redacted"
  },
  description: "Redacted(<redacted>)",
  pretty: () => () => "Redacted(<redacted>)",
  arbitrary: redactedArbitrary,
  equivalence: getEquivalence3
});
function Redacted(value3) {
  return transform(value3, RedactedFromSelf(typeSchema(value3)), {
    strict: !0,
    decode: (i) => make3(i),
    encode: (a) => value2(a)
  });
}
var DurationFromSelf = class extends (/* @__PURE__ */ declare(isDuration, {
  typeConstructor: {
    _tag: "effect/Duration"
  },
  identifier: "DurationFromSelf",
  pretty: () => String,
  arbitrary: () => (fc) => fc.oneof(fc.constant(infinity), fc.bigInt({
    min: 0n
  }).map((_) => nanos(_)), fc.maxSafeNat().map((_) => millis(_))),
  equivalence: () => Equivalence
})) {
};
var NonNegativeInt = /* @__PURE__ */ NonNegative.pipe(int()).annotations({
  identifier: "NonNegativeInt"
});
var Uint8ArrayFromSelf = class extends (/* @__PURE__ */ declare(isUint8Array, {
  typeConstructor: {
    _tag: "Uint8Array"
  },
  identifier: "Uint8ArrayFromSelf",
  pretty: () => (u8arr) => `new Uint8Array(${JSON.stringify(Array.from(u8arr))})`,
  arbitrary: () => (fc) => fc.uint8Array(),
  equivalence: () => getEquivalence2(equals)
})) {
};
var MinItemsSchemaId2 = MinItemsSchemaId, minItems = (n, annotations2) => (self) => {
  let minItems2 = Math.floor(n);
  if (minItems2 < 1)
    throw new Error(getInvalidArgumentErrorMessage(`Expected an integer greater than or equal to 1, actual ${n}`));
  return self.pipe(filter2((a) => a.length >= minItems2, {
    schemaId: MinItemsSchemaId2,
    title: `minItems(${minItems2})`,
    description: `an array of at least ${minItems2} item(s)`,
    jsonSchema: {
      minItems: minItems2
    },
    [StableFilterAnnotationId]: !0,
    ...annotations2
  }));
}, MaxItemsSchemaId2 = MaxItemsSchemaId, maxItems = (n, annotations2) => (self) => {
  let maxItems2 = Math.floor(n);
  if (maxItems2 < 1)
    throw new Error(getInvalidArgumentErrorMessage(`Expected an integer greater than or equal to 1, actual ${n}`));
  return self.pipe(filter2((a) => a.length <= maxItems2, {
    schemaId: MaxItemsSchemaId2,
    title: `maxItems(${maxItems2})`,
    description: `an array of at most ${maxItems2} item(s)`,
    jsonSchema: {
      maxItems: maxItems2
    },
    [StableFilterAnnotationId]: !0,
    ...annotations2
  }));
}, ItemsCountSchemaId2 = ItemsCountSchemaId, itemsCount = (n, annotations2) => (self) => {
  let itemsCount2 = Math.floor(n);
  if (itemsCount2 < 0)
    throw new Error(getInvalidArgumentErrorMessage(`Expected an integer greater than or equal to 0, actual ${n}`));
  return self.pipe(filter2((a) => a.length === itemsCount2, {
    schemaId: ItemsCountSchemaId2,
    title: `itemsCount(${itemsCount2})`,
    description: `an array of exactly ${itemsCount2} item(s)`,
    jsonSchema: {
      minItems: itemsCount2,
      maxItems: itemsCount2
    },
    [StableFilterAnnotationId]: !0,
    ...annotations2
  }));
};
var ValidDateSchemaId = /* @__PURE__ */ Symbol.for("effect/SchemaId/ValidDate"), validDate = (annotations2) => (self) => self.pipe(filter2((a) => !Number.isNaN(a.getTime()), {
  schemaId: ValidDateSchemaId,
  [ValidDateSchemaId]: {
    noInvalidDate: !0
  },
  title: "validDate",
  description: "a valid Date",
  ...annotations2
}));
var DateFromSelfSchemaId2 = DateFromSelfSchemaId, DateFromSelf = class extends (/* @__PURE__ */ declare(isDate, {
  typeConstructor: {
    _tag: "Date"
  },
  identifier: "DateFromSelf",
  schemaId: DateFromSelfSchemaId2,
  [DateFromSelfSchemaId2]: {
    noInvalidDate: !1
  },
  description: "a potentially invalid Date instance",
  pretty: () => (date2) => `new Date(${JSON.stringify(date2)})`,
  arbitrary: () => (fc) => fc.date({
    noInvalidDate: !1
  }),
  equivalence: () => Date2
})) {
};
var DateFromString = class extends (/* @__PURE__ */ transform(String$.annotations({
  description: "a string to be decoded into a Date"
}), DateFromSelf, {
  strict: !0,
  decode: (i) => new Date(i),
  encode: (a) => formatDate(a)
}).annotations({
  identifier: "DateFromString"
})) {
}, Date$ = class extends (/* @__PURE__ */ DateFromString.pipe(/* @__PURE__ */ validDate({
  identifier: "Date"
}))) {
};
var optionDecode = (input) => input._tag === "None" ? none() : some(input.value), optionArbitrary = (value3, ctx) => (fc) => fc.oneof(ctx, fc.record({
  _tag: fc.constant("None")
}), fc.record({
  _tag: fc.constant("Some"),
  value: value3(fc)
})).map(optionDecode), optionPretty = (value3) => match2({
  onNone: () => "none()",
  onSome: (a) => `some(${value3(a)})`
}), optionParse = (decodeUnknown3) => (u, options, ast) => isOption(u) ? isNone(u) ? succeed4(none()) : toComposite(decodeUnknown3(u.value, options), some, ast, u) : fail5(new Type2(ast, u)), OptionFromSelf_ = (value3) => declare([value3], {
  decode: (value4) => optionParse(decodeUnknown(value4)),
  encode: (value4) => optionParse(encodeUnknown(value4))
}, {
  typeConstructor: {
    _tag: "effect/Option"
  },
  pretty: optionPretty,
  arbitrary: optionArbitrary,
  equivalence: getEquivalence
});
var isField = (u) => isSchema(u) || isPropertySignature(u), isFields = (fields) => Reflect.ownKeys(fields).every((key) => isField(fields[key])), getFields = (hasFields) => "fields" in hasFields ? hasFields.fields : getFields(hasFields[RefineSchemaId]), getSchemaFromFieldsOr = (fieldsOr) => isFields(fieldsOr) ? Struct(fieldsOr) : isSchema(fieldsOr) ? fieldsOr : Struct(getFields(fieldsOr)), getFieldsFromFieldsOr = (fieldsOr) => isFields(fieldsOr) ? fieldsOr : getFields(fieldsOr);
var getClassTag = (tag2) => withConstructorDefault(propertySignature(Literal2(tag2)), () => tag2);
var TaggedError2 = (identifier) => (tag2, fieldsOr, annotations2) => {
  class Base extends Error2 {
  }
  Base.prototype.name = tag2;
  let fields = getFieldsFromFieldsOr(fieldsOr), schema = getSchemaFromFieldsOr(fieldsOr), newFields = {
    _tag: getClassTag(tag2)
  }, taggedFields = extendFields(newFields, fields), hasMessageField = "message" in taggedFields;
  class TaggedErrorClass extends makeClass({
    kind: "TaggedError",
    identifier: identifier ?? tag2,
    schema: extend(schema, Struct(newFields)),
    fields: taggedFields,
    Base,
    annotations: annotations2,
    disableToString: !0
  }) {
    static _tag = tag2;
  }
  return hasMessageField || Object.defineProperty(TaggedErrorClass.prototype, "message", {
    get() {
      return `{ ${Reflect.ownKeys(fields).map((p) => `${formatPropertyKey(p)}: ${formatUnknown(this[p])}`).join(", ")} }`;
    },
    enumerable: !1,
    // mirrors the built-in Error.prototype.message, whose descriptor is also non-enumerable
    configurable: !0
  }), TaggedErrorClass;
}, extendFields = (a, b) => {
  let out = {
    ...a
  };
  for (let key of Reflect.ownKeys(b)) {
    if (key in a)
      throw new Error(getASTDuplicatePropertySignatureErrorMessage(key));
    out[key] = b[key];
  }
  return out;
};
function getDisableValidationMakeOption(options) {
  return isBoolean(options) ? options : options?.disableValidation ?? !1;
}
var astCache = /* @__PURE__ */ globalValue("effect/Schema/astCache", () => /* @__PURE__ */ new WeakMap()), getClassAnnotations = (annotations2) => annotations2 === void 0 ? [] : Array.isArray(annotations2) ? annotations2 : [annotations2], makeClass = ({
  Base,
  annotations: annotations2,
  disableToString,
  fields,
  identifier,
  kind,
  schema
}) => {
  let classSymbol = /* @__PURE__ */ Symbol.for(`effect/Schema/${kind}/${identifier}`), [typeAnnotations, transformationAnnotations, encodedAnnotations] = getClassAnnotations(annotations2), typeSchema_ = typeSchema(schema), declarationSurrogate = typeSchema_.annotations({
    identifier,
    ...typeAnnotations
  }), typeSide = typeSchema_.annotations({
    [AutoTitleAnnotationId]: `${identifier} (Type side)`,
    ...typeAnnotations
  }), constructorSchema = schema.annotations({
    [AutoTitleAnnotationId]: `${identifier} (Constructor)`,
    ...typeAnnotations
  }), encodedSide = schema.annotations({
    [AutoTitleAnnotationId]: `${identifier} (Encoded side)`,
    ...encodedAnnotations
  }), transformationSurrogate = schema.annotations({
    ...encodedAnnotations,
    ...typeAnnotations,
    ...transformationAnnotations
  }), fallbackInstanceOf = (u) => hasProperty(u, classSymbol) && is(typeSide)(u), klass = class extends Base {
    constructor(props = {}, options = !1) {
      props = {
        ...props
      }, kind !== "Class" && delete props._tag, props = lazilyMergeDefaults(fields, props), getDisableValidationMakeOption(options) || (props = validateSync(constructorSchema)(props)), super(props, !0);
    }
    // ----------------
    // Schema interface
    // ----------------
    static [TypeId2] = variance;
    static get ast() {
      let out = astCache.get(this);
      if (out)
        return out;
      let declaration = declare([schema], {
        decode: () => (input, _, ast) => input instanceof this || fallbackInstanceOf(input) ? succeed4(input) : fail5(new Type2(ast, input)),
        encode: () => (input, options) => input instanceof this ? succeed4(input) : map8(encodeUnknown(typeSide)(input, options), (props) => new this(props, !0))
      }, {
        identifier,
        pretty: (pretty2) => (self) => `${identifier}(${pretty2(self)})`,
        // @ts-expect-error
        arbitrary: (arb) => (fc) => arb(fc).map((props) => new this(props)),
        equivalence: identity,
        [SurrogateAnnotationId]: declarationSurrogate.ast,
        ...typeAnnotations
      });
      return out = transform(encodedSide, declaration, {
        strict: !0,
        decode: (i) => new this(i, !0),
        encode: identity
      }).annotations({
        [SurrogateAnnotationId]: transformationSurrogate.ast,
        ...transformationAnnotations
      }).ast, astCache.set(this, out), out;
    }
    static pipe() {
      return pipeArguments(this, arguments);
    }
    static annotations(annotations3) {
      return make5(this.ast).annotations(annotations3);
    }
    static toString() {
      return `(${String(encodedSide)} <-> ${identifier})`;
    }
    // ----------------
    // Class interface
    // ----------------
    static make(...args) {
      return new this(...args);
    }
    static fields = {
      ...fields
    };
    static identifier = identifier;
    static extend(identifier2) {
      return (newFieldsOr, annotations3) => {
        let newFields = getFieldsFromFieldsOr(newFieldsOr), newSchema = getSchemaFromFieldsOr(newFieldsOr), extendedFields = extendFields(fields, newFields);
        return makeClass({
          kind,
          identifier: identifier2,
          schema: extend(schema, newSchema),
          fields: extendedFields,
          Base: this,
          annotations: annotations3
        });
      };
    }
    static transformOrFail(identifier2) {
      return (newFieldsOr, options, annotations3) => {
        let transformedFields = extendFields(fields, newFieldsOr);
        return makeClass({
          kind,
          identifier: identifier2,
          schema: transformOrFail(schema, typeSchema(Struct(transformedFields)), options),
          fields: transformedFields,
          Base: this,
          annotations: annotations3
        });
      };
    }
    static transformOrFailFrom(identifier2) {
      return (newFields, options, annotations3) => {
        let transformedFields = extendFields(fields, newFields);
        return makeClass({
          kind,
          identifier: identifier2,
          schema: transformOrFail(encodedSchema(schema), Struct(transformedFields), options),
          fields: transformedFields,
          Base: this,
          annotations: annotations3
        });
      };
    }
    // ----------------
    // other
    // ----------------
    get [classSymbol]() {
      return classSymbol;
    }
  };
  return disableToString !== !0 && Object.defineProperty(klass.prototype, "toString", {
    value() {
      return `${identifier}({ ${Reflect.ownKeys(fields).map((p) => `${formatPropertyKey(p)}: ${formatUnknown(this[p])}`).join(", ")} })`;
    },
    configurable: !0,
    writable: !0
  }), klass;
}, FiberIdNoneEncoded = /* @__PURE__ */ Struct({
  _tag: Literal2("None")
}).annotations({
  identifier: "FiberIdNoneEncoded"
}), FiberIdRuntimeEncoded = /* @__PURE__ */ Struct({
  _tag: Literal2("Runtime"),
  id: Int,
  startTimeMillis: Int
}).annotations({
  identifier: "FiberIdRuntimeEncoded"
}), FiberIdCompositeEncoded = /* @__PURE__ */ Struct({
  _tag: Literal2("Composite"),
  left: suspend4(() => FiberIdEncoded),
  right: suspend4(() => FiberIdEncoded)
}).annotations({
  identifier: "FiberIdCompositeEncoded"
}), FiberIdEncoded = /* @__PURE__ */ Union2(FiberIdNoneEncoded, FiberIdRuntimeEncoded, FiberIdCompositeEncoded).annotations({
  identifier: "FiberIdEncoded"
}), fiberIdArbitrary = (fc) => fc.letrec((tie) => ({
  None: fc.record({
    _tag: fc.constant("None")
  }),
  Runtime: fc.record({
    _tag: fc.constant("Runtime"),
    id: fc.integer(),
    startTimeMillis: fc.integer()
  }),
  Composite: fc.record({
    _tag: fc.constant("Composite"),
    left: tie("FiberId"),
    right: tie("FiberId")
  }),
  FiberId: fc.oneof(tie("None"), tie("Runtime"), tie("Composite"))
})).FiberId.map(fiberIdDecode), fiberIdPretty = (fiberId) => {
  switch (fiberId._tag) {
    case "None":
      return "FiberId.none";
    case "Runtime":
      return `FiberId.runtime(${fiberId.id}, ${fiberId.startTimeMillis})`;
    case "Composite":
      return `FiberId.composite(${fiberIdPretty(fiberId.right)}, ${fiberIdPretty(fiberId.left)})`;
  }
};
var fiberIdDecode = (input) => {
  switch (input._tag) {
    case "None":
      return none2;
    case "Runtime":
      return runtime(input.id, input.startTimeMillis);
    case "Composite":
      return composite(fiberIdDecode(input.left), fiberIdDecode(input.right));
  }
};
var causeDieEncoded = (defect) => Struct({
  _tag: Literal2("Die"),
  defect
}), CauseEmptyEncoded = /* @__PURE__ */ Struct({
  _tag: /* @__PURE__ */ Literal2("Empty")
}), causeFailEncoded = (error) => Struct({
  _tag: Literal2("Fail"),
  error
}), CauseInterruptEncoded = /* @__PURE__ */ Struct({
  _tag: /* @__PURE__ */ Literal2("Interrupt"),
  fiberId: FiberIdEncoded
}), causeEncodedId = 0, causeEncoded = (error, defect) => {
  let error_ = error, defect_ = defect, suspended = suspend4(() => out), out = Union2(CauseEmptyEncoded, causeFailEncoded(error_), causeDieEncoded(defect_), CauseInterruptEncoded, Struct({
    _tag: Literal2("Sequential"),
    left: suspended,
    right: suspended
  }), Struct({
    _tag: Literal2("Parallel"),
    left: suspended,
    right: suspended
  })).annotations({
    title: `CauseEncoded<${format2(error)}>`,
    [JSONIdentifierAnnotationId]: `CauseEncoded${causeEncodedId++}`
  });
  return out;
}, causeArbitrary = (error, defect) => (fc) => fc.letrec((tie) => ({
  Empty: fc.record({
    _tag: fc.constant("Empty")
  }),
  Fail: fc.record({
    _tag: fc.constant("Fail"),
    error: error(fc)
  }),
  Die: fc.record({
    _tag: fc.constant("Die"),
    defect: defect(fc)
  }),
  Interrupt: fc.record({
    _tag: fc.constant("Interrupt"),
    fiberId: fiberIdArbitrary(fc)
  }),
  Sequential: fc.record({
    _tag: fc.constant("Sequential"),
    left: tie("Cause"),
    right: tie("Cause")
  }),
  Parallel: fc.record({
    _tag: fc.constant("Parallel"),
    left: tie("Cause"),
    right: tie("Cause")
  }),
  Cause: fc.oneof(tie("Empty"), tie("Fail"), tie("Die"), tie("Interrupt"), tie("Sequential"), tie("Parallel"))
})).Cause.map(causeDecode), causePretty = (error) => (cause) => {
  let f = (cause2) => {
    switch (cause2._tag) {
      case "Empty":
        return "Cause.empty";
      case "Fail":
        return `Cause.fail(${error(cause2.error)})`;
      case "Die":
        return `Cause.die(${pretty(cause2)})`;
      case "Interrupt":
        return `Cause.interrupt(${fiberIdPretty(cause2.fiberId)})`;
      case "Sequential":
        return `Cause.sequential(${f(cause2.left)}, ${f(cause2.right)})`;
      case "Parallel":
        return `Cause.parallel(${f(cause2.left)}, ${f(cause2.right)})`;
    }
  };
  return f(cause);
}, causeParse = (decodeUnknown3) => (u, options, ast) => isCause(u) ? toComposite(decodeUnknown3(causeEncode(u), options), causeDecode, ast, u) : fail5(new Type2(ast, u)), CauseFromSelf = ({
  defect,
  error
}) => declare([error, defect], {
  decode: (error2, defect2) => causeParse(decodeUnknown(causeEncoded(error2, defect2))),
  encode: (error2, defect2) => causeParse(encodeUnknown(causeEncoded(error2, defect2)))
}, {
  typeConstructor: {
    _tag: "effect/Cause"
  },
  title: `Cause<${error.ast}>`,
  pretty: causePretty,
  arbitrary: causeArbitrary
});
function causeDecode(cause) {
  switch (cause._tag) {
    case "Empty":
      return empty;
    case "Fail":
      return fail(cause.error);
    case "Die":
      return die(cause.defect);
    case "Interrupt":
      return interrupt(fiberIdDecode(cause.fiberId));
    case "Sequential":
      return sequential(causeDecode(cause.left), causeDecode(cause.right));
    case "Parallel":
      return parallel(causeDecode(cause.left), causeDecode(cause.right));
  }
}
function causeEncode(cause) {
  switch (cause._tag) {
    case "Empty":
      return {
        _tag: "Empty"
      };
    case "Fail":
      return {
        _tag: "Fail",
        error: cause.error
      };
    case "Die":
      return {
        _tag: "Die",
        defect: cause.defect
      };
    case "Interrupt":
      return {
        _tag: "Interrupt",
        fiberId: cause.fiberId
      };
    case "Sequential":
      return {
        _tag: "Sequential",
        left: causeEncode(cause.left),
        right: causeEncode(cause.right)
      };
    case "Parallel":
      return {
        _tag: "Parallel",
        left: causeEncode(cause.left),
        right: causeEncode(cause.right)
      };
  }
}
var Cause = ({
  defect,
  error
}) => {
  let error_ = error, defect_ = defect;
  return transform(causeEncoded(error_, defect_), CauseFromSelf({
    error: typeSchema(error_),
    defect: typeSchema(defect_)
  }), {
    strict: !1,
    decode: (i) => causeDecode(i),
    encode: (a) => causeEncode(a)
  });
}, Defect = class extends (/* @__PURE__ */ transform(Unknown, Unknown, {
  strict: !0,
  decode: (i) => {
    if (isObject(i) && "message" in i && typeof i.message == "string") {
      let err = new Error(i.message, {
        cause: i
      });
      return "name" in i && typeof i.name == "string" && (err.name = i.name), err.stack = "stack" in i && typeof i.stack == "string" ? i.stack : "", err;
    }
    return prettyErrorMessage(i);
  },
  encode: (a) => a instanceof Error ? {
    name: a.name,
    message: a.message
    // no stack because of security reasons
  } : prettyErrorMessage(a)
}).annotations({
  identifier: "Defect"
})) {
};
var BooleanFromString = class extends (/* @__PURE__ */ transform(Literal2("true", "false").annotations({
  description: "a string to be decoded into a boolean"
}), Boolean$, {
  strict: !0,
  decode: (i) => i === "true",
  encode: (a) => a ? "true" : "false"
}).annotations({
  identifier: "BooleanFromString"
})) {
};
var SymbolStruct = /* @__PURE__ */ TaggedStruct("symbol", {
  key: String$
}).annotations({
  description: "an object to be decoded into a globally shared symbol"
}), SymbolFromStruct = /* @__PURE__ */ transformOrFail(SymbolStruct, SymbolFromSelf, {
  strict: !0,
  decode: (i) => decodeSymbol(i.key),
  encode: (a, _, ast) => map8(encodeSymbol(a, ast), (key) => SymbolStruct.make({
    key
  }))
}), PropertyKey$ = class extends (/* @__PURE__ */ Union2(String$, Number$, SymbolFromStruct).annotations({
  identifier: "PropertyKey"
})) {
};
var ArrayFormatterIssue = class extends (/* @__PURE__ */ Struct({
  _tag: propertySignature(Literal2("Pointer", "Unexpected", "Missing", "Composite", "Refinement", "Transformation", "Type", "Forbidden")).annotations({
    description: "The tag identifying the type of parse issue"
  }),
  path: propertySignature(Array$(PropertyKey$)).annotations({
    description: "The path to the property where the issue occurred"
  }),
  message: propertySignature(String$).annotations({
    description: "A descriptive message explaining the issue"
  })
}).annotations({
  identifier: "ArrayFormatterIssue",
  description: "Represents an issue returned by the ArrayFormatter formatter"
})) {
};

export {
  tagged,
  Error2 as Error,
  TaggedError,
  minimumLogLevel,
  withMinimumLogLevel,
  addLoggerScoped,
  replaceLogger,
  build2 as build,
  buildWithScope2 as buildWithScope,
  catchAll3 as catchAll,
  catchAllCause2 as catchAllCause,
  effect,
  effectContext,
  empty3 as empty,
  fail3 as fail,
  fresh2 as fresh,
  mapError3 as mapError,
  merge2 as merge,
  mergeAll2 as mergeAll,
  orDie2 as orDie,
  scoped2 as scoped,
  scopedDiscard2 as scopedDiscard,
  scopedContext2 as scopedContext,
  service2 as service,
  succeed2 as succeed,
  sync2 as sync,
  provide2 as provide,
  provideMerge2 as provideMerge,
  unwrapEffect2 as unwrapEffect,
  unwrapScoped2 as unwrapScoped,
  setTracer2 as setTracer,
  InvalidData2 as InvalidData,
  isConfigError2 as isConfigError,
  all2 as all,
  map7 as map,
  mapOrFail2 as mapOrFail,
  option2 as option,
  redacted2 as redacted,
  string3 as string,
  nonEmptyString2 as nonEmptyString,
  withDefault2 as withDefault,
  unsafeMakeZoned2 as unsafeMakeZoned,
  makeZoned2 as makeZoned,
  zoneMakeNamed2 as zoneMakeNamed,
  zonedOffset2 as zonedOffset,
  toEpochMillis2 as toEpochMillis,
  formatIsoOffset2 as formatIsoOffset,
  decodeBase64String,
  decodeUriComponent,
  getJSONSchemaMissingAnnotationErrorMessage,
  getJSONSchemaMissingIdentifierAnnotationErrorMessage,
  getJSONSchemaUnsupportedPostRestElementsErrorMessage,
  getJSONSchemaUnsupportedKeyErrorMessage,
  IntSchemaId,
  SchemaIdAnnotationId,
  IdentifierAnnotationId,
  TitleAnnotationId,
  DescriptionAnnotationId,
  ParseOptionsAnnotationId,
  getAnnotation,
  getMessageAnnotation,
  getTitleAnnotation,
  getDescriptionAnnotation,
  getExamplesAnnotation,
  getDefaultAnnotation,
  getJSONSchemaAnnotation,
  getSurrogateAnnotation,
  getJSONIdentifier,
  ParseJsonSchemaId,
  isDeclaration,
  isUndefinedKeyword,
  isVoidKeyword,
  neverKeyword,
  isNeverKeyword,
  stringKeyword,
  isStringKeyword,
  numberKeyword,
  isNumberKeyword,
  booleanKeyword,
  isTupleType,
  isTypeLiteral,
  Union,
  isUnion,
  isSuspend,
  isRefinement,
  isTransformation,
  annotations,
  getTemplateLiteralRegExp,
  getTransformationFrom,
  encodedAST,
  pruneUndefined,
  Type2 as Type,
  Forbidden,
  isParseError,
  succeed4 as succeed2,
  fail5 as fail2,
  _try,
  getOption,
  decodeUnknownSync,
  decodeUnknownOption,
  decodeSync,
  decodeOption,
  is,
  encodeSync,
  TreeFormatter,
  ArrayFormatter,
  isRedacted2 as isRedacted,
  make3 as make,
  value2 as value,
  omit,
  make5 as make2,
  typeSchema,
  encodeUnknown2 as encodeUnknown,
  encode2 as encode,
  decodeUnknown2 as decodeUnknown,
  decodeUnknownEither2 as decodeUnknownEither,
  decode3 as decode,
  isSchema,
  Literal2 as Literal,
  declare,
  instanceOf,
  Void,
  Never,
  Unknown,
  String$,
  Number$,
  Boolean$,
  Union2,
  NullOr,
  UndefinedOr,
  Tuple,
  Array$,
  NonEmptyArray,
  optional,
  optionalWith,
  Struct,
  Record,
  compose2 as compose,
  filter2 as filter,
  transformOrFail,
  transform,
  maxLength,
  minLength,
  length,
  pattern,
  NonEmptyTrimmedString,
  parseJson,
  NonEmptyString,
  UUID,
  finite,
  int,
  between3 as between,
  positive,
  nonNegative,
  NumberFromString,
  Int,
  JsonNumber,
  Redacted,
  DurationFromSelf,
  NonNegativeInt,
  Uint8ArrayFromSelf,
  minItems,
  maxItems,
  itemsCount,
  Date$,
  TaggedError2,
  Cause,
  Defect,
  BooleanFromString,
  ArrayFormatterIssue
};
