import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Ledger,
  make2 as make5,
  migrations,
  notOpened
} from "./chunk-P7YG24CI.js";
import {
  DatabaseError,
  SqlClient,
  SqlError,
  TransactionConnection,
  custom,
  defaultEscape,
  defaultTransforms,
  layer,
  make as make4,
  makeCompiler,
  migrate,
  whole
} from "./chunk-3IJJA3UF.js";
import {
  codeOf,
  innermost,
  isSqlError,
  reasonOf
} from "./chunk-7DF5MID3.js";
import {
  FileSystem,
  asyncPush,
  exponential,
  get2 as get,
  jittered,
  make2 as make3,
  read,
  repeatEffectChunkOption,
  spaced,
  union,
  unwrapScoped,
  upTo
} from "./chunk-4U3SQ3WC.js";
import {
  catchAll,
  effect,
  effectContext,
  fail as fail2,
  make as make2,
  mapError,
  provide,
  scopedContext,
  unwrapEffect,
  value
} from "./chunk-PAQDWWDE.js";
import {
  GenericTag,
  Scope,
  _void,
  acquireRelease,
  add,
  addFinalizer,
  addFinalizer2,
  as2 as as,
  async,
  catchIf,
  catchTags,
  ensuring2 as ensuring,
  fail5 as fail,
  flatMap5 as flatMap,
  fnUntraced2 as fnUntraced,
  gen,
  getCurrentFiber,
  interruptible2 as interruptible,
  isNonEmptyArray,
  make,
  map9 as map,
  orElseSucceed,
  parse,
  promise,
  retry,
  scope,
  seconds,
  serviceOption,
  sleep2 as sleep,
  succeed4 as succeed,
  suspend2 as suspend,
  sync3 as sync,
  tapBoth,
  timeoutFail,
  timeoutOption,
  toMillis,
  toSeconds,
  tryPromise,
  unsafeFromArray,
  unsafeGet,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  mapLeft
} from "./chunk-FWQRLSGQ.js";
import {
  getOrThrow,
  getOrUndefined,
  isSome,
  none2 as none,
  some2 as some
} from "./chunk-ANBJACJV.js";
import {
  __commonJS,
  __require,
  __toESM
} from "./chunk-E2DHRGUQ.js";

// node_modules/pg/node_modules/postgres-array/index.js
var require_postgres_array = __commonJS({
  "node_modules/pg/node_modules/postgres-array/index.js"(exports) {
    "use strict";
    exports.parse = function(source, transform) {
      return new ArrayParser(source, transform).parse();
    };
    var ArrayParser = class _ArrayParser {
      constructor(source, transform) {
        this.source = source, this.transform = transform || identity, this.position = 0, this.entries = [], this.recorded = [], this.dimension = 0;
      }
      isEof() {
        return this.position >= this.source.length;
      }
      nextCharacter() {
        var character = this.source[this.position++];
        return character === "\\" ? {
          value: this.source[this.position++],
          escaped: !0
        } : {
          value: character,
          escaped: !1
        };
      }
      record(character) {
        this.recorded.push(character);
      }
      newEntry(includeEmpty) {
        var entry;
        (this.recorded.length > 0 || includeEmpty) && (entry = this.recorded.join(""), entry === "NULL" && !includeEmpty && (entry = null), entry !== null && (entry = this.transform(entry)), this.entries.push(entry), this.recorded = []);
      }
      consumeDimensions() {
        if (this.source[0] === "[")
          for (; !this.isEof(); ) {
            var char = this.nextCharacter();
            if (char.value === "=") break;
          }
      }
      parse(nested) {
        var character, parser, quote;
        for (this.consumeDimensions(); !this.isEof(); )
          if (character = this.nextCharacter(), character.value === "{" && !quote)
            this.dimension++, this.dimension > 1 && (parser = new _ArrayParser(this.source.substr(this.position - 1), this.transform), this.entries.push(parser.parse(!0)), this.position += parser.position - 2);
          else if (character.value === "}" && !quote) {
            if (this.dimension--, !this.dimension && (this.newEntry(), nested))
              return this.entries;
          } else character.value === '"' && !character.escaped ? (quote && this.newEntry(!0), quote = !quote) : character.value === "," && !quote ? this.newEntry() : this.record(character.value);
        if (this.dimension !== 0)
          throw new Error("array dimension not balanced");
        return this.entries;
      }
    };
    function identity(value2) {
      return value2;
    }
  }
});

// node_modules/pg/node_modules/pg-types/lib/arrayParser.js
var require_arrayParser = __commonJS({
  "node_modules/pg/node_modules/pg-types/lib/arrayParser.js"(exports, module) {
    var array = require_postgres_array();
    module.exports = {
      create: function(source, transform) {
        return {
          parse: function() {
            return array.parse(source, transform);
          }
        };
      }
    };
  }
});

// node_modules/pg/node_modules/postgres-date/index.js
var require_postgres_date = __commonJS({
  "node_modules/pg/node_modules/postgres-date/index.js"(exports, module) {
    "use strict";
    var DATE_TIME = /(\d{1,})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})(\.\d{1,})?.*?( BC)?$/, DATE = /^(\d{1,})-(\d{2})-(\d{2})( BC)?$/, TIME_ZONE = /([Z+-])(\d{2})?:?(\d{2})?:?(\d{2})?/, INFINITY = /^-?infinity$/;
    module.exports = function(isoDate) {
      if (INFINITY.test(isoDate))
        return Number(isoDate.replace("i", "I"));
      var matches = DATE_TIME.exec(isoDate);
      if (!matches)
        return getDate(isoDate) || null;
      var isBC = !!matches[8], year = parseInt(matches[1], 10);
      isBC && (year = bcYearToNegativeYear(year));
      var month = parseInt(matches[2], 10) - 1, day = matches[3], hour = parseInt(matches[4], 10), minute = parseInt(matches[5], 10), second = parseInt(matches[6], 10), ms = matches[7];
      ms = ms ? 1e3 * parseFloat(ms) : 0;
      var date, offset = timeZoneOffset(isoDate);
      return offset != null ? (date = new Date(Date.UTC(year, month, day, hour, minute, second, ms)), is0To99(year) && date.setUTCFullYear(year), offset !== 0 && date.setTime(date.getTime() - offset)) : (date = new Date(year, month, day, hour, minute, second, ms), is0To99(year) && date.setFullYear(year)), date;
    };
    function getDate(isoDate) {
      var matches = DATE.exec(isoDate);
      if (matches) {
        var year = parseInt(matches[1], 10), isBC = !!matches[4];
        isBC && (year = bcYearToNegativeYear(year));
        var month = parseInt(matches[2], 10) - 1, day = matches[3], date = new Date(year, month, day);
        return is0To99(year) && date.setFullYear(year), date;
      }
    }
    function timeZoneOffset(isoDate) {
      if (isoDate.endsWith("+00"))
        return 0;
      var zone = TIME_ZONE.exec(isoDate.split(" ")[1]);
      if (zone) {
        var type = zone[1];
        if (type === "Z")
          return 0;
        var sign = type === "-" ? -1 : 1, offset = parseInt(zone[2], 10) * 3600 + parseInt(zone[3] || 0, 10) * 60 + parseInt(zone[4] || 0, 10);
        return offset * sign * 1e3;
      }
    }
    function bcYearToNegativeYear(year) {
      return -(year - 1);
    }
    function is0To99(num) {
      return num >= 0 && num < 100;
    }
  }
});

// node_modules/xtend/mutable.js
var require_mutable = __commonJS({
  "node_modules/xtend/mutable.js"(exports, module) {
    module.exports = extend;
    var hasOwnProperty = Object.prototype.hasOwnProperty;
    function extend(target) {
      for (var i = 1; i < arguments.length; i++) {
        var source = arguments[i];
        for (var key in source)
          hasOwnProperty.call(source, key) && (target[key] = source[key]);
      }
      return target;
    }
  }
});

// node_modules/pg/node_modules/postgres-interval/index.js
var require_postgres_interval = __commonJS({
  "node_modules/pg/node_modules/postgres-interval/index.js"(exports, module) {
    "use strict";
    var extend = require_mutable();
    module.exports = PostgresInterval;
    function PostgresInterval(raw) {
      if (!(this instanceof PostgresInterval))
        return new PostgresInterval(raw);
      extend(this, parse3(raw));
    }
    var properties = ["seconds", "minutes", "hours", "days", "months", "years"];
    PostgresInterval.prototype.toPostgres = function() {
      var filtered = properties.filter(this.hasOwnProperty, this);
      return this.milliseconds && filtered.indexOf("seconds") < 0 && filtered.push("seconds"), filtered.length === 0 ? "0" : filtered.map(function(property) {
        var value2 = this[property] || 0;
        return property === "seconds" && this.milliseconds && (value2 = (value2 + this.milliseconds / 1e3).toFixed(6).replace(/\.?0+$/, "")), value2 + " " + property;
      }, this).join(" ");
    };
    var propertiesISOEquivalent = {
      years: "Y",
      months: "M",
      days: "D",
      hours: "H",
      minutes: "M",
      seconds: "S"
    }, dateProperties = ["years", "months", "days"], timeProperties = ["hours", "minutes", "seconds"];
    PostgresInterval.prototype.toISOString = PostgresInterval.prototype.toISO = function() {
      var datePart = dateProperties.map(buildProperty, this).join(""), timePart = timeProperties.map(buildProperty, this).join("");
      return "P" + datePart + "T" + timePart;
      function buildProperty(property) {
        var value2 = this[property] || 0;
        return property === "seconds" && this.milliseconds && (value2 = (value2 + this.milliseconds / 1e3).toFixed(6).replace(/0+$/, "")), value2 + propertiesISOEquivalent[property];
      }
    };
    var NUMBER = "([+-]?\\d+)", YEAR = NUMBER + "\\s+years?", MONTH = NUMBER + "\\s+mons?", DAY = NUMBER + "\\s+days?", TIME = "([+-])?([\\d]*):(\\d\\d):(\\d\\d)\\.?(\\d{1,6})?", INTERVAL = new RegExp([YEAR, MONTH, DAY, TIME].map(function(regexString) {
      return "(" + regexString + ")?";
    }).join("\\s*")), positions = {
      years: 2,
      months: 4,
      days: 6,
      hours: 9,
      minutes: 10,
      seconds: 11,
      milliseconds: 12
    }, negatives = ["hours", "minutes", "seconds", "milliseconds"];
    function parseMilliseconds(fraction) {
      var microseconds = fraction + "000000".slice(fraction.length);
      return parseInt(microseconds, 10) / 1e3;
    }
    function parse3(interval) {
      if (!interval) return {};
      var matches = INTERVAL.exec(interval), isNegative = matches[8] === "-";
      return Object.keys(positions).reduce(function(parsed, property) {
        var position = positions[property], value2 = matches[position];
        return !value2 || (value2 = property === "milliseconds" ? parseMilliseconds(value2) : parseInt(value2, 10), !value2) || (isNegative && ~negatives.indexOf(property) && (value2 *= -1), parsed[property] = value2), parsed;
      }, {});
    }
  }
});

// node_modules/pg/node_modules/postgres-bytea/index.js
var require_postgres_bytea = __commonJS({
  "node_modules/pg/node_modules/postgres-bytea/index.js"(exports, module) {
    "use strict";
    var bufferFrom = Buffer.from || Buffer;
    module.exports = function(input) {
      if (/^\\x/.test(input))
        return bufferFrom(input.substr(2), "hex");
      for (var output = "", i = 0; i < input.length; )
        if (input[i] !== "\\")
          output += input[i], ++i;
        else if (/[0-7]{3}/.test(input.substr(i + 1, 3)))
          output += String.fromCharCode(parseInt(input.substr(i + 1, 3), 8)), i += 4;
        else {
          for (var backslashes = 1; i + backslashes < input.length && input[i + backslashes] === "\\"; )
            backslashes++;
          for (var k = 0; k < Math.floor(backslashes / 2); ++k)
            output += "\\";
          i += Math.floor(backslashes / 2) * 2;
        }
      return bufferFrom(output, "binary");
    };
  }
});

// node_modules/pg/node_modules/pg-types/lib/textParsers.js
var require_textParsers = __commonJS({
  "node_modules/pg/node_modules/pg-types/lib/textParsers.js"(exports, module) {
    var array = require_postgres_array(), arrayParser = require_arrayParser(), parseDate = require_postgres_date(), parseInterval = require_postgres_interval(), parseByteA = require_postgres_bytea();
    function allowNull(fn) {
      return function(value2) {
        return value2 === null ? value2 : fn(value2);
      };
    }
    function parseBool(value2) {
      return value2 === null ? value2 : value2 === "TRUE" || value2 === "t" || value2 === "true" || value2 === "y" || value2 === "yes" || value2 === "on" || value2 === "1";
    }
    function parseBoolArray(value2) {
      return value2 ? array.parse(value2, parseBool) : null;
    }
    function parseBaseTenInt(string) {
      return parseInt(string, 10);
    }
    function parseIntegerArray(value2) {
      return value2 ? array.parse(value2, allowNull(parseBaseTenInt)) : null;
    }
    function parseBigIntegerArray(value2) {
      return value2 ? array.parse(value2, allowNull(function(entry) {
        return parseBigInteger(entry).trim();
      })) : null;
    }
    var parsePointArray = function(value2) {
      if (!value2)
        return null;
      var p = arrayParser.create(value2, function(entry) {
        return entry !== null && (entry = parsePoint(entry)), entry;
      });
      return p.parse();
    }, parseFloatArray = function(value2) {
      if (!value2)
        return null;
      var p = arrayParser.create(value2, function(entry) {
        return entry !== null && (entry = parseFloat(entry)), entry;
      });
      return p.parse();
    }, parseStringArray = function(value2) {
      if (!value2)
        return null;
      var p = arrayParser.create(value2);
      return p.parse();
    }, parseDateArray = function(value2) {
      if (!value2)
        return null;
      var p = arrayParser.create(value2, function(entry) {
        return entry !== null && (entry = parseDate(entry)), entry;
      });
      return p.parse();
    }, parseIntervalArray = function(value2) {
      if (!value2)
        return null;
      var p = arrayParser.create(value2, function(entry) {
        return entry !== null && (entry = parseInterval(entry)), entry;
      });
      return p.parse();
    }, parseByteAArray = function(value2) {
      return value2 ? array.parse(value2, allowNull(parseByteA)) : null;
    }, parseInteger = function(value2) {
      return parseInt(value2, 10);
    }, parseBigInteger = function(value2) {
      var valStr = String(value2);
      return /^\d+$/.test(valStr) ? valStr : value2;
    }, parseJsonArray = function(value2) {
      return value2 ? array.parse(value2, allowNull(JSON.parse)) : null;
    }, parsePoint = function(value2) {
      return value2[0] !== "(" ? null : (value2 = value2.substring(1, value2.length - 1).split(","), {
        x: parseFloat(value2[0]),
        y: parseFloat(value2[1])
      });
    }, parseCircle = function(value2) {
      if (value2[0] !== "<" && value2[1] !== "(")
        return null;
      for (var point = "(", radius = "", pointParsed = !1, i = 2; i < value2.length - 1; i++) {
        if (pointParsed || (point += value2[i]), value2[i] === ")") {
          pointParsed = !0;
          continue;
        } else if (!pointParsed)
          continue;
        value2[i] !== "," && (radius += value2[i]);
      }
      var result = parsePoint(point);
      return result.radius = parseFloat(radius), result;
    }, init = function(register) {
      register(20, parseBigInteger), register(21, parseInteger), register(23, parseInteger), register(26, parseInteger), register(700, parseFloat), register(701, parseFloat), register(16, parseBool), register(1082, parseDate), register(1114, parseDate), register(1184, parseDate), register(600, parsePoint), register(651, parseStringArray), register(718, parseCircle), register(1e3, parseBoolArray), register(1001, parseByteAArray), register(1005, parseIntegerArray), register(1007, parseIntegerArray), register(1028, parseIntegerArray), register(1016, parseBigIntegerArray), register(1017, parsePointArray), register(1021, parseFloatArray), register(1022, parseFloatArray), register(1231, parseFloatArray), register(1014, parseStringArray), register(1015, parseStringArray), register(1008, parseStringArray), register(1009, parseStringArray), register(1040, parseStringArray), register(1041, parseStringArray), register(1115, parseDateArray), register(1182, parseDateArray), register(1185, parseDateArray), register(1186, parseInterval), register(1187, parseIntervalArray), register(17, parseByteA), register(114, JSON.parse.bind(JSON)), register(3802, JSON.parse.bind(JSON)), register(199, parseJsonArray), register(3807, parseJsonArray), register(3907, parseStringArray), register(2951, parseStringArray), register(791, parseStringArray), register(1183, parseStringArray), register(1270, parseStringArray);
    };
    module.exports = {
      init
    };
  }
});

// node_modules/pg-int8/index.js
var require_pg_int8 = __commonJS({
  "node_modules/pg-int8/index.js"(exports, module) {
    "use strict";
    var BASE = 1e6;
    function readInt8(buffer) {
      var high = buffer.readInt32BE(0), low = buffer.readUInt32BE(4), sign = "";
      high < 0 && (high = ~high + (low === 0), low = ~low + 1 >>> 0, sign = "-");
      var result = "", carry, t, digits, pad, l, i;
      {
        if (carry = high % BASE, high = high / BASE >>> 0, t = 4294967296 * carry + low, low = t / BASE >>> 0, digits = "" + (t - BASE * low), low === 0 && high === 0)
          return sign + digits + result;
        for (pad = "", l = 6 - digits.length, i = 0; i < l; i++)
          pad += "0";
        result = pad + digits + result;
      }
      {
        if (carry = high % BASE, high = high / BASE >>> 0, t = 4294967296 * carry + low, low = t / BASE >>> 0, digits = "" + (t - BASE * low), low === 0 && high === 0)
          return sign + digits + result;
        for (pad = "", l = 6 - digits.length, i = 0; i < l; i++)
          pad += "0";
        result = pad + digits + result;
      }
      {
        if (carry = high % BASE, high = high / BASE >>> 0, t = 4294967296 * carry + low, low = t / BASE >>> 0, digits = "" + (t - BASE * low), low === 0 && high === 0)
          return sign + digits + result;
        for (pad = "", l = 6 - digits.length, i = 0; i < l; i++)
          pad += "0";
        result = pad + digits + result;
      }
      return carry = high % BASE, t = 4294967296 * carry + low, digits = "" + t % BASE, sign + digits + result;
    }
    module.exports = readInt8;
  }
});

// node_modules/pg/node_modules/pg-types/lib/binaryParsers.js
var require_binaryParsers = __commonJS({
  "node_modules/pg/node_modules/pg-types/lib/binaryParsers.js"(exports, module) {
    var parseInt64 = require_pg_int8(), parseBits = function(data, bits, offset, invert, callback) {
      offset = offset || 0, invert = invert || !1, callback = callback || function(lastValue, newValue, bits2) {
        return lastValue * Math.pow(2, bits2) + newValue;
      };
      var offsetBytes = offset >> 3, inv = function(value2) {
        return invert ? ~value2 & 255 : value2;
      }, mask = 255, firstBits = 8 - offset % 8;
      bits < firstBits && (mask = 255 << 8 - bits & 255, firstBits = bits), offset && (mask = mask >> offset % 8);
      var result = 0;
      offset % 8 + bits >= 8 && (result = callback(0, inv(data[offsetBytes]) & mask, firstBits));
      for (var bytes = bits + offset >> 3, i = offsetBytes + 1; i < bytes; i++)
        result = callback(result, inv(data[i]), 8);
      var lastBits = (bits + offset) % 8;
      return lastBits > 0 && (result = callback(result, inv(data[bytes]) >> 8 - lastBits, lastBits)), result;
    }, parseFloatFromBits = function(data, precisionBits, exponentBits) {
      var bias = Math.pow(2, exponentBits - 1) - 1, sign = parseBits(data, 1), exponent = parseBits(data, exponentBits, 1);
      if (exponent === 0)
        return 0;
      var precisionBitsCounter = 1, parsePrecisionBits = function(lastValue, newValue, bits) {
        lastValue === 0 && (lastValue = 1);
        for (var i = 1; i <= bits; i++)
          precisionBitsCounter /= 2, (newValue & 1 << bits - i) > 0 && (lastValue += precisionBitsCounter);
        return lastValue;
      }, mantissa = parseBits(data, precisionBits, exponentBits + 1, !1, parsePrecisionBits);
      return exponent == Math.pow(2, exponentBits + 1) - 1 ? mantissa === 0 ? sign === 0 ? 1 / 0 : -1 / 0 : NaN : (sign === 0 ? 1 : -1) * Math.pow(2, exponent - bias) * mantissa;
    }, parseInt16 = function(value2) {
      return parseBits(value2, 1) == 1 ? -1 * (parseBits(value2, 15, 1, !0) + 1) : parseBits(value2, 15, 1);
    }, parseInt32 = function(value2) {
      return parseBits(value2, 1) == 1 ? -1 * (parseBits(value2, 31, 1, !0) + 1) : parseBits(value2, 31, 1);
    }, parseFloat32 = function(value2) {
      return parseFloatFromBits(value2, 23, 8);
    }, parseFloat64 = function(value2) {
      return parseFloatFromBits(value2, 52, 11);
    }, parseNumeric = function(value2) {
      var sign = parseBits(value2, 16, 32);
      if (sign == 49152)
        return NaN;
      for (var weight = Math.pow(1e4, parseBits(value2, 16, 16)), result = 0, digits = [], ndigits = parseBits(value2, 16), i = 0; i < ndigits; i++)
        result += parseBits(value2, 16, 64 + 16 * i) * weight, weight /= 1e4;
      var scale = Math.pow(10, parseBits(value2, 16, 48));
      return (sign === 0 ? 1 : -1) * Math.round(result * scale) / scale;
    }, parseDate = function(isUTC, value2) {
      var sign = parseBits(value2, 1), rawValue = parseBits(value2, 63, 1), result = new Date((sign === 0 ? 1 : -1) * rawValue / 1e3 + 9466848e5);
      return isUTC || result.setTime(result.getTime() + result.getTimezoneOffset() * 6e4), result.usec = rawValue % 1e3, result.getMicroSeconds = function() {
        return this.usec;
      }, result.setMicroSeconds = function(value3) {
        this.usec = value3;
      }, result.getUTCMicroSeconds = function() {
        return this.usec;
      }, result;
    }, parseArray = function(value2) {
      for (var dim = parseBits(value2, 32), flags = parseBits(value2, 32, 32), elementType = parseBits(value2, 32, 64), offset = 96, dims = [], i = 0; i < dim; i++)
        dims[i] = parseBits(value2, 32, offset), offset += 32, offset += 32;
      var parseElement = function(elementType2) {
        var length = parseBits(value2, 32, offset);
        if (offset += 32, length == 4294967295)
          return null;
        var result;
        if (elementType2 == 23 || elementType2 == 20)
          return result = parseBits(value2, length * 8, offset), offset += length * 8, result;
        if (elementType2 == 25)
          return result = value2.toString(this.encoding, offset >> 3, (offset += length << 3) >> 3), result;
        console.log("ERROR: ElementType not implemented: " + elementType2);
      }, parse3 = function(dimension, elementType2) {
        var array = [], i2;
        if (dimension.length > 1) {
          var count = dimension.shift();
          for (i2 = 0; i2 < count; i2++)
            array[i2] = parse3(dimension, elementType2);
          dimension.unshift(count);
        } else
          for (i2 = 0; i2 < dimension[0]; i2++)
            array[i2] = parseElement(elementType2);
        return array;
      };
      return parse3(dims, elementType);
    }, parseText = function(value2) {
      return value2.toString("utf8");
    }, parseBool = function(value2) {
      return value2 === null ? null : parseBits(value2, 8) > 0;
    }, init = function(register) {
      register(20, parseInt64), register(21, parseInt16), register(23, parseInt32), register(26, parseInt32), register(1700, parseNumeric), register(700, parseFloat32), register(701, parseFloat64), register(16, parseBool), register(1114, parseDate.bind(null, !1)), register(1184, parseDate.bind(null, !0)), register(1e3, parseArray), register(1007, parseArray), register(1016, parseArray), register(1008, parseArray), register(1009, parseArray), register(25, parseText);
    };
    module.exports = {
      init
    };
  }
});

