import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  PageUrls
} from "./chunk-PZIVWCHK.js";
import {
  every
} from "./chunk-AK2SJKLB.js";
import {
  isElement,
  makeElement,
  parseTree,
  textOf
} from "./chunk-REEM7JGU.js";
import {
  __export
} from "./chunk-E2DHRGUQ.js";

// node_modules/css-tree/lib/tokenizer/types.js
var types_exports = {};
__export(types_exports, {
  AtKeyword: () => AtKeyword,
  BadString: () => BadString,
  BadUrl: () => BadUrl,
  CDC: () => CDC,
  CDO: () => CDO,
  Colon: () => Colon,
  Comma: () => Comma,
  Comment: () => Comment,
  Delim: () => Delim,
  Dimension: () => Dimension,
  EOF: () => EOF,
  Function: () => Function,
  Hash: () => Hash,
  Ident: () => Ident,
  LeftCurlyBracket: () => LeftCurlyBracket,
  LeftParenthesis: () => LeftParenthesis,
  LeftSquareBracket: () => LeftSquareBracket,
  Number: () => Number,
  Percentage: () => Percentage,
  RightCurlyBracket: () => RightCurlyBracket,
  RightParenthesis: () => RightParenthesis,
  RightSquareBracket: () => RightSquareBracket,
  Semicolon: () => Semicolon,
  String: () => String2,
  Url: () => Url,
  WhiteSpace: () => WhiteSpace
});
var EOF = 0, Ident = 1, Function = 2, AtKeyword = 3, Hash = 4, String2 = 5, BadString = 6, Url = 7, BadUrl = 8, Delim = 9, Number = 10, Percentage = 11, Dimension = 12, WhiteSpace = 13, CDO = 14, CDC = 15, Colon = 16, Semicolon = 17, Comma = 18, LeftSquareBracket = 19, RightSquareBracket = 20, LeftParenthesis = 21, RightParenthesis = 22, LeftCurlyBracket = 23, RightCurlyBracket = 24, Comment = 25;

// node_modules/css-tree/lib/tokenizer/char-code-definitions.js
function isDigit(code) {
  return code >= 48 && code <= 57;
}
function isHexDigit(code) {
  return isDigit(code) || // 0 .. 9
  code >= 65 && code <= 70 || // A .. F
  code >= 97 && code <= 102;
}
function isUppercaseLetter(code) {
  return code >= 65 && code <= 90;
}
function isLowercaseLetter(code) {
  return code >= 97 && code <= 122;
}
function isLetter(code) {
  return isUppercaseLetter(code) || isLowercaseLetter(code);
}
function isNonAscii(code) {
  return code >= 128;
}
function isNameStart(code) {
  return isLetter(code) || isNonAscii(code) || code === 95;
}
function isName(code) {
  return isNameStart(code) || isDigit(code) || code === 45;
}
function isNonPrintable(code) {
  return code >= 0 && code <= 8 || code === 11 || code >= 14 && code <= 31 || code === 127;
}
function isNewline(code) {
  return code === 10 || code === 13 || code === 12;
}
function isWhiteSpace(code) {
  return isNewline(code) || code === 32 || code === 9;
}
function isValidEscape(first, second) {
  return !(first !== 92 || isNewline(second) || second === 0);
}
function isIdentifierStart(first, second, third) {
  return first === 45 ? isNameStart(second) || second === 45 || isValidEscape(second, third) : isNameStart(first) ? !0 : first === 92 ? isValidEscape(first, second) : !1;
}
function isNumberStart(first, second, third) {
  return first === 43 || first === 45 ? isDigit(second) ? 2 : second === 46 && isDigit(third) ? 3 : 0 : first === 46 ? isDigit(second) ? 2 : 0 : isDigit(first) ? 1 : 0;
}
function isBOM(code) {
  return code === 65279 || code === 65534 ? 1 : 0;
}
var CATEGORY = new Array(128), EofCategory = 128, WhiteSpaceCategory = 130, DigitCategory = 131, NameStartCategory = 132, NonPrintableCategory = 133;
for (let i = 0; i < CATEGORY.length; i++)
  CATEGORY[i] = isWhiteSpace(i) && WhiteSpaceCategory || isDigit(i) && DigitCategory || isNameStart(i) && NameStartCategory || isNonPrintable(i) && NonPrintableCategory || i || EofCategory;
