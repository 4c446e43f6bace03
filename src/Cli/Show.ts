/** `sluice show`: one run, its pages, its rejects; or everything that is known of a page. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.optional("RUN", "The run's id; without one, the newest."),
  rejects: Parameter.toggle("The rejected rows that nobody has taken up again, a line of JSON each."),
  pages: Parameter.toggle("The pages that were asked for, a line of JSON each."),
  page: Parameter.text("KEY", "What every run has met at this address (or hash of a file), newest first."),
  limit: Parameter.withDefault(
    Parameter.integer("N", "At most N pages, or shards; default: 1000.", { minimum: 1 }),
    1000
  ),
  data: Parameter.text("DIR", "Folder of the ledger; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints the run as one JSON object.")
}

export type ShowParameters = Parameter.Values<typeof parameters>

export const show = Verb.make({
  name: "show",
  summary: "Shows what a run has done, step by step, and what became of its pages and rejects.",
  parameters,
  examples: [
    { line: "sluice show", what: "the newest run" },
    { line: "sluice show 20260314T093001-7c2ep2 --rejects", what: "why rows could not go on" },
    { line: "sluice show --page https://example.com/a", what: "when a page was met, and with which answer" }
  ],
  load: () => import("./Show/Program.ts")
})
