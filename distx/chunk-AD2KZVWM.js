import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  require_lib
} from "./chunk-55DNJSQA.js";
import {
  factsOf,
  readMetadata
} from "./chunk-S5BW4IPQ.js";
import {
  PageUrls
} from "./chunk-PZIVWCHK.js";
import {
  every,
  outermost
} from "./chunk-AK2SJKLB.js";
import {
  isBlock,
  isElement,
  noAttributes,
  parseTree,
  textOf,
  tokenize,
  unseen,
  voids
} from "./chunk-REEM7JGU.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Engine/Html/Charset.ts
var import_iconv_lite = __toESM(require_lib(), 1);
import { isAscii, isUtf8, transcode } from "node:buffer";
var byteOrderMark = (bytes) => {
  if (bytes[0] === 239 && bytes[1] === 187 && bytes[2] === 191) return "utf-8";
  if (bytes[0] === 255 && bytes[1] === 254) return "utf-16le";
  if (bytes[0] === 254 && bytes[1] === 255) return "utf-16be";
}, zeroBytes = (bytes) => {
  if (bytes[0] === 60 && bytes[1] === 0 && bytes[3] === 0) return "utf-16le";
  if (bytes[0] === 0 && bytes[1] === 60 && bytes[2] === 0) return "utf-16be";
}, aliases = new Map(
  Object.entries({
    "iso-8859-1": "windows-1252",
    latin1: "windows-1252",
    "us-ascii": "windows-1252",
    ascii: "windows-1252",
    gb2312: "gbk",
    gb_2312: "gbk",
    "gb_2312-80": "gbk",
    "iso-8859-9": "windows-1254",
    "ks_c_5601-1987": "euc-kr",
    csiso2022jp: "iso-2022-jp",
    "x-sjis": "shift_jis",
    utf8: "utf-8"
  })
), notations = /* @__PURE__ */ new Set(["base64", "hex", "binary", "internal", "utf7", "unicode11utf7", "utf7imap"]), known = (label) => {
  if (label === void 0) return;
  let name = label.trim().toLowerCase(), charset = aliases.get(name) ?? name, bare = charset.replace(/:\d{4}$|[^0-9a-z]/g, "");
  return charset === japanese || !notations.has(bare) && import_iconv_lite.default.encodingExists(charset) ? charset : void 0;
}, japanese = "iso-2022-jp", decodeBy = (buffer, charset) => charset === japanese ? new TextDecoder(japanese).decode(buffer) : import_iconv_lite.default.decode(buffer, charset), charsetParameter = /charset\s*=[\s"']*([^\s"';/>]+)/i, declared = (bytes) => {
  let head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString("latin1"), xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1], meta = known(/<meta\b[^>]*?\bcharset\s*=[\s"']*([^\s"';/>]+)/i.exec(head)?.[1] ?? xml);
  return meta?.startsWith("utf-16") === !0 ? "utf-8" : meta;
}, maxTwice = 4e6, fromUtf8 = (buffer) => buffer.length === 0 || buffer.length > maxTwice ? buffer.toString("utf8") : transcode(buffer, "utf8", "utf16le").toString("utf16le"), decodeText = (bytes, contentType) => {
  let buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), marked2 = byteOrderMark(bytes), charset = marked2 ?? known(contentType === void 0 ? void 0 : charsetParameter.exec(contentType)?.[1]) ?? zeroBytes(bytes) ?? declared(bytes);
  if (charset === void 0)
    return isUtf8(buffer) ? { text: isAscii(buffer) ? buffer.toString("latin1") : fromUtf8(buffer), charset: "utf-8" } : { text: import_iconv_lite.default.decode(buffer, "windows-1252"), charset: "windows-1252" };
  if (marked2 === void 0 && !charset.startsWith("utf-16") && !isAscii(buffer)) {
    if (isUtf8(buffer)) return { text: fromUtf8(buffer), charset: "utf-8" };
    let utf8 = buffer.toString("utf8");
    return brokenShare(buffer, utf8) < (charset === "utf-8" ? 0.5 : 0.01) ? { text: utf8, charset: "utf-8" } : charset === "utf-8" ? { text: import_iconv_lite.default.decode(buffer, "windows-1252"), charset: "windows-1252" } : { text: decodeBy(buffer, charset), charset };
  }
  return { text: charset === "utf-8" && marked2 === void 0 ? buffer.toString("latin1") : decodeBy(buffer, charset), charset };
}, brokenShare = (buffer, utf8) => {
  let high = 0;
  for (let byte of buffer) byte >= 128 && high++;
  return (utf8.length - utf8.replaceAll("\uFFFD", "").length) / Math.max(high, 1);
};

