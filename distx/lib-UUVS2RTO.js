import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  PageUrls,
  every,
  isElement,
  makeElement,
  parseTree,
  textOf
} from "./lib-KFUPWAUT.js";

// src/Engine/Branding/StyleSheet.ts
import { tokenize, tokenTypes } from "css-tree/tokenizer";
var maxRules = 5e4;
var maxVariables = 1e4;
var maxPrelude = 4e3;
var maxSelectors = 100;
var maxValue = 1e3;
var maxFontFaces = 200;
var maxImports = 20;
var wanted = /^(?:--[\w-]+|color|color-scheme|background|background-color|border|border-color|border-radius|font|font-family|font-size|font-weight|line-height|padding|padding-(?:top|right|bottom|left)|margin|margin-(?:top|bottom)|gap)$/;
var unusual = /\b(?:print|speech|prefers-color-scheme\s*:\s*dark|prefers-reduced-motion|prefers-contrast|forced-colors|max-width)\b|width\s*<|not\s+all/i;
var isUsual = (queries) => queries.split(",").some((query) => !unusual.test(query));
var groupOf = (prelude) => {
  const name = /^@([\w-]+)/.exec(prelude)?.[1]?.toLowerCase();
  switch (name) {
    case "media":
      return isUsual(prelude) ? "rules" : "other";
    case "layer":
    case "supports":
    case "scope":
      return "rules";
    case "font-face":
      return "font";
    default:
      return "other";
  }
};
var withoutComments = (text) => text.includes("/*") ? text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ").trim() : text.trim();
var readDeclaration = (text) => {
  const colon = text.indexOf(":");
  if (colon < 1) return void 0;
  const name = text.slice(0, colon).trim();
  const property = name.startsWith("--") ? name : name.toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (value === "" || value.length > maxValue || !wanted.test(property)) return void 0;
  const important = /!\s*important$/i.exec(value);
  return important === null ? { property, value, important: false } : { property, value: value.slice(0, important.index).trim(), important: true };
};
var splitSelectors = (prelude) => {
  const found = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= prelude.length && found.length < maxSelectors; at++) {
    const char = prelude[at];
    if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") depth--;
    else if (char === void 0 || char === "," && depth === 0) {
      const selector = prelude.slice(from, at).trim();
      if (selector !== "") found.push(selector);
      from = at + 1;
    }
  }
  return found;
};
var importOf = (text) => /^@import\s+(?:url\(\s*)?["']?([^"')\s]+)/i.exec(text)?.[1]?.slice(0, 2e3);
var Reader = class {
  rules = [];
  fontFaces = [];
  imports = [];
  #source;
  #blocks = [];
  /** Deeper blocks than anybody writes are only counted. */
  #deeper = 0;
  #parentheses = 0;
  #from = 0;
  #selectors = [];
  #declarations = [];
  #variables = 0;
  #font = {};
  constructor(source) {
    this.#source = source;
  }
  get #block() {
    return this.#blocks.at(-1) ?? "rules";
  }
  /** What stands before a bracket or a semicolon. */
  #take(end, next) {
    const text = end - this.#from > maxPrelude ? "" : withoutComments(this.#source.slice(this.#from, end));
    this.#from = next;
    return text;
  }
  token = (type, start, end) => {
    switch (type) {
      case tokenTypes.Comment:
        if (start - this.#from <= maxPrelude && this.#source.slice(this.#from, start).trim() === "") this.#from = end;
        return;
      case tokenTypes.Function:
      case tokenTypes.LeftParenthesis:
        this.#parentheses += 1;
        return;
      case tokenTypes.RightParenthesis:
        this.#parentheses = Math.max(0, this.#parentheses - 1);
        return;
      case tokenTypes.Semicolon:
        if (this.#parentheses === 0) this.#end(this.#take(start, end));
        return;
      case tokenTypes.LeftCurlyBracket:
        this.#open(this.#take(start, end));
        return;
      case tokenTypes.RightCurlyBracket:
        this.#close(this.#take(start, end));
    }
  };
  #open(prelude) {
    this.#parentheses = 0;
    if (this.#blocks.length >= 32) {
      this.#deeper += 1;
      return;
    }
    const around = this.#block;
    if (around !== "rules") this.#blocks.push("other");
    else if (prelude.startsWith("@")) this.#blocks.push(groupOf(prelude));
    else {
      this.#selectors = splitSelectors(prelude);
      this.#declarations = [];
      this.#blocks.push("style");
    }
  }
  #end(text) {
    if (this.#deeper > 0 || text === "") return;
    if (this.#block === "rules") {
      const address = importOf(text);
      if (address !== void 0 && this.imports.length < maxImports) this.imports.push(address);
    } else if (this.#block === "style") {
      const declaration = readDeclaration(text);
      if (declaration === void 0) return;
      if (declaration.property.startsWith("--")) this.#variables += 1;
      if (this.#variables <= maxVariables || !declaration.property.startsWith("--"))
        this.#declarations.push(declaration);
    } else if (this.#block === "font") {
      const [, name, value] = /^\s*font-(family|weight)\s*:\s*(.{1,200})$/i.exec(text) ?? [];
      if (name !== void 0 && value !== void 0)
        this.#font[name.toLowerCase() === "family" ? "family" : "weight"] = value;
    }
  }
  #close(text) {
    this.#parentheses = 0;
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    this.#end(text);
    const block = this.#blocks.pop();
    if (block === "style" && this.#declarations.length > 0 && this.rules.length < maxRules) {
      this.rules.push({ selectors: this.#selectors, declarations: this.#declarations });
      this.#declarations = [];
    }
    const { family, weight } = this.#font;
    if (block === "font") {
      if (family !== void 0 && this.fontFaces.length < maxFontFaces) this.fontFaces.push({ family, weight });
      this.#font = {};
    }
  }
  /** A sheet that was cut ends in the middle of something. */
  finish() {
    if (this.#block === "style" && this.#deeper === 0) this.#close(this.#take(this.#source.length, this.#source.length));
    return this;
  }
};
var readSheet = (source) => {
  const reader = new Reader(source);
  tokenize(source, reader.token);
  return reader.finish();
};
var readInline = (style) => readSheet(`x{${style.slice(0, maxPrelude)}}`).rules[0]?.declarations ?? [];

// src/Engine/Branding/BrandPage.ts
var maxPage = 1e6;
var maxStyles = 1e6;
var isStyles = ({ attributes }) => {
  const { media = "", rel = "" } = attributes;
  const relations = rel.toLowerCase().split(/\s+/);
  return relations.includes("stylesheet") && !relations.includes("alternate") && isUsual(media);
};
var readPage = (html, url) => {
  const tree = parseTree(html.slice(0, maxPage));
  const urls = new PageUrls(tree, url, true);
  const found = every(
    tree.root,
    (element) => element.name === "style" || element.name === "link" && isStyles(element),
    100
  );
  return {
    tree,
    urls,
    sources: found.flatMap((element) => {
      if (element.name === "style") return [{ text: textOf(element) }];
      const href = element.attributes.href === void 0 ? void 0 : urls.resolve(element.attributes.href);
      return href === void 0 ? [] : [{ href }];
    })
  };
};
var readSheets = (texts) => {
  let left = maxStyles;
  return texts.map((text) => {
    const read = text.slice(0, left);
    left -= read.length;
    return readSheet(read);
  });
};
var plain = (name, parent, attributes = {}) => makeElement(name, attributes, parent);
var maxElements = 2e4;
var maxButtons = 12;
var classOf = ({ attributes }) => attributes.class ?? "";
var isField = ({ attributes, name }) => name === "textarea" || name === "input" && /^(?:text|email|search|url|tel|password)?$/i.test(attributes.type ?? "");
var isButton = ({ attributes, name }) => name === "button" || name === "input" && /^(?:submit|button)$/i.test(attributes.type ?? "") || (name === "a" || name === "span") && /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(attributes.class ?? "") || name === "a" && attributes.role === "button";
var weigh = (element) => {
  const label = classOf(element);
  return (/primary|cta|main|brand/i.test(label) ? 4 : 0) + (element.attributes.type === "submit" ? 1 : 0) - (/secondary|outline|ghost|link|close|toggle|menu|icon|dropdown|tertiary/i.test(label) ? 3 : 0) + (/(?:^|[\s_-])(?:btn|button)(?:$|[\s_-])/i.test(label) ? 1 : 0) - (label === "" ? 1 : 0);
};
var search = (root) => {
  const found = { first: /* @__PURE__ */ new Map(), buttons: [], field: void 0 };
  let left = maxElements;
  const visit = (element) => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      left -= 1;
      if (left < 0) return;
      if (isButton(child)) found.buttons.push(child);
      else if (child.name === "a" && !inSurroundings(child)) remember(found, child);
      else if (/^(?:h[1-3]|code|pre)$/.test(child.name)) remember(found, child);
      if (isField(child)) found.field ??= child;
      visit(child);
    }
  };
  visit(root);
  return found;
};
var remember = ({ first }, element) => {
  if (!first.has(element.name)) first.set(element.name, element);
};
var inSurroundings = (element) => {
  for (let around = element.parent; around !== void 0; around = around.parent)
    if (around.name === "nav" || around.name === "header" || around.name === "footer") return true;
  return false;
};
var samplesOf = (tree) => {
  const html = tree.html ?? plain("html", tree.root);
  const body = tree.body ?? plain("body", html);
  const { buttons, field, first } = search(tree.root);
  const sorted = buttons.map((element, at) => ({ element, weight: weigh(element) - at / 1e3 })).sort((one, other) => other.weight - one.weight).slice(0, maxButtons).map(({ element }) => element);
  return {
    html,
    body,
    h1: first.get("h1") ?? plain("h1", body),
    h2: first.get("h2") ?? plain("h2", body),
    h3: first.get("h3") ?? plain("h3", body),
    link: first.get("a") ?? plain("a", body, { href: "#" }),
    code: first.get("code") ?? first.get("pre") ?? plain("code", body),
    input: field ?? plain("input", body, { type: "text", class: "form-control input" }),
    buttons: sorted.length > 0 ? sorted : [
      plain("button", body, { class: "btn btn-primary button primary", type: "button" }),
      plain("button", body, { class: "btn btn-secondary secondary", type: "button" })
    ]
  };
};

export {
  readInline,
  readPage,
  readSheets,
  samplesOf
};
