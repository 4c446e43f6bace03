import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  namedSteps
} from "./chunk-LO3OT3SC.js";
import {
  settle
} from "./chunk-OWXHLDRW.js";
import {
  isTypeLiteral
} from "./chunk-PAQDWWDE.js";
import {
  forEach2 as forEach,
  map9 as map,
  succeed4 as succeed
} from "./chunk-JGKSI326.js";

// src/Pipeline/Display.ts
var filled = (scope, value) => typeof value == "string" ? value.includes("${{") ? map(
  settle(scope, value, []),
  (settled) => settled.mistakes.length + settled.open.length + settled.secret.length > 0 ? value : settled.value
) : succeed(value) : Array.isArray(value) ? forEach(value, (item) => filled(scope, item)) : typeof value != "object" || value === null ? succeed(value) : map(
  forEach(
    Object.entries(value),
    ([key, item]) => map(filled(scope, item), (each) => [key, each])
  ),
  Object.fromEntries
), namesOthers = /\b(?:env|secrets)\b/, password = /(\/\/[^/\s:@]*:)[^/\s@]+@/g, hidden = "\u2026", shownValue = (scope, value) => typeof value == "string" ? !value.includes("${{") || namesOthers.test(value) ? succeed(value) : map(
  settle(scope, value, []),
  (settled) => settled.mistakes.length > 0 || settled.open.length > 0 ? value : settled.value
) : Array.isArray(value) ? forEach(value, (item) => shownValue(scope, item)) : typeof value != "object" || value === null ? succeed(value) : map(
  forEach(
    Object.entries(value),
    ([key, item]) => map(key === "headers" ? succeed(hidden) : shownValue(scope, item), (shown2) => [key, shown2])
  ),
  Object.fromEntries
), inline = (value, nested) => {
  if (typeof value == "string") return value.replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, !0)).join(", ")}]`;
  if (typeof value != "object" || value === null) return String(value);
  let entries = Object.entries(value), [first] = entries;
  if (entries.length === 1 && first?.[0] === "expr") return inline(first[1], nested);
  let text = entries.map(([key, item]) => `${key}: ${inline(item, !0)}`).join(", ");
  return nested ? `{ ${text} }` : text;
}, unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, shown = (scope, config) => map(
  shownValue(scope, config),
  (value) => inline(value, !1).replace(unseen, "").replace(password, `$1${hidden}@`)
), short = (text) => {
  let line = text.replace(/[\s\p{Cc}]+/gu, " ").trim(), characters = [...line];
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}\u2026` : line;
}, takesAnyKey = (ast) => isTypeLiteral(ast) && ast.propertySignatures.length === 0 && ast.indexSignatures.length > 0, textOf = (value) => {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (typeof value != "object" || value === null) return String(value);
  let { expr } = value;
  return typeof expr == "string" ? expr : Object.keys(value).join(", ");
}, detailOf = ({ config, step }) => {
  if (typeof config != "object" || config === null || Array.isArray(config)) return short(textOf(config));
  if (takesAnyKey(step.config.ast)) return short(Object.keys(config).join(", "));
  let [first] = Object.entries(config);
  return first === void 0 ? "" : short(`${first[0]}: ${textOf(first[1])}`);
};

// src/Pipeline/Diagram.ts
var kindOf = ({ step }) => {
  let { kind } = step.behaviour;
  return kind === "source" || kind === "value" || kind === "sink" ? kind : "step";
}, diagramOf = ({ frame, nodes }) => ({
  name: frame.name,
  nodes: nodes.map((node) => ({
    id: node.id,
    key: node.step.key,
    kind: kindOf(node),
    detail: detailOf(node),
    ...node.step.behaviour.kind === "transform" && node.step.behaviour.announces === !0 ? { announces: !0 } : {}
  })),
  edges: nodes.flatMap((node) => {
    let values = [...namedSteps(node)].filter((id) => nodes.some((each) => each.id === id));
    return [
      ...node.inputs.map((from) => ({ from, to: node.id, kind: "rows" })),
      ...node.after.map((from) => ({ from, to: node.id, kind: "after" })),
      ...values.map((from) => ({ from, to: node.id, kind: "value" }))
    ];
  })
}), escapeMermaid = (text) => Array.from(
  text.replace(/[\s\p{Cc}\p{Cs}]/gu, " "),
  (character) => /[\p{L}\p{M}\p{N} _.,/=-]/u.test(character) ? character : `#${character.codePointAt(0)};`
).join(""), mermaidShapes = {
  source: ['(["', '"])'],
  step: ['["', '"]'],
  value: ['>"', '"]'],
  sink: ['[("', '")]']
}, labelOf = ({ detail, id, key }) => [id === key || id.startsWith(`${key}-`) ? id : `${id}: ${key}`, ...detail === "" ? [] : [detail]].map(escapeMermaid).join("<br/>"), mermaid = ({ edges, name, nodes }) => {
  let numbered = new Map(nodes.map(({ id }, index) => [id, `n${index}`])), dashed = edges.flatMap(({ kind }, index) => kind === "value" ? [index] : []), arrows = { rows: "-->", after: '-. "after" .->', value: '-- "value" -->' };
  return `${[
    "---",
    `title: ${JSON.stringify(name)}`,
    "---",
    "flowchart LR",
    ...nodes.map((node) => {
      let [open, close] = mermaidShapes[node.kind];
      return `  ${numbered.get(node.id)}${open}${labelOf(node)}${close}`;
    }),
    ...edges.map(({ from, kind, to }) => `  ${numbered.get(from)} ${arrows[kind]} ${numbered.get(to)}`),
    ...dashed.length === 0 ? [] : [`  linkStyle ${dashed.join(",")} stroke-dasharray:6 4`]
  ].join(`
`)}
`;
}, quoteDot = (text) => `"${text.replace(/[\s\p{Cc}\p{Cs}]/gu, " ").replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("&", "&amp;")}"`, dotShapes = { source: "oval", step: "box", value: "note", sink: "cylinder" }, dotStyles = { rows: "solid", after: "dotted", value: "dashed" }, dot = ({ edges, name, nodes }) => `${[
  `digraph ${quoteDot(name)} {`,
  "  rankdir=LR",
  ...nodes.map(({ detail, id, key, kind }) => {
    let label = [id === key ? id : `${id}: ${key}`, ...detail === "" ? [] : [detail]].map((line) => quoteDot(line).slice(1, -1)).join("\\n");
    return `  ${quoteDot(id)} [shape=${dotShapes[kind]}, label="${label}"]`;
  }),
  ...edges.map(({ from, kind, to }) => `  ${quoteDot(from)} -> ${quoteDot(to)} [style=${dotStyles[kind]}]`),
  "}"
].join(`
`)}
`;

export {
  filled,
  shown,
  diagramOf,
  mermaid,
  dot
};
