import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  isBusy,
  reasonOf
} from "./chunk-7DF5MID3.js";
import {
  EmptyMutableQueue,
  FileSystem,
  Path,
  TypeIdError,
  _await,
  currentContext,
  done,
  interrupt,
  make as make5,
  make6,
  makeFolder,
  nextTurn,
  offer,
  poll2 as poll,
  runFork as runFork2,
  toStream,
  unbounded,
  unsafeDone,
  unsafeMake,
  unsafeMake2,
  unwrapScoped as unwrapScoped2
} from "./chunk-4U3SQ3WC.js";
import {
  TaggedError,
  catchAllCause,
  effect,
  fail as fail2,
  provide,
  scoped as scoped2,
  scopedContext,
  unwrapScoped
} from "./chunk-PAQDWWDE.js";
import {
  Class,
  Clock,
  GenericTag,
  ParentSpan,
  Reference,
  Tag,
  _void,
  acquireRelease,
  acquireUseRelease2 as acquireUseRelease,
  add,
  addFinalizer,
  all2 as all,
  as2 as as,
  asVoid,
  asVoid3 as asVoid2,
  catchSomeDefect,
  catchTags,
  clockWith3 as clockWith,
  close,
  combine as combine2,
  compareAndSet,
  context,
  currentTimeMillis,
  decode,
  dieMessage,
  empty6 as empty,
  ensuring2 as ensuring,
  exit,
  exit2,
  extend,
  fail5 as fail,
  failCause,
  fiberId,
  flatMap3 as flatMap,
  flatMap5 as flatMap2,
  fn,
  forEach2 as forEach,
  gen,
  get,
  get5 as get2,
  getOption,
  has2 as has,
  has3 as has2,
  ids,
  ignore,
  interrupt4 as interrupt2,
  interruptAs,
  intoDeferred,
  isFailure,
  isInterruptedOnly,
  isSuccess,
  locally,
  make,
  make3 as make2,
  make4 as make3,
  make8 as make4,
  makeSemaphore,
  makeSpanScoped,
  map6 as map,
  map9 as map2,
  mapError2 as mapError,
  minutes,
  none as none2,
  onInterrupt,
  orDie2 as orDie,
  provideContext,
  reduceWithContext,
  remove2 as remove,
  retry,
  runFork,
  runtime2 as runtime,
  scope,
  scoped2 as scoped,
  serviceOption,
  set2 as set,
  set4 as set2,
  size2 as size,
  squash,
  struct,
  succeed,
  succeed2,
  succeed4 as succeed3,
  suspend,
  sync,
  sync3 as sync2,
  tap2 as tap,
  tapError,
  toMillis,
  tryPromise,
  try_,
  uninterruptibleMask2 as uninterruptibleMask,
  useSpan,
  void_2 as void_,
  when,
  withFiberRuntime2 as withFiberRuntime,
  zipLeft2 as zipLeft,
  zipRight,
  zipRight3 as zipRight2
} from "./chunk-JGKSI326.js";
import {
  left,
  merge,
  right
} from "./chunk-FWQRLSGQ.js";
import {
  NodeInspectSymbol,
  cached,
  combine,
  constFalse,
  dual,
  equals,
  format,
  getOrUndefined,
  globalValue,
  hasProperty,
  hash,
  identity,
  isSome,
  match,
  none2 as none,
  pipe,
  pipeArguments,
  some2 as some,
  symbol,
  symbol2
} from "./chunk-ANBJACJV.js";

