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
} from "./chunk-GNLX27JJ.js";
import "./chunk-Y3UV4EDE.js";
import {
  diagramOf,
  dot,
  mermaid
} from "./chunk-2FKDIRWL.js";
import {
  check
} from "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  read2 as read
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-4U3SQ3WC.js";
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