// node_modules/pg/node_modules/pg-types/lib/builtins.js
var require_builtins = __commonJS({
  "node_modules/pg/node_modules/pg-types/lib/builtins.js"(exports, module) {
    module.exports = {
      BOOL: 16,
      BYTEA: 17,
      CHAR: 18,
      INT8: 20,
      INT2: 21,
      INT4: 23,
      REGPROC: 24,
      TEXT: 25,
      OID: 26,
      TID: 27,
      XID: 28,
      CID: 29,
      JSON: 114,
      XML: 142,
      PG_NODE_TREE: 194,
      SMGR: 210,
      PATH: 602,
      POLYGON: 604,
      CIDR: 650,
      FLOAT4: 700,
      FLOAT8: 701,
      ABSTIME: 702,
      RELTIME: 703,
      TINTERVAL: 704,
      CIRCLE: 718,
      MACADDR8: 774,
      MONEY: 790,
      MACADDR: 829,
      INET: 869,
      ACLITEM: 1033,
      BPCHAR: 1042,
      VARCHAR: 1043,
      DATE: 1082,
      TIME: 1083,
      TIMESTAMP: 1114,
      TIMESTAMPTZ: 1184,
      INTERVAL: 1186,
      TIMETZ: 1266,
      BIT: 1560,
      VARBIT: 1562,
      NUMERIC: 1700,
      REFCURSOR: 1790,
      REGPROCEDURE: 2202,
      REGOPER: 2203,
      REGOPERATOR: 2204,
      REGCLASS: 2205,
      REGTYPE: 2206,
      UUID: 2950,
      TXID_SNAPSHOT: 2970,
      PG_LSN: 3220,
      PG_NDISTINCT: 3361,
      PG_DEPENDENCIES: 3402,
      TSVECTOR: 3614,
      TSQUERY: 3615,
      GTSVECTOR: 3642,
      REGCONFIG: 3734,
      REGDICTIONARY: 3769,
      JSONB: 3802,
      REGNAMESPACE: 4089,
      REGROLE: 4096
    };
  }
});

// node_modules/pg/node_modules/pg-types/index.js
var require_pg_types = __commonJS({
  "node_modules/pg/node_modules/pg-types/index.js"(exports) {
    var textParsers = require_textParsers(), binaryParsers = require_binaryParsers(), arrayParser = require_arrayParser(), builtinTypes = require_builtins();
    exports.getTypeParser = getTypeParser;
    exports.setTypeParser = setTypeParser;
    exports.arrayParser = arrayParser;
    exports.builtins = builtinTypes;
    var typeParsers = {
      text: {},
      binary: {}
    };
    function noParse(val) {
      return String(val);
    }
    function getTypeParser(oid, format) {
      return format = format || "text", typeParsers[format] && typeParsers[format][oid] || noParse;
    }
    function setTypeParser(oid, format, parseFn) {
      typeof format == "function" && (parseFn = format, format = "text"), typeParsers[format][oid] = parseFn;
    }
    textParsers.init(function(oid, converter) {
      typeParsers.text[oid] = converter;
    });
    binaryParsers.init(function(oid, converter) {
      typeParsers.binary[oid] = converter;
    });
  }
});

// node_modules/pg/lib/defaults.js
var require_defaults = __commonJS({
  "node_modules/pg/lib/defaults.js"(exports, module) {
    "use strict";
    var user;
    try {
      user = process.platform === "win32" ? process.env.USERNAME : process.env.USER;
    } catch {
    }
    module.exports = {
      // database host. defaults to localhost
      host: "localhost",
      // database user's name
      user,
      // name of database to connect
      database: void 0,
      // database user's password
      password: null,
      // a Postgres connection string to be used instead of setting individual connection items
      // NOTE:  Setting this value will cause it to override any other value (such as database or user) defined
      // in the defaults object.
      connectionString: void 0,
      // database port
      port: 5432,
      // number of rows to return at a time from a prepared statement's
      // portal. 0 will return all rows at once
      rows: 0,
      // binary result mode
      binary: !1,
      // Connection pool options - see https://github.com/brianc/node-pg-pool
      // number of connections to use in connection pool
      // 0 will disable connection pooling
      max: 10,
      // max milliseconds a client can go unused before it is removed
      // from the pool and destroyed
      idleTimeoutMillis: 3e4,
      client_encoding: "",
      ssl: !1,
      // SSL negotiation style: 'postgres' (traditional SSLRequest) or 'direct'
      sslnegotiation: void 0,
      application_name: void 0,
      fallback_application_name: void 0,
      options: void 0,
      parseInputDatesAsUTC: !1,
      // max milliseconds any query using this connection will execute for before timing out in error.
      // false=unlimited
      statement_timeout: !1,
      // Abort any statement that waits longer than the specified duration in milliseconds while attempting to acquire a lock.
      // false=unlimited
      lock_timeout: !1,
      // Terminate any session with an open transaction that has been idle for longer than the specified duration in milliseconds
      // false=unlimited
      idle_in_transaction_session_timeout: !1,
      // max milliseconds to wait for query to complete (client side)
      query_timeout: !1,
      connect_timeout: 0,
      keepalives: 1,
      keepalives_idle: 0
    };
    var pgTypes = require_pg_types(), parseBigInteger = pgTypes.getTypeParser(20, "text"), parseBigIntegerArray = pgTypes.getTypeParser(1016, "text");
    module.exports.__defineSetter__("parseInt8", function(val) {
      pgTypes.setTypeParser(20, "text", val ? pgTypes.getTypeParser(23, "text") : parseBigInteger), pgTypes.setTypeParser(1016, "text", val ? pgTypes.getTypeParser(1007, "text") : parseBigIntegerArray);
    });
  }
});

// node_modules/pg/lib/utils.js
var require_utils = __commonJS({
  "node_modules/pg/lib/utils.js"(exports, module) {
    "use strict";
    var defaults3 = require_defaults(), nodeUtils = __require("util"), { isDate } = __require("util/types"), invalidDateDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "Sending an invalid date to Postgres is deprecated and will throw an error in the next major version of pg. Ensure any Date object passed as a query parameter is valid.",
      "PG_INVALID_DATE"
    );
    function escapeElement(elementRepresentation) {
      return '"' + elementRepresentation.replace(/\\/g, "\\\\").replace(/"/g, '\\"') + '"';
    }
    function arrayString(val) {
      let result = "{";
      for (let i = 0; i < val.length; i++) {
        i > 0 && (result += ",");
        let item = val[i];
        item == null ? result += "NULL" : Array.isArray(item) ? result += arrayString(item) : ArrayBuffer.isView(item) ? (item instanceof Buffer || (item = Buffer.from(item.buffer, item.byteOffset, item.byteLength)), result += "\\\\x" + item.toString("hex")) : result += escapeElement(prepareValue(item));
      }
      return result += "}", result;
    }
    var prepareValue = function(val, seen) {
      return val == null ? null : typeof val == "object" ? val instanceof Buffer ? val : ArrayBuffer.isView(val) ? Buffer.from(val.buffer, val.byteOffset, val.byteLength) : isDate(val) ? (isNaN(val.getTime()) && invalidDateDeprecationNotice(), defaults3.parseInputDatesAsUTC ? dateToStringUTC(val) : dateToString(val)) : Array.isArray(val) ? arrayString(val) : prepareObject(val, seen) : val.toString();
    };
    function prepareObject(val, seen) {
      if (val && typeof val.toPostgres == "function") {
        if (seen = seen || [], seen.indexOf(val) !== -1)
          throw new Error('circular reference detected while preparing "' + val + '" for query');
        return seen.push(val), prepareValue(val.toPostgres(prepareValue), seen);
      }
      return JSON.stringify(val);
    }
    function dateToString(date) {
      let offset = -date.getTimezoneOffset(), year = date.getFullYear(), isBCYear = year < 1;
      isBCYear && (year = Math.abs(year) + 1);
      let ret = String(year).padStart(4, "0") + "-" + String(date.getMonth() + 1).padStart(2, "0") + "-" + String(date.getDate()).padStart(2, "0") + "T" + String(date.getHours()).padStart(2, "0") + ":" + String(date.getMinutes()).padStart(2, "0") + ":" + String(date.getSeconds()).padStart(2, "0") + "." + String(date.getMilliseconds()).padStart(3, "0");
      return offset < 0 ? (ret += "-", offset *= -1) : ret += "+", ret += String(Math.floor(offset / 60)).padStart(2, "0") + ":" + String(offset % 60).padStart(2, "0"), isBCYear && (ret += " BC"), ret;
    }
    function dateToStringUTC(date) {
      let year = date.getUTCFullYear(), isBCYear = year < 1;
      isBCYear && (year = Math.abs(year) + 1);
      let ret = String(year).padStart(4, "0") + "-" + String(date.getUTCMonth() + 1).padStart(2, "0") + "-" + String(date.getUTCDate()).padStart(2, "0") + "T" + String(date.getUTCHours()).padStart(2, "0") + ":" + String(date.getUTCMinutes()).padStart(2, "0") + ":" + String(date.getUTCSeconds()).padStart(2, "0") + "." + String(date.getUTCMilliseconds()).padStart(3, "0");
      return ret += "+00:00", isBCYear && (ret += " BC"), ret;
    }
    function normalizeQueryConfig(config, values, callback) {
      return config = typeof config == "string" ? { text: config } : cloneQueryConfig(config), values && (typeof values == "function" ? config.callback = values : config.values = values), callback && (config.callback = callback), config;
    }
    function cloneQueryConfig(config) {
      return config == null ? config : Object.defineProperties(Object.create(Object.getPrototypeOf(config)), Object.getOwnPropertyDescriptors(config));
    }
    var escapeIdentifier2 = function(str) {
      return '"' + str.replace(/"/g, '""') + '"';
    }, escapeLiteral2 = function(str) {
      let hasBackslash = !1, escaped = "'";
      if (str == null || typeof str != "string")
        return "''";
      for (let i = 0; i < str.length; i++) {
        let c = str[i];
        c === "'" ? escaped += c + c : c === "\\" ? (escaped += c + c, hasBackslash = !0) : escaped += c;
      }
      return escaped += "'", hasBackslash === !0 && (escaped = " E" + escaped), escaped;
    };
    module.exports = {
      prepareValue: function(value2) {
        return prepareValue(value2);
      },
      normalizeQueryConfig,
      escapeIdentifier: escapeIdentifier2,
      escapeLiteral: escapeLiteral2
    };
  }
});

// node_modules/pg/lib/crypto/utils.js
var require_utils2 = __commonJS({
  "node_modules/pg/lib/crypto/utils.js"(exports, module) {
    var nodeCrypto = __require("crypto");
    module.exports = {
      postgresMd5PasswordHash,
      randomBytes,
      deriveKey,
      sha256,
      hashByName,
      hmacSha256,
      md5
    };
    var webCrypto = nodeCrypto.webcrypto || globalThis.crypto, subtleCrypto = webCrypto.subtle, textEncoder = new TextEncoder();
    function randomBytes(length) {
      return webCrypto.getRandomValues(Buffer.alloc(length));
    }
    async function md5(string) {
      try {
        return nodeCrypto.createHash("md5").update(string, "utf-8").digest("hex");
      } catch {
        let data = typeof string == "string" ? textEncoder.encode(string) : string, hash = await subtleCrypto.digest("MD5", data);
        return Array.from(new Uint8Array(hash)).map((b) => b.toString(16).padStart(2, "0")).join("");
      }
    }
    async function postgresMd5PasswordHash(user, password, salt) {
      let inner = await md5(password + user);
      return "md5" + await md5(Buffer.concat([Buffer.from(inner), salt]));
    }
    async function sha256(text) {
      return await subtleCrypto.digest("SHA-256", text);
    }
    async function hashByName(hashName, text) {
      return await subtleCrypto.digest(hashName, text);
    }
    async function hmacSha256(keyBuffer, msg) {
      let key = await subtleCrypto.importKey("raw", keyBuffer, { name: "HMAC", hash: "SHA-256" }, !1, ["sign"]);
      return await subtleCrypto.sign("HMAC", key, textEncoder.encode(msg));
    }
    async function deriveKey(password, salt, iterations) {
      let key = await subtleCrypto.importKey("raw", textEncoder.encode(password), "PBKDF2", !1, ["deriveBits"]), params = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
      return await subtleCrypto.deriveBits(params, key, 256, ["deriveBits"]);
    }
  }
});

// node_modules/pg/lib/crypto/cert-signatures.js
var require_cert_signatures = __commonJS({
  "node_modules/pg/lib/crypto/cert-signatures.js"(exports, module) {
    function x509Error(msg, cert) {
      return new Error("SASL channel binding: " + msg + " when parsing public certificate " + cert.toString("base64"));
    }
    function readASN1Length(data, index) {
      let length = data[index++];
      if (length < 128) return { length, index };
      let lengthBytes = length & 127;
      if (lengthBytes > 4) throw x509Error("bad length", data);
      length = 0;
      for (let i = 0; i < lengthBytes; i++)
        length = length << 8 | data[index++];
      return { length, index };
    }
    function readASN1OID(data, index) {
      if (data[index++] !== 6) throw x509Error("non-OID data", data);
      let { length: OIDLength, index: indexAfterOIDLength } = readASN1Length(data, index);
      index = indexAfterOIDLength;
      let lastIndex = index + OIDLength, byte1 = data[index++], oid = (byte1 / 40 >> 0) + "." + byte1 % 40;
      for (; index < lastIndex; ) {
        let value2 = 0;
        for (; index < lastIndex; ) {
          let nextByte = data[index++];
          if (value2 = value2 << 7 | nextByte & 127, nextByte < 128) break;
        }
        oid += "." + value2;
      }
      return { oid, index };
    }
    function expectASN1Seq(data, index) {
      if (data[index++] !== 48) throw x509Error("non-sequence data", data);
      return readASN1Length(data, index);
    }
    function signatureAlgorithmHashFromCertificate(data, index) {
      index === void 0 && (index = 0), index = expectASN1Seq(data, index).index;
      let { length: certInfoLength, index: indexAfterCertInfoLength } = expectASN1Seq(data, index);
      index = indexAfterCertInfoLength + certInfoLength, index = expectASN1Seq(data, index).index;
      let { oid, index: indexAfterOID } = readASN1OID(data, index);
      switch (oid) {
        // RSA
        case "1.2.840.113549.1.1.4":
          return "MD5";
        case "1.2.840.113549.1.1.5":
          return "SHA-1";
        case "1.2.840.113549.1.1.11":
          return "SHA-256";
        case "1.2.840.113549.1.1.12":
          return "SHA-384";
        case "1.2.840.113549.1.1.13":
          return "SHA-512";
        case "1.2.840.113549.1.1.14":
          return "SHA-224";
        case "1.2.840.113549.1.1.15":
          return "SHA512-224";
        case "1.2.840.113549.1.1.16":
          return "SHA512-256";
        // ECDSA
        case "1.2.840.10045.4.1":
          return "SHA-1";
        case "1.2.840.10045.4.3.1":
          return "SHA-224";
        case "1.2.840.10045.4.3.2":
          return "SHA-256";
        case "1.2.840.10045.4.3.3":
          return "SHA-384";
        case "1.2.840.10045.4.3.4":
          return "SHA-512";
        // RSASSA-PSS: hash is indicated separately
        case "1.2.840.113549.1.1.10": {
          if (index = indexAfterOID, index = expectASN1Seq(data, index).index, data[index++] !== 160) throw x509Error("non-tag data", data);
          index = readASN1Length(data, index).index, index = expectASN1Seq(data, index).index;
          let { oid: hashOID } = readASN1OID(data, index);
          switch (hashOID) {
            // standalone hash OIDs
            case "1.2.840.113549.2.5":
              return "MD5";
            case "1.3.14.3.2.26":
              return "SHA-1";
            case "2.16.840.1.101.3.4.2.1":
              return "SHA-256";
            case "2.16.840.1.101.3.4.2.2":
              return "SHA-384";
            case "2.16.840.1.101.3.4.2.3":
              return "SHA-512";
          }
          throw x509Error("unknown hash OID " + hashOID, data);
        }
        // Ed25519 -- see https://github.com/openssl/openssl/issues/15477
        case "1.3.101.110":
        case "1.3.101.112":
          return "SHA-512";
        // Ed448 -- still not in pg 17.2 (if supported, digest would be SHAKE256 x 64 bytes)
        case "1.3.101.111":
        case "1.3.101.113":
          throw x509Error("Ed448 certificate channel binding is not currently supported by Postgres");
      }
      throw x509Error("unknown OID " + oid, data);
    }
    module.exports = { signatureAlgorithmHashFromCertificate };
  }
});

// node_modules/pg/lib/crypto/sasl.js
var require_sasl = __commonJS({
  "node_modules/pg/lib/crypto/sasl.js"(exports, module) {
    "use strict";
    var crypto = require_utils2(), { signatureAlgorithmHashFromCertificate } = require_cert_signatures();
    function saslprep(password) {
      let nonAsciiSpace = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g, mappedToNothing = /[\u00AD\u034F\u1806\u180B\u180C\u180D\u200C\u200D\u2060\uFE00-\uFE0F\uFEFF]/g;
      return password.replace(nonAsciiSpace, " ").replace(mappedToNothing, "").normalize("NFKC");
    }
    var DEFAULT_MAX_SCRAM_ITERATIONS = 1e5;
    function startSession(mechanisms, stream, scramMaxIterations = DEFAULT_MAX_SCRAM_ITERATIONS) {
      let candidates = ["SCRAM-SHA-256"];
      stream && candidates.unshift("SCRAM-SHA-256-PLUS");
      let mechanism = candidates.find((candidate) => mechanisms.includes(candidate));
      if (!mechanism)
        throw new Error("SASL: Only mechanism(s) " + candidates.join(" and ") + " are supported");
      if (mechanism === "SCRAM-SHA-256-PLUS" && typeof stream.getPeerCertificate != "function")
        throw new Error("SASL: Mechanism SCRAM-SHA-256-PLUS requires a certificate");
      let clientNonce = crypto.randomBytes(18).toString("base64");
      return {
        mechanism,
        clientNonce,
        response: (mechanism === "SCRAM-SHA-256-PLUS" ? "p=tls-server-end-point" : stream ? "y" : "n") + ",,n=*,r=" + clientNonce,
        message: "SASLInitialResponse",
        scramMaxIterations
      };
    }
    async function continueSession(session, password, serverData, stream) {
      if (session.message !== "SASLInitialResponse")
        throw new Error("SASL: Last message was not SASLInitialResponse");
      if (typeof password != "string")
        throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string");
      if (password === "")
        throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string");
      if (typeof serverData != "string")
        throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: serverData must be a string");
      let sv = parseServerFirstMessage(serverData);
      if (sv.nonce.startsWith(session.clientNonce)) {
        if (sv.nonce.length === session.clientNonce.length)
          throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: server nonce is too short");
      } else throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: server nonce does not start with client nonce");
      let scramMaxIterations = typeof session.scramMaxIterations == "number" ? session.scramMaxIterations : DEFAULT_MAX_SCRAM_ITERATIONS;
      if (scramMaxIterations !== 0 && sv.iteration > scramMaxIterations)
        throw new Error(
          "SASL: SCRAM-SERVER-FIRST-MESSAGE: iteration count " + sv.iteration + " exceeds scramMaxIterations of " + scramMaxIterations
        );
      let clientFirstMessageBare = "n=*,r=" + session.clientNonce, serverFirstMessage = "r=" + sv.nonce + ",s=" + sv.salt + ",i=" + sv.iteration, channelBinding = stream ? "eSws" : "biws";
      if (session.mechanism === "SCRAM-SHA-256-PLUS") {
        let peerCert = stream.getPeerCertificate().raw, hashName = signatureAlgorithmHashFromCertificate(peerCert);
        (hashName === "MD5" || hashName === "SHA-1") && (hashName = "SHA-256");
        let certHash = await crypto.hashByName(hashName, peerCert);
        channelBinding = Buffer.concat([Buffer.from("p=tls-server-end-point,,"), Buffer.from(certHash)]).toString("base64");
      }
      let clientFinalMessageWithoutProof = "c=" + channelBinding + ",r=" + sv.nonce, authMessage = clientFirstMessageBare + "," + serverFirstMessage + "," + clientFinalMessageWithoutProof, saltBytes = Buffer.from(sv.salt, "base64"), saltedPassword = await crypto.deriveKey(saslprep(password), saltBytes, sv.iteration), clientKey = await crypto.hmacSha256(saltedPassword, "Client Key"), storedKey = await crypto.sha256(clientKey), clientSignature = await crypto.hmacSha256(storedKey, authMessage), clientProof = xorBuffers(Buffer.from(clientKey), Buffer.from(clientSignature)).toString("base64"), serverKey = await crypto.hmacSha256(saltedPassword, "Server Key"), serverSignatureBytes = await crypto.hmacSha256(serverKey, authMessage);
      session.message = "SASLResponse", session.serverSignature = Buffer.from(serverSignatureBytes).toString("base64"), session.response = clientFinalMessageWithoutProof + ",p=" + clientProof;
    }
    function finalizeSession(session, serverData) {
      if (session.message !== "SASLResponse")
        throw new Error("SASL: Last message was not SASLResponse");
      if (typeof serverData != "string")
        throw new Error("SASL: SCRAM-SERVER-FINAL-MESSAGE: serverData must be a string");
      let { serverSignature } = parseServerFinalMessage(serverData);
      if (serverSignature !== session.serverSignature)
        throw new Error("SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match");
    }
    function isPrintableChars(text) {
      if (typeof text != "string")
        throw new TypeError("SASL: text must be a string");
      return text.split("").map((_, i) => text.charCodeAt(i)).every((c) => c >= 33 && c <= 43 || c >= 45 && c <= 126);
    }
    function isBase64(text) {
      return /^(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2}==|[a-zA-Z0-9+/]{3}=)?$/.test(text);
    }
    function parseAttributePairs(text) {
      if (typeof text != "string")
        throw new TypeError("SASL: attribute pairs text must be a string");
      return new Map(
        text.split(",").map((attrValue) => {
          if (!/^.=/.test(attrValue))
            throw new Error("SASL: Invalid attribute pair entry");
          let name = attrValue[0], value2 = attrValue.substring(2);
          return [name, value2];
        })
      );
    }
    function parseServerFirstMessage(data) {
      let attrPairs = parseAttributePairs(data), nonce = attrPairs.get("r");
      if (nonce) {
        if (!isPrintableChars(nonce))
          throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: nonce must only contain printable characters");
      } else throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: nonce missing");
      let salt = attrPairs.get("s");
      if (salt) {
        if (!isBase64(salt))
          throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: salt must be base64");
      } else throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: salt missing");
      let iterationText = attrPairs.get("i");
      if (iterationText) {
        if (!/^[1-9][0-9]*$/.test(iterationText))
          throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: invalid iteration count");
      } else throw new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: iteration missing");
      let iteration = parseInt(iterationText, 10);
      return {
        nonce,
        salt,
        iteration
      };
    }
    function parseServerFinalMessage(serverData) {
      let attrPairs = parseAttributePairs(serverData), error = attrPairs.get("e"), serverSignature = attrPairs.get("v");
      if (error)
        throw new Error(`SASL: SCRAM-SERVER-FINAL-MESSAGE: server returned error: "${error}"`);
      if (serverSignature) {
        if (!isBase64(serverSignature))
          throw new Error("SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature must be base64");
      } else throw new Error("SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature is missing");
      return {
        serverSignature
      };
    }
    function xorBuffers(a, b) {
      if (!Buffer.isBuffer(a))
        throw new TypeError("first argument must be a Buffer");
      if (!Buffer.isBuffer(b))
        throw new TypeError("second argument must be a Buffer");
      if (a.length !== b.length)
        throw new Error("Buffer lengths must match");
      if (a.length === 0)
        throw new Error("Buffers cannot be empty");
      return Buffer.from(a.map((_, i) => a[i] ^ b[i]));
    }
    module.exports = {
      startSession,
      continueSession,
      finalizeSession,
      DEFAULT_MAX_SCRAM_ITERATIONS
    };
  }
});