// node_modules/effect/dist/esm/internal/cache.js
var complete = (key, exit3, entryStats, timeToLiveMillis) => struct({
  _tag: "Complete",
  key,
  exit: exit3,
  entryStats,
  timeToLiveMillis
}), pending = (key, deferred) => struct({
  _tag: "Pending",
  key,
  deferred
}), refreshing = (deferred, complete2) => struct({
  _tag: "Refreshing",
  deferred,
  complete: complete2
}), MapKeyTypeId = /* @__PURE__ */ Symbol.for("effect/Cache/MapKey"), MapKeyImpl = class {
  current;
  [MapKeyTypeId] = MapKeyTypeId;
  previous = void 0;
  next = void 0;
  constructor(current) {
    this.current = current;
  }
  [symbol]() {
    return pipe(hash(this.current), combine(hash(this.previous)), combine(hash(this.next)), cached(this));
  }
  [symbol2](that) {
    return this === that ? !0 : isMapKey(that) && equals(this.current, that.current) && equals(this.previous, that.previous) && equals(this.next, that.next);
  }
}, makeMapKey = (current) => new MapKeyImpl(current), isMapKey = (u) => hasProperty(u, MapKeyTypeId), KeySetImpl = class {
  head = void 0;
  tail = void 0;
  add(key) {
    if (key !== this.tail)
      if (this.tail === void 0)
        this.head = key, this.tail = key;
      else {
        let previous = key.previous, next = key.next;
        next !== void 0 && (key.next = void 0, previous !== void 0 ? (previous.next = next, next.previous = previous) : (this.head = next, this.head.previous = void 0)), this.tail.next = key, key.previous = this.tail, this.tail = key;
      }
  }
  remove() {
    let key = this.head;
    if (key !== void 0) {
      let next = key.next;
      next !== void 0 ? (key.next = void 0, this.head = next, this.head.previous = void 0) : (this.head = void 0, this.tail = void 0);
    }
    return key;
  }
}, makeKeySet = () => new KeySetImpl(), makeCacheState = (map3, keys, accesses, updating, hits, misses) => ({
  map: map3,
  keys,
  accesses,
  updating,
  hits,
  misses
}), initialCacheState = () => makeCacheState(empty(), makeKeySet(), unbounded(), make2(!1), 0, 0), CacheSymbolKey = "effect/Cache", CacheTypeId = /* @__PURE__ */ Symbol.for(CacheSymbolKey), cacheVariance = {
  /* c8 ignore next */
  _Key: (_) => _,
  /* c8 ignore next */
  _Error: (_) => _,
  /* c8 ignore next */
  _Value: (_) => _
}, ConsumerCacheSymbolKey = "effect/ConsumerCache", ConsumerCacheTypeId = /* @__PURE__ */ Symbol.for(ConsumerCacheSymbolKey), consumerCacheVariance = {
  /* c8 ignore next */
  _Key: (_) => _,
  /* c8 ignore next */
  _Error: (_) => _,
  /* c8 ignore next */
  _Value: (_) => _
}, makeCacheStats = (options) => options, makeEntryStats = (loadedMillis) => ({
  loadedMillis
}), CacheImpl = class {
  capacity;
  context;
  fiberId;
  lookup;
  timeToLive;
  [CacheTypeId] = cacheVariance;
  [ConsumerCacheTypeId] = consumerCacheVariance;
  cacheState;
  constructor(capacity, context2, fiberId2, lookup, timeToLive) {
    this.capacity = capacity, this.context = context2, this.fiberId = fiberId2, this.lookup = lookup, this.timeToLive = timeToLive, this.cacheState = initialCacheState();
  }
  get(key) {
    return map(this.getEither(key), merge);
  }
  get cacheStats() {
    return sync(() => makeCacheStats({
      hits: this.cacheState.hits,
      misses: this.cacheState.misses,
      size: size(this.cacheState.map)
    }));
  }
  getOption(key) {
    return suspend(() => match(get2(this.cacheState.map, key), {
      onNone: () => {
        let mapKey = makeMapKey(key);
        return this.trackAccess(mapKey), this.trackMiss(), succeed(none());
      },
      onSome: (value) => this.resolveMapValue(value)
    }));
  }
  getOptionComplete(key) {
    return suspend(() => match(get2(this.cacheState.map, key), {
      onNone: () => {
        let mapKey = makeMapKey(key);
        return this.trackAccess(mapKey), this.trackMiss(), succeed(none());
      },
      onSome: (value) => this.resolveMapValue(value, !0)
    }));
  }
  contains(key) {
    return sync(() => has2(this.cacheState.map, key));
  }
  entryStats(key) {
    return sync(() => {
      let option = get2(this.cacheState.map, key);
      if (isSome(option))
        switch (option.value._tag) {
          case "Complete": {
            let loaded = option.value.entryStats.loadedMillis;
            return some(makeEntryStats(loaded));
          }
          case "Pending":
            return none();
          case "Refreshing": {
            let loaded = option.value.complete.entryStats.loadedMillis;
            return some(makeEntryStats(loaded));
          }
        }
      return none();
    });
  }
  getEither(key) {
    return suspend(() => {
      let k = key, mapKey, deferred, value = getOrUndefined(get2(this.cacheState.map, k));
      return value === void 0 && (deferred = unsafeMake(this.fiberId), mapKey = makeMapKey(k), has2(this.cacheState.map, k) ? value = getOrUndefined(get2(this.cacheState.map, k)) : set2(this.cacheState.map, k, pending(mapKey, deferred))), value === void 0 ? (this.trackAccess(mapKey), this.trackMiss(), map(this.lookupValueOf(key, deferred), right)) : flatMap(this.resolveMapValue(value), match({
        onNone: () => this.getEither(key),
        onSome: (value2) => succeed(left(value2))
      }));
    });
  }
  invalidate(key) {
    return sync(() => {
      remove(this.cacheState.map, key);
    });
  }
  invalidateWhen(key, when2) {
    return sync(() => {
      let value = get2(this.cacheState.map, key);
      isSome(value) && value.value._tag === "Complete" && value.value.exit._tag === "Success" && when2(value.value.exit.value) && remove(this.cacheState.map, key);
    });
  }
  get invalidateAll() {
    return sync(() => {
      this.cacheState.map = empty();
    });
  }
  refresh(key) {
    return clockWith((clock) => suspend(() => {
      let k = key, deferred = unsafeMake(this.fiberId), value = getOrUndefined(get2(this.cacheState.map, k));
      if (value === void 0 && (has2(this.cacheState.map, k) ? value = getOrUndefined(get2(this.cacheState.map, k)) : set2(this.cacheState.map, k, pending(makeMapKey(k), deferred))), value === void 0)
        return asVoid(this.lookupValueOf(key, deferred));
      switch (value._tag) {
        case "Complete": {
          if (this.hasExpired(clock, value.timeToLiveMillis)) {
            let found = getOrUndefined(get2(this.cacheState.map, k));
            return equals(found, value) && remove(this.cacheState.map, k), asVoid(this.get(key));
          }
          return pipe(this.lookupValueOf(key, deferred), when(() => {
            let current = getOrUndefined(get2(this.cacheState.map, k));
            if (equals(current, value)) {
              let mapValue = refreshing(deferred, value);
              return set2(this.cacheState.map, k, mapValue), !0;
            }
            return !1;
          }), asVoid);
        }
        case "Pending":
          return _await(value.deferred);
        case "Refreshing":
          return _await(value.deferred);
      }
    }));
  }
  set(key, value) {
    return clockWith((clock) => sync(() => {
      let now = clock.unsafeCurrentTimeMillis(), k = key, lookupResult = succeed2(value), mapValue = complete(makeMapKey(k), lookupResult, makeEntryStats(now), now + toMillis(decode(this.timeToLive(lookupResult))));
      set2(this.cacheState.map, k, mapValue);
    }));
  }
  get size() {
    return sync(() => size(this.cacheState.map));
  }
  get values() {
    return sync(() => {
      let values = [];
      for (let entry of this.cacheState.map)
        entry[1]._tag === "Complete" && entry[1].exit._tag === "Success" && values.push(entry[1].exit.value);
      return values;
    });
  }
  get entries() {
    return sync(() => {
      let values = [];
      for (let entry of this.cacheState.map)
        entry[1]._tag === "Complete" && entry[1].exit._tag === "Success" && values.push([entry[0], entry[1].exit.value]);
      return values;
    });
  }
  get keys() {
    return sync(() => {
      let keys = [];
      for (let entry of this.cacheState.map)
        entry[1]._tag === "Complete" && entry[1].exit._tag === "Success" && keys.push(entry[0]);
      return keys;
    });
  }
  resolveMapValue(value, ignorePending = !1) {
    return clockWith((clock) => {
      switch (value._tag) {
        case "Complete":
          return this.trackAccess(value.key), this.hasExpired(clock, value.timeToLiveMillis) ? (remove(this.cacheState.map, value.key.current), succeed(none())) : (this.trackHit(), map(value.exit, some));
        case "Pending":
          return this.trackAccess(value.key), this.trackHit(), ignorePending ? succeed(none()) : map(_await(value.deferred), some);
        case "Refreshing":
          return this.trackAccess(value.complete.key), this.trackHit(), this.hasExpired(clock, value.complete.timeToLiveMillis) ? ignorePending ? succeed(none()) : map(_await(value.deferred), some) : map(value.complete.exit, some);
      }
    });
  }
  trackHit() {
    this.cacheState.hits = this.cacheState.hits + 1;
  }
  trackMiss() {
    this.cacheState.misses = this.cacheState.misses + 1;
  }
  trackAccess(key) {
    if (offer(this.cacheState.accesses, key), compareAndSet(this.cacheState.updating, !1, !0)) {
      let loop = !0;
      for (; loop; ) {
        let key2 = poll(this.cacheState.accesses, EmptyMutableQueue);
        key2 === EmptyMutableQueue ? loop = !1 : this.cacheState.keys.add(key2);
      }
      let size2 = size(this.cacheState.map);
      for (loop = size2 > this.capacity; loop; ) {
        let key2 = this.cacheState.keys.remove();
        key2 !== void 0 ? has2(this.cacheState.map, key2.current) && (remove(this.cacheState.map, key2.current), size2 = size2 - 1, loop = size2 > this.capacity) : loop = !1;
      }
      set(this.cacheState.updating, !1);
    }
  }
  hasExpired(clock, timeToLiveMillis) {
    return clock.unsafeCurrentTimeMillis() > timeToLiveMillis;
  }
  lookupValueOf(input, deferred) {
    return clockWith((clock) => suspend(() => {
      let key = input;
      return pipe(this.lookup(input), provideContext(this.context), exit, flatMap((exit3) => {
        let now = clock.unsafeCurrentTimeMillis(), stats = makeEntryStats(now), value = complete(makeMapKey(key), exit3, stats, now + toMillis(decode(this.timeToLive(exit3))));
        return set2(this.cacheState.map, key, value), zipRight(done(deferred, exit3), exit3);
      }), onInterrupt(() => zipRight(interrupt(deferred), sync(() => {
        remove(this.cacheState.map, key);
      }))));
    }));
  }
}, make7 = (options) => {
  let timeToLive = decode(options.timeToLive);
  return makeWith({
    capacity: options.capacity,
    lookup: options.lookup,
    timeToLive: () => timeToLive
  });
}, makeWith = (options) => map(all([context(), fiberId]), ([context2, fiberId2]) => new CacheImpl(options.capacity, context2, fiberId2, options.lookup, (exit3) => decode(options.timeToLive(exit3))));

