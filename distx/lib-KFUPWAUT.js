import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  canParse
} from "./lib-GGME65E2.js";

// src/Engine/Html/Tags.ts
var set = (names2) => new Set(names2.split(" "));
var voids = set(
  "area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen"
);
var foreign = set("svg math");
var scopes = set("html table td th caption template object button");
var tableScopes = set("html table template");
var boundary = set("ul ol dl menu select table section article aside nav header footer main form fieldset blockquote");
var paragraph = set("p");
var row = set("td th tr");
var cell = set("td th");
var tablePart = set("td th tr tbody thead tfoot caption colgroup");
var blocks = "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul";
var closedBy = {
  ...Object.fromEntries(blocks.split(" ").map((name) => [name, paragraph])),
  li: set("li"),
  dd: set("dd dt"),
  dt: set("dd dt"),
  td: cell,
  th: cell,
  tr: row,
  thead: set("tbody tfoot tr td th"),
  tbody: set("thead tbody tfoot tr td th"),
  tfoot: set("thead tbody tr td th"),
  option: set("option"),
  optgroup: set("option optgroup"),
  rt: set("rt rp"),
  rp: set("rt rp"),
  a: set("a")
};
var isBlock = set(
  `${blocks} html body li dd dt tr td th thead tbody tfoot caption title legend summary optgroup option iframe video audio canvas #root`
);
var unseen = set(
  "script style noscript template head title meta link iframe object embed svg math canvas audio video map datalist textarea input noframes noembed frameset"
);
var toScope = ({ scope }) => scope;
var toTable = ({ table }) => table;
var closingOf = (names2) => ({
  names: [...names2],
  limit: names2 === paragraph ? toScope : names2.has("td") ? ({ boundary: boundary2, table }) => Math.max(boundary2, table) : ({ boundary: boundary2, scope }) => Math.max(boundary2, scope)
});
var describe = (name) => ({
  layout: unseen.has(name) ? "unseen" : isBlock.has(name) ? "block" : "inline",
  isVoid: voids.has(name),
  isForeign: foreign.has(name),
  closes: closedBy[name] === void 0 ? void 0 : closingOf(closedBy[name]),
  limit: tableScopes.has(name) ? () => 0 : tablePart.has(name) ? toTable : toScope,
  isScope: scopes.has(name),
  isTableScope: tableScopes.has(name),
  isBoundary: boundary.has(name)
});
var tags = new Map(
  [...unseen, ...isBlock, ...voids, ...foreign, ...scopes, ...tablePart, ...boundary, ...Object.keys(closedBy)].map(
    (name) => [name, describe(name)]
  )
);
var unknown = describe("span");
var tagOf = (name) => tags.get(name) ?? unknown;