// node_modules/pg/lib/type-overrides.js
var require_type_overrides = __commonJS({
  "node_modules/pg/lib/type-overrides.js"(exports, module) {
    "use strict";
    var types2 = require_pg_types();
    function TypeOverrides2(userTypes) {
      this._types = userTypes || types2, this.text = {}, this.binary = {};
    }
    TypeOverrides2.prototype.getOverrides = function(format) {
      switch (format) {
        case "text":
          return this.text;
        case "binary":
          return this.binary;
        default:
          return {};
      }
    };
    TypeOverrides2.prototype.setTypeParser = function(oid, format, parseFn) {
      typeof format == "function" && (parseFn = format, format = "text"), this.getOverrides(format)[oid] = parseFn;
    };
    TypeOverrides2.prototype.getTypeParser = function(oid, format) {
      return format = format || "text", this.getOverrides(format)[oid] || this._types.getTypeParser(oid, format);
    };
    module.exports = TypeOverrides2;
  }
});

// node_modules/pg/node_modules/pg-connection-string/index.js
var require_pg_connection_string = __commonJS({
  "node_modules/pg/node_modules/pg-connection-string/index.js"(exports, module) {
    "use strict";
    function parse3(str, options = {}) {
      if (str.charAt(0) === "/") {
        let config2 = str.split(" ");
        return { host: config2[0], database: config2[1] };
      }
      let config = /* @__PURE__ */ Object.create(null), result, dummyHost = !1;
      / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(str) && (str = encodeURI(str).replace(/%25(\d\d)/g, "%$1"));
      try {
        try {
          result = new URL(str, "postgres://base");
        } catch {
          result = new URL(str.replace("@/", "@___DUMMY___/"), "postgres://base"), dummyHost = !0;
        }
      } catch (err) {
        throw err.input && (err.input = "*****REDACTED*****"), err;
      }
      for (let entry of result.searchParams.entries())
        config[entry[0]] = entry[1];
      if (config.user = config.user || decodeURIComponent(result.username), config.password = config.password || decodeURIComponent(result.password), result.protocol == "socket:")
        return config.host = decodeURI(result.pathname), config.database = result.searchParams.get("db"), config.client_encoding = result.searchParams.get("encoding"), config;
      let hostname2 = (dummyHost ? "" : result.hostname).replace(/^\[(.+)\]$/, "$1");
      config.host ? hostname2 && /^%2f/i.test(hostname2) && (result.pathname = hostname2 + result.pathname) : config.host = decodeURIComponent(hostname2), config.port || (config.port = result.port);
      let pathname = result.pathname.slice(1) || null;
      config.database = pathname ? decodeURI(pathname) : null, (config.ssl === "true" || config.ssl === "1") && (config.ssl = !0), config.ssl === "0" && (config.ssl = !1), (config.sslcert || config.sslkey || config.sslrootcert || config.sslmode) && (config.ssl = {}), config.sslnegotiation === "direct" && config.ssl === void 0 && (config.ssl = !0);
      let fs = config.sslcert || config.sslkey || config.sslrootcert ? __require("fs") : null;
      if (config.sslcert && (config.ssl.cert = fs.readFileSync(config.sslcert).toString()), config.sslkey && (config.ssl.key = fs.readFileSync(config.sslkey).toString()), config.sslrootcert && (config.ssl.ca = fs.readFileSync(config.sslrootcert).toString()), options.useLibpqCompat && config.uselibpqcompat)
        throw new Error("Both useLibpqCompat and uselibpqcompat are set. Please use only one of them.");
      if (config.uselibpqcompat === "true" || options.useLibpqCompat)
        switch (config.sslmode) {
          case "disable": {
            config.ssl = !1;
            break;
          }
          case "prefer": {
            config.ssl.rejectUnauthorized = !1;
            break;
          }
          case "require": {
            config.sslrootcert ? config.ssl.checkServerIdentity = function() {
            } : config.ssl.rejectUnauthorized = !1;
            break;
          }
          case "verify-ca": {
            if (!config.ssl.ca)
              throw new Error(
                "SECURITY WARNING: Using sslmode=verify-ca requires specifying a CA with sslrootcert. If a public CA is used, verify-ca allows connections to a server that somebody else may have registered with the CA, making you vulnerable to Man-in-the-Middle attacks. Either specify a custom CA certificate with sslrootcert parameter or use sslmode=verify-full for proper security."
              );
            config.ssl.checkServerIdentity = function() {
            };
            break;
          }
          case "verify-full":
            break;
        }
      else
        switch (config.sslmode) {
          case "disable": {
            config.ssl = !1;
            break;
          }
          case "prefer":
          case "require":
          case "verify-ca":
          case "verify-full": {
            config.sslmode !== "verify-full" && deprecatedSslModeWarning(config.sslmode);
            break;
          }
          case "no-verify": {
            config.ssl.rejectUnauthorized = !1;
            break;
          }
        }
      return config;
    }
    function toConnectionOptions(sslConfig) {
      return Object.entries(sslConfig).reduce((c, [key, value2]) => (value2 != null && (c[key] = value2), c), /* @__PURE__ */ Object.create(null));
    }
    function toClientConfig2(config) {
      return Object.entries(config).reduce((c, [key, value2]) => {
        if (key === "ssl") {
          let sslConfig = value2;
          typeof sslConfig == "boolean" && (c[key] = sslConfig), typeof sslConfig == "object" && (c[key] = toConnectionOptions(sslConfig));
        } else if (value2 != null)
          if (key === "port") {
            if (value2 !== "") {
              let v = parseInt(value2, 10);
              if (isNaN(v))
                throw new Error(`Invalid ${key}: ${value2}`);
              c[key] = v;
            }
          } else
            c[key] = value2;
        return c;
      }, /* @__PURE__ */ Object.create(null));
    }
    function parseIntoClientConfig2(str) {
      return toClientConfig2(parse3(str));
    }
    function deprecatedSslModeWarning(sslmode) {
      !deprecatedSslModeWarning.warned && typeof process < "u" && process.emitWarning && (deprecatedSslModeWarning.warned = !0, process.emitWarning(`SECURITY WARNING: The SSL modes 'prefer', 'require', and 'verify-ca' are treated as aliases for 'verify-full'.
In the next major version (pg-connection-string v3.0.0 and pg v9.0.0), these modes will adopt standard libpq semantics, which have weaker security guarantees.

To prepare for this change:
- If you want the current behavior, explicitly use 'sslmode=verify-full'
- If you want libpq compatibility now, use 'uselibpqcompat=true&sslmode=${sslmode}'

See https://www.postgresql.org/docs/current/libpq-ssl.html for libpq SSL mode definitions.`));
    }
    module.exports = parse3;
    parse3.parse = parse3;
    parse3.toClientConfig = toClientConfig2;
    parse3.parseIntoClientConfig = parseIntoClientConfig2;
  }
});

// node_modules/pg/lib/connection-parameters.js
var require_connection_parameters = __commonJS({
  "node_modules/pg/lib/connection-parameters.js"(exports, module) {
    "use strict";
    var dns = __require("dns"), defaults3 = require_defaults(), parse3 = require_pg_connection_string().parse, val = function(key, config, envVar) {
      return config[key] ? config[key] : (envVar === void 0 ? envVar = process.env["PG" + key.toUpperCase()] : envVar === !1 || (envVar = process.env[envVar]), envVar || defaults3[key]);
    }, readSSLConfigFromEnvironment = function() {
      switch (process.env.PGSSLMODE) {
        case "disable":
          return !1;
        case "prefer":
        case "require":
        case "verify-ca":
        case "verify-full":
          return !0;
        case "no-verify":
          return { rejectUnauthorized: !1 };
      }
      return defaults3.ssl;
    }, quoteParamValue = function(value2) {
      return "'" + ("" + value2).replace(/\\/g, "\\\\").replace(/'/g, "\\'") + "'";
    }, add2 = function(params, config, paramName) {
      let value2 = config[paramName];
      value2 != null && params.push(paramName + "=" + quoteParamValue(value2));
    }, ConnectionParameters = class {
      constructor(config) {
        if (config = typeof config == "string" ? parse3(config) : config || {}, config.connectionString && (config = Object.assign({}, config, parse3(config.connectionString))), this.user = val("user", config), this.database = val("database", config), this.database === void 0 && (this.database = this.user), this.port = parseInt(val("port", config), 10), this.host = val("host", config), Object.defineProperty(this, "password", {
          configurable: !0,
          enumerable: !1,
          writable: !0,
          value: val("password", config)
        }), this.binary = val("binary", config), this.options = val("options", config), this.ssl = typeof config.ssl > "u" ? readSSLConfigFromEnvironment() : config.ssl, typeof this.ssl == "string" && this.ssl === "true" && (this.ssl = !0), this.ssl === "no-verify" && (this.ssl = { rejectUnauthorized: !1 }), this.ssl && this.ssl.key && Object.defineProperty(this.ssl, "key", {
          enumerable: !1
        }), this.sslnegotiation = val("sslnegotiation", config, "PGSSLNEGOTIATION"), this.sslnegotiation !== void 0 && this.sslnegotiation !== "postgres" && this.sslnegotiation !== "direct")
          throw new Error(
            `Invalid sslnegotiation value: "${this.sslnegotiation}". Valid values are "postgres" and "direct".`
          );
        if (this.sslnegotiation === "direct" && !this.ssl)
          throw new Error("sslnegotiation=direct requires SSL to be enabled");
        this.client_encoding = val("client_encoding", config), this.replication = val("replication", config), this.isDomainSocket = !(this.host || "").indexOf("/"), this.application_name = val("application_name", config, "PGAPPNAME"), this.fallback_application_name = val("fallback_application_name", config, !1), this.statement_timeout = val("statement_timeout", config, !1), this.lock_timeout = val("lock_timeout", config, !1), this.idle_in_transaction_session_timeout = val("idle_in_transaction_session_timeout", config, !1), this.query_timeout = val("query_timeout", config, !1), config.connectionTimeoutMillis === void 0 ? this.connect_timeout = process.env.PGCONNECT_TIMEOUT || 0 : this.connect_timeout = Math.floor(config.connectionTimeoutMillis / 1e3), config.keepAlive === !1 ? this.keepalives = 0 : config.keepAlive === !0 && (this.keepalives = 1), typeof config.keepAliveInitialDelayMillis == "number" && (this.keepalives_idle = Math.floor(config.keepAliveInitialDelayMillis / 1e3));
      }
      getLibpqConnectionString(cb) {
        let params = [];
        add2(params, this, "user"), add2(params, this, "password"), add2(params, this, "port"), add2(params, this, "application_name"), add2(params, this, "fallback_application_name"), add2(params, this, "connect_timeout"), add2(params, this, "options");
        let ssl = typeof this.ssl == "object" ? this.ssl : this.ssl ? { sslmode: this.ssl } : {};
        if (add2(params, ssl, "sslmode"), add2(params, ssl, "sslca"), add2(params, ssl, "sslkey"), add2(params, ssl, "sslcert"), add2(params, ssl, "sslrootcert"), add2(params, this, "sslnegotiation"), this.database && params.push("dbname=" + quoteParamValue(this.database)), this.replication && params.push("replication=" + quoteParamValue(this.replication)), this.host && params.push("host=" + quoteParamValue(this.host)), this.isDomainSocket)
          return cb(null, params.join(" "));
        this.client_encoding && params.push("client_encoding=" + quoteParamValue(this.client_encoding)), dns.lookup(this.host, function(err, address) {
          return err ? cb(err, null) : (params.push("hostaddr=" + quoteParamValue(address)), cb(null, params.join(" ")));
        });
      }
    };
    module.exports = ConnectionParameters;
  }
});

// node_modules/pg/lib/result.js
var require_result = __commonJS({
  "node_modules/pg/lib/result.js"(exports, module) {
    "use strict";
    var types2 = require_pg_types(), matchRegexp = /^([A-Za-z]+)(?: (\d+))?(?: (\d+))?/, Result2 = class {
      constructor(rowMode, types3) {
        this.command = null, this.rowCount = null, this.oid = null, this.rows = [], this.fields = [], this._parsers = void 0, this._types = types3, this.RowCtor = null, this.rowAsArray = rowMode === "array", this.rowAsArray && (this.parseRow = this._parseRowAsArray), this._prebuiltEmptyResultObject = null;
      }
      // adds a command complete message
      addCommandComplete(msg) {
        let match;
        msg.text ? match = matchRegexp.exec(msg.text) : match = matchRegexp.exec(msg.command), match && (this.command = match[1], match[3] ? (this.oid = parseInt(match[2], 10), this.rowCount = parseInt(match[3], 10)) : match[2] && (this.rowCount = parseInt(match[2], 10)));
      }
      _parseRowAsArray(rowData) {
        let row = new Array(rowData.length);
        for (let i = 0, len = rowData.length; i < len; i++) {
          let rawValue = rowData[i];
          rawValue !== null ? row[i] = this._parsers[i](rawValue) : row[i] = null;
        }
        return row;
      }
      parseRow(rowData) {
        let row = { ...this._prebuiltEmptyResultObject };
        for (let i = 0, len = rowData.length; i < len; i++) {
          let rawValue = rowData[i], field = this.fields[i].name;
          if (rawValue !== null) {
            let v = this.fields[i].format === "binary" ? Buffer.from(rawValue) : rawValue;
            row[field] = this._parsers[i](v);
          } else
            row[field] = null;
        }
        return row;
      }
      addRow(row) {
        this.rows.push(row);
      }
      addFields(fieldDescriptions) {
        this.fields = fieldDescriptions, this.fields.length && (this._parsers = new Array(fieldDescriptions.length));
        let row = /* @__PURE__ */ Object.create(null);
        for (let i = 0; i < fieldDescriptions.length; i++) {
          let desc = fieldDescriptions[i];
          row[desc.name] = null, this._types ? this._parsers[i] = this._types.getTypeParser(desc.dataTypeID, desc.format || "text") : this._parsers[i] = types2.getTypeParser(desc.dataTypeID, desc.format || "text");
        }
        this._prebuiltEmptyResultObject = { ...row };
      }
    };
    module.exports = Result2;
  }
});

// node_modules/pg/lib/query.js
var require_query = __commonJS({
  "node_modules/pg/lib/query.js"(exports, module) {
    "use strict";
    var { EventEmitter } = __require("events"), Result2 = require_result(), utils = require_utils(), Query2 = class extends EventEmitter {
      constructor(config, values, callback) {
        super(), config = utils.normalizeQueryConfig(config, values, callback), this.text = config.text, this.values = config.values, this.rows = config.rows, this.types = config.types, this.name = config.name, this.queryMode = config.queryMode, this.binary = config.binary, this.portal = config.portal || "", this.callback = config.callback, this._rowMode = config.rowMode, process.domain && config.callback && (this.callback = process.domain.bind(config.callback)), this._result = new Result2(this._rowMode, this.types), this._results = this._result, this._canceledDueToError = !1;
      }
      requiresPreparation() {
        return this.queryMode === "extended" || this.name || this.rows ? !0 : !this.text || !this.values ? !1 : this.values.length > 0;
      }
      _checkForMultirow() {
        this._result.command && (Array.isArray(this._results) || (this._results = [this._result]), this._result = new Result2(this._rowMode, this._result._types), this._results.push(this._result));
      }
      // associates row metadata from the supplied
      // message with this query object
      // metadata used when parsing row results
      handleRowDescription(msg) {
        this._checkForMultirow(), this._result.addFields(msg.fields), this._accumulateRows = this.callback || !this.listeners("row").length;
      }
      handleDataRow(msg) {
        let row;
        if (!this._canceledDueToError) {
          try {
            row = this._result.parseRow(msg.fields);
          } catch (err) {
            this._canceledDueToError = err;
            return;
          }
          this.emit("row", row, this._result), this._accumulateRows && this._result.addRow(row);
        }
      }
      handleCommandComplete(msg, connection) {
        this._checkForMultirow(), this._result.addCommandComplete(msg), this.rows && connection.sync();
      }
      // if a named prepared statement is created with empty query text
      // the backend will send an emptyQuery message but *not* a command complete message
      // since we pipeline sync immediately after execute we don't need to do anything here
      // unless we have rows specified, in which case we did not pipeline the initial sync call
      handleEmptyQuery(connection) {
        this.rows && connection.sync();
      }
      handleError(err, connection) {
        if (this._canceledDueToError && (err = this._canceledDueToError, this._canceledDueToError = !1), this.callback)
          return this.callback(err);
        this.emit("error", err);
      }
      handleReadyForQuery(con) {
        if (this._canceledDueToError)
          return this.handleError(this._canceledDueToError, con);
        if (this.callback)
          try {
            this.callback(null, this._results);
          } catch (err) {
            process.nextTick(() => {
              throw err;
            });
          }
        this.emit("end", this._results);
      }
      submit(connection) {
        if (typeof this.text != "string" && typeof this.name != "string")
          return new Error("A query must have either text or a name. Supplying neither is unsupported.");
        let previous = connection.parsedStatements[this.name] || connection.submittedNamedStatements[this.name];
        if (this.text && previous && this.text !== previous)
          return new Error(`Prepared statements must be unique - '${this.name}' was used for a different statement`);
        if (this.values && !Array.isArray(this.values))
          return new Error("Query values must be an array");
        if (this.requiresPreparation()) {
          connection.stream.cork && connection.stream.cork();
          try {
            this.prepare(connection);
          } finally {
            connection.stream.uncork && connection.stream.uncork();
          }
        } else
          connection.query(this.text);
        return null;
      }
      hasBeenParsed(connection) {
        return this.name && (connection.parsedStatements[this.name] !== void 0 || connection.submittedNamedStatements[this.name] !== void 0);
      }
      handlePortalSuspended(connection) {
        this._getRows(connection, this.rows);
      }
      _getRows(connection, rows) {
        connection.execute({
          portal: this.portal,
          rows
        }), rows ? connection.flush() : connection.sync();
      }
      // http://developer.postgresql.org/pgdocs/postgres/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
      prepare(connection) {
        this.hasBeenParsed(connection) || (connection.parse({
          text: this.text,
          name: this.name,
          types: this.types
        }), this.name && (connection.submittedNamedStatements[this.name] = this.text));
        try {
          connection.bind({
            portal: this.portal,
            statement: this.name,
            values: this.values,
            binary: this.binary,
            valueMapper: utils.prepareValue
          });
        } catch (err) {
          connection.close({ type: "S", name: this.name }), connection.sync(), this.handleError(err, connection);
          return;
        }
        connection.describe({
          type: "P",
          name: this.portal || ""
        }), this._getRows(connection, this.rows);
      }
      handleCopyInResponse(connection) {
        connection.sendCopyFail("No source stream defined");
      }
      handleCopyData(msg, connection) {
      }
    };
    module.exports = Query2;
  }
});

// node_modules/pg-protocol/dist/messages.js
var require_messages = __commonJS({
  "node_modules/pg-protocol/dist/messages.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.NoticeMessage = exports.DataRowMessage = exports.CommandCompleteMessage = exports.ReadyForQueryMessage = exports.NotificationResponseMessage = exports.BackendKeyDataMessage = exports.AuthenticationMD5Password = exports.ParameterStatusMessage = exports.ParameterDescriptionMessage = exports.RowDescriptionMessage = exports.Field = exports.CopyResponse = exports.CopyDataMessage = exports.DatabaseError = exports.copyDone = exports.emptyQuery = exports.replicationStart = exports.portalSuspended = exports.noData = exports.closeComplete = exports.bindComplete = exports.parseComplete = void 0;
    exports.parseComplete = {
      name: "parseComplete",
      length: 5
    };
    exports.bindComplete = {
      name: "bindComplete",
      length: 5
    };
    exports.closeComplete = {
      name: "closeComplete",
      length: 5
    };
    exports.noData = {
      name: "noData",
      length: 5
    };
    exports.portalSuspended = {
      name: "portalSuspended",
      length: 5
    };
    exports.replicationStart = {
      name: "replicationStart",
      length: 4
    };
    exports.emptyQuery = {
      name: "emptyQuery",
      length: 4
    };
    exports.copyDone = {
      name: "copyDone",
      length: 4
    };
    var DatabaseError3 = class extends Error {
      constructor(message, length, name) {
        super(message), this.length = length, this.name = name;
      }
    };
    exports.DatabaseError = DatabaseError3;
    var CopyDataMessage = class {
      constructor(length, chunk) {
        this.length = length, this.chunk = chunk, this.name = "copyData";
      }
    };
    exports.CopyDataMessage = CopyDataMessage;
    var CopyResponse = class {
      constructor(length, name, binary, columnCount) {
        this.length = length, this.name = name, this.binary = binary, this.columnTypes = new Array(columnCount);
      }
    };
    exports.CopyResponse = CopyResponse;
    var Field = class {
      constructor(name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier, format) {
        this.name = name, this.tableID = tableID, this.columnID = columnID, this.dataTypeID = dataTypeID, this.dataTypeSize = dataTypeSize, this.dataTypeModifier = dataTypeModifier, this.format = format;
      }
    };
    exports.Field = Field;
    var RowDescriptionMessage = class {
      constructor(length, fieldCount) {
        this.length = length, this.fieldCount = fieldCount, this.name = "rowDescription", this.fields = new Array(this.fieldCount);
      }
    };
    exports.RowDescriptionMessage = RowDescriptionMessage;
    var ParameterDescriptionMessage = class {
      constructor(length, parameterCount) {
        this.length = length, this.parameterCount = parameterCount, this.name = "parameterDescription", this.dataTypeIDs = new Array(this.parameterCount);
      }
    };
    exports.ParameterDescriptionMessage = ParameterDescriptionMessage;
    var ParameterStatusMessage = class {
      constructor(length, parameterName, parameterValue) {
        this.length = length, this.parameterName = parameterName, this.parameterValue = parameterValue, this.name = "parameterStatus";
      }
    };
    exports.ParameterStatusMessage = ParameterStatusMessage;
    var AuthenticationMD5Password = class {
      constructor(length, salt) {
        this.length = length, this.salt = salt, this.name = "authenticationMD5Password";
      }
    };
    exports.AuthenticationMD5Password = AuthenticationMD5Password;
    var BackendKeyDataMessage = class {
      constructor(length, processID, secretKey) {
        this.length = length, this.processID = processID, this.secretKey = secretKey, this.name = "backendKeyData";
      }
    };
    exports.BackendKeyDataMessage = BackendKeyDataMessage;
    var NotificationResponseMessage = class {
      constructor(length, processId, channel, payload) {
        this.length = length, this.processId = processId, this.channel = channel, this.payload = payload, this.name = "notification";
      }
    };
    exports.NotificationResponseMessage = NotificationResponseMessage;
    var ReadyForQueryMessage = class {
      constructor(length, status) {
        this.length = length, this.status = status, this.name = "readyForQuery";
      }
    };
    exports.ReadyForQueryMessage = ReadyForQueryMessage;
    var CommandCompleteMessage = class {
      constructor(length, text) {
        this.length = length, this.text = text, this.name = "commandComplete";
      }
    };
    exports.CommandCompleteMessage = CommandCompleteMessage;
    var DataRowMessage = class {
      constructor(length, fields) {
        this.length = length, this.fields = fields, this.name = "dataRow", this.fieldCount = fields.length;
      }
    };
    exports.DataRowMessage = DataRowMessage;
    var NoticeMessage = class {
      constructor(length, message) {
        this.length = length, this.message = message, this.name = "notice";
      }
    };
    exports.NoticeMessage = NoticeMessage;
  }
});

