/** `sluice runs`: the runs that the ledger knows. */
import { statuses } from "../Ledger/Model.ts"
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  pipeline: Parameter.text("NAME", "Only runs of this pipeline.", "p"),
  status: Parameter.choice("STATUS", statuses, "Only runs that ended, or stand, like this."),
  limit: Parameter.withDefault(Parameter.integer("N", "At most N runs; default: 20.", { minimum: 1 }), 20),
  prune: Parameter.duration(
    "AGE",
    "Forgets runs that nothing has happened to for so long, like 30d, with their partial files, rejects and trial outputs."
  ),
  keep: Parameter.withDefault(
    Parameter.integer("N", "Leaves the newest N of each pipeline, however old; default: 10.", { minimum: 0 }),
    10
  ),
  data: Parameter.text("DIR", "Folder of the ledger; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints a list of JSON objects.")
}

export type RunsParameters = Parameter.Values<typeof parameters>

export const runs = Verb.make({
  name: "runs",
  summary: "Lists runs, newest first, and forgets old ones when it is told to.",
  parameters,
  examples: [
    { line: "sluice runs", what: "the last twenty" },
    { line: "sluice runs --status failed --pipeline crawl-site", what: "what went wrong with one pipeline" },
    { line: "sluice runs --prune 30d", what: "keeps the data folder small" }
  ],
  load: () => import("./Runs/Program.ts")
})