function charCodeCategory(code) {
  return code < 128 ? CATEGORY[code] : NameStartCategory;
}

// node_modules/css-tree/lib/tokenizer/utils.js
function getCharCode(source, offset) {
  return offset < source.length ? source.charCodeAt(offset) : 0;
}
function getNewlineLength(source, offset, code) {
  return code === 13 && getCharCode(source, offset + 1) === 10 ? 2 : 1;
}
function cmpChar(testStr, offset, referenceCode) {
  let code = testStr.charCodeAt(offset);
  return isUppercaseLetter(code) && (code = code | 32), code === referenceCode;
}
function cmpStr(testStr, start, end, referenceStr) {
  if (end - start !== referenceStr.length || start < 0 || end > testStr.length)
    return !1;
  for (let i = start; i < end; i++) {
    let referenceCode = referenceStr.charCodeAt(i - start), testCode = testStr.charCodeAt(i);
    if (isUppercaseLetter(testCode) && (testCode = testCode | 32), testCode !== referenceCode)
      return !1;
  }
  return !0;
}
function findWhiteSpaceEnd(source, offset) {
  for (; offset < source.length && isWhiteSpace(source.charCodeAt(offset)); offset++)
    ;
  return offset;
}
function findDecimalNumberEnd(source, offset) {
  for (; offset < source.length && isDigit(source.charCodeAt(offset)); offset++)
    ;
  return offset;
}
function consumeEscaped(source, offset) {
  if (offset += 2, isHexDigit(getCharCode(source, offset - 1))) {
    for (let maxOffset = Math.min(source.length, offset + 5); offset < maxOffset && isHexDigit(getCharCode(source, offset)); offset++)
      ;
    let code = getCharCode(source, offset);
    isWhiteSpace(code) && (offset += getNewlineLength(source, offset, code));
  }
  return offset;
}
function consumeName(source, offset) {
  for (; offset < source.length; offset++) {
    let code = source.charCodeAt(offset);
    if (!isName(code)) {
      if (isValidEscape(code, getCharCode(source, offset + 1))) {
        offset = consumeEscaped(source, offset) - 1;
        continue;
      }
      break;
    }
  }
  return offset;
}
function consumeNumber(source, offset) {
  let code = source.charCodeAt(offset);
  if ((code === 43 || code === 45) && (code = source.charCodeAt(offset += 1)), isDigit(code) && (offset = findDecimalNumberEnd(source, offset + 1), code = source.charCodeAt(offset)), code === 46 && isDigit(source.charCodeAt(offset + 1)) && (offset += 2, offset = findDecimalNumberEnd(source, offset)), cmpChar(
    source,
    offset,
    101
    /* e */
  )) {
    let sign = 0;
    code = source.charCodeAt(offset + 1), (code === 45 || code === 43) && (sign = 1, code = source.charCodeAt(offset + 2)), isDigit(code) && (offset = findDecimalNumberEnd(source, offset + 1 + sign + 1));
  }
  return offset;
}
function consumeBadUrlRemnants(source, offset) {
  for (; offset < source.length; offset++) {
    let code = source.charCodeAt(offset);
    if (code === 41) {
      offset++;
      break;
    }
    isValidEscape(code, getCharCode(source, offset + 1)) && (offset = consumeEscaped(source, offset));
  }
  return offset;
}

