/** Reads and checks a definition, and prints its graph. */
import * as Effect from "effect/Effect"
import { check } from "../../Pipeline/Check.ts"
import { diagramOf, dot, mermaid } from "../../Pipeline/Diagram.ts"
import { read } from "../../Pipeline/Source.ts"
import type { GraphParameters } from "../Graph.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"

const formats = {
  mermaid,
  dot,
  json: (drawing: ReturnType<typeof diagramOf>) =>
    `${JSON.stringify(drawing, (key, value) => (key === "announces" ? undefined : value), 2)}\n`
}

export const program = ({ file, format }: GraphParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const source = yield* read(file)
    const checked = yield* check(source, { ...scopeOf(terminal.env), inputs: {}, complete: false })
    terminal.out.write(formats[format](diagramOf(checked)))
  })
