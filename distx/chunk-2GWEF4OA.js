import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  expand
} from "./chunk-EFONPNEJ.js";
import {
  choice,
  make,
  many,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  FileUnusable,
  WrongUsage,
  count
} from "./chunk-BMNGXVO7.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import {
  cutExpressions
} from "./chunk-OWXHLDRW.js";
import {
  DefinitionInvalid,
  builtIn,
  commonKeys,
  parseText,
  read2 as read,
  require_dist,
  whyNotPlain
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  FileSystem
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode,
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  fail5 as fail,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  gen,
  mapError2 as mapError,
  option,
  succeed4 as succeed,
  suspend2 as suspend
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Pipeline/Format.ts
import { isDeepStrictEqual } from "node:util";
var import_yaml = __toESM(require_dist(), 1);
var lineWidth = 120, frameOrder = [
  "version",
  "name",
  "description",
  "inputs",
  "extensions",
  "site",
  "state",
  "schedule",
  "budget",
  "notify",
  "steps"
], before = ["id", "from", "after"], stepRank = (key) => before.includes(key) ? before.indexOf(key) : commonKeys.includes(key) ? before.length + 1 + commonKeys.indexOf(key) : before.length, frameRank = (key) => frameOrder.includes(key) ? frameOrder.indexOf(key) : frameOrder.length - 1.5, compareKeys = (place, one, other) => {
  let rank = place === "frame" ? frameRank : stepRank;
  return rank(one) - rank(other);
}, isMapping = (value) => typeof value == "object" && value !== null && !Array.isArray(value), sorted = (place, value) => isMapping(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => compareKeys(place, one, other))) : value, ordered = (value) => {
  let frame = sorted("frame", value);
  return isMapping(frame) && Array.isArray(frame.steps) ? { ...frame, steps: frame.steps.map((step) => sorted("step", step)) } : frame;
}, quoteTypescript = (text) => {
  let count2 = (mark) => text.split(mark).length, double = JSON.stringify(text).replace(
    /[\u2028\u2029\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  );
  return count2('"') > count2("'") ? `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : double;
}, keyTypescript = (name) => name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteTypescript(name), numberTypescript = (value) => Number.isNaN(value) ? "Number.NaN" : Number.isFinite(value) ? Object.is(value, -0) ? "-0" : String(value).replace("e+", "e") : value > 0 ? "Number.POSITIVE_INFINITY" : "Number.NEGATIVE_INFINITY", flat = (value) => {
  if (typeof value == "string") return quoteTypescript(value);
  if (typeof value == "number") return numberTypescript(value);
  if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`;
  if (typeof value != "object" || value === null) return String(value);
  let fields = Object.entries(value).map(([name, each]) => `${keyTypescript(name)}: ${flat(each)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}, lay = (value, indent, used, open) => {
  let line = flat(value);
  if (typeof value != "object" || value === null || !open && used + line.length + 1 <= lineWidth) return line;
  let deeper = `${indent}  `;
  if (Array.isArray(value))
    return value.length === 0 ? line : `[
${value.map((each) => `${deeper}${lay(each, deeper, deeper.length, !1)}`).join(`,
`)}
${indent}]`;
  let fields = Object.entries(value).map(([name, each]) => {
    let start = `${deeper}${keyTypescript(name)}: `, isSteps = indent === "" && name === "steps" && Array.isArray(each) && each.length > 0;
    return start + lay(each, deeper, start.length, isSteps);
  });
  return fields.length === 0 ? "{}" : `{
${fields.join(`,
`)}
${indent}}`;
}, typescript = (value) => `import { Pipeline } from "sluice"

export default Pipeline.make(${lay(value, "", 0, !0)})
`, layout = { lineWidth: 0, indent: 2, indentSeq: !0 }, pad = (collection, padding) => {
  Object.defineProperty(collection, "toString", { value: function(context, onComment, onChompKeep) {
    let proto = (0, import_yaml.isMap)(this) ? import_yaml.YAMLMap.prototype : import_yaml.YAMLSeq.prototype, padded = context && { ...context, flowCollectionPadding: padding };
    return proto.toString.call(this, padded, onComment, onChompKeep);
  }, enumerable: !1 });
}, keyOf = (pair) => (0, import_yaml.isScalar)(pair.key) ? String(pair.key.value) : "", sort = (place, map) => {
  if (!(0, import_yaml.isMap)(map)) return;
  let [first] = map.items;
  map.items.sort((one, other) => compareKeys(place, keyOf(one), keyOf(other)));
  let [now] = map.items;
  now !== first && place === "step" && (0, import_yaml.isScalar)(now?.key) && (now.key.spaceBefore = !1);
}, sortAll = (document) => {
  sort("frame", document.contents);
  let steps = (0, import_yaml.isMap)(document.contents) ? document.contents.get("steps") : void 0;
  if ((0, import_yaml.isSeq)(steps)) for (let step of steps.items) sort("step", step);
}, quote = (scalar) => {
  if (typeof scalar.value != "string") return;
  if (scalar.value.includes(`
`)) {
    /^\s|[ \t\r](\n|$)/.test(scalar.value) && (scalar.type = import_yaml.Scalar.QUOTE_DOUBLE);
    return;
  }
  let isPlain = scalar.type === void 0 || scalar.type === "PLAIN";
  scalar.value.includes("${{") && isPlain && (scalar.type = import_yaml.Scalar.QUOTE_DOUBLE), scalar.type === "QUOTE_SINGLE" && !/["\\]/.test(scalar.value) && (scalar.type = import_yaml.Scalar.QUOTE_DOUBLE);
}, hasAliases = (document) => {
  let found = !1;
  return (0, import_yaml.visit)(document, {
    Alias: () => (found = !0, import_yaml.visit.BREAK)
  }), found;
}, dress = (document) => (0, import_yaml.visit)(document, {
  Scalar: (_, node) => quote(node),
  Collection: (_, node) => {
    node.items.length === 0 && (node.flow = !0), pad(node, (0, import_yaml.isMap)(node) ? " " : "");
  }
}), unfold = (text) => {
  let lines = new import_yaml.LineCounter(), document = (0, import_yaml.parseDocument)(text, { lineCounter: lines }), wide = new Set(text.split(`
`).flatMap((line, index) => line.length > lineWidth ? [index + 1] : [])), changed = !1;
  return (0, import_yaml.visit)(document, {
    Collection: (_, node) => {
      let isWide = node.range != null && wide.has(lines.linePos(node.range[0]).line);
      if (!(node.flow !== !0 || node.items.length === 0 || !isWide))
        return node.flow = !1, changed = !0, import_yaml.visit.SKIP;
    }
  }), changed ? (dress(document), unfold(document.toString(layout))) : text;
}, format = (document) => (hasAliases(document) || sortAll(document), dress(document), unfold(document.toString(layout))), isSimple = (node) => (0, import_yaml.isScalar)(node) ? typeof node.value != "string" || !node.value.includes(`
`) : (0, import_yaml.isSeq)(node) && node.items.every((item) => (0, import_yaml.isScalar)(item) && isSimple(item)), yaml = (value) => {
  let document = new import_yaml.Document(value, { aliasDuplicateObjects: !1 });
  return (0, import_yaml.visit)(document, {
    Collection: (_, node, path) => {
      let values = (0, import_yaml.isMap)(node) ? node.items.map((pair) => pair.value) : node.items, depth = path.filter(import_yaml.isCollection).length, isStep = depth === 2 && (0, import_yaml.isSeq)(path[path.length - 1]), mayFold = (0, import_yaml.isMap)(node) ? depth >= 2 && !isStep : depth >= 1;
      node.flow = mayFold && values.every(isSimple) && JSON.stringify(node).length <= 90;
    }
  }), format(document);
}, languageOf = (file) => {
  let ending = /\.(\w+)$/.exec(file)?.[1];
  return ending === "yaml" || ending === "yml" ? "yaml" : ending === "ts" || ending === "mts" || ending === "js" || ending === "mjs" ? "ts" : ending === "json" ? "json" : void 0;
}, NotWritable = class extends TaggedError("NotWritable") {
  get message() {
    return `${this.file} cannot be written: ${this.reason}`;
  }
}, spell = { yaml, ts: typescript, json: (value) => `${JSON.stringify(value, null, 2)}
` }, write = (file, value, to) => suspend(() => {
  let reason = whyNotPlain(value);
  return reason === void 0 ? succeed(spell[to](ordered(value))) : fail(new NotWritable({ file, reason: `${reason}, which is no value of a definition` }));
}), formatYaml = fn("Pipeline.format")(function* (file, text) {
  let source = yield* parseText(file, "", text), mistakes = cutExpressions(source, builtIn);
  if (mistakes.length > 0) return yield* new DefinitionInvalid({ file, mistakes });
  let formatted = format((0, import_yaml.parseDocument)(text, { logLevel: "error" })), again = yield* parseText(file, "", formatted);
  return isDeepStrictEqual(again.value, source.value) ? formatted : yield* new NotWritable({ file, reason: "its layout would change what it says; it was left as it is" });
});

// src/Cli/Fmt.ts
var parameters = {
  files: many("FILE", "A definition, or a folder: every YAML and JSON definition in it."),
  to: choice("LANGUAGE", ["yaml", "ts", "json"], "Converts to yaml, ts or json; only YAML keeps comments."),
  check: toggle("Lists the files that are not formatted, and ends with 6 if there are any."),
  write: toggle("Writes the files; with --to, new ones beside them.")
}, command = make({
  details: "Keys are put in order, and comments are kept. Without --write the text goes to stdout. Definitions in TypeScript are only converted; format them with your formatter for TypeScript.",
  parameters,
  examples: [
    { line: "sluice fmt pipelines --write", what: "every definition of a folder" },
    { line: "sluice fmt pipelines --check", what: "for a build" },
    { line: "sluice fmt pipelines/first.yaml --to ts > pipelines/first.ts", what: "the same value in TypeScript" }
  ],
  run: (options, terminal) => run(options, terminal)
}), NotFormatted = class extends TaggedError("NotFormatted") {
  exitCode = ExitCode.checkFailed;
  get message() {
    return `${count(this.files, "file")} ${this.files === 1 ? "is" : "are"} not formatted. Run: sluice fmt --write`;
  }
}, unusable = (path) => (cause) => new FileUnusable({ path, reason: fileErrorReason(cause), cause }), produce = (file, to) => gen(function* () {
  let files = yield* FileSystem, from = languageOf(file), language = to ?? from ?? "yaml";
  if (to === void 0 && from === "ts") {
    let reason = `${file}: code is not formatted here; --to yaml or --to json converts it`;
    return yield* new WrongUsage({ reason });
  }
  let source = yield* read(file), target = language === from ? file : file.replace(/\.\w+$/, `.${language}`), current = yield* option(files.readFileString(target)), text = language === "yaml" && from === "yaml" ? yield* flatMap(
    mapError(files.readFileString(file), unusable(file)),
    (text2) => formatYaml(file, text2)
  ) : yield* write(file, source.value, language);
  return { file, target, text, current: current._tag === "Some" ? current.value : void 0 };
}), saveFile = ({ current, file, target, text }) => gen(function* () {
  if (current === text) return !1;
  if (target !== file && current !== void 0)
    return yield* new FileUnusable({
      path: target,
      reason: "it exists with other contents; remove it, or leave out --write to see the text"
    });
  let files = yield* FileSystem;
  return yield* mapError(files.writeFileString(target, text), unusable(target)), !0;
}), run = (options, { err, out }) => gen(function* () {
  let named = (yield* forEach(options.files, expand)).flat();
  if (named.length > 1 && !options.write && !options.check) {
    let reason = `${count(named.length, "definition")} cannot go to stdout together: use --write or --check`;
    return yield* new WrongUsage({ reason });
  }
  let written = yield* forEach(named, (file) => produce(file, options.to)), other = written.filter(({ current, text }) => current !== text);
  if (options.check) {
    for (let { target } of other) out.write(`${target}
`);
    return other.length > 0 ? yield* new NotFormatted({ files: other.length }) : void 0;
  }
  if (!options.write) return out.write(written.map(({ text }) => text).join(""));
  for (let each of written) (yield* saveFile(each)) && out.write(`${each.target}
`);
  other.length === 0 && err.write(`${count(written.length, "definition")} ${written.length === 1 ? "is" : "are"} formatted already
`);
});
export {
  command
};
