import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  forDialect,
  needsFingerprints
} from "./chunk-F63MDLXW.js";
import {
  whileLoop
} from "./chunk-JGKSI326.js";

// src/Database/BulkStatement.ts
var largest = 64, textOf = ({ after, before, row, shared, width }, rows) => {
  let tuples = [];
  for (let index = 0; index < rows; index++) {
    let own = [];
    for (let column = 1; column <= width; column++) own.push(`$${shared + index * width + column}`);
    tuples.push(row(own.join(", ")));
  }
  return before + tuples.join(", ") + after;
}, make = (shape) => {
  let texts = { plain: /* @__PURE__ */ new Map(), printed: /* @__PURE__ */ new Map() }, text = (sql, rows) => {
    let isPrinted = needsFingerprints(sql), known = texts[isPrinted ? "printed" : "plain"], found = known.get(rows) ?? forDialect(isPrinted, textOf(shape, rows));
    return known.set(rows, found), found;
  };
  return (sql, shared, items, values) => {
    let at = 0;
    return whileLoop({
      while: () => at < items.length,
      body: () => {
        let rows = largest;
        for (; rows > items.length - at; ) rows /= 2;
        let parameters = [...shared];
        for (let index = at; index < at + rows; index++) parameters.push(...values(items[index]));
        return at += rows, sql.unsafe(text(sql, rows), parameters);
      },
      step: () => {
      }
    });
  };
}, inserting = (into, width) => make({ before: `${into} VALUES `, row: (own) => `(${own})`, after: "", shared: 0, width });

export {
  make,
  inserting
};
