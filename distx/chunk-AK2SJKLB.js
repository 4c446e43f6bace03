import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  esm_exports,
  isElement,
  textOf
} from "./chunk-REEM7JGU.js";
import {
  flatMap,
  left,
  right,
  try_
} from "./chunk-FWQRLSGQ.js";
import {
  __commonJS,
  __toESM
} from "./chunk-E2DHRGUQ.js";

// node_modules/boolbase/index.js
var require_boolbase = __commonJS({
  "node_modules/boolbase/index.js"(exports, module) {
    module.exports = {
      trueFunc: function() {
        return !0;
      },
      falseFunc: function() {
        return !1;
      }
    };
  }
});

// node_modules/css-what/lib/commonjs/types.js
var require_types = __commonJS({
  "node_modules/css-what/lib/commonjs/types.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.AttributeAction = exports.IgnoreCaseMode = exports.SelectorType = void 0;
    var SelectorType5;
    (function(SelectorType6) {
      SelectorType6.Attribute = "attribute", SelectorType6.Pseudo = "pseudo", SelectorType6.PseudoElement = "pseudo-element", SelectorType6.Tag = "tag", SelectorType6.Universal = "universal", SelectorType6.Adjacent = "adjacent", SelectorType6.Child = "child", SelectorType6.Descendant = "descendant", SelectorType6.Parent = "parent", SelectorType6.Sibling = "sibling", SelectorType6.ColumnCombinator = "column-combinator";
    })(SelectorType5 = exports.SelectorType || (exports.SelectorType = {}));
    exports.IgnoreCaseMode = {
      Unknown: null,
      QuirksMode: "quirks",
      IgnoreCase: !0,
      CaseSensitive: !1
    };
    var AttributeAction2;
    (function(AttributeAction3) {
      AttributeAction3.Any = "any", AttributeAction3.Element = "element", AttributeAction3.End = "end", AttributeAction3.Equals = "equals", AttributeAction3.Exists = "exists", AttributeAction3.Hyphen = "hyphen", AttributeAction3.Not = "not", AttributeAction3.Start = "start";
    })(AttributeAction2 = exports.AttributeAction || (exports.AttributeAction = {}));
  }
});

