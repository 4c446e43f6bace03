/** `sluice fmt`: definitions laid out in one way, or in another spelling. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many("FILE", "A definition, or a folder: every YAML and JSON definition in it."),
  to: Parameter.choice(
    "LANGUAGE",
    ["yaml", "ts", "json"],
    "Writes it as yaml, ts or json; comments stay only in YAML."
  ),
  check: Parameter.toggle("Names the files that are laid out otherwise, and ends with 6 when there is one."),
  write: Parameter.toggle("Writes the files; with --to, new ones beside them.")
}

export type FmtParameters = Parameter.Values<typeof parameters>

export const fmt = Verb.make({
  name: "fmt",
  summary: "Lays definitions out in one way, or converts them between YAML, TypeScript and JSON.",
  details:
    "Keys are put in order, comments stay. Without --write the text goes to stdout. Definitions in TypeScript are only converted: their layout is a formatter's.",
  parameters,
  examples: [
    { line: "sluice fmt pipelines --write", what: "every definition of a folder" },
    { line: "sluice fmt pipelines --check", what: "for a build" },
    { line: "sluice fmt pipelines/first.yaml --to ts > pipelines/first.ts", what: "the same value in TypeScript" }
  ],
  load: () => import("./Fmt/Program.ts")
})
