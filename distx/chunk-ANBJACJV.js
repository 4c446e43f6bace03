import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// node_modules/effect/dist/esm/Function.js
var isFunction = (input) => typeof input == "function", dual = function(arity, body) {
  if (typeof arity == "function")
    return function() {
      return arity(arguments) ? body.apply(this, arguments) : (self) => body(self, ...arguments);
    };
  switch (arity) {
    case 0:
    case 1:
      throw new RangeError(`Invalid arity ${arity}`);
    case 2:
      return function(a, b) {
        return arguments.length >= 2 ? body(a, b) : function(self) {
          return body(self, a);
        };
      };
    case 3:
      return function(a, b, c) {
        return arguments.length >= 3 ? body(a, b, c) : function(self) {
          return body(self, a, b);
        };
      };
    case 4:
      return function(a, b, c, d) {
        return arguments.length >= 4 ? body(a, b, c, d) : function(self) {
          return body(self, a, b, c);
        };
      };
    case 5:
      return function(a, b, c, d, e) {
        return arguments.length >= 5 ? body(a, b, c, d, e) : function(self) {
          return body(self, a, b, c, d);
        };
      };
    default:
      return function() {
        if (arguments.length >= arity)
          return body.apply(this, arguments);
        let args = arguments;
        return function(self) {
          return body(self, ...args);
        };
      };
  }
};
var identity = (a) => a;
var constant = (value) => () => value, constTrue = /* @__PURE__ */ constant(!0), constFalse = /* @__PURE__ */ constant(!1);
var constUndefined = /* @__PURE__ */ constant(void 0), constVoid = constUndefined;
function pipe(a, ab, bc, cd, de, ef, fg, gh, hi) {
  switch (arguments.length) {
    case 1:
      return a;
    case 2:
      return ab(a);
    case 3:
      return bc(ab(a));
    case 4:
      return cd(bc(ab(a)));
    case 5:
      return de(cd(bc(ab(a))));
    case 6:
      return ef(de(cd(bc(ab(a)))));
    case 7:
      return fg(ef(de(cd(bc(ab(a))))));
    case 8:
      return gh(fg(ef(de(cd(bc(ab(a)))))));
    case 9:
      return hi(gh(fg(ef(de(cd(bc(ab(a))))))));
    default: {
      let ret = arguments[0];
      for (let i = 1; i < arguments.length; i++)
        ret = arguments[i](ret);
      return ret;
    }
  }
}
function flow(ab, bc, cd, de, ef, fg, gh, hi, ij) {
  switch (arguments.length) {
    case 1:
      return ab;
    case 2:
      return function() {
        return bc(ab.apply(this, arguments));
      };
    case 3:
      return function() {
        return cd(bc(ab.apply(this, arguments)));
      };
    case 4:
      return function() {
        return de(cd(bc(ab.apply(this, arguments))));
      };
    case 5:
      return function() {
        return ef(de(cd(bc(ab.apply(this, arguments)))));
      };
    case 6:
      return function() {
        return fg(ef(de(cd(bc(ab.apply(this, arguments))))));
      };
    case 7:
      return function() {
        return gh(fg(ef(de(cd(bc(ab.apply(this, arguments)))))));
      };
    case 8:
      return function() {
        return hi(gh(fg(ef(de(cd(bc(ab.apply(this, arguments))))))));
      };
    case 9:
      return function() {
        return ij(hi(gh(fg(ef(de(cd(bc(ab.apply(this, arguments)))))))));
      };
  }
}

// node_modules/effect/dist/esm/GlobalValue.js
var globalStoreId = "effect/GlobalValue", globalStore, globalValue = (id, compute) => (globalStore || (globalThis[globalStoreId] ??= /* @__PURE__ */ new Map(), globalStore = globalThis[globalStoreId]), globalStore.has(id) || globalStore.set(id, compute()), globalStore.get(id));

// node_modules/effect/dist/esm/Predicate.js
var isString = (input) => typeof input == "string", isNumber = (input) => typeof input == "number", isBoolean = (input) => typeof input == "boolean", isBigInt = (input) => typeof input == "bigint", isSymbol = (input) => typeof input == "symbol";
var isFunction2 = isFunction, isUndefined = (input) => input === void 0, isNotUndefined = (input) => input !== void 0;
var isNotNull = (input) => input !== null, isNever = (_) => !1;
var isRecordOrArray = (input) => typeof input == "object" && input !== null, isObject = (input) => isRecordOrArray(input) || isFunction2(input), hasProperty = /* @__PURE__ */ dual(2, (self, property) => isObject(self) && property in self), isTagged = /* @__PURE__ */ dual(2, (self, tag) => hasProperty(self, "_tag") && self._tag === tag), isNullable = (input) => input == null, isNotNullable = (input) => input != null;
var isUint8Array = (input) => input instanceof Uint8Array, isDate = (input) => input instanceof Date, isIterable = (input) => typeof input == "string" || hasProperty(input, Symbol.iterator), isRecord = (input) => isRecordOrArray(input) && !Array.isArray(input);
var isPromiseLike = (input) => hasProperty(input, "then") && isFunction2(input.then);
var or = /* @__PURE__ */ dual(2, (self, that) => (a) => self(a) || that(a));