// node_modules/pg-protocol/dist/buffer-writer.js
var require_buffer_writer = __commonJS({
  "node_modules/pg-protocol/dist/buffer-writer.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.Writer = void 0;
    var Writer = class {
      constructor(size = 256) {
        this.size = size, this.offset = 5, this.headerPosition = 0, this.buffer = Buffer.allocUnsafe(size);
      }
      ensure(size) {
        if (this.buffer.length - this.offset < size) {
          let oldBuffer = this.buffer, newSize = oldBuffer.length + (oldBuffer.length >> 1) + size;
          this.buffer = Buffer.allocUnsafe(newSize), oldBuffer.copy(this.buffer, 0, 0, this.offset);
        }
      }
      addInt32(num) {
        return this.ensure(4), this.buffer[this.offset++] = num >>> 24 & 255, this.buffer[this.offset++] = num >>> 16 & 255, this.buffer[this.offset++] = num >>> 8 & 255, this.buffer[this.offset++] = num >>> 0 & 255, this;
      }
      addInt16(num) {
        return this.ensure(2), this.buffer[this.offset++] = num >>> 8 & 255, this.buffer[this.offset++] = num >>> 0 & 255, this;
      }
      addCString(string) {
        if (!string)
          this.ensure(1);
        else {
          let len = Buffer.byteLength(string);
          this.ensure(len + 1), this.buffer.write(string, this.offset, "utf-8"), this.offset += len;
        }
        return this.buffer[this.offset++] = 0, this;
      }
      addString(string = "") {
        let len = Buffer.byteLength(string);
        return this.ensure(len), this.buffer.write(string, this.offset), this.offset += len, this;
      }
      // Write an Int32 byte-length prefix immediately followed by the string's UTF-8
      // bytes. Postgres' Bind wire format prefixes every parameter with its length,
      // and doing it in one method computes Buffer.byteLength ONCE — the previous
      // `addInt32(Buffer.byteLength(s)).addString(s)` pairing scanned the string
      // three times (byteLength for the prefix, byteLength again inside addString,
      // then the encode), which is costly for large text parameters.
      addInt32PrefixedString(string) {
        let len = Buffer.byteLength(string);
        this.ensure(4 + len);
        let buffer = this.buffer, offset = this.offset;
        return buffer[offset++] = len >>> 24 & 255, buffer[offset++] = len >>> 16 & 255, buffer[offset++] = len >>> 8 & 255, buffer[offset++] = len >>> 0 & 255, buffer.write(string, offset, "utf-8"), this.offset = offset + len, this;
      }
      add(otherBuffer) {
        return this.ensure(otherBuffer.length), otherBuffer.copy(this.buffer, this.offset), this.offset += otherBuffer.length, this;
      }
      /**
       * Appends an uninitialized block of {@link size} bytes to the buffer and returns its offset.
       */
      reserveUnsafe(size) {
        let offset = this.offset;
        return this.ensure(size), this.offset += size, offset;
      }
      join(code) {
        if (code) {
          this.buffer[this.headerPosition] = code;
          let length = this.offset - (this.headerPosition + 1);
          this.buffer.writeInt32BE(length, this.headerPosition + 1);
        }
        return this.buffer.slice(code ? 0 : 5, this.offset);
      }
      flush(code) {
        let result = this.join(code);
        return this.offset = 5, this.headerPosition = 0, this.buffer = Buffer.allocUnsafe(this.size), result;
      }
      clear() {
        this.offset = 5, this.headerPosition = 0;
      }
    };
    exports.Writer = Writer;
  }
});

// node_modules/pg-protocol/dist/serializer.js
var require_serializer = __commonJS({
  "node_modules/pg-protocol/dist/serializer.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.serialize = void 0;
    var buffer_writer_1 = require_buffer_writer(), writer = new buffer_writer_1.Writer(), startup = (opts) => {
      writer.addInt16(3).addInt16(0);
      for (let key of Object.keys(opts))
        writer.addCString(key).addCString(opts[key]);
      writer.addCString("client_encoding").addCString("UTF8");
      let bodyBuffer = writer.addCString("").flush(), length = bodyBuffer.length + 4;
      return new buffer_writer_1.Writer().addInt32(length).add(bodyBuffer).flush();
    }, requestSsl = () => {
      let response = Buffer.allocUnsafe(8);
      return response.writeInt32BE(8, 0), response.writeInt32BE(80877103, 4), response;
    }, password = (password2) => writer.addCString(password2).flush(
      112
      /* code.startup */
    ), sendSASLInitialResponseMessage = function(mechanism, initialResponse) {
      return writer.addCString(mechanism).addInt32PrefixedString(initialResponse), writer.flush(
        112
        /* code.startup */
      );
    }, sendSCRAMClientFinalMessage = function(additionalData) {
      return writer.addString(additionalData).flush(
        112
        /* code.startup */
      );
    }, query = (text) => writer.addCString(text).flush(
      81
      /* code.query */
    ), emptyArray = [], parse3 = (query2) => {
      let name = query2.name || "";
      name.length > 63 && (console.error("Warning! Postgres only supports 63 characters for query names."), console.error("You supplied %s (%s)", name, name.length), console.error("This can cause conflicts and silent errors executing queries"));
      let types2 = query2.types || emptyArray, len = types2.length, buffer = writer.addCString(name).addCString(query2.text).addInt16(len);
      for (let i = 0; i < len; i++)
        buffer.addInt32(types2[i]);
      return writer.flush(
        80
        /* code.parse */
      );
    }, writeValues = function(values, valueMapper, formatsOffset) {
      let len = values.length;
      for (let i = 0; i < len; i++) {
        let mappedVal = valueMapper ? valueMapper(values[i], i) : values[i], formatByte = 0;
        mappedVal == null ? writer.addInt32(-1) : mappedVal instanceof Buffer ? (formatByte = 1, writer.addInt32(mappedVal.length), writer.add(mappedVal)) : writer.addInt32PrefixedString(mappedVal);
        let buf = writer.buffer;
        buf[formatsOffset++] = 0, buf[formatsOffset++] = formatByte;
      }
    }, bind = (config = {}) => {
      let portal = config.portal || "", statement = config.statement || "", binary = config.binary || !1, values = config.values || emptyArray, len = values.length;
      writer.addCString(portal).addCString(statement), writer.addInt16(len);
      let formatsOffset = writer.reserveUnsafe(len * 2);
      writer.addInt16(len);
      try {
        writeValues(values, config.valueMapper, formatsOffset);
      } catch (err) {
        throw writer.clear(), err;
      }
      return writer.addInt16(1), writer.addInt16(
        binary ? 1 : 0
        /* ParamType.STRING */
      ), writer.flush(
        66
        /* code.bind */
      );
    }, emptyExecute = Buffer.from([69, 0, 0, 0, 9, 0, 0, 0, 0, 0]), execute = (config) => {
      if (!config || !config.portal && !config.rows)
        return emptyExecute;
      let portal = config.portal || "", rows = config.rows || 0, portalLength = Buffer.byteLength(portal), len = 4 + portalLength + 1 + 4, buff = Buffer.allocUnsafe(1 + len);
      return buff[0] = 69, buff.writeInt32BE(len, 1), buff.write(portal, 5, "utf-8"), buff[portalLength + 5] = 0, buff.writeUInt32BE(rows, buff.length - 4), buff;
    }, cancel = (processID, secretKey) => {
      let buffer = Buffer.allocUnsafe(16);
      return buffer.writeInt32BE(16, 0), buffer.writeInt16BE(1234, 4), buffer.writeInt16BE(5678, 6), buffer.writeInt32BE(processID, 8), buffer.writeInt32BE(secretKey, 12), buffer;
    }, cstringMessage = (code, string) => {
      let len = 4 + Buffer.byteLength(string) + 1, buffer = Buffer.allocUnsafe(1 + len);
      return buffer[0] = code, buffer.writeInt32BE(len, 1), buffer.write(string, 5, "utf-8"), buffer[len] = 0, buffer;
    }, emptyDescribePortal = writer.addCString("P").flush(
      68
      /* code.describe */
    ), emptyDescribeStatement = writer.addCString("S").flush(
      68
      /* code.describe */
    ), describe = (msg) => msg.name ? cstringMessage(68, `${msg.type}${msg.name || ""}`) : msg.type === "P" ? emptyDescribePortal : emptyDescribeStatement, close = (msg) => {
      let text = `${msg.type}${msg.name || ""}`;
      return cstringMessage(67, text);
    }, copyData = (chunk) => writer.add(chunk).flush(
      100
      /* code.copyFromChunk */
    ), copyFail = (message) => cstringMessage(102, message), codeOnlyBuffer = (code) => Buffer.from([code, 0, 0, 0, 4]), flushBuffer = codeOnlyBuffer(
      72
      /* code.flush */
    ), syncBuffer = codeOnlyBuffer(
      83
      /* code.sync */
    ), endBuffer = codeOnlyBuffer(
      88
      /* code.end */
    ), copyDoneBuffer = codeOnlyBuffer(
      99
      /* code.copyDone */
    ), serialize = {
      startup,
      password,
      requestSsl,
      sendSASLInitialResponseMessage,
      sendSCRAMClientFinalMessage,
      query,
      parse: parse3,
      bind,
      execute,
      describe,
      close,
      flush: () => flushBuffer,
      sync: () => syncBuffer,
      end: () => endBuffer,
      copyData,
      copyDone: () => copyDoneBuffer,
      copyFail,
      cancel
    };
    exports.serialize = serialize;
  }
});

// node_modules/pg-protocol/dist/buffer-reader.js
var require_buffer_reader = __commonJS({
  "node_modules/pg-protocol/dist/buffer-reader.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.BufferReader = void 0;
    var BufferReader = class {
      constructor(offset = 0) {
        this.offset = offset, this.buffer = Buffer.allocUnsafe(0), this.encoding = "utf-8";
      }
      setBuffer(offset, buffer) {
        this.offset = offset, this.buffer = buffer;
      }
      int16() {
        let result = this.buffer.readInt16BE(this.offset);
        return this.offset += 2, result;
      }
      byte() {
        let result = this.buffer[this.offset];
        return this.offset++, result;
      }
      int32() {
        let result = this.buffer.readInt32BE(this.offset);
        return this.offset += 4, result;
      }
      uint32() {
        let result = this.buffer.readUInt32BE(this.offset);
        return this.offset += 4, result;
      }
      string(length) {
        let result = this.buffer.toString(this.encoding, this.offset, this.offset + length);
        return this.offset += length, result;
      }
      cstring() {
        let start = this.offset, end = start;
        for (; this.buffer[end++]; )
          ;
        return this.offset = end, this.buffer.toString(this.encoding, start, end - 1);
      }
      bytes(length) {
        let result = this.buffer.slice(this.offset, this.offset + length);
        return this.offset += length, result;
      }
    };
    exports.BufferReader = BufferReader;
  }
});

// node_modules/pg-protocol/dist/parser.js
var require_parser = __commonJS({
  "node_modules/pg-protocol/dist/parser.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.Parser = void 0;
    var messages_1 = require_messages(), buffer_reader_1 = require_buffer_reader(), CODE_LENGTH = 1, LEN_LENGTH = 4, HEADER_LENGTH = CODE_LENGTH + LEN_LENGTH, LATEINIT_LENGTH = -1, emptyBuffer = Buffer.allocUnsafe(0), Parser = class {
      constructor(opts) {
        if (this.buffer = emptyBuffer, this.bufferLength = 0, this.bufferOffset = 0, this.reader = new buffer_reader_1.BufferReader(), opts?.mode === "binary")
          throw new Error("Binary mode not supported yet");
        this.mode = opts?.mode || "text";
      }
      parse(buffer, callback) {
        this.mergeBuffer(buffer);
        let bufferFullLength = this.bufferOffset + this.bufferLength, offset = this.bufferOffset;
        for (; offset + HEADER_LENGTH <= bufferFullLength; ) {
          let code = this.buffer[offset], length = this.buffer.readUInt32BE(offset + CODE_LENGTH), fullMessageLength = CODE_LENGTH + length;
          if (fullMessageLength + offset <= bufferFullLength) {
            let message = this.handlePacket(offset + HEADER_LENGTH, code, length, this.buffer);
            callback(message), offset += fullMessageLength;
          } else
            break;
        }
        offset === bufferFullLength ? (this.buffer = emptyBuffer, this.bufferLength = 0, this.bufferOffset = 0) : (this.bufferLength = bufferFullLength - offset, this.bufferOffset = offset);
      }
      mergeBuffer(buffer) {
        if (this.bufferLength > 0) {
          let newLength = this.bufferLength + buffer.byteLength;
          if (newLength + this.bufferOffset > this.buffer.byteLength) {
            let newBuffer;
            if (newLength <= this.buffer.byteLength && this.bufferOffset >= this.bufferLength)
              newBuffer = this.buffer;
            else {
              let newBufferLength = this.buffer.byteLength * 2;
              for (; newLength >= newBufferLength; )
                newBufferLength *= 2;
              newBuffer = Buffer.allocUnsafe(newBufferLength);
            }
            this.buffer.copy(newBuffer, 0, this.bufferOffset, this.bufferOffset + this.bufferLength), this.buffer = newBuffer, this.bufferOffset = 0;
          }
          buffer.copy(this.buffer, this.bufferOffset + this.bufferLength), this.bufferLength = newLength;
        } else
          this.buffer = buffer, this.bufferOffset = 0, this.bufferLength = buffer.byteLength;
      }
      handlePacket(offset, code, length, bytes) {
        let { reader } = this;
        reader.setBuffer(offset, bytes);
        let message;
        switch (code) {
          case 50:
            message = messages_1.bindComplete;
            break;
          case 49:
            message = messages_1.parseComplete;
            break;
          case 51:
            message = messages_1.closeComplete;
            break;
          case 110:
            message = messages_1.noData;
            break;
          case 115:
            message = messages_1.portalSuspended;
            break;
          case 99:
            message = messages_1.copyDone;
            break;
          case 87:
            message = messages_1.replicationStart;
            break;
          case 73:
            message = messages_1.emptyQuery;
            break;
          case 68:
            message = parseDataRowMessage(reader);
            break;
          case 67:
            message = parseCommandCompleteMessage(reader);
            break;
          case 90:
            message = parseReadyForQueryMessage(reader);
            break;
          case 65:
            message = parseNotificationMessage(reader);
            break;
          case 82:
            message = parseAuthenticationResponse(reader, length);
            break;
          case 83:
            message = parseParameterStatusMessage(reader);
            break;
          case 75:
            message = parseBackendKeyData(reader);
            break;
          case 69:
            message = parseErrorMessage(reader, "error");
            break;
          case 78:
            message = parseErrorMessage(reader, "notice");
            break;
          case 84:
            message = parseRowDescriptionMessage(reader);
            break;
          case 116:
            message = parseParameterDescriptionMessage(reader);
            break;
          case 71:
            message = parseCopyInMessage(reader);
            break;
          case 72:
            message = parseCopyOutMessage(reader);
            break;
          case 100:
            message = parseCopyData(reader, length);
            break;
          default:
            return new messages_1.DatabaseError("received invalid response: " + code.toString(16), length, "error");
        }
        return reader.setBuffer(0, emptyBuffer), message.length = length, message;
      }
    };
    exports.Parser = Parser;
    var parseReadyForQueryMessage = (reader) => {
      let status = reader.string(1);
      return new messages_1.ReadyForQueryMessage(LATEINIT_LENGTH, status);
    }, parseCommandCompleteMessage = (reader) => {
      let text = reader.cstring();
      return new messages_1.CommandCompleteMessage(LATEINIT_LENGTH, text);
    }, parseCopyData = (reader, length) => {
      let chunk = reader.bytes(length - 4);
      return new messages_1.CopyDataMessage(LATEINIT_LENGTH, chunk);
    }, parseCopyInMessage = (reader) => parseCopyMessage(reader, "copyInResponse"), parseCopyOutMessage = (reader) => parseCopyMessage(reader, "copyOutResponse"), parseCopyMessage = (reader, messageName) => {
      let isBinary = reader.byte() !== 0, columnCount = reader.int16(), message = new messages_1.CopyResponse(LATEINIT_LENGTH, messageName, isBinary, columnCount);
      for (let i = 0; i < columnCount; i++)
        message.columnTypes[i] = reader.int16();
      return message;
    }, parseNotificationMessage = (reader) => {
      let processId = reader.int32(), channel = reader.cstring(), payload = reader.cstring();
      return new messages_1.NotificationResponseMessage(LATEINIT_LENGTH, processId, channel, payload);
    }, parseRowDescriptionMessage = (reader) => {
      let fieldCount = reader.int16(), message = new messages_1.RowDescriptionMessage(LATEINIT_LENGTH, fieldCount);
      for (let i = 0; i < fieldCount; i++)
        message.fields[i] = parseField(reader);
      return message;
    }, parseField = (reader) => {
      let name = reader.cstring(), tableID = reader.uint32(), columnID = reader.int16(), dataTypeID = reader.uint32(), dataTypeSize = reader.int16(), dataTypeModifier = reader.int32(), mode = reader.int16() === 0 ? "text" : "binary";
      return new messages_1.Field(name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier, mode);
    }, parseParameterDescriptionMessage = (reader) => {
      let parameterCount = reader.int16(), message = new messages_1.ParameterDescriptionMessage(LATEINIT_LENGTH, parameterCount);
      for (let i = 0; i < parameterCount; i++)
        message.dataTypeIDs[i] = reader.uint32();
      return message;
    }, parseDataRowMessage = (reader) => {
      let fieldCount = reader.int16(), fields = new Array(fieldCount);
      for (let i = 0; i < fieldCount; i++) {
        let len = reader.int32();
        fields[i] = len === -1 ? null : reader.string(len);
      }
      return new messages_1.DataRowMessage(LATEINIT_LENGTH, fields);
    }, parseParameterStatusMessage = (reader) => {
      let name = reader.cstring(), value2 = reader.cstring();
      return new messages_1.ParameterStatusMessage(LATEINIT_LENGTH, name, value2);
    }, parseBackendKeyData = (reader) => {
      let processID = reader.int32(), secretKey = reader.int32();
      return new messages_1.BackendKeyDataMessage(LATEINIT_LENGTH, processID, secretKey);
    }, parseAuthenticationResponse = (reader, length) => {
      let code = reader.int32(), message = {
        name: "authenticationOk",
        length
      };
      switch (code) {
        case 0:
          break;
        case 3:
          message.length === 8 && (message.name = "authenticationCleartextPassword");
          break;
        case 5:
          if (message.length === 12) {
            message.name = "authenticationMD5Password";
            let salt = reader.bytes(4);
            return new messages_1.AuthenticationMD5Password(LATEINIT_LENGTH, salt);
          }
          break;
        case 10:
          {
            message.name = "authenticationSASL", message.mechanisms = [];
            let mechanism;
            do
              mechanism = reader.cstring(), mechanism && message.mechanisms.push(mechanism);
            while (mechanism);
          }
          break;
        case 11:
          message.name = "authenticationSASLContinue", message.data = reader.string(length - 8);
          break;
        case 12:
          message.name = "authenticationSASLFinal", message.data = reader.string(length - 8);
          break;
        default:
          throw new Error("Unknown authenticationOk message type " + code);
      }
      return message;
    }, parseErrorMessage = (reader, name) => {
      let fields = {}, fieldType = reader.string(1);
      for (; fieldType !== "\0"; )
        fields[fieldType] = reader.cstring(), fieldType = reader.string(1);
      let messageValue = fields.M, message = name === "notice" ? new messages_1.NoticeMessage(LATEINIT_LENGTH, messageValue) : new messages_1.DatabaseError(messageValue, LATEINIT_LENGTH, name);
      return message.severity = fields.S, message.code = fields.C, message.detail = fields.D, message.hint = fields.H, message.position = fields.P, message.internalPosition = fields.p, message.internalQuery = fields.q, message.where = fields.W, message.schema = fields.s, message.table = fields.t, message.column = fields.c, message.dataType = fields.d, message.constraint = fields.n, message.file = fields.F, message.line = fields.L, message.routine = fields.R, message;
    };
  }
});

