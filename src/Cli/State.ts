/** `sluice state`: what pipelines keep from run to run. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

export const actions = ["list", "get", "set", "clear", "move", "export", "import"] as const

const parameters = {
  action: Parameter.oneOf("ACTION", actions, "list, get, set, clear, move, export or import."),
  key: Parameter.optional("KEY", "The state's key, as `sluice state list` shows it."),
  step: Parameter.text("ID", "Only what this step keeps."),
  entry: Parameter.text("ENTRY", "The entry to get, set or clear: the address of a page, or what dedupe's key gives."),
  value: Parameter.text("JSON", "What set puts there."),
  to: Parameter.text("KEY", "The new key of what move moves."),
  file: Parameter.text("FILE", "Where export writes and import reads; default: stdout, stdin."),
  yes: Parameter.toggle("Clears all entries of a key without being asked again.", "y"),
  data: Parameter.text("DIR", "Folder of the ledger; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints JSON.")
}

export type StateParameters = Parameter.Values<typeof parameters>

export const state = Verb.make({
  name: "state",
  summary: "Shows and changes what pipelines remember from run to run.",
  details:
    "`dedupe` across runs and `files` with skipSeen keep what they have met under the pipeline's state key. What is cleared is new again in the next run. Nothing changes while a run holds the key.",
  parameters,
  examples: [
    { line: "sluice state list", what: "every key, with the number of its entries" },
    { line: "sluice state get docs-watch --entry https://example.com/a", what: "one entry" },
    { line: "sluice state clear docs-watch --entry https://example.com/a", what: "the page is new again" },
    { line: "sluice state export docs-watch --file state.jsonl", what: "a line for each entry; import reads it back" }
  ],
  load: () => import("./State/Program.ts")
})
