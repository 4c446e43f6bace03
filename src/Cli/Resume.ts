/** `sluice resume`: goes on with a run where its last commit left it. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.optional(
    "RUN",
    "The run's id, as it is printed when a run ends before its end; without one, the newest of these."
  ),
  "with-current": Parameter.toggle("Goes on with the definition as it is now, after showing what has changed."),
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

export type ResumeParameters = Parameter.Values<typeof parameters>

export const resume = Verb.make({
  name: "resume",
  summary: "Goes on with a run that was stopped, failed, or reached its budget.",
  details:
    "A run keeps the definition and the inputs that it began with. Files are cut back to the last commit and continued; what was paid for is not asked for again. A budget counts anew from here. Code of the project (`use`) is not kept: it runs as it is now.",
  parameters,
  examples: [
    { line: "sluice resume", what: "the newest run that did not end well" },
    { line: "sluice resume 20260314T093001-7c2ep2", what: "a certain run" }
  ],
  load: () => import("./Resume/Program.ts")
})