// src/Engine/Html/Boilerplate.ts
var tags = /* @__PURE__ */ new Set(["nav", "aside", "footer", "dialog", "menu", "button", "select", "form", "fieldset"]), roles = /* @__PURE__ */ new Set([
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
  "search",
  "menu",
  "menubar",
  "dialog",
  "alertdialog",
  "alert",
  "tablist"
]), surrounding = /(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|sidebar|side-?bar|footer|masthead|topbar|toolbar|share|sharing|sharebar|social|socials|addthis|comments?|disqus|replies|respond|related|recommend(?:ed|ations?)|recirc|outbrain|taboola|promo|promotion|teasers?|newsletter|subscribe|subscription|signup|login|paywall|cookies?|consent|gdpr|popup|pop-up|modal|overlay|banner|sponsor(?:ed)?|advert(?:s|isement|ising)?|ads?|ad-(?:container|slot|wrapper|break|unit)|pagination|pager|prev-next|skip-?link|skip|widget|tagcloud|tags|author-?bio|byline-bio|rss|print|trending|most-?(?:read|popular)|popular|more-(?:stories|from|on)|read-?more|screen-reader-text|sr-only|visually-hidden|vote|noprint|hatnote|navbox|mw-editsection|toc|jump-?to-?nav)(?=$|[\s_-])/i, content = /(?:^|[\s_-])(?:article|articles?-?body|body|content|contents|main|story|entry|post|text|column|page|shadow)(?=$|[\s_-])/i, named = ({ attributes }) => attributes.class === void 0 ? attributes.id ?? "" : `${attributes.class} ${attributes.id ?? ""}`, isInArticle = (element) => {
  for (let around2 = element.parent; around2 !== void 0; around2 = around2.parent)
    if (around2.name === "article" || around2.name === "main") return !0;
  return !1;
}, holds = (element, name) => element.children.some((child) => isElement(child) && (child.name === name || holds(child, name))), isBoilerplate = (element) => {
  let { name, attributes } = element;
  if (tags.has(name)) return !0;
  if (name === "header") return !(isInArticle(element) || holds(element, "h1"));
  if (attributes.role !== void 0 && roles.has(attributes.role) || attributes["aria-modal"] === "true" || isHidden(element)) return !0;
  if (name === "body" || name === "article" || name === "main" || name === "a" || name === "table" || /^h[1-6]$/.test(name))
    return !1;
  let label = named(element);
  return label !== "" && surrounding.test(label) && !content.test(label);
}, tableParts = /* @__PURE__ */ new Set(["tr", "td", "th", "tbody", "col"]), isHidden = ({ name, attributes }) => attributes.hidden !== void 0 || attributes.style !== void 0 && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style) && !tableParts.has(name), looksLikeContent = (element) => {
  let label = named(element), byName = element.name === "article" || element.name === "main" ? 15 : element.name === "div" ? 5 : element.name === "td" ? 3 : 0;
  return label === "" ? byName : byName + (content.test(label) ? 25 : 0) - (surrounding.test(label) ? 25 : 0);
}, boxes = /* @__PURE__ */ new Set(["div", "section", "header", "ul", "ol"]), isAside = ({ name, text, linked }) => {
  if (!boxes.has(name) || text === 0) return !1;
  let list2 = name === "ul" || name === "ol";
  return linked / text > (list2 ? 0.95 : 0.75) && text < 1500 && !(list2 && text < 200);
}, adNames = /(?:^|\s)(?:adsbygoogle|ad|ads|advert|advertisement|adbox|ad-?(?:banner|block|break|container|frame|leaderboard|placement|slot|unit|wrap|wrapper)|google-?ad|gpt-?ad|dfp-?ad|div-gpt-ad[\w-]*|sponsored-?(?:post|content|links?)|taboola[\w-]*|outbrain[\w-]*|OUTBRAIN)(?=$|\s)/i, adHosts = /^(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googleadservices\.com|adservice\.google\.com|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|pubmatic\.com|rubiconproject\.com)$/i, isAdHost = (host) => adHosts.test(host), adAddresses = new RegExp(`^(?:https?:)?//${adHosts.source.slice(1, -1)}/`, "i"), isAd = ({ name, attributes }) => {
  if (name === "body" || name === "main" || name === "article") return !1;
  let { class: classes, id, href, src } = attributes;
  return classes !== void 0 && adNames.test(classes) || id !== void 0 && adNames.test(id) || name === "a" && href !== void 0 && adAddresses.test(href) || name === "img" && src !== void 0 && adAddresses.test(src) || attributes["data-ad-slot"] !== void 0;
};

