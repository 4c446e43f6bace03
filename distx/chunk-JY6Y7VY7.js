import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  quote,
  reverse,
  split,
  telling
} from "./chunk-QVSNP7MA.js";
import {
  fn,
  forEach2 as forEach,
  map9 as map
} from "./chunk-JGKSI326.js";

// src/Engine/Search/Captions.ts
var forget = (sql, pages) => sql`
  DELETE FROM search_caption WHERE rowid IN (
    SELECT id FROM search_image WHERE page IN (SELECT value FROM json_each(${pages})))`;

// src/Engine/Search/Related.ts
import { domainToASCII } from "node:url";
var [mostSeen, mostPages, mostText, candidates, taken] = [5e3, 20, 2e4, 60, 12], mostCounted = 5e3, domainOf = (value) => value.replace(/^https?:\/\//, "").replace(/[/:?#].*$/, ""), rangeOf = (domain) => {
  let bare = domain.replace(/^\*?\./, ""), host = reverse(domainToASCII(bare) || bare);
  return [host, host === "" ? "" : `${host.slice(0, -1)}/`];
}, weigh = (texts) => {
  let weights = /* @__PURE__ */ new Map();
  for (let text of texts) {
    let counts = /* @__PURE__ */ new Map();
    for (let word of telling(split(text)))
      word.length >= 3 && word.length <= 40 && !/^\d+$/.test(word) && counts.set(word, (counts.get(word) ?? 0) + 1);
    for (let [word, count] of counts) weights.set(word, (weights.get(word) ?? 0) + 1 + Math.log(count));
  }
  return [...weights].sort(([, one], [, other]) => other - one).slice(0, candidates);
}, wordsOf = (sql) => fn("SearchIndex.related")(function* (team, value) {
  let [from, to] = rangeOf(domainOf(value)), pages = yield* sql`
      SELECT substr(t.title || ' ' || t.text, 1, ${mostText}) AS text FROM (
        SELECT id, size FROM (
          SELECT id, length(url) AS size FROM search_page
          WHERE team = ${team} AND host >= ${from} AND host < ${to} ORDER BY host, id LIMIT ${mostSeen})
        ORDER BY size, id LIMIT ${mostPages}) p
      JOIN search_text t ON t.id = p.id ORDER BY p.size, p.id`;
  return (yield* forEach(
    weigh(pages.map(({ text }) => text)),
    ([word, weight]) => map(
      sql`
          SELECT count(*) AS pages FROM (SELECT 1 FROM search_word WHERE search_word MATCH ${quote(word)} LIMIT ${mostCounted})`,
      (rows) => ({ word, weight: weight / Math.log(3 + (rows[0]?.pages ?? 0)) })
    )
  )).sort((one, other) => other.weight - one.weight).slice(0, taken).map(({ word }) => word);
});

export {
  forget,
  domainOf,
  rangeOf,
  wordsOf
};