// node_modules/effect/dist/esm/FiberHandle.js
var TypeId = /* @__PURE__ */ Symbol.for("effect/FiberHandle"), isFiberHandle = (u) => hasProperty(u, TypeId), Proto = {
  [TypeId]: TypeId,
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "FiberHandle",
      state: this.state
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, unsafeMake3 = (deferred) => {
  let self = Object.create(Proto);
  return self.state = {
    _tag: "Open",
    fiber: void 0
  }, self.deferred = deferred, self;
}, make9 = () => acquireRelease(map2(make5(), (deferred) => unsafeMake3(deferred)), (handle) => withFiberRuntime((parent) => {
  let state = handle.state;
  return state._tag === "Closed" ? _void : (handle.state = {
    _tag: "Closed"
  }, state.fiber ? intoDeferred(asVoid2(interruptAs(state.fiber, combine2(parent.id(), internalFiberId))), handle.deferred) : done(handle.deferred, void_));
})), makeRuntime = () => flatMap2(make9(), (self) => runtime2(self)());
var internalFiberIdId = -1, internalFiberId = /* @__PURE__ */ make3(internalFiberIdId, 0), isInternalInterruption = /* @__PURE__ */ reduceWithContext(void 0, {
  emptyCase: constFalse,
  failCase: constFalse,
  dieCase: constFalse,
  interruptCase: (_, fiberId2) => has(ids(fiberId2), internalFiberIdId),
  sequentialCase: (_, left2, right2) => left2 || right2,
  parallelCase: (_, left2, right2) => left2 || right2
}), unsafeSet = /* @__PURE__ */ dual((args) => isFiberHandle(args[0]), (self, fiber, options) => {
  if (self.state._tag === "Closed") {
    fiber.unsafeInterruptAsFork(combine2(options?.interruptAs ?? none2, internalFiberId));
    return;
  } else if (self.state.fiber !== void 0) {
    if (options?.onlyIfMissing === !0) {
      fiber.unsafeInterruptAsFork(combine2(options?.interruptAs ?? none2, internalFiberId));
      return;
    } else if (self.state.fiber === fiber)
      return;
    self.state.fiber.unsafeInterruptAsFork(combine2(options?.interruptAs ?? none2, internalFiberId)), self.state.fiber = void 0;
  }
  self.state.fiber = fiber, fiber.addObserver((exit3) => {
    self.state._tag === "Open" && fiber === self.state.fiber && (self.state.fiber = void 0), isFailure(exit3) && (options?.propagateInterruption === !0 ? !isInternalInterruption(exit3.cause) : !isInterruptedOnly(exit3.cause)) && unsafeDone(self.deferred, exit3);
  });
});
var constInterruptedFiber = /* @__PURE__ */ (function() {
  let fiber;
  return () => (fiber === void 0 && (fiber = runFork(interrupt2)), fiber);
})();
var runtime2 = (self) => () => map2(runtime(), (runtime3) => {
  let runFork3 = runFork2(runtime3);
  return (effect2, options) => {
    if (self.state._tag === "Closed")
      return constInterruptedFiber();
    if (self.state.fiber !== void 0 && options?.onlyIfMissing === !0)
      return constInterruptedFiber();
    let fiber = runFork3(effect2, options);
    return unsafeSet(self, fiber, options), fiber;
  };
});

// node_modules/@effect/experimental/dist/esm/Reactivity.js
var Reactivity = class extends (/* @__PURE__ */ Tag("@effect/experimental/Reactivity")()) {
}, make10 = /* @__PURE__ */ sync2(() => {
  let handlers = /* @__PURE__ */ new Map(), unsafeInvalidate = (keys) => {
    if (Array.isArray(keys))
      for (let i = 0; i < keys.length; i++) {
        let set3 = handlers.get(stringOrHash(keys[i]));
        if (set3 !== void 0)
          for (let run of set3) run();
      }
    else {
      let record = keys;
      for (let key in record) {
        let hashes = idHashes(key, record[key]);
        for (let i = 0; i < hashes.length; i++) {
          let set4 = handlers.get(hashes[i]);
          if (set4 !== void 0)
            for (let run of set4) run();
        }
        let set3 = handlers.get(key);
        if (set3 !== void 0)
          for (let run of set3) run();
      }
    }
  }, invalidate = (keys) => sync2(() => unsafeInvalidate(keys)), mutation = (keys, effect2) => zipLeft(effect2, invalidate(keys)), unsafeRegister = (keys, handler) => {
    let resolvedKeys = Array.isArray(keys) ? keys.map(stringOrHash) : recordHashes(keys);
    for (let i = 0; i < resolvedKeys.length; i++) {
      let set3 = handlers.get(resolvedKeys[i]);
      set3 === void 0 && (set3 = /* @__PURE__ */ new Set(), handlers.set(resolvedKeys[i], set3)), set3.add(handler);
    }
    return () => {
      for (let i = 0; i < resolvedKeys.length; i++) {
        let set3 = handlers.get(resolvedKeys[i]);
        set3.delete(handler), set3.size === 0 && handlers.delete(resolvedKeys[i]);
      }
    };
  }, query = (keys, effect2) => gen(function* () {
    let scope2 = yield* scope, results = yield* make6(), runFork3 = yield* makeRuntime(), running = !1, pending2 = !1, handleExit = (exit3) => {
      exit3._tag === "Failure" ? results.unsafeDone(failCause(exit3.cause)) : results.unsafeOffer(exit3.value), pending2 ? (pending2 = !1, runFork3(effect2).addObserver(handleExit)) : running = !1;
    };
    function run() {
      if (running) {
        pending2 = !0;
        return;
      }
      running = !0, runFork3(effect2).addObserver(handleExit);
    }
    let cancel = unsafeRegister(keys, run);
    return yield* addFinalizer(scope2, sync2(cancel)), run(), results;
  }), stream = (tables, effect2) => query(tables, effect2).pipe(map2(toStream), unwrapScoped2);
  return Reactivity.of({
    mutation,
    query,
    stream,
    unsafeInvalidate,
    invalidate,
    unsafeRegister
  });
});
var layer = /* @__PURE__ */ scoped2(Reactivity, make10);
function stringOrHash(u) {
  return typeof u == "string" ? u : hash(u);
}
var idHashes = (keyHash, ids2) => {
  let hashes = new Array(ids2.length);
  for (let i = 0; i < ids2.length; i++)
    hashes[i] = `${keyHash}:${stringOrHash(ids2[i])}`;
  return hashes;
}, recordHashes = (record) => {
  let hashes = [];
  for (let key in record) {
    hashes.push(key);
    for (let idHash of idHashes(key, record[key]))
      hashes.push(idHash);
  }
  return hashes;
};

// node_modules/@effect/sql/dist/esm/internal/statement.js
var ATTR_DB_OPERATION_NAME = "db.operation.name", ATTR_DB_QUERY_TEXT = "db.query.text", FragmentId = /* @__PURE__ */ Symbol.for("@effect/sql/Fragment"), isFragment = (u) => typeof u == "object" && u !== null && FragmentId in u;
var currentTransformer = /* @__PURE__ */ globalValue("@effect/sql/Statement/currentTransformer", () => unsafeMake2(none()));
var withStatement = (self, span, f) => withFiberRuntime((fiber) => {
  let transform = fiber.getFiberRef(currentTransformer);
  return transform._tag === "None" ? f(self) : flatMap2(transform.value(self, make11(self.acquirer, self.compiler, self.spanAttributes, self.transformRows), fiber.getFiberRefs(), span), f);
}), StatementPrimitive = class extends Class {
  segments;
  acquirer;
  compiler;
  spanAttributes;
  transformRows;
  get [FragmentId]() {
    return identity;
  }
  constructor(segments, acquirer, compiler, spanAttributes, transformRows) {
    super(), this.segments = segments, this.acquirer = acquirer, this.compiler = compiler, this.spanAttributes = spanAttributes, this.transformRows = transformRows;
  }
  withConnection(operation, f, withoutTransform = !1) {
    return useSpan("sql.execute", {
      kind: "client",
      captureStackTrace: !1
    }, (span) => withStatement(this, span, (statement2) => {
      let [sql, params] = statement2.compile(withoutTransform);
      for (let [key, value] of this.spanAttributes)
        span.attribute(key, value);
      return span.attribute(ATTR_DB_OPERATION_NAME, operation), span.attribute(ATTR_DB_QUERY_TEXT, sql), scoped(flatMap2(this.acquirer, (_) => f(_, sql, params)));
    }));
  }
  get withoutTransform() {
    return this.withConnection("executeWithoutTransform", (connection, sql, params) => connection.execute(sql, params, void 0), !0);
  }
  get raw() {
    return this.withConnection("executeRaw", (connection, sql, params) => connection.executeRaw(sql, params), !0);
  }
  get stream() {
    return unwrapScoped2(flatMap2(makeSpanScoped("sql.execute", {
      kind: "client",
      captureStackTrace: !1
    }), (span) => withStatement(this, span, (statement2) => {
      let [sql, params] = statement2.compile();
      for (let [key, value] of this.spanAttributes)
        span.attribute(key, value);
      return span.attribute(ATTR_DB_OPERATION_NAME, "executeStream"), span.attribute(ATTR_DB_QUERY_TEXT, sql), map2(this.acquirer, (_) => _.executeStream(sql, params, this.transformRows));
    })));
  }
  get values() {
    return this.withConnection("executeValues", (connection, sql, params) => connection.executeValues(sql, params));
  }
  get unprepared() {
    return this.withConnection("executeUnprepared", (connection, sql, params) => connection.executeUnprepared(sql, params, this.transformRows));
  }
  compile(withoutTransform) {
    return this.compiler.compile(this, withoutTransform ?? !1);
  }
  commit() {
    return this.withConnection("execute", (connection, sql, params) => connection.execute(sql, params, this.transformRows));
  }
  toJSON() {
    let [sql, params] = this.compile();
    return {
      _id: "@effect/sql/Statement",
      segments: this.segments,
      sql,
      params
    };
  }
}, FragmentImpl = class {
  segments;
  get [FragmentId]() {
    return identity;
  }
  constructor(segments) {
    this.segments = segments;
  }
}, LiteralImpl = class {
  value;
  params;
  _tag = "Literal";
  constructor(value, params) {
    this.value = value, this.params = params;
  }
}, IdentifierImpl = class {
  value;
  _tag = "Identifier";
  constructor(value) {
    this.value = value;
  }
}, ParameterImpl = class {
  value;
  _tag = "Parameter";
  constructor(value) {
    this.value = value;
  }
}, ArrayHelperImpl = class {
  value;
  _tag = "ArrayHelper";
  constructor(value) {
    this.value = value;
  }
};
function identifierWrap(sql) {
  return typeof sql == "string" || FragmentId in sql ? sql : new FragmentImpl([sql]);
}
var RecordInsertHelperImpl = class _RecordInsertHelperImpl {
  value;
  returningIdentifier;
  _tag = "RecordInsertHelper";
  constructor(value, returningIdentifier) {
    this.value = value, this.returningIdentifier = returningIdentifier;
  }
  returning(sql) {
    return new _RecordInsertHelperImpl(this.value, identifierWrap(sql));
  }
}, RecordUpdateHelperImpl = class _RecordUpdateHelperImpl {
  value;
  alias;
  returningIdentifier;
  _tag = "RecordUpdateHelper";
  constructor(value, alias, returningIdentifier) {
    this.value = value, this.alias = alias, this.returningIdentifier = returningIdentifier;
  }
  returning(sql) {
    return new _RecordUpdateHelperImpl(this.value, this.alias, identifierWrap(sql));
  }
}, RecordUpdateHelperSingleImpl = class _RecordUpdateHelperSingleImpl {
  value;
  omit;
  returningIdentifier;
  _tag = "RecordUpdateHelperSingle";
  constructor(value, omit, returningIdentifier) {
    this.value = value, this.omit = omit, this.returningIdentifier = returningIdentifier;
  }
  returning(sql) {
    return new _RecordUpdateHelperSingleImpl(this.value, this.omit, identifierWrap(sql));
  }
}, CustomImpl = class {
  kind;
  i0;
  i1;
  i2;
  _tag = "Custom";
  constructor(kind, i0, i1, i2) {
    this.kind = kind, this.i0 = i0, this.i1 = i1, this.i2 = i2;
  }
}, custom = (kind) => (i0, i1, i2) => new FragmentImpl([new CustomImpl(kind, i0, i1, i2)]), isHelper = (u) => u instanceof ArrayHelperImpl || u instanceof RecordInsertHelperImpl || u instanceof RecordUpdateHelperImpl || u instanceof RecordUpdateHelperSingleImpl || u instanceof IdentifierImpl, constructorCache = /* @__PURE__ */ globalValue("@effect/sql/Statement/constructorCache", () => ({
  transforms: /* @__PURE__ */ new WeakMap(),
  noTransforms: /* @__PURE__ */ new WeakMap()
})), make11 = (acquirer, compiler, spanAttributes, transformRows) => {
  let cache = transformRows === void 0 ? constructorCache.noTransforms : constructorCache.transforms;
  if (cache.has(acquirer))
    return cache.get(acquirer);
  let self = Object.assign(function(strings, ...args) {
    if (Array.isArray(strings) && "raw" in strings)
      return statement(acquirer, compiler, strings, args, spanAttributes, transformRows);
    if (typeof strings == "string")
      return new IdentifierImpl(strings);
    throw "absurd";
  }, {
    unsafe(sql, params) {
      return new StatementPrimitive([new LiteralImpl(sql, params)], acquirer, compiler, spanAttributes, transformRows);
    },
    literal(sql) {
      return new FragmentImpl([new LiteralImpl(sql)]);
    },
    in: in_,
    insert(value) {
      return new RecordInsertHelperImpl(Array.isArray(value) ? value : [value], void 0);
    },
    update(value, omit) {
      return new RecordUpdateHelperSingleImpl(value, omit ?? [], void 0);
    },
    updateValues(value, alias) {
      return new RecordUpdateHelperImpl(value, alias, void 0);
    },
    and,
    or,
    csv,
    join,
    onDialect(options) {
      return options[compiler.dialect]();
    },
    onDialectOrElse(options) {
      return options[compiler.dialect] !== void 0 ? options[compiler.dialect]() : options.orElse();
    }
  });
  return cache.set(acquirer, self), self;
}, statement = (acquirer, compiler, strings, args, spanAttributes, transformRows) => {
  let segments = strings[0].length > 0 ? [new LiteralImpl(strings[0])] : [];
  for (let i = 0; i < args.length; i++) {
    let arg = args[i];
    if (isFragment(arg))
      for (let segment of arg.segments)
        segments.push(segment);
    else isHelper(arg) ? segments.push(arg) : segments.push(new ParameterImpl(arg));
    strings[i + 1].length > 0 && segments.push(new LiteralImpl(strings[i + 1]));
  }
  return new StatementPrimitive(segments, acquirer, compiler, spanAttributes, transformRows);
}, unsafeFragment = (sql, params) => new FragmentImpl([new LiteralImpl(sql, params)]);
function convertLiteralOrFragment(clause) {
  return typeof clause == "string" ? [new LiteralImpl(clause)] : clause.segments;
}
function in_() {
  if (arguments.length === 1)
    return new ArrayHelperImpl(arguments[0]);
  let column = arguments[0], values = arguments[1];
  return values.length === 0 ? unsafeFragment("1=0") : new FragmentImpl([new IdentifierImpl(column), new LiteralImpl(" IN "), new ArrayHelperImpl(values)]);
}
function join(literal, addParens = !0, fallback = "") {
  let literalStatement = new LiteralImpl(literal);
  return (clauses) => {
    if (clauses.length === 0)
      return unsafeFragment(fallback);
    if (clauses.length === 1)
      return new FragmentImpl(convertLiteralOrFragment(clauses[0]));
    let segments = [];
    addParens && segments.push(new LiteralImpl("(")), segments.push.apply(segments, convertLiteralOrFragment(clauses[0]));
    for (let i = 1; i < clauses.length; i++)
      segments.push(literalStatement), segments.push.apply(segments, convertLiteralOrFragment(clauses[i]));
    return addParens && segments.push(new LiteralImpl(")")), new FragmentImpl(segments);
  };
}
var and = /* @__PURE__ */ join(" AND ", !0, "1=1"), or = /* @__PURE__ */ join(" OR ", !0, "1=1"), csvRaw = /* @__PURE__ */ join(", ", !1), csv = (...args) => args[args.length - 1].length === 0 ? unsafeFragment("") : args.length === 1 ? csvRaw(args[0]) : new FragmentImpl([new LiteralImpl(`${args[0]} `), ...csvRaw(args[1]).segments]), statementCacheSymbol = /* @__PURE__ */ Symbol.for("@effect/sql/Statement/statementCache"), statementCacheNoTransformSymbol = /* @__PURE__ */ Symbol.for("@effect/sql/Statement/statementCacheNoTransform"), CompilerImpl = class _CompilerImpl {
  dialect;
  parameterPlaceholder;
  onIdentifier;
  onRecordUpdate;
  onCustom;
  onInsert;
  onRecordUpdateSingle;
  disableTransforms;
  constructor(dialect, parameterPlaceholder, onIdentifier, onRecordUpdate, onCustom, onInsert, onRecordUpdateSingle, disableTransforms = !1) {
    this.dialect = dialect, this.parameterPlaceholder = parameterPlaceholder, this.onIdentifier = onIdentifier, this.onRecordUpdate = onRecordUpdate, this.onCustom = onCustom, this.onInsert = onInsert, this.onRecordUpdateSingle = onRecordUpdateSingle, this.disableTransforms = disableTransforms;
  }
  compile(statement2, withoutTransform = !1, placeholderOverride) {
    withoutTransform = withoutTransform || this.disableTransforms;
    let cacheSymbol = withoutTransform ? statementCacheNoTransformSymbol : statementCacheSymbol;
    if (cacheSymbol in statement2)
      return statement2[cacheSymbol];
    let segments = statement2.segments, len = segments.length, sql = "", binds = [], placeholderCount = 0, placeholder = placeholderOverride ?? ((u) => this.parameterPlaceholder(++placeholderCount, u)), placeholderNoIncrement = (u) => this.parameterPlaceholder(placeholderCount, u), placeholders = makePlaceholdersArray(placeholder);
    for (let i = 0; i < len; i++) {
      let segment = segments[i];
      switch (segment._tag) {
        case "Literal": {
          sql += segment.value, segment.params && binds.push.apply(binds, segment.params);
          break;
        }
        case "Identifier": {
          sql += this.onIdentifier(segment.value, withoutTransform);
          break;
        }
        case "Parameter": {
          sql += placeholder(segment.value), binds.push(segment.value);
          break;
        }
        case "ArrayHelper": {
          sql += `(${placeholders(segment.value)})`, binds.push.apply(binds, segment.value);
          break;
        }
        case "RecordInsertHelper": {
          let keys = Object.keys(segment.value[0]);
          if (this.onInsert) {
            let values = new Array(segment.value.length), placeholders2 = "";
            for (let i2 = 0; i2 < segment.value.length; i2++) {
              let row = new Array(keys.length);
              values[i2] = row, placeholders2 += i2 === 0 ? "(" : ",(";
              for (let j = 0; j < keys.length; j++) {
                let key = keys[j], value = segment.value[i2][key], primitive = extractPrimitive(value, this.onCustom, placeholderNoIncrement, withoutTransform);
                row[j] = primitive, placeholders2 += j === 0 ? placeholder(value) : `,${placeholder(value)}`;
              }
              placeholders2 += ")";
            }
            let [s, b] = this.onInsert(keys.map((_) => this.onIdentifier(_, withoutTransform)), placeholders2, values, typeof segment.returningIdentifier == "string" ? [segment.returningIdentifier, []] : segment.returningIdentifier ? this.compile(segment.returningIdentifier, withoutTransform, placeholder) : void 0);
            sql += s, binds.push.apply(binds, b);
          } else {
            let placeholders2 = "";
            for (let i2 = 0; i2 < segment.value.length; i2++) {
              placeholders2 += i2 === 0 ? "(" : ",(";
              for (let j = 0; j < keys.length; j++) {
                let value = segment.value[i2][keys[j]], primitive = extractPrimitive(value, this.onCustom, placeholderNoIncrement, withoutTransform);
                binds.push(primitive), placeholders2 += j === 0 ? placeholder(value) : `,${placeholder(value)}`;
              }
              placeholders2 += ")";
            }
            if (sql += `${generateColumns(keys, this.onIdentifier, withoutTransform)} VALUES ${placeholders2}`, typeof segment.returningIdentifier == "string")
              sql += ` RETURNING ${segment.returningIdentifier}`;
            else if (segment.returningIdentifier) {
              sql += " RETURNING ";
              let [s, b] = this.compile(segment.returningIdentifier, withoutTransform, placeholder);
              sql += s, binds.push.apply(binds, b);
            }
          }
          break;
        }
        case "RecordUpdateHelperSingle": {
          let keys = Object.keys(segment.value);
          if (segment.omit.length > 0 && (keys = keys.filter((key) => !segment.omit.includes(key))), this.onRecordUpdateSingle) {
            let [s, b] = this.onRecordUpdateSingle(keys.map((_) => this.onIdentifier(_, withoutTransform)), keys.map((key) => extractPrimitive(segment.value[key], this.onCustom, placeholderNoIncrement, withoutTransform)), typeof segment.returningIdentifier == "string" ? [segment.returningIdentifier, []] : segment.returningIdentifier ? this.compile(segment.returningIdentifier, withoutTransform, placeholder) : void 0);
            sql += s, binds.push.apply(binds, b);
          } else {
            for (let i2 = 0, len2 = keys.length; i2 < len2; i2++) {
              let column = this.onIdentifier(keys[i2], withoutTransform);
              i2 === 0 ? sql += `${column} = ${placeholder(segment.value[keys[i2]])}` : sql += `, ${column} = ${placeholder(segment.value[keys[i2]])}`, binds.push(extractPrimitive(segment.value[keys[i2]], this.onCustom, placeholderNoIncrement, withoutTransform));
            }
            if (typeof segment.returningIdentifier == "string")
              this.dialect === "mssql" ? sql += ` OUTPUT ${segment.returningIdentifier === "*" ? "INSERTED.*" : segment.returningIdentifier}` : sql += ` RETURNING ${segment.returningIdentifier}`;
            else if (segment.returningIdentifier) {
              sql += this.dialect === "mssql" ? " OUTPUT " : " RETURNING ";
              let [s, b] = this.compile(segment.returningIdentifier, withoutTransform, placeholder);
              sql += s, binds.push.apply(binds, b);
            }
          }
          break;
        }
        case "RecordUpdateHelper": {
          let keys = Object.keys(segment.value[0]), values = new Array(segment.value.length), placeholders2 = "";
          for (let i2 = 0; i2 < segment.value.length; i2++) {
            let row = new Array(keys.length);
            values[i2] = row, placeholders2 += i2 === 0 ? "(" : ",(";
            for (let j = 0; j < keys.length; j++) {
              let key = keys[j], value = segment.value[i2][key];
              row[j] = extractPrimitive(value, this.onCustom, placeholderNoIncrement, withoutTransform), placeholders2 += j === 0 ? placeholder(value) : `,${placeholder(value)}`;
            }
            placeholders2 += ")";
          }
          let [s, b] = this.onRecordUpdate(placeholders2, segment.alias, generateColumns(keys, this.onIdentifier, withoutTransform), values, typeof segment.returningIdentifier == "string" ? [segment.returningIdentifier, []] : segment.returningIdentifier ? this.compile(segment.returningIdentifier, withoutTransform, placeholder) : void 0);
          sql += s, binds.push.apply(binds, b);
          break;
        }
        case "Custom": {
          let [s, b] = this.onCustom(segment, placeholder, withoutTransform);
          sql += s, binds.push.apply(binds, b);
          break;
        }
      }
    }
    let result = [sql, binds];
    return placeholderOverride !== void 0 ? result : statement2[cacheSymbol] = result;
  }
  get withoutTransform() {
    return new _CompilerImpl(this.dialect, this.parameterPlaceholder, this.onIdentifier, this.onRecordUpdate, this.onCustom, this.onInsert, this.onRecordUpdateSingle, !0);
  }
}, makeCompiler = (options) => new CompilerImpl(options.dialect, options.placeholder, options.onIdentifier, options.onRecordUpdate, options.onCustom, options.onInsert, options.onRecordUpdateSingle), makePlaceholdersArray = (evaluate) => (values) => {
  if (values.length === 0)
    return "";
  let result = evaluate(values[0]);
  for (let i = 1; i < values.length; i++)
    result += `,${evaluate(values[i])}`;
  return result;
}, generateColumns = (keys, escape, withoutTransform) => {
  if (keys.length === 0)
    return "()";
  let str = `(${escape(keys[0], withoutTransform)}`;
  for (let i = 1; i < keys.length; i++)
    str += `,${escape(keys[i], withoutTransform)}`;
  return str + ")";
};
function defaultEscape(c) {
  let re = new RegExp(c, "g"), double = c + c, dot = c + "." + c;
  return function(str) {
    return c + str.replace(re, double).replace(/\./g, dot) + c;
  };
}
var extractPrimitive = (value, onCustom, placeholder, withoutTransform) => {
  if (value === void 0)
    return null;
  if (isFragment(value)) {
    let head = value.segments[0];
    return head._tag === "Custom" ? onCustom(head, placeholder, withoutTransform)[1][0] ?? null : head._tag === "Parameter" ? head.value : null;
  }
  return value;
}, escapeSqlite = /* @__PURE__ */ defaultEscape('"'), makeCompilerSqlite = (transform) => makeCompiler({
  dialect: "sqlite",
  placeholder(_) {
    return "?";
  },
  onIdentifier: transform ? function(value, withoutTransform) {
    return escapeSqlite(withoutTransform ? value : transform(value));
  } : escapeSqlite,
  onRecordUpdate() {
    return ["", []];
  },
  onCustom() {
    return ["", []];
  }
}), defaultTransforms = (transformer, nested = !0) => {
  let transformValue = (value) => Array.isArray(value) ? value.length === 0 || value[0].constructor !== Object ? value : array(value) : value?.constructor === Object ? transformObject(value) : value, transformObject = (obj) => {
    let newObj = {};
    for (let key in obj)
      newObj[transformer(key)] = transformValue(obj[key]);
    return newObj;
  }, transformArrayNested = (rows) => {
    let newRows = new Array(rows.length);
    for (let i = 0, len = rows.length; i < len; i++) {
      let row = rows[i];
      if (Array.isArray(row))
        newRows[i] = transformArrayNested(row);
      else {
        let obj = {};
        for (let key in row)
          obj[transformer(key)] = transformValue(row[key]);
        newRows[i] = obj;
      }
    }
    return newRows;
  }, transformArray = (rows) => {
    let newRows = new Array(rows.length);
    for (let i = 0, len = rows.length; i < len; i++) {
      let row = rows[i];
      if (Array.isArray(row))
        newRows[i] = transformArray(row);
      else {
        let obj = {};
        for (let key in row)
          obj[transformer(key)] = row[key];
        newRows[i] = obj;
      }
    }
    return newRows;
  }, array = nested ? transformArrayNested : transformArray;
  return {
    value: transformValue,
    object: transformObject,
    array
  };
};

// node_modules/@effect/sql/dist/esm/Statement.js
var custom2 = custom, make12 = make11;
var makeCompiler2 = makeCompiler, makeCompilerSqlite2 = makeCompilerSqlite, defaultEscape2 = defaultEscape;
var defaultTransforms2 = defaultTransforms;

// node_modules/@effect/sql/dist/esm/internal/client.js
var TypeId2 = /* @__PURE__ */ Symbol.for("@effect/sql/SqlClient"), clientTag = /* @__PURE__ */ GenericTag("@effect/sql/SqlClient"), TransactionConnection = /* @__PURE__ */ GenericTag("@effect/sql/SqlClient/TransactionConnection");
function make13({
  acquirer,
  beginTransaction = "BEGIN",
  commit = "COMMIT",
  compiler,
  reactiveMailbox,
  rollback = "ROLLBACK",
  rollbackSavepoint = (id) => `ROLLBACK TO SAVEPOINT ${id}`,
  savepoint = (id) => `SAVEPOINT ${id}`,
  spanAttributes,
  transactionAcquirer,
  transformRows
}) {
  return gen(function* () {
    let getConnection = flatMap2(serviceOption(TransactionConnection), match({
      onNone: () => acquirer,
      onSome: ([conn]) => succeed3(conn)
    }));
    transactionAcquirer = transactionAcquirer ?? acquirer;
    let withTransaction = makeWithTransaction({
      transactionTag: TransactionConnection,
      spanAttributes,
      acquireConnection: flatMap2(make4(), (scope2) => map2(extend(transactionAcquirer, scope2), (conn) => [scope2, conn])),
      begin: (conn) => conn.executeUnprepared(beginTransaction, [], void 0),
      savepoint: (conn, id) => conn.executeUnprepared(savepoint(`effect_sql_${id}`), [], void 0),
      commit: (conn) => conn.executeUnprepared(commit, [], void 0),
      rollback: (conn) => conn.executeUnprepared(rollback, [], void 0),
      rollbackSavepoint: (conn, id) => conn.executeUnprepared(rollbackSavepoint(`effect_sql_${id}`), [], void 0)
    }), reactivity = yield* Reactivity, client = Object.assign(make12(getConnection, compiler, spanAttributes, transformRows), {
      [TypeId2]: TypeId2,
      safe: void 0,
      withTransaction,
      reserve: transactionAcquirer,
      withoutTransforms() {
        if (transformRows === void 0)
          return this;
        let statement2 = make12(getConnection, compiler.withoutTransform, spanAttributes, void 0), client2 = Object.assign(statement2, {
          ...this,
          ...statement2
        });
        return client2.safe = client2, client2.withoutTransforms = () => client2, client2;
      },
      reactive: reactiveMailbox ? (keys, effect2) => reactiveMailbox(keys, effect2).pipe(map2(toStream), unwrapScoped2) : reactivity.stream,
      reactiveMailbox: reactiveMailbox ?? reactivity.query
    });
    return client.safe = client, client;
  });
}
var makeWithTransaction = (options) => (effect2) => uninterruptibleMask((restore) => useSpan("sql.transaction", {
  kind: "client",
  captureStackTrace: !1
}, (span) => withFiberRuntime((fiber) => {
  for (let [key, value] of options.spanAttributes)
    span.attribute(key, value);
  let context2 = fiber.currentContext, clock = get(fiber.currentDefaultServices, Clock), connOption = getOption(context2, options.transactionTag), conn = connOption._tag === "Some" ? succeed3([void 0, connOption.value[0]]) : options.acquireConnection, id = connOption._tag === "Some" ? connOption.value[1] + 1 : 0;
  return flatMap2(conn, ([scope2, conn2]) => (id === 0 ? options.begin(conn2) : options.savepoint(conn2, id)).pipe(zipRight2(locally(restore(effect2), currentContext, add(context2, options.transactionTag, [conn2, id]).pipe(add(ParentSpan, span)))), exit2, flatMap2((exit3) => {
    let effect3;
    isSuccess(exit3) ? id === 0 ? (span.event("db.transaction.commit", clock.unsafeCurrentTimeNanos()), effect3 = orDie(options.commit(conn2))) : (span.event("db.transaction.savepoint", clock.unsafeCurrentTimeNanos()), effect3 = _void) : (span.event("db.transaction.rollback", clock.unsafeCurrentTimeNanos()), effect3 = orDie(id > 0 ? options.rollbackSavepoint(conn2, id) : options.rollback(conn2)));
    let withScope = scope2 !== void 0 ? ensuring(effect3, close(scope2, exit3)) : effect3;
    return zipRight2(withScope, exit3);
  })));
})));

// node_modules/@effect/sql/dist/esm/SqlClient.js
var SqlClient = clientTag, make14 = make13, makeWithTransaction2 = makeWithTransaction, TransactionConnection2 = TransactionConnection, SafeIntegers = class extends (/* @__PURE__ */ Reference()("@effect/sql/SqlClient/SafeIntegers", {
  defaultValue: () => !1
})) {
};

// node_modules/@effect/sql/dist/esm/SqlError.js
var SqlErrorTypeId = /* @__PURE__ */ Symbol.for("@effect/sql/SqlError"), SqlError = class extends (/* @__PURE__ */ TypeIdError(SqlErrorTypeId, "SqlError")) {
};

// node_modules/@effect/sql-sqlite-node/dist/esm/SqliteClient.js
import Sqlite from "libsql";

// node_modules/effect/dist/esm/Cache.js
var make15 = make7, makeWith2 = makeWith;

// node_modules/@effect/sql-sqlite-node/dist/esm/SqliteClient.js
var ATTR_DB_SYSTEM_NAME = "db.system.name", TypeId3 = /* @__PURE__ */ Symbol.for("@effect/sql-sqlite-node/SqliteClient"), SqliteClient = /* @__PURE__ */ GenericTag("@effect/sql-sqlite-node/SqliteClient"), make16 = (options) => gen(function* () {
  let compiler = makeCompilerSqlite2(options.transformQueryNames), transformRows = options.transformResultNames ? defaultTransforms2(options.transformResultNames).array : void 0, makeConnection = gen(function* () {
    let scope2 = yield* scope, db = new Sqlite(options.filename, {
      readonly: options.readonly ?? !1
    });
    yield* addFinalizer(scope2, sync2(() => db.close())), options.disableWAL !== !0 && db.pragma("journal_mode = WAL");
    let prepareCache = yield* make15({
      capacity: options.prepareCacheSize ?? 200,
      timeToLive: options.prepareCacheTTL ?? minutes(10),
      lookup: (sql) => try_({
        try: () => db.prepare(sql),
        catch: (cause) => new SqlError({
          cause,
          message: "Failed to prepare statement "
        })
      })
    }), runStatement = (statement2, params, raw) => withFiberRuntime((fiber) => {
      get(fiber.currentContext, SafeIntegers) && statement2.safeIntegers(!0);
      try {
        if (statement2.reader)
          return succeed3(statement2.all(...params));
        let result = statement2.run(...params);
        return succeed3(raw ? result : []);
      } catch (cause) {
        return fail(new SqlError({
          cause,
          message: "Failed to execute statement"
        }));
      }
    }), run = (sql, params, raw = !1) => flatMap2(prepareCache.get(sql), (s) => runStatement(s, params, raw)), runValues = (sql, params) => acquireUseRelease(prepareCache.get(sql), (statement2) => try_({
      try: () => statement2.reader ? (statement2.raw(!0), statement2.all(...params)) : (statement2.run(...params), []),
      catch: (cause) => new SqlError({
        cause,
        message: "Failed to execute statement"
      })
    }), (statement2) => sync2(() => statement2.reader && statement2.raw(!1)));
    return identity({
      execute(sql, params, transformRows2) {
        return transformRows2 ? map2(run(sql, params), transformRows2) : run(sql, params);
      },
      executeRaw(sql, params) {
        return run(sql, params, !0);
      },
      executeValues(sql, params) {
        return runValues(sql, params);
      },
      executeUnprepared(sql, params, transformRows2) {
        let effect2 = runStatement(db.prepare(sql), params ?? [], !1);
        return transformRows2 ? map2(effect2, transformRows2) : effect2;
      },
      executeStream(_sql, _params) {
        return dieMessage("executeStream not implemented");
      },
      export: try_({
        try: () => db.serialize(),
        catch: (cause) => new SqlError({
          cause,
          message: "Failed to export database"
        })
      }),
      backup(destination) {
        return tryPromise({
          try: () => db.backup(destination),
          catch: (cause) => new SqlError({
            cause,
            message: "Failed to backup database"
          })
        });
      },
      loadExtension(path) {
        return tap(try_({
          try: () => db.loadExtension(path),
          catch: (cause) => new SqlError({
            cause,
            message: "Failed to load extension"
          })
        }), () => prepareCache.invalidateAll);
      }
    });
  }), semaphore = yield* makeSemaphore(1), connection = yield* makeConnection, acquirer = semaphore.withPermits(1)(succeed3(connection)), transactionAcquirer = uninterruptibleMask((restore) => as(zipRight2(restore(semaphore.take(1)), tap(scope, (scope2) => addFinalizer(scope2, semaphore.release(1)))), connection));
  return Object.assign(yield* make14({
    acquirer,
    compiler,
    transactionAcquirer,
    spanAttributes: [...options.spanAttributes ? Object.entries(options.spanAttributes) : [], [ATTR_DB_SYSTEM_NAME, "sqlite"]],
    transformRows
  }), {
    [TypeId3]: TypeId3,
    config: options,
    export: flatMap2(acquirer, (_) => _.export),
    backup: (destination) => flatMap2(acquirer, (_) => _.backup(destination)),
    loadExtension: (path) => flatMap2(acquirer, (_) => _.loadExtension(path))
  });
});
var layer2 = (config) => scopedContext(map2(make16(config), (client) => make(SqliteClient, client).pipe(add(SqlClient, client)))).pipe(provide(layer));

// src/Database/Migration.ts
var statements = (version, name, ...texts) => ({
  version,
  name,
  up: (sql) => forEach(texts, (text) => sql.unsafe(text), { discard: !0 })
}), NewerDatabase = class extends TaggedError("NewerDatabase") {
  get message() {
    return `its part "${this.part}" has version ${this.found}, and this program knows ${this.known}: a newer version wrote it. Update the program, or name another data folder.`;
  }
}, migrate = fn("Database.migrate")(function* (sql, parts) {
  yield* sql`CREATE TABLE IF NOT EXISTS migrations (
    part TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, applied_at BIGINT NOT NULL,
    PRIMARY KEY (part, version))`;
  let applied = yield* sql`
    SELECT part, max(version) AS version FROM migrations GROUP BY part`, pending2 = [];
  for (let [part, migrations] of Object.entries(parts)) {
    let known = migrations.at(-1)?.version ?? 0, found = applied.find((each) => each.part === part)?.version ?? 0;
    if (found > known) return yield* new NewerDatabase({ part, found, known });
    for (let migration of migrations) migration.version > found && pending2.push({ ...migration, part });
  }
  if (pending2.length === 0) return;
  let applied_at = yield* currentTimeMillis, apply = ({ name, part, up, version }) => flatMap2(
    sql`INSERT INTO migrations ${sql.insert({ part, version, name, applied_at })} ON CONFLICT DO NOTHING RETURNING version`,
    (claimed) => claimed.length === 0 ? _void : up(sql)
  );
  yield* sql.withTransaction(forEach(pending2, apply, { discard: !0 }));
});

// src/Database/Transaction.ts
var whole = (sql, { begin, commit }) => {
  let rollback = (connection) => ignore(connection.execute("ROLLBACK", [], void 0)), transaction = makeWithTransaction2({
    transactionTag: TransactionConnection2,
    spanAttributes: [],
    acquireConnection: flatMap2(
      make4(),
      (scope2) => map2(extend(sql.reserve, scope2), (connection) => [scope2, connection])
    ),
    begin: (connection) => asVoid2(begin(connection)),
    savepoint: (connection, id) => connection.execute(`SAVEPOINT nested_${id}`, [], void 0),
    commit: (connection) => asVoid2(tapError(commit(connection), () => rollback(connection))),
    rollback,
    rollbackSavepoint: (connection, id) => ignore(connection.execute(`ROLLBACK TO SAVEPOINT nested_${id}`, [], void 0))
  });
  return (effect2) => catchSomeDefect(
    transaction(effect2),
    (defect) => defect instanceof SqlError ? some(fail(defect)) : none()
  );
}, attempts = 5, withWholeTransactions = (sql) => Object.assign(sql, {
  withTransaction: whole(sql, {
    // The driver waits for another writer, and everything in this process with it; in between the others have a turn.
    begin: (connection) => retry(connection.execute("BEGIN IMMEDIATE", [], void 0), {
      while: (error) => as(nextTurn, isBusy(error)),
      times: attempts
    }),
    commit: (connection) => connection.execute("COMMIT", [], void 0)
  })
});

// src/Database.ts
var DatabaseError = class extends TaggedError("DatabaseError") {
  get message() {
    return `Cannot open the database ${this.file}: ${this.reason}`;
  }
}, patience = 1e4, opened = ({ file, parts, pragmas }) => {
  let failed = (cause) => new DatabaseError({ file, reason: reasonOf(cause), cause }), open = gen(function* () {
    let sql = withWholeTransactions(yield* SqlClient);
    return yield* forEach(
      // Several processes may share the file: writers wait for each other, and readers for nobody.
      [`busy_timeout = ${patience}`, ...pragmas, "temp_store = MEMORY", "journal_mode = WAL"],
      (pragma) => sql.unsafe(`PRAGMA ${pragma}`),
      { discard: !0 }
    ), yield* migrate(sql, parts), sql;
  }).pipe(
    catchTags({
      NewerDatabase: (newer) => fail(new DatabaseError({ file, reason: newer.message })),
      SqlError: (error) => fail(failed(error))
    })
  );
  return effect(SqlClient, open).pipe(
    // The driver would set WAL at once, and then it is too late for `auto_vacuum`.
    provide(layer2({ filename: file, disableWAL: !0 })),
    // The driver throws when the file cannot be opened.
    catchAllCause((cause) => {
      let error = squash(cause);
      return fail2(error instanceof DatabaseError ? error : failed(error));
    })
  );
}, isShared = (files, folder) => flatMap2(
  files.stat(folder),
  ({ mode }) => (mode & 514) === 514 ? map2(files.readDirectory(folder), (names) => names.length > 0) : succeed3(!1)
), layer3 = (options) => unwrapScoped(
  gen(function* () {
    let { file } = options, files = yield* FileSystem, folder = (yield* Path).dirname(file), failed = (cause) => new DatabaseError({ file, reason: reasonOf(cause), cause });
    if (yield* mapError(makeFolder(files, folder), failed), yield* mapError(isShared(files, folder), failed)) {
      let reason = `${folder} is a folder of all users of this machine, and what is kept in it would be private: name one below it`;
      return yield* new DatabaseError({ file, reason });
    }
    return yield* mapError(files.chmod(folder, 448), failed), opened(options);
  })
), memory = (options) => opened({ ...options, file: ":memory:" }), shrink = (sql) => sql.onDialectOrElse({
  sqlite: () => gen(function* () {
    yield* acquireUseRelease(
      sql.unsafe("PRAGMA auto_vacuum = FULL"),
      // Any change will do.
      () => sql.withTransaction(sql`UPDATE migrations SET name = name`),
      () => ignore(sql.unsafe("PRAGMA auto_vacuum = INCREMENTAL"))
    ), yield* sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)");
  }),
  orElse: () => _void
});

export {
  layer,
  custom2 as custom,
  makeCompiler2 as makeCompiler,
  makeCompilerSqlite2 as makeCompilerSqlite,
  defaultEscape2 as defaultEscape,
  defaultTransforms2 as defaultTransforms,
  SqlClient,
  make14 as make,
  TransactionConnection2 as TransactionConnection,
  SqlError,
  makeWith2 as makeWith,
  layer2,
  statements,
  migrate,
  whole,
  withWholeTransactions,
  DatabaseError,
  layer3,
  memory,
  shrink
};