// src/Engine/Html/Table.ts
var maxColumns = 500, [emptyPerCell, emptyAnyway] = [20, 1e5], span = (text) => {
  let count2 = Number.parseInt(text ?? "1", 10);
  return Number.isNaN(count2) ? 1 : Math.min(Math.max(count2, 1), maxColumns);
}, collect = (element, found) => {
  for (let child of element.children)
    if (!(!isElement(child) || child.dropped))
      switch (child.name) {
        case "tr":
          found.rows.push(child);
          break;
        case "thead":
        case "tbody":
        case "tfoot":
          collect(child, found);
          break;
        case "colgroup":
        case "col":
          break;
        default:
          found.outside.push(child);
      }
  return found;
}, cellsOf = (row) => row.children.filter(
  (child) => isElement(child) && !child.dropped && (child.name === "td" || child.name === "th")
), heavy = /* @__PURE__ */ new Set(["table", "h1", "h2", "h3", "h4", "pre", "form", "article", "section", "nav", "blockquote"]), holdsHeavy = (element, depth) => element.children.some(
  (child) => isElement(child) && !child.dropped && (heavy.has(child.name) || depth > 0 && holdsHeavy(child, depth - 1))
), readRows = (table2) => {
  let { role } = table2.attributes;
  if (role === "presentation" || role === "none") return;
  let { rows, outside } = collect(table2, { rows: [], outside: [] }), cells = rows.map(cellsOf), width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return;
  let marked2 = cells.some((row) => row.some(({ name }) => name === "th")) || outside.some(({ name }) => name === "caption");
  if (!marked2 && (width === 1 || rows.length === 1 || cells.some((row) => row.some((cell) => holdsHeavy(cell, 6)))) || marked2 && cells.some((row) => row.some((cell) => holdsTable(cell, 6)))) return;
  let grid = unfold(cells);
  return grid === void 0 ? void 0 : { rows: grid, outside };
}, holdsTable = (element, depth) => element.children.some(
  (child) => isElement(child) && !child.dropped && (child.name === "table" || depth > 0 && holdsTable(child, depth - 1))
), unfold = (cells) => {
  let grid = [], reach2 = [], most = emptyAnyway + emptyPerCell * cells.reduce((sum, row) => sum + row.length, 0), width = 0;
  for (let row of cells) {
    if (row.length === 0) continue;
    let line = [], column = 0, skip = () => {
      for (let rows = reach2[column] ?? 0; rows > 0; rows = reach2[column] ?? 0) reach2[column++] = rows - 1;
    };
    for (let cell of row) {
      if (skip(), column >= maxColumns) break;
      for (; line.length < column; ) line.push(void 0);
      line.push(cell);
      let rowspan = span(cell.attributes.rowspan), end = Math.min(column + span(cell.attributes.colspan), maxColumns);
      for (; column < end; ) reach2[column++] = rowspan - 1;
    }
    if (skip(), width = Math.max(width, line.length), grid.push(line), grid.length * width > most) return;
  }
  for (let line of grid) for (; line.length < width; ) line.push(void 0);
  return grid.length === 0 ? void 0 : grid;
};

