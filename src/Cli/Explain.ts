/** `sluice explain`: the language, from the schemas that definitions are checked with. */
import * as Parameter from "./Parameter.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  name: Parameter.optional("NAME", "A step or a sink, or one of keys, frame, expressions, settings, exit-codes."),
  definition: Parameter.text("FILE", "Explains the language of this definition, with the steps of its extensions."),
  "allow-code": Parameter.allowCode,
  json: Parameter.toggle("Prints it as one JSON object on stdout."),
  markdown: Parameter.toggle("Prints it as Markdown; without a name the whole reference.")
}

export type ExplainParameters = Parameter.Values<typeof parameters>

type Verbs = () => ReadonlyArray<Verb.Verb>

const load = (verbs: Verbs) => () =>
  import("./Explain/Program.ts").then(({ program }) => {
    const withVerbs = (options: ExplainParameters, terminal: Terminal) => program(options, terminal, verbs())
    return { program: withVerbs }
  })

/** It explains itself and all other verbs, too. */
export const explain = (verbs: Verbs): Verb.Verb =>
  Verb.make({
    name: "explain",
    summary: "Explains a step: what it does, its fields with limits and defaults, and an example.",
    parameters,
    examples: [
      { line: "sluice explain", what: "everything that can be explained" },
      { line: "sluice explain crawl", what: "one step" },
      { line: "sluice explain expressions", what: "the functions of expressions" },
      { line: "sluice explain --definition shop.yaml --allow-code", what: "with the steps of a project's own" }
    ],
    load: load(verbs)
  })