// node_modules/pg-protocol/dist/index.js
var require_dist = __commonJS({
  "node_modules/pg-protocol/dist/index.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.DatabaseError = exports.serialize = void 0;
    exports.parse = parse3;
    var messages_1 = require_messages();
    Object.defineProperty(exports, "DatabaseError", { enumerable: !0, get: function() {
      return messages_1.DatabaseError;
    } });
    var serializer_1 = require_serializer();
    Object.defineProperty(exports, "serialize", { enumerable: !0, get: function() {
      return serializer_1.serialize;
    } });
    var parser_1 = require_parser();
    function parse3(stream, callback) {
      let parser = new parser_1.Parser();
      return stream.on("data", (buffer) => parser.parse(buffer, callback)), new Promise((resolve) => stream.on("end", () => resolve()));
    }
  }
});

// node_modules/pg-cloudflare/dist/empty.js
var require_empty = __commonJS({
  "node_modules/pg-cloudflare/dist/empty.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    exports.default = {};
  }
});

// node_modules/pg/lib/stream.js
var require_stream = __commonJS({
  "node_modules/pg/lib/stream.js"(exports, module) {
    var { getStream, getSecureStream } = getStreamFuncs();
    module.exports = {
      /**
       * Get a socket stream compatible with the current runtime environment.
       * @returns {Duplex}
       */
      getStream,
      /**
       * Get a TLS secured socket, compatible with the current environment,
       * using the socket and other settings given in `options`.
       * @returns {Duplex}
       */
      getSecureStream
    };
    function getNodejsStreamFuncs() {
      function getStream2(ssl) {
        let net = __require("net");
        return new net.Socket();
      }
      function getSecureStream2(options) {
        return __require("tls").connect(options);
      }
      return {
        getStream: getStream2,
        getSecureStream: getSecureStream2
      };
    }
    function getCloudflareStreamFuncs() {
      function getStream2(ssl) {
        let { CloudflareSocket } = require_empty();
        return new CloudflareSocket(ssl);
      }
      function getSecureStream2(options) {
        return options.socket.startTls(options), options.socket;
      }
      return {
        getStream: getStream2,
        getSecureStream: getSecureStream2
      };
    }
    function isCloudflareRuntime() {
      if (typeof navigator == "object" && navigator !== null && typeof navigator.userAgent == "string")
        return navigator.userAgent === "Cloudflare-Workers";
      if (typeof Response == "function") {
        let resp = new Response(null, { cf: { thing: !0 } });
        if (typeof resp.cf == "object" && resp.cf !== null && resp.cf.thing)
          return !0;
      }
      return !1;
    }
    function getStreamFuncs() {
      return isCloudflareRuntime() ? getCloudflareStreamFuncs() : getNodejsStreamFuncs();
    }
  }
});

// node_modules/pg/lib/connection.js
var require_connection = __commonJS({
  "node_modules/pg/lib/connection.js"(exports, module) {
    "use strict";
    var EventEmitter = __require("events").EventEmitter, { parse: parse3, serialize } = require_dist(), stream = require_stream(), { getStream } = stream, flushBuffer = serialize.flush(), syncBuffer = serialize.sync(), endBuffer = serialize.end(), Connection2 = class extends EventEmitter {
      constructor(config) {
        super(), config = config || {}, this.stream = config.stream || getStream(config.ssl), typeof this.stream == "function" && (this.stream = this.stream(config)), this._keepAlive = config.keepAlive, this._keepAliveInitialDelayMillis = config.keepAliveInitialDelayMillis, this.parsedStatements = {}, this.submittedNamedStatements = {}, this.ssl = config.ssl || !1, this.sslNegotiation = config.sslNegotiation || "postgres", this._ending = !1, this._emitMessage = !1;
        let self = this;
        this.on("newListener", function(eventName) {
          eventName === "message" && (self._emitMessage = !0);
        });
      }
      connect(port, host) {
        let self = this;
        this._connecting = !0, this.stream.setNoDelay(!0), this.stream.connect(port, host), this.stream.once("connect", function() {
          self._keepAlive && self.stream.setKeepAlive(!0, self._keepAliveInitialDelayMillis), self.emit("connect");
        });
        let reportStreamError = function(error) {
          self._ending && (error.code === "ECONNRESET" || error.code === "EPIPE") || self.emit("error", error);
        };
        if (this.stream.on("error", reportStreamError), this.stream.on("close", function() {
          self.emit("end");
        }), !this.ssl)
          return this.attachListeners(this.stream);
        if (this.sslNegotiation === "direct")
          return this.stream.once("connect", function() {
            self.upgradeToSSL(host, reportStreamError);
          });
        this.stream.once("data", function(buffer) {
          switch (buffer.toString("utf8")) {
            case "S":
              break;
            case "N":
              return self.stream.end(), self.emit("error", new Error("The server does not support SSL connections"));
            default:
              return self.stream.end(), self.emit("error", new Error("There was an error establishing an SSL connection"));
          }
          self.upgradeToSSL(host, reportStreamError);
        });
      }
      upgradeToSSL(host, reportStreamError) {
        let self = this, options = {
          socket: self.stream,
          // tls.connect checks the server identity against `servername`, falling
          // back to `host` and then to 'localhost'. `servername` must stay unset
          // for IP addresses (see below), so `host` is needed to keep certificate
          // validation working when connecting to an IP address.
          host
        };
        self.ssl !== !0 && (Object.assign(options, self.ssl), "key" in self.ssl && (options.key = self.ssl.key)), self.sslNegotiation === "direct" && (options.ALPNProtocols = ["postgresql"]);
        let net = __require("net");
        net.isIP && net.isIP(host) === 0 && (options.servername = host);
        try {
          self.stream = stream.getSecureStream(options);
        } catch (err) {
          return self.emit("error", err);
        }
        self.attachListeners(self.stream), self.stream.on("error", reportStreamError), self.emit("sslconnect");
      }
      attachListeners(stream2) {
        parse3(stream2, (msg) => {
          let eventName = msg.name === "error" ? "errorMessage" : msg.name;
          this._emitMessage && this.emit("message", msg), this.emit(eventName, msg);
        });
      }
      requestSsl() {
        this.stream.write(serialize.requestSsl());
      }
      startup(config) {
        this.stream.write(serialize.startup(config));
      }
      cancel(processID, secretKey) {
        this._send(serialize.cancel(processID, secretKey));
      }
      password(password) {
        this._send(serialize.password(password));
      }
      sendSASLInitialResponseMessage(mechanism, initialResponse) {
        this._send(serialize.sendSASLInitialResponseMessage(mechanism, initialResponse));
      }
      sendSCRAMClientFinalMessage(additionalData) {
        this._send(serialize.sendSCRAMClientFinalMessage(additionalData));
      }
      _send(buffer) {
        return this.stream.writable ? this.stream.write(buffer) : !1;
      }
      query(text) {
        this._send(serialize.query(text));
      }
      // send parse message
      parse(query) {
        this._send(serialize.parse(query));
      }
      // send bind message
      bind(config) {
        this._send(serialize.bind(config));
      }
      // send execute message
      execute(config) {
        this._send(serialize.execute(config));
      }
      flush() {
        this.stream.writable && this.stream.write(flushBuffer);
      }
      sync() {
        this._send(syncBuffer);
      }
      ref() {
        this.stream.ref();
      }
      unref() {
        this.stream.unref();
      }
      end() {
        if (this._ending = !0, !this._connecting || !this.stream.writable) {
          this.stream.end();
          return;
        }
        return this.stream.write(endBuffer, () => {
          this.stream.end();
        });
      }
      close(msg) {
        this._send(serialize.close(msg));
      }
      describe(msg) {
        this._send(serialize.describe(msg));
      }
      sendCopyFromChunk(chunk) {
        this._send(serialize.copyData(chunk));
      }
      endCopyFrom() {
        this._send(serialize.copyDone());
      }
      sendCopyFail(msg) {
        this._send(serialize.copyFail(msg));
      }
    };
    module.exports = Connection2;
  }
});

// node_modules/split2/index.js
var require_split2 = __commonJS({
  "node_modules/split2/index.js"(exports, module) {
    "use strict";
    var { Transform } = __require("stream"), { StringDecoder } = __require("string_decoder"), kLast = /* @__PURE__ */ Symbol("last"), kDecoder = /* @__PURE__ */ Symbol("decoder");
    function transform(chunk, enc, cb) {
      let list;
      if (this.overflow) {
        if (list = this[kDecoder].write(chunk).split(this.matcher), list.length === 1) return cb();
        list.shift(), this.overflow = !1;
      } else
        this[kLast] += this[kDecoder].write(chunk), list = this[kLast].split(this.matcher);
      this[kLast] = list.pop();
      for (let i = 0; i < list.length; i++)
        try {
          push(this, this.mapper(list[i]));
        } catch (error) {
          return cb(error);
        }
      if (this.overflow = this[kLast].length > this.maxLength, this.overflow && !this.skipOverflow) {
        cb(new Error("maximum buffer reached"));
        return;
      }
      cb();
    }
    function flush(cb) {
      if (this[kLast] += this[kDecoder].end(), this[kLast])
        try {
          push(this, this.mapper(this[kLast]));
        } catch (error) {
          return cb(error);
        }
      cb();
    }
    function push(self, val) {
      val !== void 0 && self.push(val);
    }
    function noop(incoming) {
      return incoming;
    }
    function split(matcher, mapper, options) {
      switch (matcher = matcher || /\r?\n/, mapper = mapper || noop, options = options || {}, arguments.length) {
        case 1:
          typeof matcher == "function" ? (mapper = matcher, matcher = /\r?\n/) : typeof matcher == "object" && !(matcher instanceof RegExp) && !matcher[Symbol.split] && (options = matcher, matcher = /\r?\n/);
          break;
        case 2:
          typeof matcher == "function" ? (options = mapper, mapper = matcher, matcher = /\r?\n/) : typeof mapper == "object" && (options = mapper, mapper = noop);
      }
      options = Object.assign({}, options), options.autoDestroy = !0, options.transform = transform, options.flush = flush, options.readableObjectMode = !0;
      let stream = new Transform(options);
      return stream[kLast] = "", stream[kDecoder] = new StringDecoder("utf8"), stream.matcher = matcher, stream.mapper = mapper, stream.maxLength = options.maxLength, stream.skipOverflow = options.skipOverflow || !1, stream.overflow = !1, stream._destroy = function(err, cb) {
        this._writableState.errorEmitted = !1, cb(err);
      }, stream;
    }
    module.exports = split;
  }
});

