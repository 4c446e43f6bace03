import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Api/Depth.ts
var isDeep = (value, limit) => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return !0;
    let next = [];
    for (let item of level)
      if (!(typeof item != "object" || item === null))
        for (let inner of Object.values(item)) typeof inner == "object" && inner !== null && next.push(inner);
    level = next;
  }
  return !1;
}, [quote, backslash, comma, colon, openArray, closeArray, openObject, closeObject] = [
  34,
  92,
  44,
  58,
  91,
  93,
  123,
  125
], excessOf = (json, bounds) => {
  let at = typeof json == "string" ? (index) => json.charCodeAt(index) : (index) => json[index], quoteFrom = typeof json == "string" ? (index) => json.indexOf('"', index) : (index) => json.indexOf(quote, index), [levels, containers, keys, values] = [0, 0, 0, 1];
  for (let index = 0; index < json.length; index++) {
    let byte = at(index);
    if (byte === quote)
      for (; ; ) {
        if (index = quoteFrom(index + 1), index === -1) return;
        let escapes = 0;
        for (; at(index - 1 - escapes) === backslash; ) escapes += 1;
        if (escapes % 2 === 0) break;
      }
    else if (byte === comma) {
      if (values += 1, values > bounds.values) return "values";
    } else if (byte === colon) {
      if (keys += 1, keys > bounds.keys) return "keys";
    } else if (byte === openObject || byte === openArray) {
      if (levels += 1, containers += 1, levels > bounds.levels) return "levels";
      if (containers > bounds.containers) return "containers";
    } else (byte === closeObject || byte === closeArray) && (levels -= 1);
  }
}, excessText = (of, limit) => of === "levels" ? `is nested more than ${limit} levels deep` : `has more than ${limit} ${of === "containers" ? "objects and arrays" : of}`, any = Number.POSITIVE_INFINITY, mayHoldMore = (json, limit) => {
  let nextOf = (code, from) => typeof json == "string" ? json.indexOf(code === openArray ? "[" : "{", from) : json.indexOf(code, from), count = 0;
  for (let code of [openArray, openObject])
    for (let at = nextOf(code, 0); at !== -1; at = nextOf(code, at + 1)) if (++count > limit) return !0;
  return !1;
}, isDeepJson = (json, limit) => json.length > limit && mayHoldMore(json, limit) && excessOf(json, { levels: limit, containers: any, keys: any, values: any }) !== void 0, parseShallow = (text) => isDeepJson(text, 1e3) ? void 0 : JSON.parse(text);

export {
  isDeep,
  excessOf,
  excessText,
  isDeepJson,
  parseShallow
};
