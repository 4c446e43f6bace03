import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  Array$,
  ArrayFormatter,
  Boolean$,
  Defect,
  Error as Error2,
  Literal,
  NullOr,
  Number$,
  String$,
  Struct,
  TaggedError,
  TaggedError2,
  Union2 as Union,
  declare,
  decodeUnknownEither,
  make as make6,
  optional,
  tagged,
  value
} from "./chunk-PAQDWWDE.js";
import {
  Class,
  DeferredTypeId,
  GenericTag,
  IllegalArgumentException,
  NoSuchElementException,
  ScheduleTypeId,
  Tag,
  TypeId,
  _await,
  _void,
  acquireRelease,
  acquireUseRelease2 as acquireUseRelease,
  add,
  addDelay,
  addFinalizer,
  addFinalizerExit,
  all,
  all3 as all2,
  append,
  appendAll2 as appendAll,
  as,
  as2,
  asVoid,
  asVoid3 as asVoid2,
  async,
  asyncInterrupt,
  bind,
  bindTo,
  catchAll,
  catchAll3 as catchAll2,
  catchAllCause3 as catchAllCause,
  catchIf,
  catchSomeCause,
  catchTag,
  close,
  combineAll,
  context2 as context,
  currentContext,
  currentLogAnnotations,
  currentTracerEnabled,
  currentUnhandledErrorLogLevel,
  decode,
  defaultRuntime,
  deferredAwait,
  deferredComplete,
  deferredDone,
  deferredFail,
  deferredFailCause,
  deferredInterrupt,
  deferredInterruptWith,
  deferredIsDone,
  deferredMake,
  deferredPoll,
  deferredSucceed,
  deferredUnsafeDone,
  deferredUnsafeMake,
  die,
  die2,
  die3,
  dieMessage,
  driver,
  drop,
  empty4 as empty,
  empty5 as empty2,
  ensuring,
  ensuring2,
  exit2 as exit,
  exitAs,
  exitFail,
  exitFailCause,
  exitSucceed,
  exitVoid,
  exitZipRight,
  exponential,
  extend,
  fail2 as fail,
  fail3 as fail2,
  fail5 as fail3,
  failCause,
  failCause2,
  failureOrCause,
  fiberId,
  fiberIdWith,
  fiberRefGet,
  fiberRefLocally,
  fiberRefSet,
  fiberRefUnsafeMake,
  filter2 as filter,
  filterMap2 as filterMap,
  flatMap2 as flatMap,
  flatMap3 as flatMap2,
  flatMap5 as flatMap3,
  flatten2 as flatten,
  flipCauseOption,
  forEach2 as forEach,
  forEachConcurrentDiscard,
  forever2 as forever,
  forever3 as forever2,
  fork,
  forkDaemon2 as forkDaemon,
  forkIn,
  forkIn2,
  forkScoped,
  fromIterable,
  fromIterable2,
  gen,
  get,
  get2,
  get4 as get3,
  head2 as head,
  identity as identity2,
  ignore,
  inheritAll,
  interrupt,
  interrupt2,
  interrupt3,
  interrupt4,
  interruptAs,
  interruptFiber,
  interruptible,
  interruptible2,
  interruptors,
  intersect,
  intoDeferred,
  isChunk,
  isDieType,
  isEffect,
  isEmpty,
  isFailure,
  isFinite,
  isInterrupted,
  isInterruptedOnly,
  isNonEmpty,
  isSuccess,
  jittered,
  jitteredWith,
  join,
  make2 as make,
  make3 as make2,
  make5 as make3,
  make8 as make4,
  make9 as make5,
  makeSemaphore,
  map4 as map3,
  map6 as map4,
  map7 as map5,
  map8 as map6,
  map9 as map7,
  mapAccum,
  mapBoth,
  mapBoth2,
  mapError2 as mapError,
  match as match3,
  match2 as match4,
  matchCause,
  matchCauseEffect,
  matchEffect,
  merge,
  modify,
  modifyDelay,
  of,
  onError,
  onInterrupt,
  orDie2 as orDie,
  passthrough,
  prepend,
  promise,
  provide2 as provide,
  race,
  raceFirst,
  raceWith,
  range,
  recurs,
  reduce2 as reduce,
  repeat,
  reverse,
  runtime2 as runtime,
  scope,
  scopeClose,
  scopeMake,
  scopeTag,
  scopeWith,
  scoped2 as scoped,
  scopedWith,
  sequential,
  set2 as set,
  set3 as set2,
  size,
  sleep,
  spaced,
  splitAt,
  splitWhere,
  squash,
  succeed,
  succeed2,
  succeed4 as succeed3,
  suspend,
  suspend2,
  sync,
  sync3 as sync2,
  take,
  takeRight,
  takeWhile,
  tap,
  tap2,
  tapErrorCause,
  toReadonlyArray,
  tryMap,
  tryPromise,
  try_,
  uninterruptible,
  uninterruptible2,
  uninterruptibleMask,
  uninterruptibleMask2,
  union,
  unsafeFork,
  unsafeFromArray,
  unsafeGet2 as unsafeGet,
  unsafeHead2 as unsafeHead,
  unsafeMakeSemaphore,
  unsafeRunCallback,
  unsafeRunPromiseExit,
  upTo,
  update,
  updateContext,
  void_,
  void_2,
  when2 as when,
  whenEffect,
  whileInput,
  withFiberRuntime,
  withFiberRuntime2,
  zip,
  zip2,
  zipLeft2 as zipLeft,
  zipRight,
  zipRight2,
  zipRight3,
  zipWith
} from "./chunk-JGKSI326.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import {
  left,
  map,
  mapLeft,
  match,
  right
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  NodeInspectSymbol,
  constTrue,
  constVoid,
  dual,
  equals,
  format,
  getOrElse,
  hasProperty,
  identity,
  isNone,
  isSome,
  map as map2,
  match as match2,
  none2 as none,
  pipe,
  pipeArguments,
  some2 as some,
  toJSON
} from "./chunk-ANBJACJV.js";

// node_modules/effect/dist/esm/Deferred.js
var DeferredTypeId2 = DeferredTypeId, make7 = deferredMake;
var _await2 = deferredAwait;
var complete = deferredComplete;
var done = deferredDone, fail4 = deferredFail;
var failCause3 = deferredFailCause;
var interrupt5 = deferredInterrupt;
var isDone = deferredIsDone, poll = deferredPoll, succeed4 = deferredSucceed;
var unsafeMake = deferredUnsafeMake, unsafeDone = deferredUnsafeDone;

