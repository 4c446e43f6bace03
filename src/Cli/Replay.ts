/** `sluice replay`: sends rejected rows through again. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.optional("RUN", "The id of the run that rejected them; without one, the newest run."),
  data: Parameter.text(
    "DIR",
    "Folder of the engine's store, the ledger and rejects; default: .sluice, or SLUICE_DATA."
  ),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust,
  json: Parameter.toggle("Prints one JSON object about the run on stdout."),
  quiet: Parameter.toggle("Says nothing but why it failed.", "q")
}

export type ReplayParameters = Parameter.Values<typeof parameters>

export const replay = Verb.make({
  name: "replay",
  summary: "Sends the rejected rows of a run through again, from the step that turned them away.",
  details:
    "A new run with the definition as it is now: mend it first. Its rows are added to the outputs; a CSV file without declared columns gets a file of its own beside it. Rows that are rejected once more are rejects of the new run.",
  parameters,
  examples: [
    { line: "sluice replay", what: "what the newest run has rejected, after the definition is mended" },
    { line: "sluice replay 20260314T093001-7c2ep2", what: "a certain run, after the site is back" }
  ],
  load: () => import("./Replay/Program.ts")
})
