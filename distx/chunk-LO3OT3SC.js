import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  broughtIn,
  referencedSteps,
  settle,
  stepsInExpressions
} from "./chunk-OWXHLDRW.js";
import {
  Common,
  commonKeys,
  describeValue,
  isRange,
  knownKeys,
  mistakesOf,
  open,
  rangeHint,
  shapesOf,
  suspiciousKey,
  suspiciousText,
  unknownKey
} from "./chunk-PGOM52WJ.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import {
  ParseOptionsAnnotationId,
  decodeUnknownEither,
  getAnnotation,
  isTupleType,
  isTypeLiteral
} from "./chunk-PAQDWWDE.js";
import {
  forEach2 as forEach,
  gen
} from "./chunk-JGKSI326.js";
import {
  isLeft,
  isRight,
  left,
  orElse,
  right
} from "./chunk-FWQRLSGQ.js";
import {
  match
} from "./chunk-ANBJACJV.js";

// src/Pipeline/Node.ts
var namedSteps = ({ common, config, step }) => /* @__PURE__ */ new Set([...referencedSteps([config, common]), ...stepsInExpressions(step.config.ast, config)]), isMapping = (value) => typeof value == "object" && value !== null && !Array.isArray(value), partsOf = (value, steps) => isMapping(value) ? {
  steps: steps.filter(({ key }) => Object.hasOwn(value, key)),
  common: Object.fromEntries(Object.entries(value).filter(([key]) => commonKeys.includes(key)))
} : { steps: [], common: {} }, mistakesInBroken = (value, index, scope, steps) => gen(function* () {
  let path = ["steps", index], found = partsOf(value, steps), fields = yield* forEach(
    found.steps,
    ({ config, headers, key }) => decodePart(config, isMapping(value) ? value[key] : void 0, [...path, key], {
      ...scope,
      headers
    })
  ), common = yield* decodePart(Common, found.common, path, scope);
  return [...fields.flatMap(mistakesIn), ...mistakesIn(common)];
}), dispatch = (value, path, steps) => {
  if (!isMapping(value)) {
    let message2 = `a step is an object with one step key, like \`- where: metadata.statusCode = 200\`, got ${describeValue(value)}`;
    return left([{ path, message: message2 }]);
  }
  let keys = Object.keys(value), [step, other] = keys.flatMap((key) => steps.find((each) => each.key === key) ?? []);
  if (step !== void 0 && other === void 0) return right({ step, key: step.key });
  let unknown = keys.filter((key) => !commonKeys.includes(key) && !steps.some((each) => each.key === key)), beside = (named, but) => unknown.flatMap((key) => key === but ? [] : [strangerAt(key, named, path, steps)]);
  if (step !== void 0) {
    let message2 = `is two steps at once (${keys.filter((key) => steps.some((each) => each.key === key)).join(" and ")}): write each as its own list item`;
    return left([{ path, message: message2 }, ...beside(step.key)]);
  }
  let names = steps.map((each) => each.key), isLike = (key, known) => didYouMean(key, known) !== "", meant = unknown.find((key) => isLike(key, names) && !isLike(key, commonKeys)) ?? unknown.find((key) => !isLike(key, commonKeys)) ?? unknown[0];
  if (meant === void 0)
    return left([{ path, message: "names no step: write one beside its keys, like `where: \u2026`; `sluice explain` lists them" }]);
  let message = `there is no step "${meant}"${didYouMean(meant, names) || ": `sluice explain` lists the steps"}`;
  return left([{ path: [...path, meant], atKey: !0, message }, ...beside(meant, meant)]);
}, strangerAt = (key, step, path, steps) => {
  let schema = steps.find((each) => each.key === step)?.config, hint = schema !== void 0 && knownKeys(schema.ast).includes(key) ? `: it belongs within "${step}"` : didYouMean(key, commonKeys);
  return {
    path: [...path, key],
    atKey: !0,
    message: suspiciousKey(key) ?? `unknown key "${key}" beside "${step}"${hint}`
  };
}, besideStep = (step, path) => (mistake) => {
  let key = String(mistake.path[path.length]);
  return !(mistake.path.length === path.length + 1 && mistake.atKey === !0) || !commonKeys.includes(key) ? mistake : {
    ...mistake,
    message: `unknown key "${key}" within "${step}": it belongs beside "${step}", indented as far as it`
  };
}, strangers = (value, key, path, steps) => Object.keys(value).filter((each) => each !== key && !commonKeys.includes(each)).map((each) => strangerAt(each, key, path, steps)), startsWith = (path, prefix) => prefix.every((part, index) => path[index] === part), isOpen = ({ atKey, path }, unknown) => unknown.some((each) => startsWith(path, each) && (atKey !== !0 || path.length > each.length)), coerced = (value, path) => {
  let [key, ...rest] = path;
  return key === void 0 ? typeof value != "string" ? value : value === "true" || value === "false" ? value === "true" : /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value : Array.isArray(value) ? value.map((item, index) => index === key ? coerced(item, rest) : item) : isMapping(value) ? { ...value, [key]: coerced(value[String(key)], rest) } : value;
}, suspicious = (value, path) => {
  if (typeof value == "string") {
    let message = suspiciousText(value);
    return message === void 0 ? [] : [{ path, message }];
  }
  return Array.isArray(value) ? value.length === 1 && isRange(value[0]) ? [{ path, message: rangeHint }] : value.flatMap((item, index) => suspicious(item, [...path, index])) : isMapping(value) ? Object.entries(value).flatMap(([key, item]) => {
    let message = suspiciousKey(key);
    return message === void 0 ? suspicious(item, [...path, key]) : key.startsWith("{") ? [{ path, message }] : [{ path: [...path, key], atKey: !0, message }];
  }) : [];
}, torn = (raw, odd, path) => odd.flatMap((each) => {
  if (each.atKey !== !0) return [];
  let above = each.path.slice(0, -1), around = above.slice(path.length).reduce((value, key) => Array.isArray(value) ? value[Number(key)] : isMapping(value) ? value[String(key)] : void 0, raw);
  return isMapping(around) ? Object.entries(around).flatMap(
    ([key, value]) => typeof value == "string" && /[([{][^)\]}]*$/.test(value) ? [{ path: [...above, key] }] : []
  ) : [];
}), pathOf = ({ path }) => path, replaced = (value, path, by) => {
  let [key, ...rest] = path;
  if (key === void 0) return by;
  if (Array.isArray(value)) return value.map((item, index) => index === key ? replaced(item, rest, by) : item);
  if (!isMapping(value)) return value;
  let next = replaced(value[String(key)], rest, by);
  return Object.fromEntries(
    Object.entries(value).flatMap(
      ([name, item]) => name !== key ? [[name, item]] : next === void 0 ? [] : [[name, next]]
    )
  );
}, hidden = (schema, value, first, path) => {
  if (!isMapping(value)) return [];
  let wrong = mistakesOf(first.issue).flatMap((mistake) => mistake.path.length > 0 ? [String(mistake.path[0])] : []);
  if (wrong.length === 0) return [];
  let rest = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.includes(key))), again = decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })(rest);
  if (isRight(again)) return [];
  let more = mistakesOf(again.left.issue);
  if (more.some((mistake) => mistake.path.length === 0)) return [];
  let misses = (message) => wrong.some((key) => message.split(/\W+/).includes(key));
  return more.filter(({ message }) => !misses(message)).map((mistake) => ({ ...mistake, path: [...path, ...mistake.path] }));
}, decodePart = (schema, raw, path, scope) => gen(function* () {
  let relative = (each) => each.slice(path.length), odd = suspicious(raw, path), unread = [...odd, ...torn(raw, odd, path)], readable = unread.reduce(
    (value, each) => replaced(value, relative(each.path), each.atKey ? void 0 : open),
    raw
  ), filled = yield* settle(scope, readable, path), settled = { ...filled, mistakes: [...odd, ...filled.mistakes], open: [...filled.open, ...unread.map(pathOf)] }, decode2 = decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" }), first = decode2(settled.value), result = isRight(first) ? first : orElse(
    decode2(settled.filled.reduce((value, each) => coerced(value, relative(each)), settled.value)),
    () => first
  ), strangers2 = unknownKeysIn(schema.ast, settled.value, path);
  if (isRight(result)) {
    let mistakes2 = [
      ...settled.mistakes,
      ...strangers2,
      ...broughtIn(schema.ast, settled.value, path, settled.filled)
    ];
    return mistakes2.length > 0 ? left(mistakes2) : right(result.right);
  }
  let found = [
    ...mistakesOf(result.left.issue, path),
    ...hidden(schema, settled.value, result.left, path)
  ].filter((mistake) => !isOpen(mistake, settled.open)).map(
    (mistake) => settled.secret.some((each) => startsWith(mistake.path, each)) ? { ...mistake, message: "a secret does not fit here: look at its value" } : mistake
  ), whole = found.filter(({ message }) => message.startsWith("expected ")), own = strangers2.filter((each) => !whole.some((mistake) => startsWith(each.path, mistake.path))), mistakes = [...settled.mistakes, ...found, ...own];
  return mistakes.length > 0 ? left(mistakes) : right(open);
}), mistakesIn = (part) => isLeft(part) ? part.left : [], decode = (node, scope) => gen(function* () {
  let path = ["steps", node.index], config = yield* decodePart(
    node.step.config,
    node.config,
    [...path, node.step.key],
    { ...scope, headers: node.step.headers }
  ), known = Object.fromEntries(Object.entries(node.common).filter(([key]) => commonKeys.includes(key))), common = yield* decodePart(Common, known, path, scope), besides = besideStep(node.step.key, [...path, node.step.key]), mistakes = [...mistakesIn(config).map(besides), ...mistakesIn(common)];
  return mistakes.length > 0 || isLeft(config) || isLeft(common) ? left(mistakes) : right({ config: config.right, common: common.right === open ? {} : common.right });
}), keepsUnknown = (ast) => match(getAnnotation(ParseOptionsAnnotationId)(ast), {
  onNone: () => !1,
  onSome: ({ onExcessProperty }) => onExcessProperty === "preserve"
}), shapes = (ast) => shapesOf(ast, { isClosed: keepsUnknown }), inMapping = (ast, value, path) => {
  let known = ast.propertySignatures.map(({ name }) => String(name)), [index] = ast.indexSignatures;
  return Object.entries(value).flatMap(([key, each]) => {
    let type = ast.propertySignatures.find(({ name }) => name === key)?.type ?? index?.type;
    return type === void 0 ? [unknownKey([...path, key], known)] : unknownKeysIn(type, each, [...path, key]);
  });
}, unknownKeysIn = (ast, value, path) => {
  let found = shapes(ast).flatMap((shape) => {
    if (isTypeLiteral(shape) && isMapping(value)) return [inMapping(shape, value, path)];
    if (isTupleType(shape) && Array.isArray(value)) {
      let [item] = shape.rest;
      return [
        item === void 0 ? [] : value.flatMap((each, index) => unknownKeysIn(item.type, each, [...path, index]))
      ];
    }
    return [];
  });
  return found.reduce((best, each) => each.length < best.length ? each : best, found[0] ?? []);
};

export {
  namedSteps,
  mistakesInBroken,
  dispatch,
  strangers,
  decodePart,
  decode
};
