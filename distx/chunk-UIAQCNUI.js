import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  alone,
  everywhere
} from "./chunk-QWDGHURV.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";

// src/Cli/Help.ts
var wrap = (text, width) => {
  let lines = [];
  for (let word of text.split(" ")) {
    let line = lines[lines.length - 1];
    line !== void 0 && line.length + 1 + word.length <= width ? lines[lines.length - 1] = `${line} ${word}` : lines.push(word);
  }
  return lines;
}, table = (entries, width, dye) => {
  let widest = Math.max(...entries.map(([term]) => term.length)), column = widest + 4;
  return entries.map(([term, description]) => {
    if (widest > width / 2.5)
      return [`  ${dye.cyan(term)}`, ...wrap(description, width - 6).map((line) => `      ${line}`)].join(`
`);
    let [first = "", ...more] = wrap(description, width - column), lines = more.map((line) => `${" ".repeat(column)}${line}`);
    return [`  ${dye.cyan(term)}${" ".repeat(column - 2 - term.length)}${first}`, ...lines].join(`
`);
  }).join(`
`);
}, flagEntries = (parameters) => Object.entries(parameters).filter(([, { kind }]) => kind === "flag").map(([name, { description, short, value }]) => [
  `${short === void 0 ? "    " : `-${short}, `}--${name}${value === void 0 ? "" : ` ${value}`}`,
  description
]), exitCodes = "0 ok \xB7 1 failed \xB7 2 usage \xB7 3 too many rejects \xB7 4 budget reached \xB7 5 locked \xB7 6 check failed \xB7 78 definition or settings invalid \xB7 129/130/143 stopped", pageOf = (channel) => ({ width: Math.min(channel.columns(), 100), dye: paint(channel) }), overview = (verbs, version, channel) => {
  let { dye, width } = pageOf(channel), entries = verbs.map((verb) => [`${verb.name} ${verb.operands}`.trim(), verb.summary]);
  return [
    `${dye.bold("sluice")} ${version}   Web-data pipelines: search, crawl, scrape and parse into JSONL and CSV.`,
    `${dye.bold("Usage")}   sluice VERB \u2026`,
    `${dye.bold("Verbs")}
${table(entries, width, dye)}`,
    `${dye.bold("Flags")}
${table(flagEntries(alone), width, dye)}`,
    `${dye.bold("Start")}
  sluice init && sluice run pipelines/first.yaml`,
    [dye.bold("Exit codes"), ...wrap(exitCodes, width - 2).map((line) => `  ${line}`)].join(`
`),
    `${dye.dim("sluice VERB --help shows more about a verb.")}
`
  ].join(`

`);
}, about = (verb, channel) => {
  let { dye, width } = pageOf(channel), operands = Object.values(verb.parameters).filter(({ kind }) => kind === "operand").map(({ description, value = "" }) => [value, description]), flags = flagEntries({ ...verb.parameters, ...everywhere });
  return [
    ...wrap(verb.summary, width),
    "",
    `${dye.bold("Usage")}   ${["sluice", verb.name, verb.operands, "[flags]"].filter((word) => word !== "").join(" ")}`,
    "",
    ...operands.length === 0 ? [] : [table(operands, width, dye), ""],
    `${dye.bold("Flags")}
${table(flags, width, dye)}`,
    "",
    `${dye.bold("Examples")}`,
    ...verb.examples.flatMap(({ line, what }) => [`  ${line}`, `      ${dye.dim(what)}`]),
    ...verb.details === void 0 ? [] : ["", ...wrap(verb.details, width)],
    ""
  ].join(`
`);
};

export {
  wrap,
  table,
  overview,
  about
};
