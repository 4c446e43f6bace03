import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  allowCode,
  trust
} from "./chunk-22T4FJR7.js";
import {
  choice,
  make,
  one,
  withDefault
} from "./chunk-FCWYZXNV.js";
import {
  scopeOf
} from "./chunk-X7K32U6Z.js";
import "./chunk-KJKV7NRH.js";
import {
  diagramOf,
  dot,
  mermaid
} from "./chunk-VY47LH7L.js";
import {
  check
} from "./chunk-MUKZDKC6.js";
import "./chunk-3EMFAHTD.js";
import "./chunk-N6F43J7C.js";
import {
  read2 as read
} from "./chunk-FIQWETKJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-23QIF2VD.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-K7EXGFWX.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  gen
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Graph.ts
var parameters = {
  file: one("FILE", "A definition."),
  format: withDefault(
    choice("FORMAT", ["mermaid", "dot", "json"], "mermaid (what counts when nothing is said), dot or json."),
    "mermaid"
  ),
  "allow-code": allowCode,
  ...trust
}, command = make({
  parameters,
  examples: [
    { line: "sluice graph pipelines/quickstart.yaml", what: "Mermaid, for a Markdown file" },
    {
      line: "sluice graph pipelines/quickstart.yaml --format dot | dot -Tsvg > graph.svg",
      what: "a picture, with Graphviz"
    }
  ],
  run: (options, terminal) => run(options, terminal)
}), formats = {
  mermaid,
  dot,
  json: (drawing) => `${JSON.stringify(drawing, (key, value) => key === "announces" ? void 0 : value, 2)}
`
}, run = ({ file, format }, terminal) => gen(function* () {
  let source = yield* read(file), checked = yield* check(source, { ...scopeOf(terminal.env), inputs: {}, complete: !1 });
  terminal.out.write(formats[format](diagramOf(checked)));
});
export {
  command
};
