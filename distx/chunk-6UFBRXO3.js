import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Engine/Search/Published.ts
var earliest = Date.UTC(1990, 0, 1), zoned = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?$/i, named = /\b(?:UTC|GMT|[ECMP][SD]T)\b/i, read = (text) => {
  if (typeof text != "string") return;
  let trimmed = text.trim().slice(0, 60), [, year, month, day, rest = ""] = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)(.*)$/.exec(trimmed) ?? [], isWritten = year === void 0 && /\b\d{4}\b/.test(trimmed) && /[a-z]{3}/i.test(trimmed) && /\b\d{1,2}\b/.test(trimmed);
  if (year === void 0 && !isWritten) return;
  let time = rest.replace(/^[T ]+/i, "").trim(), apart = time === "" ? "" : named.test(time) ? " " : "T", whole = year === void 0 ? trimmed : `${year}-${month}-${day}${apart}${time}`, zone = zoned.test(whole) || !isWritten && time === "" ? "" : isWritten ? " UTC" : "Z", millis = Date.parse(whole + zone);
  return Number.isNaN(millis) || millis < earliest ? void 0 : new Date(millis);
}, inPath = (url) => {
  let path = url === void 0 ? "" : url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, ""), found = /\/((?:19|20)\d{2})([/-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=[/_-]|\.|$)/.exec(path);
  return found === null ? void 0 : read(`${found[1]}-${found[3]}-${found[4]}`);
}, publishedOf = (metadata, dates = {}, url) => {
  let claims = [metadata.publishedTime, dates.published, dates.marked];
  for (let claim of claims) {
    let date = read(claim);
    if (date !== void 0) return date;
  }
  return inPath(url) ?? read(dates.shown) ?? read(dates.modified) ?? read(metadata.modifiedTime);
}, tolerance = 864e5, believed = (published, now) => {
  let time = published?.getTime();
  return time === void 0 || Number.isNaN(time) || time > now + tolerance ? null : Math.min(time, now);
};

// src/Engine/Html/TextAnalysis.ts
var detector;
var detectLanguage = (text) => text.length < 40 ? Promise.resolve(void 0) : (detector ??= import("eld/extrasmall"), detector.then(({ default: eld }) => {
  let { language, isReliable } = eld.detect(text.slice(0, 500));
  return language !== "" && isReliable() ? language : void 0;
})), sentenceEnd = /(?<=[.!?。！？]["”’)]?)\s+|\n+/, word = /[\p{L}\p{N}]{4,}/gu;
var wordsOf = (sentence) => sentence.toLowerCase().match(word) ?? [], summarize = (text) => {
  let sentences = text.slice(0, 1e5).split(sentenceEnd).map((sentence) => sentence.trim()).filter((sentence) => sentence.length >= 30 && sentence.length <= 400 && /[.!?。！？]["”’)]?$/.test(sentence)).slice(0, 400);
  if (sentences.length === 0) return text.replace(/\s+/g, " ").trim().slice(0, 1e3);
  let counts = /* @__PURE__ */ new Map();
  for (let sentence of sentences) for (let each of wordsOf(sentence)) counts.set(each, (counts.get(each) ?? 0) + 1);
  let weight = (sentence, index) => {
    let words = wordsOf(sentence);
    return words.reduce((sum, each) => sum + Math.log(counts.get(each) ?? 1), 0) / Math.max(words.length, 6) + 1 / (1 + index / 2);
  };
  return sentences.map((sentence, index) => ({ sentence, index, weight: weight(sentence, index) })).sort((a, b) => b.weight - a.weight).slice(0, 4).sort((a, b) => a.index - b.index).map(({ sentence }) => sentence).join(" ").slice(0, 1e3);
};

export {
  publishedOf,
  believed,
  detectLanguage,
  summarize
};