// src/Engine/Html/MainContent.ts
var dropBoilerplate = (element, total, dropped) => {
  for (let child of element.children) {
    if (!isElement(child) || child.dropped) continue;
    let { linked, text } = child, most = isMarginal.has(child.name) ? 0.9 : 0.5;
    text < total * most && isBoilerplate(child) ? (child.dropped = !0, child.text = 0, child.linked = 0, dropped.push(child)) : dropBoilerplate(child, total, dropped), element.text -= text - child.text, element.linked -= linked - child.linked;
  }
}, strip = (body) => {
  let total = measure(body, !1), prose = proseIn(body), dropped = [];
  if (dropBoilerplate(body, total, dropped), !(proseIn(body) * 4 >= prose)) {
    for (let element of dropped) element.dropped = isMarginal.has(element.name);
    measure(body, !1);
  }
}, isMarginal = /* @__PURE__ */ new Set(["nav", "aside", "footer"]), ancestors = (element) => {
  let found = [];
  for (let around2 = element.parent; around2 !== void 0 && around2.name !== "body"; around2 = around2.parent)
    found.push(around2);
  return found;
}, maxRivals = 50, together = (top, scores) => {
  let around2 = ancestors(top[0]), rivals = [...scores].filter(([element, score]) => score * (1 - linkShare(element)) >= top[1] * 0.75 && element !== top[0]).filter(([element]) => !around2.includes(element)).slice(0, maxRivals).map(([element]) => new Set(ancestors(element))).filter((above) => !above.has(top[0]));
  if (rivals.length === 0) return top;
  let common = around2.find((element) => rivals.filter((rival) => rival.has(element)).length >= rivals.length * 0.6);
  return common === void 0 ? top : [common, scores.get(common) ?? top[1]];
}, widen = ([top, topScore], scores) => {
  let element = top, least = topScore / 3;
  for (let around2 = top.parent; around2 !== void 0 && around2.name !== "body" && around2.name !== "html"; around2 = around2.parent) {
    let score = scores.get(around2);
    if (score !== void 0) {
      if (score < least) break;
      score * (1 - linkShare(around2)) > topScore && (element = around2, least = score / 3);
    }
  }
  for (; element.parent !== void 0 && element.parent.name !== "body" && element.parent.children.filter((child) => isElement(child) && !child.dropped && child.text > 0).length === 1; )
    element = element.parent;
  return element;
}, whole = (element) => {
  let content2 = element;
  for (let around2 = element; around2 !== void 0; around2 = around2.parent) {
    let { name, parent } = around2;
    if (parent === void 0 || parent.name === "html") break;
    (isFragment.has(name) || name === "table" && readRows(around2) !== void 0) && (content2 = parent);
  }
  return content2;
}, isFragment = /* @__PURE__ */ new Set(["p", "ul", "ol", "li", "dl", "dd", "blockquote", "pre", "figure"]), declared2 = (content2) => {
  for (let around2 = content2.parent; around2 !== void 0; around2 = around2.parent)
    if (around2.name === "main" || around2.attributes.role === "main")
      return proseIn(around2) <= proseIn(content2) * 1.1 ? around2 : content2;
  return content2;
}, neighbours = (top, topScore, scores) => {
  let parent = top.parent;
  if (parent === void 0 || parent.name === "#root") return [top];
  let least = Math.max(10, topScore * 0.2);
  return parent.children.filter((child) => {
    if (!isElement(child) || child.dropped) return !1;
    if (child === top) return !0;
    let sameClass = child.attributes.class !== void 0 && child.attributes.class === top.attributes.class;
    return (scores.get(child) ?? 0) + (sameClass ? topScore * 0.2 : 0) >= least || /^h[1-3]$/.test(child.name) ? !0 : child.name === "p" && child.text > 80 && linkShare(child) < 0.25;
  });
}, clean = (element) => {
  for (let child of element.children)
    !isElement(child) || child.dropped || (isAside(child) ? child.dropped = !0 : clean(child));
}, minContent = 250, mainContent = (tree) => {
  let body = tree.body ?? tree.root;
  strip(body);
  let scores = /* @__PURE__ */ new Map();
  scoreProse(body, scores);
  let top = best(scores);
  if (top === void 0) return [body];
  let content2 = declared2(whole(widen(together(top, scores), scores)));
  if (content2 === body) return [body];
  let parts = neighbours(content2, scores.get(content2) ?? top[1], scores), size = parts.reduce((sum, part) => sum + part.text, 0);
  if (size < minContent && size * 2 < body.text) return [body];
  for (let part of parts) clean(part);
  return parts;
}, apart = /* @__PURE__ */ new Set([
  "button",
  "select",
  "option",
  "label",
  "output",
  "progress",
  "meter",
  "img",
  "picture",
  "figure",
  "iframe"
]), lists = /* @__PURE__ */ new Set(["ul", "ol", "dl", "table", "div", "section", "p", "header", "span", "center"]), isLinks = (element) => lists.has(element.name) && element.text > 0 && linkShare(element) > 0.5, rankOf = ({ name }) => /^h[1-6]$/.test(name) ? Number(name[1]) : void 0, dropHeadings = (element) => {
  let next;
  for (let child of element.children.toReversed()) {
    if (!isElement(child)) {
      child.trim() !== "" && (next = element);
      continue;
    }
    if (child.dropped || child.text === 0 && child.name !== "br") continue;
    let rank = rankOf(child), following = next === void 0 ? 0 : rankOf(next);
    rank !== void 0 && rank > 1 && following !== void 0 && following <= rank ? child.dropped = !0 : next = child;
  }
}, sweep = (element, total) => {
  for (let child of element.children) {
    if (!isElement(child) || child.dropped) continue;
    let isMost = child.text > total * 0.5;
    apart.has(child.name) || isAd(child) || !isMost && (isBoilerplate(child) || isLinks(child)) ? child.dropped = !0 : rankOf(child) === void 0 && sweep(child, total);
  }
}, settle = (element) => {
  for (let child of element.children) isElement(child) && !child.dropped && settle(child);
  dropHeadings(element);
}, keepProse = (parts) => {
  let total = parts.reduce((sum, part) => sum + measure(part, !1), 0);
  for (let part of parts) sweep(part, total);
  for (let part of parts)
    measure(part, !1), settle(part);
}, measure = (element, inLink) => {
  if (element.dropped || element.layout === "unseen")
    return element.text = 0, element.linked = 0, 0;
  let linking = inLink || element.name === "a", text = 0, linked = 0;
  for (let child of element.children)
    if (isElement(child))
      text += measure(child, linking), linked += child.linked;
    else {
      let length = child.trim().length;
      text += length, linking && (linked += length);
    }
  return element.text = text, element.linked = linked, text;
}, linkShare = ({ text, linked }) => text === 0 ? 0 : linked / text, proseIn = ({ text, linked }) => text - linked, reach = [1, 0.5, 1 / 3, 0.25, 0.2], minProse = 25, isProse = (element) => {
  switch (element.name) {
    case "p":
    case "pre":
      return !0;
    case "td":
    case "blockquote":
    case "div":
    case "section":
      return !element.children.some(
        (child) => isElement(child) && child.layout === "block" && !child.dropped && child.text > 0
      );
    default:
      return !1;
  }
}, separators = /[،、，；]/g, count = (text, mark) => {
  let found = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) found += 1;
  return found;
}, countSeparators = (element) => {
  let found = 0;
  for (let child of element.children)
    isElement(child) ? !child.dropped && child.layout !== "unseen" && (found += countSeparators(child)) : found += count(child, ",") + count(child, ";") + (child.match(separators)?.length ?? 0);
  return found;
}, scoreProse = (element, scores) => {
  for (let child of element.children) {
    if (!isElement(child) || child.dropped || child.text < minProse) continue;
    if (!isProse(child)) {
      scoreProse(child, scores);
      continue;
    }
    let score = (1 + countSeparators(child) + Math.min(child.text / 100, 3)) * (1 - linkShare(child)), around2 = child.parent;
    for (let share of reach) {
      if (around2 === void 0 || around2.name === "html" || around2.name === "#root") break;
      scores.set(around2, (scores.get(around2) ?? looksLikeContent(around2)) + score * share), around2 = around2.parent;
    }
  }
}, best = (scores) => {
  let found;
  for (let [element, raw] of scores) {
    let score = raw * (1 - linkShare(element));
    (found === void 0 || score > found[1]) && (found = [element, score]);
  }
  return found;
};

