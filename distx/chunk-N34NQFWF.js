import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  heading,
  paragraph
} from "./chunk-ZBHJX77M.js";
import {
  entriesOf,
  readPart
} from "./chunk-5BTQFAOF.js";
import {
  corrupt,
  encrypted,
  tooComplex
} from "./chunk-5MIN5RQK.js";
import {
  require_lib
} from "./chunk-55DNJSQA.js";
import {
  imagePlaceholder
} from "./chunk-PZIVWCHK.js";
import "./chunk-REEM7JGU.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Engine/Parse/Office.ts
import * as Anydoc from "@firecrawl/anydoc";

// src/Engine/Parse/DocxNumbers.ts
var maxPart = 64 * 1024 * 1024, value = (xml, element) => new RegExp(`<w:${element}\\s[^>]{0,500}?w:val="([^"]{0,1000})"`).exec(xml)?.[1], blocksIn = (xml, element) => xml.split(`</w:${element}>`).flatMap((piece) => {
  let start = piece.indexOf(`<w:${element} `), end = piece.indexOf(">", start);
  return start < 0 || end < 0 ? [] : [[piece.slice(start), piece.slice(start, end)]];
}), paragraphsIn = (xml) => xml.split("</w:p>").flatMap((piece) => {
  let start = Math.max(piece.lastIndexOf("<w:p "), piece.lastIndexOf("<w:p>"));
  return start < 0 ? [] : [piece.slice(start)];
}), attribute = (attributes, name) => new RegExp(`w:${name}="([^"]{0,1000})"`).exec(attributes)?.[1] ?? "", deepest = 8, numberingOf = (xml) => {
  let levels = /* @__PURE__ */ new Map(), ofStyle = /* @__PURE__ */ new Map();
  for (let [abstract, attributes] of blocksIn(xml, "abstractNum")) {
    let id = attribute(attributes, "abstractNumId"), own = /* @__PURE__ */ new Map();
    for (let [level, place] of blocksIn(abstract, "lvl")) {
      let index = Number(attribute(place, "ilvl"));
      if (!(index >= 0 && index <= deepest)) continue;
      let style = value(level, "pStyle");
      style !== void 0 && ofStyle.set(`${id} ${style}`, index), own.set(index, {
        start: Number(value(level, "start") ?? 1),
        format: value(level, "numFmt") ?? "decimal",
        text: value(level, "lvlText") ?? ""
      });
    }
    levels.set(id, own);
  }
  return { definition: new Map(
    blocksIn(xml, "num").map(([list, attributes]) => [
      attribute(attributes, "numId"),
      value(list, "abstractNumId") ?? ""
    ])
  ), levels, ofStyle };
}, placeIn = (properties) => {
  let [numbers] = /<w:numPr>[\s\S]{0,2000}?<\/w:numPr>/.exec(properties) ?? [], level = numbers === void 0 ? void 0 : value(numbers, "ilvl");
  return {
    list: numbers === void 0 ? void 0 : value(numbers, "numId"),
    level: level === void 0 ? void 0 : Number(level)
  };
}, stylesOf = (xml) => {
  let styles = new Map(
    blocksIn(xml, "style").map(([style, attributes]) => [
      attribute(attributes, "styleId"),
      { ...placeIn(style), base: value(style, "basedOn") }
    ])
  ), look = (style, depth) => {
    let own = styles.get(style);
    if (own === void 0 || depth > 20) return { list: void 0, level: void 0 };
    let base = own.base === void 0 ? void 0 : look(own.base, depth + 1);
    return { list: own.list ?? base?.list, level: own.level ?? base?.level };
  };
  return (style) => look(style, 0);
}, keyOf = (text) => text.replace(/\s+/g, ""), entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'" }, wordsIn = (paragraph2) => [...paragraph2.matchAll(/<w:t(?:\s[^>]{0,500})?>([^<]*)<\/w:t>/g)].map(([, text = ""]) => text).join("").replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => entities[entity] ?? entity), labelsOf = (bytes, parts) => {
  let part = (name) => readPart(bytes, parts, `word/${name}.xml`, maxPart) ?? "", { definition, levels, ofStyle } = numberingOf(part("numbering")), placeOf = stylesOf(part("styles")), counters = /* @__PURE__ */ new Map(), labels = [];
  for (let paragraph2 of paragraphsIn(part("document"))) {
    let [properties = ""] = paragraph2.split("</w:pPr>", 1), style = value(properties, "pStyle") ?? "", [own, styled] = [placeIn(properties), placeOf(style)], id = definition.get(own.list ?? styled.list ?? ""), list = id === void 0 ? void 0 : levels.get(id), index = own.level ?? ofStyle.get(`${id} ${style}`) ?? styled.level ?? 0, level = list?.get(index);
    if (id === void 0 || list === void 0 || level === void 0) continue;
    let counts = counters.get(id) ?? [];
    counters.set(id, counts);
    for (let above = 0; above < index; above += 1) counts[above] ??= list.get(above)?.start ?? 1;
    counts[index] = (counts[index] ?? level.start - 1) + 1, counts.length = index + 1;
    let label = level.text.replace(/%(\d)/g, (_, digit) => {
      let at = Number(digit) - 1, other = list.get(at);
      return other === void 0 ? "" : numeral(counts[at] ?? other.start, other.format);
    });
    level.format !== "bullet" && level.format !== "none" && labels.push([keyOf(wordsIn(paragraph2)), label]);
  }
  return labels;
}, isLabel = (inline) => inline?.kind === "text" && /^[\p{L}\p{N}.()]{1,20}[.)]?\s$/u.test(inline.text) && /[\dIVXivxa-zA-Z]/.test(inline.text), wordsOf = (content) => content.map((inline) => inline.kind === "text" ? inline.text : inline.kind === "link" ? wordsOf(inline.content) : "").join(""), withHeadingNumbers = (blocks, bytes, parts) => {
  let numbered = (block) => block.kind === "heading" && block.content.length > 1 && isLabel(block.content[0]);
  if (!blocks.some(numbered)) return blocks;
  let waiting = /* @__PURE__ */ new Map();
  for (let [words, label] of labelsOf(bytes, parts).toReversed()) {
    let labels = waiting.get(words);
    labels === void 0 ? waiting.set(words, [label]) : labels.push(label);
  }
  return blocks.map((block) => {
    if (block.kind !== "heading" || !numbered(block)) return block;
    let rest = block.content.slice(1), label = waiting.get(keyOf(wordsOf(rest)))?.pop();
    return label === void 0 ? block : { ...block, content: label === "" ? rest : [{ kind: "text", text: `${label} `, style: {} }, ...rest] };
  });
}, romans = [
  [1e3, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
], roman = (count) => {
  let left = Math.min(count, 3999), out = "";
  for (let [size, letters] of romans) for (; left >= size; left -= size) out += letters;
  return out;
}, letter = (count) => count < 1 ? "" : String.fromCharCode(97 + (count - 1) % 26).repeat(Math.min(10, Math.ceil(count / 26))), numeral = (count, format) => {
  switch (format) {
    case "upperRoman":
      return roman(count).toUpperCase();
    case "lowerRoman":
      return roman(count);
    case "upperLetter":
      return letter(count).toUpperCase();
    case "lowerLetter":
      return letter(count);
    default:
      return String(count);
  }
};

// src/Engine/Parse/OldWord.ts
var import_iconv_lite = __toESM(require_lib(), 1);

// src/Engine/Parse/Compound.ts
var u32 = (bytes, at) => at >= 0 && at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 4294967295, chain = (first, next) => {
  let sectors = [], seen = /* @__PURE__ */ new Set();
  for (let sector = first; sector < 4294967290 && !seen.has(sector); sector = next(sector))
    seen.add(sector), sectors.push(sector);
  return sectors;
}, slices = (bytes, sectors, size, start) => Buffer.concat(
  sectors.map((sector) => bytes.subarray(start + sector * size, start + (sector + 1) * size)).filter((part) => part.length > 0)
), tableSectors = (bytes, size) => {
  let inHeader = Array.from({ length: 109 }, (_, index) => u32(bytes, 76 + 4 * index)), at = (sector, index) => u32(bytes, 512 + sector * size + 4 * index), perSector = size / 4 - 1, others = chain(u32(bytes, 68), (sector) => at(sector, perSector)).flatMap(
    (sector) => Array.from({ length: perSector }, (_, index) => at(sector, index))
  );
  return [.../* @__PURE__ */ new Set([...inHeader, ...others])].filter((sector) => sector < 4294967290);
}, streamOf = (bytes, name) => {
  if (bytes.length < 512) return;
  let shift = bytes.readUInt16LE(30), smallShift = bytes.readUInt16LE(32);
  if (shift < 7 || shift > 16 || smallShift > shift) return;
  let size = 1 << shift, table = slices(bytes, tableSectors(bytes, size), size, 512), read = (first) => slices(
    bytes,
    chain(first, (sector) => u32(table, 4 * sector)),
    size,
    512
  ), directory = read(u32(bytes, 48)), root = u32(directory, 116);
  for (let at = 0; at + 128 <= directory.length && at < 128e4; at += 128) {
    let length = directory.readUInt16LE(at + 64);
    if (length < 2 || directory.toString("utf16le", at, at + Math.min(length - 2, 62)) !== name) continue;
    let first = u32(directory, at + 116), total = u32(directory, at + 120);
    if (total >= u32(bytes, 56)) return read(first).subarray(0, total);
    let smallTable = read(u32(bytes, 60)), sectors = chain(first, (sector) => u32(smallTable, 4 * sector));
    return slices(read(root), sectors, 1 << smallShift, 0).subarray(0, total);
  }
};

// src/Engine/Parse/OldWord.ts
var u16 = (bytes, at) => at >= 0 && at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0, u322 = (bytes, at) => at >= 0 && at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0, codePages = {
  1: "cp1256",
  2: "cp1251",
  4: "cp936",
  5: "cp1250",
  8: "cp1253",
  13: "cp1255",
  14: "cp1250",
  17: "cp932",
  18: "cp949",
  21: "cp1250",
  24: "cp1250",
  25: "cp1251",
  27: "cp1250",
  30: "cp874",
  31: "cp1254",
  34: "cp1251",
  37: "cp1257",
  38: "cp1257",
  39: "cp1257"
}, maxNested = 20, maxPieces = 1e5, piecesOf = (stream) => {
  let whole = { from: u322(stream, 24), to: u322(stream, 28) };
  if ((u16(stream, 10) & 4) === 0) return [whole];
  let end = u322(stream, 352) + u322(stream, 356), at = u322(stream, 352);
  for (; at < end && stream[at] === 1; ) at += 3 + u16(stream, at + 1);
  if (stream[at] !== 2) return [whole];
  let start = at + 5, count = Math.min(maxPieces, Math.floor((u322(stream, at + 1) - 4) / 12));
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    let from = u322(stream, start + 4 * (count + 1) + 8 * index + 2);
    return { from, to: from + u322(stream, start + 4 * (index + 1)) - u322(stream, start + 4 * index) };
  });
}, pageSize = 512, stylesOf2 = (stream) => {
  let start = u322(stream, 192), count = Math.min(maxPieces, Math.floor((u322(stream, 196) - 4) / 6)), styles = [];
  for (let index = 0; index < count; index += 1) {
    let page = pageSize * u16(stream, start + 4 * (count + 1) + 2 * index);
    if (page === 0 || page + pageSize > stream.length) continue;
    let runs = stream[page + pageSize - 1] ?? 0;
    for (let run = 0; run < runs && 4 * (runs + 1) + 7 * (run + 1) < pageSize; run += 1) {
      let offset = 2 * (stream[page + 4 * (runs + 1) + 7 * run] ?? 0), style = offset === 0 ? 0 : stream[page + offset + 1] ?? 0;
      styles.push({ from: u322(stream, page + 4 * run), to: u322(stream, page + 4 * (run + 1)), style });
    }
  }
  return styles.sort((a, b) => a.from - b.from);
}, plain = (text) => {
  let fields = [], out = "";
  for (let char of text) {
    let code = char.charCodeAt(0);
    if (code === 19) fields.push("instruction");
    else if (code === 20) fields.splice(-1, 1, "result");
    else if (code === 21) fields.pop();
    else {
      if (fields.length > 0 && fields.length <= maxNested && fields.includes("instruction")) continue;
      code === 11 || code === 12 ? out += `
` : code === 30 ? out += "-" : (code === 9 || code >= 32) && (out += char);
    }
  }
  return out.trim();
}, rowsOf = (cells) => {
  for (let width = 1; width < cells.length; width += 1) {
    if (cells.length % (width + 1) !== 0) continue;
    let rows = Array.from(
      { length: cells.length / (width + 1) },
      (_, row) => cells.slice(row * (width + 1), (row + 1) * (width + 1))
    );
    if (rows.every((row) => row[width] === "")) return rows.map((row) => row.slice(0, width));
  }
  return [cells];
}, readOldWord = (bytes) => {
  let stream = streamOf(bytes, "WordDocument");
  if (stream === void 0 || u16(stream, 0) !== 42460) return;
  if ((u16(stream, 10) & 256) !== 0) throw encrypted("The document");
  let codePage = codePages[u16(stream, 6) & 255] ?? "cp1252", styles = stylesOf2(stream), blocks = [], cells = [], cell = [], closeTable = () => {
    cells.length > 0 && blocks.push({ kind: "grid", rows: rowsOf(cells) }), cells = [];
  }, known = 0, styleAt = (place) => {
    for ((styles[known]?.from ?? 0) > place && (known = 0); known < styles.length && (styles[known]?.to ?? 0) <= place; ) known += 1;
    return styles[known]?.style ?? 0;
  }, add = (words, style) => {
    words !== "" && blocks.push(style >= 1 && style <= 9 ? heading(Math.min(style, 6), words) : paragraph(words));
  }, open = "", left = 2 * stream.length;
  for (let { from, to } of piecesOf(stream)) {
    let piece = stream.subarray(from, Math.min(to, stream.length, from + left));
    left -= piece.length;
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      let byte = piece[at];
      if (byte !== 13 && byte !== 7) continue;
      let words = plain(open + import_iconv_lite.default.decode(piece.subarray(start, at), codePage));
      open = "", start = at + 1, byte === 7 ? (cells.push([...cell, words].filter((line) => line !== "").join(`
`)), cell = []) : cells.length > 0 && nextMark(piece, start) === 7 ? cell.push(words) : (closeTable(), add(words, styleAt(from + at)));
    }
    open += import_iconv_lite.default.decode(piece.subarray(start), codePage);
  }
  return closeTable(), add(plain(open), 0), blocks;
}, nextMark = (piece, start) => {
  for (let at = start; at < piece.length; at += 1) if (piece[at] === 13 || piece[at] === 7) return piece[at];
};