// node_modules/css-what/lib/commonjs/parse.js
var require_parse = __commonJS({
  "node_modules/css-what/lib/commonjs/parse.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.parse = exports.isTraversal = void 0;
    var types_1 = require_types(), reName = /^[^\\#]?(?:\\(?:[\da-f]{1,6}\s?|.)|[\w\-\u00b0-\uFFFF])+/, reEscape = /\\([\da-f]{1,6}\s?|(\s)|.)/gi, actionTypes = /* @__PURE__ */ new Map([
      [126, types_1.AttributeAction.Element],
      [94, types_1.AttributeAction.Start],
      [36, types_1.AttributeAction.End],
      [42, types_1.AttributeAction.Any],
      [33, types_1.AttributeAction.Not],
      [124, types_1.AttributeAction.Hyphen]
    ]), unpackPseudos = /* @__PURE__ */ new Set([
      "has",
      "not",
      "matches",
      "is",
      "where",
      "host",
      "host-context"
    ]);
    function isTraversal2(selector) {
      switch (selector.type) {
        case types_1.SelectorType.Adjacent:
        case types_1.SelectorType.Child:
        case types_1.SelectorType.Descendant:
        case types_1.SelectorType.Parent:
        case types_1.SelectorType.Sibling:
        case types_1.SelectorType.ColumnCombinator:
          return !0;
        default:
          return !1;
      }
    }
    exports.isTraversal = isTraversal2;
    var stripQuotesFromPseudos = /* @__PURE__ */ new Set(["contains", "icontains"]);
    function funescape(_, escaped, escapedWhitespace) {
      var high = parseInt(escaped, 16) - 65536;
      return high !== high || escapedWhitespace ? escaped : high < 0 ? (
        // BMP codepoint
        String.fromCharCode(high + 65536)
      ) : (
        // Supplemental Plane codepoint (surrogate pair)
        String.fromCharCode(high >> 10 | 55296, high & 1023 | 56320)
      );
    }
    function unescapeCSS(str) {
      return str.replace(reEscape, funescape);
    }
    function isQuote(c) {
      return c === 39 || c === 34;
    }
    function isWhitespace(c) {
      return c === 32 || c === 9 || c === 10 || c === 12 || c === 13;
    }
    function parse5(selector) {
      var subselects2 = [], endIndex = parseSelector2(subselects2, "".concat(selector), 0);
      if (endIndex < selector.length)
        throw new Error("Unmatched selector: ".concat(selector.slice(endIndex)));
      return subselects2;
    }
    exports.parse = parse5;
    function parseSelector2(subselects2, selector, selectorIndex) {
      var tokens = [];
      function getName(offset) {
        var match = selector.slice(selectorIndex + offset).match(reName);
        if (!match)
          throw new Error("Expected name, found ".concat(selector.slice(selectorIndex)));
        var name = match[0];
        return selectorIndex += offset + name.length, unescapeCSS(name);
      }
      function stripWhitespace(offset) {
        for (selectorIndex += offset; selectorIndex < selector.length && isWhitespace(selector.charCodeAt(selectorIndex)); )
          selectorIndex++;
      }
      function readValueWithParenthesis() {
        selectorIndex += 1;
        for (var start = selectorIndex, counter = 1; counter > 0 && selectorIndex < selector.length; selectorIndex++)
          selector.charCodeAt(selectorIndex) === 40 && !isEscaped(selectorIndex) ? counter++ : selector.charCodeAt(selectorIndex) === 41 && !isEscaped(selectorIndex) && counter--;
        if (counter)
          throw new Error("Parenthesis not matched");
        return unescapeCSS(selector.slice(start, selectorIndex - 1));
      }
      function isEscaped(pos) {
        for (var slashCount = 0; selector.charCodeAt(--pos) === 92; )
          slashCount++;
        return (slashCount & 1) === 1;
      }
      function ensureNotTraversal() {
        if (tokens.length > 0 && isTraversal2(tokens[tokens.length - 1]))
          throw new Error("Did not expect successive traversals.");
      }
      function addTraversal(type) {
        if (tokens.length > 0 && tokens[tokens.length - 1].type === types_1.SelectorType.Descendant) {
          tokens[tokens.length - 1].type = type;
          return;
        }
        ensureNotTraversal(), tokens.push({ type });
      }
      function addSpecialAttribute(name, action2) {
        tokens.push({
          type: types_1.SelectorType.Attribute,
          name,
          action: action2,
          value: getName(1),
          namespace: null,
          ignoreCase: "quirks"
        });
      }
      function finalizeSubselector() {
        if (tokens.length && tokens[tokens.length - 1].type === types_1.SelectorType.Descendant && tokens.pop(), tokens.length === 0)
          throw new Error("Empty sub-selector");
        subselects2.push(tokens);
      }
      if (stripWhitespace(0), selector.length === selectorIndex)
        return selectorIndex;
      loop: for (; selectorIndex < selector.length; ) {
        var firstChar = selector.charCodeAt(selectorIndex);
        switch (firstChar) {
          // Whitespace
          case 32:
          case 9:
          case 10:
          case 12:
          case 13: {
            (tokens.length === 0 || tokens[0].type !== types_1.SelectorType.Descendant) && (ensureNotTraversal(), tokens.push({ type: types_1.SelectorType.Descendant })), stripWhitespace(1);
            break;
          }
          // Traversals
          case 62: {
            addTraversal(types_1.SelectorType.Child), stripWhitespace(1);
            break;
          }
          case 60: {
            addTraversal(types_1.SelectorType.Parent), stripWhitespace(1);
            break;
          }
          case 126: {
            addTraversal(types_1.SelectorType.Sibling), stripWhitespace(1);
            break;
          }
          case 43: {
            addTraversal(types_1.SelectorType.Adjacent), stripWhitespace(1);
            break;
          }
          // Special attribute selectors: .class, #id
          case 46: {
            addSpecialAttribute("class", types_1.AttributeAction.Element);
            break;
          }
          case 35: {
            addSpecialAttribute("id", types_1.AttributeAction.Equals);
            break;
          }
          case 91: {
            stripWhitespace(1);
            var name_1 = void 0, namespace = null;
            selector.charCodeAt(selectorIndex) === 124 ? name_1 = getName(1) : selector.startsWith("*|", selectorIndex) ? (namespace = "*", name_1 = getName(2)) : (name_1 = getName(0), selector.charCodeAt(selectorIndex) === 124 && selector.charCodeAt(selectorIndex + 1) !== 61 && (namespace = name_1, name_1 = getName(1))), stripWhitespace(0);
            var action = types_1.AttributeAction.Exists, possibleAction = actionTypes.get(selector.charCodeAt(selectorIndex));
            if (possibleAction) {
              if (action = possibleAction, selector.charCodeAt(selectorIndex + 1) !== 61)
                throw new Error("Expected `=`");
              stripWhitespace(2);
            } else selector.charCodeAt(selectorIndex) === 61 && (action = types_1.AttributeAction.Equals, stripWhitespace(1));
            var value = "", ignoreCase = null;
            if (action !== "exists") {
              if (isQuote(selector.charCodeAt(selectorIndex))) {
                for (var quote = selector.charCodeAt(selectorIndex), sectionEnd = selectorIndex + 1; sectionEnd < selector.length && (selector.charCodeAt(sectionEnd) !== quote || isEscaped(sectionEnd)); )
                  sectionEnd += 1;
                if (selector.charCodeAt(sectionEnd) !== quote)
                  throw new Error("Attribute value didn't end");
                value = unescapeCSS(selector.slice(selectorIndex + 1, sectionEnd)), selectorIndex = sectionEnd + 1;
              } else {
                for (var valueStart = selectorIndex; selectorIndex < selector.length && (!isWhitespace(selector.charCodeAt(selectorIndex)) && selector.charCodeAt(selectorIndex) !== 93 || isEscaped(selectorIndex)); )
                  selectorIndex += 1;
                value = unescapeCSS(selector.slice(valueStart, selectorIndex));
              }
              stripWhitespace(0);
              var forceIgnore = selector.charCodeAt(selectorIndex) | 32;
              forceIgnore === 115 ? (ignoreCase = !1, stripWhitespace(1)) : forceIgnore === 105 && (ignoreCase = !0, stripWhitespace(1));
            }
            if (selector.charCodeAt(selectorIndex) !== 93)
              throw new Error("Attribute selector didn't terminate");
            selectorIndex += 1;
            var attributeSelector = {
              type: types_1.SelectorType.Attribute,
              name: name_1,
              action,
              value,
              namespace,
              ignoreCase
            };
            tokens.push(attributeSelector);
            break;
          }
          case 58: {
            if (selector.charCodeAt(selectorIndex + 1) === 58) {
              tokens.push({
                type: types_1.SelectorType.PseudoElement,
                name: getName(2).toLowerCase(),
                data: selector.charCodeAt(selectorIndex) === 40 ? readValueWithParenthesis() : null
              });
              continue;
            }
            var name_2 = getName(1).toLowerCase(), data = null;
            if (selector.charCodeAt(selectorIndex) === 40)
              if (unpackPseudos.has(name_2)) {
                if (isQuote(selector.charCodeAt(selectorIndex + 1)))
                  throw new Error("Pseudo-selector ".concat(name_2, " cannot be quoted"));
                if (data = [], selectorIndex = parseSelector2(data, selector, selectorIndex + 1), selector.charCodeAt(selectorIndex) !== 41)
                  throw new Error("Missing closing parenthesis in :".concat(name_2, " (").concat(selector, ")"));
                selectorIndex += 1;
              } else {
                if (data = readValueWithParenthesis(), stripQuotesFromPseudos.has(name_2)) {
                  var quot = data.charCodeAt(0);
                  quot === data.charCodeAt(data.length - 1) && isQuote(quot) && (data = data.slice(1, -1));
                }
                data = unescapeCSS(data);
              }
            tokens.push({ type: types_1.SelectorType.Pseudo, name: name_2, data });
            break;
          }
          case 44: {
            finalizeSubselector(), tokens = [], stripWhitespace(1);
            break;
          }
          default: {
            if (selector.startsWith("/*", selectorIndex)) {
              var endIndex = selector.indexOf("*/", selectorIndex + 2);
              if (endIndex < 0)
                throw new Error("Comment was not terminated");
              selectorIndex = endIndex + 2, tokens.length === 0 && stripWhitespace(0);
              break;
            }
            var namespace = null, name_3 = void 0;
            if (firstChar === 42)
              selectorIndex += 1, name_3 = "*";
            else if (firstChar === 124) {
              if (name_3 = "", selector.charCodeAt(selectorIndex + 1) === 124) {
                addTraversal(types_1.SelectorType.ColumnCombinator), stripWhitespace(2);
                break;
              }
            } else if (reName.test(selector.slice(selectorIndex)))
              name_3 = getName(0);
            else
              break loop;
            selector.charCodeAt(selectorIndex) === 124 && selector.charCodeAt(selectorIndex + 1) !== 124 && (namespace = name_3, selector.charCodeAt(selectorIndex + 1) === 42 ? (name_3 = "*", selectorIndex += 2) : name_3 = getName(1)), tokens.push(name_3 === "*" ? { type: types_1.SelectorType.Universal, namespace } : { type: types_1.SelectorType.Tag, name: name_3, namespace });
          }
        }
      }
      return finalizeSubselector(), selectorIndex;
    }
  }
});

