import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  decodeText,
  extract
} from "./chunk-AD2KZVWM.js";
import {
  parseSelector
} from "./chunk-AK2SJKLB.js";
import {
  getOrThrow
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  __commonJS,
  __toESM
} from "./chunk-E2DHRGUQ.js";

// node_modules/xmlchars/xml/1.0/ed5.js
var require_ed5 = __commonJS({
  "node_modules/xmlchars/xml/1.0/ed5.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.CHAR = `	
\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}`;
    exports.S = ` 	\r
`;
    exports.NAME_START_CHAR = ":A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}";
    exports.NAME_CHAR = "-" + exports.NAME_START_CHAR + ".0-9\xB7\u0300-\u036F\u203F-\u2040";
    exports.CHAR_RE = new RegExp("^[" + exports.CHAR + "]$", "u");
    exports.S_RE = new RegExp("^[" + exports.S + "]+$", "u");
    exports.NAME_START_CHAR_RE = new RegExp("^[" + exports.NAME_START_CHAR + "]$", "u");
    exports.NAME_CHAR_RE = new RegExp("^[" + exports.NAME_CHAR + "]$", "u");
    exports.NAME_RE = new RegExp("^[" + exports.NAME_START_CHAR + "][" + exports.NAME_CHAR + "]*$", "u");
    exports.NMTOKEN_RE = new RegExp("^[" + exports.NAME_CHAR + "]+$", "u");
    var TAB = 9, NL = 10, CR = 13, SPACE = 32;
    exports.S_LIST = [SPACE, NL, CR, TAB];
    function isChar(c) {
      return c >= SPACE && c <= 55295 || c === NL || c === CR || c === TAB || c >= 57344 && c <= 65533 || c >= 65536 && c <= 1114111;
    }
    exports.isChar = isChar;
    function isS(c) {
      return c === SPACE || c === NL || c === CR || c === TAB;
    }
    exports.isS = isS;
    function isNameStartChar(c) {
      return c >= 65 && c <= 90 || c >= 97 && c <= 122 || c === 58 || c === 95 || c === 8204 || c === 8205 || c >= 192 && c <= 214 || c >= 216 && c <= 246 || c >= 248 && c <= 767 || c >= 880 && c <= 893 || c >= 895 && c <= 8191 || c >= 8304 && c <= 8591 || c >= 11264 && c <= 12271 || c >= 12289 && c <= 55295 || c >= 63744 && c <= 64975 || c >= 65008 && c <= 65533 || c >= 65536 && c <= 983039;
    }
    exports.isNameStartChar = isNameStartChar;
    function isNameChar(c) {
      return isNameStartChar(c) || c >= 48 && c <= 57 || c === 45 || c === 46 || c === 183 || c >= 768 && c <= 879 || c >= 8255 && c <= 8256;
    }
    exports.isNameChar = isNameChar;
  }
});

// node_modules/xmlchars/xml/1.1/ed2.js
var require_ed2 = __commonJS({
  "node_modules/xmlchars/xml/1.1/ed2.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.CHAR = "-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}";
    exports.RESTRICTED_CHAR = "-\b\v\f-\x7F-\x84\x86-\x9F";
    exports.S = ` 	\r
`;
    exports.NAME_START_CHAR = ":A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}";
    exports.NAME_CHAR = "-" + exports.NAME_START_CHAR + ".0-9\xB7\u0300-\u036F\u203F-\u2040";
    exports.CHAR_RE = new RegExp("^[" + exports.CHAR + "]$", "u");
    exports.RESTRICTED_CHAR_RE = new RegExp("^[" + exports.RESTRICTED_CHAR + "]$", "u");
    exports.S_RE = new RegExp("^[" + exports.S + "]+$", "u");
    exports.NAME_START_CHAR_RE = new RegExp("^[" + exports.NAME_START_CHAR + "]$", "u");
    exports.NAME_CHAR_RE = new RegExp("^[" + exports.NAME_CHAR + "]$", "u");
    exports.NAME_RE = new RegExp("^[" + exports.NAME_START_CHAR + "][" + exports.NAME_CHAR + "]*$", "u");
    exports.NMTOKEN_RE = new RegExp("^[" + exports.NAME_CHAR + "]+$", "u");
    var TAB = 9, NL = 10, CR = 13, SPACE = 32;
    exports.S_LIST = [SPACE, NL, CR, TAB];
    function isChar(c) {
      return c >= 1 && c <= 55295 || c >= 57344 && c <= 65533 || c >= 65536 && c <= 1114111;
    }
    exports.isChar = isChar;
    function isRestrictedChar(c) {
      return c >= 1 && c <= 8 || c === 11 || c === 12 || c >= 14 && c <= 31 || c >= 127 && c <= 132 || c >= 134 && c <= 159;
    }
    exports.isRestrictedChar = isRestrictedChar;
    function isCharAndNotRestricted(c) {
      return c === 9 || c === 10 || c === 13 || c > 31 && c < 127 || c === 133 || c > 159 && c <= 55295 || c >= 57344 && c <= 65533 || c >= 65536 && c <= 1114111;
    }
    exports.isCharAndNotRestricted = isCharAndNotRestricted;
    function isS(c) {
      return c === SPACE || c === NL || c === CR || c === TAB;
    }
    exports.isS = isS;
    function isNameStartChar(c) {
      return c >= 65 && c <= 90 || c >= 97 && c <= 122 || c === 58 || c === 95 || c === 8204 || c === 8205 || c >= 192 && c <= 214 || c >= 216 && c <= 246 || c >= 248 && c <= 767 || c >= 880 && c <= 893 || c >= 895 && c <= 8191 || c >= 8304 && c <= 8591 || c >= 11264 && c <= 12271 || c >= 12289 && c <= 55295 || c >= 63744 && c <= 64975 || c >= 65008 && c <= 65533 || c >= 65536 && c <= 983039;
    }
    exports.isNameStartChar = isNameStartChar;
    function isNameChar(c) {
      return isNameStartChar(c) || c >= 48 && c <= 57 || c === 45 || c === 46 || c === 183 || c >= 768 && c <= 879 || c >= 8255 && c <= 8256;
    }
    exports.isNameChar = isNameChar;
  }
});

// node_modules/xmlchars/xmlns/1.0/ed3.js
var require_ed3 = __commonJS({
  "node_modules/xmlchars/xmlns/1.0/ed3.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.NC_NAME_START_CHAR = "A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}";
    exports.NC_NAME_CHAR = "-" + exports.NC_NAME_START_CHAR + ".0-9\xB7\u0300-\u036F\u203F-\u2040";
    exports.NC_NAME_START_CHAR_RE = new RegExp("^[" + exports.NC_NAME_START_CHAR + "]$", "u");
    exports.NC_NAME_CHAR_RE = new RegExp("^[" + exports.NC_NAME_CHAR + "]$", "u");
    exports.NC_NAME_RE = new RegExp("^[" + exports.NC_NAME_START_CHAR + "][" + exports.NC_NAME_CHAR + "]*$", "u");
    function isNCNameStartChar(c) {
      return c >= 65 && c <= 90 || c === 95 || c >= 97 && c <= 122 || c >= 192 && c <= 214 || c >= 216 && c <= 246 || c >= 248 && c <= 767 || c >= 880 && c <= 893 || c >= 895 && c <= 8191 || c >= 8204 && c <= 8205 || c >= 8304 && c <= 8591 || c >= 11264 && c <= 12271 || c >= 12289 && c <= 55295 || c >= 63744 && c <= 64975 || c >= 65008 && c <= 65533 || c >= 65536 && c <= 983039;
    }
    exports.isNCNameStartChar = isNCNameStartChar;
    function isNCNameChar(c) {
      return isNCNameStartChar(c) || c === 45 || c === 46 || c >= 48 && c <= 57 || c === 183 || c >= 768 && c <= 879 || c >= 8255 && c <= 8256;
    }
    exports.isNCNameChar = isNCNameChar;
  }
});

// node_modules/saxes/saxes.js
var require_saxes = __commonJS({
  "node_modules/saxes/saxes.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.SaxesParser = exports.EVENTS = void 0;
    var ed5 = require_ed5(), ed2 = require_ed2(), NSed3 = require_ed3(), isS = ed5.isS, isChar10 = ed5.isChar, isNameStartChar = ed5.isNameStartChar, isNameChar = ed5.isNameChar, S_LIST = ed5.S_LIST, NAME_RE = ed5.NAME_RE, isChar11 = ed2.isChar, isNCNameStartChar = NSed3.isNCNameStartChar, isNCNameChar = NSed3.isNCNameChar, NC_NAME_RE = NSed3.NC_NAME_RE, XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace", XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/", rootNS = {
      // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment
      __proto__: null,
      xml: XML_NAMESPACE,
      xmlns: XMLNS_NAMESPACE
    }, XML_ENTITIES = {
      // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment
      __proto__: null,
      amp: "&",
      gt: ">",
      lt: "<",
      quot: '"',
      apos: "'"
    }, EOC = -1, NL_LIKE = -2, S_BEGIN = 0, S_BEGIN_WHITESPACE = 1, S_DOCTYPE = 2, S_DOCTYPE_QUOTE = 3, S_DTD = 4, S_DTD_QUOTED = 5, S_DTD_OPEN_WAKA = 6, S_DTD_OPEN_WAKA_BANG = 7, S_DTD_COMMENT = 8, S_DTD_COMMENT_ENDING = 9, S_DTD_COMMENT_ENDED = 10, S_DTD_PI = 11, S_DTD_PI_ENDING = 12, S_TEXT = 13, S_ENTITY = 14, S_OPEN_WAKA = 15, S_OPEN_WAKA_BANG = 16, S_COMMENT = 17, S_COMMENT_ENDING = 18, S_COMMENT_ENDED = 19, S_CDATA = 20, S_CDATA_ENDING = 21, S_CDATA_ENDING_2 = 22, S_PI_FIRST_CHAR = 23, S_PI_REST = 24, S_PI_BODY = 25, S_PI_ENDING = 26, S_XML_DECL_NAME_START = 27, S_XML_DECL_NAME = 28, S_XML_DECL_EQ = 29, S_XML_DECL_VALUE_START = 30, S_XML_DECL_VALUE = 31, S_XML_DECL_SEPARATOR = 32, S_XML_DECL_ENDING = 33, S_OPEN_TAG = 34, S_OPEN_TAG_SLASH = 35, S_ATTRIB = 36, S_ATTRIB_NAME = 37, S_ATTRIB_NAME_SAW_WHITE = 38, S_ATTRIB_VALUE = 39, S_ATTRIB_VALUE_QUOTED = 40, S_ATTRIB_VALUE_CLOSED = 41, S_ATTRIB_VALUE_UNQUOTED = 42, S_CLOSE_TAG = 43, S_CLOSE_TAG_SAW_WHITE = 44, TAB = 9, NL = 10, CR = 13, SPACE = 32, BANG = 33, DQUOTE = 34, AMP = 38, SQUOTE = 39, MINUS = 45, FORWARD_SLASH = 47, SEMICOLON = 59, LESS = 60, EQUAL = 61, GREATER = 62, QUESTION = 63, OPEN_BRACKET = 91, CLOSE_BRACKET = 93, NEL = 133, LS = 8232, isQuote = (c) => c === DQUOTE || c === SQUOTE, QUOTES = [DQUOTE, SQUOTE], DOCTYPE_TERMINATOR = [...QUOTES, OPEN_BRACKET, GREATER], DTD_TERMINATOR = [...QUOTES, LESS, CLOSE_BRACKET], XML_DECL_NAME_TERMINATOR = [EQUAL, QUESTION, ...S_LIST], ATTRIB_VALUE_UNQUOTED_TERMINATOR = [...S_LIST, GREATER, AMP, LESS];
    function nsPairCheck(parser, prefix, uri) {
      switch (prefix) {
        case "xml":
          uri !== XML_NAMESPACE && parser.fail(`xml prefix must be bound to ${XML_NAMESPACE}.`);
          break;
        case "xmlns":
          uri !== XMLNS_NAMESPACE && parser.fail(`xmlns prefix must be bound to ${XMLNS_NAMESPACE}.`);
          break;
        default:
      }
      switch (uri) {
        case XMLNS_NAMESPACE:
          parser.fail(prefix === "" ? `the default namespace may not be set to ${uri}.` : `may not assign a prefix (even "xmlns") to the URI ${XMLNS_NAMESPACE}.`);
          break;
        case XML_NAMESPACE:
          switch (prefix) {
            case "xml":
              break;
            case "":
              parser.fail(`the default namespace may not be set to ${uri}.`);
              break;
            default:
              parser.fail("may not assign the xml namespace to another prefix.");
          }
          break;
        default:
      }
    }
    function nsMappingCheck(parser, mapping) {
      for (let local of Object.keys(mapping))
        nsPairCheck(parser, local, mapping[local]);
    }
    var isNCName = (name) => NC_NAME_RE.test(name), isName = (name) => NAME_RE.test(name), FORBIDDEN_START = 0, FORBIDDEN_BRACKET = 1, FORBIDDEN_BRACKET_BRACKET = 2;
    exports.EVENTS = [
      "xmldecl",
      "text",
      "processinginstruction",
      "doctype",
      "comment",
      "opentagstart",
      "attribute",
      "opentag",
      "closetag",
      "cdata",
      "error",
      "end",
      "ready"
    ];
    var EVENT_NAME_TO_HANDLER_NAME = {
      xmldecl: "xmldeclHandler",
      text: "textHandler",
      processinginstruction: "piHandler",
      doctype: "doctypeHandler",
      comment: "commentHandler",
      opentagstart: "openTagStartHandler",
      attribute: "attributeHandler",
      opentag: "openTagHandler",
      closetag: "closeTagHandler",
      cdata: "cdataHandler",
      error: "errorHandler",
      end: "endHandler",
      ready: "readyHandler"
    }, SaxesParser2 = class {
      /**
       * @param opt The parser options.
       */
      constructor(opt) {
        this.opt = opt ?? {}, this.fragmentOpt = !!this.opt.fragment;
        let xmlnsOpt = this.xmlnsOpt = !!this.opt.xmlns;
        if (this.trackPosition = this.opt.position !== !1, this.fileName = this.opt.fileName, xmlnsOpt) {
          this.nameStartCheck = isNCNameStartChar, this.nameCheck = isNCNameChar, this.isName = isNCName, this.processAttribs = this.processAttribsNS, this.pushAttrib = this.pushAttribNS, this.ns = Object.assign({ __proto__: null }, rootNS);
          let additional = this.opt.additionalNamespaces;
          additional != null && (nsMappingCheck(this, additional), Object.assign(this.ns, additional));
        } else
          this.nameStartCheck = isNameStartChar, this.nameCheck = isNameChar, this.isName = isName, this.processAttribs = this.processAttribsPlain, this.pushAttrib = this.pushAttribPlain;
        this.stateTable = [
          /* eslint-disable @typescript-eslint/unbound-method */
          this.sBegin,
          this.sBeginWhitespace,
          this.sDoctype,
          this.sDoctypeQuote,
          this.sDTD,
          this.sDTDQuoted,
          this.sDTDOpenWaka,
          this.sDTDOpenWakaBang,
          this.sDTDComment,
          this.sDTDCommentEnding,
          this.sDTDCommentEnded,
          this.sDTDPI,
          this.sDTDPIEnding,
          this.sText,
          this.sEntity,
          this.sOpenWaka,
          this.sOpenWakaBang,
          this.sComment,
          this.sCommentEnding,
          this.sCommentEnded,
          this.sCData,
          this.sCDataEnding,
          this.sCDataEnding2,
          this.sPIFirstChar,
          this.sPIRest,
          this.sPIBody,
          this.sPIEnding,
          this.sXMLDeclNameStart,
          this.sXMLDeclName,
          this.sXMLDeclEq,
          this.sXMLDeclValueStart,
          this.sXMLDeclValue,
          this.sXMLDeclSeparator,
          this.sXMLDeclEnding,
          this.sOpenTag,
          this.sOpenTagSlash,
          this.sAttrib,
          this.sAttribName,
          this.sAttribNameSawWhite,
          this.sAttribValue,
          this.sAttribValueQuoted,
          this.sAttribValueClosed,
          this.sAttribValueUnquoted,
          this.sCloseTag,
          this.sCloseTagSawWhite
          /* eslint-enable @typescript-eslint/unbound-method */
        ], this._init();
      }
      /**
       * Indicates whether or not the parser is closed. If ``true``, wait for
       * the ``ready`` event to write again.
       */
      get closed() {
        return this._closed;
      }
      _init() {
        var _a;
        this.openWakaBang = "", this.text = "", this.name = "", this.piTarget = "", this.entity = "", this.q = null, this.tags = [], this.tag = null, this.topNS = null, this.chunk = "", this.chunkPosition = 0, this.i = 0, this.prevI = 0, this.carriedFromPrevious = void 0, this.forbiddenState = FORBIDDEN_START, this.attribList = [];
        let { fragmentOpt } = this;
        this.state = fragmentOpt ? S_TEXT : S_BEGIN, this.reportedTextBeforeRoot = this.reportedTextAfterRoot = this.closedRoot = this.sawRoot = fragmentOpt, this.xmlDeclPossible = !fragmentOpt, this.xmlDeclExpects = ["version"], this.entityReturnState = void 0;
        let { defaultXMLVersion } = this.opt;
        if (defaultXMLVersion === void 0) {
          if (this.opt.forceXMLVersion === !0)
            throw new Error("forceXMLVersion set but defaultXMLVersion is not set");
          defaultXMLVersion = "1.0";
        }
        this.setXMLVersion(defaultXMLVersion), this.positionAtNewLine = 0, this.doctype = !1, this._closed = !1, this.xmlDecl = {
          version: void 0,
          encoding: void 0,
          standalone: void 0
        }, this.line = 1, this.column = 0, this.ENTITIES = Object.create(XML_ENTITIES), (_a = this.readyHandler) === null || _a === void 0 || _a.call(this);
      }
      /**
       * The stream position the parser is currently looking at. This field is
       * zero-based.
       *
       * This field is not based on counting Unicode characters but is to be
       * interpreted as a plain index into a JavaScript string.
       */
      get position() {
        return this.chunkPosition + this.i;
      }
      /**
       * The column number of the next character to be read by the parser.  *
       * This field is zero-based. (The first column in a line is 0.)
       *
       * This field reports the index at which the next character would be in the
       * line if the line were represented as a JavaScript string.  Note that this
       * *can* be different to a count based on the number of *Unicode characters*
       * due to how JavaScript handles astral plane characters.
       *
       * See [[column]] for a number that corresponds to a count of Unicode
       * characters.
       */
      get columnIndex() {
        return this.position - this.positionAtNewLine;
      }
      /**
       * Set an event listener on an event. The parser supports one handler per
       * event type. If you try to set an event handler over an existing handler,
       * the old handler is silently overwritten.
       *
       * @param name The event to listen to.
       *
       * @param handler The handler to set.
       */
      on(name, handler) {
        this[EVENT_NAME_TO_HANDLER_NAME[name]] = handler;
      }
      /**
       * Unset an event handler.
       *
       * @parma name The event to stop listening to.
       */
      off(name) {
        this[EVENT_NAME_TO_HANDLER_NAME[name]] = void 0;
      }
      /**
       * Make an error object. The error object will have a message that contains
       * the ``fileName`` option passed at the creation of the parser. If position
       * tracking was turned on, it will also have line and column number
       * information.
       *
       * @param message The message describing the error to report.
       *
       * @returns An error object with a properly formatted message.
       */
      makeError(message) {
        var _a;
        let msg = (_a = this.fileName) !== null && _a !== void 0 ? _a : "";
        return this.trackPosition && (msg.length > 0 && (msg += ":"), msg += `${this.line}:${this.column}`), msg.length > 0 && (msg += ": "), new Error(msg + message);
      }
      /**
       * Report a parsing error. This method is made public so that client code may
       * check for issues that are outside the scope of this project and can report
       * errors.
       *
       * @param message The error to report.
       *
       * @returns this
       */
      fail(message) {
        let err = this.makeError(message), handler = this.errorHandler;
        if (handler === void 0)
          throw err;
        return handler(err), this;
      }
      /**
       * Write a XML data to the parser.
       *
       * @param chunk The XML data to write.
       *
       * @returns this
       */
      // We do need object for the type here. Yes, it often causes problems
      // but not in this case.
      write(chunk) {
        if (this.closed)
          return this.fail("cannot write after close; assign an onready handler.");
        let end = !1;
        chunk === null ? (end = !0, chunk = "") : typeof chunk == "object" && (chunk = chunk.toString()), this.carriedFromPrevious !== void 0 && (chunk = `${this.carriedFromPrevious}${chunk}`, this.carriedFromPrevious = void 0);
        let limit = chunk.length, lastCode = chunk.charCodeAt(limit - 1);
        !end && // A trailing CR or surrogate must be carried over to the next
        // chunk.
        (lastCode === CR || lastCode >= 55296 && lastCode <= 56319) && (this.carriedFromPrevious = chunk[limit - 1], limit--, chunk = chunk.slice(0, limit));
        let { stateTable } = this;
        for (this.chunk = chunk, this.i = 0; this.i < limit; )
          stateTable[this.state].call(this);
        return this.chunkPosition += limit, end ? this.end() : this;
      }
      /**
       * Close the current stream. Perform final well-formedness checks and reset
       * the parser tstate.
       *
       * @returns this
       */
      close() {
        return this.write(null);
      }
      /**
       * Get a single code point out of the current chunk. This updates the current
       * position if we do position tracking.
       *
       * This is the algorithm to use for XML 1.0.
       *
       * @returns The character read.
       */
      getCode10() {
        let { chunk, i } = this;
        if (this.prevI = i, this.i = i + 1, i >= chunk.length)
          return EOC;
        let code = chunk.charCodeAt(i);
        if (this.column++, code < 55296) {
          if (code >= SPACE || code === TAB)
            return code;
          switch (code) {
            case NL:
              return this.line++, this.column = 0, this.positionAtNewLine = this.position, NL;
            case CR:
              return chunk.charCodeAt(i + 1) === NL && (this.i = i + 2), this.line++, this.column = 0, this.positionAtNewLine = this.position, NL_LIKE;
            default:
              return this.fail("disallowed character."), code;
          }
        }
        if (code > 56319)
          return code >= 57344 && code <= 65533 || this.fail("disallowed character."), code;
        let final = 65536 + (code - 55296) * 1024 + (chunk.charCodeAt(i + 1) - 56320);
        return this.i = i + 2, final > 1114111 && this.fail("disallowed character."), final;
      }
      /**
       * Get a single code point out of the current chunk. This updates the current
       * position if we do position tracking.
       *
       * This is the algorithm to use for XML 1.1.
       *
       * @returns {number} The character read.
       */
      getCode11() {
        let { chunk, i } = this;
        if (this.prevI = i, this.i = i + 1, i >= chunk.length)
          return EOC;
        let code = chunk.charCodeAt(i);
        if (this.column++, code < 55296) {
          if (code > 31 && code < 127 || code > 159 && code !== LS || code === TAB)
            return code;
          switch (code) {
            case NL:
              return this.line++, this.column = 0, this.positionAtNewLine = this.position, NL;
            case CR: {
              let next = chunk.charCodeAt(i + 1);
              (next === NL || next === NEL) && (this.i = i + 2);
            }
            /* yes, fall through */
            case NEL:
            // 0x85
            case LS:
              return this.line++, this.column = 0, this.positionAtNewLine = this.position, NL_LIKE;
            default:
              return this.fail("disallowed character."), code;
          }
        }
        if (code > 56319)
          return code >= 57344 && code <= 65533 || this.fail("disallowed character."), code;
        let final = 65536 + (code - 55296) * 1024 + (chunk.charCodeAt(i + 1) - 56320);
        return this.i = i + 2, final > 1114111 && this.fail("disallowed character."), final;
      }
      /**
       * Like ``getCode`` but with the return value normalized so that ``NL`` is
       * returned for ``NL_LIKE``.
       */
      getCodeNorm() {
        let c = this.getCode();
        return c === NL_LIKE ? NL : c;
      }
      unget() {
        this.i = this.prevI, this.column--;
      }
      /**
       * Capture characters into a buffer until encountering one of a set of
       * characters.
       *
       * @param chars An array of codepoints. Encountering a character in the array
       * ends the capture. (``chars`` may safely contain ``NL``.)
       *
       * @return The character code that made the capture end, or ``EOC`` if we hit
       * the end of the chunk. The return value cannot be NL_LIKE: NL is returned
       * instead.
       */
      captureTo(chars) {
        let { i: start } = this, { chunk } = this;
        for (; ; ) {
          let c = this.getCode(), isNLLike = c === NL_LIKE, final = isNLLike ? NL : c;
          if (final === EOC || chars.includes(final))
            return this.text += chunk.slice(start, this.prevI), final;
          isNLLike && (this.text += `${chunk.slice(start, this.prevI)}
`, start = this.i);
        }
      }
      /**
       * Capture characters into a buffer until encountering a character.
       *
       * @param char The codepoint that ends the capture. **NOTE ``char`` MAY NOT
       * CONTAIN ``NL``.** Passing ``NL`` will result in buggy behavior.
       *
       * @return ``true`` if we ran into the character. Otherwise, we ran into the
       * end of the current chunk.
       */
      captureToChar(char) {
        let { i: start } = this, { chunk } = this;
        for (; ; ) {
          let c = this.getCode();
          switch (c) {
            case NL_LIKE:
              this.text += `${chunk.slice(start, this.prevI)}
`, start = this.i, c = NL;
              break;
            case EOC:
              return this.text += chunk.slice(start), !1;
            default:
          }
          if (c === char)
            return this.text += chunk.slice(start, this.prevI), !0;
        }
      }
      /**
       * Capture characters that satisfy ``isNameChar`` into the ``name`` field of
       * this parser.
       *
       * @return The character code that made the test fail, or ``EOC`` if we hit
       * the end of the chunk. The return value cannot be NL_LIKE: NL is returned
       * instead.
       */
      captureNameChars() {
        let { chunk, i: start } = this;
        for (; ; ) {
          let c = this.getCode();
          if (c === EOC)
            return this.name += chunk.slice(start), EOC;
          if (!isNameChar(c))
            return this.name += chunk.slice(start, this.prevI), c === NL_LIKE ? NL : c;
        }
      }
      /**
       * Skip white spaces.
       *
       * @return The character that ended the skip, or ``EOC`` if we hit
       * the end of the chunk. The return value cannot be NL_LIKE: NL is returned
       * instead.
       */
      skipSpaces() {
        for (; ; ) {
          let c = this.getCodeNorm();
          if (c === EOC || !isS(c))
            return c;
        }
      }
      setXMLVersion(version) {
        this.currentXMLVersion = version, version === "1.0" ? (this.isChar = isChar10, this.getCode = this.getCode10) : (this.isChar = isChar11, this.getCode = this.getCode11);
      }
      // STATE ENGINE METHODS
      // This needs to be a state separate from S_BEGIN_WHITESPACE because we want
      // to be sure never to come back to this state later.
      sBegin() {
        this.chunk.charCodeAt(0) === 65279 && (this.i++, this.column++), this.state = S_BEGIN_WHITESPACE;
      }
      sBeginWhitespace() {
        let iBefore = this.i, c = this.skipSpaces();
        switch (this.prevI !== iBefore && (this.xmlDeclPossible = !1), c) {
          case LESS:
            if (this.state = S_OPEN_WAKA, this.text.length !== 0)
              throw new Error("no-empty text at start");
            break;
          case EOC:
            break;
          default:
            this.unget(), this.state = S_TEXT, this.xmlDeclPossible = !1;
        }
      }
      sDoctype() {
        var _a;
        let c = this.captureTo(DOCTYPE_TERMINATOR);
        switch (c) {
          case GREATER: {
            (_a = this.doctypeHandler) === null || _a === void 0 || _a.call(this, this.text), this.text = "", this.state = S_TEXT, this.doctype = !0;
            break;
          }
          case EOC:
            break;
          default:
            this.text += String.fromCodePoint(c), c === OPEN_BRACKET ? this.state = S_DTD : isQuote(c) && (this.state = S_DOCTYPE_QUOTE, this.q = c);
        }
      }
      sDoctypeQuote() {
        let q = this.q;
        this.captureToChar(q) && (this.text += String.fromCodePoint(q), this.q = null, this.state = S_DOCTYPE);
      }
      sDTD() {
        let c = this.captureTo(DTD_TERMINATOR);
        c !== EOC && (this.text += String.fromCodePoint(c), c === CLOSE_BRACKET ? this.state = S_DOCTYPE : c === LESS ? this.state = S_DTD_OPEN_WAKA : isQuote(c) && (this.state = S_DTD_QUOTED, this.q = c));
      }
      sDTDQuoted() {
        let q = this.q;
        this.captureToChar(q) && (this.text += String.fromCodePoint(q), this.state = S_DTD, this.q = null);
      }
      sDTDOpenWaka() {
        let c = this.getCodeNorm();
        switch (this.text += String.fromCodePoint(c), c) {
          case BANG:
            this.state = S_DTD_OPEN_WAKA_BANG, this.openWakaBang = "";
            break;
          case QUESTION:
            this.state = S_DTD_PI;
            break;
          default:
            this.state = S_DTD;
        }
      }
      sDTDOpenWakaBang() {
        let char = String.fromCodePoint(this.getCodeNorm()), owb = this.openWakaBang += char;
        this.text += char, owb !== "-" && (this.state = owb === "--" ? S_DTD_COMMENT : S_DTD, this.openWakaBang = "");
      }
      sDTDComment() {
        this.captureToChar(MINUS) && (this.text += "-", this.state = S_DTD_COMMENT_ENDING);
      }
      sDTDCommentEnding() {
        let c = this.getCodeNorm();
        this.text += String.fromCodePoint(c), this.state = c === MINUS ? S_DTD_COMMENT_ENDED : S_DTD_COMMENT;
      }
      sDTDCommentEnded() {
        let c = this.getCodeNorm();
        this.text += String.fromCodePoint(c), c === GREATER ? this.state = S_DTD : (this.fail("malformed comment."), this.state = S_DTD_COMMENT);
      }
      sDTDPI() {
        this.captureToChar(QUESTION) && (this.text += "?", this.state = S_DTD_PI_ENDING);
      }
      sDTDPIEnding() {
        let c = this.getCodeNorm();
        this.text += String.fromCodePoint(c), c === GREATER && (this.state = S_DTD);
      }
      sText() {
        this.tags.length !== 0 ? this.handleTextInRoot() : this.handleTextOutsideRoot();
      }
      sEntity() {
        let { i: start } = this, { chunk } = this;
        loop:
          for (; ; )
            switch (this.getCode()) {
              case NL_LIKE:
                this.entity += `${chunk.slice(start, this.prevI)}
`, start = this.i;
                break;
              case SEMICOLON: {
                let { entityReturnState } = this, entity = this.entity + chunk.slice(start, this.prevI);
                this.state = entityReturnState;
                let parsed;
                entity === "" ? (this.fail("empty entity name."), parsed = "&;") : (parsed = this.parseEntity(entity), this.entity = ""), (entityReturnState !== S_TEXT || this.textHandler !== void 0) && (this.text += parsed);
                break loop;
              }
              case EOC:
                this.entity += chunk.slice(start);
                break loop;
              default:
            }
      }
      sOpenWaka() {
        let c = this.getCode();
        if (isNameStartChar(c))
          this.state = S_OPEN_TAG, this.unget(), this.xmlDeclPossible = !1;
        else
          switch (c) {
            case FORWARD_SLASH:
              this.state = S_CLOSE_TAG, this.xmlDeclPossible = !1;
              break;
            case BANG:
              this.state = S_OPEN_WAKA_BANG, this.openWakaBang = "", this.xmlDeclPossible = !1;
              break;
            case QUESTION:
              this.state = S_PI_FIRST_CHAR;
              break;
            default:
              this.fail("disallowed character in tag name"), this.state = S_TEXT, this.xmlDeclPossible = !1;
          }
      }
      sOpenWakaBang() {
        switch (this.openWakaBang += String.fromCodePoint(this.getCodeNorm()), this.openWakaBang) {
          case "[CDATA[":
            !this.sawRoot && !this.reportedTextBeforeRoot && (this.fail("text data outside of root node."), this.reportedTextBeforeRoot = !0), this.closedRoot && !this.reportedTextAfterRoot && (this.fail("text data outside of root node."), this.reportedTextAfterRoot = !0), this.state = S_CDATA, this.openWakaBang = "";
            break;
          case "--":
            this.state = S_COMMENT, this.openWakaBang = "";
            break;
          case "DOCTYPE":
            this.state = S_DOCTYPE, (this.doctype || this.sawRoot) && this.fail("inappropriately located doctype declaration."), this.openWakaBang = "";
            break;
          default:
            this.openWakaBang.length >= 7 && this.fail("incorrect syntax.");
        }
      }
      sComment() {
        this.captureToChar(MINUS) && (this.state = S_COMMENT_ENDING);
      }
      sCommentEnding() {
        var _a;
        let c = this.getCodeNorm();
        c === MINUS ? (this.state = S_COMMENT_ENDED, (_a = this.commentHandler) === null || _a === void 0 || _a.call(this, this.text), this.text = "") : (this.text += `-${String.fromCodePoint(c)}`, this.state = S_COMMENT);
      }
      sCommentEnded() {
        let c = this.getCodeNorm();
        c !== GREATER ? (this.fail("malformed comment."), this.text += `--${String.fromCodePoint(c)}`, this.state = S_COMMENT) : this.state = S_TEXT;
      }
      sCData() {
        this.captureToChar(CLOSE_BRACKET) && (this.state = S_CDATA_ENDING);
      }
      sCDataEnding() {
        let c = this.getCodeNorm();
        c === CLOSE_BRACKET ? this.state = S_CDATA_ENDING_2 : (this.text += `]${String.fromCodePoint(c)}`, this.state = S_CDATA);
      }
      sCDataEnding2() {
        var _a;
        let c = this.getCodeNorm();
        switch (c) {
          case GREATER: {
            (_a = this.cdataHandler) === null || _a === void 0 || _a.call(this, this.text), this.text = "", this.state = S_TEXT;
            break;
          }
          case CLOSE_BRACKET:
            this.text += "]";
            break;
          default:
            this.text += `]]${String.fromCodePoint(c)}`, this.state = S_CDATA;
        }
      }
      // We need this separate state to check the first character fo the pi target
      // with this.nameStartCheck which allows less characters than this.nameCheck.
      sPIFirstChar() {
        let c = this.getCodeNorm();
        this.nameStartCheck(c) ? (this.piTarget += String.fromCodePoint(c), this.state = S_PI_REST) : c === QUESTION || isS(c) ? (this.fail("processing instruction without a target."), this.state = c === QUESTION ? S_PI_ENDING : S_PI_BODY) : (this.fail("disallowed character in processing instruction name."), this.piTarget += String.fromCodePoint(c), this.state = S_PI_REST);
      }
      sPIRest() {
        let { chunk, i: start } = this;
        for (; ; ) {
          let c = this.getCodeNorm();
          if (c === EOC) {
            this.piTarget += chunk.slice(start);
            return;
          }
          if (!this.nameCheck(c)) {
            this.piTarget += chunk.slice(start, this.prevI);
            let isQuestion = c === QUESTION;
            isQuestion || isS(c) ? this.piTarget === "xml" ? (this.xmlDeclPossible || this.fail("an XML declaration must be at the start of the document."), this.state = isQuestion ? S_XML_DECL_ENDING : S_XML_DECL_NAME_START) : this.state = isQuestion ? S_PI_ENDING : S_PI_BODY : (this.fail("disallowed character in processing instruction name."), this.piTarget += String.fromCodePoint(c));
            break;
          }
        }
      }
      sPIBody() {
        if (this.text.length === 0) {
          let c = this.getCodeNorm();
          c === QUESTION ? this.state = S_PI_ENDING : isS(c) || (this.text = String.fromCodePoint(c));
        } else this.captureToChar(QUESTION) && (this.state = S_PI_ENDING);
      }
      sPIEnding() {
        var _a;
        let c = this.getCodeNorm();
        if (c === GREATER) {
          let { piTarget } = this;
          piTarget.toLowerCase() === "xml" && this.fail("the XML declaration must appear at the start of the document."), (_a = this.piHandler) === null || _a === void 0 || _a.call(this, {
            target: piTarget,
            body: this.text
          }), this.piTarget = this.text = "", this.state = S_TEXT;
        } else c === QUESTION ? this.text += "?" : (this.text += `?${String.fromCodePoint(c)}`, this.state = S_PI_BODY);
        this.xmlDeclPossible = !1;
      }
      sXMLDeclNameStart() {
        let c = this.skipSpaces();
        if (c === QUESTION) {
          this.state = S_XML_DECL_ENDING;
          return;
        }
        c !== EOC && (this.state = S_XML_DECL_NAME, this.name = String.fromCodePoint(c));
      }
      sXMLDeclName() {
        let c = this.captureTo(XML_DECL_NAME_TERMINATOR);
        if (c === QUESTION) {
          this.state = S_XML_DECL_ENDING, this.name += this.text, this.text = "", this.fail("XML declaration is incomplete.");
          return;
        }
        if (isS(c) || c === EQUAL) {
          if (this.name += this.text, this.text = "", !this.xmlDeclExpects.includes(this.name))
            switch (this.name.length) {
              case 0:
                this.fail("did not expect any more name/value pairs.");
                break;
              case 1:
                this.fail(`expected the name ${this.xmlDeclExpects[0]}.`);
                break;
              default:
                this.fail(`expected one of ${this.xmlDeclExpects.join(", ")}`);
            }
          this.state = c === EQUAL ? S_XML_DECL_VALUE_START : S_XML_DECL_EQ;
        }
      }
      sXMLDeclEq() {
        let c = this.getCodeNorm();
        if (c === QUESTION) {
          this.state = S_XML_DECL_ENDING, this.fail("XML declaration is incomplete.");
          return;
        }
        isS(c) || (c !== EQUAL && this.fail("value required."), this.state = S_XML_DECL_VALUE_START);
      }
      sXMLDeclValueStart() {
        let c = this.getCodeNorm();
        if (c === QUESTION) {
          this.state = S_XML_DECL_ENDING, this.fail("XML declaration is incomplete.");
          return;
        }
        isS(c) || (isQuote(c) ? this.q = c : (this.fail("value must be quoted."), this.q = SPACE), this.state = S_XML_DECL_VALUE);
      }
      sXMLDeclValue() {
        let c = this.captureTo([this.q, QUESTION]);
        if (c === QUESTION) {
          this.state = S_XML_DECL_ENDING, this.text = "", this.fail("XML declaration is incomplete.");
          return;
        }
        if (c === EOC)
          return;
        let value = this.text;
        switch (this.text = "", this.name) {
          case "version": {
            this.xmlDeclExpects = ["encoding", "standalone"];
            let version = value;
            this.xmlDecl.version = version, /^1\.[0-9]+$/.test(version) ? this.opt.forceXMLVersion || this.setXMLVersion(version) : this.fail("version number must match /^1\\.[0-9]+$/.");
            break;
          }
          case "encoding":
            /^[A-Za-z][A-Za-z0-9._-]*$/.test(value) || this.fail("encoding value must match /^[A-Za-z0-9][A-Za-z0-9._-]*$/."), this.xmlDeclExpects = ["standalone"], this.xmlDecl.encoding = value;
            break;
          case "standalone":
            value !== "yes" && value !== "no" && this.fail('standalone value must match "yes" or "no".'), this.xmlDeclExpects = [], this.xmlDecl.standalone = value;
            break;
          default:
        }
        this.name = "", this.state = S_XML_DECL_SEPARATOR;
      }
      sXMLDeclSeparator() {
        let c = this.getCodeNorm();
        if (c === QUESTION) {
          this.state = S_XML_DECL_ENDING;
          return;
        }
        isS(c) || (this.fail("whitespace required."), this.unget()), this.state = S_XML_DECL_NAME_START;
      }
      sXMLDeclEnding() {
        var _a;
        this.getCodeNorm() === GREATER ? (this.piTarget !== "xml" ? this.fail("processing instructions are not allowed before root.") : this.name !== "version" && this.xmlDeclExpects.includes("version") && this.fail("XML declaration must contain a version."), (_a = this.xmldeclHandler) === null || _a === void 0 || _a.call(this, this.xmlDecl), this.name = "", this.piTarget = this.text = "", this.state = S_TEXT) : this.fail("The character ? is disallowed anywhere in XML declarations."), this.xmlDeclPossible = !1;
      }
      sOpenTag() {
        var _a;
        let c = this.captureNameChars();
        if (c === EOC)
          return;
        let tag = this.tag = {
          name: this.name,
          attributes: /* @__PURE__ */ Object.create(null)
        };
        switch (this.name = "", this.xmlnsOpt && (this.topNS = tag.ns = /* @__PURE__ */ Object.create(null)), (_a = this.openTagStartHandler) === null || _a === void 0 || _a.call(this, tag), this.sawRoot = !0, !this.fragmentOpt && this.closedRoot && this.fail("documents may contain only one root."), c) {
          case GREATER:
            this.openTag();
            break;
          case FORWARD_SLASH:
            this.state = S_OPEN_TAG_SLASH;
            break;
          default:
            isS(c) || this.fail("disallowed character in tag name."), this.state = S_ATTRIB;
        }
      }
      sOpenTagSlash() {
        this.getCode() === GREATER ? this.openSelfClosingTag() : (this.fail("forward-slash in opening tag not followed by >."), this.state = S_ATTRIB);
      }
      sAttrib() {
        let c = this.skipSpaces();
        c !== EOC && (isNameStartChar(c) ? (this.unget(), this.state = S_ATTRIB_NAME) : c === GREATER ? this.openTag() : c === FORWARD_SLASH ? this.state = S_OPEN_TAG_SLASH : this.fail("disallowed character in attribute name."));
      }
      sAttribName() {
        let c = this.captureNameChars();
        c === EQUAL ? this.state = S_ATTRIB_VALUE : isS(c) ? this.state = S_ATTRIB_NAME_SAW_WHITE : c === GREATER ? (this.fail("attribute without value."), this.pushAttrib(this.name, this.name), this.name = this.text = "", this.openTag()) : c !== EOC && this.fail("disallowed character in attribute name.");
      }
      sAttribNameSawWhite() {
        let c = this.skipSpaces();
        switch (c) {
          case EOC:
            return;
          case EQUAL:
            this.state = S_ATTRIB_VALUE;
            break;
          default:
            this.fail("attribute without value."), this.text = "", this.name = "", c === GREATER ? this.openTag() : isNameStartChar(c) ? (this.unget(), this.state = S_ATTRIB_NAME) : (this.fail("disallowed character in attribute name."), this.state = S_ATTRIB);
        }
      }
      sAttribValue() {
        let c = this.getCodeNorm();
        isQuote(c) ? (this.q = c, this.state = S_ATTRIB_VALUE_QUOTED) : isS(c) || (this.fail("unquoted attribute value."), this.state = S_ATTRIB_VALUE_UNQUOTED, this.unget());
      }
      sAttribValueQuoted() {
        let { q, chunk } = this, { i: start } = this;
        for (; ; )
          switch (this.getCode()) {
            case q:
              this.pushAttrib(this.name, this.text + chunk.slice(start, this.prevI)), this.name = this.text = "", this.q = null, this.state = S_ATTRIB_VALUE_CLOSED;
              return;
            case AMP:
              this.text += chunk.slice(start, this.prevI), this.state = S_ENTITY, this.entityReturnState = S_ATTRIB_VALUE_QUOTED;
              return;
            case NL:
            case NL_LIKE:
            case TAB:
              this.text += `${chunk.slice(start, this.prevI)} `, start = this.i;
              break;
            case LESS:
              this.text += chunk.slice(start, this.prevI), this.fail("disallowed character.");
              return;
            case EOC:
              this.text += chunk.slice(start);
              return;
            default:
          }
      }
      sAttribValueClosed() {
        let c = this.getCodeNorm();
        isS(c) ? this.state = S_ATTRIB : c === GREATER ? this.openTag() : c === FORWARD_SLASH ? this.state = S_OPEN_TAG_SLASH : isNameStartChar(c) ? (this.fail("no whitespace between attributes."), this.unget(), this.state = S_ATTRIB_NAME) : this.fail("disallowed character in attribute name.");
      }
      sAttribValueUnquoted() {
        let c = this.captureTo(ATTRIB_VALUE_UNQUOTED_TERMINATOR);
        switch (c) {
          case AMP:
            this.state = S_ENTITY, this.entityReturnState = S_ATTRIB_VALUE_UNQUOTED;
            break;
          case LESS:
            this.fail("disallowed character.");
            break;
          case EOC:
            break;
          default:
            this.text.includes("]]>") && this.fail('the string "]]>" is disallowed in char data.'), this.pushAttrib(this.name, this.text), this.name = this.text = "", c === GREATER ? this.openTag() : this.state = S_ATTRIB;
        }
      }
      sCloseTag() {
        let c = this.captureNameChars();
        c === GREATER ? this.closeTag() : isS(c) ? this.state = S_CLOSE_TAG_SAW_WHITE : c !== EOC && this.fail("disallowed character in closing tag.");
      }
      sCloseTagSawWhite() {
        switch (this.skipSpaces()) {
          case GREATER:
            this.closeTag();
            break;
          case EOC:
            break;
          default:
            this.fail("disallowed character in closing tag.");
        }
      }
      // END OF STATE ENGINE METHODS
      handleTextInRoot() {
        let { i: start, forbiddenState } = this, { chunk, textHandler: handler } = this;
        scanLoop:
          for (; ; )
            switch (this.getCode()) {
              case LESS: {
                if (this.state = S_OPEN_WAKA, handler !== void 0) {
                  let { text } = this, slice = chunk.slice(start, this.prevI);
                  text.length !== 0 ? (handler(text + slice), this.text = "") : slice.length !== 0 && handler(slice);
                }
                forbiddenState = FORBIDDEN_START;
                break scanLoop;
              }
              case AMP:
                this.state = S_ENTITY, this.entityReturnState = S_TEXT, handler !== void 0 && (this.text += chunk.slice(start, this.prevI)), forbiddenState = FORBIDDEN_START;
                break scanLoop;
              case CLOSE_BRACKET:
                switch (forbiddenState) {
                  case FORBIDDEN_START:
                    forbiddenState = FORBIDDEN_BRACKET;
                    break;
                  case FORBIDDEN_BRACKET:
                    forbiddenState = FORBIDDEN_BRACKET_BRACKET;
                    break;
                  case FORBIDDEN_BRACKET_BRACKET:
                    break;
                  default:
                    throw new Error("impossible state");
                }
                break;
              case GREATER:
                forbiddenState === FORBIDDEN_BRACKET_BRACKET && this.fail('the string "]]>" is disallowed in char data.'), forbiddenState = FORBIDDEN_START;
                break;
              case NL_LIKE:
                handler !== void 0 && (this.text += `${chunk.slice(start, this.prevI)}