// node_modules/css-tree/lib/tokenizer/index.js
function tokenize(source, onToken) {
  function getCharCode2(offset2) {
    return offset2 < sourceLength ? source.charCodeAt(offset2) : 0;
  }
  function consumeNumericToken() {
    if (offset = consumeNumber(source, offset), isIdentifierStart(getCharCode2(offset), getCharCode2(offset + 1), getCharCode2(offset + 2))) {
      type = 12, offset = consumeName(source, offset);
      return;
    }
    if (getCharCode2(offset) === 37) {
      type = 11, offset++;
      return;
    }
    type = 10;
  }
  function consumeIdentLikeToken() {
    let nameStartOffset = offset;
    if (offset = consumeName(source, offset), cmpStr(source, nameStartOffset, offset, "url") && getCharCode2(offset) === 40) {
      if (offset = findWhiteSpaceEnd(source, offset + 1), getCharCode2(offset) === 34 || getCharCode2(offset) === 39) {
        type = 2, offset = nameStartOffset + 4;
        return;
      }
      consumeUrlToken();
      return;
    }
    if (getCharCode2(offset) === 40) {
      type = 2, offset++;
      return;
    }
    type = 1;
  }
  function consumeStringToken(endingCodePoint) {
    for (endingCodePoint || (endingCodePoint = getCharCode2(offset++)), type = 5; offset < source.length; offset++) {
      let code = source.charCodeAt(offset);
      switch (charCodeCategory(code)) {
        // ending code point
        case endingCodePoint:
          offset++;
          return;
        // EOF
        // case EofCategory:
        // This is a parse error. Return the <string-token>.
        // return;
        // newline
        case WhiteSpaceCategory:
          if (isNewline(code)) {
            offset += getNewlineLength(source, offset, code), type = 6;
            return;
          }
          break;
        // U+005C REVERSE SOLIDUS (\)
        case 92:
          if (offset === source.length - 1)
            break;
          let nextCode = getCharCode2(offset + 1);
          isNewline(nextCode) ? offset += getNewlineLength(source, offset + 1, nextCode) : isValidEscape(code, nextCode) && (offset = consumeEscaped(source, offset) - 1);
          break;
      }
    }
  }
  function consumeUrlToken() {
    for (type = 7, offset = findWhiteSpaceEnd(source, offset); offset < source.length; offset++) {
      let code = source.charCodeAt(offset);
      switch (charCodeCategory(code)) {
        // U+0029 RIGHT PARENTHESIS ())
        case 41:
          offset++;
          return;
        // EOF
        // case EofCategory:
        // This is a parse error. Return the <url-token>.
        // return;
        // whitespace
        case WhiteSpaceCategory:
          if (offset = findWhiteSpaceEnd(source, offset), getCharCode2(offset) === 41 || offset >= source.length) {
            offset < source.length && offset++;
            return;
          }
          offset = consumeBadUrlRemnants(source, offset), type = 8;
          return;
        // U+0022 QUOTATION MARK (")
        // U+0027 APOSTROPHE (')
        // U+0028 LEFT PARENTHESIS (()
        // non-printable code point
        case 34:
        case 39:
        case 40:
        case NonPrintableCategory:
          offset = consumeBadUrlRemnants(source, offset), type = 8;
          return;
        // U+005C REVERSE SOLIDUS (\)
        case 92:
          if (isValidEscape(code, getCharCode2(offset + 1))) {
            offset = consumeEscaped(source, offset) - 1;
            break;
          }
          offset = consumeBadUrlRemnants(source, offset), type = 8;
          return;
      }
    }
  }
  source = String(source || "");
  let sourceLength = source.length, start = isBOM(getCharCode2(0)), offset = start, type;
  for (; offset < sourceLength; ) {
    let code = source.charCodeAt(offset);
    switch (charCodeCategory(code)) {
      // whitespace
      case WhiteSpaceCategory:
        type = 13, offset = findWhiteSpaceEnd(source, offset + 1);
        break;
      // U+0022 QUOTATION MARK (")
      case 34:
        consumeStringToken();
        break;
      // U+0023 NUMBER SIGN (#)
      case 35:
        isName(getCharCode2(offset + 1)) || isValidEscape(getCharCode2(offset + 1), getCharCode2(offset + 2)) ? (type = 4, offset = consumeName(source, offset + 1)) : (type = 9, offset++);
        break;
      // U+0027 APOSTROPHE (')
      case 39:
        consumeStringToken();
        break;
      // U+0028 LEFT PARENTHESIS (()
      case 40:
        type = 21, offset++;
        break;
      // U+0029 RIGHT PARENTHESIS ())
      case 41:
        type = 22, offset++;
        break;
      // U+002B PLUS SIGN (+)
      case 43:
        isNumberStart(code, getCharCode2(offset + 1), getCharCode2(offset + 2)) ? consumeNumericToken() : (type = 9, offset++);
        break;
      // U+002C COMMA (,)
      case 44:
        type = 18, offset++;
        break;
      // U+002D HYPHEN-MINUS (-)
      case 45:
        isNumberStart(code, getCharCode2(offset + 1), getCharCode2(offset + 2)) ? consumeNumericToken() : getCharCode2(offset + 1) === 45 && getCharCode2(offset + 2) === 62 ? (type = 15, offset = offset + 3) : isIdentifierStart(code, getCharCode2(offset + 1), getCharCode2(offset + 2)) ? consumeIdentLikeToken() : (type = 9, offset++);
        break;
      // U+002E FULL STOP (.)
      case 46:
        isNumberStart(code, getCharCode2(offset + 1), getCharCode2(offset + 2)) ? consumeNumericToken() : (type = 9, offset++);
        break;
      // U+002F SOLIDUS (/)
      case 47:
        getCharCode2(offset + 1) === 42 ? (type = 25, offset = source.indexOf("*/", offset + 2), offset = offset === -1 ? source.length : offset + 2) : (type = 9, offset++);
        break;
      // U+003A COLON (:)
      case 58:
        type = 16, offset++;
        break;
      // U+003B SEMICOLON (;)
      case 59:
        type = 17, offset++;
        break;
      // U+003C LESS-THAN SIGN (<)
      case 60:
        getCharCode2(offset + 1) === 33 && getCharCode2(offset + 2) === 45 && getCharCode2(offset + 3) === 45 ? (type = 14, offset = offset + 4) : (type = 9, offset++);
        break;
      // U+0040 COMMERCIAL AT (@)
      case 64:
        isIdentifierStart(getCharCode2(offset + 1), getCharCode2(offset + 2), getCharCode2(offset + 3)) ? (type = 3, offset = consumeName(source, offset + 1)) : (type = 9, offset++);
        break;
      // U+005B LEFT SQUARE BRACKET ([)
      case 91:
        type = 19, offset++;
        break;
      // U+005C REVERSE SOLIDUS (\)
      case 92:
        isValidEscape(code, getCharCode2(offset + 1)) ? consumeIdentLikeToken() : (type = 9, offset++);
        break;
      // U+005D RIGHT SQUARE BRACKET (])
      case 93:
        type = 20, offset++;
        break;
      // U+007B LEFT CURLY BRACKET ({)
      case 123:
        type = 23, offset++;
        break;
      // U+007D RIGHT CURLY BRACKET (})
      case 125:
        type = 24, offset++;
        break;
      // digit
      case DigitCategory:
        consumeNumericToken();
        break;
      // name-start code point
      case NameStartCategory:
        consumeIdentLikeToken();
        break;
      // EOF
      // case EofCategory:
      // Return an <EOF-token>.
      // break;
      // anything else
      default:
        type = 9, offset++;
    }
    onToken(type, start, start = offset);
  }
}