// src/Engine/Parse/Properties.ts
var import_iconv_lite2 = __toESM(require_lib(), 1);
var decodeEntities = (text) => text.replace(/<[^<>]*>/g, " ").replace(
  /&#x([0-9a-f]{1,6});/gi,
  (_, hex) => String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 1114111))
).replace(/&#(\d{1,7});/g, (_, code) => String.fromCodePoint(Math.min(Number(code), 1114111))).replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&apos;/g, "'").replace(/&amp;/g, "&").replace(/\s+/g, " ").trim(), elements = [
  ["dc:title", "title"],
  ["dc:description", "description"],
  ["dc:subject", "subject"],
  ["meta:initial-creator", "author"],
  ["dc:creator", "author"],
  ["cp:keywords", "keywords"],
  ["meta:keyword", "keywords"],
  ["dc:language", "language"],
  ["dcterms:created", "createdTime"],
  ["meta:creation-date", "createdTime"],
  ["dcterms:modified", "modifiedTime"],
  ["dc:date", "modifiedTime"],
  ["Pages", "numPages"]
], ofXml = (xml) => {
  let found = {};
  for (let [element, key] of elements) {
    if (found[key] !== void 0) continue;
    let values = [...xml.matchAll(new RegExp(`<${element}(?:\\s[^>]{0,1000})?>([^]{0,4000}?)</${element}>`, "g"))].map(([, value2 = ""]) => decodeEntities(value2)).filter((value2) => value2 !== "");
    values.length > 0 && (found[key] = key === "numPages" ? Number(values[0]) : values.join(", "));
  }
  return found;
}, ofPackage = (bytes) => {
  let entries = entriesOf(bytes);
  return ofXml(["docProps/core.xml", "docProps/app.xml", "meta.xml"].map((name) => readPart(bytes, entries, name) ?? "").join(`
`));
}, ofRtf = (bytes) => {
  let head = bytes.toString("latin1", 0, 65536), stated = `cp${/\\ansicpg(\d{1,5})/.exec(head)?.[1]}`, codePage = import_iconv_lite2.default.encodingExists(stated) ? stated : "cp1252", found = {};
  for (let key of ["title", "author", "keywords", "subject"]) {
    let [, raw] = new RegExp(`\\{\\\\${key} ([^{}]{1,2000})\\}`).exec(head) ?? [], value2 = raw?.replace(
      /\\u(-?\d{1,6})\s?(?:\\'[0-9a-f]{2}|\?)?/g,
      (_, code) => String.fromCharCode(Number(code) & 65535)
    ).replace(/(?:\\'[0-9a-f]{2})+/gi, (run) => import_iconv_lite2.default.decode(Buffer.from(run.replace(/\\'/g, ""), "hex"), codePage)).replace(/\\[a-z]+-?\d* ?/g, "").trim();
    value2 && (found[key] = value2);
  }
  return found;
}, keys = {
  2: "title",
  3: "subject",
  4: "author",
  5: "keywords",
  6: "description",
  12: "createdTime",
  13: "modifiedTime",
  14: "numPages"
}, maxProperties = 100, maxLength = 4e3, timeOf = (low, high) => {
  let millis = (high * 4294967296 + low) / 1e4 - 116444736e5;
  return millis > 0 && millis < 864e13 ? new Date(millis).toISOString() : void 0;
}, textOf = (raw, codePage) => {
  let encoding = codePage === 1200 ? "utf16le" : codePage === 65001 ? "utf8" : `cp${codePage}`;
  return import_iconv_lite2.default.decode(raw, import_iconv_lite2.default.encodingExists(encoding) ? encoding : "cp1252").split("\0", 1).join("").trim();
}, valueOf = (set, at, codePage) => {
  if (!(at + 8 > set.length))
    switch (set.readUInt32LE(at) & 65535) {
      case 2:
        return set.readUInt16LE(at + 4);
      case 3:
        return set.readInt32LE(at + 4);
      case 30:
        return textOf(set.subarray(at + 8, at + 8 + Math.min(set.readUInt32LE(at + 4), maxLength)), codePage);
      case 31:
        return textOf(set.subarray(at + 8, at + 8 + Math.min(2 * set.readUInt32LE(at + 4), maxLength)), 1200);
      case 64:
        return at + 12 > set.length ? void 0 : timeOf(set.readUInt32LE(at + 4), set.readUInt32LE(at + 8));
      default:
        return;
    }
}, ofCompound = (bytes) => {
  let set = streamOf(bytes, "SummaryInformation");
  if (set === void 0 || set.length < 56) return {};
  let section = set.readUInt32LE(44);
  if (section + 8 > set.length) return {};
  let count = Math.min(set.readUInt32LE(section + 4), maxProperties), places = Array.from({ length: count }, (_, index) => section + 8 + 8 * index).filter((at) => at + 8 <= set.length).map((at) => ({ id: set.readUInt32LE(at), at: section + set.readUInt32LE(at + 4) })), stated = places.find(({ id }) => id === 1), codePage = Number((stated && valueOf(set, stated.at, 1252)) ?? 1252), found = {};
  for (let { at, id } of places) {
    let key = keys[id], value2 = key === void 0 ? void 0 : valueOf(set, at, codePage);
    key !== void 0 && value2 !== void 0 && value2 !== "" && value2 !== 0 && (found[key] = value2);
  }
  return found;
};

