import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  isLeft,
  isRight,
  left,
  merge,
  right
} from "./chunk-FWQRLSGQ.js";
import {
  Base,
  CommitPrototype,
  EffectPrototype,
  NodeInspectSymbol,
  OP_ASYNC,
  OP_COMMIT,
  OP_FAILURE,
  OP_ITERATOR,
  OP_ON_FAILURE,
  OP_ON_SUCCESS,
  OP_ON_SUCCESS_AND_FAILURE,
  OP_REVERT_FLAGS,
  OP_SUCCESS,
  OP_SYNC,
  OP_UPDATE_RUNTIME_FLAGS,
  OP_WHILE,
  OP_WITH_RUNTIME,
  OP_YIELD,
  PCGRandom,
  SingleShotGen,
  StructuralBase,
  StructuralCommitPrototype,
  StructuralPrototype,
  YieldWrap,
  all,
  array,
  array2,
  bind,
  bindTo,
  cached,
  combine,
  constFalse,
  constTrue,
  constVoid,
  constant,
  contains,
  dual,
  effectVariance,
  equals,
  equivalence,
  flatMap,
  format,
  fromNullable,
  getBugErrorMessage,
  getCurrentVersion,
  getOrElse,
  getOrThrow,
  getOrUndefined,
  globalValue,
  greaterThan,
  greaterThanOrEqualTo,
  hasProperty,
  hash,
  identity,
  internalCall,
  isBigInt,
  isEqual,
  isFunction,
  isGeneratorFunction,
  isIterable,
  isNone,
  isNumber,
  isObject,
  isPromiseLike,
  isSome,
  isString,
  isTagged,
  make,
  make2,
  map,
  mapInput,
  mapInput2,
  match,
  max,
  mergeWith,
  min,
  none,
  none2,
  number,
  number2,
  orElseSome,
  pipe,
  pipeArguments,
  random,
  some,
  some2,
  string,
  stringifyCircular,
  structure,
  symbol,
  symbol2,
  toJSON,
  toStringUnknown,
  withRedactableContext,
  yieldWrapGet
} from "./chunk-ANBJACJV.js";

// node_modules/effect/dist/esm/internal/stackTraceLimit.js
var ObjectGetOwnPropertyDescriptor = Object.getOwnPropertyDescriptor, ObjectPrototypeHasOwnProperty = Object.prototype.hasOwnProperty, ObjectIsExtensible = Object.isExtensible, isStackTraceLimitWritable = () => {
  let desc = ObjectGetOwnPropertyDescriptor(Error, "stackTraceLimit");
  return desc === void 0 ? ObjectIsExtensible(Error) : ObjectPrototypeHasOwnProperty.call(desc, "writable") ? desc.writable === !0 : desc.set !== void 0;
}, canWriteStackTraceLimit = /* @__PURE__ */ isStackTraceLimitWritable(), getStackTraceLimit = () => Error.stackTraceLimit, setStackTraceLimit = (value) => {
  canWriteStackTraceLimit && (Error.stackTraceLimit = value);
};

// node_modules/effect/dist/esm/internal/context.js
var TagTypeId = /* @__PURE__ */ Symbol.for("effect/Context/Tag"), ReferenceTypeId = /* @__PURE__ */ Symbol.for("effect/Context/Reference"), STMSymbolKey = "effect/STM", STMTypeId = /* @__PURE__ */ Symbol.for(STMSymbolKey), TagProto = {
  ...EffectPrototype,
  _op: "Tag",
  [STMTypeId]: effectVariance,
  [TagTypeId]: {
    _Service: (_) => _,
    _Identifier: (_) => _
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "Tag",
      key: this.key,
      stack: this.stack
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  of(self) {
    return self;
  },
  context(self) {
    return make3(this, self);
  }
}, ReferenceProto = {
  ...TagProto,
  [ReferenceTypeId]: ReferenceTypeId
}, makeGenericTag = (key) => {
  let limit = getStackTraceLimit();
  setStackTraceLimit(2);
  let creationError = new Error();
  setStackTraceLimit(limit);
  let tag = Object.create(TagProto);
  return Object.defineProperty(tag, "stack", {
    get() {
      return creationError.stack;
    }
  }), tag.key = key, tag;
}, Tag = (id2) => () => {
  let limit = getStackTraceLimit();
  setStackTraceLimit(2);
  let creationError = new Error();
  setStackTraceLimit(limit);
  function TagClass() {
  }
  return Object.setPrototypeOf(TagClass, TagProto), TagClass.key = id2, Object.defineProperty(TagClass, "stack", {
    get() {
      return creationError.stack;
    }
  }), TagClass;
}, Reference = () => (id2, options) => {
  let limit = getStackTraceLimit();
  setStackTraceLimit(2);
  let creationError = new Error();
  setStackTraceLimit(limit);
  function ReferenceClass() {
  }
  return Object.setPrototypeOf(ReferenceClass, ReferenceProto), ReferenceClass.key = id2, ReferenceClass.defaultValue = options.defaultValue, Object.defineProperty(ReferenceClass, "stack", {
    get() {
      return creationError.stack;
    }
  }), ReferenceClass;
}, TypeId = /* @__PURE__ */ Symbol.for("effect/Context"), ContextProto = {
  [TypeId]: {
    _Services: (_) => _
  },
  [symbol2](that) {
    if (isContext(that) && this.unsafeMap.size === that.unsafeMap.size) {
      for (let k of this.unsafeMap.keys())
        if (!that.unsafeMap.has(k) || !equals(this.unsafeMap.get(k), that.unsafeMap.get(k)))
          return !1;
      return !0;
    }
    return !1;
  },
  [symbol]() {
    return cached(this, number(this.unsafeMap.size));
  },
  pipe() {
    return pipeArguments(this, arguments);
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "Context",
      services: Array.from(this.unsafeMap).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
}, makeContext = (unsafeMap) => {
  let context4 = Object.create(ContextProto);
  return context4.unsafeMap = unsafeMap, context4;
}, serviceNotFoundError = (tag) => {
  let error = new Error(`Service not found${tag.key ? `: ${String(tag.key)}` : ""}`);
  if (tag.stack) {
    let lines = tag.stack.split(`
`);
    if (lines.length > 2) {
      let afterAt = lines[2].match(/at (.*)/);
      afterAt && (error.message = error.message + ` (defined at ${afterAt[1]})`);
    }
  }
  if (error.stack) {
    let lines = error.stack.split(`
`);
    lines.splice(1, 3), error.stack = lines.join(`
`);
  }
  return error;
}, isContext = (u) => hasProperty(u, TypeId), isTag = (u) => hasProperty(u, TagTypeId), isReference = (u) => hasProperty(u, ReferenceTypeId), _empty = /* @__PURE__ */ makeContext(/* @__PURE__ */ new Map()), empty = () => _empty, make3 = (tag, service2) => makeContext(/* @__PURE__ */ new Map([[tag.key, service2]])), add = /* @__PURE__ */ dual(3, (self, tag, service2) => {
  let map18 = new Map(self.unsafeMap);
  return map18.set(tag.key, service2), makeContext(map18);
}), defaultValueCache = /* @__PURE__ */ globalValue("effect/Context/defaultValueCache", () => /* @__PURE__ */ new Map()), getDefaultValue = (tag) => {
  if (defaultValueCache.has(tag.key))
    return defaultValueCache.get(tag.key);
  let value = tag.defaultValue();
  return defaultValueCache.set(tag.key, value), value;
}, unsafeGetReference = (self, tag) => self.unsafeMap.has(tag.key) ? self.unsafeMap.get(tag.key) : getDefaultValue(tag), unsafeGet = /* @__PURE__ */ dual(2, (self, tag) => {
  if (!self.unsafeMap.has(tag.key)) {
    if (ReferenceTypeId in tag) return getDefaultValue(tag);
    throw serviceNotFoundError(tag);
  }
  return self.unsafeMap.get(tag.key);
}), get = unsafeGet, getOrElse2 = /* @__PURE__ */ dual(3, (self, tag, orElse5) => self.unsafeMap.has(tag.key) ? self.unsafeMap.get(tag.key) : isReference(tag) ? getDefaultValue(tag) : orElse5()), getOption = /* @__PURE__ */ dual(2, (self, tag) => self.unsafeMap.has(tag.key) ? some(self.unsafeMap.get(tag.key)) : isReference(tag) ? some(getDefaultValue(tag)) : none), merge2 = /* @__PURE__ */ dual(2, (self, that) => {
  let map18 = new Map(self.unsafeMap);
  for (let [tag, s] of that.unsafeMap)
    map18.set(tag, s);
  return makeContext(map18);
}), mergeAll = (...ctxs) => {
  let map18 = /* @__PURE__ */ new Map();
  for (let i = 0; i < ctxs.length; i++)
    ctxs[i].unsafeMap.forEach((value, key) => {
      map18.set(key, value);
    });
  return makeContext(map18);
};
var omit = (...tags) => (self) => {
  let newEnv = new Map(self.unsafeMap);
  for (let tag of tags)
    newEnv.delete(tag.key);
  return makeContext(newEnv);
};

// node_modules/effect/dist/esm/Context.js
var GenericTag = makeGenericTag;
var unsafeMake = makeContext, isContext2 = isContext, isTag2 = isTag;
var empty2 = empty, make4 = make3, add2 = add, get2 = get, getOrElse3 = getOrElse2, unsafeGet2 = unsafeGet, getOption2 = getOption, merge3 = merge2, mergeAll2 = mergeAll;
var omit2 = omit, Tag2 = Tag, Reference2 = Reference;

// node_modules/effect/dist/esm/internal/array.js
var isNonEmptyArray = (self) => self.length > 0;

// node_modules/effect/dist/esm/Tuple.js
var make5 = (...elements) => elements;

// node_modules/effect/dist/esm/Iterable.js
var head = (self) => {
  let result = self[Symbol.iterator]().next();
  return result.done ? none2() : some2(result.value);
}, unsafeHead = (self) => {
  let result = self[Symbol.iterator]().next();
  if (result.done) throw new Error("unsafeHead: empty iterable");
  return result.value;
};
var constEmpty = {
  [Symbol.iterator]() {
    return constEmptyIterator;
  }
}, constEmptyIterator = {
  next() {
    return {
      done: !0,
      value: void 0
    };
  }
}, empty3 = () => constEmpty;
var map2 = /* @__PURE__ */ dual(2, (self, f) => ({
  [Symbol.iterator]() {
    let iterator = self[Symbol.iterator](), i = 0;
    return {
      next() {
        let result = iterator.next();
        return result.done ? {
          done: !0,
          value: void 0
        } : {
          done: !1,
          value: f(result.value, i++)
        };
      }
    };
  }
}));
var filter = /* @__PURE__ */ dual(2, (self, predicate) => ({
  [Symbol.iterator]() {
    let iterator = self[Symbol.iterator](), i = 0;
    return {
      next() {
        let result = iterator.next();
        for (; !result.done; ) {
          if (predicate(result.value, i++))
            return {
              done: !1,
              value: result.value
            };
          result = iterator.next();
        }
        return {
          done: !0,
          value: void 0
        };
      }
    };
  }
}));

// node_modules/effect/dist/esm/Record.js
var empty4 = () => ({}), isEmptyRecord = (self) => keys(self).length === 0;
var has = /* @__PURE__ */ dual(2, (self, key) => Object.prototype.hasOwnProperty.call(self, key));
var map3 = /* @__PURE__ */ dual(2, (self, f) => {
  let out = {
    ...self
  };
  for (let key of keys(self))
    out[key] = f(self[key], key);
  return out;
});
var keys = (self) => Object.keys(self);
var set = /* @__PURE__ */ dual(3, (self, key, value) => ({
  ...self,
  [key]: value
}));

// node_modules/effect/dist/esm/Array.js
var make6 = (...elements) => elements, allocate = (n) => new Array(n), makeBy = /* @__PURE__ */ dual(2, (n, f) => {
  let max6 = Math.max(1, Math.floor(n)), out = new Array(max6);
  for (let i = 0; i < max6; i++)
    out[i] = f(i);
  return out;
});
var fromIterable = (collection) => Array.isArray(collection) ? collection : Array.from(collection), ensure = (self) => Array.isArray(self) ? self : [self];
var matchLeft = /* @__PURE__ */ dual(2, (self, {
  onEmpty,
  onNonEmpty
}) => isNonEmptyReadonlyArray(self) ? onNonEmpty(headNonEmpty(self), tailNonEmpty(self)) : onEmpty());
var prepend = /* @__PURE__ */ dual(2, (self, head5) => [head5, ...self]);
var append = /* @__PURE__ */ dual(2, (self, last3) => [...self, last3]), appendAll = /* @__PURE__ */ dual(2, (self, that) => fromIterable(self).concat(fromIterable(that)));
var isArray = Array.isArray, isEmptyArray = (self) => self.length === 0, isEmptyReadonlyArray = isEmptyArray, isNonEmptyArray2 = isNonEmptyArray, isNonEmptyReadonlyArray = isNonEmptyArray;
var isOutOfBounds = (i, as5) => i < 0 || i >= as5.length, clamp = (i, as5) => Math.floor(Math.min(Math.max(0, i), as5.length)), get3 = /* @__PURE__ */ dual(2, (self, index) => {
  let i = Math.floor(index);
  return isOutOfBounds(i, self) ? none2() : some2(self[i]);
}), unsafeGet3 = /* @__PURE__ */ dual(2, (self, index) => {
  let i = Math.floor(index);
  if (isOutOfBounds(i, self))
    throw new Error(`Index ${i} out of bounds`);
  return self[i];
});
var head2 = /* @__PURE__ */ get3(0), headNonEmpty = /* @__PURE__ */ unsafeGet3(0), last = (self) => isNonEmptyReadonlyArray(self) ? some2(lastNonEmpty(self)) : none2(), lastNonEmpty = (self) => self[self.length - 1];
var tailNonEmpty = (self) => self.slice(1);
var spanIndex = (self, predicate) => {
  let i = 0;
  for (let a of self) {
    if (!predicate(a, i))
      break;
    i++;
  }
  return i;
}, span = /* @__PURE__ */ dual(2, (self, predicate) => splitAt(self, spanIndex(self, predicate))), drop = /* @__PURE__ */ dual(2, (self, n) => {
  let input = fromIterable(self);
  return input.slice(clamp(n, input), input.length);
});
var reverse = (self) => Array.from(self).reverse(), sort = /* @__PURE__ */ dual(2, (self, O) => {
  let out = Array.from(self);
  return out.sort(O), out;
});
var zip = /* @__PURE__ */ dual(2, (self, that) => zipWith(self, that, make5)), zipWith = /* @__PURE__ */ dual(3, (self, that, f) => {
  let as5 = fromIterable(self), bs = fromIterable(that);
  if (isNonEmptyReadonlyArray(as5) && isNonEmptyReadonlyArray(bs)) {
    let out = [f(headNonEmpty(as5), headNonEmpty(bs))], len = Math.min(as5.length, bs.length);
    for (let i = 1; i < len; i++)
      out[i] = f(as5[i], bs[i]);
    return out;
  }
  return [];
});
var _equivalence = /* @__PURE__ */ equivalence();
var splitAt = /* @__PURE__ */ dual(2, (self, n) => {
  let input = Array.from(self), _n = Math.floor(n);
  return isNonEmptyReadonlyArray(input) ? _n >= 1 ? splitNonEmptyAt(input, _n) : [[], input] : [input, []];
}), splitNonEmptyAt = /* @__PURE__ */ dual(2, (self, n) => {
  let _n = Math.max(1, Math.floor(n));
  return _n >= self.length ? [copy(self), []] : [prepend(self.slice(1, _n), headNonEmpty(self)), self.slice(_n)];
});
var copy = (self) => self.slice();
var groupBy = /* @__PURE__ */ dual(2, (self, f) => {
  let out = {};
  for (let a of self) {
    let k = f(a);
    Object.prototype.hasOwnProperty.call(out, k) ? out[k].push(a) : out[k] = [a];
  }
  return out;
}), unionWith = /* @__PURE__ */ dual(3, (self, that, isEquivalent) => {
  let a = fromIterable(self), b = fromIterable(that);
  return isNonEmptyReadonlyArray(a) ? isNonEmptyReadonlyArray(b) ? dedupeWith(isEquivalent)(appendAll(a, b)) : a : b;
}), union = /* @__PURE__ */ dual(2, (self, that) => unionWith(self, that, _equivalence));
var empty5 = () => [], of = (a) => [a], map4 = /* @__PURE__ */ dual(2, (self, f) => self.map(f)), flatMap2 = /* @__PURE__ */ dual(2, (self, f) => {
  if (isEmptyReadonlyArray(self))
    return [];
  let out = [];
  for (let i = 0; i < self.length; i++) {
    let inner = f(self[i], i);
    for (let j = 0; j < inner.length; j++)
      out.push(inner[j]);
  }
  return out;
}), flatten = /* @__PURE__ */ flatMap2(identity), filterMap = /* @__PURE__ */ dual(2, (self, f) => {
  let as5 = fromIterable(self), out = [];
  for (let i = 0; i < as5.length; i++) {
    let o = f(as5[i], i);
    isSome(o) && out.push(o.value);
  }
  return out;
});
var partitionMap = /* @__PURE__ */ dual(2, (self, f) => {
  let left2 = [], right2 = [], as5 = fromIterable(self);
  for (let i = 0; i < as5.length; i++) {
    let e = f(as5[i], i);
    isLeft(e) ? left2.push(e.left) : right2.push(e.right);
  }
  return [left2, right2];
}), getSomes = /* @__PURE__ */ filterMap(identity);
var filter2 = /* @__PURE__ */ dual(2, (self, predicate) => {
  let as5 = fromIterable(self), out = [];
  for (let i = 0; i < as5.length; i++)
    predicate(as5[i], i) && out.push(as5[i]);
  return out;
});
var reduce = /* @__PURE__ */ dual(3, (self, b, f) => fromIterable(self).reduce((b2, a, i) => f(b2, a, i), b));
var unfold = (b, f) => {
  let out = [], next3 = b, o;
  for (; isSome(o = f(next3)); ) {
    let [a, b2] = o.value;
    out.push(a), next3 = b2;
  }
  return out;
};
var getEquivalence = array2;
var dedupeWith = /* @__PURE__ */ dual(2, (self, isEquivalent) => {
  let input = fromIterable(self);
  if (isNonEmptyReadonlyArray(input)) {
    let out = [headNonEmpty(input)], rest = tailNonEmpty(input);
    for (let r of rest)
      out.every((a) => !isEquivalent(r, a)) && out.push(r);
    return out;
  }
  return [];
}), dedupe = (self) => dedupeWith(self, equivalence());
var join = /* @__PURE__ */ dual(2, (self, sep) => fromIterable(self).join(sep)), mapAccum = /* @__PURE__ */ dual(3, (self, s, f) => {
  let i = 0, s1 = s, out = [];
  for (let a of self) {
    let r = f(s1, a, i);
    s1 = r[0], out.push(r[1]), i++;
  }
  return [s1, out];
});

// node_modules/effect/dist/esm/Chunk.js
var TypeId2 = /* @__PURE__ */ Symbol.for("effect/Chunk");
function copy2(src, srcPos, dest, destPos, len) {
  for (let i = srcPos; i < Math.min(src.length, srcPos + len); i++)
    dest[destPos + i - srcPos] = src[i];
  return dest;
}
var emptyArray = [], getEquivalence2 = (isEquivalent) => make((self, that) => self.length === that.length && toReadonlyArray(self).every((value, i) => isEquivalent(value, unsafeGet4(that, i)))), _equivalence2 = /* @__PURE__ */ getEquivalence2(equals), ChunkProto = {
  [TypeId2]: {
    _A: (_) => _
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "Chunk",
      values: toReadonlyArray(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  [symbol2](that) {
    return isChunk(that) && _equivalence2(this, that);
  },
  [symbol]() {
    return cached(this, array(toReadonlyArray(this)));
  },
  [Symbol.iterator]() {
    switch (this.backing._tag) {
      case "IArray":
        return this.backing.array[Symbol.iterator]();
      case "IEmpty":
        return emptyArray[Symbol.iterator]();
      default:
        return toReadonlyArray(this)[Symbol.iterator]();
    }
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, makeChunk = (backing) => {
  let chunk2 = Object.create(ChunkProto);
  switch (chunk2.backing = backing, backing._tag) {
    case "IEmpty": {
      chunk2.length = 0, chunk2.depth = 0, chunk2.left = chunk2, chunk2.right = chunk2;
      break;
    }
    case "IConcat": {
      chunk2.length = backing.left.length + backing.right.length, chunk2.depth = 1 + Math.max(backing.left.depth, backing.right.depth), chunk2.left = backing.left, chunk2.right = backing.right;
      break;
    }
    case "IArray": {
      chunk2.length = backing.array.length, chunk2.depth = 0, chunk2.left = _empty2, chunk2.right = _empty2;
      break;
    }
    case "ISingleton": {
      chunk2.length = 1, chunk2.depth = 0, chunk2.left = _empty2, chunk2.right = _empty2;
      break;
    }
    case "ISlice": {
      chunk2.length = backing.length, chunk2.depth = backing.chunk.depth + 1, chunk2.left = _empty2, chunk2.right = _empty2;
      break;
    }
  }
  return chunk2;
}, isChunk = (u) => hasProperty(u, TypeId2), _empty2 = /* @__PURE__ */ makeChunk({
  _tag: "IEmpty"
}), empty6 = () => _empty2, make7 = (...as5) => unsafeFromNonEmptyArray(as5), of2 = (a) => makeChunk({
  _tag: "ISingleton",
  a
}), fromIterable2 = (self) => isChunk(self) ? self : unsafeFromArray(fromIterable(self)), copyToArray = (self, array3, initial) => {
  switch (self.backing._tag) {
    case "IArray": {
      copy2(self.backing.array, 0, array3, initial, self.length);
      break;
    }
    case "IConcat": {
      copyToArray(self.left, array3, initial), copyToArray(self.right, array3, initial + self.left.length);
      break;
    }
    case "ISingleton": {
      array3[initial] = self.backing.a;
      break;
    }
    case "ISlice": {
      let i = 0, j = initial;
      for (; i < self.length; )
        array3[j] = unsafeGet4(self, i), i += 1, j += 1;
      break;
    }
  }
}, toArray_ = (self) => toReadonlyArray(self).slice(), toArray2 = toArray_, toReadonlyArray_ = (self) => {
  switch (self.backing._tag) {
    case "IEmpty":
      return emptyArray;
    case "IArray":
      return self.backing.array;
    default: {
      let arr = new Array(self.length);
      return copyToArray(self, arr, 0), self.backing = {
        _tag: "IArray",
        array: arr
      }, self.left = _empty2, self.right = _empty2, self.depth = 0, arr;
    }
  }
}, toReadonlyArray = toReadonlyArray_, reverseChunk = (self) => {
  switch (self.backing._tag) {
    case "IEmpty":
    case "ISingleton":
      return self;
    case "IArray":
      return makeChunk({
        _tag: "IArray",
        array: reverse(self.backing.array)
      });
    case "IConcat":
      return makeChunk({
        _tag: "IConcat",
        left: reverse2(self.backing.right),
        right: reverse2(self.backing.left)
      });
    case "ISlice":
      return unsafeFromArray(reverse(toReadonlyArray(self)));
  }
}, reverse2 = reverseChunk, get4 = /* @__PURE__ */ dual(2, (self, index) => index < 0 || index >= self.length ? none2() : some2(unsafeGet4(self, index))), unsafeFromArray = (self) => self.length === 0 ? empty6() : self.length === 1 ? of2(self[0]) : makeChunk({
  _tag: "IArray",
  array: self
}), unsafeFromNonEmptyArray = (self) => unsafeFromArray(self), unsafeGet4 = /* @__PURE__ */ dual(2, (self, index) => {
  switch (self.backing._tag) {
    case "IEmpty":
      throw new Error("Index out of bounds");
    case "ISingleton": {
      if (index !== 0)
        throw new Error("Index out of bounds");
      return self.backing.a;
    }
    case "IArray": {
      if (index >= self.length || index < 0)
        throw new Error("Index out of bounds");
      return self.backing.array[index];
    }
    case "IConcat":
      return index < self.left.length ? unsafeGet4(self.left, index) : unsafeGet4(self.right, index - self.left.length);
    case "ISlice":
      return unsafeGet4(self.backing.chunk, index + self.backing.offset);
  }
}), append2 = /* @__PURE__ */ dual(2, (self, a) => appendAll2(self, of2(a))), prepend2 = /* @__PURE__ */ dual(2, (self, elem) => appendAll2(of2(elem), self)), take = /* @__PURE__ */ dual(2, (self, n) => {
  if (n <= 0)
    return _empty2;
  if (n >= self.length)
    return self;
  switch (self.backing._tag) {
    case "ISlice":
      return makeChunk({
        _tag: "ISlice",
        chunk: self.backing.chunk,
        length: n,
        offset: self.backing.offset
      });
    case "IConcat":
      return n > self.left.length ? makeChunk({
        _tag: "IConcat",
        left: self.left,
        right: take(self.right, n - self.left.length)
      }) : take(self.left, n);
    default:
      return makeChunk({
        _tag: "ISlice",
        chunk: self,
        offset: 0,
        length: n
      });
  }
}), drop2 = /* @__PURE__ */ dual(2, (self, n) => {
  if (n <= 0)
    return self;
  if (n >= self.length)
    return _empty2;
  switch (self.backing._tag) {
    case "ISlice":
      return makeChunk({
        _tag: "ISlice",
        chunk: self.backing.chunk,
        offset: self.backing.offset + n,
        length: self.backing.length - n
      });
    case "IConcat":
      return n > self.left.length ? drop2(self.right, n - self.left.length) : makeChunk({
        _tag: "IConcat",
        left: drop2(self.left, n),
        right: self.right
      });
    default:
      return makeChunk({
        _tag: "ISlice",
        chunk: self,
        offset: n,
        length: self.length - n
      });
  }
});
var appendAll2 = /* @__PURE__ */ dual(2, (self, that) => {
  if (self.backing._tag === "IEmpty")
    return that;
  if (that.backing._tag === "IEmpty")
    return self;
  let diff8 = that.depth - self.depth;
  if (Math.abs(diff8) <= 1)
    return makeChunk({
      _tag: "IConcat",
      left: self,
      right: that
    });
  if (diff8 < -1)
    if (self.left.depth >= self.right.depth) {
      let nr = appendAll2(self.right, that);
      return makeChunk({
        _tag: "IConcat",
        left: self.left,
        right: nr
      });
    } else {
      let nrr = appendAll2(self.right.right, that);
      if (nrr.depth === self.depth - 3) {
        let nr = makeChunk({
          _tag: "IConcat",
          left: self.right.left,
          right: nrr
        });
        return makeChunk({
          _tag: "IConcat",
          left: self.left,
          right: nr
        });
      } else {
        let nl = makeChunk({
          _tag: "IConcat",
          left: self.left,
          right: self.right.left
        });
        return makeChunk({
          _tag: "IConcat",
          left: nl,
          right: nrr
        });
      }
    }
  else if (that.right.depth >= that.left.depth) {
    let nl = appendAll2(self, that.left);
    return makeChunk({
      _tag: "IConcat",
      left: nl,
      right: that.right
    });
  } else {
    let nll = appendAll2(self, that.left.left);
    if (nll.depth === that.depth - 3) {
      let nl = makeChunk({
        _tag: "IConcat",
        left: nll,
        right: that.left.right
      });
      return makeChunk({
        _tag: "IConcat",
        left: nl,
        right: that.right
      });
    } else {
      let nr = makeChunk({
        _tag: "IConcat",
        left: that.left.right,
        right: that.right
      });
      return makeChunk({
        _tag: "IConcat",
        left: nll,
        right: nr
      });
    }
  }
}), filterMap2 = /* @__PURE__ */ dual(2, (self, f) => unsafeFromArray(filterMap(self, f))), filter3 = /* @__PURE__ */ dual(2, (self, predicate) => unsafeFromArray(filter2(self, predicate)));
var flatMap3 = /* @__PURE__ */ dual(2, (self, f) => {
  if (self.backing._tag === "ISingleton")
    return f(self.backing.a, 0);
  let out = _empty2, i = 0;
  for (let k of self)
    out = appendAll2(out, f(k, i++));
  return out;
}), forEach = /* @__PURE__ */ dual(2, (self, f) => toReadonlyArray(self).forEach(f));
var chunksOf = /* @__PURE__ */ dual(2, (self, n) => {
  let gr = [], current = [];
  return toReadonlyArray(self).forEach((a) => {
    current.push(a), current.length >= n && (gr.push(unsafeFromArray(current)), current = []);
  }), current.length > 0 && gr.push(unsafeFromArray(current)), unsafeFromArray(gr);
});
var isEmpty = (self) => self.length === 0, isNonEmpty = (self) => self.length > 0, head3 = /* @__PURE__ */ get4(0), unsafeHead2 = (self) => unsafeGet4(self, 0), headNonEmpty2 = unsafeHead2;
var map5 = /* @__PURE__ */ dual(2, (self, f) => self.backing._tag === "ISingleton" ? of2(f(self.backing.a, 0)) : unsafeFromArray(pipe(toReadonlyArray(self), map4((a, i) => f(a, i))))), mapAccum2 = /* @__PURE__ */ dual(3, (self, s, f) => {
  let [s1, as5] = mapAccum(self, s, f);
  return [s1, unsafeFromArray(as5)];
});
var splitAt2 = /* @__PURE__ */ dual(2, (self, n) => [take(self, n), drop2(self, n)]);
var splitWhere = /* @__PURE__ */ dual(2, (self, predicate) => {
  let i = 0;
  for (let a of toReadonlyArray(self)) {
    if (predicate(a))
      break;
    i++;
  }
  return splitAt2(self, i);
});
var tailNonEmpty2 = (self) => drop2(self, 1), takeRight = /* @__PURE__ */ dual(2, (self, n) => drop2(self, self.length - n)), takeWhile = /* @__PURE__ */ dual(2, (self, predicate) => {
  let out = [];
  for (let a of toReadonlyArray(self))
    if (predicate(a))
      out.push(a);
    else
      break;
  return unsafeFromArray(out);
});
var makeBy2 = /* @__PURE__ */ dual(2, (n, f) => fromIterable2(makeBy(n, f))), range = (start3, end3) => start3 <= end3 ? makeBy2(end3 - start3 + 1, (i) => start3 + i) : of2(start3);
var some3 = /* @__PURE__ */ dual(2, (self, predicate) => fromIterable(self).some(predicate));
var reduce2 = reduce;

// node_modules/effect/dist/esm/Duration.js
var TypeId3 = /* @__PURE__ */ Symbol.for("effect/Duration"), bigint0 = /* @__PURE__ */ BigInt(0), bigint24 = /* @__PURE__ */ BigInt(24), bigint60 = /* @__PURE__ */ BigInt(60), bigint1e3 = /* @__PURE__ */ BigInt(1e3), bigint1e6 = /* @__PURE__ */ BigInt(1e6), bigint1e9 = /* @__PURE__ */ BigInt(1e9), DURATION_REGEX = /^(-?\d+(?:\.\d+)?)\s+(nanos?|micros?|millis?|seconds?|minutes?|hours?|days?|weeks?)$/, parseNanos = (input, scale) => input.includes(".") ? BigInt(Math.round(Number(input) * scale)) : BigInt(input) * BigInt(scale), decode = (input) => {
  if (isDuration(input))
    return input;
  if (isNumber(input))
    return millis(input);
  if (isBigInt(input))
    return nanos(input);
  if (Array.isArray(input) && input.length === 2 && input.every(isNumber))
    return input[0] === -1 / 0 || input[1] === -1 / 0 || Number.isNaN(input[0]) || Number.isNaN(input[1]) ? zero : input[0] === 1 / 0 || input[1] === 1 / 0 ? infinity : nanos(BigInt(Math.round(input[0] * 1e9)) + BigInt(Math.round(input[1])));
  if (isString(input)) {
    let match12 = DURATION_REGEX.exec(input);
    if (match12) {
      let [_, valueStr, unit] = match12, value = Number(valueStr);
      switch (unit) {
        case "nano":
        case "nanos":
          return nanos(parseNanos(valueStr, 1));
        case "micro":
        case "micros":
          return nanos(parseNanos(valueStr, 1e3));
        case "milli":
        case "millis":
          return millis(value);
        case "second":
        case "seconds":
          return seconds(value);
        case "minute":
        case "minutes":
          return minutes(value);
        case "hour":
        case "hours":
          return hours(value);
        case "day":
        case "days":
          return days(value);
        case "week":
        case "weeks":
          return weeks(value);
      }
    }
  }
  throw new Error("Invalid DurationInput");
};
var zeroValue = {
  _tag: "Millis",
  millis: 0
}, infinityValue = {
  _tag: "Infinity"
}, DurationProto = {
  [TypeId3]: TypeId3,
  [symbol]() {
    return cached(this, structure(this.value));
  },
  [symbol2](that) {
    return isDuration(that) && equals2(this, that);
  },
  toString() {
    return `Duration(${format2(this)})`;
  },
  toJSON() {
    switch (this.value._tag) {
      case "Millis":
        return {
          _id: "Duration",
          _tag: "Millis",
          millis: this.value.millis
        };
      case "Nanos":
        return {
          _id: "Duration",
          _tag: "Nanos",
          hrtime: toHrTime(this)
        };
      case "Infinity":
        return {
          _id: "Duration",
          _tag: "Infinity"
        };
    }
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, make8 = (input) => {
  let duration = Object.create(DurationProto);
  return isNumber(input) ? isNaN(input) || input <= 0 ? duration.value = zeroValue : Number.isFinite(input) ? Number.isInteger(input) ? duration.value = {
    _tag: "Millis",
    millis: input
  } : duration.value = {
    _tag: "Nanos",
    nanos: BigInt(Math.round(input * 1e6))
  } : duration.value = infinityValue : input <= bigint0 ? duration.value = zeroValue : duration.value = {
    _tag: "Nanos",
    nanos: input
  }, duration;
}, isDuration = (u) => hasProperty(u, TypeId3), isFinite = (self) => self.value._tag !== "Infinity", isZero = (self) => {
  switch (self.value._tag) {
    case "Millis":
      return self.value.millis === 0;
    case "Nanos":
      return self.value.nanos === bigint0;
    case "Infinity":
      return !1;
  }
}, zero = /* @__PURE__ */ make8(0), infinity = /* @__PURE__ */ make8(1 / 0), nanos = (nanos2) => make8(nanos2);
var millis = (millis2) => make8(millis2), seconds = (seconds2) => make8(seconds2 * 1e3), minutes = (minutes2) => make8(minutes2 * 6e4), hours = (hours2) => make8(hours2 * 36e5), days = (days2) => make8(days2 * 864e5), weeks = (weeks2) => make8(weeks2 * 6048e5), toMillis = (self) => match2(self, {
  onMillis: (millis2) => millis2,
  onNanos: (nanos2) => Number(nanos2) / 1e6
}), toSeconds = (self) => match2(self, {
  onMillis: (millis2) => millis2 / 1e3,
  onNanos: (nanos2) => Number(nanos2) / 1e9
});
var unsafeToNanos = (self) => {
  let _self = decode(self);
  switch (_self.value._tag) {
    case "Infinity":
      throw new Error("Cannot convert infinite duration to nanos");
    case "Nanos":
      return _self.value.nanos;
    case "Millis":
      return BigInt(Math.round(_self.value.millis * 1e6));
  }
}, toHrTime = (self) => {
  let _self = decode(self);
  switch (_self.value._tag) {
    case "Infinity":
      return [1 / 0, 0];
    case "Nanos":
      return [Number(_self.value.nanos / bigint1e9), Number(_self.value.nanos % bigint1e9)];
    case "Millis":
      return [Math.floor(_self.value.millis / 1e3), Math.round(_self.value.millis % 1e3 * 1e6)];
  }
}, match2 = /* @__PURE__ */ dual(2, (self, options) => {
  let _self = decode(self);
  switch (_self.value._tag) {
    case "Nanos":
      return options.onNanos(_self.value.nanos);
    case "Infinity":
      return options.onMillis(1 / 0);
    case "Millis":
      return options.onMillis(_self.value.millis);
  }
}), matchWith = /* @__PURE__ */ dual(3, (self, that, options) => {
  let _self = decode(self), _that = decode(that);
  if (_self.value._tag === "Infinity" || _that.value._tag === "Infinity")
    return options.onMillis(toMillis(_self), toMillis(_that));
  if (_self.value._tag === "Nanos" || _that.value._tag === "Nanos") {
    let selfNanos = _self.value._tag === "Nanos" ? _self.value.nanos : BigInt(Math.round(_self.value.millis * 1e6)), thatNanos = _that.value._tag === "Nanos" ? _that.value.nanos : BigInt(Math.round(_that.value.millis * 1e6));
    return options.onNanos(selfNanos, thatNanos);
  }
  return options.onMillis(_self.value.millis, _that.value.millis);
}), Order = /* @__PURE__ */ make2((self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => self2 < that2 ? -1 : self2 > that2 ? 1 : 0,
  onNanos: (self2, that2) => self2 < that2 ? -1 : self2 > that2 ? 1 : 0
}));
var Equivalence = (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => self2 === that2,
  onNanos: (self2, that2) => self2 === that2
}), _min = /* @__PURE__ */ min(Order), min2 = /* @__PURE__ */ dual(2, (self, that) => _min(decode(self), decode(that))), _max = /* @__PURE__ */ max(Order), max2 = /* @__PURE__ */ dual(2, (self, that) => _max(decode(self), decode(that)));
var times = /* @__PURE__ */ dual(2, (self, times2) => match2(self, {
  onMillis: (millis2) => make8(millis2 * times2),
  onNanos: (nanos2) => {
    if (Number.isInteger(times2))
      return make8(nanos2 * BigInt(times2));
    let result = Number(nanos2) * times2;
    return make8(Number.isFinite(result) ? BigInt(Math.round(result)) : result);
  }
})), subtract = /* @__PURE__ */ dual(2, (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => make8(self2 - that2),
  onNanos: (self2, that2) => make8(self2 - that2)
})), sum = /* @__PURE__ */ dual(2, (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => make8(self2 + that2),
  onNanos: (self2, that2) => make8(self2 + that2)
})), lessThan = /* @__PURE__ */ dual(2, (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => self2 < that2,
  onNanos: (self2, that2) => self2 < that2
})), lessThanOrEqualTo = /* @__PURE__ */ dual(2, (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => self2 <= that2,
  onNanos: (self2, that2) => self2 <= that2
})), greaterThan2 = /* @__PURE__ */ dual(2, (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => self2 > that2,
  onNanos: (self2, that2) => self2 > that2
})), greaterThanOrEqualTo2 = /* @__PURE__ */ dual(2, (self, that) => matchWith(self, that, {
  onMillis: (self2, that2) => self2 >= that2,
  onNanos: (self2, that2) => self2 >= that2
})), equals2 = /* @__PURE__ */ dual(2, (self, that) => Equivalence(decode(self), decode(that))), parts = (self) => {
  let duration = decode(self);
  if (duration.value._tag === "Infinity")
    return {
      days: 1 / 0,
      hours: 1 / 0,
      minutes: 1 / 0,
      seconds: 1 / 0,
      millis: 1 / 0,
      nanos: 1 / 0
    };
  let nanos2 = unsafeToNanos(duration), ms = nanos2 / bigint1e6, sec = ms / bigint1e3, min4 = sec / bigint60, hr = min4 / bigint60, days2 = hr / bigint24;
  return {
    days: Number(days2),
    hours: Number(hr % bigint24),
    minutes: Number(min4 % bigint60),
    seconds: Number(sec % bigint60),
    millis: Number(ms % bigint1e3),
    nanos: Number(nanos2 % bigint1e6)
  };
}, format2 = (self) => {
  let duration = decode(self);
  if (duration.value._tag === "Infinity")
    return "Infinity";
  if (isZero(duration))
    return "0";
  let fragments = parts(duration), pieces = [];
  return fragments.days !== 0 && pieces.push(`${fragments.days}d`), fragments.hours !== 0 && pieces.push(`${fragments.hours}h`), fragments.minutes !== 0 && pieces.push(`${fragments.minutes}m`), fragments.seconds !== 0 && pieces.push(`${fragments.seconds}s`), fragments.millis !== 0 && pieces.push(`${fragments.millis}ms`), fragments.nanos !== 0 && pieces.push(`${fragments.nanos}ns`), pieces.join(" ");
};

// node_modules/effect/dist/esm/internal/hashMap/config.js
var BUCKET_SIZE = /* @__PURE__ */ Math.pow(2, 5), MASK = BUCKET_SIZE - 1, MAX_INDEX_NODE = BUCKET_SIZE / 2, MIN_ARRAY_NODE = BUCKET_SIZE / 4;

// node_modules/effect/dist/esm/internal/hashMap/bitwise.js
function popcount(x) {
  return x -= x >> 1 & 1431655765, x = (x & 858993459) + (x >> 2 & 858993459), x = x + (x >> 4) & 252645135, x += x >> 8, x += x >> 16, x & 127;
}
function hashFragment(shift, h) {
  return h >>> shift & MASK;
}
function toBitmap(x) {
  return 1 << x;
}
function fromBitmap(bitmap, bit) {
  return popcount(bitmap & bit - 1);
}

// node_modules/effect/dist/esm/internal/stack.js
var make9 = (value, previous) => ({
  value,
  previous
});

// node_modules/effect/dist/esm/internal/hashMap/array.js
function arrayUpdate(mutate3, at, v, arr) {
  let out = arr;
  if (!mutate3) {
    let len = arr.length;
    out = new Array(len);
    for (let i = 0; i < len; ++i) out[i] = arr[i];
  }
  return out[at] = v, out;
}
function arraySpliceOut(mutate3, at, arr) {
  let newLen = arr.length - 1, i = 0, g = 0, out = arr;
  if (mutate3)
    i = g = at;
  else
    for (out = new Array(newLen); i < at; ) out[g++] = arr[i++];
  for (++i; i <= newLen; ) out[g++] = arr[i++];
  return mutate3 && (out.length = newLen), out;
}
function arraySpliceIn(mutate3, at, v, arr) {
  let len = arr.length;
  if (mutate3) {
    let i2 = len;
    for (; i2 >= at; ) arr[i2--] = arr[i2];
    return arr[at] = v, arr;
  }
  let i = 0, g = 0, out = new Array(len + 1);
  for (; i < at; ) out[g++] = arr[i++];
  for (out[at] = v; i < len; ) out[++g] = arr[i++];
  return out;
}

// node_modules/effect/dist/esm/internal/hashMap/node.js
var EmptyNode = class _EmptyNode {
  _tag = "EmptyNode";
  modify(edit, _shift, f, hash2, key, size10) {
    let v = f(none2());
    return isNone(v) ? new _EmptyNode() : (++size10.value, new LeafNode(edit, hash2, key, v));
  }
};
function isEmptyNode(a) {
  return isTagged(a, "EmptyNode");
}
function isLeafNode(node) {
  return isEmptyNode(node) || node._tag === "LeafNode" || node._tag === "CollisionNode";
}
function canEditNode(node, edit) {
  return isEmptyNode(node) ? !1 : edit === node.edit;
}
var LeafNode = class _LeafNode {
  edit;
  hash;
  key;
  value;
  _tag = "LeafNode";
  constructor(edit, hash2, key, value) {
    this.edit = edit, this.hash = hash2, this.key = key, this.value = value;
  }
  modify(edit, shift, f, hash2, key, size10) {
    if (equals(key, this.key)) {
      let v2 = f(this.value);
      return v2 === this.value ? this : isNone(v2) ? (--size10.value, new EmptyNode()) : canEditNode(this, edit) ? (this.value = v2, this) : new _LeafNode(edit, hash2, key, v2);
    }
    let v = f(none2());
    return isNone(v) ? this : (++size10.value, mergeLeaves(edit, shift, this.hash, this, hash2, new _LeafNode(edit, hash2, key, v)));
  }
}, CollisionNode = class _CollisionNode {
  edit;
  hash;
  children;
  _tag = "CollisionNode";
  constructor(edit, hash2, children2) {
    this.edit = edit, this.hash = hash2, this.children = children2;
  }
  modify(edit, shift, f, hash2, key, size10) {
    if (hash2 === this.hash) {
      let canEdit = canEditNode(this, edit), list = this.updateCollisionList(canEdit, edit, this.hash, this.children, f, key, size10);
      return list === this.children ? this : list.length > 1 ? new _CollisionNode(edit, this.hash, list) : list[0];
    }
    let v = f(none2());
    return isNone(v) ? this : (++size10.value, mergeLeaves(edit, shift, this.hash, this, hash2, new LeafNode(edit, hash2, key, v)));
  }
  updateCollisionList(mutate3, edit, hash2, list, f, key, size10) {
    let len = list.length;
    for (let i = 0; i < len; ++i) {
      let child = list[i];
      if ("key" in child && equals(key, child.key)) {
        let value = child.value, newValue2 = f(value);
        return newValue2 === value ? list : isNone(newValue2) ? (--size10.value, arraySpliceOut(mutate3, i, list)) : arrayUpdate(mutate3, i, new LeafNode(edit, hash2, key, newValue2), list);
      }
    }
    let newValue = f(none2());
    return isNone(newValue) ? list : (++size10.value, arrayUpdate(mutate3, len, new LeafNode(edit, hash2, key, newValue), list));
  }
}, IndexedNode = class _IndexedNode {
  edit;
  mask;
  children;
  _tag = "IndexedNode";
  constructor(edit, mask, children2) {
    this.edit = edit, this.mask = mask, this.children = children2;
  }
  modify(edit, shift, f, hash2, key, size10) {
    let mask = this.mask, children2 = this.children, frag = hashFragment(shift, hash2), bit = toBitmap(frag), indx = fromBitmap(mask, bit), exists2 = mask & bit, canEdit = canEditNode(this, edit);
    if (!exists2) {
      let _newChild = new EmptyNode().modify(edit, shift + 5, f, hash2, key, size10);
      return _newChild ? children2.length >= MAX_INDEX_NODE ? expand(edit, frag, _newChild, mask, children2) : new _IndexedNode(edit, mask | bit, arraySpliceIn(canEdit, indx, _newChild, children2)) : this;
    }
    let current = children2[indx], child = current.modify(edit, shift + 5, f, hash2, key, size10);
    if (current === child) return this;
    let bitmap = mask, newChildren;
    if (isEmptyNode(child)) {
      if (bitmap &= ~bit, !bitmap) return new EmptyNode();
      if (children2.length <= 2 && isLeafNode(children2[indx ^ 1]))
        return children2[indx ^ 1];
      newChildren = arraySpliceOut(canEdit, indx, children2);
    } else
      newChildren = arrayUpdate(canEdit, indx, child, children2);
    return canEdit ? (this.mask = bitmap, this.children = newChildren, this) : new _IndexedNode(edit, bitmap, newChildren);
  }
}, ArrayNode = class _ArrayNode {
  edit;
  size;
  children;
  _tag = "ArrayNode";
  constructor(edit, size10, children2) {
    this.edit = edit, this.size = size10, this.children = children2;
  }
  modify(edit, shift, f, hash2, key, size10) {
    let count = this.size, children2 = this.children, frag = hashFragment(shift, hash2), child = children2[frag], newChild = (child || new EmptyNode()).modify(edit, shift + 5, f, hash2, key, size10);
    if (child === newChild) return this;
    let canEdit = canEditNode(this, edit), newChildren;
    if (isEmptyNode(child) && !isEmptyNode(newChild))
      ++count, newChildren = arrayUpdate(canEdit, frag, newChild, children2);
    else if (!isEmptyNode(child) && isEmptyNode(newChild)) {
      if (--count, count <= MIN_ARRAY_NODE)
        return pack(edit, count, frag, children2);
      newChildren = arrayUpdate(canEdit, frag, new EmptyNode(), children2);
    } else
      newChildren = arrayUpdate(canEdit, frag, newChild, children2);
    return canEdit ? (this.size = count, this.children = newChildren, this) : new _ArrayNode(edit, count, newChildren);
  }
};
function pack(edit, count, removed, elements) {
  let children2 = new Array(count - 1), g = 0, bitmap = 0;
  for (let i = 0, len = elements.length; i < len; ++i)
    if (i !== removed) {
      let elem = elements[i];
      elem && !isEmptyNode(elem) && (children2[g++] = elem, bitmap |= 1 << i);
    }
  return new IndexedNode(edit, bitmap, children2);
}
function expand(edit, frag, child, bitmap, subNodes) {
  let arr = [], bit = bitmap, count = 0;
  for (let i = 0; bit; ++i)
    bit & 1 && (arr[i] = subNodes[count++]), bit >>>= 1;
  return arr[frag] = child, new ArrayNode(edit, count + 1, arr);
}
function mergeLeavesInner(edit, shift, h1, n1, h2, n2) {
  if (h1 === h2) return new CollisionNode(edit, h1, [n2, n1]);
  let subH1 = hashFragment(shift, h1), subH2 = hashFragment(shift, h2);
  if (subH1 === subH2)
    return (child) => new IndexedNode(edit, toBitmap(subH1) | toBitmap(subH2), [child]);
  {
    let children2 = subH1 < subH2 ? [n1, n2] : [n2, n1];
    return new IndexedNode(edit, toBitmap(subH1) | toBitmap(subH2), children2);
  }
}
function mergeLeaves(edit, shift, h1, n1, h2, n2) {
  let stack, currentShift = shift;
  for (; ; ) {
    let res = mergeLeavesInner(edit, currentShift, h1, n1, h2, n2);
    if (typeof res == "function")
      stack = make9(res, stack), currentShift = currentShift + 5;
    else {
      let final = res;
      for (; stack != null; )
        final = stack.value(final), stack = stack.previous;
      return final;
    }
  }
}

// node_modules/effect/dist/esm/internal/hashMap.js
var HashMapSymbolKey = "effect/HashMap", HashMapTypeId = /* @__PURE__ */ Symbol.for(HashMapSymbolKey), HashMapProto = {
  [HashMapTypeId]: HashMapTypeId,
  [Symbol.iterator]() {
    return new HashMapIterator(this, (k, v) => [k, v]);
  },
  [symbol]() {
    let hash2 = hash(HashMapSymbolKey);
    for (let item of this)
      hash2 ^= pipe(hash(item[0]), combine(hash(item[1])));
    return cached(this, hash2);
  },
  [symbol2](that) {
    if (isHashMap(that)) {
      if (that._size !== this._size)
        return !1;
      for (let item of this) {
        let elem = pipe(that, getHash(item[0], hash(item[0])));
        if (isNone(elem))
          return !1;
        if (!equals(item[1], elem.value))
          return !1;
      }
      return !0;
    }
    return !1;
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "HashMap",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, makeImpl = (editable, edit, root, size10) => {
  let map18 = Object.create(HashMapProto);
  return map18._editable = editable, map18._edit = edit, map18._root = root, map18._size = size10, map18;
}, HashMapIterator = class _HashMapIterator {
  map;
  f;
  v;
  constructor(map18, f) {
    this.map = map18, this.f = f, this.v = visitLazy(this.map._root, this.f, void 0);
  }
  next() {
    if (isNone(this.v))
      return {
        done: !0,
        value: void 0
      };
    let v0 = this.v.value;
    return this.v = applyCont(v0.cont), {
      done: !1,
      value: v0.value
    };
  }
  [Symbol.iterator]() {
    return new _HashMapIterator(this.map, this.f);
  }
}, applyCont = (cont) => cont ? visitLazyChildren(cont[0], cont[1], cont[2], cont[3], cont[4]) : none2(), visitLazy = (node, f, cont = void 0) => {
  switch (node._tag) {
    case "LeafNode":
      return isSome(node.value) ? some2({
        value: f(node.key, node.value.value),
        cont
      }) : applyCont(cont);
    case "CollisionNode":
    case "ArrayNode":
    case "IndexedNode": {
      let children2 = node.children;
      return visitLazyChildren(children2.length, children2, 0, f, cont);
    }
    default:
      return applyCont(cont);
  }
}, visitLazyChildren = (len, children2, i, f, cont) => {
  for (; i < len; ) {
    let child = children2[i++];
    if (child && !isEmptyNode(child))
      return visitLazy(child, f, [len, children2, i, f, cont]);
  }
  return applyCont(cont);
}, _empty3 = /* @__PURE__ */ makeImpl(!1, 0, /* @__PURE__ */ new EmptyNode(), 0), empty7 = () => _empty3;
var fromIterable3 = (entries3) => {
  let map18 = beginMutation(empty7());
  for (let entry of entries3)
    set2(map18, entry[0], entry[1]);
  return endMutation(map18);
}, isHashMap = (u) => hasProperty(u, HashMapTypeId), isEmpty2 = (self) => self && isEmptyNode(self._root), get5 = /* @__PURE__ */ dual(2, (self, key) => getHash(self, key, hash(key))), getHash = /* @__PURE__ */ dual(3, (self, key, hash2) => {
  let node = self._root, shift = 0;
  for (; ; )
    switch (node._tag) {
      case "LeafNode":
        return equals(key, node.key) ? node.value : none2();
      case "CollisionNode": {
        if (hash2 === node.hash) {
          let children2 = node.children;
          for (let i = 0, len = children2.length; i < len; ++i) {
            let child = children2[i];
            if ("key" in child && equals(key, child.key))
              return child.value;
          }
        }
        return none2();
      }
      case "IndexedNode": {
        let frag = hashFragment(shift, hash2), bit = toBitmap(frag);
        if (node.mask & bit) {
          node = node.children[fromBitmap(node.mask, bit)], shift += 5;
          break;
        }
        return none2();
      }
      case "ArrayNode": {
        if (node = node.children[hashFragment(shift, hash2)], node) {
          shift += 5;
          break;
        }
        return none2();
      }
      default:
        return none2();
    }
});
var has2 = /* @__PURE__ */ dual(2, (self, key) => isSome(getHash(self, key, hash(key))));
var set2 = /* @__PURE__ */ dual(3, (self, key, value) => modifyAt(self, key, () => some2(value))), setTree = /* @__PURE__ */ dual(3, (self, newRoot, newSize) => self._editable ? (self._root = newRoot, self._size = newSize, self) : newRoot === self._root ? self : makeImpl(self._editable, self._edit, newRoot, newSize)), keys2 = (self) => new HashMapIterator(self, (key) => key);
var entries = (self) => new HashMapIterator(self, (key, value) => [key, value]), size = (self) => self._size;
var beginMutation = (self) => makeImpl(!0, self._edit + 1, self._root, self._size), endMutation = (self) => (self._editable = !1, self);
var modifyAt = /* @__PURE__ */ dual(3, (self, key, f) => modifyHash(self, key, hash(key), f)), modifyHash = /* @__PURE__ */ dual(4, (self, key, hash2, f) => {
  let size10 = {
    value: self._size
  }, newRoot = self._root.modify(self._editable ? self._edit : NaN, 0, f, hash2, key, size10);
  return pipe(self, setTree(newRoot, size10.value));
});
var remove2 = /* @__PURE__ */ dual(2, (self, key) => modifyAt(self, key, none2));
var map6 = /* @__PURE__ */ dual(2, (self, f) => reduce3(self, empty7(), (map18, value, key) => set2(map18, key, f(value, key))));
var forEach2 = /* @__PURE__ */ dual(2, (self, f) => reduce3(self, void 0, (_, value, key) => f(value, key))), reduce3 = /* @__PURE__ */ dual(3, (self, zero2, f) => {
  let root = self._root;
  if (root._tag === "LeafNode")
    return isSome(root.value) ? f(zero2, root.value.value, root.key) : zero2;
  if (root._tag === "EmptyNode")
    return zero2;
  let toVisit = [root.children], children2;
  for (; children2 = toVisit.pop(); )
    for (let i = 0, len = children2.length; i < len; ) {
      let child = children2[i++];
      child && !isEmptyNode(child) && (child._tag === "LeafNode" ? isSome(child.value) && (zero2 = f(zero2, child.value.value, child.key)) : toVisit.push(child.children));
    }
  return zero2;
});

// node_modules/effect/dist/esm/internal/hashSet.js
var HashSetSymbolKey = "effect/HashSet", HashSetTypeId = /* @__PURE__ */ Symbol.for(HashSetSymbolKey), HashSetProto = {
  [HashSetTypeId]: HashSetTypeId,
  [Symbol.iterator]() {
    return keys2(this._keyMap);
  },
  [symbol]() {
    return cached(this, combine(hash(this._keyMap))(hash(HashSetSymbolKey)));
  },
  [symbol2](that) {
    return isHashSet(that) ? size(this._keyMap) === size(that._keyMap) && equals(this._keyMap, that._keyMap) : !1;
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "HashSet",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, makeImpl2 = (keyMap) => {
  let set8 = Object.create(HashSetProto);
  return set8._keyMap = keyMap, set8;
}, isHashSet = (u) => hasProperty(u, HashSetTypeId), _empty4 = /* @__PURE__ */ makeImpl2(/* @__PURE__ */ empty7()), empty8 = () => _empty4, fromIterable4 = (elements) => {
  let set8 = beginMutation2(empty8());
  for (let value of elements)
    add3(set8, value);
  return endMutation2(set8);
}, make10 = (...elements) => {
  let set8 = beginMutation2(empty8());
  for (let value of elements)
    add3(set8, value);
  return endMutation2(set8);
}, has3 = /* @__PURE__ */ dual(2, (self, value) => has2(self._keyMap, value));
var size2 = (self) => size(self._keyMap), beginMutation2 = (self) => makeImpl2(beginMutation(self._keyMap)), endMutation2 = (self) => (self._keyMap._editable = !1, self), mutate = /* @__PURE__ */ dual(2, (self, f) => {
  let transient = beginMutation2(self);
  return f(transient), endMutation2(transient);
}), add3 = /* @__PURE__ */ dual(2, (self, value) => self._keyMap._editable ? (set2(value, !0)(self._keyMap), self) : makeImpl2(set2(value, !0)(self._keyMap))), remove3 = /* @__PURE__ */ dual(2, (self, value) => self._keyMap._editable ? (remove2(value)(self._keyMap), self) : makeImpl2(remove2(value)(self._keyMap))), difference2 = /* @__PURE__ */ dual(2, (self, that) => mutate(self, (set8) => {
  for (let value of that)
    remove3(set8, value);
}));
var union2 = /* @__PURE__ */ dual(2, (self, that) => mutate(empty8(), (set8) => {
  forEach3(self, (value) => add3(set8, value));
  for (let value of that)
    add3(set8, value);
}));
var forEach3 = /* @__PURE__ */ dual(2, (self, f) => forEach2(self._keyMap, (_, k) => f(k))), reduce4 = /* @__PURE__ */ dual(3, (self, zero2, f) => reduce3(self._keyMap, zero2, (z, _, a) => f(z, a)));

// node_modules/effect/dist/esm/HashSet.js
var empty9 = empty8, fromIterable5 = fromIterable4, make11 = make10, has4 = has3;
var size3 = size2;
var add4 = add3, remove4 = remove3, difference3 = difference2;
var union3 = union2;
var reduce5 = reduce4;

// node_modules/effect/dist/esm/MutableRef.js
var TypeId4 = /* @__PURE__ */ Symbol.for("effect/MutableRef"), MutableRefProto = {
  [TypeId4]: TypeId4,
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "MutableRef",
      current: toJSON(this.current)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, make12 = (value) => {
  let ref = Object.create(MutableRefProto);
  return ref.current = value, ref;
}, compareAndSet = /* @__PURE__ */ dual(3, (self, oldValue, newValue) => equals(oldValue, self.current) ? (self.current = newValue, !0) : !1);
var get6 = (self) => self.current;
var set3 = /* @__PURE__ */ dual(2, (self, value) => (self.current = value, self));

// node_modules/effect/dist/esm/internal/fiberId.js
var FiberIdSymbolKey = "effect/FiberId", FiberIdTypeId = /* @__PURE__ */ Symbol.for(FiberIdSymbolKey), OP_NONE = "None", OP_RUNTIME = "Runtime", OP_COMPOSITE = "Composite", emptyHash = /* @__PURE__ */ string(`${FiberIdSymbolKey}-${OP_NONE}`), None = class {
  [FiberIdTypeId] = FiberIdTypeId;
  _tag = OP_NONE;
  id = -1;
  startTimeMillis = -1;
  [symbol]() {
    return emptyHash;
  }
  [symbol2](that) {
    return isFiberId(that) && that._tag === OP_NONE;
  }
  toString() {
    return format(this.toJSON());
  }
  toJSON() {
    return {
      _id: "FiberId",
      _tag: this._tag
    };
  }
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
}, Runtime = class {
  id;
  startTimeMillis;
  [FiberIdTypeId] = FiberIdTypeId;
  _tag = OP_RUNTIME;
  constructor(id2, startTimeMillis) {
    this.id = id2, this.startTimeMillis = startTimeMillis;
  }
  [symbol]() {
    return cached(this, string(`${FiberIdSymbolKey}-${this._tag}-${this.id}-${this.startTimeMillis}`));
  }
  [symbol2](that) {
    return isFiberId(that) && that._tag === OP_RUNTIME && this.id === that.id && this.startTimeMillis === that.startTimeMillis;
  }
  toString() {
    return format(this.toJSON());
  }
  toJSON() {
    return {
      _id: "FiberId",
      _tag: this._tag,
      id: this.id,
      startTimeMillis: this.startTimeMillis
    };
  }
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
}, Composite = class {
  left;
  right;
  [FiberIdTypeId] = FiberIdTypeId;
  _tag = OP_COMPOSITE;
  constructor(left2, right2) {
    this.left = left2, this.right = right2;
  }
  _hash;
  [symbol]() {
    return pipe(string(`${FiberIdSymbolKey}-${this._tag}`), combine(hash(this.left)), combine(hash(this.right)), cached(this));
  }
  [symbol2](that) {
    return isFiberId(that) && that._tag === OP_COMPOSITE && equals(this.left, that.left) && equals(this.right, that.right);
  }
  toString() {
    return format(this.toJSON());
  }
  toJSON() {
    return {
      _id: "FiberId",
      _tag: this._tag,
      left: toJSON(this.left),
      right: toJSON(this.right)
    };
  }
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
}, none3 = /* @__PURE__ */ new None(), runtime = (id2, startTimeMillis) => new Runtime(id2, startTimeMillis), composite = (left2, right2) => new Composite(left2, right2), isFiberId = (self) => hasProperty(self, FiberIdTypeId);
var combine2 = /* @__PURE__ */ dual(2, (self, that) => self._tag === OP_NONE ? that : that._tag === OP_NONE ? self : new Composite(self, that)), combineAll = (fiberIds) => pipe(fiberIds, reduce5(none3, (a, b) => combine2(b)(a)));
var ids = (self) => {
  switch (self._tag) {
    case OP_NONE:
      return empty9();
    case OP_RUNTIME:
      return make11(self.id);
    case OP_COMPOSITE:
      return pipe(ids(self.left), union3(ids(self.right)));
  }
}, _fiberCounter = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Fiber/Id/_fiberCounter"), () => make12(0)), make13 = (id2, startTimeSeconds) => new Runtime(id2, startTimeSeconds), threadName = (self) => Array.from(ids(self)).map((n) => `#${n}`).join(",");
var unsafeMake2 = () => {
  let id2 = get6(_fiberCounter);
  return pipe(_fiberCounter, set3(id2 + 1)), new Runtime(id2, Date.now());
};

// node_modules/effect/dist/esm/FiberId.js
var none4 = none3, runtime2 = runtime, composite2 = composite;
var combine3 = combine2, combineAll2 = combineAll;
var ids2 = ids, make14 = make13, threadName2 = threadName;
var unsafeMake3 = unsafeMake2;

// node_modules/effect/dist/esm/HashMap.js
var empty10 = empty7;
var fromIterable6 = fromIterable3, isEmpty3 = isEmpty2, get7 = get5;
var set4 = set2, keys3 = keys2;
var entries2 = entries, toEntries = (self) => Array.from(entries2(self));
var modifyAt2 = modifyAt;
var map8 = map6;
var forEach4 = forEach2, reduce6 = reduce3;

// node_modules/effect/dist/esm/List.js
var TypeId5 = /* @__PURE__ */ Symbol.for("effect/List"), toArray3 = (self) => fromIterable(self), getEquivalence3 = (isEquivalent) => mapInput(getEquivalence(isEquivalent), toArray3), _equivalence3 = /* @__PURE__ */ getEquivalence3(equals), ConsProto = {
  [TypeId5]: TypeId5,
  _tag: "Cons",
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "List",
      _tag: "Cons",
      values: toArray3(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  [symbol2](that) {
    return isList(that) && this._tag === that._tag && _equivalence3(this, that);
  },
  [symbol]() {
    return cached(this, array(toArray3(this)));
  },
  [Symbol.iterator]() {
    let done7 = !1, self = this;
    return {
      next() {
        if (done7)
          return this.return();
        if (self._tag === "Nil")
          return done7 = !0, this.return();
        let value = self.head;
        return self = self.tail, {
          done: done7,
          value
        };
      },
      return(value) {
        return done7 || (done7 = !0), {
          done: !0,
          value
        };
      }
    };
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, makeCons = (head5, tail) => {
  let cons2 = Object.create(ConsProto);
  return cons2.head = head5, cons2.tail = tail, cons2;
}, NilHash = /* @__PURE__ */ string("Nil"), NilProto = {
  [TypeId5]: TypeId5,
  _tag: "Nil",
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "List",
      _tag: "Nil"
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  [symbol]() {
    return NilHash;
  },
  [symbol2](that) {
    return isList(that) && this._tag === that._tag;
  },
  [Symbol.iterator]() {
    return {
      next() {
        return {
          done: !0,
          value: void 0
        };
      }
    };
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, _Nil = /* @__PURE__ */ Object.create(NilProto), isList = (u) => hasProperty(u, TypeId5), isNil = (self) => self._tag === "Nil", isCons = (self) => self._tag === "Cons";
var nil = () => _Nil, cons = (head5, tail) => makeCons(head5, tail), empty11 = nil, of3 = (value) => makeCons(value, _Nil);
var appendAll3 = /* @__PURE__ */ dual(2, (self, that) => prependAll(that, self)), prepend3 = /* @__PURE__ */ dual(2, (self, element) => cons(element, self)), prependAll = /* @__PURE__ */ dual(2, (self, prefix) => {
  if (isNil(self))
    return prefix;
  if (isNil(prefix))
    return self;
  {
    let result = makeCons(prefix.head, self), curr = result, that = prefix.tail;
    for (; !isNil(that); ) {
      let temp = makeCons(that.head, self);
      curr.tail = temp, curr = temp, that = that.tail;
    }
    return result;
  }
});
var reduce7 = /* @__PURE__ */ dual(3, (self, zero2, f) => {
  let acc = zero2, these = self;
  for (; !isNil(these); )
    acc = f(acc, these.head), these = these.tail;
  return acc;
});
var reverse3 = (self) => {
  let result = empty11(), these = self;
  for (; !isNil(these); )
    result = prepend3(result, these.head), these = these.tail;
  return result;
};

// node_modules/effect/dist/esm/internal/data.js
var ArrayProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(Array.prototype), {
  [symbol]() {
    return cached(this, array(this));
  },
  [symbol2](that) {
    return Array.isArray(that) && this.length === that.length ? this.every((v, i) => equals(v, that[i])) : !1;
  }
}), Structural = /* @__PURE__ */ (function() {
  function Structural2(args2) {
    args2 && Object.assign(this, args2);
  }
  return Structural2.prototype = StructuralPrototype, Structural2;
})(), struct = (as5) => Object.assign(Object.create(StructuralPrototype), as5);

// node_modules/effect/dist/esm/internal/differ/contextPatch.js
var ContextPatchTypeId = /* @__PURE__ */ Symbol.for("effect/DifferContextPatch");
function variance(a) {
  return a;
}
var PatchProto = {
  ...Structural.prototype,
  [ContextPatchTypeId]: {
    _Value: variance,
    _Patch: variance
  }
}, EmptyProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto), {
  _tag: "Empty"
}), _empty5 = /* @__PURE__ */ Object.create(EmptyProto), empty12 = () => _empty5, AndThenProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto), {
  _tag: "AndThen"
}), makeAndThen = (first2, second) => {
  let o = Object.create(AndThenProto);
  return o.first = first2, o.second = second, o;
}, AddServiceProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto), {
  _tag: "AddService"
}), makeAddService = (key, service2) => {
  let o = Object.create(AddServiceProto);
  return o.key = key, o.service = service2, o;
}, RemoveServiceProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto), {
  _tag: "RemoveService"
}), makeRemoveService = (key) => {
  let o = Object.create(RemoveServiceProto);
  return o.key = key, o;
}, UpdateServiceProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto), {
  _tag: "UpdateService"
}), makeUpdateService = (key, update5) => {
  let o = Object.create(UpdateServiceProto);
  return o.key = key, o.update = update5, o;
}, diff = (oldValue, newValue) => {
  let missingServices = new Map(oldValue.unsafeMap), patch9 = empty12();
  for (let [tag, newService] of newValue.unsafeMap.entries())
    if (missingServices.has(tag)) {
      let old = missingServices.get(tag);
      missingServices.delete(tag), equals(old, newService) || (patch9 = combine4(makeUpdateService(tag, () => newService))(patch9));
    } else
      missingServices.delete(tag), patch9 = combine4(makeAddService(tag, newService))(patch9);
  for (let [tag] of missingServices.entries())
    patch9 = combine4(makeRemoveService(tag))(patch9);
  return patch9;
}, combine4 = /* @__PURE__ */ dual(2, (self, that) => makeAndThen(self, that)), patch = /* @__PURE__ */ dual(2, (self, context4) => {
  if (self._tag === "Empty")
    return context4;
  let wasServiceUpdated = !1, patches = of2(self), updatedContext = new Map(context4.unsafeMap);
  for (; isNonEmpty(patches); ) {
    let head5 = headNonEmpty2(patches), tail = tailNonEmpty2(patches);
    switch (head5._tag) {
      case "Empty": {
        patches = tail;
        break;
      }
      case "AddService": {
        updatedContext.set(head5.key, head5.service), patches = tail;
        break;
      }
      case "AndThen": {
        patches = prepend2(prepend2(tail, head5.second), head5.first);
        break;
      }
      case "RemoveService": {
        updatedContext.delete(head5.key), patches = tail;
        break;
      }
      case "UpdateService": {
        updatedContext.set(head5.key, head5.update(updatedContext.get(head5.key))), wasServiceUpdated = !0, patches = tail;
        break;
      }
    }
  }
  if (!wasServiceUpdated)
    return makeContext(updatedContext);
  let map18 = /* @__PURE__ */ new Map();
  for (let [tag] of context4.unsafeMap)
    updatedContext.has(tag) && (map18.set(tag, updatedContext.get(tag)), updatedContext.delete(tag));
  for (let [tag, s] of updatedContext)
    map18.set(tag, s);
  return makeContext(map18);
});

// node_modules/effect/dist/esm/internal/differ/hashSetPatch.js
var HashSetPatchTypeId = /* @__PURE__ */ Symbol.for("effect/DifferHashSetPatch");
function variance2(a) {
  return a;
}
var PatchProto2 = {
  ...Structural.prototype,
  [HashSetPatchTypeId]: {
    _Value: variance2,
    _Key: variance2,
    _Patch: variance2
  }
}, EmptyProto2 = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto2), {
  _tag: "Empty"
}), _empty6 = /* @__PURE__ */ Object.create(EmptyProto2), empty13 = () => _empty6, AndThenProto2 = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto2), {
  _tag: "AndThen"
}), makeAndThen2 = (first2, second) => {
  let o = Object.create(AndThenProto2);
  return o.first = first2, o.second = second, o;
}, AddProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto2), {
  _tag: "Add"
}), makeAdd = (value) => {
  let o = Object.create(AddProto);
  return o.value = value, o;
}, RemoveProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto2), {
  _tag: "Remove"
}), makeRemove = (value) => {
  let o = Object.create(RemoveProto);
  return o.value = value, o;
}, diff2 = (oldValue, newValue) => {
  let [removed, patch9] = reduce5([oldValue, empty13()], ([set8, patch10], value) => has4(value)(set8) ? [remove4(value)(set8), patch10] : [set8, combine5(makeAdd(value))(patch10)])(newValue);
  return reduce5(patch9, (patch10, value) => combine5(makeRemove(value))(patch10))(removed);
}, combine5 = /* @__PURE__ */ dual(2, (self, that) => makeAndThen2(self, that)), patch2 = /* @__PURE__ */ dual(2, (self, oldValue) => {
  if (self._tag === "Empty")
    return oldValue;
  let set8 = oldValue, patches = of2(self);
  for (; isNonEmpty(patches); ) {
    let head5 = headNonEmpty2(patches), tail = tailNonEmpty2(patches);
    switch (head5._tag) {
      case "Empty": {
        patches = tail;
        break;
      }
      case "AndThen": {
        patches = prepend2(head5.first)(prepend2(head5.second)(tail));
        break;
      }
      case "Add": {
        set8 = add4(head5.value)(set8), patches = tail;
        break;
      }
      case "Remove":
        set8 = remove4(head5.value)(set8), patches = tail;
    }
  }
  return set8;
});

// node_modules/effect/dist/esm/internal/differ/readonlyArrayPatch.js
var ReadonlyArrayPatchTypeId = /* @__PURE__ */ Symbol.for("effect/DifferReadonlyArrayPatch");
function variance3(a) {
  return a;
}
var PatchProto3 = {
  ...Structural.prototype,
  [ReadonlyArrayPatchTypeId]: {
    _Value: variance3,
    _Patch: variance3
  }
}, EmptyProto3 = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto3), {
  _tag: "Empty"
}), _empty7 = /* @__PURE__ */ Object.create(EmptyProto3), empty14 = () => _empty7, AndThenProto3 = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto3), {
  _tag: "AndThen"
}), makeAndThen3 = (first2, second) => {
  let o = Object.create(AndThenProto3);
  return o.first = first2, o.second = second, o;
}, AppendProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto3), {
  _tag: "Append"
}), makeAppend = (values3) => {
  let o = Object.create(AppendProto);
  return o.values = values3, o;
}, SliceProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto3), {
  _tag: "Slice"
}), makeSlice = (from, until) => {
  let o = Object.create(SliceProto);
  return o.from = from, o.until = until, o;
}, UpdateProto = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(PatchProto3), {
  _tag: "Update"
}), makeUpdate = (index, patch9) => {
  let o = Object.create(UpdateProto);
  return o.index = index, o.patch = patch9, o;
}, diff3 = (options) => {
  let i = 0, patch9 = empty14();
  for (; i < options.oldValue.length && i < options.newValue.length; ) {
    let oldElement = options.oldValue[i], newElement = options.newValue[i], valuePatch = options.differ.diff(oldElement, newElement);
    equals(valuePatch, options.differ.empty) || (patch9 = combine6(patch9, makeUpdate(i, valuePatch))), i = i + 1;
  }
  return i < options.oldValue.length && (patch9 = combine6(patch9, makeSlice(0, i))), i < options.newValue.length && (patch9 = combine6(patch9, makeAppend(drop(i)(options.newValue)))), patch9;
}, combine6 = /* @__PURE__ */ dual(2, (self, that) => makeAndThen3(self, that)), patch3 = /* @__PURE__ */ dual(3, (self, oldValue, differ3) => {
  if (self._tag === "Empty")
    return oldValue;
  let readonlyArray2 = oldValue.slice(), patches = of(self);
  for (; isNonEmptyArray2(patches); ) {
    let head5 = headNonEmpty(patches), tail = tailNonEmpty(patches);
    switch (head5._tag) {
      case "Empty": {
        patches = tail;
        break;
      }
      case "AndThen": {
        tail.unshift(head5.first, head5.second), patches = tail;
        break;
      }
      case "Append": {
        for (let value of head5.values)
          readonlyArray2.push(value);
        patches = tail;
        break;
      }
      case "Slice": {
        readonlyArray2 = readonlyArray2.slice(head5.from, head5.until), patches = tail;
        break;
      }
      case "Update": {
        readonlyArray2[head5.index] = differ3.patch(head5.patch, readonlyArray2[head5.index]), patches = tail;
        break;
      }
    }
  }
  return readonlyArray2;
});

// node_modules/effect/dist/esm/internal/differ.js
var DifferTypeId = /* @__PURE__ */ Symbol.for("effect/Differ"), DifferProto = {
  [DifferTypeId]: {
    _P: identity,
    _V: identity
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, make16 = (params) => {
  let differ3 = Object.create(DifferProto);
  return differ3.empty = params.empty, differ3.diff = params.diff, differ3.combine = params.combine, differ3.patch = params.patch, differ3;
}, environment = () => make16({
  empty: empty12(),
  combine: (first2, second) => combine4(second)(first2),
  diff: (oldValue, newValue) => diff(oldValue, newValue),
  patch: (patch9, oldValue) => patch(oldValue)(patch9)
});
var hashSet = () => make16({
  empty: empty13(),
  combine: (first2, second) => combine5(second)(first2),
  diff: (oldValue, newValue) => diff2(oldValue, newValue),
  patch: (patch9, oldValue) => patch2(oldValue)(patch9)
});
var readonlyArray = (differ3) => make16({
  empty: empty14(),
  combine: (first2, second) => combine6(first2, second),
  diff: (oldValue, newValue) => diff3({
    oldValue,
    newValue,
    differ: differ3
  }),
  patch: (patch9, oldValue) => patch3(patch9, oldValue, differ3)
});
var update = () => updateWith((_, a) => a), updateWith = (f) => make16({
  empty: identity,
  combine: (first2, second) => first2 === identity ? second : second === identity ? first2 : (a) => second(first2(a)),
  diff: (oldValue, newValue) => equals(oldValue, newValue) ? identity : constant(newValue),
  patch: (patch9, oldValue) => f(oldValue, patch9(oldValue))
});

// node_modules/effect/dist/esm/internal/runtimeFlagsPatch.js
var BIT_MASK = 255, BIT_SHIFT = 8, active = (patch9) => patch9 & BIT_MASK, enabled = (patch9) => patch9 >> BIT_SHIFT & BIT_MASK, make17 = (active2, enabled2) => (active2 & BIT_MASK) + ((enabled2 & active2 & BIT_MASK) << BIT_SHIFT), empty15 = /* @__PURE__ */ make17(0, 0), enable = (flag) => make17(flag, flag), disable = (flag) => make17(flag, 0);
var exclude = /* @__PURE__ */ dual(2, (self, flag) => make17(active(self) & ~flag, enabled(self)));
var andThen = /* @__PURE__ */ dual(2, (self, that) => self | that);
var invert = (n) => ~n >>> 0 & BIT_MASK;

// node_modules/effect/dist/esm/internal/runtimeFlags.js
var None2 = 0, Interruption = 1, OpSupervision = 2, RuntimeMetrics = 4, WindDown = 16, CooperativeYielding = 32;
var cooperativeYielding = (self) => isEnabled(self, CooperativeYielding), disable2 = /* @__PURE__ */ dual(2, (self, flag) => self & ~flag);
var enable2 = /* @__PURE__ */ dual(2, (self, flag) => self | flag);
var interruptible = (self) => interruption(self) && !windDown(self), interruption = (self) => isEnabled(self, Interruption);
var isEnabled = /* @__PURE__ */ dual(2, (self, flag) => (self & flag) !== 0), make18 = (...flags) => flags.reduce((a, b) => a | b, 0), none5 = /* @__PURE__ */ make18(None2);
var runtimeMetrics = (self) => isEnabled(self, RuntimeMetrics);
var windDown = (self) => isEnabled(self, WindDown);
var diff4 = /* @__PURE__ */ dual(2, (self, that) => make17(self ^ that, that)), patch4 = /* @__PURE__ */ dual(2, (self, patch9) => self & (invert(active(patch9)) | enabled(patch9)) | active(patch9) & enabled(patch9));
var differ = /* @__PURE__ */ make16({
  empty: empty15,
  diff: (oldValue, newValue) => diff4(oldValue, newValue),
  combine: (first2, second) => andThen(second)(first2),
  patch: (_patch, oldValue) => patch4(oldValue, _patch)
});

// node_modules/effect/dist/esm/RuntimeFlagsPatch.js
var enable3 = enable, disable3 = disable;
var exclude2 = exclude;

// node_modules/effect/dist/esm/internal/blockedRequests.js
var par = (self, that) => ({
  _tag: "Par",
  left: self,
  right: that
}), seq = (self, that) => ({
  _tag: "Seq",
  left: self,
  right: that
});
var flatten2 = (self) => {
  let current = of3(self), updated = empty11();
  for (; ; ) {
    let [parallel5, sequential5] = reduce7(current, [parallelCollectionEmpty(), empty11()], ([parallel6, sequential6], blockedRequest) => {
      let [par2, seq2] = step(blockedRequest);
      return [parallelCollectionCombine(parallel6, par2), appendAll3(sequential6, seq2)];
    });
    if (updated = merge4(updated, parallel5), isNil(sequential5))
      return reverse3(updated);
    current = sequential5;
  }
  throw new Error("BUG: BlockedRequests.flatten - please report an issue at https://github.com/Effect-TS/effect/issues");
}, step = (requests) => {
  let current = requests, parallel5 = parallelCollectionEmpty(), stack = empty11(), sequential5 = empty11();
  for (; ; )
    switch (current._tag) {
      case "Empty": {
        if (isNil(stack))
          return [parallel5, sequential5];
        current = stack.head, stack = stack.tail;
        break;
      }
      case "Par": {
        stack = cons(current.right, stack), current = current.left;
        break;
      }
      case "Seq": {
        let left2 = current.left, right2 = current.right;
        switch (left2._tag) {
          case "Empty": {
            current = right2;
            break;
          }
          case "Par": {
            let l = left2.left, r = left2.right;
            current = par(seq(l, right2), seq(r, right2));
            break;
          }
          case "Seq": {
            let l = left2.left, r = left2.right;
            current = seq(l, seq(r, right2));
            break;
          }
          case "Single": {
            current = left2, sequential5 = cons(right2, sequential5);
            break;
          }
        }
        break;
      }
      case "Single": {
        if (parallel5 = parallelCollectionAdd(parallel5, current), isNil(stack))
          return [parallel5, sequential5];
        current = stack.head, stack = stack.tail;
        break;
      }
    }
  throw new Error("BUG: BlockedRequests.step - please report an issue at https://github.com/Effect-TS/effect/issues");
}, merge4 = (sequential5, parallel5) => {
  if (isNil(sequential5))
    return of3(parallelCollectionToSequentialCollection(parallel5));
  if (parallelCollectionIsEmpty(parallel5))
    return sequential5;
  let seqHeadKeys = sequentialCollectionKeys(sequential5.head), parKeys = parallelCollectionKeys(parallel5);
  return seqHeadKeys.length === 1 && parKeys.length === 1 && equals(seqHeadKeys[0], parKeys[0]) ? cons(sequentialCollectionCombine(sequential5.head, parallelCollectionToSequentialCollection(parallel5)), sequential5.tail) : cons(parallelCollectionToSequentialCollection(parallel5), sequential5);
}, EntryTypeId = /* @__PURE__ */ Symbol.for("effect/RequestBlock/Entry"), EntryImpl = class {
  request;
  result;
  listeners;
  ownerId;
  state;
  [EntryTypeId] = blockedRequestVariance;
  constructor(request, result, listeners, ownerId, state) {
    this.request = request, this.result = result, this.listeners = listeners, this.ownerId = ownerId, this.state = state;
  }
}, blockedRequestVariance = {
  /* c8 ignore next */
  _R: (_) => _
};
var RequestBlockParallelTypeId = /* @__PURE__ */ Symbol.for("effect/RequestBlock/RequestBlockParallel"), parallelVariance = {
  /* c8 ignore next */
  _R: (_) => _
}, ParallelImpl = class {
  map;
  [RequestBlockParallelTypeId] = parallelVariance;
  constructor(map18) {
    this.map = map18;
  }
}, parallelCollectionEmpty = () => new ParallelImpl(empty10());
var parallelCollectionAdd = (self, blockedRequest) => new ParallelImpl(modifyAt2(self.map, blockedRequest.dataSource, (_) => orElseSome(map(_, append2(blockedRequest.blockedRequest)), () => of2(blockedRequest.blockedRequest)))), parallelCollectionCombine = (self, that) => new ParallelImpl(reduce6(self.map, that.map, (map18, value, key) => set4(map18, key, match(get7(map18, key), {
  onNone: () => value,
  onSome: (other) => appendAll2(value, other)
})))), parallelCollectionIsEmpty = (self) => isEmpty3(self.map), parallelCollectionKeys = (self) => Array.from(keys3(self.map)), parallelCollectionToSequentialCollection = (self) => sequentialCollectionMake(map8(self.map, (x) => of2(x))), SequentialCollectionTypeId = /* @__PURE__ */ Symbol.for("effect/RequestBlock/RequestBlockSequential"), sequentialVariance = {
  /* c8 ignore next */
  _R: (_) => _
}, SequentialImpl = class {
  map;
  [SequentialCollectionTypeId] = sequentialVariance;
  constructor(map18) {
    this.map = map18;
  }
}, sequentialCollectionMake = (map18) => new SequentialImpl(map18), sequentialCollectionCombine = (self, that) => new SequentialImpl(reduce6(that.map, self.map, (map18, value, key) => set4(map18, key, match(get7(map18, key), {
  onNone: () => empty6(),
  onSome: (a) => appendAll2(a, value)
}))));
var sequentialCollectionKeys = (self) => Array.from(keys3(self.map)), sequentialCollectionToChunk = (self) => Array.from(self.map);

// node_modules/effect/dist/esm/internal/opCodes/cause.js
var OP_EMPTY = "Empty", OP_FAIL = "Fail", OP_INTERRUPT = "Interrupt", OP_PARALLEL = "Parallel", OP_SEQUENTIAL = "Sequential";

// node_modules/effect/dist/esm/internal/cause.js
var CauseSymbolKey = "effect/Cause", CauseTypeId = /* @__PURE__ */ Symbol.for(CauseSymbolKey), variance4 = {
  /* c8 ignore next */
  _E: (_) => _
}, proto = {
  [CauseTypeId]: variance4,
  [symbol]() {
    return pipe(hash(CauseSymbolKey), combine(hash(flattenCause(this))), cached(this));
  },
  [symbol2](that) {
    return isCause(that) && causeEquals(this, that);
  },
  pipe() {
    return pipeArguments(this, arguments);
  },
  toJSON() {
    switch (this._tag) {
      case "Empty":
        return {
          _id: "Cause",
          _tag: this._tag
        };
      case "Die":
        return {
          _id: "Cause",
          _tag: this._tag,
          defect: toJSON(this.defect)
        };
      case "Interrupt":
        return {
          _id: "Cause",
          _tag: this._tag,
          fiberId: this.fiberId.toJSON()
        };
      case "Fail":
        return {
          _id: "Cause",
          _tag: this._tag,
          error: toJSON(this.error)
        };
      case "Sequential":
      case "Parallel":
        return {
          _id: "Cause",
          _tag: this._tag,
          left: toJSON(this.left),
          right: toJSON(this.right)
        };
    }
  },
  toString() {
    return pretty(this);
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
}, empty16 = /* @__PURE__ */ (() => {
  let o = /* @__PURE__ */ Object.create(proto);
  return o._tag = OP_EMPTY, o;
})(), fail = (error) => {
  let o = Object.create(proto);
  return o._tag = OP_FAIL, o.error = error, o;
}, die = (defect) => {
  let o = Object.create(proto);
  return o._tag = "Die", o.defect = defect, o;
}, interrupt = (fiberId3) => {
  let o = Object.create(proto);
  return o._tag = OP_INTERRUPT, o.fiberId = fiberId3, o;
}, parallel = (left2, right2) => {
  let o = Object.create(proto);
  return o._tag = OP_PARALLEL, o.left = left2, o.right = right2, o;
}, sequential = (left2, right2) => {
  let o = Object.create(proto);
  return o._tag = OP_SEQUENTIAL, o.left = left2, o.right = right2, o;
}, isCause = (u) => hasProperty(u, CauseTypeId), isEmptyType = (self) => self._tag === OP_EMPTY, isFailType = (self) => self._tag === OP_FAIL, isDieType = (self) => self._tag === "Die", isInterruptType = (self) => self._tag === OP_INTERRUPT;
var isEmpty5 = (self) => self._tag === OP_EMPTY ? !0 : reduce8(self, !0, (acc, cause2) => {
  switch (cause2._tag) {
    case OP_EMPTY:
      return some2(acc);
    case "Die":
    case OP_FAIL:
    case OP_INTERRUPT:
      return some2(!1);
    default:
      return none2();
  }
});
var isDie = (self) => isSome(dieOption(self)), isInterrupted = (self) => isSome(interruptOption(self)), isInterruptedOnly = (self) => reduceWithContext(void 0, IsInterruptedOnlyCauseReducer)(self), failures = (self) => reverse2(reduce8(self, empty6(), (list, cause2) => cause2._tag === OP_FAIL ? some2(pipe(list, prepend2(cause2.error))) : none2())), defects = (self) => reverse2(reduce8(self, empty6(), (list, cause2) => cause2._tag === "Die" ? some2(pipe(list, prepend2(cause2.defect))) : none2())), interruptors = (self) => reduce8(self, empty9(), (set8, cause2) => cause2._tag === OP_INTERRUPT ? some2(pipe(set8, add4(cause2.fiberId))) : none2()), failureOption = (self) => find(self, (cause2) => cause2._tag === OP_FAIL ? some2(cause2.error) : none2()), failureOrCause = (self) => {
  let option3 = failureOption(self);
  switch (option3._tag) {
    case "None":
      return right(self);
    case "Some":
      return left(option3.value);
  }
}, dieOption = (self) => find(self, (cause2) => cause2._tag === "Die" ? some2(cause2.defect) : none2()), flipCauseOption = (self) => match3(self, {
  onEmpty: some2(empty16),
  onFail: map(fail),
  onDie: (defect) => some2(die(defect)),
  onInterrupt: (fiberId3) => some2(interrupt(fiberId3)),
  onSequential: mergeWith(sequential),
  onParallel: mergeWith(parallel)
}), interruptOption = (self) => find(self, (cause2) => cause2._tag === OP_INTERRUPT ? some2(cause2.fiberId) : none2()), keepDefects = (self) => match3(self, {
  onEmpty: none2(),
  onFail: () => none2(),
  onDie: (defect) => some2(die(defect)),
  onInterrupt: () => none2(),
  onSequential: mergeWith(sequential),
  onParallel: mergeWith(parallel)
}), keepDefectsAndElectFailures = (self) => match3(self, {
  onEmpty: none2(),
  onFail: (failure) => some2(die(failure)),
  onDie: (defect) => some2(die(defect)),
  onInterrupt: () => none2(),
  onSequential: mergeWith(sequential),
  onParallel: mergeWith(parallel)
});
var stripFailures = (self) => match3(self, {
  onEmpty: empty16,
  onFail: () => empty16,
  onDie: die,
  onInterrupt: interrupt,
  onSequential: sequential,
  onParallel: parallel
}), electFailures = (self) => match3(self, {
  onEmpty: empty16,
  onFail: die,
  onDie: die,
  onInterrupt: interrupt,
  onSequential: sequential,
  onParallel: parallel
}), stripSomeDefects = /* @__PURE__ */ dual(2, (self, pf) => match3(self, {
  onEmpty: some2(empty16),
  onFail: (error) => some2(fail(error)),
  onDie: (defect) => {
    let option3 = pf(defect);
    return isSome(option3) ? none2() : some2(die(defect));
  },
  onInterrupt: (fiberId3) => some2(interrupt(fiberId3)),
  onSequential: mergeWith(sequential),
  onParallel: mergeWith(parallel)
}));
var map10 = /* @__PURE__ */ dual(2, (self, f) => flatMap7(self, (e) => fail(f(e)))), flatMap7 = /* @__PURE__ */ dual(2, (self, f) => match3(self, {
  onEmpty: empty16,
  onFail: (error) => f(error),
  onDie: (defect) => die(defect),
  onInterrupt: (fiberId3) => interrupt(fiberId3),
  onSequential: (left2, right2) => sequential(left2, right2),
  onParallel: (left2, right2) => parallel(left2, right2)
}));
var causeEquals = (left2, right2) => {
  let leftStack = of2(left2), rightStack = of2(right2);
  for (; isNonEmpty(leftStack) && isNonEmpty(rightStack); ) {
    let [leftParallel, leftSequential] = pipe(headNonEmpty2(leftStack), reduce8([empty9(), empty6()], ([parallel5, sequential5], cause2) => {
      let [par2, seq2] = evaluateCause(cause2);
      return some2([pipe(parallel5, union3(par2)), pipe(sequential5, appendAll2(seq2))]);
    })), [rightParallel, rightSequential] = pipe(headNonEmpty2(rightStack), reduce8([empty9(), empty6()], ([parallel5, sequential5], cause2) => {
      let [par2, seq2] = evaluateCause(cause2);
      return some2([pipe(parallel5, union3(par2)), pipe(sequential5, appendAll2(seq2))]);
    }));
    if (!equals(leftParallel, rightParallel))
      return !1;
    leftStack = leftSequential, rightStack = rightSequential;
  }
  return !0;
}, flattenCause = (cause2) => flattenCauseLoop(of2(cause2), empty6()), flattenCauseLoop = (causes, flattened) => {
  for (; ; ) {
    let [parallel5, sequential5] = pipe(causes, reduce([empty9(), empty6()], ([parallel6, sequential6], cause2) => {
      let [par2, seq2] = evaluateCause(cause2);
      return [pipe(parallel6, union3(par2)), pipe(sequential6, appendAll2(seq2))];
    })), updated = size3(parallel5) > 0 ? pipe(flattened, prepend2(parallel5)) : flattened;
    if (isEmpty(sequential5))
      return reverse2(updated);
    causes = sequential5, flattened = updated;
  }
  throw new Error(getBugErrorMessage("Cause.flattenCauseLoop"));
}, find = /* @__PURE__ */ dual(2, (self, pf) => {
  let stack = [self];
  for (; stack.length > 0; ) {
    let item = stack.pop(), option3 = pf(item);
    switch (option3._tag) {
      case "None": {
        switch (item._tag) {
          case OP_SEQUENTIAL:
          case OP_PARALLEL: {
            stack.push(item.right), stack.push(item.left);
            break;
          }
        }
        break;
      }
      case "Some":
        return option3;
    }
  }
  return none2();
});
var evaluateCause = (self) => {
  let cause2 = self, stack = [], _parallel = empty9(), _sequential = empty6();
  for (; cause2 !== void 0; )
    switch (cause2._tag) {
      case OP_EMPTY: {
        if (stack.length === 0)
          return [_parallel, _sequential];
        cause2 = stack.pop();
        break;
      }
      case OP_FAIL: {
        if (_parallel = add4(_parallel, make7(cause2._tag, cause2.error)), stack.length === 0)
          return [_parallel, _sequential];
        cause2 = stack.pop();
        break;
      }
      case "Die": {
        if (_parallel = add4(_parallel, make7(cause2._tag, cause2.defect)), stack.length === 0)
          return [_parallel, _sequential];
        cause2 = stack.pop();
        break;
      }
      case OP_INTERRUPT: {
        if (_parallel = add4(_parallel, make7(cause2._tag, cause2.fiberId)), stack.length === 0)
          return [_parallel, _sequential];
        cause2 = stack.pop();
        break;
      }
      case OP_SEQUENTIAL: {
        switch (cause2.left._tag) {
          case OP_EMPTY: {
            cause2 = cause2.right;
            break;
          }
          case OP_SEQUENTIAL: {
            cause2 = sequential(cause2.left.left, sequential(cause2.left.right, cause2.right));
            break;
          }
          case OP_PARALLEL: {
            cause2 = parallel(sequential(cause2.left.left, cause2.right), sequential(cause2.left.right, cause2.right));
            break;
          }
          default: {
            _sequential = prepend2(_sequential, cause2.right), cause2 = cause2.left;
            break;
          }
        }
        break;
      }
      case OP_PARALLEL: {
        stack.push(cause2.right), cause2 = cause2.left;
        break;
      }
    }
  throw new Error(getBugErrorMessage("Cause.evaluateCauseLoop"));
};
var IsInterruptedOnlyCauseReducer = {
  emptyCase: constTrue,
  failCase: constFalse,
  dieCase: constFalse,
  interruptCase: constTrue,
  sequentialCase: (_, left2, right2) => left2 && right2,
  parallelCase: (_, left2, right2) => left2 && right2
};
var OP_SEQUENTIAL_CASE = "SequentialCase", OP_PARALLEL_CASE = "ParallelCase", match3 = /* @__PURE__ */ dual(2, (self, {
  onDie,
  onEmpty,
  onFail,
  onInterrupt: onInterrupt3,
  onParallel,
  onSequential
}) => reduceWithContext(self, void 0, {
  emptyCase: () => onEmpty,
  failCase: (_, error) => onFail(error),
  dieCase: (_, defect) => onDie(defect),
  interruptCase: (_, fiberId3) => onInterrupt3(fiberId3),
  sequentialCase: (_, left2, right2) => onSequential(left2, right2),
  parallelCase: (_, left2, right2) => onParallel(left2, right2)
})), reduce8 = /* @__PURE__ */ dual(3, (self, zero2, pf) => {
  let accumulator = zero2, cause2 = self, causes = [];
  for (; cause2 !== void 0; ) {
    let option3 = pf(accumulator, cause2);
    switch (accumulator = isSome(option3) ? option3.value : accumulator, cause2._tag) {
      case OP_SEQUENTIAL: {
        causes.push(cause2.right), cause2 = cause2.left;
        break;
      }
      case OP_PARALLEL: {
        causes.push(cause2.right), cause2 = cause2.left;
        break;
      }
      default: {
        cause2 = void 0;
        break;
      }
    }
    cause2 === void 0 && causes.length > 0 && (cause2 = causes.pop());
  }
  return accumulator;
}), reduceWithContext = /* @__PURE__ */ dual(3, (self, context4, reducer) => {
  let input = [self], output = [];
  for (; input.length > 0; ) {
    let cause2 = input.pop();
    switch (cause2._tag) {
      case OP_EMPTY: {
        output.push(right(reducer.emptyCase(context4)));
        break;
      }
      case OP_FAIL: {
        output.push(right(reducer.failCase(context4, cause2.error)));
        break;
      }
      case "Die": {
        output.push(right(reducer.dieCase(context4, cause2.defect)));
        break;
      }
      case OP_INTERRUPT: {
        output.push(right(reducer.interruptCase(context4, cause2.fiberId)));
        break;
      }
      case OP_SEQUENTIAL: {
        input.push(cause2.right), input.push(cause2.left), output.push(left({
          _tag: OP_SEQUENTIAL_CASE
        }));
        break;
      }
      case OP_PARALLEL: {
        input.push(cause2.right), input.push(cause2.left), output.push(left({
          _tag: OP_PARALLEL_CASE
        }));
        break;
      }
    }
  }
  let accumulator = [];
  for (; output.length > 0; ) {
    let either4 = output.pop();
    switch (either4._tag) {
      case "Left": {
        switch (either4.left._tag) {
          case OP_SEQUENTIAL_CASE: {
            let left2 = accumulator.pop(), right2 = accumulator.pop(), value = reducer.sequentialCase(context4, left2, right2);
            accumulator.push(value);
            break;
          }
          case OP_PARALLEL_CASE: {
            let left2 = accumulator.pop(), right2 = accumulator.pop(), value = reducer.parallelCase(context4, left2, right2);
            accumulator.push(value);
            break;
          }
        }
        break;
      }
      case "Right": {
        accumulator.push(either4.right);
        break;
      }
    }
  }
  if (accumulator.length === 0)
    throw new Error("BUG: Cause.reduceWithContext - please report an issue at https://github.com/Effect-TS/effect/issues");
  return accumulator.pop();
}), pretty = (cause2, options) => isInterruptedOnly(cause2) ? "All fibers interrupted without errors." : prettyErrors(cause2).map(function(e) {
  return options?.renderErrorCause !== !0 || e.cause === void 0 ? e.stack : `${e.stack} {
${renderErrorCause(e.cause, "  ")}
}`;
}).join(`
`), renderErrorCause = (cause2, prefix) => {
  let lines = cause2.stack.split(`
`), stack = `${prefix}[cause]: ${lines[0]}`;
  for (let i = 1, len = lines.length; i < len; i++)
    stack += `
${prefix}${lines[i]}`;
  return cause2.cause && (stack += ` {
${renderErrorCause(cause2.cause, `${prefix}  `)}
${prefix}}`), stack;
}, makePrettyError = (originalError) => {
  let originalErrorIsObject = typeof originalError == "object" && originalError !== null, prevLimit = getStackTraceLimit();
  setStackTraceLimit(1);
  let error = new Error(prettyErrorMessage(originalError), originalErrorIsObject && "cause" in originalError && typeof originalError.cause < "u" ? {
    cause: makePrettyError(originalError.cause)
  } : void 0);
  return setStackTraceLimit(prevLimit), error.message === "" && (error.message = "An error has occurred"), setStackTraceLimit(prevLimit), error.name = originalError instanceof Error ? originalError.name : "Error", originalErrorIsObject && (spanSymbol in originalError && (error.span = originalError[spanSymbol]), Object.keys(originalError).forEach((key) => {
    key in error || (error[key] = originalError[key]);
  })), error.stack = prettyErrorStack(`${error.name}: ${error.message}`, originalError instanceof Error && originalError.stack ? originalError.stack : "", error.span), error;
}, prettyErrorMessage = (u) => {
  if (typeof u == "string")
    return u;
  if (typeof u == "object" && u !== null && u instanceof Error)
    return u.message;
  try {
    if (hasProperty(u, "toString") && isFunction(u.toString) && u.toString !== Object.prototype.toString && u.toString !== globalThis.Array.prototype.toString)
      return u.toString();
  } catch {
  }
  return stringifyCircular(u);
}, locationRegex = /\((.*)\)/g, spanToTrace = /* @__PURE__ */ globalValue("effect/Tracer/spanToTrace", () => /* @__PURE__ */ new WeakMap()), prettyErrorStack = (message, stack, span2) => {
  let out = [message], lines = stack.startsWith(message) ? stack.slice(message.length).split(`
`) : stack.split(`
`);
  for (let i = 1; i < lines.length; i++) {
    if (lines[i].includes(" at new BaseEffectError") || lines[i].includes(" at new YieldableError")) {
      i++;
      continue;
    }
    if (lines[i].includes("Generator.next") || lines[i].includes("effect_internal_function"))
      break;
    out.push(lines[i].replace(/at .*effect_instruction_i.*\((.*)\)/, "at $1").replace(/EffectPrimitive\.\w+/, "<anonymous>"));
  }
  if (span2) {
    let current = span2, i = 0;
    for (; current && current._tag === "Span" && i < 10; ) {
      let stackFn = spanToTrace.get(current);
      if (typeof stackFn == "function") {
        let stack2 = stackFn();
        if (typeof stack2 == "string") {
          let locationMatchAll = stack2.matchAll(locationRegex), match12 = !1;
          for (let [, location] of locationMatchAll)
            match12 = !0, out.push(`    at ${current.name} (${location})`);
          match12 || out.push(`    at ${current.name} (${stack2.replace(/^at /, "")})`);
        } else
          out.push(`    at ${current.name}`);
      } else
        out.push(`    at ${current.name}`);
      current = getOrUndefined(current.parent), i++;
    }
  }
  return out.join(`
`);
}, spanSymbol = /* @__PURE__ */ Symbol.for("effect/SpanAnnotation"), prettyErrors = (cause2) => reduceWithContext(cause2, void 0, {
  emptyCase: () => [],
  dieCase: (_, unknownError) => [makePrettyError(unknownError)],
  failCase: (_, error) => [makePrettyError(error)],
  interruptCase: () => [],
  parallelCase: (_, l, r) => [...l, ...r],
  sequentialCase: (_, l, r) => [...l, ...r]
});

// node_modules/effect/dist/esm/internal/opCodes/deferred.js
var OP_STATE_PENDING = "Pending", OP_STATE_DONE = "Done";

// node_modules/effect/dist/esm/internal/deferred.js
var DeferredSymbolKey = "effect/Deferred", DeferredTypeId = /* @__PURE__ */ Symbol.for(DeferredSymbolKey), deferredVariance = {
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _A: (_) => _
}, pending = (joiners) => ({
  _tag: OP_STATE_PENDING,
  joiners
}), done = (effect) => ({
  _tag: OP_STATE_DONE,
  effect
});

// node_modules/effect/dist/esm/internal/singleShotGen.js
var SingleShotGen2 = class _SingleShotGen {
  self;
  called = !1;
  constructor(self) {
    this.self = self;
  }
  next(a) {
    return this.called ? {
      value: a,
      done: !0
    } : (this.called = !0, {
      value: this.self,
      done: !1
    });
  }
  return(a) {
    return {
      value: a,
      done: !0
    };
  }
  throw(e) {
    throw e;
  }
  [Symbol.iterator]() {
    return new _SingleShotGen(this.self);
  }
};

// node_modules/effect/dist/esm/internal/core.js
var blocked = (blockedRequests, _continue3) => {
  let effect = new EffectPrimitive("Blocked");
  return effect.effect_instruction_i0 = blockedRequests, effect.effect_instruction_i1 = _continue3, effect;
}, runRequestBlock = (blockedRequests) => {
  let effect = new EffectPrimitive("RunBlocked");
  return effect.effect_instruction_i0 = blockedRequests, effect;
}, EffectTypeId = /* @__PURE__ */ Symbol.for("effect/Effect"), RevertFlags = class {
  patch;
  op;
  _op = OP_REVERT_FLAGS;
  constructor(patch9, op) {
    this.patch = patch9, this.op = op;
  }
}, EffectPrimitive = class {
  _op;
  effect_instruction_i0 = void 0;
  effect_instruction_i1 = void 0;
  effect_instruction_i2 = void 0;
  trace = void 0;
  [EffectTypeId] = effectVariance;
  constructor(_op) {
    this._op = _op;
  }
  [symbol2](that) {
    return this === that;
  }
  [symbol]() {
    return cached(this, random(this));
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  toJSON() {
    return {
      _id: "Effect",
      _op: this._op,
      effect_instruction_i0: toJSON(this.effect_instruction_i0),
      effect_instruction_i1: toJSON(this.effect_instruction_i1),
      effect_instruction_i2: toJSON(this.effect_instruction_i2)
    };
  }
  toString() {
    return format(this.toJSON());
  }
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
  [Symbol.iterator]() {
    return new SingleShotGen2(new YieldWrap(this));
  }
}, EffectPrimitiveFailure = class {
  _op;
  effect_instruction_i0 = void 0;
  effect_instruction_i1 = void 0;
  effect_instruction_i2 = void 0;
  trace = void 0;
  [EffectTypeId] = effectVariance;
  constructor(_op) {
    this._op = _op, this._tag = _op;
  }
  [symbol2](that) {
    return exitIsExit(that) && that._op === "Failure" && // @ts-expect-error
    equals(this.effect_instruction_i0, that.effect_instruction_i0);
  }
  [symbol]() {
    return pipe(
      // @ts-expect-error
      string(this._tag),
      // @ts-expect-error
      combine(hash(this.effect_instruction_i0)),
      cached(this)
    );
  }
  get cause() {
    return this.effect_instruction_i0;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  toJSON() {
    return {
      _id: "Exit",
      _tag: this._op,
      cause: this.cause.toJSON()
    };
  }
  toString() {
    return format(this.toJSON());
  }
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
  [Symbol.iterator]() {
    return new SingleShotGen2(new YieldWrap(this));
  }
}, EffectPrimitiveSuccess = class {
  _op;
  effect_instruction_i0 = void 0;
  effect_instruction_i1 = void 0;
  effect_instruction_i2 = void 0;
  trace = void 0;
  [EffectTypeId] = effectVariance;
  constructor(_op) {
    this._op = _op, this._tag = _op;
  }
  [symbol2](that) {
    return exitIsExit(that) && that._op === "Success" && // @ts-expect-error
    equals(this.effect_instruction_i0, that.effect_instruction_i0);
  }
  [symbol]() {
    return pipe(
      // @ts-expect-error
      string(this._tag),
      // @ts-expect-error
      combine(hash(this.effect_instruction_i0)),
      cached(this)
    );
  }
  get value() {
    return this.effect_instruction_i0;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  toJSON() {
    return {
      _id: "Exit",
      _tag: this._op,
      value: toJSON(this.value)
    };
  }
  toString() {
    return format(this.toJSON());
  }
  [NodeInspectSymbol]() {
    return this.toJSON();
  }
  [Symbol.iterator]() {
    return new SingleShotGen2(new YieldWrap(this));
  }
}, isEffect = (u) => hasProperty(u, EffectTypeId), withFiberRuntime = (withRuntime) => {
  let effect = new EffectPrimitive(OP_WITH_RUNTIME);
  return effect.effect_instruction_i0 = withRuntime, effect;
}, acquireUseRelease = /* @__PURE__ */ dual(3, (acquire, use, release) => uninterruptibleMask((restore) => flatMap8(acquire, (a) => flatMap8(exit(suspend(() => restore(use(a)))), (exit4) => suspend(() => release(a, exit4)).pipe(matchCauseEffect({
  onFailure: (cause2) => {
    switch (exit4._tag) {
      case OP_FAILURE:
        return failCause(sequential(exit4.effect_instruction_i0, cause2));
      case OP_SUCCESS:
        return failCause(cause2);
    }
  },
  onSuccess: () => exit4
})))))), as = /* @__PURE__ */ dual(2, (self, value) => flatMap8(self, () => succeed(value))), asVoid = (self) => as(self, void 0), custom = function() {
  let wrapper = new EffectPrimitive(OP_COMMIT);
  switch (arguments.length) {
    case 2: {
      wrapper.effect_instruction_i0 = arguments[0], wrapper.commit = arguments[1];
      break;
    }
    case 3: {
      wrapper.effect_instruction_i0 = arguments[0], wrapper.effect_instruction_i1 = arguments[1], wrapper.commit = arguments[2];
      break;
    }
    case 4: {
      wrapper.effect_instruction_i0 = arguments[0], wrapper.effect_instruction_i1 = arguments[1], wrapper.effect_instruction_i2 = arguments[2], wrapper.commit = arguments[3];
      break;
    }
    default:
      throw new Error(getBugErrorMessage("you're not supposed to end up here"));
  }
  return wrapper;
}, unsafeAsync = (register, blockingOn = none4) => {
  let effect = new EffectPrimitive(OP_ASYNC), cancelerRef;
  return effect.effect_instruction_i0 = (resume2) => {
    cancelerRef = register(resume2);
  }, effect.effect_instruction_i1 = blockingOn, onInterrupt(effect, (_) => isEffect(cancelerRef) ? cancelerRef : void_);
}, asyncInterrupt = (register, blockingOn = none4) => suspend(() => unsafeAsync(register, blockingOn)), async_ = (resume2, blockingOn = none4) => custom(resume2, function() {
  let backingResume, pendingEffect;
  function proxyResume(effect2) {
    backingResume ? backingResume(effect2) : pendingEffect === void 0 && (pendingEffect = effect2);
  }
  let effect = new EffectPrimitive(OP_ASYNC);
  effect.effect_instruction_i0 = (resume3) => {
    backingResume = resume3, pendingEffect && resume3(pendingEffect);
  }, effect.effect_instruction_i1 = blockingOn;
  let cancelerRef, controllerRef;
  return this.effect_instruction_i0.length !== 1 ? (controllerRef = new AbortController(), cancelerRef = internalCall(() => this.effect_instruction_i0(proxyResume, controllerRef.signal))) : cancelerRef = internalCall(() => this.effect_instruction_i0(proxyResume)), cancelerRef || controllerRef ? onInterrupt(effect, (_) => (controllerRef && controllerRef.abort(), cancelerRef ?? void_)) : effect;
});
var catchAllCause = /* @__PURE__ */ dual(2, (self, f) => {
  let effect = new EffectPrimitive(OP_ON_FAILURE);
  return effect.effect_instruction_i0 = self, effect.effect_instruction_i1 = f, effect;
}), catchAll = /* @__PURE__ */ dual(2, (self, f) => matchEffect(self, {
  onFailure: f,
  onSuccess: succeed
})), catchIf = /* @__PURE__ */ dual(3, (self, predicate, f) => catchAllCause(self, (cause2) => {
  let either4 = failureOrCause(cause2);
  switch (either4._tag) {
    case "Left":
      return predicate(either4.left) ? f(either4.left) : failCause(cause2);
    case "Right":
      return failCause(either4.right);
  }
}));
var originalSymbol = /* @__PURE__ */ Symbol.for("effect/OriginalAnnotation");
var capture = (obj, span2) => isSome(span2) ? new Proxy(obj, {
  has(target, p) {
    return p === spanSymbol || p === originalSymbol || p in target;
  },
  get(target, p) {
    return p === spanSymbol ? span2.value : p === originalSymbol ? obj : target[p];
  }
}) : obj, die2 = (defect) => isObject(defect) && !(spanSymbol in defect) ? withFiberRuntime((fiber) => failCause(die(capture(defect, currentSpanFromFiber(fiber))))) : failCause(die(defect)), dieMessage = (message) => failCauseSync(() => die(new RuntimeException(message))), dieSync = (evaluate2) => flatMap8(sync(evaluate2), die2), either2 = (self) => matchEffect(self, {
  onFailure: (e) => succeed(left(e)),
  onSuccess: (a) => succeed(right(a))
}), exit = (self) => matchCause(self, {
  onFailure: exitFailCause,
  onSuccess: exitSucceed
}), fail2 = (error) => isObject(error) && !(spanSymbol in error) ? withFiberRuntime((fiber) => failCause(fail(capture(error, currentSpanFromFiber(fiber))))) : failCause(fail(error)), failSync = (evaluate2) => flatMap8(sync(evaluate2), fail2), failCause = (cause2) => {
  let effect = new EffectPrimitiveFailure(OP_FAILURE);
  return effect.effect_instruction_i0 = cause2, effect;
}, failCauseSync = (evaluate2) => flatMap8(sync(evaluate2), failCause), fiberId = /* @__PURE__ */ withFiberRuntime((state) => succeed(state.id())), fiberIdWith = (f) => withFiberRuntime((state) => f(state.id())), flatMap8 = /* @__PURE__ */ dual(2, (self, f) => {
  let effect = new EffectPrimitive(OP_ON_SUCCESS);
  return effect.effect_instruction_i0 = self, effect.effect_instruction_i1 = f, effect;
}), andThen2 = /* @__PURE__ */ dual(2, (self, f) => flatMap8(self, (a) => {
  let b = typeof f == "function" ? f(a) : f;
  return isEffect(b) ? b : isPromiseLike(b) ? unsafeAsync((resume2) => {
    b.then((a2) => resume2(succeed(a2)), (e) => resume2(fail2(new UnknownException(e, "An unknown error occurred in Effect.andThen"))));
  }) : succeed(b);
})), step2 = (self) => {
  let effect = new EffectPrimitive("OnStep");
  return effect.effect_instruction_i0 = self, effect;
}, flatten3 = (self) => flatMap8(self, identity), flip = (self) => matchEffect(self, {
  onFailure: succeed,
  onSuccess: fail2
}), matchCause = /* @__PURE__ */ dual(2, (self, options) => matchCauseEffect(self, {
  onFailure: (cause2) => succeed(options.onFailure(cause2)),
  onSuccess: (a) => succeed(options.onSuccess(a))
})), matchCauseEffect = /* @__PURE__ */ dual(2, (self, options) => {
  let effect = new EffectPrimitive(OP_ON_SUCCESS_AND_FAILURE);
  return effect.effect_instruction_i0 = self, effect.effect_instruction_i1 = options.onFailure, effect.effect_instruction_i2 = options.onSuccess, effect;
}), matchEffect = /* @__PURE__ */ dual(2, (self, options) => matchCauseEffect(self, {
  onFailure: (cause2) => {
    if (defects(cause2).length > 0)
      return failCause(electFailures(cause2));
    let failures3 = failures(cause2);
    return failures3.length > 0 ? options.onFailure(unsafeHead2(failures3)) : failCause(cause2);
  },
  onSuccess: options.onSuccess
})), forEachSequential = /* @__PURE__ */ dual(2, (self, f) => suspend(() => {
  let arr = fromIterable(self), ret = allocate(arr.length), i = 0;
  return as(whileLoop({
    while: () => i < arr.length,
    body: () => f(arr[i], i),
    step: (b) => {
      ret[i++] = b;
    }
  }), ret);
})), forEachSequentialDiscard = /* @__PURE__ */ dual(2, (self, f) => suspend(() => {
  let arr = fromIterable(self), i = 0;
  return whileLoop({
    while: () => i < arr.length,
    body: () => f(arr[i], i),
    step: () => {
      i++;
    }
  });
}));
var interrupt2 = /* @__PURE__ */ flatMap8(fiberId, (fiberId3) => interruptWith(fiberId3)), interruptWith = (fiberId3) => failCause(interrupt(fiberId3)), interruptible2 = (self) => {
  let effect = new EffectPrimitive(OP_UPDATE_RUNTIME_FLAGS);
  return effect.effect_instruction_i0 = enable3(Interruption), effect.effect_instruction_i1 = () => self, effect;
}, interruptibleMask = (f) => custom(f, function() {
  let effect = new EffectPrimitive(OP_UPDATE_RUNTIME_FLAGS);
  return effect.effect_instruction_i0 = enable3(Interruption), effect.effect_instruction_i1 = (oldFlags) => interruption(oldFlags) ? internalCall(() => this.effect_instruction_i0(interruptible2)) : internalCall(() => this.effect_instruction_i0(uninterruptible)), effect;
}), intoDeferred = /* @__PURE__ */ dual(2, (self, deferred) => uninterruptibleMask((restore) => flatMap8(exit(restore(self)), (exit4) => deferredDone(deferred, exit4)))), map11 = /* @__PURE__ */ dual(2, (self, f) => flatMap8(self, (a) => sync(() => f(a)))), mapBoth = /* @__PURE__ */ dual(2, (self, options) => matchEffect(self, {
  onFailure: (e) => failSync(() => options.onFailure(e)),
  onSuccess: (a) => sync(() => options.onSuccess(a))
})), mapError = /* @__PURE__ */ dual(2, (self, f) => matchCauseEffect(self, {
  onFailure: (cause2) => {
    let either4 = failureOrCause(cause2);
    switch (either4._tag) {
      case "Left":
        return failSync(() => f(either4.left));
      case "Right":
        return failCause(either4.right);
    }
  },
  onSuccess: succeed
})), onError = /* @__PURE__ */ dual(2, (self, cleanup) => onExit(self, (exit4) => exitIsSuccess(exit4) ? void_ : cleanup(exit4.effect_instruction_i0))), onExit = /* @__PURE__ */ dual(2, (self, cleanup) => uninterruptibleMask((restore) => matchCauseEffect(restore(self), {
  onFailure: (cause1) => {
    let result = exitFailCause(cause1);
    return matchCauseEffect(cleanup(result), {
      onFailure: (cause2) => exitFailCause(sequential(cause1, cause2)),
      onSuccess: () => result
    });
  },
  onSuccess: (success) => {
    let result = exitSucceed(success);
    return zipRight(cleanup(result), result);
  }
}))), onInterrupt = /* @__PURE__ */ dual(2, (self, cleanup) => onExit(self, exitMatch({
  onFailure: (cause2) => isInterruptedOnly(cause2) ? asVoid(cleanup(interruptors(cause2))) : void_,
  onSuccess: () => void_
}))), orElse = /* @__PURE__ */ dual(2, (self, that) => attemptOrElse(self, that, succeed)), orDie = (self) => orDieWith(self, identity), orDieWith = /* @__PURE__ */ dual(2, (self, f) => matchEffect(self, {
  onFailure: (e) => die2(f(e)),
  onSuccess: succeed
})), partitionMap2 = partitionMap, runtimeFlags = /* @__PURE__ */ withFiberRuntime((_, status2) => succeed(status2.runtimeFlags)), succeed = (value) => {
  let effect = new EffectPrimitiveSuccess(OP_SUCCESS);
  return effect.effect_instruction_i0 = value, effect;
}, suspend = (evaluate2) => {
  let effect = new EffectPrimitive(OP_COMMIT);
  return effect.commit = evaluate2, effect;
}, sync = (thunk) => {
  let effect = new EffectPrimitive(OP_SYNC);
  return effect.effect_instruction_i0 = thunk, effect;
}, tap = /* @__PURE__ */ dual((args2) => args2.length === 3 || args2.length === 2 && !(isObject(args2[1]) && "onlyEffect" in args2[1]), (self, f) => flatMap8(self, (a) => {
  let b = typeof f == "function" ? f(a) : f;
  return isEffect(b) ? as(b, a) : isPromiseLike(b) ? unsafeAsync((resume2) => {
    b.then((_) => resume2(succeed(a)), (e) => resume2(fail2(new UnknownException(e, "An unknown error occurred in Effect.tap"))));
  }) : succeed(a);
})), transplant = (f) => withFiberRuntime((state) => {
  let scopeOverride = state.getFiberRef(currentForkScopeOverride), scope3 = pipe(scopeOverride, getOrElse(() => state.scope()));
  return f(fiberRefLocally(currentForkScopeOverride, some2(scope3)));
}), attemptOrElse = /* @__PURE__ */ dual(3, (self, that, onSuccess) => matchCauseEffect(self, {
  onFailure: (cause2) => defects(cause2).length > 0 ? failCause(getOrThrow(keepDefectsAndElectFailures(cause2))) : that(),
  onSuccess
})), uninterruptible = (self) => {
  let effect = new EffectPrimitive(OP_UPDATE_RUNTIME_FLAGS);
  return effect.effect_instruction_i0 = disable3(Interruption), effect.effect_instruction_i1 = () => self, effect;
}, uninterruptibleMask = (f) => custom(f, function() {
  let effect = new EffectPrimitive(OP_UPDATE_RUNTIME_FLAGS);
  return effect.effect_instruction_i0 = disable3(Interruption), effect.effect_instruction_i1 = (oldFlags) => interruption(oldFlags) ? internalCall(() => this.effect_instruction_i0(interruptible2)) : internalCall(() => this.effect_instruction_i0(uninterruptible)), effect;
}), void_ = /* @__PURE__ */ succeed(void 0);
var updateRuntimeFlags = (patch9) => {
  let effect = new EffectPrimitive(OP_UPDATE_RUNTIME_FLAGS);
  return effect.effect_instruction_i0 = patch9, effect.effect_instruction_i1 = void 0, effect;
}, whenEffect = /* @__PURE__ */ dual(2, (self, condition) => flatMap8(condition, (b) => b ? pipe(self, map11(some2)) : succeed(none2()))), whileLoop = (options) => {
  let effect = new EffectPrimitive(OP_WHILE);
  return effect.effect_instruction_i0 = options.while, effect.effect_instruction_i1 = options.body, effect.effect_instruction_i2 = options.step, effect;
}, fromIterator = (iterator) => suspend(() => {
  let effect = new EffectPrimitive(OP_ITERATOR);
  return effect.effect_instruction_i0 = iterator(), effect;
}), gen = function() {
  let f = arguments.length === 1 ? arguments[0] : arguments[1].bind(arguments[0]);
  return fromIterator(() => f(pipe));
}, fnUntraced = (body, ...pipeables) => Object.defineProperty(pipeables.length === 0 ? function(...args2) {
  return fromIterator(() => body.apply(this, args2));
} : function(...args2) {
  let effect = fromIterator(() => body.apply(this, args2));
  for (let x of pipeables)
    effect = x(effect, ...args2);
  return effect;
}, "length", {
  value: body.length,
  configurable: !0
});
var withRuntimeFlags = /* @__PURE__ */ dual(2, (self, update5) => {
  let effect = new EffectPrimitive(OP_UPDATE_RUNTIME_FLAGS);
  return effect.effect_instruction_i0 = update5, effect.effect_instruction_i1 = () => self, effect;
}), withTracerEnabled = /* @__PURE__ */ dual(2, (effect, enabled2) => fiberRefLocally(effect, currentTracerEnabled, enabled2));
var yieldNow = (options) => {
  let effect = new EffectPrimitive(OP_YIELD);
  return typeof options?.priority < "u" ? withSchedulingPriority(effect, options.priority) : effect;
}, zip2 = /* @__PURE__ */ dual(2, (self, that) => flatMap8(self, (a) => map11(that, (b) => [a, b])));
var zipLeft = /* @__PURE__ */ dual(2, (self, that) => flatMap8(self, (a) => as(that, a))), zipRight = /* @__PURE__ */ dual(2, (self, that) => flatMap8(self, () => that)), zipWith2 = /* @__PURE__ */ dual(3, (self, that, f) => flatMap8(self, (a) => map11(that, (b) => f(a, b)))), never = /* @__PURE__ */ asyncInterrupt(() => {
  let interval = setInterval(() => {
  }, 2147483647);
  return sync(() => clearInterval(interval));
}), interruptFiber = (self) => flatMap8(fiberId, (fiberId3) => pipe(self, interruptAsFiber(fiberId3))), interruptAsFiber = /* @__PURE__ */ dual(2, (self, fiberId3) => flatMap8(self.interruptAsFork(fiberId3), () => self.await)), logLevelAll = {
  _tag: "All",
  syslog: 0,
  label: "ALL",
  ordinal: Number.MIN_SAFE_INTEGER,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelFatal = {
  _tag: "Fatal",
  syslog: 2,
  label: "FATAL",
  ordinal: 5e4,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelError = {
  _tag: "Error",
  syslog: 3,
  label: "ERROR",
  ordinal: 4e4,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelWarning = {
  _tag: "Warning",
  syslog: 4,
  label: "WARN",
  ordinal: 3e4,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelInfo = {
  _tag: "Info",
  syslog: 6,
  label: "INFO",
  ordinal: 2e4,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelDebug = {
  _tag: "Debug",
  syslog: 7,
  label: "DEBUG",
  ordinal: 1e4,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelTrace = {
  _tag: "Trace",
  syslog: 7,
  label: "TRACE",
  ordinal: 0,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, logLevelNone = {
  _tag: "None",
  syslog: 7,
  label: "OFF",
  ordinal: Number.MAX_SAFE_INTEGER,
  pipe() {
    return pipeArguments(this, arguments);
  }
};
var FiberRefSymbolKey = "effect/FiberRef", FiberRefTypeId = /* @__PURE__ */ Symbol.for(FiberRefSymbolKey), fiberRefVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, fiberRefGet = (self) => withFiberRuntime((fiber) => exitSucceed(fiber.getFiberRef(self)));
var fiberRefGetWith = /* @__PURE__ */ dual(2, (self, f) => flatMap8(fiberRefGet(self), f)), fiberRefSet = /* @__PURE__ */ dual(2, (self, value) => fiberRefModify(self, () => [void 0, value]));
var fiberRefModify = /* @__PURE__ */ dual(2, (self, f) => withFiberRuntime((state) => {
  let [b, a] = f(state.getFiberRef(self));
  return state.setFiberRef(self, a), succeed(b);
}));
var RequestResolverSymbolKey = "effect/RequestResolver", RequestResolverTypeId = /* @__PURE__ */ Symbol.for(RequestResolverSymbolKey), requestResolverVariance = {
  /* c8 ignore next */
  _A: (_) => _,
  /* c8 ignore next */
  _R: (_) => _
}, RequestResolverImpl = class _RequestResolverImpl {
  runAll;
  target;
  [RequestResolverTypeId] = requestResolverVariance;
  constructor(runAll, target) {
    this.runAll = runAll, this.target = target;
  }
  [symbol]() {
    return cached(this, this.target ? hash(this.target) : random(this));
  }
  [symbol2](that) {
    return this.target ? isRequestResolver(that) && equals(this.target, that.target) : this === that;
  }
  identified(...ids3) {
    return new _RequestResolverImpl(this.runAll, fromIterable2(ids3));
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, isRequestResolver = (u) => hasProperty(u, RequestResolverTypeId);
var fiberRefLocally = /* @__PURE__ */ dual(3, (use, self, value) => acquireUseRelease(zipLeft(fiberRefGet(self), fiberRefSet(self, value)), () => use, (oldValue) => fiberRefSet(self, oldValue))), fiberRefLocallyWith = /* @__PURE__ */ dual(3, (use, self, f) => fiberRefGetWith(self, (a) => fiberRefLocally(use, self, f(a)))), fiberRefUnsafeMake = (initial, options) => fiberRefUnsafeMakePatch(initial, {
  differ: update(),
  fork: options?.fork ?? identity,
  join: options?.join
}), fiberRefUnsafeMakeHashSet = (initial) => {
  let differ3 = hashSet();
  return fiberRefUnsafeMakePatch(initial, {
    differ: differ3,
    fork: differ3.empty
  });
}, fiberRefUnsafeMakeReadonlyArray = (initial) => {
  let differ3 = readonlyArray(update());
  return fiberRefUnsafeMakePatch(initial, {
    differ: differ3,
    fork: differ3.empty
  });
}, fiberRefUnsafeMakeContext = (initial) => {
  let differ3 = environment();
  return fiberRefUnsafeMakePatch(initial, {
    differ: differ3,
    fork: differ3.empty
  });
}, fiberRefUnsafeMakePatch = (initial, options) => ({
  ...CommitPrototype,
  [FiberRefTypeId]: fiberRefVariance,
  initial,
  commit() {
    return fiberRefGet(this);
  },
  diff: (oldValue, newValue) => options.differ.diff(oldValue, newValue),
  combine: (first2, second) => options.differ.combine(first2, second),
  patch: (patch9) => (oldValue) => options.differ.patch(patch9, oldValue),
  fork: options.fork,
  join: options.join ?? ((_, n) => n)
}), fiberRefUnsafeMakeRuntimeFlags = (initial) => fiberRefUnsafeMakePatch(initial, {
  differ,
  fork: differ.empty
}), currentContext = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentContext"), () => fiberRefUnsafeMakeContext(empty2())), currentSchedulingPriority = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentSchedulingPriority"), () => fiberRefUnsafeMake(0)), currentMaxOpsBeforeYield = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentMaxOpsBeforeYield"), () => fiberRefUnsafeMake(2048)), currentLogAnnotations = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentLogAnnotation"), () => fiberRefUnsafeMake(empty10())), currentLogLevel = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentLogLevel"), () => fiberRefUnsafeMake(logLevelInfo)), currentLogSpan = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentLogSpan"), () => fiberRefUnsafeMake(empty11())), withSchedulingPriority = /* @__PURE__ */ dual(2, (self, scheduler) => fiberRefLocally(self, currentSchedulingPriority, scheduler));
var currentConcurrency = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentConcurrency"), () => fiberRefUnsafeMake("unbounded")), currentRequestBatching = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentRequestBatching"), () => fiberRefUnsafeMake(!0)), currentUnhandledErrorLogLevel = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentUnhandledErrorLogLevel"), () => fiberRefUnsafeMake(some2(logLevelDebug))), currentVersionMismatchErrorLogLevel = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/versionMismatchErrorLogLevel"), () => fiberRefUnsafeMake(some2(logLevelWarning)));
var currentMetricLabels = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentMetricLabels"), () => fiberRefUnsafeMakeReadonlyArray(empty5()));
var currentForkScopeOverride = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentForkScopeOverride"), () => fiberRefUnsafeMake(none2(), {
  fork: () => none2(),
  join: (parent, _) => parent
})), currentInterruptedCause = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentInterruptedCause"), () => fiberRefUnsafeMake(empty16, {
  fork: () => empty16,
  join: (parent, _) => parent
})), currentTracerEnabled = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentTracerEnabled"), () => fiberRefUnsafeMake(!0)), currentTracerTimingEnabled = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentTracerTiming"), () => fiberRefUnsafeMake(!0)), currentTracerSpanAnnotations = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentTracerSpanAnnotations"), () => fiberRefUnsafeMake(empty10())), currentTracerSpanLinks = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentTracerSpanLinks"), () => fiberRefUnsafeMake(empty6())), ScopeTypeId = /* @__PURE__ */ Symbol.for("effect/Scope"), CloseableScopeTypeId = /* @__PURE__ */ Symbol.for("effect/CloseableScope"), scopeAddFinalizer = (self, finalizer) => self.addFinalizer(() => asVoid(finalizer)), scopeAddFinalizerExit = (self, finalizer) => self.addFinalizer(finalizer), scopeClose = (self, exit4) => self.close(exit4), scopeFork = (self, strategy) => self.fork(strategy), causeSquash = (self) => causeSquashWith(identity)(self), causeSquashWith = /* @__PURE__ */ dual(2, (self, f) => {
  let option3 = pipe(self, failureOption, map(f));
  switch (option3._tag) {
    case "None":
      return pipe(defects(self), head3, match({
        onNone: () => {
          let interrupts = fromIterable(interruptors(self)).flatMap((fiberId3) => fromIterable(ids2(fiberId3)).map((id2) => `#${id2}`));
          return new InterruptedException(interrupts ? `Interrupted by fibers: ${interrupts.join(", ")}` : void 0);
        },
        onSome: identity
      }));
    case "Some":
      return option3.value;
  }
}), YieldableError = /* @__PURE__ */ (function() {
  class YieldableError2 extends globalThis.Error {
    commit() {
      return fail2(this);
    }
    toJSON() {
      let obj = {
        ...this
      };
      return this.message && (obj.message = this.message), this.cause && (obj.cause = this.cause), obj;
    }
    [NodeInspectSymbol]() {
      return this.toString !== globalThis.Error.prototype.toString ? this.stack ? `${this.toString()}
${this.stack.split(`
`).slice(1).join(`
`)}` : this.toString() : "Bun" in globalThis ? pretty(fail(this), {
        renderErrorCause: !0
      }) : this;
    }
  }
  return Object.assign(YieldableError2.prototype, StructuralCommitPrototype), YieldableError2;
})(), makeException = (proto4, tag) => {
  class Base3 extends YieldableError {
    _tag = tag;
  }
  return Object.assign(Base3.prototype, proto4), Base3.prototype.name = tag, Base3;
}, RuntimeExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/RuntimeException"), RuntimeException = /* @__PURE__ */ makeException({
  [RuntimeExceptionTypeId]: RuntimeExceptionTypeId
}, "RuntimeException");
var InterruptedExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/InterruptedException"), InterruptedException = /* @__PURE__ */ makeException({
  [InterruptedExceptionTypeId]: InterruptedExceptionTypeId
}, "InterruptedException"), isInterruptedException = (u) => hasProperty(u, InterruptedExceptionTypeId), IllegalArgumentExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/IllegalArgument"), IllegalArgumentException = /* @__PURE__ */ makeException({
  [IllegalArgumentExceptionTypeId]: IllegalArgumentExceptionTypeId
}, "IllegalArgumentException");
var NoSuchElementExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/NoSuchElement"), NoSuchElementException = /* @__PURE__ */ makeException({
  [NoSuchElementExceptionTypeId]: NoSuchElementExceptionTypeId
}, "NoSuchElementException"), isNoSuchElementException = (u) => hasProperty(u, NoSuchElementExceptionTypeId), InvalidPubSubCapacityExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/InvalidPubSubCapacityException"), InvalidPubSubCapacityException = /* @__PURE__ */ makeException({
  [InvalidPubSubCapacityExceptionTypeId]: InvalidPubSubCapacityExceptionTypeId
}, "InvalidPubSubCapacityException"), ExceededCapacityExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/ExceededCapacityException"), ExceededCapacityException = /* @__PURE__ */ makeException({
  [ExceededCapacityExceptionTypeId]: ExceededCapacityExceptionTypeId
}, "ExceededCapacityException");
var TimeoutExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/Timeout"), TimeoutException = /* @__PURE__ */ makeException({
  [TimeoutExceptionTypeId]: TimeoutExceptionTypeId
}, "TimeoutException"), timeoutExceptionFromDuration = (duration) => new TimeoutException(`Operation timed out after '${format2(duration)}'`);
var UnknownExceptionTypeId = /* @__PURE__ */ Symbol.for("effect/Cause/errors/UnknownException"), UnknownException = /* @__PURE__ */ (function() {
  class UnknownException2 extends YieldableError {
    _tag = "UnknownException";
    error;
    constructor(cause2, message) {
      super(message ?? "An unknown error occurred", {
        cause: cause2
      }), this.error = cause2;
    }
  }
  return Object.assign(UnknownException2.prototype, {
    [UnknownExceptionTypeId]: UnknownExceptionTypeId,
    name: "UnknownException"
  }), UnknownException2;
})();
var exitIsExit = (u) => isEffect(u) && "_tag" in u && (u._tag === "Success" || u._tag === "Failure"), exitIsFailure = (self) => self._tag === "Failure", exitIsSuccess = (self) => self._tag === "Success";
var exitAs = /* @__PURE__ */ dual(2, (self, value) => {
  switch (self._tag) {
    case OP_FAILURE:
      return exitFailCause(self.effect_instruction_i0);
    case OP_SUCCESS:
      return exitSucceed(value);
  }
}), exitAsVoid = (self) => exitAs(self, void 0);
var exitCollectAll = (exits, options) => exitCollectAllInternal(exits, options?.parallel ? parallel : sequential), exitDie = (defect) => exitFailCause(die(defect));
var exitFail = (error) => exitFailCause(fail(error)), exitFailCause = (cause2) => {
  let effect = new EffectPrimitiveFailure(OP_FAILURE);
  return effect.effect_instruction_i0 = cause2, effect;
}, exitFlatMap = /* @__PURE__ */ dual(2, (self, f) => {
  switch (self._tag) {
    case OP_FAILURE:
      return exitFailCause(self.effect_instruction_i0);
    case OP_SUCCESS:
      return f(self.effect_instruction_i0);
  }
});
var exitFlatten = (self) => pipe(self, exitFlatMap(identity));
var exitInterrupt = (fiberId3) => exitFailCause(interrupt(fiberId3)), exitMap = /* @__PURE__ */ dual(2, (self, f) => {
  switch (self._tag) {
    case OP_FAILURE:
      return exitFailCause(self.effect_instruction_i0);
    case OP_SUCCESS:
      return exitSucceed(f(self.effect_instruction_i0));
  }
}), exitMapBoth = /* @__PURE__ */ dual(2, (self, {
  onFailure,
  onSuccess
}) => {
  switch (self._tag) {
    case OP_FAILURE:
      return exitFailCause(pipe(self.effect_instruction_i0, map10(onFailure)));
    case OP_SUCCESS:
      return exitSucceed(onSuccess(self.effect_instruction_i0));
  }
});
var exitMatch = /* @__PURE__ */ dual(2, (self, {
  onFailure,
  onSuccess
}) => {
  switch (self._tag) {
    case OP_FAILURE:
      return onFailure(self.effect_instruction_i0);
    case OP_SUCCESS:
      return onSuccess(self.effect_instruction_i0);
  }
}), exitMatchEffect = /* @__PURE__ */ dual(2, (self, {
  onFailure,
  onSuccess
}) => {
  switch (self._tag) {
    case OP_FAILURE:
      return onFailure(self.effect_instruction_i0);
    case OP_SUCCESS:
      return onSuccess(self.effect_instruction_i0);
  }
}), exitSucceed = (value) => {
  let effect = new EffectPrimitiveSuccess(OP_SUCCESS);
  return effect.effect_instruction_i0 = value, effect;
}, exitVoid = /* @__PURE__ */ exitSucceed(void 0), exitZip = /* @__PURE__ */ dual(2, (self, that) => exitZipWith(self, that, {
  onSuccess: (a, a2) => [a, a2],
  onFailure: sequential
}));
var exitZipRight = /* @__PURE__ */ dual(2, (self, that) => exitZipWith(self, that, {
  onSuccess: (_, a2) => a2,
  onFailure: sequential
}));
var exitZipWith = /* @__PURE__ */ dual(3, (self, that, {
  onFailure,
  onSuccess
}) => {
  switch (self._tag) {
    case OP_FAILURE:
      switch (that._tag) {
        case OP_SUCCESS:
          return exitFailCause(self.effect_instruction_i0);
        case OP_FAILURE:
          return exitFailCause(onFailure(self.effect_instruction_i0, that.effect_instruction_i0));
      }
    case OP_SUCCESS:
      switch (that._tag) {
        case OP_SUCCESS:
          return exitSucceed(onSuccess(self.effect_instruction_i0, that.effect_instruction_i0));
        case OP_FAILURE:
          return exitFailCause(that.effect_instruction_i0);
      }
  }
}), exitCollectAllInternal = (exits, combineCauses) => {
  let list = fromIterable2(exits);
  return isNonEmpty(list) ? pipe(tailNonEmpty2(list), reduce(pipe(headNonEmpty2(list), exitMap(of2)), (accumulator, current) => pipe(accumulator, exitZipWith(current, {
    onSuccess: (list2, value) => pipe(list2, prepend2(value)),
    onFailure: combineCauses
  }))), exitMap(reverse2), exitMap((chunk2) => toReadonlyArray(chunk2)), some2) : none2();
}, deferredUnsafeMake = (fiberId3) => ({
  ...CommitPrototype,
  [DeferredTypeId]: deferredVariance,
  state: make12(pending([])),
  commit() {
    return deferredAwait(this);
  },
  blockingOn: fiberId3
}), deferredMake = () => flatMap8(fiberId, (id2) => deferredMakeAs(id2)), deferredMakeAs = (fiberId3) => sync(() => deferredUnsafeMake(fiberId3)), deferredAwait = (self) => asyncInterrupt((resume2) => {
  let state = get6(self.state);
  switch (state._tag) {
    case OP_STATE_DONE:
      return resume2(state.effect);
    case OP_STATE_PENDING:
      return state.joiners.push(resume2), deferredInterruptJoiner(self, resume2);
  }
}, self.blockingOn), deferredComplete = /* @__PURE__ */ dual(2, (self, effect) => intoDeferred(effect, self)), deferredCompleteWith = /* @__PURE__ */ dual(2, (self, effect) => sync(() => {
  let state = get6(self.state);
  switch (state._tag) {
    case OP_STATE_DONE:
      return !1;
    case OP_STATE_PENDING: {
      set3(self.state, done(effect));
      for (let i = 0, len = state.joiners.length; i < len; i++)
        state.joiners[i](effect);
      return !0;
    }
  }
})), deferredDone = /* @__PURE__ */ dual(2, (self, exit4) => deferredCompleteWith(self, exit4)), deferredFail = /* @__PURE__ */ dual(2, (self, error) => deferredCompleteWith(self, fail2(error)));
var deferredFailCause = /* @__PURE__ */ dual(2, (self, cause2) => deferredCompleteWith(self, failCause(cause2)));
var deferredInterrupt = (self) => flatMap8(fiberId, (fiberId3) => deferredCompleteWith(self, interruptWith(fiberId3))), deferredInterruptWith = /* @__PURE__ */ dual(2, (self, fiberId3) => deferredCompleteWith(self, interruptWith(fiberId3))), deferredIsDone = (self) => sync(() => get6(self.state)._tag === OP_STATE_DONE), deferredPoll = (self) => sync(() => {
  let state = get6(self.state);
  switch (state._tag) {
    case OP_STATE_DONE:
      return some2(state.effect);
    case OP_STATE_PENDING:
      return none2();
  }
}), deferredSucceed = /* @__PURE__ */ dual(2, (self, value) => deferredCompleteWith(self, succeed(value)));
var deferredUnsafeDone = (self, effect) => {
  let state = get6(self.state);
  if (state._tag === OP_STATE_PENDING) {
    set3(self.state, done(effect));
    for (let i = 0, len = state.joiners.length; i < len; i++)
      state.joiners[i](effect);
  }
}, deferredInterruptJoiner = (self, joiner) => sync(() => {
  let state = get6(self.state);
  if (state._tag === OP_STATE_PENDING) {
    let index = state.joiners.indexOf(joiner);
    index >= 0 && state.joiners.splice(index, 1);
  }
}), constContext = /* @__PURE__ */ withFiberRuntime((fiber) => exitSucceed(fiber.currentContext)), context = () => constContext;
var contextWithEffect = (f) => flatMap8(context(), f), provideContext = /* @__PURE__ */ dual(2, (self, context4) => fiberRefLocally(currentContext, context4)(self)), provideSomeContext = /* @__PURE__ */ dual(2, (self, context4) => fiberRefLocallyWith(currentContext, (parent) => merge3(parent, context4))(self)), mapInputContext = /* @__PURE__ */ dual(2, (self, f) => contextWithEffect((context4) => provideContext(self, f(context4))));
var currentSpanFromFiber = (fiber) => {
  let span2 = fiber.currentSpan;
  return span2 !== void 0 && span2._tag === "Span" ? some2(span2) : none2();
}, NoopSpanProto = {
  _tag: "Span",
  spanId: "noop",
  traceId: "noop",
  sampled: !1,
  status: {
    _tag: "Ended",
    startTime: /* @__PURE__ */ BigInt(0),
    endTime: /* @__PURE__ */ BigInt(0),
    exit: exitVoid
  },
  attributes: /* @__PURE__ */ new Map(),
  links: [],
  kind: "internal",
  attribute() {
  },
  event() {
  },
  end() {
  },
  addLinks() {
  }
}, noopSpan = (options) => Object.assign(Object.create(NoopSpanProto), options);

// node_modules/effect/dist/esm/Number.js
var Order2 = number2;
var parse = (s) => {
  if (s === "NaN")
    return some(NaN);
  if (s === "Infinity")
    return some(1 / 0);
  if (s === "-Infinity")
    return some(-1 / 0);
  if (s.trim() === "")
    return none;
  let n = Number(s);
  return Number.isNaN(n) ? none : some(n);
};

// node_modules/effect/dist/esm/LogLevel.js
var All = logLevelAll, Fatal = logLevelFatal, Error2 = logLevelError, Warning = logLevelWarning, Info = logLevelInfo, Debug = logLevelDebug, Trace = logLevelTrace, None3 = logLevelNone;
var Order3 = /* @__PURE__ */ pipe(Order2, /* @__PURE__ */ mapInput2((level) => level.ordinal));
var greaterThan3 = /* @__PURE__ */ greaterThan(Order3), greaterThanEqual = /* @__PURE__ */ greaterThanOrEqualTo(Order3), fromLiteral = (literal) => {
  switch (literal) {
    case "All":
      return All;
    case "Debug":
      return Debug;
    case "Error":
      return Error2;
    case "Fatal":
      return Fatal;
    case "Info":
      return Info;
    case "Trace":
      return Trace;
    case "None":
      return None3;
    case "Warning":
      return Warning;
  }
};

// node_modules/effect/dist/esm/internal/clock.js
var ClockSymbolKey = "effect/Clock", ClockTypeId = /* @__PURE__ */ Symbol.for(ClockSymbolKey), clockTag = /* @__PURE__ */ GenericTag("effect/Clock"), MAX_TIMER_MILLIS = 2 ** 31 - 1, globalClockScheduler = {
  unsafeSchedule(task, duration) {
    let millis2 = toMillis(duration);
    if (millis2 > MAX_TIMER_MILLIS)
      return constFalse;
    let completed = !1, handle = setTimeout(() => {
      completed = !0, task();
    }, millis2);
    return () => (clearTimeout(handle), !completed);
  }
}, performanceNowNanos = /* @__PURE__ */ (function() {
  let bigint1e62 = /* @__PURE__ */ BigInt(1e6);
  if (typeof performance > "u" || typeof performance.now != "function")
    return () => BigInt(Date.now()) * bigint1e62;
  let origin;
  return () => (origin === void 0 && (origin = BigInt(Date.now()) * bigint1e62 - BigInt(Math.round(performance.now() * 1e6))), origin + BigInt(Math.round(performance.now() * 1e6)));
})(), processOrPerformanceNow = /* @__PURE__ */ (function() {
  let processHrtime = typeof process == "object" && "hrtime" in process && typeof process.hrtime.bigint == "function" ? process.hrtime : void 0;
  if (!processHrtime)
    return performanceNowNanos;
  let origin = /* @__PURE__ */ performanceNowNanos() - /* @__PURE__ */ processHrtime.bigint();
  return () => origin + processHrtime.bigint();
})(), ClockImpl = class {
  [ClockTypeId] = ClockTypeId;
  unsafeCurrentTimeMillis() {
    return Date.now();
  }
  unsafeCurrentTimeNanos() {
    return processOrPerformanceNow();
  }
  currentTimeMillis = /* @__PURE__ */ sync(() => this.unsafeCurrentTimeMillis());
  currentTimeNanos = /* @__PURE__ */ sync(() => this.unsafeCurrentTimeNanos());
  scheduler() {
    return succeed(globalClockScheduler);
  }
  sleep(duration) {
    return async_((resume2) => {
      let canceler = globalClockScheduler.unsafeSchedule(() => resume2(void_), duration);
      return asVoid(sync(canceler));
    });
  }
}, make20 = () => new ClockImpl();

// node_modules/effect/dist/esm/RegExp.js
var escape = (string2) => string2.replace(/[/\\^$*+?.()|[\]{}]/g, "\\$&");

// node_modules/effect/dist/esm/internal/opCodes/configError.js
var OP_INVALID_DATA = "InvalidData", OP_MISSING_DATA = "MissingData", OP_SOURCE_UNAVAILABLE = "SourceUnavailable", OP_UNSUPPORTED = "Unsupported";

// node_modules/effect/dist/esm/internal/configError.js
var ConfigErrorSymbolKey = "effect/ConfigError", ConfigErrorTypeId = /* @__PURE__ */ Symbol.for(ConfigErrorSymbolKey), proto2 = {
  _tag: "ConfigError",
  [ConfigErrorTypeId]: ConfigErrorTypeId
}, And = (self, that) => {
  let error = Object.create(proto2);
  return error._op = "And", error.left = self, error.right = that, Object.defineProperty(error, "toString", {
    enumerable: !1,
    value() {
      return `${this.left} and ${this.right}`;
    }
  }), Object.defineProperty(error, "message", {
    enumerable: !1,
    get() {
      return this.toString();
    }
  }), error;
}, Or = (self, that) => {
  let error = Object.create(proto2);
  return error._op = "Or", error.left = self, error.right = that, Object.defineProperty(error, "toString", {
    enumerable: !1,
    value() {
      return `${this.left} or ${this.right}`;
    }
  }), Object.defineProperty(error, "message", {
    enumerable: !1,
    get() {
      return this.toString();
    }
  }), error;
}, InvalidData = (path, message, options = {
  pathDelim: "."
}) => {
  let error = Object.create(proto2);
  return error._op = OP_INVALID_DATA, error.path = path, error.message = message, Object.defineProperty(error, "toString", {
    enumerable: !1,
    value() {
      return `(Invalid data at ${pipe(this.path, join(options.pathDelim))}: "${this.message}")`;
    }
  }), error;
}, MissingData = (path, message, options = {
  pathDelim: "."
}) => {
  let error = Object.create(proto2);
  return error._op = OP_MISSING_DATA, error.path = path, error.message = message, Object.defineProperty(error, "toString", {
    enumerable: !1,
    value() {
      return `(Missing data at ${pipe(this.path, join(options.pathDelim))}: "${this.message}")`;
    }
  }), error;
}, SourceUnavailable = (path, message, cause2, options = {
  pathDelim: "."
}) => {
  let error = Object.create(proto2);
  return error._op = OP_SOURCE_UNAVAILABLE, error.path = path, error.message = message, error.cause = cause2, Object.defineProperty(error, "toString", {
    enumerable: !1,
    value() {
      return `(Source unavailable at ${pipe(this.path, join(options.pathDelim))}: "${this.message}")`;
    }
  }), error;
}, Unsupported = (path, message, options = {
  pathDelim: "."
}) => {
  let error = Object.create(proto2);
  return error._op = OP_UNSUPPORTED, error.path = path, error.message = message, Object.defineProperty(error, "toString", {
    enumerable: !1,
    value() {
      return `(Unsupported operation at ${pipe(this.path, join(options.pathDelim))}: "${this.message}")`;
    }
  }), error;
}, isConfigError = (u) => hasProperty(u, ConfigErrorTypeId);
var prefixed = /* @__PURE__ */ dual(2, (self, prefix) => {
  switch (self._op) {
    case "And":
      return And(prefixed(self.left, prefix), prefixed(self.right, prefix));
    case "Or":
      return Or(prefixed(self.left, prefix), prefixed(self.right, prefix));
    case OP_INVALID_DATA:
      return InvalidData([...prefix, ...self.path], self.message);
    case OP_MISSING_DATA:
      return MissingData([...prefix, ...self.path], self.message);
    case OP_SOURCE_UNAVAILABLE:
      return SourceUnavailable([...prefix, ...self.path], self.message, self.cause);
    case OP_UNSUPPORTED:
      return Unsupported([...prefix, ...self.path], self.message);
  }
}), IsMissingDataOnlyReducer = {
  andCase: (_, left2, right2) => left2 && right2,
  orCase: (_, left2, right2) => left2 && right2,
  invalidDataCase: constFalse,
  missingDataCase: constTrue,
  sourceUnavailableCase: constFalse,
  unsupportedCase: constFalse
}, reduceWithContext2 = /* @__PURE__ */ dual(3, (self, context4, reducer) => {
  let input = [self], output = [];
  for (; input.length > 0; ) {
    let error = input.pop();
    switch (error._op) {
      case "And": {
        input.push(error.right), input.push(error.left), output.push(left({
          _op: "AndCase"
        }));
        break;
      }
      case "Or": {
        input.push(error.right), input.push(error.left), output.push(left({
          _op: "OrCase"
        }));
        break;
      }
      case OP_INVALID_DATA: {
        output.push(right(reducer.invalidDataCase(context4, error.path, error.message)));
        break;
      }
      case OP_MISSING_DATA: {
        output.push(right(reducer.missingDataCase(context4, error.path, error.message)));
        break;
      }
      case OP_SOURCE_UNAVAILABLE: {
        output.push(right(reducer.sourceUnavailableCase(context4, error.path, error.message, error.cause)));
        break;
      }
      case OP_UNSUPPORTED: {
        output.push(right(reducer.unsupportedCase(context4, error.path, error.message)));
        break;
      }
    }
  }
  let accumulator = [];
  for (; output.length > 0; ) {
    let either4 = output.pop();
    switch (either4._op) {
      case "Left": {
        switch (either4.left._op) {
          case "AndCase": {
            let left2 = accumulator.pop(), right2 = accumulator.pop(), value = reducer.andCase(context4, left2, right2);
            accumulator.push(value);
            break;
          }
          case "OrCase": {
            let left2 = accumulator.pop(), right2 = accumulator.pop(), value = reducer.orCase(context4, left2, right2);
            accumulator.push(value);
            break;
          }
        }
        break;
      }
      case "Right": {
        accumulator.push(either4.right);
        break;
      }
    }
  }
  if (accumulator.length === 0)
    throw new Error("BUG: ConfigError.reduceWithContext - please report an issue at https://github.com/Effect-TS/effect/issues");
  return accumulator.pop();
}), isMissingDataOnly = (self) => reduceWithContext2(self, void 0, IsMissingDataOnlyReducer);

// node_modules/effect/dist/esm/internal/configProvider/pathPatch.js
var empty17 = {
  _tag: "Empty"
};
var patch5 = /* @__PURE__ */ dual(2, (path, patch9) => {
  let input = of3(patch9), output = path;
  for (; isCons(input); ) {
    let patch10 = input.head;
    switch (patch10._tag) {
      case "Empty": {
        input = input.tail;
        break;
      }
      case "AndThen": {
        input = cons(patch10.first, cons(patch10.second, input.tail));
        break;
      }
      case "MapName": {
        output = map4(output, patch10.f), input = input.tail;
        break;
      }
      case "Nested": {
        output = prepend(output, patch10.name), input = input.tail;
        break;
      }
      case "Unnested": {
        if (pipe(head2(output), contains(patch10.name)))
          output = tailNonEmpty(output), input = input.tail;
        else
          return left(MissingData(output, `Expected ${patch10.name} to be in path in ConfigProvider#unnested`));
        break;
      }
    }
  }
  return right(output);
});

// node_modules/effect/dist/esm/internal/opCodes/config.js
var OP_CONSTANT = "Constant", OP_FAIL2 = "Fail", OP_FALLBACK = "Fallback", OP_DESCRIBED = "Described", OP_LAZY = "Lazy", OP_MAP_OR_FAIL = "MapOrFail", OP_NESTED = "Nested", OP_PRIMITIVE = "Primitive", OP_REDACTED = "Redacted", OP_SEQUENCE = "Sequence", OP_HASHMAP = "HashMap", OP_ZIP_WITH = "ZipWith";

// node_modules/effect/dist/esm/internal/configProvider.js
var concat = (l, r) => [...l, ...r], ConfigProviderSymbolKey = "effect/ConfigProvider", ConfigProviderTypeId = /* @__PURE__ */ Symbol.for(ConfigProviderSymbolKey), configProviderTag = /* @__PURE__ */ GenericTag("effect/ConfigProvider"), FlatConfigProviderSymbolKey = "effect/ConfigProviderFlat", FlatConfigProviderTypeId = /* @__PURE__ */ Symbol.for(FlatConfigProviderSymbolKey), make21 = (options) => ({
  [ConfigProviderTypeId]: ConfigProviderTypeId,
  pipe() {
    return pipeArguments(this, arguments);
  },
  ...options
}), makeFlat = (options) => ({
  [FlatConfigProviderTypeId]: FlatConfigProviderTypeId,
  patch: options.patch,
  load: (path, config2, split = !0) => options.load(path, config2, split),
  enumerateChildren: options.enumerateChildren
}), fromFlat = (flat) => make21({
  load: (config2) => flatMap8(fromFlatLoop(flat, empty5(), config2, !1), (chunk2) => match(head2(chunk2), {
    onNone: () => fail2(MissingData(empty5(), `Expected a single value having structure: ${config2}`)),
    onSome: succeed
  })),
  flattened: flat
}), fromEnv = (options) => {
  let {
    pathDelim,
    seqDelim
  } = Object.assign({}, {
    pathDelim: "_",
    seqDelim: ","
  }, options), makePathString = (path) => pipe(path, join(pathDelim)), unmakePathString = (pathString) => pathString.split(pathDelim), getEnv = () => typeof process < "u" && "env" in process && typeof process.env == "object" ? process.env : {};
  return fromFlat(makeFlat({
    load: (path, primitive, split = !0) => {
      let pathString = makePathString(path), current = getEnv(), valueOpt = pathString in current ? some2(current[pathString]) : none2();
      return pipe(valueOpt, mapError(() => MissingData(path, `Expected ${pathString} to exist in the process context`)), flatMap8((value) => parsePrimitive(value, path, primitive, seqDelim, split)));
    },
    enumerateChildren: (path) => sync(() => {
      let current = getEnv(), filteredKeyPaths = Object.keys(current).map((value) => unmakePathString(value.toUpperCase())).filter((keyPath) => {
        for (let i = 0; i < path.length; i++) {
          let pathComponent = pipe(path, unsafeGet3(i)), currentElement = keyPath[i];
          if (currentElement === void 0 || pathComponent !== currentElement)
            return !1;
        }
        return !0;
      }).flatMap((keyPath) => keyPath.slice(path.length, path.length + 1));
      return fromIterable5(filteredKeyPaths);
    }),
    patch: empty17
  }));
}, fromMap = (map18, config2) => {
  let {
    pathDelim,
    seqDelim
  } = Object.assign({
    seqDelim: ",",
    pathDelim: "."
  }, config2), makePathString = (path) => pipe(path, join(pathDelim)), unmakePathString = (pathString) => pathString.split(pathDelim), mapWithIndexSplit = splitIndexInKeys(map18, (str) => unmakePathString(str), makePathString);
  return fromFlat(makeFlat({
    load: (path, primitive, split = !0) => {
      let pathString = makePathString(path), valueOpt = mapWithIndexSplit.has(pathString) ? some2(mapWithIndexSplit.get(pathString)) : none2();
      return pipe(valueOpt, mapError(() => MissingData(path, `Expected ${pathString} to exist in the provided map`)), flatMap8((value) => parsePrimitive(value, path, primitive, seqDelim, split)));
    },
    enumerateChildren: (path) => sync(() => {
      let filteredKeyPaths = fromIterable(mapWithIndexSplit.keys()).map(unmakePathString).filter((keyPath) => {
        for (let i = 0; i < path.length; i++) {
          let pathComponent = pipe(path, unsafeGet3(i)), currentElement = keyPath[i];
          if (currentElement === void 0 || pathComponent !== currentElement)
            return !1;
        }
        return !0;
      }).flatMap((keyPath) => keyPath.slice(path.length, path.length + 1));
      return fromIterable5(filteredKeyPaths);
    }),
    patch: empty17
  }));
}, extend = (leftDef, rightDef, left2, right2) => {
  let leftPad = unfold(left2.length, (index) => index >= right2.length ? none2() : some2([leftDef(index), index + 1])), rightPad = unfold(right2.length, (index) => index >= left2.length ? none2() : some2([rightDef(index), index + 1])), leftExtension = concat(left2, leftPad), rightExtension = concat(right2, rightPad);
  return [leftExtension, rightExtension];
}, appendConfigPath = (path, config2) => {
  let op = config2;
  if (op._tag === "Nested") {
    let out = path.slice();
    for (; op._tag === "Nested"; )
      out.push(op.name), op = op.config;
    return out;
  }
  return path;
}, RedactedConfigErrorReducer = {
  andCase: (_, left2, right2) => And(left2, right2),
  orCase: (_, left2, right2) => Or(left2, right2),
  invalidDataCase: (_, path) => InvalidData(path, "<redacted>"),
  missingDataCase: (_, path) => MissingData(path, "<redacted>"),
  sourceUnavailableCase: (_, path, _message, cause2) => SourceUnavailable(path, "<redacted>", cause2),
  unsupportedCase: (_, path) => Unsupported(path, "<redacted>")
}, redactConfigError = (error) => reduceWithContext2(error, void 0, RedactedConfigErrorReducer), fromFlatLoop = (flat, prefix, config2, split) => {
  let op = config2;
  switch (op._tag) {
    case OP_CONSTANT:
      return succeed(of(op.value));
    case OP_DESCRIBED:
      return suspend(() => fromFlatLoop(flat, prefix, op.config, split));
    case OP_FAIL2:
      return fail2(MissingData(prefix, op.message));
    case OP_FALLBACK:
      return pipe(suspend(() => fromFlatLoop(flat, prefix, op.first, split)), catchAll((error1) => op.condition(error1) ? pipe(fromFlatLoop(flat, prefix, op.second, split), catchAll((error2) => fail2(Or(error1, error2)))) : fail2(error1)));
    case OP_LAZY:
      return suspend(() => fromFlatLoop(flat, prefix, op.config(), split));
    case OP_MAP_OR_FAIL:
      return suspend(() => pipe(fromFlatLoop(flat, prefix, op.original, split), flatMap8(forEachSequential((a) => pipe(op.mapOrFail(a), mapError(prefixed(appendConfigPath(prefix, op.original))))))));
    case OP_NESTED:
      return suspend(() => fromFlatLoop(flat, concat(prefix, of(op.name)), op.config, split));
    case OP_PRIMITIVE:
      return pipe(patch5(prefix, flat.patch), flatMap8((prefix2) => pipe(flat.load(prefix2, op, split), flatMap8((values3) => {
        if (values3.length === 0) {
          let name = pipe(last(prefix2), getOrElse(() => "<n/a>"));
          return fail2(MissingData([], `Expected ${op.description} with name ${name}`));
        }
        return succeed(values3);
      }))));
    case OP_REDACTED:
      return suspend(() => pipe(fromFlatLoop(flat, prefix, op.original, split), mapError(redactConfigError), map11(map4(op.redact))));
    case OP_SEQUENCE:
      return pipe(patch5(prefix, flat.patch), flatMap8((patchedPrefix) => pipe(flat.enumerateChildren(patchedPrefix), flatMap8(indicesFrom), flatMap8((indices) => indices.length === 0 ? suspend(() => map11(fromFlatLoop(flat, prefix, op.config, !0), of)) : pipe(forEachSequential(indices, (index) => fromFlatLoop(flat, append(prefix, `[${index}]`), op.config, !0)), map11((chunkChunk) => {
        let flattened = flatten(chunkChunk);
        return flattened.length === 0 ? of(empty5()) : of(flattened);
      }))))));
    case OP_HASHMAP:
      return suspend(() => pipe(patch5(prefix, flat.patch), flatMap8((prefix2) => pipe(flat.enumerateChildren(prefix2), flatMap8((keys6) => pipe(keys6, forEachSequential((key) => fromFlatLoop(flat, concat(prefix2, of(key)), op.valueConfig, split)), map11((matrix) => matrix.length === 0 ? of(empty10()) : pipe(transpose(matrix), map4((values3) => fromIterable6(zip(fromIterable(keys6), values3)))))))))));
    case OP_ZIP_WITH:
      return suspend(() => pipe(fromFlatLoop(flat, prefix, op.left, split), either2, flatMap8((left2) => pipe(fromFlatLoop(flat, prefix, op.right, split), either2, flatMap8((right2) => {
        if (isLeft(left2) && isLeft(right2))
          return fail2(And(left2.left, right2.left));
        if (isLeft(left2) && isRight(right2))
          return fail2(left2.left);
        if (isRight(left2) && isLeft(right2))
          return fail2(right2.left);
        if (isRight(left2) && isRight(right2)) {
          let path = pipe(prefix, join(".")), fail8 = fromFlatLoopFail(prefix, path), [lefts, rights] = extend(fail8, fail8, pipe(left2.right, map4(right)), pipe(right2.right, map4(right)));
          return pipe(lefts, zip(rights), forEachSequential(([left3, right3]) => pipe(zip2(left3, right3), map11(([left4, right4]) => op.zip(left4, right4)))));
        }
        throw new Error("BUG: ConfigProvider.fromFlatLoop - please report an issue at https://github.com/Effect-TS/effect/issues");
      })))));
  }
}, fromFlatLoopFail = (prefix, path) => (index) => left(MissingData(prefix, `The element at index ${index} in a sequence at path "${path}" was missing`));
var orElse2 = /* @__PURE__ */ dual(2, (self, that) => fromFlat(orElseFlat(self.flattened, () => that().flattened))), orElseFlat = (self, that) => makeFlat({
  load: (path, config2, split) => pipe(patch5(path, self.patch), flatMap8((patch9) => self.load(patch9, config2, split)), catchAll((error1) => pipe(sync(that), flatMap8((that2) => pipe(patch5(path, that2.patch), flatMap8((patch9) => that2.load(patch9, config2, split)), catchAll((error2) => fail2(Or(error1, error2)))))))),
  enumerateChildren: (path) => pipe(patch5(path, self.patch), flatMap8((patch9) => self.enumerateChildren(patch9)), either2, flatMap8((left2) => pipe(sync(that), flatMap8((that2) => pipe(patch5(path, that2.patch), flatMap8((patch9) => that2.enumerateChildren(patch9)), either2, flatMap8((right2) => {
    if (isLeft(left2) && isLeft(right2))
      return fail2(And(left2.left, right2.left));
    if (isLeft(left2) && isRight(right2))
      return succeed(right2.right);
    if (isRight(left2) && isLeft(right2))
      return succeed(left2.right);
    if (isRight(left2) && isRight(right2))
      return succeed(pipe(left2.right, union3(right2.right)));
    throw new Error("BUG: ConfigProvider.orElseFlat - please report an issue at https://github.com/Effect-TS/effect/issues");
  })))))),
  patch: empty17
});
var splitPathString = (text, delim) => text.split(new RegExp(`\\s*${escape(delim)}\\s*`)), parsePrimitive = (text, path, primitive, delimiter, split) => split ? pipe(splitPathString(text, delimiter), forEachSequential((char) => primitive.parse(char.trim())), mapError(prefixed(path))) : pipe(primitive.parse(text), mapBoth({
  onFailure: prefixed(path),
  onSuccess: of
})), transpose = (array3) => Object.keys(array3[0]).map((column) => array3.map((row) => row[column])), indicesFrom = (quotedIndices) => pipe(forEachSequential(quotedIndices, parseQuotedIndex), mapBoth({
  onFailure: () => empty5(),
  onSuccess: sort(Order2)
}), either2, map11(merge)), STR_INDEX_REGEX = /(^.+)(\[(\d+)\])$/, QUOTED_INDEX_REGEX = /^(\[(\d+)\])$/, parseQuotedIndex = (str) => {
  let match12 = str.match(QUOTED_INDEX_REGEX);
  if (match12 !== null) {
    let matchedIndex = match12[2];
    return pipe(matchedIndex !== void 0 && matchedIndex.length > 0 ? some2(matchedIndex) : none2(), flatMap(parseInteger));
  }
  return none2();
}, splitIndexInKeys = (map18, unmakePathString, makePathString) => {
  let newMap = /* @__PURE__ */ new Map();
  for (let [pathString, value] of map18) {
    let keyWithIndex = pipe(unmakePathString(pathString), flatMap2((key) => match(splitIndexFrom(key), {
      onNone: () => of(key),
      onSome: ([key2, index]) => make6(key2, `[${index}]`)
    })));
    newMap.set(makePathString(keyWithIndex), value);
  }
  return newMap;
}, splitIndexFrom = (key) => {
  let match12 = key.match(STR_INDEX_REGEX);
  if (match12 !== null) {
    let matchedString = match12[1], matchedIndex = match12[3], optionalString = matchedString !== void 0 && matchedString.length > 0 ? some2(matchedString) : none2(), optionalIndex = pipe(matchedIndex !== void 0 && matchedIndex.length > 0 ? some2(matchedIndex) : none2(), flatMap(parseInteger));
    return all([optionalString, optionalIndex]);
  }
  return none2();
}, parseInteger = (str) => {
  let parsedIndex = Number.parseInt(str);
  return Number.isNaN(parsedIndex) ? none2() : some2(parsedIndex);
};

// node_modules/effect/dist/esm/internal/defaultServices/console.js
var TypeId6 = /* @__PURE__ */ Symbol.for("effect/Console"), consoleTag = /* @__PURE__ */ GenericTag("effect/Console"), defaultConsole = {
  [TypeId6]: TypeId6,
  assert(condition, ...args2) {
    return sync(() => {
      console.assert(condition, ...args2);
    });
  },
  clear: /* @__PURE__ */ sync(() => {
    console.clear();
  }),
  count(label) {
    return sync(() => {
      console.count(label);
    });
  },
  countReset(label) {
    return sync(() => {
      console.countReset(label);
    });
  },
  debug(...args2) {
    return sync(() => {
      console.debug(...args2);
    });
  },
  dir(item, options) {
    return sync(() => {
      console.dir(item, options);
    });
  },
  dirxml(...args2) {
    return sync(() => {
      console.dirxml(...args2);
    });
  },
  error(...args2) {
    return sync(() => {
      console.error(...args2);
    });
  },
  group(options) {
    return options?.collapsed ? sync(() => console.groupCollapsed(options?.label)) : sync(() => console.group(options?.label));
  },
  groupEnd: /* @__PURE__ */ sync(() => {
    console.groupEnd();
  }),
  info(...args2) {
    return sync(() => {
      console.info(...args2);
    });
  },
  log(...args2) {
    return sync(() => {
      console.log(...args2);
    });
  },
  table(tabularData, properties) {
    return sync(() => {
      console.table(tabularData, properties);
    });
  },
  time(label) {
    return sync(() => console.time(label));
  },
  timeEnd(label) {
    return sync(() => console.timeEnd(label));
  },
  timeLog(label, ...args2) {
    return sync(() => {
      console.timeLog(label, ...args2);
    });
  },
  trace(...args2) {
    return sync(() => {
      console.trace(...args2);
    });
  },
  warn(...args2) {
    return sync(() => {
      console.warn(...args2);
    });
  },
  unsafe: console
};

// node_modules/effect/dist/esm/internal/random.js
var RandomSymbolKey = "effect/Random", RandomTypeId = /* @__PURE__ */ Symbol.for(RandomSymbolKey), randomTag = /* @__PURE__ */ GenericTag("effect/Random"), RandomImpl = class {
  seed;
  [RandomTypeId] = RandomTypeId;
  PRNG;
  constructor(seed) {
    this.seed = seed, this.PRNG = new PCGRandom(seed);
  }
  get next() {
    return sync(() => this.PRNG.number());
  }
  get nextBoolean() {
    return map11(this.next, (n) => n > 0.5);
  }
  get nextInt() {
    return sync(() => this.PRNG.integer(Number.MAX_SAFE_INTEGER));
  }
  nextRange(min4, max6) {
    return map11(this.next, (n) => (max6 - min4) * n + min4);
  }
  nextIntBetween(min4, max6) {
    return sync(() => this.PRNG.integer(max6 - min4) + min4);
  }
  shuffle(elements) {
    return shuffleWith(elements, (n) => this.nextIntBetween(0, n));
  }
}, shuffleWith = (elements, nextIntBounded) => suspend(() => pipe(sync(() => Array.from(elements)), flatMap8((buffer) => {
  let numbers = [];
  for (let i = buffer.length; i >= 2; i = i - 1)
    numbers.push(i);
  return pipe(numbers, forEachSequentialDiscard((n) => pipe(nextIntBounded(n), map11((k) => swap(buffer, n - 1, k)))), as(fromIterable2(buffer)));
}))), swap = (buffer, index1, index2) => {
  let tmp = buffer[index1];
  return buffer[index1] = buffer[index2], buffer[index2] = tmp, buffer;
}, make22 = (seed) => new RandomImpl(hash(seed)), FixedRandomImpl = class {
  values;
  [RandomTypeId] = RandomTypeId;
  index = 0;
  constructor(values3) {
    if (this.values = values3, values3.length === 0)
      throw new Error("Requires at least one value");
  }
  getNextValue() {
    let value = this.values[this.index];
    return this.index = (this.index + 1) % this.values.length, value;
  }
  get next() {
    return sync(() => {
      let value = this.getNextValue();
      return typeof value == "number" ? Math.max(0, Math.min(1, value)) : hash(value) / 2147483647;
    });
  }
  get nextBoolean() {
    return sync(() => {
      let value = this.getNextValue();
      return typeof value == "boolean" ? value : hash(value) % 2 === 0;
    });
  }
  get nextInt() {
    return sync(() => {
      let value = this.getNextValue();
      return typeof value == "number" && Number.isFinite(value) ? Math.round(value) : Math.abs(hash(value));
    });
  }
  nextRange(min4, max6) {
    return map11(this.next, (n) => (max6 - min4) * n + min4);
  }
  nextIntBetween(min4, max6) {
    return sync(() => {
      let value = this.getNextValue();
      if (typeof value == "number" && Number.isFinite(value))
        return Math.max(min4, Math.min(max6 - 1, Math.round(value)));
      let hash2 = Math.abs(hash(value));
      return min4 + hash2 % (max6 - min4);
    });
  }
  shuffle(elements) {
    return shuffleWith(elements, (n) => this.nextIntBetween(0, n));
  }
};

// node_modules/effect/dist/esm/internal/tracer.js
var TracerTypeId = /* @__PURE__ */ Symbol.for("effect/Tracer"), make23 = (options) => ({
  [TracerTypeId]: TracerTypeId,
  ...options
}), tracerTag = /* @__PURE__ */ GenericTag("effect/Tracer"), spanTag = /* @__PURE__ */ GenericTag("effect/ParentSpan"), randomHexString = /* @__PURE__ */ (function() {
  let characters = "abcdef0123456789", charactersLength = characters.length;
  return function(length) {
    let result = "";
    for (let i = 0; i < length; i++)
      result += characters.charAt(Math.floor(Math.random() * charactersLength));
    return result;
  };
})(), NativeSpan = class {
  name;
  parent;
  context;
  startTime;
  kind;
  _tag = "Span";
  spanId;
  traceId = "native";
  sampled = !0;
  status;
  attributes;
  events = [];
  links;
  constructor(name, parent, context4, links, startTime, kind) {
    this.name = name, this.parent = parent, this.context = context4, this.startTime = startTime, this.kind = kind, this.status = {
      _tag: "Started",
      startTime
    }, this.attributes = /* @__PURE__ */ new Map(), this.traceId = parent._tag === "Some" ? parent.value.traceId : randomHexString(32), this.spanId = randomHexString(16), this.links = Array.from(links);
  }
  end(endTime, exit4) {
    this.status = {
      _tag: "Ended",
      endTime,
      exit: exit4,
      startTime: this.status.startTime
    };
  }
  attribute(key, value) {
    this.attributes.set(key, value);
  }
  event(name, startTime, attributes) {
    this.events.push([name, startTime, attributes ?? {}]);
  }
  addLinks(links) {
    this.links.push(...links);
  }
}, nativeTracer = /* @__PURE__ */ make23({
  span: (name, parent, context4, links, startTime, kind) => new NativeSpan(name, parent, context4, links, startTime, kind),
  context: (f) => f()
}), externalSpan = (options) => ({
  _tag: "ExternalSpan",
  spanId: options.spanId,
  traceId: options.traceId,
  sampled: options.sampled ?? !0,
  context: options.context ?? empty2()
}), addSpanStackTrace = (options) => {
  if (options?.captureStackTrace === !1)
    return options;
  if (options?.captureStackTrace !== void 0 && typeof options.captureStackTrace != "boolean")
    return options;
  let limit = getStackTraceLimit();
  setStackTraceLimit(3);
  let traceError = new Error();
  setStackTraceLimit(limit);
  let cache = !1;
  return {
    ...options,
    captureStackTrace: () => {
      if (cache !== !1)
        return cache;
      if (traceError.stack !== void 0) {
        let stack = traceError.stack.split(`
`);
        if (stack[3] !== void 0)
          return cache = stack[3].trim(), cache;
      }
    }
  };
}, DisablePropagation = /* @__PURE__ */ Reference2()("effect/Tracer/DisablePropagation", {
  defaultValue: constFalse
});

// node_modules/effect/dist/esm/internal/defaultServices.js
var liveServices = /* @__PURE__ */ pipe(/* @__PURE__ */ empty2(), /* @__PURE__ */ add2(clockTag, /* @__PURE__ */ make20()), /* @__PURE__ */ add2(consoleTag, defaultConsole), /* @__PURE__ */ add2(randomTag, /* @__PURE__ */ make22(/* @__PURE__ */ Math.random())), /* @__PURE__ */ add2(configProviderTag, /* @__PURE__ */ fromEnv()), /* @__PURE__ */ add2(tracerTag, nativeTracer)), currentServices = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/DefaultServices/currentServices"), () => fiberRefUnsafeMakeContext(liveServices)), sleep = (duration) => {
  let decodedDuration = decode(duration);
  return clockWith((clock3) => clock3.sleep(decodedDuration));
}, defaultServicesWith = (f) => withFiberRuntime((fiber) => f(fiber.currentDefaultServices)), clockWith = (f) => defaultServicesWith((services) => f(services.unsafeMap.get(clockTag.key))), currentTimeMillis = /* @__PURE__ */ clockWith((clock3) => clock3.currentTimeMillis), currentTimeNanos = /* @__PURE__ */ clockWith((clock3) => clock3.currentTimeNanos), withClock = /* @__PURE__ */ dual(2, (effect, c) => fiberRefLocallyWith(currentServices, add2(clockTag, c))(effect)), withConfigProvider = /* @__PURE__ */ dual(2, (self, provider) => fiberRefLocallyWith(currentServices, add2(configProviderTag, provider))(self)), configProviderWith = (f) => defaultServicesWith((services) => f(services.unsafeMap.get(configProviderTag.key))), config = (config2) => configProviderWith((_) => _.load(config2));
var randomWith = (f) => defaultServicesWith((services) => f(services.unsafeMap.get(randomTag.key))), withRandom = /* @__PURE__ */ dual(2, (effect, value) => fiberRefLocallyWith(currentServices, add2(randomTag, value))(effect)), next = /* @__PURE__ */ randomWith((random3) => random3.next);
var nextRange = (min4, max6) => randomWith((random3) => random3.nextRange(min4, max6)), nextIntBetween = (min4, max6) => randomWith((random3) => random3.nextIntBetween(min4, max6));
var tracerWith = (f) => defaultServicesWith((services) => f(services.unsafeMap.get(tracerTag.key)));

// node_modules/effect/dist/esm/Clock.js
var ClockTypeId2 = ClockTypeId;
var sleep2 = sleep, currentTimeMillis2 = currentTimeMillis, currentTimeNanos2 = currentTimeNanos, clockWith2 = clockWith, Clock = clockTag;

// node_modules/effect/dist/esm/Exit.js
var isFailure = exitIsFailure, isSuccess = exitIsSuccess;
var asVoid2 = exitAsVoid;
var all2 = exitCollectAll, die3 = exitDie;
var fail3 = exitFail, failCause2 = exitFailCause;
var flatten4 = exitFlatten;
var map12 = exitMap, mapBoth2 = exitMapBoth;
var match5 = exitMatch;
var succeed2 = exitSucceed, void_2 = exitVoid;
var zip3 = exitZip;
var zipRight2 = exitZipRight;

// node_modules/effect/dist/esm/Cause.js
var TimeoutExceptionTypeId2 = TimeoutExceptionTypeId;
var empty18 = empty16, fail4 = fail, die4 = die, interrupt3 = interrupt, parallel2 = parallel, sequential2 = sequential, isCause2 = isCause, isEmptyType2 = isEmptyType, isFailType2 = isFailType, isDieType2 = isDieType, isInterruptType2 = isInterruptType;
var isEmpty6 = isEmpty5;
var isDie2 = isDie, isInterrupted2 = isInterrupted, isInterruptedOnly2 = isInterruptedOnly, failures2 = failures, defects2 = defects, interruptors2 = interruptors, failureOption2 = failureOption, failureOrCause2 = failureOrCause, flipCauseOption2 = flipCauseOption;
var stripSomeDefects2 = stripSomeDefects;
var map13 = map10;
var squash = causeSquash;
var reduce9 = reduce8, reduceWithContext3 = reduceWithContext;
var IllegalArgumentException2 = IllegalArgumentException;
var NoSuchElementException2 = NoSuchElementException, isNoSuchElementException2 = isNoSuchElementException;
var pretty2 = pretty, prettyErrors2 = prettyErrors;

// node_modules/effect/dist/esm/Boolean.js
var not = (self) => !self;

// node_modules/effect/dist/esm/Effectable.js
var EffectPrototype2 = EffectPrototype;
var Base2 = Base, StructuralBase2 = StructuralBase, Class = class extends Base2 {
}, StructuralClass = class extends StructuralBase2 {
};

// node_modules/effect/dist/esm/internal/executionStrategy.js
var OP_SEQUENTIAL2 = "Sequential", OP_PARALLEL2 = "Parallel", OP_PARALLEL_N = "ParallelN", sequential3 = {
  _tag: OP_SEQUENTIAL2
}, parallel3 = {
  _tag: OP_PARALLEL2
}, parallelN = (parallelism) => ({
  _tag: OP_PARALLEL_N,
  parallelism
}), isSequential = (self) => self._tag === OP_SEQUENTIAL2, isParallel = (self) => self._tag === OP_PARALLEL2;

// node_modules/effect/dist/esm/ExecutionStrategy.js
var sequential4 = sequential3, parallel4 = parallel3, parallelN2 = parallelN;

// node_modules/effect/dist/esm/internal/fiberRefs.js
function unsafeMake4(fiberRefLocals) {
  return new FiberRefsImpl(fiberRefLocals);
}
function empty19() {
  return unsafeMake4(/* @__PURE__ */ new Map());
}
var FiberRefsSym = /* @__PURE__ */ Symbol.for("effect/FiberRefs"), FiberRefsImpl = class {
  locals;
  [FiberRefsSym] = FiberRefsSym;
  constructor(locals) {
    this.locals = locals;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, findAncestor = (_ref, _parentStack, _childStack, _childModified = !1) => {
  let ref = _ref, parentStack = _parentStack, childStack = _childStack, childModified = _childModified, ret;
  for (; ret === void 0; )
    if (isNonEmptyReadonlyArray(parentStack) && isNonEmptyReadonlyArray(childStack)) {
      let parentFiberId = headNonEmpty(parentStack)[0], parentAncestors = tailNonEmpty(parentStack), childFiberId = headNonEmpty(childStack)[0], childRefValue = headNonEmpty(childStack)[1], childAncestors = tailNonEmpty(childStack);
      parentFiberId.startTimeMillis < childFiberId.startTimeMillis ? (childStack = childAncestors, childModified = !0) : parentFiberId.startTimeMillis > childFiberId.startTimeMillis ? parentStack = parentAncestors : parentFiberId.id < childFiberId.id ? (childStack = childAncestors, childModified = !0) : parentFiberId.id > childFiberId.id ? parentStack = parentAncestors : ret = [childRefValue, childModified];
    } else
      ret = [ref.initial, !0];
  return ret;
}, joinAs = /* @__PURE__ */ dual(3, (self, fiberId3, that) => {
  let parentFiberRefs = new Map(self.locals);
  return that.locals.forEach((childStack, fiberRef) => {
    let childValue = childStack[0][1];
    if (!childStack[0][0][symbol2](fiberId3)) {
      if (!parentFiberRefs.has(fiberRef)) {
        if (equals(childValue, fiberRef.initial))
          return;
        parentFiberRefs.set(fiberRef, [[fiberId3, fiberRef.join(fiberRef.initial, childValue)]]);
        return;
      }
      let parentStack = parentFiberRefs.get(fiberRef), [ancestor, wasModified] = findAncestor(fiberRef, parentStack, childStack);
      if (wasModified) {
        let patch9 = fiberRef.diff(ancestor, childValue), oldValue = parentStack[0][1], newValue = fiberRef.join(oldValue, fiberRef.patch(patch9)(oldValue));
        if (!equals(oldValue, newValue)) {
          let newStack, parentFiberId = parentStack[0][0];
          parentFiberId[symbol2](fiberId3) ? newStack = [[parentFiberId, newValue], ...parentStack.slice(1)] : newStack = [[fiberId3, newValue], ...parentStack], parentFiberRefs.set(fiberRef, newStack);
        }
      }
    }
  }), new FiberRefsImpl(parentFiberRefs);
}), forkAs = /* @__PURE__ */ dual(2, (self, childId) => {
  let map18 = /* @__PURE__ */ new Map();
  return unsafeForkAs(self, map18, childId), new FiberRefsImpl(map18);
}), unsafeForkAs = (self, map18, fiberId3) => {
  self.locals.forEach((stack, fiberRef) => {
    let oldValue = stack[0][1], newValue = fiberRef.patch(fiberRef.fork)(oldValue);
    equals(oldValue, newValue) ? map18.set(fiberRef, stack) : map18.set(fiberRef, [[fiberId3, newValue], ...stack]);
  });
};
var delete_ = /* @__PURE__ */ dual(2, (self, fiberRef) => {
  let locals = new Map(self.locals);
  return locals.delete(fiberRef), new FiberRefsImpl(locals);
}), get8 = /* @__PURE__ */ dual(2, (self, fiberRef) => self.locals.has(fiberRef) ? some2(headNonEmpty(self.locals.get(fiberRef))[1]) : none2()), getOrDefault = /* @__PURE__ */ dual(2, (self, fiberRef) => pipe(get8(self, fiberRef), getOrElse(() => fiberRef.initial))), updateAs = /* @__PURE__ */ dual(2, (self, {
  fiberId: fiberId3,
  fiberRef,
  value
}) => {
  if (self.locals.size === 0)
    return new FiberRefsImpl(/* @__PURE__ */ new Map([[fiberRef, [[fiberId3, value]]]]));
  let locals = new Map(self.locals);
  return unsafeUpdateAs(locals, fiberId3, fiberRef, value), new FiberRefsImpl(locals);
}), unsafeUpdateAs = (locals, fiberId3, fiberRef, value) => {
  let oldStack = locals.get(fiberRef) ?? [], newStack;
  if (isNonEmptyReadonlyArray(oldStack)) {
    let [currentId, currentValue] = headNonEmpty(oldStack);
    if (currentId[symbol2](fiberId3)) {
      if (equals(currentValue, value))
        return;
      newStack = [[fiberId3, value], ...oldStack.slice(1)];
    } else
      newStack = [[fiberId3, value], ...oldStack];
  } else
    newStack = [[fiberId3, value]];
  locals.set(fiberRef, newStack);
}, updateManyAs = /* @__PURE__ */ dual(2, (self, {
  entries: entries3,
  forkAs: forkAs2
}) => {
  if (self.locals.size === 0)
    return new FiberRefsImpl(new Map(entries3));
  let locals = new Map(self.locals);
  return forkAs2 !== void 0 && unsafeForkAs(self, locals, forkAs2), entries3.forEach(([fiberRef, values3]) => {
    values3.length === 1 ? unsafeUpdateAs(locals, values3[0][0], fiberRef, values3[0][1]) : values3.forEach(([fiberId3, value]) => {
      unsafeUpdateAs(locals, fiberId3, fiberRef, value);
    });
  }), new FiberRefsImpl(locals);
});

// node_modules/effect/dist/esm/FiberRefs.js
var get9 = get8, getOrDefault2 = getOrDefault;
var updateManyAs2 = updateManyAs;
var empty20 = empty19;

// node_modules/effect/dist/esm/internal/fiberRefs/patch.js
var OP_EMPTY2 = "Empty", OP_ADD = "Add", OP_REMOVE = "Remove", OP_UPDATE = "Update", OP_AND_THEN = "AndThen", empty21 = {
  _tag: OP_EMPTY2
}, diff5 = (oldValue, newValue) => {
  let missingLocals = new Map(oldValue.locals), patch9 = empty21;
  for (let [fiberRef, pairs] of newValue.locals.entries()) {
    let newValue2 = headNonEmpty(pairs)[1], old = missingLocals.get(fiberRef);
    if (old !== void 0) {
      let oldValue2 = headNonEmpty(old)[1];
      equals(oldValue2, newValue2) || (patch9 = combine7({
        _tag: OP_UPDATE,
        fiberRef,
        patch: fiberRef.diff(oldValue2, newValue2)
      })(patch9));
    } else
      patch9 = combine7({
        _tag: OP_ADD,
        fiberRef,
        value: newValue2
      })(patch9);
    missingLocals.delete(fiberRef);
  }
  for (let [fiberRef] of missingLocals.entries())
    patch9 = combine7({
      _tag: OP_REMOVE,
      fiberRef
    })(patch9);
  return patch9;
}, combine7 = /* @__PURE__ */ dual(2, (self, that) => ({
  _tag: OP_AND_THEN,
  first: self,
  second: that
})), patch6 = /* @__PURE__ */ dual(3, (self, fiberId3, oldValue) => {
  let fiberRefs3 = oldValue, patches = of(self);
  for (; isNonEmptyReadonlyArray(patches); ) {
    let head5 = headNonEmpty(patches), tail = tailNonEmpty(patches);
    switch (head5._tag) {
      case OP_EMPTY2: {
        patches = tail;
        break;
      }
      case OP_ADD: {
        fiberRefs3 = updateAs(fiberRefs3, {
          fiberId: fiberId3,
          fiberRef: head5.fiberRef,
          value: head5.value
        }), patches = tail;
        break;
      }
      case OP_REMOVE: {
        fiberRefs3 = delete_(fiberRefs3, head5.fiberRef), patches = tail;
        break;
      }
      case OP_UPDATE: {
        let value = getOrDefault(fiberRefs3, head5.fiberRef);
        fiberRefs3 = updateAs(fiberRefs3, {
          fiberId: fiberId3,
          fiberRef: head5.fiberRef,
          value: head5.fiberRef.patch(head5.patch)(value)
        }), patches = tail;
        break;
      }
      case OP_AND_THEN: {
        patches = prepend(head5.first)(prepend(head5.second)(tail));
        break;
      }
    }
  }
  return fiberRefs3;
});

// node_modules/effect/dist/esm/FiberRefsPatch.js
var diff6 = diff5;
var patch7 = patch6;

// node_modules/effect/dist/esm/internal/fiberStatus.js
var FiberStatusSymbolKey = "effect/FiberStatus", FiberStatusTypeId = /* @__PURE__ */ Symbol.for(FiberStatusSymbolKey), OP_DONE = "Done", OP_RUNNING = "Running", OP_SUSPENDED = "Suspended", DoneHash = /* @__PURE__ */ string(`${FiberStatusSymbolKey}-${OP_DONE}`), Done = class {
  [FiberStatusTypeId] = FiberStatusTypeId;
  _tag = OP_DONE;
  [symbol]() {
    return DoneHash;
  }
  [symbol2](that) {
    return isFiberStatus(that) && that._tag === OP_DONE;
  }
}, Running = class {
  runtimeFlags;
  [FiberStatusTypeId] = FiberStatusTypeId;
  _tag = OP_RUNNING;
  constructor(runtimeFlags2) {
    this.runtimeFlags = runtimeFlags2;
  }
  [symbol]() {
    return pipe(hash(FiberStatusSymbolKey), combine(hash(this._tag)), combine(hash(this.runtimeFlags)), cached(this));
  }
  [symbol2](that) {
    return isFiberStatus(that) && that._tag === OP_RUNNING && this.runtimeFlags === that.runtimeFlags;
  }
}, Suspended = class {
  runtimeFlags;
  blockingOn;
  [FiberStatusTypeId] = FiberStatusTypeId;
  _tag = OP_SUSPENDED;
  constructor(runtimeFlags2, blockingOn) {
    this.runtimeFlags = runtimeFlags2, this.blockingOn = blockingOn;
  }
  [symbol]() {
    return pipe(hash(FiberStatusSymbolKey), combine(hash(this._tag)), combine(hash(this.runtimeFlags)), combine(hash(this.blockingOn)), cached(this));
  }
  [symbol2](that) {
    return isFiberStatus(that) && that._tag === OP_SUSPENDED && this.runtimeFlags === that.runtimeFlags && equals(this.blockingOn, that.blockingOn);
  }
}, done2 = /* @__PURE__ */ new Done(), running = (runtimeFlags2) => new Running(runtimeFlags2), suspended = (runtimeFlags2, blockingOn) => new Suspended(runtimeFlags2, blockingOn), isFiberStatus = (u) => hasProperty(u, FiberStatusTypeId), isDone = (self) => self._tag === OP_DONE;

// node_modules/effect/dist/esm/FiberStatus.js
var done3 = done2, running2 = running, suspended2 = suspended;
var isDone2 = isDone;

// node_modules/effect/dist/esm/Micro.js
var TypeId7 = /* @__PURE__ */ Symbol.for("effect/Micro"), MicroExitTypeId = /* @__PURE__ */ Symbol.for("effect/Micro/MicroExit");
var MicroCauseTypeId = /* @__PURE__ */ Symbol.for("effect/Micro/MicroCause");
var microCauseVariance = {
  _E: identity
}, MicroCauseImpl = class extends globalThis.Error {
  _tag;
  traces;
  [MicroCauseTypeId];
  constructor(_tag, originalError, traces) {
    let causeName = `MicroCause.${_tag}`, name, message, stack;
    if (originalError instanceof globalThis.Error) {
      name = `(${causeName}) ${originalError.name}`, message = originalError.message;
      let messageLines = message.split(`
`).length;
      stack = originalError.stack ? `(${causeName}) ${originalError.stack.split(`
`).slice(0, messageLines + 3).join(`
`)}` : `${name}: ${message}`;
    } else
      name = causeName, message = toStringUnknown(originalError, 0), stack = `${name}: ${message}`;
    traces.length > 0 && (stack += `
    ${traces.join(`
    `)}`), super(message), this._tag = _tag, this.traces = traces, this[MicroCauseTypeId] = microCauseVariance, this.name = name, this.stack = stack;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
  toString() {
    return this.stack;
  }
  [NodeInspectSymbol]() {
    return this.stack;
  }
};
var Die = class extends MicroCauseImpl {
  defect;
  constructor(defect, traces = []) {
    super("Die", defect, traces), this.defect = defect;
  }
}, causeDie = (defect, traces = []) => new Die(defect, traces), Interrupt = class extends MicroCauseImpl {
  constructor(traces = []) {
    super("Interrupt", "interrupted", traces);
  }
}, causeInterrupt = (traces = []) => new Interrupt(traces);
var causeIsInterrupt = (self) => self._tag === "Interrupt";
var MicroFiberTypeId = /* @__PURE__ */ Symbol.for("effect/Micro/MicroFiber"), fiberVariance = {
  _A: identity,
  _E: identity
}, MicroFiberImpl = class {
  context;
  interruptible;
  [MicroFiberTypeId];
  _stack = [];
  _observers = [];
  _exit;
  _children;
  currentOpCount = 0;
  constructor(context4, interruptible5 = !0) {
    this.context = context4, this.interruptible = interruptible5, this[MicroFiberTypeId] = fiberVariance;
  }
  getRef(ref) {
    return unsafeGetReference(this.context, ref);
  }
  addObserver(cb) {
    return this._exit ? (cb(this._exit), constVoid) : (this._observers.push(cb), () => {
      let index = this._observers.indexOf(cb);
      index >= 0 && this._observers.splice(index, 1);
    });
  }
  _interrupted = !1;
  unsafeInterrupt() {
    this._exit || (this._interrupted = !0, this.interruptible && this.evaluate(exitInterrupt2));
  }
  unsafePoll() {
    return this._exit;
  }
  evaluate(effect) {
    if (this._exit)
      return;
    if (this._yielded !== void 0) {
      let yielded = this._yielded;
      this._yielded = void 0, yielded();
    }
    let exit4 = this.runLoop(effect);
    if (exit4 === Yield)
      return;
    let interruptChildren = fiberMiddleware.interruptChildren && fiberMiddleware.interruptChildren(this);
    if (interruptChildren !== void 0)
      return this.evaluate(flatMap9(interruptChildren, () => exit4));
    this._exit = exit4;
    for (let i = 0; i < this._observers.length; i++)
      this._observers[i](exit4);
    this._observers.length = 0;
  }
  runLoop(effect) {
    let yielding = !1, current = effect;
    this.currentOpCount = 0;
    try {
      for (; ; ) {
        if (this.currentOpCount++, !yielding && this.getRef(CurrentScheduler).shouldYield(this)) {
          yielding = !0;
          let prev = current;
          current = flatMap9(yieldNow2, () => prev);
        }
        if (current = current[evaluate](this), current === Yield) {
          let yielded = this._yielded;
          return MicroExitTypeId in yielded ? (this._yielded = void 0, yielded) : Yield;
        }
      }
    } catch (error) {
      return hasProperty(current, evaluate) ? exitDie2(error) : exitDie2(`MicroFiber.runLoop: Not a valid effect: ${String(current)}`);
    }
  }
  getCont(symbol3) {
    for (; ; ) {
      let op = this._stack.pop();
      if (!op) return;
      let cont = op[ensureCont] && op[ensureCont](this);
      if (cont) return {
        [symbol3]: cont
      };
      if (op[symbol3]) return op;
    }
  }
  // cancel the yielded operation, or for the yielded exit value
  _yielded = void 0;
  yieldWith(value) {
    return this._yielded = value, Yield;
  }
  children() {
    return this._children ??= /* @__PURE__ */ new Set();
  }
}, fiberMiddleware = /* @__PURE__ */ globalValue("effect/Micro/fiberMiddleware", () => ({
  interruptChildren: void 0
}));
var fiberInterruptAll = (fibers) => suspend2(() => {
  for (let fiber of fibers) fiber.unsafeInterrupt();
  let iter = fibers[Symbol.iterator](), wait = suspend2(() => {
    let result = iter.next();
    for (; !result.done; ) {
      if (result.value.unsafePoll()) {
        result = iter.next();
        continue;
      }
      let fiber = result.value;
      return async((resume2) => {
        fiber.addObserver((_) => {
          resume2(wait);
        });
      });
    }
    return exitVoid2;
  });
  return wait;
}), identifier = /* @__PURE__ */ Symbol.for("effect/Micro/identifier"), args = /* @__PURE__ */ Symbol.for("effect/Micro/args"), evaluate = /* @__PURE__ */ Symbol.for("effect/Micro/evaluate"), successCont = /* @__PURE__ */ Symbol.for("effect/Micro/successCont"), failureCont = /* @__PURE__ */ Symbol.for("effect/Micro/failureCont"), ensureCont = /* @__PURE__ */ Symbol.for("effect/Micro/ensureCont"), Yield = /* @__PURE__ */ Symbol.for("effect/Micro/Yield"), microVariance = {
  _A: identity,
  _E: identity,
  _R: identity
}, MicroProto = {
  ...EffectPrototype2,
  _op: "Micro",
  [TypeId7]: microVariance,
  pipe() {
    return pipeArguments(this, arguments);
  },
  [Symbol.iterator]() {
    return new SingleShotGen(new YieldWrap(this));
  },
  toJSON() {
    return {
      _id: "Micro",
      op: this[identifier],
      ...args in this ? {
        args: this[args]
      } : void 0
    };
  },
  toString() {
    return format(this);
  },
  [NodeInspectSymbol]() {
    return format(this);
  }
};
function defaultEvaluate(_fiber) {
  return exitDie2("Micro.evaluate: Not implemented");
}
var makePrimitiveProto = (options) => ({
  ...MicroProto,
  [identifier]: options.op,
  [evaluate]: options.eval ?? defaultEvaluate,
  [successCont]: options.contA,
  [failureCont]: options.contE,
  [ensureCont]: options.ensure
}), makePrimitive = (options) => {
  let Proto2 = makePrimitiveProto(options);
  return function() {
    let self = Object.create(Proto2);
    return self[args] = options.single === !1 ? arguments : arguments[0], self;
  };
}, makeExit = (options) => {
  let Proto2 = {
    ...makePrimitiveProto(options),
    [MicroExitTypeId]: MicroExitTypeId,
    _tag: options.op,
    get [options.prop]() {
      return this[args];
    },
    toJSON() {
      return {
        _id: "MicroExit",
        _tag: options.op,
        [options.prop]: this[args]
      };
    },
    [symbol2](that) {
      return isMicroExit(that) && that._tag === options.op && equals(this[args], that[args]);
    },
    [symbol]() {
      return cached(this, combine(string(options.op))(hash(this[args])));
    }
  };
  return function(value) {
    let self = Object.create(Proto2);
    return self[args] = value, self[successCont] = void 0, self[failureCont] = void 0, self[ensureCont] = void 0, self;
  };
}, succeed3 = /* @__PURE__ */ makeExit({
  op: "Success",
  prop: "value",
  eval(fiber) {
    let cont = fiber.getCont(successCont);
    return cont ? cont[successCont](this[args], fiber) : fiber.yieldWith(this);
  }
}), failCause3 = /* @__PURE__ */ makeExit({
  op: "Failure",
  prop: "cause",
  eval(fiber) {
    let cont = fiber.getCont(failureCont);
    for (; causeIsInterrupt(this[args]) && cont && fiber.interruptible; )
      cont = fiber.getCont(failureCont);
    return cont ? cont[failureCont](this[args], fiber) : fiber.yieldWith(this);
  }
});
var sync2 = /* @__PURE__ */ makePrimitive({
  op: "Sync",
  eval(fiber) {
    let value = this[args](), cont = fiber.getCont(successCont);
    return cont ? cont[successCont](value, fiber) : fiber.yieldWith(exitSucceed2(value));
  }
}), suspend2 = /* @__PURE__ */ makePrimitive({
  op: "Suspend",
  eval(_fiber) {
    return this[args]();
  }
}), yieldNowWith = /* @__PURE__ */ makePrimitive({
  op: "Yield",
  eval(fiber) {
    let resumed = !1;
    return fiber.getRef(CurrentScheduler).scheduleTask(() => {
      resumed || fiber.evaluate(exitVoid2);
    }, this[args] ?? 0), fiber.yieldWith(() => {
      resumed = !0;
    });
  }
}), yieldNow2 = /* @__PURE__ */ yieldNowWith(0);
var void_3 = /* @__PURE__ */ succeed3(void 0);
var withMicroFiber = /* @__PURE__ */ makePrimitive({
  op: "WithMicroFiber",
  eval(fiber) {
    return this[args](fiber);
  }
});
var asyncOptions = /* @__PURE__ */ makePrimitive({
  op: "Async",
  single: !1,
  eval(fiber) {
    let register = this[args][0], resumed = !1, yielded = !1, controller = this[args][1] ? new AbortController() : void 0, onCancel = register((effect) => {
      resumed || (resumed = !0, yielded ? fiber.evaluate(effect) : yielded = effect);
    }, controller?.signal);
    return yielded !== !1 ? yielded : (yielded = !0, fiber._yielded = () => {
      resumed = !0;
    }, controller === void 0 && onCancel === void 0 || fiber._stack.push(asyncFinalizer(() => (resumed = !0, controller?.abort(), onCancel ?? exitVoid2))), Yield);
  }
}), asyncFinalizer = /* @__PURE__ */ makePrimitive({
  op: "AsyncFinalizer",
  ensure(fiber) {
    fiber.interruptible && (fiber.interruptible = !1, fiber._stack.push(setInterruptible(!0)));
  },
  contE(cause2, _fiber) {
    return causeIsInterrupt(cause2) ? flatMap9(this[args](), () => failCause3(cause2)) : failCause3(cause2);
  }
}), async = (register) => asyncOptions(register, register.length >= 2);
var as3 = /* @__PURE__ */ dual(2, (self, value) => map14(self, (_) => value));
var exit2 = (self) => matchCause2(self, {
  onFailure: exitFailCause2,
  onSuccess: exitSucceed2
});
var flatMap9 = /* @__PURE__ */ dual(2, (self, f) => {
  let onSuccess = Object.create(OnSuccessProto);
  return onSuccess[args] = self, onSuccess[successCont] = f, onSuccess;
}), OnSuccessProto = /* @__PURE__ */ makePrimitiveProto({
  op: "OnSuccess",
  eval(fiber) {
    return fiber._stack.push(this), this[args];
  }
});
var map14 = /* @__PURE__ */ dual(2, (self, f) => flatMap9(self, (a) => succeed3(f(a)))), isMicroExit = (u) => hasProperty(u, MicroExitTypeId), exitSucceed2 = succeed3, exitFailCause2 = failCause3, exitInterrupt2 = /* @__PURE__ */ exitFailCause2(/* @__PURE__ */ causeInterrupt());
var exitDie2 = (defect) => exitFailCause2(causeDie(defect));
var exitVoid2 = /* @__PURE__ */ exitSucceed2(void 0), exitVoidAll = (exits) => {
  for (let exit4 of exits)
    if (exit4._tag === "Failure")
      return exit4;
  return exitVoid2;
}, setImmediate = "setImmediate" in globalThis ? globalThis.setImmediate : (f) => setTimeout(f, 0), MicroSchedulerDefault = class {
  tasks = [];
  running = !1;
  /**
   * @since 3.5.9
   */
  scheduleTask(task, _priority) {
    this.tasks.push(task), this.running || (this.running = !0, setImmediate(this.afterScheduled));
  }
  /**
   * @since 3.5.9
   */
  afterScheduled = () => {
    this.running = !1, this.runTasks();
  };
  /**
   * @since 3.5.9
   */
  runTasks() {
    let tasks = this.tasks;
    this.tasks = [];
    for (let i = 0, len = tasks.length; i < len; i++)
      tasks[i]();
  }
  /**
   * @since 3.5.9
   */
  shouldYield(fiber) {
    return fiber.currentOpCount >= fiber.getRef(MaxOpsBeforeYield);
  }
  /**
   * @since 3.5.9
   */
  flush() {
    for (; this.tasks.length > 0; )
      this.runTasks();
  }
};
var updateContext = /* @__PURE__ */ dual(2, (self, f) => withMicroFiber((fiber) => {
  let prev = fiber.context;
  return fiber.context = f(prev), onExit2(self, () => (fiber.context = prev, void_3));
}));
var provideContext2 = /* @__PURE__ */ dual(2, (self, provided) => updateContext(self, merge3(provided)));
var MaxOpsBeforeYield = class extends (/* @__PURE__ */ Reference2()("effect/Micro/currentMaxOpsBeforeYield", {
  defaultValue: () => 2048
})) {
}, CurrentConcurrency = class extends (/* @__PURE__ */ Reference2()("effect/Micro/currentConcurrency", {
  defaultValue: () => "unbounded"
})) {
}, CurrentScheduler = class extends (/* @__PURE__ */ Reference2()("effect/Micro/currentScheduler", {
  defaultValue: () => new MicroSchedulerDefault()
})) {
};
var matchCauseEffect2 = /* @__PURE__ */ dual(2, (self, options) => {
  let primitive = Object.create(OnSuccessAndFailureProto);
  return primitive[args] = self, primitive[successCont] = options.onSuccess, primitive[failureCont] = options.onFailure, primitive;
}), OnSuccessAndFailureProto = /* @__PURE__ */ makePrimitiveProto({
  op: "OnSuccessAndFailure",
  eval(fiber) {
    return fiber._stack.push(this), this[args];
  }
}), matchCause2 = /* @__PURE__ */ dual(2, (self, options) => matchCauseEffect2(self, {
  onFailure: (cause2) => sync2(() => options.onFailure(cause2)),
  onSuccess: (value) => sync2(() => options.onSuccess(value))
}));
var MicroScopeTypeId = /* @__PURE__ */ Symbol.for("effect/Micro/MicroScope");
var MicroScopeImpl = class _MicroScopeImpl {
  [MicroScopeTypeId];
  state = {
    _tag: "Open",
    finalizers: /* @__PURE__ */ new Set()
  };
  constructor() {
    this[MicroScopeTypeId] = MicroScopeTypeId;
  }
  unsafeAddFinalizer(finalizer) {
    this.state._tag === "Open" && this.state.finalizers.add(finalizer);
  }
  addFinalizer(finalizer) {
    return suspend2(() => this.state._tag === "Open" ? (this.state.finalizers.add(finalizer), void_3) : finalizer(this.state.exit));
  }
  unsafeRemoveFinalizer(finalizer) {
    this.state._tag === "Open" && this.state.finalizers.delete(finalizer);
  }
  close(microExit) {
    return suspend2(() => {
      if (this.state._tag === "Open") {
        let finalizers = Array.from(this.state.finalizers).reverse();
        return this.state = {
          _tag: "Closed",
          exit: microExit
        }, flatMap9(forEach5(finalizers, (finalizer) => exit2(finalizer(microExit))), exitVoidAll);
      }
      return void_3;
    });
  }
  get fork() {
    return sync2(() => {
      let newScope = new _MicroScopeImpl();
      if (this.state._tag === "Closed")
        return newScope.state = this.state, newScope;
      function fin(exit4) {
        return newScope.close(exit4);
      }
      return this.state.finalizers.add(fin), newScope.unsafeAddFinalizer((_) => sync2(() => this.unsafeRemoveFinalizer(fin))), newScope;
    });
  }
};
var onExit2 = /* @__PURE__ */ dual(2, (self, f) => uninterruptibleMask2((restore) => matchCauseEffect2(restore(self), {
  onFailure: (cause2) => flatMap9(f(exitFailCause2(cause2)), () => failCause3(cause2)),
  onSuccess: (a) => flatMap9(f(exitSucceed2(a)), () => succeed3(a))
})));
var setInterruptible = /* @__PURE__ */ makePrimitive({
  op: "SetInterruptible",
  ensure(fiber) {
    if (fiber.interruptible = this[args], fiber._interrupted && fiber.interruptible)
      return () => exitInterrupt2;
  }
}), interruptible3 = (self) => withMicroFiber((fiber) => fiber.interruptible ? self : (fiber.interruptible = !0, fiber._stack.push(setInterruptible(!1)), fiber._interrupted ? exitInterrupt2 : self)), uninterruptibleMask2 = (f) => withMicroFiber((fiber) => fiber.interruptible ? (fiber.interruptible = !1, fiber._stack.push(setInterruptible(!0)), f(interruptible3)) : f(identity));
var whileLoop2 = /* @__PURE__ */ makePrimitive({
  op: "While",
  contA(value, fiber) {
    return this[args].step(value), this[args].while() ? (fiber._stack.push(this), this[args].body()) : exitVoid2;
  },
  eval(fiber) {
    return this[args].while() ? (fiber._stack.push(this), this[args].body()) : exitVoid2;
  }
}), forEach5 = (iterable, f, options) => withMicroFiber((parent) => {
  let concurrencyOption = options?.concurrency === "inherit" ? parent.getRef(CurrentConcurrency) : options?.concurrency ?? 1, concurrency = concurrencyOption === "unbounded" ? Number.POSITIVE_INFINITY : Math.max(1, concurrencyOption), items = fromIterable(iterable), length = items.length;
  if (length === 0)
    return options?.discard ? void_3 : succeed3([]);
  let out = options?.discard ? void 0 : new Array(length), index = 0;
  return concurrency === 1 ? as3(whileLoop2({
    while: () => index < items.length,
    body: () => f(items[index], index),
    step: out ? (b) => out[index++] = b : (_) => index++
  }), out) : async((resume2) => {
    let fibers = /* @__PURE__ */ new Set(), result, inProgress = 0, doneCount = 0, pumping = !1, interrupted2 = !1;
    function pump() {
      for (pumping = !0; inProgress < concurrency && index < length; ) {
        let currentIndex = index, item = items[currentIndex];
        index++, inProgress++;
        try {
          let child = unsafeFork(parent, f(item, currentIndex), !0, !0);
          fibers.add(child), child.addObserver((exit4) => {
            fibers.delete(child), !interrupted2 && (exit4._tag === "Failure" ? result === void 0 && (result = exit4, length = index, fibers.forEach((fiber) => fiber.unsafeInterrupt())) : out !== void 0 && (out[currentIndex] = exit4.value), doneCount++, inProgress--, doneCount === length ? resume2(result ?? succeed3(out)) : !pumping && inProgress < concurrency && pump());
          });
        } catch (err) {
          result = exitDie2(err), length = index, fibers.forEach((fiber) => fiber.unsafeInterrupt());
        }
      }
      pumping = !1;
    }
    return pump(), suspend2(() => (interrupted2 = !0, index = length, fiberInterruptAll(fibers)));
  });
});
var unsafeFork = (parent, effect, immediate = !1, daemon = !1) => {
  let child = new MicroFiberImpl(parent.context, parent.interruptible);
  return daemon || (parent.children().add(child), child.addObserver(() => parent.children().delete(child))), immediate ? child.evaluate(effect) : parent.getRef(CurrentScheduler).scheduleTask(() => child.evaluate(effect), 0), child;
};
var runFork = (effect, options) => {
  let fiber = new MicroFiberImpl(CurrentScheduler.context(options?.scheduler ?? new MicroSchedulerDefault()));
  if (fiber.evaluate(effect), options?.signal)
    if (options.signal.aborted)
      fiber.unsafeInterrupt();
    else {
      let abort = () => fiber.unsafeInterrupt();
      options.signal.addEventListener("abort", abort, {
        once: !0
      }), fiber.addObserver(() => options.signal.removeEventListener("abort", abort));
    }
  return fiber;
};

// node_modules/effect/dist/esm/Readable.js
var TypeId8 = /* @__PURE__ */ Symbol.for("effect/Readable");
var Proto = {
  [TypeId8]: TypeId8,
  pipe() {
    return pipeArguments(this, arguments);
  }
};

// node_modules/effect/dist/esm/internal/ref.js
var RefTypeId = /* @__PURE__ */ Symbol.for("effect/Ref"), refVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, RefImpl = class extends Class {
  ref;
  commit() {
    return this.get;
  }
  [RefTypeId] = refVariance;
  [TypeId8] = TypeId8;
  constructor(ref) {
    super(), this.ref = ref, this.get = sync(() => get6(this.ref));
  }
  get;
  modify(f) {
    return sync(() => {
      let current = get6(this.ref), [b, a] = f(current);
      return current !== a && set3(a)(this.ref), b;
    });
  }
}, unsafeMake5 = (value) => new RefImpl(make12(value)), make24 = (value) => sync(() => unsafeMake5(value)), get10 = (self) => self.get, set5 = /* @__PURE__ */ dual(2, (self, value) => self.modify(() => [void 0, value])), getAndSet = /* @__PURE__ */ dual(2, (self, value) => self.modify((a) => [a, value]));
var modify3 = /* @__PURE__ */ dual(2, (self, f) => self.modify(f));
var update2 = /* @__PURE__ */ dual(2, (self, f) => self.modify((a) => [void 0, f(a)]));

// node_modules/effect/dist/esm/Ref.js
var make25 = make24, get11 = get10, getAndSet2 = getAndSet;
var modify4 = modify3;
var set6 = set5;
var update3 = update2;

// node_modules/effect/dist/esm/Scheduler.js
var SchedulerRunner = class _SchedulerRunner {
  scheduleDrain;
  running = !1;
  tasks = /* @__PURE__ */ new PriorityBuckets();
  constructor(scheduleDrain) {
    this.scheduleDrain = scheduleDrain;
  }
  starveInternal = (depth) => {
    let tasks = this.tasks.buckets;
    this.tasks.buckets = [];
    for (let [_, toRun] of tasks)
      for (let i = 0; i < toRun.length; i++)
        toRun[i]();
    this.tasks.buckets.length === 0 ? this.running = !1 : this.starve(depth);
  };
  starve(depth = 0) {
    this.scheduleDrain(depth, this.starveInternal);
  }
  scheduleTask(task, priority) {
    this.tasks.scheduleTask(task, priority), this.running || (this.running = !0, this.starve());
  }
  /**
   * @since 3.20.0
   * @category constructors
   */
  static cached(scheduleDrain) {
    let fallback = new _SchedulerRunner(scheduleDrain), runners = /* @__PURE__ */ new WeakMap();
    return (fiber) => {
      if (fiber === void 0)
        return fallback;
      let runner = runners.get(fiber);
      return runner === void 0 && (runner = new _SchedulerRunner(scheduleDrain), runners.set(fiber, runner)), runner;
    };
  }
}, PriorityBuckets = class {
  /**
   * @since 2.0.0
   */
  buckets = [];
  /**
   * @since 2.0.0
   */
  scheduleTask(task, priority) {
    let length = this.buckets.length, bucket, index = 0;
    for (; index < length && this.buckets[index][0] <= priority; index++)
      bucket = this.buckets[index];
    bucket && bucket[0] === priority ? bucket[1].push(task) : index === length ? this.buckets.push([priority, [task]]) : this.buckets.splice(index, 0, [priority, [task]]);
  }
}, MixedScheduler = class {
  maxNextTickBeforeTimer;
  getRunner = /* @__PURE__ */ SchedulerRunner.cached((depth, drain) => {
    depth >= this.maxNextTickBeforeTimer ? setTimeout(() => drain(0), 0) : Promise.resolve(void 0).then(() => drain(depth + 1));
  });
  constructor(maxNextTickBeforeTimer) {
    this.maxNextTickBeforeTimer = maxNextTickBeforeTimer;
  }
  /**
   * @since 2.0.0
   */
  shouldYield(fiber) {
    return fiber.currentOpCount > fiber.getFiberRef(currentMaxOpsBeforeYield) ? fiber.getFiberRef(currentSchedulingPriority) : !1;
  }
  /**
   * @since 2.0.0
   */
  scheduleTask(task, priority, fiber) {
    this.getRunner(fiber).scheduleTask(task, priority);
  }
}, defaultScheduler = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Scheduler/defaultScheduler"), () => new MixedScheduler(2048)), SyncScheduler = class {
  /**
   * @since 2.0.0
   */
  tasks = /* @__PURE__ */ new PriorityBuckets();
  /**
   * @since 2.0.0
   */
  deferred = !1;
  /**
   * @since 2.0.0
   */
  scheduleTask(task, priority, fiber) {
    this.deferred ? defaultScheduler.scheduleTask(task, priority, fiber) : this.tasks.scheduleTask(task, priority);
  }
  /**
   * @since 2.0.0
   */
  shouldYield(fiber) {
    return fiber.currentOpCount > fiber.getFiberRef(currentMaxOpsBeforeYield) ? fiber.getFiberRef(currentSchedulingPriority) : !1;
  }
  /**
   * @since 2.0.0
   */
  flush() {
    for (; this.tasks.buckets.length > 0; ) {
      let tasks = this.tasks.buckets;
      this.tasks.buckets = [];
      for (let [_, toRun] of tasks)
        for (let i = 0; i < toRun.length; i++)
          toRun[i]();
    }
    this.deferred = !0;
  }
};
var defaultShouldYield = (fiber) => fiber.currentOpCount > fiber.getFiberRef(currentMaxOpsBeforeYield) ? fiber.getFiberRef(currentSchedulingPriority) : !1;
var currentScheduler = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentScheduler"), () => fiberRefUnsafeMake(defaultScheduler)), withScheduler = /* @__PURE__ */ dual(2, (self, scheduler) => fiberRefLocally(self, currentScheduler, scheduler));

// node_modules/effect/dist/esm/internal/completedRequestMap.js
var currentRequestMap = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentRequestMap"), () => fiberRefUnsafeMake(/* @__PURE__ */ new Map()));

// node_modules/effect/dist/esm/internal/concurrency.js
var match7 = (concurrency, sequential5, unbounded, bounded) => {
  switch (concurrency) {
    case void 0:
      return sequential5();
    case "unbounded":
      return unbounded();
    case "inherit":
      return fiberRefGetWith(currentConcurrency, (concurrency2) => concurrency2 === "unbounded" ? unbounded() : concurrency2 > 1 ? bounded(concurrency2) : sequential5());
    default:
      return concurrency > 1 ? bounded(concurrency) : sequential5();
  }
}, matchSimple = (concurrency, sequential5, concurrent) => {
  switch (concurrency) {
    case void 0:
      return sequential5();
    case "unbounded":
      return concurrent();
    case "inherit":
      return fiberRefGetWith(currentConcurrency, (concurrency2) => concurrency2 === "unbounded" || concurrency2 > 1 ? concurrent() : sequential5());
    default:
      return concurrency > 1 ? concurrent() : sequential5();
  }
};

// node_modules/effect/dist/esm/internal/logSpan.js
var formatLabel = (key) => key.replace(/[\s="]/g, "_"), render = (now) => (self) => `${formatLabel(self.label)}=${now - self.startTime}ms`;

// node_modules/effect/dist/esm/Tracer.js
var ParentSpan = spanTag, Tracer = tracerTag, make26 = make23, externalSpan2 = externalSpan, tracerWith2 = tracerWith;

// node_modules/effect/dist/esm/internal/metric/label.js
var MetricLabelSymbolKey = "effect/MetricLabel", MetricLabelTypeId = /* @__PURE__ */ Symbol.for(MetricLabelSymbolKey), MetricLabelImpl = class {
  key;
  value;
  [MetricLabelTypeId] = MetricLabelTypeId;
  _hash;
  constructor(key, value) {
    this.key = key, this.value = value, this._hash = string(MetricLabelSymbolKey + this.key + this.value);
  }
  [symbol]() {
    return this._hash;
  }
  [symbol2](that) {
    return isMetricLabel(that) && this.key === that.key && this.value === that.value;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, make27 = (key, value) => new MetricLabelImpl(key, value), isMetricLabel = (u) => hasProperty(u, MetricLabelTypeId);

// node_modules/effect/dist/esm/internal/core-effect.js
var annotateLogs = /* @__PURE__ */ dual((args2) => isEffect(args2[0]), function() {
  let args2 = arguments;
  return fiberRefLocallyWith(args2[0], currentLogAnnotations, typeof args2[1] == "string" ? set4(args2[1], args2[2]) : (annotations) => Object.entries(args2[1]).reduce((acc, [key, value]) => set4(acc, key, value), annotations));
}), asSome = (self) => map11(self, some2);
var try_ = (arg) => {
  let evaluate2, onFailure;
  return typeof arg == "function" ? evaluate2 = arg : (evaluate2 = arg.try, onFailure = arg.catch), suspend(() => {
    try {
      return succeed(internalCall(evaluate2));
    } catch (error) {
      return fail2(onFailure ? internalCall(() => onFailure(error)) : new UnknownException(error, "An unknown error occurred in Effect.try"));
    }
  });
};
var catchAllDefect = /* @__PURE__ */ dual(2, (self, f) => catchAllCause(self, (cause2) => {
  let option3 = find(cause2, (_) => isDieType(_) ? some2(_) : none2());
  switch (option3._tag) {
    case "None":
      return failCause(cause2);
    case "Some":
      return f(option3.value.defect);
  }
})), catchSomeCause = /* @__PURE__ */ dual(2, (self, f) => matchCauseEffect(self, {
  onFailure: (cause2) => {
    let option3 = f(cause2);
    switch (option3._tag) {
      case "None":
        return failCause(cause2);
      case "Some":
        return option3.value;
    }
  },
  onSuccess: succeed
})), catchSomeDefect = /* @__PURE__ */ dual(2, (self, pf) => catchAllCause(self, (cause2) => {
  let option3 = find(cause2, (_) => isDieType(_) ? some2(_) : none2());
  switch (option3._tag) {
    case "None":
      return failCause(cause2);
    case "Some": {
      let optionEffect = pf(option3.value.defect);
      return optionEffect._tag === "Some" ? optionEffect.value : failCause(cause2);
    }
  }
})), catchTag = /* @__PURE__ */ dual((args2) => isEffect(args2[0]), (self, ...args2) => {
  let f = args2[args2.length - 1], predicate;
  return args2.length === 2 ? predicate = isTagged(args2[0]) : predicate = (e) => {
    let tag = hasProperty(e, "_tag") ? e._tag : void 0;
    if (!tag) return !1;
    for (let i = 0; i < args2.length - 1; i++)
      if (args2[i] === tag) return !0;
    return !1;
  }, catchIf(self, predicate, f);
}), catchTags = /* @__PURE__ */ dual(2, (self, cases) => {
  let keys6;
  return catchIf(self, (e) => (keys6 ??= Object.keys(cases), hasProperty(e, "_tag") && isString(e._tag) && keys6.includes(e._tag)), (e) => cases[e._tag](e));
});
var clockWith3 = clockWith2, clock = /* @__PURE__ */ clockWith3(succeed), delay = /* @__PURE__ */ dual(2, (self, duration) => zipRight(sleep2(duration), self));
var diffFiberRefs = (self) => summarized(self, fiberRefs2, diff5), diffFiberRefsAndRuntimeFlags = (self) => summarized(self, zip2(fiberRefs2, runtimeFlags), ([refs, flags], [refsNew, flagsNew]) => [diff5(refs, refsNew), diff4(flags, flagsNew)]);
var bind2 = /* @__PURE__ */ bind(map11, flatMap8), bindTo2 = /* @__PURE__ */ bindTo(map11);
var filterOrDie = /* @__PURE__ */ dual(3, (self, predicate, orDieWith2) => filterOrElse(self, predicate, (a) => dieSync(() => orDieWith2(a))));
var filterOrElse = /* @__PURE__ */ dual(3, (self, predicate, orElse5) => flatMap8(self, (a) => predicate(a) ? succeed(a) : orElse5(a)));
var filterOrFail = /* @__PURE__ */ dual((args2) => isEffect(args2[0]), (self, predicate, orFailWith) => filterOrElse(self, predicate, (a) => orFailWith === void 0 ? fail2(new NoSuchElementException()) : failSync(() => orFailWith(a))));
var match8 = /* @__PURE__ */ dual(2, (self, options) => matchEffect(self, {
  onFailure: (e) => succeed(options.onFailure(e)),
  onSuccess: (a) => succeed(options.onSuccess(a))
}));
var forever = (self) => {
  let loop2 = flatMap8(flatMap8(self, () => yieldNow()), () => loop2);
  return loop2;
}, fiberRefs2 = /* @__PURE__ */ withFiberRuntime((state) => succeed(state.getFiberRefs()));
var ignore = (self) => match8(self, {
  onFailure: constVoid,
  onSuccess: constVoid
}), ignoreLogged = (self) => matchCauseEffect(self, {
  onFailure: (cause2) => logDebug(cause2, "An error was silently ignored because it is not anticipated to be useful"),
  onSuccess: () => void_
});
var iterate = (initial, options) => suspend(() => options.while(initial) ? flatMap8(options.body(initial), (z2) => iterate(z2, options)) : succeed(initial)), logWithLevel = (level) => (...message) => {
  let levelOption = fromNullable(level), cause2;
  for (let i = 0, len = message.length; i < len; i++) {
    let msg = message[i];
    isCause(msg) && (cause2 !== void 0 ? cause2 = sequential(cause2, msg) : cause2 = msg, message = [...message.slice(0, i), ...message.slice(i + 1)], i--);
  }
  return cause2 === void 0 && (cause2 = empty16), withFiberRuntime((fiberState) => (fiberState.log(message, cause2, levelOption), void_));
};
var logDebug = /* @__PURE__ */ logWithLevel(Debug), logInfo = /* @__PURE__ */ logWithLevel(Info), logWarning = /* @__PURE__ */ logWithLevel(Warning), logError = /* @__PURE__ */ logWithLevel(Error2);
var mapErrorCause = /* @__PURE__ */ dual(2, (self, f) => matchCauseEffect(self, {
  onFailure: (c) => failCauseSync(() => f(c)),
  onSuccess: succeed
})), memoize = (self) => pipe(deferredMake(), flatMap8((deferred) => pipe(diffFiberRefsAndRuntimeFlags(self), intoDeferred(deferred), once, map11((complete2) => zipRight(complete2, pipe(deferredAwait(deferred), flatMap8(([patch9, a]) => as(zip2(patchFiberRefs(patch9[0]), updateRuntimeFlags(patch9[1])), a))))))));
var negate = (self) => map11(self, (b) => !b);
var once = (self) => map11(make25(!0), (ref) => asVoid(whenEffect(self, getAndSet2(ref, !1)))), option = (self) => matchEffect(self, {
  onFailure: () => succeed(none2()),
  onSuccess: (a) => succeed(some2(a))
});
var orElseSucceed = /* @__PURE__ */ dual(2, (self, evaluate2) => orElse(self, () => sync(evaluate2)));
var patchFiberRefs = (patch9) => updateFiberRefs((fiberId3, fiberRefs3) => pipe(patch9, patch6(fiberId3, fiberRefs3))), promise = (evaluate2) => evaluate2.length >= 1 ? async_((resolve, signal) => {
  try {
    evaluate2(signal).then((a) => resolve(succeed(a)), (e) => resolve(die2(e)));
  } catch (e) {
    resolve(die2(e));
  }
}) : async_((resolve) => {
  try {
    evaluate2().then((a) => resolve(succeed(a)), (e) => resolve(die2(e)));
  } catch (e) {
    resolve(die2(e));
  }
}), provideService = /* @__PURE__ */ dual(3, (self, tag, service2) => contextWithEffect((env) => provideContext(self, add2(env, tag, service2)))), provideServiceEffect = /* @__PURE__ */ dual(3, (self, tag, effect) => contextWithEffect((env) => flatMap8(effect, (service2) => provideContext(self, pipe(env, add2(tag, service2))))));
var reduce10 = /* @__PURE__ */ dual(3, (elements, zero2, f) => fromIterable(elements).reduce((acc, el, i) => flatMap8(acc, (a) => f(a, el, i)), succeed(zero2)));
var repeatN = /* @__PURE__ */ dual(2, (self, n) => suspend(() => repeatNLoop(self, n))), repeatNLoop = (self, n) => flatMap8(self, (a) => n <= 0 ? succeed(a) : zipRight(yieldNow(), repeatNLoop(self, n - 1))), sandbox = (self) => matchCauseEffect(self, {
  onFailure: fail2,
  onSuccess: succeed
});
var sleep3 = sleep2, succeedNone = /* @__PURE__ */ succeed(/* @__PURE__ */ none2());
var summarized = /* @__PURE__ */ dual(3, (self, summary5, f) => flatMap8(summary5, (start3) => flatMap8(self, (value) => map11(summary5, (end3) => [f(start3, end3), value]))));
var tapBoth = /* @__PURE__ */ dual(2, (self, {
  onFailure,
  onSuccess
}) => matchCauseEffect(self, {
  onFailure: (cause2) => {
    let either4 = failureOrCause(cause2);
    switch (either4._tag) {
      case "Left":
        return zipRight(onFailure(either4.left), failCause(cause2));
      case "Right":
        return failCause(cause2);
    }
  },
  onSuccess: (a) => as(onSuccess(a), a)
})), tapDefect = /* @__PURE__ */ dual(2, (self, f) => catchAllCause(self, (cause2) => match(keepDefects(cause2), {
  onNone: () => failCause(cause2),
  onSome: (a) => zipRight(f(a), failCause(cause2))
}))), tapError = /* @__PURE__ */ dual(2, (self, f) => matchCauseEffect(self, {
  onFailure: (cause2) => {
    let either4 = failureOrCause(cause2);
    switch (either4._tag) {
      case "Left":
        return zipRight(f(either4.left), failCause(cause2));
      case "Right":
        return failCause(cause2);
    }
  },
  onSuccess: succeed
})), tapErrorTag = /* @__PURE__ */ dual(3, (self, k, f) => tapError(self, (e) => isTagged(e, k) ? f(e) : void_)), tapErrorCause = /* @__PURE__ */ dual(2, (self, f) => matchCauseEffect(self, {
  onFailure: (cause2) => zipRight(f(cause2), failCause(cause2)),
  onSuccess: succeed
})), timed = (self) => timedWith(self, currentTimeNanos2), timedWith = /* @__PURE__ */ dual(2, (self, nanos2) => summarized(self, nanos2, (start3, end3) => nanos(end3 - start3))), tracerWith3 = tracerWith2, tracer = /* @__PURE__ */ tracerWith3(succeed), tryPromise = (arg) => {
  let evaluate2, catcher;
  typeof arg == "function" ? evaluate2 = arg : (evaluate2 = arg.try, catcher = arg.catch);
  let fail8 = (e) => catcher ? failSync(() => catcher(e)) : fail2(new UnknownException(e, "An unknown error occurred in Effect.tryPromise"));
  return evaluate2.length >= 1 ? async_((resolve, signal) => {
    try {
      evaluate2(signal).then((a) => resolve(succeed(a)), (e) => resolve(fail8(e)));
    } catch (e) {
      resolve(fail8(e));
    }
  }) : async_((resolve) => {
    try {
      evaluate2().then((a) => resolve(succeed(a)), (e) => resolve(fail8(e)));
    } catch (e) {
      resolve(fail8(e));
    }
  });
}, tryMap = /* @__PURE__ */ dual(2, (self, options) => flatMap8(self, (a) => try_({
  try: () => options.try(a),
  catch: options.catch
})));
var updateFiberRefs = (f) => withFiberRuntime((state) => (state.setFiberRefs(f(state.id(), state.getFiberRefs())), void_));
var when = /* @__PURE__ */ dual(2, (self, condition) => suspend(() => condition() ? map11(self, some2) : succeed(none2())));
var serviceFunctions = (getService) => new Proxy({}, {
  get(_target, prop, _receiver) {
    return (...args2) => flatMap8(getService, (s) => s[prop](...args2));
  }
});
var serviceOption = (tag) => map11(context(), getOption2(tag)), serviceOptional = (tag) => flatMap8(context(), getOption2(tag)), annotateCurrentSpan = function() {
  let args2 = arguments;
  return ignore(flatMap8(currentPropagatedSpan, (span2) => sync(() => {
    if (typeof args2[0] == "string")
      span2.attribute(args2[0], args2[1]);
    else
      for (let key in args2[0])
        span2.attribute(key, args2[0][key]);
  })));
};
var currentParentSpan = /* @__PURE__ */ serviceOptional(spanTag);
var currentPropagatedSpan = /* @__PURE__ */ flatMap8(/* @__PURE__ */ context(), (context4) => {
  let span2 = filterDisablePropagation(getOption2(context4, spanTag));
  return span2._tag === "Some" && span2.value._tag === "Span" ? succeed(span2.value) : fail2(new NoSuchElementException());
});
var bigint02 = /* @__PURE__ */ BigInt(0), filterDisablePropagation = /* @__PURE__ */ flatMap((span2) => get2(span2.context, DisablePropagation) ? span2._tag === "Span" ? filterDisablePropagation(span2.parent) : none2() : some2(span2)), unsafeMakeSpan = (fiber, name, options) => {
  let disablePropagation = !fiber.getFiberRef(currentTracerEnabled) || options.context && get2(options.context, DisablePropagation), context4 = fiber.getFiberRef(currentContext), parent = options.parent ? some2(options.parent) : options.root ? none2() : filterDisablePropagation(getOption2(context4, spanTag)), span2;
  if (disablePropagation)
    span2 = noopSpan({
      name,
      parent,
      context: add2(options.context ?? empty2(), DisablePropagation, !0)
    });
  else {
    let services = fiber.getFiberRef(currentServices), tracer3 = get2(services, tracerTag), clock3 = get2(services, Clock), timingEnabled = fiber.getFiberRef(currentTracerTimingEnabled), fiberRefs3 = fiber.getFiberRefs(), annotationsFromEnv = get9(fiberRefs3, currentTracerSpanAnnotations), linksFromEnv = get9(fiberRefs3, currentTracerSpanLinks), links = linksFromEnv._tag === "Some" ? options.links !== void 0 ? [...toReadonlyArray(linksFromEnv.value), ...options.links ?? []] : toReadonlyArray(linksFromEnv.value) : options.links ?? empty5();
    span2 = tracer3.span(name, parent, options.context ?? empty2(), links, timingEnabled ? clock3.unsafeCurrentTimeNanos() : bigint02, options.kind ?? "internal", options), annotationsFromEnv._tag === "Some" && forEach4(annotationsFromEnv.value, (value, key) => span2.attribute(key, value)), options.attributes !== void 0 && Object.entries(options.attributes).forEach(([k, v]) => span2.attribute(k, v));
  }
  return typeof options.captureStackTrace == "function" && spanToTrace.set(span2, options.captureStackTrace), span2;
}, makeSpan = (name, options) => (options = addSpanStackTrace(options), withFiberRuntime((fiber) => succeed(unsafeMakeSpan(fiber, name, options))));
var endSpan = (span2, exit4, clock3, timingEnabled) => sync(() => {
  span2.status._tag !== "Ended" && (exitIsFailure(exit4) && spanToTrace.has(span2) && span2.attribute("code.stacktrace", spanToTrace.get(span2)()), span2.end(timingEnabled ? clock3.unsafeCurrentTimeNanos() : bigint02, exit4));
}), useSpan = (name, ...args2) => {
  let options = addSpanStackTrace(args2.length === 1 ? void 0 : args2[0]), evaluate2 = args2[args2.length - 1];
  return withFiberRuntime((fiber) => {
    let span2 = unsafeMakeSpan(fiber, name, options), timingEnabled = fiber.getFiberRef(currentTracerTimingEnabled), clock3 = get2(fiber.getFiberRef(currentServices), clockTag);
    return onExit(evaluate2(span2), (exit4) => endSpan(span2, exit4, clock3, timingEnabled));
  });
}, withParentSpan = /* @__PURE__ */ dual(2, (self, span2) => provideService(self, spanTag, span2)), withSpan = function() {
  let dataFirst = typeof arguments[0] != "string", name = dataFirst ? arguments[1] : arguments[0], options = addSpanStackTrace(dataFirst ? arguments[2] : arguments[1]);
  if (dataFirst) {
    let self = arguments[0];
    return useSpan(name, options, (span2) => withParentSpan(self, span2));
  }
  return (self) => useSpan(name, options, (span2) => withParentSpan(self, span2));
};

// node_modules/effect/dist/esm/internal/fiberMessage.js
var OP_INTERRUPT_SIGNAL = "InterruptSignal", OP_STATEFUL = "Stateful", OP_RESUME = "Resume", OP_YIELD_NOW = "YieldNow", interruptSignal = (cause2) => ({
  _tag: OP_INTERRUPT_SIGNAL,
  cause: cause2
}), stateful = (onFiber) => ({
  _tag: OP_STATEFUL,
  onFiber
}), resume = (effect) => ({
  _tag: OP_RESUME,
  effect
}), yieldNow3 = () => ({
  _tag: OP_YIELD_NOW
});

// node_modules/effect/dist/esm/internal/fiberScope.js
var FiberScopeSymbolKey = "effect/FiberScope", FiberScopeTypeId = /* @__PURE__ */ Symbol.for(FiberScopeSymbolKey), Global = class {
  [FiberScopeTypeId] = FiberScopeTypeId;
  fiberId = none4;
  roots = /* @__PURE__ */ new Set();
  add(_runtimeFlags, child) {
    this.roots.add(child), child.addObserver(() => {
      this.roots.delete(child);
    });
  }
}, Local = class {
  fiberId;
  parent;
  [FiberScopeTypeId] = FiberScopeTypeId;
  constructor(fiberId3, parent) {
    this.fiberId = fiberId3, this.parent = parent;
  }
  add(_runtimeFlags, child) {
    this.parent.tell(stateful((parentFiber) => {
      parentFiber.addChild(child), child.addObserver(() => {
        parentFiber.removeChild(child);
      });
    }));
  }
}, unsafeMake6 = (fiber) => new Local(fiber.id(), fiber), globalScope = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberScope/Global"), () => new Global());

// node_modules/effect/dist/esm/internal/fiber.js
var FiberSymbolKey = "effect/Fiber", FiberTypeId = /* @__PURE__ */ Symbol.for(FiberSymbolKey), fiberVariance2 = {
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _A: (_) => _
}, fiberProto = {
  [FiberTypeId]: fiberVariance2,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, RuntimeFiberSymbolKey = "effect/Fiber", RuntimeFiberTypeId = /* @__PURE__ */ Symbol.for(RuntimeFiberSymbolKey);
var isRuntimeFiber = (self) => RuntimeFiberTypeId in self, _await = (self) => self.await;
var inheritAll = (self) => self.inheritAll;
var interruptAll = (fibers) => flatMap8(fiberId, (fiberId3) => pipe(fibers, interruptAllAs(fiberId3))), interruptAllAs = /* @__PURE__ */ dual(2, /* @__PURE__ */ fnUntraced(function* (fibers, fiberId3) {
  for (let fiber of fibers) {
    if (isRuntimeFiber(fiber)) {
      fiber.unsafeInterruptAsFork(fiberId3);
      continue;
    }
    yield* fiber.interruptAsFork(fiberId3);
  }
  for (let fiber of fibers)
    isRuntimeFiber(fiber) && fiber.unsafePoll() || (yield* fiber.await);
})), interruptAsFork = /* @__PURE__ */ dual(2, (self, fiberId3) => self.interruptAsFork(fiberId3)), join2 = (self) => zipLeft(flatten3(self.await), self.inheritAll);
var _never = {
  ...CommitPrototype,
  commit() {
    return join2(this);
  },
  ...fiberProto,
  id: () => none4,
  await: never,
  children: /* @__PURE__ */ succeed([]),
  inheritAll: never,
  poll: /* @__PURE__ */ succeed(/* @__PURE__ */ none2()),
  interruptAsFork: () => never
};
var currentFiberURI = "effect/FiberCurrent", getCurrentFiber = () => fromNullable(globalThis[currentFiberURI]);

// node_modules/effect/dist/esm/internal/logger.js
var LoggerSymbolKey = "effect/Logger", LoggerTypeId = /* @__PURE__ */ Symbol.for(LoggerSymbolKey), loggerVariance = {
  /* c8 ignore next */
  _Message: (_) => _,
  /* c8 ignore next */
  _Output: (_) => _
}, makeLogger = (log2) => ({
  [LoggerTypeId]: loggerVariance,
  log: log2,
  pipe() {
    return pipeArguments(this, arguments);
  }
});
var mapInputOptions = /* @__PURE__ */ dual(2, (self, f) => makeLogger((options) => self.log(f(options))));
var none6 = {
  [LoggerTypeId]: loggerVariance,
  log: constVoid,
  pipe() {
    return pipeArguments(this, arguments);
  }
};
var textOnly = /^[^\s"=]*$/, format3 = (quoteValue, whitespace) => ({
  annotations,
  cause: cause2,
  date,
  fiberId: fiberId3,
  logLevel,
  message,
  spans
}) => {
  let formatValue = (value) => value.match(textOnly) ? value : quoteValue(value), format4 = (label, value) => `${formatLabel(label)}=${formatValue(value)}`, append3 = (label, value) => " " + format4(label, value), out = format4("timestamp", date.toISOString());
  out += append3("level", logLevel.label), out += append3("fiber", threadName(fiberId3));
  let messages = ensure(message);
  for (let i = 0; i < messages.length; i++)
    out += append3("message", toStringUnknown(messages[i], whitespace));
  isEmptyType(cause2) || (out += append3("cause", pretty(cause2, {
    renderErrorCause: !0
  })));
  for (let span2 of spans)
    out += " " + render(date.getTime())(span2);
  for (let [label, value] of annotations)
    out += append3(label, toStringUnknown(value, whitespace));
  return out;
}, escapeDoubleQuotes = (s) => `"${s.replace(/\\([\s\S])|(")/g, "\\$1$2")}"`, stringLogger = /* @__PURE__ */ makeLogger(/* @__PURE__ */ format3(escapeDoubleQuotes));
var colors = {
  bold: "1",
  red: "31",
  green: "32",
  yellow: "33",
  blue: "34",
  cyan: "36",
  white: "37",
  gray: "90",
  black: "30",
  bgBrightRed: "101"
}, logLevelColors = {
  None: [],
  All: [],
  Trace: [colors.gray],
  Debug: [colors.blue],
  Info: [colors.green],
  Warning: [colors.yellow],
  Error: [colors.red],
  Fatal: [colors.bgBrightRed, colors.black]
};
var hasProcessStdout = typeof process == "object" && process !== null && typeof process.stdout == "object" && process.stdout !== null, processStdoutIsTTY = hasProcessStdout && process.stdout.isTTY === !0, hasProcessStdoutOrDeno = hasProcessStdout || "Deno" in globalThis;

// node_modules/effect/dist/esm/internal/metric/boundaries.js
var MetricBoundariesSymbolKey = "effect/MetricBoundaries", MetricBoundariesTypeId = /* @__PURE__ */ Symbol.for(MetricBoundariesSymbolKey), MetricBoundariesImpl = class {
  values;
  [MetricBoundariesTypeId] = MetricBoundariesTypeId;
  constructor(values3) {
    this.values = values3, this._hash = pipe(string(MetricBoundariesSymbolKey), combine(array(this.values)));
  }
  _hash;
  [symbol]() {
    return this._hash;
  }
  [symbol2](u) {
    return isMetricBoundaries(u) && equals(this.values, u.values);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, isMetricBoundaries = (u) => hasProperty(u, MetricBoundariesTypeId), fromIterable7 = (iterable) => {
  let values3 = pipe(iterable, appendAll(of2(Number.POSITIVE_INFINITY)), dedupe);
  return new MetricBoundariesImpl(values3);
};
var exponential = (options) => pipe(makeBy(options.count - 1, (i) => options.start * Math.pow(options.factor, i)), unsafeFromArray, fromIterable7);

// node_modules/effect/dist/esm/internal/metric/keyType.js
var MetricKeyTypeSymbolKey = "effect/MetricKeyType", MetricKeyTypeTypeId = /* @__PURE__ */ Symbol.for(MetricKeyTypeSymbolKey), CounterKeyTypeSymbolKey = "effect/MetricKeyType/Counter", CounterKeyTypeTypeId = /* @__PURE__ */ Symbol.for(CounterKeyTypeSymbolKey), FrequencyKeyTypeSymbolKey = "effect/MetricKeyType/Frequency", FrequencyKeyTypeTypeId = /* @__PURE__ */ Symbol.for(FrequencyKeyTypeSymbolKey), GaugeKeyTypeSymbolKey = "effect/MetricKeyType/Gauge", GaugeKeyTypeTypeId = /* @__PURE__ */ Symbol.for(GaugeKeyTypeSymbolKey), HistogramKeyTypeSymbolKey = "effect/MetricKeyType/Histogram", HistogramKeyTypeTypeId = /* @__PURE__ */ Symbol.for(HistogramKeyTypeSymbolKey), SummaryKeyTypeSymbolKey = "effect/MetricKeyType/Summary", SummaryKeyTypeTypeId = /* @__PURE__ */ Symbol.for(SummaryKeyTypeSymbolKey), metricKeyTypeVariance = {
  /* c8 ignore next */
  _In: (_) => _,
  /* c8 ignore next */
  _Out: (_) => _
}, CounterKeyType = class {
  incremental;
  bigint;
  [MetricKeyTypeTypeId] = metricKeyTypeVariance;
  [CounterKeyTypeTypeId] = CounterKeyTypeTypeId;
  constructor(incremental, bigint) {
    this.incremental = incremental, this.bigint = bigint, this._hash = string(CounterKeyTypeSymbolKey);
  }
  _hash;
  [symbol]() {
    return this._hash;
  }
  [symbol2](that) {
    return isCounterKey(that);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, FrequencyKeyTypeHash = /* @__PURE__ */ string(FrequencyKeyTypeSymbolKey), FrequencyKeyType = class {
  preregisteredWords;
  [MetricKeyTypeTypeId] = metricKeyTypeVariance;
  [FrequencyKeyTypeTypeId] = FrequencyKeyTypeTypeId;
  constructor(preregisteredWords) {
    this.preregisteredWords = preregisteredWords;
  }
  [symbol]() {
    return FrequencyKeyTypeHash;
  }
  [symbol2](that) {
    return isFrequencyKey(that);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, GaugeKeyTypeHash = /* @__PURE__ */ string(GaugeKeyTypeSymbolKey), GaugeKeyType = class {
  bigint;
  [MetricKeyTypeTypeId] = metricKeyTypeVariance;
  [GaugeKeyTypeTypeId] = GaugeKeyTypeTypeId;
  constructor(bigint) {
    this.bigint = bigint;
  }
  [symbol]() {
    return GaugeKeyTypeHash;
  }
  [symbol2](that) {
    return isGaugeKey(that);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, HistogramKeyType = class {
  boundaries;
  [MetricKeyTypeTypeId] = metricKeyTypeVariance;
  [HistogramKeyTypeTypeId] = HistogramKeyTypeTypeId;
  constructor(boundaries) {
    this.boundaries = boundaries, this._hash = pipe(string(HistogramKeyTypeSymbolKey), combine(hash(this.boundaries)));
  }
  _hash;
  [symbol]() {
    return this._hash;
  }
  [symbol2](that) {
    return isHistogramKey(that) && equals(this.boundaries, that.boundaries);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, SummaryKeyType = class {
  maxAge;
  maxSize;
  error;
  quantiles;
  [MetricKeyTypeTypeId] = metricKeyTypeVariance;
  [SummaryKeyTypeTypeId] = SummaryKeyTypeTypeId;
  constructor(maxAge, maxSize, error, quantiles) {
    this.maxAge = maxAge, this.maxSize = maxSize, this.error = error, this.quantiles = quantiles, this._hash = pipe(string(SummaryKeyTypeSymbolKey), combine(hash(this.maxAge)), combine(hash(this.maxSize)), combine(hash(this.error)), combine(array(this.quantiles)));
  }
  _hash;
  [symbol]() {
    return this._hash;
  }
  [symbol2](that) {
    return isSummaryKey(that) && equals(this.maxAge, that.maxAge) && this.maxSize === that.maxSize && this.error === that.error && equals(this.quantiles, that.quantiles);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, counter = (options) => new CounterKeyType(options?.incremental ?? !1, options?.bigint ?? !1);
var gauge = (options) => new GaugeKeyType(options?.bigint ?? !1), histogram = (boundaries) => new HistogramKeyType(boundaries);
var isCounterKey = (u) => hasProperty(u, CounterKeyTypeTypeId), isFrequencyKey = (u) => hasProperty(u, FrequencyKeyTypeTypeId), isGaugeKey = (u) => hasProperty(u, GaugeKeyTypeTypeId), isHistogramKey = (u) => hasProperty(u, HistogramKeyTypeTypeId), isSummaryKey = (u) => hasProperty(u, SummaryKeyTypeTypeId);

// node_modules/effect/dist/esm/internal/metric/key.js
var MetricKeySymbolKey = "effect/MetricKey", MetricKeyTypeId = /* @__PURE__ */ Symbol.for(MetricKeySymbolKey), metricKeyVariance = {
  /* c8 ignore next */
  _Type: (_) => _
}, arrayEquivilence = /* @__PURE__ */ getEquivalence(equals), MetricKeyImpl = class {
  name;
  keyType;
  description;
  tags;
  [MetricKeyTypeId] = metricKeyVariance;
  constructor(name, keyType, description, tags = []) {
    this.name = name, this.keyType = keyType, this.description = description, this.tags = tags, this._hash = pipe(string(this.name + this.description), combine(hash(this.keyType)), combine(array(this.tags)));
  }
  _hash;
  [symbol]() {
    return this._hash;
  }
  [symbol2](u) {
    return isMetricKey(u) && this.name === u.name && equals(this.keyType, u.keyType) && equals(this.description, u.description) && arrayEquivilence(this.tags, u.tags);
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, isMetricKey = (u) => hasProperty(u, MetricKeyTypeId), counter2 = (name, options) => new MetricKeyImpl(name, counter(options), fromNullable(options?.description));
var gauge2 = (name, options) => new MetricKeyImpl(name, gauge(options), fromNullable(options?.description)), histogram2 = (name, boundaries, description) => new MetricKeyImpl(name, histogram(boundaries), fromNullable(description));
var taggedWithLabels = /* @__PURE__ */ dual(2, (self, extraTags) => extraTags.length === 0 ? self : new MetricKeyImpl(self.name, self.keyType, self.description, union(self.tags, extraTags)));

// node_modules/effect/dist/esm/MutableHashMap.js
var TypeId9 = /* @__PURE__ */ Symbol.for("effect/MutableHashMap"), MutableHashMapProto = {
  [TypeId9]: TypeId9,
  [Symbol.iterator]() {
    return new MutableHashMapIterator(this);
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "MutableHashMap",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, MutableHashMapIterator = class _MutableHashMapIterator {
  self;
  referentialIterator;
  bucketIterator;
  constructor(self) {
    this.self = self, this.referentialIterator = self.referential[Symbol.iterator]();
  }
  next() {
    if (this.bucketIterator !== void 0)
      return this.bucketIterator.next();
    let result = this.referentialIterator.next();
    return result.done ? (this.bucketIterator = new BucketIterator(this.self.buckets.values()), this.next()) : result;
  }
  [Symbol.iterator]() {
    return new _MutableHashMapIterator(this.self);
  }
}, BucketIterator = class {
  backing;
  constructor(backing) {
    this.backing = backing;
  }
  currentBucket;
  next() {
    if (this.currentBucket === void 0) {
      let result2 = this.backing.next();
      if (result2.done)
        return result2;
      this.currentBucket = result2.value[Symbol.iterator]();
    }
    let result = this.currentBucket.next();
    return result.done ? (this.currentBucket = void 0, this.next()) : result;
  }
}, empty22 = () => {
  let self = Object.create(MutableHashMapProto);
  return self.referential = /* @__PURE__ */ new Map(), self.buckets = /* @__PURE__ */ new Map(), self.bucketsSize = 0, self;
};
var get12 = /* @__PURE__ */ dual(2, (self, key) => {
  if (isEqual(key) === !1)
    return self.referential.has(key) ? some2(self.referential.get(key)) : none2();
  let hash2 = key[symbol](), bucket = self.buckets.get(hash2);
  return bucket === void 0 ? none2() : getFromBucket(self, bucket, key);
});
var getFromBucket = (self, bucket, key, remove7 = !1) => {
  for (let i = 0, len = bucket.length; i < len; i++)
    if (key[symbol2](bucket[i][0])) {
      let value = bucket[i][1];
      return remove7 && (bucket.splice(i, 1), self.bucketsSize--), some2(value);
    }
  return none2();
}, has5 = /* @__PURE__ */ dual(2, (self, key) => isSome(get12(self, key))), set7 = /* @__PURE__ */ dual(3, (self, key, value) => {
  if (isEqual(key) === !1)
    return self.referential.set(key, value), self;
  let hash2 = key[symbol](), bucket = self.buckets.get(hash2);
  return bucket === void 0 ? (self.buckets.set(hash2, [[key, value]]), self.bucketsSize++, self) : (removeFromBucket(self, bucket, key), bucket.push([key, value]), self.bucketsSize++, self);
}), removeFromBucket = (self, bucket, key) => {
  for (let i = 0, len = bucket.length; i < len; i++)
    if (key[symbol2](bucket[i][0])) {
      bucket.splice(i, 1), self.bucketsSize--;
      return;
    }
};
var remove5 = /* @__PURE__ */ dual(2, (self, key) => {
  if (isEqual(key) === !1)
    return self.referential.delete(key), self;
  let hash2 = key[symbol](), bucket = self.buckets.get(hash2);
  return bucket === void 0 || (removeFromBucket(self, bucket, key), bucket.length === 0 && self.buckets.delete(hash2)), self;
}), clear = (self) => (self.referential.clear(), self.buckets.clear(), self.bucketsSize = 0, self), size5 = (self) => self.referential.size + self.bucketsSize;

// node_modules/effect/dist/esm/internal/metric/state.js
var MetricStateSymbolKey = "effect/MetricState", MetricStateTypeId = /* @__PURE__ */ Symbol.for(MetricStateSymbolKey), CounterStateSymbolKey = "effect/MetricState/Counter", CounterStateTypeId = /* @__PURE__ */ Symbol.for(CounterStateSymbolKey), FrequencyStateSymbolKey = "effect/MetricState/Frequency", FrequencyStateTypeId = /* @__PURE__ */ Symbol.for(FrequencyStateSymbolKey), GaugeStateSymbolKey = "effect/MetricState/Gauge", GaugeStateTypeId = /* @__PURE__ */ Symbol.for(GaugeStateSymbolKey), HistogramStateSymbolKey = "effect/MetricState/Histogram", HistogramStateTypeId = /* @__PURE__ */ Symbol.for(HistogramStateSymbolKey), SummaryStateSymbolKey = "effect/MetricState/Summary", SummaryStateTypeId = /* @__PURE__ */ Symbol.for(SummaryStateSymbolKey), metricStateVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, CounterState = class {
  count;
  [MetricStateTypeId] = metricStateVariance;
  [CounterStateTypeId] = CounterStateTypeId;
  constructor(count) {
    this.count = count;
  }
  [symbol]() {
    return pipe(hash(CounterStateSymbolKey), combine(hash(this.count)), cached(this));
  }
  [symbol2](that) {
    return isCounterState(that) && this.count === that.count;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, arrayEquals = /* @__PURE__ */ getEquivalence(equals), FrequencyState = class {
  occurrences;
  [MetricStateTypeId] = metricStateVariance;
  [FrequencyStateTypeId] = FrequencyStateTypeId;
  constructor(occurrences) {
    this.occurrences = occurrences;
  }
  _hash;
  [symbol]() {
    return pipe(string(FrequencyStateSymbolKey), combine(array(fromIterable(this.occurrences.entries()))), cached(this));
  }
  [symbol2](that) {
    return isFrequencyState(that) && arrayEquals(fromIterable(this.occurrences.entries()), fromIterable(that.occurrences.entries()));
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, GaugeState = class {
  value;
  [MetricStateTypeId] = metricStateVariance;
  [GaugeStateTypeId] = GaugeStateTypeId;
  constructor(value) {
    this.value = value;
  }
  [symbol]() {
    return pipe(hash(GaugeStateSymbolKey), combine(hash(this.value)), cached(this));
  }
  [symbol2](u) {
    return isGaugeState(u) && this.value === u.value;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, HistogramState = class {
  buckets;
  count;
  min;
  max;
  sum;
  [MetricStateTypeId] = metricStateVariance;
  [HistogramStateTypeId] = HistogramStateTypeId;
  constructor(buckets, count, min4, max6, sum2) {
    this.buckets = buckets, this.count = count, this.min = min4, this.max = max6, this.sum = sum2;
  }
  [symbol]() {
    return pipe(hash(HistogramStateSymbolKey), combine(hash(this.buckets)), combine(hash(this.count)), combine(hash(this.min)), combine(hash(this.max)), combine(hash(this.sum)), cached(this));
  }
  [symbol2](that) {
    return isHistogramState(that) && equals(this.buckets, that.buckets) && this.count === that.count && this.min === that.min && this.max === that.max && this.sum === that.sum;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, SummaryState = class {
  error;
  quantiles;
  count;
  min;
  max;
  sum;
  [MetricStateTypeId] = metricStateVariance;
  [SummaryStateTypeId] = SummaryStateTypeId;
  constructor(error, quantiles, count, min4, max6, sum2) {
    this.error = error, this.quantiles = quantiles, this.count = count, this.min = min4, this.max = max6, this.sum = sum2;
  }
  [symbol]() {
    return pipe(hash(SummaryStateSymbolKey), combine(hash(this.error)), combine(hash(this.quantiles)), combine(hash(this.count)), combine(hash(this.min)), combine(hash(this.max)), combine(hash(this.sum)), cached(this));
  }
  [symbol2](that) {
    return isSummaryState(that) && this.error === that.error && equals(this.quantiles, that.quantiles) && this.count === that.count && this.min === that.min && this.max === that.max && this.sum === that.sum;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, counter3 = (count) => new CounterState(count), frequency2 = (occurrences) => new FrequencyState(occurrences), gauge3 = (count) => new GaugeState(count), histogram3 = (options) => new HistogramState(options.buckets, options.count, options.min, options.max, options.sum), summary2 = (options) => new SummaryState(options.error, options.quantiles, options.count, options.min, options.max, options.sum);
var isCounterState = (u) => hasProperty(u, CounterStateTypeId), isFrequencyState = (u) => hasProperty(u, FrequencyStateTypeId), isGaugeState = (u) => hasProperty(u, GaugeStateTypeId), isHistogramState = (u) => hasProperty(u, HistogramStateTypeId), isSummaryState = (u) => hasProperty(u, SummaryStateTypeId);

// node_modules/effect/dist/esm/internal/metric/hook.js
var MetricHookSymbolKey = "effect/MetricHook", MetricHookTypeId = /* @__PURE__ */ Symbol.for(MetricHookSymbolKey), metricHookVariance = {
  /* c8 ignore next */
  _In: (_) => _,
  /* c8 ignore next */
  _Out: (_) => _
}, make28 = (options) => ({
  [MetricHookTypeId]: metricHookVariance,
  pipe() {
    return pipeArguments(this, arguments);
  },
  ...options
});
var bigint03 = /* @__PURE__ */ BigInt(0), counter4 = (key) => {
  let sum2 = key.keyType.bigint ? bigint03 : 0, canUpdate = key.keyType.incremental ? key.keyType.bigint ? (value) => value >= bigint03 : (value) => value >= 0 : (_value) => !0, update5 = (value) => {
    canUpdate(value) && (sum2 = sum2 + value);
  };
  return make28({
    get: () => counter3(sum2),
    update: update5,
    modify: update5
  });
}, frequency3 = (key) => {
  let values3 = /* @__PURE__ */ new Map();
  for (let word of key.keyType.preregisteredWords)
    values3.set(word, 0);
  let update5 = (word) => {
    let slotCount = values3.get(word) ?? 0;
    values3.set(word, slotCount + 1);
  };
  return make28({
    get: () => frequency2(values3),
    update: update5,
    modify: update5
  });
}, gauge4 = (_key, startAt) => {
  let value = startAt;
  return make28({
    get: () => gauge3(value),
    update: (v) => {
      value = v;
    },
    modify: (v) => {
      value = value + v;
    }
  });
}, histogram4 = (key) => {
  let bounds = key.keyType.boundaries.values, size10 = bounds.length, values3 = new Uint32Array(size10 + 1), boundaries = new Float64Array(size10), count = 0, sum2 = 0, min4 = Number.MAX_VALUE, max6 = Number.MIN_VALUE;
  pipe(bounds, sort(Order2), map4((n, i) => {
    boundaries[i] = n;
  }));
  let update5 = (value) => {
    let from = 0, to = size10;
    for (; from !== to; ) {
      let mid = Math.floor(from + (to - from) / 2), boundary = boundaries[mid];
      value <= boundary ? to = mid : from = mid, to === from + 1 && (value <= boundaries[from] ? to = from : from = to);
    }
    values3[from] = values3[from] + 1, count = count + 1, sum2 = sum2 + value, value < min4 && (min4 = value), value > max6 && (max6 = value);
  }, getBuckets = () => {
    let builder = allocate(size10), cumulated = 0;
    for (let i = 0; i < size10; i++) {
      let boundary = boundaries[i], value = values3[i];
      cumulated = cumulated + value, builder[i] = [boundary, cumulated];
    }
    return builder;
  };
  return make28({
    get: () => histogram3({
      buckets: getBuckets(),
      count,
      min: min4,
      max: max6,
      sum: sum2
    }),
    update: update5,
    modify: update5
  });
}, summary3 = (key) => {
  let {
    error,
    maxAge,
    maxSize,
    quantiles
  } = key.keyType, sortedQuantiles = pipe(quantiles, sort(Order2)), values3 = allocate(maxSize), head5 = 0, count = 0, sum2 = 0, min4 = 0, max6 = 0, snapshot = (now) => {
    let builder = [], i = 0;
    for (; i !== maxSize - 1; ) {
      let item = values3[i];
      if (item != null) {
        let [t, v] = item, age = millis(now - t);
        greaterThanOrEqualTo2(age, zero) && lessThanOrEqualTo(age, maxAge) && builder.push(v);
      }
      i = i + 1;
    }
    return calculateQuantiles(error, sortedQuantiles, sort(builder, Order2));
  }, observe = (value, timestamp) => {
    if (maxSize > 0) {
      head5 = head5 + 1;
      let target = head5 % maxSize;
      values3[target] = [timestamp, value];
    }
    min4 = count === 0 ? value : Math.min(min4, value), max6 = count === 0 ? value : Math.max(max6, value), count = count + 1, sum2 = sum2 + value;
  };
  return make28({
    get: () => summary2({
      error,
      quantiles: snapshot(Date.now()),
      count,
      min: min4,
      max: max6,
      sum: sum2
    }),
    update: ([value, timestamp]) => observe(value, timestamp),
    modify: ([value, timestamp]) => observe(value, timestamp)
  });
}, calculateQuantiles = (error, sortedQuantiles, sortedSamples) => {
  let sampleCount = sortedSamples.length;
  if (!isNonEmptyReadonlyArray(sortedQuantiles))
    return empty5();
  let head5 = sortedQuantiles[0], tail = sortedQuantiles.slice(1), resolvedHead = resolveQuantile(error, sampleCount, none2(), 0, head5, sortedSamples), resolved = of(resolvedHead);
  return tail.forEach((quantile) => {
    resolved.push(resolveQuantile(error, sampleCount, resolvedHead.value, resolvedHead.consumed, quantile, resolvedHead.rest));
  }), map4(resolved, (rq) => [rq.quantile, rq.value]);
}, resolveQuantile = (error, sampleCount, current, consumed, quantile, rest) => {
  let error_1 = error, sampleCount_1 = sampleCount, current_1 = current, consumed_1 = consumed, quantile_1 = quantile, rest_1 = rest, error_2 = error, sampleCount_2 = sampleCount, current_2 = current, consumed_2 = consumed, quantile_2 = quantile, rest_2 = rest;
  for (; ; ) {
    if (!isNonEmptyReadonlyArray(rest_1))
      return {
        quantile: quantile_1,
        value: none2(),
        consumed: consumed_1,
        rest: []
      };
    if (quantile_1 === 1)
      return {
        quantile: quantile_1,
        value: some2(lastNonEmpty(rest_1)),
        consumed: consumed_1 + rest_1.length,
        rest: []
      };
    let headValue = headNonEmpty(rest_1), sameHead = span(rest_1, (n) => n === headValue), desired = quantile_1 * sampleCount_1, allowedError = error_1 / 2 * desired, candConsumed = consumed_1 + sameHead[0].length, candError = Math.abs(candConsumed - desired);
    if (candConsumed < desired - allowedError) {
      error_2 = error_1, sampleCount_2 = sampleCount_1, current_2 = head2(rest_1), consumed_2 = candConsumed, quantile_2 = quantile_1, rest_2 = sameHead[1], error_1 = error_2, sampleCount_1 = sampleCount_2, current_1 = current_2, consumed_1 = consumed_2, quantile_1 = quantile_2, rest_1 = rest_2;
      continue;
    }
    if (candConsumed > desired + allowedError) {
      let valueToReturn = isNone(current_1) ? some2(headValue) : current_1;
      return {
        quantile: quantile_1,
        value: valueToReturn,
        consumed: consumed_1,
        rest: rest_1
      };
    }
    switch (current_1._tag) {
      case "None": {
        error_2 = error_1, sampleCount_2 = sampleCount_1, current_2 = head2(rest_1), consumed_2 = candConsumed, quantile_2 = quantile_1, rest_2 = sameHead[1], error_1 = error_2, sampleCount_1 = sampleCount_2, current_1 = current_2, consumed_1 = consumed_2, quantile_1 = quantile_2, rest_1 = rest_2;
        continue;
      }
      case "Some": {
        let prevError = Math.abs(desired - current_1.value);
        if (candError < prevError) {
          error_2 = error_1, sampleCount_2 = sampleCount_1, current_2 = head2(rest_1), consumed_2 = candConsumed, quantile_2 = quantile_1, rest_2 = sameHead[1], error_1 = error_2, sampleCount_1 = sampleCount_2, current_1 = current_2, consumed_1 = consumed_2, quantile_1 = quantile_2, rest_1 = rest_2;
          continue;
        }
        return {
          quantile: quantile_1,
          value: some2(current_1.value),
          consumed: consumed_1,
          rest: rest_1
        };
      }
    }
  }
  throw new Error("BUG: MetricHook.resolveQuantiles - please report an issue at https://github.com/Effect-TS/effect/issues");
};

// node_modules/effect/dist/esm/internal/metric/pair.js
var MetricPairSymbolKey = "effect/MetricPair", MetricPairTypeId = /* @__PURE__ */ Symbol.for(MetricPairSymbolKey), metricPairVariance = {
  /* c8 ignore next */
  _Type: (_) => _
};
var unsafeMake7 = (metricKey, metricState) => ({
  [MetricPairTypeId]: metricPairVariance,
  metricKey,
  metricState,
  pipe() {
    return pipeArguments(this, arguments);
  }
});

// node_modules/effect/dist/esm/internal/metric/registry.js
var MetricRegistrySymbolKey = "effect/MetricRegistry", MetricRegistryTypeId = /* @__PURE__ */ Symbol.for(MetricRegistrySymbolKey), MetricRegistryImpl = class {
  [MetricRegistryTypeId] = MetricRegistryTypeId;
  map = /* @__PURE__ */ empty22();
  snapshot() {
    let result = [];
    for (let [key, hook] of this.map)
      result.push(unsafeMake7(key, hook.get()));
    return result;
  }
  get(key) {
    let hook = pipe(this.map, get12(key), getOrUndefined);
    if (hook == null) {
      if (isCounterKey(key.keyType))
        return this.getCounter(key);
      if (isGaugeKey(key.keyType))
        return this.getGauge(key);
      if (isFrequencyKey(key.keyType))
        return this.getFrequency(key);
      if (isHistogramKey(key.keyType))
        return this.getHistogram(key);
      if (isSummaryKey(key.keyType))
        return this.getSummary(key);
      throw new Error("BUG: MetricRegistry.get - unknown MetricKeyType - please report an issue at https://github.com/Effect-TS/effect/issues");
    } else
      return hook;
  }
  getCounter(key) {
    let value = pipe(this.map, get12(key), getOrUndefined);
    if (value == null) {
      let counter6 = counter4(key);
      pipe(this.map, has5(key)) || pipe(this.map, set7(key, counter6)), value = counter6;
    }
    return value;
  }
  getFrequency(key) {
    let value = pipe(this.map, get12(key), getOrUndefined);
    if (value == null) {
      let frequency5 = frequency3(key);
      pipe(this.map, has5(key)) || pipe(this.map, set7(key, frequency5)), value = frequency5;
    }
    return value;
  }
  getGauge(key) {
    let value = pipe(this.map, get12(key), getOrUndefined);
    if (value == null) {
      let gauge6 = gauge4(key, key.keyType.bigint ? BigInt(0) : 0);
      pipe(this.map, has5(key)) || pipe(this.map, set7(key, gauge6)), value = gauge6;
    }
    return value;
  }
  getHistogram(key) {
    let value = pipe(this.map, get12(key), getOrUndefined);
    if (value == null) {
      let histogram6 = histogram4(key);
      pipe(this.map, has5(key)) || pipe(this.map, set7(key, histogram6)), value = histogram6;
    }
    return value;
  }
  getSummary(key) {
    let value = pipe(this.map, get12(key), getOrUndefined);
    if (value == null) {
      let summary5 = summary3(key);
      pipe(this.map, has5(key)) || pipe(this.map, set7(key, summary5)), value = summary5;
    }
    return value;
  }
}, make29 = () => new MetricRegistryImpl();

// node_modules/effect/dist/esm/internal/metric.js
var MetricSymbolKey = "effect/Metric", MetricTypeId = /* @__PURE__ */ Symbol.for(MetricSymbolKey), metricVariance = {
  /* c8 ignore next */
  _Type: (_) => _,
  /* c8 ignore next */
  _In: (_) => _,
  /* c8 ignore next */
  _Out: (_) => _
}, globalMetricRegistry = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Metric/globalMetricRegistry"), () => make29()), make30 = function(keyType, unsafeUpdate, unsafeValue, unsafeModify) {
  let metric = Object.assign((effect) => tap(effect, (a) => update4(metric, a)), {
    [MetricTypeId]: metricVariance,
    keyType,
    unsafeUpdate,
    unsafeValue,
    unsafeModify,
    register() {
      return this.unsafeValue([]), this;
    },
    pipe() {
      return pipeArguments(this, arguments);
    }
  });
  return metric;
};
var counter5 = (name, options) => fromMetricKey(counter2(name, options));
var fromMetricKey = (key) => {
  let untaggedHook, hookCache = /* @__PURE__ */ new WeakMap(), hook = (extraTags) => {
    if (extraTags.length === 0)
      return untaggedHook !== void 0 || (untaggedHook = globalMetricRegistry.get(key)), untaggedHook;
    let hook2 = hookCache.get(extraTags);
    return hook2 !== void 0 || (hook2 = globalMetricRegistry.get(taggedWithLabels(key, extraTags)), hookCache.set(extraTags, hook2)), hook2;
  };
  return make30(key.keyType, (input, extraTags) => hook(extraTags).update(input), (extraTags) => hook(extraTags).get(), (input, extraTags) => hook(extraTags).modify(input));
}, gauge5 = (name, options) => fromMetricKey(gauge2(name, options)), histogram5 = (name, boundaries, description) => fromMetricKey(histogram2(name, boundaries, description));
var tagged = /* @__PURE__ */ dual(3, (self, key, value) => taggedWithLabels2(self, [make27(key, value)]));
var taggedWithLabels2 = /* @__PURE__ */ dual(2, (self, extraTags) => make30(self.keyType, (input, extraTags1) => self.unsafeUpdate(input, union(extraTags, extraTags1)), (extraTags1) => self.unsafeValue(union(extraTags, extraTags1)), (input, extraTags1) => self.unsafeModify(input, union(extraTags, extraTags1))));
var update4 = /* @__PURE__ */ dual(2, (self, input) => fiberRefGetWith(currentMetricLabels, (tags) => sync(() => self.unsafeUpdate(input, tags))));
var unsafeSnapshot = () => globalMetricRegistry.snapshot();

// node_modules/effect/dist/esm/internal/request.js
var RequestSymbolKey = "effect/Request", RequestTypeId = /* @__PURE__ */ Symbol.for(RequestSymbolKey), requestVariance = {
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _A: (_) => _
}, RequestPrototype = {
  ...StructuralPrototype,
  [RequestTypeId]: requestVariance
};
var complete = /* @__PURE__ */ dual(2, (self, result) => fiberRefGetWith(currentRequestMap, (map18) => sync(() => {
  if (map18.has(self)) {
    let entry = map18.get(self);
    entry.state.completed || (entry.state.completed = !0, deferredUnsafeDone(entry.result, result));
  }
})));

// node_modules/effect/dist/esm/internal/redBlackTree/iterator.js
var Direction = {
  Forward: 0,
  Backward: 1
}, RedBlackTreeIterator = class _RedBlackTreeIterator {
  self;
  stack;
  direction;
  count = 0;
  constructor(self, stack, direction) {
    this.self = self, this.stack = stack, this.direction = direction;
  }
  /**
   * Clones the iterator
   */
  clone() {
    return new _RedBlackTreeIterator(this.self, this.stack.slice(), this.direction);
  }
  /**
   * Reverse the traversal direction
   */
  reversed() {
    return new _RedBlackTreeIterator(this.self, this.stack.slice(), this.direction === Direction.Forward ? Direction.Backward : Direction.Forward);
  }
  /**
   * Iterator next
   */
  next() {
    let entry = this.entry;
    switch (this.count++, this.direction === Direction.Forward ? this.moveNext() : this.movePrev(), entry._tag) {
      case "None":
        return {
          done: !0,
          value: this.count
        };
      case "Some":
        return {
          done: !1,
          value: entry.value
        };
    }
  }
  /**
   * Returns the key
   */
  get key() {
    return this.stack.length > 0 ? some2(this.stack[this.stack.length - 1].key) : none2();
  }
  /**
   * Returns the value
   */
  get value() {
    return this.stack.length > 0 ? some2(this.stack[this.stack.length - 1].value) : none2();
  }
  /**
   * Returns the key
   */
  get entry() {
    return map(last(this.stack), (node) => [node.key, node.value]);
  }
  /**
   * Returns the position of this iterator in the sorted list
   */
  get index() {
    let idx = 0, stack = this.stack;
    if (stack.length === 0) {
      let r = this.self._root;
      return r != null ? r.count : 0;
    } else stack[stack.length - 1].left != null && (idx = stack[stack.length - 1].left.count);
    for (let s = stack.length - 2; s >= 0; --s)
      stack[s + 1] === stack[s].right && (++idx, stack[s].left != null && (idx += stack[s].left.count));
    return idx;
  }
  /**
   * Advances iterator to next element in list
   */
  moveNext() {
    let stack = this.stack;
    if (stack.length === 0)
      return;
    let n = stack[stack.length - 1];
    if (n.right != null)
      for (n = n.right; n != null; )
        stack.push(n), n = n.left;
    else
      for (stack.pop(); stack.length > 0 && stack[stack.length - 1].right === n; )
        n = stack[stack.length - 1], stack.pop();
  }
  /**
   * Checks if there is a next element
   */
  get hasNext() {
    let stack = this.stack;
    if (stack.length === 0)
      return !1;
    if (stack[stack.length - 1].right != null)
      return !0;
    for (let s = stack.length - 1; s > 0; --s)
      if (stack[s - 1].left === stack[s])
        return !0;
    return !1;
  }
  /**
   * Advances iterator to previous element in list
   */
  movePrev() {
    let stack = this.stack;
    if (stack.length === 0)
      return;
    let n = stack[stack.length - 1];
    if (n != null && n.left != null)
      for (n = n.left; n != null; )
        stack.push(n), n = n.right;
    else
      for (stack.pop(); stack.length > 0 && stack[stack.length - 1].left === n; )
        n = stack[stack.length - 1], stack.pop();
  }
  /**
   * Checks if there is a previous element
   */
  get hasPrev() {
    let stack = this.stack;
    if (stack.length === 0)
      return !1;
    if (stack[stack.length - 1].left != null)
      return !0;
    for (let s = stack.length - 1; s > 0; --s)
      if (stack[s - 1].right === stack[s])
        return !0;
    return !1;
  }
};

// node_modules/effect/dist/esm/internal/redBlackTree/node.js
var Color = {
  Red: 0,
  Black: 1
}, clone = ({
  color,
  count,
  key,
  left: left2,
  right: right2,
  value
}) => ({
  color,
  key,
  value,
  left: left2,
  right: right2,
  count
});
function swap2(n, v) {
  n.key = v.key, n.value = v.value, n.left = v.left, n.right = v.right, n.color = v.color, n.count = v.count;
}
var repaint = ({
  count,
  key,
  left: left2,
  right: right2,
  value
}, color) => ({
  color,
  key,
  value,
  left: left2,
  right: right2,
  count
}), recount = (node) => {
  node.count = 1 + (node.left?.count ?? 0) + (node.right?.count ?? 0);
};

// node_modules/effect/dist/esm/internal/redBlackTree.js
var RedBlackTreeSymbolKey = "effect/RedBlackTree", RedBlackTreeTypeId = /* @__PURE__ */ Symbol.for(RedBlackTreeSymbolKey), redBlackTreeVariance = {
  /* c8 ignore next */
  _Key: (_) => _,
  /* c8 ignore next */
  _Value: (_) => _
}, RedBlackTreeProto = {
  [RedBlackTreeTypeId]: redBlackTreeVariance,
  [symbol]() {
    let hash2 = hash(RedBlackTreeSymbolKey);
    for (let item of this)
      hash2 ^= pipe(hash(item[0]), combine(hash(item[1])));
    return cached(this, hash2);
  },
  [symbol2](that) {
    if (isRedBlackTree(that)) {
      if ((this._root?.count ?? 0) !== (that._root?.count ?? 0))
        return !1;
      let entries3 = Array.from(that);
      return Array.from(this).every((itemSelf, i) => {
        let itemThat = entries3[i];
        return equals(itemSelf[0], itemThat[0]) && equals(itemSelf[1], itemThat[1]);
      });
    }
    return !1;
  },
  [Symbol.iterator]() {
    let stack = [], n = this._root;
    for (; n != null; )
      stack.push(n), n = n.left;
    return new RedBlackTreeIterator(this, stack, Direction.Forward);
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "RedBlackTree",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, makeImpl3 = (ord, root) => {
  let tree = Object.create(RedBlackTreeProto);
  return tree._ord = ord, tree._root = root, tree;
}, isRedBlackTree = (u) => hasProperty(u, RedBlackTreeTypeId);
var findFirst3 = /* @__PURE__ */ dual(2, (self, key) => {
  let cmp = self._ord, node = self._root;
  for (; node !== void 0; ) {
    let d = cmp(key, node.key);
    if (equals(key, node.key))
      return some2(node.value);
    d <= 0 ? node = node.left : node = node.right;
  }
  return none2();
});
var has6 = /* @__PURE__ */ dual(2, (self, key) => isSome(findFirst3(self, key))), insert = /* @__PURE__ */ dual(3, (self, key, value) => {
  let cmp = self._ord, n = self._root, n_stack = [], d_stack = [];
  for (; n != null; ) {
    let d = cmp(key, n.key);
    n_stack.push(n), d_stack.push(d), d <= 0 ? n = n.left : n = n.right;
  }
  n_stack.push({
    color: Color.Red,
    key,
    value,
    left: void 0,
    right: void 0,
    count: 1
  });
  for (let s = n_stack.length - 2; s >= 0; --s) {
    let n2 = n_stack[s];
    d_stack[s] <= 0 ? n_stack[s] = {
      color: n2.color,
      key: n2.key,
      value: n2.value,
      left: n_stack[s + 1],
      right: n2.right,
      count: n2.count + 1
    } : n_stack[s] = {
      color: n2.color,
      key: n2.key,
      value: n2.value,
      left: n2.left,
      right: n_stack[s + 1],
      count: n2.count + 1
    };
  }
  for (let s = n_stack.length - 1; s > 1; --s) {
    let p = n_stack[s - 1], n3 = n_stack[s];
    if (p.color === Color.Black || n3.color === Color.Black)
      break;
    let pp = n_stack[s - 2];
    if (pp.left === p)
      if (p.left === n3) {
        let y = pp.right;
        if (y && y.color === Color.Red)
          p.color = Color.Black, pp.right = repaint(y, Color.Black), pp.color = Color.Red, s -= 1;
        else {
          if (pp.color = Color.Red, pp.left = p.right, p.color = Color.Black, p.right = pp, n_stack[s - 2] = p, n_stack[s - 1] = n3, recount(pp), recount(p), s >= 3) {
            let ppp = n_stack[s - 3];
            ppp.left === pp ? ppp.left = p : ppp.right = p;
          }
          break;
        }
      } else {
        let y = pp.right;
        if (y && y.color === Color.Red)
          p.color = Color.Black, pp.right = repaint(y, Color.Black), pp.color = Color.Red, s -= 1;
        else {
          if (p.right = n3.left, pp.color = Color.Red, pp.left = n3.right, n3.color = Color.Black, n3.left = p, n3.right = pp, n_stack[s - 2] = n3, n_stack[s - 1] = p, recount(pp), recount(p), recount(n3), s >= 3) {
            let ppp = n_stack[s - 3];
            ppp.left === pp ? ppp.left = n3 : ppp.right = n3;
          }
          break;
        }
      }
    else if (p.right === n3) {
      let y = pp.left;
      if (y && y.color === Color.Red)
        p.color = Color.Black, pp.left = repaint(y, Color.Black), pp.color = Color.Red, s -= 1;
      else {
        if (pp.color = Color.Red, pp.right = p.left, p.color = Color.Black, p.left = pp, n_stack[s - 2] = p, n_stack[s - 1] = n3, recount(pp), recount(p), s >= 3) {
          let ppp = n_stack[s - 3];
          ppp.right === pp ? ppp.right = p : ppp.left = p;
        }
        break;
      }
    } else {
      let y = pp.left;
      if (y && y.color === Color.Red)
        p.color = Color.Black, pp.left = repaint(y, Color.Black), pp.color = Color.Red, s -= 1;
      else {
        if (p.left = n3.right, pp.color = Color.Red, pp.right = n3.left, n3.color = Color.Black, n3.right = p, n3.left = pp, n_stack[s - 2] = n3, n_stack[s - 1] = p, recount(pp), recount(p), recount(n3), s >= 3) {
          let ppp = n_stack[s - 3];
          ppp.right === pp ? ppp.right = n3 : ppp.left = n3;
        }
        break;
      }
    }
  }
  return n_stack[0].color = Color.Black, makeImpl3(self._ord, n_stack[0]);
}), keysForward = (self) => keys4(self, Direction.Forward);
var keys4 = (self, direction) => {
  let begin = self[Symbol.iterator](), count = 0;
  return {
    [Symbol.iterator]: () => keys4(self, direction),
    next: () => {
      count++;
      let entry = begin.key;
      switch (direction === Direction.Forward ? begin.moveNext() : begin.movePrev(), entry._tag) {
        case "None":
          return {
            done: !0,
            value: count
          };
        case "Some":
          return {
            done: !1,
            value: entry.value
          };
      }
    }
  };
};
var removeFirst = /* @__PURE__ */ dual(2, (self, key) => {
  if (!has6(self, key))
    return self;
  let ord = self._ord, cmp = ord, node = self._root, stack = [];
  for (; node !== void 0; ) {
    let d = cmp(key, node.key);
    stack.push(node), equals(key, node.key) ? node = void 0 : d <= 0 ? node = node.left : node = node.right;
  }
  if (stack.length === 0)
    return self;
  let cstack = new Array(stack.length), n = stack[stack.length - 1];
  cstack[cstack.length - 1] = {
    color: n.color,
    key: n.key,
    value: n.value,
    left: n.left,
    right: n.right,
    count: n.count
  };
  for (let i = stack.length - 2; i >= 0; --i)
    n = stack[i], n.left === stack[i + 1] ? cstack[i] = {
      color: n.color,
      key: n.key,
      value: n.value,
      left: cstack[i + 1],
      right: n.right,
      count: n.count
    } : cstack[i] = {
      color: n.color,
      key: n.key,
      value: n.value,
      left: n.left,
      right: cstack[i + 1],
      count: n.count
    };
  if (n = cstack[cstack.length - 1], n.left !== void 0 && n.right !== void 0) {
    let split = cstack.length;
    for (n = n.left; n.right != null; )
      cstack.push(n), n = n.right;
    let v = cstack[split - 1];
    cstack.push({
      color: n.color,
      key: v.key,
      value: v.value,
      left: n.left,
      right: n.right,
      count: n.count
    }), cstack[split - 1].key = n.key, cstack[split - 1].value = n.value;
    for (let i = cstack.length - 2; i >= split; --i)
      n = cstack[i], cstack[i] = {
        color: n.color,
        key: n.key,
        value: n.value,
        left: n.left,
        right: cstack[i + 1],
        count: n.count
      };
    cstack[split - 1].left = cstack[split];
  }
  if (n = cstack[cstack.length - 1], n.color === Color.Red) {
    let p = cstack[cstack.length - 2];
    p.left === n ? p.left = void 0 : p.right === n && (p.right = void 0), cstack.pop();
    for (let i = 0; i < cstack.length; ++i)
      cstack[i].count--;
    return makeImpl3(ord, cstack[0]);
  } else if (n.left !== void 0 || n.right !== void 0) {
    n.left !== void 0 ? swap2(n, n.left) : n.right !== void 0 && swap2(n, n.right), n.color = Color.Black;
    for (let i = 0; i < cstack.length - 1; ++i)
      cstack[i].count--;
    return makeImpl3(ord, cstack[0]);
  } else {
    if (cstack.length === 1)
      return makeImpl3(ord, void 0);
    {
      for (let i = 0; i < cstack.length; ++i)
        cstack[i].count--;
      let parent = cstack[cstack.length - 2];
      fixDoubleBlack(cstack), parent.left === n ? parent.left = void 0 : parent.right = void 0;
    }
  }
  return makeImpl3(ord, cstack[0]);
});
var fixDoubleBlack = (stack) => {
  let n, p, s, z;
  for (let i = stack.length - 1; i >= 0; --i) {
    if (n = stack[i], i === 0) {
      n.color = Color.Black;
      return;
    }
    if (p = stack[i - 1], p.left === n) {
      if (s = p.right, s !== void 0 && s.right !== void 0 && s.right.color === Color.Red) {
        if (s = p.right = clone(s), z = s.right = clone(s.right), p.right = s.left, s.left = p, s.right = z, s.color = p.color, n.color = Color.Black, p.color = Color.Black, z.color = Color.Black, recount(p), recount(s), i > 1) {
          let pp = stack[i - 2];
          pp.left === p ? pp.left = s : pp.right = s;
        }
        stack[i - 1] = s;
        return;
      } else if (s !== void 0 && s.left !== void 0 && s.left.color === Color.Red) {
        if (s = p.right = clone(s), z = s.left = clone(s.left), p.right = z.left, s.left = z.right, z.left = p, z.right = s, z.color = p.color, p.color = Color.Black, s.color = Color.Black, n.color = Color.Black, recount(p), recount(s), recount(z), i > 1) {
          let pp = stack[i - 2];
          pp.left === p ? pp.left = z : pp.right = z;
        }
        stack[i - 1] = z;
        return;
      }
      if (s !== void 0 && s.color === Color.Black)
        if (p.color === Color.Red) {
          p.color = Color.Black, p.right = repaint(s, Color.Red);
          return;
        } else {
          p.right = repaint(s, Color.Red);
          continue;
        }
      else if (s !== void 0) {
        if (s = clone(s), p.right = s.left, s.left = p, s.color = p.color, p.color = Color.Red, recount(p), recount(s), i > 1) {
          let pp = stack[i - 2];
          pp.left === p ? pp.left = s : pp.right = s;
        }
        stack[i - 1] = s, stack[i] = p, i + 1 < stack.length ? stack[i + 1] = n : stack.push(n), i = i + 2;
      }
    } else {
      if (s = p.left, s !== void 0 && s.left !== void 0 && s.left.color === Color.Red) {
        if (s = p.left = clone(s), z = s.left = clone(s.left), p.left = s.right, s.right = p, s.left = z, s.color = p.color, n.color = Color.Black, p.color = Color.Black, z.color = Color.Black, recount(p), recount(s), i > 1) {
          let pp = stack[i - 2];
          pp.right === p ? pp.right = s : pp.left = s;
        }
        stack[i - 1] = s;
        return;
      } else if (s !== void 0 && s.right !== void 0 && s.right.color === Color.Red) {
        if (s = p.left = clone(s), z = s.right = clone(s.right), p.left = z.right, s.right = z.left, z.right = p, z.left = s, z.color = p.color, p.color = Color.Black, s.color = Color.Black, n.color = Color.Black, recount(p), recount(s), recount(z), i > 1) {
          let pp = stack[i - 2];
          pp.right === p ? pp.right = z : pp.left = z;
        }
        stack[i - 1] = z;
        return;
      }
      if (s !== void 0 && s.color === Color.Black)
        if (p.color === Color.Red) {
          p.color = Color.Black, p.left = repaint(s, Color.Red);
          return;
        } else {
          p.left = repaint(s, Color.Red);
          continue;
        }
      else if (s !== void 0) {
        if (s = clone(s), p.left = s.right, s.right = p, s.color = p.color, p.color = Color.Red, recount(p), recount(s), i > 1) {
          let pp = stack[i - 2];
          pp.right === p ? pp.right = s : pp.left = s;
        }
        stack[i - 1] = s, stack[i] = p, i + 1 < stack.length ? stack[i + 1] = n : stack.push(n), i = i + 2;
      }
    }
  }
};

// node_modules/effect/dist/esm/RedBlackTree.js
var has7 = has6, insert2 = insert, keys5 = keysForward;
var removeFirst2 = removeFirst;

// node_modules/effect/dist/esm/SortedSet.js
var TypeId10 = /* @__PURE__ */ Symbol.for("effect/SortedSet"), SortedSetProto = {
  [TypeId10]: {
    _A: (_) => _
  },
  [symbol]() {
    return pipe(hash(this.keyTree), combine(hash(TypeId10)), cached(this));
  },
  [symbol2](that) {
    return isSortedSet(that) && equals(this.keyTree, that.keyTree);
  },
  [Symbol.iterator]() {
    return keys5(this.keyTree);
  },
  toString() {
    return format(this.toJSON());
  },
  toJSON() {
    return {
      _id: "SortedSet",
      values: Array.from(this).map(toJSON)
    };
  },
  [NodeInspectSymbol]() {
    return this.toJSON();
  },
  pipe() {
    return pipeArguments(this, arguments);
  }
}, fromTree = (keyTree) => {
  let a = Object.create(SortedSetProto);
  return a.keyTree = keyTree, a;
}, isSortedSet = (u) => hasProperty(u, TypeId10);
var add5 = /* @__PURE__ */ dual(2, (self, value) => has7(self.keyTree, value) ? self : fromTree(insert2(self.keyTree, value, !0)));
var remove6 = /* @__PURE__ */ dual(2, (self, value) => fromTree(removeFirst2(self.keyTree, value)));

// node_modules/effect/dist/esm/internal/supervisor.js
var SupervisorSymbolKey = "effect/Supervisor", SupervisorTypeId = /* @__PURE__ */ Symbol.for(SupervisorSymbolKey), supervisorVariance = {
  /* c8 ignore next */
  _T: (_) => _
}, ProxySupervisor = class _ProxySupervisor {
  underlying;
  value0;
  [SupervisorTypeId] = supervisorVariance;
  constructor(underlying, value0) {
    this.underlying = underlying, this.value0 = value0;
  }
  get value() {
    return this.value0;
  }
  onStart(context4, effect, parent, fiber) {
    this.underlying.onStart(context4, effect, parent, fiber);
  }
  onEnd(value, fiber) {
    this.underlying.onEnd(value, fiber);
  }
  onEffect(fiber, effect) {
    this.underlying.onEffect(fiber, effect);
  }
  onSuspend(fiber) {
    this.underlying.onSuspend(fiber);
  }
  onResume(fiber) {
    this.underlying.onResume(fiber);
  }
  map(f) {
    return new _ProxySupervisor(this, pipe(this.value, map11(f)));
  }
  zip(right2) {
    return new Zip(this, right2);
  }
}, Zip = class _Zip {
  left;
  right;
  _tag = "Zip";
  [SupervisorTypeId] = supervisorVariance;
  constructor(left2, right2) {
    this.left = left2, this.right = right2;
  }
  get value() {
    return zip2(this.left.value, this.right.value);
  }
  onStart(context4, effect, parent, fiber) {
    this.left.onStart(context4, effect, parent, fiber), this.right.onStart(context4, effect, parent, fiber);
  }
  onEnd(value, fiber) {
    this.left.onEnd(value, fiber), this.right.onEnd(value, fiber);
  }
  onEffect(fiber, effect) {
    this.left.onEffect(fiber, effect), this.right.onEffect(fiber, effect);
  }
  onSuspend(fiber) {
    this.left.onSuspend(fiber), this.right.onSuspend(fiber);
  }
  onResume(fiber) {
    this.left.onResume(fiber), this.right.onResume(fiber);
  }
  map(f) {
    return new ProxySupervisor(this, pipe(this.value, map11(f)));
  }
  zip(right2) {
    return new _Zip(this, right2);
  }
}, isZip = (self) => hasProperty(self, SupervisorTypeId) && isTagged(self, "Zip"), Track = class {
  [SupervisorTypeId] = supervisorVariance;
  fibers = /* @__PURE__ */ new Set();
  get value() {
    return sync(() => Array.from(this.fibers));
  }
  onStart(_context, _effect, _parent, fiber) {
    this.fibers.add(fiber);
  }
  onEnd(_value, fiber) {
    this.fibers.delete(fiber);
  }
  onEffect(_fiber, _effect) {
  }
  onSuspend(_fiber) {
  }
  onResume(_fiber) {
  }
  map(f) {
    return new ProxySupervisor(this, pipe(this.value, map11(f)));
  }
  zip(right2) {
    return new Zip(this, right2);
  }
  onRun(execution, _fiber) {
    return execution();
  }
}, Const = class {
  effect;
  [SupervisorTypeId] = supervisorVariance;
  constructor(effect) {
    this.effect = effect;
  }
  get value() {
    return this.effect;
  }
  onStart(_context, _effect, _parent, _fiber) {
  }
  onEnd(_value, _fiber) {
  }
  onEffect(_fiber, _effect) {
  }
  onSuspend(_fiber) {
  }
  onResume(_fiber) {
  }
  map(f) {
    return new ProxySupervisor(this, pipe(this.value, map11(f)));
  }
  zip(right2) {
    return new Zip(this, right2);
  }
  onRun(execution, _fiber) {
    return execution();
  }
}, FibersIn = class {
  ref;
  [SupervisorTypeId] = supervisorVariance;
  constructor(ref) {
    this.ref = ref;
  }
  get value() {
    return sync(() => get6(this.ref));
  }
  onStart(_context, _effect, _parent, fiber) {
    pipe(this.ref, set3(pipe(get6(this.ref), add5(fiber))));
  }
  onEnd(_value, fiber) {
    pipe(this.ref, set3(pipe(get6(this.ref), remove6(fiber))));
  }
  onEffect(_fiber, _effect) {
  }
  onSuspend(_fiber) {
  }
  onResume(_fiber) {
  }
  map(f) {
    return new ProxySupervisor(this, pipe(this.value, map11(f)));
  }
  zip(right2) {
    return new Zip(this, right2);
  }
  onRun(execution, _fiber) {
    return execution();
  }
};
var fromEffect = (effect) => new Const(effect), none7 = /* @__PURE__ */ globalValue("effect/Supervisor/none", () => fromEffect(void_));

// node_modules/effect/dist/esm/Differ.js
var make32 = make16;

// node_modules/effect/dist/esm/internal/supervisor/patch.js
var OP_EMPTY3 = "Empty", OP_ADD_SUPERVISOR = "AddSupervisor", OP_REMOVE_SUPERVISOR = "RemoveSupervisor", OP_AND_THEN2 = "AndThen", empty25 = {
  _tag: OP_EMPTY3
}, combine8 = (self, that) => ({
  _tag: OP_AND_THEN2,
  first: self,
  second: that
}), patch8 = (self, supervisor) => patchLoop(supervisor, of2(self)), patchLoop = (_supervisor, _patches) => {
  let supervisor = _supervisor, patches = _patches;
  for (; isNonEmpty(patches); ) {
    let head5 = headNonEmpty2(patches);
    switch (head5._tag) {
      case OP_EMPTY3: {
        patches = tailNonEmpty2(patches);
        break;
      }
      case OP_ADD_SUPERVISOR: {
        supervisor = supervisor.zip(head5.supervisor), patches = tailNonEmpty2(patches);
        break;
      }
      case OP_REMOVE_SUPERVISOR: {
        supervisor = removeSupervisor(supervisor, head5.supervisor), patches = tailNonEmpty2(patches);
        break;
      }
      case OP_AND_THEN2: {
        patches = prepend2(head5.first)(prepend2(head5.second)(tailNonEmpty2(patches)));
        break;
      }
    }
  }
  return supervisor;
}, removeSupervisor = (self, that) => equals(self, that) ? none7 : isZip(self) ? removeSupervisor(self.left, that).zip(removeSupervisor(self.right, that)) : self, toSet2 = (self) => equals(self, none7) ? empty9() : isZip(self) ? pipe(toSet2(self.left), union3(toSet2(self.right))) : make11(self), diff7 = (oldValue, newValue) => {
  if (equals(oldValue, newValue))
    return empty25;
  let oldSupervisors = toSet2(oldValue), newSupervisors = toSet2(newValue), added = pipe(newSupervisors, difference3(oldSupervisors), reduce5(empty25, (patch9, supervisor) => combine8(patch9, {
    _tag: OP_ADD_SUPERVISOR,
    supervisor
  }))), removed = pipe(oldSupervisors, difference3(newSupervisors), reduce5(empty25, (patch9, supervisor) => combine8(patch9, {
    _tag: OP_REMOVE_SUPERVISOR,
    supervisor
  })));
  return combine8(added, removed);
}, differ2 = /* @__PURE__ */ make32({
  empty: empty25,
  patch: patch8,
  combine: combine8,
  diff: diff7
});

// node_modules/effect/dist/esm/internal/fiberRuntime.js
var fiberStarted = /* @__PURE__ */ counter5("effect_fiber_started", {
  incremental: !0
}), fiberActive = /* @__PURE__ */ counter5("effect_fiber_active"), fiberSuccesses = /* @__PURE__ */ counter5("effect_fiber_successes", {
  incremental: !0
}), fiberFailures = /* @__PURE__ */ counter5("effect_fiber_failures", {
  incremental: !0
}), fiberLifetimes = /* @__PURE__ */ tagged(/* @__PURE__ */ histogram5("effect_fiber_lifetimes", /* @__PURE__ */ exponential({
  start: 0.5,
  factor: 2,
  count: 35
})), "time_unit", "milliseconds"), EvaluationSignalContinue = "Continue", EvaluationSignalDone = "Done", EvaluationSignalYieldNow = "Yield", runtimeFiberVariance = {
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _A: (_) => _
}, absurd = (_) => {
  throw new Error(`BUG: FiberRuntime - ${toStringUnknown(_)} - please report an issue at https://github.com/Effect-TS/effect/issues`);
}, YieldedOp = /* @__PURE__ */ Symbol.for("effect/internal/fiberRuntime/YieldedOp"), yieldedOpChannel = /* @__PURE__ */ globalValue("effect/internal/fiberRuntime/yieldedOpChannel", () => ({
  currentOp: null
})), contOpSuccess = {
  [OP_ON_SUCCESS]: (_, cont, value) => internalCall(() => cont.effect_instruction_i1(value)),
  OnStep: (_, _cont, value) => exitSucceed(exitSucceed(value)),
  [OP_ON_SUCCESS_AND_FAILURE]: (_, cont, value) => internalCall(() => cont.effect_instruction_i2(value)),
  [OP_REVERT_FLAGS]: (self, cont, value) => (self.patchRuntimeFlags(self.currentRuntimeFlags, cont.patch), interruptible(self.currentRuntimeFlags) && self.isInterrupted() ? exitFailCause(self.getInterruptedCause()) : exitSucceed(value)),
  [OP_WHILE]: (self, cont, value) => (internalCall(() => cont.effect_instruction_i2(value)), internalCall(() => cont.effect_instruction_i0()) ? (self.pushStack(cont), internalCall(() => cont.effect_instruction_i1())) : void_),
  [OP_ITERATOR]: (self, cont, value) => {
    for (; ; ) {
      let state = internalCall(() => cont.effect_instruction_i0.next(value));
      if (state.done)
        return exitSucceed(state.value);
      let primitive = yieldWrapGet(state.value);
      if (exitIsExit(primitive)) {
        if (primitive._tag === "Failure")
          return primitive;
      } else return self.pushStack(cont), primitive;
      value = primitive.value;
    }
  }
}, drainQueueWhileRunningTable = {
  [OP_INTERRUPT_SIGNAL]: (self, runtimeFlags2, cur, message) => (self.processNewInterruptSignal(message.cause), interruptible(runtimeFlags2) ? exitFailCause(message.cause) : cur),
  [OP_RESUME]: (_self, _runtimeFlags, _cur, _message) => {
    throw new Error("It is illegal to have multiple concurrent run loops in a single fiber");
  },
  [OP_STATEFUL]: (self, runtimeFlags2, cur, message) => (message.onFiber(self, running2(runtimeFlags2)), cur),
  [OP_YIELD_NOW]: (_self, _runtimeFlags, cur, _message) => flatMap8(yieldNow(), () => cur)
}, runBlockedRequests = (self) => forEachSequentialDiscard(flatten2(self), (requestsByRequestResolver) => forEachConcurrentDiscard(sequentialCollectionToChunk(requestsByRequestResolver), ([dataSource, sequential5]) => {
  let map18 = /* @__PURE__ */ new Map(), arr = [];
  for (let block of sequential5) {
    arr.push(toReadonlyArray(block));
    for (let entry of block)
      map18.set(entry.request, entry);
  }
  let flat = arr.flat();
  return fiberRefLocally(invokeWithInterrupt(dataSource.runAll(arr), flat, () => flat.forEach((entry) => {
    entry.listeners.interrupted = !0;
  })), currentRequestMap, map18);
}, !1, !1)), _version = /* @__PURE__ */ getCurrentVersion(), FiberRuntime = class extends Class {
  [FiberTypeId] = fiberVariance2;
  [RuntimeFiberTypeId] = runtimeFiberVariance;
  _fiberRefs;
  _fiberId;
  _queue = /* @__PURE__ */ new Array();
  _children = null;
  _observers = /* @__PURE__ */ new Array();
  _running = !1;
  _stack = [];
  _asyncInterruptor = null;
  _asyncBlockingOn = null;
  _exitValue = null;
  _steps = [];
  _isYielding = !1;
  currentRuntimeFlags;
  currentOpCount = 0;
  currentSupervisor;
  currentScheduler;
  currentTracer;
  currentSpan;
  currentContext;
  currentDefaultServices;
  constructor(fiberId3, fiberRefs0, runtimeFlags0) {
    if (super(), this.currentRuntimeFlags = runtimeFlags0, this._fiberId = fiberId3, this._fiberRefs = fiberRefs0, runtimeMetrics(runtimeFlags0)) {
      let tags = this.getFiberRef(currentMetricLabels);
      fiberStarted.unsafeUpdate(1, tags), fiberActive.unsafeUpdate(1, tags);
    }
    this.refreshRefCache();
  }
  commit() {
    return join2(this);
  }
  /**
   * The identity of the fiber.
   */
  id() {
    return this._fiberId;
  }
  /**
   * Begins execution of the effect associated with this fiber on in the
   * background. This can be called to "kick off" execution of a fiber after
   * it has been created.
   */
  resume(effect) {
    this.tell(resume(effect));
  }
  /**
   * The status of the fiber.
   */
  get status() {
    return this.ask((_, status2) => status2);
  }
  /**
   * Gets the fiber runtime flags.
   */
  get runtimeFlags() {
    return this.ask((state, status2) => isDone2(status2) ? state.currentRuntimeFlags : status2.runtimeFlags);
  }
  /**
   * Returns the current `FiberScope` for the fiber.
   */
  scope() {
    return unsafeMake6(this);
  }
  /**
   * Retrieves the immediate children of the fiber.
   */
  get children() {
    return this.ask((fiber) => Array.from(fiber.getChildren()));
  }
  /**
   * Gets the fiber's set of children.
   */
  getChildren() {
    return this._children === null && (this._children = /* @__PURE__ */ new Set()), this._children;
  }
  /**
   * Retrieves the interrupted cause of the fiber, which will be `Cause.empty`
   * if the fiber has not been interrupted.
   *
   * **NOTE**: This method is safe to invoke on any fiber, but if not invoked
   * on this fiber, then values derived from the fiber's state (including the
   * log annotations and log level) may not be up-to-date.
   */
  getInterruptedCause() {
    return this.getFiberRef(currentInterruptedCause);
  }
  /**
   * Retrieves the whole set of fiber refs.
   */
  fiberRefs() {
    return this.ask((fiber) => fiber.getFiberRefs());
  }
  /**
   * Returns an effect that will contain information computed from the fiber
   * state and status while running on the fiber.
   *
   * This allows the outside world to interact safely with mutable fiber state
   * without locks or immutable data.
   */
  ask(f) {
    return suspend(() => {
      let deferred = deferredUnsafeMake(this._fiberId);
      return this.tell(stateful((fiber, status2) => {
        deferredUnsafeDone(deferred, sync(() => f(fiber, status2)));
      })), deferredAwait(deferred);
    });
  }
  /**
   * Adds a message to be processed by the fiber on the fiber.
   */
  tell(message) {
    this._queue.push(message), this._running || (this._running = !0, this.drainQueueLaterOnExecutor());
  }
  get await() {
    return async_((resume2) => {
      let cb = (exit4) => resume2(succeed(exit4));
      if (this._exitValue !== null) {
        cb(this._exitValue);
        return;
      }
      return this.tell(stateful((fiber, _) => {
        fiber._exitValue !== null ? cb(this._exitValue) : fiber.addObserver(cb);
      })), sync(() => this.tell(stateful((fiber, _) => {
        fiber.removeObserver(cb);
      })));
    }, this.id());
  }
  get inheritAll() {
    return withFiberRuntime((parentFiber, parentStatus) => {
      let parentFiberId = parentFiber.id(), parentFiberRefs = parentFiber.getFiberRefs(), parentRuntimeFlags = parentStatus.runtimeFlags, childFiberRefs = this.getFiberRefs(), updatedFiberRefs = joinAs(parentFiberRefs, parentFiberId, childFiberRefs);
      parentFiber.setFiberRefs(updatedFiberRefs);
      let updatedRuntimeFlags = parentFiber.getFiberRef(currentRuntimeFlags), patch9 = pipe(
        diff4(parentRuntimeFlags, updatedRuntimeFlags),
        // Do not inherit WindDown or Interruption!
        exclude2(Interruption),
        exclude2(WindDown)
      );
      return updateRuntimeFlags(patch9);
    });
  }
  /**
   * Tentatively observes the fiber, but returns immediately if it is not
   * already done.
   */
  get poll() {
    return sync(() => fromNullable(this._exitValue));
  }
  /**
   * Unsafely observes the fiber, but returns immediately if it is not
   * already done.
   */
  unsafePoll() {
    return this._exitValue;
  }
  /**
   * In the background, interrupts the fiber as if interrupted from the specified fiber.
   */
  interruptAsFork(fiberId3) {
    return sync(() => this.tell(interruptSignal(interrupt(fiberId3))));
  }
  /**
   * In the background, interrupts the fiber as if interrupted from the specified fiber.
   */
  unsafeInterruptAsFork(fiberId3) {
    this.tell(interruptSignal(interrupt(fiberId3)));
  }
  /**
   * Adds an observer to the list of observers.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  addObserver(observer) {
    this._exitValue !== null ? observer(this._exitValue) : this._observers.push(observer);
  }
  /**
   * Removes the specified observer from the list of observers that will be
   * notified when the fiber exits.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  removeObserver(observer) {
    this._observers = this._observers.filter((o) => o !== observer);
  }
  /**
   * Retrieves all fiber refs of the fiber.
   *
   * **NOTE**: This method is safe to invoke on any fiber, but if not invoked
   * on this fiber, then values derived from the fiber's state (including the
   * log annotations and log level) may not be up-to-date.
   */
  getFiberRefs() {
    return this.setFiberRef(currentRuntimeFlags, this.currentRuntimeFlags), this._fiberRefs;
  }
  /**
   * Deletes the specified fiber ref.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  unsafeDeleteFiberRef(fiberRef) {
    this._fiberRefs = delete_(this._fiberRefs, fiberRef);
  }
  /**
   * Retrieves the state of the fiber ref, or else its initial value.
   *
   * **NOTE**: This method is safe to invoke on any fiber, but if not invoked
   * on this fiber, then values derived from the fiber's state (including the
   * log annotations and log level) may not be up-to-date.
   */
  getFiberRef(fiberRef) {
    return this._fiberRefs.locals.has(fiberRef) ? this._fiberRefs.locals.get(fiberRef)[0][1] : fiberRef.initial;
  }
  /**
   * Sets the fiber ref to the specified value.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  setFiberRef(fiberRef, value) {
    this._fiberRefs = updateAs(this._fiberRefs, {
      fiberId: this._fiberId,
      fiberRef,
      value
    }), this.refreshRefCache();
  }
  refreshRefCache() {
    this.currentDefaultServices = this.getFiberRef(currentServices), this.currentTracer = this.currentDefaultServices.unsafeMap.get(tracerTag.key), this.currentSupervisor = this.getFiberRef(currentSupervisor), this.currentScheduler = this.getFiberRef(currentScheduler), this.currentContext = this.getFiberRef(currentContext), this.currentSpan = this.currentContext.unsafeMap.get(spanTag.key);
  }
  /**
   * Wholesale replaces all fiber refs of this fiber.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  setFiberRefs(fiberRefs3) {
    this._fiberRefs = fiberRefs3, this.refreshRefCache();
  }
  /**
   * Adds a reference to the specified fiber inside the children set.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  addChild(child) {
    this.getChildren().add(child);
  }
  /**
   * Removes a reference to the specified fiber inside the children set.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  removeChild(child) {
    this.getChildren().delete(child);
  }
  /**
   * Transfers all children of this fiber that are currently running to the
   * specified fiber scope.
   *
   * **NOTE**: This method must be invoked by the fiber itself after it has
   * evaluated the effects but prior to exiting.
   */
  transferChildren(scope3) {
    let children2 = this._children;
    if (this._children = null, children2 !== null && children2.size > 0)
      for (let child of children2)
        child._exitValue === null && scope3.add(this.currentRuntimeFlags, child);
  }
  /**
   * On the current thread, executes all messages in the fiber's inbox. This
   * method may return before all work is done, in the event the fiber executes
   * an asynchronous operation.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  drainQueueOnCurrentThread() {
    let recurse = !0;
    for (; recurse; ) {
      let evaluationSignal = EvaluationSignalContinue, prev = globalThis[currentFiberURI];
      globalThis[currentFiberURI] = this;
      try {
        for (; evaluationSignal === EvaluationSignalContinue; )
          evaluationSignal = this._queue.length === 0 ? EvaluationSignalDone : this.evaluateMessageWhileSuspended(this._queue.splice(0, 1)[0]);
      } finally {
        this._running = !1, globalThis[currentFiberURI] = prev;
      }
      this._queue.length > 0 && !this._running ? (this._running = !0, evaluationSignal === EvaluationSignalYieldNow ? (this.drainQueueLaterOnExecutor(), recurse = !1) : recurse = !0) : recurse = !1;
    }
  }
  /**
   * Schedules the execution of all messages in the fiber's inbox.
   *
   * This method will return immediately after the scheduling
   * operation is completed, but potentially before such messages have been
   * executed.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  drainQueueLaterOnExecutor() {
    this.currentScheduler.scheduleTask(this.run, this.getFiberRef(currentSchedulingPriority), this);
  }
  /**
   * Drains the fiber's message queue while the fiber is actively running,
   * returning the next effect to execute, which may be the input effect if no
   * additional effect needs to be executed.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  drainQueueWhileRunning(runtimeFlags2, cur0) {
    let cur = cur0;
    for (; this._queue.length > 0; ) {
      let message = this._queue.splice(0, 1)[0];
      cur = drainQueueWhileRunningTable[message._tag](this, runtimeFlags2, cur, message);
    }
    return cur;
  }
  /**
   * Determines if the fiber is interrupted.
   *
   * **NOTE**: This method is safe to invoke on any fiber, but if not invoked
   * on this fiber, then values derived from the fiber's state (including the
   * log annotations and log level) may not be up-to-date.
   */
  isInterrupted() {
    return !isEmpty5(this.getFiberRef(currentInterruptedCause));
  }
  /**
   * Adds an interruptor to the set of interruptors that are interrupting this
   * fiber.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  addInterruptedCause(cause2) {
    let oldSC = this.getFiberRef(currentInterruptedCause);
    this.setFiberRef(currentInterruptedCause, sequential(oldSC, cause2));
  }
  /**
   * Processes a new incoming interrupt signal.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  processNewInterruptSignal(cause2) {
    this.addInterruptedCause(cause2), this.sendInterruptSignalToAllChildren();
  }
  /**
   * Interrupts all children of the current fiber, returning an effect that will
   * await the exit of the children. This method will return null if the fiber
   * has no children.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  sendInterruptSignalToAllChildren() {
    if (this._children === null || this._children.size === 0)
      return !1;
    let told = !1;
    for (let child of this._children)
      child.tell(interruptSignal(interrupt(this.id()))), told = !0;
    return told;
  }
  /**
   * Interrupts all children of the current fiber, returning an effect that will
   * await the exit of the children. This method will return null if the fiber
   * has no children.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  interruptAllChildren() {
    if (this.sendInterruptSignalToAllChildren()) {
      let it = this._children.values();
      this._children = null;
      let isDone5 = !1;
      return whileLoop({
        while: () => !isDone5,
        body: () => {
          let next3 = it.next();
          return next3.done ? sync(() => {
            isDone5 = !0;
          }) : asVoid(next3.value.await);
        },
        step: () => {
        }
      });
    }
    return null;
  }
  reportExitValue(exit4) {
    if (runtimeMetrics(this.currentRuntimeFlags)) {
      let tags = this.getFiberRef(currentMetricLabels), startTimeMillis = this.id().startTimeMillis, endTimeMillis = Date.now();
      switch (fiberLifetimes.unsafeUpdate(endTimeMillis - startTimeMillis, tags), fiberActive.unsafeUpdate(-1, tags), exit4._tag) {
        case OP_SUCCESS: {
          fiberSuccesses.unsafeUpdate(1, tags);
          break;
        }
        case OP_FAILURE: {
          fiberFailures.unsafeUpdate(1, tags);
          break;
        }
      }
    }
    if (exit4._tag === "Failure") {
      let level = this.getFiberRef(currentUnhandledErrorLogLevel);
      !isInterruptedOnly(exit4.cause) && level._tag === "Some" && this.log("Fiber terminated with an unhandled error", exit4.cause, level);
    }
  }
  setExitValue(exit4) {
    this._exitValue = exit4, this.reportExitValue(exit4);
    for (let i = this._observers.length - 1; i >= 0; i--)
      this._observers[i](exit4);
    this._observers = [];
  }
  getLoggers() {
    return this.getFiberRef(currentLoggers);
  }
  log(message, cause2, overrideLogLevel) {
    let logLevel = isSome(overrideLogLevel) ? overrideLogLevel.value : this.getFiberRef(currentLogLevel), minimumLogLevel = this.getFiberRef(currentMinimumLogLevel);
    if (greaterThan3(minimumLogLevel, logLevel))
      return;
    let spans = this.getFiberRef(currentLogSpan), annotations = this.getFiberRef(currentLogAnnotations), loggers = this.getLoggers(), contextMap = this.getFiberRefs();
    if (size3(loggers) > 0) {
      let clockService = get2(this.getFiberRef(currentServices), clockTag), date = new Date(clockService.unsafeCurrentTimeMillis());
      withRedactableContext(contextMap, () => {
        for (let logger of loggers)
          logger.log({
            fiberId: this.id(),
            logLevel,
            message,
            cause: cause2,
            context: contextMap,
            spans,
            annotations,
            date
          });
      });
    }
  }
  /**
   * Evaluates a single message on the current thread, while the fiber is
   * suspended. This method should only be called while evaluation of the
   * fiber's effect is suspended due to an asynchronous operation.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  evaluateMessageWhileSuspended(message) {
    switch (message._tag) {
      case OP_YIELD_NOW:
        return EvaluationSignalYieldNow;
      case OP_INTERRUPT_SIGNAL:
        return this.processNewInterruptSignal(message.cause), this._asyncInterruptor !== null && (this._asyncInterruptor(exitFailCause(message.cause)), this._asyncInterruptor = null), EvaluationSignalContinue;
      case OP_RESUME:
        return this._asyncInterruptor = null, this._asyncBlockingOn = null, this.evaluateEffect(message.effect), EvaluationSignalContinue;
      case OP_STATEFUL:
        return message.onFiber(this, this._exitValue !== null ? done3 : suspended2(this.currentRuntimeFlags, this._asyncBlockingOn)), EvaluationSignalContinue;
      default:
        return absurd(message);
    }
  }
  /**
   * Evaluates an effect until completion, potentially asynchronously.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  evaluateEffect(effect0) {
    this.currentSupervisor.onResume(this);
    try {
      let effect = interruptible(this.currentRuntimeFlags) && this.isInterrupted() ? exitFailCause(this.getInterruptedCause()) : effect0;
      for (; effect !== null; ) {
        let eff = effect, exit4 = this.runLoop(eff);
        if (exit4 === YieldedOp) {
          let op = yieldedOpChannel.currentOp;
          yieldedOpChannel.currentOp = null, op._op === OP_YIELD ? cooperativeYielding(this.currentRuntimeFlags) ? (this.tell(yieldNow3()), this.tell(resume(exitVoid)), effect = null) : effect = exitVoid : op._op === OP_ASYNC && (effect = null);
        } else {
          this.currentRuntimeFlags = pipe(this.currentRuntimeFlags, enable2(WindDown));
          let interruption2 = this.interruptAllChildren();
          interruption2 !== null ? effect = flatMap8(interruption2, () => exit4) : (this._queue.length === 0 ? this.setExitValue(exit4) : this.tell(resume(exit4)), effect = null);
        }
      }
    } finally {
      this.currentSupervisor.onSuspend(this);
    }
  }
  /**
   * Begins execution of the effect associated with this fiber on the current
   * thread. This can be called to "kick off" execution of a fiber after it has
   * been created, in hopes that the effect can be executed synchronously.
   *
   * This is not the normal way of starting a fiber, but it is useful when the
   * express goal of executing the fiber is to synchronously produce its exit.
   */
  start(effect) {
    if (this._running)
      this.tell(resume(effect));
    else {
      this._running = !0;
      let prev = globalThis[currentFiberURI];
      globalThis[currentFiberURI] = this;
      try {
        this.evaluateEffect(effect);
      } finally {
        this._running = !1, globalThis[currentFiberURI] = prev, this._queue.length > 0 && this.drainQueueLaterOnExecutor();
      }
    }
  }
  /**
   * Begins execution of the effect associated with this fiber on in the
   * background, and on the correct thread pool. This can be called to "kick
   * off" execution of a fiber after it has been created, in hopes that the
   * effect can be executed synchronously.
   */
  startFork(effect) {
    this.tell(resume(effect));
  }
  /**
   * Takes the current runtime flags, patches them to return the new runtime
   * flags, and then makes any changes necessary to fiber state based on the
   * specified patch.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  patchRuntimeFlags(oldRuntimeFlags, patch9) {
    let newRuntimeFlags = patch4(oldRuntimeFlags, patch9);
    return globalThis[currentFiberURI] = this, this.currentRuntimeFlags = newRuntimeFlags, newRuntimeFlags;
  }
  /**
   * Initiates an asynchronous operation, by building a callback that will
   * resume execution, and then feeding that callback to the registration
   * function, handling error cases and repeated resumptions appropriately.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  initiateAsync(runtimeFlags2, asyncRegister) {
    let alreadyCalled = !1, callback = (effect) => {
      alreadyCalled || (alreadyCalled = !0, this.tell(resume(effect)));
    };
    interruptible(runtimeFlags2) && (this._asyncInterruptor = callback);
    try {
      asyncRegister(callback);
    } catch (e) {
      callback(failCause(die(e)));
    }
  }
  pushStack(cont) {
    this._stack.push(cont), cont._op === "OnStep" && this._steps.push({
      refs: this.getFiberRefs(),
      flags: this.currentRuntimeFlags
    });
  }
  popStack() {
    let item = this._stack.pop();
    if (item)
      return item._op === "OnStep" && this._steps.pop(), item;
  }
  getNextSuccessCont() {
    let frame = this.popStack();
    for (; frame; ) {
      if (frame._op !== OP_ON_FAILURE)
        return frame;
      frame = this.popStack();
    }
  }
  getNextFailCont() {
    let frame = this.popStack();
    for (; frame; ) {
      if (frame._op !== OP_ON_SUCCESS && frame._op !== OP_WHILE && frame._op !== OP_ITERATOR)
        return frame;
      frame = this.popStack();
    }
  }
  Tag(op) {
    return sync(() => unsafeGet2(this.currentContext, op));
  }
  Left(op) {
    return fail2(op.left);
  }
  None(_) {
    return fail2(new NoSuchElementException());
  }
  Right(op) {
    return exitSucceed(op.right);
  }
  Some(op) {
    return exitSucceed(op.value);
  }
  Micro(op) {
    return unsafeAsync((microResume) => {
      let resume2 = microResume, fiber = runFork(provideContext2(op, this.currentContext));
      return fiber.addObserver((exit4) => {
        if (exit4._tag === "Success")
          return resume2(exitSucceed(exit4.value));
        switch (exit4.cause._tag) {
          case "Interrupt":
            return resume2(exitFailCause(interrupt(none4)));
          case "Fail":
            return resume2(fail2(exit4.cause.error));
          case "Die":
            return resume2(die2(exit4.cause.defect));
        }
      }), unsafeAsync((abortResume) => {
        resume2 = (_) => {
          abortResume(void_);
        }, fiber.unsafeInterrupt();
      });
    });
  }
  [OP_SYNC](op) {
    let value = internalCall(() => op.effect_instruction_i0()), cont = this.getNextSuccessCont();
    return cont !== void 0 ? (cont._op in contOpSuccess || absurd(cont), contOpSuccess[cont._op](this, cont, value)) : (yieldedOpChannel.currentOp = exitSucceed(value), YieldedOp);
  }
  [OP_SUCCESS](op) {
    let oldCur = op, cont = this.getNextSuccessCont();
    return cont !== void 0 ? (cont._op in contOpSuccess || absurd(cont), contOpSuccess[cont._op](this, cont, oldCur.effect_instruction_i0)) : (yieldedOpChannel.currentOp = oldCur, YieldedOp);
  }
  [OP_FAILURE](op) {
    let cause2 = op.effect_instruction_i0, cont = this.getNextFailCont();
    if (cont !== void 0)
      switch (cont._op) {
        case OP_ON_FAILURE:
        case OP_ON_SUCCESS_AND_FAILURE:
          return interruptible(this.currentRuntimeFlags) && this.isInterrupted() ? exitFailCause(stripFailures(cause2)) : internalCall(() => cont.effect_instruction_i1(cause2));
        case "OnStep":
          return interruptible(this.currentRuntimeFlags) && this.isInterrupted() ? exitFailCause(stripFailures(cause2)) : exitSucceed(exitFailCause(cause2));
        case OP_REVERT_FLAGS:
          return this.patchRuntimeFlags(this.currentRuntimeFlags, cont.patch), interruptible(this.currentRuntimeFlags) && this.isInterrupted() ? exitFailCause(sequential(cause2, this.getInterruptedCause())) : exitFailCause(cause2);
        default:
          absurd(cont);
      }
    else
      return yieldedOpChannel.currentOp = exitFailCause(cause2), YieldedOp;
  }
  [OP_WITH_RUNTIME](op) {
    return internalCall(() => op.effect_instruction_i0(this, running2(this.currentRuntimeFlags)));
  }
  Blocked(op) {
    let refs = this.getFiberRefs(), flags = this.currentRuntimeFlags;
    if (this._steps.length > 0) {
      let frames = [], snap = this._steps[this._steps.length - 1], frame = this.popStack();
      for (; frame && frame._op !== "OnStep"; )
        frames.push(frame), frame = this.popStack();
      this.setFiberRefs(snap.refs), this.currentRuntimeFlags = snap.flags;
      let patchRefs = diff6(snap.refs, refs), patchFlags = diff4(snap.flags, flags);
      return exitSucceed(blocked(op.effect_instruction_i0, withFiberRuntime((newFiber) => {
        for (; frames.length > 0; )
          newFiber.pushStack(frames.pop());
        return newFiber.setFiberRefs(patch7(newFiber.id(), newFiber.getFiberRefs())(patchRefs)), newFiber.currentRuntimeFlags = patch4(patchFlags)(newFiber.currentRuntimeFlags), op.effect_instruction_i1;
      })));
    }
    return uninterruptibleMask((restore) => flatMap8(forkDaemon(runRequestBlock(op.effect_instruction_i0)), () => restore(op.effect_instruction_i1)));
  }
  RunBlocked(op) {
    return runBlockedRequests(op.effect_instruction_i0);
  }
  [OP_UPDATE_RUNTIME_FLAGS](op) {
    let updateFlags = op.effect_instruction_i0, oldRuntimeFlags = this.currentRuntimeFlags, newRuntimeFlags = patch4(oldRuntimeFlags, updateFlags);
    if (interruptible(newRuntimeFlags) && this.isInterrupted())
      return exitFailCause(this.getInterruptedCause());
    if (this.patchRuntimeFlags(this.currentRuntimeFlags, updateFlags), op.effect_instruction_i1) {
      let revertFlags = diff4(newRuntimeFlags, oldRuntimeFlags);
      return this.pushStack(new RevertFlags(revertFlags, op)), internalCall(() => op.effect_instruction_i1(oldRuntimeFlags));
    } else
      return exitVoid;
  }
  [OP_ON_SUCCESS](op) {
    return this.pushStack(op), op.effect_instruction_i0;
  }
  OnStep(op) {
    return this.pushStack(op), op.effect_instruction_i0;
  }
  [OP_ON_FAILURE](op) {
    return this.pushStack(op), op.effect_instruction_i0;
  }
  [OP_ON_SUCCESS_AND_FAILURE](op) {
    return this.pushStack(op), op.effect_instruction_i0;
  }
  [OP_ASYNC](op) {
    return this._asyncBlockingOn = op.effect_instruction_i1, this.initiateAsync(this.currentRuntimeFlags, op.effect_instruction_i0), yieldedOpChannel.currentOp = op, YieldedOp;
  }
  [OP_YIELD](op) {
    return this._isYielding = !1, yieldedOpChannel.currentOp = op, YieldedOp;
  }
  [OP_WHILE](op) {
    let check2 = op.effect_instruction_i0, body = op.effect_instruction_i1;
    return check2() ? (this.pushStack(op), body()) : exitVoid;
  }
  [OP_ITERATOR](op) {
    return contOpSuccess[OP_ITERATOR](this, op, void 0);
  }
  [OP_COMMIT](op) {
    return internalCall(() => op.commit());
  }
  /**
   * The main run-loop for evaluating effects.
   *
   * **NOTE**: This method must be invoked by the fiber itself.
   */
  runLoop(effect0) {
    let cur = effect0;
    for (this.currentOpCount = 0; ; ) {
      if ((this.currentRuntimeFlags & OpSupervision) !== 0 && this.currentSupervisor.onEffect(this, cur), this._queue.length > 0 && (cur = this.drainQueueWhileRunning(this.currentRuntimeFlags, cur)), !this._isYielding) {
        this.currentOpCount += 1;
        let shouldYield = this.currentScheduler.shouldYield(this);
        if (shouldYield !== !1) {
          this._isYielding = !0, this.currentOpCount = 0;
          let oldCur = cur;
          cur = flatMap8(yieldNow({
            priority: shouldYield
          }), () => oldCur);
        }
      }
      try {
        if (cur = this.currentTracer.context(() => {
          if (_version !== cur[EffectTypeId]._V) {
            let level = this.getFiberRef(currentVersionMismatchErrorLogLevel);
            if (level._tag === "Some") {
              let effectVersion = cur[EffectTypeId]._V;
              this.log(`Executing an Effect versioned ${effectVersion} with a Runtime of version ${getCurrentVersion()}, you may want to dedupe the effect dependencies, you can use the language service plugin to detect this at compile time: https://github.com/Effect-TS/language-service`, empty16, level);
            }
          }
          return this[cur._op](cur);
        }, this), cur === YieldedOp) {
          let op = yieldedOpChannel.currentOp;
          return op._op === OP_YIELD || op._op === OP_ASYNC ? YieldedOp : (yieldedOpChannel.currentOp = null, op._op === OP_SUCCESS || op._op === OP_FAILURE ? op : exitFailCause(die(op)));
        }
      } catch (e) {
        cur !== YieldedOp && !hasProperty(cur, "_op") || !(cur._op in this) ? cur = dieMessage(`Not a valid effect: ${toStringUnknown(cur)}`) : isInterruptedException(e) ? cur = exitFailCause(sequential(die(e), interrupt(none4))) : cur = die2(e);
      }
    }
  }
  run = () => {
    this.drainQueueOnCurrentThread();
  };
}, currentMinimumLogLevel = /* @__PURE__ */ globalValue("effect/FiberRef/currentMinimumLogLevel", () => fiberRefUnsafeMake(fromLiteral("Info"))), loggerWithConsoleLog = (self) => makeLogger((opts) => {
  let services = getOrDefault2(opts.context, currentServices);
  get2(services, consoleTag).unsafe.log(self.log(opts));
});
var defaultLogger = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Logger/defaultLogger"), () => loggerWithConsoleLog(stringLogger));
var tracerLogger = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/Logger/tracerLogger"), () => makeLogger(({
  annotations,
  cause: cause2,
  context: context4,
  fiberId: fiberId3,
  logLevel,
  message
}) => {
  let span2 = filterDisablePropagation(getOption2(getOrDefault(context4, currentContext), spanTag));
  if (span2._tag === "None" || span2.value._tag === "ExternalSpan")
    return;
  let clockService = unsafeGet2(getOrDefault(context4, currentServices), clockTag), attributes = {};
  for (let [key, value] of annotations)
    attributes[key] = value;
  attributes["effect.fiberId"] = threadName2(fiberId3), attributes["effect.logLevel"] = logLevel.label, cause2 !== null && cause2._tag !== "Empty" && (attributes["effect.cause"] = pretty(cause2, {
    renderErrorCause: !0
  })), span2.value.event(toStringUnknown(Array.isArray(message) && message.length === 1 ? message[0] : message), clockService.unsafeCurrentTimeNanos(), attributes);
}));
var currentLoggers = /* @__PURE__ */ globalValue(/* @__PURE__ */ Symbol.for("effect/FiberRef/currentLoggers"), () => fiberRefUnsafeMakeHashSet(make11(defaultLogger, tracerLogger)));
var acquireRelease = /* @__PURE__ */ dual((args2) => isEffect(args2[0]), (acquire, release) => uninterruptible(tap(acquire, (a) => addFinalizer((exit4) => release(a, exit4)))));
var addFinalizer = (finalizer) => withFiberRuntime((runtime5) => {
  let acquireRefs = runtime5.getFiberRefs(), acquireFlags = disable2(runtime5.currentRuntimeFlags, Interruption);
  return flatMap8(scope, (scope3) => scopeAddFinalizerExit(scope3, (exit4) => withFiberRuntime((runtimeFinalizer) => {
    let preRefs = runtimeFinalizer.getFiberRefs(), preFlags = runtimeFinalizer.currentRuntimeFlags, interruptedCause = runtimeFinalizer.getFiberRef(currentInterruptedCause), patchRefs = diff6(preRefs, acquireRefs), patchFlags = diff4(preFlags, acquireFlags), inverseRefs = diff6(acquireRefs, preRefs);
    return runtimeFinalizer.setFiberRefs(patch7(patchRefs, runtimeFinalizer.id(), acquireRefs)), runtimeFinalizer.setFiberRef(currentInterruptedCause, interruptedCause), ensuring(withRuntimeFlags(finalizer(exit4), patchFlags), sync(() => {
      runtimeFinalizer.setFiberRefs(patch7(inverseRefs, runtimeFinalizer.id(), runtimeFinalizer.getFiberRefs()));
    }));
  })));
});
var filter7 = /* @__PURE__ */ dual((args2) => isIterable(args2[0]) && !isEffect(args2[0]), (elements, predicate, options) => {
  let predicate_ = options?.negate ? (a, i) => map11(predicate(a, i), not) : predicate;
  return matchSimple(options?.concurrency, () => suspend(() => fromIterable(elements).reduceRight((effect, a, i) => zipWith2(effect, suspend(() => predicate_(a, i)), (list, b) => b ? [a, ...list] : list), sync(() => new Array()))), () => map11(forEach8(elements, (a, i) => map11(predicate_(a, i), (b) => b ? some2(a) : none2()), options), getSomes));
}), allResolveInput = (input) => {
  if (Array.isArray(input) || isIterable(input))
    return [input, none2()];
  let keys6 = Object.keys(input), size10 = keys6.length;
  return [keys6.map((k) => input[k]), some2((values3) => {
    let res = {};
    for (let i = 0; i < size10; i++)
      res[keys6[i]] = values3[i];
    return res;
  })];
}, allValidate = (effects, reconcile, options) => {
  let eitherEffects = [];
  for (let effect of effects)
    eitherEffects.push(either2(effect));
  return flatMap8(forEach8(eitherEffects, identity, {
    concurrency: options?.concurrency,
    batching: options?.batching,
    concurrentFinalizers: options?.concurrentFinalizers
  }), (eithers) => {
    let none9 = none2(), size10 = eithers.length, errors = new Array(size10), successes = new Array(size10), errored = !1;
    for (let i = 0; i < size10; i++) {
      let either4 = eithers[i];
      either4._tag === "Left" ? (errors[i] = some2(either4.left), errored = !0) : (successes[i] = either4.right, errors[i] = none9);
    }
    return errored ? reconcile._tag === "Some" ? fail2(reconcile.value(errors)) : fail2(errors) : options?.discard ? void_ : reconcile._tag === "Some" ? succeed(reconcile.value(successes)) : succeed(successes);
  });
}, allEither = (effects, reconcile, options) => {
  let eitherEffects = [];
  for (let effect of effects)
    eitherEffects.push(either2(effect));
  return options?.discard ? forEach8(eitherEffects, identity, {
    concurrency: options?.concurrency,
    batching: options?.batching,
    discard: !0,
    concurrentFinalizers: options?.concurrentFinalizers
  }) : map11(forEach8(eitherEffects, identity, {
    concurrency: options?.concurrency,
    batching: options?.batching,
    concurrentFinalizers: options?.concurrentFinalizers
  }), (eithers) => reconcile._tag === "Some" ? reconcile.value(eithers) : eithers);
}, all3 = (arg, options) => {
  let [effects, reconcile] = allResolveInput(arg);
  return options?.mode === "validate" ? allValidate(effects, reconcile, options) : options?.mode === "either" ? allEither(effects, reconcile, options) : options?.discard !== !0 && reconcile._tag === "Some" ? map11(forEach8(effects, identity, options), reconcile.value) : forEach8(effects, identity, options);
};
var replicate = /* @__PURE__ */ dual(2, (self, n) => Array.from({
  length: n
}, () => self)), replicateEffect = /* @__PURE__ */ dual((args2) => isEffect(args2[0]), (self, n, options) => all3(replicate(self, n), options)), forEach8 = /* @__PURE__ */ dual((args2) => isIterable(args2[0]), (self, f, options) => withFiberRuntime((r) => {
  let isRequestBatchingEnabled = options?.batching === !0 || options?.batching === "inherit" && r.getFiberRef(currentRequestBatching);
  return options?.discard ? match7(options.concurrency, () => finalizersMaskInternal(sequential4, options?.concurrentFinalizers)((restore) => isRequestBatchingEnabled ? forEachConcurrentDiscard(self, (a, i) => restore(f(a, i)), !0, !1, 1) : forEachSequentialDiscard(self, (a, i) => restore(f(a, i)))), () => finalizersMaskInternal(parallel4, options?.concurrentFinalizers)((restore) => forEachConcurrentDiscard(self, (a, i) => restore(f(a, i)), isRequestBatchingEnabled, !1)), (n) => finalizersMaskInternal(parallelN2(n), options?.concurrentFinalizers)((restore) => forEachConcurrentDiscard(self, (a, i) => restore(f(a, i)), isRequestBatchingEnabled, !1, n))) : match7(options?.concurrency, () => finalizersMaskInternal(sequential4, options?.concurrentFinalizers)((restore) => isRequestBatchingEnabled ? forEachParN(self, 1, (a, i) => restore(f(a, i)), !0) : forEachSequential(self, (a, i) => restore(f(a, i)))), () => finalizersMaskInternal(parallel4, options?.concurrentFinalizers)((restore) => forEachParUnbounded(self, (a, i) => restore(f(a, i)), isRequestBatchingEnabled)), (n) => finalizersMaskInternal(parallelN2(n), options?.concurrentFinalizers)((restore) => forEachParN(self, n, (a, i) => restore(f(a, i)), isRequestBatchingEnabled)));
})), forEachParUnbounded = (self, f, batching) => suspend(() => {
  let as5 = fromIterable(self), array3 = new Array(as5.length);
  return zipRight(forEachConcurrentDiscard(as5, (a, i) => flatMap8(f(a, i), (b) => sync(() => array3[i] = b)), batching, !1), succeed(array3));
}), forEachConcurrentDiscard = (self, f, batching, processAll, n) => uninterruptibleMask((restore) => transplant((graft) => withFiberRuntime((parent) => {
  let todos = Array.from(self).reverse(), target = todos.length;
  if (target === 0)
    return void_;
  let counter6 = 0, interrupted2 = !1, fibersCount = n ? Math.min(todos.length, n) : todos.length, fibers = /* @__PURE__ */ new Set(), results = new Array(), interruptAll3 = () => fibers.forEach((fiber) => {
    fiber.currentScheduler.scheduleTask(() => {
      fiber.unsafeInterruptAsFork(parent.id());
    }, 0, fiber);
  }), startOrder = new Array(), joinOrder = new Array(), residual = new Array(), collectExits = () => {
    let exits = results.filter(({
      exit: exit4
    }) => exit4._tag === "Failure").sort((a, b) => a.index < b.index ? -1 : a.index === b.index ? 0 : 1).map(({
      exit: exit4
    }) => exit4);
    return exits.length === 0 && exits.push(exitVoid), exits;
  }, runFiber = (eff, interruptImmediately = !1) => {
    let runnable = uninterruptible(graft(eff)), fiber = unsafeForkUnstarted(runnable, parent, parent.currentRuntimeFlags, globalScope);
    return parent.currentScheduler.scheduleTask(() => {
      interruptImmediately && fiber.unsafeInterruptAsFork(parent.id()), fiber.resume(runnable);
    }, 0, fiber), fiber;
  }, onInterruptSignal = () => {
    processAll || (target -= todos.length, todos = []), interrupted2 = !0, interruptAll3();
  }, stepOrExit = batching ? step2 : exit, processingFiber = runFiber(async_((resume2) => {
    let pushResult = (res, index) => {
      res._op === "Blocked" ? residual.push(res) : (results.push({
        index,
        exit: res
      }), res._op === "Failure" && !interrupted2 && onInterruptSignal());
    }, next3 = () => {
      if (todos.length > 0) {
        let a = todos.pop(), index = counter6++, returnNextElement = () => {
          let a2 = todos.pop();
          return index = counter6++, flatMap8(yieldNow(), () => flatMap8(stepOrExit(restore(f(a2, index))), onRes));
        }, onRes = (res) => todos.length > 0 && (pushResult(res, index), todos.length > 0) ? returnNextElement() : succeed(res), todo = flatMap8(stepOrExit(restore(f(a, index))), onRes), fiber = runFiber(todo);
        startOrder.push(fiber), fibers.add(fiber), interrupted2 && fiber.currentScheduler.scheduleTask(() => {
          fiber.unsafeInterruptAsFork(parent.id());
        }, 0, fiber), fiber.addObserver((wrapped) => {
          let exit4;
          if (wrapped._op === "Failure" ? exit4 = wrapped : exit4 = wrapped.effect_instruction_i0, joinOrder.push(fiber), fibers.delete(fiber), pushResult(exit4, index), results.length === target)
            resume2(succeed(getOrElse(exitCollectAll(collectExits(), {
              parallel: !0
            }), () => exitVoid)));
          else if (residual.length + results.length === target) {
            let exits = collectExits(), requests = residual.map((blocked2) => blocked2.effect_instruction_i0).reduce(par);
            resume2(succeed(blocked(requests, forEachConcurrentDiscard([getOrElse(exitCollectAll(exits, {
              parallel: !0
            }), () => exitVoid), ...residual.map((blocked2) => blocked2.effect_instruction_i1)], (i) => i, batching, !0, n))));
          } else
            next3();
        });
      }
    };
    for (let i = 0; i < fibersCount; i++)
      next3();
  }));
  return asVoid(onExit(flatten3(restore(join2(processingFiber))), exitMatch({
    onFailure: (cause2) => {
      onInterruptSignal();
      let target2 = residual.length + 1, concurrency = Math.min(typeof n == "number" ? n : residual.length, residual.length), toPop = Array.from(residual);
      return async_((cb) => {
        let exits = [], count = 0, index = 0, check2 = (index2, hitNext) => (exit4) => {
          exits[index2] = exit4, count++, count === target2 && cb(exitSucceed(exitFailCause(cause2))), toPop.length > 0 && hitNext && next3();
        }, next3 = () => {
          runFiber(toPop.pop(), !0).addObserver(check2(index, !0)), index++;
        };
        processingFiber.addObserver(check2(index, !1)), index++;
        for (let i = 0; i < concurrency; i++)
          next3();
      });
    },
    onSuccess: () => forEachSequential(joinOrder, (f2) => f2.inheritAll)
  })));
}))), forEachParN = (self, n, f, batching) => suspend(() => {
  let as5 = fromIterable(self), array3 = new Array(as5.length);
  return zipRight(forEachConcurrentDiscard(as5, (a, i) => map11(f(a, i), (b) => array3[i] = b), batching, !1, n), succeed(array3));
}), fork = (self) => withFiberRuntime((state, status2) => succeed(unsafeFork2(self, state, status2.runtimeFlags))), forkDaemon = (self) => forkWithScopeOverride(self, globalScope);
var unsafeFork2 = (effect, parentFiber, parentRuntimeFlags, overrideScope = null) => {
  let childFiber = unsafeMakeChildFiber(effect, parentFiber, parentRuntimeFlags, overrideScope);
  return childFiber.resume(effect), childFiber;
}, unsafeForkUnstarted = (effect, parentFiber, parentRuntimeFlags, overrideScope = null) => unsafeMakeChildFiber(effect, parentFiber, parentRuntimeFlags, overrideScope), unsafeMakeChildFiber = (effect, parentFiber, parentRuntimeFlags, overrideScope = null) => {
  let childId = unsafeMake3(), parentFiberRefs = parentFiber.getFiberRefs(), childFiberRefs = forkAs(parentFiberRefs, childId), childFiber = new FiberRuntime(childId, childFiberRefs, parentRuntimeFlags), childContext = getOrDefault(childFiberRefs, currentContext), supervisor = childFiber.currentSupervisor;
  return supervisor.onStart(childContext, effect, some2(parentFiber), childFiber), childFiber.addObserver((exit4) => supervisor.onEnd(exit4, childFiber)), (overrideScope !== null ? overrideScope : pipe(parentFiber.getFiberRef(currentForkScopeOverride), getOrElse(() => parentFiber.scope()))).add(parentRuntimeFlags, childFiber), childFiber;
}, forkWithScopeOverride = (self, scopeOverride) => withFiberRuntime((parentFiber, parentStatus) => succeed(unsafeFork2(self, parentFiber, parentStatus.runtimeFlags, scopeOverride)));
var partition3 = /* @__PURE__ */ dual((args2) => isIterable(args2[0]), (elements, f, options) => pipe(forEach8(elements, (a, i) => either2(f(a, i)), options), map11((chunk2) => partitionMap2(chunk2, identity))));
var parallelFinalizers = (self) => contextWithEffect((context4) => match(getOption2(context4, scopeTag), {
  onNone: () => self,
  onSome: (scope3) => {
    switch (scope3.strategy._tag) {
      case "Parallel":
        return self;
      case "Sequential":
      case "ParallelN":
        return flatMap8(scopeFork(scope3, parallel4), (inner) => scopeExtend(self, inner));
    }
  }
})), parallelNFinalizers = (parallelism) => (self) => contextWithEffect((context4) => match(getOption2(context4, scopeTag), {
  onNone: () => self,
  onSome: (scope3) => scope3.strategy._tag === "ParallelN" && scope3.strategy.parallelism === parallelism ? self : flatMap8(scopeFork(scope3, parallelN2(parallelism)), (inner) => scopeExtend(self, inner))
}));
var finalizersMaskInternal = (strategy, concurrentFinalizers) => (self) => contextWithEffect((context4) => match(getOption2(context4, scopeTag), {
  onNone: () => self(identity),
  onSome: (scope3) => {
    if (concurrentFinalizers === !0) {
      let patch9 = strategy._tag === "Parallel" ? parallelFinalizers : strategy._tag === "Sequential" ? sequentialFinalizers : parallelNFinalizers(strategy.parallelism);
      switch (scope3.strategy._tag) {
        case "Parallel":
          return patch9(self(parallelFinalizers));
        case "Sequential":
          return patch9(self(sequentialFinalizers));
        case "ParallelN":
          return patch9(self(parallelNFinalizers(scope3.strategy.parallelism)));
      }
    } else
      return self(identity);
  }
})), scopeWith = (f) => flatMap8(scopeTag, f), scopedWith = (f) => flatMap8(scopeMake(), (scope3) => onExit(f(scope3), (exit4) => scope3.close(exit4))), scopedEffect = (effect) => flatMap8(scopeMake(), (scope3) => scopeUse(effect, scope3)), sequentialFinalizers = (self) => contextWithEffect((context4) => match(getOption2(context4, scopeTag), {
  onNone: () => self,
  onSome: (scope3) => {
    switch (scope3.strategy._tag) {
      case "Sequential":
        return self;
      case "Parallel":
      case "ParallelN":
        return flatMap8(scopeFork(scope3, sequential4), (inner) => scopeExtend(self, inner));
    }
  }
}));
var zipOptions = /* @__PURE__ */ dual((args2) => isEffect(args2[1]), (self, that, options) => zipWithOptions(self, that, (a, b) => [a, b], options)), zipLeftOptions = /* @__PURE__ */ dual((args2) => isEffect(args2[1]), (self, that, options) => options?.concurrent !== !0 && (options?.batching === void 0 || options.batching === !1) ? zipLeft(self, that) : zipWithOptions(self, that, (a, _) => a, options)), zipRightOptions = /* @__PURE__ */ dual((args2) => isEffect(args2[1]), (self, that, options) => options?.concurrent !== !0 && (options?.batching === void 0 || options.batching === !1) ? zipRight(self, that) : zipWithOptions(self, that, (_, b) => b, options)), zipWithOptions = /* @__PURE__ */ dual((args2) => isEffect(args2[1]), (self, that, f, options) => map11(all3([self, that], {
  concurrency: options?.concurrent ? 2 : 1,
  batching: options?.batching,
  concurrentFinalizers: options?.concurrentFinalizers
}), ([a, a2]) => f(a, a2)));
var scopeTag = /* @__PURE__ */ GenericTag("effect/Scope"), scope = scopeTag, scopeUnsafeAddFinalizer = (scope3, fin) => {
  scope3.state._tag === "Open" && scope3.state.finalizers.set({}, fin);
}, ScopeImplProto = {
  [ScopeTypeId]: ScopeTypeId,
  [CloseableScopeTypeId]: CloseableScopeTypeId,
  pipe() {
    return pipeArguments(this, arguments);
  },
  fork(strategy) {
    return sync(() => {
      let newScope = scopeUnsafeMake(strategy);
      if (this.state._tag === "Closed")
        return newScope.state = this.state, newScope;
      let key = {}, fin = (exit4) => newScope.close(exit4);
      return this.state.finalizers.set(key, fin), scopeUnsafeAddFinalizer(newScope, (_) => sync(() => {
        this.state._tag === "Open" && this.state.finalizers.delete(key);
      })), newScope;
    });
  },
  close(exit4) {
    return suspend(() => {
      if (this.state._tag === "Closed")
        return void_;
      let finalizers = Array.from(this.state.finalizers.values()).reverse();
      return this.state = {
        _tag: "Closed",
        exit: exit4
      }, finalizers.length === 0 ? void_ : isSequential(this.strategy) ? pipe(forEachSequential(finalizers, (fin) => exit(fin(exit4))), flatMap8((results) => pipe(exitCollectAll(results), map(exitAsVoid), getOrElse(() => exitVoid)))) : isParallel(this.strategy) ? pipe(forEachParUnbounded(finalizers, (fin) => exit(fin(exit4)), !1), flatMap8((results) => pipe(exitCollectAll(results, {
        parallel: !0
      }), map(exitAsVoid), getOrElse(() => exitVoid)))) : pipe(forEachParN(finalizers, this.strategy.parallelism, (fin) => exit(fin(exit4)), !1), flatMap8((results) => pipe(exitCollectAll(results, {
        parallel: !0
      }), map(exitAsVoid), getOrElse(() => exitVoid))));
    });
  },
  addFinalizer(fin) {
    return suspend(() => this.state._tag === "Closed" ? fin(this.state.exit) : (this.state.finalizers.set({}, fin), void_));
  }
}, scopeUnsafeMake = (strategy = sequential3) => {
  let scope3 = Object.create(ScopeImplProto);
  return scope3.strategy = strategy, scope3.state = {
    _tag: "Open",
    finalizers: /* @__PURE__ */ new Map()
  }, scope3;
}, scopeMake = (strategy = sequential3) => sync(() => scopeUnsafeMake(strategy)), scopeExtend = /* @__PURE__ */ dual(2, (effect, scope3) => mapInputContext(
  effect,
  // @ts-expect-error
  merge3(make4(scopeTag, scope3))
)), scopeUse = /* @__PURE__ */ dual(2, (effect, scope3) => pipe(effect, scopeExtend(scope3), onExit((exit4) => scope3.close(exit4)))), fiberRefUnsafeMakeSupervisor = (initial) => fiberRefUnsafeMakePatch(initial, {
  differ: differ2,
  fork: empty25
}), fiberRefLocallyScoped = /* @__PURE__ */ dual(2, (self, value) => asVoid(acquireRelease(flatMap8(fiberRefGet(self), (oldValue) => as(fiberRefSet(self, value), oldValue)), (oldValue) => fiberRefSet(self, oldValue)))), fiberRefLocallyScopedWith = /* @__PURE__ */ dual(2, (self, f) => fiberRefGetWith(self, (a) => fiberRefLocallyScoped(self, f(a))));
var currentRuntimeFlags = /* @__PURE__ */ fiberRefUnsafeMakeRuntimeFlags(none5), currentSupervisor = /* @__PURE__ */ fiberRefUnsafeMakeSupervisor(none7), fiberAwaitAll = (fibers) => forEach8(fibers, _await);
var fiberInterruptFork = (self) => asVoid(forkDaemon(interruptFiber(self)));
var raceWith = /* @__PURE__ */ dual(3, (self, other, options) => raceFibersWith(self, other, {
  onSelfWin: (winner, loser) => flatMap8(winner.await, (exit4) => {
    switch (exit4._tag) {
      case OP_SUCCESS:
        return flatMap8(winner.inheritAll, () => options.onSelfDone(exit4, loser));
      case OP_FAILURE:
        return options.onSelfDone(exit4, loser);
    }
  }),
  onOtherWin: (winner, loser) => flatMap8(winner.await, (exit4) => {
    switch (exit4._tag) {
      case OP_SUCCESS:
        return flatMap8(winner.inheritAll, () => options.onOtherDone(exit4, loser));
      case OP_FAILURE:
        return options.onOtherDone(exit4, loser);
    }
  })
})), disconnect = (self) => uninterruptibleMask((restore) => fiberIdWith((fiberId3) => flatMap8(forkDaemon(restore(self)), (fiber) => pipe(restore(join2(fiber)), onInterrupt(() => pipe(fiber, interruptAsFork(fiberId3))))))), race = /* @__PURE__ */ dual(2, (self, that) => fiberIdWith((parentFiberId) => raceWith(self, that, {
  onSelfDone: (exit4, right2) => exitMatchEffect(exit4, {
    onFailure: (cause2) => pipe(join2(right2), mapErrorCause((cause22) => parallel(cause2, cause22))),
    onSuccess: (value) => pipe(right2, interruptAsFiber(parentFiberId), as(value))
  }),
  onOtherDone: (exit4, left2) => exitMatchEffect(exit4, {
    onFailure: (cause2) => pipe(join2(left2), mapErrorCause((cause22) => parallel(cause22, cause2))),
    onSuccess: (value) => pipe(left2, interruptAsFiber(parentFiberId), as(value))
  })
}))), raceFibersWith = /* @__PURE__ */ dual(3, (self, other, options) => withFiberRuntime((parentFiber, parentStatus) => {
  let parentRuntimeFlags = parentStatus.runtimeFlags, raceIndicator = make12(!0), leftFiber = unsafeMakeChildFiber(self, parentFiber, parentRuntimeFlags, options.selfScope), rightFiber = unsafeMakeChildFiber(other, parentFiber, parentRuntimeFlags, options.otherScope);
  return async_((cb) => {
    leftFiber.addObserver(() => completeRace(leftFiber, rightFiber, options.onSelfWin, raceIndicator, cb)), rightFiber.addObserver(() => completeRace(rightFiber, leftFiber, options.onOtherWin, raceIndicator, cb)), leftFiber.startFork(self), rightFiber.startFork(other);
  }, combine3(leftFiber.id(), rightFiber.id()));
})), completeRace = (winner, loser, cont, ab, cb) => {
  compareAndSet(!0, !1)(ab) && cb(cont(winner, loser));
}, ensuring = /* @__PURE__ */ dual(2, (self, finalizer) => uninterruptibleMask((restore) => matchCauseEffect(restore(self), {
  onFailure: (cause1) => matchCauseEffect(finalizer, {
    onFailure: (cause2) => failCause(sequential(cause1, cause2)),
    onSuccess: () => failCause(cause1)
  }),
  onSuccess: (a) => as(finalizer, a)
}))), invokeWithInterrupt = (self, entries3, onInterrupt3) => fiberIdWith((id2) => ensuring(flatMap8(forkDaemon(interruptible2(self)), (processing) => async_((cb) => {
  let counts = entries3.map((_) => _.listeners.count), checkDone = () => {
    counts.every((count) => count === 0) && entries3.every((_) => _.result.state.current._tag === "Pending" ? !0 : !!(_.result.state.current._tag === "Done" && exitIsExit(_.result.state.current.effect) && _.result.state.current.effect._tag === "Failure" && isInterrupted(_.result.state.current.effect.cause))) && (cleanup.forEach((f) => f()), onInterrupt3?.(), cb(interruptFiber(processing)));
  };
  processing.addObserver((exit4) => {
    cleanup.forEach((f) => f()), cb(exit4);
  });
  let cleanup = entries3.map((r, i) => {
    let observer = (count) => {
      counts[i] = count, checkDone();
    };
    return r.listeners.addObserver(observer), () => r.listeners.removeObserver(observer);
  });
  return checkDone(), sync(() => {
    cleanup.forEach((f) => f());
  });
})), suspend(() => {
  let residual = entries3.flatMap((entry) => entry.state.completed ? [] : [entry]);
  return forEachSequentialDiscard(residual, (entry) => complete(entry.request, exitInterrupt(id2)));
})));
var makeSpanScoped = (name, options) => (options = addSpanStackTrace(options), uninterruptible(withFiberRuntime((fiber) => {
  let scope3 = unsafeGet2(fiber.getFiberRef(currentContext), scopeTag), span2 = unsafeMakeSpan(fiber, name, options), timingEnabled = fiber.getFiberRef(currentTracerTimingEnabled), clock_ = get2(fiber.getFiberRef(currentServices), clockTag);
  return as(scopeAddFinalizerExit(scope3, (exit4) => endSpan(span2, exit4, clock_, timingEnabled)), span2);
}))), withTracerScoped = (value) => fiberRefLocallyScopedWith(currentServices, add2(tracerTag, value));

// node_modules/effect/dist/esm/Scope.js
var Scope = scopeTag, addFinalizer2 = scopeAddFinalizer, addFinalizerExit = scopeAddFinalizerExit, close = scopeClose, extend2 = scopeExtend, fork2 = scopeFork;
var make33 = scopeMake;

// node_modules/effect/dist/esm/internal/effect/circular.js
var Semaphore = class {
  permits;
  waiters = /* @__PURE__ */ new Set();
  taken = 0;
  constructor(permits) {
    this.permits = permits;
  }
  get free() {
    return this.permits - this.taken;
  }
  take = (n) => asyncInterrupt((resume2) => {
    if (this.free < n) {
      let observer = () => {
        this.free < n || (this.waiters.delete(observer), resume2(suspend(() => this.free < n ? this.take(n) : (this.taken += n, succeed(n)))));
      };
      return this.waiters.add(observer), sync(() => {
        this.waiters.delete(observer);
      });
    }
    resume2(suspend(() => this.free < n ? this.take(n) : (this.taken += n, succeed(n))));
  });
  updateTakenUnsafe(fiber, f) {
    return this.taken = f(this.taken), this.waiters.size > 0 && fiber.getFiberRef(currentScheduler).scheduleTask(() => {
      let iter = this.waiters.values(), item = iter.next();
      for (; item.done === !1 && this.free > 0; )
        item.value(), item = iter.next();
    }, fiber.getFiberRef(currentSchedulingPriority), fiber), succeed(this.free);
  }
  updateTaken(f) {
    return withFiberRuntime((fiber) => this.updateTakenUnsafe(fiber, f));
  }
  resize = (permits) => asVoid(withFiberRuntime((fiber) => (this.permits = permits, this.free < 0 ? void_ : this.updateTakenUnsafe(fiber, (taken) => taken))));
  release = (n) => this.updateTaken((taken) => taken - n);
  releaseAll = /* @__PURE__ */ this.updateTaken((_) => 0);
  withPermits = (n) => (self) => uninterruptibleMask((restore) => flatMap8(restore(this.take(n)), (permits) => ensuring(restore(self), this.release(permits))));
  withPermitsIfAvailable = (n) => (self) => uninterruptibleMask((restore) => suspend(() => this.free < n ? succeedNone : (this.taken += n, ensuring(restore(asSome(self)), this.release(n)))));
}, unsafeMakeSemaphore = (permits) => new Semaphore(permits), makeSemaphore = (permits) => sync(() => unsafeMakeSemaphore(permits)), Latch = class extends Class {
  isOpen;
  waiters = [];
  scheduled = !1;
  constructor(isOpen) {
    super(), this.isOpen = isOpen;
  }
  commit() {
    return this.await;
  }
  unsafeSchedule(fiber) {
    return this.scheduled || this.waiters.length === 0 ? void_ : (this.scheduled = !0, fiber.currentScheduler.scheduleTask(this.flushWaiters, fiber.getFiberRef(currentSchedulingPriority), fiber), void_);
  }
  flushWaiters = () => {
    this.scheduled = !1;
    let waiters = this.waiters;
    this.waiters = [];
    for (let i = 0; i < waiters.length; i++)
      waiters[i](exitVoid);
  };
  open = /* @__PURE__ */ withFiberRuntime((fiber) => this.isOpen ? void_ : (this.isOpen = !0, this.unsafeSchedule(fiber)));
  unsafeOpen() {
    this.isOpen || (this.isOpen = !0, this.flushWaiters());
  }
  release = /* @__PURE__ */ withFiberRuntime((fiber) => this.isOpen ? void_ : this.unsafeSchedule(fiber));
  await = /* @__PURE__ */ asyncInterrupt((resume2) => this.isOpen ? resume2(void_) : (this.waiters.push(resume2), sync(() => {
    let index = this.waiters.indexOf(resume2);
    index !== -1 && this.waiters.splice(index, 1);
  })));
  unsafeClose() {
    this.isOpen = !1;
  }
  close = /* @__PURE__ */ sync(() => {
    this.isOpen = !1;
  });
  whenOpen = (self) => zipRight(this.await, self);
}, unsafeMakeLatch = (open) => new Latch(open ?? !1), makeLatch = (open) => sync(() => unsafeMakeLatch(open));
var cached2 = /* @__PURE__ */ dual(2, (self, timeToLive) => map11(cachedInvalidateWithTTL(self, timeToLive), (tuple) => tuple[0])), cachedInvalidateWithTTL = /* @__PURE__ */ dual(2, (self, timeToLive) => {
  let duration = decode(timeToLive);
  return flatMap8(context(), (env) => map11(makeSynchronized(none2()), (cache) => [provideContext(getCachedValue(self, duration, cache), env), invalidateCache(cache)]));
}), computeCachedValue = (self, timeToLive, start3) => {
  let timeToLiveMillis = toMillis(decode(timeToLive));
  return pipe(deferredMake(), tap((deferred) => intoDeferred(self, deferred)), map11((deferred) => some2([start3 + timeToLiveMillis, deferred])));
}, getCachedValue = (self, timeToLive, cache) => pipe(clockWith3((clock3) => clock3.currentTimeMillis), flatMap8((time) => updateSomeAndGetEffectSynchronized(cache, (option3) => {
  switch (option3._tag) {
    case "None":
      return some2(computeCachedValue(self, timeToLive, time));
    case "Some": {
      let [end3] = option3.value;
      return end3 - time <= 0 ? some2(computeCachedValue(self, timeToLive, time)) : none2();
    }
  }
})), flatMap8((option3) => isNone(option3) ? dieMessage("BUG: Effect.cachedInvalidate - please report an issue at https://github.com/Effect-TS/effect/issues") : deferredAwait(option3.value[1]))), invalidateCache = (cache) => set5(cache, none2());
var forkIn = /* @__PURE__ */ dual(2, (self, scope3) => withFiberRuntime((parent, parentStatus) => {
  let scopeImpl = scope3, fiber = unsafeFork2(self, parent, parentStatus.runtimeFlags, globalScope);
  if (scopeImpl.state._tag === "Open") {
    let finalizer = () => fiberIdWith((fiberId3) => equals(fiberId3, fiber.id()) ? void_ : asVoid(interruptFiber(fiber))), key = {};
    scopeImpl.state.finalizers.set(key, finalizer), fiber.addObserver(() => {
      scopeImpl.state._tag !== "Closed" && scopeImpl.state.finalizers.delete(key);
    });
  } else
    fiber.unsafeInterruptAsFork(parent.id());
  return succeed(fiber);
})), forkScoped = (self) => scopeWith((scope3) => forkIn(self, scope3));
var memoKeySymbol = /* @__PURE__ */ Symbol.for("effect/Effect/memoizeFunction.key"), Key = class {
  a;
  eq;
  [memoKeySymbol] = memoKeySymbol;
  constructor(a, eq) {
    this.a = a, this.eq = eq;
  }
  [symbol2](that) {
    return hasProperty(that, memoKeySymbol) ? this.eq ? this.eq(this.a, that.a) : equals(this.a, that.a) : !1;
  }
  [symbol]() {
    return this.eq ? 0 : cached(this, hash(this.a));
  }
};
var raceFirst = /* @__PURE__ */ dual(2, (self, that) => pipe(exit(self), race(exit(that)), (effect) => flatten3(effect)));
var timeout = /* @__PURE__ */ dual(2, (self, duration) => timeoutFail(self, {
  onTimeout: () => timeoutExceptionFromDuration(duration),
  duration
})), timeoutFail = /* @__PURE__ */ dual(2, (self, {
  duration,
  onTimeout
}) => flatten3(timeoutTo(self, {
  onTimeout: () => failSync(onTimeout),
  onSuccess: succeed,
  duration
})));
var timeoutOption = /* @__PURE__ */ dual(2, (self, duration) => timeoutTo(self, {
  duration,
  onSuccess: some2,
  onTimeout: none2
})), timeoutTo = /* @__PURE__ */ dual(2, (self, {
  duration,
  onSuccess,
  onTimeout
}) => fiberIdWith((parentFiberId) => uninterruptibleMask((restore) => raceFibersWith(exit(restore(self)), interruptible2(sleep3(duration)), {
  onSelfWin: (winner, loser) => flatMap8(winner.await, (exit4) => {
    let selfExit = exitFlatten(exit4);
    return selfExit._tag === "Success" ? flatMap8(winner.inheritAll, () => as(interruptAsFiber(loser, parentFiberId), onSuccess(selfExit.value))) : flatMap8(interruptAsFiber(loser, parentFiberId), () => exitFailCause(selfExit.cause));
  }),
  onOtherWin: (winner, loser) => flatMap8(winner.await, (exit4) => exit4._tag === "Success" ? flatMap8(winner.inheritAll, () => as(interruptAsFiber(loser, parentFiberId), onTimeout())) : flatMap8(interruptAsFiber(loser, parentFiberId), () => exitFailCause(exit4.cause))),
  otherScope: globalScope
})))), SynchronizedSymbolKey = "effect/Ref/SynchronizedRef", SynchronizedTypeId = /* @__PURE__ */ Symbol.for(SynchronizedSymbolKey), synchronizedVariance = {
  /* c8 ignore next */
  _A: (_) => _
}, SynchronizedImpl = class extends Class {
  ref;
  withLock;
  [SynchronizedTypeId] = synchronizedVariance;
  [RefTypeId] = refVariance;
  [TypeId8] = TypeId8;
  constructor(ref, withLock) {
    super(), this.ref = ref, this.withLock = withLock, this.get = get10(this.ref);
  }
  get;
  commit() {
    return this.get;
  }
  modify(f) {
    return this.modifyEffect((a) => succeed(f(a)));
  }
  modifyEffect(f) {
    return this.withLock(pipe(flatMap8(get10(this.ref), f), flatMap8(([b, a]) => as(set5(this.ref, a), b))));
  }
}, makeSynchronized = (value) => sync(() => unsafeMakeSynchronized(value)), unsafeMakeSynchronized = (value) => {
  let ref = unsafeMake5(value), sem = unsafeMakeSemaphore(1);
  return new SynchronizedImpl(ref, sem.withPermits(1));
}, updateSomeAndGetEffectSynchronized = /* @__PURE__ */ dual(2, (self, pf) => self.modifyEffect((value) => {
  let result = pf(value);
  switch (result._tag) {
    case "None":
      return succeed([value, value]);
    case "Some":
      return map11(result.value, (a) => [a, a]);
  }
}));

// node_modules/effect/dist/esm/Fiber.js
var _await2 = _await;
var awaitAll = fiberAwaitAll;
var getCurrentFiber2 = getCurrentFiber, inheritAll2 = inheritAll, interrupt4 = interruptFiber;
var interruptAs = interruptAsFiber;
var interruptAll2 = interruptAll, interruptAllAs2 = interruptAllAs, interruptFork = fiberInterruptFork, join3 = join2;

// node_modules/effect/dist/esm/Random.js
var next2 = next;
var nextRange2 = nextRange, nextIntBetween2 = nextIntBetween;
var make34 = make22;

// node_modules/effect/dist/esm/internal/schedule/interval.js
var IntervalSymbolKey = "effect/ScheduleInterval", IntervalTypeId = /* @__PURE__ */ Symbol.for(IntervalSymbolKey), empty27 = {
  [IntervalTypeId]: IntervalTypeId,
  startMillis: 0,
  endMillis: 0
}, make35 = (startMillis, endMillis) => startMillis > endMillis ? empty27 : {
  [IntervalTypeId]: IntervalTypeId,
  startMillis,
  endMillis
}, lessThan3 = /* @__PURE__ */ dual(2, (self, that) => min3(self, that) === self), min3 = /* @__PURE__ */ dual(2, (self, that) => self.endMillis <= that.startMillis ? self : that.endMillis <= self.startMillis ? that : self.startMillis < that.startMillis ? self : that.startMillis < self.startMillis ? that : self.endMillis <= that.endMillis ? self : that);
var isEmpty7 = (self) => self.startMillis >= self.endMillis;
var intersect = /* @__PURE__ */ dual(2, (self, that) => {
  let start3 = Math.max(self.startMillis, that.startMillis), end3 = Math.min(self.endMillis, that.endMillis);
  return make35(start3, end3);
}), size8 = (self) => millis(self.endMillis - self.startMillis);
var after = (startMilliseconds) => make35(startMilliseconds, Number.POSITIVE_INFINITY);

// node_modules/effect/dist/esm/ScheduleInterval.js
var make36 = make35, empty28 = empty27, lessThan4 = lessThan3;
var isEmpty8 = isEmpty7;
var intersect2 = intersect, size9 = size8;
var after2 = after;

// node_modules/effect/dist/esm/internal/schedule/intervals.js
var IntervalsSymbolKey = "effect/ScheduleIntervals", IntervalsTypeId = /* @__PURE__ */ Symbol.for(IntervalsSymbolKey), make37 = (intervals) => ({
  [IntervalsTypeId]: IntervalsTypeId,
  intervals
});
var union6 = /* @__PURE__ */ dual(2, (self, that) => isNonEmpty(that.intervals) ? isNonEmpty(self.intervals) ? headNonEmpty2(self.intervals).startMillis < headNonEmpty2(that.intervals).startMillis ? unionLoop(tailNonEmpty2(self.intervals), that.intervals, headNonEmpty2(self.intervals), empty6()) : unionLoop(self.intervals, tailNonEmpty2(that.intervals), headNonEmpty2(that.intervals), empty6()) : that : self), unionLoop = (_self, _that, _interval, _acc) => {
  let self = _self, that = _that, interval = _interval, acc = _acc;
  for (; isNonEmpty(self) || isNonEmpty(that); )
    if (!isNonEmpty(self) && isNonEmpty(that))
      interval.endMillis < headNonEmpty2(that).startMillis ? (acc = pipe(acc, prepend2(interval)), interval = headNonEmpty2(that), that = tailNonEmpty2(that), self = empty6()) : (interval = make36(interval.startMillis, headNonEmpty2(that).endMillis), that = tailNonEmpty2(that), self = empty6());
    else if (isNonEmpty(self) && isEmpty(that))
      interval.endMillis < headNonEmpty2(self).startMillis ? (acc = pipe(acc, prepend2(interval)), interval = headNonEmpty2(self), that = empty6(), self = tailNonEmpty2(self)) : (interval = make36(interval.startMillis, headNonEmpty2(self).endMillis), that = empty6(), self = tailNonEmpty2(self));
    else if (isNonEmpty(self) && isNonEmpty(that))
      headNonEmpty2(self).startMillis < headNonEmpty2(that).startMillis ? interval.endMillis < headNonEmpty2(self).startMillis ? (acc = pipe(acc, prepend2(interval)), interval = headNonEmpty2(self), self = tailNonEmpty2(self)) : (interval = make36(interval.startMillis, headNonEmpty2(self).endMillis), self = tailNonEmpty2(self)) : interval.endMillis < headNonEmpty2(that).startMillis ? (acc = pipe(acc, prepend2(interval)), interval = headNonEmpty2(that), that = tailNonEmpty2(that)) : (interval = make36(interval.startMillis, headNonEmpty2(that).endMillis), that = tailNonEmpty2(that));
    else
      throw new Error(getBugErrorMessage("Intervals.unionLoop"));
  return make37(pipe(acc, prepend2(interval), reverse2));
}, intersect3 = /* @__PURE__ */ dual(2, (self, that) => intersectLoop(self.intervals, that.intervals, empty6())), intersectLoop = (_left, _right, _acc) => {
  let left2 = _left, right2 = _right, acc = _acc;
  for (; isNonEmpty(left2) && isNonEmpty(right2); ) {
    let interval = pipe(headNonEmpty2(left2), intersect2(headNonEmpty2(right2))), intervals = isEmpty8(interval) ? acc : pipe(acc, prepend2(interval));
    pipe(headNonEmpty2(left2), lessThan4(headNonEmpty2(right2))) ? left2 = tailNonEmpty2(left2) : right2 = tailNonEmpty2(right2), acc = intervals;
  }
  return make37(reverse2(acc));
}, start = (self) => pipe(self.intervals, head3, getOrElse(() => empty28)).startMillis, end = (self) => pipe(self.intervals, head3, getOrElse(() => empty28)).endMillis, lessThan5 = /* @__PURE__ */ dual(2, (self, that) => start(self) < start(that)), isNonEmpty3 = (self) => isNonEmpty(self.intervals);

// node_modules/effect/dist/esm/ScheduleIntervals.js
var make38 = make37;
var union7 = union6, intersect4 = intersect3, start2 = start, end2 = end, lessThan6 = lessThan5, isNonEmpty4 = isNonEmpty3;

// node_modules/effect/dist/esm/internal/schedule/decision.js
var OP_CONTINUE = "Continue", OP_DONE2 = "Done", _continue = (intervals) => ({
  _tag: OP_CONTINUE,
  intervals
}), continueWith = (interval) => ({
  _tag: OP_CONTINUE,
  intervals: make38(of2(interval))
}), done5 = {
  _tag: OP_DONE2
}, isContinue = (self) => self._tag === OP_CONTINUE, isDone3 = (self) => self._tag === OP_DONE2;

// node_modules/effect/dist/esm/ScheduleDecision.js
var _continue2 = _continue;
var continueWith2 = continueWith, done6 = done5, isContinue2 = isContinue, isDone4 = isDone3;

// node_modules/effect/dist/esm/internal/managedRuntime/circular.js
var TypeId11 = /* @__PURE__ */ Symbol.for("effect/ManagedRuntime");

// node_modules/effect/dist/esm/internal/opCodes/layer.js
var OP_FOLD = "Fold", OP_FRESH = "Fresh", OP_FROM_EFFECT = "FromEffect", OP_SCOPED = "Scoped", OP_SUSPEND = "Suspend", OP_PROVIDE = "Provide", OP_PROVIDE_MERGE = "ProvideMerge", OP_MERGE_ALL = "MergeAll", OP_ZIP_WITH2 = "ZipWith";

// node_modules/effect/dist/esm/internal/runtime.js
var makeDual = (f) => function() {
  if (arguments.length === 1) {
    let runtime5 = arguments[0];
    return (effect, ...args2) => f(runtime5, effect, ...args2);
  }
  return f.apply(this, arguments);
}, unsafeFork3 = /* @__PURE__ */ makeDual((runtime5, self, options) => {
  let fiberId3 = unsafeMake3(), fiberRefUpdates = [[currentContext, [[fiberId3, runtime5.context]]]];
  options?.scheduler && fiberRefUpdates.push([currentScheduler, [[fiberId3, options.scheduler]]]);
  let fiberRefs3 = updateManyAs2(runtime5.fiberRefs, {
    entries: fiberRefUpdates,
    forkAs: fiberId3
  });
  options?.updateRefs && (fiberRefs3 = options.updateRefs(fiberRefs3, fiberId3));
  let fiberRuntime = new FiberRuntime(fiberId3, fiberRefs3, runtime5.runtimeFlags), effect = self;
  options?.scope && (effect = flatMap8(fork2(options.scope, sequential3), (closeableScope) => zipRight(scopeAddFinalizer(closeableScope, fiberIdWith((id2) => equals(id2, fiberRuntime.id()) ? void_ : interruptAsFiber(fiberRuntime, id2))), onExit(self, (exit4) => close(closeableScope, exit4)))));
  let supervisor = fiberRuntime.currentSupervisor;
  return supervisor !== none7 && (supervisor.onStart(runtime5.context, effect, none2(), fiberRuntime), fiberRuntime.addObserver((exit4) => supervisor.onEnd(exit4, fiberRuntime))), globalScope.add(runtime5.runtimeFlags, fiberRuntime), options?.immediate === !1 ? fiberRuntime.resume(effect) : fiberRuntime.start(effect), fiberRuntime;
}), unsafeRunCallback = /* @__PURE__ */ makeDual((runtime5, effect, options = {}) => {
  let fiberRuntime = unsafeFork3(runtime5, effect, options);
  return options.onExit && fiberRuntime.addObserver((exit4) => {
    options.onExit(exit4);
  }), (id2, cancelOptions) => unsafeRunCallback(runtime5)(pipe(fiberRuntime, interruptAs(id2 ?? none4)), {
    ...cancelOptions,
    onExit: cancelOptions?.onExit ? (exit4) => cancelOptions.onExit(flatten4(exit4)) : void 0
  });
}), unsafeRunSync = /* @__PURE__ */ makeDual((runtime5, effect) => {
  let result = unsafeRunSyncExit(runtime5)(effect);
  if (result._tag === "Failure")
    throw fiberFailure(result.effect_instruction_i0);
  return result.effect_instruction_i0;
}), AsyncFiberExceptionImpl = class extends Error {
  fiber;
  _tag = "AsyncFiberException";
  constructor(fiber) {
    super(`Fiber #${fiber.id().id} cannot be resolved synchronously. This is caused by using runSync on an effect that performs async work`), this.fiber = fiber, this.name = this._tag, this.stack = this.message;
  }
}, asyncFiberException = (fiber) => {
  let limit = getStackTraceLimit();
  setStackTraceLimit(0);
  let error = new AsyncFiberExceptionImpl(fiber);
  return setStackTraceLimit(limit), error;
};
var FiberFailureId = /* @__PURE__ */ Symbol.for("effect/Runtime/FiberFailure"), FiberFailureCauseId = /* @__PURE__ */ Symbol.for("effect/Runtime/FiberFailure/Cause"), FiberFailureImpl = class extends Error {
  [FiberFailureId];
  [FiberFailureCauseId];
  constructor(cause2) {
    let head5 = prettyErrors(cause2)[0];
    super(head5?.message || "An error has occurred"), this[FiberFailureId] = FiberFailureId, this[FiberFailureCauseId] = cause2, this.name = head5 ? `(FiberFailure) ${head5.name}` : "FiberFailure", head5?.stack && (this.stack = head5.stack);
  }
  toJSON() {
    return {
      _id: "FiberFailure",
      cause: this[FiberFailureCauseId].toJSON()
    };
  }
  toString() {
    return "(FiberFailure) " + pretty(this[FiberFailureCauseId], {
      renderErrorCause: !0
    });
  }
  [NodeInspectSymbol]() {
    return this.toString();
  }
}, fiberFailure = (cause2) => {
  let limit = getStackTraceLimit();
  setStackTraceLimit(0);
  let error = new FiberFailureImpl(cause2);
  return setStackTraceLimit(limit), error;
};
var fastPath = (effect) => {
  let op = effect;
  switch (op._op) {
    case "Failure":
    case "Success":
      return op;
    case "Left":
      return exitFail(op.left);
    case "Right":
      return exitSucceed(op.right);
    case "Some":
      return exitSucceed(op.value);
    case "None":
      return exitFail(new NoSuchElementException());
  }
}, unsafeRunSyncExit = /* @__PURE__ */ makeDual((runtime5, effect) => {
  let op = fastPath(effect);
  if (op)
    return op;
  let scheduler = new SyncScheduler(), fiberRuntime = unsafeFork3(runtime5)(effect, {
    scheduler
  });
  scheduler.flush();
  let result = fiberRuntime.unsafePoll();
  return result || exitDie(capture(asyncFiberException(fiberRuntime), currentSpanFromFiber(fiberRuntime)));
});
var unsafeRunPromiseExit = /* @__PURE__ */ makeDual((runtime5, effect, options) => new Promise((resolve) => {
  let op = fastPath(effect);
  op && resolve(op);
  let fiber = unsafeFork3(runtime5)(effect);
  if (fiber.addObserver((exit4) => {
    resolve(exit4);
  }), options?.signal !== void 0)
    if (options.signal.aborted)
      fiber.unsafeInterruptAsFork(fiber.id());
    else {
      let signal = options.signal, onAbort = () => {
        fiber.unsafeInterruptAsFork(fiber.id());
      };
      signal.addEventListener("abort", onAbort, {
        once: !0
      }), fiber.addObserver(() => {
        signal.removeEventListener("abort", onAbort);
      });
    }
})), RuntimeImpl = class {
  context;
  runtimeFlags;
  fiberRefs;
  constructor(context4, runtimeFlags2, fiberRefs3) {
    this.context = context4, this.runtimeFlags = runtimeFlags2, this.fiberRefs = fiberRefs3;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, make39 = (options) => new RuntimeImpl(options.context, options.runtimeFlags, options.fiberRefs), runtime3 = () => withFiberRuntime((state, status2) => succeed(new RuntimeImpl(state.getFiberRef(currentContext), status2.runtimeFlags, state.getFiberRefs()))), defaultRuntimeFlags = /* @__PURE__ */ make18(Interruption, CooperativeYielding, RuntimeMetrics), defaultRuntime = /* @__PURE__ */ make39({
  context: /* @__PURE__ */ empty2(),
  runtimeFlags: defaultRuntimeFlags,
  fiberRefs: /* @__PURE__ */ empty20()
});
var updateContext2 = /* @__PURE__ */ dual(2, (self, f) => make39({
  context: f(self.context),
  runtimeFlags: self.runtimeFlags,
  fiberRefs: self.fiberRefs
}));
var unsafeForkEffect = /* @__PURE__ */ unsafeFork3(defaultRuntime);
var unsafeRunPromiseExitEffect = /* @__PURE__ */ unsafeRunPromiseExit(defaultRuntime), unsafeRunSyncEffect = /* @__PURE__ */ unsafeRunSync(defaultRuntime);

// node_modules/effect/dist/esm/internal/synchronizedRef.js
var modifyEffect = /* @__PURE__ */ dual(2, (self, f) => self.modifyEffect(f));

// node_modules/effect/dist/esm/internal/layer.js
var LayerSymbolKey = "effect/Layer", LayerTypeId = /* @__PURE__ */ Symbol.for(LayerSymbolKey), layerVariance = {
  /* c8 ignore next */
  _RIn: (_) => _,
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _ROut: (_) => _
}, proto3 = {
  [LayerTypeId]: layerVariance,
  pipe() {
    return pipeArguments(this, arguments);
  }
}, MemoMapTypeIdKey = "effect/Layer/MemoMap", MemoMapTypeId = /* @__PURE__ */ Symbol.for(MemoMapTypeIdKey), CurrentMemoMap = /* @__PURE__ */ Reference2()("effect/Layer/CurrentMemoMap", {
  defaultValue: () => unsafeMakeMemoMap()
}), isLayer = (u) => hasProperty(u, LayerTypeId), isFresh = (self) => self._op_layer === OP_FRESH, MemoMapImpl = class {
  ref;
  [MemoMapTypeId];
  constructor(ref) {
    this.ref = ref, this[MemoMapTypeId] = MemoMapTypeId;
  }
  /**
   * Checks the memo map to see if a layer exists. If it is, immediately
   * returns it. Otherwise, obtains the layer, stores it in the memo map,
   * and adds a finalizer to the `Scope`.
   */
  getOrElseMemoize(layer, scope3) {
    return pipe(modifyEffect(this.ref, (map18) => {
      let inMap = map18.get(layer);
      if (inMap !== void 0) {
        let [acquire, release] = inMap, cached4 = pipe(acquire, flatMap8(([patch9, b]) => pipe(patchFiberRefs(patch9), as(b))), onExit(exitMatch({
          onFailure: () => void_,
          onSuccess: () => scopeAddFinalizerExit(scope3, release)
        })));
        return succeed([cached4, map18]);
      }
      return pipe(make24(0), flatMap8((observers) => pipe(deferredMake(), flatMap8((deferred) => pipe(make24(() => void_), map11((finalizerRef) => {
        let resource = uninterruptibleMask((restore) => pipe(scopeMake(), flatMap8((innerScope) => pipe(restore(flatMap8(makeBuilder(layer, innerScope, !0), (f) => diffFiberRefs(f(this)))), exit, flatMap8((exit4) => {
          switch (exit4._tag) {
            case OP_FAILURE:
              return pipe(deferredFailCause(deferred, exit4.effect_instruction_i0), zipRight(scopeClose(innerScope, exit4)), zipRight(failCause(exit4.effect_instruction_i0)));
            case OP_SUCCESS:
              return pipe(set5(finalizerRef, (exit5) => pipe(scopeClose(innerScope, exit5), whenEffect(modify3(observers, (n) => [n === 1, n - 1])), asVoid)), zipRight(update2(observers, (n) => n + 1)), zipRight(scopeAddFinalizerExit(scope3, (exit5) => pipe(sync(() => map18.delete(layer)), zipRight(get10(finalizerRef)), flatMap8((finalizer) => finalizer(exit5))))), zipRight(deferredSucceed(deferred, exit4.effect_instruction_i0)), as(exit4.effect_instruction_i0[1]));
          }
        }))))), memoized = [pipe(deferredAwait(deferred), onExit(exitMatchEffect({
          onFailure: () => void_,
          onSuccess: () => update2(observers, (n) => n + 1)
        }))), (exit4) => pipe(get10(finalizerRef), flatMap8((finalizer) => finalizer(exit4)))];
        return [resource, isFresh(layer) ? map18 : map18.set(layer, memoized)];
      }))))));
    }), flatten3);
  }
}, makeMemoMap = /* @__PURE__ */ suspend(() => map11(makeSynchronized(/* @__PURE__ */ new Map()), (ref) => new MemoMapImpl(ref))), unsafeMakeMemoMap = () => new MemoMapImpl(unsafeMakeSynchronized(/* @__PURE__ */ new Map())), build = (self) => scopeWith((scope3) => buildWithScope(self, scope3)), buildWithScope = /* @__PURE__ */ dual(2, (self, scope3) => flatMap8(makeMemoMap, (memoMap) => buildWithMemoMap(self, memoMap, scope3))), buildWithMemoMap = /* @__PURE__ */ dual(3, (self, memoMap, scope3) => flatMap8(makeBuilder(self, scope3), (run) => provideService(run(memoMap), CurrentMemoMap, memoMap))), makeBuilder = (self, scope3, inMemoMap = !1) => {
  let op = self;
  switch (op._op_layer) {
    case "Locally":
      return sync(() => (memoMap) => op.f(memoMap.getOrElseMemoize(op.self, scope3)));
    case "ExtendScope":
      return sync(() => (memoMap) => scopeWith((scope4) => memoMap.getOrElseMemoize(op.layer, scope4)));
    case "Fold":
      return sync(() => (memoMap) => pipe(memoMap.getOrElseMemoize(op.layer, scope3), matchCauseEffect({
        onFailure: (cause2) => memoMap.getOrElseMemoize(op.failureK(cause2), scope3),
        onSuccess: (value) => memoMap.getOrElseMemoize(op.successK(value), scope3)
      })));
    case "Fresh":
      return sync(() => (_) => pipe(op.layer, buildWithScope(scope3)));
    case "FromEffect":
      return inMemoMap ? sync(() => (_) => op.effect) : sync(() => (memoMap) => memoMap.getOrElseMemoize(self, scope3));
    case "Provide":
      return sync(() => (memoMap) => pipe(memoMap.getOrElseMemoize(op.first, scope3), flatMap8((env) => pipe(memoMap.getOrElseMemoize(op.second, scope3), provideContext(env)))));
    case "Scoped":
      return inMemoMap ? sync(() => (_) => scopeExtend(op.effect, scope3)) : sync(() => (memoMap) => memoMap.getOrElseMemoize(self, scope3));
    case "Suspend":
      return sync(() => (memoMap) => memoMap.getOrElseMemoize(op.evaluate(), scope3));
    case "ProvideMerge":
      return sync(() => (memoMap) => pipe(memoMap.getOrElseMemoize(op.first, scope3), zipWith2(memoMap.getOrElseMemoize(op.second, scope3), op.zipK)));
    case "ZipWith":
      return gen(function* () {
        let parallelScope = yield* scopeFork(scope3, parallel3), firstScope = yield* scopeFork(parallelScope, sequential3), secondScope = yield* scopeFork(parallelScope, sequential3);
        return (memoMap) => pipe(memoMap.getOrElseMemoize(op.first, firstScope), zipWithOptions(memoMap.getOrElseMemoize(op.second, secondScope), op.zipK, {
          concurrent: !0
        }));
      });
    case "MergeAll": {
      let layers = op.layers;
      return map11(scopeFork(scope3, parallel3), (parallelScope) => (memoMap) => {
        let contexts = new Array(layers.length);
        return map11(forEachConcurrentDiscard(layers, fnUntraced(function* (layer, i) {
          let scope4 = yield* scopeFork(parallelScope, sequential3), context4 = yield* memoMap.getOrElseMemoize(layer, scope4);
          contexts[i] = context4;
        }), !1, !1), () => mergeAll2(...contexts));
      });
    }
  }
}, catchAll2 = /* @__PURE__ */ dual(2, (self, onFailure) => match10(self, {
  onFailure,
  onSuccess: succeedContext
})), catchAllCause2 = /* @__PURE__ */ dual(2, (self, onFailure) => matchCause3(self, {
  onFailure,
  onSuccess: succeedContext
})), die5 = (defect) => failCause5(die4(defect));
var context2 = () => fromEffectContext(context());
var fail6 = (error) => failCause5(fail4(error)), failSync2 = (evaluate2) => failCauseSync2(() => fail4(evaluate2())), failCause5 = (cause2) => fromEffectContext(failCause(cause2)), failCauseSync2 = (evaluate2) => fromEffectContext(failCauseSync(evaluate2)), flatMap10 = /* @__PURE__ */ dual(2, (self, f) => match10(self, {
  onFailure: fail6,
  onSuccess: f
}));
var fresh = (self) => {
  let fresh2 = Object.create(proto3);
  return fresh2._op_layer = OP_FRESH, fresh2.layer = self, fresh2;
}, fromEffect3 = /* @__PURE__ */ dual(2, (a, b) => {
  let tagFirst = isTag2(a), tag = tagFirst ? a : b;
  return fromEffectContext(map11(tagFirst ? b : a, (service2) => make4(tag, service2)));
});
function fromEffectContext(effect) {
  let fromEffect4 = Object.create(proto3);
  return fromEffect4._op_layer = OP_FROM_EFFECT, fromEffect4.effect = effect, fromEffect4;
}
var mapError2 = /* @__PURE__ */ dual(2, (self, f) => catchAll2(self, (error) => failSync2(() => f(error)))), matchCause3 = /* @__PURE__ */ dual(2, (self, {
  onFailure,
  onSuccess
}) => {
  let fold = Object.create(proto3);
  return fold._op_layer = OP_FOLD, fold.layer = self, fold.failureK = onFailure, fold.successK = onSuccess, fold;
}), match10 = /* @__PURE__ */ dual(2, (self, {
  onFailure,
  onSuccess
}) => matchCause3(self, {
  onFailure: (cause2) => {
    let failureOrCause3 = failureOrCause2(cause2);
    switch (failureOrCause3._tag) {
      case "Left":
        return onFailure(failureOrCause3.left);
      case "Right":
        return failCause5(failureOrCause3.right);
    }
  },
  onSuccess
}));
var merge5 = /* @__PURE__ */ dual(2, (self, that) => zipWith3(self, that, (a, b) => merge3(a, b))), mergeAll3 = (...layers) => {
  let mergeAll5 = Object.create(proto3);
  return mergeAll5._op_layer = OP_MERGE_ALL, mergeAll5.layers = layers, mergeAll5;
}, orDie2 = (self) => catchAll2(self, (defect) => die5(defect));
var scoped = /* @__PURE__ */ dual(2, (a, b) => {
  let tagFirst = isTag2(a), tag = tagFirst ? a : b;
  return scopedContext(map11(tagFirst ? b : a, (service2) => make4(tag, service2)));
}), scopedDiscard = (effect) => scopedContext(pipe(effect, as(empty2()))), scopedContext = (effect) => {
  let scoped3 = Object.create(proto3);
  return scoped3._op_layer = OP_SCOPED, scoped3.effect = effect, scoped3;
};
var service = (tag) => fromEffect3(tag, tag), succeed5 = /* @__PURE__ */ dual(2, (a, b) => {
  let tagFirst = isTag2(a);
  return fromEffectContext(succeed(make4(tagFirst ? a : b, tagFirst ? b : a)));
}), succeedContext = (context4) => fromEffectContext(succeed(context4)), empty30 = /* @__PURE__ */ succeedContext(/* @__PURE__ */ empty2()), suspend3 = (evaluate2) => {
  let suspend5 = Object.create(proto3);
  return suspend5._op_layer = OP_SUSPEND, suspend5.evaluate = evaluate2, suspend5;
}, sync3 = /* @__PURE__ */ dual(2, (a, b) => {
  let tagFirst = isTag2(a), tag = tagFirst ? a : b, evaluate2 = tagFirst ? b : a;
  return fromEffectContext(sync(() => make4(tag, evaluate2())));
});
var provide = /* @__PURE__ */ dual(2, (self, that) => suspend3(() => {
  let provideTo = Object.create(proto3);
  return provideTo._op_layer = OP_PROVIDE, provideTo.first = Object.create(proto3, {
    _op_layer: {
      value: OP_PROVIDE_MERGE,
      enumerable: !0
    },
    first: {
      value: context2(),
      enumerable: !0
    },
    second: {
      value: Array.isArray(that) ? mergeAll3(...that) : that
    },
    zipK: {
      value: (a, b) => pipe(a, merge3(b))
    }
  }), provideTo.second = self, provideTo;
})), provideMerge = /* @__PURE__ */ dual(2, (that, self) => {
  let zipWith5 = Object.create(proto3);
  return zipWith5._op_layer = OP_PROVIDE_MERGE, zipWith5.first = self, zipWith5.second = provide(that, self), zipWith5.zipK = (a, b) => pipe(a, merge3(b)), zipWith5;
}), zipWith3 = /* @__PURE__ */ dual(3, (self, that, f) => suspend3(() => {
  let zipWith5 = Object.create(proto3);
  return zipWith5._op_layer = OP_ZIP_WITH2, zipWith5.first = self, zipWith5.second = that, zipWith5.zipK = f, zipWith5;
})), unwrapEffect = (self) => {
  let tag = GenericTag("effect/Layer/unwrapEffect/Layer.Layer<R1, E1, A>");
  return flatMap10(fromEffect3(tag, self), (context4) => get2(context4, tag));
}, unwrapScoped = (self) => {
  let tag = GenericTag("effect/Layer/unwrapScoped/Layer.Layer<R1, E1, A>");
  return flatMap10(scoped(tag, self), (context4) => get2(context4, tag));
};
var provideSomeLayer = /* @__PURE__ */ dual(2, (self, layer) => scopedWith((scope3) => flatMap8(buildWithScope(layer, scope3), (context4) => provideSomeContext(self, context4)))), provideSomeRuntime = /* @__PURE__ */ dual(2, (self, rt) => {
  let patchRefs = diff6(defaultRuntime.fiberRefs, rt.fiberRefs), patchFlags = diff4(defaultRuntime.runtimeFlags, rt.runtimeFlags);
  return uninterruptibleMask((restore) => withFiberRuntime((fiber) => {
    let oldContext = fiber.getFiberRef(currentContext), oldRefs = fiber.getFiberRefs(), newRefs = patch7(fiber.id(), oldRefs)(patchRefs), oldFlags = fiber.currentRuntimeFlags, newFlags = patch4(patchFlags)(oldFlags), rollbackRefs = diff6(newRefs, oldRefs), rollbackFlags = diff4(newFlags, oldFlags);
    return fiber.setFiberRefs(newRefs), fiber.currentRuntimeFlags = newFlags, ensuring(provideSomeContext(restore(self), merge3(oldContext, rt.context)), withFiberRuntime((fiber2) => (fiber2.setFiberRefs(patch7(fiber2.id(), fiber2.getFiberRefs())(rollbackRefs)), fiber2.currentRuntimeFlags = patch4(rollbackFlags)(fiber2.currentRuntimeFlags), void_)));
  }));
}), effect_provide = /* @__PURE__ */ dual(2, (self, source) => Array.isArray(source) ? provideSomeLayer(self, mergeAll3(...source)) : isLayer(source) ? provideSomeLayer(self, source) : isContext2(source) ? provideSomeContext(self, source) : TypeId11 in source ? flatMap8(source.runtimeEffect, (rt) => provideSomeRuntime(self, rt)) : provideSomeRuntime(self, source));

// node_modules/effect/dist/esm/internal/schedule.js
var ScheduleSymbolKey = "effect/Schedule", ScheduleTypeId = /* @__PURE__ */ Symbol.for(ScheduleSymbolKey), isSchedule = (u) => hasProperty(u, ScheduleTypeId), ScheduleDriverSymbolKey = "effect/ScheduleDriver", ScheduleDriverTypeId = /* @__PURE__ */ Symbol.for(ScheduleDriverSymbolKey), defaultIterationMetadata = {
  start: 0,
  now: 0,
  input: void 0,
  output: void 0,
  elapsed: zero,
  elapsedSincePrevious: zero,
  recurrence: 0
}, CurrentIterationMetadata = /* @__PURE__ */ Reference2()("effect/Schedule/CurrentIterationMetadata", {
  defaultValue: () => defaultIterationMetadata
}), scheduleVariance = {
  /* c8 ignore next */
  _Out: (_) => _,
  /* c8 ignore next */
  _In: (_) => _,
  /* c8 ignore next */
  _R: (_) => _
}, scheduleDriverVariance = {
  /* c8 ignore next */
  _Out: (_) => _,
  /* c8 ignore next */
  _In: (_) => _,
  /* c8 ignore next */
  _R: (_) => _
}, ScheduleImpl = class {
  initial;
  step;
  [ScheduleTypeId] = scheduleVariance;
  constructor(initial, step3) {
    this.initial = initial, this.step = step3;
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
}, updateInfo = (iterationMetaRef, now, input, output) => update2(iterationMetaRef, (prev) => prev.recurrence === 0 ? {
  now,
  input,
  output,
  recurrence: prev.recurrence + 1,
  elapsed: zero,
  elapsedSincePrevious: zero,
  start: now
} : {
  now,
  input,
  output,
  recurrence: prev.recurrence + 1,
  elapsed: millis(now - prev.start),
  elapsedSincePrevious: millis(now - prev.now),
  start: prev.start
}), ScheduleDriverImpl = class {
  schedule;
  ref;
  [ScheduleDriverTypeId] = scheduleDriverVariance;
  constructor(schedule2, ref) {
    this.schedule = schedule2, this.ref = ref;
  }
  get state() {
    return map11(get10(this.ref), (tuple) => tuple[1]);
  }
  get last() {
    return flatMap8(get10(this.ref), ([element, _]) => {
      switch (element._tag) {
        case "None":
          return failSync(() => new NoSuchElementException());
        case "Some":
          return succeed(element.value);
      }
    });
  }
  iterationMeta = /* @__PURE__ */ unsafeMake5(defaultIterationMetadata);
  get reset() {
    return set5(this.ref, [none2(), this.schedule.initial]).pipe(zipLeft(set5(this.iterationMeta, defaultIterationMetadata)));
  }
  next(input) {
    return pipe(map11(get10(this.ref), (tuple) => tuple[1]), flatMap8((state) => pipe(currentTimeMillis2, flatMap8((now) => pipe(suspend(() => this.schedule.step(now, input, state)), flatMap8(([state2, out, decision]) => {
      let setState = set5(this.ref, [some2(out), state2]);
      if (isDone4(decision))
        return setState.pipe(zipRight(fail2(none2())));
      let millis2 = start2(decision.intervals) - now;
      if (millis2 <= 0)
        return setState.pipe(zipRight(updateInfo(this.iterationMeta, now, input, out)), as(out));
      let duration = millis(millis2);
      return pipe(setState, zipRight(updateInfo(this.iterationMeta, now, input, out)), zipRight(sleep3(duration)), as(out));
    }))))));
  }
}, makeWithState = (initial, step3) => new ScheduleImpl(initial, step3), addDelay = /* @__PURE__ */ dual(2, (self, f) => addDelayEffect(self, (out) => sync(() => f(out)))), addDelayEffect = /* @__PURE__ */ dual(2, (self, f) => modifyDelayEffect(self, (out, duration) => map11(f(out), (delay3) => sum(duration, decode(delay3)))));
var check = /* @__PURE__ */ dual(2, (self, test) => checkEffect(self, (input, out) => sync(() => test(input, out)))), checkEffect = /* @__PURE__ */ dual(2, (self, test) => makeWithState(self.initial, (now, input, state) => flatMap8(self.step(now, input, state), ([state2, out, decision]) => isDone4(decision) ? succeed([state2, out, done6]) : map11(test(input, out), (cont) => cont ? [state2, out, decision] : [state2, out, done6]))));
var delayedEffect = /* @__PURE__ */ dual(2, (self, f) => modifyDelayEffect(self, (_, delay3) => f(delay3))), delayedSchedule = (schedule2) => addDelay(schedule2, (x) => x);
var driver = (self) => pipe(make24([none2(), self.initial]), map11((ref) => new ScheduleDriverImpl(self, ref)));
var exponential2 = (baseInput, factor = 2) => {
  let base = decode(baseInput);
  return delayedSchedule(map16(forever2, (i) => times(base, Math.pow(factor, i))));
};
var identity2 = () => makeWithState(void 0, (now, input, state) => succeed([state, input, continueWith2(after2(now))])), intersect5 = /* @__PURE__ */ dual(2, (self, that) => intersectWith(self, that, intersect4)), intersectWith = /* @__PURE__ */ dual(3, (self, that, f) => makeWithState([self.initial, that.initial], (now, input, state) => pipe(zipWith2(self.step(now, input, state[0]), that.step(now, input, state[1]), (a, b) => [a, b]), flatMap8(([[lState, out, lDecision], [rState, out2, rDecision]]) => isContinue2(lDecision) && isContinue2(rDecision) ? intersectWithLoop(self, that, input, lState, out, lDecision.intervals, rState, out2, rDecision.intervals, f) : succeed([[lState, rState], [out, out2], done6]))))), intersectWithLoop = (self, that, input, lState, out, lInterval, rState, out2, rInterval, f) => {
  let combined = f(lInterval, rInterval);
  return isNonEmpty4(combined) ? succeed([[lState, rState], [out, out2], _continue2(combined)]) : pipe(lInterval, lessThan6(rInterval)) ? flatMap8(self.step(end2(lInterval), input, lState), ([lState2, out3, decision]) => isDone4(decision) ? succeed([[lState2, rState], [out3, out2], done6]) : intersectWithLoop(self, that, input, lState2, out3, decision.intervals, rState, out2, rInterval, f)) : flatMap8(that.step(end2(rInterval), input, rState), ([rState2, out22, decision]) => isDone4(decision) ? succeed([[lState, rState2], [out, out22], done6]) : intersectWithLoop(self, that, input, lState, out, lInterval, rState2, out22, decision.intervals, f));
}, jittered = (self) => jitteredWith(self, {
  min: 0.8,
  max: 1.2
}), jitteredWith = /* @__PURE__ */ dual(2, (self, options) => {
  let {
    max: max6,
    min: min4
  } = Object.assign({
    min: 0.8,
    max: 1.2
  }, options);
  return delayedEffect(self, (duration) => map11(next2, (random3) => {
    let d = toMillis(duration), jittered2 = d * min4 * (1 - random3) + d * max6 * random3;
    return millis(jittered2);
  }));
});
var map16 = /* @__PURE__ */ dual(2, (self, f) => mapEffect2(self, (out) => sync(() => f(out)))), mapEffect2 = /* @__PURE__ */ dual(2, (self, f) => makeWithState(self.initial, (now, input, state) => flatMap8(self.step(now, input, state), ([state2, out, decision]) => map11(f(out), (out2) => [state2, out2, decision]))));
var modifyDelay = /* @__PURE__ */ dual(2, (self, f) => modifyDelayEffect(self, (out, duration) => sync(() => f(out, duration)))), modifyDelayEffect = /* @__PURE__ */ dual(2, (self, f) => makeWithState(self.initial, (now, input, state) => flatMap8(self.step(now, input, state), ([state2, out, decision]) => {
  if (isDone4(decision))
    return succeed([state2, out, decision]);
  let intervals = decision.intervals, delay3 = size9(make36(now, start2(intervals)));
  return map11(f(out, delay3), (durationInput) => {
    let duration = decode(durationInput), oldStart = start2(intervals), newStart = now + toMillis(duration), delta = newStart - oldStart, newEnd = Math.max(0, end2(intervals) + delta), newInterval = make36(newStart, newEnd);
    return [state2, out, continueWith2(newInterval)];
  });
})));
var passthrough = (self) => makeWithState(self.initial, (now, input, state) => pipe(self.step(now, input, state), map11(([state2, _, decision]) => [state2, input, decision])));
var recurUpTo = (durationInput) => {
  let duration = decode(durationInput);
  return whileOutput(elapsed, (elapsed2) => lessThan(elapsed2, duration));
};
var recurs = (n) => whileOutput(forever2, (out) => out < n);
var spaced = (duration) => addDelay(forever2, () => duration);
var unfold2 = (initial, f) => makeWithState(initial, (now, _, state) => sync(() => [f(state), state, continueWith2(after2(now))])), union8 = /* @__PURE__ */ dual(2, (self, that) => unionWith2(self, that, union7)), unionWith2 = /* @__PURE__ */ dual(3, (self, that, f) => makeWithState([self.initial, that.initial], (now, input, state) => zipWith2(self.step(now, input, state[0]), that.step(now, input, state[1]), ([lState, l, lDecision], [rState, r, rDecision]) => {
  if (isDone4(lDecision) && isDone4(rDecision))
    return [[lState, rState], [l, r], done6];
  if (isDone4(lDecision) && isContinue2(rDecision))
    return [[lState, rState], [l, r], _continue2(rDecision.intervals)];
  if (isContinue2(lDecision) && isDone4(rDecision))
    return [[lState, rState], [l, r], _continue2(lDecision.intervals)];
  if (isContinue2(lDecision) && isContinue2(rDecision)) {
    let combined = f(lDecision.intervals, rDecision.intervals);
    return [[lState, rState], [l, r], _continue2(combined)];
  }
  throw new Error("BUG: Schedule.unionWith - please report an issue at https://github.com/Effect-TS/effect/issues");
})));
var untilInputEffect = /* @__PURE__ */ dual(2, (self, f) => checkEffect(self, (input, _) => negate(f(input))));
var upTo = /* @__PURE__ */ dual(2, (self, duration) => zipLeft2(self, recurUpTo(duration))), whileInput = /* @__PURE__ */ dual(2, (self, f) => check(self, (input, _) => f(input))), whileInputEffect = /* @__PURE__ */ dual(2, (self, f) => checkEffect(self, (input, _) => f(input))), whileOutput = /* @__PURE__ */ dual(2, (self, f) => check(self, (_, out) => f(out)));
var zipLeft2 = /* @__PURE__ */ dual(2, (self, that) => map16(intersect5(self, that), (out) => out[0]));
var ScheduleDefectTypeId = /* @__PURE__ */ Symbol.for("effect/Schedule/ScheduleDefect"), ScheduleDefect = class {
  error;
  [ScheduleDefectTypeId];
  constructor(error) {
    this.error = error, this[ScheduleDefectTypeId] = ScheduleDefectTypeId;
  }
}, isScheduleDefect = (u) => hasProperty(u, ScheduleDefectTypeId), scheduleDefectWrap = (self) => catchAll(self, (e) => die2(new ScheduleDefect(e))), scheduleDefectRefailCause = (cause2) => match(find(cause2, (_) => isDieType(_) && isScheduleDefect(_.defect) ? some2(_.defect) : none2()), {
  onNone: () => cause2,
  onSome: (error) => fail(error.error)
}), scheduleDefectRefail = (effect) => catchAllCause(effect, (cause2) => failCause(scheduleDefectRefailCause(cause2))), repeat_Effect = /* @__PURE__ */ dual(2, (self, schedule2) => repeatOrElse_Effect(self, schedule2, (e, _) => fail2(e))), repeat_combined = /* @__PURE__ */ dual(2, (self, options) => {
  if (isSchedule(options))
    return repeat_Effect(self, options);
  let base = options.schedule ?? passthrough(forever2), withWhile = options.while ? whileInputEffect(base, (a) => {
    let applied = options.while(a);
    return typeof applied == "boolean" ? succeed(applied) : scheduleDefectWrap(applied);
  }) : base, withUntil = options.until ? untilInputEffect(withWhile, (a) => {
    let applied = options.until(a);
    return typeof applied == "boolean" ? succeed(applied) : scheduleDefectWrap(applied);
  }) : withWhile, withTimes = options.times ? intersect5(withUntil, recurs(options.times)).pipe(map16((intersectionPair) => intersectionPair[0])) : withUntil;
  return scheduleDefectRefail(repeat_Effect(self, withTimes));
}), repeatOrElse_Effect = /* @__PURE__ */ dual(3, (self, schedule2, orElse5) => flatMap8(driver(schedule2), (driver2) => matchEffect(self, {
  onFailure: (error) => orElse5(error, none2()),
  onSuccess: (value) => repeatOrElseEffectLoop(provideServiceEffect(self, CurrentIterationMetadata, get10(driver2.iterationMeta)), driver2, (error, option3) => provideServiceEffect(orElse5(error, option3), CurrentIterationMetadata, get10(driver2.iterationMeta)), value)
}))), repeatOrElseEffectLoop = (self, driver2, orElse5, value) => matchEffect(driver2.next(value), {
  onFailure: () => orDie(driver2.last),
  onSuccess: (b) => matchEffect(self, {
    onFailure: (error) => orElse5(error, some2(b)),
    onSuccess: (value2) => repeatOrElseEffectLoop(self, driver2, orElse5, value2)
  })
}), retry_Effect = /* @__PURE__ */ dual(2, (self, policy) => retryOrElse_Effect(self, policy, (e, _) => fail2(e))), retry_combined = /* @__PURE__ */ dual(2, (self, options) => isSchedule(options) ? retry_Effect(self, options) : scheduleDefectRefail(retry_Effect(self, fromRetryOptions(options)))), fromRetryOptions = (options) => {
  let base = options.schedule ?? forever2, withWhile = options.while ? whileInputEffect(base, (e) => {
    let applied = options.while(e);
    return typeof applied == "boolean" ? succeed(applied) : scheduleDefectWrap(applied);
  }) : base, withUntil = options.until ? untilInputEffect(withWhile, (e) => {
    let applied = options.until(e);
    return typeof applied == "boolean" ? succeed(applied) : scheduleDefectWrap(applied);
  }) : withWhile;
  return options.times !== void 0 ? intersect5(withUntil, recurs(options.times)) : withUntil;
}, retryOrElse_Effect = /* @__PURE__ */ dual(3, (self, policy, orElse5) => flatMap8(driver(policy), (driver2) => retryOrElse_EffectLoop(provideServiceEffect(self, CurrentIterationMetadata, get10(driver2.iterationMeta)), driver2, (e, out) => provideServiceEffect(orElse5(e, out), CurrentIterationMetadata, get10(driver2.iterationMeta))))), retryOrElse_EffectLoop = (self, driver2, orElse5) => catchAll(self, (e) => matchEffect(driver2.next(e), {
  onFailure: () => pipe(driver2.last, orDie, flatMap8((out) => orElse5(e, out))),
  onSuccess: () => retryOrElse_EffectLoop(self, driver2, orElse5)
})), schedule_Effect = /* @__PURE__ */ dual(2, (self, schedule2) => scheduleFrom_Effect(self, void 0, schedule2)), scheduleFrom_Effect = /* @__PURE__ */ dual(3, (self, initial, schedule2) => flatMap8(driver(schedule2), (driver2) => scheduleFrom_EffectLoop(provideServiceEffect(self, CurrentIterationMetadata, get10(driver2.iterationMeta)), initial, driver2))), scheduleFrom_EffectLoop = (self, initial, driver2) => matchEffect(driver2.next(initial), {
  onFailure: () => orDie(driver2.last),
  onSuccess: () => flatMap8(self, (a) => scheduleFrom_EffectLoop(self, a, driver2))
});
var elapsed = /* @__PURE__ */ makeWithState(/* @__PURE__ */ none2(), (now, _, state) => {
  switch (state._tag) {
    case "None":
      return succeed([some2(now), zero, continueWith2(after2(now))]);
    case "Some":
      return succeed([some2(state.value), millis(now - state.value), continueWith2(after2(now))]);
  }
}), forever2 = /* @__PURE__ */ unfold2(0, (n) => n + 1);

// node_modules/effect/dist/esm/Effect.js
var isEffect2 = isEffect, cachedWithTTL = cached2;
var cached3 = memoize;
var all4 = all3;
var filter8 = filter7;
var forEach9 = forEach8;
var partition4 = partition3, reduce12 = reduce10;
var async2 = async_;
var withFiberRuntime2 = withFiberRuntime, fail7 = fail2, failSync3 = failSync, failCause6 = failCause;
var die6 = die2, dieMessage2 = dieMessage;
var gen2 = gen, never3 = never;
var promise2 = promise, succeed6 = succeed, succeedNone2 = succeedNone;
var suspend4 = suspend, sync4 = sync, _void = void_;
var yieldNow4 = yieldNow;
var catchAll3 = catchAll, catchAllCause3 = catchAllCause, catchAllDefect2 = catchAllDefect, catchIf2 = catchIf;
var catchSomeCause2 = catchSomeCause, catchSomeDefect2 = catchSomeDefect, catchTag2 = catchTag, catchTags2 = catchTags;
var ignore2 = ignore, ignoreLogged2 = ignoreLogged;
var sandbox2 = sandbox, retry = retry_combined;
var try_2 = try_;
var tryMap2 = tryMap;
var tryPromise2 = tryPromise;
var disconnect2 = disconnect, interrupt5 = interrupt2;
var interruptible4 = interruptible2;
var onInterrupt2 = onInterrupt, uninterruptible2 = uninterruptible, uninterruptibleMask3 = uninterruptibleMask;
var as4 = as, asSome2 = asSome;
var asVoid3 = asVoid, flip2 = flip;
var map17 = map11;
var mapBoth3 = mapBoth, mapError3 = mapError;
var negate2 = negate, acquireRelease2 = acquireRelease;
var acquireUseRelease2 = acquireUseRelease, addFinalizer3 = addFinalizer, ensuring2 = ensuring, onError2 = onError, onExit3 = onExit;
var scope2 = scope, scopeWith2 = scopeWith, scopedWith2 = scopedWith, scoped2 = scopedEffect;
var fiberId2 = fiberId, fiberIdWith2 = fiberIdWith, fork3 = fork, forkDaemon2 = forkDaemon;
var forkIn2 = forkIn, forkScoped2 = forkScoped;
var withScheduler2 = withScheduler, withSchedulingPriority2 = withSchedulingPriority;
var clock2 = clock;
var withClock2 = withClock;
var delay2 = delay, sleep4 = sleep3, timed2 = timed;
var timeout2 = timeout, timeoutOption2 = timeoutOption, timeoutFail2 = timeoutFail;
var timeoutTo2 = timeoutTo;
var withConfigProvider2 = withConfigProvider;
var context3 = context;
var contextWithEffect2 = contextWithEffect, mapInputContext2 = mapInputContext, provide2 = effect_provide, provideService2 = provideService, provideServiceEffect2 = provideServiceEffect;
var serviceFunctions2 = serviceFunctions;
var serviceOption2 = serviceOption;
var bind3 = bind2;
var bindTo3 = bindTo2;
var option2 = option, either3 = either2, exit3 = exit, intoDeferred2 = intoDeferred;
var filterOrDie2 = filterOrDie;
var filterOrFail2 = filterOrFail;
var when2 = when, whenEffect2 = whenEffect;
var flatMap11 = flatMap8, andThen4 = andThen2, flatten6 = flatten3, race2 = race;
var raceFirst2 = raceFirst, raceWith2 = raceWith;
var tap2 = tap, tapBoth2 = tapBoth, tapDefect2 = tapDefect, tapError2 = tapError, tapErrorTag2 = tapErrorTag, tapErrorCause2 = tapErrorCause, forever3 = forever, iterate2 = iterate;
var repeat = repeat_combined, repeatN2 = repeatN;
var schedule = schedule_Effect;
var whileLoop3 = whileLoop;
var locally = fiberRefLocally;
var match11 = match8, matchCause4 = matchCause, matchCauseEffect3 = matchCauseEffect, matchEffect2 = matchEffect;
var logDebug2 = logDebug, logInfo2 = logInfo, logWarning2 = logWarning, logError2 = logError;
var annotateLogs2 = annotateLogs;
var orDie3 = orDie;
var orElse4 = orElse;
var orElseSucceed2 = orElseSucceed;
var withRandom2 = withRandom;
var runtime4 = runtime3;
var unsafeMakeSemaphore2 = unsafeMakeSemaphore, makeSemaphore2 = makeSemaphore, unsafeMakeLatch2 = unsafeMakeLatch, makeLatch2 = makeLatch, runFork2 = unsafeForkEffect;
var runPromiseExit = unsafeRunPromiseExitEffect, runSync = unsafeRunSyncEffect;
var zip5 = zipOptions, zipLeft3 = zipLeftOptions, zipRight3 = zipRightOptions, zipWith4 = zipWithOptions;
var tracer2 = tracer;
var withTracerEnabled2 = withTracerEnabled;
var annotateCurrentSpan2 = annotateCurrentSpan;
var currentParentSpan2 = currentParentSpan;
var makeSpan2 = makeSpan, makeSpanScoped2 = makeSpanScoped, useSpan2 = useSpan, withSpan2 = withSpan;
var withParentSpan2 = withParentSpan;
var makeTagProxy = (TagClass) => {
  let cache = /* @__PURE__ */ new Map();
  return new Proxy(TagClass, {
    get(target, prop, receiver) {
      if (prop in target)
        return Reflect.get(target, prop, receiver);
      if (cache.has(prop))
        return cache.get(prop);
      let fn2 = (...args2) => andThen2(target, (s) => typeof s[prop] == "function" ? (cache.set(prop, (...args3) => andThen2(target, (s2) => s2[prop](...args3))), s[prop](...args2)) : (cache.set(prop, andThen2(target, (s2) => s2[prop])), s[prop])), cn = andThen2(target, (s) => s[prop]);
      Object.assign(fn2, cn);
      let apply = fn2.apply, bind4 = fn2.bind, call = fn2.call, proto4 = Object.setPrototypeOf({}, Object.getPrototypeOf(cn));
      return proto4.apply = apply, proto4.bind = bind4, proto4.call = call, Object.setPrototypeOf(fn2, proto4), cache.set(prop, fn2), fn2;
    }
  });
};
var Service = function() {
  return function() {
    let [id2, maker] = arguments, proxy = "accessors" in maker ? maker.accessors : !1, limit = getStackTraceLimit();
    setStackTraceLimit(2);
    let creationError = new Error();
    setStackTraceLimit(limit);
    let patchState = "unchecked", TagClass = function(service2) {
      if (patchState === "unchecked") {
        let proto4 = Object.getPrototypeOf(service2);
        if (proto4 === Object.prototype || proto4 === null)
          patchState = "plain";
        else {
          let selfProto = Object.getPrototypeOf(this);
          Object.setPrototypeOf(selfProto, proto4), patchState = "patched";
        }
      }
      if (patchState === "plain")
        Object.assign(this, service2);
      else if (patchState === "patched")
        return Object.setPrototypeOf(service2, Object.getPrototypeOf(this)), service2;
    };
    TagClass.prototype._tag = id2, Object.defineProperty(TagClass, "make", {
      get() {
        return (service2) => new this(service2);
      }
    }), Object.defineProperty(TagClass, "use", {
      get() {
        return (body) => andThen2(this, body);
      }
    }), TagClass.key = id2, Object.assign(TagClass, TagProto), Object.defineProperty(TagClass, "stack", {
      get() {
        return creationError.stack;
      }
    });
    let hasDeps = "dependencies" in maker && maker.dependencies.length > 0, layerName = hasDeps ? "DefaultWithoutDependencies" : "Default", layerCache, isFunction2 = !1;
    if ("effect" in maker ? (isFunction2 = typeof maker.effect == "function", Object.defineProperty(TagClass, layerName, {
      get() {
        return isFunction2 ? function() {
          return fromEffect3(TagClass, map17(maker.effect.apply(null, arguments), (_) => new this(_)));
        }.bind(this) : layerCache ??= fromEffect3(TagClass, map17(maker.effect, (_) => new this(_)));
      }
    })) : "scoped" in maker ? (isFunction2 = typeof maker.scoped == "function", Object.defineProperty(TagClass, layerName, {
      get() {
        return isFunction2 ? function() {
          return scoped(TagClass, map17(maker.scoped.apply(null, arguments), (_) => new this(_)));
        }.bind(this) : layerCache ??= scoped(TagClass, map17(maker.scoped, (_) => new this(_)));
      }
    })) : "sync" in maker ? Object.defineProperty(TagClass, layerName, {
      get() {
        return layerCache ??= sync3(TagClass, () => new this(maker.sync()));
      }
    }) : Object.defineProperty(TagClass, layerName, {
      get() {
        return layerCache ??= succeed5(TagClass, new this(maker.succeed));
      }
    }), hasDeps) {
      let layerWithDepsCache;
      Object.defineProperty(TagClass, "Default", {
        get() {
          return isFunction2 ? function() {
            return provide(this.DefaultWithoutDependencies.apply(null, arguments), maker.dependencies);
          } : layerWithDepsCache ??= provide(this.DefaultWithoutDependencies, maker.dependencies);
        }
      });
    }
    return proxy === !0 ? makeTagProxy(TagClass) : TagClass;
  };
}, fn = function(nameOrBody, ...pipeables) {
  let limit = getStackTraceLimit();
  setStackTraceLimit(2);
  let errorDef = new Error();
  if (setStackTraceLimit(limit), typeof nameOrBody != "string")
    return defineLength(nameOrBody.length, function(...args2) {
      let limit2 = getStackTraceLimit();
      setStackTraceLimit(2);
      let errorCall = new Error();
      return setStackTraceLimit(limit2), fnApply({
        self: this,
        body: nameOrBody,
        args: args2,
        pipeables,
        spanName: "<anonymous>",
        spanOptions: {
          context: DisablePropagation.context(!0)
        },
        errorDef,
        errorCall
      });
    });
  let name = nameOrBody, options = pipeables[0];
  return (body, ...pipeables2) => defineLength(body.length, {
    [name](...args2) {
      let limit2 = getStackTraceLimit();
      setStackTraceLimit(2);
      let errorCall = new Error();
      return setStackTraceLimit(limit2), fnApply({
        self: this,
        body,
        args: args2,
        pipeables: pipeables2,
        spanName: name,
        spanOptions: options,
        errorDef,
        errorCall
      });
    }
  }[name]);
};
function defineLength(length, fn2) {
  return Object.defineProperty(fn2, "length", {
    value: length,
    configurable: !0
  });
}
function fnApply(options) {
  let effect, fnError;
  if (isGeneratorFunction(options.body))
    effect = fromIterator(() => options.body.apply(options.self, options.args));
  else
    try {
      let result = options.body.apply(options.self, options.args);
      if (isEffect(result))
        effect = result;
      else {
        let first2 = !0;
        effect = fromIterator(() => first2 ? (first2 = !1, result) : options.body.apply(options.self, options.args));
      }
    } catch (error) {
      fnError = error, effect = die6(error);
    }
  if (options.pipeables.length > 0)
    try {
      for (let x of options.pipeables)
        effect = x(effect, ...options.args);
    } catch (error) {
      effect = fnError ? failCause6(sequential(die(fnError), die(error))) : die6(error);
    }
  let cache = !1, captureStackTrace = () => {
    if (cache !== !1)
      return cache;
    if (options.errorCall.stack) {
      let stackDef = options.errorDef.stack.trim().split(`
`), stackCall = options.errorCall.stack.trim().split(`
`), endStackDef = stackDef.slice(2).join(`
`).trim();
      endStackDef.includes("(") || (endStackDef = endStackDef.replace(/at (.*)/, "at ($1)"));
      let endStackCall = stackCall.slice(2).join(`
`).trim();
      return endStackCall.includes("(") || (endStackCall = endStackCall.replace(/at (.*)/, "at ($1)")), cache = `${endStackDef}
${endStackCall}`, cache;
    }
  }, opts = options.spanOptions && "captureStackTrace" in options.spanOptions ? options.spanOptions : {
    captureStackTrace,
    ...options.spanOptions
  };
  return withSpan2(effect, options.spanName, opts);
}
var fnUntraced2 = fnUntraced;

export {
  GenericTag,
  unsafeMake,
  empty2 as empty,
  make4 as make,
  add2 as add,
  get2 as get,
  getOrElse3 as getOrElse,
  unsafeGet2 as unsafeGet,
  getOption2 as getOption,
  merge3 as merge,
  omit2 as omit,
  Tag2 as Tag,
  Reference2 as Reference,
  head,
  unsafeHead,
  empty3 as empty2,
  map2 as map,
  filter,
  empty4 as empty3,
  isEmptyRecord,
  has,
  map3 as map2,
  set,
  allocate,
  fromIterable,
  ensure,
  matchLeft,
  appendAll,
  isArray,
  isNonEmptyArray2 as isNonEmptyArray,
  isNonEmptyReadonlyArray,
  last,
  sort,
  splitAt,
  copy,
  groupBy,
  empty5 as empty4,
  map4 as map3,
  flatMap2 as flatMap,
  flatten,
  filterMap,
  reduce,
  getEquivalence,
  isChunk,
  empty6 as empty5,
  make7 as make2,
  of2 as of,
  fromIterable2,
  toArray2 as toArray,
  toReadonlyArray,
  reverse2 as reverse,
  unsafeFromArray,
  unsafeGet4 as unsafeGet2,
  append2 as append,
  prepend2 as prepend,
  take,
  drop2 as drop,
  appendAll2,
  filterMap2,
  filter3 as filter2,
  flatMap3 as flatMap2,
  forEach,
  chunksOf,
  isEmpty,
  isNonEmpty,
  head3 as head2,
  unsafeHead2,
  map5 as map4,
  mapAccum2 as mapAccum,
  splitWhere,
  takeRight,
  takeWhile,
  range,
  some3 as some,
  reduce2,
  has4 as has2,
  size3 as size,
  add4 as add2,
  remove4 as remove,
  prettyErrorMessage,
  decode,
  isDuration,
  isFinite,
  isZero,
  zero,
  infinity,
  nanos,
  millis,
  seconds,
  minutes,
  hours,
  days,
  toMillis,
  toSeconds,
  Equivalence,
  min2 as min,
  max2 as max,
  subtract,
  sum,
  lessThanOrEqualTo,
  greaterThan2 as greaterThan,
  format2 as format,
  make12 as make3,
  compareAndSet,
  get6 as get2,
  set3 as set2,
  none4 as none,
  runtime2 as runtime,
  composite2 as composite,
  combine3 as combine,
  combineAll2 as combineAll,
  ids2 as ids,
  make14 as make4,
  threadName2 as threadName,
  get7 as get3,
  toEntries,
  map8 as map5,
  struct,
  DeferredTypeId,
  withFiberRuntime,
  acquireUseRelease,
  as,
  asVoid,
  asyncInterrupt,
  catchAllCause,
  catchAll,
  exit,
  fail2 as fail,
  fiberId,
  flatMap8 as flatMap3,
  forEachSequentialDiscard,
  interrupt2 as interrupt,
  interruptible2 as interruptible,
  interruptibleMask,
  map11 as map6,
  onInterrupt,
  succeed,
  suspend,
  sync,
  tap,
  uninterruptible,
  uninterruptibleMask,
  void_,
  whenEffect,
  fnUntraced,
  zipLeft,
  zipRight,
  interruptFiber,
  fiberRefGet,
  fiberRefSet,
  fiberRefLocally,
  fiberRefUnsafeMake,
  currentContext,
  currentLogAnnotations,
  currentUnhandledErrorLogLevel,
  currentTracerEnabled,
  scopeClose,
  YieldableError,
  ExceededCapacityException,
  exitAs,
  exitFail,
  exitFailCause,
  exitSucceed,
  exitVoid,
  exitZipRight,
  deferredUnsafeMake,
  deferredMake,
  deferredAwait,
  deferredComplete,
  deferredDone,
  deferredFail,
  deferredFailCause,
  deferredInterrupt,
  deferredInterruptWith,
  deferredIsDone,
  deferredPoll,
  deferredSucceed,
  deferredUnsafeDone,
  context,
  provideContext,
  mapInputContext,
  Order2 as Order,
  parse,
  escape,
  InvalidData,
  MissingData,
  isConfigError,
  isMissingDataOnly,
  OP_CONSTANT,
  OP_FALLBACK,
  OP_LAZY,
  OP_MAP_OR_FAIL,
  OP_NESTED,
  OP_PRIMITIVE,
  OP_REDACTED,
  OP_ZIP_WITH,
  fromMap,
  orElse2 as orElse,
  liveServices,
  clockWith,
  config,
  Class,
  StructuralClass,
  sequential4 as sequential,
  parallel4 as parallel,
  getOrDefault2 as getOrDefault,
  Error2 as Error,
  Warning,
  Info,
  Debug,
  None3 as None,
  greaterThanEqual,
  TypeId8 as TypeId,
  make25 as make5,
  get11 as get4,
  modify4 as modify,
  set6 as set3,
  update3 as update,
  SyncScheduler,
  defaultShouldYield,
  ClockTypeId2 as ClockTypeId,
  currentTimeMillis2 as currentTimeMillis,
  clockWith2,
  Clock,
  ParentSpan,
  Tracer,
  make26 as make6,
  externalSpan2 as externalSpan,
  make27 as make7,
  clockWith3,
  delay,
  bind2 as bind,
  bindTo2 as bindTo,
  forever,
  sleep3 as sleep,
  succeedNone,
  when,
  isFailure,
  isSuccess,
  asVoid2,
  all2 as all,
  die3 as die,
  fail3 as fail2,
  failCause2 as failCause,
  map12 as map7,
  mapBoth2 as mapBoth,
  match5 as match,
  succeed2,
  void_2,
  zip3 as zip,
  zipRight2,
  makeLogger,
  mapInputOptions,
  fromIterable7 as fromIterable3,
  empty22 as empty6,
  get12 as get5,
  has5 as has3,
  set7 as set4,
  remove5 as remove2,
  clear,
  size5 as size2,
  isCounterState,
  isFrequencyState,
  isGaugeState,
  isHistogramState,
  isSummaryState,
  counter5 as counter,
  gauge5 as gauge,
  histogram5 as histogram,
  taggedWithLabels2 as taggedWithLabels,
  unsafeSnapshot,
  currentMinimumLogLevel,
  defaultLogger,
  currentLoggers,
  all3 as all2,
  replicateEffect,
  forEachConcurrentDiscard,
  forkDaemon,
  scopeTag,
  scopeMake,
  scopeExtend,
  fiberRefLocallyScoped,
  fiberRefLocallyScopedWith,
  ensuring,
  withTracerScoped,
  TimeoutExceptionTypeId2 as TimeoutExceptionTypeId,
  empty18 as empty7,
  fail4 as fail3,
  die4 as die2,
  interrupt3 as interrupt2,
  parallel2,
  sequential2,
  isCause2 as isCause,
  isEmptyType2 as isEmptyType,
  isFailType2 as isFailType,
  isDieType2 as isDieType,
  isInterruptType2 as isInterruptType,
  isEmpty6 as isEmpty2,
  isDie2 as isDie,
  isInterrupted2 as isInterrupted,
  isInterruptedOnly2 as isInterruptedOnly,
  failures2 as failures,
  defects2 as defects,
  interruptors2 as interruptors,
  failureOption2 as failureOption,
  failureOrCause2 as failureOrCause,
  flipCauseOption2 as flipCauseOption,
  stripSomeDefects2 as stripSomeDefects,
  map13 as map8,
  squash,
  reduce9 as reduce3,
  reduceWithContext3 as reduceWithContext,
  IllegalArgumentException2 as IllegalArgumentException,
  NoSuchElementException2 as NoSuchElementException,
  isNoSuchElementException2 as isNoSuchElementException,
  pretty2 as pretty,
  prettyErrors2 as prettyErrors,
  Scope,
  addFinalizer2 as addFinalizer,
  addFinalizerExit,
  close,
  extend2 as extend,
  fork2 as fork,
  make33 as make8,
  unsafeMakeSemaphore,
  unsafeMakeLatch,
  forkIn,
  _await2 as _await,
  awaitAll,
  getCurrentFiber2 as getCurrentFiber,
  inheritAll2 as inheritAll,
  interrupt4 as interrupt3,
  interruptAs,
  interruptAll2 as interruptAll,
  interruptAllAs2 as interruptAllAs,
  interruptFork,
  join3 as join,
  unsafeFork3 as unsafeFork,
  unsafeRunCallback,
  unsafeRunPromiseExit,
  make39 as make9,
  defaultRuntime,
  updateContext2 as updateContext,
  build,
  buildWithScope,
  catchAll2,
  catchAllCause2,
  fail6 as fail4,
  flatMap10 as flatMap4,
  fresh,
  fromEffect3 as fromEffect,
  fromEffectContext,
  mapError2 as mapError,
  merge5 as merge2,
  mergeAll3 as mergeAll,
  orDie2 as orDie,
  scoped,
  scopedDiscard,
  scopedContext,
  service,
  succeed5 as succeed3,
  empty30 as empty8,
  sync3 as sync2,
  provide,
  provideMerge,
  unwrapEffect,
  unwrapScoped,
  next2 as next,
  nextRange2 as nextRange,
  nextIntBetween2 as nextIntBetween,
  make34 as make10,
  ScheduleTypeId,
  addDelay,
  driver,
  exponential2 as exponential,
  identity2 as identity,
  intersect5 as intersect,
  jittered,
  jitteredWith,
  modifyDelay,
  passthrough,
  recurs,
  spaced,
  union8 as union,
  upTo,
  whileInput,
  forever2,
  isEffect2 as isEffect,
  cachedWithTTL,
  cached3 as cached,
  all4 as all3,
  filter8 as filter3,
  forEach9 as forEach2,
  partition4 as partition,
  reduce12 as reduce4,
  async2 as async,
  withFiberRuntime2,
  fail7 as fail5,
  failSync3 as failSync,
  failCause6 as failCause2,
  die6 as die3,
  dieMessage2 as dieMessage,
  gen2 as gen,
  never3 as never,
  promise2 as promise,
  succeed6 as succeed4,
  succeedNone2,
  suspend4 as suspend2,
  sync4 as sync3,
  _void,
  yieldNow4 as yieldNow,
  catchAll3,
  catchAllCause3,
  catchAllDefect2 as catchAllDefect,
  catchIf2 as catchIf,
  catchSomeCause2 as catchSomeCause,
  catchSomeDefect2 as catchSomeDefect,
  catchTag2 as catchTag,
  catchTags2 as catchTags,
  ignore2 as ignore,
  ignoreLogged2 as ignoreLogged,
  sandbox2 as sandbox,
  retry,
  try_2 as try_,
  tryMap2 as tryMap,
  tryPromise2 as tryPromise,
  disconnect2 as disconnect,
  interrupt5 as interrupt4,
  interruptible4 as interruptible2,
  onInterrupt2,
  uninterruptible2,
  uninterruptibleMask3 as uninterruptibleMask2,
  as4 as as2,
  asSome2 as asSome,
  asVoid3,
  flip2 as flip,
  map17 as map9,
  mapBoth3 as mapBoth2,
  mapError3 as mapError2,
  negate2 as negate,
  acquireRelease2 as acquireRelease,
  acquireUseRelease2,
  addFinalizer3 as addFinalizer2,
  ensuring2,
  onError2 as onError,
  onExit3 as onExit,
  scope2 as scope,
  scopeWith2 as scopeWith,
  scopedWith2 as scopedWith,
  scoped2,
  fiberId2,
  fiberIdWith2 as fiberIdWith,
  fork3 as fork2,
  forkDaemon2,
  forkIn2,
  forkScoped2 as forkScoped,
  withScheduler2 as withScheduler,
  withSchedulingPriority2 as withSchedulingPriority,
  clock2 as clock,
  withClock2 as withClock,
  delay2,
  sleep4 as sleep2,
  timed2 as timed,
  timeout2 as timeout,
  timeoutOption2 as timeoutOption,
  timeoutFail2 as timeoutFail,
  timeoutTo2 as timeoutTo,
  withConfigProvider2 as withConfigProvider,
  context3 as context2,
  contextWithEffect2 as contextWithEffect,
  mapInputContext2,
  provide2,
  provideService2 as provideService,
  provideServiceEffect2 as provideServiceEffect,
  serviceFunctions2 as serviceFunctions,
  serviceOption2 as serviceOption,
  bind3 as bind2,
  bindTo3 as bindTo2,
  option2 as option,
  either3 as either,
  exit3 as exit2,
  intoDeferred2 as intoDeferred,
  filterOrDie2 as filterOrDie,
  filterOrFail2 as filterOrFail,
  when2,
  whenEffect2,
  flatMap11 as flatMap5,
  andThen4 as andThen,
  flatten6 as flatten2,
  race2 as race,
  raceFirst2 as raceFirst,
  raceWith2 as raceWith,
  tap2,
  tapBoth2 as tapBoth,
  tapDefect2 as tapDefect,
  tapError2 as tapError,
  tapErrorTag2 as tapErrorTag,
  tapErrorCause2 as tapErrorCause,
  forever3,
  iterate2 as iterate,
  repeat,
  repeatN2 as repeatN,
  schedule,
  whileLoop3 as whileLoop,
  locally,
  match11 as match2,
  matchCause4 as matchCause,
  matchCauseEffect3 as matchCauseEffect,
  matchEffect2 as matchEffect,
  logDebug2 as logDebug,
  logInfo2 as logInfo,
  logWarning2 as logWarning,
  logError2 as logError,
  annotateLogs2 as annotateLogs,
  orDie3 as orDie2,
  orElse4 as orElse2,
  orElseSucceed2 as orElseSucceed,
  withRandom2 as withRandom,
  runtime4 as runtime2,
  unsafeMakeSemaphore2,
  makeSemaphore2 as makeSemaphore,
  unsafeMakeLatch2,
  makeLatch2 as makeLatch,
  runFork2 as runFork,
  runPromiseExit,
  runSync,
  zip5 as zip2,
  zipLeft3 as zipLeft2,
  zipRight3,
  zipWith4 as zipWith,
  tracer2 as tracer,
  withTracerEnabled2 as withTracerEnabled,
  annotateCurrentSpan2 as annotateCurrentSpan,
  currentParentSpan2 as currentParentSpan,
  makeSpan2 as makeSpan,
  makeSpanScoped2 as makeSpanScoped,
  useSpan2 as useSpan,
  withSpan2 as withSpan,
  withParentSpan2 as withParentSpan,
  Service,
  fn,
  fnUntraced2
};