// node_modules/css-what/lib/commonjs/stringify.js
var require_stringify = __commonJS({
  "node_modules/css-what/lib/commonjs/stringify.js"(exports) {
    "use strict";
    var __spreadArray = exports && exports.__spreadArray || function(to, from, pack) {
      if (pack || arguments.length === 2) for (var i = 0, l = from.length, ar; i < l; i++)
        (ar || !(i in from)) && (ar || (ar = Array.prototype.slice.call(from, 0, i)), ar[i] = from[i]);
      return to.concat(ar || Array.prototype.slice.call(from));
    };
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.stringify = void 0;
    var types_1 = require_types(), attribValChars = ["\\", '"'], pseudoValChars = __spreadArray(__spreadArray([], attribValChars, !0), ["(", ")"], !1), charsToEscapeInAttributeValue = new Set(attribValChars.map(function(c) {
      return c.charCodeAt(0);
    })), charsToEscapeInPseudoValue = new Set(pseudoValChars.map(function(c) {
      return c.charCodeAt(0);
    })), charsToEscapeInName = new Set(__spreadArray(__spreadArray([], pseudoValChars, !0), [
      "~",
      "^",
      "$",
      "*",
      "+",
      "!",
      "|",
      ":",
      "[",
      "]",
      " ",
      "."
    ], !1).map(function(c) {
      return c.charCodeAt(0);
    }));
    function stringify(selector) {
      return selector.map(function(token) {
        return token.map(stringifyToken).join("");
      }).join(", ");
    }
    exports.stringify = stringify;
    function stringifyToken(token, index, arr) {
      switch (token.type) {
        // Simple types
        case types_1.SelectorType.Child:
          return index === 0 ? "> " : " > ";
        case types_1.SelectorType.Parent:
          return index === 0 ? "< " : " < ";
        case types_1.SelectorType.Sibling:
          return index === 0 ? "~ " : " ~ ";
        case types_1.SelectorType.Adjacent:
          return index === 0 ? "+ " : " + ";
        case types_1.SelectorType.Descendant:
          return " ";
        case types_1.SelectorType.ColumnCombinator:
          return index === 0 ? "|| " : " || ";
        case types_1.SelectorType.Universal:
          return token.namespace === "*" && index + 1 < arr.length && "name" in arr[index + 1] ? "" : "".concat(getNamespace(token.namespace), "*");
        case types_1.SelectorType.Tag:
          return getNamespacedName(token);
        case types_1.SelectorType.PseudoElement:
          return "::".concat(escapeName(token.name, charsToEscapeInName)).concat(token.data === null ? "" : "(".concat(escapeName(token.data, charsToEscapeInPseudoValue), ")"));
        case types_1.SelectorType.Pseudo:
          return ":".concat(escapeName(token.name, charsToEscapeInName)).concat(token.data === null ? "" : "(".concat(typeof token.data == "string" ? escapeName(token.data, charsToEscapeInPseudoValue) : stringify(token.data), ")"));
        case types_1.SelectorType.Attribute: {
          if (token.name === "id" && token.action === types_1.AttributeAction.Equals && token.ignoreCase === "quirks" && !token.namespace)
            return "#".concat(escapeName(token.value, charsToEscapeInName));
          if (token.name === "class" && token.action === types_1.AttributeAction.Element && token.ignoreCase === "quirks" && !token.namespace)
            return ".".concat(escapeName(token.value, charsToEscapeInName));
          var name_1 = getNamespacedName(token);
          return token.action === types_1.AttributeAction.Exists ? "[".concat(name_1, "]") : "[".concat(name_1).concat(getActionValue(token.action), '="').concat(escapeName(token.value, charsToEscapeInAttributeValue), '"').concat(token.ignoreCase === null ? "" : token.ignoreCase ? " i" : " s", "]");
        }
      }
    }
    function getActionValue(action) {
      switch (action) {
        case types_1.AttributeAction.Equals:
          return "";
        case types_1.AttributeAction.Element:
          return "~";
        case types_1.AttributeAction.Start:
          return "^";
        case types_1.AttributeAction.End:
          return "$";
        case types_1.AttributeAction.Any:
          return "*";
        case types_1.AttributeAction.Not:
          return "!";
        case types_1.AttributeAction.Hyphen:
          return "|";
        case types_1.AttributeAction.Exists:
          throw new Error("Shouldn't be here");
      }
    }
    function getNamespacedName(token) {
      return "".concat(getNamespace(token.namespace)).concat(escapeName(token.name, charsToEscapeInName));
    }
    function getNamespace(namespace) {
      return namespace !== null ? "".concat(namespace === "*" ? "*" : escapeName(namespace, charsToEscapeInName), "|") : "";
    }
    function escapeName(str, charsToEscape) {
      for (var lastIdx = 0, ret = "", i = 0; i < str.length; i++)
        charsToEscape.has(str.charCodeAt(i)) && (ret += "".concat(str.slice(lastIdx, i), "\\").concat(str.charAt(i)), lastIdx = i + 1);
      return ret.length > 0 ? ret + str.slice(lastIdx) : str;
    }
  }
});

// node_modules/css-what/lib/commonjs/index.js
var require_commonjs = __commonJS({
  "node_modules/css-what/lib/commonjs/index.js"(exports) {
    "use strict";
    var __createBinding = exports && exports.__createBinding || (Object.create ? (function(o, m, k, k2) {
      k2 === void 0 && (k2 = k);
      var desc = Object.getOwnPropertyDescriptor(m, k);
      (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) && (desc = { enumerable: !0, get: function() {
        return m[k];
      } }), Object.defineProperty(o, k2, desc);
    }) : (function(o, m, k, k2) {
      k2 === void 0 && (k2 = k), o[k2] = m[k];
    })), __exportStar = exports && exports.__exportStar || function(m, exports2) {
      for (var p in m) p !== "default" && !Object.prototype.hasOwnProperty.call(exports2, p) && __createBinding(exports2, m, p);
    };
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.stringify = exports.parse = exports.isTraversal = void 0;
    __exportStar(require_types(), exports);
    var parse_1 = require_parse();
    Object.defineProperty(exports, "isTraversal", { enumerable: !0, get: function() {
      return parse_1.isTraversal;
    } });
    Object.defineProperty(exports, "parse", { enumerable: !0, get: function() {
      return parse_1.parse;
    } });
    var stringify_1 = require_stringify();
    Object.defineProperty(exports, "stringify", { enumerable: !0, get: function() {
      return stringify_1.stringify;
    } });
  }
});

// node_modules/css-select/lib/esm/index.js
var import_boolbase6 = __toESM(require_boolbase(), 1);

// node_modules/css-select/lib/esm/compile.js
var import_css_what4 = __toESM(require_commonjs(), 1), import_boolbase5 = __toESM(require_boolbase(), 1);

// node_modules/css-select/lib/esm/sort.js
var import_css_what = __toESM(require_commonjs(), 1), procedure = /* @__PURE__ */ new Map([
  [import_css_what.SelectorType.Universal, 50],
  [import_css_what.SelectorType.Tag, 30],
  [import_css_what.SelectorType.Attribute, 1],
  [import_css_what.SelectorType.Pseudo, 0]
]);
function isTraversal(token) {
  return !procedure.has(token.type);
}
var attributes = /* @__PURE__ */ new Map([
  [import_css_what.AttributeAction.Exists, 10],
  [import_css_what.AttributeAction.Equals, 8],
  [import_css_what.AttributeAction.Not, 7],
  [import_css_what.AttributeAction.Start, 6],
  [import_css_what.AttributeAction.End, 6],
  [import_css_what.AttributeAction.Any, 5]
]);
function sortByProcedure(arr) {
  let procs = arr.map(getProcedure);
  for (let i = 1; i < arr.length; i++) {
    let procNew = procs[i];
    if (!(procNew < 0))
      for (let j = i - 1; j >= 0 && procNew < procs[j]; j--) {
        let token = arr[j + 1];
        arr[j + 1] = arr[j], arr[j] = token, procs[j + 1] = procs[j], procs[j] = procNew;
      }
  }
}
function getProcedure(token) {
  var _a, _b;
  let proc = (_a = procedure.get(token.type)) !== null && _a !== void 0 ? _a : -1;
  return token.type === import_css_what.SelectorType.Attribute ? (proc = (_b = attributes.get(token.action)) !== null && _b !== void 0 ? _b : 4, token.action === import_css_what.AttributeAction.Equals && token.name === "id" && (proc = 9), token.ignoreCase && (proc >>= 1)) : token.type === import_css_what.SelectorType.Pseudo && (token.data ? token.name === "has" || token.name === "contains" ? proc = 0 : Array.isArray(token.data) ? (proc = Math.min(...token.data.map((d) => Math.min(...d.map(getProcedure)))), proc < 0 && (proc = 0)) : proc = 2 : proc = 3), proc;
}