// node_modules/pgpass/lib/helper.js
var require_helper = __commonJS({
  "node_modules/pgpass/lib/helper.js"(exports, module) {
    "use strict";
    var path = __require("path"), Stream = __require("stream").Stream, split = require_split2(), util = __require("util"), defaultPort = 5432, isWin = process.platform === "win32", warnStream = process.stderr, S_IRWXG = 56, S_IRWXO = 7, S_IFMT = 61440, S_IFREG = 32768;
    function isRegFile(mode) {
      return (mode & S_IFMT) == S_IFREG;
    }
    var fieldNames = ["host", "port", "database", "user", "password"], nrOfFields = fieldNames.length, passKey = fieldNames[nrOfFields - 1];
    function warn() {
      var isWritable = warnStream instanceof Stream && warnStream.writable === !0;
      if (isWritable) {
        var args = Array.prototype.slice.call(arguments).concat(`
`);
        warnStream.write(util.format.apply(util, args));
      }
    }
    Object.defineProperty(module.exports, "isWin", {
      get: function() {
        return isWin;
      },
      set: function(val) {
        isWin = val;
      }
    });
    module.exports.warnTo = function(stream) {
      var old = warnStream;
      return warnStream = stream, old;
    };
    module.exports.getFileName = function(rawEnv) {
      var env = rawEnv || process.env, file = env.PGPASSFILE || (isWin ? path.join(env.APPDATA || "./", "postgresql", "pgpass.conf") : path.join(env.HOME || "./", ".pgpass"));
      return file;
    };
    module.exports.usePgPass = function(stats, fname) {
      return Object.prototype.hasOwnProperty.call(process.env, "PGPASSWORD") ? !1 : isWin ? !0 : (fname = fname || "<unkn>", isRegFile(stats.mode) ? stats.mode & (S_IRWXG | S_IRWXO) ? (warn('WARNING: password file "%s" has group or world access; permissions should be u=rw (0600) or less', fname), !1) : !0 : (warn('WARNING: password file "%s" is not a plain file', fname), !1));
    };
    var matcher = module.exports.match = function(connInfo, entry) {
      return fieldNames.slice(0, -1).reduce(function(prev, field, idx) {
        return idx == 1 && Number(connInfo[field] || defaultPort) === Number(entry[field]) ? prev && !0 : prev && (entry[field] === "*" || entry[field] === connInfo[field]);
      }, !0);
    };
    module.exports.getPassword = function(connInfo, stream, cb) {
      var pass, lineStream = stream.pipe(split());
      function onLine(line) {
        var entry = parseLine(line);
        entry && isValidEntry(entry) && matcher(connInfo, entry) && (pass = entry[passKey], lineStream.end());
      }
      var onEnd = function() {
        stream.destroy(), cb(pass);
      }, onErr = function(err) {
        stream.destroy(), warn("WARNING: error on reading file: %s", err), cb(void 0);
      };
      stream.on("error", onErr), lineStream.on("data", onLine).on("end", onEnd).on("error", onErr);
    };
    var parseLine = module.exports.parseLine = function(line) {
      if (line.length < 11 || line.match(/^\s+#/))
        return null;
      for (var curChar = "", prevChar = "", fieldIdx = 0, startIdx = 0, endIdx = 0, obj = {}, isLastField = !1, addToObj = function(idx, i0, i1) {
        var field = line.substring(i0, i1);
        Object.hasOwnProperty.call(process.env, "PGPASS_NO_DEESCAPE") || (field = field.replace(/\\([:\\])/g, "$1")), obj[fieldNames[idx]] = field;
      }, i = 0; i < line.length - 1; i += 1) {
        if (curChar = line.charAt(i + 1), prevChar = line.charAt(i), isLastField = fieldIdx == nrOfFields - 1, isLastField) {
          addToObj(fieldIdx, startIdx);
          break;
        }
        i >= 0 && curChar == ":" && prevChar !== "\\" && (addToObj(fieldIdx, startIdx, i + 1), startIdx = i + 2, fieldIdx += 1);
      }
      return obj = Object.keys(obj).length === nrOfFields ? obj : null, obj;
    }, isValidEntry = module.exports.isValidEntry = function(entry) {
      for (var rules = {
        // host
        0: function(x) {
          return x.length > 0;
        },
        // port
        1: function(x) {
          return x === "*" ? !0 : (x = Number(x), isFinite(x) && x > 0 && x < 9007199254740992 && Math.floor(x) === x);
        },
        // database
        2: function(x) {
          return x.length > 0;
        },
        // username
        3: function(x) {
          return x.length > 0;
        },
        // password
        4: function(x) {
          return x.length > 0;
        }
      }, idx = 0; idx < fieldNames.length; idx += 1) {
        var rule = rules[idx], value2 = entry[fieldNames[idx]] || "", res = rule(value2);
        if (!res)
          return !1;
      }
      return !0;
    };
  }
});

// node_modules/pgpass/lib/index.js
var require_lib = __commonJS({
  "node_modules/pgpass/lib/index.js"(exports, module) {
    "use strict";
    var path = __require("path"), fs = __require("fs"), helper = require_helper();
    module.exports = function(connInfo, cb) {
      var file = helper.getFileName();
      fs.stat(file, function(err, stat) {
        if (err || !helper.usePgPass(stat, file))
          return cb(void 0);
        var st = fs.createReadStream(file);
        helper.getPassword(connInfo, st, cb);
      });
    };
    module.exports.warnTo = helper.warnTo;
  }
});

// node_modules/pg/lib/client.js
var require_client = __commonJS({
  "node_modules/pg/lib/client.js"(exports, module) {
    var EventEmitter = __require("events").EventEmitter, utils = require_utils(), nodeUtils = __require("util"), sasl = require_sasl(), TypeOverrides2 = require_type_overrides(), ConnectionParameters = require_connection_parameters(), Query2 = require_query(), defaults3 = require_defaults(), Connection2 = require_connection(), crypto = require_utils2(), activeQueryDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "Client.activeQuery is deprecated and will be removed in pg@9.0"
    ), queryQueueDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "Client.queryQueue is deprecated and will be removed in pg@9.0."
    ), pgPassDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "pgpass support is deprecated and will be removed in pg@9.0. You can provide an async function as the password property to the Client/Pool constructor that returns a password instead. Within this function you can call the pgpass module in your own code."
    ), byoPromiseDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "Passing a custom Promise implementation to the Client/Pool constructor is deprecated and will be removed in pg@9.0."
    ), queryQueueLengthDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "Calling client.query() when the client is already executing a query is deprecated and will be removed in pg@9.0. Use async/await or an external async flow control mechanism instead."
    );
    function coerceNumberOrDefault(value2, defaultValue) {
      if (typeof value2 == "number")
        return Number.isFinite(value2) ? value2 : defaultValue;
      if (typeof value2 == "string" && value2.trim() !== "") {
        let n = Number(value2);
        return Number.isFinite(n) ? n : defaultValue;
      }
      return defaultValue;
    }
    var Client2 = class extends EventEmitter {
      constructor(config) {
        super(), this.connectionParameters = new ConnectionParameters(config), this.user = this.connectionParameters.user, this.database = this.connectionParameters.database, this.port = this.connectionParameters.port, this.host = this.connectionParameters.host, Object.defineProperty(this, "password", {
          configurable: !0,
          enumerable: !1,
          writable: !0,
          value: this.connectionParameters.password
        }), this.replication = this.connectionParameters.replication;
        let c = config || {};
        c.Promise && byoPromiseDeprecationNotice(), this._Promise = c.Promise || global.Promise, this._types = new TypeOverrides2(c.types), this._ending = !1, this._ended = !1, this._connecting = !1, this._connected = !1, this._connectionError = !1, this._queryable = !0, this._activeQuery = null, this._txStatus = null, this.enableChannelBinding = !!c.enableChannelBinding, this.scramMaxIterations = coerceNumberOrDefault(c.scramMaxIterations, sasl.DEFAULT_MAX_SCRAM_ITERATIONS), this.connection = c.connection || new Connection2({
          stream: c.stream,
          ssl: this.connectionParameters.ssl,
          sslNegotiation: this.connectionParameters.sslnegotiation,
          keepAlive: c.keepAlive || !1,
          keepAliveInitialDelayMillis: c.keepAliveInitialDelayMillis || 0,
          encoding: this.connectionParameters.client_encoding || "utf8"
        }), this._queryQueue = [], this._sentQueryQueue = [], this.pipeline = !!c.pipeline, this.binary = c.binary || defaults3.binary, this.processID = null, this.secretKey = null, this.ssl = this.connectionParameters.ssl || !1, this.sslNegotiation = this.connectionParameters.sslnegotiation || "postgres", this.ssl && this.ssl.key && Object.defineProperty(this.ssl, "key", {
          enumerable: !1
        }), this._connectionTimeoutMillis = c.connectionTimeoutMillis || 0;
      }
      get activeQuery() {
        return activeQueryDeprecationNotice(), this._activeQuery;
      }
      set activeQuery(val) {
        activeQueryDeprecationNotice(), this._activeQuery = val;
      }
      _getActiveQuery() {
        return this._activeQuery;
      }
      _errorAllQueries(err) {
        let enqueueError = (query) => {
          process.nextTick(() => {
            query.handleError(err, this.connection);
          });
        }, activeQuery = this._getActiveQuery();
        activeQuery && (enqueueError(activeQuery), this._activeQuery = null), this._sentQueryQueue.forEach(enqueueError), this._sentQueryQueue.length = 0, this._queryQueue.forEach(enqueueError), this._queryQueue.length = 0;
      }
      _connect(callback) {
        let self = this, con = this.connection;
        if (this._connectionCallback = callback, this._connecting || this._connected) {
          let err = new Error("Client has already been connected. You cannot reuse a client.");
          process.nextTick(() => {
            callback(err);
          });
          return;
        }
        this._connecting = !0, this._connectionTimeoutMillis > 0 && (this.connectionTimeoutHandle = setTimeout(() => {
          con._ending = !0, con.stream.destroy(new Error("timeout expired"));
        }, this._connectionTimeoutMillis), this.connectionTimeoutHandle.unref && this.connectionTimeoutHandle.unref()), this.host && this.host.indexOf("/") === 0 ? con.connect(this.host + "/.s.PGSQL." + this.port) : con.connect(this.port, this.host), con.on("connect", function() {
          self.ssl ? self.sslNegotiation !== "direct" && con.requestSsl() : con.startup(self.getStartupConf());
        }), con.on("sslconnect", function() {
          con.startup(self.getStartupConf());
        }), this._attachListeners(con), con.once("end", () => {
          let error = this._ending ? new Error("Connection terminated") : new Error("Connection terminated unexpectedly");
          clearTimeout(this.connectionTimeoutHandle), this._errorAllQueries(error), this._ended = !0, this._ending || (this._connecting && !this._connectionError ? this._connectionCallback ? this._connectionCallback(error) : this._handleErrorEvent(error) : this._connectionError || this._handleErrorEvent(error)), process.nextTick(() => {
            this.emit("end");
          });
        });
      }
      connect(callback) {
        if (callback) {
          this._connect(callback);
          return;
        }
        return new this._Promise((resolve, reject) => {
          this._connect((error) => {
            error ? reject(error) : resolve(this);
          });
        });
      }
      _attachListeners(con) {
        con.on("authenticationCleartextPassword", this._handleAuthCleartextPassword.bind(this)), con.on("authenticationMD5Password", this._handleAuthMD5Password.bind(this)), con.on("authenticationSASL", this._handleAuthSASL.bind(this)), con.on("authenticationSASLContinue", this._handleAuthSASLContinue.bind(this)), con.on("authenticationSASLFinal", this._handleAuthSASLFinal.bind(this)), con.on("backendKeyData", this._handleBackendKeyData.bind(this)), con.on("error", this._handleErrorEvent.bind(this)), con.on("errorMessage", this._handleErrorMessage.bind(this)), con.on("readyForQuery", this._handleReadyForQuery.bind(this)), con.on("notice", this._handleNotice.bind(this)), con.on("rowDescription", this._handleRowDescription.bind(this)), con.on("dataRow", this._handleDataRow.bind(this)), con.on("portalSuspended", this._handlePortalSuspended.bind(this)), con.on("emptyQuery", this._handleEmptyQuery.bind(this)), con.on("commandComplete", this._handleCommandComplete.bind(this)), con.on("parseComplete", this._handleParseComplete.bind(this)), con.on("copyInResponse", this._handleCopyInResponse.bind(this)), con.on("copyData", this._handleCopyData.bind(this)), con.on("notification", this._handleNotification.bind(this));
      }
      _getPassword(cb) {
        let con = this.connection;
        if (typeof this.password == "function")
          this._Promise.resolve().then(() => this.password(this.connectionParameters)).then((pass) => {
            if (pass !== void 0) {
              if (typeof pass != "string") {
                con.emit("error", new TypeError("Password must be a string"));
                return;
              }
              this.connectionParameters.password = this.password = pass;
            } else
              this.connectionParameters.password = this.password = null;
            cb();
          }).catch((err) => {
            con.emit("error", err);
          });
        else if (this.password !== null)
          cb();
        else
          try {
            require_lib()(this.connectionParameters, (pass) => {
              pass !== void 0 && (pgPassDeprecationNotice(), this.connectionParameters.password = this.password = pass), cb();
            });
          } catch (e) {
            this.emit("error", e);
          }
      }
      _handleAuthCleartextPassword(msg) {
        this._getPassword(() => {
          this.connection.password(this.password);
        });
      }
      _handleAuthMD5Password(msg) {
        this._getPassword(async () => {
          try {
            let hashedPassword = await crypto.postgresMd5PasswordHash(this.user, this.password, msg.salt);
            this.connection.password(hashedPassword);
          } catch (e) {
            this.emit("error", e);
          }
        });
      }
      _handleAuthSASL(msg) {
        this._getPassword(() => {
          try {
            this.saslSession = sasl.startSession(
              msg.mechanisms,
              this.enableChannelBinding && this.connection.stream,
              this.scramMaxIterations
            ), this.connection.sendSASLInitialResponseMessage(this.saslSession.mechanism, this.saslSession.response);
          } catch (err) {
            this.connection.emit("error", err);
          }
        });
      }
      async _handleAuthSASLContinue(msg) {
        try {
          await sasl.continueSession(
            this.saslSession,
            this.password,
            msg.data,
            this.enableChannelBinding && this.connection.stream
          ), this.connection.sendSCRAMClientFinalMessage(this.saslSession.response);
        } catch (err) {
          this.connection.emit("error", err);
        }
      }
      _handleAuthSASLFinal(msg) {
        try {
          sasl.finalizeSession(this.saslSession, msg.data), this.saslSession = null;
        } catch (err) {
          this.connection.emit("error", err);
        }
      }
      _handleBackendKeyData(msg) {
        this.processID = msg.processID, this.secretKey = msg.secretKey;
      }
      _handleReadyForQuery(msg) {
        this._connecting && (this._connecting = !1, this._connected = !0, clearTimeout(this.connectionTimeoutHandle), this._connectionCallback && (this._connectionCallback(null, this), this._connectionCallback = null), this.emit("connect"));
        let activeQuery = this._getActiveQuery();
        this._activeQuery = null, this._txStatus = msg?.status ?? null, this.readyForQuery = !0, activeQuery && activeQuery.handleReadyForQuery(this.connection), this._pulseQueryQueue();
      }
      // if we receive an error event or error message
      // during the connection process we handle it here
      _handleErrorWhileConnecting(err) {
        if (!this._connectionError) {
          if (this._connectionError = !0, clearTimeout(this.connectionTimeoutHandle), this._connectionCallback)
            return this._connectionCallback(err);
          this.emit("error", err);
        }
      }
      // if we're connected and we receive an error event from the connection
      // this means the socket is dead - do a hard abort of all queries and emit
      // the socket error on the client as well
      _handleErrorEvent(err) {
        if (this._connecting)
          return this._handleErrorWhileConnecting(err);
        this._queryable = !1, this._errorAllQueries(err), this.emit("error", err);
      }
      // handle error messages from the postgres backend
      _handleErrorMessage(msg) {
        if (this._connecting)
          return this._handleErrorWhileConnecting(msg);
        let activeQuery = this._getActiveQuery();
        if (!activeQuery) {
          this._handleErrorEvent(msg);
          return;
        }
        this._activeQuery = null, activeQuery.name && delete this.connection.submittedNamedStatements[activeQuery.name], activeQuery.handleError(msg, this.connection);
      }
      _handleRowDescription(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected rowDescription message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handleRowDescription(msg);
      }
      _handleDataRow(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected dataRow message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handleDataRow(msg);
      }
      _handlePortalSuspended(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected portalSuspended message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handlePortalSuspended(this.connection);
      }
      _handleEmptyQuery(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected emptyQuery message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handleEmptyQuery(this.connection);
      }
      _handleCommandComplete(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected commandComplete message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handleCommandComplete(msg, this.connection);
      }
      _handleParseComplete() {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected parseComplete message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.name && (this.connection.parsedStatements[activeQuery.name] = activeQuery.text, delete this.connection.submittedNamedStatements[activeQuery.name]);
      }
      _handleCopyInResponse(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected copyInResponse message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handleCopyInResponse(this.connection);
      }
      _handleCopyData(msg) {
        let activeQuery = this._getActiveQuery();
        if (activeQuery == null) {
          let error = new Error("Received unexpected copyData message from backend.");
          this._handleErrorEvent(error);
          return;
        }
        activeQuery.handleCopyData(msg, this.connection);
      }
      _handleNotification(msg) {
        this.emit("notification", msg);
      }
      _handleNotice(msg) {
        this.emit("notice", msg);
      }
      getStartupConf() {
        let params = this.connectionParameters, data = {
          user: params.user,
          database: params.database
        }, appName = params.application_name || params.fallback_application_name;
        return appName && (data.application_name = appName), params.replication && (data.replication = "" + params.replication), params.statement_timeout && (data.statement_timeout = String(parseInt(params.statement_timeout, 10))), params.lock_timeout && (data.lock_timeout = String(parseInt(params.lock_timeout, 10))), params.idle_in_transaction_session_timeout && (data.idle_in_transaction_session_timeout = String(parseInt(params.idle_in_transaction_session_timeout, 10))), params.options && (data.options = params.options), data;
      }
      cancel(client, query) {
        if (client.activeQuery === query) {
          let con = this.connection;
          this.host && this.host.indexOf("/") === 0 ? con.connect(this.host + "/.s.PGSQL." + this.port) : con.connect(this.port, this.host), con.on("connect", function() {
            con.cancel(client.processID, client.secretKey);
          });
        } else client._queryQueue.indexOf(query) !== -1 ? client._queryQueue.splice(client._queryQueue.indexOf(query), 1) : client._sentQueryQueue.indexOf(query) !== -1 && (query.callback = () => {
        });
      }
      setTypeParser(oid, format, parseFn) {
        return this._types.setTypeParser(oid, format, parseFn);
      }
      getTypeParser(oid, format) {
        return this._types.getTypeParser(oid, format);
      }
      // escapeIdentifier and escapeLiteral moved to utility functions & exported
      // on PG
      // re-exported here for backwards compatibility
      escapeIdentifier(str) {
        return utils.escapeIdentifier(str);
      }
      escapeLiteral(str) {
        return utils.escapeLiteral(str);
      }
      _pulseQueryQueue() {
        if (this.pipeline) {
          this._pulsePipelinedQueryQueue();
          return;
        }
        if (this.readyForQuery === !0) {
          this._activeQuery = this._queryQueue.shift();
          let activeQuery = this._getActiveQuery();
          if (activeQuery) {
            this.readyForQuery = !1, this.hasExecuted = !0;
            let queryError = activeQuery.submit(this.connection);
            queryError && process.nextTick(() => {
              activeQuery.handleError(queryError, this.connection), this.readyForQuery = !0, this._pulseQueryQueue();
            });
          } else this.hasExecuted && (this._activeQuery = null, this.emit("drain"));
        }
      }
      _pulsePipelinedQueryQueue() {
        if (!(!this._connected || !this._queryable)) {
          for (; this._queryQueue.length > 0; ) {
            let query = this._queryQueue.shift();
            this.hasExecuted = !0;
            let queryError = query.submit(this.connection);
            if (queryError) {
              process.nextTick(() => {
                query.handleError(queryError, this.connection);
              });
              continue;
            }
            this._sentQueryQueue.push(query);
          }
          this.readyForQuery && !this._activeQuery && this._sentQueryQueue.length > 0 && (this._activeQuery = this._sentQueryQueue.shift(), this.readyForQuery = !1), !this._activeQuery && this._sentQueryQueue.length === 0 && this._queryQueue.length === 0 && this.hasExecuted && this.emit("drain");
        }
      }
      query(config, values, callback) {
        let query, result;
        if (config == null)
          throw new TypeError("Client was passed a null or undefined query");
        if (typeof config.submit == "function")
          result = query = config, query.callback || (typeof values == "function" ? query.callback = values : callback && (query.callback = callback));
        else if (query = new Query2(config, values, callback), !query.callback)
          result = new this._Promise((resolve, reject) => {
            query.callback = (err, res) => err ? reject(err) : resolve(res);
          }).catch((err) => {
            throw Error.captureStackTrace(err), err;
          });
        else if (typeof query.callback != "function")
          throw new TypeError("callback is not a function");
        let readTimeout = config.query_timeout || this.connectionParameters.query_timeout;
        if (readTimeout) {
          let queryCallback = query.callback || (() => {
          }), readTimeoutTimer = setTimeout(() => {
            let error = new Error("Query read timeout");
            process.nextTick(() => {
              query.handleError(error, this.connection);
            }), queryCallback(error), query.callback = () => {
            };
            let index = this._queryQueue.indexOf(query);
            if (index > -1)
              this._queryQueue.splice(index, 1);
            else if (this.pipeline) {
              this.connection.stream.destroy();
              return;
            }
            this._pulseQueryQueue();
          }, readTimeout);
          query.callback = (err, res) => {
            clearTimeout(readTimeoutTimer), queryCallback(err, res);
          };
        }
        if (this.binary && !query.binary && (query.binary = !0), query._result && !query._result._types && (query._result._types = this._types), this.pipeline) {
          let portalQuery = typeof config.submit == "function" && !(query instanceof Query2) ? "Custom query classes such as pg-cursor and pg-query-stream are" : query.rows ? "The `rows` option is" : null;
          if (portalQuery)
            return process.nextTick(() => {
              query.handleError(new Error(`${portalQuery} not supported in pipeline mode`), this.connection);
            }), result;
        }
        return this._queryable ? this._ending ? (process.nextTick(() => {
          query.handleError(new Error("Client was closed and is not queryable"), this.connection);
        }), result) : (this._queryQueue.length > 0 && !this.pipeline && queryQueueLengthDeprecationNotice(), this._queryQueue.push(query), this._pulseQueryQueue(), result) : (process.nextTick(() => {
          query.handleError(new Error("Client has encountered a connection error and is not queryable"), this.connection);
        }), result);
      }
      ref() {
        this.connection.ref();
      }
      unref() {
        this.connection.unref();
      }
      getTransactionStatus() {
        return this._txStatus;
      }
      end(cb) {
        if (this._ending = !0, !this.connection._connecting || this._ended)
          if (cb) {
            cb();
            return;
          } else
            return this._Promise.resolve();
        if (this._queryable ? this.pipeline && (this._getActiveQuery() || this._sentQueryQueue.length > 0 || this._queryQueue.length > 0) ? this.once("drain", () => this.connection.end()) : this._getActiveQuery() ? this.connection.stream.destroy() : this.connection.end() : this.connection.stream.destroy(), cb)
          this.connection.once("end", cb);
        else
          return new this._Promise((resolve) => {
            this.connection.once("end", resolve);
          });
      }
      get queryQueue() {
        return queryQueueDeprecationNotice(), this._queryQueue;
      }
    };
    Client2.Query = Query2;
    module.exports = Client2;
  }
});

// node_modules/pg-pool/index.js
var require_pg_pool = __commonJS({
  "node_modules/pg-pool/index.js"(exports, module) {
    "use strict";
    var EventEmitter = __require("events").EventEmitter, NOOP = function() {
    }, removeWhere = (list, predicate) => {
      let i = list.findIndex(predicate);
      return i === -1 ? void 0 : list.splice(i, 1)[0];
    }, IdleItem = class {
      constructor(client, idleListener, timeoutId) {
        this.client = client, this.idleListener = idleListener, this.timeoutId = timeoutId;
      }
    }, PendingItem = class {
      constructor(callback) {
        this.callback = callback;
      }
    };
    function throwOnDoubleRelease() {
      throw new Error("Release called on client which has already been released to the pool.");
    }
    function promisify(Promise2, callback) {
      if (callback)
        return { callback, result: void 0 };
      let rej, res, cb = function(err, client) {
        err ? rej(err) : res(client);
      }, result = new Promise2(function(resolve, reject) {
        res = resolve, rej = reject;
      }).catch((err) => {
        throw Error.captureStackTrace(err), err;
      });
      return { callback: cb, result };
    }
    function makeIdleListener(pool, client) {
      return function idleListener(err) {
        err.client = client, client.removeListener("error", idleListener), client.on("error", () => {
          pool.log("additional client error after disconnection due to error", err);
        }), pool._remove(client), pool.emit("error", err, client);
      };
    }
    var Pool2 = class extends EventEmitter {
      constructor(options, Client2) {
        super(), this.options = Object.assign({}, options), options != null && "password" in options && Object.defineProperty(this.options, "password", {
          configurable: !0,
          enumerable: !1,
          writable: !0,
          value: options.password
        }), options != null && options.ssl && options.ssl.key && Object.defineProperty(this.options.ssl, "key", {
          enumerable: !1
        }), this.options.max = this.options.max || this.options.poolSize || 10, this.options.min = this.options.min || 0, this.options.maxUses = this.options.maxUses || 1 / 0, this.options.allowExitOnIdle = this.options.allowExitOnIdle || !1, this.options.maxLifetimeSeconds = this.options.maxLifetimeSeconds || 0, this.log = this.options.log || function() {
        }, this.Client = this.options.Client || Client2 || require_lib2().Client, this.Promise = this.options.Promise || global.Promise, typeof this.options.idleTimeoutMillis > "u" && (this.options.idleTimeoutMillis = 1e4), this._clients = [], this._idle = [], this._expired = /* @__PURE__ */ new WeakSet(), this._pendingQueue = [], this._endCallback = void 0, this.ending = !1, this.ended = !1;
      }
      _promiseTry(f) {
        let Promise2 = this.Promise;
        return typeof Promise2.try == "function" ? Promise2.try(f) : new Promise2((resolve) => resolve(f()));
      }
      _isFull() {
        return this._clients.length >= this.options.max;
      }
      _isAboveMin() {
        return this._clients.length > this.options.min;
      }
      _pulseQueue() {
        if (this.log("pulse queue"), this.ended) {
          this.log("pulse queue ended");
          return;
        }
        if (this.ending) {
          this.log("pulse queue on ending"), this._idle.length && this._idle.slice().map((item) => {
            this._remove(item.client);
          }), this._clients.length || (this.ended = !0, this._endCallback());
          return;
        }
        if (!this._pendingQueue.length) {
          this.log("no queued requests");
          return;
        }
        if (!this._idle.length && this._isFull())
          return;
        let pendingItem = this._pendingQueue.shift();
        if (this._idle.length) {
          let idleItem = this._idle.pop();
          clearTimeout(idleItem.timeoutId);
          let client = idleItem.client;
          client.ref && client.ref();
          let idleListener = idleItem.idleListener;
          return this._acquireClient(client, pendingItem, idleListener, !1);
        }
        if (!this._isFull())
          return this.newClient(pendingItem);
        throw new Error("unexpected condition");
      }
      _remove(client, callback) {
        let removed = removeWhere(this._idle, (item) => item.client === client);
        removed !== void 0 && clearTimeout(removed.timeoutId), this._clients = this._clients.filter((c) => c !== client);
        let context = this;
        client.end(() => {
          context.emit("remove", client), typeof callback == "function" && callback();
        });
      }
      connect(cb) {
        if (this.ending) {
          let err = new Error("Cannot use a pool after calling end on the pool");
          return cb ? cb(err) : this.Promise.reject(err);
        }
        let response = promisify(this.Promise, cb), result = response.result;
        if (this._isFull() || this._idle.length) {
          if (this._idle.length && process.nextTick(() => this._pulseQueue()), !this.options.connectionTimeoutMillis)
            return this._pendingQueue.push(new PendingItem(response.callback)), result;
          let queueCallback = (err, res, done) => {
            clearTimeout(tid), response.callback(err, res, done);
          }, pendingItem = new PendingItem(queueCallback), tid = setTimeout(() => {
            removeWhere(this._pendingQueue, (i) => i.callback === queueCallback), pendingItem.timedOut = !0, response.callback(new Error("timeout exceeded when trying to connect"));
          }, this.options.connectionTimeoutMillis);
          return tid.unref && tid.unref(), this._pendingQueue.push(pendingItem), result;
        }
        return this.newClient(new PendingItem(response.callback)), result;
      }
      newClient(pendingItem) {
        let client = new this.Client(this.options);
        this._clients.push(client);
        let idleListener = makeIdleListener(this, client);
        this.log("checking client timeout");
        let tid, timeoutHit = !1;
        this.options.connectionTimeoutMillis && (tid = setTimeout(() => {
          client.connection ? (this.log("ending client due to timeout"), timeoutHit = !0, client.connection.stream.destroy()) : client.isConnected() || (this.log("ending client due to timeout"), timeoutHit = !0, client.end());
        }, this.options.connectionTimeoutMillis)), this.log("connecting new client"), client.connect((err) => {
          if (tid && clearTimeout(tid), client.on("error", idleListener), err)
            this.log("client failed to connect", err), this._clients = this._clients.filter((c) => c !== client), timeoutHit && (err = new Error("Connection terminated due to connection timeout", { cause: err })), this._pulseQueue(), pendingItem.timedOut || pendingItem.callback(err, void 0, NOOP);
          else {
            if (this.log("new client connected"), this.options.onConnect) {
              this._promiseTry(() => this.options.onConnect(client)).then(
                () => {
                  this._afterConnect(client, pendingItem, idleListener);
                },
                (hookErr) => {
                  this._clients = this._clients.filter((c) => c !== client), client.end(() => {
                    this._pulseQueue(), pendingItem.timedOut || pendingItem.callback(hookErr, void 0, NOOP);
                  });
                }
              );
              return;
            }
            return this._afterConnect(client, pendingItem, idleListener);
          }
        });
      }
      _afterConnect(client, pendingItem, idleListener) {
        if (this.options.maxLifetimeSeconds !== 0) {
          let maxLifetimeTimeout = setTimeout(() => {
            this.log("ending client due to expired lifetime"), this._expired.add(client), this._idle.findIndex((idleItem) => idleItem.client === client) !== -1 && this._acquireClient(
              client,
              new PendingItem((err, client2, clientRelease) => clientRelease()),
              idleListener,
              !1
            );
          }, this.options.maxLifetimeSeconds * 1e3);
          maxLifetimeTimeout.unref(), client.once("end", () => clearTimeout(maxLifetimeTimeout));
        }
        return this._acquireClient(client, pendingItem, idleListener, !0);
      }
      // acquire a client for a pending work item
      _acquireClient(client, pendingItem, idleListener, isNew) {
        isNew && this.emit("connect", client), this.emit("acquire", client), client.release = this._releaseOnce(client, idleListener), client.removeListener("error", idleListener), pendingItem.timedOut ? isNew && this.options.verify ? this.options.verify(client, client.release) : client.release() : isNew && this.options.verify ? this.options.verify(client, (err) => {
          if (err)
            return client.release(err), pendingItem.callback(err, void 0, NOOP);
          pendingItem.callback(void 0, client, client.release);
        }) : pendingItem.callback(void 0, client, client.release);
      }
      // returns a function that wraps _release and throws if called more than once
      _releaseOnce(client, idleListener) {
        let released = !1;
        return (err) => {
          released && throwOnDoubleRelease(), released = !0, this._release(client, idleListener, err);
        };
      }
      // release a client back to the poll, include an error
      // to remove it from the pool
      _release(client, idleListener, err) {
        if (client.on("error", idleListener), client._poolUseCount = (client._poolUseCount || 0) + 1, this.emit("release", err, client), err || this.ending || !client._queryable || client._ending || client._poolUseCount >= this.options.maxUses)
          return client._poolUseCount >= this.options.maxUses && this.log("remove expended client"), this._remove(client, this._pulseQueue.bind(this));
        if (this._expired.has(client))
          return this.log("remove expired client"), this._expired.delete(client), this._remove(client, this._pulseQueue.bind(this));
        let tid;
        this.options.idleTimeoutMillis && this._isAboveMin() && (tid = setTimeout(() => {
          this._isAboveMin() && (this.log("remove idle client"), this._remove(client, this._pulseQueue.bind(this)));
        }, this.options.idleTimeoutMillis), this.options.allowExitOnIdle && tid.unref()), this.options.allowExitOnIdle && client.unref(), this._idle.push(new IdleItem(client, idleListener, tid)), this._pulseQueue();
      }
      query(text, values, cb) {
        if (typeof text == "function") {
          let response2 = promisify(this.Promise, text);
          return setImmediate(function() {
            return response2.callback(new Error("Passing a function as the first parameter to pool.query is not supported"));
          }), response2.result;
        }
        typeof values == "function" && (cb = values, values = void 0);
        let response = promisify(this.Promise, cb);
        return cb = response.callback, this.connect((err, client) => {
          if (err)
            return cb(err);
          let clientReleased = !1, onError = (err2) => {
            clientReleased || (clientReleased = !0, client.release(err2), cb(err2));
          };
          client.once("error", onError), this.log("dispatching query");
          try {
            client.query(text, values, (err2, res) => {
              if (this.log("query dispatched"), client.removeListener("error", onError), !clientReleased)
                return clientReleased = !0, client.release(err2), err2 ? cb(err2) : cb(void 0, res);
            });
          } catch (err2) {
            return client.release(err2), cb(err2);
          }
        }), response.result;
      }
      end(cb) {
        if (this.log("ending"), this.ending) {
          let err = new Error("Called end on pool more than once");
          return cb ? cb(err) : this.Promise.reject(err);
        }
        this.ending = !0;
        let promised = promisify(this.Promise, cb);
        return this._endCallback = promised.callback, this._pulseQueue(), promised.result;
      }
      get waitingCount() {
        return this._pendingQueue.length;
      }
      get idleCount() {
        return this._idle.length;
      }
      get expiredCount() {
        return this._clients.reduce((acc, client) => acc + (this._expired.has(client) ? 1 : 0), 0);
      }
      get totalCount() {
        return this._clients.length;
      }
    };
    module.exports = Pool2;
  }
});

