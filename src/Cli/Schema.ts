/** `sluice schema`: the pipeline language as JSON Schema, for editors. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  definition: Parameter.text("FILE", "The schema of this definition, with the steps of its extensions."),
  "allow-code": Parameter.allowCode,
  test: Parameter.toggle("The schema of test files (NAME.test.yaml) instead."),
  write: Parameter.toggle(
    "Writes .sluice/pipeline.schema.json and .sluice/test.schema.json, with --test only the latter, instead of stdout."
  )
}

export type SchemaParameters = Parameter.Values<typeof parameters>

export const schema = Verb.make({
  name: "schema",
  summary: "Prints the JSON Schema of definitions, with which editors complete and check.",
  details:
    "The first line of a definition (of a test, with test.schema.json) names it: # yaml-language-server: $schema=../.sluice/pipeline.schema.json",
  parameters,
  examples: [
    { line: "sluice schema --write", what: "where the definitions that init makes look for it" },
    { line: "sluice schema > pipeline.schema.json", what: "anywhere else" }
  ],
  load: () => import("./Schema/Program.ts")
})