// src/Engine/Branding/StyleSheet.ts
var maxRules = 5e4, maxVariables = 1e4, maxPrelude = 4e3, maxSelectors = 100, maxValue = 1e3, maxFontFaces = 200, maxImports = 20, wanted = /^(?:--[\w-]+|color|color-scheme|background|background-color|border|border-color|border-radius|font|font-family|font-size|font-weight|line-height|padding|padding-(?:top|right|bottom|left)|margin|margin-(?:top|bottom)|gap)$/, unusual = /\b(?:print|speech|prefers-color-scheme\s*:\s*dark|prefers-reduced-motion|prefers-contrast|forced-colors|max-width)\b|width\s*<|not\s+all/i, isUsual = (queries) => queries.split(",").some((query) => !unusual.test(query)), groupOf = (prelude) => {
  switch (/^@([\w-]+)/.exec(prelude)?.[1]?.toLowerCase()) {
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
}, withoutComments = (text) => text.includes("/*") ? text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ").trim() : text.trim(), readDeclaration = (text) => {
  let colon = text.indexOf(":");
  if (colon < 1) return;
  let name = text.slice(0, colon).trim(), property = name.startsWith("--") ? name : name.toLowerCase(), value = text.slice(colon + 1).trim();
  if (value === "" || value.length > maxValue || !wanted.test(property)) return;
  let important = /!\s*important$/i.exec(value);
  return important === null ? { property, value, important: !1 } : { property, value: value.slice(0, important.index).trim(), important: !0 };
}, splitSelectors = (prelude) => {
  let found = [], depth = 0, from = 0;
  for (let at = 0; at <= prelude.length && found.length < maxSelectors; at++) {
    let char = prelude[at];
    if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") depth--;
    else if (char === void 0 || char === "," && depth === 0) {
      let selector = prelude.slice(from, at).trim();
      selector !== "" && found.push(selector), from = at + 1;
    }
  }
  return found;
}, importOf = (text) => /^@import\s+(?:url\(\s*)?["']?([^"')\s]+)/i.exec(text)?.[1]?.slice(0, 2e3), Reader = class {
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
    let text = end - this.#from > maxPrelude ? "" : withoutComments(this.#source.slice(this.#from, end));
    return this.#from = next, text;
  }
  token = (type, start, end) => {
    switch (type) {
      case types_exports.Comment:
        start - this.#from <= maxPrelude && this.#source.slice(this.#from, start).trim() === "" && (this.#from = end);
        return;
      case types_exports.Function:
      case types_exports.LeftParenthesis:
        this.#parentheses += 1;
        return;
      case types_exports.RightParenthesis:
        this.#parentheses = Math.max(0, this.#parentheses - 1);
        return;
      case types_exports.Semicolon:
        this.#parentheses === 0 && this.#end(this.#take(start, end));
        return;
      case types_exports.LeftCurlyBracket:
        this.#open(this.#take(start, end));
        return;
      case types_exports.RightCurlyBracket:
        this.#close(this.#take(start, end));
    }
  };
  #open(prelude) {
    if (this.#parentheses = 0, this.#blocks.length >= 32) {
      this.#deeper += 1;
      return;
    }
    this.#block !== "rules" ? this.#blocks.push("other") : prelude.startsWith("@") ? this.#blocks.push(groupOf(prelude)) : (this.#selectors = splitSelectors(prelude), this.#declarations = [], this.#blocks.push("style"));
  }
  #end(text) {
    if (!(this.#deeper > 0 || text === "")) {
      if (this.#block === "rules") {
        let address = importOf(text);
        address !== void 0 && this.imports.length < maxImports && this.imports.push(address);
      } else if (this.#block === "style") {
        let declaration = readDeclaration(text);
        if (declaration === void 0) return;
        declaration.property.startsWith("--") && (this.#variables += 1), (this.#variables <= maxVariables || !declaration.property.startsWith("--")) && this.#declarations.push(declaration);
      } else if (this.#block === "font") {
        let [, name, value] = /^\s*font-(family|weight)\s*:\s*(.{1,200})$/i.exec(text) ?? [];
        name !== void 0 && value !== void 0 && (this.#font[name.toLowerCase() === "family" ? "family" : "weight"] = value);
      }
    }
  }
  #close(text) {
    if (this.#parentheses = 0, this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    this.#end(text);
    let block = this.#blocks.pop();
    block === "style" && this.#declarations.length > 0 && this.rules.length < maxRules && (this.rules.push({ selectors: this.#selectors, declarations: this.#declarations }), this.#declarations = []);
    let { family, weight } = this.#font;
    block === "font" && (family !== void 0 && this.fontFaces.length < maxFontFaces && this.fontFaces.push({ family, weight }), this.#font = {});
  }
  /** A sheet that was cut ends in the middle of something. */
  finish() {
    return this.#block === "style" && this.#deeper === 0 && this.#close(this.#take(this.#source.length, this.#source.length)), this;
  }
}, readSheet = (source) => {
  let reader = new Reader(source);
  return tokenize(source, reader.token), reader.finish();
}, readInline = (style) => readSheet(`x{${style.slice(0, maxPrelude)}}`).rules[0]?.declarations ?? [];

// src/Engine/Branding/BrandPage.ts
var maxPage = 1e6, maxStyles = 1e6, isStyles = ({ attributes }) => {
  let { media = "", rel = "" } = attributes, relations = rel.toLowerCase().split(/\s+/);
  return relations.includes("stylesheet") && !relations.includes("alternate") && isUsual(media);
}, readPage = (html, url) => {
  let tree = parseTree(html.slice(0, maxPage)), urls = new PageUrls(tree, url, !0), found = every(
    tree.root,
    (element) => element.name === "style" || element.name === "link" && isStyles(element),
    100
  );
  return {
    tree,
    urls,
    sources: found.flatMap((element) => {
      if (element.name === "style") return [{ text: textOf(element) }];
      let href = element.attributes.href === void 0 ? void 0 : urls.resolve(element.attributes.href);
      return href === void 0 ? [] : [{ href }];
    })
  };
}, readSheets = (texts) => {
  let left = maxStyles;
  return texts.map((text) => {
    let read = text.slice(0, left);
    return left -= read.length, readSheet(read);
  });
}, plain = (name, parent, attributes = {}) => makeElement(name, attributes, parent), maxElements = 2e4, maxButtons = 12, classOf = ({ attributes }) => attributes.class ?? "", isField = ({ attributes, name }) => name === "textarea" || name === "input" && /^(?:text|email|search|url|tel|password)?$/i.test(attributes.type ?? ""), isButton = ({ attributes, name }) => name === "button" || name === "input" && /^(?:submit|button)$/i.test(attributes.type ?? "") || (name === "a" || name === "span") && /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(attributes.class ?? "") || name === "a" && attributes.role === "button", weigh = (element) => {
  let label = classOf(element);
  return (/primary|cta|main|brand/i.test(label) ? 4 : 0) + (element.attributes.type === "submit" ? 1 : 0) - (/secondary|outline|ghost|link|close|toggle|menu|icon|dropdown|tertiary/i.test(label) ? 3 : 0) + (/(?:^|[\s_-])(?:btn|button)(?:$|[\s_-])/i.test(label) ? 1 : 0) - (label === "" ? 1 : 0);
}, search = (root) => {
  let found = { first: /* @__PURE__ */ new Map(), buttons: [], field: void 0 }, left = maxElements, visit = (element) => {
    for (let child of element.children)
      if (isElement(child)) {
        if (left -= 1, left < 0) return;
        isButton(child) ? found.buttons.push(child) : (child.name === "a" && !inSurroundings(child) || /^(?:h[1-3]|code|pre)$/.test(child.name)) && remember(found, child), isField(child) && (found.field ??= child), visit(child);
      }
  };
  return visit(root), found;
}, remember = ({ first }, element) => {
  first.has(element.name) || first.set(element.name, element);
}, inSurroundings = (element) => {
  for (let around = element.parent; around !== void 0; around = around.parent)
    if (around.name === "nav" || around.name === "header" || around.name === "footer") return !0;
  return !1;
}, samplesOf = (tree) => {
  let html = tree.html ?? plain("html", tree.root), body = tree.body ?? plain("body", html), { buttons, field, first } = search(tree.root), sorted = buttons.map((element, at) => ({ element, weight: weigh(element) - at / 1e3 })).sort((one, other) => other.weight - one.weight).slice(0, maxButtons).map(({ element }) => element);
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