// node_modules/effect/dist/esm/internal/errors.js
var getBugErrorMessage = (message) => `BUG: ${message} - please report an issue at https://github.com/Effect-TS/effect/issues`;

// node_modules/effect/dist/esm/Utils.js
var GenKindTypeId = /* @__PURE__ */ Symbol.for("effect/Gen/GenKind"), isGenKind = (u) => isObject(u) && GenKindTypeId in u, GenKindImpl = class {
  value;
  constructor(value) {
    this.value = value;
  }
  /**
   * @since 2.0.0
   */
  get _F() {
    return identity;
  }
  /**
   * @since 2.0.0
   */
  get _R() {
    return (_) => _;
  }
  /**
   * @since 2.0.0
   */
  get _O() {
    return (_) => _;
  }
  /**
   * @since 2.0.0
   */
  get _E() {
    return (_) => _;
  }
  /**
   * @since 2.0.0
   */
  [GenKindTypeId] = GenKindTypeId;
  /**
   * @since 2.0.0
   */
  [Symbol.iterator]() {
    return new SingleShotGen(this);
  }
}, SingleShotGen = class _SingleShotGen {
  self;
  called = !1;
  constructor(self) {
    this.self = self;
  }
  /**
   * @since 2.0.0
   */
  next(a) {
    return this.called ? {
      value: a,
      done: !0
    } : (this.called = !0, {
      value: this.self,
      done: !1
    });
  }
  /**
   * @since 2.0.0
   */
  return(a) {
    return {
      value: a,
      done: !0
    };
  }
  /**
   * @since 2.0.0
   */
  throw(e) {
    throw e;
  }
  /**
   * @since 2.0.0
   */
  [Symbol.iterator]() {
    return new _SingleShotGen(this.self);
  }
};
var adapter = () => function() {
  let x = arguments[0];
  for (let i = 1; i < arguments.length; i++)
    x = arguments[i](x);
  return new GenKindImpl(x);
}, defaultIncHi = 335903614, defaultIncLo = 4150755663, MUL_HI = 1481765933, MUL_LO = 1284865837, BIT_53 = 9007199254740992, BIT_27 = 134217728, PCGRandom = class {
  _state;
  constructor(seedHi, seedLo, incHi, incLo) {
    return isNullable(seedLo) && isNullable(seedHi) ? (seedLo = Math.random() * 4294967295 >>> 0, seedHi = 0) : isNullable(seedLo) && (seedLo = seedHi, seedHi = 0), isNullable(incLo) && isNullable(incHi) ? (incLo = this._state ? this._state[3] : defaultIncLo, incHi = this._state ? this._state[2] : defaultIncHi) : isNullable(incLo) && (incLo = incHi, incHi = 0), this._state = new Int32Array([0, 0, incHi >>> 0, ((incLo || 0) | 1) >>> 0]), this._next(), add64(this._state, this._state[0], this._state[1], seedHi >>> 0, seedLo >>> 0), this._next(), this;
  }
  /**
   * Returns a copy of the internal state of this random number generator as a
   * JavaScript Array.
   *
   * @category getters
   * @since 2.0.0
   */
  getState() {
    return [this._state[0], this._state[1], this._state[2], this._state[3]];
  }
  /**
   * Restore state previously retrieved using `getState()`.
   *
   * @since 2.0.0
   */
  setState(state) {
    this._state[0] = state[0], this._state[1] = state[1], this._state[2] = state[2], this._state[3] = state[3] | 1;
  }
  /**
   * Get a uniformly distributed 32 bit integer between [0, max).
   *
   * @category getter
   * @since 2.0.0
   */
  integer(max2) {
    return Math.round(this.number() * Number.MAX_SAFE_INTEGER) % max2;
  }
  /**
   * Get a uniformly distributed IEEE-754 double between 0.0 and 1.0, with
   * 53 bits of precision (every bit of the mantissa is randomized).
   *
   * @category getters
   * @since 2.0.0
   */
  number() {
    let hi = (this._next() & 67108863) * 1, lo = (this._next() & 134217727) * 1;
    return (hi * BIT_27 + lo) / BIT_53;
  }
  /** @internal */
  _next() {
    let oldHi = this._state[0] >>> 0, oldLo = this._state[1] >>> 0;
    mul64(this._state, oldHi, oldLo, MUL_HI, MUL_LO), add64(this._state, this._state[0], this._state[1], this._state[2], this._state[3]);
    let xsHi = oldHi >>> 18, xsLo = (oldLo >>> 18 | oldHi << 14) >>> 0;
    xsHi = (xsHi ^ oldHi) >>> 0, xsLo = (xsLo ^ oldLo) >>> 0;
    let xorshifted = (xsLo >>> 27 | xsHi << 5) >>> 0, rot = oldHi >>> 27, rot2 = (-rot >>> 0 & 31) >>> 0;
    return (xorshifted >>> rot | xorshifted << rot2) >>> 0;
  }
};
function mul64(out, aHi, aLo, bHi, bLo) {
  let c1 = (aLo >>> 16) * (bLo & 65535) >>> 0, c0 = (aLo & 65535) * (bLo >>> 16) >>> 0, lo = (aLo & 65535) * (bLo & 65535) >>> 0, hi = (aLo >>> 16) * (bLo >>> 16) + ((c0 >>> 16) + (c1 >>> 16)) >>> 0;
  c0 = c0 << 16 >>> 0, lo = lo + c0 >>> 0, lo >>> 0 < c0 >>> 0 && (hi = hi + 1 >>> 0), c1 = c1 << 16 >>> 0, lo = lo + c1 >>> 0, lo >>> 0 < c1 >>> 0 && (hi = hi + 1 >>> 0), hi = hi + Math.imul(aLo, bHi) >>> 0, hi = hi + Math.imul(aHi, bLo) >>> 0, out[0] = hi, out[1] = lo;
}
function add64(out, aHi, aLo, bHi, bLo) {
  let hi = aHi + bHi >>> 0, lo = aLo + bLo >>> 0;
  lo >>> 0 < aLo >>> 0 && (hi = hi + 1 | 0), out[0] = hi, out[1] = lo;
}
var YieldWrapTypeId = /* @__PURE__ */ Symbol.for("effect/Utils/YieldWrap"), YieldWrap = class {
  /**
   * @since 3.0.6
   */
  #value;
  constructor(value) {
    this.#value = value;
  }
  /**
   * @since 3.0.6
   */
  [YieldWrapTypeId]() {
    return this.#value;
  }
};
function yieldWrapGet(self) {
  if (typeof self == "object" && self !== null && YieldWrapTypeId in self)
    return self[YieldWrapTypeId]();
  throw new Error(getBugErrorMessage("yieldWrapGet"));
}
var structuralRegionState = /* @__PURE__ */ globalValue("effect/Utils/isStructuralRegion", () => ({
  enabled: !1,
  tester: void 0
}));
var standard = {
  effect_internal_function: (body) => body()
}, forced = {
  effect_internal_function: (body) => body()
}, isNotOptimizedAway = /* @__PURE__ */ standard.effect_internal_function(() => new Error().stack)?.includes("effect_internal_function") === !0, internalCall = isNotOptimizedAway ? standard.effect_internal_function : forced.effect_internal_function, genConstructor = function* () {
}.constructor, isGeneratorFunction = (u) => isObject(u) && u.constructor === genConstructor;