// src/Engine/Html/Serialize.ts
var keptElements = /* @__PURE__ */ new Set(["svg", "math", "iframe", "video", "audio", "canvas", "input", "textarea"]), escapeText = (text) => text.replace(/[&<>]/g, (character) => entities[character] ?? character), escapeAttribute = (text) => text.replace(/[&"]/g, (character) => entities[character] ?? character), entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }, attributeText = (element, addresses) => {
  let text = "";
  for (let [name, value] of Object.entries(element.attributes)) {
    if (name.startsWith("on") || name === "style" || name === "srcset") continue;
    let written = name === "href" ? addresses.link(value) ?? value : name === "src" ? source(element, addresses) ?? value : value;
    /^javascript:/i.test(written.trim()) || (text += value === "" ? ` ${name}` : ` ${name}="${escapeAttribute(written)}"`);
  }
  return text;
}, source = (element, addresses) => element.name === "img" ? addresses.image(element) : addresses.link(element.attributes.src ?? ""), append = (element, addresses, parts) => {
  let { name } = element;
  if (!(element.dropped || element.layout === "unseen" && !keptElements.has(name)) && (parts.push("<", name, attributeText(element, addresses), ">"), !voids.has(name))) {
    for (let child of element.children)
      isElement(child) ? append(child, addresses, parts) : parts.push(escapeText(child));
    parts.push("</", name, ">");
  }
}, toHtml = (roots, addresses) => {
  let parts = [];
  for (let root of roots) append(root, addresses, parts);
  return parts.join("");
}, toText = (roots) => {
  let lines = [], line = "", endLine = () => {
    if (line === "") return;
    let text = collapse(line).trim();
    text !== "" && lines.push(text), line = "";
  }, visit = (element) => {
    if (element.dropped || element.layout === "unseen") return;
    let block2 = element.layout === "block" || element.name === "br";
    block2 && endLine();
    for (let child of element.children)
      isElement(child) ? visit(child) : line += child;
    block2 && endLine();
  };
  for (let root of roots) visit(root);
  return endLine(), lines.join(`
`);
}, Words = class {
  #lines = [];
  #line = "";
  /** What is not shown lasts until the end of the outermost such element. */
  #hidden;
  #depth = 0;
  finish() {
    return this.#endLine(), this.#lines.join(`
`);
  }
  #endLine() {
    if (this.#line === "") return;
    let text = collapse(this.#line).trim();
    text !== "" && this.#lines.push(text), this.#line = "";
  }
  text(text) {
    this.#hidden === void 0 && (this.#line += text);
  }
  open(name, _, selfClosing) {
    (name === "br" || isBlock.has(name)) && this.#endLine(), !selfClosing && (name === "body" ? this.#hidden = void 0 : this.#hidden === name ? this.#depth += 1 : this.#hidden === void 0 && unseen.has(name) && !voids.has(name) && (this.#hidden = name, this.#depth = 1));
  }
  close(name) {
    isBlock.has(name) && this.#endLine(), name === this.#hidden && (this.#depth -= 1, this.#depth === 0 && (this.#hidden = void 0));
  }
  section() {
  }
}, scanText = (html) => {
  let words = new Words();
  return tokenize(html, words), words.finish();
}, uneven = /[\t\n\r\f]| {2}/, whitespaceRun = /[\t\n\r\f][ \t\n\r\f]*| [ \t\n\r\f]+/g, collapse = (text) => uneven.test(text) ? text.replace(whitespaceRun, " ") : text;

// src/Engine/Html/MarkdownWriter.ts
var isSpace = (character) => character === " " || character === "\xA0", uneasy = /[\t\n\r\f\\`*_<\]|~&]| {2}/, MarkdownWriter = class {
  #out = "";
  #breaks = 0;
  /** The line end that is due was asked for by the page (`<br>`). */
  #hard = !1;
  #space = !1;
  #lineIsEmpty = !0;
  #inline = 0;
  #links = 0;
  #heading = !1;
  #levels = [];
  #spans = [];
  /** Inside a table cell everything is one line. */
  #cell;
  constructor(cell) {
    this.#cell = cell;
  }
  get #place() {
    let struck = this.#spans.some(({ close }) => close === "~~");
    return { cell: this.#cell, link: this.#links > 0, struck };
  }
  /** Whether a block can only be shown as part of a line. */
  get isInline() {
    return this.#inline > 0 || this.#cell;
  }
  text(text) {
    let plain = !uneasy.test(text) && (this.#links === 0 || !text.includes("[")), collapsed = plain ? text : collapse(text);
    isSpace(collapsed[0]) && (this.#space = !0);
    let trimmed = collapsed.trim();
    if (trimmed === "") {
      collapsed !== "" && (this.#space = !0);
      return;
    }
    this.#startLine();
    let inner = plain ? trimmed : escapeText2(trimmed, this.#place), escaped = this.#heading ? escapeHeadingEnd(inner) : inner;
    this.#put(this.#lineIsEmpty ? escapeLineStart(escaped) : escaped), this.#space = isSpace(collapsed[collapsed.length - 1]);
  }
  /** Inline markdown that is right as it is. */
  raw(markdown) {
    this.#startLine(), this.#put(this.#cell ? markdown.replaceAll("|", "\\|") : markdown);
  }
  /** What follows stands on a line of its own, after a blank one when `breaks` is 2. */
  block(breaks) {
    this.#inline > 0 ? this.#space = !0 : this.#levels.at(-1)?.started !== !1 && (breaks > this.#breaks && (this.#breaks = breaks), this.#hard = !1);
  }
  lineBreak() {
    this.#inline > 0 ? this.#space = !0 : this.#breaks < 2 && this.#levels.at(-1)?.started !== !1 && (this.#hard = this.#breaks === 0, this.#breaks = this.#breaks === 0 ? 1 : 2);
  }
  rule() {
    this.block(2), this.isInline || this.raw("---"), this.block(2);
  }
  /** `**`, `_` or `~~` around what is not already in it. */
  marked(mark, content2) {
    this.#spans.some(({ close, open }) => close === mark || open.startsWith("#")) ? content2() : this.#within({ open: mark, close: mark, written: !1 }, content2);
  }
  link(address, content2) {
    this.#inline++, this.#links++, this.#within({ open: "[", close: `](${address})`, written: !1 }, content2), this.#links--, this.#inline--;
  }
  /** A heading is one line; where there are no lines it is only heavy. */
  heading(mark, content2) {
    this.isInline ? (this.block(2), this.marked("**", content2)) : (this.block(2), this.#inline++, this.#heading = !0, this.#within({ open: `${mark} `, close: "", written: !1 }, content2), this.#heading = !1, this.#inline--), this.block(2);
  }
  #within(span2, content2) {
    this.#spans.push(span2), content2(), this.#spans.pop(), span2.written && (this.#out += span2.close);
  }
  code(text) {
    let code2 = collapse(text).trim();
    if ((code2 === "" || /^\s/.test(text)) && (this.#space = !0), code2 === "") return;
    let fence = fenceFor(code2, 1), padded = code2.startsWith("`") || code2.endsWith("`") ? ` ${code2} ` : code2;
    this.raw(fence + padded + fence), this.#space = /\s$/.test(text);
  }
  codeBlock(text, language) {
    let code2 = text.replace(/\r\n?/g, `
`).replace(/^\n+/, "").trimEnd();
    if (code2 === "") return;
    let fence = fenceFor(code2, 3);
    this.isInline ? this.code(code2) : this.lines(`${fence}${language}
${code2}
${fence}`);
  }
  /** A block of finished lines. */
  lines(text) {
    this.block(2), this.raw(text.replaceAll(`
`, `
${this.#lineStart()}`)), this.block(2);
  }
  /** A list item (`- `) or a quotation (`> `): `rest` begins its further lines. */
  indented(first, rest, content2) {
    this.#inline > 0 ? content2() : (this.#levels.push({ first, rest, started: !1 }), content2(), this.#levels.pop());
  }
  table(rows) {
    let [head = [], ...body] = rows, line = (cells) => `| ${cells.join(" | ")} |`;
    this.lines([line(head), line(head.map(() => "---")), ...body.map(line)].join(`
`));
  }
  finish() {
    return this.#out;
  }
  #lineStart() {
    let start = "";
    for (let { rest } of this.#levels) start += rest;
    return start;
  }
  /** Writes the line end that is due and the beginning of the new line. */
  #startLine() {
    let isFirst = this.#out === "";
    if (!(this.#breaks === 0 && !isFirst)) {
      if (!isFirst) {
        for (let span2 of this.#spans.toReversed())
          span2.written && (this.#out += span2.close), span2.written = !1;
        this.#out += this.#cell ? "<br>" : this.#lineEnd();
      }
      for (let level of this.#levels)
        this.#out += level.started ? this.#cell ? "" : level.rest : level.first, level.started = !0;
      this.#breaks = 0, this.#hard = !1, this.#space = !1, this.#lineIsEmpty = !0;
    }
  }
  #lineEnd() {
    if (this.#breaks === 1) return this.#hard ? `  
` : `
`;
    let start = "";
    for (let { rest, started } of this.#levels) started && (start += rest);
    return `
${start.trimEnd()}
`;
  }
  #put(markdown) {
    this.#space && !this.#lineIsEmpty && (this.#out += " "), this.#space = !1;
    for (let span2 of this.#spans)
      span2.written || (this.#out += span2.open), span2.written = !0;
    this.#out += markdown, this.#lineIsEmpty = !1;
  }
}, special = /[\\`*_<\]|~&]/, isBalanced = (text) => {
  let depth = 0;
  for (let character of text)
    if (character === "[" ? depth += 1 : character === "]" && (depth -= 1), depth < 0) return !1;
  return depth === 0 && !/\][([]/.test(text);
}, strikes = (text) => text.indexOf("~") !== text.lastIndexOf("~"), escapeText2 = (text, { cell, link: link2, struck }) => {
  let brackets = link2 && !isBalanced(text);
  if (!brackets && !special.test(text)) return text;
  let escaped = text.replace(/\\(?=[\\`*_{}[\]()#+\-.!|<>~&]|$)/g, "\\\\").replace(/[`*]/g, "\\$&").replace(/(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, (run) => "\\_".repeat(run.length)).replace(/<(?=[a-zA-Z/!?])/g, "\\<").replace(brackets ? /[[\]]/g : /\](?=[([])/g, "\\$&").replace(/&(?=#?\w{1,32};)/g, "\\&").replaceAll(struck || strikes(text) ? "~" : "~~", "\\$&");
  return cell ? escaped.replaceAll("|", "\\|") : escaped;
}, blockStart = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|\|)/, orderedStart = /^(\d{1,9})([.)])(?=\s|$)/, lineMarks = "#-+>=|0123456789", escapeLineStart = (text) => lineMarks.includes(text.charAt(0)) ? text.replace(blockStart, "\\$&").replace(orderedStart, "$1\\$2") : text, escapeHeadingEnd = (text) => text.endsWith("#") ? text.replace(/(^|\s)(#+)$/, "$1\\$2") : text, fenceFor = (code2, least) => {
  let longest = 0;
  for (let [run] of code2.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest < least ? least : longest + 1);
}, escapeAddress = (address) => /[\s()<>]/.test(address) ? address.replace(
  /[\s()<>]/g,
  (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
) : address;

// src/Engine/Html/Markdown.ts
var maxIndents = 12, children = (walk, element) => {
  for (let child of element.children)
    isElement(child) ? write(walk, child) : walk.to.text(child);
}, write = (walk, element) => {
  if (element.dropped) return;
  let special2 = writers.get(element.name);
  special2 !== void 0 ? special2(walk, element) : element.layout === "block" ? paragraph(walk, element) : element.layout === "inline" && children(walk, element);
}, block = (breaks) => (walk, element) => {
  walk.to.block(breaks), children(walk, element), walk.to.block(breaks);
}, paragraph = block(2), heading = (mark) => (walk, element) => {
  let { card } = walk;
  card === void 0 ? walk.to.heading(mark, () => children(walk, element)) : walk.to.heading(mark, () => walk.to.link(card, () => children(walk, element)));
}, marked = (mark) => (walk, element) => walk.to.marked(mark, () => children(walk, element)), around = (open, close) => (walk, element) => {
  walk.to.text(open), children(walk, element), walk.to.text(close);
}, link = (walk, element) => {
  let { href } = element.attributes, address = href === void 0 ? void 0 : walk.addresses.link(href);
  address === void 0 || walk.card !== void 0 ? children(walk, element) : holdsHeading(element, cardDepth) ? (walk.card = escapeAddress(address), children(walk, element), walk.card = void 0) : walk.to.link(escapeAddress(address), () => children(walk, element));
}, cardDepth = 6, holdsHeading = (element, depth) => element.children.some(
  (child) => isElement(child) && !child.dropped && (headings.has(child.name) || depth > 0 && holdsHeading(child, depth - 1))
), image = (walk, element) => {
  let address = walk.addresses.image(element);
  if (address === void 0) return;
  let alt = (element.attributes.alt ?? "").replace(/\s+/g, " ").trim().replace(/[[\]\\]/g, "\\$&");
  walk.to.raw(`![${alt}](${escapeAddress(address)})`);
}, longestNumber = 999999999, list = (walk, element) => {
  let start = Number.parseInt(element.attributes.start ?? "", 10), number = start >= 0 && start <= longestNumber ? start : 1, breaks = walk.indents > 0 ? 1 : 2;
  walk.to.block(breaks);
  for (let child of element.children)
    isElement(child) ? child.name !== "li" ? write(walk, child) : child.dropped || item(walk, child, element.name === "ol" ? `${number++}. ` : "- ") : walk.to.text(child);
  walk.to.block(breaks);
}, item = (walk, element, marker) => {
  walk.to.block(1), indented(walk, element, marker, " ".repeat(marker.length)), walk.to.block(1);
}, quotation = (walk, element) => {
  walk.to.block(2), indented(walk, element, "> ", "> "), walk.to.block(2);
}, indented = (walk, element, first, rest) => {
  walk.indents >= maxIndents ? children(walk, element) : (walk.indents++, walk.to.indented(first, rest, () => children(walk, element)), walk.indents--);
}, checkbox = (walk, { attributes, parent }) => {
  !(parent?.name === "li" || parent?.parent?.name === "li") || attributes.type !== "checkbox" || (walk.to.raw(attributes.checked === void 0 ? "[ ]" : "[x]"), walk.to.text(" "));
}, table = (walk, element) => {
  let found = walk.to.isInline ? void 0 : readRows(element);
  if (found === void 0) paragraph(walk, element);
  else {
    for (let child of found.outside)
      walk.to.block(2), write(walk, child);
    walk.to.table(found.rows.map((row) => row.map((cell) => cell === void 0 ? "" : cellText(walk, cell))));
  }
}, cellText = ({ addresses, indents }, element) => {
  let to = new MarkdownWriter(!0);
  return children({ to, addresses, indents, card: void 0 }, element), to.finish();
}, code = (walk, element) => walk.to.code(textOf(element)), preformatted = (walk, element) => walk.to.codeBlock(codeText(element), codeLanguage(element)), headings = new Map(
  [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, "#".repeat(level)])
), writers = new Map([
  ...[...headings].map(([name, mark]) => [name, heading(mark)]),
  ...["b", "strong"].map((name) => [name, marked("**")]),
  ...["i", "em", "cite", "var", "dfn"].map((name) => [name, marked("_")]),
  ...["del", "s", "strike"].map((name) => [name, marked("~~")]),
  ...["code", "kbd", "samp", "tt"].map((name) => [name, code]),
  ...["pre", "listing", "xmp"].map((name) => [name, preformatted]),
  ...["ul", "ol", "menu", "dir"].map((name) => [name, list]),
  ["li", (walk, element) => item(walk, element, "- ")],
  ["a", link],
  ["br", (walk) => walk.to.lineBreak()],
  ["hr", (walk) => walk.to.rule()],
  ["img", image],
  ["blockquote", quotation],
  ["table", table],
  ["tr", block(1)],
  ["q", around("\u201C", "\u201D")],
  ["input", checkbox]
]), toMarkdown = (roots, addresses) => {
  let to = new MarkdownWriter(!1), walk = { to, addresses, indents: 0, card: void 0 };
  for (let root of roots) paragraph(walk, { ...root, children: [root] });
  return to.finish();
}, append2 = (element, parts) => {
  for (let child of element.children)
    isElement(child) ? child.name === "br" ? parts.push(`
`) : !child.dropped && child.layout !== "unseen" && (child.layout === "block" && parts.at(-1)?.endsWith(`
`) === !1 && parts.push(`
`), append2(child, parts)) : parts.push(child);
}, codeText = (element) => {
  let parts = [];
  return append2(element, parts), parts.join("");
}, languageClass = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/, codeLanguage = (element) => {
  let inner = element.children.find((child) => isElement(child) && child.name === "code");
  for (let candidate of [inner, element, element.parent, element.parent?.parent]) {
    let found = languageClass.exec(candidate?.attributes.class ?? "")?.[1];
    if (found !== void 0) return found;
  }
  return "";
};

// src/Engine/Html/Extract.ts
var maxLength = 1e7, headLength = 1e6, isUnwanted = (element, blockAds, exclude) => {
  if (element.attributes !== noAttributes && (isHidden(element) || blockAds && isAd(element))) return !0;
  for (let test of exclude) if (test(element)) return !0;
  return !1;
}, drop = (element, blockAds, exclude) => {
  for (let child of element.children)
    isElement(child) && (isUnwanted(child, blockAds, exclude) ? child.dropped = !0 : drop(child, blockAds, exclude));
}, select = (tree, options) => {
  let body = tree.body ?? tree.root;
  drop(body, options.blockAds, options.exclude ?? []);
  let shown = choose(tree, body, options);
  return options.onlyCleanContent === !0 && keepProse(shown), shown;
}, choose = (tree, body, options) => options.include !== void 0 && options.include.length > 0 ? outermost(body, options.include) : options.onlyMainContent || options.onlyCleanContent === !0 ? mainContent(tree) : [body], maxValues = 1e4, valuesOf = (tree, { attribute, selector, test }) => {
  let name = attribute.toLowerCase(), values = every(tree.root, test, maxValues).flatMap(
    ({ attributes }) => Object.hasOwn(attributes, name) ? [attributes[name] ?? ""] : []
  );
  return { selector, attribute, values };
}, hasText = (element) => element.children.some((child) => isElement(child) ? child.layout !== "unseen" && hasText(child) : /\S/.test(child)), mountPoints = /^(?:root|app|__next|__nuxt|___gatsby|q-app|main-app)$/, isShell = (tree) => {
  let body = tree.body ?? tree.root, elements = body.children.filter(isElement), mounted = elements.some(
    ({ name, attributes, children: children2 }) => name === "app-root" || mountPoints.test(attributes.id ?? "") && !children2.some((child) => isElement(child) && hasText(child))
  );
  return !hasText(body) && (mounted || elements.some(({ name }) => name === "script"));
}, isEmptyFrame = (html) => {
  if (html.length > headLength || !isBare(html)) return !1;
  let tree = parseTree(html);
  return !tree.cut && isShell(tree);
}, textOf2 = (value) => typeof value == "string" ? value : value?.[0] ?? "", shownOf = (tree, urls, options) => {
  let shown = select(tree, options);
  return {
    markdown: () => toMarkdown(shown, urls),
    html: () => toHtml(shown, urls),
    text: () => toText(shown)
  };
}, wordsOf = (text) => ({
  markdown: () => text,
  html: () => `<pre>${escapeText(text)}</pre>`,
  text: () => text
}), extract = (html, options) => {
  let tooLong = html.length > maxLength, tree = parseTree(tooLong ? html.slice(0, headLength) : html), urls = new PageUrls(tree, options.url, options.removeBase64Images), metadata = readMetadata(tree, (href) => urls.resolve(href)), onlyText = tooLong || tree.cut, needsScript = !onlyText && isShell(tree), shown = onlyText ? wordsOf(scanText(html)) : shownOf(tree, urls, options), { wanted } = options;
  return {
    markdown: wanted.has("markdown") ? shown.markdown() : void 0,
    html: wanted.has("html") ? shown.html() : void 0,
    links: urls.links(tree.anchors),
    images: wanted.has("images") ? urls.images(tree.images) : void 0,
    linkTexts: wanted.has("linkTexts") ? urls.linkTexts(tree.anchors) : void 0,
    facts: wanted.has("facts") ? factsOf(tree, urls, metadata) : void 0,
    attributes: (options.attributes ?? []).map((query) => valuesOf(tree, query)),
    metadata,
    title: textOf2(metadata.title),
    description: textOf2(metadata.description),
    text: wanted.has("text") ? shown.text() : void 0,
    needsScript,
    onlyText
  };
}, wordless = /\s+|<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|title|svg|iframe|object|textarea)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/giy, wordsFrom = (html, start) => {
  wordless.lastIndex = start;
  let at = start;
  for (; at < html.length && wordless.test(html); ) at = wordless.lastIndex;
  return at;
}, showsWord = (beginning) => {
  let body = beginning.search(/<body\b/i);
  if (body === -1) return !1;
  let at = wordsFrom(beginning, body);
  return at < beginning.length && beginning[at] !== "<";
}, isBare = (html) => /<script\b/i.test(html) ? wordsFrom(html, Math.max(0, html.search(/<body\b/i))) >= html.length : !1;

export {
  decodeText,
  isAdHost,
  isBalanced,
  escapeHeadingEnd,
  fenceFor,
  isEmptyFrame,
  extract,
  showsWord
};
