import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  blockText
} from "./chunk-ZBHJX77M.js";
import {
  corrupt,
  encrypted
} from "./chunk-5MIN5RQK.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-REEM7JGU.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Engine/Parse/Pdf.ts
import { getDocumentProxy } from "unpdf";

// src/Engine/Parse/Pdf/Structure.ts
var levelsOf = async (page) => {
  let levels = /* @__PURE__ */ new Map(), walk = (node, level, depth) => {
    let [, digit] = /^H([1-6])$/.exec(node.role ?? "") ?? [], own = digit === void 0 ? level : Number(digit), number2 = /_mc(\d+)$/.exec(node.id ?? "")?.[1];
    if (own !== void 0 && number2 !== void 0 && levels.set(Number(number2), own), depth < 100) for (let child of node.children ?? []) walk(child, own, depth + 1);
  }, root = await page.getStructTree().catch(() => {
  });
  return root && walk(root, void 0, 0), levels;
}, keyOf = (words) => words.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
var outlineOf = async (document) => {
  let found = /* @__PURE__ */ new Map(), walk = (titles, level) => {
    for (let { items, title } of titles) {
      let key = keyOf(title);
      if (found.size >= 5e3) return;
      key.length > 1 && !found.has(key) && found.set(key, Math.min(level, 6)), level < 100 && walk(items, level + 1);
    }
  }, root = await document.getOutline().catch(() => null);
  return walk(root ?? [], 1), found;
};

