import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  decode
} from "./chunk-LO3OT3SC.js";
import {
  settle
} from "./chunk-OWXHLDRW.js";
import {
  catalogue,
  operationOf,
  renderPath
} from "./chunk-PGOM52WJ.js";
import {
  TypedError
} from "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  gen,
  map9 as map
} from "./chunk-JGKSI326.js";
import {
  isRight
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";

// src/Pipeline/Requirements.ts
var isHere = (baseUrl) => !canParse(baseUrl) || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname), hostOf = (baseUrl) => canParse(baseUrl) ? new URL(baseUrl).host : baseUrl, hosted = (baseUrl) => ({
  who: hostOf(baseUrl),
  lackOf: ({ ability }) => ability === "here" && !isHere(baseUrl) ? {
    why: "is on this machine only and out of reach",
    todo: `let the local engine do the work: ${catalogue.engine.env}=local`
  } : void 0
}), Unable = class extends TypedError("Unable", { scope: "run", exitCode: ExitCode.invalid }) {
  get message() {
    let lines = this.unmet.map(({ column, line, message, path }) => `${line === void 0 ? this.file : `${this.file}:${line}:${column}`}  ${renderPath(path)}${message}`), count = this.unmet.length, things = count === 1 ? "something" : `${count} things`;
    return `${lines.join(`
`)}
${this.who} cannot do ${things} that ${this.file} asks for; nothing was sent`;
  }
}, unmet = (checked, scope, service) => gen(function* () {
  let { frame, nodes, source } = checked, found = [], add = (need, lack, step, at) => {
    if (lack === void 0) return;
    let message = `${step === void 0 ? "" : `step ${step}: `}${need.what} ${lack.why} (${service.who}): ${lack.todo}`, place = source.locate(at, at.length === 3 ? "key" : "value");
    found.push({ path: at, message, step, optional: need.optional === !0, ...place });
  };
  if (frame.site !== void 0 && nodes.some(({ config, step }) => operationOf(step, config) !== void 0)) {
    let need = { ability: "here", path: [], what: "it brings its own site, which" };
    add(need, service.lackOf(need), void 0, ["site"]);
  }
  for (let node of nodes) {
    let { id, index, step } = node;
    if (step.needs === void 0) continue;
    let decoded = yield* decode(node, scope);
    if (isRight(decoded) && (decoded.right.common.when === !1 || decoded.right.common.pin)) continue;
    let { value } = yield* settle(scope, node.config, []);
    for (let need of step.needs(value))
      add(need, service.lackOf(need), id, ["steps", index, step.key, ...need.path]);
  }
  return found;
}), look = (checked, scope, service) => map(unmet(checked, scope, service), (all) => {
  let missing = all.filter(({ optional }) => !optional);
  return {
    notes: all.filter(({ optional }) => optional),
    refusal: missing.length === 0 ? void 0 : new Unable({ file: checked.source.file, who: service.who, unmet: missing })
  };
});

export {
  hostOf,
  hosted,
  Unable,
  look
};