`), start = this.i, forbiddenState = FORBIDDEN_START;
                break;
              case EOC:
                handler !== void 0 && (this.text += chunk.slice(start));
                break scanLoop;
              default:
                forbiddenState = FORBIDDEN_START;
            }
        this.forbiddenState = forbiddenState;
      }
      handleTextOutsideRoot() {
        let { i: start } = this, { chunk, textHandler: handler } = this, nonSpace = !1;
        outRootLoop:
          for (; ; ) {
            let code = this.getCode();
            switch (code) {
              case LESS: {
                if (this.state = S_OPEN_WAKA, handler !== void 0) {
                  let { text } = this, slice = chunk.slice(start, this.prevI);
                  text.length !== 0 ? (handler(text + slice), this.text = "") : slice.length !== 0 && handler(slice);
                }
                break outRootLoop;
              }
              case AMP:
                this.state = S_ENTITY, this.entityReturnState = S_TEXT, handler !== void 0 && (this.text += chunk.slice(start, this.prevI)), nonSpace = !0;
                break outRootLoop;
              case NL_LIKE:
                handler !== void 0 && (this.text += `${chunk.slice(start, this.prevI)}
`), start = this.i;
                break;
              case EOC:
                handler !== void 0 && (this.text += chunk.slice(start));
                break outRootLoop;
              default:
                isS(code) || (nonSpace = !0);
            }
          }
        nonSpace && (!this.sawRoot && !this.reportedTextBeforeRoot && (this.fail("text data outside of root node."), this.reportedTextBeforeRoot = !0), this.closedRoot && !this.reportedTextAfterRoot && (this.fail("text data outside of root node."), this.reportedTextAfterRoot = !0));
      }
      pushAttribNS(name, value) {
        var _a;
        let { prefix, local } = this.qname(name), attr = { name, prefix, local, value };
        if (this.attribList.push(attr), (_a = this.attributeHandler) === null || _a === void 0 || _a.call(this, attr), prefix === "xmlns") {
          let trimmed = value.trim();
          this.currentXMLVersion === "1.0" && trimmed === "" && this.fail("invalid attempt to undefine prefix in XML 1.0"), this.topNS[local] = trimmed, nsPairCheck(this, local, trimmed);
        } else if (name === "xmlns") {
          let trimmed = value.trim();
          this.topNS[""] = trimmed, nsPairCheck(this, "", trimmed);
        }
      }
      pushAttribPlain(name, value) {
        var _a;
        let attr = { name, value };
        this.attribList.push(attr), (_a = this.attributeHandler) === null || _a === void 0 || _a.call(this, attr);
      }
      /**
       * End parsing. This performs final well-formedness checks and resets the
       * parser to a clean state.
       *
       * @returns this
       */
      end() {
        var _a, _b;
        this.sawRoot || this.fail("document must contain a root element.");
        let { tags } = this;
        for (; tags.length > 0; ) {
          let tag = tags.pop();
          this.fail(`unclosed tag: ${tag.name}`);
        }
        this.state !== S_BEGIN && this.state !== S_TEXT && this.fail("unexpected end.");
        let { text } = this;
        return text.length !== 0 && ((_a = this.textHandler) === null || _a === void 0 || _a.call(this, text), this.text = ""), this._closed = !0, (_b = this.endHandler) === null || _b === void 0 || _b.call(this), this._init(), this;
      }
      /**
       * Resolve a namespace prefix.
       *
       * @param prefix The prefix to resolve.
       *
       * @returns The namespace URI or ``undefined`` if the prefix is not defined.
       */
      resolve(prefix) {
        var _a, _b;
        let uri = this.topNS[prefix];
        if (uri !== void 0)
          return uri;
        let { tags } = this;
        for (let index = tags.length - 1; index >= 0; index--)
          if (uri = tags[index].ns[prefix], uri !== void 0)
            return uri;
        return uri = this.ns[prefix], uri !== void 0 ? uri : (_b = (_a = this.opt).resolvePrefix) === null || _b === void 0 ? void 0 : _b.call(_a, prefix);
      }
      /**
       * Parse a qname into its prefix and local name parts.
       *
       * @param name The name to parse
       *
       * @returns
       */
      qname(name) {
        let colon = name.indexOf(":");
        if (colon === -1)
          return { prefix: "", local: name };
        let local = name.slice(colon + 1), prefix = name.slice(0, colon);
        return (prefix === "" || local === "" || local.includes(":")) && this.fail(`malformed name: ${name}.`), { prefix, local };
      }
      processAttribsNS() {
        var _a;
        let { attribList } = this, tag = this.tag;
        {
          let { prefix, local } = this.qname(tag.name);
          tag.prefix = prefix, tag.local = local;
          let uri = tag.uri = (_a = this.resolve(prefix)) !== null && _a !== void 0 ? _a : "";
          prefix !== "" && (prefix === "xmlns" && this.fail('tags may not have "xmlns" as prefix.'), uri === "" && (this.fail(`unbound namespace prefix: ${JSON.stringify(prefix)}.`), tag.uri = prefix));
        }
        if (attribList.length === 0)
          return;
        let { attributes } = tag, seen = /* @__PURE__ */ new Set();
        for (let attr of attribList) {
          let { name, prefix, local } = attr, uri, eqname;
          prefix === "" ? (uri = name === "xmlns" ? XMLNS_NAMESPACE : "", eqname = name) : (uri = this.resolve(prefix), uri === void 0 && (this.fail(`unbound namespace prefix: ${JSON.stringify(prefix)}.`), uri = prefix), eqname = `{${uri}}${local}`), seen.has(eqname) && this.fail(`duplicate attribute: ${eqname}.`), seen.add(eqname), attr.uri = uri, attributes[name] = attr;
        }
        this.attribList = [];
      }
      processAttribsPlain() {
        let { attribList } = this, attributes = this.tag.attributes;
        for (let { name, value } of attribList)
          attributes[name] !== void 0 && this.fail(`duplicate attribute: ${name}.`), attributes[name] = value;
        this.attribList = [];
      }
      /**
       * Handle a complete open tag. This parser code calls this once it has seen
       * the whole tag. This method checks for well-formeness and then emits
       * ``onopentag``.
       */
      openTag() {
        var _a;
        this.processAttribs();
        let { tags } = this, tag = this.tag;
        tag.isSelfClosing = !1, (_a = this.openTagHandler) === null || _a === void 0 || _a.call(this, tag), tags.push(tag), this.state = S_TEXT, this.name = "";
      }
      /**
       * Handle a complete self-closing tag. This parser code calls this once it has
       * seen the whole tag. This method checks for well-formeness and then emits
       * ``onopentag`` and ``onclosetag``.
       */
      openSelfClosingTag() {
        var _a, _b, _c;
        this.processAttribs();
        let { tags } = this, tag = this.tag;
        tag.isSelfClosing = !0, (_a = this.openTagHandler) === null || _a === void 0 || _a.call(this, tag), (_b = this.closeTagHandler) === null || _b === void 0 || _b.call(this, tag), (this.tag = (_c = tags[tags.length - 1]) !== null && _c !== void 0 ? _c : null) === null && (this.closedRoot = !0), this.state = S_TEXT, this.name = "";
      }
      /**
       * Handle a complete close tag. This parser code calls this once it has seen
       * the whole tag. This method checks for well-formeness and then emits
       * ``onclosetag``.
       */
      closeTag() {
        let { tags, name } = this;
        if (this.state = S_TEXT, this.name = "", name === "") {
          this.fail("weird empty close tag."), this.text += "</>";
          return;
        }
        let handler = this.closeTagHandler, l = tags.length;
        for (; l-- > 0; ) {
          let tag = this.tag = tags.pop();
          if (this.topNS = tag.ns, handler?.(tag), tag.name === name)
            break;
          this.fail("unexpected close tag.");
        }
        l === 0 ? this.closedRoot = !0 : l < 0 && (this.fail(`unmatched closing tag: ${name}.`), this.text += `</${name}>`);
      }
      /**
       * Resolves an entity. Makes any necessary well-formedness checks.
       *
       * @param entity The entity to resolve.
       *
       * @returns The parsed entity.
       */
      parseEntity(entity) {
        if (entity[0] !== "#") {
          let defined = this.ENTITIES[entity];
          return defined !== void 0 ? defined : (this.fail(this.isName(entity) ? "undefined entity." : "disallowed character in entity name."), `&${entity};`);
        }
        let num = NaN;
        return entity[1] === "x" && /^#x[0-9a-f]+$/i.test(entity) ? num = parseInt(entity.slice(2), 16) : /^#[0-9]+$/.test(entity) && (num = parseInt(entity.slice(1), 10)), this.isChar(num) ? String.fromCodePoint(num) : (this.fail("malformed character entity."), `&${entity};`);
      }
    };
    exports.SaxesParser = SaxesParser2;
  }
});

// src/Engine/Scrape/SitemapFile.ts
var import_saxes = __toESM(require_saxes(), 1);
var maxDepth = 16, maxSitemaps = 1e3, maxLine = 4096, absolute = (text, base) => {
  let trimmed = text.trim();
  if (trimmed === "" || !canParse(trimmed, base)) return;
  let url = new URL(trimmed, base);
  return url.hash = "", url.protocol === "http:" || url.protocol === "https:" ? url.href : void 0;
}, readLines = (text, base, limit) => {
  let urls = [];
  for (let start = 0; start < text.length && urls.length < limit; ) {
    let newline = text.indexOf(`