// src/Engine/Parse/Pdf/Blocks.ts
var reference = /^\[\d{1,3}\]\s/, sentenceEnd = /[.!?:\u3002]["\u201d)]*$/, unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u, append = (content, more) => {
  let last = content[content.length - 1], [first] = more, from = last?.kind === "text" ? last.text.trimEnd() : "", joins = first?.kind === "text" && new RegExp("\\p{L}[-\\u2010\\u00ad]$", "u").test(from) && new RegExp("^\\s*\\p{Ll}", "u").test(first.text);
  last?.kind === "text" && (content[content.length - 1] = { ...last, text: joins ? from.slice(0, -1) : from }), !joins && !unspaced.test(from) && content.push({ kind: "text", text: " ", style: {} }), content.push(...more);
}, minBroken = 40, minRest = 20, goesOn = (last, first) => {
  let words = blockText([{ ...last, content: last.content.slice(-minBroken) }]).trimEnd(), rest = blockText([first]).trim();
  return words.length >= minBroken && rest.length >= minRest && /[\p{L}\p{N},\u2010-]$/u.test(words) && new RegExp("^\\p{Ll}", "u").test(rest);
}, joinRegions = (regions) => {
  let joined3 = [], growing = [];
  for (let [first, ...others] of regions) {
    let last = joined3[joined3.length - 1];
    first !== void 0 && (last?.kind === "paragraph" && first.kind === "paragraph" && goesOn(last, first) ? (last.content !== growing && (growing = [...last.content], joined3[joined3.length - 1] = { ...last, content: growing }), append(growing, first.content)) : joined3.push(first), joined3.push(...others));
  }
  return joined3;
}, blocksOf = (lines, looks) => {
  let blocks = [], left = Math.min(...lines.map(({ x0 }) => x0)), right = Math.max(...lines.map(({ x1 }) => x1)), width = right - left, at = 0, isItem = (next, before, start) => markOf(next.text) !== void 0 && (isBullet(next.text) || sentenceEnd.test(before.text) || markOf(start.text) !== void 0 || before.x1 < right - 0.15 * width || Math.abs(next.x0 - before.x0) > 0.5 * next.size || next.y - before.y > 1.5 * next.size), gather = (start, hanging) => {
    let content = [...start.content], before = start;
    for (let next = lines[at]; next !== void 0; next = lines[at]) {
      let distance = next.y - before.y, sameSize2 = Math.abs(next.size - before.size) < 0.12 * before.size, ended = before.x1 < right - 0.2 * width && /[.!?:;\u3002]["\u201d)]*$/.test(before.text), complete = sentenceEnd.test(before.text) || before.x1 < right - 0.15 * width, indented = !hanging && complete && next.x0 > left + 0.8 * next.size && before.x0 < left + 0.5 * next.size, starts = isItem(next, before, start) || reference.test(next.text) || headingLevel(next, lines[at + 1], before, looks) !== void 0;
      if (!sameSize2 || distance > 1.75 * next.size || distance < -2 || ended || indented || starts || hanging && next.x0 < start.x0 + 1 && ended) break;
      append(content, next.content), before = next, at += 1;
    }
    return content;
  };
  for (; at < lines.length; ) {
    let line = lines[at];
    if (line === void 0) break;
    let before = lines[at - 1], level = headingLevel(line, lines[at + 1], before, looks);
    if (at += 1, level !== void 0) {
      let content = [...line.content], last = line;
      for (let next = lines[at]; next !== void 0; next = lines[at]) {
        let sameLook2 = next.bold === last.bold || next.size >= looks.bodySize * 1.12;
        if (!(Math.abs(next.size - last.size) < 0.5 && sameLook2 && next.y > last.y) || next.y - last.y > 1.5 * next.size || headingLevel(next, lines[at + 1], void 0, looks) !== level)
          break;
        append(content, next.content), last = next, at += 1;
      }
      blocks.push({
        kind: "heading",
        level,
        content: content.map((inline) => inline.kind === "text" ? { ...inline, style: {} } : inline)
      });
      continue;
    }
    let mark = markOf(line.text);
    if (mark === void 0) {
      line.text !== "" && blocks.push({ kind: "paragraph", content: gather(line, !1) });
      continue;
    }
    let items = [{ x: line.x0, mark, content: dropStart(gather(line, !0), mark.length) }];
    for (let next = lines[at]; next !== void 0; next = lines[at]) {
      let more = markOf(next.text);
      if (more === void 0 || headingLevel(next, lines[at + 1], lines[at - 1], looks) !== void 0) break;
      at += 1, items.push({ x: next.x0, mark: more, content: dropStart(gather(next, !0), more.length) });
    }
    blocks.push(...nest(items));
  }
  return blocks;
}, rounded = (size) => Math.round(size * 2) / 2, looksOf = (lines, outline) => {
  let letters = /* @__PURE__ */ new Map(), all = 0, bold = 0;
  for (let line of lines)
    line.turned || (letters.set(rounded(line.size), (letters.get(rounded(line.size)) ?? 0) + line.text.length), all += line.text.length, line.bold && (bold += line.text.length));
  let [bodySize] = [...letters].reduce((most, entry) => entry[1] > most[1] ? entry : most, [10, 0]), headingSizes = [...letters.keys()].filter((size) => size >= bodySize * 1.12).sort((a, b) => b - a);
  return { bodySize, boldBody: bold * 2 > all, headingSizes: headingSizes.slice(0, 5), outline };
}, withoutNumber = (text) => text.replace(/^(?:[\dA-Z]{1,3}|[IVX]+)(?:\.\d{1,3})*\.?\s+/, ""), outlined = (line, next, before, { bodySize, outline }) => {
  if (outline.size === 0 || line.size < bodySize * 0.95) return;
  let level = (text) => outline.get(keyOf(text)) ?? outline.get(keyOf(withoutNumber(text))), near3 = (one, other) => Math.abs(one.y - other.y) < 2 * line.size && Math.abs(one.size - other.size) < 0.5;
  return level(line.text) ?? (next !== void 0 && near3(line, next) ? level(`${line.text} ${next.text}`) : void 0) ?? (before !== void 0 && near3(line, before) ? level(`${before.text} ${line.text}`) : void 0);
}, endsSentence = /[.,;:\-\u2010\u3001\u3002]$/, isApart = (line, before) => before === void 0 || line.y - before.y > 1.3 * line.size || line.y < before.y, headingLevel = (line, next, before, looks) => {
  if (line.text.length > 200 || !new RegExp("\\p{L}", "u").test(line.text)) return;
  if (line.level !== void 0) return line.level;
  if (line.mono || line.turned) return;
  let stated = outlined(line, next, before, looks);
  if (stated !== void 0) return stated;
  if (isListed(line, next, before)) return;
  let rank = looks.headingSizes.findIndex((size) => rounded(line.size) >= size);
  if (rank >= 0) return line.text.length < 2 ? void 0 : rank + 1;
  if (!(line.text.length < 90 && !endsSentence.test(line.text)) || !isApart(line, before)) return;
  let below = Math.min(looks.headingSizes.length + 1, 6);
  if (line.bold && !looks.boldBody && (next === void 0 || !next.bold) && line.size >= looks.bodySize * 0.95)
    return below;
  let larger = line.size >= looks.bodySize * 1.05 && next !== void 0 && next.size < line.size * 0.97, above = before === void 0 || line.y < before.y ? line.size * 2 : line.y - before.y;
  return larger && next.y > line.y && next.y - line.y < above && above > 1.6 * line.size ? below : void 0;
}, bullet = /^[\u2022\u25cf\u25aa\u25e6\u25cb\u25a0\u25a1\u2023\u27a2\u2713\u2219\u00b7\uf0b7\u2043]\s*(?=\S)|^[-\u2013\u2014*o]\s+(?=\S)/, onlyBullet = /^[\u2022\u25cf\u25aa\u25e6\u25cb\u25a0\u25a1\u2023\u27a2\u2713\u2219\uf0b7\u2043]/, number = /^(?:\(?(\d{1,3})[.)]|(\d{1,2}(?:\.\d{1,2}){1,4}\.?)|\(?([a-zA-Z])\)|\(([ivx]{1,5})\)|([ivx]{1,5})\.)\s+(?=\S)/, markOf = (text) => {
  let [dot] = bullet.exec(text) ?? [];
  if (dot !== void 0) return { ordered: !1, start: 1, label: void 0, length: dot.length };
  let [mark, digits] = number.exec(text) ?? [];
  if (mark !== void 0)
    return {
      ordered: digits !== void 0,
      start: Number(digits ?? 1),
      label: digits === void 0 ? mark.trim() : void 0,
      length: mark.length
    };
}, isBullet = (text) => onlyBullet.test(text), sameSize = (line, other) => Math.abs(other.size - line.size) < 0.5, counts = (line, other) => {
  let [mine, theirs] = [markOf(line.text), markOf(other.text)];
  return mine?.ordered === !0 && theirs?.ordered === !0 && Math.abs(mine.start - theirs.start) === 1 && Math.abs(line.x0 - other.x0) < 3;
}, isListed = (line, next, before) => bullet.test(line.text) ? !0 : number.test(line.text) ? [next, before].some((other) => {
  if (other === void 0 || markOf(other.text) === void 0 || !sameSize(line, other)) return !1;
  let distance = Math.abs(other.y - line.y);
  return distance < 1.8 * line.size || distance < 3 * line.size && counts(line, other);
}) : !1, dropStart = (content, letters) => {
  let out = [], left = letters;
  for (let inline of content)
    if (left > 0 && inline.kind === "text") {
      let text = inline.text.replace(/^\s+/, "");
      text.length > left && out.push({ ...inline, text: text.slice(left) }), left -= Math.min(left, text.length);
    } else out.push(inline);
  return out;
}, maxDepth = 12, nest = (items, depth = 1) => {
  let lists = [], at = 0;
  for (; at < items.length; ) {
    let first = items[at];
    if (first === void 0) break;
    let group = [];
    for (; at < items.length; ) {
      let item = items[at];
      if (item === void 0 || item.x < first.x - 4 || item.x <= first.x + 4 && item.mark.ordered !== first.mark.ordered)
        break;
      let end = at + 1;
      for (; depth < maxDepth && end < items.length && (items[end]?.x ?? 0) > item.x + 4; ) end += 1;
      group.push({
        blocks: [{ kind: "paragraph", content: item.content }, ...nest(items.slice(at + 1, end), depth + 1)],
        label: item.mark.label
      }), at = end;
    }
    lists.push({ kind: "list", ordered: first.mark.ordered, start: first.mark.start, items: group });
  }
  return lists;
};

// src/Engine/Parse/Pdf/Interpreter.ts
import { getResolvedPDFJS } from "unpdf";

// src/Engine/Parse/Pdf/Fonts.ts
var symbolBullets = /^[\uf06c\uf06e\uf071\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc]$/, texFont = /(?:^|\+)(?:CM|EC|SF|CS)(?:R|TI|BX|SL|CSC|SS|U)\w*\d/i, texLigatures = {
  "\0": "ffi",
  "\v": "ff",
  "\f": "fi",
  "\r": "fl",
  "": "ffi",
  "": "ffl",
  "\u21B5": "ff"
}, rtl = /[\u0590-\u08ff]/, drawnOrder = (letters) => letters.length > 1 && rtl.test(letters) ? (letters.match(new RegExp("\\P{M}\\p{M}*", "gu")) ?? [letters]).reverse().join("") : letters, plainText = (unicode, font) => {
  if (symbolBullets.test(unicode)) return "\u2022";
  let ligature = texLigatures[unicode];
  if (ligature !== void 0 && texFont.test(font.name ?? "")) return ligature;
  let plain = /[\u00a0\ufb00-\ufdff\ufe70-\ufeff\uff01-\uff5e]/.test(unicode) ? unicode.normalize("NFKC") : unicode;
  return drawnOrder(plain);
}, unprintable = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff\ue000-\uf8ff]/g, styleOf = (font) => {
  let name = font.name ?? "";
  return {
    bold: font.bold === !0 || font.black === !0 || /bold|black|heavy|demi|-medi\b|(?:^|\+)\w\w?BX\w*\d/i.test(name),
    italic: font.italic === !0 || /italic|oblique|slanted|-\w*ital|(?:^|\+)(?:CM|EC|SF|CS)(?:TI|SL)\w*\d/i.test(name),
    mono: /mono|courier|consol|typewriter|menlo|(?:^|\+)(?:CM|EC|SF|CS)\w?TT\w*\d/i.test(name)
  };
};