// node_modules/pg/lib/native/query.js
var require_query2 = __commonJS({
  "node_modules/pg/lib/native/query.js"(exports, module) {
    "use strict";
    var EventEmitter = __require("events").EventEmitter, util = __require("util"), utils = require_utils(), NativeQuery = module.exports = function(config, values, callback) {
      EventEmitter.call(this), config = utils.normalizeQueryConfig(config, values, callback), this.text = config.text, this.values = config.values, this.name = config.name, this.queryMode = config.queryMode, this.callback = config.callback, this.state = "new", this._arrayMode = config.rowMode === "array", this._emitRowEvents = !1, this.on(
        "newListener",
        function(event) {
          event === "row" && (this._emitRowEvents = !0);
        }.bind(this)
      );
    };
    util.inherits(NativeQuery, EventEmitter);
    var errorFieldMap = {
      sqlState: "code",
      statementPosition: "position",
      messagePrimary: "message",
      messageDetail: "detail",
      messageHint: "hint",
      context: "where",
      schemaName: "schema",
      tableName: "table",
      columnName: "column",
      dataTypeName: "dataType",
      constraintName: "constraint",
      sourceFile: "file",
      sourceLine: "line",
      sourceFunction: "routine"
    };
    NativeQuery.prototype.handleError = function(err) {
      let fields = this.native && this.native.pq.resultErrorFields();
      if (fields)
        for (let key in fields) {
          let normalizedFieldName = errorFieldMap[key] || key;
          err[normalizedFieldName] = fields[key];
        }
      this.callback ? this.callback(err) : this.emit("error", err), this.state = "error";
    };
    NativeQuery.prototype.then = function(onSuccess, onFailure) {
      return this._getPromise().then(onSuccess, onFailure);
    };
    NativeQuery.prototype.catch = function(callback) {
      return this._getPromise().catch(callback);
    };
    NativeQuery.prototype._getPromise = function() {
      return this._promise ? this._promise : (this._promise = new Promise(
        function(resolve, reject) {
          this._once("end", resolve), this._once("error", reject);
        }.bind(this)
      ), this._promise);
    };
    NativeQuery.prototype.submit = function(client) {
      this.state = "running";
      let self = this;
      this.native = client.native, client.native.arrayMode = this._arrayMode;
      let after = function(err, rows, results) {
        if (client.native.arrayMode = !1, setImmediate(function() {
          self.emit("_done");
        }), err)
          return self.handleError(err);
        self._emitRowEvents && (results.length > 1 ? rows.forEach((rowOfRows, i) => {
          rowOfRows.forEach((row) => {
            self.emit("row", row, results[i]);
          });
        }) : rows.forEach(function(row) {
          self.emit("row", row, results);
        })), self.state = "end", self.emit("end", results), self.callback && self.callback(null, results);
      };
      if (process.domain && (after = process.domain.bind(after)), this.name) {
        this.name.length > 63 && (console.error("Warning! Postgres only supports 63 characters for query names."), console.error("You supplied %s (%s)", this.name, this.name.length), console.error("This can cause conflicts and silent errors executing queries"));
        let values = (this.values || []).map(utils.prepareValue);
        if (client.namedQueries[this.name] !== void 0) {
          if (this.text && client.namedQueries[this.name] !== this.text) {
            let err = new Error(`Prepared statements must be unique - '${this.name}' was used for a different statement`);
            return after(err);
          }
          return client.native.execute(this.name, values, after);
        }
        return client.native.prepare(this.name, this.text, values.length, function(err) {
          return err ? after(err) : (client.namedQueries[self.name] = self.text, self.native.execute(self.name, values, after));
        });
      } else if (this.values) {
        if (!Array.isArray(this.values)) {
          let err = new Error("Query values must be an array");
          return after(err);
        }
        let vals = this.values.map(utils.prepareValue);
        client.native.query(this.text, vals, after);
      } else this.queryMode === "extended" ? client.native.query(this.text, [], after) : client.native.query(this.text, after);
    };
  }
});

// node_modules/pg/lib/native/client.js
var require_client2 = __commonJS({
  "node_modules/pg/lib/native/client.js"(exports, module) {
    var nodeUtils = __require("util"), Native;
    try {
      Native = __require("pg-native");
    } catch (e) {
      throw e;
    }
    var TypeOverrides2 = require_type_overrides(), EventEmitter = __require("events").EventEmitter, util = __require("util"), ConnectionParameters = require_connection_parameters(), NativeQuery = require_query2(), queryQueueLengthDeprecationNotice = nodeUtils.deprecate(
      () => {
      },
      "Calling client.query() when the client is already executing a query is deprecated and will be removed in pg@9.0. Use async/await or an external async flow control mechanism instead."
    ), Client2 = module.exports = function(config) {
      EventEmitter.call(this), config = config || {}, this._Promise = config.Promise || global.Promise, this._types = new TypeOverrides2(config.types), this.native = new Native({
        types: this._types
      }), this._queryQueue = [], this._ending = !1, this._connecting = !1, this._connected = !1, this._queryable = !0, this.pipeline = !!config.pipeline, this._pipelineInFlight = !1;
      let cp = this.connectionParameters = new ConnectionParameters(config);
      config.nativeConnectionString && (cp.nativeConnectionString = config.nativeConnectionString), this.user = cp.user, Object.defineProperty(this, "password", {
        configurable: !0,
        enumerable: !1,
        writable: !0,
        value: cp.password
      }), this.database = cp.database, this.host = cp.host, this.port = cp.port, this.namedQueries = {};
    };
    Client2.Query = NativeQuery;
    util.inherits(Client2, EventEmitter);
    Client2.prototype._errorAllQueries = function(err) {
      let enqueueError = (query) => {
        process.nextTick(() => {
          query.native = this.native, query.handleError(err);
        });
      };
      this._hasActiveQuery() && (enqueueError(this._activeQuery), this._activeQuery = null), this._queryQueue.forEach(enqueueError), this._queryQueue.length = 0;
    };
    Client2.prototype._connect = function(cb) {
      let self = this;
      if (this._connecting) {
        process.nextTick(() => cb(new Error("Client has already been connected. You cannot reuse a client.")));
        return;
      }
      this._connecting = !0, this.connectionParameters.getLibpqConnectionString(function(err, conString) {
        if (self.connectionParameters.nativeConnectionString && (conString = self.connectionParameters.nativeConnectionString), err) return cb(err);
        self.native.connect(conString, function(err2) {
          if (err2)
            return self.native.end(), cb(err2);
          self._connected = !0, self.native.on("error", function(err3) {
            self._queryable = !1, self._errorAllQueries(err3), self.emit("error", err3);
          }), self.native.on("notification", function(msg) {
            self.emit("notification", {
              channel: msg.relname,
              payload: msg.extra
            });
          }), self.emit("connect"), self._pulseQueryQueue(!0), cb(null, this);
        });
      });
    };
    Client2.prototype.connect = function(callback) {
      if (callback) {
        this._connect(callback);
        return;
      }
      return new this._Promise((resolve, reject) => {
        this._connect((error) => {
          error ? reject(error) : resolve(this);
        });
      });
    };
    Client2.prototype.query = function(config, values, callback) {
      let query, result, readTimeout, readTimeoutTimer, queryCallback;
      if (config == null)
        throw new TypeError("Client was passed a null or undefined query");
      if (typeof config.submit == "function")
        readTimeout = config.query_timeout || this.connectionParameters.query_timeout, result = query = config, typeof values == "function" && (config.callback = values);
      else if (readTimeout = config.query_timeout || this.connectionParameters.query_timeout, query = new NativeQuery(config, values, callback), !query.callback) {
        let resolveOut, rejectOut;
        result = new this._Promise((resolve, reject) => {
          resolveOut = resolve, rejectOut = reject;
        }).catch((err) => {
          throw Error.captureStackTrace(err), err;
        }), query.callback = (err, res) => err ? rejectOut(err) : resolveOut(res);
      }
      return readTimeout && (queryCallback = query.callback || (() => {
      }), readTimeoutTimer = setTimeout(() => {
        let error = new Error("Query read timeout");
        process.nextTick(() => {
          query.handleError(error, this.connection);
        }), queryCallback(error), query.callback = () => {
        };
        let index = this._queryQueue.indexOf(query);
        index > -1 && this._queryQueue.splice(index, 1), this._pulseQueryQueue();
      }, readTimeout), query.callback = (err, res) => {
        clearTimeout(readTimeoutTimer), queryCallback(err, res);
      }), this._queryable ? this._ending ? (query.native = this.native, process.nextTick(() => {
        query.handleError(new Error("Client was closed and is not queryable"));
      }), result) : (this._queryQueue.length > 0 && !this.pipeline && queryQueueLengthDeprecationNotice(), this._queryQueue.push(query), this._pulseQueryQueue(), result) : (query.native = this.native, process.nextTick(() => {
        query.handleError(new Error("Client has encountered a connection error and is not queryable"));
      }), result);
    };
    Client2.prototype.end = function(cb) {
      let self = this;
      this._ending = !0, this._connecting && !this._connected && this.once("connect", () => {
        this.end(() => {
        });
      });
      let result;
      cb || (result = new this._Promise(function(resolve, reject) {
        cb = (err) => err ? reject(err) : resolve();
      }));
      let doEnd = function() {
        self.native.end(function() {
          self._connected = !1, self._errorAllQueries(new Error("Connection terminated")), process.nextTick(() => {
            self.emit("end"), cb && cb();
          });
        });
      };
      return this.pipeline && (this._pipelineInFlight || this._queryQueue.length > 0) ? this.once("drain", doEnd) : doEnd(), result;
    };
    Client2.prototype._hasActiveQuery = function() {
      return this._activeQuery && this._activeQuery.state !== "error" && this._activeQuery.state !== "end";
    };
    Client2.prototype._pulseQueryQueue = function(initialConnection) {
      if (!this._connected)
        return;
      if (this.pipeline && !initialConnection)
        return this._pulsePipelinedQueryQueue();
      if (this._hasActiveQuery())
        return;
      let query = this._queryQueue.shift();
      if (!query) {
        initialConnection || this.emit("drain");
        return;
      }
      this._activeQuery = query, query.submit(this);
      let self = this;
      query.once("_done", function() {
        self._pulseQueryQueue();
      });
    };
    Client2.prototype._pulsePipelinedQueryQueue = function() {
      if (!this._connected || this._pipelineInFlight)
        return;
      if (this._queryQueue.length === 0) {
        this.hasExecuted && this.emit("drain");
        return;
      }
      this._pipelineInFlight = !0;
      let self = this, queries = [], nativeQueries = [], utils = require_utils();
      for (; this._queryQueue.length > 0; ) {
        let query = this._queryQueue.shift();
        this.hasExecuted = !0, nativeQueries.push(query);
        let values = query.values ? query.values.map(utils.prepareValue) : null, pipelineEntry = { text: query.text, name: query.name, arrayMode: query._arrayMode };
        values && (pipelineEntry.values = values), query.name && this.namedQueries[query.name] && (pipelineEntry._alreadyPrepared = !0), queries.push(pipelineEntry);
      }
      this.native.pipeline(queries, function(err, results) {
        if (self._pipelineInFlight = !1, err) {
          self._connected = !1, self._queryable = !1;
          for (let i = 0; i < nativeQueries.length; i++) {
            let q = nativeQueries[i];
            q.native = self.native, q.handleError(err);
          }
          self._errorAllQueries(err), self.emit("error", err), self.emit("end");
          return;
        }
        for (let i = 0; i < nativeQueries.length; i++) {
          let q = nativeQueries[i], r = results[i];
          q.native = self.native, r.err ? q.handleError(r.err) : (q.name && (self.namedQueries[q.name] = q.text), q.state = "end", q.emit("end", r.result), q.callback && q.callback(null, r.result)), setImmediate(function() {
            q.emit("_done");
          });
        }
        self._pulsePipelinedQueryQueue();
      });
    };
    Client2.prototype.cancel = function(query) {
      this._activeQuery === query ? this.native.cancel(function() {
      }) : this._queryQueue.indexOf(query) !== -1 && this._queryQueue.splice(this._queryQueue.indexOf(query), 1);
    };
    Client2.prototype.ref = function() {
    };
    Client2.prototype.unref = function() {
    };
    Client2.prototype.setTypeParser = function(oid, format, parseFn) {
      return this._types.setTypeParser(oid, format, parseFn);
    };
    Client2.prototype.getTypeParser = function(oid, format) {
      return this._types.getTypeParser(oid, format);
    };
    Client2.prototype.isConnected = function() {
      return this._connected;
    };
    Client2.prototype.getTransactionStatus = function() {
      return this.native.getTransactionStatus();
    };
  }
});

// node_modules/pg/lib/native/index.js
var require_native = __commonJS({
  "node_modules/pg/lib/native/index.js"(exports, module) {
    "use strict";
    module.exports = require_client2();
  }
});

// node_modules/pg/lib/index.js
var require_lib2 = __commonJS({
  "node_modules/pg/lib/index.js"(exports, module) {
    "use strict";
    var Client2 = require_client(), defaults3 = require_defaults(), Connection2 = require_connection(), Result2 = require_result(), utils = require_utils(), Pool2 = require_pg_pool(), TypeOverrides2 = require_type_overrides(), { DatabaseError: DatabaseError3 } = require_dist(), { escapeIdentifier: escapeIdentifier2, escapeLiteral: escapeLiteral2 } = require_utils(), poolFactory = (Client3) => class extends Pool2 {
      constructor(options) {
        super(options, Client3);
      }
    }, PG = function(clientConstructor2) {
      this.defaults = defaults3, this.Client = clientConstructor2, this.Query = this.Client.Query, this.Pool = poolFactory(this.Client), this._pools = [], this.Connection = Connection2, this.types = require_pg_types(), this.DatabaseError = DatabaseError3, this.TypeOverrides = TypeOverrides2, this.escapeIdentifier = escapeIdentifier2, this.escapeLiteral = escapeLiteral2, this.Result = Result2, this.utils = utils;
    }, clientConstructor = Client2, forceNative = !1;
    try {
      forceNative = !!process.env.NODE_PG_FORCE_NATIVE;
    } catch {
    }
    forceNative && (clientConstructor = require_native());
    module.exports = new PG(clientConstructor);
    Object.defineProperty(module.exports, "native", {
      configurable: !0,
      enumerable: !1,
      get() {
        let native = null;
        try {
          native = new PG(require_native());
        } catch (err) {
          if (err.code !== "MODULE_NOT_FOUND")
            throw err;
        }
        return Object.defineProperty(module.exports, "native", {
          value: native
        }), native;
      }
    });
  }
});

// node_modules/pg-connection-string/index.js
var require_pg_connection_string2 = __commonJS({
  "node_modules/pg-connection-string/index.js"(exports, module) {
    "use strict";
    function parse3(str, options = {}) {
      if (str.charAt(0) === "/") {
        let config2 = str.split(" ");
        return { host: config2[0], database: config2[1] };
      }
      let config = {}, result, dummyHost = !1;
      / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(str) && (str = encodeURI(str).replace(/%25(\d\d)/g, "%$1"));
      try {
        try {
          result = new URL(str, "postgres://base");
        } catch {
          result = new URL(str.replace("@/", "@___DUMMY___/"), "postgres://base"), dummyHost = !0;
        }
      } catch (err) {
        err.input && (err.input = "*****REDACTED*****");
      }
      for (let entry of result.searchParams.entries())
        config[entry[0]] = entry[1];
      if (config.user = config.user || decodeURIComponent(result.username), config.password = config.password || decodeURIComponent(result.password), result.protocol == "socket:")
        return config.host = decodeURI(result.pathname), config.database = result.searchParams.get("db"), config.client_encoding = result.searchParams.get("encoding"), config;
      let hostname2 = dummyHost ? "" : result.hostname;
      config.host ? hostname2 && /^%2f/i.test(hostname2) && (result.pathname = hostname2 + result.pathname) : config.host = decodeURIComponent(hostname2), config.port || (config.port = result.port);
      let pathname = result.pathname.slice(1) || null;
      config.database = pathname ? decodeURI(pathname) : null, (config.ssl === "true" || config.ssl === "1") && (config.ssl = !0), config.ssl === "0" && (config.ssl = !1), (config.sslcert || config.sslkey || config.sslrootcert || config.sslmode) && (config.ssl = {});
      let fs = config.sslcert || config.sslkey || config.sslrootcert ? __require("fs") : null;
      if (config.sslcert && (config.ssl.cert = fs.readFileSync(config.sslcert).toString()), config.sslkey && (config.ssl.key = fs.readFileSync(config.sslkey).toString()), config.sslrootcert && (config.ssl.ca = fs.readFileSync(config.sslrootcert).toString()), options.useLibpqCompat && config.uselibpqcompat)
        throw new Error("Both useLibpqCompat and uselibpqcompat are set. Please use only one of them.");
      if (config.uselibpqcompat === "true" || options.useLibpqCompat)
        switch (config.sslmode) {
          case "disable": {
            config.ssl = !1;
            break;
          }
          case "prefer": {
            config.ssl.rejectUnauthorized = !1;
            break;
          }
          case "require": {
            config.sslrootcert ? config.ssl.checkServerIdentity = function() {
            } : config.ssl.rejectUnauthorized = !1;
            break;
          }
          case "verify-ca": {
            if (!config.ssl.ca)
              throw new Error(
                "SECURITY WARNING: Using sslmode=verify-ca requires specifying a CA with sslrootcert. If a public CA is used, verify-ca allows connections to a server that somebody else may have registered with the CA, making you vulnerable to Man-in-the-Middle attacks. Either specify a custom CA certificate with sslrootcert parameter or use sslmode=verify-full for proper security."
              );
            config.ssl.checkServerIdentity = function() {
            };
            break;
          }
          case "verify-full":
            break;
        }
      else
        switch (config.sslmode) {
          case "disable": {
            config.ssl = !1;
            break;
          }
          case "prefer":
          case "require":
          case "verify-ca":
          case "verify-full":
            break;
          case "no-verify": {
            config.ssl.rejectUnauthorized = !1;
            break;
          }
        }
      return config;
    }
    function toConnectionOptions(sslConfig) {
      return Object.entries(sslConfig).reduce((c, [key, value2]) => (value2 != null && (c[key] = value2), c), {});
    }
    function toClientConfig2(config) {
      return Object.entries(config).reduce((c, [key, value2]) => {
        if (key === "ssl") {
          let sslConfig = value2;
          typeof sslConfig == "boolean" && (c[key] = sslConfig), typeof sslConfig == "object" && (c[key] = toConnectionOptions(sslConfig));
        } else if (value2 != null)
          if (key === "port") {
            if (value2 !== "") {
              let v = parseInt(value2, 10);
              if (isNaN(v))
                throw new Error(`Invalid ${key}: ${value2}`);
              c[key] = v;
            }
          } else
            c[key] = value2;
        return c;
      }, {});
    }
    function parseIntoClientConfig2(str) {
      return toClientConfig2(parse3(str));
    }
    module.exports = parse3;
    parse3.parse = parse3;
    parse3.toClientConfig = toClientConfig2;
    parse3.parseIntoClientConfig = parseIntoClientConfig2;
  }
});

