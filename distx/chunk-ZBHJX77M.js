import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  imagePlaceholder
} from "./chunk-PZIVWCHK.js";

// src/Engine/Parse/Tree.ts
var plain = {}, text = (content, style = plain) => ({ kind: "text", text: content, style }), paragraph = (content) => ({ kind: "paragraph", content: [text(content)] }), heading = (level, content) => ({ kind: "heading", level, content: [text(content)] }), inlineText = (content) => {
  let out = "";
  for (let inline of content)
    inline.kind === "text" ? out += inline.text : inline.kind === "link" ? out += inlineText(inline.content) : inline.kind === "break" && (out += `
`);
  return out;
}, blockText = (blocks, limit = Number.POSITIVE_INFINITY) => {
  let lines = [], left = limit;
  for (let block of blocks)
    switch (block.kind) {
      case "heading":
      case "paragraph":
        lines.push(inlineText(block.content));
        break;
      case "list":
        for (let item of block.items) lines.push(blockText(item.blocks));
        break;
      case "table":
        for (let row of block.rows)
          lines.push(row.map((cell) => cell === void 0 ? "" : blockText(cell.blocks)).join("	"));
        break;
      case "grid":
        for (let row of block.rows) {
          let line = row.join("	");
          if (lines.push(line), left -= line.length, left < 0) break;
        }
        break;
      case "quote":
      case "note":
        lines.push(blockText(block.blocks));
        break;
      case "code":
        lines.push(block.text);
        break;
      case "rule":
        break;
    }
  return lines.join(`
`);
}, firstHeading = (blocks) => {
  for (let block of blocks) {
    if (block.kind !== "heading") continue;
    let words = inlineText(block.content).replace(/\s+/g, " ").trim();
    if (words !== "") return words;
  }
}, addresses = (blocks) => {
  let links = /* @__PURE__ */ new Set(), images = /* @__PURE__ */ new Set(), walkInlines = (content) => {
    for (let inline of content)
      inline.kind === "image" && inline.src !== "" && inline.src !== imagePlaceholder && images.add(inline.src), inline.kind === "link" && (inline.href !== "" && !inline.href.startsWith("#") && links.add(inline.href), walkInlines(inline.content));
  }, walk = (list) => {
    for (let block of list)
      if (block.kind === "heading" || block.kind === "paragraph") walkInlines(block.content);
      else if (block.kind === "quote" || block.kind === "note") walk(block.blocks);
      else if (block.kind === "list") for (let item of block.items) walk(item.blocks);
      else if (block.kind === "table") for (let row of block.rows) for (let cell of row) walk(cell?.blocks ?? []);
  };
  return walk(blocks), { links: [...links], images: [...images] };
};

export {
  text,
  paragraph,
  heading,
  blockText,
  firstHeading,
  addresses
};