// src/Engine/Parse/Pdf/Interpreter.ts
var { OPS } = await getResolvedPDFJS(), maxRules = 5e3, isLetter = (glyph) => typeof glyph != "number" && !glyph.isSpace, inkOf = ({ argsArray, fnArray }) => {
  let [letters, drawings2] = [!1, !1];
  for (let [index, op] of fnArray.entries()) {
    let first = argsArray[index]?.[0];
    op === OPS.showText ? letters ||= Array.isArray(first) && first.some(isLetter) : op === OPS.constructPath ? drawings2 ||= first !== OPS.endPath : op === OPS.shadingFill && (drawings2 = !0);
  }
  return { letters, drawings: drawings2 };
}, Interpreter = class {
  pieces = [];
  rules = [];
  fonts;
  links;
  levels;
  /** Levels of the marked content that is open. */
  marked = [];
  stack = [];
  state;
  textMatrix = identity;
  x = 0;
  y = 0;
  lineX = 0;
  lineY = 0;
  constructor(base, fonts2, links, levels) {
    this.levels = levels, this.fonts = fonts2, this.links = links, this.state = { ctm: base, font: {}, size: 1, letter: 0, word: 0, scale: 1, leading: 0, rise: 0 };
  }
  run({ fnArray, argsArray }) {
    for (let index = 0; index < fnArray.length; index += 1) this.step(fnArray[index] ?? 0, argsArray[index] ?? []);
  }
  step(op, args) {
    let { state } = this, [first] = args;
    switch (op) {
      case OPS.save:
        this.stack.push({ ...state });
        break;
      case OPS.restore:
        this.state = this.stack.pop() ?? state;
        break;
      case OPS.transform:
        state.ctm = multiply(state.ctm, asMatrix(args));
        break;
      case OPS.paintFormXObjectBegin:
        this.stack.push({ ...state }), first && (state.ctm = multiply(state.ctm, asMatrix(first)));
        break;
      case OPS.paintFormXObjectEnd:
        this.state = this.stack.pop() ?? state;
        break;
      case OPS.beginText:
        this.place(identity);
        break;
      case OPS.setTextMatrix:
        this.place(asMatrix(args));
        break;
      case OPS.moveText:
        this.move(Number(first), Number(args[1]));
        break;
      case OPS.setLeadingMoveText:
        state.leading = -Number(args[1]), this.move(Number(first), Number(args[1]));
        break;
      case OPS.nextLine:
        this.move(0, -state.leading);
        break;
      case OPS.setFont:
        state.font = this.fonts(String(first)), state.size = Number(args[1]);
        break;
      case OPS.setCharSpacing:
        state.letter = Number(first);
        break;
      case OPS.setWordSpacing:
        state.word = Number(first);
        break;
      case OPS.setHScale:
        state.scale = Number(first) / 100;
        break;
      case OPS.setLeading:
        state.leading = -Number(first);
        break;
      case OPS.setTextRise:
        state.rise = Number(first);
        break;
      case OPS.showText:
        this.show(first);
        break;
      case OPS.beginMarkedContent:
        this.marked.push(this.marked.at(-1));
        break;
      case OPS.beginMarkedContentProps:
        this.marked.push(this.levels.get(Number(args[1] ?? -1)) ?? this.marked.at(-1));
        break;
      case OPS.endMarkedContent:
        this.marked.pop();
        break;
      case OPS.constructPath:
        this.path(Number(first), args[1]);
        break;
    }
  }
  place(matrix) {
    this.textMatrix = matrix, this.x = this.y = this.lineX = this.lineY = 0;
  }
  move(x, y) {
    this.x = this.lineX += x, this.y = this.lineY += y;
  }
  show(glyphs) {
    let { font, letter, rise, scale, size, word } = this.state, matrix = multiply(this.state.ctm, this.textMatrix), [a, b, c, d, e, f] = matrix, unit = font.isType3Font ? font.fontMatrix?.[0] ?? 1e-3 : 1e-3, stretch = Math.hypot(a, b), height = Math.hypot(c, d) * Math.abs(size);
    if (!Number.isFinite(height) || height === 0 || stretch === 0) return;
    let angle = Math.atan2(b, a), style = styleOf(font), level = this.marked.at(-1), run = "", href, from = this.x, to = this.x, flush = () => {
      let text = run.replace(unprintable, ""), x0 = a * from + c * (this.y + rise) + e, x1 = x0 + (to - from) * stretch, y = b * from + d * (this.y + rise) + f;
      text.trim() !== "" && Number.isFinite(x1) && Number.isFinite(y) && this.pieces.push({ text, x0, x1, y, size: height, angle, href, level, ...style }), run = "";
    };
    for (let glyph of glyphs) {
      if (typeof glyph == "number") {
        let shift = (font.vertical ? 1 : -1) * glyph * size / 1e3;
        font.vertical ? this.y += shift : this.x += shift * scale;
        continue;
      }
      let gap = (this.x - to) * stretch / height, overlaps = gap < -0.1 && (isAccent(run.slice(-1)) || isAccent(glyph.unicode));
      run !== "" && (gap > 0.9 || gap < -0.4 || overlaps) ? flush() : run !== "" && gap > 0.16 && !run.endsWith(" ") && (run += " ");
      let target = this.links.length === 0 ? void 0 : this.linkAt(matrix);
      target !== href && (flush(), href = target), run === "" && (from = this.x);
      let blank = glyph.unicode.trim() === "";
      run += blank ? run === "" || run.endsWith(" ") ? "" : " " : plainText(glyph.unicode, font);
      let advance = glyph.width * unit * size;
      if (font.vertical)
        flush(), this.y += (glyph.vmetric?.[0] ?? -1e3) * size / 1e3 + letter;
      else {
        let start = this.x;
        this.x += (advance + letter + (glyph.isSpace ? word : 0)) * scale, blank || (to = letter > 0 && letter < 0.5 * Math.abs(size) ? this.x : start + advance * scale), blank && run === "" && (from = this.x);
      }
    }
    flush();
  }
  linkAt([a, b, c, d, e, f]) {
    let x = a * this.x + c * this.y + e, y = b * this.x + d * this.y + f;
    return this.links.find((area) => x >= area.x0 - 1 && x < area.x1 && y >= area.y0 && y <= area.y1)?.href;
  }
  path(paint, [data]) {
    if (data == null || paint === OPS.endPath || this.rules.length > maxRules) return;
    let stroked = paint === OPS.stroke || paint === OPS.closeStroke || paint === OPS.fillStroke, [a, b, c, d, e, f] = this.state.ctm;
    for (let rule of rulesOf(data, stroked, (x, y) => [a * x + c * y + e, b * x + d * y + f])) this.rules.push(rule);
  }
}, multiply = (m, n) => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5]
], identity = [1, 0, 0, 1, 0, 0], asMatrix = (args) => {
  let values = Array.from(args ?? []), flat = (values.length === 1 ? Array.from(values[0] ?? []) : values).map(Number), [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = flat;
  return [a, b, c, d, e, f];
}, marks = {
  "`": "\u0300",
  "\xB4": "\u0301",
  "\u02C6": "\u0302",
  "^": "\u0302",
  "\u02DC": "\u0303",
  "~": "\u0303",
  "\xAF": "\u0304",
  "\u02D8": "\u0306",
  "\u02D9": "\u0307",
  "\xA8": "\u0308",
  "\u02DA": "\u030A",
  "\u02DD": "\u030B",
  "\u02C7": "\u030C",
  "\xB8": "\u0327",
  "\u02DB": "\u0328"
}, isAccent = (character) => marks[character] !== void 0, withMark = (letter, accent) => ((letter === "\u0131" ? "i" : letter) + (marks[accent] ?? "")).normalize("NFC"), takesAccent = (character) => new RegExp("\\p{L}", "u").test(character), overlap = (one, other) => other.x0 < one.x1 - 0.1 * one.size && other.x0 > one.x0 - 0.5 * one.size && Math.abs(other.y - one.y) < 0.5 * one.size, joined = (one, other) => {
  let before = one.text.slice(0, -1), last = one.text.slice(-1), first = other.text.slice(0, 1), after = other.text.slice(1);
  return isAccent(last) && takesAccent(first) ? before + withMark(first, last) + after : takesAccent(last) && isAccent(first) ? before + withMark(last, first) + after : void 0;
}, joinAccents = (pieces) => {
  let out = [];
  for (let piece of pieces) {
    let last = out[out.length - 1], text = last !== void 0 && overlap(last, piece) ? joined(last, piece) : void 0;
    last === void 0 || text === void 0 ? out.push(piece) : out[out.length - 1] = { ...last, text, x1: Math.max(last.x1, piece.x1) };
  }
  return out;
}, longest = 12, straight = (from, to) => {
  let [x0, x1] = from[0] < to[0] ? [from[0], to[0]] : [to[0], from[0]], [y0, y1] = from[1] < to[1] ? [from[1], to[1]] : [to[1], from[1]];
  return (x1 - x0 < 3 || y1 - y0 < 3) && Math.max(x1 - x0, y1 - y0) > 4 ? [{ x0, y0, x1, y1 }] : [];
}, ofOutline = (points, stroked) => {
  if (points.length < 2 || points.length >= longest) return [];
  if (stroked) return points.slice(1).flatMap((point, index) => straight(points[index] ?? point, point));
  let xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  return straight([Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)]);
}, operands = [2, 2, 6, 0, 4], rulesOf = (data, stroked, toPage) => {
  let rules = [], points = [], finish = () => {
    rules.push(...ofOutline(points, stroked)), points = [];
  };
  for (let at = 0; at < data.length; ) {
    let kind = data[at] ?? 0;
    kind === 0 && finish(), kind < 2 ? points.push(toPage(data[at + 1] ?? 0, data[at + 2] ?? 0)) : kind === 3 && stroked && points[0] !== void 0 ? points.push(points[0]) : kind !== 3 && (points = []), at += 1 + (operands[kind] ?? 0);
  }
  return finish(), rules;
};

