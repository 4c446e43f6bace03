/** `sluice graph`: prints how the steps of a definition are connected, as Mermaid, DOT or JSON. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition."),
  format: Parameter.withDefault(
    Parameter.choice("FORMAT", ["mermaid", "dot", "json"], "mermaid (what counts when nothing is said), dot or json."),
    "mermaid"
  ),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust
}

export type GraphParameters = Parameter.Values<typeof parameters>

export const graph = Verb.make({
  name: "graph",
  summary: "Draws the graph of a definition: rows as lines, waits dotted, values dashed.",
  parameters,
  examples: [
    { line: "sluice graph pipelines/quickstart.yaml", what: "Mermaid, for a Markdown file" },
    {
      line: "sluice graph pipelines/quickstart.yaml --format dot | dot -Tsvg > graph.svg",
      what: "a picture, with Graphviz"
    }
  ],
  load: () => import("./Graph/Program.ts")
})
