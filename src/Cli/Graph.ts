/** `sluice graph`: prints how the steps of a definition are connected, as Mermaid, DOT or JSON. */

import * as Effect from "effect/Effect"
import { check } from "../Pipeline/Check.ts"
import { diagramOf, dot, mermaid } from "../Pipeline/Diagram.ts"
import { read } from "../Pipeline/Source.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition."),
  format: Parameter.withDefault(
    Parameter.choice("FORMAT", ["mermaid", "dot", "json"], "mermaid (the default), dot or json."),
    "mermaid"
  ),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  parameters,
  examples: [
    { line: "sluice graph pipelines/quickstart.yaml", what: "Mermaid, for a Markdown file" },
    {
      line: "sluice graph pipelines/quickstart.yaml --format dot | dot -Tsvg > graph.svg",
      what: "a picture, with Graphviz"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

const formats = {
  mermaid,
  dot,
  json: (drawing: ReturnType<typeof diagramOf>) =>
    `${JSON.stringify(drawing, (key, value) => (key === "announces" ? undefined : value), 2)}\n`
}

const run = ({ file, format }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const source = yield* read(file)
    const checked = yield* check(source, { ...scopeOf(terminal.env), inputs: {}, complete: false })
    terminal.out.write(formats[format](diagramOf(checked)))
  })