// src/Engine/Parse/Pdf/Lines.ts
var top = ({ size, y }) => y - 0.75 * size, bottom = ({ size, y }) => y + 0.2 * size, shared = (one, other) => (Math.min(bottom(one), bottom(other)) - Math.max(top(one), top(other))) / (0.95 * Math.min(one.size, other.size)), segmentsOf = (pieces) => {
  let sorted = [...pieces].sort((a, b) => a.x0 - b.x0), segments = [];
  for (let piece of sorted) {
    let last = segments[segments.length - 1], before = last?.pieces[last.pieces.length - 1];
    before?.text === piece.text && Math.abs(before.x0 - piece.x0) < 0.2 * piece.size || (last !== void 0 && piece.x0 - last.x1 < 1.05 * piece.size ? (last.pieces.push(piece), last.x1 = Math.max(last.x1, piece.x1)) : segments.push({ pieces: [piece], x0: piece.x0, x1: piece.x1 }));
  }
  return segments;
}, rowOf = (pieces) => {
  let segments = segmentsOf(pieces), main = pieces.reduce((most, piece) => piece.text.length > most.text.length ? piece : most);
  return {
    segments,
    x0: Math.min(...segments.map(({ x0 }) => x0)),
    x1: Math.max(...segments.map(({ x1 }) => x1)),
    y: main.y,
    size: main.size
  };
}, rowsOf = (pieces) => {
  let rows = [];
  for (let piece of [...pieces].sort((a, b) => a.y - b.y)) {
    let home;
    for (let index = rows.length - 1; index >= Math.max(0, rows.length - 4); index -= 1) {
      let row = rows[index];
      if (row !== void 0 && shared(row.main, piece) > 0.55) {
        home = row;
        break;
      }
    }
    home === void 0 ? rows.push({ main: piece, pieces: [piece] }) : (home.pieces.push(piece), piece.size > home.main.size && (home.main = piece));
  }
  return rows.map((row) => rowOf(row.pieces)).sort((a, b) => a.y - b.y);
}, rtlLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/, rtlRun = /[\u0590-\u08ff][\u0590-\u08ff\s.,:;!?()\u060c\u061b\u061f-]*/g, punctuation = ` \xA0	
.,:;!?()-`, ltrRun = /[\p{Script=Latin}\p{N}](?:[\p{Script=Latin}\p{N}\s.,:/%@_+-]*[\p{Script=Latin}\p{N}%])?/gu, clusters = (text) => text.match(new RegExp("\\P{M}\\p{M}*|\\p{M}+", "gu")) ?? [], reverse = (text) => [...clusters(text)].reverse().join(""), toLogical = (drawn) => {
  if (!rtlLetters.test(drawn)) return drawn;
  let rtl2 = drawn.match(/[\u0590-\u08ff]/g)?.length ?? 0, ltr = drawn.match(new RegExp("\\p{Script=Latin}", "gu"))?.length ?? 0;
  return rtl2 < ltr ? drawn.replace(rtlRun, (run) => {
    let end = run.length;
    for (; end > 0 && punctuation.includes(run.charAt(end - 1)); ) end -= 1;
    return reverse(run.slice(0, end)) + run.slice(end);
  }) : reverse(drawn).replace(ltrRun, reverse).replace(new RegExp("(\\p{Script=Latin})(?=[\\u05d0-\\u05ea\\u0620-\\u064a])", "gu"), "$1 ").replace(/[()[\]{}<>]/g, (mark) => ({ "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" })[mark] ?? mark);
}, styleOf2 = ({ bold, italic, mono }) => ({
  ...bold && !mono && { bold },
  ...italic && !mono && { italic }
}), sameLook = (one, other) => one.bold === other.bold && one.italic === other.italic && one.mono === other.mono && one.href === other.href, isCall = ({ size, text, y }, word) => size < 0.82 * word.size && y < word.y - 0.15 * word.size && /^[\d*\u2020\u2021,]{1,4}\)?$/.test(text.trim()) && new RegExp("\\p{L}", "u").test(word.text), isNoteBeside = (one, other) => isCall(other, one) && /[\p{L}\p{P}]{2}$/u.test(one.text) || isCall(one, other) && new RegExp("^\\p{L}{2}", "u").test(other.text), inlinesOf = (pieces) => {
  let runs = [];
  for (let piece of pieces) {
    let last = runs[runs.length - 1], words = last !== void 0 && (piece.x0 - last.end > 0.16 * Math.min(piece.size, last.piece.size) || isNoteBeside(last.latest, piece)) && !last.text.endsWith(" ") && !piece.text.startsWith(" ") ? ` ${piece.text}` : piece.text;
    last !== void 0 && sameLook(last.piece, piece) ? (last.text += words, last.end = piece.x1, last.latest = piece) : runs.push({ text: words, piece, latest: piece, end: piece.x1 });
  }
  let whole = runs.map(({ text }) => text).join("");
  return rtlLetters.test(whole) ? [{ kind: "text", text: toLogical(whole), style: {} }] : runs.map(({ piece, text }) => {
    let inline = { kind: "text", text, style: styleOf2(piece) };
    return piece.href === void 0 ? inline : { kind: "link", href: piece.href, content: [{ ...inline, style: {} }] };
  });
}, lineOf = (row, turned = !1) => {
  let pieces = row.segments.flatMap((segment) => segment.pieces), content = inlinesOf(pieces), text = content.map((inline) => inline.kind === "text" ? inline.text : inline.kind === "link" ? joined2(inline.content) : "").join(""), wordy2 = pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece.text));
  return {
    content,
    text: text.trim(),
    x0: row.x0,
    x1: row.x1,
    y: row.y,
    size: row.size,
    bold: wordy2.length > 0 && wordy2.every(({ bold }) => bold),
    mono: pieces.every(({ mono }) => mono),
    level: wordy2.every(({ level }) => level === wordy2[0]?.level) ? wordy2[0]?.level : void 0,
    turned
  };
}, joined2 = (content) => content.map((inline) => inline.kind === "text" ? inline.text : "").join("");

