/** `sluice stop`: ends a run on many machines, so that it can be gone on with. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.one("RUN", "The id of a run that was handed in with --on cluster."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints one JSON object: the run's id, and how it stands."),
  quiet: Parameter.toggle("Says nothing but what went wrong.", "q")
}

export type StopParameters = Parameter.Values<typeof parameters>

export const stop = Verb.make({
  name: "stop",
  summary: "Stops a run on many machines, wherever its parts are worked on.",
  details:
    "Nothing of it begins any more, and workers bring what they have of it to a rest at a commit and give it back: sluice resume goes on there. It waits up to 30 seconds for them. A run on one machine is stopped where it runs, by Ctrl-C or SIGTERM.",
  parameters,
  examples: [
    { line: "sluice stop 20260314T093001-7c2ep2", what: "from any machine with the same SLUICE_DATABASE_URL" },
    { line: "sluice stop 20260314T093001-7c2ep2 --json", what: "how far it was, for a script" }
  ],
  load: () => import("./Stop/Program.ts")
})