// src/Engine/Html/Tokenizer.ts
import { Tokenizer } from "htmlparser2";
var noAttributes = {};
var maxAttributes = 1e3;
var raw = /* @__PURE__ */ new Set(["script", "style", "title", "textarea", "xmp"]);
var tab = 9;
var newLine = 10;
var formFeed = 12;
var carriageReturn = 13;
var space = 32;
var exclamation = 33;
var slash = 47;
var equals = 61;
var greater = 62;
var question = 63;
var isSpace = (code) => code === space || code === newLine || code === tab || code === carriageReturn || code === formFeed;
var commentEnd = /--!?>/g;
var isLetter = (code) => code >= 97 && code <= 122 || code >= 65 && code <= 90;
var lastName = 1023;
var longestName = 12;
var names = new Array(lastName + 1).fill(
  void 0
);
var Scanner = class {
  #html;
  #length;
  #tokens;
  #hasSections = true;
  #at = 0;
  constructor(html, tokens) {
    this.#html = html;
    this.#length = html.length;
    this.#tokens = tokens;
  }
  run() {
    const html = this.#html;
    let from = 0;
    while (from < this.#length) {
      let mark = html.indexOf("<", this.#at);
      if (mark === -1) mark = this.#length;
      const next = html.charCodeAt(mark + 1);
      if (mark + 1 < this.#length && !isLetter(next) && next !== slash && next !== exclamation && next !== question) {
        this.#at = mark + 1;
        continue;
      }
      if (mark + 1 >= this.#length || next === slash && mark + 2 >= this.#length) mark = this.#length;
      if (mark > from) this.#tokens.text(resolveText(html.slice(from, mark)));
      if (mark === this.#length) return;
      if (next === slash) this.#close(mark + 2);
      else if (next === exclamation) this.#declaration(mark + 2);
      else if (next === question) this.#skipTo(mark + 2);
      else this.#open(mark + 1);
      from = this.#at;
    }
  }
  /** Beyond the next `>`. */
  #skipTo(start) {
    const end = this.#html.indexOf(">", start);
    this.#at = end === -1 ? this.#length : end + 1;
  }
  #declaration(start) {
    const html = this.#html;
    if (html.startsWith("--", start)) {
      const short = html.startsWith(">", start + 2) ? 3 : html.startsWith("->", start + 2) ? 4 : 0;
      commentEnd.lastIndex = start + 2;
      if (short > 0) this.#at = start + short;
      else this.#at = commentEnd.test(html) ? commentEnd.lastIndex : this.#length;
    } else if (html.startsWith("[CDATA[", start)) {
      const end = this.#hasSections ? html.indexOf("]]>", start + 7) : -1;
      this.#hasSections = end !== -1;
      if (end === -1) this.#skipTo(start);
      else {
        this.#at = end + 3;
        this.#tokens.section(html.slice(start + 7, end));
      }
    } else this.#skipTo(start);
  }
  #close(start) {
    const html = this.#html;
    let at = start;
    while (isSpace(html.charCodeAt(at))) at++;
    if (!isLetter(html.charCodeAt(at))) {
      this.#skipTo(at);
      return;
    }
    const from = at;
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at);
      if (code === greater || code === slash || isSpace(code)) break;
    }
    this.#skipTo(at);
    if (at < this.#length) this.#tokens.close(this.#name(from, at));
  }
  #name(from, to) {
    let place = to - from;
    for (let at = from; at < to; at++) place = Math.imul(place, 31) + this.#html.charCodeAt(at) & lastName;
    const known = names[place];
    if (known !== void 0 && known.source.length === to - from && this.#html.startsWith(known.source, from)) {
      return known.name;
    }
    const source = this.#html.slice(from, to);
    const name = source.toLowerCase();
    if (source.length <= longestName) names[place] = { source, name };
    return name;
  }
  /** A tag that the page ends in is no tag. */
  #open(start) {
    const html = this.#html;
    let at = start;
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at);
      if (code === greater || code === slash || isSpace(code)) break;
    }
    const name = this.#name(start, at);
    let attributes;
    let count2 = 0;
    let selfClosing = false;
    for (; ; ) {
      const code = html.charCodeAt(at);
      if (code === greater) break;
      if (at >= this.#length) {
        this.#at = this.#length;
        return;
      }
      if (code === slash) selfClosing = true;
      if (code === slash || isSpace(code)) {
        at++;
        continue;
      }
      selfClosing = false;
      const from = at++;
      at = this.#nameEnd(at);
      const to = at;
      while (isSpace(html.charCodeAt(at))) at++;
      let value = "";
      if (html.charCodeAt(at) === equals) {
        value = this.#value(at + 1);
        at = this.#at;
      }
      if (count2++ >= maxAttributes || at >= this.#length) continue;
      attributes ??= {};
      const key = this.#name(from, to);
      if (!Object.hasOwn(attributes, key)) attributes[key] = value;
    }
    this.#at = at + 1;
    this.#tokens.open(name, attributes ?? noAttributes, selfClosing);
    if (!selfClosing && raw.has(name)) this.#raw(name);
  }
  #nameEnd(start) {
    const html = this.#html;
    let at = start;
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at);
      if (code === equals || code === greater || code === slash || isSpace(code)) break;
    }
    return at;
  }
  /** Leaves off behind the value. */
  #value(start) {
    const html = this.#html;
    let at = start;
    while (isSpace(html.charCodeAt(at))) at++;
    const quote = html[at];
    if (quote === '"' || quote === "'") {
      const end = html.indexOf(quote, at + 1);
      this.#at = end === -1 ? this.#length : end + 1;
      return end === -1 ? "" : resolveAttribute(html.slice(at + 1, end));
    }
    const from = at;
    while (at < this.#length && html.charCodeAt(at) !== greater && !isSpace(html.charCodeAt(at))) at++;
    this.#at = at;
    return resolveAttribute(html.slice(from, at));
  }
  /** Text up to `</name` that is followed by `>`, `/` or white space. */
  #raw(name) {
    const html = this.#html;
    const from = this.#at;
    let end = html.indexOf("</", from);
    while (end !== -1 && !this.#ends(end + 2, name)) end = html.indexOf("</", end + 2);
    const to = end === -1 ? this.#length : end;
    this.#at = to;
    if (to === from) return;
    const text = html.slice(from, to);
    this.#tokens.text(name === "title" ? resolveText(text) : text);
  }
  #ends(at, name) {
    const code = this.#html.charCodeAt(at + name.length);
    return (code === greater || code === slash || isSpace(code)) && this.#html.slice(at, at + name.length).toLowerCase() === name;
  }
};
var tokenize = (html, tokens) => new Scanner(html, tokens).run();
var ignore = () => void 0;
var readReference = (run, attribute) => {
  let decoded = "";
  const take = (start, end) => {
    decoded += source.slice(start, end);
  };
  const takeCode = (code) => {
    decoded += String.fromCodePoint(code);
  };
  const source = attribute ? `<a b="${run}">` : run;
  const callbacks = {
    ontext: take,
    ontextentity: takeCode,
    onattribdata: take,
    onattribentity: takeCode,
    onattribname: ignore,
    onattribend: ignore,
    onopentagname: ignore,
    onopentagend: ignore,
    onselfclosingtag: ignore,
    onclosetag: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
    onend: ignore
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(source);
  tokenizer.end();
  return decoded;
};
var maxKnown = 2e3;
var longestKnown = 12;
var remember = (attribute) => {
  const known = /* @__PURE__ */ new Map();
  return (run) => {
    const found = known.get(run);
    if (found !== void 0) return found;
    const decoded = readReference(run, attribute);
    if (run.length <= longestKnown) {
      if (known.size >= maxKnown) known.clear();
      known.set(run, decoded);
    }
    return decoded;
  };
};
var inText = remember(false);
var inAttribute = remember(true);
var references = /&#?[a-zA-Z0-9]+;?/g;
var resolveText = (text) => text.includes("&") ? text.replace(references, inText) : text;
var resolveAttribute = (value) => value.includes("&") ? value.replace(
  references,
  (run, at) => value[at + run.length] === "=" && !run.endsWith(";") ? run : inAttribute(run)
) : value;

// src/Engine/Html/Tree.ts
var makeElement = (name, attributes, parent, layout = tagOf(name).layout) => ({ name, layout, attributes, children: [], parent, dropped: false, text: -1, linked: 0 });
var isElement = (node) => typeof node !== "string";
var startOf = (element, most) => {
  let text = "";
  for (const child of element.children) {
    if (text.length >= most) break;
    text += isElement(child) ? startOf(child, most - text.length) : child.slice(0, most - text.length);
  }
  return text;
};
var textOf = (element) => {
  const [only] = element.children;
  if (element.children.length === 1 && typeof only === "string") return only;
  let text = "";
  for (const child of element.children) text += isElement(child) ? textOf(child) : child;
  return text;
};
var maxDepth = 512;
var maxElements = 3e5;
var Builder = class {
  root = makeElement("#root", noAttributes, void 0);
  html;
  body;
  titles = [];
  metas = [];
  bases = [];
  relations = [];
  anchors = [];
  images = [];
  dated = [];
  cut = false;
  #elements = 0;
  #stack = [this.root];
  #top = this.root;
  #foreign = 0;
  /** Where those of each name are in the stack, so that nobody has to search it. */
  #opened = /* @__PURE__ */ new Map();
  /** The innermost stops of each place in the stack. */
  #stops = [{ scope: 0, table: 0, boundary: 0 }];
  #text = "";
  text(text) {
    if (!this.cut) this.#text += text;
  }
  section(text) {
    if (this.#foreign > 0) this.text(text);
  }
  #flush() {
    if (this.#text === "") return;
    this.#top.children.push(this.#text);
    this.#text = "";
  }
  open(name, attributes, selfClosing) {
    if (this.#elements >= maxElements) {
      this.cut = true;
      return;
    }
    this.#elements += 1;
    this.#flush();
    if (name === "html" && this.html !== void 0) return;
    if (name === "body" && this.body !== void 0) return;
    const { closes, isForeign, isVoid, layout } = tagOf(name);
    if (closes !== void 0 && this.#foreign === 0) this.#closeImplied(closes);
    const element = makeElement(name, attributes, this.#top, layout);
    this.#top.children.push(element);
    this.#register(element);
    if (isVoid || selfClosing && (this.#foreign > 0 || isForeign)) return;
    const depth = this.#stack.length;
    if (depth >= maxDepth && (depth >= 2 * maxDepth || layout !== "unseen")) return;
    if (isForeign) this.#foreign++;
    this.#push(element);
  }
  #push(element) {
    const at = this.#stack.length;
    const places2 = this.#opened.get(element.name);
    if (places2 === void 0) this.#opened.set(element.name, [at]);
    else places2.push(at);
    const { isBoundary, isScope, isTableScope } = tagOf(element.name);
    const around = this.#stops[at - 1];
    this.#stops.push(
      isBoundary || isScope || isTableScope ? {
        scope: isScope ? at : around.scope,
        table: isTableScope ? at : around.table,
        boundary: isBoundary ? at : around.boundary
      } : around
    );
    this.#stack.push(element);
    this.#top = element;
  }
  /** Where the innermost open one is, 0 when there is none. */
  #placeOf(name) {
    return this.#opened.get(name)?.at(-1) ?? 0;
  }
  #register(element) {
    switch (element.name) {
      case "a":
      case "area":
        this.anchors.push(element);
        break;
      case "img":
        this.images.push(element);
        break;
      case "time":
      case "script":
        this.dated.push(element);
        break;
      case "meta":
        this.metas.push(element);
        break;
      case "link":
        this.relations.push(element);
        break;
      case "title":
        if (this.#foreign === 0) this.titles.push(element);
        break;
      case "base":
        this.bases.push(element);
        break;
      case "html":
        this.html = element;
        break;
      case "body":
        this.body = element;
        break;
    }
  }
  /** `<li>` ends the `<li>` before it, and whatever inline elements were left open in it. */
  #closeImplied({ limit, names: names2 }) {
    for (; ; ) {
      let at = 0;
      for (const name of names2) at = Math.max(at, this.#placeOf(name));
      if (at === 0 || at < limit(this.#stops.at(-1))) return;
      this.#closeTo(at);
      if (names2.length === 1) return;
    }
  }
  #closeTo(at) {
    while (this.#stack.length > at) {
      const closed = this.#stack.pop();
      if (closed === void 0) break;
      if (tagOf(closed.name).isForeign) this.#foreign--;
      this.#opened.get(closed.name)?.pop();
    }
    this.#stops.length = at;
    this.#top = this.#stack[at - 1] ?? this.root;
  }
  close(name) {
    if (this.cut) return;
    this.#flush();
    if (name === "br") {
      this.open(name, noAttributes, false);
      return;
    }
    if (name === "body" || name === "html") return;
    const at = this.#placeOf(name);
    if (at > 0 && at >= tagOf(name).limit(this.#stops.at(-1))) this.#closeTo(at);
  }
  end() {
    this.#flush();
  }
};
var parseTree = (html) => {
  const builder = new Builder();
  tokenize(html, builder);
  builder.end();
  return builder;
};

// src/Engine/Html/Select.ts
import { compile } from "css-select";
import { parse, SelectorType } from "css-what";
import * as Either from "effect/Either";
var childElements = (element) => element.children.filter(isElement);
var adapter = {
  isTag: isElement,
  getName: ({ name }) => name,
  getParent: ({ parent }) => parent === void 0 || parent.parent === void 0 ? null : parent,
  getChildren: (node) => isElement(node) ? node.children : [],
  getSiblings: (node) => isElement(node) ? node.parent?.children ?? [node] : [node],
  getText: (node) => isElement(node) ? textOf(node) : node,
  getAttributeValue: ({ attributes }, name) => Object.hasOwn(attributes, name) ? attributes[name] : void 0,
  hasAttrib: ({ attributes }, name) => Object.hasOwn(attributes, name),
  removeSubsets: (nodes) => nodes,
  existsOne: (test, nodes) => nodes.some((node) => isElement(node) && (test(node) || adapter.existsOne(test, node.children))),
  findAll: () => [],
  findOne: () => null
};
var maxLength = 1e3;
var costly = /* @__PURE__ */ new Set(["has", "contains", "icontains"]);
var costOf = (selectors) => {
  for (const part of selectors.flat()) {
    if (part.type === SelectorType.Sibling) return "~";
    if (part.type === SelectorType.Adjacent) return "+";
    if (part.type !== SelectorType.Pseudo) continue;
    if (costly.has(part.name)) return `:${part.name}()`;
    const within = Array.isArray(part.data) ? costOf(part.data) : void 0;
    if (within !== void 0) return within;
  }
  return void 0;
};
var malformed = (selectors) => {
  for (const part of selectors.flat()) {
    if (part.type !== SelectorType.Pseudo) continue;
    if (isMalformed(part.name, part.data)) return `:${part.name}(${String(part.data ?? "")})`;
    const within = Array.isArray(part.data) ? malformed(part.data) : void 0;
    if (within !== void 0) return within;
  }
  return void 0;
};
var compileParsed = (selector) => {
  const parsed = parse(selector);
  const wrong = malformed(parsed);
  if (wrong !== void 0) return Either.left(`"${selector}" is not a CSS selector: ${wrong} has no formula like 2n+1`);
  const cost = costOf(parsed);
  return cost === void 0 ? Either.right(compile(parsed, { adapter, pseudos, xmlMode: false })) : Either.left(`"${selector}" uses ${cost}, which is too slow for large pages: name a class, an id or an attribute`);
};
var parseSelector = (selector) => selector.length > maxLength ? Either.left(`"${selector.slice(0, 40)}\u2026" has ${selector.length} characters; a selector may have ${maxLength}`) : Either.flatMap(
  Either.try({
    try: () => compileParsed(selector),
    catch: (cause) => `"${selector}" is not a CSS selector: ${cause instanceof Error ? cause.message : String(cause)}`
  }),
  (test) => test
);
var outermost = (root, tests) => {
  const found = [];
  const visit = (element) => {
    for (const child of childElements(element)) {
      if (tests.some((test) => test(child))) found.push(child);
      else visit(child);
    }
  };
  visit(root);
  return found;
};
var every = (root, test, most) => {
  const found = [];
  const visit = (element) => {
    for (const child of element.children) {
      if (found.length >= most) return;
      if (!isElement(child)) continue;
      if (test(child)) found.push(child);
      visit(child);
    }
  };
  visit(root);
  return found;
};
var places = /* @__PURE__ */ new WeakMap();
var count = (parent) => {
  const siblings = parent.children.filter(isElement);
  const totals = /* @__PURE__ */ new Map();
  for (const { name } of siblings) totals.set(name, (totals.get(name) ?? 0) + 1);
  const seen = /* @__PURE__ */ new Map();
  const counted = /* @__PURE__ */ new Map();
  for (const [at, element] of siblings.entries()) {
    const named = (seen.get(element.name) ?? 0) + 1;
    seen.set(element.name, named);
    const total = totals.get(element.name) ?? named;
    counted.set(element, { all: at + 1, allFromEnd: siblings.length - at, named, namedFromEnd: total - named + 1 });
  }
  return counted;
};
var alone = { all: 1, allFromEnd: 1, named: 1, namedFromEnd: 1 };
var placeOf = (element) => {
  const { parent } = element;
  if (parent === void 0) return alone;
  const knownRules2 = places.get(parent);
  const counted = knownRules2 ?? count(parent);
  if (knownRules2 === void 0) places.set(parent, counted);
  return counted.get(element) ?? alone;
};
var formula = /^\s*(?:([+-]?\d*)n\s*(?:([+-])\s*(\d+)\s*)?|([+-]?\d+)\s*)$/i;
var readRule = (text) => {
  const word = text.trim().toLowerCase();
  const found = formula.exec(word === "even" ? "2n" : word === "odd" ? "2n+1" : text);
  if (found === null) return void 0;
  const [, factor, sign, offset, fixed] = found;
  if (fixed !== void 0) return (place) => place === Number(fixed);
  const step = factor === "" || factor === "+" ? 1 : factor === "-" ? -1 : Number(factor);
  const first = offset === void 0 ? 0 : Number(offset) * (sign === "-" ? -1 : 1);
  if (step === 0) return (place) => place === first;
  return (place) => (place - first) % step === 0 && (place - first) / step >= 0;
};
var rules = {
  "nth-child": ({ all }) => all,
  "nth-last-child": ({ allFromEnd }) => allFromEnd,
  "nth-of-type": ({ named }) => named,
  "nth-last-of-type": ({ namedFromEnd }) => namedFromEnd
};
var isCounting = (name) => Object.hasOwn(rules, name);
var knownRules = /* @__PURE__ */ new Map();
var maxKnown2 = 1e3;
var ruleOf = (text) => {
  const rule = knownRules.get(text) ?? readRule(text);
  if (rule === void 0) return void 0;
  if (knownRules.size >= maxKnown2) knownRules.clear();
  knownRules.set(text, rule);
  return rule;
};
var isMalformed = (name, data) => isCounting(name) && (typeof data !== "string" || ruleOf(data) === void 0);
var counting = (name) => (element, data) => ruleOf(data ?? "")?.(rules[name](placeOf(element))) ?? false;
var pseudos = {
  "nth-child": counting("nth-child"),
  "nth-last-child": counting("nth-last-child"),
  "nth-of-type": counting("nth-of-type"),
  "nth-last-of-type": counting("nth-last-of-type"),
  "first-of-type": (element) => placeOf(element).named === 1,
  "last-of-type": (element) => placeOf(element).namedFromEnd === 1,
  "only-of-type": (element) => placeOf(element).named + placeOf(element).namedFromEnd === 2
};

// src/Engine/Html/PageUrls.ts
var imagePlaceholder = "<Base64-Image-Removed>";
var plainPath = /^\/(?!\/)[\w\-/~%!$&*+,;=:@?]*$/;
var dotSegment = /\/\.|\.\/|%2e/i;
var plainAddress = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\/[\w\-/~%!$&*+,;=:@?#.]*$/;
var httpScheme = /^https?:/i;
var nowhere = /^(?:javascript|vbscript|data|about|blob):/i;
var unseen2 = /[\p{Cc}\s]+/gu;
var longestText = 2e3;
var PageUrls = class {
  #base;
  #origin;
  #known = /* @__PURE__ */ new Map();
  #removeInlined;
  constructor(tree, url, removeInlined) {
    const page = url !== void 0 && canParse(url) ? url : void 0;
    const declared = tree.bases.find(({ attributes }) => attributes.href !== void 0)?.attributes.href;
    const base = declared !== void 0 && canParse(declared, page) ? new URL(declared, page).href : void 0;
    this.#base = base === void 0 || /^(?:data|javascript):/.test(base) ? page : base;
    this.#origin = this.#base === void 0 ? void 0 : new URL(this.#base).origin;
    this.#removeInlined = removeInlined;
  }
  /** Absolute where the page's own address is known; undefined for `javascript:` and what is no address. */
  resolve(href) {
    const known = this.#known.get(href);
    if (known !== void 0 || this.#known.has(href)) return known;
    const resolved = this.#work(href.trim());
    this.#known.set(href, resolved);
    return resolved;
  }
  #work(href) {
    if (href === "" || nowhere.test(href.replace(unseen2, ""))) return void 0;
    if (plainAddress.test(href) && !dotSegment.test(href) && !href.includes("xn--")) return href;
    if (this.#base === void 0) return canParse(href) ? new URL(href).href : href;
    if (plainPath.test(href) && !dotSegment.test(href) && this.#origin !== "null") return this.#origin + href;
    return canParse(href, this.#base) ? new URL(href, this.#base).href : void 0;
  }
  /** Where a link leads; a jump within the page leads nowhere. */
  link = (href) => {
    const trimmed = href.trim();
    return trimmed.startsWith("#") ? void 0 : this.resolve(trimmed);
  };
  /** The picture that is meant, also where a script would have put it in place later. */
  image = ({ attributes }) => {
    const { src, "data-src": lazy, "data-original": original, srcset, "data-srcset": lazySet } = attributes;
    const isInlined = src?.startsWith("data:") === true;
    const delayed = lazy ?? original ?? firstOfSet(lazySet ?? (src === void 0 || isInlined ? srcset : void 0));
    if (delayed !== void 0 && (src === void 0 || isInlined || lazy !== void 0)) return this.resolve(delayed);
    if (src === void 0 || src === "") return void 0;
    return isInlined ? this.#removeInlined ? imagePlaceholder : src : this.resolve(src);
  };
  /** Every link of the page that leads out of it, whatever its scheme, in order, without repeats. */
  links(anchors) {
    const found = /* @__PURE__ */ new Set();
    for (const { attributes } of anchors) {
      const address = attributes.href === void 0 ? void 0 : this.link(attributes.href);
      if (address !== void 0) found.add(address);
    }
    return [...found];
  }
  /** What the page calls the places it links to. */
  linkTexts(anchors) {
    const found = /* @__PURE__ */ new Map();
    for (const anchor of anchors) {
      const address = anchor.attributes.href === void 0 ? void 0 : this.link(anchor.attributes.href);
      if (address === void 0 || found.has(address)) continue;
      const text = startOf(anchor, longestText).replace(/\s+/g, " ").trim().slice(0, 200);
      if (text !== "") found.set(address, text);
    }
    return found;
  }
  /** Every image, in order, without repeats; inlined ones are not addresses. */
  images(elements) {
    const found = /* @__PURE__ */ new Set();
    for (const element of elements) {
      const address = this.image(element);
      if (address !== void 0 && address !== imagePlaceholder && !address.startsWith("data:")) found.add(address);
    }
    return [...found];
  }
};
var firstOfSet = (set2) => /^[\s,]*([^\s,](?:\S*[^\s,])?)/.exec(set2 ?? "")?.[1];
var detach = (address) => ` ${address}`.slice(1);
var crawlable = (links) => {
  const found = /* @__PURE__ */ new Set();
  for (const link of links) {
    if (!httpScheme.test(link)) continue;
    const hash = link.indexOf("#");
    found.add(hash === -1 ? link : link.slice(0, hash));
  }
  return Array.from(found, detach);
};

export {
  voids,
  isBlock,
  unseen,
  noAttributes,
  tokenize,
  makeElement,
  isElement,
  startOf,
  textOf,
  parseTree,
  parseSelector,
  outermost,
  every,
  imagePlaceholder,
  PageUrls,
  crawlable
};