// src/Engine/Parse/Pdf/Tables.ts
var near = 3, cluster = (values) => {
  let out = [];
  for (let value of [...values].sort((a, b) => a - b))
    (out.length === 0 || value - (out[out.length - 1] ?? 0) > near) && out.push(value);
  return out;
}, drawings = (rules) => {
  let groups = [];
  for (let rule of rules) {
    let touching = groups.filter(
      (group) => rule.x0 <= group.x1 + near && rule.x1 >= group.x0 - near && rule.y0 <= group.y1 + near && rule.y1 >= group.y0 - near
    ), home = touching[0] ?? { ...rule, rules: [] };
    touching.length === 0 && groups.push(home);
    for (let other of [...touching.slice(1), { ...rule, rules: [rule] }]) {
      home.x0 = Math.min(home.x0, other.x0), home.y0 = Math.min(home.y0, other.y0), home.x1 = Math.max(home.x1, other.x1), home.y1 = Math.max(home.y1, other.y1), home.rules.push(...other.rules);
      let at = groups.indexOf(other);
      at >= 0 && groups.splice(at, 1);
    }
  }
  return groups.map((group) => group.rules);
}, between = (lines, value) => {
  for (let index = 0; index + 1 < lines.length; index += 1)
    if (value >= (lines[index] ?? 0) - 1 && value < (lines[index + 1] ?? 0) + 1) return index;
  return -1;
}, opened = (lines, from, to, least) => [
  ...from < (lines[0] ?? 0) - least ? [from] : [],
  ...lines,
  ...to > (lines[lines.length - 1] ?? 0) + least ? [to] : []
], edgesOf = (drawing) => {
  let upright = drawing.filter(({ x0, x1 }) => x1 - x0 < near), level = drawing.filter(({ y0, y1 }) => y1 - y0 < near), xs = cluster(upright.map(({ x0 }) => x0)), ys = cluster(level.map(({ y0 }) => y0));
  return xs.length === 0 || ys.length === 0 ? { xs, ys } : {
    xs: opened(xs, Math.min(...level.map(({ x0 }) => x0)), Math.max(...level.map(({ x1 }) => x1)), 12),
    ys: opened(ys, Math.min(...upright.map(({ y0 }) => y0)), Math.max(...upright.map(({ y1 }) => y1)), 6)
  };
}, minLines = 3, splitRow = (row) => {
  let filled = row.filter((cell) => cell.length > 0), lines = rowsOf(row[0] ?? []);
  if (filled.length < 2 || lines.length < minLines) return [row];
  let home = ({ size, y }) => lines.findIndex((line) => Math.abs(line.y - y) < 0.4 * size);
  return filled.every((cell) => {
    let homes = new Set(cell.map(home));
    return !homes.has(-1) && homes.size * 4 >= lines.length * 3;
  }) ? lines.map((_, index) => row.map((cell) => cell.filter((piece) => home(piece) === index))) : [row];
}, ruledTables = (pieces, rules) => {
  let grids = [], rest = pieces;
  for (let drawing of drawings(rules)) {
    let { xs, ys } = edgesOf(drawing);
    if (xs.length < 3 || ys.length < 3 || xs.length > 60 || ys.length > 400) continue;
    let cells = ys.slice(1).map(() => xs.slice(1).map(() => [])), outside = [];
    for (let piece of rest) {
      let column = between(xs, (piece.x0 + Math.min(piece.x1, piece.x0 + piece.size)) / 2), row = between(ys, piece.y - 0.3 * piece.size), cell = column < 0 || row < 0 ? void 0 : cells[row]?.[column];
      cell === void 0 ? outside.push(piece) : cell.push(piece);
    }
    let filledRows = cells.filter((row) => row.some((cell) => cell.length > 0)).flatMap(splitRow), filled = filledRows.flat().filter((cell) => cell.length > 0).length;
    filledRows.length < 2 || filled * 3 < filledRows.length * (xs.length - 1) || (grids.push({ y: ys[0] ?? 0, bottom: ys[ys.length - 1] ?? 0, xs, cells: filledRows }), rest = outside);
  }
  return { grids, rest };
}, addSpans = (spans, segments) => {
  let merged = [];
  for (let { x0, x1 } of [...spans, ...segments].sort((a, b) => a.x0 - b.x0)) {
    let last = merged[merged.length - 1];
    last !== void 0 && x0 < last.x1 + 2 ? last.x1 = Math.max(last.x1, x1) : merged.push({ x0, x1 });
  }
  return merged;
}, marker = /^(?:[\u2022\u25cf\u25aa\u25e6\u25cb\u2013\u2014*-]|\(?\d{1,3}[.)]|(?:\d{1,2}\.)+\d{0,2}|\(?[a-zA-Z][.)])$/, isList = (rows, columns) => columns === 2 && rows.filter(
  ({ segments }) => marker.test(
    (segments[0]?.pieces ?? []).map(({ text }) => text).join("").trim()
  )
).length * 2 > rows.length, alignedTable = (rows, from) => {
  let first = rows[from];
  if (first === void 0 || first.segments.length < 2) return { seen: 1, table: void 0 };
  let spans = addSpans([], first.segments), taken = 1, seen = 1;
  for (let index = from + 1; index < rows.length; index += 1) {
    let row = rows[index], before = rows[index - 1];
    if (row === void 0 || before === void 0 || row.y - before.y > 3 * Math.max(row.size, before.size)) break;
    seen += 1;
    let next = addSpans(spans, row.segments);
    if (next.length < 2 || next.length * 3 < spans.length * 2 || row.segments.length === 1 && next.length < spans.length) break;
    spans = next, row.segments.length > 1 && (taken = index + 1 - from);
  }
  let inside = rows.slice(from, from + taken), full = inside.filter(({ segments }) => segments.length > 1);
  if (full.length < (spans.length > 2 ? 2 : 3) || full.length * 2 < inside.length || isList(full, spans.length))
    return { seen, table: void 0 };
  let cells = [];
  for (let row of inside) {
    let line = spans.map(() => []);
    for (let segment of row.segments) {
      let at = spans.findIndex(({ x0, x1 }) => segment.x0 >= x0 - 1 && segment.x0 <= x1);
      line[at]?.push(...segment.pieces);
    }
    let above = cells[cells.length - 1];
    row.segments.length === 1 && above !== void 0 && (line[0]?.length ?? 0) === 0 ? line.forEach((cell, column) => {
      above[column]?.push(...cell);
    }) : cells.push(line);
  }
  return { seen, table: { rows: taken, cells } };
}, bandTolerance = 4, minRules = 3, maxHeight = 400, maxLetters = 32, stacksOf = (rules) => {
  let stacks = [], level = rules.filter(({ x0, x1, y0, y1 }) => y1 - y0 < 3 && x1 - x0 > 60);
  for (let rule of [...level].sort((a, b) => a.y0 - b.y0)) {
    let home = stacks.find((stack) => {
      let last = stack[stack.length - 1];
      return last !== void 0 && Math.abs(last.x0 - rule.x0) < bandTolerance && Math.abs(last.x1 - rule.x1) < bandTolerance && rule.y0 - last.y0 < maxHeight;
    });
    home === void 0 ? stacks.push([rule]) : rule.y0 - (home[home.length - 1]?.y0 ?? 0) > bandTolerance && home.push(rule);
  }
  return stacks.filter((stack) => stack.length >= minRules);
}, wordy = ({ pieces }) => pieces.reduce((sum, { text }) => sum + text.length, 0), columnsOf = (rows) => {
  let several = rows.filter(({ segments: segments2 }) => segments2.length > 1);
  if (several.length < 2 || several.length * 2 < rows.length) return;
  let counts3 = several.map(({ segments: segments2 }) => segments2.length).sort((a, b) => a - b), usual = counts3[Math.floor(counts3.length / 2)] ?? 2, full = several.filter(({ segments: segments2 }) => segments2.length >= usual), segments = full.flatMap((row) => row.segments);
  if (segments.reduce((sum, segment) => sum + wordy(segment), 0) / segments.length > maxLetters) return;
  let spans = full.reduce((all, row) => addSpans(all, row.segments), []);
  return spans.length < 2 ? void 0 : spans;
}, shared2 = (segment, { x0, x1 }) => Math.min(segment.x1, x1) - Math.max(segment.x0, x0), cellsOf = (rows, spans) => {
  let cells = spans.map(() => []);
  for (let segment of rows.flatMap((row) => row.segments)) {
    let widths = spans.map((span) => shared2(segment, span));
    cells[widths.indexOf(Math.max(...widths))]?.push(...segment.pieces);
  }
  return cells;
}, headerOf = (rows, top2) => {
  let last = rows.filter(({ y }) => y < top2).at(-1);
  return last !== void 0 && last.segments.length > 1 && top2 - last.y < 2 * last.size ? last : void 0;
}, bandedTables = (pieces, rules, taken) => {
  let grids = [], free = rules.filter(
    ({ y0 }) => !taken.some(({ bottom: bottom2, y }) => y0 > y - bandTolerance && y0 < bottom2 + bandTolerance)
  ), rest = pieces;
  for (let stack of stacksOf(free)) {
    let [first] = stack, last = stack[stack.length - 1];
    if (first === void 0 || last === void 0) continue;
    let within = ({ x0, x1 }) => x0 > first.x0 - 12 && x1 < first.x1 + 12, inside = rest.filter((piece) => within(piece) && piece.y > first.y0 - 2 && piece.y < last.y0), rows = rowsOf(inside), columns = columnsOf(rows);
    if (columns === void 0) continue;
    let above = headerOf(
      rowsOf(rest.filter((piece) => within(piece) && piece.y < first.y0 && piece.y > first.y0 - 60)),
      first.y0
    ), bands = stack.slice(1).map((rule, index) => rows.filter(({ y }) => y > (stack[index]?.y0 ?? 0) - 2 && y < rule.y0)), cells = [...above === void 0 ? [] : [[above]], ...bands].filter((band) => band.length > 0).map((band) => cellsOf(band, columns)).flatMap(splitRow);
    if (cells.length < 2) continue;
    let used = new Set(cells.flat(2));
    rest = rest.filter((piece) => !used.has(piece)), grids.push({
      y: above === void 0 ? first.y0 : above.y,
      bottom: last.y0,
      xs: columns.flatMap(({ x0, x1 }) => [x0, x1]),
      cells
    });
  }
  return { grids, rest };
};

