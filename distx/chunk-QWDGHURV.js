import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  choice,
  loadVerb,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";

// src/Cli/Arguments.ts
import { parseArgs } from "node:util";
var everywhere = {
  help: toggle("Shows this help.", "h"),
  debug: toggle("Shows the cause and the stack of a failure."),
  "log-format": choice(
    "FORMAT",
    ["text", "json"],
    "json: writes stderr as JSON, one object a line; default: text, or SLUICE_LOG."
  )
}, alone = { ...everywhere, version: toggle("Prints the version.", "V") }, optionsOf = (parameters) => Object.fromEntries(
  Object.entries(parameters).filter(([, { kind }]) => kind !== "operand").map(([name, { short, value }]) => [
    name,
    { type: value === void 0 ? "boolean" : "string", ...short === void 0 ? {} : { short } }
  ])
), tokensOf = (words, options) => parseArgs({ args: [...words], options, strict: !1, allowPositionals: !0, tokens: !0 }).tokens, sort = (words, parameters) => {
  let options = optionsOf(parameters), operands = [], flags = {};
  for (let token of tokensOf(words, options)) {
    if (token.kind === "positional" && operands.push(token.value), token.kind !== "option") continue;
    let { inlineValue, name, rawName, value } = token, option = Object.hasOwn(options, name) ? options[name] : void 0;
    if (option === void 0) {
      let near = rawName.startsWith("--") ? didYouMean(
        rawName,
        Object.keys(options).map((each) => `--${each}`)
      ) : "";
      return `unknown flag "${rawName}"${near}`;
    }
    if (option.type === "boolean" && value !== void 0) return `--${name} is a switch and takes no value`;
    let swallowed = inlineValue === !1 && value !== void 0 && /^--?[a-z]/i.test(value);
    if (option.type === "string" && (value === void 0 || swallowed))
      return `--${name} needs a value: --${name} ${parameters[name]?.value ?? ""}`;
    flags[name] = [...flags[name] ?? [], value ?? ""];
  }
  return { operands, flags };
}, assign = (operands, verb) => {
  let given = {}, rest = operands;
  for (let [name, { kind, many }] of Object.entries(verb.parameters))
    kind === "operand" && (given[name] = many === !0 ? rest : rest.slice(0, 1), rest = many === !0 ? [] : rest.slice(1));
  return rest[0] === void 0 ? given : `unexpected argument "${rest[0]}"`;
}, readVerb = (words, verb) => {
  let mistake = (message) => ({ ask: "mistake", message, verb });
  if (words.some((word) => word === "--help" || word === "-h")) return { ask: "help", verb };
  let sorted = sort(words, { ...verb.parameters, ...everywhere });
  if (typeof sorted == "string") return mistake(sorted);
  let operands = assign(sorted.operands, verb);
  if (typeof operands == "string") return mistake(operands);
  let prepared = verb.prepare({ ...sorted.flags, ...operands });
  if ("fault" in prepared) return mistake(prepared.fault);
  let format = everywhere["log-format"].read(sorted.flags["log-format"] ?? []);
  return "fault" in format ? mistake(`--log-format ${format.fault}`) : { ask: "act", call: prepared.value, debug: sorted.flags.debug !== void 0, logFormat: format.value };
}, verbIndex = (words) => tokensOf(words, optionsOf(alone)).find(({ kind }) => kind === "positional")?.index ?? -1, verbNamed = (words) => {
  let at = verbIndex(words);
  return words[words[at] === "help" ? at + 1 : at];
}, interpret = (words, names, verb) => {
  let at = verbIndex(words), before = sort(at === -1 ? words : words.slice(0, at), alone), mistake = (message) => ({ ask: "mistake", message, verb: void 0 });
  if (typeof before == "string") return mistake(before);
  if (before.flags.version !== void 0) return { ask: "version" };
  let isHelp = at === -1 ? words.length === 0 || before.flags.help !== void 0 : words[at] === "help", name = verbNamed(words);
  return verb !== void 0 ? isHelp ? { ask: "help", verb } : readVerb([...words.slice(0, at), ...words.slice(at + 1)], verb) : isHelp && (name === void 0 || at === -1 || name.startsWith("-")) ? { ask: "help", verb } : mistake(name === void 0 || at === -1 ? "a verb is missing" : `unknown verb "${name}"${didYouMean(name, [...names, "help"])}`);
}, read = (words, verbs) => {
  let names = verbs.map(({ name }) => name), verb = verbs.find(({ name }) => name === verbNamed(words));
  return verb === void 0 ? Promise.resolve(interpret(words, names, void 0)) : loadVerb(verb).then((loaded) => interpret(words, names, loaded));
};

export {
  everywhere,
  alone,
  read
};