// node_modules/pg-cursor/index.js
var require_pg_cursor = __commonJS({
  "node_modules/pg-cursor/index.js"(exports, module) {
    "use strict";
    var Result2 = require_result(), prepare = require_utils().prepareValue, EventEmitter = __require("events").EventEmitter, util = __require("util"), nextUniqueID = 1, Cursor2 = class extends EventEmitter {
      constructor(text, values, config) {
        super(), this._conf = config || {}, this.text = text, this.values = values ? values.map(prepare) : null, this.connection = null, this._queue = [], this.state = "initialized", this._result = new Result2(this._conf.rowMode, this._conf.types), this._Promise = this._conf.Promise || global.Promise, this._cb = null, this._rows = null, this._portal = null, this._ifNoData = this._ifNoData.bind(this), this._rowDescription = this._rowDescription.bind(this);
      }
      _ifNoData() {
        this.state = "idle", this._shiftQueue(), this.connection && this.connection.removeListener("rowDescription", this._rowDescription);
      }
      _rowDescription() {
        this.connection && this.connection.removeListener("noData", this._ifNoData);
      }
      submit(connection) {
        this.state = "submitted", this.connection = connection, this._portal = "C_" + nextUniqueID++;
        let con = connection;
        con.parse(
          {
            text: this.text
          },
          !0
        ), con.bind(
          {
            portal: this._portal,
            values: this.values
          },
          !0
        ), con.describe(
          {
            type: "P",
            name: this._portal
            // AWS Redshift requires a portal name
          },
          !0
        ), con.flush(), this._conf.types && (this._result._getTypeParser = this._conf.types.getTypeParser), con.once("noData", this._ifNoData), con.once("rowDescription", this._rowDescription);
      }
      _shiftQueue() {
        this._queue.length && this._getRows.apply(this, this._queue.shift());
      }
      _closePortal() {
        this.state !== "done" && (this.connection.close({ type: "P", name: this._portal }), this.state !== "error" && this.connection.sync(), this.state = "done");
      }
      handleRowDescription(msg) {
        this._result.addFields(msg.fields), this.state = "idle", this._shiftQueue();
      }
      handleDataRow(msg) {
        let row = this._result.parseRow(msg.fields);
        this.emit("row", row, this._result), this._rows.push(row);
      }
      _sendRows() {
        this.state = "idle", setImmediate(() => {
          let cb = this._cb;
          this._cb = null, cb && (this._result.rows = this._rows, cb(null, this._rows, this._result)), this._rows = [];
        });
      }
      handleCommandComplete(msg) {
        this._result.addCommandComplete(msg), this._closePortal();
      }
      handlePortalSuspended() {
        this._sendRows();
      }
      handleReadyForQuery() {
        this._sendRows(), this.state = "done", this.emit("end", this._result);
      }
      handleEmptyQuery() {
        this.connection.sync();
      }
      handleError(msg) {
        if (this.state !== "done") {
          this.state !== "initialized" && (this.connection.removeListener("noData", this._ifNoData), this.connection.removeListener("rowDescription", this._rowDescription), this.connection.sync()), this.state = "error", this._error = msg, this._cb && this._cb(msg);
          for (let i = 0; i < this._queue.length; i++)
            this._queue[i][1].call(this, msg);
          this._queue.length = 0, this.listenerCount("error") > 0 && this.emit("error", msg);
        }
      }
      _getRows(rows, cb) {
        this.state = "busy", this._cb = cb, this._rows = [];
        let msg = {
          portal: this._portal,
          rows
        };
        this.connection.execute(msg, !0), this.connection.flush();
      }
      // users really shouldn't be calling 'end' here and terminating a connection to postgres
      // via the low level connection.end api
      end(cb) {
        this.state !== "initialized" && this.connection.sync(), this.connection.once("end", cb), this.connection.end();
      }
      close(cb) {
        let promise2;
        return cb || (promise2 = new this._Promise((resolve, reject) => {
          cb = (err) => err ? reject(err) : resolve();
        })), !this.connection || this.state === "done" ? (setImmediate(cb), promise2) : (this._closePortal(), this.connection.once("readyForQuery", function() {
          cb();
        }), promise2);
      }
      read(rows, cb) {
        let promise2;
        if (cb || (promise2 = new this._Promise((resolve, reject) => {
          cb = (err, rows2) => err ? reject(err) : resolve(rows2);
        })), this.state === "idle" || this.state === "submitted")
          this._getRows(rows, cb);
        else if (this.state === "busy" || this.state === "initialized")
          this._queue.push([rows, cb]);
        else if (this.state === "error")
          setImmediate(() => cb(this._error));
        else if (this.state === "done")
          setImmediate(() => cb(null, []));
        else
          throw new Error("Unknown state: " + this.state);
        return promise2;
      }
    };
    Cursor2.prototype.end = util.deprecate(
      Cursor2.prototype.end,
      "Cursor.end is deprecated. Call end on the client itself to end a connection to the database."
    );
    module.exports = Cursor2;
  }
});

// src/Ledger/Postgres.ts
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

// src/Database/ConnectionLoss.ts
var patience = 2e4, passing = /* @__PURE__ */ new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EAI_AGAIN",
  // A socket that is not there while the server restarts.
  "ENOENT",
  // Shut down by its owner, crashed, starting, full; a session that was silent for too long within a transaction.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25P03"
]), words = /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/, isLost = (error) => {
  let cause = innermost(error), code = codeOf(cause) ?? "";
  return passing.has(code) || code.startsWith("08") || cause instanceof Error && words.test(cause.message);
}, isCollision = (error) => ["40001", "40P01"].includes(codeOf(innermost(error)) ?? ""), pauses = exponential("50 millis").pipe(
  union(spaced("1 second")),
  jittered,
  upTo(patience)
), again = (effect2) => retry(effect2, {
  while: (error) => isSqlError(error) && (isLost(error) || isCollision(error)),
  schedule: pauses
}), away = /* @__PURE__ */ new WeakSet(), againAt = (database2) => (effect2) => suspend(() => away.has(database2) ? effect2 : again(effect2)).pipe(
  tapBoth({
    onSuccess: () => sync(() => away.delete(database2)),
    onFailure: (error) => sync(() => isSqlError(error) && isLost(error) ? away.add(database2) : void 0)
  })
);

// node_modules/pg/esm/index.mjs
var import_lib = __toESM(require_lib2(), 1), Client = import_lib.default.Client, Pool = import_lib.default.Pool, Connection = import_lib.default.Connection, types = import_lib.default.types, Query = import_lib.default.Query, DatabaseError2 = import_lib.default.DatabaseError, escapeIdentifier = import_lib.default.escapeIdentifier, escapeLiteral = import_lib.default.escapeLiteral, Result = import_lib.default.Result, TypeOverrides = import_lib.default.TypeOverrides, defaults = import_lib.default.defaults;

// node_modules/pg-connection-string/esm/index.mjs
var import__ = __toESM(require_pg_connection_string2(), 1), esm_default = import__.default.parse, parse2 = import__.default.parse, toClientConfig = import__.default.toClientConfig, parseIntoClientConfig = import__.default.parseIntoClientConfig;

// node_modules/pg-cursor/esm/index.mjs
var import__2 = __toESM(require_pg_cursor(), 1), esm_default2 = import__2.default;

// node_modules/@effect/sql-pg/dist/esm/PgClient.js
var ATTR_DB_SYSTEM_NAME = "db.system.name", ATTR_DB_NAMESPACE = "db.namespace", ATTR_SERVER_ADDRESS = "server.address", ATTR_SERVER_PORT = "server.port", TypeId = "~@effect/sql-pg/PgClient", PgClient = /* @__PURE__ */ GenericTag("@effect/sql-pg/PgClient"), makeClient = (pool, config, options) => gen(function* () {
  let compiler = makeCompiler2(options.transformQueryNames, options.transformJson), transformRows = options.transformResultNames ? defaultTransforms(options.transformResultNames, options.transformJson).array : void 0;
  class ConnectionImpl {
    pg;
    constructor(pg2) {
      this.pg = pg2;
    }
    runWithClient(f) {
      return this.pg !== void 0 ? async((resume) => (f(this.pg, resume), makeCancel(pool, this.pg))) : async((resume) => {
        let done = !1, cancel, client;
        function onError(cause) {
          cleanup(cause), resume(fail(new SqlError({
            cause,
            message: "Connection error"
          })));
        }
        function cleanup(cause) {
          done || client?.release(cause), done = !0, client?.off("error", onError);
        }
        return pool.connect((cause, client_) => {
          if (cause)
            return resume(fail(new SqlError({
              cause,
              message: "Failed to acquire connection"
            })));
          if (client_) {
            if (done) {
              client_.release();
              return;
            }
          } else return resume(fail(new SqlError({
            message: "Failed to acquire connection",
            cause: new Error("No client returned")
          })));
          client = client_, client.once("error", onError), cancel = makeCancel(pool, client), f(client, (eff) => {
            cleanup(), resume(eff);
          });
        }), suspend(() => cancel ? ensuring(cancel, sync(cleanup)) : (cleanup(), _void));
      });
    }
    run(query, params) {
      return this.runWithClient((client, resume) => {
        client.query(query, params, (err, result) => {
          resume(err ? fail(new SqlError({
            cause: err,
            message: "Failed to execute statement"
          })) : succeed(Array.isArray(result) ? result.map((r) => r.rows ?? []) : result.rows ?? []));
        });
      });
    }
    execute(sql, params, transformRows2) {
      return transformRows2 ? map(this.run(sql, params), transformRows2) : this.run(sql, params);
    }
    executeRaw(sql, params) {
      return this.runWithClient((client, resume) => {
        client.query(sql, params, (err, result) => {
          resume(err ? fail(new SqlError({
            cause: err,
            message: "Failed to execute statement"
          })) : succeed(result));
        });
      });
    }
    executeWithoutTransform(sql, params) {
      return this.run(sql, params);
    }
    executeValues(sql, params) {
      return this.runWithClient((client, resume) => {
        client.query({
          text: sql,
          rowMode: "array",
          values: params
        }, (err, result) => {
          resume(err ? fail(new SqlError({
            cause: err,
            message: "Failed to execute statement"
          })) : succeed(result.rows));
        });
      });
    }
    executeUnprepared(sql, params, transformRows2) {
      return this.execute(sql, params, transformRows2);
    }
    executeStream(sql, params, transformRows2) {
      let self = this;
      return gen(function* () {
        let scope2 = yield* scope, client = self.pg ?? (yield* reserveRaw);
        yield* addFinalizer(scope2, promise(() => cursor.close()));
        let cursor = client.query(new esm_default2(sql, params)), pull = async((resume) => {
          cursor.read(128, (err, rows) => {
            err ? resume(fail(some(new SqlError({
              cause: err,
              message: "Failed to execute statement"
            })))) : isNonEmptyArray(rows) ? resume(succeed(unsafeFromArray(transformRows2 ? transformRows2(rows) : rows))) : resume(fail(none()));
          });
        });
        return repeatEffectChunkOption(pull);
      }).pipe(unwrapScoped);
    }
  }
  let reserveRaw = async((resume) => {
    let fiber = getOrThrow(getCurrentFiber()), scope2 = unsafeGet(fiber.currentContext, Scope), cause;
    function onError(cause_) {
      cause = cause_;
    }
    pool.connect((err, client, release) => {
      if (err) {
        resume(fail(new SqlError({
          cause: err,
          message: "Failed to acquire connection for transaction"
        })));
        return;
      } else if (!client) {
        resume(fail(new SqlError({
          message: "Failed to acquire connection for transaction",
          cause: new Error("No client returned")
        })));
        return;
      }
      client.on("error", onError), resume(as(addFinalizer(scope2, sync(() => {
        client.off("error", onError), release(cause);
      })), client));
    });
  }), reserve = map(reserveRaw, (client) => new ConnectionImpl(client)), onListenClientError = (_) => {
  }, listenClient = yield* make3({
    acquire: acquireRelease(tryPromise({
      try: async () => {
        let client = new Client(pool.options);
        return await client.connect(), client.on("error", onListenClientError), client;
      },
      catch: (cause) => new SqlError({
        cause,
        message: "Failed to acquire connection for listen"
      })
    }), (client) => promise(() => (client.off("error", onListenClientError), client.end())).pipe(interruptible, timeoutOption(1e3)))
  });
  return Object.assign(yield* make4({
    acquirer: succeed(new ConnectionImpl()),
    transactionAcquirer: reserve,
    compiler,
    spanAttributes: [...options.spanAttributes ? Object.entries(options.spanAttributes) : [], [ATTR_DB_SYSTEM_NAME, "postgresql"], [ATTR_DB_NAMESPACE, config.database ?? config.username ?? "postgres"], [ATTR_SERVER_ADDRESS, config.host ?? "localhost"], [ATTR_SERVER_PORT, config.port ?? 5432]],
    transformRows
  }), {
    [TypeId]: TypeId,
    config,
    json: (_) => PgJson(_),
    listen: (channel) => asyncPush(fnUntraced(function* (emit) {
      let client = yield* get(listenClient);
      function onNotification(msg) {
        msg.channel === channel && msg.payload && emit.single(msg.payload);
      }
      yield* addFinalizer2(() => promise(() => (client.off("notification", onNotification), client.query(`UNLISTEN ${escapeIdentifier(channel)}`)))), yield* tryPromise({
        try: () => client.query(`LISTEN ${escapeIdentifier(channel)}`),
        catch: (cause) => new SqlError({
          cause,
          message: "Failed to listen"
        })
      }), client.on("notification", onNotification);
    })),
    notify: (channel, payload) => async((resume) => {
      pool.query(`NOTIFY ${escapeIdentifier(channel)}, $1`, [payload], (err) => {
        resume(err ? fail(new SqlError({
          cause: err,
          message: "Failed to notify"
        })) : _void);
      });
    })
  });
}), make6 = (options) => gen(function* () {
  let pool = new Pool({
    connectionString: options.url ? value(options.url) : void 0,
    user: options.username,
    host: options.host,
    database: options.database,
    password: options.password ? value(options.password) : void 0,
    ssl: options.ssl,
    port: options.port,
    ...options.stream ? {
      stream: options.stream
    } : {},
    connectionTimeoutMillis: options.connectTimeout ? toMillis(options.connectTimeout) : void 0,
    idleTimeoutMillis: options.idleTimeout ? toMillis(options.idleTimeout) : void 0,
    max: options.maxConnections,
    min: options.minConnections,
    maxLifetimeSeconds: options.connectionTTL ? toSeconds(options.connectionTTL) : void 0,
    application_name: options.applicationName ?? "@effect/sql-pg",
    types: options.types
  });
  pool.on("error", (_err) => {
  }), yield* acquireRelease(tryPromise({
    try: () => pool.query("SELECT 1"),
    catch: (cause) => new SqlError({
      cause,
      message: "PgClient: Failed to connect"
    })
  }), () => promise(() => pool.end()).pipe(interruptible, timeoutOption(1e3))).pipe(timeoutFail({
    duration: options.connectTimeout ?? seconds(5),
    onTimeout: () => new SqlError({
      cause: new Error("Connection timed out"),
      message: "PgClient: Connection timed out"
    })
  }));
  let config = options;
  if (pool.options.connectionString)
    try {
      let parsed = parse2(pool.options.connectionString);
      config = {
        ...config,
        host: config.host ?? parsed.host ?? void 0,
        port: config.port ?? (parsed.port ? getOrUndefined(parse(parsed.port)) : void 0),
        username: config.username ?? parsed.user ?? void 0,
        password: config.password ?? (parsed.password ? make2(parsed.password) : void 0),
        database: config.database ?? parsed.database ?? void 0
      };
    } catch {
    }
  return yield* makeClient(pool, config, options);
});
var cancelEffects = /* @__PURE__ */ new WeakMap(), makeCancel = (pool, client) => {
  if (cancelEffects.has(client))
    return cancelEffects.get(client);
  let processId = client.processID, eff = processId !== void 0 ? async((resume) => {
    if (pool.ending) return resume(_void);
    pool.query(`SELECT pg_cancel_backend(${processId})`, () => {
      resume(_void);
    });
  }).pipe(interruptible, timeoutOption(5e3)) : void 0;
  return cancelEffects.set(client, eff), eff;
};
var layer2 = (config) => scopedContext(map(make6(config), (client) => make(PgClient, client).pipe(add(SqlClient, client)))).pipe(provide(layer));
var makeCompiler2 = (transform, transformJson = !0) => {
  let transformValue = transformJson && transform ? defaultTransforms(transform).value : void 0;
  return makeCompiler({
    dialect: "pg",
    placeholder(_) {
      return `$${_}`;
    },
    onIdentifier: transform ? function(value2, withoutTransform) {
      return escape(withoutTransform ? value2 : transform(value2));
    } : escape,
    onRecordUpdate(placeholders, valueAlias, valueColumns, values, returning) {
      return [`(values ${placeholders}) AS ${valueAlias}${valueColumns}${returning ? ` RETURNING ${returning[0]}` : ""}`, returning ? values.flat().concat(returning[1]) : values.flat()];
    },
    onCustom(type, placeholder, withoutTransform) {
      if (type.kind === "PgJson")
        return [placeholder(void 0), [withoutTransform || transformValue === void 0 ? type.i0 : transformValue(type.i0)]];
    }
  });
}, escape = /* @__PURE__ */ defaultEscape('"'), PgJson = /* @__PURE__ */ custom("PgJson");

// src/Database/Postgres.ts
var oldest = 13, defaults2 = { lock: 1e4, statement: 3e5, silence: 1e4 }, addressOf = (url, silence = defaults2.silence) => mapLeft(
  read(url, { ...defaults2, silence }),
  ({ message }) => new DatabaseError({ file: "of Postgres", reason: message })
), migrated = (sql, schema, parts) => gen(function* () {
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sluice migrations of ${schema}`}, 0))`;
  let [row] = yield* sql`SELECT to_regnamespace(${schema}) IS NOT NULL AS there`;
  row?.there !== !0 && (yield* sql`CREATE SCHEMA ${sql(schema)}`), yield* migrate(sql, parts);
}).pipe(sql.withTransaction), unusable = (sql) => map(
  sql`SELECT current_setting('server_version_num')::int / 10000 AS version,
      current_setting('server_encoding') AS encoding`,
  ([row]) => row === void 0 || row.version < oldest ? `it is Postgres ${row?.version ?? "of an unknown version"}; ${oldest} or a later one is needed` : row.encoding === "UTF8" ? void 0 : `its texts are ${row.encoding}; make a database with ENCODING 'UTF8' TEMPLATE template0, and name that one`
), layer3 = ({
  connections = 10,
  parts,
  silence,
  url
}) => unwrapEffect(
  map(addressOf(url, silence), ({ place, schema, url: whole2 }) => {
    let failed = (error) => new DatabaseError({ file: place, reason: reasonOf(error), cause: error }), open = gen(function* () {
      let sql = withWholeTransactions(yield* PgClient), reason = yield* unusable(sql);
      return reason !== void 0 ? yield* new DatabaseError({ file: place, reason }) : (yield* migrated(sql, schema, parts), add(make(PgClient, sql), SqlClient, sql));
    }).pipe(
      catchTags({
        NewerDatabase: (newer) => fail(new DatabaseError({ file: place, reason: newer.message })),
        SqlError: (error) => fail(failed(error))
      })
    ), client = layer2({
      url: whole2,
      maxConnections: connections,
      minConnections: 0,
      connectTimeout: "10 seconds",
      idleTimeout: "30 seconds",
      applicationName: "sluice"
    });
    return effectContext(open).pipe(provide(catchAll(client, (error) => fail2(failed(error)))));
  })
), undone = (cause) => new SqlError({
  cause: Object.assign(new Error("Connection terminated before the commit", { cause }), { code: "08006" })
}), rolledBack = new SqlError({
  cause: new Error("a statement of the transaction had failed, so that nothing of it was kept")
}), withWholeTransactions = (sql) => {
  let waited = againAt(sql), ids = /* @__PURE__ */ new WeakMap(), outcome = (id) => waited(sql`SELECT pg_xact_status(${id}::xid8) AS status`).pipe(
    map(([row]) => row?.status),
    flatMap(
      (status) => status === "in progress" ? zipRight(
        sleep("100 millis"),
        suspend(() => outcome(id))
      ) : succeed(status)
    )
  ), once = whole(sql, { begin: (connection) => map(
    // Without parameters both go in one message.
    connection.execute("BEGIN; SELECT pg_current_xact_id()::text AS id", [], void 0),
    (results) => {
      let [row] = results[1];
      row !== void 0 && ids.set(connection, row.id);
    }
  ), commit: (connection) => connection.executeRaw("COMMIT", []).pipe(
    flatMap(
      (result) => (
        // A transaction that has failed says so with nothing but this word.
        result.command === "ROLLBACK" ? fail(rolledBack) : _void
      )
    ),
    catchIf(isLost, (error) => {
      let id = ids.get(connection);
      return id === void 0 ? fail(error) : flatMap(
        outcome(id),
        (status) => status === "committed" ? _void : fail(status === "aborted" ? undone(error) : error)
      );
    })
  ) });
  return Object.assign(sql, {
    withTransaction: (effect2) => flatMap(
      serviceOption(TransactionConnection),
      (around) => (
        // A part of a transaction cannot be done again without the whole.
        isSome(around) ? once(effect2) : waited(once(effect2))
      )
    )
  });
};

// src/Ledger/Postgres.ts
var heartbeatInterval = 1e3, heartbeatTimeout = 4e3, database = (url, connections) => layer3({ url, parts: { ledger: migrations }, connections, silence: heartbeatTimeout }), hostId = gen(function* () {
  let files = yield* FileSystem, boot = yield* orElseSucceed(files.readFileString("/proc/sys/kernel/random/boot_id"), () => randomUUID()), space = yield* orElseSucceed(files.readLink("/proc/self/ns/pid"), () => randomUUID());
  return `${hostname()}/${boot.trim()}/${space}`;
}), placeOf = (url) => map(addressOf(url), ({ place }) => place), over = (place) => effect(
  Ledger,
  gen(function* () {
    let sql = yield* SqlClient, millis = (time) => `floor(extract(epoch FROM ${time}) * 1000)::bigint`, heartbeat = {
      interval: heartbeatInterval,
      timeout: heartbeatTimeout,
      // The server's clock, because clocks of machines differ.
      now: succeed(sql.literal(millis("clock_timestamp()"))),
      // Heartbeats cannot arrive while the server is down, so silence counts from its start.
      lastBeat: sql.literal(`greatest(beat, ${millis("pg_postmaster_start_time()")})`)
    };
    return make5({ sql, place, host: yield* hostId, heartbeat, isShared: !0, retryRead: againAt(sql) });
  })
), layer4 = (url) => unwrapEffect(map(placeOf(url), (place) => provide(over(place), database(url)))).pipe(
  mapError(notOpened)
);

export {
  again,
  PgClient,
  addressOf,
  layer3 as layer,
  database,
  placeOf,
  over,
  layer4 as layer2
};