// src/Engine/Parse/Pdf/Layout.ts
var tablePart = (cells, xs) => ({
  xs,
  rows: cells.map(
    (row) => row.map((pieces) => ({ blocks: [{ kind: "paragraph", content: rowsOf(pieces).map((line) => inlinesOf(line.segments.flatMap((segment) => segment.pieces))).flatMap(
      (line, index) => index === 0 ? line : [{ kind: "text", text: " ", style: {} }, ...line]
    ) }], colSpan: 1, rowSpan: 1 }))
  )
}), maxLooks = 1e5, partsOf = ({ pieces, rules, turned }) => {
  let ruled = ruledTables(pieces, rules), banded = bandedTables(ruled.rest, rules, ruled.grids), waiting = [...ruled.grids, ...banded.grids].sort((a, b) => a.y - b.y), parts = [], lines = [], looks = maxLooks, flush = () => {
    lines.length > 0 && parts.push({ lines }), lines = [];
  };
  for (let region of regionsOf(banded.rest)) {
    for (let at = 0; at < region.length; ) {
      let row = region[at];
      if (row === void 0) break;
      for (let grid = waiting[0]; grid !== void 0 && grid.y < row.y; grid = waiting[0])
        flush(), waiting.shift(), parts.push({ table: tablePart(grid.cells, grid.xs) });
      let { seen, table } = looks > 0 ? alignedTable(region, at) : { seen: 0, table: void 0 };
      looks -= seen, table === void 0 ? (lines.push(lineOf(row, turned)), at += 1) : (flush(), parts.push({ table: tablePart(table.cells, void 0) }), at += table.rows);
    }
    flush();
  }
  for (let { cells, xs } of waiting) parts.push({ table: tablePart(cells, xs) });
  return parts;
}, minRows = 4, step = 4, maxSteps = 1e3, runsBeside = (rows, x) => {
  let runs = [], from = 0, left = 0, right = 0, finish = (to) => {
    let worth = Math.min(left, right);
    worth >= minRows && runs.push({ from, to, worth }), left = 0, right = 0;
  };
  return rows.forEach((row, index) => {
    if (row.segments.some((segment) => segment.x0 < x && segment.x1 > x)) {
      finish(index), from = index + 1;
      return;
    }
    row.x0 < x && (left += 1), row.x1 > x && (right += 1);
  }), finish(rows.length), runs;
}, isProse = (rows, keep) => {
  let segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0))), left = Math.min(...segments.map(({ x0 }) => x0)), right = Math.max(...segments.map(({ x1 }) => x1)), filled = segments.reduce((sum, { x0, x1 }) => sum + (x1 - x0), 0) / segments.length, letters = segments.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0);
  return filled > 0.5 * (right - left) && letters / segments.length > 14;
}, isFlow = (rows, keep) => {
  let segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0))), left = Math.min(...segments.map(({ x0 }) => x0)), right = Math.max(...segments.map(({ x1 }) => x1)), full = segments.filter(({ pieces, x0, x1 }) => pieces.reduce((sum, { text }) => sum + text.length, 0) > 35 && x1 - x0 > 0.85 * (right - left));
  return full.length >= 12 && full.length * 4 >= segments.length * 3;
}, balanced = (x, left, right) => Math.min(x - left, right - x) > 0.8 * Math.max(x - left, right - x), findGutter = (rows) => {
  let left = Math.min(...rows.map(({ x0 }) => x0)), right = Math.max(...rows.map(({ x1 }) => x1)), stride = Math.max(step, (right - left) / maxSteps), best = 0, from = 0, to = 0;
  for (let x2 = left + stride; x2 < right; x2 += stride) {
    let worth = runsBeside(rows, x2).reduce((sum, run) => sum + run.worth, 0);
    worth > best ? (best = worth, from = x2, to = x2) : worth > 0 && worth === best && x2 - to <= stride && (to = x2);
  }
  if (best === 0) return;
  let x = (from + to) / 2, runs = runsBeside(rows, x).filter(({ from: start, to: end }) => {
    let beside = rows.slice(start, end), before = (at) => at < x, after = (at) => at >= x;
    return isProse(beside, before) && isProse(beside, after) ? !0 : balanced(x, left, right) && (isFlow(beside, before) || isFlow(beside, after));
  });
  return runs.length === 0 ? void 0 : { x, runs };
}, isRightToLeft = (rows) => {
  let letters = 0, rtl2 = 0;
  for (let { segments } of rows)
    for (let { pieces } of segments)
      for (let { text } of pieces)
        letters += text.length, rtl2 += text.match(/[\u0590-\u08ff]/g)?.length ?? 0;
  return rtl2 * 2 > letters;
}, regionsOf = (pieces, depth = 0) => {
  let rows = rowsOf(pieces), gutter = depth > 3 || rows.length < minRows ? void 0 : findGutter(rows);
  if (gutter === void 0) return rows.length === 0 ? [] : [rows];
  let regions = [], done = 0, wide = (to) => {
    to > done && regions.push(rows.slice(done, to));
  };
  for (let { from, to } of gutter.runs) {
    wide(from);
    let inside = rows.slice(from, to).flatMap(({ segments }) => segments), side = (keep) => regionsOf(
      inside.filter(({ x0 }) => keep(x0)).flatMap((segment) => segment.pieces),
      depth + 1
    ), sides = [side((x) => x < gutter.x), side((x) => x >= gutter.x)];
    regions.push(...(isRightToLeft(rows) ? sides.reverse() : sides).flat()), done = to;
  }
  return wide(rows.length), regions;
}, linesOf = (parts) => parts.flatMap((part) => "lines" in part ? part.lines : []), withoutRunningLines = (pages) => {
  if (pages.length < 4) return pages;
  let keyOf2 = ({ text, y }) => `${Math.round(y / 8)} ${text.replace(/\d+/g, "#")}`, edges = pages.map((parts) => {
    let lines = [...linesOf(parts)].sort((a, b) => a.y - b.y);
    return /* @__PURE__ */ new Set([...lines.slice(0, 2), ...lines.slice(-2)]);
  }), counts3 = /* @__PURE__ */ new Map();
  for (let edge of edges) for (let line of edge) counts3.set(keyOf2(line), (counts3.get(keyOf2(line)) ?? 0) + 1);
  return pages.map(
    (parts, index) => parts.map(
      (part) => "lines" in part ? {
        lines: part.lines.filter(
          (line) => !(edges[index]?.has(line) && (counts3.get(keyOf2(line)) ?? 0) > Math.max(3, pages.length * 0.4))
        )
      } : part
    )
  );
}, textOf = (row) => (row ?? []).map(({ blocks }) => blockText(blocks).trim()).join("	"), sameColumns = (one, other) => one.xs !== void 0 && other.xs !== void 0 && one.xs.length === other.xs.length && one.xs.every((x, index) => Math.abs(x - (other.xs?.[index] ?? 0)) < 5), withTablesJoined = (pages) => {
  let joined3 = [], growing = [];
  for (let parts of pages) {
    let [first, ...others] = parts.filter((part) => "table" in part || part.lines.length > 0), last = joined3[joined3.length - 1];
    if (first !== void 0) {
      if (last !== void 0 && "table" in last && "table" in first && sameColumns(last.table, first.table)) {
        let [head, ...rest] = first.table.rows, repeats = textOf(head) === textOf(last.table.rows[0]);
        last.table.rows !== growing && (growing = [...last.table.rows], joined3[joined3.length - 1] = { table: { ...last.table, rows: growing } });
        for (let row of repeats ? rest : first.table.rows) growing.push(row);
      } else joined3.push(first);
      joined3.push(...others);
    }
  }
  return joined3;
};