// src/Engine/Parse/Office.ts
var isScript = (href) => /^(?:javascript|vbscript|data):/i.test(href.replace(/[\p{Cc}\s]+/gu, "")), inlineOf = (inline, extras) => {
  switch (inline.kind) {
    case "text": {
      let { bold, italic, strike, code } = inline.style ?? {};
      return {
        kind: "text",
        text: inline.text ?? "",
        style: { ...bold && { bold }, ...italic && { italic }, ...strike && { strike }, ...code && { code } }
      };
    }
    case "link": {
      let { kind, value: value2 = "" } = inline.target ?? {};
      return { kind: "link", href: kind === "anchor" ? `#${value2}` : isScript(value2) ? "" : value2, content: inlinesOf(inline.content, extras) };
    }
    case "image": {
      let { assetId = -1, url } = inline.source ?? {};
      return { kind: "image", src: url ?? extras.image(assetId), alt: inline.alt ?? "" };
    }
    case "noteRef":
      return { kind: "call", note: extras.note(inline.noteId ?? "") };
    case "lineBreak":
      return { kind: "break" };
    default:
      return;
  }
}, inlinesOf = (content, extras) => (content ?? []).flatMap((inline) => inlineOf(inline, extras) ?? []), unbold = (content) => content.every((inline) => inline.kind !== "text" || inline.style.bold === !0 || inline.text.trim() === "") ? content.map(
  (inline) => inline.kind === "text" ? { ...inline, style: { ...inline.style, bold: !1 } } : inline
) : content, tableOf = ({ grid, headerRows }, extras) => ({
  kind: "table",
  headerRows,
  rows: grid.map(
    (row) => row.map(
      ({ cell }) => cell === void 0 ? void 0 : { blocks: blocksOf(cell.blocks, extras), colSpan: cell.colSpan, rowSpan: cell.rowSpan }
    )
  )
}), isFrame = ({ grid, kind }) => kind === "layout" && grid.every((row) => row.length === 1), blockOf = (block, extras) => {
  switch (block.kind) {
    case "heading":
      return [
        { kind: "heading", level: Math.min(block.level ?? 1, 6), content: unbold(inlinesOf(block.content, extras)) }
      ];
    case "paragraph":
      return [{ kind: "paragraph", content: inlinesOf(block.content, extras) }];
    case "list":
      return block.list === void 0 ? [] : [
        {
          kind: "list",
          ordered: block.list.marker !== "bullet",
          start: block.list.start,
          items: block.list.items.map((item) => ({
            blocks: blocksOf(item.blocks, extras),
            label: item.markerLabel,
            checked: item.checked
          }))
        }
      ];
    case "table":
      return block.table === void 0 ? [] : isFrame(block.table) ? block.table.grid.flatMap((row) => row.flatMap(({ cell }) => blocksOf(cell?.blocks, extras))) : [tableOf(block.table, extras)];
    case "blockQuote":
      return [{ kind: "quote", blocks: blocksOf(block.blocks, extras) }];
    case "codeBlock":
      return [{ kind: "code", text: block.text ?? "" }];
    case "rule":
      return [{ kind: "rule" }];
    default:
      return [];
  }
}, blocksOf = (blocks, extras) => (blocks ?? []).flatMap((block) => blockOf(block, extras)), refusal = (error) => {
  let { code, message = "" } = error;
  switch (code) {
    case "encrypted":
      return encrypted("The document");
    case "resourceLimit":
      return tooComplex(`The document passes a safety limit (${message})`);
    default:
      return corrupt(`The document cannot be read (${message || "no reason given"})`);
  }
}, completed = (blocks, bytes) => {
  let parts = entriesOf(bytes);
  return withHeadingNumbers(withFragments(blocks, fragmentsOf(bytes, parts)), bytes, parts);
}, readOffice = async (bytes, kind, options) => {
  let old = kind === "doc" ? readOldWord(bytes) : void 0;
  if (old !== void 0) return { blocks: old, metadata: ofCompound(bytes), warnings: [] };
  let source = kind === "rtf" ? withHeadingStyles(bytes) : bytes, document = await Anydoc.toDocument(source, kind).catch((error) => {
    throw refusal(error);
  }), numbers = new Map(document.notes.map(({ id }, index) => [id, index + 1])), extras = {
    image: (id) => {
      let asset = document.assets[id];
      return asset === void 0 ? "" : options.removeBase64Images ? imagePlaceholder : `data:${asset.mediaType};base64,${asset.data.toString("base64")}`;
    },
    note: (id) => numbers.get(id) ?? 0
  }, notes = document.notes.map(
    ({ blocks }, index) => ({ kind: "note", note: index + 1, blocks: blocksOf(blocks, extras) })
  ), text = blocksOf(document.blocks, extras);
  return {
    blocks: [...kind === "docx" ? completed(text, bytes) : text, ...notes],
    metadata: kind === "rtf" ? ofRtf(bytes) : kind === "doc" ? ofCompound(bytes) : ofPackage(bytes),
    warnings: []
  };
}, firstStyle = 9e3, outline = /\\outlinelevel([0-8])(?!\d)/g, isStyled = (text, at) => {
  let before = text.slice(Math.max(0, at - 400), at);
  return /\\s\d/.test(before.slice(Math.max(0, before.lastIndexOf("\\pard"))));
}, entry = (level) => `{\\s${firstStyle + Number(level)}\\outlinelevel${level} heading ${Number(level) + 1};}`, withHeadingStyles = (bytes) => {
  if (!bytes.includes("\\outlinelevel")) return bytes;
  let text = bytes.toString("latin1"), levels = /* @__PURE__ */ new Set(), styled = text.replace(outline, (word, level, at) => isStyled(text, at) ? word : (levels.add(level), `${word}\\s${firstStyle + Number(level)}`));
  if (levels.size === 0) return bytes;
  let entries = [...levels].map(entry).join(""), withSheet = styled.includes("{\\stylesheet") ? styled.replace("{\\stylesheet", (start) => start + entries) : styled.replace(/^\s*\{\\rtf\d*/, (start) => `${start}{\\stylesheet${entries}}`);
  return Buffer.from(withSheet, "latin1");
}, maxPart2 = 64 * 1024 * 1024, attribute2 = (tag, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replace(/&amp;/g, "&"), fragmentsOf = (bytes, entries) => {
  let found = /* @__PURE__ */ new Map(), links = (readPart(bytes, entries, "word/document.xml", maxPart2) ?? "").match(/<w:hyperlink\s[^>]{1,2000}>/g) ?? [];
  if (!links.some((link) => link.includes(" r:id=") && link.includes(" w:anchor="))) return found;
  let relations = readPart(bytes, entries, "word/_rels/document.xml.rels", maxPart2) ?? "", targets = new Map(
    (relations.match(/<Relationship\s[^>]{1,5000}>/g) ?? []).map((tag) => [
      attribute2(tag, "Id"),
      attribute2(tag, "Target")
    ])
  );
  for (let link of links) {
    let target = targets.get(attribute2(link, "r:id"));
    if (target === void 0) continue;
    let fragments = found.get(target) ?? [];
    fragments.push(attribute2(link, "w:anchor")), found.set(target, fragments);
  }
  return found;
}, withFragments = (blocks, fragments) => {
  if (fragments.size === 0) return blocks;
  let seen = /* @__PURE__ */ new Map(), ofInlines = (content) => content.map((inline) => {
    if (inline.kind !== "link") return inline;
    let count = seen.get(inline.href) ?? 0;
    seen.set(inline.href, count + 1);
    let fragment = fragments.get(inline.href)?.[count];
    return fragment === void 0 ? inline : { ...inline, href: `${inline.href}#${fragment}` };
  }), ofBlocks = (list) => list.map((block) => {
    switch (block.kind) {
      case "heading":
      case "paragraph":
        return { ...block, content: ofInlines(block.content) };
      case "quote":
        return { ...block, blocks: ofBlocks(block.blocks) };
      case "list":
        return { ...block, items: block.items.map((item) => ({ ...item, blocks: ofBlocks(item.blocks) })) };
      case "table":
        return {
          ...block,
          rows: block.rows.map((row) => row.map((cell) => cell && { ...cell, blocks: ofBlocks(cell.blocks) }))
        };
      default:
        return block;
    }
  });
  return ofBlocks(blocks);
};
export {
  fragmentsOf,
  readOffice,
  withFragments,
  withHeadingStyles
};