// node_modules/effect/dist/esm/Hash.js
var randomHashCache = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Hash/randomHashCache"), () => /* @__PURE__ */ new WeakMap()), symbol = /* @__PURE__ */ Symbol.for("effect/Hash"), hash = (self) => {
  if (structuralRegionState.enabled === !0)
    return 0;
  switch (typeof self) {
    case "number":
      return number(self);
    case "bigint":
      return string(self.toString(10));
    case "boolean":
      return string(String(self));
    case "symbol":
      return string(String(self));
    case "string":
      return string(self);
    case "undefined":
      return string("undefined");
    case "function":
    case "object":
      return self === null ? string("null") : self instanceof Date ? Number.isNaN(self.getTime()) ? string("Invalid Date") : hash(self.toISOString()) : self instanceof URL ? hash(self.href) : isHash(self) ? self[symbol]() : random(self);
    default:
      throw new Error(`BUG: unhandled typeof ${typeof self} - please report an issue at https://github.com/Effect-TS/effect/issues`);
  }
}, random = (self) => (randomHashCache.has(self) || randomHashCache.set(self, number(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER))), randomHashCache.get(self)), combine = (b) => (self) => self * 53 ^ b, optimize = (n) => n & 3221225471 | n >>> 1 & 1073741824, isHash = (u) => hasProperty(u, symbol), number = (n) => {
  if (n !== n || n === 1 / 0)
    return 0;
  let h = n | 0;
  for (h !== n && (h ^= n * 4294967295); n > 4294967295; )
    h ^= n /= 4294967295;
  return optimize(h);
}, string = (str) => {
  let h = 5381, i = str.length;
  for (; i; )
    h = h * 33 ^ str.charCodeAt(--i);
  return optimize(h);
}, structureKeys = (o, keys) => {
  let h = 12289;
  for (let i = 0; i < keys.length; i++)
    h ^= pipe(string(keys[i]), combine(hash(o[keys[i]])));
  return optimize(h);
}, structure = (o) => structureKeys(o, Object.keys(o)), array = (arr) => {
  let h = 6151;
  for (let i = 0; i < arr.length; i++)
    h = pipe(h, combine(hash(arr[i])));
  return optimize(h);
}, cached = function() {
  if (arguments.length === 1) {
    let self2 = arguments[0];
    return function(hash3) {
      return Object.defineProperty(self2, symbol, {
        value() {
          return hash3;
        },
        enumerable: !1
      }), hash3;
    };
  }
  let self = arguments[0], hash2 = arguments[1];
  return Object.defineProperty(self, symbol, {
    value() {
      return hash2;
    },
    enumerable: !1
  }), hash2;
};