// src/Engine/Parse/Pdf/PdfPage.ts
var quarter = (angle) => {
  let turns = angle / (Math.PI / 2);
  return Math.abs(turns - Math.round(turns)) < 0.05 ? (Math.round(turns) % 4 + 4) % 4 : void 0;
}, rotations = [identity, [0, -1, 1, 0, 0, 0], [-1, 0, 0, -1, 0, 0], [0, 1, -1, 0, 0, 0]], readPage = (operators, base, fonts2, links, levels) => {
  let upright = new Interpreter(base, fonts2, links, levels);
  upright.run(operators);
  let amounts = [0, 0, 0, 0];
  for (let { angle, text } of upright.pieces) {
    let turn = quarter(angle);
    turn !== void 0 && (amounts[turn] = (amounts[turn] ?? 0) + text.length);
  }
  return rotations.map((rotation, turn) => ({ rotation, amount: amounts[turn] ?? 0 })).filter(({ amount }) => amount > 0).sort((one, other) => other.amount - one.amount).map(({ rotation }, index) => {
    let view = rotation === identity ? upright : new Interpreter(multiply(rotation, base), fonts2, [], levels);
    view !== upright && view.run(operators);
    let pieces = joinAccents(view.pieces.filter(({ angle }) => quarter(angle) === 0));
    return { pieces: withoutLineNumbers(pieces), rules: view.rules, turned: index > 0 };
  });
}, minLines2 = 8, near2 = 3, counts2 = (numbers) => numbers.slice(1).filter((piece, index) => Number(piece.text) - Number(numbers[index]?.text) === 1).length >= 0.9 * (numbers.length - 1), withoutLineNumbers = (pieces) => {
  let numbers = pieces.filter(({ text }) => /^\d{1,3}$/.test(text.trim()));
  if (numbers.length < minLines2) return pieces;
  let columns = ["x0", "x1"].flatMap(
    (side) => edgesOf2(numbers, side).map(([edge]) => numbers.filter((piece) => Math.abs(piece[side] - edge) < near2))
  ).filter((column) => column.length >= minLines2).sort((one, other) => other.length - one.length);
  for (let column of columns) {
    let inColumn = new Set(column), others = pieces.filter((piece) => !inColumn.has(piece));
    if (counts2([...column].sort((a, b) => a.y - b.y)) && isMargin(column, others)) return others;
  }
  return pieces;
}, isMargin = (column, others) => {
  let left = Math.min(...column.map(({ x0 }) => x0)), right = Math.max(...column.map(({ x1 }) => x1)), top2 = Math.min(...column.map(({ y }) => y)) - 2, bottom2 = Math.max(...column.map(({ y }) => y)) + 2, beside = others.filter(({ y }) => y > top2 && y < bottom2), lines = new Set(beside.map(({ y }) => Math.round(y / 3))), isEdge = beside.every(({ x0 }) => x0 > right) || beside.every(({ x1 }) => x1 < left);
  return beside.length > 0 && isEdge && isProse2(beside, lines.size);
}, isProse2 = (pieces, lines) => pieces.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, lines) > 30, edgesOf2 = (pieces, side) => {
  let seen = /* @__PURE__ */ new Map();
  for (let piece of pieces) seen.set(Math.round(piece[side]), (seen.get(Math.round(piece[side])) ?? 0) + 1);
  return [...seen].filter(([, count]) => count >= minLines2 / 2).sort((a, b) => b[1] - a[1]).slice(0, 4);
};

