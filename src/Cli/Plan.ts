/** `sluice plan`: what a run would do and cost, without spending anything. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition: YAML, JSON or TypeScript."),
  input: Parameter.pairs("NAME=VALUE", "Gives an input of the pipeline; as often as needed.", "i"),
  limit: Parameter.integer("N", "As if at most N rows were taken from each source.", { minimum: 1 }),
  out: Parameter.text("DIR", "Folder that relative output paths are under; default: the current one.", "o"),
  data: Parameter.text("DIR", "Folder of the ledger of earlier runs; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  probe: Parameter.toggle("Asks the service what is left of its credits, which costs nothing."),
  json: Parameter.toggle("Prints the plan as one JSON object."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust
}

export type PlanParameters = Parameter.Values<typeof parameters>

export const plan = Verb.make({
  name: "plan",
  summary: "Says what a run would ask for, where, at what price and with which outputs; nothing is sent or spent.",
  details:
    "What nobody can know before is shown as unknown, and as bounds where there are some. Numbers hold if nothing fails and nothing is tried again. Values of the environment are shown by their names.",
  parameters,
  examples: [
    { line: "sluice plan pipelines/crawl-site.yaml", what: "before the first run" },
    { line: "sluice plan pipelines/search-to-csv.yaml --limit 5 --json", what: "for a script" },
    { line: "sluice plan pipelines/crawl-site.yaml --profile hosted --probe", what: "with what is left at the service" }
  ],
  load: () => import("./Plan/Program.ts")
})