// node_modules/effect/dist/esm/Equal.js
var symbol2 = /* @__PURE__ */ Symbol.for("effect/Equal");
function equals() {
  return arguments.length === 1 ? (self) => compareBoth(self, arguments[0]) : compareBoth(arguments[0], arguments[1]);
}
function compareBoth(self, that) {
  if (self === that)
    return !0;
  let selfType = typeof self;
  if (selfType !== typeof that)
    return !1;
  if (selfType === "object" || selfType === "function") {
    if (self !== null && that !== null) {
      if (isEqual(self) && isEqual(that))
        return hash(self) === hash(that) && self[symbol2](that) ? !0 : structuralRegionState.enabled && structuralRegionState.tester ? structuralRegionState.tester(self, that) : !1;
      if (self instanceof Date && that instanceof Date) {
        let t1 = self.getTime(), t2 = that.getTime();
        return t1 === t2 || Number.isNaN(t1) && Number.isNaN(t2);
      } else if (self instanceof URL && that instanceof URL)
        return self.href === that.href;
    }
    if (structuralRegionState.enabled) {
      if (self === null || that === null)
        return !1;
      if (Array.isArray(self) && Array.isArray(that))
        return self.length === that.length && self.every((v, i) => compareBoth(v, that[i]));
      if (Object.getPrototypeOf(self) === Object.prototype && Object.getPrototypeOf(that) === Object.prototype) {
        let keysSelf = Object.keys(self), keysThat = Object.keys(that);
        if (keysSelf.length === keysThat.length) {
          for (let key of keysSelf)
            if (!(key in that && compareBoth(self[key], that[key])))
              return structuralRegionState.tester ? structuralRegionState.tester(self, that) : !1;
          return !0;
        }
      }
      return structuralRegionState.tester ? structuralRegionState.tester(self, that) : !1;
    }
  }
  return structuralRegionState.enabled && structuralRegionState.tester ? structuralRegionState.tester(self, that) : !1;
}
var isEqual = (u) => hasProperty(u, symbol2), equivalence = () => equals;

// node_modules/effect/dist/esm/Equivalence.js
var make = (isEquivalent) => (self, that) => self === that || isEquivalent(self, that), isStrictEquivalent = (x, y) => x === y, strict = () => isStrictEquivalent;
var number2 = /* @__PURE__ */ strict();
var mapInput = /* @__PURE__ */ dual(2, (self, f) => make((x, y) => self(f(x), f(y)))), Date2 = /* @__PURE__ */ mapInput(number2, (date) => date.getTime());
var array2 = (item) => make((self, that) => {
  if (self.length !== that.length)
    return !1;
  for (let i = 0; i < self.length; i++)
    if (!item(self[i], that[i]))
      return !1;
  return !0;
});

// node_modules/effect/dist/esm/internal/doNotation.js
var bindTo = (map2) => dual(2, (self, name) => map2(self, (a) => ({
  [name]: a
}))), bind = (map2, flatMap2) => dual(3, (self, name, f) => flatMap2(self, (a) => map2(f(a), (b) => ({
  ...a,
  [name]: b
}))));

