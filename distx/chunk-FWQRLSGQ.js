import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  adapter,
  constUndefined,
  dual,
  fromOption,
  getLeft,
  getRight,
  identity,
  isEither,
  isFunction,
  isGenKind,
  isLeft,
  isRight,
  left,
  right,
  yieldWrapGet
} from "./chunk-ANBJACJV.js";

// node_modules/effect/dist/esm/Either.js
var right2 = right;
var left2 = left, fromNullable = /* @__PURE__ */ dual(2, (self, onNullable) => self == null ? left2(onNullable(self)) : right2(self)), fromOption2 = fromOption, try_ = (evaluate) => {
  if (isFunction(evaluate))
    try {
      return right2(evaluate());
    } catch (e) {
      return left2(e);
    }
  else
    try {
      return right2(evaluate.try());
    } catch (e) {
      return left2(evaluate.catch(e));
    }
};
var isEither2 = isEither, isLeft2 = isLeft, isRight2 = isRight, getRight2 = getRight, getLeft2 = getLeft;
var mapBoth = /* @__PURE__ */ dual(2, (self, {
  onLeft,
  onRight
}) => isLeft2(self) ? left2(onLeft(self.left)) : right2(onRight(self.right))), mapLeft = /* @__PURE__ */ dual(2, (self, f) => isLeft2(self) ? left2(f(self.left)) : right2(self.right)), map = /* @__PURE__ */ dual(2, (self, f) => isRight2(self) ? right2(f(self.right)) : left2(self.left)), match = /* @__PURE__ */ dual(2, (self, {
  onLeft,
  onRight
}) => isLeft2(self) ? onLeft(self.left) : onRight(self.right)), liftPredicate = /* @__PURE__ */ dual(3, (a, predicate, orLeftWith) => predicate(a) ? right2(a) : left2(orLeftWith(a)));
var merge = /* @__PURE__ */ match({
  onLeft: identity,
  onRight: identity
}), getOrElse = /* @__PURE__ */ dual(2, (self, onLeft) => isLeft2(self) ? onLeft(self.left) : self.right);
var getOrUndefined = /* @__PURE__ */ getOrElse(constUndefined), getOrThrowWith = /* @__PURE__ */ dual(2, (self, onLeft) => {
  if (isRight2(self))
    return self.right;
  throw onLeft(self.left);
}), getOrThrow = /* @__PURE__ */ getOrThrowWith(() => new Error("getOrThrow called on a Left")), orElse = /* @__PURE__ */ dual(2, (self, that) => isLeft2(self) ? that(self.left) : right2(self.right)), flatMap = /* @__PURE__ */ dual(2, (self, f) => isLeft2(self) ? left2(self.left) : f(self.right));
var zipWith = /* @__PURE__ */ dual(3, (self, that, f) => flatMap(self, (r) => map(that, (r2) => f(r, r2))));
var all = (input) => {
  if (Symbol.iterator in input) {
    let out2 = [];
    for (let e of input) {
      if (isLeft2(e))
        return e;
      out2.push(e.right);
    }
    return right2(out2);
  }
  let out = {};
  for (let key of Object.keys(input)) {
    let e = input[key];
    if (isLeft2(e))
      return e;
    out[key] = e.right;
  }
  return right2(out);
};
var adapter2 = /* @__PURE__ */ adapter(), gen = (...args) => {
  let iterator = (args.length === 1 ? args[0] : args[1].bind(args[0]))(adapter2), state = iterator.next();
  for (; !state.done; ) {
    let current = isGenKind(state.value) ? state.value.value : yieldWrapGet(state.value);
    if (isLeft2(current))
      return current;
    state = iterator.next(current.right);
  }
  return right2(state.value);
};

export {
  right2 as right,
  left2 as left,
  fromNullable,
  fromOption2 as fromOption,
  try_,
  isEither2 as isEither,
  isLeft2 as isLeft,
  isRight2 as isRight,
  getRight2 as getRight,
  getLeft2 as getLeft,
  mapBoth,
  mapLeft,
  map,
  match,
  liftPredicate,
  merge,
  getOrElse,
  getOrUndefined,
  getOrThrowWith,
  getOrThrow,
  orElse,
  flatMap,
  zipWith,
  all,
  gen
};