// node_modules/effect/dist/esm/MutableList.js
var TypeId2 = /* @__PURE__ */ Symbol.for("effect/MutableList"), MutableListProto = {
  [TypeId2]: TypeId2,
  [Symbol.iterator]() {
    let done3 = !1, head3 = this.head;
    return {
      next() {
        if (done3)
          return this.return();
        if (head3 == null)
          return done3 = !0, this.return();
        let value2 = head3.value;
        return head3 = head3.next, {
          done: done3,
          value: value2
        };
      },
      return(value2) {
        return done3 || (done3 = !0), {
          done: !0,
          value: value2
        };
      }
    };
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "MutableList",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, makeNode = (value2) => ({
  value: value2,
  removed: !1,
  prev: void 0,
  next: void 0
}), empty3 = () => {
  let list = Object.create(MutableListProto);
  return list.head = void 0, list.tail = void 0, list._length = 0, list;
};
var isEmpty2 = (self) => length(self) === 0, length = (self) => self._length;
var append2 = /* @__PURE__ */ dual(2, (self, value2) => {
  let node = makeNode(value2);
  return self.head === void 0 && (self.head = node), self.tail === void 0 || (self.tail.next = node, node.prev = self.tail), self.tail = node, self._length += 1, self;
}), shift = (self) => {
  let head3 = self.head;
  if (head3 !== void 0)
    return remove(self, head3), head3.value;
};
var remove = (self, node) => {
  node.removed || (node.removed = !0, node.prev !== void 0 && node.next !== void 0 ? (node.prev.next = node.next, node.next.prev = node.prev) : node.prev !== void 0 ? (self.tail = node.prev, node.prev.next = void 0) : node.next !== void 0 ? (self.head = node.next, node.next.prev = void 0) : (self.tail = void 0, self.head = void 0), self._length > 0 && (self._length -= 1));
};

// node_modules/effect/dist/esm/MutableQueue.js
var TypeId3 = /* @__PURE__ */ Symbol.for("effect/MutableQueue"), EmptyMutableQueue = /* @__PURE__ */ Symbol.for("effect/mutable/MutableQueue/Empty"), MutableQueueProto = {
  [TypeId3]: TypeId3,
  [Symbol.iterator]() {
    return Array.from(this.queue)[Symbol.iterator]();
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "MutableQueue",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, make8 = (capacity4) => {
  let queue = Object.create(MutableQueueProto);
  return queue.queue = empty3(), queue.capacity = capacity4, queue;
}, bounded = (capacity4) => make8(capacity4), unbounded = () => make8(void 0), length2 = (self) => length(self.queue), isEmpty3 = (self) => isEmpty2(self.queue);
var capacity = (self) => self.capacity === void 0 ? 1 / 0 : self.capacity, offer = /* @__PURE__ */ dual(2, (self, value2) => {
  let queueLength = length(self.queue);
  return self.capacity !== void 0 && queueLength === self.capacity ? !1 : (append2(value2)(self.queue), !0);
}), offerAll = /* @__PURE__ */ dual(2, (self, values) => {
  let iterator = values[Symbol.iterator](), next, remainder = empty2(), offering = !0;
  for (; offering && (next = iterator.next()) && !next.done; )
    offering = offer(next.value)(self);
  for (; next != null && !next.done; )
    remainder = prepend(next.value)(remainder), next = iterator.next();
  return reverse(remainder);
}), poll2 = /* @__PURE__ */ dual(2, (self, def) => isEmpty2(self.queue) ? def : shift(self.queue)), pollUpTo = /* @__PURE__ */ dual(2, (self, n) => {
  let result = empty2(), count3 = 0;
  for (; count3 < n; ) {
    let element = poll2(EmptyMutableQueue)(self);
    if (element === EmptyMutableQueue)
      break;
    result = prepend(element)(result), count3 += 1;
  }
  return reverse(result);
});

// node_modules/@effect/platform/dist/esm/Error.js
var TypeId4 = /* @__PURE__ */ Symbol.for("@effect/platform/Error");
var TypeIdError = (typeId, tag2) => {
  class Base extends Error2 {
    _tag = tag2;
  }
  return Base.prototype[typeId] = typeId, Base.prototype.name = tag2, Base;
}, Module = /* @__PURE__ */ Literal("Clipboard", "Command", "FileSystem", "KeyValueStore", "Path", "Stream", "Terminal"), BadArgument = class extends (/* @__PURE__ */ TaggedError2("@effect/platform/Error/BadArgument")("BadArgument", {
  module: Module,
  method: String$,
  description: /* @__PURE__ */ optional(String$),
  cause: /* @__PURE__ */ optional(Defect)
})) {
  /**
   * @since 1.0.0
   */
  [TypeId4] = TypeId4;
  /**
   * @since 1.0.0
   */
  get message() {
    return `${this.module}.${this.method}${this.description ? `: ${this.description}` : ""}`;
  }
}, SystemErrorReason = /* @__PURE__ */ Literal("AlreadyExists", "BadResource", "Busy", "InvalidData", "NotFound", "PermissionDenied", "TimedOut", "UnexpectedEof", "Unknown", "WouldBlock", "WriteZero"), SystemError = class extends (/* @__PURE__ */ TaggedError2("@effect/platform/Error/SystemError")("SystemError", {
  reason: SystemErrorReason,
  module: Module,
  method: String$,
  description: /* @__PURE__ */ optional(String$),
  syscall: /* @__PURE__ */ optional(String$),
  pathOrDescriptor: /* @__PURE__ */ optional(/* @__PURE__ */ Union(String$, Number$)),
  cause: /* @__PURE__ */ optional(Defect)
})) {
  /**
   * @since 1.0.0
   */
  [TypeId4] = TypeId4;
  /**
   * @since 1.0.0
   */
  get message() {
    return `${this.reason}: ${this.module}.${this.method}${this.pathOrDescriptor !== void 0 ? ` (${this.pathOrDescriptor})` : ""}${this.description ? `: ${this.description}` : ""}`;
  }
};

// node_modules/@effect/platform/dist/esm/internal/path.js
var TypeId5 = /* @__PURE__ */ Symbol.for("@effect/platform/Path"), Path = /* @__PURE__ */ GenericTag("@effect/platform/Path");
function normalizeStringPosix(path, allowAboveRoot) {
  let res = "", lastSegmentLength = 0, lastSlash = -1, dots = 0, code;
  for (let i = 0; i <= path.length; ++i) {
    if (i < path.length)
      code = path.charCodeAt(i);
    else {
      if (code === 47)
        break;
      code = 47;
    }
    if (code === 47) {
      if (!(lastSlash === i - 1 || dots === 1))
        if (lastSlash !== i - 1 && dots === 2) {
          if (res.length < 2 || lastSegmentLength !== 2 || res.charCodeAt(res.length - 1) !== 46 || res.charCodeAt(res.length - 2) !== 46) {
            if (res.length > 2) {
              let lastSlashIndex = res.lastIndexOf("/");
              if (lastSlashIndex !== res.length - 1) {
                lastSlashIndex === -1 ? (res = "", lastSegmentLength = 0) : (res = res.slice(0, lastSlashIndex), lastSegmentLength = res.length - 1 - res.lastIndexOf("/")), lastSlash = i, dots = 0;
                continue;
              }
            } else if (res.length === 2 || res.length === 1) {
              res = "", lastSegmentLength = 0, lastSlash = i, dots = 0;
              continue;
            }
          }
          allowAboveRoot && (res.length > 0 ? res += "/.." : res = "..", lastSegmentLength = 2);
        } else
          res.length > 0 ? res += "/" + path.slice(lastSlash + 1, i) : res = path.slice(lastSlash + 1, i), lastSegmentLength = i - lastSlash - 1;
      lastSlash = i, dots = 0;
    } else code === 46 && dots !== -1 ? ++dots : dots = -1;
  }
  return res;
}
function _format(sep, pathObject) {
  let dir = pathObject.dir || pathObject.root, base = pathObject.base || (pathObject.name || "") + (pathObject.ext || "");
  return dir ? dir === pathObject.root ? dir + base : dir + sep + base : base;
}
function fromFileUrl(url) {
  if (url.protocol !== "file:")
    return fail3(new BadArgument({
      module: "Path",
      method: "fromFileUrl",
      description: "URL must be of scheme file"
    }));
  if (url.hostname !== "")
    return fail3(new BadArgument({
      module: "Path",
      method: "fromFileUrl",
      description: "Invalid file URL host"
    }));
  let pathname = url.pathname;
  for (let n = 0; n < pathname.length; n++)
    if (pathname[n] === "%") {
      let third = pathname.codePointAt(n + 2) | 32;
      if (pathname[n + 1] === "2" && third === 102)
        return fail3(new BadArgument({
          module: "Path",
          method: "fromFileUrl",
          description: "must not include encoded / characters"
        }));
    }
  return succeed3(decodeURIComponent(pathname));
}
var resolve = function() {
  let resolvedPath = "", resolvedAbsolute = !1, cwd;
  for (let i = arguments.length - 1; i >= -1 && !resolvedAbsolute; i--) {
    let path;
    if (i >= 0)
      path = arguments[i];
    else {
      let process = globalThis.process;
      cwd === void 0 && "process" in globalThis && typeof process == "object" && process !== null && typeof process.cwd == "function" && (cwd = process.cwd()), path = cwd;
    }
    path.length !== 0 && (resolvedPath = path + "/" + resolvedPath, resolvedAbsolute = path.charCodeAt(0) === 47);
  }
  return resolvedPath = normalizeStringPosix(resolvedPath, !resolvedAbsolute), resolvedAbsolute ? resolvedPath.length > 0 ? "/" + resolvedPath : "/" : resolvedPath.length > 0 ? resolvedPath : ".";
}, CHAR_FORWARD_SLASH = 47;
function toFileUrl(filepath) {
  let outURL = new URL("file://"), resolved = resolve(filepath);
  return filepath.charCodeAt(filepath.length - 1) === CHAR_FORWARD_SLASH && resolved[resolved.length - 1] !== "/" && (resolved += "/"), outURL.pathname = encodePathChars(resolved), succeed3(outURL);
}
var percentRegEx = /%/g, backslashRegEx = /\\/g, newlineRegEx = /\n/g, carriageReturnRegEx = /\r/g, tabRegEx = /\t/g;
function encodePathChars(filepath) {
  return filepath.includes("%") && (filepath = filepath.replace(percentRegEx, "%25")), filepath.includes("\\") && (filepath = filepath.replace(backslashRegEx, "%5C")), filepath.includes(`
`) && (filepath = filepath.replace(newlineRegEx, "%0A")), filepath.includes("\r") && (filepath = filepath.replace(carriageReturnRegEx, "%0D")), filepath.includes("	") && (filepath = filepath.replace(tabRegEx, "%09")), filepath;
}
var posixImpl = /* @__PURE__ */ Path.of({
  [TypeId5]: TypeId5,
  resolve,
  normalize(path) {
    if (path.length === 0) return ".";
    let isAbsolute = path.charCodeAt(0) === 47, trailingSeparator = path.charCodeAt(path.length - 1) === 47;
    return path = normalizeStringPosix(path, !isAbsolute), path.length === 0 && !isAbsolute && (path = "."), path.length > 0 && trailingSeparator && (path += "/"), isAbsolute ? "/" + path : path;
  },
  isAbsolute(path) {
    return path.length > 0 && path.charCodeAt(0) === 47;
  },
  join() {
    if (arguments.length === 0)
      return ".";
    let joined;
    for (let i = 0; i < arguments.length; ++i) {
      let arg = arguments[i];
      arg.length > 0 && (joined === void 0 ? joined = arg : joined += "/" + arg);
    }
    return joined === void 0 ? "." : posixImpl.normalize(joined);
  },
  relative(from, to) {
    if (from === to || (from = posixImpl.resolve(from), to = posixImpl.resolve(to), from === to)) return "";
    let fromStart = 1;
    for (; fromStart < from.length && from.charCodeAt(fromStart) === 47; ++fromStart)
      ;
    let fromEnd = from.length, fromLen = fromEnd - fromStart, toStart = 1;
    for (; toStart < to.length && to.charCodeAt(toStart) === 47; ++toStart)
      ;
    let toLen = to.length - toStart, length3 = fromLen < toLen ? fromLen : toLen, lastCommonSep = -1, i = 0;
    for (; i <= length3; ++i) {
      if (i === length3) {
        if (toLen > length3) {
          if (to.charCodeAt(toStart + i) === 47)
            return to.slice(toStart + i + 1);
          if (i === 0)
            return to.slice(toStart + i);
        } else fromLen > length3 && (from.charCodeAt(fromStart + i) === 47 ? lastCommonSep = i : i === 0 && (lastCommonSep = 0));
        break;
      }
      let fromCode = from.charCodeAt(fromStart + i), toCode = to.charCodeAt(toStart + i);
      if (fromCode !== toCode)
        break;
      fromCode === 47 && (lastCommonSep = i);
    }
    let out = "";
    for (i = fromStart + lastCommonSep + 1; i <= fromEnd; ++i)
      (i === fromEnd || from.charCodeAt(i) === 47) && (out.length === 0 ? out += ".." : out += "/..");
    return out.length > 0 ? out + to.slice(toStart + lastCommonSep) : (toStart += lastCommonSep, to.charCodeAt(toStart) === 47 && ++toStart, to.slice(toStart));
  },
  dirname(path) {
    if (path.length === 0) return ".";
    let code = path.charCodeAt(0), hasRoot = code === 47, end3 = -1, matchedSlash = !0;
    for (let i = path.length - 1; i >= 1; --i)
      if (code = path.charCodeAt(i), code === 47) {
        if (!matchedSlash) {
          end3 = i;
          break;
        }
      } else
        matchedSlash = !1;
    return end3 === -1 ? hasRoot ? "/" : "." : hasRoot && end3 === 1 ? "//" : path.slice(0, end3);
  },
  basename(path, ext) {
    let start = 0, end3 = -1, matchedSlash = !0, i;
    if (ext !== void 0 && ext.length > 0 && ext.length <= path.length) {
      if (ext.length === path.length && ext === path) return "";
      let extIdx = ext.length - 1, firstNonSlashEnd = -1;
      for (i = path.length - 1; i >= 0; --i) {
        let code = path.charCodeAt(i);
        if (code === 47) {
          if (!matchedSlash) {
            start = i + 1;
            break;
          }
        } else
          firstNonSlashEnd === -1 && (matchedSlash = !1, firstNonSlashEnd = i + 1), extIdx >= 0 && (code === ext.charCodeAt(extIdx) ? --extIdx === -1 && (end3 = i) : (extIdx = -1, end3 = firstNonSlashEnd));
      }
      return start === end3 ? end3 = firstNonSlashEnd : end3 === -1 && (end3 = path.length), path.slice(start, end3);
    } else {
      for (i = path.length - 1; i >= 0; --i)
        if (path.charCodeAt(i) === 47) {
          if (!matchedSlash) {
            start = i + 1;
            break;
          }
        } else end3 === -1 && (matchedSlash = !1, end3 = i + 1);
      return end3 === -1 ? "" : path.slice(start, end3);
    }
  },
  extname(path) {
    let startDot = -1, startPart = 0, end3 = -1, matchedSlash = !0, preDotState = 0;
    for (let i = path.length - 1; i >= 0; --i) {
      let code = path.charCodeAt(i);
      if (code === 47) {
        if (!matchedSlash) {
          startPart = i + 1;
          break;
        }
        continue;
      }
      end3 === -1 && (matchedSlash = !1, end3 = i + 1), code === 46 ? startDot === -1 ? startDot = i : preDotState !== 1 && (preDotState = 1) : startDot !== -1 && (preDotState = -1);
    }
    return startDot === -1 || end3 === -1 || // We saw a non-dot character immediately before the dot
    preDotState === 0 || // The (right-most) trimmed path component is exactly '..'
    preDotState === 1 && startDot === end3 - 1 && startDot === startPart + 1 ? "" : path.slice(startDot, end3);
  },
  format: function(pathObject) {
    if (pathObject === null || typeof pathObject != "object")
      throw new TypeError('The "pathObject" argument must be of type Object. Received type ' + typeof pathObject);
    return _format("/", pathObject);
  },
  parse(path) {
    let ret = {
      root: "",
      dir: "",
      base: "",
      ext: "",
      name: ""
    };
    if (path.length === 0) return ret;
    let code = path.charCodeAt(0), isAbsolute = code === 47, start;
    isAbsolute ? (ret.root = "/", start = 1) : start = 0;
    let startDot = -1, startPart = 0, end3 = -1, matchedSlash = !0, i = path.length - 1, preDotState = 0;
    for (; i >= start; --i) {
      if (code = path.charCodeAt(i), code === 47) {
        if (!matchedSlash) {
          startPart = i + 1;
          break;
        }
        continue;
      }
      end3 === -1 && (matchedSlash = !1, end3 = i + 1), code === 46 ? startDot === -1 ? startDot = i : preDotState !== 1 && (preDotState = 1) : startDot !== -1 && (preDotState = -1);
    }
    return startDot === -1 || end3 === -1 || // We saw a non-dot character immediately before the dot
    preDotState === 0 || // The (right-most) trimmed path component is exactly '..'
    preDotState === 1 && startDot === end3 - 1 && startDot === startPart + 1 ? end3 !== -1 && (startPart === 0 && isAbsolute ? ret.base = ret.name = path.slice(1, end3) : ret.base = ret.name = path.slice(startPart, end3)) : (startPart === 0 && isAbsolute ? (ret.name = path.slice(1, startDot), ret.base = path.slice(1, end3)) : (ret.name = path.slice(startPart, startDot), ret.base = path.slice(startPart, end3)), ret.ext = path.slice(startDot, end3)), startPart > 0 ? ret.dir = path.slice(0, startPart - 1) : isAbsolute && (ret.dir = "/"), ret;
  },
  sep: "/",
  fromFileUrl,
  toFileUrl,
  toNamespacedPath: identity
});

// node_modules/@effect/platform/dist/esm/Path.js
var TypeId6 = TypeId5, Path2 = Path;

// src/Row/Url.ts
var trackingParameter = /^(utm_.*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|mc_[ce]id|igshid|yclid|twclid|ttclid|li_fat_id|_ga|_gl|_hs(enc|mi)|__hs(tc|sc|fp)|mkt_tok|oly_(anon|enc)_id|vero_id|wickedid)$/i, maxLength = 65536, parse = (text) => {
  let url = text.length <= maxLength && canParse(text) ? new URL(text) : void 0;
  return url !== void 0 && (url.protocol === "http:" || url.protocol === "https:") ? url : void 0;
}, nameOf = (url) => url.hostname.replace(/\.+$/, ""), normalizeEscapes = (text) => text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/%[0-9a-f]{2}/gi, (escape) => {
  let character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}), canonicalPath = (path) => {
  let text = normalizeEscapes(path), end3 = text.length;
  for (; ; ) {
    let name = [10, 11].find((length3) => end3 >= length3 && /^\/index\.html?$/.test(text.slice(end3 - length3, end3)));
    if (name !== void 0) end3 -= name;
    else if (text.charCodeAt(end3 - 1) === 47) end3--;
    else return end3 === 0 ? "/" : text.slice(0, end3);
  }
}, parameterName = (parameter) => parameter.split("=", 1)[0] ?? "", canonicalQuery = (search) => {
  let parameters = normalizeEscapes(search.slice(1)).split("&").filter((parameter) => parameter !== "" && !trackingParameter.test(parameterName(parameter))).map((parameter) => ({ name: parameterName(parameter), parameter })).sort((one, other) => one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
  return parameters.length === 0 ? "" : `?${parameters.map(({ parameter }) => parameter).join("&")}`;
}, canonicalUrl = (text) => {
  let url = parse(text);
  if (url === void 0) return;
  let name = nameOf(url);
  if (name === "") return;
  let port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${name}${port}${canonicalPath(url.pathname)}${canonicalQuery(url.search)}`;
}, urlVariants = (text) => {
  let canonical = canonicalUrl(text);
  if (canonical === void 0) return [text];
  let rest = canonical.replace(/^https?:\/\/(?:www\.)?/, "");
  return ["http://", "https://", "http://www.", "https://www."].map((start) => start + rest);
}, host = (text) => {
  let url = parse(text);
  return url === void 0 ? void 0 : nameOf(url) || void 0;
};

// node_modules/effect/dist/esm/FiberRef.js
var unsafeMake2 = fiberRefUnsafeMake;
var get4 = fiberRefGet;
var set3 = fiberRefSet;
var currentContext2 = currentContext;
var unhandledErrorLogLevel = currentUnhandledErrorLogLevel;
var currentLogAnnotations2 = currentLogAnnotations;
var currentTracerEnabled2 = currentTracerEnabled;

// node_modules/effect/dist/esm/internal/queue.js
var EnqueueSymbolKey = "effect/QueueEnqueue", EnqueueTypeId = /* @__PURE__ */ Symbol.for(EnqueueSymbolKey), DequeueSymbolKey = "effect/QueueDequeue", DequeueTypeId = /* @__PURE__ */ Symbol.for(DequeueSymbolKey), QueueStrategySymbolKey = "effect/QueueStrategy", QueueStrategyTypeId = /* @__PURE__ */ Symbol.for(QueueStrategySymbolKey), BackingQueueSymbolKey = "effect/BackingQueue", BackingQueueTypeId = /* @__PURE__ */ Symbol.for(BackingQueueSymbolKey), queueStrategyVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, backingQueueVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, enqueueVariance = {
  /* c8 ignore next */
  _In: (_) => _
}, dequeueVariance = {
  /* c8 ignore next */
  _Out: (_) => _
}, QueueImpl = class extends Class {
  queue;
  takers;
  shutdownHook;
  shutdownFlag;
  strategy;
  [EnqueueTypeId] = enqueueVariance;
  [DequeueTypeId] = dequeueVariance;
  constructor(queue, takers, shutdownHook, shutdownFlag, strategy) {
    super(), this.queue = queue, this.takers = takers, this.shutdownHook = shutdownHook, this.shutdownFlag = shutdownFlag, this.strategy = strategy;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  commit() {
    return this.take;
  }
  capacity() {
    return this.queue.capacity();
  }
  get size() {
    return suspend(() => catchAll(this.unsafeSize(), () => interrupt));
  }
  unsafeSize() {
    return get2(this.shutdownFlag) ? none() : some(this.queue.length() - length2(this.takers) + this.strategy.surplusSize());
  }
  get isEmpty() {
    return map4(this.size, (size4) => size4 <= 0);
  }
  get isFull() {
    return map4(this.size, (size4) => size4 >= this.capacity());
  }
  get shutdown() {
    return uninterruptible(withFiberRuntime((state) => (pipe(this.shutdownFlag, set(!0)), pipe(forEachConcurrentDiscard(unsafePollAll(this.takers), (d) => deferredInterruptWith(d, state.id()), !1, !1), zipRight(this.strategy.shutdown), whenEffect(deferredSucceed(this.shutdownHook, void 0)), asVoid))));
  }
  get isShutdown() {
    return sync(() => get2(this.shutdownFlag));
  }
  get awaitShutdown() {
    return deferredAwait(this.shutdownHook);
  }
  isActive() {
    return !get2(this.shutdownFlag);
  }
  unsafeOffer(value2) {
    if (get2(this.shutdownFlag))
      return !1;
    let noRemaining;
    if (this.queue.length() === 0) {
      let taker = pipe(this.takers, poll2(EmptyMutableQueue));
      taker !== EmptyMutableQueue ? (unsafeCompleteDeferred(taker, value2), noRemaining = !0) : noRemaining = !1;
    } else
      noRemaining = !1;
    if (noRemaining)
      return !0;
    let succeeded = this.queue.offer(value2);
    return unsafeCompleteTakers(this.strategy, this.queue, this.takers), succeeded;
  }
  offer(value2) {
    return suspend(() => {
      if (get2(this.shutdownFlag))
        return interrupt;
      let noRemaining;
      if (this.queue.length() === 0) {
        let taker = pipe(this.takers, poll2(EmptyMutableQueue));
        taker !== EmptyMutableQueue ? (unsafeCompleteDeferred(taker, value2), noRemaining = !0) : noRemaining = !1;
      } else
        noRemaining = !1;
      if (noRemaining)
        return succeed(!0);
      let succeeded = this.queue.offer(value2);
      return unsafeCompleteTakers(this.strategy, this.queue, this.takers), succeeded ? succeed(!0) : this.strategy.handleSurplus([value2], this.queue, this.takers, this.shutdownFlag);
    });
  }
  offerAll(iterable) {
    return suspend(() => {
      if (get2(this.shutdownFlag))
        return interrupt;
      let values = fromIterable(iterable), pTakers = this.queue.length() === 0 ? fromIterable(unsafePollN(this.takers, values.length)) : empty, [forTakers, remaining] = pipe(values, splitAt(pTakers.length));
      for (let i = 0; i < pTakers.length; i++) {
        let taker = pTakers[i], item = forTakers[i];
        unsafeCompleteDeferred(taker, item);
      }
      if (remaining.length === 0)
        return succeed(!0);
      let surplus = this.queue.offerAll(remaining);
      return unsafeCompleteTakers(this.strategy, this.queue, this.takers), isEmpty(surplus) ? succeed(!0) : this.strategy.handleSurplus(surplus, this.queue, this.takers, this.shutdownFlag);
    });
  }
  get take() {
    return withFiberRuntime((state) => {
      if (get2(this.shutdownFlag))
        return interrupt;
      let item = this.queue.poll(EmptyMutableQueue);
      if (item !== EmptyMutableQueue)
        return this.strategy.unsafeOnQueueEmptySpace(this.queue, this.takers), succeed(item);
      {
        let deferred = deferredUnsafeMake(state.id());
        return pipe(suspend(() => (pipe(this.takers, offer(deferred)), unsafeCompleteTakers(this.strategy, this.queue, this.takers), get2(this.shutdownFlag) ? interrupt : deferredAwait(deferred))), onInterrupt(() => sync(() => unsafeRemove(this.takers, deferred))));
      }
    });
  }
  get takeAll() {
    return suspend(() => get2(this.shutdownFlag) ? interrupt : sync(() => {
      let values = this.queue.pollUpTo(Number.POSITIVE_INFINITY);
      return this.strategy.unsafeOnQueueEmptySpace(this.queue, this.takers), fromIterable2(values);
    }));
  }
  takeUpTo(max) {
    return suspend(() => get2(this.shutdownFlag) ? interrupt : sync(() => {
      let values = this.queue.pollUpTo(max);
      return this.strategy.unsafeOnQueueEmptySpace(this.queue, this.takers), fromIterable2(values);
    }));
  }
  takeBetween(min, max) {
    return suspend(() => takeRemainderLoop(this, min, max, empty2()));
  }
}, takeRemainderLoop = (self, min, max, acc) => max < min ? succeed(acc) : pipe(takeUpTo(self, max), flatMap2((bs) => {
  let remaining = min - bs.length;
  return remaining === 1 ? pipe(take2(self), map4((b) => pipe(acc, appendAll(bs), append(b)))) : remaining > 1 ? pipe(take2(self), flatMap2((b) => takeRemainderLoop(self, remaining - 1, max - bs.length - 1, pipe(acc, appendAll(bs), append(b))))) : succeed(pipe(acc, appendAll(bs)));
}));
var bounded2 = (requestedCapacity) => pipe(sync(() => bounded(requestedCapacity)), flatMap2((queue) => make9(backingQueueFromMutableQueue(queue), backPressureStrategy()))), dropping = (requestedCapacity) => pipe(sync(() => bounded(requestedCapacity)), flatMap2((queue) => make9(backingQueueFromMutableQueue(queue), droppingStrategy()))), sliding = (requestedCapacity) => pipe(sync(() => bounded(requestedCapacity)), flatMap2((queue) => make9(backingQueueFromMutableQueue(queue), slidingStrategy()))), unbounded2 = () => pipe(sync(() => unbounded()), flatMap2((queue) => make9(backingQueueFromMutableQueue(queue), droppingStrategy()))), unsafeMake3 = (queue, takers, shutdownHook, shutdownFlag, strategy) => new QueueImpl(queue, takers, shutdownHook, shutdownFlag, strategy), make9 = (queue, strategy) => pipe(deferredMake(), map4((deferred) => unsafeMake3(queue, unbounded(), deferred, make2(!1), strategy))), BackingQueueFromMutableQueue = class {
  mutable;
  [BackingQueueTypeId] = backingQueueVariance;
  constructor(mutable) {
    this.mutable = mutable;
  }
  poll(def) {
    return poll2(this.mutable, def);
  }
  pollUpTo(limit) {
    return pollUpTo(this.mutable, limit);
  }
  offerAll(elements) {
    return offerAll(this.mutable, elements);
  }
  offer(element) {
    return offer(this.mutable, element);
  }
  capacity() {
    return capacity(this.mutable);
  }
  length() {
    return length2(this.mutable);
  }
}, backingQueueFromMutableQueue = (mutable) => new BackingQueueFromMutableQueue(mutable), capacity2 = (self) => self.capacity(), size2 = (self) => self.size, isFull = (self) => self.isFull, isEmpty4 = (self) => self.isEmpty, isShutdown = (self) => self.isShutdown, awaitShutdown = (self) => self.awaitShutdown, shutdown = (self) => self.shutdown, offer2 = /* @__PURE__ */ dual(2, (self, value2) => self.offer(value2)), unsafeOffer = /* @__PURE__ */ dual(2, (self, value2) => self.unsafeOffer(value2)), offerAll2 = /* @__PURE__ */ dual(2, (self, iterable) => self.offerAll(iterable)), poll3 = (self) => map4(self.takeUpTo(1), head), take2 = (self) => self.take, takeAll = (self) => self.takeAll, takeUpTo = /* @__PURE__ */ dual(2, (self, max) => self.takeUpTo(max)), takeBetween = /* @__PURE__ */ dual(3, (self, min, max) => self.takeBetween(min, max)), takeN = /* @__PURE__ */ dual(2, (self, n) => self.takeBetween(n, n)), backPressureStrategy = () => new BackPressureStrategy(), droppingStrategy = () => new DroppingStrategy(), slidingStrategy = () => new SlidingStrategy(), BackPressureStrategy = class {
  [QueueStrategyTypeId] = queueStrategyVariance;
  putters = /* @__PURE__ */ unbounded();
  surplusSize() {
    return length2(this.putters);
  }
  onCompleteTakersWithEmptyQueue(takers) {
    for (; !isEmpty3(this.putters) && !isEmpty3(takers); ) {
      let taker = poll2(takers, void 0), putter = poll2(this.putters, void 0);
      putter[2] && unsafeCompleteDeferred(putter[1], !0), unsafeCompleteDeferred(taker, putter[0]);
    }
  }
  get shutdown() {
    return pipe(fiberId, flatMap2((fiberId2) => pipe(sync(() => unsafePollAll(this.putters)), flatMap2((putters) => forEachConcurrentDiscard(putters, ([_, deferred, isLastItem]) => isLastItem ? pipe(deferredInterruptWith(deferred, fiberId2), asVoid) : void_, !1, !1)))));
  }
  handleSurplus(iterable, queue, takers, isShutdown3) {
    return withFiberRuntime((state) => {
      let deferred = deferredUnsafeMake(state.id());
      return pipe(suspend(() => (this.unsafeOffer(iterable, deferred), this.unsafeOnQueueEmptySpace(queue, takers), unsafeCompleteTakers(this, queue, takers), get2(isShutdown3) ? interrupt : deferredAwait(deferred))), onInterrupt(() => sync(() => this.unsafeRemove(deferred))));
    });
  }
  unsafeOnQueueEmptySpace(queue, takers) {
    let keepPolling = !0;
    for (; keepPolling && (queue.capacity() === Number.POSITIVE_INFINITY || queue.length() < queue.capacity()); ) {
      let putter = pipe(this.putters, poll2(EmptyMutableQueue));
      if (putter === EmptyMutableQueue)
        keepPolling = !1;
      else {
        let offered = queue.offer(putter[0]);
        offered && putter[2] ? unsafeCompleteDeferred(putter[1], !0) : offered || unsafeOfferAll(this.putters, pipe(unsafePollAll(this.putters), prepend(putter))), unsafeCompleteTakers(this, queue, takers);
      }
    }
  }
  unsafeOffer(iterable, deferred) {
    let stuff = fromIterable(iterable);
    for (let i = 0; i < stuff.length; i++) {
      let value2 = stuff[i];
      i === stuff.length - 1 ? pipe(this.putters, offer([value2, deferred, !0])) : pipe(this.putters, offer([value2, deferred, !1]));
    }
  }
  unsafeRemove(deferred) {
    unsafeOfferAll(this.putters, pipe(unsafePollAll(this.putters), filter(([, _]) => _ !== deferred)));
  }
}, DroppingStrategy = class {
  [QueueStrategyTypeId] = queueStrategyVariance;
  surplusSize() {
    return 0;
  }
  get shutdown() {
    return void_;
  }
  onCompleteTakersWithEmptyQueue() {
  }
  handleSurplus(_iterable, _queue, _takers, _isShutdown) {
    return succeed(!1);
  }
  unsafeOnQueueEmptySpace(_queue, _takers) {
  }
}, SlidingStrategy = class {
  [QueueStrategyTypeId] = queueStrategyVariance;
  surplusSize() {
    return 0;
  }
  get shutdown() {
    return void_;
  }
  onCompleteTakersWithEmptyQueue() {
  }
  handleSurplus(iterable, queue, takers, _isShutdown) {
    return sync(() => (this.unsafeOffer(queue, iterable), unsafeCompleteTakers(this, queue, takers), !0));
  }
  unsafeOnQueueEmptySpace(_queue, _takers) {
  }
  unsafeOffer(queue, iterable) {
    let iterator = iterable[Symbol.iterator](), next, offering = !0;
    for (; !(next = iterator.next()).done && offering; ) {
      if (queue.capacity() === 0)
        return;
      queue.poll(EmptyMutableQueue), offering = queue.offer(next.value);
    }
  }
}, unsafeCompleteDeferred = (deferred, a) => deferredUnsafeDone(deferred, succeed(a)), unsafeOfferAll = (queue, as7) => pipe(queue, offerAll(as7)), unsafePollAll = (queue) => pipe(queue, pollUpTo(Number.POSITIVE_INFINITY)), unsafePollN = (queue, max) => pipe(queue, pollUpTo(max)), unsafeRemove = (queue, a) => {
  unsafeOfferAll(queue, pipe(unsafePollAll(queue), filter((b) => a !== b)));
}, unsafeCompleteTakers = (strategy, queue, takers) => {
  let keepPolling = !0;
  for (; keepPolling && queue.length() !== 0; ) {
    let taker = pipe(takers, poll2(EmptyMutableQueue));
    if (taker !== EmptyMutableQueue) {
      let element = queue.poll(EmptyMutableQueue);
      element !== EmptyMutableQueue ? (unsafeCompleteDeferred(taker, element), strategy.unsafeOnQueueEmptySpace(queue, takers)) : unsafeOfferAll(takers, pipe(unsafePollAll(takers), prepend(taker))), keepPolling = !0;
    } else
      keepPolling = !1;
  }
  keepPolling && queue.length() === 0 && !isEmpty3(takers) && strategy.onCompleteTakersWithEmptyQueue(takers);
};

// node_modules/effect/dist/esm/Queue.js
var DequeueTypeId2 = DequeueTypeId;
var bounded3 = bounded2, dropping2 = dropping, sliding2 = sliding, unbounded3 = unbounded2, capacity3 = capacity2, size3 = size2, isEmpty5 = isEmpty4, isFull2 = isFull, isShutdown2 = isShutdown, awaitShutdown2 = awaitShutdown, shutdown2 = shutdown, offer3 = offer2, unsafeOffer2 = unsafeOffer, offerAll3 = offerAll2, poll4 = poll3, take3 = take2, takeAll2 = takeAll, takeUpTo2 = takeUpTo, takeBetween2 = takeBetween, takeN2 = takeN;

// node_modules/effect/dist/esm/internal/opCodes/channelChildExecutorDecision.js
var OP_CONTINUE = "Continue", OP_CLOSE = "Close", OP_YIELD = "Yield";

// node_modules/effect/dist/esm/internal/channel/childExecutorDecision.js
var ChildExecutorDecisionSymbolKey = "effect/ChannelChildExecutorDecision", ChildExecutorDecisionTypeId = /* @__PURE__ */ Symbol.for(ChildExecutorDecisionSymbolKey), proto = {
  [ChildExecutorDecisionTypeId]: ChildExecutorDecisionTypeId
}, Continue = (_) => {
  let op = Object.create(proto);
  return op._tag = OP_CONTINUE, op;
};

// node_modules/effect/dist/esm/internal/opCodes/continuation.js
var OP_CONTINUATION_K = "ContinuationK", OP_CONTINUATION_FINALIZER = "ContinuationFinalizer";

// node_modules/effect/dist/esm/internal/channel/continuation.js
var ContinuationTypeId = /* @__PURE__ */ Symbol.for("effect/ChannelContinuation"), continuationVariance = {
  /* c8 ignore next */
  _Env: (_) => _,
  /* c8 ignore next */
  _InErr: (_) => _,
  /* c8 ignore next */
  _InElem: (_) => _,
  /* c8 ignore next */
  _InDone: (_) => _,
  /* c8 ignore next */
  _OutErr: (_) => _,
  /* c8 ignore next */
  _OutDone: (_) => _,
  /* c8 ignore next */
  _OutErr2: (_) => _,
  /* c8 ignore next */
  _OutElem: (_) => _,
  /* c8 ignore next */
  _OutDone2: (_) => _
}, ContinuationKImpl = class {
  onSuccess;
  onHalt;
  _tag = OP_CONTINUATION_K;
  [ContinuationTypeId] = continuationVariance;
  constructor(onSuccess, onHalt) {
    this.onSuccess = onSuccess, this.onHalt = onHalt;
  }
  onExit(exit2) {
    return isFailure(exit2) ? this.onHalt(exit2.cause) : this.onSuccess(exit2.value);
  }
}, ContinuationFinalizerImpl = class {
  finalizer;
  _tag = OP_CONTINUATION_FINALIZER;
  [ContinuationTypeId] = continuationVariance;
  constructor(finalizer2) {
    this.finalizer = finalizer2;
  }
};

// node_modules/effect/dist/esm/internal/opCodes/channelUpstreamPullStrategy.js
var OP_PULL_AFTER_NEXT = "PullAfterNext", OP_PULL_AFTER_ALL_ENQUEUED = "PullAfterAllEnqueued";

// node_modules/effect/dist/esm/internal/channel/upstreamPullStrategy.js
var UpstreamPullStrategySymbolKey = "effect/ChannelUpstreamPullStrategy", UpstreamPullStrategyTypeId = /* @__PURE__ */ Symbol.for(UpstreamPullStrategySymbolKey), upstreamPullStrategyVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, proto2 = {
  [UpstreamPullStrategyTypeId]: upstreamPullStrategyVariance
}, PullAfterNext = (emitSeparator) => {
  let op = Object.create(proto2);
  return op._tag = OP_PULL_AFTER_NEXT, op.emitSeparator = emitSeparator, op;
};

// node_modules/effect/dist/esm/internal/opCodes/channel.js
var OP_BRACKET_OUT = "BracketOut", OP_BRIDGE = "Bridge", OP_CONCAT_ALL = "ConcatAll", OP_EMIT = "Emit", OP_ENSURING = "Ensuring", OP_FAIL = "Fail", OP_FOLD = "Fold", OP_FROM_EFFECT = "FromEffect", OP_PIPE_TO = "PipeTo", OP_PROVIDE = "Provide", OP_READ = "Read", OP_SUCCEED = "Succeed", OP_SUCCEED_NOW = "SucceedNow", OP_SUSPEND = "Suspend";

// node_modules/effect/dist/esm/internal/core-stream.js
var ChannelSymbolKey = "effect/Channel", ChannelTypeId = /* @__PURE__ */ Symbol.for(ChannelSymbolKey), channelVariance = {
  /* c8 ignore next */
  _Env: (_) => _,
  /* c8 ignore next */
  _InErr: (_) => _,
  /* c8 ignore next */
  _InElem: (_) => _,
  /* c8 ignore next */
  _InDone: (_) => _,
  /* c8 ignore next */
  _OutErr: (_) => _,
  /* c8 ignore next */
  _OutElem: (_) => _,
  /* c8 ignore next */
  _OutDone: (_) => _
}, proto3 = {
  [ChannelTypeId]: channelVariance,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, isChannel = (u) => hasProperty(u, ChannelTypeId) || isEffect(u), acquireReleaseOut = /* @__PURE__ */ dual(2, (self, release) => {
  let op = Object.create(proto3);
  return op._tag = OP_BRACKET_OUT, op.acquire = () => self, op.finalizer = release, op;
}), catchAllCause2 = /* @__PURE__ */ dual(2, (self, f) => {
  let op = Object.create(proto3);
  return op._tag = OP_FOLD, op.channel = self, op.k = new ContinuationKImpl(succeed5, f), op;
}), collectElements = (self) => suspend3(() => {
  let builder = [];
  return flatMap4(pipeTo(self, collectElementsReader(builder)), (value2) => sync3(() => [fromIterable2(builder), value2]));
}), collectElementsReader = (builder) => readWith({
  onInput: (outElem) => flatMap4(sync3(() => {
    builder.push(outElem);
  }), () => collectElementsReader(builder)),
  onFailure: fail5,
  onDone: succeedNow
});
var concatAllWith = (channels, f, g) => {
  let op = Object.create(proto3);
  return op._tag = OP_CONCAT_ALL, op.combineInners = f, op.combineAll = g, op.onPull = () => PullAfterNext(none()), op.onEmit = () => Continue, op.value = () => channels, op.k = identity, op;
}, concatMapWith = /* @__PURE__ */ dual(4, (self, f, g, h) => {
  let op = Object.create(proto3);
  return op._tag = OP_CONCAT_ALL, op.combineInners = g, op.combineAll = h, op.onPull = () => PullAfterNext(none()), op.onEmit = () => Continue, op.value = () => self, op.k = f, op;
});
var embedInput = /* @__PURE__ */ dual(2, (self, input) => {
  let op = Object.create(proto3);
  return op._tag = OP_BRIDGE, op.input = input, op.channel = self, op;
}), ensuringWith = /* @__PURE__ */ dual(2, (self, finalizer2) => {
  let op = Object.create(proto3);
  return op._tag = OP_ENSURING, op.channel = self, op.finalizer = finalizer2, op;
}), fail5 = (error) => failCause4(fail2(error));
var failCause4 = (cause) => failCauseSync(() => cause), failCauseSync = (evaluate2) => {
  let op = Object.create(proto3);
  return op._tag = OP_FAIL, op.error = evaluate2, op;
}, flatMap4 = /* @__PURE__ */ dual(2, (self, f) => {
  let op = Object.create(proto3);
  return op._tag = OP_FOLD, op.channel = self, op.k = new ContinuationKImpl(f, failCause4), op;
});
var fromEffect = (effect2) => {
  let op = Object.create(proto3);
  return op._tag = OP_FROM_EFFECT, op.effect = () => effect2, op;
}, pipeTo = /* @__PURE__ */ dual(2, (self, that) => {
  let op = Object.create(proto3);
  return op._tag = OP_PIPE_TO, op.left = () => self, op.right = () => that, op;
}), provideContext = /* @__PURE__ */ dual(2, (self, env) => {
  let op = Object.create(proto3);
  return op._tag = OP_PROVIDE, op.context = () => env, op.inner = self, op;
});
var readWith = (options) => readWithCause({
  onInput: options.onInput,
  onFailure: (cause) => match(failureOrCause(cause), {
    onLeft: options.onFailure,
    onRight: failCause4
  }),
  onDone: options.onDone
}), readWithCause = (options) => {
  let op = Object.create(proto3);
  return op._tag = OP_READ, op.more = options.onInput, op.done = new ContinuationKImpl(options.onDone, options.onFailure), op;
}, succeed5 = (value2) => sync3(() => value2), succeedNow = (result) => {
  let op = Object.create(proto3);
  return op._tag = OP_SUCCEED_NOW, op.terminal = result, op;
}, suspend3 = (evaluate2) => {
  let op = Object.create(proto3);
  return op._tag = OP_SUSPEND, op.channel = evaluate2, op;
}, sync3 = (evaluate2) => {
  let op = Object.create(proto3);
  return op._tag = OP_SUCCEED, op.evaluate = evaluate2, op;
}, void_3 = /* @__PURE__ */ succeedNow(void 0);
var write = (out) => {
  let op = Object.create(proto3);
  return op._tag = OP_EMIT, op.out = out, op;
};

// node_modules/effect/dist/esm/internal/opCodes/channelState.js
var OP_DONE = "Done", OP_EMIT2 = "Emit", OP_FROM_EFFECT2 = "FromEffect", OP_READ2 = "Read";

// node_modules/effect/dist/esm/internal/channel/channelState.js
var ChannelStateTypeId = /* @__PURE__ */ Symbol.for("effect/ChannelState"), channelStateVariance = {
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _R: (_) => _
}, proto4 = {
  [ChannelStateTypeId]: channelStateVariance
}, Done = () => {
  let op = Object.create(proto4);
  return op._tag = OP_DONE, op;
}, Emit = () => {
  let op = Object.create(proto4);
  return op._tag = OP_EMIT2, op;
}, fromEffect2 = (effect2) => {
  let op = Object.create(proto4);
  return op._tag = OP_FROM_EFFECT2, op.effect = effect2, op;
}, Read = (upstream, onEffect, onEmit, onDone2) => {
  let op = Object.create(proto4);
  return op._tag = OP_READ2, op.upstream = upstream, op.onEffect = onEffect, op.onEmit = onEmit, op.onDone = onDone2, op;
};
var isFromEffect = (self) => self._tag === OP_FROM_EFFECT2;
var effect = (self) => isFromEffect(self) ? self.effect : _void, effectOrUndefinedIgnored = (self) => isFromEffect(self) ? ignore(self.effect) : void 0;

// node_modules/effect/dist/esm/internal/channel/subexecutor.js
var OP_PULL_FROM_CHILD = "PullFromChild", OP_PULL_FROM_UPSTREAM = "PullFromUpstream", OP_DRAIN_CHILD_EXECUTORS = "DrainChildExecutors", OP_EMIT3 = "Emit", PullFromChild = class {
  childExecutor;
  parentSubexecutor;
  onEmit;
  _tag = OP_PULL_FROM_CHILD;
  constructor(childExecutor, parentSubexecutor, onEmit) {
    this.childExecutor = childExecutor, this.parentSubexecutor = parentSubexecutor, this.onEmit = onEmit;
  }
  close(exit2) {
    let fin1 = this.childExecutor.close(exit2), fin2 = this.parentSubexecutor.close(exit2);
    return fin1 !== void 0 && fin2 !== void 0 ? zipWith(exit(fin1), exit(fin2), (exit1, exit22) => pipe(exit1, zipRight2(exit22))) : fin1 !== void 0 ? fin1 : fin2 !== void 0 ? fin2 : void 0;
  }
  enqueuePullFromChild(_child) {
    return this;
  }
}, PullFromUpstream = class _PullFromUpstream {
  upstreamExecutor;
  createChild;
  lastDone;
  activeChildExecutors;
  combineChildResults;
  combineWithChildResult;
  onPull;
  onEmit;
  _tag = OP_PULL_FROM_UPSTREAM;
  constructor(upstreamExecutor, createChild, lastDone, activeChildExecutors, combineChildResults, combineWithChildResult, onPull, onEmit) {
    this.upstreamExecutor = upstreamExecutor, this.createChild = createChild, this.lastDone = lastDone, this.activeChildExecutors = activeChildExecutors, this.combineChildResults = combineChildResults, this.combineWithChildResult = combineWithChildResult, this.onPull = onPull, this.onEmit = onEmit;
  }
  close(exit2) {
    let fin1 = this.upstreamExecutor.close(exit2), result = [...this.activeChildExecutors.map((child) => child !== void 0 ? child.childExecutor.close(exit2) : void 0), fin1].reduce((acc, next) => acc !== void 0 && next !== void 0 ? zipWith(acc, exit(next), (exit1, exit22) => zipRight2(exit1, exit22)) : acc !== void 0 ? acc : next !== void 0 ? exit(next) : void 0, void 0);
    return result;
  }
  enqueuePullFromChild(child) {
    return new _PullFromUpstream(this.upstreamExecutor, this.createChild, this.lastDone, [...this.activeChildExecutors, child], this.combineChildResults, this.combineWithChildResult, this.onPull, this.onEmit);
  }
}, DrainChildExecutors = class _DrainChildExecutors {
  upstreamExecutor;
  lastDone;
  activeChildExecutors;
  upstreamDone;
  combineChildResults;
  combineWithChildResult;
  onPull;
  _tag = OP_DRAIN_CHILD_EXECUTORS;
  constructor(upstreamExecutor, lastDone, activeChildExecutors, upstreamDone, combineChildResults, combineWithChildResult, onPull) {
    this.upstreamExecutor = upstreamExecutor, this.lastDone = lastDone, this.activeChildExecutors = activeChildExecutors, this.upstreamDone = upstreamDone, this.combineChildResults = combineChildResults, this.combineWithChildResult = combineWithChildResult, this.onPull = onPull;
  }
  close(exit2) {
    let fin1 = this.upstreamExecutor.close(exit2), result = [...this.activeChildExecutors.map((child) => child !== void 0 ? child.childExecutor.close(exit2) : void 0), fin1].reduce((acc, next) => acc !== void 0 && next !== void 0 ? zipWith(acc, exit(next), (exit1, exit22) => zipRight2(exit1, exit22)) : acc !== void 0 ? acc : next !== void 0 ? exit(next) : void 0, void 0);
    return result;
  }
  enqueuePullFromChild(child) {
    return new _DrainChildExecutors(this.upstreamExecutor, this.lastDone, [...this.activeChildExecutors, child], this.upstreamDone, this.combineChildResults, this.combineWithChildResult, this.onPull);
  }
}, Emit2 = class {
  value;
  next;
  _tag = OP_EMIT3;
  constructor(value2, next) {
    this.value = value2, this.next = next;
  }
  close(exit2) {
    let result = this.next.close(exit2);
    return result;
  }
  enqueuePullFromChild(_child) {
    return this;
  }
};

// node_modules/effect/dist/esm/internal/opCodes/channelUpstreamPullRequest.js
var OP_PULLED = "Pulled", OP_NO_UPSTREAM = "NoUpstream";

// node_modules/effect/dist/esm/internal/channel/upstreamPullRequest.js
var UpstreamPullRequestSymbolKey = "effect/ChannelUpstreamPullRequest", UpstreamPullRequestTypeId = /* @__PURE__ */ Symbol.for(UpstreamPullRequestSymbolKey), upstreamPullRequestVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, proto5 = {
  [UpstreamPullRequestTypeId]: upstreamPullRequestVariance
}, Pulled = (value2) => {
  let op = Object.create(proto5);
  return op._tag = OP_PULLED, op.value = value2, op;
}, NoUpstream = (activeDownstreamCount) => {
  let op = Object.create(proto5);
  return op._tag = OP_NO_UPSTREAM, op.activeDownstreamCount = activeDownstreamCount, op;
};

// node_modules/effect/dist/esm/internal/channel/channelExecutor.js
var ChannelExecutor = class _ChannelExecutor {
  _activeSubexecutor = void 0;
  _cancelled = void 0;
  _closeLastSubstream = void 0;
  _currentChannel;
  _done = void 0;
  _doneStack = [];
  _emitted = void 0;
  _executeCloseLastSubstream;
  _input = void 0;
  _inProgressFinalizer = void 0;
  _providedEnv;
  constructor(initialChannel, providedEnv, executeCloseLastSubstream) {
    this._currentChannel = initialChannel, this._executeCloseLastSubstream = executeCloseLastSubstream, this._providedEnv = providedEnv;
  }
  run() {
    let result;
    for (; result === void 0; )
      if (this._cancelled !== void 0)
        result = this.processCancellation();
      else if (this._activeSubexecutor !== void 0)
        result = this.runSubexecutor();
      else
        try {
          if (this._currentChannel === void 0)
            result = Done();
          else
            switch (isEffect(this._currentChannel) && (this._currentChannel = fromEffect(this._currentChannel)), this._currentChannel._tag) {
              case OP_BRACKET_OUT: {
                result = this.runBracketOut(this._currentChannel);
                break;
              }
              case OP_BRIDGE: {
                let bridgeInput = this._currentChannel.input;
                if (this._currentChannel = this._currentChannel.channel, this._input !== void 0) {
                  let inputExecutor = this._input;
                  this._input = void 0;
                  let drainer = () => flatMap3(bridgeInput.awaitRead(), () => suspend2(() => {
                    let state = inputExecutor.run();
                    switch (state._tag) {
                      case OP_DONE:
                        return match3(inputExecutor.getDone(), {
                          onFailure: (cause) => bridgeInput.error(cause),
                          onSuccess: (value2) => bridgeInput.done(value2)
                        });
                      case OP_EMIT2:
                        return flatMap3(bridgeInput.emit(inputExecutor.getEmit()), () => drainer());
                      case OP_FROM_EFFECT2:
                        return matchCauseEffect(state.effect, {
                          onFailure: (cause) => bridgeInput.error(cause),
                          onSuccess: () => drainer()
                        });
                      case OP_READ2:
                        return readUpstream(state, () => drainer(), (cause) => bridgeInput.error(cause));
                    }
                  }));
                  result = fromEffect2(flatMap3(forkDaemon(interruptible2(drainer())), (fiber) => sync2(() => this.addFinalizer((exit2) => flatMap3(interrupt3(fiber), () => suspend2(() => {
                    let effect2 = this.restorePipe(exit2, inputExecutor);
                    return effect2 !== void 0 ? effect2 : _void;
                  }))))));
                }
                break;
              }
              case OP_CONCAT_ALL: {
                let executor = new _ChannelExecutor(this._currentChannel.value(), this._providedEnv, (effect2) => sync2(() => {
                  let prevLastClose = this._closeLastSubstream === void 0 ? _void : this._closeLastSubstream;
                  this._closeLastSubstream = pipe(prevLastClose, zipRight3(effect2));
                }));
                executor._input = this._input;
                let channel = this._currentChannel;
                this._activeSubexecutor = new PullFromUpstream(executor, (value2) => channel.k(value2), void 0, [], (x, y) => channel.combineInners(x, y), (x, y) => channel.combineAll(x, y), (request) => channel.onPull(request), (value2) => channel.onEmit(value2)), this._closeLastSubstream = void 0, this._currentChannel = void 0;
                break;
              }
              case OP_EMIT: {
                this._emitted = this._currentChannel.out, this._currentChannel = this._activeSubexecutor !== void 0 ? void 0 : void_3, result = Emit();
                break;
              }
              case OP_ENSURING: {
                this.runEnsuring(this._currentChannel);
                break;
              }
              case OP_FAIL: {
                result = this.doneHalt(this._currentChannel.error());
                break;
              }
              case OP_FOLD: {
                this._doneStack.push(this._currentChannel.k), this._currentChannel = this._currentChannel.channel;
                break;
              }
              case OP_FROM_EFFECT: {
                let effect2 = this._providedEnv === void 0 ? this._currentChannel.effect() : pipe(this._currentChannel.effect(), provide(this._providedEnv));
                result = fromEffect2(matchCauseEffect(effect2, {
                  onFailure: (cause) => {
                    let state = this.doneHalt(cause);
                    return state !== void 0 && isFromEffect(state) ? state.effect : _void;
                  },
                  onSuccess: (value2) => {
                    let state = this.doneSucceed(value2);
                    return state !== void 0 && isFromEffect(state) ? state.effect : _void;
                  }
                }));
                break;
              }
              case OP_PIPE_TO: {
                let previousInput = this._input, leftExec = new _ChannelExecutor(this._currentChannel.left(), this._providedEnv, (effect2) => this._executeCloseLastSubstream(effect2));
                leftExec._input = previousInput, this._input = leftExec, this.addFinalizer((exit2) => {
                  let effect2 = this.restorePipe(exit2, previousInput);
                  return effect2 !== void 0 ? effect2 : _void;
                }), this._currentChannel = this._currentChannel.right();
                break;
              }
              case OP_PROVIDE: {
                let previousEnv = this._providedEnv;
                this._providedEnv = this._currentChannel.context(), this._currentChannel = this._currentChannel.inner, this.addFinalizer(() => sync2(() => {
                  this._providedEnv = previousEnv;
                }));
                break;
              }
              case OP_READ: {
                let read3 = this._currentChannel;
                result = Read(this._input, identity, (emitted) => {
                  try {
                    this._currentChannel = read3.more(emitted);
                  } catch (error) {
                    this._currentChannel = read3.done.onExit(die(error));
                  }
                }, (exit2) => {
                  let onExit = (exit3) => read3.done.onExit(exit3);
                  this._currentChannel = onExit(exit2);
                });
                break;
              }
              case OP_SUCCEED: {
                result = this.doneSucceed(this._currentChannel.evaluate());
                break;
              }
              case OP_SUCCEED_NOW: {
                result = this.doneSucceed(this._currentChannel.terminal);
                break;
              }
              case OP_SUSPEND: {
                this._currentChannel = this._currentChannel.channel();
                break;
              }
            }
        } catch (error) {
          this._currentChannel = failCause4(die2(error));
        }
    return result;
  }
  getDone() {
    return this._done;
  }
  getEmit() {
    return this._emitted;
  }
  cancelWith(exit2) {
    this._cancelled = exit2;
  }
  clearInProgressFinalizer() {
    this._inProgressFinalizer = void 0;
  }
  storeInProgressFinalizer(finalizer2) {
    this._inProgressFinalizer = finalizer2;
  }
  popAllFinalizers(exit2) {
    let finalizers = [], next = this._doneStack.pop();
    for (; next; )
      next._tag === "ContinuationFinalizer" && finalizers.push(next.finalizer), next = this._doneStack.pop();
    let effect2 = finalizers.length === 0 ? _void : runFinalizers(finalizers, exit2);
    return this.storeInProgressFinalizer(effect2), effect2;
  }
  popNextFinalizers() {
    let builder = [];
    for (; this._doneStack.length !== 0; ) {
      let cont = this._doneStack[this._doneStack.length - 1];
      if (cont._tag === OP_CONTINUATION_K)
        return builder;
      builder.push(cont), this._doneStack.pop();
    }
    return builder;
  }
  restorePipe(exit2, prev) {
    let currInput = this._input;
    return this._input = prev, currInput !== void 0 ? currInput.close(exit2) : _void;
  }
  close(exit2) {
    let runInProgressFinalizers, finalizer2 = this._inProgressFinalizer;
    finalizer2 !== void 0 && (runInProgressFinalizers = pipe(finalizer2, ensuring2(sync2(() => this.clearInProgressFinalizer()))));
    let closeSelf, selfFinalizers = this.popAllFinalizers(exit2);
    selfFinalizers !== void 0 && (closeSelf = pipe(selfFinalizers, ensuring2(sync2(() => this.clearInProgressFinalizer()))));
    let closeSubexecutors = this._activeSubexecutor === void 0 ? void 0 : this._activeSubexecutor.close(exit2);
    if (!(closeSubexecutors === void 0 && runInProgressFinalizers === void 0 && closeSelf === void 0))
      return pipe(
        exit(ifNotNull(closeSubexecutors)),
        zip2(exit(ifNotNull(runInProgressFinalizers))),
        zip2(exit(ifNotNull(closeSelf))),
        map7(([[exit1, exit22], exit3]) => pipe(exit1, zipRight2(exit22), zipRight2(exit3))),
        uninterruptible2,
        // TODO: remove
        flatMap3((exit3) => suspend2(() => exit3))
      );
  }
  doneSucceed(value2) {
    if (this._doneStack.length === 0)
      return this._done = succeed2(value2), this._currentChannel = void 0, Done();
    let head3 = this._doneStack[this._doneStack.length - 1];
    if (head3._tag === OP_CONTINUATION_K) {
      this._doneStack.pop(), this._currentChannel = head3.onSuccess(value2);
      return;
    }
    let finalizers = this.popNextFinalizers();
    if (this._doneStack.length === 0)
      return this._doneStack = finalizers.reverse(), this._done = succeed2(value2), this._currentChannel = void 0, Done();
    let finalizerEffect = runFinalizers(finalizers.map((f) => f.finalizer), succeed2(value2));
    this.storeInProgressFinalizer(finalizerEffect);
    let effect2 = pipe(finalizerEffect, ensuring2(sync2(() => this.clearInProgressFinalizer())), uninterruptible2, flatMap3(() => sync2(() => this.doneSucceed(value2))));
    return fromEffect2(effect2);
  }
  doneHalt(cause) {
    if (this._doneStack.length === 0)
      return this._done = failCause(cause), this._currentChannel = void 0, Done();
    let head3 = this._doneStack[this._doneStack.length - 1];
    if (head3._tag === OP_CONTINUATION_K) {
      this._doneStack.pop();
      try {
        this._currentChannel = head3.onHalt(cause);
      } catch (error) {
        this._currentChannel = failCause4(die2(error));
      }
      return;
    }
    let finalizers = this.popNextFinalizers();
    if (this._doneStack.length === 0)
      return this._doneStack = finalizers.reverse(), this._done = failCause(cause), this._currentChannel = void 0, Done();
    let finalizerEffect = runFinalizers(finalizers.map((f) => f.finalizer), failCause(cause));
    this.storeInProgressFinalizer(finalizerEffect);
    let effect2 = pipe(finalizerEffect, ensuring2(sync2(() => this.clearInProgressFinalizer())), uninterruptible2, flatMap3(() => sync2(() => this.doneHalt(cause))));
    return fromEffect2(effect2);
  }
  processCancellation() {
    return this._currentChannel = void 0, this._done = this._cancelled, this._cancelled = void 0, Done();
  }
  runBracketOut(bracketOut) {
    let effect2 = uninterruptible2(matchCauseEffect(this.provide(bracketOut.acquire()), {
      onFailure: (cause) => sync2(() => {
        this._currentChannel = failCause4(cause);
      }),
      onSuccess: (out) => sync2(() => {
        this.addFinalizer((exit2) => this.provide(bracketOut.finalizer(out, exit2))), this._currentChannel = write(out);
      })
    }));
    return fromEffect2(effect2);
  }
  provide(effect2) {
    return this._providedEnv === void 0 ? effect2 : pipe(effect2, provide(this._providedEnv));
  }
  runEnsuring(ensuring9) {
    this.addFinalizer(ensuring9.finalizer), this._currentChannel = ensuring9.channel;
  }
  addFinalizer(f) {
    this._doneStack.push(new ContinuationFinalizerImpl(f));
  }
  runSubexecutor() {
    let subexecutor = this._activeSubexecutor;
    switch (subexecutor._tag) {
      case OP_PULL_FROM_CHILD:
        return this.pullFromChild(subexecutor.childExecutor, subexecutor.parentSubexecutor, subexecutor.onEmit, subexecutor);
      case OP_PULL_FROM_UPSTREAM:
        return this.pullFromUpstream(subexecutor);
      case OP_DRAIN_CHILD_EXECUTORS:
        return this.drainChildExecutors(subexecutor);
      case OP_EMIT3:
        return this._emitted = subexecutor.value, this._activeSubexecutor = subexecutor.next, Emit();
    }
  }
  replaceSubexecutor(nextSubExec) {
    this._currentChannel = void 0, this._activeSubexecutor = nextSubExec;
  }
  finishWithExit(exit2) {
    let state = match3(exit2, {
      onFailure: (cause) => this.doneHalt(cause),
      onSuccess: (value2) => this.doneSucceed(value2)
    });
    return this._activeSubexecutor = void 0, state === void 0 ? _void : effect(state);
  }
  finishSubexecutorWithCloseEffect(subexecutorDone, ...closeFuncs) {
    this.addFinalizer(() => pipe(closeFuncs, forEach((closeFunc) => pipe(sync2(() => closeFunc(subexecutorDone)), flatMap3((closeEffect) => closeEffect !== void 0 ? closeEffect : _void)), {
      discard: !0
    })));
    let state = pipe(subexecutorDone, match3({
      onFailure: (cause) => this.doneHalt(cause),
      onSuccess: (value2) => this.doneSucceed(value2)
    }));
    return this._activeSubexecutor = void 0, state;
  }
  applyUpstreamPullStrategy(upstreamFinished, queue, strategy) {
    switch (strategy._tag) {
      case OP_PULL_AFTER_NEXT: {
        let shouldPrepend = !upstreamFinished || queue.some((subexecutor) => subexecutor !== void 0);
        return [strategy.emitSeparator, shouldPrepend ? [void 0, ...queue] : queue];
      }
      case OP_PULL_AFTER_ALL_ENQUEUED: {
        let shouldEnqueue = !upstreamFinished || queue.some((subexecutor) => subexecutor !== void 0);
        return [strategy.emitSeparator, shouldEnqueue ? [...queue, void 0] : queue];
      }
    }
  }
  pullFromChild(childExecutor, parentSubexecutor, onEmitted, subexecutor) {
    return Read(childExecutor, identity, (emitted) => {
      let childExecutorDecision = onEmitted(emitted);
      switch (childExecutorDecision._tag) {
        case OP_CONTINUE:
          break;
        case OP_CLOSE: {
          this.finishWithDoneValue(childExecutor, parentSubexecutor, childExecutorDecision.value);
          break;
        }
        case OP_YIELD: {
          let modifiedParent = parentSubexecutor.enqueuePullFromChild(subexecutor);
          this.replaceSubexecutor(modifiedParent);
          break;
        }
      }
      this._activeSubexecutor = new Emit2(emitted, this._activeSubexecutor);
    }, match3({
      onFailure: (cause) => {
        let state = this.handleSubexecutorFailure(childExecutor, parentSubexecutor, cause);
        return state === void 0 ? void 0 : effectOrUndefinedIgnored(state);
      },
      onSuccess: (doneValue) => {
        this.finishWithDoneValue(childExecutor, parentSubexecutor, doneValue);
      }
    }));
  }
  finishWithDoneValue(childExecutor, parentSubexecutor, doneValue) {
    let subexecutor = parentSubexecutor;
    switch (subexecutor._tag) {
      case OP_PULL_FROM_UPSTREAM: {
        let modifiedParent = new PullFromUpstream(subexecutor.upstreamExecutor, subexecutor.createChild, subexecutor.lastDone !== void 0 ? subexecutor.combineChildResults(subexecutor.lastDone, doneValue) : doneValue, subexecutor.activeChildExecutors, subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull, subexecutor.onEmit);
        this._closeLastSubstream = childExecutor.close(succeed2(doneValue)), this.replaceSubexecutor(modifiedParent);
        break;
      }
      case OP_DRAIN_CHILD_EXECUTORS: {
        let modifiedParent = new DrainChildExecutors(subexecutor.upstreamExecutor, subexecutor.lastDone !== void 0 ? subexecutor.combineChildResults(subexecutor.lastDone, doneValue) : doneValue, subexecutor.activeChildExecutors, subexecutor.upstreamDone, subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull);
        this._closeLastSubstream = childExecutor.close(succeed2(doneValue)), this.replaceSubexecutor(modifiedParent);
        break;
      }
      default:
        break;
    }
  }
  handleSubexecutorFailure(childExecutor, parentSubexecutor, cause) {
    return this.finishSubexecutorWithCloseEffect(failCause(cause), (exit2) => parentSubexecutor.close(exit2), (exit2) => childExecutor.close(exit2));
  }
  pullFromUpstream(subexecutor) {
    if (subexecutor.activeChildExecutors.length === 0)
      return this.performPullFromUpstream(subexecutor);
    let activeChild = subexecutor.activeChildExecutors[0], parentSubexecutor = new PullFromUpstream(subexecutor.upstreamExecutor, subexecutor.createChild, subexecutor.lastDone, subexecutor.activeChildExecutors.slice(1), subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull, subexecutor.onEmit);
    if (activeChild === void 0)
      return this.performPullFromUpstream(parentSubexecutor);
    this.replaceSubexecutor(new PullFromChild(activeChild.childExecutor, parentSubexecutor, activeChild.onEmit));
  }
  performPullFromUpstream(subexecutor) {
    return Read(subexecutor.upstreamExecutor, (effect2) => {
      let closeLastSubstream = this._closeLastSubstream === void 0 ? _void : this._closeLastSubstream;
      return this._closeLastSubstream = void 0, pipe(this._executeCloseLastSubstream(closeLastSubstream), zipRight3(effect2));
    }, (emitted) => {
      if (this._closeLastSubstream !== void 0) {
        let closeLastSubstream = this._closeLastSubstream;
        return this._closeLastSubstream = void 0, pipe(this._executeCloseLastSubstream(closeLastSubstream), map7(() => {
          let childExecutor2 = new _ChannelExecutor(subexecutor.createChild(emitted), this._providedEnv, this._executeCloseLastSubstream);
          childExecutor2._input = this._input;
          let [emitSeparator2, updatedChildExecutors2] = this.applyUpstreamPullStrategy(!1, subexecutor.activeChildExecutors, subexecutor.onPull(Pulled(emitted)));
          this._activeSubexecutor = new PullFromChild(childExecutor2, new PullFromUpstream(subexecutor.upstreamExecutor, subexecutor.createChild, subexecutor.lastDone, updatedChildExecutors2, subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull, subexecutor.onEmit), subexecutor.onEmit), isSome(emitSeparator2) && (this._activeSubexecutor = new Emit2(emitSeparator2.value, this._activeSubexecutor));
        }));
      }
      let childExecutor = new _ChannelExecutor(subexecutor.createChild(emitted), this._providedEnv, this._executeCloseLastSubstream);
      childExecutor._input = this._input;
      let [emitSeparator, updatedChildExecutors] = this.applyUpstreamPullStrategy(!1, subexecutor.activeChildExecutors, subexecutor.onPull(Pulled(emitted)));
      this._activeSubexecutor = new PullFromChild(childExecutor, new PullFromUpstream(subexecutor.upstreamExecutor, subexecutor.createChild, subexecutor.lastDone, updatedChildExecutors, subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull, subexecutor.onEmit), subexecutor.onEmit), isSome(emitSeparator) && (this._activeSubexecutor = new Emit2(emitSeparator.value, this._activeSubexecutor));
    }, (exit2) => {
      if (subexecutor.activeChildExecutors.some((subexecutor2) => subexecutor2 !== void 0)) {
        let drain6 = new DrainChildExecutors(subexecutor.upstreamExecutor, subexecutor.lastDone, [void 0, ...subexecutor.activeChildExecutors], subexecutor.upstreamExecutor.getDone(), subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull);
        if (this._closeLastSubstream !== void 0) {
          let closeLastSubstream2 = this._closeLastSubstream;
          return this._closeLastSubstream = void 0, pipe(this._executeCloseLastSubstream(closeLastSubstream2), map7(() => this.replaceSubexecutor(drain6)));
        }
        this.replaceSubexecutor(drain6);
        return;
      }
      let closeLastSubstream = this._closeLastSubstream, state = this.finishSubexecutorWithCloseEffect(pipe(exit2, map5((a) => subexecutor.combineWithChildResult(subexecutor.lastDone, a))), () => closeLastSubstream, (exit3) => subexecutor.upstreamExecutor.close(exit3));
      return state === void 0 ? void 0 : (
        // NOTE: assuming finalizers cannot fail
        effectOrUndefinedIgnored(state)
      );
    });
  }
  drainChildExecutors(subexecutor) {
    if (subexecutor.activeChildExecutors.length === 0) {
      let lastClose = this._closeLastSubstream;
      return lastClose !== void 0 && this.addFinalizer(() => succeed3(lastClose)), this.finishSubexecutorWithCloseEffect(subexecutor.upstreamDone, () => lastClose, (exit2) => subexecutor.upstreamExecutor.close(exit2));
    }
    let activeChild = subexecutor.activeChildExecutors[0], rest = subexecutor.activeChildExecutors.slice(1);
    if (activeChild === void 0) {
      let [emitSeparator, remainingExecutors] = this.applyUpstreamPullStrategy(!0, rest, subexecutor.onPull(NoUpstream(rest.reduce((n, curr) => curr !== void 0 ? n + 1 : n, 0))));
      return this.replaceSubexecutor(new DrainChildExecutors(subexecutor.upstreamExecutor, subexecutor.lastDone, remainingExecutors, subexecutor.upstreamDone, subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull)), isSome(emitSeparator) ? (this._emitted = emitSeparator.value, Emit()) : void 0;
    }
    let parentSubexecutor = new DrainChildExecutors(subexecutor.upstreamExecutor, subexecutor.lastDone, rest, subexecutor.upstreamDone, subexecutor.combineChildResults, subexecutor.combineWithChildResult, subexecutor.onPull);
    this.replaceSubexecutor(new PullFromChild(activeChild.childExecutor, parentSubexecutor, activeChild.onEmit));
  }
}, ifNotNull = (effect2) => effect2 !== void 0 ? effect2 : _void, runFinalizers = (finalizers, exit2) => pipe(forEach(finalizers, (fin) => exit(fin(exit2))), map7((exits) => pipe(all(exits), getOrElse(() => void_2))), flatMap3((exit3) => suspend2(() => exit3))), readUpstream = (r, onSuccess, onFailure) => {
  let readStack = [r], read3 = () => {
    let current = readStack.pop();
    if (current === void 0 || current.upstream === void 0)
      return dieMessage("Unexpected end of input for channel execution");
    let state = current.upstream.run();
    switch (state._tag) {
      case OP_EMIT2: {
        let emitEffect = current.onEmit(current.upstream.getEmit());
        return readStack.length === 0 ? emitEffect === void 0 ? suspend2(onSuccess) : pipe(emitEffect, matchCauseEffect({
          onFailure,
          onSuccess
        })) : emitEffect === void 0 ? suspend2(() => read3()) : pipe(emitEffect, matchCauseEffect({
          onFailure,
          onSuccess: () => read3()
        }));
      }
      case OP_DONE: {
        let doneEffect = current.onDone(current.upstream.getDone());
        return readStack.length === 0 ? doneEffect === void 0 ? suspend2(onSuccess) : pipe(doneEffect, matchCauseEffect({
          onFailure,
          onSuccess
        })) : doneEffect === void 0 ? suspend2(() => read3()) : pipe(doneEffect, matchCauseEffect({
          onFailure,
          onSuccess: () => read3()
        }));
      }
      case OP_FROM_EFFECT2:
        return readStack.push(current), pipe(current.onEffect(state.effect), catchAllCause((cause) => suspend2(() => {
          let doneEffect = current.onDone(failCause(cause));
          return doneEffect === void 0 ? _void : doneEffect;
        })), matchCauseEffect({
          onFailure,
          onSuccess: () => read3()
        }));
      case OP_READ2:
        return readStack.push(current), readStack.push(state), suspend2(() => read3());
    }
  };
  return read3();
}, runIn = /* @__PURE__ */ dual(2, (self, scope2) => {
  let run6 = (channelDeferred, scopeDeferred, scope3) => acquireUseRelease(sync2(() => new ChannelExecutor(self, void 0, identity)), (exec) => suspend2(() => runScopedInterpret(exec.run(), exec).pipe(intoDeferred(channelDeferred), zipRight3(_await2(channelDeferred)), zipLeft(_await2(scopeDeferred)))), (exec, exit2) => {
    let finalize = exec.close(exit2);
    return finalize === void 0 ? _void : tapErrorCause(finalize, (cause) => addFinalizer(scope3, failCause2(cause)));
  });
  return uninterruptibleMask2((restore) => all2([fork(scope2, sequential), make7(), make7()]).pipe(flatMap3(([child, channelDeferred, scopeDeferred]) => restore(run6(channelDeferred, scopeDeferred, child)).pipe(forkIn2(scope2), flatMap3((fiber) => scope2.addFinalizer((exit2) => {
    let interruptors2 = isFailure(exit2) ? interruptors(exit2.cause) : void 0;
    return isDone(channelDeferred).pipe(flatMap3((isDone2) => isDone2 ? succeed4(scopeDeferred, void 0).pipe(zipRight3(_await(fiber)), zipRight3(inheritAll(fiber))) : succeed4(scopeDeferred, void 0).pipe(zipRight3(interruptors2 && size(interruptors2) > 0 ? interruptAs(fiber, combineAll(interruptors2)) : interrupt3(fiber)), zipRight3(inheritAll(fiber)))));
  }).pipe(zipRight3(restore(_await2(channelDeferred)))))))));
}), runScopedInterpret = (channelState, exec) => {
  let op = channelState;
  switch (op._tag) {
    case OP_FROM_EFFECT2:
      return pipe(op.effect, flatMap3(() => runScopedInterpret(exec.run(), exec)));
    case OP_EMIT2:
      return runScopedInterpret(exec.run(), exec);
    case OP_DONE:
      return suspend2(() => exec.getDone());
    case OP_READ2:
      return readUpstream(op, () => runScopedInterpret(exec.run(), exec), failCause2);
  }
};

// node_modules/effect/dist/esm/internal/opCodes/channelMergeDecision.js
var OP_DONE2 = "Done", OP_AWAIT = "Await";

// node_modules/effect/dist/esm/internal/channel/mergeDecision.js
var MergeDecisionSymbolKey = "effect/ChannelMergeDecision", MergeDecisionTypeId = /* @__PURE__ */ Symbol.for(MergeDecisionSymbolKey), proto6 = {
  [MergeDecisionTypeId]: {
    _R: (_) => _,
    _E0: (_) => _,
    _Z0: (_) => _,
    _E: (_) => _,
    _Z: (_) => _
  }
}, Done2 = (effect2) => {
  let op = Object.create(proto6);
  return op._tag = OP_DONE2, op.effect = effect2, op;
}, Await = (f) => {
  let op = Object.create(proto6);
  return op._tag = OP_AWAIT, op.f = f, op;
};

// node_modules/effect/dist/esm/internal/opCodes/channelMergeState.js
var OP_BOTH_RUNNING = "BothRunning", OP_LEFT_DONE = "LeftDone", OP_RIGHT_DONE = "RightDone";

// node_modules/effect/dist/esm/internal/channel/mergeState.js
var MergeStateSymbolKey = "effect/ChannelMergeState", MergeStateTypeId = /* @__PURE__ */ Symbol.for(MergeStateSymbolKey), proto7 = {
  [MergeStateTypeId]: MergeStateTypeId
}, BothRunning = (left2, right2) => {
  let op = Object.create(proto7);
  return op._tag = OP_BOTH_RUNNING, op.left = left2, op.right = right2, op;
}, LeftDone = (f) => {
  let op = Object.create(proto7);
  return op._tag = OP_LEFT_DONE, op.f = f, op;
}, RightDone = (f) => {
  let op = Object.create(proto7);
  return op._tag = OP_RIGHT_DONE, op.f = f, op;
};

// node_modules/effect/dist/esm/internal/opCodes/channelMergeStrategy.js
var OP_BACK_PRESSURE = "BackPressure", OP_BUFFER_SLIDING = "BufferSliding";

// node_modules/effect/dist/esm/internal/channel/mergeStrategy.js
var MergeStrategySymbolKey = "effect/ChannelMergeStrategy", MergeStrategyTypeId = /* @__PURE__ */ Symbol.for(MergeStrategySymbolKey), proto8 = {
  [MergeStrategyTypeId]: MergeStrategyTypeId
}, BackPressure = (_) => {
  let op = Object.create(proto8);
  return op._tag = OP_BACK_PRESSURE, op;
}, BufferSliding = (_) => {
  let op = Object.create(proto8);
  return op._tag = OP_BUFFER_SLIDING, op;
};
var match5 = /* @__PURE__ */ dual(2, (self, {
  onBackPressure,
  onBufferSliding
}) => {
  switch (self._tag) {
    case OP_BACK_PRESSURE:
      return onBackPressure();
    case OP_BUFFER_SLIDING:
      return onBufferSliding();
  }
});

// node_modules/effect/dist/esm/internal/channel/singleProducerAsyncInput.js
var OP_STATE_EMPTY = "Empty", OP_STATE_EMIT = "Emit", OP_STATE_ERROR = "Error", OP_STATE_DONE = "Done", stateEmpty = (notifyProducer) => ({
  _tag: OP_STATE_EMPTY,
  notifyProducer
}), stateEmit = (notifyConsumers) => ({
  _tag: OP_STATE_EMIT,
  notifyConsumers
}), stateError = (cause) => ({
  _tag: OP_STATE_ERROR,
  cause
}), stateDone = (done3) => ({
  _tag: OP_STATE_DONE,
  done: done3
}), SingleProducerAsyncInputImpl = class {
  ref;
  constructor(ref) {
    this.ref = ref;
  }
  awaitRead() {
    return flatten(modify(this.ref, (state) => state._tag === OP_STATE_EMPTY ? [_await2(state.notifyProducer), state] : [_void, state]));
  }
  get close() {
    return fiberIdWith((fiberId2) => this.error(interrupt2(fiberId2)));
  }
  done(value2) {
    return flatten(modify(this.ref, (state) => {
      switch (state._tag) {
        case OP_STATE_EMPTY:
          return [_await2(state.notifyProducer), state];
        case OP_STATE_EMIT:
          return [forEach(state.notifyConsumers, (deferred) => succeed4(deferred, left(value2)), {
            discard: !0
          }), stateDone(value2)];
        case OP_STATE_ERROR:
          return [interrupt4, state];
        case OP_STATE_DONE:
          return [interrupt4, state];
      }
    }));
  }
  emit(element) {
    return flatMap3(make7(), (deferred) => flatten(modify(this.ref, (state) => {
      switch (state._tag) {
        case OP_STATE_EMPTY:
          return [_await2(state.notifyProducer), state];
        case OP_STATE_EMIT: {
          let notifyConsumer = state.notifyConsumers[0], notifyConsumers = state.notifyConsumers.slice(1);
          if (notifyConsumer !== void 0)
            return [succeed4(notifyConsumer, right(element)), notifyConsumers.length === 0 ? stateEmpty(deferred) : stateEmit(notifyConsumers)];
          throw new Error("Bug: Channel.SingleProducerAsyncInput.emit - Queue was empty! please report an issue at https://github.com/Effect-TS/effect/issues");
        }
        case OP_STATE_ERROR:
          return [interrupt4, state];
        case OP_STATE_DONE:
          return [interrupt4, state];
      }
    })));
  }
  error(cause) {
    return flatten(modify(this.ref, (state) => {
      switch (state._tag) {
        case OP_STATE_EMPTY:
          return [_await2(state.notifyProducer), state];
        case OP_STATE_EMIT:
          return [forEach(state.notifyConsumers, (deferred) => failCause3(deferred, cause), {
            discard: !0
          }), stateError(cause)];
        case OP_STATE_ERROR:
          return [interrupt4, state];
        case OP_STATE_DONE:
          return [interrupt4, state];
      }
    }));
  }
  get take() {
    return this.takeWith((cause) => failCause(map6(cause, left)), (elem) => succeed2(elem), (done3) => fail(right(done3)));
  }
  takeWith(onError3, onElement, onDone2) {
    return flatMap3(make7(), (deferred) => flatten(modify(this.ref, (state) => {
      switch (state._tag) {
        case OP_STATE_EMPTY:
          return [zipRight3(succeed4(state.notifyProducer, void 0), matchCause(_await2(deferred), {
            onFailure: onError3,
            onSuccess: match({
              onLeft: onDone2,
              onRight: onElement
            })
          })), stateEmit([deferred])];
        case OP_STATE_EMIT:
          return [matchCause(_await2(deferred), {
            onFailure: onError3,
            onSuccess: match({
              onLeft: onDone2,
              onRight: onElement
            })
          }), stateEmit([...state.notifyConsumers, deferred])];
        case OP_STATE_ERROR:
          return [succeed3(onError3(state.cause)), state];
        case OP_STATE_DONE:
          return [succeed3(onDone2(state.done)), state];
      }
    })));
  }
}, make10 = () => pipe(make7(), flatMap3((deferred) => make3(stateEmpty(deferred))), map7((ref) => new SingleProducerAsyncInputImpl(ref)));

// node_modules/effect/dist/esm/internal/channel.js
var acquireUseRelease2 = (acquire, use, release) => flatMap4(fromEffect(make3(() => _void)), (ref) => pipe(fromEffect(uninterruptible2(tap2(acquire, (a) => set2(ref, (exit2) => release(a, exit2))))), flatMap4(use), ensuringWith((exit2) => flatMap3(get3(ref), (f) => f(exit2))))), as3 = /* @__PURE__ */ dual(2, (self, value2) => map8(self, () => value2));
var catchAll3 = /* @__PURE__ */ dual(2, (self, f) => catchAllCause2(self, (cause) => match(failureOrCause(cause), {
  onLeft: f,
  onRight: failCause4
}))), concatMap = /* @__PURE__ */ dual(2, (self, f) => concatMapWith(self, f, () => {
}, () => {
}));
var drain = (self) => {
  let drainer = readWithCause({
    onInput: () => drainer,
    onFailure: failCause4,
    onDone: succeed5
  });
  return pipeTo(self, drainer);
};
var ensuring3 = /* @__PURE__ */ dual(2, (self, finalizer2) => ensuringWith(self, () => finalizer2));
var flatten2 = (self) => flatMap4(self, identity);
var fromInput = (input) => unwrap(input.takeWith(failCause4, (elem) => flatMap4(write(elem), () => fromInput(input)), succeed5));
var identityChannel = () => readWith({
  onInput: (input) => flatMap4(write(input), () => identityChannel()),
  onFailure: fail5,
  onDone: succeedNow
}), interruptWhen = /* @__PURE__ */ dual(2, (self, effect2) => mergeWith(self, {
  other: fromEffect(effect2),
  onSelfDone: (selfDone) => Done2(suspend2(() => selfDone)),
  onOtherDone: (effectDone) => Done2(suspend2(() => effectDone))
}));
var map8 = /* @__PURE__ */ dual(2, (self, f) => flatMap4(self, (a) => sync3(() => f(a))));
var mapError2 = /* @__PURE__ */ dual(2, (self, f) => mapErrorCause(self, map6(f))), mapErrorCause = /* @__PURE__ */ dual(2, (self, f) => catchAllCause2(self, (cause) => failCause4(f(cause)))), mapOut = /* @__PURE__ */ dual(2, (self, f) => {
  let reader = readWith({
    onInput: (outElem) => flatMap4(write(f(outElem)), () => reader),
    onFailure: fail5,
    onDone: succeedNow
  });
  return pipeTo(self, reader);
}), mapOutEffect = /* @__PURE__ */ dual(2, (self, f) => {
  let reader = readWithCause({
    onInput: (outElem) => pipe(fromEffect(f(outElem)), flatMap4(write), flatMap4(() => reader)),
    onFailure: failCause4,
    onDone: succeedNow
  });
  return pipeTo(self, reader);
}), mapOutEffectPar = /* @__PURE__ */ dual(3, (self, f, n) => unwrapScopedWith((scope2) => gen(function* () {
  let input = yield* make10(), queueReader = fromInput(input), queue = yield* bounded3(n);
  yield* addFinalizer(scope2, shutdown2(queue));
  let errorSignal = yield* make7(), withPermits = n === Number.POSITIVE_INFINITY ? (_) => identity : (yield* makeSemaphore(n)).withPermits;
  yield* (yield* queueReader.pipe(pipeTo(self), toPullIn(scope2))).pipe(matchCauseEffect({
    onFailure: (cause) => offer3(queue, failCause2(cause)),
    onSuccess: match({
      onLeft: (outDone) => zipRight3(interruptible2(withPermits(n)(_void)), asVoid2(offer3(queue, succeed3(left(outDone))))),
      onRight: (outElem) => gen(function* () {
        let deferred = yield* make7(), latch = yield* make7();
        yield* offer3(queue, map7(_await2(deferred), right)), yield* succeed4(latch, void 0).pipe(zipRight3(uninterruptibleMask2((restore) => exit(restore(_await2(errorSignal))).pipe(raceFirst(exit(restore(f(outElem)))), flatMap3(identity))).pipe(tapErrorCause((cause) => failCause3(errorSignal, cause)), intoDeferred(deferred))), withPermits(1), forkIn2(scope2)), yield* _await2(latch);
      })
    })
  }), forever2, interruptible2, forkIn2(scope2));
  let consumer = unwrap(matchCause(flatten(take3(queue)), {
    onFailure: failCause4,
    onSuccess: match({
      onLeft: succeedNow,
      onRight: (outElem) => flatMap4(write(outElem), () => consumer)
    })
  }));
  return embedInput(consumer, input);
}))), mergeAll = (options) => (channels) => mergeAllWith(options)(channels, constVoid);
var mergeAllWith = ({
  bufferSize = 16,
  concurrency,
  mergeStrategy = BackPressure()
}) => (channels, f) => unwrapScopedWith((scope2) => gen(function* () {
  let concurrencyN = concurrency === "unbounded" ? Number.MAX_SAFE_INTEGER : concurrency, input = yield* make10(), queueReader = fromInput(input), queue = yield* bounded3(bufferSize);
  yield* addFinalizer(scope2, shutdown2(queue));
  let cancelers = yield* unbounded3();
  yield* addFinalizer(scope2, shutdown2(cancelers));
  let lastDone = yield* make3(none()), errorSignal = yield* make7(), withPermits = (yield* makeSemaphore(concurrencyN)).withPermits, pull = yield* toPullIn(pipeTo(queueReader, channels), scope2);
  function evaluatePull(pull2) {
    return pull2.pipe(flatMap3(match({
      onLeft: (done3) => succeed3(some(done3)),
      onRight: (outElem) => as2(offer3(queue, succeed3(right(outElem))), none())
    })), repeat({
      until: (_) => isSome(_)
    }), flatMap3((outDone) => update(lastDone, match2({
      onNone: () => some(outDone.value),
      onSome: (lastDone2) => some(f(lastDone2, outDone.value))
    }))), catchAllCause((cause) => isInterrupted(cause) ? failCause2(cause) : offer3(queue, failCause2(cause)).pipe(zipRight3(succeed4(errorSignal, void 0)), asVoid2)));
  }
  yield* pull.pipe(matchCauseEffect({
    onFailure: (cause) => offer3(queue, failCause2(cause)).pipe(zipRight3(succeed3(!1))),
    onSuccess: match({
      onLeft: (outDone) => raceWith(interruptible2(_await2(errorSignal)), interruptible2(withPermits(concurrencyN)(_void)), {
        onSelfDone: (_, permitAcquisition) => as2(interrupt3(permitAcquisition), !1),
        onOtherDone: (_, failureAwait) => zipRight3(interrupt3(failureAwait), get3(lastDone).pipe(flatMap3(match2({
          onNone: () => offer3(queue, succeed3(left(outDone))),
          onSome: (lastDone2) => offer3(queue, succeed3(left(f(lastDone2, outDone))))
        })), as2(!1)))
      }),
      onRight: (channel) => match5(mergeStrategy, {
        onBackPressure: () => gen(function* () {
          let latch = yield* make7(), raceEffects = scopedWith((scope3) => toPullIn(pipeTo(queueReader, channel), scope3).pipe(flatMap3((pull2) => race(exit(evaluatePull(pull2)), exit(interruptible2(_await2(errorSignal))))), flatMap3(identity)));
          return yield* succeed4(latch, void 0).pipe(zipRight3(raceEffects), withPermits(1), forkIn2(scope2)), yield* _await2(latch), !(yield* isDone(errorSignal));
        }),
        onBufferSliding: () => gen(function* () {
          let canceler = yield* make7(), latch = yield* make7(), size4 = yield* size3(cancelers);
          yield* take3(cancelers).pipe(flatMap3((canceler2) => succeed4(canceler2, void 0)), when(() => size4 >= concurrencyN)), yield* offer3(cancelers, canceler);
          let raceEffects = scopedWith((scope3) => toPullIn(pipeTo(queueReader, channel), scope3).pipe(flatMap3((pull2) => exit(evaluatePull(pull2)).pipe(race(exit(interruptible2(_await2(errorSignal)))), race(exit(interruptible2(_await2(canceler)))))), flatMap3(identity)));
          return yield* succeed4(latch, void 0).pipe(zipRight3(raceEffects), withPermits(1), forkIn2(scope2)), yield* _await2(latch), !(yield* isDone(errorSignal));
        })
      })
    })
  }), repeat({
    while: (_) => _
  }), forkIn2(scope2));
  let consumer = pipe(take3(queue), flatten, matchCause({
    onFailure: failCause4,
    onSuccess: match({
      onLeft: succeedNow,
      onRight: (outElem) => flatMap4(write(outElem), () => consumer)
    })
  }), unwrap);
  return embedInput(consumer, input);
})), mergeMap = /* @__PURE__ */ dual(3, (self, f, options) => mergeAll(options)(mapOut(self, f)));
var mergeWith = /* @__PURE__ */ dual(2, (self, options) => {
  function merge4(scope2) {
    return gen(function* () {
      let input = yield* make10(), queueReader = fromInput(input), pullL = yield* toPullIn(pipeTo(queueReader, self), scope2), pullR = yield* toPullIn(pipeTo(queueReader, options.other), scope2);
      function handleSide(exit2, fiber, pull) {
        return (done3, both, single) => {
          function onDecision2(decision) {
            let op = decision;
            return op._tag === OP_DONE2 ? succeed3(fromEffect(zipRight3(interrupt3(fiber), op.effect))) : map7(_await(fiber), match3({
              onFailure: (cause) => fromEffect(op.f(failCause(cause))),
              onSuccess: match({
                onLeft: (done4) => fromEffect(op.f(succeed2(done4))),
                onRight: (elem) => zipRight4(write(elem), go(single(op.f)))
              })
            }));
          }
          return match3(exit2, {
            onFailure: (cause) => onDecision2(done3(failCause(cause))),
            onSuccess: match({
              onLeft: (z) => onDecision2(done3(succeed2(z))),
              onRight: (elem) => succeed3(flatMap4(write(elem), () => flatMap4(fromEffect(forkIn2(interruptible2(pull), scope2)), (leftFiber) => go(both(leftFiber, fiber)))))
            })
          });
        };
      }
      function go(state) {
        switch (state._tag) {
          case OP_BOTH_RUNNING: {
            let leftJoin = interruptible2(join(state.left)), rightJoin = interruptible2(join(state.right));
            return unwrap(raceWith(leftJoin, rightJoin, {
              onSelfDone: (leftExit, rf) => zipRight3(interrupt3(rf), handleSide(leftExit, state.right, pullL)(options.onSelfDone, BothRunning, (f) => LeftDone(f))),
              onOtherDone: (rightExit, lf) => zipRight3(interrupt3(lf), handleSide(rightExit, state.left, pullR)(options.onOtherDone, (left2, right2) => BothRunning(right2, left2), (f) => RightDone(f)))
            }));
          }
          case OP_LEFT_DONE:
            return unwrap(map7(exit(pullR), match3({
              onFailure: (cause) => fromEffect(state.f(failCause(cause))),
              onSuccess: match({
                onLeft: (done3) => fromEffect(state.f(succeed2(done3))),
                onRight: (elem) => flatMap4(write(elem), () => go(LeftDone(state.f)))
              })
            })));
          case OP_RIGHT_DONE:
            return unwrap(map7(exit(pullL), match3({
              onFailure: (cause) => fromEffect(state.f(failCause(cause))),
              onSuccess: match({
                onLeft: (done3) => fromEffect(state.f(succeed2(done3))),
                onRight: (elem) => flatMap4(write(elem), () => go(RightDone(state.f)))
              })
            })));
        }
      }
      return fromEffect(withFiberRuntime2((parent) => {
        let inherit = withFiberRuntime2((state) => (state.transferChildren(parent.scope()), _void)), leftFiber = interruptible2(pullL).pipe(ensuring2(inherit), forkIn2(scope2)), rightFiber = interruptible2(pullR).pipe(ensuring2(inherit), forkIn2(scope2));
        return zipWith(leftFiber, rightFiber, (left2, right2) => BothRunning(left2, right2));
      })).pipe(flatMap4(go), embedInput(input));
    });
  }
  return unwrapScopedWith(merge4);
});
var orDieWith = /* @__PURE__ */ dual(2, (self, f) => catchAll3(self, (e) => failCauseSync(() => die2(f(e)))));
var pipeToOrFail = /* @__PURE__ */ dual(2, (self, that) => suspend3(() => {
  let channelException, reader = readWith({
    onInput: (outElem) => flatMap4(write(outElem), () => reader),
    onFailure: (outErr) => (channelException = ChannelException(outErr), failCause4(die2(channelException))),
    onDone: succeedNow
  }), writer = readWithCause({
    onInput: (outElem) => pipe(write(outElem), flatMap4(() => writer)),
    onFailure: (cause) => isDieType(cause) && isChannelException(cause.defect) && equals(cause.defect, channelException) ? fail5(cause.defect.error) : failCause4(cause),
    onDone: succeedNow
  });
  return pipeTo(pipeTo(pipeTo(self, reader), that), writer);
}));
var repeated = (self) => flatMap4(self, () => repeated(self)), run = (self) => scopedWith((scope2) => runIn(self, scope2));
var runDrain = (self) => run(drain(self)), runScoped = (self) => scopeWith((scope2) => runIn(self, scope2)), scoped2 = (effect2) => unwrap(uninterruptibleMask2((restore) => map7(make4(), (scope2) => acquireReleaseOut(tapErrorCause(restore(extend(effect2, scope2)), (cause) => close(scope2, failCause(cause))), (_, exit2) => close(scope2, exit2))))), scopedWith2 = (f) => unwrapScoped(map7(scope, (scope2) => flatMap4(fromEffect(f(scope2)), write)));
var splitLines = () => suspend3(() => {
  let stringBuilder = "", midCRLF = !1, splitLinesChunk = (chunk2) => {
    let chunkBuilder = [];
    return map3(chunk2, (str) => {
      if (str.length !== 0) {
        let from = 0, indexOfCR = str.indexOf("\r"), indexOfLF = str.indexOf(`
`);
        for (midCRLF && (indexOfLF === 0 ? (chunkBuilder.push(stringBuilder), stringBuilder = "", from = 1, indexOfLF = str.indexOf(`
`, from)) : stringBuilder = stringBuilder + "\r", midCRLF = !1); indexOfCR !== -1 || indexOfLF !== -1; )
          indexOfCR === -1 || indexOfLF !== -1 && indexOfLF < indexOfCR ? (stringBuilder.length === 0 ? chunkBuilder.push(str.substring(from, indexOfLF)) : (chunkBuilder.push(stringBuilder + str.substring(from, indexOfLF)), stringBuilder = ""), from = indexOfLF + 1, indexOfLF = str.indexOf(`
`, from)) : str.length === indexOfCR + 1 ? (midCRLF = !0, indexOfCR = -1) : indexOfLF === indexOfCR + 1 ? (stringBuilder.length === 0 ? chunkBuilder.push(str.substring(from, indexOfCR)) : (stringBuilder = stringBuilder + str.substring(from, indexOfCR), chunkBuilder.push(stringBuilder), stringBuilder = ""), from = indexOfCR + 2, indexOfCR = str.indexOf("\r", from), indexOfLF = str.indexOf(`
`, from)) : indexOfCR = str.indexOf("\r", indexOfCR + 1);
        midCRLF ? stringBuilder = stringBuilder + str.substring(from, str.length - 1) : stringBuilder = stringBuilder + str.substring(from, str.length);
      }
    }), unsafeFromArray(chunkBuilder);
  }, loop = readWithCause({
    onInput: (input) => {
      let out = splitLinesChunk(input);
      return isEmpty(out) ? loop : flatMap4(write(out), () => loop);
    },
    onFailure: (cause) => stringBuilder.length === 0 ? failCause4(cause) : flatMap4(write(of(stringBuilder)), () => failCause4(cause)),
    onDone: (done3) => stringBuilder.length === 0 ? succeed5(done3) : flatMap4(write(of(stringBuilder)), () => succeed5(done3))
  });
  return loop;
});
var toPullIn = /* @__PURE__ */ dual(2, (self, scope2) => zip2(sync2(() => new ChannelExecutor(self, void 0, identity)), runtime()).pipe(tap2(([executor, runtime2]) => addFinalizerExit(scope2, (exit2) => {
  let finalizer2 = executor.close(exit2);
  return finalizer2 !== void 0 ? provide(finalizer2, runtime2) : _void;
})), uninterruptible2, map7(([executor]) => suspend2(() => interpretToPull(executor.run(), executor))))), interpretToPull = (channelState, exec) => {
  let state = channelState;
  switch (state._tag) {
    case OP_DONE:
      return match3(exec.getDone(), {
        onFailure: failCause2,
        onSuccess: (done3) => succeed3(left(done3))
      });
    case OP_EMIT2:
      return succeed3(right(exec.getEmit()));
    case OP_FROM_EFFECT2:
      return pipe(state.effect, flatMap3(() => interpretToPull(exec.run(), exec)));
    case OP_READ2:
      return readUpstream(state, () => interpretToPull(exec.run(), exec), (cause) => failCause2(cause));
  }
};
var unwrap = (channel) => flatten2(fromEffect(channel)), unwrapScoped = (self) => concatAllWith(scoped2(self), (d, _) => d, (d, _) => d), unwrapScopedWith = (f) => concatAllWith(scopedWith2(f), (d, _) => d, (d, _) => d);
var writeAll = (...outs) => writeChunk(fromIterable2(outs)), writeChunk = (outs) => writeChunkWriter(0, outs.length, outs), writeChunkWriter = (idx, len, chunk2) => idx === len ? void_3 : pipe(write(pipe(chunk2, unsafeGet(idx))), flatMap4(() => writeChunkWriter(idx + 1, len, chunk2))), zip3 = /* @__PURE__ */ dual((args) => isChannel(args[1]), (self, that, options) => options?.concurrent ? mergeWith(self, {
  other: that,
  onSelfDone: (exit1) => Await((exit2) => suspend2(() => zip(exit1, exit2))),
  onOtherDone: (exit2) => Await((exit1) => suspend2(() => zip(exit1, exit2)))
}) : flatMap4(self, (a) => map8(that, (b) => [a, b])));
var zipRight4 = /* @__PURE__ */ dual((args) => isChannel(args[1]), (self, that, options) => options?.concurrent ? map8(zip3(self, that, {
  concurrent: !0
}), (tuple) => tuple[1]) : flatMap4(self, () => that)), ChannelExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Channel/ChannelException"), ChannelException = (error) => ({
  _tag: "ChannelException",
  [ChannelExceptionTypeId]: ChannelExceptionTypeId,
  error
}), isChannelException = (u) => hasProperty(u, ChannelExceptionTypeId);

// node_modules/effect/dist/esm/MergeDecision.js
var Done3 = Done2, Await2 = Await;

// node_modules/effect/dist/esm/internal/rcRef.js
var TypeId7 = /* @__PURE__ */ Symbol.for("effect/RcRef"), stateEmpty2 = {
  _tag: "Empty"
}, stateClosed = {
  _tag: "Closed"
}, variance = {
  _A: identity,
  _E: identity
}, RcRefImpl = class extends Class {
  acquire;
  context;
  scope;
  idleTimeToLive;
  [TypeId7] = variance;
  [TypeId] = TypeId;
  state = stateEmpty2;
  semaphore = /* @__PURE__ */ unsafeMakeSemaphore(1);
  constructor(acquire, context5, scope2, idleTimeToLive) {
    super(), this.acquire = acquire, this.context = context5, this.scope = scope2, this.idleTimeToLive = idleTimeToLive, this.get = get5(this);
  }
  get;
  commit() {
    return this.get;
  }
}, make11 = (options) => withFiberRuntime((fiber) => {
  let context5 = fiber.getFiberRef(currentContext), scope2 = get(context5, scopeTag), ref = new RcRefImpl(options.acquire, context5, scope2, options.idleTimeToLive ? decode(options.idleTimeToLive) : void 0);
  return as(scope2.addFinalizer(() => ref.semaphore.withPermits(1)(suspend(() => {
    let close2 = ref.state._tag === "Acquired" ? scopeClose(ref.state.scope, exitVoid) : void_;
    return ref.state = stateClosed, close2;
  }))), ref);
}), get5 = (self_) => {
  let self = self_, isInfinite = self.idleTimeToLive && !isFinite(self.idleTimeToLive);
  return uninterruptibleMask((restore) => suspend(() => {
    switch (self.state._tag) {
      case "Closed":
        return interrupt;
      case "Acquired":
        return self.state.refCount++, self.state.fiber ? as(interruptFiber(self.state.fiber), self.state) : succeed(self.state);
      case "Empty":
        return scopeMake().pipe(bindTo("scope"), bind("value", ({
          scope: scope2
        }) => restore(fiberRefLocally(self.acquire, currentContext, add(self.context, scopeTag, scope2)))), map4(({
          scope: scope2,
          value: value2
        }) => {
          let state = {
            _tag: "Acquired",
            value: value2,
            scope: scope2,
            fiber: void 0,
            refCount: 1
          };
          return self.state = state, state;
        }));
    }
  })).pipe(self.semaphore.withPermits(1), bindTo("state"), bind("scope", () => scopeTag), tap(({
    scope: scope2,
    state
  }) => scope2.addFinalizer(() => suspend(() => (state.refCount--, state.refCount > 0 || isInfinite ? void_ : self.idleTimeToLive === void 0 ? (self.state = stateEmpty2, scopeClose(state.scope, exitVoid)) : sleep(self.idleTimeToLive).pipe(interruptible, zipRight(suspend(() => self.state._tag === "Acquired" && self.state.refCount === 0 ? (self.state = stateEmpty2, scopeClose(state.scope, exitVoid)) : void_)), ensuring(sync(() => {
    state.fiber = void 0;
  })), forkIn(self.scope), tap((fiber) => {
    state.fiber = fiber;
  }), self.semaphore.withPermits(1)))))), map4(({
    state
  }) => state.value));
};

// node_modules/effect/dist/esm/RcRef.js
var make12 = make11, get6 = get5;

// node_modules/effect/dist/esm/Runtime.js
var runFork = unsafeFork;
var runCallback = unsafeRunCallback;
var runPromiseExit = unsafeRunPromiseExit, defaultRuntime2 = defaultRuntime;
var make13 = make5;
var updateContext2 = updateContext;

// node_modules/effect/dist/esm/Schedule.js
var ScheduleTypeId2 = ScheduleTypeId;
var addDelay2 = addDelay;
var driver2 = driver;
var exponential2 = exponential;
var forever3 = forever;
var identity3 = identity2, passthrough2 = passthrough, intersect2 = intersect;
var jittered2 = jittered, jitteredWith2 = jitteredWith;
var modifyDelay2 = modifyDelay;
var recurs2 = recurs;
var spaced2 = spaced;
var union2 = union;
var upTo2 = upTo, whileInput2 = whileInput;

// node_modules/effect/dist/esm/internal/opCodes/streamHaltStrategy.js
var OP_LEFT = "Left", OP_RIGHT = "Right", OP_BOTH = "Both", OP_EITHER = "Either";

// node_modules/effect/dist/esm/internal/stream/haltStrategy.js
var Left = {
  _tag: OP_LEFT
}, Right = {
  _tag: OP_RIGHT
}, Both = {
  _tag: OP_BOTH
}, Either = {
  _tag: OP_EITHER
}, fromInput2 = (input) => {
  switch (input) {
    case "left":
      return Left;
    case "right":
      return Right;
    case "both":
      return Both;
    case "either":
      return Either;
    default:
      return input;
  }
};

// node_modules/effect/dist/esm/StreamHaltStrategy.js
var Both2 = Both;

// node_modules/effect/dist/esm/internal/sink.js
var SinkTypeId = /* @__PURE__ */ Symbol.for("effect/Sink"), sinkVariance = {
  /* c8 ignore next */
  _A: (_) => _,
  /* c8 ignore next */
  _In: (_) => _,
  /* c8 ignore next */
  _L: (_) => _,
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _R: (_) => _
}, SinkImpl = class {
  channel;
  [SinkTypeId] = sinkVariance;
  constructor(channel) {
    this.channel = channel;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
};
var suspend4 = (evaluate2) => new SinkImpl(suspend3(() => toChannel(evaluate2())));
var collectAll = () => new SinkImpl(collectAllLoop(empty2())), collectAllLoop = (acc) => readWithCause({
  onInput: (chunk2) => collectAllLoop(pipe(acc, appendAll(chunk2))),
  onFailure: failCause4,
  onDone: () => succeed5(acc)
});
var drain2 = /* @__PURE__ */ new SinkImpl(/* @__PURE__ */ drain(/* @__PURE__ */ identityChannel()));
var fold = (s, contFn, f) => suspend4(() => new SinkImpl(foldReader(s, contFn, f))), foldReader = (s, contFn, f) => contFn(s) ? readWith({
  onInput: (input) => {
    let [nextS, leftovers] = foldChunkSplit(s, input, contFn, f, 0, input.length);
    return isNonEmpty(leftovers) ? pipe(write(leftovers), as3(nextS)) : foldReader(nextS, contFn, f);
  },
  onFailure: fail5,
  onDone: () => succeedNow(s)
}) : succeedNow(s), foldChunkSplit = (s, chunk2, contFn, f, index, length3) => {
  if (index === length3)
    return [s, empty2()];
  let s1 = f(s, pipe(chunk2, unsafeGet(index)));
  return contFn(s1) ? foldChunkSplit(s1, chunk2, contFn, f, index + 1, length3) : [s1, pipe(chunk2, drop(index + 1))];
};
var foldChunks = (s, contFn, f) => suspend4(() => new SinkImpl(foldChunksReader(s, contFn, f))), foldChunksReader = (s, contFn, f) => contFn(s) ? readWith({
  onInput: (input) => foldChunksReader(f(s, input), contFn, f),
  onFailure: fail5,
  onDone: () => succeedNow(s)
}) : succeedNow(s);
var foldEffect = (s, contFn, f) => suspend4(() => new SinkImpl(foldEffectReader(s, contFn, f))), foldEffectReader = (s, contFn, f) => contFn(s) ? readWith({
  onInput: (input) => pipe(fromEffect(foldChunkSplitEffect(s, input, contFn, f)), flatMap4(([nextS, leftovers]) => pipe(leftovers, match2({
    onNone: () => foldEffectReader(nextS, contFn, f),
    onSome: (leftover2) => pipe(write(leftover2), as3(nextS))
  })))),
  onFailure: fail5,
  onDone: () => succeedNow(s)
}) : succeedNow(s), foldChunkSplitEffect = (s, chunk2, contFn, f) => foldChunkSplitEffectInternal(s, chunk2, 0, chunk2.length, contFn, f), foldChunkSplitEffectInternal = (s, chunk2, index, length3, contFn, f) => index === length3 ? succeed3([s, none()]) : pipe(f(s, pipe(chunk2, unsafeGet(index))), flatMap3((s1) => contFn(s1) ? foldChunkSplitEffectInternal(s1, chunk2, index + 1, length3, contFn, f) : succeed3([s1, some(pipe(chunk2, drop(index + 1)))])));
var foldLeftChunks = (s, f) => foldChunks(s, constTrue, f);
var forEach2 = (f) => {
  let process = readWithCause({
    onInput: (input) => pipe(fromEffect(forEach(input, (v) => f(v), {
      discard: !0
    })), flatMap4(() => process)),
    onFailure: failCause4,
    onDone: () => void_3
  });
  return new SinkImpl(process);
}, forEachChunk = (f) => {
  let process = readWithCause({
    onInput: (input) => pipe(fromEffect(f(input)), flatMap4(() => process)),
    onFailure: failCause4,
    onDone: () => void_3
  });
  return new SinkImpl(process);
};
var fromChannel = (channel) => new SinkImpl(channel), fromEffect3 = (effect2) => new SinkImpl(fromEffect(effect2));
var head2 = () => fold(none(), isNone, (option, input) => match2(option, {
  onNone: () => some(input),
  onSome: () => option
}));
var toChannel = (self) => isEffect(self) ? toChannel(fromEffect3(self)) : self.channel;
var unwrapScoped2 = (effect2) => new SinkImpl(unwrapScoped(effect2.pipe(map7((sink) => toChannel(sink)))));

// node_modules/effect/dist/esm/internal/mailbox.js
var TypeId8 = /* @__PURE__ */ Symbol.for("effect/Mailbox"), ReadonlyTypeId = /* @__PURE__ */ Symbol.for("effect/Mailbox/ReadonlyMailbox");
var empty4 = /* @__PURE__ */ empty2(), exitEmpty = /* @__PURE__ */ exitSucceed(empty4), exitFalse = /* @__PURE__ */ exitSucceed(!1), exitTrue = /* @__PURE__ */ exitSucceed(!0), constDone = [empty4, !0], MailboxImpl = class extends Class {
  scheduler;
  capacity;
  strategy;
  [TypeId8] = TypeId8;
  [ReadonlyTypeId] = ReadonlyTypeId;
  state = {
    _tag: "Open",
    takers: /* @__PURE__ */ new Set(),
    offers: /* @__PURE__ */ new Set(),
    awaiters: /* @__PURE__ */ new Set()
  };
  messages = [];
  messagesChunk = /* @__PURE__ */ empty2();
  constructor(scheduler, capacity4, strategy) {
    super(), this.scheduler = scheduler, this.capacity = capacity4, this.strategy = strategy;
  }
  offer(message) {
    return suspend(() => {
      if (this.state._tag !== "Open")
        return exitFalse;
      if (this.messages.length + this.messagesChunk.length >= this.capacity)
        switch (this.strategy) {
          case "dropping":
            return exitFalse;
          case "suspend":
            return this.capacity <= 0 && this.state.takers.size > 0 ? (this.messages.push(message), this.releaseTaker(), exitTrue) : this.offerRemainingSingle(message);
          case "sliding":
            return this.unsafeTake(), this.messages.push(message), exitTrue;
        }
      return this.messages.push(message), this.scheduleReleaseTaker(), exitTrue;
    });
  }
  unsafeOffer(message) {
    return this.state._tag !== "Open" ? !1 : this.messages.length + this.messagesChunk.length >= this.capacity ? this.strategy === "sliding" ? (this.unsafeTake(), this.messages.push(message), !0) : this.capacity <= 0 && this.state.takers.size > 0 ? (this.messages.push(message), this.releaseTaker(), !0) : !1 : (this.messages.push(message), this.scheduleReleaseTaker(), !0);
  }
  offerAll(messages) {
    return suspend(() => {
      if (this.state._tag !== "Open")
        return succeed(fromIterable2(messages));
      let remaining = this.unsafeOfferAllArray(messages);
      return remaining.length === 0 ? exitEmpty : this.strategy === "dropping" ? succeed(unsafeFromArray(remaining)) : this.offerRemainingArray(remaining);
    });
  }
  unsafeOfferAll(messages) {
    return unsafeFromArray(this.unsafeOfferAllArray(messages));
  }
  unsafeOfferAllArray(messages) {
    if (this.state._tag !== "Open")
      return fromIterable(messages);
    if (this.capacity === Number.POSITIVE_INFINITY || this.strategy === "sliding")
      return this.messages.length > 0 && (this.messagesChunk = appendAll(this.messagesChunk, unsafeFromArray(this.messages))), this.strategy === "sliding" ? this.messagesChunk = this.messagesChunk.pipe(appendAll(fromIterable2(messages)), takeRight(this.capacity)) : isChunk(messages) ? this.messagesChunk = appendAll(this.messagesChunk, messages) : this.messages = fromIterable(messages), this.scheduleReleaseTaker(), [];
    let free = this.capacity <= 0 ? this.state.takers.size : this.capacity - this.messages.length - this.messagesChunk.length;
    if (free === 0)
      return fromIterable(messages);
    let remaining = [], i = 0;
    for (let message of messages)
      i < free ? this.messages.push(message) : remaining.push(message), i++;
    return this.scheduleReleaseTaker(), remaining;
  }
  fail(error) {
    return this.done(exitFail(error));
  }
  failCause(cause) {
    return this.done(exitFailCause(cause));
  }
  unsafeDone(exit2) {
    return this.state._tag !== "Open" ? !1 : this.state.offers.size === 0 && this.messages.length === 0 && this.messagesChunk.length === 0 ? (this.finalize(exit2), !0) : (this.state = {
      ...this.state,
      _tag: "Closing",
      exit: exit2
    }, !0);
  }
  shutdown = /* @__PURE__ */ sync(() => {
    if (this.state._tag === "Done")
      return !0;
    this.messages = [], this.messagesChunk = empty4;
    let offers = this.state.offers;
    if (this.finalize(this.state._tag === "Open" ? exitVoid : this.state.exit), offers.size > 0) {
      for (let entry of offers)
        entry._tag === "Single" ? entry.resume(exitFalse) : entry.resume(exitSucceed(unsafeFromArray(entry.remaining.slice(entry.offset))));
      offers.clear();
    }
    return !0;
  });
  done(exit2) {
    return sync(() => this.unsafeDone(exit2));
  }
  end = /* @__PURE__ */ this.done(exitVoid);
  clear = /* @__PURE__ */ suspend(() => {
    if (this.state._tag === "Done")
      return exitAs(this.state.exit, empty4);
    let messages = this.unsafeTakeAll();
    return this.releaseCapacity(), succeed(messages);
  });
  takeAll = /* @__PURE__ */ suspend(() => {
    if (this.state._tag === "Done")
      return exitAs(this.state.exit, constDone);
    let messages = this.unsafeTakeAll();
    return messages.length === 0 ? zipRight(this.awaitTake, this.takeAll) : succeed([messages, this.releaseCapacity()]);
  });
  takeN(n) {
    return suspend(() => {
      if (this.state._tag === "Done")
        return exitAs(this.state.exit, constDone);
      if (n <= 0)
        return succeed([empty4, !1]);
      if (this.capacity <= 0 && this.messages.length === 0 && this.messagesChunk.length === 0 && this.state.offers.size > 0) {
        this.capacity = 1, this.releaseCapacity(), this.capacity = 0;
        let messages2 = of(this.messages.pop());
        return succeed([messages2, this.releaseCapacity()]);
      }
      n = Math.min(n, this.capacity || 1);
      let messages;
      if (n <= this.messagesChunk.length)
        messages = take(this.messagesChunk, n), this.messagesChunk = drop(this.messagesChunk, n);
      else if (n <= this.messages.length + this.messagesChunk.length)
        this.messagesChunk = appendAll(this.messagesChunk, unsafeFromArray(this.messages)), this.messages = [], messages = take(this.messagesChunk, n), this.messagesChunk = drop(this.messagesChunk, n);
      else
        return zipRight(this.awaitTake, this.takeN(n));
      return succeed([messages, this.releaseCapacity()]);
    });
  }
  unsafeTake() {
    if (this.state._tag === "Done")
      return exitZipRight(this.state.exit, exitFail(new NoSuchElementException()));
    let message;
    if (this.messagesChunk.length > 0)
      message = unsafeHead(this.messagesChunk), this.messagesChunk = drop(this.messagesChunk, 1);
    else if (this.messages.length > 0)
      message = this.messages[0], this.messagesChunk = drop(unsafeFromArray(this.messages), 1), this.messages = [];
    else if (this.capacity <= 0 && this.state.offers.size > 0) {
      this.capacity = 1, this.releaseCapacity(), this.capacity = 0;
      let message2 = this.messages.pop();
      return this.releaseCapacity(), exitSucceed(message2);
    } else
      return;
    return this.releaseCapacity(), exitSucceed(message);
  }
  take = /* @__PURE__ */ suspend(() => this.unsafeTake() ?? zipRight(this.awaitTake, this.take));
  await = /* @__PURE__ */ asyncInterrupt((resume) => this.state._tag === "Done" ? resume(this.state.exit) : (this.state.awaiters.add(resume), sync(() => {
    this.state._tag !== "Done" && this.state.awaiters.delete(resume);
  })));
  unsafeSize() {
    let size4 = this.messages.length + this.messagesChunk.length;
    return this.state._tag === "Done" ? none() : some(size4);
  }
  size = /* @__PURE__ */ sync(() => this.unsafeSize());
  commit() {
    return this.takeAll;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  toJSON() {
    return {
      _id: "effect/Mailbox",
      state: this.state._tag,
      size: this.unsafeSize().toJSON()
    };
  }
  toString() {
    return format(this);
  }
  [NodeInspectSymbol]() {
    return format(this);
  }
  offerRemainingSingle(message) {
    return asyncInterrupt((resume) => {
      if (this.state._tag !== "Open")
        return resume(exitFalse);
      let entry = {
        _tag: "Single",
        message,
        resume
      };
      return this.state.offers.add(entry), sync(() => {
        this.state._tag === "Open" && this.state.offers.delete(entry);
      });
    });
  }
  offerRemainingArray(remaining) {
    return asyncInterrupt((resume) => {
      if (this.state._tag !== "Open")
        return resume(exitSucceed(unsafeFromArray(remaining)));
      let entry = {
        _tag: "Array",
        remaining,
        offset: 0,
        resume
      };
      return this.state.offers.add(entry), sync(() => {
        this.state._tag === "Open" && this.state.offers.delete(entry);
      });
    });
  }
  releaseCapacity() {
    if (this.state._tag === "Done")
      return this.state.exit._tag === "Success";
    if (this.state.offers.size === 0)
      return this.state._tag === "Closing" && this.messages.length === 0 && this.messagesChunk.length === 0 ? (this.finalize(this.state.exit), this.state.exit._tag === "Success") : !1;
    let n = this.capacity - this.messages.length - this.messagesChunk.length;
    for (let entry of this.state.offers) {
      if (n === 0) return !1;
      if (entry._tag === "Single")
        this.messages.push(entry.message), n--, entry.resume(exitTrue), this.state.offers.delete(entry);
      else {
        for (; entry.offset < entry.remaining.length; entry.offset++) {
          if (n === 0) return !1;
          this.messages.push(entry.remaining[entry.offset]), n--;
        }
        entry.resume(exitEmpty), this.state.offers.delete(entry);
      }
    }
    return !1;
  }
  awaitTake = /* @__PURE__ */ asyncInterrupt((resume) => this.state._tag === "Done" ? resume(this.state.exit) : (this.state.takers.add(resume), sync(() => {
    this.state._tag !== "Done" && this.state.takers.delete(resume);
  })));
  scheduleRunning = !1;
  scheduleReleaseTaker() {
    this.scheduleRunning || (this.scheduleRunning = !0, this.scheduler.scheduleTask(this.releaseTaker, 0));
  }
  releaseTaker = () => {
    if (this.scheduleRunning = !1, this.state._tag !== "Done" && this.state.takers.size !== 0) {
      for (let taker of this.state.takers)
        if (this.state.takers.delete(taker), taker(exitVoid), this.messages.length + this.messagesChunk.length === 0)
          break;
    }
  };
  unsafeTakeAll() {
    if (this.messagesChunk.length > 0) {
      let messages = this.messages.length > 0 ? appendAll(this.messagesChunk, unsafeFromArray(this.messages)) : this.messagesChunk;
      return this.messagesChunk = empty4, this.messages = [], messages;
    } else if (this.messages.length > 0) {
      let messages = unsafeFromArray(this.messages);
      return this.messages = [], messages;
    } else if (this.state._tag !== "Done" && this.state.offers.size > 0)
      return this.capacity = 1, this.releaseCapacity(), this.capacity = 0, of(this.messages.pop());
    return empty4;
  }
  finalize(exit2) {
    if (this.state._tag === "Done")
      return;
    let openState = this.state;
    this.state = {
      _tag: "Done",
      exit: exit2
    };
    for (let taker of openState.takers)
      taker(exit2);
    openState.takers.clear();
    for (let awaiter of openState.awaiters)
      awaiter(exit2);
    openState.awaiters.clear();
  }
}, make14 = (capacity4) => withFiberRuntime((fiber) => succeed(new MailboxImpl(fiber.currentScheduler, typeof capacity4 == "number" ? capacity4 : capacity4?.capacity ?? Number.POSITIVE_INFINITY, typeof capacity4 == "number" ? "suspend" : capacity4?.strategy ?? "suspend")));
var toChannel2 = (self) => {
  let loop = flatMap4(self.takeAll, ([messages, done3]) => done3 ? messages.length === 0 ? void_3 : write(messages) : zipRight4(write(messages), loop));
  return loop;
};

// node_modules/effect/dist/esm/internal/stream/emit.js
var make15 = (emit) => Object.assign(emit, {
  chunk(as7) {
    return this(succeed3(as7));
  },
  die(defect) {
    return this(die3(defect));
  },
  dieMessage(message) {
    return this(dieMessage(message));
  },
  done(exit2) {
    return this(suspend2(() => mapBoth(exit2, {
      onFailure: some,
      onSuccess: of
    })));
  },
  end() {
    return this(fail3(none()));
  },
  fail(e) {
    return this(fail3(some(e)));
  },
  fromEffect(effect2) {
    return this(mapBoth2(effect2, {
      onFailure: some,
      onSuccess: of
    }));
  },
  fromEffectChunk(effect2) {
    return this(pipe(effect2, mapError(some)));
  },
  halt(cause) {
    return this(failCause2(pipe(cause, map6(some))));
  },
  single(value2) {
    return this(succeed3(of(value2)));
  }
}), makePush = (mailbox) => {
  let finished = !1;
  function array(items) {
    return finished ? !1 : isEmpty(mailbox.unsafeOfferAll(items));
  }
  function done3(exit2) {
    finished || (finished = !0, exit2._tag === "Success" && mailbox.unsafeOffer(exit2.value), mailbox.unsafeDone(exit2._tag === "Success" ? void_2 : exit2));
  }
  return {
    single(value2) {
      return finished ? !1 : mailbox.unsafeOffer(value2);
    },
    array,
    chunk(chunk2) {
      return array(toReadonlyArray(chunk2));
    },
    done: done3,
    end() {
      finished || (finished = !0, mailbox.unsafeDone(void_2));
    },
    halt(cause) {
      return done3(failCause(cause));
    },
    fail(error) {
      return done3(fail(error));
    },
    die(defect) {
      return done3(die(defect));
    },
    dieMessage(message) {
      return done3(die(new Error(message)));
    }
  };
};

// node_modules/effect/dist/esm/internal/take.js
var TakeSymbolKey = "effect/Take", TakeTypeId = /* @__PURE__ */ Symbol.for(TakeSymbolKey), takeVariance = {
  /* c8 ignore next */
  _A: (_) => _,
  /* c8 ignore next */
  _E: (_) => _
}, TakeImpl = class {
  exit;
  [TakeTypeId] = takeVariance;
  constructor(exit2) {
    this.exit = exit2;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, chunk = (chunk2) => new TakeImpl(succeed2(chunk2));
var done2 = (self) => suspend2(() => self.exit), end = /* @__PURE__ */ new TakeImpl(/* @__PURE__ */ fail(/* @__PURE__ */ none()));
var failCause5 = (cause) => new TakeImpl(failCause(pipe(cause, map6(some))));
var fromPull = (pull) => matchCause(pull, {
  onFailure: (cause) => match2(flipCauseOption(cause), {
    onNone: () => end,
    onSome: failCause5
  }),
  onSuccess: chunk
});
var match8 = /* @__PURE__ */ dual(2, (self, {
  onEnd: onEnd3,
  onFailure,
  onSuccess
}) => match3(self.exit, {
  onFailure: (cause) => match2(flipCauseOption(cause), {
    onNone: onEnd3,
    onSome: onFailure
  }),
  onSuccess
}));
var of2 = (value2) => new TakeImpl(succeed2(of(value2)));

// node_modules/effect/dist/esm/internal/stream/pull.js
var end2 = () => fail3(none());
var failCause6 = (cause) => mapError(failCause2(cause), some);

// node_modules/effect/dist/esm/internal/stream.js
var StreamSymbolKey = "effect/Stream", StreamTypeId = /* @__PURE__ */ Symbol.for(StreamSymbolKey), streamVariance = {
  _R: (_) => _,
  _E: (_) => _,
  _A: (_) => _
}, StreamImpl = class {
  channel;
  [StreamTypeId] = streamVariance;
  constructor(channel) {
    this.channel = channel;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, isStream = (u) => hasProperty(u, StreamTypeId) || isEffect(u), DefaultChunkSize = 4096;
var queueFromBufferOptions = (bufferSize) => {
  if (bufferSize === "unbounded")
    return unbounded3();
  if (typeof bufferSize == "number" || bufferSize === void 0)
    return bounded3(bufferSize ?? 16);
  switch (bufferSize.strategy) {
    case "dropping":
      return dropping2(bufferSize.bufferSize ?? 16);
    case "sliding":
      return sliding2(bufferSize.bufferSize ?? 16);
    default:
      return bounded3(bufferSize.bufferSize ?? 16);
  }
};
var mailboxFromBufferOptionsPush = (options) => options?.bufferSize === "unbounded" || options?.bufferSize === void 0 && options?.strategy === void 0 ? make14() : make14({
  capacity: options?.bufferSize ?? 16,
  strategy: options?.strategy ?? "dropping"
}), asyncPush = (register, options) => acquireRelease(mailboxFromBufferOptionsPush(options), (mailbox) => mailbox.shutdown).pipe(tap2((mailbox) => register(makePush(mailbox))), map7(mailboxToStream), unwrapScoped3), asyncScoped = (register, bufferSize) => pipe(acquireRelease(queueFromBufferOptions(bufferSize), (queue) => shutdown2(queue)), flatMap3((output) => pipe(runtime(), flatMap3((runtime2) => pipe(register(make15((k) => pipe(fromPull(k), flatMap3((take7) => offer3(output, take7)), asVoid2, runPromiseExit(runtime2)).then((exit2) => {
  if (isFailure(exit2) && !isInterrupted(exit2.cause))
    throw squash(exit2.cause);
}))), zipRight3(make3(!1)), flatMap3((ref) => pipe(get3(ref), map7((isDone2) => isDone2 ? end2() : pipe(take3(output), flatMap3(done2), onError(() => pipe(set2(ref, !0), zipRight3(shutdown2(output)))))))))))), scoped3, flatMap5(repeatEffectChunkOption));
var bufferChunks = /* @__PURE__ */ dual(2, (self, options) => {
  if (options.strategy === "dropping")
    return bufferChunksDropping(self, options.capacity);
  if (options.strategy === "sliding")
    return bufferChunksSliding(self, options.capacity);
  let queue = toQueue(self, options);
  return new StreamImpl(unwrapScoped(map7(queue, (queue2) => {
    let process = pipe(fromEffect(take3(queue2)), flatMap4(match8({
      onEnd: () => void_3,
      onFailure: failCause4,
      onSuccess: (value2) => pipe(write(value2), flatMap4(() => process))
    })));
    return process;
  })));
}), bufferChunksDropping = /* @__PURE__ */ dual(2, (self, capacity4) => {
  let queue = acquireRelease(dropping2(capacity4), (queue2) => shutdown2(queue2));
  return new StreamImpl(bufferSignal(queue, toChannel3(self)));
}), bufferChunksSliding = /* @__PURE__ */ dual(2, (self, capacity4) => {
  let queue = acquireRelease(sliding2(capacity4), (queue2) => shutdown2(queue2));
  return new StreamImpl(bufferSignal(queue, toChannel3(self)));
});
var bufferSignal = (scoped4, bufferChannel) => {
  let producer = (queue, ref) => {
    let terminate = (take7) => pipe(get3(ref), tap2(_await2), zipRight3(make7()), flatMap3((deferred) => pipe(offer3(queue, [take7, deferred]), zipRight3(set2(ref, deferred)), zipRight3(_await2(deferred)))), asVoid2, fromEffect);
    return readWithCause({
      onInput: (input) => pipe(make7(), flatMap3((deferred) => pipe(offer3(queue, [chunk(input), deferred]), flatMap3((added) => pipe(set2(ref, deferred), when(() => added))))), asVoid2, fromEffect, flatMap4(() => producer(queue, ref))),
      onFailure: (error) => terminate(failCause5(error)),
      onDone: () => terminate(end)
    });
  }, consumer = (queue) => {
    let process = pipe(fromEffect(take3(queue)), flatMap4(([take7, deferred]) => zipRight4(fromEffect(succeed4(deferred, void 0)), match8(take7, {
      onEnd: () => void_3,
      onFailure: failCause4,
      onSuccess: (value2) => pipe(write(value2), flatMap4(() => process))
    }))));
    return process;
  };
  return unwrapScoped(pipe(scoped4, flatMap3((queue) => pipe(make7(), tap2((start) => succeed4(start, void 0)), flatMap3((start) => pipe(make3(start), flatMap3((ref) => pipe(bufferChannel, pipeTo(producer(queue, ref)), runScoped, forkScoped)), as2(consumer(queue))))))));
}, catchAll4 = /* @__PURE__ */ dual(2, (self, f) => catchAllCause3(self, (cause) => match(failureOrCause(cause), {
  onLeft: f,
  onRight: failCause7
}))), catchAllCause3 = /* @__PURE__ */ dual(2, (self, f) => new StreamImpl(pipe(toChannel3(self), catchAllCause2((cause) => toChannel3(f(cause))))));
var chunks = (self) => pipe(self, mapChunks(of));
var concat = /* @__PURE__ */ dual(2, (self, that) => new StreamImpl(pipe(toChannel3(self), zipRight4(toChannel3(that)))));
var die4 = (defect) => fromEffect4(die3(defect));
var drain3 = (self) => new StreamImpl(drain(toChannel3(self)));
var drop2 = /* @__PURE__ */ dual(2, (self, n) => {
  let loop = (r) => readWith({
    onInput: (input) => {
      let dropped = pipe(input, drop(r)), leftover2 = Math.max(0, r - input.length);
      return isEmpty(input) || leftover2 > 0 ? loop(leftover2) : pipe(write(dropped), zipRight4(identityChannel()));
    },
    onFailure: fail5,
    onDone: () => void_3
  });
  return new StreamImpl(pipe(toChannel3(self), pipeToOrFail(loop(n))));
});
var empty5 = /* @__PURE__ */ new StreamImpl(void_3), ensuring5 = /* @__PURE__ */ dual(2, (self, finalizer2) => new StreamImpl(pipe(toChannel3(self), ensuring3(finalizer2))));
var context2 = () => fromEffect4(context());
var contextWithStream = (f) => pipe(context2(), flatMap5(f));
var fail7 = (error) => fromEffectOption(fail3(some(error)));
var failCause7 = (cause) => fromEffect4(failCause2(cause));
var filter3 = /* @__PURE__ */ dual(2, (self, predicate) => mapChunks(self, filter(predicate)));
var filterMap2 = /* @__PURE__ */ dual(2, (self, pf) => mapChunks(self, filterMap(pf)));
var flatMap5 = /* @__PURE__ */ dual((args) => isStream(args[0]), (self, f, options) => {
  let bufferSize = options?.bufferSize ?? 16;
  return options?.switch ? matchConcurrency(options?.concurrency, () => flatMapParSwitchBuffer(self, 1, bufferSize, f), (n) => flatMapParSwitchBuffer(self, n, bufferSize, f)) : matchConcurrency(options?.concurrency, () => new StreamImpl(concatMap(toChannel3(self), (as7) => pipe(as7, map3((a) => toChannel3(f(a))), reduce(void_3, (left2, right2) => pipe(left2, zipRight4(right2)))))), (_) => new StreamImpl(pipe(toChannel3(self), concatMap(writeChunk), mergeMap((out) => toChannel3(f(out)), options))));
}), matchConcurrency = (concurrency, sequential2, bounded4) => {
  switch (concurrency) {
    case void 0:
      return sequential2();
    case "unbounded":
      return bounded4(Number.MAX_SAFE_INTEGER);
    default:
      return concurrency > 1 ? bounded4(concurrency) : sequential2();
  }
}, flatMapParSwitchBuffer = /* @__PURE__ */ dual(4, (self, n, bufferSize, f) => new StreamImpl(pipe(toChannel3(self), concatMap(writeChunk), mergeMap((out) => toChannel3(f(out)), {
  concurrency: n,
  mergeStrategy: BufferSliding(),
  bufferSize
})))), flatten4 = /* @__PURE__ */ dual((args) => isStream(args[0]), (self, options) => flatMap5(self, identity, options)), flattenChunks = (self) => {
  let flatten5 = readWithCause({
    onInput: (chunks3) => flatMap4(writeChunk(chunks3), () => flatten5),
    onFailure: failCause4,
    onDone: () => void_3
  });
  return new StreamImpl(pipe(toChannel3(self), pipeTo(flatten5)));
};
var flattenExitOption = (self) => {
  let processChunk = (chunk2, cont) => {
    let [toEmit, rest] = pipe(chunk2, splitWhere((exit2) => !isSuccess(exit2))), next = pipe(head(rest), match2({
      onNone: () => cont,
      onSome: match3({
        onFailure: (cause) => match2(flipCauseOption(cause), {
          onNone: () => void_3,
          onSome: failCause4
        }),
        onSuccess: () => void_3
      })
    }));
    return pipe(write(pipe(toEmit, filterMap((exit2) => isSuccess(exit2) ? some(exit2.value) : none()))), flatMap4(() => next));
  }, process = readWithCause({
    onInput: (chunk2) => processChunk(chunk2, process),
    onFailure: (cause) => failCause4(cause),
    onDone: () => void_3
  });
  return new StreamImpl(pipe(toChannel3(self), pipeTo(process)));
}, flattenIterables = (self) => pipe(self, map10(fromIterable2), flattenChunks), flattenTake = (self) => flattenChunks(flattenExitOption(pipe(self, map10((take7) => take7.exit))));
var fromAsyncIterable = (iterable, onError3) => pipe(acquireRelease(sync2(() => iterable[Symbol.asyncIterator]()), (iterator) => iterator.return ? promise(async () => iterator.return()) : _void), map7((iterator) => repeatEffectOption(pipe(tryPromise({
  try: async () => iterator.next(),
  catch: (reason) => some(onError3(reason))
}), flatMap3((result) => result.done ? fail3(none()) : succeed3(result.value))))), unwrapScoped3), fromChannel2 = (channel) => new StreamImpl(channel), toChannel3 = (stream2) => {
  if ("channel" in stream2)
    return stream2.channel;
  if (isEffect(stream2))
    return toChannel3(fromEffect4(stream2));
  throw new TypeError("Expected a Stream.");
}, mailboxToStream = (self) => fromChannel2(toChannel2(self));
var fromChunk = (chunk2) => new StreamImpl(isEmpty(chunk2) ? void_3 : write(chunk2));
var fromEffect4 = (effect2) => pipe(effect2, mapError(some), fromEffectOption), fromEffectOption = (effect2) => new StreamImpl(unwrap(match4(effect2, {
  onFailure: match2({
    onNone: () => void_3,
    onSome: fail5
  }),
  onSuccess: (a) => write(of(a))
})));
var fromIterable3 = (iterable) => suspend5(() => isChunk(iterable) ? fromChunk(iterable) : fromIteratorSucceed(iterable[Symbol.iterator]())), fromIterableEffect = (effect2) => pipe(effect2, map7(fromIterable3), unwrap2), fromIteratorSucceed = (iterator, maxChunkSize = DefaultChunkSize) => pipe(sync2(() => {
  let builder = [], loop = (iterator2) => pipe(sync2(() => {
    let next = iterator2.next();
    if (maxChunkSize === 1)
      return next.done ? void_3 : pipe(write(of(next.value)), flatMap4(() => loop(iterator2)));
    builder = [];
    let count3 = 0;
    for (; next.done === !1 && (builder.push(next.value), count3 = count3 + 1, !(count3 >= maxChunkSize)); )
      next = iterator2.next();
    return count3 > 0 ? pipe(write(unsafeFromArray(builder)), flatMap4(() => loop(iterator2))) : void_3;
  }), unwrap);
  return new StreamImpl(loop(iterator));
}), unwrap2);
var fromQueue2 = (queue, options) => pipe(takeBetween2(queue, 1, options?.maxChunkSize ?? DefaultChunkSize), catchAllCause((cause) => pipe(isShutdown2(queue), flatMap3((isShutdown3) => isShutdown3 && isInterrupted(cause) ? end2() : failCause6(cause)))), repeatEffectChunkOption, options?.shutdown ? ensuring5(shutdown2(queue)) : identity);
var fromReadableStream = (...args) => {
  let evaluate2 = args.length === 1 ? args[0].evaluate : args[0], onError3 = args.length === 1 ? args[0].onError : args[1], releaseLockOnEnd = args.length === 1 ? args[0].releaseLockOnEnd === !0 : !1;
  return unwrapScoped3(map7(acquireRelease(sync2(() => evaluate2().getReader()), (reader) => releaseLockOnEnd ? sync2(() => reader.releaseLock()) : promise(() => reader.cancel())), (reader) => repeatEffectOption(flatMap3(tryPromise({
    try: () => reader.read(),
    catch: (reason) => some(onError3(reason))
  }), ({
    done: done3,
    value: value2
  }) => done3 ? fail3(none()) : succeed3(value2)))));
};
var grouped = /* @__PURE__ */ dual(2, (self, chunkSize) => pipe(self, rechunk(chunkSize), chunks));
var interruptWhen2 = /* @__PURE__ */ dual(2, (self, effect2) => new StreamImpl(pipe(toChannel3(self), interruptWhen(effect2))));
var make16 = (...as7) => fromIterable3(as7), map10 = /* @__PURE__ */ dual(2, (self, f) => new StreamImpl(pipe(toChannel3(self), mapOut(map3(f))))), mapAccum2 = /* @__PURE__ */ dual(3, (self, s, f) => {
  let accumulator = (s2) => readWith({
    onInput: (input) => {
      let [nextS, chunk2] = mapAccum(input, s2, f);
      return flatMap4(write(chunk2), () => accumulator(nextS));
    },
    onFailure: fail5,
    onDone: () => void_3
  });
  return new StreamImpl(pipe(toChannel3(self), pipeTo(accumulator(s))));
});
var mapChunks = /* @__PURE__ */ dual(2, (self, f) => new StreamImpl(pipe(toChannel3(self), mapOut(f))));
var mapConcatChunk = /* @__PURE__ */ dual(2, (self, f) => pipe(self, mapChunks(flatMap(f))));
var mapConcatEffect = /* @__PURE__ */ dual(2, (self, f) => pipe(self, mapEffectSequential((a) => pipe(f(a), map7(fromIterable2))), mapConcatChunk(identity))), mapEffectSequential = /* @__PURE__ */ dual(2, (self, f) => {
  let loop = (iterator) => {
    let next = iterator.next();
    if (next.done)
      return readWithCause({
        onInput: (elem) => loop(elem[Symbol.iterator]()),
        onFailure: failCause4,
        onDone: succeed5
      });
    {
      let value2 = next.value;
      return unwrap(map7(f(value2), (a2) => flatMap4(write(of(a2)), () => loop(iterator))));
    }
  };
  return new StreamImpl(pipe(toChannel3(self), pipeTo(suspend3(() => loop(empty2()[Symbol.iterator]())))));
}), mapEffectPar = /* @__PURE__ */ dual(3, (self, n, f) => new StreamImpl(pipe(toChannel3(self), concatMap(writeChunk), mapOutEffectPar(f, n), mapOut(of)))), mapError3 = /* @__PURE__ */ dual(2, (self, f) => new StreamImpl(pipe(toChannel3(self), mapError2(f))));
var merge2 = /* @__PURE__ */ dual((args) => isStream(args[1]), (self, that, options) => mergeWith2(self, that, {
  onSelf: identity,
  onOther: identity,
  haltStrategy: options?.haltStrategy
}));
var mergeWith2 = /* @__PURE__ */ dual(3, (self, other, options) => {
  let strategy = options.haltStrategy ? fromInput2(options.haltStrategy) : Both2, handler = (terminate) => (exit2) => terminate || !isSuccess(exit2) ? (
    // TODO: remove
    Done3(suspend2(() => exit2))
  ) : Await2((exit3) => suspend2(() => exit3));
  return new StreamImpl(mergeWith(toChannel3(map10(self, options.onSelf)), {
    other: toChannel3(map10(other, options.onOther)),
    onSelfDone: handler(strategy._tag === "Either" || strategy._tag === "Left"),
    onOtherDone: handler(strategy._tag === "Either" || strategy._tag === "Right")
  }));
});
var onEnd = /* @__PURE__ */ dual(2, (self, effect2) => concat(self, drain3(fromEffect4(effect2))));
var orDie2 = (self) => pipe(self, orDieWith2(identity)), orDieWith2 = /* @__PURE__ */ dual(2, (self, f) => new StreamImpl(pipe(toChannel3(self), orDieWith(f))));
var paginateChunkEffect = (s, f) => {
  let loop = (s2) => unwrap(map7(f(s2), ([chunk2, option]) => match2(option, {
    onNone: () => zipRight4(write(chunk2), void_3),
    onSome: (s3) => flatMap4(write(chunk2), () => loop(s3))
  })));
  return new StreamImpl(suspend3(() => loop(s)));
}, paginateEffect = (s, f) => paginateChunkEffect(s, (s2) => pipe(f(s2), map7(([a, s3]) => [of(a), s3])));
var pipeThroughChannel = /* @__PURE__ */ dual(2, (self, channel) => new StreamImpl(pipeTo(toChannel3(self), channel))), pipeThroughChannelOrFail = /* @__PURE__ */ dual(2, (self, chan) => new StreamImpl(pipe(toChannel3(self), pipeToOrFail(chan))));
var provideContext3 = /* @__PURE__ */ dual(2, (self, context5) => new StreamImpl(pipe(toChannel3(self), provideContext(context5)))), provideSomeContext = /* @__PURE__ */ dual(2, (self, context5) => mapInputContext2(self, merge(context5)));
var mapInputContext2 = /* @__PURE__ */ dual(2, (self, f) => contextWithStream((env) => pipe(self, provideContext3(f(env)))));
var range2 = (min, max, chunkSize = DefaultChunkSize) => suspend5(() => {
  if (min > max)
    return empty5;
  let go = (min2, max2, chunkSize2) => {
    let remaining = max2 - min2 + 1;
    return remaining > chunkSize2 ? pipe(write(range(min2, min2 + chunkSize2 - 1)), flatMap4(() => go(min2 + chunkSize2, max2, chunkSize2))) : write(range(min2, min2 + remaining - 1));
  };
  return new StreamImpl(go(min, max, chunkSize));
});
var rechunk = /* @__PURE__ */ dual(2, (self, n) => suspend5(() => {
  let target = Math.max(n, 1), process = rechunkProcess(new StreamRechunker(target), target);
  return new StreamImpl(pipe(toChannel3(self), pipeTo(process)));
})), rechunkProcess = (rechunker, target) => readWithCause({
  onInput: (chunk2) => {
    if (chunk2.length === target && rechunker.isEmpty())
      return flatMap4(write(chunk2), () => rechunkProcess(rechunker, target));
    if (chunk2.length > 0) {
      let chunks3 = [], result, index = 0;
      for (; index < chunk2.length; ) {
        for (; index < chunk2.length && result === void 0; )
          result = rechunker.write(pipe(chunk2, unsafeGet(index))), index = index + 1;
        result !== void 0 && (chunks3.push(result), result = void 0);
      }
      return flatMap4(writeAll(...chunks3), () => rechunkProcess(rechunker, target));
    }
    return suspend3(() => rechunkProcess(rechunker, target));
  },
  onFailure: (cause) => zipRight4(rechunker.emitIfNotEmpty(), failCause4(cause)),
  onDone: () => rechunker.emitIfNotEmpty()
}), StreamRechunker = class {
  n;
  builder = [];
  pos = 0;
  constructor(n) {
    this.n = n;
  }
  isEmpty() {
    return this.pos === 0;
  }
  write(elem) {
    if (this.builder.push(elem), this.pos += 1, this.pos === this.n) {
      let result = unsafeFromArray(this.builder);
      return this.builder = [], this.pos = 0, result;
    }
  }
  emitIfNotEmpty() {
    return this.pos !== 0 ? write(unsafeFromArray(this.builder)) : void_3;
  }
};
var repeatEffectChunkOption = (effect2) => unfoldChunkEffect(effect2, (effect3) => pipe(map7(effect3, (chunk2) => some([chunk2, effect3])), catchAll2(match2({
  onNone: () => succeed3(none()),
  onSome: fail3
})))), repeatEffectOption = (effect2) => repeatEffectChunkOption(pipe(effect2, map7(of)));
var repeatValue = (value2) => new StreamImpl(repeated(write(of(value2))));
var run3 = /* @__PURE__ */ dual(2, (self, sink) => toChannel3(self).pipe(pipeToOrFail(toChannel(sink)), runDrain)), runCollect = (self) => run3(self, collectAll());
var runDrain2 = (self) => run3(self, drain2), runFold = /* @__PURE__ */ dual(3, (self, s, f) => runFoldWhile(self, s, constTrue, f)), runFoldEffect = /* @__PURE__ */ dual(3, (self, s, f) => runFoldWhileEffect(self, s, constTrue, f));
var runFoldWhile = /* @__PURE__ */ dual(4, (self, s, cont, f) => run3(self, fold(s, cont, f))), runFoldWhileEffect = /* @__PURE__ */ dual(4, (self, s, cont, f) => run3(self, foldEffect(s, cont, f)));
var runForEach = /* @__PURE__ */ dual(2, (self, f) => run3(self, forEach2(f))), runForEachChunk = /* @__PURE__ */ dual(2, (self, f) => run3(self, forEachChunk(f)));
var runHead = (self) => run3(self, head2());
var runIntoQueueScoped = /* @__PURE__ */ dual(2, (self, queue) => {
  let writer = readWithCause({
    onInput: (input) => flatMap4(write(chunk(input)), () => writer),
    onFailure: (cause) => write(failCause5(cause)),
    onDone: () => write(end)
  });
  return pipe(pipeTo(toChannel3(self), writer), mapOutEffect((take7) => offer3(queue, take7)), drain, runScoped, asVoid2);
});
var schedule = /* @__PURE__ */ dual(2, (self, schedule3) => filterMap2(scheduleWith(self, schedule3, {
  onElement: some,
  onSchedule: none
}), identity)), scheduleWith = /* @__PURE__ */ dual(3, (self, schedule3, options) => {
  let loop = (driver3, iterator) => {
    let next = iterator.next();
    return next.done ? readWithCause({
      onInput: (chunk2) => loop(driver3, chunk2[Symbol.iterator]()),
      onFailure: failCause4,
      onDone: succeedNow
    }) : unwrap(matchEffect(driver3.next(next.value), {
      onFailure: () => pipe(driver3.last, orDie, map7((b) => pipe(write(make(options.onElement(next.value), options.onSchedule(b))), flatMap4(() => loop(driver3, iterator)))), zipLeft(driver3.reset)),
      onSuccess: () => succeed3(pipe(write(of(options.onElement(next.value))), flatMap4(() => loop(driver3, iterator))))
    }));
  };
  return new StreamImpl(pipe(fromEffect(driver2(schedule3)), flatMap4((driver3) => pipe(toChannel3(self), pipeTo(loop(driver3, empty2()[Symbol.iterator]()))))));
});
var scoped3 = (effect2) => new StreamImpl(ensuring3(scoped2(pipe(effect2, map7(of))), _void)), scopedWith3 = (f) => new StreamImpl(scopedWith2((scope2) => f(scope2).pipe(map7(of))));
var splitLines2 = (self) => pipeThroughChannel(self, splitLines());
var suspend5 = (stream2) => new StreamImpl(suspend3(() => toChannel3(stream2()))), take4 = /* @__PURE__ */ dual(2, (self, n) => {
  if (!Number.isInteger(n))
    return die4(new IllegalArgumentException(`${n} must be an integer`));
  let loop = (n2) => readWith({
    onInput: (input) => {
      let taken = pipe(input, take(Math.min(n2, Number.POSITIVE_INFINITY))), leftover2 = Math.max(0, n2 - taken.length);
      return leftover2 > 0 ? pipe(write(taken), flatMap4(() => loop(leftover2))) : write(taken);
    },
    onFailure: fail5,
    onDone: succeed5
  });
  return new StreamImpl(pipe(toChannel3(self), pipeToOrFail(0 < n ? loop(n) : void_3)));
});
var takeUntil = /* @__PURE__ */ dual(2, (self, predicate) => {
  let loop = readWith({
    onInput: (input) => {
      let taken = pipe(input, takeWhile((a) => !predicate(a))), last3 = pipe(input, drop(taken.length), take(1));
      return isEmpty(last3) ? pipe(write(taken), flatMap4(() => loop)) : write(pipe(taken, appendAll(last3)));
    },
    onFailure: fail5,
    onDone: succeed5
  });
  return new StreamImpl(pipe(toChannel3(self), pipeToOrFail(loop)));
});
var takeWhile3 = /* @__PURE__ */ dual(2, (self, predicate) => {
  let loop = readWith({
    onInput: (input) => {
      let taken = pipe(input, takeWhile(predicate));
      return taken.length === input.length ? pipe(write(taken), flatMap4(() => loop)) : write(taken);
    },
    onFailure: fail5,
    onDone: succeed5
  });
  return new StreamImpl(pipe(toChannel3(self), pipeToOrFail(loop)));
}), tap3 = /* @__PURE__ */ dual(2, (self, f) => mapEffectSequential(self, (a) => as2(f(a), a)));
var toQueue = /* @__PURE__ */ dual((args) => isStream(args[0]), (self, options) => tap2(acquireRelease(options?.strategy === "unbounded" ? unbounded3() : options?.strategy === "dropping" ? dropping2(options.capacity ?? 2) : options?.strategy === "sliding" ? sliding2(options.capacity ?? 2) : bounded3(options?.capacity ?? 2), (queue) => shutdown2(queue)), (queue) => forkScoped(runIntoQueueScoped(self, queue))));
var transduce = /* @__PURE__ */ dual(2, (self, sink) => {
  let newChannel = suspend3(() => {
    let leftovers = {
      ref: empty2()
    }, upstreamDone = {
      ref: !1
    }, buffer3 = suspend3(() => {
      let leftover2 = leftovers.ref;
      return isEmpty(leftover2) ? readWith({
        onInput: (input) => pipe(write(input), flatMap4(() => buffer3)),
        onFailure: fail5,
        onDone: succeedNow
      }) : (leftovers.ref = empty2(), pipe(writeChunk(leftover2), flatMap4(() => buffer3)));
    }), concatAndGet = (chunk2) => {
      let leftover2 = leftovers.ref, concatenated = appendAll(leftover2, filter(chunk2, (chunk3) => chunk3.length !== 0));
      return leftovers.ref = concatenated, concatenated;
    }, upstreamMarker = readWith({
      onInput: (input) => flatMap4(write(input), () => upstreamMarker),
      onFailure: fail5,
      onDone: (done3) => zipRight4(sync3(() => {
        upstreamDone.ref = !0;
      }), succeedNow(done3))
    }), transducer = pipe(sink, toChannel, collectElements, flatMap4(([leftover2, z]) => pipe(succeed5([upstreamDone.ref, concatAndGet(leftover2)]), flatMap4(([done3, newLeftovers]) => {
      let nextChannel = done3 && isEmpty(newLeftovers) ? void_3 : transducer;
      return pipe(write(of(z)), flatMap4(() => nextChannel));
    }))));
    return pipe(toChannel3(self), pipeTo(upstreamMarker), pipeTo(buffer3), pipeToOrFail(transducer));
  });
  return new StreamImpl(newChannel);
});
var unfold2 = (s, f) => unfoldChunk(s, (s2) => pipe(f(s2), map2(([a, s3]) => [of(a), s3]))), unfoldChunk = (s, f) => {
  let loop = (s2) => match2(f(s2), {
    onNone: () => void_3,
    onSome: ([chunk2, s3]) => flatMap4(write(chunk2), () => loop(s3))
  });
  return new StreamImpl(suspend3(() => loop(s)));
}, unfoldChunkEffect = (s, f) => suspend5(() => {
  let loop = (s2) => unwrap(map7(f(s2), match2({
    onNone: () => void_3,
    onSome: ([chunk2, s3]) => flatMap4(write(chunk2), () => loop(s3))
  })));
  return new StreamImpl(loop(s));
}), unfoldEffect = (s, f) => unfoldChunkEffect(s, (s2) => pipe(f(s2), map7(map2(([a, s3]) => [of(a), s3]))));
var unwrap2 = (effect2) => flatten4(fromEffect4(effect2)), unwrapScoped3 = (effect2) => flatten4(scoped3(effect2)), unwrapScopedWith2 = (f) => flatten4(scopedWith3((scope2) => f(scope2)));
var zipWithIndex = (self) => pipe(self, mapAccum2(0, (index, a) => [index + 1, [a, index]]));
var decodeText = /* @__PURE__ */ dual((args) => isStream(args[0]), (self, encoding = "utf-8") => suspend5(() => {
  let decoder = new TextDecoder(encoding);
  return map10(self, (s) => decoder.decode(s, {
    stream: !0
  }));
})), encodeText = (self) => suspend5(() => {
  let encoder = new TextEncoder();
  return map10(self, (s) => encoder.encode(s));
});

// node_modules/effect/dist/esm/internal/groupBy.js
var GroupBySymbolKey = "effect/GroupBy", GroupByTypeId = /* @__PURE__ */ Symbol.for(GroupBySymbolKey), groupByVariance = {
  /* c8 ignore next */
  _R: (_) => _,
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _K: (_) => _,
  /* c8 ignore next */
  _V: (_) => _
}, isGroupBy = (u) => hasProperty(u, GroupByTypeId), evaluate = /* @__PURE__ */ dual((args) => isGroupBy(args[0]), (self, f, options) => flatMap5(self.grouped, ([key, queue]) => f(key, flattenTake(fromQueue2(queue, {
  shutdown: !0
}))), {
  concurrency: "unbounded",
  bufferSize: options?.bufferSize ?? 16
}));
var make17 = (grouped3) => ({
  [GroupByTypeId]: groupByVariance,
  pipe() {
    return pipeArguments(this, arguments);
  },
  grouped: grouped3
});
var mapEffectOptions = /* @__PURE__ */ dual((args) => typeof args[0] != "function", (self, f, options) => options?.key ? evaluate(groupByKey(self, options.key, {
  bufferSize: options.bufferSize
}), (_, s) => mapEffectSequential(s, f)) : matchConcurrency(options?.concurrency, () => mapEffectSequential(self, f), (n) => options?.unordered ? flatMap5(self, (a) => fromEffect4(f(a)), {
  concurrency: n
}) : mapEffectPar(self, n, f)));
var MapDequeue = class extends Class {
  dequeue;
  f;
  [DequeueTypeId2] = {
    _Out: (_) => _
  };
  constructor(dequeue, f) {
    super(), this.dequeue = dequeue, this.f = f;
  }
  capacity() {
    return capacity3(this.dequeue);
  }
  get size() {
    return size3(this.dequeue);
  }
  unsafeSize() {
    return this.dequeue.unsafeSize();
  }
  get awaitShutdown() {
    return awaitShutdown2(this.dequeue);
  }
  isActive() {
    return this.dequeue.isActive();
  }
  get isShutdown() {
    return isShutdown2(this.dequeue);
  }
  get shutdown() {
    return shutdown2(this.dequeue);
  }
  get isFull() {
    return isFull2(this.dequeue);
  }
  get isEmpty() {
    return isEmpty5(this.dequeue);
  }
  get take() {
    return pipe(take3(this.dequeue), map7((a) => this.f(a)));
  }
  get takeAll() {
    return pipe(takeAll2(this.dequeue), map7(map3((a) => this.f(a))));
  }
  takeUpTo(max) {
    return pipe(takeUpTo2(this.dequeue, max), map7(map3((a) => this.f(a))));
  }
  takeBetween(min, max) {
    return pipe(takeBetween2(this.dequeue, min, max), map7(map3((a) => this.f(a))));
  }
  takeN(n) {
    return pipe(takeN2(this.dequeue, n), map7(map3((a) => this.f(a))));
  }
  poll() {
    return pipe(poll4(this.dequeue), map7(map2((a) => this.f(a))));
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  commit() {
    return this.take;
  }
}, groupByKey = /* @__PURE__ */ dual((args) => typeof args[0] != "function", (self, f, options) => {
  let loop = (map13, outerQueue) => readWithCause({
    onInput: (input) => flatMap4(fromEffect(forEach(groupByIterable(input, f), ([key, values]) => {
      let innerQueue = map13.get(key);
      return innerQueue === void 0 ? pipe(bounded3(options?.bufferSize ?? 16), flatMap3((innerQueue2) => pipe(sync2(() => {
        map13.set(key, innerQueue2);
      }), zipRight3(offer3(outerQueue, of2([key, innerQueue2]))), zipRight3(pipe(offer3(innerQueue2, chunk(values)), catchSomeCause((cause) => isInterruptedOnly(cause) ? some(_void) : none())))))) : catchSomeCause(offer3(innerQueue, chunk(values)), (cause) => isInterruptedOnly(cause) ? some(_void) : none());
    }, {
      discard: !0
    })), () => loop(map13, outerQueue)),
    onFailure: (cause) => fromEffect(offer3(outerQueue, failCause5(cause))),
    onDone: () => fromEffect(pipe(forEach(map13.entries(), ([_, innerQueue]) => pipe(offer3(innerQueue, end), catchSomeCause((cause) => isInterruptedOnly(cause) ? some(_void) : none())), {
      discard: !0
    }), zipRight3(offer3(outerQueue, end))))
  });
  return make17(unwrapScopedWith2((scope2) => gen(function* () {
    let map13 = /* @__PURE__ */ new Map(), queue = yield* unbounded3();
    return yield* addFinalizer(scope2, shutdown2(queue)), yield* toChannel3(self).pipe(pipeTo(loop(map13, queue)), drain, runIn(scope2), forkIn2(scope2), as2(flattenTake(fromQueue2(queue, {
      shutdown: !0
    }))));
  })));
}), groupByIterable = /* @__PURE__ */ dual(2, (iterable, f) => {
  let builder = [], iterator = iterable[Symbol.iterator](), map13 = /* @__PURE__ */ new Map(), next;
  for (; (next = iterator.next()) && !next.done; ) {
    let value2 = next.value, key = f(value2);
    if (map13.has(key))
      map13.get(key).push(value2);
    else {
      let innerBuilder = [value2];
      builder.push([key, innerBuilder]), map13.set(key, innerBuilder);
    }
  }
  return unsafeFromArray(builder.map((tuple) => [tuple[0], unsafeFromArray(tuple[1])]));
});

// node_modules/effect/dist/esm/Stream.js
var StreamTypeId2 = StreamTypeId;
var asyncPush2 = asyncPush, asyncScoped2 = asyncScoped;
var bufferChunks2 = bufferChunks, catchAll5 = catchAll4;
var chunks2 = chunks;
var concat2 = concat;
var drain4 = drain3;
var drop3 = drop2;
var empty6 = empty5, ensuring6 = ensuring5;
var fail8 = fail7;
var filter4 = filter3;
var filterMap3 = filterMap2;
var flatMap6 = flatMap5;
var flattenIterables2 = flattenIterables;
var fromAsyncIterable2 = fromAsyncIterable, fromChannel3 = fromChannel2;
var fromEffect5 = fromEffect4;
var fromIterable4 = fromIterable3, fromIterableEffect2 = fromIterableEffect;
var fromQueue3 = fromQueue2;
var fromReadableStream2 = fromReadableStream;
var grouped2 = grouped;
var interruptWhen3 = interruptWhen2;
var make18 = make16, map11 = map10, mapAccum3 = mapAccum2;
var mapChunks2 = mapChunks;
var mapConcatEffect2 = mapConcatEffect, mapEffect3 = mapEffectOptions, mapError4 = mapError3;
var merge3 = merge2;
var onEnd2 = onEnd;
var orDie3 = orDie2;
var paginateChunkEffect2 = paginateChunkEffect, paginateEffect2 = paginateEffect;
var pipeThroughChannel2 = pipeThroughChannel, pipeThroughChannelOrFail2 = pipeThroughChannelOrFail;
var provideSomeContext2 = provideSomeContext;
var range3 = range2;
var repeatEffectChunkOption2 = repeatEffectChunkOption, repeatEffectOption2 = repeatEffectOption;
var repeatValue2 = repeatValue;
var run4 = run3, runCollect2 = runCollect;
var runDrain3 = runDrain2, runFold2 = runFold, runFoldEffect2 = runFoldEffect;
var runForEach2 = runForEach, runForEachChunk2 = runForEachChunk;
var runHead2 = runHead;
var schedule2 = schedule;
var splitLines3 = splitLines2;
var suspend6 = suspend5, take5 = take4;
var takeUntil2 = takeUntil;
var takeWhile4 = takeWhile3, tap4 = tap3;
var transduce2 = transduce, unfold3 = unfold2;
var unfoldChunkEffect2 = unfoldChunkEffect, unfoldEffect2 = unfoldEffect;
var unwrap3 = unwrap2, unwrapScoped4 = unwrapScoped3;
var zipWithIndex2 = zipWithIndex;
var decodeText2 = decodeText, encodeText2 = encodeText;

// node_modules/effect/dist/esm/Brand.js
var RefinedConstructorsTypeId = /* @__PURE__ */ Symbol.for("effect/Brand/Refined");
var nominal = () => Object.assign((args) => args, {
  [RefinedConstructorsTypeId]: RefinedConstructorsTypeId,
  option: (args) => some(args),
  either: (args) => right(args),
  is: (_args) => !0
});

// node_modules/effect/dist/esm/Channel.js
var acquireUseRelease3 = acquireUseRelease2;
var embedInput2 = embedInput;
var ensuring7 = ensuring3;
var failCause8 = failCause4;
var flatMap7 = flatMap4;
var fromEffect6 = fromEffect;
var pipeTo2 = pipeTo;
var readWithCause2 = readWithCause;
var run5 = run;
var succeed8 = succeed5, suspend7 = suspend3, sync6 = sync3;
var void_5 = void_3;
var write2 = write;
var zipRight8 = zipRight4;

// node_modules/effect/dist/esm/Sink.js
var drain5 = drain2;
var foldLeftChunks2 = foldLeftChunks;
var forEach3 = forEach2;
var fromChannel4 = fromChannel;
var unwrapScoped5 = unwrapScoped2;

// node_modules/@effect/platform/dist/esm/internal/fileSystem.js
var tag = /* @__PURE__ */ GenericTag("@effect/platform/FileSystem"), Size = (bytes) => typeof bytes == "bigint" ? bytes : BigInt(bytes);
var bigint1024 = /* @__PURE__ */ BigInt(1024), bigintPiB = bigint1024 * bigint1024 * bigint1024 * bigint1024 * bigint1024;
var make19 = (impl) => tag.of({
  ...impl,
  exists: (path) => pipe(impl.access(path), as2(!0), catchTag("SystemError", (e) => e.reason === "NotFound" ? succeed3(!1) : fail3(e))),
  readFileString: (path, encoding) => tryMap(impl.readFile(path), {
    try: (_) => new TextDecoder(encoding).decode(_),
    catch: (cause) => new BadArgument({
      module: "FileSystem",
      method: "readFileString",
      description: "invalid encoding",
      cause
    })
  }),
  stream: (path, options) => pipe(impl.open(path, {
    flag: "r"
  }), options?.offset ? tap2((file) => file.seek(options.offset, "start")) : identity, map7((file) => stream(file, options)), unwrapScoped4),
  sink: (path, options) => pipe(impl.open(path, {
    flag: "w",
    ...options
  }), map7((file) => forEach3((_) => file.writeAll(_))), unwrapScoped5),
  writeFileString: (path, data, options) => flatMap3(try_({
    try: () => new TextEncoder().encode(data),
    catch: (cause) => new BadArgument({
      module: "FileSystem",
      method: "writeFileString",
      description: "could not encode string",
      cause
    })
  }), (_) => impl.writeFile(path, _, options))
});
var stream = (file, {
  bufferSize = 16,
  bytesToRead: bytesToRead_,
  chunkSize: chunkSize_ = Size(64 * 1024)
} = {}) => {
  let bytesToRead = bytesToRead_ !== void 0 ? Size(bytesToRead_) : void 0, chunkSize = Size(chunkSize_);
  function loop(totalBytesRead) {
    if (bytesToRead !== void 0 && bytesToRead <= totalBytesRead)
      return void_5;
    let toRead = bytesToRead !== void 0 && bytesToRead - totalBytesRead < chunkSize ? bytesToRead - totalBytesRead : chunkSize;
    return flatMap7(file.readAlloc(toRead), match2({
      onNone: () => void_5,
      onSome: (buf) => flatMap7(write2(of(buf)), (_) => loop(totalBytesRead + BigInt(buf.length)))
    }));
  }
  return bufferChunks2(fromChannel3(loop(BigInt(0))), {
    capacity: bufferSize
  });
};

// node_modules/@effect/platform/dist/esm/FileSystem.js
var Size2 = Size;
var FileSystem = tag, make20 = make19;
var FileTypeId = /* @__PURE__ */ Symbol.for("@effect/platform/FileSystem/File");
var FileDescriptor = /* @__PURE__ */ nominal(), WatchEventCreate = /* @__PURE__ */ tagged("Create"), WatchEventUpdate = /* @__PURE__ */ tagged("Update"), WatchEventRemove = /* @__PURE__ */ tagged("Remove"), WatchBackend = class extends (/* @__PURE__ */ Tag("@effect/platform/FileSystem/WatchBackend")()) {
};

// src/Files.ts
import * as NodePath from "node:path";
var makeFolder = (fs, folder) => fs.makeDirectory(folder).pipe(
  catchIf(
    (error) => error._tag === "SystemError" && error.reason === "NotFound" && NodePath.dirname(folder) !== folder,
    () => zipRight3(makeFolder(fs, NodePath.dirname(folder)), fs.makeDirectory(folder))
  ),
  catchIf(
    (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
    (error) => flatMap3(fs.stat(folder), ({ type }) => type === "Directory" ? _void : fail3(error))
  )
), syncFolder = (fs, folder) => fs.open(folder, { flag: "r" }).pipe(
  flatMap3((handle) => handle.sync),
  scoped,
  ignore
);

// src/Row/Hash.ts
import { hash } from "node:crypto";
var sha256 = (text) => hash("sha256", text, "hex");

// src/Row.ts
var addressOf = (data) => {
  if (typeof data.url == "string") return data.url;
  let metadata = data.metadata;
  if (typeof metadata != "object" || metadata === null) return;
  let { sourceURL, url } = metadata;
  return typeof sourceURL == "string" ? sourceURL : typeof url == "string" ? url : void 0;
}, keyOf = (row) => {
  if (row.key !== void 0) return row.key;
  if (row.derivedKey !== void 0) return row.derivedKey;
  let { data } = row.origin ?? row, address = addressOf(data);
  return (address === void 0 ? void 0 : canonicalUrl(address)) ?? sha256(JSON.stringify(data));
}, withData = (row, data) => {
  let { derivedKey, key, jobId, origin = row, position, source } = row;
  return { data, key, derivedKey, source, origin, position, jobId };
}, toJson = (row) => ({
  data: row.data,
  key: row.key,
  derivedKey: row.key === void 0 ? keyOf(row) : void 0,
  source: row.source,
  position: row.position,
  jobId: row.jobId
}), isObject = (value2) => typeof value2 == "object" && value2 !== null && !Array.isArray(value2), isOptional = (value2, type) => value2 === void 0 || typeof value2 === type, isRow = (value2) => isObject(value2) && isObject(value2.data) && isOptional(value2.key, "string") && isOptional(value2.derivedKey, "string") && isOptional(value2.position, "number") && isOptional(value2.jobId, "string") && (value2.source === void 0 || isObject(value2.source));

// src/TypedError.ts
var TypedError = (tag2, declared) => {
  class Typed extends TaggedError(tag2) {
    get scope() {
      return declared.scope;
    }
    get exitCode() {
      return declared.exitCode ?? ExitCode.failed;
    }
  }
  return Typed;
};

// src/Row/SavedValue.ts
var SavedValueInvalid = class extends TypedError("SavedValueInvalid", { scope: "run" }) {
  get message() {
    return `${this.place} was saved in a shape that this version cannot read: ${this.problem}. Start the run again instead of resuming it.`;
  }
}, JsonValue = declare((value2) => value2 !== void 0, {
  title: "JSON"
}), SavedRow = declare(isRow, { title: "a row" }), firstProblem = (error) => {
  let [issue] = ArrayFormatter.formatErrorSync(error);
  return issue === void 0 ? error.message : issue.path.length === 0 ? issue.message : `${issue.path.map(String).join(".")}: ${issue.message}`;
}, decodeSaved = (schema) => {
  let decode2 = decodeUnknownEither(schema);
  return (place, value2) => mapLeft(decode2(value2), (error) => new SavedValueInvalid({ place, problem: firstProblem(error) }));
};

// src/Step/Output.ts
var Output = Struct({
  path: String$,
  format: String$,
  rows: Number$,
  /** On disk. */
  bytes: Number$,
  /** Of a trial: modification time in milliseconds since 1970. */
  modified: optional(Number$)
}), decodeOutputs = decodeSaved(Array$(Output)), Original = Struct({
  size: Number$,
  /** Milliseconds since 1970. */
  modified: Number$,
  inode: Number$,
  /** True when its rows are those of a trial: a real run that appends replaces the file. */
  isOfTrial: optional(Boolean$)
}), Ready = Struct({
  ...Output.fields,
  partial: String$,
  /** The file behind `path` where that is a symbolic link. */
  target: optional(String$),
  /** The file that it was appended to, which must be unchanged. Null: there was none; undefined: any file there is replaced. */
  original: optional(NullOr(Original))
}), Sealed = Struct({
  files: Array$(Ready),
  /** Standard output, where the sink wrote there. */
  streams: optional(Array$(Output)),
  /** Files of an earlier run that go, although no new file has their name. */
  stale: Array$(String$),
  /** Files of this run that go once the others have their names. */
  scraps: Array$(String$),
  warnings: Array$(String$)
});

// src/Database/PostgresAddress.ts
var AddressInvalid = class extends TaggedError("AddressInvalid") {
}, parts = /^postgres(?:ql)?:\/\/(?:(.*)@)?([^@/?]*)(?:\/([^@/?]*))?$/s, schemas = /^[a-z_][a-z0-9_]{0,62}$/, wrong = (message) => left(new AddressInvalid({ message })), parse2 = (given) => {
  let [base = "", ...rest] = value(given).trim().split("?"), found = parts.exec(base);
  if (found === null)
    return wrong("it is no address of a Postgres database; expected postgres://user:password@host:5432/database");
  let [, who, host2 = "", database = ""] = found;
  if (/[@/#\s]/.test(who ?? "") || !canParse(base.replace("@/", "@localhost/")))
    return wrong(
      "its user, password, host or port is not written as in an address; in them @ is %40, / is %2F, ? is %3F"
    );
  let query = new URLSearchParams(rest.join("?")), schema = query.get("schema") ?? "sluice";
  return schemas.test(schema) ? right({ base, who, host: host2, database, query, schema }) : wrong(`the schema "${schema}" is no plain name: small letters, digits and _, at most 63 of them`);
}, read2 = (given, { lock, silence, statement }) => map(parse2(given), ({ base, database, host: host2, query, schema, who }) => {
  let options = [
    query.get("options") ?? "",
    `-c search_path=${schema}`,
    `-c lock_timeout=${lock}`,
    `-c statement_timeout=${statement}`,
    `-c idle_in_transaction_session_timeout=${silence}`
  ];
  query.delete("schema"), query.set("options", options.join(" ").trim()), query.set("query_timeout", String(statement + 1e4));
  let user = who === void 0 ? "" : `${who.split(":")[0]}@`, socket = query.get("host");
  return { place: `postgres://${user}${host2 === "" ? socket ?? "localhost" : host2}/${database}, schema ${schema}`, schema, url: make6(`${base}?${query}`) };
});

// src/Callback/EventLoop.ts
var nextTurn = async((resume) => {
  setImmediate(safely(() => resume(_void)));
});

// node_modules/effect/dist/esm/Mailbox.js
var TypeId9 = TypeId8;
var isMailbox = (u) => hasProperty(u, TypeId9);
var make21 = make14;
var toChannel4 = toChannel2, toStream = mailboxToStream;

export {
  DeferredTypeId2 as DeferredTypeId,
  make7 as make,
  _await2 as _await,
  complete,
  done,
  fail4 as fail,
  failCause3 as failCause,
  interrupt5 as interrupt,
  isDone,
  poll,
  succeed4 as succeed,
  unsafeMake,
  unsafeDone,
  EmptyMutableQueue,
  unbounded,
  offer,
  poll2,
  TypeIdError,
  BadArgument,
  SystemError,
  TypeId6 as TypeId,
  Path2 as Path,
  sha256,
  canonicalUrl,
  urlVariants,
  host,
  nextTurn,
  TypedError,
  nominal,
  unsafeMake2,
  get4 as get,
  set3 as set,
  currentContext2 as currentContext,
  unhandledErrorLogLevel,
  currentLogAnnotations2 as currentLogAnnotations,
  currentTracerEnabled2 as currentTracerEnabled,
  unbounded2,
  dropping2 as dropping,
  sliding2 as sliding,
  unbounded3,
  shutdown2 as shutdown,
  offer3 as offer2,
  unsafeOffer2 as unsafeOffer,
  offerAll3 as offerAll,
  take3 as take,
  make12 as make2,
  get6 as get2,
  runFork,
  runCallback,
  defaultRuntime2 as defaultRuntime,
  make13 as make3,
  updateContext2 as updateContext,
  ScheduleTypeId2 as ScheduleTypeId,
  addDelay2 as addDelay,
  driver2 as driver,
  exponential2 as exponential,
  forever3 as forever,
  identity3 as identity,
  passthrough2 as passthrough,
  intersect2 as intersect,
  jittered2 as jittered,
  jitteredWith2 as jitteredWith,
  modifyDelay2 as modifyDelay,
  recurs2 as recurs,
  spaced2 as spaced,
  union2 as union,
  upTo2 as upTo,
  whileInput2 as whileInput,
  acquireUseRelease3 as acquireUseRelease,
  embedInput2 as embedInput,
  ensuring7 as ensuring,
  failCause8 as failCause2,
  flatMap7 as flatMap,
  fromEffect6 as fromEffect,
  pipeTo2 as pipeTo,
  readWithCause2 as readWithCause,
  run5 as run,
  succeed8 as succeed2,
  suspend7 as suspend,
  sync6 as sync,
  void_5 as void_,
  write2 as write,
  zipRight8 as zipRight,
  drain5 as drain,
  foldLeftChunks2 as foldLeftChunks,
  fromChannel4 as fromChannel,
  StreamTypeId2 as StreamTypeId,
  asyncPush2 as asyncPush,
  asyncScoped2 as asyncScoped,
  catchAll5 as catchAll,
  chunks2 as chunks,
  concat2 as concat,
  drain4 as drain2,
  drop3 as drop,
  empty6 as empty,
  ensuring6 as ensuring2,
  fail8 as fail2,
  filter4 as filter,
  filterMap3 as filterMap,
  flatMap6 as flatMap2,
  flattenIterables2 as flattenIterables,
  fromAsyncIterable2 as fromAsyncIterable,
  fromChannel3 as fromChannel2,
  fromEffect5 as fromEffect2,
  fromIterable4 as fromIterable,
  fromIterableEffect2 as fromIterableEffect,
  fromQueue3 as fromQueue,
  fromReadableStream2 as fromReadableStream,
  grouped2 as grouped,
  interruptWhen3 as interruptWhen,
  make18 as make4,
  map11 as map,
  mapAccum3 as mapAccum,
  mapChunks2 as mapChunks,
  mapConcatEffect2 as mapConcatEffect,
  mapEffect3 as mapEffect,
  mapError4 as mapError,
  merge3 as merge,
  onEnd2 as onEnd,
  orDie3 as orDie,
  paginateChunkEffect2 as paginateChunkEffect,
  paginateEffect2 as paginateEffect,
  pipeThroughChannel2 as pipeThroughChannel,
  pipeThroughChannelOrFail2 as pipeThroughChannelOrFail,
  provideSomeContext2 as provideSomeContext,
  range3 as range,
  repeatEffectChunkOption2 as repeatEffectChunkOption,
  repeatEffectOption2 as repeatEffectOption,
  repeatValue2 as repeatValue,
  run4 as run2,
  runCollect2 as runCollect,
  runDrain3 as runDrain,
  runFold2 as runFold,
  runFoldEffect2 as runFoldEffect,
  runForEach2 as runForEach,
  runForEachChunk2 as runForEachChunk,
  runHead2 as runHead,
  schedule2 as schedule,
  splitLines3 as splitLines,
  suspend6 as suspend2,
  take5 as take2,
  takeUntil2 as takeUntil,
  takeWhile4 as takeWhile,
  tap4 as tap,
  transduce2 as transduce,
  unfold3 as unfold,
  unfoldChunkEffect2 as unfoldChunkEffect,
  unfoldEffect2 as unfoldEffect,
  unwrap3 as unwrap,
  unwrapScoped4 as unwrapScoped,
  zipWithIndex2 as zipWithIndex,
  decodeText2 as decodeText,
  encodeText2 as encodeText,
  Size2 as Size,
  FileSystem,
  make20 as make5,
  FileTypeId,
  FileDescriptor,
  WatchEventCreate,
  WatchEventUpdate,
  WatchEventRemove,
  WatchBackend,
  makeFolder,
  syncFolder,
  keyOf,
  withData,
  toJson,
  SavedValueInvalid,
  JsonValue,
  SavedRow,
  decodeSaved,
  Output,
  decodeOutputs,
  Original,
  Sealed,
  isMailbox,
  make21 as make6,
  toChannel4 as toChannel,
  toStream,
  parse2 as parse,
  read2 as read
};