// node_modules/effect/dist/esm/Inspectable.js
var NodeInspectSymbol = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom"), toJSON = (x) => {
  try {
    if (hasProperty(x, "toJSON") && isFunction2(x.toJSON) && x.toJSON.length === 0)
      return x.toJSON();
    if (Array.isArray(x))
      return x.map(toJSON);
  } catch {
    return {};
  }
  return redact(x);
}, CIRCULAR = "[Circular]";
function formatDate(date) {
  try {
    return date.toISOString();
  } catch {
    return "Invalid Date";
  }
}
function safeToString(input) {
  try {
    let s = input.toString();
    return typeof s == "string" ? s : String(s);
  } catch {
    return "[toString threw]";
  }
}
function formatPropertyKey(name) {
  return isString(name) ? JSON.stringify(name) : String(name);
}
function formatUnknown(input, options) {
  let space = options?.space ?? 0, seen = /* @__PURE__ */ new WeakSet(), gap = space ? isNumber(space) ? " ".repeat(space) : space : "", ind = (d) => gap.repeat(d), wrap = (v, body) => {
    let ctor = v?.constructor;
    return ctor && ctor !== Object.prototype.constructor && ctor.name ? `${ctor.name}(${body})` : body;
  }, ownKeys = (o) => {
    try {
      return Reflect.ownKeys(o);
    } catch {
      return ["[ownKeys threw]"];
    }
  };
  function go(v, d = 0) {
    if (Array.isArray(v)) {
      if (seen.has(v)) return CIRCULAR;
      if (seen.add(v), !gap || v.length <= 1) return `[${v.map((x) => go(x, d)).join(",")}]`;
      let inner = v.map((x) => go(x, d + 1)).join(`,
` + ind(d + 1));
      return `[
${ind(d + 1)}${inner}
${ind(d)}]`;
    }
    if (isDate(v)) return formatDate(v);
    if (!options?.ignoreToString && hasProperty(v, "toString") && isFunction2(v.toString) && v.toString !== Object.prototype.toString && v.toString !== Array.prototype.toString) {
      let s = safeToString(v);
      return v instanceof Error && v.cause ? `${s} (cause: ${go(v.cause, d)})` : s;
    }
    if (isString(v)) return JSON.stringify(v);
    if (isNumber(v) || v == null || isBoolean(v) || isSymbol(v)) return String(v);
    if (isBigInt(v)) return String(v) + "n";
    if (v instanceof Set || v instanceof Map)
      return seen.has(v) ? CIRCULAR : (seen.add(v), `${v.constructor.name}(${go(Array.from(v), d)})`);
    if (isObject(v)) {
      if (seen.has(v)) return CIRCULAR;
      seen.add(v);
      let keys = ownKeys(v);
      if (!gap || keys.length <= 1) {
        let body2 = `{${keys.map((k) => `${formatPropertyKey(k)}:${go(v[k], d)}`).join(",")}}`;
        return wrap(v, body2);
      }
      let body = `{
${keys.map((k) => `${ind(d + 1)}${formatPropertyKey(k)}: ${go(v[k], d + 1)}`).join(`,
`)}
${ind(d)}}`;
      return wrap(v, body);
    }
    return String(v);
  }
  return go(input, 0);
}
var format = (x) => JSON.stringify(x, null, 2), BaseProto = {
  toJSON() {
    return toJSON(this);
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  toString() {
    return format(this.toJSON());
  }
}, Class = class {
  /**
   * @since 2.0.0
   */
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
  /**
   * @since 2.0.0
   */
  toString() {
    return format(this.toJSON());
  }
}, toStringUnknown = (u, whitespace = 2) => {
  if (typeof u == "string")
    return u;
  try {
    return typeof u == "object" ? stringifyCircular(u, whitespace) : String(u);
  } catch {
    return String(u);
  }
}, stringifyCircular = (obj, whitespace) => {
  let cache = [], retVal = JSON.stringify(obj, (_key, value) => typeof value == "object" && value !== null ? cache.includes(value) ? void 0 : cache.push(value) && (redactableState.fiberRefs !== void 0 && isRedactable(value) ? value[symbolRedactable](redactableState.fiberRefs) : value) : value, whitespace);
  return cache = void 0, retVal;
}, symbolRedactable = /* @__PURE__ */ Symbol.for("effect/Inspectable/Redactable"), isRedactable = (u) => typeof u == "object" && u !== null && symbolRedactable in u, redactableState = /* @__PURE__ */ globalValue("effect/Inspectable/redactableState", () => ({
  fiberRefs: void 0
})), withRedactableContext = (context, f) => {
  let prev = redactableState.fiberRefs;
  redactableState.fiberRefs = context;
  try {
    return f();
  } finally {
    redactableState.fiberRefs = prev;
  }
}, redact = (u) => isRedactable(u) && redactableState.fiberRefs !== void 0 ? u[symbolRedactable](redactableState.fiberRefs) : u;

// node_modules/effect/dist/esm/Pipeable.js
var pipeArguments = (self, args) => {
  switch (args.length) {
    case 0:
      return self;
    case 1:
      return args[0](self);
    case 2:
      return args[1](args[0](self));
    case 3:
      return args[2](args[1](args[0](self)));
    case 4:
      return args[3](args[2](args[1](args[0](self))));
    case 5:
      return args[4](args[3](args[2](args[1](args[0](self)))));
    case 6:
      return args[5](args[4](args[3](args[2](args[1](args[0](self))))));
    case 7:
      return args[6](args[5](args[4](args[3](args[2](args[1](args[0](self)))))));
    case 8:
      return args[7](args[6](args[5](args[4](args[3](args[2](args[1](args[0](self))))))));
    case 9:
      return args[8](args[7](args[6](args[5](args[4](args[3](args[2](args[1](args[0](self)))))))));
    default: {
      let ret = self;
      for (let i = 0, len = args.length; i < len; i++)
        ret = args[i](ret);
      return ret;
    }
  }
};

// node_modules/effect/dist/esm/internal/opCodes/effect.js
var OP_ASYNC = "Async", OP_COMMIT = "Commit", OP_FAILURE = "Failure", OP_ON_FAILURE = "OnFailure", OP_ON_SUCCESS = "OnSuccess", OP_ON_SUCCESS_AND_FAILURE = "OnSuccessAndFailure", OP_SUCCESS = "Success", OP_SYNC = "Sync";
var OP_UPDATE_RUNTIME_FLAGS = "UpdateRuntimeFlags", OP_WHILE = "While", OP_ITERATOR = "Iterator", OP_WITH_RUNTIME = "WithRuntime", OP_YIELD = "Yield", OP_REVERT_FLAGS = "RevertFlags";

// node_modules/effect/dist/esm/internal/version.js
var moduleVersion = "3.22.4", getCurrentVersion = () => moduleVersion;

// node_modules/effect/dist/esm/internal/effectable.js
var EffectTypeId = /* @__PURE__ */ Symbol.for("effect/Effect"), StreamTypeId = /* @__PURE__ */ Symbol.for("effect/Stream"), SinkTypeId = /* @__PURE__ */ Symbol.for("effect/Sink"), ChannelTypeId = /* @__PURE__ */ Symbol.for("effect/Channel"), effectVariance = {
  /* c8 ignore next */
  _R: (_) => _,
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _A: (_) => _,
  _V: /* @__PURE__ */ getCurrentVersion()
}, sinkVariance = {
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
}, channelVariance = {
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
}, EffectPrototype = {
  [EffectTypeId]: effectVariance,
  [StreamTypeId]: effectVariance,
  [SinkTypeId]: sinkVariance,
  [ChannelTypeId]: channelVariance,
  [symbol2](that) {
    return this === that;
  },
  [symbol]() {
    return cached(this, random(this));
  },
  [Symbol.iterator]() {
    return new SingleShotGen(new YieldWrap(this));
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, StructuralPrototype = {
  [symbol]() {
    return cached(this, structure(this));
  },
  [symbol2](that) {
    let selfKeys = Object.keys(this), thatKeys = Object.keys(that);
    if (selfKeys.length !== thatKeys.length)
      return !1;
    for (let key of selfKeys)
      if (!(key in that && equals(this[key], that[key])))
        return !1;
    return !0;
  }
}, CommitPrototype = {
  ...EffectPrototype,
  _op: OP_COMMIT
}, StructuralCommitPrototype = {
  ...CommitPrototype,
  ...StructuralPrototype
}, Base = /* @__PURE__ */ (function() {
  function Base2() {
  }
  return Base2.prototype = CommitPrototype, Base2;
})(), StructuralBase = /* @__PURE__ */ (function() {
  function Base2() {
  }
  return Base2.prototype = StructuralCommitPrototype, Base2;
})();

// node_modules/effect/dist/esm/internal/option.js
var TypeId = /* @__PURE__ */ Symbol.for("effect/Option"), CommonProto = {
  ...EffectPrototype,
  [TypeId]: {
    _A: (_) => _
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  toString() {
    return format(this.toJSON());
  }
}, SomeProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(CommonProto), {
  _tag: "Some",
  _op: "Some",
  [symbol2](that) {
    return isOption(that) && isSome(that) && equals(this.value, that.value);
  },
  [symbol]() {
    return cached(this, combine(hash(this._tag))(hash(this.value)));
  },
  toJSON() {
    return {
      _id: "Option",
      _tag: this._tag,
      value: toJSON(this.value)
    };
  }
}), NoneHash = /* @__PURE__ */ hash("None"), NoneProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(CommonProto), {
  _tag: "None",
  _op: "None",
  [symbol2](that) {
    return isOption(that) && isNone(that);
  },
  [symbol]() {
    return NoneHash;
  },
  toJSON() {
    return {
      _id: "Option",
      _tag: this._tag
    };
  }
}), isOption = (input) => hasProperty(input, TypeId), isNone = (fa) => fa._tag === "None", isSome = (fa) => fa._tag === "Some", none = /* @__PURE__ */ Object.create(NoneProto), some = (value) => {
  let a = Object.create(SomeProto);
  return a.value = value, a;
};

// node_modules/effect/dist/esm/internal/either.js
var TypeId2 = /* @__PURE__ */ Symbol.for("effect/Either"), CommonProto2 = {
  ...EffectPrototype,
  [TypeId2]: {
    _R: (_) => _
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  toString() {
    return format(this.toJSON());
  }
}, RightProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(CommonProto2), {
  _tag: "Right",
  _op: "Right",
  [symbol2](that) {
    return isEither(that) && isRight(that) && equals(this.right, that.right);
  },
  [symbol]() {
    return combine(hash(this._tag))(hash(this.right));
  },
  toJSON() {
    return {
      _id: "Either",
      _tag: this._tag,
      right: toJSON(this.right)
    };
  }
}), LeftProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(CommonProto2), {
  _tag: "Left",
  _op: "Left",
  [symbol2](that) {
    return isEither(that) && isLeft(that) && equals(this.left, that.left);
  },
  [symbol]() {
    return combine(hash(this._tag))(hash(this.left));
  },
  toJSON() {
    return {
      _id: "Either",
      _tag: this._tag,
      left: toJSON(this.left)
    };
  }
}), isEither = (input) => hasProperty(input, TypeId2), isLeft = (ma) => ma._tag === "Left", isRight = (ma) => ma._tag === "Right", left = (left2) => {
  let a = Object.create(LeftProto);
  return a.left = left2, a;
}, right = (right2) => {
  let a = Object.create(RightProto);
  return a.right = right2, a;
}, getLeft = (self) => isRight(self) ? none : some(self.left), getRight = (self) => isLeft(self) ? none : some(self.right), fromOption = /* @__PURE__ */ dual(2, (self, onNone) => isNone(self) ? left(onNone()) : right(self.value));

// node_modules/effect/dist/esm/Order.js
var make2 = (compare) => (self, that) => self === that ? 0 : compare(self, that);
var number3 = /* @__PURE__ */ make2((self, that) => self < that ? -1 : 1);
var mapInput2 = /* @__PURE__ */ dual(2, (self, f) => make2((b1, b2) => self(f(b1), f(b2))));
var greaterThan = (O) => dual(2, (self, that) => O(self, that) === 1);
var greaterThanOrEqualTo = (O) => dual(2, (self, that) => O(self, that) !== -1), min = (O) => dual(2, (self, that) => self === that || O(self, that) < 1 ? self : that), max = (O) => dual(2, (self, that) => self === that || O(self, that) > -1 ? self : that);

// node_modules/effect/dist/esm/Option.js
var none2 = () => none, some2 = some, isOption2 = isOption, isNone2 = isNone, isSome2 = isSome, match = /* @__PURE__ */ dual(2, (self, {
  onNone,
  onSome
}) => isNone2(self) ? onNone() : onSome(self.value));
var getRight2 = getRight;
var getOrElse = /* @__PURE__ */ dual(2, (self, onNone) => isNone2(self) ? onNone() : self.value), orElse = /* @__PURE__ */ dual(2, (self, that) => isNone2(self) ? that() : self), orElseSome = /* @__PURE__ */ dual(2, (self, onNone) => isNone2(self) ? some2(onNone()) : self);
var firstSomeOf = (collection) => {
  let out = none2();
  for (out of collection)
    if (isSome2(out))
      return out;
  return out;
}, fromNullable = (nullableValue) => nullableValue == null ? none2() : some2(nullableValue);
var getOrUndefined = /* @__PURE__ */ getOrElse(constUndefined), liftThrowable = (f) => (...a) => {
  try {
    return some2(f(...a));
  } catch {
    return none2();
  }
}, getOrThrowWith = /* @__PURE__ */ dual(2, (self, onNone) => {
  if (isSome2(self))
    return self.value;
  throw onNone();
}), getOrThrow = /* @__PURE__ */ getOrThrowWith(() => new Error("getOrThrow called on a None")), map = /* @__PURE__ */ dual(2, (self, f) => isNone2(self) ? none2() : some2(f(self.value)));
var flatMap = /* @__PURE__ */ dual(2, (self, f) => isNone2(self) ? none2() : f(self.value));
var flatMapNullable = /* @__PURE__ */ dual(2, (self, f) => isNone2(self) ? none2() : fromNullable(f(self.value))), flatten = /* @__PURE__ */ flatMap(identity);
var all = (input) => {
  if (Symbol.iterator in input) {
    let out2 = [];
    for (let o of input) {
      if (isNone2(o))
        return none2();
      out2.push(o.value);
    }
    return some2(out2);
  }
  let out = {};
  for (let key of Object.keys(input)) {
    let o = input[key];
    if (isNone2(o))
      return none2();
    out[key] = o.value;
  }
  return some2(out);
};
var toArray = (self) => isNone2(self) ? [] : [self.value];
var filterMap = flatMap, filter = /* @__PURE__ */ dual(2, (self, predicate) => filterMap(self, (b) => predicate(b) ? some(b) : none)), getEquivalence = (isEquivalent) => make((x, y) => isNone2(x) ? isNone2(y) : isNone2(y) ? !1 : isEquivalent(x.value, y.value));
var containsWith = (isEquivalent) => dual(2, (self, a) => isNone2(self) ? !1 : isEquivalent(self.value, a)), _equivalence = /* @__PURE__ */ equivalence(), contains = /* @__PURE__ */ containsWith(_equivalence), exists = /* @__PURE__ */ dual(2, (self, refinement) => isNone2(self) ? !1 : refinement(self.value));
var mergeWith = (f) => (o1, o2) => isNone2(o1) ? o2 : isNone2(o2) ? o1 : some2(f(o1.value, o2.value));

export {
  dual,
  identity,
  constant,
  constTrue,
  constFalse,
  constUndefined,
  constVoid,
  pipe,
  flow,
  globalValue,
  isString,
  isNumber,
  isBoolean,
  isBigInt,
  isSymbol,
  isFunction2 as isFunction,
  isUndefined,
  isNotUndefined,
  isNotNull,
  isNever,
  isRecordOrArray,
  isObject,
  hasProperty,
  isTagged,
  isNotNullable,
  isUint8Array,
  isDate,
  isIterable,
  isRecord,
  isPromiseLike,
  or,
  getBugErrorMessage,
  isGenKind,
  SingleShotGen,
  adapter,
  PCGRandom,
  YieldWrap,
  yieldWrapGet,
  internalCall,
  isGeneratorFunction,
  symbol,
  hash,
  random,
  combine,
  number,
  string,
  structure,
  array,
  cached,
  symbol2,
  equals,
  isEqual,
  equivalence,
  NodeInspectSymbol,
  toJSON,
  formatDate,
  formatPropertyKey,
  formatUnknown,
  format,
  BaseProto,
  Class,
  toStringUnknown,
  stringifyCircular,
  symbolRedactable,
  withRedactableContext,
  redact,
  pipeArguments,
  OP_ASYNC,
  OP_COMMIT,
  OP_FAILURE,
  OP_ON_FAILURE,
  OP_ON_SUCCESS,
  OP_ON_SUCCESS_AND_FAILURE,
  OP_SUCCESS,
  OP_SYNC,
  OP_UPDATE_RUNTIME_FLAGS,
  OP_WHILE,
  OP_ITERATOR,
  OP_WITH_RUNTIME,
  OP_YIELD,
  OP_REVERT_FLAGS,
  getCurrentVersion,
  effectVariance,
  EffectPrototype,
  StructuralPrototype,
  CommitPrototype,
  StructuralCommitPrototype,
  Base,
  StructuralBase,
  none,
  some,
  make,
  mapInput,
  Date2 as Date,
  array2,
  bindTo,
  bind,
  isEither,
  isLeft,
  isRight,
  left,
  right,
  getLeft,
  getRight,
  fromOption,
  make2,
  number3 as number2,
  mapInput2,
  greaterThan,
  greaterThanOrEqualTo,
  min,
  max,
  none2,
  some2,
  isOption2 as isOption,
  isNone2 as isNone,
  isSome2 as isSome,
  match,
  getRight2,
  getOrElse,
  orElse,
  orElseSome,
  firstSomeOf,
  fromNullable,
  getOrUndefined,
  liftThrowable,
  getOrThrow,
  map,
  flatMap,
  flatMapNullable,
  flatten,
  all,
  toArray,
  filter,
  getEquivalence,
  contains,
  exists,
  mergeWith
};