`, start), end = newline === -1 ? text.length : newline, line = end - start > maxLine ? "" : text.slice(start, end), url = /^\s*https?:\/\//i.test(line) ? absolute(line, base) : void 0;
    url !== void 0 && urls.push(url), start = end + 1;
  }
  return { urls, sitemaps: [] };
}, readXml = (text, base, limit) => {
  let urls = [], sitemaps = [], parser = new import_saxes.SaxesParser({ fragment: !1, position: !1 }), path = [], loc = "", full = !1;
  parser.on("opentag", ({ name }) => {
    path.push(name.slice(name.indexOf(":") + 1).toLowerCase()), loc = "", path.length > maxDepth && (full = !0);
  });
  let append = (chunk) => {
    path.at(-1) === "loc" && loc.length < maxLine && (loc += chunk);
  };
  parser.on("text", append), parser.on("cdata", append), parser.on("closetag", () => {
    let [parent, name] = [path.at(-2), path.pop()];
    if (name !== "loc") return;
    let url = absolute(loc, base);
    url !== void 0 && (parent === "url" ? urls.push(url) : parent === "sitemap" && sitemaps.length < maxSitemaps && sitemaps.push(url), urls.length >= limit && (full = !0));
  }), parser.on("error", () => {
  });
  for (let start = 0; start < text.length && !full; start += 65536) parser.write(text.slice(start, start + 65536));
  return { urls: urls.slice(0, limit), sitemaps };
}, readSitemap = (bytes, url, limit) => {
  let { text } = decodeText(bytes, void 0);
  return /^\s*</.test(text) ? readXml(text, url, limit) : readLines(text, url, limit);
};

// src/Engine/Scrape/Chore.ts
var test = (selector) => getOrThrow(parseSelector(selector)), page = ({ bytes, contentType, options }) => {
  let { text } = decodeText(bytes, contentType), { attributes, exclude, include, rawHtml, ...rest } = options;
  return { ...extract(text, {
    ...rest,
    include: include?.map(test),
    exclude: exclude?.map(test),
    attributes: attributes?.map((query) => ({ ...query, test: test(query.selector) }))
  }), rawHtml: rawHtml ? text : "" };
}, perform = (chore) => {
  let work = chore;
  return work.kind === "page" ? page(work) : readSitemap(work.bytes, work.url, work.limit);
};

export {
  perform
};