// src/Engine/Parse/Pdf.ts
var prototype = ArrayBuffer.prototype;
prototype.transferToFixedLength ??= function(length = this.byteLength) {
  let moved = new ArrayBuffer(length);
  return new Uint8Array(moved).set(new Uint8Array(this, 0, Math.min(length, this.byteLength))), moved;
};
var screen = globalThis;
screen.FontFace ??= class {
  status = "loaded";
};
var fonts = { add: () => {
}, delete: () => {
} }, settings = {
  verbosity: 0,
  maxImageSize: 1,
  isEvalSupported: !1,
  disableFontFace: !1,
  ownerDocument: { fonts }
}, open = (bytes) => getDocumentProxy(new Uint8Array(bytes), settings).catch((error) => {
  throw error.name === "PasswordException" ? encrypted("The PDF") : corrupt(`The PDF cannot be read (${error.message})`);
}), viewsOf = async (page, links, tagged) => {
  let base = asMatrix(page.getViewport({ scale: 1 }).transform), operators = await page.getOperatorList(), fonts2 = (id) => page.commonObjs.has(id) ? page.commonObjs.get(id) : {}, levels = tagged ? await levelsOf(page) : /* @__PURE__ */ new Map();
  return { views: readPage(operators, base, fonts2, await links(page, base), levels), ink: inkOf(operators) };
}, hasImages = (bytes) => /\/Subtype\s*\/Image\b/.test(bytes.toString("latin1")), emptiness = (bytes, inks, hasPieces) => hasPieces ? "The pages hold no text besides headers, footers and watermarks." : inks.some(({ letters }) => letters) ? "The text of the pages cannot be read: their fonts do not say which characters they show." : hasImages(bytes) ? "The pages hold images only: there is no text to read." : inks.some(({ drawings: drawings2 }) => drawings2) ? "The pages hold drawings only: there is no text to read." : "The pages are empty: there is no text to read.", blocksOfPart = (part, looks) => "table" in part ? [{ kind: "table", headerRows: 1, rows: part.table.rows }] : blocksOf(part.lines, looks), dateOf = (value) => {
  let [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, hours, minutes = "00"] = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?)?/.exec(String(value ?? "")) ?? [], zone = sign === void 0 ? "Z" : `${sign}${hours}:${minutes}`;
  return year === void 0 ? void 0 : `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}, metadataOf = async (document) => {
  let info = await document.getMetadata().then(
    (metadata) => ({ ...metadata.info }),
    () => ({})
  ), known = {
    title: info.Title,
    description: info.Subject,
    author: info.Author,
    keywords: info.Keywords,
    language: info.Language,
    createdTime: dateOf(info.CreationDate),
    modifiedTime: dateOf(info.ModDate)
  }, stated = Object.entries(known).flatMap(
    ([key, value]) => typeof value == "string" && value.trim() !== "" ? [[key, value.trim()]] : []
  );
  return { ...Object.fromEntries(stated), numPages: document.numPages };
}, readPdf = async (bytes, { budgetMillis, maxPages }) => {
  let started = performance.now(), document = await open(bytes), pages = [], warnings = [], inks = [], hasPieces = !1, broken = 0, tagged = (await document.getMarkInfo().catch(() => null))?.Marked === !0, links = linksIn(document), last = Math.min(document.numPages, maxPages ?? document.numPages);
  for (let index = 1; index <= last; index += 1) {
    if (performance.now() - started > budgetMillis) {
      warnings.push(`Only the first ${index - 1} of ${document.numPages} pages were read in the time allowed.`);
      break;
    }
    try {
      let page = await document.getPage(index), { ink, views } = await viewsOf(page, links, tagged);
      inks.push(ink), hasPieces ||= views.some(({ pieces }) => pieces.length > 0), pages.push(views.flatMap(partsOf)), page.cleanup();
    } catch {
      broken += 1;
    }
  }
  if (broken > 0) {
    if (broken === last) throw corrupt("None of the pages of the PDF can be read");
    warnings.push(`${broken} of ${document.numPages} pages cannot be read and are left out.`);
  }
  let kept = withoutRunningLines(pages), looks = looksOf(kept.flatMap(linesOf), await outlineOf(document)), blocks = joinRegions(withTablesJoined(kept).map((part) => blocksOfPart(part, looks)));
  return blocks.length === 0 && inks.length > 0 && warnings.push(emptiness(bytes, inks, hasPieces)), { blocks, metadata: await metadataOf(document), warnings };
}, linkType = 2, pagesAtOnce = 64, areasOf = (annotations, [a, b, c, d, e, f]) => annotations.flatMap(({ rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [], subtype, url }) => {
  if (subtype !== "Link" || url === void 0) return [];
  let xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e], ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f];
  return [{ x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys), href: url }];
}), readMany = (document, from) => {
  let others = new Set(
    Array.from({ length: document.numPages }, (_, index) => index).filter(
      (index) => index < from || index >= from + pagesAtOnce
    )
  );
  return document.getAnnotationsByType(/* @__PURE__ */ new Set([linkType]), others).then(
    (found) => found ?? [],
    () => {
    }
  );
}, linksIn = (document) => {
  let start = -1, many;
  return async (page, base) => {
    let index = page.pageNumber - 1, first = index - index % pagesAtOnce;
    return first !== start && (start = first, many = await readMany(document, first)), areasOf(many === void 0 ? await page.getAnnotations() : many.filter(({ pageIndex }) => pageIndex === index), base);
  };
};
export {
  linksIn,
  readPdf
};