// node_modules/css-select/lib/esm/attributes.js
var import_boolbase = __toESM(require_boolbase(), 1), reChars = /[-[\]{}()*+?.,\\^$|#\s]/g;
function escapeRegex(value) {
  return value.replace(reChars, "\\$&");
}
var caseInsensitiveAttributes = /* @__PURE__ */ new Set([
  "accept",
  "accept-charset",
  "align",
  "alink",
  "axis",
  "bgcolor",
  "charset",
  "checked",
  "clear",
  "codetype",
  "color",
  "compact",
  "declare",
  "defer",
  "dir",
  "direction",
  "disabled",
  "enctype",
  "face",
  "frame",
  "hreflang",
  "http-equiv",
  "lang",
  "language",
  "link",
  "media",
  "method",
  "multiple",
  "nohref",
  "noresize",
  "noshade",
  "nowrap",
  "readonly",
  "rel",
  "rev",
  "rules",
  "scope",
  "scrolling",
  "selected",
  "shape",
  "target",
  "text",
  "type",
  "valign",
  "valuetype",
  "vlink"
]);
function shouldIgnoreCase(selector, options) {
  return typeof selector.ignoreCase == "boolean" ? selector.ignoreCase : selector.ignoreCase === "quirks" ? !!options.quirksMode : !options.xmlMode && caseInsensitiveAttributes.has(selector.name);
}
var attributeRules = {
  equals(next, data, options) {
    let { adapter: adapter2 } = options, { name } = data, { value } = data;
    return shouldIgnoreCase(data, options) ? (value = value.toLowerCase(), (elem) => {
      let attr = adapter2.getAttributeValue(elem, name);
      return attr != null && attr.length === value.length && attr.toLowerCase() === value && next(elem);
    }) : (elem) => adapter2.getAttributeValue(elem, name) === value && next(elem);
  },
  hyphen(next, data, options) {
    let { adapter: adapter2 } = options, { name } = data, { value } = data, len = value.length;
    return shouldIgnoreCase(data, options) ? (value = value.toLowerCase(), function(elem) {
      let attr = adapter2.getAttributeValue(elem, name);
      return attr != null && (attr.length === len || attr.charAt(len) === "-") && attr.substr(0, len).toLowerCase() === value && next(elem);
    }) : function(elem) {
      let attr = adapter2.getAttributeValue(elem, name);
      return attr != null && (attr.length === len || attr.charAt(len) === "-") && attr.substr(0, len) === value && next(elem);
    };
  },
  element(next, data, options) {
    let { adapter: adapter2 } = options, { name, value } = data;
    if (/\s/.test(value))
      return import_boolbase.default.falseFunc;
    let regex = new RegExp(`(?:^|\\s)${escapeRegex(value)}(?:$|\\s)`, shouldIgnoreCase(data, options) ? "i" : "");
    return function(elem) {
      let attr = adapter2.getAttributeValue(elem, name);
      return attr != null && attr.length >= value.length && regex.test(attr) && next(elem);
    };
  },
  exists(next, { name }, { adapter: adapter2 }) {
    return (elem) => adapter2.hasAttrib(elem, name) && next(elem);
  },
  start(next, data, options) {
    let { adapter: adapter2 } = options, { name } = data, { value } = data, len = value.length;
    return len === 0 ? import_boolbase.default.falseFunc : shouldIgnoreCase(data, options) ? (value = value.toLowerCase(), (elem) => {
      let attr = adapter2.getAttributeValue(elem, name);
      return attr != null && attr.length >= len && attr.substr(0, len).toLowerCase() === value && next(elem);
    }) : (elem) => {
      var _a;
      return !!(!((_a = adapter2.getAttributeValue(elem, name)) === null || _a === void 0) && _a.startsWith(value)) && next(elem);
    };
  },
  end(next, data, options) {
    let { adapter: adapter2 } = options, { name } = data, { value } = data, len = -value.length;
    return len === 0 ? import_boolbase.default.falseFunc : shouldIgnoreCase(data, options) ? (value = value.toLowerCase(), (elem) => {
      var _a;
      return ((_a = adapter2.getAttributeValue(elem, name)) === null || _a === void 0 ? void 0 : _a.substr(len).toLowerCase()) === value && next(elem);
    }) : (elem) => {
      var _a;
      return !!(!((_a = adapter2.getAttributeValue(elem, name)) === null || _a === void 0) && _a.endsWith(value)) && next(elem);
    };
  },
  any(next, data, options) {
    let { adapter: adapter2 } = options, { name, value } = data;
    if (value === "")
      return import_boolbase.default.falseFunc;
    if (shouldIgnoreCase(data, options)) {
      let regex = new RegExp(escapeRegex(value), "i");
      return function(elem) {
        let attr = adapter2.getAttributeValue(elem, name);
        return attr != null && attr.length >= value.length && regex.test(attr) && next(elem);
      };
    }
    return (elem) => {
      var _a;
      return !!(!((_a = adapter2.getAttributeValue(elem, name)) === null || _a === void 0) && _a.includes(value)) && next(elem);
    };
  },
  not(next, data, options) {
    let { adapter: adapter2 } = options, { name } = data, { value } = data;
    return value === "" ? (elem) => !!adapter2.getAttributeValue(elem, name) && next(elem) : shouldIgnoreCase(data, options) ? (value = value.toLowerCase(), (elem) => {
      let attr = adapter2.getAttributeValue(elem, name);
      return (attr == null || attr.length !== value.length || attr.toLowerCase() !== value) && next(elem);
    }) : (elem) => adapter2.getAttributeValue(elem, name) !== value && next(elem);
  }
};

// node_modules/css-select/lib/esm/pseudo-selectors/index.js
var import_css_what2 = __toESM(require_commonjs(), 1);

// node_modules/nth-check/lib/esm/parse.js
var whitespace = /* @__PURE__ */ new Set([9, 10, 12, 13, 32]), ZERO = 48, NINE = 57;
function parse(formula2) {
  if (formula2 = formula2.trim().toLowerCase(), formula2 === "even")
    return [2, 0];
  if (formula2 === "odd")
    return [2, 1];
  let idx = 0, a = 0, sign = readSign(), number = readNumber();
  if (idx < formula2.length && formula2.charAt(idx) === "n" && (idx++, a = sign * (number ?? 1), skipWhitespace(), idx < formula2.length ? (sign = readSign(), skipWhitespace(), number = readNumber()) : sign = number = 0), number === null || idx < formula2.length)
    throw new Error(`n-th rule couldn't be parsed ('${formula2}')`);
  return [a, sign * number];
  function readSign() {
    return formula2.charAt(idx) === "-" ? (idx++, -1) : (formula2.charAt(idx) === "+" && idx++, 1);
  }
  function readNumber() {
    let start = idx, value = 0;
    for (; idx < formula2.length && formula2.charCodeAt(idx) >= ZERO && formula2.charCodeAt(idx) <= NINE; )
      value = value * 10 + (formula2.charCodeAt(idx) - ZERO), idx++;
    return idx === start ? null : value;
  }
  function skipWhitespace() {
    for (; idx < formula2.length && whitespace.has(formula2.charCodeAt(idx)); )
      idx++;
  }
}

// node_modules/nth-check/lib/esm/compile.js
var import_boolbase2 = __toESM(require_boolbase(), 1);
function compile(parsed) {
  let a = parsed[0], b = parsed[1] - 1;
  if (b < 0 && a <= 0)
    return import_boolbase2.default.falseFunc;
  if (a === -1)
    return (index) => index <= b;
  if (a === 0)
    return (index) => index === b;
  if (a === 1)
    return b < 0 ? import_boolbase2.default.trueFunc : (index) => index >= b;
  let absA = Math.abs(a), bMod = (b % absA + absA) % absA;
  return a > 1 ? (index) => index >= b && index % absA === bMod : (index) => index <= b && index % absA === bMod;
}

// node_modules/nth-check/lib/esm/index.js
function nthCheck(formula2) {
  return compile(parse(formula2));
}

// node_modules/css-select/lib/esm/pseudo-selectors/filters.js
var import_boolbase3 = __toESM(require_boolbase(), 1);
function getChildFunc(next, adapter2) {
  return (elem) => {
    let parent = adapter2.getParent(elem);
    return parent != null && adapter2.isTag(parent) && next(elem);
  };
}
var filters = {
  contains(next, text, { adapter: adapter2 }) {
    return function(elem) {
      return next(elem) && adapter2.getText(elem).includes(text);
    };
  },
  icontains(next, text, { adapter: adapter2 }) {
    let itext = text.toLowerCase();
    return function(elem) {
      return next(elem) && adapter2.getText(elem).toLowerCase().includes(itext);
    };
  },
  // Location specific methods
  "nth-child"(next, rule, { adapter: adapter2, equals }) {
    let func = nthCheck(rule);
    return func === import_boolbase3.default.falseFunc ? import_boolbase3.default.falseFunc : func === import_boolbase3.default.trueFunc ? getChildFunc(next, adapter2) : function(elem) {
      let siblings = adapter2.getSiblings(elem), pos = 0;
      for (let i = 0; i < siblings.length && !equals(elem, siblings[i]); i++)
        adapter2.isTag(siblings[i]) && pos++;
      return func(pos) && next(elem);
    };
  },
  "nth-last-child"(next, rule, { adapter: adapter2, equals }) {
    let func = nthCheck(rule);
    return func === import_boolbase3.default.falseFunc ? import_boolbase3.default.falseFunc : func === import_boolbase3.default.trueFunc ? getChildFunc(next, adapter2) : function(elem) {
      let siblings = adapter2.getSiblings(elem), pos = 0;
      for (let i = siblings.length - 1; i >= 0 && !equals(elem, siblings[i]); i--)
        adapter2.isTag(siblings[i]) && pos++;
      return func(pos) && next(elem);
    };
  },
  "nth-of-type"(next, rule, { adapter: adapter2, equals }) {
    let func = nthCheck(rule);
    return func === import_boolbase3.default.falseFunc ? import_boolbase3.default.falseFunc : func === import_boolbase3.default.trueFunc ? getChildFunc(next, adapter2) : function(elem) {
      let siblings = adapter2.getSiblings(elem), pos = 0;
      for (let i = 0; i < siblings.length; i++) {
        let currentSibling = siblings[i];
        if (equals(elem, currentSibling))
          break;
        adapter2.isTag(currentSibling) && adapter2.getName(currentSibling) === adapter2.getName(elem) && pos++;
      }
      return func(pos) && next(elem);
    };
  },
  "nth-last-of-type"(next, rule, { adapter: adapter2, equals }) {
    let func = nthCheck(rule);
    return func === import_boolbase3.default.falseFunc ? import_boolbase3.default.falseFunc : func === import_boolbase3.default.trueFunc ? getChildFunc(next, adapter2) : function(elem) {
      let siblings = adapter2.getSiblings(elem), pos = 0;
      for (let i = siblings.length - 1; i >= 0; i--) {
        let currentSibling = siblings[i];
        if (equals(elem, currentSibling))
          break;
        adapter2.isTag(currentSibling) && adapter2.getName(currentSibling) === adapter2.getName(elem) && pos++;
      }
      return func(pos) && next(elem);
    };
  },
  // TODO determine the actual root element
  root(next, _rule, { adapter: adapter2 }) {
    return (elem) => {
      let parent = adapter2.getParent(elem);
      return (parent == null || !adapter2.isTag(parent)) && next(elem);
    };
  },
  scope(next, rule, options, context) {
    let { equals } = options;
    return !context || context.length === 0 ? filters.root(next, rule, options) : context.length === 1 ? (elem) => equals(context[0], elem) && next(elem) : (elem) => context.includes(elem) && next(elem);
  },
  hover: dynamicStatePseudo("isHovered"),
  visited: dynamicStatePseudo("isVisited"),
  active: dynamicStatePseudo("isActive")
};
function dynamicStatePseudo(name) {
  return function(next, _rule, { adapter: adapter2 }) {
    let func = adapter2[name];
    return typeof func != "function" ? import_boolbase3.default.falseFunc : function(elem) {
      return func(elem) && next(elem);
    };
  };
}

// node_modules/css-select/lib/esm/pseudo-selectors/pseudos.js
var pseudos = {
  empty(elem, { adapter: adapter2 }) {
    return !adapter2.getChildren(elem).some((elem2) => (
      // FIXME: `getText` call is potentially expensive.
      adapter2.isTag(elem2) || adapter2.getText(elem2) !== ""
    ));
  },
  "first-child"(elem, { adapter: adapter2, equals }) {
    if (adapter2.prevElementSibling)
      return adapter2.prevElementSibling(elem) == null;
    let firstChild = adapter2.getSiblings(elem).find((elem2) => adapter2.isTag(elem2));
    return firstChild != null && equals(elem, firstChild);
  },
  "last-child"(elem, { adapter: adapter2, equals }) {
    let siblings = adapter2.getSiblings(elem);
    for (let i = siblings.length - 1; i >= 0; i--) {
      if (equals(elem, siblings[i]))
        return !0;
      if (adapter2.isTag(siblings[i]))
        break;
    }
    return !1;
  },
  "first-of-type"(elem, { adapter: adapter2, equals }) {
    let siblings = adapter2.getSiblings(elem), elemName = adapter2.getName(elem);
    for (let i = 0; i < siblings.length; i++) {
      let currentSibling = siblings[i];
      if (equals(elem, currentSibling))
        return !0;
      if (adapter2.isTag(currentSibling) && adapter2.getName(currentSibling) === elemName)
        break;
    }
    return !1;
  },
  "last-of-type"(elem, { adapter: adapter2, equals }) {
    let siblings = adapter2.getSiblings(elem), elemName = adapter2.getName(elem);
    for (let i = siblings.length - 1; i >= 0; i--) {
      let currentSibling = siblings[i];
      if (equals(elem, currentSibling))
        return !0;
      if (adapter2.isTag(currentSibling) && adapter2.getName(currentSibling) === elemName)
        break;
    }
    return !1;
  },
  "only-of-type"(elem, { adapter: adapter2, equals }) {
    let elemName = adapter2.getName(elem);
    return adapter2.getSiblings(elem).every((sibling) => equals(elem, sibling) || !adapter2.isTag(sibling) || adapter2.getName(sibling) !== elemName);
  },
  "only-child"(elem, { adapter: adapter2, equals }) {
    return adapter2.getSiblings(elem).every((sibling) => equals(elem, sibling) || !adapter2.isTag(sibling));
  }
};
function verifyPseudoArgs(func, name, subselect, argIndex) {
  if (subselect === null) {
    if (func.length > argIndex)
      throw new Error(`Pseudo-class :${name} requires an argument`);
  } else if (func.length === argIndex)
    throw new Error(`Pseudo-class :${name} doesn't have any arguments`);
}

// node_modules/css-select/lib/esm/pseudo-selectors/aliases.js
var aliases = {
  // Links
  "any-link": ":is(a, area, link)[href]",
  link: ":any-link:not(:visited)",
  // Forms
  // https://html.spec.whatwg.org/multipage/scripting.html#disabled-elements
  disabled: `:is(
        :is(button, input, select, textarea, optgroup, option)[disabled],
        optgroup[disabled] > option,
        fieldset[disabled]:not(fieldset[disabled] legend:first-of-type *)
    )`,
  enabled: ":not(:disabled)",
  checked: ":is(:is(input[type=radio], input[type=checkbox])[checked], option:selected)",
  required: ":is(input, select, textarea)[required]",
  optional: ":is(input, select, textarea):not([required])",
  // JQuery extensions
  // https://html.spec.whatwg.org/multipage/form-elements.html#concept-option-selectedness
  selected: "option:is([selected], select:not([multiple]):not(:has(> option[selected])) > :first-of-type)",
  checkbox: "[type=checkbox]",
  file: "[type=file]",
  password: "[type=password]",
  radio: "[type=radio]",
  reset: "[type=reset]",
  image: "[type=image]",
  submit: "[type=submit]",
  parent: ":not(:empty)",
  header: ":is(h1, h2, h3, h4, h5, h6)",
  button: ":is(button, input[type=button])",
  input: ":is(input, textarea, select, button)",
  text: "input:is(:not([type!='']), [type=text])"
};

// node_modules/css-select/lib/esm/pseudo-selectors/subselects.js
var import_boolbase4 = __toESM(require_boolbase(), 1);
var PLACEHOLDER_ELEMENT = {};
function ensureIsTag(next, adapter2) {
  return next === import_boolbase4.default.falseFunc ? import_boolbase4.default.falseFunc : (elem) => adapter2.isTag(elem) && next(elem);
}
function getNextSiblings(elem, adapter2) {
  let siblings = adapter2.getSiblings(elem);
  if (siblings.length <= 1)
    return [];
  let elemIndex = siblings.indexOf(elem);
  return elemIndex < 0 || elemIndex === siblings.length - 1 ? [] : siblings.slice(elemIndex + 1).filter(adapter2.isTag);
}
function copyOptions(options) {
  return {
    xmlMode: !!options.xmlMode,
    lowerCaseAttributeNames: !!options.lowerCaseAttributeNames,
    lowerCaseTags: !!options.lowerCaseTags,
    quirksMode: !!options.quirksMode,
    cacheResults: !!options.cacheResults,
    pseudos: options.pseudos,
    adapter: options.adapter,
    equals: options.equals
  };
}
var is = (next, token, options, context, compileToken2) => {
  let func = compileToken2(token, copyOptions(options), context);
  return func === import_boolbase4.default.trueFunc ? next : func === import_boolbase4.default.falseFunc ? import_boolbase4.default.falseFunc : (elem) => func(elem) && next(elem);
}, subselects = {
  is,
  /**
   * `:matches` and `:where` are aliases for `:is`.
   */
  matches: is,
  where: is,
  not(next, token, options, context, compileToken2) {
    let func = compileToken2(token, copyOptions(options), context);
    return func === import_boolbase4.default.falseFunc ? next : func === import_boolbase4.default.trueFunc ? import_boolbase4.default.falseFunc : (elem) => !func(elem) && next(elem);
  },
  has(next, subselect, options, _context, compileToken2) {
    let { adapter: adapter2 } = options, opts = copyOptions(options);
    opts.relativeSelector = !0;
    let context = subselect.some((s) => s.some(isTraversal)) ? (
      // Used as a placeholder. Will be replaced with the actual element.
      [PLACEHOLDER_ELEMENT]
    ) : void 0, compiled = compileToken2(subselect, opts, context);
    if (compiled === import_boolbase4.default.falseFunc)
      return import_boolbase4.default.falseFunc;
    let hasElement = ensureIsTag(compiled, adapter2);
    if (context && compiled !== import_boolbase4.default.trueFunc) {
      let { shouldTestNextSiblings = !1 } = compiled;
      return (elem) => {
        if (!next(elem))
          return !1;
        context[0] = elem;
        let childs = adapter2.getChildren(elem), nextElements = shouldTestNextSiblings ? [...childs, ...getNextSiblings(elem, adapter2)] : childs;
        return adapter2.existsOne(hasElement, nextElements);
      };
    }
    return (elem) => next(elem) && adapter2.existsOne(hasElement, adapter2.getChildren(elem));
  }
};

// node_modules/css-select/lib/esm/pseudo-selectors/index.js
function compilePseudoSelector(next, selector, options, context, compileToken2) {
  var _a;
  let { name, data } = selector;
  if (Array.isArray(data)) {
    if (!(name in subselects))
      throw new Error(`Unknown pseudo-class :${name}(${data})`);
    return subselects[name](next, data, options, context, compileToken2);
  }
  let userPseudo = (_a = options.pseudos) === null || _a === void 0 ? void 0 : _a[name], stringPseudo = typeof userPseudo == "string" ? userPseudo : aliases[name];
  if (typeof stringPseudo == "string") {
    if (data != null)
      throw new Error(`Pseudo ${name} doesn't have any arguments`);
    let alias = (0, import_css_what2.parse)(stringPseudo);
    return subselects.is(next, alias, options, context, compileToken2);
  }
  if (typeof userPseudo == "function")
    return verifyPseudoArgs(userPseudo, name, data, 1), (elem) => userPseudo(elem, data) && next(elem);
  if (name in filters)
    return filters[name](next, data, options, context);
  if (name in pseudos) {
    let pseudo = pseudos[name];
    return verifyPseudoArgs(pseudo, name, data, 2), (elem) => pseudo(elem, options, data) && next(elem);
  }
  throw new Error(`Unknown pseudo-class :${name}`);
}

// node_modules/css-select/lib/esm/general.js
var import_css_what3 = __toESM(require_commonjs(), 1);
function getElementParent(node, adapter2) {
  let parent = adapter2.getParent(node);
  return parent && adapter2.isTag(parent) ? parent : null;
}
function compileGeneralSelector(next, selector, options, context, compileToken2) {
  let { adapter: adapter2, equals } = options;
  switch (selector.type) {
    case import_css_what3.SelectorType.PseudoElement:
      throw new Error("Pseudo-elements are not supported by css-select");
    case import_css_what3.SelectorType.ColumnCombinator:
      throw new Error("Column combinators are not yet supported by css-select");
    case import_css_what3.SelectorType.Attribute: {
      if (selector.namespace != null)
        throw new Error("Namespaced attributes are not yet supported by css-select");
      return (!options.xmlMode || options.lowerCaseAttributeNames) && (selector.name = selector.name.toLowerCase()), attributeRules[selector.action](next, selector, options);
    }
    case import_css_what3.SelectorType.Pseudo:
      return compilePseudoSelector(next, selector, options, context, compileToken2);
    // Tags
    case import_css_what3.SelectorType.Tag: {
      if (selector.namespace != null)
        throw new Error("Namespaced tag names are not yet supported by css-select");
      let { name } = selector;
      return (!options.xmlMode || options.lowerCaseTags) && (name = name.toLowerCase()), function(elem) {
        return adapter2.getName(elem) === name && next(elem);
      };
    }
    // Traversal
    case import_css_what3.SelectorType.Descendant: {
      if (options.cacheResults === !1 || typeof WeakSet > "u")
        return function(elem) {
          let current = elem;
          for (; current = getElementParent(current, adapter2); )
            if (next(current))
              return !0;
          return !1;
        };
      let isFalseCache = /* @__PURE__ */ new WeakSet();
      return function(elem) {
        let current = elem;
        for (; current = getElementParent(current, adapter2); )
          if (!isFalseCache.has(current)) {
            if (adapter2.isTag(current) && next(current))
              return !0;
            isFalseCache.add(current);
          }
        return !1;
      };
    }
    case "_flexibleDescendant":
      return function(elem) {
        let current = elem;
        do
          if (next(current))
            return !0;
        while (current = getElementParent(current, adapter2));
        return !1;
      };
    case import_css_what3.SelectorType.Parent:
      return function(elem) {
        return adapter2.getChildren(elem).some((elem2) => adapter2.isTag(elem2) && next(elem2));
      };
    case import_css_what3.SelectorType.Child:
      return function(elem) {
        let parent = adapter2.getParent(elem);
        return parent != null && adapter2.isTag(parent) && next(parent);
      };
    case import_css_what3.SelectorType.Sibling:
      return function(elem) {
        let siblings = adapter2.getSiblings(elem);
        for (let i = 0; i < siblings.length; i++) {
          let currentSibling = siblings[i];
          if (equals(elem, currentSibling))
            break;
          if (adapter2.isTag(currentSibling) && next(currentSibling))
            return !0;
        }
        return !1;
      };
    case import_css_what3.SelectorType.Adjacent:
      return adapter2.prevElementSibling ? function(elem) {
        let previous = adapter2.prevElementSibling(elem);
        return previous != null && next(previous);
      } : function(elem) {
        let siblings = adapter2.getSiblings(elem), lastElement;
        for (let i = 0; i < siblings.length; i++) {
          let currentSibling = siblings[i];
          if (equals(elem, currentSibling))
            break;
          adapter2.isTag(currentSibling) && (lastElement = currentSibling);
        }
        return !!lastElement && next(lastElement);
      };
    case import_css_what3.SelectorType.Universal: {
      if (selector.namespace != null && selector.namespace !== "*")
        throw new Error("Namespaced universal selectors are not yet supported by css-select");
      return next;
    }
  }
}

// node_modules/css-select/lib/esm/compile.js
function compile2(selector, options, context) {
  let next = compileUnsafe(selector, options, context);
  return ensureIsTag(next, options.adapter);
}
function compileUnsafe(selector, options, context) {
  let token = typeof selector == "string" ? (0, import_css_what4.parse)(selector) : selector;
  return compileToken(token, options, context);
}
function includesScopePseudo(t) {
  return t.type === import_css_what4.SelectorType.Pseudo && (t.name === "scope" || Array.isArray(t.data) && t.data.some((data) => data.some(includesScopePseudo)));
}
var DESCENDANT_TOKEN = { type: import_css_what4.SelectorType.Descendant }, FLEXIBLE_DESCENDANT_TOKEN = {
  type: "_flexibleDescendant"
}, SCOPE_TOKEN = {
  type: import_css_what4.SelectorType.Pseudo,
  name: "scope",
  data: null
};
function absolutize(token, { adapter: adapter2 }, context) {
  let hasContext = !!context?.every((e) => {
    let parent = adapter2.isTag(e) && adapter2.getParent(e);
    return e === PLACEHOLDER_ELEMENT || parent && adapter2.isTag(parent);
  });
  for (let t of token) {
    if (!(t.length > 0 && isTraversal(t[0]) && t[0].type !== import_css_what4.SelectorType.Descendant))
      if (hasContext && !t.some(includesScopePseudo))
        t.unshift(DESCENDANT_TOKEN);
      else
        continue;
    t.unshift(SCOPE_TOKEN);
  }
}
function compileToken(token, options, context) {
  var _a;
  token.forEach(sortByProcedure), context = (_a = options.context) !== null && _a !== void 0 ? _a : context;
  let isArrayContext = Array.isArray(context), finalContext = context && (Array.isArray(context) ? context : [context]);
  if (options.relativeSelector !== !1)
    absolutize(token, options, finalContext);
  else if (token.some((t) => t.length > 0 && isTraversal(t[0])))
    throw new Error("Relative selectors are not allowed when the `relativeSelector` option is disabled");
  let shouldTestNextSiblings = !1, query = token.map((rules2) => {
    if (rules2.length >= 2) {
      let [first, second] = rules2;
      first.type !== import_css_what4.SelectorType.Pseudo || first.name !== "scope" || (isArrayContext && second.type === import_css_what4.SelectorType.Descendant ? rules2[1] = FLEXIBLE_DESCENDANT_TOKEN : (second.type === import_css_what4.SelectorType.Adjacent || second.type === import_css_what4.SelectorType.Sibling) && (shouldTestNextSiblings = !0));
    }
    return compileRules(rules2, options, finalContext);
  }).reduce(reduceRules, import_boolbase5.default.falseFunc);
  return query.shouldTestNextSiblings = shouldTestNextSiblings, query;
}
function compileRules(rules2, options, context) {
  var _a;
  return rules2.reduce((previous, rule) => previous === import_boolbase5.default.falseFunc ? import_boolbase5.default.falseFunc : compileGeneralSelector(previous, rule, options, context, compileToken), (_a = options.rootFunc) !== null && _a !== void 0 ? _a : import_boolbase5.default.trueFunc);
}
function reduceRules(a, b) {
  return b === import_boolbase5.default.falseFunc || a === import_boolbase5.default.trueFunc ? a : a === import_boolbase5.default.falseFunc || b === import_boolbase5.default.trueFunc ? b : function(elem) {
    return a(elem) || b(elem);
  };
}

// node_modules/css-select/lib/esm/index.js
var defaultEquals = (a, b) => a === b, defaultOptions = {
  adapter: esm_exports,
  equals: defaultEquals
};
function convertOptionFormats(options) {
  var _a, _b, _c, _d;
  let opts = options ?? defaultOptions;
  return (_a = opts.adapter) !== null && _a !== void 0 || (opts.adapter = esm_exports), (_b = opts.equals) !== null && _b !== void 0 || (opts.equals = (_d = (_c = opts.adapter) === null || _c === void 0 ? void 0 : _c.equals) !== null && _d !== void 0 ? _d : defaultEquals), opts;
}
function wrapCompile(func) {
  return function(selector, options, context) {
    let opts = convertOptionFormats(options);
    return func(selector, opts, context);
  };
}
var compile3 = wrapCompile(compile2), _compileUnsafe = wrapCompile(compileUnsafe), _compileToken = wrapCompile(compileToken);
function getSelectorFunc(searchFunc) {
  return function(query, elements, options) {
    let opts = convertOptionFormats(options);
    typeof query != "function" && (query = compileUnsafe(query, opts, elements));
    let filteredElements = prepareContext(elements, opts.adapter, query.shouldTestNextSiblings);
    return searchFunc(query, filteredElements, opts);
  };
}
function prepareContext(elems, adapter2, shouldTestNextSiblings = !1) {
  return shouldTestNextSiblings && (elems = appendNextSiblings(elems, adapter2)), Array.isArray(elems) ? adapter2.removeSubsets(elems) : adapter2.getChildren(elems);
}
function appendNextSiblings(elem, adapter2) {
  let elems = Array.isArray(elem) ? elem.slice(0) : [elem], elemsLength = elems.length;
  for (let i = 0; i < elemsLength; i++) {
    let nextSiblings = getNextSiblings(elems[i], adapter2);
    elems.push(...nextSiblings);
  }
  return elems;
}
var selectAll = getSelectorFunc((query, elems, options) => query === import_boolbase6.default.falseFunc || !elems || elems.length === 0 ? [] : options.adapter.findAll(query, elems)), selectOne = getSelectorFunc((query, elems, options) => query === import_boolbase6.default.falseFunc || !elems || elems.length === 0 ? null : options.adapter.findOne(query, elems));

// src/Engine/Html/Select.ts
var import_css_what5 = __toESM(require_commonjs(), 1);
var childElements = (element) => element.children.filter(isElement), adapter = {
  isTag: isElement,
  getName: ({ name }) => name,
  getParent: ({ parent }) => parent === void 0 || parent.parent === void 0 ? null : parent,
  getChildren: (node) => isElement(node) ? node.children : [],
  getSiblings: (node) => isElement(node) ? node.parent?.children ?? [node] : [node],
  getText: (node) => isElement(node) ? textOf(node) : node,
  getAttributeValue: ({ attributes: attributes2 }, name) => Object.hasOwn(attributes2, name) ? attributes2[name] : void 0,
  hasAttrib: ({ attributes: attributes2 }, name) => Object.hasOwn(attributes2, name),
  removeSubsets: (nodes) => nodes,
  existsOne: (test, nodes) => nodes.some((node) => isElement(node) && (test(node) || adapter.existsOne(test, node.children))),
  findAll: () => [],
  findOne: () => null
}, maxLength = 1e3, costly = /* @__PURE__ */ new Set(["has", "contains", "icontains"]), costOf = (selectors) => {
  for (let part of selectors.flat()) {
    if (part.type === import_css_what5.SelectorType.Sibling) return "~";
    if (part.type === import_css_what5.SelectorType.Adjacent) return "+";
    if (part.type !== import_css_what5.SelectorType.Pseudo) continue;
    if (costly.has(part.name)) return `:${part.name}()`;
    let within = Array.isArray(part.data) ? costOf(part.data) : void 0;
    if (within !== void 0) return within;
  }
}, malformed = (selectors) => {
  for (let part of selectors.flat()) {
    if (part.type !== import_css_what5.SelectorType.Pseudo) continue;
    if (isMalformed(part.name, part.data)) return `:${part.name}(${String(part.data ?? "")})`;
    let within = Array.isArray(part.data) ? malformed(part.data) : void 0;
    if (within !== void 0) return within;
  }
}, compileParsed = (selector) => {
  let parsed = (0, import_css_what5.parse)(selector), wrong = malformed(parsed);
  if (wrong !== void 0) return left(`"${selector}" is not a CSS selector: ${wrong} has no formula like 2n+1`);
  let cost = costOf(parsed);
  return cost === void 0 ? right(compile3(parsed, { adapter, pseudos: pseudos2, xmlMode: !1 })) : left(`"${selector}" uses ${cost}, which is too slow for large pages: name a class, an id or an attribute`);
}, parseSelector = (selector) => selector.length > maxLength ? left(`"${selector.slice(0, 40)}\u2026" has ${selector.length} characters; a selector may have ${maxLength}`) : flatMap(
  try_({
    try: () => compileParsed(selector),
    catch: (cause) => `"${selector}" is not a CSS selector: ${cause instanceof Error ? cause.message : String(cause)}`
  }),
  (test) => test
), outermost = (root, tests) => {
  let found = [], visit = (element) => {
    for (let child of childElements(element))
      tests.some((test) => test(child)) ? found.push(child) : visit(child);
  };
  return visit(root), found;
}, every = (root, test, most) => {
  let found = [], visit = (element) => {
    for (let child of element.children) {
      if (found.length >= most) return;
      isElement(child) && (test(child) && found.push(child), visit(child));
    }
  };
  return visit(root), found;
}, places = /* @__PURE__ */ new WeakMap(), count = (parent) => {
  let siblings = parent.children.filter(isElement), totals = /* @__PURE__ */ new Map();
  for (let { name } of siblings) totals.set(name, (totals.get(name) ?? 0) + 1);
  let seen = /* @__PURE__ */ new Map(), counted = /* @__PURE__ */ new Map();
  for (let [at, element] of siblings.entries()) {
    let named = (seen.get(element.name) ?? 0) + 1;
    seen.set(element.name, named);
    let total = totals.get(element.name) ?? named;
    counted.set(element, { all: at + 1, allFromEnd: siblings.length - at, named, namedFromEnd: total - named + 1 });
  }
  return counted;
}, alone = { all: 1, allFromEnd: 1, named: 1, namedFromEnd: 1 }, placeOf = (element) => {
  let { parent } = element;
  if (parent === void 0) return alone;
  let knownRules2 = places.get(parent), counted = knownRules2 ?? count(parent);
  return knownRules2 === void 0 && places.set(parent, counted), counted.get(element) ?? alone;
}, formula = /^\s*(?:([+-]?\d*)n\s*(?:([+-])\s*(\d+)\s*)?|([+-]?\d+)\s*)$/i, readRule = (text) => {
  let word = text.trim().toLowerCase(), found = formula.exec(word === "even" ? "2n" : word === "odd" ? "2n+1" : text);
  if (found === null) return;
  let [, factor, sign, offset, fixed] = found;
  if (fixed !== void 0) return (place) => place === Number(fixed);
  let step = factor === "" || factor === "+" ? 1 : factor === "-" ? -1 : Number(factor), first = offset === void 0 ? 0 : Number(offset) * (sign === "-" ? -1 : 1);
  return step === 0 ? (place) => place === first : (place) => (place - first) % step === 0 && (place - first) / step >= 0;
}, rules = {
  "nth-child": ({ all }) => all,
  "nth-last-child": ({ allFromEnd }) => allFromEnd,
  "nth-of-type": ({ named }) => named,
  "nth-last-of-type": ({ namedFromEnd }) => namedFromEnd
}, isCounting = (name) => Object.hasOwn(rules, name), knownRules = /* @__PURE__ */ new Map(), maxKnown = 1e3, ruleOf = (text) => {
  let rule = knownRules.get(text) ?? readRule(text);
  if (rule !== void 0)
    return knownRules.size >= maxKnown && knownRules.clear(), knownRules.set(text, rule), rule;
}, isMalformed = (name, data) => isCounting(name) && (typeof data != "string" || ruleOf(data) === void 0), counting = (name) => (element, data) => ruleOf(data ?? "")?.(rules[name](placeOf(element))) ?? !1, pseudos2 = {
  "nth-child": counting("nth-child"),
  "nth-last-child": counting("nth-last-child"),
  "nth-of-type": counting("nth-of-type"),
  "nth-last-of-type": counting("nth-last-of-type"),
  "first-of-type": (element) => placeOf(element).named === 1,
  "last-of-type": (element) => placeOf(element).namedFromEnd === 1,
  "only-of-type": (element) => placeOf(element).named + placeOf(element).namedFromEnd === 2
};

export {
  parseSelector,
  outermost,
  every
};
